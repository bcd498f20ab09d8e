# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact lcp solve and tinycontact.lcp.solve: judged by enumeration in float64, and by what users get wrong.

The oracle tries every set of contacts that may carry: with M_SS regular, z_S = -M_SS^-1 q_S, the rest 0.
Each solvable problem with semi-definite M has a solution of this kind.
"""
import itertools
import json
import unittest
from unittest import mock

import numpy as np

from tinycontact_case import Temporary, tc
from tinycontact import lcp

RESIDUAL = 5e-6
SEED = 20260101


def rounded(values):
    """What the library sees of float64 numbers."""
    return np.asarray(values, dtype=np.float32).astype(np.float64)


def enumerate_all(M, q, tolerance=1e-9):
    """(z, w) of each basic solution."""
    n, found = len(q), []
    scale = 1 + np.abs(q).max(initial=0)
    for size in range(n + 1):
        for chosen in map(list, itertools.combinations(range(n), size)):
            block = M[np.ix_(chosen, chosen)]
            if size and np.linalg.cond(block) > 1e12:
                continue
            z = np.zeros(n)
            z[chosen] = np.linalg.solve(block, -q[chosen]) if size else 0
            w = M @ z + q
            w[chosen] = 0
            if z.min(initial=0) >= -tolerance * scale and w.min(initial=0) >= -tolerance * scale:
                found.append((z, w))
    return found


def residual(M, q, z):
    """The issue's measure, in float64."""
    scale = (np.abs(M) @ z + np.abs(q)).max(initial=0)
    return np.abs(np.minimum(z, M @ z + q)).max(initial=0) / (scale or 1)


class Oracle(unittest.TestCase):
    def check_solved(self, answer, M, q, told=None):
        M, q, z = rounded(M), rounded(q), answer.z.astype(np.float64)
        self.assertEqual((answer.status, answer.ok), ("solved", True), told)
        self.assertGreaterEqual(z.min(initial=0), 0)
        self.assertLessEqual(residual(M, q, z), RESIDUAL, told)
        self.assertAlmostEqual(answer.residual, residual(M, q, z), delta=1e-12, msg=str(told))
        largest = np.abs(q).max(initial=0)
        self.assertLessEqual(np.abs(np.minimum(z, M @ z + q)).max(initial=0), 1e-3 * largest, told)
        self.assertAlmostEqual(answer.error * largest, residual(M, q, z) * (
            np.abs(M) @ z + np.abs(q)).max(initial=0), delta=1e-9 * (largest + 1e-30), msg=str(told))
        np.testing.assert_allclose(answer.w, M @ z + q, rtol=0, atol=4e-6 * max(
            1e-30, (np.abs(M) @ z + np.abs(q)).max(initial=0)), err_msg=str(told))

    def check_farkas(self, answer, M, q, told=None):
        self.assertIsNone(answer.residual)
        y, M, q = answer.farkas.astype(np.float64), rounded(M), rounded(q)
        self.assertEqual(len(y), len(q))
        self.assertGreaterEqual(y.min(), 0)
        self.assertLess(q @ y, -1e-4 * (np.abs(q) @ y), told)
        self.assertLessEqual((M.T @ y).max(), 2e-5 * (np.abs(M.T) @ y).max(), told)

    def test_regular(self):
        """Symmetric positive definite: the one solution, its w and its z."""
        rng = np.random.default_rng(SEED)
        for n in (1, 2, 3, 4, 5, 6, 8):
            for k in range(40 if n < 8 else 10):
                J = rng.uniform(-1, 1, (n, n + 2))
                M, q = J @ J.T, rng.uniform(-1, 1, n)
                answer = lcp.solve(M, q)
                self.check_solved(answer, M, q, (n, k))
                self.assertEqual(answer.kind, "semidefinite")
                z, w = enumerate_all(rounded(M), rounded(q))[0]
                scale = (np.abs(M) @ z + np.abs(q)).max()
                np.testing.assert_allclose(answer.w, w, rtol=0, atol=2e-5 * scale)
                condition = np.linalg.cond(M)
                np.testing.assert_allclose(answer.z, z, rtol=0, atol=4e-6 * condition * (1 + z.max()))

    def test_rank_deficient(self):
        """More contacts than degrees of freedom, solvable: w is unique although z is not. Catches: a solver
        that gives up, or calls a wrong answer right, where M is singular."""
        rng = np.random.default_rng(SEED + 1)
        for n, rank in ((2, 1), (3, 2), (4, 2), (4, 3), (5, 3), (6, 3)):
            for k in range(40):
                J = rng.integers(-3, 4, (n, rank)).astype(float)
                M, q = J @ J.T, J @ rng.integers(-4, 5, rank)
                answer = lcp.solve(M, q)
                self.check_solved(answer, M, q, (n, rank, k))
                w = enumerate_all(M, q)[0][1]
                np.testing.assert_allclose(answer.w, w, rtol=0, atol=1e-4 * (1 + np.abs(q).max()))

    def test_no_solution(self):
        """Whole numbers, any q: what the oracle finds unsolvable has a certificate, and only that."""
        rng = np.random.default_rng(SEED + 2)
        seen = {"solved": 0, "no_solution": 0}
        for n, rank in ((1, 0), (2, 1), (3, 1), (3, 2), (4, 2), (5, 2)):
            for k in range(60):
                J = rng.integers(-2, 3, (n, rank)).astype(float)
                M, q = J @ J.T, rng.integers(-3, 4, n).astype(float)
                answer = lcp.solve(M, q)
                solvable = bool(enumerate_all(M, q))
                self.assertEqual(answer.status, "solved" if solvable else "no_solution", (n, rank, k, M, q))
                seen[answer.status] += 1
                if solvable:
                    self.check_solved(answer, M, q)
                    self.assertNotIn("farkas", answer)
                else:
                    self.check_farkas(answer, M, q, (n, rank, k))
                    self.assertEqual(answer.z.tolist() + answer.w.tolist(), [0.0] * 2 * n)
        self.assertGreater(min(seen.values()), 40)

    def test_general(self):
        """Not symmetric: positive definite plus skew, where the solution is unique."""
        rng = np.random.default_rng(SEED + 3)
        for n in (2, 3, 4, 6):
            for k in range(30):
                A, B = rng.uniform(-1, 1, (n, n + 1)), rng.uniform(-1, 1, (n, n))
                M, q = A @ A.T + 0.1 * np.eye(n) + (B - B.T), rng.uniform(-1, 1, n)
                answer = lcp.solve(M, q)
                self.assertEqual(answer.kind, "general")
                self.check_solved(answer, M, q, (n, k))
                w = enumerate_all(rounded(M), rounded(q))[0][1]
                scale = (np.abs(M) @ answer.z + np.abs(q)).max()
                np.testing.assert_allclose(answer.w, w, rtol=0, atol=1e-4 * scale)

    def test_largest(self):
        rng = np.random.default_rng(SEED + 4)
        J = rng.uniform(-1, 1, (16, 3))
        M, q = J @ J.T, J @ np.ones(3)
        self.check_solved(lcp.solve(M, q), M, q)

    def test_mass_ratio(self):
        """A chain with masses of 1 to 1e4."""
        mass = np.array([1.0, 1e4, 1.0, 1e4])
        J = np.eye(4, 4) - np.eye(4, k=1)
        M, q = J @ np.diag(1 / mass) @ J.T, np.array([-1.0, -1e-3, -1.0, 1e-3])
        self.check_solved(lcp.solve(M, q), M, q)


class Kinds(unittest.TestCase):
    """Which solver gets M."""

    def test_rule(self):
        J = np.array([[1.0, 2], [2, 4], [0, 0]])
        nearly = np.array([[2, 1.0], [1 + 2e-7, 2]])
        for M, kind in (([[2, 1], [1, 2]], "semidefinite"), (J @ J.T, "semidefinite"),
                        (nearly, "semidefinite"), ([[2, 1], [1.000001, 2]], "general"),
                        ([[1, 1.00005], [1.00005, 1]], "general"),
                        ([[1, 2], [2, 1]], "general"), ([[-1e-30, 0], [0, 1]], "general"),
                        ([[0, 1], [1, 1]], "general"), ([[0, 0], [0, 1]], "semidefinite"),
                        ([[1e-6, 0], [0, 1e6]], "semidefinite"), ([[1e-6, 2], [2, 1e6]], "general"),
                        ([], "semidefinite")):
            M = np.array(M, dtype=float).reshape(len(M), len(M))
            self.assertEqual(lcp.KINDS[lcp.kind_of(M)[0]], kind, M)
        np.testing.assert_array_equal(lcp.kind_of(nearly)[1], lcp.kind_of(nearly)[1].T)

    def test_float32_products_are_semidefinite(self):
        """Catches: a bound on eigenvalues that single precision does not keep."""
        rng = np.random.default_rng(SEED + 5)
        for n in (3, 8, 16):
            for scale in (1, 1e-3):
                J = (rng.uniform(-1, 1, (n, 3)) * scale ** rng.uniform(0, 1, (n, 1))).astype(np.float32)
                M = np.array([[sum(np.float32(a * b) for a, b in zip(one, two)) for two in J] for one in J])
                self.assertEqual(lcp.kind_of(M)[0], lcp.SEMIDEFINITE)


class Statuses(unittest.TestCase):
    """What the library says and what is told of it; a library of Python plays the cases that are rare."""

    def test_names(self):
        answer = {}
        for value in (0, 1, -10, -11, -5, -99):
            def fake(problem, z, w, work, length, info, value=value):
                return value
            solver = lcp.Solver()
            solver._solve = fake
            answer[value] = solver.solve([[1]], [-1])
        self.assertEqual([answer[v].status for v in answer],
                         ["solved", "limit", "no_solution", "not_certified", "bad_input", "bad_input"])
        self.assertEqual([v for v in answer if answer[v].ok], [0])
        self.assertEqual([v for v in answer if answer[v].residual is not None], [0, 1])
        self.assertIn("TC_ERR_NOT_FINITE", answer[-5].message)
        self.assertIn("status -99", answer[-99].message)
        self.assertIsNone(answer[-10].farkas)

    def test_iterations(self):
        """Not the active set, which for the last of five contacts is 16."""
        self.assertLess(lcp.solve(np.eye(5), [1, 1, 1, 1, -1]).iterations, 10)


class BadInput(unittest.TestCase):
    CASES = (
        ([[1]], [1, 2], "M: has 1 rows; q has 2, so wanted 2 rows of 2, or 4 numbers"),
        ([1, 2, 3], [1, 2], "M: has 3 numbers"), ([[1, 2], [3]], [1, 2], "M: has 1 numbers in row 1"),
        ([[1, 2], 3], [1, 2], "M: has 0 numbers in row 1"), ([[1], [2], [3], [4]], [1, 2], "M: has 4 rows"),
        ([[]], [], "M: has 1 rows"), ([1], [], "M: has 1 numbers"), ([], [1], "M: has 0 numbers"),
        ([[1, 2], [3, "4"]], [1, 2], "M: number 3 in row-major order is '4', not a number"),
        ([[1, True], [3, 4]], [1, 2], "M: number 1 in row-major order is True"),
        ([[1, None], [3, 4]], [1, 2], "M: number 1 in row-major order is None, not a number"),
        ([[1, [2]], [3, 4]], [1, 2], "M: number 1 in row-major order is a list"),
        ([[1, 2], [3, {}]], [1, 2], "M: number 3 in row-major order is a dict"),
        ([[1, float("nan")], [3, 4]], [1, 2], "M: number 1 in row-major order is nan"),
        ([[1, 2], [3, 4]], [1, float("-inf")], "q: number 1 in row-major order is -inf"),
        ([[1, 1e39], [3, 4]], [1, 2], "M: number 1 in row-major order is 1e+39, too large for float32"),
        ([[1, 10**400], [3, 4]], [1, 2], "M: a number is too large"),
        ("x", [1], "M: is not a list of numbers"), ({"a": 1}, [1], "M: is not a list"),
        (None, [1], "M: is not"),
        ([[1]], 5, "q: is not a list of numbers"), ([[1]], [[1]], "q: is not a list of numbers"),
        ([0] * 289, [0] * 17, "q: has 17 numbers, wanted up to 16"), ([[1]], "1", "q: is not a list"),
    )

    def test_each(self):
        for M, q, told in self.CASES:
            answer = lcp.solve(M, q)
            self.assertEqual((answer.status, answer.ok), ("bad_input", False), told)
            self.assertTrue(answer.message.startswith(told), (answer.message, told))
            self.assertEqual((len(answer.z), len(answer.w), answer.residual), (0, 0, None))

    def test_bodies_on_a_line(self):
        """Masses 1 and 2^-13 in turn, and apart by 1e6: w is that of the float64 solution on the contacts that
        carry; what float32 cannot say in z is "imprecise", and the error is what z leaves."""
        rng = np.random.default_rng(SEED + 9)
        told = {"solved": 0, "imprecise": 0}
        for k in range(200):
            n = 2 + k % 9
            inverse = np.where(np.arange(n + 1) % 2, 2.0**13 if k % 2 else 1e6, 1) * rng.uniform(0.5, 1.5, n + 1)
            inverse[0] = 0
            v = rng.uniform(-1, 1, n + 1) * (inverse > 0)
            M = rounded(np.diag(inverse[:-1] + inverse[1:]) - np.diag(inverse[1:-1], 1) - np.diag(inverse[1:-1], -1))
            q = rounded(v[1:] - v[:-1])
            answer = lcp.solve(M, q)
            if answer.status == "not_certified":   # float32 cannot even hold the impulses' differences
                self.assertEqual(k % 2, 0)
                continue
            told[answer.status] += 1
            self.assertEqual(answer.ok, answer.status == "solved")
            carrying = answer.z > 0
            z = np.zeros(n)
            z[carrying] = np.linalg.solve(M[np.ix_(carrying, carrying)], -q[carrying])
            w = M @ z + q
            self.assertGreaterEqual(min(z.min(), w.min() + 1e-6), 0)
            np.testing.assert_allclose(answer.w, w, rtol=0, atol=1e-4 * np.abs(q).max())
            self.assertEqual(answer.ok, answer.error <= 2.0**-10)
        self.assertGreater(min(told.values()), 10)

    def test_least_eigenvalue_decides(self):
        """M = D (I + a J) D has the least eigenvalue 1 + a - n a, scaled: on either side of -1e-5, and where all
        others are large."""
        for n in (2, 3, 7):
            for least, kind in ((-2e-6, "semidefinite"), (-7e-6, "semidefinite"), (-1.4e-5, "general"),
                                (-0.5, "general"), (1e-3, "semidefinite")):
                a = (1 - least) / (n - 1)
                D = np.diag(2.0**np.arange(n))
                M = D @ ((1 + a) * np.eye(n) - a * np.ones((n, n))) @ D
                self.assertEqual(lcp.KINDS[lcp.kind_of(M)[0]], kind, (n, least))
        self.assertEqual(lcp.KINDS[lcp.kind_of(np.zeros((3, 3)))[0]], "semidefinite")

    def test_ray(self):
        """General M for which Lemke's paths do not end: said so, with no answer and no proof."""
        rng = np.random.default_rng(SEED + 10)
        answers = [lcp.solve(rng.normal(size=(6, 6)), rng.normal(size=6)) for k in range(40)]
        rays = [answer for answer in answers if answer.status == "ray"]
        self.assertGreater(len(rays), 10)
        self.assertNotIn("not_certified", [answer.status for answer in answers])
        for answer in rays:
            self.assertEqual((answer.ok, answer.z.any(), answer.residual, answer.error), (False, False, None, None))

    def test_empty_is_solved(self):
        answer = lcp.solve([], [])
        self.assertEqual((answer.status, len(answer.z), len(answer.w)), ("solved", 0, 0))

    def test_arrays_lists_and_tuples(self):
        M, q = [[2, 1], [1, 2]], [-5, -6]
        first = lcp.solve(M, q)
        self.assertEqual(first["z"].dtype, np.float32)
        for one, two in ((np.array(M), np.array(q)), (np.float32(M), np.float32(q)), (np.ravel(M), q),
                         ([2, 1, 1, 2], tuple(q)), (tuple(map(tuple, M)), q)):
            self.assertEqual(lcp.solve(one, two).z.tobytes(), first.z.tobytes())
        with self.assertRaises(AttributeError):
            first.nothing

    def test_matrix_of_a_higher_dimension(self):
        self.assertEqual(lcp.solve(np.zeros((1, 1, 1)), [1]).status, "bad_input")
        self.assertEqual(lcp.solve(np.array(1.0), [1]).status, "bad_input")


class Command(Temporary):
    def write(self, value, name="problems.json"):
        text = value if isinstance(value, (str, bytes)) else json.dumps(value)
        (self.folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
        return name

    def answers(self, value, *words):
        out, err = self.command("lcp solve", self.write(value), "-o", "a.json", *words)
        return json.loads((self.folder / "a.json").read_text()), out, err

    def test_every_status_in_order(self):
        problems = [
            {"name": "nested", "M": [[2, 1], [1, 2]], "q": [-5, -6]},
            {"name": "flat", "M": [2, 1, 1, 2], "q": [-5, -6], "note": "ignored"},
            {"name": "none", "M": [[1, -1], [-1, 1]], "q": [-1, -1]},
            {"name": "bad", "M": [[1, 2]], "q": [1, 2]},
            {"name": 7, "M": [], "q": []},
            {"M": [[1]], "q": [3.5]},
        ]
        got, out, err = self.answers(problems)
        self.assertEqual([a["name"] for a in got], ["nested", "flat", "none", "bad", 7, None])
        self.assertEqual([a["status"] for a in got],
                         ["solved", "solved", "no_solution", "bad_input", "solved", "solved"])
        for answer in got:
            self.assertEqual(answer["ok"], answer["status"] == "solved")
            self.assertEqual("farkas" in answer, answer["status"] == "no_solution")
            self.assertEqual("message" in answer, answer["status"] == "bad_input")
            self.assertLessEqual({"name", "status", "ok", "z", "w", "iterations", "residual", "error"}, set(answer))
        np.testing.assert_allclose(got[0]["z"], [4 / 3, 7 / 3], rtol=1e-6)
        self.assertEqual(got[0]["z"], got[1]["z"])
        self.assertEqual((got[5]["z"], got[5]["w"]), ([0.0], [3.5]))
        self.assertIn("6 problems: 4 solved, 1 no_solution, 1 bad_input", out)
        self.assertIn("problems.json, entry 3 (bad), M: has 1 rows", err)

    def test_to_standard_output(self):
        out, err = self.command("lcp solve", self.write([{"name": "a", "M": [[1]], "q": [-1]}]))
        self.assertEqual(json.loads(out)[0]["z"], [1.0])
        self.assertEqual(self.answers([])[0], [])

    def test_same_as_python(self):
        rng = np.random.default_rng(SEED)
        problems = []
        for k in range(30):
            J = rng.uniform(-1, 1, (k % 9, 4))
            q = rng.uniform(-1, 1, k % 9)
            problems.append({"name": str(k), "M": (J @ J.T).tolist(), "q": q.tolist()})
        for problem, got in zip(problems, self.answers(problems)[0], strict=True):
            answer = lcp.solve(problem["M"], problem["q"]).as_json()
            self.assertEqual(got, {"name": problem["name"], **answer})

    def test_hostile_entries(self):
        """Each becomes bad_input, told by entry and field, and its neighbours are solved."""
        good = {"name": "good", "M": [[1]], "q": [-2]}
        hostile = [
            ("5", "entry 1, is not an object"), ("null", "entry 1, is not an object"),
            ("[[1]]", "entry 1, is not an object"), ("{}", "entry 1, M: is missing"),
            ('{"M": [[1]]}', "entry 1, q: is missing"),
            ('{"M": [[NaN]], "q": [1]}', "entry 1, M: number 0 in row-major order is nan"),
            ('{"M": [[1]], "q": [-Infinity]}', "entry 1, q: number 0 in row-major order is -inf"),
            ('{"M": [[1e400]], "q": [1]}', "entry 1, M: number 0 in row-major order is inf"),
            ('{"name": ["x"], "M": [[1]], "q": [1]}', "entry 1, name: is neither"),
            ('{"name": NaN, "M": [[1]], "q": [1]}', "entry 1, name: is neither"),
            ('{"name": "x", "M": %s1%s, "q": [1]}' % ("[" * 300, "]" * 300), "entry 1 (x), M: number 0"),
            ('{"name": "\\ud800", "M": 1, "q": [1]}', "M: is not a list"),
        ]
        for text, told in hostile:
            got, _, err = self.answers("[%s, %s, %s]" % (json.dumps(good), text, json.dumps(good)))
            self.assertEqual([a["status"] for a in got], ["solved", "bad_input", "solved"], text)
            self.assertIn(told, err)
            json.loads(json.dumps(got, allow_nan=False))

    def test_many_bad_entries_are_told_shortly(self):
        err = self.answers([{"name": str(k)} for k in range(50)])[2]
        self.assertEqual(len(err.splitlines()), 6)
        self.assertIn("45 more entries", err)

    def test_files_that_are_refused(self):
        """The old answers stay, and nothing else is left behind."""
        (self.folder / "a.json").write_text("old")
        for text, told in (("", "line 1, column 1"), ("[1,", "line 1, column 4"), ("{}", "wanted a list of"),
                           ('{"M": [[1]], "q": [1]}', "wanted a list"), (b"\xff\xfe", "not UTF-8"),
                           ("[" * 100000, "problems.json"), ("nul", "column 1")):
            self.refused("lcp solve", self.write(text), "-o", "a.json", told=("problems.json", told))
            self.assertEqual((self.folder / "a.json").read_text(), "old")
        self.refused("lcp solve", "missing.json", told=("missing.json",))
        self.refused("lcp solve", self.write([]), "-o", "none/a.json", told=("none/a.json: cannot be written",))
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["a.json", "problems.json"])

    def test_progress_of_long_lists(self):
        clock = itertools.count()
        with mock.patch("tinycontact.progress.time.monotonic", lambda: next(clock) * 0.6):
            err = self.answers([{"name": str(k), "M": [[1]], "q": [-1]} for k in range(6)])[2]
        self.assertIn("solving problem 3/6", err)

    def test_example_of_the_help(self):
        """What --help shows as an example runs as it is."""
        text = " ".join(self.command("lcp solve", "--help")[0].split())
        shown = text.split("echo '")[1].split("' >")[0]
        self.assertEqual(self.answers(shown)[0][0]["status"], "solved")
        for status in lcp.STATUSES:
            self.assertIn(status, text)


class Builds(unittest.TestCase):
    def test_double_agrees(self):
        """The reference build sees the same rounded problem: float's w is its w within rounding."""
        double = lcp.Solver(tc.Library(real="double"))
        rng = np.random.default_rng(SEED + 6)
        for n in (2, 3, 5, 12):
            J = rng.uniform(-1, 1, (n, n + 1))
            M, q = J @ J.T, rng.uniform(-1, 1, n)
            one, two = lcp.solve(M, q), double.solve(M, q)
            self.assertEqual((one.status, two.status), ("solved", "solved"))
            scale = (np.abs(M) @ two.z + np.abs(q)).max()
            np.testing.assert_allclose(one.w, two.w, rtol=0, atol=2e-5 * scale)


if __name__ == "__main__":
    unittest.main()
