/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the files of tc_dacm_chain share. Not for users.
 *
 * A limb in reduced coordinates z = (qd-hat, r): r is what the joint leaves free of the last link's
 * velocity, omega of a revolute joint, the speed along `at` of a prismatic one (absolute, not relative to
 * the upstream). With J G = 1, J N = 0 the last link moves with v = D z, D = [G J-hat | N], and masses
 * divided by its mass,
 *
 *     H = [M-hat 0; 0 0] / m + D^T diag(1, 1, k^2) D = L L^T,    Y = L^-1 D^T
 *
 * and a wrench w at the last link's centre of mass (per unit mass) changes z by L^-T Y w and v by Y^T Y w.
 * Changes are carried as y = L^T (z - z_t), against the rates z_t at the beginning of the step: what does
 * not change is not rounded, however ill-conditioned H is. For contact rows R, C = Y R^T: the contact
 * velocity is R v_t + C^T y, and W = C^T C is what the paper's A gives as W - (J M^-1 J_c^T)^T A^-1 (J M^-1
 * J_c^T), without its cancellation: a limb straight above its contact has a small W because C is small.
 *
 * No A and no joint impulse has to be known: the velocity at which the law is asked, v_1 + h M^-1 J^T f_j,
 * is the velocity after the step minus what the contact gave, v - M^-1 R^T p; without contact that is
 * lambda_0 = -A^-1 c.
 */
#ifndef TC_DACM_CHAIN_CORE_H
#define TC_DACM_CHAIN_CORE_H

#include "tc_dacm_chain.h"

/* One limb being solved. Pointers into the caller's work. */
typedef struct tc_limb_system {
    const tc_dacm *foot;
    const tc_dacm_chain_config *config;
    const tc_dacm_limb *limb;
    tc_planar_patch patch; /* lever[1] is 0 for one contact */
    uint32_t n, size;      /* upstream rates; n + 1 */
    int published;         /* Powell's method is asked for, and can be tried */
    tc_real gyration2;     /* k^2 [m^2] */
    tc_real applied[3];    /* velocity of the last link after its load alone, v_1 */
    tc_dacm_chain_branch *last; /* read and written by the branch iteration; null: nothing is carried over */
    tc_dacm_space space;   /* of the patch on the limb */
    tc_real offset[2];     /* gap / h of the contacts, or 0 [m/s] */
    tc_real start[3];      /* D z_t: the last link's velocity at the beginning, as the joint lets it be */
    tc_real free[3];       /* the same without contact: start + Y^T y */
    tc_real *L;            /* [size x size] */
    tc_real *D;            /* [size x 4]: the velocity of the last link for one unit of each rate; L y */
    tc_real *Y;            /* [size x 4]: L^-1 D: Y, and y, what changes without contact */
    tc_real *C;            /* [size x 3] columns: friction, normal 1, normal 2 */
    tc_real *z;            /* [size] rates at the beginning */
    tc_real *change;       /* [size] y with contact */
    tc_real *result;       /* [size] as rates: L^-T change */
    tc_real *upstream;     /* [size x 3] of Powell: rates without joint impulse, M-hat^-1 J-hat^T */
    tc_real *root_work;    /* of Powell */
    tc_real *law_work;     /* [law_len] */
    size_t law_len;
} tc_limb_system;

/* One evaluation of H: the law's answer for the free body at some joint impulse. */
typedef struct tc_limb_answer {
    tc_dacm_query query;
    tc_dacm_result result;
} tc_limb_answer;

/* A solution: p, what was solved for it, and how it was found. */
typedef struct tc_limb_solution {
    tc_real impulse[3]; /* friction, normals, per unit mass */
    tc_dacm_decision decision;
    uint32_t evaluations, solves;
    int consistent;
    tc_real residual;
} tc_limb_solution;

/* ---- tc_dacm_chain_limb.c ---- */

/* What may be wrong with a foot and a limb. */
tc_status tc_limb_check(const tc_dacm *foot, const tc_dacm_limb *limb, size_t work_len);

/* Factors H of a checked limb; s->patch is to be set afterwards. */
tc_status tc_limb_prepare(tc_limb_system *s, const tc_dacm *foot, const tc_dacm_chain_config *config,
                          const tc_dacm_limb *limb, tc_real *work);

/* Gaps count as gap / h, or not at all. */
void tc_limb_set_patch(tc_limb_system *s, const tc_planar_patch *patch, int use_gap);

/* C of the patch, and W and u of the limb in s->space. */
void tc_limb_contact_space(tc_limb_system *s);

/* Nothing moves or is pushed any more: for solves on positions. s->space keeps its W. */
void tc_limb_stand_still(tc_limb_system *s);

/* v[3] world: the last link's velocity with contact impulse p (null: none; else C must be of the patch). */
void tc_limb_velocity(const tc_limb_system *s, const tc_real *p, tc_real v[3]);

/* What the joint's rows say of a velocity of the last link. */
void tc_limb_joint_rows(const tc_dacm_limb *limb, const tc_real v[3], tc_real rows[2]);

/* H for the joint impulse that goes with contact impulse p (null: none). */
tc_status tc_limb_evaluate(const tc_limb_system *s, const tc_real *p, tc_limb_answer *answer);

/* H at the velocity v[3] (world) of the free body. TC_ERR_NOT_CERTIFIED: that is nothing that a law can be
 * asked about. */
tc_status tc_limb_ask(const tc_limb_system *s, const tc_real v[3], tc_limb_answer *answer);

/* v += M^-1 R^T p: what p gives to the free body, world axes. */
void tc_limb_push(const tc_limb_system *s, const tc_real p[3], tc_real v[3]);

/* Rates and velocity after contact impulse p (null: none). They are not looked at: an overflow is the
 * caller's to find. */
void tc_limb_rates(tc_limb_system *s, const tc_real *p, tc_real *rates_after, tc_real velocity_after[3]);

/* Contact, joint impulse and violation in `info` for these velocities. */
void tc_limb_report(const tc_limb_system *s, const tc_real *p, const tc_real *rates, const tc_real v[3],
                    tc_dacm_chain_info *info);

/* max(tolerance times the joint's speed without contact, tolerance_least) [m/s] */
tc_real tc_limb_tolerance(const tc_limb_system *s);

/* ---- tc_dacm_chain_branch.c ---- */

/* `info` of nothing: zero, and no class. */
void tc_limb_no_contact(tc_dacm_chain_info *info);

/* A patch of at least one contact, by either solver, or none, down to velocities; `info` is filled. An
 * error is the law's own. */
tc_status tc_limb_contact(tc_limb_system *s, tc_real *rates_after, tc_real velocity_after[3],
                          tc_dacm_chain_info *info);

/* ---- tc_dacm_chain_powell.c ---- */

/* What prepare does for Powell's method, and the method, which ends in rates and velocity. */
tc_status tc_limb_powell_prepare(tc_limb_system *s);
tc_status tc_limb_powell(tc_limb_system *s, tc_limb_solution *solution, tc_real *rates_after,
                         tc_real velocity_after[3]);

#endif
