"""The recursion of generalised advantage estimation."""

from __future__ import annotations

import numpy as np

from tarock_env.jit import kernel


@kernel
def estimate(
    values: np.ndarray,
    table: np.ndarray,
    seat: np.ndarray,
    rewards: np.ndarray,
    lam: float,
    advantages: np.ndarray,
    returns: np.ndarray,
) -> None:
    """Advantages and returns of decisions that are ordered in time; hands are complete and undiscounted.

    Along the decisions of one seat in one hand, V_1 … V_n, with the reward R at the hand's end and V_{n+1} := R:

        delta_t = V_{t+1} - V_t,    A_t = delta_t + lambda A_{t+1},    return_t = A_t + V_t

    so lambda = 1 gives A_t = R - V_t and lambda = 0 gives A_t = V_{t+1} - V_t.

    Args:
        values: float32 (N,). table, seat: int64 (N,), whose decision. rewards: float32 (B, P).
        advantages, returns: float32 (N,), filled here.

    Source: Schulman et al. 2016, arXiv 1506.02438, equations 11-16, with gamma = 1.
    """
    after = rewards.copy()
    later = np.zeros_like(rewards)
    for i in range(len(values) - 1, -1, -1):
        b, s = table[i], seat[i]
        later[b, s] = after[b, s] - values[i] + lam * later[b, s]
        after[b, s] = values[i]
        advantages[i] = later[b, s]
        returns[i] = later[b, s] + values[i]
