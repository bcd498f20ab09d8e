# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Reports: how well a contact model does, in tables and pictures.

measure.py   numbers: per-step scores and closed-loop agreement
plots.py     pictures of them (matplotlib)
page.py      a self-contained HTML page out of headings, tables and pictures
evaluation.py, figures.py   the report of `tinycontact body evaluate`, the pictures of `tinycontact body figure`
paper.json   the ten throws of the paper's Fig. 5 and Fig. 6 with the numbers printed there
"""
