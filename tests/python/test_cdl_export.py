# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Trained CD-Lagrange networks on their way into the library: a model file rolled out by it is the training's own
float64 roll-out, for trained networks and for random ones of systems that the protocol does not have."""
import json
import unittest
from pathlib import Path

import numpy as np

from tinycontact_case import Temporary, tc
from tinycontact.cdl.learn import contact, data, export, fit, model, train
from tinycontact.cdl.simulate import simulate_model

QUICK = fit.Recipe(horizons=(10,), updates=6, hinges=((30.0, 0.02, 6),))


def quick(name, activation):
    """A short training of one seed with the smoothest potential that can do the system."""
    protocol = data.PROTOCOLS[name]
    logged = data.protocol_data(protocol, (3,)).part(protocol.points)
    smoothness = (train.SMOOTHNESS[2 if name == "cradle" else 0],)
    return train.train(logged, (3,), train.Settings(16, activation, smoothness=smoothness, recipe=QUICK))


def random_trained(system, activation, seeds=6, units=5):
    """Networks as no log would make them; numbers that float holds, scales that are powers of two."""
    rng, d = np.random.default_rng(11), system.columns
    draw = lambda *shape: rng.normal(size=(seeds, *shape)).astype(np.float32).astype(float)
    two = lambda *shape: 2.0 ** rng.integers(-1, 2, (seeds, *shape))
    deviation, energy = two(d), two(1)
    scale = model.Scale(draw(d), deviation, energy / (deviation * np.array(system.mass)), np.ones((seeds, 2 * d)))
    nets, inputs = {}, None
    if system.touches:
        nets = {"W": draw(units, 2 * d), "b": draw(units), "a": draw(units), "c": draw()}
        inputs = contact.Inputs(draw(2 * d), two(2 * d))
    params = {"W": draw(units, d), "b": draw(units), "a": draw(units)}
    states = rng.uniform(-1, 1, (seeds, 40, 2 * d))   # they lie in the range of the nets
    return train.Trained(system, train.Settings(units, activation), params, scale, nets, inputs, states, None, None)


class RollOut(Temporary):
    def compare(self, trained, start, steps, library, limit):
        """The library's Run of each seed from a start [2D], all contacts and states compared with the training's."""
        d, runs = trained.system.columns, []
        for k, (states, hits) in enumerate(zip(*(value[:, 0] for value in trained.rollout(start[None], steps)))):
            export.model(trained, k, {}).save("m.tcm")
            runs.append(simulate_model("m.tcm", start[:d], start[d:], steps, library))
            with self.subTest(system=trained.system.name, activation=trained.settings.activation, k=k):
                np.testing.assert_array_equal(runs[k].contact, hits)
                np.testing.assert_allclose(runs[k].Q, states[:, :d], atol=limit)
                np.testing.assert_allclose(runs[k].V, states[:, d:], atol=10 * limit)
        return runs

    def test_trained(self):
        """In float: no step with contact differs over the whole protocol, and positions by less than 3e-5."""
        for name, activation in (("ball", "softplus"), ("cradle", "tanh")):
            protocol, trained = data.PROTOCOLS[name], quick(name, activation)
            run, = self.compare(trained, np.array([*protocol.q0, *protocol.v0]), protocol.steps, tc.Library(), 3e-5)
            np.testing.assert_array_equal(run.contact, data.truth(protocol, protocol.steps)[1], name)

    def test_random(self):
        """Unequal masses, restitution, free bodies beside the floor, no contact: in double the library is the
        training's roll-out. No e = 0: there rounding decides which steps have contact."""
        library, acted = tc.Library(real="double"), 0
        systems = (data.System("floor", 0.03125, (2.0, 0.5), (1.0, 0.0), 0.3), data.System("free", 0.03125, (0.5, 4.0)),
                   data.System("pair", 0.03125, (2.0, 0.5), data.PAIR, 0.6, True),
                   data.System("uneven", 0.03125, (1.0, 8.0), data.PAIR, 0.25))
        for system, activation in zip(systems, ("softplus", "tanh", "tanh", "softplus")):
            start = np.linspace(-0.75, 0.5, 2 * system.columns)
            runs = self.compare(random_trained(system, activation), start, 200, library, 1e-5)
            acted += int(sum(run.contact.sum() for run in runs))
        self.assertGreater(acted, 30)

    def test_impulses_do_not_pull(self):
        """A contact that is closed everywhere, under forces that part the bodies faster than they would rebound."""
        trained, pulled = random_trained(data.System("pair", 0.0625, (2.0, 0.5), data.PAIR, 0.25, True), "tanh"), 0
        trained.contact["a"] *= 0
        trained.contact["c"] = np.ones(6)
        trained.params["a"] *= 4
        start = np.array([0.25, -0.25, -0.03125, 0.03125])
        for run in self.compare(trained, start, 60, tc.Library(real="double"), 1e-5):
            closing = run.V[:-1] @ data.PAIR < 0
            pulled += int((closing & (run.contact[1:] == 0)).sum())
        self.assertGreater(pulled, 0)

    def test_no_contact_was_learned(self):
        """A floor that the log never touched is no floor at 0."""
        system = data.System("floor", 0.03125, (1.0,), data.FLOOR, 0.5)
        trained = random_trained(system, "tanh")
        trained.contact, trained.inputs = {}, None
        for run in self.compare(trained, np.array([0.1, -2.0]), 20, tc.Library(real="double"), 1e-5):
            self.assertLess(run.Q.min(), 0)


class Range(Temporary):
    """What the nets take for known."""

    def setUp(self):
        super().setUp()
        self.system = data.System("pair", 0.0625, (2.0, 0.5), data.PAIR, 0.6)
        self.trained = random_trained(self.system, "tanh")
        self.trained.states[:] = 0
        self.trained.states[:, :4] = [[-1, -1, 0, 0], [1, 1, 0, 0],      # at rest where nothing approaches
                                      [0.5, 0, -1.6, 0], [0, 0.25, 0, 3.2]]   # closing

    def test_is_what_was_asked(self):
        """The positions after the step, 2 % of their span wider; of contact only where the bodies approach."""
        potential, signal = export.nets(self.trained, 0)
        np.testing.assert_allclose([potential.input_low, potential.input_high], [[-1.04] * 2, [1.04] * 2], atol=1e-6)
        np.testing.assert_allclose(signal.input_low, [-0.008, -0.009, -1.632, -0.064], atol=1e-6)
        np.testing.assert_allclose(signal.input_high, [0.408, 0.459, 0.032, 3.264], atol=1e-6)

    def test_is_told(self):
        """A run that leaves it says so once, from which step on; one within says nothing."""
        export.model(self.trained, 0, {}).save("m.tcm")
        for name, start, told in (("in", [0.5, 0.0], ""), ("out", [0.5, 1.5], "asked beyond what it saw at step 1")):
            Path("s.json").write_text(json.dumps({"name": name, "Q0": start, "V0": [0, 0], "steps": 3}))
            said = self.command("cdl", "simulate", "s.json", "--model", "m.tcm", "-o", "o.json")[1]
            self.assertEqual(said.count("beyond"), len(told) > 0, said)
            self.assertIn(told, said)
        run = simulate_model("m.tcm", [0.5, 1.5], [0, 0], 3)
        self.assertEqual(run.note, "asked beyond what it saw at step 1 and 2 more (TC_NOTE_RANGE)")


class Command(Temporary):
    """tinycontact cdl simulate --model."""

    def setUp(self):
        super().setUp()
        self.system = data.System("pair", 0.0625, (2.0, 0.5), data.PAIR, 0.6, True)
        export.model(random_trained(self.system, "softplus"), 1, {}).save("m.tcm")
        self.start = {"name": "one", "Q0": [0.5, -0.25], "V0": [-1, 1], "steps": 30}

    def write(self, value):
        Path("s.json").write_text(json.dumps(value))

    def test_is_the_roll_out(self):
        self.write([self.start, {**self.start, "name": "two", "V0": [0, 0], "steps": 3, "m": "not looked at"}])
        self.command("cdl", "simulate", "s.json", "--model", "m.tcm", "-o", "o.json", "--double")
        one, two = json.loads(Path("o.json").read_text())
        run = simulate_model("m.tcm", [0.5, -0.25], [-1, 1], 30, tc.Library(real="double"), "one")
        self.assertEqual(one, run.as_json())
        self.assertEqual((two["name"], np.shape(two["Q"])), ("two", (4, 2)))
        self.write(self.start)
        self.command("cdl", "simulate", "s.json", "--model", "m.tcm", "-o", "o.json", "--plot", "p.png")
        again = json.loads(Path("o.json").read_text())
        np.testing.assert_allclose(again["Q"], one["Q"], atol=1e-4)
        self.assertEqual(Path("p.png").read_bytes()[:4], b"\x89PNG")

    def test_refused(self):
        for field, value, told in (("Q0", [1], "1 numbers, but m.tcm has 2"), ("V0", [1, "a"], "field V0[1]"),
                                   ("V0", None, "V0"), ("steps", 1.5, "whole"), ("steps", -1, "steps"),
                                   ("name", 3, "name"), ("Q0", [1e30, 0], "s.json, one")):
            self.write([{**self.start, field: value}])
            with self.subTest(field=field, value=value):
                self.refused("cdl", "simulate", "s.json", "--model", "m.tcm", "-o", "o.json", told=("s.json", told))
                self.assertFalse(Path("o.json").exists())
        for field in ("Q0", "V0", "steps"):
            self.write({k: v for k, v in self.start.items() if k != field})
            self.refused("cdl", "simulate", "s.json", "--model", "m.tcm", "-o", "o.json",
                         told=("s.json", f"field {field}"))
        self.write(self.start)
        self.refused("cdl", "simulate", "s.json", "--model", "n.tcm", "-o", "o.json", told=("n.tcm",))


if __name__ == "__main__":
    unittest.main()
