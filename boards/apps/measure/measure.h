/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The cases that MEASURE= chose, and estimates of this core from tests/measured.csv; the Makefile writes both (tools/make/firmware.mk).
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>

/* Runs the cases. */
void measure_chosen(void);

typedef struct measure_estimate {
    const char *name; /* as in tests/measured.csv */
    uint32_t cycles;
} measure_estimate;

extern const measure_estimate measure_estimates[];
extern const uint32_t measure_estimates_count;

#endif
