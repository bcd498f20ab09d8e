/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A scene at one instant: what each mover's table (tc_scene_core.h) writes, put together.
 *
 * The mass matrix has a block per mover, M = L L^T, and w = L^T v. A row j of a contact's Jacobian
 * becomes g = j L^-T: the block's part of g is L^-1 j^T. Impulses change v by L^-T G^T f.
 */
#include "tc_exact.h"
#include "tc_scene_core.h"

#include "tc_mat.h"
#include "tc_vec.h"
#include "tc_work.h"

/* ---- Sizes ----------------------------------------------------------------------------------- */

const tc_scene_type *tc_scene_type_of(const tc_scene *scene, uint32_t m)
{
    static const tc_scene_type *const types[2][3] = {
        {&tc_scene_particle2, &tc_scene_body2, &tc_scene_chain2},
        {&tc_scene_particle3, &tc_scene_body3, &tc_scene_chain3}};
    return types[scene->dimension - 2u][scene->mover[m].kind];
}

/* tc_calls: tc_scene_measure_one lib/shape/tc_scene_movers.c:measure_particle2 */
/* tc_calls: tc_scene_measure_one lib/shape/tc_scene_movers.c:measure_particle3 */
/* tc_calls: tc_scene_measure_one lib/shape/tc_scene_movers.c:measure_body2 */
/* tc_calls: tc_scene_measure_one lib/shape/tc_scene_movers.c:measure_body3 */
/* tc_calls: tc_scene_measure_one lib/shape/tc_scene_chains.c:measure_chain2 */
/* tc_calls: tc_scene_measure_one lib/shape/tc_scene_chains.c:measure_chain3 */
/* tc_calls: tc_scene_measure lib/shape/tc_scene_movers.c:measure_particle2 */
/* tc_calls: tc_scene_measure lib/shape/tc_scene_movers.c:measure_particle3 */
/* tc_calls: tc_scene_measure lib/shape/tc_scene_movers.c:measure_body2 */
/* tc_calls: tc_scene_measure lib/shape/tc_scene_movers.c:measure_body3 */
/* tc_calls: tc_scene_measure lib/shape/tc_scene_chains.c:measure_chain2 */
/* tc_calls: tc_scene_measure lib/shape/tc_scene_chains.c:measure_chain3 */
/* tc_calls: tc_scene_open lib/shape/tc_scene_movers.c:measure_particle2 */
/* tc_calls: tc_scene_open lib/shape/tc_scene_movers.c:measure_particle3 */
/* tc_calls: tc_scene_open lib/shape/tc_scene_movers.c:measure_body2 */
/* tc_calls: tc_scene_open lib/shape/tc_scene_movers.c:measure_body3 */
/* tc_calls: tc_scene_open lib/shape/tc_scene_chains.c:measure_chain2 */
/* tc_calls: tc_scene_open lib/shape/tc_scene_chains.c:measure_chain3 */
void tc_scene_measure_one(const tc_scene *scene, uint32_t m, tc_scene_span *span)
{
    tc_scene_type_of(scene, m)->measure(&scene->mover[m], span);
}

static int has_friction(const tc_scene *scene)
{
    for (uint32_t i = 0; i < scene->materials; ++i) {
        if (scene->material[i].mu > TC_C(0.0)) return 1;
    }
    return 0;
}

void tc_scene_measure(const tc_scene *scene, tc_scene_sizes *sizes)
{
    tc_scene_span span = {0};
    *sizes = (tc_scene_sizes){.rows = has_friction(scene) ? scene->dimension : 1u};
    for (uint32_t m = 0; m < scene->movers; ++m) {
        tc_scene_measure_one(scene, m, &span);
        sizes->coordinates += span.coordinates;
        sizes->rates += span.rates;
        sizes->links += span.links;
        sizes->widest = span.rates > sizes->widest ? span.rates : sizes->widest;
        sizes->chains += scene->mover[m].kind == TC_SCENE_CHAIN;
    }
    for (uint32_t j = 0; j < scene->joints; ++j) {
        sizes->joint_rows += scene->joint[j].kind == TC_SCENE_JOINT_BALL ? scene->dimension : 1u;
    }
    sizes->contacts = sizes->rows == 3u ? TC_SCENE_CONTACTS3_MAX : TC_SCENE_CONTACTS_MAX;
}

size_t tc_scene_work(const tc_scene *scene)
{
    tc_scene_sizes sizes;
    tc_scene_measure(scene, &sizes);
    return TC_SCENE_WORK(scene->movers, sizes.links, sizes.rates, sizes.widest, sizes.chains);
}

static void set_spans(tc_scene_placed *placed)
{
    uint32_t q = 0, v = 0, link = 0, factor = 0;
    for (uint32_t m = 0; m < placed->scene->movers; ++m) {
        tc_scene_span *const span = &placed->span[m];
        *span = (tc_scene_span){.q = q, .v = v, .link = link, .factor = factor};
        tc_scene_measure_one(placed->scene, m, span);
        q += span->coordinates;
        v += span->rates;
        link += span->links;
        factor += span->rates * span->rates;
    }
    placed->coordinates = q;
    placed->rates = v;
}

/* The next `reals` of *work, from an even place: of 8 bytes */
static void *take_reals(tc_real **work, size_t reals)
{
    void *const taken = *work;
    *work += reals;
    return taken;
}

tc_status tc_scene_open(const tc_scene *scene, tc_scene_placed *placed, tc_real *work,
                        size_t work_len)
{
    if (scene == NULL || placed == NULL || work == NULL) return TC_ERR_NULL;
    tc_scene_sizes sizes;
    tc_scene_measure(scene, &sizes);
    const size_t needed =
        TC_SCENE_WORK(scene->movers, sizes.links, sizes.rates, sizes.widest, sizes.chains);
    const tc_status status = tc_work_check(work, work_len, needed);
    if (status < TC_OK) return status;
    placed->scene = scene;
    placed->span = take_reals(&work, scene->movers * TC_SCENE_REALS(tc_scene_span));
    placed->frame = take_reals(&work, sizes.links * TC_SCENE_REALS(tc_scene_frame));
    placed->column = take_reals(&work, sizes.rates * TC_SCENE_REALS(tc_scene_column));
    placed->factor = take_reals(&work, (size_t)sizes.rates * sizes.widest);
    placed->force = take_reals(&work, sizes.rates);
    placed->scratch = work;
    set_spans(placed);
    return TC_OK;
}

/* ---- Placing --------------------------------------------------------------------------------- */

/* L from the block's lower triangle, in place */
static tc_status factor_block(const tc_scene_placed *placed, uint32_t m)
{
    const tc_scene_span *const span = &placed->span[m];
    return tc_mat_cholesky_inplace(placed->factor + span->factor, span->rates);
}

/* tc_calls: tc_scene_place_one lib/shape/tc_scene_movers.c:place_particle */
/* tc_calls: tc_scene_place_one lib/shape/tc_scene_movers.c:place_body2 */
/* tc_calls: tc_scene_place_one lib/shape/tc_scene_movers.c:place_body3 */
/* tc_calls: tc_scene_place_one lib/shape/tc_scene_chains.c:place_scene_chain2 */
/* tc_calls: tc_scene_place_one lib/shape/tc_scene_chains.c:place_scene_chain3 */
/* tc_calls: tc_scene_place_all lib/shape/tc_scene_movers.c:place_particle */
/* tc_calls: tc_scene_place_all lib/shape/tc_scene_movers.c:place_body2 */
/* tc_calls: tc_scene_place_all lib/shape/tc_scene_movers.c:place_body3 */
/* tc_calls: tc_scene_place_all lib/shape/tc_scene_chains.c:place_scene_chain2 */
/* tc_calls: tc_scene_place_all lib/shape/tc_scene_chains.c:place_scene_chain3 */
/* tc_calls: tc_scene_place lib/shape/tc_scene_movers.c:place_particle */
/* tc_calls: tc_scene_place lib/shape/tc_scene_movers.c:place_body2 */
/* tc_calls: tc_scene_place lib/shape/tc_scene_movers.c:place_body3 */
/* tc_calls: tc_scene_place lib/shape/tc_scene_chains.c:place_scene_chain2 */
/* tc_calls: tc_scene_place lib/shape/tc_scene_chains.c:place_scene_chain3 */
tc_status tc_scene_place_one(tc_scene_placed *placed, uint32_t m, const tc_real *q,
                             const tc_real *v, int matrix)
{
    const tc_scene_span *const span = &placed->span[m];
    placed->q = q;
    const tc_status status =
        tc_scene_type_of(placed->scene, m)->place(placed, m, q + span->q, v + span->v, matrix);
    return status < TC_OK || !matrix ? status : factor_block(placed, m);
}

void tc_scene_place_all(tc_scene_placed *placed, const tc_real *q, const tc_real *v)
{
    for (uint32_t m = 0; m < placed->scene->movers; ++m) {
        (void)tc_scene_place_one(placed, m, q, v, 0);
    }
}

tc_status tc_scene_place(tc_scene_placed *placed, const tc_real *q, const tc_real *v)
{
    if (placed == NULL || q == NULL || v == NULL) return TC_ERR_NULL;
    if (!tc_all_finite(q, placed->coordinates) || !tc_all_finite(v, placed->rates)) {
        return TC_ERR_NOT_FINITE;
    }
    for (uint32_t m = 0; m < placed->scene->movers; ++m) {
        const tc_status status = tc_scene_place_one(placed, m, q, v, 1);
        if (status < TC_OK) return status;
    }
    return tc_scene_add_springs(placed);
}

/* ---- Whitened coordinates -------------------------------------------------------------------- */

/* The first rate that L couples with rate i */
static uint32_t coupled_from(const tc_scene_span *span, uint32_t i)
{
    return i < span->slides ? i : span->slides;
}

/* The end of the rates that L couples with rate i */
static uint32_t coupled_to(const tc_scene_span *span, uint32_t i)
{
    return i < span->slides ? i + 1u : span->rates;
}

void tc_scene_solve_lower_body3(const tc_real *L, tc_real *x)
{
    for (uint32_t i = 0; i < 3u; ++i) x[i] /= L[7u * i];
    x[3] /= L[21];
    x[4] = TC_MLS(x[4], L[27], x[3]) / L[28];
    x[5] = TC_MLS(TC_MLS(x[5], L[33], x[3]), L[34], x[4]) / L[35];
}

void tc_scene_solve_lower(const tc_scene_placed *placed, uint32_t m, tc_real *x)
{
    const tc_scene_span *const span = &placed->span[m];
    const uint32_t n = span->rates;
    const tc_real *const L = placed->factor + span->factor;
    if (n == 6u && span->slides == 3u) {
        tc_scene_solve_lower_body3(L, x);
        return;
    }
    for (uint32_t i = 0; i < n; ++i) {
        tc_real sum = x[i];
        for (uint32_t j = coupled_from(span, i); j < i; ++j) sum = TC_MLS(sum, L[n * i + j], x[j]);
        x[i] = sum / L[n * i + i];
    }
}

void tc_scene_solve_upper(const tc_scene_placed *placed, uint32_t m, tc_real *x)
{
    const tc_scene_span *const span = &placed->span[m];
    const uint32_t n = span->rates;
    const tc_real *const L = placed->factor + span->factor;
    for (uint32_t i = n; i-- > 0u;) {
        const uint32_t end = coupled_to(span, i);
        tc_real sum = x[i];
        for (uint32_t j = i + 1u; j < end; ++j) sum = TC_MLS(sum, L[n * j + i], x[j]);
        x[i] = sum / L[n * i + i];
    }
}

/* x <- L^T x */
static void multiply_upper(const tc_scene_placed *placed, uint32_t m, tc_real *x)
{
    const tc_scene_span *const span = &placed->span[m];
    const uint32_t n = span->rates;
    const tc_real *const L = placed->factor + span->factor;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t end = coupled_to(span, i);
        tc_real sum = L[n * i + i] * x[i];
        for (uint32_t j = i + 1u; j < end; ++j) sum = TC_MLA(sum, L[n * j + i], x[j]);
        x[i] = sum;
    }
}

void tc_scene_whiten_row(const tc_scene_placed *placed, tc_real *row)
{
    for (uint32_t m = 0; m < placed->scene->movers; ++m) {
        tc_scene_solve_lower(placed, m, row + placed->span[m].v);
    }
}

void tc_scene_whiten_part(const tc_scene_placed *placed, uint32_t mover, tc_real *row)
{
    if (mover != TC_SCENE_WORLD) tc_scene_solve_lower(placed, mover, row + placed->span[mover].v);
}

void tc_scene_whiten(const tc_scene_placed *placed, tc_real *v)
{
    for (uint32_t m = 0; m < placed->scene->movers; ++m) {
        multiply_upper(placed, m, v + placed->span[m].v);
    }
}

void tc_scene_unwhiten(const tc_scene_placed *placed, tc_real *w)
{
    for (uint32_t m = 0; m < placed->scene->movers; ++m) {
        tc_scene_solve_upper(placed, m, w + placed->span[m].v);
    }
}

/* ---- Energy ---------------------------------------------------------------------------------- */

/* |L^T v|^2 / 2, the entry at a time: v stays */
tc_real tc_scene_kinetic(const tc_scene_placed *placed, const tc_real *v)
{
    tc_real twice = TC_C(0.0);
    for (uint32_t m = 0; m < placed->scene->movers; ++m) {
        const tc_scene_span *const span = &placed->span[m];
        const tc_real *const L = placed->factor + span->factor;
        for (uint32_t i = 0; i < span->rates; ++i) {
            tc_real w = TC_C(0.0);
            for (uint32_t j = i; j < span->rates; ++j) {
                w = TC_MLA(w, L[span->rates * j + i], v[span->v + j]);
            }
            twice = TC_MLA(twice, w, w);
        }
    }
    return TC_C(0.5) * twice;
}

/* tc_calls: weight_of lib/shape/tc_scene_movers.c:mass_particle */
/* tc_calls: weight_of lib/shape/tc_scene_movers.c:mass_body2 */
/* tc_calls: weight_of lib/shape/tc_scene_movers.c:mass_body3 */
/* tc_calls: weight_of lib/shape/tc_scene_chains.c:mass_chain2 */
/* tc_calls: weight_of lib/shape/tc_scene_chains.c:mass_chain3 */
/* tc_calls: tc_scene_potential lib/shape/tc_scene_movers.c:mass_particle */
/* tc_calls: tc_scene_potential lib/shape/tc_scene_movers.c:mass_body2 */
/* tc_calls: tc_scene_potential lib/shape/tc_scene_movers.c:mass_body3 */
/* tc_calls: tc_scene_potential lib/shape/tc_scene_chains.c:mass_chain2 */
/* tc_calls: tc_scene_potential lib/shape/tc_scene_chains.c:mass_chain3 */
static tc_real weight_of(const tc_scene_placed *placed, uint32_t m)
{
    const tc_scene *const scene = placed->scene;
    tc_real energy = TC_C(0.0);
    for (uint32_t link = 0; link < placed->span[m].links; ++link) {
        const tc_real mass = tc_scene_type_of(scene, m)->mass(&scene->mover[m], link);
        const tc_real *const at = placed->frame[placed->span[m].link + link].at;
        energy = TC_MLS(energy, mass, tc_vec_dot3(scene->gravity, at));
    }
    return energy;
}

/* tc_calls: tc_scene_potential tc_scene_point_at */
tc_real tc_scene_potential(const tc_scene_placed *placed)
{
    const tc_scene *const scene = placed->scene;
    tc_real energy = TC_C(0.0);
    for (uint32_t m = 0; m < scene->movers; ++m) energy += weight_of(placed, m);
    for (uint32_t s = 0; s < scene->springs; ++s) {
        const tc_scene_spring *const spring = &scene->spring[s];
        tc_real a[3], b[3], d[3];
        tc_scene_point_at(placed, &spring->a, a);
        tc_scene_point_at(placed, &spring->b, b);
        const tc_real stretch = tc_scene_between(a, b, d) - spring->length;
        energy = TC_MLA(energy, TC_C(0.5) * spring->stiffness, stretch * stretch);
    }
    const tc_scene_field *const field = scene->field;
    if (field != NULL && field->energy != NULL) energy += field->energy(field, placed);
    return energy;
}
