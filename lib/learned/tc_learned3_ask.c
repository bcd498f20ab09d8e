/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The three calls of a contact model (tc_learned3_model), and what a solve notes of their answers.
 * Sweeps, stops and limbs ask here, and nowhere else.
 */
#include "tc_exact.h"
#include "tc_learned3_core.h"

#include "tc_learned_core.h"

#include <string.h>

LEARNED3_APART tc_status tc_learned3_observe(learned3_solve *solve, const tc_learned3_query *query)
{
    const tc_status status = solve->model->observe(solve->model->context, query, solve->law_work);
    solve->result->flags |= status == TC_NOTE_RANGE ? (uint32_t)TC_LEARNED_RANGE : 0u;
    return status;
}

LEARNED3_APART tc_status tc_learned3_ask_ratio(learned3_solve *solve,
                                               const tc_learned3_query *query, uint32_t i)
{
    tc_real *const ratio = solve->corner[i].ratio;
    const tc_status status =
        solve->model->ratio(solve->model->context, query, ratio, solve->law_work);
    tc_learned3_sane_ratio(ratio);
    memcpy(solve->latest, ratio, sizeof solve->latest);
    solve->rated |= 1u << i;
    solve->result->ratios++;
    return status;
}

LEARNED3_APART tc_status tc_learned3_classify(learned3_solve *solve, const tc_learned3_query *query)
{
    tc_learned3_result *const result = solve->result;
    const tc_status status =
        solve->model->classify(solve->model->context, query, result->probability, solve->law_work);
    result->classes++;
    result->said = status < TC_OK ? TC_LEARNED_NONE : tc_learned_most_probable(result->probability);
    return status;
}

tc_status tc_learned3_ask_class(learned3_solve *solve, const tc_learned3_query *query)
{
    const tc_status status = tc_learned3_observe(solve, query);
    return status < TC_OK ? status : tc_learned3_classify(solve, query);
}
