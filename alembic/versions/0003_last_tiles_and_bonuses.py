"""Last tiles by condition and factor, and bonuses.

Revision: 0003, after 0002
"""

from collections.abc import Sequence

from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    # What a last tile does was one parameter, its condition, and the factor was always two. No hand had a bonus.
    op.execute(
        """
        UPDATE matches SET setup = jsonb_set(setup::jsonb, '{rules}', (setup::jsonb->'rules') - 'last_tile_doubles'
            || jsonb_build_object(
                'last_tile', setup::jsonb->'rules'->'last_tile_doubles',
                'last_tile_factor', CASE setup::jsonb->'rules'->>'last_tile_doubles' WHEN 'never' THEN 1 ELSE 2 END
            ))
        WHERE setup::jsonb->'rules' ? 'last_tile_doubles'
        """
    )
    op.execute(
        """
        UPDATE events SET event = jsonb_set(event::jsonb, '{result,bonus}', '0')
        WHERE event::jsonb->>'type' = 'hand_ended'
        """
    )


def downgrade() -> None:
    op.execute(
        """
        UPDATE matches SET setup = jsonb_set(setup::jsonb, '{rules}', (setup::jsonb->'rules') - 'last_tile'
            - 'last_tile_factor' || jsonb_build_object('last_tile_doubles', setup::jsonb->'rules'->'last_tile'))
        WHERE setup::jsonb->'rules' ? 'last_tile'
        """
    )
    op.execute("UPDATE events SET event = event::jsonb #- '{result,bonus}' WHERE event::jsonb->>'type' = 'hand_ended'")
