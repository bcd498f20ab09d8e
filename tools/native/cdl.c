/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Roll-outs of native_cdl.
 */
#include "cdl.h"

#include "tc_cdl_laws.h"

#include <stdlib.h>

#define K TC_CDL_BODIES_MAX
#define C TC_CDL_CONTACTS_MAX

/* A system and its memory. */
typedef struct rig {
    tc_cdl cdl;
    tc_cdl_config config;
    tc_cdl_contact contact[C];
    tc_real mass[K], damping[K], weight[K], torque[K], Q[K], V[K];
    tc_real room[TC_CDL_ROOM(K, 1u, C)], work[TC_CDL_WORK(K, 1u, C, TC_CDL_LCP_WORK)];
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
        r->config.potential = tc_cdl_pendulums(r->torque);
    }
    const tc_status status = tc_cdl_init(&r->cdl, &r->config, r->room, TC_COUNT(r->room));
    *fault = r->cdl.fault;
    return status;
}

static tc_status roll(rig *r, uint32_t steps, double *Q, double *V, int32_t *contact, native_cdl_result *result)
{
    const uint32_t n = r->config.bodies;
    tc_cdl_info info;
    tc_status status = TC_OK;
    take(Q, n, r->Q);
    take(V, n, r->V);
    give(r->Q, n, Q);
    give(r->V, n, V);
    contact[0] = 0;
    for (uint32_t i = 1; i <= steps; i++) {
        status = tc_cdl_step(&r->cdl, NULL, r->Q, r->V, &info, r->work, TC_COUNT(r->work));
        result->body = info.body;
        if (status < TC_OK) {
            break;
        }
        give(r->Q, n, Q + (size_t)i * n);
        give(r->V, n, V + (size_t)i * n);
        contact[i] = (int32_t)info.acting;
        result->steps = i;
    }
    return status;
}

int32_t native_cdl_run(const native_cdl *system, uint32_t steps, double *Q, double *V, int32_t *contact,
                       native_cdl_result *result)
{
    rig *const r = calloc(1, sizeof *r);
    const native_cdl_result none = {0, 0, 0, 0};
    *result = none;
    tc_status status = r == NULL ? TC_ERR_WORK : build(r, system, &result->body);
    if (status >= TC_OK) {
        status = roll(r, steps, Q, V, contact, result);
    }
    free(r);
    result->status = (int32_t)status;
    return result->status;
}
