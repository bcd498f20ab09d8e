/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The contact estimator behind a byte stream, as on the leg's own microcontroller: sensors in,
 * estimates out, each tick, and when asked the next contact. docs/reference/wire.md has the
 * messages.
 *
 * A state machine that is fed bytes and the time and emits bytes; main.c ties it to a board.
 * Numbered frames depend on the bytes alone, so the same bytes into the host's build give the same
 * frames. What the clock causes (silence, overruns) is told by EVENT and counted in STATS.
 *
 *     nothing loaded --PARAMETERS--> waiting --SENSORS--> running
 *     running --HELLO, RESET, a new upload--> waiting
 *
 * Waiting, the next SENSORS are where the estimator begins. Without parameters SENSORS are refused:
 * nothing is estimated of a leg that is not known.
 *
 * An upload is kept beside what is in use, and takes its place when it has passed: checksum,
 * reader, fit, self-test. What is in use always fits: a model must have been trained for a point of
 * the leg's last link and for its tick, and is the estimator's friction model from the next begin
 * on; it comes after parameters, and parameters that it does not fit are refused until an empty
 * upload has taken it away. Memory: this struct (17 KB on a Cortex-M), and two rooms for a model
 * from the caller.
 *
 * Beside this, and with or without parameters, the floor is identified from IMPACTs (floor.h).
 */
#ifndef FOOT_H
#define FOOT_H

#include "tinycontact.h"
#include "tc_estimator_record.h"
#include "tc_bytes.h"
#include "floor.h"

/* Sensors missing that long are a silence, and a tick that long an overrun, where HELLO says
 * nothing else. */
#define FOOT_SILENCE_MS 20u
#define FOOT_BUDGET_US 1000u

/* All predictions of a tick together take what its update leaves of the tick's time, and
 * FOOT_PREDICT_WORK at most. Counted in instructions of a Cortex-M4F and not by the clock, for the
 * same bytes must give the same frames: 100 in a microsecond, at 1.6 cycles each, are 95 % of an
 * STM32F405's 168 MHz. An update with its model takes no more than FOOT_UPDATE_WORK; with six
 * joints that is nearly all of 1 ms. */
#define FOOT_WORK_PER_US 100u
#define FOOT_UPDATE_WORK(joints) (12000u + 2200u * (joints) * (joints))
#define FOOT_PREDICT_WORK 60000u

/* A step of a prediction takes so much more on a ground of so many parts. */
#define FOOT_GROUND_WORK(parts) (500u + 250u * (parts))

/* An IMPACT takes no more than this, which predictions of the same tick lack then. */
#define FOOT_IMPACT_WORK 40000u

/* What a self-test needs of the widest net; an update with the widest nets as its model needs
 * less. */
#define FOOT_WORK TC_MODEL_SELFTEST_WORK(TC_NET_WIDTH_MAX)

/* What the application needs of a board. */
typedef struct foot_board {
    const char *name;
    uint32_t tick_hz;           /* rate of `ticks` [Hz] */
    uint32_t (*ticks)(void);    /* wraps at 2^32 */
    size_t (*stack_used)(void); /* [bytes] */
    void (*write)(const void *bytes, size_t n);
    void (*burn)(uint32_t loops); /* spends time, for tests of overruns; null: there is no TEST */
    uint8_t *model_room[2];       /* 16-byte aligned */
    uint32_t model_bytes;         /* of each */
} foot_board;

/* A model file with its friction model. */
typedef struct foot_model {
    tc_model file;
    tc_learned2_nets nets;
    tc_estimator_foot foot;
    tc_estimator_model friction;
    uint32_t size; /* [bytes]; 0: none */
} foot_model;

/* An upload on its way. */
typedef struct foot_upload {
    uint32_t kind, size, crc; /* tc_wire_kind, 0: none */
    uint32_t bytes;           /* that have come */
    uint8_t record[TC_ESTIMATOR_RECORD_MAX];
} foot_upload;

typedef struct foot {
    foot_board board;
    tc_wire_decoder decoder;
    tc_wire_encoder encoder;
    uint32_t session, budget, silence; /* budget and silence in ticks of the board's clock */
    uint32_t budget_us;

    tc_estimator_record record[2];                 /* in use: [record_used] */
    uint32_t record_used, record_size, record_crc; /* size 0: none */
    foot_model model[2]; /* in use: [model_used], its bytes in model_room[model_used] */
    uint32_t model_used;
    foot_upload upload;

    tc_estimator estimator;
    tc_real state[TC_ESTIMATOR_STATE(TC_LEG_JOINTS)];
    tc_real work[FOOT_WORK];
    int running;               /* the estimator has begun */
    uint32_t tick, good_tick;  /* of the last SENSORS, and of the last whose update did not fail */
    tc_wire_estimate estimate; /* the last one sent */
    tc_wire_predict asked;     /* the last question of this tick, */
    tc_wire_prediction prediction; /* and its answer; horizon 0: none yet */
    uint32_t steps;                /* that are left for predictions of this tick */
    tc_wire_stats stats;           /* `wire` and `stack` are filled when asked for */
    uint32_t heard;                /* when the last SENSORS came */
    int silent;
    uint32_t burn; /* loops that the next tick takes longer */
    foot_floor floor;
} foot;

/* As after power-up; says BOOT. */
void foot_init(foot *f, const foot_board *board);

/* Acts on every frame that ends within these bytes. */
void foot_receive(foot *f, const uint8_t *bytes, size_t n);

/* Looks at the clock: to be called whenever the loop comes round, at least once per 2^31 ticks of
 * it. */
void foot_watch(foot *f);

#endif
