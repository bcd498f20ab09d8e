/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Banded problems for the tests of tc_band: contacts along a line, drawn by family, and what is
 * true of them in double.
 */
#ifndef BAND_CASE_H
#define BAND_CASE_H

#include "test.h"

#define BAND_CASE_MAX 48u
#define BAND_CASE_PITCH (TC_BAND_WIDTH_MAX + 1u)

/* How the rows of G are made; row i touches columns i..i + width. */
typedef enum band_family {
    BAND_RANDOM,  /* uniform numbers */
    BAND_STRETCH, /* (1, -1): the lengths of a rope's springs */
    BAND_BENDING, /* (1, -2, 1): its angles; the condition number grows with n^4 */
    BAND_TWICE,   /* random, each odd row that of its neighbour: A is singular */
    BAND_FAMILIES
} band_family;

typedef struct band_case {
    tc_band problem;
    tc_real A[BAND_CASE_MAX * BAND_CASE_PITCH], q[BAND_CASE_MAX], floor[BAND_CASE_MAX];
    double G[BAND_CASE_MAX][BAND_CASE_PITCH]; /* of each row the columns from .. from + width */
    uint32_t from[BAND_CASE_MAX], columns;
} band_case;

/* Draws a problem by the generator of test.h. floors: some floors above 0. */
void band_case_draw(band_case *c, band_family family, uint32_t n, uint32_t width, int floors);

/* Row i of G times a vector of all columns */
double band_case_product(const band_case *c, uint32_t i, const double *w0);

/* A_ij of what the library is given */
double band_case_element(const band_case *c, uint32_t i, uint32_t j);

/* w = q + A f in double; returns max_i |min(A_ii (f_i - floor_i), w_i)|, and the scale of its
 * terms */
double band_case_violation(const band_case *c, const tc_real *f, double *w, double *scale);

/* The solution by Gauss-Seidel sweeps in double, until a sweep moves nothing by 1e-14 of the
 * largest; returns 0 if `sweeps` do not suffice. */
int band_case_relax(const band_case *c, uint32_t sweeps, double *f, double *w);

#endif
