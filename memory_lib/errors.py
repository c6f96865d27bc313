"""The one error tree. Callers react to the branch, operators read the sentence.

::

    SelfImprintError                 anything this project raises on purpose
    ├── InvalidInput                 what was handed in is wrong; the same call fails again
    │   ├── UnreadableFile           a file that is not what it claims (nothing was written)
    │   ├── AmbiguousOwner           an export that does not say who the user is (--me decides)
    │   ├── UnknownUser              no such person in this home
    │   ├── UnknownNode              no such node of this person
    │   ├── UnknownSetting           a setting or field that does not exist or has a wrong value
    │   └── IllegalValue             a domain value that must not exist (weight 1.2, a backward span)
    ├── Transient                    the same call may go through later
    │   ├── StoreBusy                a lock or lease is held by somebody else for longer than we wait
    │   ├── LeaseLost                our fencing token is older than one the store has seen
    │   ├── StaleRead                somebody else wrote between our reading and our writing
    │   └── DependencyDown           an optional part (embedder, model, server) does not answer
    └── Permanent                    will not go away by itself; an operator must act
        ├── WriteKeyConflict         a write key seen before, with other content
        ├── SealBroken               a sealed record that does not open (wrong key, moved or altered row)
        ├── KeyMissing               the person's data key is gone (erased) or unreadable
        ├── KeyExhausted             a key has sealed as often as it may; rotate it
        ├── FingerprintMismatch      vectors of another embedder or dimension; run reembed
        ├── SchemaMismatch           a store written by a newer or unknown version
        └── MissingExtra             an optional package is not installed; names its extra

Each error is one sentence that says what is wrong, where, and what to do. Data travels as attributes, never words that a
person said: messages, names and node contents do not appear in an error.
"""

from __future__ import annotations


class SelfImprintError(Exception):
    """Root of the tree. ``exit_code`` is what the command line ends with."""

    exit_code = 1


class InvalidInput(SelfImprintError):
    """What was handed in is wrong; trying again changes nothing."""

    exit_code = 2


class UnreadableFile(InvalidInput):
    """A file that is missing, or is not what it claims to be."""


class AmbiguousOwner(InvalidInput):
    """An export that does not say which of its speakers is the user."""


class UnknownUser(InvalidInput):
    """No person by that external id in this home."""


class UnknownNode(InvalidInput):
    """No node by that id in this person's graph."""


class UnknownSetting(InvalidInput):
    """A setting or field name that does not exist, or a value outside what it allows."""


class IllegalValue(InvalidInput, ValueError):
    """A domain value that must not exist."""


class Transient(SelfImprintError):
    """The same call may go through later."""

    exit_code = 4


class StoreBusy(Transient):
    """A lock or lease is held by somebody else for longer than the caller waits."""


class LeaseLost(Transient):
    """The store has seen a newer fencing token; nothing of this write was kept."""

    def __init__(self, *, token: int, highest: int) -> None:
        self.token, self.highest = token, highest
        super().__init__(f"write lease lost: token {token} is older than {highest} seen by the store; read again and retry")


class StaleRead(Transient):
    """Somebody else wrote the person after what this write rests on was read; nothing of this write was kept."""


class DependencyDown(Transient):
    """An optional part does not answer; the caller degrades and says so."""

    def __init__(self, part: str, reason: str) -> None:
        self.part, self.reason = part, reason
        super().__init__(f"{part} is not available: {reason}")


class Permanent(SelfImprintError):
    """Will not go away by itself; an operator must act."""

    exit_code = 5


class WriteKeyConflict(Permanent):
    """The same write key came back with other content."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"write key {key} was applied before with other content; a rule changed without a new code version")


class SealBroken(Permanent):
    """A sealed record does not open under this person's key and this place."""


class KeyMissing(Permanent):
    """The person's data key is gone or unreadable."""


class KeyExhausted(Permanent):
    """A key has sealed as many records as it may."""


class FingerprintMismatch(Permanent):
    """Stored vectors belong to another embedder."""


class SchemaMismatch(Permanent):
    """A store was written by another version of the schema."""


class MissingExtra(Permanent):
    """An optional package is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        self.package, self.extra = package, extra
        super().__init__(f"{package} is not installed; run: pip install 'selfimprint[{extra}]'")
