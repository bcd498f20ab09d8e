# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg tune: tunes the contact estimator's configuration on a leg's own logs."""
import argparse
from dataclasses import replace

from ..errors import TinycontactError
from ..progress import announced, progress, say
from .config_options import add_config

TEXT = """The logs have a column `contact`, 1 while the foot touches the floor: from a force plate, a
camera, a switch in the foot or a simulation. The other columns are those of
`tinycontact leg estimate`.

Of three logs or more, every third one is held back; else the last third of each. A dozen
numbers that matter are varied on the rest. The table shows the held-back part before and after.
If it is not better after, nothing is written.

examples:
  tinycontact leg tune --chain leg.json --log walk.csv -o config.json
  tinycontact leg tune --chain leg.json --log a.csv --log b.csv --log c.csv \\
    --config config.json -o tuned.json

The logs are checked for mistakes first, as leg estimate does it. A log with a likely mistake is
refused with the option that mends it.

Without a column `contact` nothing can be tuned: how often the estimator is wrong is not known.
The command then prints what the logs show without it: rate, encoders and the torques' noise,
for `tinycontact leg configure`.

exit status:
  0  the held-back part became better, and the configuration is written
  1  it did not, or there is no truth; nothing is written
  2  a file or an option is wrong"""


class NotBetter(TinycontactError):
    """The held-back part did not become better."""
    exit_status = 1


def add(p):
    p.description = "Tune the contact estimator's configuration on your own logs."
    p.epilog = TEXT
    p.add_argument("--chain", metavar="C.json", required=True, help="the leg")
    p.add_argument("--log", metavar="LOG.csv", action="append", required=True, dest="logs",
                   help="a log with a column contact; may be given several times")
    p.add_argument("--columns", action="append", metavar="ROLE=COLUMN,...",
                   help="the logs' columns, where they are named otherwise, as for leg estimate; may be given several"
                   " times")
    p.add_argument("--torque-constant", type=_numbers, metavar="NM_PER_A",
                   help="of logs with currents: N m/A, one for all joints or one each, with commas")
    p.add_argument("--gear", type=_numbers, metavar="RATIO", help="of logs with currents: gear ratios, one or one each")
    p.add_argument("--no-check", action="store_true", help="do not look for mistakes in the logs")
    add_config(p, "the logs'")
    p.add_argument("-o", "--output", metavar="CONFIG.json", help="the file to write")
    p.set_defaults(run=run)


def _numbers(word):
    try:
        return [float(one) for one in word.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is no number, nor several with commas between them") from None


def read_logs(options, chain, rate):
    """[[Part]] of the logs, and the first Log; parts know `contact`, or have None there."""
    from ..leglog.read import read
    from ..leglog.segments import segments
    found, first = [], None
    for path in options.logs:
        log = read(path, options.columns)
        parts, notes = segments(chain, log, rate, options.torque_constant, options.gear)
        for note in notes:
            say(note if note.startswith(path) else f"{path}: {note}")
        if not options.no_check:
            _refuse_mistakes(chain, log, parts)
        first = first or log
        found.append(parts)
    return found, first


def _refuse_mistakes(chain, log, parts):
    """Raises what is likely wrong with a log: an estimator tuned on it would learn the mistake."""
    from ..leglog import check
    with announced(f"looking for mistakes in {log.path}"):
        examined = check.examine(chain, log, parts)
    if examined.findings:
        told = "\n".join(f"  {finding.words()}" for finding in examined.findings)
        option = check.whole(examined.findings, log)
        option = f"\nAll options together: {option}" if option else ""
        raise TinycontactError(f"{log.path}: nothing is tuned on a log with likely mistakes:\n{told}{option}\nMend them,"
                               " or tune with --no-check")
    say(f"{log.path}: {examined.words()}")


def _config(options, chain, tick, log):
    """The Configuration to begin with: rate and encoders are the logs', where no file says otherwise."""
    from ..leglog.estimate import encoder_bits
    from .configuration import Configuration, load
    config = load(options.config) if options.config else Configuration()
    config = config.with_bits(encoder_bits(log, chain.planar().slides))
    return replace(config, rate=float(f"{1 / tick:.6g}")).check(chain, options.config or "the configuration")


def run(options):
    from . import tune
    from .chain_file import load_chain
    from .config_options import chosen_config
    chain = load_chain(options.chain)
    asked = chosen_config(options)
    logs, first = read_logs(options, chain, asked.rate if options.config or options.rate else None)
    tick = logs[0][0].tick
    if any(abs(part.tick - tick) > 1e-3 * tick for parts in logs for part in parts):
        raise TinycontactError("the logs have different rates: --rate puts them on one")
    config = _config(options, chain, tick, first)
    if any(part.contact is None for parts in logs for part in parts):
        raise _no_truth(options, config, logs)
    found = tune.tune(chain, config, [[tune.part_of(part) for part in parts] for parts in logs],
                      lambda names: (name for _, name in progress(names, "trying numbers")))
    _tell(options, found)


def _no_truth(options, config, logs):
    from . import tune
    noise = ", ".join(f"{one:.2g}" for one in tune.torque_noise([part for parts in logs for part in parts]))
    bits = ", ".join(f"{one.get('bits', 16):g}" for one in config.sensors.encoder)
    return NotBetter(f"{options.logs[0]}: no column contact, so how often the estimator is wrong is not known, and"
                     f" nothing can be tuned. The logs show without it: {config.rate:g} Hz, encoders of {bits} bits,"
                     f" torque noise of {noise} N m (hip first); tinycontact leg configure --rate --encoder-bits"
                     " --torque-noise takes them")


def _words(name, value):
    from .evaluate import words
    return words("contact_right", value) if name == "cost" else words(name, value)


NAMED = {"cost": "wrong, as tuned on", "contact_right": "contact right", "missed": "touch-downs missed",
         "false": "touch-downs false", "delay_mean": "touch-down known after", "lift_off": "lift-off known after"}


def _tell(options, found):
    from ..report.page import text_table
    def said(value):
        return ", ".join(f"{one:.3g}" for one in value) if isinstance(value, list) else f"{value:.3g}"
    print(f"held back: {found.held:.3g} s with {found.touch_downs} touch-downs; {found.trials} settings were tried on"
          " the rest")
    print(text_table(["of the held-back part", "before", "after"],
                     [[text, _words(name, found.before[name]), _words(name, found.after[name])]
                      for name, text in NAMED.items()]))
    if not found.better:
        raise NotBetter("the held-back part did not become better: nothing is written, the configuration stays as it"
                        " was")
    print(text_table(["number", "before", "after"], [[name, said(before), said(after)]
                                                     for name, (before, after) in found.changed.items()]))
    if options.output:
        note = (f"tuned on {', '.join(options.logs)}: of {found.held:.3g} s held back"
                f" {100 * found.before['cost']:.2f} % were wrong before, {100 * found.after['cost']:.2f} % after")
        replace(found.config, notes=(*found.config.notes, note)).write(options.output)
        say(f"{options.output}: for --config of leg estimate, leg export and leg hil run")
