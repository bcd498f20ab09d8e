/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Messages to bytes and back.
 *
 * One function per message walks its fields in the order of docs/reference/wire.md; a cursor that
 * writes makes it the encoder, one that reads the decoder, so the two cannot drift apart.
 *
 * Cost on Cortex-M4F: about 25 instructions per field.
 */
#include "tc_exact.h"
#include "tc_wire_message.h"

#include "tc_wire_message_internal.h"

static void walk_octets(tc_cursor *c, uint8_t *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t value = values[i];
        tc_cursor_number(c, 1, &value);
        values[i] = (uint8_t)value;
    }
}

/* ---- The messages ---------------------------------------------------------------------------- */

static void walk_hello(tc_cursor *c, tc_wire_hello *m)
{
    tc_cursor_word(c, &m->session);
    tc_cursor_word(c, &m->budget_us);
    tc_cursor_word(c, &m->silence_ms);
    tc_cursor_require(c, m->session != 0u, TC_ERR_RANGE);
}

#define GIVEN_PLACE 64u /* TC_GIVEN_PLACE of tc_estimator.h, which this floor does not see */

static void walk_sensors(tc_cursor *c, tc_wire_sensors *m)
{
    tc_cursor_word(c, &m->tick);
    tc_cursor_number(c, 1, &m->joints);
    tc_cursor_number(c, 1, &m->given);
    tc_cursor_reserved(c, 2);
    tc_cursor_reals(c, &m->gyro, 1);
    tc_cursor_reals(c, m->accel, 2);
    tc_cursor_reals(c, &m->pitch, 1);
    tc_cursor_reals(c, &m->base_velocity, 1);
    tc_cursor_reals(c, &m->touch, 1);
    tc_cursor_require(c, m->joints >= 1u && m->joints <= TC_WIRE_JOINTS && m->given <= 255u,
                      TC_ERR_RANGE);
    const uint32_t joints = c->status >= TC_OK ? m->joints : 0u;
    tc_cursor_reals(c, m->encoder, joints);
    tc_cursor_reals(c, m->torque, joints);
    tc_cursor_reals(c, &m->place, c->status >= TC_OK && (m->given & GIVEN_PLACE) != 0u ? 1u : 0u);
}

static void walk_upload_begin(tc_cursor *c, tc_wire_upload_begin *m)
{
    m->kind = (tc_wire_kind)tc_cursor_choice(c, 4, m->kind, TC_WIRE_PARAMETERS, TC_WIRE_MODEL);
    tc_cursor_word(c, &m->size);
    tc_cursor_word(c, &m->crc);
}

static void walk_reset(tc_cursor *c, tc_wire_reset *m)
{
    m->what = (tc_wire_reset_what)tc_cursor_choice(c, 4, m->what, TC_WIRE_RESET_ESTIMATOR,
                                                   TC_WIRE_RESET_ALL);
}

static void walk_predict(tc_cursor *c, tc_wire_predict *m)
{
    tc_cursor_reals(c, &m->horizon, 1);
    tc_cursor_word(c, &m->budget);
}

static void walk_prior(tc_cursor *c, tc_wire_prior *m)
{
    tc_cursor_reals(c, &m->mass, 1);
    tc_cursor_reals(c, m->inertia, 3);
    tc_cursor_number(c, 1, &m->ratios);
    tc_cursor_number(c, 1, &m->law);
    tc_cursor_reserved(c, 2);
    tc_cursor_reals(c, m->start, TC_WIRE_UNKNOWNS);
    tc_cursor_reals(c, m->sd, TC_WIRE_UNKNOWNS);
    tc_cursor_reals(c, m->drift, TC_WIRE_UNKNOWNS);
    tc_cursor_reals(c, m->reopen, TC_WIRE_UNKNOWNS);
    tc_cursor_reals(c, &m->gate, 1);
    tc_cursor_word(c, &m->patience);
    tc_cursor_require(c, m->ratios + 2u <= TC_WIRE_UNKNOWNS && m->ratios != 2u && m->law <= 1u,
                      TC_ERR_RANGE);
}

static void walk_impact(tc_cursor *c, tc_wire_impact *m)
{
    tc_cursor_word(c, &m->number);
    tc_cursor_reals(c, m->normal, 3);
    tc_cursor_reals(c, m->arm, 3);
    tc_cursor_reals(c, m->before, 6);
    tc_cursor_reals(c, m->after, 6);
    tc_cursor_reals(c, &m->linear_sd, 1);
    tc_cursor_reals(c, &m->angular_sd, 1);
    tc_cursor_require(c, m->number != 0u, TC_ERR_RANGE);
}

static void walk_feel(tc_cursor *c, tc_wire_feel *m)
{
    tc_cursor_reals(c, &m->reach, 1);
    tc_cursor_reals(c, &m->noise, 1);
    tc_cursor_reals(c, &m->normal_noise, 1);
    tc_cursor_reals(c, &m->tip, 1);
    tc_cursor_reals(c, &m->apart, 1);
}

static void walk_touch(tc_cursor *c, tc_wire_touch *m)
{
    tc_cursor_word(c, &m->number);
    tc_cursor_word(c, &m->given);
    tc_cursor_reals(c, m->point, 3);
    tc_cursor_reals(c, m->normal, 3);
    tc_cursor_require(c, m->number != 0u && m->given <= 1u, TC_ERR_RANGE);
}

static void walk_test(tc_cursor *c, tc_wire_test *m)
{
    m->what =
        (tc_wire_test_what)tc_cursor_choice(c, 4, m->what, TC_WIRE_TEST_BURN, TC_WIRE_TEST_BURN);
    tc_cursor_word(c, &m->value);
}

static void walk_boot(tc_cursor *c, tc_wire_boot *m)
{
    tc_cursor_word(c, &m->session);
    tc_cursor_word(c, &m->version);
    tc_cursor_word(c, &m->tick_hz);
    tc_cursor_word(c, &m->parameter_room);
    tc_cursor_word(c, &m->model_room);
    tc_cursor_word(c, &m->parameter_crc);
    tc_cursor_word(c, &m->parameter_size);
    tc_cursor_word(c, &m->model_size);
    walk_octets(c, m->model_hash, sizeof m->model_hash);
    walk_octets(c, (uint8_t *)m->text, TC_WIRE_TEXT);
    tc_cursor_require(c, m->text[TC_WIRE_TEXT - 1u] == '\0', TC_ERR_RANGE);
}

static void walk_estimate(tc_cursor *c, tc_wire_estimate *m)
{
    tc_cursor_word(c, &m->tick);
    tc_cursor_signed_word(c, &m->status);
    tc_cursor_word(c, &m->flags);
    tc_cursor_word(c, &m->contact);
    tc_cursor_reals(c, m->p, 3);
    tc_cursor_reals(c, m->impulse, 2);
    tc_cursor_reals(c, m->impulse_variance, 2);
    tc_cursor_reals(c, &m->slip, 1);
    tc_cursor_reals(c, &m->slip_variance, 1);
    tc_cursor_reals(c, &m->since, 1);
    tc_cursor_require(c, m->contact <= 1u, TC_ERR_RANGE);
}

static void walk_upload(tc_cursor *c, tc_wire_upload *m)
{
    tc_cursor_word(c, &m->kind);
    tc_cursor_signed_word(c, &m->status);
    tc_cursor_word(c, &m->bytes);
    tc_cursor_word(c, &m->fault);
}

static void walk_stats(tc_cursor *c, tc_wire_stats *m)
{
    uint32_t *const words[18] = {
        &m->ticks,       &m->refused,      &m->missed,        &m->old,       &m->overruns,
        &m->silences,    &m->worst,        &m->last,          &m->stack,     &m->naks,
        &m->wire.frames, &m->wire.lost,    &m->wire.repeated, &m->wire.late, &m->wire.crc,
        &m->wire.form,   &m->wire.version, &m->wire.resyncs,
    };
    for (uint32_t i = 0; i < TC_COUNT(words); i++) {
        tc_cursor_word(c, words[i]);
    }
}

static void walk_nak(tc_cursor *c, tc_wire_nak *m)
{
    tc_cursor_number(c, 1, &m->type);
    m->reason =
        (tc_wire_reason)tc_cursor_choice(c, 1, m->reason, TC_WIRE_NAK_FRAME, TC_WIRE_NAK_FAILED);
    tc_cursor_number(c, 2, &m->sequence);
    tc_cursor_signed_word(c, &m->status);
}

static void walk_prediction(tc_cursor *c, tc_wire_prediction *m)
{
    tc_cursor_word(c, &m->tick);
    tc_cursor_signed_word(c, &m->status);
    tc_cursor_word(c, &m->kind);
    tc_cursor_word(c, &m->mode);
    tc_cursor_reals(c, &m->time, 1);
    tc_cursor_reals(c, &m->early, 1);
    tc_cursor_reals(c, &m->late, 1);
    tc_cursor_reals(c, m->velocity, 2);
    tc_cursor_reals(c, &m->horizon, 1);
}

static void walk_identified(tc_cursor *c, tc_wire_identified *m)
{
    tc_cursor_word(c, &m->number);
    tc_cursor_signed_word(c, &m->status);
    tc_cursor_word(c, &m->outcome);
    tc_cursor_word(c, &m->impacts);
    tc_cursor_word(c, &m->outliers);
    tc_cursor_word(c, &m->sticks);
    tc_cursor_word(c, &m->reopened);
    tc_cursor_word(c, &m->missed);
    tc_cursor_reals(c, &m->bound, 1);
    tc_cursor_reals(c, m->value, TC_WIRE_UNKNOWNS);
    tc_cursor_reals(c, m->sd, TC_WIRE_UNKNOWNS);
    tc_cursor_reals(c, m->low, TC_WIRE_UNKNOWNS);
    tc_cursor_reals(c, m->high, TC_WIRE_UNKNOWNS);
}

static void walk_felt(tc_cursor *c, tc_wire_felt *m)
{
    tc_cursor_word(c, &m->number);
    tc_cursor_signed_word(c, &m->status);
    tc_cursor_word(c, &m->outcome);
    tc_cursor_signed_word(c, &m->found);
    tc_cursor_word(c, &m->touches);
    tc_cursor_word(c, &m->normals);
    tc_cursor_word(c, &m->repeated);
    tc_cursor_word(c, &m->missed);
    tc_cursor_reals(c, m->centre, 3);
    tc_cursor_reals(c, &m->radius, 1);
    tc_cursor_reals(c, m->sd, 4);
    tc_cursor_reals(c, &m->low, 1);
    tc_cursor_reals(c, &m->high, 1);
    tc_cursor_reals(c, &m->noise, 1);
}

static void walk_event(tc_cursor *c, tc_wire_event *m)
{
    m->kind = (tc_wire_event_kind)tc_cursor_choice(c, 4, m->kind, TC_WIRE_EVENT_SILENCE,
                                                   TC_WIRE_EVENT_OVERRUN);
    tc_cursor_word(c, &m->tick);
    tc_cursor_word(c, &m->value);
}

/* The bytes of a chunk are not copied when read, so it has no walk. */
uint32_t tc_wire_put_upload_chunk(tc_wire_encoder *e, const tc_wire_upload_chunk *m)
{
    if (m->n < 1u || m->n > TC_WIRE_CHUNK_MAX) {
        return 0;
    }
    tc_cursor c = {.to = e->body + TC_WIRE_HEAD, .length = 4};
    uint32_t offset = m->offset;
    tc_cursor_word(&c, &offset);
    memcpy(c.to + 4, m->bytes, m->n);
    return tc_wire_encode(e, TC_WIRE_UPLOAD_CHUNK, 4u + m->n);
}

tc_status tc_wire_get_upload_chunk(const tc_wire_frame *f, tc_wire_upload_chunk *m)
{
    tc_cursor c = {.from = f->payload, .length = f->length};
    memset(m, 0, sizeof *m);
    if (f->length < 5u) {
        return TC_ERR_SIZE;
    }
    tc_cursor_word(&c, &m->offset);
    m->n = f->length - 4u;
    m->bytes = f->payload + 4;
    return TC_OK;
}

/* Nor are those of a saved state. */
static uint32_t put_bytes(tc_wire_encoder *e, uint32_t type, const uint8_t *bytes, uint32_t n)
{
    if (n < 1u || n > TC_WIRE_PAYLOAD_MAX) {
        return 0;
    }
    memcpy(e->body + TC_WIRE_HEAD, bytes, n);
    return tc_wire_encode(e, type, n);
}

static tc_status get_bytes(const tc_wire_frame *f, const uint8_t **bytes, uint32_t *n)
{
    *n = f->length;
    *bytes = f->length > 0u ? f->payload : NULL;
    return f->length > 0u ? TC_OK : TC_ERR_SIZE;
}

uint32_t tc_wire_put_restore(tc_wire_encoder *e, const tc_wire_restore *m)
{
    return put_bytes(e, TC_WIRE_RESTORE, m->bytes, m->n);
}

tc_status tc_wire_get_restore(const tc_wire_frame *f, tc_wire_restore *m)
{
    return get_bytes(f, &m->bytes, &m->n);
}

uint32_t tc_wire_put_saved(tc_wire_encoder *e, const tc_wire_saved *m)
{
    return put_bytes(e, TC_WIRE_SAVED, m->bytes, m->n);
}

tc_status tc_wire_get_saved(const tc_wire_frame *f, tc_wire_saved *m)
{
    return get_bytes(f, &m->bytes, &m->n);
}

/* ---- Both ways ------------------------------------------------------------------------------- */

TCI_WIRE_BOTH_WAYS(hello, TC_WIRE_HELLO)
TCI_WIRE_BOTH_WAYS(sensors, TC_WIRE_SENSORS)
TCI_WIRE_BOTH_WAYS(upload_begin, TC_WIRE_UPLOAD_BEGIN)
TCI_WIRE_BOTH_WAYS(reset, TC_WIRE_RESET)
TCI_WIRE_BOTH_WAYS(predict, TC_WIRE_PREDICT)
TCI_WIRE_BOTH_WAYS(prior, TC_WIRE_PRIOR)
TCI_WIRE_BOTH_WAYS(impact, TC_WIRE_IMPACT)
TCI_WIRE_BOTH_WAYS(feel, TC_WIRE_FEEL)
TCI_WIRE_BOTH_WAYS(touch, TC_WIRE_TOUCH)
TCI_WIRE_BOTH_WAYS(test, TC_WIRE_TEST)
TCI_WIRE_BOTH_WAYS(boot, TC_WIRE_BOOT)
TCI_WIRE_BOTH_WAYS(estimate, TC_WIRE_ESTIMATE)
TCI_WIRE_BOTH_WAYS(upload, TC_WIRE_UPLOAD)
TCI_WIRE_BOTH_WAYS(stats, TC_WIRE_STATS)
TCI_WIRE_BOTH_WAYS(nak, TC_WIRE_NAK)
TCI_WIRE_BOTH_WAYS(prediction, TC_WIRE_PREDICTION)
TCI_WIRE_BOTH_WAYS(identified, TC_WIRE_IDENTIFIED)
TCI_WIRE_BOTH_WAYS(felt, TC_WIRE_FELT)
TCI_WIRE_BOTH_WAYS(event, TC_WIRE_EVENT)
