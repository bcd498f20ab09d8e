/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Mass properties of homogeneous shapes, per density, and their derivatives by the shape's sizes.
 *
 * Everything is a polynomial in the sizes. A number and its derivatives go through it together
 * (struct size_dual: value and four derivatives), so that there is one text for both.
 *
 * Rounded box: core c_i = h_i - r, rounding r. The octant x_i > 0 falls into eight pieces: along
 * each axis either x_i in [0, c_i], or x_i = c_i + u_i with all such u in the positive orthant of
 * a ball of radius r in as many dimensions k. That orthant has the moments
 *
 *     k             1        2          3
 *     v  = int 1    r        pi r^2/4   pi r^3/6
 *     m1 = int u    r^2/2    r^3/3      pi r^4/16
 *     m2 = int u^2  r^3/3    pi r^4/16  pi r^5/30
 *
 * and a piece has, times the c_i of its other unrounded axes, int 1 = v, and
 * int x_i^2 = c_i^3/3 v / c_i if axis i is unrounded, else c_i^2 v + 2 c_i m1 + m2.
 *
 * Rounded cylinder: core of radius a = r - s and half length b = half - s, rounding s. At z = b + u,
 * u in [0, s], the radius is rho = a + w, w = sqrt(s^2 - u^2). The integrals over u of products
 *
 *     w: pi s^2/4   w^2: 2 s^3/3   w^3: 3 pi s^4/16   w^4: 8 s^5/15
 *     u: s^2/2      u w: s^3/3     u w^2: s^4/4       u^2: s^3/3   u^2 w: pi s^4/16  u^2 w^2: 2 s^5/15
 *
 * give with P2 = int rho^2, P4 = int rho^4, Q1 = int u rho^2, Q2 = int u^2 rho^2
 *
 *     volume         2 pi (b r^2 + P2)
 *     int x^2 + y^2  pi (b r^4 + P4)
 *     int z^2        2 pi (r^2 b^3/3 + b^2 P2 + 2 b Q1 + Q2)
 *
 * A capsule is the case a = 0, b = half, s = r; a sphere the case a = b = 0, s = r.
 */
#include "tc_exact.h"
#include "tc_sdf.h"

#include "tc_sdf_internal.h"

#define PI TC_C(3.14159265358979323846)

/* A number and its derivatives by the shape's sizes */
typedef struct size_dual {
    tc_real x, d[TC_SDF_SIZES];
} size_dual;

/* What a shape's formula gives: its volume and second moments int x_i^2 */
typedef struct shape_moments {
    size_dual volume, second[3];
} shape_moments;

static size_dual take_size(const tc_sdf *shape, uint32_t i)
{
    size_dual a = {shape->size[i], {TC_C(0.0)}};
    a.d[i] = TC_C(1.0);
    return a;
}

static size_dual make_constant(tc_real x)
{
    const size_dual a = {x, {TC_C(0.0)}};
    return a;
}

/* a + s b */
static size_dual add_dual(size_dual a, tc_real s, size_dual b)
{
    a.x = TC_MLA(a.x, s, b.x);
    for (uint32_t i = 0; i < TC_SDF_SIZES; ++i) a.d[i] = TC_MLA(a.d[i], s, b.d[i]);
    return a;
}

/* s a b */
static size_dual times_scaled(tc_real s, size_dual a, size_dual b)
{
    size_dual c;
    c.x = s * a.x * b.x;
    for (uint32_t i = 0; i < TC_SDF_SIZES; ++i) c.d[i] = s * TC_MLA(a.x * b.d[i], a.d[i], b.x);
    return c;
}

/* ---- Box ------------------------------------------------------------------------------------- */

/* Moments v, m1, m2 of the orthant of a ball, by the number of its dimensions; see above */
static void find_orthant(size_dual r, uint32_t dimensions, size_dual moment[3])
{
    static const tc_real factors[4][3] = {{TC_C(1.0), TC_C(0.0), TC_C(0.0)},
                                          {TC_C(1.0), TC_C(0.5), TC_C(1.0) / TC_C(3.0)},
                                          {PI / TC_C(4.0), TC_C(1.0) / TC_C(3.0), PI / TC_C(16.0)},
                                          {PI / TC_C(6.0), PI / TC_C(16.0), PI / TC_C(30.0)}};
    size_dual power = make_constant(TC_C(1.0));
    for (uint32_t i = 0; i < dimensions; ++i) power = times_scaled(TC_C(1.0), power, r);
    for (uint32_t k = 0; k < 3u; ++k) {
        moment[k] = times_scaled(factors[dimensions][k], power, make_constant(TC_C(1.0)));
        power = times_scaled(TC_C(1.0), power, r);
    }
}

/* One of the eight pieces; bit i of `rounded`: beyond the core along axis i */
static void add_piece(const size_dual c[3], size_dual r, uint32_t rounded, shape_moments *m)
{
    static const tc_real one = TC_C(1.0);
    size_dual moment[3], others = make_constant(TC_C(8.0));
    find_orthant(r, (rounded & 1u) + (rounded >> 1 & 1u) + (rounded >> 2), moment);
    for (uint32_t i = 0; i < 3u; ++i) {
        if (!(rounded >> i & 1u)) others = times_scaled(one, others, c[i]);
    }
    const size_dual volume = times_scaled(one, others, moment[0]);
    m->volume = add_dual(m->volume, one, volume);
    for (uint32_t i = 0; i < 3u; ++i) {
        const size_dual square = times_scaled(one, c[i], c[i]);
        if (!(rounded >> i & 1u)) {
            m->second[i] =
                add_dual(m->second[i], one, times_scaled(one / TC_C(3.0), square, volume));
            continue;
        }
        size_dual sum = times_scaled(one, square, moment[0]);
        sum = add_dual(sum, TC_C(2.0), times_scaled(one, c[i], moment[1]));
        sum = add_dual(sum, one, moment[2]);
        m->second[i] = add_dual(m->second[i], one, times_scaled(one, others, sum));
    }
}

static void find_box_moments(const tc_sdf *shape, shape_moments *m)
{
    const size_dual r = take_size(shape, 3);
    size_dual c[3];
    m->volume = make_constant(TC_C(0.0));
    for (uint32_t i = 0; i < 3u; ++i) {
        c[i] = add_dual(take_size(shape, i), TC_C(-1.0), r);
        m->second[i] = m->volume;
    }
    for (uint32_t rounded = 0; rounded < 8u; ++rounded) add_piece(c, r, rounded, m);
}

/* ---- Shapes of revolution -------------------------------------------------------------------- */

/* sum of factor[i] a^(n - 1 - i) s^(i + first), i < n */
static size_dual sum_powers(const tc_real *factor, uint32_t n, size_dual a, size_dual s,
                            uint32_t first)
{
    size_dual power = make_constant(TC_C(1.0)), sum = make_constant(TC_C(0.0));
    for (uint32_t i = 0; i < first; ++i) power = times_scaled(TC_C(1.0), power, s);
    for (uint32_t i = 0; i < n; ++i) {
        sum = add_dual(times_scaled(TC_C(1.0), sum, a), factor[i], power);
        power = times_scaled(TC_C(1.0), power, s);
    }
    return sum;
}

static void find_round_moments(size_dual a, size_dual b, size_dual s, shape_moments *m)
{
    static const tc_real one = TC_C(1.0), two = TC_C(2.0);
    static const tc_real p2[3] = {TC_C(1.0), PI / TC_C(2.0), TC_C(2.0) / TC_C(3.0)};
    static const tc_real p4[5] = {TC_C(1.0), PI, TC_C(4.0), TC_C(0.75) * PI,
                                  TC_C(8.0) / TC_C(15.0)};
    static const tc_real q1[3] = {TC_C(0.5), TC_C(2.0) / TC_C(3.0), TC_C(0.25)};
    static const tc_real q2[3] = {TC_C(1.0) / TC_C(3.0), PI / TC_C(8.0), TC_C(2.0) / TC_C(15.0)};
    const size_dual r = add_dual(a, one, s), r2 = times_scaled(one, r, r);
    const size_dual b2 = times_scaled(one, b, b), P2 = sum_powers(p2, 3, a, s, 1);
    size_dual sum = add_dual(times_scaled(one, b, r2), one, P2);
    m->volume = times_scaled(two * PI, sum, make_constant(one));
    sum = times_scaled(one, b, times_scaled(one, r2, r2));
    sum = add_dual(sum, one, sum_powers(p4, 5, a, s, 1));
    m->second[0] = m->second[1] = times_scaled(TC_C(0.5) * PI, sum, make_constant(one));
    sum = times_scaled(one / TC_C(3.0), b, times_scaled(one, b2, r2));
    sum = add_dual(sum, one, times_scaled(one, b2, P2));
    sum = add_dual(sum, two, times_scaled(one, b, sum_powers(q1, 3, a, s, 2)));
    sum = add_dual(sum, one, sum_powers(q2, 3, a, s, 3));
    m->second[2] = times_scaled(two * PI, sum, make_constant(one));
}

static void find_sphere_moments(const tc_sdf *shape, shape_moments *m)
{
    const size_dual zero = make_constant(TC_C(0.0));
    find_round_moments(zero, zero, take_size(shape, 0), m);
}

static void find_capsule_moments(const tc_sdf *shape, shape_moments *m)
{
    find_round_moments(make_constant(TC_C(0.0)), take_size(shape, 1), take_size(shape, 0), m);
}

static void find_cylinder_moments(const tc_sdf *shape, shape_moments *m)
{
    const size_dual s = take_size(shape, 2);
    find_round_moments(add_dual(take_size(shape, 0), TC_C(-1.0), s),
                       add_dual(take_size(shape, 1), TC_C(-1.0), s), s, m);
}

/* ---- Public ---------------------------------------------------------------------------------- */

/* Not in the kinds' tables: an application that evaluates distances alone links none of this. */
static const struct {
    const tc_sdf_kind *kind;
    void (*find)(const tc_sdf *shape, shape_moments *m);
} closed_forms[] = {{&tc_sdf_sphere, find_sphere_moments},
                    {&tc_sdf_capsule, find_capsule_moments},
                    {&tc_sdf_box, find_box_moments},
                    {&tc_sdf_cylinder, find_cylinder_moments}};

/* The value (i = 0) or derivative by size i - 1 */
static tc_real pick_number(const size_dual *a, uint32_t i)
{
    return i == 0u ? a->x : a->d[i - 1u];
}

static void fill_properties(const shape_moments *m, uint32_t i, tc_sdf_inertia *inertia)
{
    tc_real x[3];
    inertia->volume = pick_number(&m->volume, i);
    for (uint32_t k = 0; k < 3u; ++k) {
        x[k] = pick_number(&m->second[k], i);
        inertia->centre[k] = inertia->inertia[3u + k] = TC_C(0.0);
    }
    inertia->inertia[0] = x[1] + x[2];
    inertia->inertia[1] = x[2] + x[0];
    inertia->inertia[2] = x[0] + x[1];
}

static tc_status copy_stored(const tc_sdf *shape, tc_sdf_inertia *inertia,
                             const tc_sdf_inertia *derivative)
{
    const tc_sdf_stored *const stored = shape->data_ref;
    if (shape->kind->contract != TC_SDF_CONTRACT_APPROXIMATE || !stored->inertia_ref
        || (derivative && tc_sdf_parameters(shape) > 0u)) {
        return TC_ERR_UNSUPPORTED;
    }
    *inertia = *stored->inertia_ref;
    return TC_OK;
}

/* tc_calls: tc_sdf_mass lib/shape/tc_sdf_mass.c:find_sphere_moments */
/* tc_calls: tc_sdf_mass lib/shape/tc_sdf_mass.c:find_capsule_moments */
/* tc_calls: tc_sdf_mass lib/shape/tc_sdf_mass.c:find_box_moments */
/* tc_calls: tc_sdf_mass lib/shape/tc_sdf_mass.c:find_cylinder_moments */
tc_status tc_sdf_mass(const tc_sdf *shape, tc_sdf_inertia *inertia, tc_sdf_inertia *derivative)
{
    static const tc_sdf_inertia none = {TC_C(0.0), {TC_C(0.0)}, {TC_C(0.0)}};
    if (inertia) *inertia = none;
    if (!shape || !inertia) return TC_ERR_NULL;
    for (uint32_t k = 0; k < TC_COUNT(closed_forms); ++k) {
        if (closed_forms[k].kind != shape->kind) continue;
        shape_moments m;
        closed_forms[k].find(shape, &m);
        fill_properties(&m, 0, inertia);
        for (uint32_t i = 0; derivative && i < shape->kind->parameters; ++i)
            fill_properties(&m, i + 1u, &derivative[i]);
        return TC_OK;
    }
    return copy_stored(shape, inertia, derivative);
}
