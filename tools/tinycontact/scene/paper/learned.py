# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Tables A.1 and A.2, learned spaces: a shape's code from one bounce against a wall, or from its inertia.

The shape is a net's (spaces.py). Volume, centre and inertia are sums over cells of a lattice. The library moves the
body and resolves its contacts. A shape of a net has no closest point in closed form, so contacts are added as they
are needed: the motion is run, the first time is sought at which a point of the surface passes the wall, that point
becomes a tiny ball of the body, and the motion is run again from the start. The point of the surface that is furthest
towards the wall is that of an even set of points, then Newton's method on its conditions.

The motion that is fitted is the simulator's, as in the paper.
"""
from pathlib import Path

import numpy as np

from ... import model as models
from ...build import repository
from ...errors import TinycontactError
from ...shape.netshape import with_gradient
from .. import fit as fits
from ..native import Rollout
from ..parameters import turned
from ..scenefile import Scene
from . import spaces
from .common import DT, Result, Row, instants
from .depth import matrix

CELLS, BAND = 28, 1.2         # lattice along each axis; cells across which a cell goes from full to empty
WALL, SPEED = 2.5, 5.0        # [m], [m/s]
BOUNCE, TUMBLE, UNTIL = 1.0, 2.0, 0.3   # [s] of the bounce, of the motion by a torque, of the torque
TINY = 1e-3                   # [m] radius of a contact's ball
FINE = 1 / 120                # [s] between two looks at the wall
CLOSE = 0.02                  # [m] nearer than that a point is refined
SUNK = 1e-8                   # [m] what counts as passed
MOST = 8                      # contacts
COUNT = 20
PAPER = {("cow-fish", "A.1"): (0.0081, 0.0286), ("can-mug", "A.1"): (0.0064, 0.0816),
         ("cow-fish", "A.2"): (0.0017, 0.049), ("can-mug", "A.2"): (0.0029, 0.045)}
ROWS = (*(Row(f"{table} {space}", "code", (None, None), (1e-4, 0.95))
          for table in ("A.1", "A.2") for space in spaces.NAMES),
        *(Row(f"{table} {space}", "chamfer [m2]", PAPER[space, table], (None, None))
          for table in ("A.1", "A.2") for space in spaces.NAMES))
TITLE = "Tables A.1, A.2: codes of learned shapes"


def net_file(name):
    return repository("a net of learned shapes") / "tests" / "scene" / f"{name}.tcm"


def _lattice(cells):
    middle = (np.arange(cells) + 0.5) / cells * 2 * spaces.REACH - spaces.REACH
    return np.stack(np.meshgrid(middle, middle, middle, indexing="ij"), axis=-1).reshape(-1, 3)


class Space:
    """Shapes of one net."""

    def __init__(self, name):
        path = net_file(name)
        if not Path(path).exists():
            raise TinycontactError(f"{path}: is missing; `make shape-spaces` makes it")
        self.net = models.load(str(path)).nets[0]
        self.layers = spaces.layers_of(self.net)
        self.lattice = _lattice(CELLS)
        self._forms = {}

    def distances(self, points, code):
        """[n]"""
        return spaces.values(self.layers, np.concatenate([points, np.full((len(points), 1), code)], axis=1))

    def value(self, points, code):
        """([n] distances, [n, 3] gradients)"""
        d, g = with_gradient(self.net, np.concatenate([points, np.full((len(points), 1), code)], axis=1))
        return d, g[:, :3]

    def form(self, code):
        """The Form of a code; the last ones are kept."""
        if code not in self._forms:
            if len(self._forms) > 64:
                self._forms.clear()
            self._forms[code] = Form(self, code)
        return self._forms[code]


class Form:
    """A shape: centre of mass, inertia over mass, and points of its surface from the centre."""

    def __init__(self, space, code):
        self.space, self.code = space, code
        cell = 2 * spaces.REACH / CELLS
        d = space.distances(space.lattice, code)
        share = np.clip(0.5 - d / (BAND * cell), 0, 1)
        share = share * share * (3 - 2 * share)
        self.volume = share.sum() * cell ** 3
        self.centre = share @ space.lattice / share.sum()
        away = space.lattice - self.centre
        second = (away * share[:, None]).T @ away / share.sum() + cell ** 2 / 12 * np.eye(3)
        self.gyration = np.trace(second) * np.eye(3) - second
        self.surface = self._settled(space.lattice[np.abs(d) < cell]) - self.centre

    def _settled(self, p):
        """Points moved to the zero level along its slope."""
        for _ in range(4):
            d, g = self.space.value(p, self.code)
            p = p - (d / np.maximum((g * g).sum(axis=1), 0.1))[:, None] * g
        return p[np.abs(self.space.value(p, self.code)[0]) < 1e-6]

    def furthest(self, direction):
        """The point of the surface furthest along a unit direction, from the centre."""
        along = self.surface @ direction
        best = []
        for k in np.argsort(-along)[:200]:
            if all(np.linalg.norm(self.surface[k] - self.surface[j]) > 0.2 for j in best):
                best.append(k)
            if along[k] < along.max() - CLOSE or len(best) == 3:
                break
        found = [self._refined(self.surface[k], direction) for k in best]
        return max(found, key=lambda p: p @ direction)

    def _refined(self, start, direction):
        """Newton's method on direction = l grad(d), d = 0; the start where it does not converge."""
        p, step = start + self.centre, 1e-4
        offsets = np.concatenate([np.zeros((1, 3)), step * np.eye(3), -step * np.eye(3)])
        scale = None
        for _ in range(8):
            d, g = self.space.value(p + offsets, self.code)
            hessian = (g[1:4] - g[4:]) / (2 * step)
            slope = g[0]
            if scale is None:
                scale = direction @ slope / (slope @ slope)
            system = np.zeros((4, 4))
            system[:3, :3], system[:3, 3], system[3, :3] = -scale * 0.5 * (hessian + hessian.T), -slope, slope
            change = np.linalg.solve(system, np.append(scale * slope - direction, -d[0]))
            p, scale = p + change[:3], scale + change[3]
            if np.linalg.norm(p - self.centre - start) > 0.3:
                return start
            if np.linalg.norm(change[:3]) < 1e-12:
                break
        found = p - self.centre
        return found if found @ direction >= start @ direction - 1e-9 else start


# ---- Motions

def _body(form, quaternion, **more):
    return {"name": "body", "mass": 1.0, "inertia": form.gyration.tolist(), "position": [0.0, 0.0, 0.0],
            "quat_wxyz": [float(x) for x in quaternion]} | more


def tumble(form, torque, times):
    """[n, 3] rates of a body that a torque turns."""
    body = _body(form, [1, 0, 0, 0], torque=[float(x) for x in torque], until=UNTIL)
    return Rollout(Scene({"gravity": [0, 0, 0], "bodies": [body]}), step=DT).run(times)[1][:, 0, 3:]


class Bounce:
    """A body that flies to a wall and bounces."""

    def __init__(self, form, quaternion):
        self.form, self.quaternion, self.points = form, quaternion, []

    def _run(self, times):
        """[n, 7] poses with the contacts so far."""
        body = _body(self.form, self.quaternion, velocity=[SPEED, 0.0, 0.0])
        bodies = [body]
        if self.points:
            body["shape"] = {"kind": "union", "parts": [{"kind": "sphere", "r": TINY}] * len(self.points),
                             "offsets": [list(map(float, p)) for p in self.points]}
            bodies.append({"name": "wall", "shape": {"kind": "halfspace"}, "moving": False,
                           "position": [WALL, 0.0, 0.0], "quat_wxyz": [np.sqrt(0.5), 0.0, -np.sqrt(0.5), 0.0]})
        scene = {"gravity": [0, 0, 0], "bodies": bodies, "friction": 0.25, "restitution": 0.5}
        return Rollout(Scene(scene), step=DT).run(times)[0][:, 0]

    def _gap(self, pose):
        """(gap [m], point of the surface from the centre, the wall's direction in the body)."""
        direction = matrix(pose[3:])[0]
        point = self.form.furthest(direction)
        return WALL - pose[0] - point @ direction, point, direction

    def _passed(self, times, poses):
        """Index of the first time at which a point has passed, or None."""
        directions = matrix(poses[:, 3:])[:, 0]
        gaps = WALL - poses[:, 0] - (directions @ self.form.surface.T).max(axis=1)
        for k in np.flatnonzero(gaps < CLOSE):
            if gaps[k] < -SUNK or self._gap(poses[k])[0] < -SUNK:
                return int(k)
        return None

    def _meet(self, low, high):
        """The point that reaches the wall first between two times, by bisection and then secants."""
        ends = [(t, self._gap(self._run([t])[0])[0]) for t in (low, high)]
        for k in range(40):
            (a, fa), (b, fb) = ends
            t = 0.5 * (a + b) if k % 3 == 2 or fa <= fb else a + (b - a) * fa / (fa - fb)
            f = self._gap(self._run([t])[0])[0]
            ends[0 if f > 0 else 1] = (t, f)
            if abs(f) < 1e-12 or b - a < 1e-13:
                break
        _, point, direction = self._gap(self._run([t])[0])
        return point - TINY * direction

    def run(self, times):
        """[n, 7] poses."""
        fine = np.arange(0.0, times[-1] + FINE, FINE)
        while len(self.points) < MOST:
            k = self._passed(fine, self._run(fine))
            if not k:
                break
            self.points.append(self._meet(fine[k - 1], fine[k]))
        return self._run(times)


# ---- Experiments

def chamfer(a, b):
    """Mean squared distance of either surface's points to the other [m2], by the nets' distances; places are those
    of the nets' axes."""
    return sum(float(np.mean(one.space.value(other.surface + other.centre, one.code)[0] ** 2))
               for one, other in ((a, b), (b, a)))


def draws(count, seed):
    """[(space's name, scene's number, true code, code at the start, torque, orientation)]"""
    for j, name in enumerate(spaces.NAMES):
        rng = np.random.default_rng([seed, 5, j])
        for k in range(count):
            torque, turn = rng.normal(size=3), rng.normal(size=3)
            yield (name, k, *rng.uniform(0.02, 0.98, 2), torque / np.linalg.norm(torque),
                   turned(np.array([1.0, 0, 0, 0]), turn * np.pi / max(np.linalg.norm(turn), 1.0)))


def _fitted(motion, form, true, start, times):
    """fits.Found of the code from a motion of the true one, [n, 3] at times."""
    seen = motion(form(true))
    scale = max(float(np.sqrt(np.mean((seen - seen.mean(axis=0)) ** 2))), 1e-9)
    code = fits.Unknown("code", float(start), 0.0, 1.0, (0.0, 1.0))
    return fits.fit(lambda theta: (motion(form(float(theta[0]))) - seen) / scale, [code],
                    when=np.repeat(times, 3))


def run(count, seed, pick):
    known, found = {name: Space(name) for name in spaces.NAMES}, []
    flight, turning = instants(BOUNCE), instants(TUMBLE)
    for name, k, true, start, torque, quaternion in pick(list(draws(count, seed))):
        form = known[name].form
        motions = {"A.1": (lambda f: Bounce(f, quaternion).run(flight)[:, :3], flight),   # noqa: B023
                   "A.2": (lambda f: tumble(f, torque, turning), turning)}                # noqa: B023
        for table, (motion, times) in motions.items():
            ended = _fitted(motion, form, true, start, times)
            code = float(ended.theta[0])
            more = (ended.best.iterations, ended.starts)
            found.append(Result("learned", f"{table} {name}", k, "code", abs(start - true), abs(code - true), *more))
            gaps = [chamfer(form(x), form(true)) for x in (start, code)]
            found.append(Result("learned", f"{table} {name}", k, "chamfer [m2]", *gaps, *more))
    return found
