# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The same tosses in MuJoCo: the body as spheres at its corners on a plane, elliptic cone.

MuJoCo has one friction per pair: the middle between a point's and a face's. Softness: critical damping and a time
constant of three steps. Friction and softness are those with the least errors of three and four that were tried on
tosses of training with the identified body; the body's own stiffness and damping (2.9 ms, ratio 0.53) did worse.
"""
import numpy as np

from ..sim import peers
from .hull import inset
from .roll import Path, friction_of

STEP = 0.001       # [s] longest
POINT = 1e-4       # [m] radius of a sharp corner
IMPRATIO = 10
TIME, RATIO = 3.0, 1.0   # time constant [steps], damping ratio


def model_xml(body, step):
    """The body as MJCF; its frame is the tag's."""
    radius = max(body.rounding or 0.0, POINT)
    corners = body.vertices + radius * inset(body.nominal)
    point, _, face = friction_of(body)
    geoms = "".join(f'<geom type="sphere" size="{radius}" pos="{x} {y} {z}"/>' for x, y, z in corners)
    normal = np.array([-body.floor[1], -body.floor[2], 1.0])
    words = {name: " ".join(f"{value:.12g}" for value in values) for name, values in
             (("axis", normal), ("centre", body.centre), ("turn", body.axes), ("inertia", body.inertia))}
    return f"""<mujoco><option timestep="{step}" gravity="0 0 {-body.gravity}" cone="elliptic" solver="Newton"
  iterations="100" tolerance="1e-10" impratio="{IMPRATIO}"/>
 <default><geom condim="3" friction="{(point + face) / 2} 0 0" solref="{TIME * step} {RATIO}" mass="0"/></default>
 <worldbody><geom type="plane" size="0 0 1" pos="0 0 {body.floor[0]}" zaxis="{words['axis']}"/>
  <body><freejoint/><inertial pos="{words['centre']}" quat="{words['turn']}" mass="{body.mass}"
   diaginertia="{words['inertia']}"/>{geoms}</body></worldbody></mujoco>"""


def roll_out(log, body, states):
    """The Path of each toss, as roll.roll_out."""
    mujoco = peers.mujoco("the comparison")
    many = max(1, int(np.ceil(log.step / STEP)))
    model = mujoco.MjModel.from_xml_string(model_xml(body, log.step / many))
    data, found = mujoco.MjData(model), []
    for toss, state in zip(log.tosses, states):
        mujoco.mj_resetData(model, data)
        data.qpos[:3], data.qpos[3:] = state.position, state.orientation
        data.qvel[:3], data.qvel[3:] = state.velocity, state.omega
        poses = [data.qpos.copy()]
        for row in range(state.row + 1, len(toss)):
            for _ in range(int(round((toss.t[row] - toss.t[row - 1]) / model.opt.timestep))):
                mujoco.mj_step(model, data)
            poses.append(data.qpos.copy())
        poses = np.array(poses)
        found.append(Path(state.row, poses[:, :3], poses[:, 3:]))
    return found
