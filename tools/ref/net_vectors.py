# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Test vectors of nets and model files: tests/vectors/net.h and tests/vectors/model.h.

Independent of lib/: nets are evaluated here in plain Python doubles from the formulas in tc_net.h,
gradients are CENTRAL DIFFERENCES of that evaluation (no chain rule that could share a mistake with the
library's), and model files are written from docs/reference/model-file.md with zlib's CRC and hashlib's SHA-256.

    python3 tools/ref/net_vectors.py tests/vectors
    python3 tools/ref/net_vectors.py --blobs folder    (the model files themselves: seeds for the fuzzer)

Bounds. Each expected output comes with `bound`, a running bound on the error of a float evaluation: per
layer |W| e + (n + 3) u (|b| + |W| |x|) with u = 2^-24, activations being 1-Lipschitz with an error of
their own below 3e-7. Gradients: 4e-6 times the same product with absolute values and slopes 1.
Integer activations are compared exactly; inputs that come within 1e-3 of a rounding edge are drawn again.
"""
import hashlib
import math
import os
import random
import struct
import sys
import zlib

IDENTITY, RELU, TANH, SIGMOID, SOFTPLUS = range(5)
F32, I8, I8_ACT = range(3)
LINEAR, SOFTMAX = range(2)
U = 2.0**-24
SQUASH_ERROR = 3e-7


def f32(x):
    """x rounded to float, as a double."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def activate(kind, x):
    if kind == RELU:
        return max(x, 0.0)
    if kind == TANH:
        return math.tanh(x)
    if kind == SIGMOID:
        return 1.0 / (1.0 + math.exp(-x))
    if kind == SOFTPLUS:
        return max(x, 0.0) + math.log1p(math.exp(-abs(x)))
    return x


class EdgeError(Exception):
    """An integer activation is too close to a rounding edge to be the same in float."""


class Layer:
    def __init__(self, rng, n_in, n_out, activation, weight, last):
        self.n_in, self.n_out, self.activation = n_in, n_out, activation
        spread = 1.2 / math.sqrt(n_in)
        real = [[rng.uniform(-spread, spread) * 1.7 for _ in range(n_in)] for _ in range(n_out)]
        self.bias = [f32(rng.uniform(-0.5, 0.5)) for _ in range(n_out)]
        self.scale = None
        if weight == F32:
            self.weights = [[f32(w) for w in row] for row in real]
            return
        steps = [max(abs(w) for w in row) / 127 for row in real]
        self.weights = [[round(w / s) for w in row] for row, s in zip(real, steps)]
        if weight == I8_ACT:
            # one input step is 1/127; a ReLU's output step is 3/127
            output = 3 / 127 if activation == RELU and not last else 1.0
            steps = [s / 127 / output for s in steps]
            if activation == RELU and not last:
                self.bias = [f32(b / output + 0.5) for b in self.bias]
        self.scale = [f32(s) for s in steps]

    def pre(self, x):
        scale = self.scale or [1.0] * self.n_out
        return [b + s * sum(w * v for w, v in zip(row, x))
                for row, s, b in zip(self.weights, scale, self.bias)]

    def magnitude(self, x):
        """|b| + |W| |x|, and the matrix |W| itself applied to x, both with the scale."""
        scale = self.scale or [1.0] * self.n_out
        products = [abs(s) * sum(abs(w) * v for w, v in zip(row, x)) for row, s in zip(self.weights, scale)]
        return [abs(b) + p for b, p in zip(self.bias, products)], products


class Net:
    def __init__(self, name, seed, dims, activations, weight=F32, head=LINEAR, norm_in=False, norm_out=False):
        rng = random.Random(seed)
        self.name, self.dims, self.weight, self.head = name, dims, weight, head
        pairs = list(zip(dims, dims[1:], activations))
        self.layers = [Layer(rng, i, o, a, weight, k == len(pairs) - 1) for k, (i, o, a) in enumerate(pairs)]
        self.mean = [f32(rng.uniform(-3, 3)) for _ in range(dims[0])] if norm_in else None
        self.inv = [f32(rng.uniform(0.3, 2)) for _ in range(dims[0])] if norm_in else None
        self.out_mean = [f32(rng.uniform(-3, 3)) for _ in range(dims[-1])] if norm_out else None
        self.out_scale = [f32(rng.uniform(0.3, 5)) for _ in range(dims[-1])] if norm_out else None
        self.low = self.high = None
        self.quant = f32(42.0) if weight == I8_ACT else 0.0
        self.samples = []
        while len(self.samples) < 3:
            x = [f32(rng.uniform(-2, 2)) for _ in range(dims[0])]
            cotangent = [f32(rng.uniform(-1, 1)) for _ in range(dims[-1])]
            try:
                self.samples.append((x, cotangent) + self.expect(x, cotangent))
            except EdgeError:
                continue

    def normalise(self, x):
        return [(v - m) * s for v, m, s in zip(x, self.mean, self.inv)] if self.mean else list(x)

    def quantise(self, v, low, high):
        if abs(v - round(v)) < 1e-3:
            raise EdgeError
        return min(max(math.floor(v), low), high)

    def integers(self, layer, pre):
        """What a hidden layer with integer activations hands on."""
        if layer.activation == RELU:
            return [self.quantise(p, 0, 127) if p > 0 else 0 for p in pre]
        return [self.quantise(127 * activate(layer.activation, p) + 0.5, -127, 127) for p in pre]

    def evaluate(self, x):
        a = self.normalise(x)
        if self.weight == I8_ACT:
            a = [self.quantise(min(max(v * self.quant, -127), 127) + 0.5, -127, 127) for v in a]
        for layer in self.layers:
            pre = layer.pre(a)
            if self.weight == I8_ACT and layer is not self.layers[-1]:
                a = self.integers(layer, pre)
            else:
                a = [activate(layer.activation, p) for p in pre]
        if self.head == SOFTMAX:
            top = max(a)
            powers = [math.exp(v - top) for v in a]
            return [p / sum(powers) for p in powers]
        if self.out_mean:
            return [v * s + m for v, s, m in zip(a, self.out_scale, self.out_mean)]
        return a

    def bounds(self, x):
        """Running error bound of the outputs, see the module's text."""
        a = self.normalise(x)
        error = [3 * U * abs(v) + U * abs(v) for v in a]
        if self.weight == I8_ACT:
            a = [self.quantise(min(max(v * self.quant, -127), 127) + 0.5, -127, 127) for v in a]
            error = [0.0] * len(a)
        for layer in self.layers:
            total, _ = layer.magnitude([abs(v) for v in a])
            _, carried = layer.magnitude(error)
            pre = layer.pre(a)
            squash = SQUASH_ERROR if layer.activation > RELU else 0.0
            error = [c + (layer.n_in + 3) * U * t + squash for c, t in zip(carried, total)]
            a = [activate(layer.activation, p) for p in pre]
            error = [e + squash * abs(v) for e, v in zip(error, a)]
            if self.weight == I8_ACT and layer is not self.layers[-1]:
                a, error = self.integers(layer, pre), [0.0] * layer.n_out
        if self.head == SOFTMAX:
            return [2 * max(error) + 1e-6] * len(error)
        if self.out_mean:
            return [e * s + 2 * U * (abs(v) * s + abs(m)) for e, v, s, m in
                    zip(error, a, self.out_scale, self.out_mean)]
        return error

    def differences(self, x, cotangent):
        """Central differences of cotangent . output, fourth order: error about 1e-11."""
        def along(i, h):
            moved = list(x)
            moved[i] += h
            return sum(c * y for c, y in zip(cotangent, self.evaluate(moved)))
        h = 1e-3
        return [(8 * (along(i, h) - along(i, -h)) - along(i, 2 * h) + along(i, -2 * h)) / (12 * h)
                for i in range(len(x))]

    def grad_bound(self, cotangent):
        g = [abs(c) for c in cotangent]
        if self.out_scale:
            g = [c * s for c, s in zip(g, self.out_scale)]
        if self.head == SOFTMAX:
            g = [2 * max(g)] * len(g)
        for layer in reversed(self.layers):
            scale = layer.scale or [1.0] * layer.n_out
            g = [sum(abs(layer.weights[o][i]) * scale[o] * g[o] for o in range(layer.n_out))
                 for i in range(layer.n_in)]
        if self.inv:
            g = [c * s for c, s in zip(g, self.inv)]
        return [4e-6 * c for c in g]

    def kinks(self, x):
        """Smallest distance of a ReLU's argument from its kink."""
        a, least = self.normalise(x), math.inf
        for layer in self.layers:
            pre = layer.pre(a)
            if layer.activation == RELU:
                least = min([least] + [abs(p) for p in pre])
            a = [activate(layer.activation, p) for p in pre]
        return least

    def expect(self, x, cotangent):
        y, bound = self.evaluate(x), self.bounds(x)
        if self.weight == I8_ACT:
            return y, bound, [0.0] * len(x), [0.0] * len(x)
        if self.kinks(x) < 0.02:
            raise EdgeError
        return y, bound, self.differences(x, cotangent), self.grad_bound(cotangent)


CASES = [
    Net("point", 1, [1, 1], [IDENTITY]),
    Net("relu", 2, [3, 7, 33, 1], [RELU, RELU, IDENTITY]),
    Net("tanh", 3, [7, 33, 3], [TANH, IDENTITY], norm_in=True, norm_out=True),
    Net("classifier", 4, [3, 7, 7, 3], [SIGMOID, RELU, IDENTITY], head=SOFTMAX, norm_in=True),
    Net("softplus", 5, [7, 7, 1], [SOFTPLUS, SOFTPLUS], norm_out=True),
    Net("deep", 6, [3, 7, 7, 5, 7, 7, 9, 7, 1],
        [TANH, SOFTPLUS, SIGMOID, TANH, IDENTITY, SOFTPLUS, TANH, RELU]),
    Net("int8", 7, [7, 33, 3], [TANH, IDENTITY], weight=I8, norm_in=True),
    Net("int8_classifier", 8, [5, 9, 17, 4], [RELU, SOFTPLUS, IDENTITY], weight=I8, head=SOFTMAX),
    Net("int8_act_relu", 9, [8, 12, 7, 3], [RELU, RELU, IDENTITY], weight=I8_ACT),
    Net("int8_act_mixed", 10, [3, 17, 7, 5, 2], [TANH, SIGMOID, RELU, SIGMOID], weight=I8_ACT, norm_in=True),
    Net("int8_act_classifier", 11, [33, 4, 3], [TANH, IDENTITY], weight=I8_ACT, head=SOFTMAX, norm_in=True),
]


# ---- C ---------------------------------------------------------------------------------------------

def wrap(items, indent="    ", width=108):
    lines, line = [], indent
    for item in items:
        if len(line) + len(item) + 2 > width:
            lines.append(line.rstrip())
            line = indent
        line += item + ", "
    return "\n".join(lines + [line.rstrip()])


def hex_float(v):
    mantissa, exponent = float(v).hex().split("p")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + "p" + exponent + "f"


def c_floats(name, values):
    return "static const float %s[] = {\n%s\n};\n" % (name, wrap(hex_float(v) for v in values))


def c_reals(name, values):
    return "static const tc_real %s[] = {\n%s\n};\n" % (name, wrap("TC_C(%.17e)" % v for v in values))


def c_ints(kind, name, values):
    return "static const %s %s[] = {\n%s\n};\n" % (kind, name, wrap(str(v) for v in values))


def flat(rows):
    return [v for row in rows for v in row]


HEAD = """/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * %s
 * Made by tools/ref/net_vectors.py: do not edit.
 */
"""


def emit_case(net):
    p, out = net.name + "_", []
    pointers = {}

    def array(field, maker, values):
        if values is None:
            pointers[field] = "NULL"
        else:
            pointers[field] = p + field
            out.append(maker(p + field, values))
    weights = flat(flat(layer.weights) for layer in net.layers)
    array("dims", lambda n, v: c_ints("uint16_t", n, v), net.dims)
    array("activations", lambda n, v: c_ints("uint8_t", n, v), [layer.activation for layer in net.layers])
    if net.weight == F32:
        array("weights", c_floats, weights)
    else:
        array("weights", lambda n, v: c_ints("int8_t", n, v), weights)
    array("biases", c_floats, flat(layer.bias for layer in net.layers))
    array("scales", c_floats, flat(layer.scale for layer in net.layers) if net.weight else None)
    array("input_mean", c_floats, net.mean)
    array("input_scale", c_floats, net.inv)
    array("output_mean", c_floats, net.out_mean)
    array("output_scale", c_floats, net.out_scale)
    names = ("inputs", "cotangents", "outputs", "bounds", "grads", "grad_bounds")
    makers = (c_floats, c_floats, c_reals, c_reals, c_reals, c_reals)
    for k, (field, maker) in enumerate(zip(names, makers)):
        array(field, maker, flat(sample[k] for sample in net.samples))
    fields = "\n".join("     .%s = %s," % item for item in pointers.items())
    entry = '    {.name = "%s", .n_layers = %d, .head = %d, .weight = %d,\n' % (
        net.name, len(net.layers), net.head, net.weight)
    entry += "     .input_quant = %s, .n_samples = %d,\n" % (hex_float(net.quant), len(net.samples))
    entry += fields + "},\n"
    return "\n".join(out), entry


def net_header():
    texts, entries = zip(*(emit_case(net) for net in CASES))
    return (HEAD % "Nets with inputs, expected outputs and gradients (central differences), and error bounds."
            + "#ifndef VECTORS_NET_H\n#define VECTORS_NET_H\n\n#include \"net_case.h\"\n\n" + "\n".join(texts)
            + "\nstatic const net_case cases[] = {\n" + "".join(entries) + "};\n\n#endif\n")


# ---- Model files ----------------------------------------------------------------------------------

def ceil_to(n, step):
    return -(-n // step) * step


def floats(values):
    return struct.pack("<%df" % len(values), *values)


def pack_weights(layer, weight, rows, columns):
    K = ceil_to(layer.n_in, columns)
    cells = [0] * (ceil_to(layer.n_out, rows) * K)
    for o in range(layer.n_out):
        for i in range(layer.n_in):
            at = (o // rows) * rows * K + (i // columns) * rows * columns + (o % rows) * columns + i % columns
            cells[at] = layer.weights[o][i]
    return floats(cells) if weight == F32 else struct.pack("<%db" % len(cells), *cells)


def padded(values):
    return floats(list(values) + [0.0] * (ceil_to(len(values), 8) - len(values)))


def content_hash(nets, step_size, metadata, contact):
    h = hashlib.sha256()

    def u32(*values):
        h.update(struct.pack("<%dI" % len(values), *values))
    h.update(b"tcm\0")
    u32(2)
    h.update(struct.pack("<f", step_size))
    for part in (metadata, contact):
        u32(len(part))
        h.update(part)
    u32(len(nets))
    for net in nets:
        h.update(net.name.encode().ljust(24, b"\0"))
        u32(net.dims[0], net.dims[-1], len(net.layers), net.head, net.weight)
        for values in (net.mean, net.inv, net.out_mean, net.out_scale, net.low, net.high):
            u32(1 if values else 0)
            h.update(floats(values or []))
        h.update(struct.pack("<f", net.quant))
        for layer in net.layers:
            u32(layer.n_in, layer.n_out, layer.activation)
            cells = flat(layer.weights)
            h.update(floats(cells) if net.weight == F32 else struct.pack("<%db" % len(cells), *cells))
            h.update(floats(layer.bias))
            if net.weight != F32:
                h.update(floats(layer.scale))
        u32(len(net.stored))
        h.update(struct.pack("<f", net.tolerance))
        h.update(floats(flat(x for x, _ in net.stored)) + floats(flat(y for _, y in net.stored)))
    return h.digest()[:16]


class File:
    """Bytes that grow; append gives the 16-aligned offset."""

    def __init__(self, size):
        self.data = bytearray(size)

    def append(self, data):
        self.data += bytes(-len(self.data) % 16)
        offset = len(self.data)
        self.data += data
        return offset


def contact_record(kind, positions, body, masks, temperatures):
    """body: mass, three moments of inertia, restitution, gravity, tolerance."""
    patches = sum(1 << d for d, mask in enumerate(masks) if mask)
    return struct.pack("<2H4B7f3I3f68x", kind, 1, positions, 1, patches, 0, *body, *masks, *temperatures)


def system_record(shape, flags, scalars, numbers, pairs):
    """shape: bodies, dimension, contacts; scalars: restitution, rest_speed, tolerance."""
    data = struct.pack("<2H4B3f12x", 3, 1, *shape, flags, *scalars) + floats(numbers) + bytes(pairs)
    return data + bytes(-len(data) % 16)


def model_file(nets, tile, step_size=0.0, metadata=b"", contact=b""):
    f = File(64 + 96 * len(nets))
    metadata_offset = f.append(metadata) if metadata else 0
    contact_offset = f.append(contact) if contact else 0
    for k, net in enumerate(nets):
        layers_offset = f.append(bytes(32 * len(net.layers)))
        arrays = [f.append(floats(v)) if v else 0
                  for v in (net.mean, net.inv, net.out_mean, net.out_scale, net.low, net.high)]
        for n, layer in enumerate(net.layers):
            weights = f.append(pack_weights(layer, net.weight, *tile))
            bias = f.append(padded(layer.bias))
            scale = f.append(padded(layer.scale)) if net.weight != F32 else 0
            struct.pack_into("<2H4B3I12x", f.data, layers_offset + 32 * n, layer.n_in, layer.n_out,
                             layer.activation, tile[0], tile[1], 0, weights, bias, scale)
        samples = [0, 0]
        if net.stored:
            samples = [f.append(floats(flat(x for x, _ in net.stored))),
                       f.append(floats(flat(y for _, y in net.stored)))]
        struct.pack_into("<24s2H4B7If3If16x", f.data, 64 + 96 * k, net.name.encode(), net.dims[0],
                         net.dims[-1], len(net.layers), net.head, net.weight, 0, layers_offset, *arrays,
                         net.quant, len(net.stored), *samples, net.tolerance)
    f.append(b"")
    struct.pack_into("<4s2HII16s2If4I4x", f.data, 0, b"TCM\x1a", 2, 64, len(f.data), 0,
                     content_hash(nets, step_size, metadata, contact), len(nets), 64, step_size,
                     metadata_offset, len(metadata), contact_offset, len(contact))
    struct.pack_into("<I", f.data, 12, zlib.crc32(f.data[16:]))
    return bytes(f.data)


def store_samples(net, n, tolerance):
    net.stored = [(x, [f32(v) for v in y]) for x, _, y, *_ in net.samples[:n]]
    net.tolerance = f32(tolerance)
    return net


def models():
    """small: for exhaustive corruption; kinds: all kinds of nets; kinds_tiled: the same contents in another
    layout; planar, spatial: with a contact record of each kind; system: two bodies, a wall and a pair."""
    small = store_samples(Net("a", 21, [2, 1], [TANH], norm_in=True), 1, 1e-5)
    friction = Net("friction", 22, [3, 5, 2], [RELU, IDENTITY], norm_in=True, norm_out=True)
    store_samples(friction, 2, 1e-4)
    friction.low, friction.high = [-2.0, -2.5, -3.0], [2.0, 2.5, 3.0]
    mode = store_samples(Net("contact-mode", 23, [4, 3], [IDENTITY], head=SOFTMAX), 0, 0.0)
    eight = store_samples(Net("int8", 24, [5, 6, 1], [TANH, IDENTITY], weight=I8), 1, 1e-4)
    act = store_samples(Net("int8-act", 25, [3, 4, 2], [RELU, SIGMOID], weight=I8_ACT, norm_in=True), 1, 1e-4)
    point = store_samples(Net("class0", 26, [1, 1], [IDENTITY]), 0, 0.0)
    planar = contact_record(1, 2, (1.5, 0.25, 0, 0, 0.125, 9.75, 0.0625), (31, 61, 0), (1.25, 0.75, 0))
    spatial = contact_record(2, 0, (2.5, 0.5, 0.375, 0.625, 0, 0, 0.03125), (5, 0, 63), (0.5, 0, 1.5))
    potential = Net("potential", 27, [2, 7, 1], [SOFTPLUS, IDENTITY], norm_in=True, norm_out=True)
    contact = Net("contact", 28, [4, 5, 2], [TANH, IDENTITY], norm_in=True)
    for net in (potential, contact):
        store_samples(net, 2, 1e-4)
    system = system_record((2, 1, 2), 7, (0.75, 0.125, 0.03125), [1.5, 2.5, 0.25, 0.0, 0.5, -0.125, 1.0, -1.0],
                           [0, 255, 1, 0])
    text = '{"unit": "N s", "note": "Reibung \u03bc"}'.encode()
    return {
        "model_small": model_file([small], (1, 1)),
        "model_kinds": model_file([friction, mode, eight, act], (8, 1), 0.001, text),
        "model_kinds_tiled": model_file([friction, mode, eight, act], (4, 16), 0.001, text),
        "model_planar": model_file([point], (1, 1), 0.002, contact=planar),
        "model_spatial": model_file([point], (1, 1), 0.004, b"{}", spatial),
        "model_system": model_file([potential, contact], (1, 1), 0.01, contact=system),
    }


def model_header():
    out = [HEAD % "Model files, written from docs/reference/model-file.md.",
           "#ifndef VECTORS_MODEL_H\n#define VECTORS_MODEL_H\n\n#include <stdint.h>\n\n"]
    for name, blob in models().items():
        out.append("_Alignas(16) static const uint8_t %s[%d] = {\n%s\n};\n\n" % (
            name, len(blob), wrap("%d" % b for b in blob)))
    return "".join(out) + "#endif\n"


def main():
    if sys.argv[1] == "--blobs":
        os.makedirs(sys.argv[2], exist_ok=True)
        for name, blob in models().items():
            with open(sys.argv[2] + "/" + name + ".tcm", "wb") as f:
                f.write(blob)
        return
    folder = sys.argv[1]
    for name, text in (("net.h", net_header()), ("model.h", model_header())):
        with open(folder + "/" + name, "w", encoding="ascii") as f:
            f.write(text)


if __name__ == "__main__":
    main()
