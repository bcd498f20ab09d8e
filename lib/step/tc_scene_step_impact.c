/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The impact of a scene's contacts: their rows, the target that takes penetration out, and
 * tc_impact_solve.
 *
 * The target is the shortest whitened velocity t with G t = (s depth / h, 0, 0) at each contact, s
 * the share of config.compensation. Where G has more rows than rank, t is nearest to that:
 *
 *     t = G^T x,   (G G^T + delta D) x = aim,   D the diagonal of G G^T, delta = REGULAR.
 *
 * delta only decides what the rows contradict each other in. The same system with aim = -G w0 stops
 * all contacts: the answer where the solver certifies none. It adds no energy.
 */
#include "tc_exact.h"
#include "tc_scene_step_internal.h"

#include "tc_mat.h"
#include "tc_scene_core.h"
#include "tc_vec.h"

#include <string.h>

/* Rounding moves the target by EPSILON / REGULAR where rows contradict each other, and each pass on
 * what is left takes the error of REGULAR out by another factor REGULAR. So REGULAR is large, and
 * three passes are made. */
#ifdef TC_DOUBLE
#define REGULAR 1e-6
#else
#define REGULAR TC_C(1e-4)
#endif
#define TARGET_PASSES 3u
/* A row whose square is this share of what it was before the joints' projection is rounding. */
#define VANISHED (TC_C(1e4) * TC_EPSILON * TC_EPSILON)

static tc_real *row_at(const tci_scene_step_run *run, uint32_t i, uint32_t r)
{
    return run->G + (size_t)(run->sizes.rows * i + r) * run->sizes.rates;
}

static tc_real multiply_rows(const tc_real *a, const tc_real *b, uint32_t n)
{
    tc_real sum = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) sum = TC_MLA(sum, a[i], b[i]);
    return sum;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static void set_scene_material(tci_scene_step_run *run, uint32_t i)
{
    const tc_scene *const scene = run->scene;
    const uint32_t source = run->contact[i].source;
    const int limited = source >= scene->pairs;
    const tc_scene_material none = {TC_C(0.0), TC_C(0.0)};
    const tc_scene_material *const material =
        limited ? &none : &scene->material[scene->pair[source].material];
    run->mu[i] = material->mu;
    run->e[i] = material->e;
}

/* Whether all rows of contact i have entries: a body's or a particle's, without joints */
static int has_whole_rows(const tci_scene_step_run *run, uint32_t i)
{
    const uint32_t source = run->contact[i].source;
    const tc_scene *const scene = run->scene;
    if (run->joint.rank > 0u || source >= scene->pairs) return 0;
    const uint16_t a = scene->surface[scene->pair[source].a].mover;
    const uint16_t b = scene->surface[scene->pair[source].b].mover;
    return a != b && run->placed.span[a].slides > 0u;
}

/* A row that the joints leave nothing of becomes 0; returns whether it is. */
static int project_row(tci_scene_step_run *run, tc_real *row)
{
    const uint32_t d = run->sizes.rates;
    const tc_real before = multiply_rows(row, row, d);
    tc_joint_project(&run->joint, row);
    const int gone = !(multiply_rows(row, row, d) > VANISHED * before);
    if (gone) (void)tc_vec_zeroed(TC_OK, row, d);
    return gone;
}

/* Tangents of which one alone has a row are turned by 45 degrees and mirrored: both have half of it.
 * Twice is the identity. */
static void share_tangents(tci_scene_step_run *run, uint32_t i)
{
    static const tc_real half = TC_C(0.70710678118654752);
    tc_real *const a = row_at(run, i, 1), *const b = row_at(run, i, 2);
    for (uint32_t c = 0; c < run->sizes.rates; ++c) {
        const tc_real x = a[c], y = b[c];
        a[c] = half * (x + y);
        b[c] = half * (x - y);
    }
    run->shared |= 1u << i;
}

/* Contact i of those that were found, as row block `to`; returns 0 if no impulse along its normal
 * moves anything. */
static int write_block(tci_scene_step_run *run, uint32_t i, uint32_t to)
{
    const uint32_t rows = run->sizes.rows;
    uint32_t gone = 0;
    run->contact[to] = run->contact[i];
    run->shared &= ~(1u << to);
    set_scene_material(run, to);
    tc_scene_rows(&run->placed, &run->contact[to], rows, row_at(run, to, 0));
    if (has_whole_rows(run, to)) return 1;
    if (project_row(run, row_at(run, to, 0))) return 0;
    for (uint32_t r = 1; r < rows; ++r) gone += project_row(run, row_at(run, to, r)) ? 1u : 0u;
    if (gone == rows - 1u) {
        run->mu[to] = TC_C(0.0);
    } else if (gone == 1u) {
        share_tangents(run, to);
    }
    return 1;
}

/* ---- Target ---------------------------------------------------------------------------------- */

/* x += y, and from `left` what G^T y reaches; m = n rows */
static void add_reached(const tci_scene_step_run *run, uint32_t m, const tc_real *y, tc_real *left,
                        tc_real *x)
{
    const uint32_t d = run->sizes.rates;
    tc_real moved[TC_SCENE_RATES_MAX] = {TC_C(0.0)};
    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t c = 0; c < d; ++c) {
            moved[c] = TC_MLA(moved[c], y[i], run->G[(size_t)i * d + c]);
        }
    }
    for (uint32_t i = 0; i < m; ++i) {
        left[i] -= multiply_rows(run->G + (size_t)i * d, moved, d);
        x[i] += y[i];
    }
}

tc_status tci_scene_step_nearest(tci_scene_step_run *run, uint32_t n, tc_real *x)
{
    const uint32_t m = n * run->sizes.rows, d = run->sizes.rates;
    tc_real *const A = run->solve, *const left = A + (size_t)m * m, *const y = left + m;
    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t j = 0; j <= i; ++j) {
            A[m * i + j] = multiply_rows(run->G + (size_t)i * d, run->G + (size_t)j * d, d);
        }
        A[m * i + i] *= TC_C(1.0) + REGULAR * (tc_real)m;
        if (!(A[m * i + i] > TC_C(0.0))) A[m * i + i] = TC_C(1.0);
    }
    tc_status status = tc_mat_cholesky_inplace(A, m);
    memcpy(left, x, m * sizeof *x);
    (void)tc_vec_zeroed(TC_OK, x, m);
    for (uint32_t pass = 0; pass < TARGET_PASSES && status >= TC_OK; ++pass) {
        status = tc_mat_solve_lower(A, left, run->u, m, 1);
        if (status >= TC_OK) status = tc_mat_solve_lower_t(A, run->u, y, m, 1);
        if (status >= TC_OK) add_reached(run, m, y, left, x);
    }
    return status;
}

/* t = G^T x with G t nearest to `aim`, which is overwritten by x */
static tc_status reach_aim(tci_scene_step_run *run, uint32_t n, tc_real *t)
{
    const uint32_t m = n * run->sizes.rows, d = run->sizes.rates;
    const tc_status status = tci_scene_step_nearest(run, n, run->aim);
    (void)tc_vec_zeroed(TC_OK, t, d);
    for (uint32_t i = 0; i < m && status >= TC_OK; ++i) {
        const tc_real x = run->aim[i];
        for (uint32_t c = 0; c < d; ++c) t[c] = TC_MLA(t[c], x, run->G[(size_t)i * d + c]);
    }
    return status;
}

/* Returns the target, or NULL if nothing overlaps. */
static const tc_real *find_scene_target(tci_scene_step_run *run, uint32_t n)
{
    const uint32_t rows = run->sizes.rows;
    const tc_real per_depth = run->config->compensation / run->config->h;
    int deep = 0;
    (void)tc_vec_zeroed(TC_OK, run->aim, n * rows);
    for (uint32_t i = 0; i < n; ++i) {
        run->aim[rows * i] = per_depth * tc_vec_not_negative(-run->contact[i].gap);
        deep |= run->aim[rows * i] > TC_C(0.0);
    }
    run->aimed = deep && reach_aim(run, n, run->target) >= TC_OK;
    return run->aimed ? run->target : NULL;
}

const tc_real *tci_scene_step_rebound(tci_scene_step_run *run, uint32_t n)
{
    const uint32_t rows = run->sizes.rows, d = run->sizes.rates;
    int bounces = 0;
    (void)tc_vec_zeroed(TC_OK, run->aim, n * rows);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real before = multiply_rows(row_at(run, i, 0), run->w0, d);
        run->aim[rows * i] = run->e[i] * tc_vec_not_negative(-before);
        bounces |= run->aim[rows * i] > TC_C(0.0);
        run->e[i] = TC_C(0.0);
    }
    return bounces && reach_aim(run, n, run->target) >= TC_OK ? run->target : NULL;
}

/* ---- Answer ---------------------------------------------------------------------------------- */

/* All contacts stop: w = w0 - G^+ G w0 */
static tc_status stop_contacts(tci_scene_step_run *run, uint32_t n)
{
    const uint32_t m = n * run->sizes.rows, d = run->sizes.rates;
    for (uint32_t i = 0; i < m; ++i) {
        run->aim[i] = -multiply_rows(run->G + (size_t)i * d, run->w0, d);
    }
    const tc_status status = reach_aim(run, n, run->w);
    for (uint32_t c = 0; c < d; ++c) run->w[c] += run->w0[c];
    memcpy(run->f, run->aim, m * sizeof *run->f);
    (void)tc_vec_zeroed(TC_OK, run->f_c, m);
    run->stopped = 1;
    if (run->info != NULL) ++run->info->stopped;
    return status < TC_OK ? TC_ERR_RANGE : TC_NOTE_FALLBACK;
}

static void note_solve(tci_scene_step_run *run, const tc_impact_info *info)
{
    if (run->info == NULL) return;
    run->info->solves += info->solves;
    run->info->residual = tc_vec_max(info->compression.residual, run->info->residual);
    run->info->residual = tc_vec_max(info->restitution.residual, run->info->residual);
}

tc_status tci_scene_step_solve(tci_scene_step_run *run, uint32_t n, const tc_real *target,
                               const tc_real *warm)
{
    const tc_impact problem = {.contact = {.n = n,
                                           .rows = run->sizes.rows,
                                           .d = run->sizes.rates,
                                           .G = run->G,
                                           .w0 = run->w0,
                                           .mu = run->mu,
                                           .warm = warm},
                               .e = run->e,
                               .target = target,
                               .law = run->config->law};
    const tc_impact_answer answer = {.f_c = run->f_c,
                                     .u_c = run->u_c,
                                     .w_c = run->w_c,
                                     .f = run->f,
                                     .u = run->u,
                                     .w = run->w,
                                     .w_least = run->w_least};
    memset(run->impact, 0, sizeof *run->impact);
    const tc_status status =
        tc_impact_solve(&problem, &answer, run->impact, run->solve, run->solve_len);
    note_solve(run, run->impact);
    return status == TC_ERR_NOT_CERTIFIED ? stop_contacts(run, n) : status;
}

/* ---- What came of it ------------------------------------------------------------------------- */

static tc_scene_step_touch *touch_of(tc_scene_step_info *info, const tc_scene_contact *contact)
{
    for (uint32_t i = 0; i < info->touches; ++i) {
        if (info->touch[i].source == contact->source
            && info->touch[i].feature == contact->feature) {
            return &info->touch[i];
        }
    }
    if (info->touches == TC_SCENE_CONTACTS_MAX) return NULL;
    tc_scene_step_touch *const touch = &info->touch[info->touches++];
    touch->source = contact->source;
    touch->feature = contact->feature;
    return touch;
}

/* The impulse of contact i, normal first; along the tangents of tc_scene_tangents */
static void sum_phases(const tci_scene_step_run *run, uint32_t i, tc_real f[3])
{
    static const tc_real half = TC_C(0.70710678118654752);
    const uint32_t rows = run->sizes.rows;
    f[1] = f[2] = TC_C(0.0);
    for (uint32_t r = 0; r < rows; ++r) f[r] = run->f_c[rows * i + r] + run->f[rows * i + r];
    if (run->shared >> i & 1u) {
        const tc_real x = f[1], y = f[2];
        f[1] = half * (x + y);
        f[2] = half * (x - y);
    }
}

/* Returns whether contact i has an impulse. */
static int note_touch(tci_scene_step_run *run, uint32_t i)
{
    const tc_scene *const scene = run->scene;
    const tc_scene_contact *const contact = &run->contact[i];
    tc_real f[3], t[2][3];
    sum_phases(run, i, f);
    if (!(f[0] > TC_C(0.0))) return 0;
    tc_scene_step_touch *const touch = touch_of(run->info, contact);
    if (touch == NULL) return 1;
    if (contact->source >= scene->pairs) {
        touch->impulse[0] += f[0];
        return 1;
    }
    memcpy(touch->point, contact->point, sizeof touch->point);
    t[1][0] = t[1][1] = t[1][2] = TC_C(0.0);
    tc_scene_tangents(scene->dimension, contact->normal, t);
    for (uint32_t k = 0; k < 3u; ++k) {
        touch->impulse[k] += f[0] * contact->normal[k] + f[1] * t[0][k] + f[2] * t[1][k];
    }
    return 1;
}

void tci_scene_step_change(tci_scene_step_run *run, tc_real *change)
{
    const uint32_t d = run->sizes.rates;
    for (uint32_t c = 0; c < d; ++c) change[c] = run->w[c] - run->w0[c];
    tc_scene_unwhiten(&run->placed, change);
}

tc_status tci_scene_step_gather(tci_scene_step_run *run, const tc_real *q, const tc_real *v,
                                uint32_t found, uint32_t *n)
{
    tc_status status = tc_scene_place(&run->placed, q, v);
    run->joint.rank = 0;
    *n = 0;
    if (status >= TC_OK && run->sizes.joint_rows > 0u) status = tci_scene_step_tie(run);
    if (status < TC_OK) return status;
    for (uint32_t i = 0; i < found; ++i) *n += write_block(run, i, *n) ? 1u : 0u;
    memcpy(run->w0, v, run->sizes.rates * sizeof *v);
    tc_scene_whiten(&run->placed, run->w0);
    tc_joint_project(&run->joint, run->w0);
    return TC_OK;
}

void tci_scene_step_note(tci_scene_step_run *run, uint32_t n)
{
    int acted = 0;
    if (run->info == NULL) return;
    for (uint32_t i = 0; i < n; ++i) acted |= note_touch(run, i);
    run->info->impacts += acted ? 1u : 0u;
}

tc_status tci_scene_step_impact(tci_scene_step_run *run, tc_real margin)
{
    tc_scene_contacts found = {.contact = run->contact, .max = run->sizes.contacts};
    uint32_t n = 0;
    run->count = 0;
    run->stopped = 0;
    tc_scene_place_all(&run->placed, run->q, run->v);
    tc_scene_find(&run->placed, margin, &found);
    if (found.count == 0u) return TC_OK;
    tc_status status = tci_scene_step_gather(run, run->q, run->v, found.count, &n);
    if (status < TC_OK || n == 0u) return status;
    status = tci_scene_step_solve(run, n, find_scene_target(run, n), NULL);
    if (status < TC_OK) return status;
    tci_scene_step_change(run, run->w);
    for (uint32_t c = 0; c < run->sizes.rates; ++c) run->v[c] += run->w[c];
    run->count = n;
    tci_scene_step_note(run, n);
    if (run->info != NULL) run->info->dropped += found.dropped;
    return found.dropped > 0u && status == TC_OK ? TC_NOTE_LIMIT : status;
}
