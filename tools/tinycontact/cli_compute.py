# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact model eval, library call, library version: computing here or on a board."""
import contextlib
import platform
import sys
from pathlib import Path

import numpy as np

from . import tables
from .board import Board
from .errors import TinycontactError
from .format import VERSION
from .functions import FUNCTIONS, NAMES, UNARY, PsdInfo
from .library import Library
from .model import load, write_whole
from .net import U
from .progress import say

BACKENDS = ("portable", "cmsis-dsp", "double")
OUT_OF_RANGE_SHOWN = 3


def add_eval(p):
    p.description = "Compute a net's outputs and print them as CSV."
    p.add_argument("file", metavar="FILE.tcm")
    source = p.add_mutually_exclusive_group(required=True)
    source.add_argument("--input", metavar='"1,2,3"', help="one input")
    source.add_argument("--csv", metavar="FILE", help="one input per line (.csv or .npy)")
    p.add_argument("--net", metavar="NAME", help="the net, if the file has several")
    where(p, (*BACKENDS, "reference"), "; reference: NumPy in float64, without the library")
    p.add_argument("-o", "--output", metavar="FILE", help="write the outputs there (.csv or .npy)")
    p.set_defaults(run=run_eval)


def add_call(p):
    p.description = "Call a function of the library's matrix and elementary functions."
    p.epilog = """An ARGUMENT is a .npy or .csv file, or numbers: '1,2,3' for a vector,
'1,2;3,4' for a matrix.

examples:
  tinycontact library call --list
  tinycontact library call mat_mul '1,2;3,4' '1,0;0,1'"""
    p.add_argument("function", metavar="FUNCTION", nargs="?", help="a name that --list prints")
    p.add_argument("arguments", metavar="ARGUMENT", nargs="*")
    p.add_argument("--list", action="store_true", help="list the functions")
    where(p, BACKENDS)
    p.add_argument("-o", "--output", metavar="FILE", help="write the result there (.csv or .npy)")
    p.set_defaults(run=run_call)


def add_version(p):
    p.description = "Print the versions of the package, the file format, NumPy and the library."
    where(p, BACKENDS)
    p.set_defaults(run=run_version)


def where(p, backends, more=""):
    group = p.add_mutually_exclusive_group()
    group.add_argument("--backend", choices=backends, default="portable",
                       help="build of the library on this machine; double: in double"
                       " precision" + more
                       + " (default portable)")
    group.add_argument("--board", metavar="NAME",
                       help="an emulated board, as in `tinycontact board list`")


@contextlib.contextmanager
def backend(options):
    if options.board:
        with Board(options.board) as board:
            yield board
    elif options.backend == "double":
        yield Library(real="double")
    else:
        yield Library(options.backend)


def put(text, array, output):
    """`text` to standard output, or the array into a file."""
    if output is None:
        sys.stdout.write(text)
    elif output.endswith(".npy"):
        try:
            np.save(output, array)
        except OSError as error:
            raise TinycontactError(f"{output}: cannot be written ({error.strerror or error})") from None
    else:
        write_whole(output, text.encode("ascii"))


# ---- eval

def _net_of(options):
    model = load(options.file)
    if options.net is None and len(model.nets) > 1:
        names = ", ".join(net.name for net in model.nets)
        raise TinycontactError(f"{options.file}: has several nets; choose one with --net: {names}")
    try:
        return model[options.net] if options.net is not None else model.nets[0]
    except TinycontactError as error:
        raise TinycontactError(f"{options.file}: {error}") from None


def _warn_of_range(net, rows):
    if net.input_low is None:
        return
    slack = 2 * U * np.abs(rows)   # a float64 row may stand for the bound itself
    outside = np.argwhere((rows + slack < net.input_low) | (rows - slack > net.input_high))
    for row, k in outside[:OUT_OF_RANGE_SHOWN]:
        say(f"row {row + 1}: input {k + 1} = {rows[row, k]:g} lies outside the range of training,"
            f" {net.input_low[k]:g} to {net.input_high[k]:g}")
    if len(outside) > OUT_OF_RANGE_SHOWN:
        say(f"and {len(outside) - OUT_OF_RANGE_SHOWN} more outside the range of training")


def run_eval(options):
    net = _net_of(options)
    if options.input is not None:
        rows = tables.parse_words(options.input, "--input")
        if rows.shape[1] != net.n_in:
            raise TinycontactError(f"--input: {rows.shape[1]} numbers, net {net.name!r} takes {net.n_in}")
    else:
        rows = tables.read_rows(options.csv, net.n_in, f"net {net.name!r}")
    _warn_of_range(net, rows)
    if not options.board and options.backend == "reference":
        outputs = net.eval(rows)
    else:
        with backend(options) as where_to:
            outputs = where_to.open(options.file).net(net.name).eval(rows)
    put(tables.csv_text(outputs), outputs, options.output)


# ---- call

def _argument(text, parameter):
    """An argument's array, with the parameter's number of dimensions where it can be told."""
    if Path(text).suffix in (".npy", ".csv"):
        array = tables.read_npy(text) if text.endswith(".npy") else tables.read_table(text)
    else:
        array = tables.parse_words(text, f"argument {text[:30]!r}")
    vector = parameter is not None and len(parameter.dims) == 1
    if array.ndim == 2 and vector and 1 in array.shape:
        array = array.reshape(-1)
    return array


def _listing():
    lines = [f.describe() for f in FUNCTIONS.values()] + [f"{name}(x): of every element" for name in UNARY]
    return "\n".join([*lines, "atan2(y, x): of every pair of elements, [rad]",
                      "all_finite(x): True or False"]) + "\n"


def run_call(options):
    if options.list or options.function is None:
        if not options.list:
            raise TinycontactError("which function? --list lists them")
        sys.stdout.write(_listing())
        return
    name = options.function.removeprefix("tc_")
    if name not in NAMES:
        raise TinycontactError(f"no function {options.function!r}; --list lists them")
    inputs = FUNCTIONS[name].inputs if name in FUNCTIONS else [None] * len(options.arguments)
    if len(options.arguments) != len(inputs):
        raise TinycontactError(f"{name}: {len(options.arguments)} arguments given; takes"
                               f" {FUNCTIONS[name].describe()}")
    arguments = [_argument(text, parameter) for text, parameter in zip(options.arguments, inputs)]
    with backend(options) as where_to:
        result = where_to.call(name, *arguments)
    results = result if isinstance(result, tuple) else (result,)
    names = [p.name for p in FUNCTIONS[name].parameters if p.returned] if name in FUNCTIONS else [name]
    text = ""
    for title, value in zip(names, results):
        heading = f"# {title}\n" if len(names) > 1 else ""
        text += heading + (f"{value}\n" if isinstance(value, bool) else tables.csv_text(value))
    for value in results:
        if isinstance(value, PsdInfo):
            say(f"rank {value.rank}, residual {value.residual:g}" + (f", {value.note}" if value.note else ""))
    arrays = [value for value in results if not isinstance(value, PsdInfo)]
    if options.output and options.output.endswith(".npy") and len(arrays) > 1:
        raise TinycontactError(f"{options.output}: {name} gives {len(arrays)} arrays; write them to a .csv")
    put(text, arrays[0], options.output)


# ---- version

def run_version(options):
    from . import __version__
    print(f"tinycontact package {__version__}, model format {VERSION}, numpy {np.__version__},"
          f" Python {platform.python_version()}")
    sys.stdout.flush()
    with backend(options) as where_to:
        print(f"library: {where_to.build_text()}")
