"""From the play to scored items, and from items to scores. Source: C7, K3.8, K2.8, B7-B8, D7-D8; Appendix 5."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import ONE, ZERO
from tarock_env.codes import (
    DECLARERS,
    DEFENCE,
    GAME,
    NONE,
    ContractedValue,
    Objective,
    Payment,
    SlamMode,
    Unit,
)
from tarock_env.engine import free_for_all, individual, mond, rings
from tarock_env.engine.bonuses import is_bungled, is_made
from tarock_env.engine.counting import declarers_points, game_won
from tarock_env.engine.items import EVEN, add_item, power, rounded
from tarock_env.engine.one_sided import can_own
from tarock_env.engine.seats import seat_at, side_of
from tarock_env.jit import kernel


@kernel
def settle(g: Any, r: Any) -> None:
    """Fill the items and scores of a finished hand. A hand thrown in has neither."""
    g.scores[:] = 0
    g.n_items = 0
    if g.contract == NONE:
        return
    if r.objective[g.contract] == Objective.FEWEST:
        free_for_all.settle(g, r)
    elif r.payment == Payment.POSITIVE:
        individual.settle(g, r)
    else:
        _list_items(g, r)
        _pay(g, r)
    mond.charge(g, r)


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
    bird_made = g.contracted != NONE and is_made(g, r, np.int64(g.contracted), np.int64(DECLARERS))
    if r.coupled != 0 and g.contracted != NONE:
        won = won and bird_made
        bird_made = won
    slam = _slam_is_scored(g, r)
    g.made = 1 if won else 0
    g.slam_scored = 1 if slam else 0
    level = np.int64(g.contra[DECLARERS, GAME])
    if not (slam and r.slam_mode == SlamMode.REPLACES):
        value = game_value(g, r, won) * power(r.step_factor, level)
        counted = np.int64(0) if slam and r.slam_mode == SlamMode.ALONE else value
        add_item(g, np.int64(GAME), np.int64(DECLARERS), np.int64(0), level, counted)
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
def _list_bonus(g: Any, r: Any, b: Any, side: Any, made: bool, slam: bool) -> None:
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
        level = np.int64(g.contra[DECLARERS, GAME])
        value *= power(r.step_factor, level)
    if slam and r.slam[b] == 0 and r.slam_mode == SlamMode.ALONE:
        value = 0
    add_item(g, b, side, np.int64(announced), level, value)


@kernel
def bonus_worth(g: Any, r: Any, b: Any, side: Any, made: bool) -> Any:
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
    if g.slam_scored == 1 and r.slam_mode == SlamMode.ALONE:
        g.made = 1 if total > 0 else 0
    doubled = total * rings.factor(g, r)
    alone = g.partner == NONE
    for place in range(r.n):
        seat = seat_at(g, r, place)
        if side_of(g, seat) == DEFENCE:
            g.scores[seat] = -doubled if r.payment == Payment.SIDES else 0
        elif r.payment == Payment.SIDES and alone:
            g.scores[seat] = doubled * (r.n - 1)
        elif seat != g.declarer and r.ring_for_partner == 0:
            g.scores[seat] = total
        else:
            g.scores[seat] = doubled
