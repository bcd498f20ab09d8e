/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The foot's firmware with faults on purpose: it knows TEST, which makes a tick too long. Never on
 * a robot.
 */
#include "../foot/floor.c"
#include "../foot/foot.c"

#define FOOT_BURN burn
static void burn(uint32_t loops)
{
    for (volatile uint32_t left = loops; left > 0u; left = left - 1u) {
    }
}

#include "../foot/main.c"
