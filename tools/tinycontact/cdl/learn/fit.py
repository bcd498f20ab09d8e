# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Multiple shooting with fitted starts and a widening horizon, by Gauss-Newton, all seeds at once.

The log is cut into pieces of H rows. Unknown are the net's parameters theta, the start z_j of every piece and, with
contact, the floor: the value c of the gap at which contact begins. Recorded flags drive the impulses, so between
theta, z and the states everything is smooth. Minimised is

    sum ||(yhat - y)/noise||^2  +  sum ((theta - theta_0)/tau)^2  +  sum hinge^2.

H widens until a piece is a whole run: short pieces make the problem convex enough from zero force, whole runs make
the forces as accurate as the data allow (ball: g to 0.012 instead of 0.16 m/s^2). Each stage starts where the last
ended, its pieces from the trajectory fitted so far.

The hinge uses what flags say about time. A step that was flagged ended at a gap <= c, a closing step that was not
flagged at a gap > c; in units of the step's own travel h |u| a violation costs

    hinge = kappa max(0, m +- (gap - c)/(h |u|)).

A run of n bounces then fixes durations to about h/n, far below what noise on states gives.

Gauss-Newton with Levenberg's damping needs dy/d(theta, z): a roll-out, the Jacobians of all steps at once, and one
linear recursion. Starts belong to one piece each and are eliminated (Schur complement), so a stage costs one system
of the size of theta.
"""
from dataclasses import dataclass

import numpy as np

from ...learn.fit import frameworks

HORIZONS = (10, 52)   # rows of a piece; whole runs follow
FLAT = 1e-6                    # prior weight of c, which is known to nobody
DAMPING, EASE, RETRY = 1e-2, 0.3, 5.0


@dataclass
class Recipe:
    """How a trajectory is fitted."""

    horizons: tuple = HORIZONS
    whole: bool = True            # then whole runs
    updates: int = 8              # Gauss-Newton steps per stage
    hinges: tuple = ((10.0, 0.05, 10), (100.0, 0.0, 20))   # kappa, m, updates of stages after the last horizon


@dataclass
class Fitted:
    """For S seeds: parameters {name: [S, ..]}, states [S, N, 2D] of the fitted trajectory, floor [S], cost [S] per
    number of the log."""

    params: dict
    states: np.ndarray
    floor: np.ndarray
    cost: np.ndarray


def pieces(runs, horizon):
    """(rows [m, H], mask [m, H]) of runs cut into pieces; the last of a run may be short (masked), none is one row."""
    rows, mask = [], []
    longest = min(horizon, max(length for _, length in runs))
    for first, length in runs:
        for start in range(0, length, longest):
            count = min(longest, length - start)
            if count >= 2:
                rows.append(first + start + np.minimum(np.arange(longest), count - 1))
                mask.append((np.arange(longest) < count).astype(float))
    return np.array(rows), np.array(mask)


def _unpacker(params):
    """(unpack(vector) -> parameters, size) from one seed's parameters."""
    _, jnp, _ = frameworks()
    names = sorted(params)
    shapes = [params[name].shape for name in names]
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])

    def unpack(vector):
        parts = jnp.split(vector, ends[:-1])
        return {name: part.reshape(shape) for name, part, shape in zip(names, parts, shapes)}
    return unpack, int(ends[-1])


def pack(params):
    """One vector [S, P] of parameters {name: [S, ..]}."""
    return np.concatenate([np.asarray(params[name]).reshape(len(params[name]), -1) for name in sorted(params)], axis=1)


class Shooter:
    """Compiled stages of one step function; `normal` [D] is empty without contact."""

    def __init__(self, step, system, example):
        self.jax, self.jnp, _ = frameworks()
        self.unpack, self.size = _unpacker(example)
        self.system, self.columns = system, system.columns
        self.normal = np.array(system.normal if system.touches else (0.0,) * system.columns)
        self.step = lambda theta, scale, y, flag: step(self.unpack(theta), scale, y, flag)
        self._stage = self.jax.jit(self.jax.vmap(self._minimise, in_axes=(0,) * 8 + (None,) * 5))

    def roll(self, theta, scale, start, flags):
        """States [H, 2D] from a start, impulses where flags say."""
        def go(y, flag):
            following = self.step(theta, scale, y, flag)
            return following, following
        _, states = self.jax.lax.scan(go, start, flags[1:])
        return self.jnp.concatenate([start[None], states])

    def _sensitivity(self, theta, scale, states, flags):
        """d states / d (theta, start) [H, 2D, P + 2D]."""
        jax, jnp = self.jax, self.jnp
        by_state = jax.vmap(jax.jacfwd(self.step, 2), (None, None, 0, 0))(theta, scale, states[:-1], flags[1:])
        by_theta = jax.vmap(jax.jacrev(self.step, 0), (None, None, 0, 0))(theta, scale, states[:-1], flags[1:])
        by_theta = jnp.pad(by_theta, ((0, 0), (0, 0), (0, 2 * self.columns)))

        def go(sens, step):
            sens = step[0] @ sens + step[1]
            return sens, sens
        first = jnp.concatenate([jnp.zeros((2 * self.columns, self.size)), jnp.eye(2 * self.columns)], axis=1)
        _, sens = jax.lax.scan(go, first, (by_state, by_theta))
        return jnp.concatenate([first[None], sens])

    def _hinge(self, states, floor, flags, mask, weight, margin):
        """(residuals [H-1], their slope by the gap [H-1]); by c it is the negative."""
        jnp, h, d = self.jnp, self.system.h, self.columns
        gap, speed = (states[:-1, :d] + h * states[:-1, d:]) @ self.normal, states[:-1, d:] @ self.normal
        side = jnp.where(flags[1:] > 0, 1.0, -1.0)
        travel = h * jnp.maximum(jnp.abs(speed), 1e-6)
        counts = weight * ((flags[1:] > 0) | (speed < 0)) * mask[1:]
        miss = margin + side * (gap - floor) / travel
        return counts * jnp.maximum(miss, 0), counts * side / travel * (miss > 0)

    def _residuals(self, theta, starts, floor, scale, y, flags, mask, weight, margin):
        """Whitened residuals of one seed, and its states."""
        jax = self.jax
        states = jax.vmap(self.roll, (None, None, 0, 0))(theta, scale, starts, flags)
        off = ((states - y) / scale.noise) * mask[..., None]
        hinge, slope = jax.vmap(self._hinge, (0, None, 0, 0, None, None))(states, floor, flags, mask, weight, margin)
        return states, off, hinge, slope

    def _normal_equations(self, theta, starts, floor, scale, y, flags, mask, weight, margin):
        """Blocks (parameters and floor, coupling, starts) of J^T J and J^T r."""
        jax, jnp, d, h = self.jax, self.jnp, self.columns, self.system.h
        states, off, hinge, slope = self._residuals(theta, starts, floor, scale, y, flags, mask, weight, margin)
        sens = jax.vmap(self._sensitivity, (None, None, 0, 0))(theta, scale, states, flags)
        m = len(starts)
        by_gap = jnp.einsum("d,mhdk->mhk", self.normal, sens[:, :-1, :d] + h * sens[:, :-1, d:])
        rows = jnp.concatenate([(sens / scale.noise[:, None] * mask[..., None, None]).reshape(m, -1, sens.shape[-1]),
                                slope[..., None] * by_gap], axis=1)
        by_floor = jnp.concatenate([jnp.zeros((m, off[0].size)), -slope], axis=1)
        off = jnp.concatenate([off.reshape(m, -1), hinge], axis=1)
        shared = jnp.concatenate([rows[..., :self.size], by_floor[..., None]], axis=2)
        own = rows[..., self.size:]
        flat = shared.reshape(-1, self.size + 1)
        return (flat.T @ flat, jnp.einsum("mki,mkj->mij", shared, own), jnp.einsum("mki,mkj->mij", own, own),
                flat.T @ off.reshape(-1), jnp.einsum("mki,mk->mi", own, off))

    def _minimise(self, theta, prior, tau, starts, floor, scale, y, flags, mask, weight, margin, damping, updates):
        """(theta, starts, floor, cost) of one seed after so many damped Gauss-Newton steps."""
        jax, jnp = self.jax, self.jnp
        data = (scale, y, flags, mask, weight, margin)
        stiff = jnp.concatenate([1 / tau**2, jnp.array([FLAT])])

        def cost(theta, starts, floor):
            _, off, hinge, _ = self._residuals(theta, starts, floor, *data)
            return (off**2).sum() + (hinge**2).sum() + (((theta - prior) / tau)**2).sum()

        def update(_, state):
            theta, starts, floor, damp, least = state
            a, b, z, ga, gz = self._normal_equations(theta, starts, floor, *data)
            a = a + jnp.diag(stiff + damp * (stiff + 1e-3 * jnp.diag(a)))
            ga = ga + stiff * jnp.concatenate([theta - prior, jnp.zeros(1)])
            z = z * (1 + 0.1 * damp * jnp.eye(z.shape[-1])) + 1e-9 * jnp.eye(z.shape[-1])
            inverse = jnp.linalg.inv(z)
            solved = jnp.einsum("mij,mjk->mik", b, inverse)
            schur = a - jnp.einsum("mij,mkj->ik", solved, b)
            step = -jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(schur), True),
                                               ga - jnp.einsum("mij,mj->i", solved, gz))
            shift = -jnp.einsum("mij,mj->mi", inverse, gz + jnp.einsum("mij,i->mj", b, step))
            tried = (theta + step[:-1], starts + shift, floor + step[-1])
            new = cost(*tried)
            better = new < least
            kept = [jnp.where(better, fresh, old) for fresh, old in zip(tried, (theta, starts, floor))]
            return (*kept, damp * jnp.where(better, EASE, RETRY), jnp.where(better, new, least))

        state = (theta, starts, floor, damping, cost(theta, starts, floor))
        theta, starts, floor, _, least = jax.lax.fori_loop(0, updates, update, state)
        return theta, starts, floor, least, jax.vmap(self.roll, (None, None, 0, 0))(theta, scale, starts, flags)

    def stage(self, theta, prior, tau, states, floor, scale, data, horizon, hinge, updates):
        """One stage for all seeds: (theta, states, floor, cost)."""
        rows, mask = pieces(data.runs, horizon)
        weight, margin = hinge
        theta, _, floor, cost, rolled = self._stage(theta, prior, tau, states[:, rows[:, 0]], floor, scale,
                                                    data.states[:, rows], data.contact[:, rows], mask, weight, margin,
                                                    DAMPING, updates)
        states, kept = states.copy(), mask > 0
        states[:, rows[kept]] = np.asarray(rolled)[:, kept]
        return theta, states, floor, np.asarray(cost)


def bounds(data, states):
    """(largest gap of a flagged step, least gap of a closing one not flagged) [S] of trajectories [S, N, 2D]; what
    lies between is where contact may begin. Infinite where there is no such step."""
    d, normal, kept = data.system.columns, np.array(data.system.normal), data.follows
    before, flagged = states[:, :-1][:, kept], data.contact[:, 1:][:, kept] > 0
    gap, closing = (before[..., :d] + data.system.h * before[..., d:]) @ normal, before[..., d:] @ normal < 0
    return (np.where(flagged, gap, -np.inf).max(axis=1),
            np.where(~flagged & closing, gap, np.inf).min(axis=1))


def fit(step, data, scale, start, tau, recipe, tell=lambda share: None):
    """Fitted of all seeds of `data`; start, tau: {name: [S, ..]} initial parameters, centre of the prior, and its
    deviations."""
    jax, _, _ = frameworks()
    with jax.enable_x64(True):
        shooter = Shooter(step, data.system, {name: value[0] for name, value in start.items()})
        prior, width = pack(start), pack(tau)
        theta, states, floor = prior, data.states, np.zeros(len(prior))
        longest = max(length for _, length in data.runs)
        widths = [h for h in recipe.horizons if h < longest] + ([longest] if recipe.whole else [])
        stages = [(h, (0.0, 0.0), recipe.updates) for h in widths]
        if data.system.touches and recipe.whole and data.contact.any():
            stages += [(longest, hinge[:2], hinge[2]) for hinge in recipe.hinges]
        for k, (horizon, hinge, updates) in enumerate(stages):
            if hinge[0] and not stages[k - 1][1][0]:
                low, high = bounds(data, states)
                floor = np.where(np.isfinite(low + high), (low + high) / 2, low)
            theta, states, floor, cost = shooter.stage(theta, prior, width, states, floor, scale, data, horizon,
                                                       hinge, updates)
            tell((k + 1) / len(stages))
        params = {name: np.asarray(value) for name, value in jax.vmap(shooter.unpack)(theta).items()}
    return Fitted(params, states, np.asarray(floor), cost / data.states[0].size)
