"""The pages in `docs`: their examples run, their links lead somewhere, the record on `records.md` is a true one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import tarock_env
from tarock_env import record
from tarock_env.record.opening import KEYS

ROOT = Path(tarock_env.__file__).resolve().parents[1]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")])


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a page in `docs`."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.S)


@pytest.mark.parametrize("page", ["environments.md", "observations.md", "heuristics.md", "records.md", "../README.md"])
def test_examples_run(page: str) -> None:
    examples = blocks(page, "python")
    assert examples
    for number, example in enumerate(examples, start=1):
        exec(compile(example, f"{page}, example {number}", "exec"), {})


def test_the_example_record_is_a_true_one() -> None:
    example = record.parse(blocks("records.md", "json")[0])
    assert record.verify(example) == []
    assert set(example) <= set(KEYS)


def test_the_records_page_names_every_key() -> None:
    text = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    keys = text.partition("## Keys")[2].partition("\n## ")[0]
    assert [key for key in KEYS if f"`{key}`" not in keys] == []
    assert set(json.loads(blocks("records.md", "json")[1])) == {"scores", "rings", "compulsory"}


def test_the_records_page_names_every_kind_of_item_and_action() -> None:
    text = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    for name in tarock_env.available():
        ruleset = tarock_env.load(name)
        assert [bonus.id for bonus in ruleset.bonuses if f"`{bonus.id}`" not in text] == []
        kinds = {action.partition(":")[0] for action in ruleset.actions.names[54:]}
        assert [kind for kind in kinds if not re.search(rf"`{kind}[:`]", text)] == []


def anchor(heading: str) -> str:
    """A heading as GitHub makes an anchor of it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target, fragment in re.findall(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)", page.read_text(encoding="utf-8")):
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        there = page.parent / target if target else page
        assert there.exists(), target
        if fragment:
            headings = re.findall(r"^#+ (.*)$", there.read_text(encoding="utf-8"), re.M)
            assert fragment in {anchor(heading) for heading in headings}, f"{target}#{fragment}"
