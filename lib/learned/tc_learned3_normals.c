/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The normals of a spatial patch where the LCP's solver has no answer: of all working sets the
 * best.
 *
 * A contact's row a_i of J has three columns, so u = sum z_i a_i needs at most three contacts, and
 * they may be chosen independent (Caratheodory). 8 + 28 + 56 sets of one, two or three contacts
 * hold the solution, whatever the rows are; the solution exists, for (1, 0, 0) lifts every contact
 * (of a limb, whose rows are R (1, y, -x), R^-T (1, 0, 0) does). With the dual basis d_1 = a_2 x
 * a_3 / det, ... of a set (of two contacts a_3 = a_1 x a_2, of one the row itself)
 *
 *     u = -sum q_s d_s,   z_s = u . d_s,
 *
 * once more with what q + J u leaves of that. Sets with a normal that pulls are out; of the others
 * the one is taken that violates least, w recomputed from z: |w_s| of the set, -w_i of the rest.
 * Nothing here depends on a guess about rank, which is what the solver has to make: the corners of
 * a thin plate, one above the other and a thousandth of its length apart, are neither one contact
 * nor well two. A set that rests on such a pair is as good as rounding leaves it, and there is
 * mostly one that does not need the pair.
 *
 * Energy. Let f(z) = |J^T z|^2 / 2 + q . z; contact by z changes the kinetic energy by f(z) -
 * offset . z. For any z >= 0 with q . z < 0 the multiple t z with t = -q . z / |J^T z|^2 has the
 * least f on its ray, and f < 0. Of a set, t = 1 but for rounding; so no answer of this file,
 * certified or not, creates energy but by rounding, where offsets are not negative.
 *
 * Cost: at most 92 sets, each solved and corrected once, and a look at all contacts for each; no
 * iteration. A plate of 50 : 1 comes here in one step of 2 10^4.
 */
#include "tc_exact.h"
#include "tc_vec.h"
#include "tc_learned3_core.h"
#include "tc_lcp.h"
#include "tc_work.h"

#include <string.h>

/* The sets looked at so far. */
typedef struct learned3_search {
    const tc_real *J, *q;
    tc_real *z, *w;      /* the caller's; z: the best answer */
    tc_real best, scale; /* its violation, and the size of the terms of its w */
    uint32_t count;
} learned3_search;

/* D[size] of the rows of a set; 0 if they are dependent. */
static int dual_basis(const tc_real *const row[3], uint32_t size, tc_real D[3][3])
{
    tc_real across[3];
    if (size == 1u) {
        memcpy(D[0], row[0], sizeof D[0]);
    } else if (size == 2u) {
        tc_vec_cross(row[0], row[1], across);
        tc_vec_cross(row[1], across, D[0]);
        tc_vec_cross(across, row[0], D[1]);
    } else {
        tc_vec_cross(row[1], row[2], D[0]);
        tc_vec_cross(row[2], row[0], D[1]);
        tc_vec_cross(row[0], row[1], D[2]);
    }
    const tc_real det = tc_vec_dot3(row[0], D[0]);
    for (uint32_t s = 0; s < size; s++) {
        for (uint32_t k = 0; k < 3u; k++) {
            D[s][k] /= det;
        }
    }
    return det != TC_C(0.0);
}

/* z += what makes `error` of the set zero */
static void correct_normals(tc_real D[3][3], uint32_t size, const tc_real error[3], tc_real z[3])
{
    tc_real u[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    for (uint32_t s = 0; s < size; s++) {
        for (uint32_t k = 0; k < 3u; k++) {
            u[k] = TC_MLS(u[k], error[s], D[s][k]);
        }
    }
    for (uint32_t s = 0; s < size; s++) {
        z[s] += tc_vec_dot3(u, D[s]);
    }
}

static void velocity_of_normals(const tc_real *const row[3], uint32_t size, const tc_real z[3],
                                tc_real u[3])
{
    u[0] = u[1] = u[2] = TC_C(0.0);
    for (uint32_t s = 0; s < size; s++) {
        for (uint32_t k = 0; k < 3u; k++) {
            u[k] = TC_MLA(u[k], z[s], row[s][k]);
        }
    }
}

/* The violation of an answer that moves the contacts by u; a NaN if there is one. *scale as in
 * learned3_search */
static tc_real violation_normals(const learned3_search *search, const tc_real u[3], uint32_t set,
                                 tc_real *scale)
{
    tc_real most = TC_C(0.0), sum = TC_C(0.0);
    *scale = TC_C(0.0);
    for (uint32_t i = 0; i < search->count; i++) {
        const tc_real *const a = search->J + 3u * i;
        const tc_real w = search->q[i] + tc_vec_dot3(a, u);
        const tc_real size = tc_vec_magnitude(search->q[i]) + tc_vec_magnitude(a[0] * u[0])
                             + (tc_vec_magnitude(a[1] * u[1]) + tc_vec_magnitude(a[2] * u[2]));
        const tc_real wrong = (set >> i & 1u) != 0u ? tc_vec_magnitude(w) : -w;
        most = tc_vec_max(most, wrong);
        *scale = tc_vec_max(*scale, size);
        sum += w;
    }
    return most + TC_C(0.0) * sum;
}

/* Solves for a set, and takes its answer if it is the best so far. */
static void try_set(learned3_search *search, const uint32_t contact[3], uint32_t size)
{
    const tc_real *const J = search->J;
    const tc_real *const row[3] = {J + 3u * contact[0], J + 3u * contact[1], J + 3u * contact[2]};
    tc_real D[3][3], z[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)}, error[3], u[3], scale;
    if (!dual_basis(row, size, D)) {
        return;
    }
    uint32_t set = 0;
    for (uint32_t round = 0; round < 2u; round++) {
        velocity_of_normals(row, size, z, u);
        for (uint32_t s = 0; s < size; s++) {
            error[s] = search->q[contact[s]] + tc_vec_dot3(row[s], u);
            set |= 1u << contact[s];
        }
        correct_normals(D, size, error, z);
    }
    for (uint32_t s = 0; s < size; s++) {
        if (!(z[s] >= TC_C(0.0))) {
            return;
        }
    }
    velocity_of_normals(row, size, z, u);
    const tc_real wrong = violation_normals(search, u, set, &scale);
    if (wrong < search->best) {
        search->best = wrong;
        search->scale = scale;
        memset(search->z, 0, search->count * sizeof *z);
        for (uint32_t s = 0; s < size; s++) {
            search->z[contact[s]] = z[s];
        }
    }
}

/* w = q + J J^T z, of the best answer */
static void answer_speeds(const learned3_search *search)
{
    tc_real u[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    for (uint32_t i = 0; i < search->count; i++) {
        for (uint32_t k = 0; k < 3u; k++) {
            u[k] = TC_MLA(u[k], search->z[i], search->J[3u * i + k]);
        }
    }
    for (uint32_t i = 0; i < search->count; i++) {
        search->w[i] = search->q[i] + tc_vec_dot3(search->J + 3u * i, u);
    }
}

tc_status tc_learned3_normals(uint32_t count, const tc_real *J, const tc_real *q, tc_real *z,
                              tc_real *w)
{
    static const tc_real still[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    learned3_search search = {J, q, z, w, TC_C(0.0), TC_C(0.0), count};
    memset(z, 0, count * sizeof *z);
    search.best = violation_normals(&search, still, 0, &search.scale);
    for (uint32_t i = 0; i < count; i++) {
        try_set(&search, (const uint32_t[3]){i, i, i}, 1);
        for (uint32_t j = i + 1u; j < count; j++) {
            try_set(&search, (const uint32_t[3]){i, j, j}, 2);
            for (uint32_t k = j + 1u; k < count; k++) {
                try_set(&search, (const uint32_t[3]){i, j, k}, 3);
            }
        }
    }
    answer_speeds(&search);
    return search.best <= TC_LCP_TOLERANCE * search.scale ? TC_OK : TC_NOTE_FALLBACK;
}
