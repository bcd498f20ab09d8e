#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Two moving boxes with the contact model of one box on the floor (box.tcm): `make collide` writes collide.csv by the
command a user would type, 1,000 throws a pair of boxes. --count and --out make smaller ones.

A row per pair of boxes, contact model and kind of contact; the columns are those of `tinycontact body collide --help`.
Floors: the class is that of exact Coulomb friction in 99 % of the solves of a pair; a solve keeps momentum to 1e-6 of
its terms (float32) and creates no more than 1e-6 of the kinetic energy. The exit status is 1 if one is missed.
"""
import argparse
import csv
import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from tinycontact import cli   # noqa: E402

BOX, CUBE, PLATE, SMALL = (0.2, 0.15, 0.1), (0.12, 0.12, 0.12), (0.3, 0.3, 0.04), (0.1, 0.075, 0.05)
PAIRS = ((BOX, BOX, 1, 1), (BOX, BOX, 1, 10), (BOX, BOX, 1, 100), (BOX, SMALL, 1, 0.125), (BOX, CUBE, 1, 1),
         (PLATE, BOX, 1, 1))
KINDS = ("point", "edge", "face", "all")
NUMBERS = ("solves", "pressing", "same_class", "same_class_pressing", "impulse_median", "impulse_p95", "impulse_most",
           "dart", "dart_median", "dart_p95", "momentum", "angular_momentum", "energy_gain", "outside_range")
COLUMNS = ("sides_a", "sides_b", "mass_a", "mass_b", "model", "throws", "met", "failed", "kind", *NUMBERS)
SAME, ROUNDING = 0.99, 1e-6
SEED = 20261120


def measured(pair, model, count, folder):
    a, b, mass = (",".join(map(str, part)) for part in (pair[0], pair[1], pair[2:]))
    out = Path(folder) / "collide.json"
    words = ["body", "collide", "--sides-a", a, "--sides-b", b, "--mass", mass, "--count", count, "--seed", SEED,
             "--dart", min(count, 300), "-o", out]
    words += ["--model", ROOT / "tests" / "models" / "box.tcm"] if model else []
    if cli.main([str(word) for word in words]):
        raise SystemExit("collide was refused")
    return json.loads(out.read_text(encoding="utf-8"))


def _cell(value):
    return "" if value is None else value if isinstance(value, int) else f"{value:.4g}"


def rows_of(pair, found):
    a, b, *mass = pair
    sides = ("x".join(map(str, side)) for side in (a, b))
    shared = (*sides, *mass, found["model"], found["throws"], found["met"], found["failed"])
    for kind in KINDS:
        yield (*shared, kind, *(_cell(found[kind][name]) for name in NUMBERS))


def missed(found):
    """Whether a pair misses a floor."""
    n = found["all"]
    return (found["failed"] > 0 or n["same_class"] < SAME or max(n["momentum"], n["angular_momentum"]) > ROUNDING
            or n["energy_gain"] > ROUNDING)


def main():
    p = argparse.ArgumentParser(description=__doc__.split(":")[0])
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--out", default=str(ROOT / "tests" / "models" / "collide.csv"))
    options, wrong = p.parse_args(), 0
    with tempfile.TemporaryDirectory() as folder, open(options.out, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for pair in PAIRS:
            for model in (True, False):
                found = measured(pair, model, options.count, folder)
                wrong += missed(found)
                writer.writerows(rows_of(pair, found))
    total = 2 * len(PAIRS)
    print(f"{total - wrong} passed, {wrong} failed")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
