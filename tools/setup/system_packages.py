# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What each group needs of the distribution, found by what is there, installed by apt-get.

A need is met by files that exist (an executable on PATH, a library that the compiler itself finds), so a
machine that got its tools another way is left alone. Package names are Debian's and Ubuntu's.
"""
import importlib.util
import os
import shlex
import shutil
from pathlib import Path
from typing import Callable, NamedTuple

import clients

ASK = 120          # seconds for a question to a tool that is installed
CORTEX_M4F = ("-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16")
CLANG_DEFAULT = "14"
INSTALL = ("install", "-y", "--no-install-recommends")
# Another apt-get may hold the lock for a while (unattended upgrades): wait for it.
WAIT_FOR_LOCK = ("-o", "DPkg::Lock::Timeout=120")


class Need(NamedTuple):
    what: str                        # as the reader knows it
    find: Callable[[], list]         # the files that meet it; empty when it is not met
    package: Callable[[], str]       # the Debian package that brings it


def ask(*command):
    """One line from a tool that may be absent or broken: empty then."""
    if not shutil.which(command[0]):
        return ""
    try:
        return clients.run(command, ASK).strip()
    except clients.ClientError:
        return ""


def executable(name, package):
    def find():
        path = shutil.which(name)
        return [path] if path else []
    return Need(name, find, lambda: package)


def arm_newlib():
    """The compiler prints a full path for a library it has, the bare name for one it has not."""
    paths = [ask("arm-none-eabi-gcc", *CORTEX_M4F, f"-print-file-name={name}")
             for name in ("libc.a", "libm.a")]
    return paths if all(os.path.isabs(path) for path in paths) else []


def host_headers():
    if not shutil.which("cc"):
        return []
    path = ask("cc", "-print-file-name=libc.so")
    return [path] if os.path.isabs(path) else []


def aarch64_headers():
    path = ask("aarch64-linux-gnu-gcc", "-print-file-name=libc.a")
    return [path] if os.path.isabs(path) else []


def clang_major():
    version = ask("clang", "-dumpversion")
    if version:
        return version.split(".")[0]
    for line in ask("apt-cache", "depends", "clang").splitlines():
        word, _, major = line.strip().partition("clang-")
        if word == "Depends: " and major.isdigit():
            return major
    return CLANG_DEFAULT


def clang_runtimes():
    """libFuzzer and the sanitizers live in one package; the fuzzer and ASan archives stand for it."""
    folder = ask("clang", "-print-runtime-dir")
    if not os.path.isdir(folder):
        return []
    kinds = [sorted(Path(folder).glob(f"libclang_rt.{kind}*.a"))
             for kind in ("fuzzer", "asan", "ubsan_standalone")]
    return [str(files[0]) for files in kinds] if all(kinds) else []


def pip_or_venv():
    """A pip, or the ensurepip that venv makes one with."""
    for name in ("pip", "ensurepip"):
        spec = importlib.util.find_spec(name)
        if spec and spec.origin:
            return [spec.origin]
    return []


def ensurepip():
    spec = importlib.util.find_spec("ensurepip")
    return [spec.origin] if spec and spec.origin else []


DEMO = (
    executable("make", "make"),
    executable("cc", "gcc"),
    Need("the host C library's headers", host_headers, lambda: "libc6-dev"),
    executable("arm-none-eabi-gcc", "gcc-arm-none-eabi"),
    executable("arm-none-eabi-objcopy", "binutils-arm-none-eabi"),
    Need("newlib for the Arm compiler", arm_newlib, lambda: "libnewlib-arm-none-eabi"),
    executable("qemu-system-arm", "qemu-system-arm"),
    Need("pip or venv for Python", pip_or_venv, lambda: "python3-venv"),
)
TEST = (
    executable("objdump", "binutils"),
    executable("clang", "clang"),
    Need("clang's sanitizers and libFuzzer", clang_runtimes, lambda: f"libclang-rt-{clang_major()}-dev"),
    # A core that fuses what it is not forbidden to: bits are compared there, too.
    executable("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"),
    Need("the C library for AArch64", aarch64_headers, lambda: "libc6-dev-arm64-cross"),
    executable("qemu-aarch64", "qemu-user"),
    executable("cmake", "cmake"),
    executable("ninja", "ninja-build"),
    executable("cargo", "cargo"),
)
GROUPS = {
    "demo": DEMO,
    "test": TEST,
    "prove": (executable("frama-c", "frama-c-base"),),
    "python": (Need("venv for Python", ensurepip, lambda: "python3-venv"),),
    "wheel": (executable("cc", "gcc"), Need("the host C library's headers", host_headers, lambda: "libc6-dev")),
    "flash": (executable("openocd", "openocd"),),
}


def look(groups):
    """(files found, needs not met) over the groups."""
    found, missing = [], []
    for group in groups:
        for need in GROUPS.get(group, ()):
            files = need.find()
            found += files
            if not files and need not in missing:
                missing.append(need)
    return found, missing


def names(missing):
    return ", ".join(need.what for need in missing)


def packages(missing):
    return list(dict.fromkeys(need.package() for need in missing))


def privilege():
    """The words before a command that make it root's; None when there is no way without a password."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        try:
            clients.run(("sudo", "-n", "true"), ASK)
            return ["sudo", "-n"]
        except clients.ClientError:
            pass
    return None


def command_for_reader(missing):
    line = f"apt-get update && apt-get {' '.join(INSTALL)} {' '.join(packages(missing))}"
    return f"{'sudo sh' if shutil.which('sudo') else 'su'} -c {shlex.quote(line)}"


def install(missing):
    step = "packages of the distribution"
    reason = f"missing: {names(missing)}"
    if not shutil.which("apt-get"):
        raise clients.StepError(step, reason,
                                "install them with this system's package manager and try again\n"
                                f"(Debian calls them {' '.join(packages(missing))})")
    root = privilege()
    if root is None:
        raise clients.StepError(step, f"{reason}\nand neither root nor sudo without a password is at hand",
                                f"run this, then try again:\n{command_for_reader(missing)}")
    wanted = packages(missing)
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", *WAIT_FOR_LOCK]
    with clients.Step(f"apt-get install {' '.join(wanted)}"):
        try:
            try:
                clients.run([*apt, *INSTALL, *wanted], None)
            except clients.ClientError:  # lists absent or older than the archive: renew them, once
                clients.run([*apt, "update"], None)
                clients.run([*apt, *INSTALL, *wanted], None)
        except clients.ClientError as error:
            raise clients.StepError(step, str(error), "run it by hand to see all of it, then try again:\n"
                                    f"{command_for_reader(missing)}") from error
