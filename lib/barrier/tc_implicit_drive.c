/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Drives and damping of joints, by their own coordinates. Of a coordinate q that adds:
 *
 *     damping d       d (q - now)^2 / (2 h)
 *     servo           k (q - u)^2 / 2
 *     force           -u (q - now)
 *
 * The spaces have those of quaternions.
 */
#include "tc_exact.h"
#include "tc_implicit_internal.h"

#include <string.h>

/* A body's drive: of translation, of rotation */
typedef struct drive_gains {
    tc_real damping[2];  /* d / h */
    tc_real servo[2];    /* stiffness */
    tc_real d, k;        /* of the coordinate that is next */
    tc_real force;       /* 1: controls are forces */
    uint32_t driven;     /* bits of freedoms that have controls */
    uint32_t turning;    /* number of the first coordinate that turns */
    const tc_real *next; /* its next control */
} drive_gains;

TC_MAT_INLINE drive_gains gains_of(const tci_implicit_run *run, uint32_t b)
{
    const tc_implicit_body *const body = &run->scene->body[b];
    const tc_real per = TC_C(1.0) / run->scene->step;
    drive_gains gains = {{per * body->damping[0], per * body->damping[1]},
                         {body->stiffness[0], body->stiffness[1]},
                         TC_C(0.0),
                         TC_C(0.0),
                         TC_C(0.0),
                         body->driven,
                         0u,
                         NULL};
    if (body->drive == TC_IMPLICIT_NONE) gains.driven = 0u;
    if (body->drive != TC_IMPLICIT_SERVO) {
        gains.servo[0] = gains.servo[1] = TC_C(0.0);
        gains.force = TC_C(1.0);
    }
    if (body->joint == TC_IMPLICIT_FREE) gains.turning = run->space->dimension;
    if (body->joint == TC_IMPLICIT_SLIDE) gains.turning = 1u;
    gains.d = gains.damping[0];
    gains.k = gains.servo[0];
    if (gains.driven != 0u) gains.next = run->control + tci_implicit_first(run, b, 2);
    return gains;
}

static inline void turn_to(drive_gains *gains, uint32_t i)
{
    if (i != gains->turning) return;
    gains->d = gains->damping[1];
    gains->k = gains->servo[1];
}

/* The value of coordinate i, which adds */
static inline tc_real drive_scalar(drive_gains *gains, uint32_t i, tc_real now, tc_real q)
{
    const tc_real moved = q - now;
    turn_to(gains, i);
    const tc_real value = TC_C(0.5) * gains->d * moved * moved;
    if (!(gains->driven >> i & 1u)) return value;
    const tc_real u = *gains->next++, off = q - u;
    const tc_real pulled = TC_MLS(value, gains->force * u, moved);
    return TC_MLA(pulled, TC_C(0.5) * gains->k * off, off);
}

/* Its derivatives are added */
static inline void bend_scalar(drive_gains *gains, uint32_t i, tc_real now, tc_real q,
                               tc_real *slope, tc_real *bend)
{
    turn_to(gains, i);
    *slope = TC_MLA(*slope, gains->d, q - now);
    *bend += gains->d;
    if (!(gains->driven >> i & 1u)) return;
    const tc_real u = *gains->next++;
    *slope += TC_MLS(gains->k * (q - u), gains->force, u);
    *bend += gains->k;
}

static tc_real drive_quaternion(tci_implicit_run *run, uint32_t b, const tc_real *now,
                                const tc_real *q, int derive)
{
    const tc_implicit_body *const body = &run->scene->body[b];
    const uint32_t scalars = run->space->scalars[body->joint];
    const uint32_t first = tci_implicit_first(run, b, 1) + scalars;
    const tc_real *const control =
        run->control == NULL ? NULL : run->control + tci_implicit_first(run, b, 2);
    tc_real block[TCI_IMPLICIT_PACKED(3u)] = {TC_C(0.0)};
    const tc_real value =
        run->space->swing(run->scene, body, control, now + scalars, q + scalars,
                          derive ? run->gradient + first : NULL, derive ? block : NULL);
    for (uint32_t i = 0; derive && i < 3u; ++i) {
        tc_real *const row = run->hessian + TCI_IMPLICIT_PACKED(first + i) + first;
        for (uint32_t j = 0; j <= i; ++j) row[j] += block[TCI_IMPLICIT_PACKED(i) + j];
    }
    return value;
}

static int is_driven(const tc_implicit_body *body)
{
    return body->drive != TC_IMPLICIT_NONE || body->damping[0] > TC_C(0.0)
           || body->damping[1] > TC_C(0.0);
}

tc_real tci_implicit_drive(tci_implicit_run *run, const tc_real *q)
{
    const tc_implicit_space *const space = run->space;
    tc_real value = TC_C(0.0);
    for (uint32_t b = 0; b < run->scene->bodies; ++b) {
        const tc_implicit_body *const body = &run->scene->body[b];
        const uint32_t at = tci_implicit_first(run, b, 0), scalars = space->scalars[body->joint];
        const tc_real *const now = run->state + at;
        if (!is_driven(body)) continue;
        drive_gains gains = gains_of(run, b);
        for (uint32_t i = 0; i < scalars; ++i) {
            value += drive_scalar(&gains, i, now[i], q[at + i]);
        }
        if (space->coordinates[body->joint] > scalars) {
            value += drive_quaternion(run, b, now, q + at, 0);
        }
    }
    return value;
}

void tci_implicit_drive_bend(tci_implicit_run *run)
{
    const tc_implicit_space *const space = run->space;
    for (uint32_t b = 0; b < run->scene->bodies; ++b) {
        const tc_implicit_body *const body = &run->scene->body[b];
        const uint32_t at = tci_implicit_first(run, b, 0), first = tci_implicit_first(run, b, 1);
        const uint32_t scalars = space->scalars[body->joint];
        const tc_real *const now = run->state + at, *const q = run->q + at;
        if (!is_driven(body)) continue;
        drive_gains gains = gains_of(run, b);
        tc_real *bend = run->hessian + TCI_IMPLICIT_PACKED(first) + first;
        tc_real *const gradient = run->gradient + first;
        for (uint32_t i = 0; i < scalars; ++i, bend += first + i + 1u) {
            bend_scalar(&gains, i, now[i], q[i], gradient + i, bend);
        }
        if (space->coordinates[body->joint] > scalars) (void)drive_quaternion(run, b, now, q, 1);
    }
}

void tci_implicit_drive_back(const tci_implicit_run *run, const tc_real *q, const tc_real *y,
                             tc_real *pull_now, tc_real *pull_control)
{
    const tc_implicit_space *const space = run->space;
    for (uint32_t b = 0; b < run->scene->bodies; ++b) {
        const tc_implicit_body *const body = &run->scene->body[b];
        const uint32_t at = tci_implicit_first(run, b, 0), first = tci_implicit_first(run, b, 1);
        const uint32_t own = tci_implicit_first(run, b, 2), scalars = space->scalars[body->joint];
        if (!is_driven(body)) continue;
        drive_gains gains = gains_of(run, b);
        tc_real *pull = pull_control + own;
        for (uint32_t i = 0; i < scalars; ++i) {
            const tc_real push = y[first + i];
            turn_to(&gains, i);
            pull_now[first + i] = TC_MLA(pull_now[first + i], gains.d, push);
            if (!(gains.driven >> i & 1u)) continue;
            *pull++ += (gains.k + gains.force) * push;
        }
        if (space->coordinates[body->joint] > scalars) {
            space->swing_back(run->scene, body, run->control + own, run->state + at + scalars,
                              q + at + scalars, y + first + scalars, pull_now + first + scalars,
                              pull_control + own);
        }
    }
}

/* Where calls through a space's table go, for the check of the stack. */
/* tc_calls: tci_implicit_drive lib/barrier/tc_implicit3.c:swing_space */
/* tc_calls: tci_implicit_drive_bend lib/barrier/tc_implicit3.c:swing_space */
/* tc_calls: drive_quaternion lib/barrier/tc_implicit3.c:swing_space */
/* tc_calls: tci_implicit_drive_back lib/barrier/tc_implicit3.c:swing_back_space */
