/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Coulomb friction in the words of Algorithm 1. With f* and N* of the impulse that ends the sliding
 * beside normals that do not pull, the patch
 *
 *     opens     if no contact approaches: p = 0 meets every condition
 *     sticks    if `stop`, which needs no contact to open, has |f| <= mu N
 *     slips     with s = min(mu, |f*| / N*) against the sliding. At |f*| / N* the sliding ends
 *               while a corner leaves; the cut keeps the solve from noting a ratio that is too
 *               large.
 */
#include "tc_exact.h"
#include "tc_friction2_core.h"

#include "tc_math.h"
#include "tc_vec.h"

tc_friction2 tc_friction2_default(tc_real mu)
{
    const tc_friction2 friction = {mu};
    return friction;
}

tc_status tc_friction2_check(const tc_friction2 *friction)
{
    if (friction == NULL) {
        return TC_ERR_NULL;
    }
    if (!tc_all_finite(&friction->mu, 1)) {
        return TC_ERR_NOT_FINITE;
    }
    return friction->mu >= TC_C(0.0) && friction->mu <= TC_FRICTION2_MU_MAX ? TC_OK : TC_ERR_RANGE;
}

/* Whether the impulse that stops the whole patch neither pulls nor leaves the cone. */
static int holds_patch(const tc_friction2 *friction, const tc_real *stop)
{
    return stop[1] >= TC_C(0.0) && stop[2] >= TC_C(0.0)
           && tc_vec_magnitude(stop[0]) <= friction->mu * (stop[1] + stop[2]);
}

void tc_friction2_classify(const tc_friction2 *friction, const tc_learned2_query *query,
                           tc_real *probability)
{
    const tc_real *const approach = query->space.approach;
    const int leaves = approach[0] >= TC_C(0.0) && approach[1] >= TC_C(0.0);
    const int sticks = !leaves && holds_patch(friction, query->stops.stop);
    probability[TC_LEARNED_STATIC] = sticks ? TC_C(1.0) : TC_C(0.0);
    probability[TC_LEARNED_DYNAMIC] = leaves || sticks ? TC_C(0.0) : TC_C(1.0);
    probability[TC_LEARNED_DETACH] = leaves ? TC_C(1.0) : TC_C(0.0);
}

tc_real tc_friction2_ratio(const tc_friction2 *friction, const tc_learned2_query *query)
{
    const tc_real *const arrest = query->stops.arrest;
    const tc_real most = tc_vec_magnitude(arrest[0]), total = arrest[1] + arrest[2];
    const tc_real mu = friction->mu;
    const tc_real ratio = mu * total > most ? most / total : mu;
    return arrest[0] < TC_C(0.0) ? -ratio : ratio;
}

static tc_status classify_friction2(const void *context, const tc_learned2_query *query,
                                    tc_real *probability, tc_real *work)
{
    (void)work;
    tc_friction2_classify(context, query, probability);
    return TC_OK;
}

static tc_status ratio_friction2(const void *context, const tc_learned2_query *query,
                                 tc_real *ratio, tc_real *work)
{
    (void)work;
    *ratio = tc_friction2_ratio(context, query);
    return TC_OK;
}

/* tc_calls: tc_learned2_decide lib/learned/tc_friction2.c:classify_friction2 lib/learned/tc_friction2.c:ratio_friction2 */
/* tc_calls: tc_learned2_solve lib/learned/tc_friction2.c:classify_friction2 lib/learned/tc_friction2.c:ratio_friction2 */
/* tc_calls: tc_learned2_ratio lib/learned/tc_friction2.c:ratio_friction2 */

tc_learned2_model tc_friction2_model(const tc_friction2 *friction)
{
    const tc_learned2_model law = {classify_friction2, ratio_friction2, friction, 0};
    return law;
}
