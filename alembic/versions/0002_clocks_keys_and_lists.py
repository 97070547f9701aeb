"""Clocks, idempotency keys and the list of matches.

Revision: 0002, after 0001
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    # Matches from before have no clock and are not listed. Their snapshots are of format 1: they are made anew, status
    # included, by the first call that moves.
    op.add_column("matches", sa.Column("format", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("matches", sa.Column("status", sa.String(), nullable=False, server_default="playing"))
    op.add_column("matches", sa.Column("listed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("matches", sa.Column("deadline", sa.DateTime(timezone=True), nullable=True))
    for column in ("format", "status", "listed"):
        op.alter_column("matches", column, server_default=None)
    op.create_index("matches_due", "matches", ["deadline"], postgresql_where=sa.text("deadline IS NOT NULL"))
    op.create_index("matches_listed", "matches", ["id"], postgresql_where=sa.text("listed"))
    op.create_index("matches_listed_by_status", "matches", ["status", "id"], postgresql_where=sa.text("listed"))
    op.create_table(
        "receipts",
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("call", sa.LargeBinary(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("first_seq", sa.BigInteger(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "call"),
    )
    op.create_table(
        "creations",
        sa.Column("call", sa.LargeBinary(), nullable=False),
        sa.Column("match_id", sa.Uuid(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("call"),
    )


def downgrade() -> None:
    op.drop_table("creations")
    op.drop_table("receipts")
    op.drop_index("matches_listed_by_status", table_name="matches")
    op.drop_index("matches_listed", table_name="matches")
    op.drop_index("matches_due", table_name="matches")
    for column in ("deadline", "listed", "status", "format"):
        op.drop_column("matches", column)
