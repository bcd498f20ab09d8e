/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: the step. tc_cdl.c has the equations.
 *
 * Q and V are moved where they are; what they were is kept in the workspace and put back if the step fails,
 * which is only known at its end: one product with 0 for each number finds what is not finite, whoever made
 * it.
 *
 * Systems on a line (one dimension, plain gaps, in sequence: all of the paper's) look for closed contacts here and have
 * them resolved in tc_cdl_line.c, the others in tc_cdl_contact.c, with the same arithmetic. What is written twice,
 * a step without forces but weight, is a ball over a floor: it keeps its registers.
 *
 * Work: Q and V as they were, D, gaps, normals, then the laws' own: 3 K d + contacts (d + 1) + law. */
#include "tc_cdl.h"

#include "tc_cdl_core.h"

#include <string.h>

/* ---- Both grids ------------------------------------------------------------------------------------- */

/* Q(t_n+1), what was before, and what forces that never change add to V. */
static inline void move(const tc_cdl *cdl, tc_real *Q, const tc_real *V, tc_real *work)
{
    const uint32_t n = cdl->coordinates;
    const tc_real h = cdl->config.step;
    const tc_real *drift = cdl->drift;
    tc_real *was = work + n, *D = was + n;
    const tc_real *const end = was;
    do {
        const tc_real q = *Q, v = *V++;
        *work++ = q;
        *was++ = v;
        *D++ = *drift++;
        *Q++ = TC_MLA(q, h, v);
    } while (work != end);
}

/* V(t_n+3/2). 0, or NaN if Q or V is not finite: a product with 0 that starts at 0. */
static inline tc_real push(const tc_real *D, const tc_real *Q, tc_real *V, uint32_t n)
{
    const tc_real *const end = D + n;
    tc_real zero = TC_C(0.0);
    do {
        const tc_real v = *V + *D++;
        *V++ = v;
        zero = zero * *Q++ * v;
    } while (D != end);
    return zero;
}

/* ---- Contacts on a line ----------------------------------------------------------------------------- */

static inline uint32_t meet_on_line(const tc_cdl *cdl, tc_real *Q, tc_real *V, tc_real *D)
{
    const tc_cdl_contact *contact = cdl->config.contact;
    const tc_cdl_contact *const end = contact + cdl->config.contacts;
    for (; contact != end; contact++) {
        if (tc_cdl_along(contact, contact->normal, Q, 1) - contact->distance <= TC_C(0.0)) {
            return tc_cdl_strike_line(cdl, Q, V, D);
        }
    }
    return 0;
}

/* ---- The step --------------------------------------------------------------------------------------- */

static inline tc_status handed_on(tc_cdl_info *info, uint32_t acting, const tc_real *impulse, tc_status status)
{
    if (info != NULL) {
        info->acting = acting;
        info->impulse = acting > 0u ? impulse : NULL;
        info->body = 0;
    }
    return status;
}

/* Nothing but weight, on a line: a body over a floor. */
static inline tc_status step_bare(const tc_cdl *cdl, tc_real *Q, tc_real *V, tc_cdl_info *info, tc_real *work)
{
    const uint32_t n = cdl->coordinates;
    tc_real *const D = work + 2u * n;
    move(cdl, Q, V, work);
    const uint32_t acting = meet_on_line(cdl, Q, V, D);
    if (push(D, Q, V, n) != TC_C(0.0)) {
        return tc_cdl_fail(cdl, NULL, Q, V, info, work, handed_on(info, 0, NULL, TC_OK));
    }
    return handed_on(info, acting, D + n, TC_OK);
}

static inline tc_status step_on_line(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V,
                                     tc_cdl_info *info, tc_real *work)
{
    const uint32_t n = cdl->coordinates;
    tc_real *const D = work + 2u * n;
    move(cdl, Q, V, work);
    const tc_status status = tc_cdl_forces(cdl, force, Q, V, work);
    const uint32_t acting = meet_on_line(cdl, Q, V, D);
    if (push(D, Q, V, n) != TC_C(0.0) || status < TC_OK) {
        return tc_cdl_fail(cdl, force, Q, V, info, work, handed_on(info, 0, NULL, status));
    }
    return handed_on(info, acting, D + n, status);
}

static inline tc_status step_any(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V,
                                 tc_cdl_info *info, tc_real *work)
{
    const uint32_t n = cdl->coordinates;
    tc_cdl_info found = {0, NULL, 0};
    tc_status status = TC_OK;
    move(cdl, Q, V, work);
    if (!cdl->steady || force != NULL) {
        status = tc_cdl_forces(cdl, force, Q, V, work);
    }
    if (status >= TC_OK) {
        const tc_status next = tc_cdl_meet(cdl, Q, V, work, &found);
        status = next != TC_OK ? next : status;
    }
    const tc_real zero = push(work + 2u * n, Q, V, n);
    if (info != NULL) {
        *info = found;
    }
    return status < TC_OK || zero != TC_C(0.0) ? tc_cdl_fail(cdl, force, Q, V, info, work, status) : status;
}

tc_status tc_cdl_step(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V, tc_cdl_info *info,
                      tc_real *work, size_t work_len)
{
    const tc_status status = tc_cdl_arguments(cdl, Q, V, work, work_len);
    if (status != TC_OK) {
        if (info != NULL) {
            memset(info, 0, sizeof *info);
        }
        return status;
    }
    if (cdl->bare && force == NULL) {
        return step_bare(cdl, Q, V, info, work);
    }
    return cdl->line ? step_on_line(cdl, force, Q, V, info, work) : step_any(cdl, force, Q, V, info, work);
}
