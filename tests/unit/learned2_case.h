/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the tests of the data-augmented contact model share: random patches, laws that say what they
 * are told, and the dynamic branch a second time, in double and by bisection.
 */
#ifndef LEARNED2_CASE_H
#define LEARNED2_CASE_H

#include "test.h"

/* A law that always says the same. */
typedef struct learned2_said {
    tc_real probability[3];
    tc_real ratio;
    tc_status status; /* of classify */
} learned2_said;

tc_learned2_model learned2_said_law(const learned2_said *said);

/* Says class `branch` for certain. */
learned2_said learned2_says(tc_learned_class branch, tc_real ratio);

/* Exact Coulomb friction with this coefficient for a point, in closed form; an edge is answered by
 * enumeration. */
tc_learned2_model learned2_coulomb_law(const double *mu);

/* A patch of `count` contacts as bodies of this size have them, on the floor, and a velocity that
 * often approaches: speeds from 1e-3 to 10 m/s, evenly in the logarithm. Returns k. */
tc_real learned2_random_patch(uint32_t count, tc_patch2 *patch, tc_real velocity[3]);

/* The same in contact space, in double. */
typedef struct learned2_double {
    uint32_t count;
    double W[3][3]; /* t, 1, 2 */
    double u[3];
    double scale; /* sum of |u| */
} learned2_double;

learned2_double learned2_in_double(const tc_learned2_space *space);

/* Frictionless normals for a given friction, by trying all active sets and taking the least
 * violation. */
void learned2_normals(const learned2_double *p, double friction, double n[2]);

/* f*, by bisection of the slip afterwards, which does not decrease with the friction. */
double learned2_arrest(const learned2_double *p);

/* The friction of a ratio: the first root of |s| N(f) = |f| from 0 to f*, by bisection; f* if there
 * is none. */
double learned2_friction(const learned2_double *p, double ratio);

/* u + W p */
void learned2_after(const learned2_double *p, const double impulse[3], double u[3]);

/* ---- A model file ---------------------------------------------------------------------------- */

#define LEARNED2_BLOB_SIZE 2560u
#define LEARNED2_CONTACT_AT 448u /* the contact record in it */

/* Writes a contact model of four single-layer nets with all features, weights drawn from the test's
 * generator, for 1 kg, 0.0045333333 kg m^2, 2 ms, tolerance 0.02; input range of class0 -20..20.
 * Returns its length. */
uint32_t learned2_blob(uint8_t *blob);

/* The same whose nets normalise their inputs; normal[4]: mean of the classifiers', of the
 * regressors', scale likewise. */
uint32_t learned2_blob_normalised(uint8_t *blob, const float *normal);

/* One float layer n_in -> n_out at `at`, tiles of one element, weights from the test's generator;
 * returns where it ends. */
uint32_t learned2_put_layer(uint8_t *blob, uint32_t at, uint32_t n_in, uint32_t n_out);

#endif
