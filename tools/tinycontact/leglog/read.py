# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A log of a leg as CSV, in the chain file's axes and signs (hil/chain_file.py): x forward, y to the left, z up.

    log = read("log.csv", "t_ns=stamp,q1=hip,q2=-knee_deg*0.0174533")
    log.time, log.q, log.tau      # [T] s, [T, n] rad or m, [T, n] N m or N

A column is found by its role's name, or named by `columns`: ROLE=COLUMN, ROLE=-COLUMN with the other sign,
ROLE=COLUMN*NUMBER in another unit, ROLE=COLUMN+NUMBER with another zero (of the unit times NUMBER), ROLE=COLUMN@ROWS
with the value of as many rows before (0.5: the mean of this row and the one before; less than 0: of rows behind), and
contact=COLUMN>NUMBER, true where the column is greater (-COLUMN>NUMBER, COLUMN<NUMBER). A unit may also follow the
role's name: t_ns, q1_deg, gyro_y_deg, accel_x_g.

    t              time; s, or t_ms, t_us, t_ns
    q1 ... qn      joint coordinates, hip first; rad or m, or _deg, _turn, _mm. q0 ... are taken, too
    dq1 ... dqn    their rates, optional
    tau1 ... taun  torques of the motors on the links; N m or N, or _mNm; or
    current1 ...   currents of the motors; A, or _mA
    gyro_y         turn rate of the base about y, nose down positive; rad/s, or _deg
    accel_x, accel_z  specific force of the base, in its axes: (0, 9.81) at rest; m/s^2, or _g
    pitch          angle of the base about y, nose down positive, optional; rad, or _deg
    base_velocity  velocity of the base along x, optional; m/s
    touch          a touch sensor, 0 to 1, optional
    contact        what was true, 0 or 1, optional: estimates are scored by it

A row without a number in a sensor's column counts as lost. gyro_x, gyro_z and accel_y are read for the checks alone.
"""
import csv
import difflib
import gzip
import io
import re
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import TinycontactError
from ..model import read_bytes

JOINT_ROLES = ("q", "dq", "tau", "current")
BASE_ROLES = ("gyro_x", "gyro_y", "gyro_z", "accel_x", "accel_y", "accel_z")
OPTIONAL_ROLES = ("pitch", "base_velocity", "touch", "contact")
DEGREE = np.pi / 180
G = 9.80665   # [m/s^2] of a sensor's "g"
UNITS = {
    "t": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    "q": {"rad": 1.0, "deg": DEGREE, "turn": 2 * np.pi, "m": 1.0, "mm": 1e-3},
    "dq": {"rad": 1.0, "deg": DEGREE, "turn": 2 * np.pi, "rpm": np.pi / 30, "m": 1.0, "mm": 1e-3},
    "tau": {"Nm": 1.0, "N": 1.0, "mNm": 1e-3},
    "current": {"A": 1.0, "mA": 1e-3},
    "gyro": {"rad": 1.0, "deg": DEGREE},
    "accel": {"m": 1.0, "g": G, "mg": 1e-3 * G},
    "pitch": {"rad": 1.0, "deg": DEGREE},
    "base_velocity": {"m": 1.0}, "touch": {}, "contact": {},
}
OTHER_NAMES = {"time": "t", "timestamp": "t", "torque": "tau", "gyro": "gyro_y", "pos": "q", "vel": "dq"}
ROLE = re.compile(r"(t|(?:q|dq|tau|current)(?=\d)|(?:gyro|accel)_[xyz]|pitch|base_velocity|touch|contact)"
                  r"(\d?)(?:_([A-Za-z]+))?")
TAIL = re.compile(r"@([-+]?[0-9.]+)$|([<>])([-+]?[0-9.]+(?:e[-+]?\d+)?)$", re.IGNORECASE)   # behind a column's name
MOST_ROWS = 200       # that a column is moved by
THRESHOLDS = ("contact", "touch")
MOST_BYTES = 1 << 31
SEPARATORS = ",;\t"
WORDS = {"true": 1.0, "false": 0.0, "": np.nan}


@dataclass
class Log:
    """A row per sample, in the file's order; SI units, the chain file's signs. What is None was not in the file."""
    path: str
    time: np.ndarray                     # [T] since the first sample [s]
    q: np.ndarray                        # [T, n]
    dq: np.ndarray = None                # [T, n]
    tau: np.ndarray = None               # [T, n]
    current: np.ndarray = None           # [T, n] [A]
    gyro: np.ndarray = None              # [T] about y
    accel: np.ndarray = None             # [T, 2] x, z
    pitch: np.ndarray = None             # [T] about y
    base_velocity: np.ndarray = None     # [T]
    touch: np.ndarray = None             # [T]
    contact: np.ndarray = None           # [T] 0, 1
    beside: dict = field(default_factory=dict)    # gyro_x, gyro_z, accel_y: {name: [T]}
    lines: np.ndarray = None             # [T] of the file
    columns: dict = field(default_factory=dict)   # {role: (the file's column, factor, offset)}
    words: dict = field(default_factory=dict)     # {role: ROLE=COLUMN of --columns}

    def __len__(self):
        return len(self.time)

    @property
    def joints(self):
        return self.q.shape[1]

    def sensors(self):
        """{name: array} of what must be there in each row."""
        return {name: getattr(self, name) for name in ("q", "dq", "tau", "current", "gyro", "accel", "pitch")
                if getattr(self, name) is not None}

    def where(self, row):
        return f"{self.path}, line {self.lines[row]}"


# ---- Names

def role_of(name):
    """(role, factor) of a column's name, or None: ("q2", pi / 180) of q2_deg."""
    plain = re.sub(r"[\[\(]?_?(\d)[\]\)]?", r"\1", TAIL.sub("", name).strip(), count=1)
    for other, known in OTHER_NAMES.items():
        plain = re.sub(rf"^{other}(?=$|\d|_[a-z]+$)(?!_[xyz])", known, plain)
    found = ROLE.fullmatch(plain)
    if not found:
        return None
    kind, number, unit = found.groups()
    units = UNITS[kind.split("_")[0] if kind[:4] in ("gyro", "acce") else kind]
    if unit and unit not in units:
        return None
    return kind + number, units.get(unit, 1.0)


def _mapping(text, names, path):
    """({role: (column, factor, offset)}, {role: its word}) of --columns; the last word of a role counts."""
    chosen, words = {}, {}
    for word in filter(None, (part.strip() for part in (text or "").split(","))):
        left, mark, right = word.partition("=")
        role = role_of(left)
        if not mark or role is None:
            raise TinycontactError(f"columns: {word!r} is no ROLE=COLUMN; roles are t, q1, dq1, tau1, current1, ...,"
                                   " gyro_y, accel_x, accel_z, pitch, base_velocity, touch, contact")
        column, factor, offset = _source(right.strip(), names, path)
        chosen[role[0]], words[role[0]] = (column, factor * role[1], offset * role[1]), word
    return chosen, words


SOURCE = re.compile(r"(-?)(.+?)(?:\*([-+]?[0-9.]+(?:e[-+]?\d+)?))?([-+][0-9.]+(?:e[-+]?\d+)?)?", re.IGNORECASE)
AT = re.compile(r"(.+?)(@[-+]?[0-9.]+|[<>][-+]?[0-9.]+(?:e[-+]?\d+)?)(.*)", re.IGNORECASE)


def _source(text, names, path):
    """(column, factor, offset) of COLUMN, -COLUMN, COLUMN@ROWS*NUMBER+NUMBER, COLUMN>NUMBER; @ROWS and >NUMBER stay at
    the column's name."""
    if text in names:
        return text, (role_of(text) or ("", 1.0))[1], 0.0
    begin, tail, end = found.groups() if (found := AT.fullmatch(text)) else (text, "", "")
    sign, column, factor, offset = SOURCE.fullmatch(begin + end).groups() if begin else ("", "", None, None)
    if column not in names:
        near = difflib.get_close_matches(column, names, 1)
        guess = f"; did you mean {near[0]}?" if near else ""
        raise TinycontactError(f"{path}: no column {column!r}{guess}; it has {', '.join(names)}")
    try:
        if tail and not abs(float(tail[1:])) <= (MOST_ROWS if tail[0] == "@" else 1e9):
            raise TinycontactError(f"columns: {text!r} moves the column by more than {MOST_ROWS} rows" if tail[0] == "@" else
                                   f"columns: {text!r}: the threshold is beyond 1e9")
        if tail[:1] in ("<", ">") and sign:   # -COLUMN > NUMBER
            sign, tail = "", f"{'<' if tail[0] == '>' else '>'}{-float(tail[1:]):.17g}"
        scale = (-1.0 if sign else 1.0) * float(factor or 1)
        return column + tail, scale * (role_of(column) or ("", 1.0))[1], float(offset or 0)
    except ValueError:
        raise TinycontactError(f"columns: {text!r} has no number where one is wanted") from None


def _column(source, names):
    """(column, rows that it is moved by, threshold or None, whether it is to be above) of a source's name."""
    tail = None if source in names else TAIL.search(source)
    if tail is None:
        return source, 0.0, None, True
    return source[:tail.start()], float(tail[1] or 0), None if tail[3] is None else float(tail[3]), tail[2] == ">"


def delayed(source, rows):
    """The name of a column that is moved by as many rows more."""
    tail = TAIL.search(source)
    column, rows = (source[:tail.start()], rows + float(tail[1])) if tail and tail[1] else (source, rows)
    return f"{column}@{rows:g}" if rows else column


def _moved(values, rows, threshold, above):
    """[T] by rows, or 0 and 1 by a threshold."""
    if threshold is not None:
        return np.where(np.isnan(values), np.nan, values > threshold if above else values < threshold)
    at = np.clip(np.arange(len(values)) - rows, 0, len(values) - 1)
    low = np.floor(at).astype(int)
    part, high = at - low, np.minimum(low + 1, len(values) - 1)
    return np.where(part > 0, values[low] + part * (values[high] - values[low]), values[low])


def _assign(names, text, path):
    """({role: (column, factor, offset)}, {role: word}) of a header and --columns, which goes first."""
    chosen, words = _mapping(text, names, path)
    for role, (column, _, _) in chosen.items():
        if _column(column, names)[2] is not None and role not in THRESHOLDS:
            raise TinycontactError(f"columns: {words[role]!r}: a threshold makes contact or touch of a column, not"
                                   f" {role}")
    taken = {_column(column, names)[0] for column, _, _ in chosen.values()}
    for name in names:
        role = role_of(name)
        if role and name not in taken and role[0] not in chosen:
            chosen[role[0]] = (name, role[1], 0.0)
    return _from_one(chosen), {} if _from_one(chosen) != chosen else words


def _from_one(chosen):
    """Joints that are counted from 0 are counted from 1."""
    if not any(re.fullmatch(r"(q|dq|tau|current)0", role) for role in chosen):
        return chosen
    return {re.sub(r"^(q|dq|tau|current)(\d)$", lambda m: f"{m[1]}{int(m[2]) + 1}", role): source
            for role, source in chosen.items()}


# ---- Cells

def _text(path):
    data = read_bytes(path, MOST_BYTES)
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError) as error:
            raise TinycontactError(f"{path}: is a damaged gzip file ({error})") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TinycontactError(f"{path}: is no text (byte {error.start})") from None


def _header(path, text):
    """(names, separator, line number of the header, the rest of the text)."""
    at, number = 0, 0
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        line, number, at = text[at:end].strip(), number + 1, end
        if line and not line.startswith("#"):
            break
    else:
        raise TinycontactError(f"{path}: is empty; wanted a header with t, q1, tau1, ...")
    mark = max(SEPARATORS, key=line.count)
    names = [name.strip() for name in next(csv.reader([line], delimiter=mark))]
    if all(_number(name) is not None for name in names):
        raise TinycontactError(f"{path}, line {number}: the first line is the header: wanted names (t, q1, tau1, ...),"
                               " not numbers")
    twice = [name for name in names if name and names.count(name) > 1]
    if twice:
        raise TinycontactError(f"{path}, line {number}: two columns are named {twice[0]!r}")
    return names, mark, number, text[at:]


def _number(cell):
    try:
        return float(cell)
    except ValueError:
        return WORDS.get(cell.strip().lower())


def _quick(body, mark, columns):
    """[T, columns] by NumPy's reader, or None where a cell is no number, or a row is another."""
    if '"' in body or "#" in body or not body.strip():
        return None
    try:
        return np.loadtxt(io.StringIO(body), delimiter=mark, usecols=columns, ndmin=2)
    except ValueError:
        return None


def _slow(path, body, mark, names, columns, first):
    """(values [T, columns], lines [T]), cell by cell: gaps become NaN, anything else is an error with its place."""
    rows, lines = [], []
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=mark)
    for cells in reader:
        line = first + reader.line_num
        if not any(cell.strip() for cell in cells) or cells[0].lstrip().startswith("#"):
            continue
        if len(cells) != len(names):
            raise TinycontactError(f"{path}, line {line}: {len(cells)} fields, the header has {len(names)}")
        values = [_number(cells[k]) for k in columns]
        if None in values:
            k = columns[values.index(None)]
            comma = "; decimals have points" if "," in cells[k] else ""
            raise TinycontactError(f"{path}, line {line}, column {names[k]}: is {cells[k][:40]!r}, not a number{comma}")
        rows.append(values)
        lines.append(line)
    return np.array(rows, float).reshape(-1, len(columns)), np.array(lines, int)


def _values(path, text, names, mark, number, columns):
    values = _quick(text, mark, columns)
    whole = values is not None and len(values) == text.count("\n") + (not text.endswith("\n"))
    if whole:
        return values, number + 1 + np.arange(len(values))
    return _slow(path, text, mark, names, columns, number)


# ---- The log

def read(path, columns=None):
    """The Log in a CSV file (.gz, too). `columns`: as above, ROLE=COLUMN separated by commas."""
    names, mark, number, body = _header(path, _text(path))
    chosen, words = _assign(names, columns if isinstance(columns, str) else ",".join(columns or ()), path)
    _complete(path, chosen, names)
    sources = [_column(source[0], names) for source in chosen.values()]
    values, lines = _values(path, body, names, mark, number, [names.index(column) for column, *_ in sources])
    if len(values) < 2:
        raise TinycontactError(f"{path}: has {len(values)} rows; wanted a log")
    values[~np.isfinite(values)] = np.nan
    values = np.column_stack([_moved(values[:, k], *moves) for k, (_, *moves) in enumerate(sources)])
    found = {role: values[:, k] * factor + offset for k, (role, (_, factor, offset)) in enumerate(chosen.items())}
    _known(path, found, lines, chosen)
    return replace(_log(path, found, lines, chosen), words=words)


def _known(path, found, lines, chosen):
    """Refuses sensors without any number, and a truth that is neither 0 nor 1."""
    for role, values in found.items():
        kind = role.rstrip("0123456789")
        if (kind in JOINT_ROLES or role in BASE_ROLES or role == "pitch") and not np.any(np.isfinite(values)):
            raise TinycontactError(f"{path}, column {chosen[role][0]}: has no number in any row; name another column"
                                   f" for {role}, or leave it out if the leg does not need it")
    contact = found.get("contact", np.zeros(0))
    odd = np.flatnonzero(np.isfinite(contact) & (np.minimum(np.abs(contact), np.abs(contact - 1)) > 1e-6))
    if len(odd):
        least = f"{max(0.02 * np.nanmax(contact), 0.5):.1g}"
        raise TinycontactError(f"{path}, line {lines[odd[0]]}, column {chosen['contact'][0]}: contact is"
                               f" {contact[odd[0]]:.4g}, wanted 0 or 1. A force becomes that by a threshold:"
                               f" --columns 'contact={chosen['contact'][0]}>{least}'")


def _complete(path, chosen, names):
    """Refuses a header in which something that every leg needs is missing."""
    joints = _count(chosen, "q")
    if "t" not in chosen or not joints:
        lack = "t" if "t" not in chosen else "q1"
        raise TinycontactError(f"{path}: no column {lack}; it has {', '.join(names)}. Say which it is: --columns"
                               f" {_guess(lack, names)},...")
    for kind in JOINT_ROLES:
        given = sorted(int(role[len(kind):]) for role in chosen if re.fullmatch(rf"{kind}\d", role))
        if given and given != list(range(1, joints + 1)):
            lack = sorted(set(range(1, max(joints, given[-1]) + 1)) - set(given))
            if lack:
                raise TinycontactError(f"{path}: no column {kind}{lack[0]}; it has {', '.join(names)}")
            raise TinycontactError(f"{path}: {kind}{given[-1]} is of a joint more than q1 ... q{joints}")
    if not _count(chosen, "tau") and not _count(chosen, "current"):
        raise TinycontactError(f"{path}: no columns tau1 ... tau{joints}, nor current1 ...; it has {', '.join(names)}."
                               " Say which they are: --columns tau1=NAME,...")


def _guess(lack, names):
    """ROLE=NAME of a column that looks like time, or like a joint's angle."""
    words = {"t": ("time", "stamp", "clock"), "q1": ("pos", "angle", "enc", "hip")}[lack]
    near = [name for word in words for name in names if word in name.lower()]
    if not near:
        return f"{lack}=NAME"
    unit = next((unit for unit in ("ns", "us", "ms", "deg") if near[0].lower().endswith(unit)), "")
    return f"{lack}{unit and '_' + unit}={near[0]}"


def _count(chosen, kind):
    return sum(bool(re.fullmatch(rf"{kind}\d", role)) for role in chosen)


def _log(path, found, lines, chosen):
    def stacked(kind):
        count = _count(found, kind)
        return np.column_stack([found[f"{kind}{k + 1}"] for k in range(count)]) if count else None

    time = found["t"]
    lacking = np.flatnonzero(np.isnan(time))
    if len(lacking):
        raise TinycontactError(f"{path}, line {lines[lacking[0]]}, column {chosen['t'][0]}: a row without a time")
    accel = np.column_stack([found["accel_x"], found["accel_z"]]) if {"accel_x", "accel_z"} <= set(found) else None
    return Log(path=str(path), time=time - time[0], **{kind: stacked(kind) for kind in JOINT_ROLES},
               gyro=found.get("gyro_y"), accel=accel, **{name: found.get(name) for name in OPTIONAL_ROLES},
               beside={name: found[name] for name in ("gyro_x", "gyro_z", "accel_y") if name in found}, lines=lines,
               columns=chosen)
