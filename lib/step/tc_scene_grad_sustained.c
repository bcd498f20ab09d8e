/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Directions through the intervals of a sustained step.
 *
 * An interval of span S is left at the time t <= S. The step solves it and keeps its impacts. Its
 * end x is a function of its beginning, the parameter p, S and t:
 *
 *     dx = x_begin dx_begin + x_p + x_S dS + x_t dt.                                            (1)
 *
 * Each term is a variation: probes at beginnings, scenes and times nearby, with weights that make
 * central differences of rows G, whitened rates w0 and materials. tc_impact_grad_tangent takes
 * these to dw, and with y = L^-T (w - w0) the change of rates is
 *
 *     dy = L^-T (dw - dw0) + d(L^-T) (w - w0),
 *
 * the last again by probes. Further probes, with y varied as well, have the interval's end.
 *
 * S is what is left of the step, or the time at which contact i stops to slide. Its tangential rows
 * g, with the sliding s at the beginning, then have s . g w = s . s (tc_scene_step_sustained.c), so
 * dS follows from that equation's variations. t is S, or the time at which a gap closes.
 */
#include "tc_exact.h"
#include "tc_scene_grad_sustained.h"
#include "tc_scene_step_sustained_internal.h"

#include "tc_impact_grad.h"
#include "tc_scene_core.h"
#include "tc_vec.h"
#include "tc_work.h"

#include <string.h>

#define NEAR_PLACE TC_SCENE_GRAD_SUSTAINED_NEAR
#define NEAR_RATE (TC_C(10.0) * TC_SCENE_GRAD_SUSTAINED_NEAR) /* of rates [m/s or rad/s] */
#ifdef TC_DOUBLE
#define TIME_SHARE 1e-4 /* of a span or time: how far probes are from it */
#else
#define TIME_SHARE TC_C(0.05)
#endif
#define PROBES_MAX 4u

/* A beginning nearby: the scene, how far along the direction, the changes of span and time */
typedef struct grad_probe {
    const tc_scene *scene;
    tc_real far, span, time, weight;
} grad_probe;

/* What varies. NULL and 0: does not. */
typedef struct grad_variation {
    const tc_real *q, *v;
    const tc_scene_grad_sustained_direction *by; /* more, less, step */
    tc_real span, time;                          /* 1: by it */
} grad_variation;

/* What came of it at the interval's end */
typedef struct grad_end {
    tc_real *q, *v; /* [d] */
    tc_real gap;    /* of the pair that is met */
    tc_real slide;  /* of the contact that stops: s . g w - s . s */
} grad_end;

typedef struct grad_sustained {
    tci_scene_step_run *step;
    tci_scene_step_interval own;
    tci_scene_step_kept kept[2];
    const tc_scene_grad_sustained_direction *along;
    uint32_t count;
    tc_status status;                 /* notes */
    tc_real time;                     /* t */
    tc_scene_contact event;           /* place of a closed pair that is met once more */
    int further;                      /* 1: `event` ends the interval */
    tc_real *q, *v;                   /* the beginning before the impact */
    tc_real *q_end, *v_end;           /* the end */
    tc_real *q_probe, *v_probe;       /* a probe's beginning */
    tc_real *q_middle, *turn, *spare; /* of a probe; [d] a difference; [d] */
    tc_real *dG, *dw0, *dmu, *de;     /* variations of an impact */
    tc_real *dw, *dy;                 /* [d] */
    tc_real *dq, *dv;                 /* [d] of a direction after the impact */
    tc_real *columns;                 /* [count][2 d + 1] q, v, left */
    grad_end by_all, by_span, by_time;
} grad_sustained;

/* ---- Probes ---------------------------------------------------------------------------------- */

static tc_real largest_number(const tc_real *x, uint32_t n)
{
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; x != NULL && i < n; ++i) most = tc_vec_max(most, tc_vec_magnitude(x[i]));
    return most;
}

/* How far probes go along dq, dv and dy; 0: there is nothing to go along */
static tc_real probe_distance(const grad_sustained *run, const grad_variation *of,
                              const tc_real *dy)
{
    const uint32_t d = run->step->sizes.rates;
    const tc_real rates = tc_vec_max(largest_number(of->v, d), largest_number(dy, d));
    const tc_real most = tc_vec_max(largest_number(of->q, d), rates * (NEAR_PLACE / NEAR_RATE));
    return most > TC_C(0.0) ? NEAR_PLACE / most : TC_C(0.0);
}

static uint32_t add_pair(const grad_probe *plus, const grad_probe *minus, tc_real step,
                         grad_probe *probes, uint32_t n)
{
    if (!(step > TC_C(0.0))) return n;
    probes[n] = *plus;
    probes[n + 1u] = *minus;
    probes[n].weight = TC_C(0.5) / step;
    probes[n + 1u].weight = TC_C(-0.5) / step;
    return n + 2u;
}

/* Whether bodies fly otherwise in another scene, which differs in numbers alone */
static int flies_otherwise(const tc_scene *scene, const tc_scene *other)
{
    int differs = memcmp(scene->gravity, other->gravity, sizeof scene->gravity) != 0;
    for (uint32_t m = 0; m < scene->movers && !differs; ++m) {
        const tc_scene_mover *const a = &scene->mover[m], *const b = &other->mover[m];
        const tc_scene_wrench *const f = a->wrench_ref, *const g = b->wrench_ref;
        differs = a->kind != TC_SCENE_BODY || scene->dimension != 3u
                  || memcmp(a->body3, b->body3, sizeof *a->body3) != 0 || (f == NULL) != (g == NULL)
                  || (f != NULL && memcmp(f, g, sizeof *f) != 0);
    }
    return differs;
}

static uint32_t list_times(const grad_sustained *run, const grad_variation *of,
                           grad_probe probes[PROBES_MAX])
{
    const tc_scene *const scene = run->step->scene;
    /* flight has no span, and may begin earlier */
    const tc_real share = TIME_SHARE * (of->span > TC_C(0.0) ? run->own.span : run->time);
    const tc_real late = run->own.n == 0u ? NEAR_PLACE : share;
    const grad_probe plus = {scene, late, of->span * late, of->time * late, TC_C(0.0)};
    const grad_probe minus = {scene, -late, -of->span * late, -of->time * late, TC_C(0.0)};
    return add_pair(&plus, &minus, late, probes, 0);
}

/* Probes along the state's direction and at the parameter's scenes; together, where the
 * parameter's step takes the state not too far. still: the parameter makes no difference. */
static uint32_t list_probes(const grad_sustained *run, const grad_variation *of, const tc_real *dy,
                            int still, grad_probe probes[PROBES_MAX])
{
    const tc_scene *const scene = run->step->scene;
    if (of->span + of->time > TC_C(0.0)) return list_times(run, of, probes);
    const tc_real far = probe_distance(run, of, dy);
    const int by = !still && of->by != NULL && of->by->more != NULL;
    const int both = by && (far == TC_C(0.0) || of->by->step <= TC_C(2.0) * far);
    grad_probe ahead = {scene, far, TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    grad_probe behind = {scene, -far, TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    const uint32_t n = both ? 0u : add_pair(&ahead, &behind, far, probes, 0);
    if (!by) return n;
    ahead = (grad_probe){of->by->more, TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    behind = (grad_probe){of->by->less, TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    ahead.far = both ? of->by->step : TC_C(0.0);
    behind.far = -ahead.far;
    return add_pair(&ahead, &behind, of->by->step, probes, n);
}

static void use_scene(grad_sustained *run, const tc_scene *scene)
{
    run->step->scene = scene;
    run->step->placed.scene = scene;
}

/* A probe's beginning, from q and v, to q_probe and v_probe */
static void begin_probe(grad_sustained *run, const grad_variation *of, const grad_probe *probe,
                        const tc_real *q, const tc_real *v)
{
    const tc_scene_sizes *const sizes = &run->step->sizes;
    use_scene(run, probe->scene);
    memcpy(run->q_probe, q, sizes->coordinates * sizeof *q);
    memcpy(run->v_probe, v, sizes->rates * sizeof *v);
    if (of->q != NULL) tci_scene_step_shift(run->step, probe->far, of->q, run->q_probe);
    for (uint32_t c = 0; of->v != NULL && c < sizes->rates; ++c) {
        run->v_probe[c] = TC_MLA(run->v_probe[c], probe->far, of->v[c]);
    }
}

/* turn[d] = b - a; of orientations the small turn from a to b, world axes */
static void subtract_states(const grad_sustained *run, const tc_real *a, const tc_real *b)
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

static void add_weighted(tc_real *to, tc_real weight, const tc_real *from, size_t n)
{
    for (size_t i = 0; i < n; ++i) to[i] = TC_MLA(to[i], weight, from[i]);
}

/* ---- Contacts -------------------------------------------------------------------------------- */

/* Of those found the one that is `wanted`: by its feature, else the nearest of its pair. None
 * further than a probe takes it */
static const tc_scene_contact *match_one(const tc_scene_contacts *found,
                                         const tc_scene_contact *wanted)
{
    const tc_scene_contact *nearest = NULL;
    tc_real least = TC_C(1e30), d[3];
    for (uint32_t i = 0; i < found->count; ++i) {
        const tc_scene_contact *const other = &found->contact[i];
        if (other->source != wanted->source) continue;
        const tc_real away = tc_scene_between(other->point, wanted->point, d);
        const tc_real far = away + (other->feature == wanted->feature ? TC_C(0.0) : NEAR_RATE);
        if (far < least && away < TC_C(2.0) * NEAR_RATE) nearest = other;
        least = nearest == other ? far : least;
    }
    return nearest;
}

/* The contacts of `kept` between pair `source`, among those nearer than `most` where the scene is
 * placed, to step->contact; returns how many have none. exact: of the same feature alone. */
static uint32_t match_source(grad_sustained *run, const tci_scene_step_kept *kept, uint32_t n,
                             uint32_t source, tc_real most, int exact)
{
    tci_scene_step_run *const step = run->step;
    tc_scene_contacts found = {.contact = (void *)step->solve, .max = step->sizes.contacts};
    uint32_t missed = 0;
    tc_scene_find_pair(&step->placed, source, most, &found);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_scene_contact *const wanted = &kept->contact[i];
        if (wanted->source != source) continue;
        const tc_scene_contact *const own = match_one(&found, wanted);
        const int good = own != NULL && (!exact || own->feature == wanted->feature);
        step->contact[i] = good ? *own : *wanted;
        missed += good ? 0u : 1u;
    }
    return missed;
}

/* The contacts of `kept` where the scene is placed now, to step->contact. What is found depends on
 * how far is looked: not further than in the step, if that is enough. */
static void match_contacts(grad_sustained *run, const tci_scene_step_kept *kept, uint32_t n)
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
        if (match_source(run, kept, n, source, most + NEAR_RATE, 0) > 0u) {
            run->status = TC_NOTE_PRECISION;
        }
    }
}

static void clear_variation(grad_sustained *run, uint32_t n)
{
    const tc_scene_sizes *const s = &run->step->sizes;
    (void)tc_vec_zeroed(TC_OK, run->dG, n * s->rows * s->rates);
    (void)tc_vec_zeroed(TC_OK, run->dw0, s->rates);
    (void)tc_vec_zeroed(TC_OK, run->dy, s->rates);
    (void)tc_vec_zeroed(TC_OK, run->dmu, n);
    (void)tc_vec_zeroed(TC_OK, run->de, n);
}

/* Turns the tangents' rows at a probe to those that were kept: a normal nearby may have others. */
static void align_rows(const grad_sustained *run, const tci_scene_step_kept *kept, uint32_t i)
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
static tc_status vary_rows(grad_sustained *run, const tci_scene_step_kept *kept, uint32_t n,
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
    add_weighted(run->dG, weight, step->G, (size_t)n * step->sizes.rows * d);
    add_weighted(run->dw0, weight, step->w0, d);
    add_weighted(run->dmu, weight, step->mu, n);
    add_weighted(run->de, weight, step->e, n);
    for (uint32_t c = 0; c < d; ++c) run->spare[c] = kept->w[c] - kept->w0[c];
    tc_scene_unwhiten(&step->placed, run->spare);
    add_weighted(run->dy, weight, run->spare, d);
    return TC_OK;
}

/* From the variation dG, dw0, dmu, de and the part of dy to dw and dy. The scene is placed where
 * the rows are. */
static tc_status solve_variation(grad_sustained *run, const tci_scene_step_kept *kept)
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
    add_weighted(run->dy, TC_C(1.0), run->spare, step->sizes.rates);
    return TC_OK;
}

/* ---- The impact at the beginning ------------------------------------------------------------- */

/* A probe of impact and lift: rows, and where the lift takes q */
static tc_status probe_strike(grad_sustained *run, const grad_probe *probe)
{
    tci_scene_step_run *const step = run->step;
    const tci_scene_step_kept *const kept = &run->kept[0];
    tc_real *const q = step->q;
    tc_scene_place_all(&step->placed, run->q_probe, run->v_probe);
    match_contacts(run, kept, kept->closed);
    const tc_status status =
        vary_rows(run, kept, kept->closed, run->q_probe, run->v_probe, probe->weight);
    if (status < TC_OK) return status;
    /* what is not lifted in the step itself is not lifted in a probe */
    for (uint32_t i = 0; i < kept->closed; ++i) {
        if (kept->contact[i].gap >= TC_C(-0.5) * step->config->touch)
            step->contact[i].gap = TC_C(0.0);
    }
    step->q = run->q_probe;
    tci_scene_step_lift(step, kept->closed);
    step->q = q;
    subtract_states(run, kept->q, run->q_probe);
    add_weighted(run->dq, probe->weight, run->turn, step->sizes.rates);
    return TC_OK;
}

/* Whether the step changed anything at the beginning: by an impact, or a lift */
static int strikes_or_lifts(const grad_sustained *run)
{
    const tci_scene_step_kept *const kept = &run->kept[0];
    int changes = kept->n > 0u;
    for (uint32_t i = 0; i < kept->closed; ++i) {
        changes = changes || kept->contact[i].gap < TC_C(-0.5) * run->step->config->touch;
    }
    return changes;
}

/* Directions after the impact: dq, dv */
static tc_status strike_sustained(grad_sustained *run, const grad_variation *of)
{
    tci_scene_step_run *const step = run->step;
    const tc_scene *const scene = step->scene;
    const uint32_t d = step->sizes.rates;
    grad_probe probes[PROBES_MAX];
    tc_status status = TC_OK;
    memcpy(run->dv, of->v, d * sizeof *run->dv);
    memcpy(run->dq, of->q, d * sizeof *run->dq);
    if (!strikes_or_lifts(run)) return TC_OK;
    (void)tc_vec_zeroed(TC_OK, run->dq, d);
    clear_variation(run, run->kept[0].closed);
    const uint32_t n = list_probes(run, of, NULL, 0, probes);
    for (uint32_t i = 0; i < n && status >= TC_OK; ++i) {
        begin_probe(run, of, &probes[i], run->q, run->v);
        status = probe_strike(run, &probes[i]);
    }
    use_scene(run, scene);
    if (status < TC_OK || run->kept[0].n == 0u) return status;
    for (uint32_t i = 0; i < run->kept[0].n; ++i) {
        if (run->kept[0].e[i] == TC_C(0.0)) run->de[i] = TC_C(0.0);
    }
    status = tc_scene_place(&step->placed, run->q, run->v);
    if (status >= TC_OK) status = solve_variation(run, &run->kept[0]);
    if (status >= TC_OK) add_weighted(run->dv, TC_C(1.0), run->dy, d);
    return status;
}

/* ---- Over the interval ----------------------------------------------------------------------- */

static void shift_middle(grad_sustained *run, tc_real span)
{
    tci_scene_step_run *const step = run->step;
    memcpy(run->q_middle, run->q_probe, step->sizes.coordinates * sizeof *run->q_middle);
    if (!run->own.still) {
        tci_scene_step_shift(step, TC_C(0.5) * span, run->v_probe, run->q_middle);
    }
}

/* Adds weight times the sliding s at the probe's beginning to ds[2], of the contact that stops. */
static void vary_slide(grad_sustained *run, tc_real weight, tc_real ds[2])
{
    tci_scene_step_run *const step = run->step;
    const uint32_t i = run->own.slowest;
    tc_real slip[3], t[2][3] = {{TC_C(0.0)}};
    tc_scene_place_all(&step->placed, run->q_probe, run->v_probe);
    match_contacts(run, &run->kept[0], run->kept[0].closed);
    tci_scene_step_slip(step, i, slip);
    tc_scene_tangents(step->scene->dimension, run->kept[1].contact[i].normal, t);
    for (uint32_t k = 0; k < 2u; ++k) ds[k] = TC_MLA(ds[k], weight, tc_vec_dot3(t[k], slip));
}

/* A probe of the rows in the middle */
static tc_status probe_middle(grad_sustained *run, const grad_probe *probe, tc_real ds[2])
{
    tci_scene_step_run *const step = run->step;
    const tci_scene_step_kept *const kept = &run->kept[1];
    const uint32_t d = step->sizes.rates;
    const tc_real span = run->own.span + probe->span;
    memcpy(step->q_try, run->q_probe, step->sizes.coordinates * sizeof *step->q_try);
    memcpy(step->v_try, run->v_probe, d * sizeof *step->v_try);
    tci_scene_step_fly(step, span, step->q_try, step->v_try);
    for (uint32_t c = 0; !run->own.still && c < d; ++c) step->v_try[c] += run->v_probe[c];
    if (run->own.ends) vary_slide(run, probe->weight, ds);
    shift_middle(run, span);
    tc_scene_place_all(&step->placed, run->q_middle, run->v_probe);
    match_contacts(run, kept, kept->n);
    return vary_rows(run, kept, kept->n, run->q_middle, step->v_try, probe->weight);
}

/* The direction of s . g w - s . s */
static tc_real slide_change(const grad_sustained *run, const tc_real ds[2])
{
    const tci_scene_step_run *const step = run->step;
    const tci_scene_step_kept *const kept = &run->kept[1];
    const uint32_t i = run->own.slowest, d = step->sizes.rates, rows = step->sizes.rows;
    tc_real t[2][3] = {{TC_C(0.0)}}, change = TC_C(0.0), square = TC_C(0.0), more = TC_C(0.0);
    tc_real value = TC_C(0.0);
    tc_scene_tangents(step->scene->dimension, kept->contact[i].normal, t);
    for (uint32_t r = 1; r < rows; ++r) {
        const size_t at = (size_t)(rows * i + r) * d;
        const tc_real s = tc_vec_dot3(t[r - 1u], run->own.slip[i]);
        tc_real u = TC_C(0.0), du = TC_C(0.0);
        for (uint32_t c = 0; c < d; ++c) {
            u = TC_MLA(u, kept->G[at + c], kept->w[c]);
            du = TC_MLA(du, kept->G[at + c], run->dw[c]);
            du = TC_MLA(du, run->dG[at + c], kept->w[c]);
        }
        value += s * (u - s);
        square += s * s;
        more += s * ds[r - 1u];
        change += ds[r - 1u] * (u - TC_C(2.0) * s) + s * du;
    }
    return change - TC_C(2.0) * value * more / square;
}

/* dy of the interval's contacts, without contacts 0 */
static tc_status vary_contacts(grad_sustained *run, const grad_variation *of, grad_end *end)
{
    tci_scene_step_run *const step = run->step;
    const tc_scene *const scene = step->scene;
    grad_probe probes[PROBES_MAX];
    tc_real ds[2] = {TC_C(0.0), TC_C(0.0)};
    tc_status status = TC_OK;
    end->slide = TC_C(0.0);
    clear_variation(run, run->own.n);
    if (run->own.n == 0u || of->time > of->span) return TC_OK;
    const uint32_t n = list_probes(run, of, NULL, 0, probes);
    for (uint32_t i = 0; i < n && status >= TC_OK; ++i) {
        begin_probe(run, of, &probes[i], run->kept->q, run->kept->v);
        status = probe_middle(run, &probes[i], ds);
    }
    use_scene(run, scene);
    if (status >= TC_OK) status = tc_scene_place(&step->placed, run->own.middle, run->kept->v);
    if (status < TC_OK) return status;
    for (uint32_t i = 0; i < run->own.n; ++i) run->de[i] = TC_C(0.0);
    status = solve_variation(run, &run->kept[1]);
    if (status >= TC_OK && run->own.ends) end->slide = slide_change(run, ds);
    return status;
}

/* The gap of what ends the interval, where the scene is placed */
static tc_real gap_of_event(grad_sustained *run)
{
    tci_scene_step_run *const step = run->step;
    tc_scene_place_all(&step->placed, step->q_try, step->v_try);
    if (!run->further) return tc_scene_gap(&step->placed, (uint32_t)run->own.met);
    tc_scene_contacts found = {.contact = (void *)step->solve, .max = step->sizes.contacts};
    tc_scene_find_pair(&step->placed, (uint32_t)run->own.met, run->event.gap + NEAR_RATE, &found);
    const tc_scene_contact *const own = match_one(&found, &run->event);
    if (own == NULL) run->status = TC_NOTE_PRECISION;
    return own != NULL ? own->gap : run->event.gap;
}

/* The way through a probe's interval: its end is in q_try and v_try. */
static void trace_probe(grad_sustained *run, const grad_probe *probe)
{
    tci_scene_step_run *const step = run->step;
    tci_scene_step_interval *const own = &run->own;
    tc_real *const q = step->q, *const v = step->v, *const change = own->change,
                   *const middle = own->middle;
    const tc_real span = own->span;
    shift_middle(run, span + probe->span);
    for (uint32_t c = 0; c < step->sizes.rates; ++c) {
        run->spare[c] = TC_MLA(change[c], probe->far, run->dy[c]);
    }
    step->q = run->q_probe;
    step->v = run->v_probe;
    own->change = run->spare;
    own->middle = run->q_middle;
    own->span = span + probe->span;
    tci_scene_step_pass(own, run->time + probe->time);
    step->q = q;
    step->v = v;
    own->change = change;
    own->middle = middle;
    own->span = span;
}

/* Whether a parameter makes no difference to the interval's end: it is flight without an event */
static int feels_nothing(const grad_sustained *run, const tc_scene_grad_sustained_direction *by)
{
    const tc_scene *const scene = run->step->scene;
    if (by == NULL || by->more == NULL || run->own.n > 0u || run->own.met >= 0) return 0;
    return !flies_otherwise(scene, by->more) && !flies_otherwise(scene, by->less);
}

/* One variation of the interval's end */
static tc_status vary_end(grad_sustained *run, const grad_variation *of, grad_end *end)
{
    tci_scene_step_run *const step = run->step;
    const tc_scene *const scene = step->scene;
    const uint32_t d = step->sizes.rates;
    grad_probe probes[PROBES_MAX];
    const tc_status status = vary_contacts(run, of, end);
    if (status < TC_OK) return status;
    (void)tc_vec_zeroed(TC_OK, end->q, d);
    (void)tc_vec_zeroed(TC_OK, end->v, d);
    end->gap = TC_C(0.0);
    const uint32_t n = list_probes(run, of, run->dy, feels_nothing(run, of->by), probes);
    for (uint32_t i = 0; i < n; ++i) {
        begin_probe(run, of, &probes[i], run->kept->q, run->kept->v);
        trace_probe(run, &probes[i]);
        subtract_states(run, run->q_end, step->q_try);
        add_weighted(end->q, probes[i].weight, run->turn, d);
        for (uint32_t c = 0; c < d; ++c) run->turn[c] = step->v_try[c] - run->v_end[c];
        add_weighted(end->v, probes[i].weight, run->turn, d);
        if (run->own.met >= 0) end->gap = TC_MLA(end->gap, probes[i].weight, gap_of_event(run));
    }
    use_scene(run, scene);
    return TC_OK;
}

/* ---- An interval ----------------------------------------------------------------------------- */

/* What ends the interval where the step is now, at its end */
static void note_event(grad_sustained *run)
{
    tci_scene_step_run *const step = run->step;
    run->further = run->own.met >= 0 && !(step->apart[run->own.met] > TC_C(0.0));
    if (!run->further) return;
    tc_scene_contacts found = {.contact = (void *)step->solve, .max = step->sizes.contacts};
    tc_scene_place_all(&step->placed, run->q_end, run->v_end);
    tc_scene_find_pair(&step->placed, (uint32_t)run->own.met, NEAR_RATE, &found);
    run->event.gap = TC_C(1e30);
    for (uint32_t i = 0; i < found.count; ++i) {
        const tc_scene_contact *const one = &found.contact[i];
        if (one->gap < run->event.gap && !tci_scene_step_acts(&run->own, one)) run->event = *one;
    }
    if (run->event.gap < TC_C(1e30)) return;
    run->own.met = -1;
    run->status = TC_NOTE_PRECISION;
}

/* -change / rate, or 0 and a note */
static tc_real implied_time(grad_sustained *run, tc_real change, tc_real rate)
{
    if (rate < TC_C(0.0)) return -change / rate;
    run->status = TC_NOTE_PRECISION;
    return TC_C(0.0);
}

/* Where nothing moves, contacts that act stop what they can of dv, at once: the step takes such rates
 * for 0, whatever they are. */
static tc_status settle_rates(grad_sustained *run)
{
    tci_scene_step_run *const step = run->step;
    const uint32_t d = step->sizes.rates;
    if (!run->own.still || run->own.n == 0u || run->kept[0].n > 0u) return TC_OK;
    const tc_status status = tc_scene_place(&step->placed, run->own.middle, run->kept->v);
    if (status < TC_OK) return status;
    clear_variation(run, run->own.n);
    memcpy(run->dw0, run->dv, d * sizeof *run->dw0);
    tc_scene_whiten(&step->placed, run->dw0);
    const tc_status solved = solve_variation(run, &run->kept[1]);
    add_weighted(run->dv, TC_C(1.0), run->dy, d);
    return solved;
}

static void clear_end(const grad_sustained *run, grad_end *end)
{
    const uint32_t d = run->step->sizes.rates;
    (void)tc_vec_zeroed(TC_OK, end->q, d);
    (void)tc_vec_zeroed(TC_OK, end->v, d);
    end->gap = end->slide = TC_C(0.0);
}

/* (1) of one direction */
static tc_status pass_interval(grad_sustained *run, uint32_t k)
{
    const uint32_t d = run->step->sizes.rates;
    tc_real *const q = run->columns + (size_t)(2u * d + 1u) * k, *const v = q + d, *left = v + d;
    const grad_variation before = {.q = q, .v = v, .by = &run->along[k]};
    const grad_variation after = {.q = run->dq, .v = run->dv, .by = &run->along[k]};
    tc_status status = strike_sustained(run, &before);
    if (status >= TC_OK) status = settle_rates(run);
    if (status >= TC_OK) status = vary_end(run, &after, &run->by_all);
    if (status < TC_OK) return status;
    if (run->own.n == 0u) clear_end(run, &run->by_span);
    const tc_real dS =
        run->own.ends ? implied_time(run, run->by_all.slide, run->by_span.slide) : *left;
    const tc_real gap = TC_MLA(run->by_all.gap, dS, run->by_span.gap);
    const int met = run->own.met >= 0;
    const tc_real dt = met ? implied_time(run, gap, run->by_time.gap) : dS;
    for (uint32_t c = 0; c < d; ++c) {
        q[c] = run->by_all.q[c] + dS * run->by_span.q[c] + dt * run->by_time.q[c];
        v[c] = run->by_all.v[c] + dS * run->by_span.v[c] + dt * run->by_time.v[c];
    }
    *left -= dt;
    return TC_OK;
}

/* Whether the interval's span or end may change */
static int moves_in_time(const grad_sustained *run)
{
    const uint32_t d = run->step->sizes.rates;
    int moves = run->own.ends || run->own.met >= 0;
    for (uint32_t k = 0; k < run->count; ++k) {
        moves = moves || run->columns[(size_t)(2u * d + 1u) * (k + 1u) - 1u] != TC_C(0.0);
    }
    return moves;
}

/* Of all directions, after the step has covered an interval */
static tc_status pass_all(grad_sustained *run)
{
    const tci_scene_step_run *const step = run->step;
    const grad_variation by_span = {.span = TC_C(1.0)}, by_time = {.time = TC_C(1.0)};
    memcpy(run->q_end, step->q, step->sizes.coordinates * sizeof *step->q);
    memcpy(run->v_end, step->v, step->sizes.rates * sizeof *step->v);
    note_event(run);
    tc_status status = TC_OK;
    if (moves_in_time(run)) {
        status = vary_end(run, &by_time, &run->by_time);
        if (status >= TC_OK && run->own.n > 0u) status = vary_end(run, &by_span, &run->by_span);
    }
    for (uint32_t k = 0; k < run->count && status >= TC_OK; ++k) status = pass_interval(run, k);
    memcpy(step->q, run->q_end, step->sizes.coordinates * sizeof *step->q);
    memcpy(step->v, run->v_end, step->sizes.rates * sizeof *step->v);
    return status;
}

static tc_status advance_grad(grad_sustained *run)
{
    tci_scene_step_run *const step = run->step;
    const uint32_t most = step->config->impacts;
    tc_real left = step->config->h;
    tc_status status = TC_OK;
    tci_scene_step_open(&run->own);
    for (uint32_t i = 0; i <= most && left > TC_C(0.0) && status >= TC_OK; ++i) {
        const tc_real before = left;
        memcpy(run->q, step->q, step->sizes.coordinates * sizeof *step->q);
        memcpy(run->v, step->v, step->sizes.rates * sizeof *step->v);
        run->kept[0].n = run->kept[0].closed = run->kept[1].n = 0;
        if (i == most && i > 0u) status = TC_NOTE_LIMIT;
        status = tci_scene_step_worse(status, tci_scene_step_cover(&run->own, &left, i == most));
        run->time = run->own.met >= 0 ? before - left : run->own.span;
        if (status >= TC_OK) status = tci_scene_step_worse(status, pass_all(run));
    }
    return tci_scene_step_worse(status, run->status);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static tc_real *take_some(tc_real **work, size_t n)
{
    tc_real *const taken = *work;
    *work += n;
    return taken;
}

/* Numbers of one impact that is kept, but for its info and contacts */
static size_t kept_length(const tc_scene_sizes *s)
{
    const size_t n = s->contacts, m = n * s->rows, d = s->rates;
    return m * d + 4u * m + 4u * d + 2u * n + s->coordinates + d;
}

static void lay_out_kept(tci_scene_step_kept *kept, const tc_scene_sizes *s, tc_real **work)
{
    const size_t n = s->contacts, m = n * s->rows, d = s->rates;
    tc_real **const of_rows[4] = {&kept->f_c, &kept->u_c, &kept->f, &kept->u};
    tc_real **const of_rates[5] = {&kept->w0, &kept->w_c, &kept->w, &kept->w_least, &kept->v};
    kept->info = (void *)take_some(work, TC_SCENE_REALS(tc_impact_info));
    kept->contact = (void *)take_some(work, n * TC_SCENE_REALS(tc_scene_contact));
    kept->G = take_some(work, m * d);
    for (uint32_t i = 0; i < 4u; ++i) *of_rows[i] = take_some(work, m);
    for (uint32_t i = 0; i < 5u; ++i) *of_rates[i] = take_some(work, d);
    kept->mu = take_some(work, n);
    kept->e = take_some(work, n);
    kept->q = take_some(work, s->coordinates);
}

size_t tc_scene_grad_sustained_work(const tc_scene *scene, uint32_t count)
{
    tc_scene_sizes s;
    tc_scene_measure(scene, &s);
    const size_t n = s.contacts, m = n * s.rows, d = s.rates;
    const size_t kept =
        kept_length(&s) + TC_SCENE_REALS(tc_impact_info) + n * TC_SCENE_REALS(tc_scene_contact);
    const size_t own = TC_SCENE_REALS(grad_sustained) + sizeof(void *) / sizeof(tc_real) + 1u;
    return tc_scene_step_work(scene) + own + 2u * kept + 4u * s.coordinates + 17u * d + m * d
           + 2u * n + count * (2u * d + 1u);
}

/* The run is the first part of work, at the next place for addresses, as in tc_scene_step.c. */
static grad_sustained *lay_out_sustained(tc_real *work, tci_scene_step_run *step, uint32_t count)
{
    const uintptr_t last = sizeof(void *) - 1u;
    grad_sustained *const run = (void *)(((uintptr_t)work + last) & ~last);
    const tc_scene_sizes *const s = &step->sizes;
    const size_t d = s->rates, m = s->contacts * s->rows;
    memset(run, 0, sizeof *run);
    run->step = run->own.run = step;
    run->own.kept = run->kept;
    work += TC_SCENE_REALS(grad_sustained) + sizeof(void *) / sizeof(tc_real) + 1u;
    lay_out_kept(&run->kept[0], s, &work);
    lay_out_kept(&run->kept[1], s, &work);
    tc_real **const of_places[4] = {&run->q, &run->q_end, &run->q_probe, &run->q_middle};
    tc_real **const of_rates[17] = {
        &run->v,         &run->v_end,    &run->v_probe,   &run->turn,      &run->spare,
        &run->dw0,       &run->dw,       &run->dy,        &run->dq,        &run->dv,
        &run->by_all.q,  &run->by_all.v, &run->by_span.q, &run->by_span.v, &run->by_time.q,
        &run->by_time.v, &step->w_least};
    for (uint32_t i = 0; i < 4u; ++i) *of_places[i] = take_some(&work, s->coordinates);
    for (uint32_t i = 0; i < 17u; ++i) {
        *of_rates[i] = take_some(&work, d);
        (void)tc_vec_zeroed(TC_OK, *of_rates[i], (uint32_t)d);
    }
    run->dG = take_some(&work, m * d);
    run->dmu = take_some(&work, s->contacts);
    run->de = take_some(&work, s->contacts);
    run->columns = take_some(&work, count * (2u * d + 1u));
    return run;
}

/* ---- Inputs and the step --------------------------------------------------------------------- */

static tc_status check_nearby(const tc_scene *scene, const tc_scene_sizes *sizes,
                              const tc_scene *other)
{
    tc_scene_sizes own;
    if (other == NULL) return TC_ERR_NULL;
    int same = scene->dimension == other->dimension && scene->movers == other->movers
               && scene->surfaces == other->surfaces && scene->materials == other->materials
               && scene->pairs == other->pairs;
    for (uint32_t m = 0; same && m < scene->movers; ++m) {
        same = scene->mover[m].kind == other->mover[m].kind;
    }
    if (!same) return TC_ERR_SIZE;
    tc_scene_measure(other, &own);
    return memcmp(&own, sizes, sizeof own) == 0 ? TC_OK : TC_ERR_SIZE;
}

static tc_status check_along(const tc_scene *scene, const tc_scene_sizes *sizes,
                             const tc_scene_grad_sustained_direction *along)
{
    if (along->q == NULL || along->v == NULL) return TC_ERR_NULL;
    if (!tc_all_finite(along->q, sizes->rates) || !tc_all_finite(along->v, sizes->rates)) {
        return TC_ERR_NOT_FINITE;
    }
    if (along->more == NULL && along->less == NULL) return TC_OK;
    if (!tc_all_finite(&along->step, 1)) return TC_ERR_NOT_FINITE;
    if (!(along->step > TC_C(0.0))) return TC_ERR_RANGE;
    const tc_status status = check_nearby(scene, sizes, along->more);
    return status < TC_OK ? status : check_nearby(scene, sizes, along->less);
}

static tc_status check_directions(const tc_scene *scene, const tc_scene_step_config *config,
                                  const tc_scene_grad_sustained_direction *along, uint32_t count)
{
    tc_scene_sizes sizes;
    tc_status status = TC_OK;
    if (scene == NULL || config == NULL || along == NULL) return TC_ERR_NULL;
    if (count - 1u >= TC_SCENE_GRAD_SUSTAINED_MAX) return TC_ERR_SIZE;
    if (config->method != &tc_scene_step_sustained) return TC_ERR_UNSUPPORTED;
    tc_scene_measure(scene, &sizes);
    for (uint32_t k = 0; k < count && status >= TC_OK; ++k) {
        status = check_along(scene, &sizes, &along[k]);
    }
    return status;
}

/* From the directions to the columns, or back */
static void copy_columns(const grad_sustained *run, int back)
{
    const uint32_t d = run->step->sizes.rates;
    for (uint32_t k = 0; k < run->count; ++k) {
        tc_real *const column = run->columns + (size_t)(2u * d + 1u) * k;
        const tc_scene_grad_sustained_direction *const along = &run->along[k];
        memcpy(back ? along->q : column, back ? column : along->q, d * sizeof *column);
        memcpy(back ? along->v : column + d, back ? column + d : along->v, d * sizeof *column);
        if (!back) column[2u * d] = TC_C(0.0);
    }
}

static tc_status move_directions(const tci_scene_step_inputs *inputs, tc_real *q, tc_real *v,
                                 const tc_scene_grad_sustained_direction *along, uint32_t count,
                                 tc_real *work)
{
    const size_t of_step = tc_scene_step_work(inputs->scene);
    tci_scene_step_run *step;
    tc_status status = tci_scene_step_begin(inputs, q, v, work, of_step, &step);
    if (status < TC_OK) return status;
    grad_sustained *const run = lay_out_sustained(work + of_step, step, count);
    run->along = along;
    run->count = count;
    copy_columns(run, 0);
    status = advance_grad(run);
    const uint32_t d = step->sizes.rates;
    if (status >= TC_OK && !tc_all_finite(run->columns, count * (2u * d + 1u))) {
        status = TC_ERR_RANGE;
    }
    status = tci_scene_step_end(step, status, q, v);
    if (status >= TC_OK) copy_columns(run, 1);
    return status;
}

tc_status tc_scene_grad_sustained_step(const tc_scene *scene, const tc_scene_step_config *config,
                                       tc_real *q, tc_real *v,
                                       const tc_scene_grad_sustained_direction *along,
                                       uint32_t count, tc_scene_step_info *info, tc_real *work,
                                       size_t work_len)
{
    if (info != NULL) memset(info, 0, sizeof *info);
    if (q == NULL || v == NULL || work == NULL) return TC_ERR_NULL;
    tc_status status = check_directions(scene, config, along, count);
    if (status < TC_OK) return status;
    status = tc_work_check(work, work_len, tc_scene_grad_sustained_work(scene, count));
    if (status < TC_OK) return status;
    const tci_scene_step_inputs inputs = {scene, config, info};
    status = move_directions(&inputs, q, v, along, count, work);
    if (status < TC_OK && info != NULL) memset(info, 0, sizeof *info);
    return status;
}
