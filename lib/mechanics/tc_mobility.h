/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What an impulse at a contact of a patch moves: a body, a limb, a pair of bodies. Not for users.
 *
 * A patch has contacts on parallel planes and one twist: the relative velocity of its two sides,
 * linear at a point that the mover chooses, then angular. A solver knows the twist, the arms and
 * this table; it knows neither masses nor joints. With M the mover's mass matrix, A its rates to
 * the twist and R_i the rows of contact i, an impulse p_i changes the twist by A M^-1 A^T R_i^T
 * p_i.
 *
 * Two movers exist in space: a free body (tc_learned3_body.c) and a mechanism in whitened
 * coordinates (tc_limb3_patch.c); limbs and pairs of bodies (tc_pair3.h) are makers of such
 * mechanisms. A patch in the plane has three effective rates at most and needs no table: there the
 * contact space W (tc_learned2.h) is the mobility.
 *
 * How a contact model's answer becomes an impulse is not the mover's: see learned3_rule in
 * tc_learned3_core.h. Solvers call the table for a set of normals, a stop, and each contact that
 * starts warm. In a sweep they don't: a rule's sweep is written for its mover, and is called once
 * for all contacts.
 */
#ifndef TC_MOBILITY_H
#define TC_MOBILITY_H

#include "tc_config.h"

#include <stdint.h>

/* Friction of a patch: forces along the two tangents, and the torque about the normal through the
 * point of the twist. Impulses are per unit mass of the mover's choice. Every function takes the
 * mover. */
typedef struct tc_mobility {
    /* Adds to the twist what the impulse d[3] at contact i changes: where a solve begins. */
    void (*apply)(void *mover, uint32_t i, const tc_real d[3]);
    /* Writes J[count x 3] with J J^T the normals' block of the contact matrix. */
    void (*rows)(void *mover, tc_real *J);
    /* Starts from the twist before contact with this friction: q[count] receives the contacts'
     * velocities along the normal, offsets included. */
    void (*push)(void *mover, const tc_real friction[3], tc_real *q);
    /* After push: the twist with that friction and normal[count]. */
    void (*lift)(void *mover, const tc_real *normal);
    /* After lift: the change of kinetic energy by that friction and normal[count]. *size: the size
     * of its terms. */
    tc_real (*work)(const void *mover, const tc_real friction[3], const tc_real *normal,
                    tc_real *size);
    /* Friction that goes with the stop of the patch. `again` counts the tries; those after the
     * first start from the twist that the last one led to. Returns 0, and leaves friction as it is,
     * if there is no further try. */
    int (*stop)(void *mover, uint32_t again, tc_real friction[3]);
} tc_mobility;

#endif
