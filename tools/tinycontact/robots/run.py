# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Firmware for all feet of a robot on a board, or on one board per limb, fed a simulated robot's sensors tick by tick.

The controller of the simulated robot knows the truth, so nothing that a board says changes what happens; each tick waits
for the boards' answers. The same seed makes the same logs, byte for byte.

One board per limb shares the base: a board whose foot sticks knows the base's velocity. With the next tick the host gives
it, a tick late, to the boards whose own feet do not.
"""
import contextlib
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import TinycontactError
from ..hil import wire
from ..hil.bars import Pen
from ..hil.link import TIMEOUT
from ..hil.run import SILENCE, board_words, logged, made, open_link
from ..hil.view import FeetView
from ..jsonfile import write_json
from ..model import write_whole
from ..progress import announced, say
from ..report.plots import ready
from . import judge
from .episodes import episode
from .plant import robot_of
from .session import RobotSession, app_of, message_of
from .world import TICK

STICKS = 0.9        # probability from which on a foot carries the base's velocity to the other boards
LEAST = 0.02**2     # [m^2/s^2] of a velocity that is carried: it is a tick old
STALE = wire.STALE
BUDGET = 1000       # [us]
STRAYS = 0.3        # [rad] or [m] beyond its range, of a joint that the simulation lost
COUNTS = {"missed": "missed_ticks"}   # of the board; missed touch-downs are others
FIELDS = ("t", "limb", "true_mode", "contact", "p_air", "p_sticks", "p_slips", "impulse_x", "impulse_y", "impulse_z", "slip_x",
          "slip_y", "friction", "since", "flags")


@dataclass
class Options:
    robot: str = "go1"             # a name of fleet.NAMES, or a robot file
    gait: str = "trot"
    law: str = "stiff"
    slope: float = 0.0             # [rad]
    seed: int = 0
    seconds: float = 10.0
    board: str = "mps2-an386"
    port: str = ""                 # a serial device in place of an emulated board
    baud: int = 115200
    profile: str = "exact"
    app: str = "robot"             # the folder of the application
    each: bool = False             # one board per limb
    share: bool = True             # the base's velocity between boards
    silent: tuple = ()             # (limb, from, to [s]): sensors of the limb that do not arrive
    dead: tuple = ()               # (limb, at [s]): the board of the limb loses power; with `each`
    lost: float = 0.0              # share of frames that never arrive
    timeout: float = TIMEOUT
    sensing: dict = field(default_factory=dict)   # fields of sensors.SensorOptions


@dataclass
class Outcome:
    episode: object
    told: dict        # {field: [T, L, ...]} as judge.judge takes it, and flags
    complete: bool
    summary: dict = field(default_factory=dict)


class _Board:
    """A board with some limbs of the robot."""

    def __init__(self, session, robot, limbs, columns):
        self.session, self.robot, self.limbs = session, robot, limbs
        self.joints = np.concatenate([np.arange(*columns[k].indices(columns[-1].stop)) for k in limbs])
        self.feet = wire.Feet(limbs=len(limbs), flags=STALE)
        for foot in self.feet.foot:
            foot.p[0], foot.flags = 1.0, STALE
        self.dead = False

    def sample(self, sample):
        """Of the board's own limbs."""
        return {**sample, **{name: sample[name][self.joints] for name in ("encoder", "torque")}}

    def tick(self, tick, sample, silent):
        """The Feet of a tick; the ones before, flagged stale, if the board is gone or the frame is lost."""
        if not (self.dead or sample["lost"]):
            bits = sum(1 << k for k, limb in enumerate(self.limbs) if limb in silent)
            self.feet = self.session.tick(message_of(tick, self.sample(sample), self.robot, bits))
        else:
            self.feet.flags |= STALE
            for foot in self.feet.foot[:len(self.limbs)]:
                foot.flags |= STALE
        return self.feet

    def carries(self):
        """(velocity, variances) of the base that others may use, or None."""
        feet = self.feet
        if feet.flags & STALE or not any(foot.contact and foot.p[1] > STICKS for foot in feet.foot[:len(self.limbs)]):
            return None
        along, up = feet.velocity_variance
        return np.array(feet.velocity), np.maximum([along, along, up], LEAST)


def alone(robot, k):
    """The Robot of limb k alone, of the same mass."""
    rest = [limb for i, limb in enumerate(robot.limbs) if i != k]
    base = replace(robot.base, mass=robot.base.mass + sum(limb.mass for limb in rest))
    text = {**robot.text, "limbs": [robot.text["limbs"][k]], "base": {**robot.text["base"], "mass": float(base.mass)}}
    return replace(robot, limbs=[robot.limbs[k]], base=base, text=text)


@contextlib.contextmanager
def opened(options, robot, folder):
    """[(_Board, LogWriter)] of a run, whose sessions have begun."""
    parts = [[k] for k in range(len(robot.limbs))] if options.each else [list(range(len(robot.limbs)))]
    with contextlib.ExitStack() as stack:
        boards = []
        for limbs in parts:
            own = alone(robot, limbs[0]) if options.each else robot
            name = f"log-{robot.limbs[limbs[0]].name}.bin" if options.each else "log.bin"
            link = stack.enter_context(open_link(replace(options, app=str(app_of(own)))))
            session = RobotSession(link, 1 + options.seed % 0xFFFFFFFF, budget_us=BUDGET, silence_ms=SILENCE)
            header = lambda boot, own=own: header_of(options, own, boot)   # noqa: E731
            boards.append((_Board(session, own, limbs, robot.columns()),
                           stack.enter_context(logged(session, folder / name, header))))
        yield boards


def header_of(options, robot, boot):
    return {**board_words(options, boot), "app": "robot", "robot": robot.text, "gait": options.gait, "seed": options.seed,
            "law": options.law, "seconds": options.seconds}


def _silent(options, robot, time):
    """Limbs, by number, whose sensors do not arrive at a time."""
    return {limb_of(robot, name) for name, begin, end in options.silent if begin <= time < end}


def limb_of(robot, name):
    names = [limb.name for limb in robot.limbs]
    if name not in names:
        raise TinycontactError(f"limb {name!r} is none of the robot's: {', '.join(names)}")
    return names.index(name)


def mode_of(foot):
    """The class that a foot's values publish: 0 air, 1 sticks, 2 slips."""
    return 0 if not foot["contact"] else 1 + int(foot["p"][2] > foot["p"][1])


class _Loop:
    def __init__(self, options, made):
        self.options, self.episode, self.rows = options, made, []
        self.view = FeetView(len(made), TICK, [limb.name for limb in made.robot.limbs])
        self.lost = np.random.default_rng([options.seed, 17]).random(len(made)) < options.lost
        self.dies = {limb_of(made.robot, name): time for name, time in options.dead}

    def play(self, boards):
        shared = [None] * len(boards)
        self.view.begin()
        for k, sample in enumerate(self.episode.samples()):
            self._power(boards, k * TICK)
            self.rows.append(self._tick(boards, k, {**sample, "lost": sample["lost"] > 0 or self.lost[k]}, shared))
            shared = self._shared([board for board, _ in boards])
            self.view.add([foot.mode[k] for foot in self.episode.feet], [mode_of(foot) for foot in self.rows[-1]])

    def _tick(self, boards, k, sample, shared):
        """[L] {field: value} of what the boards say of a tick."""
        row, silent = [None] * len(self.episode.robot.limbs), _silent(self.options, self.episode.robot, k * TICK)
        for (board, log), velocity in zip(boards, shared):
            log.tick = k + 1
            feet = board.tick(k + 1, sample if velocity is None else {**sample, "base_velocity": velocity}, silent)
            for foot, limb in zip(feet.foot, board.limbs):
                row[limb] = {**foot.values(), "velocity": tuple(feet.velocity)}
        return row

    def _power(self, boards, time):
        for board, log in boards:
            if self.options.each and not board.dead and time >= self.dies.get(board.limbs[0], np.inf):
                board.dead = True
                board.session.link.close()

    def _shared(self, boards):
        """[6] velocity and variances for each board, None where its own foot knows better, or nobody does."""
        if len(boards) == 1 or not self.options.share:
            return [None] * len(boards)
        known = [None if board.dead else board.carries() for board in boards]
        sources = [one for one in known if one is not None]
        if not sources:
            return [None] * len(boards)
        weights = np.array([1.0 / variance for _, variance in sources])
        mean = np.sum(weights * [velocity for velocity, _ in sources], 0) / weights.sum(0)
        joined = np.concatenate([mean, np.maximum(1.0 / weights.sum(0), LEAST)])
        return [joined if one is None else None for one in known]

    def told(self):
        """{field: [T, L, ...]}"""
        names = ("p", "impulse", "slip", "friction", "since", "contact", "flags")
        found = {name: np.array([[foot[name] for foot in row] for row in self.rows]) for name in names}
        found["contact"] = found["contact"] != 0
        found["slip"] = np.concatenate([found["slip"], np.zeros((*found["slip"].shape[:2], 1))], -1)
        found["stale"] = (found["flags"] & STALE) != 0
        return {**found, "velocity": np.array([row[0]["velocity"] for row in self.rows])}


def run(options, folder, out=None):
    """Runs it into a folder: the Outcome. If a board failed half-way, the files of what there was are written before the
    error comes."""
    ready()
    robot = robot_of(options.robot)
    for name, *_ in (*options.silent, *options.dead):
        limb_of(robot, name)
    folder = made(folder)
    with announced(f"simulating {options.seconds:g} s of {options.gait}"):
        whole = episode(options.robot, options.gait, options.seed, options.seconds, law=options.law,
                        slope=(options.slope, options.slope), **options.sensing)
    loop, stats, outcome = _Loop(options, whole), [], None
    with opened(options, whole.robot, folder) as boards:
        try:
            loop.play(boards)
            for board, log in boards:
                if not board.dead:
                    log.finish()
                    board.session.link.tap = None
                    stats.append(board.session.stats().values())
        except KeyboardInterrupt:
            say(f"interrupted in tick {len(loop.rows)}: {folder} gets the files of what there was")
            raise
        finally:
            loop.view.close()
            if loop.rows:
                outcome = _write(folder, options, loop, stats)
    if out is not None:
        print(shown(outcome, Pen(out)), file=out)
    return outcome


def strayed(whole):
    """Names of simulated joints that left their range, or turned far from home: no controller leads a limb whose foot is
    near the axis of such a joint."""
    from .log import joint_names
    links = [(link, home) for limb in whole.robot.limbs for link, home in zip(limb.links, limb.home)]
    found = []
    for name, (link, home), q in zip(joint_names(whole.robot), links, np.transpose(whole.reading.q)):
        least, most = link.range or ((home - np.pi, home + np.pi) if link.joint == "revolute" else (-np.inf, np.inf))
        if q.min() < least - STRAYS or q.max() > most + STRAYS:
            found.append(name)
    return found


def _write(folder, options, loop, stats):
    from . import strips
    told, whole = loop.told(), loop.episode
    complete = len(loop.rows) == len(whole)
    write_whole(folder / "ticks.csv", csv_of(whole, told).encode("ascii"))
    outcome = Outcome(whole, told, complete)
    outcome.summary = {"complete": complete, "robot": options.robot, "board": options.board, "boards": len(stats),
                       "seed": options.seed, "seconds": len(loop.rows) * TICK}
    if complete:
        outcome.summary["strayed"] = strayed(whole)
        judged = judge.summary(judge.judge(whole, told))
        outcome.summary |= {name: float(value) for name, value in judged.items() if np.isfinite(value)}
    for name in ("worst", "stack", "naks", "missed", "refused", "overruns"):
        if stats:
            outcome.summary[COUNTS.get(name, name)] = max(one[name] for one in stats)
    write_json(folder / "summary.json", outcome.summary)
    if complete:
        with announced("drawing"):
            title = f"{whole.robot.name or options.robot}, {options.gait}, {options.board}"
            strips.save(folder / "report.png", whole, {"board": told}, title)
    return outcome


def told(summary):
    """What a person reads of a run."""
    if "right" not in summary:
        return "the run was not complete: nothing was judged"
    lines = [f"contact right in {100 * summary['right']:.2f} % of ticks, air, sticks or slips in {100 * summary['kinds']:.2f} %"
             f" (the truth a tick late: {100 * summary['right_oracle']:.2f}, {100 * summary['kinds_oracle']:.2f} %)",
             f"{summary['touch_downs']:.0f} touch-downs, {summary['missed']:.0f} missed, {summary['false']:.0f} false"]
    if "delay" in summary:
        lines.append(f"a touch-down is known after {1e3 * summary['delay']:.2f} ms; possible: {1e3 * summary['delay_floor']:.2f}")
    if "base_median" in summary:
        lines.append(f"velocity of the base: {1e3 * summary['base_median']:.1f} mm/s off (median)")
    if summary.get("strayed"):
        names = summary["strayed"]
        lines.append(f"the simulation lost joints ({', '.join(names)}): it moved them through their stops, or round and round;\n"
                     "a real robot does not, so nothing is judged here. Import it with joints held whose axes pass near the"
                     " foot (--hold JOINT=0)")
    return "\n".join(lines)


def csv_of(whole, told):
    """ticks.csv: a row per tick and limb; float32 as the shortest decimals that give them back."""
    lines = [",".join(FIELDS)]
    for k in range(len(told["contact"])):
        for limb, foot in zip(range(len(whole.robot.limbs)), whole.feet):
            numbers = np.float32([*told["p"][k, limb], *told["impulse"][k, limb], *told["slip"][k, limb][:2],
                                  told["friction"][k, limb], told["since"][k, limb]])
            lines.append(f"{(k + 1) * TICK:.3f},{whole.robot.limbs[limb].name},{foot.mode[k]},"
                         f"{int(told['contact'][k, limb])},{','.join(map(str, numbers))},{told['flags'][k, limb]}")
    return "\n".join(lines) + "\n"


def shown(outcome, pen):
    """Contact bars of each foot as text: true over estimated."""
    from ..hil.bars import COLUMNS, folded
    from ..hil.metrics import classes
    told, lines = outcome.told, []
    ticks = len(told["contact"])
    span = max(1, -(-ticks // COLUMNS))
    lines.append(f"{'':17}{pen.legend()}   ({1e3 * TICK * span:g} ms per character)")
    for k, (limb, foot) in enumerate(zip(outcome.episode.robot.limbs, outcome.episode.feet)):
        said = classes({"contact": told["contact"][:, k], "p": told["p"][:, k]})
        lines.append(f"{limb.name[:10]:10} true  {pen.modes(folded(foot.mode[:ticks].astype(np.int8), span))}")
        lines.append(f"{'':10} board {pen.modes(folded(said.astype(np.int8), span))}")
    return "\n".join(lines)
