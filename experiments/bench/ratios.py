"""What is compared: our own figures with each other, and with peers. A comparison is measured in turns, A B A B …

Each becomes a dictionary for the report: name, unit, the contestants with label, rate and runs, and their ratio; or
``missing`` with the reason, where a peer is not installed or fails.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from experiments.bench import contest, games, play_alone
from experiments.bench.clock import FULL, Measure, Size, Timed, has
from tarock_env.engine.batch import Engine
from tarock_env.rulesets import load

Report = dict[str, Any]

FREE = 0.9  #: of a core that one thread must have had


def first_over_second(rates: Sequence[float]) -> float:
    """How many times as fast the first is."""
    return rates[0] / rates[1]


def worst(rates: Sequence[float]) -> float:
    """How many times the time of one is that of another, at worst."""
    return max(rates) / min(rates)


@dataclass(frozen=True)
class Ratio:
    """A comparison of our own measurements, in this process."""

    name: str
    unit: str
    contestants: tuple[tuple[str, Measure], ...]
    of: Callable[[Sequence[float]], float] = first_over_second
    runs: int = 5
    pick: Callable[[Sequence[Timed]], float] = contest.median_rate
    threads: int = 1  #: more are compared by the clock, which is told only where one thread had a core for itself


def _sweep(measure: Callable[..., Timed], size: Size) -> tuple[tuple[str, Measure], ...]:
    return tuple((f"B = {batch}", functools.partial(measure, batch=batch)) for batch in size.sweep)


def _threads(name: str, two: Measure, one: Measure) -> Ratio:
    return Ratio(name, "decisions/s", (("two", two), ("one", one)), runs=9, pick=contest.best_rate, threads=2)


def own(size: Size = FULL) -> tuple[Ratio, ...]:
    """The comparisons within this project; the batches of the growth rows depend on the size."""
    two = functools.partial(games.playout_wide, threads=2), functools.partial(games.stepping_wide, threads=2)
    return (
        _threads("two threads v one, playout", two[0], games.playout_wide),
        _threads("two threads v one, batch stepping", two[1], games.stepping_wide),
        Ratio("play alone: time v a loop in C", "cards/s", (("C", play_alone.in_c), ("engine", play_alone.in_engine))),
        Ratio("growth, playout: slowest v fastest B", "decisions/s", _sweep(games.playout_of, size), worst, 3),
        Ratio("growth, stepping: slowest v fastest B", "decisions/s", _sweep(games.stepping_of, size), worst, 3),
        Ratio(
            "session of 20 hands: time v 20 hands", "hands/s",
            (("single hands", games.one_hand), ("in sessions", games.session_hands)),
        ),
    )  # fmt: skip


@dataclass(frozen=True)
class Contest:
    """A comparison with a peer: names of two measurements (``module:function``), ours first."""

    name: str
    unit: str
    package: str  #: as it is installed
    ours: str
    theirs: str
    needs: tuple[str, ...]
    threads: int = 1
    ruleset: str | None = None  #: that ours plays, if it is not the one asked for
    runs: int = 3  #: of each, beside a first one that is not told


def _openspiel(name: str, ours: str, theirs: str, ruleset: str | None = None) -> Contest:
    where = f"peers.openspiel:{theirs}"
    return Contest(f"OpenSpiel tarok, {name}", "decisions/s", "open-spiel", ours, where, ("pyspiel",), 1, ruleset)


def _pettingzoo(game: str, theirs: str) -> tuple[Contest, Contest]:
    needs = ("pettingzoo.classic",)
    return (
        Contest(f"PettingZoo {game}, raw_env()", "steps/s", "pettingzoo", "environments:raw_env",
                f"peers.pettingzoo_classic:{theirs}_raw", needs),
        Contest(f"PettingZoo {game}, env()", "steps/s", "pettingzoo", "environments:env",
                f"peers.pettingzoo_classic:{theirs}", needs),
    )  # fmt: skip


def _others(package: str, unit: str, ours: str, threads: int, *games: tuple[str, str]) -> tuple[Contest, ...]:
    """Contests of one measurement of ours with several of a peer's: (name, ``module:function``)."""
    module = {"sb3-contrib": "sb3_contrib"}.get(package, package)
    return tuple(Contest(name, unit, package, ours, f"peers.{theirs}", (module,), threads) for name, theirs in games)


PEERS: tuple[Contest, ...] = (
    _openspiel("random rollouts in C++ v playout", "games:playout", "rollouts"),
    _openspiel("rollouts v playout, the same game", "games:playout", "rollouts", "slovenian_4p"),
    _openspiel("rollouts v playout, contract three", "games:playout_of_three", "rollouts_of_three", "slovenian_4p"),
    _openspiel("games of C++ bots v playout", "games:playout", "bots"),
    _openspiel("Python loop v one game stepped", "games:single", "python_loop"),
    *_pettingzoo("Leduc hold'em", "leduc"),
    *_pettingzoo("Texas hold'em", "texas"),
    *_pettingzoo("Hanabi", "hanabi"),
    *_others("rlcard", "steps/s", "environments:raw_env", 1,
             ("RLCard bridge v raw_env()", "rlcard:bridge"), ("RLCard Dou dizhu v raw_env()", "rlcard:doudizhu")),
    *_others("pgx", "steps/s", "games:stepping_encoded", 1,
             ("pgx Sparrow mahjong v batch stepping with float32", "pgx:sparrow_mahjong")),
    *_others("pgx", "steps/s", "games:stepping", 1, ("pgx Leduc hold'em v batch stepping", "pgx:leduc")),
    *_others("sb3-contrib", "decisions/s", "seats:ppo_training_two", 2,
             ("SB3 MaskablePPO, our epochs and minibatches", "sb3:as_ours"),
             ("SB3 MaskablePPO, its defaults", "sb3:defaults")),
)  # fmt: skip


def measure_own(ratio: Ratio, engine: Engine, size: Size) -> Report:
    """A comparison of our own."""
    facts: Report = {"name": ratio.name, "unit": ratio.unit}
    try:
        for _, measure in ratio.contestants[:2]:
            measure(engine, size)  # loads what it calls
        tasks = [functools.partial(measure, engine, size) for _, measure in ratio.contestants]
        columns = contest.alternate(tasks, ratio.runs)
    except play_alone.NoComparison as error:
        return {**facts, "missing": str(error)}
    labels = [label for label, _ in ratio.contestants]
    compared = _compared(labels, columns, ratio.of, ratio.pick)
    if ratio.threads > 1 and (share := compared["contestants"][1]["cores"]) < FREE:
        return {**facts, "missing": f"the machine was busy: one thread had {share:.2f} of a core"}
    return {**facts, **compared}


def measure_peer(one: Contest, engine: Engine, size: Size) -> Report:
    """A comparison with a peer; one that is not installed or fails is told as missing."""
    facts: Report = {"name": one.name, "unit": one.unit, "peer": one.package}
    if not has(one.needs):
        return {**facts, "missing": "not installed"}
    facts["version"] = metadata.version(one.package)
    if one.ruleset is not None:
        engine = Engine(load(one.ruleset))
    facts["ruleset"] = engine.ruleset.id
    try:
        columns = contest.compare((one.ours, one.theirs), engine, size, one.threads, one.runs)
    except contest.Failed as error:
        return {**facts, "missing": str(error)}
    return {**facts, **_compared(["ours", "peer"], columns, first_over_second)}


def _compared(
    labels: Sequence[str],
    columns: Sequence[Sequence[Timed]],
    of: Callable[[Sequence[float]], float],
    pick: Callable[[Sequence[Timed]], float] = contest.median_rate,
) -> Report:
    told = [{"label": label, **contest.told(runs, pick)} for label, runs in zip(labels, columns, strict=True)]
    compared = {"contestants": told, "ratio": of([one["value"] for one in told])}
    if all("per_cpu_second" in one for one in told):
        compared["ratio_per_cpu_second"] = of([one["per_cpu_second"] for one in told])
    return compared
