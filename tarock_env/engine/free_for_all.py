"""Contracts without sides: everybody's own pile decides. Source: K3.8, K2.8, Appendix 1; B8, D8, F8."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import table_points
from tarock_env.codes import GAME, NONE, Doubling, FreeForAll
from tarock_env.engine.counting import WINNING, pile_thirds
from tarock_env.engine.items import EVEN, SEAT_ITEM, add_item, rounded
from tarock_env.engine.seats import seat_at
from tarock_env.jit import kernel


@kernel
def settle(g: Any, r: Any) -> None:
    """Contracts without sides: everybody's own pile decides."""
    rule = r.settled[g.contract]
    if rule == FreeForAll.TWO_PAIRS:
        _two_pairs(g, r)
    elif rule == FreeForAll.OWN_POINTS:
        _own_points(g, r)
    elif rule == FreeForAll.EXTREMES:
        _extremes(g, r)
    elif rule == FreeForAll.DIFFERENCE:
        _difference(g, r)
    else:
        _top_pays(g, r)
    for place in range(r.n):
        seat = seat_at(g, r, place)
        add_item(g, np.int64(GAME), SEAT_ITEM + seat, np.int64(0), np.int64(0), np.int64(g.scores[seat]))


@kernel
def own_points(g: Any, r: Any, place: Any) -> Any:
    """Table points of the seat at this place."""
    return table_points(pile_thirds(g, r, seat_at(g, r, place)))


@kernel
def compared(g: Any, r: Any, place: Any) -> Any:
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
def _own_points(g: Any, r: Any) -> None:
    """Everybody loses the points he took. Source: B8 (AB)."""
    for place in range(r.n):
        g.scores[seat_at(g, r, place)] = -rounded(own_points(g, r, place), r.round_own)


@kernel
def _extremes(g: Any, r: Any) -> None:
    """More than half of the points loses, no trick wins the contract's value; else own points. Source: D8 (LE)."""
    value = np.int64(r.value[g.contract])
    decided = False
    for place in range(r.n):
        seat = seat_at(g, r, place)
        g.scores[seat] = 0
        if own_points(g, r, place) > EVEN:
            g.scores[seat] = -value
            decided = True
        elif g.tricks[seat] == 0:
            g.scores[seat] = value
            decided = True
    if not decided:
        _own_points(g, r)


@kernel
def _difference(g: Any, r: Any) -> None:
    """Everybody scores how far he stays below the most. Source: F8 (BG)."""
    top = 0
    for place in range(r.n):
        top = max(top, own_points(g, r, place))
    for place in range(r.n):
        g.scores[seat_at(g, r, place)] = (top - own_points(g, r, place)) * np.int64(r.multiplier[g.contract])


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
def _rank(g: Any, r: Any, place: Any) -> tuple[int, int]:
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
