/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Impacts of free bodies, as impacts of any mover.
 *
 * In space everything is turned into the body's axes, where the mass matrix is diagonal and stays
 * so for any ratios. Noise that is the same along all axes does not change by that.
 */
#include "tc_exact.h"
#include "tc_body.h"
#include "tc_identify_internal.h"
#include "tc_work.h"

#include <string.h>

/* Tangents t1, t2 of a unit normal: along the two axes that it is furthest from, made orthonormal. */
static void make_tangents(const tc_real n[3], tc_real t1[3], tc_real t2[3])
{
    const tc_real x = tc_vec_magnitude(n[0]), y = tc_vec_magnitude(n[1]);
    const tc_real z = tc_vec_magnitude(n[2]);
    const int least = x <= y && x <= z ? 0 : (y <= z ? 1 : 2);
    tc_real axis[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    axis[least] = TC_C(1.0);
    tc_vec_cross(axis, n, t1);
    const tc_real scale = TC_C(1.0) / tc_sqrt(tc_vec_dot3(t1, t1));
    for (int i = 0; i < 3; ++i) {
        t1[i] *= scale;
    }
    tc_vec_cross(n, t1, t2);
}

/* A row of J: the velocity along c of the point at the arm */
static void write_row3(const tc_real arm[3], const tc_real c[3], tc_real row[6])
{
    memcpy(row, c, 3u * sizeof *row);
    tc_vec_cross(arm, c, row + 3);
}

/* J[3n x 6] in the body's axes; R turns them into the world's. */
static void write_rows3(const tc_identify_touch3 *touch, const tc_real R[9], tc_real *J)
{
    tc_real n[3], t1[3], t2[3], arm[3];
    tc_mat3_vec_t(R, touch->normal, n);
    make_tangents(n, t1, t2);
    for (uint32_t i = 0; i < touch->n; ++i) {
        tc_mat3_vec_t(R, touch->arms + 3u * i, arm);
        write_row3(arm, n, J + 18u * i);
        write_row3(arm, t1, J + 18u * i + 6u);
        write_row3(arm, t2, J + 18u * i + 12u);
    }
}

IDENTIFY_APART static void write_parts3(const tc_body3 *body, uint32_t ratios, tc_real *M,
                                        tc_real *parts)
{
    M[0] = M[1] = M[2] = body->mass;
    memcpy(M + 3, body->inertia, sizeof body->inertia);
    for (uint32_t k = 0; k < ratios; ++k) {
        for (uint32_t i = 0; i < 6u; ++i) {
            const int mine = i >= 3u && (ratios == 1u || i == 3u + k);
            parts[6u * k + i] = mine ? M[i] : TC_C(0.0);
        }
    }
}

IDENTIFY_APART static tc_status check_touch3(const tc_body3 *body, const tc_identify_touch3 *touch)
{
    if (touch == NULL || touch->arms == NULL) {
        return TC_ERR_NULL;
    }
    if (touch->n - 1u >= TC_CONE3_MAX) {
        return TC_ERR_SIZE;
    }
    const tc_status status = tc_body3_check(body);
    if (status != TC_OK) {
        return status;
    }
    return tc_vec_is_unit(touch->normal, 3u) && tc_vec_is_unit(touch->orientation, 4u)
               ? TC_OK
               : TC_ERR_UNIT;
}

/* The measured rates and their deviations, in the body's axes: before, after, sd [6 each] */
static void write_rates3(const tc_identify_touch3 *touch, const tc_real R[9], tc_real *rates)
{
    for (uint32_t i = 0; i < 6u; i += 3u) {
        const tc_real sd = i == 0u ? touch->linear_sd : touch->angular_sd;
        tc_mat3_vec_t(R, touch->before + i, rates + i);
        tc_mat3_vec_t(R, touch->after + i, rates + 6u + i);
        rates[12u + i] = rates[13u + i] = rates[14u + i] = sd;
    }
}

IDENTIFY_APART static void write_touch3(const tc_identify_touch3 *touch, tc_real *rates, tc_real *J)
{
    tc_real R[9];
    tc_vec_rotation(touch->orientation, R);
    write_rates3(touch, R, rates);
    write_rows3(touch, R, J);
}

tc_status tc_identify_update_body3(tc_identify *identify, const tc_body3 *body,
                                   const tc_identify_touch3 *touch, tc_identify_estimate *estimate,
                                   tc_identify_info *info, tc_real *work, size_t work_len)
{
    tc_status status = identify == NULL || work == NULL ? TC_ERR_NULL : check_touch3(body, touch);
    if (status == TC_OK) {
        status = tc_work_check(work, work_len, TC_IDENTIFY_BODY3_WORK(touch->n));
    }
    if (status == TC_OK && (identify->config.ratios > 3u || identify->config.ratios == 2u)) {
        status = TC_ERR_UNSUPPORTED;
    }
    if (status != TC_OK) {
        return tci_identify_refuse(status, identify, estimate, info);
    }
    tc_real *const M = work, *const parts = M + 6, *const rates = parts + 18;
    tc_real *const J = rates + 18, *const rest = J + 18u * touch->n;
    write_parts3(body, identify->config.ratios, M, parts);
    write_touch3(touch, rates, J);
    const tc_identify_impact impact = {6u, touch->n, 3u,        1u,         M,         parts,
                                       J,  rates,    rates + 6, rates + 12, rates + 12};
    return tc_identify_update(identify, &impact, estimate, info, rest,
                              work_len - (size_t)(rest - work));
}

/* J[2n x 3]: of each contact the normal's and the tangent's row */
IDENTIFY_APART static void write_rows2(const tc_identify_touch2 *touch, tc_real *J)
{
    const tc_real x = touch->normal[0], y = touch->normal[1];
    for (uint32_t i = 0; i < touch->n; ++i) {
        const tc_real *const arm = touch->arms + 2u * i;
        tc_real *const row = J + 6u * i;
        row[0] = x;
        row[1] = y;
        row[2] = TC_MLS(arm[0] * y, arm[1], x);
        row[3] = -y;
        row[4] = x;
        row[5] = TC_MLA(arm[0] * x, arm[1], y);
    }
}

IDENTIFY_APART static tc_status check_touch2(const tc_body2 *body, const tc_identify_touch2 *touch)
{
    if (touch == NULL || touch->arms == NULL) {
        return TC_ERR_NULL;
    }
    if (touch->n - 1u >= TC_CONE_MAX) {
        return TC_ERR_SIZE;
    }
    const tc_status status = tc_body2_check(body);
    if (status != TC_OK) {
        return status;
    }
    return tc_vec_is_unit(touch->normal, 2u) ? TC_OK : TC_ERR_UNIT;
}

tc_status tc_identify_update_body2(tc_identify *identify, const tc_body2 *body,
                                   const tc_identify_touch2 *touch, tc_identify_estimate *estimate,
                                   tc_identify_info *info, tc_real *work, size_t work_len)
{
    tc_status status = identify == NULL || work == NULL ? TC_ERR_NULL : check_touch2(body, touch);
    if (status == TC_OK && identify->config.ratios > 1u) {
        status = TC_ERR_UNSUPPORTED;
    }
    if (status == TC_OK) {
        status = tc_work_check(work, work_len, TC_IDENTIFY_BODY2_WORK(touch->n));
    }
    if (status != TC_OK) {
        return tci_identify_refuse(status, identify, estimate, info);
    }
    tc_real *const M = work, *const part = M + 3, *const sd = part + 3, *const J = sd + 3;
    tc_real *const rest = J + 6u * touch->n;
    M[0] = M[1] = body->mass;
    M[2] = part[2] = body->inertia;
    part[0] = part[1] = TC_C(0.0);
    sd[0] = sd[1] = touch->linear_sd;
    sd[2] = touch->angular_sd;
    write_rows2(touch, J);
    const tc_identify_impact impact = {3u, touch->n,      2u,           1u, M, part,
                                       J,  touch->before, touch->after, sd, sd};
    return tc_identify_update(identify, &impact, estimate, info, rest,
                              work_len - (size_t)(rest - work));
}
