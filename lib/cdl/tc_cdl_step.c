/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: the step. tc_cdl.c has the equations.
 *
 * Q and V are moved where they are; what they were is kept in the workspace and put back if the
 * step fails, which is only known at its end: one product with 0 for each number finds what is not
 * finite, whoever made it.
 *
 * Systems on a line (one dimension, plain gaps, in sequence: all of the paper's) look for closed
 * contacts here and have them resolved in tc_cdl_line.c; with a single contact they have a step of
 * their own in tc_cdl_single.c; the others go to tc_cdl_contact.c. The arithmetic is the same
 * everywhere. Each way is a function apart, so that tc_cdl_step itself is a few comparisons and a
 * jump, and none pays for another's registers.
 *
 * Work: Q and V as they were, D, gaps, normals, then the models' own: 3 K d + contacts (d + 1) +
 * model_work. */
#include "tc_exact.h"
#include "tc_cdl.h"

#include "tc_cdl_internal.h"

/* ---- Contacts on a line ---------------------------------------------------------------------- */

static inline tc_status meet_on_line(const tc_cdl *cdl, tc_real *Q, tc_real *V, tc_real *work,
                                     tc_cdl_info *info)
{
    const tc_cdl_contact *contact = cdl->config.contact;
    const tc_cdl_contact *const end = contact + cdl->config.contacts;
    for (; contact != end; contact++) {
        if (tci_cdl_along(contact, contact->normal, Q, 1) - contact->distance <= TC_C(0.0)) {
            return tci_cdl_strike_line(cdl, Q, V, work, info);
        }
    }
    return TC_OK;
}

/* ---- The step -------------------------------------------------------------------------------- */

CDL_APART static tc_status step_on_line(const tc_cdl *cdl, const tc_real *force, tc_real *Q,
                                        tc_real *V, tc_cdl_info *info, tc_real *work)
{
    const uint32_t n = cdl->coordinates;
    tc_cdl_info found = {0, NULL, 0, TC_C(0.0)};
    tc_status status = TC_OK;
    if (cdl->steady && force == NULL) {
        tci_cdl_move(cdl, Q, V, work, 1);
    } else {
        tci_cdl_move(cdl, Q, V, work, 0);
        status = tci_cdl_forces(cdl, force, Q, V, work);
    }
    const tc_status note = meet_on_line(cdl, Q, V, work, &found);
    const tc_real zero = found.impulse != NULL ? tci_cdl_overflow(cdl, &found) : TC_C(0.0);
    if (zero + tci_cdl_add(work + 2u * n, Q, V, n) != TC_C(0.0) || status < TC_OK) {
        return tci_cdl_fail(cdl, force, Q, V, info, work,
                            tci_cdl_handed_on(info, 0, NULL, TC_C(0.0), status));
    }
    return tci_cdl_handed_on(info, found.acting, found.impulse, found.overlap,
                             tci_cdl_noted(note, status));
}

CDL_APART static tc_status step_any(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V,
                                    tc_cdl_info *info, tc_real *work)
{
    const uint32_t n = cdl->coordinates;
    tc_cdl_info found = {0, NULL, 0, TC_C(0.0)};
    tc_status status = TC_OK;
    tci_cdl_move(cdl, Q, V, work, 1);
    if (!cdl->steady || force != NULL) {
        status = tci_cdl_forces(cdl, force, Q, V, work);
    }
    if (status >= TC_OK) {
        const tc_status next = tci_cdl_meet(cdl, Q, V, work, &found);
        status = next < TC_OK ? next : tci_cdl_noted(next, status);
    }
    tc_real zero = tci_cdl_add(work + 2u * n, Q, V, n);
    if (status >= TC_OK && found.impulse != NULL) {
        zero += tci_cdl_overflow(cdl, &found);
    }
    if (info != NULL) {
        *info = found;
    }
    return status < TC_OK || zero != TC_C(0.0) ? tci_cdl_fail(cdl, force, Q, V, info, work, status)
                                               : status;
}

tc_status tc_cdl_step(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V,
                      tc_cdl_info *info, tc_real *work, size_t work_len)
{
    const tc_status status = tci_cdl_arguments(cdl, Q, V, work, work_len);
    if (status < TC_OK) {
        return tci_cdl_handed_on(info, 0, NULL, TC_C(0.0), status);
    }
    if (cdl->way == TC_CDL_ANY) {
        return step_any(cdl, force, Q, V, info, work);
    }
    if (cdl->way == TC_CDL_SINGLE) {
        return tci_cdl_step_single(cdl, force, Q, V, info, work);
    }
    if (cdl->way == TC_CDL_ALONE && force == NULL) {
        return tci_cdl_step_alone(cdl, force, Q, V, info, work);
    }
    return step_on_line(cdl, force, Q, V, info, work);
}
