/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: contacts that one pass in sequence leaves approaching, and pairs that are projected
 * together.
 *
 * A contact is given its velocity in its turn, and a later one of the list may take it away. Where
 * masses are alike the next step makes good for that. A light body between two heavy ones cannot:
 * in each step it is thrown at the one that comes first, gives it a thousandth of what would stop
 * it, and is thrown back; it passes through both before they part (masses to 10^4 : 1, K of 3 to 8,
 * e = 0.2: 14 % of rows). What one exact bounce after the other comes to there, infinitely many in
 * no time, is what all contacts together say.
 *
 * So a contact may be late by one step. It is stuck if it approaches still and overlaps by more
 * than it would add in one more step, gap < h u < 0. Then its row (tc_cdl_row.c) is resolved at
 * once, with e, and if a contact that parted comes back, once more without; at the end none is
 * stuck:
 *
 *     u >= 0 or -gap <= h |u|,   so -gap' <= max(-gap, 2 h |u|), and what forces press in
 *
 * and the overlap never exceeds the way of two steps at the fastest approach. Contacts that are no
 * rows (in the plane, in space, a body with two closed contacts on one side) get passes without
 * restitution over those that are stuck, PASSES of them: that is exact for some, and where masses
 * differ by more than about 100 : 1 it is not; TC_NOTE_LIMIT says so.
 *
 * No energy comes in: each impulse is one of a lawful contact, see tc_cdl_simultaneous.c for those
 * together.
 *
 * Projection. Pair by pair, a light body is moved out of one neighbour into the other, and step by
 * step through it: rows are moved together. Elsewhere a pair is not pushed apart where that makes
 * another overlap of its bodies deeper.
 */
#include "tc_exact.h"
#include "tc_cdl_internal.h"
#include "tc_vec.h"

#include <string.h>

#define PASSES 16u

/* Those that overlap or touch, or all. */
static tci_cdl_set choose_contacts(const tc_cdl *cdl, const tci_cdl_work *r, int all)
{
    const uint32_t d = cdl->config.dimension;
    tci_cdl_set set = {{0}};
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        const tc_cdl_contact *const contact = &cdl->config.contact[c];
        const tc_real *const n = tci_cdl_normal(cdl, r->normal, c, d);
        if (all || tci_cdl_along(contact, n, r->Q, d) - contact->distance <= TC_C(0.0)) {
            tci_cdl_put(&set, c);
        }
    }
    return set;
}

/* ---- Velocities ------------------------------------------------------------------------------ */

/* One pass over contacts that are stuck. */
static void relieve_once(const tc_cdl *cdl, const tci_cdl_work *r, uint32_t d)
{
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        const tc_cdl_contact *const contact = &cdl->config.contact[c];
        const tc_real *const n = tci_cdl_normal(cdl, r->normal, c, d);
        tci_cdl_depths one = {TC_C(0.0), 0};
        tci_cdl_survey(cdl, r, c, d, &one);
        if (one.stuck) {
            const tc_real lambda =
                -tci_cdl_effective_mass(cdl, n, c, d) * tci_cdl_along(contact, n, r->V, d);
            tci_cdl_strike(cdl, n, c, lambda, r->V, d);
            r->gap[c] += lambda;
        }
    }
}

/* Nothing is stuck afterwards, or TC_NOTE_LIMIT. */
static tc_status release_stuck(const tc_cdl *cdl, const tci_cdl_work *r)
{
    const uint32_t d = cdl->config.dimension;
    const tci_cdl_set closed = choose_contacts(cdl, r, 0);
    tci_cdl_row row = {r, &closed, 0, 0, 1};
    int stuck = 1;
    if (tci_cdl_row_solve(cdl, &row) >= TC_OK) {
        row.elastic = 0;
        stuck = tci_cdl_survey_all(cdl, r, d).stuck && tci_cdl_row_solve(cdl, &row) < TC_OK;
    }
    for (uint32_t i = 0; i < PASSES && stuck; i++) {
        relieve_once(cdl, r, d);
        stuck = tci_cdl_survey_all(cdl, r, d).stuck;
    }
    return stuck ? TC_NOTE_LIMIT : TC_OK;
}

/* ---- Positions ------------------------------------------------------------------------------- */

static tc_real gap_of_relief(const tc_cdl *cdl, const tci_cdl_work *r, uint32_t c)
{
    const uint32_t d = cdl->config.dimension;
    const tc_cdl_contact *const contact = &cdl->config.contact[c];
    return tci_cdl_along(contact, tci_cdl_normal(cdl, r->normal, c, d), r->Q, d)
           - contact->distance;
}

static void swap_vectors(tc_real *x, tc_real *y, uint32_t d)
{
    for (uint32_t a = 0; a < d; a++) {
        const tc_real kept = x[a];
        x[a] = y[a];
        y[a] = kept;
    }
}

static int shares_body(const tc_cdl_contact *one, const tc_cdl_contact *other)
{
    return one->body == other->body || one->body == other->other || one->other == other->body
           || one->other == other->other;
}

/* A pair that was pushed apart, and where its bodies were. */
typedef struct pushed {
    uint32_t c;
    tc_real least; /* [m] what does not count as deeper */
    tc_real was[2][TC_CDL_DIMENSION_MAX];
} pushed;

static void swap_pair(const tc_cdl *cdl, const tci_cdl_work *r, pushed *p)
{
    const uint32_t d = cdl->config.dimension;
    const tc_cdl_contact *const contact = &cdl->config.contact[p->c];
    swap_vectors(r->Q + contact->body * d, p->was[0], d);
    swap_vectors(r->Q + contact->other * d, p->was[1], d);
}

/* Whether another contact of the two bodies overlaps deeper than before the push. */
static int deepens_neighbour(const tc_cdl *cdl, const tci_cdl_work *r, pushed *p)
{
    const tc_cdl_contact *const list = cdl->config.contact;
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        const tc_real after =
            c != p->c && shares_body(&list[p->c], &list[c]) ? gap_of_relief(cdl, r, c) : TC_C(0.0);
        if (after < -p->least) {
            swap_pair(cdl, r, p);
            const tc_real before = gap_of_relief(cdl, r, c);
            swap_pair(cdl, r, p);
            if (after < before - p->least) {
                return 1;
            }
        }
    }
    return 0;
}

/* Pair by pair; TC_NOTE_FALLBACK if one was not pushed. */
static tc_status join_pairs(const tc_cdl *cdl, const tci_cdl_work *r, int guarded)
{
    const uint32_t d = cdl->config.dimension;
    tc_status status = TC_OK;
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        const tc_cdl_contact *const contact = &cdl->config.contact[c];
        if (!(r->gap[c] > TC_C(0.0)) || contact->other == TC_CDL_WALL) {
            continue;
        }
        const tc_real *const n = tci_cdl_normal(cdl, r->normal, c, d);
        pushed p = {c, tc_vec_magnitude(gap_of_relief(cdl, r, c)) / TC_C(1024.0), {{TC_C(0.0)}}};
        memcpy(p.was[0], r->Q + contact->body * d, d * sizeof *r->Q);
        memcpy(p.was[1], r->Q + contact->other * d, d * sizeof *r->Q);
        tci_cdl_project(cdl, contact, n, tci_cdl_effective_mass(cdl, n, c, d), r->Q, d);
        if (guarded && deepens_neighbour(cdl, r, &p)) {
            swap_pair(cdl, r, &p);
            status = TC_NOTE_FALLBACK;
        }
    }
    return status;
}

static tc_status project_relief(const tc_cdl *cdl, const tci_cdl_work *r)
{
    const tci_cdl_set all = choose_contacts(cdl, r, 1);
    const tci_cdl_row row = {r, &all, 1, 0, 0};
    const int guarded = cdl->metric && cdl->config.contacts > 1u;
    const tc_status status = guarded ? tci_cdl_row_solve(cdl, &row) : TC_ERR_UNSUPPORTED;
    return status >= TC_OK ? status : join_pairs(cdl, r, guarded);
}

/* ---- Both ------------------------------------------------------------------------------------ */

tc_status tci_cdl_relieve(const tc_cdl *cdl, const tci_cdl_work *r, tci_cdl_depths depths,
                          tc_cdl_info *info)
{
    tc_status status = depths.stuck && cdl->config.contacts > 1u ? release_stuck(cdl, r) : TC_OK;
    info->overlap = depths.deepest;
    info->acting = 0;
    for (uint32_t c = 0; c < cdl->config.contacts; c++) {
        info->acting += r->gap[c] > TC_C(0.0);
    }
    if (cdl->config.project && info->acting > 0u) {
        status = tci_cdl_noted(status, project_relief(cdl, r));
    }
    return tci_cdl_overlap_noted(cdl, depths.deepest, status);
}
