# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Recorded episodes: what the sensors said and what was true, kept under build/hil/episodes.

    episode("leg", seed=3, seconds=20, law="spring500", noise=3.0)

The name of a file is a hash of the options, the chain and the sources that make episodes, so that none is ever stale.
Seeds 0 to 99 are for tuning, 1000 and up for evaluation.
"""
import hashlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from ..build import cache
from . import truth
from .gait import FLOOR
from .world import TICK
from .plant import Plant, plant_chain
from .sensors import NAMES, SensorOptions
from .terrain import terrain

SOURCES = ("chain_file", "size", "gait", "terrain", "world", "mujoco_plant", "dart_plant", "plant", "sensors", "truth", "episodes")
SECONDS = 20.0


@dataclass
class Episode:
    """Ticks k = 0..T-1, as plant.Plant.step hands them out; float32, the library's signs."""
    encoder: np.ndarray        # [T, n]
    torque: np.ndarray         # [T, n]
    gyro: np.ndarray           # [T]
    accel: np.ndarray          # [T, 2]
    pitch: np.ndarray          # [T]
    base_velocity: np.ndarray  # [T]
    lost: np.ndarray           # [T] 1: the frame of this tick never arrives
    truth: truth.Truth
    floor: np.ndarray          # [T] height [m]
    mu: np.ndarray             # [T]
    meta: dict                 # plant, seed, seconds, law and all options
    tick: float = TICK         # [s]
    place: np.ndarray = None   # [T] on a terrain: of the base along it [m]

    def __len__(self):
        return len(self.gyro)

    def time(self):
        """[T] when each tick's estimate is published [s]"""
        return (np.arange(len(self)) + 1) * self.tick


def _key(chain, meta):
    """A hash of all that an episode depends on."""
    digest = hashlib.sha256(json.dumps([meta, chain.text], sort_keys=True).encode())
    for name in SOURCES:
        digest.update((Path(__file__).parent / f"{name}.py").read_bytes())
    return digest.hexdigest()[:24]


def record(plant, seed, ticks, tell=iter):
    """An Episode of a Plant. `tell` wraps the range of ticks, to show progress."""
    plant.reset(seed)
    samples, facts = [], []
    for _ in tell(range(ticks)):
        sample, fact = plant.step()
        samples.append(sample)
        facts.append(fact)
    names = [name for name in (*NAMES, "lost", "place") if name in samples[0]]
    stacked = {name: np.stack([sample[name] for sample in samples]) for name in names}
    substeps = [np.stack([getattr(fact.substeps, name) for fact in facts])
                for name in ("normal", "tangent", "slip", "rise")]
    judged = truth.judge(*substeps, plant.tick)
    return Episode(**stacked, truth=judged, floor=np.array([fact.floor for fact in facts], np.float32),
                   mu=np.array([fact.mu for fact in facts], np.float32), meta={}, tick=plant.tick)


def _save(path, episode):
    path.parent.mkdir(parents=True, exist_ok=True)
    names = [name for name in (*NAMES, "lost", "floor", "mu", "place") if getattr(episode, name) is not None]
    arrays = {name: getattr(episode, name) for name in names}
    arrays.update({f"truth_{name}": value for name, value in vars(episode.truth).items()})
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "wb") as file:
        np.savez(file, meta=json.dumps(episode.meta), **arrays)
    os.replace(temporary, path)


def _load(path):
    with np.load(path) as file:
        arrays = dict(file)
    judged = truth.Truth(**{name[6:]: arrays.pop(name) for name in list(arrays) if name.startswith("truth_")})
    meta = json.loads(str(arrays.pop("meta")))
    return Episode(meta=meta, truth=judged, tick=meta["tick"], **arrays)


def episode(plant, seed, seconds=SECONDS, law="stiff", mass=1.0, floor=FLOOR, chain=None, simulator="mujoco",
            tick=TICK, cached=True, ground="", **sensors):
    """The Episode of plant `hopper` or `leg`; `sensors` are fields of SensorOptions: noise, encoder_bits,
    torque_gain, lost, faults. `ground`: a name of terrain.NAMES."""
    options = SensorOptions(**sensors)
    chain = plant_chain(plant, chain, simulator)
    meta = {"plant": plant, "seed": seed, "seconds": seconds, "law": law, "mass": mass, "floor": floor,
            "simulator": simulator, "tick": tick, **asdict(options), **({"ground": ground} if ground else {})}
    path = cache() / "hil" / "episodes" / f"{_key(chain, meta)}.npz"
    if cached and path.is_file():
        return _load(path)
    made = record(Plant(plant, chain, law, mass, floor, options, simulator, tick, terrain(ground)), seed,
                  truth.ticks_in(seconds, tick))
    made.meta = meta
    if cached:
        _save(path, made)
    return made
