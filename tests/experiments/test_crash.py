"""Killed processes, full disks and read-only folders: nothing is lost, torn or doubled, and the error is one line."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.ppo import checkpoint
from experiments import duplicate, evaluate, locks, simulate, train
from experiments.cli import main
from tests.crash_cases import evaluate_words, names, simulate_words, train_words

ROOT = Path(__file__).parents[2]


# ------------------------------------------------------------------ kill -9


def killed(kills: int, *more: str) -> list[list[str]]:
    """The table of `tests.crash`, row by row."""
    command = [sys.executable, "-m", "tests.crash", "--kills", str(kills), *more]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line for line in done.stdout.splitlines() if re.match(r"\| (simulate|evaluate|train)", line)]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def check_rows(rows: list[list[str]], kills: int, commands: list[str]) -> None:
    assert [row[0] for row in rows] == commands
    for _, number, _, _, runs, equal in rows:
        assert int(number) >= kills
        assert int(runs) >= 1
        assert runs == equal


def test_killed_commands_end_as_undisturbed_ones() -> None:
    check_rows(
        killed(3, "--scale", "0.25", "--commands", "simulate", "evaluate", "train"), 3, ["simulate", "evaluate", "train"]
    )


@pytest.mark.slow
def test_commands_killed_often_end_as_undisturbed_ones() -> None:
    check_rows(killed(40, "--seed", "2"), 40, ["simulate", "simulate --session", "evaluate", "train"])


# ------------------------------------------------------------------ a full disk


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((simulate, "BATCH"), (duplicate, "CHUNK"), (evaluate, "CHUNK")):
        monkeypatch.setattr(module, name, 64)


@contextlib.contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """No file may grow beyond so many bytes: writing more fails as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def fails(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What a command that ends with an error says about it: one line."""
    capsys.readouterr()
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.startswith("tarock: ")
    assert error.count("\n") == 1
    return error


def shorter(words: list[str], **numbers: int) -> list[str]:
    """The same words with other numbers after some of them."""
    words = words[:]
    for name, number in numbers.items():
        words[words.index(f"--{name}") + 1] = str(number)
    return words


def test_simulate_on_a_full_disk_keeps_what_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("whole", "full"):
        (tmp_path / name).mkdir()
    words = [shorter(simulate_words(tmp_path / name), hands=300) for name in ("whole", "full")]
    assert main(words[0]) == 0
    size = (tmp_path / "whole/hands.jsonl").stat().st_size
    with files_of_at_most(size // 2):
        error = fails(words[1], capsys)
    assert "full/hands.jsonl.part: File too large" in error
    about = json.loads((tmp_path / "full/hands.jsonl.manifest.json").read_text())
    assert 0 < about["written"]["hands"] < 300
    assert main(words[1]) == 0
    assert f"{about['written']['hands']} of them from a run that was stopped" in capsys.readouterr().out
    assert (tmp_path / "full/hands.jsonl").read_bytes() == (tmp_path / "whole/hands.jsonl").read_bytes()


def test_a_manifest_on_a_full_disk_stays_the_old_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = shorter(simulate_words(tmp_path), hands=300)
    with files_of_at_most(200):
        assert "hands.jsonl.manifest.json: File too large" in fails(words, capsys)
    assert list(tmp_path.iterdir()) == []


def test_evaluate_on_a_full_disk_keeps_what_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "whole").mkdir()
    words = shorter(evaluate_words(tmp_path), deals=200)
    assert main(shorter(evaluate_words(tmp_path / "whole"), deals=200)) == 0
    wanted, size = capsys.readouterr().out, (tmp_path / "whole/match.jsonl").stat().st_size
    with files_of_at_most(size - 100):
        assert "match.jsonl: File too large" in fails(words, capsys)
    whole = (tmp_path / "match.jsonl").read_bytes()
    assert main(words) == 0
    assert capsys.readouterr().out == wanted
    assert (tmp_path / "match.jsonl").read_bytes() == (tmp_path / "whole/match.jsonl").read_bytes()
    assert (tmp_path / "match.jsonl").read_bytes()[: whole.rfind(b"\n")] == whole[: whole.rfind(b"\n")]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small finished training run."""
    folder = tmp_path_factory.mktemp("run")
    assert main(shorter(train_words(folder), decisions=2000)) == 0
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """The files that make up a run."""
    kept = ("policy.safetensors", "policy.json", "training.safetensors", "training.json")
    return {name: (folder / name).read_bytes() for name in kept}


def test_train_on_a_full_disk_keeps_the_last_good_state(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, listed = contents(run), names(run)
    words = ["train", "--resume", "--out", str(run), "--decisions", "4000"]
    with files_of_at_most(len(before["training.safetensors"]) // 2):
        error = fails(words, capsys)
    assert str(run) in error
    assert "File too large" in error
    assert contents(run)["training.safetensors"] == before["training.safetensors"]
    assert names(run) == listed
    assert main(words) == 0
    assert checkpoint.read(run / "training.safetensors", checkpoint.TRAINING)[1]["counters"]["decisions"] >= 4000


def test_drafts_of_a_killed_run_are_removed(run: Path) -> None:
    for name in train.WRITTEN:
        (run / f".{name}.0123abcd").write_bytes(b"half a fi")
    assert main(["train", "--resume", "--out", str(run), "--decisions", "100"]) == 0
    assert [name for name in names(run) if name.startswith(".")] == []


# ------------------------------------------------------------------ folders that cannot be written


def test_a_place_below_a_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("mine")
    for words in (simulate_words, train_words, evaluate_words):
        error = fails(words(tmp_path / "file" / "below"), capsys)
        assert "file" in error
        assert "Not a directory" in error
    assert (tmp_path / "file").read_text() == "mine"


def test_a_read_only_folder_is_one_line(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: Path, *_: Any) -> Any:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    before = contents(run)
    monkeypatch.setattr(locks, "open", refuse, raising=False)
    for words in (simulate_words(tmp_path), evaluate_words(tmp_path), train_words(tmp_path / "new"),
                  ["train", "--resume", "--out", str(run), "--decisions", "9000"]):  # fmt: skip
        assert "Read-only file system" in fails(words, capsys)
    assert contents(run) == before


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.mark.slow
def test_on_a_disk_that_is_really_full(small_disk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words, ballast = shorter(simulate_words(small_disk), hands=300), small_disk / "ballast"
    (tmp_path / "whole").mkdir()
    assert main(shorter(simulate_words(tmp_path / "whole"), hands=300)) == 0
    ballast.write_bytes(bytes(900_000))
    assert "No space left on device" in fails(words, capsys)
    assert names(small_disk) == ["ballast", "hands.jsonl.manifest.json", "hands.jsonl.part"]
    ballast.unlink()
    assert main(words) == 0
    assert (small_disk / "hands.jsonl").read_bytes() == (tmp_path / "whole/hands.jsonl").read_bytes()
    (small_disk / "hands.jsonl").unlink()
    ballast.write_bytes(bytes(900_000))
    for other in (train_words(small_disk / "run"), shorter(evaluate_words(small_disk), deals=10_000)):
        assert "No space left on device" in fails(other, capsys)
    ballast.unlink()
    assert main(shorter(evaluate_words(small_disk), deals=10_000)) == 0


@pytest.mark.slow
def test_in_a_folder_that_is_really_read_only(small_disk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shorter(evaluate_words(small_disk), deals=100)) == 0
    before = (small_disk / "match.jsonl").read_bytes()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for words in (simulate_words(small_disk), train_words(small_disk), train_words(small_disk / "new"),
                  shorter(evaluate_words(small_disk), deals=100)):  # fmt: skip
        assert "Read-only file system" in fails(words, capsys)
    assert names(small_disk) == ["match.jsonl"]
    assert (small_disk / "match.jsonl").read_bytes() == before
