# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`tinycontact NOUN VERB`: lists, help, misspelled words, plane or space, every old spelling."""
import json
import re
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

from tinycontact_case import ROOT, Temporary, all_kinds

from tinycontact import __version__, cli, cli_page, dimension
from tinycontact.errors import TinycontactError
from tinycontact.grammar import NOUNS, OLD
from tinycontact.sim import spatial_truth

MODELS = ROOT / "tests" / "models"
PLANE_MODEL, SPACE_MODEL = str(MODELS / "rectangle.tcm"), str(MODELS / "box.tcm")
SQUARE = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]
BODY = ["--model", PLANE_MODEL, "--shape", "rectangle"]
# old spelling -> (new one, words after both, exit status): what scripts were written against. The
# words of a command that takes long are wrong, in a way that this command notices.
SPELLINGS = {
    "train": ("body train", ["--shape", "rectangle", "--out", "m.tcm", "--truth", "ice"], 2),
    "replay": ("body replay", [*BODY, "states.csv", "-o", "o.csv"], 0),
    "throw": ("body throw", [*BODY, "throws.json", "-o", "o.json"], 0),
    "evaluate": ("body evaluate", [*BODY, "--truth", "coulomb", "--throws", "1", "--states", "9",
                                   "-o", "o.json"], 0),
    "figure": ("body figure", ["fig5", "--model", "gone.tcm", "-o", "o.png"], 2),
    "box": ("body", [], 0),
    "box train": ("body train --shape box", ["--out", "m.tcm", "--size", "huge"], 2),
    "box evaluate": ("body evaluate --dimension 3", ["-m", PLANE_MODEL], 2),
    "box limb": ("leg swing --dimension 3", ["--truth", "none", "--runs", "1", "-o", "o.json"], 0),
    "chain": ("leg swing --dimension 2", ["--link", "link.json"], 0),
    "hil": ("leg hil run", ["--plant", "hopper", "--chain", "gone.json", "-o", "out"], 2),
    "leg hil": ("leg hil run", ["--plant", "hopper", "--chain", "gone.json", "-o", "out"], 2),
    "replay-log": ("leg hil replay", ["gone.bin"], 2),
    "hil-train": ("leg hil train", ["--episodes", "0", "--out", "m.tcm"], 2),
    "hil-evaluate": ("leg hil evaluate", ["--set", "keep=1"], 2),
    "hil-scales": ("leg hil evaluate-scales", ["--name", "40 kg"], 2),
    "hil-observer": ("leg hil tune", ["--episodes", "0"], 2),
    "lcp": ("lcp solve", ["problems.json", "-o", "o.json"], 0),
    "inspect": ("model inspect", ["kinds.tcm"], 0),
    "check": ("model check", ["kinds.tcm", "--no-library"], 0),
    "eval": ("model eval", ["kinds.tcm", "--net", "mode", "--input", "1,2,3,4", "--backend",
                            "reference", "-o", "o.csv"], 0),
    "export": ("model export", ["w.npz", "-o", "o.tcm", "--c", "o"], 0),
    "quantise": ("model quantise", ["kinds.tcm", "--net", "friction", "--data", "x.csv", "-o",
                                    "o.tcm"], 0),
    "strip": ("model strip", ["kinds.tcm", "-o", "o.tcm"], 0),
    "retile": ("model layout", ["kinds.tcm", "--core", "helium", "-o", "o.tcm"], 0),
    "run": ("library call", ["mat_mul", "1,2;3,4", "0,1;1,0", "-o", "o.csv"], 0),
    "version": ("library version", [], 0)}
# an old name behind its new noun
HALFWAY = {"model retile": "model layout", "leg chain": "leg swing --dimension 2",
           "leg limb": "leg swing --dimension 3", "leg hil replay-log": "leg hil replay",
           "leg hil hil-scales": "leg hil evaluate-scales", "library run": "library call"}


def verbs():
    """(noun, verb, whether it serves space as well), of all."""
    return [(noun, name, bool(verb.space)) for noun, entry in NOUNS.items()
            for name, verb in entry.verbs.items()]


SLOW = re.compile(r"^tinycontact: .*(?: \.\.\.| s so far| \d+/\d+)\n", re.M)   # what only a busy machine says


class Inputs(Temporary):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(1)
        all_kinds().save("kinds.tcm")
        np.savez("w.npz", W0=rng.normal(size=(2, 3)), b0=rng.normal(size=2))
        np.savetxt("x.csv", np.float32(rng.normal(size=(30, 3))), delimiter=",")
        Path("states.csv").write_text("y,theta,vx,vy,omega\n0.06,0,1,-1,2\n0.3,0.1,1,0,0\n")
        self.json("throws.json", [{"y0": 0.2, "theta0_deg": 10.0, "vx0": 0.5, "omega0": 1.0}])
        self.json("problems.json", [{"name": "one", "M": [[2, 1], [1, 2]], "q": [-5, -6]}])

    def json(self, name, value):
        Path(name).write_text(json.dumps(value))
        return name


class OldSpellings(Inputs):
    def outcome(self, spelling, words, status):
        """(standard output, standard error, {file: bytes}) of a command in the folder as it is."""
        before = {path.name for path in Path().iterdir()}
        out, err = self.command(spelling, *words, status=status)
        err = SLOW.sub("", err)
        new = [path for path in Path().iterdir() if path.name not in before]
        made = {path.name: path.read_bytes() for path in new if path.is_file()}
        for path in new:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        return out, err, made

    def test_the_table_has_every_one(self):
        self.assertEqual({" ".join(old): " ".join(new) for old, new in OLD.items()},
                         {old: new for old, (new, _, _) in SPELLINGS.items()})

    def test_each_does_what_its_new_one_does(self):
        """The same output, files and exit status, and one line more on standard error."""
        for old, (new, words, status) in SPELLINGS.items():
            with self.subTest(old):
                out, err, made = self.outcome(new, words, status)
                told = (f"tinycontact: `tinycontact {old}` is an old spelling; now it is"
                        f" `tinycontact {new}`\n")
                self.assertEqual(self.outcome(old, words, status), (out, told + err, made))
                self.assertEqual(bool(made), "-o" in words and status == 0 or "--link" in words)
                self.assertNotIn("old spelling", err)

    def test_an_old_name_behind_its_new_noun(self):
        for old, new in HALFWAY.items():
            out, err = self.command(old, "--help")
            self.assertEqual(out, self.command(new, "--help")[0])
            self.assertIn(f"`tinycontact {new}`", err)

    def test_a_noun_that_was_a_command(self):
        """`lcp FILE` and `lcp -o A FILE` are old; `lcp solve FILE`, `lcp`, `lcp --help` and a
        misspelled verb are not."""
        for words in (["problems.json"], ["-o", "a.json", "problems.json"], ["./problems.json"]):
            self.assertIn("now it is `tinycontact lcp solve`", self.command("lcp", *words)[1])
        for words in (["solve", "problems.json"], [], ["--help"]):
            self.assertEqual(self.command("lcp", *words)[1], "")
        err = self.command("lcp slove", "problems.json", status=2)[1]
        self.assertIn("did you mean `tinycontact lcp solve`?", err)


class Lists(Temporary):
    def test_nouns(self):
        out, err = self.command("--help")
        for noun, name, _ in verbs():
            self.assertIn(" ".join(noun), out)
            self.assertIn(name, out)
        self.assertEqual((err, self.command("-h")[0]), ("", out))
        self.assertEqual(self.command(status=2), ("", out))   # a script forgot the words

    def test_verbs_of_a_noun(self):
        for noun, entry in NOUNS.items():
            if "" in entry.verbs:   # is a command by itself
                continue
            out, err = self.command(" ".join(noun))
            self.assertEqual((err, self.command(" ".join(noun), "--help")[0]), ("", out))
            for name, verb in entry.verbs.items():
                self.assertRegex(out, rf"(?m)^  {name} +{verb.text}$")
        self.assertRegex(self.command("leg")[0], r"(?m)^  hil +hardware in the loop")

    def test_help_of_a_verb(self):
        for noun, name, space in verbs():
            words = " ".join((*noun, name)).rstrip()
            out = self.command(words, "--help")[0]
            self.assertTrue(out.startswith(f"usage: tinycontact {words} "), out[:80])
            self.assertEqual(space, f"tinycontact {words} --dimension 3 --help" in out)
            if space:
                other = self.command(words, "--dimension", "3", "--help")[0]
                self.assertNotEqual(out, other)
                self.assertIn(f"tinycontact {words} --dimension 2 --help", other)

    def test_version(self):
        self.assertEqual(self.command("--version"), (f"tinycontact {__version__}\n", ""))

    def test_boards(self):
        out = self.command("board list")[0]
        for folder in (ROOT / "boards").glob("*/board.mk"):
            self.assertIn(folder.parent.name, out)
        self.assertRegex(out, r"(?m)^mps3-an547 +cortex-m55 +Arm MPS3")


class Misspelled(Temporary):
    def test_nearest(self):
        """One line, exit status 2, and the command that was probably meant."""
        for words, meant in (("trian", "body train"), ("body trian", "body train"),
                             ("retlie", "model layout"), ("model retlie", "model layout"),
                             ("leg chian", "leg swing"), ("hil-trian", "leg hil train"),
                             ("bord", "board"), ("solve", "lcp solve"),
                             ("simulate", "cdl simulate"), ("leg train", "leg hil train"),
                             ("leg hil evalute", "leg hil evaluate"),
                             ("model simulate", "cdl simulate")):
            with self.subTest(words):
                out, err = self.command(words, "x.json", status=2)
                self.assertEqual((out, err.count("\n")), ("", 1))
                self.assertIn(f"{words.split()[-1]!r}; did you mean `tinycontact {meant}`?", err)

    def test_nothing_near(self):
        self.assertEqual(self.command("juggle", status=2)[1],
                         "tinycontact: no command 'juggle'; `tinycontact --help` lists them\n")
        self.assertEqual(self.command("leg hil juggle", status=2)[1],
                         "tinycontact leg hil: no verb 'juggle';"
                         " `tinycontact leg hil --help` lists them\n")


class PlaneOrSpace(Inputs):
    def box(self, **more):
        return self.json("box3.json", {"vertices": spatial_truth.vertices().tolist(), **more})

    def test_by_the_shape(self):
        flat = self.json("flat.json", {"vertices": SQUARE})
        for shape, right in ((flat, 2), (self.box(), 3), ("box", 3), ("capsule", 2)):
            self.assertEqual(dimension.of_body(["--out", "m.tcm", "--shape", shape]), right)
            self.assertEqual(dimension.of_body([f"--body={shape}", "--model", SPACE_MODEL]), right)
        self.assertEqual(dimension.of_body(["--dimension", "3", "--shape", flat]), 3)

    def test_by_the_model(self):
        for model, right in ((PLANE_MODEL, 2), (SPACE_MODEL, 3)):
            self.assertEqual(dimension.of_body(["--model", model]), right)
            self.assertEqual(dimension.of_swing(["--model", model, model, "--runs", "2"]), right)
        self.assertIn("--shape", self.command("body evaluate", "--model", PLANE_MODEL, status=2)[1])
        err = self.command("body evaluate", "--model", SPACE_MODEL, "--shape", self.box(mass=1.0),
                           "--faces", "-1", status=2)[1]
        self.assertIn("--faces: -1 is less than 0", err)   # an option that only space has

    def test_what_cannot_be_told(self):
        mixed = self.json("mixed.json", {"vertices": [*SQUARE[:3], [-0.1, 0.1, 0.0]]})
        self.refused("body train", "--shape", mixed, "-o", "m.tcm",
                     told=("mixed.json, vertices", "two", "three"))
        self.refused("leg swing", told=("--dimension 2", "--dimension 3"))
        self.refused("leg swing", "--model", PLANE_MODEL, SPACE_MODEL,
                     told=("plane", "space", "one kind"))
        self.refused("body evaluate", "--model", "kinds.tcm",
                     told=("kinds.tcm: is no contact model",))
        self.refused("leg swing", "--model", "gone.tcm", told=("gone.tcm: No such file",))

    def test_only_the_box_in_space(self):
        corners, other = spatial_truth.vertices(), "vertices: in space only the eight corners"
        for fields, told in (({"vertices": (2 * corners).tolist()}, other),
                             ({"vertices": corners[:7].tolist()}, other),
                             ({"vertices": [*corners.tolist(), [0.0, 0.0, 0.0]]}, other),
                             ({"mass": 2.0}, "mass: is 2; in space only 1 can"),
                             ({"mu": "high"}, "mu: is \"high\""),
                             ({"radius": 0.1}, "radius: unknown field")):
            shape = self.json("other.json", {"vertices": corners.tolist(), **fields})
            self.refused("body train", "--shape", shape, "-o", "m.tcm",
                         told=(f"other.json, {told}",))
        flat = self.json("flat.json", {"vertices": 8})
        self.refused("body train --dimension 3", "--shape", flat, "-o", "m.tcm",
                     told=("wanted a list of [x, y, z]",))

    def test_verbs_of_the_plane_say_so(self):
        for verb, words in (("throw", ["throws.json", "-o", "o.json"]),
                            ("replay", ["states.csv", "-o", "o.csv"])):
            self.refused(f"body {verb}", "--model", PLANE_MODEL, "--shape", self.box(), *words,
                         told=("[x, y] (a body in the plane)",))

    def test_a_pipe_is_left_alone(self):
        """It can be read once, and the verb has to."""
        os.mkfifo("pipe.json")
        self.assertEqual(dimension.of_shape("pipe.json"), 2)   # opened, it would wait for ever

    def test_a_file_that_cannot_be_read_is_the_planes(self):
        Path("bad.json").write_text("{")
        for shape in ("bad.json", "gone.json", "."):
            self.assertEqual(dimension.of_shape(shape), 2)
        with self.assertRaisesRegex(TinycontactError, "bad.tcm"):
            Path("bad.tcm").write_text("x")
            dimension.of_model("bad.tcm")


class Startup(Temporary):
    def python(self, code):
        """What a fresh interpreter does with `code`."""
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(ROOT / "tools")})

    def test_lists_import_little(self):
        """Neither a list nor a misspelled word waits for NumPy, whose import took longest."""
        for words in (["--help"], ["leg", "hil"], ["trian"]):
            modules = self.python(f"import sys; from tinycontact import cli; cli.main({words});"
                                  " print(*sorted(sys.modules), file=sys.stderr)").stderr.split()
            self.assertIn("tinycontact.grammar", modules)
            self.assertNotIn("numpy", modules)
            self.assertFalse([name for name in modules if name.startswith("tinycontact.cli_")])

    def test_names_of_the_package(self):
        """They are imported when they are used, and are what they were."""
        done = self.python("import tinycontact as tc; import tinycontact.quantisation;"
                           " assert callable(tc.quantise) and callable(tc.lcp.solve);"
                           " assert set(tc.__all__) <= set(dir(tc)); from tinycontact import *;"
                           " print(hasattr(tc, 'no_such_name'), tc.stream.__name__)")
        self.assertEqual(done.stdout, "False tinycontact.stream\n", done.stderr)


class Page(unittest.TestCase):
    def test_reference_is_current(self):
        """docs/reference/command-line.md follows from the parsers."""
        path = ROOT / "docs" / "reference" / "command-line.md"
        self.assertEqual(path.read_text(encoding="utf-8"), cli_page.page(),
                         f"make it again: python -m tinycontact.cli_page {path}")

    def test_help_is_narrow(self):
        """No line of a text that argparse leaves as it is exceeds 100 columns."""
        for noun, name, space in verbs():
            for where in (2, 3) if space else (2,):
                p = cli.parser(noun, name, where)
                for line in f"{p.description}\n{p.epilog or ''}".splitlines():
                    self.assertLessEqual(len(line), 100, line)


if __name__ == "__main__":
    unittest.main()
