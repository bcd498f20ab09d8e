# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Many independent runs on all cores of this machine, or on a Dask cluster: the same results in the same order.

    from .sweep import Sweep
    results = Sweep(jobs=2).run(judge_one, tasks, "episodes")

A task is data that pickles; the function is a module's own, so that another process finds it by name. Each result
depends on its task alone, so where it is computed cannot change it; NumPy's products do depend on the number of threads,
so a task has one wherever it runs. With `resume`, a folder, a result is stored as it
comes, under a hash of function, task and this package's code: the same run goes on after it was ended, and a run of
changed code begins anew. A worker that dies is replaced and its tasks are given out again. A task that fails, fails
alone: the others are computed, and then an error names those that failed.
"""
import concurrent.futures
import ctypes
import functools
import hashlib
import importlib
import multiprocessing
import os
import pickle
import threading
import time
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from .build import missing as absent
from .errors import TinycontactError
from .options import count
from .progress import progress

ALONE = 1.0      # [s] of work in this process before others are started for the rest
DEATHS = 3       # how often a task may take its worker with it
AHEAD = 2        # tasks that wait beside each worker
NAMED = 3        # failed tasks that a message names
CONNECT = 10     # [s]
# Workers share the cores: each begins with one thread, so that no others are made.
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def add_options(p):
    """The options of a command that sweeps."""
    p.add_argument("--jobs", type=count, default=0, metavar="N", help="processes on this machine (default: one per core)")
    p.add_argument("--scheduler", metavar="ADDRESS", help="compute on this Dask cluster: tcp://host:8786")
    p.add_argument("--resume", metavar="FOLDER", help="keep results there as they come, and go on from what is there")


def of(options):
    """The Sweep that a command's options describe."""
    return Sweep(options.jobs, options.scheduler, options.resume)


class Failed(TinycontactError):
    """Some tasks failed; `results` are those of the others, by number."""

    def __init__(self, text, results):
        super().__init__(text)
        self.results = results


def _call(name, task):
    """The function of this name, "module:function", of a task."""
    module, function = name.split(":")
    called = getattr(importlib.import_module(module), function)
    with _ONE_THREAD:
        return called(task)


def blas():
    """(get, set) of the number of threads of each OpenBLAS that this process has loaded, by NumPy's import; Linux only."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    found = []
    for path in sorted({line.split(maxsplit=5)[5] for line in maps.splitlines() if "openblas" in line.rpartition("/")[2]}):
        library = ctypes.CDLL(path)
        for form in ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads"):
            if hasattr(library, form.format("set")):
                found.append(tuple(getattr(library, form.format(word)) for word in ("get", "set")))
                break
    return tuple(found)


class _Threads:
    """Within it NumPy's products are computed by one thread: their bits are those of any other process with one. Tasks of a
    cluster's worker may lie in it side by side; the last to leave restores the numbers."""

    def __init__(self):
        self.lock, self.inside, self.before = threading.Lock(), 0, []

    def __enter__(self):
        with self.lock:
            if self.inside == 0:
                self.before = [(put, get()) for get, put in blas()]
            self.inside += 1
            for put, _ in self.before:
                put(1)

    def __exit__(self, *_):
        with self.lock:
            self.inside -= 1
            for put, number in self.before if self.inside == 0 else ():
                put(number)


_ONE_THREAD = _Threads()


@functools.cache
def code():
    """A hash of this package's Python and of the library's C, if it is there."""
    total, here = hashlib.sha256(), Path(__file__).resolve().parent
    folders = [(here, "*.py"), *((here.parents[1] / name, "*.[ch]") for name in ("lib", "port", "tools/native"))]
    for folder, pattern in folders:
        for path in sorted(folder.rglob(pattern)) if folder.is_dir() else ():
            total.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


class _Kept:
    """Results in a folder; nothing without one."""

    def __init__(self, folder, name):
        self.folder, self.name = folder and Path(folder), name
        if self.folder:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise TinycontactError(f"--resume {folder}: {error.strerror}") from None

    def _path(self, task):
        words = f"{self.name}\0{code()}\0".encode() + pickle.dumps(task, 5)
        return self.folder / f"{hashlib.sha256(words).hexdigest()[:32]}.pkl"

    def read(self, task):
        """(whether it is there, the result). A file that was cut off counts as none."""
        if self.folder and (path := self._path(task)).is_file():
            try:
                return True, pickle.loads(path.read_bytes())
            except (pickle.UnpicklingError, EOFError, AttributeError):
                pass
        return False, None

    def write(self, task, result):
        if self.folder:
            path = self._path(task)
            part = path.with_suffix(f".{os.getpid()}")
            part.write_bytes(pickle.dumps(result, 5))
            part.replace(path)


@dataclass(frozen=True)
class Sweep:
    """Where to compute. jobs: processes here, 0: one per core; scheduler: a Dask cluster's address instead; resume: a
    folder for results."""
    jobs: int = 0
    scheduler: str | None = None
    resume: str | None = None

    def run(self, function, tasks, what, label=str):
        """[function(task)] of all tasks, which `what` calls together; label(task) is what a message calls one."""
        tasks, name = list(tasks), f"{function.__module__}:{function.__qualname__}"
        kept, results, failed = _Kept(self.resume, name), {}, {}
        for k, task in enumerate(tasks):
            there, result = kept.read(task)
            if there:
                results[k] = result
        bar = progress(range(len(tasks)), what)
        next(bar, None)
        for _ in results:
            next(bar, None)
        missing = [k for k in range(len(tasks)) if k not in results]
        for k, result, error in self._computed(name, tasks, missing):
            if error is None:
                kept.write(tasks[k], result)
                results[k] = result
            else:
                failed[k] = error
            next(bar, None)
        bar.close()
        if failed:
            raise Failed(_told(what, tasks, failed, label, self.resume), results)
        return [results[k] for k in range(len(tasks))]

    def _computed(self, name, tasks, missing):
        """(number, result, error) as they come."""
        if self.scheduler:
            yield from _on_cluster(self.scheduler, name, tasks, missing)
            return
        jobs, began = self.jobs or os.cpu_count() or 1, time.monotonic()
        while missing and (jobs == 1 or time.monotonic() - began < ALONE or len(missing) == 1):
            yield (missing[0], *_tried(name, tasks[missing.pop(0)]))
        if missing:
            yield from _in_processes(min(jobs, len(missing)), name, tasks, missing)


def _tried(name, task):
    """(result, None) or (None, the error)."""
    try:
        return _call(name, task), None
    except Exception as error:   # whatever it is: the other tasks go on
        return None, error


def _told(what, tasks, failed, label, resume):
    first = [f"{label(tasks[k])} ({type(error).__name__}: {error})" for k, error in sorted(failed.items())[:NAMED]]
    more = f", and {len(failed) - NAMED} more" if len(failed) > NAMED else ""
    go_on = " The results of the others are kept: the same command goes on." if resume else ""
    return f"{len(failed)} of {len(tasks)} {what} failed: {'; '.join(first)}{more}.{go_on}"


def _in_processes(jobs, name, tasks, missing):
    """As long as workers die, what is left is given to new ones; then one at a time, to find who kills them."""
    deaths, left = dict.fromkeys(missing, 0), list(missing)
    while left:
        suspects = [k for k in left if deaths[k] > 0]
        batch, workers = (suspects[:1], 1) if suspects else (left, jobs)
        finished = set()
        try:
            for k, result, error in _pool(workers, name, tasks, batch):
                finished.add(k)
                yield k, result, error
        except BrokenProcessPool as broken:
            for k in batch:
                if k not in finished:
                    deaths[k] += 1
                    if deaths[k] >= DEATHS and len(batch) == 1:
                        finished.add(k)
                        yield k, None, TinycontactError(f"its process died {DEATHS} times ({broken})")
        left = [k for k in left if k not in finished]


def _end_with_parent():
    """In a worker: whoever kills the command does not leave its workers behind."""
    parent = multiprocessing.parent_process()

    def watch():
        parent.join()
        os._exit(1)
    threading.Thread(target=watch, daemon=True).start()


def _pool(workers, name, tasks, batch):
    before = {key: os.environ.get(key) for key in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(workers, context, _end_with_parent) as pool:
            waiting, queue = {}, list(batch)
            while waiting or queue:
                while queue and len(waiting) < AHEAD * workers:
                    k = queue.pop(0)
                    waiting[pool.submit(_tried, name, tasks[k])] = k
                done, _ = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    k = waiting.pop(future)
                    yield (k, *future.result())
    finally:
        for key, value in before.items():
            os.environ.pop(key) if value is None else os.environ.update({key: value})


def _worker_code():
    """Runs on a cluster's worker."""
    try:
        from tinycontact import sweep
        return sweep.code()
    except ImportError:
        return "without tinycontact"


def _on_cluster(address, name, tasks, missing):
    try:
        from distributed import Client, KilledWorker, as_completed
    except ImportError:
        raise TinycontactError(f"--scheduler needs the package distributed: {absent('distributed', 'sweep', 'sim')}") from None
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise TinycontactError(f"--scheduler {address}: no Dask scheduler answers ({error})") from None
    with client:
        for worker, theirs in client.run(_worker_code).items():
            if theirs != code():
                other = theirs if theirs.startswith("without") else "with another version of it"
                raise TinycontactError(f"--scheduler {address}: worker {worker} is {other}; install this one there")
        futures = {client.submit(_tried, name, tasks[k], pure=False): k for k in missing}
        for future in as_completed(futures, loop=client.loop):
            try:
                result, error = future.result()
            except KilledWorker as killed:
                result, error = None, TinycontactError(f"its workers died ({killed})")
            yield futures[future], result, error
            future.release()
