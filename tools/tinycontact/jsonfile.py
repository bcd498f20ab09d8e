# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""JSON files: read with errors that name file, entry and field; written whole or not at all."""
import json

import numpy as np

from .errors import TinycontactError
from .model import read_text, write_whole


def _refuse(word):
    raise ValueError(f"{word} is not a number that JSON knows")


def _whole(digits):
    """Longer than any float's, it is infinite: Python reads no more than some thousand digits, and says not where."""
    return int(digits) if len(digits) <= 309 else float(digits)


def _other_kind(path, text):
    """What a file that is no JSON seems to be, or None."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if first.startswith("<"):
        what = "a URDF" if "<robot" in text else "an MJCF" if "<mujoco" in text else "XML"
        return f"it is {what}; `tinycontact leg import` makes a chain file of a URDF or MJCF"
    if first and first[0] not in '{["' and max(map(first.count, ",;\t")) > 0:
        return "it looks like a CSV"
    return None


def read_json(path, constants=False):
    """The value in a file; NaN and Infinity, which JSON does not know, are refused unless `constants`. A "$schema" of an
    object is for editors and left out."""
    text = read_text(path)
    try:
        value = json.loads(text, parse_constant=float if constants else _refuse, parse_int=_whole)
    except json.JSONDecodeError as error:
        if other := _other_kind(path, text):
            raise TinycontactError(f"{path}: is no JSON: {other}") from None
        raise TinycontactError(f"{path}, line {error.lineno}, column {error.colno}: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise TinycontactError(f"{path}: {error}") from None
    if isinstance(value, dict):
        value.pop("$schema", None)
    return value


def write_json(path, value):
    """One entry of a list per line, so that a difference between two files can be read."""
    if isinstance(value, list):
        text = "[\n" + ",\n".join(" " + json.dumps(entry, allow_nan=False) for entry in value) + "\n]\n"
    else:
        text = json.dumps(value, indent=1, allow_nan=False) + "\n"
    write_whole(path, text.encode("utf-8"))


def number(value, where):
    """A finite number, or an error that begins with `where`."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TinycontactError(f"{where}: is {json.dumps(value)[:40]}, not a number")
    try:
        value = float(value)
    except OverflowError:
        value = np.inf
    if np.isnan(value):
        raise TinycontactError(f"{where}: is NaN, not a number")
    if np.isinf(value):
        raise TinycontactError(f"{where}: is too large")
    return value


def read_records(path, fields, what):
    """float64 [entries, fields] from a list of objects that have all the fields; others are not looked at."""
    entries = read_json(path)
    if not isinstance(entries, list):
        raise TinycontactError(f"{path}: wanted a list of {what}, [{{...}}, ...]")
    rows = []
    for index, entry in enumerate(entries):
        where = f"{path}, entry {index}"
        if not isinstance(entry, dict):
            raise TinycontactError(f"{where}: is no object with {', '.join(fields)}")
        missing = [field for field in fields if field not in entry]
        if missing:
            raise TinycontactError(f"{where}: no field {', '.join(missing)}")
        rows.append([number(entry[field], f"{where}, field {field}") for field in fields])
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(fields))
