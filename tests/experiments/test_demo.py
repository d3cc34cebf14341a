"""`tarock demo`, in small."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments import demo, warm
from experiments.cli import main


def test_the_tour(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "run", lambda args: 0)
    small = tmp_path / "small.json"
    small.write_text('{"hands": 32, "width": 16, "evaluation_deals": 4, "evaluations": 2, "log_every": 1}')
    monkeypatch.setattr(demo, "CONFIG", small)
    out = tmp_path / "out"
    assert main(["demo", "--minutes", "0.05", "--deals", "4", "--warm-start", "none", "--out", str(out)]) == 0
    text = capsys.readouterr().out
    assert "ppo (fresh)" in text
    assert "scores" in (out / "hand.txt").read_text()
    assert (out / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert "[" in (out / "table.txt").read_text()
    assert (out / "manifest.json").is_file()
