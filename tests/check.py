"""The long differential check, ``python -m tests.check``: engine against referee, every ruleset and option value.

Each ruleset is played with balanced contracts (and some hands with the `random` and `uniform` policies), then once more
for every option value that is not the default, in batches that set many options at once, and in whole sessions. Batches
that are done stand in ``progress.jsonl``, so that the check can be stopped and resumed; a change of the engine, the referee
or the rules starts their count anew. Hands in which the two disagree go to ``disagreements.jsonl`` as records with the
engine's legal sets and a list ``differences``.

Exit code: 0 if all hands agree, 1 if some do not, 2 for a bad argument.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tarock_env
from tarock_env import Engine
from tarock_env.codes import NONE, Knock
from tarock_env.engine.chance import CHANCE, make_keys
from tarock_env.jit import source_digest
from tests.lockstep import Trace, differences, engine_result, play, to_record
from tests.sessions import play_sessions
from tests.styles import draw_styles, set_hands

ROOT = Path(__file__).resolve().parent.parent
BATCH = 250
MIXED_BATCH = 50
#: hands with these policies for each balanced one
SIDE_POLICIES = {"random": 0.05, "uniform": 0.05}
#: how many hands an option's batch draws for each one it plays, to find those that the option concerns
DRAWN = 8
#: stand for an option's name where many options are set at once, and where whole sessions are played
MIXED = "many options at once"
SESSIONS = "whole sessions"
SESSION_BATCH = 20
#: values tried for options whose values are numbers
NUMBERS = (1, 7)


@dataclass(frozen=True)
class Task:
    """One batch of hands."""

    ruleset: str
    option: str  #: "" = all options at their defaults
    value: str  #: JSON
    options: str  #: JSON object of all options that are set, prerequisites included
    policy: str
    number: int
    hands: int
    seed: int

    def seeds(self) -> list[int]:
        """Whole numbers that depend on everything that makes this batch differ from others."""
        text = json.dumps([self.ruleset, self.options, self.policy, self.number, self.seed])
        return list(hashlib.sha256(text.encode()).digest())


# ------------------------------------------------------------------ what is to be played


def option_values(ruleset: str) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """(option, value, options to set) for every value that is not the default; prerequisites are in the last."""
    for option in tarock_env.load(ruleset).options:
        values = list(option.values) + (list(NUMBERS) if option.number else [])
        for value in values:
            if type(value) is type(option.default) and value == option.default:
                continue
            need = option.requires.get(value)
            yield option.name, value, {option.name: value} | ({need[0]: need[1]} if need else {})
        if option.bonus_values:
            for names in (option.bonus_values[:1], option.bonus_values):
                yield option.name, (value := dict.fromkeys(names, 7)), {option.name: value}


def option_mixture(ruleset: str, rng: np.random.Generator) -> dict[str, Any]:
    """Random values for about half of the options; those whose prerequisite is missing are left out."""
    mixture: dict[str, Any] = {}
    for name, value, setting in option_values(ruleset):
        free = all(other not in mixture or mixture[other] == wanted for other, wanted in setting.items())
        if free and name not in mixture and rng.random() < 0.25:
            mixture |= setting | {name: value}
    return mixture


def plan(rulesets: Sequence[str], hands: int, options_hands: int, mixed_hands: int, sessions: int, seed: int) -> list[Task]:
    """All batches of the check. Every other batch of sessions has many options set."""
    tasks: list[Task] = []
    for ruleset in rulesets:
        counts = {"balanced": hands} | {name: int(share * hands) for name, share in SIDE_POLICIES.items()}
        for policy, count in counts.items():
            tasks += [Task(ruleset, "", "", "{}", policy, i, n, seed) for i, n in enumerate(_batches(count))]
        for option, value, options in option_values(ruleset):
            words = json.dumps(value), json.dumps(options)
            tasks += [Task(ruleset, option, *words, "balanced", i, n, seed) for i, n in enumerate(_batches(options_hands))]
        for i, n in enumerate(_batches(mixed_hands, MIXED_BATCH)):
            mixture = json.dumps(option_mixture(ruleset, np.random.default_rng([seed, i])))
            tasks.append(Task(ruleset, MIXED, "", mixture, "balanced", i, n, seed))
        for i, n in enumerate(_batches(sessions, SESSION_BATCH)):
            options = option_mixture(ruleset, np.random.default_rng([seed, i, 1])) if i % 2 else {}
            options.pop("session_hands", None)  # all sessions have the same length
            tasks.append(Task(ruleset, SESSIONS, "", json.dumps(options), "balanced", i, n, seed))
    return tasks


def _batches(count: int, size: int = BATCH) -> list[int]:
    return [min(size, count - first) for first in range(0, count, size)]


# ------------------------------------------------------------------ one batch


@functools.cache
def _engine(ruleset: str, options: str) -> Engine:
    return tarock_env.make(ruleset, **json.loads(options))


@functools.cache
def concerned(ruleset: str, options: str) -> frozenset[int]:
    """Contracts whose columns, or whose bonuses' columns, the options change; empty where they change other tables."""
    plain, changed = _engine(ruleset, "{}"), _engine(ruleset, options)
    bonuses = [b.id for b, c in zip(plain.ruleset.bonuses, changed.ruleset.bonuses, strict=True) if b != c]
    rows = zip(plain.ruleset.contracts, changed.ruleset.contracts, strict=True)
    return frozenset(k for k, (a, b) in enumerate(rows) if a != b or set(bonuses) & set(a.bonuses))


def deal_batch(task: Task, engine: Engine, rng: np.random.Generator) -> np.ndarray:
    """The batch's hands: every other batch as the engine deals, the rest skewed; an option's half from its contracts."""
    special = concerned(task.ruleset, task.options) if task.option else frozenset()
    n = task.hands * (DRAWN if special else 1)
    keys = make_keys(n, int(rng.integers(1 << 62)), CHANCE)
    dealt = task.number % 2 == 0 or engine.ruleset.deal.knock != Knock.NEVER
    state = engine.reset(keys=keys) if dealt else set_hands(engine, keys, rng)
    if not special:
        return state
    ahead = engine.copy(state)
    engine.playout(ahead, task.policy)
    wanted = np.isin(ahead["contract"], list(special))
    wanted[(~wanted).nonzero()[0][: task.hands // 2]] = True
    rows = np.concatenate([wanted.nonzero()[0], (~wanted).nonzero()[0]])[: task.hands]
    return engine.take(state, rows)


def run_task(task: Task) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The counts of one batch, and the records of its disagreements."""
    started = time.perf_counter()
    engine = _engine(task.ruleset, task.options)
    rng = np.random.default_rng(task.seeds())
    counts: dict[str, Any] = {"hands": 0, "decisions": 0, "contracts": Counter(), "wrong": Counter(), "items": Counter()}
    records: list[dict[str, Any]] = []
    if task.option == SESSIONS:
        keys = make_keys(task.hands, int(rng.integers(1 << 62)), CHANCE)
        for trace, found in play_sessions(engine, keys, rng):
            _count(task, trace, found, counts, records)
    else:
        state = deal_batch(task, engine, rng)
        trace = play(engine, state, task.policy, draw_styles(len(state), rng), rng)
        _count(task, trace, [[] for _ in state], counts, records)
    return counts | {"seconds": round(time.perf_counter() - started, 2)}, records


def _count(
    task: Task, trace: Trace, found: Sequence[list[str]], counts: dict[str, Any], records: list[dict[str, Any]]
) -> None:
    """Compare the hands of a trace and add them to the counts; `found` holds what is known to be wrong already."""
    contracts = [row.id for row in trace.engine.ruleset.contracts]
    counts["hands"] += len(trace.end)
    counts["decisions"] += int(trace.lengths.sum())
    for i, known in enumerate(found):
        k = int(trace.end[i]["contract"])
        contract = contracts[k] if k != NONE else "thrown in"
        counts["contracts"][contract] += 1
        wrong = known + _differences(trace, i)
        if wrong:
            counts["wrong"][contract] += 1
            records.append(to_record(trace, i) | {"differences": wrong, "task": asdict(task), "row": i})
        counts["items"].update(
            f"{item['item']}@{item['side']}{' announced' if item['announced'] else ''}"
            for item in engine_result(trace.engine, trace.end[i])["items"]
            if item["item"] != "game"
        )


def _differences(trace: Trace, i: int) -> list[str]:
    try:
        return differences(trace, i)
    except Exception as error:  # a referee that stumbles is a finding like any other
        return [f"the comparison failed: {error!r}"]


# ------------------------------------------------------------------ progress


def version() -> str:
    """A hash of everything that decides the outcome: engine, ruleset data, referee, this check."""
    digest = hashlib.sha256(source_digest().encode())
    files = [*(ROOT / "tarock_env/rulesets").glob("*.py"), *(ROOT / "tests/reference").glob("*.py")]
    files += [ROOT / "tests" / name for name in ("check.py", "lockstep.py", "sessions.py", "styles.py")]
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def read_progress(path: Path, stamp: str) -> dict[Task, dict[str, Any]]:
    """The batches that were done with the present version. A line cut short by a stop is left out."""
    done: dict[Task, dict[str, Any]] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                entry = json.loads(line)
            except json.JSONDecodeError:
                continue
            if entry["version"] == stamp:
                done[Task(**entry["task"])] = entry["counts"]
    return done


def run_all(tasks: Sequence[Task], folder: Path, processes: int) -> dict[Task, dict[str, Any]]:
    """Run what is not done yet and note it in the progress file; the counts of all tasks."""
    folder.mkdir(parents=True, exist_ok=True)
    progress, stamp = folder / "progress.jsonl", version()
    done = read_progress(progress, stamp)
    left = [task for task in tasks if task not in done]
    started = time.perf_counter()
    with progress.open("a", encoding="utf-8") as notes, (folder / "disagreements.jsonl").open("a", encoding="utf-8") as bad:
        for number, (task, counts, records) in enumerate(_results(left, processes), start=1):
            done[task] = counts
            notes.write(json.dumps({"version": stamp, "task": asdict(task), "counts": counts}) + "\n")
            bad.writelines(json.dumps(record) + "\n" for record in records)
            notes.flush()
            bad.flush()
            _say(number, len(left), len(records), time.perf_counter() - started)
    return {task: done[task] for task in tasks}


def _results(tasks: Sequence[Task], processes: int) -> Iterator[tuple[Task, dict[str, Any], list[dict[str, Any]]]]:
    if processes == 1 or len(tasks) < 2:
        for task in tasks:
            yield task, *run_task(task)
        return
    run_task(Task(tasks[0].ruleset, "", "", "{}", "balanced", 0, 1, 0))  # compile before the workers do
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        running = {pool.submit(run_task, task): task for task in tasks}
        for future in as_completed(running):
            yield running[future], *future.result()


def _say(number: int, of: int, wrong: int, seconds: float) -> None:
    """How far it is: on a terminal after each batch, elsewhere ten times; and each batch with disagreements."""
    left = seconds / number * (of - number)
    text = f"{number}/{of} batches, about {left:.0f} s left"
    if wrong:
        print(f"{text}; {wrong} disagreements in this one", file=sys.stderr)
    elif sys.stderr.isatty():
        print(f"{text}   ", end="\n" if number == of else "\r", file=sys.stderr)
    elif number * 10 // of != (number - 1) * 10 // of:
        print(text, file=sys.stderr)


# ------------------------------------------------------------------ the table


def report(done: dict[Task, dict[str, Any]]) -> str:
    """Counts and disagreements: ruleset x policy x contract, then option values, then scored bonuses."""
    lines: list[str] = []
    for ruleset in dict.fromkeys(task.ruleset for task in done):
        rows = {task: counts for task, counts in done.items() if task.ruleset == ruleset}
        plain = {task: counts for task, counts in rows.items() if not task.option}
        hands, wrong = _total(rows.values(), "contracts"), _total(rows.values(), "wrong")
        decisions = sum(counts["decisions"] for counts in rows.values())
        lines.append(f"{ruleset}: {hands.total()} hands, {decisions} decisions, {wrong.total()} disagreements")
        lines += _contract_lines(plain)
        lines += _option_lines({task: counts for task, counts in rows.items() if task.option})
        items = _total(rows.values(), "items")
        names = sorted({name.removesuffix(" announced") for name in items})
        if names:
            lines.append("  items (silent + announced)")
            lines += [f"    {name:<28}{items[name]:>8} + {items[name + ' announced']}" for name in names]
        lines.append("")
    return "\n".join(lines)


def _total(rows: Iterable[dict[str, Any]], key: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for counts in rows:
        total.update(counts[key])
    return total


def _contract_lines(plain: dict[Task, dict[str, Any]]) -> list[str]:
    if not plain:
        return []
    policies = list(dict.fromkeys(task.policy for task in plain))
    columns = {p: _total((c for t, c in plain.items() if t.policy == p), "contracts") for p in policies}
    wrong = _total(plain.values(), "wrong")
    lines = ["  contract" + " " * 20 + "".join(f"{p:>10}" for p in policies) + "  disagreements"]
    for contract in sorted(set().union(*columns.values())):
        counts = "".join(f"{columns[p][contract]:>10}" for p in policies)
        lines.append(f"    {contract:<24}{counts}{wrong[contract]:>15}")
    return lines


def _option_lines(rows: dict[Task, dict[str, Any]]) -> list[str]:
    lines = ["  option value" + " " * 32 + "     hands  contracts  disagreements"] if rows else []
    for option, value in dict.fromkeys((task.option, task.value) for task in rows):
        batch = [counts for task, counts in rows.items() if (task.option, task.value) == (option, value)]
        contracts, wrong = _total(batch, "contracts"), _total(batch, "wrong")
        lines.append(
            f"    {option + ' = ' * bool(value) + value:<42}{contracts.total():>10}{len(contracts):>11}{wrong.total():>15}"
        )
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="./run check", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ruleset", action="append", choices=tarock_env.available(), help="default: all")
    parser.add_argument("--hands", type=int, default=20_000, help="balanced hands a ruleset (default %(default)s)")
    parser.add_argument("--options-hands", type=int, default=1_000, help="hands an option value (default %(default)s)")
    parser.add_argument("--mixed-hands", type=int, default=2_000, help="hands with many options set (default %(default)s)")
    parser.add_argument("--sessions", type=int, default=500, help="sessions of 20 hands a ruleset (default %(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="default %(default)s")
    parser.add_argument("--folder", type=Path, default=ROOT / "runs" / "check", help="default runs/check")
    chosen = parser.parse_args(arguments)
    counts = (chosen.hands, chosen.options_hands, chosen.mixed_hands, chosen.sessions)
    if min(counts) < 0 or chosen.processes < 1:
        parser.error("numbers of hands and sessions are at least 0, --processes at least 1")
    tasks = plan(chosen.ruleset or tarock_env.available(), *counts, chosen.seed)
    done = run_all(tasks, chosen.folder, chosen.processes)
    print(report(done))
    wrong = sum(sum(counts["wrong"].values()) for counts in done.values())
    if wrong:
        print(f"{wrong} disagreements; see {chosen.folder / 'disagreements.jsonl'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
