# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`tinycontact impact solve` and tinycontact.impact.cone: good, hostile and degenerate problems, beside the reference."""
import json
import sys
import unittest

from tinycontact_case import ROOT, Temporary

import numpy as np

from tinycontact.impact import cone

sys.path.insert(0, str(ROOT / "tools" / "ref"))

import cone_families      # noqa: E402
import cone_reference     # noqa: E402

BALL = {"name": "ball", "dim": 2, "n": 1, "G": [[1, 0], [0, 1]], "w0": [-1, 0.25], "mu": [0.5], "floor": None}
FIELDS = ["name", "status", "u", "w", "f", "kinds", "residual", "margin", "error"]
TOLERANCE, DOUBLE_TOLERANCE = 32 * 2.0**-23, 1e-11   # TC_CONE_TOLERANCE


def numbers(values):
    return np.array([float(x) for x in values])


def entry(problem, **more):
    """A problem of the reference as one of the file."""
    return {"name": "x", "dim": problem.rows, "n": problem.n, "G": problem.G, "w0": problem.w0, "mu": problem.mu,
            "floor": None, "compliance": problem.compliance, **more}


def drawn(count=3):
    """(name, problem, e, target) of every family in plane and space."""
    for family in cone_families.FAMILIES:
        for rows, n in ((3, 4), (2, 3)):
            for seed in range(count):
                p = cone_families.draw(family, rows, n, 300 + seed, compliant=seed == 2)
                yield f"{family} {rows} {seed}", p, *cone_families.restitution(p, family, 300 + seed)


class ByHand(unittest.TestCase):
    def test_kinds(self):
        for w0, mu, floor, w, f, kind in (
                ([1, 0.25], 0.5, None, [1, 0.25], [0, 0], "open"),
                ([-1, 0.25], 0.5, None, [0, 0], [1, -0.25], "stick"),
                ([-1, 3], 1, None, [1, 1], [2, -2], "slip"),
                ([3, 1], 1, [2], [5, 0], [2, -1], "floor_stick"),
                ([3, 5], 1, [2], [5, 3], [2, -2], "floor_slip")):
            for double in (False, True):
                got = cone.solve({**BALL, "w0": w0, "mu": [mu], "floor": floor}, double=double)
                self.assertEqual((got.status, got.kinds), ("solved", [kind]))
                np.testing.assert_allclose(got.w, w, atol=1e-6)
                np.testing.assert_allclose(got.f, f, atol=1e-6)
                self.assertEqual(got.w.dtype, np.float64 if double else np.float32)
                self.assertLessEqual(got.residual, DOUBLE_TOLERANCE if double else TOLERANCE)

    def test_both_phases(self):
        """A ball that bounces with e 0.5, and one that penetration throws out faster than that."""
        for w_star, normal in ((None, 0.5), ([0, 0], 0.5), ([2, 0], 2.0)):
            for double, near in ((False, 1e-6), (True, 1e-9)):
                got = cone.solve({**BALL, "e": [0.5], "w_star": w_star}, restitution=True, double=double)
                self.assertEqual(got.status, "solved")
                np.testing.assert_allclose(got.u, [normal, 0], atol=near)
                np.testing.assert_allclose(got.w, [normal, 0], atol=near)
                np.testing.assert_allclose(got.u_c, [0, 0], atol=near)
                np.testing.assert_allclose(got.f_c, [1, -0.25], atol=near)

    def test_nothing_touches(self):
        got = cone.solve({"dim": 3, "n": 0, "G": [], "w0": [1, 2], "mu": [], "floor": None})
        self.assertEqual((got.status, got.kinds, len(got.u), len(got.f)), ("solved", [], 0, 0))
        np.testing.assert_array_equal(got.w, [1, 2])

    def test_arrays(self):
        """NumPy's, and G flat: the same bits."""
        first = cone.solve(BALL)
        for G in (np.eye(2), np.float32(np.eye(2)), [1, 0, 0, 1], ((1, 0), (0, 1))):
            got = cone.solve({**BALL, "n": np.int64(1), "G": G, "w0": np.array(BALL["w0"]), "mu": (0.5,)})
            self.assertEqual(got.w.tobytes() + got.f.tobytes(), first.w.tobytes() + first.f.tobytes())


class Reference(unittest.TestCase):
    """Relative to the velocities that cancel, as the certificate is; test_cone_reference.c has the narrow bounds."""

    def test_compression(self):
        for name, p, _, _ in drawn():
            truth = cone_reference.solve(p)
            scale = float(cone_reference.terms_scale(p.cast(cone_reference.Decimal), truth.f))
            for double, near in ((False, 1e-3), (True, 1e-6)):
                got = cone.solve(entry(p), double=double)
                self.assertEqual(got.status, "solved", name)
                np.testing.assert_allclose(got.w, numbers(truth.w), rtol=0, atol=near * scale, err_msg=name)
                np.testing.assert_allclose(got.u, numbers(truth.u), rtol=0, atol=near * scale, err_msg=name)
                self.assertEqual(len(got.kinds), p.n)

    def test_both_phases(self):
        """Where the contacts' impulses are unique the floors are, too; elsewhere the library's are near those of least
        norm, to 1e-3 or so."""
        for name, p, e, target in drawn(2):
            if name.split()[0] not in ("spd", "box", "mu0", "dup"):
                continue   # the others amplify what the floors are off by
            first, _, w, u = cone_reference.impact(p, e, target)
            got = cone.solve(entry(p, e=e, w_star=target), restitution=True)
            self.assertEqual(got.status, "solved", name)
            near = 0.01 * max(abs(numbers(p.w0)).max(), abs(numbers(w)).max())
            np.testing.assert_allclose(got.w, numbers(w), rtol=0, atol=near, err_msg=name)
            np.testing.assert_allclose(got.u, numbers(u), rtol=0, atol=5 * near, err_msg=name)
            np.testing.assert_allclose(got.u, np.array(p.G) @ got.w, rtol=0, atol=1e-5 * (1 + abs(got.u).max()), err_msg=name)
            np.testing.assert_allclose(got.u_c, numbers(first.u), rtol=0, atol=1e-3 * near + 1e-3, err_msg=name)
            self.assertEqual((got.u_c.shape, got.f_c.shape), (got.u.shape, got.f.shape))


class Hostile(unittest.TestCase):
    """Each is bad input that names its field, with zeros as long as the entry tells."""

    THREE = {"dim": 3, "n": 1, "G": [[1, 0], [0, 1], [1, 1]], "w0": [-1, 0], "mu": [0.5], "floor": None}
    CASES = (   # changes to BALL, beginning of the message, lengths of u and w
        ({"dim": None}, "dim: is None", 0, 2), ({"dim": 4}, "dim: is 4, wanted 2 or 3", 0, 2),
        ({"dim": "2"}, "dim: is '2'", 0, 2), ({"dim": True}, "dim: is True", 0, 2), ({"dim": 1}, "dim: is 1", 0, 2),
        ({"n": -1}, "n: is -1 contacts", 0, 2), ({"n": 17}, "n: is 17 contacts, wanted 0 to 16", 34, 2),
        ({"n": 1.5}, "n: is 1.5, not a whole number", 0, 2), ({"n": 10**9}, "n: is 1000000000 contacts", 0, 2),
        ({"n": float("nan")}, "n: is nan", 0, 2), ({"n": float("inf")}, "n: is inf", 0, 2), ({"n": [1]}, "n: is a list", 0, 2),
        ({"n": 10**400}, "n: is 1", 0, 2),
        ({"G": [[1, 0]]}, "G: has 1 rows; wanted 2 rows (n dim) of 2", 2, 2), ({"G": [1, 0, 0]}, "G: has 3 numbers", 2, 2),
        ({"G": [[1, 0], [0]]}, "G: has 1 numbers in row 1", 2, 2), ({"G": None}, "G: is not a list", 2, 2),
        ({"G": [[1, 0], [0, float("nan")]]}, "G: number 3 in row-major order is nan", 2, 2),
        ({"G": [[1, 0], [0, "1"]]}, "G: number 3 in row-major order is '1'", 2, 2),
        ({"G": [[1, 0], [0, 1e39]]}, "G: number 3 in row-major order is 1e+39, too large for float32", 2, 2),
        ({"G": [[0, 0], [0, 1]]}, "G: row 0, the normal of contact 0, is 0", 2, 2),
        ({"G": [[1, 0], [0, 0]]}, "G: row 1, a tangent of contact 0, is 0 though mu is 0.5", 2, 2),
        ({"G": [[1e-60, 0], [0, 1]]}, "G: row 0, the normal of contact 0, is 0", 2, 2),
        ({"G": [[1e-30, 0], [0, 1e-30]]}, "G: row 1 has the length 1e-30, beyond", 2, 2),
        ({"w0": [-1e30, 0]}, "w0: number 0 is -1e+30, beyond", 2, 2), ({"floor": [1e30]}, "floor: number 0 is 1e+30, beyond", 2, 2),
        ({"G": [[1e30, 0], [0, 1]]}, "G: row 0 has the length 1e+30, beyond", 2, 2),
        ({"w0": []}, "w0: has 0 numbers", 2, 0), ({"w0": [0.0] * 65}, "w0: has 65 numbers", 2, 65),
        ({"w0": [1, None]}, "w0: number 1 in row-major order is None", 2, 2), ({"w0": [[1, 2]]}, "w0: is not a list of", 2, 1),
        ({"w0": {"a": 1}}, "w0: is not a list", 2, 0), ({"w0": [float("-inf"), 0]}, "w0: number 0", 2, 2),
        ({"mu": [-0.1]}, "mu: of contact 0 is -0.1, wanted 0 to", 2, 2), ({"mu": []}, "mu: has 0 numbers, wanted 1", 2, 2),
        ({"mu": [1e9]}, "mu: of contact 0 is 1e+09", 2, 2), ({"mu": None}, "mu: is not a list", 2, 2),
        ({"mu": [float("nan")]}, "mu: number 0", 2, 2), ({"mu": 0.5}, "mu: is not a list", 2, 2),
        ({"floor": [-1]}, "floor: of contact 0 is -1, wanted at least 0", 2, 2), ({"floor": [1, 2]}, "floor: has 2", 2, 2),
        ({"floor": "no"}, "floor: is not a list", 2, 2), ({"compliance": [-1]}, "compliance: of contact 0", 2, 2),
    )
    RESTITUTION = (
        ({"e": [1.5]}, "e: of contact 0 is 1.5, wanted 0 to 1"), ({"e": [-0.1]}, "e: of contact 0"), ({}, "e: is missing"),
        ({"e": []}, "e: has 0 numbers"), ({"e": [float("nan")]}, "e: number 0"), ({"e": 0.5}, "e: is not a list"),
        ({"e": [0.5], "w_star": [1]}, "w_star: has 1 numbers, wanted 2"), ({"e": [0.5], "w_star": [1, None]}, "w_star: number 1"),
        ({"e": [0.5], "floor": [0.1]}, "floor: is given"))

    def refused(self, problem, told, rows, d, **how):
        got = cone.solve(problem, **how)
        self.assertEqual(got.status, "bad_input", told)
        self.assertTrue(got.message.startswith(told), (got.message, told))
        self.assertEqual([len(got.u), len(got.f), len(got.w)], [rows, rows, d], told)
        self.assertFalse(got.u.any() or got.f.any() or got.w.any())
        self.assertEqual([got.kinds, got.residual, got.margin, got.error], [[], None, None, None])
        json.dumps(got.as_json(), allow_nan=False)

    def test_each(self):
        for change, told, rows, d in self.CASES:
            self.refused({**BALL, **change}, told, rows, d)
        for double in (False, True):
            for change, told in self.RESTITUTION:
                self.refused({**BALL, **change}, told, 2, 2, restitution=True, double=double)
        self.refused({**self.THREE, "n": 9}, "n: is 9 contacts, wanted 0 to 8 with dim 3", 27, 2)

    def test_each_field_missing(self):
        for field in ("dim", "n", "G", "w0", "mu"):
            self.refused({k: v for k, v in BALL.items() if k != field}, f"{field}: is missing", *(
                {"dim": (0, 2), "n": (0, 2), "w0": (2, 0)}.get(field, (2, 2))))
        self.assertEqual(cone.solve({k: v for k, v in BALL.items() if k != "floor"}).status, "solved")

    def test_no_object(self):
        for value in (5, None, [], "x", [BALL]):
            self.refused(value, "is not an object with dim, n, G, w0, mu, floor", 0, 0)


class Degenerate(unittest.TestCase):
    def test_frictionless_needs_no_tangents(self):
        got = cone.solve({**BALL, "G": [[1, 0], [0, 0]], "mu": [0]})
        self.assertEqual((got.status, got.kinds), ("solved", ["slip"]))
        np.testing.assert_allclose(got.w, [0, 0.25], atol=1e-6)

    def test_same_contact_many_times(self):
        """Sixteen times in the plane, eight times in space: w is that of one."""
        for dim, n in ((2, 16), (3, 8)):
            one = np.eye(dim)
            got = cone.solve({"dim": dim, "n": n, "G": np.tile(one, (n, 1)), "w0": [-1] + [2] * (dim - 1), "mu": [0.3] * n,
                              "floor": None})
            alone = cone.solve({"dim": dim, "n": 1, "G": one, "w0": [-1] + [2] * (dim - 1), "mu": [0.3], "floor": None})
            self.assertEqual((got.status, alone.status), ("solved", "solved"))
            np.testing.assert_allclose(got.w, alone.w, atol=2e-5)

    def test_at_rest(self):
        got = cone.solve({**BALL, "w0": [0, 0]})
        self.assertEqual((got.status, got.w.any(), got.f.any()), ("solved", False, False))


class Command(Temporary):
    def write(self, value):
        text = value if isinstance(value, (str, bytes)) else json.dumps(value)
        (self.folder / "problems.json").write_bytes(text.encode() if isinstance(text, str) else text)
        return "problems.json"

    def answers(self, value, *words):
        out, err = self.command("impact solve", self.write(value), "-o", "a.json", *words)
        return json.loads((self.folder / "a.json").read_text()), out, err

    def test_list_in_order(self):
        got, out, err = self.answers([BALL, {**BALL, "name": "bad", "mu": [-1]}, {**BALL, "name": 7}])
        self.assertEqual([a["name"] for a in got], ["ball", "bad", 7])
        self.assertEqual([a["status"] for a in got], ["solved", "bad_input", "solved"])
        self.assertEqual([list(a) for a in got], [FIELDS, [*FIELDS, "message"], FIELDS])
        self.assertIn("3 problems: 2 solved, 1 bad_input", out)
        self.assertIn("problems.json, entry 1 (bad), mu: of contact 0 is -1", err)

    def test_one_problem(self):
        got, _, _ = self.answers(BALL)
        self.assertEqual([a["name"] for a in got], ["ball"])

    def test_restitution(self):
        got, _, _ = self.answers([{**BALL, "e": [0.5], "w_star": None}, {**BALL, "e": None}, BALL], "--restitution")
        self.assertEqual([a["status"] for a in got], ["solved", "solved", "bad_input"])
        for answer in got:
            self.assertLessEqual({"u_c", "f_c"}, set(answer))
            self.assertEqual([len(answer[k]) for k in ("u", "f", "u_c", "f_c", "w")], [2] * 5)
        np.testing.assert_allclose(got[0]["u"], [0.5, 0], atol=1e-6)
        np.testing.assert_allclose(got[1]["u"], [0, 0], atol=1e-6)

    def test_same_as_python(self):
        problems = [entry(p, e=e, w_star=target) for _, p, e, target in drawn(1)]
        for words, how in (((), {}), (("--double",), {"double": True}), (("--restitution",), {"restitution": True})):
            for problem, got in zip(problems, self.answers(problems, *words)[0], strict=True):
                self.assertEqual(got, {"name": "x", **cone.solve(problem, **how).as_json()})

    def test_hostile_entries(self):
        """Each becomes bad_input, and its neighbours are solved; the exit status stays 0."""
        good = json.dumps(BALL)
        for text, told in (("5", "entry 1, is not an object"), ("null", "is not an object"), ("[]", "is not an object"),
                           ("{}", "entry 1, dim: is missing"), (good.replace("0.25", "NaN"), "w0: number 1"),
                           (good.replace("0.25", "1e999"), "w0: number 1"), (good.replace('"ball"', "[1]"), "name: is neither"),
                           (good.replace("0.25", "9" * 5000), "w0: "), (good.replace("0.25", '"\\ud800"'), "w0: number 1")):
            got, _, err = self.answers(f"[{good}, {text}, {good}]")
            self.assertEqual([a["status"] for a in got], ["solved", "bad_input", "solved"], text[:80])
            self.assertIn(told, err)

    def test_files_that_are_refused(self):
        """Exit status 2, a message with the file's name, and the old answers stay."""
        (self.folder / "a.json").write_text("old")
        for text, told in (("", "line 1, column 1"), ("[1,", "column 4"), ("5", "wanted a list of problems"),
                           ('"x"', "wanted a list"), (b"\xff\xfe", "not UTF-8"), ("null", "wanted a list")):
            self.refused("impact solve", self.write(text), "-o", "a.json", told=("problems.json", told))
            self.assertEqual((self.folder / "a.json").read_text(), "old")
        self.refused("impact solve", "missing.json", told=("missing.json",))
        self.refused("impact solve", self.write([]), "-o", "none/a.json", told=("none/a.json: cannot be written",))

    def test_to_standard_output(self):
        out, _ = self.command("impact solve", self.write([BALL]))
        self.assertEqual(json.loads(out)[0]["kinds"], ["stick"])
        self.assertEqual(self.answers([])[0], [])

    def test_example_of_the_help(self):
        text = self.command("impact solve", "--help")[0]
        shown = text.split("echo '")[1].split("' >")[0]
        self.assertEqual(self.answers(shown)[0][0]["status"], "solved")
        for word in (*cone.STATUSES, *cone.KINDS, *FIELDS, "u_c", "f_c", "w_star"):
            self.assertIn(word, text)


if __name__ == "__main__":
    unittest.main()
