/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange: the step. tc_cdl.c has the equations.
 *
 * Q and V are moved where they are; what they were is kept in the workspace and put back if the step fails,
 * which is only known at its end: one product with 0 for each number finds what is not finite, whoever made
 * it.
 *
 * Systems on a line (one dimension, plain gaps, in sequence: all of the paper's) have their contacts here;
 * the rest is in tc_cdl_contact.c, with the same arithmetic.
 *
 * Work: Q and V as they were, D, gaps, normals, then the laws' own: 3 K d + contacts (d + 1) + law. */
#include "tc_cdl.h"

#include "tc_cdl_core.h"
#include "tc_math.h"

#include <string.h>

/* ---- Contacts on a line ----------------------------------------------------------------------------- */

/* Gaps of contacts on a line; whether any is closed. */
static inline int line_gaps(const tc_cdl *cdl, const tc_real *Q, tc_real *gap)
{
    const tc_cdl_contact *contact = cdl->config.contact;
    const tc_cdl_contact *const end = contact + cdl->config.contacts;
    int closed = 0;
    for (; contact != end; contact++) {
        const tc_real g = tc_cdl_along(contact, contact->normal, Q, 1) - contact->distance;
        closed |= g <= TC_C(0.0);
        *gap++ = g;
    }
    return closed;
}

/* ---- The step ------------------------------------------------------------------------------------- */

/* Q(t_n+1), and what was before. */
static inline void move(const tc_cdl *cdl, tc_real *Q, const tc_real *V, tc_real *before)
{
    const uint32_t n = cdl->coordinates;
    const tc_real h = cdl->config.step;
    for (uint32_t i = 0; i < n; i++) {
        const tc_real q = Q[i], v = V[i];
        before[i] = q;
        before[n + i] = v;
        Q[i] = TC_MLA(q, h, v);
    }
}

/* V(t_n+3/2). 0, or NaN if Q or V is not finite: a product with 0 that starts at 0. */
static inline tc_real push(const tc_real *D, const tc_real *Q, tc_real *V, uint32_t n)
{
    tc_real zero = TC_C(0.0);
    for (uint32_t i = 0; i < n; i++) {
        const tc_real v = V[i] + D[i];
        V[i] = v;
        zero = zero * Q[i] * v;
    }
    return zero;
}

/* D where contacts may change it. */
static inline const tc_real *copied(const tc_real *D, tc_real *own, uint32_t n)
{
    for (uint32_t i = 0; i < n && D != own; i++) {
        own[i] = D[i];
    }
    return own;
}

tc_status tc_cdl_step(const tc_cdl *cdl, const tc_real *force, tc_real *Q, tc_real *V, tc_cdl_info *info,
                      tc_real *work, size_t work_len)
{
    tc_cdl_info unwanted;
    tc_status status = tc_cdl_arguments(cdl, Q, V, work, work_len);
    info = info != NULL ? info : &unwanted;
    if (status != TC_OK) {
        memset(info, 0, sizeof *info);
        return status;
    }
    const uint32_t n = cdl->coordinates;
    tc_real *const own = work + 2u * n;
    const tc_real *D = cdl->drift;
    move(cdl, Q, V, work);
    if (!cdl->steady || force != NULL) {
        status = tc_cdl_forces(cdl, force, Q, V, work);
        D = own;
    }
    info->body = info->acting = 0;
    info->impulse = NULL;
    if (!cdl->line || line_gaps(cdl, Q, own + n)) {
        D = copied(D, own, n);
        if (cdl->line) {
            info->impulse = own + n;
            info->acting = tc_cdl_strike_line(cdl, Q, V, own, own + n);
        } else if (status >= TC_OK) {
            const tc_status next = tc_cdl_meet(cdl, Q, V, work, info);
            status = next != TC_OK ? next : status;
        }
    }
    const tc_real zero = push(D, Q, V, n);
    if (status < TC_OK || zero != TC_C(0.0)) {
        const tc_cdl_room r = tc_cdl_carve(cdl, Q, V, work);
        (void)copied(D, own, n);
        return tc_cdl_fail(cdl, force, &r, status, info);
    }
    return status;
}
