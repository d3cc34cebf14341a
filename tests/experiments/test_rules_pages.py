"""The committed rules pages are what the generator makes of the data now."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import tarock_env
from experiments import sentences
from experiments.rules import render_rules
from experiments.rules.columns import meanings
from experiments.rules.tables import TOLD_OF_BONUSES, TOLD_OF_CONTRACTS
from tarock_env.rulesets.schema import Announcements, Auction, Bonus, Contract, Deal, Discards, Scoring, Session

PAGES = Path(__file__).resolve().parents[2] / "docs" / "rules"


@pytest.mark.parametrize("name", tarock_env.available())
def test_pages_are_up_to_date(name: str) -> None:
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert text == render_rules(tarock_env.load(name)), "run: ./run tarock rules all --out docs/rules"


def test_there_is_a_page_for_each_ruleset_and_no_other() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == set(tarock_env.available())


@pytest.mark.parametrize("table", [Contract, Bonus, Deal, Auction, Announcements, Discards, Scoring, Session])
def test_every_column_is_explained_beside_its_definition(table: Any) -> None:
    told = {Contract: TOLD_OF_CONTRACTS, Bonus: TOLD_OF_BONUSES}.get(table, ("packets",))
    columns = {field.name for field in dataclasses.fields(table)} - {"id", *told}
    assert columns - set(meanings(table)) == set()


@pytest.mark.parametrize("name", tarock_env.available())
def test_every_value_of_every_option_has_sentences(name: str) -> None:
    """No combination of columns that an option makes is left without words."""
    ruleset = tarock_env.load(name)
    for option in ruleset.options:
        for value in option.values:
            need = option.requires.get(value)
            changed = tarock_env.load(name, **{option.name: value}, **({need[0]: need[1]} if need else {}))
            said = [*sentences.auction(changed), *sentences.announcements(changed), *sentences.scoring(changed)]
            said += [*sentences.deal(changed), *sentences.exchange(changed), *sentences.session(changed)]
            assert all(sentence.endswith((".", ")")) and "  " not in sentence for sentence in said)
            assert render_rules(changed).startswith(f"# {ruleset.title}\n")
