"""The one error tree. Callers react to the branch, operators read the sentence.

::

    SelfImprintError                 anything this project raises on purpose
    ├── InvalidInput                 what was handed in is wrong; the same call fails again
    │   ├── UnreadableFile           a file that is not what it claims (nothing was written)
    │   ├── AmbiguousOwner           an export that does not say who the user is (--me decides)
    │   ├── UnknownUser              no such person in this home
    │   ├── UnknownNode              no such node of this person
    │   ├── UnknownMessage           no such message of this person
    │   ├── UnknownSetting           a setting or field that does not exist or has a wrong value
    │   └── IllegalValue             a domain value that must not exist (weight 1.2, a backward span)
    ├── Transient                    the same call may go through later
    │   ├── StoreBusy                a lock or lease is held by somebody else for longer than we wait
    │   ├── LeaseLost                our fencing token is older than one the store has seen
    │   ├── StaleRead                somebody else wrote between our reading and our writing
    │   ├── PersonAway               the person's graph rests in sealed files; it is being asked back
    │   ├── DependencyDown           an optional part (embedder, model, server) does not answer
    │   │   └── ModelBusy            the model's server asks to be left alone for a while
    │   ├── BadAnswer                a model answered, and the answer cannot be used
    │   └── Cancelled                whoever asked withdrew the question
    │       └── UnusableVector       an embedder answers, but what it says of some text is no vector
    └── Permanent                    will not go away by itself; an operator must act
        ├── WriteKeyConflict         a write key seen before, with other content
        ├── SealBroken               a sealed record that does not open (wrong key, moved or altered row)
        ├── KeyMissing               the person's data key is gone (erased) or unreadable
        ├── KeyExhausted             a key has sealed as often as it may; rotate it
        ├── FingerprintMismatch      vectors of another embedder or dimension; run reembed
        ├── ModelRefused             the model's server will not take our requests (address, key, model or schema)
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


class UnknownMessage(InvalidInput):
    """No message by that id in this person's history."""


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


class PersonAway(Transient):
    """The graph to be written rests in sealed files and must be loaded first (``rehydrate``)."""


class DependencyDown(Transient):
    """An optional part does not answer; the caller degrades and says so."""

    def __init__(self, part: str, reason: str) -> None:
        self.part, self.reason = part, reason
        super().__init__(f"{part} is not available: {reason}")


class UnusableVector(DependencyDown):
    """An embedder answers, but what it says of some text is no vector: another size, nothing, zeros, or not a number."""


class ModelBusy(DependencyDown):
    """The model's server is overloaded; ``retry_after_s``: how long it asks us to wait, or None where it does not say."""

    def __init__(self, *, retry_after_s: float | None) -> None:
        self.retry_after_s = retry_after_s
        wait = "" if retry_after_s is None else f", it asks for {retry_after_s:g} s"
        super().__init__("model", f"its server has too much to do{wait}")


class BadAnswer(Transient):
    """A model answered and the answer cannot be used. ``code`` says why, ``faults`` where: our words and the schema's, never a
    word of it. ``prompt_tokens``, ``answer_tokens``: what it cost.
    """

    def __init__(self, code: str, *, faults: tuple[str, ...] = (), prompt_tokens: int = 0, answer_tokens: int = 0) -> None:
        self.code, self.faults, self.prompt_tokens, self.answer_tokens = code, faults, prompt_tokens, answer_tokens
        super().__init__(f"the model's answer cannot be used: {code}; it is asked again, then the offline rule answers")


class Cancelled(Transient):
    """Whoever asked withdrew the question; nothing was kept."""


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


class ModelRefused(Permanent):
    """The model's server answers and will not take our requests; ``status`` is its HTTP status."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(
            f"the model's server refuses our requests (HTTP {status}); check the settings base_url, api_key, model"
        )


class SchemaMismatch(Permanent):
    """A store was written by another version of the schema."""


class MissingExtra(Permanent):
    """An optional package is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        self.package, self.extra = package, extra
        super().__init__(f"{package} is not installed; run: pip install 'selfimprint[{extra}]'")
