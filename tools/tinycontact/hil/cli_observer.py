# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg hil tune: tunes the momentum observer, the baseline of the contact estimator."""
from ..options import positive
from ..progress import progress
from . import evaluate, observer
from .episodes import episode
from .plant import plant_chain

PLANTS = ("hopper", "leg")
COLUMNS = ("rate_filter", "gain", "on", "off", "debounce_on", "debounce_off", "contact right [%]", "above floor [ms]",
           "p95 [ms]", "missed", "false")
EXPLAINED = {   # what the columns mean; metrics.py defines those of the result
    "rate_filter": "bandwidth of the filter of the joint rates [1/s]",
    "gain": "bandwidth of the observer [1/s]",
    "on": "normal force above which contact begins [N]",
    "off": "normal force below which contact ends [N]",
    "debounce_on": "ticks in a row above `on` that a begin takes",
    "debounce_off": "ticks in a row below `off` that an end takes",
    "contact right [%]": evaluate.EXPLAINED["contact_right"],
    "above floor [ms]": "mean delay of a touch-down, without the wait for the next sample and one tick of transport",
    "p95 [ms]": evaluate.EXPLAINED["delay_p95"],
    "missed": evaluate.EXPLAINED["missed"],
    "false": evaluate.EXPLAINED["false"],
}
TEXT = """The grid varies the filter of the rates and the gain of the observer [1/s],
thresholds [N] and debounce [ticks]. Episodes are of both plants, with seeds from 0 on. The
command prints the points with the fewest wrong ticks and the quickest points. A false touch-down
counts as 3 ms more delay, a missed one as 30 ms. The best point is the default in
tools/tinycontact/hil/observer.py and lib/estimator/tc_momentum.c.

example:
  tinycontact leg hil tune --episodes 3"""


def add(p):
    p.description = "Tune the momentum observer, the estimator's baseline, by a grid search."
    p.epilog = TEXT
    p.add_argument("--episodes", type=positive, default=3, metavar="N",
                   help="episodes of each plant (default 3)")
    p.add_argument("--seconds", type=positive, default=10,
                   help="length of each episode (default 10)")
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
    from ..report.measure import legend
    from ..report.page import text_table
    cases = [(plant_chain(plant).planar(), episode(plant, seed, float(options.seconds)))
             for plant in PLANTS for seed in range(options.episodes)]
    found = observer.tune(cases, lambda listed: progress(listed, "rate filters"))
    print("fewest wrong ticks")
    print(text_table(list(COLUMNS), [_row(one) for one in found[:5]]))
    print("\nquickest")
    print(text_table(list(COLUMNS), [_row(one) for one in sorted(found, key=_slowness)[:5]]))
    print("\n".join(legend(COLUMNS, EXPLAINED)))
