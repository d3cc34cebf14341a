"""Stopping a training before it begins, what it leaves of torch's own settings, and runs that diverge."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

import tarock_env
from agents.ppo.agent import POLICY_FILE
from agents.ppo.checkpoint import CheckpointError
from agents.ppo.config import TrainConfig
from agents.ppo.logs import CSV_FILE
from agents.ppo.trainer import STATE_FILE, Counters, Trainer, resume

SMALL = TrainConfig(decisions=2_000, hands=16, width=16, minibatch=128, log_every=1, evaluations=0, seed=3)


@pytest.fixture(scope="module")
def engine() -> tarock_env.Engine:
    return tarock_env.make("koenigrufen_pagat")


def test_a_stop_before_the_run_stops_it(engine: tarock_env.Engine, tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    trainer = Trainer(SMALL, folder, engine)
    trainer.stop()
    trainer.run()
    assert (trainer.counters.hands, trainer.progress) == (0, 0.0)
    trainer.run(1)  # the stop is used up
    assert trainer.counters.hands == SMALL.hands
    trainer.stop()
    trainer.run()
    assert trainer.counters.hands == SMALL.hands
    resume(folder, engine).run()
    Trainer(SMALL, tmp_path / "whole", engine).run()
    first, second = load_file(tmp_path / "whole" / STATE_FILE), load_file(folder / STATE_FILE)
    assert all(first[name].tobytes() == second[name].tobytes() for name in first)


def test_a_stop_while_the_log_is_opened_stops_the_run(
    engine: tarock_env.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = Trainer(replace(SMALL, warm_start="heuristic", clone_hands=32), tmp_path, engine)
    monkeypatch.setattr("agents.ppo.logs._tensorboard", lambda *_: trainer.stop())
    trainer.run()
    assert trainer.counters == Counters()
    assert resume(tmp_path, engine).counters == Counters()


def test_torch_is_left_as_it_was(engine: tarock_env.Engine, tmp_path: Path) -> None:
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        trainer = Trainer(SMALL, tmp_path, engine)
        within: list[int] = []
        trainer.report = lambda *_: within.append(torch.get_num_threads())
        trainer.run(2)
        resume(tmp_path, engine)
        assert (within, torch.get_num_threads()) == ([1, 1], 2)
        trainer.report = lambda *_: 1 / 0  # type: ignore[return-value]
        with pytest.raises(ZeroDivisionError):
            trainer.run(1)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
    assert torch.equal(torch.get_rng_state(), before)


def test_networks_follow_from_the_seed_alone(engine: tarock_env.Engine, tmp_path: Path) -> None:
    first = Trainer(SMALL, tmp_path, engine)
    torch.rand(3)
    again, other = Trainer(SMALL, tmp_path, engine), Trainer(replace(SMALL, seed=4), tmp_path, engine)
    weights = [trainer.actor.first.weight.detach().numpy() for trainer in (first, again, other)]
    np.testing.assert_array_equal(weights[0], weights[1])
    assert not np.array_equal(weights[0], weights[2])


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e5])
def test_a_diverged_run_leaves_its_last_files(engine: tarock_env.Engine, tmp_path: Path, value: float) -> None:
    """It plays on without a crash, and does not write what nobody could read over what can be resumed."""
    trainer = Trainer(SMALL, tmp_path, engine, threads=1)
    trainer.run(1)
    before = {name: (tmp_path / name).read_bytes() for name in (POLICY_FILE, STATE_FILE)}
    with torch.no_grad():
        trainer.actor.last.bias[60] = value
    with pytest.raises(CheckpointError, match=r"has diverged: .*; allowed: finite numbers; nothing was written"):
        trainer.run(2)
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    lines = (tmp_path / CSV_FILE).read_text().splitlines()
    assert [line.partition(",")[0] for line in lines] == ["iteration", "1", "2", "3"]
    resume(tmp_path, engine).run(1)
