// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The tinycontact authors
//! Bindings to the C library tinycontact: contact models for microcontrollers, without heap.
//!
//! Every public function, type and constant has its C name. What a function wants and returns is in the C header of the
//! same name. Enumerations are structs with one number, because a board may send any number: `tc_status::TC_OK`.
//!
//! The macros for workspaces are `const fn`s of the same names in [`sizes`]:
//!
//! ```
//! use tinycontact_sys::*;
//! static mut STATE: [tc_real; sizes::TC_ESTIMATOR_STATE(2)] = [0.0; sizes::TC_ESTIMATOR_STATE(2)];
//! assert_eq!(unsafe { tc_selfcheck() }, 0);
//! ```
#![no_std]
#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals)]
#![allow(clippy::all)]

mod bindings;
pub mod sizes;
pub use bindings::*;
