/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Nothing passes: random bodies between floors, on both sides of a thin wall, driven into it, into
 * the floors and into each other by wild servos, with gravity, friction, drag and steps of 1 ms to 0.3 s.
 * After each step, in double: the planes of the record separate all pairs, every vertex is on its
 * side of the wall and above the floors. A step that cannot begin where the last one ended is lost.
 *
 *     implicit_campaign STEPS        prints a line per space; fails if one number of `through` or
 *                                    `lost` is not 0
 */
#include "tinycontact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOVERS 3u
#define BODIES (MOVERS + 1u)
#define PIECES BODIES
#define VERTICES 8u
#define SERIES 20u /* steps of a scene */

static uint64_t random_state = 88172645463325252ull;

static double uniform(double low, double high)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

static double log_uniform(double low, double high)
{
    return exp(uniform(log(low), log(high)));
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

typedef struct arena {
    tc_implicit_scene scene;
    tc_implicit_sizes sizes;
    tc_implicit_body body[BODIES];
    tc_implicit_piece piece[PIECES];
    tc_implicit_pair pair[6];
    tc_implicit_floor floor[4];
    tc_real vertices[BODIES][3 * VERTICES];
    double side[BODIES]; /* of the wall, -1 or 1 */
    tc_real *state, *next, *record, *control, *work;
} arena;

static arena a;
static uint32_t dimension;

/* The wall is at x = 0, thin, and reaches beyond the floors */
static void build_wall(void)
{
    a.body[0].joint = TC_IMPLICIT_WELD;
    a.body[0].parent = TC_IMPLICIT_WORLD;
    const uint32_t count = dimension == 2u ? 2u : 4u;
    for (uint32_t i = 0; i < count; ++i) {
        tc_real *const v = a.vertices[0] + dimension * i;
        v[1] = (tc_real)(i & 1u ? 1.2 : -1.2);
        if (dimension == 3u) v[2] = (tc_real)(i & 2u ? 1.2 : -1.2);
    }
    a.piece[0].set.count = count;
    a.piece[0].set.radius = (tc_real)log_uniform(1e-4, 1e-2);
}

/* A random hull about the centre of mass: points, capsules, boxes' corners, anything */
static void build_mover(uint32_t b)
{
    const uint32_t count = 1u + (uint32_t)uniform(0, VERTICES - 0.001);
    const double size = log_uniform(0.02, 0.3), m = log_uniform(0.01, 10);
    tc_implicit_body *const body = &a.body[b];
    for (uint32_t i = 0; i < dimension * count; ++i) {
        a.vertices[b][i] = (tc_real)(size * uniform(-1, 1));
    }
    a.piece[b].set.count = count;
    a.piece[b].set.radius = (tc_real)(uniform(0, 1) < 0.3 ? 0 : size * log_uniform(1e-3, 1));
    body->mass = (tc_real)m;
    for (uint32_t i = 0; i < 3; ++i)
        body->inertia[i] = (tc_real)(m * size * size * uniform(0.3, 0.5));
    if (dimension == 2u && uniform(0, 1) < 0.5) {
        body->drag = (tc_real)log_uniform(0.01, 10);
        body->drag_radius = (tc_real)size;
    }
    if (uniform(0, 1) < 0.7) {
        body->drive = TC_IMPLICIT_SERVO;
        body->driven = dimension == 2u ? 7u : 63u;
        for (uint32_t i = 0; i < 2; ++i) {
            const double scale = i ? size * size : 1;
            body->stiffness[i] = (tc_real)(scale * log_uniform(0.1, 1e4));
            body->damping[i] = (tc_real)(scale * log_uniform(1e-3, 1e2));
        }
    }
}

static void build_scene(void)
{
    const tc_implicit_space *const space =
        dimension == 2u ? tc_implicit2_space() : tc_implicit3_space();
    memset(a.body, 0, sizeof a.body);
    memset(a.vertices, 0, sizeof a.vertices);
    a.scene = tc_implicit_default(space);
    for (uint32_t b = 0; b < BODIES; ++b) {
        a.piece[b].body = b;
        a.piece[b].set.vertices = a.vertices[b];
    }
    build_wall();
    for (uint32_t b = 1; b < BODIES; ++b) build_mover(b);
    a.scene.body = a.body;
    a.scene.bodies = BODIES;
    a.scene.piece = a.piece;
    a.scene.pieces = PIECES;
    a.scene.pair = a.pair;
    a.scene.pairs =
        tc_implicit_pairs(&a.scene, uniform(0, 1) < 0.5 ? 0 : (tc_real)uniform(0, 1.5), a.pair, 6);
    a.scene.floor = a.floor;
    a.scene.floors = 2u * (dimension - 1u);
    for (uint32_t f = 0; f < a.scene.floors; ++f) {
        memset(&a.floor[f], 0, sizeof a.floor[f]);
        a.floor[f].normal[1u + f / 2u] = f & 1u ? -1 : 1;
        a.floor[f].offset = -1;
        a.floor[f].friction = uniform(0, 1) < 0.5 ? 0 : (tc_real)uniform(0, 1.5);
    }
    if (uniform(0, 1) < 0.5) a.scene.gravity[dimension - 1u] = (tc_real)-9.81;
    a.scene.step = (tc_real)log_uniform(1e-3, 0.3);
    a.scene.weight = (tc_real)log_uniform(1e-9, 1e-3);
    if (uniform(0, 1) < 0.3) {
        a.scene.barrier.kappa = (tc_real)log_uniform(1, 1e3);
        a.scene.barrier.length = (tc_real)log_uniform(0.01, 1);
    }
}

static void draw_state(void)
{
    tc_real q[7 * MOVERS], v[6 * MOVERS];
    const uint32_t each = dimension == 2u ? 3u : 7u, freedoms = dimension == 2u ? 3u : 6u;
    for (uint32_t b = 0; b < MOVERS; ++b) {
        for (uint32_t i = 0; i < each; ++i) q[each * b + i] = (tc_real)uniform(-0.9, 0.9);
        q[each * b] = (tc_real)((b + 1u < MOVERS ? -1 : 1) * log_uniform(1e-3, 0.9));
        for (uint32_t i = 0; i < freedoms; ++i) v[freedoms * b + i] = (tc_real)uniform(-1, 1);
    }
    const double speed = log_uniform(0.01, 100);
    for (uint32_t i = 0; i < freedoms * MOVERS; ++i) v[i] *= (tc_real)speed;
    if (tc_implicit_start(&a.scene, q, v, a.state) < TC_OK) exit(2);
}

static void draw_control(void)
{
    for (uint32_t i = 0; i < a.sizes.control; ++i) a.control[i] = (tc_real)uniform(-1.5, 1.5);
}

/* ---- Judgement in double --------------------------------------------------------------------- */

static void rotate_vertex(const tc_real *q, const tc_real *v, double x[3])
{
    x[2] = 0;
    if (dimension == 2u) {
        const double c = cos((double)q[2]), s = sin((double)q[2]);
        x[0] = c * (double)v[0] - s * (double)v[1];
        x[1] = s * (double)v[0] + c * (double)v[1];
        return;
    }
    const double w = (double)q[3], u[3] = {(double)q[4], (double)q[5], (double)q[6]};
    const double p[3] = {(double)v[0], (double)v[1], (double)v[2]};
    const double n = 2 / (w * w + u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    const double t[3] = {u[1] * p[2] - u[2] * p[1], u[2] * p[0] - u[0] * p[2],
                         u[0] * p[1] - u[1] * p[0]};
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        x[i] = p[i] + n * (w * t[i] + u[j] * t[k] - u[k] * t[j]);
    }
}

/* Vertex i of a piece, from the world's origin; c: its body's position */
static void place_vertex(uint32_t piece, uint32_t i, double x[3], double c[3])
{
    const tc_real *const v = a.vertices[piece] + dimension * i;
    memset(c, 0, 3 * sizeof *c);
    if (piece == 0u) {
        for (uint32_t k = 0; k < 3; ++k) x[k] = k < dimension ? (double)v[k] : 0;
        return;
    }
    const tc_real *const q = a.next + (dimension == 2u ? 3u : 7u) * (piece - 1u);
    rotate_vertex(q, v, x);
    for (uint32_t k = 0; k < dimension; ++k) {
        c[k] = (double)q[k];
        x[k] += c[k];
    }
}

/* The least clearance of a pair from the record's plane */
static double clearance_of(uint32_t pair, const tc_real *plane)
{
    const uint32_t pieces[2] = {a.pair[pair].a, a.pair[pair].b};
    double least = 1e30, middle[3] = {0, 0, 0}, length = 0, x[3], c[3];
    for (uint32_t s = 0; s < 2; ++s) {
        place_vertex(pieces[s], 0, x, c);
        for (uint32_t k = 0; k < 3; ++k) middle[k] += 0.5 * c[k];
    }
    for (uint32_t k = 0; k < dimension; ++k) length += (double)plane[k] * (double)plane[k];
    length = sqrt(length);
    for (uint32_t s = 0; s < 2; ++s) {
        for (uint32_t i = 0; i < a.piece[pieces[s]].set.count; ++i) {
            double u = (double)plane[dimension];
            place_vertex(pieces[s], i, x, c);
            for (uint32_t k = 0; k < dimension; ++k) u += (double)plane[k] * (x[k] - middle[k]);
            u = (s ? -u : u) / length - (double)a.piece[pieces[s]].set.radius;
            if (!(u >= least)) least = u;
        }
    }
    return least;
}

/* On which side each body begins: a hull may lie beside its centre of mass */
static void note_sides(void)
{
    double x[3], c[3];
    memcpy(a.next, a.state, a.sizes.state * sizeof *a.next);
    for (uint32_t b = 1; b < BODIES; ++b) {
        place_vertex(b, 0, x, c);
        a.side[b] = x[0] < 0 ? -1 : 1;
    }
}

/* The least clearance of the next state */
static double judge(void)
{
    double least = 1e30, x[3], c[3];
    for (uint32_t p = 0; p < a.scene.pairs; ++p) {
        least = fmin(least, clearance_of(p, a.record + (dimension + 1u) * p));
    }
    for (uint32_t b = 1; b < BODIES; ++b) {
        for (uint32_t i = 0; i < a.piece[b].set.count; ++i) {
            const double r = (double)a.piece[b].set.radius;
            place_vertex(b, i, x, c);
            least = fmin(least, a.side[b] * x[0] - r - (double)a.piece[0].set.radius);
            for (uint32_t f = 0; f < a.scene.floors; ++f) {
                least = fmin(least, (f & 1u ? -1 : 1) * x[1u + f / 2u] + 1 - r);
            }
        }
    }
    return least;
}

/* ---- The campaign ---------------------------------------------------------------------------- */

typedef struct tally {
    uint32_t steps, scenes, through, lost, limit, precision, most;
    double newton, trials, nearest;
} tally;

static void count_step(tally *t, tc_status status, const tc_implicit_info *info)
{
    ++t->steps;
    t->newton += info->newton;
    t->trials += info->trials;
    if (info->newton > t->most) t->most = info->newton;
    t->limit += status == TC_NOTE_LIMIT;
    t->precision += status == TC_NOTE_PRECISION;
    const double clear = judge();
    if (clear < t->nearest) t->nearest = clear;
    if (clear > 0) return;
    if (++t->through < 10u) fprintf(stderr, "scene %u: through by %g m\n", t->scenes, -clear);
}

static void run_scene(tally *t, uint32_t steps)
{
    tc_implicit_info info;
    build_scene();
    if (tc_implicit_check(&a.scene, &a.sizes) < TC_OK) exit(2);
    for (uint32_t k = 0, tries = 0; k < SERIES && t->steps < steps; ++k) {
        if (k == 0u) {
            draw_state();
            note_sides();
        }
        if (k % 5u == 0u) draw_control();
        const tc_status status = tc_implicit_step(&a.scene, a.state, a.control, k ? a.record : NULL,
                                                  a.next, a.record, a.work, a.sizes.work, &info);
        if (k == 0u && status == TC_ERR_TOUCHING && ++tries < 1000u) {
            --k; /* another start: they have to be apart */
            continue;
        }
        if (status < TC_OK) {
            t->lost += k > 0u;
            if (k > 0u && t->lost < 10u)
                fprintf(stderr, "scene %u: lost, status %d\n", t->scenes, (int)status);
            break;
        }
        count_step(t, status, &info);
        memcpy(a.state, a.next, a.sizes.state * sizeof *a.state);
    }
    ++t->scenes;
}

int main(int argc, char **argv)
{
    const uint32_t steps = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 10000u;
    static tc_real room[5][8192];
    uint32_t bad = 0;
    a.state = room[0];
    a.next = room[1];
    a.record = room[2];
    a.control = room[3];
    a.work = room[4];
    printf(
        "real,space,scenes,steps,through,lost,limit,precision,newton_mean,newton_most,trials_mean,nearest_m\n");
    for (dimension = 2; dimension <= 3u; ++dimension) {
        tally t = {.nearest = 1e30};
        while (t.steps < steps / 2u) run_scene(&t, steps / 2u);
        printf("%s,%u,%u,%u,%u,%u,%u,%u,%.2f,%u,%.2f,%.2e\n",
               sizeof(tc_real) == 8 ? "double" : "float", dimension, t.scenes, t.steps, t.through,
               t.lost, t.limit, t.precision, t.newton / t.steps, t.most, t.trials / t.steps,
               t.nearest);
        bad += t.through + t.lost;
    }
    return bad > 0u;
}
