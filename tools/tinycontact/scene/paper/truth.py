# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Motions in closed form or by Runge-Kutta in float64, which never load the library.

    positions, quaternions, velocities, rates = bounce(Ball(...), times)   # event by event
    rates, quaternions = tumble(moments, torque, until, times, quaternion)
    positions = push(force, mass, friction, gravity, times)
"""
from dataclasses import dataclass

import numpy as np


@dataclass
class Ball:
    """A homogeneous ball, free among planes n . x >= offset. Friction and restitution of all planes are the same."""
    r: float
    mass: float
    x: np.ndarray
    v: np.ndarray
    w: np.ndarray
    g: np.ndarray
    planes: list          # [(normal, offset)]
    friction: float
    restitution: float


def _meets(ball, x, v):
    """(time of the next contact, its plane's normal); (inf, None) if there is none. Only approaching ones count."""
    best = np.inf, None
    for normal, offset in ball.planes:
        n = np.asarray(normal, float)
        gap, speed, bend = n @ x - offset - ball.r, n @ v, 0.5 * (n @ ball.g)
        for t in np.roots([bend, speed, gap] if bend else [speed, gap] if speed else []):
            if abs(t.imag) < 1e-12 and t.real > 1e-10 and speed + 2 * bend * t.real < 0:
                best = min(best, (float(t.real), tuple(n)), key=lambda one: one[0])
    return best


def _hit(ball, v, w, n):
    """Velocities after an impact: Newton's restitution, Coulomb's friction of a ball that slips or sticks."""
    n = np.asarray(n)
    arm = -ball.r * n
    normal = -(1 + ball.restitution) * (n @ v) * ball.mass
    slip = v + np.cross(w, arm)
    slip = slip - (n @ slip) * n
    speed = np.linalg.norm(slip)
    tangential = np.zeros(3)
    if speed > 0:
        stick = speed * ball.mass * 2 / 7
        tangential = -slip / speed * min(stick, ball.friction * normal)
    impulse = normal * n + tangential
    return v + impulse / ball.mass, w + np.cross(arm, impulse) / (0.4 * ball.mass * ball.r ** 2)


def bounce(ball, times):
    """(positions, velocities, rates) [n, 3] at increasing times, event by event."""
    x, v, w, now = np.array(ball.x, float), np.array(ball.v, float), np.array(ball.w, float), 0.0
    rows = []
    wait, plane = _meets(ball, x, v)
    for t in times:
        while now + wait <= t:
            x = x + v * wait + 0.5 * ball.g * wait ** 2
            v, w = _hit(ball, v + ball.g * wait, w, plane)
            now += wait
            wait, plane = _meets(ball, x, v)
        s = t - now
        rows.append(np.concatenate([x + v * s + 0.5 * ball.g * s ** 2, v + ball.g * s, w]))
    rows = np.array(rows)
    return rows[:, :3], rows[:, 3:6], rows[:, 6:]


def _rotate(q, u):
    """[..., 3] vectors of body axes in world axes."""
    w, v = q[..., :1], q[..., 1:]
    t = 2 * np.cross(v, u)
    return u + w * t + np.cross(v, t)


def _rates(moments, q, momentum):
    """World angular velocity of bodies with these principal moments."""
    back = np.concatenate([q[..., :1], -q[..., 1:]], axis=-1)
    return _rotate(q, _rotate(back, momentum) / moments)


def _turning(moments, q, momentum):
    w = _rates(moments, q, momentum)
    scalar = -(w * q[..., 1:]).sum(-1, keepdims=True)
    return 0.5 * np.concatenate([scalar, q[..., :1] * w + np.cross(w, q[..., 1:])], axis=-1)


def tumble(moments, torque, until, times, quaternion, step=1e-3):
    """(rates [n, bodies, 3], quaternions [n, bodies, 4]) of free bodies [bodies, 3] that begin at rest and feel a world
    torque [bodies, 3] until a time. Runge-Kutta's fourth order; world momentum is known in closed form."""
    moments, torque = np.asarray(moments, float), np.asarray(torque, float)
    q = np.broadcast_to(np.asarray(quaternion, float), (*torque.shape[:-1], 4)).copy()
    now, rates, turns = 0.0, [], []
    for t in times:
        while now < t - 1e-12:
            end = min(t, now + step, until if now < until - 1e-12 else np.inf)
            h, L = end - now, [torque * min(now + share * (end - now), until) for share in (0.0, 0.5, 1.0)]
            a = _turning(moments, q, L[0])
            b = _turning(moments, q + 0.5 * h * a, L[1])
            c = _turning(moments, q + 0.5 * h * b, L[1])
            d = _turning(moments, q + h * c, L[2])
            q = q + h / 6 * (a + 2 * b + 2 * c + d)
            q /= np.linalg.norm(q, axis=-1, keepdims=True)
            now = end
        rates.append(_rates(moments, q, torque * min(now, until)))
        turns.append(q)
    return np.array(rates), np.array(turns)


def push(force, mass, friction, gravity, times):
    """[n, 3] way of a body that rests on a plane and is pushed along it by a constant force: it slides straight on."""
    force = np.asarray(force, float)
    size = np.linalg.norm(force)
    pull = max(size - friction * mass * gravity, 0.0) / mass
    way = 0.5 * pull * np.asarray(times, float) ** 2
    return np.concatenate([way[:, None] * force / size, np.zeros((len(way), 1))], axis=1)
