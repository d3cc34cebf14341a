"""`tarock simulate`: agents play hands, and every hand becomes a record.

Hands are played in batches and written batch by batch to ``FILE.part``, which becomes FILE when all are there. A run that
was killed goes on from its last whole batch when the same command is given again; the file is the same as without the kill.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from experiments import arguments, locks, manifest
from experiments.seating import Table
from tarock_env import record as records
from tarock_env.engine.batch import Engine
from tarock_env.engine.chance import DEAL, make_keys
from tarock_env.record.files import to_line

NAME = "simulate"
HELP = "let agents play hands and write records"

BATCH = 1024
AUCTIONS = ("natural", "balanced")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add_game(parser)
    parser.add_argument(
        "--agents", required=True, type=arguments.agents, metavar="SPEC[,SPEC…]",
        help="agents of the seats in turn; with fewer than seats they start again (random, heuristic, ppo:PATH …)",
    )  # fmt: skip
    parser.add_argument("--hands", required=True, type=arguments.whole(1), metavar="N")
    arguments.add_seed(parser)
    parser.add_argument(
        "--auction", choices=AUCTIONS, default="natural", help="balanced: every contract about equally often"
    )
    parser.add_argument("--legal", action="store_true", help="add all legal actions of each decision")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE.jsonl")


def run(args: argparse.Namespace) -> int:
    """Play and write; the manifest lies beside the file."""
    engine = arguments.engine_of(args)
    table = Table(engine, args.agents, balanced=args.auction == "balanced")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    part = args.out.with_name(args.out.name + ".part")
    try:
        with locks.holding(part):
            _fill(args, engine, table, part)
    except BlockingIOError:
        raise ValueError(f"{part}: another process is writing to it") from None
    return 0


def settings_of(args: argparse.Namespace, engine: Engine) -> dict[str, Any]:
    """What decides the bytes of the file."""
    chosen = {"ruleset": engine.ruleset.id, "options": engine.options, "digest": engine.digest(), "batch": BATCH}
    named = {key: getattr(args, key) for key in ("hands", "seed", "auction", "legal")}
    return {"command": NAME, **chosen, "agents": list(args.agents), **named}


def _fill(args: argparse.Namespace, engine: Engine, table: Table, part: Path) -> None:
    about, place = manifest.describe(settings_of(args, engine), engine), manifest.path_for(args.out)
    done = _resume(part, place, about["settings"])
    if not done:
        manifest.write(place, about)
    started, first = time.perf_counter(), done
    with open(part, "ab") as file:
        for lines in _batches(args, engine, table, done):
            file.write("".join(lines).encode())
            file.flush()
            done += len(lines)
            if sys.stderr.isatty():
                print(f"\r{done} of {args.hands} hands", end="", file=sys.stderr)
        os.fsync(file.fileno())
    os.replace(part, args.out)
    manifest.write(place, about, finished=True)
    rate = (done - first) / max(time.perf_counter() - started, 1e-9)
    resumed = f", {first} of them from a run that was stopped" if first else ""
    print(f"{args.out}: {done} hands of {engine.ruleset.id}{resumed}; {rate:,.0f} hands/s")


def _resume(part: Path, place: Path, settings: dict[str, Any]) -> int:
    """How many hands of a stopped run can be kept: whole batches only, so that the rest is played as it would have been."""
    size = part.stat().st_size
    if not size:
        return 0
    begun = (manifest.read(place) or {}).get("settings", {})
    differing = sorted(key for key in settings if begun.get(key) != settings[key])
    if differing:
        raise ValueError(
            f"{part} is of another run, which differs in {', '.join(differing)}; remove it, or give another --out"
        )
    kept = lines = at = 0
    with open(part, "rb+") as file:
        for line in file:
            at += len(line)
            lines += line.endswith(b"\n")
            if line.endswith(b"\n") and lines % BATCH == 0:
                kept = at
        file.truncate(kept)
    return lines // BATCH * BATCH


def _batches(args: argparse.Namespace, engine: Engine, table: Table, first: int) -> Iterator[list[str]]:
    for at in range(first, args.hands, BATCH):
        n = min(BATCH, args.hands - at)
        state = engine.reset(keys=make_keys(n, args.seed, DEAL, at))
        start, log = engine.copy(state), engine.new_log(n)
        table.play(state, log)
        metas = [{"agents": table.specs, "seed": args.seed, "index": i, "auction": args.auction} for i in range(at, at + n)]
        yield [to_line(record) for record in records.write_all(engine, start, log, legal=args.legal, metas=metas)]
