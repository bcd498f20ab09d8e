/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The robot's state machine: one function per message, each of which answers with one frame.
 */
#include "robot.h"

#include "apps/checked.h"

#include <string.h>

_Static_assert(TC_WIRE_LIMBS == TC_ROBOT_LIMBS && TC_WIRE_LIMB_JOINTS == TC_ROBOT_JOINTS,
               "one number of limbs and of joints");

/* ---- Answers --------------------------------------------------------------------------------- */

static void answer(robot *r, uint32_t length)
{
    r->board.write(r->encoder.frame, length);
}

static void refuse(robot *r, const tc_wire_frame *frame, tc_wire_reason reason, tc_status status)
{
    const tc_wire_nak nak = {frame->type, frame->sequence, reason, status};
    r->stats.naks++;
    answer(r, tc_wire_put_nak(&r->encoder, &nak));
}

static void say_boot(robot *r)
{
    tc_wire_boot boot = {
        .session = r->session, .version = tc_version(), .tick_hz = r->board.tick_hz};
    app_text(boot.text, r->board.name);
    answer(r, tc_wire_put_boot(&r->encoder, &boot));
}

static void say_event(robot *r, tc_wire_event_kind kind, uint32_t value)
{
    const tc_wire_event event = {kind, r->tick, value};
    answer(r, tc_wire_put_event(&r->encoder, &event));
}

/* ---- Sessions -------------------------------------------------------------------------------- */

/* The estimator begins with the next sensors; nothing of the last run is told as if it were of the
 * next. */
static void stop(robot *r)
{
    r->running = 0;
    r->silent = 0;
    memset(&r->estimate, 0, sizeof r->estimate);
    memset(r->unseen, 0, sizeof r->unseen);
}

static void start(robot *r, uint32_t session, uint32_t budget_us, uint32_t silence_ms)
{
    stop(r);
    r->session = session;
    r->budget = app_ticks(r->board.tick_hz, budget_us > 0u ? budget_us : ROBOT_BUDGET_US, 1000000u);
    r->silence =
        app_ticks(r->board.tick_hz, silence_ms > 0u ? silence_ms : ROBOT_SILENCE_MS, 1000u);
    say_boot(r);
}

void robot_init(robot *r, const robot_board *board, const tc_robot *tables,
                const tc_feet_config *config)
{
    const robot_board kept = *board; /* which may be r's own */
    memset(r, 0, sizeof *r);
    r->board = kept;
    r->tables = tables;
    r->config = config;
    tc_wire_decoder_init(&r->decoder);
    start(r, 0, 0, 0);
}

static void on_hello(robot *r, const tc_wire_frame *frame)
{
    tc_wire_hello hello;
    const tc_status status = tc_wire_get_hello(frame, &hello);
    if (status != TC_OK) {
        refuse(r, frame, TC_WIRE_NAK_CONTENT, status);
        return;
    }
    start(r, hello.session, hello.budget_us, hello.silence_ms);
}

static void on_reset(robot *r, const tc_wire_frame *frame)
{
    tc_wire_reset reset;
    const tc_status status = tc_wire_get_reset(frame, &reset);
    if (status != TC_OK) {
        refuse(r, frame, TC_WIRE_NAK_CONTENT, status);
    } else if (reset.what == TC_WIRE_RESET_ALL) {
        robot_init(r, &r->board, r->tables, r->config);
    } else {
        stop(r);
        say_boot(r);
    }
}

/* ---- Ticks ----------------------------------------------------------------------------------- */

static void take_reals(const float *from, tc_real *to, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = (tc_real)from[i];
    }
}

/* A limb is lost for the ticks that never came, and for those in which it was silent. */
static void take_sensors(const tc_wire_robot *from, const uint32_t *lost, tc_feet_sensors *to)
{
    memset(to, 0, sizeof *to);
    to->given = from->given;
    take_reals(from->gyro, to->gyro, 3);
    take_reals(from->accel, to->accel, 3);
    take_reals(from->attitude, to->attitude, 4);
    take_reals(from->base_velocity, to->base_velocity, 3);
    take_reals(from->base_velocity_variance, to->base_velocity_variance, 3);
    take_reals(from->touch, to->touch, TC_ROBOT_LIMBS);
    to->step = (tc_real)from->step;
    for (uint32_t k = 0; k < from->limbs; k++) {
        take_reals(from->encoder[k], to->encoder[k], TC_ROBOT_JOINTS);
        take_reals(from->torque[k], to->torque[k], TC_ROBOT_JOINTS);
        to->given |= (from->touched >> k & 1u) != 0u ? TC_FEET_TOUCH(k) : 0u;
        to->lost[k] = lost[k];
    }
}

static void give_reals(const tc_real *from, float *to, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = (float)from[i];
    }
}

static void give_foot(const tc_feet_foot *from, tc_wire_foot *to)
{
    to->contact = from->contact;
    to->flags = from->flags;
    give_reals(from->p, to->p, 3);
    give_reals(from->impulse, to->impulse, 3);
    give_reals(from->impulse_variance, to->impulse_variance, 3);
    give_reals(from->slip, to->slip, 2);
    to->slip_variance = (float)from->slip_variance;
    to->friction = (float)from->friction;
    to->since = (float)from->since;
}

static void give_estimate(const tc_feet_estimate *from, uint32_t limbs, tc_wire_feet *to)
{
    to->flags = from->flags;
    to->limbs = limbs;
    give_reals(from->velocity, to->velocity, 3);
    give_reals(from->velocity_variance, to->velocity_variance, 2);
    to->height = (float)from->height;
    give_reals(from->slope, to->slope, 2);
    for (uint32_t k = 0; k < limbs; k++) {
        give_foot(&from->foot[k], &to->foot[k]);
    }
}

/* Bits of the limbs whose encoders and torques tc_feet_update would refuse. */
static uint32_t broken_limbs(const robot *r, const tc_wire_robot *said)
{
    const float most = 1e3f * (float)r->config->torque_limit;
    uint32_t broken = 0;
    for (uint32_t k = 0; k < said->limbs; k++) {
        const int without = (r->config->torqueless >> k & 1u) != 0u;
        for (uint32_t i = 0; i < said->joints[k]; i++) {
            const float q = said->encoder[k][i], torque = said->torque[k][i];
            const int pushes = without || (torque >= -most && torque <= most);
            broken |= q >= -1e4f && q <= 1e4f && pushes ? 0u : 1u << k;
        }
    }
    return broken;
}

/* The ticks between good_tick and this one: the IMU as it was, no limb reported. */
static void catch_up(robot *r, uint32_t passed)
{
    const uint32_t updates = passed < ROBOT_CATCH_UP ? passed : ROBOT_CATCH_UP;
    tc_feet_estimate unsaid;
    r->sensors.given = (r->sensors.given & TC_FEET_ATTITUDE) | TC_FEET_STEP;
    r->sensors.step = r->config->step;
    if (updates < passed) {
        r->sensors.step *= (tc_real)passed / (tc_real)updates;
    }
    for (uint32_t i = 1; i <= updates; i++) {
        for (uint32_t k = 0; k < TC_ROBOT_LIMBS; k++) {
            r->sensors.lost[k] = r->unseen[k] + i * passed / updates;
        }
        (void)tc_feet_update(&r->feet, &r->sensors, &unsaid, r->work, TC_COUNT(r->work));
    }
    r->good_tick += passed;
    memcpy(r->unseen, r->sensors.lost, sizeof r->unseen);
}

/* Ticks without sensors per limb, this one included; 0 of a limb that reports. */
static void count_lost(const robot *r, const tc_wire_robot *said, uint32_t *lost)
{
    const uint32_t silent = said->silent | (r->running ? broken_limbs(r, said) : 0u);
    for (uint32_t k = 0; k < TC_ROBOT_LIMBS; k++) {
        lost[k] = (silent >> k & 1u) != 0u ? r->unseen[k] + 1u : 0u;
    }
}

static tc_status advance(robot *r, const tc_wire_robot *said)
{
    uint32_t lost[TC_ROBOT_LIMBS];
    tc_feet_sensors sensors;
    tc_feet_estimate found;
    tc_status status = TC_OK;
    count_lost(r, said, lost);
    take_sensors(said, lost, &sensors);
    if (!r->running) {
        status =
            tc_feet_init(&r->feet, r->config, r->tables, &sensors, r->state, TC_COUNT(r->state));
    }
    if (status >= TC_OK) {
        status = tc_feet_update(&r->feet, &sensors, &found, r->work, TC_COUNT(r->work));
    }
    if (status >= TC_OK) {
        r->running = 1;
        r->good_tick = said->tick;
        r->sensors = sensors;
        memcpy(r->unseen, lost, sizeof r->unseen);
        give_estimate(&found, said->limbs, &r->estimate);
    }
    return status;
}

/* Whether that many ticks are too many to be made up for. */
static int is_gap(const robot *r, uint32_t passed)
{
    const tc_real most = (tc_real)ROBOT_CATCH_UP * (tc_real)ROBOT_STEP_MOST;
    return passed > ROBOT_GAP || (tc_real)passed * r->config->step > most;
}

/* One tick of the estimator, which these sensors begin if it has not begun or has missed too much. */
static tc_status estimate(robot *r, const tc_wire_robot *said)
{
    const uint32_t passed = r->running ? said->tick - r->good_tick - 1u : 0u;
    if (is_gap(r, passed)) {
        stop(r);
    } else if (passed > 0u) {
        catch_up(r, passed);
    }
    return advance(r, said);
}

/* The same, timed, counted, and told. Refused sensors leave the estimate before, flagged stale. */
static void tick(robot *r, const tc_wire_robot *said)
{
    const uint32_t before = r->board.ticks();
    const tc_status status = estimate(r, said);
    if (status < TC_OK) {
        r->stats.refused++;
        r->estimate.flags |= TC_FEET_STALE;
        r->estimate.limbs = said->limbs;
    }
    r->estimate.tick = r->tick = said->tick;
    r->estimate.status = status;
    r->stats.last = r->board.ticks() - before; /* the UART's own time is not the tick's */
    r->stats.worst = r->stats.last > r->stats.worst ? r->stats.last : r->stats.worst;
    r->stats.ticks++;
    r->heard = before;
    r->silent = 0;
    answer(r, tc_wire_put_feet(&r->encoder, &r->estimate));
    if (r->stats.last > r->budget) {
        r->stats.overruns++;
        say_event(r, TC_WIRE_EVENT_OVERRUN, r->stats.last);
    }
}

/* The limbs and joints that the tables have, and no others. */
static int is_of_robot(const robot *r, const tc_wire_robot *said)
{
    int same = said->limbs == r->tables->limbs;
    for (uint32_t k = 0; same && k < said->limbs; k++) {
        same = said->joints[k] == r->tables->limb[k].joints;
    }
    return same;
}

static void on_robot(robot *r, const tc_wire_frame *frame)
{
    tc_wire_robot said;
    tc_status status = tc_wire_get_robot(frame, &said);
    if (status == TC_OK && !is_of_robot(r, &said)) {
        status = TC_ERR_SIZE;
    }
    if (status != TC_OK) {
        refuse(r, frame, TC_WIRE_NAK_CONTENT, status);
        return;
    }
    const uint32_t ahead = said.tick - r->tick;
    if (r->running && ahead == 0u) { /* the answer was lost on its way */
        r->stats.old++;
        answer(r, tc_wire_put_feet(&r->encoder, &r->estimate));
    } else if (r->running && ahead >= 0x80000000u) {
        r->stats.old++;
        refuse(r, frame, TC_WIRE_NAK_OLD, TC_OK);
    } else {
        r->stats.missed += r->running ? ahead - 1u : 0u;
        tick(r, &said);
    }
}

void robot_watch(robot *r)
{
    const uint32_t quiet = r->board.ticks() - r->heard;
    if (r->running && !r->silent && quiet > r->silence) {
        r->silent = 1;
        r->stats.silences++;
        say_event(r, TC_WIRE_EVENT_SILENCE, (uint32_t)((uint64_t)quiet * 1000u / r->board.tick_hz));
    }
}

/* ---- The rest -------------------------------------------------------------------------------- */

static void on_stats(robot *r)
{
    r->stats.stack = (uint32_t)r->board.stack_used();
    r->stats.wire = r->decoder.counters;
    answer(r, tc_wire_put_stats(&r->encoder, &r->stats));
}

static void act(robot *r, const tc_wire_frame *frame)
{
    switch (frame->type) {
    case TC_WIRE_HELLO: on_hello(r, frame); break;
    case TC_WIRE_RESET: on_reset(r, frame); break;
    case TC_WIRE_ROBOT: on_robot(r, frame); break;
    case TC_WIRE_STATS_REQUEST: on_stats(r); break;
    default: refuse(r, frame, TC_WIRE_NAK_TYPE, TC_OK); break;
    }
}

void robot_receive(robot *r, const uint8_t *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        tc_wire_frame frame;
        tc_wire_result result;
        at += tc_wire_decode(&r->decoder, bytes + at, (uint32_t)(n - at), &frame, &result);
        if (result == TC_WIRE_FRAME) {
            act(r, &frame);
        } else if (result == TC_WIRE_OLD) {
            refuse(r, &frame, TC_WIRE_NAK_OLD, TC_OK);
        } else if (result == TC_WIRE_BAD) {
            refuse(r, &frame, TC_WIRE_NAK_FRAME, TC_OK);
        }
    }
}
