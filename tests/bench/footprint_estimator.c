/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the firmware of a leg of two joints links to estimate its contacts, without a learned law.
 * The statics are the memory it takes. Leg and configuration, constants of the application, come
 * from outside.
 */
#include "tinycontact.h"

static tc_real state[TC_ESTIMATOR_STATE(2)], work[TC_ESTIMATOR_WORK(2, 0)];
static tc_estimator estimator;

tc_status footprint(const tc_estimator_config *config, const tc_leg *leg,
                    const tc_estimator_sensors *sensors, tc_estimator_estimate *estimate);

tc_status footprint(const tc_estimator_config *config, const tc_leg *leg,
                    const tc_estimator_sensors *sensors, tc_estimator_estimate *estimate)
{
    const tc_status status =
        tc_estimator_init(&estimator, config, leg, NULL, sensors, state, TC_COUNT(state));
    return status < 0 ? status
                      : tc_estimator_update(&estimator, sensors, estimate, work, TC_COUNT(work));
}
