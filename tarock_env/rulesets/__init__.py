"""The rulesets: `available()` names them, `load(id, **options)` makes one with option values chosen."""

from __future__ import annotations

import functools
import importlib
import keyword
from typing import Any

from tarock_env.rulesets.options import choose, variant
from tarock_env.rulesets.schema import Ruleset, RulesetError
from tarock_env.rulesets.shown import short

__all__ = ["Ruleset", "RulesetError", "available", "load", "register", "variant"]

SHIPPED = (
    "koenigrufen_pagat",
    "koenigrufen_furr",
    "tarok_furr_4p",
    "tarok_furr_3p",
    "slovenian_4p",
    "slovenian_3p",
    "illustrated_tarock",
)
_registered: dict[str, Ruleset] = {}

#: arguments of `make`, of the environments and of Gymnasium's functions that make them: options are given beside them
RESERVED = frozenset({
    "ruleset", "threads", "self",
    "hands", "session", "reward", "on_illegal", "render_mode", "seat", "opponents", "num_envs", "autoreset_mode", "copy",
    "id", "max_episode_steps", "disable_env_checker", "vectorization_mode", "vector_kwargs", "wrappers",
})  # fmt: skip


def available() -> tuple[str, ...]:
    """Ids of all rulesets, registered ones last."""
    return (*SHIPPED, *_registered)


def register(ruleset: Ruleset) -> None:
    """Make a ruleset of your own available by its id in this process. Worker processes that are started afresh have to
    register it too where they read records, which hold its id only. (A pickled engine takes the whole ruleset along.)

    Raises:
        RulesetError: the id is taken, the ruleset has option values chosen (use `variant` to change defaults), or an option
            has a name that cannot be given as an argument, or is one of `RESERVED`.
    """
    if ruleset.id in available():
        raise RulesetError(f"ruleset id {ruleset.id!r} is taken; taken are: {', '.join(available())}")
    if ruleset.chosen or ruleset.origin is not None:
        raise RulesetError(
            f"ruleset {ruleset.id!r} has option values chosen: {dict(ruleset.chosen)}; register one with all options at their "
            "defaults, from variant() where they differ from those of another ruleset"
        )
    for option in ruleset.options:
        if not option.name.isidentifier() or keyword.iskeyword(option.name) or option.name in RESERVED:
            raise RulesetError(
                f"option {option.name!r} of ruleset {ruleset.id!r} cannot be an argument; allowed: a name but "
                + ", ".join(sorted(RESERVED))
            )
    _registered[ruleset.id] = ruleset


@functools.cache
def _shipped(name: str) -> Ruleset:
    module = importlib.import_module(f"tarock_env.rulesets.{name}")
    ruleset: Ruleset = module.RULESET
    return ruleset


def load(name: str, /, **options: Any) -> Ruleset:
    """The ruleset with this id and the given option values (see `tarock rules ID` for what it has).

    Raises:
        RulesetError: unknown ruleset, option or value; the message lists what is allowed.
    """
    if not isinstance(name, str) or name not in available():
        raise RulesetError(f"no ruleset {short(name)}; available: {', '.join(available())}")
    return choose(_registered[name] if name in _registered else _shipped(name), options)
