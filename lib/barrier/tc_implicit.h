/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A step of bodies that push each other from afar and never penetrate. The next poses are the
 * minimum of one smooth function. Therefore a step has derivatives.
 *
 *     tc_implicit_sizes sizes;
 *     tc_status s = tc_implicit_check(&scene, &sizes);                    // once
 *     tc_implicit_start(&scene, poses, velocities, state);                // or fill the state
 *     s = tc_implicit_step(&scene, state, control, NULL, next, record, work, work_len, &info);
 *     s = tc_implicit_pull(&scene, state, control, next, record, d_next, d_state, d_control, ...);
 *
 * The poses q+ of the next state minimise
 *
 *     sum of |m-weighted distance of each material point from where it would coast|^2 / (2 h^2)
 *     - m <gravity, c> + weight (sum of tc_barrier over pairs and floors)
 *     + friction h + servos + damping
 *
 * so velocities are differences, (q+ - q) / h. Material points that turn lose speed: a free body in
 * space at angular speed w keeps 1 - (w h)^2 of it per step. In the plane nothing is lost.
 *
 * A scene has bodies. A body is free, or a joint holds it to another body or to the world. A body
 * has convex pieces. Pieces touch pieces (pairs) and half-spaces (floors).
 *
 * Coordinates of a body          plane                space
 *     TC_IMPLICIT_FREE           x, y, angle          x, y, z, quaternion w, x, y, z
 *     TC_IMPLICIT_HINGE          angle                angle
 *     TC_IMPLICIT_SLIDE          distance             distance
 *     TC_IMPLICIT_BALL           -                    quaternion w, x, y, z
 *     TC_IMPLICIT_WELD           none                 none
 *
 * Freedoms of a body are 3 (x, y, angle) or 6 (x, y, z, rotation vector), 1, 1, 3, 0. An increment
 * of a rotation turns by exp([increment]x), from the left. Its axes are the parent's, or the
 * world's where there is no parent.
 *
 * A state has the coordinates of all bodies now, then those one step before. A tangent has the
 * increments of both, in the same order.
 */
#ifndef TC_IMPLICIT_H
#define TC_IMPLICIT_H

#include "tc_barrier.h"

TC_BEGIN

#define TC_IMPLICIT_BODIES_MAX 256u   /* most bodies */
#define TC_IMPLICIT_FREEDOM_MAX 1536u /* most freedoms */
#define TC_IMPLICIT_DEPTH_MAX 16u     /* most joints between a body and the world */
#define TC_IMPLICIT_WORLD 0xffffffffu /* the parent of a body that no other body holds */

/* The space of a scene: tc_implicit2_space() or tc_implicit3_space(). */
typedef struct tc_implicit_space tc_implicit_space;

/* How a body is held. */
typedef enum tc_implicit_joint {
    TC_IMPLICIT_FREE = 0,
    TC_IMPLICIT_HINGE = 1,
    TC_IMPLICIT_SLIDE = 2,
    TC_IMPLICIT_BALL = 3,
    TC_IMPLICIT_WELD = 4
} tc_implicit_joint;

/* How controls act on a body. */
typedef enum tc_implicit_drive {
    TC_IMPLICIT_NONE = 0,  /* no controls */
    TC_IMPLICIT_FORCE = 1, /* controls are forces and torques on freedoms [N], [N m] */
    TC_IMPLICIT_SERVO = 2  /* controls are targets of coordinates, held by `stiffness` */
} tc_implicit_drive;

/* A body. Vectors in the plane use the first two numbers. Zero means: none. */
typedef struct tc_implicit_body {
    tc_real mass;       /* [kg]; > 0, or >= 0 of a weld */
    tc_real inertia[3]; /* moments about the centre of mass [kg m^2]; as mass; plane: first;
                         * space: principal moments, and the body's axes are principal axes */
    tc_implicit_joint joint;
    uint32_t parent;      /* an earlier body, or TC_IMPLICIT_WORLD; FREE: ignored */
    tc_real anchor_at[3]; /* the joint in the parent's axes, from its centre of mass [m] */
    tc_real anchor[3];    /* the joint in the body's own axes, from its centre of mass [m] */
    tc_real rest[4];      /* body's to parent's axes at coordinate 0; space: quaternion w, x, y, z;
                           * plane: angle [rad]; FREE: ignored; all 0: the same axes */
    tc_real axis[3];      /* of HINGE in space and of SLIDE, parent's axes; unit length */
    uint32_t locked;      /* bit i: freedom i does not move */
    tc_implicit_drive drive;
    uint32_t driven;      /* bit i: freedom i has a control; controls follow each other by freedom.
                           * SERVO: the target of a quaternion is a rotation vector, undriven parts
                           * of which are 0 */
    tc_real stiffness[2]; /* SERVO: of translation [N/m], of rotation [N m/rad]; >= 0 */
    tc_real damping[2];   /* against rest: of translation [N s/m], of rotation [N m s/rad]; on all
                           * freedoms; >= 0 */
    tc_real drag;         /* plane: friction of the body on the plane seen from above [N]; >= 0 */
    tc_real drag_radius;  /* plane: torque of that friction at pure spin, per force [m]; >= 0 */
} tc_implicit_body;

/* A convex piece of a body. */
typedef struct tc_implicit_piece {
    tc_barrier_set set; /* in the body's axes, from its centre of mass */
    uint32_t body;
} tc_implicit_piece;

/* A fixed half-space <normal, x> >= offset. All pieces of bodies that can move stay in it. */
typedef struct tc_implicit_floor {
    tc_real normal[3]; /* unit length */
    tc_real offset;    /* [m] */
    tc_real friction;  /* coefficient of friction [1]; >= 0 */
} tc_implicit_floor;

/* Two pieces that may touch. */
typedef struct tc_implicit_pair {
    uint32_t a, b;    /* indices of pieces; of different bodies */
    tc_real friction; /* coefficient of friction [1]; >= 0 */
} tc_implicit_pair;

/* A scene. Its arrays must outlive it. tc_implicit_default fills the tuning numbers. */
typedef struct tc_implicit_scene {
    const tc_implicit_space *space; /* tc_implicit2_space() or tc_implicit3_space() */
    const tc_implicit_body *body;   /* [bodies] */
    uint32_t bodies;                /* 1..TC_IMPLICIT_BODIES_MAX */
    const tc_implicit_piece *piece; /* [pieces] */
    uint32_t pieces;
    const tc_implicit_floor *floor; /* [floors] */
    uint32_t floors;
    const tc_implicit_pair *pair; /* [pairs]; tc_implicit_pairs lists all */
    uint32_t pairs;
    tc_real gravity[3];        /* [m/s^2]; 0 */
    tc_real step;              /* h [s]; > 0; 0.04 */
    tc_real weight;            /* mu of the barriers [J m]; >= 0; 1e-6; higher: softer contacts */
    tc_barrier_config barrier; /* tc_barrier_default() */
    tc_real slow;              /* speed below which friction fades [m/s]; > 0; 0.001 */
    tc_real tolerance;         /* largest move of the last Newton step [m], [rad]; > 0; 1e-7, in
                                * double 1e-10 */
    uint32_t iterations;       /* most Newton steps; 1..1000; 60 */
    uint32_t trials;           /* most trials of a Newton step; 1..100; 40 */
} tc_implicit_scene;

/* Lengths of a scene's arrays, in numbers. */
typedef struct tc_implicit_sizes {
    uint32_t coordinates; /* of all bodies */
    uint32_t freedoms;    /* of all bodies */
    uint32_t state;       /* 2 coordinates */
    uint32_t tangent;     /* 2 freedoms */
    uint32_t control;
    uint32_t record; /* what a step leaves for derivatives and for the next step */
    uint32_t work;   /* of every function here */
} tc_implicit_sizes;

/* Report of a step. */
typedef struct tc_implicit_info {
    uint32_t newton; /* Newton steps */
    uint32_t trials; /* poses that were tried */
    uint32_t pair;   /* the pair or floor that refused: of TC_ERR_TOUCHING; pairs + floor * pieces +
                      * piece for a floor */
    tc_real residual; /* largest move of the last Newton step, not taken [m], [rad] */
    tc_real value;    /* the minimum [J] */
    tc_real gap;      /* smallest lower bound of the distance over pairs and floors [m] */
} tc_implicit_info;

/* Returns a scene of a space without bodies, with the tuning numbers above. */
tc_implicit_scene tc_implicit_default(const tc_implicit_space *space);

/* Lists all pairs of pieces of different bodies in pair[length], with one friction. It leaves out
 * pairs that cannot move against each other, and bodies that a joint connects.
 * Returns: the number of such pairs, which may be above `length`; 0 of NULL. */
uint32_t tc_implicit_pairs(const tc_implicit_scene *scene, tc_real friction, tc_implicit_pair *pair,
                           uint32_t length);

/* Checks a scene and computes its lengths. The other functions take a checked scene and do not
 * check it again.
 * Returns:
 *   TC_OK               the scene is valid.
 *   TC_ERR_NULL         a required pointer is NULL.
 *   TC_ERR_SIZE         a number of things, an index, or a count of vertices is out of range.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_RANGE        a number is out of its range.
 *   TC_ERR_BODY         a mass or an inertia is not positive.
 *   TC_ERR_UNIT         an axis, a quaternion or a normal is not of unit length.
 *   TC_ERR_UNSUPPORTED  a joint or a drive is unknown, or unknown in this space.
 * On error: sizes are zero. */
tc_status tc_implicit_check(const tc_implicit_scene *scene, tc_implicit_sizes *sizes);

/* Computes the lengths of a checked scene. */
void tc_implicit_measure(const tc_implicit_scene *scene, tc_implicit_sizes *sizes);

/* Makes a state[state] of coordinates[coordinates] and velocity[freedoms]. Quaternions are made of
 * unit length.
 * Returns: TC_OK, TC_ERR_NULL, TC_ERR_NOT_FINITE; TC_ERR_UNIT: a quaternion is zero.
 * On error: state is zero. */
tc_status tc_implicit_start(const tc_implicit_scene *scene, const tc_real *coordinates,
                            const tc_real *velocity, tc_real *state);

/* Moves a state by one step. All pairs are apart all along the way from state to next.
 *
 * Inputs are state[state], control[control] (NULL if there are none) and warm[record]. Pass as warm
 * the record of the step that led to `state`, or NULL. It saves time, and changes `next` within the
 * tolerance only.
 * Outputs are next[state], which may be `state`, and record[record], which may be `warm`. Info may
 * be NULL.
 * Returns:
 *   TC_OK              done.
 *   TC_NOTE_LIMIT      iterations or trials ended before the tolerance was met: next is apart, but
 *                      not the minimum, and derivatives are rough.
 *   TC_NOTE_PRECISION  a gap is near the resolution of the coordinates.
 *   TC_ERR_NULL        a required pointer is NULL.
 *   TC_ERR_ALIGN       work is misaligned.
 *   TC_ERR_WORK        work_len is below sizes.work.
 *   TC_ERR_NOT_FINITE  a number of state or control is NaN or infinite, or a result overflows.
 *   TC_ERR_UNIT        a quaternion is not of unit length.
 *   TC_ERR_TOUCHING    bodies touch in `state`; info->pair has which.
 * On error: next and record are unchanged.
 * Cost: bounded by iterations and trials; O(freedoms^3) per Newton step beside the pairs. */
tc_status tc_implicit_step(const tc_implicit_scene *scene, const tc_real *state,
                           const tc_real *control, const tc_real *warm, tc_real *next,
                           tc_real *record, tc_real *work, size_t work_len, tc_implicit_info *info);

/* Pulls a gradient back through a step. The input gradient_next[tangent] is the derivative of a
 * number by `next`. Outputs are gradient_state[tangent] and gradient_control[control], its
 * derivatives by `state` and by `control`. Those of locked freedoms are 0. The record is that of
 * the step. Output gradient_state may be gradient_next.
 * Returns: TC_OK, TC_ERR_NULL, TC_ERR_ALIGN, TC_ERR_WORK.
 * On error: nothing is written.
 * Cost: O(freedoms^2). */
tc_status tc_implicit_pull(const tc_implicit_scene *scene, const tc_real *state,
                           const tc_real *control, const tc_real *next, const tc_real *record,
                           const tc_real *gradient_next, tc_real *gradient_state,
                           tc_real *gradient_control, tc_real *work, size_t work_len);

/* Computes A[tangent x tangent] = d next / d state and B[tangent x control] = d next / d control,
 * row by row.
 * Returns: as tc_implicit_pull.
 * Cost: as many pulls as freedoms. */
tc_status tc_implicit_columns(const tc_implicit_scene *scene, const tc_real *state,
                              const tc_real *control, const tc_real *next, const tc_real *record,
                              tc_real *A, tc_real *B, tc_real *work, size_t work_len);

/* Computes increment[tangent], which leads from state `from` to state `to`.
 * Returns: TC_OK, TC_ERR_NULL. On error: nothing is written. */
tc_status tc_implicit_difference(const tc_implicit_scene *scene, const tc_real *to,
                                 const tc_real *from, tc_real *increment);

/* Adds increment[tangent] to state `from`; to may be from.
 * Returns: TC_OK, TC_ERR_NULL. On error: nothing is written. */
tc_status tc_implicit_add(const tc_implicit_scene *scene, const tc_real *from,
                          const tc_real *increment, tc_real *to);

TC_END

#endif
