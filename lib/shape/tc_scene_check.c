/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What may be wrong with a scene: its lengths, then table by table, entry by entry.
 */
#include "tc_exact.h"
#include "tc_scene_core.h"

#include "tc_vec.h"

#define FRICTION_SCENE_MAX TC_C(1e4) /* coefficient of friction */

/* ---- Parts of entries ------------------------------------------------------------------------ */

/* 0 or more, and at most `most` */
static tc_status check_positive(const tc_real *x, tc_real least, tc_real most)
{
    if (!tc_all_finite(x, 1)) return TC_ERR_NOT_FINITE;
    return *x >= least && *x <= most ? TC_OK : TC_ERR_RANGE;
}

static tc_status check_place(const tc_scene *scene, uint32_t mover, uint32_t link)
{
    tc_scene_span span = {0};
    if (mover >= scene->movers) return TC_ERR_RANGE;
    tc_scene_measure_one(scene, mover, &span);
    return link < span.links ? TC_OK : TC_ERR_RANGE;
}

static tc_status check_point(const tc_scene *scene, const tc_scene_point *point)
{
    if (!tc_all_finite(point->at, 3)) return TC_ERR_NOT_FINITE;
    for (uint32_t k = 0; k < 3u; ++k) {
        if (!(tc_vec_magnitude(point->at[k]) <= TC_CHAIN_LENGTH_MAX)) return TC_ERR_RANGE;
    }
    if (scene->dimension == 2u && point->at[2] != TC_C(0.0)) return TC_ERR_RANGE;
    if (point->mover == TC_SCENE_WORLD) return TC_OK;
    return check_place(scene, point->mover, point->link);
}

static tc_status check_scene_points(const tc_scene *scene, const tc_scene_point *point, uint32_t n)
{
    tc_status status = TC_OK;
    for (uint32_t i = 0; i < n && status >= TC_OK; ++i) status = check_point(scene, &point[i]);
    return status;
}

/* ---- Entries --------------------------------------------------------------------------------- */

/* tc_calls: check_mover lib/shape/tc_scene_movers.c:check_particle */
/* tc_calls: check_mover lib/shape/tc_scene_movers.c:check_scene_body2 */
/* tc_calls: check_mover lib/shape/tc_scene_movers.c:check_scene_body3 */
/* tc_calls: check_mover lib/shape/tc_scene_chains.c:check_scene_chain2 */
/* tc_calls: check_mover lib/shape/tc_scene_chains.c:check_scene_chain3 */
static tc_status check_mover(const tc_scene *scene, uint32_t i)
{
    const tc_scene_mover *const mover = &scene->mover[i];
    if ((uint32_t)mover->kind > (uint32_t)TC_SCENE_CHAIN) return TC_ERR_UNSUPPORTED;
    return tc_scene_type_of(scene, i)->check(mover);
}

static tc_status check_half_space(const tc_scene *scene, const tc_scene_surface *surface)
{
    const int flat = scene->dimension == 2u;
    if (flat ? surface->plane2 == NULL : surface->plane3 == NULL) return TC_ERR_NULL;
    const tc_real *const n = flat ? surface->plane2->normal : surface->plane3->normal;
    const tc_real *const offset = flat ? &surface->plane2->offset : &surface->plane3->offset;
    if (!tc_all_finite(n, scene->dimension) || !tc_all_finite(offset, 1)) return TC_ERR_NOT_FINITE;
    if (!tc_vec_is_unit(n, scene->dimension)) return TC_ERR_UNIT;
    return tc_vec_magnitude(*offset) <= TC_CHAIN_LENGTH_MAX ? TC_OK : TC_ERR_RANGE;
}

/* tc_calls: check_surface tc_scene_measure_one */
static tc_status check_surface(const tc_scene *scene, uint32_t i)
{
    const tc_scene_surface *const surface = &scene->surface[i];
    const int world = surface->mover == TC_SCENE_WORLD;
    const tc_status status = world ? TC_OK : check_place(scene, surface->mover, surface->link);
    if (status < TC_OK) return status;
    if (surface->sdf != NULL) {
        return scene->meeting != NULL ? scene->meeting->surface(scene, surface) : TC_ERR_NULL;
    }
    if (world) return check_half_space(scene, surface);
    const tc_status reach = check_positive(&surface->reach, TC_C(0.0), TC_CHAIN_LENGTH_MAX);
    if (reach < TC_OK) return reach;
    return scene->dimension == 2u ? tc_shape2_check(surface->shape2)
                                  : tc_shape3_check(surface->shape3);
}

static tc_status check_material(const tc_scene *scene, uint32_t i)
{
    const tc_status status = check_positive(&scene->material[i].mu, TC_C(0.0), FRICTION_SCENE_MAX);
    return status < TC_OK ? status : check_positive(&scene->material[i].e, TC_C(0.0), TC_C(1.0));
}

static int is_ball(const tc_scene *scene, const tc_scene_surface *surface)
{
    return scene->dimension == 2u ? surface->shape2->count == 1u : surface->shape3->count == 1u;
}

/* tc_calls: check_sides tc_scene_measure_one */
/* tc_calls: check_pair_of tc_scene_measure_one */
/* Whether the kinds of both surfaces have a gap */
static tc_status check_sides(const tc_scene *scene, const tc_scene_pair *pair)
{
    const tc_scene_surface *const a = &scene->surface[pair->a], *const b = &scene->surface[pair->b];
    if (a->mover == TC_SCENE_WORLD || (a->sdf == NULL) != (b->sdf == NULL)) {
        return TC_ERR_UNSUPPORTED;
    }
    if (a->sdf != NULL) return scene->meeting->pair(scene, pair);
    if (b->mover == TC_SCENE_WORLD) return TC_OK;
    return is_ball(scene, a) && is_ball(scene, b) ? TC_OK : TC_ERR_UNSUPPORTED;
}

static tc_status check_pair_of(const tc_scene *scene, uint32_t i)
{
    const tc_scene_pair *const pair = &scene->pair[i];
    if (pair->a >= scene->surfaces || pair->b >= scene->surfaces || pair->a == pair->b
        || pair->material >= scene->materials) {
        return TC_ERR_RANGE;
    }
    return check_sides(scene, pair);
}

static tc_status check_joint(const tc_scene *scene, uint32_t i)
{
    const tc_scene_joint *const joint = &scene->joint[i];
    if ((uint32_t)joint->kind > (uint32_t)TC_SCENE_JOINT_ROD) return TC_ERR_UNSUPPORTED;
    tc_status status = check_point(scene, &joint->a);
    if (status >= TC_OK) status = check_point(scene, &joint->b);
    if (status >= TC_OK && joint->kind == TC_SCENE_JOINT_ROD) {
        status = check_positive(&joint->length, TC_EPSILON, TC_CHAIN_LENGTH_MAX);
    }
    return status;
}

static tc_status check_coordinate(const tc_scene *scene, const tc_scene_limit *limit)
{
    tc_scene_span span = {0};
    if (limit->mover >= scene->movers) return TC_ERR_RANGE;
    if (scene->mover[limit->mover].kind != TC_SCENE_CHAIN) return TC_ERR_UNSUPPORTED;
    tc_scene_measure_one(scene, limit->mover, &span);
    const uint32_t free_rates = span.rates - span.links; /* of a floating root, but one */
    const uint32_t first = free_rates > 0u ? free_rates + 1u : 0u;
    return limit->coordinate >= first && limit->coordinate < span.rates ? TC_OK : TC_ERR_RANGE;
}

static tc_status check_limit(const tc_scene *scene, uint32_t i)
{
    const tc_scene_limit *const limit = &scene->limit[i];
    const int bends = limit->kind == TC_SCENE_LIMIT_BEND;
    if ((uint32_t)limit->kind > (uint32_t)TC_SCENE_LIMIT_BEND) return TC_ERR_UNSUPPORTED;
    if (!tc_all_finite(&limit->high, 1) || (!bends && !tc_all_finite(&limit->low, 1))) {
        return TC_ERR_NOT_FINITE;
    }
    if (bends ? !(limit->high > TC_C(0.0)) : !(limit->low < limit->high)) return TC_ERR_RANGE;
    if (limit->kind == TC_SCENE_LIMIT_COORDINATE) return check_coordinate(scene, limit);
    return check_scene_points(scene, limit->point, bends ? 3u : 2u);
}

static tc_status check_spring(const tc_scene *scene, uint32_t i)
{
    const tc_scene_spring *const spring = &scene->spring[i];
    tc_status status = check_point(scene, &spring->a);
    if (status >= TC_OK) status = check_point(scene, &spring->b);
    if (status >= TC_OK) status = check_positive(&spring->stiffness, TC_C(0.0), TC_C(1e12));
    if (status >= TC_OK) status = check_positive(&spring->length, TC_C(0.0), TC_CHAIN_LENGTH_MAX);
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

#define TABLES 7u

/* Every table that has entries is there. */
static int has_tables(const tc_scene *s)
{
    const void *const tables[TABLES] = {s->mover, s->surface, s->material, s->pair,
                                        s->joint, s->limit,   s->spring};
    const uint32_t lengths[TABLES] = {s->movers, s->surfaces, s->materials, s->pairs,
                                      s->joints, s->limits,   s->springs};
    int good = 1;
    for (uint32_t i = 0; i < TABLES; ++i) good &= lengths[i] == 0u || tables[i] != NULL;
    return good;
}

static int has_lengths(const tc_scene *s)
{
    const uint32_t lengths[TABLES - 1u] = {s->surfaces, s->materials, s->pairs,
                                           s->joints,   s->limits,    s->springs};
    int good = s->dimension - 2u <= 1u && s->movers - 1u < TC_SCENE_MOVERS_MAX;
    for (uint32_t i = 0; i < TABLES - 1u; ++i) good &= lengths[i] <= TC_SCENE_TABLE_MAX;
    return good;
}

static tc_status check_gravity(const tc_scene *s)
{
    if (!tc_all_finite(s->gravity, 3)) return TC_ERR_NOT_FINITE;
    int good = s->dimension == 3u || s->gravity[2] == TC_C(0.0);
    for (uint32_t k = 0; k < 3u; ++k) {
        good &= tc_vec_magnitude(s->gravity[k]) <= TC_CHAIN_GRAVITY_MAX;
    }
    return good ? TC_OK : TC_ERR_RANGE;
}

static tc_status check_self(const tc_scene *s)
{
    if (!has_lengths(s)) return TC_ERR_SIZE;
    const int pushes = s->field == NULL || s->field->push != NULL;
    return has_tables(s) && pushes ? check_gravity(s) : TC_ERR_NULL;
}

/* A table's length, and the check of an entry. */
typedef struct table_check {
    tc_scene_table table;
    uint32_t length;
    tc_status (*check)(const tc_scene *scene, uint32_t i);
} table_check;

/* tc_calls: check_table lib/shape/tc_scene_check.c:check_mover */
/* tc_calls: check_table lib/shape/tc_scene_check.c:check_surface */
/* tc_calls: check_table lib/shape/tc_scene_check.c:check_material */
/* tc_calls: check_table lib/shape/tc_scene_check.c:check_pair_of */
/* tc_calls: check_table lib/shape/tc_scene_check.c:check_joint */
/* tc_calls: check_table lib/shape/tc_scene_check.c:check_limit */
/* tc_calls: check_table lib/shape/tc_scene_check.c:check_spring */
/* tc_calls: tc_scene_check lib/shape/tc_scene_check.c:check_mover */
/* tc_calls: tc_scene_check lib/shape/tc_scene_check.c:check_surface */
/* tc_calls: tc_scene_check lib/shape/tc_scene_check.c:check_material */
/* tc_calls: tc_scene_check lib/shape/tc_scene_check.c:check_pair_of */
/* tc_calls: tc_scene_check lib/shape/tc_scene_check.c:check_joint */
/* tc_calls: tc_scene_check lib/shape/tc_scene_check.c:check_limit */
/* tc_calls: tc_scene_check lib/shape/tc_scene_check.c:check_spring */
static tc_status check_table(const tc_scene *scene, const table_check *t, tc_scene_fault *fault)
{
    for (uint32_t i = 0; i < t->length; ++i) {
        const tc_status status = t->check(scene, i);
        if (status >= TC_OK) continue;
        *fault = (tc_scene_fault){t->table, i};
        return status;
    }
    return TC_OK;
}

static tc_status check_scene_sizes(const tc_scene *scene)
{
    tc_scene_sizes sizes;
    tc_scene_measure(scene, &sizes);
    return sizes.rates <= TC_SCENE_RATES_MAX && sizes.joint_rows <= TC_SCENE_JOINT_ROWS_MAX
               ? TC_OK
               : TC_ERR_SIZE;
}

tc_status tc_scene_check(const tc_scene *scene, tc_scene_fault *fault)
{
    tc_scene_fault unused;
    fault = fault != NULL ? fault : &unused;
    *fault = (tc_scene_fault){TC_SCENE_TABLE_SELF, 0};
    if (scene == NULL) return TC_ERR_NULL;
    tc_status status = check_self(scene);
    const table_check tables[] = {
        {TC_SCENE_TABLE_MOVER, scene->movers, check_mover},
        {TC_SCENE_TABLE_SURFACE, scene->surfaces, check_surface},
        {TC_SCENE_TABLE_MATERIAL, scene->materials, check_material},
        {TC_SCENE_TABLE_PAIR, scene->pairs, check_pair_of},
        {TC_SCENE_TABLE_JOINT, scene->joints, check_joint},
        {TC_SCENE_TABLE_LIMIT, scene->limits, check_limit},
        {TC_SCENE_TABLE_SPRING, scene->springs, check_spring},
    };
    for (uint32_t i = 0; i < TC_COUNT(tables) && status >= TC_OK; ++i) {
        status = check_table(scene, &tables[i], fault);
    }
    return status < TC_OK ? status : check_scene_sizes(scene);
}
