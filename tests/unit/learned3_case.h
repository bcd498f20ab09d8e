/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the tests of the spatial contact model share: random patches, laws that say what they are
 * told, Coulomb's law exactly, and whole patches under it a second time, in double and to
 * convergence.
 */
#ifndef LEARNED3_CASE_H
#define LEARNED3_CASE_H

#include "test.h"

/* All n numbers 0 within the tolerance */
void learned3_check_zero(const tc_real *x, uint32_t n, tc_real tolerance, const char *what);

/* A law that always says the same. */
typedef struct learned3_said {
    tc_real probability[3];
    tc_real ratio[2];
    tc_status observed, classified, rated; /* what its calls return */
} learned3_said;

tc_learned3_model learned3_said_law(const learned3_said *said);

/* Says class `branch` for certain. */
learned3_said learned3_says(tc_learned_class branch, tc_real ratio);

/* Exact Coulomb friction with this coefficient. */
tc_learned3_model learned3_coulomb_law(const double *mu);

/* A body on the floor z = 0 that touches it with `count` contacts, the corners of a convex polygon,
 * somewhere below or beside its centre of mass; a velocity that often approaches, speeds from 1e-3
 * to 10 m/s evenly in the logarithm. */
typedef struct learned3_scene {
    tc_body3 body;
    tc_body3_state state;
    tc_patch3 patch;
} learned3_scene;

void learned3_random(uint32_t count, learned3_scene *scene);

/* A body that is not turned, its centre of mass at height z, moving with (vx, 0, vz) */
tc_body3_state learned3_flat(tc_real z, tc_real vx, tc_real vz);

/* ---- In double ------------------------------------------------------------------------------- */

typedef struct learned3_double {
    uint32_t count;
    double arm[TC_PATCH_MAX][3];
    double mobility[3][3];
    double velocity[6];
    double offset[TC_PATCH_MAX];
} learned3_double;

void learned3_cross(const double a[3], const double b[3], double c[3]);
learned3_double learned3_in_double(const tc_learned3_problem *problem);

/* u of contact i, offset included */
void learned3_at(const learned3_double *p, const double velocity[6], uint32_t i, double u[3]);

/* velocity += what an impulse at contact i does */
void learned3_push(const learned3_double *p, uint32_t i, const double impulse[3],
                   double velocity[6]);

/* T per unit mass */
double learned3_kinetic(const learned3_double *p, const double velocity[6]);

/* The exact impulse of one contact with matrix W and velocity u */
void learned3_coulomb_point(double W[3][3], const double u[3], double mu, double impulse[3]);

/* Velocity and impulses of the patch by block Gauss-Seidel, `sweeps` times, each contact
 * exactly. */
void learned3_coulomb_patch(const learned3_double *p, double mu, uint32_t sweeps,
                            double impulse[TC_PATCH_MAX][3], double velocity[6]);

/* ---- A model file ---------------------------------------------------------------------------- */

#define LEARNED3_BLOB_SIZE 1152u
#define LEARNED3_CONTACT_AT 256u /* the contact record in it */

/* Writes a spatial contact model of two single-layer nets with all features, weights from the
 * test's generator, for 1 kg, (0.0027, 0.0042, 0.0052) kg m^2, 2 ms, tolerance 0.02; input range of
 * class0 -20..20. The regressor normalises by 0.25 and 0.75, or as the classifier: not at all.
 * Returns the length. */
uint32_t learned3_blob(uint8_t *blob, int regressor_normalises);

#endif
