# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`tinycontact body figure`: the paper's Fig. 5, 6, 7 and 10 with a model of one's own, as a table and a picture.

The paper publishes neither sizes nor friction nor step, so its numbers stand beside ours but are no measure: that is
the truth of the same throws with the shape at hand.
"""
import json
from pathlib import Path

import numpy as np

from ..contact import CLASSES, ContactModel
from ..jsonfile import write_json
from ..model import write_whole
from ..predict import load_shape
from ..sim import peers, throws
from . import plots
from .page import png_bytes, text_table
from .truth import TRUTHS, Coulomb

SHAPES = {"fig5": "rectangle", "fig6": "pentagon", "capsule": "capsule", "anisotropic": "rectangle"}
TEN = {"fig5": throws.FIG5, "fig6": throws.FIG6}
DROPS = ((0.25, 35.0, 0.0, 0.0), (0.25, 60.0, 0.4, 0.0))         # capsule: y0 [m], theta0 [deg], vx0, omega0
BOTH_WAYS = ((0.3, 20.0, 3.0, 2.0), (0.3, -20.0, -3.0, -2.0))    # anisotropic: the same throw and its mirror image
ANGLE = 5.0   # [deg]


def paper():
    """The numbers printed in the paper."""
    return json.loads(Path(__file__).with_name("paper.json").read_text("utf-8"))


def _outcome(results, k):
    return [int(results.bounces[k]), float(results.distance[k]), float(np.degrees(results.angle[k]))]


def _cells(outcome):
    return outcome[0], f"{outcome[1]:.3f}", f"{round(outcome[2]):d}"


def agreement(outcomes, truth):
    """Of lists of (bounces, distance, angle [deg]): bounces and orientations that are right, and the mean error of
    the distance relative to the truth's [%]."""
    ours, right = np.array(outcomes, float), np.array(truth, float)
    relative = np.abs(ours[:, 1] - right[:, 1]) / np.abs(right[:, 1])
    return {"bounces": int(np.sum(ours[:, 0] == right[:, 0])),
            "orientation": int(np.sum(np.abs(ours[:, 2] - right[:, 2]) <= ANGLE)),
            "distance_percent": float(100 * relative.mean()), "of": len(ours)}


def _summary(name, scores):
    return (f"{name}: bounces right {scores['bounces']}/{scores['of']}, orientation {scores['orientation']}"
            f"/{scores['of']}, mean distance error {scores['distance_percent']:.2f} %")


def played(players, rows):
    """{name: [outcome per throw]} and the panels of plots.throws; the first player is the truth."""
    outcomes, panels = {}, []
    for player in players:
        results = player.results(rows)
        outcomes[player.name] = [_outcome(results, k) for k in range(len(rows))]
    drawn = {player.name: player.paths(rows) for player in players[:2]}
    for k in range(len(rows)):
        told = " / ".join("bounces {}, {} m, {} deg".format(*_cells(outcomes[name][k])) for name in drawn)
        panels.append((f"{k + 1}: {told}", {name: paths[k] for name, paths in drawn.items()}))
    return outcomes, panels


def _table(outcomes, rows):
    header = ["throw", "y0", "theta0", "vx0", "omega0"]
    for name in outcomes:
        header += [name, "m", "deg"]
    body = [[k + 1, *(f"{value:g}" for value in row[:4]), *(cell for name in outcomes
             for cell in _cells(outcomes[name][k]))] for k, row in enumerate(rows)]
    return text_table(header, body)


def ten_throws(figure, model, truth, positions):
    """Fig. 5 or 6."""
    rows = TEN[figure]
    players = [truth, model.player(positions)]
    if not isinstance(truth, Coulomb):
        players.append(Coulomb(model.body, positions))
    outcomes, panels = played(players, rows)
    right = outcomes[truth.name]
    scores = {name: agreement(own, right) for name, own in outcomes.items() if name != truth.name}
    printed, ground = paper()[figure], [list(row[4:]) for row in rows]
    for name, own in printed.items():
        scores[f"the paper's {'model' if name == 'ours' else 'PDD'} against its truth"] = agreement(own, ground)
    shown = {**outcomes, "paper's truth": ground, "paper's model": printed["ours"]}
    text = _table(shown, rows) + "\n\n" + "\n".join(_summary(*item) for item in scores.items())
    return text, {"outcomes": shown, "scores": scores}, panels


def anisotropic(figure, model, truth, positions):
    """Fig. 10: friction 1.5 for slip to the left, 0.75 to the right; DART has no such floor."""
    floor = TRUTHS["anisotropic"](model.body, positions)
    outcomes, panels = played([floor, model.player(positions)], BOTH_WAYS)
    return _table(outcomes, BOTH_WAYS), {"outcomes": outcomes}, panels


def capsule(figure, model, truth, positions):
    """Fig. 7, and of which class the contacts were: the paper saw nothing but static ones."""
    player = model.player(positions)
    outcomes, panels = played([truth, player], DROPS)
    branch = np.concatenate([player.path(row)["branch"] for row in DROPS]).astype(int)
    counts = {name: int(np.sum(branch == k)) for k, name in enumerate(CLASSES[:3])}
    told = ", ".join(f"{count} {name}" for name, count in counts.items())
    return _table(outcomes, DROPS) + f"\n\ncontact steps of the model: {told}", {
        "outcomes": outcomes, "contact_steps": counts}, panels


DRAWN = {"fig5": ten_throws, "fig6": ten_throws, "capsule": capsule, "anisotropic": anisotropic}


def figure_command(options):
    body = load_shape(options.shape or SHAPES[options.figure])
    model = ContactModel(options.model, body)
    plots.ready()
    if options.truth == "dart" and options.figure != "anisotropic":
        peers.dart()
    truth = TRUTHS[options.truth](body, options.positions)
    text, numbers, panels = DRAWN[options.figure](options.figure, model, truth, options.positions)
    picture = png_bytes(plots.throws(panels, model.outline()))
    print(text)
    write_whole(options.output, picture)
    if options.json:
        write_json(options.json, {"figure": options.figure, "model": options.model, "hash": model.hash,
                                  "positions": options.positions, **numbers})
