# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A robot of a robot file in MuJoCo: its base free or fixed, a floor of its own under each foot, one contact per foot.

Physics run at 4 kHz (implicitfast, elliptic cone); torques are held for a tick of 1 ms. Floors are level in the plant's
axes; a slope is a gravity that leans. Contact laws are those of hil.mujoco_plant.LAWS, ranges of joints are stops.
Masses may be multiplied, which no estimator is told.
"""
from dataclasses import dataclass

import numpy as np

from ..errors import TinycontactError
from ..hil.mujoco_plant import LAWS, MJCF_JOINT, _words
from ..sim import peers
from .description import moment_floor

SUBSTEPS, TICK = 4, 1e-3
PHYSICS = TICK / SUBSTEPS
COULOMB = 0.1            # [N m] dry friction of the joints of a limb like the Go1's, which no estimator knows
LIMB_TORQUE = 1.71 * 0.506   # mass times reach of that limb [kg m]
HEAD, EACH = 16, 12      # sensors of the base, of each foot
LEAST_MASS = 1e-9        # [kg] of a link that the file gives none: MuJoCo wants some


def torque_size(limb):
    """How large a limb's torques are beside the Go1's."""
    return limb.mass * limb.reach / LIMB_TORQUE


@dataclass
class State:
    """A robot at one instant, in the plant's axes; joints one after another."""
    q: np.ndarray           # [sum n]
    rate: np.ndarray        # [sum n]
    place: np.ndarray       # [3] the base's origin
    axes: np.ndarray        # [3, 3] its columns are the base's axes
    velocity: np.ndarray    # [3] of the base's origin
    spin: np.ndarray        # [3] of the base
    foot: np.ndarray        # [L, 3] centres
    foot_rate: np.ndarray   # [L, 3]
    J: list                 # [L] of [3, n]: d foot / d q, the base at rest
    M: list                 # [L] of [n, n]
    bias: np.ndarray        # [sum n]
    imu_axes: np.ndarray    # [3, 3] the IMU's axes in the plant's
    imu_velocity: np.ndarray
    gyro: np.ndarray        # [3] in the IMU's axes


@dataclass
class Substeps:
    """One tick, a row per substep (S), per foot (L), in the plant's axes."""
    force: np.ndarray   # [S, L, 3] of the floor on the foot [N]
    slip: np.ndarray    # [S, L, 2] velocity of the contact point along the floor [m/s]
    gap: np.ndarray     # [S, L] over the floor [m]
    rise: np.ndarray    # [S, L] velocity of the foot upwards [m/s]
    accel: np.ndarray   # [S, 3] of the IMU, in its axes [m/s^2]


def _inertial(mass, com, inertia):
    I = inertia
    return (f'<inertial pos="{_words(com)}" mass="{mass!r}" fullinertia='
            f'"{_words([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])}"/>')


def _link_xml(link, dry, mass):
    weight = link.mass * mass if link.mass > 0 else LEAST_MASS
    inertia = link.inertia * mass + np.eye(3) * moment_floor(LEAST_MASS, 0.1)
    stops = f' limited="true" range="{_words(link.range)}"' if link.range else ' limited="false"'
    return (f'<body pos="{_words(link.origin)}"><joint type="{MJCF_JOINT[link.joint]}" axis="{_words(link.axis)}"'
            f' armature="{link.rotor_inertia!r}" damping="{link.damping!r}" frictionloss="{dry!r}"{stops}/>'
            + _inertial(weight, link.com, inertia))


def _limb_xml(k, limb, mass):
    dry = COULOMB * torque_size(limb)
    bodies = "".join(_link_xml(link, dry, mass) for link in limb.links)
    place = _words(limb.foot.center)
    foot = (f'<geom name="foot{k}" type="sphere" size="{limb.foot.radius!r}" pos="{place}" mass="0" contype="0" conaffinity="0"/>'
            f'<site name="foot{k}" pos="{place}"/>')
    return bodies + foot + "</body>" * limb.joints


def model_xml(robot, law, up=(0.0, 0.0, 1.0), mass=1.0):
    """The robot as MJCF; gravity is against `up`."""
    normal, friction = LAWS[law]
    limbs = "".join(_limb_xml(k, limb, mass) for k, limb in enumerate(robot.limbs))
    count = range(len(robot.limbs))
    floors = "".join(f'<body name="floor{k}" mocap="true"><geom name="floor{k}" type="plane" size="0 0 1" contype="0"'
                     f' conaffinity="0"/></body>' for k in count)
    pairs = "".join(f'<pair geom1="floor{k}" geom2="foot{k}" condim="3" friction="1 1 0 0 0" solref="{_words(normal)}"'
                    f' solreffriction="{_words(friction)}"/>' for k in count)
    feet = "".join(f'<framepos objtype="site" objname="foot{k}"/><framelinvel objtype="site" objname="foot{k}"/>'
                   f'<frameangvel objtype="site" objname="foot{k}"/>'
                   f'<contact geom1="floor{k}" geom2="foot{k}" data="force" reduce="netforce"/>' for k in count)
    turned = " ".join(f'{name}="{_words(axis)}"' for name, axis in (("xyaxes", robot.imu_axes[:, :2].T.ravel()),))
    return f"""<mujoco><compiler boundinertia="0" balanceinertia="true" autolimits="false" angle="radian"/>
 <option timestep="{PHYSICS!r}" integrator="implicitfast" cone="elliptic" gravity="{_words(-robot.g * np.asarray(up))}"/>
 <worldbody>{floors}
  <body name="base">{'<freejoint/>' if robot.root == 'floating' else ''}
   {_inertial(robot.base.mass, robot.base.com, robot.base.inertia)}
   <site name="imu" pos="{_words(robot.imu)}" {turned}/>{limbs}</body>
 </worldbody>
 <contact>{pairs}</contact>
 <sensor><accelerometer site="imu"/><gyro site="imu"/><framequat objtype="site" objname="imu"/>
  <framelinvel objtype="site" objname="imu"/><framepos objtype="site" objname="imu"/>{feet}</sensor>
</mujoco>"""


class World:
    def __init__(self, robot, law="stiff", up=(0.0, 0.0, 1.0), mass=1.0):
        self.mujoco = mujoco = peers.mujoco("a plant")
        self.robot, self.free = robot, robot.root == "floating"
        self.model = mujoco.MjModel.from_xml_string(model_xml(robot, law, up, mass))
        self.data = mujoco.MjData(self.model)
        warnings = mujoco.mjtWarning
        self.lost = [
            self.data.warning[k] for k in (warnings.mjWARN_BADQPOS, warnings.mjWARN_BADQVEL, warnings.mjWARN_BADQACC)
        ]
        self.base = self.model.body("base").id
        self.sites = [self.model.site(f"foot{k}").id for k in range(len(robot.limbs))]
        self.imu = self.model.site("imu").id
        self.radius = np.array([limb.foot.radius for limb in robot.limbs])
        self.floor = np.zeros(len(robot.limbs))
        self.rows = np.empty((SUBSTEPS, self.model.nsensordata))
        self.jacobian, self.full = np.empty((3, self.model.nv)), np.empty((self.model.nv, self.model.nv))
        self.first = 6 if self.free else 0   # of the joints' rates

    def place(self, q, place, axes=None):
        """At rest with these joints; the base's origin at `place`."""
        data = self.data
        self.mujoco.mj_resetData(self.model, data)
        if self.free:
            data.qpos[:3] = place
            quaternion = np.zeros(4)
            self.mujoco.mju_mat2Quat(quaternion, (np.eye(3) if axes is None else axes).ravel())
            data.qpos[3:7] = quaternion
            data.qpos[7:] = q
        else:
            data.qpos[:] = q
        self.mujoco.mj_forward(self.model, data)

    def set_floor(self, foot, height, mu):
        self.floor[foot] = height
        self.data.mocap_pos[foot, 2] = height
        self.model.pair_friction[foot, :2] = mu

    def _mass(self):
        try:
            self.mujoco.mj_fullM(self.model, self.data, self.full)
        except TypeError:   # MuJoCo before 4
            self.mujoco.mj_fullM(self.model, self.full, self.data.qM)
        return self.full

    def look(self):
        data, first = self.data, self.first
        self.mujoco.mj_fwdPosition(self.model, data)
        self.mujoco.mj_fwdVelocity(self.model, data)
        M, J, blocks, rates = self._mass(), [], [], []
        for site, part in zip(self.sites, self.robot.columns()):
            self.mujoco.mj_jacSite(self.model, data, self.jacobian, None, site)
            cut = slice(first + part.start, first + part.stop)
            J.append(self.jacobian[:, cut].copy()), blocks.append(M[cut, cut].copy())
            rates.append(self.jacobian @ data.qvel)
        axes = data.xmat[self.base].reshape(3, 3).copy()
        velocity, spin = (data.qvel[:3].copy(), axes @ data.qvel[3:6]) if self.free else (np.zeros(3), np.zeros(3))
        imu_axes = data.site_xmat[self.imu].reshape(3, 3).copy()
        arm = data.site_xpos[self.imu] - data.xpos[self.base]
        return State(data.qpos[7 if self.free else 0:].copy(), data.qvel[first:].copy(),
                     data.xpos[self.base].copy(), axes, velocity, spin, data.site_xpos[self.sites].copy(),
                     np.array(rates), J, blocks, data.qfrc_bias[first:].copy(), imu_axes,
                     velocity + np.cross(spin, arm), imu_axes.T @ spin)

    def advance(self, torque, force=np.zeros(3), moment=np.zeros(3)):
        """One tick with these torques on the joints, and a force and a moment on the base, in the plant's axes."""
        data, rows, sensors = self.data, self.rows, self.data.sensordata
        data.xfrc_applied[self.base, :3], data.xfrc_applied[self.base, 3:] = force, moment
        data.qfrc_applied[self.first:] = torque
        for k in range(SUBSTEPS):
            self.mujoco.mj_step(self.model, data)
            rows[k] = sensors
        if any(warning.number for warning in self.lost):   # MuJoCo begins again then, and would go on
            raise TinycontactError(f"{self.robot.path}: MuJoCo's simulation of this robot becomes unstable: are its masses,"
                                   " inertias and lengths those of one robot?")
        return self._substeps()

    def _substeps(self):
        feet = self.rows[:, HEAD:].reshape(SUBSTEPS, -1, EACH)
        place, rate, spin, force = (feet[..., 3 * k:3 * k + 3].copy() for k in range(4))
        r = self.radius
        slip = np.stack([rate[..., 0] - r * spin[..., 1], rate[..., 1] + r * spin[..., 0]], -1)
        return Substeps(force, slip, place[..., 2] - r - self.floor, rate[..., 2], self.rows[:, :3].copy())
