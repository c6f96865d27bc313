"""Calls to a model: counts, tokens and seconds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0003"
down_revision = "r0002"
branch_labels = None
depends_on = None

ID = sa.String(32)
NAME = sa.String(200)


def upgrade() -> None:
    """Calls to a model: counts, tokens and seconds."""
    op.create_table(
        "model_calls",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("call_id", ID, nullable=False),
        sa.Column("job", NAME, nullable=False),
        sa.Column("job_version", NAME, nullable=False),
        sa.Column("model", NAME, nullable=False),
        sa.Column("at_us", sa.BigInteger, nullable=False),
        sa.Column("outcome", sa.String(64), nullable=False),
        sa.Column("requests", sa.Integer, nullable=False),
        sa.Column("malformed", sa.Integer, nullable=False),
        sa.Column("rejected", sa.Integer, nullable=False),
        sa.Column("left_out", sa.Integer, nullable=False),
        sa.Column("prompt_tokens", sa.BigInteger, nullable=False),
        sa.Column("answer_tokens", sa.BigInteger, nullable=False),
        sa.Column("took_us", sa.BigInteger, nullable=False),
        sa.Column("first_try", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "call_id", name="pk_model_calls"),
        sa.ForeignKeyConstraint(["user_id"], ["people.user_id"], name="fk_model_calls_people"),
    )
    op.create_index("ix_model_calls_at_us", "model_calls", ["at_us"])
    op.create_index("ix_model_calls_user_id_at_us", "model_calls", ["user_id", "at_us"])


def downgrade() -> None:
    """Back to r0002."""
    op.drop_table("model_calls")
