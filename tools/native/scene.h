/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Scenes for Python (tools/tinycontact/impact): a scene behind one handle, and whole roll-outs of
 * tc_scene_step in one call. Host only. All numbers cross in double, SI. Points and vectors have
 * three numbers, in the plane the third is 0.
 */
#ifndef NATIVE_SCENE_H
#define NATIVE_SCENE_H

#include "field.h"
#include "tc_scene_step.h"

TC_BEGIN

/* A link; of a chain the joint before it. */
typedef struct native_scene_link {
    int32_t joint; /* tc_chain_joint; of chains */
    double mass, inertia[3];
    double anchor[3], arm[3], axis[3], rest[4];
} native_scene_link;

typedef struct native_scene_mover {
    int32_t kind;   /* tc_scene_kind */
    uint32_t links; /* of a chain; else 1 */
    const native_scene_link *link;
} native_scene_mover;

typedef struct native_scene_surface {
    uint32_t mover, link, centred; /* TC_SCENE_WORLD: a half space */
    uint32_t count;                /* vertices of `dimension` numbers */
    const double *vertices;
    double radius;
    double normal[3], offset;
} native_scene_surface;

typedef struct native_scene_point {
    uint32_t mover, link;
    double at[3];
} native_scene_point;

typedef struct native_scene_joint {
    int32_t kind; /* tc_scene_joint_kind */
    native_scene_point a, b;
    double length;
} native_scene_joint;

typedef struct native_scene_limit {
    int32_t kind; /* tc_scene_limit_kind */
    uint32_t mover, coordinate;
    native_scene_point point[3];
    double low, high;
} native_scene_limit;

typedef struct native_scene_spring {
    native_scene_point a, b;
    double stiffness, length;
} native_scene_spring;

typedef struct native_scene_given {
    uint32_t dimension;
    double gravity[3];
    uint32_t movers, surfaces, materials, pairs, joints, limits, springs;
    const native_scene_mover *mover;
    const native_scene_surface *surface;
    const double *material; /* [materials][2] mu, e */
    const uint32_t *pair;   /* [pairs][3] a, b, material */
    const native_scene_joint *joint;
    const native_scene_limit *limit;
    const native_scene_spring *spring;
} native_scene_given;

typedef struct native_scene_config {
    double h, compensation, touch;
    int32_t law; /* tc_impact_law */
    uint32_t impacts;
} native_scene_config;

/* What is wrong with a scene, and its sizes. */
typedef struct native_scene_told {
    int32_t status; /* of tc_scene_check */
    int32_t table;  /* tc_scene_table at fault */
    uint32_t index; /* its entry */
    uint32_t coordinates, rates, links, joint_rows;
} native_scene_told;

typedef struct native_scene native_scene; /* opaque */

/* A handle; null on an error, which `told` has. `native_scene_free` takes null. */
native_scene *native_scene_open(const native_scene_given *given, native_scene_told *told);
void native_scene_free(native_scene *handle);

/* The tables of a scene, which may be changed: learning does. */
tc_scene *native_scene_tables(native_scene *handle);

/* Gives the scene a potential (field.h): a net or null, its distances, and constant forces
 * [links][3], which native_learn_place finds; null: as they are. Returns a tc_status. */
int32_t native_scene_set_field(native_scene *handle, const tc_net *net, uint32_t distances,
                               const native_field_distance *distance, const double *force);

/* Constant force number `component` on a link of all links; null if there is no field. */
tc_real *native_scene_force(native_scene *handle, uint32_t link, uint32_t component);

#define NATIVE_SCENE_TOUCH 9u /* step, source, feature, impulse x y z, point x y z */

/* What a roll-out came to, and where its rows go. */
typedef struct native_scene_roll {
    double *q, *v;  /* [steps + 1][coordinates], [rates]; the caller sets the first row */
    double *energy; /* [steps + 1][2] kinetic, potential; may be null */
    double *touch;  /* [touches_max][NATIVE_SCENE_TOUCH] contacts with an impulse; may be
                             * null */
    uint32_t touches_max, touches; /* those beyond are counted */
    uint32_t done;                 /* steps */
    int32_t status;                /* of the last step */
    int32_t note;                  /* the first positive status, at step `noted`; `notes` steps */
    uint32_t noted, notes;
    uint32_t impacts, dropped, stopped;
    double residual;
} native_scene_roll;

/* `steps` steps; stops at a negative status, which is returned. */
int32_t native_scene_run(native_scene *handle, const native_scene_config *config, uint32_t steps,
                         native_scene_roll *roll);

/* At q, v: frames[links][NATIVE_SCENE_FRAME] of each link; gaps[pairs + limits]; errors of
 * the joints [joint_rows]. Each may be null. Returns a tc_status. */
#define NATIVE_SCENE_FRAME 18u /* at [3], R [9], velocity [3], omega [3] */
int32_t native_scene_look(native_scene *handle, const double *q, const double *v, double *frames,
                          double *gaps, double *errors);

TC_END

#endif
