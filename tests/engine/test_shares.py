"""Zero-sum scores, by hand: a dealer who sits out has no share, and the mean is that of those who played."""

from __future__ import annotations

import numpy as np
import pytest

import tarock_env
from tarock_env.engine.shares import took_part, zero_sum
from tarock_env.envs.spaces import hand_rewards


@pytest.mark.parametrize(
    "dealer, scores, shares", [(4, [6, 2, -1, 1, 0], [4, 0, -3, -1, 0]), (1, [9, 0, 1, 1, 1], [6, 0, -2, -2, -2])]
)
def test_a_dealer_of_five_has_no_share(dealer: int, scores: list[int], shares: list[int]) -> None:
    engine = tarock_env.make("koenigrufen_pagat", table_size=5)
    state = engine.reset(1, 0, dealer=dealer)
    state["scores"][0] = scores
    assert took_part(engine, state)[0].tolist() == [seat != dealer for seat in range(5)]
    assert zero_sum(engine, state)[0].tolist() == shares
    assert hand_rewards(engine, state, "zero_sum")[0].tolist() == shares
    assert hand_rewards(engine, state, "score")[0].tolist() == scores


def test_all_four_play_where_four_sit() -> None:
    engine = tarock_env.make("tarok_furr_4p")
    state = engine.reset(2, 0)
    state["scores"][:, :4] = [[70, 30, 0, 0], [0, -40, 0, 0]]
    assert took_part(engine, state).all()
    assert zero_sum(engine, state).tolist() == [[45, 5, -25, -25], [10, -30, 10, 10]]
    state["settlement"][1, :4], state["session_over"][1] = [1, 2, 3, 6], True
    assert np.array_equal(hand_rewards(engine, state, "zero_sum"), [[45, 5, -25, -25], [8, -31, 10, 13]])
    assert np.array_equal(hand_rewards(engine, state, "score"), [[70, 30, 0, 0], [1, -38, 3, 6]])
