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
#include "tc_cdl_core.h"

/* What Newton's law and the forces ask of a contact; 0 and 0 if it does not act. */
static inline int asked(const tc_cdl *cdl, tc_real u, tc_real pressed, tc_real *newton)
{
    tc_real e;
    if (!tc_cdl_acts(cdl, u, &e)) {
        return 0;
    }
    *newton = TC_MLA(u, e, u);
    return *newton + pressed < TC_C(0.0);
}

static inline tc_real strike_wall(const tc_cdl *cdl, tc_real n, tc_real H, tc_real *V, tc_real *D)
{
    const tc_real v = *V, d = *D, pressed = n * d;
    tc_real newton;
    if (!asked(cdl, n * v, pressed, &newton)) {
        return TC_C(0.0);
    }
    *V = TC_MLS(v, n, newton);
    *D = TC_MLS(d, n, pressed);
    return -H * (newton + pressed);
}

static inline tc_real strike_pair(const tc_cdl *cdl, const tc_cdl_contact *contact, tc_real H, tc_real *V, tc_real *D)
{
    const uint32_t b = contact->body, o = contact->other;
    const tc_real n = contact->normal[0], v = V[b], w = V[o], d = D[b], f = D[o];
    const tc_real pressed = n * d - n * f, light = cdl->inverse[b], other = cdl->inverse[o];
    tc_real newton;
    if (!asked(cdl, n * v - n * w, pressed, &newton)) {
        return TC_C(0.0);
    }
    const tc_real kick = -H * newton, hold = -H * pressed;
    V[b] = TC_MLA(v, light * kick, n);
    V[o] = TC_MLS(w, other * kick, n);
    D[b] = TC_MLA(d, light * hold, n);
    D[o] = TC_MLS(f, other * hold, n);
    return -H * (newton + pressed);
}

/* Pairs that acted, moved together. */
static inline void project(const tc_cdl *cdl, tc_real *Q, const tc_real *impulse)
{
    const tc_cdl_contact *contact = cdl->config.contact;
    const tc_cdl_contact *const end = contact + cdl->config.contacts;
    const tc_real *H = cdl->H;
    for (; contact != end; contact++, H++) {
        const uint32_t b = contact->body, o = contact->other;
        if (!(*impulse++ > TC_C(0.0)) || o == TC_CDL_WALL) {
            continue;
        }
        const tc_real n = contact->normal[0], distance = contact->distance, q = Q[b], p = Q[o], at = n * p;
        const tc_real depth = n * q - at - distance, moved = TC_MLA(q, cdl->inverse[b] * (-depth * *H), n);
        Q[b] = moved;
        Q[o] = TC_MLA(p, n * moved - at - distance, n);
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
                          ? strike_wall(cdl, contact->normal[0], *H, V + contact->body, D + contact->body)
                          : strike_pair(cdl, contact, *H, V, D);
            acting += impulse > TC_C(0.0);
        }
        *gap++ = impulse;
    }
    if (acting > 0u && cdl->config.project) {
        project(cdl, Q, D + cdl->coordinates);
    }
    return acting;
}
