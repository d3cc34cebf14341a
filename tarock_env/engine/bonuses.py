"""When a side has made a bonus. Source: K3.7, K2.7, C8, B7, D7."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import ZERO
from tarock_env.codes import NONE, Predicate, SilentFailure
from tarock_env.engine.counting import declarers_points, game_won, side_set
from tarock_env.engine.play import player_of, tricks_of_side
from tarock_env.engine.seats import side_of
from tarock_env.jit import kernel


@kernel
def trick_of(g: Any, r: Any, card: Any) -> Any:
    """The trick (from 0) to which the card was played; -1 if it never was."""
    for i in range(g.n_plays):
        if g.plays[i] == card:
            return i // r.n
    return NONE


@kernel
def captured(g: Any, r: Any, card: Any, side: Any) -> bool:
    """Whether the card, played by the other side, lies in a trick of this side. Source: C8."""
    trick = trick_of(g, r, card)
    if trick == NONE or side_of(g, player_of(g, card)) == side:
        return False
    return side_of(g, g.leaders[trick + 1]) == side


@kernel
def in_trick(g: Any, r: Any, card: Any, trick: Any) -> bool:
    """Whether the card was played to this trick."""
    return trick < g.trick_no and trick_of(g, r, card) == trick


@kernel
def card_wins(g: Any, r: Any, card: Any, trick: Any) -> bool:
    """Whether the card itself takes this trick."""
    return in_trick(g, r, card, trick) and player_of(g, card) == g.leaders[trick + 1]


@kernel
def is_made(g: Any, r: Any, b: Any, side: Any) -> bool:
    """Whether the side has made the bonus."""
    predicate = r.predicate[b]
    last = r.n_tricks - 1
    if predicate == Predicate.HOLDS:
        return side_set(g, r, side) & r.bonus_cards[b] == r.bonus_cards[b]
    if predicate == Predicate.CAPTURES:
        return captured(g, r, np.int64(r.bonus_card[b]), side)
    if predicate == Predicate.ALL_TRICKS:
        return tricks_of_side(g, r, side) == r.n_tricks
    if predicate == Predicate.CARD_WINS:
        trick = last - r.trick_from_end[b]
        card = np.int64(r.bonus_card[b])
        return card_wins(g, r, card, trick) and side_of(g, player_of(g, card)) == side
    if predicate == Predicate.REACHES:
        return declarers_points(g, r) >= r.threshold[b]
    if predicate == Predicate.WITHOUT:
        held = (g.played[g.declarer] | g.discards) & r.bonus_cards[b]
        return game_won(g, r) and held == ZERO
    king = np.int64(8) * g.called + 7
    if g.called < 0:
        return False
    if predicate == Predicate.CAPTURES_KING:
        return captured(g, r, king, side)
    if predicate == Predicate.KING_IN_LAST:
        return in_trick(g, r, king, last) and side_of(g, g.leaders[last + 1]) == side
    return card_wins(g, r, king, last) and side_of(g, player_of(g, king)) == side


@kernel
def is_bungled(g: Any, r: Any, b: Any, side: Any) -> bool:
    """Whether the side tried the bonus without announcing it and pays for the failure."""
    rule = r.silent_failure[b]
    if rule == SilentFailure.NEVER:
        return False
    trick = r.n_tricks - 1 - r.trick_from_end[b]
    by_king = r.predicate[b] == Predicate.KING_IN_LAST or r.predicate[b] == Predicate.KING_WINS
    if by_king and g.called < 0:
        return False
    card = np.int64(8) * g.called + 7 if by_king else np.int64(r.bonus_card[b])
    if not in_trick(g, r, card, trick) or side_of(g, player_of(g, card)) != side:
        return False
    if by_king or rule == SilentFailure.BEATEN_BY_OTHERS:
        return side_of(g, g.leaders[trick + 1]) != side
    return not card_wins(g, r, card, trick)
