/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Gaps and normals of spheres over a ground: phi(q) - r and the gradient there. Pairs are asked of
 * the signal of spheres.
 */
#include "tc_exact.h"
#include "tc_cdl_ground.h"

static tc_status look_wall(const tc_cdl_ground *ground, uint32_t dimension, const tc_real *q,
                           tc_real *gap, tc_real *normal)
{
    if (dimension == 3u) return tc_ground3_look(&ground->space, q, gap, normal, NULL, 0);
    return dimension == 2u ? tc_ground2_look(&ground->section, q, gap, normal) : TC_ERR_UNSUPPORTED;
}

/* tc_calls: ground_gaps lib/cdl/tc_cdl_laws.c:sphere_gaps */
static tc_status ground_gaps(const void *context, const tc_cdl *cdl, const tc_real *Q,
                             const tc_real *V, tc_real *gap, tc_real *normal, tc_real *scratch)
{
    const uint32_t d = cdl->config.dimension;
    tc_status noted = tc_cdl_laws_spheres().gap(NULL, cdl, Q, V, gap, normal, scratch);
    for (uint32_t c = 0; c < cdl->config.contacts; ++c) {
        const tc_cdl_contact *const contact = &cdl->config.contact[c];
        if (contact->other != TC_CDL_WALL) continue;
        const tc_status status =
            look_wall(context, d, Q + contact->body * d, &gap[c], normal + c * d);
        if (status < TC_OK) return status;
        if (status > TC_OK) noted = status;
        gap[c] -= contact->distance;
    }
    return noted;
}

tc_cdl_signal tc_cdl_ground_signal(const tc_cdl_ground *ground)
{
    const tc_cdl_signal signal = {ground_gaps, ground, 0, 1, 0};
    return signal;
}
