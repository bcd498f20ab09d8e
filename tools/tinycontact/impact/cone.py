# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Contacts with Coulomb friction, solved by the library itself: compression, or both phases of an impact.

    answer = cone.solve({"dim": 2, "n": 1, "G": [[1, 0], [0, 1]], "w0": [-1, 0.5], "mu": [0.3], "floor": None})
    answer.status, answer.w            # "solved", the velocity after
    cone.solve({..., "e": [0.5], "w_star": None}, restitution=True)

A problem is a dict with the fields of docs/reference/impact-files.md; lists may be NumPy arrays. The numbers are
rounded to float32, with double=True to float64, before anything is computed. tc_cone.h and tc_impact.h define
what is solved.
"""
import ctypes
import functools
from ctypes import POINTER, c_double, c_int, c_size_t, c_uint32, c_void_p
from dataclasses import dataclass

import numpy as np

from ..answers import Fields
from ..arrays import BadInput, flat, floats
from ..errors import BY_VALUE, TinycontactError
from ..library import Library, aligned

KINDS = ("open", "stick", "slip", "floor_stick", "floor_slip")
STATUS = {"TC_OK": "solved", "TC_NOTE_PRECISION": "solved", "TC_NOTE_LIMIT": "limit",
          "TC_ERR_NOT_CERTIFIED": "not_certified"}
UNSURE = 2.0**-4   # error above which a certified answer is not called solved
STATUSES = ("solved", "limit", "not_certified", "bad_input")
FIELDS = ("dim", "n", "G", "w0", "mu", "floor")
LONGEST = 4096   # contacts or freedoms of bad input for which zeros are still written


class _Problem(ctypes.Structure):
    _fields_ = [("n", c_uint32), ("rows", c_uint32), ("d", c_uint32), ("G", c_void_p), ("w0", c_void_p),
                ("mu", c_void_p), ("floor", c_void_p), ("compliance", c_void_p), ("warm", c_void_p)]


def _info_of(number, contacts):
    class Info(ctypes.Structure):
        _fields_ = [("kind", c_int * contacts), ("iterations", c_uint32), ("residual", number), ("scale", number),
                    ("error", number), ("margin", number)]
    return Info


class Answer(Fields):
    """What became of a problem; fields are keys and attributes.

    status    solved, limit (the best feasible impulses, or an error above 1/16), not_certified, or bad_input
    u         [n dim] contact velocities after; zeros for not_certified and bad_input
    w         [d] whitened velocity after
    f         [n dim] impulses; those of restitution where both phases are solved
    kinds     [n] open, stick, slip, floor_stick or floor_slip; empty without an answer
    residual  of the certificate, relative to the terms that cancel; None without an answer
    margin    smallest distance of a contact to another kind, in the same unit
    error     the numerator of residual relative to the largest velocity that comes in
    u_c, f_c  with both phases: after compression
    message   with bad_input: the field at fault and why
    """


@dataclass
class _Case:
    """A problem whose fields are checked; arrays of the library's number."""
    n: int
    rows: int
    G: np.ndarray
    w0: np.ndarray
    mu: np.ndarray
    floor: np.ndarray = None
    compliance: np.ndarray = None
    e: np.ndarray = None
    target: np.ndarray = None


def _whole(problem, field):
    value = problem.get(field)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)) \
            or not value == value // 1 or abs(value) == np.inf:
        shown = repr(value)[:30] if value is None or isinstance(value, (str, bool, float)) else f"a {type(value).__name__}"
        raise BadInput(f"{field}: is {'missing' if field not in problem else f'{shown}, not a whole number'}")
    return int(value)


def _sizes(problem):
    """(n dim, d) as far as a faulty problem tells them, for zeros; 0 where it does not."""
    def tried(read):
        try:
            value = read()
            return value if 0 <= value <= LONGEST else 0
        except (BadInput, TypeError):
            return 0
    dim = tried(lambda: _whole(problem, "dim"))
    rows = tried(lambda: _whole(problem, "n")) * (dim if dim in (2, 3) else 0)
    w0 = problem.get("w0")
    return rows, tried(lambda: len(w0) if isinstance(w0, (list, tuple, np.ndarray)) else 0)


class Limits:
    """What the build of the library can take."""

    def __init__(self, library):
        sizes = (c_uint32 * 3)()
        library.function("native_cone_sizes", None, [c_void_p])(sizes)
        self.plane, self.space, self.freedoms = sizes
        self.friction = library.function("native_cone_friction", c_double, [])()


class _Reader:
    """Reads the fields of one problem, or raises BadInput with the field's name."""

    def __init__(self, problem, limits, real):
        if not isinstance(problem, dict):
            raise BadInput(f"is not an object with {', '.join(FIELDS)}")
        self.problem, self.limits, self.real = problem, limits, real

    def numbers(self, field, count, per):
        """[count] of the library's number; `per` says of what there are so many."""
        if field not in self.problem:
            raise BadInput(f"{field}: is missing")
        found, lengths = flat(self.problem[field], field)
        if any(length is not None for length in lengths):
            raise BadInput(f"{field}: is not a list of numbers")
        if count is not None and len(found) != count:
            raise BadInput(f"{field}: has {len(found)} numbers, wanted {count}, {per}")
        return floats(found, field, self.real).astype(self.real)

    def within(self, field, count, low, high, needed=True):
        """The same, one per contact and in a range; None where null is allowed and given."""
        if self.problem.get(field) is None and (not needed or field in self.problem and field != "mu"):
            return None
        found = self.numbers(field, count, "one per contact")
        for k, value in enumerate(found):
            if not low <= value <= high:
                wanted = f"at least {low:g}" if high == np.inf else f"{low:g} to {high:g}"
                raise BadInput(f"{field}: of contact {k} is {value:g}, wanted {wanted}")
        return found

    def rows(self, n, dim, d, mu):
        """G [n dim, d], of which no row is 0 that has to be none."""
        if "G" not in self.problem:
            raise BadInput("G: is missing")
        found, lengths = flat(self.problem["G"], "G")
        m = n * dim
        if lengths not in ([d] * m, [None] * (m * d)):
            uneven = next((k for k, length in enumerate(lengths) if length != d), None)
            shape = (f"{len(lengths)} numbers" if set(lengths) <= {None} else f"{len(lengths)} rows"
                     if len(lengths) != m else f"{lengths[uneven] or 0} numbers in row {uneven}")
            raise BadInput(f"G: has {shape}; wanted {m} rows (n dim) of {d} (the length of w0), or {m * d} numbers")
        G = floats(found, "G", self.real).astype(self.real).reshape(m, d)
        for row in np.flatnonzero(~G.any(axis=1)):
            contact = row // dim
            if row % dim == 0:
                raise BadInput(f"G: row {row}, the normal of contact {contact}, is 0")
            if mu[contact] > 0:
                raise BadInput(f"G: row {row}, a tangent of contact {contact}, is 0 though mu is {mu[contact]:g}")
        return G

    def size(self):
        """(n, dim)"""
        dim = _whole(self.problem, "dim")
        if dim not in (2, 3):
            raise BadInput(f"dim: is {dim}, wanted 2 or 3")
        n, most = _whole(self.problem, "n"), self.limits.space if dim == 3 else self.limits.plane
        if not 0 <= n <= most:
            raise BadInput(f"n: is {n} contacts, wanted 0 to {most} with dim {dim}")
        return n, dim

    def case(self, restitution):
        n, dim = self.size()
        w0 = self.numbers("w0", None, "")
        if not 1 <= len(w0) <= self.limits.freedoms:
            raise BadInput(f"w0: has {len(w0)} numbers, wanted 1 to {self.limits.freedoms}")
        mu = self.within("mu", n, 0, self.limits.friction)
        case = _Case(n, dim, self.rows(n, dim, len(w0), mu), w0, mu)
        case.floor = self.within("floor", n, 0, np.inf, needed=False)
        case.compliance = self.within("compliance", n, 0, np.inf, needed=False)
        if restitution:
            if case.floor is not None and case.floor.any():
                raise BadInput("floor: is given, but the floors of restitution come from e and compression; wanted null")
            case.floor = None
            case.e = self.within("e", n, 0, 1)
            if self.problem.get("w_star") is not None:
                case.target = self.numbers("w_star", len(w0), "as w0")
        return case


def _address(array):
    return None if array is None else array.ctypes.data


def _finite(value):
    return float(value) if np.isfinite(value) else None


def _extreme(case):
    """The field and number that are furthest from 1: what the library refuses as out of range."""
    def far(size):
        return abs(np.log10(size)) if size > 0 else 0
    found = [(far(size), f"G: row {row} has the length {size:g}")
             for row, size in enumerate(np.sqrt((case.G.astype(float)**2).sum(axis=1)))]
    for field in ("w0", "floor", "compliance", "target"):
        values = getattr(case, field)
        for k, value in enumerate([] if values is None else values):
            named = "w_star" if field == "target" else field
            found.append((far(max(1.0, abs(float(value)))), f"{named}: number {k} is {value:g}"))
    return f"{max(found)[1]}, beyond the library's limits"


class Solver:
    """tc_cone_solve and tc_impact_solve of a Library (the host's float32 build unless another is given)."""

    def __init__(self, library=None):
        library = library or Library()
        self.real = library.real
        number = ctypes.c_float if self.real is np.float32 else c_double
        self.limits = Limits(library)
        self._info = _info_of(number, max(16, self.limits.plane))
        self._solve = library.function("tc_cone_solve", c_int, [
            POINTER(_Problem), c_void_p, c_void_p, c_void_p, POINTER(self._info), c_void_p, c_size_t])
        self._impact = library.function("native_impact_solve", c_int, [
            POINTER(_Problem), *[c_void_p] * 3, POINTER(self._info), c_void_p, c_size_t])
        length = library.function("native_cone_work", c_uint32, [c_uint32] * 3)
        self._work = aligned(max(length(self.limits.plane, 2, self.limits.freedoms),
                                 length(self.limits.space, 3, self.limits.freedoms)), self.real)

    def solve(self, problem, restitution=False):
        """The Answer. It never raises for what the problem holds: that is status "bad_input", with a message."""
        try:
            case = _Reader(problem, self.limits, self.real).case(restitution)
        except BadInput as error:
            return self.bad(str(error), problem, restitution)
        value, found = self._both(case) if restitution else self._one(case)
        name, text = BY_VALUE.get(value, (f"status {value}", "unknown status"))
        if name not in STATUS:
            why = _extreme(case) if name == "TC_ERR_RANGE" else f"G, w0 or floor: {text}"
            return self.bad(f"{why} ({name})", problem, restitution)
        unsure = name == "TC_NOTE_PRECISION" and (found["error"] or 0) > UNSURE
        return Answer(status="limit" if unsure else STATUS[name], **found)

    def bad(self, message, problem=None, restitution=False):
        """The Answer to bad input."""
        rows, d = _sizes(problem) if isinstance(problem, dict) else (0, 0)
        u, w = np.zeros(rows, self.real), np.zeros(d, self.real)
        both = {"u_c": u, "f_c": u} if restitution else {}
        return Answer(status="bad_input", u=u, w=w, f=u, kinds=[], residual=None, margin=None, error=None, **both,
                      message=message)

    def _struct(self, case):
        return _Problem(case.n, case.rows, len(case.w0), *map(_address, (
            case.G, case.w0, case.mu, case.floor, case.compliance)), None)

    def _told(self, case, answered, *infos):
        """The fields that infos have; of several the worse."""
        if not answered:
            return dict(kinds=[], residual=None, margin=None, error=None)
        return dict(kinds=[KINDS[k] for k in infos[-1].kind[:case.n]],
                    residual=_finite(max(info.residual for info in infos)),
                    margin=_finite(min(info.margin for info in infos)),
                    error=_finite(max(info.error for info in infos)))

    def _one(self, case):
        """(status, fields) of one cone problem."""
        f, u, w = (np.zeros(k, self.real) for k in (len(case.G), len(case.G), len(case.w0)))
        info = self._info()
        value = self._solve(self._struct(case), f.ctypes.data, u.ctypes.data, w.ctypes.data, info,
                            self._work.ctypes.data, len(self._work))
        return value, dict(u=u, w=w, f=f, **self._told(case, value >= 0, info))

    def _both(self, case):
        """(status, fields) of compression and restitution."""
        m, d = len(case.G), len(case.w0)
        outputs, infos = np.zeros(4 * m + 2 * d, self.real), (self._info * 2)()
        value = self._impact(self._struct(case), _address(case.e), _address(case.target), outputs.ctypes.data, infos,
                             self._work.ctypes.data, len(self._work))
        f_c, u_c, _, f, u, w = np.split(outputs, np.cumsum([m, m, d, m, m]))
        return value, dict(u=u, w=w, f=f, **self._told(case, value >= 0, *infos), u_c=u_c, f_c=f_c)


@functools.lru_cache(maxsize=2)
def solver(double=False):
    """The Solver of the float32 or the double build, loaded once."""
    return Solver(Library(real="double") if double else None)


def solve(problem, restitution=False, double=False):
    """Solves a problem (see above) with the library: the Answer."""
    return solver(bool(double)).solve(problem, restitution)
