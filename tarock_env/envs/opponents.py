"""Who sits in the other seats: compiled policies, agent objects, functions, or specs that some registry knows.

`agents` registers itself here on import, so that ``opponents="heuristic"`` works once it was imported; this package never
imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tarock_env.engine import policies
from tarock_env.engine.batch import Engine
from tarock_env.engine.single import OUTSIDE
from tarock_env.rulesets.shown import short

#: ``act(views, mask, keys) -> actions``
Act = Callable[[np.ndarray, np.ndarray, np.ndarray], Any]
#: makes an agent of a spec for an engine; a `ValueError` says what it knows
Resolver = Callable[[str, Engine], Any]

COMPILED = ("random", "uniform")
_resolvers: list[Resolver] = []


@dataclass(frozen=True)
class Opponent:
    """Who plays a seat: a compiled policy, or a function where `policy` is `OUTSIDE`."""

    policy: int
    act: Act | None = None


def register(resolver: Resolver) -> None:
    """Let a registry of agents answer for the specs that are not known here; the newest is asked first."""
    if resolver not in _resolvers:
        _resolvers.insert(0, resolver)


def seat_opponents(opponents: Any, engine: Engine) -> list[Opponent]:
    """The opponents of one learner in turn order: entry d - 1 sits d seats after the learner.

    Args:
        opponents: one for all other seats, or a sequence with one for each. Each is ``"random"`` or ``"uniform"``
            (compiled), an agent object with ``act(views, mask, keys)``, such a function, or a spec that a registered
            resolver knows.

    Raises:
        ValueError: an unknown spec, something that cannot act, or a wrong number of opponents.
    """
    others = engine.P - 1
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        if len(opponents) != others:
            raise ValueError(f"{len(opponents)} opponents; allowed: one for all other seats, or {others}")
        return [_opponent(one, engine) for one in opponents]
    return [_opponent(opponents, engine)] * others


def _opponent(given: Any, engine: Engine) -> Opponent:
    if isinstance(given, str):
        if given in COMPILED:
            return Opponent(policies.NAMES[given])
        given = _resolve(given, engine)
    policy = getattr(given, "policy", None)
    if isinstance(policy, int) and policy in (policies.NAMES[name] for name in COMPILED):
        return Opponent(policy)
    act = getattr(given, "act", given)
    if not callable(act):
        raise ValueError(
            f"opponent is {short(given)}; allowed: a spec, an object with act(views, mask, keys), or such a function"
        )
    return Opponent(OUTSIDE, act)


def _resolve(spec: str, engine: Engine) -> Any:
    if not _resolvers:
        raise ValueError(f"opponent is {short(spec)}; known are {', '.join(COMPILED)}, and more after `import agents`")
    for resolver in _resolvers[:-1]:
        try:
            return resolver(spec, engine)
        except ValueError:
            continue
    return _resolvers[-1](spec, engine)
