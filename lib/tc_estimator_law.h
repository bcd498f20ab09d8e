/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The data-augmented contact model as the estimator's law: what a tc_dacm_law (nets, or any other) learned of the foot
 * says who sticks and with what friction the others slide.
 *
 *     tc_estimator_foot foot = {tc_dacm_nets_law(&nets), links[1].body};
 *     const tc_estimator_law law = tc_estimator_foot_law(&foot);
 *     tc_estimator_init(&e, &config, &leg, &law, ...);
 */
#ifndef TC_ESTIMATOR_LAW_H
#define TC_ESTIMATOR_LAW_H

#include "tc_dacm.h"
#include "tc_estimator.h"

TC_BEGIN

typedef struct tc_estimator_foot {
    tc_dacm_law law;
    tc_planar_body body; /* the leg's last link, of which the law was learned */
} tc_estimator_foot;

/* The law asks about the last link's pose and velocity, in the contact space of the whole leg: W times the body's mass.
 * `foot` must outlive it. */
tc_estimator_law tc_estimator_foot_law(const tc_estimator_foot *foot);

TC_END

#endif
