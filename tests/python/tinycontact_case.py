# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What the tests of the Python package share: seeded nets of all kinds, temporary folders, the command."""
import contextlib
import io
import itertools
import os
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import numpy as np      # noqa: E402

import tinycontact as tc      # noqa: E402
from tinycontact import cli   # noqa: E402

ACTIVATIONS = ("identity", "relu", "tanh", "sigmoid", "softplus")
TILES = tuple(itertools.product((1, 4, 8), (1, 4, 16)))


def random_net(seed, dims, activations, head="linear", weights="f32", normal=False, limits=False, name="net",
               samples=3):
    """A net with seeded numbers; int8 ones with steps as an exporter would choose them."""
    rng = np.random.default_rng(seed)
    layers = []
    for k, (n_in, n_out) in enumerate(zip(dims, dims[1:])):
        W, b = rng.normal(size=(n_out, n_in)) / np.sqrt(n_in) * 1.5, rng.normal(size=n_out) * 0.5
        if weights == "f32":
            layers.append((W, b, activations[k]))
            continue
        q = rng.integers(-127, 128, (n_out, n_in))
        step = np.abs(W).max(axis=1) / 127
        if weights == "i8-act":
            out = 3 / 127 if activations[k] == "relu" and k + 2 < len(dims) else 1.0
            step, b = step / 40 / out, b / out + (0.5 if out != 1.0 else 0.0)
        layers.append((q, b, activations[k], step))
    options = {}
    if normal:
        options.update(input_mean=rng.normal(size=dims[0]), input_scale=rng.uniform(0.3, 3, dims[0]))
        if head == "linear":
            options.update(output_mean=rng.normal(size=dims[-1]), output_scale=rng.uniform(0.3, 3, dims[-1]))
    if limits:
        options.update(input_low=-rng.uniform(1, 2, dims[0]), input_high=rng.uniform(1, 2, dims[0]))
    quant = 42.0 if weights == "i8-act" else 0.0
    return tc.Net(name, layers, head, weights=weights, input_quant=quant, samples=samples, **options)


def all_kinds():
    """One model with every kind of net, activation, head and optional field."""
    return tc.Model([
        random_net(1, [3, 9, 2], ["tanh", "identity"], normal=True, limits=True, name="friction"),
        random_net(2, [4, 7, 17, 3], ["softplus", "relu", "identity"], "softmax", name="mode"),
        random_net(3, [5, 6, 1], ["sigmoid", "identity"], weights="i8", normal=True, name="int8"),
        random_net(4, [17, 12, 5, 2], ["relu", "tanh", "softplus"], weights="i8-act", limits=True,
                   name="int8-act"),
        random_net(5, [1, 1], ["identity"], name="point", samples=0),
    ], step_size=0.001, metadata={"unit": "N s", "note": "Reibung \u03bc", "inputs": ["v", "phi"], "n": 3})


class Temporary(unittest.TestCase):
    """A test in a folder of its own, which is the working folder."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def command(self, *words, status=0):
        """`tinycontact words`: (standard output, standard error); fails on another exit status. The first word may be
        several: "leg hil run"."""
        words = [*words[0].split(), *words[1:]] if words else []
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                got = cli.main([str(word) for word in words])
            except SystemExit as stop:   # argparse
                got = stop.code or 0
        self.assertEqual(got, status, out.getvalue() + err.getvalue())
        return out.getvalue(), err.getvalue()

    def refused(self, *words, told):
        """The command ends with status 2 and one message that has all of `told`."""
        err = self.command(*words, status=2)[1]
        for word in told:
            self.assertIn(str(word), err)
        self.assertNotIn("Traceback", err)
        return err
