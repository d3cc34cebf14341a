"""The log of a run: whole rows only, never fewer than before, and the same rows however often the run is stopped."""

from __future__ import annotations

import csv
import json
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

from agents.ppo import checkpoint, logs
from agents.ppo.config import TrainConfig
from agents.ppo.figures import shown
from agents.ppo.trainer import STATE_FILE, Trainer, resume
from tarock_env import Engine, load
from tarock_env.codes import Phase

CONFIG = TrainConfig(decisions=4000, hands=16, width=8, minibatch=64, evaluations=0, log_every=3, shards=1)
TIMES = ("seconds", "decisions_per_second")


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(load(CONFIG.ruleset))


def rows(folder: Path) -> list[dict[str, str]]:
    """The log without times."""
    with (folder / logs.CSV_FILE).open(newline="") as file:
        return [{key: value for key, value in row.items() if key not in TIMES} for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def whole(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """The rows of a run that was not stopped."""
    folder = tmp_path_factory.mktemp("whole")
    Trainer(CONFIG, folder, engine, threads=1).run(8)
    assert [row["iteration"] for row in rows(folder)] == ["3", "6"]
    return rows(folder)


@pytest.mark.parametrize("stops", [(1, 7), (2, 2, 4), (4, 4), (1, 1, 1, 1, 1, 3)], ids=str)
def test_stopped_between_rows_it_writes_the_same_rows(
    stops: tuple[int, ...], engine: Engine, whole: list[dict[str, str]], tmp_path: Path
) -> None:
    Trainer(CONFIG, tmp_path, engine, threads=1).run(stops[0])
    for iterations in stops[1:]:
        resume(tmp_path, engine, threads=1).run(iterations)
    assert rows(tmp_path) == whole


def test_a_trainer_that_runs_twice_writes_the_same_rows(engine: Engine, whole: list[dict[str, str]], tmp_path: Path) -> None:
    trainer = Trainer(CONFIG, tmp_path, engine, threads=1)
    trainer.run(4)
    trainer.run(4)
    assert rows(tmp_path) == whole


@pytest.mark.parametrize("tail", ["6,1", "6,1000,96,1", "7", "6,1000,9999999999", "\0", "6,1000," + "1" * 200_000])
def test_a_torn_row_is_none(tail: str, engine: Engine, whole: list[dict[str, str]], tmp_path: Path) -> None:
    Trainer(CONFIG, tmp_path, engine, threads=1).run(5)
    with (tmp_path / logs.CSV_FILE).open("a") as file:
        file.write(tail)
    resume(tmp_path, engine, threads=1).run(3)
    assert rows(tmp_path) == whole


def test_a_kill_while_old_rows_are_kept_loses_none(
    engine: Engine, whole: list[dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Trainer(CONFIG, tmp_path, engine, threads=1).run(5)
    before = (tmp_path / logs.CSV_FILE).read_bytes()

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, killed)
            with pytest.raises(KeyboardInterrupt):
                resume(tmp_path, engine, threads=1).run(3)
        assert (tmp_path / logs.CSV_FILE).read_bytes() == before
    resume(tmp_path, engine, threads=1).run(3)
    assert rows(tmp_path) == whole


@pytest.mark.parametrize("content", [b"\xff\xfe\n1\n", b"a,b\n1,2\n", b'iteration,hands\n3,"x"\n'])
def test_what_is_no_log_is_told(content: bytes, engine: Engine, tmp_path: Path) -> None:
    Trainer(CONFIG, tmp_path, engine, threads=1).run(1)
    (tmp_path / logs.CSV_FILE).write_bytes(content)
    with pytest.raises(ValueError, match=r"log .*log\.csv' cannot be read: .*; remove it to go on without its rows"):
        resume(tmp_path, engine, threads=1).run(1)
    assert (tmp_path / logs.CSV_FILE).read_bytes() == content


NAN = float("nan")
BAD: tuple[Any, ...] = (
    {"sums": {"kl": [10**400]}}, {"sums": {"kl": [NAN]}}, {"sums": {"kl": [float("-inf")]}}, {"sums": {"kl": [1.1e30, 0]}},
    {"sums": {"kl": [True]}}, {"sums": {"\x1b[31m": [0.5]}}, {"sums": {"kl": 0.5}}, {"phases": [[NAN] * 11] * 2},
    {"phases": [[1e31] * 11, [0.0] * 11]}, {"phases": [[0.0] * 11, [None] * 11]}, {"phases": [[0.0] * 11, [-1.0] * 11]},
    {"phases": [[0.0] * 11] * 3},
    None, [], {}, {"sums": {"kl": []}}, {"sums": {"kl": []}, "phases": 0, "contracts": 0}, {"sums": {"kl": ["x"]}},
    {"phases": [[0.0]]},
    {"contracts": [[0.0] * 99] * 2}, {"phases": "x"}, {"more": 1},
)  # fmt: skip


@pytest.mark.parametrize("wrong", BAD, ids=repr)
def test_a_state_with_something_else_to_log_is_refused(wrong: Any, engine: Engine, tmp_path: Path) -> None:
    Trainer(CONFIG, tmp_path, engine, threads=1).run(2)
    arrays, header = checkpoint.read(tmp_path / STATE_FILE, checkpoint.TRAINING)
    assert set(header["log"]) == {"sums", "phases", "contracts"}
    damaged = {**header["log"], **wrong} if isinstance(wrong, dict) and len(wrong) == 1 else wrong
    checkpoint.write(tmp_path / STATE_FILE, checkpoint.TRAINING, arrays, {**header, "log": damaged})
    with pytest.raises(checkpoint.CheckpointError, match="allowed"):
        resume(tmp_path, engine, threads=1)


@pytest.mark.parametrize("name", ["log", "members", "__metadata__"])
def test_a_state_that_says_something_twice_is_refused(name: str, engine: Engine, tmp_path: Path) -> None:
    Trainer(CONFIG, tmp_path, engine, threads=1).run(1)
    path = tmp_path / STATE_FILE
    arrays, header = checkpoint.read(path, checkpoint.TRAINING)
    text = json.dumps(header)
    if name in header:
        text = f'{text[:-1]}, "{name}": 0}}'
    content = save(arrays, {"tarock": text})
    if name == "__metadata__":
        (length,) = struct.unpack("<Q", content[:8])
        head = b'{"__metadata__": {}, ' + content[9 : 8 + length]
        content = struct.pack("<Q", len(head)) + head + content[8 + length :]
    path.write_bytes(content)
    with pytest.raises(checkpoint.CheckpointError, match=rf"'{name}' stands twice in an object; allowed"):
        resume(tmp_path, engine, threads=1)


@pytest.mark.parametrize("value", [NAN, float("inf"), -float("inf"), 1e300, 3e38])
def test_figures_that_run_away_are_logged_as_none(
    value: float, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One iteration with a figure that is no number, between others: rows, and a stop meanwhile changes nothing."""
    step, told = Trainer._learn, {"kl": value, "entropy_sum": np.full(len(Phase), value)}

    def learn(self: Trainer, *arguments: Any) -> dict[str, Any]:
        return step(self, *arguments) | (told if self.counters.iteration == 1 else {})

    monkeypatch.setattr(Trainer, "_learn", learn)
    Trainer(CONFIG, tmp_path / "a", engine, threads=1).run(6)
    found = rows(tmp_path / "a")
    assert (found[0]["kl"], found[0]["entropy_play"]) == ("nan", "nan")
    assert 0 < float(found[0]["value_loss"]) < 10
    assert 0 < float(found[1]["kl"]) < 1
    for iterations in (2, 2, 2):
        folder = tmp_path / "b"
        trainer = resume(folder, engine, threads=1) if folder.exists() else Trainer(CONFIG, folder, engine, threads=1)
        trainer.run(iterations)
    assert rows(folder) == found


def test_figures_as_cells() -> None:
    for value, cell in ((3.0, "3"), (0.1234567, "0.123457"), (NAN, "nan"), (float("inf"), "inf"), (1e300, "1e+300"),
                        (-1e16, "-1e+16"), (1e15, "1000000000000000")):  # fmt: skip
        assert shown(value) == cell


def test_a_state_of_an_earlier_version_has_nothing_to_log(engine: Engine, tmp_path: Path) -> None:
    Trainer(CONFIG, tmp_path, engine, threads=1).run(2)
    arrays, header = checkpoint.read(tmp_path / STATE_FILE, checkpoint.TRAINING)
    del header["log"]
    checkpoint.write(tmp_path / STATE_FILE, checkpoint.TRAINING, arrays, header)
    resume(tmp_path, engine, threads=1).run(1)
    assert [row["iteration"] for row in rows(tmp_path)] == ["3"]


def test_the_precision_that_was_chosen_is_written(engine: Engine, tmp_path: Path) -> None:
    """A resumed run keeps it, so that the files of both are the same."""
    trainer = Trainer(CONFIG, tmp_path, engine, threads=1)
    trainer.run(1)
    assert CONFIG.precision == "auto"
    before = json.loads((tmp_path / "training.json").read_text())["config"]
    resume(tmp_path, engine, threads=1).save()
    assert json.loads((tmp_path / "training.json").read_text())["config"] == before
    assert before["precision"] in ("fp32", "bf16")
