# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Nets from JAX pytrees and PyTorch modules.

A net here stores W as [n_out, n_in] (PyTorch's Linear.weight). JAX code multiplies x @ W, so its kernels are
[n_in, n_out] and are transposed. Which of the two a matrix is follows from the length of its bias, and, for
square ones, from the layers beside it or the framework's habit; a contradiction is an error that says so.
Arrays may be of any kind NumPy can take, so plain NumPy needs neither framework.
"""
import re

import numpy as np

from .errors import TinycontactError
from .net import ACTIVATIONS, Net

WEIGHT_KEYS = ("kernel", "w", "W", "weight", "weights")
BIAS_KEYS = ("bias", "b", "B", "biases")


def _number(key):
    """Sorts Dense_2 before Dense_10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", str(key))]


def _array(value, what):
    for step in ("detach", "cpu", "numpy"):   # a PyTorch tensor
        if hasattr(value, step):
            value = getattr(value, step)()
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TinycontactError(f"{what}: not an array of numbers ({error})") from None


def _oriented(pairs, transposed, what):
    """Matrices as [n_out, n_in]. `transposed`: the framework's habit is [n_in, n_out]."""
    result, before = [], None
    for k, (weights, bias) in enumerate(pairs):
        name = f"{what}, layer {k}"
        weights, bias = _array(weights, f"{name}, weights"), _array(bias, f"{name}, bias")
        if weights.ndim != 2 or bias.ndim != 1 or len(bias) not in weights.shape:
            raise TinycontactError(f"{name}: weights {weights.shape} and bias {bias.shape} do not fit; one"
                                   f" dimension of"
                                   " the weights is the number of outputs, as many as the bias has")
        habit = weights.T if transposed else weights
        fits = [w for w in (habit, habit.T) if w.shape[0] == len(bias) and before in (None, w.shape[1])]
        if not fits:
            raise TinycontactError(f"{name}: weights {weights.shape} fit neither way between {before} inputs"
                                   f" and"
                                   f" {len(bias)} outputs")
        result.append((fits[0], bias))
        before = len(bias)
    return result


def _net(pairs, activations, transposed, name, head, options, what):
    pairs = _oriented(pairs, transposed, what)
    if not pairs:
        raise TinycontactError(f"{what}: no layers found")
    if isinstance(activations, str):
        activations = [activations] * (len(pairs) - 1) + ["identity"]
    if len(activations) != len(pairs):
        raise TinycontactError(f"{what}: {len(activations)} activations for {len(pairs)} layers; one word"
                               f" stands for all"
                               " hidden layers, the last one is then identity")
    layers = [(w, b, a) for (w, b), a in zip(pairs, activations)]
    return Net(name, layers, head, **options)


# ---- JAX -------------------------------------------------------------------------------------------

def _pick(mapping, keys):
    found = [key for key in keys if key in mapping]
    return mapping[found[0]] if found else None


def _pairs(tree, what):
    """The (W, b) of a pytree, in order: a list or tuple of layers, or dicts in the order of their numbers."""
    if isinstance(tree, dict):
        weights, bias = _pick(tree, WEIGHT_KEYS), _pick(tree, BIAS_KEYS)
        if weights is not None and not isinstance(weights, dict):
            if bias is None:
                raise TinycontactError(f"{what}: weights without a bias ({', '.join(map(str, tree))}); a"
                                       f" layer has both")
            return [(weights, bias)]
        children = [(f"{what}[{key!r}]", tree[key]) for key in sorted(tree, key=_number)]
        return [pair for name, child in children for pair in _pairs(child, name)]
    if isinstance(tree, (list, tuple)):
        if len(tree) == 2 and [np.ndim(leaf) if hasattr(leaf, "shape") else None for leaf in tree] == [2, 1]:
            return [tuple(tree)]
        return [pair for k, child in enumerate(tree) for pair in _pairs(child, f"{what}[{k}]")]
    if hasattr(tree, "shape"):
        raise TinycontactError(f"{what}: an array of shape {tuple(tree.shape)} by itself; wanted (W, b)"
                               f" pairs, or dicts"
                               " with kernel and bias")
    return _leaves(tree, what)


def _leaves(tree, what):
    """Any other pytree node: JAX takes it apart; a matrix and a vector side by side are a layer."""
    try:
        import jax
    except ImportError:
        raise TinycontactError(f"{what}: a {type(tree).__name__} is neither list nor dict, and JAX, which"
                               f" may know it, is not"
                               " installed (pip install jax)") from None
    leaves = jax.tree_util.tree_leaves(tree)
    if len(leaves) == 1 and leaves[0] is tree or len(leaves) % 2:
        raise TinycontactError(f"{what}: {type(tree).__name__} is no pytree of weights and biases")
    pairs = [sorted(leaves[k:k + 2], key=np.ndim, reverse=True) for k in range(0, len(leaves), 2)]
    return [tuple(pair) for pair in pairs]


def from_jax(pytree, activation="tanh", name="net", head="linear", **options):
    """A Net from a JAX pytree: [(W, b), ...], [{"w": W, "b": b}, ...] or Flax's {"params": {"Dense_0":
    {"kernel": W, "bias": b}, ...}}. activation: of all hidden layers, or a list with one per layer. Other
    options as Net's."""
    if isinstance(pytree, dict) and set(pytree) == {"params"}:
        pytree = pytree["params"]
    return _net(_pairs(pytree, "pytree"), activation, True, name, head, options, "pytree")


# ---- PyTorch ---------------------------------------------------------------------------------------

TORCH_ACTIVATIONS = {"ReLU": "relu", "Tanh": "tanh", "Sigmoid": "sigmoid", "Softplus": "softplus",
                     "Identity": "identity"}
TORCH_NOTHING = ("Dropout", "Flatten")   # of no effect in evaluation


def _sequential(modules):
    """(pairs, activations, head or None) of a Sequential's modules."""
    pairs, activations, head = [], [], None
    for k, module in enumerate(modules):
        kind, what = type(module).__name__, f"Sequential[{k}]"
        if head is not None:
            raise TinycontactError(f"{what}: {kind} after the softmax")
        if kind == "Linear":
            weights = module.weight
            bias = module.bias if module.bias is not None else np.zeros(weights.shape[0])
            pairs.append((weights, bias))
            activations.append(None)
        elif kind in TORCH_ACTIVATIONS:
            if not pairs or activations[-1] is not None:
                raise TinycontactError(f"{what}: {kind} does not follow a Linear")
            if kind == "Softplus" and getattr(module, "beta", 1) != 1:
                raise TinycontactError(f"{what}: Softplus with beta = {module.beta}; only beta = 1 is known"
                                       f" here")
            activations[-1] = TORCH_ACTIVATIONS[kind]
        elif kind == "Softmax":
            head = "softmax"
        elif kind not in TORCH_NOTHING:
            raise TinycontactError(f"{what}: {kind} is not known here (Linear,"
                                   f" {', '.join(TORCH_ACTIVATIONS)}, Softmax are)")
    return pairs, [a or "identity" for a in activations], head


def _state_dict(state):
    """(W, b) of a state_dict: every *.weight with its *.bias, in the order of their numbers."""
    pairs = []
    for key in sorted((key for key in state if key.rsplit(".", 1)[-1] == "weight"), key=_number):
        bias = key[:-len("weight")] + "bias"
        pairs.append((state[key],
                      state[bias] if bias in state else np.zeros(_array(state[key], key).shape[0])))
    known = {key for key in state if key.rsplit(".", 1)[-1] in ("weight", "bias")}
    if set(state) - known:
        raise TinycontactError(f"state_dict: {sorted(set(state) - known)[0]!r} belongs to no Linear layer")
    return pairs


def _torch_file(path):
    try:
        import torch
    except ImportError:
        raise TinycontactError(f"{path}: reading it needs PyTorch, which is not installed"
                               " (pip install torch)") from None
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:   # torch raises its own kinds, from OSError to pickle's
        raise TinycontactError(f"{path}: no state_dict that PyTorch can read ({error})") from None


def from_torch(source, activation=None, name="net", head=None, **options):
    """A Net from a torch.nn.Sequential (activations and softmax as in it), a state_dict, or the path of one
    saved by torch.save. A state_dict has no activations: name them, one word for all hidden layers or a
    list. Other options as Net's."""
    if isinstance(source, (str, bytes)) or hasattr(source, "__fspath__"):
        source = _torch_file(source)
    found_head = None
    if isinstance(source, dict):
        pairs, found = _state_dict(source), activation
        if activation is None:
            raise TinycontactError("state_dict: has no activations; say which, as activation='relu' for the"
                                   " hidden layers"
                                   f" or a list of {', '.join(ACTIVATIONS)}")
    elif hasattr(source, "__iter__") and hasattr(source, "state_dict"):
        pairs, found, found_head = _sequential(source)
        found = activation or found
    else:
        raise TinycontactError(f"a {type(source).__name__} is neither a Sequential nor a state_dict; of"
                               f" another module take"
                               " module.state_dict() and name the activations")
    return _net(pairs, found, False, name, head or found_head or "linear", options, "torch")
