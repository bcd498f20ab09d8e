/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A learned contact model as the estimator's friction model. A tc_learned2_model of the foot, nets
 * or other, returns the probability that the foot sticks, and the friction ratio if it slips.
 *
 *     status = tc_estimator_foot_open(&foot, &nets, &model, &leg, config.step);
 *     const tc_estimator_model friction = tc_estimator_foot_model(&foot);
 *     tc_estimator_init(&e, &config, &leg, &friction, ...);
 */
#ifndef TC_ESTIMATOR_FOOT_H
#define TC_ESTIMATOR_FOOT_H

#include "tc_learned2_nets.h"
#include "tc_estimator.h"

TC_BEGIN

/* A foot with its contact model. */
typedef struct tc_estimator_foot {
    tc_learned2_model model; /* the contact model */
    tc_body2 body;           /* the leg's last link, for which the model was trained */
} tc_estimator_foot;

/* Makes a foot from the nets of an open model, for the last link of `leg` and the tick `step` [s].
 * The function fills `nets`, which must outlive the foot.
 * Returns: the statuses of tc_leg_check and of tc_learned2_nets_open, and
 *   TC_ERR_NULL            a pointer is NULL.
 *   TC_ERR_MODEL_MISMATCH  the model has no nets for a point.
 * On error: foot and nets are zero. */
tc_status tc_estimator_foot_open(tc_estimator_foot *foot, tc_learned2_nets *nets,
                                 const tc_model *model, const tc_leg *leg, tc_real step);

/* Returns the friction model of a foot, which must outlive it. The model's query is the pose and
 * velocity of the last link, in the contact space of the whole leg: W times the body's mass. */
tc_estimator_model tc_estimator_foot_model(const tc_estimator_foot *foot);

TC_END

#endif
