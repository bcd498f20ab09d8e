# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A planar body and its floor, identified from a log of throws before anything is learned from it.

Flights and rests give gravity, centre of mass, and the floor's height and tilt (flights.py, least squares). Then the
library's own step plays pieces of the log in closed loop: from each flight before a contact for an eighth of a second,
and each throw from its first flight for a second. Friction, restitution and moment of inertia are what makes the
pieces fit best. The position scheme is the one that fits best, unless it is given.

A value replaces what the body's file says where it differs by more than SURE deviations and more than is worth while;
friction and restitution always do.
"""
from dataclasses import dataclass, replace

import numpy as np

from ..contact import roller
from ..errors import TinycontactError
from ..progress import announced
from ..record import POSITIONS
from . import flights

SURE = 3.0          # deviations
HORIZON, WHOLE = 0.125, 1.0   # [s] of pieces: after each flight, after the first of a throw
CAP = 0.3           # of the reach: errors count no more than this
LEAST_PIECES = 3
MUS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 1.2)
ES = (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75)
FLOOR = 0.005       # of the reach: errors below are noise; what counts is the mean logarithm, which pieces that
                    # no parameters explain do not rule
TRIED = np.geomspace(0.005, 1.0, 20)   # steps from the best values in which they are tried for their deviations
WORTH = {"centre of mass x": 0.005, "centre of mass y": 0.005, "gravity": 0.002, "floor height": 0.002,
         "floor tilt": 0.001, "inertia ratio": 0.02, "gravity lean": 0.001}   # lengths in reaches, others absolute
SHOWN = {"m": (1e3, "mm"), "rad": (180 / np.pi, "deg"), "1": (1.0, ""), "m/s^2": (1.0, "m/s^2")}


@dataclass
class Value:
    value: float
    deviation: float     # inf: not determined
    unit: str
    given: float         # what the body's file says
    used: bool = False

    def as_dict(self):
        """For JSON, which has no infinity."""
        told = self.deviation if np.isfinite(self.deviation) else None
        return {"value": self.value, "deviation": told, "unit": self.unit, "given": self.given, "used": self.used}


@dataclass
class Identified:
    """values {name: Value}; positions: the scheme that fits best."""
    values: dict
    positions: str
    error: float         # of the pieces in closed loop, geometric mean [m]
    pieces: int

    def used(self, name):
        """The value that holds: the log's, or the file's."""
        one = self.values[name]
        return one.value if one.used else one.given

    def body(self, given):
        """The Body that holds: vertices about the centre of mass found, and so on."""
        centre = np.array([self.used("centre of mass x"), self.used("centre of mass y")])
        vertices = given.vertices - centre
        vertices.setflags(write=False)
        return replace(given, vertices=vertices, inertia=given.inertia * self.used("inertia ratio"),
                       g=self.used("gravity"), lean=self.used("gravity lean"), mu=self.used("friction"),
                       restitution=self.used("restitution"))

    def moved(self, poses):
        """Rows (x, y, theta [, vx, vy, omega]) of the log, as ones of the centre of mass above the floor y = 0."""
        tilt, height = self.used("floor tilt"), self.used("floor height")
        centre = np.array([self.used("centre of mass x"), self.used("centre of mass y")])
        found = poses.copy()
        level = np.array([[np.cos(tilt), np.sin(tilt)], [-np.sin(tilt), np.cos(tilt)]])
        found[:, 2] -= tilt
        c, s = np.cos(found[:, 2]), np.sin(found[:, 2])
        arm = np.stack([c * centre[0] - s * centre[1], s * centre[0] + c * centre[1]], axis=1)
        found[:, :2] = (poses[:, :2] - [0.0, height]) @ level.T + arm
        if poses.shape[1] > 3:
            found[:, 3:5] = poses[:, 3:5] @ level.T + poses[:, 5:] * np.stack([-arm[:, 1], arm[:, 0]], axis=1)
        return found

    def as_dict(self):
        return {"values": {name: value.as_dict() for name, value in self.values.items()},
                "positions": self.positions, "closed_loop_error_m": self.error, "pieces": self.pieces}


def from_dict(data):
    """The Identified of a model's metadata."""
    try:
        values = {name: Value(float(one["value"]), np.inf if one["deviation"] is None else float(one["deviation"]),
                              one["unit"], float(one["given"]), bool(one["used"]))
                  for name, one in data["values"].items()}
        return Identified(values, data["positions"], float(data["closed_loop_error_m"]), int(data["pieces"]))
    except (KeyError, TypeError, ValueError) as error:
        raise TinycontactError(f"metadata, identified: cannot be read ({error!r})") from None


def lines(found):
    """What was identified, one value per line."""
    yield f"identified from the log ({found.pieces} pieces in closed loop, positions {found.positions}):"
    for name, one in found.values.items():
        factor, unit = SHOWN[one.unit]
        told = (f"{factor * one.value:9.4g} +- {factor * one.deviation:.2g}" if np.isfinite(one.deviation)
                else "  not determined by this log")
        use = "used" if one.used else f"not used; the file's {factor * one.given:.4g} holds"
        yield f"  {name:17} {told} {unit} ({use})"


# ---- Pieces in closed loop

@dataclass
class Piece:
    state: np.ndarray    # [6]
    seen: np.ndarray     # [n, 3] poses after it


def pieces(body, seen):
    """[Piece]: what follows each flight, and longer what follows the first; `seen` are poses of the centre of mass
    above y = 0."""
    found, begun, pull = [], set(), (body.lean, -body.g)
    for one in flights.flights(body, seen):
        rows = seen[one.throw]
        ahead = rows[one.last + 1:, :3]
        if one.lands and len(ahead) >= flights.LEAST:
            first = max(one.first, one.last + 1 - int(flights.LONGEST / 2 / body.h))
            state = flights.state(body.h, rows[first:one.last + 1], pull, 1.0)
            horizons = (HORIZON,) if one.throw in begun else (HORIZON, WHOLE)
            found += [Piece(state, ahead[:int(horizon / body.h)]) for horizon in horizons]
            begun.add(one.throw)
    return found


def _errors(body, positions, mu, some):
    """[pieces] logarithm of the mean capped error of each [m]."""
    paths = roller(body, positions, mu).paths([one.state for one in some], [len(one.seen) for one in some])
    cap, found = CAP * body.reach, np.zeros(len(some))
    for k, (path, one) in enumerate(zip(paths, some)):
        off = path - one.seen
        turn = body.gyration * off[:, 2]
        found[k] = np.minimum(np.sqrt(off[:, 0]**2 + off[:, 1]**2 + turn**2), cap).mean()
    return np.log(found + FLOOR * body.reach)


def _with(body, values):
    """The Body of (mu, e, ln of the inertia's ratio)."""
    return replace(body, restitution=float(np.clip(values[1], 0, 1)), inertia=body.inertia * float(np.exp(values[2])))


def _each(body, positions, some):
    """each((mu, e, ln ratio)): what every piece makes of them, to be minimised; beyond their bounds it grows."""
    def each(values):
        inside = np.clip(values, (0, 0, -1), (10, 1, 1))
        return _errors(_with(body, inside), positions, float(inside[0]), some) + np.abs(values - inside).sum()
    return each


def _cost(body, positions, some):
    each = _each(body, positions, some)
    return lambda values: float(each(np.asarray(values, float)).mean())


def _deviations(each, best):
    """How far each value alone may be from the best until the pieces object by more than their own scatter."""
    at_best, found = each(best), np.zeros(len(best))
    for k in range(len(best)):
        for sign in (-1, 1):
            for step in TRIED:
                worse = each(best + sign * step * np.eye(len(best))[k]) - at_best
                if worse.mean() > worse.std() / np.sqrt(len(worse)):
                    break
            found[k] = max(found[k], step)
    return found


def _descend(cost, start, evaluations, free=3):
    """(values, cost) after a descent in the first `free` values."""
    from scipy.optimize import minimize
    start = np.asarray(start, float)

    def of(part):
        return cost(np.concatenate([part, start[free:]]))
    simplex = start[:free] + np.vstack([np.zeros(free), 0.06 * np.eye(free)])
    done = minimize(of, start[:free], method="Nelder-Mead", options={
        "maxfev": evaluations, "xatol": 1e-3, "fatol": 1e-5, "initial_simplex": simplex})
    return np.concatenate([done.x, start[free:]]), float(done.fun)


def _fit(body, some, positions):
    """(values (mu, e, ln ratio), deviations, scheme, error)."""
    grids = []
    for scheme in [positions] if positions else POSITIONS:
        cost = _cost(body, scheme, some)
        coarse = min((cost((mu, e, 0.0)), mu, e) for mu in MUS[1::3] for e in ES[::2])
        grids.append((min((cost((mu, e, 0.0)), mu, e) for mu in MUS for e in ES if abs(e - coarse[2]) < 0.16), scheme))
    best = []
    for (_, mu, e), scheme in sorted(grids)[:2]:
        found, error = _descend(_cost(body, scheme, some), (mu, e, 0.0), 150)
        best.append((error, scheme, found))
    error, scheme, found = min(best, key=lambda one: one[0])
    return found, _deviations(_each(body, scheme, some), found), scheme, error


# ---- All of it

def _judged(body, name, value, deviation, unit, given):
    """A Value, and whether it is used."""
    scale = body.reach if unit == "m" else body.g if unit == "m/s^2" else 1.0
    off = abs(value - given)
    use = bool(np.isfinite(deviation) and off > SURE * deviation and off > WORTH[name] * scale)
    return Value(float(value), float(deviation), unit, float(given), use)


def _start(body, seen, noise, positions):
    """The Identified of what rests say: the floor; all else as given."""
    known = flights.floor(body, seen, noise)
    (height, tilt), (of_height, of_tilt) = known if known else ((0.0, 0.0), (np.inf, np.inf))
    given = {"centre of mass x": (0.0, "m"), "centre of mass y": (0.0, "m"), "gravity": (body.g, "m/s^2"),
             "gravity lean": (0.0, "m/s^2"), "floor height": (0.0, "m"), "floor tilt": (0.0, "rad"),
             "inertia ratio": (1.0, "1"), "friction": (body.mu, "1"), "restitution": (body.restitution, "1")}
    found = Identified({name: Value(value, np.inf, unit, value) for name, (value, unit) in given.items()},
                       positions or "dart", 0.0, 0)
    found.values["floor height"] = _judged(body, "floor height", height, of_height, "m", 0.0)
    found.values["floor tilt"] = _judged(body, "floor tilt", tilt, of_tilt, "rad", 0.0)
    return found


def _fly(body, seen, found):
    """Puts gravity and centre of mass into the values: of flights above the floor that was found."""
    level = [found.moved(poses) for poses in seen]
    parts = flights.pieces(body, level, flights.flights(body, level))
    if len(parts) < LEAST_PIECES:
        return
    fall, deviation = flights.fall(body, parts)
    for name, k, unit in (("centre of mass x", 2, "m"), ("centre of mass y", 3, "m")):
        found.values[name] = _judged(body, name, -fall[k], deviation[k], unit, 0.0)
    found.values["gravity"] = _judged(body, "gravity", -fall[1], deviation[1], "m/s^2", body.g)
    found.values["gravity lean"] = _judged(body, "gravity lean", fall[0], deviation[0], "m/s^2", 0.0)


def identify(body, seen, noise, positions=None):
    """The Identified of a log's throws `seen` [[T, 3 or 6], ...]; positions: a scheme, or None for the best."""
    with announced("identifying the body from its flights and contacts"):
        found = _start(body, seen, noise, positions)
        _fly(body, seen, found)
        values = found.values
        mine = found.body(body)
        some = pieces(mine, [found.moved(poses) for poses in seen])
        if len(some) >= LEAST_PIECES:
            fitted, deviation, scheme, error = _fit(mine, some, positions)
            ratio = float(np.exp(fitted[2]))
            values["inertia ratio"] = _judged(body, "inertia ratio", ratio, ratio * deviation[2], "1", 1.0)
            if not values["inertia ratio"].used:   # friction and restitution of the inertia that holds
                fitted, error = _descend(_cost(mine, scheme, some), [*fitted[:2], 0.0], 60, 2)
            values["friction"] = Value(float(np.clip(fitted[0], 1e-3, 10)), float(deviation[0]), "1", body.mu, True)
            values["restitution"] = Value(float(np.clip(fitted[1], 0, 1)), float(deviation[1]), "1", body.restitution,
                                          True)
            found = Identified(values, scheme, float(np.exp(error) - FLOOR * body.reach), len(some))
    return found
