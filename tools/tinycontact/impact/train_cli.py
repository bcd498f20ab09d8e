# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact impact train and evaluate: the paper's learning tasks, and systems of one's own as such."""
import time

from .. import sweep
from ..errors import TinycontactError
from ..jsonfile import write_json
from ..options import between, count, positive
from ..progress import announced, say
from .identify_cli import Teller, line_of

TASKS = ("BP5-e", "BP5", "CP3-e", "CP3", "BD5", "Gyro-e", "Gyro")   # tasks.NAMES
GROUPS = ("coefficients", "errors", "sizes", "energies", "noise", "nets", "regularised", "net-sizes", "lcp", "BP5",
          "BD5")   # evaluate.GROUPS
TRAIN = """TASK is one of the paper's, BP5-e, BP5, CP3-e, CP3, BD5, Gyro-e, Gyro, or a file in the form of
docs/reference/scene-file.md with a field random. Its true system makes the data: from N random
starts a chunk of 5 states each, about half of them with an impact. Then mu, e, mass ratios and
gravity are learned from the chunks alone, and judged on 100 chunks and paths of other starts.

MODEL.json has task, chunks, noise, seed, seconds, unknown and not_determined as of identify, with
truth per unknown, and errors: the mean relative error over 5 and 50 steps with its 95 % interval.

With --potential net gravity and springs are unknown in form: constant forces on all links first, by
least squares on steps without contact; a net takes what they leave, if anything. MODEL.json then
has potential, units, ridge, left (greatest residual after forces, after the net), unknown with
value and truth, errors and files, but no intervals. LEARNED.json is the learned system, which
impact simulate takes; its net is LEARNED.tcm, a model file. CP3-spring, BP5-spring and Rope-10 are
systems whose potential is not linear.

examples:
  tinycontact impact train CP3 --chunks 25 -o cp3.json
  tinycontact impact train CP3-spring --potential net -o m.json --save-system learned.json
  tinycontact impact train BP5-e --chunks 100 --seed 4 -o bp5.json"""
EVALUATE = """Makes the paper's tables of learned friction, restitution, mass ratios, errors and energies again,
and prints each number beside the paper's. EVALUATION.csv has a row per number: table, task,
chunks, seed, what, ours, low, high, truth, paper, seconds (of a processor).

examples:
  tinycontact impact evaluate --quick -o evaluation.csv
  tinycontact impact evaluate --only nets BD5 -o part.csv
  tinycontact impact evaluate --seeds 10 -o evaluation.csv      (minutes)"""


def add_train(p):
    p.description = "Learn a system's friction, restitution, mass ratios and gravity from chunks of its motion."
    p.epilog = TRAIN
    p.add_argument("task", metavar="TASK", help="a task of the paper, or a file")
    p.add_argument("-o", "--output", metavar="MODEL.json", required=True)
    p.add_argument("--chunks", metavar="N", type=positive, default=100, help="number of chunks; default 100")
    p.add_argument("--noise", metavar="S", type=between(0, 1), default=0.0,
                   help="standard deviation of noise on coordinates and rates; default 0")
    p.add_argument("--seed", metavar="K", type=count, default=0, help="of data; default 0")
    p.add_argument("--potential", choices=("gravity", "net"), default="gravity",
                   help="what the forces without contact are: gravity of unknown size, or constant forces and a net;"
                   " default gravity")
    p.add_argument("--hidden", metavar="N", type=positive, default=16, help="units of the net; default 16")
    p.add_argument("--activation", choices=("softplus", "tanh"), default="softplus", help="of the net; default softplus")
    p.add_argument("--inputs", choices=("distances", "points"), default="distances",
                   help="of the net: distances of what springs or limits tie, if any, or places of links")
    p.add_argument("--no-linear", action="store_true", help="no constant forces before the net")
    p.add_argument("--save-system", metavar="LEARNED.json", help="write the learned system, and its net beside it")
    p.set_defaults(run=run_train)


def _scene(word):
    """(Scene, the words that errors begin with) of a task or of a file with random starts."""
    from . import systems, tasks
    from .simulate_cli import known_system
    known_system(word)
    if word in systems.NAMED:
        scene, where = tasks.scene_of(word), word
    else:
        scene, where = systems.load(word)
    if scene.ranges is None and word not in TASKS:
        raise TinycontactError(f"{where}: has no field random, which the starts of the data are drawn from")
    return scene, where


def _train_net(options):
    from . import evaluate, potential, potential_file, systems
    from ..jsonfile import read_json
    scene, where = _scene(options.task)
    settings = potential.Settings(options.hidden, options.activation, options.seed, options.no_linear)
    with announced("training"):
        found = evaluate.train_net(scene, options.chunks, options.seed, settings, options.inputs == "points", options.noise,
                                   Teller(), where)
        short, long = evaluate.judge_net(found, options.seed)
    learned, model = found.learned, found.learned.made.model
    unknown = [{"name": u.name, "kind": u.kind, "value": float(u.natural(x)), "truth": float(u.truth)}
               for u, x in zip(model.unknowns, learned.theta) if u.kind != "force"]
    units = 0 if learned.weights is None else len(learned.weights.b)
    files = []
    if options.save_system:
        value = systems.as_dict(options.task) if options.task in systems.NAMED else read_json(options.task)
        files = potential_file.save(options.save_system, value, learned, {"system": scene.name})
    write_json(options.output, {"task": options.task, "chunks": options.chunks, "noise": options.noise,
                                "seed": options.seed, "seconds": round(found.seconds, 3), "potential": "net",
                                "units": units, "ridge": learned.ridge,
                                "left": {"forces": learned.left[0], "net": learned.left[1]}, "unknown": unknown,
                                "errors": {"steps 5": _error(short), "steps 50": _error(long)}, "files": files})
    for u in unknown:
        print(f"{u['name']} {u['value']:.6g}, true {u['truth']:g}")
    by = f"a net of {units} units" if units else "constant forces alone"
    print(f"potential: {by}; without contact it leaves {learned.left[1]:.2g} of {learned.left[0]:.2g}")
    print(f"{options.output}: relative error over 5 steps {short[0]:.2g}, over 50 steps {long[0]:.2g};"
          f" learned in {found.seconds:.1f} s")


def _refuse_net_options(options):
    if options.save_system or options.no_linear or options.inputs != "distances":
        raise TinycontactError("--save-system, --no-linear and --inputs want --potential net")


def _model(word):
    from . import systems, tasks
    from .simulate_cli import known_system
    if word in TASKS:
        return tasks.task(word)
    known_system(word)
    scene, where = systems.load(word)
    if scene.ranges is None:
        raise TinycontactError(f"{where}: has no field random, which the starts of the data are drawn from")
    return tasks.model(scene, tasks.unknowns_in(scene), blank=True, where=where)


def run_train(options):
    from . import evaluate
    if options.potential == "net":
        _train_net(options)
        return
    _refuse_net_options(options)
    model, begun = _model(options.task), time.monotonic()
    with announced("training"):
        found = evaluate.train(options.task, options.chunks, options.seed, options.noise, model, tell=Teller())
        short, long = evaluate.judge(found, options.seed)
    unknown = []
    for u, of in zip(found.determined, model.unknowns):
        high = float(u.high) if u.high != float("inf") else None
        unknown.append({"name": u.name, "kind": u.kind, "value": u.value, "interval": [float(u.low), high],
                        "determined": u.determined, "note": u.note, "truth": float(of.truth)})
    write_json(options.output, {"task": options.task, "chunks": options.chunks, "noise": options.noise,
                                "seed": options.seed, "seconds": round(found.seconds, 3), "unknown": unknown,
                                "not_determined": [u.name for u in found.determined if not u.determined],
                                "errors": {"steps 5": _error(short), "steps 50": _error(long)}})
    for u, of in zip(found.determined, model.unknowns):
        print(f"{line_of(u)}, true {of.truth:g}")
    print(f"{options.output}: relative error over 5 steps {short[0]:.2g}, over 50 steps {long[0]:.2g};"
          f" learned in {found.seconds:.1f} s, all in {time.monotonic() - begun:.0f} s")


def _error(found):
    return {"mean": found[0], "interval": list(found[1])}


def add_evaluate(p):
    p.description = "Judge learning on the paper's tasks, beside the paper's numbers."
    p.epilog = EVALUATE
    p.add_argument("-o", "--output", metavar="EVALUATION.csv", required=True)
    p.add_argument("--seeds", metavar="N", type=positive, default=3, help="data sets of each task; default 3")
    p.add_argument("--only", metavar="GROUP", nargs="+", default=[], choices=GROUPS,
                   help=f"these rows alone, of {', '.join(GROUPS)}")
    p.add_argument("--quick", action="store_true", help="a sample that takes seconds")
    sweep.add_options(p)
    p.set_defaults(run=run_evaluate)


def run_evaluate(options):
    from . import evaluate
    tasks = evaluate.tasks_of(options.seeds, options.quick, options.only)
    parts = sweep.of(options).run(evaluate.rows_of, tasks, "tables", lambda task: f"{task[0]} {task[1]}")
    rows = [row for part in parts for row in part]
    print("\n".join(map(evaluate.line_of, rows)))
    evaluate.write(options.output, rows)
    say(f"{options.output}: {len(rows)} rows")
