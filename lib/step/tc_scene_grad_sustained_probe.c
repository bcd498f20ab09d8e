/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 Probes: beginnings, scenes and times nearby, and what contacts are there.
 */
#include "tc_exact.h"
#include "tc_scene_grad_sustained_internal.h"

#include "tc_impact_grad.h"
#include "tc_scene_core.h"
#include "tc_vec.h"

#include <string.h>

#ifdef TC_DOUBLE
#define LEAST_SHARE 0.0 /* of a probe's distance: a shorter step of a parameter is rounding to it */
#define TIME_SHARE 1e-4 /* of a span or time: how far probes are from it */
#else
#define LEAST_SHARE TC_C(0.5)
#define TIME_SHARE TC_C(0.05)
#endif

/* ---- Probes ---------------------------------------------------------------------------------- */

static tc_real largest_number(const tc_real *x, uint32_t n)
{
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; x != NULL && i < n; ++i) most = tc_vec_max(most, tc_vec_magnitude(x[i]));
    return most;
}

/* How far probes go along dq, dv and dy; 0: there is nothing to go along */
static tc_real probe_distance(const tci_scene_grad_sustained *run,
                              const tci_scene_grad_sustained_variation *of, const tc_real *dy)
{
    const uint32_t d = run->step->sizes.rates;
    const tc_real rates = tc_vec_max(largest_number(of->v, d), largest_number(dy, d));
    const tc_real most =
        tc_vec_max(largest_number(of->q, d), rates * (TCI_NEAR_PLACE / TCI_NEAR_RATE));
    return most > TC_C(0.0) ? TCI_NEAR_PLACE / most : TC_C(0.0);
}

static uint32_t add_pair(const tci_scene_grad_sustained_probe *plus,
                         const tci_scene_grad_sustained_probe *minus, tc_real step,
                         tci_scene_grad_sustained_probe *probes, uint32_t n)
{
    if (!(step > TC_C(0.0))) return n;
    probes[n] = *plus;
    probes[n + 1u] = *minus;
    probes[n].weight = TC_C(0.5) / step;
    probes[n + 1u].weight = TC_C(-0.5) / step;
    return n + 2u;
}

static uint32_t list_times(const tci_scene_grad_sustained *run,
                           const tci_scene_grad_sustained_variation *of,
                           tci_scene_grad_sustained_probe probes[TCI_PROBES_MAX])
{
    const tc_scene *const scene = run->step->scene;
    /* flight has no span, and may begin earlier */
    const tc_real share = TIME_SHARE * (of->span > TC_C(0.0) ? run->own.span : run->time);
    const tc_real late = run->own.n == 0u ? TCI_NEAR_PLACE : share;
    const tci_scene_grad_sustained_probe plus = {scene, late, of->span * late, of->time * late,
                                                 TC_C(0.0)};
    const tci_scene_grad_sustained_probe minus = {scene, -late, -of->span * late, -of->time * late,
                                                  TC_C(0.0)};
    return add_pair(&plus, &minus, late, probes, 0);
}

/* Whether one pair of probes will do for the state and the parameter: its step takes the state about
 * as far as probes of the state alone, `far` */
static int go_together(const tc_scene_grad_sustained_direction *by, tc_real far)
{
    if (far == TC_C(0.0)) return 1;
    return by->step <= TC_C(2.0) * far && by->step >= LEAST_SHARE * far;
}

uint32_t tci_scene_grad_sustained_list(const tci_scene_grad_sustained *run,
                                       const tci_scene_grad_sustained_variation *of,
                                       const tc_real *dy, int still,
                                       tci_scene_grad_sustained_probe probes[TCI_PROBES_MAX])
{
    const tc_scene *const scene = run->step->scene;
    if (of->span + of->time > TC_C(0.0)) return list_times(run, of, probes);
    const tc_real far = probe_distance(run, of, dy);
    const int by = !still && of->by != NULL && of->by->more != NULL;
    const int both = by && go_together(of->by, far);
    tci_scene_grad_sustained_probe ahead = {.scene = scene, .far = far};
    tci_scene_grad_sustained_probe behind = {.scene = scene, .far = -far};
    const uint32_t n = both ? 0u : add_pair(&ahead, &behind, far, probes, 0);
    if (!by) return n;
    ahead.scene = of->by->more;
    behind.scene = of->by->less;
    ahead.far = both ? of->by->step : TC_C(0.0);
    behind.far = -ahead.far;
    return add_pair(&ahead, &behind, of->by->step, probes, n);
}

void tci_scene_grad_sustained_use(tci_scene_grad_sustained *run, const tc_scene *scene)
{
    run->step->scene = scene;
    run->step->placed.scene = scene;
}

/* A probe's beginning, from q and v, to q_probe and v_probe */
void tci_scene_grad_sustained_begin(tci_scene_grad_sustained *run,
                                    const tci_scene_grad_sustained_variation *of,
                                    const tci_scene_grad_sustained_probe *probe, const tc_real *q,
                                    const tc_real *v)
{
    const tc_scene_sizes *const sizes = &run->step->sizes;
    tci_scene_grad_sustained_use(run, probe->scene);
    memcpy(run->q_probe, q, sizes->coordinates * sizeof *q);
    memcpy(run->v_probe, v, sizes->rates * sizeof *v);
    if (of->q != NULL) tci_scene_step_shift(run->step, probe->far, of->q, run->q_probe);
    for (uint32_t c = 0; of->v != NULL && c < sizes->rates; ++c) {
        run->v_probe[c] = TC_MLA(run->v_probe[c], probe->far, of->v[c]);
    }
}

/* turn[d] = b - a; of orientations the small turn from a to b, world axes */
void tci_scene_grad_sustained_subtract(const tci_scene_grad_sustained *run, const tc_real *a,
                                       const tc_real *b)
{
    for (uint32_t m = 0; m < run->step->scene->movers; ++m) {
        const tc_scene_span *const span = &run->step->placed.span[m];
        const tc_real *const p = a + span->q, *const q = b + span->q;
        const int turns = span->coordinates != span->rates;
        tc_real *const to = run->turn + span->v;
        for (uint32_t k = 0; k < (turns ? 3u : span->rates); ++k) to[k] = q[k] - p[k];
        if (!turns) continue;
        /* 2 b conj(a), its vector */
        tc_real *const r = to + 3, half[3];
        tc_vec_cross(p + 4, q + 4, half);
        tc_real along = p[3] * q[3];
        for (uint32_t k = 4; k < 7u; ++k) along = TC_MLA(along, p[k], q[k]);
        const tc_real two = along < TC_C(0.0) ? TC_C(-2.0) : TC_C(2.0);
        for (uint32_t k = 0; k < 3u; ++k) {
            r[k] = two * (p[3] * q[4u + k] - q[3] * p[4u + k] + half[k]);
        }
    }
}

void tci_scene_grad_sustained_add(tc_real *to, tc_real weight, const tc_real *from, size_t n)
{
    for (size_t i = 0; i < n; ++i) to[i] = TC_MLA(to[i], weight, from[i]);
}

/* ---- Contacts -------------------------------------------------------------------------------- */

/* Of those found the one that is `wanted`: by its feature, else the nearest of its pair. None
 * further than a probe takes it */
const tc_scene_contact *tci_scene_grad_sustained_find(const tc_scene_contacts *found,
                                                      const tc_scene_contact *wanted)
{
    const tc_scene_contact *nearest = NULL;
    tc_real least = TC_C(1e30), d[3];
    for (uint32_t i = 0; i < found->count; ++i) {
        const tc_scene_contact *const other = &found->contact[i];
        if (other->source != wanted->source) continue;
        const tc_real away = tc_scene_between(other->point, wanted->point, d);
        const tc_real far = away + (other->feature == wanted->feature ? TC_C(0.0) : TCI_NEAR_RATE);
        if (far < least && away < TC_C(2.0) * TCI_NEAR_RATE) nearest = other;
        least = nearest == other ? far : least;
    }
    return nearest;
}

/* The contacts of `kept` between pair `source`, among those nearer than `most` where the scene is
 * placed, to step->contact; returns how many have none. exact: of the same feature alone. */
static uint32_t match_source(tci_scene_grad_sustained *run, const tci_scene_step_kept *kept,
                             uint32_t n, uint32_t source, tc_real most, int exact)
{
    tci_scene_step_run *const step = run->step;
    tc_scene_contacts found = {.contact = (void *)step->solve, .max = step->sizes.contacts};
    uint32_t missed = 0;
    tc_scene_find_pair(&step->placed, source, most, &found);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_scene_contact *const wanted = &kept->contact[i];
        if (wanted->source != source) continue;
        const tc_scene_contact *const own = tci_scene_grad_sustained_find(&found, wanted);
        const int good = own != NULL && (!exact || own->feature == wanted->feature);
        step->contact[i] = good ? *own : *wanted;
        missed += good ? 0u : 1u;
    }
    return missed;
}

/* The contacts of `kept` where the scene is placed now, to step->contact. What is found depends on
 * how far is looked: not further than in the step, if that is enough. */
void tci_scene_grad_sustained_match(tci_scene_grad_sustained *run, const tci_scene_step_kept *kept,
                                    uint32_t n)
{
    tc_real most = run->step->config->touch;
    for (uint32_t i = 0; i < n; ++i) most = tc_vec_max(most, kept->contact[i].gap);
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t source = kept->contact[i].source;
        uint32_t before = 0;
        while (kept->contact[before].source != source) ++before;
        if (before < i || match_source(run, kept, n, source, TC_C(2.0) * most, 1) == 0u) continue;
        const tc_real apart = tc_vec_not_negative(tc_scene_gap(&run->step->placed, source));
        if (match_source(run, kept, n, source, TC_C(2.0) * most + apart, 1) == 0u) continue;
        if (match_source(run, kept, n, source, most + TCI_NEAR_RATE, 0) > 0u) {
            run->status = TC_NOTE_PRECISION;
        }
    }
}

void tci_scene_grad_sustained_clear(tci_scene_grad_sustained *run, uint32_t n)
{
    const tc_scene_sizes *const s = &run->step->sizes;
    (void)tc_vec_zeroed(TC_OK, run->dG, n * s->rows * s->rates);
    (void)tc_vec_zeroed(TC_OK, run->dw0, s->rates);
    (void)tc_vec_zeroed(TC_OK, run->dy, s->rates);
    (void)tc_vec_zeroed(TC_OK, run->dmu, n);
    (void)tc_vec_zeroed(TC_OK, run->de, n);
}

/* Turns the tangents' rows at a probe to those that were kept: a normal nearby may have others. */
static void align_rows(const tci_scene_grad_sustained *run, const tci_scene_step_kept *kept,
                       uint32_t i)
{
    const tci_scene_step_run *const step = run->step;
    const uint32_t d = step->sizes.rates;
    tc_real *const a = step->G + (size_t)(step->sizes.rows * i + 1u) * d, *const b = a + d;
    tc_real own[2][3], t[2][3];
    tc_scene_tangents(3, kept->contact[i].normal, own);
    tc_scene_tangents(3, step->contact[i].normal, t);
    const tc_real x = tc_vec_dot3(own[0], t[0]) + tc_vec_dot3(own[1], t[1]);
    const tc_real y = tc_vec_dot3(own[0], t[1]) - tc_vec_dot3(own[1], t[0]);
    const tc_real size = tc_sqrt(TC_MLA(x * x, y, y));
    for (uint32_t c = 0; c < d; ++c) {
        const tc_real first = a[c], second = b[c];
        a[c] = (x * first + y * second) / size;
        b[c] = (x * second - y * first) / size;
    }
}

/* Rows at a probe, of n contacts in step->contact: their part of the variation */
tc_status tci_scene_grad_sustained_vary(tci_scene_grad_sustained *run,
                                        const tci_scene_step_kept *kept, uint32_t n,
                                        const tc_real *q, const tc_real *bias, tc_real weight)
{
    tci_scene_step_run *const step = run->step;
    const uint32_t d = step->sizes.rates;
    uint32_t now;
    const tc_status status = tci_scene_step_gather(step, q, bias, n, &now);
    if (status < TC_OK || now != n || kept->n == 0u) return status;
    if (step->shared != kept->shared) run->status = TC_NOTE_PRECISION;
    for (uint32_t i = 0; i < n && step->sizes.rows == 3u && step->shared == 0u; ++i) {
        align_rows(run, kept, i);
    }
    tci_scene_grad_sustained_add(run->dG, weight, step->G, (size_t)n * step->sizes.rows * d);
    tci_scene_grad_sustained_add(run->dw0, weight, step->w0, d);
    tci_scene_grad_sustained_add(run->dmu, weight, step->mu, n);
    tci_scene_grad_sustained_add(run->de, weight, step->e, n);
    for (uint32_t c = 0; c < d; ++c) run->spare[c] = kept->w[c] - kept->w0[c];
    tc_scene_unwhiten(&step->placed, run->spare);
    tci_scene_grad_sustained_add(run->dy, weight, run->spare, d);
    return TC_OK;
}

/* From the variation dG, dw0, dmu, de and the part of dy to dw and dy. The scene is placed where
 * the rows are. */
tc_status tci_scene_grad_sustained_solve(tci_scene_grad_sustained *run,
                                         const tci_scene_step_kept *kept)
{
    tci_scene_step_run *const step = run->step;
    const tc_impact problem = {.contact = {.n = kept->n,
                                           .rows = step->sizes.rows,
                                           .d = step->sizes.rates,
                                           .G = kept->G,
                                           .w0 = kept->w0,
                                           .mu = kept->mu},
                               .e = kept->e,
                               .law = step->config->law};
    const tc_impact_answer answer = {.f_c = kept->f_c,
                                     .u_c = kept->u_c,
                                     .w_c = kept->w_c,
                                     .f = kept->f,
                                     .u = kept->u,
                                     .w = kept->w,
                                     .w_least = kept->w_least};
    const tc_impact_grad by = {run->dG, run->dw0, run->dmu, run->de, NULL};
    if (kept->stopped) return TC_ERR_NOT_CERTIFIED;
    const tc_status status = tc_impact_grad_tangent(&problem, &answer, kept->info, &by, run->dw,
                                                    step->solve, step->solve_len);
    if (status < TC_OK) return status == TC_ERR_NOT_FINITE ? TC_ERR_RANGE : status;
    run->status = tci_scene_step_worse(run->status, status);
    for (uint32_t c = 0; c < step->sizes.rates; ++c) run->spare[c] = run->dw[c] - run->dw0[c];
    tc_scene_unwhiten(&step->placed, run->spare);
    tci_scene_grad_sustained_add(run->dy, TC_C(1.0), run->spare, step->sizes.rates);
    return TC_OK;
}
