"""What holds in every ruleset, whatever is played: conservation, independence of the batch, errors that change nothing."""

from __future__ import annotations

import copy
import hashlib
import itertools
import pickle
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tarock_env
from tarock_env import STATE, BadAction, BadPosition, Engine, IllegalAction
from tarock_env.cards import ALL, CODES, THIRDS, C, cards_in, codes_in, ids_in, nth
from tarock_env.codes import Compulsory, FreeForAll, Objective, Payment, Phase
from tarock_env.engine.chance import CHANCE, DEAL, EVALUATION, make_keys
from tarock_env.engine.state import as_bytes

ROOT = Path(__file__).parents[2]
RULESETS = tarock_env.available()
ENGINES = {name: tarock_env.make(name) for name in RULESETS}


@pytest.fixture(params=RULESETS)
def engine(request: pytest.FixtureRequest) -> Engine:
    """The engine of each ruleset at its defaults."""
    return ENGINES[request.param]


def played(engine: Engine, n: int, seed: int = 7, policy: str = "balanced") -> np.ndarray:
    """`n` finished hands."""
    state = engine.reset(n, seed=seed)
    engine.playout(state, policy)
    return state


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two state arrays are equal in every field (the bytes between fields mean nothing)."""
    return len(a) == len(b) and all(np.array_equal(a[name], b[name]) for name in STATE.names or ())


def talon_set(state: np.ndarray) -> np.ndarray:
    """The six talon cards of each row: uint64 (B,)."""
    return np.bitwise_or.reduce(np.uint64(1) << state["talon"].astype(np.uint64), axis=1)


# ------------------------------------------------------------------ card sets


@given(st.integers(0, (1 << C) - 1))
@settings(max_examples=100, deadline=None)
def test_every_card_of_a_set_is_the_nth(cards: int) -> None:
    rising = [card for card in range(C) if cards >> card & 1]
    assert [nth(np.uint64(cards), i) for i in range(len(rising))] == rising


# ------------------------------------------------------------------ conservation


def test_every_card_is_in_exactly_one_place(engine: Engine) -> None:
    state = engine.reset(128, seed=3)
    while not state["done"].all():
        engine.playout(state, "balanced", limit=1)
        tricks = np.bitwise_or.reduce(state["won"], axis=1)
        talon = talon_set(state) & ~state["taken"] & ~tricks
        places = np.column_stack([state["hands"], state["won"], state["trick"], state["discards"], talon])
        assert (np.bitwise_or.reduce(places, axis=1) == ALL).all()
        assert (cards_in(places).sum(axis=(1, 2)) == C).all()


def test_the_pack_counts_210_thirds(engine: Engine) -> None:
    state = played(engine, 256)
    full = state["n_plays"] == 48
    assert full.sum() > 50
    tricks = np.bitwise_or.reduce(state["won"], axis=1)
    left = talon_set(state) & ~state["taken"] & ~tricks
    piles = np.column_stack([state["won"], state["discards"], left])[full]
    assert (cards_in(piles) @ THIRDS).sum(axis=1).tolist() == [210] * int(full.sum())


def test_scores_are_zero_sum_where_the_rules_say_so(engine: Engine) -> None:
    r = engine.ruleset
    free = {c.settled for c in r.contracts if c.objective == Objective.FEWEST}
    if r.scoring.payment != Payment.SIDES or not free <= {FreeForAll.TOP_PAYS, FreeForAll.TWO_PAIRS}:
        pytest.skip("this document credits one side only")
    state = played(engine, 2048)
    assert (state["scores"].sum(axis=1) == 0).all()
    assert (state["scores"] != 0).any(axis=1).mean() > 0.9


def test_a_hand_that_is_played_out_has_all_its_tricks(engine: Engine) -> None:
    state = played(engine, 256)
    full = state["n_plays"] == 48
    assert (state["tricks"].sum(axis=1) == state["trick_no"]).all()
    assert (state["trick_no"][full] == 48 // engine.ruleset.players).all()
    assert (state["actor"] == -1).all()


# ------------------------------------------------------------------ legal actions


def test_the_mask_is_empty_exactly_at_the_end(engine: Engine) -> None:
    state = engine.reset(64, seed=5)
    while not state["done"].all():
        mask = engine.legal(state)
        assert mask.shape == (64, engine.A)
        assert (mask.any(axis=1) == ~state["done"]).all()
        engine.step(state, engine.sample(mask, engine.keys(state)))
    assert not engine.legal(state).any()
    assert (state["phase"] == Phase.DONE).all()


def test_the_mask_and_the_names_agree(engine: Engine) -> None:
    state = engine.reset(32, seed=6)
    for _ in range(40):
        mask = engine.legal(state)
        for row in range(32):
            assert [engine.actions.name(a) for a in np.flatnonzero(mask[row])] == engine.legal_names(state, row)
        engine.playout(state, "balanced", limit=1)


def test_cards_that_are_legal_are_held(engine: Engine) -> None:
    state = engine.reset(128, seed=8)
    while not state["done"].all():
        rows = np.flatnonzero(~state["done"])
        held = state["hands"][rows, state["actor"][rows]]
        assert (state["legal_cards"][rows] & ~held == 0).all()
        engine.playout(state, "balanced", limit=1)


#: what a session carries from hand to hand
SESSION_FIELDS = {"key", "totals", "rings", "hand_no", "hands_left", "scuse_holder"}


def test_the_next_hand_begins_as_if_none_had_been_played(engine: Engine) -> None:
    """Nothing of the last hand is left in the state but what the session carries."""
    length: dict[str, Any] = {"session": True} if engine.ruleset.session.goal else {"hands": 3}
    state = engine.reset(40, seed=5, **length)
    engine.playout(state, "balanced")
    engine.next_hand(state)
    rows = np.flatnonzero(~state["session_over"] & (state["compulsory"] == Compulsory.NO))
    assert len(rows) > 10
    for g in state[rows]:
        hands = [ids_in(int(cards)) for cards in g["hands"][: engine.P]]
        fresh = engine.from_deal(hands, g["talon"].tolist(), int(g["dealer"]))[0]
        differing = {name for name in STATE.names or () if not np.array_equal(g[name], fresh[name])}
        assert differing <= SESSION_FIELDS


def test_a_step_on_a_finished_hand_changes_nothing(engine: Engine) -> None:
    state = played(engine, 8)
    before = engine.copy(state)
    engine.step(state, np.arange(8))
    engine.step(state, np.full(8, -1))
    assert same(state, before)


# ------------------------------------------------------------------ one seed, one game


def test_a_row_is_the_same_in_any_batch(engine: Engine) -> None:
    big = played(engine, 4096, seed=11)
    assert same(played(engine, 64, seed=11), big[:64])
    assert same(played(engine, 1, seed=11), big[:1])
    keys = make_keys(4096, 11)
    for row in (1, 77, 4095):
        alone = engine.reset(keys=keys[row : row + 1])
        engine.playout(alone, "balanced")
        assert same(alone, big[row : row + 1])


def test_stepping_is_the_same_in_any_batch(engine: Engine) -> None:
    big, small = engine.reset(64, seed=12), engine.reset(1, seed=12)
    for _ in range(60):
        for state in (big, small):
            engine.step(state, engine.sample(engine.legal(state), engine.keys(state)))
        assert same(big[:1], small)


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(engine: Engine, threads: int) -> None:
    several = tarock_env.make(engine.ruleset.id, threads=threads)
    assert same(played(several, 333), played(engine, 333))
    one, many = engine.reset(100, seed=13), several.reset(100, seed=13)
    for _ in range(30):
        mask = engine.legal(one)
        assert np.array_equal(mask, several.legal(many))
        actions = engine.sample(mask, engine.keys(one))
        engine.step(one, actions)
        several.step(many, actions)
    assert same(one, many)


DIGESTS = """
import hashlib, tarock_env
from tarock_env.engine.state import as_bytes
for name in tarock_env.available():
    engine = tarock_env.make(name)
    state = engine.reset(200, seed=21)
    engine.playout(state, "balanced")
    print(name, hashlib.sha256(as_bytes(state).tobytes()).hexdigest(), engine.digest())
"""


def test_a_playout_stops_after_so_many_decisions(engine: Engine) -> None:
    state, log = engine.reset(8, seed=2), engine.new_log(8)
    assert engine.playout(state, "uniform", log=log, limit=3) == 24
    assert state["n_actions"].tolist() == [3] * 8
    assert not log[:, 3:].any()


def test_keys_belong_to_a_hand_a_decision_and_a_consumer(engine: Engine) -> None:
    state = engine.reset(16, seed=2)
    first, other = engine.keys(state), engine.keys(state, salt=99)
    assert first.tolist() == [int(engine.keys(engine.take(state, [row]))[0]) for row in range(16)]
    engine.playout(state, "uniform", limit=1)
    found = [*first.tolist(), *other.tolist(), *engine.keys(state).tolist()]
    assert len(set(found)) == 48


def test_every_legal_action_is_sampled_equally_often() -> None:
    engine, legal = ENGINES["koenigrufen_pagat"], [0, 3, 4, 53, 60]
    mask = np.zeros((5000, engine.A), np.bool_)
    mask[:, legal] = True
    actions = engine.sample(mask, make_keys(5000, 1, CHANCE))
    counts = np.bincount(actions, minlength=engine.A)
    assert np.flatnonzero(counts).tolist() == legal
    assert np.abs(counts[legal] - 1000).max() < 100  # the standard deviation is 28


def test_two_processes_play_the_same_games() -> None:
    result = subprocess.run([sys.executable, "-c", DIGESTS], cwd=ROOT, capture_output=True, text=True, check=True)
    expected = [
        f"{name} {hashlib.sha256(as_bytes(played(one, 200, seed=21)).tobytes()).hexdigest()} {one.digest()}"
        for name, one in ENGINES.items()
    ]
    assert result.stdout.splitlines() == expected


def deals(state: np.ndarray) -> set[bytes]:
    """The deals of a batch as comparable values."""
    return {g["hands"].tobytes() + g["talon"].tobytes() for g in state}


def test_seeds_share_no_deal(engine: Engine) -> None:
    seven, eight = deals(engine.reset(5000, seed=7)), deals(engine.reset(5000, seed=8))
    assert (len(seven), len(eight), len(seven & eight)) == (5000, 5000, 0)


def test_a_thousand_seeds_give_a_thousand_deals(engine: Engine) -> None:
    assert len(set().union(*(deals(engine.reset(1, seed=seed)) for seed in range(1000)))) == 1000


def test_streams_share_no_key() -> None:
    streams = [set(make_keys(2000, 7, stream).tolist()) for stream in (DEAL, CHANCE, EVALUATION)]
    assert len(set().union(*streams)) == 6000
    assert make_keys(5, 7, first=3).tolist() == make_keys(8, 7)[3:].tolist()


def test_every_card_goes_everywhere_equally_often(engine: Engine) -> None:
    state = engine.reset(4000, seed=31, dealer=0)
    shares = cards_in(state["hands"]).mean(axis=0)[: engine.P]
    expected = 48 // engine.ruleset.players / C
    assert np.abs(shares - expected).max() < 0.05
    assert abs(float((state["talon"] == 53).any(axis=1).mean()) - 6 / C) < 0.03


def test_no_global_random_numbers_are_used(engine: Engine) -> None:
    legacy, plain = np.random.get_state(), random.getstate()
    played(engine, 16)
    state = engine.reset(4)
    engine.step(state, engine.sample(engine.legal(state), engine.keys(state)))
    after: Any = np.random.get_state()
    assert all(np.array_equal(a, b) for a, b in zip(legacy, after, strict=True))
    assert random.getstate() == plain


@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(RULESETS),
    seed=st.integers(0, 2**64 - 1),
    policy=st.sampled_from(["uniform", "random", "balanced"]),
)
def test_a_log_replays_to_the_same_state(name: str, seed: int, policy: str) -> None:
    engine = ENGINES[name]
    state, log = engine.reset(3, seed=seed), engine.new_log(3)
    again = engine.copy(state)
    engine.playout(state, policy, log=log)
    for t in range(int(state["n_actions"].max())):
        engine.step(again, log[:, t])
    assert same(state, again)


@settings(max_examples=25, deadline=None)
@given(name=st.sampled_from(RULESETS), seed=st.integers(0, 2**64 - 1), steps=st.integers(0, 70))
def test_copies_go_on_alike_and_apart(name: str, seed: int, steps: int) -> None:
    engine = ENGINES[name]
    state = engine.reset(2, seed=seed)
    engine.playout(state, "balanced", limit=steps)
    clones = [engine.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state)), engine.take(state, [0, 1])]
    before = engine.copy(state)
    assert all(same(clone, before) for clone in clones)
    for clone in clones:
        engine.playout(clone, "balanced")
    assert same(state, before)
    assert all(same(clone, clones[0]) for clone in clones)
    rebuilt = pickle.loads(pickle.dumps(engine))
    rebuilt.playout(state, "balanced")
    assert same(state, clones[0])


def test_the_order_of_discards_does_not_matter(engine: Engine) -> None:
    """The state reached is the same, wherever both orders are legal."""
    state = engine.reset(600, seed=41)
    for _ in range(60):
        ahead = ~(state["done"] | (state["phase"] == Phase.DISCARD))
        if not ahead.any():
            break
        rows = np.flatnonzero(ahead)
        part = engine.take(state, rows)
        engine.playout(part, "balanced", limit=1)
        as_bytes(state)[rows] = as_bytes(part)
    state = engine.take(state, np.flatnonzero((state["phase"] == Phase.DISCARD) & (state["to_discard"] > 1)))
    compared = 0
    for row in range(len(state)):
        forth = engine.take(state, [row])
        chosen = []
        while forth["phase"][0] == Phase.DISCARD:
            chosen.append(int(engine.sample(engine.legal(forth), engine.keys(forth))[0]))
            engine.step(forth, chosen[-1:])
        back = engine.take(state, [row])
        for action in reversed(chosen):
            if not engine.legal(back)[0, action]:
                break
            engine.step(back, [action])
        else:
            compared += 1
            assert same(forth, back)
    assert compared >= 20 or not any(c.takes > 1 for c in engine.ruleset.contracts)


# ------------------------------------------------------------------ errors


def at_play(engine: Engine, n: int) -> np.ndarray:
    """`n` hands in the middle of the play."""
    state = engine.reset(400, seed=51)
    engine.playout(state, "balanced", limit=30)
    return engine.take(state, np.flatnonzero((state["phase"] == Phase.PLAY) & (state["n_plays"] > 4))[:n])


REFUSED = r"allowed: STATE|must be a one-dimensional"
BAD_TYPES = [
    1.0,
    [1.0],
    [True],
    [np.nan],
    ["pass"],
    [None],
    None,
    [[1]],
    [1, 2],
    [],
    "pass",
    np.array([1], dtype=object),
    np.array([2**64 - 1], dtype=np.uint64),
    np.array(True),
]


@pytest.mark.parametrize("actions", BAD_TYPES, ids=repr)
def test_actions_of_a_wrong_type_or_shape(engine: Engine, actions: Any) -> None:
    for state in (engine.reset(1, seed=1), at_play(engine, 1)):
        before = engine.copy(state)
        with pytest.raises(BadAction, match="allowed"):
            engine.step(state, actions)
        assert same(state, before)


@pytest.mark.parametrize("action", [-1, -(2**63), 54 + 64, 10**6, 2**63 - 1])
def test_actions_out_of_range(engine: Engine, action: int) -> None:
    state = engine.reset(1, seed=1)
    before = engine.copy(state)
    with pytest.raises(IllegalAction, match=rf"index {action} \(not in 0 … {engine.A - 1}\)"):
        engine.step(state, [action])
    assert same(state, before)


def test_every_illegal_action_is_refused_in_every_phase(engine: Engine) -> None:
    state = engine.reset(40, seed=61)
    phases = set()
    for _ in range(90):
        row = int(np.argmin(state["done"]))
        if state["done"][row]:
            break
        single = engine.take(state, [row])
        before, mask = engine.copy(single), engine.legal(single)[0]
        phases.add(int(single["phase"][0]))
        for action in np.flatnonzero(~mask):
            with pytest.raises(IllegalAction):
                engine.step(single, [action])
        assert same(single, before)
        engine.playout(state, "balanced", limit=1)
    assert {Phase.AUCTION, Phase.PLAY} <= phases


def test_an_index_outside_the_table_is_illegal(engine: Engine) -> None:
    state = at_play(engine, 2)
    before = engine.copy(state)
    for action in (-1, -(1 << 62), engine.A, engine.A + 9, (1 << 62) + 54):
        with pytest.raises(IllegalAction):
            engine.step(state, [engine.sample(engine.legal(state), engine.keys(state))[0], action])
        assert same(state, before)


def test_one_illegal_action_leaves_the_whole_batch_untouched(engine: Engine) -> None:
    state = at_play(engine, 6)
    log = engine.new_log(6)
    actions = engine.sample(engine.legal(state), engine.keys(state))
    actions[4] = int(np.flatnonzero(~engine.legal(state)[4])[0])
    before = engine.copy(state)
    later = actions.copy()
    later[5] = -1
    for one, chosen in itertools.product((engine, tarock_env.make(engine.ruleset.id, threads=2)), (actions, later)):
        with pytest.raises(IllegalAction) as caught:
            one.step(state, chosen, log)
        assert same(state, before)
        assert not log.any()
        error = caught.value
        assert (error.row, error.phase, error.seat) == (4, "play", int(state["actor"][4]))
        assert error.legal == engine.legal_names(state, 4)
        assert error.action == engine.actions.name(int(actions[4]))
        for piece in (engine.ruleset.id, "row 4", "phase play", f"seat {error.seat}", f"key {int(state['key'][4])}"):
            assert piece in str(error)


def test_the_error_shows_the_history_but_no_hidden_card(engine: Engine) -> None:
    state, log = engine.reset(300, seed=71), engine.new_log(300)
    engine.playout(state, "balanced", log=log, limit=45)
    checked = 0
    for row in np.flatnonzero(state["phase"] == Phase.PLAY):
        single = engine.take(state, [row])
        with pytest.raises(IllegalAction) as caught:
            engine.step(single, [-1], log[row : row + 1])
        words = set(re.findall(r"[A-Za-z0-9:@_]+", str(caught.value)))
        seat, g = int(single["actor"][0]), single[0]
        others = [int(g["hands"][s]) for s in range(engine.P) if s != seat]
        hidden = int(g["discards"]) & ~int(g["shown"])
        for cards in (*others, hidden):
            assert words & set(codes_in(cards)) == set()
        played_cards = {CODES[card] for card in g["plays"] if card >= 0}
        assert played_cards <= words
        checked += 1
    assert checked > 50


def test_states_that_cannot_be_worked_on(engine: Engine) -> None:
    state = engine.reset(8, seed=1)
    read_only = engine.copy(state)
    read_only.flags.writeable = False
    for bad in (state[::2], state.reshape(2, 4), read_only, state.view(np.uint8), np.zeros(3)):
        with pytest.raises(ValueError, match=REFUSED):
            engine.legal(bad)
        with pytest.raises(ValueError, match=REFUSED):
            engine.playout(bad)
        with pytest.raises(ValueError, match=REFUSED):
            engine.step(bad, np.zeros(len(bad), np.int64))
    assert state.dtype == STATE


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True, "7"])
def test_bad_seeds(engine: Engine, seed: Any) -> None:
    with pytest.raises(ValueError, match=r"seed is .*; allowed: a whole number in 0 … 2\*\*64 - 1"):
        engine.reset(2, seed=seed)


@pytest.mark.parametrize("dealer", [-1, 5, 1.0, True, "0"])
def test_bad_dealers(engine: Engine, dealer: Any) -> None:
    with pytest.raises(ValueError, match=r"dealer is .*; allowed: seats 0"):
        engine.reset(2, seed=1, dealer=dealer)


def good_deal(engine: Engine) -> tuple[list[list[str]], list[str]]:
    """Hands and talon of a fair deal."""
    g = engine.reset(1, seed=3, dealer=0)[0]
    return [codes_in(int(hand)) for hand in g["hands"][: engine.P]], [CODES[card] for card in g["talon"]]


def test_a_given_deal_is_played_as_given(engine: Engine) -> None:
    hands, talon = good_deal(engine)
    state = engine.from_deal(hands, talon, 0)
    assert [codes_in(int(hand)) for hand in state["hands"][0, : engine.P]] == hands
    assert [CODES[card] for card in state["talon"][0]] == talon
    assert (int(state["dealer"][0]), int(state["actor"][0])) == (0, int(engine.reset(1, seed=3, dealer=0)["actor"][0]))
    engine.playout(state, "balanced")
    assert state["done"][0]


def test_deals_that_are_none(engine: Engine) -> None:
    hands, talon = good_deal(engine)
    cases: list[tuple[Any, Any, Any, str]] = [
        (hands, talon, engine.P, "dealer is"),
        (hands, talon, True, "dealer is"),
        (hands[1:], talon, 0, f"allowed: {engine.P}, one for each seat"),
        (hands, talon[1:], 0, "the talon has 5 cards; allowed: 6"),
        ([hands[0][1:], *hands[1:]], talon, 0, "cards; allowed"),
        ([hands[1], *hands[1:]], talon, 0, "dealt twice"),
        (hands, [hands[0][0], *talon[1:]], 0, "dealt twice"),
        (hands, ["X9", *talon[1:]], 0, "no card 'X9'"),
        (hands, [talon[1], *talon[1:]], 0, "a card appears twice"),
        ([[54, *hands[0][1:]], *hands[1:]], talon, 0, "no card 54"),
    ]
    for bad_hands, bad_talon, dealer, message in cases:
        with pytest.raises(BadPosition, match=message):
            engine.from_deal(bad_hands, bad_talon, dealer)


@pytest.mark.parametrize(
    "log",
    [
        np.zeros((2, 1024), np.uint8),
        np.zeros((3, 1), np.uint8),
        np.zeros((3, 1024), np.int64),
        np.zeros((3, 2048), np.uint8)[:, ::2],
        np.zeros(3, np.uint8),
        "log",
    ],
)
def test_a_log_that_does_not_fit_is_refused(log: Any) -> None:
    engine = tarock_env.make("koenigrufen_pagat")
    state = engine.reset(3, seed=1)
    before = as_bytes(state).copy()
    actions = engine.sample(engine.legal(state), engine.keys(state))
    for work in (lambda: engine.step(state, actions, log), lambda: engine.playout(state, log=log)):
        with pytest.raises(ValueError, match="log is"):
            work()
    assert (as_bytes(state) == before).all()


@pytest.mark.parametrize(
    "before",
    [
        5,
        {"scores": 5},
        {"rings": [-1, 0, 0, 0]},
        {"rings": [1_000_001, 0, 0, 0]},
        {"scores": [-100_000_001, 0, 0, 0]},
        {"compulsory": []},
    ],
)
def test_session_state_out_of_range_is_refused(before: Any) -> None:
    engine = tarock_env.make("koenigrufen_pagat")
    state = engine.reset(1, seed=1)
    hands = [codes_in(int(hand)) for hand in state["hands"][0, :4]]
    talon = [CODES[int(card)] for card in state["talon"][0]]
    with pytest.raises(BadPosition, match="before"):
        engine.from_deal(hands, talon, 0, before)
    for wrong in (5, [5, 5, 5, 5], [[1.5] * 12] * 4):
        with pytest.raises(BadPosition):
            engine.from_deal(wrong, talon, 0)
