"""Learning curves: the evaluations in a run's log as a picture."""

from __future__ import annotations

import csv
from pathlib import Path

from agents.ppo.logs import CSV_FILE
from tarock_env.record import whole


def evaluations(folder: Path, opponent: str) -> list[tuple[float, float, float, float]]:
    """(decisions, mean, low, high) of each evaluation of a run against an opponent."""
    with (folder / CSV_FILE).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    name = f"versus_{opponent}"
    wanted = ("decisions", name, f"{name}_low", f"{name}_high")
    points = [[float(row[column]) for column in wanted] for row in rows if row.get(name)]
    return [(decisions, mean, low, high) for decisions, mean, low, high in points]


def draw(folder: Path, opponents: tuple[str, ...], title: str, target: Path) -> None:
    """Draw mean and 95 % interval against each opponent over the decisions learned from, as a PNG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    for opponent in opponents:
        points = evaluations(folder, opponent)
        if not points:
            continue
        decisions = [point[0] / 1e6 for point in points]
        axes.plot(decisions, [point[1] for point in points], marker="o", label=f"1 against {opponent}s")
        axes.fill_between(decisions, [point[2] for point in points], [point[3] for point in points], alpha=0.2)
    axes.axhline(0.0, color="grey", linewidth=0.8)
    axes.set_xlabel("decisions learned from, millions")
    axes.set_ylabel("points a hand, duplicate deals")
    axes.set_title(title)
    if axes.get_legend_handles_labels()[0]:  # a run that was stopped early has no evaluation
        axes.legend()
    with whole.replacing(target) as file:
        figure.savefig(file, format="png", dpi=120)
    pyplot.close(figure)
