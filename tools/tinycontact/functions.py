# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The library's functions on NumPy arrays, whoever computes them: the host build or a board.

MATRIX lists the functions of tc_mat.h and tc_math.h that take arrays. One line: the name without tc_, then
the parameters in C's order, each with its dimensions; > an output, = read and written. After them C takes
the dimensions in order of appearance, mat_psd_solve an info, and a workspace where WORK has a length. The
line's number is the function's number in boards/apps/remote/remote.c.
"""
import re

import numpy as np

from .errors import BY_VALUE, STATUS, StatusError, TinycontactError, TinycontactNote

MATRIX = """
mat_mul A:m,k B:k,n >C:m,n
mat_vec A:m,n x:n >y:m
mat_vec_t A:m,n x:m >y:n
mat_vec_add_inplace A:m,n x:n =y:m
mat_vec_t_add_inplace A:m,n x:m =y:n
mat_congruence_diag A:m,n d:n >C:m,m
mat_congruence A:m,n D:n,n >C:m,m
mat_cholesky A:n,n >L:n,n
mat_cholesky_inplace =A:n,n
mat_ldlt A:n,n >L:n,n >d:n
mat_solve_lower L:n,n B:n,columns >X:n,columns
mat_solve_lower_t L:n,n B:n,columns >X:n,columns
mat_cholesky_solve L:n,n B:n,columns >X:n,columns
mat_ldlt_solve L:n,n d:n B:n,columns >X:n,columns
mat_psd_solve A:n,n b:n >x:n
mat_inverse_spd A:n,n >inverse:n,n
softmax_inplace =x:n
"""
WORK = {"mat_congruence": lambda m, n: n, "mat_psd_solve": lambda n: n * n + 3 * n,
        "mat_inverse_spd": lambda n: n * n}
# Functions of one number, applied element by element; atan2 takes two. Numbered on from MATRIX.
UNARY = ("exp", "log", "tanh", "sigmoid", "softplus", "sqrt", "sin", "cos", "normal_density",
         "normal_distribution",
         "normal_ratio")
HELP = {
    "mat_mul": "C = A B", "mat_vec": "y = A x", "mat_vec_t": "y = A^T x",
    "mat_vec_add_inplace": "y + A x", "mat_vec_t_add_inplace": "y + A^T x",
    "mat_congruence_diag": "A diag(d) A^T", "mat_congruence": "A D A^T, D symmetric (lower triangle read)",
    "mat_cholesky": "L of A = L L^T", "mat_cholesky_inplace": "L of A = L L^T",
    "mat_ldlt": "(L, d) of A = L diag(d) L^T", "mat_solve_lower": "X of L X = B",
    "mat_solve_lower_t": "X of L^T X = B", "mat_cholesky_solve": "X of L L^T X = B",
    "mat_ldlt_solve": "X of L diag(d) L^T X = B",
    "mat_psd_solve": "(x, info) of A x = b, A positive semi-definite; info has rank, residual and note",
    "mat_inverse_spd": "inverse of a symmetric positive definite A", "softmax_inplace": "softmax of x",
}


class Parameter:
    def __init__(self, text):
        role, self.name, dims = re.fullmatch(r"([>=]?)(\w+):(.*)", text).groups()
        self.dims = tuple(dims.split(","))
        self.given, self.returned = role != ">", role != ""


class Function:
    """One line of MATRIX."""

    def __init__(self, number, line):
        self.number = number
        self.name, *parameters = line.split()
        self.parameters = [Parameter(text) for text in parameters]
        self.inputs = [p for p in self.parameters if p.given]
        self.dims = list(dict.fromkeys(d for p in self.parameters for d in p.dims))
        self.info = self.name == "mat_psd_solve"

    def work(self, dims):
        return WORK[self.name](*dims) if self.name in WORK else None

    def describe(self):
        takes = ", ".join(f"{p.name}[{','.join(p.dims)}]" for p in self.inputs)
        return f"{self.name}({takes}): {HELP[self.name]}"


FUNCTIONS = {f.name: f for f in (Function(k, line) for k, line in enumerate(MATRIX.strip().splitlines()))}
UNARY_NUMBER = {name: len(FUNCTIONS) + k for k, name in enumerate(UNARY)}
ATAN2_NUMBER = len(FUNCTIONS) + len(UNARY)
ALL_FINITE_NUMBER = ATAN2_NUMBER + 1
NAMES = [*FUNCTIONS, *UNARY, "atan2", "all_finite"]


class PsdInfo:
    """What the semi-definite solve found: rank, residual, and its note ("TC_NOTE_RANK") or ''."""

    def __init__(self, rank, residual, note):
        self.rank, self.residual, self.note = rank, residual, note

    def __repr__(self):
        return f"PsdInfo(rank={self.rank}, residual={self.residual:g}, note={self.note!r})"


def numbers(values, what, dtype):
    try:
        return np.asarray(values, dtype=dtype)
    except (TypeError, ValueError) as error:
        raise TinycontactError(f"{what}: not an array of numbers ({error})") from None


def _size_error(function, detail):
    return StatusError(function, STATUS["TC_ERR_SIZE"][0], detail)


def _fit(function, parameter, array, dims):
    """The array in the parameter's number of dimensions; sizes of new dimensions go to `dims`."""
    if len(parameter.dims) == 2 and parameter.dims[1] == "columns" and array.ndim == 1:
        array = array[:, None]
    if array.ndim != len(parameter.dims):
        raise _size_error(function,
                          f"{parameter.name} has {array.ndim} dimensions, wanted {len(parameter.dims)}")
    for axis, (dim, n) in enumerate(zip(parameter.dims, array.shape)):
        if dims.setdefault(dim, n) != n:
            raise _size_error(function, f"{parameter.name} has {n} {('rows', 'columns')[axis]}, wanted"
                              f" {dim} = {dims[dim]}")
    return array


def note(function, value, warn):
    """The name of a positive status, '' for 0; negative ones are raised."""
    if value < 0:
        raise StatusError(function, value)
    if value == 0:
        return ""
    name, text = BY_VALUE.get(value, (f"status {value}", "unknown note"))
    if warn:
        import warnings
        warnings.warn(TinycontactNote(f"{function}: {text} ({name})"), stacklevel=4)
    return name


class Calls:
    """The functions as methods. A subclass says how to call: `real` (the NumPy type) and

        _matrix(function, dims, arrays)    -> (status, rank, residual)  arrays in C's order, outputs filled
        _elementwise(name, x, y)           -> array                     y only for atan2
        _all_finite(x)                     -> int
        _open(blob)                        -> (handle, [(name, n_in, n_out)])
        _eval(handle, index, x)            -> (status, output)
        _grad(handle, index, x, cotangent) -> (status, output, gradient)
        _in_range(handle, index, x)        -> int
        _selftest(handle)                  -> (status, samples, failed, max_error)

    Functions whose name ends in _inplace work on a copy here, and return it.
    """

    real = np.float32

    def call(self, name, *arguments):
        """Function `name` of MATRIX, UNARY, atan2 or all_finite."""
        if name in FUNCTIONS:
            return self._run(FUNCTIONS[name], arguments)
        if name == "all_finite" and len(arguments) == 1:
            return bool(self._all_finite(np.ascontiguousarray(numbers(arguments[0], name,
                                                                      self.real)).reshape(-1)))
        if name in UNARY and len(arguments) == 1 or name == "atan2" and len(arguments) == 2:
            arrays = np.broadcast_arrays(*[numbers(a, name, self.real) for a in arguments])
            flat = [np.ascontiguousarray(a).reshape(-1) for a in arrays] + [None]
            result = self._elementwise(name, flat[0], flat[1]).reshape(arrays[0].shape)
            return result[()]
        if name not in NAMES:
            raise TinycontactError(f"no function {name!r}; there are: {', '.join(NAMES)}")
        raise TinycontactError(f"{name}: {len(arguments)} arguments given, takes"
                               f" {2 if name == 'atan2' else 1}")

    def _run(self, function, arguments):
        if len(arguments) != len(function.inputs):
            wanted = ", ".join(p.name for p in function.inputs)
            raise TinycontactError(f"{function.name}: {len(arguments)} arguments given, takes {wanted}")
        given = iter(numbers(a, f"{function.name}, {p.name}", self.real)
                     for a, p in zip(arguments, function.inputs))
        dims, arrays, vector = {}, [], False
        for parameter in function.parameters:
            if parameter.given:
                array = next(given)
                vector = vector or (array.ndim == 1 and parameter.dims[1:] == ("columns",))
                arrays.append(np.array(_fit(function.name, parameter, array, dims), self.real, order="C"))
            else:
                arrays.append(np.zeros([dims[d] for d in parameter.dims], self.real))
        status, rank, residual = self._matrix(function, [dims[d] for d in function.dims], arrays)
        noted = note(function.name, status, not function.info)
        results = [a for a, p in zip(arrays, function.parameters) if p.returned]
        if vector:
            results = [a[:, 0] if a.ndim == 2 and p.dims[1:] == ("columns",) else a for a, p in
                       zip(results, [p for p in function.parameters if p.returned])]
        if function.info:
            results.append(PsdInfo(rank, residual, noted))
        return results[0] if len(results) == 1 else tuple(results)

    # ---- Models

    def open(self, model):
        """A Model, a Net, the bytes of a .tcm file or its path, opened by tc_model_open: an OpenModel."""
        from .model import Model, read_bytes
        from .net import Net
        if isinstance(model, Net):
            model = Model([model])
        if isinstance(model, Model):
            model = model.to_bytes()
        if isinstance(model, (bytes, bytearray, memoryview)):
            return OpenModel(self, bytes(model))
        try:
            return OpenModel(self, read_bytes(model))
        except StatusError as error:
            error.args = (f"{model}: {error}",)
            raise

    def eval(self, model, x, name=None):
        """Outputs of a net at inputs [n_in] or [n, n_in]."""
        return self.open(model).net(name).eval(x)


def _method(name, text):
    def method(self, *arguments):
        return self.call(name, *arguments)
    method.__name__, method.__doc__ = name, text
    return method


for _f in FUNCTIONS.values():
    setattr(Calls, _f.name, _method(_f.name, _f.describe()))
for _name in UNARY:
    setattr(Calls, _name, _method(_name, f"{_name} of every element of x, by tc_{_name}"))
Calls.atan2 = _method("atan2", "angle of the vectors (x, y) [rad]; arguments are y, x as in C")
Calls.all_finite = _method("all_finite", "whether all elements of x are finite")


class OpenModel:
    """A model file as opened by the library (not by this package's reader)."""

    def __init__(self, backend, blob):
        self.backend = backend
        self.handle, self.nets = backend._open(blob)

    def net(self, name=None):
        """The net of that name; without one, the only net there is."""
        names = [net[0] for net in self.nets]
        if name is None and len(names) == 1:
            return OpenNet(self, 0)
        if name not in names:
            wanted = "several nets: name one" if name is None else f"no net is named {name!r}"
            raise StatusError("tc_model_net", STATUS["TC_ERR_MODEL_NAME"][0],
                              f"{wanted}; there are: {', '.join(names)}")
        return OpenNet(self, names.index(name))

    def selftest(self):
        """Evaluates the stored samples: {"samples", "failed", "max_error"}; an error if any is off."""
        status, samples, failed, most = self.backend._selftest(self.handle)
        if status < 0:
            raise StatusError("tc_model_selftest", status,
                              f"{failed} outputs of {samples} samples are off, at most by"
                              f" {most:g}")
        return {"samples": samples, "failed": failed, "max_error": most}


class OpenNet:
    def __init__(self, model, index):
        self.model, self.index = model, index
        self.name, self.n_in, self.n_out = model.nets[index]

    def _rows(self, x, n, what):
        array = numbers(x, what, self.model.backend.real)
        if array.ndim not in (1, 2) or array.shape[-1] != n:
            raise _size_error(what, f"shape {array.shape}, wanted [{n}] or [rows, {n}]")
        return np.ascontiguousarray(np.atleast_2d(array)), array.ndim == 1

    def eval(self, x):
        """tc_net_eval: outputs [n_out] or [rows, n_out]."""
        from .progress import progress
        rows, one = self._rows(x, self.n_in, f"net {self.name!r}, inputs")
        result = np.zeros((len(rows), self.n_out), self.model.backend.real)
        for k, row in progress(rows, "evaluating"):
            status, result[k] = self.model.backend._eval(self.model.handle, self.index, row)
            if status < 0:
                raise StatusError(f"tc_net_eval, net {self.name!r}", status, "" if one else f"row {k}")
        return result[0] if one else result

    def grad(self, x, cotangent):
        """tc_net_grad: (output, input gradient) at one input."""
        x, _ = self._rows(x, self.n_in, f"net {self.name!r}, input")
        c, _ = self._rows(cotangent, self.n_out, f"net {self.name!r}, cotangent")
        if len(x) != 1 or len(c) != 1:
            raise TinycontactError("grad takes one input and one cotangent")
        status, output, grad = self.model.backend._grad(self.model.handle, self.index, x[0], c[0])
        note(f"tc_net_grad, net {self.name!r}", status, True)
        return output, grad

    def in_range(self, x):
        """Whether one input lies in the range of training."""
        x, _ = self._rows(x, self.n_in, f"net {self.name!r}, input")
        return bool(self.model.backend._in_range(self.model.handle, self.index, x[0]))
