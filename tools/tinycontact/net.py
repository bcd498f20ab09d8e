# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Nets as Python objects, and what they compute, in float64.

Weights are [n_out][n_in], row-major, as PyTorch stores them: y = act(W x + b). Numbers are rounded to
float32 when a Net is made, because that is what a model file holds; Net.eval computes with these in float64.
Integer activations are emulated with the library's own float32 roundings, so that for hidden ReLU layers and
a linear head the outputs are the library's to the bit.

Error of a float32 evaluation, with u = 2^-24, in whatever order it sums; activations have slopes of at most 1
and errors of their own, SQUASH:
  at most     a layer hands on e' = |W| e + (n + 3) u (|b| + |W| |x|)
  to expect   roundings are independent: e'^2 = W^2 e^2 + (n + 3) (u (|b| + |W| |x|))^2
The first grows with every layer's |W| and is soon a thousand times what is seen. Samples get as tolerance the
smaller of twice the first and LIKELY times the second: a target that errs by more has another fault
than rounding. An integer activation is the reference's unless its argument lies within its error of a
rounding edge, in which case it may be off by one step.
"""
import numpy as np

from .errors import TinycontactError

ACTIVATIONS = ("identity", "relu", "tanh", "sigmoid", "softplus")
HEADS = ("linear", "softmax")
WEIGHTS = ("f32", "i8", "i8-act")
MAX_WIDTH, MAX_LAYERS, NAME_MAX, MAX_SAMPLES = 512, 8, 23, 65535
U = 2.0**-24
LIKELY = 8.0
SQUASH = 2e-7   # lib/math/tc_math.h: tanh 1.7e-7, sigmoid 1.2e-7 absolute, softplus 2.5 ulp relative


def floats(values, what, shape=None, dtype=np.float32):
    """`values` as an array of finite float32 of that shape; an error names the element at fault."""
    try:
        given = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TinycontactError(f"{what}: not an array of numbers ({error})") from None
    if shape is not None and given.shape != shape:
        wanted = " x ".join(map(str, shape)) or "one number"
        got = " x ".join(map(str, given.shape)) or "one number"
        raise TinycontactError(f"{what}: has {got} numbers, wanted {wanted}")
    with np.errstate(over="ignore"):
        result = given.astype(dtype)
    bad = np.argwhere(~np.isfinite(result))
    if len(bad):
        where = "[" + ", ".join(map(str, bad[0])) + "]" if result.ndim else ""
        value = given[tuple(bad[0])]
        why = f"is {value:g}" if not np.isfinite(value) else f"is {value:g}, too large for float32"
        raise TinycontactError(f"{what}{where} {why}")
    return np.asarray(result, order="C")


def activate(kind, x):
    """The activation of that name, in x's own precision."""
    if kind == "relu":
        return np.where(x > 0, x, x.dtype.type(0))
    if kind == "tanh":
        return np.tanh(x)
    if kind == "sigmoid":
        return 0.5 * (1 + np.tanh(0.5 * x))
    if kind == "softplus":
        return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))
    return x


class Layer:
    """One dense layer: weights [n_out, n_in] (float32, or int8 with `scale` [n_out]), bias [n_out]."""

    def __init__(self, weights, bias, activation="identity", scale=None, what="layer"):
        if activation not in ACTIVATIONS:
            raise TinycontactError(f"{what}: activation {activation!r} is none of {', '.join(ACTIVATIONS)}")
        self.activation = activation
        if scale is None:
            self.weights = floats(weights, f"{what}, weights")
        else:
            self.weights = self._integers(weights, f"{what}, weights")
        if self.weights.ndim != 2 or not all(1 <= n <= MAX_WIDTH for n in self.weights.shape):
            raise TinycontactError(f"{what}, weights: shape {self.weights.shape}, wanted a matrix [n_out,"
                                   f" n_in] with"
                                   f" dimensions of 1 to {MAX_WIDTH}")
        if self.n_out != self.n_in == np.size(bias):
            raise TinycontactError(f"{what}, weights: {self.n_out} rows, but the bias has {self.n_in}"
                                   f" numbers;"
                                   " weights are [n_out, n_in]: transpose them?")
        self.bias = floats(bias, f"{what}, bias", (self.n_out,))
        self.scale = None if scale is None else floats(scale, f"{what}, scale", (self.n_out,))

    @staticmethod
    def _integers(weights, what):
        given = floats(weights, what, dtype=np.float64)
        if np.any(given != np.rint(given)) or np.any(np.abs(given) > 128) or np.any(given == 128):
            raise TinycontactError(f"{what}: int8 weights must be whole numbers of -128 to 127")
        return np.ascontiguousarray(given.astype(np.int8))

    n_out = property(lambda self: self.weights.shape[0])
    n_in = property(lambda self: self.weights.shape[1])


class Samples:
    """Inputs with the outputs a target should give, within `tolerance` (absolute, outputs' unit)."""

    def __init__(self, inputs, outputs, tolerance):
        self.inputs, self.outputs, self.tolerance = inputs, outputs, np.float32(tolerance)

    def __len__(self):
        return len(self.inputs)


def _layer(given, what):
    if isinstance(given, Layer):
        return given
    try:
        weights, bias, *rest = given
    except (TypeError, ValueError):
        raise TinycontactError(f"{what}: wanted (weights, bias, activation)") from None
    if len(rest) > 2:
        raise TinycontactError(f"{what}: wanted (weights, bias, activation) and for int8 weights a scale")
    return Layer(weights, bias, *rest, what=what)


class Net:
    """A multilayer perceptron with its normalisation.

    layers        [(W, b, "tanh"), ...], W [n_out, n_in]; activations identity, relu, tanh, sigmoid, softplus;
                  (W, b, activation, scale) for int8 weights
    head          "linear", or "softmax" (the last layer is then identity, without output normalisation)
    input_mean, input_scale    normalised input = (input - mean) * scale; scale is 1 / deviation
    output_mean, output_scale  output = last layer * scale + mean
    input_low, input_high      range of inputs seen in training
    weights, input_quant       "f32", "i8" or "i8-act", for which input_quant is steps per unit of input
    samples       what is stored for self-tests: how many to make (seeded), inputs [n, n_in], or Samples
    """

    def __init__(self, name, layers, head="linear", input_mean=None, input_scale=None, output_mean=None,
                 output_scale=None, input_low=None, input_high=None, weights=None, input_quant=0.0,
                 samples=4):
        self.name = name
        what = f"net {name!r}"
        if not (isinstance(name, str) and 1 <= len(name) <= NAME_MAX and all("!" <= c <= "~" for c in name)):
            raise TinycontactError(f"{what}: a name has 1 to {NAME_MAX} characters of ASCII without blanks")
        if not 1 <= len(layers) <= MAX_LAYERS:
            raise TinycontactError(f"{what}: {len(layers)} layers, wanted 1 to {MAX_LAYERS}")
        self.layers = [_layer(layer, f"{what}, layer {k}") for k, layer in enumerate(layers)]
        self.head = head
        self.weights = weights or ("f32" if self.layers[0].scale is None else "i8")
        self.input_quant = floats(input_quant, f"{what}, input_quant", ())[()]
        self._check_kinds(what)
        self._check_chain(what)
        self.input_mean, self.input_scale = self._pair(
            what, "input_mean", input_mean, "input_scale", input_scale, self.n_in)
        self.output_mean, self.output_scale = self._pair(
            what, "output_mean", output_mean, "output_scale", output_scale, self.n_out)
        self.input_low, self.input_high = self._pair(
            what, "input_low", input_low, "input_high", input_high, self.n_in)
        if self.input_low is not None and np.any(self.input_low > self.input_high):
            at = int(np.argmax(self.input_low > self.input_high))
            raise TinycontactError(f"{what}, input_low[{at}] = {self.input_low[at]:g} exceeds"
                                   f" input_high[{at}]")
        if head == "softmax" and self.output_mean is not None:
            raise TinycontactError(f"{what}: a softmax head has no output_mean and output_scale")
        self.samples = None
        self.set_samples(samples)

    n_in = property(lambda self: self.layers[0].n_in)
    n_out = property(lambda self: self.layers[-1].n_out)
    width = property(lambda self: max([self.n_in] + [layer.n_out for layer in self.layers]))

    def _check_kinds(self, what):
        if self.head not in HEADS:
            raise TinycontactError(f"{what}: head {self.head!r} is none of {', '.join(HEADS)}")
        if self.weights not in WEIGHTS:
            raise TinycontactError(f"{what}: weights {self.weights!r} is none of {', '.join(WEIGHTS)}")
        for k, layer in enumerate(self.layers):
            if (layer.scale is None) != (self.weights == "f32"):
                raise TinycontactError(f"{what}, layer {k}: int8 layers have a scale, float ones have none")
            hidden = k + 1 < len(self.layers)
            if self.weights == "i8-act" and hidden and layer.activation not in ("relu", "tanh", "sigmoid"):
                raise TinycontactError(f"{what}, layer {k}: activation {layer.activation!r} is not possible"
                                       f" in a hidden"
                                       " layer with int8 activations (relu, tanh and sigmoid are); take"
                                       " weights 'i8'")
        if self.head == "softmax" and self.layers[-1].activation != "identity":
            raise TinycontactError(f"{what}, layer {len(self.layers) - 1}: before a softmax head the"
                                   f" activation is"
                                   f" identity, not {self.layers[-1].activation!r}")
        if (self.input_quant > 0) != (self.weights == "i8-act"):
            raise TinycontactError(f"{what}, input_quant: greater than 0 for weights 'i8-act', otherwise 0")

    def _check_chain(self, what):
        for k, (layer, after) in enumerate(zip(self.layers, self.layers[1:])):
            if layer.n_out != after.n_in:
                swapped = layer.n_out == after.n_out
                hint = "; weights are [n_out, n_in]: transpose them?" if swapped else ""
                raise TinycontactError(f"{what}, layer {k + 1}, weights: {after.n_in} columns, but layer {k}"
                                       f" has"
                                       f" {layer.n_out} outputs{hint}")

    @staticmethod
    def _pair(what, first_name, first, second_name, second, n):
        if (first is None) != (second is None):
            missing = first_name if first is None else second_name
            raise TinycontactError(f"{what}, {missing}: missing ({first_name} and {second_name} come"
                                   f" together)")
        if first is None:
            return None, None
        return floats(first, f"{what}, {first_name}", (n,)), floats(second, f"{what}, {second_name}", (n,))

    # ---- Samples

    def set_samples(self, samples):
        """How many to make, or inputs [n, n_in], or Samples: what is stored beside the net."""
        if isinstance(samples, Samples):
            self.samples = samples
            return
        inputs = self._made_inputs(samples) if np.ndim(samples) == 0 else samples
        none = np.zeros((0, self.n_in), np.float32)
        inputs = floats(inputs, f"net {self.name!r}, samples") if len(inputs) else none
        if inputs.ndim != 2 or inputs.shape[1] != self.n_in or len(inputs) > MAX_SAMPLES:
            raise TinycontactError(f"net {self.name!r}, samples: shape {inputs.shape}, wanted [n,"
                                   f" {self.n_in}] with n up"
                                   f" to {MAX_SAMPLES}")
        if not len(inputs):
            self.samples = Samples(inputs, np.zeros((0, self.n_out), np.float32), 0.0)
            return
        outputs, bound = self.eval_with_bound(inputs)
        likely = self.eval_with_bound(inputs, expected=True)[1]
        stored = floats(outputs, f"net {self.name!r}, sample outputs")
        # And the rounding of what is stored.
        tolerance = np.float32(min(2 * bound.max(), LIKELY * likely.max()) + 2 * U * np.abs(outputs).max())
        self.samples = Samples(inputs, stored, np.nextafter(tolerance, np.float32(np.inf)))

    def _made_inputs(self, n):
        """n inputs from the range of training, or about the mean; the same ones each time."""
        spread = np.random.default_rng(0x7463).uniform(-1, 1, (int(n or 0), self.n_in))
        if self.input_low is not None:
            low, high = self.input_low.astype(np.float64), self.input_high.astype(np.float64)
            return np.clip((low + 0.5 * (spread + 1) * (high - low)).astype(np.float32), low, high)
        if self.input_mean is not None:
            scale = self.input_scale.astype(np.float64)
            return self.input_mean + spread / np.where(scale == 0, 1, scale)
        return spread

    # ---- What it computes

    def eval(self, x):
        """Outputs [n_out] or [n, n_out] of inputs [n_in] or [n, n_in], float64."""
        rows = np.array(x, dtype=np.float64)
        one = rows.ndim == 1
        rows = np.atleast_2d(rows)
        if rows.ndim != 2 or rows.shape[1] != self.n_in:
            raise TinycontactError(f"net {self.name!r}: {rows.shape[-1]} inputs given, takes {self.n_in}")
        output = self.eval_with_bound(rows)[0]
        return output[0] if one else output

    def normalised(self, rows, dtype=np.float64):
        """(rows - input_mean) * input_scale, rounded as dtype does."""
        rows = rows.astype(dtype)
        if self.input_mean is None:
            return rows
        return (rows - self.input_mean.astype(dtype)) * self.input_scale.astype(dtype)

    def eval_with_bound(self, rows, expected=False):
        """(outputs, what a float32 evaluation may be off at most, or as expected), both [n, n_out], for
        inputs in float32."""
        rows = np.asarray(rows, dtype=np.float64)
        if self.weights == "i8-act":
            x, error = self._walk_integers(rows)
        else:
            x = self.normalised(rows)
            error = (0 if self.input_mean is None else 3) * U * np.abs(x)
            for layer in self.layers:
                x, error = _float_layer(layer, x, error, expected)
        return self._head(x, error)

    def _walk_integers(self, rows):
        """Everything in float32 with the library's roundings; tc_net.h has the formulas."""
        one, half = np.float32(127), np.float32(128.5)
        with np.errstate(over="ignore"):   # far-off inputs are clamped
            scaled = self.normalised(rows, np.float32) * self.input_quant
        clamped = np.clip(scaled, -one, one)
        q = (np.trunc(clamped + half) - 128).astype(np.int32)
        error = _edge(scaled + 0.5, 4 * U * (np.abs(scaled) + 128), np.abs(scaled) < 128)
        for k, layer in enumerate(self.layers):
            last = k + 1 == len(self.layers)
            pre = (q @ layer.weights.T.astype(np.int32)).astype(np.float32) * layer.scale + layer.bias
            carried = error @ np.abs(layer.weights.T.astype(float)) * np.abs(layer.scale.astype(float))
            rounding = 2 * U * (2 * np.abs(layer.bias) + np.abs(pre)) + carried
            if last:
                y = activate(layer.activation, pre.astype(np.float64 if layer.activation in ACTIVATIONS[2:]
                                                          else np.float32))
                slack = SQUASH * (1 + np.abs(y)) if layer.activation in ACTIVATIONS[2:] else 0.0
                return y, rounding + slack
            if layer.activation == "relu":
                q = np.clip(np.trunc(pre), 0, one).astype(np.int32)
                error = _edge(pre, rounding, (pre > 0) & (pre < 128), steps=rounding)
                continue
            offset = 128 if layer.activation == "tanh" else 0
            value = 127 * activate(layer.activation, pre.astype(np.float64)) + offset + 0.5
            q = np.trunc(value).astype(np.int32) - offset
            slack = 127 * (rounding + SQUASH) + 256 * U
            error = _edge(value, slack, True, steps=slack)
        raise AssertionError("a net has a last layer")

    def _head(self, x, error):
        if self.head == "softmax":
            powers = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
            p = powers / powers.sum(axis=1, keepdims=True)
            # p is the logistic function of a difference of logits, which is off by up to 2 e; slope <= 1/4.
            return p, np.broadcast_to(0.5 * error.max(axis=1, keepdims=True) + (2 * self.n_out + 8) * U,
                                      p.shape)
        if self.output_mean is not None:
            mean, scale = self.output_mean.astype(x.dtype), self.output_scale.astype(x.dtype)
            product = x * scale
            y = mean + product
            rounding = 2 * U * (np.abs(mean) + 2 * np.abs(product))
            return y.astype(np.float64), error * np.abs(scale.astype(float)) + rounding
        return x.astype(np.float64), error


def _float_layer(layer, x, error, expected):
    weights = layer.weights.astype(np.float64)
    scale = 1.0 if layer.scale is None else layer.scale.astype(np.float64)
    bias = layer.bias.astype(np.float64)
    pre = x @ weights.T * scale + bias
    sums = np.abs(bias) + np.abs(x) @ np.abs(weights.T) * np.abs(scale)
    y = activate(layer.activation, pre)
    own = SQUASH * (1 + np.abs(y)) if layer.activation in ("tanh", "sigmoid", "softplus") else 0.0
    if expected:
        carried = error**2 @ (weights.T)**2 * scale**2
        return y, np.sqrt(carried + (layer.n_in + 3) * (U * sums)**2 + own**2)
    return y, error @ np.abs(weights.T) * np.abs(scale) + (layer.n_in + 3) * U * sums + own


def _edge(value, slack, free, steps=0.0):
    """Steps that trunc(value) may be off when value may be off by `slack`, where it is not clamped."""
    near = np.abs(value - np.rint(value)) <= slack
    return np.where(near & free, 1.0 + np.floor(steps), 0.0)


# ---- Normalisation folded into the first layer

FOLD_MOST = 1e-6


def single_eval(net, rows):
    """Outputs [n, n_out] of a float net as the library computes them: float32, each sum from its bias
    upwards. Only the activations are numpy's."""
    x = net.normalised(np.atleast_2d(rows), np.float32)
    for layer in net.layers:
        y = np.repeat(layer.bias[None], len(x), axis=0)
        for k in range(layer.n_in):
            y = y + x[:, k:k + 1] * layer.weights[:, k]
        x = activate(layer.activation, y)
    return net._head(x, np.zeros(x.shape))[0]


def fold_normalisation(net, rows=None, most=FOLD_MOST):
    """(the net without input normalisation, loss): W' = W scale, b' = b - W' mean. Saves a target up to 8
    instructions per input.

    b' is computed from the rounded W', so inputs near their mean do not see its rounding. What is left is
    that |W' x| can exceed |W (x - mean) scale|, by up to |mean| scale: roundings grow with it. So the loss is
    measured: how much farther float32 outputs lie from the given net in float64, at worst, over `rows`,
    inputs as they occur; without them over the net's samples. More than `most` is an error: then leave the
    normalisation where it is."""
    what = f"net {net.name!r}"
    if net.weights != "f32":
        raise TinycontactError(f"{what}: normalisation is folded into float weights only, not"
                               f" {net.weights!r}")
    if net.input_mean is None:
        return net, 0.0
    rows = floats(np.atleast_2d(net.samples.inputs if rows is None else rows), f"{what}, rows")
    if not len(rows):
        raise TinycontactError(f"{what}: has no samples; give rows of inputs to measure the loss with")
    first, *rest = net.layers
    mean, scale = net.input_mean.astype(np.float64), net.input_scale.astype(np.float64)
    weights = floats(first.weights * scale, f"{what}, folded weights")
    bias = first.bias - weights.astype(np.float64) @ mean
    folded = Net(net.name, [Layer(weights, bias, first.activation, what=f"{what}, folded layer"), *rest],
                 net.head, None, None, net.output_mean, net.output_scale, net.input_low, net.input_high,
                 samples=net.samples.inputs)
    truth = net.eval(rows)
    off = [np.abs(single_eval(n, rows) - truth).max() for n in (net, folded)]
    loss = float(max(off[1] - off[0], 0.0))
    if loss > most:
        raise TinycontactError(f"{what}: folding the normalisation would cost {loss:.1e} of accuracy, more"
                               f" than {most:.1e}: inputs lie far from 0 beside their spread")
    return folded, loss
