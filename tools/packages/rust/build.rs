// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The tinycontact authors
//
// Compiles the portable sources in csrc/, which `make packages` puts there.
use std::path::{Path, PathBuf};
use std::{env, fs};

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("tinycontact-sys: {}: {e}", folder.display()));
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().map_or(false, |e| e == ending))
        .collect();
    found.sort();
    found
}

fn main() {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let sources = here.join("csrc");
    let mut build = cc::Build::new();
    build.std("c11").warnings(false);
    // Enumerations are 32 bits wide in the bindings; bare-metal Arm compilers would pack them into bytes.
    for flag in ["-fno-short-enums", "-ffp-contract=off", "-fno-math-errno", "-ffunction-sections", "-fdata-sections"] {
        build.flag_if_supported(flag);
    }
    build.include(&sources).files(files(&sources, "c"));
    println!("cargo:rerun-if-changed={}", sources.display());
    build.compile("tinycontact");
    // sqrtf, where it is not an instruction
    if env::var("CARGO_CFG_TARGET_OS").unwrap() == "linux" {
        println!("cargo:rustc-link-lib=m");
    }
}
