"""Generalised advantage estimation along each seat's own decisions."""

from __future__ import annotations

import numpy as np

from agents.ppo.kernels.estimate import estimate
from tarock_env.rulesets.shown import short


def gae(
    values: np.ndarray, table: np.ndarray, seat: np.ndarray, rewards: np.ndarray, lam: float
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages and returns, float32 (N,) each; see `estimate`.

    Raises:
        ValueError: not one table and seat for each value, or tables and seats without a reward.
    """
    for name, numbers, size in (("tables", table, rewards.shape[0]), ("seats", seat, rewards.shape[1])):
        if numbers.shape != values.shape or not ((numbers >= 0) & (numbers < size)).all():
            raise ValueError(f"{name} are {short(numbers)}; allowed: 0 … {size - 1}, one for each of {len(values)} values")
    advantages, returns = np.empty(len(values), np.float32), np.empty(len(values), np.float32)
    estimate(values, table, seat, rewards, lam, advantages, returns)
    return advantages, returns


def training_rewards(scores: np.ndarray, scale: float, clip: float) -> np.ndarray:
    """Zero-sum scores over the ruleset's reward scale, cut off at ± `clip`: float32 (B, P)."""
    return np.clip(scores / np.float32(scale), -clip, clip).astype(np.float32)
