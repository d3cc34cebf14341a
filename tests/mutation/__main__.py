"""The mutation check, ``./run mutate``: would a wrong number or comparison be noticed?

A seeded sample of mutants - one changed value of the ruleset data, or one changed comparison, operator or constant of the
kernels or of what seats are shown - is judged, each in its own throw-away copy of the sources: first by a fast judge
(records, hands in lockstep with the referee, options, sessions, worked cases, observations; at most two minutes), then, if
it lives, by the default suite. Mutants of data run compiled, the others without compilation; the suite compiles each of
those anew, and the check stops if one would run machine code of other sources. Results go to
runs/mutation/results.jsonl; a later call goes on from there as long as the sources are the same.

Exit code: 0 if all of the sample were judged to the end and at least 95 % killed, those left aside that explained.toml
explains as equivalent; 1 otherwise; 2 for a bad argument, or if the check itself went wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from experiments import locks
from tests.mutation import mutants, results, trees
from tests.mutation.mutants import ROOT, Mutant
from tests.mutation.results import OPEN, Entry
from tests.mutation.trees import Slot, ToolError

WARM_CPU, WARM_WALL = 600, 3600.0


class Run:
    """One call of the command: its slots, its results file, its end."""

    def __init__(self, folder: Path, jobs: int, minutes: float | None) -> None:
        self.folder, self.jobs = folder, jobs
        self.stop = float("inf") if minutes is None else time.monotonic() + 60 * minutes
        self.keys = (results.fast_digest(), results.whole_digest())
        self.path = folder / "results.jsonl"
        self.done = results.read(self.path, self.keys)
        self._lock = threading.Lock()
        self._slots: queue.Queue[Slot] = queue.Queue()
        for i in range(jobs):
            self._slots.put(Slot(folder / f"slot-{i}"))

    def each(self, work: Callable[[Slot, Mutant], tuple[str, dict[str, Any]]], chosen: Sequence[Mutant], what: str) -> None:
        """Do something with each mutant, in as many slots as there are jobs, until the time is over."""
        left, started = len(chosen), time.monotonic()

        def one(mutant: Mutant) -> None:
            nonlocal left
            slot = self._slots.get()
            try:
                if time.monotonic() < self.stop:
                    status, verdict = work(slot, mutant)
                    self._note(results.entry(mutant, verdict, status, self.keys))
                    left -= 1
                    minutes = (time.monotonic() - started) / 60
                    self._say(
                        f"{what}: {left} left after {minutes:.1f} min; {mutant.file}:{mutant.line} {status} {verdict['by']}"
                    )
            finally:
                self._slots.put(slot)

        with ThreadPoolExecutor(self.jobs) as pool:
            tasks = [pool.submit(one, mutant) for mutant in chosen]
            try:
                for task in tasks:
                    task.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _note(self, entry: Entry) -> None:
        with self._lock, self.path.open("a", encoding="utf-8") as notes:
            notes.write(json.dumps(entry) + "\n")
            self.done[entry["mutant"]] = entry

    def _say(self, text: str) -> None:
        with self._lock:
            print(text, file=sys.stderr, flush=True)

    # ------------------------------------------------------------------ the two judges

    def warm(self, kind: str) -> None:
        """The unchanged project must live before data, kernels or the suite: data in each slot, compiled for all mutants.

        Raises:
            ToolError: it does not.
        """

        def one(slot: Slot) -> None:
            stamp = slot.folder / f"{kind}-{self.keys[kind == 'suite']}"
            if stamp.exists():
                return
            self._say(f"{kind}: judging the unchanged project in {slot.folder.name}")
            if kind == "suite":
                verdict = trees.judge_suite(slot, None)
            else:
                (slot.folder / f"digests-{trees.source_digest(ROOT)}.json").unlink(missing_ok=True)
                verdict = trees.judge_fast(slot, None, kind, cpu=WARM_CPU, wall=WARM_WALL)
            if verdict["status"] != "survived":
                raise ToolError(f"the unchanged project is {verdict['status']} by {verdict['by']}: {verdict['message']}")
            if kind not in ("suite", "data") and verdict["cpu"] > trees.UNCHANGED * trees.FAST_CPU:
                raise ToolError(
                    f"the unchanged project needs {verdict['cpu']} of {trees.FAST_CPU} s: survivors would be stopped"
                )
            stamp.touch()

        slots = sorted(self._slots.queue, key=lambda slot: slot.folder)[: self.jobs if kind == "data" else 1]
        with ThreadPoolExecutor(len(slots)) as pool:
            list(pool.map(one, slots))

    def fast(self, slot: Slot, mutant: Mutant) -> tuple[str, dict[str, Any]]:
        """The fast judge."""
        verdict = trees.judge_fast(slot, mutant, mutant.kind)
        return {"killed": "killed-fast", "timeout": "killed-timeout", "survived": OPEN}[verdict["status"]], verdict

    def suite(self, slot: Slot, mutant: Mutant) -> tuple[str, dict[str, Any]]:
        """The default suite."""
        verdict = trees.judge_suite(slot, mutant)
        return {"killed": "killed-suite", "survived": "survived"}[verdict["status"]], verdict


def judge(run: Run, chosen: Sequence[Mutant], *, suite: bool) -> None:
    """Both judges over what is not done yet; explained ones meet the suite last, which nothing stops early for them."""
    for kind in mutants.KINDS:
        left = [m for m in chosen if m.kind == kind and m.id not in run.done]
        if left:
            run.warm(kind)
            run.each(run.fast, left, f"{kind}, fast")
    known = results.explanations()
    left = [m for m in chosen if run.done.get(m.id, {}).get("status") == OPEN]
    left.sort(key=lambda m: bool(results.reason(run.done[m.id], known)))
    if suite and left:
        run.warm("suite")
        run.each(run.suite, left, "suite")


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """The command's arguments."""
    parser = argparse.ArgumentParser(prog="./run mutate", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sample", type=int, default=350, help="how many mutants (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (default %(default)s)")
    parser.add_argument("--only", choices=mutants.KINDS, help="mutants of one kind; default: all")
    parser.add_argument(
        "--file", action="append", help="of the sample, those of a file with this in its path; may be repeated"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants at a time (default %(default)s)")
    parser.add_argument("--minutes", type=float, help="begin no mutant after that time")
    parser.add_argument("--no-suite", action="store_true", help="leave survivors of the fast judge open")
    parser.add_argument("--list", action="store_true", help="print the sample and judge nothing")
    parser.add_argument("--report", action="store_true", help="print the table of what is done and judge nothing")
    parser.add_argument("--folder", type=Path, default=ROOT / "runs/mutation", help="default runs/mutation")
    args = parser.parse_args(given)
    if args.sample < 1 or args.jobs < 1 or (args.minutes is not None and args.minutes <= 0):
        parser.error(f"sample {args.sample}, jobs {args.jobs}, minutes {args.minutes}: allowed >= 1, >= 1, > 0")
    return args


def main(given: Sequence[str] | None = None) -> int:
    """The command."""
    args = arguments(given)
    chosen = mutants.sample(mutants.generate(), args.sample, args.seed)
    chosen = [m for m in chosen if args.only in (None, m.kind) and (not args.file or any(f in m.file for f in args.file))]
    if args.list:
        for mutant in chosen:
            before, after = mutant.lines()
            print(f"{mutant.id} {mutant.file}:{mutant.line} {mutant.operator}\n  - {before}\n  + {after}")
        return 0
    args.folder.mkdir(parents=True, exist_ok=True)
    run = Run(args.folder.resolve(), args.jobs, args.minutes)
    if not args.report:
        try:
            with locks.holding(run.folder / "lock"):
                judge(run, chosen, suite=not args.no_suite)
        except (ToolError, BlockingIOError) as error:
            print(f"mutate: {error}", file=sys.stderr)
            return 2
    known = results.explanations()
    entries = [run.done[mutant.id] for mutant in chosen if mutant.id in run.done]
    print(results.report(entries, known))
    count = results.counted(entries, known)
    left = len(chosen) - len(entries) + count[OPEN]
    if left:
        print(f"{left} of {len(chosen)} mutants are not judged to the end; the same command goes on")
    return 0 if not left and results.share(count) >= results.WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
