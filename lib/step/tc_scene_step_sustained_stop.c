/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * When the first contact that slides at the beginning of a sustained interval stops. Friction mu f_n
 * is opposite to the sliding u0 until then, so with tau = u0 / |u0|
 *
 *     u0 tau + (t / s) (G (v_f - v0) + G G^T f_slide) tau = 0.
 */
#include "tc_exact.h"
#include "tc_scene_step_sustained_internal.h"

#include "tc_scene_core.h"
#include "tc_vec.h"

/* How contact i slides at the beginning, along its tangents in the middle: s[2] */
static void resolve_slip(const tci_scene_step_interval *own, uint32_t i, tc_real s[2])
{
    const tci_scene_step_run *const run = own->run;
    tc_real t[2][3] = {{TC_C(0.0)}};
    tc_scene_tangents(run->scene->dimension, run->contact[i].normal, t);
    for (uint32_t k = 0; k < 2u; ++k) s[k] = tc_vec_dot3(t[k], own->slip[i]);
}

/* The impulses of all contacts if they slid through, friction opposite to their sliding at the
 * beginning: whitened, to push[d] */
static void slide_all(const tci_scene_step_interval *own, tc_real *push)
{
    const tci_scene_step_run *const run = own->run;
    const uint32_t d = run->sizes.rates, rows = run->sizes.rows;
    (void)tc_vec_zeroed(TC_OK, push, d);
    for (uint32_t i = 0; i < own->n; ++i) {
        tc_real s[2], f[3] = {run->f_c[rows * i], TC_C(0.0), TC_C(0.0)};
        resolve_slip(own, i, s);
        const tc_real size = tc_sqrt(TC_MLA(s[0] * s[0], s[1], s[1]));
        for (uint32_t r = 1; r < rows && size > TC_C(0.0); ++r) {
            f[r] = -run->mu[i] * f[0] * s[r - 1u] / size;
        }
        for (uint32_t r = 0; r < rows; ++r) {
            const tc_real *const row = tci_scene_step_row(run, i, r);
            for (uint32_t c = 0; c < d; ++c) push[c] = TC_MLA(push[c], f[r], row[c]);
        }
    }
}

/* Whether contact i slides at the beginning and has friction over the interval */
static int may_stop(const tci_scene_step_interval *own, uint32_t i)
{
    const tci_scene_step_run *const run = own->run;
    const tc_real slow = TCI_SCENE_STEP_SLOW * run->config->rest, noise = TC_C(64.0) * TC_EPSILON;
    const tc_real square = tc_vec_dot3(own->slip[i], own->slip[i]);
    return run->f_c[run->sizes.rows * i] > TC_C(0.0) && run->mu[i] > TC_C(0.0)
           && (run->shared >> i & 1u) == 0u && square > slow * slow + noise * noise;
}

/* The share of the interval after which contact i, which slides at the beginning, stops: 1 if it
 * does not. w1: whitened velocity at the end; push: see slide_all. The row in the middle has the
 * velocity s + turned at the beginning and u1 - turned at the end, for the arm turns. */
static tc_real share_of_stop(const tci_scene_step_interval *own, uint32_t i, const tc_real *w1,
                             const tc_real *push)
{
    const tci_scene_step_run *const run = own->run;
    const uint32_t d = run->sizes.rates, rows = run->sizes.rows;
    tc_real s[2], square = TC_C(0.0), along = TC_C(0.0), slowing = TC_C(0.0);
    resolve_slip(own, i, s);
    for (uint32_t r = 1; r < rows; ++r) {
        const tc_real *const row = tci_scene_step_row(run, i, r);
        const tc_real turned = tci_scene_step_dot(row, own->bias, d) - s[r - 1u];
        tc_real change = TC_C(2.0) * turned;
        for (uint32_t c = 0; c < d; ++c) {
            change = TC_MLA(change, row[c], run->w0[c] - TC_C(2.0) * own->bias[c] + push[c]);
        }
        square = TC_MLA(square, s[r - 1u], s[r - 1u]);
        along = TC_MLA(along, s[r - 1u], tci_scene_step_dot(row, w1, d) + turned);
        slowing = TC_MLA(slowing, s[r - 1u], change);
    }
    if (along >= TC_C(-64.0) * TC_EPSILON * square || !(slowing < TC_C(0.0))) return TC_C(1.0);
    const tc_real share = -square / slowing;
    return share < TC_C(1.0) ? share : TC_C(1.0);
}

tc_real tci_scene_step_stop(tci_scene_step_interval *own)
{
    tci_scene_step_run *const run = own->run;
    const uint32_t d = run->sizes.rates;
    tc_real share = TC_C(1.0), *const w1 = run->target, *const push = run->w_c;
    if (own->n == 0u || run->sizes.rows == 1u || own->still) return share;
    /* w0 + (w - w0) is that of v0 + v1 */
    for (uint32_t c = 0; c < d; ++c) w1[c] = run->w[c] - own->bias[c];
    slide_all(own, push);
    for (uint32_t i = 0; i < own->n; ++i) {
        if (!may_stop(own, i)) continue;
        const tc_real of = share_of_stop(own, i, w1, push);
        if (of < share) own->slowest = i;
        share = of < share ? of : share;
    }
    return share;
}
