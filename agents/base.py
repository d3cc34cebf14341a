"""What an agent is, and the registry that turns a spec such as ``"heuristic"`` or ``"ppo:runs/x"`` into one.

An agent is any object with a `name` and a method `act`; ten lines are enough, and it plays wherever agents play:

    class Lowest:
        name = "lowest"

        def act(self, views, mask, keys):
            return mask.argmax(axis=1)

    register("lowest", lambda argument, engine, device: Lowest())
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from tarock_env import Engine
from tarock_env.rulesets.shown import short

__all__ = ["Agent", "Factory", "available", "make", "register"]


@runtime_checkable
class Agent(Protocol):
    """Plays any number of hands at once, each from what its acting seat knows.

    Agents are stateless: `act` depends on its arguments only, row i of the result on row i of the arguments, and whatever
    is random on the keys. Views and mask must be left as they are.
    """

    name: str

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Choose a legal action in each row.

        Args:
            views: (B,) `tarock_env.view.VIEW`, of the seats to act.
            mask: (B, A) bool, the legal actions; never empty in a row.
            keys: (B,) uint64, a fresh random key for each decision.

        Returns:
            (B,) int64 indices of actions.
        """
        ...


#: makes an agent from (what follows the colon of a spec, engine, device)
Factory = Callable[[str, Engine, str], Agent]

#: prefix -> (form of the spec as shown to people, module and attribute of the factory)
_SHIPPED: dict[str, tuple[str, str, str]] = {
    "random": ("random", "agents.random_agent", "make_random"),
    "uniform": ("uniform", "agents.random_agent", "make_uniform"),
    "heuristic": ("heuristic", "agents.heuristic.agent", "make_heuristic"),
    "ppo": ("ppo:PATH or ppo:builtin/RULESET", "agents.ppo.agent", "load"),
}
_registered: dict[str, tuple[str, Factory]] = {}


def available() -> tuple[str, ...]:
    """The forms of all known specs."""
    return (*(form for form, _, _ in _SHIPPED.values()), *(form for form, _ in _registered.values()))


def register(prefix: str, factory: Factory, form: str | None = None) -> None:
    """Make agents of your own available by spec in this process.

    Args:
        prefix: the spec up to its first colon.
        factory: called with what follows the colon ("" if nothing does), the engine and the device.
        form: how the spec is shown in messages; default: the prefix.

    Raises:
        ValueError: the prefix is empty, taken, or holds a colon or a comma.
    """
    if not isinstance(prefix, str) or not prefix or ":" in prefix or "," in prefix:
        raise ValueError(f"agent prefix is {prefix!r}; allowed: a word without colon and comma")
    if prefix in _SHIPPED or prefix in _registered:
        raise ValueError(f"agent prefix {prefix!r} is taken; taken are: {', '.join([*_SHIPPED, *_registered])}")
    _registered[prefix] = (form or prefix, factory)


def make(spec: str, engine: Engine, device: str = "cpu") -> Agent:
    """The agent of a spec, ready to play the engine's ruleset.

    Raises:
        ValueError: unknown spec, or an argument that the agent cannot use; the message names it and what exists.
    """
    if not isinstance(spec, str):
        raise ValueError(f"agent spec is {short(spec)}; allowed: a text, one of {', '.join(available())}")
    prefix, colon, argument = spec.partition(":")
    if prefix in _registered:
        return _registered[prefix][1](argument, engine, device)
    if prefix not in _SHIPPED:
        raise ValueError(f"no agent {short(spec)}; available: {', '.join(available())}")
    form, module, attribute = _SHIPPED[prefix]
    if bool(argument) != (":" in form) or (colon and not argument):
        raise ValueError(f"no agent {short(spec)}; its form is: {form}")
    try:
        factory: Any = getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError as error:
        raise ValueError(f"agent {short(spec)} cannot be made: no module {error.name!r}") from error
    agent: Agent = factory(argument, engine, device)
    return agent
