"""`tarock demo`: the whole project in a few minutes – compile, train, compare agents, draw the curve, show a hand."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from agents import base
from agents.base import Agent
from agents.match import play_hands
from agents.ppo.config import HEURISTIC, NONE, TrainConfig, from_dict
from agents.ppo.config import read as read_config
from experiments import arguments, curves, train, warm
from experiments.duplicate import Result, play
from tarock_env import Engine, load
from tarock_env import record as records
from tarock_env.codes import NONE as NOBODY
from tarock_env.engine.chance import EVALUATION, make_keys
from tarock_env.record import whole
from tarock_env.render import annotate

NAME = "demo"
HELP = "a guided tour: train, evaluate, show a hand"

CONFIG = Path(__file__).parent / "configs" / "demo.json"
HANDS = 64  #: of which one is shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add_game(parser, default=TrainConfig.ruleset)
    parser.add_argument("--minutes", type=float, default=3.0, metavar="M", help="time to train for; default: %(default)s")
    parser.add_argument("--deals", type=arguments.whole(2), default=500, metavar="N", help="default: %(default)s a pair")
    parser.add_argument("--warm-start", choices=(NONE, HEURISTIC), help="default: as in configs/demo.json")
    arguments.add_seed(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: runs/demo-DATE")


def run(args: argparse.Namespace) -> int:
    """The tour."""
    started = time.perf_counter()
    folder = args.out or Path("runs") / time.strftime("demo-%Y%m%d-%H%M%S")
    train.refuse_a_run(folder)
    values = read_config(CONFIG) | {"ruleset": args.ruleset, "options": dict(args.options), "seed": args.seed}
    values |= {"minutes": args.minutes} | ({"warm_start": args.warm_start} if args.warm_start else {})
    config = from_dict(values)
    engine = Engine(load(config.ruleset, **config.options))
    say(f"1. Rules to machine code: {engine.ruleset.title}")
    warm.run(argparse.Namespace(force=False))
    say(f"2. Self-play, {config.minutes:g} minutes; logs and weights go to {folder}")
    trainer = train.make_trainer(config, folder, engine)
    with train.trained(folder, {"command": NAME, "deals": args.deals}, trainer):
        show(folder, engine, config, args)
    say(f"Done in {time.perf_counter() - started:.0f} s; in {folder}: curve.png, hand.txt, table.txt, log.csv, policy")
    return 0


def show(folder: Path, engine: Engine, config: TrainConfig, args: argparse.Namespace) -> None:
    """What the run in the folder has learned: a table of matches, its curve, a hand."""
    say(f"3. Duplicate matches: one against a table of others, {args.deals} deals in every seat")
    agents = [base.make(spec, engine) for spec in (*train.OPPONENTS, f"ppo:{folder}")]
    table = "\n".join(cross_table([*train.OPPONENTS, "ppo (fresh)"], agents, engine, args.deals, args.seed))
    print(table)
    whole.replace(folder / "table.txt", f"{table}\n".encode())
    say("4. Learning curve and a hand")
    curves.draw(folder, train.OPPONENTS, f"{engine.ruleset.title}: PPO, {config.minutes:g} minutes", folder / "curve.png")
    story = annotate(shown_hand(engine, agents[-1], args.seed))
    whole.replace(folder / "hand.txt", f"{story}\n".encode())
    print(story)


def say(text: str) -> None:
    """A heading."""
    print(f"\n== {text}", flush=True)


def cross_table(names: Sequence[str], agents: Sequence[Agent], engine: Engine, deals: int, seed: int) -> list[str]:
    """Every agent in one seat against every other in the rest: points a hand with 95 % intervals, as text."""
    width = max(len(name) for name in names)
    corner = "one \\ others"
    lines = [f"{corner:<{max(width, len(corner))}}" + "".join(f"  {name:>22}" for name in names)]
    for name, agent in zip(names, agents, strict=True):
        cells = []
        for other_name, other in zip(names, agents, strict=True):
            show = "–" if other is agent else cell(play(engine, agent, other, deals, seed))
            cells.append(f"  {show:>22}")
            if sys.stderr.isatty():
                print(f"\r{name} against {other_name}   \r", end="", file=sys.stderr)
        lines.append(f"{name:<{max(width, len(corner))}}" + "".join(cells))
    return lines


def cell(result: Result) -> str:
    """A mean with its interval."""
    low, high = result.ci95
    return f"{result.mean:+.2f} [{low:+.2f}, {high:+.2f}]"


def shown_hand(engine: Engine, agent: Agent, seed: int) -> dict[str, object]:
    """The record of a hand that the agent plays in all seats: the first one with a declarer."""
    start = engine.reset(keys=make_keys(HANDS, seed, EVALUATION))
    state, log = engine.copy(start), engine.new_log(HANDS)
    play_hands(engine, state, [agent], log=log)
    row = int(np.argmax(state["declarer"] != NOBODY))
    return dict(records.write(engine, start, log, row=row))
