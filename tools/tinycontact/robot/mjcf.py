# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""MJCF files, compiled by MuJoCo. A body is a link, whose frame is moved to its joint; sites and named geoms are links
fixed to it. Coordinates are MuJoCo's."""
import numpy as np

from ..build import missing
from ..errors import TinycontactError
from .space import Body, Frame, Joint, Link, Robot, turn


def _mujoco():
    try:
        import mujoco
    except ImportError:
        raise TinycontactError(f"MJCF is read by MuJoCo, which is missing: {missing('mujoco', 'hil', 'sim')}") from None
    return mujoco


def _rotation(quaternion):
    w, v = quaternion[0], np.asarray(quaternion[1:])
    angle = 2 * np.arctan2(np.linalg.norm(v), w)
    return np.eye(3) if angle == 0.0 else turn(v / np.linalg.norm(v), angle)


class _Reader:
    def __init__(self, mujoco, model, path):
        self.mujoco, self.model, self.path = mujoco, model, path
        self.kinds = {int(mujoco.mjtJoint.mjJNT_HINGE): "revolute", int(mujoco.mjtJoint.mjJNT_SLIDE): "prismatic",
                      int(mujoco.mjtJoint.mjJNT_BALL): "ball"}
        self.links, self.joints = {}, []

    def name(self, kind, index):
        return self.mujoco.mj_id2name(self.model, kind, index) or ""

    def body_name(self, b):
        return self.name(self.mujoco.mjtObj.mjOBJ_BODY, b) or f"body {b}"

    def _joint(self, j, frame, parent, child):
        m = self.model
        kind, axis = self.kinds[int(m.jnt_type[j])], np.array(m.jnt_axis[j])
        name = self.name(self.mujoco.mjtObj.mjOBJ_JOINT, j) or f"joint of {child}"
        joint = Joint(name, kind, parent, child, frame, axis)
        if kind == "ball":
            return joint
        zero, dof = float(m.qpos0[m.jnt_qposadr[j]]), m.jnt_dofadr[j]
        joint.frame = joint.frame @ (Frame(turn(axis, -zero)) if kind == "revolute" else Frame(p=-zero * axis))
        joint.damping, joint.friction = float(np.ravel(m.dof_damping[dof])[0]), float(m.dof_frictionloss[dof])
        joint.rotor = float(m.dof_armature[dof]) or None
        joint.range = tuple(float(x) for x in m.jnt_range[j]) if m.jnt_limited[j] else None
        if float(np.ravel(m.jnt_stiffness[j])[0]) != 0.0:
            joint.notes.append("has a spring, which the chain leaves out")
        return joint

    def body(self, b):
        """Adds a body, the joints that carry it, and links between several joints."""
        m, name = self.model, self.body_name(b)
        parent = self.body_name(int(m.body_parentid[b]))
        moving = [j for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b])
                  if m.jnt_type[j] != self.mujoco.mjtJoint.mjJNT_FREE]
        place = Frame(_rotation(m.body_quat[b]), np.array(m.body_pos[b]))
        at = Frame() if b == 0 else self.shifts[int(m.body_parentid[b])] @ place
        before = np.zeros(3)
        for k, j in enumerate(moving):
            child = name if k == len(moving) - 1 else f"{name}, joint {k}"
            where = np.array(m.jnt_pos[j])
            shift = Frame(p=where - before)
            self.joints.append(self._joint(j, at @ shift if k == 0 else shift, parent, child))
            if child != name:
                self.links[child] = Link(child, marks=True)
            before, parent = where, child
        if b and not moving:
            kind = "floating" if m.body_jntnum[b] else "fixed"
            self.joints.append(Joint(f"{name} ({kind})", kind, parent, name, at))
        self.shifts[b] = Frame(p=-before)
        inertia = Body(float(m.body_mass[b]), np.zeros(3), np.diag(m.body_inertia[b])).seen_in(
            Frame(_rotation(m.body_iquat[b]), np.array(m.body_ipos[b])))
        self.links[name] = Link(name, inertia.seen_in(self.shifts[b]) if m.body_mass[b] > 0 else None)

    def part(self, name, b, position, quaternion, sphere=None, shape=None):
        """A site or geom; spheres belong to the body, too."""
        frame = self.shifts[b] @ Frame(_rotation(quaternion), np.array(position))
        body = self.links[self.body_name(b)]
        if sphere is not None:
            body.spheres.append((frame.p, sphere))
        elif shape:
            body.shapes.append(shape)
        if name and name not in self.links:
            link = Link(name, None, [] if sphere is None else [(np.zeros(3), sphere)], [shape] if shape else [], True)
            self.links[name] = link
            self.joints.append(Joint(f"{name} (fixed)", "fixed", body.name, name, frame))

    def robot(self):
        m, kinds = self.model, self.mujoco.mjtObj
        self.shifts = {}
        for b in range(m.nbody):
            self.body(b)
        for g in range(m.ngeom):
            solid = m.geom_contype[g] or m.geom_conaffinity[g]
            sphere = m.geom_type[g] == self.mujoco.mjtGeom.mjGEOM_SPHERE
            shape = self.mujoco.mjtGeom(int(m.geom_type[g])).name[7:].lower()
            self.part(self.name(kinds.mjOBJ_GEOM, g), int(m.geom_bodyid[g]), m.geom_pos[g], m.geom_quat[g],
                      float(m.geom_size[g][0]) if sphere and solid else None, shape if solid and not sphere else None)
        for s in range(m.nsite):
            self.part(self.name(kinds.mjOBJ_SITE, s), int(m.site_bodyid[s]), m.site_pos[s], m.site_quat[s])
        self.mark_followers()
        robot = Robot(self.name_of_model(), self.path, self.links, self.joints)
        self.mark_loops(robot)
        return robot

    def name_of_model(self):
        return self.model.names.split(b"\0")[0].decode("utf-8", "replace")

    def mark_followers(self):
        """Joints that an equality ties to others have no motor of their own."""
        m, joints = self.model, {joint.name: joint for joint in self.joints}
        for e in range(m.neq):
            first, second = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
            joint = joints.get(self.name(self.mujoco.mjtObj.mjOBJ_JOINT, first))
            if int(m.eq_type[e]) == int(self.mujoco.mjtEq.mjEQ_JOINT) and joint is not None:
                joint.mimic = self.name(self.mujoco.mjtObj.mjOBJ_JOINT, second) if second >= 0 else "a constant"

    def mark_loops(self, robot):
        """Bodies, or sites on them, that an equality holds together close a loop."""
        m, kinds, equal = self.model, self.mujoco.mjtObj, self.mujoco.mjtEq
        for e in range(m.neq):
            if int(m.eq_type[e]) not in (int(equal.mjEQ_CONNECT), int(equal.mjEQ_WELD)):
                continue
            ends = [int(m.eq_obj1id[e]), int(m.eq_obj2id[e])]
            if int(m.eq_objtype[e]) == int(kinds.mjOBJ_SITE):
                ends = [int(m.site_bodyid[s]) for s in ends]
            robot.mark_loop(*map(self.body_name, ends), "<equality>")


def load(path):
    """The Robot of an MJCF file."""
    mujoco = _mujoco()
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except (ValueError, OSError) as error:
        said = str(error).strip().splitlines()[0]
        hint = "; MuJoCo wants the meshes, the reader of URDF does not" if "opening file" in said else ""
        raise TinycontactError(f"{path}: MuJoCo does not read it: {said}{hint}") from None
    return _Reader(mujoco, model, str(path)).robot()
