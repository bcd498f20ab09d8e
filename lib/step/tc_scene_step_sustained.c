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
 * Where contacts move by less than STILL_SHARE touch, the problem is that of v1 alone, w0 = G v_f: what
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

#define STOPS_MAX 4u          /* shorter intervals tried for a sliding contact's stop */
#define FURTHER_MAX 4u        /* intervals of a step that end where a closed pair meets once more */
#define LIFT_SWEEPS 8u        /* of Gauss-Seidel, for the depth that is taken out */
#define SLACK_SHARE TC_C(0.5) /* of touch: depth that is left alone, and that ends an interval */
/* of touch: a contact that moves less does not move; rounding of a pile moves more in float */
#ifdef TC_DOUBLE
#define STILL_SHARE TC_C(0.01)
#else
#define STILL_SHARE TC_C(0.1)
#endif

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

/* ---- What a derivative keeps ----------------------------------------------------------------- */

/* Those that are closed at the beginning */
static void keep_touching(const tci_scene_step_interval *own, uint32_t n)
{
    if (own->kept == NULL) return;
    own->kept[0].closed = n;
    memcpy(own->kept[0].contact, own->run->contact, n * sizeof *own->run->contact);
}

/* The impact that was solved last: 0 at the beginning, 1 over the interval */
static void keep_impact(const tci_scene_step_interval *own, uint32_t which, uint32_t n)
{
    tci_scene_step_run *const run = own->run;
    if (own->kept == NULL) return;
    tci_scene_step_kept *const kept = &own->kept[which];
    const size_t m = (size_t)n * run->sizes.rows, d = run->sizes.rates;
    const tc_real *const from[11] = {run->G,   run->f_c, run->u_c,     run->f,  run->u, run->w0,
                                     run->w_c, run->w,   run->w_least, run->mu, run->e};
    tc_real *const to[11] = {kept->G,   kept->f_c, kept->u_c,     kept->f,  kept->u, kept->w0,
                             kept->w_c, kept->w,   kept->w_least, kept->mu, kept->e};
    const size_t length[11] = {m * d, m, m, m, m, d, d, d, d, n, n};
    for (uint32_t i = 0; i < 11u; ++i) memcpy(to[i], from[i], length[i] * sizeof(tc_real));
    memcpy(kept->contact, run->contact, n * sizeof *run->contact);
    *kept->info = *run->impact;
    kept->n = n;
    kept->shared = run->shared;
    kept->stopped = run->stopped;
    run->stopped = 0;
}

/* ---- The impact at the beginning ------------------------------------------------------------- */

/* Takes out depth of the n contacts whose rows are in G, at the placed q. */
void tci_scene_step_lift(tci_scene_step_run *run, uint32_t n)
{
    const uint32_t d = run->sizes.rates;
    const tc_real slack = SLACK_SHARE * run->config->touch, share = run->config->compensation;
    tc_real deepest = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) {
        run->aim[i] = tc_vec_not_negative(-run->contact[i].gap - slack) * share;
        deepest = tc_vec_max(deepest, run->aim[i]);
    }
    if (!(deepest > TC_C(0.0))) return;
    (void)tc_vec_zeroed(TC_OK, run->target, d);
    (void)tc_vec_zeroed(TC_OK, run->f, n);
    for (uint32_t k = 0; k < LIFT_SWEEPS * n; ++k) {
        const uint32_t i = k % n;
        const tc_real *const row = tci_scene_step_row(run, i, 0);
        const tc_real lack = run->aim[i] - tci_scene_step_dot(row, run->target, d);
        const tc_real x = tc_vec_not_negative(run->f[i] + lack / tci_scene_step_dot(row, row, d));
        for (uint32_t c = 0; c < d; ++c) {
            run->target[c] = TC_MLA(run->target[c], x - run->f[i], row[c]);
        }
        run->f[i] = x;
    }
    tc_scene_unwhiten(&run->placed, run->target);
    tci_scene_step_shift(run, TC_C(1.0), run->target, run->q);
}

/* The fastest approach of the n contacts whose rows are in G. One that is only rounding is 0. */
static tc_real fastest_approach(const tci_scene_step_run *run, uint32_t n)
{
    tc_real fastest = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real *const row = tci_scene_step_row(run, i, 0);
        tc_real approach = TC_C(0.0), size = TC_C(0.0);
        tci_scene_columns columns;
        tci_scene_step_columns(run, i, &columns);
        for (uint32_t k = 0; k < 2u; ++k) {
            for (uint32_t c = columns.from[k]; c < columns.end[k]; ++c) {
                const tc_real part = row[c] * run->w0[c];
                approach -= part;
                size += tc_vec_magnitude(part);
            }
        }
        if (approach <= TC_C(16.0) * TC_EPSILON * size) continue;
        fastest = tc_vec_max(fastest, approach);
    }
    return fastest;
}

/* Places the scene at the beginning, and finds the closed contacts; *dropped: those without place */
static uint32_t find_touching(tci_scene_step_run *run, uint32_t *dropped)
{
    tc_scene_contacts contacts = {.contact = run->contact, .max = run->sizes.contacts};
    tc_scene_place_all(&run->placed, run->q, run->v);
    tc_scene_find(&run->placed, run->config->touch, &contacts);
    *dropped = contacts.dropped;
    return contacts.count;
}

/* The impact of the n contacts whose rows are in G; `approach`: the fastest */
static tc_status strike_rows(const tci_scene_step_interval *own, uint32_t n, tc_real approach)
{
    tci_scene_step_run *const run = own->run;
    const int newton = run->config->bounce == TC_SCENE_STEP_NEWTON;
    for (uint32_t i = 0; i < n && approach <= run->config->rest; ++i) run->e[i] = TC_C(0.0);
    const tc_status status =
        tci_scene_step_solve(run, n, newton ? tci_scene_step_rebound(run, n) : NULL, NULL);
    if (status < TC_OK) return status;
    keep_impact(own, 0, n);
    tci_scene_step_change(run, run->w);
    for (uint32_t c = 0; c < run->sizes.rates; ++c) run->v[c] += run->w[c];
    tci_scene_step_note(run, n);
    return status;
}

/* Of the closed contacts, where run->q and v are: impact and lift. *found: how many are closed; they
 * are left in run->contact. */
static tc_status strike_closed(const tci_scene_step_interval *own, uint32_t *found)
{
    tci_scene_step_run *const run = own->run;
    uint32_t n = 0, dropped;
    const uint32_t count = find_touching(run, &dropped);
    *found = 0;
    if (run->info != NULL) run->info->dropped += dropped;
    if (count == 0u) return TC_OK;
    tc_status status = tci_scene_step_gather(run, run->q, run->v, count, &n);
    *found = n;
    if (status < TC_OK || n == 0u) return status;
    keep_touching(own, n);
    const tc_real approach = fastest_approach(run, n);
    if (approach > TCI_SCENE_STEP_SLOW * run->config->rest) status = strike_rows(own, n, approach);
    if (status < TC_OK) return status;
    tci_scene_step_lift(run, n);
    return status;
}

/* ---- Closed contacts over an interval -------------------------------------------------------- */

/* The velocity of contact i along its tangents, where the scene is placed */
void tci_scene_step_slip(const tci_scene_step_run *run, uint32_t i, tc_real slip[3])
{
    const tc_scene_contact *const contact = &run->contact[i];
    const tc_scene_pair *const pair = &run->scene->pair[contact->source];
    const tc_scene_surface *const sides[2] = {&run->scene->surface[pair->a],
                                              &run->scene->surface[pair->b]};
    (void)tc_vec_zeroed(TC_OK, slip, 3);
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
    const tc_real most = tci_scene_step_travel(run, closed, half, own->reach);
    own->still = most <= STILL_SHARE * touch;
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
    keep_impact(own, 1, own->n);
    tci_scene_step_change(run, own->change);
    memcpy(own->bias, run->v, d * sizeof *own->bias);
    tc_scene_whiten(&run->placed, own->bias);
    return status;
}

/* ---- The way through an interval ------------------------------------------------------------- */

void tci_scene_step_pass(const tci_scene_step_interval *own, tc_real time)
{
    tci_scene_step_run *const run = own->run;
    const tc_real share = time / own->span;
    memcpy(run->q_try, run->q, run->sizes.coordinates * sizeof *run->q);
    memcpy(run->v_try, run->v, run->sizes.rates * sizeof *run->v);
    tci_scene_step_fly(run, time, run->q_try, run->v_try);
    if (own->n > 0u) {
        memcpy(run->q_stage, run->q_try, run->sizes.coordinates * sizeof *run->q);
        tci_scene_step_shift(run, TC_C(0.5) * time * share, own->change, run->q_try);
        tci_scene_step_add(run, share, own->change, own->middle, run->q_stage, run->q_try,
                           run->v_try);
    }
}

void tci_scene_step_trace(const tci_scene_step_interval *own, tc_real time)
{
    tci_scene_step_run *const run = own->run;
    tci_scene_step_pass(own, time);
    tc_scene_place_all(&run->placed, run->q_try, run->v_try);
}

/* Which pairs are open: run->apart[s] is 1, of those with closed contacts 0. The scene is placed at
 * the beginning. run->gap[s]: of an open pair the gap, or a bound of it that is beyond the margin: then
 * run->apart[s] is TCI_SCENE_STEP_BOUNDED. */
static void note_open(tci_scene_step_run *run, uint32_t closed)
{
    const tc_real touch = run->config->touch;
    for (uint32_t s = 0; s < run->scene->pairs; ++s) run->apart[s] = TC_C(1.0);
    for (uint32_t i = 0; i < closed; ++i) run->apart[run->contact[i].source] = TC_C(0.0);
    for (uint32_t s = 0; s < run->scene->pairs; ++s) {
        if (run->apart[s] == TC_C(0.0)) continue;
        run->gap[s] = tc_scene_gap_bound(&run->placed, s);
        if (run->gap[s] > TC_C(16.0) * touch) {
            run->apart[s] = TCI_SCENE_STEP_BOUNDED;
            continue;
        }
        run->gap[s] = tc_scene_gap(&run->placed, s);
        if (run->gap[s] <= touch) run->apart[s] = TC_C(0.0);
    }
}

/* Whether a contact is one of those that act, or next to one */
int tci_scene_step_acts(const tci_scene_step_interval *own, const tc_scene_contact *contact)
{
    const tci_scene_step_run *const run = own->run;
    for (uint32_t i = 0; i < own->n; ++i) {
        tc_real d[3];
        if (run->contact[i].source != contact->source) continue;
        const tc_real distance = tc_scene_between(run->contact[i].point, contact->point, d);
        if (distance <= TC_C(4.0) * own->reach[i] + TC_C(2.0) * run->config->touch) return 1;
    }
    return 0;
}

/* How far pair s, which was closed, is from touching in a further place, where the scene is placed:
 * at most `most` */
static tc_real further_gap(const tci_scene_step_interval *own, uint32_t s, tc_real most)
{
    tci_scene_step_run *const run = own->run;
    const tc_real slack = SLACK_SHARE * run->config->touch;
    tc_scene_contacts found = {.contact = (void *)run->solve, .max = run->sizes.contacts};
    tc_scene_find_pair(&run->placed, s, most, &found);
    for (uint32_t i = 0; i < found.count; ++i) {
        const tc_scene_contact *const contact = &found.contact[i];
        if (contact->gap < most && !tci_scene_step_acts(own, contact)) most = contact->gap;
    }
    return most + slack;
}

/* The gap of pair s, or of a further place of it, where the scene is placed */
static tc_real gap_ahead(const tci_scene_step_interval *own, uint32_t s)
{
    const tci_scene_step_run *const run = own->run;
    const tc_real touch = run->config->touch;
    if (run->apart[s] > TC_C(0.0)) return tc_scene_gap(&run->placed, s);
    if (own->further == 0u) return touch;
    tc_real most = tci_scene_step_travel_of_pair(own, s);
    if (most <= STILL_SHARE * touch && own->n > 0u) return touch;
    most = tc_vec_max(most, touch);
    return tc_scene_gap(&run->placed, s) >= -SLACK_SHARE * touch ? most : further_gap(own, s, most);
}

/* The smallest gap of the pairs in question, run->apart[s] >= 0 */
static tc_real smallest_ahead(const tci_scene_step_interval *own)
{
    tc_real least = TC_C(1e30);
    for (uint32_t s = 0; s < own->run->scene->pairs; ++s) {
        if (own->run->apart[s] < TC_C(0.0)) continue;
        const tc_real gap = gap_ahead(own, s);
        least = gap < least ? gap : least;
    }
    return least;
}

/* The pair in question that has it */
static int nearest_ahead(const tci_scene_step_interval *own)
{
    tc_real least = TC_C(1e30);
    int nearest = -1;
    for (uint32_t s = 0; s < own->run->scene->pairs; ++s) {
        if (own->run->apart[s] < TC_C(0.0)) continue;
        const tc_real gap = gap_ahead(own, s);
        if (gap < least) nearest = (int)s;
        least = gap < least ? gap : least;
    }
    return nearest;
}

/* Leaves in question those pairs alone that meet; returns the smallest gap that they had at the
 * beginning, or -1 without any. */
static tc_real keep_meeting(tci_scene_step_interval *own)
{
    tci_scene_step_run *const run = own->run;
    const tc_real touch = run->config->touch, close = TC_C(0.5) * SLACK_SHARE * touch;
    tc_real least = TC_C(1e30);
    uint32_t met[2] = {0, 0}; /* open pairs, closed ones */
    for (uint32_t s = 0; s < run->scene->pairs; ++s) {
        const uint32_t closed = run->apart[s] > TC_C(0.0) ? 0u : 1u;
        if (tci_scene_step_stays_apart(own, s) || gap_ahead(own, s) >= TC_C(0.0)) {
            run->apart[s] = TC_C(-1.0);
            continue;
        }
        const tc_real gap = closed ? touch : run->gap[s];
        ++met[closed];
        least = gap < least ? gap : least;
    }
    own->aim = met[0] > 0u ? TC_EPSILON : close;
    own->further -= met[1] > 0u ? 1u : 0u;
    return met[0] + met[1] > 0u ? least : TC_C(-1.0);
}

/* The time at which the first of them meets, on the side apart; Illinois. Where gaps jump, as those of
 * sampled surfaces do, the side apart has no contact, and the search ends behind the jump. */
static tc_real search_meeting(const tci_scene_step_interval *own, tc_real gap_low)
{
    const tc_real rounding = TC_C(4.0) * TC_EPSILON * own->span;
    tci_scene_step_bracket bracket;
    tci_scene_step_bracket_open(&bracket, own->span, gap_low, smallest_ahead(own));
    while (bracket.looks < TCI_SCENE_STEP_LOOKS && bracket.least > own->aim
           && bracket.high - bracket.low > rounding) {
        const tc_real time = tci_scene_step_bracket_next(&bracket);
        tci_scene_step_trace(own, time);
        tci_scene_step_bracket_note(&bracket, time, smallest_ahead(own));
    }
    return bracket.least > own->run->config->touch ? bracket.high : bracket.low;
}

static tc_status solve_interval(tci_scene_step_interval *own, uint32_t closed)
{
    tci_scene_step_run *const run = own->run;
    memcpy(run->q_try, run->q, run->sizes.coordinates * sizeof *run->q);
    memcpy(run->v_try, run->v, run->sizes.rates * sizeof *run->v);
    tci_scene_step_fly(run, own->span, run->q_try, run->v_try);
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
        closed = find_touching(own->run, &dropped);
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
    tc_status status = strike_closed(own, &closed);
    if (status < TC_OK) return status;
    note_open(run, closed);
    own->ready = closed;
    keep_beginning(own);
    status = tci_scene_step_worse(status, cover_slides(own, closed));
    if (status < TC_OK) return status;
    tc_real time = own->span;
    tci_scene_step_trace(own, time);
    if (!last) {
        const tc_real least = keep_meeting(own);
        if (least >= TC_C(0.0)) time = search_meeting(own, least);
        if (least >= TC_C(0.0)) tci_scene_step_trace(own, time);
        if (least >= TC_C(0.0) && own->kept != NULL) own->met = nearest_ahead(own);
    }
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

static tc_status check_sustained(const tci_scene_step_run *run)
{
    const tc_scene *const scene = run->scene;
    int plain =
        scene->joints == 0u && scene->limits == 0u && scene->springs == 0u && scene->field == NULL;
    for (uint32_t m = 0; m < scene->movers; ++m) {
        const tc_scene_mover *const mover = &scene->mover[m];
        const int in_space = scene->dimension == 3u && mover->kind == TC_SCENE_BODY;
        plain = plain && mover->kind != TC_SCENE_CHAIN && (in_space || mover->wrench_ref == NULL);
    }
    return plain ? TC_OK : TC_ERR_UNSUPPORTED;
}

const struct tc_scene_step_method tc_scene_step_sustained = {check_sustained, advance_sustained};
