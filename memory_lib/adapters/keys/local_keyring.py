"""The keyring of one machine: a deployment secret, the id key, and one wrapped data key file a person (CONTRACTS, Sealing).

::

    keys/                     0700
      deployment.key          0600  64 hex digits; wrapping, external ids and quarantine are derived from it (HKDF-SHA256)
      id.key                  0600  64 hex digits, never rotated; absent where a setting gives the id key
      id.check                0600  keyed hash of the id key in use: ids of two keys never meet in one home
      people/ab/<user>.key    0600  see ``person_record``
"""

from __future__ import annotations

import fcntl
import hmac
import os
import secrets
import stat
import threading
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from memory_lib.adapters.keys import key_files, person_record
from memory_lib.adapters.keys.params import KeyringParams
from memory_lib.domain.ids import IdKey, UserId
from memory_lib.errors import IllegalValue, KeyExhausted, KeyMissing, UnknownSetting
from memory_lib.ports.keys import DataKey

KEY_BYTES = 32
FIRST_GENERATION = 1
USER_ID_DIGITS = frozenset("0123456789abcdef")


def read_id_key(value: str) -> bytes:
    """The id key from a setting: 64 hex digits, or the path of a file that holds them.

    Raises:
        UnknownSetting: neither, or a file that others can read; the value itself is not repeated, it may be a key.
    """
    key = _hex_key(value)
    if key is None:
        content = _given_file(value)
        key = None if content is None else _hex_key(content.decode("ascii", "replace"))
    if key is None:
        raise UnknownSetting("the id key setting is neither 64 hex digits nor the path of a file with 64 hex digits")
    return key


class LocalKeyring:
    """Implements ``ports.keys.Keyring`` on files under ``root/keys``.

    ``id_key``: 32 bytes given by a setting, or None to keep one in ``keys/id.key``. Made on construction where the home is new.

    Raises:
        KeyMissing: the deployment key, or the id key, is gone while keys of people exist; nothing is made anew then.
        IllegalValue: ``id_key`` is not 32 bytes, or is not the one that this home's ids were made with.
    """

    def __init__(self, root: Path, *, id_key: bytes | None, params: KeyringParams) -> None:
        self._directory = root / "keys"
        self._people = self._directory / "people"
        self._params = params
        self._guard = threading.Lock()
        self._derived: dict[str, bytes] = {}
        key_files.make_directory(self._directory)
        key_files.make_directory(self._people)
        self._id_key = self._own_id_key() if id_key is None else IdKey(id_key)
        self._secret = self._kept("deployment.key", "no record of these people opens without it")
        self._check_id_key()
        self._wrapping = AESGCM(self.deployment_key("wrap"))
        self._external = self.deployment_key("external-id")

    def __repr__(self) -> str:
        return f"LocalKeyring({str(self._directory)!r})"

    @property
    def id_key(self) -> IdKey:
        return self._id_key

    def external_id_tag(self, external: str) -> str:
        """64 hex digits of HMAC-SHA256."""
        return hmac.digest(self._external, external.encode("utf-8", "surrogatepass"), "sha256").hex()

    def create(self, user: UserId) -> DataKey:
        path = self._path(user)
        content = key_files.read_secret(path)
        if content is None:
            key_files.make_directory(path.parent)
            made = DataKey(user=user, generation=FIRST_GENERATION, key=secrets.token_bytes(KEY_BYTES))
            if key_files.create_exclusively(path, person_record.wrap(made, self._wrapping)):
                return made
        return self.open(user)

    def open(self, user: UserId, generation: int | None = None) -> DataKey:  # noqa: ARG002 - until keys have generations
        content = key_files.read_secret(self._path(user))
        if content is None:
            raise KeyMissing(f"there is no data key of {user}: it was erased, or this home never knew the person")
        return person_record.unwrap(content, user, self._wrapping)

    def exists(self, user: UserId) -> bool:
        """One look at the directory: False as soon as any process has destroyed the key."""
        try:
            os.stat(self._name(user))  # noqa: PTH116 - asked before every use of an opened key; a Path costs four times as much
        except FileNotFoundError:
            return False
        return True

    def destroy(self, user: UserId) -> None:
        """Harmless where there is no key."""
        key_files.destroy(self._path(user))

    def reserve(self, user: UserId, seals: int) -> None:
        if seals < 0:
            raise IllegalValue(f"cannot reserve {seals} seals")
        try:
            descriptor = os.open(self._path(user), os.O_RDWR)
        except FileNotFoundError:
            raise KeyMissing(f"there is no data key of {user}: it was erased, or this home never knew the person") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            record = os.pread(descriptor, person_record.SIZE, 0)
            person_record.unwrap(record, user, self._wrapping)
            count = person_record.read_count(record[person_record.COUNT_OFFSET :], user) + seals
            if count > self._params.seals_a_key:
                raise KeyExhausted(f"the data key of {user} has sealed {self._params.seals_a_key} records; rotate it")
            os.pwrite(descriptor, person_record.count_field(count), person_record.COUNT_OFFSET)
            os.fdatasync(descriptor)
        finally:
            os.close(descriptor)

    def deployment_key(self, purpose: str) -> bytes:
        with self._guard:
            key = self._derived.get(purpose)
            if key is None:
                info = b"selfimprint/1/" + purpose.encode("utf-8")
                key = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=info).derive(self._secret)
                self._derived[purpose] = key
            return key

    def _own_id_key(self) -> IdKey:
        # id.check is made last: looked at first, it proves that id.key was there
        if (self._directory / "id.check").exists() and not (self._directory / "id.key").exists():
            raise KeyMissing(
                f"ids of this home were made with an id key and {self._directory / 'id.key'} is not there; "
                "restore that file, or set the id key again"
            )
        return IdKey(self._kept("id.key", "the ids of these people were made with it"))

    def _kept(self, name: str, why: str) -> bytes:
        """A 32-byte secret kept as hex digits, made where the home is new."""
        path = self._directory / name
        content = key_files.read_secret(path)
        if content is None:
            # keys of people are made last: a maker at work beside us has the file ready by the time we see one
            if self._knows_people() and not path.exists():
                raise KeyMissing(f"{path} is gone while keys of people exist, and {why}; restore that file from a backup")
            key_files.create_exclusively(path, secrets.token_hex(KEY_BYTES).encode("ascii") + b"\n")
            content = key_files.read_secret(path) or b""
        key = _hex_key(content.decode("ascii", "replace"))
        if key is None:
            raise KeyMissing(f"{path} does not hold 64 hex digits; restore that file from a backup")
        return key

    def _check_id_key(self) -> None:
        check = self._id_key.hash("id key check").encode("ascii")
        path = self._directory / "id.check"
        known = key_files.read_secret(path)
        if known is None:
            key_files.create_exclusively(path, check)
            known = key_files.read_secret(path)
        if known != check:
            raise IllegalValue(
                f"the id key is not the one that the ids in {self._directory.parent} were made with; set the former one again"
            )

    def _knows_people(self) -> bool:
        return any(entry.suffix == ".key" for shelf in self._people.iterdir() if shelf.is_dir() for entry in shelf.iterdir())

    def _name(self, user: UserId) -> str:
        if len(user) < 2 or not USER_ID_DIGITS.issuperset(user):
            raise KeyMissing("there is no data key by this user id: an internal id is made of hex digits")
        return f"{self._people}/{user[:2]}/{user}.key"

    def _path(self, user: UserId) -> Path:
        return Path(self._name(user))


def _given_file(value: str) -> bytes | None:
    """A file that is not ours: read, never changed."""
    path = Path(value).expanduser()
    if not value or not path.is_file():
        return None
    if stat.S_IMODE(path.stat().st_mode) & key_files.OTHERS:
        raise UnknownSetting("the file that the id key setting names can be read by others; chmod 600 it")
    return path.read_bytes()


def _hex_key(text: str) -> bytes | None:
    digits = text.strip()
    if len(digits) != 2 * KEY_BYTES:
        return None
    try:
        return bytes.fromhex(digits)
    except ValueError:
        return None
