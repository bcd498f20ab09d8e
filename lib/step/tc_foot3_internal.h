/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What a body and a limb in space share of tc_foot3.c. Not for users.
 */
#ifndef TC_FOOT3_INTERNAL_H
#define TC_FOOT3_INTERNAL_H

#include "tc_foot3.h"

/* What a limb takes: restitution in 0..1, which a NaN is not, and no compliance */
static inline tc_status tci_foot3_for_limb(const tc_foot3 *foot)
{
    if (foot->compliance.stiffness != TC_C(0.0)) {
        return TC_ERR_UNSUPPORTED;
    }
    const int in_range = foot->restitution >= TC_C(0.0) && foot->restitution <= TC_C(1.0);
    return in_range ? TC_OK : TC_ERR_RANGE;
}

/* out = F^T in, both halves */
void tci_foot3_to_world(const tc_patch3 *patch, const tc_real in[6], tc_real out[6]);

/* The result, per unit mass, as impulses, with the patch's vertices */
void tci_foot3_report(tc_real mass, const tc_patch3 *patch, tc_foot3_info *info);

/* Arms and gaps of the patch's vertices at this pose; its frame and count stay. */
void tci_foot3_place(const tc_foot3 *foot, const tc_plane3 *plane, const tc_body3_state *state,
                     tc_patch3 *patch);

/* The gap of the lowest vertex, and which it is, the first of equals */
tc_real tci_foot3_lowest(const tc_foot3 *foot, const tc_plane3 *plane, const tc_body3_state *state,
                         uint32_t *vertex);

/* The share of the time `left` after which the first vertex touches, linear in time. 1: none ends
 * deeper than `sink` */
tc_real tci_foot3_share(const tc_foot3 *foot, const tc_plane3 *plane, const tc_body3_state *state,
                        tc_real left, tc_real sink);

#endif
