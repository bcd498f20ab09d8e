/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Sustained contacts where joints, springs, a field or chains tie the motion together.
 *
 * There is no closed form: the whole scene moves by the Runge-Kutta formula of order four, and
 * joints are held after each of its parts (tc_scene_step_smooth.c). The contacts' impulses c of an interval
 * of length s act as the constant force M c / s, M where the interval's rows are. Joints answer to
 * it as to any other force, so nothing of it is left across them.
 */
#include "tc_exact.h"
#include "tc_scene_step_sustained_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"

#define TIED_ANGLE TC_C(0.05) /* largest turn of a link in a part [rad] */
#define TIED_PARTS 1000u

int tci_scene_step_is_tied(const tc_scene *scene)
{
    int tied = scene->joints > 0u || scene->springs > 0u || scene->field != NULL;
    for (uint32_t m = 0; m < scene->movers; ++m) tied |= scene->mover[m].kind == TC_SCENE_CHAIN;
    return tied;
}

/* What an interval keeps is in the places that the formula has else. The solver's memory is free
 * while the scene moves, and longer: a problem of d rates and 8 contacts takes above 16 d. */
void tci_scene_step_lend(tci_scene_step_run *run)
{
    tc_real *at = run->solve;
    tc_real **const coordinates[3] = {&run->q_start, &run->q_stage, &run->q_rate};
    tc_real **const rates[3] = {&run->v_start, &run->v_stage, &run->v_rate};
    for (uint32_t i = 0; i < 3u; ++i) {
        *coordinates[i] = at;
        *rates[i] = at + run->sizes.coordinates;
        at = *rates[i] + run->sizes.rates;
    }
}

/* Parts of a motion by h, so that no link turns by more than TIED_ANGLE in one */
static uint32_t count_tied_parts(tci_scene_step_run *run, tc_real h, const tc_real *q,
                                 const tc_real *v)
{
    tc_real square = TC_C(0.0);
    tc_scene_place_all(&run->placed, q, v);
    for (uint32_t i = 0; i < run->sizes.links; ++i) {
        const tc_real *const omega = run->placed.frame[i].omega;
        square = tc_vec_max(square, tc_vec_dot3(omega, omega));
    }
    const tc_real parts = tc_sqrt(square) * h / TIED_ANGLE + TC_C(1.0);
    return parts < (tc_real)TIED_PARTS ? (uint32_t)parts : TIED_PARTS;
}

tc_status tci_scene_step_carry(tci_scene_step_run *run, const tc_real *force, tc_real h, tc_real *q,
                               tc_real *v)
{
    tc_status status = TC_OK;
    const uint32_t parts = count_tied_parts(run, h, q, v);
    run->push = force;
    for (uint32_t i = 0; i < parts && status >= TC_OK; ++i) {
        status = tci_scene_step_move_tied(run, h / (tc_real)parts, q, v);
    }
    run->push = NULL;
    return status;
}

/* x <- L x of mover m, from the last row on: what a row needs is not overwritten yet */
static void weigh_mover(const tc_scene_placed *placed, uint32_t m, tc_real *x)
{
    const uint32_t n = placed->span[m].rates;
    const tc_real *const L = placed->factor + placed->span[m].factor;
    for (uint32_t i = n; i-- > 0u;) x[i] = tci_scene_step_dot(L + (size_t)n * i, x, i + 1u);
}

void tci_scene_step_press(const tci_scene_step_interval *own)
{
    const tci_scene_step_run *const run = own->run;
    const uint32_t d = run->sizes.rates;
    for (uint32_t c = 0; c < d; ++c) own->change[c] = (run->w[c] - run->w0[c]) / own->span;
    for (uint32_t m = 0; m < run->scene->movers; ++m) {
        weigh_mover(&run->placed, m, own->change + run->placed.span[m].v);
    }
}
