# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Model files: writing and reading .tcm, from docs/reference/model-file.md and not from the library.

The reader looks at every rule in the library's order, so that both refuse the same file with the same
status at the same offset; ranges.py has the rules about values. Nothing here trusts a byte.
"""
import hashlib
import json
import struct
import zlib

import numpy as np

from .errors import FormatError, TinycontactError
from .model import MAX_NETS, Model
from .net import (ACTIVATIONS, HEADS, MAX_LAYERS, MAX_SAMPLES, MAX_WIDTH, NAME_MAX, WEIGHTS, Layer, Net,
                  Samples)
from .ranges import check_net
from .record import read_record
from .record_system import KIND as SYSTEM, SystemRecord, read_system

VERSION = 2
MAGIC = b"TCM\x1a"
HEADER, NET, LAYER = 64, 96, 32
SIZE_LEAST, SIZE_MOST = HEADER + NET + LAYER, 0x7FFFFFFF
TILE_ROWS, TILE_COLUMNS = (1, 4, 8), (1, 4, 16)
# (tile of float and i8 weights, tile of i8-act weights) that a core's kernels are fastest with.
CORE_TILES = {"portable": ((8, 1), (1, 4)), "cortex-m4": ((8, 1), (4, 4)), "helium": ((8, 1), (4, 16))}
ARRAYS = ("input_mean", "input_scale", "output_mean", "output_scale", "input_low", "input_high")


def ceil_to(n, step):
    return -(-n // step) * step


# ---- Layout ----------------------------------------------------------------------------------------

def tile_of(net, core, tile=None):
    """(rows, columns) of the tiles of a net's weights."""
    if tile is None:
        if core not in CORE_TILES:
            raise TinycontactError(f"core {core!r} is none of {', '.join(CORE_TILES)}")
        return CORE_TILES[core][net.weights == "i8-act"]
    rows, columns = tile
    if rows not in TILE_ROWS or columns not in TILE_COLUMNS:
        raise TinycontactError(f"tile {rows} x {columns}: rows are 1, 4 or 8 and columns 1, 4 or 16")
    return rows, columns


def layer_tile(model, net, index, core, tile=None):
    """The same of one layer. The nets of a system are read row by row in their last layer."""
    if tile is None and isinstance(model.contact, SystemRecord) and index == len(net.layers) - 1:
        return 1, 1
    return tile_of(net, core, tile)


def to_tiles(weights, rows, columns):
    """[n_out, n_in] as the one-dimensional array of a file, padded with zeros."""
    n_out, n_in = weights.shape
    padded = np.zeros((ceil_to(n_out, rows), ceil_to(n_in, columns)), weights.dtype)
    padded[:n_out, :n_in] = weights
    groups = padded.reshape(padded.shape[0] // rows, rows, padded.shape[1] // columns, columns)
    return np.ascontiguousarray(groups.transpose(0, 2, 1, 3)).reshape(-1)


def from_tiles(flat, n_out, n_in, rows, columns):
    """The padded matrix back: [n_out rounded up, n_in rounded up]."""
    shape = ceil_to(n_out, rows), ceil_to(n_in, columns)
    groups = flat.reshape(shape[0] // rows, shape[1] // columns, rows, columns)
    return groups.transpose(0, 2, 1, 3).reshape(shape)


def index_of(k, n_in, rows, columns):
    """(output, input) of element k of a tiled array."""
    group, rest = divmod(k, rows * ceil_to(n_in, columns))
    tile, rest = divmod(rest, rows * columns)
    return group * rows + rest // columns, tile * columns + rest % columns


def _record_bytes(model):
    return b"" if model.contact is None else model.contact.to_bytes()


def content_hash(model):
    """SHA-256 over the contents, whatever the layout, cut to 16 bytes."""
    h = hashlib.sha256(b"tcm\0" + struct.pack("<If", VERSION, model.step_size))

    def u32(*values):
        h.update(struct.pack(f"<{len(values)}I", *values))
    metadata = model.metadata_bytes()
    u32(len(metadata))
    h.update(metadata)
    record = _record_bytes(model)
    u32(len(record))
    h.update(record)
    u32(len(model.nets))
    for net in model.nets:
        h.update(net.name.encode("ascii").ljust(NAME_MAX + 1, b"\0"))
        u32(net.n_in, net.n_out, len(net.layers), HEADS.index(net.head), WEIGHTS.index(net.weights))
        for name in ARRAYS:
            values = getattr(net, name)
            u32(values is not None)
            h.update(b"" if values is None else single(values))
        h.update(struct.pack("<f", net.input_quant))
        for layer in net.layers:
            u32(layer.n_in, layer.n_out, ACTIVATIONS.index(layer.activation))
            h.update(layer.weights.tobytes() + layer.bias.tobytes())
            h.update(b"" if layer.scale is None else layer.scale.tobytes())
        h.update(struct.pack("<If", len(net.samples), net.samples.tolerance))
        h.update(net.samples.inputs.tobytes() + net.samples.outputs.tobytes())
    return h.digest()[:16]


# ---- Writing ---------------------------------------------------------------------------------------

class _Writer:
    def __init__(self, size):
        self.data = bytearray(size)

    def append(self, data):
        """Offset of `data`, a multiple of 16."""
        self.data += bytes(-len(self.data) % 16)
        offset = len(self.data)
        self.data += data
        return offset


def single(values):
    """The bytes of numbers in float32, whatever type they were given a net's attribute in."""
    return np.asarray(values, dtype="<f4").tobytes()


def padded_row(values):
    return np.concatenate([values, np.zeros(-len(values) % 8, np.float32)]).tobytes()


def encode(model, core="cortex-m4", tile=None):
    """The bytes of a .tcm file."""
    f = _Writer(HEADER + NET * len(model.nets))
    metadata = model.metadata_bytes()
    metadata_offset = f.append(metadata) if metadata else 0
    record = _record_bytes(model)
    contact = [f.append(record), len(record)] if record else [0, 0]
    for k, net in enumerate(model.nets):
        layers_offset = f.append(bytes(LAYER * len(net.layers)))
        arrays = [0 if getattr(net, name) is None else f.append(single(getattr(net, name)))
                  for name in ARRAYS]
        for n, layer in enumerate(net.layers):
            rows, columns = layer_tile(model, net, n, core, tile)
            offsets = [f.append(to_tiles(layer.weights, rows, columns).tobytes()),
                       f.append(padded_row(layer.bias)),
                       0 if layer.scale is None else f.append(padded_row(layer.scale))]
            struct.pack_into("<2H4B3I12x", f.data, layers_offset + LAYER * n, layer.n_in, layer.n_out,
                             ACTIVATIONS.index(layer.activation), rows, columns, 0, *offsets)
        samples = [0, 0]
        if len(net.samples):
            samples = [f.append(net.samples.inputs.tobytes()), f.append(net.samples.outputs.tobytes())]
        struct.pack_into("<24s2H4B7If3If16x", f.data, HEADER + NET * k, net.name.encode("ascii"), net.n_in,
                         net.n_out,
                         len(net.layers), HEADS.index(net.head), WEIGHTS.index(net.weights), 0, layers_offset,
                         *arrays, net.input_quant, len(net.samples), *samples, net.samples.tolerance)
    f.append(b"")
    struct.pack_into("<4s2HII16s2If4I4x", f.data, 0, MAGIC, VERSION, HEADER, len(f.data), 0,
                     content_hash(model), len(model.nets), HEADER, model.step_size, metadata_offset,
                     len(metadata), *contact)
    struct.pack_into("<I", f.data, 12, zlib.crc32(f.data[16:]))
    return bytes(f.data)


# ---- Reading ---------------------------------------------------------------------------------------

class FileInfo:
    """How a file is laid out: size and CRC, the stored hash and whether it fits the contents, tiles
    per net and layer, bytes behind the file's end."""

    def __init__(self, size, crc, stored_hash):
        self.size, self.crc, self.hash = size, crc, stored_hash.hex()
        self.hash_fits = None
        self.tiles = []      # [net][layer] -> (rows, columns)
        self.trailing = 0


class _Reader:
    """The file while it is read: [0, size) may be looked at, [0, claimed) has been given out."""

    def __init__(self, blob):
        self.blob, self.size, self.claimed = blob, 0, 0

    def unpack(self, kind, at):
        return struct.unpack_from("<" + kind, self.blob, at)[0]

    def expect(self, condition, status, at, field, text):
        if not condition:
            raise FormatError("TC_ERR_MODEL_" + status, at, field, text)

    def zero(self, at, n, field):
        self.expect(not any(self.blob[at:at + n]), "FIELD", at, field, "reserved bytes are not zero")

    def magnitude(self, at, field):
        """A float that is finite and not negative (-0 is negative)."""
        value = self.unpack("f", at)
        self.expect(self.unpack("I", at) < 0x7F800000, "WEIGHT", at, field,
                    f"is {value:g}, wanted finite and >= 0")
        return np.float32(value)

    def claim(self, at, length, field):
        offset = self.unpack("I", at)
        self.expect(offset % 16 == 0, "FIELD", at, field, f"offset {offset} is not a multiple of 16")
        self.expect(offset >= self.claimed, "BOUNDS", at, field,
                    f"offset {offset} lies before the end of what precedes it, {self.claimed}")
        self.expect(offset + length <= self.size, "BOUNDS", at, field,
                    f"bytes {offset} to {offset + length} end outside the file of {self.size} bytes")
        self.claimed = offset + length
        return offset

    def array(self, at, n, field, dtype=np.float32, index=None):
        """n numbers, floats finite; index(k) are the indices of number k, for the message."""
        offset = self.claim(at, n * np.dtype(dtype).itemsize, field)
        values = np.frombuffer(self.blob, np.dtype(dtype).newbyteorder("<"), n, offset).astype(dtype)
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            k = int(bad[0])
            where = ", ".join(str(int(i)) for i in (index(k) if index else [k]))
            self.expect(False, "WEIGHT", offset + 4 * k, f"{field}[{where}]", f"is {values[k]:g}")
        return values


def _envelope(r):
    blob = r.blob
    r.expect(len(blob) < 4 or blob[:4] == MAGIC, "MAGIC", 0, "header, magic",
             f"file begins with {bytes(blob[:4]).hex(' ')}, not with {MAGIC.hex(' ')}: not a .tcm file")
    r.expect(len(blob) >= HEADER, "SHORT", len(blob), "header",
             f"file is cut off: {len(blob)} bytes, the header has {HEADER}")
    version, header_size, size = struct.unpack_from("<2HI", blob, 4)
    r.expect(version == VERSION, "VERSION", 4, "header, version",
             f"is {version}; this reader knows {VERSION}"
             + (": export the model again" if version < VERSION else ": made by a newer tinycontact"))
    r.expect(header_size == HEADER, "VERSION", 4, "header, header_size", f"is {header_size}, not {HEADER}")
    r.expect(size % 16 == 0 and SIZE_LEAST <= size <= SIZE_MOST, "FIELD", 8, "header, total_size",
             f"is {size}, wanted a multiple of 16, at least {SIZE_LEAST}")
    r.expect(size <= len(blob), "SHORT", 8, "header, total_size",
             f"file is cut off: {len(blob)} of {size} bytes")
    r.size = size
    crc = zlib.crc32(blob[16:size])
    r.expect(crc == r.unpack("I", 12), "CRC", 12, "header, crc",
             f"contents have {crc:#010x}, the file says {r.unpack('I', 12):#010x}: changed or damaged")


def _metadata(r):
    size = r.unpack("I", 48)
    if size == 0:
        r.expect(r.unpack("I", 44) == 0, "FIELD", 44, "header, metadata_offset",
                 "not 0 though there is no metadata")
        return b"", {}
    offset = r.claim(44, size, "header, metadata_offset")
    raw = bytes(r.blob[offset:offset + size])
    try:
        def refuse(word):
            raise ValueError(f"{word} is not JSON")
        value = json.loads(raw.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise FormatError("METADATA", offset, "metadata", f"is not UTF-8 JSON ({error})") from None
    if not isinstance(value, dict):
        raise FormatError("METADATA", offset, "metadata", "is JSON but not an object")
    return raw, value


def _claim_record(r):
    """(offset, size) of the record; size 0: there is none."""
    size = r.unpack("I", 56)
    if size == 0:
        r.expect(r.unpack("I", 52) == 0, "FIELD", 52, "header, record_offset",
                 "not 0 though there is no record")
        return 0, 0
    r.expect(size % 16 == 0, "FIELD", 56, "header, record_size", f"is {size}, wanted a multiple of 16")
    offset = r.claim(52, size, "header, record_offset")
    r.expect(r.unpack("I", 40) != 0, "FIELD", 40, "header, step_size",
             "is 0; a model with a record states its time step")
    return offset, size


def _read_record(r, offset, size):
    if size == 0:
        return None
    return (read_system if r.unpack("H", offset) == SYSTEM else read_record)(r, offset, size)


def _read_layer(r, at, net_kind, what):
    n_in, n_out, activation, rows, columns, pad = struct.unpack_from("<2H4B", r.blob, at)
    for offset, n, name in ((0, n_in, "n_in"), (2, n_out, "n_out")):
        r.expect(1 <= n <= MAX_WIDTH, "FIELD", at + offset, f"{what}, {name}",
                 f"is {n}, wanted 1 to {MAX_WIDTH}")
    r.expect(activation < len(ACTIVATIONS), "FIELD", at + 4, f"{what}, activation",
             f"is {activation}, wanted 0 to 4")
    r.expect(rows in TILE_ROWS and columns in TILE_COLUMNS, "FIELD", at + 5,
             f"{what}, tile_rows and tile_columns",
             f"are {rows} x {columns}, wanted 1, 4 or 8 x 1, 4 or 16")
    r.expect(pad == 0, "FIELD", at + 7, what, "reserved byte is not zero")
    r.zero(at + 20, 12, what)
    kind = np.float32 if net_kind == 0 else np.int8
    count = ceil_to(n_out, rows) * ceil_to(n_in, columns)
    record = {"n_in": n_in, "n_out": n_out, "activation": activation, "tile": (rows, columns), "at": at,
              "what": what,
              "scale": None}
    record["weights"] = r.array(at + 8, count, f"{what}, weights", kind,
                                lambda k: index_of(k, n_in, rows, columns))
    record["bias"] = r.array(at + 12, ceil_to(n_out, 8), f"{what}, bias")
    if net_kind:
        record["scale"] = r.array(at + 16, ceil_to(n_out, 8), f"{what}, scale")
    else:
        r.expect(r.unpack("I", at + 16) == 0, "FIELD", at + 16, f"{what}, scale", "float weights have none")
    return record


def _name(r, at, what):
    raw = bytes(r.blob[at:at + NAME_MAX + 1])
    name = raw.split(b"\0")[0]
    good = 1 <= len(name) <= NAME_MAX and all(0x21 <= c <= 0x7E for c in name) and not any(raw[len(name):])
    r.expect(good, "FIELD", at, f"{what}, name",
             f"{raw!r} is not 1 to {NAME_MAX} characters of ASCII, then zeros")
    return name.decode("ascii")


def _read_net(r, index):
    at = HEADER + NET * index
    name = _name(r, at, f"net {index}")
    what = f"net {name!r}"
    n_in, n_out, n_layers, head, kind, pad = struct.unpack_from("<2H4B", r.blob, at + 24)
    for offset, n, field, limit in ((24, n_in, "n_in", MAX_WIDTH), (26, n_out, "n_out", MAX_WIDTH),
                                    (28, n_layers, "n_layers", MAX_LAYERS)):
        r.expect(1 <= n <= limit, "FIELD", at + offset, f"{what}, {field}", f"is {n}, wanted 1 to {limit}")
    r.expect(head < len(HEADS), "FIELD", at + 29, f"{what}, head", f"is {head}, wanted 0 or 1")
    r.expect(kind < len(WEIGHTS), "FIELD", at + 30, f"{what}, weight", f"is {kind}, wanted 0, 1 or 2")
    r.expect(pad == 0, "FIELD", at + 31, what, "reserved byte is not zero")
    quant = r.magnitude(at + 60, f"{what}, input_quant")
    r.zero(at + 80, 16, what)
    layers_at = r.claim(at + 32, LAYER * n_layers, f"{what}, layers_offset")
    record = {"name": name, "what": what, "at": at, "n_in": n_in, "n_out": n_out, "head": head, "kind": kind,
              "quant": quant, "layers_at": layers_at}
    for k in range(0, 6, 2):
        field, n = at + 36 + 4 * k, n_out if k == 2 else n_in
        present = r.unpack("I", field) != 0
        r.expect(present == (r.unpack("I", field + 4) != 0), "FIELD", field, f"{what}, {ARRAYS[k]}",
                 f"{ARRAYS[k]} and {ARRAYS[k + 1]} are not both present or both absent")
        for j in range(2):
            record[ARRAYS[k + j]] = r.array(field + 4 * j, n, f"{what}, {ARRAYS[k + j]}") if present else None
    record["layers"] = [_read_layer(r, layers_at + LAYER * n, kind, f"{what}, layer {n}")
                        for n in range(n_layers)]
    _read_samples(r, record)
    return record


def _read_samples(r, net):
    at, what = net["at"], net["what"]
    count = r.unpack("I", at + 64)
    r.expect(count <= MAX_SAMPLES, "FIELD", at + 64, f"{what}, n_samples",
             f"is {count}, wanted up to {MAX_SAMPLES}")
    net["tolerance"] = r.magnitude(at + 76, f"{what}, tolerance")
    net["inputs"] = np.zeros((0, net["n_in"]), np.float32)
    net["outputs"] = np.zeros((0, net["n_out"]), np.float32)
    if count == 0:
        r.expect(not any(r.blob[at + 68:at + 76]), "FIELD", at + 68, f"{what}, sample_inputs_offset",
                 "not 0 though there are no samples")
        return
    for field, name, n in ((68, "inputs", net["n_in"]), (72, "outputs", net["n_out"])):
        values = r.array(at + field, count * n, f"{what}, sample {name}", index=lambda k, n=n: divmod(k, n))
        net[name] = values.reshape(count, n)


def _build(record):
    """The Net of a record that was found good."""
    layers = []
    for layer in record["layers"]:
        n_out, n_in = layer["n_out"], layer["n_in"]
        weights = from_tiles(layer["weights"], n_out, n_in, *layer["tile"])[:n_out, :n_in]
        scale = None if layer["scale"] is None else layer["scale"][:n_out]
        layers.append(Layer(weights, layer["bias"][:n_out], ACTIVATIONS[layer["activation"]], scale,
                            layer["what"]))
    return Net(record["name"], layers, HEADS[record["head"]], *[record[name] for name in ARRAYS],
               weights=WEIGHTS[record["kind"]], input_quant=record["quant"],
               samples=Samples(record["inputs"], record["outputs"], record["tolerance"]))


def decode(blob):
    """(Model, FileInfo) from the bytes of a .tcm file; a FormatError says which rule is broken and where."""
    r = _Reader(blob)
    _envelope(r)
    n_nets = r.unpack("I", 32)
    r.expect(1 <= n_nets <= MAX_NETS, "FIELD", 32, "header, n_nets", f"is {n_nets}, wanted 1 to {MAX_NETS}")
    r.expect(HEADER + NET * n_nets <= r.size, "BOUNDS", 32, "header, n_nets",
             f"{n_nets} records end outside the file of {r.size} bytes")
    r.claimed = HEADER + NET * n_nets
    r.expect(r.unpack("I", 36) == HEADER, "FIELD", 36, "header, nets_offset", f"is not {HEADER}")
    step_size = r.magnitude(40, "header, step_size")
    r.zero(60, 4, "header")
    raw, metadata = _metadata(r)
    record_at = _claim_record(r)
    records = []
    for index in range(n_nets):
        record = _read_net(r, index)
        check_net(record, from_tiles)
        r.expect(record["name"] not in [other["name"] for other in records], "FIELD", record["at"],
                 f"{record['what']}, name", "an earlier net has the same name")
        records.append(record)
    contact = _read_record(r, *record_at)
    model = Model([_build(record) for record in records], step_size, metadata, contact)
    model._stored_metadata = (dict(metadata), raw)
    info = FileInfo(r.size, r.unpack("I", 12), bytes(blob[16:32]))
    info.hash_fits = content_hash(model).hex() == info.hash
    info.tiles = [[layer["tile"] for layer in record["layers"]] for record in records]
    info.trailing = len(blob) - r.size
    return model, info
