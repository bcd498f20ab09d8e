/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Proof, third part: the wire's decoder on ANY bytes in any portions, and every message reader on
 * any frame, for Frama-C's Eva.
 *
 * The decoder is fed an array of exactly PORTION bytes, each of which may be anything, without end;
 * whatever it takes for a frame is read as every message there is, not only as the one that its
 * type names.
 */
#include "tc_wire_message.h"
#include "tc_wire_robot.h"

#include "__fc_builtin.h"

#define PORTION 7u

int main(void);

static uint8_t bytes[PORTION];
static tc_wire_decoder decoder;
static uint32_t sum;

static void read_as_everything(const tc_wire_frame *f)
{
    tc_wire_hello hello;
    tc_wire_sensors sensors;
    tc_wire_upload_begin upload_begin;
    tc_wire_upload_chunk chunk;
    tc_wire_reset reset;
    tc_wire_predict predict;
    tc_wire_prior prior;
    tc_wire_impact impact;
    tc_wire_restore restore;
    tc_wire_test test;
    tc_wire_boot boot;
    tc_wire_estimate estimate;
    tc_wire_upload upload;
    tc_wire_stats stats;
    tc_wire_nak nak;
    tc_wire_prediction prediction;
    tc_wire_identified identified;
    tc_wire_saved saved;
    tc_wire_event event;
    tc_wire_robot robot;
    tc_wire_feet feet;
    (void)tc_wire_get_hello(f, &hello);
    (void)tc_wire_get_sensors(f, &sensors);
    (void)tc_wire_get_upload_begin(f, &upload_begin);
    (void)tc_wire_get_reset(f, &reset);
    (void)tc_wire_get_predict(f, &predict);
    (void)tc_wire_get_prior(f, &prior);
    (void)tc_wire_get_impact(f, &impact);
    (void)tc_wire_get_test(f, &test);
    (void)tc_wire_get_boot(f, &boot);
    (void)tc_wire_get_estimate(f, &estimate);
    (void)tc_wire_get_upload(f, &upload);
    (void)tc_wire_get_stats(f, &stats);
    (void)tc_wire_get_nak(f, &nak);
    (void)tc_wire_get_prediction(f, &prediction);
    (void)tc_wire_get_identified(f, &identified);
    (void)tc_wire_get_event(f, &event);
    (void)tc_wire_get_robot(f, &robot);
    (void)tc_wire_get_feet(f, &feet);
    if (tc_wire_get_upload_chunk(f, &chunk) == TC_OK) {
        //@ assert chunk.n <= TC_WIRE_CHUNK_MAX;
        sum += chunk.bytes[0] + chunk.bytes[chunk.n - 1u];
    }
    if (tc_wire_get_restore(f, &restore) == TC_OK && tc_wire_get_saved(f, &saved) == TC_OK) {
        //@ assert restore.n <= TC_WIRE_PAYLOAD_MAX;
        sum += restore.bytes[0] + restore.bytes[restore.n - 1u] + saved.bytes[saved.n - 1u];
    }
}

int main(void)
{
    /* Where the analysis should try to stop when it generalises over the loops. */
    //@ widen_hints global:"all", 7, 512, 520;
    tc_wire_decoder_init(&decoder);
    for (;;) {
        tc_wire_frame frame;
        tc_wire_result result;
        const uint32_t n = (uint32_t)Frama_C_interval(0, (int)PORTION);
        Frama_C_make_unknown((char *)bytes, sizeof bytes);
        const uint32_t taken = tc_wire_decode(&decoder, bytes, n, &frame, &result);
        //@ assert taken <= PORTION;
        //@ assert decoder.length <= TC_WIRE_BODY_MAX;
        if (result == TC_WIRE_FRAME) {
            Frama_C_show_each_opened();
            read_as_everything(&frame);
        }
    }
}
