/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Frictional impact with restitution of one body or one limb, in two phases (tc_impact.h). The
 * contacts come from a patch, or from a mass matrix and contact rows.
 *
 *     tc_twophase floor = tc_twophase_default();
 *     floor.friction = 0.6f;
 *     floor.restitution = 0.4f;
 *     tc_detect3(&shape, &state, &plane, margin, &patch);
 *     status = tc_twophase_body3_solve(&floor, &patch, &body, &state, &info, work, TC_COUNT(work));
 *
 * A call changes velocities and no positions. All contacts of the patch take part; the caller's
 * margin decides which those are. A contact with a gap of 0 or more may stay where it is. One that
 * penetrates leaves with at least recovery times depth / step. The target of the second phase is
 * the whitened velocity of least norm that does so, without motion along the tangents. Where not
 * all contacts can have theirs, it is that of least squares.
 *
 * TC_IMPACT_CONVEX is the paper's model. There a contact that slips lifts off with u_n = mu |u_t|.
 * The lift of random boxes, mu 0.05..1, relative to the whitened speed before: with one contact the
 * median is 0.16 and the maximum 1.3, with four 0.17 and 0.6. TC_IMPACT_COULOMB has u_n = 0 there.
 * It takes 4 to 8 solves (median, both phases) instead of 2.
 */
#ifndef TC_TWOPHASE_H
#define TC_TWOPHASE_H

#include "tc_body.h"
#include "tc_impact.h"
#include "tc_patch.h"

TC_BEGIN

/* How a floor responds. Take tc_twophase_default, then edit. */
typedef struct tc_twophase {
    tc_real friction;    /* mu: coefficient of friction [1]; 0..TC_CONE_FRICTION_MAX; 0.5 */
    tc_real restitution; /* e: Poisson's coefficient of restitution [1]; 0..1; 0 */
    tc_real step;        /* h: time in which penetration is taken out [s]; > 0; 0.001 */
    tc_real recovery;    /* part of the depth taken out per step [1]; 0..1; 0.125; 0: none; higher:
                          * penetration ends sooner and adds more energy */
    tc_impact_law law;   /* friction of contacts that slip; TC_IMPACT_CONVEX */
} tc_twophase;

/* Report of an impact; contacts in the patch's order. */
typedef struct tc_twophase_info {
    tc_impact_info impact;                  /* both phases */
    uint32_t n;                             /* number of contacts */
    uint32_t rows;                          /* rows of each: 2 in the plane, 3 in space */
    tc_real impulse[TC_CONE_MAX * 2u];      /* [n rows] of both phases: along the normal, then along
                                              * the tangents [N s] */
    tc_real normal_compressed[TC_CONE_MAX]; /* [n] normal impulses of the first phase [N s] */
} tc_twophase_info;

/* Returns the values above. */
tc_twophase tc_twophase_default(void);

/* Workspace of n contacts with `rows` rows and d freedoms; of a limb; of a body. */
#define TC_TWOPHASE_WORK(n, rows, d)                                                               \
    ((n) * (rows) * ((d) + 4u) + 3u * (n) + 5u * (d) + TC_IMPACT_REALS(tc_impact_info)             \
     + TC_IMPACT_WORK(n, rows, d))
#define TC_TWOPHASE_LIMB_WORK(n, rows, d) (TC_TWOPHASE_WORK(n, rows, d) + (d) * (d))
#define TC_TWOPHASE_BODY2_WORK TC_TWOPHASE_WORK(2u, 2u, 3u)
#define TC_TWOPHASE_BODY3_WORK TC_TWOPHASE_WORK(TC_PATCH_MAX, 3u, 6u)

/* Changes the velocity of a body in contact. `patch`: from a detector; with 0 contacts nothing
 * happens. `state`: its velocity is read and written. info: may be NULL.
 * Returns:
 *   TC_OK, TC_NOTE_PRECISION, TC_NOTE_LIMIT  as tc_impact_solve.
 *   TC_ERR_NULL        a pointer other than info is NULL.
 *   TC_ERR_BODY        mass or moment of inertia is not positive and finite.
 *   TC_ERR_SIZE        the patch has too many contacts.
 *   TC_ERR_UNIT        normal, frame or quaternion is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_PATCH       tc_patch2_check or tc_patch3_check refuses the contacts.
 *   TC_ERR_ALIGN       work is misaligned.
 *   TC_ERR_WORK        work_len is below TC_TWOPHASE_BODY2_WORK or TC_TWOPHASE_BODY3_WORK.
 *   TC_ERR_NOT_FINITE  an input is NaN or infinite.
 *   TC_ERR_RANGE       a number of `floor` is beyond its limits, or a result overflows.
 *   TC_ERR_UNSUPPORTED, TC_ERR_NOT_CERTIFIED  as tc_impact_solve.
 * On error: the state is unchanged, info is zero.
 * Cost: that of tc_impact_solve and a fifth of it. */
tc_status tc_twophase_body2_solve(const tc_twophase *floor, const tc_patch2 *patch,
                                  const tc_body2 *body, tc_body2_state *state,
                                  tc_twophase_info *info, tc_real *work, size_t work_len);
tc_status tc_twophase_body3_solve(const tc_twophase *floor, const tc_patch3 *patch,
                                  const tc_body3 *body, tc_body3_state *state,
                                  tc_twophase_info *info, tc_real *work, size_t work_len);

/* A mechanism in contact, given by its mass matrix and its contact rows: a limb, whatever its
 * joints and root are. */
typedef struct tc_twophase_limb {
    uint32_t n;                 /* number of contacts; 0..TC_CONE_MAX, with three rows
                                 * 0..TC_CONE3_MAX */
    uint32_t rows;              /* rows of each contact: 1, 2 or 3 */
    uint32_t d;                 /* number of rates; 1..TC_CONE_FREEDOM_MAX and TC_MAT_MAX;
                                 * TC_IMPACT_COULOMB: below TC_CONE_FREEDOM_MAX */
    const tc_real *mass;        /* [d x d] mass matrix, symmetric positive definite */
    const tc_real *jacobian;    /* [n rows x d] rates to velocities of the contacts; of each the
                                 * normal's row first, out of the floor */
    const tc_real *gap;         /* [n] heights of the contacts [m]; negative: inside; NULL: 0 */
    const tc_real *friction;    /* [n] mu of each contact [1]; NULL: the floor's */
    const tc_real *restitution; /* [n] e of each contact [1]; NULL: the floor's */
} tc_twophase_limb;

/* Changes the rates[d] [m/s or rad/s] of a limb in contact. info: may be NULL.
 * Returns: the statuses of tc_twophase_body2_solve that concern no patch, and
 *   TC_ERR_SIZE                             n, rows or d is beyond its limit.
 *   TC_ERR_WORK                             work_len is below TC_TWOPHASE_LIMB_WORK.
 *   TC_ERR_SINGULAR, TC_ERR_INDEFINITE      the mass matrix is not positive definite.
 * On error: the rates are unchanged, info is zero.
 * Cost: that of tc_impact_solve, d^3 / 6 and n rows d^2 / 2 multiply-accumulates. */
tc_status tc_twophase_limb_solve(const tc_twophase *floor, const tc_twophase_limb *limb,
                                 tc_real *rates, tc_twophase_info *info, tc_real *work,
                                 size_t work_len);

TC_END

#endif
