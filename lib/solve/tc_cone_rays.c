/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Cone problems whose sets have flat sides: the plane, and contacts without friction.
 *
 * In the plane a contact's set is a segment and two rays, r = g_n - mu g_t and r' = g_n + mu g_t:
 *
 *     G_i^T f_i = floor r + s (r' - r) + a r + b r',   0 <= s <= floor,   0 <= a, b
 *
 * Without friction it is floor g_n + a g_n. So w is the least vector over numbers x within bounds,
 * w = base + sum_j x_j c_j, c_j the columns r, r', r' - r. The method is Lawson and Hanson's, with
 * upper bounds. Of each column either x_j is at a bound, or the column is free:
 *
 * 1. Of the columns at bounds, the one along which |w|^2 falls most steeply becomes free. If none
 *    falls, w is the answer.
 * 2. x of the free columns goes to where w is orthogonal to them. At the first bound on the way a
 *    column stays there, and the rest goes on.
 *
 * w stays in velocity space: C = Q R by Gram-Schmidt, a second pass where the first left less than
 * a tenth, and w = base - Q Q^T base. A column that depends on free ones has no slope, so at most d
 * are free. Between opposed walls with little friction x is thousands of times w; w does not take
 * part in that.
 *
 * A problem with compliance is none of these: its diagonal couples the two rays.
 *
 * x in thousands of w is rounded by more than w may be off: it is corrected once.
 *
 * Bound: 8 + 4 n rounds, each of n rows d, and d columns of 4 d^2 at most.
 */
#include "tc_exact.h"
#include "tc_cone_internal.h"

#define DEPENDENT_RAYS (TC_C(1e-4) * TC_EPSILON) /* of |c|^2 */
#define DEPENDENT_COARSE TC_C(1e-8)              /* the same where the answer is all rounding */
#define AGAIN_BELOW TC_C(0.01)                   /* of |c|^2 */
#define SLOPE_NOISE (TC_C(8.0) * TC_EPSILON)     /* of |c| |base| */
#define REFINED_ABOVE TC_C(1e-4)                 /* violation, of the velocities that come in */
#define WARM_EDGE TC_C(1e-3) /* of f_n: an expected impulse whose ray has less is on the other */

/* Columns of a contact, as columns of a matrix are named: 3 i + kind */
enum { RAY_MINUS = 0, RAY_PLUS = 1, RAY_FLOOR = 2, RAY_KINDS = 3 };

typedef struct ray_search {
    tc_real *Q, *R; /* [count x d] directions; [count x d] of each free column its parts along Q */
    tc_real *x, *c; /* [d] of the free columns; w's parts along Q */
    tc_real *base;  /* [d] w where x = 0 */
    tc_real least;  /* part of |c|^2 that a column adds at least */
    tc_real noise;  /* square of the slope that is rounding, of a column of length 1 */
    uint32_t count; /* of free columns */
    uint32_t upper; /* contacts whose s is the floor */
    uint32_t refused; /* contacts that have a column which rounding keeps from being free */
    uint8_t column[TC_CONE_RAYS_FREEDOM];
} ray_search;

TC_MAT_INLINE tc_real dot_ray(const tc_real *a, const tc_real *b, uint32_t d)
{
    tc_real sum = a[0] * b[0];
    if (d == 3u) return TC_MLA(TC_MLA(sum, a[1], b[1]), a[2], b[2]);
    for (uint32_t k = 1; k < d; ++k) sum = TC_MLA(sum, a[k], b[k]);
    return sum;
}

/* y += x a */
TC_MAT_INLINE void add_ray(tc_real *y, tc_real x, const tc_real *a, uint32_t d)
{
    if (d == 3u) {
        y[0] = TC_MLA(y[0], x, a[0]);
        y[1] = TC_MLA(y[1], x, a[1]);
        y[2] = TC_MLA(y[2], x, a[2]);
        return;
    }
    for (uint32_t k = 0; k < d; ++k) y[k] = TC_MLA(y[k], x, a[k]);
}

/* Column into y: the parts of it that are along the normal's and the tangent's row */
static void form_ray(const tci_cone_state *s, uint32_t column, tc_real *y, uint32_t d)
{
    const uint32_t i = column / RAY_KINDS, kind = column % RAY_KINDS;
    const tc_real *const g = s->G + i * s->rows * d, mu = s->contact[i].mu;
    const tc_real normal = kind == RAY_FLOOR ? TC_C(0.0) : TC_C(1.0);
    const tc_real tangent = kind == RAY_FLOOR ? mu + mu : kind == RAY_PLUS ? mu : -mu;
    for (uint32_t k = 0; k < d; ++k) y[k] = normal * g[k];
    if (s->rows == 2u) add_ray(y, tangent, g + d, d);
}

/* Takes the directions of Q out of y, and collects how much of each */
static void leave_rays(const ray_search *r, tc_real *y, tc_real *parts, int again, uint32_t d)
{
    const tc_real *q = r->Q;
    for (uint32_t j = 0; j < r->count; ++j, q += d) {
        const tc_real part = dot_ray(q, y, d);
        add_ray(y, -part, q, d);
        parts[j] = again ? parts[j] + part : part;
    }
}

/* A column becomes free, and w orthogonal to it. Returns 0 if it depends on those that are. */
static CONE_APART int free_ray(const tci_cone_state *s, ray_search *r, uint32_t column)
{
    const uint32_t k = r->count, d = s->d;
    tc_real *const y = r->Q + k * d, *const parts = r->R + k * d;
    if (k == d) return 0;
    form_ray(s, column, y, d);
    const tc_real size = dot_ray(y, y, d);
    leave_rays(r, y, parts, 0, d);
    tc_real rest = dot_ray(y, y, d);
    if (rest < AGAIN_BELOW * size) {
        leave_rays(r, y, parts, 1, d);
        rest = dot_ray(y, y, d);
    }
    if (!(rest > r->least * size)) return 0;
    const tc_real inverse = TC_C(1.0) / tc_sqrt(rest);
    for (uint32_t j = 0; j < d; ++j) y[j] *= inverse;
    parts[k] = inverse;
    r->c[k] = -dot_ray(y, s->w, d);
    add_ray(s->w, r->c[k], y, d);
    r->column[k] = (uint8_t)column;
    r->count = k + 1u;
    return 1;
}

/* base = w0 with the floors' impulses at the ends of their segments; w = base */
static CONE_COLD void place_floors(const tci_cone_state *s, ray_search *r)
{
    const uint32_t d = s->d;
    for (uint32_t k = 0; k < d; ++k) r->base[k] = s->w0[k];
    for (uint32_t i = 0; i < s->n; ++i) {
        const tci_cone_contact *const c = s->contact + i;
        const tc_real *const g = s->G + i * s->rows * d, tangent = c->mu * c->floor;
        if (!(c->floor > TC_C(0.0))) continue;
        add_ray(r->base, c->floor, g, d);
        if (s->rows == 2u)
            add_ray(r->base, (r->upper >> i & 1u) != 0 ? tangent : -tangent, g + d, d);
    }
    for (uint32_t k = 0; k < d; ++k) s->w[k] = r->base[k];
    r->noise = TC_C(2.0) * SLOPE_NOISE * SLOPE_NOISE * dot_ray(r->base, r->base, d);
}

/* Q, R and w again for the free columns but one; that of place `left` has come to a bound. */
static CONE_COLD int drop_ray(const tci_cone_state *s, ray_search *r, uint32_t left)
{
    const uint32_t d = s->d;
    const uint32_t count = r->count;
    if (r->column[left] % RAY_KINDS == RAY_FLOOR) {
        place_floors(s, r);
    } else {
        for (uint32_t k = 0; k < d; ++k) s->w[k] = r->base[k];
    }
    r->count = 0;
    for (uint32_t k = 0; k < count; ++k) {
        if (k == left) continue;
        const tc_real x = r->x[k];
        if (!free_ray(s, r, r->column[k])) return 0;
        r->x[r->count - 1u] = x;
    }
    return 1;
}

/* y = x where w is orthogonal to all free columns */
static void solve_rays(const ray_search *r, tc_real *y, uint32_t d)
{
    for (uint32_t k = r->count; k-- != 0;) {
        tc_real sum = r->c[k];
        for (uint32_t j = k + 1u; j < r->count; ++j) sum = TC_MLS(sum, r->R[j * d + k], y[j]);
        y[k] = sum * r->R[k * d + k];
    }
}

/* The part of the way from x to y at which x comes to a bound of its column; `high` tells which. 1:
 * none */
static tc_real way_to_bound(tc_real x, tc_real y, tc_real most, int *high)
{
    *high = y > most;
    if (*high) return (most - x) / (y - x);
    return y < TC_C(0.0) ? x / (x - y) : TC_C(1.0);
}

/* x moves towards y until the first column comes to a bound; returns its place, or count. */
static uint32_t move_rays(const tci_cone_state *s, ray_search *r, const tc_real *y)
{
    tc_real ratio = TC_C(1.0);
    uint32_t first = r->count;
    int upper = 0, high;
    for (uint32_t k = 0; k < r->count; ++k) {
        const int segment = r->column[k] % RAY_KINDS == RAY_FLOOR;
        const tc_real most = segment ? s->contact[r->column[k] / RAY_KINDS].floor : y[k];
        const tc_real part = way_to_bound(r->x[k], y[k], most, &high);
        if (!(part < ratio)) continue;
        ratio = part;
        first = k;
        upper = high;
    }
    for (uint32_t k = 0; k < r->count; ++k) r->x[k] = TC_MLA(r->x[k], ratio, y[k] - r->x[k]);
    if (first < r->count && r->column[first] % RAY_KINDS == RAY_FLOOR) {
        const uint32_t bit = 1u << r->column[first] / RAY_KINDS;
        r->upper = upper ? r->upper | bit : r->upper & ~bit;
    }
    return first;
}

/* How steeply |w|^2 falls along the segment of a floor, from the end where s is; 0 where it rises */
TC_MAT_INLINE tc_real fall_at_floor(const tci_cone_contact *c, tc_real tangent, uint32_t upper)
{
    const tc_real inward = upper != 0 ? tangent : -tangent;
    return inward > TC_C(0.0) && c->mu > TC_C(0.0) ? tangent * tangent * c->inverse : TC_C(0.0);
}

/* The column at a bound along which |w|^2 falls most steeply, each as if of length 1; or NONE */
#define NO_RAY 255u
TC_MAT_INLINE uint32_t pick_ray(const tci_cone_state *s, const ray_search *r, uint32_t rows,
                                uint32_t d)
{
    const int plane = rows == 2u;
    const tc_real *g = s->G;
    const tci_cone_contact *c = s->contact;
    tc_real most = r->noise;
    uint32_t worst = NO_RAY;
    for (uint32_t i = 0; i < s->n; ++i, ++c, g += rows * d) {
        const tc_real normal = dot_ray(g, s->w, d);
        const tc_real tangent = plane ? dot_ray(g + d, s->w, d) : TC_C(0.0);
        const tc_real slope = TC_MLS(normal, c->mu, tc_vec_magnitude(tangent));
        const tc_real fall = slope * slope * c->length * c->inverse;
        if ((r->refused >> i & 1u) != 0) continue;
        if (slope < TC_C(0.0) && fall > most) {
            most = fall;
            worst = RAY_KINDS * i + (tangent < TC_C(0.0) ? RAY_PLUS : RAY_MINUS);
        }
        if (!plane || !(c->floor > TC_C(0.0))) continue;
        const tc_real along = fall_at_floor(c, tangent, r->upper >> i & 1u);
        if (along > most) {
            most = along;
            worst = RAY_KINDS * i + RAY_FLOOR;
        }
    }
    return worst;
}

/* The same; of the plane and one body with constants */
static CONE_APART uint32_t pick_any_ray(const tci_cone_state *s, const ray_search *r)
{
    if (s->d == 3u && s->rows == 2u) return pick_ray(s, r, 2u, 3u);
    return pick_ray(s, r, s->rows, s->d);
}

/* A column that is to be free, its x at the bound where it was */
static int enter_ray(const tci_cone_state *s, ray_search *r, uint32_t column)
{
    const uint32_t i = column / RAY_KINDS, k = r->count, upper = r->upper, d = s->d;
    tc_real start = TC_C(0.0);
    for (uint32_t j = 0; j < k; ++j) {
        if (r->column[j] == column) return 0;
    }
    if (k == d) return 0;
    if (column % RAY_KINDS == RAY_FLOOR && (upper >> i & 1u) != 0) {
        r->upper = upper & ~(1u << i);
        start = s->contact[i].floor;
        place_floors(s, r);
        for (uint32_t j = 0; j < k; ++j) { /* Q stays, the base moves */
            r->c[j] = -dot_ray(r->Q + j * d, s->w, d);
            add_ray(s->w, r->c[j], r->Q + j * d, d);
        }
    }
    r->x[k] = start;
    return free_ray(s, r, column);
}

/* Returns 1 at the answer. */
static int search_rays(tci_cone_state *s, ray_search *r)
{
    tc_real y[TC_CONE_RAYS_FREEDOM];
    for (uint32_t left = 8u + 4u * s->n; left != 0; --left) {
        solve_rays(r, y, s->d);
        const uint32_t first = move_rays(s, r, y);
        if (first < r->count) {
            if (!drop_ray(s, r, first)) return 0;
            continue;
        }
        uint32_t column = pick_any_ray(s, r);
        while (column != NO_RAY && !enter_ray(s, r, column)) {
            r->refused |= 1u << column / RAY_KINDS;
            column = pick_any_ray(s, r);
        }
        if (column == NO_RAY) return 1;
        r->refused = 0;
        ++s->iterations;
    }
    return 0;
}

/* A column becomes free whose x is expected, unless it is not positive */
static void expect_ray(const tci_cone_state *s, ray_search *r, uint32_t column, tc_real x)
{
    const uint32_t k = r->count;
    if (x > TC_C(0.0) && free_ray(s, r, column)) r->x[k] = x;
}

/* Free columns that the expected impulses use, of contacts without floors */
static CONE_COLD void expect_rays(const tci_cone_state *s, ray_search *r, const tc_real *warm)
{
    for (uint32_t i = 0; i < s->n; ++i) {
        const tc_real *const f = warm + i * s->rows, mu = s->contact[i].mu;
        const tc_real least = WARM_EDGE * f[0];
        if (s->contact[i].floor > TC_C(0.0)) continue;
        if (mu <= TC_C(0.0)) {
            expect_ray(s, r, RAY_KINDS * i + RAY_PLUS, f[0]);
            continue;
        }
        const tc_real turn = f[1] / mu, plus = TC_C(0.5) * (f[0] + turn);
        const tc_real minus = TC_C(0.5) * (f[0] - turn);
        expect_ray(s, r, RAY_KINDS * i + RAY_MINUS, minus > least ? minus : TC_C(0.0));
        expect_ray(s, r, RAY_KINDS * i + RAY_PLUS, plus > least ? plus : TC_C(0.0));
    }
}

static CONE_COLD void take_rays(tci_cone_state *s, const ray_search *r)
{
    for (uint32_t i = 0; i < s->n; ++i) {
        tc_real *const f = s->f + i * s->rows;
        const tc_real floor = s->contact[i].floor, edge = s->contact[i].mu * floor;
        f[0] = floor;
        for (uint32_t row = 1; row < s->rows; ++row) f[row] = TC_C(0.0);
        if (s->rows == 2u) f[1] = (r->upper >> i & 1u) != 0 ? edge : -edge;
    }
    for (uint32_t k = 0; k < r->count; ++k) {
        const uint32_t i = r->column[k] / RAY_KINDS, kind = r->column[k] % RAY_KINDS;
        tc_real *const f = s->f + i * s->rows;
        const tc_real x = r->x[k], part = s->contact[i].mu * x;
        if (kind != RAY_FLOOR) f[0] += x;
        if (s->rows == 2u)
            f[1] += kind == RAY_FLOOR ? part + part : kind == RAY_PLUS ? part : -part;
    }
}

/* x corrected by what the rounded impulses leave of w along the free columns, where it stays within
 * its bounds; w is that of f */
static CONE_COLD void refine_rays(tci_cone_state *s, ray_search *r)
{
    const uint32_t d = s->d;
    tc_real y[TC_CONE_RAYS_FREEDOM];
    for (uint32_t k = 0; k < r->count; ++k) {
        r->c[k] = -dot_ray(r->Q + k * d, s->w, d);
        add_ray(s->w, r->c[k], r->Q + k * d, d);
    }
    solve_rays(r, y, d);
    for (uint32_t k = 0; k < r->count; ++k) {
        const int segment = r->column[k] % RAY_KINDS == RAY_FLOOR;
        const tc_real x = r->x[k] + y[k], most = s->contact[r->column[k] / RAY_KINDS].floor;
        if (x >= TC_C(0.0) && (!segment || x <= most)) r->x[k] = x;
    }
    take_rays(s, r);
    tci_cone_evaluate(s);
}

/* Whether each set has flat sides, and d fits. Impulses that are not unique come from here with as
 * few contacts as possible. Where floors and expected impulses are given, as by tc_impact, whose
 * derivatives want them inside their cones, the general method stays near those. */
static int has_flat_sides(const tci_cone_state *s, int expected)
{
    tc_real mu = TC_C(0.0), soft = TC_C(0.0), floor = TC_C(0.0);
    for (uint32_t i = 0; i < s->n; ++i) { /* none is negative */
        mu += s->contact[i].mu;
        soft += s->contact[i].soft;
        floor += s->contact[i].floor;
    }
    if (soft > TC_C(0.0) || s->d > TC_CONE_RAYS_FREEDOM) return 0;
    if (mu <= TC_C(0.0)) return 1;
    return s->rows < 3u && !(expected && floor > TC_C(0.0));
}

/* f, u and w by columns that are independent by `least`; 1 if they are certified */
static int try_rays(tci_cone_state *s, const tc_real *warm, tc_real *work, tc_real least)
{
    const uint32_t d = s->d;
    ray_search r = {.Q = work, .R = work + d * d, .x = work + 2u * d * d, .least = least};
    r.c = r.x + d;
    r.base = r.c + d;
    for (uint32_t i = 0; i < s->n && s->rows == 2u; ++i) {
        const tc_real *const g = s->G + (2u * i + 1u) * d;
        if (s->contact[i].floor > TC_C(0.0) && dot_ray(g, s->w0, d) < TC_C(0.0)) r.upper |= 1u << i;
    }
    place_floors(s, &r);
    if (warm != NULL) expect_rays(s, &r, warm);
    if (!search_rays(s, &r)) return 0;
    take_rays(s, &r);
    tci_cone_evaluate(s);
    if (s->violation > REFINED_ABOVE * s->approach) refine_rays(s, &r);
    s->doubt = r.refused != 0 ? TC_C(1.0) : TC_C(0.0);
    return tci_cone_certified(s);
}

int tci_cone_rays(tci_cone_state *s, const tc_real *warm, tc_real *work)
{
    if (!has_flat_sides(s, warm != NULL)) return 0;
    if (!try_rays(s, warm, work, DEPENDENT_RAYS)) return 0;
    if (s->violation <= TC_CONE_ERROR * s->approach) return 1;
    return (try_rays(s, warm, work, DEPENDENT_COARSE) && s->doubt <= TC_C(0.0))
           || try_rays(s, warm, work, DEPENDENT_RAYS);
}
