/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A step of a scene on its way: memory, and the parts that tc_scene_step.c puts together.
 */
#ifndef TC_SCENE_STEP_INTERNAL_H
#define TC_SCENE_STEP_INTERNAL_H

#include "tc_scene_step.h"

typedef struct tci_scene_step_run {
    const tc_scene *scene;
    const tc_scene_step_config *config;
    tc_scene_step_info *info;
    tc_scene_placed placed;
    tc_scene_sizes sizes;
    tc_real *q, *v;             /* the state */
    tc_real *q_try, *v_try;     /* the state after a motion that is tried */
    tc_real *q_start, *v_start; /* Runge-Kutta: the beginning */
    tc_real *q_stage, *v_stage; /* where it is evaluated */
    tc_real *q_rate, *v_rate;   /* derivatives there */
    tc_real *E, *scale, *c, *b; /* joints */
    tc_real *apart;             /* [sources] 1: the pair may meet within the step */
    tc_real *gap;               /* [sources] at the beginning of a motion */
    int struck;                 /* 1: those that touched at the beginning were resolved */
    tc_impact_info *impact;     /* of the last impact */
    tc_scene_contact *contact;  /* [contacts] */
    tc_real *G;                 /* [n rows x d] */
    tc_real *w0, *target, *w_c, *w;
    tc_real *f_c, *u_c, *f, *u, *aim;
    tc_real *mu, *e;
    tc_real *solve; /* of tc_impact_solve, and of a Gram matrix */
    size_t solve_len;
    uint32_t shared; /* bit i: the tangents of contact i are turned by 45 degrees */
    tc_joint_rows joint;
    /* the last impact, for its derivatives */
    uint32_t count;      /* contacts of it, in `contact`; 0: nothing touched */
    int aimed;           /* 1: it had a target */
    int stopped;         /* 1: its contacts were stopped */
    tc_real *w_least;    /* [d] tc_impact_answer.w_least; NULL: not wanted */
    const tc_real *push; /* [d] force besides the scene's own; NULL: none */
} tci_scene_step_run;

/* The inputs of a step that are not its state. */
typedef struct tci_scene_step_inputs {
    const tc_scene *scene;
    const tc_scene_step_config *config;
    tc_scene_step_info *info;
} tci_scene_step_inputs;

/* tc_scene_step.c: what a step begins and ends with. The beginning checks config, state and work,
 * lays the run out in work and copies the state; the end checks the result and writes it. */
tc_status tci_scene_step_begin(const tci_scene_step_inputs *given, const tc_real *q,
                               const tc_real *v, tc_real *work, size_t work_len,
                               tci_scene_step_run **begun);
tc_status tci_scene_step_end(const tci_scene_step_run *run, tc_status status, tc_real *q,
                             tc_real *v);

/* Of two statuses the worse one: an error, else the larger note */
tc_status tci_scene_step_worse(tc_status a, tc_status b);

/* tc_scene_step_smooth.c: moves q, v by h without contacts. Tied moves all movers together, holds
 * joints, and adds wrenches and run->push. */
tc_status tci_scene_step_move(tci_scene_step_run *run, tc_real h, tc_real *q, tc_real *v);
tc_status tci_scene_step_move_tied(tci_scene_step_run *run, tc_real h, tc_real *q, tc_real *v);

/* Factors the joints' rows where the scene is placed; errors of position to run->c, bias to
 * run->b. */
tc_status tci_scene_step_tie(tci_scene_step_run *run);

/* tc_scene_step_time.c: moves q, v to the earliest impact within `left`, or by all of it.
 * *left: what remains; 0: nothing was met. */
tc_status tci_scene_step_meet(tci_scene_step_run *run, tc_real *left);

/* tc_scene_step_impact.c: resolves the contacts with gap < margin. */
tc_status tci_scene_step_impact(tci_scene_step_run *run, tc_real margin);

/* The parts of it. Where q, v put the scene, gather writes the rows of `found` contacts, and w0; *n:
 * those that count. Solve finds w, from a target and impulses that are expected; both may be NULL. Change writes the change of
 * rates to change[d], which may be w. Note counts the contacts with an impulse. */
tc_status tci_scene_step_gather(tci_scene_step_run *run, const tc_real *q, const tc_real *v,
                                uint32_t found, uint32_t *n);
tc_status tci_scene_step_solve(tci_scene_step_run *run, uint32_t n, const tc_real *target,
                               const tc_real *warm);
/* The target of TC_SCENE_STEP_NEWTON, for the velocities w0 of n contacts, whose e become 0; NULL:
 * none bounces. */
const tc_real *tci_scene_step_rebound(tci_scene_step_run *run, uint32_t n);
void tci_scene_step_change(tci_scene_step_run *run, tc_real *change);
void tci_scene_step_note(tci_scene_step_run *run, uint32_t n);

/* A search for the time at which a gap closes: it is positive at `low` and negative at `high`. */
#define TCI_SCENE_STEP_LOOKS 40u
typedef struct tci_scene_step_bracket {
    tc_real low, high, gap_low, gap_high; /* gaps of one end are halved where the other stays */
    tc_real least;                        /* the gap at `low` */
    int side;
    uint32_t looks;
} tci_scene_step_bracket;

/* tc_scene_step_bracket.c: begins with times 0 and `high`; tells the time to look at; and notes the
 * gap there. */
void tci_scene_step_bracket_open(tci_scene_step_bracket *bracket, tc_real high, tc_real gap_low,
                                 tc_real gap_high);
tc_real tci_scene_step_bracket_next(tci_scene_step_bracket *bracket);
void tci_scene_step_bracket_note(tci_scene_step_bracket *bracket, tc_real time, tc_real gap);
/* Columns in which a contact's rows may have entries: from[k] to end[k] - 1, ascending */
typedef struct tci_scene_columns {
    uint32_t from[2], end[2];
} tci_scene_columns;
void tci_scene_step_columns(const tci_scene_step_run *run, uint32_t i, tci_scene_columns *columns);

/* tc_scene_step_expect.c: 1 if the impulses run->f_c still answer the problem of n contacts; the
 * answer is then where tci_scene_step_solve puts it. Else run->f_c is a better guess. */
int tci_scene_step_holds(tci_scene_step_run *run, uint32_t n);

/* Another way through a step than that of tc_scene_step.c (tc_scene_step_sustained.h). */
struct tc_scene_step_method {
    tc_status (*check)(const tci_scene_step_run *run);
    tc_status (*advance)(tci_scene_step_run *run);
};

/* x[n rows] <- (G G^T + delta D)^-1 x to the limit of small delta, n contacts; work in `solve` and
 * `u`. */
tc_status tci_scene_step_nearest(tci_scene_step_run *run, uint32_t n, tc_real *x);

#endif
