# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Scenes of implicit steps in the library: steps, roll-outs, and their derivatives (lib/barrier, tools/native/plan.h).

    with NativeScene(scenefile.load("push.json")) as native:
        run = native.roll(native.start(), native.scene.controls, 100)
        run.states, run.report.gap
        by_state, by_control = native.pull(run, gradients)
"""
import ctypes
import functools
from ctypes import POINTER, byref, c_double, c_int, c_int32, c_uint32, c_void_p
from dataclasses import dataclass

import numpy as np

from ..errors import BY_VALUE, StatusError, TinycontactError
from ..library import Library, aligned
from .scenefile import DRIVES, JOINTS


class Report(ctypes.Structure):
    """native_plan_report"""
    _fields_ = [("done", c_uint32), ("status", c_int32), ("note", c_int32), ("noted", c_uint32), ("newton", c_uint32),
                ("pair", c_uint32), ("gap", c_double)]


class _Sizes(ctypes.Structure):
    _fields_ = [(name, c_uint32) for name in ("coordinates", "freedoms", "state", "tangent", "control", "record", "work")]


def _struct(**fields):
    return type("Struct", (ctypes.Structure,), {"_fields_": list(fields.items())})


class Types:
    """The structs of tc_barrier.h and tc_implicit.h for a kind of number."""

    def __init__(self, real):
        n = ctypes.c_float if real is np.float32 else c_double
        self.number = n
        self.Set = _struct(vertices=c_void_p, count=c_uint32, radius=n)
        self.Config = _struct(A=n, kappa=n, length=n)
        self.Body = _struct(mass=n, inertia=n * 3, joint=c_int, parent=c_uint32, anchor_at=n * 3, anchor=n * 3, rest=n * 4,
                            axis=n * 3, locked=c_uint32, drive=c_int, driven=c_uint32, stiffness=n * 2, damping=n * 2,
                            drag=n, drag_radius=n)
        self.Piece = _struct(set=self.Set, body=c_uint32)
        self.Floor = _struct(normal=n * 3, offset=n, friction=n)
        self.Pair = _struct(a=c_uint32, b=c_uint32, friction=n)
        self.Scene = _struct(space=c_void_p, body=c_void_p, bodies=c_uint32, piece=c_void_p, pieces=c_uint32,
                             floor=c_void_p, floors=c_uint32, pair=c_void_p, pairs=c_uint32, gravity=n * 3, step=n,
                             weight=n, barrier=self.Config, slow=n, tolerance=n, iterations=c_uint32, trials=c_uint32)
        self.Info = _struct(newton=c_uint32, trials=c_uint32, pair=c_uint32, residual=n, value=n, gap=n)

    def agree(self, library):
        """Refuses a library whose structs are others."""
        found = (c_uint32 * 8)()
        library.function("native_plan_sizes", None, [c_void_p])(found)
        structs = (self.Body, self.Piece, self.Floor, self.Pair, self.Scene, _Sizes, self.Info, Report)
        if list(found) != [ctypes.sizeof(struct) for struct in structs]:
            raise TinycontactError(f"{library.path}: its scenes are not this package's; was it built from another version?")


@functools.cache
def types_of(real):
    """The one Types of a kind of number: ctypes tells structs of the same form apart."""
    return Types(real)


@dataclass
class Run:
    """A roll-out: states [done + 1, state], the records of its steps, its controls [rows, controls]."""
    states: np.ndarray
    records: np.ndarray
    controls: np.ndarray
    report: Report


class NativeScene:
    """A scenefile.Scene in a Library (the host's float32 build unless another is given)."""

    def __init__(self, scene, library=None, where=None):
        self.scene, self.library = scene, library or Library()
        self.real, self.where = self.library.real, where or scene.name
        self.types = types_of(self.real)
        self.types.agree(self.library)
        self._held = []
        c, real, f = self.types, c_void_p, self.library.function
        take = [POINTER(c.Scene)]
        self._check = f("tc_implicit_check", c_int, [*take, POINTER(_Sizes)])
        self._start = f("tc_implicit_start", c_int, [*take, real, real, real])
        self._difference = f("tc_implicit_difference", c_int, [*take, real, real, real])
        self._add = f("tc_implicit_add", c_int, [*take, real, real, real])
        self._columns = f("tc_implicit_columns", c_int, [*take, *[real] * 8, ctypes.c_size_t])
        self._roll = f("native_plan_roll", c_int32, [*take, real, c_uint32, c_uint32, c_uint32, real, real, real, c_uint32,
                                                     POINTER(Report)])
        self._pull = f("native_plan_pull", c_int32, [*take, real, c_uint32, c_uint32, *[real] * 5, c_uint32])
        self.given, self.sizes = self._given(), _Sizes()
        status = self._check(byref(self.given), byref(self.sizes))
        if status < 0:
            raise TinycontactError(f"{self.where}: {StatusError('tc_implicit_check', status)}")
        self._work = aligned(self.sizes.work + self.sizes.tangent, self.real)

    def _array(self, kind, entries):
        array = (kind * max(1, len(entries)))(*entries)
        self._held.append(array)
        return ctypes.addressof(array)

    def _given(self):
        s, t = self.scene, self.types
        space = self.library.function(f"tc_implicit{s.dimension}_space", c_void_p, [])()
        default = self.library.function("tc_implicit_default", t.Scene, [c_void_p])(space)
        pieces = []
        for body, piece in s.pieces:
            vertices = np.ascontiguousarray(piece.vertices, self.real)
            self._held.append(vertices)
            pieces.append(t.Piece(t.Set(vertices.ctypes.data, len(vertices), piece.radius), body))
        floors = [t.Floor(self._numbers(f.normal), f.offset, f.friction) for f in s.floors]
        pairs = [t.Pair(*pair) for pair in s.pairs]
        return t.Scene(space, self._array(t.Body, [self._body(b) for b in s.bodies]), len(s.bodies),
                       self._array(t.Piece, pieces), len(pieces), self._array(t.Floor, floors), len(floors),
                       self._array(t.Pair, pairs), len(pairs), self._numbers(s.gravity), s.h, s.mu, t.Config(*s.barrier),
                       s.slow, s.tolerance or default.tolerance, s.iterations, s.trials)

    def _numbers(self, x):
        return (self.types.number * len(x))(*(float(v) for v in x))

    def _body(self, b):
        n = self._numbers
        return self.types.Body(b.mass, n(b.inertia), JOINTS.index(b.joint), b.parent, n(b.anchor_at), n(b.anchor), n(b.rest),
                               n(b.axis), sum(1 << k for k in b.locked), DRIVES.index(b.drive),
                               sum(1 << k for k in b.driven), n(b.stiffness), n(b.damping), b.drag, b.drag_radius)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._held = []

    # ---- What it does

    def start(self, coordinates=None, velocity=None):
        """state [state] of the scene's start, or of another."""
        q, v = (np.ascontiguousarray(own if x is None else x, self.real)
                for x, own in ((coordinates, self.scene.coordinates), (velocity, self.scene.velocity)))
        state = np.zeros(self.sizes.state, self.real)
        self._expect("tc_implicit_start", self._start(byref(self.given), q.ctypes.data, v.ctypes.data, state.ctypes.data))
        return state

    def _expect(self, function, status):
        if status < 0:
            raise TinycontactError(f"{self.where}: {StatusError(function, status)}")

    def roll(self, state, controls, steps, keep=True):
        """The Run from a state; `keep` its records, which `pull` needs. It may end early: report.done, report.status."""
        s = self.sizes
        given = np.asarray(controls, self.real) if s.control else np.zeros((1, 0), self.real)
        controls = np.ascontiguousarray(given).reshape(-1 if s.control else 1, s.control)
        states = np.zeros((steps + 1, s.state), self.real)
        states[0] = state
        records = aligned((steps if keep else 1) * s.record, self.real)
        report = Report()
        self._roll(byref(self.given), controls.ctypes.data, len(controls), steps, int(keep), states.ctypes.data,
                   records.ctypes.data, self._work.ctypes.data, len(self._work), byref(report))
        return Run(states[:report.done + 1], records, controls, report)

    def pull(self, run, gradients):
        """(derivatives [tangent] of a cost by the first state, [steps, controls] by the controls) from those [steps + 1,
        tangent] by each state itself."""
        steps = len(run.states) - 1
        g = np.array(gradients, self.real).reshape(steps + 1, self.sizes.tangent)
        by_control = np.zeros((steps, self.sizes.control), self.real)
        self._expect("tc_implicit_pull", self._pull(
            byref(self.given), run.controls.ctypes.data, len(run.controls), steps, run.states.ctypes.data,
            run.records.ctypes.data, g.ctypes.data, by_control.ctypes.data, self._work.ctypes.data, len(self._work)))
        return g[0], by_control

    def add(self, state, increment):
        """The state after an increment [tangent]."""
        state, step = (np.ascontiguousarray(x, self.real) for x in (state, increment))
        after = np.zeros_like(state)
        self._expect("tc_implicit_add", self._add(byref(self.given), state.ctypes.data, step.ctypes.data, after.ctypes.data))
        return after

    def difference(self, to, start):
        """The increment [tangent] that leads from a state to another."""
        to, start = (np.ascontiguousarray(x, self.real) for x in (to, start))
        step = np.zeros(self.sizes.tangent, self.real)
        self._expect("tc_implicit_difference",
                     self._difference(byref(self.given), to.ctypes.data, start.ctypes.data, step.ctypes.data))
        return step

    def told(self, report):
        """What a roll-out's end or note means, in words; "" if there is nothing to say."""
        if report.status < 0:
            text = BY_VALUE.get(report.status, (f"status {report.status}", "unknown"))
            between = self.between(report)
            return f"step {report.done}: {text[1]} ({text[0]}){between and ': ' + between}"
        if report.note > 0:
            text = BY_VALUE.get(report.note, (f"status {report.note}", "unknown"))
            return f"step {report.noted}: {text[1]} ({text[0]})"
        return ""

    def between(self, report):
        """The names of what touches; "" where nothing does."""
        if BY_VALUE.get(report.status, ("",))[0] != "TC_ERR_TOUCHING":
            return ""
        return self.pair_names(report.pair)

    def pair_names(self, pair):
        """The names of the bodies, or of body and floor, of tc_implicit_info.pair."""
        owners = [self.scene.names[k] for k, _ in self.scene.pieces]
        if pair < len(self.scene.pairs):
            a, b, _ = self.scene.pairs[pair]
            return f"{owners[a]} and {owners[b]}"
        floor, piece = divmod(pair - len(self.scene.pairs), max(1, len(owners)))
        known = floor < len(self.scene.floors)
        return f"{owners[piece]} and {self.scene.floors[floor].name}" if known else ""
