#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Worst-case stack of every public function, from the call graph.

Frames and calls of C come from gcc's .ci files (-fcallgraph-info=su). Functions without one (assembler,
the C library) are read from the disassembly: everything that lowers sp, added up, and every call. An
assembler source may state its frames; the statement is then checked against the disassembly:
    /* tc_stack: tc_kernel_dense 52 */
A call through a pointer is a fault unless a source says where it can go:
    /* tc_calls: caller callee callee */

Faults: recursion, dynamic frames, unannotated indirect calls, a called function that is nowhere.
The figure is an upper bound: a frame counts in full even where a tail call has released it. What an
interrupt adds (the caller's business) is not in it.
"""

import argparse
import collections
import re

import common
import disasm

NODE = re.compile(r'^node: \{ title: "([^"]+)" label: "([^"]*)"(.*)\}')
EDGE = re.compile(r'^edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')
NOTE = re.compile(r"tc_(stack|calls): ([\w ./:]+?)\s*(?:\*/|$)", re.M)
PUBLIC = re.compile(r"^(?!static|typedef|#|\s|/|\*)[\w \*]*?\b(tc_\w+)\(", re.M)
HEAD = re.compile(r"^(?:[0-9a-f]+) <([^>]+)>:$")
SYMBOL = re.compile(r"^([0-9a-f]+) (.{7}) (\S+)\t[0-9a-f]+ (?:\.hidden )?(\S+)$")
RELOCATION = re.compile(r"^\s*[0-9a-f]+: R_ARM_THM_\w+\t(\S+)")


class Graph:
    def __init__(self):
        self.frames = {}  # name -> bytes
        self.calls = collections.defaultdict(set)  # name -> names
        self.where = {}  # name -> file that said so


def read_ci(graph, path):
    """One translation unit. Static functions have titles file:name, so they cannot collide."""
    for line in common.read_text(path).splitlines():
        node = NODE.match(line)
        edge = EDGE.match(line)
        if edge:
            graph.calls[edge.group(1)].add(edge.group(2))
        if not node or "ellipse" in node.group(3):
            continue
        size = re.search(r"\\n(\d+) bytes \(([\w,]+)\)", node.group(2))
        if not size:
            raise common.Fault(
                f"{path}: '{node.group(1)}' has no stack size; was it compiled with -fcallgraph-info=su?"
            )
        if size.group(2) != "static":
            raise common.Fault(f"{path}: the frame of '{node.group(1)}' is {size.group(2)}, not static")
        graph.frames[node.group(1)] = int(size.group(1))
        graph.where[node.group(1)] = path


def lowered(mnemonic, operands, where):
    """By how many bytes an instruction lowers sp."""
    name = disasm.stem(mnemonic)[0]
    if name in ("push", "vpush"):
        return 4 * disasm.words(operands)
    if name in ("stmdb", "vstmdb", "stmfd") and operands.startswith("sp!"):
        return 4 * disasm.words(operands)
    decrement = re.search(r"\[sp, #-(\d+)\]!", operands)
    if decrement:
        return int(decrement.group(1))
    if name in ("sub", "subw") and re.match(r"sp\b", operands):
        constant = re.search(r"#(\d+)$", operands)
        if not constant:
            raise common.Fault(f"{where}: '{mnemonic} {operands}' makes the frame dynamic")
        return int(constant.group(1))
    return 0


def read_disassembly(text, where):
    """{function: (bytes, called names)} from objdump -dr --no-show-raw-insn. A function that runs into the
    next one calls it, as far as the stack is concerned."""
    found = {}
    name, open_end, pending = None, False, None
    for line in text.splitlines():
        head = HEAD.match(line)
        relocation = RELOCATION.match(line)
        instruction = disasm.LINE.match(line)
        if head:
            if name and open_end:
                found[name][1].add(head.group(1))
            name, open_end, pending = head.group(1), False, None
            found.setdefault(name, [0, set()])
        elif relocation and pending and name:
            found[name][1].discard(pending)
            found[name][1].add(relocation.group(1).split("+")[0].split("-")[0])
        elif instruction and name:
            operands = (instruction.group(3) or "").split("\t")[0].split(" @ ")[0].strip()
            pending = step(found[name], name, instruction.group(2), operands, where)
            if instruction.group(2) != "nop":  # padding after the return
                open_end = not ends(instruction.group(2), operands)
    return {key: (size, calls) for key, (size, calls) in found.items()}


def add_aliases(found, symbols):
    """Gives the names that the disassembly's headings left out (one per address), from objdump -t."""
    at = collections.defaultdict(set)
    member = ""
    for line in symbols.splitlines():
        if "file format" in line:
            member = line
        symbol = SYMBOL.match(line)
        if symbol and "F" in symbol.group(2):
            at[member, symbol.group(3), symbol.group(1)].add(symbol.group(4))
    for names in at.values():
        known = next((name for name in sorted(names) if name in found), None)
        for name in names if known else ():
            found.setdefault(name, found[known])


def step(entry, name, mnemonic, operands, where):
    """Books one instruction; returns the name it jumps to, which a relocation may correct."""
    stem = disasm.stem(mnemonic)[0]
    entry[0] += lowered(mnemonic, operands, f"{where}: {name}")
    if stem == "blx" and not operands.startswith("0") and "<" not in operands:
        entry[1].add("__indirect_call")
    target = re.search(r"<([^>+]+)>$", operands)
    if stem in ("b", "bl", "blx", "cbz", "cbnz") and target:
        if target.group(1) != name:
            entry[1].add(target.group(1))
        return target.group(1)
    return None


def ends(mnemonic, operands):
    return (
        mnemonic in ("b.n", "b.w", "b", "bx", "udf", "tbb", "tbh")
        or "pc}" in operands
        or operands.startswith("pc,")
    )


def add_disassembly(graph, wanted, found, where):
    """Takes the wanted functions, and what they call, from a disassembly; C functions are known already."""
    todo = [name for name in wanted if name in found and name not in graph.frames]
    while todo:
        name = todo.pop()
        if name in graph.frames:
            continue
        size, calls = found[name]
        graph.frames[name] = size
        graph.where[name] = where
        graph.calls[name] |= calls
        todo += [callee for callee in calls if callee in found and callee not in graph.frames]


def read_notes(graph, path):
    """The tc_stack and tc_calls comments of a source. Returns the frames it states."""
    stated = {}
    for kind, text in NOTE.findall(common.read_text(path)):
        cells = text.split()
        if kind == "stack":
            if len(cells) != 2:
                raise common.Fault(f"{path}: 'tc_stack: {text}', expected 'tc_stack: function bytes'")
            stated[cells[0]] = common.natural(cells[1], path, "tc_stack")
        else:
            clones = [n for n in graph.calls if n.split(":")[-1].split(".")[0] == cells[0]]
            for caller in clones or cells[:1]:   # the compiler names a copy "caller.constprop.0"
                graph.calls[caller].discard("__indirect_call")
                graph.calls[caller] |= set(cells[1:])
    return stated


def check_notes(graph, stated, path):
    for name, size in stated.items():
        if name in graph.frames and graph.frames[name] != size:
            raise common.Fault(
                f"{path}: tc_stack says {name} takes {size} bytes, the disassembly {graph.frames[name]}"
            )
        if name not in graph.frames:
            graph.frames[name] = size
            graph.where[name] = path


def worst(graph, name, memo, path):
    """(bytes, chain of names) of the deepest descent from a function."""
    if name in memo:
        return memo[name]
    if name in path:
        raise common.Fault("recursion: " + " -> ".join([*path[path.index(name) :], name]))
    if name == "__indirect_call":
        raise common.Fault(
            f"{path[-1]}: calls through a pointer; say where to with /* tc_calls: {path[-1].split(':')[-1]} "
            "callee... */ in its source"
        )
    if name not in graph.frames:
        raise common.Fault(
            f"'{name}', called from {path[-1] if path else 'outside'}, has no frame: neither a .ci file, "
            "nor the disassembly of --archive or --elf, nor a tc_stack comment knows it"
        )
    deepest = (0, [])
    for callee in sorted(graph.calls[name]):
        deepest = max(deepest, worst(graph, callee, memo, [*path, name]), key=lambda found: found[0])
    memo[name] = (graph.frames[name] + deepest[0], [name, *deepest[1]])
    return memo[name]


def public_names(headers):
    names = set()
    for path in headers:
        names |= {n for n in PUBLIC.findall(common.read_text(path)) if not n.startswith("tc_kernel_")}
    return names


def build(args):
    graph = Graph()
    for path in args.ci:
        read_ci(graph, path)
    called = {callee for calls in graph.calls.values() for callee in calls} | public_names(args.header)
    for path in args.archive + args.elf:
        text = common.run(
            [args.objdump, "-dr", "--no-show-raw-insn", *args.objdump_flags.split(), path],
            f"disassembling {path}",
        )
        found = read_disassembly(text, path)
        add_aliases(found, common.run([args.objdump, "-t", path], f"symbols of {path}"))
        add_disassembly(graph, sorted(called), found, path)
    for path in args.source:
        check_notes(graph, read_notes(graph, path), path)
    return graph


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--ci", nargs="+", required=True, metavar="FILE", help="gcc's .ci files of lib/ and port/"
    )
    parser.add_argument(
        "--header", nargs="+", required=True, metavar="FILE", help="the public headers: what to report"
    )
    parser.add_argument(
        "--source", nargs="*", default=[], metavar="FILE", help="sources with tc_stack, tc_calls comments"
    )
    parser.add_argument("--archive", nargs="*", default=[], metavar="FILE", help="for functions in assembler")
    parser.add_argument(
        "--elf", nargs="*", default=[], metavar="FILE", help="any firmware: for C library functions"
    )
    parser.add_argument("--board", required=True)
    parser.add_argument("--profile", required=True)
    parser.add_argument("--limit", nargs="+", default=[], metavar="[PREFIX=]BYTES",
                        help="fail if a public function (whose name begins so; the longest prefix counts) needs more")
    parser.add_argument("--objdump", default="arm-none-eabi-objdump")
    parser.add_argument("--objdump-flags", default="", help="as for bench.py")
    parser.add_argument("--out", metavar="CSV", help="merge into this table of measurements")
    return parser.parse_args()


def limit_of(name, limits):
    pairs = [text.rpartition("=")[::2] for text in limits]
    fitting = [(prefix, int(size)) for prefix, size in pairs if name.startswith(prefix)]
    return max(fitting, key=lambda pair: len(pair[0]), default=("", float("inf")))[1]


def report(results, board, profile):
    rows = [["function", "bytes", "deepest descent"]]
    for name, (size, chain) in sorted(results.items(), key=lambda item: -item[1][0]):
        rows.append([name, size, " > ".join(part.split(":")[-1] for part in chain[1:])])
    print(f"{board} {profile}: worst-case stack per public function [bytes]")
    print(common.columns(rows, right=(1,)))


def main():
    args = options()
    graph = build(args)
    names = sorted(n for n in public_names(args.header) if n in graph.frames)
    if not names:
        raise common.Fault("none of the headers' functions is in the .ci files")
    memo = {}
    results = {name: worst(graph, name, memo, []) for name in names}
    report(results, args.board, args.profile)
    if args.out:
        common.merge(
            args.out,
            ("stack",),
            args.board,
            args.profile,
            {("stack", name): size for name, (size, _) in results.items()},
        )
    over = {n: size for n, (size, _) in results.items() if size > limit_of(n, args.limit)}
    for name, size in over.items():
        print(f"stack.py: {name}: {size} bytes, limit {limit_of(name, args.limit)}")
    return 1 if over else 0


if __name__ == "__main__":
    common.main(main)
