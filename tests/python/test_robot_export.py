# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A leg as C: the tables are the chain file's numbers, the program's estimates are the library's, and what cannot be is
refused."""
import dataclasses
import re
import subprocess
import unittest
from pathlib import Path

import numpy as np

from tinycontact_case import ROOT, Temporary, tc
from tinycontact.errors import TinycontactError
from tinycontact.hil import chain_file
from tinycontact.hil.estimate import Estimator
from tinycontact.hil.leg import move
from tinycontact.robot import export, sample

CHAINS = ROOT / "tests" / "hil" / "chains"
INCLUDES = [f"-I{folder}" for folder in sorted((ROOT / "lib").iterdir()) if folder.is_dir()]
STRICT = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef",
          "-Wdouble-promotion", "-Wstrict-prototypes", "-Wmissing-prototypes"]


def leg(**changes):
    """A Chain of one joint that slides and two that turn, whose axes are opposite."""
    text = {"root": "floating", "g": 9.81, "name": "a leg of /* three */", "notes": ["knee: a stop at 0.1 rad"],
            "links": [
                {"joint": "prismatic", "axis": [0.6, 0, -0.8], "origin": [0.01, 0.02, -0.03], "mass": 0.7,
                 "com": [0.01, 0, -0.02], "inertia": [0.002, 0.003, 0.001], "range": [-0.05, 0.05], "name": "slide"},
                {"joint": "revolute", "axis": [0, 1, 0], "origin": [0, 0.03, -0.1], "mass": 0.5, "com": [0.02, 0, -0.1],
                 "inertia": 0.002, "rotor_inertia": 0.004, "damping": 0.02, "friction": 0.3},
                {"joint": "revolute", "axis": [0, -1, 0], "origin": [0.01, 0, -0.2], "mass": 0.3, "com": [0, 0, -0.09],
                 "inertia": 0.001, "rotor_inertia": 0.005, "range": [0.1, 2.0]}],
            "foot": {"shape": "sphere", "radius": 0.02, "center": [0.01, 0, -0.2]}, **changes}
    return chain_file.parse_chain(text, "three.json")


COUPLED = [[1.0, 0, 0], [0, 1.0, 0], [0, 1.0, 2.0]]


CALLS = """#include "leg.h"
#include <stdio.h>
int main(void)
{
    static leg_memory memory;
    leg_readings r = {.motor = {0.1f, 0.2f, 0.7f}, .torque = {1.0f, 2.0f, 3.0f}, .gyro = 0.25f, .accel = {0.5f, 9.5f},
                      .pitch = 0.125f, .base_velocity = 0.75f, .touch = 1.0f, .given = TC_GIVEN_PITCH | TC_GIVEN_TOUCH};
    tc_estimator_sensors s;
    tc_estimator_estimate now = {.contact = 0u}, kept;
    leg_sensors(&r, &s);
    for (int i = 0; i < 3; i++) {
        printf("%.6g %.6g ", (double)s.encoder[i], (double)s.torque[i]);
    }
    printf("%g %g %g %g %g %g %u\\n", (double)s.gyro, (double)s.accel[0], (double)s.accel[1], (double)s.pitch,
           (double)s.base_velocity, (double)s.touch, (unsigned)s.given);
    int status = (int)leg_start(&memory, &r);
    printf("%d ", status);
    status = (int)leg_update(&memory, &r, &now);
    kept = now;
    printf("%d ", status);
    status = (int)leg_update(&memory, NULL, &now);
    printf("%d %d %u ", status, now.p[0] == kept.p[0], (unsigned)memory.lost);
    r.accel[0] = 1e30f;
    status = (int)leg_update(&memory, &r, &now);
    printf("%d %d %u %u ", status, now.p[0] == kept.p[0], (unsigned)memory.lost, (unsigned)now.flags);
    r.accel[0] = 0.5f;
    status = (int)leg_update(&memory, &r, &now);
    printf("%d %u %u\\n", status, (unsigned)memory.lost, (unsigned)now.flags);
    return 0;
}
"""


class Exports(Temporary):
    def test_readings_and_lost_ticks(self):
        """Signs and coordinates of a coupled leg's readings; a tick that is lost or refused keeps the estimate, and the next
        one knows of it."""
        chain = dataclasses.replace(leg(), drives=np.array(COUPLED))
        export.write(chain, ".")
        Path("main.c").write_text(CALLS)
        library = tc.Library()._c._name
        subprocess.run(["gcc", *STRICT, *INCLUDES, "main.c", "leg.c", library, f"-Wl,-rpath,{Path(library).parent}", "-o", "p"], check=True)
        lines = subprocess.run(["./p"], check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()
        sensors = [float(word) for word in lines[0].split()]
        # motors 0.1, 0.2, 0.7 of COUPLED are joints 0.1, 0.2, 0.25; the second's axis is opposite to the library's
        np.testing.assert_allclose(sensors[:6], [0.1, 1, -0.2, -5, 0.25, 6], rtol=1e-5)
        np.testing.assert_allclose(sensors[6:], [-0.25, 0.5, 9.5, -0.125, 0.75, 1, 5])
        start, first, none, kept, lost, refused, again, twice, stale, last, zero, flags = map(int, lines[1].split())
        self.assertEqual((start, first, kept, lost, again, twice, last, zero), (0, 0, 1, 1, 1, 2, 0, 0))
        self.assertLess(max(none, refused), 0)
        self.assertTrue(stale & 1 and flags & 2 and not flags & 1)   # TC_ESTIMATE_STALE, TC_ESTIMATE_LOST

    def built(self, chain, name="leg", **options):
        """(what it printed, Written) of the exported program on this machine, with the library that Python loads."""
        written = export.write(chain, "out", name=name, **options)
        library = tc.Library()._c._name
        own = [str(path) for path in written.paths if path.suffix == ".c"]
        subprocess.run(["gcc", *STRICT, *INCLUDES, *own, library,
                       f"-Wl,-rpath,{Path(library).parent}", "-o", "program"], check=True)
        return subprocess.run(["./program"], check=True, text=True, stdout=subprocess.PIPE).stdout, written

    def same(self, chain, tick=1e-3, settings=None, sensing=export.Sensing(), **options):
        """The program reports each touch-down and lift-off in the tick in which the library called from Python does."""
        said, written = self.built(chain, tick=tick, settings=settings or {}, sensing=sensing, **options)
        estimates = Estimator(chain, tick=tick, sensors=sensing, **(settings or {})).run(written.sample.episode(chain), given=())
        changes = np.flatnonzero(np.diff(np.concatenate([[0], estimates["contact"]]))) * tick
        at = [int(word) for word in re.findall(r"at (\d+) us", said)]
        self.assertGreater(len(at), 3)
        np.testing.assert_allclose(at, changes * 1e6, atol=1)
        right, ticks = map(int, re.search(r"right in (\d+) of (\d+)", said).groups())
        self.assertEqual((right, ticks), (int((estimates["contact"] == written.sample.contact).sum()), len(written.sample.contact)))
        self.assertGreater(right / ticks, 0.95)
        self.assertGreater(written.sample.contact.sum(), 50)

    def test_the_program_estimates_as_the_library(self):
        chain = chain_file.load_chain(CHAINS / "leg.json")
        self.same(chain)
        self.same(chain, 2e-3, {"force": 100.0, "torque_noise": [0.08, 0.07], "encoder_step[1]": 3e-4, "frozen": 9},
                  export.Sensing(encoder_bits=12, encoder_gear=9.0, gyro_noise=0.01, accel_noise=0.1, torque_limit=300.0))

    def test_coupled_joints_of_either_sign(self):
        """Motors that turn two joints, a joint that slides, and dry friction."""
        for drives in (None, np.array(COUPLED)):
            self.same(dataclasses.replace(leg(), drives=drives), name="left-leg")

    def test_no_writable_data_and_c_plus_plus(self):
        written = export.write(leg(), "out", name="left-leg", command="tinycontact leg export */ x")
        self.assertEqual([path.name for path in written.paths], [
                         "left_leg.h", "left_leg.c", "sample.h", "sample.c", "main.c", "tinycontact_config.h"])
        subprocess.run(["g++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                       "-x", "c++", *INCLUDES, "out/left_leg.h"], check=True)
        for file in ("left_leg", "sample"):
            subprocess.run(["gcc", *STRICT, *INCLUDES, "-fno-pie", "-c", f"out/{file}.c", "-o", "part.o"], check=True)
            symbols = subprocess.run(["nm", "part.o"], check=True, capture_output=True, text=True).stdout
            self.assertNotRegex(symbols, r"(?m) [BbDd] ")   # constants are in flash

    def test_maps_of_motors(self):
        """The power of motors is that of joints; the library's signs are the file's times those of the axes."""
        chain = dataclasses.replace(leg(), drives=np.array(COUPLED))
        to_joint, to_torque = sample.sensor_maps(chain)
        rate, torque = np.array([0.3, -0.5, 0.7]), np.array([1.1, 0.4, -0.6])
        self.assertAlmostEqual((to_joint @ rate) @ (to_torque @ torque), rate @ torque)
        np.testing.assert_allclose(to_joint @ (np.array(COUPLED) @ [0.1, 0.2, 0.3]), [0.1, -0.2, 0.3])

    def test_the_log_is_physical(self):
        """What the log's torques and forces do to the leg is what its own equation says: M w' + bias = torque in the air."""
        chain = dataclasses.replace(leg(), drives=np.array(COUPLED))
        planar, tick = chain.planar(), 1e-3
        log = sample.record(chain, tick, export.Sensing(encoder_bits=40, torque_noise=1e-9).sensing(chain, tick))
        episode, air = log.episode(chain), ~log.contact
        q = log.motor @ sample.sensor_maps(chain)[0].T
        for k in np.flatnonzero(air[3:-3] & air[:-6] & air[6:])[5::97] + 3:
            w, change = (q[k + 1] - q[k - 1]) / (2 * tick), (q[k + 1] - 2 * q[k] + q[k - 1]) / tick**2
            motion = move(np, planar, list(q[k]), list(w), 0.0, 0.0, (0.0, planar.g))
            needed = np.array(motion.M) @ change + motion.bias
            given = (episode.torque[k] + episode.torque[k + 1]) / 2
            np.testing.assert_allclose(given, needed, atol=0.05 * np.abs(given).max() + \
                                       0.3)   # its friction of 0.3 N m is noise
        self.assertGreater(log.contact.sum(), 50)

    def test_refused(self):
        Path("file").write_text("x")
        for told, options in (("tick of 1 s", {"tick": 1.0}), ("'Force'", {"settings": {"Force": 1.0}}), ("file: is a file", {"folder": "file"}),
                              ("'sample'", {"name": "sample"}), ("'main'", {"name": "main"}), ("begins with a letter", {"name": "2nd"}), ("begins with a letter", {"name": ""})):
            with self.subTest(told=told), self.assertRaisesRegex(TinycontactError, told):
                export.write(leg(), **{"folder": "out", **options})
        self.assertFalse(Path("out").exists())


class Plants(unittest.TestCase):
    def test_a_leg_ahead_of_the_base_whose_knee_bends_back(self):
        """As it is imported from a quadruped's file: home is within the ranges, and the foot steps below its hip."""
        from tinycontact.hil import plant
        link = {"joint": "revolute", "axis": [0, 1, 0], "mass": 0.5, "com": [0, 0, -0.1], "inertia": 0.002, "rotor_inertia": 0.004}
        chain = chain_file.parse_chain(
            {"root": "floating", "g": 9.81, "base": {"mass": 8.0, "inertia": 0.2},
             "links": [{**link, "origin": [0.2, 0.1, 0], "range": [-0.6, 3.0]}, {**link, "origin": [0, 0, -0.2], "range": [-2.7, -0.4]}],
             "foot": {"shape": "sphere", "radius": 0.02, "center": [0, 0, -0.2]}}, "quadruped.json")
        of = plant.Plant("leg", chain)
        self.assertTrue(plant.allowed(chain, of.q))
        self.assertAlmostEqual(of.home[0], 0.2)
        of.reset(2)
        contact = np.array([of.step()[1].mode > 0 for _ in range(2500)])
        self.assertGreater(contact.mean(), 0.2)
        stances = np.diff(np.flatnonzero(np.diff(contact.astype(int)) != 0))
        self.assertGreater(stances.max(), 100)   # it stands, and is not lifted at once


class ChainFiles(unittest.TestCase):
    def refused(self, told, **changes):
        with self.assertRaisesRegex(TinycontactError, told):
            leg(**changes)

    def test_fields_that_imports_write(self):
        chain = leg(drives=COUPLED)
        self.assertEqual((chain.name, chain.notes, chain.links[0].range, chain.links[1].range),
                         ("a leg of /* three */", ("knee: a stop at 0.1 rad",), (-0.05, 0.05), None))
        self.assertEqual([link.friction for link in chain.links], [0.0, 0.3, 0.0])
        np.testing.assert_equal(chain.drives, COUPLED)
        self.refused("field drives: is no list of 3 rows", drives=[[1, 0], [0, 1]])
        self.refused("field drives: the motors do not determine", drives=[[1, 0, 0], [1, 0, 0], [0, 0, 1]])
        self.refused('field drives: is "a"', drives=[["a", 0, 0], [1, 0, 0], [0, 0, 1]])
        self.refused("field notes: is no list of texts", notes="one")
        self.refused("field name: is no text", name=1)
        for value, told in (([1, 0], "the first is less"), ([0], "list of two"), (0.1, "list of two")):
            links = [{**chain.text["links"][0], "range": value}]
            self.refused(f"link 0, field range: .*{told}", links=links)


if __name__ == "__main__":
    unittest.main()
