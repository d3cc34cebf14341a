"""Errors of the engine. All are `ValueError`s that say where, what was given and what is allowed."""

from __future__ import annotations


class IllegalAction(ValueError):
    """An action that is not legal at this decision. No row of the batch was changed.

    Attributes:
        row: row of the batch; phase: name of the phase; seat: seat to act; action: what was given;
        legal: names of all legal actions.
    """

    def __init__(self, message: str, *, row: int, phase: str, seat: int, action: str, legal: list[str]) -> None:
        super().__init__(message)
        self.row, self.phase, self.seat, self.action, self.legal = row, phase, seat, action, legal


class BadAction(TypeError, ValueError):
    """Actions of a wrong type or shape: not whole numbers, or not one for each game."""


class BadPosition(ValueError):
    """A position that cannot be set up: a card twice, a wrong number of cards, a seat that does not exist."""
