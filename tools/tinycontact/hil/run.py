# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Hardware in the loop: firmware on a board at one end of its UART, a simulated leg at the other, in lock-step. The
plant waits for each answer, so that neither's speed matters and the same seed makes the same log, byte for byte.

Tick k spans (k, k + 1] ticks; the estimate of the sample that arrives in it is published at its end, as `t` says in
ticks.csv. A tick whose frame was lost on the way repeats the estimate before, marked stale.
"""
import contextlib
import functools
import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import TinycontactError
from ..jsonfile import write_json
from ..model import write_whole
from ..progress import announced, say
from ..report.plots import ready
from . import wire
from .configuration import Configuration
from .episodes import record
from .estimate import model_bytes
from .link import TIMEOUT, Refused, Session, open_board, open_port
from .log import LogWriter
from .plant import Plant, plant_chain
from .sensors import SensorOptions
from .terrain import terrain
from .view import View
from .world import TICK

COLUMNS = ("t", "true_mode", "p_air", "p_static", "p_dynamic", "impulse_t", "impulse_n", "impulse_t_variance",
           "impulse_n_variance", "v_slip", "stale")
HORIZON = 0.05   # [s] of the predictions that a run asks for
NOT_NOW = (5, 6)  # reasons of a NAK: nothing to predict from, or the roll-out failed
SILENCE = 5000   # [ms] in lock-step the board waits for the plant: only a plant that hangs is worth telling
BOARD_COUNTS = {"missed": "missed_ticks", "worst": "worst_tick", "last": "last_tick"}   # missed touch-downs are others
GIVEN = {"pitch": wire.GIVEN_PITCH, "base_velocity": wire.GIVEN_BASE_VELOCITY, "place": wire.GIVEN_PLACE}


@dataclass
class Options:
    plant: str
    chain: str
    board: str = "mps2-an386"
    port: str = ""              # a serial device in place of an emulated board
    baud: int = 115200
    profile: str = "exact"
    model: str = ""
    seed: int = 0
    seconds: float = 10.0
    law: str = "stiff"
    simulator: str = "mujoco"
    given: tuple = ("pitch",)   # optional sensors that the estimator gets
    predict: bool = False       # ask for the next touch-down in each tick
    terrain: str = ""           # under the leg: terrain.NAMES or a shape file; flat without one
    blind: bool = False         # the board is not told of the terrain
    app: str = "foot"
    timeout: float = TIMEOUT
    config: Configuration = field(default_factory=Configuration)   # rate of plant and board; what the board is told

    @property
    def tick(self):
        """[s] of plant, sensors, estimator and link"""
        return self.config.tick


@dataclass
class Outcome:
    """What a run came to. `episode` and `estimates` are what metrics.table takes."""
    episode: object
    estimates: dict
    complete: bool
    chain: object
    height: np.ndarray   # [T] of the foot over the floor, at each tick's end [m]
    summary: dict = field(default_factory=dict)


def sensors_of(tick, sample, given):
    """The SENSORS message of a plant's sample."""
    joints = len(sample["encoder"])
    message = wire.Sensors(tick=tick, joints=joints, given=sum(GIVEN[name] for name in given), gyro=sample["gyro"])
    message.accel[:] = sample["accel"].tolist()
    message.encoder[:joints], message.torque[:joints] = sample["encoder"].tolist(), sample["torque"].tolist()
    for name in given:
        setattr(message, name, sample[name])
    return message


AHEAD = ("ahead", "early", "late")   # of an estimate's row, beside the fields of the message


class Estimates:
    """One row per tick."""

    def __init__(self, tick=TICK):
        self.rows, self.tick = [], tick
        self.last = wire.Estimate(p=(1.0, 0.0, 0.0), flags=wire.STALE)   # before anything was said
        self.prediction = None
        self.shortened = 0   # predictions that did not look as far as they were asked to

    def add(self, estimate, prediction=None):
        """An Estimate, or None of a tick without one, and a Prediction, if it was asked for."""
        if estimate is not None:
            self.last, self.prediction = estimate, prediction
            self.shortened += prediction is not None and prediction.status == wire.SHORTENED
        flags = self.last.flags | (wire.STALE if estimate is None else 0)
        self.rows.append({**self.last.values(), "flags": flags, **self._ahead()})

    def _ahead(self):
        """What metrics.predictions takes: the times of the next touch-down [s] from this tick's end, when they are
        published; NaN if none is predicted."""
        said = self.prediction
        if said is None or said.kind != wire.TOUCH_DOWN:
            return dict.fromkeys(AHEAD, np.nan)
        past = self.tick * (len(self.rows) + 2 - said.tick)
        return {"ahead": said.time - past, "early": said.early - past, "late": said.late - past}

    def mode(self):
        """The class that is published."""
        return 0 if not self.last.contact else 1 + (self.last.p[2] > self.last.p[1])

    def arrays(self):
        """{name: [T, ...]}"""
        return {name: np.array([row[name] for row in self.rows]) for name in (*wire.Estimate().values(), *AHEAD)}


class _Played:
    """A plant that has been: what record() asks for."""

    def __init__(self, steps, tick):
        self.steps, self.tick = iter(steps), tick

    def reset(self, seed):
        pass

    def step(self):
        return next(self.steps)


def budget_of(tick):
    """[us] that the board has for a tick; 0, which is a millisecond, for the usual one."""
    return 0 if tick == TICK else int(round(1e6 * tick))


def plant_sensors(config):
    """SensorOptions of the simulated leg: the usual ones, with encoders as coarse as the configuration has them."""
    return SensorOptions(encoder_bits=config.sensors.bits())


def told_sensors(config):
    """What the board is told of them: what the configuration says; without a word of it, what is simulated."""
    return config.sensors if config.text else SensorOptions()


def open_link(options):
    if options.port:
        return open_port(options.port, options.baud, options.timeout)
    return open_board(options.board, options.profile, options.timeout, options.app)


def board_words(options, boot):
    """What a header says of the board."""
    text = boot.text.decode("ascii", "replace")
    return {"board": options.port or options.board, "profile": "fast" if " fast " in text else "exact", "text": text,
            "version": boot.version}


def header_of(options, chain, model, boot):
    return {**board_words(options, boot), "plant": options.plant, "law": options.law,
            "simulator": options.simulator, "chain": chain.text,
            "model": hashlib.sha256(model).hexdigest() if model else "", "seed": options.seed,
            "seconds": options.seconds, "given": list(options.given), "predict": options.predict,
            **({"terrain": options.terrain, "blind": options.blind} if options.terrain else {}),
            **({"tick": options.tick} if options.tick != TICK else {}),
            **({"config": options.config.as_json()} if options.config != Configuration() else {})}


class _Loop:
    """Plant and board, tick by tick. The plant is one tick ahead: what it does does not depend on the estimates."""

    def __init__(self, options):
        self.options = options
        self.plant = Plant(options.plant, options.chain, options.law, sensors=plant_sensors(options.config),
                           simulator=options.simulator, tick=options.tick, ground=terrain(options.terrain))
        self.plant.reset(options.seed)
        self.ticks = int(round(options.seconds / options.tick))
        self.steps, self.estimates, self.view = [], Estimates(options.tick), View(self.ticks, options.tick)

    def advance(self):
        self.steps.append(self.plant.step())

    def play(self, session, log):
        self.advance()
        self.view.begin()
        for log.tick in range(1, self.ticks + 1):
            sample, fact = self.steps[log.tick - 1]
            self.estimates.add(*self._ask(session, log.tick, sample))
            self.view.add(fact.mode, self.estimates.mode(), fact.substeps.gap[-1])

    def _ask(self, session, tick, sample):
        if sample["lost"]:
            self.advance()
            return None, None
        estimate = session.tick(sensors_of(tick, sample, self.options.given), meanwhile=self.advance)
        return estimate, self._predict(session) if self.options.predict else None

    def _predict(self, session):
        """A Prediction, or None if there is nothing to predict from."""
        try:
            return session.predict(HORIZON)
        except Refused as error:
            if error.nak.reason not in NOT_NOW:
                raise
            return None

    def outcome(self):
        """Of the ticks there were."""
        steps = self.steps[:len(self.estimates.rows)]
        episode = record(_Played(steps, self.options.tick), self.options.seed, len(steps))
        return Outcome(episode, self.estimates.arrays(), len(steps) == self.ticks, self.plant.chain,
                       self.view.heights[:len(steps)])


def run(options, folder, parameters):
    """Runs it into a folder; `parameters(chain, tick=..., sensors=..., ...)`, with a known terrain behind the
    chain and settings by name, makes the bytes that are uploaded.
    The Outcome; if the board failed half-way, the files of what there was are written before the error comes."""
    chain = plant_chain(options.plant, options.chain, options.simulator)
    model = model_bytes(options.model, chain, options.tick) if options.model else b""
    ready()   # of the picture: before the run, not after it
    folder, loop, stats = made(folder), _Loop(options), None
    with open_link(options) as link:
        known = () if loop.plant.ground is None or options.blind else (loop.plant.ground,)
        uploaded = parameters(loop.plant.chain, *known, tick=options.tick, sensors=told_sensors(options.config),
                              **options.config.all_settings())
        session = Session(link, uploaded, model, 1 + options.seed % 0xFFFFFFFF, budget_of(options.tick), SILENCE)
        header = functools.partial(header_of, options, loop.plant.chain, model)
        with logged(session, folder / "log.bin", header) as log:
            try:
                loop.play(session, log)
                log.finish()
                link.tap = None
                stats = session.stats()
            except KeyboardInterrupt:
                say(f"interrupted in tick {log.tick}: {folder} gets the files of what there was")
                raise
            finally:
                loop.view.close()
                if loop.estimates.rows:
                    outcome = _write(folder, options, loop.outcome(), _counts(session, stats, loop))
    return outcome


def made(folder):
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TinycontactError(f"{folder}: cannot be made ({error.strerror or error})") from None
    return Path(folder)


@contextlib.contextmanager
def logged(session, path, header_of_boot):
    """The LogWriter of a session, which begins. The header has the board's words, so the first frames wait for it."""
    waiting, link = [], session.link
    link.tap = lambda *frame: waiting.append(frame)
    with announced(f"uploading to {link.name}"):
        boot = session.begin()
    with LogWriter(path, header_of_boot(boot)) as log:
        for frame in waiting:
            log.add(*frame)
        link.tap = log.add
        try:
            yield log
        finally:
            link.tap = None


def _write(folder, options, outcome, counts):
    """ticks.csv, summary.json and report.png of what there is."""
    from . import metrics, report
    episode, estimates = outcome.episode, outcome.estimates
    write_whole(folder / "ticks.csv", csv_of(episode, estimates).encode("ascii"))
    table = metrics.table([(episode, estimates)])
    outcome.summary = {"complete": outcome.complete, "plant": options.plant, "board": options.port or options.board,
                       "seed": options.seed, "seconds": len(episode) * episode.tick, **counts,
                       **{key: float(value) for key, value in table.items() if np.isfinite(value)}}
    write_json(folder / "summary.json", outcome.summary)
    with announced("drawing"):
        report.write(folder / "report.png", options, outcome)
    return outcome


def _counts(session, stats, loop):
    """What the line and the board counted, and simulated seconds per second."""
    link = session.link
    counted = {"speed": loop.view.speed(), "repeats": session.repeats, "resets": session.resets, "bad_frames": link.bad,
               "silences": sum(event.kind == wire.EVENT_SILENCE for event in link.events)}
    if loop.options.predict:
        counted["shortened"] = loop.estimates.shortened
    if stats is not None:
        counted |= {BOARD_COUNTS.get(name, name): value for name, value in stats.values().items() if name != "wire"}
    return counted


def csv_of(episode, arrays):
    """ticks.csv: float32 as the shortest decimals that give them back."""
    lines, places = [",".join(COLUMNS)], 3 if episode.tick >= TICK else 6
    stale = (arrays["flags"] & wire.STALE).astype(int)
    columns = [arrays[name] for name in ("p", "impulse", "impulse_variance", "slip")]
    numbers = np.column_stack(columns).astype(np.float32)
    for k, mode in enumerate(episode.truth.mode):
        lines.append(f"{(k + 1) * episode.tick:.{places}f},{mode},{','.join(map(str, numbers[k]))},{stale[k]}")
    return "\n".join(lines) + "\n"
