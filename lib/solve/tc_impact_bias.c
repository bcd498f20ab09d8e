/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Two ways in which an impact changes a cone problem: velocities s_i added at the normals, and
 * impulses of least norm. And the judge of what came of it.
 *
 * A shift as a column. Let G have one more column, s_i / W at the normals, and w0 one more entry W.
 * Then G w0 has s_i more, as it should. The column also adds s_i s_j / W^2 to the contact matrix,
 * which it should not: the entry of w moves from its W by sum_i s_i f_i / W. So each solve starts
 * from W less what the last one's impulses moved it by. When impulses repeat, the entry ends at W,
 * and the shift is exact for any W. W is 16 |w|: a solver that compares energies loses 8 bits by
 * it, and the column's part of the contact matrix is below 1 %.
 *
 * Least norm. The problem with compliance eps a_i at each contact, a_i the mean square of its rows,
 * has one answer f_0, which tends to that of least norm sum a_i |f_i|^2 for eps -> 0. Its velocity
 * errs by eps. The pattern of f_0, factored with its compliance, moves f_0 by the z of least norm
 * that has G^T T z = w_c - w_0 to eps of it. Repeated it ends at w_c, and the norm errs by eps.
 *
 * Where a contact leaves the pattern on that way, the answer is not certified. Then the rigid
 * problem is solved once more, from f_0: its steps are short, and along G's rows for the most part.
 *
 * eps. Compliance decides in directions that the certificate cannot see: float leaves f uncertain
 * there by 4e-6 / eps. eps = 1e-3 has errors of both kinds below 1 %; double has 1e-5.
 */
#define TC_MAT_LOOP /* loops stay loops */
#include "tc_exact.h"
#include "tc_cone_grad_internal.h"
#include "tc_cone_internal.h"
#include "tc_impact_internal.h"

#define CORRECTIONS 3u

/* ---- Bias ------------------------------------------------------------------------------------ */

void tci_impact_widen(tci_impact_state *s)
{
    const tc_cone *const c = &s->problem->contact;
    for (uint32_t k = 0; k < c->n * c->rows; ++k) {
        tc_real *const row = s->G + k * (c->d + 1u);
        for (uint32_t j = 0; j < c->d; ++j) row[j] = c->G[k * c->d + j];
        row[c->d] = TC_C(0.0);
    }
    s->start[c->d] = TC_C(0.0);
    for (uint32_t i = 0; i < c->n; ++i) s->shift[i] = TC_C(0.0);
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

/* ---- Impulses of least norm ------------------------------------------------------------------ */

void tci_impact_set_soft(const tc_cone *c, tc_real *soft)
{
    const uint32_t length = c->rows * c->d;
    for (uint32_t i = 0; i < c->n; ++i) {
        const tc_real *const row = c->G + i * length;
        const tc_real a = tc_mat_body_dot(TC_C(0.0), row, 1, row, 1, 0, length) / (tc_real)c->rows;
        soft[i] = TC_MLA(c->compliance != NULL ? c->compliance[i] : TC_C(0.0), IMPACT_SOFT, a);
    }
}

/* w = w0 + G^T f */
static void set_velocity(const tc_cone *c, const tc_real *f, tc_real *w)
{
    for (uint32_t j = 0; j < c->d; ++j) w[j] = c->w0[j];
    for (uint32_t k = 0; k < c->n * c->rows; ++k) {
        const tc_real *const row = c->G + k * c->d;
        for (uint32_t j = 0; j < c->d; ++j) w[j] = TC_MLA(w[j], f[k], row[j]);
    }
}

/* Takes the impulses s->f_least, if they are as good an answer as the first. */
static int take_least(tci_impact_state *s, const tc_impact_answer *answer, tc_cone_info *info)
{
    const tc_cone *const c = &s->problem->contact;
    const int law = s->problem->law == TC_IMPACT_COULOMB;
    const tci_impact_output found = {s->f_least, s->u_least, s->w, info};
    set_velocity(c, s->f_least, s->w);
    const tc_real residual = tci_impact_judge(c, &found, law, s->history);
    const tc_real limit = law ? TC_IMPACT_TOLERANCE : TC_CONE_TOLERANCE;
    if (residual > limit && residual > info->residual) return 0;
    for (uint32_t k = 0; k < c->n * c->rows; ++k) answer->f_c[k] = s->f_least[k];
    for (uint32_t k = 0; k < c->d; ++k) answer->w_c[k] = s->w[k];
    info->residual = residual;
    if (law) s->coulomb = tc_vec_max(residual, s->coulomb);
    return 1;
}

/* f_least += T z, back into the cones */
static void move_columns(tci_impact_state *s, const tci_cone_grad_pattern *pattern)
{
    const tc_cone *const c = &s->problem->contact;
    const uint32_t rows = c->rows;
    for (uint32_t k = 0; k < pattern->columns; ++k) {
        tc_real *const f = s->f_least + pattern->contact[k] * rows;
        for (uint32_t r = 0; r < rows; ++r) {
            f[r] = TC_MLA(f[r], pattern->z[k], pattern->T[k * rows + r]);
        }
    }
    for (uint32_t i = 0; i < c->n; ++i) {
        const tc_real mu = rows > 1u ? c->mu[i] : TC_C(0.0);
        const tci_cone_contact own = {.mu = mu, .length = TC_C(1.0) / TC_MLA(TC_C(1.0), mu, mu)};
        tc_real length;
        (void)tci_cone_project(&own, s->f_least + i * rows, &length, rows);
    }
}

/* Moves f_least along its pattern until its velocity is w_c; s->w: that of the compliant problem.
 * 0: it is no answer then. */
static int correct_least(tci_impact_state *s, const tc_impact_answer *answer, tc_impact_info *info)
{
    const tc_cone *const c = &s->problem->contact;
    tci_cone_grad_pattern pattern;
    const tci_cone_grad_answer solved = {c, s->f_least, s->w, info->least, s->soft};
    if (!tci_cone_grad_open(&pattern, &solved, s->rest)) return 0;
    for (uint32_t k = 0; k < CORRECTIONS; ++k) {
        set_velocity(c, s->f_least, s->w);
        for (uint32_t j = 0; j < c->d; ++j) pattern.x[j] = s->w[j] - answer->w_c[j];
        for (uint32_t j = 0; j < pattern.columns; ++j) pattern.h[j] = TC_C(0.0);
        tci_cone_grad_solve(&pattern);
        move_columns(s, &pattern);
        if (take_least(s, answer, &info->compression)) return 1;
    }
    return 0;
}

int tci_impact_least(tci_impact_state *s, const tc_impact_answer *answer, tc_impact_info *info)
{
    tc_cone cone = s->problem->contact;
    const uint32_t n = cone.n, d = cone.d;
    tc_cone_info soft;
    const tci_impact_output to = {s->f_least, s->u_least, s->w, &soft};
    if (s->problem->law == TC_IMPACT_COULOMB) {
        cone.G = s->G;
        cone.d = d + 1u;
        cone.w0 = s->start;
    }
    tci_impact_set_soft(&s->problem->contact, s->soft);
    cone.compliance = s->soft;
    cone.warm = answer->f_c;
    if (tci_impact_cone(s, &cone, &to) < TC_OK) return 0;
    for (uint32_t i = 0; i < n; ++i) info->least[i] = soft.kind[i];
    for (uint32_t j = 0; j < d && answer->w_least != NULL; ++j) answer->w_least[j] = s->w[j];
    for (uint32_t j = 0; j < n * cone.rows; ++j) s->f[j] = s->f_least[j];
    if (correct_least(s, answer, info)) return 1;
    cone.compliance = s->problem->contact.compliance;
    cone.warm = s->f;
    return tci_impact_cone(s, &cone, &to) >= TC_OK && take_least(s, answer, &info->compression);
}
