"""Slow referees written from the rulebook pages alone; nothing here knows the engine."""
