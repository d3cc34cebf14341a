"""How a hand begins: from a key and a session state, from given cards, and with a knock in either."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tarock_env
from tarock_env import Engine, record, tarock_v0
from tarock_env.cards import CODES, codes_in
from tarock_env.codes import Compulsory, Phase
from tarock_env.engine.errors import BadPosition
from tarock_env.engine.state import STATE
from tarock_env.record import RecordError
from tarock_env.record.writing import session_state

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((ruleset, {}) for ruleset in tarock_env.available()),
    ("tarok_furr_4p", {"redeal_in_forced": False}),
    ("tarok_furr_4p", {"ring_timing": "before"}),
    *(("koenigrufen_pagat", {"knock": knock}) for knock in ("agent", "random", "always")),
]
OF_THE_SESSION = ("hand_no", "hands_left", "scuse_holder")
GIVEN = ("totals", "rings")


def equal(ours: np.ndarray, theirs: np.ndarray, but: tuple[str, ...]) -> list[str]:
    """The fields that differ."""
    names = [name for name in STATE.names or () if name not in but]
    return [name for name in names if not np.array_equal(ours[name], theirs[name])]


@pytest.mark.parametrize(("ruleset", "options"), SETTINGS)
def test_the_next_hand_of_a_session_is_dealt_by_its_key_and_what_came_before(ruleset: str, options: dict[str, Any]) -> None:
    engine = tarock_env.make(ruleset, **options)
    state = engine.reset(2500, seed=5, hands=3)
    engine.playout(state, "uniform")
    ended = [session_state(engine, state, row) for row in range(len(state))]
    assert engine.next_hand(state) > 30
    reasons = set()
    for row in np.flatnonzero(~state["done"]).tolist():
        hand = state[row : row + 1]
        again = engine.reset(keys=hand["key"], dealer=hand["dealer"], before=ended[row])
        assert equal(again, hand, OF_THE_SESSION) == []
        reasons.add(int(hand["compulsory"][0]))
    if ruleset == "tarok_furr_4p" and not options:
        assert {Compulsory.NO, Compulsory.NO_TRUMPS} <= reasons


@pytest.mark.parametrize(("ruleset", "options"), SETTINGS)
def test_totals_and_rings_change_nothing_else_of_the_deal(ruleset: str, options: dict[str, Any]) -> None:
    engine = tarock_env.make(ruleset, **options)
    before = {"scores": list(range(3, 3 + engine.P)), "rings": [2] * engine.P}
    plain, told = engine.reset(2000, seed=1), engine.reset(2000, seed=1, before=before)
    assert equal(plain, told, GIVEN) == []
    assert (told["totals"][:, : engine.P] == before["scores"]).all()
    assert (told["rings"][:, : engine.P] == 2).all()


def test_an_environment_deals_the_same_hand_after_other_scores() -> None:
    """Among these games are re-dealt trumpless hands, with a restricted auction."""
    plain, told = tarock_v0.raw_env("slovenian_4p"), tarock_v0.raw_env("slovenian_4p")
    reasons = set()
    for seed in range(400):
        plain.reset(seed=seed)
        told.reset(seed=seed, options={"before": {"scores": [3, 4, 5, 6]}})
        assert equal(plain._state, told._state, GIVEN) == []
        reasons.add(int(told._state["compulsory"][0]))
    assert Compulsory.NO_TRUMPS in reasons


def test_a_bad_session_state_is_refused_at_a_reset() -> None:
    engine = tarock_env.make("koenigrufen_pagat")
    for before in (5, {"scores": [1]}, {"rings": [-1, 0, 0, 0]}, {"skores": []}):
        with pytest.raises(BadPosition, match="before"):
            engine.reset(3, before=before)  # type: ignore[arg-type]


# ------------------------------------------------------------------ knocking


def given(engine: Engine, row: np.ndarray, **more: Any) -> np.ndarray:
    """A dealt hand set up again from its cards."""
    hands = [codes_in(int(hand)) for hand in row["hands"][: engine.P]]
    return engine.from_deal(hands, [CODES[int(card)] for card in row["talon"]], int(row["dealer"]), **more)


@pytest.mark.parametrize("size", [4, 5])
def test_who_knocks_on_given_cards_deals_the_whole_pack_again(size: int) -> None:
    engine = tarock_env.make("koenigrufen_pagat", knock="agent", table_size=size)
    dealt = engine.reset(40, seed=3)
    talons = set()
    for row in dealt:
        state = given(engine, row, key=int(row["key"]))
        assert engine.legal_names(state) == ["cut", "knock"]
        engine.step(state, engine.actions.get("knock"))
        for packet in range(4):
            engine.step(state, engine.actions.get(f"packet:{packet}"))
        g = state[0]
        sizes = [int(hand).bit_count() for hand in g["hands"][:size] if int(hand)]
        assert sizes == [12] * 4
        cards = sum(int(hand) for hand in g["hands"]) + sum(1 << int(card) for card in g["talon"])
        assert cards == (1 << 54) - 1
        assert g["phase"] == Phase.AUCTION
        talons.add(tuple(g["talon"].tolist()))
        engine.playout(state, "uniform")
        assert state["done"][0]
        assert state["scores"][0].sum() == 0
    assert len(talons) == 40


def test_a_knock_on_given_cards_is_that_of_the_key() -> None:
    """The key's own hand, cut or given, lies in the same packets."""
    engine = tarock_env.make("koenigrufen_pagat", knock="agent")
    dealt = engine.reset(30, seed=3)
    for row in dealt:
        assert equal(given(engine, row, key=int(row["key"])), np.array([row], STATE), ()) == []


@pytest.mark.parametrize("knock", ["random", "always", "never"])
def test_given_cards_without_packets_were_cut(knock: str) -> None:
    engine = tarock_env.make("koenigrufen_pagat", knock=knock)
    plain = tarock_env.make("koenigrufen_pagat").reset(5, seed=3)
    for row in plain:
        state = given(engine, row)
        if knock != "never":
            assert engine.legal_names(state) == ["cut"]
            engine.step(state, engine.actions.get("cut"))
        assert np.array_equal(state["hands"][0], row["hands"])
        assert not state["packets"].any()


def test_a_record_has_packets_where_it_was_knocked_and_none_where_it_was_cut() -> None:
    engine = tarock_env.make("koenigrufen_pagat", knock="agent")
    start, log = engine.reset(40, seed=8), engine.new_log(40)
    engine.playout(engine.copy(start), "uniform", log=log)
    lines = list(record.write_all(engine, start, log, legal=True))
    assert [found for line in lines for found in record.verify(line)] == []
    knocked = next(line for line in lines if "knock" in line["actions"])
    cut = next(line for line in lines if "cut" in line["actions"])
    with pytest.raises(RecordError, match="packets are missing; needed: the four packets of a deal that was knocked"):
        record.verify({key: value for key, value in knocked.items() if key != "packets"})
    with pytest.raises(RecordError, match=r"packets are .*; allowed: none in a deal that was cut"):
        record.verify({**cut, "packets": cut["hands"]})


# ------------------------------------------------------------------ bounds


def test_the_largest_session_state_does_not_overflow() -> None:
    """Totals and rings at their bounds: rings go on counting, and a match is settled to the point."""
    leasters = tarock_env.make("slovenian_4p")
    most = [1_000_000] * 4
    state = leasters.reset(400, seed=1, before={"rings": most})
    leasters.playout(state, "uniform")
    assert state["rings"][:, :4].min() >= 999_999
    assert state["rings"][:, :4].max() == 1_000_001
    match = tarock_env.make("illustrated_tarock")
    ends = match.reset(50, seed=1, session=True, before={"scores": [100_000_000, -100_000_000, -100_000_000]})
    match.playout(ends, "uniform")
    assert ends["session_over"].all()
    assert (ends["settlement"].sum(axis=1) == 0).all()
    assert ends["settlement"][:, 0].min() > 390_000_000
