/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Spatial limbs whose last link touches a plane, and the whole of them solved a second time, in
 * double: mass matrix inverted by elimination, contact matrix J M^-1 J^T of all contacts, Coulomb's
 * law by sweeps until nothing moves.
 */
#ifndef LIMB3_CASE_H
#define LIMB3_CASE_H

#include "learned3_case.h"

#include "tc_limb3.h"

#define LIMB_CASE_DOF TC_CHAIN3_DOF

/* Of velocities; what masses of 1 : 9 do to M's condition is in it. Double: false position ends
 * there. */
#ifdef TC_DOUBLE
#define LIMB_CASE_TOLERANCE 2e-5
#else
#define LIMB_CASE_TOLERANCE 5e-4
#endif

/* Double is software on the boards. */
#ifdef __arm__
#define LIMB_CASE_ROUNDS(n) ((n) / 40u + 2u)
#define LIMB_CASE_SWEEPS 60u
#else
#define LIMB_CASE_ROUNDS(n) TEST_ROUNDS(n)
#define LIMB_CASE_SWEEPS 3000u
#endif

typedef struct limb_case {
    tc_chain3_link links[TC_CHAIN_MAX];
    tc_limb3 leg;
    tc_limb3_state state, before; /* now, and before the last limb_case_step */
    tc_limb3_info info;
    tc_real torque[LIMB_CASE_DOF];
    uint32_t n;
} limb_case;

/* `count` links, each joint of either kind, masses and inertias within a factor `spread` of 1 kg's;
 * the last a box of 0.2 x 0.15 x 0.1 m that is 0.1 mm in a plane with `corners` (1, 2, 4) of its
 * vertices, however it stands. Rates within `speed`. */
void limb_case_random(limb_case *c, uint32_t count, int floating, uint32_t corners, tc_real spread,
                      tc_real speed, const tc_learned3_model *law);

/* A step, with guards round the workspace */
tc_status limb_case_step(limb_case *c);

/* Vertices of the box, the plane anew: `depth` in it with `corners` vertices */
void limb_case_touch(limb_case *c, uint32_t corners, tc_real depth);

/* Says something else each time it is asked, of which no training gives much. */
extern const tc_learned3_model limb_case_fickle;

/* "round 0012" */
const char *limb_case_text(uint32_t round);

/* ---- In double ------------------------------------------------------------------------------- */

typedef struct limb_double {
    uint32_t n, count;
    double mass[LIMB_CASE_DOF][LIMB_CASE_DOF], inverse[LIMB_CASE_DOF][LIMB_CASE_DOF];
    double J[TC_PATCH_MAX][3][LIMB_CASE_DOF]; /* of contacts, in the patch's frame */
    double free[LIMB_CASE_DOF];               /* rates without contact */
    tc_patch3 patch;
} limb_double;

/* Of the state before the last step */
void limb_double_make(const limb_case *c, limb_double *d);

/* Velocity of contact i */
void limb_double_at(const limb_double *d, uint32_t i, const double *rates, double u[3]);

/* rates += what impulse p at contact i does [N s] */
void limb_double_push(const limb_double *d, uint32_t i, const double p[3], double *rates);

double limb_double_kinetic(const limb_double *d, const double *rates);

/* Speed of the fastest contact */
double limb_double_speed(const limb_double *d, const double *rates);

/* Rates and impulses under Coulomb's law */
void limb_double_coulomb(const limb_double *d, double mu, uint32_t sweeps,
                         double p[TC_PATCH_MAX][3], double *rates);

/* Of the step that was made: no normal pulls, no contact approaches, no energy is created */
void limb_case_keeps_out(const limb_case *c, const limb_double *d, const char *text);

/* That, and no normal acts on a contact that leaves: properties (1) to (3) of the paper */
void limb_case_promises(const limb_case *c, const limb_double *d, const char *text);

#endif
