# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The host library through the Python package: against NumPy in float64, and float against double.

The library built with double is the rounding-error oracle of the one built with float: the two differ by what
rounding adds up to, and the bounds below are the textbook ones, c n u cond, with u = 2^-24 and c = 8.
"""
import os
import unittest
import warnings
from unittest import mock

import numpy as np

from tinycontact_case import ACTIVATIONS, Temporary, random_net, tc
from tinycontact.functions import FUNCTIONS, UNARY, WORK

U = 2.0**-24
C = 8
SIZES = (1, 2, 3, 4, 5, 6, 7, 12, 17, 32)


def setUpModule():
    global FLOAT, DOUBLE
    FLOAT, DOUBLE = tc.Library(), tc.Library(real="double")


def random_spd(rng, n):
    """Symmetric positive definite, in float32 exactly, and its condition number, up to a thousand."""
    Q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    A = np.float32((Q * np.logspace(0, rng.uniform(0, 3), n)) @ Q.T)
    A = np.tril(A) + np.tril(A, -1).T
    return A, np.linalg.cond(A.astype(float))


class Nets(unittest.TestCase):
    def check(self, net, scale=1.0):
        rng = np.random.default_rng(9)
        x = np.float32(rng.normal(size=(5, net.n_in)) * scale)
        wanted, bound = net.eval_with_bound(x)
        got = FLOAT.eval(net, x)
        worst = np.abs(got - wanted) - 2 * bound
        self.assertLessEqual(worst.max(), 0, f"{net.weights} {[layer.activation for layer in net.layers]}")
        if net.weights != "i8-act":   # whose roundings the reference makes in float32
            self.assertLess(np.abs(DOUBLE.eval(net, x) - wanted).max(), 1e-12 * (1 + np.abs(wanted).max()))

    def test_all_activations_and_heads(self):
        """A reference and a library that disagree about an activation, a head or a normalisation."""
        for seed, last in enumerate(ACTIVATIONS):
            for hidden in ACTIVATIONS:
                for weights in ("f32", "i8"):
                    self.check(random_net(seed, [5, 11, 3], [hidden, last], weights=weights,
                                          normal=seed % 2 == 0))
        for weights in ("f32", "i8", "i8-act"):
            self.check(random_net(7, [4, 9, 3], ["tanh", "identity"], "softmax", weights, normal=True))

    def test_random_shapes(self):
        rng = np.random.default_rng(3)
        for seed in range(40):
            depth = int(rng.integers(1, 9))
            dims = [int(n) for n in rng.integers(1, 40, depth + 1)]
            kinds = [ACTIVATIONS[k] for k in rng.integers(0, 5, depth)]
            self.check(random_net(seed, dims, kinds, normal=bool(seed % 3)))

    def test_int8_activations_are_emulated_exactly(self):
        """An emulation that rounds once too few or halves the other way: no output may differ by a bit."""
        rng = np.random.default_rng(4)
        for seed in range(40):
            depth = int(rng.integers(1, 7))
            dims = [int(n) for n in rng.integers(1, 50, depth + 1)]
            last = ["identity", "relu"][seed % 2]
            net = random_net(seed, dims, ["relu"] * (depth - 1) + [last], weights="i8-act",
                             normal=bool(seed % 3))
            x = np.float32(rng.normal(size=(20, net.n_in)) * 10.0**rng.integers(-1, 2))
            got, wanted = FLOAT.eval(net, x), net.eval(x)
            self.assertEqual(got.tobytes(), np.float32(wanted).tobytes(), f"seed {seed}")
            self.assertEqual(np.abs(got - wanted).max(), 0)

    def test_int8_activations_within_a_step(self):
        """tanh and sigmoid are float64 here: the same but where a value lies at a rounding edge."""
        same = total = 0
        for seed in range(20):
            net = random_net(seed, [6, 20, 9, 2], ["tanh", "sigmoid", "tanh"], weights="i8-act")
            self.check(net)
            x = np.float32(np.random.default_rng(seed).normal(size=(20, 6)))
            same += int((np.abs(FLOAT.eval(net, x) - net.eval(x)) < 1e-6).all(axis=1).sum())
            total += 20
        self.assertGreater(same, 0.98 * total)

    def test_gradient(self):
        """Against central differences of the float64 reference."""
        for seed, kinds in enumerate((["tanh", "softplus", "identity"], ["sigmoid", "tanh", "tanh"])):
            for head in ("linear", "softmax"):
                kinds = kinds[:2] + ["identity"] if head == "softmax" else kinds
                net = random_net(seed, [4, 9, 7, 3], kinds, head, normal=True)
                rng = np.random.default_rng(seed)
                x, c, h = rng.normal(size=4), rng.normal(size=3), 1e-5
                wanted = [(net.eval(x + h * e) - net.eval(x - h * e)) @ c / (2 * h) for e in np.eye(4)]
                output, grad = DOUBLE.open(net).net().grad(x, c)
                np.testing.assert_allclose(grad, wanted, rtol=1e-6, atol=1e-8)
                np.testing.assert_allclose(output, net.eval(x), rtol=1e-12)
                np.testing.assert_allclose(FLOAT.open(net).net().grad(x, c)[1], wanted, rtol=1e-3, atol=1e-4)

    def test_errors_and_range(self):
        net = random_net(1, [2, 3, 1], ["tanh", "identity"], limits=True)
        opened = FLOAT.open(net)
        one = opened.net()
        for x, status in (([np.nan, 0], "TC_ERR_NOT_FINITE"), ([1e30, 0], "TC_ERR_RANGE"),
                          ([1, 2, 3], "TC_ERR_SIZE")):
            with self.assertRaises(tc.StatusError) as caught:
                one.eval(x)
            self.assertEqual(caught.exception.status, status)
            self.assertIn(status, str(caught.exception))
        with self.assertRaisesRegex(tc.StatusError, "row 1"):
            one.eval([[0, 0], [np.inf, 0]])
        with self.assertRaisesRegex(tc.StatusError, "'nobody'.*net"):
            opened.net("nobody")
        self.assertTrue(one.in_range([0, 0]))
        self.assertFalse(one.in_range([0, 5]))
        quantised = random_net(1, [2, 1], ["identity"], weights="i8-act")
        with self.assertRaisesRegex(tc.StatusError, "TC_ERR_UNSUPPORTED"):
            FLOAT.open(quantised).net().grad([0, 0], [1])

    def test_selftest_notices_a_wrong_sample(self):
        net = random_net(1, [2, 3, 1], ["tanh", "identity"])
        net.samples.outputs[1, 0] += 2 * net.samples.tolerance
        with self.assertRaisesRegex(tc.StatusError, "TC_ERR_MODEL_SELFTEST.*1 outputs of 3 samples"):
            FLOAT.open(net).selftest()

    def test_tolerances_hold_in_both_builds(self):
        for weights in ("f32", "i8", "i8-act"):
            for seed in range(10):
                net = random_net(seed, [8, 32, 32, 3], ["relu", "tanh", "identity"], weights=weights,
                                 samples=50)
                self.assertEqual(FLOAT.open(net).selftest()["failed"], 0)
                self.assertEqual(DOUBLE.open(net).selftest()["failed"], 0)


class Quantise(unittest.TestCase):
    def setUp(self):
        self.net = random_net(5, [4, 24, 16, 3], ["relu", "tanh", "identity"], normal=True)
        self.data = np.random.default_rng(6).normal(size=(400, 4))

    def test_error_is_small_and_reported(self):
        """A wrong step or scale anywhere makes an error of the size of the output, not some percent."""
        for weights, most in (("i8", 0.02), ("i8-act", 0.06)):
            net, report = tc.quantise(self.net, self.data, weights)
            relative = report.rms_error / report.rms_output
            self.assertLess(relative.max(), most, weights)
            error = np.abs(net.eval(self.data) - self.net.eval(np.float32(self.data).astype(float)))
            np.testing.assert_allclose(report.max_error, error.max(axis=0), rtol=1e-3)
            self.assertEqual(report.bytes_before, 4 * report.bytes_after)
            self.assertIsNone(report.agreement)
            self.assertEqual(FLOAT.open(net).selftest()["failed"], 0)
            self.assertIn("max error", str(report))

    def test_hidden_relu_is_rounded_and_not_cut(self):
        """Cutting off instead of rounding lowers each of 64 activations by half a step, all the same way."""
        net = tc.Net("sum", [(np.random.default_rng(1).normal(size=(64, 4)), np.zeros(64), "relu"),
                             (np.ones((1, 64)), [0], "identity")])
        result = tc.quantise(net, self.data)[0]
        error = result.eval(self.data) - net.eval(self.data)
        weight_step = np.abs(net.layers[0].weights).max(axis=1).min() / 127
        step = float(weight_step / result.input_quant / result.layers[0].scale.min())   # of the hidden layer
        self.assertLess(abs(error.mean()), 0.1 * 64 * step)

    def test_classifier(self):
        net = random_net(8, [4, 24, 3], ["sigmoid", "identity"], "softmax")
        report = tc.quantise(net, self.data)[1]
        self.assertGreater(report.agreement, 0.95)
        self.assertEqual(report.as_dict()["agreement"], report.agreement)

    def test_zero_rows_and_constant_data(self):
        net = tc.Net("z", [(np.zeros((2, 3)), [1, 2], "relu"), (np.eye(2), [0, 0], "identity")])
        result = tc.quantise(net, np.zeros((1, 3)))[0]
        np.testing.assert_allclose(FLOAT.eval(result, [0, 0, 0]), [1, 2], rtol=0.01)

    def test_refused(self):
        soft = random_net(1, [2, 2, 1], ["softplus", "identity"])
        done = tc.quantise(soft, self.data[:, :2], "i8")[0]
        for net, data, weights, told in ((soft, self.data[:, :2], "i8-act",
                                          "layer 0: activation 'softplus'.*'i8'"),
                                         (done, self.data[:, :2], "i8", "already"),
                                         (soft, self.data, "i8", r"wanted \[n, 2\]"),
                                         (soft, [[np.nan, 0]], "i8", r"data\[0, 0\] is nan"),
                                         (soft, self.data[:, :2], "i4", "'i4'")):
            with self.assertRaisesRegex(tc.TinycontactError, told):
                tc.quantise(net, data, weights)


class Matrices(unittest.TestCase):
    """What a call returns in float lies within the bound of what it returns in double, and that is right."""

    def both(self, name, *arguments):
        a, b = FLOAT.call(name, *arguments), DOUBLE.call(name, *arguments)
        return np.float64(a), b

    def test_products(self):
        rng = np.random.default_rng(1)
        for m, k, n in ((m, k, n) for m in SIZES for k in SIZES for n in (1, 3, 12)):
            A, B = np.float32(rng.normal(size=(m, k))), np.float32(rng.normal(size=(k, n)))
            bound = (k + 1) * U * (np.abs(A).astype(float) @ np.abs(B))
            a, b = self.both("mat_mul", A, B)
            self.assertLessEqual((np.abs(a - b) - bound).max(), 0)
            np.testing.assert_allclose(b, A.astype(float) @ B, rtol=1e-12, atol=1e-13)
        for name in ("mat_vec", "mat_vec_t", "mat_vec_add_inplace", "mat_vec_t_add_inplace"):
            for m, n in ((7, 5), (12, 12), (32, 31)):
                A = np.float32(rng.normal(size=(m, n)))
                M = A.T if "_t" in name else A
                x, y = np.float32(rng.normal(size=M.shape[1])), np.float32(rng.normal(size=M.shape[0]))
                extra = [y.copy()] if "add" in name else []
                a, b = self.both(name, A, x, *extra)
                wanted = M.astype(float) @ x + (y if extra else 0)
                np.testing.assert_allclose(b, wanted, rtol=1e-12, atol=1e-13)
                np.testing.assert_allclose(a, b, atol=40 * U * 20)
                if extra:
                    np.testing.assert_array_equal(extra[0], y)   # the copy was written, not the argument
        for n in (3, 12, 32):
            A, d, D = (np.float32(rng.normal(size=s)) for s in ((n - 1, n), n, (n, n)))
            D = D + D.T
            np.testing.assert_allclose(self.both("mat_congruence_diag", A, d)[1], A * d.astype(float) @ A.T,
                                       atol=1e-12)
            a, b = self.both("mat_congruence", A, D)
            np.testing.assert_allclose(b, A.astype(float) @ D @ A.T, atol=1e-11)
            bound = 2 * (n + 1) * U * (np.abs(A).astype(float) @ np.abs(D) @ np.abs(A.T))
            self.assertLessEqual((np.abs(a - b) - bound).max(), 0)

    def test_factors(self):
        rng = np.random.default_rng(2)
        for n in SIZES:
            for _ in range(5):
                A, cond = random_spd(rng, n)
                a, b = self.both("mat_cholesky", A)
                np.testing.assert_allclose(b, np.linalg.cholesky(A.astype(float)), rtol=1e-9, atol=1e-9)
                self.assertLessEqual(np.abs(a - b).max(), C * n * U * cond * np.abs(b).max())
                np.testing.assert_array_equal(FLOAT.mat_cholesky_inplace(A), FLOAT.mat_cholesky(A))
                (L, d), (L2, d2) = FLOAT.mat_ldlt(A), DOUBLE.mat_ldlt(A)
                np.testing.assert_allclose(L2 * d2 @ L2.T, A, rtol=1e-9, atol=1e-9)
                self.assertLessEqual(np.abs(d - d2).max(), C * n * U * cond * np.abs(d2).max())
                self.assertLessEqual(np.abs(L - L2).max(), C * n * U * cond * np.abs(L2).max())

    def test_solves(self):
        rng = np.random.default_rng(3)
        for n in SIZES:
            A, cond = random_spd(rng, n)
            exact = A.astype(float)
            for columns in (1, 2, 7):
                B = np.float32(rng.normal(size=(n, columns)))
                X = np.linalg.solve(exact, B)
                limit = C * n * U * cond * np.abs(X).max()
                for library, most in ((FLOAT, limit), (DOUBLE, 1e-9 * (1 + limit / U * 1e-3))):
                    L = library.mat_cholesky(A)
                    self.assertLessEqual(np.abs(library.mat_cholesky_solve(L, B) - X).max(), most)
                    L, d = library.mat_ldlt(A)
                    self.assertLessEqual(np.abs(library.mat_ldlt_solve(L, d, B) - X).max(), most)
            L = np.tril(A)
            for name, M in (("mat_solve_lower", L), ("mat_solve_lower_t", L.T)):
                b = np.float32(rng.normal(size=n))
                got = DOUBLE.call(name, L, b)
                self.assertEqual(got.shape, (n,))
                np.testing.assert_allclose(M.astype(float) @ got, b,
                                           atol=1e-9 * np.linalg.cond(M.astype(float)))
            x, info = FLOAT.mat_psd_solve(A, B[:, 0])
            self.assertLessEqual(np.abs(x - X[:, 0]).max(), limit)
            self.assertEqual((info.rank, info.note), (n, ""))
            a, b = self.both("mat_inverse_spd", A)
            self.assertLessEqual(np.abs(a - b).max(), C * n * U * cond * np.abs(b).max())
            np.testing.assert_allclose(b, np.linalg.inv(exact), rtol=1e-7, atol=1e-9 * np.abs(b).max())

    def test_rank_is_told(self):
        J = np.random.default_rng(4).normal(size=(6, 3))
        A = J @ J.T
        x, info = DOUBLE.mat_psd_solve(A, A @ np.ones(6))
        self.assertEqual((info.rank, info.note), (3, "TC_NOTE_RANK"))
        np.testing.assert_allclose(A @ x, A @ np.ones(6), atol=1e-9)
        self.assertEqual(DOUBLE.mat_psd_solve(A, np.arange(6.0))[1].note, "TC_NOTE_INCONSISTENT")

    def test_statuses(self):
        eye = np.eye(3)
        for name, arguments, status in (
                ("mat_cholesky", [-eye], "TC_ERR_INDEFINITE"),
                ("mat_cholesky", [np.zeros((2, 2))], "TC_ERR_SINGULAR"),
                ("mat_mul", [eye * np.nan, eye], "TC_ERR_NOT_FINITE"),
                ("mat_mul", [eye, np.eye(2)], "TC_ERR_SIZE"),
                ("mat_mul", [np.eye(33), np.eye(33)], "TC_ERR_SIZE"),
                ("mat_mul", [np.zeros((0, 0))] * 2, "TC_ERR_SIZE"),
                ("mat_mul", [eye * 1e30, eye * 1e30], "TC_ERR_RANGE"), ("mat_vec", [eye, eye], "TC_ERR_SIZE"),
                ("mat_ldlt", [np.zeros((2, 3))], "TC_ERR_SIZE"),
                ("softmax_inplace", [np.zeros(513)], "TC_ERR_SIZE")):
            with self.subTest(name=name, status=status), self.assertRaises(tc.StatusError) as caught:
                FLOAT.call(name, *arguments)
            self.assertEqual(caught.exception.status, status)
            self.assertTrue(str(caught.exception).startswith(name))
        for arguments, told in ((["mat_mul", eye], "takes A, B"), (["mat_nothing", eye], "no function"),
                                (["tanh"], "takes 1"), (["atan2", 1], "takes 2"),
                                (["tanh", "x"], "not an array")):
            with self.assertRaisesRegex(tc.TinycontactError, told):
                FLOAT.call(*arguments)

    def test_positive_statuses_warn(self):
        from tinycontact.functions import note
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            self.assertEqual(note("f", 1, True), "TC_NOTE_LIMIT")
        self.assertIs(seen[0].category, tc.TinycontactNote)


class Elementary(unittest.TestCase):
    def test_values(self):
        """Each function is the one its name says, in both builds, and keeps the array's shape."""
        from math import erf
        x = np.linspace(-6, 6, 61).reshape(1, 61)
        phi = np.exp(-x**2 / 2) / np.sqrt(2 * np.pi)
        Phi = np.vectorize(lambda v: 0.5 * (1 + erf(v / 2**0.5)))(x)
        wanted = {"exp": np.exp(x), "log": np.log(np.abs(x) + 1), "tanh": np.tanh(x),
                  "sigmoid": 1 / (1 + np.exp(-x)),
                  "softplus": np.log1p(np.exp(x)), "sqrt": np.sqrt(np.abs(x) + 1), "sin": np.sin(x),
                  "cos": np.cos(x),
                  "normal_density": phi, "normal_distribution": Phi, "normal_ratio": phi / Phi}
        self.assertEqual(set(wanted), set(UNARY))
        for name, value in wanted.items():
            argument = np.abs(x) + 1 if name in ("log", "sqrt") else x
            exact_argument = np.float32(argument)
            for library, most in ((FLOAT, 3e-6), (DOUBLE, 3e-6)):
                got = library.call(name, exact_argument)
                self.assertEqual((got.shape, got.dtype), (x.shape, library.real))
                np.testing.assert_allclose(got, value, rtol=most, atol=most, err_msg=name)
        np.testing.assert_allclose(FLOAT.atan2([1, -1, 0], [1, -1, -1]), np.arctan2([1, -1, 0], [1, -1, -1]),
                                   atol=1e-6)
        np.testing.assert_allclose(FLOAT.softmax_inplace([0, 1, 2]),
                                   np.exp([0, 1, 2]) / np.exp([0, 1, 2]).sum(), atol=1e-6)
        self.assertIs(FLOAT.all_finite([1, 2]), True)
        self.assertIs(FLOAT.all_finite([1, np.inf]), False)
        self.assertTrue(np.isnan(FLOAT.log(-1.0)))


class Loading(Temporary):
    def test_versions(self):
        self.assertRegex(FLOAT.build_text(), r"^tinycontact \d+\.\d+\.\d+ exact portable")
        self.assertIn(FLOAT.version(), FLOAT.build_text())

    def test_every_function_of_the_header_is_there(self):
        """A function added to tc_mat.h or tc_math.h and forgotten here."""
        import re
        from tree import lib_file
        text = "".join(lib_file(name).read_text() for name in ("tc_mat.h", "tc_math.h"))
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        there = {name for name in re.findall(r"\btc_(\w+)\(", text)}
        self.assertEqual(there, {*FUNCTIONS, *UNARY, "atan2", "all_finite", "sincos"})
        wanting = {name for name,
                   parameters in re.findall(r"\btc_(\w+)\(([^)]*)\)", text) if "work_len" in parameters}
        self.assertEqual(set(WORK), wanting)

    def test_refused(self):
        for arguments, told in ((dict(backend="cuda"), "'cuda'"), (dict(real="half"), "'half'"),
                                (dict(backend="cmsis-dsp", real="double"), "float only")):
            with self.assertRaisesRegex(tc.TinycontactError, told):
                tc.Library(**arguments)
        (self.folder / "no.so").write_text("no library")
        for path, told in (("no.so", "no.so: cannot be loaded"), ("none.so", "none.so: cannot be loaded"),
                           ("libm.so.6", "cannot be loaded as the library")):
            with mock.patch.dict(os.environ,
                                 TINYCONTACT_LIBRARY=path if "libm" in path else str(self.folder / path)):
                with self.assertRaisesRegex(tc.TinycontactError, told):
                    tc.Library()
        with mock.patch.dict(os.environ, TINYCONTACT_LIBRARY=str(DOUBLE.path)):
            with self.assertRaisesRegex(tc.TinycontactError, "not built with real = 'float'"):
                tc.Library()
        with mock.patch.dict(os.environ, TINYCONTACT_ROOT=str(self.folder)):
            with self.assertRaisesRegex(tc.TinycontactError, "TINYCONTACT_ROOT"):
                tc.Library()

    def test_make_is_asked_once(self):
        """A run of 800 ticks that reads the wire asked it 900 times, which took longer than the run."""
        first = tc.Library()
        with mock.patch("tinycontact.library.make", side_effect=AssertionError("asked again")):
            self.assertEqual(first.path, tc.Library().path)
            with mock.patch("tinycontact.library._MADE", {}), self.assertRaisesRegex(AssertionError, "asked again"):
                tc.Library()

    def test_cmsis_dsp(self):
        """The same results within tolerances."""
        from tinycontact_case import ROOT
        if not (ROOT / "build" / "third_party" / "CMSIS-DSP").is_dir():
            self.skipTest("CMSIS-DSP is not set up (make setup)")
        library = tc.Library("cmsis-dsp")
        A, cond = random_spd(np.random.default_rng(1), 12)
        np.testing.assert_allclose(library.mat_mul(A, A), FLOAT.mat_mul(A, A), rtol=1e-4, atol=1e-3)
        net = random_net(1, [8, 32, 32, 16, 3], ["relu"] * 3 + ["identity"])
        x = np.ones(8)
        np.testing.assert_allclose(library.eval(net, x), FLOAT.eval(net, x),
                                   atol=2 * float(net.samples.tolerance))


if __name__ == "__main__":
    unittest.main()
