"""`tarock rulesets`, `tarock rules`, `tarock warm`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tarock_env
from experiments import cli, rules
from experiments.rules.columns import json_word, meanings, shown
from tarock_env.codes import Door, Priority
from tarock_env.rulesets.schema import Contract

RULESETS = tarock_env.available()


@pytest.mark.parametrize("name", RULESETS)
def test_a_page_holds_all_that_the_ruleset_has(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    ruleset = tarock_env.load(name)
    assert cli.main(["rules", name]) == 0
    page = capsys.readouterr().out
    assert page == rules.render_rules(ruleset)
    assert page.startswith(f"# {ruleset.title}\n")
    for row in (*ruleset.contracts, *ruleset.bonuses):
        assert f"| `{row.id}` |" in page
        assert f"| {row.source} |" in page
    for option in ruleset.options:
        (line,) = [
            line
            for line in page.partition("## Options")[2].partition("## Actions")[0].splitlines()
            if line.startswith(f"| `{option.name}` |")
        ]
        assert option.meaning in line
        assert option.source in line
        assert line.count("**") == 2
        assert all(json_word(value) in line for value in option.values)
    assert all(f"`{action}`" in page for action in ruleset.actions.names[54:])


@pytest.mark.parametrize("name", RULESETS)
def test_tables_are_well_formed(name: str) -> None:
    """All rows of a table have as many cells as its header, and no Python shows."""
    page = rules.render_rules(tarock_env.load(name))
    assert "None" not in page.replace("None.", "")
    assert not [word for word in ("<", "True", "False", "dataclass") if word in page]
    for block in page.split("\n\n"):
        lines = block.splitlines()
        if lines[0].startswith("|"):
            assert len({line.count("|") - line.count("\\|") for line in lines}) == 1


def test_options_change_the_page() -> None:
    plain = rules.render_rules(tarock_env.load(RULESETS[0]))
    changed = rules.render_rules(tarock_env.load(RULESETS[0], kontra_max=5))
    assert "| max contra | **5** |" in changed
    assert "| max contra | **3** |" in plain


def test_meanings_are_read_from_the_source() -> None:
    assert meanings(Contract)["forced"] == "beat the trick if you can"
    assert meanings(Contract)["rank"] == "place in the order of bids; reserved contracts have 0"
    assert meanings(Priority)["ELDEST"] == "forehand only"
    assert shown(Door.AUCTION | Door.RAISE) == "auction, raise"


def test_pages_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rules", "all", "--out", str(tmp_path / "rules")]) == 0
    assert sorted(path.stem for path in (tmp_path / "rules").iterdir()) == sorted(RULESETS)
    assert capsys.readouterr().out == ""


def test_all_pages_need_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rules", "all"]) == 2
    assert "give --out FOLDER" in capsys.readouterr().err


def test_an_unknown_ruleset(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rules", "whist"]) == 2
    assert "no ruleset 'whist'; available: " in capsys.readouterr().err


def test_rulesets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rulesets"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(RULESETS)
    cli.main(["rulesets", "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert [fact["id"] for fact in facts] == list(RULESETS)
    assert facts[0]["contracts"][0] == tarock_env.load(RULESETS[0]).contracts[0].id


def test_warming_is_quick_once_all_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["warm", "--force"]) == 0
    assert "kernels: compiled in" in capsys.readouterr().out
    assert cli.main(["warm"]) == 0
    assert capsys.readouterr().out == "kernels: compiled\n"
