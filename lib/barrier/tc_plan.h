/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Planning through contact: controls of `horizon` knots that bring chosen coordinates to goals.
 *
 *     static tc_real work[...];                        // tc_plan_work_len(&task, &config) numbers
 *     tc_plan_config config = tc_plan_default();
 *     config.horizon = 20;
 *     tc_plan plan;
 *     tc_status s = tc_plan_init(&plan, &task, &config, work, TC_COUNT(work));
 *     if (s >= TC_OK) s = tc_plan_start(&plan, state, controls);
 *     while (s >= TC_OK && !info.done) s = tc_plan_update(&plan, 8, &info);  // 8 steps per tick
 *     // apply plan.control[0 .. controls-1], measure, then tc_plan_shift(&plan, state) and again
 *
 * A plan rolls out a model from a state, and pulls the derivatives of the cost back through the
 * steps. The model is a table of functions, tc_plan_model: a user's own, or that of a scene by
 * tc_plan_implicit.h. The cost of states x_1 .. x_N and controls u_0 .. u_N-1 is
 *
 *     J = sum_k sum_goals weight_k max(0, |p_k - target|^2 - tolerance^2)
 *       + sum_k sum_bounds weight (distance of the coordinate from low..high)^2
 *       + effort sum_k |(u_k - rest) / scale|^2
 *
 * with a goal's weight_k = knot for k < N, and knot + end for k = N.
 *
 * TC_PLAN_KNOTS moves each knot along its gradient by about config.step, whatever the gradient's
 * size: far from contact that is 1e-7. The controls of a knot keep the gradient's direction.
 * TC_PLAN_ADAM scales each control by itself. TC_PLAN_NEWTON is Gauss-Newton with feedback (iLQR);
 * it needs the model's `columns` and `difference`.
 *
 * A call of tc_plan_update takes at most `budget` units of work. A unit is one step of the model,
 * one pull, or the columns of one step. The result has the same bits for any sequence of budgets.
 */
#ifndef TC_PLAN_H
#define TC_PLAN_H

#include "tc_status.h"

TC_BEGIN

#define TC_PLAN_HORIZON_MAX 4096u /* most knots */
#define TC_PLAN_CONTROL_MAX 16u   /* most controls of a knot */
#define TC_PLAN_STATE_MAX 512u    /* most numbers of a state, and of its tangent */
#define TC_PLAN_TERMS_MAX 64u     /* most goals, and most bounds */

/* A system that moves in steps. `scene` is handed to each function, unread.
 *
 * The functions check nothing. Each returns TC_OK, a note, or an error. Outputs of a function that
 * failed are unused. `space` has `work` numbers of scratch. */
typedef struct tc_plan_model {
    const void *scene; /* the functions' first argument */
    uint32_t state;    /* numbers of a state; 1..TC_PLAN_STATE_MAX */
    uint32_t tangent;  /* numbers of an increment of a state; 1..TC_PLAN_STATE_MAX */
    uint32_t control;  /* numbers of a control; 1..TC_PLAN_CONTROL_MAX */
    uint32_t record;   /* numbers that a step leaves to `pull`, `columns` and the next step */
    uint32_t work;     /* numbers of scratch that a function needs */
    /* Moves state[state] under control[control] to next[state]. warm[record]: the record of the
     * step before, or NULL. record[record] is written. */
    tc_status (*step)(const void *scene, const tc_real *state, const tc_real *control,
                      const tc_real *warm, tc_real *next, tc_real *record, tc_real *space);
    /* Pulls the gradient[tangent] of a number with respect to `next` back to those with respect to
     * `state` and `control`. */
    tc_status (*pull)(const void *scene, const tc_real *state, const tc_real *control,
                      const tc_real *next, const tc_real *record, const tc_real *gradient_next,
                      tc_real *gradient_state, tc_real *gradient_control, tc_real *space);
    /* Derivatives of `next`: A[tangent x tangent] with respect to `state`, and
     * B[tangent x control] with respect to `control`. NULL: TC_PLAN_NEWTON is refused. */
    tc_status (*columns)(const void *scene, const tc_real *state, const tc_real *control,
                         const tc_real *next, const tc_real *record, tc_real *A, tc_real *B,
                         tc_real *space);
    /* increment[tangent] that leads from `from` to `to`. NULL: TC_PLAN_NEWTON is refused. */
    void (*difference)(const void *scene, const tc_real *to, const tc_real *from,
                       tc_real *increment);
} tc_plan_model;

/* Coordinates of a state that shall come near a target. They follow each other in the state, and
 * their increments in the tangent. An increment adds to its coordinate. */
typedef struct tc_plan_goal {
    uint32_t state;    /* index of the first coordinate in the state */
    uint32_t tangent;  /* index of its increment in the tangent */
    uint32_t count;    /* number of coordinates; 1..3 */
    tc_real target[3]; /* [m] or [rad] */
    tc_real tolerance; /* distance at which the goal is reached [m]; 0 or more */
    tc_real end;       /* weight of the last state [1/m^2]; 0 or more */
    tc_real knot;      /* weight of each state after the first [1/m^2]; 0 or more */
} tc_plan_goal;

/* A coordinate of a state that shall stay within a range, such as a joint's angle. */
typedef struct tc_plan_bound {
    uint32_t state, tangent; /* indices, as in tc_plan_goal */
    tc_real low, high;       /* range [m] or [rad]; low <= high */
    tc_real weight;          /* of the square of the distance from the range [1/m^2]; 0 or more */
} tc_plan_bound;

/* Problem of a plan. Its pointers must stay valid. */
typedef struct tc_plan_task {
    const tc_plan_model *model;
    const tc_plan_goal *goal;   /* [goals] */
    uint32_t goals;             /* 1..TC_PLAN_TERMS_MAX */
    const tc_plan_bound *bound; /* [bounds]; may be NULL if bounds is 0 */
    uint32_t bounds;            /* 0..TC_PLAN_TERMS_MAX */
    const tc_real *low, *high;  /* [control] range of each control: the workspace; NULL: none */
    const tc_real
        *scale;          /* [control] a move of each control that counts as 1 [its unit]; NULL: 1 */
    const tc_real *rest; /* [control] control without effort; NULL: 0 */
    tc_real effort;      /* weight of controls [1]; 0 or more */
} tc_plan_task;

/* Method of a plan, see above. */
typedef enum tc_plan_method {
    TC_PLAN_KNOTS = 0,
    TC_PLAN_ADAM = 1,
    TC_PLAN_NEWTON = 2
} tc_plan_method;

/* Tuning of a plan. */
typedef struct tc_plan_config {
    tc_plan_method method; /* TC_PLAN_KNOTS */
    uint32_t horizon;      /* knots; 1..TC_PLAN_HORIZON_MAX; 30 */
    uint32_t iterations;   /* iterations until a plan is done; 1..65535; 10 */
    tc_real step;          /* move of a knot per iteration, in scale's units; > 0; 0.01; for
                            * TC_PLAN_NEWTON the largest one; higher: faster and less smooth */
    tc_real beta1;   /* share of the old direction [1]; 0..1 without 1; 0.3; higher: smoother */
    tc_real beta2;   /* share of the old size of the gradient [1]; 0..1 without 1; 0.5 */
    tc_real damping; /* TC_PLAN_NEWTON: first damping, relative to max|gradient| / step [1]; 0 or
                      * more; 1; 0: none until a trial fails; higher: shorter first moves */
} tc_plan_config;

/* Progress of a plan. */
typedef struct tc_plan_info {
    uint32_t done;       /* 1: all iterations are done, or no move lowers the cost */
    uint32_t iterations; /* iterations done since tc_plan_start or tc_plan_shift */
    uint32_t units;      /* units of work that this call took */
    uint32_t reach;      /* knots of the last roll-out that the model could step; horizon: all */
    tc_status failed;    /* of the model where reach < horizon; else TC_OK */
    tc_real cost;        /* J of the last roll-out; TC_PLAN_NEWTON: of the last one accepted */
    tc_real gradient;    /* largest |scale dJ/du_k| of a knot, of the last pull */
} tc_plan_info;

/* A plan. Fields are read only; control and state may be read at any time. */
typedef struct tc_plan {
    tc_plan_task task;
    tc_plan_config config;
    tc_real *control;  /* [horizon x control] the plan */
    tc_real *state;    /* [(horizon + 1) x state] the last roll-out, from the start on */
    tc_real *gradient; /* [horizon x control] dJ/du of that roll-out */
    tc_real *record;   /* [horizon x record] its records */
    tc_real *warm;     /* [record] of the step before the first */
    tc_real *moment;   /* what the method keeps */
    tc_real *pulled;   /* [2 x tangent] gradients on their way back */
    tc_real *space;    /* the model's scratch */
    uint32_t warmed;   /* 1: warm holds a record */
    uint32_t phase;    /* what the next unit does */
    uint32_t knot;     /* where it does so */
    uint32_t tries;    /* line search: trials made */
    uint32_t counted;  /* moves made, for the means */
    tc_plan_info info;
    tc_real trial_cost, trial_share, damping; /* TC_PLAN_NEWTON */
} tc_plan;

/* Returns the default configuration; the fields' comments have the values. */
tc_plan_config tc_plan_default(void);

/* Returns the length of a plan's workspace, or 0 if the model, its sizes, the horizon or the method
 * are refused by tc_plan_init. */
size_t tc_plan_work_len(const tc_plan_task *task, const tc_plan_config *config);

/* Makes a plan in work[work_len], which must stay.
 * Returns:
 *   TC_OK               done.
 *   TC_ERR_NULL         a required pointer is NULL.
 *   TC_ERR_ALIGN        work is misaligned.
 *   TC_ERR_SIZE         a size, an index, the horizon or iterations is out of its range.
 *   TC_ERR_WORK         work_len is below tc_plan_work_len: the horizon is beyond the memory.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_RANGE        a number is out of range; low is above high.
 *   TC_ERR_UNSUPPORTED  the method is unknown, or needs functions that the model does not have.
 * On error: plan is zero. */
tc_status tc_plan_init(tc_plan *plan, const tc_plan_task *task, const tc_plan_config *config,
                       tc_real *work, size_t work_len);

/* Begins a plan from state[state] with controls[horizon x control], or with the plan's own if NULL.
 * Several starts give several plans: of these the caller keeps the one of the lowest cost. The
 * controls are moved into their range.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a required pointer is NULL; the plan was not made.
 *   TC_ERR_NOT_FINITE  an input is NaN or infinite.
 * On error: the plan is unchanged. */
tc_status tc_plan_start(tc_plan *plan, const tc_real *state, const tc_real *controls);

/* Moves the horizon on by one knot: the first control has been applied and led to state[state]. The
 * last control is repeated. The means of descent are kept, and the damping of Gauss-Newton, down
 * to a tenth of the first.
 * Returns: as tc_plan_start.
 * On error: the plan is unchanged. */
tc_status tc_plan_shift(tc_plan *plan, const tc_real *state);

/* Works at a plan, for at most `budget` units. info: may be NULL.
 *
 * Where a step fails at a later knot, the roll-out ends there. The knots before it are judged by
 * the state that was reached.
 * Returns:
 *   TC_OK        the work is done, or the budget is; info->done is 1 if the plan is finished. A
 *                finished plan takes no units.
 *   TC_ERR_NULL  plan is NULL or was not made.
 *   an error of the model. Its step failed at the first knot, or its pull or columns failed. The
 *   next call tries the same again.
 * Cost: an iteration of TC_PLAN_KNOTS and TC_PLAN_ADAM takes 2 horizon units. One of TC_PLAN_NEWTON
 * takes 3 horizon units, and horizon for each further trial. A unit of columns has 2 tangent^3
 * multiply-accumulates. */
tc_status tc_plan_update(tc_plan *plan, uint32_t budget, tc_plan_info *info);

/* Computes cost and gradient[horizon x control] of controls[horizon x control] from state[state].
 * Controls outside their range are moved into it first. The plan must be started again afterwards.
 * cost, gradient: may be NULL.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a required pointer is NULL; the plan was not made.
 *   TC_ERR_NOT_FINITE  an input is NaN or infinite.
 *   an error of the model: a step or a pull failed.
 * On error: cost and gradient are zero.
 * Cost: horizon steps and pulls. */
tc_status tc_plan_gradient(tc_plan *plan, const tc_real *state, const tc_real *controls,
                           tc_real *cost, tc_real *gradient);

TC_END

#endif
