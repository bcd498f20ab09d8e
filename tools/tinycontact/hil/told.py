# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What a person is told of a run: the few numbers that are asked for first, in the terminal and in the picture, and
contact as bars, true over estimated. metrics.py says how each number is counted."""
import sys

import numpy as np

from ..progress import say
from ..report.page import text_table
from . import metrics
from .bars import Pen, whole

UNKNOWN = "-"   # of which there was nothing


def _share(summary, key):
    """Of a run without a touch-down there is none: to say air all the time is no merit then."""
    return f"{100 * summary[key]:.2f} %" if key in summary and summary["touch_downs"] else UNKNOWN


def _found(summary, key):
    return f"{summary[key] * summary['onsets']:.0f}" if key in summary else UNKNOWN


def _delay(summary, key):
    return f"{1e3 * summary[key]:.2f} ms" if key in summary else UNKNOWN


def _predicted(summary):
    """Rows of a run that asked for predictions."""
    if "shortened" not in summary:
        return []
    return [("next touch-down 20 ms ahead, off by, median", _delay(summary, "ahead_all")),
            ("  foot faster than 0.5 m/s", _delay(summary, "ahead_fast"))]


def rows(summary):
    """[(what, how much)] of a run's summary."""
    return [
        ("true touch-downs", f"{summary['touch_downs']:.0f}"),
        ("  known within 30 ms", f"{summary['touch_downs'] - summary['missed']:.0f}"),
        ("  known after, mean", _delay(summary, "delay_mean")),
        ("  of that, above sampling and transport", _delay(summary, "delay_above")),
        (f"false touch-downs in {summary['air']:.1f} s of air", f"{summary['false']:.0f}"),
        ("ticks right: contact", _share(summary, "contact_right")),
        ("ticks right: air, stick or slip", _share(summary, "mode_right")),
        ("true slip onsets", f"{summary['onsets']:.0f}"),
        ("  found within 30 ms", _found(summary, "onset_recall")),
        ("  found within 5 ms", _found(summary, "onset_prompt")),
        ("impulse of whole contacts, off by", _share(summary, "impulse")),
        *_predicted(summary),
        ("speed", f"{summary['speed']:.2f} x real time")]


def bars(outcome, pen):
    """Lines: all of the run, true over estimated."""
    return whole(np.asarray(outcome.episode.truth.mode), metrics.classes(outcome.estimates), pen, outcome.episode.tick)


def tell(outcome, folder, out=None):
    """Bars and table, and where the files are."""
    out = out or sys.stdout
    print("\n".join(bars(outcome, Pen(out))), file=out)
    print(f"\n{text_table(*_table(outcome.summary))}\n", file=out, flush=True)
    say(f"{folder}: log.bin, ticks.csv, summary.json and the picture report.png")


def _table(summary):
    run = f"{summary['seconds']:g} s of {summary['plant']}, seed {summary['seed']}"
    return [run, f"on {summary['board']}"], rows(summary)
