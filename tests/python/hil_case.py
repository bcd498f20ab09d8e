# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What the tests of faults share: a bench with an emulated board and a plant, running, and what recovery is."""
import contextlib
import time
import unittest

from tinycontact_case import random_net, tc
from tinycontact.hil import wire
from tinycontact.hil.choices import BOARD
from tinycontact.hil.estimate import last_link
from tinycontact.hil.fixtures import PlantBench, open_bench
from tinycontact.record import GROUPS

EMULATED = "mps2-an386"


def foot_model(chain, seed, mass=1.0, inertia=1.0, step=1e-3):
    """A contact model of random numbers for the last link of a Chain, its mass and inertia times these: small, for it sees
    nothing but the direction of the impulse that stops the foot."""
    link = last_link(chain)
    nets = [random_net(seed, [2, 3], ["identity"], "softmax", name="class0"),
            random_net(seed + 9, [2, 1], ["identity"], name="ratio0")]
    record = tc.ContactRecord("planar", link.mass * mass, link.inertia * inertia, (GROUPS["stick"], 0), gravity=chain.g)
    return tc.Model(nets, step_size=step, contact=record)


class OnBoard(unittest.TestCase):
    """One emulated board per class, begun anew for each test after 20 ticks of a leg."""
    board, app = EMULATED, "foot"
    WARM = 20

    @classmethod
    def setUpClass(cls):
        stack = contextlib.ExitStack()
        cls.addClassCleanup(stack.close)
        cls.bench = stack.enter_context(open_bench(**{**BOARD, "board": cls.board, "app": cls.app}))

    def setUp(self):
        self.plant = PlantBench("leg", None, "stiff", 1)
        self.bench.begin(self.plant.chain, number=7)
        self.estimates = [self.tick() for _ in range(self.WARM)]
        self.before = self.bench.stats()

    def tick(self, timeout=2.0):
        return self.bench.tick(self.plant.step(), timeout=timeout)

    def counted(self, name):
        """How much a counter of the board has grown since the test began; "wire.lost" is its decoder's."""
        def value(stats):
            for part in name.split("."):
                stats = getattr(stats, part)
            return stats
        return value(self.bench.stats()) - value(self.before)

    def recovers(self, what, ticks=1, seconds=2.0):
        """The next ticks are answered, and by estimates: within so many frames and so much time, which is told."""
        start, repeats = time.monotonic(), self.bench.session.repeats
        estimate = self.tick(timeout=0.3)
        took, frames = time.monotonic() - start, 1 + self.bench.session.repeats - repeats
        print(f"{what}: answered after {frames} frames, {1000 * took:.0f} ms")
        self.assertLessEqual(frames, ticks, what)
        self.assertLess(took, seconds, what)
        self.assert_sound(estimate)
        return estimate

    def assert_sound(self, estimate):
        """Of sensors that were received: not refused, not stale, probabilities that are some."""
        self.assertEqual(estimate.status, 0)
        self.assertFalse(estimate.flags & wire.STALE)
        self.assertAlmostEqual(sum(estimate.p), 1, 4)

    def no_estimate(self, messages, allowed=()):
        """Among frames that came nothing is an estimate of a tick that was never sent."""
        for message in messages:
            if isinstance(message, wire.Estimate):
                self.assertIn(message.tick, allowed)
