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
#include "tc_scene_grad_sustained_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"

#include <string.h>

/* ---- The impact at the beginning ------------------------------------------------------------- */

/* A probe of impact and lift: rows, and where the lift takes q */
static tc_status probe_strike(tci_scene_grad_sustained *run,
                              const tci_scene_grad_sustained_probe *probe)
{
    tci_scene_step_run *const step = run->step;
    const tci_scene_step_kept *const kept = &run->kept[0];
    tc_real *const q = step->q;
    tc_scene_place_all(&step->placed, run->q_probe, run->v_probe);
    tci_scene_grad_sustained_match(run, kept, kept->closed);
    const tc_status status = tci_scene_grad_sustained_vary(run, kept, kept->closed, run->q_probe,
                                                           run->v_probe, probe->weight);
    if (status < TC_OK) return status;
    /* what is not lifted in the step itself is not lifted in a probe */
    for (uint32_t i = 0; i < kept->closed; ++i) {
        if (kept->contact[i].gap >= TC_C(-0.5) * step->config->touch)
            step->contact[i].gap = TC_C(0.0);
    }
    step->q = run->q_probe;
    tci_scene_step_lift(step, kept->closed);
    step->q = q;
    tci_scene_grad_sustained_subtract(run, kept->q, run->q_probe);
    tci_scene_grad_sustained_add(run->dq, probe->weight, run->turn, step->sizes.rates);
    return TC_OK;
}

/* Whether the step changed anything at the beginning: by an impact, or a lift */
static int strikes_or_lifts(const tci_scene_grad_sustained *run)
{
    const tci_scene_step_kept *const kept = &run->kept[0];
    int changes = kept->n > 0u;
    for (uint32_t i = 0; i < kept->closed; ++i) {
        changes = changes || kept->contact[i].gap < TC_C(-0.5) * run->step->config->touch;
    }
    return changes;
}

/* Directions after the impact: dq, dv */
static tc_status strike_sustained(tci_scene_grad_sustained *run,
                                  const tci_scene_grad_sustained_variation *of)
{
    tci_scene_step_run *const step = run->step;
    const tc_scene *const scene = step->scene;
    const uint32_t d = step->sizes.rates;
    tci_scene_grad_sustained_probe probes[TCI_PROBES_MAX];
    tc_status status = TC_OK;
    memcpy(run->dv, of->v, d * sizeof *run->dv);
    memcpy(run->dq, of->q, d * sizeof *run->dq);
    if (!strikes_or_lifts(run)) return TC_OK;
    (void)tc_vec_zeroed(TC_OK, run->dq, d);
    tci_scene_grad_sustained_clear(run, run->kept[0].closed);
    const uint32_t n = tci_scene_grad_sustained_list(run, of, NULL, 0, probes);
    for (uint32_t i = 0; i < n && status >= TC_OK; ++i) {
        tci_scene_grad_sustained_begin(run, of, &probes[i], run->q, run->v);
        status = probe_strike(run, &probes[i]);
    }
    tci_scene_grad_sustained_use(run, scene);
    if (status < TC_OK || run->kept[0].n == 0u) return status;
    for (uint32_t i = 0; i < run->kept[0].n; ++i) {
        if (run->kept[0].e[i] == TC_C(0.0)) run->de[i] = TC_C(0.0);
    }
    status = tc_scene_place(&step->placed, run->q, run->v);
    if (status >= TC_OK) status = tci_scene_grad_sustained_solve(run, &run->kept[0]);
    if (status >= TC_OK) tci_scene_grad_sustained_add(run->dv, TC_C(1.0), run->dy, d);
    return status;
}

/* ---- Over the interval ----------------------------------------------------------------------- */

static void shift_middle(tci_scene_grad_sustained *run, tc_real span)
{
    tci_scene_step_run *const step = run->step;
    memcpy(run->q_middle, run->q_probe, step->sizes.coordinates * sizeof *run->q_middle);
    if (!run->own.still) {
        tci_scene_step_shift(step, TC_C(0.5) * span, run->v_probe, run->q_middle);
    }
}

/* Adds weight times the sliding s at the probe's beginning to ds[2], of the contact that stops. */
static void vary_slide(tci_scene_grad_sustained *run, tc_real weight, tc_real ds[2])
{
    tci_scene_step_run *const step = run->step;
    const uint32_t i = run->own.slowest;
    tc_real slip[3], t[2][3] = {{TC_C(0.0)}};
    tc_scene_place_all(&step->placed, run->q_probe, run->v_probe);
    tci_scene_grad_sustained_match(run, &run->kept[0], run->kept[0].closed);
    tci_scene_step_slip(step, i, slip);
    tc_scene_tangents(step->scene->dimension, run->kept[1].contact[i].normal, t);
    for (uint32_t k = 0; k < 2u; ++k) ds[k] = TC_MLA(ds[k], weight, tc_vec_dot3(t[k], slip));
}

/* A probe of the rows in the middle */
static tc_status probe_middle(tci_scene_grad_sustained *run,
                              const tci_scene_grad_sustained_probe *probe, tc_real ds[2])
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
    tci_scene_grad_sustained_match(run, kept, kept->n);
    return tci_scene_grad_sustained_vary(run, kept, kept->n, run->q_middle, step->v_try,
                                         probe->weight);
}

/* The direction of s . g w - s . s */
static tc_real slide_change(const tci_scene_grad_sustained *run, const tc_real ds[2])
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
static tc_status vary_contacts(tci_scene_grad_sustained *run,
                               const tci_scene_grad_sustained_variation *of,
                               tci_scene_grad_sustained_end *end)
{
    tci_scene_step_run *const step = run->step;
    const tc_scene *const scene = step->scene;
    tci_scene_grad_sustained_probe probes[TCI_PROBES_MAX];
    tc_real ds[2] = {TC_C(0.0), TC_C(0.0)};
    tc_status status = TC_OK;
    end->slide = TC_C(0.0);
    tci_scene_grad_sustained_clear(run, run->own.n);
    if (run->own.n == 0u || of->time > of->span) return TC_OK;
    const uint32_t n = tci_scene_grad_sustained_list(run, of, NULL, 0, probes);
    for (uint32_t i = 0; i < n && status >= TC_OK; ++i) {
        tci_scene_grad_sustained_begin(run, of, &probes[i], run->kept->q, run->kept->v);
        status = probe_middle(run, &probes[i], ds);
    }
    tci_scene_grad_sustained_use(run, scene);
    if (status >= TC_OK) status = tc_scene_place(&step->placed, run->own.middle, run->kept->v);
    if (status < TC_OK) return status;
    for (uint32_t i = 0; i < run->own.n; ++i) run->de[i] = TC_C(0.0);
    status = tci_scene_grad_sustained_solve(run, &run->kept[1]);
    if (status >= TC_OK && run->own.ends) end->slide = slide_change(run, ds);
    return status;
}

/* The gap of what ends the interval, where the scene is placed */
static tc_real gap_of_event(tci_scene_grad_sustained *run)
{
    tci_scene_step_run *const step = run->step;
    tc_scene_place_all(&step->placed, step->q_try, step->v_try);
    if (!run->further) return tc_scene_gap(&step->placed, (uint32_t)run->own.met);
    tc_scene_contacts found = {.contact = (void *)step->solve, .max = step->sizes.contacts};
    tc_scene_find_pair(&step->placed, (uint32_t)run->own.met, run->event.gap + TCI_NEAR_RATE,
                       &found);
    const tc_scene_contact *const own = tci_scene_grad_sustained_find(&found, &run->event);
    if (own == NULL) run->status = TC_NOTE_PRECISION;
    return own != NULL ? own->gap : run->event.gap;
}

/* The way through a probe's interval: its end is in q_try and v_try. */
static void trace_probe(tci_scene_grad_sustained *run, const tci_scene_grad_sustained_probe *probe)
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
    (void)tci_scene_step_pass(own, run->time + probe->time); /* it flies */
    step->q = q;
    step->v = v;
    own->change = change;
    own->middle = middle;
    own->span = span;
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

/* Whether a parameter makes no difference to the interval's end: it is flight without an event */
static int feels_nothing(const tci_scene_grad_sustained *run,
                         const tc_scene_grad_sustained_direction *by)
{
    const tc_scene *const scene = run->step->scene;
    if (by == NULL || by->more == NULL || run->own.n > 0u || run->own.met >= 0) return 0;
    return !flies_otherwise(scene, by->more) && !flies_otherwise(scene, by->less);
}

/* The acceleration of a body's centre along axis k without contacts */
static tc_real free_acceleration(const tc_scene *scene, uint32_t m, uint32_t k)
{
    const tc_scene_mover *const mover = &scene->mover[m];
    if (mover->wrench_ref == NULL) return scene->gravity[k];
    return scene->gravity[k] + mover->wrench_ref->force[k] / mover->body3->mass;
}

/* The centre of a body in space goes q + t v + t^2 a / 2 + t^2 c / (2 S): its variation by this form,
 * which has less rounding than probes. */
static void vary_centre(const tci_scene_grad_sustained *run,
                        const tci_scene_grad_sustained_variation *of, uint32_t m,
                        tci_scene_grad_sustained_end *end)
{
    const tci_scene_step_interval *const own = &run->own;
    const tc_scene *const scene = run->step->scene;
    const tc_real t = run->time, S = own->span, share = own->n > 0u ? t / S : TC_C(0.0);
    for (uint32_t k = 0; k < 3u; ++k) {
        const uint32_t i = run->step->placed.span[m].v + k;
        const tc_real a = free_acceleration(scene, m, k), c = own->change[i] / S;
        const tc_real dv = of->v != NULL ? of->v[i] : TC_C(0.0), dc = share * run->dy[i];
        tc_real da = TC_C(0.0);
        if (of->by != NULL && of->by->more != NULL) {
            da = free_acceleration(of->by->more, m, k) - free_acceleration(of->by->less, m, k);
            da *= TC_C(0.5) / of->by->step;
        }
        end->v[i] = dv + t * da + dc - of->span * share * c;
        end->q[i] = (of->q != NULL ? of->q[i] : TC_C(0.0)) + TC_C(0.5) * t * (dv + end->v[i]);
        end->q[i] += of->time * run->v_end[i];
        end->v[i] += of->time * (own->n > 0u ? a + c : a);
    }
}

/* One variation of the interval's end */
static tc_status vary_end(tci_scene_grad_sustained *run,
                          const tci_scene_grad_sustained_variation *of,
                          tci_scene_grad_sustained_end *end)
{
    tci_scene_step_run *const step = run->step;
    const tc_scene *const scene = step->scene;
    const uint32_t d = step->sizes.rates;
    tci_scene_grad_sustained_probe probes[TCI_PROBES_MAX];
    const tc_status status = vary_contacts(run, of, end);
    if (status < TC_OK) return status;
    (void)tc_vec_zeroed(TC_OK, end->q, d);
    (void)tc_vec_zeroed(TC_OK, end->v, d);
    end->gap = TC_C(0.0);
    const uint32_t n =
        tci_scene_grad_sustained_list(run, of, run->dy, feels_nothing(run, of->by), probes);
    for (uint32_t i = 0; i < n; ++i) {
        tci_scene_grad_sustained_begin(run, of, &probes[i], run->kept->q, run->kept->v);
        trace_probe(run, &probes[i]);
        tci_scene_grad_sustained_subtract(run, run->q_end, step->q_try);
        tci_scene_grad_sustained_add(end->q, probes[i].weight, run->turn, d);
        for (uint32_t c = 0; c < d; ++c) run->turn[c] = step->v_try[c] - run->v_end[c];
        tci_scene_grad_sustained_add(end->v, probes[i].weight, run->turn, d);
        if (run->own.met >= 0) end->gap = TC_MLA(end->gap, probes[i].weight, gap_of_event(run));
    }
    tci_scene_grad_sustained_use(run, scene);
    for (uint32_t m = 0; scene->dimension == 3u && m < scene->movers; ++m) {
        if (scene->mover[m].kind == TC_SCENE_BODY) vary_centre(run, of, m, end);
    }
    return TC_OK;
}

/* ---- An interval ----------------------------------------------------------------------------- */

/* What ends the interval where the step is now, at its end */
static void note_event(tci_scene_grad_sustained *run)
{
    tci_scene_step_run *const step = run->step;
    run->further = run->own.met >= 0 && !(step->apart[run->own.met] > TC_C(0.0));
    if (!run->further) return;
    tc_scene_contacts found = {.contact = (void *)step->solve, .max = step->sizes.contacts};
    tc_scene_place_all(&step->placed, run->q_end, run->v_end);
    tc_scene_find_pair(&step->placed, (uint32_t)run->own.met, TCI_NEAR_RATE, &found);
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
static tc_real implied_time(tci_scene_grad_sustained *run, tc_real change, tc_real rate)
{
    if (rate < TC_C(0.0)) return -change / rate;
    run->status = TC_NOTE_PRECISION;
    return TC_C(0.0);
}

/* Where nothing moves, contacts that act stop what they can of dv, at once: the step takes such rates
 * for 0, whatever they are. */
static tc_status settle_rates(tci_scene_grad_sustained *run)
{
    tci_scene_step_run *const step = run->step;
    const uint32_t d = step->sizes.rates;
    if (!run->own.still || run->own.n == 0u || run->kept[0].n > 0u) return TC_OK;
    const tc_status status = tc_scene_place(&step->placed, run->own.middle, run->kept->v);
    if (status < TC_OK) return status;
    tci_scene_grad_sustained_clear(run, run->own.n);
    memcpy(run->dw0, run->dv, d * sizeof *run->dw0);
    tc_scene_whiten(&step->placed, run->dw0);
    const tc_status solved = tci_scene_grad_sustained_solve(run, &run->kept[1]);
    tci_scene_grad_sustained_add(run->dv, TC_C(1.0), run->dy, d);
    return solved;
}

static void clear_end(const tci_scene_grad_sustained *run, tci_scene_grad_sustained_end *end)
{
    const uint32_t d = run->step->sizes.rates;
    (void)tc_vec_zeroed(TC_OK, end->q, d);
    (void)tc_vec_zeroed(TC_OK, end->v, d);
    end->gap = end->slide = TC_C(0.0);
}

/* The contact that strikes where the interval begins without an event; -1: none. It was met within
 * config->touch of there. */
static int find_strike(const tci_scene_grad_sustained *run)
{
    const tci_scene_step_run *const step = run->step;
    const tci_scene_step_kept *const kept = &run->kept[0];
    const uint32_t d = step->sizes.rates;
    tc_real fastest = -step->config->rest;
    int found = -1;
    for (uint32_t i = 0; i < kept->n && !run->after_event; ++i) {
        const tc_real *const row = kept->G + (size_t)step->sizes.rows * i * d;
        const tc_real rate = tci_scene_step_dot(row, kept->w0, d);
        if (rate < fastest) found = (int)i;
        fastest = rate < fastest ? rate : fastest;
    }
    return found;
}

/* Moves a direction to the time at which that contact is met. */
static void shift_strike(tci_scene_grad_sustained *run,
                         const tci_scene_grad_sustained_variation *of, tc_real *q, tc_real *v,
                         tc_real *left)
{
    tci_scene_step_run *const step = run->step;
    const tc_scene *const scene = step->scene;
    const tci_scene_step_kept *const kept = &run->kept[0];
    const uint32_t d = step->sizes.rates, i = (uint32_t)run->strikes;
    tci_scene_grad_sustained_probe probes[TCI_PROBES_MAX];
    tc_real change = TC_C(0.0);
    const uint32_t n = tci_scene_grad_sustained_list(run, of, NULL, 0, probes);
    for (uint32_t k = 0; k < n; ++k) {
        tci_scene_grad_sustained_begin(run, of, &probes[k], run->q, run->v);
        tc_scene_place_all(&step->placed, run->q_probe, run->v_probe);
        tci_scene_grad_sustained_match(run, kept, kept->closed);
        change = TC_MLA(change, probes[k].weight, step->contact[i].gap);
    }
    tci_scene_grad_sustained_use(run, scene);
    const tc_real *const row = kept->G + (size_t)step->sizes.rows * i * d;
    const tc_real dt = implied_time(run, change, tci_scene_step_dot(row, kept->w0, d));
    tci_scene_grad_sustained_add(q, dt, run->v, d);
    for (uint32_t m = 0; scene->dimension == 3u && m < scene->movers; ++m) {
        tc_real *const to = v + step->placed.span[m].v;
        if (scene->mover[m].kind != TC_SCENE_BODY) continue;
        for (uint32_t k = 0; k < 3u; ++k) to[k] += dt * free_acceleration(scene, m, k);
    }
    *left -= dt;
}

/* (1) of one direction */
static tc_status pass_interval(tci_scene_grad_sustained *run, uint32_t k)
{
    const uint32_t d = run->step->sizes.rates;
    tc_real *const q = run->columns + (size_t)(2u * d + 1u) * k, *const v = q + d, *left = v + d;
    const tci_scene_grad_sustained_variation before = {.q = q, .v = v, .by = &run->along[k]};
    const tci_scene_grad_sustained_variation after = {
        .q = run->dq, .v = run->dv, .by = &run->along[k]};
    if (run->strikes >= 0) shift_strike(run, &before, q, v, left);
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
static int moves_in_time(const tci_scene_grad_sustained *run)
{
    const uint32_t d = run->step->sizes.rates;
    int moves = run->own.ends || run->own.met >= 0 || run->strikes >= 0;
    for (uint32_t k = 0; k < run->count; ++k) {
        moves = moves || run->columns[(size_t)(2u * d + 1u) * (k + 1u) - 1u] != TC_C(0.0);
    }
    return moves;
}

/* Of all directions, after the step has covered an interval */
static tc_status pass_all(tci_scene_grad_sustained *run)
{
    const tci_scene_step_run *const step = run->step;
    const tci_scene_grad_sustained_variation by_span = {.span = TC_C(1.0)},
                                             by_time = {.time = TC_C(1.0)};
    memcpy(run->q_end, step->q, step->sizes.coordinates * sizeof *step->q);
    memcpy(run->v_end, step->v, step->sizes.rates * sizeof *step->v);
    note_event(run);
    run->strikes = find_strike(run);
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

tc_status tci_scene_grad_sustained_advance(tci_scene_grad_sustained *run)
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
        run->after_event = run->own.met >= 0 || run->own.ends;
    }
    return tci_scene_step_worse(status, run->status);
}
