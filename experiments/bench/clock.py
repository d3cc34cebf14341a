"""Time and counts: what one measurement returns, and how large the measurements are."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tarock_env.engine.batch import Engine


@dataclass(frozen=True)
class Size:
    """How much work a measurement does."""

    batch: int = 4096  #: games in a batch, B
    hands: int = 1024  #: where a hand is worked on one by one, or by heavier agents
    steps: int = 8192  #: of environments that play one game at a time
    learned: int = 2048  #: decisions with a choice that a training peer learns from
    sweep: tuple[int, ...] = (256, 1024, 4096, 16384, 65536, 262144)  #: batch sizes of the growth rows
    wide: int = 65536  #: games in the batch that is cut for two threads
    stream: tuple[int, int] = (1_000_000, 10_000_000)  #: hands after which memory is read


FULL = Size()


@dataclass(frozen=True)
class Timed:
    """What was done in one measurement, and in what time.

    Attributes:
        count: things done. wall, cpu: seconds on the clock, and of all the process's threads together.
        threads: how many threads are meant to work. per_hand: decisions a hand, where that is known.
        by_clock: whether the rate of one thread is by the clock, too: to be compared with that of more.
    """

    count: float
    wall: float
    cpu: float
    threads: int = 1
    per_hand: float | None = None
    by_clock: bool = False

    @property
    def rate(self) -> float:
        """Things a second: of CPU time for one thread, which other processes hardly disturb, of the clock for more."""
        return self.count / max(self.wall if self.by_clock or self.threads > 1 else self.cpu, 1e-9)

    @property
    def cores(self) -> float:
        """How many cores were at work on average."""
        return self.cpu / max(self.wall, 1e-9)


#: one measurement
Measure = Callable[["Engine", Size], Timed]


class Stopwatch:
    """``with Stopwatch() as watch: …``, then ``watch.timed(count)``; several such blocks add up."""

    def __init__(self, threads: int = 1, *, by_clock: bool = False) -> None:
        self.threads, self.by_clock, self.wall, self.cpu = threads, by_clock, 0.0, 0.0

    def __enter__(self) -> Stopwatch:
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall += time.perf_counter() - self._wall
        self.cpu += time.process_time() - self._cpu

    def timed(self, count: float, hands: float | None = None) -> Timed:
        """The measurement: how many things were done, in how many hands."""
        return Timed(count, self.wall, self.cpu, self.threads, count / hands if hands else None, self.by_clock)


def timed(count: float, work: Callable[[], Any], threads: int = 1) -> Timed:
    """`count` things done by `work`."""
    with Stopwatch(threads) as watch:
        work()
    return watch.timed(count)


def has(modules: Sequence[str]) -> bool:
    """Whether all these modules are there; they are not imported, but what they lie in is."""
    try:
        return all(importlib.util.find_spec(module) is not None for module in modules)
    except ModuleNotFoundError:
        return False
