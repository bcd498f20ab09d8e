/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the planar and the spatial contact model share: the classes of a patch, what was done to an answer, the
 * groups of features, and the limits of what either is asked.
 */
#ifndef TC_LEARNED_H
#define TC_LEARNED_H

#include "tc_status.h"

TC_BEGIN

typedef enum tc_learned_class {
    TC_LEARNED_STATIC = 0,
    TC_LEARNED_DYNAMIC = 1,
    TC_LEARNED_DETACH = 2,
    TC_LEARNED_NONE = 3 /* no patch */
} tc_learned_class;

/* What was done to the law's answer; bits. */
typedef enum tc_learned_flags {
    TC_LEARNED_OVERRULED = 1, /* its class could not be: see tc_learned2_legal */
    TC_LEARNED_PULLED = 2,    /* ... because it said static, and sticking would have needed a normal to pull */
    TC_LEARNED_CLAMPED = 4,   /* its friction would have fed or reversed the sliding, and was cut */
    TC_LEARNED_RANGE = 8,     /* the query lies outside the range it was trained on */
    TC_LEARNED_FALLBACK = 16  /* no answer could be certified: an inelastic stop, or no push-out, instead */
} tc_learned_flags;

/* What kind of body a contact model's nets were trained for. */
typedef enum tc_learned_kind {
    TC_LEARNED_BODY2 = 1, /* 3 degrees of freedom; patches of dimension 0 and 1 */
    TC_LEARNED_BODY3 = 2  /* 6 degrees of freedom; patches of dimension 0, 1 and 2 */
} tc_learned_kind;

#define TC_LEARNED_FEATURES_VERSION 1u /* version of the feature map that this library computes */
#define TC_LEARNED_TARGET_RATIO 1u /* the regressor gives friction over the sum of the normal impulses */

/* Groups of features; a net takes those of its patch whose bits are set in `mask`, in this order. */
typedef enum tc_learned_feature {
    TC_LEARNED_FEATURE_LEVER = 1,    /* lever arms over the radius of gyration */
    TC_LEARNED_FEATURE_RATIO = 2,    /* coupling over diagonal of the contact matrix */
    TC_LEARNED_FEATURE_VELOCITY = 4, /* direction of the contact velocity, and the logarithm of its size */
    TC_LEARNED_FEATURE_STICK = 8,    /* directions of the impulses that stop the contacts */
    TC_LEARNED_FEATURE_ARREST = 16,  /* the impulse that ends sliding */
    TC_LEARNED_FEATURE_SHARE = 32,   /* how the corners share the frictionless impulse */
    TC_LEARNED_FEATURE_ALL = 63
} tc_learned_feature;

/* Beyond these a query is refused (TC_ERR_RANGE): speeds [m/s] of the body and of the contacts, lever
 * arms [radii of gyration]. They keep every intermediate number of a solve finite. Levers are decided
 * when shape and body are given (tc_foot2_check, tc_foot3_check): planar the distance of a vertex, with
 * the rounding, over the radius of gyration; in space the square root of sum_i (r^2 - r_i^2) m / I_i, i
 * the principal axes, which of a box is 3, however slender, and of no solid body of even density beyond
 * 7. A body that passed the check, and whose |v| + |omega| r, r its farthest vertex, is within the limit
 * of speeds, is never refused for either. (Where the plane is farther from the contacts than levers may
 * be, arms end at the lowest contact.) */
#define TC_LEARNED_SPEED_MAX TC_C(1e5)
#define TC_LEARNED_LEVER_MAX TC_C(100.0)

/* Bodies are refused (TC_ERR_RANGE) with a mass [kg] or a radius of gyration sqrt(inertia / mass) [m]
 * beyond these, or below their reciprocals; and steps shorter than this [s]: masses times speeds, cubes
 * of the gyration and gaps over steps stay finite. */
#define TC_LEARNED_MASS_MAX TC_C(1e20)
#define TC_LEARNED_GYRATION_MAX TC_C(1e6)
#define TC_LEARNED_STEP_MIN TC_C(1e-6)

TC_END

#endif
