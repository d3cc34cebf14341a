"""The heuristic as an opponent in environments, driven by its kernel."""

from __future__ import annotations

import numpy as np

from agents.compiled import HEURISTIC, advance_all
from agents.heuristic.mind import WEIGHTS
from tarock_env.engine.batch import NO_LIMIT
from tarock_env.envs.opponents import Driver


class HeuristicDriver(Driver):
    """Plays the heuristic with the weights of one mind; equal to another with the same weights.

    Args:
        mind: from `agents.heuristic.mind.make_mind`.
    """

    policy = HEURISTIC

    def __init__(self, mind: np.ndarray) -> None:
        self._mind = mind
        self._weights = tuple(float(mind[name][0]) for name in WEIGHTS)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HeuristicDriver) and self._weights == other._weights

    def __hash__(self) -> int:
        return hash(self._weights)

    def advance(self, state: np.ndarray, rules: np.ndarray, seated: np.ndarray, keys: np.ndarray, log: np.ndarray) -> int:
        """See `tarock_env.envs.opponents.Driver`."""
        return int(advance_all(state, rules, self._mind, seated, keys, log, NO_LIMIT))
