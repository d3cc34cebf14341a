"""Names that are no text, and folders that hold a run already."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from experiments import demo
from experiments.cli import main
from tarock_env import make, record
from tarock_env.record.files import to_line

ROOT = Path(__file__).parents[2]
STRICT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8:strict"}
NAME = os.fsdecode(b"odd\xff")


def tarock(*words: str, cwd: Path) -> tuple[int, bytes, bytes]:
    done = subprocess.run([sys.executable, "-m", "experiments", *words], cwd=cwd, capture_output=True, env=STRICT)
    return done.returncode, done.stdout, done.stderr


def test_files_and_agents_may_have_names_that_are_no_text(tmp_path: Path) -> None:
    policy = tmp_path / NAME / "policy.safetensors"
    policy.parent.mkdir()
    policy.write_bytes((ROOT / "agents/ppo/builtin/koenigrufen_pagat.safetensors").read_bytes())
    words = (
        "simulate",
        "--ruleset",
        "koenigrufen_pagat",
        "--agents",
        f"ppo:{NAME}",
        "--hands",
        "2",
        "--out",
        f"{NAME}.jsonl",
    )
    code, said, complaint = tarock(*words, cwd=tmp_path)
    assert (code, complaint) == (0, b"")
    assert said.startswith(rb"odd\udcff.jsonl: 2 hands")
    told = list(record.read_lines(tmp_path / f"{NAME}.jsonl"))
    assert [one["meta"]["agents"] for one in told] == [[f"ppo:{NAME}"] * 4] * 2
    code, said, complaint = tarock("verify", f"{NAME}.jsonl", cwd=tmp_path)
    assert (code, complaint) == (0, b"")
    assert said == rb"odd\udcff.jsonl: 2 records: 2 agree with the engine, 0 differ, 0 cannot be read" + b"\n"


def test_what_is_read_can_be_written_again(tmp_path: Path) -> None:
    engine = make("tarok_furr_3p")
    start, log = engine.reset(1), engine.new_log(1)
    engine.playout(engine.copy(start), log=log)
    line = to_line({**record.write(engine, start, log), "meta": {"by": "?"}}).replace("?", r"\ud800 é")
    record.write_lines(tmp_path / "hands.jsonl", [record.parse(line)])
    assert (tmp_path / "hands.jsonl").read_text("utf-8") == line


# ------------------------------------------------------------------ runs


def test_the_demo_does_not_replace_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setattr(demo.warm, "run", lambda args: pytest.fail("went on"))
    (tmp_path / "training.safetensors").write_bytes(b"weeks of work")
    assert main(["demo", "--out", str(tmp_path)]) == 2
    assert "holds a run already" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["training.safetensors"]
