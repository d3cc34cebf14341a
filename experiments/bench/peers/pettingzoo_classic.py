"""PettingZoo's own card games, raw and wrapped, driven as ours are (`experiments.bench.environments.turns`)."""

from __future__ import annotations

import importlib
from typing import Any

from experiments.bench.clock import Size, Timed
from experiments.bench.environments import turns


def leduc_raw(engine: Any, size: Size) -> Timed:
    """Steps of Leduc hold'em."""
    return turns(_game("leduc_holdem_v4").raw_env(), size)


def leduc(engine: Any, size: Size) -> Timed:
    """Steps of Leduc hold'em with its wrappers."""
    return turns(_game("leduc_holdem_v4").env(), size)


def texas_raw(engine: Any, size: Size) -> Timed:
    """Steps of limit Texas hold'em."""
    return turns(_game("texas_holdem_v4").raw_env(), size)


def texas(engine: Any, size: Size) -> Timed:
    """Steps of limit Texas hold'em with its wrappers."""
    return turns(_game("texas_holdem_v4").env(), size)


def hanabi_raw(engine: Any, size: Size) -> Timed:
    """Steps of Hanabi for two."""
    return turns(_game("hanabi_v5").raw_env(), size)


def hanabi(engine: Any, size: Size) -> Timed:
    """Steps of Hanabi for two with its wrappers."""
    return turns(_game("hanabi_v5").env(), size)


def _game(name: str) -> Any:
    return importlib.import_module(f"pettingzoo.classic.{name}")
