# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How well the physics of a leg explains a log, tick by tick, without truth and without an estimator.

While the foot is in the air, torques obey

    tau = M(q) q'' + bias(q, q', base)

and while it touches the rest, M q'' + bias - tau, is J^T F of a force F of the floor: upwards and within the
friction cone. What a tick has beside that is its cost, 0 to 1; their mean is the log's misfit.
"""
from dataclasses import dataclass, replace

import numpy as np

from ..hil import leg as legs
from ..hil.sensors import TORQUE_SIGMA
from ..hil.size import size_of
from .segments import frames, levelled

SMOOTH = 8e-3           # [s] deviation of the Gaussian that all signals go through
EVERY = 4e-3            # [s] between two ticks that are looked at
MOST_TICKS = 6000
PART = 0.15             # of the modelled torque: how wrong it may be
FRICTION = 1.0          # of the widest cone of forces
TOUCH, CAP = 2.0, 9.0   # what a force of the floor costs; the most a tick costs
BLOCKS = 20             # of a log, whose costs are compared one by one


@dataclass
class Smooth:
    """A log's signals in the library's signs and units, smoothed; ticks that are looked at."""
    q: np.ndarray        # [T, n]
    w: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    gyro: np.ndarray     # [T]
    turning: np.ndarray  # [T] derivative of the gyro
    accel: np.ndarray    # [T, 2]
    pitch: np.ndarray    # [T]
    part: np.ndarray = None      # [T] of the log: the pitch begins anew in each
    step: float = 0.0    # [s] between two of them; 0: the pitch was logged, else it follows gyro and accelerometer
    every: float = 0.0   # [s] between two of them
    of_q: np.ndarray = None      # [n, n] q, of the log's columns: signs, and motors that drive several joints
    of_tau: np.ndarray = None


SIGNALS = [name for name in Smooth.__dataclass_fields__ if name not in ("step", "every", "of_q", "of_tau")]


def relevelled(x, level=None):
    """The Smooth with the pitch that its gyro and accelerometer have, if none was logged."""
    if not x.step:
        return x
    level, pitch = x.accel if level is None else level, np.empty(len(x.gyro))
    for part in np.unique(x.part):
        here = x.part == part
        pitch[here] = levelled(x.gyro[here], level[here], x.step)
    return replace(x, pitch=pitch)


def kernels_of(tick, width=SMOOTH):
    """Gaussian of this deviation [s] (2 ticks at least), and its first two derivatives, as convolutions."""
    sigma = max(width, 2.0 * tick) / tick
    x = np.arange(-int(4 * sigma), int(4 * sigma) + 1)
    g = np.exp(-x**2 / (2 * sigma**2))
    g /= g.sum()
    first = -x / sigma**2 * g
    second = (x**2 / sigma**4 - 1 / sigma**2) * g
    second -= second.mean()
    return g, first / -(first @ x) / tick, second / (second @ x**2 / 2) / tick**2


def _filled(values, lost):
    """Straight lines over lost ticks."""
    here = np.flatnonzero(~lost)
    return np.column_stack([np.interp(np.arange(len(values)), here, column[here]) for column in values.T])


def filtered(values, kernel):
    return np.column_stack([np.convolve(column, kernel, "valid") for column in values.T])


def smooth(parts, chain, every=EVERY, width=SMOOTH, most=MOST_TICKS):
    """The Smooth of a log's segments; None if it is too short."""
    stride = max(1, round(every / parts[0].tick), -(-sum(map(len, parts)) // most))
    found = [_smooth(part, stride, k, width) for k, part in enumerate(parts)
             if len(part) > 20 * len(kernels_of(part.tick, width)[0]) // 10]
    if not found:
        return None
    return Smooth(**{name: np.concatenate([getattr(one, name) for one in found]) for name in SIGNALS},
                  step=0.0 if "pitch" in parts[0].given else stride * parts[0].tick,
                  every=stride * parts[0].tick, **dict(zip(("of_q", "of_tau"), frames(chain))))


def _smooth(part, stride, number, width):
    kernels, lost = kernels_of(part.tick, width), part.lost > 0.5
    q, tau = _filled(part.encoder.astype(float), lost), _filled(part.torque.astype(float), lost)
    base = _filled(np.column_stack([part.gyro, part.accel, part.pitch]).astype(float), lost)
    q0, q1, q2 = (filtered(q, kernel)[::stride] for kernel in kernels)
    base0 = filtered(base, kernels[0])[::stride]
    turning = filtered(base[:, :1], kernels[1])[::stride, 0]
    return Smooth(q0, q1, q2, filtered(tau, kernels[0])[::stride], base0[:, 0], turning, base0[:, 1:3], base0[:, 3],
                  np.full(len(q0), number))


# ---- How much of a log its leg explains

def _toward(J, r, s, direction):
    """[T] least mean square of (r - J^T F) / s over forces F >= 0 along `direction` [2]."""
    column = (J[:, 0] * direction[0] + J[:, 1] * direction[1]) / s
    force = np.maximum(np.einsum("ti,ti->t", column, r / s) / np.maximum(np.einsum("ti,ti->t", column, column), 1e-12),
                       0)
    return np.mean((r / s - force[:, None] * column)**2, axis=1)


def _by_force(J, r, s):
    """[T] least mean square of (r - J^T F) / s over forces of the floor."""
    A, b = np.swapaxes(J / s[:, None, :], 1, 2), r / s
    least = np.minimum(_toward(J, r, s, (FRICTION, 1.0)), _toward(J, r, s, (-FRICTION, 1.0)))
    least = np.minimum(least, _toward(J, r, s, (0.0, 1.0)))
    if J.shape[2] < 2:
        return least
    a, b12, c = (np.einsum("ti,ti->t", A[:, :, i], A[:, :, j]) for i, j in ((0, 0), (0, 1), (1, 1)))
    u, v = (np.einsum("ti,ti->t", A[:, :, i], b) for i in (0, 1))
    determinant = a * c - b12**2
    regular = determinant > 1e-9 * np.maximum((a + c)**2, 1e-30)
    F = np.stack([c * u - b12 * v, a * v - b12 * u], 1) / np.where(regular, determinant, 1.0)[:, None]
    inside = regular & (F[:, 1] >= 0) & (np.abs(F[:, 0]) <= FRICTION * F[:, 1])
    whole = np.mean((b - np.einsum("tij,tj->ti", A, F))**2, axis=1)
    return np.where(inside, np.minimum(whole, least), least)


def residual(leg, x):
    """(r [T, n], y [T, n], J [T, 2, n]): what torques leave unexplained, modelled torques, Jacobian; base axes for
    x.pitch 0."""
    c, s = np.cos(x.pitch), np.sin(x.pitch)
    force = [c * x.accel[:, 0] - s * x.accel[:, 1], s * x.accel[:, 0] + c * x.accel[:, 1]]
    m = legs.move(np, leg, list(x.q.T), list(x.w.T), x.pitch, x.gyro, force)
    M = np.stack([np.stack(row, -1) for row in m.M], -2)
    J = np.stack([np.stack(row, -1) for row in m.J], -2)
    y = np.einsum("tij,tj->ti", M, x.a) + np.stack(m.bias, -1) + np.stack(m.turning, -1) * x.turning[:, None]
    return y - x.tau, y, J


def inertia_of(leg, x, k):
    """[T] what joint k turns [kg m^2] or moves [kg]."""
    still = np.zeros(len(x.q))
    m = legs.move(np, leg, list(x.q.T), [still] * leg.joints, still, still, [still, still])
    return m.M[k][k] + still


@dataclass
class Judged:
    unexplained: float    # mean cost of a tick, 0 to 1, of which a contact has TOUCH / CAP
    free: float           # share of ticks that air explains
    rest: np.ndarray      # [n] root mean square of the rest in them [N m]
    modelled: np.ndarray  # [n] root mean square of the modelled torque in them [N m]


def explained(leg, x, noise):
    """(r, y, cost of air [T], cost of a contact [T]); `noise` [n] of torques [N m]."""
    r, y, J = residual(leg, x)
    s = noise + PART * np.abs(y)
    return r, y, np.mean((r / s)**2, axis=1), TOUCH + _by_force(J, r, s)


def costs(leg, x, noise):
    """[T] what each tick costs, 0 to 1."""
    _, _, air, touch = explained(leg, x, noise)
    return np.minimum(np.minimum(air, touch), CAP) / CAP


def judge(leg, x, noise):
    """The Judged of a Smooth; `noise` [n] of torques [N m]."""
    r, y, air, touch = explained(leg, x, noise)
    cost = np.minimum(np.minimum(air, touch), CAP) / CAP
    free = (air <= touch) & (air < CAP)
    some = free if free.any() else np.ones(len(r), bool)
    return Judged(float(np.mean(cost)), float(np.mean(free)), np.sqrt(np.mean(r[some]**2, 0)),
                  np.sqrt(np.mean(y[some]**2, 0)))


def noise_of(chain):
    """[n] [N m] what torques are off by, dry friction included, at a leg of this size."""
    return np.full(len(chain.links), 2 * TORQUE_SIGMA * size_of(chain).torque)


def thin(x, most):
    stride = -(-len(x.q) // most)
    return replace(x, **{name: getattr(x, name)[::stride] for name in SIGNALS}, step=stride * x.step,
                   every=stride * x.every)
