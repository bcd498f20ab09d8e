# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A board with the firmware boards/apps/foot at the other end of its UART, and a session with it.

    with open_board("mps2-an386") as link:             # QEMU; "host": a process; open_port("/dev/ttyUSB0"): a real one
        session = Session(link, parameters)
        session.begin()
        estimate = session.tick(Sensors(tick=1, joints=2, ...))

Whatever the board does ends in an answer or, within the timeout, in an error that carries its last words.
"""
import time
import zlib

from ..board import command_of
from ..build import checkout
from ..errors import TinycontactError
from ..progress import say
from ..stream import BoardError, ProcessStream, SerialStream, words
from . import wire

APP = "foot"
TIMEOUT = 10.0        # [s] for one answer
LONG = 1.0            # [s] of silence that a person is told of
TO_BOARD, TO_HOST = 0, 1
MOST_WORDS = 4096


class Refused(TinycontactError):
    """The board answered NAK: `nak`."""

    def __init__(self, name, what, nak):
        self.nak = nak
        told = f"; {wire.status_name(nak.status)}" if nak.status else ""
        super().__init__(f"board {name}: refused {what}: {wire.REASONS.get(nak.reason, nak.reason)}{told}")


class WasReset(TinycontactError):
    """The board started anew in the middle of a session."""


class Silent(BoardError):
    """No answer within the timeout; the link stays open."""


def open_board(name="mps2-an386", profile="exact", timeout=TIMEOUT, app=APP, command=None):
    """A Link to the firmware on an emulated board, or on "host" as a process; `command` (a list of words)
    starts something else, in the working folder."""
    folder = checkout() if not command else None
    command = command or command_of(name, profile, app)
    return Link(lambda: ProcessStream(command, folder, one_cpu=name != "host"), name, timeout, greets=True)


def open_port(path, baud=115200, timeout=TIMEOUT):
    """A Link to a board on a serial port, which may have been running for long."""
    return Link(lambda: SerialStream(path, baud), path, timeout)


class Link:
    """Frames out and in. `tap(direction, bytes)`, if set, sees what is sent and each numbered frame that comes.
    `line`, if set, stands between the encoder and the UART and may lose or spoil frames: line(frame) gives the list
    of byte strings that leave in its place. A board that `greets` is one whose power comes with the link: nothing is
    sent before its BOOT is there, for bytes that come before a UART is open are lost."""

    def __init__(self, start, name, timeout=TIMEOUT, greets=False):
        self.name, self.timeout, self.tap, self.line = name, timeout, None, None
        self._start, self._greets, self._stream = start, greets, None
        self._codec = wire.Codec()
        self.events, self.old, self.bad = [], 0, 0
        self.restart()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    @property
    def process(self):
        """The board's process; None at a serial port."""
        return getattr(self._stream, "process", None)

    def restart(self):
        """Cuts the board's power and starts it again; one at a serial port, which may have been running for long, is told
        to forget all. Both ends begin to number anew."""
        self.close()
        self._codec, self._waiting, self._words = wire.Codec(self._codec.library), [], b""
        self._stream = self._start()
        try:
            self._waiting.append(self.receive("power-up") if self._greets else self._forgotten())
        except BoardError:
            self.close()
            raise

    def _forgotten(self):
        """The BOOT of a board that is as after power-up. Asked each second: it may be starting up. Nobody sees what is
        said until then, for it depends on what the board did before."""
        seen, self.tap, self.line = (self.tap, self.line), None, None
        deadline = time.monotonic() + self.timeout
        try:
            while True:
                self.send_bytes(b"\0")   # whoever spoke before may have ended in the middle of a frame
                self.send(wire.Hello(session=1))
                self.send(wire.Reset(what=wire.RESET_ALL))
                boot = self._power_up(min(LONG, self.timeout))
                if boot is not None:
                    break
                if time.monotonic() > deadline:
                    raise Silent(self._told(f"does not answer RESET within {self.timeout:.3g} s"))
        finally:
            self.tap, self.line = seen
        self._codec = wire.Codec(self._codec.library)
        if self.tap:
            self.tap(TO_HOST, boot.raw)
        return boot

    def _power_up(self, timeout):
        """The next BOOT without a session, and nothing of what comes with it; None if none comes in time."""
        deadline = time.monotonic() + timeout
        try:
            while True:
                received = self.receive("RESET", max(0.0, deadline - time.monotonic()))
                if received.type == wire.Boot.TYPE and received.message().session == 0:
                    self.drain()
                    return received
        except Silent:
            return None

    # ---- Out

    def send(self, message):
        """Returns the frame as it was made, whatever the line does with it."""
        frame = self._codec.encode(message)
        for data in self.line(frame) if self.line else [frame]:
            self.send_bytes(data)
        return frame

    def send_bytes(self, data):
        if self._stream is None:
            raise BoardError(f"board {self.name}: is closed")
        if self.tap:
            self.tap(TO_BOARD, data)
        try:
            self._stream.write(data, time.monotonic() + self.timeout)
        except TimeoutError:
            self._fail(f"takes no bytes within {self.timeout:g} s")
        except EOFError:
            self._fail(self._stream.ended())

    # ---- In

    def receive(self, what="a frame", timeout=None):
        """The next new numbered frame, a wire.Received. Silent if none comes in time; BoardError, and the link is
        closed, if the board is gone."""
        timeout = self.timeout if timeout is None else timeout
        deadline = time.monotonic() + timeout
        while not self._waiting:
            self._read(deadline, what, timeout)
        return self._waiting.pop(0)

    def _read(self, deadline, what, timeout):
        if self._stream is None:
            raise BoardError(f"board {self.name}: is closed")
        try:
            data = self._stream.read(deadline)
        except TimeoutError:
            raise Silent(self._told(f"does not answer {what} within {timeout:.3g} s")) from None
        except EOFError:
            self._fail(f"{self._stream.ended()} before it answered {what}")
        self._words = (self._words + data)[-MOST_WORDS:]
        for received in self._codec.decode(data):
            if received.result == wire.BAD:
                self.bad += 1
                continue
            self._words = b""
            if received.result == wire.OLD:
                self.old += 1
            elif received.type & wire.UNNUMBERED:
                self.events.append(received.message())
            else:
                if self.tap:
                    self.tap(TO_HOST, received.raw)
                self._waiting.append(received)

    def drain(self, quiet=0.05):
        """All frames that come until nothing has come for `quiet` seconds."""
        frames = []
        while True:
            try:
                frames.append(self.receive(timeout=quiet))
            except Silent:
                return frames

    def _told(self, text):
        said = words(self._words)
        return f"board {self.name}: {text}" + (f"; it said:\n{said}" if said else "")

    def _fail(self, text):
        """Ends the link with what the board said, of which more may be on its way."""
        try:
            while len(self._words) < MOST_WORDS:
                self._words += self._stream.read(time.monotonic() + 0.3)
        except (TimeoutError, EOFError):
            pass
        self.close()
        raise BoardError(self._told(text)) from None


class Session:
    """HELLO, uploads, ticks, predictions. `parameters` and `model` are what is uploaded; `number` is any but 0; an overrun is a tick
    that takes longer than `budget_us`."""

    ATTEMPTS = 5   # to send a tick before giving up
    PROMPT = 2     # the first so many are repeated as soon as the board says that something came spoilt, the others
                   # only when time is up: it may have meant bytes before this frame

    def __init__(self, link, parameters, model=b"", number=1, budget_us=0, silence_ms=0):
        self.link, self.parameters, self.model = link, parameters, model
        self.hello = wire.Hello(number, budget_us, silence_ms)
        self.boot = None
        self.resets = self.repeats = 0

    def begin(self):
        """A Boot of the session that begins, everything uploaded."""
        while True:
            try:
                self._hello()
                self.upload_all()
                return self.boot
            except WasReset:
                self.resets += 1

    def upload_all(self):
        """What a board is told at the beginning of a session."""
        if self.boot.model_size:   # of an earlier session
            self.upload(wire.MODEL, b"")
        self.upload(wire.PARAMETERS, self.parameters)
        if self.model:
            self.upload(wire.MODEL, self.model)

    def _hello(self):
        """What was on its way before is not of this session: a BOOT of another number, and anything else. A zero first: the
        session before may have ended in the middle of a frame."""
        self.link.send_bytes(b"\0")
        self.link.send(self.hello)
        deadline = time.monotonic() + self.link.timeout
        while True:
            received = self.link.receive("HELLO", max(0.0, deadline - time.monotonic()))
            if received.type == wire.Boot.TYPE and received.message().session == self.hello.session:
                self.boot = received.message()
                return

    def ask(self, message, wanted):
        """The message of type `wanted` that answers; what answers an earlier frame late is passed over. Refused for a
        NAK, WasReset for a power-up."""
        what = type(message).__name__.upper()
        self.link.send(message)
        return self._answer(what, lambda got: got.type == wanted.TYPE, (0, message.TYPE), self.link.timeout)

    def _answer(self, what, wanted, refusable, timeout):
        deadline = time.monotonic() + timeout
        while True:
            received = self.link.receive(what, max(0.0, deadline - time.monotonic()))
            if wanted(received):
                return received.message()
            if received.type == wire.Nak.TYPE and received.message().type in refusable:
                raise Refused(self.link.name, what, received.message())
            if received.type == wire.Boot.TYPE:
                raise WasReset(f"board {self.link.name}: was reset before it answered {what}")

    def upload(self, kind, data):
        """Begins, chunks and commits; TinycontactError with the board's reason if it does not take them."""
        answer = self.ask(wire.UploadBegin(kind, len(data), zlib.crc32(data)), wire.Upload)
        for at in range(0, len(data), wire.CHUNK_MAX):
            self._check_upload(kind, answer)
            answer = self.ask(wire.chunk(at, data[at:at + wire.CHUNK_MAX]), wire.Upload)
        self._check_upload(kind, answer)
        self._check_upload(kind, self.ask(wire.UploadCommit(), wire.Upload))

    def _check_upload(self, kind, answer):
        if answer.status < 0:
            what = {wire.PARAMETERS: "the leg's parameters", wire.MODEL: "the model"}[kind]
            raise TinycontactError(f"board {self.link.name}: does not take {what}: {wire.status_name(answer.status)},"
                                   f" byte {answer.fault or answer.bytes}")

    def tick(self, sensors, timeout=None, meanwhile=None):
        """The Estimate of a tick. A frame that was spoilt or lost on either way is sent again; after a reset of the
        board the session begins anew, and so does its estimator with this tick. `meanwhile` is called while the board
        computes."""
        def answers(got):
            return got.type == wire.Estimate.TYPE and got.message().tick == sensors.tick

        return self._insist(sensors, f"tick {sensors.tick}", answers, timeout, meanwhile)

    def predict(self, horizon, budget=0):
        """The Prediction of what comes within `horizon` [s] of the last tick, in `budget` steps, or (0) as many as the
        board has for a tick; its `status` is wire.SHORTENED and its `horizon` less where those were too few. Refused
        before there was an estimate, and when the steps of this tick are used up."""
        return self._insist(wire.Predict(horizon, budget), "PREDICT", lambda got: got.type == wire.Prediction.TYPE)

    def _insist(self, message, what, answers, timeout=None, meanwhile=None):
        """The answer to a message that is sent again until there is one."""
        timeout, fault = self.link.timeout if timeout is None else timeout, None
        for attempt in range(self.ATTEMPTS):
            self.link.send(message)
            if meanwhile is not None:
                meanwhile()
                meanwhile = None
            try:
                refusable = (0, message.TYPE) if attempt < self.PROMPT else (message.TYPE,)
                return self._answer(what, answers, refusable, timeout)
            except Silent as error:
                fault = error
                if timeout >= LONG and attempt + 1 < self.ATTEMPTS:
                    say(f"{error}: asked again")
            except Refused as error:
                if error.nak.reason > 2:   # content or state: to say it again does not help
                    raise
                fault = error
            except WasReset as error:
                fault = error
                self.resets += 1
                self.begin()
            self.repeats += 1
        raise fault

    def stats(self):
        return self.ask(wire.StatsRequest(), wire.Stats)
