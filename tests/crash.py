"""Kill commands at random moments and let them go on: they must end with what an undisturbed run ends with.

    python -m tests.crash --kills 60

Half of the kills come at a random moment, half just before a random file operation (an open, a rename, a removal …) that the
command makes in its folder. After each, what is on the disk must be whole; after the last, the files must be those of a run
that nobody killed. Exit code: 0 if they were, 1 if not.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from experiments import cli
from tests.crash_cases import CASES, Case, prepare

EVENTS = ("open", "os.rename", "os.remove", "os.truncate", "os.mkdir")
PARTS = 5  #: of a run, in which kills are counted
LONGEST = 120.0  #: seconds after which a run is given up


class Ended(NamedTuple):
    """How a run ended."""

    code: int | None  #: exit code; None = killed
    seconds: float
    events: list[str]  #: file operations that it made in its folder


@dataclass
class Tally:
    """What happened to one command."""

    kills: int = 0
    runs: int = 0  #: that came to their end
    equal: int = 0
    where: Counter[str] = field(default_factory=Counter)  #: "a moment", or the file operation
    parts: Counter[int] = field(default_factory=Counter)  #: how far the run was
    faults: list[str] = field(default_factory=list)


def run(words: Sequence[str], folder: Path, seconds: float | None = None, operation: int | None = None) -> Ended:
    """Run a command in a child, killed after some seconds or before its file operation of this number (from 1).

    What it prints goes to ``out.txt`` and the names of its file operations to ``events.txt``, beside its folder.
    """
    started, beside = time.monotonic(), folder.parent
    (beside / "events.txt").unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        os._exit(_child(words, folder, operation))
    stop = started + (LONGEST if seconds is None else seconds)
    status = None
    while status is None:
        done, told = os.waitpid(child, os.WNOHANG)
        if done:
            status = told
        elif time.monotonic() >= stop:
            os.kill(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
        else:
            time.sleep(0.001)
    events = (beside / "events.txt").read_text().split() if (beside / "events.txt").exists() else []
    return Ended(os.WEXITSTATUS(status) if os.WIFEXITED(status) else None, time.monotonic() - started, events)


def _child(words: Sequence[str], folder: Path, operation: int | None) -> int:
    """The child's side: the command with its output in a file, and the exit code."""
    try:
        out = os.open(folder.parent / "out.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        events = os.open(folder.parent / "events.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.addaudithook(_watcher(str(folder), events, operation))
        return cli.main(words)
    except BaseException:
        traceback.print_exc()
        return 70
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()


def _watcher(folder: str, events: int, operation: int | None) -> Any:
    """An audit hook that notes file operations in a folder, and kills its process before one of them."""
    count = 0

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        if event not in EVENTS or not isinstance(arguments[0], (str, os.PathLike)):
            return
        if not os.fspath(arguments[0]).startswith(folder):
            return
        count += 1
        os.write(events, f"{event}\n".encode())
        if count == operation:
            os.kill(os.getpid(), signal.SIGKILL)

    return watch


@contextlib.contextmanager
def fresh(folder: Path) -> Iterator[Path]:
    """An empty place for one run after another."""
    place = folder / "run"
    place.mkdir(parents=True)
    try:
        yield place / "out"
    finally:
        shutil.rmtree(place)


def undisturbed(case: Case, folder: Path) -> tuple[dict[str, Any], Ended]:
    """What a run that nobody kills ends with."""
    with fresh(folder) as place:
        place.mkdir()
        ended = run(case.first(place), place)
        if ended.code != 0:
            raise RuntimeError(f"{case.name} failed: {(place.parent / 'out.txt').read_text()[-2000:]}")
        return case.outcome(place), ended


def torture(case: Case, kills: int, rng: random.Random, folder: Path) -> Tally:
    """Kill a command so many times, in as many runs as it takes."""
    wanted, whole = undisturbed(case, folder)
    tally = Tally()
    while tally.kills < kills:
        with fresh(folder) as place:
            place.mkdir()
            code = None
            while code is None:
                code = _attempt(case, place, tally, rng, whole)
            _judge(case, place, code, wanted, tally)
        if len(tally.faults) > 3:
            break
    return tally


def _attempt(case: Case, place: Path, tally: Tally, rng: random.Random, whole: Ended) -> int | None:
    """One more start of a run; its exit code, or None if it was killed."""
    words = case.again(place) if case.is_begun(place) else case.first(place)
    if tally.kills % 2 == 0:
        ended = run(words, place, seconds=rng.uniform(0.0, whole.seconds))
    else:
        ended = run(words, place, operation=rng.randint(1, len(whole.events)))
    if ended.code is not None:
        return ended.code
    tally.where["a moment" if tally.kills % 2 == 0 else ended.events[-1]] += 1
    tally.kills += 1
    tally.parts[min(int(PARTS * case.progress(place)), PARTS - 1)] += 1
    try:
        case.check(place)
    except Exception as error:
        tally.faults.append(f"kill {tally.kills}: {error!r}")
    return None


def _judge(case: Case, place: Path, code: int, wanted: dict[str, Any], tally: Tally) -> None:
    tally.runs += 1
    if code != 0:
        tally.faults.append(f"run {tally.runs} ended with {code}: {(place.parent / 'out.txt').read_text()[-1000:]}")
        return
    found = case.outcome(place)
    differing = [name for name in wanted if found.get(name) != wanted[name]]
    tally.equal += not differing
    for name in differing:
        tally.faults.append(
            f"run {tally.runs}: {name} is {str(found.get(name))[:300]}, undisturbed {str(wanted[name])[:300]}"
        )


def report(tallies: dict[str, Tally]) -> str:
    """A table of what happened."""
    lines = ["| command | kills | where | done at the kill, in fifths | runs | equal |", "|---|---|---|---|---|---|"]
    for name, tally in tallies.items():
        where = ", ".join(f"{place} {n}" for place, n in sorted(tally.where.items()))
        parts = " ".join(str(tally.parts[i]) for i in range(PARTS))
        lines.append(f"| {name} | {tally.kills} | {where} | {parts} | {tally.runs} | {tally.equal} |")
    return "\n".join([*lines, *(f"{name}: {fault}" for name, tally in tallies.items() for fault in tally.faults)])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=60, metavar="N", help="of each command; default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="chooses the moments; default: %(default)s")
    parser.add_argument("--commands", nargs="+", choices=[case.name for case in CASES], help="default: all")
    parser.add_argument("--scale", type=float, default=1.0, metavar="X", help="size of the runs; default: %(default)s")
    args = parser.parse_args(arguments)
    prepare(args.scale)
    tallies = {}
    for case in CASES:
        if args.commands is None or case.name in args.commands:
            with tempfile.TemporaryDirectory() as folder:
                tallies[case.name] = torture(case, args.kills, random.Random(f"{args.seed} {case.name}"), Path(folder))
    print(report(tallies))
    return 1 if any(tally.faults or tally.equal != tally.runs for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
