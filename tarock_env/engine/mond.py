"""The lost T21: a fine for the seat that loses it. Source: B7 (lost Mond), D7 (lost XXI); part K 5, 6, 13, 17."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.cards import T1, T21, T22, has
from tarock_env.codes import NONE, Objective, SlamMode
from tarock_env.engine.bonuses import trick_of
from tarock_env.engine.counting import untaken
from tarock_env.engine.items import SEAT_ITEM, add_item
from tarock_env.engine.play import player_of, winning_card
from tarock_env.engine.seats import side_of
from tarock_env.jit import kernel


@kernel
def charge(g: Any, r: Any) -> None:
    """Book the fine, never multiplied, on top of the scores; where it is paid, the winner of the trick receives it."""
    if r.mond_fine == 0 or r.mond_live[g.contract] == 0:
        return
    if g.slam_scored == 1 and r.slam_mode == SlamMode.ALONE and r.mond_beside_slam == 0:
        return
    loser = loser_of_mond(g, r)
    if loser == NONE:
        return
    g.scores[loser] -= r.mond_fine
    if r.mond_paid != 0:
        g.scores[g.leaders[trick_of(g, r, np.int64(T21)) + 1]] += r.mond_fine
    zero = np.int64(0)
    add_item(g, np.int64(r.mond_item), SEAT_ITEM + loser, zero, zero, -np.int64(r.mond_fine))


@kernel
def loser_of_mond(g: Any, r: Any) -> Any:
    """The seat that lost T21; -1 = nobody."""
    card = np.int64(T21)
    trick = trick_of(g, r, card)
    if trick == NONE:
        return _left_in_talon(g, r)
    player, winner = player_of(g, card), g.leaders[trick + 1]
    if winner == NONE or winner == player:
        return NONE
    if r.mond_paid != 0:
        apart = r.objective[g.contract] == Objective.FEWEST or side_of(g, player) != side_of(g, winner)
        return player if apart else NONE
    taker = winning_card(g, r, trick)
    return player if taker == T22 or taker == T1 else NONE


@kernel
def _left_in_talon(g: Any, r: Any) -> Any:
    """The declarer, if T21 lies in the talon he left or never saw, and the rules count that."""
    if g.declarer == NONE or g.rest_won == 1 or not has(untaken(g), T21):
        return NONE
    counts = r.mond_in_talon[g.contract] if g.talon_open == 1 else r.mond_unseen[g.contract]
    return g.declarer if counts != 0 else NONE
