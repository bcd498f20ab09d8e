/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The derivative of a step on its way: memory, and the parts that tc_scene_grad.c puts together.
 */
#ifndef TC_SCENE_GRAD_INTERNAL_H
#define TC_SCENE_GRAD_INTERNAL_H

#include "tc_scene_grad.h"
#include "tc_scene_step_internal.h"

/* One direction: what the caller gave, and where it has come to */
typedef struct tci_scene_grad_column {
    const tc_scene_grad_direction *along;
    tc_real *q, *v; /* [rates] */
    tc_real *left;  /* of the time that is left of the step */
} tci_scene_grad_column;

typedef struct tci_scene_grad_run {
    tci_scene_step_run *step;
    const tc_scene_grad *grad;
    tc_real *G;        /* [n rows x d] of the contacts' rows */
    tc_real *aim;      /* [n rows] of the velocities that take penetration out */
    tc_real *x;        /* [n rows] of the impulses that reach them */
    tc_real *mu, *e;   /* [n] */
    tc_real *length;   /* [d] diagonal of L, M = L L^T */
    tc_real *stretch;  /* [d] its direction */
    tc_real *w0;       /* [d] of the velocity before, whitened */
    tc_real *target;   /* [d] */
    tc_real *w;        /* [d] the velocity after both phases */
    tc_real *dw;       /* [d] its direction */
    tc_real *w_least;  /* [d] */
    tc_real *velocity; /* [d] rates before the impact */
    tc_real *column;   /* [count][2 d + 1] */
} tci_scene_grad_run;

static inline tci_scene_grad_column tci_scene_grad_at(const tci_scene_grad_run *run, uint32_t k)
{
    const uint32_t d = run->step->sizes.rates;
    tc_real *const q = run->column + (size_t)(2u * d + 1u) * k;
    return (tci_scene_grad_column){&run->grad->along[k], q, q + d, q + 2u * d};
}

/* How a point moves that is fixed to a mover: its place x[3], and its direction dx[3]. */
typedef struct tci_scene_grad_point {
    tc_real x[3], dx[3];
} tci_scene_grad_point;

/* A contact where the scene is placed: its directions. World axes. */
typedef struct tci_scene_grad_touch {
    tci_scene_grad_point arm[2]; /* of a, and of b if it moves */
    tc_real normal[3], dnormal[3];
    tc_real dgap;
} tci_scene_grad_touch;

/* tc_scene_grad_touch.c: vertex i of a surface that moves, and contact `feature` of a pair. */
void tci_scene_grad_vertex(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                           uint32_t surface, uint32_t i, tci_scene_grad_point *point);
void tci_scene_grad_meet(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                         uint32_t source, uint32_t feature, tci_scene_grad_touch *touch);

/* Row of contact c along n: the direction of J, scaled by L^-T, added to row[d]. */
void tci_scene_grad_add_row(const tci_scene_grad_run *run, const tci_scene_grad_column *column,
                            uint32_t source, const tci_scene_grad_touch *touch, const tc_real n[3],
                            const tc_real dn[3], tc_real *row);

/* tc_scene_grad_motion.c: carries the directions through a motion by `time`. `fixed`: by all that
 * was left; else to the earliest impact. Returns TC_NOTE_PRECISION if its gap did not close. */
tc_status tci_scene_grad_move(tci_scene_grad_run *run, tc_real time, int fixed);

/* The same where touching pairs strike at once, without motion. */
tc_status tci_scene_grad_touch_now(tci_scene_grad_run *run);

/* tc_scene_grad_impact.c: carries them through the impact that run->step has resolved. */
tc_status tci_scene_grad_strike(tci_scene_grad_run *run);

#endif
