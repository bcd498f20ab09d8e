/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The data-augmented contact model of one planar body (Jiang & Liu, Algorithm 1): a learned law says whether
 * a contact patch sticks, slides or leaves, and how friction relates to the normal impulse; equations do the rest.
 */
#ifndef TC_DACM_H
#define TC_DACM_H

#include "tc_model.h"
#include "tc_patch.h"

TC_BEGIN

typedef enum tc_contact_class {
    TC_CONTACT_STATIC = 0,
    TC_CONTACT_DYNAMIC = 1,
    TC_CONTACT_DETACH = 2,
    TC_CONTACT_NONE = 3 /* no patch */
} tc_contact_class;

/* How positions follow velocities, and what is done about the gap. */
typedef enum tc_positions {
    TC_POSITIONS_DART = 0, /* contact below the floor; pushed out on positions alone, slowly, as DART does */
    TC_POSITIONS_TOC = 1,  /* advance to the time of contact, solve there, go on: does not penetrate */
    TC_POSITIONS_GAP = 2   /* gap / h in the right-hand side of the LCP: does not penetrate */
} tc_positions;

/* What is asked of the law: one patch about to be solved, in its frame (tangent, normal), with everything that
 * Algorithm 1 knows before the law speaks; computed once, shared by features and solves. Masses are divided out:
 * impulses are per unit mass [m/s], moments of inertia are k^2. */
typedef struct tc_dacm_query {
    uint32_t count;        /* contacts, 1 or 2 */
    tc_real gyration;      /* k = sqrt(inertia / mass) [m] */
    tc_real lever[2];      /* x_i [m] */
    tc_real height;        /* y [m] */
    tc_real velocity[3];   /* of the centre of mass: tangential, normal [m/s], omega [rad/s]; applied force included */
    tc_real slip;          /* u_t = v_t + omega y: tangential velocity of the contacts [m/s] */
    tc_real approach[2];   /* u_i = v_n + omega x_i (+ gap_i / h where the scheme says so) [m/s] */
    tc_real frictionless[2]; /* normal impulses without friction (their sum is n0) [m/s] */
    tc_real stop[3];       /* impulse that stops the whole patch: friction, normals; any sign [m/s] */
    tc_real arrest[3];     /* friction that ends sliding with unilateral normals: f*, n1, n2 [m/s] */
} tc_dacm_query;

/* The law: learned nets (tc_dacm_nets), or any other, an exact one in tests. Called with a valid query; both
 * write finite numbers and call nothing that blocks. */
typedef struct tc_dacm_law {
    /* probability[3] of static, dynamic, detach */
    void (*classify)(const void *context, const tc_dacm_query *query, tc_real *probability, tc_real *work);
    /* p_f / p_n of a sliding patch, signed along the tangent */
    tc_real (*ratio)(const void *context, const tc_dacm_query *query, tc_real *work);
    const void *context;
    uint32_t work_len; /* tc_reals either of them needs in `work` */
} tc_dacm_law;

TC_END

#endif
