/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Directions through a sustained step on their way: shared by the files tc_scene_grad_sustained*.c.
 */
#ifndef TC_SCENE_GRAD_SUSTAINED_INTERNAL_H
#define TC_SCENE_GRAD_SUSTAINED_INTERNAL_H

#include "tc_scene_grad_sustained.h"
#include "tc_scene_step_sustained_internal.h"

#define TCI_NEAR_PLACE TC_SCENE_GRAD_SUSTAINED_NEAR
#define TCI_NEAR_RATE (TC_C(10.0) * TC_SCENE_GRAD_SUSTAINED_NEAR) /* of rates [m/s or rad/s] */
#define TCI_PROBES_MAX 4u

/* A beginning nearby: the scene, how far along the direction, the changes of span and time */
typedef struct tci_scene_grad_sustained_probe {
    const tc_scene *scene;
    tc_real far, span, time, weight;
} tci_scene_grad_sustained_probe;

/* What varies. NULL and 0: does not. */
typedef struct tci_scene_grad_sustained_variation {
    const tc_real *q, *v;
    const tc_scene_grad_sustained_direction *by; /* more, less, step */
    tc_real span, time;                          /* 1: by it */
} tci_scene_grad_sustained_variation;

/* What came of it at the interval's end */
typedef struct tci_scene_grad_sustained_end {
    tc_real *q, *v; /* [d] */
    tc_real gap;    /* of the pair that is met */
    tc_real slide;  /* of the contact that stops: s . g w - s . s */
} tci_scene_grad_sustained_end;

typedef struct tci_scene_grad_sustained {
    tci_scene_step_run *step;
    tci_scene_step_interval own;
    tci_scene_step_kept kept[2];
    const tc_scene_grad_sustained_direction *along;
    uint32_t count;
    tc_status status;           /* notes */
    tc_real time;               /* t */
    tc_scene_contact event;     /* place of a closed pair that is met once more */
    int after_event;            /* 1: the interval begins with an event */
    int strikes;                /* contact that strikes at a beginning without one; -1: none */
    int further;                /* 1: `event` ends the interval */
    tc_real *q, *v;             /* the beginning before the impact */
    tc_real *q_end, *v_end;     /* the end */
    tc_real *q_probe, *v_probe; /* a probe's beginning */
    tc_real *q_middle, *turn, *spare; /* of a probe; [d] a difference; [d] */
    tc_real *dG, *dw0, *dmu, *de;     /* variations of an impact */
    tc_real *dw, *dy;                 /* [d] */
    tc_real *dq, *dv;                 /* [d] of a direction after the impact */
    tc_real *columns;                 /* [count][2 d + 1] q, v, left */
    tci_scene_grad_sustained_end by_all, by_span, by_time;
} tci_scene_grad_sustained;

/* tc_scene_grad_sustained_probe.c: the probes of a variation, with dy of the rates' change or NULL.
 * still: the parameter makes no difference. Use puts a scene in the run's place; begin does so and
 * writes the probe's beginning, from q and v, to q_probe and v_probe. */
uint32_t tci_scene_grad_sustained_list(const tci_scene_grad_sustained *run,
                                       const tci_scene_grad_sustained_variation *of,
                                       const tc_real *dy, int still,
                                       tci_scene_grad_sustained_probe probes[TCI_PROBES_MAX]);
void tci_scene_grad_sustained_use(tci_scene_grad_sustained *run, const tc_scene *scene);
void tci_scene_grad_sustained_begin(tci_scene_grad_sustained *run,
                                    const tci_scene_grad_sustained_variation *of,
                                    const tci_scene_grad_sustained_probe *probe, const tc_real *q,
                                    const tc_real *v);

/* turn[d] = b - a, of orientations the small turn from a to b, world axes; to += weight from */
void tci_scene_grad_sustained_subtract(const tci_scene_grad_sustained *run, const tc_real *a,
                                       const tc_real *b);
void tci_scene_grad_sustained_add(tc_real *to, tc_real weight, const tc_real *from, size_t n);

/* Of contacts that were found the one that is wanted, or NULL. Match puts those of n that were kept,
 * where the scene is placed now, into step->contact. */
const tc_scene_contact *tci_scene_grad_sustained_find(const tc_scene_contacts *found,
                                                      const tc_scene_contact *wanted);
void tci_scene_grad_sustained_match(tci_scene_grad_sustained *run, const tci_scene_step_kept *kept,
                                    uint32_t n);

/* Variations of an impact of n contacts: clear sets 0; vary adds the rows at a probe, of the contacts
 * in step->contact; solve goes from dG, dw0, dmu, de and a part of dy to dw and dy, where the scene
 * is placed at the rows. */
void tci_scene_grad_sustained_clear(tci_scene_grad_sustained *run, uint32_t n);
tc_status tci_scene_grad_sustained_vary(tci_scene_grad_sustained *run,
                                        const tci_scene_step_kept *kept, uint32_t n,
                                        const tc_real *q, const tc_real *bias, tc_real weight);
tc_status tci_scene_grad_sustained_solve(tci_scene_grad_sustained *run,
                                         const tci_scene_step_kept *kept);

/* tc_scene_grad_sustained_interval.c: moves the step and all directions by config->h. */
tc_status tci_scene_grad_sustained_advance(tci_scene_grad_sustained *run);

#endif
