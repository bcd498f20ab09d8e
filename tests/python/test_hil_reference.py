# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The float64 reference of the estimator: its leg against differences, its filter on a foot that falls and stops."""
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from tinycontact.hil import leg as legs      # noqa: E402
from tinycontact.hil import reference        # noqa: E402

G = 9.81


def random_leg(r, n):
    return SimpleNamespace(
        joints=n, root="floating", g=G, mass=r.uniform(0.2, 1, n), inertia=r.uniform(1e-3, 1e-2, n),
        slides=r.random(n) < 0.3, anchor=r.uniform(-0.2, 0.2, (n, 2)), arm=r.uniform(-0.2, 0.2, (n, 2)),
        axis=np.tile([0.6, -0.8], (n, 1)), rotor=r.uniform(0, 0.01, n), damping=np.zeros(n), rest=r.uniform(-1, 1, n),
        foot=r.uniform(-0.2, 0.2, 2), radius=0.03)


def moved(leg, q, w, pitch, rate, force):
    return legs.move(np, leg, list(q), list(w), np.float64(pitch), np.float64(rate), force)


class Leg(unittest.TestCase):
    def setUp(self):
        self.r = np.random.default_rng(5)

    def cases(self):
        for n in (1, 2, 3, 6):
            for _ in range(5):
                yield random_leg(self.r, n), self.r.uniform(-1, 1, n), self.r.uniform(-2, 2, n)

    def test_jacobian_is_the_derivative_of_the_foot(self):
        e = 1e-6
        for leg, q, w in self.cases():
            m = moved(leg, q, w, 0.3, 0.5, [0.0, G])
            ahead, back = (np.array(moved(leg, q + s * e * w, w, 0.3 + s * e * 0.5, 0.5, [0.0, G]).foot)
                           for s in (1, -1))
            velocity = np.array(m.J) @ w + np.array(m.carried)
            velocity[0] -= leg.radius * (0.5 + w[~leg.slides].sum())   # of the circle's centre
            np.testing.assert_allclose(velocity, (ahead - back) / (2 * e), atol=1e-7)

    def test_equation_of_motion_is_lagranges(self):
        """d/dt dL/dw - dL/dq of L = w' M w / 2 - potential, a base that neither turns nor accelerates."""
        e = 1e-5
        for leg, q, w in self.cases():
            n = leg.joints

            def kinetic(at):
                return 0.5 * w @ np.array(moved(leg, at, w, 0.2, 0.0, [0.0, G]).M) @ w

            M_rate = (np.array(moved(leg, q + e * w, w, 0.2, 0.0, [0.0, G]).M)
                      - np.array(moved(leg, q - e * w, w, 0.2, 0.0, [0.0, G]).M)) / (2 * e)
            slope = np.array([(kinetic(q + e * d) - kinetic(q - e * d)) / (2 * e) for d in np.eye(n)])
            gravity = np.array(moved(leg, q, 0 * w, 0.2, 0.0, [0.0, G]).bias)
            bias = np.array(moved(leg, q, w, 0.2, 0.0, [0.0, G]).bias)
            np.testing.assert_allclose(bias, M_rate @ w - slope + gravity, atol=1e-6)

    def test_rotors_turn_with_their_joints_alone(self):
        for leg, q, w in self.cases():
            with_rotors = np.array(moved(leg, q, w, 0.2, 0.0, [0.0, G]).M)
            rotor, leg.rotor = leg.rotor, 0 * leg.rotor
            np.testing.assert_allclose(with_rotors - np.array(moved(leg, q, w, 0.2, 0.0, [0.0, G]).M), np.diag(rotor),
                                       atol=1e-12)

    def test_a_turning_base_is_a_turning_first_joint(self):
        """A leg whose first joint stands at the base's origin feels the base's turning as its own."""
        leg, q, w = random_leg(self.r, 3), self.r.uniform(-1, 1, 3), self.r.uniform(-2, 2, 3)
        leg.slides[:], leg.anchor[0], leg.rotor[:] = False, 0.0, 0.0
        turned, own = np.array([0.4, 0, 0]), np.array([1.5, 0, 0])
        base, joint = moved(leg, q, w, 0.4, 1.5, [1.0, G]), moved(leg, q + turned, w + own, 0.0, 0.0, [1.0, G])
        np.testing.assert_allclose(base.bias, joint.bias, atol=1e-12)
        np.testing.assert_allclose(base.turning, np.array(joint.M)[0], atol=1e-12)


def falling_foot(stop, ticks=200, speed=0.6):
    """A prismatic leg of 1 kg on a fixed base, lowered at `speed` until its foot stands on the floor, from tick `stop`
    on, with 20 N."""
    leg = SimpleNamespace(joints=1, root="fixed", g=G, mass=np.array([1.0]), inertia=np.array([0.01]),
                          slides=np.array([True]), anchor=np.zeros((1, 2)), arm=np.array([[0.0, -0.1]]),
                          axis=np.array([[0.0, -1.0]]), rotor=np.zeros(1), damping=np.zeros(1), rest=np.zeros(1),
                          foot=np.array([0.0, -0.1]), radius=0.01)
    r, step = np.random.default_rng(1), reference.Config().encoder_step
    q = speed * 1e-3 * np.minimum(np.arange(ticks), stop)
    z = np.round((q + r.normal(0, 0.3 * step, ticks)) / step) * step
    zero = np.zeros(ticks)
    return leg, SimpleNamespace(encoder=z[:, None], torque=(np.where(np.arange(ticks) > stop, 20.0, 0.0) - G)[:, None], gyro=zero,
                                accel=np.stack([zero, zero + G], 1), pitch=zero, base_velocity=zero, lost=zero)


class Filter(unittest.TestCase):
    def test_contact_and_impulse_of_a_foot_that_stops(self):
        leg, episode = falling_foot(100)
        estimate, = reference.estimate(leg, [episode])
        contact = estimate["contact"]
        self.assertFalse(contact[:101].any())
        self.assertTrue(contact[102:].all())
        np.testing.assert_allclose(estimate["p"].sum(1), 1, atol=1e-12)
        self.assertAlmostEqual(estimate["impulse"][100:131, 1].sum(), 0.6 + 30 * 0.02, delta=0.03)

    def test_lost_frames_repeat_the_estimate(self):
        leg, episode = falling_foot(100)
        episode.lost = episode.lost.copy()
        episode.lost[50:55] = 1
        estimate, = reference.estimate(leg, [episode])
        self.assertTrue((estimate["p"][50:55] == estimate["p"][49]).all())
        self.assertFalse(estimate["contact"][:101].any())
        self.assertTrue(estimate["contact"][102:].all())

    def test_both_engines_agree(self):
        leg, episode = falling_foot(60, 100)
        one, = reference.estimate(leg, [episode])
        other, = reference.estimate(leg, [episode], engine="jax")
        for name in one:
            np.testing.assert_allclose(one[name], other[name], atol=1e-7, err_msg=name)


if __name__ == "__main__":
    unittest.main()
