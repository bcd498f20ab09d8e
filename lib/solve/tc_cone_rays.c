/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Cone problems that are complementarity problems.
 *
 * In the plane a contact's cone is spanned by two rays, f = z+ (1, mu) + z- (1, -mu), z >= 0. With
 * the rows J = G_n + mu G_t and G_n - mu G_t for them, and q = J w0,
 *
 *     z >= 0,   J J^T z + q >= 0,   z^T (J J^T z + q) = 0
 *
 * Without friction the rays are the normals, and floors are shifted away: z_i = f_i,n - floor_i,
 * q = G_n (w0 + sum_i floor_i G_i,n^T).
 *
 * A restitution in the plane is none: its truncated cones are a segment and two rays. Neither is a
 * problem with compliance, whose diagonal couples the two rays.
 */
#include "tc_exact.h"
#include "tc_cone_internal.h"
#include "tc_lcp.h"

/* Rows of the rays of one contact, and the velocities along them */
static void put_rays(const tci_cone_state *s, uint32_t i, uint32_t rays, tc_real *J, tc_real *q)
{
    const uint32_t d = s->d;
    const tc_real *const g = s->G + i * s->rows * d, *const t = g + d;
    const tc_real mu = s->contact[i].mu;
    if (rays == 1u) {
        for (uint32_t k = 0; k < d; ++k) J[k] = g[k];
        *q = TC_C(0.0);
        for (uint32_t k = 0; k < d; ++k) *q = TC_MLA(*q, g[k], s->w[k]);
        return;
    }
    for (uint32_t k = 0; k < d; ++k) {
        const tc_real part = mu * t[k];
        J[k] = g[k] + part;
        J[d + k] = g[k] - part;
    }
    const tc_real part = mu * s->u[2u * i + 1u];
    q[0] = s->u[2u * i] + part;
    q[1] = s->u[2u * i] - part;
}

/* Rays that the expected impulses use */
static tc_lcp_set expect_rays(const tci_cone_state *s, const tc_real *warm, uint32_t rays)
{
    tc_lcp_set set = 0;
    for (uint32_t i = 0; i < s->n && warm != NULL; ++i) {
        const tc_real normal = warm[i * s->rows], mu = s->contact[i].mu;
        if (rays == 1u) {
            if (normal > s->contact[i].floor) set |= (tc_lcp_set)1u << i;
            continue;
        }
        const tc_real edge = TC_C(1e-3) * mu * normal, tangent = warm[i * s->rows + 1u];
        if (TC_MLA(tangent, mu, normal) > edge) set |= (tc_lcp_set)1u << (2u * i);
        if (TC_MLS(mu * normal, TC_C(1.0), tangent) > edge) set |= (tc_lcp_set)2u << (2u * i);
    }
    return set;
}

/* w0 with the floors' impulses, into w */
static void shift_floors(tci_cone_state *s)
{
    for (uint32_t i = 0; i < s->n; ++i) {
        for (uint32_t r = 0; r < s->rows; ++r) {
            s->f[i * s->rows + r] = r == 0 ? s->contact[i].floor : TC_C(0.0);
        }
    }
    tci_cone_gather(s, s->f, s->w0, s->w);
}

static void take_rays(tci_cone_state *s, uint32_t rays, const tc_real *z)
{
    for (uint32_t i = 0; i < s->n; ++i) {
        tc_real *const f = s->f + i * s->rows;
        if (rays == 1u) {
            f[0] += z[i];
        } else {
            f[0] = z[2u * i] + z[2u * i + 1u];
            f[1] = s->contact[i].mu * (z[2u * i] - z[2u * i + 1u]);
        }
    }
}

/* How many rays each contact has, 0 where the problem is none of these */
static uint32_t count_rays(const tci_cone_state *s)
{
    tc_real mu = TC_C(0.0), floor = TC_C(0.0), soft = TC_C(0.0);
    for (uint32_t i = 0; i < s->n; ++i) { /* none is negative */
        mu += s->contact[i].mu;
        floor += s->contact[i].floor;
        soft += s->contact[i].soft;
    }
    if (soft > TC_C(0.0) || s->d > TC_LCP_FREEDOM_MAX) return 0;
    if (mu <= TC_C(0.0)) return s->n <= TC_LCP_MAX ? 1u : 0u;
    return s->rows == 2u && floor <= TC_C(0.0) && 2u * s->n <= TC_LCP_MAX ? 2u : 0u;
}

int tci_cone_rays(tci_cone_state *s, const tc_real *warm, tc_real *work)
{
    const uint32_t rays = count_rays(s), m = s->n * rays, d = s->d;
    tc_real *const q = work, *const z = q + m, *const v = z + m, *const J = v + m;
    tc_lcp_info info;
    if (rays == 0) return 0;
    const tc_lcp problem = {.n = m, .q = q, .J = J, .d = d, .warm = expect_rays(s, warm, rays)};
    if (rays == 1u) shift_floors(s);
    for (uint32_t i = 0; i < s->n; ++i) put_rays(s, i, rays, J + i * rays * d, q + i * rays);
    const tc_status status = tc_lcp_from_rows(&problem, z, v, &info, J + m * d, TC_LCP_WORK(m));
    if (!tc_lcp_certified(status)) return 0;
    s->iterations = info.iterations;
    take_rays(s, rays, z);
    tci_cone_evaluate(s);
    return tci_cone_certified(s);
}
