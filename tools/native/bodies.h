/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Scenes of bodies with shapes (tools/tinycontact/scene): a roll-out in one call. Host only. All
 * numbers cross in double, SI, world axes unless stated.
 */
#ifndef NATIVE_BODIES_H
#define NATIVE_BODIES_H

#include "sdf.h"
#include "tc_scene_shapes.h"
#include "tc_scene_step_sustained.h"

TC_BEGIN

#define NATIVE_BODIES_MAX 32u /* bodies, those that do not move included */

/* A body and how it begins. */
typedef struct native_body {
    const native_sdf *shape;
    int32_t moving;
    double mass, inertia[3]; /* principal moments */
    double axes[9];          /* [3 x 3] principal axes to the shape's axes */
    double turn[4];          /* the same as a quaternion */
    double centre[3];        /* centre of mass, shape's axes */
    double position[3];      /* of the centre of mass */
    double quat_wxyz[4];     /* shape's axes to world axes */
    double velocity[6];      /* of the centre of mass, then angular */
    double force[3], torque[3];
    double until; /* time at which force and torque end; negative: never */
} native_body;

/* A point of a body, from its centre of mass in the shape's axes; of one that does not move from its
 * position. */
typedef struct native_bodies_point {
    int32_t body; /* negative: `at` is in the world */
    double at[3];
} native_bodies_point;

/* As tc_scene_joint, tc_scene_limit and tc_scene_spring. */
typedef struct native_bodies_joint {
    int32_t kind;
    native_bodies_point a, b;
    double length;
} native_bodies_joint;

typedef struct native_bodies_limit {
    int32_t kind; /* of a distance or a bend */
    native_bodies_point point[3];
    double low, high;
} native_bodies_limit;

typedef struct native_bodies_spring {
    native_bodies_point a, b;
    double stiffness, length;
} native_bodies_spring;

/* A scene. */
typedef struct native_bodies {
    double gravity[3];
    uint32_t count;
    const native_body *body;
    const double *material; /* [count][count][2] mu, e; mu negative: the two never touch */
    double step;            /* largest step while something touches or is tied [s] */
    double touch;           /* threshold on gaps [m] */
    int32_t bounce;         /* tc_scene_step_bounce */
    uint32_t joints, limits, springs;
    const native_bodies_joint *joint;
    const native_bodies_limit *limit;
    const native_bodies_spring *spring;
} native_bodies;

/* What a roll-out came to, and where its rows go. */
typedef struct native_bodies_roll {
    double *poses;      /* [times][count][7] position of the centre of mass, quaternion */
    double *velocities; /* [times][count][6] */
    double *impulses;   /* [times][count][count][3] since the time before, on the first body from
                                 * the second; 0 where the first is behind the second; may be null */
    void (*tell)(double share); /* called at each time; may be null */
    int32_t status;             /* of the last step */
    int32_t note;               /* the first positive status, at time `noted`; `notes` steps */
    uint32_t notes, steps, impacts, dropped, stopped;
    double noted;
    double deepest;   /* smallest gap of a pair at the wanted times [m] */
    uint32_t pair[2]; /* its bodies; at the beginning those at fault, if the status is negative */
    double begin;     /* smallest gap at the beginning [m] */
    uint32_t started[2]; /* its bodies */
} native_bodies_roll;

/* States at times[n], ascending, from 0. Returns a tc_status, also in `status`. TC_ERR_BODY: the
 * body `pair[0]` is refused. */
int32_t native_bodies_run(const native_bodies *given, const double *times, uint32_t n,
                          native_bodies_roll *roll);

#define NATIVE_BODIES_DIRECTIONS 8u /* of one call */

/* A parameter: two scenes with the bodies of the first, in the same order, whose shapes are of the
 * same kinds. Principal axes differ by a small turn. */
typedef struct native_bodies_direction {
    const native_bodies *more, *less;
    double step;        /* half of what the parameter differs by */
    double *poses;      /* [times][count][6] derivatives: of the position; of the orientation the
                         * small turn, world axes */
    double *velocities; /* [times][count][6] */
} native_bodies_direction;

/* native_bodies_run, with derivatives by `count` parameters (tc_scene_grad_sustained.h). A time
 * `until` is that of the scene itself. */
int32_t native_bodies_derive(const native_bodies *given, const native_bodies_direction *direction,
                             uint32_t count, const double *times, uint32_t n,
                             native_bodies_roll *roll);

TC_END

#endif
