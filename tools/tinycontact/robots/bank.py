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
from .world import torque_size

AIR, STICK, SLIP, FREE = range(4)
MASS, MEDIAN = 12.04, 3.02     # [kg] that forces are given for; third difference of white noise over its deviation
FINE = 4e-5                    # [rad] of encoders
CAP = 25.0                     # of log likelihoods
Z = np.array([0.0, 0.0, 1.0])
REACH = 0.506                  # [m] that heights are given for


@dataclass(frozen=True)
class Settings:
    """Of a robot of the Go1's size. Each may be an array [S, 1] of settings that run at once."""
    force: float = 300.0          # [N] of the contact per tick, standard deviation
    free_force: float = 400.0     # [N] of the free impact
    torque: tuple = (0.10, 0.05, 0.10)   # [N m], part of the torque, part of the load
    normal: float = 0.15          # [m/s] of a contact's velocity along z
    tangent: float = 0.02         # [m/s] of a sticking one's along x and y
    aslope: float = 0.30          # of the sliding speed, into the velocity along z
    friction: float = 0.6
    encoder: float = 2.0          # times the encoder's variance
    floor: float = 0.010          # [m] of a floor's height from step to step
    surprise: float = 2e-4        # rate from air to contact per tick, whatever the height
    lift: float = 0.005           # rate from contact to air per tick
    light: tuple = (0.05, 8.0)    # the same of a foot with little force, [N] of it
    rise: tuple = (0.2, 0.0015)   # the same of a foot that is above its floor and rises, [m]
    keep: float = 0.97            # of a contact's kind per tick
    free: float = 0.25            # share of the free impact of touch-downs
    on: float = 0.9               # probability
    off: float = 0.3
    accel: float = 0.10           # [m/s^2] of the accelerometer, tilt with it
    bias: float = 0.02            # [m/s^2 / sqrt(s)]
    odometry: float = 0.06        # [m/s] of a sticking foot's velocity, per tick
    base_z: float = 0.10          # [m/s]
    height: float = 0.003         # [m]
    rest: float = 0.3             # of what J does not see of z - q
    load: float = 40.0            # [1/s] of the filtered force
    doubt: float = 0.3            # [m/s] that is added to the base's velocity where it is doubted
    opposes: float = 0.05         # least friction of a foot that really slides
    alike: tuple = (0.2, 0.03, 5)   # of the speed, [m/s], ticks: velocities of feet that slip because the base's is wrong
    gain: float = 0.05            # of the torques' scale, standard deviation; 0: not identified
    gain_gate: float = 50.0
    gain_noise: float = 0.05
    settle: float = 5.0           # ticks in which a landing foot comes to rest
    begin: int = 100              # ticks in which the base is doubted from the start
    slope: float = 3.0            # [1/s] of the plane's slope


SCALED = ("force", "free_force")    # by mass
SHORT = ("floor", "height")         # by length


class _Robots:
    """[E] robots with limbs of the same joints, stacked: numbers [E, L]."""

    def __init__(self, robots):
        count = len(robots[0].limbs)
        every = stacked([limb for robot in robots for limb in robot.limbs])
        if every is None or any(len(robot.limbs) != count for robot in robots):
            raise TinycontactError("robots that run at once have as many limbs, and joints, as each other")
        shape = (len(robots), count)
        self.limb = replace(every,
                            links=[_reshaped(link, shape) for link in every.links],
                            foot=_reshaped(every.foot, shape))
        self.mass = np.array([robot.mass / MASS for robot in robots])[:, None]
        self.length = np.array([np.mean([limb.reach for limb in robot.limbs]) / REACH for robot in robots])[:, None]
        self.torque = np.array([[torque_size(limb) for limb in robot.limbs] for robot in robots])
        self.imu = np.array([robot.imu for robot in robots])
        self.imu_axes = np.array([robot.imu_axes for robot in robots])
        self.g = np.array([robot.g for robot in robots])
        self.free = np.array([robot.root != "fixed" for robot in robots]).astype(float)
        self.shape = (*shape, every.joints)


def _reshaped(part, shape):
    values = {name: np.asarray(value).reshape(*shape, *np.shape(value)[1:]) for name, value in vars(part).items()
              if not isinstance(value, str)}
    return replace(part, **values)


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
        self.gains = Gains(robots.shape, settings.gain)
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
        for axis in (0, 1):
            self._scalar(STICK, axis, wanted[..., axis], s.tangent**2 + self.vP[:, None, 0, 0])

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

    # -- the base --

    def _predict_base(self):
        H, s = self.H, self.s
        a = self.accel - self.robots.g[:, None] * Z
        F = np.array([[1.0, H], [0.0, 1.0]])
        self.v[..., 0] += H * (a[:, :2] + self.v[..., 1])
        self.vP = F @ self.vP @ F.T + np.diag([(s.accel * H)**2, s.bias**2 * H])
        Fz = np.array([[1.0, H, 0.5 * H * H], [0.0, 1.0, H], [0.0, 0.0, 1.0]])
        self.z = self.z @ Fz.T + np.outer(a[:, 2], [0.5 * H * H, H, 0.0])
        self.zP = Fz @ self.zP @ Fz.T + np.diag([1e-12, (s.accel * H)**2, s.bias**2 * H])

        rests = self.robots.free[:, None]   # a fixed base has no velocity
        self.v, self.z = self.v * rests[..., None], self.z * rests
        self.vP, self.zP = self.vP * rests[..., None], self.zP * rests[..., None]

    def _correct_base(self):
        s, relative = self.s, self._relative()
        stands = 1 - self.pi[..., AIR]
        young, coarse = 1.0 + (s.settle / (self.age + 0.5))**2, np.maximum(self.sigma[:, 0] / FINE, 1.0)
        for k in range(self.robots.shape[1]):
            stick = self.pi[:, k, STICK]
            variance = np.where(stick > 0.5, young[:, k] * coarse * (s.odometry / np.maximum(stick, 0.5)**2)**2, 1e6)
            self._correct_flat(-relative[:, k, :2], variance)
            slide = np.linalg.norm((self.v[..., 0] + relative[:, k, :2]), axis=-1)
            variance = np.where(stands[:, k] > 0.9, young[:, k] * s.base_z**2 + (s.aslope * slide)**2, 1e6)
            self._correct_up(1, -relative[:, k, 2], variance)
            variance = np.where((stands[:, k] > 0.9) & self.contact[:, k],
                                np.broadcast_to(self.height_noise[:, 0]**2, slide.shape) + (s.aslope * slide * 0.05)**2,
                                1e6)
            self._correct_up(0, self.floor[:, k] - self.r[:, k, 2], variance)

    def _correct_flat(self, velocity, variance):
        K = self.vP[:, :, 0] / (self.vP[:, 0, 0] + variance)[:, None]
        self.v = self.v + (velocity - self.v[..., 0])[..., None] * K[:, None, :]
        self.vP = self.vP - K[:, :, None] * self.vP[:, None, 0, :]

    def _correct_up(self, row, value, variance):
        K = self.zP[:, :, row] / (self.zP[:, row, row] + variance)[:, None]
        self.z = self.z + (value - self.z[:, row])[:, None] * K
        self.zP = self.zP - K[:, :, None] * self.zP[:, None, row, :]

    def _doubt(self):
        """Adds variance to a velocity that makes all loaded feet slip alike, or the only one without friction."""
        s, n = self.s, np.concatenate([-self.slope, np.ones((len(self.slope), 1))], -1)
        n = n / np.linalg.norm(n, axis=-1, keepdims=True)
        press = np.sum(self.load * n[:, None], -1)
        stands = (1 - self.pi[..., AIR]) * (press > 0)
        slips = stands * (self.pi[..., SLIP] > 0.5)
        v = self.v[:, None, :, 0] + self._relative()[..., :2]
        speed = np.linalg.norm(v, axis=-1)
        along = np.sum((self.load - press[..., None] * n[:, None])[..., :2] * v, -1) / np.maximum(speed, 1e-6)
        ratio = -np.sum(slips * along, -1) / np.maximum(np.sum(slips * press, -1), 1e-6)
        every = (slips.sum(-1) > 0.95 * stands.sum(-1)) & (stands.sum(-1) > 0.9)
        mean = np.sum(slips[..., None] * v, 1) / np.maximum(slips.sum(-1), 1e-6)[:, None]
        differ = np.max(slips * np.linalg.norm(v - mean[:, None], axis=-1), -1)
        part, least, ticks = s.alike
        same = every & (differ < part * np.linalg.norm(mean, axis=-1) + least)
        self.alike = np.where(same, self.alike + 1, 0)
        self.opposed = np.where(every, self.opposed + 0.05 * (ratio - self.opposed), s.opposes * 2)
        wrong = np.where(np.sum(stands > 0.5, -1) > 1, self.alike >= ticks, every & (self.opposed < s.opposes))
        wrong = wrong & (self.robots.free > 0) & (self.doubted <= 0)
        begins = (self.count < s.begin) & (self.count % 20 == 0) & (self.robots.free > 0)
        self.vP[:, 0, 0] += np.where(wrong | begins, s.doubt**2, 0.0)
        self.zP[:, 1, 1] += np.where(begins, s.doubt**2, 0.0)
        self.doubted = np.where(wrong, 20.0, np.maximum(self.doubted - 1, 0.0))

    def _lean(self):
        """The slope of the plane through the last footholds, if there are three."""
        self.at = self.at + self.H * self.v[..., 0]
        if self.floor.shape[1] < 3:
            return
        xy, z = self.step - self.step.mean(1, keepdims=True), self.floor - self.floor.mean(1, keepdims=True)
        C = np.swapaxes(xy, -1, -2) @ xy + (0.03 * self.robots.length[..., None])**2 * np.eye(2)
        found = np.linalg.solve(C, np.swapaxes(xy, -1, -2) @ z[..., None])[..., 0]
        self.slope = self.slope + self.s.slope * self.H * (found - self.slope)

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
