"""Compiled loops of PPO, apart from the rest so that other edits do not make the engine compile again."""
