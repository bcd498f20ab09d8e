/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: closed contacts of systems on a line (one dimension, plain gaps, in sequence). A
 * source of its own, so that the step keeps its registers. The arithmetic is that of
 * tc_cdl_internal.h with d = 1, each number read once.
 *
 * Each contact is measured and resolved in one go, for impulses move no positions. Projections do:
 * they come after all impulses, with what mends contacts that are stuck, in tc_cdl_relief.c.
 *
 * Cost on Cortex-M4F: 60 instructions, 20 for a contact, 35 if it is closed, 40 more if it acts on
 * a wall, 70 if on a pair.
 */
#include "tc_exact.h"
#include "tc_cdl_line_internal.h"

tc_status tci_cdl_strike_line(const tc_cdl *cdl, tc_real *Q, tc_real *V, tc_real *work,
                              tc_cdl_info *info)
{
    const tc_cdl_contact *const list = cdl->config.contact, *contact = list;
    const tc_cdl_contact *const end = list + cdl->config.contacts;
    const tci_cdl_work r = tci_cdl_carve(cdl, Q, V, work);
    const tc_real *H = cdl->H;
    tc_real *gap = r.gap;
    for (; contact != end; contact++, H++) {
        tc_real impulse = TC_C(0.0);
        if (tci_cdl_along(contact, contact->normal, Q, 1) - contact->distance <= TC_C(0.0)) {
            impulse = contact->other == TC_CDL_WALL
                          ? tci_cdl_line_strike_wall(cdl, contact->normal[0], *H, V + contact->body,
                                                     r.D + contact->body)
                          : tci_cdl_line_strike_pair(cdl, contact, *H, V, r.D);
            info->acting += impulse > TC_C(0.0);
        }
        *gap++ = impulse;
    }
    info->impulse = r.gap;
    const tci_cdl_depths depths = tci_cdl_survey_all(cdl, &r, 1);
    info->overlap = depths.deepest;
    if (depths.stuck || cdl->config.project) {
        return tci_cdl_relieve(cdl, &r, depths, info);
    }
    return tci_cdl_overlap_noted(cdl, depths.deepest, TC_OK);
}
