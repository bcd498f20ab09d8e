/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The position schemes: one text for every mover, a body or a limb, in the plane or in space. Not
 * for users.
 *
 * A mover is a struct of its own behind a pointer to void, and a constant table of functions. The
 * text is always inlined into the mover's step: the compiler sees the table and calls its functions
 * directly.
 *
 *   DART  find, respond, push
 *   GAP   foresee, respond with the gaps, settle; where a vertex would end below the plane all the
 *         same, as TOC, through one touch
 *   TOC   share and touch, up to TCI_SCHEME_TOUCHES times; settle; where one more vertex would end
 *         below the plane, share and wait
 *
 * Waiting keeps energy (tc_foot3.c has the proof): the mover stops where that vertex touches, and
 * the force of the time that it waits is taken back. Lifting the vertex instead makes energy.
 */
#ifndef TC_SCHEME_INTERNAL_H
#define TC_SCHEME_INTERNAL_H

#include "tc_learned_core.h"
#include "tc_scheme.h"

/* DART corrects this share of a contact's depth in a step, as a velocity, which this bounds
 * [m/s]. */
#define TCI_SCHEME_SHARE TC_C(0.01)
#define TCI_SCHEME_SPEED TC_C(1e-3)
/* Vertices this near to the plane, or to the lowest vertex, touch together [m]. */
#define TCI_SCHEME_TOUCH TC_C(2e-5)
/* Less depth than this at the end of a step is rounding [m]. */
#define TCI_SCHEME_ROUNDING TC_C(1e-6)
/* A mover waits after this share of a step at the earliest: one that would end sooner is lifted,
 * else it could stand for ever. */
#define TCI_SCHEME_PASSED TC_C(0.0625)
/* Touches in a step of TOC, at most: a body that lands nearly flat has two. */
#define TCI_SCHEME_TOUCHES 2u

typedef struct tci_scheme_mover {
    /* The patch: vertices below the plane now; vertices below it after a step without contact. */
    void (*find)(void *mover);
    void (*foresee)(void *mover);
    /* Velocities after the patch's contact, if it has any; ahead: its gaps count as gap / h. */
    tc_status (*respond)(void *mover, int ahead);
    /* Moves by the step, and the contacts out by tci_scheme_push_speed. TC_NOTE_FALLBACK: not
     * out. */
    tc_status (*push)(void *mover);
    /* Moves by what is left of the step [s] and lifts what is below the plane then. Deeper than
     * rounding: *deep is 1 and nothing moves. Ahead, a limb is always lifted, and a body without
     * contacts. */
    tc_status (*settle)(void *mover, tc_real left, int ahead, int *deep);
    /* The share of `left` after which the first vertex touches, linear in time; 1: none does.
     * NULL, as touch and wait are: the mover has no TOC, and its settle is never deep. */
    tc_real (*share)(void *mover, tc_real left);
    /* Moves by that share of `left`, and through the touch there. */
    tc_status (*touch)(void *mover, tc_real left, tc_real share);
    /* Moves by that share of `left` and lifts, however deep. */
    void (*wait)(void *mover, tc_real left, tc_real share);
} tci_scheme_mover;

/* The speed at which DART lifts a contact with this gap, which is below 0, in a step of h [m/s] */
static inline tc_real tci_scheme_push_speed(tc_real gap, tc_real h)
{
    const tc_real speed = -gap * TCI_SCHEME_SHARE / h;
    return speed < TCI_SCHEME_SPEED ? speed : TCI_SCHEME_SPEED;
}

/* Finds the patch, responds, and moves on. *deep is 1: not moved, a vertex would end below the
 * plane. */
LEARNED_INLINE tc_status tci_scheme_at_once(const tci_scheme_mover *scheme, void *mover, int ahead,
                                            tc_real h, int *deep)
{
    *deep = 0;
    if (ahead) {
        scheme->foresee(mover);
    } else {
        scheme->find(mover);
    }
    const tc_status status = scheme->respond(mover, ahead);
    if (status < TC_OK) {
        return status;
    }
    const tc_status moved = ahead ? scheme->settle(mover, h, 1, deep) : scheme->push(mover);
    return moved == TC_OK ? status : moved;
}

/* The step of h through so many touches at most, and its end. Returns the first error; else the
 * note of settle; else the first note of a touch. */
LEARNED_INLINE tc_status tci_scheme_touch(const tci_scheme_mover *scheme, void *mover,
                                          uint32_t touches, tc_real h, tc_real *waited)
{
    tc_real left = h;
    tc_status status = TC_OK;
    for (uint32_t i = 0; i < touches && status >= TC_OK; i++) {
        const tc_real share = scheme->share(mover, left);
        if (share == TC_C(1.0)) {
            break;
        }
        const tc_status next = scheme->touch(mover, left, share);
        status = next < TC_OK || status == TC_OK ? next : status;
        left -= share * left;
    }
    int deep = 0;
    const tc_status moved = status < TC_OK ? status : scheme->settle(mover, left, 0, &deep);
    if (deep) {
        const tc_real first = scheme->share(mover, left);
        const int stands = h - (TC_C(1.0) - first) * left < TCI_SCHEME_PASSED * h;
        const tc_real share = stands ? TC_C(1.0) : first;
        scheme->wait(mover, left, share);
        *waited = (TC_C(1.0) - share) * left;
    }
    return moved == TC_OK ? status : moved;
}

/* One step of h; the velocities hold the applied force already. *waited is the time at its end
 * [s] that the mover waited, whose force the caller takes back. */
LEARNED_INLINE tc_status tci_scheme_step(const tci_scheme_mover *scheme, void *mover,
                                         tc_scheme positions, tc_real h, tc_real *waited)
{
    const int toc = scheme->share != NULL && positions == TC_SCHEME_TOC;
    tc_status status = TC_OK;
    int deep = 1;
    *waited = TC_C(0.0);
    if (!toc) {
        status = tci_scheme_at_once(scheme, mover, positions == TC_SCHEME_GAP, h, &deep);
    }
    if (!deep || scheme->share == NULL) {
        return status;
    }
    const uint32_t touches = toc ? TCI_SCHEME_TOUCHES : 1u;
    const tc_status next = tci_scheme_touch(scheme, mover, touches, h, waited);
    return next < TC_OK || status == TC_OK ? next : status;
}

#endif
