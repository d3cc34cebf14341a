"""Positions and hands for people to read.

print(render(engine, views))          # what one seat knows
print(render_state(engine, state))    # everything
print(annotate(record))               # a whole hand
"""

from __future__ import annotations

from tarock_env.render.annotated import annotate
from tarock_env.render.text import render, render_state

__all__ = ["annotate", "render", "render_state"]
