/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "tc_exact.h"
#include "tc_feet_internal.h"

void tci_feet_gain_start(const tc_feet_config *c, tci_feet_limb *l)
{
    for (uint32_t i = 0; i < TC_ROBOT_JOINTS; ++i) {
        l->scale[i] = TC_C(1.0);
        l->scale_variance[i] = c->torque_gain * c->torque_gain;
        l->pushed[i] = l->moved[i] = TC_C(0.0);
    }
    l->window = TC_C(0.0);
}
