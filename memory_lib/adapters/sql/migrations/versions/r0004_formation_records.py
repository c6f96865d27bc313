"""Residuals and decisions of formation."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0004"
down_revision = "r0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Mentions that became nothing, and answers about placements; both sealed."""
    op.create_table(
        "residuals",
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("unit_id", sa.String(200), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("message_id", sa.String(32), nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["people.user_id"], name="fk_residuals_people"),
        sa.PrimaryKeyConstraint("user_id", "unit_id", "place", name="pk_residuals"),
    )
    op.create_index("ix_residuals_user_id_message_id", "residuals", ["user_id", "message_id"])
    op.create_table(
        "decisions",
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("decision_key", sa.String(32), nullable=False),
        sa.Column("judge", sa.String(200), nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["people.user_id"], name="fk_decisions_people"),
        sa.PrimaryKeyConstraint("user_id", "decision_key", name="pk_decisions"),
    )


def downgrade() -> None:
    """Back to r0003."""
    op.drop_table("decisions")
    op.drop_table("residuals")
