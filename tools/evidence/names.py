#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The rules of names and of floors that a script can check, over lib/ and, for `static`, the backends in port/ beside it:

    prefix     a public function or type begins with the name of the header that declares it, a digit of dimension
               allowed (tc_body2 in tc_body.h); ELEMENTARY and MESSAGES are the exceptions
    enum       an enumerator of a public `typedef enum tc_a_b` begins with TC_A_B_ or, less its last word, TC_A_; ENUMERATORS are
               the exceptions
    static     no static name and no enumerator of a .c file stands in two files: logs, profiles and a build in one file
               stay readable. Backends have the same file names, of which one build takes one: these may agree
    words      a static function's name has two words or more: normalise_part, not normalise
    internal   <name>_internal.h is included by files of its own folder alone
    path       no #include "..." of lib/ has a slash: -I of the floors that a file sees would not hold it back
    kernel     a header of the kernel contract is included by the floors in KERNEL alone
    config     tc_config_names.h lists each function and table that a public header declares, once: a build that differs
               from the defaults has its symbols end in what differs
    tci        a function or table that <name>_internal.h declares begins with tci_; static ones of INLINE are the exceptions

The compiler finds every other include that goes up or across. Prints one line for each name that breaks a rule, with
file, and a count; exit status 1 if there is any.
"""

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ELEMENTARY = {"tc_math": r"tc_(all_finite|atan2|cos|exp|log|normal_\w+|sigmoid|sin|sincos|softmax_inplace|softplus|sqrt|tanh)",
              "tc_config": "tc_real", "tc_mat_fixed": r"tc_mat\w+"}
MESSAGES = {"tc_wire_message": r"tc_wire_\w+", "tc_wire_robot": r"tc_wire_\w+"}
ENUMERATORS = {"tc_status": r"TC_(OK|(NOTE|ERR)_\w+)"}   # every file has them, and NOTE or ERR says more than STATUS
KERNEL = {"tc_kernel_mat.h": {"math"}, "tc_kernel_net.h": {"net", "cdl"}}
# Static functions of internal headers that keep their names for now; no linker sees them, and no other file has them. Those of
# lcp and mat are in each file of their floors, those of the bank and its hypotheses are macros, which the two instantiations define.
INLINE = {"tc_lcp_internal": r"lcp_\w+", "tc_cone_passes_internal": r"\w+", "tc_mat_internal": r"mat_\w+", "tc_estimator_bank_internal": r"\w+",
          "tc_estimator_hypothesis_internal": r"\w+"}
DOUBLE = "tc_math_double.h"   # stands in for tc_math_core.h, never beside it
HEAD = re.compile(r"^(?:static\b|[A-Z_]*(?:INLINE|APART|COLD|HOT)\b)(.*)$")


def without_comments(text):
    """Comments blanked, so that lines keep their numbers."""
    return re.sub(r"/\*.*?\*/", lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.S)


def top_level(text):
    """Lines that begin outside of all braces, directives and their continuations left out."""
    depth, goes_on = 0, False
    for line in without_comments(text).split("\n"):
        directive = goes_on or line.lstrip().startswith("#")
        goes_on = directive and line.endswith("\\")
        if directive:
            continue
        if depth == 0:
            yield line
        depth += line.count("{") - line.count("}")


def public_names(text):
    """Functions and types that a header declares."""
    bare = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", "", without_comments(text), flags=re.M)
    types = re.findall(r"\}\s*(tc_\w+)\s*;", bare) + re.findall(r"typedef\s+[^;{]*?\b(tc_\w+)\s*;", bare)
    flat = bare
    while "{" in flat:
        flat, count = re.subn(r"\{[^{}]*\}", ";", flat)
        if not count:
            break
    functions = re.findall(r"^(?!typedef)\w[\w \t*]*?\b(tc_\w+)\s*\(", flat, flags=re.M)
    return sorted(set(types) | set(functions))


def begins_so(name, header):
    exception = {**ELEMENTARY, **MESSAGES}.get(header)
    return re.match(rf"{header}(?:[23]?_|[23]?$|s$|ion$)", name) or (exception and re.fullmatch(exception, name))


def public_headers(lib):
    umbrella = (lib / "tinycontact.h").read_text(encoding="utf-8")
    for header in re.findall(r'#include "(tc_\w+)\.h"', umbrella):
        path, = lib.glob(f"*/{header}.h")
        yield path


def prefix_faults(lib):
    for path in public_headers(lib):
        for name in public_names(path.read_text(encoding="utf-8")):
            if not begins_so(name, path.stem):
                yield f"{path.relative_to(lib.parent)}: {name} does not begin with {path.stem}"


def enumerator_faults(lib):
    """Enumerators that a list of X(name, ...) makes are those of the list."""
    for path in public_headers(lib):
        text = without_comments(path.read_text(encoding="utf-8"))
        for body, kind in re.findall(r"^typedef enum\b[^{;]*\{(.*?)\}\s*(\w+);", text, flags=re.S | re.M):
            words = kind.upper().split("_")
            prefixes = {"_".join(words), "_".join(words[:-1] if len(words) > 2 else words)}
            wanted = ENUMERATORS.get(kind, rf"({'|'.join(sorted(prefixes))})_\w+")
            lists = "".join(re.findall(rf"^#define {name}\(X\)((?:.*\\\n)*.*)", text, flags=re.M)[0] for name in
                            re.findall(r"^ *(\w+_LIST)\(", body, flags=re.M))
            bare = re.sub(r"^[ \t]*#.*$", "", body, flags=re.M)
            for name in re.findall(r"\bX\((\w+)", lists) or re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)", bare):
                if not re.fullmatch(wanted, name):
                    yield f"{path.relative_to(lib.parent)}: {name} of {kind} does not begin with {' or '.join(sorted(prefixes))}"


def static_names(text):
    for line in top_level(text):
        head = HEAD.match(re.sub(r"__attribute__\(\(.*?\)\)", "", line))
        if head:
            found = re.search(r"\b(\w+)\s*(?:\[[^=]*\]\s*)?[(=;]", head[1])
            if found:
                yield found[1]


def enumerators(text):
    for body in re.findall(r"^(?:typedef )?enum\b[^{;]*\{(.*?)\}", without_comments(text), flags=re.S | re.M):
        yield from re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)", body)


def static_faults(lib):
    where = defaultdict(set)
    for path in sorted([*lib.glob("*/*.[ch]"), *(lib.parent / "port").glob("*/*.[ch]")]):
        if path.name == DOUBLE:
            continue
        text = path.read_text(encoding="utf-8")
        for name in {*static_names(text), *(enumerators(text) if path.suffix == ".c" else ())}:
            where[name].add(path.relative_to(lib.parent))
    for name, files in sorted(where.items()):
        if len({file.name if file.parts[0] == "port" else file for file in files}) > 1:
            yield f"{name} is static in {', '.join(sorted(map(str, files)))}"


def word_faults(lib):
    for path in sorted([*lib.glob("*/*.[ch]"), *(lib.parent / "port").glob("*/*.[ch]")]):
        text = path.read_text(encoding="utf-8")
        bare = without_comments(text)
        for name in sorted(set(static_names(text))):
            if "_" not in name.strip("_") and re.search(rf"\b{name}\s*\(", bare):
                yield f"{path.relative_to(lib.parent)}: the static function {name} has one word"


def included(lib):
    """(path, header) of each #include "header" of lib/."""
    for path in sorted(lib.glob("*/*.[ch]")):
        for header in re.findall(r'^\s*#\s*include\s*"([^"]+)"', without_comments(path.read_text(encoding="utf-8")), flags=re.M):
            yield path, header


def include_faults(lib):
    for path, header in included(lib):
        name = path.relative_to(lib.parent)
        if "/" in header:
            yield f"{name}: includes {header} by a path"
        elif header.endswith("_internal.h") and not (path.parent / header).exists():
            yield f"{name}: includes {header}, which is another floor's own"
        elif header.startswith("tc_kernel_") and path.parent.name not in KERNEL.get(header, ()):
            yield f"{name}: includes {header}, which its floor does not see"


def declarations(text):
    """Declarations of a header outside of all braces, directives left out; of a body or an initialiser nothing is left."""
    flat = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", "", without_comments(text), flags=re.M)
    flat, count = re.sub(r"__attribute__\(\(.*?\)\)|\bTC_(?:BEGIN|END)\b", "", flat), 1
    while count:
        flat, count = re.subn(r"(\)\s*)?\{[^{}]*\}", lambda found: ");" if found[1] else " ", flat)
    yield from filter(None, (" ".join(part.split()) for part in flat.split(";")))


def declared_names(text):
    """(name, whether it is static) of the functions and tables that a header declares, through a typedef of functions, too."""
    for declaration in declarations(text):
        if re.match(r"(?:typedef|_Static_assert)\b|(?:struct|enum|union)\b(?: \w+)?$", declaration):
            continue
        static = re.match(r"static\b|\w*INLINE\b", declaration) is not None
        function = re.match(r"[\w* ]*?(\w+) ?\(", declaration)
        names = [function[1]] if function else re.findall(r"(\w+) ?(?:\[[^]]*\] ?)*(?:=.*)?(?:,|$)", declaration)
        yield from ((name, static) for name in names)


def internal_prefix_faults(lib):
    for path in sorted(lib.glob("*/*_internal.h")):
        for name, static in declared_names(path.read_text(encoding="utf-8")):
            exempt = static and re.fullmatch(INLINE.get(path.stem, ""), name)
            if not name.startswith("tci_") and not exempt:
                yield f"{path.relative_to(lib.parent)}: {name} does not begin with tci_"


def config_faults(lib):
    path = lib / "base" / "tc_config_names.h"
    listed = re.findall(r"^#define (tc_\w+) TC_NAME_\w+\(\1\)$", path.read_text(encoding="utf-8"), flags=re.M)
    declared = {name for header in public_headers(lib) for name, static in declared_names(header.read_text(encoding="utf-8"))
                if not static and name.startswith("tc_")}
    for name in sorted({*declared, *listed}):
        if listed.count(name) != (name in declared):
            yield f"{path.relative_to(lib.parent)}: {name} is listed {listed.count(name)} times" + (
                "" if name in declared else ", and no public header declares it")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lib", nargs="?", type=Path, default=ROOT / "lib")
    lib = parser.parse_args().lib.resolve()
    faults = [*prefix_faults(lib), *enumerator_faults(lib), *static_faults(lib), *word_faults(lib), *include_faults(lib), *internal_prefix_faults(lib),
              *config_faults(lib)]
    print("\n".join([*faults, f"{len(faults)} names or includes break a rule"]))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
