/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A planar body with its contact model, out of a model file or compiled in: what lacks a shape
 * only.
 */
#include "tc_exact.h"
#include "tc_foot2.h"

#include <string.h>

/* tc_foot2_init with what the record says besides. */
static tc_status init_from(tc_foot2 *foot, const tc_learned2_nets *nets,
                           const tc_learned_record *record, const tc_body2 *body, tc_real step)
{
    const tc_learned2_model law = tc_learned2_nets_model(nets);
    const tc_status status = tc_foot2_init(foot, body, step, &law);
    if (status >= TC_OK) {
        foot->restitution = record->restitution;
        foot->positions = (tc_scheme)record->positions;
    }
    return status;
}

tc_status tc_foot2_open(tc_foot2 *foot, tc_learned2_nets *nets, const tc_model *model,
                        const tc_body2 *body, tc_real step)
{
    tc_learned_record record;
    if (foot == NULL) {
        return TC_ERR_NULL;
    }
    memset(foot, 0, sizeof *foot);
    tc_status status = tc_learned2_nets_open(nets, model, body, step);
    if (status >= TC_OK) {
        status = tc_learned_record_read(model, &record, NULL);
    }
    return status < TC_OK ? status : init_from(foot, nets, &record, body, step);
}

tc_status tc_foot2_open_const(tc_foot2 *foot, const tc_learned2_nets_const *model,
                              const tc_body2 *body, tc_real step)
{
    if (foot == NULL) {
        return TC_ERR_NULL;
    }
    memset(foot, 0, sizeof *foot);
    const tc_status status = tc_learned2_nets_check(model, body, step);
    return status < TC_OK ? status : init_from(foot, &model->nets, &model->record, body, step);
}
