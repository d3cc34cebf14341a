"""`tarock evaluate`: two agents on duplicate deals, with an interval."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents import base
from experiments import arguments, manifest, partial
from experiments.duplicate import CHUNK, DESIGNS, Cell, Result, contracts_of, play, seatings
from tarock_env import Engine

NAME = "evaluate"
HELP = "two agents on duplicate deals, with intervals"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("challenger", metavar="SPEC", help=f"the agent that is rated: {', '.join(base.available())}")
    parser.add_argument("opponent", metavar="SPEC", help="the agent that it is rated against")
    arguments.add_game(parser)
    parser.add_argument("--deals", type=arguments.whole(2), default=1000, metavar="N", help="default: %(default)s")
    arguments.add_seed(parser)
    parser.add_argument(
        "--design", choices=DESIGNS, default=DESIGNS[0],
        help="1v3: the first agent in each seat in turn, the second in all others; with four players also 3v1: the reverse, "
        "2v2: all pairs",
    )  # fmt: skip
    parser.add_argument(
        "--keep", type=Path, metavar="FILE",
        help="keep the results of finished deals in FILE; after a stop the same command goes on from there",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Play the match and print it."""
    engine = arguments.engine_of(args)
    seatings(args.design, engine.ruleset.players)  # refused before agents are made
    challenger, opponent = base.make(args.challenger, engine), base.make(args.opponent, engine)

    def progress(done: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done} of {args.deals} deals", end="\n" if done == args.deals else "", file=sys.stderr)

    match = (engine, challenger, opponent, args.deals, args.seed, args.design, progress)
    settings = settings_of(args, engine, (challenger, opponent)) if args.keep else {}
    with partial.kept(args.keep, settings, contracts_of(engine)) as kept:
        result = play(*match) if kept is None else play(*match, kept.chunks, kept.add)
    if args.json:
        about: dict[str, object] = {"challenger": args.challenger, "opponent": args.opponent, "seed": args.seed}
        about |= {"ruleset": engine.ruleset.id, "options": engine.options}
        print(json.dumps(about | result.as_dict()))
    else:
        print(f"{args.challenger} against {args.opponent}, {engine.ruleset.id}, design {args.design}, seed {args.seed}")
        print("\n".join(lines(result)))
    return 0


def settings_of(args: argparse.Namespace, engine: Engine, agents: Sequence[base.Agent]) -> dict[str, Any]:
    """What decides the results."""
    named = {key: getattr(args, key) for key in ("challenger", "opponent", "deals", "seed", "design")}
    return {**manifest.playing(engine, agents), **named, "chunk": CHUNK}


def lines(result: Result) -> list[str]:
    """A result for people: the interval, then a table by contract and role."""
    low, high = result.ci95
    text = [
        f"{result.mean:+.3f} points a hand, 95 % [{low:+.3f}, {high:+.3f}], "
        f"{result.deals} deals, {result.hands} hands, sd {result.sd:.2f}; raw score {float(result.raw.mean()):+.3f}",
        "",
        f"{'contract':<20} {'role':<24} {'hands':>8} {'share':>7} {'won':>7} {'points':>9}",
    ]
    total = sum(cell.hands for roles in result.contracts.values() for cell in roles.values())
    for name, roles in sorted(result.contracts.items(), key=lambda item: -_hands(item[1])):
        for role, cell in roles.items():
            share, won, mean = cell.hands / total, cell.won / cell.hands, cell.points / cell.hands
            text.append(f"{name:<20} {role:<24} {cell.hands:>8} {share:>7.1%} {won:>7.1%} {mean:>+9.2f}")
    return text


def _hands(roles: dict[str, Cell]) -> int:
    return sum(cell.hands for cell in roles.values())
