"""Decisions that leave no choice are made without a network."""

from __future__ import annotations

import numpy as np

from tarock_env.cards import C, lowest, popcount
from tarock_env.engine import hand
from tarock_env.jit import kernel


@kernel
def advance_forced(state: np.ndarray, rules: np.ndarray, actions: np.ndarray) -> int:
    """Carry out a legal action in each row (-1 = none), then all decisions that are forced; how many were made."""
    r = rules[0]
    made = 0
    for i in range(len(state)):
        g = state[i]
        if actions[i] >= 0:
            hand.apply(g, r, actions[i])
            made += 1
        while not g.done and popcount(g.legal_cards) + popcount(g.legal_calls) == 1:
            hand.apply(g, r, lowest(g.legal_cards) if popcount(g.legal_cards) == 1 else C + lowest(g.legal_calls))
            made += 1
    return made
