"""The catalogue of rule sets, by kind. A variant is an entry of data in one of these files, and nothing else."""

from typing import Final

from engine.catalogue import block_and_draw, crosses, partners, penalties, points_in_play, source_games, wins
from engine.rulesets import Ruleset

_KINDS: Final = (source_games, block_and_draw, points_in_play, crosses, partners, wins, penalties)

RULESETS: Final[dict[str, Ruleset]] = {ruleset.id: ruleset for kind in _KINDS for ruleset in kind.RULESETS}
"""Every rule set, by its id."""
