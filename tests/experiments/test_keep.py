"""`tarock evaluate --keep`: a match that is stopped goes on from its finished deals, and only such a match."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experiments import duplicate, evaluate, locks
from experiments.cli import main


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (duplicate, evaluate):
        monkeypatch.setattr(module, "CHUNK", 16)


def words(path: Path | None, *more: str, deals: int = 60) -> list[str]:
    keep = [] if path is None else ["--keep", str(path)]
    return ["evaluate", "heuristic", "random", "--ruleset", "koenigrufen_pagat", "--deals", str(deals), *keep, *more]


@pytest.fixture
def match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The file of a finished match."""
    path = tmp_path / "match.jsonl"
    assert main(words(path)) == 0
    capsys.readouterr()
    return path


def test_a_kept_match_says_the_same(match: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words(None, "--json")) == 0
    wanted = capsys.readouterr().out
    whole = match.read_bytes()
    lines = whole.splitlines(keepends=True)
    assert [json.loads(line)["first"] for line in lines[1:]] == [0, 16, 32, 48]
    for kept in range(len(lines) + 1):
        for torn in (b"", b'{"first": 16, "dif'):
            match.write_bytes(b"".join(lines[:kept]) + (torn if kept else lines[0][: len(torn)]))
            assert main(words(match, "--json")) == 0
            assert capsys.readouterr().out == wanted
            assert match.read_bytes() == whole


def test_kept_deals_are_not_played_again(match: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match.write_bytes(b"".join(match.read_bytes().splitlines(keepends=True)[:3]))
    played: list[int] = []
    play = duplicate._play_deals
    monkeypatch.setattr(duplicate, "_play_deals", lambda *a: played.append(len(a[2])) or play(*a))  # type: ignore[func-returns-value]
    assert main(words(match)) == 0
    assert played == [16, 12]


@pytest.mark.parametrize(
    "more, key",
    [(["--seed", "8"], "seed"), (["--design", "2v2"], "design"), (["--deals", "61"], "deals"),
     (["--option", "kontra_max=5"], "options")],
)  # fmt: skip
def test_another_match_does_not_go_on_with_it(
    more: list[str], key: str, match: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = match.read_bytes()
    assert main(words(match, *more)) == 2
    error = capsys.readouterr().err
    assert "it holds another match, which differs in" in error
    assert key in error
    assert match.read_bytes() == before


def change(path: Path, line: int, **values: Any) -> None:
    lines = path.read_text().splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **values})
    path.write_text("\n".join(lines) + "\n")


DAMAGE: dict[str, tuple[int, dict[str, Any]]] = {
    "other weights": (0, {"settings": {"weights": ["x", None]}}),
    "no settings": (0, {"settings": None}),
    "other format": (0, {"format": "tarock-match/2"}),
    "gap": (2, {"first": 32}),
    "not finite": (1, {"raw": [float("nan")] * 16}),
    "too few": (1, {"raw": [0.5] * 15}),
    "text": (1, {"differences": "x"}),
    "no table": (1, {"contracts": [1]}),
    "huge": (1, {"raw": [1e300] * 16}),
    "cells": (1, {"contracts": {"rufer": {"declarer": {"hands": -1, "points": 0.0, "won": 0}}}}),
    "escapes": (1, {"contracts": {"\x1b[31mX\x1b]0;owned\x07": {"declarer": {"hands": 3, "points": 9.0, "won": 1}}}}),
    "role": (1, {"contracts": {"rufer": {"\x1b[31m": {"hands": 3, "points": 9.0, "won": 1}}}}),
    "no hands": (1, {"contracts": {"rufer": {"declarer": {"hands": 0, "points": 0.0, "won": 0}}}}),
    "too many hands": (1, {"contracts": {"rufer": {"declarer": {"hands": 10**400, "points": 0.0, "won": 0}}}}),
    "too many won": (1, {"contracts": {"rufer": {"declarer": {"hands": 3, "points": 9.0, "won": 9}}}}),
    "huge points": (1, {"contracts": {"rufer": {"declarer": {"hands": 3, "points": 1e300, "won": 3}}}}),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_refused_and_kept(damage: str, match: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line, values = DAMAGE[damage]
    change(match, line, **values)
    before = match.read_bytes()
    assert main(words(match)) == 2
    error = capsys.readouterr().err
    assert str(match) in error
    assert "remove it, or give another --keep" in error
    assert match.read_bytes() == before


@pytest.mark.parametrize("content", [b"my own notes", b"my own notes\n", b"{}\n", b"[" * 100_000 + b"\n", b"\xff\n"])
def test_other_files_are_left_alone(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notes"
    path.write_bytes(content)
    assert main(words(path)) == 2
    assert "remove it, or give another --keep" in capsys.readouterr().err
    assert path.read_bytes() == content


def test_two_processes_do_not_keep_one_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with locks.holding(tmp_path / "match"):
        assert main(words(tmp_path / "match")) == 2
    assert "another process is writing to" in capsys.readouterr().err
    (tmp_path / "folder").mkdir()
    assert main(words(tmp_path / "folder")) == 2
    assert "is a folder; allowed: a new file" in capsys.readouterr().err
