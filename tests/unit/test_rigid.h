/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the tests of bodies, patches and detectors share: vectors and turns, written otherwise than
 * in the library (q v q*, not matrices), and random poses.
 */
#ifndef TEST_RIGID_H
#define TEST_RIGID_H

#include "test.h"

static inline tc_real rigid_nan(void)
{
    const volatile tc_real zero = 0;
    return zero / zero;
}

static inline tc_real rigid_infinity(void)
{
    const volatile tc_real zero = 0;
    return 1 / zero;
}

static inline tc_real dot(const tc_real *a, const tc_real *b, uint32_t n)
{
    tc_real sum = 0;
    for (uint32_t i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* c = a x b; c may be one of them */
static inline void cross(const tc_real *a, const tc_real *b, tc_real *c)
{
    const tc_real result[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                               a[0] * b[1] - a[1] * b[0]};
    memcpy(c, result, sizeof result);
}

/* v turned by the unit quaternion q: v + 2 w (u x v) + 2 u x (u x v); result may be v */
static inline void turn(const tc_real *q, const tc_real *v, tc_real *result)
{
    tc_real first[3], second[3];
    cross(q + 1, v, first);
    cross(q + 1, first, second);
    for (int i = 0; i < 3; ++i) {
        result[i] = v[i] + 2 * (q[0] * first[i] + second[i]);
    }
}

static inline void turn_back(const tc_real *q, const tc_real *v, tc_real *result)
{
    const tc_real conjugate[4] = {q[0], -q[1], -q[2], -q[3]};
    turn(conjugate, v, result);
}

/* result = p q, another array than both */
static inline void quaternion_multiply(const tc_real *p, const tc_real *q, tc_real *result)
{
    tc_real vector[3];
    cross(p + 1, q + 1, vector);
    result[0] = p[0] * q[0] - dot(p + 1, q + 1, 3);
    for (int i = 1; i < 4; ++i) {
        result[i] = p[0] * q[i] + q[0] * p[i] + vector[i - 1];
    }
}

static inline void random_quaternion(tc_real *q)
{
    tc_real length2;
    do {
        test_fill(q, 4, -1, 1);
        length2 = dot(q, q, 4);
    } while (length2 < TC_C(0.1) || length2 > 1);
    for (int i = 0; i < 4; ++i) {
        q[i] /= tc_sqrt(length2);
    }
}

/* The whole world turned by q about its origin, as far as this body goes */
static inline void turn_state(const tc_real *q, tc_body3_state *state)
{
    tc_real whole[4];
    quaternion_multiply(q, state->orientation, whole);
    memcpy(state->orientation, whole, sizeof whole);
    turn(q, state->position, state->position);
    turn(q, state->velocity, state->velocity);
    turn(q, state->velocity + 3, state->velocity + 3);
}

#endif
