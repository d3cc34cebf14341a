"""Reproducible chance: 64-bit keys, and the numbers drawn from them.

A key is hashed from (seed, stream, index), so game i of a batch depends on nothing but its own seed. The mixing function
is the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tarock_env.jit import kernel, leaf, wrapping_add, wrapping_multiply
from tarock_env.rulesets.numbers import is_whole_in
from tarock_env.rulesets.shown import short

#: streams: two of them never share a key for the same seed
DEAL, CHANCE, AGENT, POLICY, EVALUATION = 1, 2, 3, 4, 5

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@leaf("uint64(uint64, int64)")
def mixed(key: Any, salt: Any) -> Any:
    """A new key from a key and a number: every bit depends on every bit."""
    z = wrapping_add(np.uint64(key), wrapping_multiply(np.uint64(salt) + np.uint64(1), _GOLDEN))
    z = wrapping_multiply(z ^ (z >> _S30), _M1)
    z = wrapping_multiply(z ^ (z >> _S27), _M2)
    return z ^ (z >> _S31)


@leaf("uint64(uint64, int64)")
def one_way(key: Any, salt: Any) -> Any:
    """A key that tells nothing of the key it comes from: `mixed` alone can be run backwards, a sum of two cannot."""
    return mixed(mixed(key, salt), 1) ^ mixed(mixed(key, wrapping_add(np.uint64(salt), 1 << 32)), 2)


@leaf("uint64(uint64, int64, int64)")
def decision_key(key: Any, decision: Any, seat: Any) -> Any:
    """The key that a seat draws from at one decision, out of a key of the hand.

    It tells nothing of that key, nor of what others draw from: whoever knows it knows no card and no other's choice.
    """
    return one_way(key, 8 * decision + seat)


@leaf("int64(uint64, int64)")
def below(key: Any, bound: Any) -> Any:
    """A number in 0 … bound - 1 from a key's upper 32 bits (bias under 2^-26 for bounds up to 64)."""
    return np.int64(((np.uint64(key) >> _S32) * np.uint64(bound)) >> _S32)


@leaf("float64(uint64)")
def fraction(key: Any) -> float:
    """A number in [0, 1) from a key's lower 32 bits."""
    return np.float64(np.int64(np.uint64(key) & _LOW)) * (1.0 / 4294967296.0)


@kernel
def fill_keys(keys: np.ndarray, seed: Any, stream: Any, first: Any) -> None:
    """keys[i] = hash of (seed, stream, first + i); uint64 (B,)."""
    base = mixed(mixed(np.uint64(seed), stream), 0)
    for i in range(len(keys)):
        keys[i] = mixed(base, first + i)


def make_keys(n: int, seed: int, stream: int = DEAL, first: int = 0) -> np.ndarray:
    """Keys of games first … first + n - 1, uint64 (n,).

    Raises:
        ValueError: if the seed is not a whole number in 0 … 2**64 - 1, or `n` or `first` is negative.
    """
    if not is_whole_in(seed, 0, (1 << 64) - 1):
        raise ValueError(f"seed is {short(seed)}; allowed: a whole number in 0 … 2**64 - 1")
    if not all(is_whole_in(x, 0, (1 << 62) - 1) for x in (n, first)):
        raise ValueError(f"number of games is {short(n)} from {short(first)}; allowed: whole numbers in 0 … 2**62 - 1")
    keys = np.empty(int(n), np.uint64)
    fill_keys(keys, np.uint64(seed), stream, first)
    return keys
