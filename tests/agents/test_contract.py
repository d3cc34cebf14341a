"""What every agent keeps to, whatever it is: shapes, legality, row by row, keys, nothing changed."""

from __future__ import annotations

import numpy as np
import pytest

import tarock_env
from agents import base
from agents.match import Match, decision_keys, play_hands
from tarock_env.codes import Phase
from tarock_env.engine.chance import make_keys
from tarock_env.view import observe

SPECS = ("random", "uniform", "heuristic")
RULESETS = tarock_env.available()


class Through:
    """An agent behind its `act` only, without the compiled path."""

    def __init__(self, agent: base.Agent) -> None:
        self.name, self.agent = agent.name, agent

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        return self.agent.act(views, mask, keys)


class Lowest:
    """The ten-line agent of the documentation."""

    name = "lowest"

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        return mask.argmax(axis=1)


def spread(engine: tarock_env.Engine, n: int) -> np.ndarray:
    """Hands at decisions of all phases: balanced auctions, stopped after 0, 1, 2 … decisions."""
    state = engine.reset(n, seed=31)
    for row in range(n):
        part = state[row : row + 1]
        engine.playout(part, "balanced", limit=row % 75)
    return engine.take(state, np.flatnonzero(~state["done"]))


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("spec", SPECS)
def test_rows_are_legal_and_stand_alone(ruleset: str, spec: str) -> None:
    engine = tarock_env.make(ruleset)
    agent = base.make(spec, engine)
    state = spread(engine, 300)
    assert {Phase.AUCTION, Phase.DISCARD, Phase.ANNOUNCE, Phase.PLAY} <= set(state["phase"].tolist())
    views, mask, keys = observe(engine, state), engine.legal(state), make_keys(len(state), 5)
    before = views.tobytes(), mask.copy(), keys.copy()
    actions = agent.act(views, mask, keys)
    assert actions.dtype == np.int64
    assert actions.shape == (len(state),)
    assert mask[np.arange(len(state)), actions].all()
    alone = [agent.act(views[i : i + 1], mask[i : i + 1], keys[i : i + 1])[0] for i in range(len(state))]
    assert actions.tolist() == alone
    assert views.tobytes() == before[0]
    assert (mask == before[1]).all()
    assert (keys == before[2]).all()


@pytest.mark.parametrize("spec", SPECS)
def test_keys_decide(spec: str) -> None:
    engine = tarock_env.make("koenigrufen_pagat")
    agent = base.make(spec, engine)
    state = spread(engine, 200)
    views, mask, keys = observe(engine, state), engine.legal(state), make_keys(len(state), 5)
    first = agent.act(views, mask, keys)
    assert (agent.act(views, mask, keys) == first).all()
    other = agent.act(views, mask, make_keys(len(state), 6))
    assert (other != first).any() == (spec != "heuristic")


def test_compiled_agents_play_as_through_act() -> None:
    engine = tarock_env.make("koenigrufen_pagat")
    agents = [base.make(spec, engine) for spec in SPECS]
    seating = np.array([[0, 1, 2, 2], [2, 0, 1, 2], [2, 2, 2, 2]])[np.arange(300) % 3]
    start = engine.reset(300, seed=2)
    fast, slow = engine.copy(start), engine.copy(start)
    log, slow_log = engine.new_log(300), engine.new_log(300)
    made = play_hands(engine, fast, agents, seating, log=log)
    assert made == play_hands(engine, slow, [Through(agent) for agent in agents], seating, log=slow_log)
    assert made == int(fast["n_actions"].sum())
    assert fast.tobytes() == slow.tobytes()
    assert (log == slow_log).all()


def test_hands_stop_at_an_outside_seat() -> None:
    engine = tarock_env.make("koenigrufen_pagat")
    state = engine.reset(64, seed=9)
    match = Match(engine, [base.make("heuristic", engine)], [0, 0, -1, 0])
    while not state["done"].all():
        match.play(state)
        waiting = np.flatnonzero(~state["done"])
        assert (state["actor"][waiting] == 2).all()
        mask = engine.legal(state)
        engine.step(state, engine.sample(mask, decision_keys(state, engine.hand_keys(state))))


def test_agents_of_ones_own() -> None:
    base.register("lowest", lambda argument, engine, device: Lowest())
    engine = tarock_env.make("koenigrufen_pagat")
    agent = base.make("lowest", engine)
    assert isinstance(agent, base.Agent)
    state = engine.reset(8, seed=1)
    play_hands(engine, state, [agent, base.make("heuristic", engine)], [0, 1, 0, 1])
    assert state["done"].all()
    with pytest.raises(ValueError, match="taken"):
        base.register("lowest", lambda argument, engine, device: Lowest())
    with pytest.raises(ValueError, match="without colon"):
        base.register("a:b", lambda argument, engine, device: Lowest())


@pytest.mark.parametrize("spec", ["", "heuristics", "random:7", "ppo", "heuristic:", "Random"])
def test_unknown_specs_are_named(spec: str) -> None:
    engine = tarock_env.make("koenigrufen_pagat")
    with pytest.raises(ValueError, match=r"no agent '|cannot be made") as error:
        base.make(spec, engine)
    assert repr(spec) in str(error.value)


def test_seating_is_checked() -> None:
    engine = tarock_env.make("koenigrufen_pagat")
    agent = base.make("random", engine)
    with pytest.raises(ValueError, match="2 agents"):
        Match(engine, [agent, agent])
    with pytest.raises(ValueError, match="shape"):
        Match(engine, [agent], [0, 0, 0])
    with pytest.raises(ValueError, match="outside"):
        Match(engine, [agent], [0, 0, 0, 1])


def test_random_bids_by_its_weights() -> None:
    """Forehand's choice after a passed-out wait: contracts in proportion to the weights of the contract table."""
    engine = tarock_env.make("koenigrufen_pagat")
    start = engine.reset(40_000, seed=3)
    wait, passed = engine.actions.index("wait"), engine.actions.index("pass")
    for action in (wait, passed, passed, passed):
        engine.step(start, np.full(len(start), action))
    assert (start["phase"] == Phase.CHOICE).all()
    views, mask = observe(engine, start), engine.legal(start)
    actions = base.make("random", engine).act(views, mask, make_keys(len(start), 4))
    contracts = engine.ruleset.contracts
    total = sum(row.bid_weight for row in contracts)
    for row in contracts:
        share = (actions == engine.actions.index(f"bid:{row.id}")).mean()
        assert share == pytest.approx(row.bid_weight / total, abs=0.01)
