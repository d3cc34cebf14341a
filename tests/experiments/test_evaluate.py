"""The duplicate match: fair, reproducible, honest intervals."""

from __future__ import annotations

import json

import numpy as np
import pytest

import tarock_env
from agents.base import make
from experiments.cli import main
from experiments.duplicate import CHALLENGER, DESIGNS, play, seatings, t_quantile

RULESETS = tarock_env.available()


class Lowest:
    """Takes the lowest legal action."""

    name = "lowest"

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        return np.asarray(mask.argmax(axis=1))


class Highest:
    """Takes the highest legal action."""

    name = "highest"

    def act(self, views: np.ndarray, mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        return np.asarray(mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1))


@pytest.fixture(scope="module")
def engine() -> tarock_env.Engine:
    return tarock_env.make("koenigrufen_pagat")


@pytest.mark.parametrize(
    "ruleset, design",
    [(name, design) for name in RULESETS for design in DESIGNS if design == "1v3" or tarock_env.load(name).players == 4],
)
def test_identical_deterministic_agents_differ_by_exactly_nothing(ruleset: str, design: str) -> None:
    engine = tarock_env.make(ruleset)
    result = play(engine, Lowest(), Lowest(), 20, 1, design)
    assert (result.differences == 0.0).all()
    assert result.ci95 == (0.0, 0.0)


def test_identical_agents_differ_by_nothing_with_five_at_the_table() -> None:
    engine = tarock_env.make("koenigrufen_pagat", table_size=5)
    assert (play(engine, Lowest(), Lowest(), 20, 1).differences == 0.0).all()


def test_same_seed_same_score_on_every_deal(engine: tarock_env.Engine) -> None:
    random = make("random", engine)
    first = play(engine, random, Lowest(), 700, 5)
    np.testing.assert_array_equal(first.differences, play(engine, random, Lowest(), 700, 5).differences)
    np.testing.assert_array_equal(first.differences[:100], play(engine, random, Lowest(), 100, 5).differences)
    assert (first.differences[:100] != play(engine, random, Lowest(), 100, 6).differences).any()


def test_swapping_the_agents_in_pairs_changes_the_sign(engine: tarock_env.Engine) -> None:
    """In 2v2 with nothing random, the scores of all pairs are the same hands seen from the other side."""
    one, other = play(engine, Lowest(), Highest(), 50, 2, "2v2"), play(engine, Highest(), Lowest(), 50, 2, "2v2")
    np.testing.assert_allclose(one.raw, -other.raw, atol=1e-9)


def test_arrangements() -> None:
    four = seatings("1v3", 4)
    assert four.shape == (5, 4)
    assert ((four == CHALLENGER).sum(axis=1) == [0, 1, 1, 1, 1]).all()
    assert ((seatings("3v1", 4) == CHALLENGER).sum(axis=1) == [0, 3, 3, 3, 3]).all()
    assert ((seatings("2v2", 4) == CHALLENGER).sum(axis=1) == [0] + [2] * 6).all()
    assert seatings("1v3", 3).shape == (4, 3)
    for plan in (four, seatings("2v2", 4), seatings("1v3", 3)):
        assert len(set(((plan == CHALLENGER).sum(axis=0)).tolist())) == 1  # every seat equally often
    with pytest.raises(ValueError, match="allowed"):
        seatings("4v0", 4)


def test_tables_count_every_hand(engine: tarock_env.Engine) -> None:
    result = play(engine, make("random", engine), Lowest(), 100, 3)
    cells = [cell for roles in result.contracts.values() for cell in roles.values()]
    assert sum(cell.hands for cell in cells) == 400
    assert result.hands == 500
    total = sum(cell.points for cell in cells) / 400
    baseline = play(engine, Lowest(), Lowest(), 100, 3)
    assert baseline.raw.mean() == pytest.approx(0.0, abs=1e-9)
    assert result.mean == pytest.approx(total, abs=1e-9)  # the baseline of a zero-sum game sums to nothing over the seats


@pytest.mark.parametrize("degrees, value", [(1, 12.706), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (1999, 1.961)])
def test_quantiles(degrees: int, value: float) -> None:
    assert t_quantile(degrees) == pytest.approx(value, abs=1e-3)


def test_command_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", "random", "uniform", "--ruleset", "koenigrufen_pagat", "--deals", "20", "--seed", "4"]
    assert main([*words, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert {"mean", "ci95", "deals", "hands", "sd", "contracts"} <= result.keys()
    low, high = result["ci95"]
    assert low <= result["mean"] <= high
    assert (result["deals"], result["hands"]) == (20, 100)
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "points a hand, 95 %" in text
    assert "defender" in text


@pytest.mark.parametrize(
    "words, message",
    [
        (["nobody", "random"], "nobody"),
        (["random", "ppo:nowhere"], "nowhere"),
        (["random", "random", "--deals", "1"], "'1'"),
        (["random", "random", "--design", "4v4"], "4v4"),
        (["random", "random", "--ruleset", "bridge"], "bridge"),
        (["random", "random", "--seed", "-1"], "-1"),
    ],
)
def test_bad_input_is_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = [] if "--ruleset" in words else ["--ruleset", "koenigrufen_pagat"]
    assert main(["evaluate", *words, *game]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("design", ["3v1", "2v2"])
def test_designs_of_four_are_refused_with_three_players(design: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", "random", "uniform", "--ruleset", "slovenian_3p", "--deals", "2", "--design", design]
    assert main(words) == 2
    assert f"'{design}'; allowed with 3 players: 1v3" in capsys.readouterr().err
