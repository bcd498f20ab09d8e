/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Tosses for Python. Between two rows the step is their interval over a whole number, so that every
 * row is the end of a step, and none is interpolated.
 */
#include "toss.h"

#include "handle.h"
#include "tc_friction3.h"

#include <math.h>
#include <string.h>

#define WHOLE 1e-6 /* of a step: rows come as decimals */
#define WORK TC_FOOT3_WORK(TC_FRICTION3_WORK)

/* A set on its way */
typedef struct toss {
    tc_foot3 foot;
    tc_friction3 friction;
    double vertices[3u * TC_SHAPE_MAX];
    tc_real shape[3u * TC_SHAPE_MAX];
    tc_real force[6];
    double gravity; /* its size */
    tc_learned3_warm warm;
    tc_body3_state at;
    tc_real work[WORK];
} toss;

static void narrow(const double *from, uint32_t n, tc_real *to)
{
    for (uint32_t k = 0; k < n; k++) {
        to[k] = (tc_real)from[k];
    }
}

static void widen(const tc_real *from, uint32_t n, double *to)
{
    for (uint32_t k = 0; k < n; k++) {
        to[k] = (double)from[k];
    }
}

static void furnish_toss(const native_toss_set *set, toss *t)
{
    tc_foot3 *const foot = &t->foot;
    foot->shape.vertices = t->shape;
    foot->shape.count = set->count;
    foot->shape.radius = (tc_real)set->radius;
    narrow(set->normal, 3, foot->plane.normal);
    foot->plane.offset = (tc_real)set->offset;
    foot->restitution = (tc_real)set->restitution;
    foot->positions = (tc_scheme)set->positions;
    foot->compliance.stiffness = (tc_real)set->stiffness;
    foot->compliance.damping = (tc_real)set->damping;
    foot->compliance.slope = (tc_real)set->slope;
    if (set->rounds > 0u) {
        foot->sweeps.rounds = set->rounds;
        foot->sweeps.frozen = set->frozen;
    }
    for (uint32_t k = 0; k < 3u; k++) {
        t->force[k] = (tc_real)(set->mass * set->gravity[k]);
    }
    const double *const g = set->gravity;
    t->gravity = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

static tc_status open_toss(const native_toss_set *set, toss *t)
{
    memset(t, 0, sizeof *t);
    narrow(set->mu, 3, t->friction.mu);
    narrow(set->gain, 2, t->friction.gain);
    narrow(set->slip_weight, 2, t->friction.slip);
    narrow(set->load_weight, 2, t->friction.load);
    narrow(set->bias, 2, t->friction.bias);
    t->friction.weight = TC_C(1.0);
    tc_body3 body;
    body.mass = (tc_real)set->mass;
    narrow(set->inertia, 3, body.inertia);
    const tc_learned3_model model = tc_friction3_model(&t->friction);
    tc_status status = tc_friction3_check(&t->friction);
    status = status < TC_OK ? status : tc_foot3_init(&t->foot, &body, (tc_real)set->step, &model);
    status = status < TC_OK
                 ? status
                 : native_take_vertices(set->vertices, set->count, 3, t->vertices, t->shape);
    if (status < TC_OK) {
        return status;
    }
    furnish_toss(set, t);
    return tc_foot3_check(&t->foot);
}

/* Moves by `time`, in whole steps of at most `step`. */
static tc_status move_toss(toss *t, double time, double step, int warm)
{
    const double steps = fmax(1, ceil(time / step - WHOLE));
    tc_status status = TC_OK;
    t->foot.step = (tc_real)(time / steps);
    t->friction.weight = (tc_real)(t->gravity * time / steps);
    for (double k = 0; k < steps && status >= TC_OK; k++) {
        status =
            tc_foot3_step(&t->foot, t->force, &t->at, warm ? &t->warm : NULL, NULL, t->work, WORK);
    }
    return status;
}

static void store(const tc_body3_state *at, double *row)
{
    widen(at->position, 3, row);
    widen(at->orientation, 4, row + 3);
    widen(at->velocity, 6, row + 7);
}

/* One start, its rows times[n] to states[n][13] */
static tc_status roll_one(const native_toss_set *set, toss *t, const double *start,
                          const double *times, uint32_t n, double *states)
{
    tc_status status = TC_OK;
    double now = 0;
    memset(&t->warm, 0, sizeof t->warm);
    narrow(start, 3, t->at.position);
    narrow(start + 3, 4, t->at.orientation);
    narrow(start + 7, 6, t->at.velocity);
    for (uint32_t r = 0; r < n; r++) {
        double *const row = states + (size_t)r * NATIVE_TOSS_STATE;
        if (status >= TC_OK && times[r] > now) {
            status = move_toss(t, times[r] - now, set->step, set->warm);
            now = times[r];
        }
        store(&t->at, row);
        for (uint32_t k = 0; k < NATIVE_TOSS_STATE && status < TC_OK; k++) {
            row[k] = (double)NAN;
        }
    }
    return status;
}

int32_t native_toss_roll(const native_toss_set *sets, uint32_t n_sets, const double *starts,
                         uint32_t n_starts, const uint32_t *first, const double *times,
                         double *states, int32_t *statuses)
{
    toss t;
    int32_t failed = 0;
    for (uint32_t s = 0; s < n_sets; s++) {
        const tc_status opened = open_toss(&sets[s], &t);
        for (uint32_t i = 0; i < n_starts; i++) {
            const uint32_t from = first[i], n = first[i + 1u] - from;
            double *const rows = states + ((size_t)s * first[n_starts] + from) * NATIVE_TOSS_STATE;
            tc_status status = opened;
            if (opened >= TC_OK) {
                status = roll_one(&sets[s], &t, starts + (size_t)i * NATIVE_TOSS_STATE,
                                  times + from, n, rows);
            } else {
                for (size_t k = 0; k < (size_t)n * NATIVE_TOSS_STATE; k++) {
                    rows[k] = (double)NAN;
                }
            }
            statuses[(size_t)s * n_starts + i] = (int32_t)status;
            failed += status < TC_OK;
        }
    }
    return failed;
}

/* One step; after an error what is written is NaN. */
static tc_status step_once(toss *t, tc_status opened, const double *state, double *after,
                           tc_foot3_info *info)
{
    tc_status status = opened;
    narrow(state, 3, t->at.position);
    narrow(state + 3, 4, t->at.orientation);
    narrow(state + 7, 6, t->at.velocity);
    memset(info, 0, sizeof *info);
    if (status >= TC_OK) {
        status = tc_foot3_step(&t->foot, t->force, &t->at, NULL, info, t->work, WORK);
    }
    store(&t->at, after);
    for (uint32_t k = 0; k < NATIVE_TOSS_STATE && status < TC_OK; k++) {
        after[k] = (double)NAN;
    }
    return status;
}

int32_t native_toss_step(const native_toss_set *set, const double *states, uint32_t n,
                         double *after, double *impulse, int32_t *contact, int32_t *statuses)
{
    toss t;
    tc_foot3_info info;
    int32_t failed = 0;
    const tc_status opened = open_toss(set, &t);
    t.friction.weight = (tc_real)(t.gravity * set->step);
    for (uint32_t i = 0; i < n; i++) {
        const size_t at = (size_t)i * NATIVE_TOSS_STATE;
        const tc_status status = step_once(&t, opened, states + at, after + at, &info);
        widen(info.impulse, 6, impulse + 6u * (size_t)i);
        contact[2u * i] = (int32_t)info.contact.branch;
        contact[2u * i + 1u] = (int32_t)info.count;
        statuses[i] = (int32_t)status;
        failed += status < TC_OK;
    }
    return failed;
}
