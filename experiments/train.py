"""`tarock train`: an agent learns a ruleset by playing against itself (PPO, see `agents.ppo`)."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from agents import base
from agents.ppo.agent import POLICY_FILE, PPOAgent
from agents.ppo.checkpoint import TRAINING, CheckpointError, read
from agents.ppo.config import HEURISTIC, NONE, TrainConfig, check, from_dict
from agents.ppo.config import read as read_config
from agents.ppo.logs import CSV_FILE
from agents.ppo.trainer import STATE_FILE, Counters, Evaluate, Trainer, resume
from experiments import arguments, locks, manifest
from experiments.cli import INTERRUPTED
from experiments.duplicate import play
from tarock_env import Engine, load
from tarock_env.record import whole
from tarock_env.rulesets.options import choose
from tarock_env.rulesets.schema import RulesetError

NAME = "train"
HELP = "train an agent by self-play"

OPPONENTS = ("random", "heuristic")
MINUTES = 30.0  #: the budget where none is given
EVALUATION_SEED = 1_000_003  #: the same deals in all evaluations of all runs, so that curves can be compared
#: what is written whole into the folder of a run, the three files of `tarock demo` included
WRITTEN = (POLICY_FILE, "policy.json", STATE_FILE, "training.json", CSV_FILE, "manifest.json",
           "table.txt", "hand.txt", "curve.png")  # fmt: skip
Report = Callable[[Counters, float, dict[str, float]], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add_game(parser, default=TrainConfig.ruleset)
    budget = parser.add_mutually_exclusive_group()
    about = f"time to train for, evaluations included; default: {MINUTES:g}"
    budget.add_argument("--minutes", type=float, metavar="M", help=about)
    budget.add_argument("--decisions", type=arguments.whole(1), metavar="N", help="decisions to learn from")
    arguments.add_seed(parser)
    parser.set_defaults(ruleset=None, seed=None)  # not given: as in the config
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder of the run")
    parser.add_argument("--resume", action="store_true", help="go on with the run in DIR; a new budget may be given")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings by name, JSON; see experiments/configs")
    parser.add_argument(
        "--set", dest="settings", type=arguments.option, action=arguments.Once, default=[], metavar="NAME=VALUE",
        help=f"one setting, each at most once: {', '.join(f.name for f in dataclasses.fields(TrainConfig))}",
    )  # fmt: skip
    parser.add_argument("--warm-start", choices=(NONE, HEURISTIC), help="clone the heuristic's decisions first")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="where the networks are; default: cpu")
    parser.add_argument("--threads", type=arguments.whole(1), metavar="N", help="default: as many as cores")


def run(args: argparse.Namespace) -> int:
    """Train, with a progress bar; policy, state, log and manifest lie in the folder."""
    if args.resume:
        _check_resumable(args)
    source = (lambda: _resumed(args)) if args.resume else _fresh(args)
    with trained(args.out, {"command": NAME, "device": args.device}, source) as trainer:
        pass
    counters = trainer.counters
    print(
        f"{args.out}: {counters.decisions:,} decisions in {counters.hands:,} hands, {counters.seconds:,.0f} s; "
        f"play it as ppo:{args.out}"
    )
    if trainer.progress < 1.0:
        print(f"stopped at {trainer.progress:.0%}; go on with: tarock train --resume --out {args.out}")
        return INTERRUPTED
    return 0


@contextlib.contextmanager
def trained(folder: Path, settings: Mapping[str, Any], source: Trainer | Callable[[], Trainer]) -> Iterator[Trainer]:
    """Train in a folder, the only way to do so: nobody else does until the block ends, with which the run is finished.

    Args:
        settings: for the manifest, beside the trainer's own.
        source: the trainer of a new run, or what makes that of the run in the folder, called when the lock is held.

    Raises:
        ValueError: another process trains there, or there is a run already.
    """
    fresh = isinstance(source, Trainer)
    if fresh:
        folder.mkdir(parents=True, exist_ok=True)
    with _held(folder):  # what lies in the folder may have changed until the lock was got
        if fresh:
            refuse_a_run(folder)
        trainer = source if isinstance(source, Trainer) else source()
        about = manifest.describe({**settings, **trainer.config.as_dict()}, trainer.engine)
        manifest.write(folder / "manifest.json", about)
        whole.remove_drafts(folder / name for name in WRITTEN)
        with whole.naming(folder):
            if fresh:
                trainer.save()  # so that a run that is killed early can be resumed, too
            train(trainer)
        yield trainer
        manifest.write(folder / "manifest.json", about, finished=True)


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(locks.holding(folder / "lock"))
        except BlockingIOError:
            raise ValueError(f"--out {str(folder)!r}: another process is training there") from None
        yield


def refuse_a_run(folder: Path) -> None:
    """Refuse a folder that holds a run already."""
    if (folder / STATE_FILE).exists():
        raise ValueError(f"--out {str(folder)!r} holds a run already; give another folder, or go on with train --resume")


def _fresh(args: argparse.Namespace) -> Trainer:
    refuse_a_run(args.out)
    config = config_of(args)
    engine = Engine(load(config.ruleset, **config.options))
    return make_trainer(config, args.out, engine, device=_device(args.device), threads=args.threads)


def _check_resumable(args: argparse.Namespace) -> None:
    """Refuse what can be refused before anything is made in the folder."""
    names = ("ruleset", "options", "seed", "config", "settings", "warm_start")
    given = [name for name in names if getattr(args, name) not in (None, [])]
    if given:
        raise ValueError(f"--resume keeps the settings of the run; {', '.join(given)} cannot be given with it")
    read(args.out / STATE_FILE, TRAINING)


def _resumed(args: argparse.Namespace) -> Trainer:
    _, header = read(args.out / STATE_FILE, TRAINING)
    try:
        engine = Engine(choose(load(header["ruleset"]), header["options"]))
    except RulesetError as error:
        raise CheckpointError(f"checkpoint {str(args.out / STATE_FILE)!r}: {error}") from None
    budget: dict[str, Any] = {}
    if args.minutes is not None or args.decisions is not None:
        budget = {"minutes": args.minutes or 0.0, "decisions": args.decisions or 0}
    evaluate, opponents = evaluation(engine, header["config"]["evaluation_deals"])
    return resume(
        args.out, engine, budget, device=_device(args.device), threads=args.threads, evaluate=evaluate, opponents=opponents
    )


def _device(name: str) -> str:
    if name == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise ValueError("device is 'cuda', but torch sees no GPU here; allowed: cpu")
    return name


def config_of(args: argparse.Namespace) -> TrainConfig:
    """The settings: those of the file, then `--set`, then the arguments of their own.

    Raises:
        ValueError: an unknown setting or a value that is not allowed.
    """
    values: dict[str, Any] = read_config(args.config) if args.config else {}
    check(values)
    for name, value in args.settings:  # each of them, for what follows may hide it
        check({name: value})
        values[name] = value
    values |= {name: value for name in ("ruleset", "seed", "warm_start") if (value := getattr(args, name)) is not None}
    if args.options:
        values["options"] = dict(args.options)
    if args.minutes is not None or args.decisions is not None:  # instead of the budget in a file
        values |= {"minutes": args.minutes or 0.0, "decisions": args.decisions or 0}
    if "minutes" not in values and "decisions" not in values:
        values["minutes"] = MINUTES
    return from_dict(values)


def make_trainer(config: TrainConfig, folder: Path, engine: Engine, **arguments: Any) -> Trainer:
    """A trainer whose evaluations are duplicate matches against the agents of `OPPONENTS`."""
    evaluate, opponents = evaluation(engine, config.evaluation_deals)
    return Trainer(config, folder, engine, evaluate=evaluate, opponents=opponents, **arguments)


def evaluation(engine: Engine, deals: int) -> tuple[Evaluate, tuple[str, ...]]:
    """A function that rates an agent against `OPPONENTS` on the same deals each time, and their names."""
    agents = {name: base.make(name, engine) for name in OPPONENTS}

    def evaluate(agent: PPOAgent) -> dict[str, tuple[float, float, float]]:
        results = {name: play(engine, agent, other, deals, EVALUATION_SEED) for name, other in agents.items()}
        return {name: (result.mean, *result.ci95) for name, result in results.items()}

    return evaluate, tuple(agents)


def train(trainer: Trainer) -> None:
    """Run a trainer behind a progress bar."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("training"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeElapsedColumn(),
               TextColumn("left"), TimeRemainingColumn(), TextColumn("{task.description}"))  # fmt: skip
    with Progress(*columns) as bar:
        task = bar.add_task("", total=1.0)

        def report(counters: Counters, progress: float, row: dict[str, float]) -> None:
            bar.update(task, completed=progress, description=summary(trainer, counters, row))

        trainer.report = report
        with stopping(trainer):
            trainer.run()


@contextlib.contextmanager
def stopping(trainer: Trainer) -> Iterator[None]:
    """While it lasts, Ctrl-C and a polite kill end the run after its iteration, and a second Ctrl-C at once."""

    def stop(number: int, frame: FrameType | None) -> None:
        trainer.stop()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def summary(trainer: Trainer, counters: Counters, row: dict[str, float]) -> str:
    """One line about a run."""
    if counters.iteration == 0:
        return (
            f"cloning {counters.cloned:,} of {trainer.config.clone_hands:,} hands, agreement {row.get('agreement', 0):.1%}"
        )
    text = f"{counters.decisions / 1e6:.1f} M decisions, {row.get('decisions_per_second', 0):,.0f}/s"
    for name in OPPONENTS:
        if f"versus_{name}" in trainer.latest:
            text += f", {trainer.latest[f'versus_{name}']:+.2f} against {name}"
    return text
