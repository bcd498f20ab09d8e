# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Sweeps: the same results in the same order, wherever they are computed, whoever dies on the way."""
import dataclasses
import inspect
import os
import pickle
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

import numpy as np
import sweep_tasks as tasks
from tinycontact_case import ROOT, Temporary

from tinycontact import sweep
from tinycontact.errors import TinycontactError
from tinycontact.sweep import Sweep

SEEDS = list(range(12))
RIGHT = [tasks.drawn(seed) for seed in SEEDS]
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "tests/python"), str(ROOT / "tools"), os.environ.get("PYTHONPATH", "")])


class Here(Temporary):
    """Catches: results out of order, a task that is lost with its worker, an error that stops the others."""

    def setUp(self):
        super().setUp()
        before, sweep.ALONE = sweep.ALONE, 0.0   # start processes at once
        self.addCleanup(setattr, sweep, "ALONE", before)

    def test_order_and_bits(self):
        for jobs in (1, 2, 5):
            self.assertEqual(RIGHT, Sweep(jobs).run(tasks.drawn, SEEDS, "seeds"), jobs)
        late = [(seed, 0.1 if seed == 0 else 0.0) for seed in SEEDS]
        self.assertEqual(RIGHT, Sweep(2).run(tasks.slow, late, "seeds"))
        self.assertEqual([], Sweep(2).run(tasks.drawn, [], "seeds"))

    def test_a_worker_dies(self):
        asked = [(seed, str(self.folder)) for seed in SEEDS]
        self.assertEqual(RIGHT, Sweep(2).run(tasks.once_deadly, asked, "seeds"))
        self.assertTrue((self.folder / "died3").exists())

    def test_a_task_that_always_kills(self):
        with self.assertRaisesRegex(TinycontactError, "1 of 12 seeds failed: 5 .*died 3 times") as caught:
            Sweep(2).run(tasks.deadly, SEEDS, "seeds")
        self.assertEqual({k: RIGHT[k] for k in SEEDS if k != 5}, caught.exception.results)

    def test_failures_are_named_at_the_end(self):
        for jobs in (1, 2):
            with self.assertRaisesRegex(TinycontactError, r"2 of 12 seeds failed: seed 2 \(ValueError: seed 2 is even\); seed 4") as caught:
                Sweep(jobs).run(tasks.failing, SEEDS, "seeds", lambda seed: f"seed {seed}")
            self.assertEqual(10, len(caught.exception.results))

    def test_goes_on(self):
        asked = [(seed, str(self.folder)) for seed in SEEDS]
        there = Sweep(1, resume=str(self.folder / "kept"))
        self.assertEqual(RIGHT[:5], there.run(tasks.counted, asked[:5], "seeds"))
        for path in list((self.folder / "kept").glob("*.pkl"))[:1]:
            path.write_bytes(path.read_bytes()[:10])   # cut off
        self.assertEqual(RIGHT, there.run(tasks.counted, asked, "seeds"))
        ran = [len((self.folder / f"ran{seed}").read_text()) for seed in SEEDS]
        self.assertEqual(13, sum(ran))
        self.assertEqual([1] * 7, ran[5:])

    def test_goes_on_after_a_kill(self):
        script = ("import sweep_tasks, sys\nfrom tinycontact import sweep\nsweep.ALONE = 0.0\nif __name__ == '__main__':\n"
                  "    print(len(sweep.Sweep(2, resume='kept').run(sweep_tasks.slow, [(k, 0.2) for k in range(12)], 'seeds')))\n")
        Path("run.py").write_text(script)
        with subprocess.Popen([sys.executable, "run.py"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as first:
            while not list(Path(".").glob("kept/*.pkl")) and first.poll() is None:
                time.sleep(0.05)
            workers = Path(f"/proc/{first.pid}/task/{first.pid}/children").read_text().split()
            first.kill()
        self.assertGreaterEqual(len(workers), 2)
        ended = time.monotonic() + 60
        while any(Path("/proc", worker).exists() for worker in workers):
            self.assertLess(time.monotonic(), ended, "workers outlive the command that was killed")
            time.sleep(0.05)
        done = len(list(Path("kept").glob("*.pkl")))
        self.assertGreater(done, 0)
        again = Sweep(2, resume="kept").run(tasks.slow, [(k, 0.2) for k in range(12)], "seeds")
        self.assertEqual(RIGHT, again)

    def test_other_code_begins_anew(self):
        folder = str(self.folder / "kept")
        Sweep(1, resume=folder).run(tasks.drawn, [1], "seeds")
        before, sweep.code = sweep.code, lambda: "other"
        self.addCleanup(setattr, sweep, "code", before)
        Sweep(1, resume=folder).run(tasks.drawn, [1], "seeds")
        self.assertEqual(2, len(list(Path(folder).glob("*.pkl"))))

    def test_one_thread_wherever(self):
        """NumPy of many threads gives other bits: neither this process nor its user's setting may be seen in results."""
        code = ("import sweep_tasks, pickle, sys\nfrom tinycontact import sweep\nbefore = [get() for get, _ in sweep.blas()]\n"
                "found = sweep.Sweep(1).run(sweep_tasks.products, [1, 2], 'seeds')\n"
                "assert before == [get() for get, _ in sweep.blas()], before\n"
                "sys.stdout.buffer.write(pickle.dumps((before, found)))")
        seen = []
        for threads in ("1", "2"):
            asked = os.environ | dict.fromkeys(sweep.THREADS, threads)
            seen.append(pickle.loads(subprocess.run([sys.executable, "-c", code], env=asked, check=True, capture_output=True).stdout))
        if not seen[0][0]:
            self.skipTest("NumPy's BLAS is not OpenBLAS")
        self.assertEqual([1], sorted(set(sum((threads for threads, *_ in seen[1][1]), []))))
        self.assertEqual(seen[0][1], seen[1][1])
        if (os.cpu_count() or 1) > 1:
            self.assertEqual({2}, set(seen[1][0]))

    def test_refused(self):
        Path("file").write_text("")
        with self.assertRaisesRegex(TinycontactError, "--resume file"):
            Sweep(1, resume="file").run(tasks.drawn, SEEDS, "seeds")


try:
    import distributed
except ImportError:
    distributed = None


@unittest.skipUnless(distributed, "distributed is not installed: make setup GROUPS=sim")
class Cluster(Temporary):
    """Catches: other results than here, a worker's death that loses its tasks."""

    def setUp(self):
        super().setUp()
        words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1"]
        self.scheduler = self.started(words)
        line = ""
        while "tcp://" not in line:
            line = self.scheduler.stderr.readline().decode()
            self.assertTrue(line, "the scheduler ended")
        self.address = re.search(r"tcp://[0-9.:]+", line).group(0)
        self.workers = [self.started([sys.executable, "-m", "distributed.cli.dask_worker", self.address, "--nworkers", "1", "--nthreads",
                                      "1", "--no-dashboard", "--no-nanny", "--host", "127.0.0.1"]) for _ in range(3)]
        for worker in self.workers:
            while b"Registered to" not in worker.stderr.readline():
                self.assertIsNone(worker.poll())

    def started(self, words):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_same_results_also_after_a_death(self):
        self.assertEqual(RIGHT, Sweep(scheduler=self.address).run(tasks.drawn, SEEDS, "seeds"))
        asked = [(seed, 0.1) for seed in SEEDS * 3]
        process = subprocess.Popen(["sh", "-c", f"sleep 1; kill -9 {self.workers[0].pid}"])
        self.addCleanup(process.wait)
        self.assertEqual(RIGHT * 3, Sweep(scheduler=self.address).run(tasks.slow, asked, "seeds"))
        with self.assertRaisesRegex(TinycontactError, "2 of 12 seeds failed: 2 "):
            Sweep(scheduler=self.address).run(tasks.failing, SEEDS, "seeds")

    def test_other_code_is_refused(self):
        before, sweep.code = sweep.code, lambda: "other"
        self.addCleanup(setattr, sweep, "code", before)
        with self.assertRaisesRegex(TinycontactError, "with another version"):
            Sweep(scheduler=self.address).run(tasks.drawn, SEEDS, "seeds")


@unittest.skipUnless(distributed, "distributed is not installed: make setup GROUPS=sim")
class NoCluster(unittest.TestCase):
    def test_nobody_answers(self):
        before, sweep.CONNECT = sweep.CONNECT, 1
        self.addCleanup(setattr, sweep, "CONNECT", before)
        with self.assertRaisesRegex(TinycontactError, "no Dask scheduler answers"):
            Sweep(scheduler="tcp://127.0.0.1:9").run(tasks.drawn, SEEDS, "seeds")


class Commands(unittest.TestCase):
    """Catches: a command whose numbers depend on the number of processes."""

    def test_throws_of_a_truth(self):
        from tinycontact.report import truth
        from tinycontact.sim import peers, shapes, throws
        try:
            peers.dart()
        except TinycontactError:
            self.skipTest("DART is not installed")
        before, sweep.ALONE = sweep.ALONE, 0.0
        self.addCleanup(setattr, sweep, "ALONE", before)
        rows = throws.random_rows(20, 3)
        found = [truth.Dart(shapes.builtin("rectangle"), "dart", Sweep(jobs)).results(rows) for jobs in (1, 2)]
        np.testing.assert_array_equal(found[0].distance, found[1].distance)
        np.testing.assert_array_equal(found[0].steps, found[1].steps)

    def test_experiments_of_scenes(self):
        """In groups, in any order, each scene has the numbers that it has among all."""
        from tinycontact.scene import paper
        for name, count in (("ball", 3), ("push", 2), ("inertia", 2)):
            whole = paper.module(name).run(count, 4, lambda scenes: scenes)
            parts = [paper.judged(task) for task in reversed(paper.groups(name, count, 4))]
            self.assertGreater(len(parts), 1)
            self.assertEqual(whole, [result for part in reversed(parts) for result in part])

    def test_tables_of_impacts(self):
        from tinycontact.impact import evaluate
        before, sweep.ALONE = sweep.ALONE, 0.0
        self.addCleanup(setattr, sweep, "ALONE", before)
        tasks = [("coefficients", (1, (name,), 10)) for name in ("BP5-e", "CP3")]
        found = [Sweep(jobs).run(evaluate.rows_of, tasks, "tables") for jobs in (1, 2)]
        for one, other in zip(*found, strict=True):
            self.assertEqual([dataclasses.replace(row, seconds=0) for row in one], [dataclasses.replace(row, seconds=0) for row in other])
        # Each group's tasks are calls that can be made.
        for function, arguments in evaluate.tasks_of(2) + evaluate.tasks_of(quick=True):
            inspect.signature(getattr(evaluate, function)).bind(*arguments)


if __name__ == "__main__":
    unittest.main()
