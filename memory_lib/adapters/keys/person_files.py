"""Where people's wrapped keys lie, and the steps by which generations come and go.

::

    people/ab/<user>.key       the newest generation
    people/ab/<user>.g1.key    a former one, while a rotation is under way

One look at the first bytes of ``<user>.key`` says whether there is a key and of which generation. A rotation gives the present
file a second name, then puts the new one in its place in one step: killed anywhere, the person has one good generation or two.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable
from pathlib import Path

from memory_lib.adapters import durable_files
from memory_lib.adapters.keys import key_files, person_record
from memory_lib.domain.ids import UserId
from memory_lib.errors import KeyMissing

USER_ID_DIGITS = frozenset("0123456789abcdef")


class PersonKeyFiles:
    """Wrapped records of people under ``directory``. Knows nothing of what is in them but the generation and the count."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._prefix = f"{directory}{os.sep}"
        key_files.make_directory(directory)

    def any(self) -> bool:
        """Whether there is a key of anybody."""
        return any(entry.suffix == ".key" for shelf in self._directory.iterdir() if shelf.is_dir() for entry in shelf.iterdir())

    def exists(self, user: UserId) -> bool:
        """One look at the directory: False as soon as any process has destroyed the key."""
        try:
            os.stat(self._name(user))  # noqa: PTH116 - asked for every person there is; a Path costs four times as much
        except FileNotFoundError:
            return False
        return True

    def generation(self, user: UserId) -> int:
        """The newest; some microseconds. Raises KeyMissing."""
        name = self._name(user)
        try:
            descriptor = os.open(name, os.O_RDONLY)
        except FileNotFoundError:
            raise missing(user) from None
        except OSError as failure:
            raise KeyMissing(
                f"key file {name} cannot be read ({failure.strerror}); give its owner the right to read it"
            ) from None
        try:
            header = os.read(descriptor, person_record.HEADER_BYTES)
        finally:
            os.close(descriptor)
        generation = person_record.generation_of(header)
        if not generation:
            raise KeyMissing(
                f"the data key of {user} is destroyed or damaged; restore it from a key backup if it was not erased"
            )
        return generation

    def read(self, user: UserId, generation: int) -> person_record.Record:
        """Raises KeyMissing where that generation is not kept."""
        # a rotation may put the newest aside between two looks: then it lies under the other name
        for path in (self._path(user), self._former(user, generation)):
            content = key_files.read_secret(path)
            if content is not None:
                record = person_record.parsed(content, user)
                if record.generation == generation:
                    return record
        raise KeyMissing(f"generation {generation} of the data key of {user} is not kept: it was destroyed after a rotation")

    def kept(self, user: UserId, generation: int) -> bool:
        """Whether a former generation is still there, by name."""
        return os.access(f"{self._name(user)[:-4]}.g{generation}.key", os.F_OK)

    def create(self, user: UserId, record: bytes) -> bool:
        """The person's first record; False where there is one."""
        path = self._path(user)
        key_files.make_directory(path.parent)
        with key_files.locked(path.parent):
            return key_files.create_exclusively(path, record)

    def former(self, user: UserId) -> dict[int, Path]:
        """Files of generations older than the newest, by generation, whole or half destroyed."""
        newest = self.generation(user)
        return {number: path for number, path in self._aside(user).items() if number < newest}

    def generations(self, user: UserId) -> tuple[int, ...]:
        """Those that are whole, ascending."""
        whole = []
        for number, path in self.former(user).items():
            content = key_files.read_secret(path)
            if content is not None and person_record.generation_of(content[: person_record.HEADER_BYTES]) == number:
                whole.append(number)
        return (*sorted(whole), self.generation(user))

    def begin(self, user: UserId, make: Callable[[int], bytes]) -> int:
        """The next generation in place of the present one, which gets another name; while one is under way, that one.

        ``make``: generation → record; called without holding the lock, it may ask a server.
        """
        path = self._path(user)
        while True:
            newest = self.generation(user)
            if self.former(user):
                return newest
            record = make(newest + 1)
            with key_files.locked(path.parent):
                if self.generation(user) != newest:
                    continue
                aside = self._former(user, newest)
                # what somebody who was killed here left: before the present file gets another name, so that it is told apart
                key_files.destroy_temporary(path)
                key_files.destroy_unless_same(aside, path)
                os.link(path, aside)
                durable_files.sync(path.parent)
                key_files.put_in_place(path, record)
                return newest + 1

    def finish(self, user: UserId) -> int:
        """Destroys the former generations; how many."""
        path = self._path(user)
        with key_files.locked(path.parent):
            newest = self.generation(user)
            gone = 0
            for number, aside in sorted(self._aside(user).items()):
                key_files.destroy_unless_same(aside, path)
                gone += number < newest
            key_files.destroy_temporary(path)
            return gone

    def destroy(self, user: UserId) -> None:
        """Every generation and what killed makers left. Harmless where there is nothing."""
        path = self._path(user)
        if not path.parent.is_dir():
            return
        with key_files.locked(path.parent):
            key_files.destroy(path)
            for aside in self._aside(user).values():
                key_files.destroy(aside)

    def count(self, user: UserId) -> int:
        """Seals reserved of the newest generation."""
        return person_record.read_count(self.read(user, self.generation(user)).count_field, user)

    def add(self, user: UserId, seals: int, *, generation: int | None, allow: Callable[[int], None]) -> None:
        """Raise the count of a generation by ``seals``, durably, unless ``allow(new count)`` raises."""
        names = [self._path(user)] if generation is None else [self._path(user), self._former(user, generation)]
        for path in names:
            try:
                descriptor = os.open(path, os.O_RDWR)
            except FileNotFoundError:
                continue
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                record = person_record.parsed(os.pread(descriptor, person_record.MOST_BYTES, 0), user)
                if generation is not None and record.generation != generation:
                    continue
                count = person_record.read_count(record.count_field, user) + seals
                allow(count)
                os.pwrite(descriptor, person_record.count_field(count), record.count_offset)
                os.fdatasync(descriptor)
            finally:
                os.close(descriptor)
            return
        if generation is None or not self.exists(user):
            raise missing(user)
        raise KeyMissing(f"generation {generation} of the data key of {user} is not kept: it was destroyed after a rotation")

    def _aside(self, user: UserId) -> dict[int, Path]:
        path = self._path(user)
        found = {}
        for each in path.parent.glob(f"{user}.g*.key"):
            number = re.fullmatch(r"\.g([1-9]\d{0,9})\.key", each.name[len(user) :], re.ASCII)
            if number is not None:
                found[int(number[1])] = each
        return found

    def _former(self, user: UserId, generation: int) -> Path:
        return Path(f"{self._name(user)[:-4]}.g{generation}.key")

    def _name(self, user: UserId) -> str:
        if len(user) < 2 or not USER_ID_DIGITS.issuperset(user):
            raise KeyMissing("there is no data key by this user id: an internal id is made of hex digits")
        return f"{self._prefix}{user[:2]}/{user}.key"

    def _path(self, user: UserId) -> Path:
        return Path(self._name(user))


def missing(user: UserId) -> KeyMissing:
    """What is said of a person without a key."""
    return KeyMissing(
        f"there is no data key of {user}: it was erased, or this home never knew the person; "
        "what a stopped erasure left, selfimprint erase --user with this id ends"
    )
