# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""CSV files with named columns, as loggers write them; an error names file, line and column.

The first line that is neither empty nor begins with # is the header; columns may stand in any order and columns
nobody asked for are not looked at, so they may hold anything. What is asked for is complete or refused:
no cell is guessed, no row is dropped.

    log = read_columns("throws.csv", ("throw", "t", "x", "y", "theta"), ("vx", "vy", "omega"))
    for rows in groups_in_time(log, "throw", "t"):
        x = log["x"][rows]
"""
import csv
import io

import numpy as np

from .errors import TinycontactError
from .model import read_text, write_whole
from .tables import as_text, number_in

GAP = 1.5   # times the median step: more is a gap, for a step that is missing doubles the interval


class Columns:
    """The columns of a file: log["x"] is float64 [rows]. `lines` are the rows' line numbers, for messages;
    an optional column that the file lacks is not in `names`."""

    def __init__(self, path, lines, values):
        self.path, self.lines, self._values = path, lines, values

    @property
    def names(self):
        return tuple(self._values)

    def __len__(self):
        return len(self.lines)

    def __contains__(self, name):
        return name in self._values

    def __getitem__(self, name):
        return self._values[name]

    def where(self, row, name=None):
        """'file, line 7, column y', as every message begins."""
        return f"{self.path}, line {self.lines[row]}" + (f", column {name}" if name else "")

    def stacked(self, names):
        """float64 [rows, names]."""
        return np.stack([self._values[name] for name in names], axis=1) if names else np.zeros((len(self), 0))


def _lines(path):
    """(line number, cells) of each line that says something."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    start = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells) and not cells[0].lstrip().startswith("#"):
                yield start, [cell.strip() for cell in cells]
            start = reader.line_num + 1
    except csv.Error as error:
        raise TinycontactError(f"{path}, line {start}: {error}") from None


def _header(path, line, names, required):
    for name in names:
        if name and names.count(name) > 1:
            raise TinycontactError(f"{path}, line {line}: two columns are named {name!r}")
    missing = [name for name in required if name not in names]
    if not missing:
        return
    hint = ""
    if len(names) == 1 and any(mark in names[0] for mark in ";\t"):
        hint = "; columns are separated by commas"
    raise TinycontactError(f"{path}, line {line}: no column {', '.join(missing)}; it has"
                           f" {', '.join(name or '(unnamed)' for name in names)}{hint}")


def _cell(text, told, gap):
    """The number in a cell; NaN for an empty cell where there may be a gap."""
    return np.nan if gap and text.lower() in ("", "nan") else number_in(text, told)


def read_columns(path, required, optional=(), words=None, gaps=()):
    """The Columns of a file. `words` gives an optional column the words it may hold: {"patch": {"point": 0.0}};
    any other cell of such a column is refused. Columns of `gaps` may have empty cells, which become NaN."""
    words = words or {}
    lines = _lines(path)
    line, header = next(lines, (0, None))
    if header is None:
        raise TinycontactError(f"{path}: is empty; wanted a header with {', '.join(required)}")
    _header(path, line, header, required)
    wanted = [(name, header.index(name)) for name in (*required, *optional) if name in header]
    numbers, values = [], {name: [] for name, _ in wanted}
    for line, cells in lines:
        where = f"{path}, line {line}"
        if len(cells) != len(header):
            raise TinycontactError(f"{where}: {len(cells)} fields, the header has {len(header)}")
        for name, column in wanted:
            told = f"{where}, column {name}"
            if name not in words:
                values[name].append(_cell(cells[column], told, name in gaps))
            elif cells[column] in words[name]:
                values[name].append(words[name][cells[column]])
            else:
                known = ", ".join(word or "(empty)" for word in words[name])
                raise TinycontactError(f"{told}: is {cells[column][:40]!r}, none of {known}")
        numbers.append(line)
    return Columns(path, numbers, {name: np.array(column, dtype=np.float64) for name, column in values.items()})


def groups_in_time(table, group, time):
    """The row numbers of each group (a throw), in the file's order, one array each. Refuses a group that is
    interrupted by another, times that do not increase, and gaps: a velocity estimated across one is wrong."""
    label, t = table[group], table[time]
    starts = [0, *(np.flatnonzero(np.diff(label)) + 1).tolist(), len(table)] if len(table) else [0]
    seen, found = set(), []
    for first, end in zip(starts, starts[1:]):
        if label[first] in seen:
            raise TinycontactError(f"{table.where(first, group)}: {group} {label[first]:g} goes on here after"
                                   " another began; sort the file")
        seen.add(label[first])
        step = np.diff(t[first:end])
        late = np.flatnonzero(step <= 0)
        if len(late):
            row = first + int(late[0]) + 1
            raise TinycontactError(f"{table.where(row, time)}: {t[row]:g} s is not after {t[row - 1]:g} s")
        wide = np.flatnonzero(step > GAP * np.median(step)) if len(step) else []
        if len(wide):
            row = first + int(wide[0]) + 1
            raise TinycontactError(f"{table.where(row, time)}: a gap of {step[wide[0]]:g} s, the others are"
                                   f" {np.median(step):g} s; give the rows after it a {group} of their own")
        found.append(np.arange(first, end))
    return found


def write_columns(path, header, columns):
    """Writes columns (numbers or words, one per row) as CSV, whole or not at all."""
    out = io.StringIO()
    out.write(",".join(header) + "\n")
    for row in zip(*columns):
        out.write(",".join(value if isinstance(value, str) else as_text(value) for value in row) + "\n")
    write_whole(path, out.getvalue().encode("utf-8"))
