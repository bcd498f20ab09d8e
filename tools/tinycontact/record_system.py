# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The system record of a model file: which CD-Lagrange system its nets "potential" and "contact" were trained for.

It stands where a contact record would; docs/reference/model-file.md has the bytes,
lib/cdl/tc_cdl_nets.h what the nets take.
"""
import struct
from dataclasses import dataclass

import numpy as np

from .errors import TinycontactError
from .net import floats

KIND = 3
INPUTS = 1               # version of the net inputs
MOST = 16                # bodies, and contacts
WALL = 255
ARRAYS = 32
NETS = {"potential": 1, "contact": 2}
PROJECT = 4


def _refuse(field, text):
    raise TinycontactError(f"system record, {field}: {text}")


def size_of(bodies, dimension, contacts):
    return -(-(ARRAYS + 4 * (2 * bodies + contacts * (1 + dimension)) + 2 * contacts) // 16) * 16


def _numbers(values, field, shape, least=None, most=None, above=False):
    """float32 of that shape, each at least `least` (greater than 0 if `above`) and at most `most`."""
    values = floats(values, f"system record, {field}", shape)
    low = values <= 0 if above else values < (-np.inf if least is None else least)
    if low.any() or (most is not None and (values > most).any()):
        wanted = "greater than 0" if above else f"at least {least:g}" + ("" if most is None else f" and at most {most:g}")
        _refuse(field, f"is {values.tolist()}, wanted {wanted}")
    return values


@dataclass(frozen=True)
class SystemRecord:
    """A system of K bodies in d dimensions; every field is checked, and numbers are rounded to float32.

    nets         which of "potential" and "contact" the file holds
    mass         [K]
    pairs        [contacts][2] of body and other; None: a wall
    normal       [contacts][d], unit, from other to body
    distance     [contacts], None: 0
    damping      [K], None: 0
    tolerance    relative, on the step size
    """

    nets: tuple
    mass: tuple
    pairs: tuple = ()
    normal: tuple = ()
    distance: tuple | None = None
    dimension: int = 1
    restitution: float = 1.0
    rest_speed: float = 0.0
    damping: tuple | None = None
    project: bool = False
    tolerance: float = 0.02

    def __post_init__(self):
        def put(field, values):
            object.__setattr__(self, field, values.tolist() if values.ndim == 0 else tuple(map(_plain, values)))
        object.__setattr__(self, "pairs", tuple((body, other) for body, other in self.pairs))
        object.__setattr__(self, "nets", tuple(net for net in NETS if net in self.nets) if set(self.nets) <= set(NETS) else ())
        K, C = len(self.mass), len(self.pairs)
        if not self.nets or ("contact" in self.nets and not C):
            _refuse("nets", f"is {self.nets!r}, wanted one or both of {', '.join(NETS)}, contact only with contacts")
        if not 1 <= K <= MOST or C > MOST:
            _refuse("mass" if C <= MOST else "pairs", f"{K} bodies and {C} contacts, wanted 1 to {MOST} and at most {MOST}")
        if self.dimension not in (1, 2, 3):
            _refuse("dimension", f"is {self.dimension!r}, wanted 1, 2 or 3")
        put("mass", _numbers(self.mass, "mass", (K,), above=True))
        put("damping", _numbers(np.zeros(K) if self.damping is None else self.damping, "damping", (K,), 0.0))
        put("distance", _numbers(np.zeros(C) if self.distance is None else self.distance, "distance", (C,)))
        normal = _numbers(np.reshape(self.normal, (C, -1)) if C else np.zeros((0, self.dimension)), "normal",
                          (C, self.dimension))
        if C and np.abs((normal.astype(float)**2).sum(axis=1) - 1).max() > 1e-3:
            _refuse("normal", "is not of unit length")
        put("normal", normal)
        for field, most in (("restitution", 1.0), ("rest_speed", None), ("tolerance", 1.0)):
            put(field, _numbers(getattr(self, field), field, (), 0.0, most))
        for c, (body, other) in enumerate(self.pairs):
            if not 0 <= body < K or other is not None and (not 0 <= other < K or other == body):
                _refuse(f"pairs[{c}]", f"is {(body, other)}, wanted two of {K} bodies, or a body and None")

    kind = property(lambda self: "system")

    def to_bytes(self):
        K, C, d = len(self.mass), len(self.pairs), self.dimension
        flags = sum(NETS[net] for net in set(self.nets)) + PROJECT * bool(self.project)
        numbers = [*self.mass, *self.damping, *self.distance, *np.ravel(self.normal)]
        pairs = [(body, WALL if other is None else other) for body, other in self.pairs]
        data = struct.pack("<2H4B3f12x", KIND, INPUTS, K, d, C, flags, self.restitution, self.rest_speed, self.tolerance)
        data += struct.pack(f"<{len(numbers)}f", *numbers) + bytes(np.ravel(pairs).astype(np.uint8).tolist() if pairs else [])
        return data.ljust(size_of(K, d, C), b"\0")

    def as_dict(self):
        """Plain values, as `tinycontact model inspect --json` shows them."""
        return {"kind": "system", "inputs": INPUTS, "nets": sorted(self.nets), "dimension": self.dimension,
                "mass": list(self.mass), "damping": list(self.damping), "restitution": self.restitution,
                "rest_speed": self.rest_speed, "project": bool(self.project), "tolerance": self.tolerance,
                "contacts": [{"body": body, "other": other, "normal": list(n), "distance": distance}
                             for (body, other), n, distance in zip(self.pairs, self.normal, self.distance)]}

    def lines(self):
        """What `tinycontact model inspect` prints."""
        what = self.as_dict()
        yield (f"CD-Lagrange system of {len(self.mass)} bodies in {self.dimension} dimensions: masses"
               f" {', '.join(f'{m:.6g}' for m in self.mass)} kg (tolerance of the step {100 * self.tolerance:.3g} %)")
        yield (f"  nets {', '.join(what['nets'])}; restitution {self.restitution:.3g}, rest below {self.rest_speed:.3g} m/s,"
               f" projection {'mean' if self.project else 'none'}")
        for contact in what["contacts"]:
            other = "a wall" if contact["other"] is None else f"body {contact['other']}"
            yield (f"  contact of body {contact['body']} with {other}, normal {contact['normal']},"
                   f" distance {contact['distance']:.6g}")


def _plain(value):
    return tuple(value.tolist()) if np.ndim(value) else float(value)


def read_system(r, at, size):
    """The SystemRecord of `size` bytes at `at` of a file while it is read (format._Reader), every rule looked at in the
    library's order."""
    def expect(condition, offset, field, text):
        r.expect(condition, "FIELD", offset, f"system record, {field}", text)
    expect(size > ARRAYS, 56, "size", f"is {size}, wanted more than {ARRAYS}")
    inputs, K, d, C, flags = struct.unpack_from("<H4B", r.blob, at + 2)
    expect(inputs == INPUTS, at + 2, "inputs", f"version {inputs} of the net inputs is not known, {INPUTS} is")
    expect(1 <= K <= MOST, at + 4, "bodies", f"is {K}, wanted 1 to {MOST}")
    expect(1 <= d <= 3, at + 5, "dimension", f"is {d}, wanted 1 to 3")
    expect(C <= MOST, at + 6, "contacts", f"is {C}, wanted 0 to {MOST}")
    expect(flags <= 7 and flags & 3 and (C or not flags & 2), at + 7, "flags", f"is {flags}, wanted a net, and a contact"
           " net only with contacts")
    expect(size == size_of(K, d, C), 56, "size", f"is {size}, wanted {size_of(K, d, C)}")

    def numbers(offset, n, field, least=None, above=False, most=None):
        values = []
        for i in range(n):
            where, name = offset + 4 * i, f"{field}[{i}]" if n != 1 else field
            value, bits = r.unpack("f", where), r.unpack("I", where)
            good = np.isfinite(value) and (least is None or not bits >> 31)
            r.expect(good, "WEIGHT", where, f"system record, {name}", f"is {value:g}")
            expect(not above or bits, where, name, "is 0, wanted greater than 0")
            expect(most is None or value <= most, where, name, f"is {value:g}, wanted at most {most}")
            values.append(value)
        return values
    (restitution,), (rest_speed,) = numbers(at + 8, 1, "restitution", 0, most=1.0), numbers(at + 12, 1, "rest_speed", 0)
    (tolerance,) = numbers(at + 16, 1, "tolerance", 0, most=1.0)
    expect(not any(r.blob[at + 20:at + ARRAYS]), at + 20, "reserved bytes", "are not zero")
    at_damping, at_distance = at + ARRAYS + 4 * K, at + ARRAYS + 8 * K
    at_pairs = at_distance + 4 * C * (1 + d)
    mass, damping = numbers(at + ARRAYS, K, "mass", 0, True), numbers(at_damping, K, "damping", 0)
    rest = numbers(at_distance, C * (1 + d), "distance and normal")
    pairs = []
    for i in range(at_pairs, at_pairs + 2 * C, 2):
        body, other = r.blob[i], r.blob[i + 1]
        expect(body < K, i, "pairs", f"body {body} of {K}")
        expect(other != body and (other < K or other == WALL), i + 1, "pairs", f"body {other} of {K}")
        pairs.append((body, None if other == WALL else other))
    end = at_pairs + 2 * C
    expect(not any(r.blob[end:at + size]), end, "padding", "is not zero")
    return SystemRecord(tuple(name for name, bit in NETS.items() if flags & bit), tuple(mass), tuple(pairs),
                        tuple(np.reshape(rest[C:], (C, d)).tolist()), tuple(rest[:C]), d, restitution, rest_speed,
                        tuple(damping), bool(flags & PROJECT), tolerance)
