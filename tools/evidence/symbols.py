#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Proves from symbols and instructions what the library does not contain.

Of an archive (lib/ and port/): every symbol it wants from outside is on a short list (its own functions,
memory and string functions, sqrtf, the compiler's integer helpers and, without an FPU, its single-precision
ones), so no heap, no printf, no libm, no double. No object has a writable datum. No instruction computes in
double.
Of linked firmware: no heap, no printf, no double helpers, whatever pulled them in.
"""

import argparse
import collections
import re

import common
import disasm

OWN = r"tci?_\w+"
MEMORY = r"mem(cpy|move|set|cmp)|str(len|cmp)|__aeabi_mem(cpy|move|set|clr)[48]?"
ROOT = r"sqrtf"
INTEGER = r"__aeabi_(u?idiv(mod)?|u?ldivmod|l(lsl|lsr|asr|mul|cmp)|ulcmp)"
SOFT_FLOAT = r"__aeabi_(f(add|sub|rsub|mul|div|neg|2iz|2uiz|2lz|2ulz|cmp\w+)|c[fr]+cmp\w+|u?[il]2f)"

# Why a symbol is refused, by the first expression that matches it.
REASONS = (
    ("the heap", r"_*(malloc|calloc|realloc|free|memalign|sbrk)(_r)?|_Zn\w+|_Zd[la]\w+"),
    ("formatted output", r"_*v?s?n?i?f?printf(_\w+)?(_r)?|_*(puts|putchar|fputs|fwrite)(_r)?|_*dtoa\w*"),
    (
        "double precision",
        r"__aeabi_(d\w+|cd\w+|f2d|h2d|u?[il]2d)|__\w+df[23]|__(trunc|extend|fix\w*|float\w*)\w*df\w*",
    ),
    (
        "libm",
        r"_*(ieee754_)?(exp|log|sin|cos|tan|tanh|atan2?|pow|fma|floor|ceil|round|fmod|expm1|log1p|cbrt|"
        r"hypot|erfc?|lround|rint|scalbn|ldexp|frexp|fabs|copysign|trunc|sqrt)(1[02]?p?)?[fl]?",
    ),
)
WRITABLE = {"d": ".data", "b": ".bss", "c": "common", "s": ".sbss", "g": ".sdata"}

Symbol = collections.namedtuple("Symbol", "member name kind")


def parse_nm(text):
    """Symbols of nm --format=posix; members of an archive are headed  archive[member]: ."""
    symbols = []
    member = ""
    for line in text.splitlines():
        head = re.fullmatch(r".*\[(.+)\]:", line)
        cells = line.split()
        if head:
            member = head.group(1)
        elif len(cells) >= 2 and len(cells[1]) == 1:
            symbols.append(Symbol(member, cells[0], cells[1]))
    return symbols


def reason(name):
    for what, expression in REASONS:
        if re.fullmatch(expression, name):
            return what
    return None


def archive_faults(symbols, soft_float):
    allowed = "|".join([OWN, MEMORY, ROOT, INTEGER] + ([SOFT_FLOAT] if soft_float else []))
    faults = []
    for symbol in symbols:
        if symbol.kind in "Uwv" and not re.fullmatch(allowed, symbol.name):
            why = reason(symbol.name) or "not on the list of what the library may use"
            faults.append(f"{symbol.member}: wants '{symbol.name}': {why}")
        if symbol.kind.lower() in WRITABLE and symbol.kind not in "Uwv":
            faults.append(
                f"{symbol.member}: '{symbol.name}' is writable data ({WRITABLE[symbol.kind.lower()]})"
            )
    return faults


def firmware_faults(symbols, allow_double):
    faults = []
    for symbol in symbols:
        why = reason(symbol.name)
        if why in ("the heap", "formatted output") or (why == "double precision" and not allow_double):
            faults.append(f"has '{symbol.name}': {why}")
    return faults


def double_faults(code, where):
    """Functions with instructions that compute in double: not loads, stores and moves of d registers."""
    found = collections.Counter()
    for instruction in code.values():
        if ".f64" in instruction.mnemonic and not instruction.mnemonic.startswith("vmov"):
            found[instruction.function] += 1
    return [
        f"{where}: {function}: {n} double-precision instructions" for function, n in sorted(found.items())
    ]


def archive_code(objdump, flags, path):
    """One dictionary per member, for addresses repeat."""
    text = common.run([objdump, "-d", "--no-show-raw-insn", *flags, path], f"disassembling {path}")
    return [
        disasm.parse(part)
        for part in re.split(r"^\S+:\s+file format .*$|^Disassembly of section .*$", text, flags=re.M)
    ]


def check_archive(args, path):
    symbols = parse_nm(common.run([args.nm, "--format=posix", path], f"symbols of {path}"))
    if not symbols:
        raise common.Fault(f"{path}: no symbols at all")
    faults = [f"{path}: {fault}" for fault in archive_faults(symbols, args.soft_float)]
    for code in archive_code(args.objdump, args.objdump_flags.split(), path):
        faults += double_faults(code, path)
    defined = sum(1 for s in symbols if s.kind == "T")
    print(
        f"{path}: {defined} global functions, {len({s.member for s in symbols})} objects: "
        + ("clean" if not faults else f"{len(faults)} faults")
    )
    return faults


def check_firmware(args, path):
    symbols = parse_nm(common.run([args.nm, "--format=posix", path], f"symbols of {path}"))
    if not symbols:
        raise common.Fault(f"{path}: no symbols at all (stripped?)")
    faults = [f"{path}: {fault}" for fault in firmware_faults(symbols, args.allow_double)]
    print(f"{path}: {len(symbols)} symbols: " + ("clean" if not faults else f"{len(faults)} faults"))
    return faults


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--archive", nargs="*", default=[], metavar="FILE", help="libtinycontact.a")
    parser.add_argument("--elf", nargs="*", default=[], metavar="FILE", help="linked firmware")
    parser.add_argument(
        "--soft-float", action="store_true", help="no FPU: single-precision helpers are allowed"
    )
    parser.add_argument(
        "--allow-double", action="store_true", help="for firmware that itself computes in double"
    )
    parser.add_argument("--nm", default="arm-none-eabi-nm")
    parser.add_argument("--objdump", default="arm-none-eabi-objdump")
    parser.add_argument("--objdump-flags", default="", help="as for bench.py")
    args = parser.parse_args()
    if not args.archive and not args.elf:
        parser.error("nothing to check: give --archive or --elf")
    return args


def main():
    args = options()
    faults = []
    for path in args.archive:
        faults += check_archive(args, path)
    for path in args.elf:
        faults += check_firmware(args, path)
    for fault in faults:
        print(f"symbols.py: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    common.main(main)
