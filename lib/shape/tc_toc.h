/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Time of contact: when two moving shapes (tc_sdf.h) first touch within a step, and the derivatives
 * of that time.
 *
 * Each body moves with constant acceleration and constant angular velocity:
 *
 *     x(h) = x + v h + a h^2 / 2,   R(h) = exp(h [w]) R
 *
 * D(h) is the distance of the pair, tc_meet_distance by TC_MEET_DEEPEST. The time of contact is
 * the first h in (0, step] with D(h) = 0. Its derivative by anything that D depends on is
 *
 *     dh/dtheta = -D_theta / D_h,   D_h = n . (relative velocity of the contact's points)
 *
 * Example: when does the sole touch the terrain within a tick of 1/30 s?
 *
 *     tc_toc_motion sole = {at_sole, {0.5f, 0, -1}, {0, 2, 0}, {0, 0, -9.81f}};
 *     tc_toc_motion ground = {at_ground, {0}, {0}, {0}};
 *     tc_toc found;
 *     tc_status status = tc_toc_find(&shape, &sole, &terrain, &ground, 1.0f / 30, &found, NULL, 0);
 *     if (status >= TC_OK && found.outcome == TC_TOC_CONTACT) touch_at(found.time);
 */
#ifndef TC_TOC_H
#define TC_TOC_H

#include "tc_meet_contact.h"

TC_BEGIN

#define TC_TOC_DETECTIONS 12u      /* largest number of distances of a search */
#define TC_TOC_GRAZING TC_C(0.02)  /* sine of the angle of approach below which a contact grazes */
#define TC_TOC_RESOLVED TC_C(2e-5) /* share of the step: the last correction of the time */

/* The result of a search. */
typedef enum tc_toc_outcome {
    TC_TOC_NONE = 0,    /* the shapes stay apart */
    TC_TOC_CONTACT = 1, /* they touch */
    TC_TOC_GRAZES = 2,  /* they touch at an angle below TC_TOC_GRAZING: small changes of the motion
                         * change the time by much, and derivatives do not tell by how much */
    TC_TOC_INSIDE = 3   /* they are sunk into each other at h = 0 */
} tc_toc_outcome;

/* The motion of a body in a step. */
typedef struct tc_toc_motion {
    tc_convex_pose pose;         /* at h = 0; its position is the centre of rotation */
    tc_real velocity[3];         /* of the position at h = 0, world axes [m/s] */
    tc_real angular_velocity[3]; /* world axes [rad/s] */
    tc_real acceleration[3];     /* world axes [m/s2] */
} tc_toc_motion;

/* The first contact of a step. */
typedef struct tc_toc {
    tc_toc_outcome outcome;
    tc_real time;        /* h [s]; TC_TOC_NONE: the step; TC_TOC_INSIDE: 0 */
    tc_real speed;       /* D_h at that time [m/s]; negative: approaching */
    tc_convex_gap gap;   /* of the last detection, which is within TC_TOC_RESOLVED of the time */
    uint32_t detections; /* distances that were computed; at most TC_TOC_DETECTIONS */
} tc_toc;

/* Derivatives of the time by the motion of both bodies, a first. */
typedef struct tc_toc_rows {
    tc_real position[2][3];         /* [s/m] */
    tc_real rotation[2][3];         /* by a turn of the pose at h = 0 about world axes [s/rad] */
    tc_real velocity[2][3];         /* [s/(m/s)] */
    tc_real angular_velocity[2][3]; /* [s/(rad/s)] */
    tc_real acceleration[2][3];     /* [s/(m/s2)] */
    tc_real radius;                 /* by the rounding of either body, cores fixed: 1 / D_h [s/m] */
} tc_toc_rows;

/* Computes where a body is at the time h of a step.
 * Returns:
 *   TC_OK               done.
 *   TC_ERR_NULL         a pointer is NULL.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 * On error: the pose is zero. */
tc_status tc_toc_pose(const tc_toc_motion *motion, tc_real h, tc_convex_pose *pose);

/* Finds the first contact of a step.
 * The search goes forward from h = 0 by Newton's iteration, with the acceleration of the distance.
 * It keeps a bracket as soon as one detection was sunk. A pair that meets and parts within the step
 * is found if the distance turns once between two detections, near enough to a parabola. For a
 * ball in flight over a plane this holds always. Other shapes may dip into each other unseen.
 *
 * a, b: checked shapes (tc_sdf_check). step: [s]; above 0. work[work_len]: nets need
 * TC_SDF_NET_WORK. The other kinds take NULL, 0.
 * Returns:
 *   TC_OK             done: see found->outcome.
 *   TC_NOTE_LIMIT     TC_TOC_DETECTIONS distances did not resolve the time: the best one found; or
 *                     a distance was not certain.
 *   TC_NOTE_RANGE     as in tc_meet_distance, at the time that is returned.
 *   TC_ERR_NULL       a pointer is NULL.
 *   TC_ERR_NOT_FINITE a number of a motion, or the step, is NaN or infinite.
 *   TC_ERR_RANGE      the step is not above 0, or a position of the step is beyond 1e6 m.
 *   others            as in tc_meet_distance.
 * On error: `found` is zero.
 * Cost: at most TC_TOC_DETECTIONS times that of tc_meet_distance; 3 to 4 in the mean. */
tc_status tc_toc_find(const tc_sdf *a, const tc_toc_motion *motion_a, const tc_sdf *b,
                      const tc_toc_motion *motion_b, tc_real step, tc_toc *found, tc_real *work,
                      size_t work_len);

/* Computes the derivatives of the time of contact by the motions.
 * Where several points touch at once, as of a box that lands on a face, the time has a kink. Then
 * give the contacts: tc_meet_contacts at the poses of that time, with a small margin. The rows are
 * the mean of the contacts' rows by least squares, of those that approach:
 *
 *     dh = -sum_i D_h,i D_theta,i / sum_i D_h,i^2.
 *
 * found: of the same motions, TC_TOC_CONTACT or TC_TOC_GRAZES. contact[count]: NULL, 0: the closest
 * pair of `found` alone.
 * Returns:
 *   TC_OK               done.
 *   TC_ERR_NULL         a pointer is NULL, except `contact` with count 0.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_SINGULAR     no point approaches, or there is no contact.
 * On error: `rows` is zero.
 * Cost: about 300 operations per contact. */
tc_status tc_toc_grad(const tc_toc_motion *motion_a, const tc_toc_motion *motion_b,
                      const tc_toc *found, const tc_meet_contact *contact, uint32_t count,
                      tc_toc_rows *rows);

/* Computes the derivatives of the time of contact by the parameters of both shapes.
 *
 * by_a[tc_sdf_parameters(a)], by_b[tc_sdf_parameters(b)]: derivatives [s/m, or s per unit of code].
 * Either may be NULL. The other arguments are those of tc_toc_find and tc_toc_grad.
 * Returns: the statuses of tc_meet_grad, and
 *   TC_ERR_SINGULAR     the pair does not approach, or there is no contact.
 * On error: both are zero.
 * Cost: that of tc_meet_grad. */
tc_status tc_toc_shape_grad(const tc_sdf *a, const tc_toc_motion *motion_a, const tc_sdf *b,
                            const tc_toc_motion *motion_b, const tc_toc *found, tc_real *by_a,
                            tc_real *by_b, tc_real *work, size_t work_len);

TC_END

#endif
