"""Fields of views that no observation shows, and what a layout publishes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tarock_env
from tarock_env.codes import Phase
from tarock_env.encoding import layout
from tarock_env.engine.state import STATE
from tarock_env.view import VIEW, observe

RULESETS = tarock_env.available()
#: fields of both records of which a view may hold less than the state
FILTERED = {"hand", "taken", "discards", "won", "called", "talon", "legal_cards", "legal_calls", "knocked"}
PUBLIC = sorted((set(VIEW.names or ()) & set(STATE.names or ())) - FILTERED)


def decisions(ruleset: str, n: int, **options: Any) -> Any:
    """(engine, state) at each step of some hands."""
    engine = tarock_env.make(ruleset, **options)
    state = engine.reset(n, seed=8)
    while not state["done"].all():
        yield engine, state
        engine.playout(state, "balanced", limit=1)
    yield engine, state


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_public_stands_in_every_view_as_it_is(ruleset: str) -> None:
    assert len(PUBLIC) > 40
    for engine, state in decisions(ruleset, 24):
        for seat in range(engine.P):
            view = observe(engine, state, seat)
            assert (view["seat"] == seat).all()
            assert [name for name in PUBLIC if not np.array_equal(view[name], state[name])] == []
            assert np.array_equal(view["hand"], state["hands"][:, seat])
            assert np.array_equal(view["was_called"], state["called"] >= 0)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_legal_actions_are_shown_to_the_seat_to_act_only(ruleset: str) -> None:
    for engine, state in decisions(ruleset, 24):
        for seat in range(engine.P):
            view, mine = observe(engine, state, seat), state["actor"] == seat
            for name in ("legal_cards", "legal_calls"):
                assert np.array_equal(view[name], np.where(mine, state[name], 0))


@pytest.mark.parametrize("knock", ["agent", "random", "always"])
def test_a_knock_shows_once_it_was_made(knock: str) -> None:
    phases, knocked = set(), 0
    for engine, state in decisions("koenigrufen_pagat", 40, knock=knock):
        before = state["phase"] == Phase.CUT
        for seat in range(4):
            assert np.array_equal(observe(engine, state, seat)["knocked"], np.where(before, 0, state["knocked"]))
        phases |= set(state["phase"].tolist())
        knocked += int(state["knocked"].sum())
    assert {Phase.CUT, Phase.PACKET} <= phases
    assert knocked > 0


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_layout_publishes_the_observation_first_and_then_what_only_critics_see(ruleset: str) -> None:
    plan = layout(tarock_env.load(ruleset))
    full = list(plan.full_slices.items())
    assert [name for name, _ in full[-3:]] == ["all_hands", "hidden_talon_and_discards", "true_sides"]
    assert plan.slices == dict(full[:-3])
    assert full[0][1].start == 0
    assert all(one.stop == other.start for (_, one), (_, other) in zip(full, full[1:], strict=False))
    assert (plan.F, plan.F_full) == (full[-4][1].stop, full[-1][1].stop)
    assert plan.offsets[: len(full)].tolist() == [part.start for _, part in full]
    assert not plan.offsets.flags.writeable
