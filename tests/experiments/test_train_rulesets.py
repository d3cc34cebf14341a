"""PPO on every ruleset by one command, and what defenders learn from where only the declarer's side is credited."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tarock_env
from experiments.cli import main
from tarock_env.engine.shares import zero_sum
from tests.experiments.test_train import SMALL, rows


@pytest.mark.parametrize("ruleset", tarock_env.available())
def test_one_command_trains_every_ruleset(ruleset: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert main(["train", "--ruleset", ruleset, "--decisions", "1200", "--seed", "3", "--out", str(out), *SMALL]) == 0
    last = rows(out)[-1]
    assert int(last["decisions"]) >= 1200
    shares = {name: float(value) for name, value in last.items() if name.startswith("share_")}
    assert set(shares) == {f"share_{row.id}" for row in tarock_env.load(ruleset).contracts}
    assert main(["evaluate", f"ppo:{out}", "random", "--ruleset", ruleset, "--deals", "2"]) == 0


@pytest.mark.parametrize("ruleset", ["slovenian_4p", "slovenian_3p"])
def test_defenders_are_rewarded_where_only_the_declarer_scores(ruleset: str) -> None:
    """Beating a contract scores the defenders nothing; what they learn from is positive, and as large as it was costly."""
    engine = tarock_env.make(ruleset)
    state = engine.reset(2000, seed=4)
    engine.playout(state, "random")
    rewards, scores = zero_sum(engine, state), state["scores"][:, : engine.P]
    seats = np.arange(engine.P)
    defends = (seats != state["declarer"][:, None]) & (seats != state["partner"][:, None])
    alone = (state["declarer"] >= 0) & (state["partner"] < 0) & ((scores * defends).sum(axis=1) == 0)
    lost = alone & (scores.min(axis=1) < 0)
    assert lost.sum() > 50
    cost = -scores[lost].min(axis=1).astype(float)
    assert (scores[lost][defends[lost]] == 0).all()
    assert np.allclose(rewards[lost][defends[lost]].reshape(lost.sum(), -1), (cost / engine.P)[:, None])
