"""`tarock demo`, in small: the tour, and its folder, which is that of a training."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from agents.ppo.trainer import Trainer
from experiments import demo, locks, train, warm
from experiments.cli import main
from tarock_env.record import whole


def test_the_tour(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "run", lambda args: 0)
    small = tmp_path / "small.json"
    small.write_text('{"hands": 32, "width": 16, "evaluation_deals": 4, "evaluations": 2, "log_every": 1}')
    monkeypatch.setattr(demo, "CONFIG", small)
    out, rename, written = tmp_path / "out", whole.rename, set()
    monkeypatch.setattr(whole, "rename", lambda source, target: written.add(target.name) or rename(source, target))
    assert main(["demo", "--minutes", "0.05", "--deals", "4", "--warm-start", "none", "--out", str(out)]) == 0
    text = capsys.readouterr().out
    assert "ppo (fresh)" in text
    assert "scores" in (out / "hand.txt").read_text()
    assert (out / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert "[" in (out / "table.txt").read_text()
    assert (out / "manifest.json").is_file()
    assert written == set(train.WRITTEN)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words of a demo that is over at once, but for its training."""
    config = tmp_path / "small.json"
    config.write_text('{"hands": 32, "width": 16, "evaluation_deals": 4, "evaluations": 0, "log_every": 1}')
    monkeypatch.setattr(warm, "run", lambda args: 0)
    monkeypatch.setattr(demo, "CONFIG", config)
    return ["demo", "--minutes", "0.01", "--deals", "2", "--warm-start", "none", "--out", str(tmp_path / "out")]


def test_a_demo_does_not_train_where_another_process_does(
    small: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    with locks.holding(tmp_path / "out" / "lock"):
        assert main(small) == 2
    assert "another process is training there" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["lock"]


def test_nobody_trains_where_a_demo_is_going_on(
    small: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = []

    def meanwhile(*_: Any) -> list[str]:
        codes.append(main(["train", "--resume", "--out", str(tmp_path / "out")]))
        return ["table"]

    monkeypatch.setattr(demo, "cross_table", meanwhile)
    assert main(small) == 0
    assert codes == [2]
    assert "another process is training there" in capsys.readouterr().err
    assert "finished" in json.loads((tmp_path / "out" / "manifest.json").read_text())


def test_a_demo_that_is_killed_early_can_be_resumed(
    small: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "run", killed)
        assert main(small) == 130
    assert json.loads((tmp_path / "out" / "training.json").read_text())["counters"]["decisions"] == 0
    about = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert (about["settings"]["command"], about["settings"]["deals"], "finished" in about) == ("demo", 2, False)
    assert main(small) == 2
    assert main(["train", "--resume", "--decisions", "100", "--out", str(tmp_path / "out")]) == 0


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", ["fifo", "folder", "link"])
@pytest.mark.parametrize("command", ["demo", "train", "train --resume"])
def test_a_lock_must_be_a_regular_file(
    command: str, kind: str, small: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    if command == "train --resume":
        assert main(["train", "--decisions", "10", "--set", "hands=16", "--set", "evaluations=0", "--out", str(out)]) == 0
        (out / "lock").unlink()
    out.mkdir(exist_ok=True)
    make = {"fifo": os.mkfifo, "folder": Path.mkdir, "link": lambda path: path.symlink_to(tmp_path / "elsewhere")}
    make[kind](out / "lock")
    before = sorted(out.iterdir())
    assert main(small if command == "demo" else [*command.split(), "--out", str(out)]) == 2
    assert f"lock is {'a folder' if kind == 'folder' else 'no regular file'}; allowed" in capsys.readouterr().err
    assert sorted(out.iterdir()) == before
    assert not (tmp_path / "elsewhere").exists()
