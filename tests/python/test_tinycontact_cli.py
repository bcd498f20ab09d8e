# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The command `tinycontact`: each command once as a user would type it, and each mistake a user can make,
which must end with status 2 and one line that names the file and the field."""
import json
import os
import subprocess
import sys
import unittest

import numpy as np

from tinycontact_case import ROOT, Temporary, all_kinds, random_net, tc
from tinycontact.tables import read_csv

COMMANDS = ("model inspect", "model check", "model export", "model layout", "model quantise", "model eval", "library call",
            "library version")


class Cli(Temporary):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(1)
        self.weights = {"W0": rng.normal(size=(8, 3)), "b0": rng.normal(size=8),
                        "W1": rng.normal(size=(2, 8)),
                        "b1": rng.normal(size=2), "input_mean": np.ones(3), "input_scale": np.full(3, 0.5)}
        np.savez("w.npz", **self.weights)
        self.rows = np.float32(rng.normal(size=(30, 3)))
        np.savetxt("x.csv", self.rows, delimiter=",", header="a,b,c", comments="")
        all_kinds().save("kinds.tcm")

    def changed(self, **arrays):
        """bad.npz with some arrays replaced, or left out if None."""
        merged = {**self.weights, **arrays}
        np.savez("bad.npz", **{k: v for k, v in merged.items() if v is not None})
        return "bad.npz"


class Commands(Cli):
    def test_help(self):
        self.assertIn("quantise", self.command("--help")[0])
        for name in COMMANDS:
            self.assertIn("usage: tinycontact " + name, self.command(name, "--help")[0])
        for words in ([], ["model eval", "kinds.tcm"], ["model inspect"]):
            self.assertIn("usage", self.command(*words, status=2)[1])

    def test_export_inspect_check_eval(self):
        out = self.command("model export", "w.npz", "--name", "friction", "--activation", "relu", "--step-size",
                           "0.001",
                           "--sample-data", "x.csv", "--samples", "5", "-o", "f.tcm", "--c", "friction")[0]
        model = tc.load("f.tcm")
        self.assertIn(model.hash(), out)
        net = model["friction"]
        np.testing.assert_array_equal(net.samples.inputs, self.rows[:5])
        x = np.maximum((self.rows.astype(float) - 1) * 0.5 @ np.float32(self.weights["W0"]).astype(float).T
                       + np.float32(self.weights["b0"]), 0)
        y = x @ np.float32(self.weights["W1"]).astype(float).T + np.float32(self.weights["b1"])
        np.testing.assert_allclose(net.eval(self.rows), y, rtol=1e-12)
        self.assertTrue((self.folder / "friction.c").is_file() and (self.folder / "friction.h").is_file())

        out = self.command("model inspect", "f.tcm")[0]
        for words in ("hash verified", "0.001 s", "net friction: 3 inputs, 2 outputs, 2 layers", "8 relu",
                      "tiles 8 x 1",
                      "input_scale  0.5, 0.5, 0.5", "samples      5"):
            self.assertIn(words, out)
        shown = json.loads(self.command("model inspect", "kinds.tcm", "--json")[0])
        self.assertEqual((shown["hash"], shown["hash_fits"]), (all_kinds().hash(), True))
        self.assertEqual([n["name"] for n in shown["nets"]], [n.name for n in all_kinds().nets])
        self.assertEqual(shown["metadata"]["note"], "Reibung \u03bc")

        out = self.command("model check", "f.tcm")[0]
        self.assertIn("every rule", out)
        self.assertIn("5 samples reproduced", out)
        self.assertNotIn("opened by", self.command("model check", "f.tcm", "--no-library")[0])

        for backend, most in (("portable", 1e-5), ("double", 1e-13), ("reference", 0)):
            out = self.command("model eval", "f.tcm", "--csv", "x.csv", "--backend", backend)[0]
            got = np.array([[float(v) for v in line.split(",")] for line in out.splitlines()])
            np.testing.assert_allclose(got, y, rtol=most, atol=most)
        self.command("model eval", "f.tcm", "--input", "1,2,3", "-o", "y.npy")
        np.testing.assert_array_equal(np.load("y.npy"), tc.Library().eval(net, [[1, 2, 3]]))
        here = self.command("model eval", "f.tcm", "--csv", "x.csv")[0]
        there = self.command("model eval", "f.tcm", "--csv", "x.csv", "--board", "host")[0]
        self.assertEqual(here, there)   # text that float32 survives

    def test_export_options(self):
        self.command("model export", self.changed(W0=self.weights["W0"].T, W1=self.weights["W1"].T), "--transpose",
                     "-o", "t.tcm")
        self.command("model export", "w.npz", "-o", "u.tcm")
        self.assertEqual(tc.load("t.tcm").hash(), tc.load("u.tcm").hash())
        self.command("model export", self.changed(input_mean=None, mu=np.ones(3)), "--mean", "mu", "-o", "m.tcm")
        self.assertEqual(tc.load("m.tcm").hash(), tc.load("u.tcm").hash())
        (self.folder / "m.json").write_text('{"unit": "N"}')
        self.command("model export", "w.npz", "--metadata", "m.json", "--head", "softmax", "--core", "helium",
                     "--weights",
                     "i8-act", "--sample-data", "x.csv", "-o", "q.tcm")
        model = tc.load("q.tcm")
        self.assertEqual((model.metadata, model.nets[0].weights, model.nets[0].head),
                         ({"unit": "N"}, "i8-act", "softmax"))
        self.assertIn("tiles 4 x 16", self.command("model inspect", "q.tcm")[0])

    def test_retile_and_quantise(self):
        self.command("model layout", "kinds.tcm", "--core", "helium", "-o", "h.tcm")
        self.assertEqual(tc.load("h.tcm").hash(), all_kinds().hash())
        self.assertNotEqual((self.folder / "h.tcm").read_bytes(), (self.folder / "kinds.tcm").read_bytes())
        self.command("model layout", "h.tcm", "-o", "back.tcm")
        self.assertEqual((self.folder / "back.tcm").read_bytes(), (self.folder / "kinds.tcm").read_bytes())
        out = self.command("model quantise", "kinds.tcm", "--net", "friction", "--data", "x.csv", "-o", "q.tcm")[0]
        self.assertIn("max error", out)
        model = tc.load("q.tcm")
        self.assertEqual([net.weights for net in model.nets], ["i8-act", "f32", "i8", "i8-act", "f32"])
        self.assertEqual(model.metadata, all_kinds().metadata)
        out = self.command("model quantise", "kinds.tcm", "--net", "friction", "--data", "x.csv", "--json", "-o",
                           "q.tcm")[0]
        self.assertEqual(json.loads(out)["rows"], 30)

    def test_out_of_range_is_noted(self):
        tc.Model(random_net(1, [2, 1], ["tanh"], limits=True)).save("r.tcm")
        err = self.command("model eval", "r.tcm", "--input", "0,50")[1]
        self.assertRegex(err, r"row 1: input 2 = 50 lies outside the range of training")
        self.assertEqual(self.command("model eval", "r.tcm", "--input", "0,0")[1], "")

    def test_run(self):
        np.save("a.npy", np.float32([[2, 1], [1, 3]]))
        self.assertEqual(self.command("library call", "mat_mul", "a.npy", "1,0;0,1")[0], "2,1\n1,3\n")
        self.assertEqual(self.command("library call", "tc_mat_ldlt", "a.npy")[0], "# L\n1,0\n0.5,1\n# d\n2,2.5\n")
        out, err = self.command("library call", "mat_psd_solve", "1,1;1,1", "1,1")
        self.assertEqual(out, "1,0\n")
        self.assertIn("rank 1, residual 0, TC_NOTE_RANK", err)
        self.assertEqual(self.command("library call", "tanh", "0")[0], "0\n")
        self.assertEqual(self.command("library call", "all_finite", "0,1")[0], "True\n")
        self.assertEqual(self.command("library call", "mat_vec", "a.npy", "1,1", "--board", "host")[0], "3,4\n")
        self.assertIn("mat_cholesky(A[n,n]): L of A = L L^T", self.command("library call", "--list")[0])
        self.command("library call", "mat_mul", "a.npy", "a.npy", "-o", "c.npy", "--backend", "double")
        np.testing.assert_array_equal(np.load("c.npy"), [[5, 5], [5, 10]])

    def test_version(self):
        out = self.command("library version")[0]
        self.assertRegex(out, r"(?s)tinycontact package .*model format 2.*library: tinycontact \d")

    def test_as_a_program(self):
        """The module starts, and a reader that closes the pipe early is no accident."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}
        words = [sys.executable, "-m", "tinycontact", "model", "inspect", "kinds.tcm"]
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = subprocess.run(words[:4] + ["inspect", "none.tcm"], env=environment, capture_output=True,
                              text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))


class Mistakes(Cli):
    def test_files(self):
        """Missing, cut off, flipped, foreign: for every command that reads a model."""
        good = (self.folder / "kinds.tcm").read_bytes()
        flipped = bytearray(good)
        flipped[len(good) // 2] ^= 4
        (self.folder / "cut.tcm").write_bytes(good[:1000])
        (self.folder / "stub.tcm").write_bytes(good[:20])
        (self.folder / "flip.tcm").write_bytes(flipped)
        (self.folder / "text.tcm").write_text("hello, world")
        (self.folder / "empty.tcm").write_bytes(b"")
        hashless = bytearray(good)
        hashless[16] ^= 1
        import struct
        import zlib
        struct.pack_into("<I", hashless, 12, zlib.crc32(hashless[16:]))
        (self.folder / "hash.tcm").write_bytes(hashless)
        ways = (["model inspect"], ["model check"], ["model layout", "-o", "o.tcm"],
                ["model quantise", "--data", "x.csv", "-o", "o.tcm"], ["model eval", "--input", "1"])
        for name, told in (("none.tcm", "No such file"), ("cut.tcm", "total_size"), ("flip.tcm", "crc"),
                           ("stub.tcm", "20 bytes, the header has 64"), ("text.tcm", "magic"),
                           ("empty.tcm", "cut off"),
                           (".", "Is a directory")):
            for command, *rest in ways:
                self.refused(command, name, *rest, told=(name + ": ", told))
        self.refused("model check", "hash.tcm", told=("hash.tcm", "hash (byte 16)"))
        self.assertIn("HASH DOES NOT FIT", self.command("model inspect", "hash.tcm")[0])
        self.assertFalse((self.folder / "o.tcm").exists())

    def test_wrong_number_in_a_file(self):
        """A NaN with a good CRC: the message names net, layer and element."""
        import struct
        import zlib
        from tinycontact.format import HEADER, NET
        bad = bytearray((self.folder / "kinds.tcm").read_bytes())
        layers = struct.unpack_from("<I", bad, HEADER + NET + 32)[0]
        weights = struct.unpack_from("<I", bad, layers + 32 + 8)[0]   # net 1, layer 1: 17 x 7, tiles of 8 x 1
        struct.pack_into("<f", bad, weights + 4 * (8 * 7 + 8 * 2 + 5), np.nan)   # row 13, column 2
        struct.pack_into("<I", bad, 12, zlib.crc32(bad[16:]))
        (self.folder / "nan.tcm").write_bytes(bad)
        self.refused("model check", "nan.tcm", told=("nan.tcm: net 'mode', layer 1, weights[13, 2]", "is nan"))

    def test_export(self):
        nan = self.weights["W1"].copy()
        nan[1, 3] = np.nan
        for arrays, told in ((dict(b1=None), "key 'b1' is missing"), (dict(W0=None), "key 'W0' is missing"),
                             (dict(W5=np.ones((2, 2))), "key 'W5' is not known"),
                             (dict(W1=nan), "W1[1, 3] is nan"),
                             (dict(b0=np.ones(4)), "b0: has 4 numbers, wanted 8"),
                             (dict(W1=np.ones((8, 2))), "W1: 8 rows, but the bias has 2 numbers"),
                             (dict(W1=np.ones((2, 7))), "W1: 7 columns, but layer 0 has 8 outputs"),
                             (dict(input_scale=None), "input_scale: missing"),
                             (dict(W0=np.array([["x"]])), "W0: not an array of numbers"),
                             (dict(output_mean=np.ones(3), output_scale=np.ones(2)),
                              "output_mean: has 3 numbers")):
            self.refused("model export", self.changed(**arrays), "-o", "o.tcm", told=("bad.npz", told))
        (self.folder / "text.npz").write_text("hello")
        np.save("array.npy", np.ones(3))
        (self.folder / "list.json").write_text("[1]")
        (self.folder / "bad.json").write_text("{")
        for words, told in ((["none.npz"], "none.npz: No such file"), (["text.npz"], "text.npz: is no .npz"),
                            (["array.npy"], "array.npy: is no .npz"),
                            (["w.npz", "--mean", "mu"], "key 'mu' is missing"),
                            (["w.npz", "--activation", "gelu"], "'gelu'"),
                            (["w.npz", "--name", "a b"], "name"),
                            (["w.npz", "--activation", "tanh,tanh,tanh"], "3 given for 2 layers"),
                            (["w.npz", "--weights", "i8"], "needs --sample-data"),
                            (["w.npz", "--sample-data", "none.csv"], "none.csv: No such file"),
                            (["w.npz", "--metadata", "list.json"], "list.json: is JSON, but not an object"),
                            (["w.npz", "--metadata", "bad.json"], "bad.json: is not JSON"),
                            (["w.npz", "--step-size", "-1"], "step_size")):
            self.refused("model export", *words, "-o", "o.tcm", told=(told,))
        self.refused("model export", "w.npz", told=("nothing to write",))
        self.refused("model export", "w.npz", "-o", "none/o.tcm", told=("none/o.tcm: cannot be written",))
        self.refused("model export", "w.npz", "--core", "m0", "-o", "o.tcm", told=("--core",))
        self.assertFalse((self.folder / "o.tcm").exists())

    def test_eval_and_run(self):
        self.refused("model eval", "kinds.tcm", "--input", "1,2,3",
                     told=("kinds.tcm: has several nets", "friction, mode"))
        self.refused("model eval", "kinds.tcm", "--net", "x", "--input", "1", told=("kinds.tcm", "'x'", "friction"))
        self.refused("model eval", "kinds.tcm", "--net", "friction", "--input", "1,2",
                     told=("2 numbers", "takes 3"))
        self.refused("model eval", "kinds.tcm", "--net", "friction", "--input", "1,x,2",
                     told=("--input, row 1, number 2", "'x'"))
        self.refused("model eval", "kinds.tcm", "--net", "mode", "--csv", "x.csv",
                     told=("x.csv", "rows of 3 numbers", "takes 4"))
        self.refused("model eval", "kinds.tcm", "--net", "friction", "--input", "1e30,0,0",
                     told=("TC_ERR_RANGE", "row 0"))
        self.refused("model eval", "kinds.tcm", "--net", "friction", "--input", "1,2,3", "--board", "nucleo",
                     told=("nucleo",))
        self.refused("model quantise", "kinds.tcm", "--data", "x.csv", "-o", "o.tcm", told=("several nets",))
        self.refused("model quantise", "kinds.tcm", "--net", "mode", "--data", "x.csv", "-o", "o.tcm",
                     told=("x.csv", "takes 4"))
        self.refused("model quantise", "kinds.tcm", "--net", "int8", "--data", "x.csv", "-o", "o.tcm",
                     told=("x.csv",))
        for words, told in ((["mat_dance"], "no function 'mat_dance'"),
                            (["mat_mul", "1"], "takes mat_mul(A[m,k], B[k,n])"),
                            (["mat_mul", "1,2;3", "1"], "different lengths"),
                            (["mat_mul", "none.npy", "1"], "none.npy"),
                            (["mat_mul", "1,2", "1,2"], "B has 1 rows"),
                            (["mat_cholesky", "0"], "TC_ERR_SINGULAR"),
                            (["tanh", "x"], "'x'"), (["tanh"], "takes 1"), ([], "--list"),
                            (["mat_ldlt", "1", "-o", "o.npy"], "gives 2 arrays")):
            self.refused("library call", *words, told=(told,))

    def test_csv(self):
        for text, told in (("1,2,3\n4,x,6\n", "line 2, column 2: is 'x', not a number"),
                           ("a,b\n1,2\n\n# note\n3,\n", "line 5, column 2 (b): is empty"),
                           ("1,2\n3\n", "line 2: 1 columns, the first line has 2"), ("a,b\n", "has no row"),
                           ("", "has no row"),
                           ("1,nan\n", "line 1, column 2: is nan"), ("1,inf\n", "is inf"),
                           ("1,b\n", "line 1, column 2"),
                           ("1,\0\n", "line"), ("a,b\n1,2,3\n", "line 2: 3 columns")):
            (self.folder / "d.csv").write_text(text)
            with self.subTest(text=text), self.assertRaises(tc.TinycontactError) as caught:
                read_csv("d.csv")
            self.assertIn("d.csv", str(caught.exception))
            self.assertIn(told, str(caught.exception))
        (self.folder / "d.csv").write_bytes(b"1,2\n\xff,3\n")
        with self.assertRaisesRegex(tc.TinycontactError, "d.csv: byte 4 is not UTF-8"):
            read_csv("d.csv")
        (self.folder / "d.csv").write_text("\ufeff# log\n\"a\" , b\r\n 1 ,2\r\n\r\n3e-1,4\r\n",
                                           encoding="utf-8")
        rows, header = read_csv("d.csv")
        self.assertEqual((rows.tolist(), header), ([[1, 2], [0.3, 4]], ["a", "b"]))


if __name__ == "__main__":
    unittest.main()
