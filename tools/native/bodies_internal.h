/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A roll-out of bodies with shapes on its way: shared by bodies.c and bodies_grad.c.
 */
#ifndef NATIVE_BODIES_INTERNAL_H
#define NATIVE_BODIES_INTERNAL_H

#include "bodies.h"
#include "kept.h"
#include "tc_scene_grad_sustained.h"

#define MEET TC_SDF_NET_WORK(TC_NET_WIDTH_MAX, TC_NET_LAYERS_MAX)

/* What stands behind a body's pointers. */
typedef struct body_parts {
    tc_body3 body;
    tc_scene_wrench wrench;
    tc_convex_pose pose;
    tc_shape3 hull;
    tc_plane3 plane;
    tc_real vertices[24];
    uint16_t mover;  /* or TC_SCENE_WORLD */
    uint16_t as_sdf; /* surface; 0xffff: not yet */
    uint16_t as_hull;
} body_parts;

struct bodies_run;

/* A direction on its way */
typedef struct bodies_along {
    struct bodies_run *more, *less;
    const native_bodies_direction *given;
    tc_real q[6u * TC_SCENE_MOVERS_MAX], v[6u * TC_SCENE_MOVERS_MAX];
    double turn[TC_SCENE_MOVERS_MAX][3]; /* how the shape turns in the principal axes */
} bodies_along;

typedef struct bodies_run {
    const native_bodies *given;
    tc_scene scene;
    body_parts part[NATIVE_BODIES_MAX];
    tc_scene_mover mover[TC_SCENE_MOVERS_MAX];
    uint16_t body_of[TC_SCENE_MOVERS_MAX];
    tc_scene_surface surface[TC_SCENE_TABLE_MAX];
    tc_scene_material material[TC_SCENE_TABLE_MAX];
    tc_scene_pair pair[TC_SCENE_TABLE_MAX];
    uint16_t between[TC_SCENE_TABLE_MAX][2]; /* bodies of a pair */
    tc_scene_joint joint[TC_SCENE_JOINT_ROWS_MAX];
    tc_scene_limit limit[TC_SCENE_TABLE_MAX];
    tc_scene_spring spring[TC_SCENE_TABLE_MAX];
    tc_real q[7u * TC_SCENE_MOVERS_MAX], v[6u * TC_SCENE_MOVERS_MAX];
    tc_scene_placed placed;
    tc_real *seen, *work;
    native_kept kept;   /* contacts that persist */
    tc_real meet[MEET]; /* for shapes that are nets */
    size_t work_len;
    double time;
    tc_scene_step_config config;
    tc_scene_step_info info[2]; /* of this step and of the last one, in turn */
    bodies_along *along;        /* [directions] */
    uint32_t directions;
} bodies_run;

/* r = a b, quaternions */
void bodies_multiply_turns(const double a[4], const double b[4], double r[4]);
void bodies_matrix_of_turn(const double q[4], double R[9]);

/* bodies.c: the scene of run->given, and whether the library takes it. *body: the one at fault. */
tc_status bodies_take_scene(bodies_run *run, uint32_t *body);

/* The forces that act at run->time; returns the largest acceleration without contact. */
double bodies_set_forces(bodies_run *run);

/* bodies_grad.c: a step, with run->config, and all directions with it */
tc_status bodies_step_along(bodies_run *run, tc_scene_step_info *info);
void bodies_write_along(const bodies_run *run, uint32_t row);

/* bodies.c: native_bodies_run of a run whose scene and directions are given */
int32_t bodies_roll_out(bodies_run *run, const double *times, uint32_t n, native_bodies_roll *roll);

#endif
