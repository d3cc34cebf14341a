"""Who sits in the other seats: compiled policies, agent objects, functions, or specs that some registry knows.

`agents` registers itself here on import, so that ``opponents="heuristic"`` works once it was imported; this package never
imports it. A compiled agent brings its own `Driver`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tarock_env.engine import policies
from tarock_env.engine.batch import Engine
from tarock_env.engine.single import OUTSIDE, advance_all
from tarock_env.rulesets.shown import short

#: ``act(views, mask, keys) -> actions``
Act = Callable[[np.ndarray, np.ndarray, np.ndarray], Any]
#: makes an agent of a spec for an engine; a `ValueError` says what it knows
Resolver = Callable[[str, Engine], Any]

COMPILED = ("random", "uniform")
_resolvers: list[Resolver] = []


class Driver(ABC):
    """Plays the games of an environment on for a compiled agent, without Python between decisions.

    An agent object with a driver as its attribute `driver` is driven instead of asked, and has to make the moves of its
    `act`. A driver gets the games themselves, hidden cards included, where `act` gets views: it is for compiled agents that
    are trusted, whose kernel looks at the games through `tarock_env.view.see` only, and it keeps nothing of what it gets.
    An agent is handed none of this, and only a subclass counts; ``opponents=agent.act`` always asks. Drivers that play the
    same are equal (``==``).

    Attributes:
        policy: the number by which `advance` knows the agent; not one of `tarock_env.engine.policies.NAMES`.
    """

    policy: int

    @abstractmethod
    def advance(self, state: np.ndarray, rules: np.ndarray, seated: np.ndarray, keys: np.ndarray, log: np.ndarray) -> int:
        """Play each row on, in place, while a seat of the agent or of ``random`` or ``uniform`` is to act.

        Args:
            state: (B,) `STATE`. rules: (1,) `RULES`.
            seated: int64 (B, SEATS), the policy of each table seat; `OUTSIDE` = somebody else's.
            keys: uint64 (B,), of the hands; a decision draws from `tarock_env.engine.chance.decision_key`.
            log: uint8 (B, T), to note the actions in, or (0, 0) for none.

        Returns:
            How many decisions were made.
        """


class PlainDriver(Driver):
    """Plays ``random`` and ``uniform``, and no agent besides."""

    policy = OUTSIDE

    def advance(self, state: np.ndarray, rules: np.ndarray, seated: np.ndarray, keys: np.ndarray, log: np.ndarray) -> int:
        """See `Driver`."""
        return int(advance_all(state, rules, seated, keys, log))


@dataclass(frozen=True)
class Opponent:
    """Who plays a seat: a compiled policy; or, where `policy` is `OUTSIDE`, a driver, or `act` where another one drives."""

    policy: int
    act: Act | None = None
    driver: Driver | None = None


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


def driven(opponents: Sequence[Opponent]) -> tuple[Driver, list[int]]:
    """The driver of a table, and each opponent's policy for it: `OUTSIDE` where the opponent is asked through `act`.

    The first driver that an opponent brings drives all whose drivers equal it; those with another one are asked.
    """
    driver = next((one.driver for one in opponents if one.driver is not None), PlainDriver())
    return driver, [driver.policy if one.driver == driver else one.policy for one in opponents]


def _opponent(given: Any, engine: Engine) -> Opponent:
    if isinstance(given, str):
        if given in COMPILED:
            return Opponent(policies.NAMES[given])
        given = _resolve(given, engine)
    policy = policies.compiled_policy(given)
    if policy in (policies.NAMES[name] for name in COMPILED):
        return Opponent(policy)
    act = getattr(given, "act", given)
    if not callable(act):
        raise ValueError(
            f"opponent is {short(given)}; allowed: a spec, an object with act(views, mask, keys), or such a function"
        )
    return Opponent(OUTSIDE, act, _driver(given))


def _driver(given: Any) -> Driver | None:
    driver = getattr(given, "driver", None)
    if not isinstance(driver, Driver):
        return None
    taken = (OUTSIDE, *policies.NAMES.values())
    if driver.policy in taken:
        raise ValueError(f"policy of a driver is {driver.policy}; allowed: all numbers but {', '.join(map(str, taken))}")
    return driver


def _resolve(spec: str, engine: Engine) -> Any:
    if not _resolvers:
        raise ValueError(f"opponent is {short(spec)}; known are {', '.join(COMPILED)}, and more after `import agents`")
    for resolver in _resolvers[:-1]:
        try:
            return resolver(spec, engine)
        except ValueError:
            continue
    return _resolvers[-1](spec, engine)
