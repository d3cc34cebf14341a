"""The Slovenian games against OpenSpiel's `tarok` (extra `bench`); `python -m tests.oracles.openspiel` plays many more."""

import pytest

pytest.importorskip("pyspiel")

from tests.oracles.openspiel import compare


@pytest.mark.parametrize("players", [4, 3])
def test_every_difference_is_a_known_slip(players: int) -> None:
    contracts, _, wrong = compare(players, hands=400, seed=11)
    assert wrong == []
    assert sum(contracts.values()) == 400
    assert len(contracts) >= (9 if players == 4 else 6)
