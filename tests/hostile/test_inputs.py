"""Bytes from strangers at every door: a short sample of what `tests.fuzz_inputs` does for as long as one likes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz_inputs import FOUND
from tests.hostile.targets import TARGETS

pytestmark = pytest.mark.filterwarnings("error")
QUICK = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("name", TARGETS)
@QUICK
@given(st.binary(max_size=64))
def test_any_bytes(name: str, data: bytes) -> None:
    TARGETS[name](data)


@pytest.mark.parametrize("name", TARGETS)
def test_random_damage(name: str) -> None:
    rng = random.Random(name)
    for _ in range(120):
        TARGETS[name](rng.randbytes(rng.randrange(4, 60)))


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
@settings(QUICK, max_examples=5000)
@given(st.binary(max_size=200))
def test_any_bytes_at_length(name: str, data: bytes) -> None:
    TARGETS[name](data)


@pytest.mark.parametrize("path", sorted(FOUND.glob("*")), ids=lambda path: path.name)
def test_what_was_found_once_is_right_now(path: Path) -> None:
    TARGETS[path.name.split("-")[0]](path.read_bytes())
