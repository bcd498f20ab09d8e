# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The box in closed loop, many throws at a time: the law's impulses, DART's way with positions, the library's with spin.

Positions follow as in DART 6.20 with split position correction: x += h (v2 + d_v), and R turns by h (omega_2 + d_omega),
where d is the velocity of a frictionless LCP that starts from rest and asks each contact for min(0.01/h depth, 1 mm/s).

A free body turns by its midpoint: omega_m = I^-1 (L + L')/2 in body axes, and the world's L stays. Contacts change
omega_m and L; then omega is I^-1 L at the new orientation. DART takes the gyroscopic term at the old omega, before the
contact: half of it is within the step's contact here, and half comes after; poses differ by h^2 omega^2, energy stays.
"""
from dataclasses import dataclass

import numpy as np

from ..sim import spatial_truth as truth
from ..sim.query import STATIC
from ..sim.schemes import ERP, MAX_ERV
from . import sweeps
from .patches import MOST, patches


def product(p, q):
    """[N, 4]"""
    w, v, x, y = p[:, :1], p[:, 1:], q[:, :1], q[:, 1:]
    out = np.hstack([w * x - (v * y).sum(axis=1, keepdims=True), w * y + x * v + np.cross(v, y)])
    return out / np.linalg.norm(out, axis=1, keepdims=True)


@dataclass
class Turn:
    """Turns of h that have begun: what their ends need."""
    mean: np.ndarray    # [N, 3] omega_m, world
    ahead: np.ndarray   # [N, 3] omega_m - omega, body
    half: np.ndarray    # [N, 1] t: the turn is the quaternion (1, t omega_m), normalised


def begin_turn(q, omega, h, rounds=40):
    """The midpoint of free turns with omega [N, 3] (world) at the beginning."""
    R, I = truth.rotation(q), truth.inertia()
    spin = np.einsum("nji,nj->ni", R, omega)
    b = 0.5 * h * np.linalg.norm(spin, axis=1, keepdims=True)
    half = 0.5 * h * np.where(b > 0, np.tan(b) / np.where(b > 0, b, 1), 1)
    mean = spin
    for _ in range(rounds):
        mean = spin - half * np.cross(mean, I * mean) / I
    return Turn(np.einsum("nij,nj->ni", R, mean), mean - spin, half)


def move(position, q, velocity, drift, turn, h):
    """(position, q, velocity) at the end, where velocity [N, 6] holds omega_m, contacts included; drift moves poses
    only."""
    R, I = truth.rotation(q), truth.inertia()
    momentum = np.einsum("nij,nj->ni", R, I * (np.einsum("nji,nj->ni", R, velocity[:, 3:]) - turn.ahead))
    ahead = product(np.hstack([np.ones_like(turn.half), turn.half * (velocity + drift)[:, 3:]]), q)
    S = truth.rotation(ahead)
    omega = np.einsum("nij,nj->ni", S, np.einsum("nji,nj->ni", S, momentum) / I)
    return position + h * (velocity + drift)[:, :3], ahead, np.hstack([velocity[:, :3], omega])


def push_out(touching, depth, h):
    """[N, 6] DART's velocity of position correction; depth [N, MOST]."""
    wanted = np.minimum(ERP / h * np.maximum(depth, 0), MAX_ERV)
    at_rest = touching[np.arange(len(touching))]
    at_rest.velocity = np.zeros_like(touching.velocity)
    return sweeps.carried(at_rest, np.zeros_like(at_rest.velocity), -wanted)[0]


class Loop:
    """Closed loops of `law`. Impulses of the last step start the sweeps of the next if `warm`; a patch that stuck is
    tried to stop first."""

    def __init__(self, law, rounds=sweeps.ROUNDS, frozen=sweeps.FROZEN, warm=True):
        self.law, self.options, self.warm = law, {"rounds": rounds, "frozen": frozen}, warm
        self.asked = []   # per step and patch in contact: (contacts, class nets, ratio nets, corners solved)

    def _memory(self, rows, touching):
        if not self.warm or self.impulse is None:
            return {}
        vertex = np.where(touching.vertex < 0, 0, touching.vertex)
        start = np.take_along_axis(self.impulse[rows], vertex[:, :, None], axis=1)
        same = (self.stuck[rows] == self._bits(touching)) & (self.stuck[rows] > 0)
        return {"start": start, "first": same}

    @staticmethod
    def _bits(touching):
        return np.where(touching.present(), 1 << np.maximum(touching.vertex, 0), 0).sum(axis=1)

    def step(self, position, q, velocity, h=truth.H):
        """(position, q, velocity) a step later."""
        turn = begin_turn(q, velocity[:, 3:], h)
        velocity = np.hstack([velocity[:, :3] - [0, 0, h * truth.G], turn.mean])
        _, gap = truth.arms(position, q)
        rows = np.flatnonzero((gap <= 0).any(axis=1))
        drift = np.zeros_like(velocity)
        if len(rows):
            touching = patches(position[rows], q[rows], velocity[rows], gap[rows] <= 0)
            answer = sweeps.solve(touching, self.law, **self.options, **self._memory(rows, touching))
            velocity[rows] = answer.velocity
            depth = np.where(touching.present(), -np.take_along_axis(gap[rows], np.maximum(touching.vertex, 0), 1), 0)
            drift[rows] = push_out(touching, depth, h)
            self.asked.append(np.column_stack([touching.count, answer.asked, answer.updates]))
        self._remember(len(position), rows, touching if len(rows) else None, answer if len(rows) else None)
        return move(position, q, velocity, drift, turn, h)

    def _remember(self, n, rows, touching, answer):
        self.impulse, self.stuck = np.zeros((n, 8, 3)), np.zeros(n, int)
        for k in range(MOST if len(rows) else 0):
            there = np.flatnonzero(touching.count > k)
            self.impulse[rows[there], touching.vertex[there, k]] = answer.impulse[there, k]
        if len(rows):
            self.stuck[rows] = np.where(answer.label == STATIC, self._bits(touching), 0)

    def run(self, position, q, velocity):
        """[truth.Throw] with paths of two rows: start and end."""
        n, self.impulse, self.stuck = len(position), None, None
        first = state = (position, q, velocity)
        still = np.zeros(n, int)
        done, out = np.zeros(n, bool), [None] * n
        for t in range(1, truth.MAX_STEPS + 1):
            state = self.step(*state)
            v = state[2]
            calm = (np.linalg.norm(v[:, :3], axis=1) < truth.REST_SPEED) \
                & (np.linalg.norm(v[:, 3:], axis=1) < truth.REST_SPIN)
            still = np.where(calm, still + 1, 0)
            ended = ~done & ((still >= truth.REST_STEPS) | (t == truth.MAX_STEPS))
            for k in np.flatnonzero(ended):
                rest = still[k] >= truth.REST_STEPS
                path = np.array([np.concatenate([part[k] for part in at]) for at in (first, state)])
                out[k] = truth.Throw(path, truth.face_up(path[-1, 3:7]),
                                     float(np.hypot(*(path[-1, :2] - path[0, :2]))), bool(rest),
                                     (t - truth.REST_STEPS) * truth.H if rest else np.inf)
            done |= ended
            if done.all():
                break
        return out
