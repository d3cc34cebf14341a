"""Scores that are never negative: the declarer or each defender scores, times the multiplier of the bid. Source: F7, F8."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import popcount
from tarock_env.codes import DECLARERS, GAME, Predicate
from tarock_env.engine.bonuses import card_wins, is_made, trick_of
from tarock_env.engine.counting import declarers_points, game_won
from tarock_env.engine.items import EVEN, SEAT_ITEM, add_item, power
from tarock_env.engine.play import player_of
from tarock_env.engine.seats import seat_at, side_of
from tarock_env.jit import kernel


@kernel
def settle(g: Any, r: Any) -> None:
    """List the items and add up the scores."""
    won = game_won(g, r)
    g.made = 1 if won else 0
    multiplier = np.int64(r.multiplier[g.contract])
    basic = r.basic + np.int64(g.n_bids) + abs(declarers_points(g, r) - EVEN)
    game = multiplier * basic * item_factor(g, r, np.int64(GAME))
    add_item(g, np.int64(GAME), np.int64(DECLARERS), np.int64(0), item_level(g, np.int64(GAME)), game if won else -game)
    for b in range(1, r.n_bonuses + 1):
        if g.announced[DECLARERS, b] != 0:
            _announced(g, r, b, multiplier)
        elif r.predicate[b] == Predicate.CARD_WINS:
            _silent(g, r, b, multiplier)
    for place in range(r.n):
        _declarations(g, r, seat_at(g, r, place), multiplier)
    for i in range(g.n_items):
        _credit(g, r, g.item_side[i], np.int64(g.item_value[i]))


@kernel
def item_factor(g: Any, r: Any, item: Any) -> Any:
    """Both chains of contras of an item, before and after the draw, multiplied."""
    early, late = np.int64(g.contra[DECLARERS, item]), np.int64(g.late_contra[DECLARERS, item])
    return power(np.int64(r.early_step_factor), early) * power(np.int64(r.step_factor), late)


@kernel
def item_level(g: Any, item: Any) -> Any:
    """Contra steps of an item, before and after the draw together."""
    return np.int64(g.contra[DECLARERS, item]) + np.int64(g.late_contra[DECLARERS, item])


@kernel
def _announced(g: Any, r: Any, b: Any, multiplier: Any) -> None:
    """What the declarer announced: success is his, failure is each defender's."""
    value = multiplier * np.int64(r.bonus_value[b]) * np.int64(r.announced_factor[b]) * item_factor(g, r, b)
    if g.announced[DECLARERS, b] == 2:
        value *= np.int64(r.early_factor[b])
    side = np.int64(DECLARERS)
    add_item(g, b, side, np.int64(1), item_level(g, b), value if is_made(g, r, b, side) else -value)


@kernel
def _silent(g: Any, r: Any, b: Any, multiplier: Any) -> None:
    """A card played to its trick: its player scores if it wins, else each of the others does."""
    card = np.int64(r.bonus_card[b])
    trick = r.n_tricks - 1 - r.trick_from_end[b]
    if trick_of(g, r, card) != trick:
        return
    value = multiplier * np.int64(r.bonus_value[b])
    player = player_of(g, card)
    none = np.int64(0)
    add_item(g, b, SEAT_ITEM + player, none, none, value if card_wins(g, r, card, trick) else -value)


@kernel
def _declarations(g: Any, r: Any, seat: Any, multiplier: Any) -> None:
    """Hand declarations: true ones score, a false one brings each of the others twice its value."""
    hand = g.played[seat]
    for b in range(1, r.n_bonuses + 1):
        if (np.int64(g.declared[seat]) >> b) & 1 == 0:
            continue
        value = multiplier * np.int64(r.bonus_value[b])
        true = is_true_declaration(r, b, hand)
        add_item(g, b, SEAT_ITEM + seat, np.int64(1), np.int64(0), value if true else -2 * value)


@kernel
def is_true_declaration(r: Any, b: Any, hand: Any) -> bool:
    """Whether a hand (after the discard) is what the declaration says."""
    held = popcount(hand & r.bonus_cards[b])
    return held == 2 if r.predicate[b] == Predicate.DECLARES_TWO else held == popcount(r.bonus_cards[b])


@kernel
def _credit(g: Any, r: Any, side: Any, value: Any) -> None:
    """Add one item to the scores: a positive one to its owner, a negative one to each of the others."""
    for place in range(r.n):
        seat = seat_at(g, r, place)
        owns = side_of(g, seat) == DECLARERS if side < SEAT_ITEM else seat == side - SEAT_ITEM
        if owns == (value > 0):
            g.scores[seat] += abs(value)
