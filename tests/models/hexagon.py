#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A hexagon that was logged in another simulator: 30 throws of MuJoCo with 0.3 mm of noise, learned from by the
command a user would type, judged on 60 fresh throws of MuJoCo with the same noise. `make hexagon` writes
tests/models/hexagon.csv; --quick logs 10 throws, judges on 10, trains briefly and writes nothing.

Angles have the noise of two markers at opposite corners. The truth: mu 0.6, contacts with a time constant of 4 ms.
"""
import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from tinycontact import cli   # noqa: E402
from tinycontact.csvfile import write_columns   # noqa: E402
from tinycontact.learn import judge, logs   # noqa: E402
from tinycontact.peers import foreign   # noqa: E402
from tinycontact.sim import shapes, throws   # noqa: E402

REACH, MASS, STEP, MU = 0.1, 0.8, 0.002, 0.6
NOISE = 3e-4                                             # [m]
DEVIATIONS = np.array([NOISE, NOISE, NOISE / REACH])
SEEDS = {"log": 101, "fresh": 303}
COLUMNS = ("contact_model", "throws", "final_median_mm", "final_mean_mm", "path_mm", "same_face_percent", "verdict")


def hexagon(**fields):
    corner = np.arange(6) * np.pi / 3
    vertices = REACH * np.stack([np.cos(corner), np.sin(corner)], axis=1)
    return shapes.body({"vertices": vertices.tolist(), "mass": MASS, "h": STEP, **fields}, "hexagon", "hexagon")


def write_log(path, body, count, seed):
    rng = np.random.default_rng(seed)
    parts = [np.column_stack([np.full(len(poses), k), body.h * np.arange(len(poses)),
                              poses + DEVIATIONS * rng.standard_normal(poses.shape)])
             for k, poses in enumerate(foreign.paths(body, throws.random_rows(count, seed), MU))]
    write_columns(path, ("throw", "t", "x", "y", "theta"), np.concatenate(parts).T)


def row(name, scores, verdict=""):
    return (name, scores["throws"], *(f"{1e3 * scores[key]:.1f}" for key in ("final_median_m", "final_m", "path_m")),
            f"{100 * scores['same_face']:.0f}", verdict)


def run(folder, counts, more):
    """The rows of the table, and the verdict that the training gave."""
    body = hexagon()
    os.chdir(folder)
    Path("hexagon.json").write_text(body.to_json(), encoding="utf-8")
    for name, count in counts.items():
        write_log(f"{name}.csv", body, count, SEEDS[name])
    if cli.main(["body", "train", "--shape", "hexagon.json", "--log", "log.csv", "--out", "hexagon.tcm", *more]):
        raise SystemExit("the training failed")
    if cli.main(["body", "evaluate", "--model", "hexagon.tcm", "--shape", "hexagon.json", "--log", "fresh.csv",
                 "-o", "scores.json"]):
        raise SystemExit("the evaluation failed")
    told = json.loads(Path("scores.json").read_text(encoding="utf-8"))
    from tinycontact.model import load
    trained = load("hexagon.tcm").metadata["verdict"]
    (_, learned), (fitted, coulomb) = told["scores"].items()
    given = hexagon(mu=MU)
    start = judge.starts(given, logs.read("fresh.csv", given).seen)
    return [row("learned from the log", learned, told["verdict"]), row(f"fitted {fitted}", coulomb),
            row("Coulomb of the truth's mu without restitution", judge.scores(given, "dart", MU, start)),
            ("verdict of the training on throws held back", counts["log"] // logs.HELD_BACK, "", "", "", "", trained)]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--quick", action="store_true")
    quick = p.parse_args().quick
    counts = {"log": 10, "fresh": 10} if quick else {"log": 30, "fresh": 60}
    with tempfile.TemporaryDirectory() as folder:
        rows = run(folder, counts, ["--updates", "300"] if quick else [])
    print("\n".join(",".join(map(str, one)) for one in (COLUMNS, *rows)))
    if not quick:
        write_columns(ROOT / "tests" / "models" / "hexagon.csv", COLUMNS, list(zip(*[map(str, one) for one in rows])))


if __name__ == "__main__":
    main()
