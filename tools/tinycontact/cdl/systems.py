# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""System files: JSON that says which bodies, forces and contacts; errors name the file, the system and the field."""
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import number, read_json

POTENTIALS = ("gravity", "pendulum", "none")
CONTACTS = ("none", "floor", "pair", "row")
PROJECTIONS = ("none", "mean")
ORDERS = ("sequence", "simultaneous")
MOST_BODIES = 64           # TC_CDL_BODIES_MAX
MOST_STEPS = 10_000_000
LARGEST, SMALLEST = 3.4e38, 1.2e-38   # of normal numbers in single precision, which the library computes in
WALL = -1
FIELDS = ("name", "potential", "contact", "m", "e", "h", "g", "l", "C", "proj", "Q0", "V0", "steps", "rest_speed", "order")


@dataclass
class System:
    """K bodies with one coordinate each. Arrays are float64 [K]; M is m, or m l^2 of pendulums."""
    name: str
    potential: str
    contact: str
    m: np.ndarray
    e: float
    h: float
    g: float
    l: float
    C: np.ndarray
    proj: str
    Q0: np.ndarray
    V0: np.ndarray
    steps: int
    rest_speed: float = 0.0
    order: str = "sequence"

    @property
    def M(self):
        return self.m * self.l**2 if self.potential == "pendulum" else self.m

    @property
    def weight(self):
        """Constant forces [N], per body."""
        return -self.m * self.g if self.potential == "gravity" else 0 * self.m

    @property
    def torque(self):
        """m g l of pendulums [N m], per body."""
        return self.m * self.g * self.l if self.potential == "pendulum" else 0 * self.m

    def pairs(self):
        """(body, other) of each contact, closed where q_body <= q_other; other WALL: the floor at 0."""
        K = len(self.m)
        return {"none": [], "floor": [(0, WALL)], "pair": [(0, 1)],
                "row": [(k, k + 1) for k in range(K - 1)]}[self.contact]

    def U(self, Q):
        """Potential energy [J] of positions [..., K]."""
        if self.potential == "gravity":
            return Q @ (self.m * self.g)
        if self.potential == "pendulum":
            return 2 * np.sin(Q / 2) ** 2 @ (self.m * self.g * self.l)
        return np.zeros(np.shape(Q)[:-1])

    def F(self, Q):
        """-dU/dQ [N]."""
        if self.potential == "gravity":
            return -self.m * self.g + 0 * Q
        if self.potential == "pendulum":
            return -self.m * self.g * self.l * np.sin(Q)
        return 0 * Q

    def energy(self, Q, V):
        return 0.5 * V**2 @ self.M + self.U(Q)


@dataclass
class Start:
    """Where a roll-out of a model file begins; h [s] is the file's."""
    name: str
    h: float
    Q0: np.ndarray
    V0: np.ndarray
    steps: int
    potential = "learned"


def check_names(entry, where):
    """A field that no system has is a slip of the pen, and would be a default in silence."""
    for name in entry:
        if name not in FIELDS:
            near = get_close_matches(name, FIELDS, 1)
            meant = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(FIELDS)}"
            raise TinycontactError(f"{where}, field {name:.40}: is not known{meant}")


class _Fields:
    """The fields of one object, with errors that say where."""

    def __init__(self, entry, where):
        if not isinstance(entry, dict):
            raise TinycontactError(f"{where}: is no object with the fields of a system")
        self.entry, self.where = entry, where
        check_names(entry, where)

    def wrong(self, name, text):
        return TinycontactError(f"{self.where}, field {name}: {text}")

    def value(self, name, default=None):
        if name in self.entry:
            return self.entry[name]
        if default is None:
            raise self.wrong(name, "is missing")
        return default

    def choice(self, name, choices, default=None):
        value = self.value(name, default)
        if not isinstance(value, str) or value not in choices:
            raise self.wrong(name, f"is {value!r:.40}, none of {', '.join(choices)}")
        return value

    def single(self, name, value):
        """A number of the file that single precision has; the least that is greater than 0 is SMALLEST."""
        value = number(value, f"{self.where}, field {name}")
        if abs(value) > LARGEST:
            raise self.wrong(name, f"is {value:g}, beyond single precision (up to {LARGEST:g})")
        return value if value <= 0 or value >= SMALLEST else 0.0

    def number(self, name, default=None, least=-np.inf, most=np.inf, above=-np.inf):
        value = self.single(name, self.value(name, default))
        if not (least <= value <= most and value > above):
            low = f"greater than {above:g}" if above > -np.inf else f"at least {least:g}"
            high = f" and at most {most:g}" if most < np.inf else ""
            raise self.wrong(name, f"is {value:g}; it must be {low}{high}")
        return value

    def numbers(self, name, length=None, above=-np.inf, owner="m"):
        values = self.value(name)
        if not isinstance(values, list) or not values:
            raise self.wrong(name, "is no list of numbers, one per body")
        values = [self.single(f"{name}[{i}]", value) for i, value in enumerate(values)]
        if length is not None and len(values) != length:
            raise self.wrong(name, f"has {len(values)} numbers, but {owner} has {length}")
        for i, value in enumerate(values):
            if not value > above:
                raise self.wrong(f"{name}[{i}]", f"is {value:g}; it must be greater than {above:g}")
        return np.array(values)

    def name(self, default):
        value = self.value("name", default)
        if not isinstance(value, str):
            raise self.wrong("name", "is no text")
        return value

    def whole(self, name, most):
        value = self.number(name, least=0, most=most)
        if value != int(value):
            raise self.wrong(name, f"is {value:g}, not a whole number")
        return int(value)


def _damping(fields, bodies):
    if isinstance(fields.entry.get("C"), list):
        C = fields.numbers("C", bodies)
        if C.min() < 0:
            raise fields.wrong("C", f"is {C.min():g}; damping must not be negative")
        return C
    return np.full(bodies, fields.number("C", 0.0, least=0.0))


def _system(entry, where, index):
    fields = _Fields(entry, where)
    name = fields.name(f"system {index}")
    potential, contact = fields.choice("potential", POTENTIALS), fields.choice("contact", CONTACTS)
    m = fields.numbers("m", above=0.0)
    bodies = len(m)
    if bodies > MOST_BODIES:
        raise fields.wrong("m", f"has {bodies} bodies; at most {MOST_BODIES}")
    if contact in ("pair", "row") and bodies < 2 or contact == "pair" and bodies != 2:
        raise fields.wrong("contact", f"{contact} of {bodies} bodies: "
                           + ("a pair is of two" if contact == "pair" else "a row has two at least"))
    e = fields.number("e", 1.0 if contact == "none" else None, least=0.0, most=1.0)
    g = fields.number("g", 0.0 if potential == "none" else None)
    l = fields.number("l", None if potential == "pendulum" else 1.0, above=0.0)
    system = System(name, potential, contact, m, e, fields.number("h", above=0.0), g, l, _damping(fields, bodies),
                    fields.choice("proj", PROJECTIONS, "none"), fields.numbers("Q0", bodies),
                    fields.numbers("V0", bodies), fields.whole("steps", MOST_STEPS),
                    fields.number("rest_speed", 0.0, least=0.0),
                    fields.choice("order", ORDERS, "sequence"))
    _products(system, fields)
    return system


def _products(system, fields):
    """What the library is told are products of fields: single precision must have those, too."""
    for what, values, least in (("m l^2", system.M, SMALLEST), ("m g", system.weight, 0), ("m g l", system.torque, 0)):
        for k, value in enumerate(np.abs(values)):
            if not least <= value <= LARGEST:
                raise fields.wrong(f"m[{k}]", f"{what} is {value:g}, beyond single precision ({SMALLEST:g} to"
                                              f" {LARGEST:g})")


def _entries(path, take):
    """(what `take` makes of each entry of a file, whether the file is a list)."""
    value = read_json(path, constants=True)   # NaN and Infinity are refused where they stand, by the field's name
    if not isinstance(value, list):
        return [take(value, f"{path}", 0)], False
    if not value:
        raise TinycontactError(f"{path}: an empty list; wanted a system or a list of them")
    return [take(entry, f"{path}, system {index}", index) for index, entry in enumerate(value)], True


def load(path):
    """(systems of a file, whether the file is a list)."""
    return _entries(path, _system)


def load_starts(path, model, coordinates, h):
    """(Starts of a file for the model file named so, whether the file is a list); of a system's fields only Q0, V0, steps
    and name are looked at."""
    def start(entry, where, index):
        fields = _Fields(entry, where)
        Q0, V0 = (fields.numbers(field, coordinates, owner=model) for field in ("Q0", "V0"))
        return Start(fields.name(f"system {index}"), h, Q0, V0, fields.whole("steps", MOST_STEPS))
    return _entries(path, start)
