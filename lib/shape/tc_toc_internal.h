/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the time of contact and its derivatives share. Not for users.
 */
#ifndef TC_TOC_INTERNAL_H
#define TC_TOC_INTERNAL_H

#include "tc_toc.h"

#include "tc_vec.h"

/* exp(h [w]): what a body turns in h */
void tci_toc_turn(const tc_toc_motion *motion, tc_real h, tc_real turn[9]);

/* The public function without its checks */
void tci_toc_pose(const tc_toc_motion *motion, tc_real h, tc_convex_pose *pose);

/* The velocity at h of the body's point that is at `point` then, world axes */
void tci_toc_velocity(const tc_toc_motion *motion, const tc_convex_pose *pose, tc_real h,
                      const tc_real point[3], tc_real velocity[3]);

/* TC_OK or what a motion has against it */
tc_status tci_toc_check(const tc_toc_motion *motion);

#endif
