"""Positions for tests: deals with chosen cards, auctions that end in a chosen contract, single tricks, finished hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tarock_env import Engine
from tarock_env.cards import CODES, IDS, C, set_of
from tarock_env.codes import Objective, Phase
from tarock_env.engine import hand as course
from tarock_env.engine import loops
from tarock_env.engine.state import STATE

DEALER = 3  #: so that seat 0 is forehand


def deal(engine: Engine, hands: Mapping[Any, str] | None = None, talon: str = "", dealer: int = DEALER) -> np.ndarray:
    """One hand at its first decision; seats and talon hold at least the given cards, the rest is dealt in a fixed order."""
    players = engine.ruleset.players
    held = {int(seat): cards.split() for seat, cards in (hands or {}).items()}
    table = talon.split()
    used = {card for cards in [*held.values(), table] for card in cards}
    rest = [CODES[card] for card in np.random.default_rng(5).permutation(C) if CODES[card] not in used]
    full: list[list[str]] = [[] for _ in range(engine.P)]
    for place in range(players):
        seat = (dealer + 1 + place) % engine.P
        full[seat] = held.get(seat, [])
        need = 48 // players - len(full[seat])
        full[seat], rest = full[seat] + rest[:need], rest[need:]
    return engine.from_deal(full, table + rest, dealer)


def act(engine: Engine, state: np.ndarray, *names: str) -> np.ndarray:
    """Carry out named actions in a single hand; the same state."""
    for name in names:
        engine.step(state, [engine.actions.index(name)])
    return state


def bid_to(engine: Engine, state: np.ndarray, contract: str, declarer: int = 0) -> np.ndarray:
    """A plain Königrufen auction, forehand being seat 0: everybody passes but the one who bids."""
    bid = f"bid:{contract}"
    if int(state["actor"][0]) != declarer and "wait" in engine.legal_names(state):
        act(engine, state, "wait")
    while state["phase"][0] == Phase.AUCTION:
        legal = engine.legal_names(state)
        if int(state["actor"][0]) != declarer:
            act(engine, state, "pass")
        else:
            act(engine, state, bid if bid in legal else "wait" if "wait" in legal else "pass")
    if state["phase"][0] == Phase.CHOICE:
        act(engine, state, bid)
    assert engine.ruleset.contracts[int(state["contract"][0])].id == contract
    return state


def on_to(engine: Engine, state: np.ndarray, phase: Phase, called: str = "SK") -> np.ndarray:
    """Call the given king, take the first group, discard the first legal cards, say nothing: on to a later phase."""
    while state["phase"][0] != phase and not state["done"][0]:
        legal = engine.legal_names(state)
        wanted = [name for name in (f"call:{called}", "end") if name in legal]
        act(engine, state, wanted[0] if wanted else legal[0])
    return state


def trick(engine: Engine, contract: str, cards: Sequence[str], hand: Iterable[str] = ()) -> np.ndarray:
    """The first trick of a contract, led by seat 0 who plays alone: every player before the last holds his card only.

    The cards are played through `Engine.step`; then the next seat is to play, from `hand`.
    """
    state = np.zeros(1, STATE)
    loops.clear_all(state, engine.rules)
    row = next(k for k, c in enumerate(engine.ruleset.contracts) if c.id == contract)
    g: Any = state[0]
    g.dealer, g.contract, g.phase = DEALER, row, Phase.PLAY
    g.declarer = -1 if engine.ruleset.contracts[row].objective == Objective.FEWEST else 0
    g.actor = g.leaders[0] = 0
    for seat, card in enumerate(cards):
        g.hands[seat] = set_of([card])
    if len(cards) < 4:
        g.hands[len(cards)] = set_of(list(hand))
    refresh(engine, state)
    return act(engine, state, *cards)


def refresh(engine: Engine, state: np.ndarray) -> None:
    """Find the legal actions of a state whose fields were set by hand."""
    course.find_legal(state[0], engine.rules[0])


def finished(engine: Engine, row: Mapping[str, Any]) -> np.ndarray:
    """A hand played to its end as a scoring row describes it: `tricks` are lines ``leader: cards > winner``."""
    state = np.zeros(1, STATE)
    loops.clear_all(state, engine.rules)
    g: Any = state[0]
    contracts = [c.id for c in engine.ruleset.contracts]
    bonuses = {b.id: b_ for b_, b in enumerate(engine.ruleset.bonuses, start=1)}
    g.dealer, g.contract, g.phase = DEALER, contracts.index(row["contract"]), Phase.PLAY
    g.declarer = -1 if row["declarer"] is None else row["declarer"]
    g.partner = -1 if row["partner"] is None else row["partner"]
    g.called = "SCHD".index(row["called"][0]) if row["called"] else -1
    g.talon[:] = [IDS[card] for card in row["talon"].split()]
    g.taken, g.discards = set_of(row["taken"].split()), set_of(row["discards"].split())
    g.contra[0, 0] = row["game_contra"]
    for name, level in row["announced"].items():
        bonus, side = name.split("@")
        g.announced[("declarer", "defence").index(side), bonuses[bonus]] = 1
        g.contra[("declarer", "defence").index(side), bonuses[bonus]] = level
    g.contracted = bonuses[row["contracted"]] if row["contracted"] else -1
    _lay_tricks(engine, g, row["tricks"])
    return state


def _lay_tricks(engine: Engine, g: Any, lines: Sequence[str]) -> None:
    gifts = engine.rules[0].rest[g.contract] == 2  # Talon.FIRST_TRICKS
    for number, line in enumerate(lines):
        leader, played, winner = (part.strip() for part in line.replace(">", ":").split(":"))
        g.leaders[number], g.leaders[number + 1] = int(leader), int(winner)
        cards = [IDS[card] for card in played.split()]
        g.plays[g.n_plays : g.n_plays + len(cards)] = cards
        g.n_plays += len(cards)
        for place, card in enumerate(cards):
            g.played[(int(leader) + place) % len(cards)] |= np.uint64(1 << card)
        g.trick_no += 1
        g.tricks[int(winner)] += 1
        gift = [int(g.talon[number])] if gifts and number < 6 else []
        g.won[int(winner)] |= np.uint64(set_of(cards + gift))
