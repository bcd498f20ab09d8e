# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The system record of model files: written and read back, the same in the library's eyes; and roll-outs by nets against the
float64 reference with the nets written again in NumPy."""
import struct
import unittest
import zlib

import numpy as np

from tinycontact_case import Temporary, random_net, tc
from tinycontact.cdl import reference, systems
from tinycontact.cdl.simulate import simulate_model
from tinycontact.errors import FormatError, TinycontactError
from tinycontact.model import load_with_info

CRADLE = {"nets": ("potential", "contact"), "mass": (1.0, 2.0), "pairs": ((0, 1),), "normal": ((1.0,),), "restitution": 0.9,
          "damping": (0.1, 0.0), "project": True}


def cradle(seed=1, units=24, activations=("softplus", "tanh"), **changes):
    """A model of two bodies with random nets."""
    nets = [random_net(seed, [2, units, 1], [activations[0], "identity"], normal=True, name="potential"),
            random_net(seed + 1, [4, units, 1], [activations[1], "identity"], normal=True, name="contact")]
    return tc.Model(nets, step_size=0.01, contact=tc.SystemRecord(**{**CRADLE, **changes}))


def evaluate(net, x):
    """(output, hidden pre-activations) in float64."""
    if net.input_mean is not None:
        x = (x - net.input_mean.astype(float)) * net.input_scale
    hidden, last = net.layers
    pre = hidden.weights.astype(float) @ x + hidden.bias
    act = np.tanh(pre) if hidden.activation == "tanh" else np.logaddexp(0, pre)
    y = last.weights.astype(float) @ act + last.bias
    return y if net.output_mean is None else y * net.output_scale + net.output_mean, pre


def force_of(net):
    def force(Q):
        hidden, last = net.layers
        pre = evaluate(net, Q)[1]
        slope = 1 - np.tanh(pre)**2 if hidden.activation == "tanh" else 1 / (1 + np.exp(-pre))
        grad = hidden.weights.astype(float).T @ (last.weights[0] * slope)
        return -grad * net.input_scale * net.output_scale[0]
    return force


class Record(Temporary):
    def test_round_trip(self):
        """Whatever a record says is read back, by the reader and by the library, from the same bytes."""
        rng = np.random.default_rng(3)
        for K, d, C in ((1, 1, 0), (1, 3, 1), (2, 2, 3), (16, 3, 16), (5, 1, 9)):
            normal = rng.normal(size=(C, d))
            normal /= np.linalg.norm(normal, axis=1, keepdims=True)
            pairs = [(int(b), None if K == 1 or rng.random() < 0.3 else int((b + 1) % K)) for b in rng.integers(0, K, C)]
            record = tc.SystemRecord(("potential",) + ("contact",) * (C > 0), rng.uniform(0.1, 9, K), pairs, normal,
                                     rng.normal(size=C), d, 0.25, 0.5, rng.uniform(0, 1, K), bool(C % 2), 0.125)
            nets = [random_net(1, [K * d, 6, 1], ["tanh", "identity"], name="potential")]
            nets += [random_net(2, [2 * K * d, 6, max(C, 1)], ["tanh", "identity"], name="contact")] * (C > 0)
            tc.Model(nets, step_size=0.02, contact=record).save("m.tcm")
            model, info = load_with_info("m.tcm")
            self.assertTrue(info.hash_fits)
            self.assertEqual(model.contact, record)
            self.assertEqual(info.tiles[0][1], (1, 1))
            tc.Library().open("m.tcm").selftest()
            self.assertIn("CD-Lagrange", self.command("model inspect", "m.tcm")[0])

    def test_refused(self):
        for change, told in (({"nets": ()}, "nets"), ({"nets": ("contact",), "pairs": (), "normal": ()}, "nets"),
                             ({"mass": ()}, "mass"), ({"mass": (1.0, 0.0)}, "mass"), ({"mass": (1.0,) * 17}, "mass"),
                             ({"pairs": ((0, 0),)}, "pairs"), ({"pairs": ((0, 2),)}, "pairs"), ({"normal": ((0.5,),)}, "normal"),
                             ({"restitution": 1.5}, "restitution"), ({"dimension": 4}, "dimension"),
                             ({"damping": (-1.0, 0.0)}, "damping"), ({"tolerance": -1.0}, "tolerance")):
            with self.assertRaisesRegex(TinycontactError, told):
                tc.SystemRecord(**{**CRADLE, **change})

    def test_library_and_reader_agree(self):
        """Each byte of the record changed: both take the file, or both refuse it at the same place."""
        blob = bytearray(cradle().to_bytes())
        offset, size = struct.unpack_from("<2I", blob, 52)
        rng, library = np.random.default_rng(5), tc.Library()
        for at in range(offset, offset + size):
            for value in {0, 1, 255, int(rng.integers(256)), blob[at] ^ 128}:
                changed = bytearray(blob)
                changed[at] = value
                struct.pack_into("<I", changed, 12, zlib.crc32(changed[16:]))
                (self.folder / "c.tcm").write_bytes(changed)
                told = []
                for read in (load_with_info, library.open):
                    try:
                        read("c.tcm")
                        told.append(None)
                    except FormatError as error:
                        told.append((error.status, error.offset))
                    except tc.StatusError as error:
                        told.append((error.status, error.offset))
                    except TinycontactError:
                        told.append("value")   # a normal that is not of unit length
                self.assertTrue(told[0] == told[1] or told == ["value", None], (at - offset, value, told))


class RollOut(Temporary):
    def test_against_reference(self):
        """Forces, margins, projection and damping by the library's nets, in double, are the reference's."""
        library, acted = tc.Library(real="double"), 0
        for seed in range(8):
            model = cradle(10 * seed, activations=("softplus", "tanh") if seed % 2 else ("tanh", "softplus"),
                           project=seed % 3 == 0)
            model.save("m.tcm")
            potential, contact = model["potential"], model["contact"]
            system = systems.System("", "none", "pair", np.array([1.0, 2.0]), model.contact.restitution, float(model.step_size), 0, 1,
                                    np.array(model.contact.damping), "mean" if seed % 3 == 0 else "none",
                                    np.array([0.1, -0.1]), np.array([-1.0, 0.5]), 200)
            Q, V, hits, _ = reference.simulate(system, force_of(potential),
                                               lambda Q, V: evaluate(contact, np.concatenate([Q, V]))[0])
            run = simulate_model("m.tcm", system.Q0, system.V0, 200, library)
            np.testing.assert_array_equal(run.contact > 0, hits)
            np.testing.assert_allclose(run.Q, Q, atol=1e-8)
            np.testing.assert_allclose(run.V, V, atol=1e-7)
            kinetic = 0.5 * run.V**2 @ [1.0, 2.0]
            np.testing.assert_allclose(run.energy - kinetic, [evaluate(potential, q)[0][0] for q in run.Q], atol=1e-7)
            acted += int(hits.sum())
        self.assertGreater(acted, 5)

    def test_refused(self):
        cradle().save("m.tcm")
        with self.assertRaisesRegex(TinycontactError, "Q0"):
            simulate_model("m.tcm", [1.0], [0.0, 0.0], 3)
        tc.Model([random_net(1, [2, 3, 1], ["tanh", "identity"])]).save("n.tcm")
        with self.assertRaisesRegex(TinycontactError, "no CD-Lagrange system"):
            simulate_model("n.tcm", [1.0, 0.0], [0.0, 0.0], 3)

    def test_roll_out_that_fails(self):
        """It says in which file, in which step and why; `where` stands for the file. A positive status is no failure."""
        cradle().save("m.tcm")
        self.assertTrue(np.isfinite(simulate_model("m.tcm", [1.0, 0.0], [0.0, 0.0], 3).Q).all())
        for where, told in ((None, "m.tcm"), ("s.json, one", "s.json, one")):
            with self.assertRaisesRegex(TinycontactError, rf"^{told}: tc_cdl_step: .*TC_ERR_RANGE.*step 1$"):
                simulate_model("m.tcm", [1e30, 0.0], [0.0, 0.0], 3, where=where)

    def test_nets_that_do_not_fit(self):
        """The file, the net and what is wrong with it; the library has one status for all."""
        rest, good = ["tanh", "identity"], random_net(1, [4, 3, 1], ["tanh", "identity"], name="contact")
        for dims, activations, options, told in (
                ([1, 3, 1], rest, {}, "potential.* 1 inputs, .* wants 2"),
                ([2, 3, 2], rest, {}, "potential.* 2 outputs, .* wants 1"),
                ([2, 3, 3, 1], ["tanh", *rest], {}, "potential.* 2 hidden layers"),
                ([2, 3, 1], ["relu", "identity"], {}, "potential.* relu, wanted tanh or softplus"),
                ([2, 3, 1], ["tanh", "sigmoid"], {}, "potential.* sigmoid, wanted identity"),
                ([2, 3, 1], rest, {"weights": "i8"}, "potential.* not a float net"),
                ([2, 3, 1], rest, {"head": "softmax"}, "potential.* linear head"),
                ([2, 3, 1], rest, {"name": "other"}, "no net 'potential'")):
            nets = [random_net(1, dims, activations, **{"name": "potential", **options}), good]
            tc.Model(nets, step_size=0.01, contact=tc.SystemRecord(**CRADLE)).save("m.tcm")
            with self.assertRaisesRegex(TinycontactError, f"m.tcm.*{told}"):
                simulate_model("m.tcm", [1.0, 0.0], [0.0, 0.0], 3)


if __name__ == "__main__":
    unittest.main()
