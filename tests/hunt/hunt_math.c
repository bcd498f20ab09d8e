/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Elementary functions under the hunt. size: index in the list below. Words of an input: x and, for
 * atan2, a second number.
 */
#include "hunt.h"

static tc_real (*const functions[])(tc_real x) = {
    tc_exp,
    tc_log,
    tc_tanh,
    tc_sigmoid,
    tc_softplus,
    tc_sin,
    tc_cos,
    tc_normal_density,
    tc_normal_distribution,
    tc_normal_ratio,
};

hunt_result hunt_math(const hunt_file *file, const uint32_t *input)
{
    static volatile tc_real sink; /* the result is wanted */
    const tc_real *const x = (const tc_real *)input;
    tc_real y;
    if (file->size[0] < TC_COUNT(functions)) {
        tc_real (*const function)(tc_real) = functions[file->size[0]];
        HUNT_REGION(y = function(x[0]));
    } else {
        HUNT_REGION(y = tc_atan2(x[0], x[1]));
    }
    sink = y;
    (void)sink;
    return (hunt_result){TC_OK, 0};
}
