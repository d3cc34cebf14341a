"""The commands that `tests.crash` kills: how they are called, what must be whole at any time, and what they end with."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.ppo import checkpoint, trainer
from agents.ppo.agent import POLICY_FILE
from agents.ppo.trainer import STATE_FILE
from experiments import cli, duplicate, evaluate, manifest, simulate

RULESET = "koenigrufen_pagat"
SIZES = {"hands": 6000, "deals": 6400, "decisions": 16_000}  #: of the runs
#: what tells the time and differs from run to run
TIMES = ("seconds", "decisions_per_second")
LEFT_OPEN = {"tensorboard", "out.txt", "events.txt"}


@dataclass(frozen=True)
class Case:
    """A command that is killed. All functions get the folder that it works in."""

    name: str
    first: Callable[[Path], list[str]]  #: the words of the command
    again: Callable[[Path], list[str]]  #: … that go on with what is there
    is_begun: Callable[[Path], bool]
    progress: Callable[[Path], float]  #: how much is done, 0 … 1
    check: Callable[[Path], None]  #: raises if something is torn
    outcome: Callable[[Path], dict[str, Any]]


def prepare(scale: float = 1.0) -> None:
    """Make runs and batches small, save often, and load the kernels once for all children."""
    SIZES.update({name: int(scale * size) for name, size in SIZES.items()})
    simulate.BATCH, duplicate.CHUNK, evaluate.CHUNK, trainer.SAVE_SECONDS = 256, 256, 256, 0.05
    from agents import base
    from tarock_env import make

    engine = make(RULESET)
    duplicate.play(engine, base.make("heuristic", engine), base.make("random", engine), 4, 1)


def names(folder: Path) -> list[str]:
    """All files in a folder."""
    return sorted(path.name for path in folder.iterdir() if path.name not in LEFT_OPEN)


# ------------------------------------------------------------------ simulate


def simulate_words(folder: Path, *more: str) -> list[str]:
    """Hands of two kinds of agents."""
    words = ["simulate", "--ruleset", RULESET, "--agents", "heuristic,random", "--hands", str(SIZES["hands"]), "--seed", "3"]
    return [*words, *more, "--out", str(folder / "hands.jsonl")]


def check_part(folder: Path) -> None:
    """Every hand that the manifest counts is in the part, whole and once."""
    part, about = folder / "hands.jsonl.part", manifest.read(folder / "hands.jsonl.manifest.json")
    if not part.exists() or about is None:
        return
    written = about["written"]
    text = part.read_bytes()[: written["bytes"]]
    if len(text) != written["bytes"] or (text and not text.endswith(b"\n")):
        raise AssertionError(f"{len(text)} whole bytes of {written}")
    told = [
        (record["meta"]["index"], record.get("session", {}).get("hand")) for record in map(json.loads, text.splitlines())
    ]
    if len(told) != written["hands"] or len(set(told)) != len(told):
        raise AssertionError(f"{len(told)} hands, {len(set(told))} different ones, of {written}")


def part_done(folder: Path) -> float:
    """The share of the hands that is counted."""
    about = manifest.read(folder / "hands.jsonl.manifest.json") or {}
    return float(min(about.get("written", {}).get("hands", 0) / SIZES["hands"], 1.0))


def simulated(folder: Path) -> dict[str, Any]:
    """The file, and the manifest without times."""
    about = manifest.read(folder / "hands.jsonl.manifest.json") or {}
    facts = {key: about.get(key) for key in ("settings", "written", "ruleset", "versions")}
    return {"files": names(folder), "hands": (folder / "hands.jsonl").read_bytes(), **facts, "ended": "finished" in about}


# ------------------------------------------------------------------ evaluate


def evaluate_words(folder: Path) -> list[str]:
    """A match that keeps its results."""
    words = [
        "evaluate",
        "heuristic",
        "random",
        "--ruleset",
        RULESET,
        "--deals",
        str(SIZES["deals"]),
        "--seed",
        "3",
        "--json",
    ]
    return [*words, "--keep", str(folder / "match.jsonl")]


def kept_lines(folder: Path) -> list[bytes]:
    """The whole lines of the match's file."""
    path = folder / "match.jsonl"
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")] if path.exists() else []


def check_kept(folder: Path) -> None:
    """All whole lines are the chunks in their order."""
    firsts = [json.loads(line)["first"] for line in kept_lines(folder)[1:]]
    if firsts != [duplicate.CHUNK * i for i in range(len(firsts))]:
        raise AssertionError(f"chunks begin at {firsts}")


def evaluated(folder: Path) -> dict[str, Any]:
    """What was printed, and the kept chunks."""
    printed = (folder.parent / "out.txt").read_text()
    return {"files": names(folder), "printed": printed, "kept": (folder / "match.jsonl").read_bytes()}


# ------------------------------------------------------------------ train


def train_words(folder: Path) -> list[str]:
    """A small run with a clone phase, a pool and evaluations."""
    settings = {
        "hands": 64, "width": 16, "evaluations": 3, "evaluation_deals": 4, "log_every": 3, "pool_every": 1,
        "pool_size": 3, "pool_share": 0.5, "clone_hands": 256, "critic_iterations": 1,
    }  # fmt: skip
    sets = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    words = ["train", "--decisions", str(SIZES["decisions"]), "--seed", "3", "--warm-start", "heuristic", "--threads", "2"]
    return [*words, *sets, "--out", str(folder)]


def check_run(folder: Path) -> None:
    """Policy and training state can be read whenever they are there."""
    for name, kind in ((POLICY_FILE, checkpoint.POLICY), (STATE_FILE, checkpoint.TRAINING)):
        if (folder / name).exists():
            checkpoint.read(folder / name, kind)


def trained_part(folder: Path) -> float:
    """The share of the decisions in the saved state."""
    if not (folder / STATE_FILE).exists():
        return 0.0
    counters = checkpoint.read(folder / STATE_FILE, checkpoint.TRAINING)[1]["counters"]
    return float(min(counters["decisions"] / SIZES["decisions"], 1.0))


def trained(folder: Path) -> dict[str, Any]:
    """Weights, optimiser, pool, counters and log, without times."""
    found: dict[str, Any] = {"files": names(folder)}
    for name, kind in ((POLICY_FILE, checkpoint.POLICY), (STATE_FILE, checkpoint.TRAINING)):
        tensors, header = checkpoint.read(folder / name, kind)
        found |= {f"{name} {key}": array.tobytes() for key, array in tensors.items()}
        found[f"{name} header"] = _timeless(header)
        found[f"{name} shown"] = _timeless(json.loads((folder / name).with_suffix(".json").read_text()))
    with (folder / "log.csv").open(newline="") as file:
        found["log"] = [{key: value for key, value in row.items() if key not in TIMES} for row in csv.DictReader(file)]
    about = manifest.read(folder / "manifest.json") or {}
    return found | {"settings": about.get("settings"), "ended": "finished" in about}


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(inner) for key, inner in value.items() if key not in TIMES}
    return value


CASES = (
    Case("simulate", simulate_words, simulate_words, lambda folder: True, part_done, check_part, simulated),
    Case(
        "simulate --session",
        lambda folder: simulate_words(folder, "--session", "3"),
        lambda folder: simulate_words(folder, "--session", "3"),
        lambda folder: True,
        part_done,
        check_part,
        simulated,
    ),
    Case(
        "evaluate",
        evaluate_words,
        evaluate_words,
        lambda folder: True,
        lambda folder: max(len(kept_lines(folder)) - 1, 0) * duplicate.CHUNK / SIZES["deals"],
        check_kept,
        evaluated,
    ),
    Case(
        "train",
        train_words,
        lambda folder: ["train", "--resume", "--threads", "2", "--out", str(folder)],
        lambda folder: (folder / STATE_FILE).exists(),
        trained_part,
        check_run,
        trained,
    ),
)

assert cli.COMMANDS.keys() >= {case.name.split()[0] for case in CASES}
