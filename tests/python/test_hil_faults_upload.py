# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Uploads to an emulated board that end at any byte or are wrong in themselves: what was loaded stays in use until
something better has passed its checks."""
import unittest
import zlib

from hil_case import OnBoard, foot_model
from tinycontact_case import random_net, tc
from tinycontact.hil import wire
from tinycontact.hil.parameters import parameters


class Uploads(OnBoard):
    def stream(self, kind, data):
        """All bytes of an upload."""
        codec = wire.Codec()
        codec._encoder.sequence = 1   # HELLO was frame 0
        parts = [wire.UploadBegin(kind, len(data), zlib.crc32(data))]
        parts += [wire.chunk(at, data[at:at + 200]) for at in range(0, len(data), 200)]
        return b"".join(codec.encode(part) for part in [*parts, wire.UploadCommit()])

    def begin(self):
        """A session without uploads: what BOOT says is loaded."""
        self.bench.send(b"\0")
        self.bench.send(wire.Hello(session=5))
        while True:
            received = self.bench.link.receive("HELLO", 2.0)
            if received.type == wire.Boot.TYPE:
                return received.message()

    def cut_everywhere(self, kind, data, loaded):
        """`loaded(boot)`: what must not change."""
        stream, held = self.stream(kind, data), loaded(self.begin())
        for end in range(len(stream) - 1):   # without the last zero it is whole: a session begins with one
            self.begin()
            self.bench.send(stream[:end])
            self.assertEqual(loaded(self.begin()), held, f"cut at byte {end} of {len(stream)}")
        self.begin()
        self.bench.send(stream)
        self.assertEqual([m.status for m in self.bench.answers(0.3)], [0] * (2 + -(-len(data) // 200)))
        self.assertNotEqual(loaded(self.begin()), held)
        print(f"upload of {len(data)} bytes, cut at each of {len(stream)} on the line: nothing loaded was lost")

    def test_parameters_cut(self):
        other = parameters(self.plant.chain, friction=0.61)
        self.cut_everywhere(wire.PARAMETERS, other, lambda boot: (boot.parameter_crc, boot.parameter_size))

    def test_model_cut(self):
        one, two = (foot_model(self.plant.chain, seed).to_bytes() for seed in (1, 2))
        self.bench.session.upload(wire.MODEL, one)
        self.cut_everywhere(wire.MODEL, two, lambda boot: (bytes(boot.model_hash), boot.model_size))

    def test_model_of_another_leg(self):
        """A misfit is refused with the reason and the old model stays and is used; so with parameters that it would not fit,
        until it is taken away."""
        session, chain = self.bench.session, self.plant.chain
        session.upload(wire.MODEL, foot_model(chain, 1).to_bytes())
        boot = self.begin()
        for misfit in (foot_model(chain, 2, mass=1.03), foot_model(chain, 2, inertia=0.97), foot_model(chain, 2, step=2e-3),
                       tc.Model([random_net(1, [2, 2], ["tanh"])])):
            with self.assertRaisesRegex(tc.TinycontactError, "does not take the model: .*TC_ERR_MODEL_MISMATCH"):
                session.upload(wire.MODEL, misfit.to_bytes())
        with self.assertRaisesRegex(tc.TinycontactError, "does not take the leg's parameters: .*TC_ERR_MODEL_MISMATCH"):
            session.upload(wire.PARAMETERS, parameters(chain, step=2e-3))
        self.assertEqual(bytes(self.begin().model_hash), bytes(boot.model_hash))
        self.recovers("a model of another leg")
        session.upload(wire.MODEL, b"")
        session.upload(wire.PARAMETERS, parameters(chain, step=2e-3))
        self.assertEqual(self.begin().model_size, 0)

    def test_damaged(self):
        """Whole on the line but wrong in itself: refused with the reason, and what was loaded goes on working."""
        good = parameters(self.plant.chain)
        boot = self.begin()
        for data, told in ((b"", "TC_ERR"), (good[:-1], "TC_ERR_SIZE"), (b"x" + good[1:], "TC_ERR_MODEL_MAGIC"),
                           (good + bytes(700), "TC_ERR_SIZE"), (good[:8] + b"\xff" * 40 + good[48:], "TC_ERR")):
            with self.assertRaisesRegex(tc.TinycontactError, "does not take the leg's parameters: .*" + told):
                self.bench.session.upload(wire.PARAMETERS, data)
        with self.assertRaisesRegex(tc.TinycontactError, "does not take the model: .*TC_ERR_MODEL"):
            self.bench.session.upload(wire.MODEL, b"no model at all" * 9)
        self.assertEqual(self.begin().parameter_crc, boot.parameter_crc)
        self.recovers("damaged uploads")


if __name__ == "__main__":
    unittest.main()
