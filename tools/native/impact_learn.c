/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "impact_learn.h"

#include "tc_scene_core.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 128u /* numbers of a state: no scene has more */
#define LOWER(a, b) ((a) < (b) ? (a) : (b))
#define NUDGE TC_C(1e-6) /* step of differences by the start */

/* A scene that is rolled, and its memory. */
typedef struct rig {
    const native_learn *learn;
    const tc_scene *scene;
    tc_scene_step_config config;
    tc_scene_placed placed; /* for the shares of movers in a state */
    tc_scene_step_info info;
    tc_real *seen, *work;
    size_t work_len;
    uint32_t q, rates, state; /* coordinates, rates, both */
} rig;

/* What a roll-out touched. */
typedef struct touches {
    uint8_t material[TC_SCENE_TABLE_MAX];
    uint8_t mover[TC_SCENE_MOVERS_MAX];
    uint8_t *hits; /* [steps], or null */
} touches;

/* ---- Numbers of a scene ---------------------------------------------------------------------- */

static tc_real *place_in_body(const tc_scene *scene, const tc_scene_mover *mover, uint32_t link,
                              uint32_t component, int inertia)
{
    const int flat = scene->dimension == 2u;
    const tc_body2 *body2 = mover->body2;
    const tc_body3 *body3 = mover->body3;
    if (mover->kind == TC_SCENE_CHAIN) {
        if (link >= (flat ? mover->chain2->count : mover->chain3->count)) {
            return NULL;
        }
        body2 = &mover->chain2->links[flat ? link : 0u].body;
        body3 = &mover->chain3->links[flat ? 0u : link].body;
    }
    if (inertia) {
        return (tc_real *)(flat ? &body2->inertia : &body3->inertia[component % 3u]);
    }
    return (tc_real *)(flat ? &body2->mass : &body3->mass);
}

tc_real *native_learn_place(native_scene *handle, int32_t what, uint32_t index, uint32_t link,
                            uint32_t component)
{
    tc_scene *const scene = native_scene_tables(handle);
    if (what == NATIVE_LEARN_GRAVITY) {
        return component < 3u ? &scene->gravity[component] : NULL;
    }
    if (what == NATIVE_LEARN_FORCE) {
        return native_scene_force(handle, index, component);
    }
    if (what == NATIVE_LEARN_FRICTION || what == NATIVE_LEARN_RESTITUTION) {
        tc_scene_material *const material = (tc_scene_material *)&scene->material[index];
        return index >= scene->materials       ? NULL
               : what == NATIVE_LEARN_FRICTION ? &material->mu
                                               : &material->e;
    }
    if (index >= scene->movers) {
        return NULL;
    }
    const tc_scene_mover *const mover = &scene->mover[index];
    if (mover->kind == TC_SCENE_PARTICLE) {
        return what == NATIVE_LEARN_MASS ? (tc_real *)&mover->mass : NULL;
    }
    return place_in_body(scene, mover, link, component, what == NATIVE_LEARN_INERTIA);
}

/* ---- Roll-outs ------------------------------------------------------------------------------- */

/* A scene without friction has contacts of one row; its differences by mu have more. */
static size_t longest_work(tc_scene *scene)
{
    tc_scene_material *const first = (tc_scene_material *)scene->material;
    if (scene->materials == 0u) {
        return tc_scene_step_work(scene);
    }
    const tc_real mu = first->mu;
    const size_t plain = tc_scene_step_work(scene);
    first->mu = TC_C(1.0);
    const size_t rough = tc_scene_step_work(scene);
    first->mu = mu;
    return rough > plain ? rough : plain;
}

static tc_status open_rig(rig *r, const native_learn *learn)
{
    const native_scene_config *const config = &learn->config;
    memset(r, 0, sizeof *r);
    r->learn = learn;
    r->scene = native_scene_tables(learn->scene);
    r->config = (tc_scene_step_config){.h = (tc_real)config->h,
                                       .law = (tc_impact_law)config->law,
                                       .compensation = (tc_real)config->compensation,
                                       .impacts = config->impacts,
                                       .touch = (tc_real)config->touch};
    const size_t seen = tc_scene_work(r->scene);
    r->work_len = longest_work(native_scene_tables(learn->scene));
    r->seen = malloc(seen * sizeof *r->seen);
    r->work = malloc(r->work_len * sizeof *r->work);
    if (r->seen == NULL || r->work == NULL) {
        return TC_ERR_WORK;
    }
    const tc_status status = tc_scene_open(r->scene, &r->placed, r->seen, seen);
    r->q = r->placed.coordinates;
    r->rates = r->placed.rates;
    r->state = r->q + r->rates;
    return r->state > MOST ? TC_ERR_SIZE : status;
}

static void set_entries(const native_learn *learn, const double *value)
{
    for (uint32_t i = 0; i < learn->entries; ++i) {
        *learn->entry[i].at = (tc_real)value[i];
    }
}

static void mark_surface(const tc_scene *scene, uint32_t surface, touches *touched)
{
    const uint32_t mover = scene->surface[surface].mover;
    if (mover < scene->movers) {
        touched->mover[mover] = 1;
    }
}

static void mark_touches(const rig *r, uint32_t step, touches *touched)
{
    const tc_scene *const scene = r->scene;
    for (uint32_t i = 0; i < r->info.touches; ++i) {
        const uint32_t source = r->info.touch[i].source;
        if (source < scene->pairs) {
            touched->material[scene->pair[source].material] = 1;
            mark_surface(scene, scene->pair[source].a, touched);
            mark_surface(scene, scene->pair[source].b, touched);
        }
    }
    if (touched->hits != NULL) {
        touched->hits[step] = (uint8_t)r->info.impacts;
    }
}

/* One roll-out from start[state]; `touched` may be null. On failure the states are zero from there
 * on. */
static tc_status roll_out(rig *r, const tc_real *start, uint32_t steps, double *states,
                          touches *touched)
{
    tc_real x[MOST];
    tc_status status = TC_OK;
    memcpy(x, start, r->state * sizeof *x);
    for (uint32_t k = 0; k < steps; ++k) {
        double *const row = states + (size_t)k * r->state;
        if (status >= TC_OK) {
            status =
                tc_scene_step(r->scene, &r->config, x, x + r->q, &r->info, r->work, r->work_len);
        }
        for (uint32_t i = 0; i < r->state; ++i) {
            row[i] = status >= TC_OK ? (double)x[i] : 0.0;
        }
        if (touched != NULL && status >= TC_OK) {
            mark_touches(r, k, touched);
        }
    }
    return status;
}

static int feels(const native_learn *learn, uint32_t unknown, const touches *touched)
{
    const size_t at = (size_t)unknown * learn->entries;
    for (uint32_t i = 0; i < learn->entries; ++i) {
        const native_learn_entry *const entry = &learn->entry[i];
        const int moved = learn->high[at + i] != learn->low[at + i];
        if (moved
            && (entry->scope == NATIVE_LEARN_ALL
                || (entry->scope == NATIVE_LEARN_MATERIAL && touched->material[entry->index])
                || (entry->scope == NATIVE_LEARN_MOVER && touched->mover[entry->index]))) {
            return 1;
        }
    }
    return 0;
}

/* Writes (high - low) / span into column `column` of to[rows][columns]. A difference that rounding
 * makes is 0: friction has no slope where a contact sticks, and a fit would follow a tiny one far. */
static void write_column(const double *high, const double *low, double span, uint32_t rows,
                         double *to, uint32_t column, uint32_t columns)
{
    double most = 0.0;
    for (uint32_t i = 0; i < rows; ++i) {
        most = fmax(most, fabs(high[i]));
    }
    for (uint32_t i = 0; i < rows; ++i) {
        const double difference = high[i] - low[i];
        to[(size_t)i * columns + column] =
            fabs(difference) > 8.0 * DBL_EPSILON * most ? difference / span : 0.0;
    }
}

/* Derivatives of one roll-out by all unknowns. */
static tc_status by_unknowns(rig *r, const tc_real *start, uint32_t steps, const touches *touched,
                             double *to, double *room)
{
    const native_learn *const learn = r->learn;
    const uint32_t rows = steps * r->state;
    tc_status worst = TC_OK;
    for (uint32_t k = 0; k < learn->unknowns; ++k) {
        if (!feels(learn, k, touched)) {
            continue;
        }
        set_entries(learn, learn->high + (size_t)k * learn->entries);
        const tc_status above = roll_out(r, start, steps, room, NULL);
        set_entries(learn, learn->low + (size_t)k * learn->entries);
        const tc_status below = roll_out(r, start, steps, room + rows, NULL);
        worst = LOWER(worst, LOWER(above, below));
        write_column(room, room + rows, learn->span[k], rows, to, k, learn->unknowns);
    }
    set_entries(learn, learn->value);
    return worst;
}

/* Moves number k of the start, a coordinate along rate k or rate k - rates, by `by`. */
static void nudge_start(const rig *r, const tc_real *start, uint32_t k, tc_real by, tc_real *to)
{
    const tc_scene_placed *const placed = &r->placed;
    tc_real v[MOST] = {TC_C(0.0)};
    memcpy(to, start, r->state * sizeof *to);
    if (k >= placed->rates) {
        to[r->q + k - placed->rates] += by;
        return;
    }
    v[k] = TC_C(1.0);
    for (uint32_t m = 0; m < placed->scene->movers; ++m) {
        const tc_scene_span *const span = &placed->span[m];
        if (k >= span->v && k < span->v + span->rates) {
            tc_scene_type_of(placed->scene, m)
                ->shift(&placed->scene->mover[m], by, v + span->v, to + span->q);
        }
    }
}

static tc_status by_start(rig *r, const tc_real *start, uint32_t steps, double *to, double *room)
{
    const uint32_t rows = steps * r->state, columns = 2u * r->rates;
    tc_real moved[MOST];
    tc_status worst = TC_OK;
    for (uint32_t k = 0; k < columns; ++k) {
        nudge_start(r, start, k, NUDGE, moved);
        const tc_status above = roll_out(r, moved, steps, room, NULL);
        nudge_start(r, start, k, -NUDGE, moved);
        const tc_status below = roll_out(r, moved, steps, room + rows, NULL);
        worst = LOWER(worst, LOWER(above, below));
        write_column(room, room + rows, 2.0 * (double)NUDGE, rows, to, k, columns);
    }
    return worst;
}

/* Rolls chunk c out with all that is wanted of it. */
static tc_status roll_chunk(rig *r, const native_learn_rolls *rolls, uint32_t c, double *room)
{
    const size_t rows = (size_t)rolls->steps * r->state;
    touches touched = {.hits = rolls->hits ? rolls->hits + (size_t)c * rolls->steps : NULL};
    tc_real start[MOST];
    for (uint32_t i = 0; i < r->state; ++i) {
        start[i] = (tc_real)rolls->starts[(size_t)c * r->state + i];
    }
    tc_status status = roll_out(r, start, rolls->steps, rolls->states + c * rows, &touched);
    if (rolls->by_unknown != NULL && status >= TC_OK) {
        status =
            LOWER(status, by_unknowns(r, start, rolls->steps, &touched,
                                      rolls->by_unknown + c * rows * r->learn->unknowns, room));
    }
    if (rolls->by_start != NULL && status >= TC_OK) {
        status = LOWER(status, by_start(r, start, rolls->steps,
                                        rolls->by_start + c * rows * 2u * r->rates, room));
    }
    if (rolls->materials != NULL) {
        const uint32_t n = r->scene->materials;
        memcpy(rolls->materials + (size_t)c * n, touched.material, n);
    }
    return status;
}

int32_t native_learn_roll(const native_learn *learn, const native_learn_rolls *rolls)
{
    rig *const r = malloc(sizeof *r);
    if (r == NULL) {
        return TC_ERR_WORK;
    }
    const tc_status opened = open_rig(r, learn);
    double *const room = malloc(2u * ((size_t)rolls->steps * MOST + 1u) * sizeof *room);
    int32_t failed = room == NULL ? TC_ERR_WORK : LOWER(opened, TC_OK);
    if (failed == 0) {
        set_entries(learn, learn->value);
        for (uint32_t c = 0; c < rolls->chunks; ++c) {
            const tc_status status = roll_chunk(r, rolls, c, room);
            rolls->status[c] = (int32_t)status;
            failed += status < TC_OK;
        }
    }
    free(room);
    free(r->seen);
    free(r->work);
    free(r);
    return failed;
}
