# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The contact estimator on a leg's own log, with the library's bits.

    result = run(load_chain("leg.json"), read("log.csv"))
    result.time, result.p, result.contact, result.impulse     # [T], [T, 3], [T], [T, 2]
    result.touch_downs                                        # [s] in the log's time
    result.findings                                           # check.Finding: what is likely wrong with the log
    result.scores                                             # of estimator and observer, where truth is there

Impulses and slip are in the chain file's axes: along x and up.
"""
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import StatusError, TinycontactError
from ..hil import metrics, truth
from ..hil.chain_file import Chain, load_chain
from ..hil.configuration import Configuration, load
from ..hil.observer import Observer
from ..hil.sensing import read_sensors
from ..hil.sensors import TORQUE_SIGMA
from ..hil.size import size_of
from ..progress import announced
from . import check as checks
from .clock import even
from .read import Log, read
from .recording import mean_force
from .segments import segments

LEAST_BITS, MOST_BITS = 8, 24
QUANTISED = 0.98    # share of steps that are whole multiples of the least one
SCORES = ("contact_right", "touch_downs", "missed", "false", "air", "delay_mean", "delay_p95", "lift_off")


@dataclass
class Result:
    """Rows are ticks, of all parts of the log one after the other."""
    chain: Chain
    log: object
    tick: float                  # [s]
    time: np.ndarray             # [T] in the log [s]
    part: np.ndarray             # [T] part of the log: the estimator starts anew in each
    p: np.ndarray                # [T, 3] air, sticks, slips
    contact: np.ndarray          # [T] bool
    impulse: np.ndarray          # [T, 2] of the floor on the foot in the tick [N s]
    impulse_deviation: np.ndarray    # [T, 2] standard deviation [N s]
    slip: np.ndarray             # [T] of the foot along the floor [m/s]
    since: np.ndarray            # [T] since touch-down, in the air minus the time since lift-off [s]
    flags: np.ndarray            # [T] uint32
    lost: np.ndarray             # [T] bool
    friction: np.ndarray         # [T] identified
    height: np.ndarray           # [T] of the base over the last floor [m]
    config: Configuration        # of the estimator
    segments: list               # [Segment] what the estimator was given
    truth: np.ndarray = None     # [T] bool
    observer: np.ndarray = None  # [T] bool: contact by the momentum observer
    scores: dict = None          # {"estimator": {name: number}, "observer": the same}
    notes: list = field(default_factory=list)       # words about what was done with the log
    findings: list = field(default_factory=list)    # check.Finding
    examined: object = None                         # check.Checked, or None: not looked for

    @property
    def encoder_bits(self):
        """Per turn of a joint."""
        return self.config.sensors.bits()

    @property
    def torque_noise(self):
        """[N m] the largest that the configuration was told of"""
        return float(np.max(self.config.sensors.sensing(self.chain, self.tick)["torque_noise"]))

    @property
    def touch_downs(self):
        return self.time[self._edges(1)]

    @property
    def lift_offs(self):
        return self.time[self._edges(-1)]

    def _edges(self, direction):
        """Ticks at which contact begins (1) or ends (-1) within a part."""
        change = np.diff(self.closed().astype(np.int8), prepend=np.int8(self.contact[0]))
        return np.flatnonzero((change == direction) & (np.diff(self.part, prepend=self.part[0]) == 0))

    def modes(self):
        """[T] 0 air, 1 sticks, 2 slips"""
        return metrics.classes({"p": self.p, "contact": self.contact})

    def closed(self):
        """[T] contact with gaps of at most 5 ms closed."""
        return truth.close_gaps(self.contact, self.tick)

    def force(self):
        """[T, 2] of the floor on the foot, mean over 5 ms [N]."""
        return mean_force(self.impulse, self.tick)

    def contacts(self):
        """[(begin [s], end [s], impulse [2] [N s], largest force over 5 ms [N])] of each contact."""
        force = self.force()[:, 1]
        return [(self.time[begin], self.time[end - 1] + self.tick, self.impulse[begin:end].sum(0),
                 float(force[begin:end].max()))
                for begin, end in truth.runs(self.closed())]


def encoder_bits(log, slides):
    """Bits per turn (sliding joints: per metre) of a log's coarsest encoder, seen in the steps between rows; 16 where
    none are seen."""
    found = []
    for column, slide in zip(log.q.T, slides):
        q = column[np.isfinite(column)]
        if len(np.unique(q)) > 50:
            step = _step(q, 1.0 if slide else 2 * np.pi)
            found += [] if step is None else [np.log2((1.0 if slide else 2 * np.pi) / step)]
    if not found:
        return 16.0
    bits = round(min(found)) if abs(min(found) - round(min(found))) < 0.05 else min(found)
    return float(np.clip(bits, LEAST_BITS, MOST_BITS))


def _step(q, turn):
    """The step of which all readings are multiples: of a turn's power of two if possible; None without one."""
    for bits in range(LEAST_BITS, MOST_BITS):
        counts = (q - q[0]) * 2.0**bits / turn
        if np.mean(np.abs(counts - np.round(counts)) < 0.12) >= QUANTISED:
            return turn / 2.0**bits
    steps = np.abs(np.diff(q))
    steps = steps[steps > 1e-9]
    if not len(steps):
        return None
    least = float(np.median(steps[steps < 1.5 * np.percentile(steps, 1)]))
    near = steps[steps < 40 * least] / least
    return least if np.mean(np.abs(near - np.round(near)) < 0.12) >= QUANTISED else None


def _truth(contact, tick):
    """truth.Truth of a column of contact: what a tick's row says is true of the tick that ends there."""
    closed = truth.close_gaps(contact, tick)
    spans = truth.events(closed, tick)
    ticks = len(contact)
    return truth.Truth(closed.astype(np.int8), np.zeros((ticks, 2), np.float32), np.zeros(ticks, np.float32),
                       np.array([(begin + 0.5) * tick for begin, _ in spans]),
                       np.array([np.nan if end == ticks else (end + 0.5) * tick for _, end in spans]),
                       np.zeros(0), np.zeros(len(spans)))


def score(parts, estimates):
    """{name: number} of SCORES over [Segment] with truth and what was estimated of each."""
    judged = []
    for part, said in zip(parts, estimates):
        part.truth = _truth(part.contact, part.tick)
        judged.append(metrics.judge(part, said))
    with np.errstate(divide="ignore", invalid="ignore"):   # no impulse is known to be true
        found = metrics.summary(metrics.pool(judged))
    return {name: float(found[name]) for name in SCORES}


def _joined(rows, name):
    return np.concatenate([part[name] for part in rows])


def configured(chain, log, tick, config=None, bits=None, torque_noise=None):
    """The Configuration of a log's estimator: encoders are as seen in the log and torques as usual for a leg of this
    size and the chain's dry friction, where neither the Configuration `config` nor the other arguments say
    otherwise."""
    config = Configuration() if config is None else config
    joints, said = len(chain.links), dict(config.text)
    encoders, motors = (_each(said.get(kind, {}), joints) for kind in ("encoder", "torque"))
    if bits is not None or not any({"bits", "counts"} & set(one) for one in encoders):
        seen = encoder_bits(log, chain.planar().slides) if bits is None else float(bits)
        encoders = [{name: value for name, value in one.items() if name != "counts"} | {"bits": seen}
                    for one in encoders]
    usual = TORQUE_SIGMA * size_of(chain).torque
    for link, one in zip(chain.links, motors):
        if torque_noise is not None:
            one.update(source="sensor", noise=torque_noise, friction=0.0)
        elif link.friction and not {"noise", "friction"} & set(one):
            one.update(friction=float(np.hypot(usual, link.friction)))
    sensors = said | {"encoder": encoders} | ({"torque": motors} if any(motors) else {})
    return replace(config, rate=1.0 / tick, sensors=read_sensors(sensors, "the log's sensors"), text=sensors)


def _deviation(variance):
    """Where rounding makes a variance less than 0, or none is known, 0."""
    return np.sqrt(np.maximum(np.nan_to_num(variance), 0.0))


def _estimated(estimator, parts, log, findings):
    """[{name: [ticks]}] of each part; what the estimator refuses altogether is told with what is likely wrong."""
    try:
        return [estimator.run(part, part.given) for part in parts]
    except StatusError as error:
        likely = "; ".join(finding.words() for finding in findings)
        likely = f"; likely: {likely}" if likely else ""
        raise TinycontactError(f"{log.path}: the estimator refuses the log: {error}{likely}") from None


def _each(said, joints):
    """[joints] copies of what a configuration says of all joints, or of each."""
    return [dict(one) for one in (said if isinstance(said, list) else [said] * joints)]


def rate_of(log, rate, config, notes):
    """Ticks per second that the estimator runs at, or None: the log's."""
    if rate is not None or config is None:
        return rate
    own = 1.0 / even(log).tick
    if abs(config.rate / own - 1) < 1e-3:
        return None
    if config.rate < own:
        return config.rate
    notes.append(f"the configuration is for {config.rate:g} Hz, the log has {own:g}: estimated at the log's")
    return None


def run(chain, log, rate=None, constant=None, gear=None, bits=None, torque_noise=None, checked=True, config=None,
        settings=None):
    """The Result of a Chain (or the path of its file) and a Log (or a path).

    rate          ticks per second; the configuration's or the log's own by default
    constant      torque constants [N m/A] of a log with currents; gear: its ratios; one, or one for each joint
    bits          of the encoders per turn of the joint; by default seen in the log
    torque_noise  standard deviation of a torque, dry friction included [N m]; by default that of a leg of this size
    checked       look for likely mistakes (check.py)
    config        a hil.configuration.Configuration, or the path of its file
    settings      {field of tc_estimator_config: number}, on top of it
    """
    chain = chain if isinstance(chain, Chain) else load_chain(chain)
    log = log if isinstance(log, Log) else read(log)
    config = config if config is None or isinstance(config, Configuration) else load(config)
    told = []
    parts, notes = segments(chain, log, rate_of(log, rate, config, told), constant, gear)
    with announced("looking for mistakes in the log"):
        examined = checks.examine(chain, log, parts) if checked else None
    findings = examined.findings if checked else []
    tick = parts[0].tick
    config = configured(chain, log, tick, config, bits, torque_noise).check(chain)
    estimator, observer = config.estimator(chain, **(settings or {})), Observer(chain, tick, config.sensors)
    with announced("estimating"):
        rows = _estimated(estimator, parts, log, findings)
        others = [observer.run(part) for part in parts]
    refused = int(sum(np.sum(part["status"] < 0) for part in rows))
    if refused:
        told.append(f"the estimator refuses the impossible readings of {refused} of {sum(map(len, parts))} ticks:"
                    " they count as lost")
    known = all(part.contact is not None for part in parts)
    return Result(
        chain, log, tick, np.concatenate([part.time() for part in parts]),
        np.concatenate([np.full(len(part), k) for k, part in enumerate(parts)]), _joined(rows, "p"),
        _joined(rows, "contact").astype(bool), _joined(rows, "impulse"), _deviation(_joined(rows, "impulse_variance")),
        _joined(rows, "slip"), _joined(rows, "since"), _joined(rows, "flags"),
        np.concatenate([part.lost for part in parts]) > 0.5, _joined(rows, "friction"), _joined(rows, "vertical")[:, 0],
        config, parts, np.concatenate([part.contact for part in parts]) if known else None, _joined(others, "contact"),
        {"estimator": score(parts, rows), "observer": score(parts, others)} if known else None, notes + told, findings,
        examined)
