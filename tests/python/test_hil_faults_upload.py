# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Uploads to an emulated board that end at any byte or are wrong in themselves: what was loaded stays in use until
something better has passed its checks."""
import struct
import unittest
import zlib

from hil_case import OnBoard, foot_model
from tinycontact_case import random_net, tc
from tinycontact.hil import wire
from tinycontact.hil.parameters import parameters
from tinycontact.hil.plant import plant_chain


def small_model(seed):
    return foot_model(plant_chain("leg"), seed).to_bytes()


def with_wrong_sample(model):
    """A model file that is right in every byte but for what its net is said to answer."""
    changed = bytearray(model)
    (outputs,) = struct.unpack_from("<I", changed, 64 + 72)
    struct.pack_into("<f", changed, outputs, 9.0)
    struct.pack_into("<I", changed, 12, zlib.crc32(changed[16:]))
    return bytes(changed)


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
        self.kept({wire.PARAMETERS: "parameters cut", wire.MODEL: "model cut"}[kind], len(stream) - 1, 1, 0)

    def test_parameters_cut(self):
        other = parameters(self.plant.chain, friction=0.61)
        self.cut_everywhere(wire.PARAMETERS, other, lambda boot: (boot.parameter_crc, boot.parameter_size))

    def test_model_cut(self):
        one, two = small_model(1), small_model(2)
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
        self.recovers("a model of another leg", ticks=20)
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
        self.recovers("damaged uploads", ticks=20)

    def test_self_test_fails(self):
        """A model whose own samples say otherwise is refused, whole as it is; the one before stays in use."""
        self.bench.session.upload(wire.MODEL, small_model(1))
        held = self.begin()
        self.assertEqual(bytes(held.model_hash), small_model(1)[16:32])
        with self.assertRaisesRegex(tc.TinycontactError, "does not take the model: .*TC_ERR_MODEL_SELFTEST"):
            self.bench.session.upload(wire.MODEL, with_wrong_sample(small_model(2)))
        self.assertEqual(bytes(self.begin().model_hash), bytes(held.model_hash))
        self.recovers("model whose self-test fails", ticks=20)

    def test_while_running(self):
        """Parts of an upload between ticks change no estimate; only the whole of it does, and then all begins anew. An
        upload that is begun again forgets the first."""
        data, undisturbed = parameters(self.plant.chain, friction=0.61), self.undisturbed()
        for _ in range(2):
            self.bench.session.ask(wire.UploadBegin(wire.PARAMETERS, len(data), zlib.crc32(data)), wire.Upload)
            for at in range(0, len(data) - 50, 50):
                self.bench.session.ask(wire.chunk(at, data[at:at + 50]), wire.Upload)
                self.assertEqual(tuple(self.tick().p), undisturbed[self.plant.plant.ticks - 1])
        short = self.bench.session.ask(wire.UploadCommit(), wire.Upload)
        self.assertEqual((wire.status_name(short.status)[-13:], short.bytes), ("(TC_ERR_SIZE)", at + 50))
        self.assertEqual(tuple(self.tick().p), undisturbed[self.plant.plant.ticks - 1])
        self.bench.session.ask(wire.chunk(at + 50, data[at + 50:]), wire.Upload)
        self.assertEqual(self.bench.session.ask(wire.UploadCommit(), wire.Upload).status, 0)
        self.recovers("upload while running", ticks=20)


if __name__ == "__main__":
    unittest.main()
