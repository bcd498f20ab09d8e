# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Linear complementarity problems, solved by the library itself in float32.

    answer = tinycontact.lcp.solve([[2, 1], [1, 2]], [-5, -6])
    answer.status, answer.z, answer.w        # "solved", z >= 0, w = M z + q >= 0, z w = 0

Which solver. M and q are rounded to float32. If M is then symmetric and positive semi-definite, the solver
for contact matrices takes it (kind "semidefinite": w is unique, "no_solution" is proved); otherwise
lexicographic Lemke (kind "general"). In numbers:
  symmetric      M_ij and M_ji differ by at most 2^-22 of the larger one, four roundings; their mean is taken,
                 which moves w by less than the residual that counts as solved
  semi-definite  no diagonal element is negative, a row with diagonal 0 is 0, and the least eigenvalue of the
                 others, scaled to a diagonal of ones, is at least -1e-5: what float32 leaves of a
                 rank-deficient J J^T
"""
import ctypes
import functools
from ctypes import POINTER, c_int, c_size_t, c_uint32, c_void_p

import numpy as np

from .answers import Fields
from .arrays import BadInput, flat, floats
from .errors import BY_VALUE
from .library import Library, aligned

MAX = 16
SEMIDEFINITE, GENERAL = 0, 1
KINDS = ("semidefinite", "general")
STATUS = {"TC_OK": "solved", "TC_NOTE_PRECISION": "imprecise", "TC_NOTE_LIMIT": "limit",
          "TC_ERR_NO_SOLUTION": "no_solution", "TC_ERR_RAY": "ray", "TC_ERR_NOT_CERTIFIED": "not_certified"}
STATUSES = (*STATUS.values(), "bad_input")
SYMMETRY = 2.0**-22
EIGENVALUE = -1e-5


class _Problem(ctypes.Structure):
    _fields_ = [("n", c_uint32), ("kind", c_int), ("M", c_void_p), ("q", c_void_p), ("J", c_void_p),
                ("d", c_uint32), ("warm", c_uint32)]


def _info_of(number):
    class Info(ctypes.Structure):
        _fields_ = [("active", c_uint32), ("iterations", c_uint32), ("residual", number), ("scale", number),
                    ("farkas", c_void_p), ("error", number)]
    return Info


class Answer(Fields):
    """What became of a problem; fields are keys and attributes.

    status      solved; imprecise: the solution, but rounding z to float32 leaves an error above 2^-10;
                no_solution; limit (z is the best iterate); ray: Lemke's paths have no end, and for this M that
                proves nothing; not_certified; or bad_input
    ok          whether it is solved
    z, w        arrays of n, z >= 0 and w >= 0 but for its rounding; zeros where there is no answer, empty for
                bad input
    iterations  changes of the active set, or pivots
    residual    largest |min(z, M z + q)| over the largest sum_j |M_ij| z_j + |q_i|, in float64 for M and q as
                rounded (the library tells an upper bound of it); None where there is no answer
    error       largest |min(z, M z + q)| over the largest |q|, as residual: at most 2^-10 when solved
    farkas      with no_solution: y >= 0 with M' y <= 0 within rounding and q' y < 0, which proves it
    kind        semidefinite or general: which solver it was; None for bad input
    message     with bad_input: the field at fault and why
    """


def _checked(M, q):
    """M [n, n] and q [n] in float64."""
    q, lengths = flat(q, "q")
    if any(length is not None for length in lengths):
        raise BadInput("q: is not a list of numbers")
    n = len(q)
    if n > MAX:
        raise BadInput(f"q: has {n} numbers, wanted up to {MAX}")
    M, lengths = flat(M, "M")
    if lengths not in ([n] * n, [None] * (n * n)):
        uneven = next((k for k, length in enumerate(lengths) if length != n), None)
        shape = (f"{len(lengths)} numbers" if set(lengths) <= {None} else f"{len(lengths)} rows"
                 if len(lengths) != n else f"{lengths[uneven] or 0} numbers in row {uneven}")
        raise BadInput(f"M: has {shape}; q has {n}, so wanted {n} rows of {n}, or {n * n} numbers")
    return floats(M, "M").reshape(n, n), floats(q, "q")


def kind_of(M):
    """(kind, M as it is handed to that solver, in float32)."""
    rounded = M.astype(np.float32)
    wide = rounded.astype(np.float64)
    larger = np.maximum(np.abs(wide), np.abs(wide.T))
    if np.any(np.abs(wide - wide.T) > SYMMETRY * larger):
        return GENERAL, rounded
    mean = (0.5 * (wide + wide.T)).astype(np.float32)
    diagonal = np.diagonal(wide)
    carried = diagonal > 0
    if np.any(wide[~carried]):   # a negative diagonal, too
        return GENERAL, rounded
    root = np.sqrt(diagonal[carried])
    scaled = wide[np.ix_(carried, carried)] / root[:, None] / root
    if len(root) and np.linalg.eigvalsh(0.5 * (scaled + scaled.T))[0] < EIGENVALUE:
        return GENERAL, rounded
    return SEMIDEFINITE, mean


def residual(M, q, z):
    """How far z is from solving M, q, in float64; see Answer."""
    M, q, z = (np.asarray(array, np.float64) for array in (M, q, z))
    scale = (np.abs(M) @ z + np.abs(q)).max(initial=0.0)
    return _beside(M, q, z, scale)


def error(M, q, z):
    """The same beside q; see Answer."""
    M, q, z = (np.asarray(array, np.float64) for array in (M, q, z))
    return _beside(M, q, z, np.abs(q).max(initial=0.0))


def _beside(M, q, z, scale):
    return float(np.abs(np.minimum(z, M @ z + q)).max(initial=0.0) / scale) if scale > 0 else 0.0


class Solver:
    """tc_lcp_solve of a Library (the host's float32 build unless another is given)."""

    def __init__(self, library=None):
        library = library or Library()
        self._real = library.real
        self._info = _info_of(ctypes.c_float if self._real is np.float32 else ctypes.c_double)
        self._solve = library.function("tc_lcp_solve", c_int, [
            POINTER(_Problem), c_void_p, c_void_p, POINTER(self._info), c_void_p, c_size_t])
        # TC_LCP_GENERAL_WORK of the largest problem, more than TC_LCP_WORK
        self._work = aligned(2 * MAX * MAX + 12 * MAX + 24, self._real)

    def solve(self, M, q):
        """The Answer. M: n rows of n, or n n numbers in row-major order; q: n numbers; n up to 16."""
        try:
            M, q = _checked(M, q)
        except BadInput as error:
            return self.bad(str(error))
        kind, M = kind_of(M)
        return self._call(kind, M.astype(self._real), q.astype(np.float32).astype(self._real))

    @staticmethod
    def bad(message):
        none = np.zeros(0, np.float32)
        return Answer(status="bad_input", ok=False, z=none, w=none, iterations=0, residual=None, error=None, kind=None,
                      message=message)

    def _call(self, kind, M, q):
        n = len(q)
        M, q = np.ascontiguousarray(M), np.ascontiguousarray(q)
        z, w, info = np.zeros(n, self._real), np.zeros(n, self._real), self._info()
        problem = _Problem(n, kind, M.ctypes.data, q.ctypes.data, None, 0, 0)
        value = self._solve(problem, z.ctypes.data, w.ctypes.data, info, self._work.ctypes.data,
                            len(self._work))
        name, text = BY_VALUE.get(value, (f"status {value}", "unknown status"))
        if name not in STATUS:
            return self.bad(f"M or q: {text} ({name})")
        answered = value >= 0
        answer = Answer(status=STATUS[name], ok=value == 0, z=z, w=w, iterations=info.iterations,
                        residual=residual(M, q, z) if answered else None,
                        error=error(M, q, z) if answered else None, kind=KINDS[kind])
        if name == "TC_ERR_NO_SOLUTION":
            numbers = (ctypes.c_float if self._real is np.float32 else ctypes.c_double) * n
            answer["farkas"] = np.array(numbers.from_address(info.farkas)) if info.farkas else None
        return answer


@functools.lru_cache(maxsize=1)
def _default():
    return Solver()


def solve(M, q):
    """Solves z >= 0, w = M z + q >= 0, z w = 0 for n up to 16 with the library: the Answer. It never raises
    for what M and q hold: that is status "bad_input", with a message."""
    return _default().solve(M, q)
