# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg configure: the estimator's configuration for a leg, from what a person knows of its sensors."""
import argparse

from ..progress import say
from .config_options import FASTEST, SLOWEST

TEXT = """A chain file has the leg's masses and lengths. The options have its sampling rate and its
sensors' data sheets. Numbers for one joint each are separated by commas, hip first. The command
prints what it assumed in the place of options that are missing.

examples:
  500 Hz, encoders of 14 bits at the joints, torques from currents behind a belt of 9:1:
  tinycontact leg configure --chain leg.json --rate 500 --encoder-bits 14 --torque current
    --torque-constant 0.068 --gear 9 --torque-noise 0.15 --friction 0.3 -o config.json
  an IMU of 70 ug and 0.0038 deg/s per root Hz:
  tinycontact leg configure --chain leg.json --accel-density 70 --gyro-density 0.0038 -o config.json

CONFIG.json is for --config of leg estimate, leg export, leg hil run and leg tune. Its fields are
explained in tools/tinycontact/hil/configuration.py and sensing.py. Your own logs improve it:
tinycontact leg tune."""

OPTIONS = (   # option, kind of sensor, field, metavar, help
    ("--encoder-bits", "encoder", "bits", "BITS", "2^BITS steps per turn of the encoder (default 16)"),
    ("--encoder-counts", "encoder", "counts", "N", "the same as a number of steps"),
    ("--encoder-gear", "encoder", "gear", "RATIO", "turns of the encoder per turn of the joint (default 1)"),
    ("--encoder-noise", "encoder", "noise", "STEPS",
     "standard deviation of a reading beside its rounding (default 0.3)"),
    ("--torque-constant", "torque", "constant", "NM_PER_A", "of the motor [N m/A], for --torque current"),
    ("--gear", "torque", "gear", "RATIO", "turns of the motor per turn of the joint (default 1), for --torque current"),
    ("--sensitivity", "torque", "sensitivity", "MV", "[mV/V per N m], for --torque strain"),
    ("--torque-noise", "torque", "noise", "X",
     "standard deviation of a reading [N m; A of currents; mV/V of strain gauges]"),
    ("--torque-range", "torque", "range", "X", "largest reading, in the same unit"),
    ("--friction", "torque", "friction", "NM", "dry friction of the joint that the sensor does not see [N m]"),
    ("--tolerance", "torque", "tolerance", "PERCENT", "how wrong the torque's scale may be [%%] (default about 5)"))
IMU = (("--gyro-density", "gyro", "density", "X", "noise density of the gyro [deg/s per root Hz]"),
       ("--gyro-range", "gyro", "range", "X", "range of the gyro [deg/s]"),
       ("--accel-density", "accel", "density", "X", "noise density of the accelerometer [ug per root Hz]"),
       ("--accel-range", "accel", "range", "X", "range of the accelerometer [g]"))


def numbers(word):
    """One number, or several with commas."""
    try:
        return [float(one) for one in word.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is no number, nor several with commas between them") from None


def add(p):
    from ..options import between
    p.description = "Make the contact estimator's configuration from a leg, its rate and its sensors' data sheets."
    p.epilog = TEXT
    p.add_argument("--chain", metavar="C.json", required=True, help="the leg")
    p.add_argument("--rate", type=between(SLOWEST, FASTEST), default=1000.0, metavar="HZ",
                   help=f"ticks per second, {SLOWEST} to {FASTEST} (default 1000)")
    p.add_argument("--torque", choices=("sensor", "current", "strain"), dest="torque_source",
                   help="what the torques come from (default sensor)")
    for option, kind, name, metavar, text in (*OPTIONS, *IMU):
        p.add_argument(option, type=numbers, metavar=metavar, help=text, dest=f"{kind}_{name}")
    p.add_argument("-o", "--output", metavar="CONFIG.json", help="the file to write")
    p.set_defaults(run=run)


def sheet(options, joints):
    """The `sensors` of a configuration file, as the options have them."""
    from ..errors import TinycontactError
    found = {}
    for option, kind, name, *_ in (*OPTIONS, *IMU):
        given = getattr(options, f"{kind}_{name}")
        if given is None:
            continue
        wanted = joints if (option, kind) in [(row[0], row[1]) for row in OPTIONS] else 1
        if len(given) not in (1, wanted):
            raise TinycontactError(f"{option}: has {len(given)} numbers; wanted one"
                                   + (f", or one for each of {joints} joints" if wanted > 1 else ""))
        found.setdefault(kind, {})[name] = given
    _check_source(options.torque_source or "sensor", options)
    if options.torque_source:
        found.setdefault("torque", {})["source"] = [options.torque_source]
    return {kind: _spread(kind, fields, joints) for kind, fields in found.items()}


SOURCES = {"current": ("--torque-constant", "torque_constant", "[N m/A]"),
           "strain": ("--sensitivity", "torque_sensitivity", "[mV/V per N m]")}


def _check_source(chosen, options):
    """Refuses a source of torques without its number, and the number of another source."""
    from ..errors import TinycontactError
    for source, (option, name, unit) in SOURCES.items():
        given = getattr(options, name) is not None
        if chosen == source and not given:
            raise TinycontactError(f"--torque {source}: needs {option} {unit}")
        if chosen != source and given:
            raise TinycontactError(f"{option}: is of --torque {source}, and the torques come from --torque {chosen}")


def _spread(kind, fields, joints):
    """One object for all joints, or a list of one per joint where a field differs between them."""
    if all(len(values) == 1 for values in fields.values()):
        return {name: _plain(values[0]) for name, values in fields.items()}
    return [{name: _plain(values[k if len(values) > 1 else 0]) for name, values in fields.items()}
            for k in range(joints)]


def _plain(value):
    """Whole numbers as such, as people write them."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


SHOWN = ("encoder_step", "torque_noise", "torque_gain", "accel_noise", "force", "light", "normal_speed",
         "stick_speed", "keep", "lift_off", "on", "off", "torque_limit", "gyro_limit", "accel_limit")


def _row(name, value, usual):
    def said(one):
        several = one if isinstance(one, list) else [one]
        text = [f"{number:.3g}" for number in several]
        return text[0] if len(set(text)) == 1 else ", ".join(text)
    return [name, said(value), said(usual)]


def run(options):
    from ..report.page import text_table
    from . import estimate
    from .chain_file import load_chain
    from .configuration import parse
    chain = load_chain(options.chain)
    config = parse({"rate": options.rate, "sensors": sheet(options, len(chain.links))}, "the options").check(chain)
    numbers_of, tuned = config.numbers(chain), estimate.configuration(chain)
    print(f"{chain.path}: {sum(link.mass for link in chain.links):.3g} kg of links, {config.rate:g} Hz")
    print(text_table(["field", "here", "1 kHz, 16 bits"],
                     [_row(name, numbers_of[name], tuned[name]) for name in SHOWN]))
    for words in config.sensors.assumed(chain):
        say(f"assumed: {words}")
    _warn(numbers_of, tuned, config)
    if options.output:
        config.write(options.output)
        say(f"{options.output}: for --config of leg estimate, leg export, leg hil run and leg tune")


def _warn(numbers_of, tuned, config):
    """What the evaluations say of such a configuration."""
    coarse = max(numbers_of["encoder_step"]) / max(tuned["encoder_step"]) * min(config.rate / 1000.0, 1.0)
    if coarse > 4.0:
        say(f"the encoders are {coarse:.3g} times as coarse as the foot moves unforeseen in a tick: touch-downs and"
            " lift-offs of slow feet are known late (tests/hil/README.md, 12 and 13 bits)")
    if config.rate < 500:
        say("below 500 Hz a contact is known one to two ticks late, which is most of its delay (tests/hil/README.md,"
            " rates)")
