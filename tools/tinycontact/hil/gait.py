# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What moves a plant's leg: hopping on a rail, stepping under a driven base. Both draw each step anew: floor height
and friction, speed of touch-down, how long it lasts, and a drag that makes the foot slip.

Both command the foot as if it hung on a spring and a damper, torque = J^T (K (p* - p) + D (v* - v)), and know the true
state: they stand for a robot's controller, of which an estimator sees the torques only. So they serve any leg whose
foot reaches what they ask for.
"""
from dataclasses import dataclass

import numpy as np

from .size import size_of

FLOOR = 0.01                 # [m] the floor's height is uniform within +- this, or less
MU = (0.3, 1.0)
STIFFNESS, DAMPING = np.array([2000.0, 2000.0]), np.array([40.0, 40.0])   # of the foot of a leg of size 1 [N/m, N s/m]
MOST_TRAVEL = 0.12           # [m] foot before or behind the hip, at most
HOP_MARGIN, STEP_MARGIN = 0.09, 0.07   # [m] of a foothold on a terrain from edges, with the drags of a stance
RUN_OUT = 0.03               # [m] that a drag keeps away from the foothold's ends


@dataclass
class Command:
    """What a gait asks for in a tick."""
    torque: np.ndarray       # [n], the file's signs
    base_force: np.ndarray   # [3] along x, z [N], about pitch [N m]
    floor: tuple             # (height [m], mu, shift [m]): see world.py


def quintic(s):
    """From 0 to 1 with s, at rest and without acceleration at both ends."""
    return s**3 * (10 - 15 * s + 6 * s**2)


def new_floor(random, rough):
    """(height, mu, shift); `rough` is the most that the height is, up to FLOOR."""
    return rough * random.uniform(-1, 1), random.uniform(*MU), 0.0


class Hopper:
    """Hops on a rail: a spring of the leg's length in stance, which extends harder than it was compressed.

    The speed of touch-down is drawn per hop (1.07, 1.46 and 1.82 m/s are seen at 5, 50 and 95 %), and so the stiffness
    that the leg extends with: k' d^2 / 2 = m v^2 / 2 + m g d, d the compression. Drag is a force along the
    floor, up to 1.3 times the thrust.
    """
    SPEED = (1.47, 0.29)             # [m/s] mean and standard deviation of the speed aimed at
    LEAST_SPEED, MOST_SPEED = 0.9, 2.2
    COMPRESSION = (1500.0, 4500.0)   # [N/m] per kg of 3.35: how stiff the leg lands
    MOST_PUSH = 10.0                 # weights
    BRAKE = 60.0                     # [N s/m] per 3.35 kg while it is compressed: holds the foot down when it lands
    LOSS = 1.25                      # of energy, in impact and lift-off
    CLEAR, STUCK = 0.005, 0.4        # [m]; [s] in stance: what it was pushed with was too little
    DRAGS = 0.6                      # share of hops with one
    DRAG, RISE, DRAG_TRAVEL = (0.4, 1.3), (0.003, 0.03), 0.04   # of thrust; [s]; [m]

    def __init__(self, chain, random, home, mass, rough, tick, terrain=None):
        """`home` [2]: the foot from the hip in flight; `mass`: of base and leg [kg]; `rough`: see new_floor. On a terrain
        that a leg walks on the rail moves along it in flight, hop by hop to another foothold."""
        del tick   # nothing here is differenced
        self.terrain, self.shift = terrain, 0.0
        self.rough, self.random, self.home, self.mass, self.g = rough, random, home, mass, chain.g
        self.scale, self.size = mass / 3.35, size_of(chain).mass
        self.brake = self.BRAKE * base_inertia(chain)[0] / 3.35   # as designed, whatever the links weigh
        self.length = -home[1]
        self.radius = chain.foot.radius
        self.draw()
        self.floor, self.stance = self.next_floor, False

    def start(self):
        """(base [3], floor) a hop's height over the floor."""
        over = self.length + self.speed**2 / (2 * self.g) + 0.02
        return np.array([0.0, over + self.touch(self.floor, 0.0) - self.radius, 0.0]), self.floor

    def touch(self, floor, x):
        """Height of the foot's centre that touches this floor at x; a flat one's without its roughness."""
        return self.radius if self.terrain is None else float(self.terrain.touch(x + floor[2], self.radius))

    def draw(self):
        r = self.random
        self.next_floor = new_floor(r, self.rough)   # as soon as the foot is clear of it
        if self.terrain is not None and self.terrain.walks:
            self.shift = float(np.clip(self.shift + r.uniform(-0.3, 0.3), -self.terrain.walks, self.terrain.walks))
            self.shift = self.terrain.foothold(self.shift, self.radius, HOP_MARGIN)
            self.next_floor = (*self.next_floor[:2], self.shift)
        self.speed = float(np.clip(r.normal(*self.SPEED), self.LEAST_SPEED, self.MOST_SPEED))
        self.soft = r.uniform(*self.COMPRESSION) * self.scale
        self.drag = r.choice([-1, 1]) * r.uniform(*self.DRAG) if r.random() < self.DRAGS else 0.0
        self.drag_at, self.rise, self.foot_x = r.uniform(0.01, 0.08), r.uniform(*self.RISE), r.uniform(-0.02, 0.02)

    def command(self, time, state, touched):
        hip = state.base[:2]
        length = hip[1] - state.foot[1]
        if not self.stance and touched:
            self.stance, self.since, self.thrust, self.extending = True, time, self.soft, False
            self.touch_x = state.foot[0]
        elif self.stance and length >= self.length and self.extending:
            self.stance = False
            self.draw()
        elif self.stance and time - self.since > self.STUCK:
            self.since, self.extending = time, False
        if (not self.stance and self.next_floor
                and state.foot[1] - self.touch(self.next_floor, state.foot[0]) > FLOOR + self.CLEAR):
            self.floor, self.next_floor = self.next_floor, None
        force = self.in_stance(time, state, length) if self.stance else self.in_flight(state, hip)
        return Command(state.J.T @ force, np.zeros(3), self.floor)

    def in_flight(self, state, hip):
        target = hip + self.home + np.array([self.foot_x, 0.0])
        return self.size * (STIFFNESS * (target - state.foot) + DAMPING * (state.base_rate[:2] - state.foot_rate))

    def in_stance(self, time, state, length):
        compression = max(self.length - length, 0.0)
        if not self.extending and state.base_rate[1] >= 0:
            self.extending = True
            energy = self.LOSS * self.mass * (self.speed**2 / 2 + self.g * compression)
            self.thrust = min(2 * energy / max(compression, 0.01)**2, 4 * self.soft)
        brake = 0.0 if self.extending else -self.brake * min(state.base_rate[1] - state.foot_rate[1], 0.0)
        push = min(self.thrust * compression + brake, self.MOST_PUSH * self.mass * self.g)
        hold = self.size * (STIFFNESS[0] * (self.touch_x - state.foot[0]) - DAMPING[0] * state.foot_rate[0])
        late = time - self.since - self.drag_at
        if self.drag and late > 0 and abs(state.foot[0] - self.touch_x) < self.DRAG_TRAVEL:
            hold = self.drag * push * min(late / self.rise, 1.0) - self.size * DAMPING[0] * state.foot_rate[0]
        return np.array([hold, -push])


def base_inertia(chain):
    """[3] what the driving forces of a base are designed for: mass along x and z, inertia about pitch."""
    legs = sum(link.mass for link in chain.links)
    return np.array([chain.base_mass + legs, chain.base_mass + legs, chain.base_inertia + 0.1 * legs])


class Drive:
    """Forces that lead a base along two sines per coordinate, x on top of a constant speed: outside forces, unknown to
    the estimator, as a body's other legs would exert them."""
    AMPLITUDE = np.array([0.02, 0.006, 0.06])   # [m, m, rad] of each sine, at most
    FREQUENCY = (0.4, 2.0)                      # [Hz]
    BANDWIDTH = 40.0                            # [rad/s]

    def __init__(self, chain, random, height, terrain=None):
        self.terrain, self.radius = terrain, chain.foot.radius
        self.inertia, self.weight = base_inertia(chain), base_inertia(chain)[1] * chain.g
        self.speed = random.uniform(-0.15, 0.35)
        self.amplitude = random.uniform(0.3, 1.0, (2, 3)) * self.AMPLITUDE
        self.omega = 2 * np.pi * random.uniform(*self.FREQUENCY, (2, 3))
        self.phase = random.uniform(0, 2 * np.pi, (2, 3))
        self.height = height

    def reference(self, time):
        """Base [3] and its rate at a time."""
        angle = self.omega * time + self.phase
        place = np.sum(self.amplitude * np.sin(angle), axis=0) + np.array([self.speed * time, self.height, 0.0])
        rate = np.sum(self.amplitude * self.omega * np.cos(angle), axis=0) + np.array([self.speed, 0.0, 0.0])
        return (place, rate) if self.terrain is None else self.over(time, place, rate)

    def over(self, time, place, rate):
        """The same along a terrain: forth and back as far as it walks, at the terrain's mean height."""
        walks, step = self.terrain.walks, 1e-3
        turn = self.speed / walks * time if walks else 0.0
        place[0] += walks * np.sin(turn) - self.speed * time
        rate[0] += (self.speed * np.cos(turn) if walks else 0.0) - self.speed
        height = [self.terrain.mean_height(place[0] + dx, self.radius) for dx in (-step, 0.0, step)]
        place[1] += height[1]
        rate[1] += (height[2] - height[0]) / (2 * step) * rate[0]
        return place, rate

    def force(self, time, state):
        place, rate = self.reference(time)
        w = self.BANDWIDTH
        pull = self.inertia * (w**2 * (place - state.base) + 2 * w * (rate - state.base_rate))
        return pull + np.array([0.0, self.weight, 0.0])


class Stepper:
    """Steps under a driven base: swing to a point ahead, down at a speed drawn per step, press, drag, lift.

    The speed of touch-down is log-normal; 0.09, 0.28 and 1.03 m/s are seen at 5, 50 and 95 %. The foot's target goes
    quickly down to just above the highest floor, then at the drawn speed until the foot touches.
    """
    SPEED, SPREAD, SPEEDS = 0.34, 0.73, (0.07, 1.4)   # [m/s] median, of its logarithm; limits
    ABOVE, HASTE, PULL = 0.014, 0.5, 25.0             # [m], [m/s], [m/s^2] of the target
    SWING, STANCE = (0.12, 0.3), (0.15, 0.5)          # [s]
    CLEARANCE, PRESS = (0.03, 0.08), (0.008, 0.03)    # [m]
    DRAGS, DRAG_SPEED, DRAG_TIME = 0.6, (0.1, 0.6), (0.03, 0.25)   # share of steps; [m/s]; [s]
    PRESS_TIME = 0.03                                 # [s]

    def __init__(self, chain, random, home, mass, rough, tick, terrain=None):
        del mass   # that is the base's business
        self.terrain = terrain
        self.tick, self.size = tick, size_of(chain).mass
        self.rough, self.random, self.home, self.radius = rough, random, home, chain.foot.radius
        self.drive = Drive(chain, random, -home[1] + chain.foot.radius, terrain)
        self.draw()

    def start(self):
        """(base [3], floor), the foot a clearance over the floor."""
        base = self.drive.reference(0.0)[0] + np.array([0.0, self.CLEARANCE[0], 0.0])
        self.enter(self.lift, 0.0, base[:2] + self.home)
        return base, self.floor

    def draw(self):
        r = self.random
        self.floor = new_floor(r, self.rough)
        self.speed = float(np.clip(self.SPEED * np.exp(r.normal(0, self.SPREAD)), *self.SPEEDS))
        self.swing, self.stance_time = r.uniform(*self.SWING), r.uniform(*self.STANCE)
        self.clearance, self.press = r.uniform(*self.CLEARANCE), r.uniform(*self.PRESS)
        self.ahead = self.drive.speed * self.stance_time / 2 + r.uniform(-0.03, 0.03)
        self.drag = r.choice([-1, 1]) * r.uniform(*self.DRAG_SPEED) if r.random() < self.DRAGS else 0.0
        self.drag_at, self.drag_time = r.uniform(0.03, self.stance_time), r.uniform(*self.DRAG_TIME)

    def pressed(self, dragged, sunk):
        """The target of a stance on a terrain: along its tangent as far as the foothold goes, and into it."""
        kept = np.clip(dragged, RUN_OUT - STEP_MARGIN, STEP_MARGIN - RUN_OUT) if self.terrain.walks else dragged
        foot = np.array([self.begin[0], self.touch(self.begin[0])])
        normal = self.terrain.look(foot)[1]
        return self.begin + kept * np.array([normal[1], -normal[0]]) - sunk * normal

    def enter(self, phase, time, target):
        self.goal = None   # on a terrain: of the next swing
        self.phase, self.since, self.fall = phase, time, 0.0
        self.begin = self.target = self.before = target

    def command(self, time, state, touched):
        self.phase(time, state, touched)
        rate, self.before = (self.target - self.before) / self.tick, self.target
        force = self.size * (STIFFNESS * (self.target - state.foot) + DAMPING * (rate - state.foot_rate))
        return Command(state.J.T @ force + state.bias, self.drive.force(time, state), self.floor)

    def touch(self, x):
        """Height of the foot's centre that touches the ground at x, its roughness aside."""
        return self.radius if self.terrain is None else float(self.terrain.touch(x, self.radius))

    def over_terrain(self, time, state):
        """lift() over a terrain: to a foothold that is chosen at its begin, up first and along then."""
        s = min((time - self.since) / self.swing, 1.0)
        if self.goal is None:
            ahead = state.base[0] + self.home[0] + self.ahead + self.swing * state.base_rate[0]
            self.goal = self.terrain.foothold(ahead, self.radius, STEP_MARGIN)
            way = np.linspace(self.begin[0], self.goal, 15)
            self.top = float(np.max(self.terrain.touch(way, self.radius))) + FLOOR + self.clearance
        along = quintic(np.clip(s / 0.7 - 0.3 / 0.7, 0.0, 1.0))
        self.target = self.begin + np.array([along * (self.goal - self.begin[0]),
                                             quintic(min(2 * s, 1.0)) * (self.top - self.begin[1])])
        return s

    def swing_up(self, time, state):
        """The target of lift(); returns the part of the swing that is over."""
        if self.terrain is not None:
            return self.over_terrain(time, state)
        s = min((time - self.since) / self.swing, 1.0)
        goal = state.base[0] + self.home[0] + self.ahead
        top = self.radius + FLOOR + self.clearance
        self.target = self.begin + np.array([quintic(s) * (goal - self.begin[0]),
                                             quintic(min(2 * s, 1.0)) * (top - self.begin[1])])
        return s

    def lift(self, time, state, touched):
        """Up to the clearance in the first half, and on to the point ahead, along quintics."""
        if self.swing_up(time, state) == 1.0:
            self.draw()
            self.enter(self.lower, time, self.target)

    def lower(self, time, state, touched):
        """Down, faster and faster by PULL, and slower again before the drawn speed is due."""
        height = max(self.target[1] - self.touch(self.target[0]) - self.ABOVE, 0.0)
        limit = np.sqrt(self.speed**2 + 2 * self.PULL * height)
        self.fall = min(self.fall + self.PULL * self.tick, limit, max(self.HASTE, self.speed))
        self.target = self.target - np.array([0.0, self.fall * self.tick])
        if touched:
            self.enter(self.stance, time, state.foot)

    def stance(self, time, state, touched):
        """Press into the floor and, from some moment on, drag along it; the base moves on meanwhile."""
        age = time - self.since
        sunk = self.press * quintic(min(age / self.PRESS_TIME, 1.0))
        dragged = self.drag * min(max(age - self.drag_at, 0.0), self.drag_time)
        self.target = self.begin + np.array([dragged, -sunk])
        if self.terrain is not None:
            self.target = self.pressed(dragged, sunk)
        if age > self.stance_time or abs(state.foot[0] - state.base[0] - self.home[0]) > MOST_TRAVEL:
            self.enter(self.lift, time, self.target)
