/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contacts of two moving bodies (tc_pair3.h) for Python (tools/tinycontact/spatial/pair.py): many
 * pairs in one call. Host only. The contact model is that of a handle of spatial.h. Its body is
 * that of the model's training; the bodies of a pair may have any mass and size, because the model
 * reads ratios and directions.
 */
#ifndef NATIVE_PAIR_H
#define NATIVE_PAIR_H

#include "spatial.h"

#include "tc_meet_contact.h"
#include "tc_pair3.h"

TC_BEGIN

#define NATIVE_PAIR_CONTACTS 8u

/* Two bodies that touch. The plane of the contacts is b's; body a is the one that the model is
 * asked about. */
typedef struct native_pair_case {
    double mass[2], inertia[2][3]; /* of a, then b [kg], [kg m^2] */
    double state[2][NATIVE_SPATIAL_STATE];
    double frame[3][3];                    /* tangents 1 and 2, normal out of b into a */
    double height;                         /* of a's centre of mass above the plane [m] */
    double point[NATIVE_PAIR_CONTACTS][3]; /* along tangents 1 and 2 from a's centre of mass,
                                             * gap [m] */
    double margin;                         /* points with a smaller gap are contacts [m] */
    uint32_t count;                        /* points */
    uint32_t unused;
} native_pair_case;

/* Two boxes, and the contacts that the library finds between them (tc_meet_contacts). */
typedef struct native_pair_boxes {
    double half[2][3];                     /* half edges of a, then b [m] */
    double rotation[2][9], position[2][3]; /* body axes to world axes [1], [m] */
    double margin;                         /* contacts have a smaller gap [m] */
    double point[NATIVE_PAIR_CONTACTS][3]; /* found: halfway between both surfaces [m] */
    double normal[3];                      /* found: out of b into a */
    double gap[NATIVE_PAIR_CONTACTS];      /* found [m] */
    int32_t status;                        /* found: tc_status */
    uint32_t count;                        /* found: contacts of the deepest plane */
} native_pair_boxes;

void native_pair_contacts(native_pair_boxes *boxes, uint32_t n);

/* What a solve found. */
typedef struct native_pair_row {
    double rates[TC_PAIR3_RATES];                 /* v and omega of a, then b, afterwards */
    double normal[NATIVE_PAIR_CONTACTS];          /* impulses [N s] */
    double impulse[6];                            /* on a, about its centre of mass, world axes */
    int32_t status, class_;                       /* tc_status, tc_learned_class */
    uint32_t count, vertex[NATIVE_PAIR_CONTACTS]; /* contacts, and the points that they are */
    uint32_t flags, ratios, classes, consistent;
    uint32_t unused;
} native_pair_row;

/* Solves the n pairs, each from no impulse. Returns the number of rows that failed. */
int32_t native_pair_solve(native_spatial *handle, const native_pair_case *pairs, uint32_t n,
                          native_pair_row *rows);

TC_END

#endif
