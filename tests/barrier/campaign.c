/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Barriers of random pairs, on the host: whether any separated pair is refused, and how many Newton
 * steps a search takes.
 *
 *     barrier_campaign COUNT [header]      prints a CSV line per dimension and start
 *
 * Pairs: boxes (some thin), balls, capsules, triangles and clouds of up to 64 vertices, 1 to 100 : 1 in
 * size, a third with parallel faces, some of these turned by 1e-7 to 0.1 rad. Along a normal, a face's
 * or any, a vertex of each is put opposite the other (half of the pairs aside of that) at a gap of 1e-4
 * to 1, for one in four to 100 sizes. The gap is measured again in double after rounding.
 *
 * cold      no plane is known
 * warm      from the plane before A moved by a tenth of the gap, in any direction
 * overlap   bodies moved 1e-3 of the size into each other and beyond: TC_ERR_TOUCHING is right
 *
 * refused: cold, warm: any error; overlap: any other status. limit: TC_NOTE_LIMIT. over_8: more than 8
 * steps. Ends with 1 if a pair is refused or has a limit, if a cold search takes more than 40 steps, or
 * if 1 in 1,000 warm ones takes more than 8.
 */
#include "tinycontact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KINDS 8u
#define LEAST 1e-4

typedef struct body {
    tc_real vertices[3 * TC_BARRIER_VERTICES_MAX];
    tc_barrier_set set;
    tc_real turn[9]; /* [dim x dim] */
    tc_real position[3];
    double size;
} body;

/* What a start came to */
typedef struct tally {
    const char *start;
    unsigned long pairs, refused, limit, over;
    unsigned long steps[TC_BARRIER_NEWTON + 1u];
} tally;

static uint32_t bits = 1u;
static uint32_t dim;
static body bodies[2];
static double normal[3];
static tc_barrier3_plane plane3;
static tc_barrier2_plane plane2;

static uint32_t draw_bits(void)
{
    bits ^= bits << 13;
    bits ^= bits >> 17;
    bits ^= bits << 5;
    return bits;
}

static double roll(double low, double high)
{
    return low + (high - low) * (draw_bits() / 4294967296.0);
}

static void draw_vertices(body *b)
{
    const uint32_t kind = draw_bits() % KINDS;
    uint32_t count = 1u + draw_bits() % TC_BARRIER_VERTICES_MAX;
    double half[3], radius = 0;
    for (uint32_t k = 0; k < 3; ++k) half[k] = pow(10, roll(kind == 7 ? -3 : -1, 0));
    if (kind == 3) count = 1, radius = roll(0.1, 1);
    if (kind == 4) count = 2, radius = roll(0, 0.3);
    if (kind == 5) count = 3;
    if (kind == 6 && draw_bits() % 2) radius = roll(0, 0.2);
    if (kind < 3 || kind == 7) count = 1u << dim;
    for (uint32_t i = 0; i < count * dim; ++i) {
        const double side = i / dim >> i % dim & 1u ? 1 : -1;
        const double any = kind == 6 ? half[i % dim] * roll(-1, 1) : kind == 3 ? 0 : roll(-1, 1);
        b->vertices[i] = (tc_real)(kind < 3 || kind == 7 ? side * half[i % dim] : any);
    }
    b->set.vertices = b->vertices;
    b->set.count = count;
    b->set.radius = (tc_real)radius;
    b->size = 0;
    for (uint32_t i = 0; i < count; ++i) {
        double square = 0;
        for (uint32_t k = 0; k < dim; ++k) square += pow((double)b->vertices[i * dim + k], 2);
        b->size = fmax(b->size, sqrt(square) + radius);
    }
}

/* small: exponent of the angle, 0 for any turn */
static void draw_turn(body *b, double small)
{
    double q[4], length = 0;
    for (uint32_t k = 0; k < 4; ++k) {
        q[k] = roll(-1, 1) * (k > 0 && small < 0 ? pow(10, small) : 1);
        length += q[k] * q[k];
    }
    if (dim == 2) {
        const double angle = small < 0 ? q[1] : roll(0, 6.28318);
        b->turn[0] = b->turn[3] = (tc_real)cos(angle);
        b->turn[2] = (tc_real)sin(angle);
        b->turn[1] = -b->turn[2];
        return;
    }
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        const double u = q[1 + i], v = q[1 + j], w = q[1 + k], n = 1 / length;
        b->turn[4 * i] = (tc_real)(1 - 2 * n * (v * v + w * w));
        b->turn[3 * i + j] = (tc_real)(2 * n * (u * v - q[0] * w));
        b->turn[3 * i + k] = (tc_real)(2 * n * (u * w + q[0] * v));
    }
}

/* B's turn is A's, after a small one of its own */
static void draw_parallel(void)
{
    tc_real own[9];
    draw_turn(&bodies[1], roll(-7, -1));
    memcpy(own, bodies[1].turn, sizeof own);
    for (uint32_t i = 0; i < dim * dim; ++i) {
        double sum = 0;
        for (uint32_t k = 0; k < dim; ++k) {
            sum += (double)own[i / dim * dim + k] * (double)bodies[0].turn[k * dim + i % dim];
        }
        bodies[1].turn[i] = (tc_real)sum;
    }
}

/* The vertex that is farthest along sign n, from the body's position; returns how far along n */
static double farthest(const body *b, double sign, double place[3])
{
    double most = -1e30;
    for (uint32_t i = 0; i < b->set.count; ++i) {
        double y[3], along = 0;
        for (uint32_t k = 0; k < dim; ++k) {
            y[k] = 0;
            for (uint32_t j = 0; j < dim; ++j) {
                y[k] += (double)b->turn[k * dim + j] * (double)b->vertices[i * dim + j];
            }
            along += sign * y[k] * normal[k];
        }
        if (along > most) {
            most = along;
            memcpy(place, y, sizeof y);
        }
    }
    return most;
}

static double pair_size(void)
{
    return fmax(bodies[0].size, bodies[1].size);
}

/* The gap along the normal as the poses are rounded */
static double true_gap(void)
{
    double place[3], gap = -farthest(&bodies[0], -1, place) - farthest(&bodies[1], 1, place);
    for (uint32_t k = 0; k < dim; ++k) {
        gap += normal[k] * ((double)bodies[0].position[k] - (double)bodies[1].position[k]);
    }
    return gap - (double)bodies[0].set.radius - (double)bodies[1].set.radius;
}

static void draw_normal(void)
{
    double length = 0;
    const uint32_t column = draw_bits() % dim, face = draw_bits() % 2;
    for (uint32_t k = 0; k < dim; ++k) {
        normal[k] = face ? (double)bodies[0].turn[k * dim + column] : roll(-1, 1);
        length += normal[k] * normal[k];
    }
    for (uint32_t k = 0; k < dim; ++k) normal[k] /= sqrt(length);
}

static void place_pair(double gap)
{
    double a[3], b[3], slide[3], along = 0;
    const double aside = draw_bits() % 2 ? pair_size() : 0;
    (void)farthest(&bodies[0], -1, a);
    (void)farthest(&bodies[1], 1, b);
    for (uint32_t k = 0; k < dim; ++k) {
        slide[k] = aside * roll(-1, 1);
        along += slide[k] * normal[k];
    }
    gap += (double)bodies[0].set.radius + (double)bodies[1].set.radius - along;
    for (uint32_t k = 0; k < dim; ++k) {
        const double at = roll(-1, 1) * pair_size();
        bodies[1].position[k] = (tc_real)at;
        bodies[0].position[k] = (tc_real)(at + b[k] - a[k] + slide[k] + gap * normal[k]);
    }
}

static double draw_pair(void)
{
    for (uint32_t side = 0; side < 2; ++side) {
        draw_vertices(&bodies[side]);
        draw_turn(&bodies[side], 0);
    }
    const uint32_t parallel = draw_bits() % 6;
    if (parallel == 0) memcpy(bodies[1].turn, bodies[0].turn, sizeof bodies[1].turn);
    if (parallel == 1) draw_parallel();
    draw_normal();
    place_pair(pair_size() * LEAST * 1.002 * pow(10, roll(0, draw_bits() % 4 ? 4 : 6)));
    memset(&plane3, 0, sizeof plane3);
    memset(&plane2, 0, sizeof plane2);
    return true_gap();
}

static tc_status solve_pair(uint32_t *newton, double *gap)
{
    const tc_barrier_config config = tc_barrier_default();
    tc_barrier3_pair pair3;
    tc_barrier2_pair pair2;
    tc_convex_pose at3[2];
    tc_barrier2_pose at2[2];
    for (uint32_t i = 0; i < 2; ++i) {
        memcpy(at3[i].rotation, bodies[i].turn, sizeof at3[i].rotation);
        memcpy(at3[i].position, bodies[i].position, sizeof at3[i].position);
        at2[i].cosine = bodies[i].turn[0];
        at2[i].sine = bodies[i].turn[2];
        memcpy(at2[i].position, bodies[i].position, sizeof at2[i].position);
    }
    const tc_barrier_set *a = &bodies[0].set, *b = &bodies[1].set;
    const tc_status status =
        dim == 3 ? tc_barrier3_solve(&config, a, &at3[0], b, &at3[1], &plane3, &pair3)
                 : tc_barrier2_solve(&config, a, &at2[0], b, &at2[1], &plane2, &pair2);
    *newton = dim == 3 ? pair3.newton : pair2.newton;
    *gap = (double)(dim == 3 ? pair3.gap : pair2.gap);
    return status;
}

static void note(tally *t, tc_status status, uint32_t newton)
{
    ++t->pairs;
    t->refused += status < TC_OK;
    t->limit += status == TC_NOTE_LIMIT;
    t->over += newton > 8;
    ++t->steps[newton];
}

/* One pair, cold, moved, and moved into each other */
static void try_pair(tally *cold, tally *warm, tally *overlap)
{
    double gap, length = 0, way[3];
    uint32_t newton;
    if (draw_pair() < LEAST * pair_size()) return;
    const tc_status status = solve_pair(&newton, &gap);
    note(cold, status, newton);
    if (status < TC_OK) return;
    for (uint32_t k = 0; k < dim; ++k) {
        way[k] = roll(-1, 1);
        length += way[k] * way[k];
    }
    for (uint32_t k = 0; k < dim; ++k) {
        bodies[0].position[k] += (tc_real)(0.1 * gap * way[k] / sqrt(length));
    }
    const tc_status moved = solve_pair(&newton, &gap);
    note(warm, moved, newton);
    /* A vertex of A into B's, both deeper than rounding by their radii or towards B's first vertex */
    double a[3], b[3];
    (void)farthest(&bodies[0], -1, a);
    (void)farthest(&bodies[1], 1, b);
    const double deep = fmax((double)bodies[0].set.radius, (double)bodies[1].set.radius);
    if (deep < 1e-3 * pair_size()) return;
    for (uint32_t k = 0; k < dim; ++k) {
        const double by = (deep - 1e-3 * pair_size()) * normal[k];
        bodies[0].position[k] = (tc_real)((double)bodies[1].position[k] + b[k] - a[k] + by);
    }
    ++overlap->pairs;
    overlap->refused += solve_pair(&newton, &gap) != TC_ERR_TOUCHING;
    ++overlap->steps[newton];
}

static unsigned rank(const tally *t, double part)
{
    unsigned long seen = 0;
    unsigned steps = 0;
    while (steps < TC_BARRIER_NEWTON
           && (double)(seen += t->steps[steps]) < part * (double)t->pairs) {
        ++steps;
    }
    return steps;
}

static void print_tally(const tally *t)
{
    printf("%s,%u,%s,%lu,%lu,%lu,%u,%u,%u,%lu\n", sizeof(tc_real) == 8 ? "double" : "single", dim,
           t->start, t->pairs, t->refused, t->limit, rank(t, 0.5), rank(t, 0.99), rank(t, 1),
           t->over);
}

int main(int count, char **arguments)
{
    const long pairs = count > 1 ? atol(arguments[1]) : 0;
    int bad = pairs <= 0;
    if (count > 2) puts("precision,dim,start,pairs,refused,limit,median,most_99,most,over_8");
    for (dim = 2; dim <= 3; ++dim) {
        tally cold = {.start = "cold"}, warm = {.start = "warm"}, overlap = {.start = "overlap"};
        for (long i = 0; i < pairs; ++i) try_pair(&cold, &warm, &overlap);
        print_tally(&cold);
        print_tally(&warm);
        print_tally(&overlap);
        bad |= cold.refused + warm.refused + overlap.refused + cold.limit + warm.limit > 0;
        bad |= warm.over > warm.pairs / 1000;
    }
    return bad;
}
