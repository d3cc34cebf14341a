"""Reference agents. Importing this package lets the environments resolve specs such as ``opponents="heuristic"``."""

from agents.base import Agent, available, make, register
from tarock_env.envs import opponents

__all__ = ["Agent", "available", "make", "register"]

opponents.register(make)
