# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Estimator of all feet of a robot in float64: a bank of hypotheses in the contact's space, and one base for all feet.
The reference of what firmware computes, written for reading; many episodes, robots and settings run at once (leading
axes).

Per foot and tick, world axes, z the floor's normal:

1. A reference (q, w) moves as in the air, w += H M^-1 (tau - bias). B = M^-1 J^T, W = J B.
2. Hypotheses air, stick, slip and free impact hold deviations x = (p, v) of the contact point from it, [6] and [6, 6].
   They mix by a Markov chain, whose rate from air to contact follows the foot's height over its last floor, and move:
   p += H v. Noise of v: B^T diag(s^2) B H^2 of torques, f^2 W C W H^2 of the contact's force, C = 1 for stick and free,
   of slip E[(n - mu s)(n - mu s)^T], s the direction of sliding, known by its mean d = v_t / sqrt(v_t^2 + 2 sigma^2)
   and second moment d d^T + (1 - |d|^2) / 2.
3. A contact's velocity, base and joints together, is conditioned to be 0: along z for stick and slip, along x and y for
   stick; free has none.
4. Encoders z: y = J (z - q), of covariance J R J^T, weighs and corrects each hypothesis. R follows the third
   differences of the encoders.
5. The mean deviation returns into (q, w) along B W^-1; all hypotheses shift by as much. The contacts' part of it,
   W^-1 v, is the impulse of the tick.
6. The base: velocity and bias along x and y, height, velocity and bias along z, moved by the accelerometer, corrected
   by feet that stick (x, y) and stand (z, each on the floor that it found at touch-down, which leans as the plane
   through the last footholds).
7. A base whose velocity is wrong makes all feet seem to slip alike: then it is doubted (bank_base.py).
8. The scale of each torque is identified in the air (bank_gains.py); the next touch-down is predicted (bank_next.py).
"""
import numpy as np

from .bank_base import Base
from .bank_gains import Gains
from .bank_next import Next
from .bank_settings import AIR, CAP, FREE, MEDIAN, SLIP, STICK, Robots, Settings, Z
from .motion import apply, cross, move
from .sensors import matrix


PLACE = np.array([0.25, 0.25, 0.25, 1 / 3])   # of H^2 and the noise of v; an impact lies anywhere within a tick


def _normal_pdf(x):
    return 0.3989423 * np.exp(-0.5 * np.minimum(x * x, 80.0))


def _normal_cdf(x):
    """To 1e-3: a logistic of a cubic."""
    return 1.0 / (1.0 + np.exp(-np.clip(1.5976 * x + 0.07056 * x**3, -60, 60)))


def _outer(a, b):
    return a[..., :, None] * b[..., None, :]


class Bank:
    """settings: fields of Settings; a number, or an array [S, 1, 1] with which S settings run on the same episodes."""

    def __init__(self, **settings):
        self.settings = Settings(**settings)

    def reset(self, robot):
        self.robot = robot

    def run(self, episode):
        return self.run_many([episode])[0]

    def run_many(self, episodes):
        """[E] estimates of episodes whose robots have the same joints, and the same number of ticks."""
        robots = Robots([episode.robot for episode in episodes])
        names = ("encoder", "torque", "gyro", "accel", "attitude", "lost")
        read = {name: np.stack([episode.sensors[name] for episode in episodes], 1).astype(float) for name in names}
        filters, ticks = Filters(robots, self.settings, episodes[0].tick), len(episodes[0])
        out = [filters.tick({name: read[name][t] for name in names}) for t in range(ticks)]
        stacked_out = {name: np.stack([one[name] for one in out]) for name in out[0]}
        return [{name: values[:, e] for name, values in stacked_out.items()} for e in range(len(episodes))]


class Filters(Base):
    """State of E robots with L feet each: [E, L, ...]."""

    def __init__(self, robots, settings, tick):
        self.robots, self.s, self.H = robots, settings, tick
        E, L, n = robots.shape
        self.count, first = 0, (E, L)
        self.force, self.free = settings.force * robots.mass, settings.free_force * robots.mass
        self.floor_spread, self.height_noise = settings.floor * robots.length, settings.height * robots.length
        self.x, self.P = np.zeros((*first, 4, 6)), np.zeros((*first, 4, 6, 6))
        self.P[...] = np.diag([1e-8] * 3 + [1e-2] * 3)
        self.pi = np.full((*first, 4), 0.25)
        self.contact = np.ones(first, bool)
        self.w, self.q = np.zeros((E, L, n)), None
        self.sigma, self.history = np.full((E, 1), 4e-5), []
        self.v, self.vP = np.zeros((E, 2, 2)), np.tile(np.diag([0.02, 1e-2]), (E, 1, 1))   # x and y: velocity, bias
        self.z, self.zP = np.zeros((E, 3)), np.tile(np.diag([1e-6, 0.02, 1e-2]), (E, 1, 1))
        self.floor, self.load = None, np.zeros((*first, 3))
        self.at, self.slope = np.zeros((E, 2)), np.zeros((E, 2))   # the base's place by odometry; of the floor
        self.step, self.doubted, self.opposed = np.zeros((*first, 2)), np.zeros(E), np.zeros(E)
        self.alike, self.age = np.zeros(E), np.zeros(first)
        self.gains, self.next = Gains(robots.shape, settings.gain), Next(first, tick, robots.reach)
        self.held = None
        self.gyro = None
        self.F = np.eye(6)
        self.F[:3, 3:] = tick * np.eye(3)

    # -- sensors --

    def _noise(self, z):
        """Follows the encoders' noise by the sign of |third difference| against its median."""
        self.history = [*self.history[-3:], z]
        if len(self.history) == 4:
            a, b, c, d = self.history
            third = np.abs(d - 3 * c + 3 * b - a).reshape(len(z), -1)
            step = np.mean(np.sign(third - MEDIAN * self.sigma), axis=1, keepdims=True)
            self.sigma = np.clip(self.sigma * np.exp(0.02 * step), 1e-6, 1e-2)

    def _sense(self, read):
        robots, lost = self.robots, read["lost"] > 0
        E, L, n = robots.shape
        if self.held is not None:   # a frame that is lost leaves the last one's values
            read = {name: np.where(lost.reshape(E, *[1] * (values.ndim - 1)), self.held[name], values)
                    for name, values in read.items()}
        self.held = read
        z, self.tau = read["encoder"].reshape(E, L, n), read["torque"].reshape(E, L, n)
        gyro = apply(robots.imu_axes, read["gyro"])
        alpha = (gyro - self.gyro) / self.H if self.gyro is not None else 0 * gyro
        self.gyro, self.alpha, self.lost = gyro, alpha, lost
        A = matrix(read["attitude"]) @ np.swapaxes(robots.imu_axes, -1, -2)
        self.accel = apply(A, apply(robots.imu_axes, read["accel"]))   # world
        self.A, arm = A, robots.imu
        self.pull = apply(np.swapaxes(A, -1, -2), self.accel) - cross(gyro, cross(gyro, arm)) - cross(alpha, arm)
        self._noise(z)
        return z

    # -- one tick --

    def tick(self, read):
        z = self._sense(read)
        if self.q is None:
            self.q = z.copy()
        self._predict_base()
        self._predict_reference()
        self._mix()
        self._predict()
        self._constrain()
        self._compare(z)
        self._return(z)
        self._identify()
        self._correct_base()
        self._doubt()
        self._publish()
        self._lean()
        ahead = self.next.look(self._gap(), self._off_floor(self._velocity()), self.contact)
        stick, slip = self.pi[..., STICK] + self.stick_part, self.pi[..., SLIP] + self.slip_part
        velocity = np.concatenate([self.v[..., 0], self.z[:, 1:2]], -1)
        return {"contact": self.contact.copy(), "p": np.stack([self.pi[..., AIR], stick, slip], -1),
                "impulse": self.impulse, "velocity": velocity, "next": ahead}

    def _predict_reference(self):
        H, robots = self.H, self.robots
        self.normal = self.A[:, 2, :]
        m = move(robots.limb, self.q, self.w, self.gyro[:, None], self.pull[:, None], self.normal[:, None],
                 self.alpha[:, None])
        self.J = self.A[:, None] @ m.J
        self.B = np.linalg.solve(m.M, np.swapaxes(self.J, -1, -2))
        self.W = self.J @ self.B
        ridge = 2e-3 * np.trace(self.W, axis1=-2, axis2=-1)[..., None, None] / 3 * np.eye(3)
        self.Wi = np.linalg.inv(self.W + ridge)
        tau = self.gains.k * self.tau
        self.before, self.M, self.bias = self.w, m.M, m.bias
        a = np.linalg.solve(m.M, (tau - m.bias)[..., None])[..., 0]
        self.q = self.q + H * self.w + 0.5 * H * H * a
        self.w = self.w + H * a
        self.r = apply(self.A[:, None], m.place - robots.imu[:, None])   # from the IMU
        self.turned = cross(apply(self.A, self.gyro)[:, None], self.r)
        s0, s1, s2 = self.s.torque
        if np.any(self.s.gain):
            s1 = np.sqrt(self.gains.variance + self.s.gain_noise**2)
        s = robots.torque[..., None] * s0 + s1 * np.abs(tau) + s2 * np.abs(m.bias)
        margin, stopped = self.s.stop
        stops = (self.q < robots.least + margin) | (self.q > robots.most - margin)
        s = s + stops * stopped * s0 * robots.torque[..., None]
        self.s2 = (s * np.where(self.lost, 15.0, 1.0)[:, None, None] * H)**2

    def _relative(self):
        """[E, L, 3] velocity of the contact points in the reference, but for the base's."""
        return self.turned + apply(self.J, self.w)

    def _velocity(self):
        """[E, L, 3] of the contact points in the reference."""
        return self._relative() + np.concatenate([self.v[..., 0], self.z[:, 1:2]], -1)[:, None]

    def _off_floor(self, v):
        """[E, L] velocity off the floors, which lean."""
        return v[..., 2] - np.sum(v[..., :2] * self.slope[:, None], -1)

    def _gap(self):
        """[E, L] height of the contact points over the floors, which lean from the last footholds on."""
        moved = self.at[:, None] + self.r[..., :2] - self.step
        return self.z[:, :1] + self.r[..., 2] - self.floor - np.sum(moved * self.slope[:, None], -1)

    def _rates(self):
        """(to contact [E, L], to air [E, L]) per tick."""
        s, H = self.s, self.H
        gap = self._gap()
        speed = self._off_floor(self._velocity() + self.x[..., AIR, 3:])
        sigma = self.floor_spread
        a = np.clip(gap / sigma, -6.0, 6.0)
        strike = _normal_pdf(a) * np.maximum(-speed, 0.0) * H / sigma / np.maximum(_normal_cdf(a), 1e-6)
        to_contact = np.clip(s.surprise + strike, 1e-9, 0.5)
        part, force = s.light
        light = part / (1.0 + np.exp(
            np.clip((self.load[..., 2] - force * self.robots.mass) / (0.25 * force * self.robots.mass), -30, 30)))
        part, over = s.rise
        risen = (gap > over * self.robots.length) & (speed > 0.0)
        return to_contact, np.maximum(np.maximum(s.lift, light), risen * part)

    def _mix(self):
        if self.floor is None:
            self.floor = self.z[:, :1] + self.r[..., 2]
        down, up = self._rates()
        s, T = self.s, np.zeros((*self.pi.shape, 4))   # from, to
        T[..., AIR, AIR] = 1 - down
        T[..., AIR, FREE] = down * s.free
        T[..., AIR, STICK] = T[..., AIR, SLIP] = down * (1 - s.free) / 2
        for k in (STICK, SLIP, FREE):
            T[..., k, AIR] = up
            others = [j for j in (STICK, SLIP, FREE) if j != k]
            T[..., k, k] = (1 - up) * (s.keep if k != FREE else 0.7)
            for j in others:
                rate = (1 - s.keep) * (0.8 if j != FREE else 0.2) if k != FREE else 0.15
                T[..., k, j] = (1 - up) * rate
        flow = self.pi[..., :, None] * T
        self.c = flow.sum(-2)
        weights = np.swapaxes(flow / np.maximum(self.c, 1e-30)[..., None, :], -1, -2)   # to, from
        x = weights @ self.x
        d = self.x[..., None, :, :] - x[..., :, None, :]
        P = (weights.reshape(*weights.shape[:-1], 4) @ self.P.reshape(*self.P.shape[:-2], 36)).reshape(self.P.shape)
        self.P = P + np.swapaxes(d * weights[..., None], -1, -2) @ d
        self.x = x

    def _direction(self):
        """C [E, L, 3, 3] of slip."""
        v = (self._relative() + self.x[..., SLIP, 3:])[..., :2] + self.v[:, None, :, 0]
        sigma = 0.5 * (self.P[..., SLIP, 3, 3] + self.P[..., SLIP, 4, 4]) + self.vP[:, None, 0, 0]
        d = v / np.sqrt(np.sum(v * v, -1, keepdims=True) + 2 * sigma[..., None] + 1e-12)
        d = np.concatenate([d, 0 * d[..., :1]], -1)
        flat = np.diag([1.0, 1.0, 0.0])
        mu, second = self.s.friction, _outer(d, d) + 0.5 * (1 - np.sum(d * d, -1))[..., None, None] * flat
        n = np.broadcast_to(Z, d.shape)
        return _outer(n, n) - mu * (_outer(n, d) + _outer(d, n)) + mu**2 * second

    def _predict(self):
        H = self.H
        torque = np.swapaxes(self.B, -1, -2) @ (self.s2[..., None] * self.B)
        N = np.repeat(torque[..., None, :, :], 4, axis=-3)
        WW = self.W @ self.W
        for k, C, f in ((STICK, None, self.force), (SLIP, self._direction(), self.force), (FREE, None, self.free)):
            pushed = WW if C is None else self.W @ C @ self.W
            N[..., k, :, :] += (f[..., None, None] * H)**2 * pushed
        self.x = self.x @ self.F.T
        P = self.F @ self.P @ self.F.T
        P[..., 3:, 3:] += N
        P[..., :3, 3:] += 0.5 * H * N
        P[..., 3:, :3] += 0.5 * H * N
        P[..., :3, :3] += PLACE[:, None, None] * H * H * N
        self.P = P

    def _scalar(self, k, axis, value, variance):
        """Conditions hypothesis k: velocity along an axis, in deviations, is `value` with this variance."""
        x, P = self.x[..., k, :], self.P[..., k, :, :]
        column = P[..., :, 3 + axis].copy()
        S = column[..., 3 + axis] + variance
        K = column / S[..., None]
        self.x[..., k, :] = x + K * (value - x[..., 3 + axis])[..., None]
        self.P[..., k, :, :] = P - _outer(K, column)

    def _constrain(self):
        s = self.s
        base = np.concatenate([self.v[..., 0], self.z[:, 1:2]], -1)[:, None]
        wanted = -(base + self._relative())   # deviation at which the contact rests
        slide = np.hypot(*(np.moveaxis((self.x[..., SLIP, 3:] - wanted)[..., :2], -1, 0)))
        normal = s.normal**2 + self.zP[:, None, 1, 1]
        self._scalar(STICK, 2, wanted[..., 2], normal)
        self._scalar(SLIP, 2, wanted[..., 2], normal + (s.aslope * slide)**2)
        along = self._coarse()[:, None] * s.tangent**2 + self.vP[:, None, 0, 0]
        for axis in (0, 1):
            self._scalar(STICK, axis, wanted[..., axis], along)

    def _compare(self, z):
        n = z.shape[-1]
        variance = self.s.encoder * np.maximum(self.sigma, 2.8e-5)**2 * np.where(self.lost, 1e6, 1.0)[:, None]
        R = variance[..., None, None] * (self.J @ np.swapaxes(self.J, -1, -2)) + 1e-14 * np.eye(3)
        if n < 3:
            R = R + 1e-10 * np.eye(3)
        self.y = apply(self.J, np.where(self.lost[:, None, None], self.q, z) - self.q)
        e = self.y[..., None, :] - self.x[..., :3]
        S = self.P[..., :3, :3] + R[..., None, :, :]
        Si = np.linalg.inv(S)
        half = e[..., None, :] @ Si @ e[..., :, None]
        log = -0.5 * half[..., 0, 0] - 0.5 * np.log(np.linalg.det(S))
        log = np.maximum(log - log.max(-1, keepdims=True), -CAP)
        pi = np.maximum(self.c, 1e-12) * np.exp(log)
        self.pi = pi / pi.sum(-1, keepdims=True)
        K = self.P[..., :, :3] @ Si
        self.x = self.x + (K @ e[..., None])[..., 0]
        P = self.P - K @ self.P[..., :3, :]
        self.P = 0.5 * (P + np.swapaxes(P, -1, -2)) + 1e-16 * np.eye(6)

    def _return(self, z):
        mean = (self.pi[..., None] * self.x).sum(-2)
        pushed = self.pi.copy()
        pushed[..., AIR] = 0.0
        velocity = (pushed[..., None] * self.x[..., 3:]).sum(-2)
        self.impulse = apply(self.Wi, velocity)
        back = self.B @ self.Wi
        dq, dw = apply(back, mean[..., :3]), apply(back, mean[..., 3:])
        self.x[..., :3] -= apply(self.J, dq)[..., None, :]
        self.x[..., 3:] -= apply(self.J, dw)[..., None, :]
        rest = np.where(self.lost[:, None, None], 0.0, z - self.q)
        rest = rest - apply(back, apply(self.J, rest))
        self.q = self.q + dq + self.s.rest * rest
        self.w = self.w + dw + 0.02 * self.s.rest / self.H * rest
        self.load = self.load + self.s.load * self.H * (self.impulse / self.H - self.load)

    def _identify(self):
        """The torques' scales, of feet that surely fly."""
        if not np.any(self.s.gain):
            return
        s0 = self.s.torque[0] * self.robots.torque[..., None] * self.H
        V = self.Wi @ self.P[..., AIR, 3:, 3:] @ self.Wi
        rate = np.sum(self.J * (V @ self.J), -2)   # variance of M w
        moved = apply(self.M, self.w - self.before) + self.H * self.bias
        flies = (self.pi[..., AIR] > 0.99) & ~self.lost[:, None]
        self.gains.follow(flies, self.H * self.tau, moved, s0, rate, self.s.gain_gate)

    def _publish(self):
        s, stands = self.s, 1 - self.pi[..., AIR]
        before = self.contact
        self.contact = np.where(before, stands > s.off, stands > s.on)
        place = self.z[:, :1] + self.r[..., 2]
        found = self.contact & ~before
        self.age = np.where(self.contact, self.age + 1, 0)
        slides = self.contact & (self.pi[..., SLIP] > 0.5)
        moved = found | slides | (self.count == 0)
        self.step = np.where(moved[..., None], self.at[:, None] + self.r[..., :2], self.step)
        self.count += 1
        self.floor = np.where(found, place, np.where(slides, self.floor + 0.05 * (place - self.floor), self.floor))
        sticks = (self.pi[..., STICK] + 1e-9) / (self.pi[..., STICK] + self.pi[..., SLIP] + 2e-9)
        self.stick_part, self.slip_part = self.pi[..., FREE] * sticks, self.pi[..., FREE] * (1 - sticks)
