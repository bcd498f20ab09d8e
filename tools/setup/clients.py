# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Outside programs (git, pip, npm, apt-get) run under a time limit, and the lines that tell about them.

A client that waits for a name server or a password would hang the build, so each one gets no
terminal, a limit in seconds and a process group of its own that ends as a whole. What is kept of a
failed client is its last words: the lines it marked as errors, or else its last three.
"""
import os
import re
import signal
import subprocess
import time

ERROR_LINE = re.compile(r"^\s*(E:|ERROR\b|error\b|fatal:|npm (ERR!|error)|.*Error:)")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
KEPT_LINES = 3
# Set by git for its hooks: they would send a git in another folder to the wrong repository.
DROPPED = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
GRACE = 5  # seconds between asking a process group to end and ending it


class ClientError(Exception):
    """A client could not start, failed or overran; the text is the reason."""


class ClientTimeout(ClientError):
    """A client was ended at its time limit, in the middle of whatever it did."""


class StepError(Exception):
    """A step of the setup failed: which, why, and what the reader can do about it."""

    def __init__(self, step, reason, advice):
        super().__init__(f"{step}: {reason}")
        self.step, self.reason, self.advice = step, reason, advice

    def report(self):
        reason = self.reason.replace("\n", "\n    ")
        advice = self.advice.replace("\n", "\n    ")
        return f"setup: failed: {self.step}\n  why:\n    {reason}\n  what to do:\n    {advice}"


class Step:
    """One line per step: the title before it starts, the note and the elapsed seconds after."""

    def __init__(self, title):
        self.title, self.note = title, ""

    def __enter__(self):
        self.start = time.monotonic()
        print(f"setup: {self.title} ...", end="", flush=True)
        return self

    def __exit__(self, kind, error, trace):
        seconds = time.monotonic() - self.start
        if kind is not None:
            word = "interrupted" if issubclass(kind, KeyboardInterrupt) else "failed"
        else:
            word = self.note or "done"
        print(f" {word} ({seconds:.1f} s)", flush=True)


def last_words(output):
    lines = [COLOUR.sub("", line).strip() for line in output.splitlines()]
    lines = [line for line in lines if line]
    marked = [line for line in lines if ERROR_LINE.match(line)]
    return "\n".join((marked or lines)[-KEPT_LINES:]) or "it failed without a word"


def stop(child):
    """Ends the child's whole group; a grandchild that survived would keep the pipe open."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
        except (ProcessLookupError, PermissionError):
            pass  # already gone, or started by sudo, which ends its own
        try:
            child.wait(GRACE)
        except subprocess.TimeoutExpired:
            continue
    child.stdout.close()


def run(command, limit, folder=None, environment=None):
    """Runs a client for at most limit seconds (None: as long as it takes) and returns what it printed."""
    command = [str(word) for word in command]
    inherited = {name: value for name, value in os.environ.items() if name not in DROPPED}
    try:
        child = subprocess.Popen(command, cwd=folder, env={**inherited, **(environment or {})},
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, errors="replace",
                                 start_new_session=True)
    except OSError as error:
        raise ClientError(f"{command[0]}: {error.strerror}") from error
    try:
        output, _ = child.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        stop(child)
        raise ClientTimeout(f"{os.path.basename(command[0])}: no end after {limit} s") from None
    except BaseException:
        stop(child)
        raise
    if child.returncode:
        raise ClientError(last_words(output))
    return output
