"""What each move is worth to a seat, by all that it can know: what the expert plays by, and what hints say.

Deals of the hidden tiles are drawn by `inference`, each as likely as it is, and weighed by how likely the others' plays
were with them: players have habits. They are then played on through one tree (`kernel.tree`) or, once so few tiles are
left that little is hidden, by perfect play of all sides. All budgets are counts, so that what is found repeats on any
machine.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.kernel import tree
from engine.kernel.habits import FEATURES, Floats, likelihoods, record
from engine.kernel.plan import Ints, Plan, plan_of
from engine.kernel.position import Positions, code_of
from engine.kernel.search import UNKNOWN, solve
from engine.kernel.seen import state_seen, with_deals
from engine.kernel.tree import Budget, grow
from engine.layout import suits
from engine.moves import Turn
from engine.strategies.inference import Inference
from engine.strategies.legal import turns
from engine.strategies.samples import Deals
from engine.values import value
from engine.view import MatchView

DEALS: Final = 400
"""That are played on."""
SAMPLES: Final = 1_500
"""That these are chosen from."""

TO_PLAY: Final = Budget(visits=4_000, curiosity=1.5, greed=64)
TO_TELL: Final = Budget(visits=20_000, curiosity=1.5, greed=64, even=True)

EXACT_TILES: Final = 10
"""That seats hold or may draw, from which on hands are solved. With more, perfect play would have all seats see too
much."""
_NODES: Final = 250

_SLIP: Final = 0.05
"""How often players do not follow their habits."""

_HABITS: Final[tuple[tuple[float, dict[str, float]], ...]] = (
    (0.1, {}),
    (0.1, {"pips": 3}),
    (0.1, {"pips": 3, "double": 40}),
    (0.35, {"pips": 0.6, "double": 2.7, "points": 0.5, "follow": 0.6, "stuck": -0.3, "shut": 1.3, "others": -1.4}),
    (0.35, {"pips": 0.2, "double": 0.8, "points": 0.4, "follow": 0.25, "stuck": -0.3, "shut": 1, "others": -0.35}),
)
"""How many players have a habit, and the prices that they choose by (`habits.FEATURES`): anything that fits, the
heaviest tile, doubles first; and two that are near what explains the choices of `hard` and of `expert` best (maximum
likelihood, over several games).
"""
_PLAYED: Final = np.array([tree.FREE, tree.HEAVIEST, tree.DOUBLES_FIRST, tree.FREE, tree.FREE], np.int64)
"""What a player of each habit is taken to go on with. Who thinks is taken to find what is best."""

_SHARES: Final[Floats] = np.array([share for share, _ in _HABITS])
_PRICES: Final[Floats] = np.array([[prices.get(name, 0) for name in FEATURES] for _, prices in _HABITS], np.float64)


@value
class Outlook:
    """What a move leads to, for the side of the seat that makes it."""

    move: Turn
    worth: float
    """What it is chosen by: its mean worth (see `stakes`) where all moves were tried alike, or else how often it was
    tried, for the best are tried most."""
    points: float
    """How many points more the hand brings than it brings to each other side, on average, from now on."""
    win: float
    """The chance to win the hand; one that nobody wins counts half."""


def outlooks(view: MatchView, seed: int, budget: Budget) -> list[Outlook]:
    """What each legal move of the seat that has the turn leads to, the best one first."""
    moves = turns(view)
    plan = plan_of(view.rules, len(view.seats))
    positions, habits = _positions(plan, view, seed)
    grown = grow(plan, positions, [code_of(plan, move) for move in moves], budget, seed=seed, habits=habits)
    worths = grown.worths() if budget.even else [float(visits) for visits in grown.visits()]
    found = [Outlook(*each) for each in zip(moves, worths, grown.points(), grown.wins(), strict=True)]
    return sorted(found, key=lambda outlook: -outlook.worth)


def best(view: MatchView, seed: int) -> Turn:
    """The move to make; there have to be several."""
    moves = turns(view)
    if _tiles_to_come(view) <= EXACT_TILES:
        plan = plan_of(view.rules, len(view.seats))
        positions, _ = _positions(plan, view, seed)
        solved = solve(plan, positions, [code_of(plan, move) for move in moves], node_limit=_NODES)
        known = solved.worths[(solved.worths != UNKNOWN).all(axis=1)]
        if len(known):
            return moves[int(known.sum(axis=0).argmax())]
    return outlooks(view, seed, TO_PLAY)[0].move


def _tiles_to_come(view: MatchView) -> int:
    """How many tiles the seats hold, and may draw."""
    assert view.hand is not None
    drawable = max(0, view.hand.boneyard_count - view.rules.boneyard_reserve) if view.rules.drawing != "never" else 0
    return drawable + sum([seat.tile_count for seat in view.seats])


def _positions(plan: Plan, view: MatchView, seed: int) -> tuple[Positions, Ints]:
    """Positions that may be the one, as often as they are likely, and how each seat plays in them."""
    rng = np.random.default_rng(seed)
    deals = Inference(view).sample(seed, SAMPLES)
    order = np.array([plan.indexes[tile] for tile in deals.live], np.int64)
    likely = _likely(plan, view, deals, order)
    weights = np.prod([each @ _SHARES for each in likely], axis=0)
    chosen = _drawn(weights * _can_go_on(plan, view, deals, order), rng)
    habits = np.zeros((DEALS, plan.seats), np.int64)
    for seat, each in enumerate(likely):
        if seat != view.viewer.seat:
            shares = np.cumsum(each[chosen] * _SHARES, axis=1)
            picks = rng.random(DEALS)[:, None] * shares[:, -1:] > shares
            habits[:, seat] = _PLAYED[picks.sum(axis=1)]
    hands = np.stack([_masks(deals, seat, order, chosen) for seat in range(plan.seats)], axis=1)
    return with_deals(state_seen(plan, view), hands, order[deals.of(plan.seats)[chosen]]), habits


def _can_go_on(plan: Plan, view: MatchView, deals: Deals, order: Ints) -> Floats:
    """1 for each deal in which somebody can play or draw, and 0 for the others: the last play would have ended them."""
    rules, hand = view.rules, view.hand
    assert hand is not None
    can_draw = rules.drawing != "never" and hand.boneyard_count > rules.boneyard_reserve
    fitting = plan.mask([tile for tile in rules.live_tiles() if suits(rules, tile) & hand.layout.asked])
    can_play = np.zeros(len(deals), np.bool_)
    for seat in range(plan.seats):
        can_play |= (fitting >> order[deals.of(seat)] & 1).any(axis=1)
    if can_draw or hand.layout.opening is None or not can_play.any():
        return np.ones(len(deals))
    return can_play.astype(np.float64)


def _likely(plan: Plan, view: MatchView, deals: Deals, order: Ints) -> list[Floats]:
    """By seat: how likely its plays were, by deal and habit."""
    assert view.hand is not None
    moves = view.hand.moves
    rows = record(plan, moves)
    found = []
    for seat in range(plan.seats):
        plays = [n for n, move in enumerate(moves) if n and move.seat == seat and move.type == "play"]
        if seat == view.viewer.seat or not plays:
            found.append(np.ones((len(deals), len(_SHARES))))
            continue
        held = np.stack([deals.held_before(number, seat) for number in plays], axis=1)
        found.append(likelihoods(plan, rows[plays], held, order, _PRICES, _SLIP))
    return found


def _drawn(weights: Floats, rng: np.random.Generator) -> Ints:
    """Which deals to play on: each as often as it weighs, in any order."""
    if not weights.any():  # nobody can have played so: the view cannot come of play
        weights = np.ones_like(weights)
    steps = (np.arange(DEALS) + rng.random()) * (weights.sum() / DEALS)
    chosen = np.minimum(np.searchsorted(np.cumsum(weights), steps), len(weights) - 1)
    drawn: Ints = rng.permutation(chosen)
    return drawn


def _masks(deals: Deals, seat: int, order: Ints, chosen: Ints) -> Ints:
    held: Sequence[Ints] | Ints = 1 << order[deals.of(seat)[chosen]]
    masks: Ints = np.bitwise_or.reduce(held, axis=1)
    return masks
