"""The policies that come with the package."""

from __future__ import annotations

from pathlib import Path

import pytest

import tarock_env
from agents.base import make
from agents.ppo.agent import BUILTIN
from experiments.duplicate import play

FILES = sorted(BUILTIN.glob("*.safetensors"))


def test_there_is_one() -> None:
    assert "koenigrufen_pagat" in [path.stem for path in FILES]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_builtin_policy(path: Path) -> None:
    """Small, and better than who taught it."""
    assert path.stat().st_size <= 2_000_000
    engine = tarock_env.make(path.stem)
    agent = make(f"ppo:builtin/{path.stem}", engine)
    assert play(engine, agent, make("random", engine), 300, 21).ci95[0] > 3.0
    assert play(engine, agent, make("heuristic", engine), 1500, 21).ci95[0] > 0.0
