/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The impulses of least norm that give a compression's velocity: the smallest sum a_i |f_i|^2, a_i
 * the mean square of contact i's rows.
 *
 * Faces. The velocity w_c is unique, and so is u = G w_c. By complementarity u says where the
 * impulses of all answers lie: 0 where the contact opens, on the ray (1, mu tau) against the slip
 * where it slips, anywhere in the cone where u = 0. This holds for both laws; the shift of
 * Coulomb's is in w_c. A contact with compliance has one impulse.
 *
 * Problem. Let f be on these faces, and v = w0 - w_c. The cone problem from v has the answer w = 0,
 * and with the compliance eps a_i, a ray's times 1 + mu^2, it has one f, whose w errs by eps. The
 * pattern of that f, factored with a thousandth of its compliance, moves f by the z of least norm that takes w out
 * to eps of it; repeated, and at last without compliance. Where a contact leaves the pattern on that
 * way, the rigid problem is solved once more, from f: its steps are short, and along G's rows for
 * the most part.
 *
 * eps. Compliance decides in directions that the certificate cannot see: float leaves f uncertain
 * there by 4e-6 / eps. eps = 1e-3 has errors of both kinds below 1 %; double has 1e-6.
 */
#define TC_MAT_LOOP /* loops stay loops */
#include "tc_exact.h"
#include "tc_cone_grad_internal.h"
#include "tc_cone_internal.h"
#include "tc_impact_internal.h"

#define LEAST_CORRECTIONS 3u

/* Part of the compliance that corrections have: rays of feet that slip together differ by little, and
 * compliance would decide what the velocity does. */
#define LEAST_STIFF TC_C(1e-3)

/* The problem on the faces. Its arrays lie in the state: G, f, soft, history. */
typedef struct least_faces {
    tc_cone cone;
    tc_real *mu;    /* [n] of the faces that are cones; else 0 */
    tc_real *tau;   /* [2 n] directions of the rays */
    tc_real *slip;  /* [n] scratch of the judge */
    tc_real *stiff; /* [n] compliance of corrections */
    tc_real *v;     /* [d] */
    tc_cone_info *info;
    uint8_t from[TC_CONE_MAX]; /* the contact that a face belongs to */
} least_faces;

void tci_impact_set_soft(const tc_cone *c, tc_real *soft)
{
    const uint32_t length = c->rows * c->d;
    for (uint32_t i = 0; i < c->n; ++i) {
        const tc_real *const row = c->G + i * length;
        const tc_real a = tc_mat_body_dot(TC_C(0.0), row, 1, row, 1, 0, length) / (tc_real)c->rows;
        soft[i] = TC_MLA(c->compliance != NULL ? c->compliance[i] : TC_C(0.0), IMPACT_SOFT, a);
    }
}

/* w += G^T f of the rows of contact i */
static void push_contact_rows(const tc_cone *c, uint32_t i, const tc_real *f, tc_real *w)
{
    for (uint32_t k = i * c->rows; k < (i + 1u) * c->rows; ++k) {
        const tc_real *const row = c->G + k * c->d;
        for (uint32_t j = 0; j < c->d; ++j) w[j] = TC_MLA(w[j], f[k], row[j]);
    }
}

static int has_compliance(const tc_cone *c, uint32_t i)
{
    return c->compliance != NULL && c->compliance[i] > TC_C(0.0);
}

/* ---- Faces ----------------------------------------------------------------------------------- */

/* The face of contact i: OPEN, SLIP (the ray) or STICK (the cone). limit: velocity below which a
 * contact rests. *by_slip: the velocity, not the impulse, has the better direction */
static tc_cone_kind find_face(const tci_impact_state *s, const tc_impact_answer *answer, uint32_t i,
                              tc_real limit, int *by_slip)
{
    const tc_cone *const c = &s->problem->contact;
    const tc_real *const u = answer->u_c + i * c->rows, *const f = answer->f_c + i * c->rows;
    const tc_real mu = c->rows > 1u ? c->mu[i] : TC_C(0.0), slip = tci_cone_length(u, c->rows);
    const tc_real raised = s->problem->law == TC_IMPACT_CONVEX ? mu * slip : TC_C(0.0);
    *by_slip = slip * IMPACT_SOFT > s->soft[i] * tci_cone_length(f, c->rows);
    if (u[0] - raised > limit * (TC_C(1.0) + mu)) return TC_CONE_OPEN;
    return mu > TC_C(0.0) && slip <= limit ? TC_CONE_STICK : TC_CONE_SLIP;
}

/* The row of a ray (1, mu tau), tau of f_t or against u_t; rows of tangents are 0 */
static void write_ray(const tc_cone *c, uint32_t i, const tc_real *along, tc_real sign,
                      tc_real *tau, tc_real *row)
{
    const uint32_t d = c->d, rows = c->rows;
    const tc_real *const G = c->G + i * rows * d;
    const tc_real length = tci_cone_length(along, rows);
    for (uint32_t k = 0; k < rows * d; ++k) row[k] = k < d ? G[k] : TC_C(0.0);
    tau[0] = tau[1] = TC_C(0.0);
    for (uint32_t r = 1; r < rows && length > TC_C(0.0); ++r) {
        tau[r - 1u] = sign * along[r] / length;
        const tc_real part = c->mu[i] * tau[r - 1u];
        for (uint32_t k = 0; k < d; ++k) row[k] = TC_MLA(row[k], part, G[r * d + k]);
    }
}

/* Contact i, which sticks, with its compliance and its last impulse */
static void add_cone(tci_impact_state *s, least_faces *p, const tc_impact_answer *answer,
                     uint32_t i)
{
    const tc_cone *const c = &s->problem->contact;
    const uint32_t rows = c->rows, length = rows * c->d, at = p->cone.n++;
    p->from[at] = (uint8_t)i;
    p->mu[at] = c->mu[i];
    s->soft[at] = s->soft[i];
    for (uint32_t r = 0; r < rows; ++r) s->f[at * rows + r] = answer->f_c[i * rows + r];
    for (uint32_t k = 0; k < length; ++k) s->G[at * length + k] = c->G[i * length + k];
}

/* The same of one that slips */
static void add_face_ray(tci_impact_state *s, least_faces *p, const tc_impact_answer *answer,
                         uint32_t i, int by_slip)
{
    const tc_cone *const c = &s->problem->contact;
    const uint32_t rows = c->rows, at = p->cone.n++;
    const tc_real mu = rows > 1u ? c->mu[i] : TC_C(0.0);
    p->from[at] = (uint8_t)i;
    p->mu[at] = TC_C(0.0);
    s->soft[at] = s->soft[i] * TC_MLA(TC_C(1.0), mu, mu);
    for (uint32_t r = 0; r < rows; ++r) s->f[at * rows + r] = TC_C(0.0);
    s->f[at * rows] = answer->f_c[i * rows];
    write_ray(c, i, (by_slip ? answer->u_c : answer->f_c) + i * rows,
              by_slip ? TC_C(-1.0) : TC_C(1.0), p->tau + 2u * at, s->G + at * rows * c->d);
}

/* v = w0 - w_c, with the impulses of contacts that have compliance; all others' are 0 */
static void open_start(tci_impact_state *s, least_faces *p, const tc_impact_answer *answer)
{
    const tc_cone *const c = &s->problem->contact;
    for (uint32_t k = 0; k < c->d; ++k) p->v[k] = c->w0[k] - answer->w_c[k];
    for (uint32_t i = 0; i < c->n; ++i) {
        const tc_real own = has_compliance(c, i) ? TC_C(1.0) : TC_C(0.0);
        for (uint32_t r = i * c->rows; r < (i + 1u) * c->rows; ++r) {
            s->f_least[r] = own * answer->f_c[r];
        }
        if (own > TC_C(0.0)) push_contact_rows(c, i, s->f_least, p->v);
    }
}

/* Also writes the kinds of the compression: those of the faces. Apart, as corrections are: only what
 * the solver is called with is on its stack. */
CONE_APART static void open_faces(tci_impact_state *s, least_faces *p,
                                  const tc_impact_answer *answer, tc_cone_info *info)
{
    const tc_cone *const c = &s->problem->contact;
    const int law = s->problem->law == TC_IMPACT_COULOMB;
    const tc_real limit = (law ? TC_IMPACT_TOLERANCE : TC_CONE_TOLERANCE) * info->scale;
    p->info = s->of_faces;
    p->slip = s->history;
    p->mu = p->slip + c->n;
    p->tau = p->mu + c->n;
    p->stiff = p->tau + 2u * c->n;
    p->v = s->start;
    p->cone = (tc_cone){.n = 0, .rows = c->rows, .d = c->d, .G = s->G, .w0 = p->v, .mu = p->mu};
    p->cone.compliance = s->soft;
    p->cone.warm = s->f;
    tci_impact_set_soft(c, s->soft);
    open_start(s, p, answer);
    for (uint32_t i = 0; i < c->n; ++i) {
        int by_slip;
        if (has_compliance(c, i)) continue;
        const tc_cone_kind kind = find_face(s, answer, i, limit, &by_slip);
        info->kind[i] = kind;
        if (kind == TC_CONE_STICK) add_cone(s, p, answer, i);
        if (kind == TC_CONE_SLIP) add_face_ray(s, p, answer, i, by_slip);
    }
}

/* ---- Impulses -------------------------------------------------------------------------------- */

/* f_least of the impulses s->f on the faces, and the velocity that they give to s->w */
static void spread_faces(tci_impact_state *s, const least_faces *p)
{
    const tc_cone *const c = &s->problem->contact;
    const uint32_t rows = c->rows;
    for (uint32_t k = 0; k < p->cone.n; ++k) {
        const uint32_t i = p->from[k];
        const tc_real *const own = s->f + k * rows;
        tc_real *const f = s->f_least + i * rows;
        const int sticks = p->mu[k] > TC_C(0.0);
        f[0] = own[0];
        for (uint32_t r = 1; r < rows; ++r) {
            f[r] = sticks ? own[r] : own[0] * c->mu[i] * p->tau[2u * k + r - 1u];
        }
    }
    for (uint32_t j = 0; j < c->d; ++j) s->w[j] = c->w0[j];
    for (uint32_t i = 0; i < c->n; ++i) push_contact_rows(c, i, s->f_least, s->w);
}

/* Takes the impulses s->f_least, if they are as good an answer as the first. */
static int take_least(tci_impact_state *s, const least_faces *p, const tc_impact_answer *answer,
                      tc_cone_info *info)
{
    const tc_cone *const c = &s->problem->contact;
    const int law = s->problem->law == TC_IMPACT_COULOMB;
    const tci_impact_output found = {s->f_least, s->u_least, s->w, info};
    const tc_real residual = tci_impact_judge(c, &found, law, p->slip);
    const tc_real limit = law ? TC_IMPACT_TOLERANCE : TC_CONE_TOLERANCE;
    if (!(residual <= limit) && !(residual <= info->residual)) return 0;
    for (uint32_t k = 0; k < c->n * c->rows; ++k) answer->f_c[k] = s->f_least[k];
    for (uint32_t k = 0; k < c->d; ++k) answer->w_c[k] = s->w[k];
    info->residual = residual;
    if (law) s->coulomb = tc_vec_max(residual, s->coulomb);
    return 1;
}

/* s->f += T z, back into the cones */
static void move_faces(tci_impact_state *s, const least_faces *p,
                       const tci_cone_grad_pattern *pattern)
{
    const uint32_t rows = p->cone.rows;
    for (uint32_t k = 0; k < pattern->columns; ++k) {
        tc_real *const f = s->f + pattern->contact[k] * rows;
        for (uint32_t r = 0; r < rows; ++r) {
            f[r] = TC_MLA(f[r], pattern->z[k], pattern->T[k * rows + r]);
        }
    }
    for (uint32_t k = 0; k < p->cone.n; ++k) {
        const tc_real mu = p->mu[k];
        const tci_cone_contact own = {.mu = mu, .length = TC_C(1.0) / TC_MLA(TC_C(1.0), mu, mu)};
        tc_real length;
        (void)tci_cone_project(&own, s->f + k * rows, &length, rows);
    }
}

/* Moves s->f along its pattern until its velocity is w_c; `w`: that of the compliant problem. 0: it
 * is no answer then. soft: compliance of the pattern, or null */
CONE_APART static int correct_faces(tci_impact_state *s, const least_faces *p,
                                    const tc_impact_answer *answer, tc_cone_info *info,
                                    const tc_real *soft)
{
    tci_cone_grad_pattern pattern;
    const tci_cone_grad_answer solved = {&p->cone, s->f, answer->w, p->info->kind, soft, 0};
    if (!tci_cone_grad_open(&pattern, &solved, s->rest)) return 0;
    for (uint32_t k = 0; k < LEAST_CORRECTIONS; ++k) {
        for (uint32_t j = 0; j < p->cone.d; ++j) pattern.x[j] = s->w[j] - answer->w_c[j];
        for (uint32_t j = 0; j < pattern.columns; ++j) pattern.h[j] = TC_C(0.0);
        tci_cone_grad_solve(&pattern);
        move_faces(s, p, &pattern);
        spread_faces(s, p);
        if (take_least(s, p, answer, info)) return 1;
    }
    return 0;
}

/* What derivatives need: the kinds, and the velocity w_c + w of the compliant problem */
static void keep_least(const tci_impact_state *s, const least_faces *p,
                       const tc_impact_answer *answer, tc_impact_info *info)
{
    for (uint32_t i = 0; i < s->problem->contact.n; ++i) {
        info->least[i] = info->compression.kind[i];
    }
    for (uint32_t k = 0; k < p->cone.n; ++k) info->least[p->from[k]] = p->info->kind[k];
    for (uint32_t j = 0; j < p->cone.d && answer->w_least != NULL; ++j) {
        answer->w_least[j] = answer->w_c[j] + answer->w[j];
    }
}

/* Solves the problem from p->v on with the compliance that p->cone has. */
static int solve_faces(tci_impact_state *s, least_faces *p, const tc_impact_answer *answer)
{
    const tci_impact_output to = {s->f, s->u_least, answer->w, p->info};
    if (tci_impact_cone(s, &p->cone, &to) < TC_OK) return 0;
    spread_faces(s, p);
    return 1;
}

/* One round: the compliant problem, and what is left of w taken out. It starts from v + w. */
static int approach_faces(tci_impact_state *s, least_faces *p, const tc_impact_answer *answer,
                          tc_impact_info *info)
{
    if (!solve_faces(s, p, answer)) return 0;
    keep_least(s, p, answer, info);
    for (uint32_t k = 0; k < p->cone.d; ++k) p->v[k] += s->w[k] - answer->w_c[k];
    for (uint32_t k = 0; k < p->cone.n; ++k) p->stiff[k] = LEAST_STIFF * s->soft[k];
    return correct_faces(s, p, answer, &info->compression, p->stiff)
           || correct_faces(s, p, answer, &info->compression, NULL);
}

/* The rigid problem, from the compliant one's answer: its steps are short. By the convex law the
 * problem without faces serves, too. */
CONE_APART static int solve_rigid(tci_impact_state *s, least_faces *p,
                                  const tc_impact_answer *answer, tc_impact_info *info)
{
    open_start(s, p, answer);
    p->cone.compliance = NULL;
    if (!solve_faces(s, p, answer)) return 0;
    if (take_least(s, p, answer, &info->compression)) return 1;
    if (s->problem->law != TC_IMPACT_CONVEX) return 0;
    const tci_impact_output to = {s->f_least, s->u_least, s->w, p->info};
    p->cone = s->problem->contact;
    for (uint32_t k = 0; k < p->cone.n * p->cone.rows; ++k) s->f[k] = s->f_least[k];
    p->cone.warm = s->f;
    return tci_impact_cone(s, &p->cone, &to) >= TC_OK
           && take_least(s, p, answer, &info->compression);
}

/* answer->w, which restitution writes later, is the velocity of the problem on the faces. */
int tci_impact_least(tci_impact_state *s, const tc_impact_answer *answer, tc_impact_info *info)
{
    least_faces p;
    open_faces(s, &p, answer, &info->compression);
    return approach_faces(s, &p, answer, info) || approach_faces(s, &p, answer, info)
           || solve_rigid(s, &p, answer, info);
}
