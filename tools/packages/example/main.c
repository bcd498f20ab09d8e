/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Prints what slide.h computes, wherever there is a printf.
 */
#include "slide.h"

#include <stdio.h>

int main(void)
{
    const slide_result r = slide();
    printf("%s, self-check: %s\n", r.version, r.selfcheck);
    printf("the box slips %lu um in %lu ms and stands, status %d\n", (unsigned long)r.distance_um,
           (unsigned long)r.slipped_ms, r.status);
    printf("bits %08lx\n", (unsigned long)r.bits);
    return r.status != 0 || r.selfcheck[0] != 'o';
}
