/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the files of tc_limb2 share. Not for users.
 *
 * A limb in reduced coordinates z = (qd-hat, r): r is what the joint leaves free of the last link's
 * velocity, omega of a revolute joint, the speed along `at` of a prismatic one (absolute, not
 * relative to the upstream). With J G = 1, J N = 0 the last link moves with v = D z, D = [G J-hat |
 * N], and masses divided by its mass,
 *
 *     H = [M-hat 0; 0 0] / m + D^T diag(1, 1, k^2) D = L L^T,    Y = L^-1 D^T
 *
 * and a wrench w at the last link's centre of mass (per unit mass) changes z by L^-T Y w and v by
 * Y^T Y w. Changes are carried as y = L^T (z - z_t), against the rates z_t at the beginning of the
 * step: what does not change is not rounded, however ill-conditioned H is. For contact rows R, C =
 * Y R^T: the contact velocity is R v_t + C^T y, and W = C^T C is what the paper's A gives as W - (J
 * M^-1 J_c^T)^T A^-1 (J M^-1 J_c^T), without its cancellation: a limb straight above its contact
 * has a small W because C is small.
 *
 * No A and no joint impulse has to be known: the velocity at which the law is asked, v_1 + h M^-1
 * J^T f_j, is the velocity after the step minus what the contact gave, v - M^-1 R^T p; without
 * contact that is lambda_0 = -A^-1 c.
 */
#ifndef TC_LIMB2_INTERNAL_H
#define TC_LIMB2_INTERNAL_H

#include "tc_limb2.h"

/* One limb being solved. Pointers into the caller's work. */
typedef struct tci_limb2_system {
    const tc_foot2 *foot;
    const tc_limb2_config *config;
    const tc_limb2_mechanism *limb;
    tc_patch2 patch;         /* lever[1] is 0 for one contact */
    uint32_t n, size;        /* upstream rates; n + 1 */
    int published;           /* Powell's method is asked for, and can be tried */
    tc_real gyration2;       /* k^2 [m^2] */
    tc_real applied[3];      /* velocity of the last link after its load alone, v_1 */
    tc_limb2_branch *last;   /* read and written by the branch iteration; null: nothing is carried
                              * over */
    tc_learned2_space space; /* of the patch on the limb */
    tc_real offset[2];       /* of the contacts [m/s]: restitution times the approach of one that
                              * bounces, else gap / h, or 0 */
    tc_real start[3];   /* D z_t: the last link's velocity at the beginning, as the joint lets it
                         * be */
    tc_real free[3];    /* the same without contact: start + Y^T y */
    tc_real *L;         /* [size x size] */
    tc_real *D;         /* [size x 4]: the velocity of the last link for one unit of each rate; L
                         * y */
    tc_real *Y;         /* [size x 4]: L^-1 D: Y, and y, what changes without contact */
    tc_real *C;         /* [size x 3] columns: friction, normal 1, normal 2 */
    tc_real *z;         /* [size] rates at the beginning */
    tc_real *change;    /* [size] y with contact */
    tc_real *result;    /* [size] as rates: L^-T change */
    tc_real *upstream;  /* [size x 3] of Powell: rates without joint impulse, M-hat^-1 J-hat^T */
    tc_real *root_work; /* of Powell */
    tc_real *law_work;  /* [law_len] */
    size_t law_len;
} tci_limb2_system;

/* One evaluation of H: the law's answer for the free body at some joint impulse. */
typedef struct tci_limb2_answer {
    tc_learned2_query query;
    tc_learned2_result result;
} tci_limb2_answer;

/* A solution: p, what was solved for it, and how it was found. */
typedef struct tci_limb2_solution {
    tc_real impulse[3]; /* friction, normals, per unit mass */
    tc_learned2_decision decision;
    uint32_t evaluations, solves;
    int consistent;
    tc_real residual;
} tci_limb2_solution;

/* ---- tc_limb2_mechanism.c -------------------------------------------------------------------- */

/* What may be wrong with a foot and a limb. */
tc_status tci_limb2_check(const tc_foot2 *foot, const tc_limb2_mechanism *limb, size_t work_len);

/* Factors H of a checked limb; s->patch is to be set afterwards. */
tc_status tci_limb2_prepare(tci_limb2_system *s, const tc_foot2 *foot,
                            const tc_limb2_config *config, const tc_limb2_mechanism *limb,
                            tc_real *work);

/* Newton's coefficient is in 0..1. A NaN is not. */
static inline int tci_limb2_may_bounce(const tc_foot2 *foot)
{
    return foot->restitution >= TC_C(0.0) && foot->restitution <= TC_C(1.0);
}

/* Gaps count as gap / h, or not at all; those of contacts that bounce never do. */
void tci_limb2_set_patch(tci_limb2_system *s, const tc_patch2 *patch, int use_gap);

/* C of the patch, and W and u of the limb in s->space. */
void tci_limb2_contact_space(tci_limb2_system *s);

/* Nothing moves or is pushed any more: for solves on positions. s->space keeps its W. */
void tci_limb2_stand_still(tci_limb2_system *s);

/* v[3] world: the last link's velocity with contact impulse p (null: none; else C must be of the
 * patch). */
void tci_limb2_velocity(const tci_limb2_system *s, const tc_real *p, tc_real v[3]);

/* What the joint's rows say of a velocity of the last link. */
void tci_limb2_joint_rows(const tc_limb2_mechanism *limb, const tc_real v[3], tc_real rows[2]);

/* H for the joint impulse that goes with contact impulse p (null: none). */
tc_status tci_limb2_evaluate(const tci_limb2_system *s, const tc_real *p, tci_limb2_answer *answer);

/* H at the velocity v[3] (world) of the free body. TC_ERR_NOT_CERTIFIED: that is nothing that a law
 * can be asked about. */
tc_status tci_limb2_ask(const tci_limb2_system *s, const tc_real v[3], tci_limb2_answer *answer);

/* v += M^-1 R^T p: what p gives to the free body, world axes. */
void tci_limb2_push(const tci_limb2_system *s, const tc_real p[3], tc_real v[3]);

/* Rates and velocity after contact impulse p (null: none). They are not looked at: an overflow is
 * the caller's to find. */
void tci_limb2_rates(tci_limb2_system *s, const tc_real *p, tc_real *rates_after,
                     tc_real velocity_after[3]);

/* Contact, joint impulse and violation in `info` for these velocities. */
void tci_limb2_report(const tci_limb2_system *s, const tc_real *p, const tc_real *rates,
                      const tc_real v[3], tc_limb2_info *info);

/* max(tolerance times the joint's speed without contact, tolerance_least) [m/s] */
tc_real tci_limb2_tolerance(const tci_limb2_system *s);

/* ---- tc_limb2_branch.c ----------------------------------------------------------------------- */

/* `info` of nothing: zero, and no class. */
void tci_limb2_no_contact(tc_limb2_info *info);

/* A patch of at least one contact, by either solver, or none, down to velocities; `info` is filled.
 * An error is the law's own. */
tc_status tci_limb2_contact(tci_limb2_system *s, tc_real *rates_after, tc_real velocity_after[3],
                            tc_limb2_info *info);

/* ---- tc_limb2_powell.c ----------------------------------------------------------------------- */

/* What prepare does for Powell's method, and the method, which ends in rates and velocity. */
tc_status tci_limb2_powell_prepare(tci_limb2_system *s);
tc_status tci_limb2_powell(tci_limb2_system *s, tci_limb2_solution *solution, tc_real *rates_after,
                           tc_real velocity_after[3]);

#endif
