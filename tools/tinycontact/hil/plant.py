# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A plant: a simulated leg with a gait and sensors, tick by tick (of 1 ms). Same seed, same numbers, bit for bit.

Tick k spans (k, k + 1] ticks. step() runs it and hands out what a microcontroller receives at its end: the sample that
was taken a tick before, at its begin; and, as truth, what the contact did in it.
"""
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..build import data
from ..errors import TinycontactError
from . import gait, truth
from .chain_file import Chain, absorb_rotors, load_chain
from .dart_plant import DartWorld
from .mujoco_plant import LAWS, MujocoWorld
from .sensors import PlaceSensor, SensorOptions, Sensors
from .size import reach, size_of
from .world import TICK

GAITS = {"hopper": (gait.Hopper, "rail"), "leg": (gait.Stepper, "floating")}
CHAINS = Path("tests") / "hil" / "chains"
BENT, REACHED = 0.8, 1e-6   # of the leg's reach; [m]


WORLDS = {"mujoco": MujocoWorld, "dart": DartWorld}


def plant_chain(name, chain=None, simulator="mujoco"):
    """The Chain that a plant moves and its estimator is given: of a path, of a Chain or, by default, the study's. In
    DART its rotors' inertia is that of the links."""
    chain = default_chain(name) if chain is None else chain
    chain = chain if isinstance(chain, Chain) else load_chain(chain)
    return absorb_rotors(chain) if simulator == "dart" else chain


def default_chain(name):
    """The chain of the plant `hopper` or `leg`."""
    return data(f"{name}.json", CHAINS)


@dataclass
class PlantTruth:
    """Of one tick. Without knowledge of what follows: gaps are not closed."""
    mode: int              # air 0, static 1, dynamic 2
    impulse: np.ndarray    # [2] along x and up [N s]
    slip: float            # [m/s]
    floor: float           # [m]
    mu: float
    shift: float           # [m]
    substeps: object       # world.Substeps


def allowed(chain, q):
    """Whether joint coordinates are within the ranges that the chain file gives."""
    return all(link.range is None or link.range[0] <= x <= link.range[1] for link, x in zip(chain.links, q))


def home_pose(world, chain):
    """(q, foot [2] from the base): bent knees, the foot straight below the hip. By Gauss-Newton, from bends to and fro
    and, if they lead nowhere or out of the joints' ranges, from seeded guesses. A pose out of the ranges is better than
    none: simulated joints have no stops."""
    turning = np.array([link.joint == "revolute" for link in chain.links])
    sides = np.array([-link.axis[1] if turns else 0.0 for link, turns in zip(chain.links, turning)])
    hip = chain.links[0].origin[[0, 2]]
    goal = hip + np.array([0.0, -reach(chain) * (BENT if turning.sum() > 1 else 1.0)])
    random, found = np.random.default_rng(0), None
    guess = 0.6 * sides * np.where(np.arange(len(sides)) % 2, -2.0, 1.0)
    for _ in range(20):
        q = guess
        for _ in range(50):
            world.place(q, np.zeros(3))
            state = world.look()
            error = goal - state.foot
            if np.abs(error).max() < REACHED:
                if allowed(chain, q):
                    return q, goal
                found = q if found is None else found
                break
            q = q + np.clip(np.linalg.lstsq(state.J, error, rcond=None)[0], -0.3, 0.3)
        guess = random.uniform(-1, 1, len(sides)) * np.where(turning, 1.5, 0.1)
    if found is not None:
        return found, goal
    raise TinycontactError(f"{chain.path}: no pose found with the foot {-goal[1]:.3g} m straight below the hip")


class Plant:
    """`name` hopper or leg; `chain` a path or a Chain (default: the study's); `law` of mujoco_plant.LAWS; `mass` times
    the masses of the links, which an estimator is not told; `floor`: its height is uniform within +- this [m];
    `simulator` of WORLDS; `tick` [s]; `ground`: a terrain.Terrain under the leg, or None."""

    def __init__(self, name, chain=None, law="stiff", mass=1.0, floor=gait.FLOOR, sensors=SensorOptions(),
                 simulator="mujoco", tick=TICK, ground=None):
        if name not in GAITS:
            raise TinycontactError(f"plant {name!r}: there are {', '.join(GAITS)}")
        if law not in LAWS:
            raise TinycontactError(f"contact law {law!r}: there are {', '.join(LAWS)}")
        if simulator not in WORLDS:
            raise TinycontactError(f"simulator {simulator!r}: there are {', '.join(WORLDS)}")
        if ground is not None and simulator != "mujoco":
            raise TinycontactError(f"simulator {simulator!r}: terrain is MuJoCo's only")
        self.chain = plant_chain(name, chain, simulator)
        self.gait_class, root = GAITS[name]
        if self.chain.root != root:
            raise TinycontactError(f"{self.chain.path}, field root: is {self.chain.root}; the plant {name} wants"
                                   f" {root}")
        self.name, self.law, self.options, self.leg = name, law, sensors, self.chain.planar()
        self.rough, self.tick = floor, tick
        self.ground, under = ground, {} if ground is None else {"terrain": ground}
        self.world = WORLDS[simulator](self.chain, law, mass, tick, **under)
        self.q, self.home = home_pose(self.world, self.chain)
        self.mass = self.chain.base_mass + mass * sum(link.mass for link in self.chain.links)

    def reset(self, seed):
        self.sensors = Sensors(self.leg, seed, self.options, size_of(self.chain).torque)
        self.gait = self.gait_class(self.chain, np.random.default_rng([seed, 0]), self.home, self.mass, self.rough,
                                    self.tick, self.ground)
        self.place = PlaceSensor(seed) if self.ground is not None else None
        base, self.floor = self.gait.start()
        self.world.place(self.q, base)
        self.world.set_floor(*self.floor)
        self.ticks, self.touched, self.state = 0, False, self.world.look()
        level = self.chain.g * np.array([np.sin(base[2]), np.cos(base[2])])
        self.sample = self.measure(np.zeros(self.leg.joints), level)

    def measure(self, torque, accel):
        """The sample of now; on a terrain with `place`."""
        sample = self.sensors.measure(self.state, torque, accel)
        if self.place is not None:
            sample["place"] = self.place.measure(self.state.base[0] + self.floor[2])
        return sample

    def step(self):
        """(sensors, PlantTruth) of the next tick; sensors is {name: float32 array}, see sensors.NAMES, and `lost`."""
        command = self.gait.command(self.ticks * self.tick, self.state, self.touched)
        if command.floor != self.floor:
            self.floor = command.floor
            self.world.set_floor(*self.floor)
        done = self.world.advance(command.torque, command.base_force)
        count = len(done.normal)
        impulse = np.array([done.tangent.sum(), done.normal.sum()]) * (self.tick / count)
        self.touched, self.state, self.ticks = bool(impulse[1] > 0), self.world.look(), self.ticks + 1
        accel = done.accel.sum(0) / count
        arrived, self.sample = self.sample, self.measure(command.torque, accel)
        moving = np.abs(done.slip).sum() > truth.SLIP * count
        mode = (truth.DYNAMIC if moving else truth.STATIC) if self.touched else truth.AIR
        return arrived, PlantTruth(mode, impulse, float(done.slip.sum()) / count, *self.floor, done)
