# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Legs of URDF and MJCF: their equations of motion are MuJoCo's where MuJoCo takes the file as it is, and those of Newton and
Euler everywhere; feet, sensors and axes are where the file has them; a bad file is refused by name."""
import csv
import json
import re
import subprocess
import unittest
from pathlib import Path

import numpy as np

import robot_case
from tinycontact_case import ROOT, Temporary

from tinycontact.errors import TinycontactError
from tinycontact.hil.chain_file import parse_chain
from tinycontact.hil.leg import move
from tinycontact.robot import check, lump, mjcf, planar, urdf

INCLUDES = [f"-I{folder}" for folder in sorted((ROOT / "lib").iterdir()) if folder.is_dir()]
OPTION = '<mujoco><compiler balanceinertia="false" fusestatic="false" inertiafromgeom="false"/></mujoco>'


def peer(text):
    """(M, bias) of MuJoCo for joints by name, at their coordinates and rates."""
    import mujoco
    model = mujoco.MjModel.from_xml_string(re.sub(r"(<robot\b[^>]*>)", rf"\1{OPTION}", text, count=1))
    data = mujoco.MjData(model)

    def equation(names, q, qd, held=()):
        for name, x, xd in [*zip(names, q, qd), *[(*pair, 0.0) for pair in held]]:
            data.qpos[model.joint(name).qposadr[0]], data.qvel[model.joint(name).dofadr[0]] = x, xd
        mujoco.mj_forward(model, data)
        index = [model.joint(name).dofadr[0] for name in names]
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        return M[np.ix_(index, index)], data.qfrc_bias[index].copy(), data.geom_xpos[0].copy() if model.ngeom else None
    equation.model = model
    return equation


def chain_equation(chain, q, qd):
    """(M, bias) of a Chain in its file's signs, its damping left out."""
    leg = chain.planar()
    motion = move(np, leg, list(leg.sign * q), list(leg.sign * qd), 0.0, 0.0, (0.0, leg.g))
    return leg.sign[:, None] * np.array(motion.M) * leg.sign, leg.sign * (np.array(motion.bias) - leg.damping * leg.sign * qd)


def imported(text, base="base", foot="foot", held=None, **said):
    robot = urdf.parse(text, "robot.urdf")
    imu, keep = said.pop("imu", ""), said.pop("keep", False)
    limb = lump.cut(robot, base, foot, held, imu, keep)
    return parse_chain(planar.to_json(robot, limb, foot, planar.Said(**said), held), "leg.json")


class Equations(Temporary):
    def each(self, kinds, flat, count=6):
        for seed in range(count):
            rng = np.random.default_rng([seed, len(kinds)])
            text = robot_case.random_urdf(rng, kinds, flat)
            names = [f"joint{k}" for k in range(len(kinds))]
            yield rng, text, names, peer(text)

    def same(self, one, other, bound):
        for a, b in zip(one, other):
            self.assertLess(np.abs(a - b).max(), bound * max(1e-3, np.abs(b).max()))

    def test_limbs_in_space(self):
        """Axes anywhere: bodies are turned, shifted and added as MuJoCo does."""
        for kinds in (["revolute"], ["revolute", "prismatic", "continuous"], ["revolute"] * 6):
            for rng, text, names, equation in self.each(kinds, False):
                limb = lump.cut(urdf.parse(text, "x"), "base", "foot")
                q, qd = rng.uniform(-2, 2, (2, len(names)))
                self.same(robot_case.equation(limb, q, qd), equation(names, q, qd)[:2], 1e-9)
                base = limb.base_body.mass + sum(segment.body.mass for segment in limb.segments)
                self.assertAlmostEqual(base, sum(link.body.mass for link in urdf.parse(
                    text, "x").links.values() if link.body))

    def test_chain_files(self):
        """The file's signs, its rounding and the library's plane: M, bias and the foot's place are those of the URDF."""
        for kinds in (["revolute", "revolute"], ["prismatic", "revolute", "revolute"], ["revolute"] * 6, ["revolute", "prismatic"]):
            for rng, text, names, equation in self.each(kinds, True, 4):
                chain = imported(text, root="fixed")
                q, qd = rng.uniform(-2, 2, (2, len(names)))
                M, bias, foot = equation(names, q, qd)
                self.same(chain_equation(chain, q, qd), (M, bias), 1e-6)
                np.testing.assert_allclose(check.pose(chain, q).foot, foot[[0, 2]], atol=1e-6)
                for link, name in zip(chain.links, names):
                    dynamics = re.search(rf'name="{name}".*?damping="(.*?)" friction="(.*?)"', text)
                    self.assertAlmostEqual(link.damping, float(dynamics[1]))
                    self.assertAlmostEqual(link.friction, float(dynamics[2]))
                    self.assertEqual((link.name, link.range), (name, (-1.0, 1.5)))

    def test_joints_that_are_held(self):
        """A joint held at a coordinate is part of the links beside it, also one above the base."""
        for rng, text, names, equation in self.each(["revolute", "revolute", "prismatic", "revolute"], False):
            held = {names[0]: 0.7, names[2]: -0.2}
            limb = lump.cut(urdf.parse(text, "x"), "base", "foot", held)
            q, qd = rng.uniform(-2, 2, (2, 2))
            moving = [names[1], names[3]]
            self.same(robot_case.equation(limb, q, qd), equation(moving, q, qd, held.items())[:2], 1e-9)
            self.assertEqual([segment.joint.name for segment in limb.segments], moving)
            below = lump.cut(urdf.parse(text, "x"), "link1", "foot", held)
            mass = [part.base_body.mass + sum(segment.body.mass for segment in part.segments) for part in (limb, below)]
            self.assertAlmostEqual(*mass)
            self.bases(names, below, equation)

    def bases(self, names, below, equation):
        """A limb that begins at link1 has a base of all links above and below but link3: with link3 it is the whole robot, whose
        mass and centre MuJoCo has."""
        import mujoco
        data = mujoco.MjData(equation.model)
        for name, q in zip(names, (0.7, 0.0, -0.2, 0.0)):
            data.qpos[equation.model.joint(name).qposadr[0]] = q
        mujoco.mj_forward(equation.model, data)
        R, p = data.body("link1").xmat.reshape(3, 3), data.body("link1").xpos
        total = below.base_body + below.segments[0].body.seen_in(below.segments[0].frame)
        masses = equation.model.body_mass
        self.assertAlmostEqual(total.mass, masses.sum())
        np.testing.assert_allclose(R @ total.com + p, masses @ data.xipos / masses.sum(), atol=1e-9)

    def test_links_without_mass_and_bodies_that_cannot_be(self):
        """Where MuJoCo refuses a file or balances its inertias, the numbers are the file's: a massless link changes nothing, and
        a kept inertia counts as it is written."""
        rng = np.random.default_rng(3)
        text = robot_case.random_urdf(rng, ["revolute", "revolute"], True)
        bare = text.replace('<link name="foot">', '<link name="bare"/><joint name="b" type="fixed"><parent'
                                                  ' link="link1"/>'
                            '<child link="bare"/></joint><link name="foot">')
        q, qd = rng.uniform(-2, 2, (2, 2))
        np.testing.assert_equal(chain_equation(imported(bare), q, qd), chain_equation(imported(text), q, qd))
        self.assertIn("no file has said: mass of bare, foot (taken as 0)", imported(bare).notes)
        point = bare.replace('<link name="bare"/>', '<link name="bare"><inertial><mass value="0.1"/></inertial></link>')
        self.assertIn("no file has said: inertia of bare (taken as 0)", imported(point).notes)
        odd = text.replace('<link name="foot">', '<link name="odd"><inertial><mass value="0.2"/><inertia ixx="0.001"'
                                                 ' iyy="0.005"'
                           ' izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="o"'
                           ' type="fixed"><parent link="link1"/>'
                           '<child link="odd"/></joint><link name="foot">')
        plain = odd.replace('ixx="0.001"', 'ixx="0.004"')   # a body that can be, the same about y
        with self.assertRaisesRegex(TinycontactError, "link odd: its principal moments.*--keep-inertias"):
            imported(odd)
        self.same(chain_equation(imported(odd, keep=True), q, qd), peer(plain)(["joint0", "joint1"], q, qd)[:2], 1e-6)

    def test_mjcf(self):
        """Joints off their body's origin, two on one body, coordinates that begin at a reference, armature."""
        text = """<mujoco model="two"><compiler angle="radian" autolimits="true"/><worldbody><body name="base" pos="0 0 1"><freejoint/>
          <geom type="box" size=".1 .1 .1" mass="3"/><site name="imu" pos="0.05 0 0.02"/>
          <body name="thigh" pos="0.1 0.05 -0.1" euler="0 0.3 0"><joint name="slide" type="slide" axis="1 0 1" pos="0 0 0.01" ref="0.05"/>
           <joint name="hip" axis="0 1 0" pos="0.01 0 0.02" ref="0.4" armature="0.01" damping="0.2" range="-1 1"/>
           <inertial pos="0.01 0.02 -0.1" mass="0.8" fullinertia="0.003 0.004 0.002 0.0001 0.0002 -0.0001"/>
           <body name="shank" pos="0 0 -0.2" euler="0 -0.5 0"><joint name="knee" axis="0 -1 0" pos="0 0.1 0.01" frictionloss="0.1"/>
            <geom type="capsule" fromto="0 0 0 0.02 0 -0.2" size="0.02" mass="0.3"/>
            <geom name="toe" type="sphere" pos="0.02 0 -0.2" size="0.025" mass="0.05"/></body></body></body></worldbody></mujoco>"""
        import mujoco
        model = mujoco.MjModel.from_xml_string(text)
        data, rng = mujoco.MjData(model), np.random.default_rng(5)
        Path("two.xml").write_text(text)
        robot = mjcf.load("two.xml")
        limb = lump.cut(robot, "base", "toe")
        chain = parse_chain(planar.to_json(robot, limb, "toe", planar.Said()), "x")
        self.assertEqual((chain.foot.radius, chain.name), (0.025, "two"))
        self.assertNotIn("mass of", " ".join(chain.notes))   # a geom's is its body's
        self.assertEqual([link.rotor_inertia for link in chain.links], [0, 0.01, 0])
        self.assertEqual(([link.damping for link in chain.links], chain.links[2].friction, chain.links[1].range),
                         ([0, 0.2, 0], 0.1, (-1.0, 1.0)))
        self.assertIn("assumed: joint slide moves the next joint and no mass between them", chain.notes)
        for _ in range(5):
            q, qd = rng.uniform(-1, 1, (2, 3))
            data.qpos[:7], data.qpos[7:], data.qvel[6:] = [0, 0, 1, 1, 0, 0, 0], q, qd
            mujoco.mj_forward(model, data)
            M = np.zeros((9, 9))
            mujoco.mj_fullM(model, data, M)
            self.same(chain_equation(chain, q, qd), (M[6:, 6:], data.qfrc_bias[6:]), 1e-6)
            foot = data.geom("toe").xpos - data.site("imu").xpos
            np.testing.assert_allclose(check.pose(chain, q).foot, foot[[0, 2]], atol=1e-6)


class Belts(unittest.TestCase):
    ROTOR = np.array([0.0004, 0.0007, 0.0002])

    def text(self, kinds):
        return robot_case.random_urdf(np.random.default_rng(8), kinds, True)

    def test_rotors_behind_belts(self):
        """The mass matrix has C^T diag(rotor gear^2) C beside the links', in the file's coordinates."""
        for kinds, belts in ((["revolute"] * 2, {("joint1", "joint0"): 1.0}), (["revolute"] * 2, {("joint1", "joint0"): -0.4}),
                             (["revolute"] * 2, {("joint0", "joint1"): 0.5}),
                             (["revolute"] * 3, {("joint2", "joint1"): 1.0})):
            rotor = {f"joint{k}": value for k, value in enumerate(self.ROTOR[:len(kinds)])}
            plain, gear = imported(self.text(kinds)), {"": 3.0}
            sign = plain.planar().sign
            if len(kinds) == 3:   # with the same turn of all, a joint before both is not turned by the motor
                with self.assertRaisesRegex(TinycontactError, "--belt.*couples joints"):
                    imported(self.text(kinds), rotor=rotor, belts=belts)
                belts = {("joint2", "joint1"): sign[1] * sign[2], ("joint2", "joint0"): sign[0] * sign[2],
                         ("joint1", "joint0"): sign[0] * sign[1]}
            chain = imported(self.text(kinds), rotor=rotor, gear=gear, belts=belts)
            C = planar.drives_of(belts, [link.name for link in chain.links])
            np.testing.assert_equal(chain.drives, C)
            q = np.random.default_rng(1).uniform(-1, 1, len(kinds))
            before, after = (chain_equation(of, q, 0 * q) for of in (plain, chain))
            np.testing.assert_allclose(after[0] - before[0], C.T @ np.diag(9 * self.ROTOR[:len(kinds)]) @ C, atol=1e-9)
            np.testing.assert_allclose(after[1], before[1], atol=1e-9)

    def test_refused(self):
        rotor = {"joint1": 1e-3}
        ratio = 2.5 * np.prod(imported(self.text(["revolute"] * 2)).planar().sign)
        with self.assertRaisesRegex(TinycontactError, "a chain has no place for the rotors of these belts"):
            imported(self.text(["revolute"] * 2), rotor=rotor, belts={("joint1", "joint0"): ratio})
        for belts, told in (({("joint1", "joint1"): 1.0}, "one joint twice"), ({("joint1", "jiont0"): 1.0}, "did you mean 'joint0'"),
                            ({("joint1", "joint0"): 1.0, ("joint0", "joint1"): 1.0}, "field drives: the motors do not determine")):
            with self.assertRaisesRegex(TinycontactError, told):
                imported(self.text(["revolute"] * 2), belts=belts)


PIECES = {
    "base": '<link name="trunk"><inertial><mass value="5"/><inertia ixx="0.1" iyy="0.2"'
            ' izz="0.2"/></inertial></link>',
    "imu": '<link name="imu_link"/><joint name="imu_joint" type="fixed"><origin xyz="0.05 0 0.1"/><parent'
           ' link="trunk"/>'
           '<child link="imu_link"/></joint>',
    "roll": '<joint name="roll" type="revolute"><origin xyz="0.2 0.1 0"/><parent link="trunk"/><child'
            ' link="hip"/><axis xyz="1 0 0"/>'
            '<limit lower="-0.5" upper="0.5"/></joint>',
    "hip": '<link name="hip"><inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.001"'
           ' izz="0.001"/></inertial></link>',
    "pitch": '<joint name="pitch" type="continuous"><parent link="hip"/><child link="thigh"/><axis xyz="0 1'
             ' 0"/></joint>',
    "thigh": '<link name="thigh"><inertial><origin xyz="0 0 -0.1"/><mass value="0.6"/><inertia ixx="0.002"'
             ' iyy="0.002" izz="0.0005"/>'
             '</inertial></link>',
    "knee": '<joint name="knee" type="revolute"><origin xyz="0 0 -0.2"/><parent link="thigh"/><child'
            ' link="shank"/><axis xyz="0 1 0"/>'
            '<limit lower="-2.5" upper="-0.2"/></joint>',
    "shank": '<link name="shank"><inertial><origin xyz="0 0 -0.1"/><mass value="0.25"/><inertia ixx="0.0008"'
             ' iyy="0.0008" izz="0.0001"/>'
             '</inertial></link>',
    "end": '<joint name="end" type="fixed"><origin xyz="0 0 -0.2"/><parent link="shank"/><child'
           ' link="foot"/></joint>',
    "foot": '<link name="foot"><collision><geometry><sphere radius="0.02"/></geometry></collision></link>',
    "rest": "", "head": '<robot name="one">', "tail": "</robot>"}


def leg_urdf(**parts):
    """A hip that rolls, a thigh and a shank of round numbers; each of `parts` replaces a piece of it."""
    pieces = PIECES | parts
    head, tail = pieces.pop("head"), pieces.pop("tail")
    return head + "".join(pieces.values()) + tail


HELD = {"roll": 0.0}


class Understood(unittest.TestCase):
    def test_origin_axes_and_notes(self):
        chain = imported(leg_urdf(), "trunk", held=HELD)
        np.testing.assert_allclose(chain.links[0].origin, [0.15, 0.1, -0.1])
        np.testing.assert_equal([link.axis for link in chain.links], [[0, 1, 0]] * 2)
        self.assertEqual((chain.root, chain.base_mass), ("floating", 5.5))
        for note in ("assumed: joint roll stays at 0 (--hold)", "origin: that of imu_link, where the accelerometer is",
                     "no file has said: rotor inertia (taken as 0; --rotor, --gear) of pitch, knee",
                     "no file has said: friction (taken as 0; --friction) of pitch, knee",
                     "axes: x forward is (1, 0, 0), y the joints' axis (0, 1, 0), z up (0, 0, 1), in the frame of"
                     " trunk"):
            self.assertIn(note, chain.notes)
        behind = imported(leg_urdf(), "hip")
        np.testing.assert_allclose(behind.links[0].origin, 0)
        self.assertAlmostEqual(behind.base_mass, 5.5)
        self.assertIn("assumed: the accelerometer is at the origin of hip (--imu LINK)", behind.notes)

    def test_imus(self):
        """One link with the word in its name is the origin, of two neither; a simulator's link is none."""
        def fixed(name):
            return (f'<link name="{name}"/><joint name="to_{name}" type="fixed"><origin xyz="0 0 0.3"/><parent link="trunk"/>'
                    f'<child link="{name}"/></joint>')
        for more, kept in (("simulator", -0.1), ("my_imu2", 0.0)):
            chain = imported(leg_urdf(rest=fixed(more)), "trunk", held=HELD)
            self.assertAlmostEqual(chain.links[0].origin[2], kept)
        self.assertIn("assumed: the accelerometer is at the origin of trunk (--imu LINK); links that may be one: imu_link, my_imu2",
                      chain.notes)
        self.assertAlmostEqual(imported(leg_urdf(rest=fixed("my_imu2")), "trunk", held=HELD, imu="my_imu2").links[0].origin[2], -0.3)

    def test_other_base_axes(self):
        """A base whose z is forward and whose y is up; one whose leg swings sideways."""
        turned = leg_urdf(roll='<joint name="roll" type="fixed"><origin rpy="-1.5707963267948966 -1.5707963267948966'
                               ' 0"/><parent link="trunk"/>'
                          '<child link="hip"/></joint>', imu="")
        chain = imported(turned, "trunk", up="y")
        np.testing.assert_allclose(chain.links[1].origin, [0, 0, -0.2], atol=1e-9)
        np.testing.assert_allclose(chain.links[0].axis, [0, 1, 0])
        self.assertIn(
            "axes: x forward is (0, 0, 1), y the joints' axis (1, 0, 0), z up (0, 1, 0), in the frame of"
            " trunk", chain.notes)
        with self.assertRaisesRegex(TinycontactError, "joint pitch: turns about .* say --up"):
            imported(turned, "trunk", up="x")
        sideways = leg_urdf(pitch='<joint name="pitch" type="revolute"><origin rpy="0 0 1.5707963267948966"/><parent'
                                  ' link="hip"/>'
                            '<child link="thigh"/><axis xyz="0 2 0"/></joint>', imu="")
        chain = imported(sideways, "trunk", held=HELD)
        np.testing.assert_allclose(chain.links[0].axis, [0, 1, 0])
        np.testing.assert_allclose(chain.links[0].origin, [0.1, -0.2, 0])
        self.assertIn(
            "axes: x forward is (0, 1, 0), y the joints' axis (-1, 0, 0), z up (0, 0, 1), in the frame of"
            " trunk", chain.notes)

    def test_joints_about_x(self):
        """A leg that swings sideways: its inertia about its joints' axes is the links' about x."""
        parts = {name: leg_urdf_part.replace('xyz="0 1 0"', 'xyz="1 0 0"') for name, leg_urdf_part in PIECES.items()}
        parts["thigh"] = parts["thigh"].replace('ixx="0.002"', 'ixx="0.0023"')
        chain = imported(leg_urdf(**parts), "trunk", root="fixed")
        self.assertEqual([link.name for link in chain.links], ["roll", "pitch", "knee"])
        self.assertAlmostEqual(chain.links[1].inertia[1], 0.0023)
        np.testing.assert_equal([link.axis for link in chain.links], [[0, -1, 0]] * 3)
        np.testing.assert_allclose(chain.links[0].origin, [0.1, -0.15, -0.1])   # x is the base's y

    def test_motors(self):
        geared = leg_urdf(rest='<transmission name="t"><type>x</type><joint name="knee"/><actuator'
                               ' name="m"><mechanicalReduction>6'
                          '</mechanicalReduction></actuator></transmission><transmission name="u"><joint'
                          ' name="pitch"/><actuator name="n">'
                          '<drake:gear_ratio value="10"/><drake:rotor_inertia value="1e-5"/></actuator></transmission>')
        chain = imported(geared, "trunk", held=HELD)   # the prefix drake is not declared
        self.assertEqual([link.rotor_inertia for link in chain.links], [1e-3, 0.0])
        chain = imported(geared, "trunk", held=HELD, rotor={"": 2e-5},
                         damping={"": 0.1, "knee": 0.2}, friction={"knee": 0.3})
        np.testing.assert_allclose([link.rotor_inertia for link in chain.links], [2e-3, 2e-5 * 36])
        self.assertEqual(([link.damping for link in chain.links], chain.links[1].friction), ([0.1, 0.2], 0.3))
        self.assertIn("assumed: joint knee: gear 6, the file's transmission", chain.notes)
        chain = imported(leg_urdf(), "trunk", held=HELD, rotor={"": 2e-5}, gear={"knee": 5.0})
        np.testing.assert_allclose([link.rotor_inertia for link in chain.links], [2e-5, 5e-4])
        self.assertIn("assumed: joint pitch: no gear, so its rotor's inertia is as given (--gear)", chain.notes)

    def test_feet(self):
        mesh = ('<link name="foot"><collision><geometry><mesh'
                ' filename="package://gone/foot.stl"/></geometry></collision></link>')
        with self.assertRaisesRegex(TinycontactError, "link foot: the foot is a mesh; .*--radius"):
            imported(leg_urdf(foot=mesh), "trunk", held=HELD)
        chain = imported(leg_urdf(foot=mesh), "trunk", held=HELD, radius=0.03, center=(0.01, 0, -0.02))
        np.testing.assert_allclose([chain.foot.radius, *chain.foot.center], [0.03, 0.01, 0, -0.22])
        self.assertIn("assumed: the foot's centre is the origin of link foot (--center)",
                      imported(leg_urdf(foot=mesh), "trunk", held=HELD, radius=0.03).notes)
        with self.assertRaisesRegex(TinycontactError, "link foot: the foot has no collision shape"):
            imported(leg_urdf(foot='<link name="foot"/>'), "trunk", held=HELD)
        sphere = '<collision><origin xyz="{} 0 0"/><geometry><sphere radius="0.01"/></geometry></collision>'
        with self.assertRaisesRegex(TinycontactError, "link foot: the foot has 2 spheres"):
            imported(
                leg_urdf(foot=f'<link name="foot">{sphere.format(0.1)}{sphere.format(-0.1)}</link>'), "trunk", held=HELD)


class Refusals(Temporary):
    def refused(self, told, text=None, base="trunk", foot="foot", **options):
        with self.assertRaisesRegex(TinycontactError, told):
            imported(leg_urdf() if text is None else text, base, foot, **{"held": HELD, **options})

    def test_files(self):
        self.refused("robot.urdf, line 1, column 22: is no XML", "<robot name='x'><a></robot>")
        self.refused("begins with <sdf>; a URDF", "<sdf/>")
        self.refused("is MJCF: read it with --mjcf", "<mujoco/>")
        self.refused("has xacro macros: `xacro", '<robot name="x"><xacro:macro name="y"/></robot>')
        self.refused("has no <link>", '<robot name="x"/>')
        self.refused("<link> number 7 has no name", leg_urdf(rest="<link/>"))
        self.refused("two links are named 'foot'", leg_urdf(rest='<link name="foot"/>'))

    def test_trees(self):
        self.refused("joint end: there is no link 'shnak'; did you mean 'shank'", leg_urdf(
            end='<joint name="end" type="fixed"><parent link="shnak"/><child link="foot"/></joint>'))
        self.refused("links trunk, lamp hang on no joint; a robot has one root", leg_urdf(rest='<link name="lamp"/>'))
        self.refused("joint twice: link 'foot' hangs on joint end already", leg_urdf(
            rest='<joint name="twice" type="fixed"><parent link="trunk"/><child link="foot"/></joint>'))
        self.refused("the joints form a ring", leg_urdf(
            rest='<joint name="back" type="fixed"><parent link="foot"/><child link="trunk"/></joint>'))
        self.refused("the joints form a ring through link", leg_urdf(
            rest='<link name="a"/><link name="b"/><joint name="x" type="fixed"><parent link="a"/><child'
                 ' link="b"/></joint>'
                 '<joint name="y" type="fixed"><parent link="b"/><child link="a"/></joint>'))
        self.refused("--foot: there is no link 'food'; did you mean 'foot'", foot="food")
        self.refused("--base 'knee' is a joint; its link is 'shank'", base="knee")
        self.refused(
            "the foot 'foot' does not hang on the base 'imu_link'; above the foot are trunk, hip, thigh,"
            " shank", base="imu_link")
        self.refused("--base and --foot are the same link", base="foot")
        self.refused("no joint between 'shank' and 'foot' moves", base="shank", held={})
        self.refused("--hold: there is no joint 'rol'; did you mean 'roll'", held={"rol": 0.0})
        self.refused("joint end: is fixed already", held={"end": 0.0})
        self.refused("--imu: there is no link 'imu'; did you mean 'imu_link'", imu="imu")
        self.refused("--imu 'shank' is not fixed to the base", imu="shank")

    def test_joints(self):
        self.refused("joint roll: its axis is not parallel.*begin behind it \(--base hip\), or hold it \(--hold"
                     " roll=0\)", held={})
        self.refused("joint knee: its axis is zero", leg_urdf(knee=self.knee('<axis xyz="0 0 0"/>')))
        self.refused("joint knee: follows joint pitch \(<mimic>\)", leg_urdf(
            knee=self.knee('<axis xyz="0 1 0"/><mimic joint="pitch"/>')))
        self.refused("joint knee: is floating; joints of a leg are revolute, continuous or prismatic; hold it with --hold"
                     " knee=0", leg_urdf(knee=self.knee("", "floating")))
        free = ('<link name="world"/><joint name="free" type="floating"><parent link="world"/><child link="trunk"/></joint>')
        self.refused("joint free: is floating; joints of a leg are revolute, continuous or prismatic; begin behind it"
                     " \\(--base trunk\\)", leg_urdf().replace("</robot>", free + "</robot>"), base="world")
        self.refused("joint knee: its lower limit 1 is above the upper one -1",
                     leg_urdf(knee=self.knee('<axis xyz="0 1 0"/><limit lower="1" upper="-1"/>')))
        self.refused("joint knee: xyz='0 one 0' of <axis> is not 3 numbers",
                     leg_urdf(knee=self.knee('<axis xyz="0 one 0"/>')))
        self.refused("joint knee: has no <child>", leg_urdf(
            knee='<joint name="knee" type="revolute"><parent link="thigh"/></joint>'))
        self.refused("joint knee: <joint> has no type", leg_urdf(knee='<joint name="knee"/>'))
        self.refused("joint knee: slides along .* out of the leg's plane",
                     leg_urdf(knee=self.knee('<axis xyz="0 1 0"/>', "prismatic")))
        self.refused("joint wheel: moves link wheel, which hangs on the leg.*--hold wheel=0", leg_urdf(
            rest='<link name="wheel"/><joint name="wheel" type="continuous"><parent link="shank"/><child'
                 ' link="wheel"/></joint>'))
        self.refused("--rotor: no joint 'kne' of the leg moves; did you mean 'knee'", rotor={"kne": 1.0})

    def knee(self, parts, kind="revolute"):
        return (f'<joint name="knee" type="{kind}"><origin xyz="0 0 -0.2"/><parent link="thigh"/><child'
                f' link="shank"/>{parts}</joint>')

    def test_bodies(self):
        def shank(mass, *moments):
            xx, yy, zz = moments
            return leg_urdf(shank=f'<link name="shank"><inertial><mass value="{mass}"/><inertia ixx="{xx}" iyy="{yy}"'
                                  f' izz="{zz}"/>'
                            "</inertial></link>")
        self.refused("joint knee: what it moves has no mass \(links shank, foot\); an <inertial> is missing",
                     leg_urdf(shank='<link name="shank"/>'))
        self.refused("link shank: its mass is -1 kg", shank(-1, 1, 1, 1), keep=True)
        self.refused("link shank: its principal moments of inertia are -0.1, 1, 1 kg m\^2; none is negative",
                     shank(1, 1, -0.1, 1))
        self.refused("link shank: .* the largest is at most the sum", shank(1, 1, 0.1, 0.1))
        self.refused("joint knee: what it moves has inertia 0 kg m\^2 about its axis", shank(1, 0, 0, 0))
        self.refused("link shank: mass value", leg_urdf(shank='<link name="shank"><inertial><mass'
                                                              ' value="heavy"/></inertial></link>'))             if False else self.refused("link shank: value='heavy' of <mass> is not a number", leg_urdf(
                shank='<link name="shank"><inertial><mass value="heavy"/></inertial></link>'))
        self.refused("link shank: <inertial> has no <mass>", leg_urdf(shank='<link name="shank"><inertial/></link>'))

    def test_mjcf(self):
        def refused(told, text):
            Path("x.xml").write_text(text)
            with self.assertRaisesRegex(TinycontactError, told):
                robot = mjcf.load("x.xml")
                planar.to_json(robot, lump.cut(robot, "base", "foot"), "foot", planar.Said())
        body = ('<mujoco><worldbody><body name="base"><geom size="0.1"/><body name="leg"><joint name="hip" {}/><geom'
                ' size="0.1"/>'
                '<body name="foot"><geom size="0.1"/></body></body><body name="other"><joint name="rod"/><geom'
                ' size="0.1"/></body></body>'
                '</worldbody>{}</mujoco>')
        refused("x.xml: MuJoCo does not read it", "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>")
        refused("joint hip: is ball; joints of a leg", body.format('type="ball"', ""))
        refused("joint hip: follows joint rod", body.format('axis="0 1 0"',
                '<equality><joint joint1="hip" joint2="rod"/></equality>'))
        refused("joint hip: is part of a closed loop", body.format('axis="0 1 0"', '<equality><connect body1="leg" body2="other"'
                                                                                  ' anchor="0 0 0"/></equality>'))


class Evidence(unittest.TestCase):
    """tests/robot/robots.csv, which `make robot-compare` writes, and the numbers of its page."""

    def test_other_peoples_robots(self):
        folder = ROOT / "tests" / "robot"
        with open(folder / "robots.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        compared = [row for row in rows if row["pinocchio"] and int(row["limbs"])]
        chains = [row for row in compared if int(row["chains"])]
        worst = [max(float(row[name]) for row in part) for part, name in ((compared, "pinocchio"), (chains, "chain_error"))]
        self.assertLess(worst[0], 1e-6)
        self.assertLess(worst[1], 1e-5)
        page = (folder / "README.md").read_text(encoding="utf-8")
        for part, count, error in ((compared, "limbs", worst[0]), (chains, "chains", worst[1])):
            told = f"| {len(part)} | {sum(int(row[count]) for row in part)} | {error:.1e} |".replace("e-0", "e-")
            self.assertIn(told, page)
        refused = sum("mujoco:" in row["why"] for row in rows)
        other = sum(bool(row["mujoco"]) and float(row["mujoco"]) > 1e-6 for row in compared)
        self.assertIn(f"MuJoCo refuses {refused} of the {len(rows)} files and gives other dynamics for {other}", page)


class Commands(Temporary):
    def setUp(self):
        super().setUp()
        Path("robot.urdf").write_text(leg_urdf())

    def test_from_urdf_to_c(self):
        out, err = self.command("leg import", "robot.urdf", "--foot", "foot", "--hold", "roll=0", "--rotor", "1e-5", "--gear", "knee=9",
                                "--gear", "6", "--belt", "knee:pitch=1", "-o", "leg.json", "--plot", "leg.png")
        self.assertIn("leg.json: 2 joints from trunk to foot: pitch, knee", out)
        self.assertIn("  assumed: joint roll stays at 0 (--hold)\n", out)
        self.assertEqual(err, "")
        self.assertGreater(Path("leg.png").stat().st_size, 20000)
        out, err = self.command("leg check", "leg.json", "--plot", "check.png")
        self.assertIn("motor   1: 1 pitch + 1 knee", out)
        self.assertEqual(err, "")
        out, _ = self.command("leg export", "leg.json", "--c", "firmware/leg", "--tick",
                              "0.002", "--encoder-bits", "14", "--set", "force=90")
        self.assertIn("make run BOARD=mps2-an386 APP=firmware/leg", out)
        text = Path("firmware/leg/leg.c").read_text()
        self.assertIn("config->force = 0x1.68p+6f; /* 90 */", text)
        self.assertIn("/* 16384 */", text)
        self.assertIn("assumed: joint roll stays at 0 (--hold)", text)

    def test_a_configuration(self):
        """Rate, sensors and tuned numbers of --config, and one of --set that changes a joint's."""
        self.command("leg import", "robot.urdf", "--foot", "foot", "--base", "hip", "-o", "leg.json")
        Path("config.json").write_text(json.dumps({
            "rate": 500, "sensors": {"encoder": [{"bits": 14}, {"bits": 12, "gear": 6}], "gyro": {"range": 1000}},
            "settings": {"torque_noise": [0.25, 0.5], "frozen": 9}}))
        self.command("leg export", "leg.json", "--c", "out", "--config", "config.json", "--set", "torque_noise[1]=0.75")
        header, source = Path("out/leg.h").read_text(), Path("out/leg.c").read_text()
        self.assertIn("/* 0.002 s */", header)
        for words in ("encoder_counts[0] = 0x1p+14f;", "encoder_counts[1] = 0x1.8p+14f;", "/* 17.4533 */",
                      "config->torque_noise[0] = 0x1p-2f;", "config->torque_noise[1] = 0x1.8p-1f;", "config->frozen = 9;"):
            self.assertIn(words, source)
        subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", *INCLUDES, "-c", "out/leg.c", "-o", "leg.o"], check=True)

    def test_refused(self):
        self.refused("leg", "import", "robot.urdf", "-o", "x.json",
                     told=("--foot LINK is missing", "the root is 'trunk'", "foot"))
        self.refused("leg", "import", "none.urdf", "--foot", "foot", "-o", "x.json", told=("none.urdf",))
        self.refused("leg", "import", "robot.urdf", "--foot", "foot", "-o",
                     "x.json", told=("joint roll: its axis is not parallel",))
        for option, word, told in (("--rotor", "knee=x", "no VALUE or JOINT=VALUE"), ("--rotor", "-1", "negative"), ("--hold", "3", "JOINT=COORDINATE"),
                                   ("--belt", "knee=1", "JOINT:BEFORE=RATIO"),
                                   ("--belt", "knee:pitch", "knee:hip=1"), ("--gear", "-9", "not above 0"), ("--center", "1,2", "X,Y,Z"), ("--radius", "-1", "radius")):
            self.refused("leg", "import", "robot.urdf", "--foot", "foot",
                         "-o", "x.json", f"{option}={word}", told=(told,))
        self.assertFalse(Path("x.json").exists())
        self.command("leg import", "robot.urdf", "--foot", "foot", "--base", "hip", "-o", "leg.json")
        Path("config.json").write_text('{"rate": 500}')
        for words, told in ((("--set", "forse[1]=1"), "the estimator's configuration; the nearest is force"),
                            (("--set", "force=-1"), "--set force=-1: out of its range"),
                            (("--config", "config.json", "--encoder-bits", "12"), "--encoder-bits: config.json has rate"),
                            (("--config", "config.json", "--tick", "0.001"), "--tick: config.json has rate")):
            self.refused("leg", "export", "leg.json", "--c", "out", *words, told=(told,))
        self.assertFalse(Path("out").exists())
        self.refused("leg", "export", "leg.json", "--c", "out", "--tick", "1", told=("--tick", "between"))


if __name__ == "__main__":
    unittest.main()
