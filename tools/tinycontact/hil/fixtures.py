# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Fixtures for tests of your own against firmware on an emulated or a real board.

    from tinycontact.hil.choices import hil

    pytest_plugins = ["tinycontact.hil.fixtures"]   # needless where the package is installed (pytest_plugin.py)

    @hil(board="mps2-an386", plant="hopper", seed=3)
    def test_touch_down(board, plant):
        board.begin(plant.chain)
        for _ in range(1000):
            estimate = board.tick(plant.step())
            ...

`board` is a BoardBench: the firmware is built, loaded and started, and ends with the test. `plant` is a PlantBench,
`bounce` a BounceBench: a box whose floor the board identifies. hil() says which; choices.py has what there is to choose, and how the same tests are run on a real board. Without pytest,
test_case(globals()) makes a unittest.TestCase of the functions test_*. tests/hil/test_example.py is an example to copy.
"""
import contextlib
import functools
import inspect
import shlex
import unittest

from .chain_file import load_chain
from .bounce import Bouncer, Truth
from .choices import BOARD, BOUNCE, PLANT, chosen
from .floor import UNKNOWNS, FloorSession, message_of, prior_of
from .faults import Line
from .link import BoardError, Session, Silent, open_board, open_port
from .plant import Plant, default_chain
from .run import sensors_of

# ---- A board -------------------------------------------------------------------------------------------

class BoardBench:
    """A board under test. `link` is its line (link.Link), `line` what may go wrong there (faults.Line), `session` the
    session with it once it has begun."""

    def __init__(self, link):
        self.link, self.session, self.line = link, None, Line()
        link.line = self.line
        self.ticks = 0

    def begin(self, chain, model=b"", number=1, **limits):
        """Uploads leg and model, begins a session; the Boot. `limits`: budget_us, silence_ms."""
        from .parameters import parameters
        chain = chain if hasattr(chain, "links") else load_chain(chain)
        self.session, self.ticks = Session(self.link, parameters(chain), model, number, **limits), 0
        return self.session.begin()

    def sensors(self, sample, given=("pitch",)):
        """The SENSORS message of the next tick, from a sample of a plant."""
        self.ticks += 1
        return sensors_of(self.ticks, sample, given)

    def tick(self, sample, given=("pitch",), timeout=None):
        """The board's Estimate of a sample; frames that are lost or spoilt are sent again."""
        return self.session.tick(self.sensors(sample, given), timeout)

    def begin_floor(self, bounce, number=1, saved=b"", **prior):
        """Begins a session that identifies the floor of a BounceBench; the Boot. `prior`: what differs from the library's
        configuration (floor.prior_of), `saved`: what save() gave."""
        told = prior_of(bounce.mass, bounce.inertia, **prior)
        self.session = FloorSession(self.link, told, number, saved)
        return self.session.begin()

    def impact(self, impact, timeout=None):
        """The board's Identified after an impact; frames that are lost or spoilt are sent again."""
        return self.session.impact(message_of(impact), timeout)

    def save(self):
        """The bytes of what the board has identified. After a reset the session goes on from here."""
        return self.session.save()

    def predict(self, horizon, budget=0):
        """The board's Prediction of the next contact (link.Session.predict)."""
        return self.session.predict(horizon, budget)

    def send(self, message):
        """A message, or bytes, without waiting for anything."""
        return self.link.send_bytes(message) if isinstance(message, bytes) else self.link.send(message)

    def answers(self, quiet=0.1):
        """Messages of the frames that come until the board has been quiet for so long [s]."""
        return [received.message() for received in self.link.drain(quiet)]

    def reset(self):
        """Cuts the board's power; it starts anew, and the session with the next tick. A board at a serial port keeps its
        power and is told to forget all."""
        self.link.restart()

    def stats(self):
        return self.session.stats()

    def event(self, kind, timeout=2.0):
        """Waits for an event of this kind; BoardError if none comes. The Event."""
        while not any(event.kind == kind for event in self.link.events):
            try:
                self.link.receive("an event", timeout)
            except Silent:
                if not any(event.kind == kind for event in self.link.events):
                    raise BoardError(f"board {self.link.name}: no event of kind {kind} within {timeout:g} s") from None
        found = next(event for event in self.link.events if event.kind == kind)
        self.link.events.remove(found)
        return found


@contextlib.contextmanager
def open_bench(board, port, baud, profile, app, command, timeout):
    """A BoardBench; the arguments are those of choices.BOARD."""
    command = shlex.split(command) if isinstance(command, str) else command
    board = command[0] if command else board
    link = open_port(port, baud, timeout) if port else open_board(board, profile, timeout, app, command)
    with link:
        yield BoardBench(link)


# ---- A plant -------------------------------------------------------------------------------------------

class PlantBench:
    """A plant under test: step() hands out samples; `truth` is that of the tick whose sample was last handed out; each
    action in `faults` (faults.set_to, faults.frozen) changes every sample."""

    def __init__(self, name, chain, law, seed):
        self.plant = Plant(name, chain or default_chain(name), law)
        self.chain, self.seed, self.faults, self.truth = self.plant.chain, seed, [], None
        self.restart()

    def restart(self):
        """As if it had been killed: back to its beginning."""
        self.plant.reset(self.seed)

    def step(self):
        sample, self.truth = self.plant.step()
        for fault in self.faults:
            sample = fault(sample)
        return sample


class BounceBench:
    """A bouncing box under test: step() hands out impacts, `truth` (bounce.Truth) is what a board is to find; each action
    in `faults` changes every impact."""

    def __init__(self, impacts, seed, **truth):
        self.truth = Truth(**truth)
        self.plant = Bouncer(self.truth, impacts, seed)
        self.mass, self.inertia = self.plant.mass, self.plant.told
        self.faults, self.last = [], None

    def restart(self):
        """As if it had been killed: back to its beginning."""
        self.plant.reset()

    def step(self):
        self.last = self.plant.step()
        impact = self.last
        for fault in self.faults:
            impact = fault(impact)
        return impact

    def true(self, name):
        """Of "mu", "e" or "ratio", at the impact that was last handed out."""
        return self.plant.mu(self.plant.number) if name == "mu" else getattr(self.truth, name)

    def holds(self, identified, name):
        """Whether the 90 % interval of an Identified holds the truth."""
        k = UNKNOWNS.index(name)
        return identified.low[k] <= self.true(name) <= identified.high[k]

    def error(self, identified, name):
        """Of the value of an Identified, relative to the truth."""
        return identified.value[UNKNOWNS.index(name)] / self.true(name) - 1.0


# ---- pytest and unittest --------------------------------------------------------------------------------

@contextlib.contextmanager
def _provided(function):
    """{parameter: what it is} of a test function."""
    names = inspect.signature(function).parameters
    with contextlib.ExitStack() as stack:
        given = {}
        if "board" in names:
            given["board"] = stack.enter_context(open_bench(**chosen(function, BOARD)))
        if "plant" in names:
            given["plant"] = plant_of(function)
        if "bounce" in names:
            given["bounce"] = BounceBench(**chosen(function, BOUNCE))
        yield given


def plant_of(function):
    """The PlantBench that a test function's decorator chooses."""
    said = chosen(function, PLANT)
    return PlantBench(said["plant"], said["chain"], said["law"], said["seed"])


def test_case(namespace):
    """A unittest.TestCase of the functions test_* in a module's globals()."""
    def method(function):
        @functools.wraps(function)
        def run(self):
            with _provided(function) as given:
                function(**given)
        del run.__wrapped__
        return run
    found = {name: method(value) for name, value in namespace.items()
             if name.startswith("test_") and inspect.isfunction(value) and value is not test_case}
    return type("Hil", (unittest.TestCase,), found)


test_case.__test__ = False   # pytest: this is none

try:   # for `pytest_plugins = ["tinycontact.hil.fixtures"]`
    from .pytest_plugin import board, bounce, plant   # noqa: F401
except ImportError:   # no pytest
    pass
