/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The end of the search at the rims and sides of cylinders: Newton instead of corners, which close
 * in on a curve only step by step.
 *
 * Let P(x) be the point of A that is nearest to x, in closed form, and r = x - P(x). The pair's
 * distance is the least |r| over x in B. From a point x near it, x moves in the directions e_i in
 * which B's surface goes on there, at most two, of unit length and in B's axes:
 *
 *     segment, box       an axis along which x is not at the end
 *     cylinder           z where x is not at the end; within a flat end x and y, else the tangent
 *                        of the rim or side
 *
 *     g_i = e_i.r,  M_ij = e_i.H e_j - (rho.r / R) where e_i = e_j is that tangent,  M t = -g.
 *
 * H = dr/dx: the identity, without the axes along which P(x) follows x; at the side of a cylinder
 * its xy part is that beyond the rim, d - (R / |x_xy|) tangent (tangent.d). rho is B's radial
 * direction and R its radius: the tangent turns towards the axis. Each step ends in B again by
 * projection. From a hundredth of the size away two steps end at the rounding.
 */
#include "tc_exact.h"

#include "tc_convex_internal.h"

#define TCI_CONVEX_POLISHES 4u       /* points that are tried */
#define TCI_CONVEX_ACROSS TC_C(0.01) /* square of the tangent between v and a flat end's normal */
#define TCI_CONVEX_END TC_C(0.999)   /* share of a half edge from which on a point is at its end */
/* Share of the product of M's diagonal below which its directions are not told apart */
#define TCI_CONVEX_FLAT TC_C(1e-6)

/* B's directions at x */
typedef struct tci_convex_ways {
    tc_real way[2][3]; /* A's axes */
    tc_real bend[2];   /* 1 / R of a tangent, 0 of a straight direction */
    tc_real rho[3];    /* B's radial direction, B's axes */
    uint32_t count;
} tci_convex_ways;

static void add_way(const tci_convex_view *view, const tc_real e[3], tc_real bend,
                    tci_convex_ways *ways)
{
    if (ways->count == 2u) return;
    tci_convex_turn(view->turn, e, ways->way[ways->count]);
    ways->bend[ways->count++] = bend;
}

static int at_end(tc_real x, tc_real half)
{
    return tc_vec_magnitude(x) >= TCI_CONVEX_END * half;
}

/* Adds the axis i */
static void add_axis(const tci_convex_view *view, uint32_t i, tci_convex_ways *ways)
{
    tc_real e[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    e[i] = TC_C(1.0);
    add_way(view, e, TC_C(0.0), ways);
}

/* The directions of a cylinder in its own xy */
static void add_round(const tci_convex_view *view, const tc_real x[3], tci_convex_ways *ways)
{
    const tc_real radius = view->b->half[0];
    const tc_real rho = tc_sqrt(TC_MLA(x[0] * x[0], x[1], x[1]));
    if (!at_end(rho, radius)) {
        add_axis(view, 0, ways);
        add_axis(view, 1, ways);
        return;
    }
    if (!(rho > TC_C(0.0))) return;
    ways->rho[0] = x[0] / rho;
    ways->rho[1] = x[1] / rho;
    const tc_real tangent[3] = {-ways->rho[1], ways->rho[0], TC_C(0.0)};
    add_way(view, tangent, TC_C(1.0) / radius, ways);
}

static void find_ways(const tci_convex_view *view, const tc_real x[3], tci_convex_ways *ways)
{
    const tc_convex *const b = view->b;
    ways->count = 0;
    ways->rho[0] = ways->rho[1] = ways->rho[2] = TC_C(0.0);
    if (b->kind == TC_CONVEX_POINT) return;
    if (!at_end(x[2], b->half[2])) add_axis(view, 2, ways);
    if (b->kind == TC_CONVEX_CYLINDER) add_round(view, x, ways);
    for (uint32_t i = 0; i < 2u && b->kind == TC_CONVEX_BOX; ++i) {
        if (!at_end(x[i], b->half[i])) add_axis(view, i, ways);
    }
}

/* he = H e at x */
static void bend_way(const tc_convex *a, const tc_real x[3], const tc_real e[3], tc_real he[3])
{
    for (uint32_t k = 0; k < 3u; ++k) {
        const int beyond = tc_vec_magnitude(x[k]) > a->half[k];
        const int bounded = a->kind == TC_CONVEX_BOX || (k == 2u && a->kind != TC_CONVEX_POINT);
        he[k] = beyond || !bounded ? e[k] : TC_C(0.0);
    }
    if (a->kind != TC_CONVEX_CYLINDER) return;
    const tc_real square = TC_MLA(x[0] * x[0], x[1], x[1]);
    const int beyond = square > a->half[0] * a->half[0];
    const tc_real turned = TC_MLS(x[0] * e[1], x[1], e[0]);
    const tc_real share = beyond ? a->half[0] * turned / (square * tc_sqrt(square)) : TC_C(0.0);
    he[0] = beyond ? TC_MLA(e[0], share, x[1]) : TC_C(0.0);
    he[1] = beyond ? TC_MLS(e[1], share, x[0]) : TC_C(0.0);
}

/* t of M t = -g; where M does not tell the directions apart, t is along -g and goes far */
static void solve_ways(const tc_real m[3], const tc_real g[2], uint32_t count, tc_real t[2])
{
    const tc_real det = TC_MLS(m[0] * m[2], m[1], m[1]);
    if (count == 2u && det > TCI_CONVEX_FLAT * m[0] * m[2] && m[0] > TCI_CONVEX_FLAT) {
        t[0] = TC_MLS(m[1] * g[1], m[2], g[0]) / det;
        t[1] = TC_MLS(m[1] * g[0], m[0], g[1]) / det;
        return;
    }
    const tc_real own = tc_vec_max(tc_vec_magnitude(m[0]), tc_vec_magnitude(m[2]));
    const tc_real scale = TC_C(-1.0) / tc_vec_max(own, TCI_CONVEX_FLAT);
    for (uint32_t i = 0; i < count; ++i) t[i] = scale * g[i];
}

/* Newton's step from x of B, both in their own axes; r = x - P(x) in A's */
static void step_ways(const tci_convex_view *view, const tc_real in_a[3], const tc_real r[3],
                      const tc_real in_b[3], tc_real step[3])
{
    tci_convex_ways ways;
    tc_real m[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)}, g[2], t[2], he[3], r_b[3];
    find_ways(view, in_b, &ways);
    tci_convex_back(view->turn, r, r_b);
    for (uint32_t i = 0; i < ways.count; ++i) {
        bend_way(view->a, in_a, ways.way[i], he);
        g[i] = tc_vec_dot3(ways.way[i], r);
        m[2u * i] = TC_MLS(tc_vec_dot3(ways.way[i], he), ways.bend[i], tc_vec_dot3(ways.rho, r_b));
        if (i == 1u) m[1] = tc_vec_dot3(ways.way[0], he);
    }
    solve_ways(m, g, ways.count, t);
    for (uint32_t k = 0; k < 3u; ++k) {
        r_b[k] = TC_C(0.0);
        for (uint32_t i = 0; i < ways.count; ++i) r_b[k] = TC_MLA(r_b[k], t[i], ways.way[i][k]);
    }
    tci_convex_back(view->turn, r_b, step);
}

/* A place of the search: a point of B in both axes, P of it, and v with its square */
typedef struct tci_convex_place {
    tc_real in_b[3], in_a[3], p[3], v[3], square;
} tci_convex_place;

/* The place at B's point that is nearest to x */
static void place_at(const tci_convex_view *view, const tc_real x[3], tci_convex_place *place)
{
    tci_convex_project(view->b, x, place->in_b);
    tci_convex_turn(view->turn, place->in_b, place->in_a);
    for (uint32_t k = 0; k < 3u; ++k) place->in_a[k] += view->at[k];
    tci_convex_project(view->a, place->in_a, place->p);
    for (uint32_t k = 0; k < 3u; ++k) place->v[k] = place->p[k] - place->in_a[k];
    place->square = tc_vec_dot3(place->v, place->v);
}

/* The start: q in B's axes, on the rim or side of a cylinder unless v is across its flat end. The
 * corners' mean is within the rim. */
static void start_place(const tci_convex_view *view, const tc_real q[3], const tc_real v[3],
                        int flat, tci_convex_place *place)
{
    tc_real away[3], x[3], n[3];
    for (uint32_t k = 0; k < 3u; ++k) away[k] = q[k] - view->at[k];
    tci_convex_back(view->turn, away, x);
    if (view->b->kind == TC_CONVEX_CYLINDER) {
        tci_convex_back(view->turn, v, n);
        const tc_real square = TC_MLA(n[0] * n[0], n[1], n[1]);
        const tc_real across = flat ? TCI_CONVEX_ACROSS : TCI_CONVEX_FLAT;
        const int round = square > across * n[2] * n[2];
        const tc_real scale = round ? view->b->half[0] / tc_sqrt(square) : TC_C(0.0);
        for (uint32_t k = 0; k < 2u && round; ++k) x[k] = scale * n[k];
    }
    place_at(view, x, place);
}

void tci_convex_polish(const tci_convex_view *view, const tc_real q[3], int flat, tc_real p[3],
                       tc_real v[3])
{
    tci_convex_place best, tried;
    tc_real x[3], step[3] = {TC_C(0.0)}, share = TC_C(0.0);
    start_place(view, q, v, flat, &best);
    for (uint32_t i = 0; i < TCI_CONVEX_POLISHES; ++i) {
        if (share == TC_C(0.0)) {
            for (uint32_t k = 0; k < 3u; ++k) x[k] = -best.v[k];
            step_ways(view, best.in_a, x, best.in_b, step);
            share = TC_C(1.0);
        }
        for (uint32_t k = 0; k < 3u; ++k) x[k] = TC_MLA(best.in_b[k], share, step[k]);
        place_at(view, x, &tried);
        const int nearer = tried.square < best.square;
        if (nearer) best = tried;
        share = nearer ? TC_C(0.0) : TC_C(0.25) * share;
    }
    for (uint32_t k = 0; k < 3u; ++k) {
        p[k] = best.p[k];
        v[k] = best.v[k];
    }
}
