"""Arguments of the environments and of `make`: options with the names of parameters, and choices that are no text."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest

import tarock_env
from agents import base
from tarock_env import RulesetError, rulesets, tarock_v0
from tarock_env.envs.aec import RawEnv
from tarock_env.envs.checked import CheckedEnv
from tarock_env.envs.single_seat import SingleSeatEnv
from tarock_env.envs.vector import TarockVectorEnv
from tarock_env.rulesets.options import variant
from tarock_env.rulesets.schema import with_defaults

ID = "illustrated_tarock"
WAYS: dict[str, Callable[..., Any]] = {
    "load": lambda **options: tarock_env.load(ID, **options),
    "make": lambda **options: tarock_env.make(ID, **options),
    "env": lambda **options: tarock_v0.env(ID, **options),
    "raw_env": lambda **options: tarock_v0.raw_env(ID, **options),
    "SingleSeatEnv": lambda **options: SingleSeatEnv(ID, **options),
    "TarockVectorEnv": lambda **options: TarockVectorEnv(2, ID, **options),
    "gymnasium.make": lambda **options: gymnasium.make("Tarock-v0", ruleset=ID, **options),
    "gymnasium.make_vec": lambda **options: gymnasium.make_vec("Tarock-v0", num_envs=2, ruleset=ID, **options),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["name", "self"])
def test_an_option_with_the_name_of_an_inner_parameter_is_an_unknown_option(way: str, name: str) -> None:
    with pytest.raises(RulesetError, match=f"ruleset '{ID}' has no option '{name}'; it has: "):
        WAYS[way](**{name: 1})


def test_everything_that_makes_a_game_takes_its_ruleset_by_name() -> None:
    makers = (tarock_env.make, tarock_v0.env, tarock_v0.raw_env, SingleSeatEnv, functools.partial(TarockVectorEnv, 2))
    assert {getattr(made, "engine", made).ruleset.id for made in (maker(ruleset=ID) for maker in makers)} == {ID}


def test_options_of_registered_rulesets_cannot_be_taken_for_arguments() -> None:
    takers = (tarock_env.make, tarock_v0.env, tarock_v0.raw_env, RawEnv, CheckedEnv, SingleSeatEnv, TarockVectorEnv)
    takers += (gymnasium.make, gymnasium.make_vec)
    named = {p.name for taker in takers for p in inspect.signature(taker).parameters.values() if p.kind != p.VAR_KEYWORD}
    assert named <= rulesets.RESERVED
    assert not named & {option.name for name in tarock_env.available() for option in tarock_env.load(name).options}


@pytest.mark.parametrize("name", ["seat", "threads", "two words", "class", ""])
def test_a_ruleset_whose_option_nobody_could_choose_is_not_registered(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulesets, "_registered", {})
    house = variant(tarock_env.load("tarok_furr_3p"), id="house", title="x", document="x")
    first, *others = house.options
    house = replace(house, options=(replace(first, name=name), *others))
    with pytest.raises(
        RulesetError, match=f"option '{name}' of ruleset 'house' cannot be an argument; allowed: a name but "
    ):
        rulesets.register(house)
    assert "house" not in tarock_env.available()


def test_defaults_of_an_option_that_is_called_options() -> None:
    option = replace(tarock_env.load("tarok_furr_3p").options[0], name="options")
    assert [o.default for o in with_defaults((option,), options="other")] == ["other"]


NOT_CHOSEN: list[Any] = [
    np.array(["raise", "score"]),
    np.array("raise"),
    np.array(["score"]),
    np.array(["ansi", "human"]),
    ["raise"],
    {"score": 1},
    5,
]
CHOICES = ("reward", "on_illegal", "render_mode")


@pytest.mark.parametrize("value", NOT_CHOSEN, ids=repr)
@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize(
    "taker", [tarock_v0.env, tarock_v0.raw_env, SingleSeatEnv, TarockVectorEnv], ids=lambda t: t.__name__
)
def test_a_choice_is_a_text(taker: Callable[..., Any], name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"^{name} is .*; allowed: "):
        taker(ruleset=ID, **{name: value})


@pytest.mark.parametrize("value", NOT_CHOSEN, ids=repr)
def test_other_names_are_texts(value: Any) -> None:
    with pytest.raises(ValueError, match=r"no ruleset .*; available: "):
        tarock_env.load(value)
    with pytest.raises(ValueError, match=r"autoreset_mode is .*; allowed: "):
        TarockVectorEnv(1, ID, autoreset_mode=value)
    with pytest.raises(ValueError, match=r"no card .*: suits "):
        tarock_env.cards.parse_card(value)
    with pytest.raises(ValueError, match=r"agent prefix is .*; allowed: a word "):
        base.register(value, lambda argument, engine, device: base.make("random", engine))
    engine = tarock_env.make(ID)
    with pytest.raises(ValueError, match=r"policy .*allowed: "):
        engine.playout(engine.reset(1, 0), value)
    for option in ("contract", "deal"):
        with pytest.raises(ValueError, match=f"reset option '{option}' is .*; allowed: "):
            tarock_v0.env(ID).reset(seed=1, options={option: value})


@pytest.mark.parametrize("text", ["score", np.str_("score")])
def test_a_text_of_numpy_is_one_too(text: str) -> None:
    assert tarock_v0.env(ID, reward=text).reward == "score"
