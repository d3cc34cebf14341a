"""Every setting of a training run, with its default and what it does."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from agents.ppo.network import BF16, FP32
from tarock_env.record.strict import is_nested, loads
from tarock_env.rulesets.shown import short

AUTO, NONE, HEURISTIC = "auto", "none", "heuristic"


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """Settings of one run. `minutes` or `decisions` is the budget that the learning rate is annealed over.

    A run with a budget of decisions is the same bit for bit whenever it is stopped and resumed; one with a budget of
    minutes depends on how fast the machine is.
    """

    # --- the game
    ruleset: str = "koenigrufen_pagat"
    options: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    # --- budget; exactly one of the two is above 0
    minutes: float = 0.0
    decisions: int = 0  #: decisions learned from, those with a choice
    # --- networks
    width: int = 256
    depth: int = 2  #: hidden layers
    precision: str = AUTO  #: of hidden products: fp32, bf16, or auto: bf16 where the machine has it
    # --- rollouts
    hands: int = 1024  #: hands an iteration
    shards: int = 2  #: parts that hands and minibatches are cut into, one a thread; part of the result's identity
    reward_clip: float = 5.0  #: training rewards are cut off at so many reward scales
    # --- update
    epochs: int = 1
    minibatch: int = 1024
    lr: float = 5e-4
    lr_end: float = 2.5e-5
    clip: float = 0.2
    lam: float = 0.95
    entropy: float = 0.005  #: weight of the entropy, which is divided by its maximum log(number of legal actions)
    entropy_calls: float = 0.2  #: the same for all decisions but discards and play: rare ones that must not die out
    entropy_end: float = 0.1  #: part of the two that is left at the end, approached linearly
    grad_norm: float = 0.5
    # --- opponents
    pool_share: float = 0.15  #: part of the tables with past selves (or the heuristic) in some seats
    pool_size: int = 8
    pool_every: int = 50  #: iterations between two snapshots
    pool_heuristic: bool = False  #: whether the heuristic is in the pool, too
    # --- warm start
    warm_start: str = NONE  #: none, or heuristic: clone its decisions first
    clone_hands: int = 60_000  #: each is learned from once
    critic_iterations: int = 10  #: after cloning, iterations in which only the critic learns
    # --- logs
    log_every: int = 10  #: iterations a row
    evaluations: int = 10  #: evaluations in a run, at equal distances
    evaluation_deals: int = 250

    def __post_init__(self) -> None:
        check(dict(vars(self)))
        if (self.minutes > 0) == (self.decisions > 0):
            raise ValueError(
                f"train config: minutes is {self.minutes!r}, decisions is {self.decisions!r}; allowed: exactly one above 0"
            )

    def as_dict(self) -> dict[str, Any]:
        """All settings, ready for JSON."""
        return asdict(self)


def _check_values(values: dict[str, Any], where: str) -> None:
    for name, low, high in _RANGES:
        if name in values and not low <= values[name] <= high:
            raise ValueError(f"{where}: {name} is {short(values[name])}; allowed: {low} … {high}")
    for name, allowed in (("precision", (AUTO, FP32, BF16)), ("warm_start", (NONE, HEURISTIC))):
        if name in values and values[name] not in allowed:
            raise ValueError(f"{where}: {name} is {short(values[name])}; allowed: {', '.join(allowed)}")


_RANGES: tuple[tuple[str, float, float], ...] = (
    ("seed", 0, 2**63 - 1), ("minutes", 0, 1e6), ("decisions", 0, 1e15), ("width", 1, 8192), ("depth", 1, 16),
    ("hands", 1, 1 << 20), ("shards", 1, 256), ("reward_clip", 1e-6, 1e9), ("epochs", 1, 100), ("minibatch", 1, 1 << 24),
    ("lr", 0, 1), ("lr_end", 0, 1), ("clip", 1e-6, 10), ("lam", 0, 1), ("entropy", 0, 10), ("entropy_calls", 0, 10),
    ("entropy_end", 0, 1),
    ("grad_norm", 1e-6, 1e9), ("pool_share", 0, 1), ("pool_size", 1, 1000), ("pool_every", 1, 1 << 30),
    ("clone_hands", 1, 1 << 30), ("critic_iterations", 0, 1 << 30), ("log_every", 1, 1 << 30),
    ("evaluations", 0, 10_000), ("evaluation_deals", 2, 1 << 24),
)  # fmt: skip


def check(values: dict[str, Any], where: str = "train config") -> None:
    """Refuse settings that are not allowed, each looked at on its own.

    Raises:
        ValueError: an unknown name, a value of the wrong type or out of range, with what is allowed.
    """
    if not isinstance(values, dict) or is_nested(values):
        raise ValueError(f"{where}: {short(values)}; allowed: an object of settings, not nested deep")
    known = {f.name: f for f in fields(TrainConfig)}
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"{where}: no setting {short(name)}; allowed: {', '.join(known)}")
        kind = {"int": int, "float": (int, float), "str": str, "bool": bool}.get(str(known[name].type), dict)
        if not isinstance(value, kind) or (isinstance(value, bool) and known[name].type != "bool"):  # type: ignore[arg-type]
            raise ValueError(f"{where}: {name} is {short(value)}; allowed: a value of type {known[name].type}")
    _check_values(values, where)


def from_dict(values: dict[str, Any], where: str = "train config") -> TrainConfig:
    """Settings from a dictionary, by name.

    Raises:
        ValueError: as `check`, or settings that do not go together.
    """
    check(values, where)
    return TrainConfig(**values)


def read(path: str | Path) -> dict[str, Any]:
    """The settings in a JSON file, unchecked.

    Raises:
        ValueError: the file cannot be read or holds no JSON object.
    """
    try:
        values = loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"config file {str(path)!r}: {error}") from None
    if not isinstance(values, dict):
        raise ValueError(f"config file {str(path)!r}: allowed: a JSON object of settings")
    return values
