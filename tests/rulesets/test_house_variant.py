"""The example of CONTRIBUTING: a house variant is added as data, registered, played, recorded, verified and scored."""

from __future__ import annotations

import dataclasses
import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

import tarock_env
from experiments.rules import render_rules
from tarock_env import record, rulesets, tarock_v0
from tarock_env.codes import Phase
from tarock_env.engine.tables import compile_ruleset
from tarock_env.rulesets import RulesetError, register, variant
from tarock_env.rulesets.options import apply_patch, choose
from tarock_env.rulesets.schema import Option, Patch, Ruleset
from tests.engine.positions import act, bid_to, deal, on_to
from tests.rulesets.house_koenigrufen import RULESET

PAGAT = tarock_env.load("koenigrufen_pagat")


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variant is known during a test, and forgotten after it."""
    monkeypatch.setattr(rulesets, "_registered", {})
    register(RULESET)


def test_the_page_for_contributors_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two blocks of code in CONTRIBUTING make and register the ruleset that is tested here."""
    monkeypatch.setattr(rulesets, "_registered", {})
    text = (Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.S):
        exec(compile(block, "CONTRIBUTING.md", "exec"), names)
    shown = tarock_env.load("koenigrufen_house")
    assert shown is names["RULESET"]
    assert compile_ruleset(shown).tobytes() == compile_ruleset(RULESET).tobytes()
    assert render_rules(shown) == render_rules(RULESET)


def test_it_is_a_ruleset_like_any_other() -> None:
    assert tarock_env.available()[-1] == "koenigrufen_house"
    engine = tarock_env.make("koenigrufen_house")
    assert engine.options == {}
    assert list(engine.actions) == list(PAGAT.actions)
    assert engine.digest() != tarock_env.make("koenigrufen_pagat").digest()
    assert pickle.loads(pickle.dumps(engine)).digest() == engine.digest()
    with pytest.raises(RulesetError, match=r"kontra_max = 4; allowed: 0 \| 3 \| 5"):
        tarock_env.make("koenigrufen_house", kontra_max=4)
    with pytest.raises(RulesetError, match="'koenigrufen_house' is taken"):
        register(RULESET)


def test_hands_are_played_recorded_and_verified() -> None:
    engine = tarock_env.make("koenigrufen_house")
    start = engine.reset(300, seed=11)
    state, log = engine.copy(start), engine.new_log(300)
    engine.playout(state, "balanced", log=log)
    lines = [json.dumps(one) for one in record.write_all(engine, start, log, legal=True)]
    records = [record.parse(line) for line in lines]
    assert {one["ruleset"] for one in records} == {"koenigrufen_house"}
    assert {one["contract"] for one in records} == {c.id for c in RULESET.contracts}
    assert [record.verify(one) for one in records] == [[]] * 300
    assert max(item["contra"] for one in records for item in one["items"]) > 3
    for one in records:
        if one["contract"] == "trischaken":
            assert sorted(one["scores"]) in (
                [-1, -1, 1, 1],
                [-1, 0, 0, 1],
                [0] * 4,
                [-3, 1, 1, 1],
                [-1, -1, -1, 3],
                [-3, 0, 0, 3],
            )


def test_where_the_variant_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine takes its ruleset with it to another process; a record names it, and is refused."""
    engine = tarock_env.make("koenigrufen_house", birds=2)
    start, log = engine.reset(1, seed=3), engine.new_log(1)
    engine.playout(engine.copy(start), "random", log=log)
    line = record.write(engine, start, log)
    sent = pickle.dumps(engine)
    monkeypatch.setattr(rulesets, "_registered", {})
    received = pickle.loads(sent)
    assert received.digest() == engine.digest()
    assert received.options == {"birds": 2}
    assert received.actions.names == engine.actions.names
    with pytest.raises(ValueError, match="no ruleset 'koenigrufen_house'"):
        record.replay(line)


HANDS = {
    0: "SK SQ SN T22 T21 T20 T5 H4 D4 H3 C7 C8",
    1: "CK CQ CN CJ T17 T16 T15 T6 T7 D3 S7 H2",
    2: "HK HQ HN HJ T13 T12 T11 T8 T9 T10 S10 C10",
    3: "DK DQ DN DJ T1 T2 T3 T4 S9 S8 C9 T14",
}


@pytest.mark.parametrize(
    ("middle", "points", "tricks", "house", "pagat"),
    [
        (True, [23, 33, 9, 5], [4, 5, 2, 1], [-1, -1, 1, 1], [1, -3, 1, 1]),  # two pay two
        (False, [16, 5, 48, 0], [4, 1, 7, 0], [0, 0, -3, 3], [1, 1, -3, 1]),  # a majority and a seat without a trick
    ],
)
def test_the_two_highest_pay_the_two_lowest(
    middle: bool, points: list[int], tricks: list[int], house: list[int], pagat: list[int]
) -> None:
    """Everybody plays the middle one, or the last one, of his legal cards."""
    for name, scores in (("koenigrufen_house", house), ("koenigrufen_pagat", pagat)):
        engine = tarock_env.make(name)
        state = bid_to(engine, deal(engine, HANDS), "trischaken")
        while not state["done"][0]:
            legal = engine.legal_names(state)
            act(engine, state, legal[len(legal) // 2 if middle else -1])
        assert record.result(engine, state)["card_points"] == points
        assert state["tricks"][0, :4].tolist() == tricks
        assert state["scores"][0, :4].tolist() == scores


def test_kontra_goes_up_to_mord() -> None:
    engine = tarock_env.make("koenigrufen_house")
    state = on_to(engine, bid_to(engine, deal(engine, {0: "SK T22 T21 T1"}), "dreier"), Phase.ANNOUNCE)
    for caller in (1, 0, 1, 0, 1):  # kontra, re, sub, hirsch, mord
        while int(state["actor"][0]) != caller:
            act(engine, state, "end")
        act(engine, state, "contra:game")
    assert "contra:game" not in engine.legal_names(state)
    on_to(engine, state, Phase.PLAY)
    engine.playout(state, "uniform")
    (game,) = [item for item in record.result(engine, state)["items"] if item["item"] == "game"]
    assert game["contra"] == 5
    assert abs(game["value"]) == 4 * 2**5


def test_a_patch_without_an_option() -> None:
    house, pagat = (tarock_env.make(name) for name in ("koenigrufen_house", "koenigrufen_pagat"))
    values = []
    for engine in (house, pagat):
        state = on_to(engine, bid_to(engine, deal(engine), "besserrufer"), Phase.ANNOUNCE)
        act(engine, state, "announce:pagat_ultimo", "end")
        on_to(engine, state, Phase.PLAY)
        engine.playout(state, "uniform")
        items = {item["item"]: item["value"] for item in record.result(engine, state)["items"] if item["announced"] is False}
        values.append(abs(items["game"]))
    assert values == [1, 2]


def test_the_former_defaults_are_choices() -> None:
    """With them, and without the patch, it is Königrufen again, bit for bit."""
    back = choose(RULESET, {"trischaken_scoring": "single_loser", "kontra_max": 3})
    back = apply_patch(back, Patch(table="contracts", where={"id": "besserrufer"}, set={"value": 2}))
    assert compile_ruleset(back).tobytes() == compile_ruleset(PAGAT).tobytes()
    assert tarock_env.make("koenigrufen_house", kontra_max=3).options == {"kontra_max": 3}


def test_its_page_is_made_like_the_others() -> None:
    page = render_rules(RULESET)
    assert page.startswith("# Königrufen as played at our table\n")
    assert "| `kontra_max` | 0 · 3 · **5** |" in page


def test_the_environment_plays_it() -> None:
    env = tarock_v0.env("koenigrufen_house")
    env.reset(seed=5)
    for _ in env.agent_iter():
        observation, _reward, termination, _truncation, info = env.last()
        env.step(None if termination else int(observation["action_mask"].argmax()))
    assert info["record"]["ruleset"] == "koenigrufen_house"


# ------------------------------------------------------------------ what makes variants possible


@pytest.mark.parametrize("name", rulesets.SHIPPED)
def test_the_data_say_what_the_defaults_say(name: str) -> None:
    """The patches of a default change nothing, so that they can undo another default."""
    ruleset = tarock_env.load(name)
    for option in ruleset.options:
        assert compile_ruleset(_with_default(ruleset, option)).tobytes() == compile_ruleset(ruleset).tobytes(), option.name


def _with_default(ruleset: Ruleset, option: Option) -> Ruleset:
    for patch in option.values.get(option.default, ()) if option.values else ():
        ruleset = apply_patch(ruleset, patch)
    return ruleset


#: (ruleset, option, value): it turns off the doubling of Valat too, which another option's value has to turn on again
BOTH_FACTORS = [("koenigrufen_pagat", "solo_double", False)]


@pytest.mark.parametrize("name", rulesets.SHIPPED)
def test_a_default_undoes_every_other_value(name: str) -> None:
    """Each value says all it means: after any other value's patches, those of the default lead back to the tables."""
    ruleset = tarock_env.load(name)
    plain = compile_ruleset(ruleset).tobytes()
    wrong = []
    for option in ruleset.options:
        others = [value for value in option.values if type(value) is not type(option.default) or value != option.default]
        for value in others if option.values and option.values.get(option.default) else ():
            changed = ruleset
            for patch in option.values[value]:
                changed = apply_patch(changed, patch)
            if compile_ruleset(_with_default(changed, option)).tobytes() != plain:
                wrong.append((name, option.name, value))
    assert wrong == [one for one in BOTH_FACTORS if one[0] == name]


TAROK = {"s0_auction", "solo_without_bonuses", "mond_scope", "raise_when_alone_by_talon"}
SLOVENIAN = {"solo_bonuses_3p", "lost_xxi_scope", "lost_xxi_unseen_talon", "early_stop"}
#: options whose default has no patches, so that no variant can have another default
FIXED = {
    "tarok_furr_4p": TAROK | {"eldest_passout"},
    "tarok_furr_3p": TAROK,
    "slovenian_4p": SLOVENIAN,
    "slovenian_3p": SLOVENIAN,
}


@pytest.mark.parametrize("name", rulesets.SHIPPED)
def test_which_defaults_cannot_be_undone(name: str) -> None:
    options = tarock_env.load(name).options
    found = {option.name for option in options if len(option.values) > 1 and not option.values.get(option.default)}
    assert found == FIXED.get(name, set())


def test_a_default_that_could_not_be_undone_is_refused() -> None:
    base = tarock_env.load("tarok_furr_4p")
    with pytest.raises(RulesetError, match="option 's0_auction' cannot have the default 'claim_final'"):
        variant(base, id="x", title="x", document="x", defaults={"s0_auction": "claim_final"})


def test_a_ruleset_with_chosen_options_is_not_registered() -> None:
    chosen = dataclasses.replace(tarock_env.load("koenigrufen_pagat", kontra_max=5), id="half_done")
    with pytest.raises(RulesetError, match="has option values chosen"):
        register(chosen)
