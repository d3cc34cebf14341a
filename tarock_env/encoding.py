"""Views as numbers: a flat vector of zeros and ones whose slices have names.

An observation is either `float32 (B, F)` or a packed row of `uint64` words, and both hold the same. `layout(ruleset)` says
where each feature stands.
"""

from __future__ import annotations

import numpy as np

from tarock_env.bits import encode_hidden, encode_view
from tarock_env.cards import ZERO
from tarock_env.engine import checking
from tarock_env.engine.batch import Engine
from tarock_env.engine.state import STATE
from tarock_env.features import Layout, layout
from tarock_env.jit import kernel
from tarock_env.view import VIEW, see

__all__ = [
    "Layout",
    "encode",
    "encode_bits",
    "encode_full",
    "encode_packed",
    "encode_states",
    "layout",
    "unpack",
    "unpacked",
]


@kernel
def encode_bits(views: np.ndarray, rules: np.ndarray, at: np.ndarray, words: np.ndarray) -> None:
    """words[i] = the bits of views[i]; uint64 (B, W)."""
    r = rules[0]
    for i in range(len(views)):
        encode_view(views[i], r, at, words[i])


@kernel
def encode_states(
    state: np.ndarray, rules: np.ndarray, at: np.ndarray, views: np.ndarray, words: np.ndarray, full: np.ndarray
) -> None:
    """Observation bits and perfect-information bits of each row's seat to act; uint64 (B, W) and (B, W_full).

    `views` is scratch of length 1; a `full` of shape (0, 0) is left alone.
    """
    r = rules[0]
    v = views[0]
    both = full.shape[0] > 0
    for i in range(len(state)):
        g = state[i]
        see(g, r, max(np.int64(g.actor), np.int64(0)), v)
        encode_view(v, r, at, words[i])
        if both:
            n = words.shape[1]
            full[i, :n] = words[i]
            full[i, n:] = ZERO
            encode_hidden(g, v, r, at, full[i])


@kernel
def unpack(words: np.ndarray, out: np.ndarray) -> None:
    """Bits as float32 zeros and ones: words uint64 (B, W) -> out float32 (B, F)."""
    n = out.shape[1]
    one = np.uint64(1)
    for i in range(len(words)):
        for w in range((n + 63) // 64):
            word = words[i, w]
            for j in range(min(64, n - 64 * w)):
                out[i, 64 * w + j] = np.float32(np.int64((word >> np.uint64(j)) & one))


NO_WORDS = np.zeros((0, 0), np.uint64)


def encode(engine: Engine, views: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Views as observations.

    Args:
        views: (B,) `VIEW`. out: float32 (B, F) to fill instead of a new array.

    Returns:
        float32 (B, F) of zeros and ones; slices in ``layout(engine.ruleset)``.
    """
    views = checking.readable(views, VIEW, "views")
    plan = layout(engine.ruleset)
    words = np.empty((len(views), plan.words), np.uint64)
    encode_bits(views, engine.rules, plan.offsets, words)
    return _unpacked(words, plan.F, out)


def encode_packed(
    engine: Engine, state: np.ndarray, full: bool = False, out: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Packed observations of the seats to act, straight from states, and with `full` what a critic may see.

    Args:
        state: (B,) `STATE`. full: with the second array. out: uint64 (B, W) to fill instead of a new first array.

    Returns:
        uint64 (B, W) and uint64 (B, W_full); the second is empty (0, 0) unless asked for. `unpacked` makes float32.
    """
    state = checking.readable(state, STATE, "state")
    plan = layout(engine.ruleset)
    words = np.empty((len(state), plan.words), np.uint64) if out is None else out
    if words.shape != (len(state), plan.words) or words.dtype != np.uint64 or not words.flags.carray:
        raise ValueError(f"out is {words.dtype} {words.shape}; allowed: contiguous uint64 ({len(state)}, {plan.words})")
    hidden = np.empty((len(state), plan.words_full), np.uint64) if full else NO_WORDS
    encode_states(state, engine.rules, plan.offsets, np.zeros(1, VIEW), words, hidden)
    return words, hidden


def unpacked(words: np.ndarray, features: int, out: np.ndarray | None = None) -> np.ndarray:
    """Packed bits uint64 (B, W) as float32 (B, features).

    Raises:
        ValueError: words of another type or shape, or more features than they have bits.
    """
    if not isinstance(words, np.ndarray) or words.dtype.kind != "u" or words.ndim != 2:
        given = f"{words.dtype} {words.shape}" if isinstance(words, np.ndarray) else type(words).__name__
        raise ValueError(f"words are {given}; allowed: uint64 (B, W)")
    features = checking.whole("features", features, 0, 64 * words.shape[1])
    return _unpacked(np.ascontiguousarray(words, np.uint64), features, out)


def _unpacked(words: np.ndarray, features: int, out: np.ndarray | None) -> np.ndarray:
    if out is None:
        out = np.empty((len(words), features), np.float32)
    else:
        checking.check_out(out, np.float32, (len(words), features))
    unpack(words, out)
    return out


def encode_full(engine: Engine, state: np.ndarray) -> np.ndarray:
    """Everything about a state from its acting seat, for critics in training only: float32 (B, F_full)."""
    plan = layout(engine.ruleset)
    return _unpacked(encode_packed(engine, state, full=True)[1], plan.F_full, None)
