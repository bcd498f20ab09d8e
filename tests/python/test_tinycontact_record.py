# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The contact record of model files: what goes in comes out, this package's reader and the library's agree
about every damaged one, and whatever a user gets wrong is told by its field."""
import json
import re
import struct
import unittest
import zlib
from dataclasses import fields, replace

import numpy as np

from tinycontact_case import ROOT, Temporary, random_net, tc
from tinycontact.errors import STATUS
from tinycontact.format import decode
from tinycontact.record import ALL_GROUPS, GROUPS, OFFSETS, SIZE
from tree import lib_file

PLANAR = tc.ContactRecord("planar", 1.5, 0.25, (31, 61), "toc", 0.125, 9.81, 0.02, (1.5, 0.75))
SPATIAL = tc.ContactRecord("spatial", 2.5, (0.5, 0.375, 0.625), (31, 0, 63), "gap")


def contact_model(record=PLANAR, **options):
    nets = [random_net(1, [2, 3], ["identity"], "softmax", name="class0", samples=1),
            random_net(2, [2, 1], ["identity"], name="ratio0", samples=1)]
    return tc.Model(nets, 0.002, contact=record, **options)


def with_crc(blob):
    struct.pack_into("<I", blob, 12, zlib.crc32(bytes(blob[16:])))
    return bytes(blob)


class Contents(Temporary):
    def test_round_trip(self):
        """A field that is not written, or written elsewhere than read."""
        for record in (PLANAR, SPATIAL, replace(PLANAR, friction=0.5)):
            again, info = decode(contact_model(record, metadata={"vertices": [1]}).to_bytes())
            self.assertEqual(again.contact, record)
            self.assertTrue(info.hash_fits)
        self.assertEqual(PLANAR.patches, 3)
        self.assertEqual(SPATIAL.patches, 5)
        self.assertEqual(PLANAR.inertia, (0.25, 0.0, 0.0))
        self.assertEqual(PLANAR.gravity, float(np.float32(9.81)))
        self.assertEqual(PLANAR.groups(1), ["lever", "velocity", "stick", "arrest", "share"])
        self.assertIsNone(decode(tc.Model([random_net(1, [1, 1], ["tanh"])]).to_bytes())[0].contact)

    def test_hash_covers_every_field(self):
        other = {"mass": 1.25, "inertia": 0.5, "mask": (31, 63), "positions": "dart",
                 "restitution": 0.25, "gravity": 0.0, "tolerance": 0.5, "temperature": (1.5, 1.0), "friction": 0.6}
        seen = {contact_model().hash(), contact_model(SPATIAL).hash(), contact_model(None).hash()}
        for field in fields(PLANAR):
            if field.name in ("kind", "target", "features"):   # one value possible, or another record
                continue
            seen.add(contact_model(replace(PLANAR, **{field.name: other[field.name]})).hash())
        self.assertEqual(len(seen), 3 + len(fields(PLANAR)) - 3)

    def test_commands_show_it_and_keep_it(self):
        contact_model().save("c.tcm")
        np.savetxt("x.csv", np.random.default_rng(1).normal(size=(20, 2)), delimiter=",")
        for words in (["model inspect", "c.tcm"], ["model check", "c.tcm"]):
            out = self.command(*words)[0]
            for told in ("planar body: mass 1.5 kg, inertia 0.25 kg m^2 (tolerance 2 %)", "positions toc",
                         "gravity 9.81 m/s^2", "patch dimension 1: features lever, velocity"):
                self.assertIn(told, out)
        shown = json.loads(self.command("model inspect", "c.tcm", "--json")[0])["contact"]
        self.assertEqual(shown["patches"]["0"], {"groups": list(GROUPS)[:5], "temperature": 1.5})
        self.command("model layout", "c.tcm", "--core", "helium", "-o", "t.tcm")
        self.command("model quantise", "c.tcm", "--net", "ratio0", "--data", "x.csv", "-o", "q.tcm")
        for name in ("t.tcm", "q.tcm"):
            self.assertEqual(tc.load(name).contact, PLANAR)
        self.assertIsNone(json.loads(self.plain_json())["contact"])

    def plain_json(self):
        tc.Model([random_net(1, [1, 1], ["tanh"])]).save("plain.tcm")
        return self.command("model inspect", "plain.tcm", "--json")[0]

    def test_version_1_is_told_what_to_do(self):
        blob = bytearray(contact_model().to_bytes())
        for version, told in ((1, "export the model again"), (3, "newer tinycontact")):
            struct.pack_into("<H", blob, 4, version)
            (self.folder / "old.tcm").write_bytes(with_crc(blob))
            self.refused("model inspect", "old.tcm", told=("old.tcm", "header, version", f"is {version}", told))


class Damage(unittest.TestCase):
    def verdicts(self, library, data):
        """(status, offset) of this package's reader and of the library."""
        seen = []
        for read, kind in ((decode, tc.FormatError), (library.open, tc.StatusError)):
            try:
                read(data)
                seen.append(("TC_OK", 0))
            except kind as error:
                seen.append((error.status, error.offset))
        return seen

    def test_every_flipped_bit(self):
        """Every bit of the record and of the header's words about it, CRC made good: two readers written
        apart find the same rule broken at the same place."""
        library = tc.Library()
        for record in (PLANAR, SPATIAL, replace(PLANAR, friction=0.5)):
            good = contact_model(record).to_bytes()
            at = struct.unpack_from("<I", good, 52)[0]
            for k in [*range(8 * 40, 8 * 64), *range(8 * at, 8 * (at + SIZE))]:
                bad = bytearray(good)
                bad[k // 8] ^= 1 << k % 8
                ours, theirs = self.verdicts(library, with_crc(bad))
                self.assertEqual(ours, theirs, f"bit {k % 8} of byte {k // 8}, record at {at}")

    def test_words_that_matter(self):
        library, good = tc.Library(), contact_model(SPATIAL).to_bytes()
        at = struct.unpack_from("<I", good, 52)[0]
        words = [0, 1, 63, 64, 128, 0x3F800000, 0x3F800001, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x80000000,
                 0x80000001, 0xBF800000, len(good), 2**32 - 16]
        for field in [*range(40, 64, 4), *range(at, at + SIZE, 4)]:
            for word in words:
                bad = bytearray(good)
                struct.pack_into("<I", bad, field, word)
                ours, theirs = self.verdicts(library, with_crc(bad))
                self.assertEqual(ours, theirs, f"{word:#x} at {field}, record at {at}")

    def test_message_names_the_field(self):
        good = contact_model().to_bytes()
        at = struct.unpack_from("<I", good, 52)[0]
        for field, offset in OFFSETS.items():
            bad = bytearray(good)
            bad[at + offset:at + offset + 1] = b"\xff"
            bad[at + offset + 3] = 0xff
            with self.assertRaisesRegex(tc.FormatError, re.escape(f"contact record, {field} (byte")):
                decode(with_crc(bad))


class Refused(unittest.TestCase):
    def test_fields(self):
        for field, value, told in (
                ("kind", "flat", "kind: 'flat' is none of planar, spatial"),
                ("mass", 0.0, "mass: is 0, wanted greater than 0"), ("mass", float("nan"), "mass is nan"),
                ("mass", "x", "mass: not an array of numbers"), ("mass", 1e39, "mass is 1e.39, too large"),
                ("mass", 1e-50, "mass: is 0"),
                ("inertia", (1, 2, 3), "inertia: has 3 numbers, wanted 1"), ("inertia", -1, r"inertia\[0\]"),
                ("inertia", (), "inertia: has 0"), ("restitution", 1.5, "restitution: is 1.5, wanted 0 to 1"),
                ("gravity", -9.81, "gravity: is -9.81, wanted at least 0"),
                ("tolerance", -0.1, "tolerance"), ("positions", "push", "positions: 'push' is none of dart"),
                ("mask", (0, 0), "mask: no patch dimension"), ("mask", (64, 1), r"mask\[0\]: is 64"),
                ("mask", (1.5, 1), r"mask\[0\]: is 1.5"), ("mask", 31, "mask: is 31, wanted one number per"),
                ("mask", (1, 1, 1), r"mask\[2\]: a planar body has no patches of dimension 2"),
                ("temperature", (0, 1), r"temperature\[0\]"), ("temperature", (1, 1, 1), r"temperature\[2\]"),
                ("temperature", (1, 1, 0, 0), "temperature: has 4"), ("target", "impulse", "target"),
                ("features", 2, "features: version 2")):
            with self.subTest(field=field, value=value):
                with self.assertRaisesRegex(tc.TinycontactError, "contact record, " + told):
                    replace(PLANAR, **{field: value})
        with self.assertRaisesRegex(tc.TinycontactError, "inertia: has 1 numbers, wanted 3"):
            replace(SPATIAL, inertia=1.0)

    def test_models(self):
        net = random_net(1, [1, 1], ["tanh"])
        with self.assertRaisesRegex(tc.TinycontactError, "step_size: a model with a contact record"):
            tc.Model([net], contact=PLANAR)
        with self.assertRaisesRegex(tc.TinycontactError, "contact: is dict, wanted a ContactRecord"):
            tc.Model([net], 0.001, contact={"kind": "planar"})

    def test_mismatch_says_which(self):
        self.assertIsNone(PLANAR.mismatch(1.5, 0.25, 0.002, 0.002))
        self.assertIsNone(PLANAR.mismatch(1.5 * 1.019, 0.25 * 0.981, 0.002, 0.002))
        for arguments, told in (((1.6, 0.25, 0.002, 0.002), "mass is 1.6 kg, .* trained for 1.5 kg"),
                                ((1.5, 0.2, 0.002, 0.002), "inertia is 0.2 kg m"),
                                ((1.5, 0.25, 0.002, 0.001), "step size h is 0.001 s.*0.002 s .tolerance 2 %"),
                                ((float("nan"), 0.25, 0.002, 0.002), "mass is nan")):
            self.assertRegex(PLANAR.mismatch(*arguments), told)
        self.assertRegex(SPATIAL.mismatch(2.5, (0.5, 0.375, 0.7), 1, 1), "inertia is 0.7")


class Names(unittest.TestCase):
    """Constants that stand in C and in Python are the same."""

    def test_statuses(self):
        header = lib_file("tc_status.h").read_text()
        rows = re.findall(r'X\((\w+), (-?\d+), "([^"]*)"\)', header)
        self.assertEqual(STATUS, {name: (int(value), text) for name, value, text in rows})

    def test_feature_groups(self):
        header = lib_file("tc_learned.h").read_text()
        groups = {name.lower(): int(bit) for name, bit in re.findall(r"TC_LEARNED_FEATURE_(\w+) = (\d+)", header)}
        self.assertEqual(groups.pop("all"), ALL_GROUPS)
        self.assertEqual(groups, GROUPS)


if __name__ == "__main__":
    unittest.main()
