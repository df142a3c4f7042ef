"""Records a few training steps of JAX on the CPU: `jax_training.py FOLDER [STEPS]`. Two layers, a gradient, a loop inside a program."""
import sys

import jax
import jax.numpy as jnp

folder, steps = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4


@jax.jit
def train_step(weights, batch):
    def loss(weights):
        with jax.named_scope("layers"):
            hidden = jnp.tanh(batch @ weights[0])
            return jnp.mean((hidden @ weights[1]) ** 2)

    value, gradient = jax.value_and_grad(loss)(weights)
    return [w - 0.1 * g for w, g in zip(weights, gradient)], value


@jax.jit
def scan(batch, weights):
    return jax.lax.scan(lambda carry, _: (jnp.tanh(carry @ weights), carry.sum()), batch, jnp.arange(3))


weights = [jnp.full((96, 128), 0.01), jnp.full((128, 32), 0.01)]
batch = jnp.ones((64, 96))
square = jnp.full((96, 96), 0.01)
train_step(weights, batch)[1].block_until_ready()  # compiled before the recording
scan(batch, square)[1].block_until_ready()
with jax.profiler.trace(folder):
    for step in range(steps):
        with jax.profiler.StepTraceAnnotation("train", step_num=step):
            with jax.profiler.TraceAnnotation("forward and backward"):
                weights, value = train_step(weights, batch)
            value.block_until_ready()
    scan(batch, square)[1].block_until_ready()
