/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One closed contact of a system on a line (one dimension, plain gaps, in sequence):
 * tci_cdl_resolve and tci_cdl_project of tc_cdl_internal.h with d = 1, each number read once. Not
 * for users: nothing is checked.
 */
#ifndef TC_CDL_LINE_INTERNAL_H
#define TC_CDL_LINE_INTERNAL_H

#include "tc_cdl_internal.h"

TC_BEGIN

/* What Newton's law and the forces ask of a contact; 0 and 0 if it does not act. */
static inline int tci_cdl_line_asked(const tc_cdl *cdl, tc_real u, tc_real pressed, tc_real *newton)
{
    tc_real e;
    if (!tci_cdl_acts(cdl, u, &e)) {
        return 0;
    }
    *newton = TC_MLA(u, e, u);
    return *newton + pressed < TC_C(0.0);
}

static inline tc_real tci_cdl_line_strike_wall(const tc_cdl *cdl, tc_real n, tc_real H, tc_real *V,
                                               tc_real *D)
{
    const tc_real v = *V, d = *D, pressed = n * d;
    tc_real newton;
    if (!tci_cdl_line_asked(cdl, n * v, pressed, &newton)) {
        return TC_C(0.0);
    }
    *V = TC_MLS(v, n, newton);
    *D = TC_MLS(d, n, pressed);
    return -H * (newton + pressed);
}

static inline tc_real tci_cdl_line_strike_pair(const tc_cdl *cdl, const tc_cdl_contact *contact,
                                               tc_real H, tc_real *V, tc_real *D)
{
    const uint32_t b = contact->body, o = contact->other;
    const tc_real n = contact->normal[0], v = V[b], w = V[o], d = D[b], f = D[o];
    const tc_real pressed = n * d - n * f;
    tc_real newton;
    if (!tci_cdl_line_asked(cdl, n * v - n * w, pressed, &newton)) {
        return TC_C(0.0);
    }
    const tc_real kick = -H * newton, hold = -H * pressed, light = cdl->inverse[b],
                  other = cdl->inverse[o];
    V[b] = TC_MLA(v, light * kick, n);
    V[o] = TC_MLS(w, other * kick, n);
    D[b] = TC_MLA(d, light * hold, n);
    D[o] = TC_MLS(f, other * hold, n);
    return -H * (newton + pressed);
}

/* A pair that acted, moved together. */
static inline void tci_cdl_line_join(const tc_cdl *cdl, const tc_cdl_contact *contact, tc_real H,
                                     tc_real *Q)
{
    const uint32_t b = contact->body, o = contact->other;
    const tc_real n = contact->normal[0], distance = contact->distance, q = Q[b], p = Q[o],
                  at = n * p;
    const tc_real depth = n * q - at - distance,
                  moved = TC_MLA(q, cdl->inverse[b] * (-depth * H), n);
    Q[b] = moved;
    Q[o] = TC_MLA(p, n * moved - at - distance, n);
}

TC_END

#endif
