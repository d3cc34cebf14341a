"""From the play to scored items, and from items to scores. Source: C7, K3.8, K2.8, B7-B8, D7-D8; Appendix 5."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import ONE, ZERO, table_points
from tarock_env.codes import (
    DECLARERS,
    DEFENCE,
    GAME,
    NONE,
    ContractedValue,
    Doubling,
    FreeForAll,
    Objective,
    Payment,
    SlamMode,
    Unit,
)
from tarock_env.engine.bonuses import can_own, is_bungled, is_made
from tarock_env.engine.counting import WINNING, declarers_points, game_won, pile_thirds
from tarock_env.engine.seats import seat_at, side_of
from tarock_env.jit import kernel

EVEN = 35  #: card points from which differences are counted
SEAT_ITEM = 2  #: `item_side` of an item that belongs to seat s is SEAT_ITEM + s


@kernel
def settle(g: Any, r: Any) -> None:
    """Fill the items and scores of a finished hand. A hand thrown in has neither."""
    g.scores[:] = 0
    g.n_items = 0
    if g.contract == NONE:
        return
    if r.objective[g.contract] == Objective.FEWEST:
        _settle_free_for_all(g, r)
    else:
        _list_items(g, r)
        _pay(g, r)


@kernel
def add_item(g: Any, kind: int, side: int, announced: int, contra: Any, value: Any) -> None:
    """Append one row to the list of scored items."""
    i = g.n_items
    g.item_kind[i] = kind
    g.item_side[i] = side
    g.item_announced[i] = announced
    g.item_contra[i] = contra
    g.item_value[i] = value
    g.n_items = i + 1


@kernel
def rounded(value: Any, unit: Any) -> Any:
    """A value of at least 0 to the nearest multiple of a unit, halves up."""
    return (2 * value + unit) // (2 * unit) * unit


@kernel
def power(base: Any, exponent: Any) -> Any:
    """A whole-number power."""
    result = 1
    for _ in range(exponent):
        result *= base
    return result


@kernel
def game_value(g: Any, r: Any, won: bool) -> Any:
    """What one opponent pays for the game, positive for the declarer, before kontra."""
    k = g.contract
    value = np.int64(r.value[k]) if won else np.int64(r.value_lost[k])
    if r.difference[k] != 0:
        value += rounded(abs(declarers_points(g, r) - EVEN), r.round_to)
    return value if won else -value


@kernel
def _list_items(g: Any, r: Any) -> None:
    won = game_won(g, r)
    bird_made = g.contracted != NONE and is_made(g, r, g.contracted, DECLARERS)
    if r.coupled != 0 and g.contracted != NONE:
        won = won and bird_made
        bird_made = won
    slam = _slam_is_scored(g, r)
    level = np.int64(g.contra[DECLARERS, GAME])
    if not (slam and r.slam_mode == SlamMode.REPLACES):
        value = game_value(g, r, won) * power(r.step_factor, level)
        add_item(g, GAME, DECLARERS, 0, level, 0 if slam and r.slam_mode == SlamMode.ALONE else value)
    for b in range(1, r.n_bonuses + 1):
        if (r.scores_bonus[g.contract] >> np.uint64(b)) & ONE == ZERO:
            continue
        for side in range(2):
            if can_own(r, b, side):
                made = bird_made if b == g.contracted and side == DECLARERS else is_made(g, r, b, side)
                _list_bonus(g, r, b, side, made, slam)


@kernel
def _slam_is_scored(g: Any, r: Any) -> bool:
    for b in range(1, r.n_bonuses + 1):
        if r.slam[b] == 0 or (r.scores_bonus[g.contract] >> np.uint64(b)) & ONE == ZERO:
            continue
        for side in range(2):
            if g.announced[side, b] != 0:
                return True
            if is_made(g, r, b, side) and not (r.single != 0 and g.announced[1 - side, b] != 0):
                return True
    return False


@kernel
def _list_bonus(g: Any, r: Any, b: int, side: int, made: bool, slam: bool) -> None:
    """One item if the side announced the bonus, made it silently, or pays for a silent failure."""
    announced = g.announced[side, b] != 0
    level = np.int64(g.contra[side, b])
    if not announced:
        if r.single != 0 and g.announced[1 - side, b] != 0:
            return
        if not made and not is_bungled(g, r, b, side):
            return
        if slam and r.slam[b] == 0 and r.slam_mode != SlamMode.ADDED:
            return
    value = bonus_worth(g, r, b, side, made)
    if announced:
        plain = b == g.contracted and side == DECLARERS and r.contracted == ContractedValue.PLAIN
        value *= power(r.step_factor, level) * (1 if plain else np.int64(r.announced_factor[b]))
    elif r.slam[b] != 0 and r.slam_takes_contra != 0:
        value *= power(r.step_factor, np.int64(g.contra[DECLARERS, GAME]))
    if slam and r.slam[b] == 0 and r.slam_mode == SlamMode.ALONE:
        value = 0
    add_item(g, b, side, 1 if announced else 0, level, value)


@kernel
def bonus_worth(g: Any, r: Any, b: int, side: int, made: bool) -> Any:
    """The silent value of a bonus for the declarer's side, with the contract's own factor."""
    k = g.contract
    for_declarers = made == (side == DECLARERS)
    value = np.int64(r.bonus_value[b])
    if r.unit[b] == Unit.GAMES:
        value *= np.int64(r.value[k]) if for_declarers else np.int64(r.value_lost[k])
    value *= np.int64(r.bonus_factor_valat[k]) if r.slam[b] != 0 else np.int64(r.bonus_factor[k])
    return value if for_declarers else -value


@kernel
def _pay(g: Any, r: Any) -> None:
    """Payment by sides: each defender pays the sum, a declarer without partner receives it from each of them."""
    total = np.int64(0)
    for i in range(g.n_items):
        total += np.int64(g.item_value[i])
    if r.rings != 0 and g.rings[g.declarer] > 0:
        total *= 2
    alone = g.partner == NONE
    for place in range(r.n):
        seat = seat_at(g, r, place)
        if side_of(g, seat) == DEFENCE:
            g.scores[seat] = -total if r.payment == Payment.SIDES else 0
        elif r.payment == Payment.SIDES and alone:
            g.scores[seat] = total * (r.n - 1)
        else:
            g.scores[seat] = total


@kernel
def _settle_free_for_all(g: Any, r: Any) -> None:
    """Contracts without sides: everybody's own pile decides."""
    rule = r.settled[g.contract]
    if rule == FreeForAll.TWO_PAIRS:
        _two_pairs(g, r)
    else:
        _top_pays(g, r)
    for place in range(r.n):
        seat = seat_at(g, r, place)
        add_item(g, GAME, SEAT_ITEM + seat, 0, 0, g.scores[seat])


@kernel
def own_points(g: Any, r: Any, place: int) -> int:
    """Table points of the seat at this place."""
    return table_points(pile_thirds(g, r, seat_at(g, r, place)))


@kernel
def compared(g: Any, r: Any, place: int) -> int:
    """The measure by which piles are compared: table points, or exact thirds."""
    return pile_thirds(g, r, seat_at(g, r, place)) if r.thirds != 0 else own_points(g, r, place)


@kernel
def _top_pays(g: Any, r: Any) -> None:
    """Everybody with the most pays each of the others. Source: K3.8, K2.8."""
    top, losers, most = 0, 0, 0
    for place in range(r.n):
        top = max(top, compared(g, r, place))
        most = max(most, own_points(g, r, place))
    for place in range(r.n):
        losers += 1 if compared(g, r, place) == top else 0
    unit = np.int64(r.value[g.contract])
    doubling = r.doubling[g.contract]
    if (doubling == Doubling.OVER_36 and most > WINNING) or (doubling == Doubling.FROM_36 and most >= WINNING):
        unit *= 2
    for place in range(r.n):
        loses = compared(g, r, place) == top
        g.scores[seat_at(g, r, place)] = -unit * (r.n - losers) if loses else unit * losers


@kernel
def _two_pairs(g: Any, r: Any) -> None:
    """The two highest pay the two lowest; a majority or a single trickless player settles with all. Source: Appendix 1."""
    major, trickless, n_trickless = NONE, NONE, 0
    for place in range(r.n):
        if own_points(g, r, place) >= WINNING:
            major = place
        if g.tricks[seat_at(g, r, place)] == 0:
            trickless = place
            n_trickless += 1
    for place in range(r.n):
        seat = seat_at(g, r, place)
        if n_trickless == 1 and major != NONE:
            g.scores[seat] = 3 if place == trickless else -3 if place == major else 0
        elif n_trickless == 1:
            g.scores[seat] = 3 if place == trickless else -1
        elif major != NONE:
            g.scores[seat] = -3 if place == major else 1
    if n_trickless != 1 and major == NONE:
        _pay_pairs(g, r)


@kernel
def _rank(g: Any, r: Any, place: int) -> tuple[int, int]:
    """How many players have more points than this one, and how many (himself included) have as many."""
    mine = own_points(g, r, place)
    more, equal = 0, 0
    for other in range(r.n):
        points = own_points(g, r, other)
        more += 1 if points > mine else 0
        equal += 1 if points == mine else 0
    return more, equal


@kernel
def _pay_pairs(g: Any, r: Any) -> None:
    """-1 for the two highest, +1 for the two lowest; if second and third are equal only a clear first and last count."""
    tied, clear_top, clear_bottom = False, False, False
    for place in range(r.n):
        more, equal = _rank(g, r, place)
        tied = tied or (more <= 1 and more + equal >= 3)
        clear_top = clear_top or (more == 0 and equal == 1)
        clear_bottom = clear_bottom or (more == r.n - 1)
    for place in range(r.n):
        more, equal = _rank(g, r, place)
        score = -1 if more < 2 else 1
        if tied:
            extreme = clear_top and clear_bottom and (more == 0 or more == r.n - 1)
            score = score if extreme else 0
        g.scores[seat_at(g, r, place)] = score
