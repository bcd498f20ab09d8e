# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Disassembly of a linked image, instruction classes, and the cycle estimate.

An instruction gets a timing class (a row of timing_<core>.csv) and, from it, one of the groups that
the bench table shows. The estimate is that of a single-issue, in-order core without wait states:

    cycles(region) = sum over addresses of executions * (issue + stall) + jumps * refill

`issue` is the class's own cost; `stall` is found once per instruction by walking the code in address
order with a scoreboard: an instruction waits until the floating-point registers it reads are ready
(`use` cycles after the producer's issue is over) and until its Helium pipe is free (`busy`). Address
order is execution order except across a jump, where the scoreboard forgets: an estimate, to compare
two ways of computing the same thing, and no substitute for a cycle counter.
"""

import re
from collections import namedtuple

import common

GROUPS = ("load/store", "mac", "div/sqrt", "float", "branch", "int", "vector")

# Timing classes and the group that each is shown in.
CLASSES = {
    "int": "int",
    "int_mul": "mac",
    "int_div": "div/sqrt",
    "load": "load/store",
    "load_pair": "load/store",
    "load_multiple": "load/store",
    "store": "load/store",
    "store_pair": "load/store",
    "store_multiple": "load/store",
    "fp_load": "load/store",
    "fp_store": "load/store",
    "fp_load_multiple": "load/store",
    "fp_store_multiple": "load/store",
    "fp_move": "float",
    "fp_core": "float",
    "fp_compare": "float",
    "fp_convert": "float",
    "fp_arith": "float",
    "fp_mla": "mac",
    "fp_fma": "mac",
    "fp_div": "div/sqrt",
    "fp_sqrt": "div/sqrt",
    "fp_double": "float",
    "branch": "branch",
    "loop": "branch",
    "refill": "branch",
    "mve_load": "vector",
    "mve_gather": "vector",
    "mve_store": "vector",
    "mve_scatter": "vector",
    "mve_int": "vector",
    "mve_float": "vector",
    "mve_mul": "vector",
    "mve_move": "vector",
    "mve_control": "vector",
}

Instruction = namedtuple("Instruction", "address mnemonic operands function")

TIMING_FIELDS = ("class", "issue", "issue_source", "use", "use_source", "busy", "busy_source", "pipe")
Timing = namedtuple("Timing", "base per_word use busy pipe")

CONDITIONS = "eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al"
# constants between functions do not match
LINE = re.compile(r"^\s*([0-9a-f]+):\t([a-z][a-z0-9.]*)\s*(?:\t(.*))?$")
HEAD = re.compile(r"^([0-9a-f]+) <(.+)>:$")
REGISTER = re.compile(r"\b([sdq])(\d+)\b")


def parse(text):
    """{address: Instruction} from the output of objdump -d --no-show-raw-insn."""
    code = {}
    function = "?"
    for line in text.splitlines():
        head = HEAD.match(line)
        if head:
            function = head.group(2)
            continue
        match = LINE.match(line)
        if match:
            operands = (match.group(3) or "").split("\t")[0].split(" @ ")[0].strip()
            code[int(match.group(1), 16)] = Instruction(
                int(match.group(1), 16), match.group(2), operands, function
            )
    return code


def load(objdump, flags, elf):
    code = parse(common.run([objdump, "-d", "--no-show-raw-insn", *flags, elf], f"disassembling {elf}"))
    if not code:
        raise common.Fault(f"{elf}: objdump shows no instructions")
    return code


def words(operands):
    """How many 32-bit words a register list {...} moves; 1 without one."""
    listed = re.search(r"\{(.*)\}", operands)
    if not listed:
        return 1
    total = 0
    for part in listed.group(1).split(","):
        ends = re.findall(r"([a-z]+)(\d*)", part)
        count = int(ends[1][1]) - int(ends[0][1]) + 1 if "-" in part and len(ends) == 2 else 1
        total += count * {"d": 2, "q": 4}.get(ends[0][0], 1)
    return total


def stem(mnemonic):
    """vaddge.f32 -> (vadd, f32); ldrb.w -> (ldrb, ''); the condition of an IT block is dropped."""
    name, _, suffix = mnemonic.partition(".")
    if name in ("ble", "bls", "blt", "bcs", "bvs", "bhs"):
        return "b", suffix
    if re.fullmatch(rf"b({CONDITIONS})", name):
        return "b", suffix
    if name not in KEEP:
        shorter = re.fullmatch(rf"(.{{2,}}?)({CONDITIONS})", name)
        if shorter:
            name = shorter.group(1)
    return name, suffix


# Mnemonics that end in what looks like a condition but is none.
KEEP = {
    "teq",
    "mls",
    "vmls",
    "vnmls",
    "vfms",
    "bics",
    "lsls",
    "svc",
    "mul",
    "umlal",
    "smlal",
    "vmlal",
    "movs",
    "adcs",
    "sbcs",
    "muls",
    "rscs",
    "le",
    "vcls",
    "vcge",
    "vceq",
    "vcgt",
    "vcle",
    "vclt",
    "vacge",
    "vacgt",
    "cls",
    "dls",
    "wls",
}


def classify(mnemonic, operands):
    """The timing class of an instruction."""
    name, suffix = stem(mnemonic)
    if name[0] == "v":
        return classify_vector(name, suffix, operands)
    if name in ("ldrd", "strd"):
        return "load_pair" if name == "ldrd" else "store_pair"
    if name in ("ldm", "ldmia", "ldmdb", "ldmfd", "ldmea", "pop", "clrm"):
        return "load_multiple"
    if name in ("stm", "stmia", "stmdb", "stmfd", "stmea", "push"):
        return "store_multiple"
    if name.startswith("ldr"):
        return "load"
    if name.startswith("str"):
        return "store"
    if name in ("udiv", "sdiv"):
        return "int_div"
    if name in ("le", "letp"):
        return "loop"
    if name in ("b", "bl", "bx", "blx", "cbz", "cbnz", "tbb", "tbh"):
        return "branch"
    if re.match(r"(mul|mla|mls|[su]mul|[su]mla|sml[as]|smm|smu|smlsd|umaal)", name):
        return "int_mul"
    return "int"


def classify_vector(name, suffix, operands):
    registers = REGISTER.findall(operands)
    mve = any(kind == "q" for kind, _ in registers)
    if name in ("vpush", "vpop", "vldm", "vldmia", "vldmdb", "vstm", "vstmia", "vstmdb"):
        return "fp_store_multiple" if name in ("vpush", "vstm", "vstmia", "vstmdb") else "fp_load_multiple"
    if name in ("vctp", "vpnot", "vpst", "vpste", "vpstt", "vpt") or re.match(r"vp(st|t)", name):
        return "mve_control"
    if name.startswith(("vldr", "vstr")) and not mve:
        return "fp_load" if name.startswith("vldr") else "fp_store"
    if name.startswith(("vldr", "vld2", "vld4", "vstr", "vst2", "vst4")):
        indexed = re.search(r"\[[^]]*\bq\d", operands) is not None
        store = name.startswith("vst")
        return (
            ("mve_scatter" if store else "mve_gather") if indexed else ("mve_store" if store else "mve_load")
        )
    if mve or name.startswith(("vmlav", "vmladav", "vaddv", "vmaxv", "vminv")):
        return classify_mve(name, suffix)
    if "f64" in suffix:
        return "fp_double"
    return classify_scalar_float(name, operands)


def classify_mve(name, suffix):
    if name in ("vmov", "vdup", "vmsr", "vmrs"):
        return "mve_move"
    if re.match(
        r"v(mul|fma|fms|mla|mls|rmla|qdmu|qrdmu|qdml|qrdml|cvt|cmul|cmla|rint|addv|addlv|maxnmv|minnmv)", name
    ):
        return "mve_mul"
    return "mve_float" if suffix.startswith("f") or name.startswith("vcmp") else "mve_int"


def classify_scalar_float(name, operands):
    if name in ("vdiv", "vsqrt"):
        return "fp_div" if name == "vdiv" else "fp_sqrt"
    if name in ("vfma", "vfms", "vfnma", "vfnms"):
        return "fp_fma"
    if name in ("vmla", "vmls", "vnmla", "vnmls"):
        return "fp_mla"
    if name in ("vadd", "vsub", "vmul", "vnmul", "vmaxnm", "vminnm"):
        return "fp_arith"
    if name in ("vcmp", "vcmpe"):
        return "fp_compare"
    if name.startswith(("vcvt", "vrint")):
        return "fp_convert"
    if name in ("vmov", "vmsr", "vmrs") and re.search(r"\b(r\d+|ip|lr|sl|fp|sb)\b", operands):
        return "fp_core"
    return "fp_move"


def read_timing(path):
    """{class: Timing}. Every figure names a source that the comments on top define, or 'assumed'."""
    sources = set(re.findall(r"^# (\w+): ", common.read_text(path), re.M)) | {"assumed", "-"}
    table = {}
    for where, row in common.read_csv(path, TIMING_FIELDS):
        if row["class"] not in CLASSES:
            raise common.Fault(f"{where}: field 'class' is '{row['class']}', which no instruction has")
        for field in ("issue_source", "use_source", "busy_source"):
            if row[field] not in sources:
                raise common.Fault(
                    f"{where}: field '{field}' is '{row[field]}', neither 'assumed' nor a source "
                    "defined on top of the file ('# NAME: document, section')"
                )
        issue = re.fullmatch(r"(\d+)(\+(\d*)N)?", row["issue"])
        if not issue:
            raise common.Fault(
                f"{where}: field 'issue' is '{row['issue']}', expected cycles such as 2, 1+N or 1+2N"
            )
        per_word = int(issue.group(3) or 1) if issue.group(2) else 0
        table[row["class"]] = Timing(
            int(issue.group(1)),
            per_word,
            common.natural(row["use"], where, "use"),
            common.natural(row["busy"], where, "busy"),
            row["pipe"],
        )
    missing = sorted(set(CLASSES) - set(table))
    if missing:
        raise common.Fault(f"{path}: no row for the class {', '.join(missing)}")
    return table


def float_registers(text):
    """The single-precision registers that an operand text names: s4 -> 4, d1 -> 2 3, q1 -> 4 5 6 7."""
    found = set()
    for kind, number in REGISTER.findall(text):
        width = {"s": 1, "d": 2, "q": 4}[kind]
        found.update(range(int(number) * width, int(number) * width + width))
    return found


def reads_and_writes(kind, operands):
    """Floating-point registers read and written, from the class and the operand order."""
    if not kind.startswith(("fp_", "mve_")):  # a branch target such as d8 is no register
        return set(), set()
    first, _, rest = operands.partition(",")
    if kind in ("fp_store", "fp_store_multiple", "mve_store", "mve_scatter", "fp_compare", "mve_control"):
        return float_registers(operands), set()
    if kind == "fp_load_multiple":
        return set(), float_registers(operands)
    if kind in ("fp_mla", "fp_fma", "mve_mul"):
        return float_registers(operands), float_registers(first)
    return float_registers(rest), float_registers(first)


def issue_cycles(instruction, timing):
    kind = classify(instruction.mnemonic, instruction.operands)
    cost = timing[kind]
    count = 2 if kind in ("load_pair", "store_pair") else words(instruction.operands)
    extra = 1 if kind in ("fp_load", "fp_store") and re.match(r"d\d", instruction.operands) else 0
    return cost.base + cost.per_word * count + extra


def estimate(code, timing):
    """{address: cycles of one execution}, stalls included, jumps not."""
    cycles = {}
    ready, free, now = {}, {}, 0
    for address in sorted(code):
        instruction = code[address]
        kind = classify(instruction.mnemonic, instruction.operands)
        cost = timing[kind]
        issue = issue_cycles(instruction, timing)
        reads, writes = reads_and_writes(kind, instruction.operands)
        start = max([now, free.get(cost.pipe, 0)] + [ready.get(register, 0) for register in reads])
        cycles[address] = start - now + issue
        now = start + issue
        for register in writes:
            ready[register] = now + cost.use
        if cost.pipe != "-":
            free[cost.pipe] = start + cost.busy
        if kind == "branch" or "pc" in instruction.operands:
            ready, free = {}, {}
    return cycles
