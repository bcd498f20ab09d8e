# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Identified bodies on boards, as C constants and state by state: the bits are this machine's."""
import csv
import json
import math
import subprocess
import unittest
from dataclasses import replace
from pathlib import Path

import numpy as np

from tinycontact_case import Temporary, tc
from tinycontact.spatial import toss as native, toss_board
from tinycontact.toss import bodyfile, residual, roll, rotation, states, throw
from test_toss_roll import HEAD, body, tossed
from toss_case import LOG
from tree import INCLUDES

BOARDS = ("mps2-an386", "mps3-an547")
RESIDUAL = (0.012, 0.6, 0.7, 0.1, -0.02, 0.5, -0.8, -0.1)
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wdouble-promotion", "-Wshadow", "-Wundef", "-Wvla",
            "-Wmissing-prototypes", "-Wstrict-prototypes", "-Werror"]
M4F = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-ffreestanding"]
MAIN = """#include "cube.h"
#include <stdio.h>
#include <string.h>
int main(void)
{
    static tc_foot3 foot;
    static tc_real work[CUBE_WORK];
    tc_learned3_warm warm = {0};
    tc_body3_state state = {{0.01f, 0.02f, 0.15f}, {1.0f, 0.0f, 0.0f, 0.0f}, {1.0f, -0.5f, 0.0f, 3.0f, -2.0f, 1.0f}};
    tc_status status = cube_init(&foot);
    for (int i = 0; i < 600 && status >= TC_OK; i++) {
        status = tc_foot3_step(&foot, cube_force, &state, &warm, NULL, work, TC_COUNT(work));
    }
    uint32_t bits[13];
    memcpy(bits, state.position, 12u);
    memcpy(bits + 3, state.orientation, 16u);
    memcpy(bits + 7, state.velocity, 24u);
    printf("%d", (int)status);
    for (int k = 0; k < 13; k++) {
        printf(" %08x", (unsigned)bits[k]);
    }
    return cube_init(NULL) != TC_ERR_NULL;
}
"""


def tetrahedron():
    """A body of another shape, rigid, on a floor that leans."""
    return bodyfile.Body(np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.2, 0], [0.03, 0.02, 0.15]]), 0.5, centre=np.array([0.03, 0.05, 0.04]),
                         inertia=np.array([6e-4, 5e-4, 4e-4]), floor=(0.002, 0.01, -0.02), gravity=9.7, stiffness=0.0,
                         friction={"edge": 0.4}, restitution=0.3)


class Case(Temporary):
    def save(self, of, name="body.json"):
        bodyfile.write(name, of)
        return name

    def log(self, count=2, rows=40):
        lines = [HEAD]
        for toss in tossed(body(), count, rows).tosses:
            for row in zip(toss.t, toss.position, toss.orientation, toss.velocity, toss.omega):
                lines.append(",".join([f"{toss.label:g}", f"{row[0]:.6f}", *(f"{v:.7f}" for part in row[1:] for v in part)]))
        Path("log.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return "log.csv"


class SameBits(unittest.TestCase):
    def open(self, name=BOARDS[0]):
        board = tc.Board(name)
        self.addCleanup(board.close)
        return board

    def test_bodies_of_all_kinds(self):
        """A field of the request and of the firmware differ; a step's length is made otherwise than here."""
        rng = np.random.default_rng(7)
        q = rng.standard_normal((2, 4))
        starts = np.hstack([rng.uniform(0.12, 0.2, (2, 3)), q / np.linalg.norm(q, axis=1)[:, None], rng.uniform(-2, 2, (2, 6))])
        times = [np.arange(45) * 0.00675, np.array([0.0, 0.0, 0.05, 0.0501, 0.2])]
        soft = replace(body(), residual=RESIDUAL)
        cases = [roll.settings(of) for of in (body(), soft, tetrahedron())]
        cases += [replace(cases[2], positions=scheme, rounds=2, frozen=3, warm=False) for scheme in ("dart", "gap")]
        here = [native.roll([toss], starts, times) for toss in cases]
        for name in BOARDS:
            with tc.Board(name) as board:
                for number, (toss, ((one,), (told,))) in enumerate(zip(cases, here)):
                    (there,), (said,) = toss_board.roll(board, toss, starts, times)
                    np.testing.assert_array_equal(said, told)
                    for a, b in zip(one, there):
                        np.testing.assert_array_equal(np.float32(a).view(np.uint32), np.float32(b).view(np.uint32),
                                                      f"case {number} on {name}")

    def test_a_failed_step_ends_a_toss(self):
        toss, board, start = roll.settings(body()), self.open(), [0, 0, 1, 1, 0, 0, 0, 0, 0, -1e30, 0, 0, 0]
        (here,), (told,) = native.roll([toss], [start], [np.array([0.0, 0.01, 0.02])])
        (there,), (said,) = toss_board.roll(board, toss, [start], [np.array([0.0, 0.01, 0.02])])
        self.assertLess(told[0], 0)
        np.testing.assert_array_equal(said, told)
        np.testing.assert_array_equal(here[0], there[0])

    def test_refusals(self):
        toss, board = roll.settings(body()), self.open()
        for wrong, status in ((replace(toss, mass=-1.0), "TC_ERR_BODY"), (replace(toss, mu=(-1.0, 0, 0)), "TC_ERR_RANGE"),
                              (replace(toss, vertices=np.zeros((65, 3))), "TC_ERR_SIZE")):
            with self.assertRaises(tc.StatusError) as refused:
                toss_board.roll(board, wrong, np.zeros((0, 13)), [])
            self.assertEqual(refused.exception.status, status)

    def test_another_request_ends_the_body(self):
        """Bodies and matrices share memory: a toss after a call would compute with the call's numbers."""
        board = self.open()
        toss_board.roll(board, roll.settings(body()), np.zeros((0, 13)), [])
        board.mat_mul(np.eye(3), np.eye(3))
        with self.assertRaisesRegex(tc.TinycontactError, "malformed"):
            board.start_body(np.zeros(13))


class Throws(Case):
    def test_log_on_a_board(self):
        name = self.save(body())
        out, _ = self.command("body throw", "--board", BOARDS[0], "--body", name, "--log", self.log(), "-o", "out.csv")
        self.assertIn("mps2-an386: 2 throws, ", out)
        self.assertIn("alike, bit for bit", out)
        rows = list(csv.DictReader(Path("out.csv").read_text().splitlines()))
        self.assertEqual({row["throw"] for row in rows}, {"0", "1"})

    def test_a_start_in_words(self):
        """A fall without a turn, in the log's terms: the tag is where the centre of mass is not."""
        name = self.save(body())
        self.command("body throw", "--body", name, "--position", "0.1,0,1", "--velocity", "0.5,0,1", "--span", "0.2", "--interval",
                     "0.05", "-o", "out.csv")
        rows = list(csv.DictReader(Path("out.csv").read_text().splitlines()))
        self.assertEqual([row["t"] for row in rows], [f"{0.05 * k:.6f}" for k in range(5)])
        for row in rows:
            t = float(row["t"])
            np.testing.assert_allclose([float(row[c]) for c in "xyz"], [0.1 + 0.5 * t, 0, 1 + t - 4.8 * t * (t + 1e-3)], atol=1e-5)

    def test_another_bit_is_told(self):
        plan = throw.of_start([0, 0, 0.2], [1, 0, 0, 0], [0, 0, 0], [0, 0, 0], 0.05, 0.01)
        here = throw.rolled(plan, body())
        self.assertIsNone(throw.difference(plan, here, here))
        there = [part.copy() for part in here]
        there[0][3, 8] = np.nextafter(np.float32(there[0][3, 8]), np.float32(9))
        found = throw.difference(plan, here, there)
        self.assertEqual((found.row, found.field), (3, "vy"))
        there[0][3, 8] = here[0][3, 8]
        there[0][0, 1], here[0][0, 1] = -0.0, 0.0
        self.assertEqual(throw.difference(plan, here, there).field, "y")

    def test_refused(self):
        name, log = self.save(body()), self.log()
        self.refused("body", "throw", "--board", "abacus", "--body", name, "--log", log, told=("--board", "abacus", "mps2-an386"))
        self.refused("body", "throw", "--body", name, "--log", log, "--throw", "9", told=("log.csv has no throw 9",))
        self.refused("body", "throw", "--body", name, "--board", "host", told=("--log", "--position"))
        self.refused("body", "throw", "--body", name, "--position", "1,2", told=("--position", "3 numbers"))
        self.refused("body", "throw", "--body", name, "--log", "gone.csv", told=("gone.csv",))
        quick = self.save(replace(body(), stiffness=None), "quick.json")
        for words in (("throw", "--log", log), ("export", "--c", "cube"), ("train", "--log", log, "-o", "m.tcm"),
                      ("replay", "states.csv", "-o", "o.csv")):
            self.refused("body", *words, "--body", quick, told=("quick.json, field stiffness: missing",))
        document = json.loads(Path(name).read_text())
        for field in ("mass", "inertia", "gravity"):
            Path("part.json").write_text(json.dumps({key: value for key, value in document.items() if key != field}))
            self.refused("body", "export", "--body", "part.json", "--c", "cube", told=(f"part.json, field {field}: missing",))
        self.assertFalse(Path("cube.c").exists())

    def test_the_plane_keeps_its_form(self):
        Path("flat.json").write_text(json.dumps({"vertices": [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}))
        self.refused("body", "throw", "--body", "flat.json", "--model", "gone.tcm", "t.json", "-o", "o.json", told=("gone.tcm",))
        self.assertIn("THROWS.json", self.command("body throw", "--help")[0])
        for verb in ("train", "throw", "replay", "evaluate"):
            self.assertIn("as `tinycontact body identify` wrote it", " ".join(self.command(f"body {verb}", "--log", "--help")[0].split()))


class States(Case):
    def write(self, rows):
        Path("states.csv").write_text("\n".join([",".join(states.STATE), *(",".join(map(str, row)) for row in rows)]) + "\n")

    def replayed(self, of):
        self.command("body replay", "--body", self.save(of), "states.csv", "-o", "out.csv")
        return list(csv.DictReader(Path("out.csv").read_text().splitlines()))

    def test_classes_and_momentum(self):
        """In flight nothing acts; a face that slides is slowed by mu p; the change of momentum is the impulse and the
        weight's."""
        of = replace(body(), axes=np.array([1.0, 0, 0, 0]), rounding=0.0)
        height = float(of.scale * 0.0524 - 1e-4)
        self.write([[0, 0, 0.5, 1, 0, 0, 0, 1, 2, 3, 0.1, 0.2, 0.3], [0, 0, height, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0],
                    [0, 0, height, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]])
        flight, slide, rest = self.replayed(of)
        self.assertEqual([row["class"] for row in (flight, slide, rest)], ["none", "dynamic", "static"])
        self.assertEqual([int(row["contacts"]) for row in (flight, slide, rest)], [0, 4, 4])
        np.testing.assert_allclose([float(flight[c]) for c in ("px", "py", "pz", "lx", "ly", "lz")], 0)
        self.assertAlmostEqual(float(slide["px"]) / float(slide["pz"]), -0.22, places=4)
        self.assertLess(abs(float(rest["px"])), 0.2 * float(rest["pz"]))   # it begins to tip: its centre is off the middle
        for row, speed in ((flight, (1, 2, 3)), (slide, (2, 0, 0))):
            spin = np.array([float(row[c]) for c in ("wx2", "wy2", "wz2")])
            before = np.array(speed) + np.cross([0.1, 0.2, 0.3] if row is flight else [0, 0, 0], of.centre)
            after = np.array([float(row[c]) for c in ("vx2", "vy2", "vz2")]) + np.cross(spin, of.centre)
            impulse = np.array([float(row[c]) for c in ("px", "py", "pz")]) - [0, 0, of.mass * of.gravity * 1e-3]
            np.testing.assert_allclose(of.mass * (after - before), impulse, atol=3e-5)

    def test_refused(self):
        self.write([[0, 0, 0.5, 1, 0, 0, 0, 1, 2, 3, 0.1, 0.2, 0.3], [0, 0, 0.5, 2, 0, 0, 0, 1, 2, 3, 0.1, 0.2, 0.3]])
        name = self.save(body())
        self.refused("body", "replay", "--body", name, "states.csv", "-o", "o.csv", told=("states.csv, line 3, column qw", "length is 2"))
        Path("states.csv").write_text("x,y\n1,2\n")
        self.refused("body", "replay", "--body", name, "states.csv", "-o", "o.csv", told=("states.csv, line 1: no column z",))
        self.assertFalse(Path("o.csv").exists())


class Constants(Case):
    def compiled(self, of, *words):
        self.command("body export", "--body", self.save(of), "--c", "cube", *words)
        Path("main.c").write_text(MAIN)
        library = tc.Library()._c._name
        subprocess.run(["gcc", *WARNINGS, *INCLUDES, "-I.", "main.c", "cube.c", library, f"-Wl,-rpath,{Path(library).parent}", "-o", "main"],
                       check=True)
        status, *bits = subprocess.run(["./main"], check=True, capture_output=True, text=True).stdout.split()
        return int(status), [int(word, 16) for word in bits]

    def test_the_same_bits_as_a_roll_out(self):
        """Constants or their order differ from those that the roll-outs use."""
        start = [0.01, 0.02, 0.15, 1, 0, 0, 0, 1, -0.5, 0, 3, -2, 1]
        learned = replace(body(), residual=tuple(np.float32(RESIDUAL).astype(float)))
        residual.write("m.tcm", body(), RESIDUAL, {})
        for of, words, step in ((body(), (), 1e-3), (body(), ("--model", "m.tcm"), 1e-3), (tetrahedron(), ("--step", "0.0005"), 5e-4)):
            toss = roll.settings(learned if words[:1] == ("--model",) else of, step)
            (here,), _ = native.roll([toss], [start], [np.float64(step) * np.arange(601)])
            status, bits = self.compiled(of, *words)
            self.assertGreaterEqual(status, 0)
            # A row's interval is a difference of times: one that is not the step in double may be it in float.
            self.assertEqual(bits, np.float32(here[0][-1]).view(np.uint32).tolist(), words)

    def test_files(self):
        """Nothing is defined in the header, which is C++, too; the M4F's compiler takes both."""
        self.command("body export", "--body", self.save(body()), "--c", "my-cube")
        header, source = Path("my-cube.h").read_text(), Path("my-cube.c").read_text()
        self.assertNotIn("=", "".join(line for line in header.splitlines() if line.startswith("extern")))
        self.assertIn("tc_status my_cube_init(tc_foot3 *foot);", header)
        self.assertIn("tinycontact 0", source)
        subprocess.run(["g++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c++", *INCLUDES, "my-cube.h"], check=True)
        subprocess.run(["gcc", "-std=c99", "-pedantic-errors", "-fsyntax-only", *INCLUDES, "my-cube.c"], check=True)
        subprocess.run(["arm-none-eabi-gcc", *M4F, *WARNINGS, *INCLUDES, "-Os", "-c", "my-cube.c", "-o", "m.o"], check=True)
        symbols = subprocess.run(["arm-none-eabi-nm", "m.o"], check=True, capture_output=True, text=True).stdout
        self.assertNotRegex(symbols, r"(?m) [BbDd] ")   # constants are in flash

    def test_the_tag(self):
        """Centre and axes of the header turn a state of the library into the tag's pose."""
        of = body()
        row = np.concatenate([[0.1, 0.2, 0.3], rotation.normal([0.5, 0.1, -0.7, 0.2]), np.zeros(6)])
        x, q = roll.to_log(of, row[None])
        turned = rotation.product(row[3:7], rotation.conjugate(of.axes))
        np.testing.assert_allclose(q[0], turned)
        np.testing.assert_allclose(x[0], row[:3] - rotation.turned(turned, of.centre))


class Steps(unittest.TestCase):
    def test_lengths_are_tools_natives(self):
        toss = roll.settings(body())
        self.assertEqual(toss_board.row_of(toss, 0.00675), (7, 0.00675 / 7, 9.6 * 0.00675 / 7))
        self.assertEqual(toss_board.row_of(toss, 0.003)[0], 3)   # rows come as decimals
        self.assertEqual(toss_board.row_of(toss, -1.0)[0], 0)
        self.assertTrue(math.isfinite(toss_board.row_of(toss, 1e-9)[1]))


if __name__ == "__main__":
    unittest.main()
