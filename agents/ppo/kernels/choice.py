"""Choosing among legal actions: legal bits, and greedy or sampled choice from logits by a key."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tarock_env.cards import ONE, ZERO, C
from tarock_env.engine.chance import fraction
from tarock_env.jit import kernel, lowest

LEGAL_WORDS = 2


@kernel
def fill_legal(state: np.ndarray, legal: np.ndarray) -> None:
    """legal[i] = the legal actions of row i as bits, bit = action index; uint64 (B, 2)."""
    for i in range(len(state)):
        cards, calls = state[i].legal_cards, state[i].legal_calls
        legal[i, 0] = cards | (calls << np.uint64(C))
        legal[i, 1] = calls >> np.uint64(64 - C)


@kernel
def mask_bits(mask: np.ndarray, legal: np.ndarray) -> None:
    """The same from a mask: uint8 (B, A) -> uint64 (B, 2)."""
    for i in range(len(mask)):
        legal[i, :] = ZERO
        for a in range(mask.shape[1]):
            if mask[i, a] != 0:
                legal[i, a >> 6] |= ONE << np.uint64(a & 63)


@kernel
def choose_greedy(logits: np.ndarray, legal: np.ndarray, actions: np.ndarray) -> None:
    """actions[i] = the legal action with the highest logit, the first of equals; logits float32 (B, A)."""
    for i in range(len(logits)):
        best = -1
        for w in range(LEGAL_WORDS):
            rest = legal[i, w]
            while rest != ZERO:
                a = 64 * w + lowest(rest)
                rest &= rest - ONE
                if best < 0 or logits[i, a] > logits[i, best]:
                    best = a
        actions[i] = best


@kernel
def choose_sampled(
    logits: np.ndarray, legal: np.ndarray, keys: np.ndarray, actions: np.ndarray, log_probs: np.ndarray
) -> None:
    """actions[i] = an action drawn from the softmax over the legal logits with keys[i]; log_probs[i] = its log-probability.

    logits float32 (B, A), legal uint64 (B, 2), keys uint64 (B,).
    """
    for i in range(len(logits)):
        top, total = _mass(logits[i], legal[i])
        left = fraction(keys[i]) * total
        chosen = -1
        for w in range(LEGAL_WORDS):
            rest = legal[i, w]
            while rest != ZERO and (left >= 0.0 or chosen < 0):  # the first one where logits are no finite numbers
                chosen = 64 * w + lowest(rest)
                rest &= rest - ONE
                left -= math.exp(np.float64(logits[i, chosen]) - top)
        actions[i] = chosen
        log_probs[i] = np.float64(logits[i, chosen]) - top - math.log(total)


@kernel
def _mass(logits: Any, legal: Any) -> Any:
    """The highest legal logit, and the sum of exp(logit - highest)."""
    top = -math.inf
    for w in range(LEGAL_WORDS):
        rest = legal[w]
        while rest != ZERO:
            top = max(top, np.float64(logits[64 * w + lowest(rest)]))
            rest &= rest - ONE
    total = 0.0
    for w in range(LEGAL_WORDS):
        rest = legal[w]
        while rest != ZERO:
            total += math.exp(np.float64(logits[64 * w + lowest(rest)]) - top)
            rest &= rest - ONE
    return top, total


@kernel
def fill_mask(legal: np.ndarray, mask: np.ndarray) -> None:
    """mask[i, a] = 1 where bit a of legal[i] is set; uint8 (B, A)."""
    for i in range(len(legal)):
        for a in range(mask.shape[1]):
            mask[i, a] = (legal[i, a >> 6] >> np.uint64(a & 63)) & ONE


def legal_mask(legal: np.ndarray, actions: int) -> np.ndarray:
    """Legal bits uint64 (B, 2) as a mask, bool (B, A)."""
    mask = np.empty((len(legal), actions), np.uint8)
    fill_mask(legal, mask)
    return mask.view(bool)
