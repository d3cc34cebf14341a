"""The keys that agents draw from tell nothing of the hand, of the seed, or of what other seats draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tarock_env
from agents.match import Match
from tarock_env.engine.chance import AGENT, decision_key, make_keys, mixed
from tarock_env.engine.errors import BadAction

MASK = (1 << 64) - 1


def unmixed(key: int, salt: int) -> int:
    """What `mixed` was applied to: SplitMix64 run backwards."""

    def unshift(z: int, by: int) -> int:
        result = z
        for _ in range(64 // by + 1):
            result = z ^ (result >> by)
        return result & MASK

    z = unshift(key, 31)
    z = unshift(z * pow(0x94D049BB133111EB, -1, 1 << 64) & MASK, 27)
    z = unshift(z * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & MASK, 30)
    return (z - (salt + 1) * 0x9E3779B97F4A7C15) & MASK


class Spy:
    """Notes the keys it is given."""

    name = "spy"

    def __init__(self) -> None:
        self.seen: list[tuple[int, int, int]] = []

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        self.seen += list(zip(keys.tolist(), views["n_actions"].tolist(), views["seat"].tolist(), strict=True))
        return mask.argmax(axis=1)


def test_the_inverse_is_one() -> None:
    assert unmixed(int(mixed(12345, 6)), 6) == 12345


def test_no_key_leads_back_to_its_hand() -> None:
    """Mixed backwards with every salt that is used, an agent's keys are neither the hand's key nor the agents'."""
    engine = tarock_env.make("koenigrufen_pagat")
    state = engine.reset(4, seed=987654)
    keys = make_keys(4, 987654, AGENT)
    secrets = {int(k) for k in keys} | {int(k) for k in state["key"]}
    spy = Spy()
    Match(engine, [spy]).play(state, keys=keys)
    assert len({key for key, _, _ in spy.seen}) == len(spy.seen)
    for key, decision, seat in spy.seen:
        for salt in {decision, 8 * decision + seat, AGENT, *range(12)}:
            assert unmixed(key, salt) not in secrets


def test_seats_draw_independently() -> None:
    drawn = [int(decision_key(77, decision, seat)) for decision in range(40) for seat in range(5)]
    assert len(set(drawn)) == 200
    for other in drawn[1:]:
        assert unmixed(drawn[0], 0) != unmixed(other, 1)


ANSWERS = (0, [1.0, 2.0], None, np.zeros(3, np.int64), np.array([np.nan, 0.0]), [[1], [1, 2]], [10**30, 1])


@pytest.mark.parametrize("answer", ANSWERS, ids=repr)
def test_what_is_no_action_names_the_agent(answer: Any) -> None:
    class Wrong:
        name = "wrong"

        def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> Any:
            return answer

    engine = tarock_env.make("koenigrufen_pagat")
    with pytest.raises(BadAction, match=r"^agent 'wrong' returned .*; allowed: whole numbers of shape \(2,\)"):
        Match(engine, [Wrong()]).play(engine.reset(2, seed=1))
