/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Ground of any shape under a body: the planes that a step of this tick takes in the floor's place.
 *
 * A ground is a tc_sdf: a terrain, a union of boxes (stairs, a kerb), a ball.
 *
 * tc_ground3_find looks for the ground at each vertex of a body's shape. Vertices whose normals
 * agree within TC_GROUND_ALIKE form one cluster, and each cluster has one plane: on flat ground
 * there is one, in a notch two.
 *
 *     static const tc_sdf stairs = TC_SDF_DATA(tc_sdf_union, &treads);
 *     const tc_ground3 ground = {&stairs, NULL};
 *     s = tc_ground3_find(&ground, &sole, &state, &ahead, NULL, &stands, work, TC_COUNT(work));
 *     foot.plane = stands.stand[0].plane;
 *     foot.shape = stands.stand[0].shape;             // then tc_foot3_step as on a floor
 *
 * tc_ground_step.h does this for a body, limbs take plane and shape of their last link.
 *
 * Levels. Two treads have one normal and two heights. The plane of a cluster goes through the
 * ground below its lowest vertex. Each other vertex is moved along the normal by the difference of
 * levels. Its gap to the plane is then its gap to the ground. Lever arms along the normal are
 * those of the plane: friction on the other tread acts with an arm that is wrong by that
 * difference.
 *
 * Vertices alone are looked at. Where the edge of a kerb meets the middle of a sole, no vertex is
 * near it. Give the sole vertices between its corners, or pass the closest pair that
 * tc_convex_distance found: it counts as one more vertex.
 *
 * In the plane: tc_ground2 is a vertical section of the same shape.
 *
 * Cost: one to three tc_sdf_eval per vertex, one if the vertex stays above the ground. Eight
 * vertices on a half-space take 5,200 instructions on Cortex-M4F, on stairs of two boxes 9,400.
 */
#ifndef TC_GROUND_H
#define TC_GROUND_H

#include "tc_convex.h"
#include "tc_plane.h"
#include "tc_sdf.h"
#include "tc_shape.h"
#include "tc_body.h"

TC_BEGIN

#define TC_GROUND_PLANES 4u        /* largest number of clusters */
#define TC_GROUND_ALIKE TC_C(0.01) /* largest angle between normals of a cluster [rad] */
#define TC_GROUND_MARGIN                                                                           \
    TC_C(0.02) /* vertices further than this above the ground are left out, the
                                     * nearest excepted [m] */

/* Ground in space. */
typedef struct tc_ground3 {
    const tc_sdf *shape_ref;      /* a checked shape */
    const tc_convex_pose *at_ref; /* its pose; NULL: its axes are the world's */
} tc_ground3;

/* Ground in a plane: the section of a shape. `along` and `up` are the axes x and y of the plane,
 * orthogonal and of unit length. Where the shape changes across the section, the gap is the
 * distance over the sine between the normal and the third axis. This is right to first order. */
typedef struct tc_ground2 {
    const tc_sdf *shape_ref; /* a checked shape; nets are refused with TC_ERR_WORK */
    tc_real origin[3];       /* position of the section's origin, shape's axes [m] */
    tc_real along[3];        /* direction of x, shape's axes */
    tc_real up[3];           /* direction of y, shape's axes */
} tc_ground2;

/* A section along the shape's x, y up along its z. */
#define TC_GROUND2(shape)                                                                          \
    {                                                                                              \
        (shape), {0, 0, 0}, {1, 0, 0},                                                             \
        {                                                                                          \
            0, 0, 1                                                                                \
        }                                                                                          \
    }

/* One cluster. */
typedef struct tc_ground3_stand {
    tc_plane3 plane; /* the floor in its place */
    tc_shape3 shape; /* the vertices of the cluster, in the workspace, and the shape's radius */
    tc_real gap;     /* of the lowest vertex at the pose ahead [m] */
} tc_ground3_stand;

/* The clusters, by ascending gap. */
typedef struct tc_ground3_stands {
    uint32_t count;   /* 1..TC_GROUND_PLANES */
    uint32_t dropped; /* vertices within the margin that no cluster took */
    tc_ground3_stand stand[TC_GROUND_PLANES];
} tc_ground3_stands;

/* One cluster in the plane: fields as above. */
typedef struct tc_ground2_stand {
    tc_plane2 plane;
    tc_shape2 shape;
    tc_real gap;
} tc_ground2_stand;

/* The clusters in the plane: fields as above. */
typedef struct tc_ground2_stands {
    uint32_t count;
    uint32_t dropped;
    tc_ground2_stand stand[TC_GROUND_PLANES];
} tc_ground2_stands;

/* Workspace of tc_ground3_find and tc_ground2_find for a shape of so many vertices. The vertices of
 * the stands stay in its first part until it is written again. `net_work`: what the shape's
 * tc_sdf_eval needs; 0 except for nets. */
#define TC_GROUND_WORK(vertices, net_work) (11u * ((vertices) + 1u) + (net_work))

/* Looks at one point.
 *
 * point: world axes, or those of the section [m]. The gap is its distance from the ground [m], and
 * negative below it. The normal is of unit length, out of the ground. Where the shape has no
 * gradient, the normal is +z, in the plane +y. The same holds where the normal is within 6 degrees
 * of a section's third axis. work[work_len]: as in tc_sdf_eval. The ground is not checked.
 * Returns: the statuses of tc_sdf_eval, and
 *   TC_ERR_NULL  a pointer is NULL.
 * On error: gap and normal are zero.
 * Cost: one tc_sdf_eval and 120 instructions; of a section 190. */
tc_status tc_ground3_look(const tc_ground3 *ground, const tc_real point[3], tc_real *gap,
                          tc_real normal[3], tc_real *work, size_t work_len);
tc_status tc_ground2_look(const tc_ground2 *ground, const tc_real point[2], tc_real *gap,
                          tc_real normal[2]);

/* Finds the planes for the step of a body from the pose `now` to about the pose `ahead`, and the
 * vertices that belong to each. The plane of a vertex that enters the ground on its way is that of
 * the point where it enters. A vertex that is already below the ground has the plane of `now`.
 *
 * shape: checked. now, ahead: velocities are not read. ahead: NULL: `now`. closest: a closest pair
 * of the body (a) and the ground (b) at `ahead`; NULL: none. work: TC_GROUND_WORK.
 * Returns: the notes of tc_sdf_eval (the last of them), TC_OK, and
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_SIZE        the shape's count is 0 or above TC_SHAPE_MAX.
 *   TC_ERR_NOT_FINITE  a number of a pose, vertex or radius is NaN or infinite.
 *   TC_ERR_RANGE       a vertex is further than 1e6 m from the shape's origin.
 *   TC_ERR_UNIT        a quaternion is not of unit length within TC_UNIT_TOLERANCE.
 *   TC_ERR_WORK        work_len is too short; TC_ERR_ALIGN: work is misaligned.
 * On error: stands are zero.
 * Cost: see above. */
tc_status tc_ground3_find(const tc_ground3 *ground, const tc_shape3 *shape,
                          const tc_body3_state *now, const tc_body3_state *ahead,
                          const tc_convex_gap *closest, tc_ground3_stands *stands, tc_real *work,
                          size_t work_len);

/* Does the same in the plane.
 * Returns: the statuses of tc_ground3_find.
 * On error: stands are zero. */
tc_status tc_ground2_find(const tc_ground2 *ground, const tc_shape2 *shape,
                          const tc_body2_state *now, const tc_body2_state *ahead,
                          tc_ground2_stands *stands, tc_real *work, size_t work_len);

TC_END

#endif
