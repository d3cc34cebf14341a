"""A reset tells and pays nothing of what was played before it."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tarock_env import tarock_v0
from tarock_env.envs.aec import RawEnv
from tarock_env.envs.single_seat import SingleSeatEnv
from tarock_env.envs.vector import TarockVectorEnv
from tests.envs.playing import advance, pick, play

ID = "tarok_furr_3p"
RESET = {"action_mask", "contract", "phase", "seat"}
GAMES: list[dict[str, Any]] = [{}, {"hands": 2}]


def played(env: SingleSeatEnv, seed: int | None, limit: int = 10_000) -> dict[str, Any]:
    """Play a game, or so many steps of it; the last info."""
    observation, info = env.reset(seed=seed)
    for number in range(limit):
        observation, _, over, _, info = env.step(pick(observation["action_mask"], number))
        if over:
            break
    return info


def same(left: Any, right: Any) -> bool:
    """Whether two observations, infos or lists of them are equal, arrays and all."""
    if isinstance(left, dict):
        return isinstance(right, dict) and left.keys() == right.keys() and all(same(left[k], right[k]) for k in left)
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(np.array_equal(left, right))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_one_seat_after_a_whole_game(game: dict[str, Any]) -> None:
    env = SingleSeatEnv(ID, seat=0, **game)
    assert "scores" in played(env, seed=1)
    _, info = env.reset()
    assert info.keys() == RESET
    env.step(int(info["action_mask"].argmax()))
    for seed in (7, 1):
        assert "scores" in played(env, seed)
        assert same(env.reset(seed=seed), SingleSeatEnv(ID, seat=0, **game).reset(seed=seed))
        assert "scores" in played(env, seed)
        assert env.reset(options={"dealer": 1})[1].keys() == RESET


def test_one_seat_within_a_session() -> None:
    env = SingleSeatEnv(ID, seat=0, hands=3)
    observation, info = env.reset(seed=2)
    while "last_hand" not in info:
        observation, _, over, _, info = env.step(int(observation["action_mask"].argmax()))
        assert not over
    assert env.reset()[1].keys() == RESET


def test_one_seat_after_an_illegal_action() -> None:
    env = SingleSeatEnv(ID, seat=0)
    _, info = env.reset(seed=1)
    _, reward, over, _, info = env.step(int(info["action_mask"].argmin()))
    assert over
    assert reward < 0
    assert "illegal_action" in info
    assert env.reset()[1].keys() == RESET


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_gymnasiums_own_vector_environment(mode: AutoresetMode) -> None:
    envs = gymnasium.make_vec(
        "Tarock-v0", num_envs=2, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, ruleset=ID, seat=0
    )
    observation, _ = envs.reset(seed=1)
    ends = 0
    for number in range(60):
        actions = [pick(mask, number) if mask.any() else 0 for mask in observation["action_mask"]]
        observation, _, over, _, infos = envs.step(np.array(actions))
        ends += over.sum()
        assert "last_hand" not in infos
        told = infos.get("final_info", {}) if mode == AutoresetMode.SAME_STEP else infos
        assert ("record" in told) == over.any()
    assert ends >= 4


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_many_tables(mode: AutoresetMode, game: dict[str, Any]) -> None:
    envs, fresh = (TarockVectorEnv(3, ID, seat=0, autoreset_mode=mode, **game) for _ in range(2))
    observation, _ = envs.reset(seed=1)
    ended = False
    while not ended:
        actions = np.array([pick(mask, 1) for mask in observation["action_mask"]])
        observation, _, over, _, _ = envs.step(actions)
        ended = bool(over.any())
    again = envs.reset(seed=5)
    assert same(again, fresh.reset(seed=5))
    actions = again[0]["action_mask"].argmax(axis=1)
    assert all(same(a, b) for a, b in zip(envs.step(actions), fresh.step(actions), strict=True))


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("decisions", [7, 45, 10_000])
def test_every_seat(decisions: int, game: dict[str, Any]) -> None:
    env, fresh = tarock_v0.env(ID, **game), tarock_v0.env(ID, **game)
    env.reset(seed=1)
    advance(env, decisions)
    env.reset(seed=3)
    fresh.reset(seed=3)
    assert same(told(env), told(fresh))
    assert play(env) == play(fresh)


def test_every_seat_within_a_session() -> None:
    env, fresh = tarock_v0.env(ID, hands=3), tarock_v0.env(ID, hands=3)
    env.reset(seed=1)
    while not any("last_hand" in info for info in env.infos.values()):
        advance(env, 1)
    env.reset(seed=3)
    fresh.reset(seed=3)
    assert same(told(env), told(fresh))


def told(env: RawEnv) -> dict[str, Any]:
    """All that agents are told."""
    public = {"infos": env.infos, "rewards": env.rewards, "terminations": env.terminations, "agents": env.agents}
    return public | {"last": list(env.last()), "seen": {agent: env.observe(agent) for agent in env.agents}}
