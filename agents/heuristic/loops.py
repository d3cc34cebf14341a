"""The batch entry of the heuristic player; whole hands are played by `agents.compiled.advance_all`."""

from __future__ import annotations

import numpy as np

from agents.heuristic.deciding import decide
from tarock_env.jit import kernel


@kernel
def act_all(views: np.ndarray, rules: np.ndarray, minds: np.ndarray, actions: np.ndarray) -> None:
    """actions[i] = what the player does in view i; views (B,), minds (1,), actions int64 (B,)."""
    r, own = rules[0], minds.copy()
    for i in range(len(views)):
        actions[i] = decide(views[i], r, own[0])  # a record does not keep its array alive
