/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A tc_learned2_model behind the estimator's queries.
 *
 * The foot is one contact. Lever and height are those of the contact point from the last link's
 * centre of mass c, masses are divided out by the link's. Its velocity follows from the contact
 * point's v and the link's rate w: v_c = v - w z x lever.
 */
#include "tc_exact.h"
#include "tc_estimator_foot.h"

#include "tc_math.h"

#include <string.h>

tc_status tc_estimator_foot_open(tc_estimator_foot *foot, tc_learned2_nets *nets,
                                 const tc_model *model, const tc_leg *leg, tc_real step)
{
    if (foot == NULL || nets == NULL) {
        return TC_ERR_NULL;
    }
    memset(foot, 0, sizeof *foot);
    memset(nets, 0, sizeof *nets);
    tc_status status = tc_leg_check(leg);
    if (status >= TC_OK) {
        status = tc_learned2_nets_open(nets, model, &leg->links[leg->joints - 1u].body, step);
    }
    if (status >= TC_OK && nets->mask[0] == 0u) {
        memset(nets, 0, sizeof *nets);
        status = TC_ERR_MODEL_MISMATCH;
    }
    if (status >= TC_OK) {
        foot->model = tc_learned2_nets_model(nets);
        foot->body = leg->links[leg->joints - 1u].body;
    }
    return status;
}

static void fill_foot(const tc_body2 *body, const tc_estimator_query *from,
                      tc_learned2_query *query)
{
    const tc_real gyration = tc_sqrt(body->inertia / body->mass);
    memset(query, 0, sizeof *query);
    query->space.count = 1;
    query->space.W_tt = body->mass * from->W[0];
    query->space.W_tn[0] = body->mass * from->W[1];
    query->space.W_nn[0] = body->mass * from->W[2];
    query->space.slip = from->free[0];
    query->space.approach[0] = from->free[1];
    query->gyration = gyration;
    query->lever[0] = from->lever[0] / gyration;
    query->height = -from->lever[1] / gyration;
    query->velocity[0] = from->free[0] + from->rate * from->lever[1];
    query->velocity[1] = from->free[1] - from->rate * from->lever[0];
    query->velocity[2] = from->rate;
    tc_learned2_space_stops(&query->space, &query->stops);
    tc_learned2_space_normals(&query->space, TC_C(0.0), query->frictionless);
}

/* tc_calls: advance_estimator lib/estimator/tc_estimator_foot.c:ask_foot */
/* tc_calls: ask_foot lib/learned/tc_learned2_nets.c:classify_nets2 lib/learned/tc_learned2_nets.c:ratio_nets2 */
static tc_status ask_foot(const void *context, const tc_estimator_query *from,
                          tc_estimator_answer *answer, tc_real *work)
{
    const tc_estimator_foot *const foot = context;
    tc_learned2_query query;
    tc_real probability[3], ratio = TC_C(0.0);
    fill_foot(&foot->body, from, &query);
    tc_status status = foot->model.classify(foot->model.context, &query, probability, work);
    if (status >= TC_OK) {
        status = foot->model.ratio(foot->model.context, &query, &ratio, work);
        answer->ratio = ratio < TC_C(0.0) ? -ratio : ratio;
        answer->stick = probability[TC_LEARNED_STATIC]
                        / (probability[TC_LEARNED_STATIC] + probability[TC_LEARNED_DYNAMIC]);
    }
    return status;
}

tc_estimator_model tc_estimator_foot_model(const tc_estimator_foot *foot)
{
    return (tc_estimator_model){ask_foot, foot, foot->model.work_len};
}
