# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A board in the loop with a bouncing box (bounce.py): each impact goes to the board as a robot would have measured it,
and each answer is held against the truth. The same seed makes the same log, byte for byte.
"""
from dataclasses import asdict, dataclass, field

import numpy as np

from ..jsonfile import write_json
from ..model import write_whole
from ..progress import announced, say
from ..report.plots import ready
from . import wire
from .bounce import Bouncer, Truth
from .floor import OUTLIER, REOPENED, FloorSession, message_of, prior_of
from .floor import UNKNOWNS as NAMES
from .link import TIMEOUT
from .run import board_words, logged, made, open_link

COLUMNS = ("number", "throw", "sticks", "wrong", "outcome", "status",
           *(f"{name}_{part}" for name in NAMES for part in ("true", "value", "sd", "low", "high")))
SETTLED = 10      # impacts; of those after them it is counted how many intervals hold the truth
CLOSE = 0.01      # relative to the truth


@dataclass
class Options:
    truth: Truth = field(default_factory=Truth)
    impacts: int = 60
    seed: int = 0
    drift: float = 0.0          # of mu and e, as the board is told
    reboot: int = 0             # impact after which the board's power is cut, its estimate saved before; 0: never
    board: str = "mps2-an386"
    port: str = ""
    baud: int = 115200
    profile: str = "exact"
    app: str = "foot"
    timeout: float = TIMEOUT


@dataclass
class Outcome:
    """`rows`: {column: [n]} of COLUMNS."""
    rows: dict
    complete: bool
    summary: dict = field(default_factory=dict)


def row_of(impact, truth, said):
    """A row of COLUMNS; `said` is the wire.Identified."""
    row = {"number": impact.number, "throw": impact.throw, "sticks": int(impact.sticks), "wrong": int(impact.wrong),
           "outcome": said.outcome, "status": said.status}
    for k, (name, true) in enumerate(zip(NAMES, (impact.mu, truth.e, truth.ratio))):
        row |= {f"{name}_true": true, f"{name}_value": said.value[k], f"{name}_sd": said.sd[k],
                f"{name}_low": said.low[k], f"{name}_high": said.high[k]}
    return row


def run(options, folder, tell=lambda row: None, note=lambda text: None):
    """Runs it into a folder; `tell` gets each row as it comes, `note` words about what else happens. The Outcome; if the board
    failed half-way, the files of what there was are written before the error comes."""
    ready()   # of the picture: before the run, not after it
    folder, plant, rows, stats = made(folder), Bouncer(options.truth, options.impacts, options.seed), [], None
    with open_link(options) as link:
        prior = prior_of(plant.mass, plant.told, 1, options.truth.law, drift=(options.drift, options.drift))
        session = FloorSession(link, prior, 1 + options.seed % 0xFFFFFFFF)
        with logged(session, folder / "log.bin", lambda boot: header_of(options, boot)) as log:
            try:
                for log.tick in range(1, options.impacts + 1):
                    impact = plant.step()
                    rows.append(row_of(impact, options.truth, session.impact(message_of(impact))))
                    tell(rows[-1])
                    if log.tick == options.reboot:
                        note(f"the board's power is cut; {len(session.save())} bytes were saved")
                        link.restart()
                log.finish()
                link.tap = None
                stats = session.stats()
            except KeyboardInterrupt:
                say(f"interrupted at impact {log.tick}: {folder} gets the files of what there was")
                raise
            finally:
                if rows:
                    outcome = _write(folder, options, rows, session, stats)
    return outcome


def header_of(options, boot):
    truth = {name: value for name, value in asdict(options.truth).items() if value is not None}
    return {**board_words(options, boot), "plant": "bounce", "truth": truth, "impacts": options.impacts,
            "seed": options.seed, "drift": options.drift, "reboot": options.reboot}


def _write(folder, options, rows, session, stats):
    """impacts.csv, summary.json and report.png of what there is."""
    from . import floor_report
    columns = {name: np.array([row[name] for row in rows]) for name in COLUMNS}
    outcome = Outcome(columns, len(rows) == options.impacts)
    write_whole(folder / "impacts.csv", csv_of(rows).encode("ascii"))
    outcome.summary = {"complete": outcome.complete, "board": options.port or options.board, "seed": options.seed,
                       **judged(columns), "repeats": session.repeats, "resets": session.resets,
                       "bad_frames": session.link.bad, **counted(stats)}
    write_json(folder / "summary.json", outcome.summary)
    with announced("drawing"):
        floor_report.write(folder / "report.png", options, outcome)
    return outcome


def judged(rows):
    """{name: number} of what was identified, at the end and on the way."""
    found = {"impacts": len(rows["number"]), "outliers": int((rows["outcome"] == OUTLIER).sum()),
             "reopened": int((rows["outcome"] == REOPENED).sum()), "refused": int((rows["status"] < 0).sum())}
    for name in NAMES:
        value, low, high, true = (rows[f"{name}_{part}"].astype(float) for part in ("value", "low", "high", "true"))
        inside = (low <= true) & (true <= high)
        found |= {f"{name}_true": true[-1], f"{name}_value": value[-1], f"{name}_low": low[-1], f"{name}_high": high[-1],
                  f"{name}_holds": bool(inside[-1])}
        if len(inside) > SETTLED:
            found[f"{name}_held"] = float(inside[SETTLED:].mean())
        far = np.flatnonzero(np.abs(value - true) > CLOSE * true)
        if not len(far) or far[-1] + 1 < len(value):
            found[f"{name}_close_after"] = int(far[-1]) + 2 if len(far) else 1
    return found


def counted(stats):
    """The board's counters."""
    if stats is None:
        return {}
    return {name: value for name, value in stats.values().items() if name in ("overruns", "worst", "stack", "naks")}


def csv_of(rows):
    """impacts.csv: the board's numbers as the shortest decimals that give the float32 back."""
    def word(name, value):
        return str(np.float32(value)) if name.endswith(("value", "sd", "low", "high")) else str(value)
    return "\n".join([",".join(COLUMNS), *(",".join(word(name, row[name]) for name in COLUMNS) for row in rows)]) + "\n"
