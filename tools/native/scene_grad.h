/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Roll-outs of scenes with directions for Python (tools/tinycontact/impact/downstream.py):
 * tc_scene_grad_step in one call. Host only. All numbers cross in double, SI.
 */
#ifndef NATIVE_SCENE_GRAD_H
#define NATIVE_SCENE_GRAD_H

#include "scene.h"

TC_BEGIN

/* A direction: tc_scene_grad_direction. q and v are those of the start, and become those of the end. */
typedef struct native_scene_direction {
    double *q, *v;                /* [rates] */
    const double *gravity;        /* [3]; this and the others may be null: 0 */
    const double *mass, *inertia; /* [bodies] */
    const double *surface;        /* [surfaces], as the scene was given */
    const double *mu, *e;         /* [materials] */
} native_scene_direction;

/* What a roll-out came to. */
typedef struct native_scene_carried {
    double *q, *v;    /* [coordinates], [rates]: of the start, and become those of the end */
    double *path;     /* [steps + 1][coordinates]; may be null */
    uint32_t leap;    /* 1: steps in which nothing can meet are taken at once, where bodies are
                        * particles without gravity; equal to rounding */
    uint32_t done;    /* steps */
    uint32_t taken;   /* of them with tc_scene_grad_step or tc_scene_step */
    uint32_t impacts; /* impacts that were resolved */
    int32_t status;   /* of the last step */
    int32_t note;     /* the first positive status */
} native_scene_carried;

/* `steps` steps with `count` directions, which may be 0; stops at a negative status, which is
 * returned. */
int32_t native_scene_carry(native_scene *handle, const native_scene_config *config, uint32_t steps,
                           const native_scene_direction *direction, uint32_t count,
                           native_scene_carried *roll);

TC_END

#endif
