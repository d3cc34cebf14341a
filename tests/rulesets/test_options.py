"""Every option value shows its effect in a concrete case, or is shown to have none; what is not allowed is refused.

Most cases stand in tests/cases/options.json: a deal and the actions up to a decision or to the end of the hand, and there
what the default and what the option makes of it. The referees, which know nothing of the engine, agree with both.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tarock_env
from tarock_env import Engine, RulesetError
from tarock_env.cards import TRUMPS
from tarock_env.codes import Compulsory, Mode, Phase
from tarock_env.engine.chance import make_keys
from tarock_env.view import observe
from tests.check import option_values
from tests.engine.positions import act, bid_to, deal, on_to
from tests.lockstep import engine_result, make_referee
from tests.styles import set_hands

WITNESSES = json.loads((Path(__file__).parents[1] / "cases" / "options.json").read_text(encoding="utf-8"))

#: accepted where they stand, but nothing in the ruleset depends on them (no king is called, there is no such contract)
WITHOUT_EFFECT: list[tuple[str, str, Any]] = [
    ("tarok_furr_3p", "king_ultimo", "king_in_trick"),
    ("tarok_furr_3p", "raise_when_alone_by_talon", True),
    ("tarok_furr_3p", "ring_per", "event"),
    ("tarok_furr_3p", "solo_without_bonuses", False),
    ("slovenian_4p", "solo_bonuses_3p", False),
    ("slovenian_3p", "king_in_talon_wins_rest", True),
    ("slovenian_3p", "king_ultimo", "king_wins"),
    ("slovenian_3p", "wheel_doubles_partner", False),
    ("slovenian_3p", "colour_slam_must_trump", False),
]
#: shown by the tests of this file that follow the witnesses
SHOWN_BELOW = {
    ("koenigrufen_pagat", "table_size"),
    ("koenigrufen_pagat", "knock"),
    ("koenigrufen_pagat", "wait_choices"),
    ("koenigrufen_pagat", "six_talon_exposed"),
    ("koenigrufen_furr", "six_talon_exposed"),
    ("koenigrufen_pagat", "ouvert_who"),
    ("koenigrufen_furr", "ouvert_who"),
    ("koenigrufen_pagat", "ouvert_when"),
    ("koenigrufen_furr", "ouvert_when"),
    ("tarok_furr_4p", "open_exposure"),
    ("tarok_furr_3p", "open_exposure"),
    ("slovenian_4p", "open_exposure"),
    ("slovenian_3p", "open_exposure"),
    ("slovenian_4p", "gift_visible"),
    ("slovenian_3p", "gift_visible"),
    ("illustrated_tarock", "discard_trumps"),
    ("tarok_furr_4p", "redeal_in_forced"),
    ("tarok_furr_3p", "redeal_in_forced"),
    ("illustrated_tarock", "redeal_no_trumps"),
    ("tarok_furr_4p", "eldest_passout"),
    ("tarok_furr_4p", "session_hands"),
    ("tarok_furr_3p", "session_hands"),
    ("slovenian_4p", "scuse_same_dealer"),
    ("slovenian_3p", "scuse_same_dealer"),
    ("slovenian_4p", "wheel_value"),
    ("slovenian_3p", "wheel_value"),
}


@functools.cache
def _make(ruleset: str, options: str) -> Engine:
    return tarock_env.make(ruleset, **json.loads(options))


def make(ruleset: str, **options: Any) -> Engine:
    """An engine, made once."""
    return _make(ruleset, json.dumps(options))


def test_every_value_of_every_option_is_shown() -> None:
    shown = {(row["ruleset"], row["option"], json.dumps(row["value"])) for row in WITNESSES}
    shown |= {(ruleset, option, json.dumps(value)) for ruleset, option, value in WITHOUT_EFFECT}
    missing = [
        (ruleset, option, value)
        for ruleset in tarock_env.available()
        for option, value, _ in option_values(ruleset)
        if (ruleset, option, json.dumps(value)) not in shown and (ruleset, option) not in SHOWN_BELOW
    ]
    assert missing == []


# ------------------------------------------------------------------ witnesses


def outcome(engine: Engine, row: dict[str, Any]) -> Any:
    """What the engine makes of a witness: the decision after its actions, or a part of its result."""
    hands = [hand.split() for hand in row["hands"]]
    state = engine.from_deal(hands, row["talon"].split(), row["dealer"], row["before"])
    act(engine, state, *row["actions"].split())
    if row["shows"] == "decision":
        seat = int(state["actor"][0])
        return {"seat": None if seat < 0 else seat, "legal": sorted(engine.legal_names(state))}
    assert state["done"][0]
    return engine_result(engine, state[0])[row["shows"]]


def expected(row: dict[str, Any], which: str) -> Any:
    """The stored outcome in the form of `outcome`."""
    if row["shows"] != "decision":
        return row[which]
    return {"seat": row[which]["seat"], "legal": sorted(row[which]["legal"].split())}


def referee_outcome(engine: Engine, row: dict[str, Any]) -> Any:
    """The same from the referee."""
    hands = [hand.split() for hand in row["hands"]]
    table = {"dealer": row["dealer"], "hands": hands, "talon": row["talon"].split(), "before": row["before"]}
    referee = make_referee(engine, table)
    for action in row["actions"].split():
        referee.apply(action)
    if row["shows"] == "decision":
        return {"seat": referee.actor, "legal": sorted(referee.legal())}
    return referee.result()[row["shows"]]


@pytest.mark.parametrize(
    "row", WITNESSES, ids=[f"{row['ruleset']} {row['option']}={json.dumps(row['value'])}" for row in WITNESSES]
)
def test_option_value_changes_the_case(row: dict[str, Any]) -> None:
    plain = make(row["ruleset"], **row["others"])
    changed = make(row["ruleset"], **row["others"], **{row["option"]: row["value"]})
    for engine, which in ((plain, "default"), (changed, "changed")):
        for found in (outcome(engine, row), referee_outcome(engine, row)):
            if row["shows"] == "items":
                assert all(item in found for item in row[which])
                assert not any(item in found for item in row["changed" if which == "default" else "default"])
            else:
                assert found == expected(row, which)
    assert row["default"] != row["changed"]


@pytest.mark.parametrize("ruleset, option, value", WITHOUT_EFFECT)
def test_options_that_can_have_no_effect(ruleset: str, option: str, value: Any) -> None:
    plain, changed = make(ruleset), make(ruleset, **{option: value})
    assert changed.options == {option: value}
    keys = make_keys(600, 17)
    states = []
    for engine in (plain, changed):
        state = set_hands(engine, keys, np.random.default_rng(3))
        log = engine.new_log(600)
        engine.playout(state, "balanced", log=log)
        states.append((state, log))
    (one, first_log), (two, second_log) = states
    assert np.array_equal(first_log, second_log)
    for field in ("scores", "totals", "rings", "compulsory", "item_value", "item_kind", "won", "contract"):
        assert np.array_equal(one[field], two[field]), field


# ------------------------------------------------------------------ deal and auction


def test_five_at_the_table() -> None:
    engine = make("koenigrufen_pagat", table_size=5)
    assert (make("koenigrufen_pagat").P, engine.P) == (4, 5)
    state = engine.reset(300, seed=1)
    rows = np.arange(300)
    assert (state["hands"][rows, state["dealer"]] == 0).all()
    assert set(state["dealer"].tolist()) == {0, 1, 2, 3, 4}
    actors = set()
    while not state["done"].all():
        live = ~state["done"]
        assert (state["actor"][live] != state["dealer"][live]).all()
        actors |= set(state["actor"][live].tolist())
        engine.playout(state, "balanced", limit=1)
    assert actors == {0, 1, 2, 3, 4}
    assert (state["scores"][rows, state["dealer"]] == 0).all()
    assert (state["scores"].sum(axis=1) == 0).all()


def test_knock() -> None:
    names = {}
    for value in ("never", "agent", "always"):
        engine = make("koenigrufen_pagat", knock=value)
        state = engine.reset(1, seed=1, dealer=3)
        names[value] = engine.legal_names(state)
        assert int(state["actor"][0]) == (0 if value == "never" else 2)
    assert (names["never"][0], names["agent"], names["always"]) == ("wait", ["cut", "knock"], ["knock"])
    engine = make("koenigrufen_pagat", knock="random")
    state = engine.reset(200, seed=1)
    forced = [engine.legal_names(state, row) for row in range(200)]
    assert forced.count(["cut"]) + forced.count(["knock"]) == 200
    assert 60 < forced.count(["knock"]) < 140


def test_the_dealers_left_neighbour_knocks_at_a_table_of_five() -> None:
    """C1, K3-8: r3, the last seat before the dealer, who sits out himself."""
    engine = make("koenigrufen_pagat", table_size=5, knock="agent")
    for dealer in range(5):
        assert int(engine.reset(1, seed=1, dealer=dealer)["actor"][0]) == (dealer + 4) % 5


def test_packets_of_a_knock_deal() -> None:
    engine = make("koenigrufen_pagat", knock="always")
    state = act(engine, engine.reset(1, seed=1, dealer=3), "knock")
    packets = [int(packet) for packet in state["packets"][0]]
    assert engine.legal_names(state) == ["packet:0", "packet:1", "packet:2", "packet:3"]
    act(engine, state, "packet:2", "packet:0")
    assert (int(state["actor"][0]), engine.legal_names(state)) == (2, ["packet:1", "packet:3"])
    act(engine, state, "packet:3")
    assert engine.legal_names(state) == ["packet:1"]
    act(engine, state, "packet:1")
    assert [int(hand) for hand in state["hands"][0, :4]] == [packets[2], packets[0], packets[3], packets[1]]
    assert (state["phase"][0], int(state["actor"][0])) == (Phase.AUCTION, 0)


def test_wait_choices() -> None:
    for value, count in (("any", 14), ("three", 3)):
        engine = make("koenigrufen_pagat", wait_choices=value)
        state = act(engine, deal(engine), "wait", "pass", "pass", "pass")
        assert len(engine.legal_names(state)) == count


def test_eldest_passout() -> None:
    offered = {}
    for value in ("any", "two_only"):
        engine = make("tarok_furr_4p", eldest_passout=value)
        state = engine.reset(1, seed=2)
        eldest = (int(state["dealer"][0]) + 1) % 4
        while "pass" in engine.legal_names(state):
            act(engine, state, "pass")
        assert (int(state["actor"][0]), state["phase"][0]) == (eldest, Phase.AUCTION)
        offered[value] = engine.legal_names(state)
    assert offered["two_only"] == ["bid:all_beggars", "bid:call_with_three"]
    assert len(offered["any"]) > 2
    assert set(offered["two_only"]) < set(offered["any"])


MANY = 60_000  #: deals; with three players one in 12,000 gives somebody no trumps


def trumpless(engine: Engine, state: np.ndarray) -> np.ndarray:
    """The deals that give somebody no trumps."""
    return np.flatnonzero(((state["hands"][:, : engine.P] & TRUMPS) == 0).any(axis=1))


@pytest.mark.parametrize("ruleset", ["tarok_furr_4p", "tarok_furr_3p"])
def test_redeal_in_forced(ruleset: str) -> None:
    """A compulsory hand is dealt again too; with the option it is not."""
    found = {}
    for value in (True, False):
        engine = make(ruleset, redeal_in_forced=value)
        state = engine.reset(MANY, seed=3, hands=2)
        assert len(trumpless(engine, state)) == 0
        engine.playout(state, "balanced")
        state["compulsory"] = Compulsory.SCORE
        assert engine.next_hand(state) == MANY
        found[value] = len(trumpless(engine, state))
    assert found[True] == 0
    assert found[False] > 0


def test_redeal_no_trumps() -> None:
    """Such a deal is dealt again, and bid for like any other."""
    plain, again = make("illustrated_tarock"), make("illustrated_tarock", redeal_no_trumps=True)
    rows = trumpless(plain, plain.reset(MANY, seed=3))
    state = again.reset(MANY, seed=3)
    assert len(rows) > 0
    assert len(trumpless(again, state)) == 0
    assert set(state["mode"][rows].tolist()) == {Mode.NORMAL}
    assert set(state["phase"][rows].tolist()) == {Phase.AUCTION}


# ------------------------------------------------------------------ what is seen


@pytest.mark.parametrize("ruleset, contract", [("koenigrufen_pagat", "sechserdreier"), ("koenigrufen_furr", "solo_with")])
def test_six_talon_exposed(ruleset: str, contract: str) -> None:
    for value in (False, True):
        engine = make(ruleset, six_talon_exposed=value)
        state = bid_to(engine, deal(engine), contract)
        seen = [observe(engine, state, seat)[0]["talon"].tolist() for seat in range(4)]
        table = state["talon"][0].tolist()
        assert seen[0] == table
        assert seen[1:] == [table if value else [-1] * 6] * 3


@pytest.mark.parametrize(
    "ruleset, contract", [("koenigrufen_pagat", "bettel_ouvert"), ("koenigrufen_furr", "beggar_exposed")]
)
@pytest.mark.parametrize("who", ["all", "declarer"])
def test_ouvert_who(ruleset: str, contract: str, who: str) -> None:
    engine = make(ruleset, ouvert_who=who)
    state = on_to(engine, bid_to(engine, deal(engine), contract), Phase.PLAY)
    open_hands = [bool(cards) for cards in observe(engine, state, 1)[0]["exposed"][:4]]
    assert open_hands == ([True] * 4 if who == "all" else [True, False, False, False])


def first_exposed(engine: Engine, contract: str) -> int:
    """Completed tricks after which another seat sees an exposed hand; 99 if it never does."""
    rows = [c.id for c in engine.ruleset.contracts]
    state = engine.reset(4000, seed=9)
    engine.playout(state, "balanced", limit=4)
    for _ in range(60):
        chosen = (state["contract"] == rows.index(contract)) & (state["phase"] == Phase.PLAY)
        for row in np.flatnonzero(chosen)[:1]:
            single = engine.take(state, [row])
            watcher = (int(single["declarer"][0]) + 1) % engine.P
            while not single["done"][0]:
                if observe(engine, single, watcher)[0]["exposed"].any():
                    return int(single["trick_no"][0])
                engine.playout(single, "uniform", limit=1)
        engine.playout(state, "balanced", limit=1)
        state = engine.take(state, np.flatnonzero((state["n_plays"] == 0) & ~state["done"]))
    return 99


OPEN_CONTRACTS = [
    ("koenigrufen_pagat", "ouvert_when", "start", "piccolo_ouvert"),
    ("koenigrufen_furr", "ouvert_when", "start", "just_one_exposed"),
    ("tarok_furr_4p", "open_exposure", "before_lead", "beggar_exposed"),
    ("tarok_furr_3p", "open_exposure", "before_lead", "beggar_exposed"),
    ("slovenian_4p", "open_exposure", "before_lead", "open_nill"),
]


@pytest.mark.parametrize("ruleset, option, default, contract", OPEN_CONTRACTS)
def test_when_hands_are_exposed(ruleset: str, option: str, default: str, contract: str) -> None:
    assert first_exposed(make(ruleset, **{option: default}), contract) == 0
    assert first_exposed(make(ruleset, **{option: "after_first_trick"}), contract) == 1


def test_slovenian_three_player_game_has_no_open_contract() -> None:
    """So that `open_exposure` cannot matter there."""
    for value in ("before_lead", "after_first_trick"):
        assert not any(c.exposed for c in make("slovenian_3p", open_exposure=value).ruleset.contracts)


@pytest.mark.parametrize("ruleset", ["slovenian_4p", "slovenian_3p"])
def test_gift_visible(ruleset: str) -> None:
    """The talon card that a trick of Leasters brought is seen by all, or by nobody."""
    for value in (True, False):
        engine = make(ruleset, gift_visible=value)
        state = engine.reset(200, seed=4)
        engine.playout(state, "balanced", limit=40)
        rows = np.flatnonzero((state["contract"] == 0) & (state["trick_no"] >= 2) & ~state["done"])
        assert engine.ruleset.contracts[0].id == "leasters"
        assert len(rows) > 3
        for row in rows:
            view = observe(engine, engine.take(state, [row]))[0]
            seen = [card for card in view["talon"].tolist() if card >= 0]
            given = min(int(state["trick_no"][row]), 6)
            assert seen == (state["talon"][row, :given].tolist() if value else [])


def test_discarded_trumps_are_shown_or_not() -> None:
    shown = {}
    for value in ("free_hidden", "free_shown"):
        engine = make("illustrated_tarock", discard_trumps=value)
        state = engine.reset(400, seed=5)
        engine.playout(state, "balanced")
        face_up = (state["announced"] != 0).any(axis=(1, 2))  # an announced card that lies open is seen to be discarded
        state = engine.take(state, np.flatnonzero(~face_up))
        trumps = state["discards"] & TRUMPS
        assert (trumps != 0).sum() > 20
        shown[value] = [bool(a == b) for a, b in zip(state["shown"], trumps, strict=True) if b]
        assert not (state["shown"] & ~TRUMPS).any()
    assert (any(shown["free_hidden"]), all(shown["free_shown"])) == (False, True)


# ------------------------------------------------------------------ sessions


@pytest.mark.parametrize("ruleset", ["tarok_furr_4p", "tarok_furr_3p"])
@pytest.mark.parametrize("hands", [1, 7])
def test_session_hands(ruleset: str, hands: int) -> None:
    engine = make(ruleset, session_hands=hands)
    state = engine.reset(5, seed=1, session=True)
    played = 1
    engine.playout(state, "balanced")
    while engine.next_hand(state):
        played += 1
        engine.playout(state, "balanced")
    assert played == hands
    assert state["session_over"].all()
    with pytest.raises(ValueError, match="has no length of its own"):
        make(ruleset).reset(1, session=True)


def test_listed_numbers_mean_themselves() -> None:
    """Where any whole number is allowed, the listed ones do what others do: they are written to their column."""
    listed = []
    for ruleset in tarock_env.available():
        for option in tarock_env.load(ruleset).options:
            table, column = option.number or ("", "")
            for value in option.values if option.number else ():
                written = getattr(getattr(tarock_env.load(ruleset, **{option.name: value}), table), column)
                listed.append((ruleset, option.name, value, written))
    assert listed == [
        ("tarok_furr_4p", "session_hands", None, 0),
        ("tarok_furr_3p", "session_hands", None, 0),
        ("slovenian_4p", "wheel_value", 100, 100),
        ("slovenian_4p", "wheel_value", 10, 10),
        ("slovenian_3p", "wheel_value", 100, 100),
        ("slovenian_3p", "wheel_value", 10, 10),
    ]


@pytest.mark.parametrize("ruleset", ["slovenian_4p", "slovenian_3p"])
def test_wheel_value(ruleset: str) -> None:
    """D8: every wheel left over costs its value."""
    for value in (100, 10, 1, 7, 0):
        engine = make(ruleset, wheel_value=value)
        state = engine.reset(40, seed=6, hands=3)
        engine.playout(state, "balanced")
        while engine.next_hand(state):
            engine.playout(state, "balanced")
        assert state["session_over"].all()
        assert state["rings"].any()
        assert np.array_equal(state["settlement"], -value * state["rings"].astype(np.int32))


@pytest.mark.parametrize("ruleset", ["slovenian_4p", "slovenian_3p"])
def test_scuse_same_dealer(ruleset: str) -> None:
    """D8: the dealer of the 'Scuse round holds the 'Scuse: a full cycle follows, or the session ends at once."""
    lengths = {}
    for value in ("full_cycle", "end_now"):
        engine = make(ruleset, scuse_same_dealer=value)
        state = engine.reset(300, seed=7, hands=1)
        engine.playout(state, "balanced")
        engine.next_hand(state)
        t22 = np.uint64(1 << 53)
        dealers = (state["hands"][np.arange(300), state["dealer"]] & t22) != 0
        state = engine.take(state, np.flatnonzero(dealers))
        assert len(state) > 20
        engine.playout(state, "balanced")
        more = 0
        while engine.next_hand(state):
            more += 1
            engine.playout(state, "balanced")
        lengths[value] = more
    assert lengths == {"full_cycle": engine.P, "end_now": 0}


# ------------------------------------------------------------------ refused


def test_an_unknown_ruleset_is_refused() -> None:
    with pytest.raises(RulesetError, match=r"no ruleset 'whist'; available: koenigrufen_pagat, "):
        tarock_env.make("whist")


@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_an_unknown_option_is_refused_with_the_list(ruleset: str) -> None:
    with pytest.raises(RulesetError) as caught:
        tarock_env.make(ruleset, colour="blue")
    assert f"ruleset '{ruleset}' has no option 'colour'; it has: " in str(caught.value)
    for option in tarock_env.load(ruleset).options:
        assert f"{option.name} = " in str(caught.value)


@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_values_that_an_option_does_not_have_are_refused(ruleset: str) -> None:
    for option in tarock_env.load(ruleset).options:
        for value in ("nonsense", 99.5, -1, [1], np.int64(4)):
            with pytest.raises(RulesetError) as caught:
                tarock_env.load(ruleset, **{option.name: value})
            assert f"ruleset '{ruleset}': {option.name} = {value!r}; allowed: " in str(caught.value)
            assert all(repr(allowed) in str(caught.value) for allowed in option.values if not option.bonus_values)


def test_true_is_not_one() -> None:
    """Values are compared with their type: JSON's booleans are no numbers."""
    for options in ({"early_stop": 1}, {"kontra_max": True}, {"birds": 2.0}):
        with pytest.raises(RulesetError, match="allowed: "):
            tarock_env.load("koenigrufen_pagat", **options)


@pytest.mark.parametrize("ruleset", ["tarok_furr_4p", "tarok_furr_3p"])
def test_prerequisites(ruleset: str) -> None:
    for name, other, needed in (("early_stop", "mond_scope", "positive_only"), ("final_raise", "s0_auction", "open")):
        others = [v for o in tarock_env.load(ruleset).options if o.name == other for v in o.values if v != needed]
        for value in others:
            with pytest.raises(RulesetError, match=rf"{name} = True needs {other} = '{needed}', not '{value}'"):
                tarock_env.load(ruleset, **{name: True, other: value})
        assert tarock_env.load(ruleset, **{name: True, other: needed}).chosen[name] is True


def test_defaults_may_be_named_and_change_nothing() -> None:
    for ruleset in tarock_env.available():
        plain = tarock_env.load(ruleset)
        named = tarock_env.load(ruleset, **{option.name: option.default for option in plain.options})
        assert named.chosen == {}
        assert Engine(named).digest() == Engine(plain).digest()


def test_the_action_table_is_the_same_under_all_options() -> None:
    for ruleset in tarock_env.available():
        names = tarock_env.load(ruleset).actions.names
        assert len(set(names)) == len(names) <= 54 + 64
        for option, value, options in option_values(ruleset):
            assert tarock_env.load(ruleset, **options).actions.names == names, (option, value)
