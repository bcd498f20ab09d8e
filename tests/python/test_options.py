# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Numbers and files on the command line: what is refused, in whose words, and how soon."""
import unittest

from tinycontact_case import Temporary


class Options(Temporary):
    def test_refused_before_anything_is_read(self):
        train = ["body train", "--shape", "gone.json", "--out", "m.tcm"]
        judge = ["body evaluate", "--model", "gone.tcm", "--shape", "gone.json"]
        for words, told in (([*train, "--samples", "many"], "--samples: 'many' is no whole number"),
                            ([*train, "--samples", "0"], "--samples: 0 is less than 1"),
                            ([*train, "--updates", "1.5"], "--updates: '1.5' is no whole number"),
                            ([*train, "--seed", "-1"], "--seed: -1 is less than 0"),
                            ([*judge, "--throws", "-3"], "--throws: -3 is less than 0"),
                            (["leg swing --dimension 2", "--runs", "0"], "--runs: 0 is less than 1"),
                            (["leg hil evaluate", "--scale", "0"], "--scale: '0' is no number above 0, up to 100"),
                            (["leg hil evaluate-scales", "--scale", "nan"], "--scale: 'nan' is no number above 0, up to 100"),
                            (["impact train", "gone", "-o", "m.json", "--noise", "2"], "--noise: 2 is not between 0 and 1"),
                            (["impact identify", "gone", "--log", "gone.csv", "-o", "o.json", "--noise", "loud"],
                             "--noise: 'loud' is no number"),
                            (["leg hil run", "--plant", "leg", "-o", "out", "--seconds", "0"],
                             "--seconds: 0 is not between 0.001 and 100000"),
                            (["impact hil", "-o", "out", "--mu", "11"], "--mu: 11 is not between 0 and 10"),
                            (["body throw", "--body", "gone.json", "--position", "0,0,1", "--span", "0"],
                             "--span: '0' is no time above 0, up to 100"),
                            (["body evaluate", "--model", "gone.tcm", "--shape", "box", "--faces", "-1"],
                             "--faces: -1 is less than 0")):
            self.assertIn(told, self.command(*words, status=2)[1])

    def test_a_missing_folder_is_told_first(self):
        """Not after the hours that an evaluation takes: before even the model is read."""
        shape = ["--model", "gone.tcm", "--shape", "gone.json"]
        for words in (["body evaluate", *shape], ["body throw", *shape, "gone.json"], ["body figure", "fig5", *shape],
                      ["leg swing --dimension 2"], ["body train", "--shape", "gone.json"], ["lcp solve", "gone.json"]):
            self.refused(*words, "-o", "none/n.json", told=["none/n.json: cannot be written (there is no folder none)"])


if __name__ == "__main__":
    unittest.main()
