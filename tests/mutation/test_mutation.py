"""The mutation check itself: what it changes, how it judges, and that it judges the mutant and nothing else."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.mutation import __main__ as command
from tests.mutation import mutants, results, trees
from tests.mutation.data_sites import LEFT_ALONE
from tests.mutation.mutants import ROOT, Mutant
from tests.mutation.text import Source
from tests.mutation.trees import Slot, ToolError

PAGAT = "tarock_env/rulesets/koenigrufen_pagat.py"
SHARE = 0.1  #: of the fast judge's hands


def mutant_of(file: str, before: str, after: str) -> Mutant:
    """The one mutant of a file that changes a line from one text to another; either is a part of the line."""
    kind = "data" if "rulesets" in file else "views" if file in mutants.VIEWS else "kernels"
    found = [m for m in mutants.of_file(kind, ROOT / file) if before in m.lines()[0] and after in m.lines()[1]]
    (only,) = found
    return only


# ------------------------------------------------------------------ mutants


@pytest.fixture(scope="module")
def everything() -> list[Mutant]:
    return mutants.generate()


def test_the_same_seed_gives_the_same_sample(everything: list[Mutant]) -> None:
    first, again, other = (mutants.sample(everything, 350, seed) for seed in (1, 1, 2))
    assert first == again
    assert {m.id for m in first} != {m.id for m in other}
    assert len({m.id for m in first}) == 350
    assert Counter(m.kind for m in first) == {"data": 140, "kernels": 140, "views": 70}
    least = Counter(m.file for m in first)
    judged = (*mutants.data_files(), *mutants.kernel_files(), *mutants.view_files())
    assert set(least) == {path.relative_to(ROOT).as_posix() for path in judged}
    assert min(least.values()) >= 4
    assert len({m.operator for m in first}) >= 10


def test_each_changes_one_statement_and_is_python(everything: list[Mutant]) -> None:
    for mutant in mutants.sample(everything, 120, 3, least=2):
        old, new = (ast.parse(text).body for text in ((ROOT / mutant.file).read_bytes(), mutant.text()))
        assert len(old) == len(new)
        assert sum(ast.dump(a) != ast.dump(b) for a, b in zip(old, new, strict=True)) == 1, mutant


def test_nothing_that_rules_nothing_is_changed(everything: list[Mutant]) -> None:
    for file in dict.fromkeys(m.file for m in everything if m.kind == "data"):
        source = Source((ROOT / file).read_bytes())
        said = [k.value for k in ast.walk(source.tree) if isinstance(k, ast.keyword) and k.arg in LEFT_ALONE]
        spans = [(source.start(node), source.end(node)) for node in said]
        inside = [m for m in everything if m.file == file if any(a <= m.start and m.end <= b for a, b in spans)]
        assert inside == []
    words = [m for m in everything if m.kind != "data" and m.before().startswith(('"', "'"))]
    assert words == []


@pytest.mark.parametrize(
    "text, expected",
    [
        ("@kernel\ndef f(a):\n    return a < 3\n", ["a <= 3", "a > 3", "a < 4", "a < 2"]),
        ("@kernel\ndef f(a):\n    return a and not a\n", ["a or not a", "a and a"]),
        ("@inlined\ndef f(a):\n    return a == 3\n", ["a != 3", "a == 4", "a == 2"]),
        ("@leaf('x')\ndef f(a):\n    return ~a & 1\n", ["a & 1", "~a | 1", "~a & 2", "~a & 0"]),
        ("@kernel\ndef f(g):\n    g.x |= 2\n", ["g.x &= 2", "pass", "g.x |= 3", "g.x |= 1"]),
        ("@kernel\ndef f(g):\n    if g.y:\n        g.x = g.y\n", ["not (g.y)", "pass"]),
        ("def f(a):\n    return a < 3\n", []),
    ],
)
def test_changes_of_kernels(text: str, expected: list[str], tmp_path: Path) -> None:
    path = tmp_path / "rule.py"
    path.write_text(text)
    found = [m.text(tmp_path).decode() for m in mutants.of_file("kernels", path, tmp_path)]
    assert len(found) == len(expected)
    assert all(any(part in one for one in found) for part in expected)


def test_changes_of_data(tmp_path: Path) -> None:
    path = tmp_path / "game.py"
    path.write_text('B = (Bonus(id="a", value=0, slam=True, cards=("T1", "T2"), owners=Owners.BOTH),)\n')
    found = {m.text(tmp_path).decode()[5:-2] for m in mutants.of_file("data", path, tmp_path)}
    row = 'Bonus(id="a", value=0, slam=True, cards=("T1", "T2"), owners=Owners.BOTH),'
    assert found == {
        "",
        row.replace("value=0", "value=1"),
        row.replace("True", "False"),
        row.replace(", slam=True", ""),
        row.replace('cards=("T1", "T2"), ', ""),
        row.replace(", owners=Owners.BOTH", ""),
        row.replace('"T1"', '"T2"'),
        row.replace('"T2"', '"T1"'),
        row.replace('("T1", "T2")', '("T2")'),
        row.replace('("T1", "T2")', '("T1")'),
        row.replace("BOTH", "DECLARERS"),
    }


# ------------------------------------------------------------------ judging

KNOWN = [
    (PAGAT, 'Contract(id="rufer"', "value=2, takes=3", {"records", "lockstep"}),
    (PAGAT, 'Bonus(id="trull"', "value=0", {"records", "lockstep"}),
    ("tarock_env/engine/play.py", "if g.trick_n < r.n:", "if g.trick_n <= r.n:", {"records"}),
    ("tarock_env/cards.py", "+ 12 * popcount", "+ 11 * popcount", {"records", "lockstep"}),
    ("tarock_env/view.py", "v.hand = g.hands[seat] if", "v.hand = g.hands[seat] if not (dealt)", {"observations"}),
    ("tarock_env/bits.py", "put_one(words, at[BEST], v.best)", "pass", {"observations"}),
]


@pytest.mark.parametrize("file, before, after, checks", KNOWN, ids=[row[2] for row in KNOWN])
def test_known_mutants_are_killed(file: str, before: str, after: str, checks: set[str], tmp_path: Path) -> None:
    verdict = trees.judge_fast(Slot(tmp_path), mutant_of(file, before, after), "kernels", hands=SHARE)
    assert (verdict["status"], verdict["by"] in checks) == ("killed", True), verdict


@pytest.mark.parametrize("kind", ["kernels", "views"])
def test_the_unchanged_project_lives(kind: str, tmp_path: Path) -> None:
    verdict = trees.judge_fast(Slot(tmp_path), None, kind, hands=SHARE)
    assert (verdict["status"], verdict["by"], verdict["message"]) == ("survived", "", "")


def test_a_judge_that_hangs_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees.sys, "executable", "/bin/sh")
    monkeypatch.setattr(trees, "JUDGE", ["-c", "while :; do :; done"])
    verdict = trees.judge_fast(Slot(tmp_path), None, "kernels", cpu=1)
    assert (verdict["status"], verdict["by"]) == ("timeout", "time")


def test_old_machine_code_is_an_error_of_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = mutant_of("tarock_env/engine/counting.py", "WINNING = 36", "WINNING = 37")
    monkeypatch.setattr(trees, "source_digest", lambda root: "always-the-same")
    with pytest.raises(ToolError, match="old machine code would run"):
        Slot(tmp_path).lay(mutant)


def test_another_text_than_the_mutants_is_an_error_of_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Slot, "lay", lambda slot, mutant, lay=Slot.lay: lay(slot, mutant) or "0" * 64)
    with pytest.raises(ToolError, match=r"cards\.py is not the mutant's text"):
        trees.judge_fast(Slot(tmp_path), None, "kernels", hands=0.0)


# ------------------------------------------------------------------ the command


def fake(status: str) -> dict[str, Any]:
    return {"status": status, "by": "fake", "message": "", "cpu": 1.0, "seconds": 1.0}


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The judges replaced: every fourth mutant lives, and half of those meet a suite that kills them."""
    seen: list[str] = []

    def fast(slot: Slot, mutant: Mutant | None, kind: str, **_: Any) -> dict[str, Any]:
        seen.append("unchanged" if mutant is None else f"fast {mutant.id}")
        slot.folder.mkdir(exist_ok=True)
        return fake("survived" if mutant is None or int(mutant.id, 16) % 4 == 0 else "killed")

    def suite(slot: Slot, mutant: Mutant | None) -> dict[str, Any]:
        seen.append("suite unchanged" if mutant is None else f"suite {mutant.id}")
        return fake("killed" if mutant and int(mutant.id, 16) % 8 == 0 else "survived")

    monkeypatch.setattr(trees, "judge_fast", fast)
    monkeypatch.setattr(trees, "judge_suite", suite)
    return seen


def test_a_later_call_goes_on(judged: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--folder", str(tmp_path), "--sample", "80", "--jobs", "1"]
    assert command.main([*given, "--no-suite"]) == 1
    first = list(judged)
    assert sum(entry.startswith("fast") for entry in first) >= 80
    assert "of 80 mutants are not judged to the end" in capsys.readouterr().out
    path = tmp_path / "results.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:30])  # stopped while it wrote
    judged.clear()
    assert command.main(given) == 1
    last = json.loads(lines[-1])["mutant"]
    assert [entry for entry in judged if entry.startswith("fast")] == [f"fast {last}"]
    assert sum(entry.startswith("suite") for entry in judged) > 5
    assert judged.count("suite unchanged") == 1
    judged.clear()
    assert command.main([*given, "--report"]) == 1
    assert judged == []


def test_explained_survivors_meet_the_suite_last(judged: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = ["--folder", str(tmp_path), "--sample", "80", "--jobs", "1"]
    command.main([*given, "--no-suite"])
    alive = [m for m in mutants.sample(mutants.generate(), 80, 1) if int(m.id, 16) % 4 == 0]
    first = alive[0]
    monkeypatch.setattr(results, "explanations", lambda: {(first.file, first.where(), *first.lines()): "a reason"})
    judged.clear()
    command.main(given)
    assert judged == ["suite unchanged", *(f"suite {m.id}" for m in [*alive[1:], first])]


def test_other_sources_begin_anew(judged: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = ["--folder", str(tmp_path), "--sample", "40", "--jobs", "1", "--no-suite", "--only", "data"]
    command.main(given)
    once = len(judged)
    monkeypatch.setattr(results, "fast_digest", lambda: "others")
    command.main(given)
    assert len(judged) == 2 * once


def test_a_suite_that_fails_without_a_mutant_judges_none(
    judged: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(trees, "judge_suite", lambda slot, mutant: fake("killed"))
    assert command.main(["--folder", str(tmp_path), "--sample", "40", "--jobs", "1"]) == 2
    assert "the unchanged project is killed by fake" in capsys.readouterr().err
    statuses = {json.loads(line)["status"] for line in (tmp_path / "results.jsonl").read_text().splitlines()}
    assert statuses == {"killed-fast", "open"}


def test_a_slow_judge_of_the_unchanged_project_judges_none(
    judged: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Mutants that change nothing would be stopped and count as killed."""
    monkeypatch.setattr(trees, "FAST_CPU", 1)
    assert command.main(["--folder", str(tmp_path), "--sample", "20", "--jobs", "1", "--only", "views"]) == 2
    assert "the unchanged project needs 1.0 of 1 s: survivors would be stopped" in capsys.readouterr().err
    assert judged == ["unchanged"]


def entries(*statuses: str) -> list[results.Entry]:
    same = {"file": "f.py", "where": "x", "kind": "data", "operator": "number", "by": "records", "after": "x = 0"}
    return [same | {"status": s, "line": i, "mutant": str(i), "before": f"x = {i}"} for i, s in enumerate(statuses)]


def test_the_share_leaves_explained_survivors_aside() -> None:
    found = entries(*["killed-fast"] * 17, "killed-timeout", "killed-suite", "survived", "survived", "open")
    known = {("f.py", "x", "x = 19", "x = 0"): "the same by another way"}
    assert results.share(results.counted(found, {})) == 19 / 21
    assert results.share(results.counted(found, known)) == 19 / 20
    text = results.report(found, known)
    assert "the same by another way" in text
    assert text.count("NOT EXPLAINED") == 2
    assert "fast, by check: records 18" in text


def test_explanations_are_of_lines_that_are_there() -> None:
    for (file, where, before, _), why in results.explanations().items():
        lines = [line.strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines()]
        assert before in lines, f"{file} has no line {before!r} any more"
        assert re.search(rf"^(def )?{where}\b", "\n".join(lines), re.M), f"{file} has no {where} any more"
        assert len(why) > 20


def test_bad_numbers_are_refused() -> None:
    for given in (["--sample", "0"], ["--jobs", "0"], ["--minutes", "0"], ["--only", "tests"]):
        with pytest.raises(SystemExit, match="2"):
            command.main(given)
