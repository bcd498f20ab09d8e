# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The bouncing plant: its impacts obey the laws they are named after, its flight keeps energy and momentum, and the same
seed gives the same impacts. None of it uses the library."""
import itertools
import unittest

import numpy as np

from tinycontact.errors import TinycontactError
from tinycontact.hil import bounce
from tinycontact.hil.bounce import Bouncer, Truth
from tinycontact.hil.strike import CONVEX, COULOMB, LAWS, strike

ROUNDED = 1e-9   # float64, numbers of size 1, angles found to 1e-12


def random_contact(rng, mu_below=1.2):
    """(A, u, mu, e) of a body of mass 1 with one contact, which approaches. Arms and moments are a box's: A is never so
    lopsided that Coulomb's law has several answers."""
    inertia, arm = 0.01 * rng.uniform(0.5, 2, 3), rng.uniform(-0.1, 0.1, 3)
    axes, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    A = axes @ (np.eye(3) - bounce.cross(arm) @ np.diag(1 / inertia) @ bounce.cross(arm)) @ axes.T
    u = rng.normal(size=3)
    u[0] = -abs(u[0]) - 0.1
    return A, u, rng.uniform(0.02, mu_below), rng.uniform(0, 1)


class Strike(unittest.TestCase):
    def each(self, rounds=400, seed=1):
        rng = np.random.default_rng(seed)
        for k in range(rounds):
            A, u, mu, e = random_contact(rng)
            law = LAWS[k % 2]
            yield A, u, mu, e, law, strike(A, u, mu, e, law)

    def phase(self, A, u, f, floor, mu, law):
        """Asserts what a phase of this law has to be; u before, f its impulse."""
        after = u + A @ f
        slip, push = np.hypot(*after[1:]), np.hypot(*f[1:])
        self.assertGreaterEqual(f[0], floor - ROUNDED)
        self.assertLessEqual(push, mu * f[0] + ROUNDED)
        if slip > 1e-6:   # it opposes the slip, with all it has
            np.testing.assert_allclose(f[1:], -mu * f[0] * after[1:] / slip, atol=1e-6)
        lifted = mu * slip if law == CONVEX else 0.0
        self.assertGreaterEqual(after[0], lifted - 1e-7)
        if f[0] > floor + 1e-7:
            self.assertAlmostEqual(after[0], lifted, 7)

    def test_both_phases_keep_their_laws(self):
        slips = sticks = 0
        for A, u, mu, e, law, struck in self.each():
            self.phase(A, u, struck.compression, 0.0, mu, law)
            middle = u + A @ struck.compression
            self.phase(A, middle, struck.impulse - struck.compression, e * struck.compression[0], mu, law)
            np.testing.assert_allclose(struck.after, u + A @ struck.impulse, atol=ROUNDED)
            self.assertEqual(struck.sticks, np.hypot(*struck.after[1:]) < 1e-6)
            slips, sticks = slips + (not struck.sticks), sticks + struck.sticks
        self.assertGreater(min(slips, sticks), 50)

    def test_no_energy_is_made(self):
        for A, u, _, e, _, struck in self.each(seed=2):
            f = struck.impulse
            self.assertLess(f @ u + 0.5 * f @ A @ f, ROUNDED)
            if e < 1e-3:
                self.assertLess(struck.after[0], 0.01)

    def test_convex_compression_is_the_minimum(self):
        """By another algorithm: projected gradient on 1/2 f'Af + u'f, 4,000 steps."""
        rng = np.random.default_rng(3)
        for _ in range(20):
            A, u, mu, _ = random_contact(rng)
            f, step = np.zeros(3), 1 / np.linalg.eigvalsh(A)[-1]
            for _ in range(4000):
                f = self.projected(f - step * (A @ f + u), mu)
            np.testing.assert_allclose(strike(A, u, mu, 0.0, CONVEX).after, u + A @ f, atol=1e-6)

    @staticmethod
    def projected(f, mu):
        """On the cone |f_t| <= mu f_n."""
        push = np.hypot(*f[1:])
        if push <= mu * f[0]:
            return f
        if mu * push <= -f[0]:
            return np.zeros(3)
        normal = (f[0] + mu * push) / (1 + mu * mu)
        return np.array([normal, *(mu * normal * f[1:] / push)])

    def test_by_hand(self):
        """A body hit below its centre: normal and tangential are apart, 1 and 3.5 per unit of impulse."""
        A, u = np.diag([1.0, 3.5, 3.5]), np.array([-2.0, 1.0, 0.0])
        for law, lifted in ((COULOMB, 0.0), (CONVEX, 1)):
            sticking = strike(A, u, 1.0, 0.5, law)
            np.testing.assert_allclose(sticking.impulse, [3.0, -1 / 3.5, 0], atol=ROUNDED)
            slipping = strike(A, u, 0.05, 0.5, law)
            if law == COULOMB:
                np.testing.assert_allclose(slipping.impulse, [3.0, -0.15, 0], atol=ROUNDED)
                np.testing.assert_allclose(slipping.after, [1.0, 0.475, 0], atol=ROUNDED)
            else:   # f_n (1 + 3.5 mu^2) = 2 + mu u_t in compression
                normal = 2.05 / (1 + 3.5 * 0.05 ** 2)
                self.assertAlmostEqual(slipping.compression[0], normal, 9)
        ideal = strike(A, u, 0.0, 1.0)
        np.testing.assert_allclose(ideal.after, [2.0, 1.0, 0], atol=ROUNDED)


class Flight(unittest.TestCase):
    def test_energy_and_momentum(self):
        """A quarter of a second of turning: what RK4 of 4 ms keeps at up to 20 rad/s."""
        for seed in range(10):
            box = Bouncer(Truth(), 10, seed)
            box.spin = np.random.default_rng(seed).normal(0, 8, 3)
            kinetic = lambda: 0.5 * box.velocity @ box.velocity * box.mass + 0.5 * box.spin @ (box.inertia * box.spin)
            energy = kinetic() + box.mass * bounce.GRAVITY * box.height
            momentum = box.turn @ (box.inertia * box.spin)
            for _ in range(60):
                box._fly(bounce.STEP)
            self.assertAlmostEqual(kinetic() + box.mass * bounce.GRAVITY * box.height, energy, 5)
            np.testing.assert_allclose(box.turn @ (box.inertia * box.spin), momentum, atol=1e-5)
            np.testing.assert_allclose(box.turn @ box.turn.T, np.eye(3), atol=1e-9)

    def test_one_corner_touches(self):
        """At each impact the lowest corner is at the floor, and the others above."""
        box = Bouncer(Truth(), 40, 3)
        for _ in range(40):
            impact = box.step()
            heights = np.sort(box.height + box.corners @ box.turn[2])
            self.assertAlmostEqual(heights[0], 0.0, 9)
            self.assertGreater(heights[1], bounce.ALONE)
            np.testing.assert_allclose(box.height + impact.arm @ impact.normal, 0, atol=1e-9)

    def test_impacts_change_velocities_as_their_impulse_does(self):
        """The change is that of one impulse at the corner, for the true inertia: its moment is the arm's."""
        box = Bouncer(Truth(ratio=1.7), 40, 4)
        np.testing.assert_allclose(box.inertia, 1.7 * box.told)
        for impact in itertools.islice(iter(box.step, None), 40):
            before, after = impact.exact
            impulse = box.mass * (after - before)[:3]
            np.testing.assert_allclose(box.inertia * (after - before)[3:], np.cross(impact.arm, impulse), atol=1e-9)
            u = before[:3] + np.cross(before[3:], impact.arm)
            self.assertLess(u @ impact.normal, -bounce.LEAST_SPEED)


class Reports(unittest.TestCase):
    def steps(self, n=60, seed=5, **truth):
        box = Bouncer(Truth(**truth), n, seed)
        return [box.step() for _ in range(n)]

    def test_same_seed_same_impacts(self):
        one, same, other = self.steps(), self.steps(), self.steps(seed=6)
        for a, b in zip(one, same):
            np.testing.assert_array_equal(a.after, b.after)
        self.assertFalse(np.array_equal(one[0].after, other[0].after))
        box = Bouncer(Truth(), 60, 5)
        first = box.step()
        box.reset()
        np.testing.assert_array_equal(box.step().before, first.before)

    def test_noise_is_what_is_said(self):
        """400 impacts: 2,400 numbers of each kind, whose deviation is known to 1.5 % (one sigma)."""
        impacts = self.steps(400, noise=0.02)
        errors = np.array([[i.before - i.exact[0], i.after - i.exact[1]] for i in impacts])
        self.assertAlmostEqual(errors[..., :3].std() / impacts[0].noise, 1, delta=0.06)
        self.assertAlmostEqual(errors[..., 3:].std() / impacts[0].spin_noise, 1, delta=0.06)
        self.assertEqual((impacts[0].noise, impacts[0].spin_noise), (0.02, 0.1))

    def test_the_floor_changes_half_way(self):
        impacts = self.steps(40, mu=0.5, change=0.2)
        self.assertEqual([i.mu for i in impacts], [0.5] * 20 + [0.2] * 20)
        self.assertEqual([i.number for i in impacts], [*range(1, 41)])

    def test_wrong_ones(self):
        """As many as are asked for; the motion is the same, and the others are."""
        right, wrong = self.steps(200), self.steps(200, outliers=0.2)
        share = np.mean([i.wrong for i in wrong])
        self.assertAlmostEqual(share, 0.2, delta=0.09)   # three sigma
        for a, b in zip(right, wrong):
            np.testing.assert_array_equal(a.exact, b.exact)
            self.assertEqual(np.array_equal(a.after, b.after), not b.wrong)

    def test_bad_truths(self):
        for field, value in (("mu", -0.1), ("e", 1.1), ("ratio", 0), ("noise", 0), ("outliers", 2), ("change", -1),
                             ("mu", float("nan")), ("law", "soft")):
            with self.assertRaisesRegex(TinycontactError, f"^{field}: "):
                Truth(**{field: value})


if __name__ == "__main__":
    unittest.main()
