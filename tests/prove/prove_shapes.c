/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Proof, second part: files whose net has a given shape, and everything done with it: tc_model_open
 * with the real tc_net_check, then the self-test, which evaluates the net with the portable
 * kernels.
 *
 * Given are only the numbers that say how much is read: one net of one layer N_IN x N_OUT in tiles
 * of ROWS x COLUMNS of kind WEIGHT, one sample; and whether there is normalisation with an input
 * range (OPTIONAL), which then lies behind the layer record. All other bytes may be anything: where
 * the other arrays lie, what is in all of them, activation, head. LENGTH leaves room for every
 * array and more.
 */
#include "tc_model.h"

#include "__fc_builtin.h"

#define NET_AT 64u
#define LAYER_AT 160u
#define CEILING(n, step) (((n) + (step) - 1u) / (step) * (step))
#define WEIGHT_BYTES (CEILING(N_OUT, ROWS) * CEILING(N_IN, COLUMNS) * (WEIGHT == 0 ? 4u : 1u))
#define LENGTH CEILING(192u + WEIGHT_BYTES + 5u * 16u + 11u * 4u * CEILING(N_OUT + N_IN, 8u), 16u)

int main(void);

static uint8_t blob[LENGTH];
static tc_model model;
static tc_real work[TC_MODEL_SELFTEST_WORK(CEILING(N_IN, 16u) + CEILING(N_OUT, 16u))];

static void put16(uint32_t at, uint32_t value)
{
    blob[at] = (uint8_t)value;
    blob[at + 1u] = (uint8_t)(value >> 8);
}

/* Offset of optional array k of n floats, or 0; arrays start 16-aligned, one after the other. */
static void put_optional(uint32_t field, uint32_t *end, uint32_t n)
{
    put16(field, OPTIONAL ? *end : 0u);
    put16(field + 2u, 0);
    *end += CEILING(4u * n, 16u);
}

int main(void)
{
    uint32_t end = LAYER_AT + 32u;
    tc_model_selftest_info info;
    Frama_C_make_unknown((char *)blob, sizeof blob);
    put16(32, 1);
    put16(34, 0);
    put16(NET_AT + 24u, N_IN);
    put16(NET_AT + 26u, N_OUT);
    blob[NET_AT + 28u] = 1;
    blob[NET_AT + 30u] = WEIGHT;
    put16(NET_AT + 32u, LAYER_AT);
    put16(NET_AT + 34u, 0);
    put16(NET_AT + 64u, 1);
    put16(NET_AT + 66u, 0);
    put16(LAYER_AT, N_IN);
    put16(LAYER_AT + 2u, N_OUT);
    blob[LAYER_AT + 5u] = ROWS;
    blob[LAYER_AT + 6u] = COLUMNS;
    for (uint32_t k = 0; k < 6u; k++) {
        put_optional(NET_AT + 36u + 4u * k, &end, k == 2u || k == 3u ? N_OUT : N_IN);
    }
    if (tc_model_open(&model, blob, LENGTH) != TC_OK) {
        return 1;
    }
    Frama_C_show_each_opened();
    return tc_model_selftest(&model, &info, work, TC_COUNT(work));
}
