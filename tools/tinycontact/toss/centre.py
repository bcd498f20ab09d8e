# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Where a body's centre of mass is, how large it is and how hard to turn, by least squares over events of its tosses.

from_arcs      flights: gravity and the centre of mass
from_rests     rests: scale, and height and tilt of the floor
from_impacts   impacts of single corners: centre of mass and moments
"""
import numpy as np

from . import rotation
from .robust import BOOTSTRAP, soft, spread_of

EARTH = 9.80665           # [m/s^2]: gravity as seen over this is the tracker's unit of length
SHAPE_DOUBT = 0.005       # relative: how well a shape's file knows the size
FLOOR_DOUBT = 0.5e-3      # [m]: how well the log's z = 0 is the floor
ROUNDS, LEAST = 25, 5     # of Gauss-Newton; events that a value is told from


# ---- Flights

def from_arcs(arcs, rng):
    """((g [3], o [3]), deviations [6], noise [m]): least squares, and arcs that fit badly count less."""
    matrix, right = np.array([one.matrix for one in arcs]), np.array([one.right for one in arcs])
    square, count = np.array([one.square for one in arcs]), np.array([one.count for one in arcs])

    def fit(pick):
        weight = np.ones(len(pick))
        for _ in range(5):
            found = np.linalg.lstsq(np.einsum("a,aij->ij", weight, matrix[pick]), weight @ right[pick], rcond=1e-12)[0]
            rest = np.maximum(square[pick] - 2 * right[pick] @ found
                              + np.einsum("i,aij,j->a", found, matrix[pick], found), 0) / count[pick]
            weight = 1 / (1 + rest / max(np.median(rest), 1e-18) / 4)
        return found, float(np.sqrt(np.median(rest)))
    found, noise = fit(np.arange(len(arcs)))
    draws = [fit(rng.integers(len(arcs), size=len(arcs)))[0] for _ in range(BOOTSTRAP)]
    return found, np.std(draws, axis=0), noise


# ---- Rests

def from_rests(rests, solid, gravity, rng):
    """(scale, height, tilt [2]) and their deviations: heights of faces, the shape's file, and gravity as seen."""
    unit = gravity / EARTH
    offset = np.array([solid.offsets[one.face] for one in rests])
    height = np.array([one.height for one in rests])
    up = np.array([one.up for one in rests]).reshape(-1, 3)

    def fit(pick):
        tilt = -np.median(up[pick], axis=0)[:2] if len(pick) >= 4 * LEAST else np.zeros(2)
        place = np.array([rests[k].place for k in pick])
        level = height[pick] - place @ tilt
        scale, floor = unit, 0.0
        for _ in range(10):
            rest = level - floor - scale * offset[pick]
            noise = max(spread_of(rest), 1e-4)
            weight = np.sqrt(soft(rest, noise)) / noise
            design = np.concatenate([np.stack([offset[pick], np.ones(len(pick))], axis=1) * weight[:, None],
                                     [[1 / SHAPE_DOUBT, 0.0], [0.0, 1 / FLOOR_DOUBT]]])
            right = np.concatenate([level * weight, [unit / SHAPE_DOUBT, 0.0]])
            scale, floor = np.linalg.lstsq(design, right, rcond=None)[0]
        covariance = np.linalg.inv(design.T @ design)
        return np.array([scale, floor, *tilt]), np.sqrt(np.diag(covariance))
    found, formal = fit(np.arange(len(rests)))
    draws = np.array([fit(rng.integers(len(rests), size=len(rests)))[0] for _ in range(BOOTSTRAP)])
    spread = np.std(draws, axis=0)
    return found, np.concatenate([np.hypot(spread[:2], formal), spread[2:]])


# ---- Impacts

def equations(impacts, vertices):
    """The impacts as arrays: what the residual d(R I R' w) - r x p needs."""
    stack = {name: np.array([getattr(one, name) for one in impacts])
             for name in ("velocity", "omega", "turn", "arm_rate", "hit_turn")}
    stack["corner"] = np.array([vertices[one.patch[0]] for one in impacts])
    return stack


def _residual(parts, centre, moments, axes):
    """[impacts, 3] per unit mass [m^2/s], and its derivatives [impacts, 3, 6] by centre and moments."""
    jump = parts["arm_rate"][:, 1] - parts["arm_rate"][:, 0]
    impulse = parts["velocity"][:, 1] - parts["velocity"][:, 0] + jump @ centre
    lever = np.einsum("nij,nj->ni", parts["hit_turn"], parts["corner"] - centre)
    own = np.einsum("ji,naj->nai", axes, parts["omega"])   # along principal axes
    by_moment = np.einsum("naij,jk,nak->naik", parts["turn"], axes, own)
    by_moment = by_moment[:, 1] - by_moment[:, 0]
    rest = by_moment @ moments - rotation.cross(lever, impulse)
    columns = np.swapaxes(parts["hit_turn"], 1, 2), np.swapaxes(jump, 1, 2)
    by_centre = np.swapaxes(rotation.cross(columns[0], impulse[:, None])
                            - rotation.cross(lever[:, None], columns[1]), 1, 2)
    return rest, np.concatenate([by_centre, by_moment], axis=2)


def from_impacts(parts, prior, free=True):
    """(centre [3], moments over mass [3]) by soft-L1 Gauss-Newton. `prior` is (centre, its deviation
    [3], moments, their relative doubt, axes, scale of the rest); it holds what few impacts leave open."""
    centre, doubt, moments, share, axes, least = prior
    state, start = np.concatenate([centre, moments]), np.concatenate([centre, moments])
    common = moments / np.linalg.norm(moments)
    # moments: the common factor is free, what is across it is held to the shape
    across = (np.eye(3) - np.outer(common, common)) / (share * np.mean(moments))
    for _ in range(ROUNDS):
        rest, slope = _residual(parts, state[:3], state[3:], axes)
        rest, slope = rest.ravel(), slope.reshape(-1, 6)
        scale = max(spread_of(rest), least)
        weight = np.sqrt(soft(rest, scale)) / scale
        held = np.zeros((6, 6))
        held[:3, :3], held[3:, 3:] = np.diag(1 / doubt), across
        design = np.concatenate([slope * weight[:, None], held])
        right = np.concatenate([-rest * weight, -held @ (state - start)])
        if not free:
            design[:, :3] = 0
        change = np.linalg.lstsq(design, right, rcond=1e-12)[0]
        state = state + change
        if np.abs(change).max() < 1e-9:
            break
    return state


def principal(matrix):
    """(moments [3], quaternion of their axes): tag axes where they are principal, or as good."""
    off = matrix - np.diag(np.diag(matrix))
    if np.abs(off).max() < 1e-6 * np.trace(matrix):
        return np.diag(matrix).copy(), np.array([1.0, 0, 0, 0])
    moments, axes = np.linalg.eigh(matrix)
    axes = axes * np.sign(np.linalg.det(axes))
    w = np.sqrt(max(1 + np.trace(axes), 0)) / 2
    if w < 1e-3:   # half a turn: other signs of two axes are as good
        axes = axes[:, [1, 2, 0]]
        moments = moments[[1, 2, 0]]
        w = np.sqrt(max(1 + np.trace(axes), 1e-12)) / 2
    vector = np.array([axes[2, 1] - axes[1, 2], axes[0, 2] - axes[2, 0], axes[1, 0] - axes[0, 1]]) / (4 * w)
    q = np.concatenate([[w], vector])
    return moments, q / np.linalg.norm(q)


def lawful(moments):
    """Moments of a rigid body nearest below: none above the sum of the other two."""
    moments = np.maximum(moments, 1e-3 * moments.max())
    largest = int(np.argmax(moments))
    moments[largest] = min(moments[largest], moments.sum() - moments[largest])
    return moments
