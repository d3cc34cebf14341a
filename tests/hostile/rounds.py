"""A round of fuzzing in a process of its own, which is watched from outside: its memory, its silence, its death.

A fuzzer's process may grow from input to input, and an input may hang or kill it. Neither may lose what was found or
counted: the number of inputs and the one being tried lie in memory that both processes share.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Progress:
    """What a round has done so far, in shared memory; inputs of up to `longest` bytes."""

    def __init__(self, context: Any, longest: int) -> None:
        self._tried, self._asked = context.RawValue("Q"), context.RawValue("B")
        self._size, self._bytes = context.RawValue("Q"), context.RawArray("B", longest)

    def begin(self, data: bytes) -> None:
        """Said by the round before it tries an input."""
        self._size.value = len(data)
        ctypes.memmove(self._bytes, data, len(data))
        self._tried.value += 1

    @property
    def tried(self) -> int:
        """The number of inputs."""
        return int(self._tried.value)

    @property
    def last(self) -> bytes:
        """The input that was begun last."""
        return bytes(self._bytes[: self._size.value])

    @property
    def asked(self) -> bool:
        """Whether the round is to end before its next input."""
        return bool(self._asked.value)

    def ask(self) -> None:
        """Let the round end before its next input, so that it loses nothing."""
        self._asked.value = 1


class Ended(NamedTuple):
    """Inputs tried, what was found, the input if the round could not keep it, MiB at most, whether it had grown."""

    tried: int
    found: str | None
    unkept: bytes | None
    peak: int
    grown: bool


def run_round(
    work: Callable[..., None], words: tuple[Any, ...], longest: int, most: int, patience: float, look: float = 1.0
) -> Ended:
    """Call ``work(*words, progress, pipe)`` in a fresh process until it sends what it found, or None, through the pipe.

    Args:
        most: MiB of memory beyond which the round is asked to end; an input that goes on alone there is a finding.
        patience: seconds without a new input, after which the one being tried is a finding.
        look: seconds between two looks at the process.
    """
    context = multiprocessing.get_context("spawn")
    progress = Progress(context, longest)
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(*words, progress, theirs))
    process.start()
    theirs.close()
    try:
        return _watch(process, ours, progress, most, patience, look)
    finally:
        process.kill()
        process.join()
        ours.close()


def _watch(process: Any, ours: Any, progress: Progress, most: int, patience: float, look: float) -> Ended:
    peak, before, since = 0, -1, time.monotonic()

    def ended(found: str | None, kept: bool = False) -> Ended:
        unkept = None if kept or not progress.tried else progress.last
        return Ended(progress.tried, found, unkept, peak, progress.asked)

    while not ours.poll(look):
        tried, mib = progress.tried, resident(process.pid)
        peak = max(peak, mib)
        if mib > most and progress.asked and tried == before:
            return ended(f"an input that takes {mib:,} MiB")
        if tried == before and time.monotonic() - since > patience:
            return ended(f"no end after {patience:g} s")
        if tried != before:
            before, since = tried, time.monotonic()
        if mib > most:
            progress.ask()
    try:
        return ended(ours.recv(), kept=True)
    except EOFError:
        process.join()
        return ended(f"the process died with exit code {process.exitcode}")


def resident(pid: int) -> int:
    """MiB of memory that a process has; 0 where the system does not say (Linux does) or the process is gone."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE") >> 20
