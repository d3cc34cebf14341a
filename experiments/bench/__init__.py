"""What `tarock benchmark` measures: a file for each part of the project, one for each peer, and what compares the two.

A measurement is a function ``measure(engine, size) -> Timed``: it sets up, works under a clock, and says how many things
were done in how much time. `experiments.benchmark` lists them in rows and ratios.
"""
