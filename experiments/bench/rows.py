"""The rows of the benchmark: a name, a unit, and what measures it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from experiments.bench import contest, environments, games, parts, processes, seats
from experiments.bench.clock import Measure, Size, has
from tarock_env.engine.batch import Engine

RUNS = 5


@dataclass(frozen=True)
class Row:
    """A rate: what is measured, in what unit, and how."""

    name: str
    unit: str
    measure: Measure
    runs: int = RUNS
    needs: tuple[str, ...] = ()  #: modules without which the row is left out
    slow: bool = False  #: left out by ``--quick``


@dataclass(frozen=True)
class Figure:
    """A figure that is no rate."""

    name: str
    unit: str
    measure: Callable[[Engine, Size], float]
    runs: int = 1
    needs: tuple[str, ...] = ()
    slow: bool = False


_VIEW, _ENCODING, _AGENTS, _ENVS = ("tarock_env.view",), ("tarock_env.encoding",), ("agents.match",), ("tarock_env.envs",)
_HEURISTIC, _PPO = ("agents.match", "agents.heuristic"), ("torch", "agents.ppo")

_STREAM = (
    [Figure("growth of a simulating process from 1 M to 10 M hands", "MiB", processes.stream_growth, slow=True)]
    if processes.MEMORY.exists()
    else []
)

ROWS: tuple[Row | Figure, ...] = (
    Row("playout in the kernel, random policy, B = 4096", "decisions/s", games.playout),
    Row("playout in the kernel, uniform policy, B = 4096", "decisions/s", games.playout_uniform),
    Row("playout in the kernel, hands", "hands/s", games.playout_hands),
    Row("batch stepping, legal + sample + step, B = 4096", "decisions/s", games.stepping),
    Row("the same and float32 observations", "decisions/s", games.stepping_encoded, needs=_ENCODING),
    Row("the same and packed observations", "decisions/s", games.stepping_packed, needs=_ENCODING),
    Row("one game, step + mask, B = 1", "decisions/s", games.single),
    Row("views, observe, B = 4096", "views/s", seats.views, needs=_VIEW),
    Row("encoding, views to float32, B = 4096", "views/s", seats.encoding, needs=_ENCODING),
    Row("encoding, states to packed bits, B = 4096", "views/s", seats.packing, needs=_ENCODING),
    Row("agents in all seats, random, B = 4096", "decisions/s", seats.random_match, needs=_AGENTS),
    Row("agents in all seats, heuristic, B = 4096", "decisions/s", seats.heuristic_match, needs=_HEURISTIC),
    Row("PettingZoo, raw_env()", "steps/s", environments.raw_env, needs=_ENVS),
    Row("PettingZoo, env()", "steps/s", environments.env, needs=_ENVS),
    Row("Gymnasium, one seat against random", "steps/s", environments.single_seat, needs=_ENVS),
    Row(
        "Gymnasium, one seat against heuristics", "steps/s", environments.single_seat_heuristic, needs=(*_ENVS, *_HEURISTIC)
    ),
    Row("Gymnasium, vector of B = 1024 against random", "steps/s", environments.vector, needs=_ENVS),
    Row("PPO self-play, 256 x 2, one thread", "decisions/s", seats.ppo_training, 3, _PPO),
    Row("PPO self-play, 256 x 2, two threads", "decisions/s", seats.ppo_training_two, 3, _PPO),
    Row("records written", "hands/s", seats.writing),
    Row("records verified", "hands/s", seats.verifying),
    Row("part of hands: dealing", "hands/s", parts.dealing),
    Row("part of playout: cards, without settlement", "cards/s", parts.cards),
    Row("part of stepping: legal, B = 4096", "rows/s", parts.legal),
    Row("part of stepping: keys, B = 4096", "rows/s", parts.keys),
    Row("part of stepping: sample, B = 4096", "rows/s", parts.sample),
    Row("part of stepping: step, B = 4096", "rows/s", parts.step),
    Row("part of encoding: packed bits to float32, B = 4096", "rows/s", parts.unpacking),
    Row("part of B = 1: a call of a kernel", "calls/s", parts.empty_call),
    Figure("memory of one game", "bytes", processes.memory),
    Figure("its action log", "bytes", processes.log_memory),
    *_STREAM,
    Figure("import tarock_env, kernels compiled", "CPU s", processes.import_time, 3),
    Figure("compile, first playout of a fresh clone", "CPU s", processes.first_playout, slow=True),
    Figure("compile, everything (tarock warm)", "CPU s", processes.everything, slow=True),
)


def measured(row: Row | Figure, engine: Engine, size: Size) -> dict[str, Any]:
    """A row for the report: name, unit, median, runs; of rates also threads and cores at work."""
    facts = {"name": row.name, "unit": row.unit}
    if isinstance(row, Figure):
        values = sorted(row.measure(engine, size) for _ in range(row.runs))
        return {**facts, "value": values[len(values) // 2], "runs": values}
    row.measure(engine, size)  # loads or compiles what it calls
    return {**facts, **contest.told([row.measure(engine, size) for _ in range(row.runs)])}


def chosen(*, quick: bool) -> Iterator[Row | Figure]:
    """The rows whose parts are there."""
    return (row for row in ROWS if has(row.needs) and not (quick and row.slow))
