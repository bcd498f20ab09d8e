/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Distance of a convex pair, also when it is sunk: the least value of b's signed distance phi over
 * a.
 *
 * Cores apart by more than a's radius r: the distance of the cores minus both radii is exact, for
 * phi is the distance from b's core minus its rounding.
 *
 * Deeper. Let B_s be the body phi <= -s: b's core with less rounding, then a smaller sharp body
 * (tc_sdf_kind.core). A touches B_s as long as its core is within r of it, so the depth is the root
 * of
 *
 *     f(s) = distance(core of A, B_s) - r.
 *
 * phi is convex, so f is convex, and it does not decrease. Newton's iterates from the right, where
 * f > 0, fall to the root monotonically. There A and B_s are apart and the distance is known. With
 * n, the direction from B_s to A, f' is what the support of B_s along n loses per metre of s: 1
 * while rounding is left, then
 *
 *     box       |n_x| + |n_y| + |n_z|
 *     cylinder  |n_xy| + |n_z|,
 *
 * the support of the body with all half edges 1. The tangent at a point left of the root, too, ends
 * right of it: that is the first start where the cores are apart. The other starts are b's faces.
 * A's reach beyond the plane of a face with normal n is no more than that beyond b itself, so
 *
 *     s_n = reach of B along n + reach of A along -n - n.(A's centre - B's)
 *
 * is right of the root, also where the pair is apart and s_n is negative. Each s comes with a point x of A, and -phi(x) is left of the root. Where
 * the two meet, the depth is certain: with a corner over a face that is so at the start. Else the iteration aims at f = near instead of 0, so that A and B_s stay apart and
 * n can be had of sharp bodies, and goes the rest of the way along the tangent.
 *
 * A half-space as A: its core is a plane with r = 0 and f is the height of the lowest point of B_s,
 * linear in s: h - (r_b - s) and then with the slope above.
 */
#include "tc_exact.h"

#include "tc_meet_internal.h"

#define TCI_MEET_CERTAIN (TC_C(4.0) * TC_EPSILON) /* the same: bounds of the depth that meet */
#define TCI_MEET_NEWTON 15u                       /* largest number of Newton's steps */

/* The calls through a kind's table, in whichever function the compiler leaves them */
/* tc_calls: press_once lib/shape/tc_sdf_round.c:core_sphere */
/* tc_calls: press_once lib/shape/tc_sdf_round.c:core_capsule */
/* tc_calls: press_once lib/shape/tc_sdf_box.c:core_box */
/* tc_calls: press_once lib/shape/tc_sdf_box.c:core_cylinder */
/* tc_calls: press_floor lib/shape/tc_sdf_round.c:core_sphere */
/* tc_calls: press_floor lib/shape/tc_sdf_round.c:core_capsule */
/* tc_calls: press_floor lib/shape/tc_sdf_box.c:core_box */
/* tc_calls: press_floor lib/shape/tc_sdf_box.c:core_cylinder */
/* tc_calls: press_pair lib/shape/tc_sdf_round.c:core_sphere */
/* tc_calls: press_pair lib/shape/tc_sdf_round.c:core_capsule */
/* tc_calls: press_pair lib/shape/tc_sdf_box.c:core_box */
/* tc_calls: press_pair lib/shape/tc_sdf_box.c:core_cylinder */
/* tc_calls: press_point lib/shape/tc_sdf_round.c:eval_sphere */
/* tc_calls: press_point lib/shape/tc_sdf_round.c:eval_capsule */
/* tc_calls: press_point lib/shape/tc_sdf_box.c:eval_box */
/* tc_calls: press_point lib/shape/tc_sdf_box.c:eval_cylinder */
/* tc_calls: press_floor lib/shape/tc_sdf_round.c:eval_sphere */
/* tc_calls: press_floor lib/shape/tc_sdf_round.c:eval_capsule */
/* tc_calls: press_floor lib/shape/tc_sdf_box.c:eval_box */
/* tc_calls: press_floor lib/shape/tc_sdf_box.c:eval_cylinder */
/* tc_calls: whole_depth lib/shape/tc_sdf_round.c:eval_sphere */
/* tc_calls: whole_depth lib/shape/tc_sdf_round.c:eval_capsule */
/* tc_calls: whole_depth lib/shape/tc_sdf_box.c:eval_box */
/* tc_calls: whole_depth lib/shape/tc_sdf_box.c:eval_cylinder */
/* tc_calls: press_pair lib/shape/tc_sdf_round.c:eval_sphere */
/* tc_calls: press_pair lib/shape/tc_sdf_round.c:eval_capsule */
/* tc_calls: press_pair lib/shape/tc_sdf_box.c:eval_box */
/* tc_calls: press_pair lib/shape/tc_sdf_box.c:eval_cylinder */

/* ---- What both rules share ------------------------------------------------------------------- */

/* A search for the depth. All vectors are in a's axes. */
typedef struct tci_meet_press {
    const tci_meet_pair *pair;
    tci_convex_view view;
    tc_convex core;    /* B_s */
    tc_real extent;    /* of the pair [m] */
    tc_real depth;     /* upper bound of the depth: right of the root [m] */
    tc_real value;     /* phi(x) [m] */
    tc_real normal[3]; /* from B_s to A */
    tc_real x[3];      /* A's point */
    uint32_t steps;
} tci_meet_press;

/* The core's support along n, without its radius: the greatest n.x */
static tc_real core_reach(const tc_convex *core, const tc_real n[3])
{
    tc_real p[3];
    tci_convex_support(core, n, p);
    return -tc_vec_dot3(n, p);
}

tc_real tci_meet_extent(const tc_convex *core)
{
    const tc_real *const h = core->half;
    switch (core->kind) {
    case TC_CONVEX_POINT: return core->radius;
    case TC_CONVEX_SEGMENT: return h[2] + core->radius;
    case TC_CONVEX_BOX: return tc_sqrt(tc_vec_dot3(h, h)) + core->radius;
    default: return tc_sqrt(TC_MLA(h[0] * h[0], h[2], h[2])) + core->radius;
    }
}

tc_real tci_meet_loss(const tc_convex *core, const tc_real n[3], tc_real u[3])
{
    const tc_convex unit = {.kind = core->kind, .half = {TC_C(1.0), TC_C(1.0), TC_C(1.0)}};
    tci_convex_support(&unit, n, u);
    for (uint32_t k = 0; k < 3u; ++k) u[k] = -u[k];
    return tc_vec_max(tc_vec_dot3(n, u), TC_C(1.0));
}

/* x and phi(x) of A's support point p along -n */
static void press_point(tci_meet_press *press, const tc_real p[3], const tc_real n[3])
{
    const tc_sdf *const b = press->pair->b;
    tc_real away[3], local[3], gradient[3];
    for (uint32_t k = 0; k < 3u; ++k) {
        press->x[k] = TC_MLS(p[k], press->pair->core_a->radius, n[k]);
        press->normal[k] = n[k];
        away[k] = press->x[k] - press->view.at[k];
    }
    tci_convex_back(press->view.turn, away, local);
    (void)b->kind->eval(b, local, &press->value, gradient, NULL, 0);
}

/* 1 if the bounds of the depth meet */
static int is_certain(const tci_meet_press *press)
{
    return press->depth + press->value <= TCI_MEET_CERTAIN * press->extent;
}

void tci_meet_tell(const tc_convex_pose *at, const tc_real x[3], const tc_real n[3],
                   tc_real distance, tc_convex_gap *gap)
{
    gap->distance = distance;
    tci_convex_turn(at->rotation, n, gap->normal);
    tci_convex_turn(at->rotation, x, gap->point_a);
    for (uint32_t k = 0; k < 3u; ++k) {
        gap->point_a[k] += at->position[k];
        gap->point_b[k] = TC_MLS(gap->point_a[k], distance, gap->normal[k]);
    }
}

static void tell_press(const tci_meet_press *press, tc_real distance, tc_convex_gap *gap)
{
    gap->steps += press->steps;
    tci_meet_tell(press->pair->at_a, press->x, press->normal, distance, gap);
}

/* The greatest depth of a point in b: that of its middle */
static tc_real whole_depth(const tc_sdf *b)
{
    static const tc_real middle[3] = {TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    tc_real value, gradient[3];
    (void)b->kind->eval(b, middle, &value, gradient, NULL, 0);
    return -value;
}

static void start_press(tci_meet_press *press, const tci_meet_pair *pair)
{
    press->pair = pair;
    press->view.a = pair->core_a;
    press->view.b = &press->core;
    tci_convex_look(&press->view, pair->at_a, pair->at_b);
    press->core = *pair->core_b;
    press->extent = tci_meet_extent(pair->core_a) + tci_meet_extent(pair->core_b);
    press->steps = 0;
    press->depth = TCI_SHAPE_COORDINATE_MAX;
}

/* ---- Depth ----------------------------------------------------------------------------------- */

/* The bound of the depth by b's face with normal n, b's axes; n turned to a's, and A's point p */
static tc_real face_bound(const tci_meet_press *press, const tc_real n[3], tc_real turned[3],
                          tc_real p[3])
{
    tci_convex_turn(press->view.turn, n, turned);
    tci_convex_support(press->view.a, turned, p);
    const tc_real reach_a = press->view.a->radius - tc_vec_dot3(turned, p);
    const tc_real reach_b = core_reach(press->view.b, n) + press->view.b->radius;
    return reach_a + reach_b + tc_vec_dot3(turned, press->view.at);
}

/* The normal of b's face i towards c, b's axes; the first of a cylinder is along its radius */
static void face_normal(int round, uint32_t i, const tc_real c[3], tc_real n[3])
{
    n[0] = n[1] = n[2] = TC_C(0.0);
    const tc_real rho = round && i == 0u ? tc_sqrt(TC_MLA(c[0] * c[0], c[1], c[1])) : TC_C(0.0);
    if (rho > TC_C(0.0)) {
        n[0] = c[0] / rho;
        n[1] = c[1] / rho;
        return;
    }
    n[i] = c[i] < TC_C(0.0) ? TC_C(-1.0) : TC_C(1.0);
}

/* Starts from the face of b that bounds the depth most closely. Returns 1 if it is certain then. */
static int try_faces(tci_meet_press *press)
{
    tc_real away[3], c[3], n[3], turned[3], p[3], best_n[3], best_p[3];
    for (uint32_t k = 0; k < 3u; ++k) away[k] = -press->view.at[k];
    tci_convex_back(press->view.turn, away, c);
    const int round = press->core.kind == TC_CONVEX_CYLINDER;
    for (uint32_t i = 0; i < 3u; i += round ? 2u : 1u) {
        face_normal(round, i, c, n);
        const tc_real bound = face_bound(press, n, turned, p);
        if (i > 0u && !(bound < press->depth)) continue;
        press->depth = bound;
        for (uint32_t k = 0; k < 3u; ++k) {
            best_n[k] = turned[k];
            best_p[k] = p[k];
        }
    }
    press_point(press, best_p, best_n);
    return is_certain(press);
}

/* Starts from the tangent where the cores are apart, with the gap of both. Returns as try_face. */
static int try_tangent(tci_meet_press *press, const tc_convex_gap *gap)
{
    tc_real away[3], x[3], n[3], in_b[3], u[3];
    const tc_convex_pose *const at = press->pair->at_a;
    for (uint32_t k = 0; k < 3u; ++k) away[k] = gap->point_a[k] - at->position[k];
    tci_convex_back(at->rotation, away, x);
    tci_convex_back(at->rotation, gap->normal, n);
    tci_convex_back(press->view.turn, n, in_b);
    const tc_real rounding = press->pair->core_b->radius;
    const tc_real bound =
        rounding - (gap->distance + rounding) / tci_meet_loss(&press->core, in_b, u);
    if (!(bound < press->depth)) return 0;
    press->depth = bound;
    for (uint32_t k = 0; k < 3u; ++k) x[k] = TC_MLA(x[k], press->view.a->radius, n[k]);
    press_point(press, x, n);
    return is_certain(press);
}

/* n = v / |v|, unless the old one is the same as far as v is known */
static void take_normal(tci_meet_press *press, const tci_convex_found *found, tc_real apart)
{
    tc_real square = TC_C(0.0), n[3];
    for (uint32_t k = 0; k < 3u; ++k) {
        n[k] = found->v[k] / apart;
        const tc_real change = (n[k] - press->normal[k]) * apart;
        square = TC_MLA(square, change, change);
    }
    const tc_real known = TC_C(2.0) * TC_EPSILON * press->extent;
    if (square > known * known)
        press_point(press, found->p, n);
    else
        press_point(press, found->p, press->normal);
}

/* One step of Newton's. TC_OK: go on; TC_NOTE_LIMIT: the depth is the root; TC_NOTE_OVERLAP: A and
 * B_s are not apart. */
static tc_status press_once(tci_meet_press *press, tc_real inset, tc_real near)
{
    tci_convex_found found;
    tc_real in_b[3], u[3];
    (void)press->pair->b->kind->core(press->pair->b, inset, &press->core);
    const tc_status status = tci_convex_search(&press->view, &found);
    press->steps += found.steps;
    if (status == TC_NOTE_OVERLAP) return status;
    const tc_real apart = tc_sqrt(tc_vec_dot3(found.v, found.v));
    const tc_real excess = apart - press->view.a->radius - press->core.radius;
    if (excess < TC_C(0.0)) return TC_NOTE_OVERLAP;
    take_normal(press, &found, apart);
    tci_convex_back(press->view.turn, press->normal, in_b);
    const tc_real loss = tci_meet_loss(&press->core, in_b, u);
    const tc_real root = inset - (press->core.radius > TC_C(0.0) ? excess : excess / loss);
    if (root < press->depth) press->depth = root;
    return excess <= TC_C(4.0) * near ? TC_NOTE_LIMIT : TC_OK;
}

/* Newton's iteration from the depth on; whole is the largest. Its end, or TC_OK at its limit */
static tc_status press_on(tci_meet_press *press, tc_real whole)
{
    const tc_real near = TCI_MEET_NEAR * press->extent;
    tc_status status = TC_OK;
    for (uint32_t i = 0; i < TCI_MEET_NEWTON && status == TC_OK; ++i) {
        const tc_real inset = press->depth + near;
        const int at_whole = inset >= whole;
        status = press_once(press, at_whole ? whole : inset, near);
        if (status == TC_OK && is_certain(press)) return TC_NOTE_LIMIT;
        if (status == TC_NOTE_OVERLAP && !at_whole) return TC_NOTE_LIMIT;
    }
    return status;
}

/* The depth of a pair beside the distance of its cores */
typedef struct tci_meet_deep {
    tc_convex_gap gap; /* not yet that of TC_NOTE_OVERLAP: see press_whole */
    tc_status status;
    int pressed;   /* 1 if the depth was searched */
    tc_real whole; /* the largest depth */
} tci_meet_deep;

/* The depth where the bounds meet; TC_NOTE_OVERLAP where A holds the middle of b. deep->gap has the
 * distance of the cores unless they overlap. */
static tc_status press_deep(tci_meet_press *press, int overlap, tci_meet_deep *deep)
{
    const tc_real whole = whole_depth(press->pair->b);
    deep->whole = whole;
    if (!(press->depth < whole)) press->depth = whole;
    if (!overlap && try_tangent(press, &deep->gap)) {
        tell_press(press, press->value, &deep->gap);
        return TC_OK;
    }
    const tc_status status = press_on(press, whole);
    if (status == TC_NOTE_OVERLAP) return status;
    tell_press(press, -press->depth, &deep->gap);
    return status == TC_OK ? TC_NOTE_LIMIT : TC_OK;
}

/* The gap where A holds the middle of b */
static void press_whole(const tci_meet_pair *pair, tc_real whole, tc_convex_gap *gap)
{
    (void)tci_meet_translation(pair, gap);
    gap->distance = -whole;
    for (uint32_t k = 0; k < 3u; ++k) {
        gap->point_b[k] = TC_MLA(gap->point_a[k], whole, gap->normal[k]);
    }
}

void tci_meet_swap(tc_convex_gap *gap)
{
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real point = gap->point_a[k];
        gap->normal[k] = -gap->normal[k];
        gap->point_a[k] = gap->point_b[k];
        gap->point_b[k] = point;
    }
}

/* A half-space as a: b's lowest point, and once more where b is sunk deeper than its rounding */
TCI_MEET_APART static tc_status press_floor(const tci_meet_pair *pair, tc_convex_gap *gap)
{
    tc_convex core = *pair->core_b;
    tc_real in_b[3], u[3];
    const tc_real rounding = core.radius;
    (void)tci_convex_distance(&core, pair->at_b, pair->core_a, pair->at_a, gap);
    tci_convex_back(pair->at_b->rotation, gap->normal, in_b);
    const tc_real beyond = gap->distance + rounding;
    tc_status status = TC_OK;
    if (beyond < TC_C(0.0)) {
        const tc_real whole = whole_depth(pair->b);
        const tc_real depth = rounding - beyond / tci_meet_loss(&core, in_b, u);
        if (!(depth <= whole)) status = TC_NOTE_OVERLAP;
        (void)pair->b->kind->core(pair->b, depth < whole ? depth : whole, &core);
        (void)tci_convex_distance(&core, pair->at_b, pair->core_a, pair->at_a, gap);
        gap->distance = depth < whole ? -depth : -whole;
    }
    tci_meet_swap(gap);
    for (uint32_t k = 0; k < 3u; ++k) {
        gap->point_b[k] = TC_MLS(gap->point_a[k], gap->distance, gap->normal[k]);
    }
    return status;
}

/* The distance of the cores, and the depth where that is not enough */
static tc_status press_cores(tci_meet_press *press, tc_convex_gap *gap, tci_meet_deep *deep)
{
    const tc_convex *const b = press->pair->core_b;
    const tc_status status = tci_convex_measure(&press->view, press->pair->at_a, gap);
    const int overlap = status == TC_NOTE_OVERLAP;
    if (!overlap && gap->distance + b->radius >= TC_C(0.0)) return status;
    deep->gap = *gap;
    deep->pressed = 1;
    deep->status = press_deep(press, overlap, deep);
    return status;
}

/* The same, or what a face of b bounds */
TCI_MEET_APART static tc_status press_pair(const tci_meet_pair *pair, tc_convex_gap *gap,
                                           tci_meet_deep *deep)
{
    const tc_convex_kind b = pair->core_b->kind;
    tci_meet_press press;
    start_press(&press, pair);
    if ((b == TC_CONVEX_BOX || b == TC_CONVEX_CYLINDER) && try_faces(&press)) {
        gap->steps = 0;
        tell_press(&press, press.value, gap);
        return TC_OK;
    }
    return press_cores(&press, gap, deep);
}

tc_status tci_meet_deepest(const tci_meet_pair *pair, tc_convex_gap *gap)
{
    if (pair->core_a->kind == TC_CONVEX_HALFSPACE) return press_floor(pair, gap);
    if (pair->core_b->kind == TC_CONVEX_HALFSPACE) {
        return tci_convex_distance(pair->core_a, pair->at_a, pair->core_b, pair->at_b, gap);
    }
    tci_meet_deep deep;
    deep.pressed = 0;
    const tc_status status = press_pair(pair, gap, &deep);
    if (!deep.pressed) return status;
    if (deep.status == TC_NOTE_OVERLAP) press_whole(pair, deep.whole, &deep.gap);
    *gap = deep.gap;
    return deep.status;
}
