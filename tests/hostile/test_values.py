"""Specs, weights and settings that are no such things, given from Python."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tarock_env
from agents import base
from agents.heuristic.mind import LARGEST, WEIGHTS, make_mind
from agents.ppo.config import TrainConfig, from_dict
from tarock_env.rulesets import RulesetError
from tarock_env.rulesets.options import choose
from tarock_env.rulesets.shown import LONGEST, short
from tests.hostile.junk import Unshowable, anything, deep, values

QUICK = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
ENGINE = tarock_env.make("koenigrufen_pagat")
WRONG = (float("nan"), float("inf"), -float("inf"), 1e300, -2 * LARGEST, "1", None, True, [1.0], 1j, np.zeros(1), 10**400)


@pytest.mark.parametrize("value", WRONG, ids=str)
def test_weights_are_numbers_of_a_sane_size(value: Any) -> None:
    with pytest.raises(ValueError, match=r"weight margin is .*; allowed: numbers from -1e\+06 to 1e\+06"):
        make_mind(margin=value)


@pytest.mark.parametrize("value", [LARGEST, -LARGEST, 0, np.float32(1.5), np.int8(-3)])
def test_extreme_weights_still_play(value: Any) -> None:
    from agents.heuristic.agent import HeuristicAgent
    from agents.match import play_hands

    assert make_mind(margin=value)["margin"][0] == value
    state = ENGINE.reset(8, seed=1)
    play_hands(ENGINE, state, [HeuristicAgent(ENGINE, **dict.fromkeys(WEIGHTS, float(value)))])
    assert state["done"].all()


@QUICK
@given(anything)
def test_specs_of_anything(spec: Any) -> None:
    try:
        assert base.make(spec, ENGINE).name == spec
    except ValueError as error:
        assert str(error)


def test_a_spec_names_a_file_that_can_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="it is no regular file"):
        base.make(f"ppo:{tmp_path / 'pipe'}", ENGINE)
    with pytest.raises(ValueError, match="comes with the package"):
        base.make("ppo:builtin/../builtin/koenigrufen_pagat", ENGINE)
    for odd in ("a\0b", "x" * 5000, "\udcff", "."):
        with pytest.raises(ValueError, match="checkpoint"):
            base.make(f"ppo:{odd}", ENGINE)


@QUICK
@given(st.sampled_from(sorted(TrainConfig.__dataclass_fields__)), values)
def test_settings_of_anything(name: str, value: Any) -> None:
    for make in (lambda: from_dict({"decisions": 5, name: value}), lambda: TrainConfig(**{"decisions": 5, name: value})):
        try:
            config = make()
        except ValueError as error:
            assert len(str(error)) < 1000
        else:
            assert getattr(config, name) == value


@QUICK
@given(st.sampled_from(tarock_env.available()), st.integers(0, 40), anything)
def test_options_of_anything(ruleset: str, number: int, value: Any) -> None:
    base_ruleset = tarock_env.load(ruleset)
    name = base_ruleset.options[number % len(base_ruleset.options)].name
    for make in (lambda: tarock_env.load(ruleset, **{name: value}), lambda: choose(base_ruleset, value)):
        try:
            chosen = make()
        except RulesetError as error:
            assert len(str(error)) < 5000
        else:
            assert tarock_env.Engine(chosen).options == dict(chosen.chosen)


@pytest.mark.parametrize(
    "value", [Unshowable(), deep(100_000), 10**5000, "x" * 1000, np.zeros(10**4), "\ud800"], ids=range(6)
)
def test_any_value_is_shown_shortly(value: object) -> None:
    assert 0 < len(short(value)) <= LONGEST
    assert short(value).isascii() or "…" in short(value)
