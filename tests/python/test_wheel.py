# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The wheel of `make wheel`, installed where no checkout is in sight: what is in it, and that what it computes has the bits
of the checkout's library. It prints its size and how long it takes from `pip install` to the demonstration's picture."""
import ast
import fnmatch
import os
import re
import resource
import subprocess
import sys
import tempfile
import tomllib
import unittest
import zipfile
from pathlib import Path

import numpy as np

from tinycontact_case import ROOT, random_net, tc
from tree import INCLUDES

PACKAGE = ROOT / "tools" / "tinycontact"
MOST_BYTES = 1_900_000   # 1.0 of it are the texts of the modules
MOST_SECONDS = 15.0      # of computing, from `pip install` to the picture


def setUpModule():
    global HOLDER, WHEEL, ENVIRONMENT, PYTHON, INSTALLED
    HOLDER = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(HOLDER.cleanup)
    ENVIRONMENT = {name: value for name, value in os.environ.items()
                   if name not in ("PYTHONPATH", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "DISPLAY")
                   and not name.startswith("TINYCONTACT_")}
    made = subprocess.run(["make", "-s", "wheel"], cwd=ROOT, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    assert made.returncode == 0, made.stdout
    WHEEL = ROOT / made.stdout.split()[-1]
    PYTHON = path("venv") / "bin" / "python"
    run(sys.executable, "-m", "venv", "--without-pip", PYTHON.parents[1])
    INSTALLED = timed(sys.executable, "-m", "pip", "--python", PYTHON, "install", "-q", WHEEL)[1]


def run(*words, status=0, **environment):
    """Output of a command in a folder that knows nothing of this checkout."""
    return timed(*words, status=status, **environment)[0]


def timed(*words, status=0, **environment):
    """(output, seconds that it computed)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in words], cwd=HOLDER.name, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENVIRONMENT | environment)
    if done.returncode != status:
        raise AssertionError(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout[-3000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def command(*words, status=0):
    """Output of `tinycontact words`, as the environment's own program."""
    return run(PYTHON.with_name("tinycontact"), *words, status=status)


def path(name):
    return Path(HOLDER.name) / name


class Contents(unittest.TestCase):
    def test_size_and_name(self):
        print(f"\n{WHEEL.name}: {WHEEL.stat().st_size / 1e6:.2f} MB")
        self.assertLessEqual(WHEEL.stat().st_size, MOST_BYTES)
        self.assertRegex(WHEEL.name, rf"^tinycontact-{tc.__version__}-py3-none-manylinux[\w.]+\.whl$")

    def test_files(self):
        with zipfile.ZipFile(WHEEL) as file:
            names = {name for name in file.namelist() if not name.endswith("/")}
            folder = f"tinycontact-{tc.__version__}.dist-info"
            self.assertEqual(file.read(f"{folder}/licenses/LICENSE"), (ROOT / "LICENSE").read_bytes())
            told = file.read(f"{folder}/METADATA").decode()
        left_out = excluded()
        sources = {name for name in files() if not any(fnmatch.fnmatch(name, pattern) for pattern in left_out)}
        self.assertEqual(sources - names, set())
        more = {name for name in names - sources if not name.startswith(folder)}
        self.assertEqual(more, {"tinycontact/data/hopper.json", "tinycontact/data/leg.json",
                                *(f"tinycontact/compiled/libtinycontact-{build}.so" for build in ("float", "double"))})
        self.assertEqual(set(re.findall(r"^Provides-Extra: (\w+)", told, re.M)), {"hil", "sweep", "train", "view"})
        self.assertEqual(re.findall(r"^Requires-Dist: (\w+)[^;\n]*$", told, re.M), ["numpy", "matplotlib"])

    def test_nobody_asks_for_what_is_left_out(self):
        """Modules of the wheel import none that pyproject.toml excludes, within functions neither."""
        left_out = excluded()
        out = {name for name in files() if any(fnmatch.fnmatch(name, pattern) for pattern in left_out)}
        self.assertGreater(len(out), 10)
        for name in sorted(files() - out):
            for module in imported(name) if name.endswith(".py") else ():
                self.assertNotIn(module, out, name)

    def test_versions_are_one(self):
        """Package, library and project."""
        project = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(), re.M).group(1)
        self.assertEqual({project, tc.__version__, tc.Library().version()}, {project})

    def test_every_function_that_python_names_is_there(self):
        """What a list of symbols leaves out would be missing in the wheel only. Each build leaves out what the other has."""
        code = ("import sys, tinycontact as tc\nlibrary = tc.Library(real=sys.argv[1])._c\n"
                "print(*[name for name in sys.argv[2:] if not hasattr(library, name)])")
        for real, other in (("float", "double"), ("double", "float")):
            missing = set(run(PYTHON, "-c", code, real, *sorted(called())).split())
            self.assertEqual(missing - ONLY_IN[other], set(), real)


# Functions that modules ask of one build alone: symbols of tools/native/*.symbols that are local in the other.
ONLY_IN = {"double": {"native_bodies_derive", "native_bodies_run", "native_learn_place", "native_learn_roll",
                      "native_hierarchy_begin", "native_hierarchy_free", "native_hierarchy_open", "native_hierarchy_sum",
                      "native_hierarchy_take"},
           "float": {"native_meet", "native_momentum_settings", "native_toc", "tc_wire_decode", "tc_wire_decoder_init",
                     "tc_wire_encode"}}


def files():
    """The package's files, as the wheel names them."""
    return {f"tinycontact/{path.relative_to(PACKAGE).as_posix()}" for path in PACKAGE.rglob("*") if path.is_file()}


def excluded():
    """Patterns of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]["wheel"]["exclude"]


def imported(name):
    """Files of the package that a module's import statements may mean."""
    for node in ast.walk(ast.parse((PACKAGE.parent / name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            folder = Path(name).parents[node.level - 1] if node.level else Path()
            module = folder / (node.module or "").replace(".", "/")
            for found in (module, *(module / alias.name for alias in node.names)):
                yield f"{found.as_posix()}.py"
                yield f"{found.as_posix()}/__init__.py"


def called():
    """Names of C functions that the package's modules call: attributes, and first arguments of function(...)."""
    names = set()
    for path in PACKAGE.rglob("*.py"):
        if "peers" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute):
                names.add(node.attr)
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("function", "of"):
                names |= {argument.value for argument in node.args[:1] if isinstance(argument, ast.Constant)}
    return {name for name in names if isinstance(name, str) and re.match(r"(tc|native)_[a-z0-9_]+$", name)}


COMPUTE = """
import sys
import numpy as np, tinycontact as tc
from tinycontact.scene.native import library
given, found = dict(np.load(sys.argv[1])), {}
net = tc.load("given.tcm").nets[0]
for name, build in (("float", tc.Library()), ("double", tc.Library(real="double")), ("scene", library())):
    real = build.real
    A = given["A"].astype(real)
    found[name + "_inverse"] = build.mat_inverse_spd(A)
    found[name + "_tanh"] = build.tanh(given["x"].astype(real))
    found[name + "_net"] = build.eval(net, given["x"][:4].astype(real))
    found[name + "_text"] = build.build_text()
np.savez(sys.argv[2], **found)
"""
# One import of NumPy for all: a command takes less than that.
SEVERAL = """
import os, shlex, sys
from tinycontact.cli import main
os.chdir(sys.argv[1])
for line in sys.argv[2:]:
    try:
        status = main(shlex.split(line)) or 0
    except SystemExit as end:
        status = end.code
    print(f"status {status}: {line}", flush=True)
"""
GIVEN = {
    "robot.urdf": """<robot name="walker">
      <link name="trunk"><inertial><mass value="6"/><inertia ixx="0.05" iyy="0.12" izz="0.14" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="pitch" type="revolute"><axis xyz="0 1 0"/><parent link="trunk"/><child link="thigh"/><limit lower="-1" upper="3"/></joint>
      <link name="thigh"><inertial><origin xyz="0 0 -0.03"/><mass value="0.9"/>
        <inertia ixx="4e-3" iyy="4e-3" izz="8e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="knee" type="revolute"><origin xyz="0 0 -0.21"/><axis xyz="0 1 0"/><parent link="thigh"/><child link="shank"/>
        <limit lower="-2.7" upper="-0.4"/></joint>
      <link name="shank"><inertial><origin xyz="0 0 -0.12"/><mass value="0.16"/>
        <inertia ixx="1e-3" iyy="1e-3" izz="3e-5" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="ankle" type="fixed"><origin xyz="0 0 -0.21"/><parent link="shank"/><child link="foot"/></joint>
      <link name="foot"><collision><geometry><sphere radius="0.02"/></geometry></collision></link></robot>""",
    "throws.json": '[{"y0": 0.4, "theta0_deg": 28.6, "vx0": 3, "omega0": 20}]',
    "pairs.json": '[{"A": [[0, 0], [1, 0], [1, 1], [0, 1]], "B": [[3, 0.5]], "radius_B": 0.5}]',
    "problems.json": '{"dim": 2, "n": 1, "G": [[1, 0], [0, 1]], "w0": [-1, 0.2], "mu": [0.5], "floor": null}',
    "lcp.json": '[{"M": [[2, 1], [1, 2]], "q": [-5, -6]}]',
    "box.json": '{"kind": "box", "h": [0.1, 0.1, 0.02], "r": 0.005}',
    "near.json": """[{"a": {"kind": "sphere", "r": 0.1}, "b": {"kind": "sphere", "r": 0.1}, "xa": [0, 0, 0], "xb": [0, 0, 0.3],
                      "Ra": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "Rb": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}]""",
    "push.json": """{"friction": 0.4, "bodies": [{"name": "floor", "shape": {"kind": "halfspace"}, "moving": false},
      {"name": "box", "shape": {"kind": "box", "h": [0.2, 0.1, 0.05], "r": 0.01}, "mass": 1, "position": [0, 0, 0.06],
       "velocity": [2, 1, 0]}]}"""}
COMMANDS = (
    "leg import robot.urdf --base trunk --foot foot --rotor 1.2e-5 --gear 9 -o leg.json",
    "leg check leg.json", "leg export leg.json --c leg --tick 0.002 --encoder-bits 14",
    "leg configure --chain leg.json --rate 500 -o config.json",
    "leg estimate --chain demo_leg.json demo_log.csv.gz -o estimates.csv --html leg.html --mcap leg.mcap",
    "body throw --model rectangle.tcm --shape rectangle.json throws.json -o ends.json",
    "body export --model rectangle.tcm --shape rectangle.json --c body",
    "body evaluate --model rectangle.tcm --shape rectangle.json --truth coulomb --throws 2 --states 50 --jobs 1 -o judged.json",
    "shape make box.json -o grid.json --cells 8 --c sole", "shape inspect grid.json", "shape check grid.json",
    "shape distance near.json -o distances.json", "plan pair pairs.json -o planes.json",
    "plan simulate push -o pushed.json --steps 3 --save-scene own.json", "plan simulate own.json -o again.json --steps 3 --double",
    "impact solve problems.json -o impulses.json", "impact solve problems.json --double -o doubles.json",
    "impact simulate CP3 -o struck.json --csv struck.csv --save-system cp3.json",
    "impact identify cp3.json --log struck.csv -o floor.json", "lcp solve lcp.json -o forces.json",
    "scene simulate push.json --seconds 0.2 --every 0.05 -o slid.json --csv slid.csv",
    "scene identify push.json --observations slid.csv --parameters friction -o friction.json",
    "model inspect rectangle.tcm", "model check rectangle.tcm", "library call tanh 1",
    "board fits --core stm32f405 --tick 1000", "file schema chain -o leg.schema.json", "file check leg.json")
WRITTEN = re.findall(r"(?:-o|--html|--mcap|--csv) (\S+)", " ".join(COMMANDS)) + ["leg/leg.c", "body/main.c", "sole.c"]
PUSH = """{"friction": 0.4, "restitution": 0.2, "bodies": [
 {"name": "box", "shape": {"kind": "box", "h": [0.2, 0.1, 0.05], "r": 0.01}, "mass": 1.0, "position": [0, 0, 0.06],
  "velocity": [2, 1, 0]},
 {"name": "ball", "shape": {"kind": "sphere", "r": 0.08}, "mass": 0.5, "position": [0.4, 0.1, 0.2],
  "angular_velocity": [0, 10, 0]},
 {"name": "floor", "shape": {"kind": "halfspace"}, "moving": false}]}"""


class Installed(unittest.TestCase):
    def test_every_module_can_be_imported(self):
        """But for those that are there for a package of an extra."""
        code = ("import importlib, pkgutil, tinycontact\n"
                "for module in pkgutil.walk_packages(tinycontact.__path__, 'tinycontact.'):\n"
                "    try:\n        module.name.endswith('__main__') or importlib.import_module(module.name)\n"
                "    except ImportError as error:\n        print(module.name, error.name)\n")
        absent = {"tinycontact.hil.pytest_plugin pytest", "tinycontact.impact.jax_api jax", "tinycontact.impact.torch_api torch",
                  "tinycontact.plan.jax_api jax", "tinycontact.plan.torch_api torch"}
        self.assertEqual(set(run(PYTHON, "-c", code).splitlines()) - absent, set())

    def test_the_same_bits(self):
        """Inverse, tanh and a net of each build, as the checkout's library has them."""
        rng = np.random.default_rng(4)
        B = rng.normal(size=(7, 7))
        tc.Model([random_net(3, [4, 9, 3], ["tanh", "identity"])], step_size=0.001).save(path("given.tcm"))
        np.savez(path("given.npz"), A=B @ B.T + np.eye(7), x=rng.normal(size=(4, 4)))
        run(PYTHON, "-c", COMPUTE, "given.npz", "found.npz")
        run(sys.executable, "-c", COMPUTE, "given.npz", "here.npz", PYTHONPATH=str(ROOT / "tools"))
        with np.load(path("found.npz")) as there, np.load(path("here.npz")) as here:
            self.assertEqual(sorted(there), sorted(here))
            for name in there:
                self.assertEqual(there[name].tobytes(), here[name].tobytes(), name)

    def test_the_same_files(self):
        """Of roll-outs, which are C for the host in tools/native, in double and in float32."""
        path("push.json").write_text(PUSH)
        for words in (["scene", "simulate", "push.json", "--seconds", "0.3", "--every", "0.05"],
                      ["impact", "simulate", "BP5", "--steps", "40"], ["impact", "simulate", "BP5", "--steps", "40", "--double"]):
            command(*words, "-o", "there.json")
            run(sys.executable, "-m", "tinycontact", *words, "-o", "here.json", PYTHONPATH=str(ROOT / "tools"))
            self.assertEqual(path("there.json").read_text(), path("here.json").read_text(), words)

    def test_commands_work_in_an_empty_folder(self):
        """What a person without a checkout may ask of the package, one after the other in one process."""
        folder = path("user")
        folder.mkdir()
        for name, text in GIVEN.items():
            (folder / name).write_text(text)
        for source in (ROOT / "tests/models/rectangle.tcm", ROOT / "tests/models/shapes/rectangle.json",
                       PACKAGE / "data/demo_leg.json", PACKAGE / "data/demo_log.csv.gz"):
            (folder / source.name).write_bytes(source.read_bytes())
        said = run(PYTHON, "-c", SEVERAL, "user", *COMMANDS)
        self.assertEqual(re.findall(r"^status (\d+): (.*)$", said, re.M), [("0", words) for words in COMMANDS], said)
        self.assertEqual(sorted(name for name in WRITTEN if not (folder / name).stat().st_size), [])

    def test_commands_that_need_the_sources_say_so(self):
        for words in (["board", "list"], ["library", "call", "tanh", "1", "--board", "mps2-an386"],
                      ["impact", "hil", "-o", "out"], ["shape", "touch", "-o", "out"],
                      ["library", "call", "tanh", "1", "--backend", "cmsis-dsp"]):
            said = command(*words, status=2)
            self.assertEqual(len(said.splitlines()), 1, said)
            self.assertIn("clone the repository and set TINYCONTACT_ROOT to its folder", said)

    def test_what_is_missing_is_named_with_its_extra(self):
        self.assertIn("pip install 'tinycontact[hil]'", command("leg", "hil", "run", "--plant", "hopper", "-o", "x", status=2))
        self.assertIn("pip install 'tinycontact[train]'", command("leg", "hil", "train", "--out", "m.tcm", status=2))

    def test_pytest_finds_the_fixtures(self):
        """A firmware of a user's own, here a process, is under test without a checkout, and --board is an option."""
        run(sys.executable, "-m", "pip", "--python", PYTHON, "install", "-q", "pytest")
        firmware = ["env", f"PYTHONPATH={ROOT / 'tools'}:{ROOT / 'tests/python'}", sys.executable, "-c",
                    "import hil_stub; hil_stub.Stub(0, 1).run()"]
        path("test_mine.py").write_text(f"""
from tinycontact.hil.choices import hil

@hil(command={firmware!r})
def test_it_is_there(board):
    assert board.link.process.poll() is None
""")
        self.assertIn("1 passed", run(PYTHON, "-m", "pytest", "-q", "test_mine.py"))
        path("test_other.py").write_text("def test_it(board): pass\n")
        said = run(PYTHON, "-m", "pytest", "-q", "--board", "mps2-an386", "test_other.py", status=1)
        self.assertIn("the firmware for mps2-an386 needs tinycontact's sources", said)

    def test_a_named_checkout_is_taken(self):
        said = run(PYTHON, "-c", "import tinycontact as tc; print(tc.Library().path)", TINYCONTACT_ROOT=str(ROOT))
        self.assertTrue(Path(said.splitlines()[-1]).is_relative_to(ROOT), said)


class Demo(unittest.TestCase):
    """`tinycontact demo`, as whoever has just installed the package."""

    def test_picture_in_time(self):
        said, seconds = timed(PYTHON.with_name("tinycontact"), "demo")
        print(f"\npip install: {INSTALLED:.1f} s, demo: {seconds:.1f} s of computing, caches warm")
        self.assertEqual(path("tinycontact-demo.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        self.assertIn("tinycontact-demo.png: the picture", said)
        self.assertLessEqual(INSTALLED + seconds, MOST_SECONDS)
        self.assertGreater(float(re.search(r"^ticks right.* ([\d.]+) % +[\d.]+ %$", said, re.M).group(1)), 99)

    def test_own_log_and_leg(self):
        """The package's log as a user's: the same terminal, the same picture but for the file's name."""
        log, leg = PACKAGE / "data" / "demo_log.csv.gz", PACKAGE / "data" / "demo_leg.json"
        path("my.csv.gz").write_bytes(log.read_bytes())
        path("my.json").write_bytes(leg.read_bytes())
        said = command("demo", "--csv", "my.csv.gz", "--chain", "my.json", "-o", "my.png")
        self.assertEqual(said.split("\nmy.png:")[0], command("demo", "-o", "x.png").split("\nx.png:")[0].replace("demo_log", "my"))
        self.assertTrue(path("my.png").is_file())

    def test_c_compiles(self):
        """What --c writes is C for the library's headers, for the log's 500 Hz."""
        said = command("demo", "-o", "c.png", "--c", "firmware")
        self.assertIn("firmware: leg.h, leg.c, sample.h, sample.c, main.c", said)
        run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *(f"-I{ROOT / word[2:]}" for word in INCLUDES),
            "firmware/leg.c", "firmware/main.c", "firmware/sample.c")
        self.assertRegex(path("firmware/leg.c").read_text(), r"0\.002|0x1\.0624\w*p-9|2e-0?3")

    def test_what_is_forgotten_is_named(self):
        for words, told in ((["--csv", "log.csv"], "Add --chain LEG.json"), (["--chain", "leg.json"], "add --csv LOG.csv"),
                            (["--csv", "none.csv", "--chain", "none.json"], "none.json: No such file"),
                            (["-o", "nowhere/p.png"], "nowhere")):
            said = command("demo", *words, status=2)
            self.assertIn(told, said)
            self.assertEqual(len(said.splitlines()), 1, said)


if __name__ == "__main__":
    unittest.main()
