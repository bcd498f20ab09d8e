# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A model as a pair of C files: the same nets without a file to open, every number exact.

Floats are written as hexadecimal literals, which C99 reads without rounding. All definitions are in the .c
file; its .h declares each net and what a caller needs to size buffers, and is C and C++. A planar contact model
becomes a tc_learned2_nets_const besides, for tc_foot2_open_const; what that would have to check is checked here.
"""
import platform
import re
from pathlib import Path

import numpy as np

from .errors import TinycontactError
from .format import VERSION, layer_tile, to_tiles
from .learn.law import NetLaw
from .model import Model, write_whole
from .net import ACTIVATIONS, HEADS, WEIGHTS, Net
from .record import KINDS, POSITIONS, TARGETS

C_ACTIVATIONS = ("TC_NET_IDENTITY", "TC_NET_RELU", "TC_NET_TANH", "TC_NET_SIGMOID", "TC_NET_SOFTPLUS")
C_WEIGHTS = ("TC_NET_WEIGHT_F32", "TC_NET_WEIGHT_I8", "TC_NET_WEIGHT_I8_ACT")
C_HEADS = ("TC_NET_HEAD_LINEAR", "TC_NET_HEAD_SOFTMAX")
FEATURE_MOST = 100.0   # TC_LEARNED_LEVER_MAX: no feature of a planar patch is larger
NORM_MAX = 2.0**20     # TC_NET_NORM_MAX
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
    return f"TC_ALIGNED(16) static const {kind} {name}[{len(values)}] = {{\n{_wrapped(words)}\n}};\n"


def _pad8(values):
    return np.concatenate([values, np.zeros(-len(values) % 8, np.float32)])


def _net(net, prefix, tiles, known):
    """(definitions of arrays, initialiser of the tc_net), a tile for each layer; an array that is `known` {numbers:
    name} is not repeated."""
    arrays, layers = [], []

    def put(name, values):
        key = values.dtype.char.encode() + values.tobytes()
        if key not in known:
            known[key] = f"{prefix}_{name}"
            arrays.append(_array(known[key], values))
        return known[key]
    for k, (layer, (rows, columns)) in enumerate(zip(net.layers, tiles)):
        weights = put(f"{k}_weights", to_tiles(layer.weights, rows, columns))
        bias = put(f"{k}_bias", _pad8(layer.bias))
        scale = "NULL" if layer.scale is None else put(f"{k}_scale", _pad8(layer.scale))
        layers.append(f"        {{.weights = {weights}, .bias = {bias}, .scale = {scale},\n"
                      f"         .n_in = {layer.n_in}, .n_out = {layer.n_out},"
                      f" .activation = {C_ACTIVATIONS[ACTIVATIONS.index(layer.activation)]},\n"
                      f"         .weight = {C_WEIGHTS[WEIGHTS.index(net.weights)]}, .tile_rows = {rows},"
                      f" .tile_columns = {columns}}},\n")
    fields = []
    for name in ARRAYS:
        values = getattr(net, name)
        if values is not None:
            fields.append(f"    .{name} = {put(name, values)},\n")
    text = f"{{\n    .layers = {{\n{''.join(layers)}    }},\n{''.join(fields)}"
    text += f"    .input_quant = {c_float(net.input_quant)},\n    .n_in = {net.n_in}, .n_out = {net.n_out},"
    text += f" .width = {net.width}, .n_layers = {len(net.layers)},\n"
    text += f"    .head = {C_HEADS[HEADS.index(net.head)]},\n}}"
    return "\n".join(arrays), text


def _needs(model):
    """What the library's configuration must not leave out."""
    layers = [layer for net in model.nets for layer in net.layers]
    needs = {f"TC_NET_LAYERS_MAX >= {max(len(net.layers) for net in model.nets)}": "layers"}
    kinds = {net.weights for net in model.nets}
    needs |= {"TC_NET_USE_FLOAT": "float activations"} if kinds - {"i8-act"} else {}
    needs |= {"TC_NET_USE_INT8": "int8 weights"} if kinds - {"f32"} else {}
    for word in ("sigmoid", "softplus"):
        needs |= {f"TC_NET_USE_{word.upper()}": word} if any(layer.activation == word for layer in layers) else {}
    return "".join(f"#if !({need})\n#error \"tc_config.h leaves out what these nets use: {what}\"\n#endif\n"
                   for need, what in needs.items())


def _contact_fault(model):
    """Why a target would refuse the nets of a planar contact model; None if it would not."""
    for d, (classifier, regressor) in NetLaw(model).nets.items():
        if classifier.head != "softmax":
            return f"net {classifier.name!r}: a classifier has a softmax head"
        for net in (classifier, regressor):
            if net.input_mean is not None:
                most = (FEATURE_MOST + np.abs(net.input_mean.astype(float))) * net.input_scale
                if not np.sqrt(np.sum(most**2)) <= NORM_MAX:
                    return f"net {net.name!r}, input_scale: so large that features could exceed 2^20"
        for name in ("input_mean", "input_scale"):
            if not np.array_equal(getattr(classifier, name), getattr(regressor, name)):
                return f"nets of patch dimension {d}: {name} differs, the library normalises once for both"
    return None


def _contact(model, prefix, bodies):
    """The tc_learned2_nets_const of a planar contact model; bodies {name of net: initialiser}."""
    def three(values, literal):
        return ", ".join(literal(value) for value in values)
    r = model.contact
    dimensions = [d for d in (0, 1) if r.mask[d]]
    width = max(model[f"{kind}{d}"].width for d in dimensions for kind in ("class", "ratio"))
    nets = "".join(f"    .nets.{field}[{d}] = {bodies[f'{kind}{d}']},\n" for field, kind in
                   (("classifier", "class"), ("regressor", "ratio")) for d in dimensions)
    masks = ", ".join(f"{mask}u" for mask in r.mask[:2])
    falls = ("", "")
    if r.friction is not None:
        falls = (f"    .nets.fallback = 1u, .nets.friction = {{{c_float(r.friction)}}},\n",
                 f",\n        .fallback = 1u, .friction = {c_float(r.friction)}")
    return (f"const tc_learned2_nets_const {prefix}_model = {{\n{nets}    .nets.mask = {{{masks}}},\n"
            f"    .nets.width = {width}u,\n{falls[0]}"
            f"    .record = {{\n        .kind = {KINDS.index(r.kind) + 1}, .features = {r.features},"
            f" .positions = {POSITIONS.index(r.positions)}, .target = {TARGETS.index(r.target) + 1},"
            f" .patches = {r.patches},\n"
            f"        .mass = {c_float(r.mass)}, .inertia = {{{three(r.inertia, c_float)}}},\n"
            f"        .restitution = {c_float(r.restitution)}, .gravity = {c_float(r.gravity)},"
            f" .tolerance = {c_float(r.tolerance)},\n"
            f"        .mask = {{{three(r.mask, lambda mask: f'{mask}u')}}},"
            f" .temperature = {{{three(r.temperature, c_float)}}}{falls[1]}}},\n"
            f"    .step = {c_float(model.step_size)},\n}};\n")


def _is_planar(model):
    return model.contact is not None and model.contact.kind == "planar"


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


def _header(model, names, stamp, base):
    guard = f"{base.upper()}_H"
    contact = _is_planar(model)
    include = "tc_learned2_nets.h" if contact else "tc_net.h"
    parts = [stamp, f"#ifndef {guard}\n#define {guard}\n\n#include \"{include}\"\n\nTC_BEGIN\n\n"]
    for net, name in zip(model.nets, names):
        upper = name.upper()
        parts.append(f"#define {upper}_N_IN {net.n_in}\n#define {upper}_N_OUT {net.n_out}\n"
                     f"#define {upper}_WORK TC_NET_WORK({net.width}) /* tc_real for tc_net_eval */\n"
                     f"#define {upper}_GRAD_WORK TC_NET_GRAD_WORK({net.width}, {len(net.layers)})"
                     f" /* tc_real for tc_net_grad */\nextern const tc_net {name}_net;\n\n")
    if contact:
        width = max(net.width for net in model.nets)
        upper = base.upper()
        parts.append(f"#define {upper}_STEP_WORK TC_FOOT2_WORK(TC_LEARNED2_NETS_WORK({width}))"
                     " /* tc_real for tc_foot2_step */\n"
                     f"#define {upper}_DACM_WORK {upper}_STEP_WORK /* its name in version 0.1 */\n"
                     f"extern const tc_learned2_nets_const {base}_model; /* for tc_foot2_open_const */\n\n")
    parts.append(f"#define {guard[:-2]}_HASH \"{model.hash()}\"\n\nTC_END\n\n#endif\n")
    return "".join(parts)


def export_c(model, prefix, core="cortex-m4", tile=None):
    """Writes <prefix>.c and <prefix>.h; the paths. One net is called <prefix>_net, several are
    <prefix>_<name of the net>_net; a planar contact model is <prefix>_model besides. Like every net from C, have
    it looked at once by tc_net_check."""
    model = Model([model]) if isinstance(model, Net) else model
    model.to_bytes(core, tile)   # refuses what a target would refuse
    fault = _contact_fault(model) if _is_planar(model) else None
    if fault is not None:
        raise TinycontactError(fault)
    prefix = Path(prefix)
    base = c_name(prefix.name)
    names = [base] if len(model.nets) == 1 else [f"{base}_{c_name(net.name)}" for net in model.nets]
    names = [name if names.index(name) == k else f"{name}_{k}" for k, name in enumerate(names)]
    header = prefix.with_name(prefix.name + ".h")
    source = prefix.with_name(prefix.name + ".c")
    text = _stamp(model, core, tile, "Nets with exact weights.") + f"#include \"{header.name}\"\n\n"
    text += _needs(model) + "\n"
    bodies, known = {}, {}
    for net, name in zip(model.nets, names):
        tiles = [layer_tile(model, net, k, core, tile) for k in range(len(net.layers))]
        arrays, bodies[net.name] = _net(net, name, tiles, known)
        text += f"{arrays}\nconst tc_net {name}_net = {bodies[net.name]};\n\n"
    text += _contact(model, base, bodies) if _is_planar(model) else ""
    write_whole(header, _header(model, names, _stamp(model, core, tile, f"Nets of {source.name}."),
                                base).encode("ascii"))
    write_whole(source, text.encode("ascii"))
    return source, header
