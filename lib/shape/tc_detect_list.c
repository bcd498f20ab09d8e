/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Detectors that fill a contact list. A detector reduces before it writes: a shape that touches
 * with 64 vertices takes eight contacts of the list.
 */
#include "tc_exact.h"
#include "tc_detect2.h"
#include "tc_detect3.h"

#include "tc_contact_internal.h"

tc_status tc_detect2_list(const tc_shape2 *shape, const tc_body2_state *state,
                          const tc_plane2 *plane, tc_real margin, const tc_contact_between *between,
                          tc_contact_list *list)
{
    if (!between || !list) return TC_ERR_NULL;
    tc_patch2 patch;
    const tc_status status = tc_detect2(shape, state, plane, margin, &patch);
    return status >= TC_OK ? tci_contact_list_put2(between, &patch, list) : status;
}

tc_status tc_detect3_list(const tc_shape3 *shape, const tc_body3_state *state,
                          const tc_plane3 *plane, tc_real margin, const tc_contact_between *between,
                          tc_contact_list *list)
{
    if (!between || !list) return TC_ERR_NULL;
    tc_patch3 patch;
    const tc_status status = tc_detect3(shape, state, plane, margin, &patch);
    return status >= TC_OK ? tci_contact_list_put3(between, &patch, list) : status;
}
