# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A stand-in for a board: a thread that speaks the wire protocol through two pipes and misbehaves when told to."""
import os
import threading

from tinycontact.hil import link, wire
from tinycontact.stream import Stream


class StubStream(Stream):
    """The pipes to a new stub."""

    def __init__(self, *words):
        (theirs, out), (source, ours) = os.pipe(), os.pipe()
        super().__init__(source, out)
        self._ends = [source, out]
        self._thread = threading.Thread(target=Stub(theirs, ours, *words).run, daemon=True)
        self._thread.start()

    def ended(self):
        return "ended"

    def close(self):
        while self._ends:
            os.close(self._ends.pop())
        self._thread.join(5)


def open_stub(*words, timeout=5.0):
    """A Link to a stub; `words`: what it does wrong, and in which tick."""
    return link.Link(lambda: StubStream(*words), "stub", timeout, greets=True)


class Stub:
    def __init__(self, source, sink, kind="", tick=0):
        self.source, self.sink, self.kind, self.tick = source, sink, kind, tick
        self.start()

    def start(self):
        self.codec, self.session = wire.Codec(), 0
        self.boot()

    def run(self):
        try:
            self.serve()
        except OSError:   # the other end is closed
            pass
        finally:
            os.close(self.source)
            os.close(self.sink)

    def put(self, message):
        os.write(self.sink, self.codec.encode(message))

    def boot(self):
        self.put(wire.Boot(session=self.session, text=b"tinycontact 0.9.0 exact stub; stub"))

    def serve(self):
        while data := os.read(self.source, 65536):
            for frame in self.codec.decode(data):
                if frame.result == wire.FRAME:
                    getattr(self, f"on_{frame.name.lower()}", self.refuse)(frame)
                else:
                    self.put(wire.Nak(reason=1 if frame.result == wire.BAD else 2))

    def refuse(self, frame):
        self.put(wire.Nak(type=frame.type, sequence=frame.sequence, reason=3))

    def on_hello(self, frame):
        self.session = frame.message().session
        self.boot()

    def on_reset(self, frame):
        self.session = 0
        self.boot()

    def on_uploadbegin(self, frame):
        self.put(wire.Upload())

    on_uploadchunk = on_uploadcommit = on_uploadbegin

    def on_statsrequest(self, frame):
        self.put(wire.Stats())

    def on_sensors(self, frame):
        sensors = frame.message()
        if sensors.tick == self.tick:
            if getattr(self, f"do_{self.kind}")() == "silent":
                return
        estimate = wire.Estimate(tick=sensors.tick, slip=sensors.gyro)
        estimate.p[:] = 0.5, 0.25 + (self.kind == "wrong" and sensors.tick == self.tick) * 2**-24, 0.25
        self.put(estimate)

    # ---- What it does wrong once, at its tick

    def do_silent(self):
        self.tick = 0
        return "silent"

    def do_mute(self):
        return "silent"

    def do_wrong(self):
        pass

    def do_more(self):
        self.put(wire.Stats())

    def do_die(self):
        os.write(self.sink, b"FAULT: bus error at 0x2000\n")
        raise OSError

    def do_reset(self):
        self.tick = 0
        self.start()
        return "silent"

    def do_babble(self):
        os.write(self.sink, b"babble\0" + bytes(range(1, 256)) * 9 + b"\0")

    def do_event(self):
        self.put(wire.Event(kind=wire.EVENT_OVERRUN, tick=self.tick, value=7))
