/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Messages to bytes and back.
 *
 * One function per message walks its fields in the order of lib/WIRE_FORMAT.md; a cursor that writes makes it the
 * encoder, one that reads the decoder, so the two cannot drift apart.
 *
 * Cost on Cortex-M4F: about 25 instructions per field.
 */
#include "tc_exact.h"
#include "tc_wire_message.h"

#include "tc_cursor.h"

static void octets(cursor *c, uint8_t *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t value = values[i];
        number(c, 1, &value);
        values[i] = (uint8_t)value;
    }
}

/* ---- The messages ----------------------------------------------------------------------------------- */

static void walk_hello(cursor *c, tc_wire_hello *m)
{
    word(c, &m->session);
    word(c, &m->budget_us);
    word(c, &m->silence_ms);
    require(c, m->session != 0u, TC_ERR_RANGE);
}

static void walk_sensors(cursor *c, tc_wire_sensors *m)
{
    word(c, &m->tick);
    number(c, 1, &m->joints);
    number(c, 1, &m->given);
    reserved(c, 2);
    reals(c, &m->gyro, 1);
    reals(c, m->accel, 2);
    reals(c, &m->pitch, 1);
    reals(c, &m->base_velocity, 1);
    reals(c, &m->touch, 1);
    require(c, m->joints >= 1u && m->joints <= TC_WIRE_JOINTS && m->given <= 255u, TC_ERR_RANGE);
    const uint32_t joints = c->status == TC_OK ? m->joints : 0u;
    reals(c, m->encoder, joints);
    reals(c, m->torque, joints);
}

static void walk_upload_begin(cursor *c, tc_wire_upload_begin *m)
{
    word(c, &m->kind);
    word(c, &m->size);
    word(c, &m->crc);
    require(c, m->kind == TC_WIRE_PARAMETERS || m->kind == TC_WIRE_MODEL, TC_ERR_RANGE);
}

static void walk_reset(cursor *c, tc_wire_reset *m)
{
    word(c, &m->what);
    require(c, m->what <= TC_WIRE_RESET_ALL, TC_ERR_RANGE);
}

static void walk_predict(cursor *c, tc_wire_predict *m)
{
    reals(c, &m->horizon, 1);
    word(c, &m->budget);
}

static void walk_test(cursor *c, tc_wire_test *m)
{
    word(c, &m->what);
    word(c, &m->value);
    require(c, m->what == TC_WIRE_TEST_BURN, TC_ERR_RANGE);
}

static void walk_boot(cursor *c, tc_wire_boot *m)
{
    word(c, &m->session);
    word(c, &m->version);
    word(c, &m->tick_hz);
    word(c, &m->parameter_room);
    word(c, &m->model_room);
    word(c, &m->parameter_crc);
    word(c, &m->parameter_size);
    word(c, &m->model_size);
    octets(c, m->model_hash, sizeof m->model_hash);
    octets(c, (uint8_t *)m->text, TC_WIRE_TEXT);
    require(c, m->text[TC_WIRE_TEXT - 1u] == '\0', TC_ERR_RANGE);
}

static void walk_estimate(cursor *c, tc_wire_estimate *m)
{
    word(c, &m->tick);
    signed_word(c, &m->status);
    word(c, &m->flags);
    word(c, &m->contact);
    reals(c, m->p, 3);
    reals(c, m->impulse, 2);
    reals(c, m->impulse_variance, 2);
    reals(c, &m->slip, 1);
    reals(c, &m->slip_variance, 1);
    reals(c, &m->since, 1);
    require(c, m->contact <= 1u, TC_ERR_RANGE);
}

static void walk_upload(cursor *c, tc_wire_upload *m)
{
    word(c, &m->kind);
    signed_word(c, &m->status);
    word(c, &m->bytes);
    word(c, &m->fault);
}

static void walk_stats(cursor *c, tc_wire_stats *m)
{
    uint32_t *const words[18] = {
        &m->ticks, &m->refused, &m->missed, &m->old, &m->overruns, &m->silences, &m->worst, &m->last,
        &m->stack, &m->naks, &m->wire.frames, &m->wire.lost, &m->wire.repeated, &m->wire.late, &m->wire.crc,
        &m->wire.form, &m->wire.version, &m->wire.resyncs,
    };
    for (uint32_t i = 0; i < TC_COUNT(words); i++) {
        word(c, words[i]);
    }
}

static void walk_nak(cursor *c, tc_wire_nak *m)
{
    number(c, 1, &m->type);
    number(c, 1, &m->reason);
    number(c, 2, &m->sequence);
    signed_word(c, &m->status);
    require(c, m->reason >= TC_WIRE_NAK_FRAME && m->reason <= TC_WIRE_NAK_FAILED, TC_ERR_RANGE);
}

static void walk_prediction(cursor *c, tc_wire_prediction *m)
{
    word(c, &m->tick);
    signed_word(c, &m->status);
    word(c, &m->kind);
    word(c, &m->mode);
    reals(c, &m->time, 1);
    reals(c, &m->early, 1);
    reals(c, &m->late, 1);
    reals(c, m->velocity, 2);
    reals(c, &m->horizon, 1);
}

static void walk_event(cursor *c, tc_wire_event *m)
{
    word(c, &m->kind);
    word(c, &m->tick);
    word(c, &m->value);
    require(c, m->kind == TC_WIRE_EVENT_SILENCE || m->kind == TC_WIRE_EVENT_OVERRUN, TC_ERR_RANGE);
}

/* The bytes of a chunk are not copied when read, so it has no walk. */
uint32_t tc_wire_put_upload_chunk(tc_wire_encoder *e, const tc_wire_upload_chunk *m)
{
    if (m->n < 1u || m->n > TC_WIRE_CHUNK_MAX) {
        return 0;
    }
    cursor c = {.to = e->body + TC_WIRE_HEAD, .length = 4};
    uint32_t offset = m->offset;
    word(&c, &offset);
    memcpy(c.to + 4, m->bytes, m->n);
    return tc_wire_encode(e, TC_WIRE_UPLOAD_CHUNK, 4u + m->n);
}

tc_status tc_wire_get_upload_chunk(const tc_wire_frame *f, tc_wire_upload_chunk *m)
{
    cursor c = {.from = f->payload, .length = f->length};
    memset(m, 0, sizeof *m);
    if (f->length < 5u) {
        return TC_ERR_SIZE;
    }
    word(&c, &m->offset);
    m->n = f->length - 4u;
    m->bytes = f->payload + 4;
    return TC_OK;
}

/* ---- Both ways ---------------------------------------------------------------------------------------- */

#define BOTH_WAYS(name, type)                                                                    \
    uint32_t tc_wire_put_##name(tc_wire_encoder *e, const tc_wire_##name *m)                     \
    {                                                                                            \
        tc_wire_##name walked = *m;                                                              \
        cursor c = {.to = e->body + TC_WIRE_HEAD, .length = TC_WIRE_PAYLOAD_MAX};                \
        walk_##name(&c, &walked);                                                                \
        return c.status == TC_OK ? tc_wire_encode(e, type, c.at) : 0u;                           \
    }                                                                                            \
    tc_status tc_wire_get_##name(const tc_wire_frame *f, tc_wire_##name *m)                      \
    {                                                                                            \
        cursor c = {.from = f->payload, .length = f->length};                                    \
        memset(m, 0, sizeof *m);                                                                 \
        walk_##name(&c, m);                                                                      \
        require(&c, c.at == f->length, TC_ERR_SIZE);                                             \
        if (c.status != TC_OK) {                                                                 \
            memset(m, 0, sizeof *m);                                                             \
        }                                                                                        \
        return c.status;                                                                         \
    }

BOTH_WAYS(hello, TC_WIRE_HELLO)
BOTH_WAYS(sensors, TC_WIRE_SENSORS)
BOTH_WAYS(upload_begin, TC_WIRE_UPLOAD_BEGIN)
BOTH_WAYS(reset, TC_WIRE_RESET)
BOTH_WAYS(predict, TC_WIRE_PREDICT)
BOTH_WAYS(test, TC_WIRE_TEST)
BOTH_WAYS(boot, TC_WIRE_BOOT)
BOTH_WAYS(estimate, TC_WIRE_ESTIMATE)
BOTH_WAYS(upload, TC_WIRE_UPLOAD)
BOTH_WAYS(stats, TC_WIRE_STATS)
BOTH_WAYS(nak, TC_WIRE_NAK)
BOTH_WAYS(prediction, TC_WIRE_PREDICTION)
BOTH_WAYS(event, TC_WIRE_EVENT)
