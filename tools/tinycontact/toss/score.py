# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Scores of predicted tosses: the metric of the published comparisons, and what noise alone would cost.

Per toss, the mean over its rows after the start of |dp|, in % of the body's nominal width, and of the angle between
predicted and recorded orientation [deg]. From the flight only rows after the flight count. 88 ms on: the error 13
rows of 6.757 ms after the last row of the flight [mm], [deg]; only from the flight. Face: whether the hull's face that
is down at the end is the recorded one.

    result = evaluate(log, body, "flight")
    result["mean"]["position_percent"]
"""
from dataclasses import replace

import numpy as np

from . import rotation
from .bodyfile import half_width
from .flight import ROWS, end_of_flight, fitted
from .hull import faces
from .roll import roll_out, starts

AFTER = 0.0878           # [s] 13 rows at 148 Hz
LEAST_TOSSES = 3         # that a spread is told from
LEAST_HALF = 3           # rows of half a flight
NUMBERS = ("position_percent", "rotation_deg", "after_mm", "after_deg", "face")


def width(body):
    """[m]: twice the root mean square of the nominal half widths; of a cube its nominal side."""
    return 2.0 * half_width(body.nominal)


def angle(p, q):
    """[rad] between orientations."""
    return np.linalg.norm(rotation.log(rotation.product(rotation.conjugate(p), q)), axis=-1)


def face_down(normals, q):
    """Number of the face that points most down."""
    return int(np.argmin(rotation.turned(q, normals)[..., 2]))


def _errors(toss, path):
    """([rows] m, [rows] rad) of a path's rows after its start."""
    rows = slice(path.row + 1, path.row + len(path.position))
    away = np.linalg.norm(path.position[1:] - toss.position[rows], axis=1)
    return away, angle(path.orientation[1:], toss.orientation[rows])


def _one(toss, path, body, normals, flown):
    """The numbers of a toss; None if no row is left to predict."""
    away, off = _errors(toss, path)
    if not len(away):
        return None
    row = {"throw": toss.label, "rows": len(away), "position_percent": 100 * float(away.mean()) / width(body),
           "rotation_deg": float(np.degrees(off.mean())), "after_mm": None, "after_deg": None,
           "face": float(face_down(normals, path.orientation[-1]) == face_down(normals, toss.orientation[-1]))}
    then = int(np.searchsorted(toss.t[path.row + 1:], toss.t[path.row] + AFTER - 1e-4 * AFTER))
    if flown and then < len(away):
        row |= {"after_mm": 1e3 * float(away[then]), "after_deg": float(np.degrees(off[then]))}
    return row


def _means(rows):
    """Mean, spread and standard error of each number over the tosses that have it."""
    out = {"mean": {}, "spread": {}, "standard_error": {}}
    for name in NUMBERS:
        values = np.array([row[name] for row in rows if row[name] is not None])
        factor = 100.0 if name == "face" else 1.0
        spread = float(values.std(ddof=1)) if len(values) >= LEAST_TOSSES else None
        key = "face_percent" if name == "face" else name
        out["mean"][key] = factor * float(values.mean()) if len(values) else None
        out["spread"][key] = None if spread is None else factor * spread
        out["standard_error"][key] = None if spread is None else factor * spread / np.sqrt(len(values))
    return out


def judge(log, body, paths, start):
    """The scores of predicted Paths: {"throws": a row each, "mean", "spread", "standard_error"}."""
    normals = faces(body.nominal)
    rows = [_one(toss, path, body, normals, start == "flight") for toss, path in zip(log.tosses, paths)]
    kept = [row for row in rows if row is not None]
    return {"start": start, "width_m": width(body), "tosses": len(kept), **_means(kept), "throws": kept}


# ---- Noise

def noise_of_starts(log, body, states, start):
    """(m/s, rad/s): standard deviation of a start's velocities per axis. Of the flight: from fits over the two halves
    of its rows, which share no row; slow errors of the tracker count. Of the first row: the recorded velocity against
    the flight's."""
    gaps = []
    for toss, state in zip(log.tosses, states):
        gap = _between_halves(toss, body, state) if start == "flight" else _against_flight(toss, body, state)
        gaps += [] if gap is None else [gap]
    if len(gaps) < LEAST_TOSSES:
        return 0.0, 0.0
    gaps = np.array(gaps)
    sigma = 1.4826 * np.median(np.abs(gaps - np.median(gaps, axis=0)), axis=0)
    return float(np.sqrt(np.mean(sigma[:3] ** 2))), float(np.sqrt(np.mean(sigma[3:] ** 2)))


def _fit(toss, body, end, rows):
    return fitted(toss, end, body.gravity, body.centre, body.inertia_matrix, rows)


def _between_halves(toss, body, state):
    """What the velocities of a flight's fit may be off, as two halves of its rows differ: a slope over half the rows
    has 2^1.5 times the deviation of one over all, the difference of two such 4 times."""
    half = state.rows // 2
    if half < LEAST_HALF:
        return None
    early, late = (_fit(toss, body, end, half) for end in (state.row - half, state.row))
    return _backwards(body, early, late) / 4.0


def _against_flight(toss, body, state):
    end = min(end_of_flight(toss, body.vertices, body.floor), ROWS - 1)
    return _backwards(body, state, _fit(toss, body, end, ROWS)) if end >= 2 * LEAST_HALF else None


def _backwards(body, state, flown):
    """Velocities of the centre of mass (log's axes) and omega (tag axes) of a state less those of a later one of the
    same flight."""
    def centre_speed(s):
        return s.velocity + np.cross(rotation.turned(s.orientation, s.omega), rotation.turned(s.orientation, body.centre))
    speed = centre_speed(flown)
    speed[2] += body.gravity * (flown.t - state.t)
    return np.concatenate([centre_speed(state) - speed, state.omega - flown.omega])


def noise_floor(log, body, states, start, seed=1):
    """{"position_percent", "rotation_deg", "velocity", "omega"}: how far two predictions by the same model part whose
    starts differ by the noise of one: nothing that begins there can be asked to be nearer to the record."""
    velocity, omega = noise_of_starts(log, body, states, start)
    rng = np.random.default_rng(seed)
    moved = [replace(s, velocity=s.velocity + velocity * rng.standard_normal(3),
                     omega=s.omega + omega * rng.standard_normal(3)) for s in states]
    pairs = zip(roll_out(log, body, states), roll_out(log, body, moved))
    parts = [(np.linalg.norm(a.position[1:] - b.position[1:], axis=1).mean(),
              angle(a.orientation[1:], b.orientation[1:]).mean()) for a, b in pairs if len(a.position) > 1]
    away, off = np.mean(parts, axis=0) if parts else (0.0, 0.0)
    return {"position_percent": 100 * float(away) / width(body), "rotation_deg": float(np.degrees(off)),
            "velocity": velocity, "omega": omega}


def evaluate(log, body, start):
    """Scores of a body on a log, the noise floor beside them."""
    states = starts(log, body, start)
    result = judge(log, body, roll_out(log, body, states), start)
    result["noise_floor"] = noise_floor(log, body, states, start)
    return result
