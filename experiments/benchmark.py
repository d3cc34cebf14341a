"""`tarock benchmark`: speed, memory and compile time on this machine, each figure the median of several runs.

A figure is a row of `ROWS`: a name, a unit, and a function of `experiments.measures` that measures it once. Rows of
parts that are not there are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from experiments import arguments, manifest, measures, warm
from tarock_env.engine.batch import Engine

NAME = "benchmark"
HELP = "measure speed, memory and compile time on this machine"

RUNS = 5


@dataclass(frozen=True)
class Row:
    """One figure: what is measured, in what unit, and how."""

    name: str
    unit: str
    measure: Callable[[Engine], float]
    runs: int = RUNS
    slow: bool = False  #: left out by ``--quick``
    needs: tuple[str, ...] = field(default=())  #: modules without which the row is left out


ROWS: tuple[Row, ...] = (
    Row("playout in the kernel, random policy, B = 4096", "decisions/s", measures.playout),
    Row("playout in the kernel, hands", "hands/s", measures.playout_hands),
    Row("batch stepping, legal + sample + step, B = 4096", "decisions/s", measures.stepping),
    Row("one game, legal + step, B = 1", "decisions/s", measures.single),
    Row("views, observe, B = 4096", "views/s", measures.views, needs=("tarock_env.view",)),
    Row("encoding, views to float32, B = 4096", "views/s", measures.encoding, needs=("tarock_env.encoding",)),
    Row("encoding, states to packed bits, B = 4096", "views/s", measures.packing, needs=("tarock_env.encoding",)),
    Row("agents in all seats, random, B = 4096", "decisions/s", measures.random_match, needs=("agents.match",)),
    Row("agents in all seats, heuristic, B = 1024", "decisions/s", measures.heuristic_match, needs=("agents.heuristic",)),
    Row("PettingZoo, raw_env()", "steps/s", measures.raw_env, needs=("tarock_env.tarock_v0",)),
    Row("PettingZoo, env()", "steps/s", measures.env, needs=("tarock_env.tarock_v0",)),
    Row("Gymnasium, one seat against random", "steps/s", measures.single_seat, needs=("tarock_env.envs.single_seat",)),
    Row("Gymnasium, vector of B = 1024", "steps/s", measures.vector, needs=("tarock_env.envs.vector",)),
    Row(
        "PPO self-play training, 256 x 2, one thread", "decisions/s", measures.ppo_training, 3, needs=("torch", "agents.ppo")
    ),
    Row("records written", "hands/s", measures.writing),
    Row("records verified", "hands/s", measures.verifying),
    Row("memory of one game", "bytes", measures.memory, runs=1),
    Row("its action log", "bytes", measures.log_memory, runs=1),
    Row("import tarock_env, kernels compiled", "s", measures.import_time, runs=3),
    Row("compile, first playout of a fresh clone", "s", measures.first_playout, runs=1, slow=True),
    Row("compile, everything (tarock warm)", "s", measures.everything, runs=1, slow=True),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add_game(parser, "koenigrufen_pagat")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--quick", action="store_true", help="without compiling afresh")


def run(args: argparse.Namespace) -> int:
    """Measure and print, row by row."""
    engine = arguments.engine_of(args)
    warm.ensure()
    report: dict[str, Any] = {"manifest": manifest.describe({"command": NAME, "quick": args.quick}, engine)}
    report |= {"threads": engine.threads, "load": os.getloadavg()[0], "policy": "random", **measures.mix(engine), "rows": []}
    if not args.json:
        print(f"{engine.ruleset.id}, one process, {engine.threads} thread; medians of up to {RUNS} runs\n")
        if report["load"] > (os.cpu_count() or 1):
            print(f"other processes are busy (load {report['load']:.1f}): this machine can do better\n")
    for row, values in _measured(engine, quick=args.quick):
        figure = statistics.median(values)
        report["rows"].append({"name": row.name, "value": figure, "unit": row.unit, "runs": values})
        if not args.json:
            print(f"{row.name:52} {_shown(figure):>12} {row.unit}", flush=True)
    if args.json:
        print(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        mix = ", ".join(f"{name} {share:.0%}" for name, share in report["contracts"].items() if share >= 0.005)
        print(f"\nrandom policy: {report['decisions_per_hand']:.1f} decisions a hand; {mix}")
        print(f"batch stepping samples uniformly: {report['uniform_decisions_per_hand']:.1f} decisions a hand")
    return 0


def _measured(engine: Engine, *, quick: bool) -> Iterator[tuple[Row, list[float]]]:
    for row in ROWS:
        if (quick and row.slow) or not measures.has(row.needs):
            continue
        if row.runs > 1:
            row.measure(engine)  # loads or compiles what the row calls
        if row.slow and sys.stderr.isatty():
            print(f"measuring: {row.name} …", file=sys.stderr)
        yield row, [row.measure(engine) for _ in range(row.runs)]


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
