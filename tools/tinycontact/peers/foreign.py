# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Throws of a planar body in MuJoCo, as its user would make them: default cone and impedance, a time constant of 4 ms
(the default of 20 ms sinks a falling body by centimetres), a quarter of the body's step. A simulator that shares nothing with the trainer, for judging what is learned from logs.

The body slides along x and z and turns about -y; its corners are spheres of 10 micrometres.
"""
import numpy as np

from ..sim import peers, throws

DOT = 1e-5            # [m]
REST_ROWS = 60        # rows logged after the body came to rest
LONGEST = 3.0         # [s]
TIME = 0.004          # [s] of contacts
PARTS = 4             # steps of the simulation in one of the body


def _xml(body, centre, inertia, mu):
    corners = "".join(f'<geom type="sphere" size="{DOT}" pos="{x - centre[0]} 0 {y - centre[1]}"/>'
                      for x, y in body.vertices)
    return f"""<mujoco><option gravity="0 0 -{body.g}" timestep="{body.h / PARTS}"/>
 <default><geom friction="{mu} 0.005 0.0001" mass="0" solref="{TIME} 1"/></default>
 <worldbody><geom type="plane" size="0 0 1"/>
  <body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 -1 0"/>
   <inertial pos="0 0 0" mass="{body.mass}" diaginertia="{inertia} {inertia} {inertia}"/>{corners}</body></worldbody>
 </mujoco>"""


def paths(body, rows, mu, centre=(0.0, 0.0), inertia=None):
    """[poses [T, 3], ...] of the body's origin for throws of `rows` (y0 [m], theta0 [deg], vx0, omega0), until rest.
    The true centre of mass is at `centre` in the body's frame; inertia: the true one, the body's if None."""
    engine = peers.mujoco("throws of another simulator")
    centre = np.asarray(centre, float)
    model = engine.MjModel.from_xml_string(_xml(body, centre, body.inertia if inertia is None else inertia, mu))
    position, velocity = throws.starts(rows)
    return [_thrown(engine, model, body, centre, *start) for start in zip(position, velocity)]


def _thrown(engine, model, body, centre, position, velocity):
    data = engine.MjData(model)
    data.qpos[:], data.qvel[:] = position, velocity
    found, still = [], 0
    while still < REST_ROWS and len(found) < LONGEST / body.h:
        found.append(data.qpos.copy())
        engine.mj_step(model, data, PARTS)
        slow = np.hypot(*data.qvel[:2]) < 2e-3 and abs(data.qvel[2]) < 2e-2
        still = still + 1 if slow else 0
    poses = np.array(found)
    c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    poses[:, 0] -= c * centre[0] - s * centre[1]
    poses[:, 1] -= s * centre[0] + c * centre[1]
    return poses
