"""Opponents that are driven play the games that they would play if asked through `act`."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import tarock_env
from agents import base
from agents.heuristic.agent import HeuristicAgent
from agents.random_agent import RandomAgent
from tarock_env import record
from tarock_env.engine.batch import Engine
from tarock_env.engine.single import OUTSIDE
from tarock_env.engine.state import as_bytes
from tarock_env.envs.opponents import Driver, PlainDriver, driven, seat_opponents
from tarock_env.envs.seat_games import SeatGames
from tarock_env.envs.single_seat import SingleSeatEnv
from tarock_env.envs.vector import TarockVectorEnv
from tests.envs.playing import RULESETS, pick

B = 7


def asked(spec: str, ruleset: str) -> Any:
    """The agent of a spec behind its `act` only."""
    return base.make(spec, tarock_env.make(ruleset)).act


def lowest(views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
    return mask.argmax(axis=1)


@pytest.fixture
def unasked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes when the heuristic or a random agent is asked."""
    calls: list[str] = []
    for agent in (HeuristicAgent, RandomAgent):

        def act(self: Any, *told: np.ndarray, inner: Any = agent.act) -> np.ndarray:
            calls.append(self.name)
            return np.asarray(inner(self, *told))

        monkeypatch.setattr(agent, "act", act)
    return calls


def episode(env: SingleSeatEnv, seed: int) -> list[Any]:
    """All that a learner is told in one game: observations, masks, rewards, ends, infos."""
    observation, info = env.reset(seed=seed)
    told: list[Any] = [info]
    over = False
    while not over:
        told.append((observation["observation"].tobytes(), observation["action_mask"].tobytes()))
        observation, reward, over, _, info = env.step(pick(observation["action_mask"], len(told)))
        told.append((reward, over, {name: value for name, value in info.items() if name != "action_mask"}))
    return told[1:]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("hands", [1, 2])
def test_a_learner_is_told_the_same(ruleset: str, hands: int, unasked: list[str]) -> None:
    fast, slow = (SingleSeatEnv(ruleset, opponents=o, hands=hands) for o in ("heuristic", asked("heuristic", ruleset)))
    for seed in range(3):
        told = episode(fast, seed)
        assert unasked == []
        assert told == episode(slow, seed)
        assert record.verify(told[-1][2]["record"]) == []
        assert unasked
        unasked.clear()


def mixed(ruleset: str, *, driven: bool) -> list[Any]:
    """A heuristic, a random player and a function, as many as the table seats."""
    names = ("heuristic", "random") if driven else (asked("heuristic", ruleset), asked("random", ruleset))
    return [*names, lowest][: tarock_env.make(ruleset).P - 1]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_mixed_tables_play_the_same(ruleset: str, unasked: list[str]) -> None:
    """Seven sessions of two hands, to the byte: states, logs, rewards, records."""
    engine = tarock_env.make(ruleset)
    both = [
        SeatGames(engine, B, "random", seat_opponents(mixed(ruleset, driven=driven), engine), length=2, logged=True)
        for driven in (True, False)
    ]
    for number, games in enumerate(both):
        games.seed(np.arange(B, dtype=np.uint64))
        games.deal(np.arange(B))
        for step in range(400):
            if games.state["done"].all():
                break
            legal = engine.legal(games.state)
            games.play(np.array([pick(row, step) if row.any() else 0 for row in legal]))
            games.advance()
        assert bool(unasked) == (number == 1)
    fast, slow = both
    assert fast.state["session_over"].all()
    assert as_bytes(fast.state).tobytes() == as_bytes(slow.state).tobytes()
    assert fast.log.tobytes() == slow.log.tobytes()
    assert fast.paid.tolist() == slow.paid.tolist()
    assert sorted(map(repr, fast.results)) == sorted(map(repr, slow.results))
    assert len(fast.results) == (fast.state["hand_no"] + 1).sum() >= B


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_vectors_play_the_same(mode: str, unasked: list[str]) -> None:
    ruleset = "tarok_furr_3p"
    fast, slow = (
        TarockVectorEnv(B, ruleset, opponents=mixed(ruleset, driven=driven), hands=2, autoreset_mode=mode)
        for driven in (True, False)
    )
    a, b = fast.reset(seed=4)[0], slow.reset(seed=4)[0]
    ended = 0
    for step in range(80):
        assert all(a[name].tobytes() == b[name].tobytes() for name in a)
        chosen = np.array([pick(row, step) if row.any() else 0 for row in a["action_mask"]])
        unasked.clear()
        a, rewards, over, _, infos = fast.step(chosen)
        assert unasked == []
        b, others, also, _, told = slow.step(chosen)
        assert (rewards.tolist(), over.tolist()) == (others.tolist(), also.tolist())
        assert {
            name: np.asarray(v).tolist() for name, v in infos.items() if name != "final_obs" and name != "final_info"
        } == {name: np.asarray(v).tolist() for name, v in told.items() if name != "final_obs" and name != "final_info"}
        ended += int(over.sum())
    assert ended >= B


def test_the_first_driver_drives_all_its_equals() -> None:
    engine = tarock_env.make("koenigrufen_pagat")
    plain, bold = HeuristicAgent(engine), HeuristicAgent(engine, pass_value=-20.0)
    heuristic = plain.driver.policy

    def policies(*given: Any) -> list[int]:
        return driven(seat_opponents(list(given), engine))[1]

    assert policies("heuristic", "heuristic", HeuristicAgent(engine)) == [heuristic] * 3
    assert policies("uniform", lowest, "random") == [0, OUTSIDE, 1]
    assert policies("random", bold, lowest) == [1, heuristic, OUTSIDE]
    assert policies(plain, bold, plain) == [heuristic, OUTSIDE, heuristic]
    assert policies(bold, plain, "uniform") == [heuristic, OUTSIDE, 0]
    assert policies(plain.act, bold.act, "random") == [OUTSIDE, OUTSIDE, 1]
    assert isinstance(driven(seat_opponents(plain.act, engine))[0], PlainDriver)
    assert driven(seat_opponents([plain, bold, "random"], engine))[0] == plain.driver
    assert driven(seat_opponents([bold, plain, "random"], engine))[0] == bold.driver != plain.driver


def test_weights_are_the_agents_own() -> None:
    """Tables of two heuristics play as if both were asked, and not as two of either."""
    engine = tarock_env.make("koenigrufen_pagat")
    plain, bold = HeuristicAgent(engine), HeuristicAgent(engine, pass_value=-20.0)
    tables = [[plain, bold, bold], [plain.act, bold.act, bold.act], [bold, plain, plain], [bold.act, plain.act, plain.act]]
    told = [[episode(SingleSeatEnv(seat=0, opponents=table), seed) for seed in range(4)] for table in tables]
    assert told[0] == told[1]
    assert told[2] == told[3]
    alone = [[episode(SingleSeatEnv(seat=0, opponents=one), seed) for seed in range(4)] for one in (plain, bold)]
    assert all(table not in alone for table in told)


def test_copies_and_pickles_are_driven_too(unasked: list[str]) -> None:
    env = SingleSeatEnv(opponents=["heuristic", "random", "heuristic"])
    env.reset(seed=3)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert driven(twin.games.opponents) == driven(env.games.opponents)
        assert episode(twin, 5) == episode(env, 5)
    assert unasked == []


class Numbered(Driver):
    """A driver with a number of its own."""

    def __init__(self, policy: int) -> None:
        self.policy = policy

    def advance(self, state: np.ndarray, rules: np.ndarray, seated: np.ndarray, keys: np.ndarray, log: np.ndarray) -> int:
        raise AssertionError("never asked for")


class Bearer:
    """An agent with something under the name `driver`."""

    def __init__(self, driver: object) -> None:
        self.driver = driver

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        return mask.argmax(axis=1)


@pytest.mark.parametrize("policy", [-1, 0, 1, 2])
def test_numbers_of_others_are_refused(policy: int) -> None:
    with pytest.raises(ValueError, match=f"policy of a driver is {policy}; allowed: all numbers but -1, 0, 1, 2"):
        SingleSeatEnv(opponents=Bearer(Numbered(policy)))


def test_what_is_no_driver_gets_no_games() -> None:
    """Something else of that name, even with the same methods, is left alone, and the agent is asked."""

    class Alike:
        policy = 7
        advance = Numbered.advance

    engine: Engine = tarock_env.make("koenigrufen_pagat")
    for given in (Alike(), "chauffeur", None, Numbered):
        assert [one.driver for one in seat_opponents(Bearer(given), engine)] == [None] * 3
        assert episode(SingleSeatEnv(opponents=Bearer(given)), 1) == episode(SingleSeatEnv(opponents=lowest), 1)
