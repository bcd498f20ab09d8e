# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Recorded episodes of robots: what sensors read and what was true of each foot, kept under build/robots/episodes.

    e = episode("go1", "trot", seed=3, law="spring500", encoder_bits=14)
    for sample in e.samples(): ...        # or e.rows(): one float32 array for a filter in C

The controller knows the truth, so sensors change nothing of what happens: the file has what perfect sensors would show,
and each episode's sensors are made of it when it is read. The name of a file is a hash of all that it depends on, the
sources but not their comments among it.
Seeds 0 to 99 are for tuning, 1000 and up for evaluation.
"""
import ast
import functools
import hashlib
import json
import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..build import cache
from ..hil import truth
from .gait import ROUGH, SLIPPERY_SHARE, Ground
from .plant import Plant, robot_of
from .sensors import NAMES, Reading, SensorOptions, Sensors
from .world import TICK

HERE = Path(__file__).parent
SOURCES = [HERE / f"{name}.py" for name in ("description", "world", "gait", "plant")] + [
    HERE.parent / "hil" / f"{name}.py" for name in ("truth", "mujoco_plant")]
SECONDS = 12.0
FORM = 1   # of the files; raised when record() changes
READINGS = tuple(Reading.__dataclass_fields__)
LISTED = ("touch_down", "lift_off", "slip_onset", "touch_speed")   # of truth.Truth, as many as there were
FACTS = ("floor", "mu", "velocity", "height", "clock")   # of plant.Tick
SENSOR_FIELDS = tuple(SensorOptions.__dataclass_fields__)


@dataclass
class Episode:
    """Ticks k = 0..T-1; float32; joints one limb after another."""
    robot: object         # description.Robot
    reading: Reading      # of perfect sensors, float64
    feet: list            # [L] of truth.Truth: impulse [T, 3] and slip [T, 3] in the world's axes
    floor: np.ndarray     # [T, L] height along the normal [m]
    mu: np.ndarray        # [T, L]
    normal: np.ndarray    # [3] of the floors, world axes
    velocity: np.ndarray  # [T, 3] of the IMU when tick k's sample was taken, world axes [m/s]
    height: np.ndarray    # [T] of the base over the mean floor at tick k's end [m]
    clock: np.ndarray     # [T, L] of the gait, 0 to 1: a foot is to lift off at 0 and to land at 1 - duty
    duty: float
    meta: dict
    sensors: dict = None  # {name: [T, ...]} of sensors.NAMES
    tick: float = TICK    # [s]

    def __len__(self):
        return len(self.height)

    def samples(self):
        """{name: array} tick by tick, as an estimator's update() takes them."""
        return ({name: values[k] for name, values in self.sensors.items()} for k in range(len(self)))

    def rows(self):
        """float32 [T, 2 sum n + 11]: encoder, torque, gyro, accel, attitude, lost; contiguous."""
        parts = [self.sensors[name].reshape(len(self), -1) for name in NAMES]
        return np.ascontiguousarray(np.concatenate(parts, axis=1), np.float32)


def _foot_truth(force, slip, rise, to_world):
    """The truth.Truth of a foot, from substeps [T, S, ...] in the plant's axes."""
    speed = np.linalg.norm(slip, axis=-1)
    found = truth.judge(force[..., 2], 0 * speed, speed, rise, TICK)
    along = np.concatenate([slip.mean(1), np.zeros((len(slip), 1))], axis=1)
    step = TICK / force.shape[1]
    return replace(found, impulse=(force.sum(1) * step @ to_world.T).astype(np.float32),
                   slip=(along @ to_world.T).astype(np.float32))


def record(plant, seed, ticks):
    """An Episode of a Plant, without sensors."""
    plant.reset(seed)
    readings, facts = [], []
    for _ in range(ticks):
        reading, fact = plant.step()
        readings.append(reading)
        facts.append(fact)
    force, slip, rise = (np.stack([getattr(fact.substeps, name) for fact in facts])
                         for name in ("force", "slip", "rise"))
    feet = [_foot_truth(force[:, :, k], slip[:, :, k], rise[:, :, k], plant.to_world) for k in range(force.shape[2])]
    reading = Reading(**{name: np.stack([getattr(one, name) for one in readings]) for name in READINGS})
    stacked = {name: np.array([getattr(fact, name) for fact in facts], np.float32) for name in FACTS}
    return Episode(plant.robot, reading, feet, **stacked, normal=plant.to_world[:, 2], duty=plant.gait.duty, meta={})


def _save(path, episode):
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = {name: getattr(episode, name) for name in (*FACTS, "normal", "duty")}
    arrays.update({f"reading_{name}": getattr(episode.reading, name) for name in READINGS})
    for k, foot in enumerate(episode.feet):
        arrays.update({f"foot{k}_{name}": value for name, value in vars(foot).items()})
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "wb") as file:
        np.savez(file, **arrays)
    os.replace(temporary, path)


def _load(path, robot, meta):
    with np.load(path) as file:
        arrays = dict(file)
    reading = Reading(**{name: arrays.pop(f"reading_{name}") for name in READINGS})
    feet = []
    for k in range(len(robot.limbs)):
        here = {name: arrays.pop(name) for name in list(arrays) if name.startswith(f"foot{k}_")}
        feet.append(truth.Truth(**{name[len(f"foot{k}_"):]: value for name, value in here.items()}))
    return Episode(robot, reading, feet, meta=meta, duty=float(arrays.pop("duty")), **arrays)


def _said(source):
    """What a source file says, without comments, texts about it and line breaks."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            node.body = body[1:]
    return ast.dump(tree)


@functools.lru_cache(1)
def _sources():
    return "".join(map(_said, SOURCES)).encode()


def _key(robot, meta):
    homes = [list(limb.home) for limb in robot.limbs]
    digest = hashlib.sha256(json.dumps([FORM, meta, robot.text, homes], sort_keys=True).encode())
    digest.update(_sources())
    return digest.hexdigest()[:24]


def motion(robot="go1", gait="trot", seed=0, seconds=SECONDS, law="stiff", rough=ROUGH, slippery=SLIPPERY_SHARE,
           slope=(0.0, 0.0), mass=1.0, cached=True):
    """The Episode without sensors; of a file if there is one."""
    robot = robot_of(robot)
    meta = {
        "gait": gait, "seed": seed, "seconds": seconds, "law": law, "rough": rough, "slippery": slippery,
        "slope": list(slope), "mass": mass
    }
    path = cache() / "robots" / "episodes" / f"{_key(robot, meta)}.npz"
    if cached and path.is_file():
        return _load(path, robot, meta)
    plant = Plant(robot, gait, law, Ground(rough, slippery), tuple(slope), mass)
    made = replace(record(plant, seed, int(round(seconds / TICK))), meta=meta)
    if cached:
        _save(path, made)
    return made


def episode(robot="go1", gait="trot", seed=0, seconds=SECONDS, **options):
    """The Episode of a robot (plant.robot_of) with a gait; `options` of motion(), and fields of SensorOptions."""
    sensing = SensorOptions(**{name: options.pop(name) for name in SENSOR_FIELDS if name in options})
    made = motion(robot, gait, seed, seconds, **options)
    return replace(made, sensors=Sensors(made.robot, seed, sensing).measure(made.reading))
