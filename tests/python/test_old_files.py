# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Files that earlier versions wrote still open, and mean the same to the bit: tests/old."""

import json
import unittest

import numpy as np

from tinycontact_case import ROOT, Temporary, tc
from tinycontact.hil import wire
from tinycontact.hil.replay import replay
from tinycontact.spatial import limb

OLD = ROOT / "tests" / "old" / "0.1"


def read(name):
    return json.loads((OLD / name).read_text())


class Models(Temporary):
    def same(self, made, old):
        self.assertEqual((OLD / old).read_text(), (self.folder / made).read_text())

    def test_in_the_plane(self):
        words = ("--model", OLD / "rectangle_i8.tcm", "--body", OLD / "rectangle.json")
        self.command("body", "replay", *words, OLD / "states.csv", "-o", "states.csv")
        self.same("states.csv", "states_out.csv")
        for scheme in ("dart", "toc", "gap"):
            self.command("body", "throw", *words, "--positions", scheme, OLD / "throws.json", "-o", "throws.json")
            self.same("throws.json", f"throws_{scheme}.json")

    def test_in_space(self):
        old = read("limb.json")
        ticks = limb.roll(limb.Foot.of_model(OLD / "box.tcm"), old["pin"], old["q"], old["ticks"])
        self.assertEqual(old["contacts"], np.count_nonzero(ticks["contacts"]))
        self.assertEqual([old["q_end"], old["qd_end"]], [ticks[name][-1, :3].tolist() for name in ("q", "qd")])

    def test_system(self):
        self.command("cdl", "simulate", "--model", OLD / "cradle.tcm", OLD / "cradle.json", "-o", "cradle.json")
        self.same("cradle.json", "cradle_out.json")

    def test_nets(self):
        opened, old = tc.Library().open(str(OLD / "nets.tcm")), read("nets.json")
        self.assertEqual((12, 0), tuple(opened.selftest()[name] for name in ("samples", "failed")))
        for name, said in old.items():
            net, inputs = opened.net(name), np.array(said["x"])
            self.assertEqual(said["y"], net.eval(inputs).tolist())
            for row, gradient in zip(inputs, said.get("grad", [])):
                self.assertEqual(gradient, net.grad(row, np.ones(len(said["y"][0])))[1].tolist())
        self.assertEqual(5, len(old))

    def test_each_is_of_before(self):
        for path in OLD.glob("*.tcm"):
            with self.subTest(path.name):
                self.command("model", "check", path)


class Line(unittest.TestCase):
    def test_log(self):
        """The estimates that the firmware of 0.1 sent are those of today's, from the same bytes."""
        found = replay(str(OLD / "log.bin"))
        self.assertEqual((None, 284, 280), (found.difference, found.frames, found.ticks))

    def test_frames(self):
        """Read, each message has the fields of before; written, the bytes of before."""
        stream, codec, writer = (OLD / "frames.bin").read_bytes(), wire.Codec(), wire.Codec()
        received = list(codec.decode(stream))
        self.assertEqual([wire.FRAME] * 16, [one.result for one in received])
        for one, old in zip(received, read("frames.json")):
            with self.subTest(old["message"]):
                self.assertEqual(old["message"], one.name)
                message = wire.BY_TYPE[one.type]() if old["values"] == {} else one.message()
                if isinstance(message, wire.UploadChunk):
                    said = {"offset": message.offset, "n": message.n, "bytes": bytes(message.bytes[:message.n]).hex()}
                else:
                    said = json.loads(json.dumps(message.values(), default=lambda held: held.hex() if held[:4] != b"tiny" else held.decode()))
                self.assertEqual(old["values"], {name: said[name] for name in old["values"]})   # newer fields have defaults
                self.assertEqual(one.raw, writer.encode(message).lstrip(b"\0"))
        self.assertEqual(len(stream), sum(old["length"] for old in read("frames.json")))


if __name__ == "__main__":
    unittest.main()
