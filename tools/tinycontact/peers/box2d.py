# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Box2D v3 in the comparison of speed, from a checkout of the reader's own: Debian has none, and its code is not ours to
keep. Built at -O2 -march=native with Box2D's own -ffp-contract=off into build/box2d."""
import ctypes
import os
import subprocess
from ctypes import POINTER, c_double, c_uint32, c_void_p
from pathlib import Path

from ..build import repository
from ..errors import TinycontactError

TAG = "v3.1.1"
HOW = (f"git clone --depth 1 --branch {TAG} https://github.com/erincatto/box2d build/third_party/box2d,"
       " or BOX2D=<a checkout>")
FLAGS = ("-std=gnu17", "-O2", "-march=native", "-ffp-contract=off", "-DNDEBUG", "-fPIC", "-shared", "-w")
VERTICES = 8   # B2_MAX_POLYGON_VERTICES


class _Body(ctypes.Structure):
    _fields_ = [*((name, c_double) for name in ("mass", "inertia", "step", "gravity", "restitution", "friction", "radius")),
                ("vertices", c_double * (2 * VERTICES)), ("count", c_uint32)]


def built(checkout):
    """The shared object of a checkout: its sources and the file beside this one."""
    sources = sorted(Path(checkout).glob("src/*.c"))
    if not sources or not (Path(checkout) / "include/box2d/box2d.h").is_file():
        raise TinycontactError(f"{checkout}: is no checkout of Box2D v3 (wanted include/box2d/box2d.h and src/*.c)")
    own = Path(__file__).with_name("box2d.c")
    folder = repository("Box2D") / "build/box2d"
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "libbox2d_peer.so"
    new = folder / f"{os.getpid()}.so"
    done = subprocess.run([os.environ.get("CC", "gcc"), *FLAGS, f"-I{checkout}/include", f"-I{checkout}/src", own, *sources,
                           "-lm", "-o", new], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise TinycontactError(f"{checkout}: Box2D cannot be built (wanted {TAG} or a later v3)\n{done.stderr[:1500]}")
    new.replace(made)
    return made


class Box2d:
    """A peer of peers.speed; the final angle is told within a half turn."""

    def __init__(self, body, checkout):
        self.c = ctypes.CDLL(str(built(checkout)))
        self.c.peer_open.argtypes, self.c.peer_open.restype = [POINTER(_Body), c_double * 6], c_void_p
        self.c.peer_close.argtypes = [c_void_p]
        self.c.peer_steps.argtypes = [c_void_p, c_double, c_uint32]
        self.c.peer_end.argtypes = [c_void_p, c_double * 3]
        version = self.c.peer_version()
        self.name = f"box2d {version >> 16}.{version >> 8 & 255}.{version & 255}"
        if len(body.vertices) > VERTICES:
            raise TinycontactError(f"{self.name}: takes {VERTICES} vertices at most, not {len(body.vertices)}")
        self.body, self.h = _Body(body.mass, body.inertia, body.h, body.g, body.restitution, body.mu, body.radius,
                                  (c_double * (2 * VERTICES))(*body.vertices.ravel()), len(body.vertices)), body.h

    def round(self, position, velocity, steps, timed):
        """(seconds, final position [3]) from a world of its own"""
        peer = self.c.peer_open(self.body, (c_double * 6)(*position, *velocity))
        if not peer:
            raise TinycontactError(f"{self.name}: does not take this shape")
        seconds = timed(lambda: self.c.peer_steps(peer, self.h, steps))
        end = (c_double * 3)()
        self.c.peer_end(peer, end)
        self.c.peer_close(peer)
        return seconds, list(end)
