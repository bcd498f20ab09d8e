# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A Result in words, and as CSV."""
import io
import sys

import numpy as np

from ..digits import plain
from ..hil import bars, truth
from ..model import write_whole
from ..report.page import text_table
from . import check

HEADER = ("t", "contact", "p_air", "p_stick", "p_slip", "impulse_x", "impulse_z", "impulse_x_deviation",
          "impulse_z_deviation", "slip", "since", "lost")
LISTED = 12   # contacts
NUMBERED = 5  # findings


def _share(value):
    return "-" if np.isnan(value) else f"{100 * value:.2f} %"


def _milliseconds(value):
    return "-" if np.isnan(value) else f"{1e3 * value:.1f} ms"


def _count(value):
    return f"{value:.0f}"


SCORES = (("ticks right, 2 ms at edges left out", "contact_right", _share),
          ("logged touch-downs", "touch_downs", _count),
          ("  not known within 30 ms", "missed", _count), ("  known after, mean", "delay_mean", _milliseconds),
          ("  known after, 95 %", "delay_p95", _milliseconds), ("false touch-downs", "false", _count),
          ("lift-off known after, mean", "lift_off", _milliseconds))
COUNTED = (f"A touch-down counts with {1e3 * truth.AIR_BEFORE:.0f} ms of air before it and"
           f" {1e3 * truth.CONTACT_AFTER:.0f} ms of contact after it; gaps of up to {1e3 * truth.CLOSED:.0f} ms are"
           " closed before.")


def summary(result):
    """[(what, how much)]"""
    contacts = result.contacts()
    lasts = [end - begin for begin, end, _, _ in contacts]
    lost = int(result.lost.sum())
    rows = [("log", f"{len(result.time) * result.tick:.2f} s, {1 / result.tick:.6g} Hz, {lost} ticks lost"),
            ("leg", f"{len(result.chain.links)} joints, {sum(link.mass for link in result.chain.links):.3g} kg,"
             f" root {result.chain.root}"),
            ("sensors taken as",
             f"encoders of {result.encoder_bits:.3g} bits, torques within {result.torque_noise:.2g} N m"),
            ("contacts", f"{len(contacts)}, in {100 * np.mean(result.contact):.1f} % of the time"),
            ("  lasting, median", f"{1e3 * np.median(lasts):.0f} ms" if contacts else "-"),
            ("  largest force", f"{plain(max(force for *_, force in contacts))} N" if contacts else "-"),
            ("ticks in which the foot slips", _share(float(np.mean(result.modes() == 2))))]
    return rows


def _bars(result, out):
    pen = bars.Pen(out)
    said = result.modes()
    span = -(-len(said) // (bars.COLUMNS * bars.ROWS))
    lines = [f"           {pen.legend()}   ({1e3 * span * result.tick:.3g} ms per character)"]
    for at in range(0, len(said), span * bars.COLUMNS):
        part = slice(at, at + span * bars.COLUMNS)
        rows = [("logged", result.truth.astype(said.dtype))] if result.truth is not None else []
        for label, modes in (*rows, ("estimated", said)):
            lines.append(f"{result.time[at]:6.2f} s {label:>9} {pen.modes(bars.folded(modes[part], span))}")
    return lines


def _table(header, rows):
    widths = [max(len(row[k]) for row in (header, *rows)) for k in range(len(header))]
    lines = ([f"{row[0]:<{widths[0]}}", *(f"{cell:>{w}}" for cell, w in zip(row[1:], widths[1:]))]
             for row in (header, *rows))
    return "\n".join("  ".join(cells).rstrip() for cells in lines)


def findings(result):
    """Lines about the log and its likely mistakes."""
    lines = [f"note: {note}" for note in result.notes]
    for number, finding in enumerate(result.findings, 1):
        lines.append(f"likely mistake {number}: {finding.words()}")
    if option := check.whole(result.findings, result.log):
        lines.append(f"All options together: {option}")
    if any(finding.fix for finding in result.findings):
        lines.append("Mend them, run again.")
    if result.examined is None:
        lines.append("Mistakes in the log were not looked for (--no-check).")
    elif words := result.examined.words():
        lines.append(words)
    return lines


def tell(result, out=None):
    """On the terminal: bars, numbers, contacts, scores, what is likely wrong."""
    out = out or sys.stdout
    print("\n".join(_bars(result, out)), file=out)
    rows = summary(result)
    print(f"\n{text_table(list(rows[0]), rows[1:])}", file=out)
    contacts = result.contacts()[:LISTED]
    if contacts:
        header = ("touch-down", "lift-off", "impulse x", "impulse z", "peak")
        print(f"\n{_table(header, [_contact(one) for one in contacts])}", file=out)
        if len(result.contacts()) > LISTED:
            print(f"... and {len(result.contacts()) - LISTED} more", file=out)
    if result.scores:
        both = [result.scores[name] for name in ("estimator", "observer")]
        rows = [(words, *[shown(one[name]) for one in both]) for words, name, shown in SCORES]
        print(f"\n{_table(('against the column contact', 'estimator', 'momentum observer'), rows)}", file=out)
        print(COUNTED, file=out)
    lines = findings(result)
    if lines:
        print("\n" + "\n".join(lines), file=out)


def _contact(one):
    begin, end, impulse, force = one
    return f"{begin:.3f} s", f"{end:.3f} s", f"{plain(impulse[0])} N s", f"{plain(impulse[1])} N s", f"{plain(force)} N"


def write(path, result):
    """CONTACT.csv"""
    numbers = np.column_stack([result.p, result.impulse, result.impulse_deviation, result.slip,
                               result.since]).astype(np.float32)
    out = io.StringIO()
    out.write(",".join(HEADER) + "\n")
    for k, time in enumerate(result.time):
        values = ",".join(f"{value:.6g}" for value in numbers[k])
        out.write(f"{time:.6f},{int(result.contact[k])},{values},{int(result.lost[k])}\n")
    write_whole(path, out.getvalue().encode("ascii"))
