"""Two measurements against each other, in turns, so that what disturbs the machine disturbs both."""

from __future__ import annotations

import json
import select
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from experiments.bench.clock import Size, Timed
from experiments.bench.processes import environment
from experiments.bench.worker import WORD
from tarock_env.engine.batch import Engine

PATIENCE = 600.0  #: seconds that one measurement of a peer may take


class Failed(RuntimeError):
    """A measurement that could not be made, and why."""


def alternate(contestants: Sequence[Callable[[], Timed]], runs: int) -> list[list[Timed]]:
    """`runs` measurements of each, taken in turns: A B A B …"""
    rounds = [[measure() for measure in contestants] for _ in range(runs)]
    return [list(column) for column in zip(*rounds, strict=True)]


def median_rate(runs: Sequence[Timed]) -> float:
    """Things a second, the median of several measurements."""
    return statistics.median(run.rate for run in runs)


def best_rate(runs: Sequence[Timed]) -> float:
    """Things a second in the measurement that was disturbed least."""
    return max(run.rate for run in runs)


def told(runs: Sequence[Timed], pick: Callable[[Sequence[Timed]], float] = median_rate) -> dict[str, Any]:
    """Several measurements of one thing, ready for JSON; `pick` makes one rate of them."""
    facts = {
        "value": pick(runs),
        "runs": [run.rate for run in runs],
        "threads": runs[0].threads,
        "cores": statistics.median(run.cores for run in runs),
    }
    if runs[0].threads > 1:  # the rate is by the clock, which a busy machine disturbs; hardly what a CPU second brings
        facts["per_cpu_second"] = statistics.median(run.count / run.cpu for run in runs)
    return facts if runs[0].per_hand is None else {**facts, "decisions_per_hand": runs[0].per_hand}


class Contestant:
    """A measurement in a process of its own, see `experiments.bench.worker`.

    Raises:
        Failed: the process ended, or told an error.
    """

    def __init__(self, measure: str, engine: Engine, size: Size, threads: int) -> None:
        settings = {"measure": measure, "ruleset": engine.ruleset.id, "options": engine.options, "size": asdict(size)}
        command = [sys.executable, "-P", "-m", "experiments.bench.worker", json.dumps({**settings, "threads": threads})]
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  (closed in __exit__)
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True,
            env={**environment(), **_threads(threads)},
        )  # fmt: skip

    def __enter__(self) -> Contestant:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._errors.close()

    def ready(self) -> None:
        """Wait until its first measurement, which is not told, is made."""
        self._answer()

    def measure(self) -> Timed:
        """One measurement."""
        assert self._process.stdin is not None
        try:
            print(WORD, file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise Failed(self._last_words()) from None
        return Timed(**self._answer())

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], PATIENCE)[0]:
            raise Failed(f"no answer in {PATIENCE:.0f} s")
        line = self._process.stdout.readline()
        if not line:
            raise Failed(self._last_words())
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise Failed(answer["error"])
        return answer

    def _last_words(self) -> str:
        code = self._process.wait()
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors if line.strip()]
        return f"the process ended with {code}" + (f": {lines[-1][:200]}" if lines else "")


def _threads(threads: int) -> dict[str, str]:
    """What tells libraries how many threads to use, before they are imported."""
    one = {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"} if threads == 1 else {}
    return {
        "OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive",
        "JAX_PLATFORMS": "cpu", **one,
    }  # fmt: skip


def compare(measures: Sequence[str], engine: Engine, size: Size, threads: int, runs: int) -> list[list[Timed]]:
    """Measurements by name, each in a process of its own, in turns.

    Raises:
        Failed: one of them could not be made.
    """
    with Contestant(measures[0], engine, size, threads) as first, Contestant(measures[1], engine, size, threads) as second:
        for contestant in (second, first):
            contestant.ready()
        return alternate([first.measure, second.measure], runs)
