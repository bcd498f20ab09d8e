# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The options --rate and --config, for every command that runs an estimator."""
from ..errors import TinycontactError
from ..options import between

SLOWEST, FASTEST = 200, 4000   # as in configuration.py, which is imported when it is needed


def add_config(p, usual="1000"):
    """`usual`: the rate where neither option says one."""
    p.add_argument("--rate", type=between(SLOWEST, FASTEST), metavar="HZ",
                   help=f"ticks per second, {SLOWEST} to {FASTEST} (default: the configuration's, or {usual})")
    p.add_argument("--config", metavar="CONFIG.json",
                   help="the estimator's configuration: rate, sensors and tuned numbers (tinycontact leg configure,"
                   " leg tune)")


def chosen_config(options):
    """The configuration.Configuration that the options say."""
    from dataclasses import replace

    from .configuration import Configuration, load
    config = load(options.config) if options.config else Configuration()
    return config if options.rate is None else replace(config, rate=options.rate)


def simulated(config):
    """The same, if a simulation can have its rate: a tick is a whole number of the physics' steps."""
    from .world import PHYSICS
    steps = config.tick / PHYSICS
    if abs(steps - round(steps)) > 1e-6 * steps:
        near = sorted({round(1 / (PHYSICS * n), 2) for n in (int(steps), int(steps) + 1)})
        raise TinycontactError(f"--rate {config.rate:g}: the simulation has {1 / PHYSICS:g} steps per second, of which"
                               f" a tick is a whole number; the nearest rates are {near[0]:g} and {near[-1]:g} Hz")
    return config
