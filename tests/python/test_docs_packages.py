# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""`make packages`: the pages for Rust, PlatformIO, Arduino, ESP-IDF and CMSIS-Pack, and each package by the tool or a stand-in."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

import docs_case
from docs_case import ROOT

sys.path.insert(0, str(ROOT / "tools/packages"))
import rust_bindings  # noqa: E402
import rust_sizes  # noqa: E402

OUT = ROOT / "build/packages"
SAYS = "the box slips 101442 um in 202 ms and stands, status 0\nbits c5ae16b8\n"
VERSION = re.search(r'TC_VERSION_TEXT "(.*)"', (ROOT / "lib/base/tc_version.h").read_text(encoding="utf-8"))[1]
os.environ["CARGO_TARGET_DIR"] = str(ROOT / "build/cargo")   # the C sources are compiled once for the page and the crate


def call(*command, cwd=ROOT):
    done = subprocess.run([str(word) for word in command], cwd=cwd, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise AssertionError(f"{command[0]}: exit {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def newest_archive():
    """The C library that cargo made for the page, or makes now where this test runs alone."""
    def found():
        return [*ROOT.glob("build/cargo/debug/build/tinycontact-sys-*/out/libtinycontact.a")]
    if not found():
        call("cargo", "build", "--quiet", "--manifest-path", OUT / "rust/tinycontact-sys/Cargo.toml")
    return max(found(), key=lambda path: path.stat().st_mtime)


class Rust(docs_case.Reader):
    PAGE = "docs/start/rust.md"

    def test_it_prints_what_the_page_shows(self):
        self.assertEqual(self.printed_by("cargo run"), re.search(r"```text\n(.*?)```", self.text, re.S)[1])

    def test_the_crate(self):
        """Layouts, workspaces and the bits of the example."""
        said = call("cargo", "test", "--quiet", "--manifest-path", self.path("Cargo.toml"), "-p", "tinycontact-sys", "--tests")
        self.assertEqual(len(re.findall(r"test result: ok\. [12] passed; 0 failed", said)), 3, said)

    def test_it_brings_what_it_compiles(self):
        files = call("cargo", "package", "--list", "--allow-dirty", "--manifest-path", OUT / "rust/tinycontact-sys/Cargo.toml").split()
        for name in ("csrc/tc_mat.c", "csrc/tinycontact.h", "src/bindings.rs", "build.rs", "LICENSE"):
            self.assertIn(name, files)


class RustIsTheHeaders(unittest.TestCase):
    def test_every_function_is_there(self):
        known = rust_bindings.Bindings()
        bound = {name for name, _ in [*known.functions, *known.statics]}
        listed = set(re.findall(r"^#define (tc_\w+) TC_NAME", (ROOT / "lib/base/tc_config_names.h").read_text(encoding="utf-8"), re.M))
        self.assertEqual(bound, listed)

    def test_types(self):
        for c, rust in (("const tc_real *", "*const tc_real"), ("tc_real", "tc_real"), ("const char *", "*const c_char"),
                        ("const struct tc_sdf *const *", "*const *const tc_sdf"), ("uint8_t *", "*mut u8"), ("size_t", "usize")):
            self.assertEqual(rust_bindings.pointer_to(c), rust)
        self.assertEqual(rust_bindings.parameter("const tc_real p[3]"), ("p", "*const tc_real"))
        self.assertEqual(rust_bindings.parameter("tc_real A[3][4]"), ("A", "*mut [tc_real; 4]"))
        self.assertEqual([*rust_bindings.fields("uint16_t n_in, n_out; tc_real R[3][2]; int (*turn)(void *who, int type);")],
                         [("n_in", "u16"), ("n_out", "u16"), ("R", "[[tc_real; 2]; 3]"),
                          ("turn", 'Option<unsafe extern "C" fn(who: *mut c_void, type_: c_int) -> c_int>')])
        with self.assertRaises(rust_bindings.Unknown):
            rust_bindings.pointer_to("long double")

    def test_expressions(self):
        for c, rust in (("(2u * (n) + 1u)", "((2 * n) + 1)"), ("(a) > 3u ? (a) : 3u", "(if (a > 3) { a } else { 3 })"),
                        ("TC_X((n) - 1u, m) * 2u", "(TC_X((n - 1), m) * 2)")):
            self.assertEqual(rust_sizes.Expression(c).text, rust)
        for text in ("sizeof(x)", "a +", "a ? b", "f(a"):
            with self.assertRaises((ValueError, TypeError)):
                rust_sizes.Expression(text)

    def test_left_out_is_what_the_page_says(self):
        *_, left = rust_sizes.macros()
        for name in left:
            self.assertRegex(name, "SCENE|IDENTIFY|TWOPHASE|IMPACT")


class Tools(docs_case.Reader):
    PAGE = "docs/start/platformio.md"

    def test_page_shows_the_bits(self):
        self.assertIn(SAYS.replace("c5ae16b8", "C5AE16B8"), self.text)
        for name in re.findall(r"`(build/packages/\S+)`", self.text):
            self.assertTrue((ROOT / name).exists(), name)

    def test_versions_are_one(self):
        said = {json.loads((OUT / "platformio/tinycontact/library.json").read_text())["version"],
                re.search(r"^version=(.*)$", (OUT / "arduino/tinycontact/library.properties").read_text(), re.M)[1],
                re.search(r'^version = "(.*)"', (OUT / "rust/tinycontact-sys/Cargo.toml").read_text(), re.M)[1],
                re.search(r'^version: "(.*)"', (ROOT / "idf_component.yml").read_text(), re.M)[1]}
        self.assertEqual(said, {VERSION})

    def test_arduino(self):
        """The keys of the specification, and the sketch as C++, linked with what cargo makes of the same sources."""
        folder = OUT / "arduino/tinycontact"
        keys = re.findall(r"^(\w+)=.+$", (folder / "library.properties").read_text(), re.M)
        self.assertEqual(sorted(keys), sorted("name version author maintainer sentence paragraph category url architectures includes".split()))
        with zipfile.ZipFile(OUT / f"arduino/tinycontact-{VERSION}.zip") as packed:
            self.assertEqual(len(packed.namelist()), sum(1 for path in folder.rglob("*") if path.is_file()))
        sketch = folder / "examples/Slide"
        self.assertEqual({path.name for path in folder.glob("src/*.[ch]")}, {path.name for path in OUT.glob("rust/*/csrc/*.[ch]")})
        archive = newest_archive()
        with tempfile.TemporaryDirectory() as there:
            call("gcc", "-std=gnu11", "-c", f"-I{folder}/src", sketch / "slide.c", cwd=there)
            call("g++", "-std=gnu++14", "-Wall", "-Wextra", "-Werror", f"-I{folder}/src", f"-I{sketch}", f'-DSKETCH="{sketch}/Slide.ino"',
                 ROOT / "tests/packages/arduino/main.cpp", "slide.o", archive, "-lm", "-o", "main", cwd=there)
            self.assertTrue(call(f"{there}/main").endswith(SAYS.replace("c5ae16b8", "C5AE16B8")))

    def test_platformio(self):
        """Every file that the manifest names is there."""
        folder = OUT / "platformio/tinycontact"
        manifest = json.loads((folder / "library.json").read_text(encoding="utf-8"))
        for example in manifest["examples"]:
            for name in example["files"]:
                self.assertTrue((folder / example["base"] / name).is_file(), name)
        self.assertTrue((folder / "src" / manifest["headers"]).is_file())
        self.assertLessEqual({"name", "version", "description", "keywords", "license", "authors"}, set(manifest))
        call("gcc", "-fsyntax-only", *manifest["build"]["flags"], f"-I{folder}/src", *folder.glob("examples/slide/src/*.c"))

    def test_esp_idf(self):
        """Over a stand-in: the portable sources and public folders; nothing globbed while names of components are asked."""
        with tempfile.TemporaryDirectory() as there:
            call("cmake", "-S", ROOT / "tests/packages/esp_idf", "-B", there, "-G", "Ninja", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
            entries = json.loads((Path(there) / "compile_commands.json").read_text(encoding="utf-8"))
            named = {os.path.relpath(entry["file"], ROOT) for entry in entries}
            self.assertLessEqual({path.relative_to(ROOT).as_posix() for path in (ROOT / "lib").glob("*/*.c")}, named)
            self.assertEqual({name.split("/")[1] for name in named if name.startswith("port/")}, {"portable"})
            example = next(entry["command"] for entry in entries if entry["file"].endswith("slide.c"))
            call("sh", "-c", re.sub(r" -o \S+", " -fsyntax-only", example), cwd=there)
            script = Path(there) / "early.cmake"
            script.write_text("set(CMAKE_BUILD_EARLY_EXPANSION TRUE)\nset(ESP_PLATFORM TRUE)\nfunction(idf_component_register)\n"
                              "  message(STATUS \"registered ${ARGN}\")\nendfunction()\nfunction(target_compile_options)\nendfunction()\n"
                              f'include("{ROOT}/CMakeLists.txt")\n')
            self.assertIn("registered SRCS", call("cmake", "-P", script))

    def test_cmsis_pack(self):
        with zipfile.ZipFile(OUT / f"cmsis-pack/tinycontact.tinycontact.{VERSION}.pack") as packed:
            names = set(packed.namelist())
            root = xml.fromstring(packed.read("tinycontact.tinycontact.pdsc"))
        files = [file.get("name") for file in root.iter("file")]
        self.assertEqual({name for name in files if not name.endswith("/")} | {"LICENSE", "README.md", "tinycontact.tinycontact.pdsc"}, names)
        self.assertEqual([child.tag for child in root], ["vendor", "name", "description", "url", "license", "releases", "keywords",
                                                         "conditions", "components"])
        self.assertEqual(root.find("releases/release").get("version"), VERSION)
        self.assertIn(root.find("components/component").get("condition"), [c.get("id") for c in root.iter("condition")])


class Cmsis(unittest.TestCase):
    """PORT=cmsis-dsp: a package whose kernels call what nobody brings."""

    @classmethod
    def setUpClass(cls):
        call("make", "-s", "packages", "PORT=cmsis-dsp")
        cls.out = OUT / "cmsis-dsp"

    def test_each_asks_for_cmsis_dsp(self):
        self.assertIn("\ndepends=Arduino_CMSIS-DSP\n", (self.out / "arduino/tinycontact/library.properties").read_text())
        root = xml.parse(self.out / "cmsis-pack/tinycontact/tinycontact.tinycontact.pdsc").getroot()
        self.assertEqual({"Cclass": "CMSIS", "Cgroup": "DSP"}, root.find("conditions/condition/require").attrib)
        listed = {file.get("name") for file in root.iter("file")}
        for source in ("src/tc_kernel_mat_mul.c", "src/tc_cmsis.h"):
            self.assertIn(source, listed)
        self.assertIn("arm_add_f32.c", (self.out / "platformio/tinycontact/README.md").read_text())
        self.assertIn("TINYCONTACT_CMSIS_DSP", (self.out / "rust/tinycontact-sys/build.rs").read_text())
        self.assertTrue((self.out / "rust/tinycontact-sys/csrc/tc_cmsis.h").is_file())
        self.assertFalse((OUT / "rust/tinycontact-sys/csrc/tc_cmsis.h").exists())

    def test_the_kernels_compile_with_cmsis_dsp(self):
        """Those of the crate with the files of CMSIS-DSP that its build script names, for an M4F."""
        script = (self.out / "rust/tinycontact-sys/build.rs").read_text()
        sources = [ROOT / "build/third_party/CMSIS-DSP/Source" / name for name in re.findall(r'"(\w+/arm_\w+\.c)"', script)]
        self.assertEqual(len(sources), 5)
        csrc, third = self.out / "rust/tinycontact-sys/csrc", ROOT / "build/third_party"
        with tempfile.TemporaryDirectory() as there:
            call("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-O1", "-c", f"-I{csrc}",
                 f"-I{third}/CMSIS-DSP/Include", f"-I{third}/CMSIS-DSP/PrivateInclude", f"-I{third}/CMSIS-Core/Include",
                 *csrc.glob("tc_kernel_mat_*.c"), csrc / "tc_mat.c", csrc / "tc_mat_solve.c", *sources, cwd=there)
            call("arm-none-eabi-ld", "-r", *Path(there).glob("*.o"), "-o", "all.o", cwd=there)
            missing = set(re.findall(r" U (\w+)", call("arm-none-eabi-nm", "all.o", cwd=there)))
            self.assertEqual({name for name in missing if "arm_" in name or "kernel" in name}, set())

    def test_another_backend_is_refused(self):
        done = subprocess.run(["make", "-s", "packages", "PORT=helium"], cwd=ROOT, text=True, capture_output=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("PORT=cmsis-dsp", done.stderr)


if __name__ == "__main__":
    unittest.main()
