"""Rules of thumb for every decision, compiled: one rule a function, driven by contract columns only (docs/heuristics.md)."""
