"""pgx on the CPU: a batch of games with a random legal action each, compiled by JAX as one function a step.

Like all of pgx, a step makes observation and mask of the next seat, and starts a new game where one is over.
"""

from __future__ import annotations

import functools
import time
from typing import Any

from experiments.bench.clock import Size, Stopwatch, Timed

SECONDS = 0.5  #: a measurement lasts at least so long


def sparrow_mahjong(engine: Any, size: Size) -> Timed:
    """Steps of Sparrow mahjong: draw and discard, three players."""
    return _steps("sparrow_mahjong", size.batch)


def leduc(engine: Any, size: Size) -> Timed:
    """Steps of Leduc hold'em: six cards, two players."""
    return _steps("leduc_holdem", size.batch)


@functools.cache
def _compiled(name: str, batch: int) -> tuple[Any, Any]:
    """The first states of a batch, and a function of states and key that steps all games."""
    import jax
    import jax.numpy as jnp
    import pgx
    from jax import jit as compiled_by_jax
    from pgx.experimental.wrappers import auto_reset

    env: Any = pgx.make(name)
    step_one = auto_reset(env.step, env.init)

    def step(state: Any, key: Any) -> Any:
        chosen, resets = jax.random.split(key)
        action = jax.random.categorical(chosen, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=-1)
        return jax.vmap(step_one)(state, action, jax.random.split(resets, batch))

    state = compiled_by_jax(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    compiled = compiled_by_jax(step)
    jax.block_until_ready(compiled(state, jax.random.PRNGKey(1)))
    return state, compiled


def _steps(name: str, batch: int) -> Timed:
    import jax

    state, step = _compiled(name, batch)
    steps, until, key = 0, time.perf_counter() + SECONDS, jax.random.PRNGKey(2)
    with Stopwatch() as watch:
        while time.perf_counter() < until:
            for _ in range(4):
                key, now = jax.random.split(key)
                state = step(state, now)
                steps += batch
            jax.block_until_ready(state)
    return watch.timed(steps)
