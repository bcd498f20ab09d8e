/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * When does the next contact come, or this one end? The estimator's posterior rolled forward.
 *
 *     tc_estimator_prediction next;
 *     s = tc_estimator_predict(&e, TC_C(0.02), 20, &next);
 *
 * From the air: joints go on with the accelerations that they have had lately, the base as its accelerometer says, until
 * the foot reaches the floor that it last stood on. From a contact: the normal force goes on falling as it does, until
 * it is none. Whoever has changed the motors' commands a moment ago knows more than this.
 *
 * Time: at most `budget` steps of the roll-out, each a tc_leg_move; TC_PREDICT_STEPS says how many fit a tick. Nothing
 * is written but the prediction: it may be called from another context than the update's as long as no update runs
 * meanwhile.
 */
#ifndef TC_ESTIMATOR_PREDICT_H
#define TC_ESTIMATOR_PREDICT_H

#include "tc_estimator.h"

TC_BEGIN

typedef enum tc_estimator_predict_event {
    TC_ESTIMATOR_PREDICT_NONE = 0, /* none within the horizon that was rolled */
    TC_ESTIMATOR_PREDICT_TOUCH_DOWN = 1,
    TC_ESTIMATOR_PREDICT_LIFT_OFF = 2
} tc_estimator_predict_event;

typedef struct tc_estimator_prediction {
    tc_real time;        /* until the event [s], counted from the sensors of the last update; without one: the horizon */
    tc_real early, late; /* the event lies between with a probability of 80 %, as far as the posterior and floor_spread
                          * of the configuration tell [s]; `late` may lie beyond the horizon, at most by TC_PREDICT_LATE */
    tc_real velocity[2]; /* of the contact point then, along x and y [m/s] */
    tc_real horizon;     /* what was rolled [s]: shorter than asked for when the budget was */
    uint32_t kind;       /* tc_estimator_predict_event */
    uint32_t mode;       /* of the contact after the event, as the index of tc_estimator_estimate.p: 0 air, 1 static, 2 dynamic */
} tc_estimator_prediction;

#define TC_PREDICT_LATE TC_C(1.0) /* [s] */

/* Steps for a leg of n joints that so many instructions of a Cortex-M4F are enough for: each takes 300 + 270 n + 14 n^2,
 * all else of a prediction 4,000, counted with 1 to 6 joints; `make bench` counts 60,000 filled like this. */
#define TC_PREDICT_STEPS(n, instructions) \
    ((instructions) > 4000u ? ((instructions) - 4000u) / (300u + 270u * (n) + 14u * (n) * (n)) : 0u)

/* The next event within `horizon` [s], in at most `budget` steps of the configuration's tick.
 *   TC_OK
 *   TC_NOTE_LIMIT  the budget is shorter than the horizon: nothing is said of what lies beyond p->horizon
 *   TC_ERR_NULL, TC_ERR_RANGE (horizon not in (0, 1] s), TC_ERR_SIZE (budget 0), TC_ERR_NOT_FINITE (the roll-out left
 *   what float holds): `p` is zero */
tc_status tc_estimator_predict(const tc_estimator *e, tc_real horizon, uint32_t budget, tc_estimator_prediction *p);

TC_END

#endif
