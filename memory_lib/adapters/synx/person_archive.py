"""A person's memory as one ZIP: what they can read, and beside it what another home takes in.

::

    README.txt            what is what
    memory.md             what is remembered, as a page in the person's language
    memory.json           the same with all its details (CONTRACTS, Shapes)
    messages.jsonl        every message, in the project's import format
    sealed/head           who, when, of which ids; ledger's tables and their files
    sealed/graph/…        a set of sealed files (``graph_files``)
    sealed/vectors[.n]    node vectors at full width, so that the graph comes back exactly
    sealed/ledger/…       rows of the ledger, a table a file or more

Everything under ``sealed`` is SYNX, compressed and sealed with AES-256-GCM under keys derived (HKDF-SHA256) from the archive's
own key; AAD is the path, and ``head`` lists size and hash of every other file.
"""

from __future__ import annotations

import binascii
import hashlib
import io
import json
import math
import os
import secrets
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import numpy as np
import zstandard
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from numpy.typing import NDArray

from memory_lib.adapters.stored_graph.heads import is_internal
from memory_lib.adapters.synx.encoding import MAX_DOCUMENT_BYTES, Packed, decode, encode, pack
from memory_lib.adapters.synx.graph_files import SynxSealedGraphs
from memory_lib.adapters.synx.params import SealedFilesParams
from memory_lib.domain.ids import NodeId, UserId
from memory_lib.errors import InvalidInput, SchemaMismatch, SealBroken, StaleRead, UnreadableFile
from memory_lib.ports.blobs import BlobInfo
from memory_lib.ports.person_archive import ArchivedPerson, ReadablePerson

FORMAT: Final = 1
GENERATION: Final = 1
"""An archive holds one set of files."""
SEALED: Final = "sealed/"
HEAD: Final = "head"
GRAPH: Final = "graph/"
LEDGER: Final = "ledger/"
VECTORS: Final = "vectors"

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
UNPACKED_BYTES: Final = 256 * 2**20
UNPACKED_TIMES: Final = 100
"""All parts together unpack to no more than so much and so many times what the file has: words pack to a fifth, vectors hardly.
Whoever hands in an archive brings its key too, so what opens may still have been made to fill the memory.
"""
# ZIP knows no time without a place; one that never changes makes equal content equal bytes
_WRITTEN: Final = (1980, 1, 1, 0, 0, 0)
_README: Final = """memory.md is for reading: what is remembered of you. memory.json has all its details.
messages.jsonl holds every message as it was said; selfimprint import takes it in anywhere.
The folder sealed restores everything exactly: selfimprint import-user FILE, which asks for the key.
The key was printed when this file was made. It is kept nowhere; without it the folder sealed cannot be opened.

memory.md — для чтения: что о вас запомнено. В memory.json — все подробности.
В messages.jsonl лежит каждое сообщение, как оно было сказано; selfimprint import примет его где угодно.
Папка sealed восстанавливает всё в точности: selfimprint import-user FILE спросит ключ.
Ключ был напечатан при создании файла. Больше он нигде не хранится, без него папку sealed не открыть.
"""


class SynxPersonArchives:
    """Implements ``ports.person_archive.PersonArchives``."""

    def __init__(self, *, params: SealedFilesParams) -> None:
        self._params = params

    def new_key(self) -> str:
        """64 hex digits in eight groups."""
        return _spelled(secrets.token_bytes(KEY_BYTES))

    def pack(self, person: ArchivedPerson, readable: ReadablePerson, *, key: str) -> bytes:
        sealer = _OneTimeSealer(_key(key))
        blobs = _InMemory()
        graphs = SynxSealedGraphs(_Under(blobs, GRAPH), sealer, params=replace(self._params, at_once=1))
        graphs.write(person.user, person.whole, (), generation=GENERATION)
        for name, rows in (
            (VECTORS, ([node, vector.astype("<f4").tobytes()] for node, vector in person.whole.vectors.items())),
            *((f"{LEDGER}{table}", rows) for table, rows in person.rows.items()),
        ):
            for path, content in self._documents(name, (_plain(row) for row in rows)):
                blobs.put(path, sealer.seal_file(person.user, path, GENERATION, content))
        listed = [[path, len(data), hashlib.sha256(data).hexdigest()] for path, data in sorted(blobs.held.items())]
        head = {
            "format": FORMAT,
            "user": person.user,
            "external": person.external,
            "id_key": person.id_key,
            "at": person.at.isoformat(),
            "graph_hash": person.graph_hash,
            "tables": list(person.rows),
        }
        content = encode({"head": [pack(head)], "files": [pack(row) for row in listed]})
        blobs.put(HEAD, sealer.seal_head(content))
        return _zipped(
            {
                "README.txt": _README.encode(),
                "memory.md": readable.page.encode("utf-8", "backslashreplace"),
                "memory.json": _json(readable.memory, indent=1),
                "messages.jsonl": b"".join(_json(message) + b"\n" for message in readable.messages),
            },
            {SEALED + path: data for path, data in sorted(blobs.held.items())},
        )

    def unpack(self, data: bytes, *, key: str) -> ArchivedPerson:
        held = _unzipped(data)
        sealer = _OneTimeSealer(_key(key), unpacked=UNPACKED_BYTES + UNPACKED_TIMES * len(data))
        if HEAD not in held:
            raise UnreadableFile("this is no exported memory: it has no sealed part; selfimprint export makes one")
        try:
            return self._opened(held, sealer)
        except (KeyError, IndexError, ValueError, TypeError, AttributeError, RecursionError):
            raise _foreign() from None

    def _opened(self, held: Mapping[str, bytes], sealer: _OneTimeSealer) -> ArchivedPerson:
        sections = _read(sealer.open_head(held[HEAD]))
        (head,) = sections["head"]
        if head["format"] != FORMAT:
            raise SchemaMismatch(
                f"the export has format {head['format']}, this program knows {FORMAT}; install the newer release"
            )
        listed = {path: (size, digest) for path, size, digest in sections["files"]}
        for path, (size, digest) in listed.items():
            found = held.get(path)
            if found is None or len(found) != size or hashlib.sha256(found).hexdigest() != digest:
                raise SealBroken(
                    f"{SEALED}{path} of the export is missing or not the one its head lists; use an unaltered copy"
                )
        user = UserId(head["user"])
        if not is_internal(user):
            raise _foreign()
        blobs = _InMemory({path: held[path] for path in listed})
        whole = SynxSealedGraphs(_Under(blobs, GRAPH), sealer, params=replace(self._params, at_once=1)).read(
            user, generation=GENERATION
        )
        exact = {
            NodeId(node): np.frombuffer(vector, dtype="<f4").astype(np.float32)
            for node, vector in self._rows(VECTORS, listed, blobs, sealer, user)
        }
        rows = {
            table: [dict(row) for row in self._rows(f"{LEDGER}{table}", listed, blobs, sealer, user)]
            for table in head["tables"]
        }
        return ArchivedPerson(
            user=user,
            external=head["external"],
            id_key=head["id_key"],
            at=datetime.fromisoformat(head["at"]),
            graph_hash=head["graph_hash"],
            whole=replace(whole, vectors=_same_nodes(exact, whole.vectors)),
            rows=rows,
        )

    def _documents(self, name: str, rows: Iterable[Any]) -> Iterator[tuple[str, bytes]]:
        some: list[Packed] = []
        size, number = 0, 1
        for row in map(pack, rows):
            if some and size + row.size > self._params.shard_bytes:
                yield _numbered(name, number), encode({"rows": some})
                some, size, number = [], 0, number + 1
            some.append(row)
            size += row.size
        if some:
            yield _numbered(name, number), encode({"rows": some})

    @staticmethod
    def _rows(name: str, listed: Mapping[str, Any], blobs: _InMemory, sealer: _OneTimeSealer, user: UserId) -> Iterator[Any]:
        number = 1
        while (path := _numbered(name, number)) in listed:
            yield from _read(sealer.open_file(user, path, GENERATION, blobs.held[path]))["rows"]
            number += 1


class _OneTimeSealer:
    """``ports.keys.FileSealer`` under a key that is kept nowhere."""

    def __init__(self, key: bytes, *, unpacked: float = math.inf) -> None:
        """``unpacked``: bytes that all it opens may unpack to; what it has sealed itself needs no limit."""
        self._key = key
        self._left = unpacked

    def seal_file(self, user: UserId, path: str, generation: int, content: bytes) -> bytes:
        del generation
        return self._seal(f"{user}\0{path}", content)

    def open_file(self, user: UserId, path: str, generation: int, sealed: bytes) -> bytes:
        del generation
        return self._open(f"{user}\0{path}", sealed)

    def outdated(self, user: UserId, sealed: bytes) -> bool:
        """Never: a file is sealed once."""
        del user, sealed
        return False

    def seal_head(self, content: bytes) -> bytes:
        """Whose archive it is stands inside, so nobody is named by its AAD."""
        return self._seal(f"\0{HEAD}", content)

    def open_head(self, sealed: bytes) -> bytes:
        return self._open(f"\0{HEAD}", sealed)

    def _seal(self, place: str, content: bytes) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._cipher(place).encrypt(nonce, zstandard.ZstdCompressor().compress(content), place.encode())

    def _open(self, place: str, sealed: bytes) -> bytes:
        try:
            packed = self._cipher(place).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], place.encode())
        except (InvalidTag, ValueError):
            raise SealBroken("the sealed part of the export does not open: another key, or an altered file") from None
        try:
            size = zstandard.frame_content_size(packed)
            if not 0 <= size <= min(MAX_DOCUMENT_BYTES, self._left):
                raise _foreign()
            self._left -= size
            return zstandard.ZstdDecompressor().decompress(packed, max_output_size=size, allow_extra_data=False)
        except zstandard.ZstdError:
            raise _foreign() from None

    def _cipher(self, place: str) -> AESGCM:
        info = b"selfimprint/export/1/" + place.encode()
        return AESGCM(HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=info).derive(self._key))


class _InMemory:
    """``ports.blobs.Blobs`` in a dictionary."""

    def __init__(self, held: Mapping[str, bytes] | None = None) -> None:
        self.held: dict[str, bytes] = dict(held or {})

    def put(self, path: str, data: bytes, *, replacing: str | None = None) -> BlobInfo:
        if path in self.held and replacing is None:
            raise StaleRead(f"{path} is there already")
        self.held[path] = data
        return self._info(path)

    def get(self, path: str) -> bytes | None:
        return self.held.get(path)

    def list(self, prefix: str) -> tuple[BlobInfo, ...]:
        return tuple(self._info(path) for path in sorted(self.held) if path.startswith(prefix))

    def delete(self, paths: Sequence[str]) -> None:
        for path in paths:
            self.held.pop(path, None)

    def purge(self, prefix: str) -> Mapping[str, int]:
        gone = [path for path in self.held if path.startswith(prefix)]
        self.delete(gone)
        return {"content": len(gone)} if gone else {}

    def residue(self, prefix: str) -> Mapping[str, int]:
        left = sum(path.startswith(prefix) for path in self.held)
        return {"content": left} if left else {}

    def reap(self, *, older_than: datetime) -> int:
        del older_than
        return 0

    def _info(self, path: str) -> BlobInfo:
        data = self.held[path]
        return BlobInfo(path, len(data), hashlib.sha256(data).hexdigest())


class _Under:
    """The blobs below a folder of others."""

    def __init__(self, blobs: _InMemory, folder: str) -> None:
        self._blobs = blobs
        self._folder = folder

    def put(self, path: str, data: bytes, *, replacing: str | None = None) -> BlobInfo:
        return self._short(self._blobs.put(self._folder + path, data, replacing=replacing))

    def get(self, path: str) -> bytes | None:
        return self._blobs.get(self._folder + path)

    def list(self, prefix: str) -> tuple[BlobInfo, ...]:
        return tuple(self._short(info) for info in self._blobs.list(self._folder + prefix))

    def delete(self, paths: Sequence[str]) -> None:
        self._blobs.delete([self._folder + path for path in paths])

    def purge(self, prefix: str) -> Mapping[str, int]:
        return self._blobs.purge(self._folder + prefix)

    def residue(self, prefix: str) -> Mapping[str, int]:
        return self._blobs.residue(self._folder + prefix)

    def reap(self, *, older_than: datetime) -> int:
        return self._blobs.reap(older_than=older_than)

    def _short(self, info: BlobInfo) -> BlobInfo:
        return replace(info, path=info.path.removeprefix(self._folder))


def _foreign() -> UnreadableFile:
    return UnreadableFile("a part of the export opens and is none of ours")


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}.{number}"


def _read(content: bytes) -> dict[str, list[Any]]:
    try:
        return decode(content)
    except UnreadableFile:
        raise SealBroken("the sealed part of the export opens and holds no rows that can be read") from None


def _plain(value: Any) -> Any:
    """Tuples and maps of other kinds as the encoding knows them."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def _same_nodes(
    exact: Mapping[NodeId, NDArray[np.float32]], halves: Mapping[NodeId, NDArray[np.float32]]
) -> Mapping[NodeId, NDArray[np.float32]]:
    if exact.keys() != halves.keys():
        raise SealBroken("the vectors of the export are not those of its memories; use an unaltered copy")
    return exact


def _json(value: Any, *, indent: int | None = None) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, indent=indent).encode()


def _zipped(readable: Mapping[str, bytes], sealed: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for members, method in ((readable, zipfile.ZIP_DEFLATED), (sealed, zipfile.ZIP_STORED)):
            for name, content in members.items():
                info = zipfile.ZipInfo(name, _WRITTEN)
                info.compress_type = method
                info.external_attr = 0o600 << 16
                archive.writestr(info, content)
    return out.getvalue()


def _unzipped(data: bytes) -> dict[str, bytes]:
    """The sealed members by their paths."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sealed = [info for info in archive.infolist() if info.filename.startswith(SEALED)]
            # they are stored as they are: what unpacks, or lies over one another and is more than the file, is none of ours
            if any(info.compress_type != zipfile.ZIP_STORED for info in sealed) or _bytes_of(sealed) > len(data):
                raise _foreign()
            return {info.filename.removeprefix(SEALED): archive.read(info) for info in sealed}
    except (zipfile.BadZipFile, ValueError, EOFError, OSError, RuntimeError):
        raise UnreadableFile("this is no exported memory: it is no whole ZIP file; selfimprint export makes one") from None


def _bytes_of(members: Iterable[zipfile.ZipInfo]) -> int:
    return sum(max(info.file_size, info.compress_size) for info in members)


def _spelled(key: bytes) -> str:
    digits = key.hex()
    return "-".join(digits[place : place + 8] for place in range(0, len(digits), 8))


def _key(spelled: str) -> bytes:
    try:
        key = bytes.fromhex("".join(sign for sign in spelled if sign not in " -\n\t"))
    except (ValueError, binascii.Error):
        key = b""
    if len(key) != KEY_BYTES:
        raise InvalidInput("the key of an export is 64 hex digits, in groups or not; it was printed when the export was made")
    return key
