/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Predicts when a foot in the air touches down next, from the posterior of the estimator of all
 * feet.
 *
 *     tc_feet_prediction next;
 *     s = tc_feet_predict(&feet, 2, TC_C(0.05), &next);
 *
 * The prediction continues the foot's velocity off the floor and its acceleration of late. A foot
 * that is still driven down goes on to accelerate, up to the speed of its last swings. The filter
 * does not know the motors' commands, so a command changed a moment ago is not part of it. The
 * floor is the one that the foot left, and leans as the estimate's slope.
 *
 * Cost: 360 instructions on Cortex-M4F for a limb of 3 joints, no loop over ticks. The function
 * writes only the prediction, so another context may call it while no update runs.
 */
#ifndef TC_FEET_PREDICT_H
#define TC_FEET_PREDICT_H

#include "tc_feet.h"

TC_BEGIN

/* Predicted event. */
typedef enum tc_feet_predict_event {
    TC_FEET_PREDICT_NONE = 0, /* none within the horizon, or the foot is in contact */
    TC_FEET_PREDICT_TOUCH_DOWN = 1
} tc_feet_predict_event;

/* A prediction. */
typedef struct tc_feet_prediction {
    tc_real time;               /* from the sensors of the last update to the event; without an
                                  * event: the horizon [s] */
    tc_real early, late;        /* ends of the 80 % interval of `time`, by the posterior and
                                  * config.floor_spread [s]; `late` is at most TC_FEET_PREDICT_LATE
                                  * beyond the horizon */
    tc_real velocity[3];        /* of the contact point at the event, without one now; world axes
                                  * [m/s] */
    tc_feet_predict_event kind; /* predicted event */
} tc_feet_prediction;

#define TC_FEET_PREDICT_LATE TC_C(1.0) /* limit on late - horizon [s] */

/* Predicts the next touch-down of foot `limb`, 0..robot->limbs - 1, within `horizon` [s], > 0 and
 * at most 1.
 * Returns:
 *   TC_OK              done.
 *   TC_ERR_NULL        a pointer is NULL, or f is not initialised.
 *   TC_ERR_SIZE        the robot has no such limb.
 *   TC_ERR_RANGE       horizon is not in its range.
 *   TC_ERR_NOT_FINITE  a number overflowed.
 * On error: p is zero.
 * Cost: see above. */
tc_status tc_feet_predict(const tc_feet *f, uint32_t limb, tc_real horizon, tc_feet_prediction *p);

TC_END

#endif
