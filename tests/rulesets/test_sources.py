"""docs/decisions.md: every source that data and code cite can be found there, and every option is decided there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tarock_env

ROOT = Path(tarock_env.__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
ROWS = set(re.findall(r"^\| ([KSP]\d-\d+) \|", TEXT, re.M))
#: sections of the two lists: "K2.7, K3.7" and "B1–B8"
KEYS = re.findall(r"^\| ((?:[A-F]|K[23]\.)\d[^|]*?) \|", TEXT, re.M)


def sections() -> set[str]:
    """The sections that the key names."""
    found = set()
    for key in KEYS:
        for part in key.split(", "):
            first, _, last = part.partition("–")
            letter, low = first[:-1], int(first[-1])
            found |= {f"{letter}{number}" for number in range(low, int(last[-1] if last else low) + 1)}
    return found


def numbers(heading: str) -> set[int]:
    """The numbers of the list under a heading."""
    part = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    return {int(number) for number in re.findall(r"^(\d+)\. ", part, re.M)}


def resolves(source: str) -> bool:
    """Whether one source leads to something on the page."""
    if re.fullmatch(r"[KSP]\d-\d+", source):
        return source in ROWS
    if match := re.fullmatch(r"Appendix 5\.(\d+)", source):
        return int(match[1]) in numbers("Clarifications, Königrufen")
    if source in ("Appendix 1", "Appendix 3", "Appendix 5"):
        return f"`{source}`" in TEXT
    if match := re.fullmatch(r"(?:part )?K (\d+)", source):
        return int(match[1]) in numbers("Clarifications, documents 000, 001 and 004")
    return source.split()[0] in sections()


def cited() -> list[str]:
    """All sources of the seven rulesets."""
    rulesets = [tarock_env.load(name) for name in tarock_env.available()]
    rows = [row for ruleset in rulesets for row in (*ruleset.contracts, *ruleset.bonuses, *ruleset.options)]
    return sorted({source for row in rows for source in row.source.split(", ")})


@pytest.mark.parametrize("source", cited())
def test_sources_of_the_data(source: str) -> None:
    assert resolves(source)


def test_sources_in_the_code() -> None:
    for path in sorted((ROOT / "tarock_env").rglob("*.py")):
        for text in re.findall(r"Source: ([^\"]*?)\.?(?:\"\"\"|\n)", path.read_text(encoding="utf-8")):
            ids = re.findall(r"(?<![\w.-])(?:[KSP]\d-\d+|K[23]\.\d|[A-F]\d|Appendix \d(?:\.\d+)?|K \d+)(?![\w-])", text)
            assert [one for one in ids if not resolves(one)] == [], path


@pytest.mark.parametrize("name", tarock_env.available())
def test_options_are_decided(name: str) -> None:
    for option in tarock_env.load(name).options:
        assert f"`{option.name}`" in TEXT, option.name


def test_rows_are_complete() -> None:
    for series, count in (("K3", 47), ("K2", 42), ("S0", 50), ("S4", 38), ("P1", 34)):
        assert {row for row in ROWS if row.startswith(series)} == {f"{series}-{number}" for number in range(1, count + 1)}
