"""Two-matrix attention layers trained with JAX in bfloat16 on a GPU: the program behind samples/jax_cuda.

Four layers in a scan, each with named scopes; four steps are recorded with their numbers. Run from the project's folder, so that the
recording names its source lines as below it:

    python3 samples/programs/train_jax.py OUT
"""
import sys

import jax
import jax.numpy as jnp

WIDTH = 256
SHAPES = {'query': (WIDTH, WIDTH), 'key': (WIDTH, WIDTH), 'value': (WIDTH, WIDTH), 'up': (WIDTH, 4 * WIDTH), 'down': (4 * WIDTH, WIDTH)}


def layer(x, weights):
    with jax.named_scope('attention'):
        query, key, value = x @ weights['query'], x @ weights['key'], x @ weights['value']
        x = x + jax.nn.softmax(query @ key.swapaxes(-1, -2) / WIDTH ** 0.5) @ value
    with jax.named_scope('mlp'):
        return x + jax.nn.gelu(x @ weights['up']) @ weights['down'], None


def loss_of(weights, x):
    return jnp.mean(jax.lax.scan(layer, x, weights)[0].astype(jnp.float32) ** 2)


@jax.jit
def train(weights, x):
    loss, gradients = jax.value_and_grad(loss_of)(weights, x)
    return jax.tree.map(lambda weight, gradient: weight - (1e-3 * gradient).astype(weight.dtype), weights, gradients), loss


def main(out):
    jax.config.update('jax_include_full_tracebacks_in_locations', False)
    random = jax.random.key(0)
    weights = {name: (jax.random.normal(random, (4, *shape)) * 0.02).astype(jnp.bfloat16) for name, shape in SHAPES.items()}
    x = jax.random.normal(random, (8, 128, WIDTH)).astype(jnp.bfloat16)
    weights, loss = train(weights, x)
    loss.block_until_ready()
    options = jax.profiler.ProfileOptions()
    options.python_tracer_level = 0
    with jax.profiler.trace(out, profiler_options=options):
        for step in range(4):
            with jax.profiler.StepTraceAnnotation('train', step_num=step):
                weights, loss = train(weights, x)
                loss.block_until_ready()


if __name__ == '__main__':
    main(sys.argv[1])
