/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A first program for any build system: a box slides on a floor until friction stops it.
 */
#ifndef SLIDE_H
#define SLIDE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whole numbers, so that any printf can print them. */
typedef struct slide_result {
    int status;            /* 0, or the tc_status that ended it */
    uint32_t slipped_ms;   /* until the box stands [ms] */
    uint32_t distance_um;  /* it went so far [um]; v^2 / (2 mu g) less v h / 2: 101437 */
    uint32_t bits;         /* a hash of every state on the way; the same on every machine */
    const char *version;   /* which library was linked */
    const char *selfcheck; /* "ok", or what differs from IEEE 754 and the reference's bits */
} slide_result;

slide_result slide(void);

#ifdef __cplusplus
}
#endif

#endif
