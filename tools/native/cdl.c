/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Roll-outs of native_cdl.
 */
#include "cdl.h"

#include "tc_cdl_laws.h"
#include "tc_cdl_nets.h"

#include <stdlib.h>
#include <string.h>

#define K TC_CDL_BODIES_MAX
#define C TC_CDL_CONTACTS_MAX

/* A system and its memory. */
typedef struct rig {
    tc_cdl cdl;
    tc_cdl_config config;
    tc_cdl_contact contact[C];
    tc_real mass[K], damping[K], weight[K], torque[K], Q[K], V[K];
    tc_real room[TC_CDL_STATE(K, 1u, C)], work[TC_CDL_SIMULTANEOUS_WORK(K, 1u, C, 0)];
} rig;

static void take(const double *from, uint32_t n, tc_real *to)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = (tc_real)from[i];
    }
}

static void give(const tc_real *from, uint32_t n, double *to)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = (double)from[i];
    }
}

static tc_status build(rig *r, const native_cdl *system, uint32_t *fault)
{
    const uint32_t n = system->bodies;
    if (n > K || system->contacts > C) {
        return TC_ERR_SIZE;
    }
    take(system->mass, n, r->mass);
    take(system->damping, n, r->damping);
    take(system->weight, n, r->weight);
    for (uint32_t c = 0; c < system->contacts; c++) {
        const int32_t *const pair = system->pairs + 2u * c;
        r->contact[c].body = (uint16_t)pair[0];
        r->contact[c].other = pair[1] < 0 ? TC_CDL_WALL : (uint16_t)pair[1];
        r->contact[c].normal[0] = TC_C(1.0);
    }
    r->config = tc_cdl_default();
    r->config.bodies = n;
    r->config.dimension = 1;
    r->config.contacts = system->contacts;
    r->config.step = (tc_real)system->step;
    r->config.restitution = (tc_real)system->restitution;
    r->config.rest_speed = (tc_real)system->rest_speed;
    r->config.project = system->project;
    r->config.mass = r->mass;
    r->config.damping = r->damping;
    r->config.weight = r->weight;
    r->config.contact = r->contact;
    r->config.resolver = system->simultaneous ? &tc_cdl_simultaneous : NULL;
    if (system->torque != NULL) {
        take(system->torque, n, r->torque);
        r->config.potential = tc_cdl_laws_pendulums(r->torque);
    }
    const tc_status status = tc_cdl_init(&r->cdl, &r->config, r->room, TC_COUNT(r->room));
    *fault = r->cdl.fault;
    return status;
}

/* A system on its way, whoever owns it. */
typedef struct roll {
    const tc_cdl *cdl;
    tc_real *Q, *V, *work;
    double *Q_rows, *V_rows, *energy; /* energy may be null */
    int32_t *contact;
} roll;

static tc_status write_row(const roll *r, uint32_t row, uint32_t acting)
{
    const uint32_t n = r->cdl->coordinates;
    tc_real energy = TC_C(0.0);
    tc_status status = TC_OK;
    give(r->Q, n, r->Q_rows + (size_t)row * n);
    give(r->V, n, r->V_rows + (size_t)row * n);
    r->contact[row] = (int32_t)acting;
    if (r->energy != NULL) {
        status = tc_cdl_energy(r->cdl, r->Q, r->V, &energy, r->work, r->cdl->work_len);
        r->energy[row] = (double)energy;
    }
    return status;
}

static void count_note(native_cdl_result *result, uint32_t step, tc_status status)
{
    if (status > TC_OK && result->notes++ == 0u) {
        result->note = (int32_t)status;
        result->noted = step;
    }
}

static tc_status run(const roll *r, uint32_t steps, native_cdl_result *result)
{
    tc_cdl_info info;
    take(r->Q_rows, r->cdl->coordinates, r->Q);
    take(r->V_rows, r->cdl->coordinates, r->V);
    tc_status status = write_row(r, 0, 0);
    for (uint32_t i = 1; i <= steps && status >= TC_OK; i++) {
        status = tc_cdl_step(r->cdl, NULL, r->Q, r->V, &info, r->work, r->cdl->work_len);
        result->body = info.body;
        count_note(result, i, status);
        if (status >= TC_OK) {
            status = write_row(r, i, info.acting);
            result->done = i;
        }
    }
    return status;
}

int32_t native_cdl_run(const native_cdl *system, uint32_t steps, double *Q, double *V,
                       int32_t *contact, native_cdl_result *result)
{
    rig *const r = calloc(1, sizeof *r);
    const native_cdl_result none = {0, 0, 0, 0, 0, 0};
    *result = none;
    tc_status status = r == NULL ? TC_ERR_WORK : build(r, system, &result->body);
    if (status >= TC_OK) {
        const roll one = {&r->cdl, r->Q, r->V, r->work, Q, V, NULL, contact};
        status = run(&one, steps, result);
    }
    free(r);
    result->status = (int32_t)status;
    return result->status;
}

/* A learned system and its memory. */
typedef struct learned {
    tc_model model;
    tc_cdl_nets nets;
    tc_cdl cdl;
    tc_real Q[3u * TC_CDL_RECORD_BODIES], V[3u * TC_CDL_RECORD_BODIES];
    tc_real room[TC_CDL_STATE(TC_CDL_RECORD_BODIES, 3u, TC_CDL_RECORD_CONTACTS)];
    tc_real work[TC_CDL_WORK(TC_CDL_RECORD_BODIES, 3u, TC_CDL_RECORD_CONTACTS,
                             TC_CDL_NETS_WORK(TC_NET_WIDTH_MAX))];
} learned;

int32_t native_cdl_learned(const void *blob, size_t blob_size, double step, uint32_t coordinates,
                           uint32_t steps, double *Q, double *V, int32_t *contact, double *energy,
                           native_cdl_result *result)
{
    learned *const r = calloc(1, sizeof *r);
    void *const held = malloc(blob_size + 1u); /* aligned as the reader wants it */
    const native_cdl_result none = {0, 0, 0, 0, 0, 0};
    tc_status status = r == NULL || held == NULL ? TC_ERR_WORK : TC_OK;
    *result = none;
    if (status >= TC_OK) {
        memcpy(held, blob, blob_size);
        status = tc_model_open(&r->model, held, blob_size);
    }
    if (status >= TC_OK) {
        status = tc_cdl_nets_open(&r->cdl, &r->nets, &r->model, (tc_real)step, r->room,
                                  TC_COUNT(r->room));
    }
    if (status >= TC_OK && r->cdl.coordinates != coordinates) {
        status = TC_ERR_SIZE;
    }
    if (status >= TC_OK) {
        const roll one = {&r->cdl, r->Q, r->V, r->work, Q, V, energy, contact};
        status = run(&one, steps, result);
    }
    free(held);
    free(r);
    result->status = (int32_t)status;
    return result->status;
}
