# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Numbers that JSON may hold and a float may not, at every place of every file that is read: told, with the file and,
where the file has fields, the field; never a traceback."""
import json
import unittest
from pathlib import Path

from tinycontact_case import ROOT, Temporary, tc

from tinycontact import jsonfile, lcp, predict
from tinycontact.cdl import systems
from tinycontact.cdl.learn import data
from tinycontact.hil import chain_file
from tinycontact.sim import shapes

ODD = {"a float's limit passed": "1e999", "400 digits": "1" + "0" * 400, "5,000 digits": "9" * 5000,
       "negative": "-1" + "0" * 400, "not a number": "NaN"}
SHAPE = {"vertices": [[-0.1, -0.06], [0.1, -0.06], [0.1, 0.06], [-0.1, 0.06]], "mass": 1.0, "inertia": 0.0045333333, "mu": 0.5,
         "h": 0.002, "g": 9.81, "restitution": 0.0, "radius": 0.0}
THROWS = [{"y0": 0.5, "theta0_deg": 0.0, "vx0": 1.0, "omega0": 2.0}]
SYSTEM = {"m": [1.0, 2.0], "h": 0.01, "contact": "pair", "e": 1.0}
CHAINS = ROOT / "tests/hil/chains"


def numbers(value, path=()):
    """Paths of all numbers in a value that JSON can hold."""
    if isinstance(value, (dict, list)):
        keys = value.items() if isinstance(value, dict) else enumerate(value)
        return [found for key, inner in keys for found in numbers(inner, (*path, key))]
    return [path] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


def replaced(value, path, text):
    """JSON of the value with `text` in place of one number."""
    value = json.loads(json.dumps(value))
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = "@"
    return json.dumps(value).replace('"@"', text)


class EveryNumber(Temporary):
    def each(self, name, value, read, of_field=True):
        """`read` refuses the file with each of its numbers replaced in turn."""
        Path(name).write_text(json.dumps(value))
        read(name)
        for path in numbers(value):
            for what, text in ODD.items():
                with self.subTest(file=name, path=path, number=what):
                    Path(name).write_text(replaced(value, path, text))
                    with self.assertRaises(tc.TinycontactError) as caught:
                        read(name)
                    told, fields = str(caught.exception), [key for key in path if isinstance(key, str)]
                    self.assertIn(name, told)
                    self.assertLess(len(told), 300)
                    if of_field and what != "not a number" and fields:
                        self.assertIn(fields[-1], told)

    def test_shape(self):
        self.each("shape.json", SHAPE, shapes.load)
        self.each("shape.json", SHAPE, predict.load_shape)

    def test_throws(self):
        self.each("throws.json", THROWS, lambda name: jsonfile.read_records(name, predict.THROW, "throws"))

    def test_systems(self):
        self.each("systems.json", json.loads((ROOT / "tests/models/systems.json").read_text()), systems.load)
        self.each("system.json", SYSTEM, data.read_system)

    def test_chains(self):
        for name in ("hopper.json", "leg.json"):
            self.each(name, json.loads((CHAINS / name).read_text()), chain_file.load_chain)

    def test_problems(self):
        """Of these an entry is told, and the others are solved."""
        solver = lcp.Solver()
        for text in ODD.values():
            Path("problem.json").write_text(replaced({"M": [[2.0]], "q": [1.0]}, ("M", 0, 0), text))
            entry = jsonfile.read_json("problem.json", constants=True)
            self.assertEqual("bad_input", solver.solve(entry["M"], entry["q"]).status)

    def test_command(self):
        """What a user saw a traceback of."""
        Path("throws.json").write_text(json.dumps(THROWS))
        Path("shape.json").write_text(replaced(SHAPE, ("vertices", 0, 1), ODD["400 digits"]))
        words = ["body throw", "--model", str(ROOT / "tests/models/rectangle.tcm"), "--shape", "shape.json", "throws.json", "-o",
                 "rests.json"]
        said = self.command(*words, status=2)
        self.assertIn("shape.json, vertices[0], y: is inf, wanted a finite number", "".join(said))


if __name__ == "__main__":
    unittest.main()
