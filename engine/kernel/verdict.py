"""The end of a hand: who wins it, what that is worth to each team, and whether the match is over."""

from engine.kernel.compiled import Slots, compiled
from engine.kernel.machine import count, lowest
from engine.kernel.points import score_at_end, taken, team_of
from engine.kernel.slots import (
    AMOUNT,
    BLOCK_EXTRA,
    BLOCK_IS_FREE,
    BLOCK_POINTS,
    BLOCK_ROUNDING,
    BLOCK_TIE,
    BLOCK_TILES,
    BLOCK_WINNER,
    BLOCKED,
    BONUS,
    BONUS_TILE_POINTS,
    BONUS_TILES,
    BOUND,
    DOMINO,
    DOMINO_EXTRA,
    DOMINO_POINTS,
    DOUBLES,
    FITS,
    HAND,
    HELD,
    IS_LAST,
    LAST_DOUBLE_BONUS,
    LAST_PLAYER,
    LAST_TILE,
    LAST_TILE_BONUS,
    LAST_TILE_FACTOR,
    LEADER,
    LEAST_POINTS,
    LEFT,
    OWN_EACH,
    PAIRS,
    PENALTY,
    PIPS,
    QUOTIENT,
    REASON,
    RIGHT,
    ROUND_EACH,
    ROUNDING,
    ROUNDING_UNIT,
    SCORE,
    SEATS,
    SHOWN,
    STRIDE,
    TARGET_RULE,
    TARGET_SCORE,
    TEAMS,
    TURN,
    WINNER,
)

_NOBODY = -1
_NEAREST, _DOWN, _UP = 1, 2, 3
_DISTINCT_ENDS, _NON_DOUBLE = 2, 3
_LOWEST_TEAM, _LOWEST_HAND, _NO_DOUBLE, _BLOCKER_OR_NEXT = range(4)
_LEADER, _LAST_PLAYER = 1, 2
_IN_A_ROW, _SHUTOUT = 3, 4
OPEN = -2
"""The winner of a match that goes on."""


@compiled
def pips_of(plan: Slots, tiles: int) -> int:
    """The pips on all of `tiles` together."""
    pips = 0
    while tiles:
        pips += plan[PIPS + lowest(tiles)]
        tiles &= tiles - 1
    return pips


@compiled
def is_special(plan: Slots, state: Slots, tile: int) -> bool:
    """Whether `tile`, the last of a hand, is special; it is not laid yet."""
    if not plan[LAST_TILE] or state[BOUND] >= 0 or not (state[FITS + LEFT] & state[FITS + RIGHT]) >> tile & 1:
        return False
    if plan[LAST_TILE] == _DISTINCT_ENDS:
        return state[SHOWN + LEFT] != state[SHOWN + RIGHT]
    return plan[LAST_TILE] != _NON_DOUBLE or plan[DOUBLES] >> tile & 1 == 0


@compiled
def offer_domino(plan: Slots, state: Slots, tile: int, special: int) -> None:
    """Set down what each team is offered when the seat that has the turn goes out with `tile`."""
    team = team_of(plan, state[TURN])
    bonus = state[BONUS]
    if plan[DOMINO_POINTS]:
        _offer_each(plan, state, team, plan[DOMINO_POINTS])
    else:
        for seat in range(plan[SEATS]):
            state[HELD + STRIDE * seat] = pips_of(plan, state[HAND + STRIDE * seat])
        _offer_pips(plan, state, team, plan[DOMINO_EXTRA], plan[ROUNDING])
    if special:
        for each in range(plan[TEAMS]):
            state[AMOUNT + STRIDE * each] *= plan[LAST_TILE_FACTOR]
        bonus += plan[LAST_TILE_BONUS]
    if plan[DOUBLES] >> tile & 1:
        bonus += plan[LAST_DOUBLE_BONUS]
    if plan[BONUS_TILES] >> tile & 1:
        bonus += plan[BONUS_TILE_POINTS]
    _offer_bonus(plan, state, team, bonus)


@compiled
def end_domino(plan: Slots, state: Slots, seat: int) -> None:
    """End the hand that `seat` went out in, at what is offered."""
    _finish(plan, state, DOMINO, team_of(plan, seat))


@compiled
def end_blocked(plan: Slots, state: Slots) -> None:
    """End the hand, in which nobody can move."""
    for seat in range(plan[SEATS]):
        hand = state[HAND + STRIDE * seat]
        state[HELD + STRIDE * seat] = count(hand) if plan[BLOCK_TILES] else pips_of(plan, hand)
    winner = _block_winner(plan, state)
    if plan[OWN_EACH]:
        _gather(plan, state, plan[BLOCK_ROUNDING])
        for team in range(plan[TEAMS]):
            slot = AMOUNT + STRIDE * team
            state[slot] = _points(plan, state[slot], plan[BLOCK_ROUNDING])
    elif winner == _NOBODY or plan[BLOCK_IS_FREE]:
        for team in range(plan[TEAMS]):
            state[AMOUNT + STRIDE * team] = 0
    else:
        if plan[BLOCK_POINTS]:
            _offer_each(plan, state, winner, plan[BLOCK_POINTS])
        else:
            _offer_pips(plan, state, winner, plan[BLOCK_EXTRA], plan[BLOCK_ROUNDING])
        _offer_bonus(plan, state, winner, state[BONUS])
    _finish(plan, state, BLOCKED, winner)


@compiled
def end_hand(state: Slots, reason: int, winner: int) -> None:
    """Nobody has the turn any more."""
    state[TURN] = -1
    state[REASON] = reason
    state[WINNER] = winner


@compiled
def match_winner(plan: Slots, state: Slots) -> int:
    """The team that has won the match now that the hand is over, -1 for none, or `OPEN` where it goes on."""
    best = state[SCORE]
    most = best
    for team in range(1, plan[TEAMS]):
        score = state[SCORE + STRIDE * team]
        most = max(most, score)
        best = min(best, score) if plan[PENALTY] else max(best, score)
    if not state[IS_LAST] and (plan[TARGET_SCORE] == 0 or most < plan[TARGET_SCORE]):
        return OPEN
    winner = OPEN
    for team in range(plan[TEAMS]):
        if state[SCORE + STRIDE * team] == best:
            if winner >= 0:
                return _NOBODY if state[IS_LAST] else OPEN
            winner = team
    return winner


@compiled
def _finish(plan: Slots, state: Slots, reason: int, winner: int) -> None:
    for team in range(plan[TEAMS]):
        score_at_end(state, team, taken(plan, state[SCORE + STRIDE * team], state[AMOUNT + STRIDE * team], 1))
    if plan[TARGET_RULE] >= _IN_A_ROW and _is_set_back(plan, state, winner):
        for team in range(plan[TEAMS]):
            state[SCORE + STRIDE * team] = 0
    end_hand(state, reason, winner)


@compiled
def _is_set_back(plan: Slots, state: Slots, winner: int) -> bool:
    """Whether the scores go back to 0 after a hand that `winner` won."""
    others, all_score = 0, 1
    for team in range(plan[TEAMS]):
        if state[SCORE + STRIDE * team] == 0:
            all_score = 0
        elif team != winner:
            others = 1
    if plan[TARGET_RULE] == _IN_A_ROW:
        return winner != _NOBODY and others == 1
    return all_score == 1


@compiled
def _block_winner(plan: Slots, state: Slots) -> int:
    """The winning team: of those that stand best by the rule, if that is more than one, whom a tie goes to."""
    best = _lightest_teams(plan, state) if plan[BLOCK_WINNER] == _LOWEST_TEAM else _teams_of_lightest(plan, state)
    if best & best - 1 == 0:
        return lowest(best)
    seat = -1
    if plan[BLOCK_TIE] == _LEADER:
        seat = state[LEADER]
    elif plan[BLOCK_TIE] == _LAST_PLAYER:
        seat = state[LAST_PLAYER]
    if seat >= 0 and best >> team_of(plan, seat) & 1:
        return team_of(plan, seat)
    return _NOBODY


@compiled
def _lightest_teams(plan: Slots, state: Slots) -> int:
    best, fewest = 0, 1 << 30
    for team in range(plan[TEAMS]):
        held = state[HELD + STRIDE * team]
        if plan[PAIRS]:
            held += state[HELD + STRIDE * (team + 2)]
        if held < fewest:
            best, fewest = 0, held
        if held == fewest:
            best |= 1 << team
    return best


@compiled
def _teams_of_lightest(plan: Slots, state: Slots) -> int:
    """The teams of the lightest hands, among those that the rule compares."""
    best, fewest, among = 0, 1 << 30, _compared(plan, state)
    for seat in range(plan[SEATS]):
        held = state[HELD + STRIDE * seat]
        if among >> seat & 1:
            if held < fewest:
                best, fewest = 0, held
            if held == fewest:
                best |= 1 << team_of(plan, seat)
    return best


@compiled
def _compared(plan: Slots, state: Slots) -> int:
    """A bit for each seat whose hand is compared."""
    everyone = (1 << plan[SEATS]) - 1
    if plan[BLOCK_WINNER] == _NO_DOUBLE:
        among = 0
        for seat in range(plan[SEATS]):
            if state[HAND + STRIDE * seat] & plan[DOUBLES] == 0:
                among |= 1 << seat
        return among or everyone
    last = state[LAST_PLAYER]
    if plan[BLOCK_WINNER] == _BLOCKER_OR_NEXT and last >= 0:
        return 1 << last | 1 << (last + 1) % plan[SEATS]
    return everyone


@compiled
def _rounded(pips: int, rounding: int, unit: int) -> int:
    if rounding == _NEAREST:
        return (2 * pips + unit) // (2 * unit) * unit
    if rounding == _DOWN:
        return pips // unit * unit
    if rounding == _UP:
        return (pips + unit - 1) // unit * unit
    return pips


@compiled
def _points(plan: Slots, pips: int, rounding: int) -> int:
    pips = _rounded(pips, rounding, plan[ROUNDING_UNIT])
    return pips // plan[ROUNDING_UNIT] if plan[QUOTIENT] else pips


@compiled
def _gather(plan: Slots, state: Slots, rounding: int) -> None:
    """Add up by team what counts of each seat's tiles."""
    for team in range(plan[TEAMS]):
        state[AMOUNT + STRIDE * team] = 0
    for seat in range(plan[SEATS]):
        held = state[HELD + STRIDE * seat]
        if plan[ROUND_EACH]:
            held = _rounded(held, rounding, plan[ROUNDING_UNIT])
        state[AMOUNT + STRIDE * team_of(plan, seat)] += held


@compiled
def _offer_pips(plan: Slots, state: Slots, winner: int, extra: int, rounding: int) -> None:
    """Offer what the leftovers are worth, the winner's counted `extra` times: once to the winner, or to each loser its
    own.
    """
    _gather(plan, state, rounding)
    own = extra * state[AMOUNT + STRIDE * winner]
    losing = 0
    for team in range(plan[TEAMS]):
        slot = AMOUNT + STRIDE * team
        if team != winner:
            losing += state[slot]
            state[slot] = max(plan[LEAST_POINTS], _points(plan, max(0, state[slot] + own), rounding))
    if plan[PENALTY]:
        state[AMOUNT + STRIDE * winner] = 0
    else:
        gain = max(plan[LEAST_POINTS], _points(plan, max(0, losing + own), rounding))
        _offer_each(plan, state, winner, gain)


@compiled
def _offer_each(plan: Slots, state: Slots, winner: int, points: int) -> None:
    """Offer `points` to the winner or, in a penalty game, to each loser, and nothing to others."""
    for team in range(plan[TEAMS]):
        state[AMOUNT + STRIDE * team] = 0
    _offer_bonus(plan, state, winner, points)


@compiled
def _offer_bonus(plan: Slots, state: Slots, winner: int, points: int) -> None:
    """Offer so much more to the winner or, in a penalty game, to each loser."""
    for team in range(plan[TEAMS]):
        if (team == winner) != (plan[PENALTY] == 1):
            state[AMOUNT + STRIDE * team] += points
