# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Files in, files out: the states of a CSV through one step, the throws of a JSON list until they rest.

An input is read whole and checked before anything is computed; an output is written whole when everything is.
"""
import numpy as np

from .contact import CLASSES, FLAGS, ContactModel
from .csvfile import read_columns, write_columns
from .errors import TinycontactError
from .jsonfile import read_records, write_json
from .progress import progress
from .sim import shapes

STATE = ("y", "theta", "vx", "vy", "omega")
PATCH = {"": -1.0, "0": 0.0, "1": 1.0, "0.0": 0.0, "1.0": 1.0, "point": 0.0, "edge": 1.0}
REPLAY_HEADER = ("class", "prob_static", "prob_dynamic", "prob_detach", "p_friction", "p_normal", "p_torque",
                 "vx2", "vy2", "omega2")
THROW = ("y0", "theta0_deg", "vx0", "omega0")
BLOCK = 10000   # states between two words of progress
BUILTIN = ("rectangle", "pentagon", "capsule")
LARGEST = float(np.finfo(np.float32).max)


def load_shape(path):
    """The Body of a file, or a built-in one by its name."""
    return shapes.builtin(path) if path in BUILTIN else shapes.load(path)


TOLD = {"out_of_range": "outside the range the model was trained on",
        "overruled": "with a class that could not be and was overruled",
        "fallback": "without a certified answer: an inelastic stop, or no push-out, instead"}


def _notes(counts, total, of):
    """What the user should know: counts [len(FLAGS)] among `total` states or steps; of(name): where they were."""
    some = [(name, text, counts[FLAGS.index(name)]) for name, text in TOLD.items()]
    return [f"{count} of {total} {of(name)}: {text}" for name, text, count in some if count]


def _checked(values, names, where):
    """Refuses numbers that float32 cannot hold, and heights (the first column) not above the floor;
    where(row, name) begins the message."""
    large = np.argwhere(np.abs(values) > LARGEST)
    if len(large):
        row, k = large[0]
        raise TinycontactError(f"{where(row, names[k])}: is {values[row, k]:g}, too large")
    below = np.flatnonzero(values[:, 0] <= 0)
    if len(below):
        raise TinycontactError(f"{where(below[0], names[0])}: the centre of mass is at {values[below[0], 0]:g} m, not"
                               " above the floor")


def replay_file(model_path, shape_path, states_path, output):
    """`tinycontact body replay`: (number of rows, notes)."""
    model = ContactModel(model_path, load_shape(shape_path))
    table = read_columns(states_path, STATE, ("patch",), {"patch": PATCH})
    states = table.stacked(STATE)
    _checked(states, STATE, table.where)
    patch = table["patch"] if "patch" in table else np.full(len(table), -1.0)
    starts = range(0, max(len(table), 1), BLOCK)
    rows = np.concatenate([model.replay(states[start:start + BLOCK], patch[start:start + BLOCK],
                                        lambda row, start=start: table.where(start + row))
                           for _, start in progress(starts, "10,000 states")])
    numbers = [*rows["probability"].T, rows["friction"], rows["normal"], rows["torque"], *rows["velocity"].T]
    write_columns(output, REPLAY_HEADER, [[CLASSES[k] for k in rows["branch"]],
                                          *(column.astype(np.float32) for column in numbers)])
    flags = rows["flags"][:, None] >> np.arange(len(FLAGS), dtype=np.uint32) & 1
    return len(rows), _notes(flags.sum(axis=0), len(rows), lambda name: "states")


def read_throws(path):
    """Rows of y0 [m], theta0 [deg], vx0 [m/s], omega0 [rad/s]."""
    throws = read_records(path, THROW, "throws")
    _checked(throws, THROW, lambda row, name: f"{path}, entry {row}, field {name}")
    return throws


def throw_file(model_path, shape_path, throws_path, output, positions):
    """`tinycontact body throw`: (number of throws, notes)."""
    player = ContactModel(model_path, load_shape(shape_path)).player(positions)
    throws = read_throws(throws_path)
    done = player.results(throws, lambda index: f"{throws_path}, entry {index}")
    write_json(output, [{"bounces": int(done.bounces[k]), "distance": float(done.distance[k]),
                         "final_theta_deg": float(np.degrees(done.angle[k])), "at_rest": bool(done.at_rest[k]),
                         "steps": int(done.steps[k])} for k in range(len(throws))])
    met = (player.noted > 0).sum(axis=0)
    return len(throws), _notes(player.noted.sum(axis=0), int(done.steps.sum()),
                               lambda name: f"steps, in {met[FLAGS.index(name)]} of {len(throws)} throws")
