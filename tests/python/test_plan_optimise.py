# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`tinycontact plan optimise`: a push from in front of the box, its gradients, more starts, and mistakes in a task."""
import copy
import json
import unittest
from pathlib import Path

import numpy as np

from tinycontact_case import Temporary

from tinycontact.errors import TinycontactError
from tinycontact.library import Library
from tinycontact.plan import optimise, picture, scenes, taskfile
from tinycontact.plan.native import NativeScene


class Planning(unittest.TestCase):

    def test_the_rod_goes_round_and_pushes_the_box_to_its_mark(self):
        for seed, real in ((2, "double"), (3, "float")):
            found = optimise.optimise(taskfile.from_dict(scenes.task("push", seed), "push"), Library(real=real))
            self.assertTrue(found.reached, seed)
            self.assertLessEqual(found.distance["box"], 0.05)
            self.assertGreater(found.q[0, 3], 0.2)                   # the rod began beyond the box,
            self.assertLess(found.q[:, 3].min(), -0.1)               # went behind it,
            self.assertGreater(found.q[-1, 0], 0.7)                  # and the box moved on
            self.assertEqual((found.scene.mu, found.scene.barrier), (1e-6, (12, 1, 0)))   # executed in the thin model

    def test_gradients_of_a_plan_are_those_of_differences(self):
        task = taskfile.from_dict({**scenes.task("push", 1), "horizon": 12, "effort": 0.3}, "push")
        library = Library(real="double")
        with NativeScene(task.scene, library) as native:
            plan = optimise.Plan(task, native)
            state, rng = native.start(), np.random.default_rng(2)
            controls = task.rest + rng.normal(0, 0.02, (12, 3)).cumsum(0)
            _, gradient = plan.gradient(state, controls)
            for k, i in ((0, 0), (5, 1), (11, 2), (7, 0)):
                e = np.zeros((12, 3))
                e[k, i] = 1e-5
                slope = (plan.gradient(state, controls + e)[0] - plan.gradient(state, controls - e)[0]) / 2e-5
                self.assertAlmostEqual(gradient[k, i], slope, delta=1e-5 * np.abs(gradient).max())

    def test_one_plan_lowers_its_cost_by_every_method(self):
        for method in taskfile.METHODS:
            task = taskfile.from_dict({**scenes.task("push", 1), "frames": 0, "method": method, "iterations": 8,
                                       "step": 0.1 if method == "newton" else 0.01}, "push")
            found = optimise.optimise(task, Library(real="double"))
            self.assertLess(found.cost[-1], found.cost[0], method)
            self.assertEqual(len(found.t), task.horizon + 1)

    def test_many_goals_are_taken_one_at_a_time(self):
        task = taskfile.from_dict({**scenes.task("gather", 0), "frames": 2}, "gather")
        with NativeScene(task.scene, Library(real="double")) as native:
            chooser, state = optimise.Chooser(task), native.start()
            first = list(chooser.next(native, state))
            self.assertEqual(len(first), 1)
            for _ in range(optimise.PATIENCE):
                self.assertEqual(list(chooser.next(native, state)), first)
            self.assertNotEqual(list(chooser.next(native, state)), first)     # no progress: another one


class Tasks(Temporary):

    def test_a_task_goes_through_a_file_and_more_starts(self):
        self.command("plan optimise", "push", "-o", "out.json", "--seed", "2", "--save-task", "task.json", "--plot", "p.png")
        first = json.loads(Path("out.json").read_text())
        self.assertTrue(first["reached"])
        self.assertEqual(len(first["cost"]), first["steps"])
        task = json.loads(Path("task.json").read_text())
        Path("scene.json").write_text(json.dumps(task["scene"]))
        Path("short.json").write_text(json.dumps({**task, "scene": "scene.json", "frames": 0, "iterations": 3}))
        _, err = self.command("plan optimise", "short.json", "-o", "again.json", "--starts", "2", "--jobs", "1")
        again = json.loads(Path("again.json").read_text())
        self.assertEqual(len(again["starts"]), 3)
        self.assertFalse(again["reached"])
        self.assertIn("NOT reached", err)
        self.assertEqual(again["distance"]["box"], min(row["distance"] for row in again["starts"]))

    def test_mistakes_are_named(self):
        good = scenes.task("push")
        still = copy.deepcopy(good["scene"])
        still["bodies"][1].pop("drive")
        still["bodies"][1].pop("stiffness")
        goal = good["goals"][0]
        welded = copy.deepcopy(good["scene"])
        welded["bodies"][0].update(joint="weld", drag=0, drag_radius=0)
        for change, told in (
                ({"goals": []}, "goals: has 0 entries"), ({"scene": welded}, "anchor_at, anchor and rest"),
                ({"goals": [{**goal, "body": "bax"}]}, "none of box, rod"),
                ({"goals": [{**goal, "target": [1]}]}, "goals[0], field target"), ({"scene": still}, "nothing to plan"),
                ({"goals": [{**goal, "coordinates": ["x", "angle"]}]}, "must follow each other"),
                ({"goals": [{**goal, "end": 0, "knot": 0}]}, "would not count"), ({"method": "bfgs"}, "none of knots"),
                ({"horizon": 5000}, "1 to 4096"), ({"controls": {"box": {}}}, "unknown field 'box'"),
                ({"controls": {"rod": {"low": [1, 0, 0], "high": [0, 1, 1]}}}, "field low"),
                ({"bounds": [{"body": "box", "coordinate": "z"}]}, "none of x, y, angle"),
                ({"execute": {"barier": {}}}, "did you mean barrier"), ({"step": 0}, "must be above 0")):
            with self.assertRaises(TinycontactError) as caught:
                taskfile.from_dict({**copy.deepcopy(good), **change}, "bad.json")
            self.assertIn("bad.json", str(caught.exception))
            self.assertIn(told, str(caught.exception))

    def test_a_task_without_goals_is_told_so(self):
        good = scenes.task("push")
        good.pop("goals")
        with self.assertRaises(TinycontactError) as caught:
            taskfile.from_dict(good, "bad.json")
        self.assertIn("no field goals", str(caught.exception))

    def test_a_goal_may_be_an_angle(self):
        task = scenes.task("push")
        task["goals"] = [{"body": "box", "coordinates": ["x", "y", "angle"], "target": [0.8, 0, 0.6], "tolerance": 0.1, "knot": 1}]
        view = picture.view_of(taskfile.from_dict(task, "push"))
        self.assertEqual(view.title, task["name"])
        self.assertEqual(view.aims[0].tolist(), [0.8, 0, 0.6])
        Path("task.json").write_text(json.dumps({**task, "frames": 2}))
        _, err = self.command("plan optimise", "task.json", "-o", "out.json", "--plot", "p.png")
        self.assertIn("m and rad", err)

    def test_pictures_in_space_show_the_axes_of_the_goals(self):
        bodies = [{"name": "ball", "mass": 1, "pieces": [{"kind": "sphere", "r": 0.05}], "position": [0, 0, 0.1]},
                  {"name": "rod", "mass": 1, "pieces": [{"kind": "capsule", "half": 0.05, "r": 0.02}],
                   "position": [0.3, 0, 0.1], "drive": "servo", "driven": ["x", "y", "z"]}]
        for words, target, axes, place in ((["x", "y"], [1, 2], (0, 1), [1, 2]), (["y", "z"], [2, 3], (1, 2), [2, 3]),
                                           (["x", "y", "z"], [1, 2, 3], (0, 2), [1, 3]), (["x"], [1], (0, 2), [1, None])):
            task = {"scene": {"dimension": 3, "bodies": bodies}, "goals": [{"body": "ball", "coordinates": words, "target": target}]}
            view = picture.view_of(taskfile.from_dict(task, "task"))
            self.assertEqual((view.axes, view.aims), (axes, {}))
            self.assertEqual([None if np.isnan(x) else x for x in view.goals[0][0]], place)
            Path("task.json").write_text(json.dumps({**task, "horizon": 2, "iterations": 1}))
            self.command("plan optimise", "task.json", "-o", "out.json", "--plot", "p.png", "--animate", "a.gif")

    def test_bodies_that_begin_touching_are_named_and_nothing_is_planned(self):
        task = scenes.task("push")
        task["scene"]["bodies"][1]["position"] = [0.1, 0]
        for name, value in (("once.json", {**task, "frames": 0}), ("task.json", task)):
            Path(name).write_text(json.dumps(value))
            _, err = self.command("plan optimise", name, "-o", "out.json", status=2)
            self.assertIn(f"{name}: box and rod touch or overlap at the start", err)
        self.assertFalse(Path("out.json").exists())

    def test_goals_in_what_is_fixed_and_starts_out_of_range_are_told(self):
        task = {**scenes.task("push", 1), "frames": 1}
        task["scene"]["bodies"].append({"name": "wall", "joint": "weld", "anchor_at": [0.8, 0.5],
                                        "pieces": [{"kind": "box", "h": [0.1, 0.55]}]})
        task["controls"]["rod"]["high"] = [0.2, 1.2, 6.3]
        Path("task.json").write_text(json.dumps(task))
        _, err = self.command("plan optimise", "task.json", "-o", "out.json")
        told = json.loads(Path("out.json").read_text())["warnings"]
        self.assertEqual(len(told), 2)
        for warning, words in zip(told, (("rod begins at x = 0.29", "range -1.2 to 0.2"), ("goals[0]", "box and wall"))):
            self.assertIn(warning, err)
            for word in words:
                self.assertIn(word, warning)
        task["goals"][0]["target"] = [0.5, 0]
        task["controls"]["rod"]["high"][0] = 1.2
        Path("task.json").write_text(json.dumps(task))
        self.command("plan optimise", "task.json", "-o", "out.json")
        self.assertEqual(json.loads(Path("out.json").read_text())["warnings"], [])

    def test_pictures_of_other_kinds_are_refused(self):
        for words, kind in (("push -o o.json --plot a.xyz", ".png"), ("push -o o.json --animate a.png", ".gif")):
            for verb in ("optimise", "simulate"):
                self.assertIn(f"is written as {kind}", self.command(f"plan {verb}", *words.split(), status=2)[1])


class Detour(unittest.TestCase):
    """One box in front of a rod in a corner of its workspace, where gradients keep it."""

    def task(self, **fields):
        value = scenes.task("gather", 0)
        box, rod = value["scene"]["bodies"][0], value["scene"]["bodies"][-1]
        box.update(position=[0.0, 0.8], angle=0.0)
        rod["position"] = [-1.55, -1.55]
        value["scene"]["bodies"] = [box, rod]
        value["goals"] = [{**value["goals"][0], "tolerance": 0.1}]
        return taskfile.from_dict({**value, "bounds": [], "frames": 300, **fields}, "detour")

    def test_a_rod_leaves_its_corner(self):
        library = Library(real="double")
        found = optimise.optimise(self.task(), library)
        self.assertTrue(found.reached)
        self.assertGreater(found.detours, 0)
        stuck = optimise.optimise(self.task(detours=0, frames=200), library)
        self.assertFalse(stuck.reached)
        self.assertLess(np.abs(stuck.q[-1, 3:5] + 1.6).min(), 0.05)      # at the workspace's edge
        again = optimise.optimise(self.task(), library)
        np.testing.assert_array_equal(found.q, again.q)

    def test_only_scenes_that_have_such_a_body(self):
        task = scenes.task("ant-push")
        with self.assertRaisesRegex(TinycontactError, "detours.*one driven body"):
            taskfile.from_dict({**task, "detours": 1, "at_once": 1}, "ant")
        with self.assertRaisesRegex(TinycontactError, "detours.*at_once"):
            taskfile.from_dict({**scenes.task("gather"), "at_once": 0}, "gather")


if __name__ == "__main__":
    unittest.main()
