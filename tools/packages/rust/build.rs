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

// CMSIS-DSP's functions that the kernels call, where `make packages PORT=cmsis-dsp` made this crate.
const CMSIS: [&str; 5] = [
    "MatrixFunctions/arm_mat_mult_f32.c",
    "MatrixFunctions/arm_mat_vec_mult_f32.c",
    "MatrixFunctions/arm_mat_cholesky_f32.c",
    "MatrixFunctions/arm_mat_solve_lower_triangular_f32.c",
    "BasicMathFunctions/arm_add_f32.c",
];

fn folder(variable: &str, what: &str) -> PathBuf {
    println!("cargo:rerun-if-env-changed={variable}");
    let path = PathBuf::from(env::var_os(variable).unwrap_or_default());
    if !path.join("Include").is_dir() {
        panic!("tinycontact-sys: {variable} names the folder of {what}, with Include in it; it is '{}'", path.display());
    }
    path
}

fn add_cmsis(build: &mut cc::Build) {
    let dsp = folder("TINYCONTACT_CMSIS_DSP", "CMSIS-DSP");
    for name in CMSIS {
        build.file(dsp.join("Source").join(name));
    }
    build.include(dsp.join("Include")).include(dsp.join("PrivateInclude"));
    if env::var("CARGO_CFG_TARGET_ARCH").unwrap() == "arm" {
        build.include(folder("TINYCONTACT_CMSIS_CORE", "CMSIS-Core").join("Include"));
    } else {
        build.define("__GNUC_PYTHON__", None); // plain C
    }
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
    if sources.join("tc_cmsis.h").is_file() {
        add_cmsis(&mut build);
    }
    println!("cargo:rerun-if-changed={}", sources.display());
    build.compile("tinycontact");
    // sqrtf, where it is not an instruction
    if env::var("CARGO_CFG_TARGET_OS").unwrap() == "linux" {
        println!("cargo:rustc-link-lib=m");
    }
}
