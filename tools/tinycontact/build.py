# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The repository and its Makefile: where the host library and the firmware come from."""
import os
import shutil
import subprocess
from pathlib import Path

from .errors import TinycontactError
from .progress import announced


def repository():
    """The folder with lib/ and the Makefile: TINYCONTACT_ROOT, or above this file or the working folder."""
    named = os.environ.get("TINYCONTACT_ROOT")
    if named:
        candidates = [Path(named)]
    else:
        candidates = [*Path(__file__).resolve().parents, *[Path.cwd(), *Path.cwd().parents]]
    for folder in candidates:
        if (folder / "Makefile").is_file() and (folder / "lib" / "tinycontact.h").is_file():
            return folder
    where = f"TINYCONTACT_ROOT={named}" if named else "neither above the package nor above the working folder"
    raise TinycontactError(f"the tinycontact repository is not there ({where}): set TINYCONTACT_ROOT to it,"
                           f" or"
                           " TINYCONTACT_LIBRARY to a built libtinycontact.so")


def make(what, *words, timeout=7200):
    """Runs `make -s words` in the repository; its output lines. `what` says in words what is made."""
    if shutil.which("make") is None:
        raise TinycontactError(f"make is missing, so {what} cannot be built: install it (Debian: apt install"
                               f" make)")
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    command = ["make", "-s", "--no-print-directory", f"-j{os.cpu_count() or 1}", *words]
    with announced(f"building {what}"):
        try:
            done = subprocess.run(command, cwd=repository(), text=True, errors="replace",
                                  stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=timeout, env=environment)
        except subprocess.TimeoutExpired:
            raise TinycontactError(f"building {what} did not end within {timeout} s: "
                                   + " ".join(command)) from None
    if done.returncode != 0:
        tail = "\n".join((done.stdout + done.stderr).strip().splitlines()[-12:])
        raise TinycontactError(f"{what} cannot be built: {' '.join(command)}\n{tail}")
    return done.stdout.strip().splitlines()
