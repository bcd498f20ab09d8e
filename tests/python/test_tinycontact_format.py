# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Model files and C pairs written by the Python package: what goes in comes out, and two independent readers,
this package's and the library's, agree about every damaged file."""
import re
import struct
import subprocess
import unittest
import zlib

import numpy as np

from tinycontact_case import ROOT, TILES, Temporary, all_kinds, random_net, tc
from tinycontact.format import ARRAYS, CORE_TILES, decode, encode
from tree import INCLUDES, lib_file


def small():
    """A little file for exhaustive damage: two nets, so that names and order matter too."""
    first = random_net(11, [2, 1], ["tanh"], normal=True, limits=True, name="a", samples=1)
    second = random_net(12, [2, 2], ["relu"], weights="i8", name="b", samples=1)
    return tc.Model([first, second], 0.001, {"u": "N"}).to_bytes()


class RoundTrip(Temporary):
    def test_every_field(self):
        """A field that is not written, or written elsewhere than read."""
        model = all_kinds()
        for tile in TILES:
            again, info = decode(encode(model, tile=tile))
            self.assertEqual(again.step_size, np.float32(0.001))
            self.assertEqual(again.metadata, model.metadata)
            self.assertEqual({t for tiles in info.tiles for t in tiles}, {tile})
            for one, two in zip(model.nets, again.nets, strict=True):
                self.same_net(one, two)

    def same_net(self, one, two):
        for name in ("name", "head", "weights", "input_quant", "n_in", "n_out", "width"):
            self.assertEqual(getattr(one, name), getattr(two, name))
        pairs = [(getattr(one, name), getattr(two, name)) for name in ARRAYS]
        pairs += [(one.samples.inputs, two.samples.inputs), (one.samples.outputs, two.samples.outputs)]
        for a, b in zip(one.layers, two.layers, strict=True):
            self.assertEqual(a.activation, b.activation)
            pairs += [(a.weights, b.weights), (a.bias, b.bias), (a.scale, b.scale)]
        for a, b in pairs:
            self.assertEqual(a is None, b is None)
            if a is not None:
                self.assertEqual((a.dtype, a.shape, a.tobytes()), (b.dtype, b.shape, b.tobytes()))
        self.assertEqual(one.samples.tolerance, two.samples.tolerance)

    def test_arrays_given_in_double_precision(self):
        """What is assigned to a net later is a NumPy array of float64 as a rule: its bytes are no float32."""
        net = random_net(11, [2, 1], ["tanh"], limits=True, name="a", samples=1)
        model = tc.Model([net])
        low = net.input_low
        wanted = encode(model), model.hash()
        net.input_low = low.astype(np.float64)
        self.assertEqual((encode(model), model.hash()), wanted)
        net.input_low = low.tolist()
        self.assertEqual(encode(model), wanted[0])

    def test_hash_is_the_contents(self):
        """A hash that depends on the layout, or misses a part of the contents."""
        model = all_kinds()
        seen = {decode(encode(model, tile=tile))[1].hash for tile in TILES}
        self.assertEqual(seen, {model.hash()})
        self.assertEqual(len({encode(model, tile=tile) for tile in TILES}), len(TILES))
        changed = all_kinds()
        changed.nets[2].layers[0].scale[1] *= 2
        self.assertNotEqual(changed.hash(), model.hash())
        self.assertNotEqual(tc.Model(model.nets, 0.002, model.metadata).hash(), model.hash())
        self.assertNotEqual(tc.Model(model.nets, 0.001, {"unit": "N"}).hash(), model.hash())

    def test_library_opens_all_tiles_with_the_same_bits(self):
        """A tile that the writer and the library lay out differently."""
        library, model = tc.Library(), all_kinds()
        inputs = [np.random.default_rng(k).normal(size=(4, net.n_in)) for k, net in enumerate(model.nets)]
        first = None
        for tile in TILES:
            opened = library.open(encode(model, tile=tile))
            self.assertEqual([name for name, *_ in opened.nets], [net.name for net in model.nets])
            self.assertEqual(opened.selftest()["samples"], 12)
            bits = [opened.net(net.name).eval(x).tobytes() for net, x in zip(model.nets, inputs)]
            first = first or bits
            self.assertEqual(bits, first, tile)

    def test_cores(self):
        for core, (one, two) in CORE_TILES.items():
            info = decode(all_kinds().to_bytes(core))[1]
            self.assertEqual([tiles[0] for tiles in info.tiles], [one, one, one, two, one])
        with self.assertRaisesRegex(tc.TinycontactError, "core 'm0'"):
            all_kinds().to_bytes("m0")

    def test_save_and_load(self):
        all_kinds().save("a.tcm")
        tc.load("a.tcm").save("b.tcm")
        self.assertEqual((self.folder / "a.tcm").read_bytes(), (self.folder / "b.tcm").read_bytes())
        with self.assertRaisesRegex(tc.TinycontactError, "none/a.tcm: cannot be written"):
            all_kinds().save("none/a.tcm")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["a.tcm", "b.tcm"])

    def test_metadata_is_kept_as_it_was_written(self):
        """Foreign JSON, with other blanks and order, is written back byte for byte: the hash stays."""
        model = tc.Model([random_net(1, [1, 1], ["identity"])])
        raw = b'{ "b" : 1.50,\n "a": null }'
        model._stored_metadata = ({"b": 1.5, "a": None}, raw)
        model.metadata = {"b": 1.5, "a": None}
        again = decode(model.to_bytes())[0]
        self.assertEqual(again.metadata_bytes(), raw)
        again.metadata["b"] = 2
        self.assertEqual(again.metadata_bytes(), b'{"b":2,"a":null}')

    def test_edges(self):
        """The largest and the least there can be."""
        wide = random_net(1, [512, 512, 1], ["relu", "identity"], name="n" * 23, samples=1)
        deep = random_net(2, [1] * 9, ["tanh"] * 8, name="!")
        for net in (wide, deep):
            self.assertEqual(tc.Library().open(net).selftest()["failed"], 0)
        sixteen = tc.Model([random_net(k, [1, 1], ["relu"], name=f"n{k}", samples=0) for k in range(16)])
        self.assertEqual(len(tc.Library().open(sixteen).nets), 16)
        tiny = tc.Net("t", [([[1e-45, -0.0]], [1.17e-38], "identity")], samples=0)
        self.assertEqual(decode(tc.Model([tiny]).to_bytes())[0].nets[0].layers[0].weights.tobytes(),
                         np.float32([1e-45, -0.0]).tobytes())


class Foreign(unittest.TestCase):
    def test_files_of_the_reference(self):
        """The files in tests/vectors come from another writer (tools/ref/net_vectors.py): read, hash found
        good, written again byte for byte."""
        text = (ROOT / "tests" / "vectors" / "model.h").read_text()
        arrays = re.findall(r"uint8_t (\w+)\[\d+\] = \{([^}]*)\}", text)
        self.assertGreaterEqual(len(arrays), 3)
        for name, numbers in arrays:
            blob = bytes(int(word) for word in numbers.replace(",", " ").split())
            model, info = decode(blob)
            self.assertTrue(info.hash_fits, name)
            self.assertEqual(encode(model, tile=info.tiles[0][0]), blob, name)


class Damage(unittest.TestCase):
    def verdicts(self, library, data):
        """(status, offset) of this package's reader and of the library."""
        try:
            decode(data)
            ours = ("TC_OK", 0)
        except tc.FormatError as error:
            ours = (error.status, error.offset)
        try:
            library.open(data)
            theirs = ("TC_OK", 0)
        except tc.StatusError as error:
            theirs = (error.status, error.offset)
        return ours, theirs

    def test_every_flipped_bit(self):
        """Both readers refuse any changed file; with the CRC made good again, they agree about which rule is
        broken and where. Metadata is opaque to the library."""
        library, good = tc.Library(), bytearray(small())
        self.assertEqual(self.verdicts(library, bytes(good)), (("TC_OK", 0),) * 2)
        refused = 0
        for k in range(8 * len(good)):
            bad = bytearray(good)
            bad[k // 8] ^= 1 << k % 8
            if k % 8 in (0, 3, 7):
                ours, theirs = self.verdicts(library, bytes(bad))
                self.assertEqual(ours, theirs, f"bit {k}")
                self.assertNotEqual(theirs[0], "TC_OK", f"bit {k}")
            struct.pack_into("<I", bad, 12, zlib.crc32(bad[16:]))
            ours, theirs = self.verdicts(library, bytes(bad))
            if ours[0] != "METADATA":
                self.assertEqual(ours, theirs, f"bit {k} of byte {k // 8}, CRC made good")
            refused += theirs[0] != "TC_OK"
        self.assertGreater(refused, len(good))

    def test_random_words(self):
        """Fields replaced by numbers that matter: 0, 1, limits, offsets of other things."""
        library, good = tc.Library(), small()
        rng = np.random.default_rng(5)
        words = [0, 1, 16, 64, 255, 512, 513, 65535, 65536, len(good), len(good) - 16, 2**31, 2**32 - 16,
                 0x7F800000,
                 0x80000000, 0x7FC00000, 0x7F7FFFFF]
        for _ in range(1500):
            bad = bytearray(good)
            for _ in range(rng.integers(1, 3)):
                struct.pack_into("<I", bad, 4 * int(rng.integers(4, 80)), int(rng.choice(words)))
            struct.pack_into("<I", bad, 12, zlib.crc32(bad[16:]))
            ours, theirs = self.verdicts(library, bytes(bad))
            if ours[0] != "METADATA":   # which of several faults is found first is not laid down
                self.assertEqual(ours[0] == "TC_OK", theirs[0] == "TC_OK",
                                 f"{ours} {theirs} {bytes(bad).hex()}")

    def test_too_large_to_evaluate(self):
        """Where 2^100 can be reached, forwards or backwards, both readers say so, and neither elsewhere."""
        library, seen = tc.Library(), set()
        for k in range(20, 92):
            for kinds, weights in ((["relu", "identity"], "f32"), (["tanh", "identity"], "f32"),
                                   (["softplus", "relu"], "i8"), (["relu", "identity"], "i8-act")):
                net = random_net(k, [3, 4, 2], kinds, weights=weights, normal=True, samples=0)
                for array in [net.layers[k % 2].weights if weights == "f32" else net.layers[k % 2].scale,
                              net.output_scale if k % 3 else net.input_scale]:
                    array *= np.float32(2.0**k)
                ours, theirs = self.verdicts(library, encode(tc.Model(net)))
                self.assertEqual(ours, theirs, f"2^{k}, {kinds}, {weights}")
                seen.add(ours[0])
        self.assertEqual(seen, {"TC_OK", "TC_ERR_MODEL_WEIGHT"})

    def test_every_truncation(self):
        library, good = tc.Library(), small()
        for n in range(1, len(good)):
            self.assertEqual(*self.verdicts(library, good[:n]), f"{n} bytes")
        self.assertEqual(*self.verdicts(library, good + b"\xff" * 7))
        self.assertEqual(decode(good + b"\xff" * 7)[1].trailing, 7)

    def test_message_names_the_element(self):
        model = all_kinds()
        for change, told in (((0, "weights", (2, 1)), r"net 'friction', layer 0, weights\[2, 1\]"),
                             ((1, "bias", (1,)), r"net 'friction', layer 1, bias\[1\]")):
            damaged = all_kinds()
            layer, field, at = change
            getattr(damaged.nets[0].layers[layer], field)[at] = np.nan
            with self.assertRaisesRegex(tc.FormatError, told + r".*is nan.*TC_ERR_MODEL_WEIGHT"):
                damaged.to_bytes()
        model.nets[0].layers[0].weights[0, 0] = 1e30
        with self.assertRaisesRegex(tc.FormatError, "layer 0, weights, row 0.*2\\^100"):
            model.to_bytes()


PROGRAM = r"""
#include "pair.h"
#include <stdio.h>
static void floats(const char *name, const float *x, unsigned n)
{
    for (unsigned i = 0; x != NULL && i < n; i++) {
        union { float f; uint32_t u; } bits = {x[i]};
        printf("%s %u %08x\n", name, i, (unsigned)bits.u);
    }
}
static void net(const char *name, const tc_net *n)
{
    printf("%s %u %u %u %u %u check %d\n", name,
           n->n_in, n->n_out, n->width, n->n_layers, n->head, tc_net_check(n));
    floats("mean", n->input_mean, n->n_in);       floats("scale", n->input_scale, n->n_in);
    floats("omean", n->output_mean, n->n_out);    floats("oscale", n->output_scale, n->n_out);
    floats("low", n->input_low, n->n_in);         floats("high", n->input_high, n->n_in);
    floats("quant", &n->input_quant, 1);
    for (unsigned l = 0; l < n->n_layers; l++) {
        const tc_net_dense *d = &n->layers[l];
        printf("layer %u %u %u %u %u %u\n",
               d->n_in, d->n_out, d->activation, d->weight, d->tile_rows, d->tile_columns);
        floats("bias", d->bias, (d->n_out + 7u) / 8u * 8u);
        floats("rowscale", d->scale, (d->n_out + 7u) / 8u * 8u);
        for (unsigned i = 0; i < tc_net_dense_count(d); i++) {
            if (d->weight == TC_NET_WEIGHT_F32) floats("w", (const float *)d->weights + i, 1);
            else printf("q %d\n", ((const int8_t *)d->weights)[i]);
        }
    }
}
int main(void) { %s return 0; }
"""


class CPair(Temporary):
    def expected(self, net, name, tile):
        from tinycontact.format import to_tiles
        from tinycontact.net import HEADS, WEIGHTS
        from tinycontact.net import ACTIVATIONS as KINDS
        lines = [f"{name} {net.n_in} {net.n_out} {net.width} {len(net.layers)} {HEADS.index(net.head)} check"
                 f" 0"]

        def floats(label, values, each=False):
            for i, u in enumerate(np.float32([] if values is None else values).view(np.uint32)):
                lines.append(f"{label} {0 if each else i} {u:08x}")

        def pad8(values):
            return None if values is None else np.concatenate([values, np.zeros(-len(values) % 8,
                                                                                np.float32)])
        for label, field in zip(("mean", "scale", "omean", "oscale", "low", "high"), ARRAYS):
            floats(label, getattr(net, field))
        floats("quant", [net.input_quant])
        for layer in net.layers:
            lines.append(f"layer {layer.n_in} {layer.n_out} {KINDS.index(layer.activation)}"
                         f" {WEIGHTS.index(net.weights)}"
                         f" {tile[0]} {tile[1]}")
            floats("bias", pad8(layer.bias))
            floats("rowscale", pad8(layer.scale))
            cells = to_tiles(layer.weights, *tile)
            if net.weights == "f32":
                floats("w", cells, each=True)
            else:
                lines.extend(f"q {v}" for v in cells)
        return lines

    def test_every_bit(self):
        """Decimal digits would lose the last bits: the compiled pair holds exactly the file's numbers."""
        model = all_kinds()
        model.nets[0].layers[0].weights[0, :3] = [1e-42, -0.0, np.float32(1) / 3]   # subnormal, signed zero
        tile = (4, 4)
        source, header = tc.export_c(model, "pair", tile=tile)
        names = [f"pair_{net.name.replace('-', '_')}" for net in model.nets]
        body = " ".join(f'net("{name}", &{name}_net);' for name in names)
        (self.folder / "main.c").write_text(PROGRAM.replace("%s return", body + " return"))
        lib = [str(lib_file("tc_net_check.c"))]
        flags = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *INCLUDES, "-I."]
        subprocess.run(["gcc", *flags, "main.c", "pair.c", *lib, "-lm", "-o", "pair"], check=True)
        output = subprocess.run(["./pair"], check=True, capture_output=True, text=True).stdout.splitlines()
        wanted = [line for net, name in zip(model.nets, names) for line in self.expected(net, name, tile)]
        self.assertEqual(output, wanted)
        text = source.read_text() + header.read_text()
        for stamp in (model.hash(), "format version 2", "friction: 3 - 9 tanh - 2 identity", np.__version__):
            self.assertIn(stamp, text)
        subprocess.run(["gcc", "-std=c99", "-pedantic-errors", "-fsyntax-only", *INCLUDES, "pair.c"], check=True)
        subprocess.run(["g++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c++", *INCLUDES, str(header)], check=True)

    def test_one_net_takes_the_name_of_the_file(self):
        net = random_net(1, [2, 2], ["tanh"])
        source, header = tc.export_c(net, self.folder / "friction-v2")
        self.assertIn("extern const tc_net friction_v2_net;", header.read_text())
        self.assertIn("#include \"friction-v2.h\"", source.read_text())
        self.assertNotRegex(header.read_text(), r"\btc_net \w+ =")


class BadNets(unittest.TestCase):
    def test_refused_with_the_field(self):
        W, b = np.ones((2, 3)), np.zeros(2)
        cases = [
            (dict(name="a b", layers=[(W, b)]), "name"),
            (dict(name="n" * 24, layers=[(W, b)]), "name"),
            (dict(name="a", layers=[]), "layers"),
            (dict(name="a", layers=[(W, b)] * 9), "9 layers"),
            (dict(name="a", layers=[(W, b), (W, b)]),
             "layer 1, weights: 3 columns, but layer 0 has 2 outputs; .*transpose"),
            (dict(name="a", layers=[(W, np.zeros(4))]), "layer 0, bias: has 4 numbers, wanted 2"),
            (dict(name="a", layers=[(W, np.zeros(3))]),
             "layer 0, weights: 2 rows, but the bias has 3 numbers.*transpose"),
            (dict(name="a", layers=[(W, b, "gelu")]), "'gelu'"),
            (dict(name="a", layers=[(W * np.inf, b)]), r"layer 0, weights\[0, 0\] is inf"),
            (dict(name="a", layers=[(W * 1e39, b)]), "too large for float32"),
            (dict(name="a", layers=[(W, b)], head="argmax"), "head"),
            (dict(name="a", layers=[(W, b, "tanh")], head="softmax"), "identity"),
            (dict(name="a", layers=[(W, b)], input_mean=[0, 0, 0]), "input_scale: missing"),
            (dict(name="a", layers=[(W, b)], input_mean=[0, 0], input_scale=[1, 1]),
             "input_mean: has 2 numbers, wanted 3"),
            (dict(name="a", layers=[(W, b)], input_low=[0, 2, 0], input_high=[1, 1, 1]), r"input_low\[1\]"),
            (dict(name="a", layers=[(W, b)], head="softmax", output_mean=[0, 0], output_scale=[1, 1]),
             "softmax"),
            (dict(name="a", layers=[(W, b, "relu", [1])]), "scale: has 1 numbers, wanted 2"),
            (dict(name="a", layers=[(W * 1.5, b, "relu", [1, 1])]), "whole numbers"),
            (dict(name="a", layers=[(W, b, "relu", [1, 1])], weights="i8-act"), "input_quant"),
            (dict(name="a", layers=[(W, b, "identity", [1, 1]), (np.ones((1, 2)), [0], "identity", [1])],
                  weights="i8-act",
                  input_quant=1), "layer 0: activation 'identity'"),
            (dict(name="a", layers=[(W, b)], samples=np.zeros((2, 2))), "samples"),
            (dict(name="a", layers=[("x", b)]), "not an array of numbers"),
            (dict(name="a", layers=[5]), "layer 0: wanted"),
        ]
        for arguments, told in cases:
            with self.subTest(told=told), self.assertRaisesRegex(tc.TinycontactError, told):
                tc.Net(**arguments)

    def test_bad_models(self):
        net = random_net(1, [1, 1], ["tanh"])
        for arguments, told in (([[]], "1 to 16"), ([[net, net]], "named 'net'"),
                                ([net, -1.0], "less than 0"),
                                ([net, float("nan")], "nan"), ([net, 0.0, {"a": float("nan")}], "metadata"),
                                ([net, 0.0, {"a": net}], "metadata")):
            with self.subTest(told=told), self.assertRaisesRegex(tc.TinycontactError, told):
                tc.Model(*arguments)


if __name__ == "__main__":
    unittest.main()
