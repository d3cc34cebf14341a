"""Mistakes of one change nothing for others: opponents that fail, agents that answer nonsense, results that are edited."""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tarock_env
from tarock_env import BadAction, record, tarock_v0
from tarock_env.envs.single_seat import SingleSeatEnv
from tarock_env.envs.vector import TarockVectorEnv


class Failing:
    """Plays the lowest legal action, and fails at one of its calls."""

    def __init__(self, at: int, how: Callable[[np.ndarray], Any]) -> None:
        self.calls, self.at, self.how = 0, at, how

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> Any:
        self.calls += 1
        return self.how(mask) if self.calls == self.at else mask.argmax(axis=1)


def stops(mask: np.ndarray) -> Any:
    raise LookupError("lost")


FAILURES = {"error": stops, "illegal": lambda mask: (~mask).argmax(axis=1), "float": lambda mask: mask.argmax(axis=1) * 1.0,
            "ragged": lambda mask: [[1], [2, 3]]}  # fmt: skip


MAKERS = [
    pytest.param(SingleSeatEnv, id="single"),
    pytest.param(functools.partial(TarockVectorEnv, 3), id="vector"),
    pytest.param(functools.partial(TarockVectorEnv, 3, autoreset_mode="SAME_STEP"), id="same step"),
]


def lowest(observation: dict[str, np.ndarray]) -> Any:
    return observation["action_mask"].argmax(axis=-1)


def story(env: Any, steps: int, patience: int) -> tuple[list[bytes], int]:
    """Everything that the learners of some steps saw, when each step that failed is made again; and how many failed."""
    seen, failed = [], 0
    calls: list[Callable[[], Any]] = [lambda: env.reset(seed=3)] + [lambda: env.step(lowest(latest))] * steps
    over, latest = False, {}
    for call in calls:
        if over is True:
            call = env.reset
        for _ in range(patience):
            try:
                latest, *rest = call()
                break
            except (LookupError, ValueError):
                failed += 1
        over = rest[1] if len(rest) > 1 else False
        told = [part for part in rest if not isinstance(part, dict)]
        seen.append(repr((latest["observation"].tobytes(), latest["action_mask"].tobytes(), told)).encode())
    return seen, failed


@pytest.mark.parametrize("kind", FAILURES)
@pytest.mark.parametrize("at", [1, 2, 9, 31, 73])  # 73: the deal of the next game, with SAME_STEP
@pytest.mark.parametrize("make", MAKERS)
def test_a_step_in_which_an_opponent_fails_did_not_happen(make: Any, at: int, kind: str) -> None:
    opponent = Failing(at, FAILURES[kind])
    found, failed = story(make(seat=0, opponents=opponent), 40, 2)
    wanted, none = story(make(seat=0, opponents=Failing(0, stops)), 40, 1)
    assert (failed, none) == (1, 0)
    assert found == wanted


def test_after_an_opponent_failed_the_learner_still_sees_and_plays_his_own_cards_only() -> None:
    env = SingleSeatEnv(seat=0, opponents=Failing(20, stops))
    observation, _ = env.reset(seed=3)
    with contextlib.suppress(LookupError):
        while True:
            observation, _, over, _, _ = env.step(int(lowest(observation)))
            assert not over
    assert int(env.games.state["actor"][0]) == 0
    assert np.array_equal(env.action_masks(), observation["action_mask"].astype(bool))


def test_seeds_of_rows_that_do_not_start_anew_are_left_alone() -> None:
    def played(again: bool) -> list[tuple[bytes, float]]:
        env = TarockVectorEnv(2, seat=0)
        observation, _ = env.reset(seed=5)
        if again:
            observation, _ = env.reset(seed=900, options={"reset_mask": np.array([True, False])})
        told = []
        for _ in range(80):
            observation, rewards, *_ = env.step(lowest(observation))
            told.append((observation["observation"][1].tobytes(), float(rewards[1])))
        return told

    assert played(True) == played(False)


def test_a_reset_of_some_rows_plays_the_games_of_their_new_seeds() -> None:
    env, fresh = TarockVectorEnv(2, seat=0), TarockVectorEnv(2, seat=0)
    env.reset(seed=5)
    some, _ = env.reset(seed=900, options={"reset_mask": np.array([True, False])})
    whole, _ = fresh.reset(seed=900)
    for _ in range(80):
        assert some["observation"][0].tobytes() == whole["observation"][0].tobytes()
        some, whole = env.step(lowest(some))[0], fresh.step(lowest(whole))[0]


def test_rows_that_never_began_cannot_be_left_out() -> None:
    env = TarockVectorEnv(2, seat=0)
    with pytest.raises(ValueError, match="reset_mask leaves out row 1, which has no game yet"):
        env.reset(seed=1, options={"reset_mask": np.array([True, False])})


@pytest.mark.parametrize("seed", [np.int64(3), np.uint8(3), np.uint64(3)])
def test_numbers_of_numpy_are_seeds(seed: Any) -> None:
    for env in (SingleSeatEnv(seat=0), TarockVectorEnv(1, seat=0)):
        one, other = env.reset(seed=seed)[0], env.reset(seed=3)[0]
        assert one["observation"].tobytes() == other["observation"].tobytes()


# ------------------------------------------------------------------ what agents answer

ANSWERS = {"float": [54.9], "NaN": [float("nan")], "bool": [True], "text": ["54"], "bytes": b"6", "two": [54, 55],
           "none": None, "nothing": [], "scalar": 54, "ragged": [[1], [2, 3]], "time": np.array([54], "m8[s]"),
           "huge": [10**30]}  # fmt: skip


class Answering:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> Any:
        return self.answer


@pytest.mark.parametrize("name", ANSWERS)
def test_only_whole_numbers_are_choices(name: str) -> None:
    player = Answering(ANSWERS[name])
    aec, single = tarock_v0.env(), SingleSeatEnv(seat=0)
    aec.reset(seed=1)
    single.reset(seed=1)
    for choose in (aec.choose, single.choose):
        with pytest.raises(BadAction, match=r"an agent returned .*; allowed: whole numbers of shape \(1,\)"):
            choose(player)
    assert aec.choose(Answering(np.array([54], np.uint8))) == 54
    assert single.choose(Answering([54])) == 54


@pytest.mark.parametrize("action", [np.array(54, "m8[ns]"), np.array([54], "M8[ns]"), np.timedelta64(54, "ns")])
def test_times_are_no_actions(action: Any) -> None:
    aec, single = tarock_v0.env(on_illegal="raise"), SingleSeatEnv(seat=0, on_illegal="raise")
    aec.reset(seed=1)
    single.reset(seed=1)
    for step in (aec.step, single.step):
        with pytest.raises(BadAction, match="whole number"):
            step(action)


# ------------------------------------------------------------------ results


def finished(**options: Any) -> Any:
    env = tarock_v0.raw_env("illustrated_tarock", **options)
    env.reset(seed=1)
    while not env.terminations["player_0"]:
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    return env


def test_what_one_agent_does_to_its_record_nobody_else_sees() -> None:
    env = finished(p1_values={"with_40": 7})
    before = copy.deepcopy(dict(env.infos["player_1"]["record"]))
    mine, copied = env.infos["player_0"]["record"], copy.deepcopy(env).infos["player_0"]["record"]
    for found in (mine, copied, copy.copy(mine)):
        found["scores"][0] = 777
        found["hands"].clear()
        found["options"]["p1_values"]["with_40"] = 99
    assert dict(env.infos["player_1"]["record"]) == before
    assert env.engine.options == {"p1_values": {"with_40": 7}}


def test_an_edited_record_does_not_change_the_engine() -> None:
    engine = tarock_env.make("illustrated_tarock", p1_values={"with_40": 7})
    start, log = engine.reset(1, seed=1), engine.new_log(1)
    engine.playout(engine.copy(start), log=log)
    record.write(engine, start, log)["options"]["p1_values"]["with_40"] = 99
    assert record.write(engine, start, log)["options"] == {"p1_values": {"with_40": 7}}
