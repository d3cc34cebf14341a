"""Continuous differential fuzzing, ``./run fuzz MINUTES``: random rulesets, options, sessions, auctions against the referee.

Rounds go on where the last call stopped; counts stand in ``runs/fuzz/counts.json``. A hand in which engine and referee
disagree is made small - options that do not matter are dropped, the actions are cut after the decision that differs - and
written to ``tests/cases/regressions/``, where the test suite plays it for ever after.

Exit code: 0 if all hands agreed, 1 if some did not, 2 for a bad argument.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import tarock_env
from tests.check import BATCH, ROOT, SESSIONS, Task, option_mixture, run_task
from tests.lockstep import RESULT_KEYS, engine_result
from tests.reference.replay import compare_items, make_referee

REGRESSIONS = ROOT / "tests/cases/regressions"
POLICIES = ("balanced", "balanced", "balanced", "random", "uniform")
#: what a short record keeps: the position and what was done
KEPT = ("format", "ruleset", "options", "dealer", "hands", "talon", "packets", "before", "actions")


def draw_task(number: int, seed: int) -> Task:
    """Round `number` of a seed: ruleset, options, policy, single hands or sessions."""
    rng = np.random.default_rng([seed, number])
    ruleset = str(rng.choice(tarock_env.available()))
    mixture = option_mixture(ruleset, rng) if rng.random() < 0.8 else {}
    sessions = rng.random() < 0.25
    policy = "balanced" if sessions else str(rng.choice(POLICIES))
    hands = BATCH // 10 if sessions else BATCH
    return Task(ruleset, SESSIONS if sessions else "fuzz", "", json.dumps(mixture), policy, number, hands, seed)


# ------------------------------------------------------------------ small records


def disagreement(record: Mapping[str, Any]) -> tuple[int, str] | None:
    """The first disagreement of engine and referee along a record's actions: (decision, what), or None.

    The record's own results are not looked at. Actions that both refuse, or that come after the end, end the comparison.
    """
    engine = tarock_env.make(record["ruleset"], **record["options"])
    deal = (record["hands"], record["talon"], record["dealer"], record.get("before"))
    state = engine.from_deal(*deal, packets=record.get("packets"))
    referee = make_referee(dict(record))
    for t, action in enumerate([*record["actions"], None]):
        g = state[0]
        if bool(g["done"]) != bool(referee.done):
            return t, f"engine done: {bool(g['done'])}, referee done: {bool(referee.done)}"
        if referee.done:
            return _results_differ(engine_result(engine, g), referee.result(), t)
        ours, theirs = set(engine.legal_names(state)), set(referee.legal())
        if int(g["actor"]) != referee.actor or ours != theirs:
            return t, f"seats {int(g['actor'])} and {referee.actor}; legal for one of them only: {sorted(ours ^ theirs)}"
        if action not in ours:
            return None
        engine.step(state, engine.actions.index(action))
        referee.apply(action)
    return None


def _results_differ(ours: Mapping[str, Any], theirs: Mapping[str, Any], t: int) -> tuple[int, str] | None:
    found = [f"{key}: {ours[key]!r} and {theirs[key]!r}" for key in RESULT_KEYS if ours[key] != theirs[key]]
    found += compare_items(ours["items"], theirs["items"])
    return (t, "; ".join(found)) if found else None


def shrink(record: Mapping[str, Any], differs: Callable[[Mapping[str, Any]], Any] = disagreement) -> dict[str, Any]:
    """A shorter record that still differs: fewer options, no session state, no actions after the difference."""
    small = {key: record[key] for key in KEPT if record.get(key) is not None}
    for name in list(small["options"]):
        fewer = {k: v for k, v in small["options"].items() if k != name}
        small = _smaller(small, small | {"options": fewer}, differs)
    small = _smaller(small, {key: value for key, value in small.items() if key != "before"}, differs)
    found = differs(small)
    if found is not None:
        small["actions"] = small["actions"][: found[0]]
    return small


def _smaller(old: dict[str, Any], new: dict[str, Any], differs: Callable[[Mapping[str, Any]], Any]) -> dict[str, Any]:
    try:
        return new if differs(new) is not None else old
    except ValueError:  # a prerequisite is gone, or the deal is not one of these options
        return old


def keep(record: Mapping[str, Any], folder: Path) -> Path:
    """Write the short form of a disagreement where the test suite finds it."""
    small = shrink(record)
    found = disagreement(small)
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(small | {"meta": {"found": found[1] if found else "; ".join(record["differences"])}}, indent=1)
    number = len(list(folder.glob("*.json")))
    path = folder / f"{small['ruleset']}_{number:03d}.json"
    path.write_text(text + "\n", encoding="utf-8")
    return path


# ------------------------------------------------------------------ rounds


def play_round(task: Task) -> tuple[Task, dict[str, Any], list[dict[str, Any]]]:
    """One round in a worker."""
    return task, *run_task(task)


def fuzz(minutes: float, seed: int, processes: int, folder: Path, regressions: Path = REGRESSIONS) -> int:
    """Play rounds for so many minutes; how many hands disagreed. Counts are kept in `folder` and go on from there."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "counts.json"
    counts = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"rounds": {}, "contracts": {}, "wrong": 0}
    first = counts["rounds"].get(str(seed), 0)
    stop = time.monotonic() + 60 * minutes
    wrong = 0
    for task, result, records in _rounds(first, seed, processes, stop):
        _add(counts, task, result)
        counts["rounds"][str(seed)] = max(counts["rounds"].get(str(seed), 0), task.number + 1)
        counts["wrong"] += len(records)
        wrong += len(records)
        for record in records[:1]:
            print(f"{record['differences'][0]}\n  -> {keep(record, regressions)}", file=sys.stderr)
        _write(path, counts)
    print(report(counts))
    return wrong


def _rounds(first: int, seed: int, processes: int, stop: float) -> Any:
    """Results of rounds from `first` on, until the time is over."""
    number = first
    if processes == 1:
        while time.monotonic() < stop:
            yield play_round(draw_task(number, seed))
            number += 1
        return
    run_task(draw_task(number, seed))  # compile before the workers do
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        while time.monotonic() < stop:
            tasks = [draw_task(n, seed) for n in range(number, number + 4 * processes)]
            number += len(tasks)
            yield from pool.map(play_round, tasks)


def _add(counts: dict[str, Any], task: Task, result: Mapping[str, Any]) -> None:
    contracts = Counter(counts["contracts"].get(task.ruleset, {}))
    contracts.update(result["contracts"])
    counts["contracts"][task.ruleset] = dict(sorted(contracts.items()))


def _write(path: Path, counts: Mapping[str, Any]) -> None:
    new = path.with_suffix(".new")
    new.write_text(json.dumps(counts, indent=1), encoding="utf-8")
    new.replace(path)


def report(counts: Mapping[str, Any]) -> str:
    """Hands a ruleset and contract, and disagreements."""
    lines = []
    for ruleset, contracts in sorted(counts["contracts"].items()):
        lines.append(
            f"{ruleset}: {sum(contracts.values()):,} hands; " + ", ".join(f"{c} {n:,}" for c, n in contracts.items())
        )
    total = sum(sum(contracts.values()) for contracts in counts["contracts"].values())
    return "\n".join([*lines, f"{total:,} hands in all, {counts['wrong']} disagreements"])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="./run fuzz", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("minutes", type=float, help="how long to play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=ROOT / "runs/fuzz")
    args = parser.parse_args(arguments)
    if args.minutes <= 0 or args.processes < 1 or args.seed < 0:
        parser.error(f"minutes {args.minutes}, processes {args.processes}, seed {args.seed}: allowed > 0, >= 1, >= 0")
    return 1 if fuzz(args.minutes, args.seed, args.processes, args.folder) else 0


if __name__ == "__main__":
    sys.exit(main())
