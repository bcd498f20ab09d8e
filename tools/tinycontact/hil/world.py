# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a plant asks of a simulator, whichever it is. A world has

    place(q, base)                 at rest with these joints and this base
    set_floor(height, mu, shift)   with a terrain: its point `shift` is at the world's x = 0
    look() -> State
    advance(torque, base_force) -> Substeps: one tick, forces held

with joint coordinates and torques in the chain file's signs, positions in the file's x and z. On a terrain forces, slip
and gap are along the tangent and the normal of the ground below the foot.
"""
from dataclasses import dataclass

import numpy as np

SUBSTEPS = 8                # of a tick of 1 ms
TICK = 1e-3                 # [s] unless a plant is told another
PHYSICS = TICK / SUBSTEPS   # [s]
COULOMB = 0.05              # [N m] or [N]: dry friction of each joint of a leg of size 1, which no estimator knows
BASE_COORDINATES = {"fixed": [], "rail": [1], "floating": [0, 1, 2]}   # of x, z, pitch


@dataclass
class State:
    """A plant at one instant: coordinates in the file's signs, positions in the world's x and z."""
    q: np.ndarray            # [n]
    rate: np.ndarray         # [n]
    base: np.ndarray         # [3] x, z [m], pitch [rad], counter-clockwise seen with x to the right and z up
    base_rate: np.ndarray    # [3]
    foot: np.ndarray         # [2] centre of the foot
    foot_rate: np.ndarray    # [2]
    J: np.ndarray            # [2, n] d foot / d q with the base at rest
    bias: np.ndarray         # [n] what gravity and velocity products ask of the joints


@dataclass
class Substeps:
    """One tick, a row per substep (S), as the state at its begin has it."""
    normal: np.ndarray   # [S] force of the floor on the foot, upwards [N]
    tangent: np.ndarray  # [S] along x [N]
    slip: np.ndarray     # [S] velocity of the foot's lowest point along x [m/s]
    gap: np.ndarray      # [S] of the foot over the floor [m]
    rise: np.ndarray     # [S] velocity of the foot upwards [m/s]
    accel: np.ndarray    # [S, 2] specific force at the base's origin, base axes x and z [m/s^2]


def ground_axes(terrain, foot, height, shift):
    """(tangent [..., 2], normal [..., 2], distance [...]) of the terrain at centres of the foot [..., 2]."""
    distance, normal = terrain.look(np.asarray(foot) + np.array([shift, -height]))
    return np.stack([normal[..., 1], -normal[..., 0]], -1), normal, distance


def substeps_of(tick):
    """How many steps of the physics a tick [s] has."""
    return int(round(tick / PHYSICS))
