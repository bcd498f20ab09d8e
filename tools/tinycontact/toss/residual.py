# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The learned residual of the friction model as a model file: eight numbers, a net of two tanh units.

    write("cube.tcm", body, numbers, metadata)
    learned = with_model(body, "body.json", "cube.tcm")     # the Body with these numbers as its residual

The net `friction` takes s and l of tc_friction3.h and returns what is added to the coefficient. The body file keeps the
constants; the model belongs to them, and is refused for others. Numbers per unit: gain, weight of s, weight of l, bias.
"""
import numpy as np

from ..errors import TinycontactError
from ..model import Model, load
from ..net import Net

NET, KIND, UNITS = "friction", "friction residual", 2
CONSTANTS = ("mass", "scale", "gravity", "stiffness", "damping", "damping_slope", "rounding")
SAME = 1e-6   # relative


def net(numbers):
    """The Net of eight numbers."""
    gain, slip, load_weight, bias = np.reshape(np.asarray(numbers, float), (UNITS, 4)).T
    return Net(NET, [(np.stack([slip, load_weight], axis=1), bias, "tanh"), (gain[None], np.zeros(1), "identity")])


def numbers_of(model):
    """The eight numbers of a Model, as float32 has them; None if it is of another kind."""
    found = [one for one in model.nets if one.name == NET]
    if not found or [layer.activation for layer in found[0].layers] != ["tanh", "identity"]:
        return None
    first, last = found[0].layers
    if (first.n_in, first.n_out, last.n_out) != (2, UNITS, 1) or first.scale is not None or last.bias[0] != 0:
        return None
    rows = np.stack([last.weights[0], first.weights[:, 0], first.weights[:, 1], first.bias], axis=1)
    return tuple(rows.astype(float).ravel().tolist())


def constants(body):
    """{name: number or numbers} that a residual was learned beside."""
    out = {name: getattr(body, name) for name in CONSTANTS}
    out |= {"centre_of_mass": np.asarray(body.centre, float).tolist(), "inertia": np.asarray(body.inertia, float).tolist(),
            "vertices": np.asarray(body.nominal, float).tolist()}
    return out | {f"friction.{patch}": mu for patch, mu in body.friction.items()}


def write(path, body, numbers, metadata):
    """Writes the model file of a residual for a body."""
    Model([net(numbers)], metadata={"kind": KIND, "body": constants(body), **metadata}).save(path)


def _differs(one, other):
    if one is None or other is None:
        return one is not other
    one, other = np.asarray(one, float), np.asarray(other, float)
    return one.shape != other.shape or not np.allclose(one, other, rtol=SAME, atol=SAME * max(np.abs(one).max(), 1e-300))


def with_model(body, body_path, path):
    """The Body with a model file's residual; an error that names file and field if it was learned for another."""
    from dataclasses import replace
    model = load(path)
    numbers = numbers_of(model)
    if numbers is None or model.metadata.get("kind") != KIND:
        raise TinycontactError(f"{path}: is no residual of friction; `tinycontact body train --log L.csv --body"
                               " BODY.json` makes one")
    learned = model.metadata.get("body")
    for name, value in constants(body).items():
        if not isinstance(learned, dict) or _differs(learned.get(name), value):
            raise TinycontactError(f"{path}: was learned for another body: {body_path}, field {name} differs; train again"
                                   " with this body file")
    return replace(body, residual=numbers)


def read(body_path, model_path=None):
    """The Body of a file, with the residual of a model file if one is given."""
    from . import bodyfile
    body = bodyfile.read(body_path)
    return body if model_path is None else with_model(body, body_path, model_path)


def complete(body, path, *names):
    """Refuses a Body without one of the values."""
    for name in names:
        if getattr(body, name) is None:
            raise TinycontactError(f"{path}, field {name}: missing; `tinycontact body identify` without --quick finds it,"
                                   " or write it there (stiffness 0: a rigid contact)")
    if not body.friction:
        raise TinycontactError(f"{path}, field friction: has no coefficient of point, edge or face")
    return body
