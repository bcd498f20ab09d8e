/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the tests of pairs share: poses from a quaternion in double.
 */
#ifndef POSE_CASE_H
#define POSE_CASE_H

#include "test.h"

/* The rotation of a quaternion of any length but 0 */
static inline void pose_rotation(const double q[4], tc_real rotation[9])
{
    const double n = 1 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        const double u = q[1 + i], v = q[1 + j], w = q[1 + k];
        rotation[4 * i] = (tc_real)(1 - 2 * n * (v * v + w * w));
        rotation[3 * i + j] = (tc_real)(2 * n * (u * v - q[0] * w));
        rotation[3 * i + k] = (tc_real)(2 * n * (u * w + q[0] * v));
    }
}

static inline void pose_set(tc_convex_pose *at, const double q[4], double x, double y, double z)
{
    pose_rotation(q, at->rotation);
    at->position[0] = (tc_real)x;
    at->position[1] = (tc_real)y;
    at->position[2] = (tc_real)z;
}

#endif
