"""Keys and draws against the formulas of their docstrings, in plain whole numbers."""

from __future__ import annotations

import numpy as np
import pytest

from tarock_env.engine import chance
from tarock_env.engine.chance import AGENT, DEAL, make_keys
from tarock_env.engine.single import fill_bases, fill_game_keys

WORD = 1 << 64
KEYS = [0, 1, 2, 0x9E3779B97F4A7C15, 12345678901234567890, WORD - 1]


def finalised(z: int) -> int:
    """The finaliser of SplitMix64, as Steele, Lea and Flood print it."""
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) % WORD
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) % WORD
    return z ^ z >> 31


def mixed(key: int, salt: int) -> int:
    return finalised((key + (salt + 1) * 0x9E3779B97F4A7C15) % WORD)


def one_way(key: int, salt: int) -> int:
    return mixed(mixed(key, salt), 1) ^ mixed(mixed(key, salt + (1 << 32)), 2)


def test_the_second_writing_gives_the_printed_sequence() -> None:
    """The first numbers of SplitMix64 from 1234567, as other implementations of it give them."""
    found = [mixed(1234567, i) for i in range(3)]
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("salt", [0, 1, 7, 1000, (1 << 31) + 5])
def test_mixing(key: int, salt: int) -> None:
    assert int(chance.mixed(np.uint64(key), salt)) == mixed(key, salt)
    assert int(chance.one_way(np.uint64(key), salt)) == one_way(key, salt)


@pytest.mark.parametrize("key", KEYS)
def test_a_decision_has_the_key_of_its_number_and_seat(key: int) -> None:
    for decision, seat in [(0, 0), (0, 4), (1, 0), (77, 3)]:
        assert int(chance.decision_key(np.uint64(key), decision, seat)) == one_way(key, 8 * decision + seat)


@pytest.mark.parametrize("key", KEYS)
def test_numbers_come_from_the_upper_half_and_fractions_from_the_lower(key: int) -> None:
    for bound in (1, 2, 54, 64, 1000):
        assert int(chance.below(np.uint64(key), bound)) == (key >> 32) * bound >> 32
    assert float(chance.fraction(np.uint64(key))) == (key % (1 << 32)) / (1 << 32)


@pytest.mark.parametrize("seed", [0, 3, WORD - 1])
def test_keys_of_games(seed: int) -> None:
    for stream in (DEAL, AGENT):
        base = mixed(mixed(seed, stream), 0)
        assert make_keys(4, seed, stream, first=9).tolist() == [mixed(base, game) for game in range(9, 13)]


def test_games_of_many_seeds_have_the_keys_of_each() -> None:
    seeds, games = np.array([5, 5, WORD - 1], np.uint64), np.array([0, 8, 3])
    bases, keys = np.zeros(3, np.uint64), np.zeros(3, np.uint64)
    fill_bases(bases, seeds, DEAL)
    fill_game_keys(keys, bases, games)
    assert keys.tolist() == [int(make_keys(1, int(s), DEAL, int(g))[0]) for s, g in zip(seeds, games, strict=True)]
