"""Hidden information: two games that differ only in what a seat cannot see look the same to it, to the byte.

Two forms. First, two hidden cards change places in a state, with everything that follows from where cards lie (the true
partner, the acting seat's legal actions); the view, every field of it, and the observation must stay as they were. Second,
the hand is dealt anew with the two cards exchanged and the same public actions are played again through the environment;
then observation, mask and info must be the same. And what a seat may see, when it changes, must show.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import tarock_env
from tarock_env import tarock_v0
from tarock_env.cards import C, ids_in
from tarock_env.codes import NONE, Binding, Exposed, Phase
from tarock_env.encoding import encode, encode_packed, layout
from tarock_env.engine import hand
from tarock_env.engine.batch import Engine
from tarock_env.engine.chance import CHANCE, make_keys
from tarock_env.engine.seats import side_of
from tarock_env.view import VIEW, observe, unseen
from tests.envs.playing import RULESETS

POSITIONS = 400
SETTINGS = [(ruleset, {}) for ruleset in RULESETS] + [
    ("koenigrufen_pagat", {"knock": "agent"}),
    ("koenigrufen_pagat", {"knock": "random"}),
]


def positions(engine: Engine, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Balanced hands stopped after a random number of decisions, spread over all phases, and their logs."""
    rng = np.random.default_rng(seed)
    state = engine.reset(keys=make_keys(4 * n, seed, CHANCE))
    whole, log = engine.copy(state), engine.new_log(4 * n)
    engine.playout(whole, "balanced", log=log)
    stops = (rng.random(4 * n) ** 1.5 * whole["n_actions"]).astype(int)
    rows = []
    for row in range(4 * n):
        one = engine.take(state, [row])
        for action in log[row, : stops[row]]:
            engine.step(one, int(action))
        rows.append(one)
    reached = np.concatenate(rows)
    quota = Counter[int]()
    chosen = []
    for row in np.argsort(reached["phase"], kind="stable")[np.argsort(rng.random(4 * n))].tolist():
        phase = int(reached["phase"][row])
        if quota[phase] < n // 4 and phase != Phase.DONE:
            quota[phase] += 1
            chosen.append(row)
    rows_ = np.array(sorted(chosen[:n]))
    return engine.take(reached, rows_), log[rows_]


def hidden_cards(engine: Engine, one: np.ndarray, seat: int) -> list[int]:
    """The cards that the seat has not placed, without those that lay face up before somebody who announced them."""
    known, r = 0, engine.rules[0]
    for b in range(1, len(engine.ruleset.bonuses) + 1) if r["binding"] == Binding.HELD else ():
        if one["announced"][0, :, b].any() and r["bonus_card"][b] != NONE:
            known |= 1 << int(r["bonus_card"][b])
    return ids_in(int(unseen(observe(engine, one, seat)[0])) & ~known)


def exchange(engine: Engine, one: np.ndarray, a: int, b: int) -> np.ndarray:
    """The state with two cards in each other's places, and what follows from that."""
    other = engine.copy(one)
    g = other[0]
    both = (1 << a) | (1 << b)
    for field in ("hands", "packets", "won"):
        for i, cards in enumerate(g[field].tolist()):
            if (cards & both) not in (0, both):
                g[field][i] = cards ^ both
    for field in ("discards", "taken"):
        cards = int(g[field])
        if (cards & both) not in (0, both):
            g[field] = cards ^ both
    for field in ("talon", "knock_talon"):
        g[field][:] = [b if card == a else a if card == b else card for card in g[field].tolist()]
    if g["called"] != NONE:
        king = 8 * int(g["called"]) + 7
        holders = [s for s in range(engine.P) if s != g["declarer"] and int(g["hands"][s]) >> king & 1]
        if king in (a, b):
            g["partner"] = holders[0] if holders else NONE
    if not g["done"]:
        hand.find_legal(g, engine.rules[0])
    return other


def is_consistent(one: np.ndarray, other: np.ndarray, engine: Engine) -> bool:
    """Whether the exchange keeps what is public: sides that are known, and cards that somebody announced to hold."""
    g, h = one[0], other[0]
    if g["called"] != NONE and g["by_fourth"]:
        kings = sum(1 << (8 * suit + 7) for suit in range(4))
        if (int(g["hands"][g["declarer"]]) ^ int(h["hands"][g["declarer"]])) & kings:
            return False  # another king would have been the fourth
    if g["declarer"] == NONE:
        return True
    return all(side_of(g, s) == side_of(h, s) for s in range(engine.P) if g["side_known"][s])


def exchanges(engine: Engine, one: np.ndarray, seat: int, rng: np.random.Generator, tries: int = 6) -> list[np.ndarray]:
    """Some states that the seat cannot tell from this one; every other try moves a hidden called king."""
    cards = hidden_cards(engine, one, seat)
    king = 8 * int(one["called"][0]) + 7
    found = []
    for i in range(tries if len(cards) > 1 else 0):
        a, b = (int(card) for card in rng.choice(cards, 2, replace=False))
        a = king if i % 2 and king in cards and b != king else a
        other = exchange(engine, one, a, b)
        if other.tobytes() != one.tobytes() and is_consistent(one, other, engine):
            found.append(other)
    return found


def differing_fields(first: np.ndarray, second: np.ndarray) -> list[str]:
    return [name for name in VIEW.names if not np.array_equal(first[name], second[name])]


@pytest.mark.parametrize("ruleset, options", SETTINGS)
def test_hidden_cards_change_no_field_of_any_view(ruleset, options):
    """Field notes 10: all phases, all seats, the acting seat's legal sets recomputed."""
    engine = tarock_env.make(ruleset, **options)
    rng = np.random.default_rng(1)
    states, _ = positions(engine, POSITIONS, 6)
    compared, partners, phases, contracts = 0, 0, Counter[str](), set()
    for row in range(len(states)):
        one = engine.take(states, [row])
        for seat in range(engine.P):
            view = observe(engine, one, seat)
            for other in exchanges(engine, one, seat, rng, 4):
                seen = observe(engine, other, seat)
                phase = Phase(int(one["phase"][0])).name
                assert differing_fields(view, seen) == [], (phase, seat, engine.legal_names(one))
                assert encode(engine, view).tobytes() == encode(engine, seen).tobytes()
                if seat == one["actor"][0]:
                    assert encode_packed(engine, one)[0].tobytes() == encode_packed(engine, other)[0].tobytes()
                    assert engine.legal(one).tobytes() == engine.legal(other).tobytes()
                compared += 1
                partners += bool(one["partner"][0] != other["partner"][0])
                phases[phase] += 1
                contracts.add(int(one["contract"][0]))
    assert len(states) >= 300
    assert compared >= 1000
    assert partners >= 20 or not any(row.calls_king for row in engine.ruleset.contracts)
    reachable = {"AUCTION", "PLAY"} | ({"PACKET"} if options else set())
    reachable |= {"CALL_KING"} if any(row.calls_king for row in engine.ruleset.contracts) else set()
    reachable |= {"DISCARD"} if any(row.takes for row in engine.ruleset.contracts) else set()
    assert reachable <= set(phases)
    played = {k for k, row in enumerate(engine.ruleset.contracts) if row.doors and row.modes & 1}
    assert len(contracts & played) >= 0.7 * len(played)


class Replay:
    """The position of an environment after a log, with cards exchanged in the deal."""

    def __init__(self, env: Any, one: np.ndarray, log: np.ndarray) -> None:
        self.env, self.engine = env, env.engine
        self.key = int(one["key"][0])
        self.first = self.engine.reset(keys=np.array([self.key], np.uint64))
        self.actions = log[: int(one["n_actions"][0])].tolist()

    def reach(self, swap: dict[int, int]) -> bool:
        """Deal with the cards exchanged and play the same actions, hidden discards exchanged; False if one is illegal."""
        g = self.first[0]
        hands = [[swap.get(card, card) for card in ids_in(int(held))] for held in g["hands"][: self.engine.P]]
        talon = [swap.get(card, card) for card in g["talon"].tolist()]
        deal = {"hands": hands, "talon": talon}
        self.env.reset(seed=0, options={"deal": deal, "dealer": int(g["dealer"])})
        for action in self.actions:
            discarding = self.env._state["phase"][0] == Phase.DISCARD
            action = swap.get(action, action) if discarding and action < C else action
            if not self.env.infos[self.env.agent_selection]["action_mask"][action]:
                return False
            self.env.step(action)
        return True


@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_that_differ_in_hidden_cards_look_the_same(ruleset):
    """Field notes 10: through the environment, from the deal on."""
    env = tarock_v0.raw_env(ruleset)
    engine = env.engine
    rng = np.random.default_rng(2)
    states, logs = positions(engine, 320, 6)
    compared, phases = 0, Counter[str]()
    for row in range(len(states)):
        one = engine.take(states, [row])
        if one["compulsory"][0]:
            continue  # the deal that is played was not the first one
        replay = Replay(env, one, logs[row])
        for seat in rng.permutation(engine.P)[:2].tolist():
            cards = hidden_cards(engine, one, seat)
            if len(cards) < 2:
                continue
            a, b = (int(card) for card in rng.choice(cards, 2, replace=False))
            agent = env.possible_agents[seat]
            assert replay.reach({})
            before, info, view = env.observe(agent), env.infos[agent], env.view(agent)
            public = (env._state["side_known"].tolist(), env.agent_selection)
            if not replay.reach({a: b, b: a}) or (env._state["side_known"].tolist(), env.agent_selection) != public:
                continue
            after, told = env.observe(agent), env.infos[agent]
            assert differing_fields(view, env.view(agent)) == []
            assert after["observation"].tobytes() == before["observation"].tobytes()
            assert after["action_mask"].tobytes() == before["action_mask"].tobytes()
            assert told.keys() == info.keys()
            assert told["action_mask"].tobytes() == info["action_mask"].tobytes()
            assert (told["phase"], told["contract"]) == (info["phase"], info["contract"])
            compared += 1
            phases[info["phase"]] += 1
    assert compared >= 300
    assert {"auction", "play"} <= set(phases)


# ------------------------------------------------------------------ what may be seen is seen


@pytest.mark.parametrize("ruleset", RULESETS)
def test_own_cards_show(ruleset):
    engine = tarock_env.make(ruleset)
    states, _ = positions(engine, 100, 7)
    for row in range(len(states)):
        one = engine.take(states, [row])
        seat = int(one["actor"][0])
        held, others = ids_in(int(one["hands"][0, seat])), hidden_cards(engine, one, seat)
        if not held or not others:
            continue
        other = exchange(engine, one, held[0], others[-1])
        assert not np.array_equal(observe(engine, other, seat)["hand"], observe(engine, one, seat)["hand"])
        assert encode(engine, observe(engine, other, seat)).tobytes() != encode(engine, observe(engine, one, seat)).tobytes()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_open_hands_talons_and_called_kings_show(ruleset):
    engine = tarock_env.make(ruleset)
    rows = engine.ruleset.contracts
    laid_open = engine.rules[0]["binding"] == Binding.HELD or any(r.exposed != Exposed.NOBODY for r in rows)
    wanted = {"open hand": laid_open, "open talon": any(r.talon_shown for r in rows)}
    wanted["called king"] = any(r.calls_king for r in rows)
    states, _ = positions(engine, 1200, 8)
    found = Counter[str]()
    for row in range(len(states)):
        one = engine.take(states, [row])
        g = one[0]
        for seat in range(engine.P):
            view = observe(engine, one, seat)[0]
            if g["talon_open"]:
                assert view["talon"].tolist() == g["talon"].tolist()
                found["open talon"] += 1
            for s in range(engine.P):
                if view["exposed"][s] and s != seat:
                    assert int(view["exposed"][s]) & ~int(g["hands"][s]) == 0
                    found["open hand"] += 1
            if g["called"] != NONE and not g["by_fourth"]:
                assert view["called"] == g["called"]
                found["called king"] += 1
    for name, possible in wanted.items():
        assert (found[name] > 0) == possible, name


@pytest.mark.parametrize("ruleset", RULESETS)
def test_open_cards_show_in_the_observation(ruleset):
    """A card of an open hand or talon that changes changes what everybody sees."""
    engine = tarock_env.make(ruleset)
    slices = layout(engine.ruleset).slices
    states, _ = positions(engine, 600, 9)
    for row in range(len(states)):
        one = engine.take(states, [row])
        g = one[0]
        seat = int(g["actor"])
        view = observe(engine, one, seat)
        known = int(view["hand"][0])
        opened = [c for s in range(engine.P) for c in ids_in(int(view["exposed"][0, s])) if s != seat]
        opened += [c for c in view["talon"][0].tolist() if c != NONE and g["phase"] == Phase.TALON]
        opened = [c for c in opened if not known >> c & 1]
        others = hidden_cards(engine, one, seat)
        other = exchange(engine, one, opened[0], others[0]) if opened and others else one
        if other.tobytes() != one.tobytes():
            before, after = encode(engine, view)[0], encode(engine, observe(engine, other, seat))[0]
            changed = [name for name, where in slices.items() if not np.array_equal(before[where], after[where])]
            assert changed, Phase(int(g["phase"])).name


@pytest.mark.parametrize("ruleset", RULESETS)
def test_closed_hands_of_others_are_unseen(ruleset):
    """A card in another hand is unseen, unless it lies open or went there from the open talon."""
    engine = tarock_env.make(ruleset)
    states, _ = positions(engine, 200, 10)
    for seat in range(engine.P):
        views = observe(engine, states, seat)
        for row in range(len(states)):
            seen = sum(1 << card for card in views["talon"][row].tolist() if card != NONE)
            for other in set(range(engine.P)) - {seat}:
                closed = int(states["hands"][row, other]) & ~int(views["exposed"][row, other])
                assert closed & ~seen & ~int(unseen(views[row])) == 0


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_talon_that_nobody_takes_or_is_given_stays_closed(ruleset):
    """Only where everybody avoids points do talon cards go to tricks, face up."""
    engine = tarock_env.make(ruleset)
    states = engine.reset(keys=make_keys(300, 11, CHANCE))
    engine.playout(states, "balanced")
    closed = [k for k, c in enumerate(engine.ruleset.contracts) if not c.takes and c.id not in ("trischaken", "leasters")]
    states = engine.take(states, np.flatnonzero(np.isin(states["contract"], closed) & (states["taken"] == 0)))
    assert len(set(states["contract"].tolist())) >= len(closed) - 1 >= 0  # one can be a raise after an exchange
    for seat in range(engine.P):
        assert (observe(engine, states, seat)["talon"] == NONE).all()
