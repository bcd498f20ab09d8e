# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The C macros for workspaces and states as const fn of Rust: src/sizes.rs of the crate, and tests/sizes.rs, which has what the C
compiler says that they are."""
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEAD = "// SPDX-License-Identifier: MIT\n// Copyright (c) 2026 The tinycontact authors\n//\n"
MACRO = re.compile(r"^#define (TC_[A-Z0-9_]+)\(([^)]*)\)((?:.*\\\n)*.*)", re.M)
CONSTANT = re.compile(r"^#define (TC_[A-Z0-9_]+) ((?:.*\\\n)*.*)", re.M)
WANTED = re.compile(r"TC_\w+_(WORK|STATE)$")
TOKEN = re.compile(r"\s*(\d+u?|0x[0-9A-Fa-f]+u?|\w+|[<>=!]=|&&|\|\||[-+*/<>?:(),])")
LEVELS = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/"))
ARGUMENTS = (2, 3, 4, 6)   # of the macros in tests/sizes.rs
FOLDERS = [ROOT / "lib", *sorted(path for path in (ROOT / "lib").iterdir() if path.is_dir())]
INCLUDES = [f"-I{folder}" for folder in FOLDERS]


def public_headers():
    umbrella = (ROOT / "lib/tinycontact.h").read_text(encoding="utf-8")
    return [next((ROOT / "lib").glob(f"*/{name}")) for name in re.findall(r'^#include "(tc_\w+\.h)"', umbrella, re.M)]


class Expression:
    """A C expression of numbers, as Rust; names of macros and parameters that it uses are gathered."""

    def __init__(self, text):
        text = re.sub(r"/\*.*?\*/", " ", text.replace("\\\n", " "), flags=re.S).strip()
        self.tokens, at = [], 0
        while at < len(text):
            found = TOKEN.match(text, at)
            if not found:
                raise ValueError(f"not understood: {text[at:]!r}")
            self.tokens.append(found[1])
            at = found.end()
            at += len(text[at:]) - len(text[at:].lstrip())
        self.names, self.text = set(), None
        self.text = self.choice()
        if self.tokens:
            raise ValueError(f"not understood: {self.tokens}")

    def take(self, *wanted):
        if self.tokens and (not wanted or self.tokens[0] in wanted):
            return self.tokens.pop(0)
        return None

    def choice(self):
        condition = self.binary(0)
        if not self.take("?"):
            return condition
        first = self.choice()
        if not self.take(":"):
            raise ValueError("a : is missing")
        return f"(if {condition} {{ {first} }} else {{ {self.choice()} }})"

    def binary(self, level):
        if level == len(LEVELS):
            return self.atom()
        left = self.binary(level + 1)
        while sign := self.take(*LEVELS[level]):
            right = self.binary(level + 1)
            left = f"({left} {sign} {right})"
        return left

    def atom(self):
        token = self.take()
        if token == "(":
            inner = self.choice()
            if not self.take(")"):
                raise ValueError("a ) is missing")
            return inner
        if token == "sizeof":
            raise ValueError("sizeof")
        if re.fullmatch(r"\d+u?|0x\w+", token):
            return token.rstrip("u")
        if not re.fullmatch(r"[A-Za-z_]\w*", token):
            raise ValueError(f"not understood: {token}")
        self.names.add(token)
        return f"{token}({self.arguments()})" if self.take("(") else token

    def arguments(self):
        words = [self.choice()]
        while self.take(","):
            words.append(self.choice())
        if not self.take(")"):
            raise ValueError("a ) is missing")
        return ", ".join(words)


def numbers(names):
    """The values of constants, from the C compiler; names that are no number of it are left out."""
    program = '#include "tinycontact.h"\n#include <stdio.h>\nint main(void)\n{\n'
    program += "".join(f'    printf("{name} %lld\\n", (long long)({name}));\n' for name in sorted(names)) + "    return 0;\n}\n"
    return dict(line.split() for line in run_c(program).splitlines())


def run_c(program):
    with tempfile.TemporaryDirectory() as there:
        subprocess.run(["gcc", "-std=c11", *INCLUDES, "-xc", "-", "-o", f"{there}/main"], input=program, text=True, check=True)
        return subprocess.run([f"{there}/main"], text=True, capture_output=True, check=True).stdout


def macros():
    """({name: (parameters, Expression)} of workspaces and what they call, names of the constants that they use, left out)."""
    texts, constants = {}, set()
    for path in (ROOT / "lib").glob("*/*.h"):
        text = path.read_text(encoding="utf-8")
        texts.update({name: ([word.strip() for word in words.split(",")], body) for name, words, body in MACRO.findall(text)})
        constants |= {name for name, _ in CONSTANT.findall(text)}
        constants |= set(re.findall(r"^\s+(TC_\w+) =", text, re.M))
    public = "".join(path.read_text(encoding="utf-8") for path in public_headers())
    found, left = {}, set()
    wanted = {name for name in texts if WANTED.match(name) and f"#define {name}(" in public}
    while wanted:
        name = wanted.pop()
        words, body = texts[name]
        try:
            made = Expression(body)
        except ValueError:
            left.add(name)
            continue
        found[name] = (words, made)
        wanted |= {other for other in made.names - set(words) if other in texts and other not in found}
    while bad := {name for name, (words, made) in found.items() if made.names & left}:
        left |= bad
        found = {name: value for name, value in found.items() if name not in bad}
    used = {name for _, made in found.values() for name in made.names} - set(texts)
    return found, used & constants, {name for name in left if WANTED.match(name)}


def sizes():
    """src/sizes.rs and tests/sizes.rs."""
    found, used, left = macros()
    values = numbers(used)
    text = HEAD + ("//! Numbers of `tc_real`s in workspaces and states: the C macros of these names. Generated by bindings.py.\n"
                   "#![allow(non_snake_case, unused_parens, unused_variables)]\n\n")
    text += "".join(f"const {name}: usize = {values[name]};\n" for name in sorted(values)) + "\n"
    for name, (words, made) in sorted(found.items()):
        text += f"pub const fn {name}({', '.join(f'{word}: usize' for word in words)}) -> usize {{\n    {made.text}\n}}\n"
    calls = {}
    for name, (words, _) in found.items():
        for first in ARGUMENTS:
            calls[f"{name}({', '.join(str(min(first + i, 8)) for i in range(len(words)))})"] = None
    program = '#include "tinycontact.h"\n#include <stdio.h>\nint main(void)\n{\n'
    for call in sorted(calls):
        in_c = re.sub(r"([(, ])(\d+)(?=[,)])", r"\1\2u", call)
        program += f'    printf("{call}|%zu\\n", (size_t)({in_c}));\n'
    program += "    return 0;\n}\n"
    test = HEAD + ("//! What the C compiler makes of the macros. Generated by bindings.py.\nuse tinycontact_sys::sizes::*;\n\n"
                   "#[test]\nfn sizes_are_those_of_c() {\n")
    for line in run_c(program).splitlines():
        call, _, value = line.partition("|")
        test += f"    assert_eq!({call}, {value});\n"
    return text, test + "}\n", left
