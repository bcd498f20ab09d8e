# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The contact record of a model file: which body, step and features its nets belong to.

docs/reference/model-file.md has the bytes. The nets are named class0, ratio0, class1, ratio1 (and class2, ratio2
for spatial bodies) after the dimension of the patch they serve.
"""
import struct
from dataclasses import dataclass

import numpy as np

from .errors import TinycontactError
from .net import floats

KINDS = ("planar", "spatial")            # 1, 2 in the file
POSITIONS = ("dart", "toc", "gap")       # 0, 1, 2
TARGETS = ("ratio",)                     # 1
FEATURES = 1                             # version of the feature map
GROUPS = {"lever": 1, "ratio": 2, "velocity": 4, "stick": 8, "arrest": 16, "share": 32}
ALL_GROUPS = sum(GROUPS.values())
DIMENSIONS = 3
SIZE = 128
FRICTION_MOST = 10.0
LAYOUT = struct.Struct("<2H4B7f3I4f64x")
OFFSETS = {"kind": 0, "features": 2, "positions": 4, "target": 5, "patches": 6, "flags": 7, "mass": 8,
           "inertia[0]": 12, "inertia[1]": 16, "inertia[2]": 20, "restitution": 24, "gravity": 28,
           "tolerance": 32, "mask[0]": 36, "mask[1]": 40, "mask[2]": 44, "temperature[0]": 48,
           "temperature[1]": 52, "temperature[2]": 56, "friction": 60, "reserved bytes": 64}


def _refuse(field, text):
    raise TinycontactError(f"contact record, {field}: {text}")


def _word(value, words, field):
    if value not in words:
        _refuse(field, f"{value!r} is none of {', '.join(words)}")
    return value


def _number(value, field, least=0.0, most=np.inf):
    """A float32 above 0 if `least` is None, otherwise of least to most."""
    number = float(floats(value, f"contact record, {field}", ()))
    if least is None and not number > 0:
        _refuse(field, f"is {number:g}, wanted greater than 0")
    if least is not None and not least <= number <= most:
        _refuse(field, f"is {number:g}, wanted {least:g} to {most:g}" if most < np.inf
                else f"is {number:g}, wanted at least {least:g}")
    return number


def _three(values, n, field):
    """n values as three, the rest 0."""
    given = [values] if np.ndim(values) == 0 else list(values)
    if len(given) > n and any(given[n:]):
        _refuse(field, f"has {len(given)} numbers, wanted {n}")
    given = given[:n]
    if len(given) != n:
        _refuse(field, f"has {len(given)} numbers, wanted {n}")
    return given + [0] * (DIMENSIONS - n)


@dataclass(frozen=True)
class ContactRecord:
    """What a contact model was trained for; every field is checked, and numbers are rounded to float32.

    kind         "planar" or "spatial"
    mass         [kg]
    inertia      about the centre of mass [kg m^2]: one number, or three principal moments if spatial
    mask         groups of features per patch dimension, sums of GROUPS; 0: no nets for such patches
    positions    "dart", "toc" or "gap": how positions followed velocities in training
    restitution  coefficient, 0 to 1
    gravity      [m/s^2], 0: not stated
    tolerance    relative, on mass, inertia and step size: a body further off is refused
    temperature  per patch dimension, by which the classifier's logits were divided; None: 1
    friction     coefficient, above 0, at most 10, of the Coulomb friction that answers outside the training
                 range (planar only); None: the nets answer there
    """

    kind: str
    mass: float
    inertia: tuple
    mask: tuple
    positions: str = "dart"
    restitution: float = 0.0
    gravity: float = 0.0
    tolerance: float = 0.02
    temperature: tuple | None = None
    target: str = "ratio"
    features: int = FEATURES
    friction: float | None = None

    def __post_init__(self):
        def put(field, value):
            object.__setattr__(self, field, value)
        _word(self.kind, KINDS, "kind")
        _word(self.positions, POSITIONS, "positions")
        _word(self.target, TARGETS, "target")
        if self.features != FEATURES:
            _refuse("features", f"version {self.features!r} of the feature map is not known, {FEATURES} is")
        put("mass", _number(self.mass, "mass", None))
        moments = _three(self.inertia, 1 if self.kind == "planar" else DIMENSIONS, "inertia")
        put("inertia", tuple(_number(v, f"inertia[{k}]", None if self.kind == "spatial" or k == 0 else 0.0)
                             for k, v in enumerate(moments)))
        put("restitution", _number(self.restitution, "restitution", 0.0, 1.0))
        put("gravity", _number(self.gravity, "gravity"))
        put("tolerance", _number(self.tolerance, "tolerance", 0.0, 1.0))
        if self.friction is not None:
            if self.kind != "planar":
                _refuse("friction", "a spatial model has no friction to fall back on")
            put("friction", _number(_number(self.friction, "friction", None), "friction", 0.0, FRICTION_MOST))
        self._check_dimensions(put)

    def _check_dimensions(self, put):
        if np.ndim(self.mask) != 1:
            _refuse("mask", f"is {self.mask!r}, wanted one number per patch dimension")
        masks = list(self.mask) + [0] * (DIMENSIONS - len(self.mask))
        most = 2 if self.kind == "planar" else DIMENSIONS
        for d, mask in enumerate(masks):
            if not isinstance(mask, (int, np.integer)) or not 0 <= mask <= ALL_GROUPS:
                _refuse(f"mask[{d}]", f"is {mask!r}, wanted a sum of feature groups, 0 to {ALL_GROUPS}")
            if mask and d >= most:
                _refuse(f"mask[{d}]", f"a {self.kind} body has no patches of dimension {d}")
        if not any(masks):
            _refuse("mask", "no patch dimension has features")
        put("mask", tuple(int(mask) for mask in masks))
        given = [float(mask > 0) for mask in masks] if self.temperature is None else list(self.temperature)
        given += [0.0] * (DIMENSIONS - len(given))
        if len(given) != DIMENSIONS:
            _refuse("temperature", f"has {len(given)} numbers, wanted up to {DIMENSIONS}")
        put("temperature", tuple(_number(given[d], f"temperature[{d}]", None) if masks[d]
                                 else _number(given[d], f"temperature[{d}]", 0.0, 0.0)
                                 for d in range(DIMENSIONS)))

    patches = property(lambda self: sum(1 << d for d, mask in enumerate(self.mask) if mask))

    def groups(self, dimension):
        """The names of the feature groups of patches of that dimension."""
        return [name for name, bit in GROUPS.items() if self.mask[dimension] & bit]

    def to_bytes(self):
        return LAYOUT.pack(KINDS.index(self.kind) + 1, self.features, POSITIONS.index(self.positions),
                           TARGETS.index(self.target) + 1, self.patches, int(self.friction is not None), self.mass, *self.inertia,
                           self.restitution, self.gravity, self.tolerance, *self.mask, *self.temperature,
                           self.friction or 0.0)

    def as_dict(self):
        """Plain values, as `tinycontact model inspect --json` shows them."""
        patches = {str(d): {"groups": self.groups(d), "temperature": self.temperature[d]}
                   for d in range(DIMENSIONS) if self.mask[d]}
        return {"kind": self.kind, "features": self.features, "positions": self.positions,
                "target": self.target, "mass": self.mass, "inertia": list(self.inertia),
                "restitution": self.restitution, "gravity": self.gravity, "tolerance": self.tolerance,
                "patches": patches, **({} if self.friction is None else {"friction": self.friction})}

    def mismatch(self, mass, inertia, trained_step, step_size):
        """Why another body or step is refused, in words; None if all is within the tolerance."""
        inertia = _three(inertia, 1 if self.kind == "planar" else DIMENSIONS, "inertia")
        pairs = [("mass", "kg", self.mass, mass), ("step size h", "s", trained_step, step_size)]
        pairs += [("inertia", "kg m^2", ours, theirs) for ours, theirs in zip(self.inertia, inertia)]
        for what, unit, trained, given in pairs:
            if not abs(given - trained) <= self.tolerance * trained:
                return (f"{what} is {given:g} {unit}, but the model was trained for {trained:g} {unit}"
                        f" (tolerance {100 * self.tolerance:g} %)")
        return None


def read_record(r, at, size):
    """The ContactRecord of `size` bytes at `at` of a file while it is read (format._Reader), every rule looked
    at in the library's order."""
    kind, features, positions, target, patches, flags = struct.unpack_from("<2H4B", r.blob, at)

    def expect(condition, field, text):
        r.expect(condition, "FIELD", at + OFFSETS[field], f"contact record, {field}", text)
    r.expect(kind in (1, 2), "MISMATCH", at, "contact record, kind",
             f"is {kind}, wanted 1 (planar), 2 (spatial) or 3 (a system's record)")
    r.expect(size == SIZE, "FIELD", 56, "header, record_size", f"is {size}, wanted {SIZE}")
    expect(features == FEATURES, "features", f"version {features} of the feature map is not known,"
                                             f" {FEATURES} is")
    expect(positions < len(POSITIONS), "positions", f"is {positions}, wanted 0 to 2")
    expect(target == 1, "target", f"is {target}, wanted 1 (ratio)")
    expect(1 <= patches <= (3 if kind == 1 else 7), "patches",
           f"is {patches}, wanted bits of the dimensions that a {KINDS[kind - 1]} body's patches have")
    most = int(kind == 1)
    expect(flags <= most, "flags", f"is {flags}, wanted 0" + " or 1" * most)
    expect(not any(r.blob[at + 64:at + SIZE]), "reserved bytes", "are not zero")

    def number(field, given, most=np.inf):
        value = r.magnitude(at + OFFSETS[field], f"contact record, {field}")
        expect(given is None or (value > 0) == given, field,
               f"is {value:g}, wanted {'greater than 0' if given else '0'}")
        expect(value <= most, field, f"is {value:g}, wanted at most {most:g}")
        return value
    mass = number("mass", True)
    inertia = [number(f"inertia[{k}]", kind == 2 or k == 0) for k in range(3)]
    restitution, gravity = number("restitution", None, 1.0), number("gravity", None)
    tolerance = number("tolerance", None, 1.0)
    friction = number("friction", bool(flags), FRICTION_MOST)
    masks, temperatures = [], []
    for d in range(DIMENSIONS):
        given = bool(patches >> d & 1)
        mask = r.unpack("I", at + OFFSETS[f"mask[{d}]"])
        expect(mask <= ALL_GROUPS and bool(mask) == given, f"mask[{d}]",
               f"is {mask:#x}, wanted " + (f"feature groups of {ALL_GROUPS:#x}" if given else "0"))
        masks.append(mask)
        temperatures.append(number(f"temperature[{d}]", given))
    return ContactRecord(KINDS[kind - 1], mass, inertia, masks, POSITIONS[positions], restitution, gravity,
                         tolerance, temperatures, TARGETS[target - 1], features, friction if flags else None)
