/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Roll-outs of native_rope. Ropes are rolled out one after the other, so that a rope's numbers stay
 * in the cache. Where the adjoint will be asked for, each step keeps what it needs in one arena, as
 * long as its limits are many.
 */
#include "tc_exact.h"

#include "rope.h"
#include "rope_internal.h"

#include "tc_math.h"

#include <stdlib.h>
#include <string.h>

struct native_rope {
    rope_system system;
    uint32_t batch, steps;
    int keep, rolled;
    tc_real *numbers; /* all arrays of numbers but the arena */
    tc_real *state;   /* [4 nodes] of the rope that moves */
    tc_real *scratch; /* [ROPE_SCRATCH nodes] */
    uint32_t *limits; /* [2 points], per step where kept */
    tc_real *arena;   /* of the steps, one behind the other */
    rope_step *step;  /* [batch steps], or [1] */
};

/* Numbers that a step takes beside those of its limits, and each limit's */
#define STEP_NUMBERS(nodes) (12u * (size_t)(nodes))
#define LIMIT_NUMBERS (ROPE_ROW + 3u * (ROPE_WIDTH + 5u) + 10u)

static rope_plane take_plane(tc_real **at, uint32_t nodes)
{
    const rope_plane p = {*at, *at + nodes};
    *at += 2u * (size_t)nodes;
    return p;
}

static tc_real *take_numbers(tc_real **at, size_t count)
{
    tc_real *const taken = *at;
    *at += count;
    return taken;
}

static void lay_limits(rope_step *s, tc_real **at)
{
    const size_t m = s->count;
    tc_real **const parts[] = {&s->depth, &s->q, &s->target, &s->f_c,
                               &s->w_c,   &s->f, &s->w,      &s->floor};
    s->row = take_numbers(at, ROPE_ROW * m);
    s->A = take_numbers(at, (ROPE_WIDTH + 1u) * m);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k) *parts[k] = take_numbers(at, m);
    s->work_c = take_numbers(at, TC_BAND_WORK(m, ROPE_WIDTH));
    s->work = take_numbers(at, TC_BAND_WORK(m, ROPE_WIDTH));
}

static void count_solve(native_rope_counts *c, tc_status status, const tc_band_info *info)
{
    c->solves += 1;
    c->iterations += info->iterations;
    if (info->iterations > c->iterations_most) c->iterations_most = info->iterations;
    c->imprecise += status == TC_NOTE_PRECISION;
    c->limited += status == TC_NOTE_LIMIT;
}

static void count_step(native_rope_counts *c, const rope_step *s, tc_status status,
                       const tc_band_info info[2])
{
    c->steps += 1;
    if (s->count == 0u) return;
    c->listed += s->count;
    c->active += info[0].active;
    if (s->count > c->listed_most) c->listed_most = s->count;
    if (info[0].active > c->active_most) c->active_most = info[0].active;
    count_solve(c, status, &info[0]);
    count_solve(c, status, &info[1]);
}

/* One step of the state, which is moved */
static tc_status step_rope(native_rope *h, rope_step *s, tc_real **at, native_rope_counts *counts)
{
    const rope_system *const r = &h->system;
    const uint32_t n = r->nodes;
    tc_band_info info[2] = {{0}};
    tc_status status = TC_OK;
    s->place = take_plane(at, n);
    s->rate = take_plane(at, n);
    memcpy(s->place.x, h->state, 4u * (size_t)n * sizeof(tc_real));
    s->third = take_plane(at, n);
    s->fourth = take_plane(at, n);
    s->moved = take_plane(at, n);
    s->coming = take_plane(at, n);
    rope_move(r, s, h->scratch);
    rope_find(r, s, h->scratch);
    memcpy(h->state, s->moved.x, 4u * (size_t)n * sizeof(tc_real));
    if (s->count != 0u) {
        lay_limits(s, at);
        const rope_plane rate = {h->state + 2u * (size_t)n, h->state + 3u * (size_t)n};
        status = rope_strike(r, s, rate, info);
    }
    count_step(counts, s, status, info);
    return status >= TC_OK && !tc_all_finite(h->state, 4u * n) ? TC_ERR_RANGE : status;
}

/* A state as it crosses, x and y of each point beside each other, to nodes and back */
static void read_state(const double *from, uint32_t points, tc_real *to)
{
    const size_t n = points + 1u;
    for (size_t part = 0; part < 2u; ++part, from += 2u * (size_t)points, to += 2u * n) {
        to[0] = to[n] = TC_C(0.0);
        for (size_t k = 0; k < points; ++k) {
            to[k + 1u] = (tc_real)from[2u * k];
            to[n + k + 1u] = (tc_real)from[2u * k + 1u];
        }
    }
}

static void write_state(const tc_real *from, uint32_t points, double *to)
{
    const size_t n = points + 1u;
    for (size_t part = 0; part < 2u; ++part, to += 2u * (size_t)points, from += 2u * n) {
        for (size_t k = 0; k < points; ++k) {
            to[2u * k] = (double)from[k + 1u];
            to[2u * k + 1u] = (double)from[n + k + 1u];
        }
    }
}

int32_t native_rope_forward(native_rope *h, const double *start, double *path,
                            native_rope_counts *counts)
{
    const uint32_t points = h->system.points;
    const size_t width = 4u * (size_t)points;
    native_rope_counts unwanted;
    native_rope_counts *const c = counts != NULL ? counts : &unwanted;
    tc_real *at = h->arena;
    memset(c, 0, sizeof *c);
    h->rolled = 0;
    for (uint32_t rope = 0; rope < h->batch; ++rope) {
        read_state(start + width * rope, points, h->state);
        for (uint32_t k = 0; k < h->steps; ++k) {
            const size_t index = (size_t)rope * h->steps + k, kept = h->keep ? index : 0u;
            rope_step *const s = &h->step[kept];
            if (!h->keep) at = h->arena;
            s->limit = h->limits + kept * 2u * points;
            const tc_status status = step_rope(h, s, &at, c);
            if (status < TC_OK) {
                c->unused = rope;
                return status;
            }
            if (path != NULL) write_state(h->state, points, path + width * index);
        }
    }
    h->rolled = h->keep;
    return TC_OK;
}

/* The adjoint of one rope */
static tc_status pull_back(const native_rope *h, uint32_t rope, const double *by_path,
                           rope_adjoint *by)
{
    const uint32_t n = h->system.nodes, points = h->system.points;
    tc_real *const given = by->scratch;
    for (uint32_t i = 0; i < 4u * n; ++i) by->place.x[i] = TC_C(0.0);
    for (uint32_t k = h->steps; k-- != 0u;) {
        const size_t index = (size_t)rope * h->steps + k;
        const rope_step *const s = &h->step[index];
        read_state(by_path + 4u * (size_t)points * index, points, given);
        for (uint32_t i = 0; i < 4u * n; ++i) by->place.x[i] += given[i];
        if (s->count != 0u) {
            const tc_status status = rope_strike_adjoint(&h->system, s, by);
            if (status < TC_OK) return status;
        }
        rope_move_adjoint(&h->system, s, by);
    }
    return TC_OK;
}

/* Adds one rope's cotangents of the parameters to the batch's, and clears them */
static void collect_parameters(const rope_system *r, rope_adjoint *by,
                               const native_rope_gradient *to)
{
    for (uint32_t k = 1; k < r->nodes; ++k) {
        const double inverse = (double)r->inverse_mass[k];
        if (to->mass != NULL) {
            to->mass[k - 1u] -= inverse * inverse * (double)by->inverse_mass[k];
        }
        if (to->stiffness != NULL) to->stiffness[k - 1u] += (double)by->stiffness[k - 1u];
    }
    if (to->gravity != NULL) *to->gravity += (double)by->gravity;
    if (to->restitution != NULL) *to->restitution += (double)by->restitution;
    memset(by->inverse_mass, 0, 2u * (size_t)r->nodes * sizeof(tc_real));
    by->gravity = by->restitution = TC_C(0.0);
}

int32_t native_rope_backward(native_rope *h, const double *by_path, const native_rope_gradient *to)
{
    if (!h->rolled) return TC_ERR_UNSUPPORTED;
    const uint32_t n = h->system.nodes, points = h->system.points;
    tc_real *const place = h->state + 4u * (size_t)n, *const rate = place + 2u * (size_t)n;
    rope_adjoint by = {.place = {place, place + n},
                       .rate = {rate, rate + n},
                       .inverse_mass = rate + 2u * (size_t)n,
                       .stiffness = rate + 3u * (size_t)n,
                       .scratch = h->scratch};
    memset(by.inverse_mass, 0, 2u * (size_t)n * sizeof(tc_real));
    if (to->mass != NULL) memset(to->mass, 0, points * sizeof(double));
    if (to->stiffness != NULL) memset(to->stiffness, 0, points * sizeof(double));
    if (to->gravity != NULL) *to->gravity = 0;
    if (to->restitution != NULL) *to->restitution = 0;
    for (uint32_t rope = 0; rope < h->batch; ++rope) {
        const tc_status status = pull_back(h, rope, by_path, &by);
        if (status < TC_OK) return status;
        if (to->start != NULL) write_state(place, points, to->start + 4u * (size_t)points * rope);
        collect_parameters(&h->system, &by, to);
    }
    return TC_OK;
}

/* ---- Handle ---------------------------------------------------------------------------------- */

/* Whether x is a number above 0, or at least 0 */
static int is_above(double x)
{
    return x > 0 && x <= 1e9;
}

static tc_status check_system(const native_rope_system *y, uint32_t batch, uint32_t steps)
{
    if (y->points < 2u || y->points > NATIVE_ROPE_POINTS_MOST || batch == 0u || steps == 0u) {
        return TC_ERR_SIZE;
    }
    const int limits = is_above(y->shortest) && y->shortest < 1 && y->longest > 1
                       && is_above(y->longest) && is_above(y->bend) && y->bend < 1.57;
    int good = limits && is_above(y->step) && is_above(y->rest) && y->restitution >= 0
               && y->restitution <= 1 && y->gravity >= -1e3 && y->gravity <= 1e3;
    for (uint32_t k = 0; k < y->points; ++k) {
        good = good && is_above(y->mass[k]) && y->stiffness[k] >= 0 && y->stiffness[k] <= 1e9;
    }
    return good ? TC_OK : TC_ERR_RANGE;
}

static void fill_system(rope_system *r, const native_rope_system *y, tc_real *numbers)
{
    r->points = y->points;
    r->nodes = y->points + 1u;
    r->step = (tc_real)y->step;
    r->rest = (tc_real)y->rest;
    r->shortest = (tc_real)y->shortest;
    r->longest = (tc_real)y->longest;
    r->bend = (tc_real)y->bend;
    r->slope = tc_sin(r->bend) / tc_cos(r->bend);
    r->restitution = (tc_real)y->restitution;
    r->gravity = (tc_real)y->gravity;
    r->inverse_mass = numbers;
    r->stiffness = numbers + r->nodes;
    for (uint32_t k = 0; k < y->points; ++k) {
        r->inverse_mass[k + 1u] = (tc_real)(1 / y->mass[k]);
        r->stiffness[k] = (tc_real)y->stiffness[k];
    }
}

native_rope *native_rope_open(const native_rope_system *system, uint32_t batch, uint32_t steps,
                              int32_t keep, int32_t *status)
{
    *status = check_system(system, batch, steps);
    if (*status < TC_OK) return NULL;
    native_rope *const h = calloc(1, sizeof *h);
    const size_t nodes = system->points + 1u, kept = keep ? (size_t)batch * steps : 1u;
    const size_t most = STEP_NUMBERS(nodes) + 2u * nodes * LIMIT_NUMBERS + 2u;
    if (h != NULL) {
        h->numbers = calloc(nodes * (2u + 4u + 6u + ROPE_SCRATCH), sizeof(tc_real));
        h->arena = malloc(kept * most * sizeof(tc_real));
        h->limits = malloc(kept * 2u * nodes * sizeof(uint32_t));
        h->step = calloc(kept, sizeof *h->step);
    }
    if (h == NULL || h->numbers == NULL || h->arena == NULL || h->limits == NULL
        || h->step == NULL) {
        native_rope_free(h);
        *status = TC_ERR_WORK;
        return NULL;
    }
    h->batch = batch;
    h->steps = steps;
    h->keep = keep != 0;
    fill_system(&h->system, system, h->numbers);
    h->state = h->numbers + 2u * nodes;
    h->scratch = h->state + 10u * nodes;
    return h;
}

void native_rope_free(native_rope *h)
{
    if (h == NULL) return;
    free(h->numbers);
    free(h->arena);
    free(h->limits);
    free(h->step);
    free(h);
}
