/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A step whose contacts act during it.
 *
 * An interval of length s from q0, v0, with flight to q_f, v_f. Closed contacts are those with
 * gap < touch at q0. Their rows G are taken at the middle of the interval. The cone problem is
 * that of w0 = G (v0 + v_f): its impulses f change it to G (v0 + v1), twice the mean velocity. So
 * the mean velocity of a closed contact is not into the other body, Coulomb's law holds for the
 * mean, and the work of normal impulses is 0. Then with c = M^-1 G^T f
 *
 *     v1 = v_f + c,    q1 = q_f + s c / 2,    within the interval  q(t) = q_f(t) + t^2 c / (2 s)
 *
 * which is exact where forces are constant, and of second order else.
 *
 * The mean can be at rest while v1 = -v0. Along a normal that is prevented before: the impact at the
 * interval's beginning leaves no approach. Along a tangent it is the sliding contact that comes to a
 * stop within s: its time follows from the friction mu f_n opposite to the sliding,
 *
 *     u0 tau + (t / s) (G (v_f - v0) + G G^T f_slide) tau = 0,   tau = u0 / |u0|
 *
 * and the interval is solved again up to there.
 *
 * Where contacts move by less than TCI_SCENE_STEP_STILL touch, the problem is that of v1 alone, w0 = G v_f: what
 * is left of a motion does not swing from step to step.
 *
 * Depth below -touch / 2, which rounding and the start may have, is taken out by the share
 * config.compensation per interval, as a displacement alone: rates stay.
 */
#include "tc_exact.h"
#include "tc_scene_step_sustained.h"
#include "tc_scene_step_sustained_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"

#include <string.h>

#define STOPS_MAX 4u   /* shorter intervals tried for a sliding contact's stop */
#define FURTHER_MAX 4u /* intervals of a step that end where a closed pair meets once more */

tc_real tci_scene_step_dot(const tc_real *a, const tc_real *b, uint32_t n)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) sum = TC_MLA(sum, a[i], b[i]);
    return sum;
}

const tc_real *tci_scene_step_row(const tci_scene_step_run *run, uint32_t i, uint32_t r)
{
    return run->G + (size_t)(run->sizes.rows * i + r) * run->sizes.rates;
}

/* ---- Closed contacts over an interval -------------------------------------------------------- */

/* The velocity of contact i along its tangents, where the scene is placed; a limit's is 0 */
void tci_scene_step_slip(const tci_scene_step_run *run, uint32_t i, tc_real slip[3])
{
    const tc_scene_contact *const contact = &run->contact[i];
    (void)tc_vec_zeroed(TC_OK, slip, 3);
    if (contact->source >= run->scene->pairs) return;
    const tc_scene_pair *const pair = &run->scene->pair[contact->source];
    const tc_scene_surface *const sides[2] = {&run->scene->surface[pair->a],
                                              &run->scene->surface[pair->b]};
    for (uint32_t k = 0; k < 2u; ++k) {
        tc_real velocity[3], spare[3];
        tc_scene_point point = {.mover = sides[k]->mover, .link = sides[k]->link};
        tc_scene_point_motion(&run->placed, &point, contact->arm, velocity, spare);
        for (uint32_t c = 0; c < 3u; ++c) slip[c] += k == 0u ? velocity[c] : -velocity[c];
    }
    const tc_real along = tc_vec_dot3(slip, contact->normal);
    for (uint32_t c = 0; c < 3u; ++c) slip[c] = TC_MLS(slip[c], along, contact->normal[c]);
}

/* Closed contact i becomes the one of those found in the middle that is next to it. */
static void follow_contact(tci_scene_step_run *run, uint32_t i, const tc_scene_contacts *found,
                           tc_real reach)
{
    tc_scene_contact *const own = &run->contact[i];
    const tc_scene_contact *nearest = NULL;
    for (uint32_t k = 0; k < found->count; ++k) {
        tc_real d[3];
        const tc_scene_contact *const other = &found->contact[k];
        if (other->source != own->source) continue;
        const tc_real distance = tc_scene_between(own->point, other->point, d);
        if (distance > reach) continue;
        nearest = other;
        reach = distance;
    }
    if (nearest != NULL) *own = *nearest;
}

/* Places the scene in the middle of the interval, and the closed contacts with it. */
static void look_at_middle(tci_scene_step_interval *own, uint32_t closed)
{
    tci_scene_step_run *const run = own->run;
    const tc_real half = TC_C(0.5) * own->span, touch = run->config->touch;
    tc_scene_contacts found = {.contact = (void *)run->solve, .max = run->sizes.contacts};
    memcpy(own->middle, run->q, run->sizes.coordinates * sizeof *run->q);
    tc_scene_place_all(&run->placed, run->q, run->v);
    const tc_real most = tci_scene_step_travel(own, closed, half);
    own->still = most <= TCI_SCENE_STEP_STILL * touch;
    if (own->still) return;
    for (uint32_t i = 0; i < closed; ++i) tci_scene_step_slip(run, i, own->slip[i]);
    tci_scene_step_shift(run, half, run->v, own->middle);
    tc_scene_place_all(&run->placed, own->middle, run->v);
    tc_scene_find(&run->placed, touch + most, &found);
    for (uint32_t i = 0; i < closed; ++i) {
        follow_contact(run, i, &found, TC_C(2.0) * own->reach[i] + touch);
    }
}

/* What config.warm has of contact i: its impulse, normal first */
static void expect_impulse(const tci_scene_step_run *run, uint32_t i, tc_real *f)
{
    const tc_scene_contact *const contact = &run->contact[i];
    const tc_scene_step_info *const warm = run->config->warm;
    for (uint32_t k = 0; warm != NULL && k < warm->touches; ++k) {
        const tc_scene_step_touch *const touch = &warm->touch[k];
        tc_real t[2][3] = {{TC_C(0.0)}};
        if (touch->source != contact->source || touch->feature != contact->feature) continue;
        tc_scene_tangents(run->scene->dimension, contact->normal, t);
        if (contact->source >= run->scene->pairs) {
            f[0] = touch->impulse[0];
            return;
        }
        f[0] = tc_vec_dot3(contact->normal, touch->impulse);
        for (uint32_t r = 1; r < run->sizes.rows; ++r)
            f[r] = tc_vec_dot3(t[r - 1u], touch->impulse);
        return;
    }
}

/* run->f_c: what the contacts are expected to do, from the step before. With it a pile at rest is
 * solved by a look. */
static void expect_impulses(const tci_scene_step_interval *own)
{
    const tci_scene_step_run *const run = own->run;
    (void)tc_vec_zeroed(TC_OK, run->f_c, own->n * run->sizes.rows);
    for (uint32_t i = 0; i < own->n; ++i) expect_impulse(run, i, run->f_c + run->sizes.rows * i);
}

/* The rows of the interval and its w0: those of the beginning, if nothing moved since */
static tc_status gather_middle(tci_scene_step_interval *own, uint32_t closed)
{
    tci_scene_step_run *const run = own->run;
    const uint32_t ready = own->ready;
    own->ready = 0;
    if (!own->still || ready == 0u) {
        return tci_scene_step_gather(run, own->middle, own->bias, closed, &own->n);
    }
    own->n = ready;
    memcpy(run->w0, own->bias, run->sizes.rates * sizeof *run->w0);
    tc_scene_whiten(&run->placed, run->w0);
    return TC_OK;
}

/* c of an interval, for the closed contacts in run->contact; run->v_try: v_f */
static tc_status sustain_contacts(tci_scene_step_interval *own, uint32_t closed)
{
    tci_scene_step_run *const run = own->run;
    const uint32_t d = run->sizes.rates;
    own->n = 0;
    (void)tc_vec_zeroed(TC_OK, own->change, d);
    if (closed == 0u) return TC_OK;
    look_at_middle(own, closed);
    for (uint32_t k = 0; k < d; ++k) {
        own->bias[k] = own->still ? run->v_try[k] : run->v[k] + run->v_try[k];
    }
    tc_status status = gather_middle(own, closed);
    if (status < TC_OK || own->n == 0u) return status;
    for (uint32_t i = 0; i < own->n; ++i) run->e[i] = TC_C(0.0);
    expect_impulses(own);
    if (!tci_scene_step_holds(run, own->n)) {
        status = tci_scene_step_solve(run, own->n, NULL, run->f_c);
        if (status < TC_OK) return status;
    }
    tci_scene_step_keep(own, 1, own->n);
    if (own->tied) {
        tci_scene_step_press(own);
    } else {
        tci_scene_step_change(run, own->change);
    }
    memcpy(own->bias, run->v, d * sizeof *own->bias);
    tc_scene_whiten(&run->placed, own->bias);
    return status;
}

/* ---- The way through an interval ------------------------------------------------------------- */

tc_status tci_scene_step_pass(const tci_scene_step_interval *own, tc_real time)
{
    tci_scene_step_run *const run = own->run;
    const tc_real share = time / own->span;
    memcpy(run->q_try, run->q, run->sizes.coordinates * sizeof *run->q);
    memcpy(run->v_try, run->v, run->sizes.rates * sizeof *run->v);
    if (own->tied) {
        return tci_scene_step_carry(run, own->n > 0u ? own->change : NULL, time, run->q_try,
                                    run->v_try);
    }
    tci_scene_step_fly(run, time, run->q_try, run->v_try);
    if (own->n > 0u) {
        memcpy(run->q_stage, run->q_try, run->sizes.coordinates * sizeof *run->q);
        tci_scene_step_shift(run, TC_C(0.5) * time * share, own->change, run->q_try);
        tci_scene_step_add(run, share, own->change, own->middle, run->q_stage, run->q_try,
                           run->v_try);
    }
    return TC_OK;
}

tc_status tci_scene_step_trace(const tci_scene_step_interval *own, tc_real time)
{
    tci_scene_step_run *const run = own->run;
    const tc_status status = tci_scene_step_pass(own, time);
    if (status >= TC_OK) tc_scene_place_all(&run->placed, run->q_try, run->v_try);
    return status;
}

static tc_status solve_interval(tci_scene_step_interval *own, uint32_t closed)
{
    tci_scene_step_run *const run = own->run;
    memcpy(run->q_try, run->q, run->sizes.coordinates * sizeof *run->q);
    memcpy(run->v_try, run->v, run->sizes.rates * sizeof *run->v);
    if (own->tied && closed > 0u) {
        const tc_status status = tci_scene_step_carry(run, NULL, own->span, run->q_try, run->v_try);
        if (status < TC_OK) return status;
        own->ready = 0; /* the motion has placed the scene elsewhere */
    } else if (closed > 0u) {
        tci_scene_step_fly(run, own->span, run->q_try, run->v_try);
    }
    return sustain_contacts(own, closed);
}

/* Contacts act up to the first stop of one that slides. */
static tc_status cover_slides(tci_scene_step_interval *own, uint32_t closed)
{
    uint32_t dropped;
    tc_status status = solve_interval(own, closed);
    for (uint32_t i = 0; i < STOPS_MAX && status >= TC_OK; ++i) {
        const tc_real share = tci_scene_step_stop(own);
        if (share >= TC_C(1.0)) break;
        own->span *= share;
        own->ends = 1;
        closed = tci_scene_step_touching(own->run, &dropped);
        status = tci_scene_step_worse(status, solve_interval(own, closed));
    }
    return status;
}

/* The impulses of the whole interval become those of its part; they are noted. */
static void note_share(const tci_scene_step_interval *own, tc_real share)
{
    tci_scene_step_run *const run = own->run;
    for (uint32_t k = 0; k < own->n * run->sizes.rows; ++k) run->f_c[k] *= share;
    if (own->n > 0u) tci_scene_step_note(run, own->n);
}

/* The state after impact and lift */
static void keep_beginning(const tci_scene_step_interval *own)
{
    if (own->kept == NULL) return;
    memcpy(own->kept->q, own->run->q, own->run->sizes.coordinates * sizeof *own->run->q);
    memcpy(own->kept->v, own->run->v, own->run->sizes.rates * sizeof *own->run->v);
}

/* Moves run->q, v by the next interval of at most *left. */
tc_status tci_scene_step_cover(tci_scene_step_interval *own, tc_real *left, int last)
{
    tci_scene_step_run *const run = own->run;
    uint32_t closed;
    own->span = *left;
    own->ends = 0;
    own->met = -1;
    tc_status status = tci_scene_step_strike(own, &closed);
    if (status < TC_OK) return status;
    tci_scene_step_note_open(run, closed);
    own->ready = closed;
    keep_beginning(own);
    status = tci_scene_step_worse(status, cover_slides(own, closed));
    if (status < TC_OK) return status;
    tc_real time = own->span;
    status = tci_scene_step_worse(status, tci_scene_step_trace(own, time));
    if (!last && status >= TC_OK) {
        status = tci_scene_step_worse(status, tci_scene_step_reach(own, &time));
    }
    if (status < TC_OK) return status;
    note_share(own, time / own->span);
    memcpy(run->q, run->q_try, run->sizes.coordinates * sizeof *run->q);
    memcpy(run->v, run->v_try, run->sizes.rates * sizeof *run->v);
    *left = own->span < *left || time < own->span ? *left - time : TC_C(0.0);
    return status;
}

/* ---- The method ------------------------------------------------------------------------------ */

void tci_scene_step_open(tci_scene_step_interval *own)
{
    own->change = own->run->v_rate;
    own->middle = own->run->q_start;
    own->bias = own->run->v_start;
    own->further = FURTHER_MAX;
    own->tied = tci_scene_step_is_tied(own->run->scene);
    if (own->tied) tci_scene_step_lend(own->run);
}

static tc_status advance_sustained(tci_scene_step_run *run)
{
    tc_real left = run->config->h;
    tc_status status = TC_OK;
    tci_scene_step_interval own = {.run = run};
    tci_scene_step_open(&own);
    for (uint32_t i = 0; i <= run->config->impacts && left > TC_C(0.0) && status >= TC_OK; ++i) {
        const int last = i == run->config->impacts;
        if (last && i > 0u) status = TC_NOTE_LIMIT;
        status = tci_scene_step_worse(status, tci_scene_step_cover(&own, &left, last));
    }
    return status;
}

/* Wrenches act on bodies in space alone. */
static tc_status check_sustained(const tci_scene_step_run *run)
{
    const tc_scene *const scene = run->scene;
    for (uint32_t m = 0; m < scene->movers; ++m) {
        const tc_scene_mover *const mover = &scene->mover[m];
        const int in_space = scene->dimension == 3u && mover->kind == TC_SCENE_BODY;
        if (!in_space && mover->wrench_ref != NULL) return TC_ERR_UNSUPPORTED;
    }
    return TC_OK;
}

const struct tc_scene_step_method tc_scene_step_sustained = {check_sustained, advance_sustained};
