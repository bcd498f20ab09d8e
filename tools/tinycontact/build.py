# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Where things are. A checkout of the repository has sources and a Makefile, from which library and firmware are built;
a package that was installed from a wheel has the library compiled, and what else it needs, in its own folder.
"""
import os
import shutil
import subprocess
from pathlib import Path

from .errors import TinycontactError
from .progress import announced

PACKAGE = Path(__file__).resolve().parent
COMPILED = PACKAGE / "compiled"   # in a wheel only: tools/native/CMakeLists.txt
CLONE = "clone the repository and set TINYCONTACT_ROOT to its folder"


def checkout():
    """The folder with lib/ and the Makefile: TINYCONTACT_ROOT, or above this file or the working folder; or None."""
    named = os.environ.get("TINYCONTACT_ROOT")
    candidates = [Path(named)] if named else [*PACKAGE.parents, Path.cwd(), *Path.cwd().parents]
    for folder in candidates:
        if (folder / "Makefile").is_file() and (folder / "lib" / "tinycontact.h").is_file():
            return folder
    return None


def repository(what="this"):
    """The folder of checkout(), for `what`; TinycontactError if there is none."""
    folder = checkout()
    if folder is None:
        named = os.environ.get("TINYCONTACT_ROOT")
        where = (f"TINYCONTACT_ROOT={named}" if named else
                 "neither above the package nor above the working folder")
        raise TinycontactError(f"{what} needs tinycontact's sources, and they are not there ({where}): {CLONE}")
    return folder


def compiled(name):
    """The shared object of that name that came with the package, or None: in a checkout, and where TINYCONTACT_ROOT names
    one."""
    path = COMPILED / f"libtinycontact-{name}.so"
    return path if path.is_file() and not os.environ.get("TINYCONTACT_ROOT") else None


def data(name, in_checkout):
    """A file that came with the package under data/, which a checkout has elsewhere."""
    own = PACKAGE / "data" / name
    return own if own.is_file() else repository(name) / in_checkout / name


def cache():
    """The folder for what may be computed again: build/ of a checkout, or the user's."""
    if not COMPILED.is_dir() and (folder := checkout()):
        return folder / "build"
    users = os.environ.get("XDG_CACHE_HOME")
    return (Path(users) if users else Path.home() / ".cache") / "tinycontact"


def missing(name, extra, group=None):
    """What to do where the Python package `name` is missing, which `extra` brings."""
    if COMPILED.is_dir():
        return f"pip install 'tinycontact[{extra}]' or pip install {name}"
    return f"run `make setup GROUPS={group or extra}`"


def make(what, *words, timeout=7200):
    """Runs `make -s words` in the repository; its output lines. `what` says in words what is made."""
    folder = repository(what)
    if shutil.which("make") is None:
        raise TinycontactError(f"make is missing, so {what} cannot be built: install it (Debian: apt install"
                               f" make)")
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    command = ["make", "-s", "--no-print-directory", f"-j{os.cpu_count() or 1}", *words]
    with announced(f"building {what}"):
        try:
            done = subprocess.run(command, cwd=folder, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=timeout, env=environment)
        except subprocess.TimeoutExpired:
            raise TinycontactError(f"building {what} did not end within {timeout} s: "
                                   + " ".join(command)) from None
    if done.returncode != 0:
        tail = "\n".join((done.stdout + done.stderr).strip().splitlines()[-12:])
        raise TinycontactError(f"{what} cannot be built: {' '.join(command)}\n{tail}")
    return done.stdout.strip().splitlines()
