"""The Gymnasium environment of one seat."""

from __future__ import annotations

import copy
import json
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import tarock_env
from tarock_env import BadAction, IllegalAction, record
from tarock_env.envs import opponents as registry
from tarock_env.envs.single_seat import SingleSeatEnv
from tarock_env.envs.spaces import PENALTY_SCALES
from tests.envs.playing import RULESETS, contracts, pick


def play_hand(env: SingleSeatEnv, seed: int | None, **kwargs) -> tuple[float, int, dict]:
    """(sum of rewards, number of steps, last info)."""
    observation, info = env.reset(seed=seed, **kwargs)
    total, steps, over = 0.0, 0, False
    while not over:
        observation, reward, over, truncated, info = env.step(pick(observation["action_mask"], steps))
        assert truncated is False
        total += reward
        steps += 1
    return total, steps, info


class Lowest:
    """Plays the legal action with the lowest index and notes what it is shown."""

    def __init__(self) -> None:
        self.seats: list[int] = []

    def act(self, views, mask, keys):
        assert np.array_equal(views["seat"], views["actor"])
        self.seats += views["seat"].tolist()
        return mask.argmax(axis=1)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_official_checker(ruleset):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*not within the observation space.*")
        check_env(SingleSeatEnv(ruleset), skip_render_check=True)


def test_made_by_id():
    env = gymnasium.make("tarock_env:Tarock-v0", ruleset="koenigrufen_pagat", seat=2, render_mode="ansi")
    observation, info = env.reset(seed=1)
    assert info["seat"] == 2
    assert env.observation_space.contains(observation)
    assert "seat 2" in env.render()


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("reward", ["zero_sum", "score"])
def test_rewards_are_scores(ruleset, reward):
    env = SingleSeatEnv(ruleset, reward=reward)
    for seed in range(15):
        total, _, info = play_hand(env, seed)
        scores = np.array(info["scores"], float)
        players = env.engine.ruleset.players
        wanted = scores[info["seat"]] - (scores.sum() / players if reward == "zero_sum" else 0.0)
        assert total == pytest.approx(wanted, abs=1e-9)
        assert record.verify(json.loads(json.dumps(dict(info["record"])))) == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_contract_by_option(ruleset):
    env = SingleSeatEnv(ruleset, seat=1, reward="score")
    for contract in contracts(ruleset):
        for seed in range(40):
            try:
                total, _, info = play_hand(env, seed, options={"contract": contract})
            except tarock_env.BadPosition:
                continue
            assert total == float(info["scores"][1])
            played = env.engine.ruleset.contract(info["contract"])
            assert played.id == contract or contract in played.raise_from
            break
        else:
            raise AssertionError(contract)


def test_masks_and_info():
    env = SingleSeatEnv()
    observation, info = env.reset(seed=5)
    over = False
    while not over:
        assert set(info) == {"action_mask", "phase", "contract", "seat"}
        assert info["action_mask"].dtype == np.int8
        assert np.array_equal(info["action_mask"], observation["action_mask"])
        assert np.array_equal(env.action_masks(), observation["action_mask"].astype(bool))
        assert observation["action_mask"].any()
        observation, _, over, _, info = env.step(pick(observation["action_mask"], 3))
    assert not observation["action_mask"].any()
    assert not env.action_masks().any()
    assert env.observation_space.contains(observation)
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_seats():
    P = 4
    rotating = SingleSeatEnv(seat="rotating")
    assert [rotating.reset(seed=4 if i == 0 else None)[1]["seat"] for i in range(6)] == [0, 1, 2, 3, 0, 1]
    drawn = SingleSeatEnv(seat="random")
    seats = [drawn.reset(seed=s)[1]["seat"] for s in range(200)]
    assert min(np.bincount(seats, minlength=P)) > 30
    assert {SingleSeatEnv(seat=3).reset(seed=s)[1]["seat"] for s in range(5)} == {3}


@pytest.mark.parametrize("seat", [4, -1, "first", True, 1.0])
def test_bad_seats(seat):
    with pytest.raises(ValueError, match=r"seat is .*; allowed: 0 … 3, 'random', 'rotating'"):
        SingleSeatEnv(seat=seat)


def test_illegal_actions():
    env = SingleSeatEnv()
    observation, info = env.reset(seed=2)
    wrong = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    final, reward, over, truncated, info = env.step(wrong)
    assert reward == -PENALTY_SCALES * env.engine.ruleset.reward_scale
    assert (over, truncated) == (True, False)
    assert info["illegal_action"] == env.engine.actions.name(wrong)
    assert not final["action_mask"].any()
    strict = SingleSeatEnv(on_illegal="raise")
    strict.reset(seed=2)
    before = strict.games.state.tobytes()
    for action, error in (
        (wrong, IllegalAction),
        (-1, IllegalAction),
        (999, IllegalAction),
        (1.0, BadAction),
        (None, BadAction),
    ):
        with pytest.raises(error):
            strict.step(action)
        assert strict.games.state.tobytes() == before
    env.reset(seed=2)
    for action, error in (
        (-1, IllegalAction),
        (999, IllegalAction),
        (float("nan"), BadAction),
        (True, BadAction),
        ("pass", BadAction),
    ):
        with pytest.raises(error):
            env.step(action)


def test_bad_options_leave_the_series_alone():
    env, other = SingleSeatEnv(seat=0), SingleSeatEnv(seat=0)
    env.reset(seed=3)
    other.reset(seed=3)
    with pytest.raises(ValueError, match="allowed"):
        env.reset(seed=9, options={"contract": "whist"})
    with pytest.raises(ValueError, match="seed is"):
        env.reset(seed=-4)
    assert env.reset()[0]["observation"].tobytes() == other.reset()[0]["observation"].tobytes()


def test_seeds():
    env, other = SingleSeatEnv(), SingleSeatEnv()
    assert play_hand(env, 8)[:2] == play_hand(other, 8)[:2]
    assert play_hand(env, None)[:2] == play_hand(other, None)[:2]
    first = env.reset(seed=8)[0]["observation"]
    assert first.tobytes() == other.reset(seed=8)[0]["observation"].tobytes()
    assert first.tobytes() != other.reset()[0]["observation"].tobytes()


def test_copies():
    env = SingleSeatEnv()
    observation, _ = env.reset(seed=3)
    over, number = False, 0
    while not over:
        twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        action = pick(observation["action_mask"], number)
        results = [twin.step(action) for twin in twins]
        observation, reward, over, _, _info = env.step(action)
        for result in results:
            assert result[0]["observation"].tobytes() == observation["observation"].tobytes()
            assert result[1] == reward
        number += 1


# ------------------------------------------------------------------ opponents


def test_opponents_are_asked_for_their_seats_only():
    shared = Lowest()
    env = SingleSeatEnv(seat=1, opponents=shared)
    play_hand(env, 3)
    assert set(shared.seats) == {0, 2, 3}
    three = [Lowest(), Lowest(), Lowest()]
    play_hand(SingleSeatEnv(seat=1, opponents=three), 3)
    assert [set(one.seats) for one in three] == [{2}, {3}, {0}]


def test_functions_and_mixtures_play_the_same_as_objects():
    results = [
        play_hand(SingleSeatEnv(seat=0, opponents=given), 6)[:2]
        for given in (Lowest(), lambda views, mask, keys: mask.argmax(axis=1), [Lowest(), Lowest().act, Lowest()])
    ]
    assert results[0] == results[1] == results[2]
    play_hand(SingleSeatEnv(seat=0, opponents=["random", Lowest(), "uniform"]), 6)


def test_compiled_opponents_equal_their_uncompiled_twins():
    from tarock_env.engine import loops

    def uniform(views, mask, keys):
        actions = np.empty(len(mask), np.int64)
        loops.sample_mask(np.ascontiguousarray(mask, bool), keys, actions)
        return actions

    for seed in range(5):
        compiled, plain = SingleSeatEnv(seat=2, opponents="uniform"), SingleSeatEnv(seat=2, opponents=uniform)
        assert play_hand(compiled, seed)[2]["record"] == play_hand(plain, seed)[2]["record"]


def test_an_opponents_illegal_action_is_its_error():
    env = SingleSeatEnv(seat=0, opponents=lambda views, mask, keys: mask.argmin(axis=1))
    with pytest.raises(IllegalAction):
        play_hand(env, 1)


def test_bad_opponents():
    with pytest.raises(ValueError, match="allowed: one for all other seats, or 3"):
        SingleSeatEnv(opponents=["random"])
    with pytest.raises(ValueError, match="allowed: a spec, an object with act"):
        SingleSeatEnv(opponents=7)


def test_specs_are_resolved_by_registries(monkeypatch):
    monkeypatch.setattr(registry, "_resolvers", [])
    with pytest.raises(ValueError, match=r"'lowest'; known are random, uniform, and more after `import agents`"):
        SingleSeatEnv(opponents="lowest")

    def resolver(spec, engine):
        if spec != "lowest":
            raise ValueError(f"no agent {spec!r}")
        return Lowest()

    registry.register(resolver)
    play_hand(SingleSeatEnv(opponents="lowest"), 1)
    with pytest.raises(ValueError, match="no agent 'highest'"):
        SingleSeatEnv(opponents="highest")


def test_rendering(capsys):
    env = SingleSeatEnv(seat=0, render_mode="human")
    env.reset(seed=1)
    shown = capsys.readouterr().out
    assert "you" in shown
    assert shown.count("(hidden)") == 3
