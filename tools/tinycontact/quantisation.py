# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""int8 weights from float ones, and what that costs in accuracy on sample data.

Weights: per row, W ~ s q with s = max |W| / 127 and whole q in -127..127. What rounding W takes away from
the mean of a row's sum over the data, mean(W a - s q a), is given back in the bias.

Integer activations ("i8-act"): the normalised input enters as steps of 1 / input_quant, tanh and sigmoid
leave in steps of 1/127, ReLU in steps d = most / 127. `most` is the value, among the largest one in
the data and fractions of it, with the least squared error: clipping what is rare buys finer steps for
the rest. tc_net.h has what scale and bias then are.
"""
import numpy as np

from .errors import TinycontactError
from .net import Layer, Net, activate, floats

FRACTIONS = (1.0, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5)
ROWS_MOST = 20000   # of data that steps are chosen by; the report is about all


class Report:
    """Error against the float net on the data, per output, in the output's unit."""

    def __init__(self, net, rows, wanted, got, before, after):
        error = np.abs(got - wanted)
        self.net, self.rows = net.name, rows
        self.weights = net.weights
        self.max_error = error.max(axis=0)
        self.rms_error = np.sqrt((error**2).mean(axis=0))
        self.rms_output = np.sqrt((wanted**2).mean(axis=0))
        self.agreement = None
        if net.head == "softmax":
            self.agreement = float((got.argmax(axis=1) == wanted.argmax(axis=1)).mean())
        self.bytes_before, self.bytes_after = before, after

    def as_dict(self):
        return {"net": self.net, "weights": self.weights, "rows": self.rows,
                "max_error": self.max_error.tolist(), "rms_error": self.rms_error.tolist(),
                "rms_output": self.rms_output.tolist(), "agreement": self.agreement,
                "weight_bytes_before": self.bytes_before, "weight_bytes_after": self.bytes_after}

    def __str__(self):
        lines = [f"net {self.net}: {self.weights}, {self.rows} rows, weights {self.bytes_before} ->"
                 f" {self.bytes_after}"
                 " bytes", "  output   max error   rms error  rms output"]
        for k, numbers in enumerate(zip(self.max_error, self.rms_error, self.rms_output)):
            lines.append(f"  {k:6}" + "".join(f"{n:12.4g}" for n in numbers))
        if self.agreement is not None:
            lines.append(f"  same class in {100 * self.agreement:.2f} % of the rows")
        return "\n".join(lines)


def _rows(weights):
    """(q as whole float64, s) of a matrix. A row of zeros keeps s = 1."""
    most = np.abs(weights).max(axis=1)
    scale = np.where(most > 0, most / 127, 1.0).astype(np.float32).astype(np.float64)
    scale = np.where(scale > 0, scale, 1.0)   # a row that float32 cannot scale is as good as zero
    return np.clip(np.rint(weights / scale[:, None]), -127, 127), scale


def best_limit(values, signed):
    """The value that 127 steps should reach, with the least squared error over `values`."""
    most = float(np.abs(values).max()) if values.size else 0.0
    if most == 0:
        return 1.0
    values = values.ravel()
    errors = []
    for fraction in FRACTIONS:
        step = most * fraction / 127
        errors.append(np.mean((np.clip(np.rint(values / step), -127 if signed else 0,
                                       127) * step - values)**2))
    return most * FRACTIONS[int(np.argmin(errors))]


def quantise(net, data, weights="i8-act"):
    """(net with int8 weights, Report). `data` [n, n_in]: inputs like those in use, for steps and report.
    weights: "i8" (float activations) or "i8-act" (int8 ones; hidden layers ReLU, tanh, sigmoid)."""
    if weights not in ("i8", "i8-act"):
        raise TinycontactError(f"weights {weights!r}: wanted 'i8' or 'i8-act'")
    if net.weights != "f32":
        raise TinycontactError(f"net {net.name!r} has {net.weights} weights already; quantise the float net")
    for k, layer in enumerate(net.layers[:-1]):
        if weights == "i8-act" and layer.activation not in ("relu", "tanh", "sigmoid"):
            raise TinycontactError(f"net {net.name!r}, layer {k}: activation {layer.activation!r} cannot be"
                                   f" int8 in a hidden"
                                   " layer (relu, tanh and sigmoid can); take weights 'i8'")
    data = floats(data, "data").astype(np.float64)
    if data.ndim != 2 or data.shape[1] != net.n_in or not len(data):
        raise TinycontactError(f"data: shape {data.shape}, wanted [n, {net.n_in}] with n >= 1")
    x = net.normalised(data[:ROWS_MOST])
    integer = weights == "i8-act"
    quant = np.float32(127 / best_limit(x, True)) if integer else np.float32(0)
    step = 1 / float(quant) if integer else 1.0   # of the integers that come in
    layers = []
    for k, layer in enumerate(net.layers):
        float_weights, bias = layer.weights.astype(np.float64), layer.bias.astype(np.float64)
        q, scale = _rows(float_weights)
        bias = bias + ((float_weights - q * scale[:, None]) @ x.mean(axis=0))
        x = activate(layer.activation, x @ float_weights.T + layer.bias.astype(np.float64))
        scale = scale * step
        if integer and k + 1 < len(net.layers):
            step = 1 / 127
            if layer.activation == "relu":
                step = best_limit(x, False) / 127
                scale, bias = scale / step, bias / step + 0.5
        layers.append(Layer(q, bias, layer.activation, scale, f"net {net.name!r}, layer {k}"))
    result = Net(net.name, layers, net.head, net.input_mean, net.input_scale, net.output_mean,
                 net.output_scale,
                 net.input_low, net.input_high, weights, quant, net.samples.inputs)
    sizes = [sum(layer.weights.nbytes for layer in n.layers) for n in (net, result)]
    return result, Report(result, len(data), net.eval(data), result.eval(data), *sizes)
