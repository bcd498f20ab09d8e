# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What the evidence tools share: errors that name the file and the field, running the binutils,
and the one table that all of them write and compare.

A measurement is a row  kind,item,board,profile,value :
    kind      instructions | cycles | stack | flash | data | bss | footprint
    item      <what>/<size>/<variant>, e.g. mat_mul/6/kernel, or a function, or an object
    board     the board or the CPU the number holds for
    profile   exact | fast | - where the profile does not matter
    value     integer, >= 0, in instructions, cycles or bytes
tests/measured.csv holds the last full set, tests/budget.csv the same rows with what is allowed.
"""

import csv
import io
import os
import subprocess
import sys

KINDS = ("instructions", "cycles", "stack", "flash", "data", "bss", "footprint")
FIELDS = ("kind", "item", "board", "profile", "value")


class Fault(Exception):
    """An expected failure: its text is all that the user sees."""


def read_text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise Fault(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise Fault(f"{path}: not UTF-8 text (byte {error.start})") from None


def write_text(path, text):
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise Fault(f"{path}: {error.strerror}") from None


def between(text, begin, end, path):
    """(start, end) of what stands between two marks of a page, marks included."""
    if text.count(begin) != 1 or text.count(end) != 1:
        raise Fault(f"{path}: needs the line '{begin}' and the line '{end}' once each")
    if text.index(begin) > text.index(end):
        raise Fault(f"{path}: '{end}' stands before '{begin}'")
    return text.index(begin), text.index(end) + len(end)


def run(command, what):
    """Standard output of a command; a Fault that shows its last lines if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise Fault(f"{what}: {command[0]}: {error.strerror}") from None
    if done.returncode != 0:
        tail = "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:])
        raise Fault(f"{what}: {command[0]} exited with {done.returncode}:\n{tail}")
    return done.stdout


def natural(text, where, field):
    """A number >= 0 from a table, or a Fault that says which file, line and field."""
    try:
        value = int(text)
    except (TypeError, ValueError):
        raise Fault(f"{where}: field '{field}' is '{text}', not an integer") from None
    if value < 0:
        raise Fault(f"{where}: field '{field}' is negative: {value}")
    return value


def read_csv(path, fields):
    """Rows of a CSV with exactly this header. Lines that begin with # and empty lines are skipped.
    Yields (where, row) with where = 'file:line'."""
    header = None
    rows = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = next(csv.reader([line]))
        where = f"{path}:{number}"
        if header is None:
            header = tuple(cells)
            if header != tuple(fields):
                raise Fault(f"{where}: the header is '{line}', expected '{','.join(fields)}'")
            continue
        if len(cells) != len(header):
            raise Fault(f"{where}: {len(cells)} fields, expected {len(header)} ({','.join(fields)})")
        rows.append((where, dict(zip(header, cells))))
    if header is None:
        raise Fault(f"{path}: empty, expected the header '{','.join(fields)}'")
    return rows


def key_of(row):
    return row["kind"], row["item"], row["board"], row["profile"]


def read_measured(path):
    """{(kind, item, board, profile): value} of a table of measurements."""
    table = {}
    for where, row in read_csv(path, FIELDS):
        if row["kind"] not in KINDS:
            raise Fault(f"{where}: field 'kind' is '{row['kind']}', expected one of {', '.join(KINDS)}")
        if key_of(row) in table:
            raise Fault(f"{where}: '{row['item']}' is listed twice for {row['board']} {row['profile']}")
        table[key_of(row)] = natural(row["value"], where, "value")
    return table


def csv_text(fields, rows):
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(fields)
    writer.writerows(rows)
    return buffer.getvalue()


def write_measured(path, table):
    write_text(path, csv_text(FIELDS, [(*key, value) for key, value in sorted(table.items())]))


def merge(path, kinds, board, profile, values):
    """Replaces what a table of measurements holds of these kinds for a board and a profile.
    values: {(kind, item): value}"""
    old = read_measured(path) if os.path.exists(path) else {}
    new = {key: value for key, value in old.items() if key[0] not in kinds or key[2:] != (board, profile)}
    new.update({(kind, item, board, profile): value for (kind, item), value in values.items()})
    write_measured(path, new)


def columns(rows, right=()):
    """Rows of text as aligned columns; the column numbers in `right` are aligned to the right."""
    if not rows:
        return ""
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            str(c).rjust(w) if i in right else str(c).ljust(w) for i, (c, w) in enumerate(zip(row, widths))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def main(function):
    """Runs a command line; a Fault is one message on stderr and exit status 1."""
    try:
        status = function()
    except Fault as fault:
        print(f"{sys.argv[0].rsplit('/', 1)[-1]}: {fault}", file=sys.stderr)
        status = 1
    except BrokenPipeError:
        status = 1
    sys.exit(status)
