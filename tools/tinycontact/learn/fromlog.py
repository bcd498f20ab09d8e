# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""From a planar log to a judged contact model: identify the body, learn, and play the throws held back.

What is held back is seen by nobody: body, friction and restitution are identified from the other throws, and the
judged model learned from them. The model of the file learns from all throws, about the same body.
"""
from dataclasses import dataclass

from ..errors import TinycontactError
from . import identify, judge, logs, train


@dataclass
class Learned:
    """What a log came to."""
    model: object        # Model
    body: object         # Body identified
    found: identify.Identified
    report: dict         # {contact model: judge.scores}
    verdict: str         # of judge.verdict


def _name(body):
    return f"Coulomb mu {body.mu:.3f}, e {body.restitution:.3f}"


def judged(body, positions, model, seen):
    """({contact model: scores}, verdict) of throws (poses of the centre of mass above y = 0)."""
    some = judge.starts(body, seen)
    if not some:
        return {}, judge.UNJUDGED
    report = {"model": judge.scores(body, positions, model, some),
              _name(body): judge.scores(body, positions, float(body.mu), some)}
    return report, judge.verdict(*report.values())


def lines(report, verdict):
    """What is printed of a judgement."""
    from ..report.page import text_table
    if report:
        yield text_table(*judge.rows(report))
        yield from judge.EXPLAINED
    yield f"verdict: {verdict}"


def learned(path, given, log, recipe, metadata, options, tell):
    """The Learned of a Log of the file `path`; options: positions (None: the best), weights."""
    kept, _ = logs.split(len(log.seen), recipe.seed)
    found = identify.identify(given, log[kept].seen, log.noise, options.positions)
    body = found.body(given)
    log = logs.Log([found.moved(poses) for poses in log.seen], log.noise, log.step)
    sets = logs.labelled(path, body, log, recipe)

    fitted = body.mu if found.values["friction"].used else None   # what was not found is nothing to fall back on

    def model_of(part, data, words):
        beside = logs.prior(body, part, body.mu, recipe.seed)
        return train.train(body, part, recipe, found.positions, options.weights, data, tell(words), beside, fitted)
    model = model_of(sets.everything, metadata, "fitting")
    report, verdict = {}, judge.UNJUDGED
    if len(sets.held):
        without = model_of(sets.learned, None, "fitting without throws held back")
        report, verdict = judged(body, found.positions, without, log[sets.held].seen)
    model.metadata |= {"identified": found.as_dict(), "numbers": report, "verdict": verdict}
    return Learned(model, body, found, report, verdict)


def evaluated(model_path, model, given, log):
    """({contact model: scores}, verdict, Body) of a model file on all throws of a Log, beside the Coulomb friction
    fitted to the log that it was learned from."""
    data = (model.metadata or {}).get("identified")
    if data is None:
        raise TinycontactError(f"{model_path}: was not learned from a log with this version; learn it again with"
                               " `tinycontact body train --log`, or leave --log out")
    found = identify.from_dict(data)
    body = found.body(given)
    report, verdict = judged(body, found.positions, model, [found.moved(poses) for poses in log.seen])
    return report, verdict, body
