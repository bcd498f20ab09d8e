/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Spatial bodies for Python: handles, solves, throws; and exact Coulomb friction of a point as a
 * law.
 *
 * Coulomb. A sliding contact has p_t = -c^-1 u_t+ with a c >= 0 and u_n+ = 0; with S = W_tt - W_tn
 * W_nt / W_nn and r = u_t - W_tn u_n / W_nn
 *
 *     (S + c) p_t = -r,   p_n = -(u_n + W_nt.p_t) / W_nn,   |p_t| = mu p_n
 *
 * c = 0 is the stop, outside the cone; c -> infinity friction that vanishes, inside: bisection
 * between them. Where the law is asked for the ratio of a contact that sticks, it says mu against
 * the way it would slip.
 *
 * A throw ends after REST_STEPS steps at rest, or NATIVE_SPATIAL_STEPS_MOST.
 */
#include "spatial.h"

#include "handle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REST_STEPS 50
#define REST_SPEED 1e-3 /* [m/s] */
#define REST_SPIN 1e-2  /* [rad/s] */
#define TOUCH 1e-6      /* [m] at or below the floor: states come as decimals */
#define BISECTIONS 200

struct native_spatial {
    tc_foot3 spatial;
    tc_learned3_nets nets;
    tc_model model;
    double mu;
    double gravity;
    int warm;
    double vertices[3u * TC_SHAPE_MAX];
    tc_real shape[3u * TC_SHAPE_MAX];
    tc_real force[6];
    void *blob;
    tc_real *work;
    size_t work_len;
};

/* ---- Coulomb --------------------------------------------------------------------------------- */

/* p_t for this c, and what |p_t| - mu p_n is. */
static double excess(const double W[6], const double u[3], double mu, double c, double p[2])
{
    const double a = W[0] - W[3] * W[3] / W[5] + c, b = W[1] - W[3] * W[4] / W[5];
    const double d = W[2] - W[4] * W[4] / W[5] + c, det = a * d - b * b;
    const double r[2] = {u[0] - W[3] * u[2] / W[5], u[1] - W[4] * u[2] / W[5]};
    p[0] = (b * r[1] - d * r[0]) / det;
    p[1] = (b * r[0] - a * r[1]) / det;
    return hypot(p[0], p[1]) + mu * (u[2] + W[3] * p[0] + W[4] * p[1]) / W[5];
}

/* Friction over normal of a contact that approaches and does not stick, along the patch's
 * tangents */
static void sliding(const double W[6], const double u[3], double mu, double ratio[2])
{
    double low = 0, high = 1, p[2];
    while (excess(W, u, mu, high, p) > 0 && high < 1e12) {
        high *= 4;
    }
    for (int i = 0; i < BISECTIONS && high - low > 1e-15 * high; i++) {
        const double middle = 0.5 * (low + high);
        *(excess(W, u, mu, middle, p) > 0 ? &low : &high) = middle;
    }
    excess(W, u, mu, high, p);
    const double size = hypot(p[0], p[1]);
    ratio[0] = size > 0 ? mu * p[0] / size : 0;
    ratio[1] = size > 0 ? mu * p[1] / size : 0;
}

static int sticks(const tc_learned3_query *query, double mu)
{
    return query->stop[2] > TC_C(0.0) && (double)query->tangential <= mu * (double)query->stop[2];
}

static tc_status coulomb_observe(const void *context, const tc_learned3_query *query, tc_real *work)
{
    (void)context;
    (void)query;
    (void)work;
    return TC_OK;
}

static tc_status coulomb_classify(const void *context, const tc_learned3_query *query,
                                  tc_real *probability, tc_real *work)
{
    const int leaves = query->u[2] >= TC_C(0.0), stops = sticks(query, *(const double *)context);
    (void)work;
    probability[TC_LEARNED_DETACH] = leaves ? TC_C(1.0) : TC_C(0.0);
    probability[TC_LEARNED_STATIC] = !leaves && stops ? TC_C(1.0) : TC_C(0.0);
    probability[TC_LEARNED_DYNAMIC] = !leaves && !stops ? TC_C(1.0) : TC_C(0.0);
    return TC_OK;
}

static tc_status coulomb_ratio(const void *context, const tc_learned3_query *query, tc_real *ratio,
                               tc_real *work)
{
    const double mu = *(const double *)context;
    double W[6], u[3], rho[2] = {mu * (double)query->axis[0], mu * (double)query->axis[1]};
    (void)work;
    for (int k = 0; k < 6; k++) {
        W[k] = (double)query->W[k];
    }
    for (int k = 0; k < 3; k++) {
        u[k] = (double)query->u[k];
    }
    if (!sticks(query, mu) && u[2] < 0) {
        sliding(W, u, mu, rho);
    }
    ratio[0] = (tc_real)(rho[0] * (double)query->axis[0] + rho[1] * (double)query->axis[1]);
    ratio[1] =
        query->side * (tc_real)(rho[1] * (double)query->axis[0] - rho[0] * (double)query->axis[1]);
    return TC_OK;
}

/* ---- Handles --------------------------------------------------------------------------------- */

void native_spatial_free(native_spatial *handle)
{
    if (handle != NULL) {
        free(handle->blob);
        free(handle->work);
        free(handle);
    }
}

static tc_body3 body_of(const native_spatial_body *body)
{
    const double *const I = body->inertia;
    const tc_body3 to = {(tc_real)body->mass, {(tc_real)I[0], (tc_real)I[1], (tc_real)I[2]}};
    return to;
}

/* Shape, floor, gravity and sweeps, after tc_foot3_init or tc_foot3_open. */
static tc_status furnish(native_spatial *handle, const native_spatial_body *body)
{
    tc_foot3 *const spatial = &handle->spatial;
    const tc_status status =
        native_take_vertices(body->vertices, body->count, 3, handle->vertices, handle->shape);
    if (status < TC_OK) {
        return status;
    }
    spatial->shape.vertices = handle->shape;
    spatial->shape.count = body->count;
    spatial->shape.radius = (tc_real)body->radius;
    spatial->restitution =
        body->restitution >= 0 ? (tc_real)body->restitution : spatial->restitution;
    spatial->positions = body->positions >= 0 ? (tc_scheme)body->positions : spatial->positions;
    if (body->rounds > 0u) {
        spatial->sweeps.rounds = body->rounds;
        spatial->sweeps.frozen = body->frozen;
    }
    handle->warm = body->warm;
    handle->gravity = body->gravity;
    handle->force[2] = (tc_real)(-body->mass * body->gravity);
    handle->work_len = TC_FOOT3_WORK((size_t)spatial->model.work_len);
    handle->work = calloc(handle->work_len, sizeof *handle->work);
    return handle->work != NULL ? tc_foot3_check(spatial) : TC_ERR_WORK;
}

static native_spatial *finished(native_spatial *handle, const native_spatial_body *body,
                                tc_status status, int32_t *result)
{
    if (status >= TC_OK) {
        status = furnish(handle, body);
    }
    *result = (int32_t)status;
    if (status >= TC_OK) {
        return handle;
    }
    native_spatial_free(handle);
    return NULL;
}

native_spatial *native_spatial_open(const native_spatial_body *body, const void *blob,
                                    size_t blob_size, int32_t *status, uint32_t *fault)
{
    native_spatial *const handle = calloc(1, sizeof *handle);
    const tc_body3 of = body_of(body);
    tc_status opened = TC_ERR_WORK;
    if (handle != NULL) {
        handle->blob = malloc(blob_size + 1u);
    }
    if (handle != NULL && handle->blob != NULL) {
        memcpy(handle->blob, blob, blob_size);
        opened = native_open_model(&handle->model, handle->blob, blob_size, fault);
    }
    if (opened >= TC_OK) {
        opened = tc_foot3_open(&handle->spatial, &handle->nets, &handle->model, &of,
                               (tc_real)body->step);
    }
    return finished(handle, body, opened, status);
}

native_spatial *native_spatial_open_coulomb(const native_spatial_body *body, double mu,
                                            int32_t *status)
{
    native_spatial *const handle = calloc(1, sizeof *handle);
    const tc_body3 of = body_of(body);
    tc_status opened = TC_ERR_WORK;
    if (handle != NULL) {
        handle->mu = mu;
        const tc_learned3_model law = {coulomb_observe, coulomb_classify, coulomb_ratio,
                                       &handle->mu, 0};
        opened = tc_foot3_init(&handle->spatial, &of, (tc_real)body->step, &law);
    }
    return finished(handle, body, opened, status);
}

tc_foot3 native_spatial_settings(const native_spatial *handle, double *gravity)
{
    *gravity = handle->gravity;
    return handle->spatial;
}

/* ---- States ---------------------------------------------------------------------------------- */

static tc_body3_state state_of(const double *from)
{
    tc_body3_state to;
    for (uint32_t k = 0; k < 3u; k++) {
        to.position[k] = (tc_real)from[k];
    }
    for (uint32_t k = 0; k < 4u; k++) {
        to.orientation[k] = (tc_real)from[3u + k];
    }
    for (uint32_t k = 0; k < 6u; k++) {
        to.velocity[k] = (tc_real)from[7u + k];
    }
    return to;
}

static void state_back(const tc_body3_state *from, double *to)
{
    for (uint32_t k = 0; k < 3u; k++) {
        to[k] = (double)from->position[k];
    }
    for (uint32_t k = 0; k < 4u; k++) {
        to[3u + k] = (double)from->orientation[k];
    }
    for (uint32_t k = 0; k < 6u; k++) {
        to[7u + k] = (double)from->velocity[k];
    }
}

/* ---- Single solves --------------------------------------------------------------------------- */

/* Velocity and impulse back in world axes */
static tc_status tell(const tc_patch3 *patch, tc_real mass, tc_learned3_result *result,
                      native_spatial_row *row)
{
    tc_real impulse[6];
    row->class_ = (int32_t)result->branch;
    row->flags = result->flags;
    row->ratios = result->ratios;
    row->classes = result->classes;
    for (uint32_t k = 0; k < 3u; k++) {
        row->probability[k] = (double)result->probability[k];
        for (uint32_t j = 0; j < 3u; j++) {
            row->velocity[k] += (double)(patch->frame[j][k] * result->velocity[j]);
            row->velocity[3u + k] += (double)(patch->frame[j][k] * result->velocity[3u + j]);
        }
    }
    const tc_status status = tc_patch3_impulse(patch, result->normal, result->friction, impulse);
    for (uint32_t k = 0; k < 6u; k++) {
        row->impulse[k] = (double)(mass * impulse[k]);
    }
    return status;
}

static tc_status solve(native_spatial *handle, const tc_body3_state *state, native_spatial_row *row)
{
    const tc_foot3 *const spatial = &handle->spatial;
    tc_patch3 patch;
    tc_learned3_problem problem;
    tc_learned3_result result;
    tc_status status = tc_detect3(&spatial->shape, state, &spatial->plane, (tc_real)TOUCH, &patch);
    row->count = patch.count;
    row->class_ = TC_LEARNED_NONE;
    if (status < TC_OK || patch.count == 0u) {
        return status;
    }
    status = tc_learned3_problem_init(&problem, &patch, &spatial->body, state, NULL);
    if (status >= TC_OK) {
        status = tc_learned3_solve(&spatial->model, &spatial->sweeps, &problem, NULL, &result,
                                   handle->work, handle->work_len);
    }
    const tc_status told = status < TC_OK ? status : tell(&patch, spatial->body.mass, &result, row);
    return told < TC_OK ? told : status;
}

int32_t native_spatial_solve(native_spatial *handle, const double *states, uint32_t n,
                             native_spatial_row *rows)
{
    int32_t failed = 0;
    memset(rows, 0, n * sizeof *rows);
    for (uint32_t i = 0; i < n; i++) {
        const tc_body3_state state = state_of(states + (size_t)i * NATIVE_SPATIAL_STATE);
        rows[i].status = (int32_t)solve(handle, &state, &rows[i]);
        failed += rows[i].status < 0;
    }
    return failed;
}

/* ---- Throws ---------------------------------------------------------------------------------- */

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Row k of the rotation to world axes */
static void rotation_row(const double *state, uint32_t k, double row[3])
{
    const double w = state[3], *const a = state + 4;
    for (uint32_t j = 0; j < 3u; j++) {
        row[j] = 2 * a[k] * a[j] + (k == j ? 2 * w * w - 1 : 0);
    }
    row[(k + 1u) % 3u] -= 2 * w * a[(k + 2u) % 3u];
    row[(k + 2u) % 3u] += 2 * w * a[(k + 1u) % 3u];
}

/* Energy with the floor as its zero [J] */
static double energy_of(const native_spatial *handle, const double *state)
{
    const tc_body3 *const body = &handle->spatial.body;
    double spin[3] = {0, 0, 0}, row[3];
    for (uint32_t k = 0; k < 3u; k++) {
        rotation_row(state, k, row);
        for (uint32_t j = 0; j < 3u; j++) {
            spin[j] += row[j] * state[10u + k];
        }
    }
    double energy = 0.5 * (double)body->mass * dot3(state + 7, state + 7);
    for (uint32_t j = 0; j < 3u; j++) {
        energy += 0.5 * (double)body->inertia[j] * spin[j] * spin[j];
    }
    return energy + (double)body->mass * handle->gravity * state[2];
}

static double depth_of(const native_spatial *handle, const double *state)
{
    double row[3], lowest = HUGE_VAL;
    rotation_row(state, 2, row);
    for (uint32_t i = 0; i < handle->spatial.shape.count; i++) {
        lowest = fmin(lowest, dot3(row, handle->vertices + 3u * i));
    }
    return fmax(0, (double)handle->spatial.shape.radius - lowest - state[2]);
}

static void see(const native_spatial *handle, const double *before, const double *after,
                const tc_foot3_info *info, native_spatial_throw_result *result)
{
    const uint32_t asked = info->contact.ratios + info->contact.classes;
    for (uint32_t k = 0; k < NATIVE_FLAGS; k++) {
        result->notes[k] += info->contact.flags >> k & 1u;
    }
    result->asked += asked;
    result->most = asked > result->most ? asked : result->most;
    result->deepest = fmax(result->deepest, depth_of(handle, after));
    if (info->count > 0u) {
        result->gain = fmax(result->gain, energy_of(handle, after) - energy_of(handle, before));
    }
}

static int still(const double *state)
{
    return sqrt(dot3(state + 7, state + 7)) < REST_SPEED
           && sqrt(dot3(state + 10, state + 10)) < REST_SPIN;
}

int32_t native_spatial_throw(native_spatial *handle, double *state,
                             native_spatial_throw_result *result, double *trajectory, uint32_t rows)
{
    tc_body3_state at = state_of(state);
    tc_learned3_warm warm;
    tc_foot3_info info;
    tc_status status = TC_OK;
    uint32_t step = 0, resting = 0;
    memset(result, 0, sizeof *result);
    memset(&warm, 0, sizeof warm);
    for (;; step++) {
        double before[NATIVE_SPATIAL_STATE];
        memcpy(before, state, sizeof before);
        if (trajectory != NULL && step < rows) {
            memcpy(trajectory + (size_t)step * NATIVE_SPATIAL_STATE, before, sizeof before);
        }
        if (step == NATIVE_SPATIAL_STEPS_MOST || resting == REST_STEPS) {
            break;
        }
        status = tc_foot3_step(&handle->spatial, handle->force, &at, handle->warm ? &warm : NULL,
                               &info, handle->work, handle->work_len);
        if (status < TC_OK) {
            break;
        }
        state_back(&at, state);
        see(handle, before, state, &info, result);
        resting = still(state) ? resting + 1u : 0u;
    }
    result->status = (int32_t)status;
    result->steps = (int32_t)step;
    result->at_rest = resting == REST_STEPS;
    return result->status;
}
