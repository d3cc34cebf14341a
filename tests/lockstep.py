"""Engine and referee side by side: the same hand, compared at every decision and at its end."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tarock_env import Engine
from tarock_env.cards import CODES, C, codes_in
from tarock_env.codes import NONE, Compulsory, Knock
from tarock_env.engine import counting
from tarock_env.rulesets.actions import SIDE_NAMES
from tests.reference.replay import REFEREES, compare_items
from tests.styles import Styles, change_actions

REASONS = {Compulsory.NO: None, Compulsory.NO_TRUMPS: "no_trumps", Compulsory.SCORE: "score"}
RESULT_KEYS = ("contract", "declarer", "partner", "card_points", "scores", "after")


@dataclass
class Trace:
    """B hands played by the engine: where they began, every decision, where they ended.

    Arrays per decision have shape (T, B); a hand's first `lengths[i]` rows count. Legal sets are uint64: cards, and
    other actions as bits of ``action index - 54``.
    """

    engine: Engine
    start: np.ndarray
    end: np.ndarray
    actions: np.ndarray
    actors: np.ndarray
    cards: np.ndarray
    calls: np.ndarray
    lengths: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.lengths = self.end["n_actions"].astype(int)


# ------------------------------------------------------------------ the engine's side


def play(engine: Engine, state: np.ndarray, policy: str, styles: Styles, rng: np.random.Generator) -> Trace:
    """Play all hands with a compiled policy, changed by each hand's style, and note everything."""
    start, keys, log = engine.copy(state), engine.hand_keys(state), engine.new_log(len(state))
    rows = np.arange(len(state))
    steps: list[tuple[np.ndarray, ...]] = []
    while not state["done"].all():
        ahead = engine.copy(state)
        engine.playout(ahead, policy, keys, log=log, limit=1)
        actions = log[rows, state["n_actions"]].astype(np.int64)
        change_actions(engine, state, styles, actions, rng)
        steps.append((actions, state["actor"].copy(), state["legal_cards"].copy(), state["legal_calls"].copy()))
        engine.step(state, actions)
    return Trace(engine, start, state, *(np.array(column) for column in zip(*steps, strict=True)))


def engine_result(engine: Engine, g: Any) -> dict[str, Any]:
    """What a game record says about a finished hand, from the engine's state."""
    ruleset, seats = engine.ruleset, engine.P
    named = int(g["contract"]) != NONE
    return {
        "contract": ruleset.contracts[int(g["contract"])].id if named else None,
        "declarer": _seat_or_none(g["declarer"]),
        "partner": _seat_or_none(g["partner"]),
        "card_points": _card_points(engine, g) if named and counting.counts_points(g, engine.rules[0]) else None,
        "items": [_item(engine, g, i) for i in range(int(g["n_items"]))],
        "scores": g["scores"][:seats].tolist(),
        "after": session_state(engine, g),
    }


def session_state(engine: Engine, g: Any) -> dict[str, Any]:
    """Totals, rings and the reason for a compulsory hand: `before` at a hand's start, `after` at its end."""
    return {
        "scores": g["totals"][: engine.P].tolist(),
        "rings": g["rings"][: engine.P].tolist(),
        "compulsory": REASONS[Compulsory(int(g["compulsory"]))],
    }


def _seat_or_none(seat: Any) -> int | None:
    return None if int(seat) == NONE else int(seat)


def _card_points(engine: Engine, g: Any) -> list[int]:
    return [(int(counting.pile_thirds(g, engine.rules[0], seat)) + 1) // 3 for seat in range(engine.P)]


def _item(engine: Engine, g: Any, i: int) -> dict[str, Any]:
    kind, side = int(g["item_kind"][i]), int(g["item_side"][i])
    return {
        "item": "game" if kind == 0 else engine.ruleset.bonuses[kind - 1].id,
        "side": SIDE_NAMES[side] if side < 2 else side - 2,
        "announced": bool(g["item_announced"][i]),
        "contra": int(g["item_contra"][i]),
        "value": int(g["item_value"][i]),
    }


# ------------------------------------------------------------------ the referee's side


def describe_deal(engine: Engine, g: Any) -> dict[str, Any]:
    """The deal as the referee's arguments, all of them in one table; `knock_deal` where the choice is open."""
    deal: dict[str, Any] = {
        "dealer": int(g["dealer"]),
        "hands": [codes_in(int(g["hands"][seat])) for seat in range(engine.P)],
        "talon": [CODES[int(card)] for card in g["talon"]],
        "before": session_state(engine, g),
    }
    knock = engine.ruleset.deal.knock
    if knock != Knock.NEVER:
        packets = {
            "talon": [CODES[int(card)] for card in g["knock_talon"]],
            "packets": [codes_in(int(packet)) for packet in g["packets"]],
        }
        if knock == Knock.AGENT:
            deal["knock_deal"] = packets
        elif int(g["knocked"]):
            deal |= packets
    return deal


def make_referee(engine: Engine, deal: Mapping[str, Any]) -> Any:
    """The referee of this engine's ruleset and options."""
    module = importlib.import_module(REFEREES[engine.ruleset.id])
    return module.Referee(engine.ruleset.id, engine.options, **deal)


def differences(trace: Trace, i: int) -> list[str]:
    """All differences between engine and referee in hand i; empty where they agree. Stops at the first wrong decision."""
    engine = trace.engine
    deal = describe_deal(engine, trace.start[i])
    referee = make_referee(engine, deal)
    index = {name: bit for bit, name in enumerate(engine.actions.names)}
    for t in range(trace.lengths[i]):
        if referee.done:
            return [f"decision {t}: the referee's hand is over"]
        if referee.actor != int(trace.actors[t, i]):
            return [f"decision {t}: engine seat {int(trace.actors[t, i])}, referee {referee.actor}"]
        names = referee.legal()
        legal = int(trace.cards[t, i]) | int(trace.calls[t, i]) << C
        bits = sum(1 << index[name] if name in index else 1 << 200 for name in names)
        if bits != legal:
            ours = {engine.actions.name(bit) for bit in range(engine.A) if legal >> bit & 1}
            return [
                f"decision {t}, seat {referee.actor}: legal only for the engine {sorted(ours - set(names))}, "
                f"only for the referee {sorted(set(names) - ours)}"
            ]
        referee.apply(engine.actions.names[int(trace.actions[t, i])])
    if not referee.done:
        return [f"the engine's hand is over; the referee's seat {referee.actor} may {sorted(referee.legal())}"]
    return _result_differences(trace, i, referee.result())


def _result_differences(trace: Trace, i: int, theirs: dict[str, Any]) -> list[str]:
    g = trace.end[i]
    ours = engine_result(trace.engine, g)
    found = [f"{key}: engine {ours[key]!r}, referee {theirs[key]!r}" for key in RESULT_KEYS if ours[key] != theirs[key]]
    found += [text.replace("record", "engine") for text in compare_items(ours["items"], theirs["items"])]
    if np.any(trace.cards[trace.lengths[i] :, i]) or np.any(trace.calls[trace.lengths[i] :, i]):
        found.append("the engine has legal actions after the end")
    return found


def to_record(trace: Trace, i: int) -> dict[str, Any]:
    """Hand i as the engine played it, in the format of `record-format.md`, legal sets included."""
    engine, n = trace.engine, trace.lengths[i]
    names = engine.actions.names
    deal = describe_deal(engine, trace.start[i])
    record = {"format": "tarock-record/1", "ruleset": engine.ruleset.id, "options": engine.options, **deal}
    legal = [int(trace.cards[t, i]) | int(trace.calls[t, i]) << C for t in range(n)]
    record |= {
        "actions": [names[int(trace.actions[t, i])] for t in range(n)],
        "seats": [int(seat) for seat in trace.actors[:n, i]],
        "legal": [[names[bit] for bit in range(engine.A) if bits >> bit & 1] for bits in legal],
        **engine_result(engine, trace.end[i]),
    }
    result: dict[str, Any] = json.loads(json.dumps(record))
    return result
