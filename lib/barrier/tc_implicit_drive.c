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

/* One coordinate that adds; slope and bend are results. u: its control, or NULL */
static tc_real drive_scalar(const tc_implicit_scene *scene, const tc_implicit_body *body, int turns,
                            const tc_real *u, tc_real now, tc_real q, tc_real *slope, tc_real *bend)
{
    const tc_real d = body->damping[turns] / scene->step, moved = q - now;
    tc_real value = TC_C(0.5) * d * moved * moved;
    *slope = d * moved;
    *bend = d;
    if (u == NULL) return value;
    if (body->drive == TC_IMPLICIT_SERVO) {
        const tc_real k = body->stiffness[turns], off = q - *u;
        *slope = TC_MLA(*slope, k, off);
        *bend += k;
        return TC_MLA(value, TC_C(0.5) * k * off, off);
    }
    *slope -= *u;
    return TC_MLS(value, *u, moved);
}

/* The control of a body's freedom i, or NULL; *next counts the body's controls. */
static const tc_real *control_of(const tci_implicit_run *run, uint32_t b, uint32_t i,
                                 uint32_t *next)
{
    const tc_implicit_body *const body = &run->scene->body[b];
    if (body->drive == TC_IMPLICIT_NONE || !(body->driven >> i & 1u)) return NULL;
    return run->control + tci_implicit_first(run, b, 2) + (*next)++;
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

tc_real tci_implicit_drive(tci_implicit_run *run, const tc_real *q, int derive)
{
    const tc_implicit_space *const space = run->space;
    tc_real value = TC_C(0.0);
    for (uint32_t b = 0; b < run->scene->bodies; ++b) {
        const tc_implicit_body *const body = &run->scene->body[b];
        const uint32_t at = tci_implicit_first(run, b, 0), first = tci_implicit_first(run, b, 1);
        const uint32_t scalars = space->scalars[body->joint];
        uint32_t next = 0;
        if (!is_driven(body)) continue;
        for (uint32_t i = 0; i < scalars; ++i) {
            tc_real slope, bend;
            const tc_real *const u = control_of(run, b, i, &next);
            value += drive_scalar(run->scene, body, tci_implicit_turns(space, body->joint, i), u,
                                  run->state[at + i], q[at + i], &slope, &bend);
            if (!derive) continue;
            run->gradient[first + i] += slope;
            run->hessian[TCI_IMPLICIT_PACKED(first + i) + first + i] += bend;
        }
        if (space->coordinates[body->joint] > scalars) {
            value += drive_quaternion(run, b, run->state + at, q + at, derive);
        }
    }
    return value;
}

void tci_implicit_drive_back(const tci_implicit_run *run, const tc_real *q, const tc_real *y,
                             tc_real *pull_now, tc_real *pull_control)
{
    const tc_implicit_space *const space = run->space;
    for (uint32_t b = 0; b < run->scene->bodies; ++b) {
        const tc_implicit_body *const body = &run->scene->body[b];
        const uint32_t at = tci_implicit_first(run, b, 0), first = tci_implicit_first(run, b, 1);
        const uint32_t own = tci_implicit_first(run, b, 2);
        const uint32_t scalars = space->scalars[body->joint];
        uint32_t next = 0;
        if (!is_driven(body)) continue;
        for (uint32_t i = 0; i < scalars; ++i) {
            const int turns = tci_implicit_turns(space, body->joint, i);
            const tc_real push = y[first + i];
            pull_now[first + i] += body->damping[turns] / run->scene->step * push;
            if (control_of(run, b, i, &next) == NULL) continue;
            pull_control[own + next - 1u] +=
                body->drive == TC_IMPLICIT_SERVO ? body->stiffness[turns] * push : push;
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
/* tc_calls: tci_implicit_drive_back lib/barrier/tc_implicit3.c:swing_back_space */
