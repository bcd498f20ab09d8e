/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What ends a sustained interval early: a pair that comes together, or a further corner of one that is
 * closed. Limits count as pairs; one that is closed has no further place.
 */
#include "tc_exact.h"
#include "tc_scene_step_sustained_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"

static uint32_t count_sources(const tci_scene_step_run *run)
{
    return run->scene->pairs + run->scene->limits;
}

/* Which of the pairs and limits are open: run->apart[s] is 1, of those with closed contacts 0. The
 * scene is placed at the beginning. run->gap[s]: of an open pair the gap, or a bound of it that is beyond the margin: then
 * run->apart[s] is TCI_SCENE_STEP_BOUNDED. */
void tci_scene_step_note_open(tci_scene_step_run *run, uint32_t closed)
{
    const tc_real touch = run->config->touch;
    const uint32_t sources = count_sources(run);
    for (uint32_t s = 0; s < sources; ++s) run->apart[s] = TC_C(1.0);
    for (uint32_t i = 0; i < closed; ++i) run->apart[run->contact[i].source] = TC_C(0.0);
    for (uint32_t s = 0; s < sources; ++s) {
        if (run->apart[s] == TC_C(0.0)) continue;
        run->gap[s] = s < run->scene->pairs ? tc_scene_gap_bound(&run->placed, s) : TC_C(0.0);
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
    const tc_real slack = TCI_SCENE_STEP_SLACK * run->config->touch;
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
    if (own->further == 0u || s >= run->scene->pairs) return touch;
    tc_real most = tci_scene_step_travel_of_pair(own, s);
    if (most <= TCI_SCENE_STEP_STILL * touch && own->n > 0u) return touch;
    most = tc_vec_max(most, touch);
    return tc_scene_gap(&run->placed, s) >= -TCI_SCENE_STEP_SLACK * touch
               ? most
               : further_gap(own, s, most);
}

/* The smallest gap of the pairs in question, run->apart[s] >= 0 */
static tc_real smallest_ahead(const tci_scene_step_interval *own)
{
    tc_real least = TC_C(1e30);
    const uint32_t sources = count_sources(own->run);
    for (uint32_t s = 0; s < sources; ++s) {
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
    const uint32_t sources = count_sources(own->run);
    for (uint32_t s = 0; s < sources; ++s) {
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
    const tc_real touch = run->config->touch, close = TC_C(0.5) * TCI_SCENE_STEP_SLACK * touch;
    tc_real least = TC_C(1e30);
    const uint32_t sources = count_sources(run);
    uint32_t met[2] = {0, 0}; /* open pairs, closed ones */
    for (uint32_t s = 0; s < sources; ++s) {
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

/* The time at which the first of them meets, where the scene is put: on the side apart; Illinois. Where gaps jump, as those of
 * sampled surfaces do, the side apart has no contact, and the search ends behind the jump. */
static tc_status search_meeting(const tci_scene_step_interval *own, tc_real gap_low, tc_real *time)
{
    const tc_real rounding = TC_C(4.0) * TC_EPSILON * own->span;
    tci_scene_step_bracket bracket;
    tci_scene_step_bracket_open(&bracket, own->span, gap_low, smallest_ahead(own));
    while (bracket.looks < TCI_SCENE_STEP_LOOKS && bracket.least > own->aim
           && bracket.high - bracket.low > rounding) {
        const tc_real t = tci_scene_step_bracket_next(&bracket);
        const tc_status status = tci_scene_step_trace(own, t);
        if (status < TC_OK) return status;
        tci_scene_step_bracket_note(&bracket, t, smallest_ahead(own));
    }
    *time = bracket.least > own->run->config->touch ? bracket.high : bracket.low;
    return tci_scene_step_trace(own, *time);
}

tc_status tci_scene_step_reach(tci_scene_step_interval *own, tc_real *time)
{
    const tc_real least = keep_meeting(own);
    if (least < TC_C(0.0)) return TC_OK;
    const tc_status status = search_meeting(own, least, time);
    if (status >= TC_OK && own->kept != NULL) own->met = nearest_ahead(own);
    return status;
}
