# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Fitting small tanh nets with JAX and optax: the training loop is one compiled scan, so that the few
thousand parameters of a contact law take seconds.

Adam with cosine decay, a minibatch per update. The classifier's cross-entropy is weighted by
1/sqrt(count of the class). The regressor's squared error is censored: a patch whose sliding ended within the
step tells that friction could do at least that much, and not how much it would have done. Such a row pulls
the ratio up (away from 0, in its direction) to what it showed and does not care about more, which the decode
clamps. What is left to learn is the law of sliding, smooth where the clamp has a kink.

Initial weights and batches come from one seed: the same seed on the same machine gives the same bits.
"""
from dataclasses import dataclass

import numpy as np

from ..build import missing
from ..errors import TinycontactError

SIZES = {"16-16": (16, 16), "24-16": (24, 16), "32-32-16": (32, 32, 16)}   # hidden layers
CHUNKS = 20   # compiled pieces of a training, between which progress is told


@dataclass
class Recipe:
    """How a net is fitted; the defaults are what the numbers in tests/models come from."""

    hidden: tuple = (16, 16)
    updates: int = 20000
    batch: int = 512
    rate: float = 1e-2
    seed: int = 1
    decay: float = 0.0   # of weights, per unit of rate: for noisy labels


def frameworks():
    """(jax, jax.numpy, optax), or what to do about their absence."""
    try:
        import jax
        import optax
    except ImportError as error:
        raise TinycontactError(f"training needs {error.name}: {missing(error.name, 'train')}") from None
    return jax, jax.numpy, optax


def _initial(jax, dims, key):
    """Glorot-normal weights [n_in, n_out], zero biases."""
    keys = jax.random.split(key, len(dims) - 1)
    return [(jax.random.normal(k, (a, b)) * np.sqrt(2 / (a + b)), np.zeros(b, np.float32))
            for k, a, b in zip(keys, dims, dims[1:])]


def _forward(jnp, params, x):
    for weights, bias in params[:-1]:
        x = jnp.tanh(x @ weights + bias)
    weights, bias = params[-1]
    return x @ weights + bias


def minimise(arrays, n_out, recipe, loss, tell):
    """Parameters after recipe.updates updates of the mean of loss(output, rows of the other arrays);
    arrays: normalised inputs first."""
    jax, jnp, optax = frameworks()
    arrays = [jnp.asarray(a, None if a.dtype == np.int32 else np.float32) for a in arrays]
    dims = (arrays[0].shape[1], *recipe.hidden, n_out)
    key, start = jax.random.split(jax.random.PRNGKey(recipe.seed))
    params = _initial(jax, dims, start)
    chunk = -(-recipe.updates // CHUNKS)
    schedule = optax.cosine_decay_schedule(recipe.rate, chunk * CHUNKS)
    optimiser = optax.adamw(schedule, weight_decay=recipe.decay)

    def mean_loss(params, rows):
        x, *others = (a[rows] for a in arrays)
        return jnp.mean(loss(_forward(jnp, params, x), *others))

    def update(carry, key):
        params, state = carry
        rows = jax.random.randint(key, (recipe.batch,), 0, len(arrays[0]))
        value, slope = jax.value_and_grad(mean_loss)(params, rows)
        step, state = optimiser.update(slope, state, params)
        return (optax.apply_updates(params, step), state), value

    run = jax.jit(lambda carry, keys: jax.lax.scan(update, carry, keys))
    carry = (params, optimiser.init(params))
    for k, keys in enumerate(jax.random.split(key, (CHUNKS, chunk))):
        carry, values = run(carry, keys)
        tell((k + 1) / CHUNKS, float(values.mean()))
    return [(np.asarray(w, np.float64), np.asarray(b, np.float64)) for w, b in carry[0]]


def normaliser(x):
    """(mean, 1/deviation) of columns, float32 as a file stores them; a constant column keeps scale 1."""
    mean, deviation = x.mean(axis=0), x.std(axis=0)
    scale = np.where(deviation > 1e-9, 1 / np.maximum(deviation, 1e-9), 1.0)
    return mean.astype(np.float32), scale.astype(np.float32)


def class_weights(kinds, n=3):
    """[rows] 1/sqrt(count of the row's class), mean 1."""
    count = np.bincount(kinds, minlength=n).astype(np.float64)
    weight = 1 / np.sqrt(np.maximum(count, 1))[kinds]
    return weight / weight.mean()


def fit_classifier(x, kinds, recipe, tell=lambda share, loss: None):
    """[(W [n_in, n_out], b)] of logits for classes 0..2 from normalised inputs."""
    _, _, optax = frameworks()

    def loss(output, wanted, weight):
        return weight * optax.softmax_cross_entropy_with_integer_labels(output, wanted)
    return minimise([x, kinds.astype(np.int32), class_weights(kinds)], 3, recipe, loss, tell)


def fit_regressor(x, target, bound, recipe, tell=lambda share, loss: None):
    """[(W, b)] of one output: the target, or where bound is +1 (-1) at least (at most) the target."""
    _, jnp, _ = frameworks()

    def loss(output, wanted, bound):
        miss = output[:, 0] - wanted
        return jnp.where(miss * bound > 0, 0.0, miss)**2
    return minimise([x, target, bound], 1, recipe, loss, tell)


def logits(params, x):
    """What the parameters give, float64."""
    for weights, bias in params[:-1]:
        x = np.tanh(x @ weights + bias)
    weights, bias = params[-1]
    return x @ weights + bias
