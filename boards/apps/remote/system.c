/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange systems of the remote firmware.
 */
#include "system.h"

#include "frame.h"

#include <string.h>

_Static_assert(TC_COUNT(((system_room *)0)->room)
                   >= TC_CDL_STATE(SYSTEM_BODIES, 1u, SYSTEM_CONTACTS),
               "room of a line");
_Static_assert(TC_COUNT(((system_room *)0)->work)
                   >= TC_CDL_SIMULTANEOUS_WORK(SYSTEM_BODIES, 1u, SYSTEM_CONTACTS, 0),
               "work of a line");
_Static_assert(SYSTEM_BODIES >= 3u * TC_CDL_RECORD_BODIES, "coordinates of a learned system");

enum { STEP, RESTITUTION, REST_SPEED, BODIES, CONTACTS, PROJECT, SIMULTANEOUS, PENDULUMS, HEAD };

tc_status system_take(system_room *s, const uint32_t *words, uint32_t n)
{
    memset(s, 0, sizeof *s);
    if (n < HEAD || words[BODIES] > SYSTEM_BODIES || words[CONTACTS] > SYSTEM_CONTACTS
        || n != HEAD + 4u * words[BODIES] + words[CONTACTS]) {
        return TC_ERR_SIZE;
    }
    const uint32_t bodies = words[BODIES], contacts = words[CONTACTS];
    const uint32_t *next = frame_numbers(words + HEAD, s->of.given.mass, bodies);
    next = frame_numbers(next, s->of.given.damping, bodies);
    next = frame_numbers(next, s->of.given.weight, bodies);
    next = frame_numbers(next, s->of.given.torque, bodies);
    for (uint32_t c = 0; c < contacts; c++) {
        tc_cdl_contact *const contact = &s->of.given.contact[c];
        contact->body = (uint16_t)next[c];
        contact->other = (uint16_t)(next[c] >> 16);
        contact->normal[0] = TC_C(1.0);
    }
    s->config = tc_cdl_default();
    s->config.bodies = bodies;
    s->config.dimension = 1;
    s->config.contacts = contacts;
    s->config.step = frame_number(words[STEP]);
    s->config.restitution = frame_number(words[RESTITUTION]);
    s->config.rest_speed = frame_number(words[REST_SPEED]);
    s->config.project = words[PROJECT] != 0u;
    s->config.mass = s->of.given.mass;
    s->config.damping = s->of.given.damping;
    s->config.weight = s->of.given.weight;
    s->config.contact = s->of.given.contact;
    s->config.resolver = words[SIMULTANEOUS] != 0u ? &tc_cdl_simultaneous : NULL;
    if (words[PENDULUMS] != 0u) {
        s->config.potential = tc_cdl_laws_pendulums(s->of.given.torque);
    }
    return tc_cdl_init(&s->cdl, &s->config, s->room, TC_COUNT(s->room));
}

tc_status system_open(system_room *s, const tc_model *model, tc_real step)
{
    memset(s, 0, sizeof *s);
    s->learned = 1;
    return tc_cdl_nets_open(&s->cdl, &s->of.nets, model, step, s->room, TC_COUNT(s->room));
}
