/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * CD-Lagrange systems of the remote firmware: taken from a request or from a model file, and rolled
 * out.
 */
#ifndef SYSTEM_H
#define SYSTEM_H

#include "tinycontact.h"

/* on a line; of a model file TC_CDL_RECORD_BODIES, 1 to 3 dimensions */
#define SYSTEM_BODIES TC_CDL_BODIES_MAX
#define SYSTEM_CONTACTS TC_CDL_CONTACTS_MAX

/* A system and its memory. Nothing of it moves while the system is in use. */
typedef struct system_room {
    tc_cdl cdl;
    tc_cdl_config config;
    int learned;
    union {
        struct {
            tc_cdl_contact contact[SYSTEM_CONTACTS];
            tc_real mass[SYSTEM_BODIES], damping[SYSTEM_BODIES], weight[SYSTEM_BODIES],
                torque[SYSTEM_BODIES];
        } given;
        tc_cdl_nets nets;
    } of;
    tc_real Q[SYSTEM_BODIES], V[SYSTEM_BODIES];
    tc_real room[TC_CDL_STATE(TC_CDL_RECORD_BODIES, 3u, TC_CDL_RECORD_CONTACTS)];
    tc_real work[TC_CDL_WORK(TC_CDL_RECORD_BODIES, 3u, TC_CDL_RECORD_CONTACTS,
                             TC_CDL_NETS_WORK(TC_NET_WIDTH_MAX))];
} system_room;

/* The system that `n` words of a request describe (remote.c has them). TC_ERR_SIZE if they are too
 * few or too many, else as tc_cdl_init. */
tc_status system_take(system_room *s, const uint32_t *words, uint32_t n);

/* The system of an open model. */
tc_status system_open(system_room *s, const tc_model *model, tc_real step);

#endif
