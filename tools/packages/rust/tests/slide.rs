// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The tinycontact authors
//! A box slides on a floor until friction stops it: the example of the C packages, with its bits.
use std::ffi::CStr;
use std::mem::zeroed;
use tinycontact_sys::*;

static CORNERS: [tc_real; 8] = [-0.1, -0.06, 0.1, -0.06, 0.1, 0.06, -0.1, 0.06]; // counter-clockwise [m]
static WEIGHT: [tc_real; 3] = [0.0, -9.81, 0.0]; // force and torque [N], [N m]

fn add_bits(hash: u32, state: &tc_body2_state) -> u32 {
    let words = state.position.iter().chain(&state.velocity);
    words.fold(hash, |hash, word| (hash ^ word.to_bits()).wrapping_mul(16777619))
}

#[test]
fn slides_with_the_bits_of_c() {
    let mut work = [0.0; sizes::TC_FOOT2_WORK(0) + 1];
    let (mut bits, mut slipped) = (2166136261u32, 0);
    unsafe {
        assert_eq!(tc_selfcheck(), 0);
        println!("{}", CStr::from_ptr(tc_version_text()).to_str().unwrap());
        let friction = tc_friction2_default(0.5);
        let model = tc_friction2_model(&friction);
        let body = tc_body2 { mass: 1.0, inertia: 0.00453333 };
        let mut foot: tc_foot2 = zeroed();
        assert_eq!(tc_foot2_init(&mut foot, &body, 0.001, &model), tc_status::TC_OK);
        foot.shape = tc_shape2 { vertices: CORNERS.as_ptr(), count: 4, radius: 0.0 };
        assert_eq!(tc_foot2_check(&foot), tc_status::TC_OK);
        let mut state = tc_body2_state { position: [0.0, 0.06, 0.0], velocity: [1.0, 0.0, 0.0] };
        let mut info: tc_foot2_info = zeroed();
        for _ in 0..1000 {
            let status = tc_foot2_step(&foot, WEIGHT.as_ptr(), &mut state, &mut info, work.as_mut_ptr(), work.len());
            assert!(status.0 >= 0);
            bits = add_bits(bits, &state);
            slipped += (info.decision.branch == tc_learned_class::TC_LEARNED_DYNAMIC) as u32;
        }
        println!("the box slips {:.0} um in {slipped} ms and stands", state.position[0] * 1e6);
        println!("bits {bits:08x}");
    }
    assert_eq!((slipped, bits), (202, 0xc5ae16b8));
}

#[test]
fn refuses_as_c_does() {
    unsafe {
        let status = tc_foot2_check(std::ptr::null());
        assert_eq!(status, tc_status::TC_ERR_NULL);
        assert_eq!(CStr::from_ptr(tc_status_name(status)).to_str(), Ok("TC_ERR_NULL"));
    }
}
