"""Where people live, what was asked for, who did what, receipts, and what was forgotten on purpose."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0005"
down_revision = "r0004"
branch_labels = None
depends_on = None

ID = sa.String(32)
NAME = sa.String(200)

MADE = ("forget_rules", "receipts", "audit", "requests", "placements")
SEALED = (
    ("people", "external_sealed"),
    ("message_versions", "sealed"),
    ("rounds", "sealed"),
    ("rounds", "sealed_vector"),
    ("staging", "sealed"),
    ("staging", "sealed_vectors"),
    ("next_vectors", "sealed"),
    ("residuals", "sealed"),
    ("decisions", "sealed"),
    ("actions", "sealed"),
    ("requests", "sealed"),
    ("audit", "sealed"),
    ("forget_rules", "sealed"),
)


def upgrade() -> None:
    """The tables, the time of each person's own newest message, and what was last formed of them."""
    op.add_column("people", sa.Column("formed", NAME))
    op.add_column("people", sa.Column("last_own_us", sa.BigInteger))
    op.execute(
        "UPDATE people SET last_own_us = (SELECT max(m.at_us) FROM messages m WHERE m.user_id = people.user_id "
        "AND m.role = 'user')"
    )
    op.add_column("message_versions", sa.Column("forgotten", sa.Integer))
    op.create_table(
        "placements",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("tier", sa.String(16)),
        sa.Column("shard", NAME),
        sa.Column("generation", sa.BigInteger, nullable=False),
        sa.Column("last_generation", sa.BigInteger, nullable=False),
        sa.Column("flipped_us", sa.BigInteger),
        sa.Column("last_us", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["people.user_id"], name="fk_placements_people"),
        sa.PrimaryKeyConstraint("user_id", name="pk_placements"),
    )
    # until now there was one store of graphs, and everybody lived in it
    op.execute(
        "INSERT INTO placements (user_id, tier, shard, generation, last_generation, last_us) "
        "SELECT user_id, 'hot', 'main', 0, 0, coalesce(last_own_us, created_us) FROM people"
    )
    op.create_index("ix_placements_tier_user_id_last_us", "placements", ["tier", "user_id", "last_us"])
    op.create_index("ix_placements_last_us", "placements", ["last_us"])
    op.create_index("ix_placements_shard_user_id", "placements", ["shard", "user_id"])
    op.create_table(
        "requests",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("request_id", ID, nullable=False),
        sa.Column("kind", NAME, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created_us", sa.BigInteger, nullable=False),
        sa.Column("created_offset", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("operator", NAME, nullable=False),
        sa.Column("holder", NAME, nullable=False),
        sa.Column("expires_us", sa.BigInteger, nullable=False),
        sa.Column("moved_us", sa.BigInteger, nullable=False),
        sa.Column("sealed", sa.LargeBinary),
        sa.ForeignKeyConstraint(["user_id"], ["people.user_id"], name="fk_requests_people"),
        sa.PrimaryKeyConstraint("user_id", "request_id", name="pk_requests"),
    )
    op.create_index("ix_requests_kind_state_created_us", "requests", ["kind", "state", "created_us"])
    op.create_index("ix_requests_state_created_us", "requests", ["state", "created_us"])
    op.create_table(
        "audit",
        sa.Column("seq", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("at_us", sa.BigInteger, nullable=False),
        sa.Column("at_offset", sa.Integer, nullable=False),
        sa.Column("operator", NAME, nullable=False),
        sa.Column("act", NAME, nullable=False),
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("details", sa.Text, nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.Column("sealed", sa.LargeBinary),
        sa.PrimaryKeyConstraint("seq", name="pk_audit"),
    )
    op.create_index("ix_audit_subject_seq", "audit", ["subject", "seq"])
    op.create_table(
        "receipts",
        sa.Column("receipt_id", NAME, nullable=False),
        sa.Column("user_id", ID),
        sa.Column("operation", NAME, nullable=False),
        sa.Column("at_us", sa.BigInteger, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("receipt_id", name="pk_receipts"),
    )
    op.create_index("ix_receipts_user_id_at_us", "receipts", ["user_id", "at_us"])
    op.create_table(
        "forget_rules",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("rule_id", NAME, nullable=False),
        sa.Column("made_us", sa.BigInteger, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["people.user_id"], name="fk_forget_rules_people"),
        sa.PrimaryKeyConstraint("user_id", "rule_id", name="pk_forget_rules"),
    )
    if op.get_bind().dialect.name == "postgresql":
        # statistics quote values, and would keep an erased person's envelopes; ciphertext does not compress
        for table, column in SEALED:
            op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS 0")
            op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STORAGE EXTERNAL")


def downgrade() -> None:
    """Back to r0004."""
    for table in MADE:
        op.drop_table(table)
    op.drop_column("people", "last_own_us")
    op.drop_column("people", "formed")
    op.drop_column("message_versions", "forgotten")
    if op.get_bind().dialect.name == "postgresql":
        for table, column in SEALED:
            if table not in MADE:
                op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS -1")
                op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STORAGE EXTENDED")
