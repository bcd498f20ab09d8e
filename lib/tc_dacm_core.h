/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the planar and the spatial contact model share behind tc_dacm.h. Not for users.
 */
#ifndef TC_DACM_CORE_H
#define TC_DACM_CORE_H

#include "tc_dacm.h"

/* Ties go to the lower number. */
static inline tc_contact_class tc_dacm_most_probable(const tc_real *probability)
{
    tc_contact_class best = TC_CONTACT_STATIC;
    if (probability[TC_CONTACT_DYNAMIC] > probability[best]) {
        best = TC_CONTACT_DYNAMIC;
    }
    return probability[TC_CONTACT_DETACH] > probability[best] ? TC_CONTACT_DETACH : best;
}

/* The status that the flags stand for. */
static inline tc_status tc_dacm_noted(uint32_t flags)
{
    const uint32_t contact = (uint32_t)TC_DACM_OVERRULED | (uint32_t)TC_DACM_CLAMPED;
    if ((flags & (uint32_t)TC_DACM_FALLBACK) != 0u) {
        return TC_NOTE_FALLBACK;
    }
    if ((flags & (uint32_t)TC_DACM_RANGE) != 0u) {
        return TC_NOTE_RANGE;
    }
    return (flags & contact) != 0u ? TC_NOTE_CONTACT : TC_OK;
}

/* Neither the law nor the arithmetic has an answer, though nothing was wrong with the question: the inputs
 * were checked. A limb's step falls back then. Any other error of a law ends it. */
static inline int tc_dacm_unanswered(tc_status status)
{
    return status == TC_ERR_NOT_CERTIFIED || status == TC_ERR_RANGE;
}

#endif
