# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The tables of tests/robots/README.md, from tests/robots/evaluation.csv.

    python -m tinycontact.robots.page tests/robots/evaluation.csv tests/robots/README.md
"""
import csv
import re
import sys
from pathlib import Path

from .evaluate import BY_NAME
from .estimators import NAMES

PLACE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.S)
ESTIMATORS = tuple(name for name in NAMES if name != "oracle")
OTHERS = tuple(name for name in ESTIMATORS if name != "bank")


def read(path):
    """{(estimator, condition): {metric: number}}"""
    with open(path, newline="", encoding="utf-8") as file:
        return {(row.pop("estimator"), row.pop("condition")): {name: float(value) for name, value in row.items()}
                for row in csv.DictReader(file)}


def _table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def _conditions(found):
    return [name for name in [*BY_NAME, "all"] if ("oracle", name) in found]


def bank(found):
    rows = []
    for name in _conditions(found):
        if ("bank", name) not in found:
            continue
        n = found["bank", name]
        found_onsets = f"{100 * n['onset_found']:.0f}, {100 * n['onset_prompt']:.0f} % of {n['onsets']:.0f}"
        onsets = found_onsets if n["onsets"] else "-"
        rows.append([
            name, f"{100 * n['right']:.2f} / {100 * n['right_oracle']:.2f}",
            f"{1e3 * n['delay']:.2f} / {1e3 * n['delay_floor']:.2f}, {1e3 * n['delay_p95']:.2f}",
            f"{n['missed']:.0f} of {n['touch_downs']:.0f}, {n['false']:.0f} in {n['air']:.0f} s",
            f"{100 * n['kinds']:.2f} / {100 * n['kinds_oracle']:.2f}", f"{100 * n['stick_as_slip']:.2f}", onsets,
            f"{100 * n['impulse']:.1f}", f"{1e3 * n['base_median']:.0f}, {1e3 * n['base']:.0f}",
            f"{1e3 * n['ahead']:.1f}, {1e3 * n['ahead_p90']:.1f}"
        ])
    return _table(("condition", "right / oracle [%]", "delay / floor, 95 % [ms]", "missed, false", "kinds / oracle [%]",
                   "stick as slip [%]", "slips found, in 5 ms", "impulse [%]", "base: median, rms [mm/s]",
                   "foreseen 20 ms ahead: median, 90 % [ms]"), rows)


def baselines(found):
    shown = [name for name in ESTIMATORS if (name, "all") in found]
    rows = []
    for condition in _conditions(found):
        cells = []
        for name in shown:
            n = found[name, condition]
            cells.append(f"{100 * n['right']:.2f}, {1e3 * n['delay']:.2f}, {n['missed']:.0f}, {n['false']:.0f}")
        rows.append([condition, f"{found['oracle', condition]['air']:.0f}", *cells])
    return _table(("right [%], delay [ms], missed, false", "air [s]", *shown), rows)


TABLES = {"bank": bank, "baselines": baselines}


def rendered(text, found):
    return PLACE.sub(lambda match: match[1] + TABLES[match[2]](found) + match[3], text)


def main(source, page):
    path = Path(page)
    path.write_text(rendered(path.read_text(encoding="utf-8"), read(source)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
