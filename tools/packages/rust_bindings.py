# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The public C headers as Rust: src/bindings.rs of the crate, and tests/layout.rs, which has what the C compiler says of each
struct. The headers are read as the preprocessor leaves them; what is not understood ends the run with its text.
"""
import functools
import re
import subprocess

from rust_sizes import HEAD, INCLUDES, ROOT, public_headers, run_c

SCALARS = {"void": "c_void", "char": "c_char", "int": "c_int", "unsigned": "c_uint", "float": "f32", "double": "f64", "size_t": "usize",
           **{f"{sign}int{bits}_t": f"{sign and 'u' or 'i'}{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}}
KEYWORDS = {"type", "move", "in", "ref", "box", "loop", "match", "fn", "use", "where", "impl", "final", "yield", "self"}
POINTER = re.compile(r"^(.*?)\(\*(\w*)\)\((.*)\)$")


# core::ffi has them from Rust 1.64 on.
CHARACTERS = """use core::ffi::c_void;
#[cfg(any(target_arch = "arm", target_arch = "riscv32", target_arch = "riscv64", target_arch = "xtensa",
          all(target_arch = "aarch64", not(any(target_vendor = "apple", windows)))))]
type c_char = u8;
#[cfg(not(any(target_arch = "arm", target_arch = "riscv32", target_arch = "riscv64", target_arch = "xtensa",
              all(target_arch = "aarch64", not(any(target_vendor = "apple", windows))))))]
type c_char = i8;
type c_int = i32;

"""


class Unknown(ValueError):
    pass


def preprocessed():
    """The text of lib/ without comments, macros and line breaks."""
    done = subprocess.run(["gcc", "-E", "-std=c11", *INCLUDES, str(ROOT / "lib/tinycontact.h")], text=True, capture_output=True, check=True)
    kept, ours = [], False
    for line in done.stdout.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = marker[1].startswith(str(ROOT / "lib"))
        elif ours:
            kept.append(line)
    return re.sub(r"\s+", " ", " ".join(kept))


def declarations(text):
    """Each declaration of the outermost level; definitions of inline functions are left out."""
    depth, start = 0, 0
    for at, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        ends = depth == 0 and (char == ";" or (char == "}" and text[start:at].lstrip().startswith("static")))
        if ends:
            piece = text[start:at + 1].strip()
            start = at + 1
            if not piece.startswith("static"):
                yield piece.rstrip("; ")


def parted(text, sign):
    """The parts between signs that are in no bracket."""
    depth, part = 0, ""
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if char == sign and depth == 0:
            yield part.strip()
            part = ""
        else:
            part += char
    if part.strip():
        yield part.strip()


def name_of(word):
    return f"{word}_" if word in KEYWORDS else word


@functools.cache
def number(text):
    """A length: digits, or whatever the C compiler makes of it."""
    if re.fullmatch(r"\d+u?", text):
        return int(text.rstrip("u"))
    return int(run_c(f'#include "tinycontact.h"\n#include <stdio.h>\nint main(void)\n{{\n    printf("%zu", (size_t)({text}));\n    return 0;\n}}\n'))


def base_of(words):
    name = " ".join(word for word in words.split() if word not in ("const", "struct"))
    if name in SCALARS:
        return SCALARS[name]
    if not re.fullmatch(r"tci?_\w+", name):
        raise Unknown(f"a type: {words}")
    return name


def pointer_to(text):
    """`const tc_real *` as *const tc_real; of several stars each is const where the word stands before it."""
    base, *stars = text.replace("*", " * ").split("*")
    made = base_of(base)
    constant = "const" in base.split()
    for after in stars:
        made = f"*{'const' if constant else 'mut'} {made}"
        constant = "const" in after.split()
    return made


def function_type(result, parameters):
    words = ", ".join(f"{name}: {kind}" if name else kind for name, kind in map(parameter, parted(parameters, ","))
                      if kind != "c_void")
    return f"({words})" + ("" if result.strip() == "void" else f" -> {pointer_to(result)}")


def parameter(text):
    """(name, type); an array is a pointer to its first element."""
    callback = POINTER.match(text)
    if callback:
        return name_of(callback[2]), f"Option<unsafe extern \"C\" fn{function_type(callback[1], callback[3])}>"
    found = re.match(r"^(.*?)(\b\w+)?((?:\[[^\]]*\])*)$", text)
    kind, name, lengths = found[1], found[2], found[3]
    if not kind.strip():   # a type without a name, as void
        kind, name = name, ""
    inner = lengths[lengths.index("]") + 1:] if lengths else ""
    if not lengths:
        return name_of(name or ""), pointer_to(kind)
    made = arrays(pointer_to(kind), inner)
    return name_of(name), f"*{'const' if 'const' in kind.split() else 'mut'} {made}"


def arrays(kind, lengths):
    for length in reversed(re.findall(r"\[([^\]]*)\]", lengths)):
        kind = f"[{kind}; {number(length)}]"
    return kind


def fields(body):
    """(name, type) of a struct's fields."""
    for line in parted(body, ";"):
        callback = POINTER.match(line)
        if callback:
            yield name_of(callback[2]), f"Option<unsafe extern \"C\" fn{function_type(callback[1], callback[3])}>"
            continue
        first, *more = parted(line, ",")
        found = re.match(r"^(.*?)(\w+)((?:\[[^\]]*\])*)$", first)
        base = found[1].split("*")[0]
        for text in [first, *(f"{base} {word}" for word in more)]:
            kind, name, lengths = re.match(r"^(.*?)(\w+)((?:\[[^\]]*\])*)$", text).groups()
            yield name_of(name), arrays(pointer_to(kind), lengths)


class Bindings:
    """Everything public, by kind; structs keep their C names of fields for tests/layout.rs."""

    def __init__(self):
        self.types, self.enums, self.structs, self.functions, self.statics, self.opaque = [], {}, {}, [], [], set()
        for piece in dict.fromkeys(declarations(preprocessed())):
            if not piece.startswith("_Static_assert"):
                self.add(piece)
        self.opaque -= set(self.structs)

    def add(self, piece):
        enum = re.match(r"^typedef enum \w* ?\{(.*)\} (\w+)$", piece)
        struct = re.match(r"^(?:typedef )?struct (\w+) \{(.*)\}(?: \w+)?$", piece)
        callback = re.match(r"^typedef (.*)$", piece) and POINTER.match(piece.removeprefix("typedef "))
        if enum:
            self.enums[enum[2]] = [word.split("=")[0].strip() for word in parted(enum[1], ",")]
        elif struct:
            self.structs[struct[1]] = [*fields(struct[2])]
        elif callback:
            self.types.append((callback[2], f"Option<unsafe extern \"C\" fn{function_type(callback[1], callback[3])}>"))
        elif found := re.match(r"^(?:typedef )?struct (\w+)(?: \1)?$", piece):
            self.opaque.add(found[1])
        elif found := re.match(r"^typedef (\w+) (\w+)$", piece):
            self.types.append((found[2], base_of(found[1])))
        elif found := re.match(r"^extern const (.*?)(\w+)((?:\[[^\]]*\])*)$", piece):
            self.statics.append((found[2], arrays(pointer_to(found[1]), found[3])))
        elif found := re.match(r"^(?:extern )?(.*?)(\w+)\((.*)\)$", piece):
            self.functions.append((found[2], function_type(found[1], found[3])))
        else:
            raise Unknown(piece)


def constants():
    """[(name, type, value)] of the public macros that are numbers."""
    texts = [path.read_text(encoding="utf-8") for path in public_headers()]
    names = dict.fromkeys(name for text in texts for name in re.findall(r"^#define (TC_[A-Z0-9_]+) (?=\S)", text, re.M)
                          if not name.startswith(("TC_SUFFIX", "TC_NAME", "TC_BEGIN", "TC_END")))
    while True:
        lines = [f'    printf(_Generic(({name}), float: "{name} f32 %.9g\\n", double: "{name} f64 %.17g\\n", int: "{name} i32 %d\\n", '
                 f'unsigned: "{name} u32 %u\\n", unsigned long: "{name} usize %lu\\n", default: ""), {name});' for name in names]
        program = '#include "tinycontact.h"\n#include <stdio.h>\nint main(void)\n{\n' + "\n".join(lines) + "\n    return 0;\n}\n"
        done = subprocess.run(["gcc", "-std=c11", "-w", "-fsyntax-only", "-fmax-errors=0", *INCLUDES, "-xc", "-"], input=program,
                              text=True, capture_output=True)
        bad = {int(line) - 5 for line in re.findall(r"^<stdin>:(\d+):\d+: (?:error|note)", done.stderr, re.M)}
        if not bad:
            return [line.split() for line in run_c(program).splitlines()]
        names = [name for at, name in enumerate(names) if at not in bad]


def source(known):
    """src/bindings.rs."""
    text = HEAD + "// Generated from lib/tinycontact.h by tools/packages/rust_bindings.py.\n" + CHARACTERS
    literal = {"f32": lambda v: v if "." in v or "e" in v else v + ".0"}
    text += "".join(f"pub const {name}: {kind} = {literal.get(kind, str)(value)};\n" for name, kind, value in constants()) + "\n"
    text += "".join(f"pub type {name} = {kind};\n" for name, kind in known.types) + "\n"
    values = dict(line.split() for line in run_c('#include "tinycontact.h"\n#include <stdio.h>\nint main(void)\n{\n' + "".join(
        f'    printf("{name} %d\\n", (int){name});\n' for names in known.enums.values() for name in names) + "    return 0;\n}\n").splitlines())
    for enum, names in known.enums.items():
        kind = "i32" if any(values[name].startswith("-") for name in names) else "u32"
        text += f"#[repr(transparent)]\n#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]\npub struct {enum}(pub {kind});\nimpl {enum} {{\n"
        text += "".join(f"    pub const {name}: {enum} = {enum}({values[name]});\n" for name in names) + "}\n"
    for name in sorted(known.opaque):
        text += f"#[repr(C)]\npub struct {name} {{\n    _private: [u8; 0],\n}}\n"
    for name, its in known.structs.items():
        text += f"#[repr(C)]\n#[derive(Copy, Clone)]\npub struct {name} {{\n" + "".join(f"    pub {f}: {k},\n" for f, k in its) + "}\n"
    text += "extern \"C\" {\n" + "".join(f"    pub static {name}: {kind};\n" for name, kind in known.statics)
    return text + "".join(f"    pub fn {name}{kind};\n" for name, kind in known.functions) + "}\n"


def layout(known):
    """tests/layout.rs: sizes and offsets as the C compiler has them, for 64-bit machines."""
    program = '#include "tinycontact.h"\n#include <stdio.h>\n#include <stddef.h>\nint main(void)\n{\n'
    for name, its in known.structs.items():
        c = name if not name.startswith("tci_") else f"struct {name}"
        program += f'    printf("{name} - %zu\\n", sizeof({c}));\n'
        program += "".join(f'    printf("{name} {f} %zu\\n", offsetof({c}, {f.rstrip("_") if f[:-1] in KEYWORDS else f}));\n' for f, _ in its)
    text = HEAD + ("//! What the C compiler says of each struct. Generated by tools/packages/rust_bindings.py.\n"
                   "#![cfg(target_pointer_width = \"64\")]\nuse std::mem::{size_of, MaybeUninit};\nuse tinycontact_sys::*;\n\n"
                   "macro_rules! offset {\n    ($type:ty, $field:ident) => {{\n        let room = MaybeUninit::<$type>::uninit();\n"
                   "        let start = room.as_ptr();\n        unsafe { std::ptr::addr_of!((*start).$field) as usize - start as usize }\n    }};\n}\n\n"
                   "#[test]\nfn structs_are_those_of_c() {\n")
    for line in run_c(program + "    return 0;\n}\n").splitlines():
        name, field, value = line.split()
        text += f"    assert_eq!({f'size_of::<{name}>()' if field == '-' else f'offset!({name}, {field})'}, {value});\n"
    return text + "}\n"


def write(crate):
    """The crate's generated files; the workspaces that sizes.rs does not have."""
    from rust_sizes import sizes
    known = Bindings()
    text, test, left = sizes()
    for path, body in (("src/bindings.rs", source(known)), ("tests/layout.rs", layout(known)), ("src/sizes.rs", text), ("tests/sizes.rs", test)):
        (crate / path).write_text(body, encoding="utf-8")
    return left
