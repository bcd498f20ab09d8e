/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * tc_cdl_step under the hunt: the bench's systems (tests/bench/bench_cdl.c) with any masses,
 * forces, positions, velocities and restitution. size: kind of system; bodies. The changes told are
 * the contacts that acted.
 */
#include "hunt.h"

#include <string.h>

enum { BALL, CRADLE, ROW, HEAP, NETS };

#define BODIES 8u
#define UNITS 32u

static tc_cdl cdl;
static tc_cdl_config config;
static tc_cdl_contact contacts[BODIES];
static tc_real mass[BODIES], force[BODIES], Q[BODIES], V[BODIES];
static tc_real room[TC_CDL_STATE(BODIES, 1u, BODIES)],
    work[TC_CDL_SIMULTANEOUS_WORK(BODIES, 1u, BODIES, 0)];
static tc_net potential, contact;

_Static_assert(TC_CDL_LCP_WORK >= TC_CDL_NETS_WORK(UNITS), "work of the nets");

/* A net with one hidden layer. The last layer of a law lies in rows, hunt_net's in tiles of
 * eight. */
static void make_net(uint32_t index, uint16_t n_in, const tc_real **numbers, tc_net *net)
{
    const uint16_t dims[3] = {n_in, UNITS, 1};
    hunt_net(index, dims, 2, TC_NET_SOFTPLUS, numbers, net);
    float *const weights = (float *)net->layers[1].weights;
    for (uint32_t u = 0; u < UNITS; u++) {
        weights[u] = weights[8u * u];
    }
    net->layers[1].tile_rows = 1;
}

/* Each body and the next, a ball and the floor. */
static void make_contacts(uint32_t bodies)
{
    config.contacts = bodies > 1u ? bodies - 1u : 1u;
    for (uint32_t c = 0; c < config.contacts; c++) {
        contacts[c].body = (uint16_t)c;
        contacts[c].other = bodies > 1u ? (uint16_t)(c + 1u) : TC_CDL_WALL;
        contacts[c].normal[0] = TC_C(1.0);
    }
}

static void make_laws(uint32_t kind, const tc_real **numbers)
{
    if (kind == CRADLE) {
        config.potential = tc_cdl_laws_pendulums(force);
        config.project = 1;
    } else if (kind == NETS) {
        make_net(0, 2, numbers, &potential);
        make_net(1, 4, numbers, &contact);
        (void)tc_cdl_nets_potential(&config.potential, &potential, 2);
        (void)tc_cdl_nets_signal(&config.signal, &contact, 2, 1);
    } else {
        config.weight = force;
        config.resolver = kind == HEAP ? &tc_cdl_simultaneous : NULL;
    }
}

static void make_system(const hunt_file *file, const tc_real **numbers)
{
    const uint32_t bodies = file->size[1];
    config = tc_cdl_default();
    memset(contacts, 0, sizeof contacts);
    config.bodies = bodies;
    config.dimension = 1;
    config.step = TC_C(0.01);
    config.mass = mass;
    config.contact = contacts;
    config.restitution = hunt_between(numbers, TC_C(0.0), TC_C(1.0));
    const tc_real rest = hunt_signed(numbers, TC_C(1.0));
    config.rest_speed = rest > TC_C(0.0) ? rest : TC_C(0.0);
    for (uint32_t k = 0; k < bodies; k++) {
        mass[k] = hunt_between(numbers, TC_C(0.001), TC_C(10.0));
        force[k] = hunt_signed(numbers, TC_C(1e3));
        Q[k] = hunt_signed(numbers, TC_C(1e2));
        V[k] = hunt_signed(numbers, TC_C(1e2));
    }
    make_contacts(bodies);
    make_laws(file->size[0], numbers);
    (void)tc_cdl_init(&cdl, &config, room, TC_COUNT(room));
}

hunt_result hunt_cdl(const hunt_file *file, const uint32_t *input)
{
    const tc_real *numbers = (const tc_real *)input;
    tc_cdl_info info;
    tc_status status;
    make_system(file, &numbers);
    HUNT_REGION(status = tc_cdl_step(&cdl, NULL, Q, V, &info, work, TC_COUNT(work)));
    return (hunt_result){status, info.acting};
}
