# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact hil-observer: tunes the momentum observer, the baseline of the contact estimator."""
import argparse

from ..options import positive
from ..progress import progress
from . import observer
from .episodes import episode
from .plant import plant_chain

PLANTS = ("hopper", "leg")
COLUMNS = ("rate_filter", "gain", "on", "off", "debounce_on", "debounce_off", "contact right [%]", "above floor [ms]",
           "p95 [ms]", "missed", "false")
TEXT = """Every point of a grid over episodes of both plants, seeds from 0 on: filter of the rates and gain of the observer [1/s],
thresholds [N], debounce [ticks]. Printed are those with the fewest wrong ticks and those that are quickest, a false
touch-down counted as 3 ms more and a missed one as 30 ms. What wins is in tools/tinycontact/hil/observer.py and
lib/estimator/tc_momentum.c."""


def add(commands):
    p = commands.add_parser("hil-observer", help="tune the momentum observer, the estimator's baseline", epilog=TEXT,
                            description="Tunes the momentum observer by a grid search.",
                            formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--episodes", type=positive, default=3, metavar="N", help="of each plant (default 3)")
    p.add_argument("--seconds", type=positive, default=10, help="of each episode (default 10)")
    p.set_defaults(run=run)


def _row(found):
    s, m = found
    return [f"{s.rate_filter:g}", f"{s.gain:g}", f"{s.on:g}", f"{s.off:g}", str(s.debounce_on), str(s.debounce_off),
            f"{100 * m['contact_right']:.2f}", f"{1e3 * m['delay_above']:.2f}", f"{1e3 * m['delay_p95']:.2f}",
            str(m["missed"]), str(m["false"])]


def _slowness(found):
    m = found[1]
    return m["delay_above"] + 0.003 * m["false"] + 0.03 * m["missed"]


def run(options):
    from ..report.page import text_table
    cases = [(plant_chain(plant).planar(), episode(plant, seed, float(options.seconds)))
             for plant in PLANTS for seed in range(options.episodes)]
    found = observer.tune(cases, lambda listed: progress(listed, "rate filters"))
    print("fewest wrong ticks")
    print(text_table(list(COLUMNS), [_row(one) for one in found[:5]]))
    print("\nquickest")
    print(text_table(list(COLUMNS), [_row(one) for one in sorted(found, key=_slowness)[:5]]))
