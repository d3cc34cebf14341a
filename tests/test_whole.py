"""Files that are written whole: two writers at once, crashes between the steps, drafts that were left."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.ppo import checkpoint
from agents.ppo.logs import CSV_FILE, Log
from experiments import cli, manifest
from experiments.bench import page
from tarock_env import make
from tarock_env.record import whole

ROOT = Path(__file__).parents[1]
WRITER = """
import sys
from pathlib import Path
from tarock_env.record import whole
for i in range(150):
    whole.replace(Path(sys.argv[1]), sys.argv[2].encode() * 20_000)
"""


def test_two_writers_never_tear_a_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    whole.replace(path, b"a" * 20_000)
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [subprocess.Popen([*command, letter], cwd=ROOT, stderr=subprocess.PIPE) for letter in "ab"]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        seen.add(path.read_bytes())
        time.sleep(0.0005)
    assert [writer.communicate()[1] for writer in writers] == [b"", b""]
    assert seen <= {b"a" * 20_000, b"b" * 20_000}
    assert list(tmp_path.iterdir()) == [path]


# ------------------------------------------------------------------ what is on the disk when power fails

Write = Callable[[Path], Any]


def _simulate(folder: Path) -> None:
    words = ["--ruleset", "tarok_furr_3p", "--agents", "random", "--hands", "2", "--out", str(folder / "hands.jsonl")]
    assert cli.main(["simulate", *words]) == 0


def _into(folder: Path) -> None:
    (folder / "page.md").write_text(f"{page.BEGIN}\n{page.END}\n")
    head = {"manifest": {"versions": {}, "platform": {"system": "x"}, "ruleset": {"id": "x"}}, "load": 0.0, "contracts": {}}
    counts = {"decisions_per_hand": 1.0, "uniform_decisions_per_hand": 1.0, "machine": {"cpu": "x", "cores": 1}}
    (folder / "report.json").write_text(json.dumps({**head, **counts, "rows": [], "ratios": []}))
    assert cli.main(["benchmark", "--render", str(folder / "report.json"), "--into", str(folder / "page.md")]) == 0


WRITERS: dict[str, tuple[Write, set[str]]] = {
    "whole": (lambda folder: whole.replace(folder / "x", b"x"), {"x"}),
    "manifest": (lambda folder: manifest.write(folder / "x", {}), {"x"}),
    "weights": (lambda folder: checkpoint.write(folder / "x.safetensors", checkpoint.POLICY, {}, {}),
                {"x.safetensors", "x.json"}),
    "log": (lambda folder: Log(folder, make("tarok_furr_3p"), (), 0), {CSV_FILE}),
    "simulate": (_simulate, {"hands.jsonl", "hands.jsonl.manifest.json"}),
    "rules": (lambda folder: cli.main(["rules", "tarok_furr_3p", "--out", str(folder)]), {"tarok_furr_3p.md"}),
    "benchmark": (_into, {"page.md"}),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITERS)
def test_content_is_synced_before_its_name_and_the_name_at_once(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[tuple[str, str]] = []
    fsync, replace = os.fsync, os.replace

    def synced(number: int) -> None:
        found = os.fstat(number)
        inode = next((p.name for p in tmp_path.iterdir() if p.lstat().st_ino == found.st_ino), "")
        steps.append(("folder", "") if stat.S_ISDIR(found.st_mode) else ("file", inode))
        fsync(number)

    def renamed(source: Path, target: Path) -> None:
        if Path(target).parent == tmp_path:  # the cache of compiled code has its own
            steps.extend([("name", Path(source).name), ("to", Path(target).name)])
        replace(source, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", renamed)
    write, wanted = WRITERS[name]
    write(tmp_path)
    found = [i for i, (kind, _) in enumerate(steps) if kind == "to"]
    assert {steps[i][1] for i in found} == wanted
    for i in found:
        assert ("file", steps[i - 1][1]) in steps[: i - 1]
        assert steps[i + 1][0] == "folder"


def test_a_folder_that_cannot_be_synced_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync = os.fsync

    def refuse(number: int) -> None:
        if stat.S_ISDIR(os.fstat(number).st_mode):
            raise OSError(22, "Invalid argument")
        fsync(number)

    monkeypatch.setattr(os, "fsync", refuse)
    whole.replace(tmp_path / "x", b"new")
    assert (tmp_path / "x").read_bytes() == b"new"


# ------------------------------------------------------------------ drafts


def test_an_error_leaves_the_old_file_and_no_draft(tmp_path: Path) -> None:
    whole.replace(tmp_path / "x", b"old")
    with pytest.raises(KeyboardInterrupt), whole.replacing(tmp_path / "x") as file:  # noqa: PT012
        file.write(b"half a fi")
        raise KeyboardInterrupt
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("x", b"old")]


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_draft_is_never_written_through_a_link_or_into_a_pipe(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole.secrets, "token_hex", lambda size: "0123abcd")
    draft, precious = tmp_path / ".x.0123abcd", tmp_path / "precious"
    precious.write_text("precious")
    draft.symlink_to(precious) if kind == "link" else os.mkfifo(draft)
    with pytest.raises(FileExistsError):
        whole.replace(tmp_path / "x", b"x")
    assert precious.read_text() == "precious"
    assert os.path.lexists(draft)  # it is somebody else's


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_link_or_a_pipe_is_replaced(kind: str, tmp_path: Path) -> None:
    path, precious = tmp_path / "x", tmp_path / "precious"
    precious.write_text("precious")
    path.symlink_to(precious) if kind == "link" else os.mkfifo(path)
    whole.replace(path, b"x")
    assert (path.is_symlink(), path.read_bytes(), precious.read_text()) == (False, b"x", "precious")


def test_only_drafts_of_the_files_are_removed(tmp_path: Path) -> None:
    left = {"x.json", ".x.json", ".x.json.swp", ".x.json.bak", "x.json.0123abcd", ".y.json.0123abcd", ".xyjson.77"}
    for name in left | {".x.json.0123abcd", ".x.json.77"}:
        (tmp_path / name).write_text("x")
    whole.remove_drafts([tmp_path / "x.json"])
    assert {path.name for path in tmp_path.iterdir()} == left
