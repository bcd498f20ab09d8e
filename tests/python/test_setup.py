# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""tools/setup without a network: contents decide, nothing is left half done, messages name what to do.

Run: python3 tests/python/test_setup.py. Programs of the system (apt-get, sudo) are stood for by scripts in a
temporary folder that write down how they were called.
"""
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
SETUP = ROOT / "tools" / "setup"
sys.path.insert(0, str(SETUP))

import clients          # noqa: E402
import python_env       # noqa: E402
import routes           # noqa: E402
import system_packages  # noqa: E402
import third_party      # noqa: E402

GOOD = {"a.h": b"int a;\n", "src/b.c": b"int b;\nint c;\n"}


def package(contents, *route_clients):
    return {"name": "Thing", "version": "1.0",
            "files": {path: third_party.digest(data) for path, data in contents.items()},
            "routes": [{"client": client, "prefix": "", "package": f"{client}-thing", "tag": "v1", "url": ""}
                       for client in route_clients]}


def quietly(function, *arguments):
    with contextlib.redirect_stdout(io.StringIO()) as output:
        result = function(*arguments)
    return result, output.getvalue()


def executable(folder, name, body):
    path = Path(folder) / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


class Temporary(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)


class Manifest(unittest.TestCase):
    """Catches a manifest edited by hand into something that cannot be fetched or that escapes its folder."""

    def test_entries_are_complete(self):
        packages = third_party.load(third_party.default_manifest(ROOT))
        self.assertEqual([p["name"] for p in packages], ["CMSIS-DSP", "CMSIS-Core", "Unity"])
        for entry in packages:
            self.assertEqual(entry["routes"][0]["client"], "git")
            self.assertGreater(len(entry["routes"]), 1)
            self.assertRegex(entry["routes"][0]["commit"], r"^[0-9a-f]{40}$")
            for route in entry["routes"]:
                self.assertIn(route["client"], routes.CLIENTS)
            for path, digest in entry["files"].items():
                self.assertRegex(digest, r"^[0-9a-f]{64}$", path)

    def test_path_out_of_the_folder_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in ("../x.c", "/x.c", "a/../../x.c"):
                manifest = Path(folder) / "m.json"
                manifest.write_text(json.dumps({"packages": [{"files": {path: "0" * 64}}]}))
                with self.assertRaises(clients.StepError):
                    third_party.load(manifest)

    def test_no_registry_address_in_the_code(self):
        address = re.compile(r"pypi\.org|npmjs|deb\.debian|pythonhosted|github\.com")
        for file in SETUP.glob("*.py"):
            self.assertIsNone(address.search(file.read_text()), file)


class Contents(Temporary):
    def test_each_wrong_file_is_named(self):
        entry = package(GOOD)
        self.assertEqual(third_party.complaints(entry, GOOD), [])
        wrong = third_party.complaints(entry, {"a.h": b"int x;\n"})
        self.assertEqual(len(wrong), 2)
        self.assertIn("Thing/a.h differs", wrong[0])
        self.assertIn("Thing/src/b.c is missing", wrong[1])

    def test_line_ends_do_not_matter_and_are_stored_as_lf(self):
        entry = package(GOOD)
        crlf = {path: data.replace(b"\n", b"\r\n") for path, data in GOOD.items()}
        self.assertEqual(third_party.complaints(entry, crlf), [])
        third_party.place(entry, crlf, self.folder)
        self.assertEqual(third_party.read(entry, self.folder), GOOD)

    def test_one_flipped_bit_on_disk_is_found(self):
        entry = package(GOOD)
        third_party.place(entry, GOOD, self.folder)
        file = self.folder / "Thing" / "src" / "b.c"
        data = bytearray(file.read_bytes())
        data[3] ^= 1
        file.write_bytes(data)
        self.assertEqual(len(third_party.check(entry, self.folder)), 1)

    def test_a_broken_move_leaves_the_old_package_whole(self):
        entry = package(GOOD)
        third_party.place(entry, GOOD, self.folder)
        with self.assertRaises(KeyError):
            third_party.place(entry, {"a.h": b"half\n"}, self.folder)
        self.assertEqual(third_party.check(entry, self.folder), [])
        third_party.clean(self.folder)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["Thing"])

    def test_extra_files_go_when_a_package_is_placed(self):
        entry = package(GOOD)
        (self.folder / "Thing").mkdir()
        (self.folder / "Thing" / "stale.c").write_text("")
        third_party.place(entry, GOOD, self.folder)
        self.assertFalse((self.folder / "Thing" / "stale.c").exists())


class Routes(Temporary):
    def fetch(self, entry, answers):
        def answer(client):
            def act(route, wanted, work):
                if isinstance(answers[client], Exception):
                    raise answers[client]
                return answers[client]
            return act
        with mock.patch.dict(routes.CLIENTS, {client: answer(client) for client in answers}):
            with third_party.Step("test") as step:
                return third_party.fetch(entry, self.folder, step), step.note

    def test_corrupted_download_falls_to_the_next_route(self):
        entry = package(GOOD, "git", "pip")
        bad = dict(GOOD, **{"a.h": b"int evil;\n"})
        (contents, note), _ = quietly(self.fetch, entry, {"git": bad, "pip": GOOD})
        self.assertEqual(contents, GOOD)
        self.assertIn("by pip", note)
        self.assertIn("a.h differs", note)

    def test_when_no_route_works_the_error_names_file_route_and_advice(self):
        entry = package(GOOD, "git", "pip")
        bad = dict(GOOD, **{"a.h": b"int evil;\n"})
        with self.assertRaises(clients.StepError) as caught:
            quietly(self.fetch, entry, {"git": clients.ClientError("no such host"), "pip": bad})
        text = caught.exception.report()
        for words in ("Thing 1.0", "git, v1: no such host", "pip, pip-thing: Thing/a.h differs", "to do"):
            self.assertIn(words, text)
        self.assertEqual(list(self.folder.glob(".incoming-*")), [])

    def test_offline_names_the_file(self):
        manifest = self.folder / "m.json"
        manifest.write_text(json.dumps({"packages": [package(GOOD, "git")]}))
        with self.assertRaises(clients.StepError) as caught:
            third_party.ensure(manifest, self.folder / "third_party", offline=True)
        self.assertIn("Thing/a.h is missing", caught.exception.report())

    def test_archive_gives_the_wanted_files_only(self):
        archive = self.folder / "thing.tar.gz"
        with tarfile.open(archive, "w:gz") as tar:
            for name in ("thing-1.0/a.h", "thing-1.0/other.c", "../evil.h"):
                member = tarfile.TarInfo(name)
                member.size = 2
                tar.addfile(member, io.BytesIO(b"x\n"))
        self.assertEqual(routes.pick(archive, ["a.h", "src/b.c"], self.folder), {"a.h": b"x\n"})
        self.assertEqual([path.name for path in self.folder.iterdir()], ["thing.tar.gz"])

    def test_cut_archive_is_a_client_error(self):
        archive = self.folder / "thing.tar.gz"
        archive.write_bytes(b"\x1f\x8b\x08\x00 cut short")
        with self.assertRaises(clients.ClientError):
            routes.pick(archive, ["a.h"], self.folder)

    def test_both_formats_of_source_entries(self):
        lists = self.folder / "etc" / "sources.list.d"
        lists.mkdir(parents=True)
        (self.folder / "etc" / "sources.list").write_text(
            "# deb no\ndeb [signed-by=/k.gpg] http://x/debian stable main\n"
            "deb-src http://y/debian stable main\n\n")
        (lists / "one.list").write_text("deb http://z/debian stable main contrib\n")
        (lists / "two.sources").write_text("# a comment\nTypes: deb\nURIs: http://w/debian\nSuites: stable\n"
                                           "Components: main\nSigned-By:\n -----BEGIN\n .\n\n"
                                           "Enabled: no\nTypes: deb\nURIs: http://off/debian\n")
        self.assertEqual(routes.copy_sources(self.folder / "etc", self.folder / "out"), 4)
        lines = (self.folder / "out" / "private.list").read_text().splitlines()
        self.assertEqual(lines, ["deb-src [signed-by=/k.gpg] http://x/debian stable main",
                                 "deb-src http://y/debian stable main",
                                 "deb-src http://z/debian stable main contrib"])
        stanzas = (self.folder / "out" / "private.sources").read_text()
        self.assertEqual(stanzas, "Types: deb-src\nURIs: http://w/debian\nSuites: stable\nComponents: main\n"
                                  "Signed-By:\n -----BEGIN\n .\n")


class Clients(Temporary):
    def test_time_limit_ends_grandchildren_too(self):
        start, late = time.monotonic(), self.folder / "late"
        with self.assertRaisesRegex(clients.ClientTimeout, "no end after 0.3 s"):
            clients.run(["sh", "-c", f"(sleep 1; : > {late}) & sleep 30"], 0.3)
        self.assertLess(time.monotonic() - start, 4)
        time.sleep(max(0, 1.3 - (time.monotonic() - start)))
        self.assertFalse(late.exists())

    def test_last_words_are_the_marked_lines(self):
        with self.assertRaises(clients.ClientError) as caught:
            clients.run(["sh", "-c", "echo one; echo 'E: broken'; echo 'hint: x'; exit 1"], 5)
        self.assertEqual(str(caught.exception), "E: broken")

    def test_absent_client(self):
        with self.assertRaisesRegex(clients.ClientError, "No such file"):
            clients.run(["no-such-client"], 5)

    def test_no_terminal_is_waited_for(self):
        self.assertEqual(clients.run(["sh", "-c", "read x; echo end"], 5), "end\n")

    def test_repository_of_a_git_hook_is_not_inherited(self):
        with mock.patch.dict(os.environ, {"GIT_DIR": "/elsewhere"}):
            self.assertEqual(clients.run(["sh", "-c", "echo ${GIT_DIR-none}"], 5), "none\n")


class Packages(Temporary):
    MISSING = [system_packages.Need("tool", list, lambda: "tool-package"),
               system_packages.Need("other", list, lambda: "other-package")]
    COMMAND = "apt-get update && apt-get install -y --no-install-recommends tool-package other-package"

    def setUp(self):
        super().setUp()
        self.log = self.folder / "log"
        for name in ("env", "sh"):
            os.symlink(shutil.which(name), self.folder / name)

    def install(self, user):
        with mock.patch.dict(os.environ, {"PATH": str(self.folder)}), mock.patch("os.geteuid", lambda: user):
            return quietly(system_packages.install, self.MISSING)

    def test_without_rights_one_exact_command(self):
        executable(self.folder, "apt-get", f"echo $* >> {self.log}")
        for sudo, expected in ((None, f"su -c '{self.COMMAND}'"), ("exit 1", f"sudo sh -c '{self.COMMAND}'")):
            if sudo:
                executable(self.folder, "sudo", sudo)
            with self.assertRaises(clients.StepError) as caught:
                self.install(1000)
            report = caught.exception.report()
            self.assertTrue(report.endswith(f"\n    {expected}"), report)
            self.assertIn("missing: tool, other", report)
        self.assertFalse(self.log.exists())

    def test_without_apt_get_the_tools_are_named(self):
        with self.assertRaises(clients.StepError) as caught:
            self.install(0)
        self.assertIn("missing: tool, other", caught.exception.report())

    def test_lists_are_renewed_once_and_only_when_needed(self):
        ready = self.folder / "ready"
        executable(self.folder, "apt-get", f'echo "$3" >> {self.log}; [ "$3" = update ] && : > {ready}\n'
                   f'[ -e {ready} ] || {{ echo "E: no such package"; exit 100; }}')
        self.install(0)
        self.install(0)
        self.assertEqual(self.log.read_text().split(), ["install", "update", "install", "install"])

    def test_sudo_without_password_is_used(self):
        executable(self.folder, "apt-get", f"echo apt $* >> {self.log}")
        executable(self.folder, "sudo", f'echo sudo >> {self.log}; shift; [ "$1" = true ] || exec "$@"')
        self.install(1000)
        self.assertIn("apt -o DPkg::Lock::Timeout=120 install", self.log.read_text())
        self.assertEqual(self.log.read_text().count("sudo"), 2)

    def test_failure_keeps_the_words_of_apt(self):
        executable(self.folder, "apt-get", "echo 'E: archive unreachable'; exit 100")
        with self.assertRaises(clients.StepError) as caught:
            self.install(0)
        self.assertIn("E: archive unreachable", caught.exception.report())
        self.assertIn(self.COMMAND, caught.exception.report())


class Environment(Temporary):
    def test_half_written_environment_is_not_trusted(self):
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.folder / "venv"], check=True)
        with mock.patch.object(python_env, "present", lambda venv, modules: list(modules)):
            self.assertEqual(python_env.missing(self.folder / "venv", {"numpy": []}), [])
            (self.folder / "venv" / python_env.UNFINISHED).touch()
            self.assertEqual(python_env.missing(self.folder / "venv", {"numpy": []}), ["pip", "numpy"])

    def test_environment_that_does_not_run_is_missing_as_a_whole(self):
        self.assertEqual(python_env.missing(self.folder, {"numpy": []}), ["pip", "numpy"])


class Command(Temporary):
    """The whole program in a copy of the tree with a manifest of its own, from another folder."""

    def setUp(self):
        super().setUp()
        tools = self.folder / "tools"
        (tools / "setup").mkdir(parents=True)
        for file in SETUP.glob("*.py"):
            (tools / "setup" / file.name).write_bytes(file.read_bytes())
        self.entry = package(GOOD, "git")
        (tools / "third_party.json").write_text(json.dumps({"packages": [self.entry]}))
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        library = self.folder / "libc.a"
        library.write_text("")
        for name in ("make", "cc", "arm-none-eabi-gcc", "arm-none-eabi-objcopy", "qemu-system-arm"):
            executable(self.bin, name, f"echo {library}")

    def run_setup(self, *words):
        return subprocess.run([sys.executable, self.folder / "tools" / "setup", *words], cwd="/", text=True,
                              capture_output=True, env={"PATH": f"{self.bin}:/usr/bin:/bin"}, check=False)

    def place(self):
        folder = self.folder / "build" / "third_party"
        folder.mkdir(parents=True, exist_ok=True)
        third_party.place(self.entry, GOOD, folder)
        third_party.clean(folder)

    def test_check_changes_nothing(self):
        result = self.run_setup("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("build/third_party/Thing/a.h is missing (and 1 more)", result.stdout)
        self.assertFalse((self.folder / "build").exists())

    def test_quiet_when_all_is_there_and_stamp_sees_changes(self):
        self.place()
        for _ in range(2):
            result = self.run_setup("--offline")
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        (self.folder / "build" / "third_party" / "Thing" / "a.h").write_text("int evil;\n")
        result = self.run_setup("--offline")
        self.assertEqual(result.returncode, 1)
        self.assertIn("Thing/a.h differs", result.stderr)

    def test_stamp_is_void_when_the_manifest_changes(self):
        self.place()
        self.assertEqual(self.run_setup("--offline").returncode, 0)
        self.entry["files"]["new.h"] = "0" * 64
        (self.folder / "tools" / "third_party.json").write_text(json.dumps({"packages": [self.entry]}))
        self.assertIn("Thing/new.h is missing", self.run_setup("--offline").stderr)

    def test_stamp_of_one_group_does_not_stand_for_another(self):
        self.place()
        self.assertEqual(self.run_setup("--offline").returncode, 0)
        result = self.run_setup("--offline", "--group", "python")
        self.assertEqual(result.returncode, 1)
        self.assertIn("build/venv lacks", result.stderr)

    def test_missing_tool_offline_gives_the_command(self):
        self.place()
        for name in ("qemu-system-arm", "arm-none-eabi-gcc"):
            executable(self.bin, name, "exit 1")
        result = self.run_setup("--offline")
        self.assertEqual(result.returncode, 1)
        self.assertIn("newlib for the Arm compiler", result.stderr)
        self.assertIn("apt-get install -y --no-install-recommends libnewlib-arm-none-eabi", result.stderr)

    def test_damaged_stamp_and_manifest(self):
        self.place()
        (self.folder / "build" / "setup.stamp").write_text("[1, 2")
        self.assertEqual(self.run_setup("--offline").returncode, 0)
        (self.folder / "tools" / "third_party.json").write_text("{")
        result = self.run_setup("--offline")
        self.assertEqual(result.returncode, 1)
        self.assertIn("third-party manifest", result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def test_unknown_group(self):
        self.assertEqual(self.run_setup("--group", "nonsense").returncode, 2)


if __name__ == "__main__":
    unittest.main()
