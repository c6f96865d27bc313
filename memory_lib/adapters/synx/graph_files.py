"""A person's graph as a set of sealed files (DESIGN §4, Tiers).

A set lies under ``<first 2 characters of the user id>/<user id>/<generation, 12 digits>/``:

=====================  =========================================================================================
``core``               nodes that are pinned: the profile
``domain/<topic>``     all other nodes of a topic, archived and retracted ones too (health remarks are ``other``)
``edges``              edges
``history``            acts; renames (old id, new id)
``writes``             write keys; outbox entries
``vectors``            blocks of [ids, base64 of their float16 rows]
``sessions/all``       sessions (ids and times); traces (message → nodes that rest on it)
``manifest``           written last: format, user, generation, revision, embedder, counts, and of every other file its
                       name, size and SHA-256 of the sealed bytes
=====================  =========================================================================================

A file that would be longer than ``shard_bytes`` goes on in ``<name>.2``, ``<name>.3`` … Topics and parts without rows have no
file. Each document is a SYNX text (``encoding``) with its rows' layout (``records``) beside them, sealed as a whole under its
own path and generation. Only what the manifest lists is read, and only where size and hash are the listed ones.
"""

from __future__ import annotations

import base64
import gc
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.synx.encoding import Packed, decode, encode, pack
from memory_lib.adapters.synx.params import SealedFilesParams
from memory_lib.adapters.synx.records import Layout, Records
from memory_lib.domain.acts import Act
from memory_lib.domain.candidates import Topic
from memory_lib.domain.changes import Revision
from memory_lib.domain.ids import MessageId, NodeId, UserId
from memory_lib.domain.node import Edge, Node
from memory_lib.errors import IllegalValue, Permanent, SchemaMismatch, SealBroken, StaleRead, UnreadableFile
from memory_lib.ports.blobs import Blobs
from memory_lib.ports.graph import AppliedKey, OutboxEntry, WholeGraph
from memory_lib.ports.keys import FileSealer
from memory_lib.ports.sealed_graphs import SessionTrace

T = TypeVar("T")
R = TypeVar("R")

FORMAT: Final = 1
"""Of the layout of a set; fields of the rows have a layout of their own."""
MANIFEST: Final = "manifest"
CORE: Final = "core"
EDGES: Final = "edges"
HISTORY: Final = "history"
WRITES: Final = "writes"
VECTORS: Final = "vectors"
SESSIONS: Final = "sessions/all"
DOMAINS: Final[Mapping[Topic, str]] = {topic: f"domain/{topic.value}" for topic in Topic}

KEPT: Final = frozenset(
    [
        "revision",
        "fingerprint",
        "dimension",
        "nodes",
        "edges",
        "acts",
        "renames",
        "vectors",
        "write_keys",
        "outbox",
    ]
)
"""Fields of WholeGraph that have a place in the files; a test compares the two."""

_HALF_MAX: Final = float(np.finfo(np.float16).max)

_NODES: Final = Records(Node)
_EDGES: Final = Records(Edge)
_ACTS: Final = Records(Act)
_KEYS: Final = Records(AppliedKey)
_OUTBOX: Final = Records(OutboxEntry)
_SESSIONS: Final = Records(SessionTrace)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A file as the manifest lists it."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class _Manifest:
    revision: Revision
    fingerprint: str | None
    dimension: int | None
    counts: Mapping[str, int]
    entries: tuple[_Entry, ...]


Document = Mapping[str, Sequence[Packed]]
Sections = Mapping[str, Sequence[Any]]


class SynxSealedGraphs:
    """Implements ``ports.sealed_graphs.SealedGraphs``. A generation has one writer: its number is given out once
    (``Placements.next_generation``).
    """

    def __init__(self, blobs: Blobs, sealer: FileSealer, *, params: SealedFilesParams) -> None:
        self._blobs = blobs
        self._sealer = sealer
        self._params = params

    def write(self, user: UserId, whole: WholeGraph, sessions: Sequence[SessionTrace], *, generation: int) -> None:
        with _collector_paused():
            self._write(user, whole, sessions, generation)

    def _write(self, user: UserId, whole: WholeGraph, sessions: Sequence[SessionTrace], generation: int) -> None:
        folder = _folder(user, generation)
        left = {info.path: info.etag for info in self._blobs.list(folder)}
        if folder + MANIFEST in left:
            raise StaleRead(
                f"sealed files of generation {generation} of person {user} are whole already; take a new generation"
            )
        documents = [(name, encode(document)) for name, document in self._documents(whole, sessions)]

        def put(each: tuple[str, bytes]) -> _Entry:
            name, content = each
            path = folder + name
            sealed = self._sealer.seal_file(user, path, generation, content)
            self._blobs.put(path, sealed, replacing=left.get(path))
            return _Entry(name, len(sealed), hashlib.sha256(sealed).hexdigest())

        entries = tuple(self._each(put, documents))
        unlisted = set(left) - {folder + entry.name for entry in entries}
        if unlisted:
            self._blobs.delete(sorted(unlisted))
        manifest = _Manifest(whole.revision, whole.fingerprint, whole.dimension, _counts(whole, sessions), entries)
        self._compare(user, manifest, whole, sessions, generation)
        content = encode(_manifest_document(manifest, user, generation))
        self._blobs.put(folder + MANIFEST, self._sealer.seal_file(user, folder + MANIFEST, generation, content))
        if self._manifest(user, generation) != manifest:
            raise Permanent(f"the manifest of generation {generation} of person {user} does not read back as it was written")

    def read(self, user: UserId, *, generation: int) -> WholeGraph:
        with _collector_paused():
            return self._whole(user, self._manifest(user, generation), generation)

    def sessions(self, user: UserId, *, generation: int) -> tuple[SessionTrace, ...]:
        manifest = self._manifest(user, generation)
        files = _of(manifest.entries, SESSIONS)
        return tuple(_rows(self._opened(user, files, generation), "sessions", _SESSIONS))

    def generations(self, user: UserId) -> tuple[int, ...]:
        folder = _person(user)
        numbers = {info.path.removeprefix(folder).split("/", 1)[0] for info in self._blobs.list(folder)}
        return tuple(sorted(int(number) for number in numbers if number.isdecimal()))

    def outdated(self, user: UserId, *, generation: int) -> int:
        found = (self._blobs.get(info.path) for info in self._blobs.list(_folder(user, generation)))
        return sum(self._sealer.outdated(user, sealed) for sealed in found if sealed is not None)

    def delete(self, user: UserId, *, generation: int) -> None:
        folder = _folder(user, generation)
        # without its manifest a set is none: what is left of a killed deletion is not taken for a broken set
        self._blobs.delete([folder + MANIFEST])
        self._blobs.purge(folder)

    def erase(self, user: UserId) -> Mapping[str, int]:
        return self._blobs.purge(_person(user))

    def residue(self, user: UserId) -> Mapping[str, int]:
        return self._blobs.residue(_person(user))

    # -- writing --

    def _documents(self, whole: WholeGraph, sessions: Sequence[SessionTrace]) -> Iterator[tuple[str, Document]]:
        nodes: dict[str, list[Node]] = {CORE: [], **{name: [] for name in DOMAINS.values()}}
        for node in whole.nodes.values():
            nodes[CORE if node.is_pinned else DOMAINS[node.topic]].append(node)
        parts: list[tuple[str, dict[str, Iterable[Any]], Layout]] = [
            (name, {"nodes": map(_NODES.row, some)}, _NODES.layout) for name, some in nodes.items()
        ]
        parts += [
            (EDGES, {"edges": map(_EDGES.row, whole.edges.values())}, _EDGES.layout),
            (
                HISTORY,
                {"acts": map(_ACTS.row, whole.acts), "renames": [[old, new] for old, new in whole.renames.items()]},
                _ACTS.layout,
            ),
            (
                WRITES,
                {"write_keys": map(_KEYS.row, whole.write_keys), "outbox": map(_OUTBOX.row, whole.outbox)},
                {**_KEYS.layout, **_OUTBOX.layout},
            ),
            (VECTORS, {"vectors": self._blocks(whole)}, {}),
            (SESSIONS, {"sessions": map(_SESSIONS.row, sessions), "traces": _traces(whole)}, _SESSIONS.layout),
        ]
        for name, sections, layout in parts:
            yield from self._shards(name, sections, layout)

    def _shards(self, name: str, sections: Mapping[str, Iterable[Any]], layout: Layout) -> Iterator[tuple[str, Document]]:
        head = {"layout": [pack([kind, list(columns)]) for kind, columns in layout.items()]}
        document: dict[str, list[Packed]] = {}
        size, number = 0, 1
        for section, rows in sections.items():
            for row in map(pack, rows):
                if document and size + row.size > self._params.shard_bytes:
                    yield _numbered(name, number), {**head, **document}
                    document, size, number = {}, 0, number + 1
                document.setdefault(section, []).append(row)
                size += row.size
        if document:
            yield _numbered(name, number), {**head, **document}

    def _blocks(self, whole: WholeGraph) -> Iterator[list[Any]]:
        if not whole.vectors:
            return
        if whole.dimension is None:
            raise IllegalValue("a graph with vectors does not say of how many numbers; nothing was written")
        ids = list(whole.vectors)
        for first in range(0, len(ids), self._params.block_vectors):
            some = ids[first : first + self._params.block_vectors]
            yield [list(some), base64.b64encode(_halves(whole, some).astype("<f2").tobytes()).decode("ascii")]

    def _compare(
        self, user: UserId, manifest: _Manifest, whole: WholeGraph, sessions: Sequence[SessionTrace], generation: int
    ) -> None:
        """What lies there, against what was to be written."""
        back = self._whole(user, manifest, generation)
        traces = _rows(self._opened(user, _of(manifest.entries, SESSIONS), generation), "sessions", _SESSIONS)
        same = (
            back.nodes == whole.nodes
            and back.edges == whole.edges
            and back.acts == whole.acts
            and back.renames == whole.renames
            and back.write_keys == whole.write_keys
            and back.outbox == whole.outbox
            and traces == list(sessions)
            and back.vectors.keys() == whole.vectors.keys()
        )
        if same and whole.vectors:
            same = np.array_equal(_halves(back, list(whole.vectors)), _halves(whole, list(whole.vectors)))
        if not same:
            raise Permanent(
                f"sealed files of generation {generation} of person {user} do not read back as they were written; "
                "the graph is where it was, report this as a fault"
            )

    # -- reading --

    def _manifest(self, user: UserId, generation: int) -> _Manifest:
        path = _folder(user, generation) + MANIFEST
        sealed = self._blobs.get(path)
        if sealed is None:
            raise UnreadableFile(f"there is no set of sealed files {path}; another generation may be the living one")
        sections = _decoded(self._sealer.open_file(user, path, generation, sealed), path)
        (head,) = sections["manifest"]
        version, owner, number, revision, fingerprint, dimension, counts = head
        if version != FORMAT:
            raise SchemaMismatch(
                f"sealed file {path} has format {version}, this program knows {FORMAT}; install the newer release"
            )
        if (owner, number) != (user, generation):
            raise SealBroken(f"sealed file {path} is the manifest of another set; restore it from a backup")
        entries = tuple(_Entry(*row) for row in sections["files"])
        return _Manifest(Revision(*revision), fingerprint, dimension, counts, entries)

    def _whole(self, user: UserId, manifest: _Manifest, generation: int) -> WholeGraph:
        beside = _of(manifest.entries, SESSIONS)
        files = self._opened(user, [entry for entry in manifest.entries if entry not in beside], generation)
        # a set is whole with all its files, those too that the graph itself does not need
        self._each(lambda entry: self._listed(user, entry, generation), beside)
        nodes = sorted(_rows(files, "nodes", _NODES), key=_id_of_node)
        edges = {edge.id: edge for edge in _rows(files, "edges", _EDGES)}
        whole = WholeGraph(
            revision=manifest.revision,
            fingerprint=manifest.fingerprint,
            dimension=manifest.dimension,
            nodes={node.id: node for node in nodes},
            edges={each: edges[each] for each in sorted(edges)},
            acts=tuple(_rows(files, "acts", _ACTS)),
            renames={old: new for _path, sections in files for old, new in sections.get("renames", ())},
            vectors=_vectors(files, manifest.dimension),
            write_keys=tuple(_rows(files, "write_keys", _KEYS)),
            outbox=tuple(_rows(files, "outbox", _OUTBOX)),
        )
        found = {**manifest.counts, **_counts(whole, ())}
        found["sessions"] = manifest.counts["sessions"]
        if found != manifest.counts:
            raise SealBroken(
                f"sealed files {_folder(user, generation)} do not hold what their manifest counts; restore a backup"
            )
        return whole

    def _opened(self, user: UserId, entries: Sequence[_Entry], generation: int) -> list[tuple[str, Sections]]:
        """(path, its sections) of each file, in the manifest's order."""

        def content(entry: _Entry) -> tuple[str, bytes]:
            path, sealed = self._listed(user, entry, generation)
            return path, self._sealer.open_file(user, path, generation, sealed)

        return [(path, _decoded(data, path)) for path, data in self._each(content, entries)]

    def _listed(self, user: UserId, entry: _Entry, generation: int) -> tuple[str, bytes]:
        """The file's path and sealed bytes, which are the listed ones."""
        path = _folder(user, generation) + entry.name
        sealed = self._blobs.get(path)
        if sealed is None:
            raise SealBroken(f"sealed file {path} is missing; restore it from a backup")
        if len(sealed) != entry.size or hashlib.sha256(sealed).hexdigest() != entry.sha256:
            raise SealBroken(f"sealed file {path} is not the one its manifest lists; restore it from a backup")
        return path, sealed

    def _each(self, work: Callable[[T], R], items: Sequence[T]) -> list[R]:
        """``work`` on each, several at once: sealing, unsealing and waiting for a store leave the interpreter free."""
        if self._params.at_once < 2 or len(items) < 2:
            return [work(item) for item in items]
        with ThreadPoolExecutor(self._params.at_once, thread_name_prefix="sealed-files") as pool:
            return list(pool.map(work, items))


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Tens of thousands of values that hold no cycle come to stay at once; looking for cycles among them doubles the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _person(user: UserId) -> str:
    return f"{user[:2]}/{user}/"


def _folder(user: UserId, generation: int) -> str:
    return f"{_person(user)}{generation:012d}/"


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}.{number}"


def _of(entries: Sequence[_Entry], name: str) -> list[_Entry]:
    """The shards of a file."""
    return [entry for entry in entries if entry.name == name or entry.name.startswith(f"{name}.")]


def _id_of_node(node: Node) -> NodeId:
    return node.id


def _counts(whole: WholeGraph, sessions: Sequence[SessionTrace]) -> dict[str, int]:
    return {
        "nodes": len(whole.nodes),
        "edges": len(whole.edges),
        "acts": len(whole.acts),
        "renames": len(whole.renames),
        "vectors": len(whole.vectors),
        "write_keys": len(whole.write_keys),
        "outbox": len(whole.outbox),
        "sessions": len(sessions),
    }


def _traces(whole: WholeGraph) -> Iterator[list[Any]]:
    """[message, nodes that rest on its words], in order of message ids."""
    resting: dict[MessageId, list[NodeId]] = {}
    for node in whole.nodes.values():
        for message in dict.fromkeys(proof.span.message for proof in node.proofs):
            resting.setdefault(message, []).append(node.id)
    return ([message, sorted(resting[message])] for message in sorted(resting))


def _manifest_document(manifest: _Manifest, user: UserId, generation: int) -> Document:
    revision = [manifest.revision.epoch, manifest.revision.n]
    head = [FORMAT, user, generation, revision, manifest.fingerprint, manifest.dimension, dict(manifest.counts)]
    return {
        "manifest": [pack(head)],
        "files": [pack([entry.name, entry.size, entry.sha256]) for entry in manifest.entries],
    }


def _halves(whole: WholeGraph, ids: Sequence[NodeId]) -> NDArray[np.float16]:
    """These vectors as float16 rows.

    Raises:
        IllegalValue: one of another dimension, or with a number that float16 does not have.
    """
    vectors = [whole.vectors[each] for each in ids]
    if any(vector.shape != (whole.dimension,) for vector in vectors):
        raise IllegalValue(f"a vector is not of {whole.dimension} numbers; nothing was written")
    rows = np.stack(vectors)
    if not (np.abs(rows) <= _HALF_MAX).all():
        raise IllegalValue("a vector has a number beyond float16, or none; nothing was written")
    return rows.astype(np.float16)


def _vectors(files: Sequence[tuple[str, Sections]], dimension: int | None) -> dict[NodeId, NDArray[np.float32]]:
    found: dict[NodeId, NDArray[np.float32]] = {}
    for ids, text in chain.from_iterable(sections.get("vectors", ()) for _path, sections in files):
        block = np.frombuffer(base64.b64decode(text), dtype="<f2").reshape(len(ids), dimension or 0).astype(np.float32)
        found.update(zip(ids, block, strict=True))
    return {each: found[each] for each in sorted(found)}


def _decoded(content: bytes, path: str) -> Sections:
    try:
        return decode(content)
    except UnreadableFile:
        raise SealBroken(f"sealed file {path} opens and holds no rows that can be read; restore it from a backup") from None


def _rows(files: Sequence[tuple[str, Sections]], section: str, records: Records[T]) -> list[T]:
    """This section's values, of all files."""
    found: list[T] = []
    for path, sections in files:
        rows = sections.get(section)
        if rows:
            try:
                found += records.read(rows, dict(sections["layout"]))
            except (ValueError, TypeError, LookupError):
                raise SealBroken(f"sealed file {path} holds {section} that cannot be read; restore it from a backup") from None
    return found
