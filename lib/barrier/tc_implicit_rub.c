/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Friction. A vertex of a pair presses with weight |n| / u^2 in the paper's potential (kappa = 1,
 * length = 0). The presses and the tangent plane are those at the state: what a step minimises then
 * stays a function, and friction is one step late. The other body's material point at the same
 * place slips against the vertex by e in this step. Friction is
 *
 *     sum over the vertices of both of w (sqrt(|T e|^2 + s^2) - s)
 *     w = friction weight |n| / (2 u^2),   T = 1 - n n^T / |n|^2,   s = slow h
 *
 * Both bodies' sums of 1/u^2 are equal, so that each has half of the press. On a floor
 * w = friction weight / height^2.
 *
 * Vectors are in space; the plane's charts take (x, y, turn about z).
 *
 * Derivatives by the state (tci_implicit_rub_back). y are charts at the next poses; the number is
 * S = sum w <y_x, T e> / root, y_x the motion of e by y. Its derivatives a by e and f by y_x,
 * U by u and those by n are pulled back to the poses now: there e depends by the other's material
 * point, and the plane by its own derivative.
 */
#include "tc_exact.h"
#include "tc_implicit_internal.h"

#include <string.h>

/* A body now and next */
typedef struct rub_body {
    const tc_barrier_set *set;
    tc_real c_now[3], R_now[9], c[3], R[9];
} rub_body;

/* A vertex of one body and the material point of the other at its place */
typedef struct rub_point {
    tc_real arm_now[2][3]; /* from the bodies' centres: own, other */
    tc_real arm[2][3];
    tc_real e[3], slip[3]; /* slip = T e */
    tc_real u, w, root;
} rub_point;

/* A pair now */
typedef struct rub_pair {
    rub_body body[2];
    tc_real n[3], offset, length2, length, weight, slow;
    tc_real middle[3];
} rub_pair;

static void open_body(const tci_implicit_run *run, uint32_t piece, const tc_real *at,
                      rub_body *body)
{
    const uint32_t pose = run->scene->piece[piece].body * run->space->pose;
    body->set = &run->scene->piece[piece].set;
    run->space->expand(run->at_now + pose, body->c_now, body->R_now);
    run->space->expand(at + pose, body->c, body->R);
}

static void open_pair(const tci_implicit_run *run, uint32_t pair, const tc_real *at, rub_pair *rub)
{
    const uint32_t D = run->space->dimension;
    const tc_real *const plane = run->plane_now + pair * run->space->plane;
    const tc_implicit_pair *const which = &run->scene->pair[pair];
    open_body(run, which->a, at, &rub->body[0]);
    open_body(run, which->b, at, &rub->body[1]);
    for (uint32_t i = 0; i < 3u; ++i) {
        rub->n[i] = i < D ? plane[i] : TC_C(0.0);
        rub->middle[i] = TC_C(0.5) * (rub->body[0].c_now[i] + rub->body[1].c_now[i]);
    }
    rub->offset = plane[D];
    rub->length2 = tc_vec_dot3(rub->n, rub->n);
    rub->length = tc_sqrt(rub->length2);
    rub->weight = TC_C(0.5) * which->friction * run->scene->weight;
    rub->slow = run->scene->slow * run->scene->step;
}

/* T x */
static void project_out(const tc_real n[3], tc_real length2, const tc_real x[3], tc_real slip[3])
{
    const tc_real along = tc_vec_dot3(n, x) / length2;
    for (uint32_t i = 0; i < 3u; ++i) slip[i] = TC_MLS(x[i], along, n[i]);
}

/* A vertex's place in space, body's axes */
static void read_vertex(const tc_barrier_set *set, uint32_t D, uint32_t i, tc_real x[3])
{
    x[2] = TC_C(0.0);
    memcpy(x, set->vertices + D * i, D * sizeof *x);
}

/* Vertex i of body `side` */
static void open_point(const rub_pair *rub, uint32_t D, uint32_t side, uint32_t i, rub_point *point)
{
    const rub_body *const own = &rub->body[side], *const other = &rub->body[1u - side];
    const tc_real sign = side == 0u ? TC_C(1.0) : TC_C(-1.0);
    tc_real x[3], place[3], inner[3], from[3];
    read_vertex(own->set, D, i, x);
    tc_mat3_vec(own->R_now, x, point->arm_now[0]);
    tc_mat3_vec(own->R, x, point->arm[0]);
    for (uint32_t k = 0; k < 3u; ++k) {
        place[k] = own->c_now[k] + point->arm_now[0][k];
        from[k] = place[k] - rub->middle[k];
        point->arm_now[1][k] = place[k] - other->c_now[k];
    }
    tc_mat3_vec_t(other->R_now, point->arm_now[1], inner);
    tc_mat3_vec(other->R, inner, point->arm[1]);
    for (uint32_t k = 0; k < 3u; ++k) {
        point->e[k] = (own->c[k] - other->c[k]) + (point->arm[0][k] - point->arm[1][k]);
    }
    point->u = sign * (tc_vec_dot3(from, rub->n) + rub->offset) - own->set->radius * rub->length;
    point->w = rub->weight * rub->length / (point->u * point->u);
    project_out(rub->n, rub->length2, point->e, point->slip);
    point->root = tc_sqrt(TC_MLA(tc_vec_dot3(point->slip, point->slip), rub->slow, rub->slow));
}

/* Columns of a place by a chart, times sign: [chart x 3] */
static void place_columns(uint32_t F, const tc_real arm[3], tc_real sign, tc_real *columns)
{
    memset(columns, 0, 3u * F * sizeof *columns);
    for (uint32_t i = 0; i < (F == 3u ? 2u : 3u); ++i) columns[4u * i] = sign;
    if (F == 3u) {
        columns[6] = -sign * arm[1];
        columns[7] = sign * arm[0];
        return;
    }
    columns[10] = -sign * arm[2];
    columns[11] = sign * arm[1];
    columns[12] = sign * arm[2];
    columns[14] = -sign * arm[0];
    columns[15] = -sign * arm[1];
    columns[16] = sign * arm[0];
}

/* Adds the second derivative of a place along f: (f arm^T + arm f^T) / 2 - <f, arm> 1 */
static void add_swing(uint32_t F, tc_real sign, const tc_real f[3], const tc_real arm[3],
                      tc_real *hessian, uint32_t first)
{
    const tc_real along = tc_vec_dot3(f, arm);
    const uint32_t turns = F == 3u ? 1u : 3u, from = F == 3u ? 2u : 0u;
    first += F - turns;
    for (uint32_t i = 0; i < turns; ++i) {
        for (uint32_t j = 0; j <= i; ++j) {
            const uint32_t r = from + i, c = from + j;
            const tc_real half = TC_C(0.5) * (f[r] * arm[c] + arm[r] * f[c]);
            hessian[TCI_IMPLICIT_PACKED(first + i) + first + j] +=
                sign * (i == j ? half - along : half);
        }
    }
}

/* Adds w times derivatives of root for columns of e: rows of [count x 3] */
static void add_rub(const rub_point *point, const tc_real n[3], tc_real length2,
                    const tc_real *columns, uint32_t count, const uint32_t *place,
                    tc_real *gradient, tc_real *hessian)
{
    const tc_real scale = point->w / point->root, inverse = TC_C(1.0) / (point->root * point->root);
    for (uint32_t i = 0; i < count; ++i) {
        tc_real bend[3];
        project_out(n, length2, columns + 3u * i, bend);
        const tc_real along = tc_vec_dot3(point->slip, columns + 3u * i);
        for (uint32_t k = 0; k < 3u; ++k) {
            bend[k] = scale * TC_MLS(bend[k], along * inverse, point->slip[k]);
        }
        gradient[place[i]] = TC_MLA(gradient[place[i]], scale, along);
        for (uint32_t j = 0; j < count; ++j) {
            if (place[j] > place[i]) continue;
            hessian[TCI_IMPLICIT_PACKED(place[i]) + place[j]] +=
                tc_vec_dot3(columns + 3u * j, bend);
        }
    }
}

/* Adds a vertex's derivatives to a pair's */
static void add_vertex_rub(const tci_implicit_run *run, const rub_pair *rub, const rub_point *point,
                           uint32_t side, tci_implicit_local *local)
{
    const uint32_t F = run->space->chart, own = side * F, other = F - own;
    tc_real columns[6u * TCI_IMPLICIT_CHART], f[3];
    uint32_t place[2u * TCI_IMPLICIT_CHART];
    for (uint32_t i = 0; i < F; ++i) {
        place[i] = own + i;
        place[F + i] = other + i;
    }
    place_columns(F, point->arm[0], TC_C(1.0), columns);
    place_columns(F, point->arm[1], TC_C(-1.0), columns + 3u * F);
    add_rub(point, rub->n, rub->length2, columns, 2u * F, place, local->gradient, local->hessian);
    for (uint32_t k = 0; k < 3u; ++k) f[k] = point->w / point->root * point->slip[k];
    add_swing(F, TC_C(1.0), f, point->arm[0], local->hessian, own);
    add_swing(F, TC_C(-1.0), f, point->arm[1], local->hessian, other);
}

tc_real tci_implicit_rub(const tci_implicit_run *run, uint32_t pair, const tc_real *at,
                         tci_implicit_local *local)
{
    rub_pair rub;
    rub_point point;
    tc_real value = TC_C(0.0);
    open_pair(run, pair, at, &rub);
    for (uint32_t side = 0; side < 2u; ++side) {
        for (uint32_t i = 0; i < rub.body[side].set->count; ++i) {
            open_point(&rub, run->space->dimension, side, i, &point);
            value += point.w * tc_vec_dot3(point.slip, point.slip) / (point.root + rub.slow);
            if (local != NULL) add_vertex_rub(run, &rub, &point, side, local);
        }
    }
    return value;
}

/* ---- Floors ---------------------------------------------------------------------------------- */

/* A vertex on a floor; arm[0] now and next */
static void open_floor(const tci_implicit_run *run, const tc_implicit_floor *floor,
                       const rub_body *body, uint32_t i, rub_point *point)
{
    const tc_real slow = run->scene->slow * run->scene->step;
    tc_real x[3], place[3];
    read_vertex(body->set, run->space->dimension, i, x);
    tc_mat3_vec(body->R_now, x, point->arm_now[0]);
    tc_mat3_vec(body->R, x, point->arm[0]);
    for (uint32_t k = 0; k < 3u; ++k) {
        place[k] = body->c_now[k] + point->arm_now[0][k];
        point->e[k] = (body->c[k] - body->c_now[k]) + (point->arm[0][k] - point->arm_now[0][k]);
    }
    point->u = tc_vec_dot3(place, floor->normal) - floor->offset - body->set->radius;
    point->w = floor->friction * run->scene->weight / (point->u * point->u);
    project_out(floor->normal, TC_C(1.0), point->e, point->slip);
    point->root = tc_sqrt(TC_MLA(tc_vec_dot3(point->slip, point->slip), slow, slow));
}

tc_real tci_implicit_scrape(const tci_implicit_run *run, uint32_t floor, uint32_t piece,
                            const tc_real *at, tc_real *gradient, tc_real *hessian)
{
    static const uint32_t place[TCI_IMPLICIT_CHART] = {0, 1, 2, 3, 4, 5};
    const tc_implicit_floor *const below = &run->scene->floor[floor];
    const uint32_t F = run->space->chart;
    const tc_real slow = run->scene->slow * run->scene->step;
    rub_body body;
    rub_point point;
    tc_real value = TC_C(0.0), columns[3u * TCI_IMPLICIT_CHART], f[3];
    open_body(run, piece, at, &body);
    for (uint32_t i = 0; i < body.set->count; ++i) {
        open_floor(run, below, &body, i, &point);
        value += point.w * tc_vec_dot3(point.slip, point.slip) / (point.root + slow);
        if (gradient == NULL) continue;
        place_columns(F, point.arm[0], TC_C(1.0), columns);
        add_rub(&point, below->normal, TC_C(1.0), columns, F, place, gradient, hessian);
        for (uint32_t k = 0; k < 3u; ++k) f[k] = point.w / point.root * point.slip[k];
        add_swing(F, TC_C(1.0), f, point.arm[0], hessian, 0);
    }
    return value;
}

/* ---- Back to the state ----------------------------------------------------------------------- */

/* <y_x, T e> / root and its derivatives, times w */
typedef struct rub_pull {
    tc_real by_e[3], by_y[3], by_w;
    tc_real along, tangent[3]; /* <y_x, T e>, T y_x */
} rub_pull;

static void open_pull(const rub_point *point, const tc_real n[3], tc_real length2,
                      const tc_real y[3], rub_pull *pull)
{
    const tc_real inverse = TC_C(1.0) / point->root, scale = point->w * inverse;
    project_out(n, length2, y, pull->tangent);
    pull->along = tc_vec_dot3(y, point->slip);
    pull->by_w = pull->along * inverse;
    for (uint32_t k = 0; k < 3u; ++k) {
        pull->by_y[k] = scale * point->slip[k];
        pull->by_e[k] =
            scale * TC_MLS(pull->tangent[k], pull->along * inverse * inverse, point->slip[k]);
    }
}

/* chart -= (force, arm x force) */
static void take_force(uint32_t F, const tc_real arm[3], const tc_real force[3], tc_real *chart)
{
    tc_real torque[3];
    tc_vec_cross(arm, force, torque);
    chart[0] -= force[0];
    chart[1] -= force[1];
    if (F == 3u) {
        chart[2] -= torque[2];
        return;
    }
    chart[2] -= force[2];
    for (uint32_t k = 0; k < 3u; ++k) chart[3u + k] -= torque[k];
}

static void turn_of(uint32_t F, const tc_real *chart, tc_real turn[3])
{
    turn[0] = F == 3u ? TC_C(0.0) : chart[3];
    turn[1] = F == 3u ? TC_C(0.0) : chart[4];
    turn[2] = F == 3u ? chart[2] : chart[5];
}

/* Motion of a place by a chart */
static void move_place(uint32_t F, const tc_real *chart, const tc_real arm[3], tc_real moved[3])
{
    tc_real turn[3];
    turn_of(F, chart, turn);
    tc_vec_cross(turn, arm, moved);
    moved[0] += chart[0];
    moved[1] += chart[1];
    if (F == 6u) moved[2] += chart[2];
}

void tci_implicit_scrape_back(const tci_implicit_run *run, uint32_t floor, uint32_t piece,
                              const tc_real *at, const tc_real *y, tc_real *chart_now)
{
    const tc_implicit_floor *const below = &run->scene->floor[floor];
    const uint32_t F = run->space->chart;
    rub_body body;
    rub_point point;
    rub_pull pull;
    open_body(run, piece, at, &body);
    for (uint32_t i = 0; i < body.set->count; ++i) {
        tc_real moved[3], force[3];
        open_floor(run, below, &body, i, &point);
        move_place(F, y, point.arm[0], moved);
        open_pull(&point, below->normal, TC_C(1.0), moved, &pull);
        const tc_real U = TC_C(-2.0) * point.w / point.u * pull.by_w;
        /* e falls as the place now moves; u rises */
        for (uint32_t k = 0; k < 3u; ++k) {
            force[k] = TC_MLA(-pull.by_e[k], U, below->normal[k]);
        }
        take_force(F, point.arm_now[0], force, chart_now);
    }
}

/* Derivatives by the plane (n, offset) and the middle, gathered over the vertices */
typedef struct rub_plane {
    tc_real n[3], offset;
} rub_plane;

/* What T of e and y adds by n */
static void pull_normal(const rub_pair *rub, const rub_point *point, const rub_pull *pull,
                        const tc_real y[3], tc_real n[3])
{
    const tc_real per = point->w / (point->root * rub->length2);
    const tc_real y_n = tc_vec_dot3(y, rub->n), e_n = tc_vec_dot3(point->e, rub->n);
    const tc_real share = pull->along / (point->root * point->root);
    const tc_real both = TC_C(2.0) * y_n * e_n / rub->length2;
    const tc_real square = e_n * e_n / rub->length2;
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real cross = both * rub->n[k] - y[k] * e_n - point->e[k] * y_n;
        const tc_real own = square * rub->n[k] - point->e[k] * e_n;
        n[k] += per * (cross - share * own);
    }
}

/* Pulls vertex i of body `side`; y are both charts, in the order of bodies */
static void pull_point(const tci_implicit_run *run, const rub_pair *rub, const rub_point *point,
                       uint32_t side, const tc_real *const y[2], tc_real *const chart[2],
                       rub_plane *plane)
{
    const uint32_t F = run->space->chart;
    const rub_body *const own = &rub->body[side], *const other = &rub->body[1u - side];
    const tc_real sign = side == 0u ? TC_C(1.0) : TC_C(-1.0);
    tc_real mine[3], theirs[3], turn[3], z[3], inner[3], by_place[3], by_e[3];
    rub_pull pull;
    move_place(F, y[side], point->arm[0], mine);
    move_place(F, y[1u - side], point->arm[1], theirs);
    for (uint32_t k = 0; k < 3u; ++k) mine[k] -= theirs[k];
    open_pull(point, rub->n, rub->length2, mine, &pull);
    pull_normal(rub, point, &pull, mine, plane->n);
    /* w by u and |n| */
    const tc_real U = TC_C(-2.0) * point->w / point->u * pull.by_w;
    const tc_real L = pull.by_w * point->w / rub->length - U * own->set->radius;
    plane->offset += sign * U;
    for (uint32_t k = 0; k < 3u; ++k) {
        const tc_real from = own->c_now[k] + point->arm_now[0][k] - rub->middle[k];
        plane->n[k] += sign * U * from + L / rub->length * rub->n[k];
    }
    /* e, and y_x with it, by the other's material point */
    turn_of(F, y[1u - side], turn);
    tc_vec_cross(pull.by_y, turn, by_e);
    for (uint32_t k = 0; k < 3u; ++k) by_e[k] += pull.by_e[k];
    tc_mat3_vec_t(other->R, by_e, inner);
    tc_mat3_vec(other->R_now, inner, z);
    take_force(F, point->arm_now[1], z, chart[1u - side]);
    for (uint32_t k = 0; k < 3u; ++k) by_place[k] = sign * U * rub->n[k] - z[k];
    take_force(F, point->arm_now[0], by_place, chart[side]);
    /* the middle moves by half of each centre */
    for (uint32_t k = 0; k < run->space->dimension; ++k) {
        chart[0][k] += TC_C(0.5) * sign * U * rub->n[k];
        chart[1][k] += TC_C(0.5) * sign * U * rub->n[k];
    }
}

void tci_implicit_rub_back(const tci_implicit_run *run, uint32_t pair, const tc_real *at,
                           const tc_real *y_a, const tc_real *y_b, tc_real *chart_a,
                           tc_real *chart_b)
{
    const tc_implicit_space *const space = run->space;
    const uint32_t F = space->chart, P = space->plane;
    const tc_real *const y[2] = {y_a, y_b};
    tc_real *const chart[2] = {chart_a, chart_b};
    const tc_real *rate = run->rate + pair * P * 2u * F;
    rub_pair rub;
    rub_point point;
    rub_plane plane = {{TC_C(0.0)}, TC_C(0.0)};
    open_pair(run, pair, at, &rub);
    for (uint32_t side = 0; side < 2u; ++side) {
        for (uint32_t i = 0; i < rub.body[side].set->count; ++i) {
            open_point(&rub, space->dimension, side, i, &point);
            pull_point(run, &rub, &point, side, y, chart, &plane);
        }
    }
    for (uint32_t r = 0; r < P; ++r, rate += 2u * F) {
        const tc_real by = r + 1u < P ? plane.n[r] : plane.offset;
        for (uint32_t i = 0; i < F; ++i) {
            chart_a[i] = TC_MLS(chart_a[i], by, rate[i]);
            chart_b[i] = TC_MLS(chart_b[i], by, rate[F + i]);
        }
    }
}

/* Where calls through a space's table go, for the check of the stack. */
/* tc_calls: open_body lib/barrier/tc_implicit2.c:expand_plane */
/* tc_calls: open_body lib/barrier/tc_implicit3.c:expand_space */
