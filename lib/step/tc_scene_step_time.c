/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The time of impact within a step.
 *
 * A pair may meet if it is apart at the beginning, gap > touch, and overlaps after the motion. The
 * smallest gap of all such pairs, as a function of time, is positive at 0 and negative at the end.
 * Its root is the earliest impact. The search is regula falsi with halved ends (Illinois), from the
 * same beginning each time, so that rounding does not add up. It ends on the side where all are
 * apart.
 *
 * Pairs that touch at the beginning rest on each other, and gravity alone makes them overlap by
 * g h^2 / 2. A pair that comes closer by more than REST g h + touch / h per second strikes: it does
 * so at once, in the first pass of a step.
 */
#include "tc_exact.h"
#include "tc_scene_step_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"

#include <string.h>

#define REST TC_C(2.0)

static tc_status try_motion(tci_scene_step_run *run, tc_real time)
{
    memcpy(run->q_try, run->q, run->sizes.coordinates * sizeof *run->q);
    memcpy(run->v_try, run->v, run->sizes.rates * sizeof *run->v);
    const tc_status status = tci_scene_step_move(run, time, run->q_try, run->v_try);
    if (status >= TC_OK) tc_scene_place_all(&run->placed, run->q_try, run->v_try);
    return status;
}

static void keep_motion(tci_scene_step_run *run)
{
    memcpy(run->q, run->q_try, run->sizes.coordinates * sizeof *run->q);
    memcpy(run->v, run->v_try, run->sizes.rates * sizeof *run->v);
}

/* The smallest gap of those that may meet, where the scene is placed */
static tc_real smallest_gap(const tci_scene_step_run *run)
{
    const uint32_t sources = run->scene->pairs + run->scene->limits;
    tc_real least = TC_C(1e30);
    for (uint32_t s = 0; s < sources; ++s) {
        if (run->apart[s] == TC_C(0.0)) continue;
        const tc_real gap = tc_scene_gap(&run->placed, s);
        least = gap < least ? gap : least;
    }
    return least;
}

/* Of those that were apart, the ones that overlap now; returns their number */
static uint32_t keep_met(tci_scene_step_run *run)
{
    const uint32_t sources = run->scene->pairs + run->scene->limits;
    uint32_t met = 0;
    for (uint32_t s = 0; s < sources; ++s) {
        const int meets = run->apart[s] != TC_C(0.0) && tc_scene_gap(&run->placed, s) < TC_C(0.0);
        run->apart[s] = meets ? TC_C(1.0) : TC_C(0.0);
        met += meets ? 1u : 0u;
    }
    return met;
}

/* A time at which all are apart, the first contact next; the scene is moved there. */
static tc_status search_time(tci_scene_step_run *run, tc_real gap_low, tc_real high, tc_real *time)
{
    const tc_real rounding = TC_C(4.0) * TC_EPSILON * run->config->h;
    tci_scene_step_bracket bracket;
    tci_scene_step_bracket_open(&bracket, high, gap_low, smallest_gap(run));
    while (bracket.looks < TCI_SCENE_STEP_LOOKS && bracket.least > TC_EPSILON
           && bracket.high - bracket.low > rounding) {
        const tc_real t = tci_scene_step_bracket_next(&bracket);
        const tc_status status = try_motion(run, t);
        if (status < TC_OK) return status;
        tci_scene_step_bracket_note(&bracket, t, smallest_gap(run));
    }
    *time = bracket.low;
    return try_motion(run, bracket.low);
}

/* Whether a pair that touches at the beginning is struck; the scene is placed after the motion. */
static int strikes_at_once(const tci_scene_step_run *run)
{
    const tc_real h = run->config->h;
    const tc_real *const g = run->scene->gravity;
    const tc_real rest = REST * h * tc_sqrt(tc_vec_dot3(g, g)) + run->config->touch / h;
    const uint32_t sources = run->scene->pairs + run->scene->limits;
    for (uint32_t s = 0; s < sources; ++s) {
        if (run->apart[s] != TC_C(0.0)) continue;
        if (run->gap[s] - tc_scene_gap(&run->placed, s) > rest * h) return 1;
    }
    return 0;
}

static void note_gaps(tci_scene_step_run *run)
{
    const uint32_t sources = run->scene->pairs + run->scene->limits;
    tc_scene_place_all(&run->placed, run->q, run->v);
    for (uint32_t s = 0; s < sources; ++s) {
        run->gap[s] = tc_scene_gap(&run->placed, s);
        run->apart[s] = run->gap[s] > run->config->touch ? TC_C(1.0) : TC_C(0.0);
    }
}

tc_status tci_scene_step_meet(tci_scene_step_run *run, tc_real *left)
{
    tc_real time = *left;
    note_gaps(run);
    tc_status status = try_motion(run, *left);
    if (status < TC_OK) return status;
    if (*left == run->config->h && strikes_at_once(run) && !run->struck) {
        run->struck = 1;
        return TC_OK;
    }
    if (keep_met(run) == 0u) {
        keep_motion(run);
        *left = TC_C(0.0);
        return status;
    }
    tc_scene_place_all(&run->placed, run->q, run->v);
    const tc_real gap = smallest_gap(run);
    status = try_motion(run, *left);
    if (status >= TC_OK) status = search_time(run, gap, *left, &time);
    if (status < TC_OK) return status;
    keep_motion(run);
    *left -= time;
    return TC_OK;
}
