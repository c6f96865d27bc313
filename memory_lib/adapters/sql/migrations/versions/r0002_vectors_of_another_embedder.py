"""Vectors made for the next embedder while the old ones still serve, and by whose a person is served."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0002"
down_revision = "r0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A table for what is made ahead; a person is served by the embedder that most of their rounds have vectors of."""
    op.create_table(
        "next_vectors",
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("record", sa.String(640), nullable=False),
        sa.Column("fingerprint", sa.String(200), nullable=False),
        sa.Column("dimension", sa.Integer, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "kind", "record", name="pk_next_vectors"),
        sa.ForeignKeyConstraint(["user_id"], ["people.user_id"], name="fk_next_vectors_people"),
    )
    op.add_column("people", sa.Column("fingerprint", sa.String(200)))
    op.execute(
        "UPDATE people SET fingerprint = (SELECT r.fingerprint FROM rounds r WHERE r.user_id = people.user_id AND "
        "r.fingerprint IS NOT NULL GROUP BY r.fingerprint ORDER BY count(*) DESC, r.fingerprint LIMIT 1)"
    )


def downgrade() -> None:
    """Back to r0001."""
    op.drop_column("people", "fingerprint")
    op.drop_table("next_vectors")
