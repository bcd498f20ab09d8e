# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Whole robots of other people's URDFs as robot files, beside pinocchio's free-flying model: a row for each file.

    make robot-compare [ROBOTS="FOLDER ..."]

A robot file is made as `tinycontact leg import ROBOT --foot A --foot B ...` makes it, and read again. Mass matrix, bias
and Jacobian of each limb, by robots/motion.py, are compared at five random postures on a base that moves, turns and
accelerates; pinocchio's are rows of its mass matrix and of its inverse dynamics with the same base, the other joints at
rest at 0. C_M and C_bias are tc_robot_move's, in float. Errors are relative to the largest entry. Of REFUSED no robot
file is made: a row has the reason.
"""
import csv
import sys
from pathlib import Path

import numpy as np
import pinocchio

from tinycontact.errors import TinycontactError
from tinycontact.robot import planar, urdf, whole
from tinycontact.robots import motion
from tinycontact.robots.description import parse_robot

FIELDS = ("robot", "feet", "joints", "mass", "mass_error", "M", "bias", "J", "C_M", "C_bias", "why")
POSTURES = 5
G = 9.81
QUADRUPED = ("FL_foot", "FR_foot", "RL_foot", "RR_foot")
SOLO = ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT")
TIPS = tuple(f"link_{k}.0_tip" for k in (3, 7, 11, 15))
SOLES = ("l_sole", "r_sole")
ROBOTS = {
    "a1.urdf": QUADRUPED, "b1.urdf": QUADRUPED, "b1-z1.urdf": QUADRUPED, "go1.urdf": QUADRUPED, "go2.urdf": QUADRUPED,
    "laikago.urdf": QUADRUPED, "anymal.urdf": ("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"),
    "hyq_no_sensors.urdf": ("lf_foot", "rf_foot", "lh_foot", "rh_foot"), "solo.urdf": SOLO, "solo12.urdf": SOLO,
    "quadruped.urdf": ("FL_contact", "FR_contact", "BL_contact", "BR_contact"), "bolt.urdf": ("FL_FOOT", "FR_FOOT"),
    "g1_29dof_rev_1_0.urdf": ("left_ankle_roll_link", "right_ankle_roll_link"), "icub.urdf": SOLES, "romeo.urdf": SOLES,
    "talos_full_v2.urdf": ("left_sole_link", "right_sole_link"), "simple_humanoid.urdf": ("l_ankle", "r_ankle"),
    "alexander_v1.lowerBodyOnly.urdf": ("LEFT_FOOT_IMU_LINK", "RIGHT_FOOT_IMU_LINK"),
    "allegro_left_hand.urdf": TIPS, "allegro_right_hand.urdf": TIPS, "finger_edu.urdf": ("finger_tip_link",),
    "human.urdf": ("left_foot", "right_foot"), "kinova.urdf": ("j2s6s200_end_effector",), "ur5_robot.urdf": ("tool0",),
    "xarm7.urdf": ("link_eef",)}
REFUSED = (   # file, base ("": the root), feet
    ("panda.urdf", "", ("panda_rightfinger",)), ("baxter.urdf", "", ("l_gripper_r_finger_tip",)),
    ("talos_left_arm.urdf", "", ("gripper_left_fingertip_1_link",)),
    ("allegro_left_hand.urdf", "", TIPS), ("iris.urdf", "", ("iris__rotor_0", "iris__foot")),
    ("a1.urdf", "FL_hip", ("FL_foot", "FR_foot")), ("icub_reduced.urdf", "", ("l_sole", "l_foot_dh_frame")),
    ("centauro.urdf", "", ("contact_1", "contact_2")),
    ("quadrotor_base.urdf", "", ("base_link",)), ("ur3.urdf", "", ("tool0",)))


class Free:
    """Pinocchio's model of a file with a free base."""

    def __init__(self, path):
        self.model = pinocchio.buildModelFromUrdf(str(path), pinocchio.JointModelFreeFlyer())
        self.data = self.model.createData()

    def limb(self, names, foot, q, w, base):
        """(M, bias, J) of joints by name, in the base's axes."""
        model, data = self.model, self.data
        full, rate, change = pinocchio.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
        full[3:7] = base["quaternion"]
        R = pinocchio.Quaternion(full[3:7].copy()).toRotationMatrix()
        gravity = R.T @ [0, 0, -G]
        rate[3:6], change[3:6] = base["omega"], base["alpha"]
        change[:3] = base["force"] + gravity    # the base's velocity is 0, so its acceleration in space is that of its point
        index = []
        for name, x, xd in zip(names, q, w):
            joint = model.joints[model.getJointId(name)]
            full[joint.idx_q:joint.idx_q + joint.nq] = [np.cos(x), np.sin(x)] if joint.nq == 2 else [x]
            rate[joint.idx_v] = xd
            index.append(joint.idx_v)
        M = np.array(pinocchio.crba(model, data, full))
        M = np.triu(M) + np.triu(M, 1).T - np.diag(model.armature)
        bias = np.array(pinocchio.rnea(model, data, full, rate, change))
        pinocchio.computeJointJacobians(model, data, full)
        J = pinocchio.getFrameJacobian(model, data, model.getFrameId(foot), pinocchio.LOCAL_WORLD_ALIGNED)[:3]
        return M[np.ix_(index, index)], bias[index], R.T @ J[:, index]


def made(path, feet, base="", keep=True):
    """(the Robot of a robot file of a URDF, the joints' names of each limb)"""
    read = urdf.load(path)
    limbs = whole.cut(read, base or read.root, feet, keep_inertias=keep)
    value = whole.to_json(read, limbs, feet, planar.Said(radius=1e-9, center=(0.0, 0.0, 0.0)))
    return parse_robot(value, path.name), [[segment.joint.name for segment in limb.segments] for limb in limbs]


def bare(robot):
    """Without dampers, which pinocchio leaves out, and with points as feet."""
    for limb in robot.limbs:
        limb.foot.radius = 0.0
        for link in limb.links:
            link.damping = 0.0
    return robot


def off(own, truth):
    return float(np.abs(own - truth).max() / max(np.abs(truth).max(), 1e-9))


def unit(values):
    return values / np.linalg.norm(values)


def tables_of(robot):
    """The library's Tables, or None with the reason: inertias that no body has are nothing for firmware."""
    from tinycontact.robots.tables import Tables
    try:
        return Tables(robot), ""
    except TinycontactError as error:
        return None, str(error)


def refused(path, feet, base):
    row = dict.fromkeys(FIELDS, "") | {"robot": path.name, "feet": len(feet)}
    try:
        made(path, feet, base, keep=False)
    except TinycontactError as error:
        return row | {"why": str(error).replace(str(path), "").strip(", :")}
    return row


def judge(path, feet, rng):
    robot, names = made(path, feet)
    robot = bare(robot)
    free, worst = Free(path), dict.fromkeys(FIELDS[5:10], 0.0)
    tables, why = tables_of(robot)
    for k, (limb, foot) in enumerate(zip(robot.limbs, feet)):
        for _ in range(POSTURES):
            q, w = rng.uniform(-1.5, 1.5, (2, limb.joints)) * [[1], [4]]
            omega, alpha, force = rng.normal(size=(3, 3)) * [[2], [20], [8]]
            base = {"quaternion": unit(rng.normal(size=4)), "omega": omega, "alpha": alpha, "force": force}
            truth = free.limb(names[k], foot, q, w, base)
            m = motion.move(limb, q, w, omega, force, alpha=alpha)
            for name, own, other in zip(("M", "bias", "J"), (m.M, m.bias, m.J), truth):
                worst[name] = max(worst[name], off(own, other))
            if tables:
                c = tables.move(k, q, w, omega, force, alpha=alpha)
                for name, own, other in zip(("C_M", "C_bias"), (c.M, c.bias), truth):
                    worst[name] = max(worst[name], off(own, other))
    mass = pinocchio.computeTotalMass(free.model)
    told = {name: f"{value:.1e}" for name, value in worst.items() if tables or not name.startswith("C_")}
    return told | {"robot": path.name, "feet": len(feet), "joints": robot.joints, "mass": f"{robot.mass:.6g}",
                   "mass_error": f"{abs(robot.mass / mass - 1):.1e}", "why": why}


def main(out, *folders):
    found = {path.name: path for folder in folders for path in sorted(Path(folder).rglob("*.urdf"), reverse=True)}
    with open(out, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        rows = [judge(found[name], feet, np.random.default_rng(1)) for name, feet in ROBOTS.items() if name in found]
        rows += [refused(found[name], feet, base) for name, base, feet in REFUSED if name in found]
        for row in rows:
            writer.writerow(row)
            print(row, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
