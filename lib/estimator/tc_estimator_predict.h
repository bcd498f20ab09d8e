/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Predicts when the next contact begins, or the present one ends, from the estimator's posterior.
 *
 *     tc_estimator_prediction next;
 *     s = tc_estimator_predict(&e, TC_C(0.02), 20, &next);
 *
 * In the air, the prediction continues the joints' recent accelerations and the base's measured
 * one, until the foot reaches the last floor. In contact, it continues the fall of the normal force
 * to zero. It does not know the motors' commands, so a command changed a moment ago is not part of
 * it.
 *
 * Cost: at most `budget` simulated steps, each a tc_leg_move; 1.4 KB of stack. TC_PREDICT_STEPS
 * computes a budget. The function writes only the prediction, so another context may call it while
 * no update runs.
 */
#ifndef TC_ESTIMATOR_PREDICT_H
#define TC_ESTIMATOR_PREDICT_H

#include "tc_estimator.h"

TC_BEGIN

/* Predicted event. */
typedef enum tc_estimator_predict_event {
    TC_ESTIMATOR_PREDICT_NONE = 0, /* none within the simulated horizon */
    TC_ESTIMATOR_PREDICT_TOUCH_DOWN = 1,
    TC_ESTIMATOR_PREDICT_LIFT_OFF = 2
} tc_estimator_predict_event;

/* A prediction. */
typedef struct tc_estimator_prediction {
    tc_real time;        /* from the sensors of the last update to the event; without an event:
                          * the horizon [s] */
    tc_real early, late; /* ends of the 80 % interval of `time`, by the posterior and
                          * config.floor_spread [s]; `late` is at most TC_PREDICT_LATE beyond the
                          * horizon */
    tc_real velocity[2]; /* velocity of the contact point at the event, x and y [m/s] */
    tc_real horizon;     /* simulated time [s]; shorter than requested if the budget ran out */
    tc_estimator_predict_event kind; /* predicted event */
    uint32_t mode; /* mode after the event, as index of tc_estimator_estimate.p: 0 air, 1
                    * sticks, 2 slips */
} tc_estimator_prediction;

#define TC_PREDICT_LATE TC_C(1.0) /* limit on late - horizon [s] */

/* Instructions of a step for a leg of n joints on Cortex-M4F, n of 1 to 6. On a ground
 * (tc_estimator_stand_on) each step takes one tc_sdf_eval and 500 instructions more. */
#define TC_PREDICT_STEP_WORK(n) (300u + 270u * (n) + 14u * (n) * (n))

/* Number of steps for a leg of n joints within so many instructions, without a ground. The rest of
 * a prediction takes 4,000. */
#define TC_PREDICT_STEPS(n, instructions)                                                          \
    ((instructions) > 4000u ? ((instructions) - 4000u) / TC_PREDICT_STEP_WORK(n) : 0u)

/* Predicts the next event within `horizon` [s], > 0 and at most 1, in at most `budget` steps of the
 * configuration's tick.
 * Returns:
 *   TC_OK              done.
 *   TC_NOTE_LIMIT      the budget ends before the horizon; the prediction covers p->horizon only.
 *   TC_ERR_NULL        a pointer is NULL, or e is not initialised.
 *   TC_ERR_RANGE       horizon is not in its range.
 *   TC_ERR_SIZE        budget is 0.
 *   TC_ERR_NOT_FINITE  a simulated number overflowed.
 * On error: p is zero.
 * Cost: see TC_PREDICT_STEPS. */
tc_status tc_estimator_predict(const tc_estimator *e, tc_real horizon, uint32_t budget,
                               tc_estimator_prediction *p);

TC_END

#endif
