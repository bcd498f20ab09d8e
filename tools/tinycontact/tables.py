# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Tables of numbers from .csv, .npy and .npz files, and words; an error names file, line and column.

CSV: commas, one row per line. A first line in which no cell is a number is a header. Empty lines and
lines that begin with # are skipped; every row has as many cells as the first.
"""
import csv
import io
import zipfile

import numpy as np

from .errors import TinycontactError
from .model import read_bytes, read_text


def number_in(cell, where):
    """The finite number in a cell, or an error that begins with `where`."""
    try:
        value = float(cell)
    except ValueError:
        said = "is empty" if not cell.strip() else f"is {cell.strip()[:40]!r}, not a number"
        raise TinycontactError(f"{where}: {said}") from None
    if not np.isfinite(value):
        raise TinycontactError(f"{where}: is {cell.strip()}, wanted a finite number")
    return value


def _is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def read_csv(path):
    """(array [rows, columns] of float64, header as a list of names or None)."""
    rows, header, width = [], None, None
    reader = csv.reader(io.StringIO(read_text(path), newline=""))
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells) or cells[0].lstrip().startswith("#"):
                continue
            where = f"{path}, line {reader.line_num}"
            if width is None and not any(_is_number(cell) for cell in cells):
                header, width = [cell.strip() for cell in cells], len(cells)
                continue
            width = width or len(cells)
            if len(cells) != width:
                raise TinycontactError(f"{where}: {len(cells)} columns, the first line has {width}")
            names = header or [""] * width
            rows.append([number_in(cell, f"{where}, column {k + 1}" + (f" ({names[k]})" if header else ""))
                         for k, cell in enumerate(cells)])
    except csv.Error as error:
        raise TinycontactError(f"{path}, line {reader.line_num}: {error}") from None
    if not rows:
        raise TinycontactError(f"{path}: has no row of numbers")
    return np.array(rows), header


def read_npy(path):
    read_bytes(path)   # says what is wrong with a file that cannot be read
    try:
        array = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise TinycontactError(f"{path}: is no .npy file ({error})") from None
    if not isinstance(array, np.ndarray):
        raise TinycontactError(f"{path}: holds several arrays; wanted one (.npy)")
    if array.dtype.kind not in "fiub":
        raise TinycontactError(f"{path}: holds {array.dtype}, wanted numbers")
    return array.astype(np.float64)


def read_npz(path):
    """{key: array} of a .npz file."""
    read_bytes(path)
    try:
        with np.load(path, allow_pickle=False) as file:
            if not hasattr(file, "files"):
                raise ValueError("one array, not a .npz")
            return {key: file[key] for key in file.files}
    except (ValueError, EOFError, OSError, KeyError, AttributeError, TypeError, zipfile.BadZipFile,
            zipfile.zlib.error) as error:
        raise TinycontactError(f"{path}: is no .npz file of arrays ({error})") from None


def read_table(path):
    """Rows of numbers from .npy or .csv: float64 [rows, columns]."""
    if str(path).endswith(".npy"):
        array = np.atleast_2d(read_npy(path))
        if array.ndim != 2:
            raise TinycontactError(f"{path}: has {array.ndim} dimensions, wanted rows of numbers")
        bad = np.argwhere(~np.isfinite(array))
        if len(bad):
            raise TinycontactError(f"{path}, element {bad[0].tolist()}: is {array[tuple(bad[0])]}, wanted a"
                                   f" finite number")
        return array
    return read_csv(path)[0]


def read_rows(path, n, what):
    """The same with n columns."""
    rows = read_table(path)
    if rows.shape[1] != n:
        raise TinycontactError(f"{path}: rows of {rows.shape[1]} numbers, {what} takes {n}")
    return rows


def parse_words(text, what):
    """'1,2,3' or, with rows, '1,2;3,4'."""
    rows = [[number_in(cell, f"{what}, row {k + 1}, number {j + 1}") for j, cell in enumerate(row.split(","))]
            for k, row in enumerate(text.split(";"))]
    if len({len(row) for row in rows}) > 1:
        raise TinycontactError(f"{what}: rows of different lengths")
    return np.array(rows)


def as_text(value):
    """A number so that reading it gives the same float32 or float64 again."""
    return format(float(value), ".9g" if isinstance(value, np.float32) else ".17g")


def csv_text(rows, header=None):
    lines = [",".join(header)] if header else []
    return "\n".join(lines + [",".join(as_text(v) for v in row) for row in np.atleast_2d(rows)]) + "\n"
