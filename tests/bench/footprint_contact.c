/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What a foot links: its model, the contact step of a planar body, and complementarity problems of
 * up to 16 contacts beside it. The statics are the memory it takes. The model, named on the command
 * line, is a file as `tinycontact model strip` leaves it, or compiled in.
 */
#include "tinycontact.h"

static tc_real work[TC_LCP_WORK(16)]; /* longer than what the step needs */
static tc_foot2 foot;

#ifdef FOOTPRINT_CONST
extern const tc_learned2_nets_const FOOTPRINT_CONST;

static tc_status open_foot(const tc_body2 *body)
{
    return tc_foot2_open_const(&foot, &FOOTPRINT_CONST, body, TC_C(0.002));
}
#else
extern const uint8_t FOOTPRINT_MODEL[];
extern const uint32_t FOOTPRINT_SIZE;
static tc_learned2_nets nets;

static tc_status open_foot(const tc_body2 *body)
{
    tc_model model; /* done with once the nets are taken: on the stack */
    const tc_status status = tc_model_open(&model, FOOTPRINT_MODEL, FOOTPRINT_SIZE);
    return status < 0 ? status : tc_foot2_open(&foot, &nets, &model, body, TC_C(0.002));
}
#endif

tc_status footprint(const tc_body2 *body, tc_shape2 shape, tc_body2_state *state,
                    const tc_real *force, const tc_lcp *problem, tc_real *z, tc_real *w);

tc_status footprint(const tc_body2 *body, tc_shape2 shape, tc_body2_state *state,
                    const tc_real *force, const tc_lcp *problem, tc_real *z, tc_real *w)
{
    tc_status status = open_foot(body);
    foot.shape = shape;
    if (status >= 0) {
        status = tc_foot2_check(&foot);
    }
    if (status >= 0) {
        status = tc_foot2_step(&foot, force, state, NULL, work, TC_COUNT(work));
    }
    return status < 0 ? status : tc_lcp_from_matrix(problem, z, w, NULL, work, TC_COUNT(work));
}
