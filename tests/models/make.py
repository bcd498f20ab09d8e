# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Makes the trained models of this folder and recorded.csv, what they were worth on fresh states.

    build/venv/bin/python tests/models/make.py            train, judge, record (a quarter of an hour)
    build/venv/bin/python tests/models/make.py --record   judge and record what is there

Needs `make setup GROUPS=train`. tests/python/test_learn_models.py judges the models again on the same states:
planar ones labelled by exact Coulomb friction, which DART's labels were seen to equal, those of the box by DART's
exact cone. evaluate.py measures the rest.
"""
import argparse
import contextlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools"))

from tinycontact import cli, load              # noqa: E402
from tinycontact.learn import evaluate, law, sample   # noqa: E402
from tinycontact.model import write_whole      # noqa: E402
from tinycontact.sim import coulomb, shapes    # noqa: E402
from tinycontact.spatial import judge          # noqa: E402
from tinycontact.spatial import law as spatial_law, sample as spatial_sample   # noqa: E402

TRAIN = ["body", "train", "--shape"]
MODELS = {"rectangle": [*TRAIN, "rectangle"], "pentagon": [*TRAIN, "pentagon"],
          "rectangle_i8": [*TRAIN, "rectangle", "--weights", "i8-act"],
          "pentagon_i8": [*TRAIN, "pentagon", "--weights", "i8-act"],
          "rectangle_large": [*TRAIN, "rectangle", "--size", "32-32-16"],
          "pentagon_large": [*TRAIN, "pentagon", "--size", "32-32-16"],
          "link": [*TRAIN, "link.json"], "box": [*TRAIN, "box"]}
SYSTEMS = {name: ["cdl", "train", "--protocol", name] for name in ("ball", "cradle")}   # judged by tests/cdl
FEET = {"foot": ["leg", "hil", "train"]}   # judged by tests/hil
STATES, SEED = 4000, 20261118   # of the fresh states, used for nothing else
BOX_STATES = {"point": 4000, "edge": 1000, "face": 100}
COLUMNS = ("accuracy", "friction_rms", "friction_small", "ece")


def judged_box():
    """{patch: scores} of the box, by DART."""
    own = spatial_law.PointLaw(load(HERE / "box.tcm"))
    states = {patch: spatial_sample.labelled(d, *spatial_sample.fresh(d, count, SEED))
              for d, (patch, count) in enumerate(BOX_STATES.items())}
    return {patch: judge.scores(some, own) for patch, some in states.items()}


def judged(name):
    """{patch: scores} of a model of this folder on its fresh states, by exact Coulomb friction."""
    if name == "box":
        return judged_box()
    body = shapes.load(HERE / "shapes" / "link.json") if name == "link" else shapes.builtin(name.split("_")[0])
    truth, own = sample.Coulomb(coulomb.constant(body.mu)), law.NetLaw(load(HERE / f"{name}.tcm"))
    states = {patch: truth.label(body, *sample.fresh(body, d, STATES, SEED))
              for d, patch in enumerate(("point", "edge"))}
    return {patch: evaluate.evaluate_states(own, some, body.mass) for patch, some in states.items()}


def record():
    rows = ["model,patch," + ",".join(COLUMNS)]
    for name in MODELS:
        for patch, scores in judged(name).items():
            told = (f"{scores[column]:.6f}" if column in scores else "" for column in COLUMNS)
            rows.append(",".join([name, patch, *told]))
    write_whole(HERE / "recorded.csv", ("\n".join(rows) + "\n").encode())
    print("\n".join(rows))


def main():
    parser = argparse.ArgumentParser(description="Train and record the models of tests/models.")
    parser.add_argument("--record", action="store_true", help="do not train")
    if not parser.parse_args().record:
        for name, words in (MODELS | SYSTEMS | FEET).items():
            with contextlib.chdir(HERE / "shapes"):   # so that a file's metadata names its shape without a folder
                if cli.main([*words, "--out", str(HERE / f"{name}.tcm")]):
                    return 2
    record()
    return 0


if __name__ == "__main__":
    sys.exit(main())
