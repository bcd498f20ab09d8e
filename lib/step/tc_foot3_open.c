/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A spatial body with its contact model, out of a model file: what lacks a shape only.
 */
#include "tc_exact.h"
#include "tc_foot3.h"
#include "tc_learned_record.h"

#include <string.h>

tc_status tc_foot3_open(tc_foot3 *foot, tc_learned3_nets *nets, const tc_model *model,
                        const tc_body3 *body, tc_real step)
{
    tc_learned_record record;
    if (foot == NULL) {
        return TC_ERR_NULL;
    }
    memset(foot, 0, sizeof *foot);
    tc_status status = tc_learned3_nets_open(nets, model, body, step);
    if (status >= TC_OK) {
        status = tc_learned_record_read(model, &record, NULL);
    }
    if (status < TC_OK) {
        return status;
    }
    const tc_learned3_model law = tc_learned3_nets_model(nets);
    status = tc_foot3_init(foot, body, step, &law);
    if (status >= TC_OK) {
        foot->restitution = record.restitution;
        foot->positions = (tc_scheme)record.positions;
    }
    return status;
}
