/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A box slides until friction stops it (tools/packages/example/slide.c), printed by Zephyr.
 */
#include "slide.h"

#include <zephyr/sys/printk.h>

int main(void)
{
    const slide_result r = slide();
    printk("%s, self-check: %s\n", r.version, r.selfcheck);
    printk("the box slips %u um in %u ms and stands, status %d\n", (unsigned)r.distance_um,
           (unsigned)r.slipped_ms, r.status);
    printk("bits %08x\n", (unsigned)r.bits);
    return 0;
}
