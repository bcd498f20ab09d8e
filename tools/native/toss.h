/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What Python calls for tosses: roll-outs of a convex body in space, many starts by many sets of
 * parameters in one call, by the library's own step. Host only; linked into the shared library.
 *
 * All numbers cross in double, SI, whatever tc_real is. A state is 13 numbers: position of the
 * centre of mass, quaternion (w, x, y, z) of the principal axes, v, omega, world axes.
 */
#ifndef NATIVE_TOSS_H
#define NATIVE_TOSS_H

#include "native.h"

#include "tc_foot3.h"

TC_BEGIN

#define NATIVE_TOSS_STATE 13u

/* One set of parameters: body, plane, contact. */
typedef struct native_toss_set {
    double mass, inertia[3];  /* [kg], principal moments [kg m^2] */
    double step;              /* longest step [s]; a row's interval is a whole number of steps */
    double normal[3], offset; /* the plane: points x with normal . x = offset [m] */
    double gravity[3];        /* world axes [m/s^2] */
    double restitution;       /* 0..1; of rigid contacts */
    double radius;            /* of the shape's rounding [m] */
    double stiffness, damping, slope;                        /* tc_compliance; stiffness 0: rigid */
    double mu[3];                                            /* of points, edges, faces [1] */
    double gain[2], slip_weight[2], load_weight[2], bias[2]; /* tc_friction3's residual */
    const double *vertices;                                  /* [count][3] body axes [m] */
    uint32_t count;                                          /* 1..TC_SHAPE_MAX */
    int32_t positions;                                       /* tc_scheme; of rigid contacts */
    uint32_t rounds, frozen; /* tc_learned3_sweeps; rounds 0: the default */
    int32_t warm;            /* 1: sweeps begin where the last step ended */
    int32_t unused;
} native_toss_set;

/* Rolls out each of starts[n_starts][13] with each of n_sets sets. Row r of start i is asked for at
 * times[r] [s] after the start, r in first[i] .. first[i + 1] - 1, times not descending and >= 0.
 * states[n_sets][first[n_starts]][13] receives the states at the rows; NaN from the row on before
 * which a step failed. statuses[n_sets][n_starts] receives the status of the last step, or of the
 * set's check. Returns how many roll-outs failed. */
int32_t native_toss_roll(const native_toss_set *sets, uint32_t n_sets, const double *starts,
                         uint32_t n_starts, const uint32_t *first, const double *times,
                         double *states, int32_t *statuses);

/* One step of the set's length from each of states[n][13], without the impulses of another. after[n]
 * receives the states, impulse[n][6] the whole impulse about the centre of mass in world axes [N s],
 * [N m s], contact[n][2] the tc_learned_class of the contact and the number of contacts, statuses[n]
 * the status of the step or of the set's check. After an error numbers are NaN. Returns how many
 * steps failed. */
int32_t native_toss_step(const native_toss_set *set, const double *states, uint32_t n,
                         double *after, double *impulse, int32_t *contact, int32_t *statuses);

TC_END

#endif
