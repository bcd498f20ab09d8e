/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The data-augmented contact model as the estimator's law: what a tc_learned2_model (nets, or any other) learned of the foot
 * says who sticks and with what friction the others slide.
 *
 *     status = tc_estimator_foot_open(&foot, &nets, &model, &leg, config.step);
 *     const tc_estimator_model law = tc_estimator_foot_model(&foot);
 *     tc_estimator_init(&e, &config, &leg, &law, ...);
 */
#ifndef TC_ESTIMATOR_FOOT_H
#define TC_ESTIMATOR_FOOT_H

#include "tc_learned2_nets.h"
#include "tc_estimator.h"

TC_BEGIN

typedef struct tc_estimator_foot {
    tc_learned2_model law;
    tc_body2 body; /* the leg's last link, of which the law was learned */
} tc_estimator_foot;

/* The foot of a leg whose law are the nets of an open model, taken into `nets`, which must outlive it. The statuses of
 * tc_leg_check, and of tc_learned2_nets_open for the last link and the tick `step` [s]; TC_ERR_MODEL_MISMATCH also where the
 * model has no nets for a point. On an error `foot` and `nets` are zero. */
tc_status tc_estimator_foot_open(tc_estimator_foot *foot, tc_learned2_nets *nets, const tc_model *model,
                                 const tc_leg *leg, tc_real step);

/* The law asks about the last link's pose and velocity, in the contact space of the whole leg: W times the body's mass.
 * `foot` must outlive it. */
tc_estimator_model tc_estimator_foot_model(const tc_estimator_foot *foot);

TC_END

#endif
