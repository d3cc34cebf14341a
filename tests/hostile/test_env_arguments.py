"""Junk as arguments of the environments, before and during a game: documented errors, and the game goes on as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tarock_env import tarock_v0
from tarock_env.engine.state import as_bytes
from tarock_env.envs.single_seat import SingleSeatEnv
from tarock_env.envs.vector import TarockVectorEnv
from tests.hostile.junk import anything

QUICK = settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
LONG = settings(QUICK, max_examples=1500)
RULESET = "koenigrufen_pagat"

MAKERS: dict[str, Callable[..., Any]] = {
    "aec": lambda **kw: tarock_v0.env(RULESET, **kw),
    "single": lambda **kw: SingleSeatEnv(RULESET, **kw),
    "vector": lambda **kw: TarockVectorEnv(3, RULESET, **kw),
}
OPTIONS = ("deal", "dealer", "contract", "declarer", "before")

#: (environment, call) -> function of (environment, junk)
CALLS: dict[tuple[str, str], Callable[[Any, Any], Any]] = {
    **{(name, "step"): lambda env, x: env.step(x) for name in MAKERS},
    **{(name, "reset seed"): lambda env, x: env.reset(seed=x) for name in MAKERS},
    **{(name, "reset options"): lambda env, x: env.reset(options=x) for name in MAKERS},
    **{
        (name, f"reset {option}"): lambda env, x, option=option: env.reset(options={option: x})
        for name in ("aec", "single")
        for option in OPTIONS
    },
    ("aec", "declarer of a contract"): lambda env, x: env.reset(options={"contract": "solorufer", "declarer": x}),
    ("aec", "deal without cards"): lambda env, x: env.reset(options={"deal": {"hands": x, "talon": x}}),
    ("vector", "reset mask"): lambda env, x: env.reset(options={"reset_mask": x}),
    ("vector", "seeds"): lambda env, x: env.reset(seed=[1, x, 2]),
    ("aec", "observe"): lambda env, x: env.observe(x),
    ("aec", "view"): lambda env, x: env.view(x),
}


def begun(name: str) -> Any:
    """An environment in a game, some steps on."""
    env = MAKERS[name]()
    env.reset(seed=5)
    for _ in range(2):
        masks = env.observe(env.agent_selection)["action_mask"] if name == "aec" else env.action_masks()
        actions = np.asarray(masks).reshape(-1, env.engine.A).argmax(axis=1)
        env.step(actions if name == "vector" else int(actions[0]))
    return env


def contents(env: Any) -> bytes:
    """The state of the games."""
    return as_bytes(env._state if hasattr(env, "_state") else env.games.state).tobytes()


def check_call(key: tuple[str, str], junk: Any, fresh: bool) -> None:
    """A call works, or raises an error that is documented, and the game is the one that it was."""
    env = MAKERS[key[0]]() if fresh else begun(key[0])
    before = contents(env)
    try:
        CALLS[key](env, junk)
    except (ValueError, ResetNeeded) as error:
        assert str(error)
        assert contents(env) == before


@pytest.mark.filterwarnings("ignore:reset options")
@pytest.mark.parametrize("key", CALLS, ids=lambda key: "-".join(key))
@QUICK
@given(anything, st.booleans())
def test_calls_with_anything(key: tuple[str, str], junk: Any, fresh: bool) -> None:
    check_call(key, junk, fresh)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:reset options")
@pytest.mark.parametrize("key", CALLS, ids=lambda key: "-".join(key))
@LONG
@given(anything, st.booleans())
def test_calls_with_anything_at_length(key: tuple[str, str], junk: Any, fresh: bool) -> None:
    check_call(key, junk, fresh)


ARGUMENTS = ("ruleset", "reward", "on_illegal", "render_mode", "hands", "session", "seat", "opponents", "autoreset_mode",
             "num_envs", "kontra_max", "nothing_known")  # fmt: skip
TAKEN = {
    "aec": {"seat", "opponents", "autoreset_mode", "num_envs"},
    "single": {"autoreset_mode", "num_envs"},
    "vector": set(),
}
CLASSES = {"aec": tarock_v0.env, "single": SingleSeatEnv, "vector": TarockVectorEnv}


@pytest.mark.parametrize("name", CLASSES)
@settings(QUICK, max_examples=100)
@given(st.sampled_from(ARGUMENTS), anything)
def test_environments_are_made_or_refused(name: str, argument: str, junk: Any) -> None:
    if argument in TAKEN[name]:  # an option that the ruleset does not have
        junk = None
    if argument == "num_envs" and isinstance(junk, int) and junk > 100:
        return  # a matter of memory
    try:
        CLASSES[name](**{argument: junk})
    except ValueError as error:
        assert str(error)


@pytest.mark.parametrize("call", ["observe", "last", "state", "view", "render", "choose", "step"])
def test_there_is_no_game_before_reset(call: str) -> None:
    arguments = {"observe": ("player_0",), "view": ("player_0",), "choose": (None,), "step": (0,)}.get(call, ())
    with pytest.raises(ResetNeeded):
        getattr(tarock_v0.env(RULESET), call)(*arguments)


@pytest.mark.parametrize("call", ["view", "render", "choose", "step", "action_masks"])
def test_the_learner_has_no_game_before_reset(call: str) -> None:
    arguments = {"choose": (None,), "step": (0,)}.get(call, ())
    with pytest.raises(ResetNeeded):
        getattr(SingleSeatEnv(RULESET), call)(*arguments)
