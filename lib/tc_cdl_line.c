/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: closed contacts of systems on a line (one dimension, plain gaps, in sequence). A source of its own, so
 * that the step keeps its registers. The arithmetic is that of tc_cdl_core.h with d = 1, each number read once.
 *
 * Each contact is measured and resolved in one go, for impulses move no positions. Projections do: they come after all
 * impulses, so that none opens or closes what comes later in the list.
 *
 * Cost on Cortex-M4F: 40 instructions, 20 for a contact, 40 more if it acts on a wall, 70 if on a pair, 35 if
 * projected.
 */
#include "tc_exact.h"
#include "tc_cdl_line_core.h"

/* Pairs that acted, moved together. */
static inline void project(const tc_cdl *cdl, tc_real *Q, const tc_real *impulse)
{
    const tc_cdl_contact *contact = cdl->config.contact;
    const tc_cdl_contact *const end = contact + cdl->config.contacts;
    const tc_real *H = cdl->H;
    for (; contact != end; contact++, H++) {
        if (*impulse++ > TC_C(0.0) && contact->other != TC_CDL_WALL) {
            tc_cdl_join(cdl, contact, *H, Q);
        }
    }
}

uint32_t tc_cdl_strike_line(const tc_cdl *cdl, tc_real *Q, tc_real *V, tc_real *D)
{
    const tc_cdl_contact *const list = cdl->config.contact, *contact = list;
    const tc_cdl_contact *const end = list + cdl->config.contacts;
    const tc_real *H = cdl->H;
    tc_real *gap = D + cdl->coordinates;
    uint32_t acting = 0;
    for (; contact != end; contact++, H++) {
        tc_real impulse = TC_C(0.0);
        if (tc_cdl_along(contact, contact->normal, Q, 1) - contact->distance <= TC_C(0.0)) {
            impulse = contact->other == TC_CDL_WALL
                          ? tc_cdl_strike_wall(cdl, contact->normal[0], *H, V + contact->body, D + contact->body)
                          : tc_cdl_strike_pair(cdl, contact, *H, V, D);
            acting += impulse > TC_C(0.0);
        }
        *gap++ = impulse;
    }
    if (acting > 0u && cdl->config.project) {
        project(cdl, Q, D + cdl->coordinates);
    }
    return acting;
}
