# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The host build of the library, by ctypes.

The structs below are those of lib/net/tc_net.h and lib/model/tc_model.h, field by field. A blob is copied once, to an
address that is a multiple of 16, and lives as long as its handle.
"""
import ctypes
import os
from ctypes import POINTER, c_char_p, c_float, c_int, c_size_t, c_uint8, c_uint16, c_uint32, c_void_p
from pathlib import Path

import numpy as np

from .build import CLONE, compiled, make, repository
from .errors import STATUS, StatusError, TinycontactError, expect_model
from .functions import FUNCTIONS, UNARY, Calls

BACKENDS = ("portable", "cmsis-dsp")
RECORD_READERS = ("tc_learned_record_read", "tc_cdl_record_read")
RECORD_BYTES = 512   # room for the struct that any of them fills


class _Dense(ctypes.Structure):
    _fields_ = [("weights", c_void_p), ("bias", c_void_p), ("scale", c_void_p), ("n_in", c_uint16),
                ("n_out", c_uint16), ("activation", c_uint8), ("weight", c_uint8), ("tile_rows", c_uint8),
                ("tile_columns", c_uint8)]


class _Net(ctypes.Structure):
    _fields_ = [("layers", _Dense * 8), ("input_mean", c_void_p), ("input_scale", c_void_p),
                ("output_mean", c_void_p), ("output_scale", c_void_p), ("input_low", c_void_p),
                ("input_high", c_void_p), ("input_quant", c_float), ("n_in", c_uint16), ("n_out", c_uint16),
                ("width", c_uint16), ("n_layers", c_uint8), ("head", c_uint8)]


class _Model(ctypes.Structure):
    _fields_ = [("blob", c_void_p), ("size", c_uint32), ("n_nets", c_uint32), ("step_size", c_float),
                ("hash", c_void_p), ("metadata", c_void_p), ("metadata_size", c_uint32),
                ("record", c_void_p), ("record_size", c_uint32), ("fault_offset", c_uint32), ("room", _Net)]


def aligned(n, dtype):
    """n elements at an address that is a multiple of 16."""
    size = n * np.dtype(dtype).itemsize
    raw = np.zeros(size + 16, np.uint8)
    start = -raw.ctypes.data % 16
    return raw[start:start + size].view(dtype)


def _address(array):
    return array.ctypes.data_as(c_void_p)


class _Handle:
    """An open model: the bytes, the tc_model in them and its nets."""

    def __init__(self, blob):
        self.blob = aligned(len(blob), np.uint8)
        self.blob[:] = np.frombuffer(blob, np.uint8)
        self.model = _Model()
        self.nets = []


# What the library's symbols end in (lib/base/tc_config_names.h).
ENDS = {"float": "", "double": "_TC_DOUBLE"}


class _Named:
    """The functions of a shared object by the names of the headers."""

    def __init__(self, shared, end):
        self._shared, self._end = shared, end

    def __getattr__(self, name):
        return getattr(self._shared, name + self._end if name.startswith("tc_") else name)


_MADE = {}   # where make put what: asked once in a process, whose loaded library would not change any more


class Library(Calls):
    """backend "portable" or "cmsis-dsp"; real "float" (the library's bits) or "double" (the reference build).

    config: a header of the repository for TC_CONFIG, None: the defaults. The shared object came with the package or, in
    a checkout, is made by `make shared` when needed; TINYCONTACT_LIBRARY names another one, of the default
    configuration.
    """

    def __init__(self, backend="portable", real="float", config=None):
        if backend not in BACKENDS:
            raise TinycontactError(f"backend {backend!r} is none of {', '.join(BACKENDS)}")
        if real not in ("float", "double"):
            raise TinycontactError(f"real {real!r} is neither 'float' nor 'double'")
        if backend != "portable" and real == "double":
            raise TinycontactError(f"backend {backend!r} computes in float only")
        self.backend = backend
        self.real = np.float32 if real == "float" else np.float64
        named = os.environ.get("TINYCONTACT_LIBRARY") if config is None else None
        self.path = named or self._own(backend, real, config) or self._make(backend, real, config)
        try:
            shared = ctypes.CDLL(str(self.path))
            if hasattr(shared, f"tc_mat_mul{ENDS['double' if real == 'float' else 'float']}"):
                raise TinycontactError(f"{self.path}: was not built with real = {real!r}")
            self._c = _Named(shared, ENDS[real])
            self._declare()
        except (OSError, AttributeError) as error:
            raise TinycontactError(f"{self.path}: cannot be loaded as the library ({error})") from None
        found = self._c.tc_selfcheck()
        if found:
            raise TinycontactError(f"{self.path}: fails its own check: {self._c.tc_selfcheck_text(found).decode()}")

    @staticmethod
    def _own(backend, real, config):
        """The shared object that came with the package; None in a checkout."""
        if compiled("float") is None:
            return None
        if backend == "portable" and (real == "double" or not config):
            return compiled(real)   # that of doubles has the sizes of tools/native/scene_config.h
        words = [*([backend] if backend != "portable" else []), real, *([Path(config).stem] if config else [])]
        raise TinycontactError(f"the package has no library built as {', '.join(words)}; from its sources a compiler"
                               f" makes it: {CLONE}")

    @staticmethod
    def _make(backend, real, config=None):
        words = ["shared"] + (["PORT=" + backend] if backend != "portable" else []) + (
            ["REAL=double"] if real == "double" else []) + ([f"TC_CONFIG={config}"] if config else [])
        wanted = (repository(), *words)
        if wanted not in _MADE or not _MADE[wanted].exists():
            lines = make(f"the host library ({backend}, {real})", *words)
            if not lines:
                raise TinycontactError("`make shared` did not print where the library is")
            _MADE[wanted] = repository() / lines[-1]
        return _MADE[wanted]

    def _declare(self):
        c = self._c
        self._number = c_float if self.real is np.float32 else ctypes.c_double
        for name in UNARY:
            if name != "sqrt":   # inline in C; NumPy's is correctly rounded too
                getattr(c, "tc_" + name).argtypes = [self._number]
                getattr(c, "tc_" + name).restype = self._number
        c.tc_atan2.argtypes, c.tc_atan2.restype = [self._number] * 2, self._number
        c.tc_all_finite.argtypes = [c_void_p, c_uint32]
        for function in FUNCTIONS.values():
            work = [c_void_p, c_size_t] if function.name in ("mat_congruence", "mat_psd_solve",
                                                             "mat_inverse_spd") else []
            getattr(c, "tc_" + function.name).argtypes = (
                [c_void_p] * len(function.parameters) + [c_uint32] * len(function.dims)
                + [c_void_p] * function.info + work)
        c.tc_version_text.restype = c_char_p
        c.tc_version.restype = c_uint32
        c.tc_selfcheck.argtypes, c.tc_selfcheck.restype = [], c_uint32
        c.tc_selfcheck_text.argtypes, c.tc_selfcheck_text.restype = [c_uint32], c_char_p
        c.tc_model_open.argtypes = [POINTER(_Model), c_void_p, c_size_t]
        c.tc_model_net_at.argtypes = [POINTER(_Model), c_uint32, POINTER(_Net)]
        c.tc_model_net_name.argtypes = [POINTER(_Model), c_uint32]
        c.tc_model_net_name.restype = c_char_p
        c.tc_model_selftest.argtypes = [POINTER(_Model), c_void_p, c_void_p, c_size_t]
        c.tc_net_eval.argtypes = [POINTER(_Net), c_void_p, c_void_p, c_void_p, c_size_t]
        c.tc_net_grad.argtypes = [POINTER(_Net)] + [c_void_p] * 5 + [c_size_t]
        c.tc_net_in_range.argtypes = [POINTER(_Net), c_void_p]
        for name in RECORD_READERS:
            getattr(c, name).argtypes = [POINTER(_Model), c_void_p, POINTER(c_uint32)]
            getattr(c, name).restype = c_int
        for name in ("tc_model_open", "tc_model_net_at", "tc_model_selftest", "tc_net_eval", "tc_net_grad"):
            getattr(c, name).restype = c_int

    def function(self, name, result, arguments):
        """The C function of that name, declared with these types of ctypes."""
        try:
            function = getattr(self._c, name)
        except AttributeError:
            raise TinycontactError(f"{self.path}: holds no function {name}; was it built from another"
                                   f" version?") from None
        function.restype, function.argtypes = result, arguments
        return function

    def build_text(self):
        """tc_version_text(): version, profile, port, tanh."""
        return self._c.tc_version_text().decode()

    def version(self):
        """tc_version(), as "0.9.0"."""
        v = self._c.tc_version()
        return f"{v >> 16}.{v >> 8 & 255}.{v & 255}"

    # ---- What Calls asks for

    def _matrix(self, function, dims, arrays):
        arguments = [_address(a) for a in arrays] + dims
        info = (c_uint32 * 4)()   # tc_mat_psd_info: rank, then a tc_real at its own alignment
        if function.info:
            arguments.append(ctypes.cast(info, c_void_p))
        length = function.work(dims)
        if length is not None:
            work = np.zeros(max(length, 1), self.real)
            arguments += [_address(work), length]
        status = getattr(self._c, "tc_" + function.name)(*arguments)
        at = 4 if self.real is np.float32 else 8
        return status, int(info[0]), float(np.frombuffer(info, self.real, 1, at)[0])

    def _elementwise(self, name, x, y):
        if name == "sqrt":
            with np.errstate(invalid="ignore"):
                return np.sqrt(x)
        function = getattr(self._c, "tc_" + name)
        values = map(function, x.tolist()) if y is None else map(function, x.tolist(), y.tolist())
        return np.fromiter(values, self.real, len(x))

    def _all_finite(self, x):
        return self._c.tc_all_finite(_address(x), len(x))

    def _open(self, blob):
        handle = _Handle(blob)
        status = self._c.tc_model_open(handle.model, _address(handle.blob), len(blob))
        expect_model("tc_model_open", status, handle.model.fault_offset)
        if handle.model.record:
            self._check_record(handle.model)
        table = []
        for index in range(handle.model.n_nets):
            net = _Net()
            status = self._c.tc_model_net_at(handle.model, index, net)
            if status < 0:
                raise StatusError("tc_model_net_at", status)
            handle.nets.append(net)
            table.append((self._c.tc_model_net_name(handle.model, index).decode("ascii"), net.n_in,
                          net.n_out))
        return handle, table

    def nets_of(self, blob):
        """An open model, whose `nets` are the library's own tc_net; it lives as long as they are used."""
        return self._open(blob)[0]

    def _check_record(self, model):
        """The record is checked by the reader whose kind it is; one that no reader knows is refused, too."""
        place, fault = aligned(RECORD_BYTES, np.uint8), c_uint32()
        for name in RECORD_READERS:
            status = getattr(self._c, name)(model, _address(place), fault)
            if status != STATUS["TC_ERR_MODEL_MISMATCH"][0]:
                break
        expect_model(name, status, fault.value)

    def _eval(self, handle, index, x):
        net = handle.nets[index]
        output = np.zeros(net.n_out, self.real)
        work = aligned(2 * _padded(net.width), self.real)
        return self._c.tc_net_eval(net, _address(x), _address(output), _address(work), len(work)), output

    def _grad(self, handle, index, x, cotangent):
        net = handle.nets[index]
        output, grad = np.zeros(net.n_out, self.real), np.zeros(net.n_in, self.real)
        work = aligned((net.n_layers + 2) * _padded(net.width), self.real)
        status = self._c.tc_net_grad(net, _address(x), _address(cotangent), _address(output), _address(grad),
                                     _address(work), len(work))
        return status, output, grad

    def _in_range(self, handle, index, x):
        return self._c.tc_net_in_range(handle.nets[index], _address(x))

    def _selftest(self, handle):
        work = aligned(4 * _padded(max(net.width for net in handle.nets)), self.real)
        info = (c_uint32 * 4)()   # tc_model_selftest_info: samples, failed, max_error
        status = self._c.tc_model_selftest(handle.model, ctypes.cast(info, c_void_p), _address(work),
                                           len(work))
        return status, int(info[0]), int(info[1]), float(np.frombuffer(info, self.real, 1, 8)[0])


def _padded(width):
    return (width + 15) // 16 * 16
