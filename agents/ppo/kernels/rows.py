"""Weight rows of the set bits of packed words: sums of them, and the gradients of such sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.jit import kernel, lowest


@kernel
def set_below(word: Any, k: Any, features: Any) -> Any:
    """Word k of a packed row without the bits from `features` on."""
    if features - 64 * k < 64:
        return word & ((np.uint64(1) << np.uint64(features - 64 * k)) - np.uint64(1))
    return word


@kernel
def add_row(words: Any, weight: Any, out: Any) -> None:
    """out += sum of weight[b] over the set bits b of one row: words uint64 (W,), weight float32 (F, H), out float32 (H,)."""
    features, width = weight.shape
    for k in range((features + 63) // 64):
        rest = set_below(words[k], k, features)
        while rest != np.uint64(0):
            bit = 64 * k + lowest(rest)
            rest &= rest - np.uint64(1)
            for j in range(width):
                out[j] += weight[bit, j]


@kernel
def add_rows(words: np.ndarray, weight: np.ndarray, out: np.ndarray) -> None:
    """out[i] += sum of weight[b] over the set bits b of words[i].

    words uint64 (N, W) with W * 64 >= F; weight float32 (F, H); out float32 (N, H). Bits from F on are left out.
    """
    for i in range(len(words)):
        add_row(words[i], weight, out[i])


@kernel
def add_outer(words: np.ndarray, gradient: np.ndarray, out: np.ndarray) -> None:
    """out[b] += gradient[i] for every set bit b of words[i]: the gradient of `add_rows` for its weight.

    words uint64 (N, W), gradient float32 (N, H), out float32 (F, H).
    """
    features, width = out.shape
    for i in range(len(words)):
        for k in range((features + 63) // 64):
            rest = set_below(words[i, k], k, features)
            while rest != np.uint64(0):
                bit = 64 * k + lowest(rest)
                rest &= rest - np.uint64(1)
                for j in range(width):
                    out[bit, j] += gradient[i, j]
