/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Terrain: the distance from the nearest point of a biquadratic B-spline surface z = s(x, y).
 *
 * Surface. In the cell of node i, with u = (x - x_i) / spacing in [-1/2, 1/2] and the heights
 * h-, h, h+ of the node and its neighbours, along one axis
 *
 *     s = a0 + a1 u + a2 u^2
 *     a0 = (h- + 6 h + h+) / 8,  a1 = (h+ - h-) / 2,  a2 = (h- - 2 h + h+) / 2
 *
 * and in two axes the product: nine coefficients, sums of 9 heights with integer weights up to 36,
 * that integers below 2^22 hold exactly. Neighbouring cells agree in value and slope (C1). Beyond
 * the map a height is repeated, which makes the slope 0 at u = 1/2 of the last cell, and there u
 * is clamped: s goes on flat, C1 still.
 *
 * Closest point. With the foot f = (x, y, s), e = p - f and n = (s_x, s_y), half the squared
 * distance has the gradient -w, w = e_xy + n e_z, and the Hessian I + n n' - e_z s''. Newton's step
 * solves with it; where e_z s'' makes it nearly lose its positive determinant, the step is
 * Gauss-Newton's, without e_z s''. A step is cut to one spacing along each axis. A step below
 * TERRAIN_FINE is the last; the surface follows it by Taylor's series, which saves an evaluation.
 *
 * Value. d = (p - f) . N with the unit normal N of the surface at f: |p - f| with its sign where f
 * is the closest point. The gradient is N, so the value's gradient is the normal that is returned.
 *
 * Range of the contract. The foot is the closest point of all where p is nearer to the surface
 * than its radii of curvature; further out it may be another local minimum.
 */
#include "tc_exact.h"
#include "tc_sdf.h"

#include "tc_sdf_internal.h"

/* [spacings] Newton's error after a step of this length is of the order of its square, 2e-5; the
 * distance's, of the order of that one's square. Only where such a step leaves the cell the slope
 * is off by TERRAIN_FINE times the jump of the curvature. */
#define TERRAIN_FINE TC_C(5e-3)

/* [m] With it, and heights' steps below a spacing, no square overflows in single precision. */
#define LEAST_SPACING TC_C(1e-5)

/* Largest number of nodes along an axis that a search sees */
#define TERRAIN_NODES 16

/* The surface's coefficients in one cell, everything in spacings */
typedef struct surface_cell {
    int32_t column, row;
    tc_real a[9]; /* of u^j v^k at 3 k + j */
} surface_cell;

static tc_status check_terrain(const tc_sdf *shape)
{
    const tc_sdf_heights *const t = shape->data_ref;
    if (!t || !t->heights) return TC_ERR_NULL;
    if (t->count_x - 3u > TC_SDF_NODES - 3u || t->count_y - 3u > TC_SDF_NODES - 3u)
        return TC_ERR_SIZE;
    const tc_real measures[2] = {t->scale, t->spacing};
    const tc_status status = tci_sdf_check_positive(measures, 2);
    if (status < TC_OK) return status;
    if (t->spacing < LEAST_SPACING || t->scale > t->spacing) return TC_ERR_SHAPE;
    if (!tc_all_finite(t->origin, 3)) return TC_ERR_NOT_FINITE;
    if (!(tc_vec_dot3(t->origin, t->origin) <= TCI_SDF_FAR2)) return TC_ERR_RANGE;
    return tci_sdf_check_stored(&t->stored);
}

static inline void weigh_three(int32_t below, int32_t at, int32_t above, int32_t a[3])
{
    const int32_t ends = below + above;
    a[0] = ends + 6 * at;
    a[1] = above - below;
    a[2] = ends - 2 * at;
}

/* Coefficients of the cell that column and row name, which must lie in the map */
static void read_cell(const tc_sdf_heights *t, tc_real per, surface_cell *cell)
{
    static const tc_real eighth = TC_C(0.125), half = TC_C(0.5);
    const int32_t last_x = (int32_t)t->count_x - 1, last_y = (int32_t)t->count_y - 1;
    const int32_t c = cell->column, r = cell->row;
    const int32_t left = c > 0 ? -1 : 0, right = c < last_x ? 1 : 0;
    const int16_t *const middle = t->heights + (uint32_t)r * t->count_x + (uint32_t)c;
    const int16_t *const lower = r > 0 ? middle - t->count_x : middle;
    const int16_t *const upper = r < last_y ? middle + t->count_x : middle;
    int32_t low[3], mid[3], high[3], a[3];
    weigh_three(lower[left], lower[0], lower[right], low);
    weigh_three(middle[left], middle[0], middle[right], mid);
    weigh_three(upper[left], upper[0], upper[right], high);
    const tc_real scale = t->scale * per, s8 = scale * eighth, s2 = scale * half;
    for (uint32_t j = 0; j < 3u; ++j) {
        const tc_real s = j == 0u ? s8 : s2;
        weigh_three(low[j], mid[j], high[j], a);
        cell->a[j] = (tc_real)a[0] * (s * eighth);
        cell->a[3u + j] = (tc_real)a[1] * (s * half);
        cell->a[6u + j] = (tc_real)a[2] * (s * half);
    }
}

/* Node whose cell x [spacings] lies in, and the place there, clamped to the map */
static inline tc_real find_node(tc_real x, uint32_t count, int32_t *node)
{
    static const tc_real half = TC_C(0.5);
    const tc_real last = (tc_real)(int32_t)(count - 1u);
    if (x <= TC_C(0.0)) {
        *node = 0;
        return x < -half ? -half : x;
    }
    if (x >= last) {
        *node = (int32_t)(count - 1u);
        return x - last > half ? half : x - last;
    }
    *node = (int32_t)(x + half);
    return x - (tc_real)*node;
}

/* s and its derivatives at the foot: s, s_x, s_y, s_xx, s_yy, s_xy */
static void eval_surface(const tc_sdf_heights *t, tc_real per, const tc_real foot[2],
                         surface_cell *cell, tc_real s[6])
{
    int32_t column, row;
    const tc_real u = find_node(foot[0], t->count_x, &column);
    const tc_real v = find_node(foot[1], t->count_y, &row);
    if (column != cell->column || row != cell->row) {
        cell->column = column;
        cell->row = row;
        read_cell(t, per, cell);
    }
    const tc_real *const a = cell->a;
    const tc_real b0 = TC_MLA(a[0], TC_MLA(a[1], a[2], u), u);
    const tc_real b1 = TC_MLA(a[3], TC_MLA(a[4], a[5], u), u);
    const tc_real b2 = TC_MLA(a[6], TC_MLA(a[7], a[8], u), u);
    const tc_real u2 = u + u, v2 = v + v;
    s[0] = TC_MLA(b0, TC_MLA(b1, b2, v), v);
    s[1] = TC_MLA(TC_MLA(a[1], a[2], u2), TC_MLA(TC_MLA(a[4], a[5], u2), TC_MLA(a[7], a[8], u2), v),
                  v);
    s[2] = TC_MLA(b1, b2, v2);
    s[3] = TC_MLA(a[2], TC_MLA(a[5], a[8], v), v);
    s[3] += s[3];
    s[4] = b2 + b2;
    s[5] = TC_MLA(TC_MLA(a[4], a[5], u2), TC_MLA(a[7], a[8], u2), v2);
}

/* Step of the foot, step[2] [spacings]; w [spacings], lift = e_z / spacing */
static void find_step(const tc_real s[6], const tc_real w[2], tc_real lift, tc_real step[2])
{
    const tc_real gxx = TC_MLA(TC_C(1.0), s[1], s[1]), gyy = TC_MLA(TC_C(1.0), s[2], s[2]);
    const tc_real gxy = s[1] * s[2];
    tc_real xx = TC_MLS(gxx, lift, s[3]), yy = TC_MLS(gyy, lift, s[4]);
    tc_real xy = TC_MLS(gxy, lift, s[5]);
    tc_real determinant = TC_MLS(xx * yy, xy, xy);
    if (!(determinant > TC_C(0.05) * (gxx * gyy) && xx > TC_C(0.0))) {
        xx = gxx;
        yy = gyy;
        xy = gxy;
        determinant = TC_MLS(xx * yy, xy, xy);
    }
    const tc_real inverse = TC_C(1.0) / determinant;
    step[0] = TC_MLS(yy * w[0], xy, w[1]) * inverse;
    step[1] = TC_MLS(xx * w[1], xy, w[0]) * inverse;
}

/* Slopes and height at foot + step by Taylor's series, in which a biquadratic has nothing after the
 * second order but mixed terms; the foot moves along. */
static void follow_surface(const tc_real step[2], tc_real foot[2], tc_real s[6])
{
    const tc_real sx = TC_MLA(TC_MLA(s[1], s[3], step[0]), s[5], step[1]);
    const tc_real sy = TC_MLA(TC_MLA(s[2], s[5], step[0]), s[4], step[1]);
    static const tc_real half = TC_C(0.5);
    s[0] = TC_MLA(TC_MLA(s[0], half * (s[1] + sx), step[0]), half * (s[2] + sy), step[1]);
    s[1] = sx;
    s[2] = sy;
    foot[0] += step[0];
    foot[1] += step[1];
}

static inline tc_real cut_step(tc_real step)
{
    return step > TC_C(1.0) ? TC_C(1.0) : step < TC_C(-1.0) ? TC_C(-1.0) : step;
}

/* Everything in spacings: then heights, slopes and curvatures are numbers of one scale. */
static tc_status eval_terrain(const tc_sdf *shape, const tc_real p[3], tc_real *distance,
                              tc_real gradient[3], tc_real *work, size_t work_len)
{
    const tc_sdf_heights *const t = shape->data_ref;
    const tc_real per = TC_C(1.0) / t->spacing;
    (void)work, (void)work_len;
    if (!(tc_vec_dot3(p, p) <= TCI_SDF_FAR2)) return tci_sdf_refuse(p, distance, gradient);
    const tc_real x = (p[0] - t->origin[0]) * per, y = (p[1] - t->origin[1]) * per;
    const tc_real z = (p[2] - t->origin[2]) * per;
    surface_cell cell = {.column = -1}; /* none: the first step reads one */
    tc_real s[6], step[2], foot[2] = {x, y};
    tc_status status = TC_NOTE_LIMIT;
    for (uint32_t k = 0; k < TC_SDF_STEPS; ++k) {
        eval_surface(t, per, foot, &cell, s);
        const tc_real lift = z - s[0];
        const tc_real w[2] = {TC_MLA(x - foot[0], s[1], lift), TC_MLA(y - foot[1], s[2], lift)};
        find_step(s, w, lift, step);
        if (TC_MLA(step[0] * step[0], step[1], step[1]) <= TERRAIN_FINE * TERRAIN_FINE) {
            status = TC_OK;
            break;
        }
        if (k + 1u == TC_SDF_STEPS) break;
        foot[0] += cut_step(step[0]);
        foot[1] += cut_step(step[1]);
    }
    if (status == TC_OK) follow_surface(step, foot, s);
    const tc_real square = TC_MLA(TC_MLA(TC_C(1.0), s[1], s[1]), s[2], s[2]);
    const tc_real up = TC_C(1.0) / tc_sqrt(square);
    const tc_real rise = TC_MLS(TC_MLS(z - s[0], s[1], x - foot[0]), s[2], y - foot[1]);
    gradient[0] = -up * s[1];
    gradient[1] = -up * s[2];
    gradient[2] = up;
    *distance = up * rise * t->spacing;
    return status;
}

/* Nodes first, first + stride, ... of an axis within reach of x [spacings]; returns their number, 1
 * at least */
static uint32_t nodes_within(tc_real x, tc_real reach, uint32_t count, int32_t *first,
                             int32_t *stride)
{
    int32_t last;
    (void)find_node(x - reach, count, first);
    (void)find_node(x + reach, count, &last);
    *stride = (last - *first) / TERRAIN_NODES + 1;
    return (uint32_t)((last - *first) / *stride + 1);
}

static uint32_t node_of_terrain(const tc_sdf *shape, const tc_real centre[3], tc_real reach,
                                uint32_t i, tc_real p[3])
{
    const tc_sdf_heights *const t = shape->data_ref;
    const tc_real per = TC_C(1.0) / t->spacing, r = reach * per;
    const tc_real x = (centre[0] - t->origin[0]) * per;
    const tc_real y = (centre[1] - t->origin[1]) * per;
    surface_cell cell;
    int32_t across, along;
    const uint32_t columns = nodes_within(x, r, t->count_x, &cell.column, &across);
    const uint32_t rows = nodes_within(y, r, t->count_y, &cell.row, &along);
    cell.column += across * (int32_t)(i % columns);
    cell.row += along * (int32_t)(i / columns);
    read_cell(t, TC_C(1.0), &cell);
    p[0] = TC_MLA(t->origin[0], (tc_real)cell.column, t->spacing);
    p[1] = TC_MLA(t->origin[1], (tc_real)cell.row, t->spacing);
    p[2] = t->origin[2] + cell.a[0];
    return columns * rows;
}

const tc_sdf_kind tc_sdf_terrain = {"terrain",
                                    TC_SDF_CONTRACT_APPROXIMATE,
                                    0,
                                    NULL,
                                    check_terrain,
                                    eval_terrain,
                                    NULL,
                                    NULL,
                                    node_of_terrain,
                                    1};
