"""A keyring kept in files: the deployment's secrets, and one wrapped data key a person and generation (CONTRACTS, Sealing).

::

    keys/                     0700
      deployment.key          0600  the deployment's secret; quarantine, signing … are derived from it (HKDF-SHA256)
      id.key                  0600  never rotated; absent where a setting gives the id key
      id.check                0600  keyed hash of the id key in use: ids of two keys never meet in one home
      people/                       see ``person_files``

How secrets and people's keys are protected is a strategy of ``wrapping``.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from memory_lib.adapters.keys import key_files, person_record
from memory_lib.adapters.keys.opened_keys import Opened
from memory_lib.adapters.keys.params import KeyringParams
from memory_lib.adapters.keys.person_files import PersonKeyFiles
from memory_lib.adapters.keys.wrapping import KEY_BYTES, PersonWrapping, SecretWrapping
from memory_lib.domain.ids import IdKey, UserId
from memory_lib.errors import IllegalValue, KeyExhausted, KeyMissing
from memory_lib.ports.keys import DataKey

FIRST_GENERATION = 1


class FileKeyring:
    """Implements ``ports.keys.Keyring`` and ``KeyRotation`` on files under ``root/keys``. Safe between threads and processes.

    ``id_key``: 32 bytes given by a setting, or None to keep one in ``keys/id.key``. Made on construction where the home is new.

    Raises:
        KeyMissing: the deployment key, or the id key, is gone while keys of people exist; nothing is made anew then. Or it is
            protected otherwise than the settings say.
        IllegalValue: ``id_key`` is not 32 bytes, or is not the one that this home's ids were made with.
        DependencyDown: the service that protects the secrets does not answer.
    """

    def __init__(
        self,
        root: Path,
        *,
        id_key: bytes | None,
        params: KeyringParams,
        secret_wrapping: SecretWrapping,
        person_wrapping: Callable[[bytes], PersonWrapping],
    ) -> None:
        self._directory = root / "keys"
        self._params = params
        self._guard = threading.Lock()
        self._derived: dict[str, bytes] = {}
        self._secrets = secret_wrapping
        key_files.make_directory(self._directory)
        self._people = PersonKeyFiles(self._directory / "people")
        self._id_key = self._own_id_key() if id_key is None else IdKey(id_key)
        self._secret = self._kept("deployment.key", "no record of these people opens without it")
        self._check_id_key()
        self._wrapping = person_wrapping(self.deployment_key("wrap"))
        self._external = self.deployment_key("external-id")
        self._opened: Opened[tuple[UserId, int], DataKey] = Opened(most=params.opened_keys, seconds=params.opened_s)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self._directory)!r})"

    @property
    def id_key(self) -> IdKey:
        return self._id_key

    def external_id_tag(self, external: str) -> str:
        """64 hex digits of HMAC-SHA256."""
        return hmac.digest(self._external, external.encode("utf-8", "surrogatepass"), "sha256").hex()

    # -- a person's key -----------------------------------------------------------------

    def create(self, user: UserId) -> DataKey:
        if not self._people.exists(user):
            key, wrapped = self._wrapping.fresh(user, FIRST_GENERATION)
            if self._people.create(user, person_record.made(self._wrapping.magic, FIRST_GENERATION, wrapped)):
                made = DataKey(user=user, generation=FIRST_GENERATION, key=key)
                return self._opened.put((user, FIRST_GENERATION), made)
        return self.open(user)

    def open(self, user: UserId, generation: int | None = None) -> DataKey:
        """The key's file is looked at before an opened one is handed out: what another process made or destroyed counts."""
        try:
            newest = self._people.generation(user)
        except KeyMissing:
            self.forget(user)
            raise
        wanted = newest if generation is None else generation
        place = (user, wanted)
        if wanted != newest and not self._people.kept(user, wanted):
            self._opened.discard(place)
        elif (key := self._opened.get(place)) is not None:
            return key
        record = self._people.read(user, wanted)
        if record.magic != self._wrapping.magic:
            raise KeyMissing(
                f"the data key of {user} is wrapped by another keyring than the settings name; set kms.key_id as it was"
            )
        opened = self._wrapping.unwrap(user, wanted, record.wrapped)
        return self._opened.put(place, DataKey(user=user, generation=wanted, key=opened))

    def exists(self, user: UserId) -> bool:
        """One look at the directory: False as soon as any process has destroyed the key."""
        return self._people.exists(user)

    def destroy(self, user: UserId) -> None:
        """Every generation. Harmless where there is no key."""
        try:
            self._people.destroy(user)
        finally:
            self.forget(user)

    def reserve(self, user: UserId, seals: int, *, generation: int | None = None) -> None:
        if seals < 0:
            raise IllegalValue(f"cannot reserve {seals} seals")

        def allow(count: int) -> None:
            if count > self._params.seals_a_key:
                raise KeyExhausted(
                    f"the data key of {user} has sealed {self._params.seals_a_key} records; run selfimprint rotate-keys for "
                    "this person"
                )

        self._people.add(user, seals, generation=generation, allow=allow)

    def forget(self, user: UserId) -> None:
        """Drop what is kept opened of the person's keys."""
        self._opened.drop(lambda key: key[0] == user)

    # -- generations --------------------------------------------------------------------

    def generation(self, user: UserId) -> int:
        return self._people.generation(user)

    def generations(self, user: UserId) -> tuple[int, ...]:
        return self._people.generations(user)

    def begin(self, user: UserId) -> int:
        def make(generation: int) -> bytes:
            _, wrapped = self._wrapping.fresh(user, generation)
            return person_record.made(self._wrapping.magic, generation, wrapped)

        return self._people.begin(user, make)

    def finish(self, user: UserId) -> int:
        gone = self._people.finish(user)
        self.forget(user)
        return gone

    def outworn(self, user: UserId) -> bool:
        """A key whose count is unreadable is worn out too."""
        try:
            return self._people.count(user) >= self._params.rotate_at
        except KeyExhausted:
            return True

    # -- the deployment's own -----------------------------------------------------------

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
        """A 32-byte secret, made where the home is new."""
        path = self._directory / name
        content = key_files.read_secret(path)
        if content is None:
            # keys of people are made last: a maker at work beside us has the file ready by the time we see one
            if self._people.any() and not path.exists():
                raise KeyMissing(f"{path} is gone while keys of people exist, and {why}; restore that file from a backup")
            line = self._secrets.protect(name, secrets.token_bytes(KEY_BYTES))
            key_files.create_exclusively(path, line.encode("ascii") + b"\n")
            content = key_files.read_secret(path) or b""
        return self._secrets.reveal(name, content.decode("ascii", "replace").strip())

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
