# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A learned shape: a net from a point and a latent code to the signed distance, in a model file (.tcm).

What the library's tc_sdf_net_data stores beside the net is in the file's metadata, under "shape": `error`, `mass` and
`points`, as in the file of a grid. Points hold for the code 0; for another one they are found again.
"""
from dataclasses import dataclass, field

import numpy as np

from .. import model as models
from ..errors import TinycontactError
from . import points

CODES = 8   # TC_SDF_NET_CODES


@dataclass(frozen=True)
class NetShape:
    """model: the Model, of one net; error, mass and points [n, 3] as its file has them."""
    model: object
    error: dict = field(default_factory=dict)
    mass: dict = field(default_factory=dict)
    points: np.ndarray = None

    @property
    def net(self):
        return self.model.nets[0]

    @property
    def codes(self):
        return self.net.n_in - 3

    @property
    def box(self):
        """(low, high) of the training range of points; None: not known."""
        net = self.net
        return None if net.input_low is None else (net.input_low[:3].astype(float), net.input_high[:3].astype(float))

    def at(self, code):
        """points -> (values, gradients) in float64, on from the training range as tc_sdf_net has it."""
        code = np.asarray(code, float).reshape(-1)

        def of_points(p):
            p = np.asarray(p, float).reshape(-1, 3)
            q = p if self.box is None else np.clip(p, *self.box)
            value, gradient = with_gradient(self.net, np.concatenate([q, np.tile(code, (len(p), 1))], axis=1))
            away = p - q
            length = np.linalg.norm(away, axis=1)
            gradient = gradient[:, :3]
            gradient[away != 0] = 0
            gradient[length > 0] += away[length > 0] / length[length > 0, None]
            return value + length, gradient
        return of_points

    def points_of(self, code):
        """[n, 3] points of the surface; None where the training range is not known."""
        if self.points is not None and not np.any(code):
            return self.points
        return None if self.box is None else points.of_field(self.at(code), *self.box)


def with_gradient(net, x):
    """([n] outputs, [n, n_in] gradients) of a net with one output, in float64."""
    scale = np.ones(net.n_in) if net.input_scale is None else net.input_scale.astype(float)
    mean = np.zeros(net.n_in) if net.input_mean is None else net.input_mean.astype(float)
    y, slopes, weights = (x - mean) * scale, [], []
    for layer in net.layers:
        w = layer.weights.astype(float) * (1.0 if layer.scale is None else layer.scale.astype(float)[:, None])
        z = y @ w.T + layer.bias
        y, slope = _activated(layer.activation, z)
        weights.append(w)
        slopes.append(slope)
    back = np.ones((len(x), 1))
    for w, slope in zip(weights[::-1], slopes[::-1]):
        back = (back * slope) @ w
    if net.output_scale is None:
        return y[:, 0], back * scale
    return y[:, 0] * net.output_scale[0] + net.output_mean[0], back * (scale * net.output_scale[0])


def _activated(kind, z):
    """(values, derivatives)"""
    if kind == "relu":
        return np.maximum(z, 0), (z > 0).astype(float)
    if kind == "tanh":
        y = np.tanh(z)
        return y, 1 - y * y
    half = 0.5 * (1 + np.tanh(0.5 * z))
    if kind == "sigmoid":
        return half, half * (1 - half)
    if kind == "softplus":
        return np.maximum(z, 0) + np.log1p(np.exp(-np.abs(z))), half
    return z, np.ones_like(z)


def read(path):
    """The NetShape in a .tcm file."""
    model = models.load(path)
    if len(model.nets) != 1:
        raise TinycontactError(f"{path}: has {len(model.nets)} nets, a shape is one net")
    net = model.nets[0]
    if net.n_out != 1 or not 3 <= net.n_in <= 3 + CODES:
        raise TinycontactError(f"{path}: the net has {net.n_in} inputs and {net.n_out} outputs; a shape has 3 to"
                               f" {3 + CODES} inputs, a point and a latent code, and one output")
    if net.head != "linear" or net.weights == "i8-act":
        raise TinycontactError(f"{path}: the net has no gradient; a shape has a linear head and float activations")
    told = model.metadata.get("shape", {})
    if not isinstance(told, dict) or not all(isinstance(told.get(name, {}), dict) for name in ("error", "mass")):
        raise TinycontactError(f"{path}, metadata, field shape: wanted an object with error, mass and points")
    from .gridfile import read_points
    return NetShape(model, told.get("error", {}), told.get("mass", {}), read_points(told, f"{path}, metadata"))


def write(path, made):
    """Writes a .tcm file."""
    told = {"error": made.error, "mass": made.mass}
    if made.points is not None:
        told["points"] = made.points.tolist()
    models.Model(made.model.nets, metadata=made.model.metadata | {"shape": told}).save(path)
