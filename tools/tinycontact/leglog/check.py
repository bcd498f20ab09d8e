# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Likely mistakes of a log, found by its own physics (physics.py).

If the misfit of a log is not small, check() tries what people get wrong (mistakes.py), each change alone, then two and
three together, and names what explains the log best with the fewest changes, with the numbers and the option that mends
it. Laws that need no leg come first: a base that stays upright feels (0, g) on average, rates are those of the angles.
"""
import shlex
from dataclasses import dataclass, field, replace

import numpy as np

from . import timing
from .mistakes import COARSE, coarse, fits, in_degrees, of_base, structural, torque_factor
from .physics import BLOCKS, Smooth, costs, filtered, judge, kernels_of, noise_of, smooth, thin
from .read import delayed, role_of
from .segments import LEVELLED, begins_unknown

BEAM, MOST_CHANGES = 4, 3
FITTED, TIE = 0.02, 0.005   # what a fitted number costs; misfits that are the same
RIGHT = 0.05            # misfit below which nothing is left to find
LEAST_GAIN = 0.1        # of the misfit, that the last of some changes takes away
CERTAIN = 0.25          # misfit up to which two or three changes are believed
HOPELESS = 0.3          # misfit, or share of ticks that nothing explains, of a log that is not this leg's
STILL = 0.01            # [rad] or [m] a joint that moves by less shows nothing
LATEST = 0.06           # [s] between torques and joints, at most, that is looked for
TURN = 7.0              # [rad] joints and bases of legs move by less
SEARCHED = 700          # ticks that a search looks at


@dataclass
class Finding:
    """A likely mistake."""
    text: str
    before: float = np.nan   # misfit: what the leg's physics leave unexplained, 0 to 1
    after: float = np.nan    # the same with this mended, and what was named before it
    fix: str = ""            # an option, or what to do
    kind: str = "physics"
    mapping: dict = field(default_factory=dict)   # {role: ROLE=COLUMN...} of the option

    def words(self):
        how = "" if np.isnan(self.after) else f" (misfit {self.before:.2f}, with this mended {self.after:.2f})"
        return self.text + how + (f": {self.fix}" if self.fix else "")


@dataclass
class Checked:
    """What looking for mistakes came to."""
    findings: list
    misfit: float = np.nan   # of the log as it is; NaN where it could not be checked
    unable: str = ""         # why it could not

    def words(self):
        """A line that says how sure one may be of a log without findings; empty with findings."""
        if self.unable:
            return f"The log could not be checked against the leg's physics: {self.unable}."
        if self.findings:
            return ""
        return ("No mistake found: the leg's physics, in the air and pushed by a floor, explain"
                f" {100 * (1 - self.misfit):.0f} % of the log (misfit {self.misfit:.2f}).")


# ---- The search

@dataclass
class Node:
    changes: tuple
    x: Smooth
    leg: object
    cost: np.ndarray   # [T] of ticks, 0 to 1

    @property
    def share(self):
        return float(np.mean(self.cost))


def _node(changes, x, leg, noise):
    return Node(changes, x, leg, costs(leg, x, noise))


def _wins(new, old, fitted):
    """Whether `new` [T] costs of ticks are less than `old` by more than chance and small errors of a model have."""
    gain = old - new
    blocks = np.array([block.mean() for block in np.array_split(gain, BLOCKS)])
    sure = blocks.mean() > 3 * blocks.std(ddof=1) / np.sqrt(BLOCKS)
    part, least = (0.85, 0.015) if fitted else (0.93, 0.008)
    return bool(sure and new.mean() < part * old.mean() and gain.mean() > least)


def _next(node, noise, wide):
    """Nodes with one change more; nothing is changed twice. `wide`: of a node that is one of many, without fits."""
    found, names = [], {change.text for change in node.changes}
    more = coarse(node.leg.joints) if wide else fits(node.leg, node.x, noise)
    for change in structural(node.leg, node.x) + more:
        if change.text not in names:
            found.append(_node((*node.changes, change), *change.apply(node.x, node.leg), noise))
    return found


def _pair(node, noise):
    """The best Node of two changes, neither of which need help alone."""
    grown = [new for one in _next(node, noise, True) for new in _next(one, noise, True)]
    best = min(grown, key=_rank)
    if not any(change.text == COARSE for change in best.changes):
        return best
    kept = node
    for change in best.changes[len(node.changes):]:
        if change.text != COARSE:
            kept = _node((*kept.changes, change), *change.apply(kept.x, kept.leg), noise)
    fit = torque_factor(kept.leg, kept.x, noise, list(range(kept.leg.joints)))
    return kept if fit is None else _node((*kept.changes, fit), *fit.apply(kept.x, kept.leg), noise)


def _rank(node):
    return node.share + FITTED * sum(change.fitted for change in node.changes)


def _search(node, noise):
    """(the Node that explains a log best with the fewest changes, nodes that are as good)."""
    best, beam, rivals = node, [node], []
    for level in range(MOST_CHANGES):
        grown = sorted((new for old in beam for new in _next(old, noise, False)), key=_rank)
        better = _wins(grown[0].cost, best.cost, grown[0].changes[-1].fitted)
        if not level and (grown[0].share if better else node.share) > HOPELESS:
            grown, better = [_pair(node, noise)], True
        if not better:
            break
        best = grown[0]
        beam = grown[:BEAM] if best.share > CERTAIN else grown[:1]
        rivals = [other for other in grown[1:] if other.share < best.share + TIE and not other.changes[-1].fitted]
        if best.share < RIGHT:
            break
    many = len(best.changes) > len(node.changes) + 1
    return (node, []) if many and (best.share > CERTAIN or not _wins(best.cost, node.cost, True)) else (best, rivals)


# ---- Laws that need no leg

def _mean_force(leg, log, parts):
    """Changes of the accelerometer that its mean asks for: a base that stays near where it was feels (0, g) on
    average."""
    time = sum(len(part) * part.tick for part in parts)
    if leg.root == "fixed" or time < 0.5:
        return [], []
    accel = np.concatenate([part.accel for part in parts]).astype(float)
    pitch = np.concatenate([part.pitch for part in parts]).astype(float) * (leg.root == "floating")
    allowed = 0.15 * leg.g + 2.0 / time

    def wrong(values):
        return abs(np.hypot(*np.mean(values, axis=0)) - leg.g) > allowed or np.mean(values, axis=0)[1] < 0.5 * leg.g

    if not wrong(accel):
        return [], []
    zero = np.zeros((len(accel), leg.joints))
    x = Smooth(zero, zero, zero, zero, zero[:, 0], zero[:, 0], accel,
               pitch if np.abs(np.mean(pitch)) < 0.5 else 0 * pitch)
    mean, beside = accel.mean(0), log.beside.get("accel_y")
    sideways = beside is not None and abs(abs(np.nanmean(beside)) - leg.g) < allowed
    for change in of_base(leg) if not sideways else []:
        if "accel" in change.text and not wrong(change.apply(x, leg)[0].accel):
            return [change], []
    sideways = f"; accel_y has {np.nanmean(beside):.3g}: the vertical axis is z" if sideways else ""
    return [], [Finding(f"the accelerometer's mean is ({mean[0]:.3g}, {mean[1]:.3g}) m/s^2 along x and z, where a base"
                        f" that stays upright feels (0, {leg.g:.3g}){sideways}", kind="accel")]


def _units(leg, x, told):
    """Changes of angles and turn rates that no leg has: joints that turn more than once, a base that does. Findings
    about what no unit explains go to `told`."""
    spans = np.ptp(x.q @ np.linalg.inv(x.of_q).T, axis=0) * ~np.asarray(leg.slides)
    wide = np.flatnonzero(spans > TURN)
    for k in wide[spans[wide] > 180 / np.pi * TURN]:
        told.append(Finding(f"q{k + 1} moves by {spans[k]:.3g} rad: is it in encoder counts, or does it not wrap?",
                            kind="unit",
                            fix=f"--columns q{k + 1}=NAME*NUMBER makes rad of it"))
    found = [in_degrees(leg.joints, wide)] if len(wide) and spans.max() <= 180 / np.pi * TURN else []
    if leg.root == "floating" and x.step:
        turned = np.ptp(np.cumsum(x.gyro - np.mean(x.gyro))) * x.step
        found += [change for change in of_base(leg) if turned > TURN and change.text.startswith("gyro_y is in degrees")]
    return found


def _rates(leg, log, parts, of_q):
    """Findings about dq beside the differences of q, and about pitch beside the gyro."""
    found, kernels = [], kernels_of(parts[0].tick)
    parts = [part for part in parts if len(part) > 2 * len(kernels[0])]
    if log.dq is not None and parts:
        back = np.linalg.inv(of_q).T
        w = np.concatenate([filtered(part.encoder.astype(float), kernels[1]) for part in parts]) @ back
        said = np.concatenate([filtered(part.rate.astype(float), kernels[0]) for part in parts]) @ back
        for k in range(leg.joints):
            found += _compared(f"dq{k + 1}", "the rate of q", said[:, k], w, k, log.columns)
    if "pitch" in parts[0].given and leg.root == "floating" and log.pitch is not None:
        turned = np.concatenate([filtered(part.pitch.astype(float)[:, None], kernels[1]) for part in parts])
        gyro = np.concatenate([filtered(part.gyro.astype(float)[:, None], kernels[0]) for part in parts])[:, 0]
        found += _compared("gyro_y", "the rate of pitch", gyro, turned, None, log.columns)
    return found


def _compared(name, of, said, true, k, columns):
    """A Finding where `said` [T] is not the column k of `true` [T, ...]; k None: the only one."""
    own = true[:, k or 0]
    if np.sum(said**2) < 1e-9 or np.sum(own**2) < 1e-9:
        return [] if np.sum(own**2) < 1e-9 else [Finding(f"{name} is 0 throughout, {of} is not", kind="rate")]
    slope, match = float(said @ own / (said @ said)), float(abs(said @ own) / np.sqrt((said @ said) * (own @ own)))
    note = "; the estimator does not use dq" if k is not None else ""
    of = of if k is None else f"{of}{k + 1}"
    for value, words in ((-1.0, "has the wrong sign"), (np.pi / 180, "is in degrees per second"),
                         (np.pi / 30, "is in turns per minute"), (2 * np.pi, "is in turns per second")):
        if match > 0.8 and abs(slope / value - 1) < 0.2:
            return [Finding(f"{name} {words}: {of} is {slope:.3g} times it{note}",
                            fix=_fix({name: (name, value, 0.0)}, columns),
                            kind="rate")]
    others = [j for j in range(true.shape[1]) if k is not None and j != k
              and abs(said @ true[:, j]) > 0.95 * np.sqrt((said @ said) * (true[:, j] @ true[:, j]))]
    if match < 0.8 and others:
        return [Finding(f"{name} is the rate of q{others[0] + 1}{note}", kind="rate")]
    if match < 0.8 or abs(slope - 1) > 0.25:
        return [Finding(f"{name} is not {of}: {of} is {slope:.3g} times it, their correlation {match:.2f}{note}",
                        kind="rate")]
    return []


def _still(leg, log):
    """Findings about columns that never change."""
    found = []
    for kind, values in (("q", log.q), ("tau", log.tau), ("current", log.current)):
        for k in range(0 if values is None else values.shape[1]):
            if np.nanmax(values[:, k]) == np.nanmin(values[:, k]):
                found.append(Finding(f"{kind}{k + 1} is {values[0, k]:.4g} throughout", kind="still",
                                     fix="is it the right column, and is its sensor connected?"))
    if log.contact is not None and np.nanmax(log.contact) == np.nanmin(log.contact):
        found.append(Finding(f"contact is {log.contact[0]:.3g} throughout: there is nothing to score", kind="still"))
    return found


# ---- All of it

def _fix(sources, columns):
    """The option that mends roles, in the file's columns."""
    words = _mapping(sources, columns)
    return f"--columns {','.join(words.values())}" if words else ""


def _mapping(sources, columns):
    """{role: ROLE=COLUMN with factor and offset}"""
    words = {}
    for role, (source, factor, offset) in sources.items():
        if source not in columns:
            return {}
        column, scale, shift = _moved(columns[source], factor, offset)
        scale /= (role_of(column) or ("", 1.0))[1]
        sign, number = "-" if scale < 0 else "", "" if abs(abs(scale) - 1) < 1e-9 else f"*{abs(scale):.6g}"
        words[role] = f"{role}={sign}{column}{number}" + (f"{shift:+.4g}" if shift else "")
    return words


def _findings(nodes, columns):
    """A Finding for each change, from the log as it is to all of them mended."""
    found = []
    for before, after in zip(nodes, nodes[1:]):
        change = after.changes[-1]
        sources = _currents(change.sources, columns)
        if sources and all(source in columns for source, _, _ in sources.values()):
            columns = columns | {role: _moved(columns[source], factor, offset)
                                 for role, (source, factor, offset) in sources.items()}
            sources = {role: (role, 1.0, 0.0) for role in sources}
        mapping = _mapping(sources, columns)
        fix = f"--columns {','.join(mapping.values())}" if mapping else ""
        found.append(Finding(change.text, before.share, after.share, "; ".join(filter(None, (fix, change.hint))),
                             mapping=mapping))
    return found


def together(findings):
    """The option that mends all findings that an option mends; empty for fewer than two."""
    mapped = [finding.mapping for finding in findings if finding.mapping]
    words = {role: word for mapping in mapped for role, word in mapping.items()}
    return f"--columns {','.join(words.values())}" if len(mapped) > 1 else ""


def whole(findings, log):
    """The option --columns with what was given already and what mends all findings, ready to paste; empty where a
    finding's own option is all."""
    mapped = {role: word for finding in findings for role, word in finding.mapping.items()}
    if not mapped or not (log.words or sum(bool(finding.mapping) for finding in findings) > 1):
        return ""
    return f"--columns {shlex.quote(','.join((log.words | mapped).values()))}"


def _moved(source, factor, offset):
    column, scale, shift = source
    return column, scale * factor, shift * factor + offset


def _currents(sources, columns):
    """Torques that are made of currents: their columns."""
    if any(role.startswith("tau") for role in sources) and "tau1" not in columns:
        return {role.replace("tau", "current"): (source.replace("tau", "current"), *rest)
                for role, (source, *rest) in sources.items()}
    return sources


def check(chain, log, parts):
    """[Finding] of a Log, its segments and the Chain, the likeliest first; none for a log that its leg explains."""
    return examine(chain, log, parts).findings


def examine(chain, log, parts):
    """The Checked of the same. A part whose attitude nothing shows is left out."""
    leg = chain.planar()
    found = _still(leg, log)
    known = [part for part in parts if not begins_unknown(part, leg) or len(part) * part.tick > LEVELLED]
    if not known:
        return Checked(found, unable=f"it begins in flight or in a push and ends within {LEVELLED:g} s, so the base's"
                                     " attitude is not known: begin at rest, or log the column pitch")
    x = smooth(known, chain)
    if x is None or len(x.q) < 2 * BLOCKS:
        return Checked(found, unable="it is too short")
    if np.ptp(x.q, axis=0).max() < STILL:
        return Checked([*found, Finding("no joint moves: the leg's physics show nothing", kind="still")])
    return _searched(leg, chain, log, known, x, found)


def _searched(leg, chain, log, parts, x, found):
    """The Checked of a Smooth `x` that can be."""
    direct, told = _mean_force(leg, log, parts)
    direct = [*direct, *_units(leg, x, told)]
    noise = noise_of(chain)
    nodes = [_node((), x, leg, noise)]
    for change in direct:
        nodes.append(_node((*nodes[-1].changes, change), *change.apply(nodes[-1].x, nodes[-1].leg), noise))
    few = thin(nodes[-1].x, SEARCHED)
    best, rivals = _search(_node(nodes[-1].changes, few, leg, noise), noise)
    nodes = _worth(nodes, best.changes[len(direct):], noise)
    named = _findings(nodes, log.columns)
    if len(nodes) == len(direct) + 2 and rivals:
        others = [other.changes[-1] for other in rivals[:2]]
        named[-1].fix += "; or " + ", or ".join(f"{one.text} ({_fix(one.sources, log.columns)})" for one in others)
    late = _late(nodes[-1], noise) or _another_row(chain, log, parts, nodes[-1], noise)
    return Checked([*found, *told, *named, *late, *_rates(leg, log, parts, x.of_q), *_hopeless(nodes[-1], noise)],
                   nodes[0].share)


def _worth(nodes, changes, noise):
    """Nodes of all ticks, with those `changes` more that pay there, too: what gains less than LEAST_GAIN is not
    argued."""
    grown = list(nodes)
    for change in changes:
        grown.append(_node((*grown[-1].changes, change), *change.apply(grown[-1].x, grown[-1].leg), noise))
    while len(grown) > len(nodes) and grown[-1].share > (1 - LEAST_GAIN) * min(node.share for node in
                                                                              grown[len(nodes) - 1:-1]):
        grown.pop()
    return grown


def _by_rows(rows, columns):
    """(the option, {role: its word}) that takes torques of as many rows later."""
    kind = "tau" if "tau1" in columns else "current"
    moved = {role: (delayed(source, rows), *rest) for role, (source, *rest) in columns.items()
             if role.rstrip("0123456789") == kind}
    words = _mapping({role: (role, 1.0, 0.0) for role in moved}, columns | moved)
    return f"--columns {','.join(words.values())}", words


def _another_row(chain, log, parts, node, noise):
    """A Finding about torques that belong to a row behind theirs, in a log that is right else."""
    part = max(parts, key=len)
    if node.changes or node.share > CERTAIN or not part.placed:
        return []
    x = timing.every_row(part, chain)
    rows = 0 if x is None else timing.rows_early(node.leg, x, noise)
    if not rows:
        return []
    fix, words = _by_rows(rows, log.columns)
    return [Finding(f"the torques come {rows} row{'s' * (rows > 1)} early, as commands do that act from their row on",
                    fix=fix, kind="late", mapping=words)]


def _late(node, noise):
    """A Finding about torques that are logged later or earlier than the joints."""
    x, most = node.x, round(LATEST / node.x.every)
    best, lag = node.cost, 0
    for shift in range(-most, most + 1):
        cost = costs(node.leg, replace(x, tau=np.roll(x.tau, shift, axis=0)), noise)
        if cost.mean() < best.mean():
            best, lag = cost, -shift * x.every
    if abs(lag) < 2 * x.every or not _wins(best, node.cost, True):
        return []
    when = f"{1e3 * abs(lag):.0f} ms {'late' if lag > 0 else 'early'}"
    return [Finding(f"the torques are about {when}, compared with the joints", node.share, float(best.mean()),
                    "log both of the same control cycle, not filtered otherwise", "late")]


def _hopeless(node, noise):
    """A Finding about a log that its leg does not explain, whatever is changed."""
    if np.mean(node.cost > 0.9) < HOPELESS:
        return []
    judged = judge(node.leg, node.x, noise)
    rest = ", ".join(f"joint {k + 1}: {r:.2g} of {y:.2g} N m" for k,
                     (r, y) in enumerate(zip(judged.rest, judged.modelled)))
    return [Finding(f"the chain does not explain the log: {100 * np.mean(node.cost > 0.9):.0f} % of its ticks are"
                    f" neither a free leg nor one that a floor pushes (rest in the others: {rest})",
                    judged.unexplained, np.nan,
                    "is it this leg, in these axes (x forward, y left, z up; all frames parallel at q = 0), and are"
                    " other forces on it (springs, hands, a second contact)?", "chain")]
