/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Parts of a plan, internal: its phases, its methods' tables, and the cost.
 *
 * A plan is a machine of four phases. Each unit of work advances `knot`, or ends the phase and asks
 * the method for the next one.
 *
 *     ROLL  knot 0 .. N-1: step                                      method->rolled
 *     PULL  knot N .. 1: gradient of the knot before                 method->pulled
 *     BACK  knot N .. 1: columns and feedback of the knot before     method->backed
 *     DONE
 */
#ifndef TC_PLAN_INTERNAL_H
#define TC_PLAN_INTERNAL_H

#include "tc_plan.h"
#include "tc_vec.h"

enum { TCI_PLAN_ROLL, TCI_PLAN_PULL, TCI_PLAN_BACK, TCI_PLAN_DONE };

/* Functions of a method; an entry that is NULL does nothing. */
typedef struct tci_plan_method {
    size_t (*keeps)(const tc_plan_task *task, uint32_t horizon); /* numbers of `moment` */
    void (*moved)(tc_plan *plan);  /* the horizon moved on by a knot */
    void (*choose)(tc_plan *plan); /* sets the knot's control */
    void (*rolled)(tc_plan *plan);
    void (*pulled)(tc_plan *plan);
    tc_status (*backed)(tc_plan *plan); /* a unit of BACK, and its end */
} tci_plan_method;

extern const tci_plan_method tci_plan_knots, tci_plan_adam, tci_plan_newton;

const tci_plan_method *tci_plan_method_of(tc_plan_method method);

/* Begins to roll out, or to pull. */
void tci_plan_roll(tc_plan *plan);
void tci_plan_pull(tc_plan *plan);

/* Takes the cost of a roll-out for the plan's and begins to pull. */
void tci_plan_judge(tc_plan *plan);

/* One iteration is over: ends the plan and returns 0 after the last. */
int tci_plan_count(tc_plan *plan);
void tci_plan_finish(tc_plan *plan);

/* Moves a knot's control into its range. */
void tci_plan_confine(const tc_plan *plan, tc_real *control);

/* Shifts the rows of x[rows x n] down by one; the last stays. */
void tci_plan_shift_rows(tc_real *x, uint32_t rows, uint32_t n);

/* The states' cost: weight of goals is knot * goal->knot + end * goal->end, of bounds knot. */
tc_real tci_plan_cost(const tc_plan_task *task, const tc_real *state, tc_real knot, tc_real end);
/* Adds its gradient[tangent]. */
void tci_plan_cost_add(const tc_plan_task *task, const tc_real *state, tc_real knot, tc_real end,
                       tc_real *gradient);
/* Adds its second derivatives to the diagonal of H[tangent x tangent]. */
void tci_plan_cost_bend(const tc_plan_task *task, const tc_real *state, tc_real knot, tc_real end,
                        tc_real *H);
/* The controls' cost of a knot; adds its gradient[control]. */
tc_real tci_plan_effort(const tc_plan_task *task, const tc_real *control);
void tci_plan_effort_add(const tc_plan_task *task, const tc_real *control, tc_real *gradient);

/* |scale g| of n numbers without underflow; 0 only if all are 0. */
tc_real tci_plan_size(const tc_plan_task *task, const tc_real *g);
/* sqrt(a^2 + b^2) of two numbers that are 0 or more. */
tc_real tci_plan_hypotenuse(tc_real a, tc_real b);

static inline tc_real tci_plan_scale(const tc_plan_task *task, uint32_t i)
{
    return task->scale != NULL ? task->scale[i] : TC_C(1.0);
}

static inline tc_real *tci_plan_state(const tc_plan *plan, uint32_t knot)
{
    return plan->state + (size_t)knot * plan->task.model->state;
}

static inline tc_real *tci_plan_control(const tc_plan *plan, uint32_t knot)
{
    return plan->control + (size_t)knot * plan->task.model->control;
}

static inline tc_real *tci_plan_record(const tc_plan *plan, uint32_t knot)
{
    return plan->record + (size_t)knot * plan->task.model->record;
}

#endif
