# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Schemas of the files that users write: in step with their readers, on examples and on thousands of changed ones."""
import copy
import json
import re
import tempfile
import unittest
from pathlib import Path

from tinycontact_case import ROOT, Temporary

from tinycontact import schema_cli
from tinycontact.errors import TinycontactError
from tinycontact.hil.chain_file import parse_chain
from tinycontact.hil.configuration import parse as parse_config
from tinycontact.impact import scene as mechanism
from tinycontact.plan import scenefile as planscene, taskfile
from tinycontact.robots.description import parse_robot
from tinycontact.scene.scenefile import Scene
from tinycontact.shape import shapefile
from tinycontact.sim import shapes

try:
    import jsonschema
except ImportError:
    jsonschema = None

CHAIN = {"name": "hopper", "root": "floating", "g": 9.81, "base": {"mass": 3.0, "inertia": 0.04},
         "links": [{"joint": "revolute", "axis": [0, -1, 0], "origin": [0, 0, 0], "mass": 0.8, "com": [0, 0, -0.12], "inertia": 0.004,
                    "rotor_inertia": 0.006, "damping": 0.1, "range": [-1, 1]},
                   {"joint": "prismatic", "axis": [0, 0, 1], "origin": [0, 0, -0.25], "mass": 0.3, "com": [0, 0, -0.11],
                    "inertia": [0.001, 0.0013, 0.001]}],
         "foot": {"shape": "sphere", "radius": 0.02, "center": [0, 0, -0.22]}}
CONFIG = {"rate": 500, "sensors": {"encoder": {"bits": 14, "gear": 2, "noise": 0.5},
                                   "torque": [{"source": "current", "constant": 0.07, "gear": 9, "noise": 0.1, "range": 30, "tolerance": 5},
                                              {"source": "strain", "sensitivity": 0.01, "friction": 0.2}],
                                   "gyro": {"density": 0.005, "range": 2000}, "accel": {"density": 70, "range": 16},
                                   "base_velocity": {"noise": 0.02}},
          "settings": {"force": 150.0, "torque_noise": [0.1, 0.2], "frozen": 9}, "notes": ["of Tuesday"]}
LIMB = {"name": "FL", "home": [0.3, -0.1], "foot": {"shape": "sphere", "radius": 0.02, "center": [0, 0, -0.2]},
        "links": [{"joint": "revolute", "axis": [1, 0, 0], "origin": [0.2, 0.1, 0], "mass": 0.6, "com": [0, 0.02, 0],
                   "inertia": [0.001, 0.0013, 0.001, 0, 0.0001, 0], "rotor_inertia": 0.006, "damping": 0.1, "friction": 0.1, "range": [-1, 1]},
                  {"joint": "prismatic", "axis": [0, 0, 1], "origin": [0, 0, -0.2], "mass": 0.3, "com": [0, 0, -0.1],
                   "inertia": [0.001, 0.0013, 0.001]}]}
ROBOT = {"name": "two", "root": "floating", "g": 9.81, "notes": ["of Tuesday"],
         "base": {"mass": 5.2, "com": [0, 0, 0], "inertia": [0.02, 0.06, 0.07, 0, 0, 0.001],
                  "imu": {"position": [0.01, 0, 0], "rpy": [0, 0, 1.57]}},
         "limbs": [LIMB, {**LIMB, "name": "FR", "home": [0.0, 0.0]}]}
UNION = {"kind": "union", "offsets": [[0, 0, 0], [0, 0, 0.1]],
         "parts": [{"kind": "box", "h": [0.1, 0.1, 0.02], "r": 0.005}, {"kind": "cylinder", "r": 0.05, "half": 0.1, "rounding": 0.01}]}
SHAPES = [UNION, {"kind": "sphere", "r": 0.03}, {"kind": "capsule", "r": 0.02, "half": 0.1}, {"kind": "halfspace"},
          {"kind": "terrain", "heights": [[0.0, 0.1, 0.0]] * 3, "spacing": 0.05, "origin": [0, 0], "smooth": True}]
SCENE = {"name": "push", "gravity": [0, 0, -9.81], "restitution": 0.5, "friction": 0.3,
         "bodies": [{"name": "floor", "shape": {"kind": "halfspace"}, "moving": False},
                    {"name": "ball", "shape": {"kind": "sphere", "r": 0.05}, "mass": 0.2, "position": [0, 0, 0.3], "velocity": [1, 0, 0],
                     "angular_velocity": [0, 1, 0], "quat_wxyz": [1, 0, 0, 0], "inertia": [1e-4, 1e-4, 1e-4], "force": [0, 1, 0],
                     "torque": [0, 0, 0.1], "until": 0.5}],
         "materials": [{"between": ["floor", "ball"], "friction": 0.4, "restitution": 0.6}]}
AT = [{"body": "ball", "at": [0, 0, 0.1]}, {"world": [0, 0, 0.4]}, {"body": "ball"}]
TIED = {"bodies": [SCENE["bodies"][0], {"name": "ball", "shape": {"kind": "sphere", "r": 0.05}, "mass": 0.2, "position": [0, 0, 0.3]}],
        "joints": [{"kind": "hinge", "a": AT[1], "b": AT[0], "axis": [0, 1, 0], "touch": False},
                   {"kind": "rod", "a": AT[2], "b": {"body": "floor"}, "length": 0.3, "touch": True}],
        "limits": [{"kind": "distance", "a": AT[0], "b": {"world": [0, 0, 0]}, "low": 0.1, "high": 0.5},
                   {"kind": "bend", "a": AT[2], "b": AT[0], "c": {"world": [0, 0, 1]}, "high": 2.0}],
        "springs": [{"a": AT[0], "b": {"world": [0, 1, 0]}, "stiffness": 5.0, "length": 0.1}]}
BODY = {"vertices": [[-0.1, -0.06], [0.1, -0.06], [0.1, 0.06], [-0.1, 0.06]], "mass": 1.0, "inertia": 0.0045, "mu": 0.7, "h": 0.002,
        "g": 9.81, "restitution": 0.1, "radius": 0.0}
MECHANISM = {"name": "box", "dimension": 2, "gravity": [0, -9.81], "law": "coulomb", "h": 0.01, "steps": 50, "impacts": 10,
             "bodies": [{"name": "box", "kind": "body", "mass": 1.0, "inertia": 0.01, "shape": {"vertices": [[-0.1, -0.1], [0.1, -0.1]],
                                                                                             "radius": 0.01}},
                        {"name": "arm", "kind": "chain", "links": [{"joint": "revolute", "mass": 1.0, "inertia": 0.1, "anchor": [0, 0],
                                                                    "arm": [0.1, 0], "shape": {"radius": 0.05}}]}],
             "planes": [{"name": "floor", "normal": [0, 1], "offset": 0.0}], "materials": {"ice": {"mu": 0.1, "e": 0.2}},
             "contacts": [{"a": "box", "b": "floor", "mu": 0.5, "e": 0.3}, {"a": "arm", "b": "floor", "material": "ice"}],
             "joints": [{"kind": "rod", "a": {"body": "box", "at": [0, 0]}, "b": {"world": [0, 1]}, "length": 1.0}],
             "limits": [{"kind": "coordinate", "body": "arm", "coordinate": 0, "low": -1, "high": 1}],
             "springs": [{"a": {"body": "box"}, "b": {"world": [0, 1]}, "stiffness": 5.0, "length": 0.1}], "start": {}}
PLAN = {"name": "reach", "dimension": 2, "gravity": [0, 0], "h": 0.04, "steps": 20, "mu": 1e-6, "friction": 0.2,
        "barrier": {"A": 12, "kappa": 100, "length": 0.1}, "slow": 0.001, "iterations": 60, "trials": 40, "tolerance": 1e-6,
        "bodies": [{"name": "box", "pieces": [{"kind": "box", "h": [0.1, 0.1], "r": 0.01, "at": [0, 0]}], "mass": 1.0, "inertia": 0.01,
                    "drag": 1.0, "drag_radius": 0.08, "position": [0, 0], "angle": 0.1, "velocity": [0, 0], "angular_velocity": 0.0,
                    "locked": ["angle"]},
                   {"name": "arm", "pieces": [{"kind": "capsule", "half": 0.1, "r": 0.02}, {"kind": "sphere", "r": 0.03, "at": [0.1, 0]},
                                              {"kind": "points", "points": [[0, 0], [0.1, 0]], "r": 0.01}], "mass": 0.2,
                    "inertia": 0.001, "joint": "hinge", "parent": "world", "anchor_at": [0.5, 0.5], "anchor": [-0.1, 0], "rest": 0.2,
                    "angle": 0.3, "rate": 0.0, "drive": "servo", "driven": ["angle"], "stiffness": [0, 5], "damping": [0, 0.1]}],
        "floors": [{"name": "wall", "normal": [1, 0], "offset": -1.0, "friction": 0.1}],
        "pairs": [{"between": ["box", "arm"], "friction": 0.3}], "control": {"arm": [0.3]}}
TASK = {"name": "reach", "scene": {"dimension": 2, "bodies": PLAN["bodies"]}, "goals": [{"body": "box", "target": [0.5, 0], "tolerance": 0.05, "end": 1, "knot": 0.1},
                                                  {"body": "arm", "target": [0.5], "coordinates": ["angle"]}],
        "bounds": [{"body": "box", "coordinate": "x", "low": -1, "high": 1, "weight": 2}], "effort": 0.0, "method": "knots",
        "controls": {"arm": {"low": [-1], "high": [1], "scale": [1], "rest": [0.3]}}, "horizon": 20, "iterations": 5, "step": 0.01,
        "beta1": 0.3, "beta2": 0.5, "damping": 1.0, "frames": 3, "execute": {"mu": 1e-6, "barrier": {"kappa": 1}}}
SYSTEM = {"name": "ball", "potential": "gravity", "contact": "floor", "m": [1.0], "e": 0.8, "h": 0.02, "g": 9.81, "l": 1.0, "C": [0.1],
          "proj": "mean", "Q0": [10], "V0": [0], "steps": 500, "rest_speed": 0.01, "order": "simultaneous"}
PENDULA = {"potential": "pendulum", "contact": "row", "m": [1.0, 2.0, 1.0], "e": 1.0, "h": 0.02, "g": 9.81, "l": 0.5, "C": 0.1,
           "Q0": [0.3, 0, 0], "V0": [0, 0, 0], "steps": 5}
LCP = {"name": "two feet", "M": [[2, 1], [1, 2]], "q": [-5, -6]}
CONTACT = {"name": 3, "dim": 2, "n": 1, "G": [[1, 0], [0, 1]], "w0": [-1, 0.2], "mu": [0.5], "compliance": [0.1], "floor": None}
SETS = {"name": "square", "A": [[0, 0], [1, 0], [1, 1]], "B": [[3, 0.5]], "radius_A": 0.1, "radius_B": 0.5, "centre_A": [0.5, 0.5],
        "centre_B": None}
TURN = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
PAIR = {"name": "near", "a": SHAPES[1], "b": SHAPES[2], "Ra": TURN, "xa": [0, 0, 0], "Rb": TURN, "xb": [0, 0, 0.3]}
FALL = {"name": "fall", "shape": SHAPES[1], "ground": SHAPES[3], "quat_wxyz": [1, 0, 0, 0], "x": [0, 0, 0.1], "v": [0, 0, -3],
        "w": [0, 1, 0], "g": 9.81, "step": 0.1}
SEEN = {"name": "ball", "scene": "scene.json", "observations": [{"t": 0.1, "body": "ball", "x": 0.1, "qw": 1, "qx": 0, "qy": 0, "qz": 0},
                                                                {"t": 0.2, "body": "ball", "x": None, "vz": -1.0}],
        "parameters": ["ball.shape.r"], "starts": 3, "bounds": {"ball.shape.r": [0.01, 0.1]}}
SOLID = {"name": "cube", "vertices": [[x, y, z] for x in (-0.05, 0.05) for y in (-0.05, 0.05) for z in (-0.05, 0.05)], "mass": 0.37}


def by_command(kind):
    """The reader that `file check` has for a kind, of a value."""
    def read(value):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "scene.json").write_text(json.dumps(SCENE))
            Path(folder, "file.json").write_text(json.dumps(value))
            schema_cli.readers()[kind](str(Path(folder, "file.json")))
    return read


LISTS = [("system", [SYSTEM, PENDULA]), ("system", SYSTEM), ("lcp", [LCP]), ("contacts", CONTACT), ("contacts", [{**CONTACT, "floor": [0.1]}]),
         ("contacts", [{**CONTACT, "e": [0.5], "w_star": [0.0, 0.1]}]), ("sets", [SETS]), ("sets", SETS), ("pairs", [PAIR]), ("cases", [FALL]),
         ("problems", [SEEN]), ("solid", SOLID), ("solid", {"shape": {"vertices": SOLID["vertices"]}, "mass": {"value": 0.37}})]
CASES = [("chain", CHAIN, lambda value: parse_chain(value, "leg.json")), ("config", CONFIG, lambda value: parse_config(value, "c.json")),
         ("robot", ROBOT, lambda value: parse_robot(value, "r.json")),
         *[("shape", one, shapefile.from_dict) for one in SHAPES],
         ("scene", SCENE, Scene), ("scene", TIED, Scene), ("body", BODY, shapes.body), ("mechanism", MECHANISM, lambda value: mechanism.from_dict(value, "box")),
         ("plan", PLAN, lambda value: planscene.from_dict(value, "plan")),
         ("task", TASK, lambda value: taskfile.from_dict(value, "task")),
         *[(kind, value, by_command(kind)) for kind, value in LISTS]]
MISSED = {"lcp": 0.15, "contacts": 0.15, "problems": 0.1}   # shares: they are mostly lists of one another's lengths
# Changes whose refusal is a matter of form, which a schema has to know as well.
JUNK = ("word", None, True, [], {}, [1, "two"])


def places(value, at=()):
    """Paths to every object, list and number in a value."""
    yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in items:
        yield from places(entry, (*at, key))


def changed(value, at, what):
    """A copy with another entry at a path; what None: without it."""
    made = copy.deepcopy(value)
    holder = made
    for key in at[:-1]:
        holder = holder[key]
    if what == "without":
        del holder[at[-1]]
    else:
        holder[at[-1]] = what
    return made


def changes(value):
    """Every entry left out, each object with an unknown field, every entry replaced by junk."""
    for at in places(value):
        if at:
            yield at, "without", changed(value, at, "without")
            for junk in JUNK:
                yield at, junk, changed(value, at, junk)
        holder = value
        for key in at:
            holder = holder[key]
        if isinstance(holder, dict):
            yield at, "unknown", changed(value, (*at, "colour"), 1)


def reads(reader, value):
    try:
        reader(copy.deepcopy(value))
        return True
    except TinycontactError:
        return False


@unittest.skipUnless(jsonschema, "jsonschema is not installed: make setup GROUPS=sim")
class InStep(unittest.TestCase):
    """Catches: a field that a reader takes and the schema refuses, or the other way round."""

    def test_schemas_are_schemas(self):
        for name in schema_cli.names():
            jsonschema.Draft202012Validator.check_schema(schema_cli.schema(name))

    def test_examples(self):
        for name, value, reader in CASES:
            self.assertTrue(reads(reader, value), name)
            jsonschema.validate(value, schema_cli.schema(name))

    def test_a_schema_refuses_nothing_that_is_read(self):
        for name, value, reader in CASES:
            validator = jsonschema.Draft202012Validator(schema_cli.schema(name))
            for at, what, other in changes(value):
                if reads(reader, other):
                    fault = next(validator.iter_errors(other), None)
                    self.assertIsNone(fault, f"{name}, {at} {what!r} is read, but the schema says {fault and fault.message}")

    def test_a_schema_knows_most_of_what_is_refused(self):
        """Of left-out fields, unknown ones and junk: what remains are relations between fields."""
        for name, value, reader in CASES:
            validator = jsonschema.Draft202012Validator(schema_cli.schema(name))
            refused = [(at, what, other) for at, what, other in changes(value) if not reads(reader, other)]
            missed = [(at, what) for at, what, other in refused if validator.is_valid(other)]
            self.assertLessEqual(len(missed), MISSED.get(name, 0.06) * len(refused), f"{name}: {missed[:12]}")

    def test_pages(self):
        """The JSON files of the documentation that look like one of these kinds."""
        seen = 0
        for page in sorted(ROOT.glob("docs/*/*.md")):
            for text in re.findall(r"<!-- file: [^\n]*\.json -->\n```json\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
                value = json.loads(text)
                kind = schema_cli.kind_of(value)
                if kind in schema_cli.names():
                    seen += 1
                    with self.subTest(page=page.name, kind=kind):
                        jsonschema.validate(value, schema_cli.schema(kind))
        self.assertGreater(seen, 4)

    def test_committed_files(self):
        for pattern, kind in (("tests/hil/chains/*.json", "chain"), ("tests/models/shapes/*.json", "body")):
            for path in sorted(ROOT.glob(pattern)):
                value = json.loads(path.read_text(encoding="utf-8"))
                if kind != "body" or len(value["vertices"][0]) == 2:   # else a body in space
                    with self.subTest(path.name):
                        jsonschema.validate(value, schema_cli.schema(kind))


class Command(Temporary):
    def test_schema(self):
        out, _ = self.command("file schema")
        self.assertEqual(schema_cli.names(), [line.split()[0] for line in out.splitlines()])
        self.command("file schema", "chain", "-o", "leg.schema.json")
        self.assertEqual(schema_cli.schema("chain"), json.loads((self.folder / "leg.schema.json").read_text()))
        _, told = self.command("file schema", "chian", status=2)
        self.assertIn("chain", told)

    def test_check(self):
        (self.folder / "scene.json").write_text(json.dumps(SCENE))
        for k, (name, value, _) in enumerate(CASES):
            path = f"{k}.json"
            (self.folder / path).write_text(json.dumps({"$schema": "x.json", **value} if isinstance(value, dict) else value))
            out, _ = self.command("file check", path)
            self.assertIn(f"is a {name}", out)
        (self.folder / "bad.json").write_text(json.dumps(changed(CHAIN, ("links", 1, "mass"), -1)))
        _, told = self.command("file check", "bad.json", status=2)
        self.assertIn("bad.json, link 1, field mass", told)
        (self.folder / "bad.json").write_text(json.dumps({"links": CHAIN["links"], "root": "fixed", "g": 9.81}))
        _, told = self.command("file check", "bad.json", status=2)
        self.assertIn("no field foot", told)
        (self.folder / "other.json").write_text("[3]")
        _, told = self.command("file check", "other.json", status=2)
        self.assertIn("--as", told)

    def test_files_that_are_no_json(self):
        """What a file is instead is said, with the command that reads it."""
        for text, words in (("<?xml version='1.0'?>\n<robot name='a'/>", "a URDF; `tinycontact leg import`"),
                            ("<mujoco/>", "an MJCF"), ("\n", "line 2, column 1"), ("t,q1\n0,1\n", "looks like a CSV"),
                            ("t\tq1\n0\t1\n", "looks like a CSV"), ('{"a": 1,\n b}', "line 2, column 2")):
            (self.folder / "file").write_text(text)
            for words_of in (("file check", "file"), ("leg check", "file")):
                _, told = self.command(*words_of, status=2)
                self.assertIn(words, told)


if __name__ == "__main__":
    unittest.main()
