"""The same hands without compilation, with warnings as errors, and with bounds checks: no overflow, no index out of range.

Compiled kernels wrap silently where plain Python warns or raises; so a sample is played all three ways and must agree.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tarock_env

ROOT = Path(tarock_env.__file__).resolve().parents[1]
HANDS = 40
PLAY = """
import hashlib
import sys
import tarock_env
for name in tarock_env.available():
    engine = tarock_env.make(name)
    state = engine.reset(int(sys.argv[1]), seed=2026, hands=2)
    for _ in range(2):
        engine.playout(state, "balanced")
        mask = engine.legal(state)
        engine.next_hand(state)
    engine.step(state, engine.sample(engine.legal(state), engine.keys(state)))
    digest = hashlib.sha256(mask.tobytes())
    for field in state.dtype.names:
        digest.update(state[field].tobytes())
    print(name, state["scores"].sum(axis=0).tolist(), digest.hexdigest())
"""


def played(hands: int, *flags: str, **environment: str) -> list[str]:
    """One line a ruleset: sums of scores, and a digest of all states, from a fresh process."""
    command = [sys.executable, *flags, "-c", PLAY, str(hands)]
    result = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-3000:]
    return result.stdout.splitlines()


def test_plain_python_plays_the_same_hands_without_a_warning() -> None:
    interpreted = played(HANDS, "-W", "error", NUMBA_DISABLE_JIT="1")
    assert [line.split()[0] for line in interpreted] == list(tarock_env.available())
    assert interpreted == played(HANDS)


@pytest.mark.boundscheck
def test_bounds_checks_find_nothing() -> None:
    assert played(2000, NUMBA_BOUNDSCHECK="1") == played(2000)


def every_entry(hands: int, **environment: str) -> list[str]:
    """What `tests.every_entry` prints in a fresh process."""
    command = [sys.executable, "-m", "tests.every_entry", str(hands)]
    result = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr[-3000:]
    return result.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.boundscheck
def test_bounds_checks_find_nothing_in_any_entry() -> None:
    checked = every_entry(40, NUMBA_BOUNDSCHECK="1")
    assert checked[-1].endswith("entries called; not called: none")
    assert checked == every_entry(40)


@pytest.mark.boundscheck
def test_bounds_checks_are_on() -> None:
    code = """
import numpy as np, tarock_env
from tarock_env.engine import loops
engine = tarock_env.make("koenigrufen_pagat")
loops.fill_hand_keys(engine.reset(2), 1, np.zeros(1, np.uint64))
"""
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=os.environ | {"NUMBA_BOUNDSCHECK": "1"}, capture_output=True, text=True
    )
    assert "IndexError: index is out of bounds" in result.stderr
