"""`tarock benchmark`: speed, memory and compile time on this machine, against itself and against other libraries.

Rates of one thread are counts a second of CPU time, others a second on the clock; each is the median of several runs.
`experiments.bench.rows` lists the figures, `experiments.bench.ratios` the comparisons, `experiments.bench.targets` what they
are to reach.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from experiments import arguments, files, manifest, warm
from experiments.bench import games, page, ratios, rows, targets
from experiments.bench.clock import FULL, Size
from tarock_env.engine.batch import Engine
from tarock_env.record import whole
from tarock_env.rulesets.shown import printable

NAME = "benchmark"
HELP = "measure speed, memory and compile time on this machine"

SIZE: Size = FULL


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add_game(parser, "koenigrufen_pagat")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--quick", action="store_true", help="without compiling afresh and without long streams")
    parser.add_argument("--peers", action="store_true", help="beside the other libraries of the extra `bench`, too")
    parser.add_argument(
        "--check", action="store_true", help="only the ratios, peers included, against their targets; 1 if one is missed"
    )
    parser.add_argument("--render", type=Path, metavar="FILE", help="measure nothing; show a JSON report as Markdown tables")
    parser.add_argument("--into", type=Path, metavar="PAGE", help="with --render: put the tables into this page")


def run(args: argparse.Namespace) -> int:
    """Measure and print, line by line."""
    if args.render is not None:
        return _render(args.render, args.into)
    if args.into is not None:
        raise ValueError("--into goes with --render FILE")
    engine = arguments.engine_of(args)
    warm.ensure()
    report = _about(args, engine)
    show = _Printer(quiet=args.json)
    show.head(report)
    for row in [] if args.check else rows.chosen(quick=args.quick):
        report["rows"].append(show.row(rows.measured(row, engine, SIZE)))
    for ratio in _compared(engine, peers=args.peers or args.check):
        report["ratios"].append(show.ratio(ratio))
    show.foot(report)
    return _verdict(report, show) if args.check else 0


def _about(args: argparse.Namespace, engine: Engine) -> dict[str, Any]:
    about = manifest.describe({"command": NAME, "quick": args.quick, "peers": args.peers, "check": args.check}, engine)
    about["command_line"], about["platform"]["system"] = ["tarock", *sys.argv[1:]], platform.system()
    return {
        "manifest": about, "machine": machine(), "load": os.getloadavg()[0], "threads": engine.threads, "policy": "random",
        **games.mix(engine, SIZE), "rows": [], "ratios": [],
    }  # fmt: skip


def machine() -> dict[str, Any]:
    """Model and number of the processors."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {"cpu": named[0] if named else model, "cores": os.cpu_count() or 1}


def _compared(engine: Engine, *, peers: bool) -> Iterator[dict[str, Any]]:
    for ratio in ratios.own(SIZE):
        yield ratios.measure_own(ratio, engine, SIZE)
    for one in ratios.PEERS if peers else ():
        yield ratios.measure_peer(one, engine, SIZE)


def _verdict(report: dict[str, Any], show: _Printer) -> int:
    """Name the ratios that miss their targets; 1 if there are any."""
    verdicts = list(targets.judged(report["ratios"]))
    missed = [line for verdict, line in verdicts if verdict == "missed"]
    for verdict, line in verdicts:
        if verdict != "missed":
            show.line(f"{verdict}: {line}")
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


def _render(source: Path, into: Path | None) -> int:
    try:
        report = json.loads(source.read_text(encoding="utf-8"))
        text = "\n".join(map(printable, page.tables(report).split("\n")))
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"{source} is no report of `tarock benchmark --json`: {error}") from None
    if into is None:
        print(text)
    else:
        files.check_regular(into, "--into", "a page")
        whole.replace(into, page.placed(into.read_text(encoding="utf-8"), text).encode())
    return 0


class _Printer:
    """Prints a report as it comes, or whole as JSON at its end."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet

    def line(self, text: str = "") -> None:
        """A line, unless all is told in JSON."""
        if not self.quiet:
            print(text, flush=True)

    def head(self, report: dict[str, Any]) -> None:
        """What is measured, and whether the machine is free for it."""
        threads = f"{report['threads']} thread" + ("s" if report["threads"] > 1 else "")
        self.line(
            f"{report['manifest']['ruleset']['id']}, one process, {threads} unless said; medians of up to {rows.RUNS} runs"
        )
        self.line(f"{report['machine']['cpu']}, {report['machine']['cores']} cores\n")
        if report["load"] > report["machine"]["cores"]:
            self.line(f"other processes are busy (load {report['load']:.1f}): this machine can do better\n")

    def row(self, row: dict[str, Any]) -> dict[str, Any]:
        """A figure."""
        cores = f"  ({row['cores']:.1f} cores)" if row.get("threads", 1) > 1 else ""
        self.line(f"{row['name']:54} {page.number(row['value']):>10} {row['unit']}{cores}")
        return row

    def ratio(self, ratio: dict[str, Any]) -> dict[str, Any]:
        """A comparison."""
        if "missing" in ratio:
            self.line(f"{ratio['name']:54} {ratio['missing']}")
            return ratio
        sides = "; ".join(f"{one['label']} {page.number(one['value'])}" for one in ratio["contestants"])
        self.line(f"{ratio['name']:54} {ratio['ratio']:>10.2f} x  ({sides} {ratio['unit']})")
        return ratio

    def foot(self, report: dict[str, Any]) -> None:
        """What was played."""
        if self.quiet:
            print(json.dumps(report, indent=2, ensure_ascii=False))
        mix = ", ".join(f"{name} {share:.0%}" for name, share in report["contracts"].items() if share >= 0.005)
        self.line(f"\nrandom policy: {report['decisions_per_hand']:.1f} decisions a hand; {mix}")
        self.line(f"batch stepping samples uniformly: {report['uniform_decisions_per_hand']:.1f} decisions a hand")
