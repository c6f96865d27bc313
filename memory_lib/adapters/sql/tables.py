"""The ledger's tables (DESIGN §3; CONTRACTS, Sealing and keys).

In clear: internal ids, roles, times, offsets, keyed hashes of texts and rounds, fingerprints, counts. What a person said, and
every name of theirs, lies in ``sealed`` columns. Times are microseconds since 1970 in UTC, offsets minutes. ``migrations``
makes what is described here; a test compares the two.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

REVISION = "r0005"
"""The newest migration; the ledger is opened without Alembic where the database says the same."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ID = String(32)
"""An id or keyed hash: 32 hex digits."""
NAME = String(200)
"""A name given by the code: a reasoner, a version, a lease's holder, a unit."""

deployment = Table(
    "deployment",
    metadata,
    Column("name", NAME, primary_key=True),
    Column("value", String(200), nullable=False),
)

people = Table(
    "people",
    metadata,
    Column("user_id", ID, primary_key=True),
    Column("external_tag", String(64), nullable=False),
    Column("external_sealed", LargeBinary, nullable=False),
    Column("created_us", BigInteger, nullable=False),
    Column("created_offset", Integer, nullable=False),
    Column("log_version", BigInteger, nullable=False),
    Column("messages", BigInteger, nullable=False),
    Column("last_message_us", BigInteger),
    Column("last_message_offset", Integer),
    # the event time of the person's own newest message: what tiers go by, whatever assistants said since
    Column("last_own_us", BigInteger),
    # log version and code that the graph was last formed of: who differs has news
    Column("formed", NAME),
    Column("fingerprint", String(200)),
    UniqueConstraint("external_tag"),
)

messages = Table(
    "messages",
    metadata,
    Column("user_id", ID, ForeignKey("people.user_id"), primary_key=True),
    Column("message_id", ID, primary_key=True),
    Column("conversation", ID, nullable=False),
    Column("session", ID),
    Column("role", String(16), nullable=False),
    Column("at_us", BigInteger, nullable=False),
    Column("at_offset", Integer, nullable=False),
    Column("text_version", ID, nullable=False),
    Index(None, "user_id", "at_us", "message_id"),
    Index(None, "user_id", "role", "at_us"),
    Index(None, "user_id", "conversation", "at_us"),
)

message_versions = Table(
    "message_versions",
    metadata,
    Column("user_id", ID, primary_key=True),
    Column("message_id", ID, primary_key=True),
    Column("text_version", ID, primary_key=True),
    Column("recorded_us", BigInteger, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    # 1 where the words of this text were forgotten: it was seen, and is read no more
    Column("forgotten", Integer),
    ForeignKeyConstraint(["user_id", "message_id"], ["messages.user_id", "messages.message_id"]),
)

rounds = Table(
    "rounds",
    metadata,
    Column("user_id", ID, ForeignKey("people.user_id"), primary_key=True),
    Column("message_id", ID, primary_key=True),
    Column("round_id", String(64), nullable=False),
    Column("fingerprint", String(200)),
    Column("dimension", Integer),
    Column("sealed", LargeBinary, nullable=False),
    Column("sealed_vector", LargeBinary),
    # what is asked of every round at every ingest, without touching the vectors
    Index("ix_rounds_have", "user_id", "message_id", "round_id", "fingerprint"),
)

staging = Table(
    "staging",
    metadata,
    Column("user_id", ID, ForeignKey("people.user_id"), primary_key=True),
    Column("unit_id", NAME, primary_key=True),
    Column("reasoner", NAME, primary_key=True),
    Column("version", NAME, primary_key=True),
    Column("candidates", Integer, nullable=False),
    Column("fingerprint", String(200)),
    Column("dimension", Integer),
    Column("sealed", LargeBinary, nullable=False),
    Column("sealed_vectors", LargeBinary),
)

# made ahead for the next embedder; an envelope is moved to its place as it is, so ``record`` is what it was sealed under
next_vectors = Table(
    "next_vectors",
    metadata,
    Column("user_id", ID, ForeignKey("people.user_id"), primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("record", String(640), primary_key=True),
    Column("fingerprint", String(200), nullable=False),
    Column("dimension", Integer, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
)

# ids, names of jobs and numbers: no word that was sent or came back
model_calls = Table(
    "model_calls",
    metadata,
    Column("user_id", ID, ForeignKey("people.user_id"), primary_key=True),
    Column("call_id", ID, primary_key=True),
    Column("job", NAME, nullable=False),
    Column("job_version", NAME, nullable=False),
    Column("model", NAME, nullable=False),
    Column("at_us", BigInteger, nullable=False),
    Column("outcome", String(64), nullable=False),
    Column("requests", Integer, nullable=False),
    Column("malformed", Integer, nullable=False),
    Column("rejected", Integer, nullable=False),
    Column("left_out", Integer, nullable=False),
    Column("prompt_tokens", BigInteger, nullable=False),
    Column("answer_tokens", BigInteger, nullable=False),
    Column("took_us", BigInteger, nullable=False),
    Column("first_try", Integer, nullable=False),
    Index(None, "at_us"),
    Index(None, "user_id", "at_us"),
)

residuals = Table(
    "residuals",
    metadata,
    Column("user_id", ID, ForeignKey("people.user_id"), primary_key=True),
    Column("unit_id", NAME, primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("message_id", ID, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    Index(None, "user_id", "message_id"),
)

decisions = Table(
    "decisions",
    metadata,
    Column("user_id", ID, ForeignKey("people.user_id"), primary_key=True),
    Column("decision_key", ID, primary_key=True),
    Column("judge", NAME, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
)

leases = Table(
    "leases",
    metadata,
    Column("user_id", ID, ForeignKey("people.user_id"), primary_key=True),
    Column("kind", NAME, primary_key=True),
    Column("token", BigInteger, nullable=False),
    Column("holder", NAME, nullable=False),
    Column("granted_us", BigInteger, nullable=False),
    Column("expires_us", BigInteger, nullable=False),
)

actions = Table(
    "actions",
    metadata,
    Column("user_id", ID, ForeignKey("people.user_id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("write_key", String(600), nullable=False),
    Column("position", Integer, nullable=False),
    Column("recorded_us", BigInteger, nullable=False),
    Column("recorded_offset", Integer, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    UniqueConstraint("user_id", "write_key", "position"),
)

# ``tier`` and ``shard`` are empty where the person has no place yet and a set of files was numbered. ``last_us``: of
# people.last_own_us, or when they became known; beside the tier, so that who is silent is read off one index
placements = Table(
    "placements",
    metadata,
    Column("user_id", ID, ForeignKey("people.user_id"), primary_key=True),
    Column("tier", String(16)),
    Column("shard", NAME),
    Column("generation", BigInteger, nullable=False),
    Column("last_generation", BigInteger, nullable=False),
    Column("flipped_us", BigInteger),
    Column("last_us", BigInteger, nullable=False),
    Index(None, "tier", "user_id", "last_us"),
    Index(None, "last_us"),
    Index(None, "shard", "user_id"),
)

requests = Table(
    "requests",
    metadata,
    Column("user_id", ID, ForeignKey("people.user_id"), primary_key=True),
    Column("request_id", ID, primary_key=True),
    Column("kind", NAME, nullable=False),
    Column("state", String(16), nullable=False),
    Column("created_us", BigInteger, nullable=False),
    Column("created_offset", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("operator", NAME, nullable=False),
    Column("holder", NAME, nullable=False),
    Column("expires_us", BigInteger, nullable=False),
    Column("moved_us", BigInteger, nullable=False),
    Column("sealed", LargeBinary),
    Index(None, "kind", "state", "created_us"),
    Index(None, "state", "created_us"),
)

# outlives the person: ``subject`` is a keyed pseudonym, and only the reason is sealed with the person's key
audit = Table(
    "audit",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at_us", BigInteger, nullable=False),
    Column("at_offset", Integer, nullable=False),
    Column("operator", NAME, nullable=False),
    Column("act", NAME, nullable=False),
    Column("subject", String(64), nullable=False),
    Column("details", Text, nullable=False),
    Column("chain", String(64), nullable=False),
    Column("sealed", LargeBinary),
    Index(None, "subject", "seq"),
)

# no reference to people: one without a user outlives whom it speaks of
receipts = Table(
    "receipts",
    metadata,
    Column("receipt_id", NAME, primary_key=True),
    Column("user_id", ID),
    Column("operation", NAME, nullable=False),
    Column("at_us", BigInteger, nullable=False),
    Column("record", Text, nullable=False),
    Index(None, "user_id", "at_us"),
)

forget_rules = Table(
    "forget_rules",
    metadata,
    Column("user_id", ID, ForeignKey("people.user_id"), primary_key=True),
    Column("rule_id", NAME, primary_key=True),
    Column("made_us", BigInteger, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
)
