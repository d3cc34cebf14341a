"""Self-play PPO: one masked network for all seats of a ruleset, a critic that sees everything in training.

Read in this order: `config` (every setting), `packed` and `network` (the two nets), `choice` and `rollout` (playing),
`advantages`, `update` (learning), `clone` (warm start), `pool` (opponents), `trainer` (the loop), `checkpoint`, `agent`.
"""
