/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Handles of native.h: a body, its law and their memory in one piece. The heap is the host's; the
 * library sees caller-owned memory as everywhere.
 */
#include "handle.h"

#include <stdlib.h>
#include <string.h>

tc_body2_state native_state(const double state[6])
{
    tc_body2_state to;
    for (uint32_t i = 0; i < 3u; i++) {
        to.position[i] = (tc_real)state[i];
        to.velocity[i] = (tc_real)state[3u + i];
    }
    return to;
}

void native_state_back(const tc_body2_state *from, double state[6])
{
    for (uint32_t i = 0; i < 3u; i++) {
        state[i] = (double)from->position[i];
        state[3u + i] = (double)from->velocity[i];
    }
}

void native_free(native *handle)
{
    if (handle != NULL) {
        free(handle->blob);
        free(handle->work);
        free(handle);
    }
}

static tc_body2 body_of(const native_body *body)
{
    const tc_body2 to = {(tc_real)body->mass, (tc_real)body->inertia};
    return to;
}

tc_status native_take_vertices(const double *vertices, uint32_t count, uint32_t dimension,
                               double *given, tc_real *taken)
{
    if (vertices == NULL) {
        return TC_ERR_NULL;
    }
    if (count == 0u || count > TC_SHAPE_MAX) {
        return TC_ERR_SIZE;
    }
    for (uint32_t i = 0; i < dimension * count; i++) {
        given[i] = vertices[i];
        taken[i] = (tc_real)vertices[i];
    }
    return TC_OK;
}

/* Shape, floor and gravity, after tc_foot2_init or tc_foot2_open. */
static tc_status furnish(native *handle, const native_body *body)
{
    tc_foot2 *const dacm = &handle->dacm;
    const tc_status status =
        native_take_vertices(body->vertices, body->count, 2, handle->vertices, handle->shape);
    if (status < TC_OK) {
        return status;
    }
    dacm->shape.vertices = handle->shape;
    dacm->shape.count = body->count;
    dacm->shape.radius = (tc_real)body->radius;
    dacm->restitution = body->restitution >= 0 ? (tc_real)body->restitution : dacm->restitution;
    dacm->positions = body->positions >= 0 ? (tc_scheme)body->positions : dacm->positions;
    handle->gravity = body->gravity;
    handle->force[1] = (tc_real)(-body->mass * body->gravity);
    return tc_foot2_check(dacm);
}

static tc_status provide_work(native *handle)
{
    handle->work_len = handle->dacm.model.work_len;
    handle->work = calloc(handle->work_len + 1u, sizeof *handle->work);
    return handle->work != NULL ? TC_OK : TC_ERR_WORK;
}

static native *finished(native *handle, const native_body *body, tc_status status, int32_t *result)
{
    if (status >= TC_OK) {
        status = furnish(handle, body);
    }
    if (status >= TC_OK) {
        status = provide_work(handle);
    }
    *result = (int32_t)status;
    if (status >= TC_OK) {
        return handle;
    }
    native_free(handle);
    return NULL;
}

tc_status native_open_model(tc_model *model, const void *blob, size_t blob_size, uint32_t *fault)
{
    tc_learned_record record;
    tc_status status = tc_model_open(model, blob, blob_size);
    uint32_t offset = model->fault_offset;
    if (status == TC_OK) {
        status = tc_learned_record_read(model, &record, &offset);
    }
    if (fault != NULL) {
        *fault = offset;
    }
    return status;
}

native *native_open(const native_body *body, const void *blob, size_t blob_size, int32_t *status,
                    uint32_t *fault)
{
    native *const handle = calloc(1, sizeof *handle);
    const tc_body2 planar = body_of(body);
    tc_status opened = TC_ERR_WORK;
    if (handle != NULL) {
        handle->blob = malloc(blob_size + 1u);
    }
    if (handle != NULL && handle->blob != NULL) {
        memcpy(handle->blob, blob, blob_size);
        opened = native_open_model(&handle->model, handle->blob, blob_size, fault);
    }
    if (opened >= TC_OK) {
        opened = tc_foot2_open(&handle->dacm, &handle->nets, &handle->model, &planar,
                               (tc_real)body->step);
    }
    return finished(handle, body, opened, status);
}

native *native_open_coulomb(const native_body *body, double mu_right, double mu_left,
                            int32_t *status)
{
    native *const handle = calloc(1, sizeof *handle);
    const tc_body2 planar = body_of(body);
    tc_status opened = TC_ERR_WORK;
    if (handle != NULL) {
        handle->friction.mu[0] = mu_right;
        handle->friction.mu[1] = mu_left;
        const tc_learned2_model law = coulomb_law(&handle->friction);
        opened = tc_foot2_init(&handle->dacm, &planar, (tc_real)body->step, &law);
    }
    return finished(handle, body, opened, status);
}
