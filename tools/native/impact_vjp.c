/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "impact_vjp.h"

#include <stdlib.h>
#include <string.h>

#define LARGER(a, b) ((a) > (b) ? (a) : (b))

static tc_cone cone_of(const native_vjp *given)
{
    return (tc_cone){.n = given->n,
                     .rows = given->rows,
                     .d = given->d,
                     .G = given->G,
                     .w0 = given->w0,
                     .mu = given->mu,
                     .floor = given->floor};
}

static void tell_info(native_vjp_answer *answer, const tc_cone_info *info, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        answer->kind[i] = (int32_t)info->kind[i];
    }
    answer->told[0] = info->residual;
    answer->told[1] = info->error;
    answer->told[2] = info->margin;
}

int32_t native_vjp_cone(const native_vjp *given, native_vjp_answer *answer, const tc_real *by_w,
                        const native_vjp_by *by)
{
    const tc_cone problem = cone_of(given);
    const size_t length = LARGER(TC_CONE_WORK(given->n, given->rows, given->d),
                                 TC_CONE_GRAD_WORK(given->n, given->rows, given->d));
    tc_real *const work = malloc((length + 1u) * sizeof *work);
    tc_cone_info info;
    memset(&info, 0, sizeof info);
    if (work == NULL) {
        return TC_ERR_WORK;
    }
    tc_status status =
        tc_cone_solve(&problem, answer->f, answer->u, answer->w, &info, work, length);
    tell_info(answer, &info, given->n);
    if (status >= TC_OK && by_w != NULL) {
        const tc_cone_grad to = {.G = by->G,
                                 .w0 = by->w0,
                                 .mu = by->mu,
                                 .floor = given->floor != NULL ? by->floor : NULL};
        const tc_status adjoint =
            tc_cone_grad_adjoint(&problem, answer->f, &info, by_w, &to, work, length);
        status = adjoint < TC_OK ? adjoint : status;
    }
    free(work);
    return (int32_t)status;
}

/* Room of an impact: u_c, w_c, w_least, then the workspace. */
static tc_status solve_impact(const native_vjp *given, native_vjp_answer *answer,
                              const tc_real *by_w, const native_vjp_by *by, tc_real *room,
                              size_t length)
{
    const uint32_t m = given->n * given->rows, d = given->d;
    const tc_impact problem = {.contact = cone_of(given),
                               .e = given->e,
                               .target = given->target,
                               .law = (tc_impact_law)given->law};
    const tc_impact_answer both = {.f_c = answer->f_c,
                                   .u_c = room,
                                   .w_c = room + m,
                                   .f = answer->f,
                                   .u = answer->u,
                                   .w = answer->w,
                                   .w_least = room + m + d};
    tc_real *const work = room + m + 2u * d;
    tc_impact_info info;
    memset(&info, 0, sizeof info);
    const tc_status status = tc_impact_solve(&problem, &both, &info, work, length);
    tell_info(answer, &info.restitution, given->n);
    answer->told[0] = LARGER(info.compression.residual, info.restitution.residual);
    answer->told[1] = LARGER(info.compression.error, info.restitution.error);
    answer->told[2] = info.rests || info.compression.margin < info.restitution.margin
                          ? info.compression.margin
                          : info.restitution.margin;
    if (status < TC_OK || by_w == NULL) {
        return status;
    }
    const tc_impact_grad to = {.G = by->G,
                               .w0 = by->w0,
                               .mu = by->mu,
                               .e = given->e != NULL ? by->e : NULL,
                               .target = given->target != NULL ? by->target : NULL};
    const tc_status adjoint =
        tc_impact_grad_adjoint(&problem, &both, &info, by_w, &to, work, length);
    return adjoint < TC_OK ? adjoint : status;
}

int32_t native_vjp_impact(const native_vjp *given, native_vjp_answer *answer, const tc_real *by_w,
                          const native_vjp_by *by)
{
    const uint32_t n = given->n, rows = given->rows, d = given->d;
    const size_t length = LARGER(TC_IMPACT_WORK(n, rows, d), TC_IMPACT_GRAD_WORK(n, rows, d));
    tc_real *const room = calloc(length + n * rows + 2u * d + 1u, sizeof *room);
    if (room == NULL) {
        return TC_ERR_WORK;
    }
    const tc_status status = solve_impact(given, answer, by_w, by, room, length);
    free(room);
    return (int32_t)status;
}
