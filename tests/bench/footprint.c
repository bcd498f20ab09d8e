/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What an application that evaluates one net links: nothing else. tools/evidence/size.py links this
 * with --gc-sections and adds up the sections. The net's address comes from outside, so no weights
 * are in it.
 */
#include "tinycontact.h"

tc_status footprint(const tc_net *net, const tc_real *input, tc_real *output, tc_real *work,
                    size_t work_len);

tc_status footprint(const tc_net *net, const tc_real *input, tc_real *output, tc_real *work,
                    size_t work_len)
{
    return tc_net_eval(net, input, output, work, work_len);
}
