"""The heuristic in bulk: its contracts, how often declarers win, and by how much it beats chance."""

from __future__ import annotations

import numpy as np
import pytest

import tarock_env
from agents import base
from agents.heuristic.agent import HeuristicAgent
from agents.heuristic.mind import make_mind
from agents.match import play_hands
from tarock_env.codes import Objective
from tarock_env.engine.chance import EVALUATION, make_keys

HANDS = 20_000


@pytest.fixture(scope="module")
def played() -> tuple[tarock_env.Engine, np.ndarray]:
    engine = tarock_env.make("koenigrufen_pagat")
    state = engine.reset(keys=make_keys(HANDS, 1, EVALUATION))
    HeuristicAgent(engine).playout(state)
    return engine, state


def share(engine: tarock_env.Engine, state: np.ndarray, *contracts: str) -> float:
    """The share of hands that were played in these contracts."""
    ids = [row.id for row in engine.ruleset.contracts]
    return float(np.isin(state["contract"], [ids.index(name) for name in contracts]).mean())


def test_contract_mix_is_that_of_people(played: tuple[tarock_env.Engine, np.ndarray]) -> None:
    engine, state = played
    assert share(engine, state, "rufer") > 0.2
    assert 0.15 < share(engine, state, "dreier") < 0.45
    assert 0.05 < share(engine, state, "trischaken") < 0.22
    assert share(engine, state, "sechserdreier") < 0.18
    assert 0.005 < share(engine, state, "piccolo", "zwiccolo", "bettel", "piccolo_ouvert", "bettel_ouvert") < 0.08
    assert share(engine, state, "solodreier") < 0.01


@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_declarers_with_an_exchange_mostly_win(ruleset: str) -> None:
    engine = tarock_env.make(ruleset)
    state = engine.reset(keys=make_keys(HANDS, 2, EVALUATION))
    HeuristicAgent(engine).playout(state)
    assert state["done"].all()
    for k, row in enumerate(engine.ruleset.contracts):
        hands = state[state["contract"] == k]
        if row.objective == Objective.POINTS and row.takes and len(hands) > 200:
            won = (hands["item_value"][:, 0] > 0).mean()
            assert 0.5 < won < (0.95 if row.rank <= 2 or row.takes == 6 or row.demands else 0.85), row.id


def test_announcements_are_mostly_made(played: tuple[tarock_env.Engine, np.ndarray]) -> None:
    engine, state = played
    made, said = 0, 0
    for b in range(1, len(engine.ruleset.bonuses) + 1):
        rows = state[state["announced"][:, 0, b] > 0]
        own = (rows["item_kind"] == b) & (rows["item_side"] == 0)
        made += int(((rows["item_value"] * own).sum(axis=1) > 0).sum())
        said += len(rows)
    assert said > 0.02 * HANDS
    assert made / said > 0.6


def test_beats_random_at_every_table() -> None:
    for ruleset in tarock_env.available():
        engine = tarock_env.make(ruleset)
        agents = [base.make("heuristic", engine), base.make("random", engine)]
        deals, P = 600, engine.P
        gained = np.zeros(deals)
        for seat in range(P):
            state = engine.reset(keys=make_keys(deals, 3, EVALUATION))
            play_hands(engine, state, agents, [0 if s == seat else 1 for s in range(P)])
            scores = state["scores"][:, :P].astype(float)
            gained += (scores[:, seat] - scores.mean(axis=1)) / P
        assert gained.mean() - 1.96 * gained.std(ddof=1) / np.sqrt(deals) > 0, ruleset


def test_other_weights_change_the_play_and_bad_ones_are_named() -> None:
    engine = tarock_env.make("koenigrufen_pagat")
    bold, plain = HeuristicAgent(engine, margin=-8.0), HeuristicAgent(engine)
    assert not hasattr(bold, "compiled")
    start = engine.reset(500, seed=4)
    one, other = engine.copy(start), engine.copy(start)
    bold.playout(one)
    plain.playout(other)
    assert one.tobytes() != other.tobytes()
    with pytest.raises(ValueError, match="no weight 'marign'"):
        make_mind(marign=1.0)
