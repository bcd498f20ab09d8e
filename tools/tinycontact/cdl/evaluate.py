# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Every method on every system, seed by seed: the numbers of tests/cdl/evaluation.csv.

A row is one roll-out: system, method, training data, what it was tested on, seed, RMSE (learn.data). The study chose
on seeds 0-9; 10-29 are reported. A group (system, method) is trained with all its seeds at once and replaces
its rows in the file, the others stay.

    data   protocol   the paper's one noisy run
           varied     520 points from starts of 2-10 m (learn.starts)
    test   protocol   the exact start of the protocol
           fresh      the median over 50 fresh starts of 2-10 m
"""
import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..csvfile import write_columns
from ..errors import TinycontactError
from .learn import baselines, data, starts, train

HEADER = ("system", "method", "data", "test", "seed", "rmse")
REPORTED, CHOOSING = range(10, 30), range(10)
SYSTEMS = tuple(data.PROTOCOLS)
ACTIVE = tuple(name for name in SYSTEMS if name != "cradle_public")


@dataclass(frozen=True)
class Method:
    """`settings` of learn.train, or a Peer; the systems it is shown on; how many seeds are trained at once."""

    settings: object
    systems: tuple
    together: int = 20


def _peer(touch, training):
    return baselines.Peer(touch, training)


METHODS = {
    "CDL": Method(train.Settings(), SYSTEMS),
    "CDL 16 units": Method(train.Settings(hidden=16), ACTIVE),
    "CDL tanh": Method(train.Settings(activation="tanh"), ACTIVE),
    "CDL 500 tanh": Method(train.Settings(hidden=500, activation="tanh"), ACTIVE, 4),   # Gigabytes of Jacobians
    "CDL no touch": Method(train.Settings(touch=False), ("ball", "ball7", "cradle")),
    "VIN-VV": Method(train.Settings(verlet=True), ("pendulum",)),
    **{f"ResNet by {word}": Method(_peer(False, word), ACTIVE) for word in baselines.TRAININGS},
    **{f"ResNetContact by {word}": Method(_peer(True, word), ("ball", "ball7", "cradle"))
       for word in baselines.TRAININGS},
}
VARIED = "CDL varied starts"   # not of a protocol's data: see varied_rows
DEFAULT = ("CDL", "CDL 16 units", "CDL no touch", "VIN-VV", *(name for name in METHODS if name.startswith("ResNet")),
           VARIED)


def fitted(method, protocol, seeds, tell=lambda share: None):
    """What a method learns from the protocol's data, one network per seed."""
    logged = data.protocol_data(protocol, seeds)
    if isinstance(method.settings, baselines.Peer):
        return baselines.train(logged, seeds, method.settings, tell)
    return train.train(logged, seeds, method.settings, tell)


def rollout(trained, begin, steps):
    """States [S, R, steps + 1, 2D] of a network or a peer."""
    rolled = trained.rollout(begin, steps)
    return rolled[0] if isinstance(rolled, tuple) else rolled


def scores(states, clean):
    """RMSE [..]; a roll-out that leaves all bounds counts as baselines.LOST."""
    with np.errstate(over="ignore", invalid="ignore"):
        off = data.rmse(states, clean)
    return np.minimum(np.nan_to_num(off, nan=baselines.LOST, posinf=baselines.LOST), baselines.LOST)


def protocol_rows(system, name, seeds, tell=lambda share: None):
    """The rows of a method on a system's protocol."""
    protocol, method, rows = data.PROTOCOLS[system], METHODS[name], []
    clean, _ = data.truth(protocol, protocol.steps)
    for first in range(0, len(seeds), method.together):
        some = seeds[first:first + method.together]
        trained = fitted(method, protocol, some, tell)
        off = scores(rollout(trained, clean[:1], protocol.steps)[:, 0], clean)
        rows += [(system, name, "protocol", "protocol", seed, value) for seed, value in zip(some, off)]
    return rows


def varied_rows(seeds, tell=lambda share: None):
    """Trained on varied starts, and on the paper's one run, judged on both tests."""
    protocol = data.PROTOCOLS["ball"]
    clean = np.concatenate([data.truth(protocol, protocol.steps)[0][None], starts.fresh()])
    rows = []
    for source, logged in (("varied", starts.varied(seeds)), ("protocol", data.protocol_data(protocol, seeds))):
        trained = train.train(logged, seeds, tell=tell)
        off = scores(trained.rollout(clean[:, 0], protocol.steps)[0], clean)
        tests = (("protocol", off[:, 0]), ("fresh", np.median(off[:, 1:], axis=1)))
        rows += [("ball", VARIED, source, test, seed, value) for test, values in tests
                 for seed, value in zip(seeds, values)]
    return rows


def groups(systems, methods):
    """(system, method) to be evaluated."""
    chosen = [(system, name) for name in methods if name != VARIED for system in METHODS[name].systems
              if system in systems]
    return chosen + ([("ball", VARIED)] if VARIED in methods and "ball" in systems else [])


def group_rows(system, name, seeds, tell=lambda share: None):
    return varied_rows(seeds, tell) if name == VARIED else protocol_rows(system, name, seeds, tell)


# ---- the file of results

def read_rows(path):
    """The rows of a file of results; none if it is not there."""
    if not Path(path).exists():
        return []
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != HEADER:
            raise TinycontactError(f"{path}, line 1: wanted the columns {', '.join(HEADER)}")
        return [_row(path, reader.line_num, row) for row in reader]


def _row(path, line, cells):
    known = cells["system"] in SYSTEMS and cells["method"] in (*METHODS, VARIED)
    try:
        row = (*(cells[key] for key in HEADER[:4]), int(cells["seed"]), float(cells["rmse"]))
    except (TypeError, ValueError):
        known = False
    if not known:
        raise TinycontactError(f"{path}, line {line}: is no row of results with a system and a method that are known")
    return row


def replaced(rows, new):
    """Rows with those of the new rows' groups replaced, in a fixed order."""
    gone = {row[:2] for row in new}
    order = [*METHODS, VARIED]
    return sorted([row for row in rows if row[:2] not in gone] + list(new),
                  key=lambda row: (SYSTEMS.index(row[0]), order.index(row[1]), row[2:5]))


def write_rows(path, rows):
    columns = list(zip(*rows))
    columns[4] = [str(seed) for seed in columns[4]]
    columns[5] = [f"{value:.4g}" for value in columns[5]]
    write_columns(path, HEADER, columns)


def summary(rows):
    """(header, rows) of a table: mean, standard error and worst of each group."""
    found = {}
    for row in rows:
        found.setdefault(row[:4], []).append(row[5])
    table = []
    for key, values in found.items():
        values = np.array(values)
        error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
        table.append((*key, len(values), f"{values.mean():.3f}", f"{error:.3f}", f"{np.median(values):.3f}",
                      f"{values.max():.3f}"))
    return ("system", "method", "data", "test", "seeds", "mean", "+- SE", "median", "worst"), table


def best_peers(rows):
    """{(system, kind): method} of the residual nets' training with the best mean on these rows."""
    means = {}
    for system, name, *_ in {row[:2] for row in rows if row[1].startswith("ResNet")}:
        values = [row[5] for row in rows if row[:2] == (system, name)]
        means.setdefault((system, name.split(" by ")[0]), []).append((float(np.mean(values)), name))
    return {key: min(found)[1] for key, found in means.items()}
