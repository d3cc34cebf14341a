"""Card points: whose cards are which, in thirds and at the table. Source: C3, C7, A2, A5."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import ZERO, bit, has, table_points, thirds_in
from tarock_env.codes import DECLARERS, DEFENCE, NONE, Objective, Talon
from tarock_env.engine.seats import side_of
from tarock_env.jit import kernel

WINNING = 36  #: table points that win a contract; 107 thirds


@kernel
def talon_cards(g: Any) -> Any:
    """All talon cards that are still there, as a set."""
    cards = ZERO
    for i in range(6):
        if g.talon[i] != NONE:
            cards |= bit(g.talon[i])
    return cards


@kernel
def untaken(g: Any) -> Any:
    """The talon cards that nobody took into his hand."""
    return talon_cards(g) & ~g.taken


@kernel
def talon_share(g: Any, r: Any) -> Any:
    """The untaken talon cards that count for the declarer's side."""
    rest = r.rest[g.contract]
    cards = untaken(g)
    if rest == Talon.WON_BY_KING:
        return cards if g.rest_won == 1 else ZERO
    if (rest != Talon.HALF_WITH_KING and rest != Talon.WITH_KING) or g.called < 0 or not has(cards, 8 * g.called + 7):
        return ZERO
    if rest == Talon.WITH_KING:
        return cards
    first = bit(g.talon[0]) | bit(g.talon[1]) | bit(g.talon[2])
    return cards & first if has(first, 8 * g.called + 7) else cards & ~first


@kernel
def side_tricks(g: Any, side: Any) -> Any:
    """All cards in the tricks of a side."""
    cards = ZERO
    for seat in range(5):
        if side_of(g, seat) == side:
            cards |= g.won[seat]
    return cards


@kernel
def side_set(g: Any, r: Any, side: Any) -> Any:
    """The cards of a side that count for sets: its tricks, and its talon share where the rules say so."""
    cards = side_tricks(g, side)
    rest = r.rest[g.contract]
    share = talon_share(g, r)
    if side == DECLARERS and (r.sets_with_talon != 0 or rest == Talon.WITH_KING or rest == Talon.WON_BY_KING):
        cards |= share
    if side == DEFENCE and r.sets_with_talon != 0 and _defence_owns_rest(rest):
        cards |= untaken(g) & ~share
    return cards


@kernel
def _defence_owns_rest(rest: Any) -> bool:
    return rest == Talon.DEFENCE or rest == Talon.HALF_WITH_KING or rest == Talon.WITH_KING or rest == Talon.WON_BY_KING


@kernel
def declarers_points(g: Any, r: Any) -> Any:
    """Table points of the declarer's side: tricks, discards, talon share."""
    return table_points(thirds_in(side_tricks(g, np.int64(DECLARERS)) | g.discards | talon_share(g, r)))


@kernel
def pile_thirds(g: Any, r: Any, seat: Any) -> Any:
    """Card points, in thirds, of a seat's own pile: tricks, for the declarer also discards and his side's talon share."""
    cards = g.won[seat]
    if seat == g.declarer and g.declarer >= 0:
        cards |= g.discards | talon_share(g, r)
    return thirds_in(cards)


@kernel
def counts_points(g: Any, r: Any) -> bool:
    """Whether the contract is decided by card points."""
    return r.objective[g.contract] != Objective.TRICKS


@kernel
def game_won(g: Any, r: Any) -> bool:
    """Whether the declarer made his contract."""
    if r.objective[g.contract] == Objective.POINTS:
        return declarers_points(g, r) >= WINNING and g.forced_loss == 0
    return g.tricks[g.declarer] == r.target[g.contract]
