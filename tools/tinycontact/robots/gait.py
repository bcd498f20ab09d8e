# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What moves a simulated robot: feet that swing by a clock, land with a drawn speed, carry and push the base, and slip.

The controller knows the true state: it stands for a robot's controller, of which an estimator sees the torques only. A
foot in the air follows its path by computed torque; a foot that stands exerts its share of the force that the base is
wanted to feel. Four limbs carry their base; a harness holds its attitude and pulls weakly at its place. Fewer limbs
hang on a base that the harness moves along sines.

Floor height, friction, speed of touch-down and push are drawn per step. Lengths are in proportion to the limb's, times
to its root, as Froude has it.
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from ..hil.gait import quintic
from ..robot.space import nearest
from .motion import move

SWING, LOWER, STANCE = 0, 1, 2
LENGTH = 0.506              # [m] reach of the limb that the numbers below are made for
ROUGH, STEPS = 0.012, 0.05  # [m] a floor's height is uniform within +- this
MU, SLIPPERY, SLIPPERY_SHARE = (0.3, 1.0), (0.08, 0.25), 0.15


@dataclass(frozen=True)
class Gait:
    """A clock: `offsets` of fore left, fore right, rear left, rear right."""
    period: float        # [s]
    duty: float          # share of the period on the floor
    offsets: tuple
    touch: tuple         # [m/s] median of the speed of touch-down, spread of its logarithm
    speed: tuple         # [m/s] of the robot


GAITS = {"trot": Gait(0.50, 0.55, (0.0, 0.5, 0.5, 0.0), (1.5, 0.35), (0.0, 0.6)),
         "walk": Gait(0.90, 0.70, (0.0, 0.5, 0.75, 0.25), (1.2, 0.40), (0.0, 0.35)),
         "pace": Gait(0.50, 0.55, (0.0, 0.5, 0.0, 0.5), (1.4, 0.35), (0.0, 0.4)),
         "bound": Gait(0.45, 0.52, (0.0, 0.0, 0.5, 0.5), (1.6, 0.35), (0.0, 0.5)),
         "soft-pace": Gait(0.70, 0.60, (0.0, 0.5, 0.0, 0.5), (0.30, 0.45), (0.0, 0.25)),
         "stand": Gait(2.40, 0.90, (0.0, 0.5, 0.75, 0.25), (0.60, 0.40), (-0.03, 0.03))}
ONE = Gait(0.60, 0.55, (0.0,) * 4, (0.9, 0.5), (0.0, 0.0))   # a limb under a base that is led


def gait_of(name):
    if name == "tap":
        return ONE
    if name not in GAITS:
        raise TinycontactError(f"gait {name!r}" + nearest(name, [*GAITS, "tap"]))
    return GAITS[name]


@dataclass(frozen=True)
class Ground:
    rough: float = ROUGH                 # [m]
    slippery: float = SLIPPERY_SHARE     # share of steps


@dataclass
class Command:
    torque: np.ndarray   # [sum n]
    force: np.ndarray    # [3] on the base
    moment: np.ndarray   # [3]


def _mass_of_foot(limb):
    """[kg] that a limb at home opposes to a push along z."""
    m = move(limb, limb.home, np.zeros(limb.joints))
    return 1.0 / (m.J @ np.linalg.solve(m.M, m.J.T))[2, 2]


class Harness:
    """Holds a base: strongly in attitude, weakly in place, or, if it leads, strongly in both; and pushes it at
    random."""
    ATTITUDE, PLACE, LEAD = 40.0, 3.0, 40.0        # [rad/s]
    SWAY, TILT = (0.02, 0.02, 0.006), (0.03, 0.03, 0.06)   # amplitudes of two sines each [m], [rad]
    FREQUENCY = (0.3, 1.5)                         # [Hz]
    HOLD = 0.7                                     # of the pull down a slope
    GAP, LASTS, PUSH = 1.2, (0.08, 0.2), 0.35      # [s] mean, [s], of the weight

    def __init__(self, robot, random, inertia, speed, scale, leads):
        self.random, self.leads, self.mass, self.inertia, self.g = random, leads, robot.mass, inertia, robot.g
        self.speed = np.array([speed, random.uniform(-0.1, 0.1) * (not leads) * speed, 0.0])
        part = random.uniform(0.3, 1.0, (2, 6))
        self.amplitude = part * np.concatenate([np.multiply(self.SWAY, scale), self.TILT])
        self.omega = 2 * np.pi * random.uniform(*self.FREQUENCY, (2, 6)) / np.sqrt(scale)
        self.phase = random.uniform(0, 2 * np.pi, (2, 6))
        self.begin, self.end, self.push = self._next(0.3)

    def _next(self, now):
        r = self.random
        begin = now + r.exponential(self.GAP)
        way = r.normal(size=3) * [1.0, 1.0, 0.3]
        return begin, begin + r.uniform(
            *self.LASTS), self.PUSH * r.random() * self.mass * self.g * way / np.linalg.norm(way)

    def reference(self, time):
        """(place [3] over the stance's height, its rate, rotation vector, its rate)"""
        angle = self.omega * time + self.phase
        value = np.sum(self.amplitude * np.sin(angle), axis=0)
        rate = np.sum(self.amplitude * self.omega * np.cos(angle), axis=0)
        return value[:3] + self.speed * time, rate[:3] + self.speed, value[3:], rate[3:]

    def pull(self, time, state, height, up):
        """(force, moment) on the base."""
        place, rate, turned, spin = self.reference(time)
        w, a = self.LEAD if self.leads else self.PLACE, self.LEAD if self.leads else self.ATTITUDE
        force = self.mass * (w**2 * (place + [0, 0, height] - state.place) + 2 * w * (rate - state.velocity))
        force = force + self.mass * self.g * (up * self.leads + self.HOLD * (1 - self.leads) * np.array([*up[:2], 0.0]))
        lean = 0.5 * np.cross(state.axes.T, np.eye(3) + np.cross(turned, np.eye(3))).sum(0)
        moment = state.axes @ (self.inertia * (state.axes.T @ (a**2 * lean + 2 * a * (spin - state.spin))))
        if time > self.end:
            self.begin, self.end, self.push = self._next(time)
        if time > self.begin:
            force = force + self.push * np.sin(np.pi * (time - self.begin) / (self.end - self.begin))
        return force, moment


class Walker:
    """Of one episode. `feet` [L, 3]: centres from the base's origin, at home; `inertia` [3]: of the whole robot."""
    ABOVE, HASTE, PULL = 0.014, 0.5, 50.0                 # [m], [m/s], [m/s^2] of the lowering foot
    CLEARANCE, ASIDE, TRAVEL = (0.03, 0.07), 0.03, 0.14   # [m]
    TRACK, POSTURE = 100.0, 15.0                          # [rad/s]
    HEIGHT, ALONG = 12.0, 5.0                             # [rad/s] of the base on its feet
    RISE, FALL, LEFT = (0.01, 0.03), (0.01, 0.03), 0.15   # [s] of a foot's share, and what is left at lift-off
    CATCH, BRAKE = 0.5, 500.0                             # of a foot's share at once; [1/s] of a foot that bounces
    PRESS = (0.3, 1.0)                                    # of the limb's press, where a harness carries the base
    DRAGS, DRAG, DRAG_TIME = 0.4, (0.4, 1.3), (0.03, 0.2)   # share of steps, of the normal force, [s]
    LATE = 0.4                                            # [s] of a foot that finds no floor

    def __init__(self, robot, gait, random, feet, inertia, up, ground, tick):
        self.robot, self.random, self.feet, self.up, self.ground, self.tick = robot, random, feet, np.asarray(
            up), ground, tick
        self.scale = float(np.mean([limb.reach for limb in robot.limbs])) / LENGTH
        self.time_scale = np.sqrt(self.scale)
        self.rough = ground.rough * min(self.scale, 1.0)
        self.gait, self.leads = gait, len(robot.limbs) < 4 or robot.root == "fixed"
        self.period = gait.period * self.time_scale * random.uniform(0.9, 1.1)
        speed = random.uniform(*gait.speed) * self.time_scale
        self.harness = Harness(robot, random, inertia, speed, self.scale, self.leads)
        radius = np.array([limb.foot.radius for limb in robot.limbs])
        fixed = robot.root == "fixed"
        self.radius, self.height = radius, 0.0 if fixed else float(np.mean(radius - feet[:, 2]))
        self.level = feet[:, 2] - radius if fixed else np.zeros(len(feet))   # of the floors, without their roughness
        self.press = np.array([self._press(limb) for limb in robot.limbs])
        count = len(robot.limbs)
        self.phase, self.since, self.fall = np.full(count, STANCE), np.full(count, -1.0), np.zeros(count)
        self.begin, self.goal, self.top = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count)
        self.target, self.before = np.zeros((count, 3)), np.zeros((count, 3))
        self.rises, self.falls, self.touch = np.full(count, 0.02), np.full(count, 0.02), np.ones(count)
        self.drag, self.drag_at = np.zeros((count, 3)), np.zeros((count, 2))
        self.hold = np.zeros((count, 3))
        self.pressing = np.ones(count)
        self.floor, self.mu = self.level.copy(), np.array([self._friction() for _ in range(count)])
        self.next_floor = self.level.copy()
        self.offsets = (np.array(gait.offsets[:count]) + random.random()) % 1.0
        self.cycle = np.floor(self.offsets)
        self.home = [limb.home for limb in robot.limbs]
        self.most = np.concatenate([np.full(limb.joints, self._strength(limb)) for limb in robot.limbs])
        self.foot_mass = np.array([_mass_of_foot(limb) for limb in robot.limbs])

    def _press(self, limb):
        """[N] of a foot whose base a harness carries."""
        return 3.0 * limb.mass * self.robot.g if self.robot.root == "fixed" else 0.5 * self.robot.mass * self.robot.g

    def _strength(self, limb):
        """[N m] that a joint's motor gives at most: it holds half of the robot's weight at the limb's reach."""
        if self.robot.root == "fixed":
            return 1.5 * self._press(limb) * limb.reach
        return 0.5 * self.robot.mass * self.robot.g * limb.reach

    def _friction(self):
        r = self.random
        return r.uniform(*SLIPPERY) if r.random() < self.ground.slippery else r.uniform(*MU)

    def start(self):
        """(place [3], floors [L], mu [L])"""
        return np.array([0.0, 0.0, self.height
                         ]) + self.harness.reference(0.0)[0] * (self.robot.root != "fixed"), self.floor, self.mu

    def phase_of(self, time):
        """[L] of the clocks, 0 at a lift-off."""
        return time / self.period + self.offsets

    def _lift(self, k, time, state):
        """Begins a swing: draws the next floor and where the foot goes."""
        r = self.random
        self.phase[k], self.since[k], self.begin[k] = SWING, time, state.foot[k]
        self.target[k] = self.before[k] = state.foot[k]
        flight = (1 - self.gait.duty) * self.period
        place, rate, _, _ = self.harness.reference(time + flight)
        if self.robot.root == "fixed":
            place, rate = np.zeros(3), np.zeros(3)
        aside = r.uniform(-1, 1, 2) * self.ASIDE * self.scale
        at = (place + 0.5 * (state.place - self.harness.reference(time)[0])) if not self.leads else place
        self.goal[k, :2] = at[:2] + self.feet[k, :2] + 0.5 * self.gait.duty * self.period * rate[:2] + aside
        self.next_floor[k] = self.level[k] + self.rough * r.uniform(-1, 1)
        high = max(self.next_floor[k], self.floor[k])
        self.top[k] = high + self.radius[k] + r.uniform(*self.CLEARANCE) * self.scale
        median, spread = self.gait.touch
        self.touch[k] = np.clip(median * np.exp(r.normal(0, spread)), 0.1, 3.0) * self.time_scale
        self.rises[k], self.falls[k] = r.uniform(*self.RISE), r.uniform(*self.FALL)
        self.pressing[k] = r.uniform(*self.PRESS)
        self._draw_drag(k)

    def _draw_drag(self, k):
        r = self.random
        angle, size = r.uniform(0, 2 * np.pi), r.uniform(*self.DRAG) * (r.random() < self.DRAGS)
        self.drag[k] = size * np.array([np.cos(angle), np.sin(angle), 0.0])
        begin = r.uniform(0.02, max(0.03, self.gait.duty * self.period - 0.05))
        self.drag_at[k] = begin, begin + r.uniform(*self.DRAG_TIME)

    def _swing(self, k, time):
        lasts = 0.6 * (1 - self.gait.duty) * self.period
        s = min((time - self.since[k]) / lasts, 1.0)
        self.target[k, :2] = self.begin[k, :2] + quintic(s) * (self.goal[k, :2] - self.begin[k, :2])
        self.target[k, 2] = self.begin[k, 2] + quintic(min(1.25 * s, 1.0)) * (self.top[k] - self.begin[k, 2])
        if s == 1.0:
            self.phase[k], self.since[k], self.fall[k] = LOWER, time, 0.0
            return True
        return False

    def _lower(self, k):
        """Down, faster and faster, and slower again before the drawn speed is due."""
        floor = max(self.floor[k], self.level[k] - self.rough) + self.radius[k]
        height = max(self.target[k, 2] - floor - self.ABOVE * min(self.scale, 1.0), 0.0)
        limit = np.sqrt(self.touch[k]**2 + 2 * self.PULL * height)
        self.fall[k] = min(self.fall[k] + self.PULL * self.tick, limit, max(self.HASTE, self.touch[k]))
        self.target[k, 2] -= self.fall[k] * self.tick

    def _advance(self, time, state, touched):
        """Phases and targets; the feet [k] whose floor changes now."""
        clock, changed = self.phase_of(time), []
        for k in range(len(self.phase)):
            wrapped = np.floor(clock[k]) > self.cycle[k]
            self.cycle[k] = np.floor(clock[k])
            if self.phase[k] == STANCE:
                away = state.foot[k, :2] - state.place[:2] - self.feet[k, :2]
                if wrapped or np.hypot(*away) > self.TRAVEL * self.scale:
                    self._lift(k, time, state)
            if self.phase[k] == SWING and self._swing(k, time):
                if state.foot[k, 2] - self.radius[k] > max(self.floor[k], self.next_floor[k]) + 0.002:
                    self.floor[k], self.mu[k] = self.next_floor[k], self._friction()
                    changed.append(k)
            elif self.phase[k] == LOWER:
                self._lower(k)
                if touched[k]:
                    self.phase[k], self.since[k], self.hold[k] = STANCE, time, state.foot[k]
                elif time - self.since[k] > self.LATE * self.time_scale:
                    self._lift(k, time, state)
        return changed

    def _shares(self, time):
        """[L] of the feet that stand: 0 to 1, rising after touch-down and falling before lift-off."""
        left = (1.0 - self.phase_of(time) % 1.0) * self.period
        share = np.minimum(np.clip((time - self.since) / self.rises, self.CATCH, 1.0),
                           np.clip(left / self.falls, self.LEFT, 1.0))
        return np.where(self.phase == STANCE, share, 0.0)

    def _forces(self, time, state):
        """[L, 3] wanted of the floor on the feet."""
        share, mass, g = self._shares(time), self.robot.mass, self.robot.g
        if self.leads:
            force = np.zeros((len(share), 3))
            force[:, 2] = share * self.press * self.pressing
            pull = 0.25 * self.press[:, None] / (0.02 * self.scale)
            force[:, :2] = pull * (self.hold - state.foot)[:, :2] * (share > 0)[:, None]
        else:
            place, rate, _, _ = self.harness.reference(time)
            w = np.array([self.ALONG, self.ALONG, self.HEIGHT])
            up = self.up * [1 - Harness.HOLD, 1 - Harness.HOLD, 1.0]
            total = mass * (g * up + w**2 * (place + [0, 0, self.height] - state.place) + 2 * w *
                            (rate - state.velocity))
            force = np.outer(share, total) / max(share.sum(), 0.7)
        bounce = self.BRAKE * self.foot_mass * np.maximum(state.foot_rate[:, 2], 0.0) * (share > 0)
        force[:, 2] = np.clip(force[:, 2] + bounce, 0.0, 1.5 * mass * g)
        age = (time - self.since)[:, None]
        dragging = (age > self.drag_at[:, :1]) & (age < self.drag_at[:, 1:]) & (share > 0)[:, None]
        force = force + dragging * self.drag * force[:, 2:]
        force[:, :2] -= 0.02 * mass * g / self.time_scale * state.foot_rate[:, :2] * (share > 0)[:, None] / max(
            1,
            len(share) / 2)
        return -force   # on the robot's side: what the feet exert

    def command(self, time, state, touched):
        """(Command, feet whose floor changes)"""
        changed = self._advance(time, state, touched)
        rate, self.before = (self.target - self.before) / self.tick, self.target.copy()
        exerted, torque = self._forces(time, state), np.empty_like(state.q)
        for k, part in enumerate(self.robot.columns()):
            torque[part] = self._torque(k, part, state, rate[k], exerted[k])
        force, moment = np.zeros(3), np.zeros(3)
        if self.robot.root == "floating":
            force, moment = self.harness.pull(time, state, self.height, self.up)
        return Command(np.clip(torque, -self.most, self.most), force, moment), changed

    def _torque(self, k, part, state, rate, exerted):
        J, M, q, w = state.J[k], state.M[k], state.q[part], state.rate[part]
        home = M @ (self.POSTURE**2 * (self.home[k] - q) - 2 * self.POSTURE * w)
        if self.phase[k] == STANCE:
            torque = state.bias[part] + J.T @ exerted
            if len(q) > 3:
                X = np.linalg.solve(M, J.T)
                torque = torque + home - J.T @ np.linalg.lstsq(J @ X, X.T @ home, rcond=0.01)[0]
            return torque
        wanted = self.TRACK**2 * (self.target[k] - state.foot[k]) + 1.6 * self.TRACK * (rate - state.foot_rate[k])
        if len(q) == 3:
            return state.bias[part] + M @ (J.T @ np.linalg.solve(J @ J.T + 1e-5 * np.eye(3), wanted))
        back = np.linalg.pinv(J, rcond=0.05)
        rest = np.linalg.solve(M, home)
        return state.bias[part] + M @ (back @ (wanted - J @ rest) + rest)
