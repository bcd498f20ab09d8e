/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: steps of systems on a line with a single contact, the paper's ball and cradle: no
 * list to run through, and the gap is measured once. A ball over its floor stays in registers
 * altogether; what a failure puts back is written down only if it fails. The arithmetic is that of
 * tc_cdl_step.c, in its order.
 *
 * Cost on Cortex-M4F, called: a ball 85 instructions, 25 more if it strikes; of others 85, 20 a
 * body and the forces, 70 more if a pair strikes and 25 if it is projected.
 */
#include "tc_exact.h"
#include "tc_cdl_line_internal.h"

tc_status tci_cdl_step_alone(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V,
                             tc_cdl_info *info, tc_real *work)
{
    const tc_cdl_contact *const wall = cdl->config.contact;
    const tc_real q = *Q, v = *V, n = wall->normal[0], moved = TC_MLA(q, cdl->config.step, v);
    const tc_real gap = n * moved - wall->distance;
    tc_real after = v, D = *cdl->drift, zero = TC_C(0.0) * gap; /* moved is finite if that is */
    tc_status status = TC_OK;
    *Q = moved;
    if (gap <= TC_C(0.0)) {
        const tc_real impulse = tci_cdl_line_strike_wall(cdl, n, *cdl->H, &after, &D);
        (void)tci_cdl_handed_on(info, impulse > TC_C(0.0), work + 3, -gap, TC_OK);
        work[3] = impulse;
        zero *= impulse;
        status = tci_cdl_overlap_noted(cdl, -gap, TC_OK);
    } else {
        (void)tci_cdl_handed_on(info, 0, NULL, TC_C(0.0), TC_OK);
    }
    after += D;
    *V = after;
    if (zero * after != TC_C(0.0)) {
        work[0] = q;
        work[1] = v;
        work[2] = D;
        return tci_cdl_fail(cdl, force, Q, V, info, work, TC_OK);
    }
    return status;
}

/* The contact's impulse, on V and D; a pair that acts is projected. */
static inline tc_real strike_contact(const tc_cdl *cdl, const tc_cdl_contact *contact, tc_real *Q,
                                     tc_real *V, tc_real *D)
{
    if (contact->other == TC_CDL_WALL) {
        return tci_cdl_line_strike_wall(cdl, contact->normal[0], *cdl->H, V + contact->body,
                                        D + contact->body);
    }
    const tc_real impulse = tci_cdl_line_strike_pair(cdl, contact, *cdl->H, V, D);
    if (impulse > TC_C(0.0) && cdl->config.project) {
        tci_cdl_line_join(cdl, contact, *cdl->H, Q);
    }
    return impulse;
}

tc_status tci_cdl_step_single(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V,
                              tc_cdl_info *info, tc_real *work)
{
    const tc_cdl_contact *const contact = cdl->config.contact;
    const uint32_t n = cdl->coordinates;
    tc_real *const D = work + 2u * n;
    tc_status note = TC_OK;
    tci_cdl_move(cdl, Q, V, work, 0);
    const tc_status status = tci_cdl_forces(cdl, force, Q, V, work);
    const tc_real gap = tci_cdl_along(contact, contact->normal, Q, 1) - contact->distance;
    tc_real zero = TC_C(0.0) * gap;
    if (gap <= TC_C(0.0)) {
        const tc_real impulse = strike_contact(cdl, contact, Q, V, D);
        (void)tci_cdl_handed_on(info, impulse > TC_C(0.0), D + n, -gap, TC_OK);
        D[n] = impulse;
        zero *= impulse;
        note = tci_cdl_overlap_noted(cdl, -gap, TC_OK);
    } else {
        (void)tci_cdl_handed_on(info, 0, NULL, TC_C(0.0), TC_OK);
    }
    if (zero + tci_cdl_add(D, Q, V, n) != TC_C(0.0) || status < TC_OK) {
        return tci_cdl_fail(cdl, force, Q, V, info, work, status);
    }
    return tci_cdl_noted(note, status);
}
