# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A chain file as C for firmware: the leg's tables, its estimator, and a main loop.

    write(load_chain("leg.json"), "firmware/leg", tick=0.001)   # leg.h, leg.c, main.c, ...

leg.h and leg.c are all that firmware needs. tinycontact_config.h (TC_CONFIG) leaves out of the library what this leg
does not use. main.c runs them on sample.c, a simulated log of the same leg, until
drivers take its place; it is an application of this repository's boards, and a program for a desktop.
"""
import platform
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..cexport import c_name
from ..errors import TinycontactError
from ..hil.chain_file import load_chain
from ..hil.sensors import BASE_VELOCITY_NOISE, LIMITS
from ..hil.size import size_of
from ..model import write_whole
from . import ctext, sample

TICK = 1e-3                          # [s]
LEAST_TICK, MOST_TICK = 1e-4, 0.02   # [s] that the sampled log can serve
TAKEN = ("main", "sample", "tinycontact_config")
CONFIG = "tinycontact_config.h"
TORQUE_NOISE = 0.05                  # [N m] of a leg of size 1


@dataclass(frozen=True)
class Sensing:
    """What is known of the sensors; a field that is None is assumed (assumed() says what)."""
    encoder_bits: float = 16.0    # steps per turn of the encoder, or per metre: 2^bits
    encoder_gear: float = 1.0     # turns of the encoder per turn of the joint
    torque_noise: float = None    # [N m] or [N], the joint's dry friction left out
    gyro_noise: float = 0.003     # [rad/s]
    accel_noise: float = 0.06     # [m/s^2]
    torque_limit: float = None    # [N m]
    gyro_limit: float = None      # [rad/s]
    accel_limit: float = None     # [m/s^2]

    def sensing(self, chain, tick):
        """{field of tc_leg_sensing: number, or one per joint}"""
        del tick   # these numbers are of readings, whatever the tick
        joints = len(chain.links)
        return {"encoder_counts": [2.0**self.encoder_bits * self.encoder_gear] * joints, "encoder_noise": [0.0] * joints,
                "torque_noise": self.torque(chain).tolist(), "gyro_noise": self.gyro_noise,
                "accel_noise": self.accel_noise, "base_velocity_noise": BASE_VELOCITY_NOISE,
                **{name: getattr(self, name) or most for name, most in LIMITS.items()}}

    def torque(self, chain):
        """[n] standard deviation of each torque, dry friction included."""
        noise = TORQUE_NOISE * size_of(chain).torque if self.torque_noise is None else self.torque_noise
        return np.hypot(noise, [link.friction for link in chain.links])

    def assumed(self, chain):
        """Lines about what nobody said."""
        lines = [f"encoders: {self.encoder_bits:g} bits per turn, {self.encoder_gear:g} turns per turn of the joint"]
        lines += [f"torque noise of {link.name or f'joint {k}'}: {noise:.3g}"
                  f" {'N' if link.joint == 'prismatic' else 'N m'}"
                  + (f", of which dry friction {link.friction:.3g}" if link.friction else "")
                  for k, (link, noise) in enumerate(zip(chain.links, self.torque(chain)))]
        return lines + [f"gyro noise: {self.gyro_noise:g} rad/s; accelerometer noise: {self.accel_noise:g} m/s^2"]


@dataclass(frozen=True)
class Written:
    """What write() made: the files, and the log that main.c plays."""
    paths: tuple
    sample: sample.Sample


def _stamp(chain, tick, command):
    from .. import __version__
    name = ctext.comment(chain.name or Path(chain.path).stem or "a leg")
    made = f"tinycontact {__version__}, numpy {np.__version__}, Python {platform.python_version()}"
    told = f" * {ctext.comment(command)}\n" if command else ""
    return f"""/*
 * The leg {name}: {len(chain.links)} joints, estimated every {tick:g} s.
 *
 * Made by {made}: do not edit.
{told} */
"""


def one_by_one(settings):
    """Settings with a number each: a list becomes one for each joint."""
    single = {}
    for name, value in settings.items():
        if isinstance(value, (list, tuple, np.ndarray)):
            single |= {f"{name}[{k}]": float(number) for k, number in enumerate(value)}
        else:
            single[name] = value
    return single


def check(chain, tick, settings, base):
    """Refuses what cannot be C."""
    if not base[:1].isalpha():
        raise TinycontactError(f"a name of C files and functions begins with a letter, not with {base[:1]!r}")
    if base in TAKEN:
        raise TinycontactError(f"{base!r} is the name of another file that is written: choose another")
    if not LEAST_TICK <= tick <= MOST_TICK:
        raise TinycontactError(f"a tick of {tick:g} s is not between {LEAST_TICK:g} and {MOST_TICK:g} s")
    unknown = [name for name in settings if not ctext.is_setting(name)]
    if unknown:
        raise TinycontactError(f"{unknown[0]!r} is no name of a field of tc_estimator_config")


def write(chain, folder, tick=TICK, sensing=Sensing(), settings=None, name="leg", command=""):
    """Writes <name>.h, <name>.c, main.c, sample.h, sample.c and tinycontact_config.h into a folder, which is made; Written.

    `chain`: a Chain or the path of its file. `sensing`: a Sensing, or what else has sensing(chain, tick). `settings`:
    {field of tc_estimator_config: number, or a list with one per joint}, beside what tc_estimator_default_for computes
    on the target; `field[2]` is one joint's.
    """
    chain = chain if hasattr(chain, "links") else load_chain(chain)
    settings, base, folder = one_by_one(settings or {}), c_name(name), Path(folder)
    check(chain, tick, settings, base)
    if folder.exists() and not folder.is_dir():
        raise TinycontactError(f"{folder}: is a file, no folder for C files")
    fields = sensing.sensing(chain, tick)
    log = sample.record(chain, tick, fields)
    stamp = _stamp(chain, tick, command)
    texts = {f"{base}.h": ctext.header(base, chain, tick, stamp),
             f"{base}.c": ctext.source(base, chain, fields, settings, stamp),
             "sample.h": ctext.sample_header(base, log, stamp),
             "sample.c": ctext.sample_source(base, log, stamp),
             "main.c": ctext.main(base, stamp), CONFIG: ctext.config(chain, stamp)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TinycontactError(f"{folder}: cannot be made ({error.strerror})") from None
    for file, text in texts.items():
        write_whole(folder / file, text.encode("ascii"))
    return Written(tuple(folder / file for file in texts), log)
