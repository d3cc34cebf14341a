"""A report as Markdown tables, and their place in a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from experiments.bench.targets import TARGETS

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


def tables(report: Mapping[str, Any]) -> str:
    """What was measured, where, and the ratios."""
    return "\n".join([*_about(report), "", *_rows(report["rows"]), "", *_ratios(report["ratios"])])


def placed(page: str, text: str) -> str:
    """The page with its figures replaced.

    Raises:
        ValueError: the page has no place for them.
    """
    if page.count(BEGIN) != 1 or page.count(END) != 1 or page.index(BEGIN) > page.index(END):
        raise ValueError(f"the page has no place for figures; allowed: one {BEGIN} before one {END}")
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.partition(END)[2]}"


def number(value: float) -> str:
    """A figure as it is read: three digits or so."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= 10 * size or (size == 1e6 and value >= size):
            return f"{value / size:.{1 if value < 100 * size else 0}f} {unit}"
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"


def _about(report: Mapping[str, Any]) -> Iterator[str]:
    machine, about = report["machine"], report["manifest"]
    peers = {one["peer"]: one["version"] for one in report["ratios"] if "version" in one}
    versions = ", ".join(f"{name} {version}" for name, version in {**about["versions"], **peers}.items())
    mix = ", ".join(f"{name} {share:.0%}" for name, share in report["contracts"].items() if share >= 0.005)
    yield f"{machine['cpu']}, {machine['cores']} cores; {about['platform']['system']}; load {report['load']:.1f} at first."
    yield f"Versions: {versions}."
    yield (
        f"`{about['ruleset']['id']}`: {report['decisions_per_hand']:.1f} decisions a hand with policy `random`, "
        f"{report['uniform_decisions_per_hand']:.1f} with `uniform`. Contracts of random hands: {mix}."
    )


def _rows(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    yield from ("| measure | figure | decisions a hand | threads, cores at work |", "|---|---|---|---|")
    for row in rows:
        work = f"{row['threads']}, {row['cores']:.1f}" if "threads" in row else ""
        yield f"| {row['name']} | {_rate(row, row['unit'])} | {_hand(row)} | {work} |"


def _ratios(ratios: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    yield from ("| comparison | first | second | ratio | target |", "|---|---|---|---|---|")
    for ratio in ratios:
        target = str(TARGETS.get(ratio["name"], ""))
        if "missing" in ratio:
            reason = re.sub(r"[|\n]", " ", ratio["missing"])
            yield f"| {ratio['name']} | | | {reason} | {target} |"
            continue
        first, second = _ends(ratio)
        by_cpu = f" ({ratio['ratio_per_cpu_second']:.2f} a CPU second)" if "ratio_per_cpu_second" in ratio else ""
        sides = f"{_side(first, ratio)} | {_side(second, ratio)}"
        yield f"| {ratio['name']} | {sides} | {ratio['ratio']:.2f}{by_cpu} | {target} |"


def _ends(ratio: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The two that the ratio is of: of more than two, the highest and the lowest rate."""
    told = ratio["contestants"]
    if len(told) == 2:
        return told[0], told[1]
    return max(told, key=lambda one: float(one["value"])), min(told, key=lambda one: float(one["value"]))


def _side(one: Mapping[str, Any], ratio: Mapping[str, Any]) -> str:
    a_hand = f", {_hand(one)} a hand" if "decisions_per_hand" in one else ""
    return f"{one['label']}: {_rate(one, ratio['unit'])}{a_hand}"


def _rate(one: Mapping[str, Any], unit: str) -> str:
    by_cpu = f" ({number(one['per_cpu_second'])} a CPU second)" if "per_cpu_second" in one else ""
    return f"{number(one['value'])} {unit}{by_cpu}"


def _hand(one: Mapping[str, Any]) -> str:
    return f"{one['decisions_per_hand']:.1f}" if "decisions_per_hand" in one else ""
