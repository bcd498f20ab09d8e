#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The library as one folder of sources and headers, for a build system that wants files: make flat.

    make -s lib-choices | tools/packages/flat.py build/flat/tinycontact [a program's folder]

Standard input has what Make chose (tools/make/packages.mk). The names in the folder are unique, no file needs another
include folder than its own, and no macro has to be given: tc_config.h defines at its head what was chosen. With a
program's folder only the files are written that its sources need (needed.py).
"""
import re
import shutil
import sys
from pathlib import Path

import needed

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]+)"([^"]+)"', re.M)
PROGRAM = (".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".ino", ".inc")
GIVEN_BY_FLAG = ("TC_CONFIG", "TC_PORT_INLINE")   # names of files, not of what is compiled
USUAL = {"TC_PORT_FUSED": "0", "TC_BUILD_PROFILE": '"exact"', "TC_BUILD_PORT": '"portable"', "TC_BUILD_EXACT": "1"}

README = """# tinycontact {version}, all sources in one folder

Add every file of this folder to your project, and the folder to its include path. That is all.
{part}
- Language: C11 or newer; gnu11 and gnu17 will do.
- Never `-ffast-math`: `tc_config.h` refuses it. Do not flush subnormal numbers to zero.
- Recommended for gcc, clang and armclang: `-ffp-contract=off -DTC_CONTRACT_OFF -fno-math-errno
  -ffunction-sections -fdata-sections`, and `-Wl,--gc-sections` for the linker. gcc and clang give
  the same bits without them.
- Libraries: `-lm` for `sqrtf`; an FPU computes it in one instruction.
- Switch the FPU on before the first call. Most vendors' start-up code does.
- Call `tc_selfcheck()` at boot; 0 says that this compiler and core give the reference's bits.
- Without an FPU, define TC_MAT_UNROLL as 0 for all files: smaller, the same bits.

This folder: {choice}
{more}
It was made by `make flat` in the tinycontact repository. MIT licence, see LICENSE.
"""
PART = """
These are the files that {folder} needs, {count} of the library's {all}. When it calls more of the library,
run `make flat FOR={folder}` again.
"""
CMSIS = """
The matrix kernels call CMSIS-DSP (1.10 or newer): add its Include folder and the sources
arm_mat_mult_f32.c, arm_mat_vec_mult_f32.c, arm_mat_cholesky_f32.c,
arm_mat_solve_lower_triangular_f32.c and arm_add_f32.c. Their sums have another order than the
reference's, so bits are not claimed: tc_selfcheck() leaves them out.
"""


class Choices:
    """What Make printed: words by kind."""

    def __init__(self, lines):
        self.of = {}
        for line in lines:
            kind, _, value = line.strip().partition(" ")
            self.of.setdefault(kind, []).append(value)
        self.defines = dict((text.removeprefix("-D").partition("=")[::2]) for text in self.of.get("define", []))

    def words(self, kind):
        return self.of.get(kind, [])

    def refusal(self):
        """Why no folder is made, or nothing."""
        if "TC_DOUBLE" in self.defines:
            return "REAL=double is the host's reference build"
        if self.defines.get("TC_PORT_FUSED", "0") != "0":
            return "PROFILE=fast needs flags for single files: take `make lib` or CMake"
        return None


def flat_name(path):
    """tc_mat.c stays, port/portable/mat_mul.c becomes tc_kernel_mat_mul.c."""
    name = Path(path).name
    return name if name.startswith(("tc_", "tinycontact")) else f"tc_kernel_{name}"


def headers_of(sources, extra):
    """{name as included: path} of every header and .inc that the sources reach."""
    folders = [ROOT / "lib", *sorted(p for p in (ROOT / "lib").iterdir() if p.is_dir()), ROOT / "port"]
    found, open_files = {}, [ROOT / path for path in [*sources, *extra]]
    while open_files:
        path = open_files.pop()
        for _, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            near = [path.parent, *folders, *(ROOT / p for p in sorted({str(Path(s).parent) for s in sources}))]
            place = next((folder / name for folder in near if (folder / name).is_file()), None)
            if place is not None and name not in found:
                found[name] = place
                open_files.append(place)
    return found


def config_lines(choices):
    """The macros that differ from what the sources assume by themselves."""
    lines = [f"#define {name} {value}".rstrip() for name, value in choices.defines.items()
             if name not in GIVEN_BY_FLAG and USUAL.get(name) != value]
    if choices.words("config"):
        lines.append(f'#define TC_CONFIG "{Path(choices.words("config")[0]).name}"')
    if choices.words("inline"):
        lines.append('#define TC_PORT_INLINE "tc_port_inline.h"')
    return "".join(line + "\n" for line in lines)


def flat_text(path, lines):
    """A file's text with its includes by flat names."""
    text = path.read_text(encoding="utf-8")
    text = INCLUDE.sub(lambda m: f'{m[1]}"{flat_name(m[2])}"' if (path.parent / m[2]).is_file() else m[0], text)
    if path.name == "tc_config.h":
        text = text.replace("#define TC_CONFIG_H\n", "#define TC_CONFIG_H\n" + lines, 1)
    return text


def program_of(folder, texts):
    """The texts of a program's sources, or ValueError. A copy of the library among them is none."""
    if not Path(folder).is_dir():
        raise ValueError(f"FOR={folder}: there is no such folder")
    found = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(Path(folder).rglob("*"))
             if path.suffix.lower() in PROGRAM and path.is_file() and path.name not in texts]
    if not found:
        raise ValueError(f"FOR={folder}: no C or C++ files are there")
    return found


def part_of(texts, choices, folder):
    """The texts that the program in a folder needs."""
    program = program_of(folder, texts)
    sources = needed.needed(texts, program)
    if not sources:
        raise ValueError(f"FOR={folder}: nothing there calls the library")
    always = [Path(path).name for path in [*choices.words("inline"), *choices.words("config")]]
    kept = needed.reached(texts, [*sources, *always], program)
    return {name: text for name, text in texts.items() if name in kept}


def version():
    return re.search(r'TC_VERSION_TEXT "(.*)"', (ROOT / "lib/base/tc_version.h").read_text(encoding="utf-8"))[1]


def files_of(choices):
    """{name in the folder: path} of all files; ValueError where two share a name."""
    sources, extra = choices.words("source"), [*choices.words("header"), *choices.words("inline")]
    paths = {ROOT / path for path in [*sources, *extra]} | set(headers_of(sources, extra).values())
    config = Path(choices.words("config")[0]).resolve() if choices.words("config") else None
    paths |= {config} - {None}
    files = {}
    for path in sorted(paths):
        name = flat_name(path) if ROOT in path.parents and path != config else path.name
        if name in files:
            raise ValueError(f"{files[name]} and {path} share the name {name}")
        files[name] = path
    return files


def describe(choices):
    flags = [flag for flag in choices.words("flag") if flag.startswith("-m")]
    port = choices.defines["TC_BUILD_PROFILE"].strip('"')
    if port == "cmsis-dsp":
        return "portable C, matrix kernels by CMSIS-DSP.", CMSIS
    if any(path.endswith(".S") for path in choices.words("source")):
        return f"kernels in assembler for {' '.join(flags)}: the .S files are for gcc, clang and armclang.", ""
    return "portable C, the reference's bits on every core with IEEE 754 numbers.", ""


def write(folder, choices, program=None):
    """Writes the folder anew, whole or not at all; the number of files. program: the folder that needs them."""
    lines = config_lines(choices)
    texts = {name: flat_text(path, lines) for name, path in files_of(choices).items()}
    of_all = len(texts)
    texts = part_of(texts, choices, program) if program else texts
    fresh = folder.with_name(folder.name + ".tmp")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    for name, text in texts.items():
        (fresh / name).write_text(text, encoding="utf-8")
    choice, more = describe(choices)
    part = PART.format(folder=program, count=len(texts), all=of_all) if program else ""
    (fresh / "README.md").write_text(README.format(version=version(), choice=choice, more=more, part=part), encoding="utf-8")
    shutil.copy(ROOT / "LICENSE", fresh)
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    return len(texts)


def main(words):
    folder = Path(words[0])
    choices = Choices(sys.stdin)
    refusal = choices.refusal()
    if refusal:
        sys.exit(f"flat: {refusal}")
    try:
        count = write(folder, choices, words[1] if words[1:] else None)
    except ValueError as error:
        sys.exit(f"flat: {error}")
    print(f"{folder}: {count} sources and headers; README.md there says how to compile")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
