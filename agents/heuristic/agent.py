"""`HeuristicAgent`: the compiled rules of thumb behind the `Agent` interface."""

from __future__ import annotations

import numpy as np

from agents.compiled import HEURISTIC, advance_all
from agents.heuristic.driver import HeuristicDriver
from agents.heuristic.loops import act_all
from agents.heuristic.mind import make_mind
from tarock_env import Engine
from tarock_env.engine import checking
from tarock_env.engine.batch import NO_LIMIT, NO_LOG
from tarock_env.engine.policies import Compiled
from tarock_env.engine.state import SEATS
from tarock_env.view import VIEW


class HeuristicAgent:
    """Plays every decision of every ruleset by rules of thumb; deterministic, so keys are not used.

    Args:
        weights: other values for some of `agents.heuristic.mind.WEIGHTS`.

    Attributes:
        compiled: its number among the compiled policies; there only with the default weights.
        driver: plays it in environments, with any weights.
    """

    def __init__(self, engine: Engine, **weights: float) -> None:
        self.name = "heuristic"
        self._rules = engine.rules
        self._mind = make_mind(**weights)
        self.driver = HeuristicDriver(self._mind)
        if not weights:
            self.compiled = Compiled(HEURISTIC)

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """See `agents.base.Agent`. `ValueError` for what are no views."""
        views = checking.readable(views, VIEW, "views")
        actions = np.empty(len(views), np.int64)
        act_all(views, self._rules, self._mind, actions)
        return actions

    def playout(self, state: np.ndarray, log: np.ndarray = NO_LOG, limit: int = NO_LIMIT) -> int:
        """Play every row to its end, or for `limit` decisions, in place; the decisions made.

        Raises:
            ValueError: states or a log that do not fit, a row in which no action is legal, or a limit that is none.
        """
        checking.check_state(state)
        checking.check_playable(state)
        log, limit = checking.check_log(log, len(state)), checking.whole("limit", limit, 0, NO_LIMIT)
        seated = np.full((len(state), SEATS), HEURISTIC, np.int64)
        return int(advance_all(state, self._rules, self._mind, seated, np.zeros(len(state), np.uint64), log, limit))


def make_heuristic(argument: str, engine: Engine, device: str) -> HeuristicAgent:
    """Factory of the spec ``heuristic``."""
    return HeuristicAgent(engine)
