"""Generalised advantage estimation along each seat's own decisions."""

from __future__ import annotations

import numpy as np

from agents.ppo.kernels.estimate import estimate


def gae(
    values: np.ndarray, table: np.ndarray, seat: np.ndarray, rewards: np.ndarray, lam: float
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages and returns, float32 (N,) each; see `estimate`."""
    advantages, returns = np.empty(len(values), np.float32), np.empty(len(values), np.float32)
    estimate(values, table, seat, rewards, lam, advantages, returns)
    return advantages, returns


def training_rewards(scores: np.ndarray, scale: float, clip: float) -> np.ndarray:
    """Zero-sum scores over the ruleset's reward scale, cut off at ± `clip`: float32 (B, P)."""
    return np.clip(scores / np.float32(scale), -clip, clip).astype(np.float32)
