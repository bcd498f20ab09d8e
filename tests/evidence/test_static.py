# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Tests of stack.py, symbols.py and size.py: each detector is seen failing on what it is there to find."""

import os
import unittest

from support import M4F, Folder, run

import common
import size
import stack
import symbols

# ---- stack.py ----------------------------------------------------------


def ci(*entries):
    """A .ci file: (name, bytes, kind, callees...)"""
    lines = []
    for name, size_, kind, *callees in entries:
        lines.append(f'node: {{ title: "{name}" label: "{name}\\nx.c:1:1\\n{size_} bytes ({kind})" }}')
        lines += [f'edge: {{ sourcename: "{name}" targetname: "{callee}" }}' for callee in callees]
    return "\n".join(lines) + "\n"


class Stack(Folder):
    def graph(self, *entries):
        graph = stack.Graph()
        stack.read_ci(graph, self.write("x.ci", ci(*entries)))
        return graph

    def worst(self, graph):
        return stack.worst(graph, "tc_a", {}, [])

    def test_deepest_descent(self):
        graph = self.graph(
            ("tc_a", 8, "static", "b", "c"),
            ("b", 100, "static"),
            ("c", 40, "static", "d"),
            ("d", 80, "static"),
        )
        self.assertEqual(self.worst(graph), (128, ["tc_a", "c", "d"]))

    def test_recursion_is_found(self):
        graph = self.graph(("tc_a", 8, "static", "b"), ("b", 8, "static", "c"), ("c", 8, "static", "b"))
        self.assert_fault("recursion: b -> c -> b", self.worst, graph)

    def test_compiled_recursion_and_dynamic_frames_are_found(self):
        self.compile(
            "r.c",
            "int tc_a(int n);int b(int n);int b(int n){return n ? tc_a(n-1)*n+tc_a(n/2) : 1;}\n"
            "__attribute__((noinline)) int tc_a(int n){return n<2?1:b(n-1)+b(n-2);}",
            "-fcallgraph-info=su",
            "-fno-inline",
        )
        graph = stack.Graph()
        stack.read_ci(graph, self.path("r.ci"))
        self.assert_fault("recursion", self.worst, graph)
        self.compile(
            "v.c",
            "void use(char *);void tc_a(int n);void tc_a(int n){char x[n];use(x);}",
            "-fcallgraph-info=su",
        )
        self.assert_fault("is dynamic", stack.read_ci, stack.Graph(), self.path("v.ci"))

    def test_unknown_calls_are_found(self):
        self.assert_fault("has no frame", self.worst, self.graph(("tc_a", 8, "static", "nowhere")))
        graph = self.graph(("tc_a", 8, "static", "__indirect_call"), ("b", 24, "static"))
        self.assert_fault("calls through a pointer", self.worst, graph)
        stack.read_notes(graph, self.write("x.c", "/* tc_calls: tc_a b */"))
        self.assertEqual(self.worst(graph), (32, ["tc_a", "b"]))

    ASSEMBLER = (
        "    .syntax unified\n    .thumb\n    .global tc_asm\n    .thumb_func\n"
        "    .type tc_asm, %function\ntc_asm:\n"
        "    push {r4-r7, lr}\n    vpush {d8-d9}\n    sub sp, #12\n    bl helper\n    add sp, #12\n"
        "    vpop {d8-d9}\n    pop {r4-r7, pc}\n"
    )

    def test_assembler_is_read_and_its_comment_checked(self):
        archive = self.archive(
            self.compile("asm.s", self.ASSEMBLER), self.compile("helper.c", "void helper(void){}")
        )
        text = common.run(["arm-none-eabi-objdump", "-dr", "--no-show-raw-insn", archive], "objdump")
        graph = self.graph(("tc_a", 8, "static", "tc_asm"))
        stack.add_disassembly(graph, ["tc_asm"], stack.read_disassembly(text, archive), archive)
        self.assertEqual(self.worst(graph)[0], 8 + 20 + 16 + 12)
        source = self.write("note.S", "/* tc_stack: tc_asm 48 */\n")
        stack.check_notes(graph, stack.read_notes(graph, source), source)
        source = self.write("note.S", "/* tc_stack: tc_asm 40 */\n")
        self.assert_fault(
            "says tc_asm takes 40 bytes", stack.check_notes, graph, stack.read_notes(graph, source), source
        )

    def test_over_the_limit_fails(self):
        self.write("x.ci", ci(("tc_a", 500, "static")))
        header = self.write("x.h", "void tc_a(void);\n")
        arguments = [
            "--ci",
            self.path("x.ci"),
            "--header",
            header,
            "--board",
            "b",
            "--profile",
            "exact",
            "--limit",
        ]
        self.assertEqual(self.tool("stack.py", *arguments, "500").returncode, 0)
        self.assertEqual(self.tool("stack.py", *arguments, "499").returncode, 1)
        self.assertEqual(self.tool("stack.py", *arguments, "499", "tc_=500", "tc_b=10").returncode, 0)
        self.assertEqual(self.tool("stack.py", *arguments, "900", "tc_=499").returncode, 1)


# ---- symbols.py --------------------------------------------------------

BAD_OBJECTS = {
    "the heap": "void *malloc(unsigned n); void *tc_a(void); void *tc_a(void) { return malloc(8); }",
    "formatted output": 'int printf(const char *f, ...); int tc_a(int); int tc_a(int x) { return printf("%d", x); }',
    "libm": "float tanhf(float x); float tc_a(float x); float tc_a(float x) { return tanhf(x); }",
    "double precision": "float tc_a(float x); float tc_a(float x) { return x * 0.3; }",
    ".bss": "int tc_a(void); int tc_a(void) { static int n; return ++n; }",
    ".data": "int tc_table[2] = {1, 2};",
    "not on the list": "void elsewhere(void); void tc_a(void); void tc_a(void) { elsewhere(); }",
}


class Symbols(Folder):
    def test_each_forbidden_thing_is_found_in_an_archive(self):
        for expected, source in BAD_OBJECTS.items():
            archive = self.archive(self.compile("bad.c", source, "-fno-common"))
            done = self.tool("symbols.py", "--archive", archive)
            self.assertEqual(done.returncode, 1, expected)
            self.assertIn(expected, done.stdout)
            os.remove(archive)

    def test_a_clean_object_passes(self):
        archive = self.archive(
            self.compile(
                "good.c",
                "#include <math.h>\n#include <string.h>\nstatic const int t[2] = {1, 2};\n"
                "float tci_b(float x);\nfloat tc_a(float x, int n); float tc_a(float x, int n)\n"
                "{ char b[64]; memset(b, n, sizeof b); return sqrtf(x) + b[n] + t[n & 1] + tci_b(x); }",
            )
        )
        done = self.tool("symbols.py", "--archive", archive)
        self.assertEqual((done.returncode, "clean" in done.stdout), (0, True), done.stdout)

    def test_double_instructions_are_found(self):
        source = self.write("d.c", "double tc_a(double x); double tc_a(double x) { return x * x; }")
        done = run(
            "arm-none-eabi-gcc",
            "-mcpu=cortex-m7",
            "-mthumb",
            "-mfloat-abi=hard",
            "-mfpu=fpv5-d16",
            "-O2",
            "-c",
            source,
            "-o",
            self.path("d.o"),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.tool("symbols.py", "--archive", self.archive(self.path("d.o")))
        self.assertEqual(done.returncode, 1)
        self.assertIn("tc_a: 1 double-precision instructions", done.stdout)

    def test_soft_float_is_for_cores_without_fpu_only(self):
        wants = [symbols.Symbol("x.o", "__aeabi_fadd", "U")]
        self.assertEqual(len(symbols.archive_faults(wants, False)), 1)
        self.assertEqual(symbols.archive_faults(wants, True), [])
        self.assertEqual(len(symbols.archive_faults([symbols.Symbol("x.o", "__aeabi_dadd", "U")], True)), 1)

    def test_firmware(self):
        for name in (
            "malloc",
            "_sbrk",
            "_malloc_r",
            "printf",
            "_vfprintf_r",
            "__aeabi_dmul",
            "__muldf3",
            "__aeabi_f2d",
        ):
            self.assertEqual(len(symbols.firmware_faults([symbols.Symbol("", name, "T")], False)), 1, name)
        for name in ("__aeabi_fmul", "main", "tc_model_open", "freezer", "board_print", "memcpy"):
            self.assertEqual(symbols.firmware_faults([symbols.Symbol("", name, "T")], False), [], name)


# ---- size.py -----------------------------------------------------------------------------------------------


class Size(Folder):
    def test_code_constants_data_and_bss_are_told_apart(self):
        built = self.compile(
            "s.c", 'const char text[100] = "x"; int data[3] = {1}; int bss[5];', "-fno-common"
        )
        sizes = size.split(size.parse_sections(common.run(["arm-none-eabi-objdump", "-h", built], "objdump")))
        self.assertEqual(list(sizes.values()), [[100 + 12, 12, 20]])

    def test_a_footprint_that_does_not_link_is_a_clear_error(self):
        archive = self.archive(self.compile("e.c", "void tc_a(void); void tc_a(void) {}"))
        source = self.write(
            "f.c", "void nowhere(void); void footprint(void); void footprint(void) { nowhere(); }"
        )
        done = self.tool(
            "size.py",
            "--archive",
            archive,
            "--board",
            "b",
            "--profile",
            "exact",
            "--footprint",
            f"x={archive}",
            "--footprint-source",
            source,
            "--cflags=" + " ".join(M4F),
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn("nowhere", done.stderr)
        self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
