# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Tests of firmware on an emulated board, to copy and change. With pytest:

    pytest tests/hil/test_example.py

or without it: python tests/hil/test_example.py. tinycontact must be importable: `make setup GROUPS=sim` once, then
build/venv/bin/python; or PYTHONPATH=tools.
"""
import unittest

from tinycontact.hil import faults, wire
from tinycontact.hil.choices import hil

pytest_plugins = ["tinycontact.hil.fixtures"]


@hil(board="mps2-an386", plant="hopper", seed=3)
def test_a_touch_down_is_known_within_5_ms(board, plant):
    board.begin(plant.chain)
    since = None   # ticks in contact
    for _ in range(600):
        estimate = board.tick(plant.step())
        since = None if plant.truth.mode == 0 else 0 if since is None else since + 1
        if since is not None and since >= 5:
            assert estimate.contact, f"tick {estimate.tick}: {since} ticks after touch-down p(air) is {estimate.p[0]:.3f}"
            return
    raise AssertionError("the hopper did not come down")


@hil(board="mps2-an386", plant="leg", seed=1)
def test_a_lost_frame_is_made_up_for(board, plant):
    board.begin(plant.chain)
    for _ in range(10):
        board.tick(plant.step())
    board.line.next(faults.drop)
    estimate = board.tick(plant.step(), timeout=0.5)
    assert estimate.tick == 11 and estimate.status == 0
    assert board.session.repeats == 1


@hil(board="mps2-an386", plant="leg", seed=1)
def test_a_broken_encoder_is_told(board, plant):
    """No estimate is made of a NaN: the one before is repeated, marked stale."""
    board.begin(plant.chain)
    before = [board.tick(plant.step()) for _ in range(10)][-1]
    plant.faults.append(faults.set_to("encoder", float("nan"), 0))
    estimate = board.tick(plant.step())
    assert estimate.status < 0 and estimate.flags & wire.STALE
    assert tuple(estimate.p) == tuple(before.p)
    assert board.stats().refused == 1


@hil(board="mps2-an386", mu=0.25, e=0.6, seed=3)
def test_a_slippery_floor_is_identified(board, bounce):
    """From 30 impacts of a box; the seed is part of the test, for one in ten 90 % intervals does not hold the truth."""
    board.begin_floor(bounce)
    for _ in range(30):
        identified = board.impact(bounce.step())
    assert bounce.holds(identified, "mu") and bounce.holds(identified, "e")
    assert abs(bounce.error(identified, "mu")) < 0.01


if __name__ == "__main__":
    from tinycontact.hil.fixtures import test_case
    Hil = test_case(globals())
    unittest.main()
