# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tinycontact model inspect, check, export, layout, strip and quantise: model files."""
import json
import re
import sys

import numpy as np

from . import tables
from .cexport import export_c
from .errors import TinycontactError
from .format import CORE_TILES, VERSION
from .library import Library
from .model import Model, load, load_with_info, read_bytes
from .net import ACTIVATIONS, HEADS, WEIGHTS, Net
from .quantisation import quantise
from .record_system import SystemRecord
from .strip import strip

ARRAYS = ("input_mean", "input_scale", "output_mean", "output_scale", "input_low", "input_high")
EXPORT = """keys of WEIGHTS.npz; all but the weights may be missing, the others in pairs:
  W0, b0, W1, b1, ...       weights [n_out, n_in], as in PyTorch, and biases (--transpose:
                            weights [n_in, n_out])
  input_mean, input_scale   normalised input = (input - mean) * scale
  output_mean, output_scale output = last layer * scale + mean
  input_low, input_high     range of the training inputs

examples:
  tinycontact model export weights.npz --activation tanh -o net.tcm
  tinycontact model export weights.npz --c net --weights i8 --sample-data inputs.csv"""


def add_inspect(p):
    p.description = "Show the contents of a model file: nets, workspace, training range, metadata."
    p.add_argument("file", metavar="FILE.tcm")
    p.add_argument("--json", action="store_true", help="print JSON")
    p.set_defaults(run=run_inspect)


def add_check(p):
    p.description = """Check every rule of docs/reference/model-file.md with a second reader. Then open
the file with this machine's build of the library and run the file's self-test."""
    p.add_argument("file", metavar="FILE.tcm")
    p.add_argument("--no-library", action="store_true",
                   help="check the rules only; needs no compiler")
    p.set_defaults(run=run_check)


def add_export(p):
    p.description = "Make a model file, or C code, or both from the weights in a .npz file."
    p.epilog = EXPORT
    p.add_argument("file", metavar="WEIGHTS.npz")
    p.add_argument("--name", default="net", help="name of the net (default net)")
    p.add_argument("--activation", default="tanh", metavar="A[,A...]",
                   help="activation of the hidden layers, the last layer being identity; or one"
                   " per layer:"
                   f" {', '.join(ACTIVATIONS)} (default tanh)")
    p.add_argument("--head", choices=HEADS, default="linear",
                   help="head of the net (default linear)")
    p.add_argument("--mean", default="input_mean", metavar="KEY",
                   help="key of the inputs' mean (default input_mean)")
    p.add_argument("--scale", default="input_scale", metavar="KEY",
                   help="key of the inputs' scale (default input_scale)")
    p.add_argument("--transpose", action="store_true", help="the weights are [n_in, n_out]")
    p.add_argument("--weights", choices=WEIGHTS, default="f32",
                   help="f32: float32; i8: int8 weights; i8-act: int8 weights and activations; i8"
                   " and i8-act need"
                   " --sample-data (default f32)")
    p.add_argument("--sample-data", metavar="FILE",
                   help="typical inputs (.csv, .npy): some are stored for the self-test, all set"
                   " the int8 scales")
    p.add_argument("--samples", type=int, default=8, metavar="N",
                   help="number of inputs to store (default 8)")
    p.add_argument("--step-size", type=float, default=0.0, metavar="S", help="time step of training [s]")
    p.add_argument("--metadata", metavar="FILE.json", help="a JSON object to store")
    core(p)
    _outputs(p)
    p.set_defaults(run=run_export)


def add_layout(p):
    p.description = """Arrange the weights of a model file for another core's kernels. Contents
and content hash stay the same."""
    p.add_argument("file", metavar="IN.tcm")
    core(p)
    p.add_argument("-o", "--output", metavar="OUT.tcm", required=True)
    p.set_defaults(run=run_layout)


def add_strip(p):
    p.description = """Remove self-test samples, metadata and everything else that only desktop
tools read. With --c the model becomes C constants, which need no reader on the target."""
    p.add_argument("file", metavar="IN.tcm")
    core(p)
    _outputs(p)
    p.set_defaults(run=run_strip)


def add_quantise(p):
    p.description = "Turn a net's weights into int8 and report the error on sample data."
    p.add_argument("file", metavar="IN.tcm")
    p.add_argument("--data", required=True, metavar="FILE", help="typical inputs (.csv, .npy)")
    p.add_argument("--net", metavar="NAME",
                   help="the net to change, if the file has several; the others stay")
    p.add_argument("--weights", choices=WEIGHTS[1:], default="i8-act",
                   help="i8: int8 weights; i8-act: int8 weights and activations (default i8-act)")
    core(p)
    p.add_argument("--json", action="store_true", help="print the report as JSON")
    p.add_argument("-o", "--output", metavar="OUT.tcm", required=True)
    p.set_defaults(run=run_quantise)


def _outputs(p):
    p.add_argument("--c", metavar="PREFIX", help="write PREFIX.c and PREFIX.h, with or without -o")
    p.add_argument("-o", "--output", metavar="OUT.tcm", help="the model file to write")


def core(p):
    p.add_argument("--core", choices=tuple(CORE_TILES), default="cortex-m4",
                   help="core whose kernels the weights are arranged for; helium: M55 (default"
                   " cortex-m4, which serves"
                        " M7 too)")


# ---- inspect

def _layer_facts(layer, tile):
    facts = {"n_in": layer.n_in, "n_out": layer.n_out, "activation": layer.activation, "tile": list(tile)}
    values = layer.weights.astype(np.float64)
    if layer.scale is not None:
        values = values * layer.scale[:, None].astype(np.float64)
    return {**facts, "weight_low": values.min(), "weight_high": values.max()}


def facts(model, info):
    """All that `model inspect` shows, as plain values."""
    nets = []
    for net, tiles in zip(model.nets, info.tiles):
        arrays = {name: None if getattr(net, name) is None else getattr(net, name).tolist()
                  for name in ARRAYS}
        nets.append({"name": net.name, "n_in": net.n_in, "n_out": net.n_out, "width": net.width,
                     "head": net.head,
                     "weights": net.weights, "input_quant": float(net.input_quant), **arrays,
                     "parameters": sum(layer.weights.size + layer.bias.size for layer in net.layers),
                     "layers": [_layer_facts(layer, tile) for layer, tile in zip(net.layers, tiles)],
                     "samples": len(net.samples), "tolerance": float(net.samples.tolerance)})
    return {"format_version": VERSION, "size": info.size, "trailing_bytes": info.trailing,
            "crc": f"{info.crc:#010x}",
            "hash": info.hash, "hash_fits": info.hash_fits, "step_size": float(model.step_size),
            "metadata": model.metadata,
            "contact": None if model.contact is None else model.contact.as_dict(), "nets": nets}


def _short(values, most=8):
    words = [f"{v:.6g}" for v in values[:most]]
    return ", ".join(words) + (f", ... ({len(values)})" if len(values) > most else "")


def _net_lines(net):
    yield (f"net {net['name']}: {net['n_in']} inputs, {net['n_out']} outputs, {len(net['layers'])} layers,"
           f" {net['head']} head, {net['weights']} weights, {net['parameters']} parameters")
    for k, layer in enumerate(net["layers"]):
        yield (f"  layer {k}: {layer['n_in']:3} -> {layer['n_out']:3} {layer['activation']:8}"
               f" weights {layer['weight_low']:.4g} to {layer['weight_high']:.4g},"
               f" tiles {layer['tile'][0]} x {layer['tile'][1]}")
    for name in ARRAYS:
        if net[name] is not None:
            yield f"  {name:12} {_short(net[name])}"
    if net["input_quant"]:
        yield f"  input_quant  {net['input_quant']:.6g} steps per unit of normalised input"
    padded = (net["width"] + 15) // 16 * 16
    yield f"  work         {2 * padded} floats to evaluate, {(len(net['layers']) + 2) * padded} for gradients"
    yield f"  samples      {net['samples']}, tolerance {net['tolerance']:.3g}"


def _contact_lines(record):
    if isinstance(record, SystemRecord):
        yield from record.lines()
        return
    contact = record.as_dict()
    moments = ", ".join(f"{value:.6g}" for value in contact["inertia"] if value)
    yield (f"contact model of a {contact['kind']} body: mass {contact['mass']:.6g} kg, inertia {moments}"
           f" kg m^2 (tolerance {100 * contact['tolerance']:.3g} %)")
    gravity = f"{contact['gravity']:.4g} m/s^2" if contact["gravity"] else "not stated"
    yield (f"  restitution {contact['restitution']:.3g}, gravity {gravity}, positions {contact['positions']},"
           f" feature map {contact['features']}, target {contact['target']}")
    if "friction" in contact:
        yield f"  outside the training range: Coulomb friction, coefficient {contact['friction']:.4g}"
    for dimension, patch in contact["patches"].items():
        yield (f"  patch dimension {dimension}: features {', '.join(patch['groups'])};"
               f" temperature {patch['temperature']:.4g}")


def run_inspect(options):
    model, info = load_with_info(options.file)
    shown = facts(model, info)
    if options.json:
        print(json.dumps(shown, indent=2, ensure_ascii=False))
        return
    print(f"{options.file}: format version {shown['format_version']}, {shown['size']} bytes, CRC"
          f" {shown['crc']} good")
    if shown["trailing_bytes"]:
        print(f"  followed by {shown['trailing_bytes']} bytes that are no part of it")
    print(f"  contents {shown['hash']}, " + ("hash verified" if shown["hash_fits"] else "HASH DOES NOT FIT"))
    print("  step size " + (f"{shown['step_size']:g} s" if shown["step_size"] else "not stated"))
    for key, value in shown["metadata"].items():
        print(f"  {key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}")
    if model.contact is not None:
        print("\n".join(_contact_lines(model.contact)))
    for net in shown["nets"]:
        print("\n".join(_net_lines(net)))


# ---- check

def run_check(options):
    model, info = load_with_info(options.file)
    if not info.hash_fits:
        raise TinycontactError(f"{options.file}: header, hash (byte 16): contents have {model.hash()}, the"
                               f" file says"
                               f" {info.hash}")
    print(f"{options.file}: every rule of format version {VERSION} kept, CRC and content hash fit")
    if model.contact is not None:
        print("\n".join(_contact_lines(model.contact)))
    if options.no_library:
        return
    library = Library()
    opened = library.open(options.file)
    try:
        seen = opened.selftest()
    except TinycontactError as error:
        raise TinycontactError(f"{options.file}: {error}") from None
    print(f"{options.file}: opened by {library.build_text()}; {seen['samples']} samples reproduced, largest"
          f" error"
          f" {seen['max_error']:.3g}")


# ---- export

def _arrays(options):
    """(layers as (W, b), the other arrays) of the .npz, every key accounted for."""
    found = tables.read_npz(options.file)
    names = dict(zip(ARRAYS, (options.mean, options.scale, *ARRAYS[2:])))
    other = {name: found.pop(key) for name, key in names.items() if key in found}
    for name, key in names.items():
        if key != name and name not in other:
            raise TinycontactError(f"{options.file}: key {key!r} is missing; there are: {', '.join(found)}")
    layers = []
    while f"W{len(layers)}" in found or f"b{len(layers)}" in found:
        pair = []
        for key in (f"W{len(layers)}", f"b{len(layers)}"):
            if key not in found:
                raise TinycontactError(f"{options.file}: key {key!r} is missing")
            pair.append(found.pop(key))
        layers.append(pair)
    if found:
        raise TinycontactError(f"{options.file}: key {next(iter(found))!r} is not known (W0, b0, W1, ...,"
                               f" without gaps,"
                               f" and {', '.join(names.values())})")
    if not layers:
        raise TinycontactError(f"{options.file}: key 'W0' is missing")
    return layers, other


def _build(options):
    layers, other = _arrays(options)
    words = options.activation.split(",")
    if len(words) == 1:
        words = words * (len(layers) - 1) + ["identity"]
    if len(words) != len(layers):
        raise TinycontactError(f"--activation: {len(words)} given for {len(layers)} layers")
    if options.transpose:
        layers = [(np.transpose(weights), bias) for weights, bias in layers]
    try:
        return Net(options.name, [(w, b, a) for (w, b), a in zip(layers, words)], options.head, samples=0,
                   **other)
    except TinycontactError as error:
        named = re.sub(r"layer (\d+), weights", r"W\1", str(error))   # the key says more than the position
        named = re.sub(r"layer (\d+), bias", r"b\1", named)
        raise TinycontactError(f"{options.file}: {named}") from None


def _metadata(path):
    try:
        value = json.loads(read_bytes(path).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise TinycontactError(f"{path}: is not JSON ({error})") from None
    if not isinstance(value, dict):
        raise TinycontactError(f"{path}: is JSON, but not an object")
    return value


def run_export(options):
    _wants_output(options)
    net = _build(options)
    data = None
    if options.sample_data:
        data = tables.read_rows(options.sample_data, net.n_in, f"net {net.name!r}")
    elif options.weights != "f32":
        raise TinycontactError(f"--weights {options.weights}: needs --sample-data to find the scales")
    net.set_samples(max(0, options.samples) if data is None else data[:max(0, options.samples)])
    if options.weights != "f32":
        net, report = quantise(net, data, options.weights)
        print(report)
    _write(Model([net], options.step_size, _metadata(options.metadata) if options.metadata else {}), options)


def _write(model, options):
    """The file, the C pair, or both."""
    written = []
    if options.output:
        model.save(options.output, options.core)
        written.append(options.output)
    if options.c:
        written += [str(path) for path in export_c(model, options.c, options.core)]
    print(f"{', '.join(written)}: contents {model.hash()}")


def _wants_output(options):
    if not options.output and not options.c:
        raise TinycontactError("nothing to write: give -o OUT.tcm, --c PREFIX, or both")


# ---- layout, strip, quantise

def run_layout(options):
    model, info = load_with_info(options.file)
    if not info.hash_fits:
        raise TinycontactError(f"{options.file}: header, hash (byte 16): does not fit the contents")
    model.save(options.output, options.core)
    print(f"{options.output}: laid out for {options.core}, contents {model.hash()}")


def run_strip(options):
    _wants_output(options)
    model, info = load_with_info(options.file)
    if not info.hash_fits:
        raise TinycontactError(f"{options.file}: header, hash (byte 16): does not fit the contents")
    try:
        _write(strip(model), options)
    except TinycontactError as error:
        raise TinycontactError(f"{options.file}: {error}") from None


def run_quantise(options):
    model = load(options.file)
    if options.net is None and len(model.nets) > 1:
        names = ", ".join(net.name for net in model.nets)
        raise TinycontactError(f"{options.file}: has several nets; choose one with --net: {names}")
    try:
        net = model.nets[0] if options.net is None else model[options.net]
        data = tables.read_rows(options.data, net.n_in, f"net {net.name!r}")
        result, report = quantise(net, data, options.weights)
    except TinycontactError as error:
        if str(error).startswith(str(options.data)):
            raise
        raise TinycontactError(f"{options.file}: {error}") from None
    nets = [result if other is net else other for other in model.nets]
    Model(nets, model.step_size, model.metadata, model.contact).save(options.output, options.core)
    sys.stdout.write(json.dumps(report.as_dict(), indent=2) + "\n" if options.json else f"{report}\n")
