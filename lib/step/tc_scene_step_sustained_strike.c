/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The impact at the beginning of a sustained interval: who is closed, what it does to the rates, and
 * depth that is taken out. And what a derivative keeps of an impact.
 */
#include "tc_exact.h"
#include "tc_scene_step_sustained_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"

#include <string.h>

#define LIFT_SWEEPS 8u /* of Gauss-Seidel, for the depth that is taken out */

/* ---- What a derivative keeps ----------------------------------------------------------------- */

/* Those that are closed at the beginning */
static void keep_touching(const tci_scene_step_interval *own, uint32_t n)
{
    if (own->kept == NULL) return;
    own->kept[0].closed = n;
    memcpy(own->kept[0].contact, own->run->contact, n * sizeof *own->run->contact);
}

/* The impact that was solved last: 0 at the beginning, 1 over the interval */
void tci_scene_step_keep(const tci_scene_step_interval *own, uint32_t which, uint32_t n)
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

/* ---- The impact ------------------------------------------------------------------------------ */

/* Takes out depth of the n contacts whose rows are in G, at the placed q. */
void tci_scene_step_lift(tci_scene_step_run *run, uint32_t n)
{
    const uint32_t d = run->sizes.rates;
    const tc_real slack = TCI_SCENE_STEP_SLACK * run->config->touch,
                  share = run->config->compensation;
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
uint32_t tci_scene_step_touching(tci_scene_step_run *run, uint32_t *dropped)
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
    tci_scene_step_keep(own, 0, n);
    tci_scene_step_change(run, run->w);
    for (uint32_t c = 0; c < run->sizes.rates; ++c) run->v[c] += run->w[c];
    tci_scene_step_note(run, n);
    return status;
}

/* Of the closed contacts, where run->q and v are: impact and lift. *found: how many are closed; they
 * are left in run->contact. */
tc_status tci_scene_step_strike(const tci_scene_step_interval *own, uint32_t *found)
{
    tci_scene_step_run *const run = own->run;
    uint32_t n = 0, dropped;
    const uint32_t count = tci_scene_step_touching(run, &dropped);
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
