/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the planar and the spatial contact model share behind tc_learned2.h. Not for users.
 */
#ifndef TC_LEARNED_CORE_H
#define TC_LEARNED_CORE_H

#include "tc_learned.h"

/* Inlined, a step saves a frame; the other caller is seldom linked beside it. And what is kept out
 * of its way. */
#if defined(__GNUC__)
#define LEARNED_INLINE static inline __attribute__((always_inline))
#define LEARNED_APART __attribute__((noinline))
#else
#define LEARNED_INLINE static inline
#define LEARNED_APART
#endif

/* Ties go to the lower number. */
static inline tc_learned_class tc_learned_most_probable(const tc_real *probability)
{
    tc_learned_class best = TC_LEARNED_STATIC;
    if (probability[TC_LEARNED_DYNAMIC] > probability[best]) {
        best = TC_LEARNED_DYNAMIC;
    }
    return probability[TC_LEARNED_DETACH] > probability[best] ? TC_LEARNED_DETACH : best;
}

/* Whether a mass and a moment of inertia, both positive, are within the limits of tc_learned.h. */
static inline int tc_learned_body_in_range(tc_real mass, tc_real inertia)
{
    const tc_real most = TC_LEARNED_GYRATION_MAX * TC_LEARNED_GYRATION_MAX, square = inertia / mass;
    return mass <= TC_LEARNED_MASS_MAX && mass >= TC_C(1.0) / TC_LEARNED_MASS_MAX && square <= most
           && square >= TC_C(1.0) / most;
}

/* The status that the flags stand for. */
static inline tc_status tc_learned_noted(uint32_t flags)
{
    const uint32_t contact = (uint32_t)TC_LEARNED_OVERRULED | (uint32_t)TC_LEARNED_CLAMPED;
    if ((flags & (uint32_t)TC_LEARNED_FALLBACK) != 0u) {
        return TC_NOTE_FALLBACK;
    }
    if ((flags & (uint32_t)TC_LEARNED_RANGE) != 0u) {
        return TC_NOTE_RANGE;
    }
    return (flags & contact) != 0u ? TC_NOTE_CONTACT : TC_OK;
}

/* Neither the law nor the arithmetic has an answer, though nothing was wrong with the question: the
 * inputs were checked. A limb's step falls back then. Any other error of a law ends it. */
static inline int tc_learned_unanswered(tc_status status)
{
    return status == TC_ERR_NOT_CERTIFIED || status == TC_ERR_RANGE;
}

#endif
