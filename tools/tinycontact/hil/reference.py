# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The contact estimator in float64, from the equations and not from lib/: the oracle of tc_estimator, and the place to
try ideas. All episodes at once; numpy, or JAX where it is installed (the same text, about fifty times faster).

An interacting-multiple-model filter over five hypotheses j: air, stick, slip to +x (FORWARD), slip to -x (BACKWARD)
and free, a force without a constraint, which takes up soft contacts. Each has a probability p_j and a Gaussian of

    x = (q [n], w = q' [n], v, b),   v velocity of the base along the floor, b bias of its acceleration.

v is a part of every hypothesis, because what stick says about it and slip does not is what tells the two apart over
time: with one v for all, a slip that was false keeps v from being corrected, and stays.

A tick of H, from the IMU's specific force f in world axes:

    mix        T transition, prior c_j = sum_i p_i T_ij, mu_ij = p_i T_ij / c_j; moments of the mixtures
    predict    w' = M^-1 (tau - bias - a p'') (leg.py), v' = f_x - b, with noise of torques (M^-1 s H, s_i of _noise) and
               of a contact force (M^-1 J^T F H): any direction in stick and free, along (-+mu, 1) in slip
    constrain  stick: contact point at rest along the floor +- stick_speed; stick and slip: along y +- normal_speed
    compare    log l_j = -1/2 sum (e^2 / S + log S) over the encoders, e = z - q, differences cut at `cap`
    base       height and velocity of the base (a Kalman filter of its own): a foot in contact neither moves nor leaves
               its floor; a landing foot defines the floor

p(dynamic) is the probability, over the contact hypotheses, that the contact point is faster than slip_speed.
"""
import math
from dataclasses import dataclass

import numpy as np

from ..build import missing
from ..errors import TinycontactError
from . import leg as legs

AIR, STICK, FORWARD, BACKWARD, FREE = range(5)
MODES = 5
NAMES = ("encoder", "torque", "gyro", "accel", "pitch", "base_velocity")
NO_FLOOR = -1e3   # [m]


@dataclass(frozen=True)
class Config:
    """Units SI. The study's numbers, but for input_scale (2), stay (0.99) and off (0.3)."""
    step: float = 1e-3
    encoder_step: float = 2 * np.pi / 2**16
    noise_factor: float = 2.0          # on the variance of encoders
    noise_gain: float = 0.02           # of the tracker of their noise, per tick
    input_scale: float = 1.5           # on all of what is wrong with torques: always, ...
    input_floor: float = 0.05
    input_torque: float = 0.05         # ... per torque, ...
    input_bias: float = 0.1            # ... per modelled force; ...
    input_lost: float = 15.0           # ... times this when nothing was measured
    turn_filter: float = 0.5           # share of the gyro's last difference in the base's angular acceleration
    force: float = 100.0               # contact force that is not foreseen [N]
    friction: float = 0.5
    sideways: float = 0.35             # of `force`, along the floor, in slip
    stick_speed: float = 0.02
    normal_speed: float = 0.15
    slip_speed: float = 0.05           # faster is dynamic
    cap: float = 25.0
    hazard_least: float = 1e-9         # of touching in a tick, anywhere
    hazard_blind: float = 1e-4         # while no floor is known
    floor_sigma: float = 8e-3          # height of a floor over the last [m]
    entry: tuple = (0.35, 0.1, 0.1, 0.45)   # kinds of contact at touch-down
    stay: float = 0.95                 # in the same kind of contact
    leave: float = 0.005               # lift-off in a tick: loaded, ...
    leave_most: float = 0.05           # ... light, ...
    leave_high: float = 0.2            # ... above leave_height and rising
    leave_force: float = 8.0           # light: around this [N] ...
    leave_width: float = 2.0           # ... so softly
    leave_filter: float = 0.3          # of that force, per tick
    leave_height: float = 1.5e-3
    on: float = 0.9
    off: float = 0.5
    hold_time: float = 0.012           # after a flight as long contact outlasts gaps of hold_ticks for this time
    hold_ticks: float = 5.0
    base_accel: float = 0.1            # [m/s^2] in a tick
    base_bias: float = 0.1
    base_bias_walk: float = 0.05       # [m/s^2 per square root of a second]
    tilt: float = 0.1                  # bias along the floor from a wrong pitch
    base_contact: float = 0.1          # speed of a foot in contact, along y, for the base
    base_height: float = 3e-3
    base_given: float = 0.02           # of a base velocity that is given


def _dot(A, x):
    return (A * x[..., None, :]).sum(-1)


def _outer(a, b):
    return a[..., :, None] * b[..., None, :]


def _cdf(xp, x):
    if xp is np:
        return 0.5 * np.vectorize(math.erfc)(-x / math.sqrt(2))
    from jax.scipy.special import ndtr
    return ndtr(x)


def _inverse(xp, A):
    if A.shape[-1] != 2:
        return xp.linalg.inv(A)
    a, b, c, d = A[..., 0, 0], A[..., 0, 1], A[..., 1, 0], A[..., 1, 1]
    det = a * d - b * c
    return xp.stack([xp.stack([d, -b], -1), xp.stack([-c, a], -1)], -2) / det[..., None, None]


class Reference:
    def __init__(self, xp, leg, config, base_given=False):
        self.xp, self.leg, self.c, self.n, self.base_given = xp, leg, config, leg.joints, base_given
        self.rail = leg.root != "floating"

    def start(self, s):
        q, c, n = s["encoder"], self.c, self.n
        E = len(q)
        x = np.zeros((E, MODES, 2 * n + 2))
        x[..., :n] = q[:, None]
        along = [0.0, 0.0] if self.rail else [1.0, c.base_bias**2 + c.tilt**2]
        return dict(x=x, P=np.tile(np.diag([c.encoder_step**2] * n + [25.0] * n + along), (E, MODES, 1, 1)),
                    p=np.tile([0.96, 0.01, 0.01, 0.01, 0.01], (E, 1)), mean=x[:, 0].copy(),
                    past=np.repeat(q[:, None], 3, 1), count=np.zeros(E), sigma=np.full((E, n), 0.4 * c.encoder_step),
                    vertical=np.zeros((E, 3)), vertical_P=np.tile(np.diag([1e-4, 1.0, c.base_bias**2]), (E, 1, 1)),
                    rate=s["gyro"].astype(float), turning=np.zeros(E), gone=np.zeros(E), hold=np.zeros(E),
                    floor=np.full(E, NO_FLOOR), load=np.zeros(E),
                    contact=np.zeros(E, bool), since=np.full(E, -1.0), held={k: v.astype(float) for k, v in s.items()})

    def tick(self, before, sensors, lost):
        """(state, estimate) after sensors {name: [E, ...]}; lost [E]: they did not arrive, the ones before are kept"""
        xp, c, n, H = self.xp, self.c, self.n, self.c.step
        st = dict(before)
        on = 1.0 - lost
        scale = xp.where(lost, c.input_lost, 1.0)
        st["held"] = held = {k: self._where(lost, before["held"][k], v) for k, v in sensors.items()}
        f = self._specific_force(held)
        w = st["mean"][:, n:2 * n]
        m = self._move(st, held, f, lost)
        J = xp.stack([xp.stack(row, -1) for row in m.J], -2)
        bias = xp.stack(m.bias, -1)
        Mi = _inverse(xp, xp.stack([xp.stack(row, -1) for row in m.M], -2))
        self._base_predict(st, f, scale)
        contact = self._contact_rows(st, m, J)
        height = st["vertical"][:, 0] + m.foot[1] - st["floor"]
        T = self._transition(st, height, contact[1][1] + _dot(J, w)[:, 1])
        x, P, prior = self._mix(st, T)
        acc = _dot(Mi, held["torque"] - bias - xp.stack(m.turning, -1) * st["turning"][:, None])
        B = (Mi[..., :, None, :] * J[..., None, :, :]).sum(-1)     # M^-1 J^T [n, 2]
        N0, N = self._noise(Mi, B, held["torque"], bias, scale)
        x, P = self._predict(x, P, acc, N, f[0], scale)
        x, P = self._constrain(x, P, contact, held, on)
        self._track(st, held["encoder"], lost)
        R = c.noise_factor * xp.maximum(c.encoder_step**2 / 12, st["sigma"]**2)
        x, P, ll = self._measure(x, P, held["encoder"], R, on)
        post = prior * xp.exp(xp.maximum(ll - ll.max(1, keepdims=True), -c.cap) * on[:, None])
        post = post / post.sum(1, keepdims=True)
        mean = (post[..., None] * x).sum(1)
        d = x - mean[:, None]
        cov = (post[..., None, None] * (P + _outer(d, d))).sum(1)
        st.update(x=x, P=P, p=post, mean=mean)
        out = self._impulse(J, B, mean[:, n:2 * n] - w - H * acc, cov[:, n:2 * n, n:2 * n] + N0, post)
        st["load"] = st["load"] + c.leave_filter * (xp.maximum(out["impulse"][:, 1], 0) / H * (1 - post[:, AIR])
                                                    - st["load"])
        velocity = [offset + (row * mean).sum(-1) for row, offset in contact]
        landed = self._decide(st, height, velocity[1], on)
        self._base_correct(st, m, velocity[1], landed, on)
        row = contact[0][0]
        out.update(p=self._classes(x, P, post, contact), slip=velocity[0], modes=post, height=height,
                   slip_variance=(row[..., :, None] * cov * row[..., None, :]).sum((-1, -2)), vn=velocity[1],
                   since=st["since"], contact=st["contact"])
        st["out"] = {k: self._where(lost, st["out"][k], v) if "out" in st else v for k, v in out.items()}
        return st, st["out"]

    def _where(self, lost, a, b):
        return self.xp.where(lost.reshape(lost.shape + (1,) * (b.ndim - 1)), a, b)

    def _specific_force(self, held):
        c, s, a = self.xp.cos(held["pitch"]), self.xp.sin(held["pitch"]), held["accel"]
        return [c * a[:, 0] - s * a[:, 1], s * a[:, 0] + c * a[:, 1]]

    def _move(self, st, held, f, lost):
        """The leg at this tick's encoders: J of the tick before errs by J' w H, 0.01 m/s and more."""
        xp, n, H = self.xp, self.n, self.c.step
        q, w, gyro = st["mean"][:, :n], st["mean"][:, n:2 * n], held["gyro"]
        here = xp.where(lost[:, None], q + H * w, held["encoder"])
        turned = (gyro - st["rate"]) / H
        st["turning"] = st["turning"] + self.c.turn_filter * (1.0 - lost) * (turned - st["turning"])
        st["rate"] = gyro
        return legs.move(xp, self.leg, [here[:, i] for i in range(n)], [w[:, i] for i in range(n)], held["pitch"],
                         gyro, f)

    def _contact_rows(self, st, m, J):
        """[(row, offset)] along x and y: the contact point's velocity is row . x + offset."""
        xp = self.xp
        none = xp.zeros_like(J[:, 0])
        one, zero = xp.ones_like(J[:, 0, :1]), xp.zeros_like(J[:, 0, :1])
        return [(xp.concatenate([none, J[:, 0], one, zero], -1), m.carried[0]),
                (xp.concatenate([none, J[:, 1], zero, zero], -1), st["vertical"][:, 1] + m.carried[1])]

    def _constrain(self, x, P, contact, held, on):
        xp, c, n = self.xp, self.c, self.n
        (along, x_offset), (up, y_offset) = contact
        x, P = self._condition(x, P, (STICK,), along, x_offset, c.stick_speed**2)
        x, P = self._condition(x, P, (STICK, FORWARD, BACKWARD), up, y_offset, c.normal_speed**2)
        if self.base_given and not self.rail:
            row = on[:, None] * (np.arange(2 * n + 2) == 2 * n)
            x, P = self._condition(x, P, range(MODES), row, -on * held["base_velocity"], c.base_given**2)
        return x, P

    def _impulse(self, J, B, gained, cov, post):
        """What moved the contact point from where it would be without contact: J M^-1 J^T impulse = J gained."""
        xp = self.xp
        W = (J[..., :, None, :] * xp.swapaxes(B, -1, -2)[..., None, :, :]).sum(-1)
        W = W + 1e-9 * (W[:, 0, 0] + W[:, 1, 1])[:, None, None] * np.eye(2)
        G = (_inverse(xp, W)[..., :, :, None] * J[..., None, :, :]).sum(-2)
        touches = (1 - post[:, AIR] > 0.05)[:, None]
        return {"impulse": _dot(G, gained) * touches,
                "impulse_variance": (G[..., :, None] * cov[:, None] * G[..., None, :]).sum((-1, -2))}

    def _decide(self, st, height, vn, on):
        """Contact with hysteresis; a foot that has just landed bounces, and gaps of its contact are none. Where it
        lands."""
        xp, c, H = self.xp, self.c, self.c.step
        touching, was = 1 - st["p"][:, AIR], st["contact"]
        lifted = (height > c.leave_height) & (vn > 0)
        st["gone"] = xp.where(touching < c.off, st["gone"] + on, 0.0)
        ends = (touching < c.off) & (lifted | (st["gone"] > c.hold_ticks) | (st["hold"] <= 0))
        contact = xp.where(was, ~ends, touching > c.on)
        landed = contact & ~was
        st["hold"] = xp.where(landed & (st["since"] < -c.hold_time), c.hold_time, st["hold"] - H)
        st["since"] = xp.where(contact != was, 0.0, st["since"] + xp.where(contact, H, -H))
        st["contact"] = contact
        return landed

    def _classes(self, x, P, post, contact):
        xp, c = self.xp, self.c
        row, offset = contact[0][0][:, None], contact[0][1][:, None]
        v = offset + (row * x).sum(-1)
        sd = xp.sqrt((row[..., :, None] * P * row[..., None, :]).sum((-1, -2)) + 1e-12)   # one joint on a rail: 0
        faster = 1 - _cdf(xp, (c.slip_speed - v) / sd) + _cdf(xp, (-c.slip_speed - v) / sd)
        dynamic = (post * faster)[:, STICK:].sum(1)
        return xp.stack([post[:, AIR], 1 - post[:, AIR] - dynamic, dynamic], -1)

    def _mix(self, st, T):
        prior = (st["p"][..., None] * T).sum(1)
        mu = st["p"][..., None] * T / prior[:, None]
        x = (mu[..., None] * st["x"][:, :, None]).sum(1)
        d = st["x"][:, :, None] - x[:, None]
        P = (mu[..., None, None] * (st["P"][:, :, None] + _outer(d, d))).sum(1)
        return x, P, prior

    def _noise(self, Mi, B, tau, bias, scale):
        xp, c, H = self.xp, self.c, self.c.step
        s = c.input_scale * (c.input_floor + c.input_torque * xp.abs(tau) + c.input_bias * xp.abs(bias)) * scale[:, None]
        A = Mi * (H * s)[:, None]
        N0 = (A[..., :, None, :] * A[..., None, :, :]).sum(-1)
        t, nn = B[..., 0] * c.force * H, B[..., 1] * c.force * H
        full = N0 + _outer(t, t) + _outer(nn, nn)
        ahead, back = nn - c.friction * t, nn + c.friction * t
        side = N0 + c.sideways**2 * _outer(t, t)
        return N0, xp.stack([N0, full, side + _outer(ahead, ahead), side + _outer(back, back), full], 1)

    def _predict(self, x, P, acc, N, pull, scale):
        xp, c, n, H = self.xp, self.c, self.n, self.c.step
        moved = 0.0 if self.rail else 1.0
        F = np.eye(2 * n + 2)
        F[:n, n:2 * n] = H * np.eye(n)
        F[2 * n, 2 * n + 1] = -H * moved
        pushed = xp.concatenate([0.5 * H * H * acc, H * acc, moved * H * pull[:, None], 0 * pull[:, None]], -1)
        x = (F * x[..., None, :]).sum(-1) + pushed[:, None]
        Q = xp.concatenate([xp.concatenate([0.25 * H * H * N, 0.5 * H * N], -1), xp.concatenate([0.5 * H * N, N], -1)], -2)
        Q = xp.pad(Q, ((0, 0), (0, 0), (0, 2), (0, 2)))
        base = np.zeros((2 * n + 2, 2 * n + 2))
        base[2 * n, 2 * n] = moved * (c.base_accel * H)**2
        walk = 0 * base
        walk[2 * n + 1, 2 * n + 1] = moved * c.base_bias_walk**2 * H
        return x, F @ P @ F.T + Q + (scale[:, None, None] ** 2 * base + walk)[:, None]

    def _condition(self, x, P, modes, a, offset, r):
        """a . x + offset is 0, with variance r, in the hypotheses named."""
        use = np.isin(np.arange(MODES), modes).astype(float)[None, :, None]
        gain = (P * a[:, None, None]).sum(-1)
        S = (gain * a[:, None]).sum(-1) + r
        e = -(offset[:, None] + (x * a[:, None]).sum(-1))
        k = use * gain / S[..., None]
        return x + k * e[..., None], P - _outer(k, gain)

    def _measure(self, x, P, z, R, on):
        """Joint after joint: their noises are independent."""
        ll = 0.0
        for i in range(self.n):
            S = P[..., i, i] + R[:, None, i]
            e = z[:, None, i] - x[..., i]
            ll = ll - 0.5 * (e * e / S + self.xp.log(S))
            k = on[:, None, None] * P[..., i] / S[..., None]
            x, P = x + k * e[..., None], P - _outer(k, P[..., i])
        return x, P, ll

    def _track(self, st, z, lost):
        """The median of the third difference, which motion hardly moves and noise s moves by sqrt(20) s."""
        xp, c, fresh = self.xp, self.c, ~lost
        past = st["past"]
        d = xp.abs(z - 3 * past[:, 0] + 3 * past[:, 1] - past[:, 2]) / 3.02
        good = fresh & (st["count"] >= 3)
        moved = st["sigma"] * xp.exp(c.noise_gain * xp.where(d > st["sigma"], 1.0, -1.0))
        moved = xp.clip(moved, 0.1 * c.encoder_step, 100 * c.encoder_step)
        st["sigma"] = xp.where(good[:, None], moved, st["sigma"])
        st["count"] = xp.where(fresh, st["count"] + 1, 0.0)
        st["past"] = xp.where(fresh[:, None, None], xp.concatenate([z[:, None], past[:, :2]], 1), past)

    def _transition(self, st, g, vn):
        xp, c, H = self.xp, self.c, self.c.step
        r = xp.clip(g / c.floor_sigma, -30.0, 30.0)
        ratio = xp.exp(-0.5 * r * r) / math.sqrt(2 * math.pi) / _cdf(xp, r)
        hazard = c.hazard_least + ratio * xp.maximum(-vn * H, 0.0) / c.floor_sigma
        hazard = xp.where(st["floor"] == NO_FLOOR, c.hazard_blind, xp.minimum(hazard, 0.5))
        light = 1 / (1 + xp.exp(xp.clip((st["load"] - c.leave_force) / c.leave_width, -40, 40)))
        leave = c.leave + (c.leave_most - c.leave) * light
        leave = xp.where((g > c.leave_height) & (vn > 0), c.leave_high, leave)
        stays = c.stay * np.eye(4) + (1 - c.stay) / 3 * (1 - np.eye(4))
        air = xp.concatenate([1 - hazard[:, None], hazard[:, None] * np.array(c.entry)], -1)[:, None]
        touch = xp.concatenate([xp.broadcast_to(leave[:, None, None], leave.shape + (4, 1)),
                                (1 - leave)[:, None, None] * stays], -1)
        return xp.concatenate([air, touch], 1)

    def _base_predict(self, st, f, scale):
        xp, c, H = self.xp, self.c, self.c.step
        v = st["vertical"]
        a = f[1] - self.leg.g - v[:, 2]
        st["vertical"] = xp.stack([v[:, 0] + H * v[:, 1] + 0.5 * H * H * a, v[:, 1] + H * a, v[:, 2]], -1)
        F = np.array([[1, H, -0.5 * H * H], [0, 1, -H], [0, 0, 1.0]])
        Q = ((c.base_accel * H * scale)**2)[:, None, None] * np.diag([0, 1.0, 0])
        st["vertical_P"] = F @ st["vertical_P"] @ F.T + Q + c.base_bias_walk**2 * H * np.diag([0, 0, 1.0])

    @staticmethod
    def _kalman(x, P, k, e, r, use):
        """Component k of x was measured with error e and variance r, where `use`."""
        gain = use[:, None] * P[..., k] / (P[:, k, k] + r)[:, None]
        return x + gain * e[:, None], P - _outer(gain, P[..., k])

    def _base_correct(self, st, m, vn, landed, on):
        xp, c = self.xp, self.c
        x, P = st["vertical"], st["vertical_P"]
        st["floor"] = xp.where(landed, x[:, 0] + m.foot[1], st["floor"])
        use = st["contact"] * on
        x, P = self._kalman(x, P, 1, -vn, c.base_contact**2, use)
        lower = st["floor"] - m.foot[1] - x[:, 0]
        st["vertical"], st["vertical_P"] = self._kalman(x, P, 0, lower, c.base_height**2, use)


def estimate(leg, episodes, config=None, base_given=False, engine="numpy"):
    """[{name: [T, ...]}] of episodes of equal length that share a chain_file.PlanarLeg; engine numpy or jax. Of names
    p, impulse, impulse_variance, slip, slip_variance, since and contact as tc_estimator_estimate has them; modes: p_j; height
    of the foot over its last floor and its velocity upwards, vn."""
    config = config or Config()
    data = {k: np.stack([np.asarray(getattr(e, k), float) for e in episodes], 1) for k in NAMES}
    lost = np.stack([np.asarray(e.lost) > 0 for e in episodes], 1)
    first = {k: v[0] for k, v in data.items()}
    if engine == "jax":
        out = _scan(leg, config, base_given, first, data, lost)
    else:
        r = Reference(np, leg, config, base_given)
        state, ticks = r.start(first), []
        for t in range(len(lost)):
            state, one = r.tick(state, {k: v[t] for k, v in data.items()}, lost[t])
            ticks.append(one)
        out = {k: np.stack([one[k] for one in ticks]) for k in ticks[0]}
    return [{k: v[:, i] for k, v in out.items()} for i in range(len(episodes))]


def _scan(leg, config, base_given, first, data, lost):
    try:
        import jax
    except ImportError as error:
        raise TinycontactError(f"engine jax: JAX is missing: {missing('jax', 'train')}") from error
    with jax.enable_x64(True):
        import jax.numpy as jnp
        r = Reference(jnp, leg, config, base_given)
        state = jax.tree.map(jnp.asarray, r.start(first))
        shape = jax.eval_shape(lambda st: r.tick(st, first, lost[0])[1], state)
        state["out"] = jax.tree.map(lambda a: jnp.zeros(a.shape, a.dtype), shape)
        run = jax.jit(lambda st, xs: jax.lax.scan(lambda now, x: r.tick(now, *x), st, xs))
        return {k: np.asarray(v) for k, v in run(state, (data, lost))[1].items()}
