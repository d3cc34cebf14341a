"""What the compiled entries and tables promise beside the rules: empty tables, counts, lengths."""

from __future__ import annotations

import numpy as np
import pytest

import tarock_env
from tarock_env.codes import Phase
from tarock_env.engine import loops, policies
from tarock_env.engine.batch import NO_LOG
from tarock_env.engine.single import OUTSIDE, advance_all
from tarock_env.engine.state import SEATS, STATE
from tarock_env.engine.tables import RULES


@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_a_ruleset_is_one_record(ruleset: str) -> None:
    rules = tarock_env.make(ruleset).rules
    assert (rules.shape, rules.dtype) == ((1,), RULES)


def test_an_empty_table_is_in_no_phase_and_on_nobodys_turn() -> None:
    state = np.zeros(3, STATE)
    loops.clear_all(state, tarock_env.make("koenigrufen_pagat").rules)
    assert state["phase"].tolist() == [Phase.DONE] * 3
    assert (state["actor"] == -1).all()
    assert not state["hands"].any()


@pytest.mark.parametrize("learner", [None, 2])
def test_advancing_tells_how_many_decisions_it_made(learner: int | None) -> None:
    engine = tarock_env.make("koenigrufen_pagat")
    state = engine.reset(50, seed=9)
    seated = np.full((50, SEATS), policies.RANDOM, np.int64)
    if learner is not None:
        seated[:, learner] = OUTSIDE
    made = advance_all(state, engine.rules, seated, engine.hand_keys(state), NO_LOG)
    assert made == state["n_actions"].sum() > 0
    assert state["done"].all() == (learner is None)
