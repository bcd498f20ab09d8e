# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The rules of a model file that tie its numbers together: chained shapes, kinds that are possible, padding
zero, and no overflow for any allowed input. That they are finite was seen when they were read.

The bounds are those of lib/net/tc_net_check.c, in float64: with N = 2^20 the largest norm of an input or a
cotangent, nothing may pass 2^100 forwards (row sums of |W|) or backwards (column sums). Faults
are reported at the record of the layer or net, as tc_model_open does; the text says more.
"""
import numpy as np

from .errors import FormatError

NORM = 2.0**20
LIMIT = 2.0**100
IDENTITY, RELU, TANH, SIGMOID, SOFTPLUS = range(5)
I8_ACT, SOFTMAX = 2, 1


def _fault(status, record, field, text):
    raise FormatError("TC_ERR_MODEL_" + status, record, field, text)


def _within(bound, record, field):
    if not bound < LIMIT:
        _fault("WEIGHT", record, field, f"a value could reach {bound:g}, beyond 2^100, for an allowed input")


def _shapes(net):
    """Chained dimensions and possible kinds."""
    what, layers = net["what"], net["layers"]
    if net["head"] == SOFTMAX and net["output_mean"] is not None:
        _fault("FIELD", net["at"], f"{what}, output_mean", "a softmax head has no output normalisation")
    n_in = net["n_in"]
    for k, layer in enumerate(layers):
        last = k + 1 == len(layers)
        at, name = layer["at"], layer["what"]
        if layer["n_in"] != n_in:
            _fault("FIELD", at, f"{name}, n_in", f"is {layer['n_in']}, but {n_in} values come in")
        n_in = layer["n_out"]
        if last and n_in != net["n_out"]:
            _fault("FIELD", at, f"{name}, n_out", f"is {n_in}, but the net has {net['n_out']} outputs")
        if net["kind"] == I8_ACT and not last and layer["activation"] not in (RELU, TANH, SIGMOID):
            _fault("FIELD", at, f"{name}, activation",
                   "a hidden layer with int8 activations is ReLU, tanh or sigmoid")
        if net["head"] == SOFTMAX and last and layer["activation"] != IDENTITY:
            _fault("FIELD", at, f"{name}, activation", "the last layer before softmax is identity")


def _outside_layers(net):
    what, at = net["what"], net["at"]
    if net["input_low"] is not None and np.any(net["input_low"] > net["input_high"]):
        k = int(np.argmax(net["input_low"] > net["input_high"]))
        _fault("WEIGHT", at, f"{what}, input_low[{k}]", "exceeds input_high")
    if (net["quant"] > 0) != (net["kind"] == I8_ACT):
        _fault("FIELD", at, f"{what}, input_quant", "is > 0 for int8 activations and else 0")
    _within(NORM * float(net["quant"]), at, f"{what}, input_quant")


def _padding(layer, matrix):
    n_out, n_in, at = layer["n_out"], layer["n_in"], layer["at"]
    outside = matrix.copy()
    outside[:n_out, :n_in] = 0
    if np.any(outside != 0):
        _fault("FIELD", at, f"{layer['what']}, weights", "the padding of the tiles is not zero")
    for name in ("bias", "scale"):
        if layer[name] is not None and np.any(layer[name][n_out:] != 0):
            _fault("FIELD", at, f"{layer['what']}, {name}", "the padding is not zero")


def _reach(net, layer, last, bound):
    """B_l from B_(l-1)."""
    absolute = np.abs(layer["matrix"][:layer["n_out"], :layer["n_in"]].astype(np.float64))
    scale = 1.0 if layer["scale"] is None else np.abs(layer["scale"][:layer["n_out"]].astype(np.float64))
    sums = absolute.sum(axis=1) * bound
    pre = np.abs(layer["bias"][:layer["n_out"]].astype(np.float64)) + scale * sums
    row = int(np.argmax(np.maximum(sums, pre)))
    _within(max(sums.max(), pre.max()), layer["at"], f"{layer['what']}, weights, row {row}")
    if net["kind"] == I8_ACT and not last:
        return 127.0
    kind = layer["activation"]
    return 1.0 if kind in (TANH, SIGMOID) else pre.max() + (1.0 if kind == SOFTPLUS else 0.0)


def _forward(net):
    bound = 127.0 if net["kind"] == I8_ACT else NORM
    for k, layer in enumerate(net["layers"]):
        _padding(layer, layer["matrix"])
        bound = _reach(net, layer, k + 1 == len(net["layers"]), bound)
    if net["output_mean"] is None:
        _within(2 * bound, net["at"], f"{net['what']}, outputs")
        return
    scale, mean = (np.abs(net[name].astype(np.float64)).max() for name in ("output_scale", "output_mean"))
    _within(bound * scale + mean, net["at"], f"{net['what']}, output_scale")


def _backward(net):
    if net["kind"] == I8_ACT:
        return
    bound = 2 * NORM
    if net["output_scale"] is not None:
        bound *= np.abs(net["output_scale"].astype(np.float64)).max()
    for layer in reversed(net["layers"]):
        matrix = np.abs(layer["matrix"][:layer["n_out"], :layer["n_in"]].astype(np.float64))
        if layer["scale"] is not None:
            scale = np.abs(layer["scale"][:layer["n_out"]].astype(np.float64))
            _within(scale.max() * bound, layer["at"], f"{layer['what']}, scale, gradient")
            matrix = matrix * scale[:, None]
        bound *= matrix.sum(axis=0).max()
        _within(bound, layer["at"], f"{layer['what']}, weights, gradient")
    if net["input_scale"] is not None:
        _within(bound * np.abs(net["input_scale"].astype(float)).max(), net["at"],
                f"{net['what']}, input_scale")


def check_net(net, from_tiles):
    """Raises a FormatError for the first rule that a net's record breaks."""
    _shapes(net)
    _outside_layers(net)
    for layer in net["layers"]:
        layer["matrix"] = from_tiles(layer["weights"], layer["n_out"], layer["n_in"], *layer["tile"])
    with np.errstate(over="ignore", invalid="ignore"):
        _forward(net)
        _backward(net)
