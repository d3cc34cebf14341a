"""Scores of finished hands in the form that learning and evaluation use."""

from __future__ import annotations

from tarock_env.engine.shares import took_part, zero_sum

__all__ = ["took_part", "zero_sum"]
