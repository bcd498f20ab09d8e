# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A model as a pair of C files: the same nets without a file to open, every number exact.

Floats are written as hexadecimal literals, which C11 reads without rounding. All definitions are in the .c
file; its .h declares each net and what a caller needs to size buffers, and is C and C++.
"""
import platform
import re
from pathlib import Path

import numpy as np

from .format import VERSION, tile_of, to_tiles
from .model import Model, write_whole
from .net import ACTIVATIONS, HEADS, WEIGHTS, Net

C_ACTIVATIONS = ("TC_IDENTITY", "TC_RELU", "TC_TANH", "TC_SIGMOID", "TC_SOFTPLUS")
C_WEIGHTS = ("TC_WEIGHT_F32", "TC_WEIGHT_I8", "TC_WEIGHT_I8_ACT")
C_HEADS = ("TC_HEAD_LINEAR", "TC_HEAD_SOFTMAX")
ARRAYS = ("input_mean", "input_scale", "output_mean", "output_scale", "input_low", "input_high")


def c_float(value):
    """A float literal with exactly this value: 0x1.8p+0f."""
    mantissa, exponent = float(value).hex().split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{exponent}f"


def c_name(text):
    name = re.sub(r"\W", "_", text, flags=re.ASCII)
    return "_" + name if not name or name[0].isdigit() else name


def _wrapped(words, width=108):
    lines, line = [], "   "
    for word in words:
        if len(line) + len(word) + 2 > width:
            lines.append(line)
            line = "   "
        line += f" {word},"
    return "\n".join(lines + [line])


def _array(name, values):
    """The definition of a constant array."""
    if values.dtype == np.int8:
        kind, words = "int8_t", (str(v) for v in values.tolist())
    else:
        kind, words = "float", (c_float(v) for v in values.tolist())
    return f"static const _Alignas(16) {kind} {name}[{len(values)}] = {{\n{_wrapped(words)}\n}};\n"


def _pad8(values):
    return np.concatenate([values, np.zeros(-len(values) % 8, np.float32)])


def _net(net, prefix, tile):
    """(definitions of arrays, the tc_net)."""
    rows, columns = tile
    arrays, layers = [], []
    for k, layer in enumerate(net.layers):
        base = f"{prefix}_{k}"
        arrays.append(_array(f"{base}_weights", to_tiles(layer.weights, rows, columns)))
        arrays.append(_array(f"{base}_bias", _pad8(layer.bias)))
        scale = "NULL"
        if layer.scale is not None:
            scale = f"{base}_scale"
            arrays.append(_array(scale, _pad8(layer.scale)))
        layers.append(f"        {{.weights = {base}_weights, .bias = {base}_bias, .scale = {scale},\n"
                      f"         .n_in = {layer.n_in}, .n_out = {layer.n_out},"
                      f" .activation = {C_ACTIVATIONS[ACTIVATIONS.index(layer.activation)]},\n"
                      f"         .weight = {C_WEIGHTS[WEIGHTS.index(net.weights)]}, .tile_rows = {rows},"
                      f" .tile_columns = {columns}}},\n")
    fields = []
    for name in ARRAYS:
        values = getattr(net, name)
        if values is not None:
            arrays.append(_array(f"{prefix}_{name}", values))
            fields.append(f"    .{name} = {prefix}_{name},\n")
    text = f"const tc_net {prefix}_net = {{\n    .layers = {{\n{''.join(layers)}    }},\n{''.join(fields)}"
    text += f"    .input_quant = {c_float(net.input_quant)},\n    .n_in = {net.n_in}, .n_out = {net.n_out},"
    text += f" .width = {net.width}, .n_layers = {len(net.layers)},\n"
    text += f"    .head = {C_HEADS[HEADS.index(net.head)]},\n}};\n"
    return "\n".join(arrays) + "\n" + text


def _shape(net):
    chain = [str(net.n_in)] + [f"{layer.n_out} {layer.activation}" for layer in net.layers]
    return f"{net.name}: {' - '.join(chain)}, {net.head} head, {net.weights} weights"


def _stamp(model, core, tile, what):
    from . import __version__
    lines = [f" * {what}", " *"] + [f" *   {_shape(net)}" for net in model.nets]
    lines += [f" * Contents {model.hash()}, format version {VERSION}, laid out for"
              f" {core if tile is None else tile};",
              f" * made by tinycontact {__version__}, numpy {np.__version__}, Python"
              f" {platform.python_version()}: do not"
              " edit."]
    return "/*\n" + "\n".join(lines) + "\n */\n"


def _header(model, names, stamp, guard):
    parts = [stamp, f"#ifndef {guard}\n#define {guard}\n\n#include \"tc_net.h\"\n\nTC_BEGIN\n\n"]
    for net, name in zip(model.nets, names):
        upper = name.upper()
        parts.append(f"#define {upper}_N_IN {net.n_in}\n#define {upper}_N_OUT {net.n_out}\n"
                     f"#define {upper}_WORK TC_NET_WORK({net.width}) /* tc_real for tc_net_eval */\n"
                     f"#define {upper}_GRAD_WORK TC_NET_GRAD_WORK({net.width}, {len(net.layers)})"
                     f" /* tc_real for tc_net_grad */\nextern const tc_net {name}_net;\n\n")
    parts.append(f"#define {guard[:-2]}_HASH \"{model.hash()}\"\n\nTC_END\n\n#endif\n")
    return "".join(parts)


def export_c(model, prefix, core="cortex-m4", tile=None):
    """Writes <prefix>.c and <prefix>.h; the paths. One net is called <prefix>_net, several are
    <prefix>_<name of the net>_net. Like every net from C, have it looked at once by tc_net_check."""
    model = Model([model]) if isinstance(model, Net) else model
    model.to_bytes(core, tile)   # refuses what a target would refuse
    prefix = Path(prefix)
    base = c_name(prefix.name)
    names = [base] if len(model.nets) == 1 else [f"{base}_{c_name(net.name)}" for net in model.nets]
    names = [name if names.index(name) == k else f"{name}_{k}" for k, name in enumerate(names)]
    header = prefix.with_name(prefix.name + ".h")
    source = prefix.with_name(prefix.name + ".c")
    text = _stamp(model, core, tile, "Nets with exact weights.") + f"#include \"{header.name}\"\n\n"
    text += "\n".join(_net(net, name, tile_of(net, core, tile)) for net, name in zip(model.nets, names))
    write_whole(header, _header(model, names, _stamp(model, core, tile, f"Nets of {source.name}."),
                                f"{base.upper()}_H").encode("ascii"))
    write_whole(source, text.encode("ascii"))
    return source, header
