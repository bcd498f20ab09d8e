/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The barrier of two convex bodies in the plane: value, separating plane, where the
 * force acts, first and second derivatives. tc_barrier.h defines the value.
 *
 *     tc_barrier2_plane plane = {{0}, 0};                          zero: no plane is known yet
 *     status = tc_barrier2_solve(&config, &a, &at_a, &b, &at_b, &plane, &pair);
 *     status = tc_barrier2_derive(&config, &a, &at_a, &b, &at_b, &plane, &derivatives);
 *
 * The plane of one call starts the next call. If a body has moved by a tenth of the gap since, the
 * search takes few Newton steps.
 *
 * Derivatives are by motions of the bodies. A vertex x of body A moves to
 *
 *     c + t + R(theta) (x - c)
 *
 * c is the pose's position, t a translation and theta an angle, anticlockwise.
 * B moves by its own t and theta.
 *
 * Accuracy of value, forces and torques: 1e-5 + 5e-7 coordinate / gap in single precision, 1e-10
 * in double. Second derivatives: ten times that. Coordinates count from the bodies' positions, not
 * from the world's origin.
 */
#ifndef TC_BARRIER2_H
#define TC_BARRIER2_H

#include "tc_barrier.h"
#include "tc_plane.h"

TC_BEGIN

/* Where a body is. */
typedef struct tc_barrier2_pose {
    tc_real cosine, sine; /* of the angle from body's axes to world axes */
    tc_real position[2];  /* of the body's origin, world axes [m] */
} tc_barrier2_pose;

/* A line between two bodies, from the middle m of both positions. n is not of unit length:
 * 1 - |n| is the relative size of the far part. Zero: not known.
 *
 *     u =  n . (x - m) + offset - radius |n|     of a vertex x of A
 *     u = -n . (x - m) - offset - radius |n|     of a vertex x of B
 */
typedef struct tc_barrier2_plane {
    tc_real normal[2]; /* n, from B to A, world axes [1] */
    tc_real offset;    /* [m] */
} tc_barrier2_plane;

/* The result of tc_barrier2_solve. */
typedef struct tc_barrier2_pair {
    tc_real value;      /* the value [1/m] */
    tc_real gap;        /* distance along n, a lower bound of the distance [m] */
    tc_real point_a[2]; /* where the force acts on A, a point of A, world axes [m] */
    tc_real point_b[2]; /* where the force acts on B; the force is along a - b [m] */
    uint32_t newton;    /* Newton steps */
} tc_barrier2_pair;

/* Derivatives of the value. q = (t_A, theta_A, t_B, theta_B), 6 numbers [m, rad]. */
typedef struct tc_barrier2_derivatives {
    tc_real gradient[6];    /* of the value by q: minus force and torque */
    tc_real hessian[21];    /* lower triangle by rows: (0,0), (1,0), (1,1), ... */
    tc_real plane_rate[18]; /* [3 x 6] derivative of the plane (n, offset) by q */
} tc_barrier2_derivatives;

/* The barrier of a body above a floor. q = (t, theta), 3 numbers [m, rad]. */
typedef struct tc_barrier2_floor_pair {
    tc_real value;       /* the sum of 1 / height [1/m] */
    tc_real gap;         /* smallest height [m] */
    tc_real gradient[3]; /* of the value by q */
    tc_real hessian[6];  /* lower triangle by rows */
} tc_barrier2_floor_pair;

/* Checks a body.
 * Returns:
 *   TC_OK               the body is valid.
 *   TC_ERR_NULL         `set` or its vertices are NULL.
 *   TC_ERR_SIZE         the number of vertices is 0 or above TC_BARRIER_VERTICES_MAX.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_RANGE        the radius is negative, or a number is beyond 1e6 m.
 * Cost: proportional to the number of vertices. */
tc_status tc_barrier2_check(const tc_barrier_set *set);

/* Computes the value of a pair, its plane and where the force acts. Far apart, point_a and point_b
 * may lie within the bodies. As the gap closes, they come to nearest points.
 *
 * config: the weights. a, b: the bodies. at_a, at_b: their poses. plane: the start of the search,
 * which becomes the best plane. From zero, or from a plane that does not separate, the search
 * starts at the closest points. pair: the result.
 * Returns:
 *   TC_OK               done.
 *   TC_NOTE_LIMIT       TC_BARRIER_NEWTON steps were not enough: the best plane found.
 *   TC_NOTE_PRECISION   done; the gap is below TC_BARRIER_PRECISE of the larger body's size. The
 *                       size is the farthest vertex from the pose's position, plus the radius.
 *   TC_ERR_TOUCHING     no plane was found that separates the bodies: they touch or overlap.
 *   TC_ERR_NULL         a pointer is NULL.
 *   TC_ERR_SIZE         a number of vertices is 0 or above TC_BARRIER_VERTICES_MAX.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_RANGE        a weight or radius is negative, or a number is beyond 1e6.
 *   TC_ERR_UNIT         cosine and sine are not of unit length within TC_UNIT_TOLERANCE.
 * On error: `pair` and `plane` are zero.
 * Cost: at most TC_BARRIER_NEWTON steps, each proportional to the number of vertices. */
tc_status tc_barrier2_solve(const tc_barrier_config *config, const tc_barrier_set *a,
                            const tc_barrier2_pose *at_a, const tc_barrier_set *b,
                            const tc_barrier2_pose *at_b, tc_barrier2_plane *plane,
                            tc_barrier2_pair *pair);

/* Computes first and second derivatives of the value at the plane of tc_barrier2_solve.
 *
 * config: the weights. a, b: the bodies. at_a, at_b: their poses. plane: that of
 * tc_barrier2_solve for these poses. derivatives: the result.
 * Returns:
 *   TC_OK               done.
 *   TC_ERR_TOUCHING     the plane does not separate the bodies.
 *   TC_ERR_NULL         a pointer is NULL.
 *   TC_ERR_SIZE         a number of vertices is 0 or above TC_BARRIER_VERTICES_MAX.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_RANGE        a weight or radius is negative, or a number is beyond 1e6.
 *   TC_ERR_UNIT         cosine and sine are not of unit length within TC_UNIT_TOLERANCE.
 * On error: `derivatives` are zero.
 * Cost: proportional to the number of vertices. */
tc_status tc_barrier2_derive(const tc_barrier_config *config, const tc_barrier_set *a,
                             const tc_barrier2_pose *at_a, const tc_barrier_set *b,
                             const tc_barrier2_pose *at_b, const tc_barrier2_plane *plane,
                             tc_barrier2_derivatives *derivatives);

/* Computes the value of a body above a floor, sum 1 / (height - radius), with its derivatives.
 * There is no search, and no weights.
 *
 * set: the body. at: its pose. floor: the half plane that is solid. pair: the result.
 * Returns:
 *   TC_OK               done.
 *   TC_NOTE_PRECISION   done; the gap is below TC_BARRIER_PRECISE of the body's size.
 *   TC_ERR_TOUCHING     the body touches the floor.
 *   TC_ERR_NULL         a pointer is NULL.
 *   TC_ERR_SIZE         the number of vertices is 0 or above TC_BARRIER_VERTICES_MAX.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_RANGE        the radius is negative, or a number is beyond 1e6.
 *   TC_ERR_UNIT         cosine and sine, or the normal, are not of unit length within
 *                       TC_UNIT_TOLERANCE.
 * On error: `pair` is zero.
 * Cost: proportional to the number of vertices. */
tc_status tc_barrier2_floor(const tc_barrier_set *set, const tc_barrier2_pose *at,
                            const tc_plane2 *floor, tc_barrier2_floor_pair *pair);

TC_END

#endif
