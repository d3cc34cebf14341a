"""Agents without knowledge: `uniform`, and the stated `random` policy of `tarock_env.engine.policies`, on views."""

from __future__ import annotations

import numpy as np

from tarock_env import Engine
from tarock_env.cards import ZERO
from tarock_env.engine import checking, policies
from tarock_env.engine.single import plain_choice
from tarock_env.jit import kernel
from tarock_env.view import VIEW


@kernel
def act_all(views: np.ndarray, rules: np.ndarray, policy: int, keys: np.ndarray, actions: np.ndarray) -> None:
    """actions[i] = the policy's action in view i; views (B,), keys uint64 (B,), actions int64 (B,).

    A view offers the same fields as a state to a policy that needs no more than the legal actions and the phase. Views
    without a legal action (finished hands) get action 0.
    """
    r = rules[0]
    for i in range(len(views)):
        v = views[i]
        actions[i] = 0
        if v.legal_cards | v.legal_calls != ZERO:
            actions[i] = plain_choice(v, r, policy, keys[i])


class RandomAgent:
    """The compiled policy ``"random"`` or ``"uniform"``.

    Attributes:
        compiled: its number among the compiled policies.
    """

    def __init__(self, engine: Engine, name: str = "random") -> None:
        self.name = name
        self.compiled = policies.Compiled(policies.NAMES[name])
        self._rules = engine.rules

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """See `agents.base.Agent`. `ValueError` for views or keys that do not fit."""
        views = checking.readable(views, VIEW, "views")
        actions = np.empty(len(views), np.int64)
        act_all(views, self._rules, self.compiled.policy, checking.check_keys(keys, len(views)), actions)
        return actions


def make_random(argument: str, engine: Engine, device: str) -> RandomAgent:
    """Factory of the spec ``random``."""
    return RandomAgent(engine, "random")


def make_uniform(argument: str, engine: Engine, device: str) -> RandomAgent:
    """Factory of the spec ``uniform``."""
    return RandomAgent(engine, "uniform")
