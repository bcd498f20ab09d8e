/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The weights of barriers, the checks that plane and space share, and near and far as functions of Q,
 * with r = sqrt(Q) and t = 1 / (1 + length Q):
 *
 *     value  = A + Q + 2 kappa sqrt(A) r sqrt(t)
 *     value' = 1 + g,  g = kappa sqrt(A) t sqrt(t) / r
 *     value'' = -g t (1 + 4 length Q) / (2 Q)
 */
#include "tc_exact.h"

#include "tc_barrier_internal.h"

#define TCI_BARRIER_MOST TC_C(1e6) /* of a number */

static tc_status check_number(tc_real x)
{
    if (x >= TC_C(0.0) && x <= TCI_BARRIER_MOST) return TC_OK;
    return TC_C(0.0) * x != TC_C(0.0) ? TC_ERR_NOT_FINITE : TC_ERR_RANGE;
}

tc_barrier_config tc_barrier_default(void)
{
    const tc_barrier_config config = {TC_C(12.0), TC_C(1.0), TC_C(0.0)};
    return config;
}

tc_status tc_barrier_check(const tc_barrier_config *config)
{
    if (config == NULL) return TC_ERR_NULL;
    tc_status status = check_number(config->A);
    if (status == TC_OK) status = check_number(config->kappa);
    return status != TC_OK ? status : check_number(config->length);
}

/* The largest square of a vertex; *all: their sum */
static inline tc_real largest_square(const tc_barrier_set *set, uint32_t dim, tc_real *all)
{
    const tc_real *x = set->vertices;
    tc_real most = TC_C(0.0), sum = TC_C(0.0);
    for (uint32_t i = 0; i < set->count; ++i, x += dim) {
        tc_real square = TC_MLA(x[0] * x[0], x[1], x[1]);
        if (dim == 3u) square = TC_MLA(square, x[2], x[2]);
        sum += square;
        if (square > most) most = square;
    }
    *all = sum;
    return most;
}

tc_status tci_barrier_check_set(const tc_barrier_set *set, uint32_t dim, tc_real *size)
{
    if (set == NULL || set->vertices == NULL) return TC_ERR_NULL;
    if (set->count == 0u || set->count > TC_BARRIER_VERTICES_MAX) return TC_ERR_SIZE;
    tc_real all;
    const tc_real most = largest_square(set, dim, &all);
    if (TC_C(0.0) * all != TC_C(0.0)) return TC_ERR_NOT_FINITE;
    if (most > TC_C(3.0) * TCI_BARRIER_MOST * TCI_BARRIER_MOST) return TC_ERR_RANGE;
    const tc_real reach = tc_sqrt(most) + set->radius;
    if (reach > *size) *size = reach;
    return check_number(set->radius);
}

tc_status tci_barrier_check_within(const tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real size = tc_vec_magnitude(x[i]);
        if (!(size <= TCI_BARRIER_MOST)) return check_number(size);
    }
    return TC_OK;
}

/* The root of t, which is 1 where the far part is not bounded */
static inline tc_real far_root(const tc_barrier_config *config, tc_real Q, tc_real *t)
{
    *t = TC_C(1.0);
    if (config->length == TC_C(0.0)) return *t;
    *t = TC_C(1.0) / (TC_C(1.0) + config->length * Q);
    return tc_sqrt(*t);
}

static inline void bend_far(tc_real length, tc_real Q, tc_real g, tc_real t, tc_real *first,
                            tc_real *second)
{
    *first = TC_C(1.0) + g;
    *second = TC_C(-0.5) * g * t * TC_MLA(TC_C(1.0), TC_C(4.0), length * Q) / Q;
}

tc_real tci_barrier_value(const tc_barrier_config *config, tc_real Q)
{
    tc_real t;
    const tc_real root = tc_sqrt(config->A), scale = config->kappa * root * far_root(config, Q, &t);
    return TC_MLA(config->A + Q, TC_C(2.0) * scale, tc_sqrt(Q));
}

void tci_barrier_bend_of(const tc_barrier_config *config, tc_real Q, tc_real *first,
                         tc_real *second)
{
    tc_real t;
    const tc_real root = tc_sqrt(config->A), scale = config->kappa * root * far_root(config, Q, &t);
    bend_far(config->length, Q, scale * t / tc_sqrt(Q), t, first, second);
}

void tci_barrier_weigh(const tc_barrier_config *config, tc_real Q, tci_barrier_weight *weight)
{
    tc_real t;
    const tc_real r = tc_sqrt(Q), root = tc_sqrt(config->A), length = r / (root + r);
    const tc_real scale = config->kappa * root * far_root(config, Q, &t);
    weight->value = TC_MLA(config->A + Q, TC_C(2.0) * scale, r);
    bend_far(config->length, Q, scale * t / r, t, &weight->first, &weight->second);
    weight->length = length;
    weight->length_rate = TC_C(0.5) * root * length * length / (Q * r);
}
