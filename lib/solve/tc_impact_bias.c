/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Velocities s_i added at the normals of a cone problem, and the judge of what came of it.
 *
 * A shift as a column. Let G have one more column, s_i / W at the normals, and w0 one more entry W.
 * Then G w0 has s_i more, as it should. The column also adds s_i s_j / W^2 to the contact matrix,
 * which it should not: the entry of w moves from its W by sum_i s_i f_i / W. So each solve starts
 * from W less what the last one's impulses moved it by. When impulses repeat, the entry ends at W,
 * and the shift is exact for any W. W is 16 |w|: a solver that compares energies loses 8 bits by
 * it, and the column's part of the contact matrix is below 1 %.
 */
#define TC_MAT_LOOP /* loops stay loops */
#include "tc_exact.h"
#include "tc_cone_internal.h"
#include "tc_impact_internal.h"

/* ---- Bias ------------------------------------------------------------------------------------ */

void tci_impact_widen(tci_impact_state *s)
{
    const tc_cone *const c = &s->problem->contact;
    for (uint32_t k = 0; k < c->n * c->rows; ++k) {
        tc_real *const row = s->G + k * (c->d + 1u);
        for (uint32_t j = 0; j < c->d; ++j) row[j] = c->G[k * c->d + j];
        row[c->d] = TC_C(0.0);
    }
}

/* 16 times the larger of |w0| and |w|: w0 may be near 0 where floors are not; or 1 */
static tc_real choose_large(const tc_real *w0, const tc_real *w, uint32_t d)
{
    const tc_real before = tci_impact_dot(w0, w0, d), after = tci_impact_dot(w, w, d);
    const tc_real square = tc_vec_max(before, after);
    return square > TC_C(0.0) ? TC_C(16.0) * tc_sqrt(square) : TC_C(1.0);
}

void tci_impact_bias(tci_impact_state *s, const tci_impact_output *last)
{
    const tc_cone *const c = &s->problem->contact;
    const uint32_t rows = c->rows, d = c->d;
    const tc_real large = choose_large(s->start, last->w, d), inverse = TC_C(1.0) / large;
    tc_real moved = TC_C(0.0);
    for (uint32_t i = 0; i < c->n; ++i) {
        const tc_real entry = s->shift[i] * inverse;
        s->G[i * rows * (d + 1u) + d] = entry;
        moved = TC_MLA(moved, entry, last->f[i * rows]);
    }
    s->start[d] = large - moved;
}

/* ---- Judge ----------------------------------------------------------------------------------- */

/* The natural map of contact i, times a_i; *slip: mu |u_t|, which joins u_n if `law` */
static tc_real judge_contact(const tc_cone *c, uint32_t i, const tci_impact_output *to, int law,
                             tc_real *slip)
{
    const tc_real soft = c->compliance != NULL ? c->compliance[i] : TC_C(0.0);
    const tc_real *const f = to->f + i * c->rows;
    tci_cone_contact own = {.mu = c->rows > 1u ? c->mu[i] : TC_C(0.0),
                            .floor = c->floor != NULL ? c->floor[i] : TC_C(0.0)};
    tc_real u[3] = {TC_C(0.0)}, y[3], sum = TC_C(0.0), length, most = TC_C(0.0);
    for (uint32_t r = 0; r < c->rows; ++r) {
        const tc_real *const row = c->G + (i * c->rows + r) * c->d;
        sum += tci_impact_dot(row, row, c->d);
        u[r] = TC_MLA(tci_impact_dot(row, to->w, c->d), soft, f[r]);
    }
    const tc_real a = sum / (tc_real)c->rows + soft;
    *slip = own.mu * tc_sqrt(u[1] * u[1] + u[2] * u[2]);
    if (law) u[0] += *slip;
    own.length = TC_C(1.0) / TC_MLA(TC_C(1.0), own.mu, own.mu);
    for (uint32_t r = 0; r < c->rows; ++r) y[r] = f[r] - u[r] / a;
    (void)tci_cone_project(&own, y, &length, c->rows);
    for (uint32_t r = 0; r < c->rows; ++r) {
        most = tc_vec_max(tc_vec_magnitude(f[r] - y[r]) * a, most);
    }
    return most;
}

tc_real tci_impact_judge(const tc_cone *c, const tci_impact_output *to, int law, tc_real *slip)
{
    tc_real most = TC_C(0.0);
    for (uint32_t i = 0; i < c->n; ++i) {
        const tc_real own = judge_contact(c, i, to, law, slip + i);
        most = tc_vec_max(own, most);
    }
    return to->info->scale > TC_C(0.0) ? most / to->info->scale : most;
}
