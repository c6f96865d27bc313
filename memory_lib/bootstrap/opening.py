"""Ports put together from settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from memory_lib.adapters.embeddings.known import KnownEmbedders
from memory_lib.adapters.graph_routing.routing import routing_of
from memory_lib.adapters.keys.sealing import AesGcmSealer
from memory_lib.adapters.llm.asking import ModelThinker
from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.adapters.person_views import Away, AwayParams, CachedPersonViews
from memory_lib.adapters.quarantine import Quarantine
from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.adapters.sql.tables import REVISION as LEDGER_SCHEMA
from memory_lib.adapters.sqlite import schema as graph_schema
from memory_lib.adapters.write_turns import LeasedTurns
from memory_lib.bootstrap.clocks import WallClock
from memory_lib.bootstrap.embedders import embedders_of
from memory_lib.bootstrap.memory import Memory, TokenCounts
from memory_lib.bootstrap.operating import bury_again, file_sealer_of, ops_of
from memory_lib.bootstrap.stores import blobs_of, files_of, keyring_of, ledger_url_of, shards_of
from memory_lib.bootstrap.thinkers import judge_of, reasoner_of, thinker_of
from memory_lib.plans import Tiers, Workbench
from memory_lib.ports.clock import Clock
from memory_lib.ports.embedder import Embedder
from memory_lib.ports.keys import Keyring, Sealer
from memory_lib.ports.parser import Parser
from memory_lib.ports.placement_judge import PlacementJudge
from memory_lib.ports.reasoner import Reasoner
from memory_lib.ports.thinker import Thinker
from memory_lib.settings import Settings
from memory_lib.usecases.rehydrate import ask_back


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
    keyring = keyring_of(settings)
    seals: Sealer = sealer(keyring) if sealer is not None else AesGcmSealer(keyring, params=settings.keyring)
    clock = clock if clock is not None else WallClock()
    ledger = Ledger(ledger_url_of(settings), seals, keyring, params=settings.ledger)
    write_turn = LeasedTurns(ledger.leases, clock, params=settings.write_turns)
    file_sealer = file_sealer_of(settings, keyring)
    shards, blobs = shards_of(settings, seals, keyring), blobs_of(settings)
    files = files_of(settings, blobs, file_sealer)
    routing = routing_of(
        shards=shards,
        files=files,
        placements=ledger.placements,
        leases=ledger.leases,
        write_turn=write_turn,
        log=ledger.messages,
        keys=keyring,
        clock=clock,
        tiers=settings.tiers,
        sharding=settings.sharding,
        sessions=settings.sessions,
    )
    graph = routing.graph
    embedders = embedders_of(settings) if embedder is None else KnownEmbedders(embedder, former_embedders)
    parser = parser if parser is not None else BilingualParser(max_characters=settings.parsed_characters)
    thinker = thinker_of(settings, ledger.model_book, clock) if thinker is None else thinker
    reasoner = reasoner if reasoner is not None else reasoner_of(settings, parser, thinker)
    bench = Workbench(
        people=ledger.people,
        log=ledger.messages,
        rounds=ledger.rounds,
        staging=ledger.staging,
        residuals=ledger.residuals,
        decisions=ledger.decisions,
        forgetting=ledger.forgetting,
        next_vectors=ledger.next_vectors,
        action_log=ledger.actions,
        reader=graph,
        writer=graph,
        rebuilder=graph,
        next_nodes=graph,
        outbox=graph,
        write_turn=write_turn,
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
        forget=settings.forgetting,
        correct=settings.correct_params(),
        reset=settings.reset_params(),
        undo=settings.undo_params(),
        judge=judge if judge is not None else judge_of(settings, thinker),
        tiers=Tiers(
            mover=routing.mover,
            placements=ledger.placements,
            requests=ledger.requests,
            silence=settings.tiers.silence,
            attempts=settings.tiers.attempts,
            page=settings.tiers.page,
            claim_s=settings.tiers.claim_s,
        ),
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
        away=Away(
            whereabouts=graph,
            on_away=lambda user: ask_back(user, requests=ledger.requests, clock=clock),
            params=AwayParams(unseal_wait_s=settings.tiers.unseal_wait_s, ask_again_s=settings.tiers.ask_again_s),
        ),
    )
    quarantine = Quarantine(root, keyring, params=settings.quarantine)
    ops = ops_of(
        settings,
        work=bench,
        keyring=keyring,
        sealer=seals,
        file_sealer=file_sealer,
        ledger=ledger,
        shards=shards,
        blobs=blobs,
        files=files,
        views=views,
        quarantine=quarantine,
        forget_opened=routing.opened.forget,
    )
    bury_again(ops, ledger)
    return Memory(
        settings=settings,
        bench=bench,
        ops=ops,
        views=views,
        keyring=keyring,
        quarantine=quarantine,
        count_tokens=TokenCounts(embedders.current, kept=settings.counted_words),
        thinker=thinker,
        _closing=(*((thinker.close,) if isinstance(thinker, ModelThinker) else ()), graph.close, ledger.close),
    )


def versions() -> Mapping[str, str]:
    """What this installation writes: ``ledger`` and ``graph`` (a person's file) schemas, and the version of ``sqlite``."""
    return {"ledger": LEDGER_SCHEMA, "graph": str(graph_schema.VERSION), "sqlite": graph_schema.SQLITE}
