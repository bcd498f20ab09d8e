# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact leg hil train: a contact model of a leg's foot, for the estimator."""
import platform
import time

import numpy as np

from ..errors import TinycontactError
from ..format import CORE_TILES
from ..learn.fit import SIZES, Recipe, frameworks
from ..options import count, positive
from ..progress import Teller, progress, say_trained
from .plant import plant_chain

PLANTS, LAWS = ("hopper", "leg"), ("stiff", "spring500")
CHECKED = 2   # episodes of each plant that are judged and not learned from
TEXT = """The nets learn from simulated episodes of 20 s: whether the foot sticks, slips or is
open, and its friction ratio while it slips. Their inputs are the estimator's in each tick, with
all errors of its sensors (tools/tinycontact/hil/learn.py). The model serves every leg with such
a last link.

Seeds 0 to 99 are for tuning. The default seeds differ from those of
`tinycontact leg hil evaluate --seed 0`.

examples:
  tinycontact leg hil train --out foot.tcm
  tinycontact leg hil train --plant leg --chain mine.json --out mine.tcm"""


def add(p):
    p.description = "Learn a contact model of a leg's foot from simulated episodes."
    p.epilog = TEXT
    p.add_argument("--out", "-o", metavar="M.tcm", required=True, help="the model file to write")
    p.add_argument("--plant", nargs="+", choices=PLANTS, default=list(PLANTS),
                   help="plants whose episodes are simulated (default both)")
    p.add_argument("--chain", metavar="C.json",
                   help="the leg, with exactly one --plant (default: the plant's, in"
                   " tests/hil/chains)")
    p.add_argument("--law", nargs="+", choices=LAWS, default=list(LAWS),
                   help="stiffness of the floor; several take turns (default both)")
    p.add_argument("--episodes", type=positive, default=12, metavar="N",
                   help="episodes of each plant (default 12)")
    p.add_argument("--seed", type=count, default=50, metavar="N", help="first seed (default 50)")
    p.add_argument("--size", choices=tuple(SIZES), default="16-16", help="hidden layers of each net (default 16-16)")
    p.add_argument("--weights", choices=("f32", "i8", "i8-act"), default="f32",
                   help="f32: float32; i8: int8 weights; i8-act: int8 weights and activations"
                   " (default f32)")
    p.add_argument("--updates", type=positive, default=10000, metavar="N",
                   help="training updates of each net (default 10000)")
    p.add_argument("--core", choices=tuple(CORE_TILES), default="cortex-m4",
                   help="core whose kernels the weights are arranged for (default cortex-m4, which"
                   " serves M7 too)")
    p.set_defaults(run=run_train)


def _items(options, first, episodes):
    """[(plant, seed, law)]"""
    return [(plant, first + k, options.law[k % len(options.law)]) for plant in options.plant for k in range(episodes)]


def _command(options):
    words = ["tinycontact leg hil train", "--plant", *options.plant, "--law", *options.law]
    words += [f"--episodes {options.episodes} --seed {options.seed} --size {options.size} --weights {options.weights}"]
    return " ".join(words + [f"--updates {options.updates}"])


def run_train(options):
    from . import learn
    if options.chain and len(options.plant) != 1:
        raise TinycontactError("--chain: name the one --plant that it is the leg of")
    chain = plant_chain(options.plant[0], options.chain)
    jax, _, _ = frameworks()   # after the files were read, before anything takes time
    start = time.monotonic()
    states, fresh = (learn.gathered(_items(options, first, episodes), options.chain,
                                    lambda listed, what=what: progress(listed, f"episodes {what}"))
                     for what, first, episodes in (("to learn from", options.seed, options.episodes),
                                                   ("to judge by", options.seed + options.episodes, CHECKED)))
    metadata = {"command": _command(options), "ticks": len(states),
                "versions": {"jax": jax.__version__, "numpy": np.__version__, "python": platform.python_version()}}
    model = learn.foot_model(chain, states,
                             Recipe(SIZES[options.size], options.updates), options.weights, metadata, Teller())
    model.metadata["numbers"] = numbers = learn.scores(model, fresh)
    model.save(options.out, options.core)
    print(f"on {numbers['ticks']} other ticks: {100 * numbers['accuracy']:.2f} % of classes right, expected calibration error"
          f" of sticking {100 * numbers['ece']:.2f} %, friction wrong by {numbers['ratio_rms']:.3f} (RMS) where it is spread"
          f" by {numbers['ratio_spread']:.3f}")
    say_trained(options.out, start)
