"""An actor's forward pass without torch."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.ppo.kernels.rows import add_row
from tarock_env.jit import kernel


@kernel
def forward_all(
    words: np.ndarray,
    first: np.ndarray,
    first_bias: np.ndarray,
    hidden: np.ndarray,
    hidden_bias: np.ndarray,
    last: np.ndarray,
    last_bias: np.ndarray,
    logits: np.ndarray,
) -> None:
    """The actor's forward pass, row by row; shapes as in `agents.ppo.agent.Policy`, logits float32 (B, A)."""
    width = first.shape[1]
    x, y = np.empty(width, np.float32), np.empty(width, np.float32)
    for i in range(len(words)):
        x[:] = first_bias[:]
        add_row(words[i], first, x)
        for layer in range(len(hidden)):
            _add_active(x, hidden[layer], hidden_bias[layer], y)
            x[:] = y[:]
        _add_active(x, last, last_bias, logits[i])


@kernel
def _add_active(x: Any, weight: Any, bias: Any, out: Any) -> None:
    """out = relu(x) weight + bias, skipping inputs that are not positive: x (H,), weight (H, M), out (M,)."""
    out[:] = bias[:]
    for k in range(len(x)):
        value = x[k]
        if value > 0.0:
            for j in range(len(out)):
                out[j] += value * weight[k, j]
