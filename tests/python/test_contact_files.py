# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Files that people bring: CSV with named columns, JSON lists. Whatever is wrong with one is told with file, line
and column, or entry and field; what is right is read to the last digit; nothing is half written."""
import os
import threading
import unittest
from unittest import mock

import numpy as np

from tinycontact_case import Temporary
from tinycontact import csvfile, jsonfile, model
from tinycontact.errors import TinycontactError

LOG = ("throw", "t", "x", "y", "theta")


class Files(Temporary):
    def write(self, text, name="in.csv"):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return name

    def told(self, words, function, *arguments, **options):
        with self.assertRaises(TinycontactError) as caught:
            function(*arguments, **options)
        message = str(caught.exception)
        self.assertNotIn("\n", message)
        for word in words:
            self.assertIn(word, message)


class Csv(Files):
    def test_any_order_and_further_columns(self):
        """Columns by name, not by place; a column of words that nobody asked for does no harm; CR LF and BOM."""
        table = csvfile.read_columns(self.write(
            b"\xef\xbb\xbf# logged by hand\r\n\r\nnote, y ,x\r\nhop,2e-3,-0.1\r\n,4,1e300\r\n"), ("x", "y"), ("z",))
        self.assertEqual((table.names, len(table), "z" in table), (("x", "y"), 2, False))
        np.testing.assert_array_equal(table.stacked(("x", "y")), [[-0.1, 2e-3], [1e300, 4]])
        self.assertEqual(table.where(1, "y"), "in.csv, line 5, column y")

    def test_digits_survive(self):
        rng = np.random.default_rng(4)
        values = rng.normal(size=(2, 200)) * 10.0**rng.integers(-30, 30, 200)
        csvfile.write_columns("out.csv", ("a", "class", "b"), [values[0], ["static"] * 200, values[1]])
        back = csvfile.read_columns("out.csv", ("b", "a"))
        np.testing.assert_array_equal(back["a"], values[0])
        np.testing.assert_array_equal(back["b"], values[1])

    def test_bad_cells(self):
        """Each fault by file, line and column; lines are those of an editor, comments and quotes included."""
        for text, words in (
                ("x,y\n1,2\n1,nan\n", ["in.csv, line 3, column y", "nan"]),
                ("x,y\n1,2\n1,inf\n", ["line 3, column y", "finite"]),
                ("x,y\n1,\n", ["line 2, column y", "empty"]),
                ("x,y\n1,2 m\n", ["line 2, column y", "'2 m'"]),
                ("# c\n\nx,y\n\n1,2\n1,2,3\n", ["line 6", "3 fields", "header has 2"]),
                ("x,y\n1,2\n1\n", ["line 3", "1 fields"]),
                ('x,y,"a\nb"\n1,2,c\n1,,c\n', ["line 4, column y"]),
                ('x,y\n1,"2\n', ["line 2"])):
            self.told(words, csvfile.read_columns, self.write(text), ("x", "y"))

    def test_bad_headers(self):
        for text, words in (("", ["is empty", "x, y"]), ("# only\n", ["is empty"]),
                            ("x,z\n1,2\n", ["line 1", "no column y", "x, z"]), ("x;y\n1;2\n", ["commas"]),
                            ("x,y,x\n1,2,3\n", ["two columns", "'x'"]), ("1,2\n3,4\n", ["no column x, y"])):
            self.told(words, csvfile.read_columns, self.write(text), ("x", "y"))
        self.told(["byte 4", "UTF-8"], csvfile.read_columns, self.write(b"x,y\n\xff\n"), ("x", "y"))
        self.told(["nowhere.csv"], csvfile.read_columns, "nowhere.csv", ("x",))
        self.assertEqual(len(csvfile.read_columns(self.write("x,y\n"), ("x", "y"))), 0)

    def test_words(self):
        words = {"patch": {"point": 0.0, "edge": 1.0, "": np.nan}}
        table = csvfile.read_columns(self.write("x,patch\n1,edge\n2,\n3,point\n"), ("x",), ("patch",), words)
        np.testing.assert_array_equal(table["patch"], [1, np.nan, 0])
        self.told(["line 2, column patch", "'face'", "point, edge"], csvfile.read_columns,
                  self.write("x,patch\n1,face\n"), ("x",), ("patch",), words)


class Time(Files):
    def log(self, rows):
        return csvfile.read_columns(self.write("throw,t,x,y,theta\n" + "".join(
            f"{throw},{t},0,0,0\n" for throw, t in rows)), LOG)

    def groups(self, rows):
        return [group.tolist() for group in csvfile.groups_in_time(self.log(rows), "throw", "t")]

    def test_groups(self):
        self.assertEqual(self.groups([(1, 0), (1, .002), (7, 5), (7, 5.01), (7, 5.02), (3, 0)]),
                         [[0, 1], [2, 3, 4], [5]])
        self.assertEqual(self.groups([]), [])

    def test_unsorted(self):
        for rows, words in (
                ([(1, 0), (1, .002), (1, .001)], ["in.csv, line 4, column t", "0.001 s is not after 0.002 s"]),
                ([(1, 0), (1, 0)], ["line 3, column t"]),
                ([(1, 0), (2, 0), (1, 1)], ["line 4, column throw", "sort the file"]),
                ([(1, 0), (1, .002), (1, .004), (1, .008), (1, .01)], ["line 5, column t", "gap of 0.004 s"])):
            with self.assertRaises(TinycontactError) as caught:
                self.groups(rows)
            for word in words:
                self.assertIn(word, str(caught.exception))

    def test_jitter_is_no_gap(self):
        rng = np.random.default_rng(1)
        t = np.cumsum(0.002 * rng.uniform(0.8, 1.2, 300))
        self.assertEqual(len(self.groups([(1, value) for value in t])), 1)


class Json(Files):
    def test_records(self):
        rows = jsonfile.read_records(self.write('[{"b": 2, "a": 1, "name": "x"}, {"a": 0.1, "b": -3e2}]'), ("a", "b"),
                                     "pairs")
        np.testing.assert_array_equal(rows, [[1, 2], [0.1, -300]])
        self.assertEqual(jsonfile.read_records(self.write("[]"), ("a", "b"), "pairs").shape, (0, 2))

    def test_faults(self):
        for text, words in (
                ('{"a": 1}', ["in.csv", "list of pairs"]), ("[1]", ["entry 0", "no object"]),
                ('[{"a": 1, "b": 2}, {"a": 1}]', ["entry 1", "no field b"]),
                ('[{"a": 1, "b": "2"}]', ["entry 0, field b", '"2"']),
                ('[{"a": true, "b": 2}]', ["entry 0, field a"]), ('[{"a": null, "b": 2}]', ["field a"]),
                ('[{"a": NaN, "b": 2}]', ["NaN"]), ('[{"a": 1e999, "b": 2}]', ["entry 0, field a", "large"]),
                ('[{"a": 1' + 400 * "0" + ', "b": 2}]', ["entry 0, field a", "large"]),
                ('[{"a": 1,\n "b" 2}]', ["line 2, column 6"]), ("", ["line 1"]), (100000 * "[", ["in.csv"]),
                (b"\xff", ["UTF-8"])):
            self.told(words, jsonfile.read_records, self.write(text), ("a", "b"), "pairs")

    def test_written_whole(self):
        """A failure while writing leaves the file that was there and nothing beside it."""
        jsonfile.write_json("out.json", [{"a": 0.1}, {"a": None}])
        self.assertEqual(jsonfile.read_json("out.json"), [{"a": 0.1}, {"a": None}])
        before = (self.folder / "out.json").read_bytes()
        with mock.patch.object(model.os, "replace", side_effect=OSError(28, "No space left on device")):
            self.told(["out.json", "No space left"], jsonfile.write_json, "out.json", {"a": 2})
        self.assertEqual(before, (self.folder / "out.json").read_bytes())
        self.assertEqual(["out.json"], [p.name for p in self.folder.iterdir()])
        with self.assertRaises(ValueError):
            jsonfile.write_json("out.json", [float("nan")])
        self.assertEqual(before, (self.folder / "out.json").read_bytes())

    def test_what_is_no_file_is_not_replaced(self):
        """A pipe such as /dev/stdout stays one and gets the bytes; a link stays a link."""
        os.mkfifo("pipe")
        reader = threading.Thread(target=lambda: got.append((self.folder / "pipe").read_bytes()))
        got = []
        reader.start()
        model.write_whole("pipe", b"seven")
        reader.join(10)
        self.assertEqual(got, [b"seven"])
        self.assertTrue((self.folder / "pipe").is_fifo())
        self.write("old", "file.txt")
        os.symlink("file.txt", "link.txt")
        model.write_whole("link.txt", b"new")
        self.assertTrue((self.folder / "link.txt").is_symlink())
        self.assertEqual((self.folder / "file.txt").read_bytes(), b"new")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["file.txt", "link.txt", "pipe"])
        with self.assertRaisesRegex(TinycontactError, "cannot be written"):
            model.write_whole(".", b"")


if __name__ == "__main__":
    unittest.main()
