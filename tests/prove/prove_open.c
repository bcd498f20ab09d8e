/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Proof, first part: tc_model_open and the readers on ANY bytes, for Frama-C's Eva.
 *
 * The file is an array of exactly LENGTH bytes, each of which may be anything. Eva computes, for
 * all such files at once, where every access of lib/tc_model*.c may go; one that could leave its
 * array is an alarm. README.md beside this says what is stubbed and why.
 */
#include "tc_model.h"

#include "__fc_builtin.h"

#ifndef LENGTH
#define LENGTH 512
#endif

int main(void);

static uint8_t blob[LENGTH > 0 ? LENGTH : 1];
static tc_model model;
static tc_net net;
static tc_learned_record record;
static char name[TC_MODEL_NAME_MAX + 1u];

/* Stub: any verdict about any net. Its own reads are the second part's. Asserted, because a ninth
 * layer would still lie within the struct, where Eva sees nothing wrong with it: there are eight at
 * most. */
tc_status tc_net_check_where(const tc_net *checked, uint32_t *fault)
{
    //@ assert checked->n_layers <= TC_NET_LAYERS_MAX;
    *fault = (uint32_t)Frama_C_interval(0, TC_NET_LAYERS_MAX);
    return checked->n_layers == 0u ? TC_ERR_SIZE
                                   : (tc_status)Frama_C_interval(TC_ERR_UNSUPPORTED, TC_OK);
}

static uint32_t any_index(void)
{
    return (uint32_t)Frama_C_unsigned_int_interval(0, 0xFFFFFFFFu);
}

/* What an open model hands out can be read where it says (but for the metadata: README.md). */
static char touch(void)
{
    const char *const found = tc_model_net_name(&model, any_index());
    char any = found != NULL ? (char)(found[0] + found[TC_MODEL_NAME_MAX]) : 0;
    return (char)(any ^ (char)(model.hash[0] + model.hash[TC_MODEL_HASH_BYTES - 1u]));
}

int main(void)
{
    Frama_C_make_unknown((char *)blob, sizeof blob);
    Frama_C_make_unknown(name, sizeof name);
    name[sizeof name - 1u] = '\0';
    if (tc_model_open(&model, blob, LENGTH) != TC_OK) {
        return 1;
    }
    Frama_C_show_each_opened();
    (void)tc_model_net_at(&model, any_index(), &net);
    (void)tc_model_net(&model, name, &net);
    (void)tc_learned_record_read(&model, &record, NULL);
    return touch();
}
