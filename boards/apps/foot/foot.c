/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The firmware's state machine: one function per message, each of which answers with one frame.
 */
#include "foot.h"

#include "apps/checked.h"

#include <string.h>

_Static_assert(TC_COUNT(((foot *)0)->work) >= TC_ESTIMATOR_STATE(TC_LEG_JOINTS),
               "a trial's state fits the workspace");
_Static_assert(TC_COUNT(((foot *)0)->work)
                   >= TC_ESTIMATOR_WORK(TC_LEG_JOINTS, TC_LEARNED2_NETS_WORK(TC_NET_WIDTH_MAX)),
               "workspace of the estimator and its model");
_Static_assert(TC_COUNT(((foot *)0)->work) >= FOOT_FLOOR_WORK, "workspace of the floor");
_Static_assert(TC_WIRE_JOINTS == TC_LEG_JOINTS, "one number of joints");

/* ---- Answers --------------------------------------------------------------------------------- */

static void answer(foot *f, uint32_t length)
{
    f->board.write(f->encoder.frame, length);
}

static void refuse(foot *f, const tc_wire_frame *frame, tc_wire_reason reason, tc_status status)
{
    const tc_wire_nak nak = {frame->type, frame->sequence, reason, status};
    f->stats.naks++;
    answer(f, tc_wire_put_nak(&f->encoder, &nak));
}

static void say_boot(foot *f)
{
    const foot_model *const model = &f->model[f->model_used];
    tc_wire_boot boot = {
        .session = f->session,
        .version = tc_version(),
        .tick_hz = f->board.tick_hz,
        .parameter_room = TC_ESTIMATOR_RECORD_MAX,
        .model_room = f->board.model_bytes,
        .parameter_crc = f->record_crc,
        .parameter_size = f->record_size,
        .model_size = model->size,
    };
    if (model->size > 0u) {
        memcpy(boot.model_hash, model->file.hash, sizeof boot.model_hash);
    }
    app_text(boot.text, f->board.name);
    answer(f, tc_wire_put_boot(&f->encoder, &boot));
}

static void say_event(foot *f, tc_wire_event_kind kind, uint32_t value)
{
    const tc_wire_event event = {kind, f->tick, value};
    answer(f, tc_wire_put_event(&f->encoder, &event));
}

/* ---- Sessions -------------------------------------------------------------------------------- */

/* The estimator begins with the next sensors; nothing of the last run is told as if it were of the
 * next. */
static void stop(foot *f)
{
    f->running = 0;
    f->silent = 0;
    memset(&f->estimate, 0, sizeof f->estimate);
}

static void start(foot *f, uint32_t session, uint32_t budget_us, uint32_t silence_ms)
{
    stop(f);
    f->session = session;
    f->budget_us = budget_us > 0u ? budget_us : FOOT_BUDGET_US;
    f->budget = app_ticks(f->board.tick_hz, f->budget_us, 1000000u);
    f->silence = app_ticks(f->board.tick_hz, silence_ms > 0u ? silence_ms : FOOT_SILENCE_MS, 1000u);
    f->upload.kind = 0;
    foot_floor_reset(&f->floor);
    say_boot(f);
}

void foot_init(foot *f, const foot_board *board)
{
    const foot_board kept = *board; /* which may be f's own */
    memset(f, 0, sizeof *f);
    f->board = kept;
    start(f, 0, 0, 0);
}

static void on_hello(foot *f, const tc_wire_frame *frame)
{
    tc_wire_hello hello;
    const tc_status status = tc_wire_get_hello(frame, &hello);
    if (status != TC_OK) {
        refuse(f, frame, TC_WIRE_NAK_CONTENT, status);
        return;
    }
    start(f, hello.session, hello.budget_us, hello.silence_ms);
}

static void on_reset(foot *f, const tc_wire_frame *frame)
{
    tc_wire_reset reset;
    const tc_status status = tc_wire_get_reset(frame, &reset);
    if (status != TC_OK) {
        refuse(f, frame, TC_WIRE_NAK_CONTENT, status);
    } else if (reset.what == TC_WIRE_RESET_ALL) {
        foot_init(f, &f->board);
    } else {
        stop(f);
        foot_floor_reset(&f->floor);
        say_boot(f);
    }
}

/* ---- Ticks ----------------------------------------------------------------------------------- */

/* `lost` counts what the estimator has not seen: ticks that never came and ticks that it
 * refused. */
static void take_sensors(const tc_wire_sensors *from, uint32_t lost, tc_estimator_sensors *to)
{
    memset(to, 0, sizeof *to);
    for (uint32_t i = 0; i < from->joints; i++) {
        to->encoder[i] = (tc_real)from->encoder[i];
        to->torque[i] = (tc_real)from->torque[i];
    }
    to->gyro = (tc_real)from->gyro;
    to->accel[0] = (tc_real)from->accel[0];
    to->accel[1] = (tc_real)from->accel[1];
    to->pitch = (tc_real)from->pitch;
    to->base_velocity = (tc_real)from->base_velocity;
    to->touch = (tc_real)from->touch;
    to->place = (tc_real)from->place;
    to->given = from->given;
    to->lost = lost;
}

static void take_estimate(const tc_estimator_estimate *from, tc_wire_estimate *to)
{
    for (uint32_t i = 0; i < 3u; i++) {
        to->p[i] = (float)from->p[i];
    }
    for (uint32_t i = 0; i < 2u; i++) {
        to->impulse[i] = (float)from->impulse[i];
        to->impulse_variance[i] = (float)from->impulse_variance[i];
    }
    to->slip = (float)from->slip;
    to->slip_variance = (float)from->slip_variance;
    to->since = (float)from->since;
    to->contact = from->contact;
    to->flags = from->flags;
}

/* One tick of the estimator, which these sensors begin if it has not begun. */
static tc_status estimate(foot *f, const tc_wire_sensors *said)
{
    const tc_estimator_record *const record = &f->record[f->record_used];
    const foot_model *const model = &f->model[f->model_used];
    tc_estimator_sensors sensors;
    tc_estimator_estimate found;
    tc_status status = TC_OK;
    const int first = !f->running;
    take_sensors(said, first ? 0u : said->tick - f->good_tick - 1u, &sensors);
    if (first) {
        status = tc_estimator_init(&f->estimator, &record->config, &record->leg,
                                   model->size > 0u ? &model->friction : NULL, &sensors, f->state,
                                   TC_COUNT(f->state));
    }
    if (first && status >= 0 && record->ground.count > 0u) {
        status = tc_estimator_stand_on(&f->estimator, &record->ground.section, sensors.place);
    }
    if (status >= 0) {
        status = tc_estimator_update(&f->estimator, &sensors, &found, f->work, TC_COUNT(f->work));
    }
    if (status < 0) {
        return status;
    }
    f->running = 1;
    f->good_tick = said->tick;
    take_estimate(&found, &f->estimate);
    return status;
}

/* Adds to the time of this tick; that it is too long is told once. */
static void spend(foot *f, uint32_t ticks)
{
    const int over = f->stats.last > f->budget;
    f->stats.last += ticks;
    f->stats.worst = f->stats.last > f->stats.worst ? f->stats.last : f->stats.worst;
    if (f->stats.last > f->budget && !over) {
        f->stats.overruns++;
        say_event(f, TC_WIRE_EVENT_OVERRUN, f->stats.last);
    }
}

/* What an update leaves of `budget_us` for predictions, on a ground of so many parts */
static uint32_t steps_of_tick(uint32_t joints, uint32_t parts, uint32_t budget_us)
{
    const uint32_t enough =
        (FOOT_UPDATE_WORK(TC_LEG_JOINTS) + FOOT_PREDICT_WORK) / FOOT_WORK_PER_US + 1u;
    const uint32_t work = FOOT_WORK_PER_US * (budget_us < enough ? budget_us : enough);
    const uint32_t update = FOOT_UPDATE_WORK(joints), left = work > update ? work - update : 0u;
    const uint32_t steps =
        TC_PREDICT_STEPS(joints, left < FOOT_PREDICT_WORK ? left : FOOT_PREDICT_WORK);
    const uint32_t each = TC_PREDICT_STEP_WORK(joints);
    return parts == 0u ? steps : steps * each / (each + FOOT_GROUND_WORK(parts));
}

/* A new tick has all its time before it. */
static void begin_tick(foot *f)
{
    f->stats.last = 0;
    const tc_estimator_record *const record = &f->record[f->record_used];
    f->steps = steps_of_tick(record->leg.joints, record->ground.count, f->budget_us);
    memset(&f->prediction, 0, sizeof f->prediction);
}

/* The same, timed, counted, and told. Refused sensors leave the estimate before, flagged stale. */
static void tick(foot *f, const tc_wire_sensors *said)
{
    const uint32_t before = f->board.ticks();
    begin_tick(f);
    if (f->burn > 0u) {
        f->board.burn(f->burn);
        f->burn = 0;
    }
    const tc_status status = estimate(f, said);
    if (status < 0) {
        f->stats.refused++;
        f->estimate.flags |= TC_ESTIMATE_STALE;
    }
    f->estimate.tick = f->tick = said->tick;
    f->estimate.status = status;
    const uint32_t spent = f->board.ticks() - before; /* the UART's own time is not the tick's */
    f->heard = before;
    f->silent = 0;
    f->stats.ticks++;
    answer(f, tc_wire_put_estimate(&f->encoder, &f->estimate));
    spend(f, spent);
}

static void on_sensors(foot *f, const tc_wire_frame *frame)
{
    tc_wire_sensors said;
    tc_status status = tc_wire_get_sensors(frame, &said);
    if (status == TC_OK && f->record_size > 0u
        && said.joints != f->record[f->record_used].leg.joints) {
        status = TC_ERR_SIZE;
    }
    if (status != TC_OK) {
        refuse(f, frame, TC_WIRE_NAK_CONTENT, status);
        return;
    }
    if (f->record_size == 0u) {
        refuse(f, frame, TC_WIRE_NAK_STATE, TC_OK);
        return;
    }
    const uint32_t ahead = said.tick - f->tick;
    if (f->running && (ahead == 0u || ahead >= 0x80000000u)) {
        f->stats.old++;
        if (ahead == 0u) {
            answer(f, tc_wire_put_estimate(&f->encoder, &f->estimate));
        } else {
            refuse(f, frame, TC_WIRE_NAK_OLD, TC_OK);
        }
        return;
    }
    f->stats.missed += f->running ? ahead - 1u : 0u;
    tick(f, &said);
}

void foot_watch(foot *f)
{
    const uint32_t quiet = f->board.ticks() - f->heard;
    if (f->running && !f->silent && quiet > f->silence) {
        f->silent = 1;
        f->stats.silences++;
        say_event(f, TC_WIRE_EVENT_SILENCE, (uint32_t)((uint64_t)quiet * 1000u / f->board.tick_hz));
    }
}

/* ---- Predictions ----------------------------------------------------------------------------- */

/* Counted from the last sensors that were not refused: of later ones the estimator knows
 * nothing. */
static void take_prediction(const foot *f, const tc_estimator_prediction *from, tc_status status,
                            tc_wire_prediction *to)
{
    to->tick = f->good_tick;
    to->status = status;
    to->kind = (uint32_t)from->kind;
    to->mode = from->mode;
    to->time = (float)from->time;
    to->early = (float)from->early;
    to->late = (float)from->late;
    to->velocity[0] = (float)from->velocity[0];
    to->velocity[1] = (float)from->velocity[1];
    to->horizon = (float)from->horizon;
}

/* What is asked for, or as much of it as this tick has steps left. */
static tc_status predict(foot *f, const tc_wire_predict *asked)
{
    const uint32_t budget =
        asked->budget > 0u && asked->budget < f->steps ? asked->budget : f->steps;
    tc_estimator_prediction found;
    const tc_status status =
        tc_estimator_predict(&f->estimator, (tc_real)asked->horizon, budget, &found);
    if (status < 0) {
        /* what fails after its steps fails again */
        f->steps = status == TC_ERR_RANGE ? f->steps : 0u;
        return status;
    }
    f->asked = *asked;
    f->steps -= (uint32_t)(found.horizon / f->estimator.config->step + TC_C(0.5));
    take_prediction(f, &found, status, &f->prediction);
    return status;
}

/* Asked the same again, it says the same again: the answer may have been lost on its way. */
static void on_predict(foot *f, const tc_wire_frame *frame)
{
    const uint32_t before = f->board.ticks();
    tc_wire_predict asked;
    tc_status status = tc_wire_get_predict(frame, &asked);
    const int again = f->prediction.horizon > 0.0f && memcmp(&asked, &f->asked, sizeof asked) == 0;
    if (status == TC_OK && (!f->running || (f->steps == 0u && !again))) {
        refuse(f, frame, TC_WIRE_NAK_STATE, TC_OK);
        return;
    }
    if (status == TC_OK && !again) {
        status = predict(f, &asked);
    }
    const uint32_t spent = f->board.ticks() - before;
    if (status < 0) {
        refuse(f, frame, status == TC_ERR_NOT_FINITE ? TC_WIRE_NAK_FAILED : TC_WIRE_NAK_CONTENT,
               status);
    } else {
        answer(f, tc_wire_put_prediction(&f->encoder, &f->prediction));
    }
    spend(f, spent);
}

/* ---- The floor ------------------------------------------------------------------------------- */

/* An impact's time and work are its tick's. Without a leg that ticks, each has all time before it. */
static void on_floor(foot *f, const tc_wire_frame *frame)
{
    const uint32_t before = f->board.ticks();
    const uint32_t joints = f->record[f->record_used].leg.joints;
    const foot_floor_answer said =
        foot_floor_act(&f->floor, frame, &f->encoder, f->work, TC_COUNT(f->work));
    const uint32_t spent = f->board.ticks() - before;
    if (said.length == 0u) {
        refuse(f, frame, said.reason, said.status);
        return;
    }
    answer(f, said.length);
    if (frame->type == TC_WIRE_IMPACT) {
        const uint32_t lost = TC_PREDICT_STEPS(joints, 4000u + FOOT_IMPACT_WORK) + 1u;
        f->steps = f->running && f->steps > lost ? f->steps - lost : 0u;
        f->stats.last = f->running ? f->stats.last : 0u;
        spend(f, spent);
    }
}

/* ---- Uploads --------------------------------------------------------------------------------- */

static void say_upload(foot *f, tc_status status, uint32_t fault)
{
    const tc_wire_upload upload = {f->upload.kind, status, f->upload.bytes, fault};
    answer(f, tc_wire_put_upload(&f->encoder, &upload));
}

/* Where the bytes go: beside what is in use. */
static uint8_t *upload_room(foot *f, uint32_t kind, uint32_t *bytes)
{
    *bytes = kind == TC_WIRE_PARAMETERS ? TC_ESTIMATOR_RECORD_MAX : f->board.model_bytes;
    return kind == TC_WIRE_PARAMETERS ? f->upload.record : f->board.model_room[1u - f->model_used];
}

static void on_upload_begin(foot *f, const tc_wire_frame *frame)
{
    tc_wire_upload_begin begin;
    uint32_t room;
    const tc_status status = tc_wire_get_upload_begin(frame, &begin);
    if (status != TC_OK) {
        refuse(f, frame, TC_WIRE_NAK_CONTENT, status);
        return;
    }
    if (begin.kind == TC_WIRE_MODEL && f->record_size == 0u) {
        refuse(f, frame, TC_WIRE_NAK_STATE, TC_OK); /* a model is made for a leg */
        return;
    }
    (void)upload_room(f, begin.kind, &room);
    f->upload.kind = begin.size <= room ? (uint32_t)begin.kind : 0u;
    f->upload.size = begin.size;
    f->upload.crc = begin.crc;
    f->upload.bytes = 0;
    say_upload(f, begin.size <= room ? TC_OK : TC_ERR_SIZE, 0);
}

static void on_upload_chunk(foot *f, const tc_wire_frame *frame)
{
    tc_wire_upload_chunk chunk;
    uint32_t room;
    const tc_status status = tc_wire_get_upload_chunk(frame, &chunk);
    if (status != TC_OK) {
        refuse(f, frame, TC_WIRE_NAK_CONTENT, status);
    } else if (f->upload.kind == 0u) {
        refuse(f, frame, TC_WIRE_NAK_STATE, TC_OK);
    } else if (chunk.offset != f->upload.bytes || chunk.n > f->upload.size - f->upload.bytes) {
        say_upload(f, TC_ERR_SIZE, 0);
    } else {
        memcpy(upload_room(f, f->upload.kind, &room) + f->upload.bytes, chunk.bytes, chunk.n);
        f->upload.bytes += chunk.n;
        say_upload(f, TC_OK, 0);
    }
}

/* A leg at rest on its base: what a new record is tried on, with a state of its own. */
static tc_status try_record(foot *f, const tc_estimator_record *record)
{
    tc_estimator trial;
    const tc_estimator_sensors rest = {.accel = {TC_C(0.0), record->leg.g}};
    return tc_estimator_init(&trial, &record->config, &record->leg, NULL, &rest, f->work,
                             TC_COUNT(f->work));
}

/* The friction model of the nets in `file`, for the leg of `record`. */
static tc_status fit(foot_model *model, const tc_model *file, const tc_estimator_record *record)
{
    const tc_status status =
        tc_estimator_foot_open(&model->foot, &model->nets, file, &record->leg, record->config.step);
    model->friction = tc_estimator_foot_model(&model->foot);
    return status;
}

/* The model in use, if there is one, as that of another leg: tried beside it, then for good. */
static tc_status fit_again(foot *f, const tc_estimator_record *record)
{
    foot_model *const used = &f->model[f->model_used], *const spare = &f->model[1u - f->model_used];
    const tc_status status = used->size > 0u ? fit(spare, &used->file, record) : TC_OK;
    return status == TC_OK && used->size > 0u ? fit(used, &used->file, record) : status;
}

static tc_status install_record(foot *f)
{
    const uint32_t other = 1u - f->record_used;
    tc_status status =
        tc_estimator_record_read(f->upload.record, f->upload.size, &f->record[other]);
    if (status == TC_OK) {
        status = try_record(f, &f->record[other]);
    }
    if (status == TC_OK) {
        status = fit_again(f, &f->record[other]);
    }
    if (status != TC_OK) {
        return status;
    }
    f->record_used = other;
    f->record_size = f->upload.size;
    f->record_crc = f->upload.crc;
    return TC_OK;
}

static tc_status install_model(foot *f, uint32_t *fault)
{
    const uint32_t other = 1u - f->model_used;
    foot_model *const model = &f->model[other];
    tc_status status = TC_OK;
    memset(model, 0, sizeof *model);
    if (f->upload.size > 0u) {
        status = tc_model_open(&model->file, f->board.model_room[other], f->upload.size);
        *fault = model->file.fault_offset;
    }
    if (status == TC_OK && f->upload.size > 0u) {
        tc_learned_record record;
        status = tc_learned_record_read(&model->file, &record, fault);
    }
    if (status == TC_OK && f->upload.size > 0u) {
        status = fit(model, &model->file, &f->record[f->record_used]);
    }
    if (status == TC_OK && f->upload.size > 0u) {
        status = tc_model_selftest(&model->file, NULL, f->work, TC_COUNT(f->work));
    }
    if (status != TC_OK) {
        return status;
    }
    model->size = f->upload.size;
    f->model_used = other;
    return TC_OK;
}

static void on_upload_commit(foot *f, const tc_wire_frame *frame)
{
    uint32_t room, fault = 0;
    if (f->upload.kind == 0u) {
        refuse(f, frame, TC_WIRE_NAK_STATE, TC_OK);
        return;
    }
    if (f->upload.bytes != f->upload.size) {
        say_upload(f, TC_ERR_SIZE, 0); /* goes on where it stopped */
        return;
    }
    const uint8_t *const bytes = upload_room(f, f->upload.kind, &room);
    tc_status status =
        tc_bytes_crc32(0, bytes, f->upload.size) == f->upload.crc ? TC_OK : TC_ERR_MODEL_CRC;
    if (status == TC_OK) {
        status =
            f->upload.kind == TC_WIRE_PARAMETERS ? install_record(f) : install_model(f, &fault);
    }
    if (status == TC_OK) {
        stop(f);
    }
    say_upload(f, status, fault);
    f->upload.kind = 0;
}

/* ---- The rest -------------------------------------------------------------------------------- */

static void on_stats(foot *f)
{
    f->stats.stack = (uint32_t)f->board.stack_used();
    f->stats.wire = f->decoder.counters;
    answer(f, tc_wire_put_stats(&f->encoder, &f->stats));
}

static void on_test(foot *f, const tc_wire_frame *frame)
{
    tc_wire_test test;
    const tc_status status = tc_wire_get_test(frame, &test);
    if (f->board.burn == NULL) {
        refuse(f, frame, TC_WIRE_NAK_TYPE, TC_OK);
    } else if (status != TC_OK) {
        refuse(f, frame, TC_WIRE_NAK_CONTENT, status);
    } else {
        f->burn = test.value;
    }
}

static void act(foot *f, const tc_wire_frame *frame)
{
    switch (frame->type) {
    case TC_WIRE_HELLO: on_hello(f, frame); break;
    case TC_WIRE_SENSORS: on_sensors(f, frame); break;
    case TC_WIRE_PREDICT: on_predict(f, frame); break;
    case TC_WIRE_UPLOAD_BEGIN: on_upload_begin(f, frame); break;
    case TC_WIRE_UPLOAD_CHUNK: on_upload_chunk(f, frame); break;
    case TC_WIRE_UPLOAD_COMMIT: on_upload_commit(f, frame); break;
    case TC_WIRE_STATS_REQUEST: on_stats(f); break;
    case TC_WIRE_RESET: on_reset(f, frame); break;
    case TC_WIRE_PRIOR:
    case TC_WIRE_IMPACT:
    case TC_WIRE_SAVE:
    case TC_WIRE_RESTORE: on_floor(f, frame); break;
    case TC_WIRE_TEST: on_test(f, frame); break;
    default: refuse(f, frame, TC_WIRE_NAK_TYPE, TC_OK); break;
    }
}

void foot_receive(foot *f, const uint8_t *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        tc_wire_frame frame;
        tc_wire_result result;
        at += tc_wire_decode(&f->decoder, bytes + at, (uint32_t)(n - at), &frame, &result);
        if (result == TC_WIRE_FRAME) {
            act(f, &frame);
        } else if (result == TC_WIRE_OLD) {
            refuse(f, &frame, TC_WIRE_NAK_OLD, TC_OK);
        } else if (result == TC_WIRE_BAD) {
            refuse(f, &frame, TC_WIRE_NAK_FRAME, TC_OK);
        }
    }
}
