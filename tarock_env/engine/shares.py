"""Scores of finished hands as shares of a table: who gained at whose cost."""

from __future__ import annotations

import numpy as np

from tarock_env.engine.batch import Engine


def took_part(engine: Engine, state: np.ndarray) -> np.ndarray:
    """Which seats played, bool (B, P): all but a dealer who sits out."""
    if engine.ruleset.players == engine.P:
        return np.ones((len(state), engine.P), bool)
    return np.not_equal(np.arange(engine.P), state["dealer"].astype(np.int64)[:, None])


def zero_sum(engine: Engine, state: np.ndarray) -> np.ndarray:
    """Own score minus the mean of those who played, float64 (B, P); a seat that sat out gets 0."""
    scores = state["scores"][:, : engine.P].astype(np.float64)
    played = took_part(engine, state)
    mean = (scores * played).sum(axis=1, keepdims=True) / engine.ruleset.players
    return np.where(played, scores - mean, 0.0)
