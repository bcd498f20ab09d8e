/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "slide.h"
#include "tinycontact.h"

#include <string.h>

#define STEP 0.001f /* [s] */
#define STEPS_MOST 1000u

static const tc_body2 box = {1.0f, 0.00453333f}; /* mass [kg], inertia [kg m^2] */
static const tc_real corners[8] = {-0.1f, -0.06f, 0.1f,  -0.06f,
                                   0.1f,  0.06f,  -0.1f, 0.06f}; /* counter-clockwise [m] */
static const tc_real weight[3] = {0.0f, -9.81f, 0.0f};           /* force and torque [N], [N m] */

/* FNV-1a over the state's words. */
static uint32_t add_bits(uint32_t hash, const tc_body2_state *state)
{
    uint32_t words[6];
    memcpy(words, state->position, 3u * sizeof words[0]);
    memcpy(words + 3, state->velocity, 3u * sizeof words[0]);
    for (uint32_t i = 0; i < 6u; ++i) {
        hash = (hash ^ words[i]) * 16777619u;
    }
    return hash;
}

slide_result slide(void)
{
    static tc_real work[TC_FOOT2_WORK(0)]; /* Coulomb friction needs no nets */
    slide_result result = {
        0, 0u, 0u, 2166136261u, tc_version_text(), tc_selfcheck_text(tc_selfcheck())};
    const tc_friction2 friction = tc_friction2_default(0.5f);
    const tc_learned2_model model = tc_friction2_model(&friction);
    tc_body2_state state = {{0.0f, 0.06f, 0.0f}, {1.0f, 0.0f, 0.0f}}; /* x, y, theta; rates */
    tc_foot2_info info;
    tc_foot2 foot;

    tc_status status = tc_foot2_init(&foot, &box, STEP, &model);
    if (status >= 0) {
        foot.shape = (tc_shape2){corners, 4u, 0.0f};
        status = tc_foot2_check(&foot);
    }
    for (uint32_t i = 0; status >= 0 && i < STEPS_MOST; ++i) {
        status = tc_foot2_step(&foot, weight, &state, &info, work, TC_COUNT(work)); /* each tick */
        result.bits = add_bits(result.bits, &state);
        result.slipped_ms += info.decision.branch == TC_LEARNED_DYNAMIC;
    }
    result.distance_um = (uint32_t)(state.position[0] * 1.0e6f + 0.5f);
    result.status = status < 0 ? (int)status : 0;
    return result;
}
