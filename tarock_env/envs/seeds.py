"""The seeds of an environment: which key each of its games gets."""

from __future__ import annotations

import secrets

import numpy as np

from tarock_env.engine.chance import DEAL, make_keys, one_way

SESSION_SALT = 19


def fresh_seed() -> int:
    """A seed from the operating system, for an environment that was given none."""
    return secrets.randbits(63)


def check_seed(seed: object) -> int:
    """A seed.

    Raises:
        ValueError: it is not a whole number in 0 … 2**64 - 1.
    """
    make_keys(0, seed)  # type: ignore[arg-type]
    return int(seed)  # type: ignore[call-overload]


def session_name(key: int) -> str:
    """The name of the session whose first hand has this key; it tells nothing of key, seed or later hands."""
    return f"{int(one_way(np.uint64(key), SESSION_SALT)):016x}"


class GameSeeds:
    """The keys of an environment's games, one after the other.

    Game k after a reset with a seed has the key of row k of ``engine.reset(…, seed)``. An environment that was never seeded
    takes a seed from the operating system; `seed` tells it.
    """

    def __init__(self) -> None:
        self.seed: int | None = None
        self.game = -1  #: number of the present game

    def following(self, seed: int | None) -> tuple[int, int, int]:
        """(seed, number, key) of the game that a reset with this seed starts; nothing is changed.

        Raises:
            ValueError: the seed is not a whole number in 0 … 2**64 - 1.
        """
        game = self.game + 1 if seed is None else 0
        if seed is None:
            seed = fresh_seed() if self.seed is None else self.seed
        return check_seed(seed), game, int(make_keys(1, seed, DEAL, first=game)[0])

    def move_to(self, seed: int, game: int) -> None:
        """Make a game from `following` the present one."""
        self.seed, self.game = seed, game
