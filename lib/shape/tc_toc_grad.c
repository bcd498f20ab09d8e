/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Derivatives of the time of contact.
 *
 * With p the contact, r = p - x(h) and m = r x n, the distance of the pair changes with a's motion
 * by
 *
 *     position  n        velocity          h n                acceleration  h^2 n / 2
 *     rotation  E' m     angular velocity  h J(h w)' m        E = exp(h [w])
 *
 * and with b's by the same of opposite sign. A turn d of the pose at h = 0 is the turn E d at h. A
 * change dw of the angular velocity turns the body at h by h J(h w) dw, with the left Jacobian
 *
 *     J(f) = I + c1 [f] + c2 [f]^2,   c1 = (1 - cos|f|) / |f|^2,  c2 = (|f| - sin|f|) / |f|^3.
 *
 * With s = sinc(|f| / 2): c1 = s^2 / 2, and sin|f| / |f| = s cos(|f| / 2). Small angles take the
 * series of c2, whose first term left out is |f|^10 / 6.2e9.
 *
 * Several contacts: paper 004, equation 7, of those that approach.
 */
#include "tc_exact.h"
#include "tc_toc.h"

#include "tc_meet_internal.h"
#include "tc_toc_internal.h"

/* [rad2] up to here c2 by its series */
#define TOC_SERIES TC_C(0.5)

/* ---- Rows ------------------------------------------------------------------------------------ */

/* y = J(f)' m */
static void jacobian_back(const tc_real f[3], const tc_real m[3], tc_real y[3])
{
    const tc_real square = tc_vec_dot3(f, f);
    tc_real cosine, sinc, once[3], twice[3];
    tc_vec_half_turn(TC_C(0.25) * square, &cosine, &sinc);
    const tc_real c1 = TC_C(0.5) * sinc * sinc;
    tc_real c2 = TC_MLA(TC_C(-2.7557319e-6), TC_C(2.5052108e-8), square);
    c2 = TC_MLA(TC_C(1.9841269841e-4), c2, square);
    c2 = TC_MLA(TC_C(-8.3333333333e-3), c2, square);
    c2 = TC_MLA(TC_C(0.16666666666666667), c2, square);
    if (square > TOC_SERIES) c2 = (TC_C(1.0) - sinc * cosine) / square;
    tc_vec_cross(f, m, once);
    tc_vec_cross(f, once, twice);
    for (uint32_t k = 0; k < 3u; ++k) y[k] = TC_MLA(TC_MLS(m[k], c1, once[k]), c2, twice[k]);
}

/* Adds weight times the derivatives of D by the motion of one side */
static void add_side(const tc_toc_motion *motion, tc_real h, const tc_real p[3], const tc_real n[3],
                     tc_real weight, uint32_t side, tc_toc_rows *rows)
{
    tc_convex_pose pose;
    tc_real turn[9], arm[3], moment[3], f[3], turned[3], spun[3];
    tci_toc_pose(motion, h, &pose);
    tci_toc_turn(motion, h, turn);
    for (uint32_t k = 0; k < 3u; ++k) {
        arm[k] = p[k] - pose.position[k];
        f[k] = h * motion->angular_velocity[k];
    }
    tc_vec_cross(arm, n, moment);
    tc_mat3_vec_t(turn, moment, turned);
    jacobian_back(f, moment, spun);
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real along = weight * n[k];
        rows->position[side][k] += along;
        rows->velocity[side][k] = TC_MLA(rows->velocity[side][k], h, along);
        rows->acceleration[side][k] = TC_MLA(rows->acceleration[side][k], TC_C(0.5) * h * h, along);
        rows->rotation[side][k] = TC_MLA(rows->rotation[side][k], weight, turned[k]);
        rows->angular_velocity[side][k] =
            TC_MLA(rows->angular_velocity[side][k], weight * h, spun[k]);
    }
}

/* D_h of a contact */
TCI_MEET_APART static tc_real speed_at(const tc_toc_motion *motion_a, const tc_toc_motion *motion_b,
                                       tc_real h, const tc_real p[3], const tc_real n[3])
{
    tc_convex_pose at_a, at_b;
    tc_real velocity_a[3], velocity_b[3];
    tci_toc_pose(motion_a, h, &at_a);
    tci_toc_pose(motion_b, h, &at_b);
    tci_toc_velocity(motion_a, &at_a, h, p, velocity_a);
    tci_toc_velocity(motion_b, &at_b, h, p, velocity_b);
    for (uint32_t k = 0; k < 3u; ++k) velocity_a[k] -= velocity_b[k];
    return tc_vec_dot3(n, velocity_a);
}

/* Of a contact: adds -D_h D_theta to the rows; returns D_h^2, 0 if the point does not approach */
static tc_real add_touch(const tc_toc_motion *motion_a, const tc_toc_motion *motion_b, tc_real h,
                         const tc_real p[3], const tc_real n[3], tc_toc_rows *rows)
{
    const tc_real speed = speed_at(motion_a, motion_b, h, p, n);
    if (!(speed < TC_C(0.0))) return TC_C(0.0);
    add_side(motion_a, h, p, n, -speed, 0, rows);
    add_side(motion_b, h, p, n, speed, 1, rows);
    rows->radius += speed;
    return speed * speed;
}

static void divide_rows(tc_real scale, tc_toc_rows *rows)
{
    tc_real *const row[5] = {rows->position[0], rows->rotation[0], rows->velocity[0],
                             rows->angular_velocity[0], rows->acceleration[0]};
    for (uint32_t i = 0; i < 5u; ++i)
        for (uint32_t k = 0; k < 6u; ++k) row[i][k] *= scale;
    rows->radius *= scale;
}

/* ---- The public functions -------------------------------------------------------------------- */

static tc_status check_found(const tc_toc_motion *motion_a, const tc_toc_motion *motion_b,
                             const tc_toc *found)
{
    const tc_real numbers[2] = {found->time, found->speed};
    if (!tc_all_finite(numbers, 2) || !tc_all_finite(found->gap.normal, 3)
        || !tc_all_finite(found->gap.point_a, 3))
        return TC_ERR_NOT_FINITE;
    if (found->outcome != TC_TOC_CONTACT && found->outcome != TC_TOC_GRAZES) return TC_ERR_SINGULAR;
    const tc_status status = tci_toc_check(motion_a);
    return status < TC_OK ? status : tci_toc_check(motion_b);
}

static tc_status fill_rows(const tc_toc_motion *motion_a, const tc_toc_motion *motion_b,
                           const tc_toc *found, const tc_meet_contact *contact, uint32_t count,
                           tc_toc_rows *rows)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < count; ++i) {
        if (!tc_all_finite(contact[i].point, 3) || !tc_all_finite(contact[i].normal, 3))
            return TC_ERR_NOT_FINITE;
        sum +=
            add_touch(motion_a, motion_b, found->time, contact[i].point, contact[i].normal, rows);
    }
    if (count == 0u)
        sum =
            add_touch(motion_a, motion_b, found->time, found->gap.point_a, found->gap.normal, rows);
    if (!(sum > TC_C(1e-30))) return TC_ERR_SINGULAR;
    divide_rows(TC_C(1.0) / sum, rows);
    return TC_OK;
}

tc_status tc_toc_grad(const tc_toc_motion *motion_a, const tc_toc_motion *motion_b,
                      const tc_toc *found, const tc_meet_contact *contact, uint32_t count,
                      tc_toc_rows *rows)
{
    static const tc_toc_rows none = {0};
    if (!rows) return TC_ERR_NULL;
    *rows = none;
    if (!motion_a || !motion_b || !found || (!contact && count > 0u)) return TC_ERR_NULL;
    tc_status status = check_found(motion_a, motion_b, found);
    if (status < TC_OK) return status;
    status = fill_rows(motion_a, motion_b, found, contact, count, rows);
    if (status < TC_OK) *rows = none;
    return status;
}

/* x /= -speed, or x = 0 after an error; NULL: not wanted */
static void divide_shape(const tc_sdf *shape, tc_status status, tc_real speed, tc_real *x)
{
    const uint32_t count = x ? tc_sdf_parameters(shape) : 0u;
    for (uint32_t i = 0; i < count; ++i) x[i] = status < TC_OK ? TC_C(0.0) : -x[i] / speed;
}

tc_status tc_toc_shape_grad(const tc_sdf *a, const tc_toc_motion *motion_a, const tc_sdf *b,
                            const tc_toc_motion *motion_b, const tc_toc *found, tc_real *by_a,
                            tc_real *by_b, tc_real *work, size_t work_len)
{
    if (!a || !motion_a || !b || !motion_b || !found) return TC_ERR_NULL;
    tc_convex_pose at_a, at_b;
    tc_convex_gap gap = found->gap;
    tc_status status = check_found(motion_a, motion_b, found);
    if (status >= TC_OK && !(found->speed < TC_C(0.0))) status = TC_ERR_SINGULAR;
    if (status >= TC_OK) {
        gap.distance = tc_vec_not_negative(gap.distance); /* at the time itself it is 0 */
        tci_toc_pose(motion_a, found->time, &at_a);
        tci_toc_pose(motion_b, found->time, &at_b);
        status = tc_meet_grad(a, &at_a, b, &at_b, &gap, by_a, by_b, work, work_len);
    }
    divide_shape(a, status, found->speed, by_a);
    divide_shape(b, status, found->speed, by_b);
    return status;
}
