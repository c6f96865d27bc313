"""An opened memory: what programs and commands call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from memory_lib import plans
from memory_lib.adapters.importers.jsonl import record_from
from memory_lib.adapters.importers.open_export import AUTO, read_export
from memory_lib.adapters.importers.report import ImportReport
from memory_lib.adapters.person_views import CachedPersonViews
from memory_lib.adapters.quarantine import Quarantine
from memory_lib.domain.acts import ActKind
from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.canonical import graph_hash
from memory_lib.domain.ids import MessageId, NodeId, UserId
from memory_lib.domain.message import SourceMessage
from memory_lib.domain.recall import Context
from memory_lib.domain.time import from_us
from memory_lib.errors import UnknownUser
from memory_lib.operations.bench import OpsBench
from memory_lib.operations.correct import corrected
from memory_lib.plans import PlanRun, Workbench
from memory_lib.ports.embedder import Embedder
from memory_lib.ports.keys import Keyring
from memory_lib.ports.thinker import Thinker
from memory_lib.reasoning.jobs.job import OfflineThinker
from memory_lib.settings import Settings
from memory_lib.usecases.correct import Corrected
from memory_lib.usecases.import_messages import Imported, import_messages
from memory_lib.usecases.recall import THE_PERSON, Reader, recall
from memory_lib.usecases.reembed import to_reembed
from memory_lib.usecases.show import show
from memory_lib.usecases.why import WhyPorts, why_message, why_node

LAST = "last"
"""``now="last"``: the person's last message + 1 h (CONTRACTS, Time and weight)."""


class TokenCounts:
    """A text's own tokens, as the sum over its words: the tokenizer never joins words, and words come again. Thread-safe.

    Keeps the counts of ``kept`` words, then forgets all of them.
    """

    def __init__(self, embedder: Embedder, *, kept: int) -> None:
        self._embedder = embedder
        self._kept = kept
        self._counts: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        counts = self._counts
        total = 0
        for word in text.split():
            count = counts.get(word)
            if count is None:
                count = self._embedder.count_tokens(word)
                if len(counts) >= self._kept:
                    self._counts = counts = {}
                counts[word] = count
            total += count
        return total


@dataclass(frozen=True, slots=True)
class Memory:
    """An opened memory. People are named by their external ids here; everything below knows internal ids only. ``ops``: what
    operations on people work with (``memory_lib.operations``).

    Use it as a context manager, or call ``close``.
    """

    settings: Settings
    bench: Workbench
    ops: OpsBench
    views: CachedPersonViews
    keyring: Keyring
    quarantine: Quarantine
    count_tokens: Callable[[str], int]
    thinker: Thinker
    _closing: tuple[Callable[[], None], ...]

    # -- taking in ----------------------------------------------------------------------

    def add(self, user: str, messages: Iterable[Mapping[str, Any] | SourceMessage]) -> Imported:
        """Put messages of one person on record and form memories of them.

        A mapping has the fields of the project's JSONL format (``role``, ``text``, ``time`` …). Without a ``conversation`` it
        belongs to one called "default"; without an ``id`` it is known by its time, role and words, so adding it again adds
        nothing.

        Raises:
            InvalidInput: a message that lacks a field or has a wrong value; nothing is written then.
        """
        records = [m if isinstance(m, SourceMessage) else record_from(self._named(m), user=user) for m in messages]
        imported = self.take_in(records, source="add")
        self.run("ingest", imported.people)
        return imported

    def _named(self, message: Mapping[str, Any]) -> dict[str, Any]:
        said = [str(message.get(field)) for field in ("time", "role", "text")]
        return {"conversation": "default", "id": self.bench.id_key.hash("said", *said), **message}

    def take_in(self, records: Iterable[Any], *, source: str) -> Imported:
        """Messages to the ledger, bad records to quarantine; forms nothing yet (``run`` does)."""
        return import_messages(
            records,
            source=source,
            people=self.bench.people,
            log=self.bench.log,
            quarantine=self.quarantine,
            id_key=self.bench.id_key,
            clock=self.bench.clock,
            params=self.settings.importing,
        )

    def import_export(
        self,
        path: Path,
        *,
        format: str = AUTO,  # noqa: A002 - the name of the command line option
        user: str | None = None,
        me: str | None = None,
        first_person_only: bool = False,
        report: ImportReport | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> Imported:
        """An export of any supported format to the ledger (see ``read_export``); forms nothing yet.

        Raises:
            UnreadableFile, AmbiguousOwner: the file is refused before anything is written.
        """
        records = read_export(
            path, format=format, user=user, me=me, report=report, on_progress=on_progress, first_person_only=first_person_only
        )
        return self.take_in(records, source=path.name)

    def run(
        self, plan: str, users: Sequence[UserId], *, progress: Callable[[str, int], None] = lambda _step, _count: None
    ) -> PlanRun:
        """Walk a plan (``ingest``, ``fade``, ``reembed``) for these people, without Prefect. Raises the first error met, after
        all is done.
        """
        return plans.run(plans.PLANS[plan], self.bench, users, workers=self.settings.workers, progress=progress).or_raise()

    def to_reembed(self, users: Sequence[UserId]) -> int:
        """How many vectors the plan ``reembed`` would make for these people."""
        bench = self.bench
        return sum(
            to_reembed(
                user,
                next_vectors=bench.next_vectors,
                next_nodes=bench.next_nodes,
                reasoner=bench.reasoner,
                embedder=bench.embedder,
            )
            for user in users
        )

    # -- people -------------------------------------------------------------------------

    def user_id(self, user: str) -> UserId:
        """The internal id. Raises UnknownUser."""
        found = self.bench.people.find(user)
        if found is None:
            raise UnknownUser(
                "nobody by that name in this home; selfimprint show --all lists the people, import brings new ones"
            )
        return found

    def user_ids(self) -> tuple[UserId, ...]:
        """Everybody's internal id, in order."""
        found: list[UserId] = []
        while page := self.bench.people.everyone(after=found[-1] if found else None):
            found += page
        return tuple(found)

    def users(self) -> tuple[str, ...]:
        """Everybody's external name, sorted."""
        return tuple(sorted(self.bench.people.external(user) for user in self.user_ids()))

    # -- asking -------------------------------------------------------------------------

    def instant(self, user: UserId, when: datetime | str | None) -> datetime:
        """``None``: the clock; ``"last"``: the person's last message + 1 h; else the instant given."""
        if isinstance(when, datetime):
            return when
        if when == LAST:
            person = self.bench.people.person(user)
            if person.last_message_us is not None:
                return from_us(person.last_message_us, person.last_message_offset or 0) + timedelta(hours=1)
        return self.bench.clock.now()

    def ask(
        self,
        user: str,
        text: str,
        *,
        now: datetime | str | None = None,
        as_of: datetime | None = None,
        explain: bool = False,
        reader: Reader = THE_PERSON,
    ) -> Context:
        """What an assistant should know before it answers ``text``. Raises UnknownUser."""
        ident = self.user_id(user)
        view = self.views.view(ident) if as_of is None else self.views.as_of(ident, as_of)
        return recall(
            view,
            text,
            now=as_of if as_of is not None else self.instant(ident, now),
            views=self.views,
            embedder=self.bench.embedders.of(view.person.fingerprint),
            graph_embedder=self.bench.embedders.of(view.graph.fingerprint),
            count=self.count_tokens,
            params=self.settings.recall_params(),
            reader=reader,
            explain=explain,
            thinker=None if isinstance(self.thinker, OfflineThinker) else self.thinker,
            compose_s=self.settings.model.compose_ms / 1000,
        )

    def show(
        self,
        user: str,
        *,
        now: datetime | str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        live: bool = False,
    ) -> dict[str, Any]:
        """The person's graph in the shape of CONTRACTS: ``{user, nodes, edges}``. Raises UnknownUser."""
        ident = self.user_id(user)
        return show(
            ident,
            people=self.bench.people,
            log=self.bench.log,
            graph=self.bench.reader,
            params=self.settings.show_params(),
            now=self.instant(ident, now),
            as_of=as_of,
            known_at=known_at,
            live=live,
        )

    def correct(self, user: str, node: str, kind: ActKind, *, field: str | None = None, value: str | None = None) -> Corrected:
        """Pin, unpin, mark wrong, or set a field of a node; who rests in files comes back into a store first.

        Raises UnknownUser, UnknownNode, UnknownSetting.
        """
        return corrected(self.ops, self.user_id(user), NodeId(node), kind, field=field, value=value)

    def why(self, user: str, *, node: str | None = None, message: str | None = None) -> dict[str, Any]:
        """Why a node is believed, or what rests on a message (``usecases.why``). Raises UnknownUser, UnknownNode,
        UnknownMessage.
        """
        ident, bench = self.user_id(user), self.bench
        ports = WhyPorts(
            people=bench.people,
            log=bench.log,
            graph=bench.reader,
            action_log=bench.action_log,
            residuals=bench.residuals,
            id_key=bench.id_key,
        )
        params = self.settings.why_params()
        if message is not None:
            return why_message(ident, MessageId(message), ports=ports, params=params)
        return why_node(ident, NodeId(node or ""), ports=ports, params=params, now=self.instant(ident, None))

    def chains(self, user: str, edge_type: EdgeType, *, min_length: int, limit: int) -> tuple[tuple[NodeId, ...], ...]:
        """Maximal chains along one type of edge, longest first. Raises UnknownUser."""
        ident = self.user_id(user)
        return self.bench.reader.chains(ident, edge_type=edge_type, min_length=min_length, limit=limit)

    def graph_hash(self, user: str) -> str:
        """Whether two homes believe the same (CONTRACTS, Writing). Raises UnknownUser."""
        stored = self.bench.reader.load(self.user_id(user))
        return graph_hash(stored.nodes.values(), stored.edges.values())

    def reap(self) -> int:
        """Takes away what killed writers of sealed files left (temporary files, uploads that nobody ends), and quarantined
        records and exports whose time is over; how many. Nightly.

        Raises Transient where a place does not answer.
        """
        now, ops = self.bench.clock.now(), self.ops
        gone = self.quarantine.expire(now=now)
        if ops.exchange is not None:
            gone += ops.exchange.exports.expire(before=now - timedelta(days=self.settings.exports_kept_days))
        begun = now - timedelta(hours=self.settings.reaped_after_h)
        return gone + sum(blobs.reap(older_than=begun) for blobs in ops.blobs.values())

    # -- closing ------------------------------------------------------------------------

    def close(self) -> None:
        for close in self._closing:
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
