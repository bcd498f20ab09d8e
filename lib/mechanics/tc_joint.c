/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * E^T S = Q [R; 0] by Householder reflections H_i = I - s_i y_i y_i^T, S the order of rows. y_i is
 * stored in row order[i] from its column i on. R's diagonal would need a place of its own; instead
 * R's columns are in E before y_i begins, and r_ii is in the second half of scale.
 *
 * With Q = H_0 ... H_(r-1): x -> Q^T x, 0 in the first r places, Q x is (I - P) x. E x = b is
 * R^T z = S^T b, x = Q [z; 0].
 */
#include "tc_exact.h"
#include "tc_joint.h"

#include "tc_math.h"
#include "tc_vec.h"

/* A row's rest that is rounding, of its length: kinematics leave some 10 TC_EPSILON, and other rows
 * at small angles amplify it. */
#define DEPENDENT (TC_C(1000.0) * TC_EPSILON)

static tc_real *pivot_row(const tc_joint_rows *joint, uint32_t i)
{
    return joint->E + (size_t)joint->order[i] * joint->d;
}

static tc_real square_from(const tc_real *x, uint32_t from, uint32_t to)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t c = from; c < to; ++c) sum = TC_MLA(sum, x[c], x[c]);
    return sum;
}

/* x <- H_i x */
static void reflect_by(const tc_joint_rows *joint, uint32_t i, tc_real *x)
{
    const tc_real *const y = pivot_row(joint, i);
    tc_real sum = TC_C(0.0);
    for (uint32_t c = i; c < joint->d; ++c) sum = TC_MLA(sum, y[c], x[c]);
    sum *= joint->scale[i];
    for (uint32_t c = i; c < joint->d; ++c) x[c] = TC_MLS(x[c], sum, y[c]);
}

/* The row with the largest rest from column i on, to place i; returns 0 if every rest is rounding */
static int choose_row(tc_joint_rows *joint, uint32_t i)
{
    tc_real most = TC_C(0.0);
    uint32_t best = i;
    for (uint32_t r = i; r < joint->k; ++r) {
        const tc_real *const row = pivot_row(joint, r);
        const tc_real rest = square_from(row, i, joint->d);
        const tc_real whole = rest + square_from(row, 0, i);
        if (rest > DEPENDENT * DEPENDENT * whole && rest > most) {
            most = rest;
            best = r;
        }
    }
    const uint8_t other = joint->order[i];
    joint->order[i] = joint->order[best];
    joint->order[best] = other;
    return most > TC_C(0.0);
}

/* Turns row i into its reflector; R's diagonal goes to scale[k + i]. */
static void make_reflector(tc_joint_rows *joint, uint32_t i)
{
    tc_real *const y = pivot_row(joint, i);
    const tc_real length = tc_sqrt(square_from(y, i, joint->d));
    const tc_real signed_length = y[i] > TC_C(0.0) ? -length : length;
    y[i] -= signed_length;
    joint->scale[i] = TC_C(2.0) / square_from(y, i, joint->d);
    joint->scale[joint->k + i] = signed_length;
}

static tc_status check_joint_rows(const tc_real *E, uint32_t k, uint32_t d, const tc_real *scale)
{
    if (k > TC_JOINT_ROWS_MAX || d - 1u >= TC_JOINT_RATES_MAX) return TC_ERR_SIZE;
    if (k == 0u) return TC_OK;
    if (E == NULL || scale == NULL) return TC_ERR_NULL;
    return tc_all_finite(E, k * d) ? TC_OK : TC_ERR_NOT_FINITE;
}

tc_status tc_joint_factor(tc_joint_rows *joint, tc_real *E, uint32_t k, uint32_t d, tc_real *scale)
{
    if (joint == NULL) return TC_ERR_NULL;
    *joint = (tc_joint_rows){.d = d};
    const tc_status status = check_joint_rows(E, k, d, scale);
    if (status < TC_OK) return status;
    joint->k = k;
    joint->E = E;
    joint->scale = scale;
    for (uint32_t r = 0; r < k; ++r) joint->order[r] = (uint8_t)r;
    while (joint->rank < k && joint->rank < d && choose_row(joint, joint->rank)) {
        make_reflector(joint, joint->rank);
        for (uint32_t r = joint->rank + 1u; r < k; ++r) {
            reflect_by(joint, joint->rank, pivot_row(joint, r));
        }
        ++joint->rank;
    }
    return TC_OK;
}

void tc_joint_project(const tc_joint_rows *joint, tc_real *x)
{
    for (uint32_t i = 0; i < joint->rank; ++i) reflect_by(joint, i, x);
    for (uint32_t i = 0; i < joint->rank; ++i) x[i] = TC_C(0.0);
    for (uint32_t i = joint->rank; i-- > 0u;) reflect_by(joint, i, x);
}

/* Row order[i] has, before its reflector, R's column i: r_0i .. r_(i-1)i. */
void tc_joint_solve(const tc_joint_rows *joint, tc_real *b, tc_real *x)
{
    for (uint32_t i = 0; i < joint->rank; ++i) {
        const tc_real *const row = pivot_row(joint, i);
        tc_real sum = b[joint->order[i]];
        for (uint32_t c = 0; c < i; ++c) sum = TC_MLS(sum, row[c], x[c]);
        x[i] = sum / joint->scale[joint->k + i];
    }
    for (uint32_t c = joint->rank; c < joint->d; ++c) x[c] = TC_C(0.0);
    for (uint32_t i = joint->rank; i-- > 0u;) reflect_by(joint, i, x);
}
