/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What a step is held to, in double; the reasons for the tolerances are in judge.c.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "draw.h"

/* The first failure of a trajectory counts, and ends it. */
void fail(run *r, failure what, const char *format, ...);

/* Counts a status; 0 if the trajectory ends with it. */
int status_fits(run *r, tc_status status);

/* Fails unless all n are finite. */
void expect_finite(run *r, const tc_real *x, size_t n, const char *what);

/* value <= tolerance; *most keeps the largest ratio. */
void expect_most(run *r, failure what, double value, double tolerance, double *most,
                 const char *text);

/* Work of an impulse P that left the velocity `after`, M^-1 P = moved: at most slack [J] and
 * rounding. */
void expect_passive(run *r, uint32_t n, const double *P, const double *after, const double *moved,
                    double slack);

/* " name x y z", for a dump */
void show(const char *name, const tc_real *x, uint32_t n);

/* Of what every body draws, a line */
void show_setting(const setting *s, uint32_t corners, double radius);

/* Number, status and contacts of a step: the beginning of its line */
void show_status(const run *r, tc_status status, uint32_t contacts);

void judge_rotation(const tc_real q[4], double R[3][3]);

#endif
