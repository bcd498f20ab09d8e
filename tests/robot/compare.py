# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The reader of URDF beside pinocchio's and MuJoCo's, on other people's robots: a row for each file.

    make robot-compare [ROBOTS="FOLDER ..."]

From the root to each tip of a robot a limb is cut, the other joints held at 0. Mass matrix and bias of the limb, by the Newton
and Euler of robot_case.py, are compared with the other library's at five random postures; a limb whose axes are
parallel also as a chain file, in the library's own axes. Errors are relative to the largest entry. Neither library nor
robots belong to this repository: the robots used are named in README.md.
"""
import csv
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

import mujoco                       # noqa: E402
import numpy as np                  # noqa: E402
import pinocchio                    # noqa: E402
from robot_case import equation     # noqa: E402

from tinycontact.errors import TinycontactError          # noqa: E402
from tinycontact.hil.chain_file import parse_chain       # noqa: E402
from tinycontact.hil.leg import move                     # noqa: E402
from tinycontact.robot import lump, planar, urdf         # noqa: E402

FIELDS = ("robot", "links", "limbs", "refused", "pinocchio", "chains", "chain_error", "mujoco", "mujoco_limbs", "why")
POSTURES, MOST_JOINTS = 5, 8


def limbs_of(robot):
    """{tip: Limb or the refusal} of all tips that a joint moves."""
    cut = {}
    for tip in robot.tips():
        path = robot.above(tip)
        moving = [joint for joint in path if joint.kind != "fixed"]
        if not moving or len(moving) > MOST_JOINTS:
            continue
        held = {joint.name: 0.0 for joint in robot.joints if joint.kind != "fixed" and joint not in path}
        try:
            cut[tip] = lump.cut(robot, robot.root, tip, held, keep_inertias=True)
        except TinycontactError as error:
            cut[tip] = str(error).split(": ", 1)[-1]
    unique = {}
    for tip, limb in cut.items():
        key = limb if isinstance(limb, str) else tuple(segment.joint.name for segment in limb.segments)
        unique.setdefault(key, (tip, limb))
    return dict(unique.values())


class Pinocchio:
    def __init__(self, path):
        self.model = pinocchio.buildModelFromUrdf(str(path))
        self.data = self.model.createData()

    def equation(self, names, q, qd):
        full, rate = pinocchio.neutral(self.model), np.zeros(self.model.nv)
        index = []
        for name, x, xd in zip(names, q, qd):
            joint = self.model.joints[self.model.getJointId(name)]
            full[joint.idx_q:joint.idx_q + joint.nq] = [np.cos(x), np.sin(x)] if joint.nq == 2 else [x]
            rate[joint.idx_v] = xd
            index.append(joint.idx_v)
        M = np.array(pinocchio.crba(self.model, self.data, full))
        M = np.triu(M) + np.triu(M, 1).T - np.diag(self.model.armature)
        bias = pinocchio.nonLinearEffects(self.model, self.data, full, rate)
        return M[np.ix_(index, index)], bias[index]


class MuJoCo:
    """MuJoCo's own reader, meshes left out, as a person would call it."""

    def __init__(self, path):
        import re
        text = path.read_text(encoding="utf-8", errors="replace")
        text = re.sub(r"<(visual|collision)\b.*?</\1>", "", text, flags=re.S)
        text = re.sub(r"<mujoco>.*?</mujoco>", "", text, flags=re.S)
        option = '<mujoco><compiler discardvisual="false" balanceinertia="true" fusestatic="true"/></mujoco>'
        self.model = mujoco.MjModel.from_xml_string(re.sub(r"(<robot\b[^>]*>)", rf"\1{option}", text, count=1))
        self.data = mujoco.MjData(self.model)

    def equation(self, names, q, qd):
        self.data.qpos[:], self.data.qvel[:] = self.model.qpos0, 0.0
        index = []
        for name, x, xd in zip(names, q, qd):
            joint = self.model.joint(name)
            self.data.qpos[joint.qposadr[0]], self.data.qvel[joint.dofadr[0]] = x, xd
            index.append(joint.dofadr[0])
        mujoco.mj_forward(self.model, self.data)
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, M, self.data.qM) if "qM" in dir(
            self.data) else mujoco.mj_fullM(self.model, self.data, M)
        M -= np.diag(self.model.dof_armature)
        return M[np.ix_(index, index)], self.data.qfrc_bias[index]


def off(one, other):
    return max(np.abs(a - b).max() / max(np.abs(b).max(), 1e-6) for a, b in zip(one, other))


def chain_equation(chain, q, qd):
    leg = chain.planar()
    motion = move(np, leg, list(leg.sign * q), list(leg.sign * qd), 0.0, 0.0, (0.0, leg.g))
    M = np.array(motion.M) - np.diag(leg.rotor)
    bias = np.array(motion.bias) - leg.damping * leg.sign * qd
    return leg.sign[:, None] * M * leg.sign, leg.sign * bias


def opened(kind, path):
    try:
        return kind(path), ""
    except Exception as error:   # whatever they raise
        return None, str(error).strip().splitlines()[0][:100]


def judge(path, rng):
    row = dict.fromkeys(FIELDS, "")
    row["robot"] = path.name
    try:
        robot = urdf.load(path)
    except TinycontactError as error:
        return row | {"why": str(error).replace(str(path), "").strip(", :")}
    limbs = limbs_of(robot)
    good = {tip: limb for tip, limb in limbs.items() if not isinstance(limb, str)}
    row |= {"links": len(robot.links), "limbs": len(good), "refused": len(limbs) - len(good)}
    peers = {"pinocchio": opened(Pinocchio, path), "mujoco": opened(MuJoCo, path)}
    worst, chains, chain_error, differ = dict.fromkeys(peers, 0.0), 0, 0.0, 0
    for tip, limb in good.items():
        names = [segment.joint.name for segment in limb.segments]
        try:
            chain = parse_chain(planar.to_json(robot, limb, tip, planar.Said(radius=0.02, root="fixed")), path.name)
            chains += 1
        except TinycontactError:
            chain = None
        here = 0.0
        for _ in range(POSTURES):
            q, qd = rng.uniform(-1.5, 1.5, (2, len(names)))
            own = equation(limb, q, qd)
            for kind, (peer, _) in peers.items():
                if peer is not None:
                    error = off(own, peer.equation(names, q, qd))
                    worst[kind] = max(worst[kind], error)
                    here = max(here, error) if kind == "mujoco" else here
            if chain is not None:
                chain_error = max(chain_error, off(chain_equation(chain, q, qd), own))
        differ += int(here > 1e-6)
    why = [f"{kind}: {told}" for kind, (_, told) in peers.items() if told]
    why += [f"refused: {limb}" for limb in limbs.values() if isinstance(limb, str)][:1]
    row |= {kind: f"{worst[kind]:.1e}" for kind in peers if peers[kind][0] is not None and good}
    return row | {"chains": chains, "chain_error": f"{chain_error:.1e}" if chains else "", "mujoco_limbs": differ,
                  "why": "; ".join(why)}


def main(out, *folders):
    files = sorted({path.name: path for folder in folders for path in sorted(Path(folder).rglob("*.urdf"))}.values(),
                   key=lambda path: path.name)
    with open(out, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        for path in files:
            row = judge(path, np.random.default_rng(1))
            writer.writerow(row)
            print(row, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
