/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A potential for a scene: a constant force on every link, and a net of the library whose inputs
 * are where links are (tools/tinycontact/impact/potential.py). Host only.
 *
 *     V = - sum force_i . x_i + net(z),    z = (d_1, d_2, ...), without distances (x_1, x_2, ...)
 *
 * x_i is a link's centre of mass, with as many numbers as the scene has dimensions; d_k is the
 * distance of link a_k from link b_k, or from a point of the world.
 */
#ifndef NATIVE_FIELD_H
#define NATIVE_FIELD_H

#include "tc_net.h"
#include "tc_scene.h"

TC_BEGIN

/* Links are numbered through all movers. */
typedef struct native_field_distance {
    uint32_t a, b; /* b: TC_SCENE_WORLD, the point `at` */
    double at[3];
} native_field_distance;

typedef struct native_field {
    tc_scene_field base;
    tc_net net; /* n_layers 0: none */
    uint32_t distances, links, dimension;
    native_field_distance *distance;
    tc_real *force;                   /* [links][3] constant */
    tc_real *input, *gradient, *work; /* of the net */
    size_t work_len;
} native_field;

/* Opens a field without a net for a scene, and closes it. */
tc_status native_field_open(native_field *field, const tc_scene *scene);
void native_field_close(native_field *field);

/* Sets the net, which outlives the field, and its distances, which are copied. `net`: null for none.
 * Returns a tc_status: TC_ERR_SIZE if the net has not one output and as many inputs as z,
 * TC_ERR_RANGE if a link is not there. */
tc_status native_field_set(native_field *field, const tc_net *net, uint32_t distances,
                           const native_field_distance *distance);

TC_END

#endif
