"""The ledger's first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.String(32)
NAME = sa.String(200)


def upgrade() -> None:
    """Every table of the first ledger."""
    op.create_table(
        "deployment",
        sa.Column("name", NAME, nullable=False),
        sa.Column("value", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_deployment"),
    )
    op.create_table(
        "people",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("external_tag", sa.String(64), nullable=False),
        sa.Column("external_sealed", sa.LargeBinary, nullable=False),
        sa.Column("created_us", sa.BigInteger, nullable=False),
        sa.Column("created_offset", sa.Integer, nullable=False),
        sa.Column("log_version", sa.BigInteger, nullable=False),
        sa.Column("messages", sa.BigInteger, nullable=False),
        sa.Column("last_message_us", sa.BigInteger),
        sa.Column("last_message_offset", sa.Integer),
        sa.PrimaryKeyConstraint("user_id", name="pk_people"),
        sa.UniqueConstraint("external_tag", name="uq_people_external_tag"),
    )
    op.create_table(
        "messages",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("message_id", ID, nullable=False),
        sa.Column("conversation", ID, nullable=False),
        sa.Column("session", ID),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("at_us", sa.BigInteger, nullable=False),
        sa.Column("at_offset", sa.Integer, nullable=False),
        sa.Column("text_version", ID, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "message_id", name="pk_messages"),
        sa.ForeignKeyConstraint(["user_id"], ["people.user_id"], name="fk_messages_people"),
    )
    op.create_index("ix_messages_user_id_at_us_message_id", "messages", ["user_id", "at_us", "message_id"])
    op.create_index("ix_messages_user_id_role_at_us", "messages", ["user_id", "role", "at_us"])
    op.create_index("ix_messages_user_id_conversation_at_us", "messages", ["user_id", "conversation", "at_us"])
    op.create_table(
        "message_versions",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("message_id", ID, nullable=False),
        sa.Column("text_version", ID, nullable=False),
        sa.Column("recorded_us", sa.BigInteger, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "message_id", "text_version", name="pk_message_versions"),
        sa.ForeignKeyConstraint(
            ["user_id", "message_id"], ["messages.user_id", "messages.message_id"], name="fk_message_versions_messages"
        ),
    )
    op.create_table(
        "rounds",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("message_id", ID, nullable=False),
        sa.Column("round_id", sa.String(64), nullable=False),
        sa.Column("fingerprint", sa.String(200)),
        sa.Column("dimension", sa.Integer),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("sealed_vector", sa.LargeBinary),
        sa.PrimaryKeyConstraint("user_id", "message_id", name="pk_rounds"),
        sa.ForeignKeyConstraint(["user_id"], ["people.user_id"], name="fk_rounds_people"),
    )
    op.create_index("ix_rounds_have", "rounds", ["user_id", "message_id", "round_id", "fingerprint"])
    op.create_table(
        "staging",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("unit_id", NAME, nullable=False),
        sa.Column("reasoner", NAME, nullable=False),
        sa.Column("version", NAME, nullable=False),
        sa.Column("candidates", sa.Integer, nullable=False),
        sa.Column("fingerprint", sa.String(200)),
        sa.Column("dimension", sa.Integer),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("sealed_vectors", sa.LargeBinary),
        sa.PrimaryKeyConstraint("user_id", "unit_id", "reasoner", "version", name="pk_staging"),
        sa.ForeignKeyConstraint(["user_id"], ["people.user_id"], name="fk_staging_people"),
    )
    op.create_table(
        "leases",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("kind", NAME, nullable=False),
        sa.Column("token", sa.BigInteger, nullable=False),
        sa.Column("holder", NAME, nullable=False),
        sa.Column("granted_us", sa.BigInteger, nullable=False),
        sa.Column("expires_us", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "kind", name="pk_leases"),
        sa.ForeignKeyConstraint(["user_id"], ["people.user_id"], name="fk_leases_people"),
    )
    op.create_table(
        "actions",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("write_key", sa.String(600), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("recorded_us", sa.BigInteger, nullable=False),
        sa.Column("recorded_offset", sa.Integer, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "seq", name="pk_actions"),
        sa.UniqueConstraint("user_id", "write_key", "position", name="uq_actions_user_id_write_key_position"),
        sa.ForeignKeyConstraint(["user_id"], ["people.user_id"], name="fk_actions_people"),
    )


def downgrade() -> None:
    """Back to an empty database."""
    for table in ("actions", "leases", "staging", "rounds", "message_versions", "messages", "people", "deployment"):
        op.drop_table(table)
