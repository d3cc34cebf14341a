"""A round of fuzzing that grows, hangs or dies loses neither its count nor the input; a quiet one is left alone."""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import subprocess
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import fuzz_inputs
from tests.fuzz_inputs import Outcome
from tests.hostile.rounds import Ended, Progress, resident, run_round

LONGEST, MOST = 8, 400  # bytes, MiB


def quiet(progress: Progress, pipe: Any) -> None:
    for _ in range(3):
        progress.begin(b"any")
    pipe.send(None)


def finds(progress: Progress, pipe: Any) -> None:
    progress.begin(b"bad")
    pipe.send("file.py:7: kept by the round")


def exits(progress: Progress, pipe: Any) -> None:
    progress.begin(b"longer")
    progress.begin(b"a\0b\0")
    os._exit(3)


def exits_at_once(progress: Progress, pipe: Any) -> None:
    os._exit(4)


def hangs(progress: Progress, pipe: Any) -> None:
    progress.begin(b"slow")
    time.sleep(60)


def swells(progress: Progress, pipe: Any) -> None:
    progress.begin(b"fine")
    progress.begin(b"large")
    held = b"x" * (2 * MOST << 20)
    time.sleep(60 + len(held) * 0)


def grows(progress: Progress, pipe: Any, found: str | None = None) -> None:
    held = []
    while not progress.asked:
        progress.begin(b"any")
        held.append(b"x" * (4 << 20))
        time.sleep(0.001)
    pipe.send(found)


def grows_and_finds(progress: Progress, pipe: Any) -> None:
    grows(progress, pipe, "file.py:8: found while it was asked to end")


def ended(work: Callable[[Progress, Any], None], patience: float = 30.0) -> Ended:
    return run_round(work, (), LONGEST, MOST, patience, look=0.05)


@pytest.mark.parametrize(
    "work, tried, found, unkept",
    [
        (quiet, 3, None, None),
        (finds, 1, "file.py:7: kept by the round", None),
        (exits, 2, "the process died with exit code 3", b"a\0b\0"),
        (exits_at_once, 0, "the process died with exit code 4", None),
    ],
)
def test_a_round_that_ends(work: Any, tried: int, found: str | None, unkept: bytes | None) -> None:
    assert ended(work)._replace(peak=0) == Ended(tried, found, unkept, 0, False)


def test_a_round_that_hangs_is_ended_and_its_input_known() -> None:
    started = time.monotonic()
    assert ended(hangs, 5.0)._replace(peak=0) == Ended(1, "no end after 5 s", b"slow", 0, False)
    assert time.monotonic() - started < 30


linux = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the memory of other processes is read from /proc")


@linux
def test_an_input_that_fills_the_memory_is_a_finding() -> None:
    told = ended(swells)
    assert (told.tried, told.unkept, told.grown) == (2, b"large", True)
    assert told.found == f"an input that takes {told.peak:,} MiB"
    assert told.peak > MOST


@linux
@pytest.mark.parametrize("work, found", [(grows, None), (grows_and_finds, "file.py:8: found while it was asked to end")])
def test_a_round_that_grows_is_asked_to_end_and_loses_nothing(work: Any, found: str | None) -> None:
    told = ended(work)
    assert (told.found, told.unkept, told.grown) == (found, None, True)
    assert MOST < told.peak < 4 * told.tried + MOST


@linux
def test_memory_of_a_process() -> None:
    before = resident(os.getpid())
    held = b"x" * (100 << 20)
    assert 95 <= resident(os.getpid()) - before <= 130, len(held)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert resident(gone.pid) == 0


# ------------------------------------------------------------------ rounds of Atheris


def test_rounds_are_summed_and_inputs_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = [
        Ended(10, None, None, 500, True),
        Ended(5, "a.py:1: x -> kept", None, 300, False),
        Ended(2, "died", b"\0", 1, True),
        *[Ended(1, "again", None, 0, False)] * 18,
    ]
    seeds = []

    def one(work: Any, words: tuple[Any, ...], *_: Any) -> Ended:
        seeds.append(words[2])
        return rounds[len(seeds) - 1]

    monkeypatch.setattr(fuzz_inputs, "run_round", one)
    done = fuzz_inputs.guided("spec", 1.0, 7, tmp_path)
    (path,) = tmp_path.iterdir()
    assert path.read_bytes() == b"\0"
    assert done == Outcome(35, ["a.py:1: x -> kept", f"died -> {path}", *["again"] * 18], 500, 2)
    assert seeds == list(range(7, 28))
    monkeypatch.setattr(fuzz_inputs, "guided", lambda *_: done)
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: name == "atheris" or find_spec(name, *more))
    assert fuzz_inputs.main(["1", "--target", "spec"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[1] == "spec: 35 inputs, 20 findings, 500 MiB; rounds ended at more than 2,048 MiB: 2"
    assert told[2:4] == ["  a.py:1: x -> kept", f"  died -> {path}"]


class Pipe(list[Any]):
    """Keeps what is sent."""

    send = list.append


class Exit(BaseException):
    """Instead of the end of the process."""


def guided_round(monkeypatch: pytest.MonkeyPatch, folder: Path, inputs: list[Any]) -> tuple[Progress, Pipe]:
    """A round with a fuzzer that gives these inputs; functions among them are called."""
    from tests.hostile import targets  # takes seconds, which the processes of the rounds above do not need

    given: list[Any] = []

    def fuzz() -> None:
        for data in inputs:
            data(progress) if callable(data) else given[0](data)

    def leave(code: int) -> None:
        raise Exit

    atheris = types.SimpleNamespace(Setup=lambda words, one: given.append(one), Fuzz=fuzz, instrument_func=None)
    monkeypatch.setitem(sys.modules, "atheris", atheris)  # type: ignore[arg-type]
    monkeypatch.setattr(fuzz_inputs, "_guided_functions", list)
    monkeypatch.setattr(os, "_exit", leave)
    monkeypatch.setitem(targets.TARGETS, "tried", lambda data: data.index(b"a"))
    progress, pipe = Progress(multiprocessing.get_context("spawn"), 400), Pipe()
    with pytest.raises(Exit):
        fuzz_inputs._guided_round("tried", 60.0, 1, folder, progress, pipe)
    return progress, pipe


def test_a_guided_round_keeps_what_it_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    progress, pipe = guided_round(monkeypatch, tmp_path, [b"abc", b"xya", b"xyz", b"never"])
    (path,) = tmp_path.iterdir()
    assert path.read_bytes() == b""
    assert (progress.tried, progress.last) == (3, b"xyz")
    (told,) = pipe
    assert "ValueError('subsection not found')" in told
    assert told.endswith(f" -> {path}")


def test_a_guided_round_ends_when_it_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    progress, pipe = guided_round(monkeypatch, tmp_path, [b"abc", Progress.ask, b"never"])
    assert (progress.tried, progress.last, pipe) == (1, b"abc", [None])
    assert list(tmp_path.iterdir()) == []
