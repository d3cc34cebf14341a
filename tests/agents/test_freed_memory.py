"""The heuristic reads no memory that was given back: with such memory overwritten it plays the same.

The GNU C library fills freed blocks with a byte if asked to, but not those that it keeps for the same thread.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tarock_env

ROOT = Path(tarock_env.__file__).resolve().parents[1]
OVERWRITTEN = {"MALLOC_PERTURB_": "165", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
PLAY = """
import hashlib
import tarock_env
from agents.heuristic.agent import HeuristicAgent
from tarock_env.view import observe
engine = tarock_env.make("koenigrufen_pagat")
agent, state = HeuristicAgent(engine), engine.reset(200, seed=3)
first = agent.act(observe(engine, state), engine.legal(state), engine.keys(state))
agent.playout(state)
print(first.tolist(), state["contract"].tolist(), state["scores"].tolist())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="settings of the GNU C library")
def test_freed_memory_is_not_read() -> None:
    command = [sys.executable, "-c", PLAY]
    runs = [
        subprocess.run(command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True)
        for settings in ({}, OVERWRITTEN)
    ]
    assert [run.returncode for run in runs] == [0, 0], runs[0].stderr + runs[1].stderr
    assert runs[0].stdout == runs[1].stdout
