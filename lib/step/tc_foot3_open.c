/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A spatial body with its contact model, out of a model file: what lacks a shape only.
 */
#include "tc_exact.h"
#include "tc_foot3.h"
#include "tc_learned_record.h"

#include <string.h>

tc_status tc_foot3_open(tc_foot3 *spatial, tc_learned3_nets *nets, const tc_model *model,
                          const tc_body3 *body, tc_real step)
{
    tc_learned_record record;
    if (spatial == NULL) {
        return TC_ERR_NULL;
    }
    memset(spatial, 0, sizeof *spatial);
    tc_status status = tc_learned3_nets_open(nets, model, body, step);
    if (status >= TC_OK) {
        status = tc_learned_record_read(model, &record, NULL);
    }
    if (status < TC_OK) {
        return status;
    }
    const tc_learned3_model law = tc_learned3_nets_model(nets);
    status = tc_foot3_init(spatial, body, step, &law);
    if (status >= TC_OK) {
        spatial->restitution = record.restitution;
        spatial->positions = (tc_scheme)record.positions;
    }
    return status;
}
