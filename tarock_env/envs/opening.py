"""The start of an environment's hand: dealt by key, or as ``reset(options=…)`` asks for it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from tarock_env.codes import NONE, Objective
from tarock_env.engine.batch import Engine
from tarock_env.engine.chance import POLICY, make_keys
from tarock_env.engine.errors import BadPosition
from tarock_env.engine.session import SINGLE
from tarock_env.rulesets.numbers import is_whole
from tarock_env.rulesets.shown import short

OPTIONS = ("deal", "dealer", "contract", "declarer", "before")
_TRIES, _BATCH = 16, 256


class Start(NamedTuple):
    """A hand at its first decision, and the actions that are to be played at once."""

    state: np.ndarray  #: (1,) STATE
    actions: list[int]


def start_hand(engine: Engine, key: int, options: Mapping[str, Any] | None, length: int = SINGLE) -> Start:
    """Set up the first hand of a game.

    Args:
        key: the hand's random key.
        options: any of

            - ``deal``: ``{"hands": P lists of cards, "talon": six cards}``, optionally ``"packets"`` and ``"dealer"``;
            - ``dealer``: table seat; default: drawn from the key (seat 0 beside a ``deal`` without one);
            - ``before``: session state ``{"scores": …, "rings": …, "compulsory": …}``;
            - ``contract``: id of a contract; a random legal auction that ends in it is played at once, and where a contract
              is only reached by a raise also the exchange before it;
            - ``declarer``: table seat that is to get the contract; default: drawn from the key.
        length: ``hands_left`` of the game, see `envs.spaces.game_length`.

    Raises:
        BadPosition: impossible cards, seats or session state, or a contract that this hand cannot come to.
    """
    if options is not None and not isinstance(options, Mapping):
        raise BadPosition(f"reset options are {short(options)}; allowed: an object with any of {', '.join(OPTIONS)}")
    options = dict(options or {})
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        warnings.warn(f"reset options {unknown} are not known; known are: {', '.join(OPTIONS)}", stacklevel=3)
    state = _deal(engine, key, options)
    state["hands_left"] = length
    if options.get("contract") is None:
        if options.get("declarer") is not None:
            raise BadPosition("reset option 'declarer' is given without 'contract'")
        return Start(state, [])
    return Start(state, _auction_to(engine, state, options["contract"], options.get("declarer")))


def _deal(engine: Engine, key: int, options: Mapping[str, Any]) -> np.ndarray:
    given, dealer, before = options.get("deal"), options.get("dealer"), options.get("before")
    if given is None:
        return engine.reset(keys=np.array([key], np.uint64), dealer=dealer, before=before)
    if not isinstance(given, Mapping) or not {"hands", "talon"} <= set(given):
        raise BadPosition(f"reset option 'deal' is {short(given)}; allowed: an object with 'hands' and 'talon'")
    dealer = given.get("dealer", 0) if dealer is None else dealer
    return engine.from_deal(given["hands"], given["talon"], dealer, before, packets=given.get("packets"), key=key)


def _auction_to(engine: Engine, state: np.ndarray, contract: str, declarer: int | None) -> list[int]:
    """The first actions of a random hand that comes to the contract."""
    ids = [row.id for row in engine.ruleset.contracts]
    if not isinstance(contract, str) or contract not in ids:
        raise BadPosition(f"reset option 'contract' is {short(contract)}; allowed: {', '.join(ids)}")
    k = ids.index(contract)
    _check_declarer(engine, state, k, declarer)
    for attempt in range(_TRIES):
        trials = engine.take(state, [0] * _BATCH)
        log = engine.new_log(_BATCH)
        keys = make_keys(_BATCH, int(state["key"][0]), POLICY, first=attempt * _BATCH)
        engine.playout(trials, "balanced", keys, log)
        found = trials["contract"] == k
        if declarer is not None:
            found &= trials["declarer"] == declarer
        if found.any():
            row = int(found.argmax())
            return _up_to_contract(engine, state, log[row, : int(trials["n_actions"][row])].tolist(), k)
    by = "" if declarer is None else f" with declarer {declarer}"
    raise BadPosition(f"reset option 'contract' is {short(contract)}{by}; no auction of this hand was found that ends in it")


def _check_declarer(engine: Engine, state: np.ndarray, k: int, declarer: object) -> None:
    if declarer is None:
        return
    row = engine.ruleset.contracts[k]
    if row.objective == Objective.FEWEST:
        raise BadPosition(f"reset option 'declarer' is {short(declarer)}; contract {row.id!r} has no declarer")
    sits_out = int(state["dealer"][0]) if engine.ruleset.players < engine.P else NONE
    seats = [seat for seat in range(engine.P) if seat != sits_out]
    if not is_whole(declarer) or declarer not in seats:
        raise BadPosition(f"reset option 'declarer' is {short(declarer)}; allowed: seats {seats}")


def _up_to_contract(engine: Engine, state: np.ndarray, actions: list[int], k: int) -> list[int]:
    """The actions up to the one that fixes the contract."""
    trial = engine.copy(state)
    for i, action in enumerate(actions):
        if trial["contract"][0] == k:
            return actions[:i]
        engine.step(trial, action)
    return actions
