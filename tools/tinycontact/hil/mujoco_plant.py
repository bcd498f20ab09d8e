# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A leg of a chain file in MuJoCo: its base on a rail or driven, a floor that can be moved, one contact.

Physics run at 8 kHz (implicitfast, elliptic cone), torques are held for 1 ms. Contact laws, by MuJoCo's solref:
    stiff       (0.002, 1): a damper; the force jumps at the first substep, in proportion to the speed
    spring500   -w^2, -2 zeta w with w = 500 rad/s, zeta = 0.4: a spring, whose force peaks milliseconds later
    spring250   the same with 250 rad/s
    creep500, creep250   the same for friction as well
MuJoCo's friction below the cone is a damper: a sticking foot creeps at v = (1 - d) / d a / b, a the acceleration that
friction holds it against, d the impedance (0.9 to 0.95 here), b the damping of the law: 1000 1/s stiff, 400 and 200
for the springs. At 250 rad/s that passes 0.05 m/s, the threshold of slip, with friction well below the cone, at no
moment in particular; so friction keeps the stiff law in the springs (solreffriction), but for the two that are named
after their creep.

The floor is a mocap body: a plane of the world that is moved by its geom_pos has no effect. Forces are those of the
contact sensor (mj_contactForce): efc_force is per edge of the cone.
"""
import numpy as np

from ..errors import TinycontactError
from ..sim import peers
from .size import size_of
from .world import BASE_COORDINATES, COULOMB, PHYSICS, TICK, State, Substeps, ground_axes, substeps_of

ZETA = 0.4
STIFF = (0.002, 1.0)


def _spring(omega):
    return -omega**2, -2 * ZETA * omega


LAWS = {"stiff": (STIFF, STIFF), "spring500": (_spring(500.0), STIFF), "spring250": (_spring(250.0), STIFF),
        "creep500": (_spring(500.0), _spring(500.0)), "creep250": (_spring(250.0), _spring(250.0))}   # normal, friction
BASE_JOINTS = {"fixed": "", "rail": '<joint type="slide" axis="0 0 1"/>',
               "floating": '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>'
                           '<joint type="hinge" axis="0 -1 0"/>'}
MJCF_JOINT = {"revolute": "hinge", "prismatic": "slide"}


def _words(values):
    return " ".join(repr(float(value)) for value in np.atleast_1d(values))


def _floor_geoms(terrain):
    """[MJCF of a geom's shape] of the floor."""
    if terrain is None:
        return ['type="plane" size="0 0 1"']
    def geom(part):
        place = _words(part.position)
        if part.kind == "halfspace":
            turn = _words([np.cos(terrain.tilt / 2), 0.0, -np.sin(terrain.tilt / 2), 0.0])
            return f'type="plane" size="0 0 1" pos="{place}" quat="{turn}"'
        return f'type="{part.kind}" size="{_words(part.size)}" pos="{place}"'
    return [geom(part) for part in terrain.parts]


def model_xml(chain, law, mass=1.0, terrain=None):
    """The leg as MJCF, its links' masses and inertias times `mass`."""
    dry = COULOMB * size_of(chain).torque
    bodies, ends = "", ""
    for link in chain.links:
        bodies += (f'<body pos="{_words(link.origin)}"><joint type="{MJCF_JOINT[link.joint]}"'
                   f' axis="{_words(link.axis)}" armature="{link.rotor_inertia!r}" damping="{link.damping!r}"'
                   f' frictionloss="{dry!r}"/>'
                   f'<inertial pos="{_words(link.com)}" mass="{link.mass * mass!r}"'
                   f' diaginertia="{_words(link.inertia * mass)}"/>')
        ends += "</body>"
    normal, friction = LAWS[law]
    foot = (f'<geom name="foot" type="sphere" size="{chain.foot.radius!r}" pos="{_words(chain.foot.center)}" mass="0"'
            f' contype="0" conaffinity="0"/><site name="foot" pos="{_words(chain.foot.center)}"/>')
    shapes = _floor_geoms(terrain)
    names = ["floor"] + [f"floor{k}" for k in range(1, len(shapes))]
    floor = "".join(f'<geom name="{name}" {shape} contype="0" conaffinity="0"/>' for name, shape in zip(names, shapes))
    pairs = "".join(f"""<pair geom1="{name}" geom2="foot" condim="3" friction="1 1 0 0 0" solref="{_words(normal)}"
  solreffriction="{_words(friction)}"/>""" for name in names)
    return f"""<mujoco><compiler boundinertia="0" balanceinertia="true"/>
 <option timestep="{PHYSICS!r}" integrator="implicitfast" cone="elliptic" gravity="0 0 {-chain.g!r}"/>
 <worldbody>
  <body name="floor" mocap="true">{floor}</body>
  <body name="base">{BASE_JOINTS[chain.root]}<inertial pos="0 0 0" mass="{chain.base_mass!r}"
   diaginertia="{_words(np.full(3, chain.base_inertia))}"/><site name="imu"/>{bodies}{foot}{ends}</body>
 </worldbody>
 <contact>{pairs}</contact>
 <sensor><accelerometer site="imu"/><framelinvel objtype="site" objname="foot"/>
  <frameangvel objtype="site" objname="foot"/><framepos objtype="site" objname="foot"/>
  <contact body1="floor" geom2="foot" data="force" reduce="netforce"/></sensor>
</mujoco>"""


def substeps(rows, radius, floor):
    """The sensors of model_xml [S, 15]: specific force, velocity, turning and place of the foot, force on it."""
    return Substeps(normal=rows[:, 14].copy(), tangent=rows[:, 12].copy(), slip=rows[:, 3] - radius * rows[:, 7],
                    gap=rows[:, 11] - radius - floor, rise=rows[:, 5].copy(), accel=rows[:, 0:3:2].copy())


def terrain_substeps(rows, radius, height, terrain, shift):
    """The same on a terrain."""
    t, n, distance = ground_axes(terrain, rows[:, 9:12:2], height, shift)
    force, velocity = rows[:, 12:15:2], rows[:, 3:6:2]
    return Substeps(normal=np.einsum("ij,ij->i", n, force), tangent=np.einsum("ij,ij->i", t, force),
                    slip=np.einsum("ij,ij->i", t, velocity) - radius * rows[:, 7], gap=distance - radius,
                    rise=np.einsum("ij,ij->i", n, velocity), accel=rows[:, 0:3:2].copy())


class MujocoWorld:
    """A world (world.py) of MuJoCo."""

    def __init__(self, chain, law="stiff", mass=1.0, tick=TICK, terrain=None):
        self.mujoco = mujoco = peers.mujoco("a plant")
        self.model = mujoco.MjModel.from_xml_string(model_xml(chain, law, mass, terrain))
        self.data, self.path = mujoco.MjData(self.model), chain.path
        warnings = mujoco.mjtWarning
        self.lost = [self.data.warning[k] for k in (warnings.mjWARN_BADQPOS, warnings.mjWARN_BADQVEL,
                                                    warnings.mjWARN_BADQACC)]
        self.joints, self.radius = len(chain.links), chain.foot.radius
        self.rail = BASE_COORDINATES[chain.root]
        self.site = self.model.site("foot").id
        self.terrain, self.shift = terrain, 0.0
        self.floor, self.rows = 0.0, np.empty((substeps_of(tick), self.model.nsensordata))
        self.jacobian = np.empty((3, self.model.nv))

    def place(self, q, base):
        """At rest with these joints and this base."""
        self.mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:] = np.concatenate([np.asarray(base)[self.rail], q])
        self.mujoco.mj_forward(self.model, self.data)

    def set_floor(self, height, mu, shift=0.0):
        self.floor, self.shift = height, shift
        self.data.mocap_pos[0, 2] = height
        if self.terrain is not None:
            self.data.mocap_pos[0, 0] = -shift
        self.model.pair_friction[:, :2] = mu

    def look(self):
        data, n = self.data, self.joints
        self.mujoco.mj_fwdPosition(self.model, data)
        self.mujoco.mj_fwdVelocity(self.model, data)
        self.mujoco.mj_jacSite(self.model, data, self.jacobian, None, self.site)
        base, base_rate = np.zeros(3), np.zeros(3)
        base[self.rail], base_rate[self.rail] = data.qpos[:-n], data.qvel[:-n]
        J = self.jacobian[::2]
        return State(data.qpos[-n:].copy(), data.qvel[-n:].copy(), base, base_rate,
                     data.site_xpos[self.site, ::2].copy(), J @ data.qvel, J[:, -n:].copy(), data.qfrc_bias[-n:].copy())

    def advance(self, torque, base_force):
        """One tick with these torques on the joints and forces on the base's coordinates."""
        data, rows, sensors = self.data, self.rows, self.data.sensordata
        data.qfrc_applied[:-self.joints] = np.asarray(base_force)[self.rail]
        data.qfrc_applied[-self.joints:] = torque
        for k in range(len(rows)):
            self.mujoco.mj_step(self.model, data)
            rows[k] = sensors
        if any(warning.number for warning in self.lost):   # MuJoCo begins anew then, and would go on
            raise TinycontactError(f"{self.path}: MuJoCo's simulation of this leg becomes unstable: are its masses,"
                                   " inertias and lengths those of one leg?")
        if self.terrain is not None:
            return terrain_substeps(rows, self.radius, self.floor, self.terrain, self.shift)
        return substeps(rows, self.radius, self.floor)
