/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Distances of a pair of shapes at many poses in one call (tools/tinycontact/shape/distance.py).
 * Host only.
 *
 * All numbers cross in double, SI, whatever tc_real is. Positions are taken relative to b before
 * they are rounded, so a pair far from the world's origin loses nothing.
 */
#ifndef NATIVE_MEET_H
#define NATIVE_MEET_H

#include "sdf.h"

TC_BEGIN

#define NATIVE_MEET_POSES 24u /* numbers of a pair's poses: R of a, position of a, those of b */
#define NATIVE_MEET_GAP 11u   /* distance, normal, point of a, point of b, steps */

/* poses[n][NATIVE_MEET_POSES] to status[n], gap[n][NATIVE_MEET_GAP], by_parameters[n][those of a,
 * then of b] and by_pose[n][12] of a, then b. The last two may be null; rows without an answer are
 * zero. rule: a tc_meet_rule. */
void native_meet(native_sdf *a, native_sdf *b, const double *poses, uint32_t n, int32_t rule,
                 int32_t *status, double *gap, double *by_parameters, double *by_pose);

TC_END

#endif
