# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Plans by the library (lib/barrier/tc_plan.h): one plan of all knots, or a plan per frame of which a knot is executed.

    found = optimise(taskfile.load("reach.json"))
    found.reached, found.q, found.cost
"""
import copy
import ctypes
import functools
import time
from ctypes import POINTER, byref, c_int, c_size_t, c_uint32, c_void_p
from dataclasses import dataclass, field

import numpy as np

from ..errors import BY_VALUE, StatusError, TinycontactError
from ..library import Library, aligned
from .detours import WAIT, Detours
from .native import NativeScene, types_of as scene_types
from .scenefile import Scene
from .simulate import poses, split
from .taskfile import METHODS

PATIENCE = 60     # frames without progress after which another goal is tried
BEHIND = 0.25     # [m] from a body's centre, where it can be pushed from


def _struct(**fields):
    return type("Struct", (ctypes.Structure,), {"_fields_": list(fields.items())})


class Types:
    """The structs of tc_plan.h for a kind of number."""

    def __init__(self, real):
        n = ctypes.c_float if real is np.float32 else ctypes.c_double
        self.Model = _struct(scene=c_void_p, state=c_uint32, tangent=c_uint32, control=c_uint32, record=c_uint32,
                             work=c_uint32, step=c_void_p, pull=c_void_p, columns=c_void_p, difference=c_void_p)
        self.Goal = _struct(state=c_uint32, tangent=c_uint32, count=c_uint32, target=n * 3, tolerance=n, end=n, knot=n)
        self.Bound = _struct(state=c_uint32, tangent=c_uint32, low=n, high=n, weight=n)
        self.Task = _struct(model=c_void_p, goal=c_void_p, goals=c_uint32, bound=c_void_p, bounds=c_uint32, low=c_void_p,
                            high=c_void_p, scale=c_void_p, rest=c_void_p, effort=n)
        self.Config = _struct(method=c_int, horizon=c_uint32, iterations=c_uint32, step=n, beta1=n, beta2=n, damping=n)
        self.Info = _struct(done=c_uint32, iterations=c_uint32, units=c_uint32, reach=c_uint32, failed=c_int, cost=n,
                            gradient=n)
        self.Plan = _struct(task=self.Task, config=self.Config, **{name: c_void_p for name in (
            "control", "state", "gradient", "record", "warm", "moment", "pulled", "space")},
            **{name: c_uint32 for name in ("warmed", "phase", "knot", "tries", "counted")}, info=self.Info,
            trial_cost=n, trial_share=n, damping=n)

    def agree(self, library):
        """Refuses a library whose structs are others."""
        found = (c_uint32 * 7)()
        library.function("native_plan_task_sizes", None, [c_void_p])(found)
        own = [ctypes.sizeof(x) for x in (self.Model, self.Goal, self.Bound, self.Task, self.Config, self.Info, self.Plan)]
        if list(found) != own:
            raise TinycontactError(f"{library.path}: its plans are not this package's; was it built from another version?")


@functools.cache
def types_of(real):
    return Types(real)


class Plan:
    """A tc_plan of a Task in a NativeScene."""

    def __init__(self, task, native, method=None, horizon=None, iterations=None):
        self.task, self.native, self.real = task, native, native.real
        library = native.library
        self.types = t = types_of(native.real)
        t.agree(library)
        f, real = library.function, c_void_p
        self._held = [native]
        self._functions = {name: f(f"tc_plan_{name}", c_int, types) for name, types in {
            "init": [POINTER(t.Plan), POINTER(t.Task), POINTER(t.Config), real, c_size_t],
            "start": [POINTER(t.Plan), real, real], "shift": [POINTER(t.Plan), real],
            "update": [POINTER(t.Plan), c_uint32, POINTER(t.Info)],
            "gradient": [POINTER(t.Plan), real, real, real, real]}.items()}
        self.model, self.plan = t.Model(), t.Plan()
        take = f("tc_plan_implicit", c_int, [POINTER(scene_types(native.real).Scene), POINTER(t.Model)])
        self._expect("tc_plan_implicit", take(byref(native.given), byref(self.model)))
        self.given = self._given()
        self.config = t.Config(METHODS.index(method or task.method), horizon or task.horizon, iterations or task.iterations,
                               task.step, task.beta1, task.beta2, task.damping)
        self.horizon = self.config.horizon
        length = f("tc_plan_work_len", c_size_t, [POINTER(t.Task), POINTER(t.Config)])(byref(self.given), byref(self.config))
        self._work = aligned(max(length, 1), native.real)
        self._expect("tc_plan_init", self._functions["init"](byref(self.plan), byref(self.given), byref(self.config),
                                                             self._work.ctypes.data, length))

    def _expect(self, function, status):
        if status < 0:
            raise TinycontactError(f"{self.task.name}: {StatusError(function, status)}")

    def _array(self, kind, entries):
        array = (kind * max(1, len(entries)))(*entries)
        self._held.append(array)
        return ctypes.addressof(array)

    def _numbers(self, x):
        array = np.ascontiguousarray(x, self.real)
        self._held.append(array)
        return array.ctypes.data

    def _given(self):
        task, t = self.task, self.types
        n = t.Goal._fields_[3][1]
        goals = [t.Goal(g.at, g.tangent, len(g.target), n(*(float(x) for x in g.target)), g.tolerance, g.end, g.knot)
                 for g in task.goals]
        self._goals = (t.Goal * len(goals))(*goals)
        bounds = [t.Bound(b.at, b.tangent, b.low, b.high, b.weight) for b in task.bounds]
        return t.Task(ctypes.addressof(self.model), ctypes.addressof(self._goals), len(goals), self._array(t.Bound, bounds),
                      len(bounds), *(self._numbers(x) for x in (task.low, task.high, task.scale, task.rest)), task.effort)

    def count_only(self, chosen):
        """Gives the weight 0 to all goals but those of these indices."""
        for k, goal in enumerate(self.task.goals):
            self._goals[k].end, self._goals[k].knot = (goal.end, goal.knot) if k in chosen else (0.0, 0.0)

    def start(self, state, controls=None):
        """Begins from a state with controls [horizon, controls] or those that hold the rest."""
        if controls is None:
            controls = np.tile(self.task.rest, (self.horizon, 1))
        state, controls = (np.ascontiguousarray(x, self.real) for x in (state, controls))
        self._expect("tc_plan_start", self._functions["start"](byref(self.plan), state.ctypes.data, controls.ctypes.data))

    def shift(self, state):
        state = np.ascontiguousarray(state, self.real)
        self._expect("tc_plan_shift", self._functions["shift"](byref(self.plan), state.ctypes.data))

    def update(self, budget):
        """(info, status) after at most `budget` steps and pulls."""
        info = self.types.Info()
        status = self._functions["update"](byref(self.plan), budget, byref(info))
        return info, status

    def gradient(self, state, controls):
        """(cost, gradient [horizon, controls]) of controls from a state."""
        state, controls = (np.ascontiguousarray(x, self.real) for x in (state, controls))
        cost, gradient = np.zeros(1, self.real), np.zeros((self.horizon, len(self.task.rest)), self.real)
        self._expect("tc_plan_gradient", self._functions["gradient"](
            byref(self.plan), state.ctypes.data, controls.ctypes.data, cost.ctypes.data, gradient.ctypes.data))
        return float(cost[0]), gradient

    def _kept(self, name, rows, columns):
        kind = ctypes.c_float if self.real is np.float32 else ctypes.c_double
        return np.ctypeslib.as_array(ctypes.cast(getattr(self.plan, name), POINTER(kind)), (rows, columns)).copy()

    @property
    def controls(self):
        return self._kept("control", self.horizon, self.model.control)

    @property
    def states(self):
        """[horizon + 1, state] of the last roll-out."""
        return self._kept("state", self.horizon + 1, self.model.state)


@dataclass
class Optimised:
    """What planning came to. q, v [steps + 1, ...], control [steps, controls]; cost per iteration of one plan, or of the
    plan of each frame."""
    task: object
    scene: Scene
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    control: np.ndarray
    cost: list
    reached: bool
    distance: dict
    first: int = None           # the step at which all goals are reached
    milliseconds: float = 0.0   # of planning per frame, or in all
    note: str = ""
    detours: int = 0            # how often a driven body went to another place first
    starts: list = field(default_factory=list)

    def as_json(self):
        from .simulate import named
        bodies = {}
        for body, (at, free) in zip(self.scene.bodies, self.scene.spans):
            bodies[body.name] = {name: values.tolist()
                                 for name, values in named(body, self.scene.dimension, self.q[:, at], self.v[:, free]).items()}
        return {"name": self.task.name, "reached": bool(self.reached), "first": self.first, "distance": self.distance,
                "steps": len(self.t) - 1, "h": self.scene.h, "t": self.t.tolist(), "bodies": bodies,
                "controls": [list(name) for name in self.scene.control], "control": self.control.tolist(),
                "cost": [float(x) for x in self.cost], "milliseconds": self.milliseconds, "detours": self.detours,
                "note": self.note,
                "starts": self.starts}


def executed_scene(task):
    """The scene that frames are executed in: the planner's, or with other mu and barrier."""
    scene = copy.copy(task.scene)
    for name, value in task.execute.items():
        setattr(scene, name, value)
    return scene


def distances(task, q):
    """[goals] how far coordinates q are from the targets."""
    return np.array([np.linalg.norm(q[g.at:g.at + len(g.target)] - g.target) for g in task.goals])


def _told(task, q):
    return {f"{g.body}" if sum(o.body == g.body for o in task.goals) == 1 else f"{g.body} {k}": float(d)
            for k, (g, d) in enumerate(zip(task.goals, distances(task, q)))}


def _reached(task, q):
    return bool((distances(task, q) <= [g.tolerance for g in task.goals]).all())


def optimise(task, library=None, tell=lambda share, part="": None, controls=None):
    """The Optimised of a task."""
    library = library or Library()
    return (_frames if task.frames else _once)(task, library, tell, controls)


def _once(task, library, tell, controls):
    """One plan of all knots; the cost of every iteration."""
    with NativeScene(task.scene, library, task.name) as native:
        plan = Plan(task, native)
        state = native.start()
        plan.start(state, controls)
        costs, best, note = [], (np.inf, None), ""
        began, seen = time.process_time(), 0
        while True:
            info, status = plan.update(2 * plan.horizon if task.method != "newton" else plan.horizon)
            if status < 0:
                note = _why(native, plan, state, status)
                break
            if info.iterations > seen or info.done:
                seen = info.iterations
                costs.append(float(info.cost))
                if info.cost < best[0] and info.reach == plan.horizon:
                    best = float(info.cost), plan.states
                tell(seen / task.iterations, f"cost {info.cost:.3g}")
            if info.done:
                break
        spent = 1e3 * (time.process_time() - began)
        states = plan.states if best[1] is None else best[1]
        return _optimised(task, native, states, plan.controls, costs, spent, note)


def _words(status):
    name, text = BY_VALUE.get(status, (f"status {status}", "unknown status"))
    return f"{text} ({name})"


def _why(native, plan, state, status):
    """A failed plan in words. One step from its start tells which bodies touch there."""
    run = native.roll(state, plan.controls[0], 1, keep=False)
    return native.told(run.report) if run.report.status == status else _words(status)


def _optimised(task, native, states, control, costs, spent, note):
    q, v = split(native, states)
    first = next((k for k, row in enumerate(q) if _reached(task, row)), None)
    reached = _reached(task, q[-1]) or (task.frames > 0 and first is not None)
    return Optimised(task, native.scene, native.scene.h * np.arange(len(q)), q, v, np.asarray(control, float)[:len(q) - 1],
                     costs, reached, _told(task, q[-1]), first, spent, note)


def _frames(task, library, tell, controls):
    """A plan per frame, of which the first knot is executed, until the goals are reached."""
    with NativeScene(task.scene, library, task.name) as native, NativeScene(executed_scene(task), library, task.name) as real:
        plan = Plan(task, native)
        state = real.start()
        states, done, costs, spent, note = [state], [], [], [], ""
        plan.start(state, controls)
        guide = Guide(task, native, real)
        for frame in range(task.frames):
            began, going = time.process_time(), len(guide.way) > 0
            status, info = guide.planned(plan, state)
            if not going:
                spent.append(1e3 * (time.process_time() - began))
            if status < 0:
                note = f"frame {frame}: {_why(native, plan, state, status)}"
                break
            costs.append(float(info.cost))
            control = guide.control(plan)
            run = real.roll(state, control, 1, keep=False)
            if run.report.done < 1:
                note = f"frame {frame}: {real.told(run.report)}"
                break
            state = run.states[1]
            states.append(state)
            done.append(control)
            plan.shift(state)
            tell((frame + 1) / task.frames, f"cost {info.cost:.3g}")
            if _reached(task, state):
                break
        control = np.array(done).reshape(len(done), len(task.rest))
        found = _optimised(task, real, np.array(states), control, costs, float(np.median(spent)), note)
        found.detours = guide.taken
        return found


def _finished(plan):
    """(status, info) of a plan when it is done."""
    status, info = 0, None
    while status >= 0 and not (info and info.done):
        info, status = plan.update(1 << 30)
    return status, info


class Guide:
    """What leads the plans of frames: which goals count (Chooser), and detours where one of them comes no nearer."""

    def __init__(self, task, native, real):
        self.task, self.real, self.way, self.taken, self.info = task, real, [], 0, None
        self.chooser = Chooser(task) if task.at_once else None
        self.detours, self.trial, self.tried = None, None, {}
        if task.detours:
            self.trial = Plan(task, native)
            self.detours = Detours(task, real)

    def planned(self, plan, state):
        """(status, info) of the frame's plan, or of the last one on a detour."""
        if len(self.way) > 0:
            return 0, self.info
        if self.chooser:
            chosen = self.chooser.next(self.real, state)
            plan.count_only(chosen + self.chooser.met)
            if self.detours and chosen and self._look(chosen[0], state):
                return 0, self.info
        status, self.info = _finished(plan)
        return status, self.info

    def control(self, plan):
        """The frame's control. On a detour the plan forgets what it was, and holds the detour's last control."""
        if not len(self.way):
            return plan.controls[0]
        control, self.way = self.way[0], self.way[1:]
        plan.start(self.real.start(), np.tile(control, (plan.horizon, 1)))     # from where, the frame's shift says
        return control

    def _look(self, goal, state):
        """Whether a detour for a goal that comes no nearer was found."""
        waited = self.chooser.waited[goal]
        if waited == 0 or waited % WAIT or self.info is None:
            return False
        self.trial.count_only(self.chooser.chosen + self.chooser.met)
        way = self.detours.find(state, self.task.goals[goal], self._cost, self._least)
        if way is None:
            return False
        self.way, self.taken, self.chooser.waited[goal] = way, self.taken + 1, 0
        return True

    def _cost(self, state):
        """The cost of all goals along a plan from a state for those that are chosen; None where there is none."""
        trial = self.trial
        trial.start(state, np.tile(np.asarray(state, float)[self.detours.at], (trial.horizon, 1)))
        status, info = _finished(trial)
        if status < 0 or info.reach < trial.horizon:
            return None
        total = 0.0
        for k, row in enumerate(np.asarray(trial.states[1:], float)):
            total += sum((g.knot + (g.end if k + 1 == trial.horizon else 0)) * x for g, x in zip(self.task.goals, self._over(row)))
            total += sum(b.weight * max(b.low - row[b.at], row[b.at] - b.high, 0) ** 2 for b in self.task.bounds)
        return total

    def _least(self, state):
        """The cost along a plan in which all goals that are not chosen stay where they are."""
        over = self._over(np.asarray(state, float))
        return sum((self.trial.horizon * g.knot + g.end) * x for k, (g, x) in enumerate(zip(self.task.goals, over))
                   if k not in self.chooser.chosen)

    def _over(self, q):
        """[goals] squared distances beyond the tolerances."""
        return np.maximum(0, distances(self.task, q) ** 2 - np.array([g.tolerance**2 for g in self.task.goals]))


class Chooser:
    """Which goals count in a frame. One that is begun is kept until it is reached, or until PATIENCE frames have brought
    it no nearer; the next is the one whose body has its far side, from where it can be pushed, nearest to a driven body."""

    def __init__(self, task):
        self.task, self.chosen, self.met, self.best, self.waited, self.dropped = task, [], [], {}, {}, []

    def next(self, native, state):
        task = self.task
        q = np.asarray(state, float)[:native.sizes.coordinates]
        far = distances(task, q)
        off = [k for k, goal in enumerate(task.goals) if far[k] > goal.tolerance]
        self.met = [k for k in range(len(task.goals)) if k not in off]
        for k in [k for k in self.chosen if k not in off or not self._progress(k, far[k])]:
            self.chosen.remove(k)
        if len(self.chosen) < min(task.at_once, len(off)):
            ways = self._ways(q)
            self.dropped = [k for k in self.dropped if k in off]
            for k in sorted((k for k in off if k not in self.chosen), key=lambda k: (k in self.dropped, ways[k])):
                if len(self.chosen) < task.at_once:
                    self.chosen.append(k)
                    self.best[k], self.waited[k] = far[k], 0
        return self.chosen

    def _progress(self, k, far):
        if far < self.best[k] - 1e-3:
            self.best[k], self.waited[k] = far, 0
        self.waited[k] += 1
        if self.waited[k] <= PATIENCE:
            return True
        self.dropped = ([] if k in self.dropped else self.dropped) + [k]
        return False

    def _ways(self, q):
        """Of each goal how far the nearest driven body is from the far side of the goal's body."""
        scene, task = self.task.scene, self.task
        place = {body.name: x for body, (_, x) in zip(scene.bodies, poses(scene, q))}
        driven = [place[body.name] for body in scene.bodies if body.driven]
        ways = []
        for goal in task.goals:
            x = place[goal.body]
            to = goal.target - x if len(goal.target) == len(x) else np.zeros(len(x))
            behind = x - BEHIND * to / max(np.linalg.norm(to), 1e-9)
            ways.append(min(np.linalg.norm(behind - own) for own in driven))
        return ways


def blocked(task, library):
    """Goals that lie inside a floor or a body that cannot move, in words (tc_plan_implicit_goals)."""
    class Block(ctypes.Structure):
        _fields_ = [("goal", c_uint32), ("pair", c_uint32)]
    with NativeScene(task.scene, library, task.name) as native:
        plan, found, start = Plan(task, native), [], native.start()
        take = library.function("tc_plan_implicit_goals", c_int, [
            POINTER(scene_types(native.real).Scene), c_void_p, c_uint32, c_void_p, POINTER(Block), c_void_p, c_size_t])
        work = aligned(native.sizes.work, native.real)
        for k, goal in enumerate(task.goals):
            block = Block()
            status = take(byref(native.given), byref(plan._goals[k]), 1, start.ctypes.data, byref(block), work.ctypes.data,
                          len(work))
            if _words(status).endswith("(TC_ERR_TOUCHING)"):
                found.append(f"goals[{k}]: at its target {goal.body} would touch: {native.pair_names(block.pair)}")
            else:
                native._expect("tc_plan_implicit_goals", status)
    return found


# ---- More starts

def perturbed(task, seed, spread):
    """Controls [horizon, controls] that swing about the rest: random walks between knots, `spread` of the scale each."""
    rng = np.random.default_rng(seed)
    knots = np.linspace(0, 1, 6)
    swing = rng.normal(size=(len(knots), len(task.rest)))
    swing[0] = 0
    along = np.linspace(0, 1, task.horizon)
    return task.rest + spread * task.scale * np.column_stack([np.interp(along, knots, swing[:, k])
                                                              for k in range(len(task.rest))])


def one_start(job):
    """For sweeps: an Optimised of (task, whether double, seed or None, spread)."""
    task, double, seed, spread = job
    controls = None if seed is None else perturbed(task, seed, spread)
    found = optimise(task, Library(real="double" if double else "float"), controls=controls)
    found.starts = []
    return found


def better(a, b):
    """Whether the Optimised a is better than b."""
    return (not a.reached, len(a.t) if a.reached and a.task.frames else 0, max(a.distance.values())) < (
        not b.reached, len(b.t) if b.reached and b.task.frames else 0, max(b.distance.values()))
