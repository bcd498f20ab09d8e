# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What the tests of faults share: a bench with an emulated board and a plant, running, and what recovery is.

HIL_BOARD: the emulated board; HIL_FAULTS: a CSV to which every recovery is appended, as `make hil-faults` does."""
import contextlib
import os
import time
import unittest
from unittest import mock

from tinycontact_case import ROOT, random_net, tc   # noqa: F401  ROOT: for the tests, too
from tinycontact.hil import run, wire
from tinycontact.hil.choices import BOARD
from tinycontact.hil.estimate import last_link
from tinycontact.hil.fixtures import PlantBench, open_bench
from tinycontact.record import GROUPS

EMULATED = os.environ.get("HIL_BOARD", "mps2-an386")
CLOSE = 0.1   # probabilities within this are those of a run without the fault


def foot_model(chain, seed, mass=1.0, inertia=1.0, step=1e-3):
    """A contact model of random numbers for the last link of a Chain, its mass and inertia times these: small, for it sees
    nothing but the direction of the impulse that stops the foot."""
    link = last_link(chain)
    nets = [random_net(seed, [2, 3], ["identity"], "softmax", name="class0"),
            random_net(seed + 9, [2, 1], ["identity"], name="ratio0")]
    record = tc.ContactRecord("planar", link.mass * mass, link.inertia * inertia, (GROUPS["stick"], 0), gravity=chain.g)
    return tc.Model(nets, step_size=step, contact=record)


@contextlib.contextmanager
def dying_at(tick):
    """The board that a run opens is killed before it gets the SENSORS of this tick."""
    opened = run.open_link

    def dying(options):
        board = opened(options)
        send = board.send

        def send_or_die(message):
            if isinstance(message, wire.Sensors) and message.tick == tick:
                board.process.kill()
            return send(message)
        board.send = send_or_die
        return board
    with mock.patch.object(run, "open_link", dying):
        yield


class OnBoard(unittest.TestCase):
    """One emulated board per class, begun anew for each test after 20 ticks of a leg."""
    board, app = EMULATED, "foot"
    WARM, FAR = 20, 280   # ticks before a test and in all: one swing, the foot lands in tick 299

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

    def recovers(self, what, frames=1, seconds=30.0, count=1, ticks=0):
        """The next tick is answered, and by an estimate, within so many frames and so much time; from so many ticks on
        the estimates are those of a run without the fault. Both are told, and kept (HIL_FAULTS). The first estimate."""
        start, repeats = time.monotonic(), self.bench.session.repeats
        estimate = self.tick(timeout=0.3)
        took, sent = time.monotonic() - start, 1 + self.bench.session.repeats - repeats
        self.assertLessEqual(sent, frames, what)
        self.assertLess(took, seconds, what)
        self.assert_sound(estimate)
        settled = self.settled(estimate)
        print(f"{what}: answered after {sent} frames, {1000 * took:.0f} ms; estimates as without it from tick {settled}"
              " on")
        self.assertLessEqual(settled, ticks, what)
        self.kept(what, count, sent, settled)
        return estimate

    def settled(self, estimate):
        """Ticks from this one on until the probabilities are, and stay, close to those of an undisturbed run."""
        undisturbed = self.undisturbed()
        off, first = 0, self.plant.plant.ticks
        for k in range(first, self.FAR):
            if max(abs(a - b) for a, b in zip(estimate.p, undisturbed[k - 1])) > CLOSE:
                off = k - first + 1
            estimate = self.tick()
        return off

    @classmethod
    def undisturbed(cls):
        """Probabilities tick by tick: the host's, which are every board's."""
        if "estimates_without" not in vars(OnBoard):
            with open_bench(**{**BOARD, "board": "host"}) as bench:
                plant = PlantBench("leg", None, "stiff", 1)
                bench.begin(plant.chain)
                OnBoard.estimates_without = [tuple(bench.tick(plant.step()).p) for _ in range(cls.FAR)]
        return OnBoard.estimates_without

    def kept(self, what, count, frames, ticks):
        """A row of tests/hil/faults.csv."""
        path = os.environ.get("HIL_FAULTS")
        if path:
            with open(path, "a", encoding="ascii") as file:
                file.write(f"{self.board},{what},{count},{frames},{ticks}\n")

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
