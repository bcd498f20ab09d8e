/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contact patches: the maps T_n and T_f of Algorithm 1 between a patch and generalized coordinates.
 *
 * A force along a direction d at the arm r from the centre of mass has the torque r x d; the
 * velocity along d of the body's point at r is d . (v + omega x r) = d . v + (r x d) . omega. Both
 * are one row (d, r x d): times an impulse it gives the impulse on the body (T), times the body's
 * velocity the velocity of the contact (T^T). So power is the same on either side by construction,
 * and one function makes every row here.
 *
 * Planar, r = x t - y n with t x n = 1:   normal (n, x_i),   tangent (t, y).
 * Spatial, in the patch's frame (e_0, e_1, e_2 = tangents and normal), r x e_k has the components
 *     0 along e_k,   r_(k+2) along e_(k+1),   -r_(k+1) along e_(k+2)       (indices modulo 3),
 * and is turned into world axes.
 *
 * Cost: spatial rows some 20 operations each, 8 + 3 of them at most.
 */
#include "tc_exact.h"
#include "tc_patch.h"

#include "tc_vec.h"

_Static_assert(TC_PATCH_MAX <= TC_LCP_MAX,
               "the normal impulses of a patch are one complementarity problem");

/* ---- Planar ---------------------------------------------------------------------------------- */

static tc_status planar_count(const tc_patch2 *patch)
{
    if (!patch) return TC_ERR_NULL;
    return patch->count == 1u || patch->count == 2u ? TC_OK : TC_ERR_SIZE;
}

static tc_status planar_numbers(const tc_patch2 *patch)
{
    if (!tc_all_finite(patch->lever, patch->count) || !tc_all_finite(&patch->height, 1)
        || !tc_all_finite(patch->gap, patch->count) || !tc_all_finite(patch->normal, 2)) {
        return TC_ERR_NOT_FINITE;
    }
    return tc_vec_is_unit(patch->normal, 2) ? TC_OK : TC_ERR_UNIT;
}

static void planar_normal_row(const tc_patch2 *patch, uint32_t i, tc_real row[3])
{
    row[0] = patch->normal[0];
    row[1] = patch->normal[1];
    row[2] = patch->lever[i];
}

static void planar_friction_row(const tc_patch2 *patch, tc_real row[3])
{
    row[0] = patch->normal[1];
    row[1] = -patch->normal[0];
    row[2] = patch->height;
}

tc_status tc_patch2_check(const tc_patch2 *patch)
{
    tc_status status = planar_count(patch);
    if (status >= TC_OK) status = planar_numbers(patch);
    if (status < TC_OK || patch->count == 1u) return status;
    const tc_real left = tc_vec_magnitude(patch->lever[0]),
                  right = tc_vec_magnitude(patch->lever[1]);
    const tc_real scale = tc_vec_max(left, right) + tc_vec_magnitude(patch->height);
    const tc_real width = patch->lever[1] - patch->lever[0];
    return width > TC_C(0.5) * TC_PATCH_RESOLUTION * scale ? TC_OK : TC_ERR_PATCH;
}

tc_status tc_patch2_rows(const tc_patch2 *patch, tc_real *normal_rows, tc_real *friction_row)
{
    tc_status status = normal_rows && friction_row ? planar_count(patch) : TC_ERR_NULL;
    if (status < TC_OK) return status;
    status = planar_numbers(patch);
    if (status < TC_OK) {
        tc_vec_zeroed(status, normal_rows, 3u * patch->count);
        return tc_vec_zeroed(status, friction_row, 3);
    }
    for (uint32_t i = 0; i < patch->count; ++i) planar_normal_row(patch, i, normal_rows + 3u * i);
    planar_friction_row(patch, friction_row);
    return TC_OK;
}

tc_status tc_patch2_impulse(const tc_patch2 *patch, const tc_real *normal, tc_real friction,
                            tc_real impulse[3])
{
    tc_status status = normal && impulse ? planar_count(patch) : TC_ERR_NULL;
    if (status < TC_OK) return status;
    status = planar_numbers(patch);
    if (status >= TC_OK && !(tc_all_finite(normal, patch->count) && tc_all_finite(&friction, 1))) {
        status = TC_ERR_NOT_FINITE;
    }
    if (status < TC_OK) return tc_vec_zeroed(status, impulse, 3);
    tc_real row[3], sum[3];
    planar_friction_row(patch, row);
    for (int k = 0; k < 3; ++k) sum[k] = friction * row[k];
    for (uint32_t i = 0; i < patch->count; ++i) {
        planar_normal_row(patch, i, row);
        for (int k = 0; k < 3; ++k) sum[k] = TC_MLA(sum[k], normal[i], row[k]);
    }
    for (int k = 0; k < 3; ++k) impulse[k] = sum[k];
    return tc_all_finite(sum, 3) ? TC_OK : tc_vec_zeroed(TC_ERR_RANGE, impulse, 3);
}

tc_status tc_patch2_velocity(const tc_patch2 *patch, const tc_real velocity[3], tc_real *normal,
                             tc_real *slip)
{
    tc_status status = velocity && normal && slip ? planar_count(patch) : TC_ERR_NULL;
    if (status < TC_OK) return status;
    status = planar_numbers(patch);
    if (status >= TC_OK && !tc_all_finite(velocity, 3)) status = TC_ERR_NOT_FINITE;
    if (status >= TC_OK) {
        tc_real row[3];
        planar_friction_row(patch, row);
        *slip = tc_vec_dot3(row, velocity);
        for (uint32_t i = 0; i < patch->count; ++i) {
            planar_normal_row(patch, i, row);
            normal[i] = tc_vec_dot3(row, velocity);
        }
        if (tc_all_finite(normal, patch->count) && tc_all_finite(slip, 1)) return TC_OK;
        status = TC_ERR_RANGE;
    }
    *slip = TC_C(0.0);
    return tc_vec_zeroed(status, normal, patch->count);
}

/* ---- Spatial --------------------------------------------------------------------------------- */

static tc_status learned3_count(const tc_patch3 *patch)
{
    if (!patch) return TC_ERR_NULL;
    if (patch->count == 0u || patch->count > TC_PATCH_MAX) return TC_ERR_SIZE;
    return patch->dimension == (patch->count < 3u ? patch->count - 1u : 2u) ? TC_OK : TC_ERR_SIZE;
}

/* Unit tangents whose cross product is the unit normal: a right-handed frame */
static int right_handed(const tc_real frame[3][3])
{
    tc_real normal[3];
    tc_vec_cross(frame[0], frame[1], normal);
    for (int k = 0; k < 3; ++k) normal[k] -= frame[2][k];
    return tc_vec_is_unit(frame[0], 3) && tc_vec_is_unit(frame[1], 3) && tc_vec_is_unit(frame[2], 3)
           && tc_vec_dot3(normal, normal) <= TC_UNIT_TOLERANCE * TC_UNIT_TOLERANCE;
}

static tc_status learned3_numbers(const tc_patch3 *patch)
{
    if (!tc_all_finite((const void *)patch->arm, 3u * patch->count)
        || !tc_all_finite(patch->gap, patch->count)
        || !tc_all_finite((const void *)patch->frame, 9)) {
        return TC_ERR_NOT_FINITE;
    }
    return right_handed(patch->frame) ? TC_OK : TC_ERR_UNIT;
}

/* The row of direction k of the frame at an arm given in the frame */
static void contact_row(const tc_patch3 *patch, const tc_real arm[3], uint32_t k, tc_real row[6])
{
    const uint32_t next = (k + 1u) % 3u, last = (k + 2u) % 3u;
    for (uint32_t c = 0; c < 3u; ++c) {
        row[c] = patch->frame[k][c];
        row[3u + c] = TC_MLS(arm[last] * patch->frame[next][c], arm[next], patch->frame[last][c]);
    }
}

/* Where friction acts: the contact itself, or the mean of all */
static void centre_of(const tc_patch3 *patch, tc_real centre[3])
{
    const tc_real share = TC_C(1.0) / (tc_real)patch->count;
    for (int k = 0; k < 3; ++k) {
        tc_real sum = patch->arm[0][k];
        for (uint32_t i = 1; i < patch->count; ++i) sum += patch->arm[i][k];
        centre[k] = share * sum;
    }
}

/* Row j of T_f^T: two tangents at the centre, then the spin about the normal */
static void friction_row(const tc_patch3 *patch, const tc_real centre[3], uint32_t j,
                         tc_real row[6])
{
    if (j < 2u) {
        contact_row(patch, centre, j, row);
        return;
    }
    for (int c = 0; c < 3; ++c) {
        row[c] = TC_C(0.0);
        row[3 + c] = patch->frame[2][c];
    }
}

static tc_real dot_six(const tc_real a[6], const tc_real b[6])
{
    return tc_vec_dot3(a, b) + tc_vec_dot3(a + 3, b + 3);
}

uint32_t tc_patch3_friction(const tc_patch3 *patch)
{
    if (!patch || patch->count == 0u) return 0;
    return patch->count == 1u ? 2u : TC_PATCH3_FRICTION_MAX;
}

static tc_real contact_distance(const tc_patch3 *patch, uint32_t i, uint32_t k)
{
    const tc_real x = patch->arm[k][0] - patch->arm[i][0], y = patch->arm[k][1] - patch->arm[i][1];
    return tc_sqrt(TC_MLA(x * x, y, y));
}

/* 1 if no contact lies outside side i by more than `least`, and one lies inside by more */
static int side_is_convex(const tc_patch3 *patch, uint32_t i, tc_real least)
{
    const uint32_t n = patch->count, next = (i + 1u) % n;
    const tc_real *from = patch->arm[i], *to = patch->arm[next];
    const tc_real bound = least * contact_distance(patch, i, next);
    int area = 0;
    for (uint32_t j = 0; j < n; ++j) {
        const tc_real *at = patch->arm[j];
        const tc_real left =
            TC_MLS((to[0] - from[0]) * (at[1] - from[1]), to[1] - from[1], at[0] - from[0]);
        if (!(left >= -bound)) return 0;
        area |= left > bound;
    }
    return area;
}

static int well_formed(const tc_patch3 *patch, tc_real least)
{
    for (uint32_t i = 1; i < patch->count; ++i) {
        for (uint32_t k = 0; k < i; ++k) {
            if (!(contact_distance(patch, i, k) > least)) return 0;
        }
    }
    for (uint32_t i = 0; patch->count > 2u && i < patch->count; ++i) {
        if (!side_is_convex(patch, i, least)) return 0;
    }
    return 1;
}

tc_status tc_patch3_check(const tc_patch3 *patch)
{
    tc_status status = learned3_count(patch);
    if (status >= TC_OK) status = learned3_numbers(patch);
    if (status < TC_OK || patch->count == 1u) return status;
    tc_real largest = TC_C(0.0);
    for (uint32_t i = 0; i < patch->count; ++i) {
        const tc_real square = tc_vec_dot3(patch->arm[i], patch->arm[i]);
        largest = square > largest ? square : largest;
    }
    if (!tc_all_finite(&largest, 1)) return TC_ERR_RANGE;
    return well_formed(patch, TC_C(0.5) * TC_PATCH_RESOLUTION * tc_sqrt(largest)) ? TC_OK
                                                                                  : TC_ERR_PATCH;
}

tc_status tc_patch3_rows(const tc_patch3 *patch, tc_real *normal_rows, tc_real *friction_rows)
{
    tc_status status = normal_rows && friction_rows ? learned3_count(patch) : TC_ERR_NULL;
    if (status < TC_OK) return status;
    const uint32_t count = patch->count, dims = tc_patch3_friction(patch);
    status = learned3_numbers(patch);
    if (status >= TC_OK) {
        tc_real centre[3];
        centre_of(patch, centre);
        for (uint32_t i = 0; i < count; ++i)
            contact_row(patch, patch->arm[i], 2u, normal_rows + 6u * i);
        for (uint32_t j = 0; j < dims; ++j) friction_row(patch, centre, j, friction_rows + 6u * j);
        if (tc_all_finite(normal_rows, 6u * count) && tc_all_finite(friction_rows, 6u * dims))
            return TC_OK;
        status = TC_ERR_RANGE;
    }
    tc_vec_zeroed(status, normal_rows, 6u * count);
    return tc_vec_zeroed(status, friction_rows, 6u * dims);
}

tc_status tc_patch3_contact_rows(const tc_patch3 *patch, uint32_t i, tc_real rows[18])
{
    tc_status status = rows ? learned3_count(patch) : TC_ERR_NULL;
    if (status < TC_OK) return status;
    status = i < patch->count ? learned3_numbers(patch) : TC_ERR_SIZE;
    if (status < TC_OK) return tc_vec_zeroed(status, rows, 18);
    for (uint32_t k = 0; k < 3u; ++k) contact_row(patch, patch->arm[i], k, rows + 6u * k);
    return tc_all_finite(rows, 18) ? TC_OK : tc_vec_zeroed(TC_ERR_RANGE, rows, 18);
}

tc_status tc_patch3_impulse(const tc_patch3 *patch, const tc_real *normal, const tc_real *friction,
                            tc_real impulse[6])
{
    tc_status status = normal && friction && impulse ? learned3_count(patch) : TC_ERR_NULL;
    if (status < TC_OK) return status;
    const uint32_t dims = tc_patch3_friction(patch);
    status = learned3_numbers(patch);
    if (status >= TC_OK
        && !(tc_all_finite(normal, patch->count) && tc_all_finite(friction, dims))) {
        status = TC_ERR_NOT_FINITE;
    }
    if (status < TC_OK) return tc_vec_zeroed(status, impulse, 6);
    tc_real centre[3], row[6], sum[6];
    centre_of(patch, centre);
    tc_vec_zeroed(TC_OK, sum, 6);
    for (uint32_t j = 0; j < dims; ++j) {
        friction_row(patch, centre, j, row);
        for (int k = 0; k < 6; ++k) sum[k] = TC_MLA(sum[k], friction[j], row[k]);
    }
    for (uint32_t i = 0; i < patch->count; ++i) {
        contact_row(patch, patch->arm[i], 2u, row);
        for (int k = 0; k < 6; ++k) sum[k] = TC_MLA(sum[k], normal[i], row[k]);
    }
    for (int k = 0; k < 6; ++k) impulse[k] = sum[k];
    return tc_all_finite(sum, 6) ? TC_OK : tc_vec_zeroed(TC_ERR_RANGE, impulse, 6);
}

tc_status tc_patch3_velocity(const tc_patch3 *patch, const tc_real velocity[6], tc_real *normal,
                             tc_real *friction)
{
    tc_status status = velocity && normal && friction ? learned3_count(patch) : TC_ERR_NULL;
    if (status < TC_OK) return status;
    const uint32_t dims = tc_patch3_friction(patch);
    status = learned3_numbers(patch);
    if (status >= TC_OK && !tc_all_finite(velocity, 6)) status = TC_ERR_NOT_FINITE;
    if (status >= TC_OK) {
        tc_real centre[3], row[6];
        centre_of(patch, centre);
        for (uint32_t j = 0; j < dims; ++j) {
            friction_row(patch, centre, j, row);
            friction[j] = dot_six(row, velocity);
        }
        for (uint32_t i = 0; i < patch->count; ++i) {
            contact_row(patch, patch->arm[i], 2u, row);
            normal[i] = dot_six(row, velocity);
        }
        if (tc_all_finite(normal, patch->count) && tc_all_finite(friction, dims)) return TC_OK;
        status = TC_ERR_RANGE;
    }
    tc_vec_zeroed(status, friction, dims);
    return tc_vec_zeroed(status, normal, patch->count);
}
