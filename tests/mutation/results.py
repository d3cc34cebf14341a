"""What became of each mutant: lines of JSON that later calls go on from, explanations of survivors, and the table."""

from __future__ import annotations

import hashlib
import json
import statistics
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.mutation.mutants import KINDS, ROOT, Mutant

EXPLAINED = Path(__file__).with_name("explained.toml")
WANTED = 0.95  #: share of the mutants that must be killed, those explained as equivalent left aside
KILLED = ("killed-fast", "killed-timeout", "killed-suite")
OPEN = "open"  #: the fast judge let it live, the suite has not been asked yet

Entry = dict[str, Any]
#: (file, function or constant, line before, line after) -> why nobody could notice
Reasons = Mapping[tuple[str, str, str, str], str]


def digest(paths: Iterable[Path]) -> str:
    """A short hash of files."""
    found = hashlib.sha256()
    for path in sorted(paths):
        found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def fast_digest() -> str:
    """A hash of what a fast verdict depends on: engine, data, referee, cases, judge."""
    folders = ("tarock_env", "tests/reference", "tests/engine", "tests/cases", "tests/mutation")
    files = [
        path for folder in folders for path in (ROOT / folder).rglob("*.*") if path.suffix in (".py", ".json", ".jsonl")
    ]
    return digest(
        [path for path in files if not path.name.startswith("test_mutation")] + list((ROOT / "tests").glob("*.py"))
    )


def whole_digest() -> str:
    """A hash of what the suite's verdict depends on."""
    files = [path for folder in ("tarock_env", "agents", "experiments", "tests") for path in (ROOT / folder).rglob("*.py")]
    files = [path for path in files if path.parent != Path(__file__).parent]
    return digest([*files, *(ROOT / "tests/cases").rglob("*.json*")])


def entry(mutant: Mutant, verdict: Mapping[str, Any], status: str, keys: tuple[str, str]) -> Entry:
    """One line of the results. keys: the fast and the whole digest; only survivors' verdicts depend on the second."""
    before, after = mutant.lines()
    key = keys[0] if status in ("killed-fast", "killed-timeout", OPEN) else keys[1]
    place = {"file": mutant.file, "line": mutant.line, "column": mutant.column, "where": mutant.where()}
    facts = {"mutant": mutant.id, "key": key, "kind": mutant.kind, **place, "operator": mutant.operator}
    facts |= {"before": before, "after": after}
    said = {name: verdict[name] for name in ("by", "message", "seconds", "cpu") if name in verdict}
    return facts | {"status": status} | said


def read(path: Path, keys: tuple[str, str]) -> dict[str, Entry]:
    """The last valid entry of each mutant: id -> entry. A line cut short by a stop is left out."""
    found: dict[str, Entry] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                one = json.loads(line)
            except json.JSONDecodeError:
                continue
            if one["key"] in keys:
                found[one["mutant"]] = one
    return found


# ------------------------------------------------------------------ explanations


def explanations(path: Path = EXPLAINED) -> Reasons:
    """Why known survivors change nothing that a rule could notice."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", [])
    return {(row["file"], row["where"], row["before"], row["after"]): row["reason"] for row in rows}


def reason(one: Mapping[str, Any], known: Reasons) -> str:
    """The reason that is known for a survivor, or ""."""
    return known.get((one["file"], one["where"], one["before"], one["after"]), "")


# ------------------------------------------------------------------ the table


def counted(entries: Sequence[Entry], known: Reasons) -> dict[str, int]:
    """How many mutants ended in which way."""
    count = {status: sum(one["status"] == status for one in entries) for status in (*KILLED, "survived", OPEN)}
    explained = sum(one["status"] == "survived" and bool(reason(one, known)) for one in entries)
    return count | {"mutants": len(entries), "explained": explained, "killed": sum(count[status] for status in KILLED)}


def share(count: Mapping[str, int]) -> float:
    """Killed mutants of all that were judged to the end and are not explained as equivalent."""
    judged = count["killed"] + count["survived"] - count["explained"]
    return count["killed"] / judged if judged else 1.0


def report(entries: Sequence[Entry], known: Reasons) -> str:
    """A line a file, the survivors with their reasons, and times."""
    columns = ("mutants", 8), ("fast", 6), ("timeout", 8), ("suite", 6), ("survived", 9), ("explained", 10), ("open", 5)
    head = f"{'file':<44}" + "".join(f"{name:>{width}}" for name, width in columns) + f"{'killed':>8}"
    lines = [head]
    for file in sorted({one["file"] for one in entries}):
        lines.append(_row(file, counted([one for one in entries if one["file"] == file], known)))
    for kind in KINDS:
        chosen = [one for one in entries if one["kind"] == kind]
        if chosen:
            lines.append(_row(kind, counted(chosen, known)))
    lines.append(_row("all", counted(entries, known)))
    for one in entries:
        if one["status"] in ("survived", OPEN):
            lines += ["", f"{one['status']}: {one['file']}:{one['line']} ({one['operator']}, {one['mutant']})"]
            lines += [f"  - {one['before']}", f"  + {one['after']}", f"  {reason(one, known) or 'NOT EXPLAINED'}"]
    checks = Counter(one["by"] for one in entries if one["status"] in ("killed-fast", "killed-timeout"))
    lines += ["", "fast, by check: " + ", ".join(f"{name} {number}" for name, number in checks.most_common())]
    times = [one["cpu"] for one in entries if one["status"] in ("killed-fast", "killed-timeout") and "cpu" in one]
    if times:
        lines += [
            "",
            f"fast verdicts: median {statistics.median(times):.1f} s of processor time, at most {max(times):.1f} s",
        ]
    return "\n".join(lines)


def _row(name: str, c: Mapping[str, int]) -> str:
    return (
        f"{name:<44}{c['mutants']:>8}{c['killed-fast']:>6}{c['killed-timeout']:>8}{c['killed-suite']:>6}"
        f"{c['survived']:>9}{c['explained']:>10}{c[OPEN]:>5}{share(c):>8.1%}"
    )
