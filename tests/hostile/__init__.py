"""Hostile input: junk, damage and lies of all kinds, at every door of the project. Only documented errors may come out."""
