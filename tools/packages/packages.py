#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Packages made of the flat folder: make packages.

    tools/packages/packages.py build/packages [cmsis-dsp]

    arduino/tinycontact              a library for the Arduino IDE, also as tinycontact-VERSION.zip
    platformio/tinycontact           a library for PlatformIO
    cmsis-pack/tinycontact.*.pack    for Keil MDK, CubeIDE's and csolution's pack managers
    rust/tinycontact-sys             a crate with its C sources inside

Each has the portable sources, the example that slides a box, and the licence. With cmsis-dsp the matrix kernels call
CMSIS-DSP, which each tool brings in its own way.
"""
import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

import flat
import rust_bindings

ROOT = flat.ROOT
HERE = Path(__file__).resolve().parent
EXAMPLE = HERE / "example"
TITLE = "Contact models for microcontrollers"
SENTENCE = "Estimates and predicts the contacts of a robot's foot or fingertip, in fixed memory and bounded time."
EPOCH = (1980, 1, 1, 0, 0, 0)   # of every file in an archive: the same sources make the same bytes
# Arduino's cores with 32-bit integers and IEEE 754 floats; AVR has neither room nor a 32-bit int.
ARCHITECTURES = ("esp32", "mbed", "mbed_giga", "mbed_nano", "mbed_nicla", "mbed_opta", "mbed_portenta", "mbed_rp2040",
                 "nrf52", "renesas_portenta", "renesas_uno", "rp2040", "sam", "samd", "stm32", "teensy", "zephyr")
SKETCH = """/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A box slides on a floor until friction stops it. The last line has the same bits on every board.
 */
#include <tinycontact.h>

#include "slide.h"

void setup()
{
    Serial.begin(115200);
}

void loop()
{
    const slide_result r = slide();
    Serial.print(r.version);
    Serial.print(", self-check: ");
    Serial.println(r.selfcheck);
    Serial.print("the box slips ");
    Serial.print(r.distance_um);
    Serial.print(" um in ");
    Serial.print(r.slipped_ms);
    Serial.print(" ms and stands, status ");
    Serial.println(r.status);
    Serial.print("bits ");
    Serial.println(r.bits, HEX);
    delay(2000);
}
"""


def portable(port=""):
    """What Make compiles with its defaults, and with all kernels of a backend."""
    done = subprocess.run(["make", "-s", "lib-choices", "BOARD=host", "CPU=", f"PORT={port}", "TC_CONFIG=", "PROFILE=exact"], cwd=ROOT,
                          text=True, capture_output=True, check=True)
    return flat.Choices(done.stdout.splitlines())


def calls_cmsis(choices):
    return any(source.startswith("port/cmsis-dsp/") for source in choices.words("source"))


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def archive(target, folder, top):
    """A zip with the folder's files below `top`, its bytes made of theirs alone."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            info = zipfile.ZipInfo(f"{top}{path.relative_to(folder).as_posix()}", EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, path.read_bytes())


def arduino(out, choices):
    folder = fresh(out / "arduino") / "tinycontact"
    flat.write(folder / "src", choices)
    for name in ("LICENSE", "README.md"):
        shutil.move(folder / "src" / name, folder / name)
    lines = {"name": "tinycontact", "version": flat.version(), "author": "The tinycontact authors",
             "maintainer": "The tinycontact authors", "sentence": SENTENCE,
             "paragraph": "C11 without heap; the same bits on the desktop and on the board.", "category": "Data Processing",
             "url": "https://example.com/tinycontact", "architectures": ",".join(ARCHITECTURES), "includes": "tinycontact.h"}
    if calls_cmsis(choices):
        lines["depends"] = "Arduino_CMSIS-DSP"
    (folder / "library.properties").write_text("".join(f"{key}={value}\n" for key, value in lines.items()), encoding="utf-8")
    sketch = folder / "examples/Slide"
    sketch.mkdir(parents=True)
    (sketch / "Slide.ino").write_text(SKETCH, encoding="utf-8")
    for name in ("slide.c", "slide.h"):
        shutil.copy(EXAMPLE / name, sketch)
    archive(out / f"arduino/tinycontact-{flat.version()}.zip", folder, "tinycontact/")


def platformio(out, choices):
    folder = fresh(out / "platformio") / "tinycontact"
    flat.write(folder / "src", choices)
    for name in ("LICENSE", "README.md"):
        shutil.move(folder / "src" / name, folder / name)
    example = folder / "examples/slide"
    (example / "src").mkdir(parents=True)
    for name in ("slide.c", "slide.h", "main.c"):
        shutil.copy(EXAMPLE / name, example / "src")
    (example / "platformio.ini").write_text("[env:native]\nplatform = native\nlib_deps = tinycontact\n", encoding="utf-8")
    (folder / "library.json").write_text(json.dumps({
        "$schema": "https://raw.githubusercontent.com/platformio/platformio-core/develop/platformio/assets/schema/library.json",
        "name": "tinycontact", "version": flat.version(), "description": SENTENCE,
        "keywords": ["robotics", "contact", "estimation", "control"], "license": "MIT", "frameworks": "*", "platforms": "*",
        "authors": [{"name": "The tinycontact authors", "maintainer": True}],
        "headers": "tinycontact.h", "build": {"flags": ["-ffp-contract=off", "-DTC_CONTRACT_OFF", "-fno-math-errno"]},
        "examples": [{"name": "Slide", "base": "examples/slide", "files": ["platformio.ini", "src/main.c", "src/slide.c", "src/slide.h"]}],
    }, indent=2) + "\n", encoding="utf-8")


def element(parent, tag, text=None, **attributes):
    made = xml.SubElement(parent, tag, {name: str(value) for name, value in attributes.items()})
    made.text = text
    return made


def description(files, cmsis=False):
    """The .pdsc: one component with every file; cmsis: it needs the pack that has CMSIS-DSP."""
    root = xml.Element("package", {"schemaVersion": "1.7.7", "xmlns:xs": "http://www.w3.org/2001/XMLSchema-instance",
                                   "xs:noNamespaceSchemaLocation": "https://raw.githubusercontent.com/Open-CMSIS-Pack/"
                                   "Open-CMSIS-Pack-Spec/v1.7.7/schema/PACK.xsd"})
    for tag, text in (("vendor", "tinycontact"), ("name", "tinycontact"), ("description", TITLE),
                      ("url", "https://example.com/tinycontact/"), ("license", "LICENSE")):
        element(root, tag, text)
    element(element(root, "releases"), "release", f"Version {flat.version()}", version=flat.version(), date="2026-11-20")
    element(element(root, "keywords"), "keyword", "contact")
    wanted = [xml.Element("require", {"Cclass": "CMSIS", "Cgroup": "DSP"})] if cmsis else []
    element(element(root, "conditions"), "condition", id="Cortex-M").extend(
        [xml.Element("description"), xml.Element("accept", {"Dcore": "Cortex-M*"}), *wanted])
    root.find("conditions/condition/description").text = "any Cortex-M"
    component = element(element(root, "components"), "component", Cclass="Robotics", Cgroup="tinycontact",
                        Cversion=flat.version(), condition="Cortex-M")
    element(component, "description", SENTENCE)
    listed = element(component, "files")
    element(listed, "file", category="include", name="src/")
    for name in sorted(files):
        element(listed, "file", category="source" if name.endswith(".c") else "header", name=f"src/{name}")
    xml.indent(root)
    return xml.tostring(root, encoding="unicode", xml_declaration=True).replace("'", '"') + "\n"


def cmsis_pack(out, choices):
    there = fresh(out / "cmsis-pack")
    folder = there / "tinycontact"
    flat.write(folder / "src", choices)
    for name in ("LICENSE", "README.md"):
        shutil.move(folder / "src" / name, folder / name)
    (folder / "tinycontact.tinycontact.pdsc").write_text(description((path.name for path in (folder / "src").iterdir()), calls_cmsis(choices)),
                                                             encoding="utf-8")
    archive(there / f"tinycontact.tinycontact.{flat.version()}.pack", folder, "")


def rust(out, choices):
    folder = fresh(out / "rust") / "tinycontact-sys"
    shutil.copytree(HERE / "rust", folder, ignore=shutil.ignore_patterns("target", "Cargo.lock"))
    flat.write(folder / "csrc", choices)
    shutil.copy(ROOT / "LICENSE", folder)
    rust_bindings.write(folder)


def settle(made, folder):
    """`made` takes the place of `folder`, which stays with its times where it has the same files: cargo compiles by times."""
    texts = [{path.relative_to(top): path.read_bytes() for path in top.rglob("*") if path.is_file()} for top in (made, folder)]
    if texts[0] == texts[1]:
        shutil.rmtree(made)
        return
    shutil.rmtree(folder, ignore_errors=True)
    made.rename(folder)


def main(words):
    out, port = Path(words[0]), (words[1:] or [""])[0]
    if port not in ("", "cmsis-dsp"):
        sys.exit(f"packages: PORT={port}: packages have portable sources, or PORT=cmsis-dsp")
    choices = portable(port)
    made = fresh(out.with_name(out.name + ".tmp"))
    for make in (arduino, platformio, cmsis_pack, rust):
        make(made, choices)
    out.mkdir(parents=True, exist_ok=True)
    for folder in made.iterdir():
        settle(folder, out / folder.name)
    made.rmdir()
    print(f"{out}: " + ", ".join(sorted(path.relative_to(out).as_posix() for pattern in ("*/*.zip", "*/*.pack", "*/*/library.json", "*/*/Cargo.toml")
                                        for path in out.glob(pattern))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
