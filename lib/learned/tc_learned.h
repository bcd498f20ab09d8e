/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Definitions that the contact models of the plane (tc_learned2.h) and of space (tc_learned3.h)
 * share. They are classes of a patch, flags of an answer, groups of features, and limits.
 */
#ifndef TC_LEARNED_H
#define TC_LEARNED_H

#include "tc_status.h"

TC_BEGIN

/* Class of a patch or of a contact. The names are those of Jiang & Liu. */
typedef enum tc_learned_class {
    TC_LEARNED_STATIC = 0,  /* it sticks */
    TC_LEARNED_DYNAMIC = 1, /* it slips */
    TC_LEARNED_DETACH = 2,  /* it opens, without impulse */
    TC_LEARNED_NONE = 3     /* there is no patch, or an error */
} tc_learned_class;

/* Bits that report what the library did to the contact model's answer. */
typedef enum tc_learned_flags {
    TC_LEARNED_OVERRULED = 1, /* its class was impossible and was replaced: tc_learned2_legal */
    TC_LEARNED_PULLED = 2,    /* with OVERRULED: the class was static, but a normal would pull */
    TC_LEARNED_CLAMPED = 4,   /* its friction would feed or reverse the sliding and was cut */
    TC_LEARNED_RANGE = 8,     /* the query is outside the model's training range */
    TC_LEARNED_FALLBACK = 16  /* no answer was certified: an inelastic stop, or no push-out, took
                               * its place */
} tc_learned_flags;

/* Kind of body that the nets of a contact model were trained for. */
typedef enum tc_learned_kind {
    TC_LEARNED_BODY2 = 1, /* plane: 3 degrees of freedom; patches of dimension 0 and 1 */
    TC_LEARNED_BODY3 = 2  /* space: 6 degrees of freedom; patches of dimension 0, 1 and 2 */
} tc_learned_kind;

#define TC_LEARNED_FEATURES_VERSION 1u /* version of the feature map that this library computes */
#define TC_LEARNED_TARGET_RATIO 1u /* a regressor's output: friction over the sum of the normals */

/* Groups of features. The inputs of a net are the groups whose bits are set in `mask`, in this
 * order. A group that a patch does not have adds no input. */
typedef enum tc_learned_feature {
    TC_LEARNED_FEATURE_LEVER = 1,    /* lever arms over the radius of gyration */
    TC_LEARNED_FEATURE_RATIO = 2,    /* coupling over diagonal of the contact matrix */
    TC_LEARNED_FEATURE_VELOCITY = 4, /* direction of the contact velocity, logarithm of its size */
    TC_LEARNED_FEATURE_STICK = 8,    /* directions of the impulses that stop the contacts */
    TC_LEARNED_FEATURE_ARREST = 16,  /* the impulse that ends sliding */
    TC_LEARNED_FEATURE_SHARE = 32,   /* shares of the corners in the frictionless impulse */
    TC_LEARNED_FEATURE_ALL = 63      /* all groups */
} tc_learned_feature;

/* Limits of a query. They keep every intermediate number of a solve finite. A call returns
 * TC_ERR_RANGE for a query beyond them.
 * - SPEED_MAX: speeds of the body and of its contacts [m/s].
 * - LEVER_MAX: lever arms [radii of gyration].
 *
 * tc_foot2_check and tc_foot3_check decide about levers once, from shape and body. The lever of a
 * vertex at r from the centre of mass is, with the rounding radius in r:
 * - plane: r over the radius of gyration;
 * - space: the square root of sum_i (r^2 - r_i^2) m / I_i, with i the principal axes. It is 3 for
 *   any box, and at most 7 for any solid body of even density.
 *
 * A step therefore refuses no body that passed the check and whose |v| + |omega| r is below
 * SPEED_MAX, with r of its farthest vertex. If the plane is farther from the contacts than levers
 * may be, arms end at the lowest contact. */
#define TC_LEARNED_SPEED_MAX TC_C(1e5)
#define TC_LEARNED_LEVER_MAX TC_C(100.0)

/* Limits of a body and of a step. They keep finite: masses times speeds, cubes of the radius of
 * gyration, and gaps over steps. A call returns TC_ERR_RANGE beyond them.
 * - MASS_MAX: mass [kg]; its reciprocal is the smallest mass.
 * - GYRATION_MAX: radius of gyration sqrt(inertia / mass) [m]; its reciprocal is the smallest.
 * - STEP_MIN: shortest step [s]. */
#define TC_LEARNED_MASS_MAX TC_C(1e20)
#define TC_LEARNED_GYRATION_MAX TC_C(1e6)
#define TC_LEARNED_STEP_MIN TC_C(1e-6)

TC_END

#endif
