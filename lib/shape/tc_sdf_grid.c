/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Grid: signed distances as int8 at nodes, interpolated trilinearly.
 *
 * In a cell, with x, y, z in [0, 1] and v_ijk at its corners,
 *
 *     d = c0 + cx x + cy y + cz z + cxy xy + cxz xz + cyz yz + cxyz xyz
 *
 * whose coefficients are sums and differences of the corners' integers, below 2^11: integers hold
 * them exactly, and eight conversions do. Horner's form, with t = cy + cxy x and w = cyz + cxyz x:
 *
 *     d_z = cz + cxz x + w y,   d_y = t + w z,   d_x = cx + cxy y + (cxz + cxyz y) z
 *     d   = c0 + cx x + t y + d_z z
 *
 * Outside of the grid: with q the grid's nearest point to p, d(p) = d(q) + |p - q|. This is
 * continuous, never below the true distance less the error at q, and has the gradient (p - q)/|p - q|
 * along the axes that were clamped and d's along the others.
 */
#include "tc_exact.h"
#include "tc_sdf.h"

#include "tc_sdf_internal.h"
#include "tc_sdf_points.h"

/* Whether node (i, j, k) lies at the grid's border */
static int is_border(const tc_sdf_values *g, uint32_t i, uint32_t j, uint32_t k)
{
    const uint32_t node[3] = {i, j, k};
    int border = 0;
    for (uint32_t c = 0; c < 3u; ++c) border |= node[c] == 0u || node[c] + 1u == g->count[c];
    return border;
}

/* Some node lies inside the shape, and none of the border's. */
static tc_status check_signs(const tc_sdf_values *g)
{
    const int8_t *value = g->values;
    int inside = 0;
    for (uint32_t k = 0; k < g->count[2]; ++k) {
        for (uint32_t j = 0; j < g->count[1]; ++j) {
            for (uint32_t i = 0; i < g->count[0]; ++i, ++value) {
                if (*value < 0 && is_border(g, i, j, k)) return TC_ERR_SHAPE;
                inside |= *value < 0;
            }
        }
    }
    return inside ? TC_OK : TC_ERR_SHAPE;
}

static tc_status check_grid(const tc_sdf *shape)
{
    const tc_sdf_values *const g = shape->data_ref;
    if (!g || !g->values) return TC_ERR_NULL;
    for (uint32_t i = 0; i < 3u; ++i) {
        if (g->count[i] - 2u > TC_SDF_NODES - 2u) return TC_ERR_SIZE;
    }
    const tc_real measures[2] = {g->scale, g->spacing};
    tc_status status = tci_sdf_check_positive(measures, 2);
    if (status < TC_OK) return status;
    if (!tc_all_finite(g->origin, 3)) return TC_ERR_NOT_FINITE;
    if (!(tc_vec_dot3(g->origin, g->origin) <= TCI_SDF_FAR2)) return TC_ERR_RANGE;
    status = tci_sdf_check_stored(&g->stored);
    return status < TC_OK ? status : check_signs(g);
}

/* Value and derivatives by (x, y, z) in units of the cell whose first node is v, from place[3] */
static inline tc_real eval_cell(const int8_t *v, size_t row, size_t layer, const tc_real place[3],
                                tc_real d[3])
{
    const int8_t *const u = v + layer;
    const int32_t v00 = v[0], v10 = v[row], v01 = u[0], v11 = u[row];
    const int32_t x00 = v[1] - v00, x10 = v[row + 1u] - v10;
    const int32_t x01 = u[1] - v01, x11 = u[row + 1u] - v11;
    const int32_t ixy = x10 - x00, iyz = v11 - v01 - v10 + v00;
    const tc_real x = place[0], y = place[1], z = place[2];
    const tc_real cx = (tc_real)x00, cxy = (tc_real)ixy, cxz = (tc_real)(x01 - x00);
    const tc_real cxyz = (tc_real)(x11 - x01 - ixy);
    const tc_real t = TC_MLA((tc_real)(v10 - v00), cxy, x), w = TC_MLA((tc_real)iyz, cxyz, x);
    d[2] = TC_MLA(TC_MLA((tc_real)(v01 - v00), cxz, x), w, y);
    d[1] = TC_MLA(t, w, z);
    d[0] = TC_MLA(TC_MLA(cx, cxy, y), TC_MLA(cxz, cxyz, y), z);
    return TC_MLA(TC_MLA(TC_MLA((tc_real)v00, cx, x), t, y), d[2], z);
}

/* p outside of the grid: at its nearest point, and on from there */
static tc_status eval_beyond(const tc_sdf *shape, const tc_real p[3], tc_real *distance,
                             tc_real gradient[3])
{
    const tc_sdf_values *const g = shape->data_ref;
    tc_real high[3], q[3], beyond[3], excess;
    for (uint32_t i = 0; i < 3u; ++i)
        high[i] = TC_MLA(g->origin[i], (tc_real)(int32_t)(g->count[i] - 1u), g->spacing);
    tci_sdf_clamp(p, g->origin, high, q, &excess, beyond);
    const tc_real per = TC_C(1.0) / g->spacing, slope = g->scale * per;
    size_t at = 0, stride = 1;
    tc_real place[3], d[3];
    for (uint32_t i = 0; i < 3u; ++i) {
        const tc_real x = (q[i] - g->origin[i]) * per;
        uint32_t node = (uint32_t)x;
        node = node > g->count[i] - 2u ? g->count[i] - 2u : node;
        place[i] = x - (tc_real)(int32_t)node;
        at += node * stride;
        stride *= g->count[i];
    }
    *distance =
        excess
        + g->scale
              * eval_cell(g->values + at, g->count[0], (size_t)g->count[0] * g->count[1], place, d);
    for (uint32_t i = 0; i < 3u; ++i) gradient[i] = q[i] == p[i] ? slope * d[i] : beyond[i];
    return TC_OK;
}

/* The comparison of unsigned numbers finds what is below 0, too; conversions of what is far outside
 * saturate differently on different machines, so the range is asked of the real numbers. */
static tc_status eval_grid(const tc_sdf *shape, const tc_real p[3], tc_real *distance,
                           tc_real gradient[3], tc_real *work, size_t work_len)
{
    const tc_sdf_values *const g = shape->data_ref;
    const tc_real per = TC_C(1.0) / g->spacing;
    const tc_real x = (p[0] - g->origin[0]) * per, y = (p[1] - g->origin[1]) * per;
    const tc_real z = (p[2] - g->origin[2]) * per;
    (void)work, (void)work_len;
    if (!(x >= TC_C(0.0) && y >= TC_C(0.0) && z >= TC_C(0.0)
          && x < (tc_real)(int32_t)(g->count[0] - 1u) && y < (tc_real)(int32_t)(g->count[1] - 1u)
          && z < (tc_real)(int32_t)(g->count[2] - 1u))) {
        if (!(tc_vec_dot3(p, p) <= TCI_SDF_FAR2)) return tci_sdf_refuse(p, distance, gradient);
        return eval_beyond(shape, p, distance, gradient);
    }
    const int32_t i = (int32_t)x, j = (int32_t)y, k = (int32_t)z;
    const tc_real place[3] = {x - (tc_real)i, y - (tc_real)j, z - (tc_real)k};
    const size_t row = g->count[0], layer = row * g->count[1];
    const tc_real scale = g->scale, slope = scale * per;
    tc_real d[3];
    *distance = scale
                * eval_cell(g->values + (size_t)k * layer + (size_t)j * row + (size_t)i, row, layer,
                            place, d);
    for (uint32_t c = 0; c < 3u; ++c) gradient[c] = slope * d[c];
    return TC_OK;
}

const tc_sdf_kind tc_sdf_grid = {"grid",
                                 TC_SDF_CONTRACT_APPROXIMATE,
                                 0,
                                 NULL,
                                 check_grid,
                                 eval_grid,
                                 NULL,
                                 NULL,
                                 tc_sdf_points_at,
                                 0};
