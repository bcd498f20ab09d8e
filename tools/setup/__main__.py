# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Brings a machine to where the Makefile's targets work: python3 tools/setup [--group GROUP ...].

In order: packages of the distribution, third-party sources in build/third_party, the Python environment in
build/venv. Each part first looks at what is there and does only what is lacking. What was found is written
to build/setup.stamp (size and time of each file, per group); while that holds, a run ends at once and says
nothing. The stamp is void when this folder, the manifest, the project's pyproject.toml or PATH changes.
"""
import sys

if sys.version_info < (3, 11):
    sys.exit("setup: failed: this is Python %d.%d\n  what to do:\n    run it with Python 3.11 or newer"
             % sys.version_info[:2])

import argparse
import fcntl
import hashlib
import json
import os
import signal
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent
BUILD = TOOLS.parent / "build"
INCLUDES = {"test": ("demo",), "sim": ("python",), "train": ("sim",), "peers": ("sim",),
            "wheel": ("python",)}  # a group and what else it stands on
GROUPS = {
    "demo": "cross compiler, newlib, QEMU, host compiler, third-party sources (the default)",
    "test": "demo, clang with its sanitizers and libFuzzer",
    "prove": "Frama-C",
    "python": "build/venv with numpy, matplotlib and the package tinycontact",
    "sim": "python, DART, MuJoCo, pyserial: ground truth and serial ports",
    "wheel": "python, scikit-build-core, CMake and auditwheel for `make wheel`",
    "train": "sim, JAX, optax",
    "peers": "sim, SCS, Clarabel, Coal, Bullet, IPC Toolkit: solvers to compare contacts and distances with",
    "format": "clang-format for `make format`",
    "flash": "OpenOCD",
}
INTERRUPTED = 130


def options(words):
    listed = "".join(f"  {name:8}{text}\n" for name, text in GROUPS.items())
    parser = argparse.ArgumentParser(
        prog="tools/setup", formatter_class=argparse.RawDescriptionHelpFormatter, epilog=f"groups:\n{listed}",
        description="Installs and fetches what the Makefile's targets need; quiet when nothing is lacking.")
    parser.add_argument("--group", nargs="+", choices=GROUPS, action="extend", metavar="GROUP",
                        help="what to set up: " + ", ".join(GROUPS))
    parser.add_argument("--check", action="store_true",
                        help="change nothing; say what is lacking, exit 1 if anything is")
    parser.add_argument("--offline", action="store_true",
                        help="use no network: fail where something is lacking")
    parser.add_argument("--rehash", action="store_true",
                        help="for maintainers: fetch the sources and write their checksums to the manifest")
    return parser.parse_args(words)


def expand(groups):
    """The groups asked for and those that they stand on, in the order of GROUPS."""
    asked = set(groups or ["demo"])
    for group in reversed(GROUPS):  # what a group stands on comes before it
        asked.update(INCLUDES.get(group, ()) if group in asked else ())
    return [group for group in GROUPS if group in asked]


def fingerprint():
    """Changes when the code or the lists that decide what is needed change."""
    total = hashlib.sha256(f"{sys.executable}\0{os.environ.get('PATH')}\0{BUILD}\0".encode())
    code = sorted(Path(__file__).parent.glob("*.py"))
    for path in [*code, TOOLS / "third_party.json", TOOLS.parent / "pyproject.toml"]:
        total.update(path.read_bytes() if path.is_file() else b"\0")
    return total.hexdigest()


def signature(path):
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


class Stamp:
    """What earlier runs verified: {group: {file: [size, time]}}, valid under one fingerprint."""

    def __init__(self, path, inputs):
        self.path, self.inputs, self.groups = path, inputs, {}
        try:
            stored = json.loads(path.read_text())
            if stored["inputs"] == inputs:
                self.groups = stored["groups"]
        except (OSError, ValueError, KeyError, TypeError):
            pass  # no stamp, or not one of ours: verify everything

    def covers(self, groups):
        return all(group in self.groups and all(signature(path) == known
                                                for path, known in self.groups[group].items())
                   for group in groups)

    def write(self, verified):
        for group, files in verified.items():
            self.groups[group] = {path: signature(path) for path in files}
        fresh = self.path.with_suffix(".stamp.tmp")
        fresh.write_text(json.dumps({"inputs": self.inputs, "groups": self.groups}))
        os.replace(fresh, self.path)


def lock():
    """One setup at a time in this build folder: a parallel make calls it from several targets."""
    BUILD.mkdir(parents=True, exist_ok=True)
    file = open(BUILD / ".setup.lock", "w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("setup: another setup is at work here; waiting for it", flush=True)
        fcntl.flock(file, fcntl.LOCK_EX)
    return file


def check(groups):
    """Everything that is lacking, one line each."""
    import python_env
    import system_packages
    import third_party
    lacking = [f"{need.what} (package {need.package()})" for need in system_packages.look(groups)[1]]
    if "demo" in groups:
        for package in third_party.load(third_party.default_manifest(TOOLS.parent)):
            wrong = third_party.check(package, BUILD / "third_party")
            more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
            lacking += [f"build/third_party/{line}{more}" for line in wrong[:1]]
    wanted = python_env.needs(groups, TOOLS.parent)
    if wanted:
        lacking += [f"{module} in build/venv" for module in python_env.missing(BUILD / "venv", wanted)]
    return lacking


def packages_of_distribution(groups, offline):
    import system_packages
    from clients import StepError
    missing = system_packages.look(groups)[1]
    if missing and offline:
        raise StepError("packages of the distribution", f"missing: {system_packages.names(missing)}",
                        f"run this, then try again:\n{system_packages.command_for_reader(missing)}")
    if missing:
        system_packages.install(missing)
        still = system_packages.look(groups)[1]
        if still:
            raise StepError("packages of the distribution",
                            f"installed, but not found: {system_packages.names(still)}",
                            "see that PATH has the folder they went to (/usr/bin), then try again")
    return {group: system_packages.look([group])[0] for group in groups}


def set_up(groups, offline):
    """Does what is lacking; {group: files that stand for it}."""
    import python_env
    import third_party
    verified = packages_of_distribution(groups, offline)
    if "demo" in groups:
        manifest = third_party.default_manifest(TOOLS.parent)
        verified["demo"] += third_party.ensure(manifest, BUILD / "third_party", offline)
    for group in groups:
        verified[group] += python_env.ensure(BUILD / "venv", [group], TOOLS.parent, offline)
    return verified


def act(arguments):
    import third_party
    groups = expand(arguments.group)
    if arguments.check:
        lacking = check(groups)
        print("".join(f"setup: lacking: {line}\n" for line in lacking), end="")
        return 1 if lacking else 0
    with lock():
        if arguments.rehash:
            third_party.rehash(third_party.default_manifest(TOOLS.parent), BUILD / "third_party")
        verified = set_up(groups, arguments.offline)
        Stamp(BUILD / "setup.stamp", fingerprint()).write(verified)
    return 0


def interrupt(number, frame):
    raise KeyboardInterrupt


def main(words):
    arguments = options(words)
    if not (arguments.check or arguments.rehash):
        if Stamp(BUILD / "setup.stamp", fingerprint()).covers(expand(arguments.group)):
            return 0
    signal.signal(signal.SIGTERM, interrupt)
    from clients import StepError
    try:
        return act(arguments)
    except StepError as error:
        print(error.report(), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("setup: interrupted; nothing is left half done, run it again to go on", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        print(f"setup: failed: {error}\n  what to do:\n"
              "    see that the folder is writable and has room, then try again", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
