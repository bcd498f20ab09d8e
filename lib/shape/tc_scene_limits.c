/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Limits of a scene as contacts: the gap and its gradient.
 *
 *     coordinate   q - low, or high - q
 *     distance     |d| - low, or high - |d|, d = b - a; gradient n = d / |d| at b, -n at a
 *     bend         high - theta, theta between d = b - a and e = c - b
 *
 * Theta = atan2(|d x e|, d . e). With k the unit vector along d x e, theta grows by k x e / |e|^2
 * per unit of e, and by -k x d / |d|^2 per unit of d. A straight bend has no k; its gap is `high`,
 * so no row of it is asked for.
 */
#include "tc_exact.h"
#include "tc_scene_core.h"

#include "tc_vec.h"

/* Rates of a floating root stand before those of the joints, and its quaternion has one number
 * more. */
static tc_real coordinate_of(const tc_scene_placed *placed, const tc_scene_limit *limit)
{
    return placed->q[placed->span[limit->mover].q + limit->coordinate
                     + placed->span[limit->mover].coordinates - placed->span[limit->mover].rates];
}

/* d, e and their angle */
static tc_real measure_bend(const tc_scene_placed *placed, const tc_scene_limit *limit,
                            tc_real x[3][3], tc_real d[3], tc_real e[3])
{
    tc_real across[3];
    for (uint32_t i = 0; i < 3u; ++i) tc_scene_point_at(placed, &limit->point[i], x[i]);
    (void)tc_scene_between(x[0], x[1], d);
    (void)tc_scene_between(x[1], x[2], e);
    tc_vec_cross(d, e, across);
    return tc_atan2(tc_sqrt(tc_vec_dot3(across, across)), tc_vec_dot3(d, e));
}

static tc_real measure_limit(const tc_scene_placed *placed, const tc_scene_limit *limit)
{
    tc_real x[3][3], d[3], e[3];
    if (limit->kind == TC_SCENE_LIMIT_COORDINATE) return coordinate_of(placed, limit);
    if (limit->kind == TC_SCENE_LIMIT_BEND) return measure_bend(placed, limit, x, d, e);
    tc_scene_point_at(placed, &limit->point[0], x[0]);
    tc_scene_point_at(placed, &limit->point[1], x[1]);
    return tc_scene_between(x[0], x[1], d);
}

tc_real tc_scene_limit_gap(const tc_scene_placed *placed, const tc_scene_limit *limit,
                           uint16_t *side)
{
    const tc_real value = measure_limit(placed, limit);
    const tc_real above = value - limit->low, below = limit->high - value;
    *side = limit->kind == TC_SCENE_LIMIT_BEND || below < above;
    return *side ? below : above;
}

/* Adds to row the effect of moving points a, b by n, the gap's gradient. */
static void add_at(const tc_scene_placed *placed, const tc_scene_point *point, const tc_real x[3],
                   const tc_real n[3], tc_real scale, tc_real *row)
{
    tc_scene_add_row(placed, point->mover, point->link, x, n, scale, row);
}

static void write_distance(const tc_scene_placed *placed, const tc_scene_limit *limit, tc_real sign,
                           tc_real *row)
{
    tc_real a[3], b[3], d[3];
    tc_scene_point_at(placed, &limit->point[0], a);
    tc_scene_point_at(placed, &limit->point[1], b);
    const tc_real length = tc_scene_between(a, b, d);
    const tc_real scale = length > TC_C(0.0) ? sign / length : TC_C(0.0);
    if (!(length > TC_C(0.0))) d[0] = TC_C(1.0);
    add_at(placed, &limit->point[1], b, d, scale != TC_C(0.0) ? scale : sign, row);
    add_at(placed, &limit->point[0], a, d, scale != TC_C(0.0) ? -scale : -sign, row);
}

static void write_bend(const tc_scene_placed *placed, const tc_scene_limit *limit, tc_real *row)
{
    tc_real x[3][3], d[3], e[3], k[3], by_d[3], by_e[3];
    (void)measure_bend(placed, limit, x, d, e);
    tc_vec_cross(d, e, k);
    const tc_real size = tc_sqrt(tc_vec_dot3(k, k));
    if (!(size > TC_C(0.0))) { /* bent back: any direction across */
        k[0] = k[1] = TC_C(0.0);
        k[2] = TC_C(1.0);
    }
    tc_vec_cross(k, d, by_d);
    tc_vec_cross(k, e, by_e);
    const tc_real unit = size > TC_C(0.0) ? TC_C(1.0) / size : TC_C(1.0);
    const tc_real of_d = unit / tc_vec_dot3(d, d), of_e = unit / tc_vec_dot3(e, e);
    /* the gap is high - theta: its gradient by d is +k x d / |d|^2, by e is -k x e / |e|^2 */
    add_at(placed, &limit->point[0], x[0], by_d, -of_d, row);
    add_at(placed, &limit->point[1], x[1], by_d, of_d, row);
    add_at(placed, &limit->point[1], x[1], by_e, of_e, row);
    add_at(placed, &limit->point[2], x[2], by_e, -of_e, row);
}

void tc_scene_limit_row(const tc_scene_placed *placed, const tc_scene_limit *limit, uint16_t side,
                        tc_real *row)
{
    const tc_real sign = side ? TC_C(-1.0) : TC_C(1.0);
    if (limit->kind == TC_SCENE_LIMIT_COORDINATE) {
        row[placed->span[limit->mover].v + limit->coordinate] = sign;
    } else if (limit->kind == TC_SCENE_LIMIT_DISTANCE) {
        write_distance(placed, limit, sign, row);
    } else {
        write_bend(placed, limit, row);
    }
}
