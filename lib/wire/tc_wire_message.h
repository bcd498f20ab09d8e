/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the frames of tc_wire.h say: one struct, one tc_wire_put_ and one tc_wire_get_ per message.
 *
 * tc_wire_put_X makes encoder->frame of a message and returns its bytes. tc_wire_get_X reads a frame of the type
 * TC_WIRE_X: TC_OK; TC_ERR_SIZE if its length is not the message's; TC_ERR_RANGE if a count or an enumeration in
 * it is not allowed; then the struct is zero. Numbers that are not finite pass: what computes with them
 * judges. Messages without contents (UPLOAD_COMMIT, STATS_REQUEST) go by tc_wire_encode(e, type, 0).
 *
 * Numbers are float here whatever tc_real is: the bytes are the same for every build. SI units; axes and signs
 * are those of tc_estimator.h.
 */
#ifndef TC_WIRE_MESSAGE_H
#define TC_WIRE_MESSAGE_H

#include "tc_wire.h"

TC_BEGIN

#define TC_WIRE_JOINTS 6u
#define TC_WIRE_CHUNK_MAX (TC_WIRE_PAYLOAD_MAX - 4u)
#define TC_WIRE_TEXT 96u

/* ---- To the board ----------------------------------------------------------------------------------- */

/* Begins a session: the estimator starts anew with the next SENSORS. Answered by BOOT. */
typedef struct tc_wire_hello {
    uint32_t session;   /* any number but 0; BOOT echoes it */
    uint32_t budget_us; /* time that one tick may take before it is counted as an overrun [us]; 0: 1000 */
    uint32_t silence_ms; /* time without SENSORS after which the board says so [ms]; 0: 20 */
} tc_wire_hello;

/* The sensors of one tick. Answered by ESTIMATE, or by NAK. */
typedef struct tc_wire_sensors {
    uint32_t tick;      /* one more than the last; more: ticks were lost; not more: not processed again */
    uint32_t joints;    /* 1..TC_WIRE_JOINTS */
    uint32_t given;     /* TC_GIVEN_... of tc_estimator.h, 0..255 */
    float gyro;         /* [rad/s] */
    float accel[2];     /* [m/s^2] */
    float pitch;        /* [rad] */
    float base_velocity; /* [m/s] */
    float touch;        /* 0..1 */
    float encoder[TC_WIRE_JOINTS]; /* [rad] or [m]; zero beyond `joints` */
    float torque[TC_WIRE_JOINTS];  /* [N m] or [N] */
} tc_wire_sensors;

typedef enum tc_wire_kind {
    TC_WIRE_PARAMETERS = 1, /* leg and estimator: docs/reference/wire.md */
    TC_WIRE_MODEL = 2       /* a model file (.tcm); of 0 bytes: work without a learned model */
} tc_wire_kind;

/* BEGIN, then CHUNKs in order, then COMMIT; each is answered by UPLOAD. What is loaded stays in use until the
 * new bytes have passed checksum, reader and self-test. */
typedef struct tc_wire_upload_begin {
    uint32_t kind; /* tc_wire_kind */
    uint32_t size; /* [bytes] */
    uint32_t crc;  /* CRC-32 of all of them */
} tc_wire_upload_begin;

typedef struct tc_wire_upload_chunk {
    uint32_t offset;      /* where the bytes belong: as many as came before */
    uint32_t n;           /* 1..TC_WIRE_CHUNK_MAX */
    const uint8_t *bytes; /* read: in the frame */
} tc_wire_upload_chunk;

typedef enum tc_wire_reset_what {
    TC_WIRE_RESET_ESTIMATOR = 0, /* starts anew with the next SENSORS; answered by BOOT */
    TC_WIRE_RESET_ALL = 1        /* as after power-up: nothing loaded, counters 0; answered by BOOT */
} tc_wire_reset_what;

typedef struct tc_wire_reset {
    uint32_t what; /* tc_wire_reset_what */
} tc_wire_reset;

/* Asks for the next contact, from the estimate there is. Answered by PREDICTION, or by NAK. */
typedef struct tc_wire_predict {
    float horizon;   /* above 0, up to 1 [s] */
    uint32_t budget; /* steps to roll at most; 0, or more than the board has left in this tick: those */
} tc_wire_predict;

/* Faults on purpose; known to test firmware alone, others answer NAK. */
typedef enum tc_wire_test_what {
    TC_WIRE_TEST_BURN = 1 /* the next tick takes `value` loops longer */
} tc_wire_test_what;

typedef struct tc_wire_test {
    uint32_t what; /* tc_wire_test_what */
    uint32_t value;
} tc_wire_test;

/* ---- From the board --------------------------------------------------------------------------------- */

/* Who speaks: after power-up (session 0, unasked), HELLO and RESET. */
typedef struct tc_wire_boot {
    uint32_t session;        /* of the last HELLO; 0 after power-up or a full RESET */
    uint32_t version;        /* tc_version() */
    uint32_t tick_hz;        /* rate of the times in STATS [Hz] */
    uint32_t parameter_room; /* largest uploads [bytes] */
    uint32_t model_room;
    uint32_t parameter_crc;  /* CRC-32 of what is loaded */
    uint32_t parameter_size; /* [bytes]; 0: none loaded */
    uint32_t model_size;
    uint8_t model_hash[16];  /* of the file; 0 if none is loaded */
    char text[TC_WIRE_TEXT]; /* "tc_version_text(); board name", zeros to the end */
} tc_wire_boot;

typedef struct tc_wire_estimate {
    uint32_t tick;      /* of the SENSORS it answers */
    int32_t status;     /* tc_status of the update; negative: what follows is the estimate before, flagged stale */
    uint32_t flags;     /* TC_ESTIMATE_... */
    uint32_t contact;   /* 0 or 1 */
    float p[3];         /* air, static, dynamic */
    float impulse[2];   /* [N s] */
    float impulse_variance[2]; /* [N^2 s^2] */
    float slip;         /* [m/s] */
    float slip_variance; /* [m^2/s^2] */
    float since;        /* [s] */
} tc_wire_estimate;

typedef struct tc_wire_upload {
    uint32_t kind;   /* of the upload under way; 0: none */
    int32_t status;  /* TC_OK, or why not (negative) */
    uint32_t bytes;  /* that have come: the offset that the next CHUNK must have */
    uint32_t fault;  /* offset of what was wrong in it, after a failed COMMIT */
} tc_wire_upload;

/* Since power-up or the last full RESET; all wrap at 2^32. */
typedef struct tc_wire_stats {
    uint32_t ticks;      /* SENSORS processed */
    uint32_t refused;    /* ... whose update failed */
    uint32_t missed;     /* ticks that never came, by their numbers */
    uint32_t old;        /* SENSORS whose tick was not new, not processed again */
    uint32_t overruns;   /* ticks that took longer than the budget */
    uint32_t silences;   /* times that no SENSORS came for silence_ms */
    uint32_t worst;      /* longest tick and last tick [1/tick_hz s] */
    uint32_t last;
    uint32_t stack;      /* deepest use [bytes]; 0: not measured */
    uint32_t naks;       /* sent */
    tc_wire_counters wire; /* of the board's decoder */
} tc_wire_stats;

typedef enum tc_wire_reason {
    TC_WIRE_NAK_FRAME = 1,   /* TC_WIRE_BAD: type and sequence are not known, 0 */
    TC_WIRE_NAK_OLD = 2,     /* TC_WIRE_OLD, or a tick before the last one */
    TC_WIRE_NAK_TYPE = 3,    /* no message for a board */
    TC_WIRE_NAK_CONTENT = 4, /* tc_wire_get_ refused it: status says why */
    TC_WIRE_NAK_STATE = 5,   /* not now: no parameters, no estimate, no upload begun */
    TC_WIRE_NAK_FAILED = 6   /* tried, and failed: status says why */
} tc_wire_reason;

typedef struct tc_wire_nak {
    uint32_t type;     /* of the frame that is refused */
    uint32_t sequence; /* ... */
    uint32_t reason;   /* tc_wire_reason */
    int32_t status;    /* tc_status, 0 where there is none */
} tc_wire_nak;

typedef struct tc_wire_prediction {
    uint32_t tick;     /* of the sensors from which it was rolled: the last that were not refused */
    int32_t status;    /* TC_OK; TC_NOTE_LIMIT: `horizon` is shorter than asked for */
    uint32_t kind;     /* tc_estimator_predict_event; these and the rest as in tc_estimator_predict.h */
    uint32_t mode;
    float time;        /* ahead of that tick [s] */
    float early, late; /* [s] */
    float velocity[2]; /* [m/s] */
    float horizon;     /* that was rolled [s] */
} tc_wire_prediction;

/* What happened by the board's clock; not numbered, and not part of what a replay compares. */
typedef enum tc_wire_event_kind {
    TC_WIRE_EVENT_SILENCE = 1, /* no SENSORS for `value` ms: the last estimate is stale */
    TC_WIRE_EVENT_OVERRUN = 2  /* tick took `value` / tick_hz seconds */
} tc_wire_event_kind;

typedef struct tc_wire_event {
    uint32_t kind;  /* tc_wire_event_kind */
    uint32_t tick;  /* of the last SENSORS processed */
    uint32_t value;
} tc_wire_event;

/* ---- Encoders and decoders -------------------------------------------------------------------------- */

/* Returns 0, with nothing counted, where a count in the message is beyond its limit. */
uint32_t tc_wire_put_hello(tc_wire_encoder *e, const tc_wire_hello *m);
uint32_t tc_wire_put_sensors(tc_wire_encoder *e, const tc_wire_sensors *m);
uint32_t tc_wire_put_upload_begin(tc_wire_encoder *e, const tc_wire_upload_begin *m);
uint32_t tc_wire_put_upload_chunk(tc_wire_encoder *e, const tc_wire_upload_chunk *m);
uint32_t tc_wire_put_reset(tc_wire_encoder *e, const tc_wire_reset *m);
uint32_t tc_wire_put_predict(tc_wire_encoder *e, const tc_wire_predict *m);
uint32_t tc_wire_put_test(tc_wire_encoder *e, const tc_wire_test *m);
uint32_t tc_wire_put_boot(tc_wire_encoder *e, const tc_wire_boot *m);
uint32_t tc_wire_put_estimate(tc_wire_encoder *e, const tc_wire_estimate *m);
uint32_t tc_wire_put_upload(tc_wire_encoder *e, const tc_wire_upload *m);
uint32_t tc_wire_put_stats(tc_wire_encoder *e, const tc_wire_stats *m);
uint32_t tc_wire_put_nak(tc_wire_encoder *e, const tc_wire_nak *m);
uint32_t tc_wire_put_prediction(tc_wire_encoder *e, const tc_wire_prediction *m);
uint32_t tc_wire_put_event(tc_wire_encoder *e, const tc_wire_event *m);

tc_status tc_wire_get_hello(const tc_wire_frame *f, tc_wire_hello *m);
tc_status tc_wire_get_sensors(const tc_wire_frame *f, tc_wire_sensors *m);
tc_status tc_wire_get_upload_begin(const tc_wire_frame *f, tc_wire_upload_begin *m);
tc_status tc_wire_get_upload_chunk(const tc_wire_frame *f, tc_wire_upload_chunk *m);
tc_status tc_wire_get_reset(const tc_wire_frame *f, tc_wire_reset *m);
tc_status tc_wire_get_predict(const tc_wire_frame *f, tc_wire_predict *m);
tc_status tc_wire_get_test(const tc_wire_frame *f, tc_wire_test *m);
tc_status tc_wire_get_boot(const tc_wire_frame *f, tc_wire_boot *m);
tc_status tc_wire_get_estimate(const tc_wire_frame *f, tc_wire_estimate *m);
tc_status tc_wire_get_upload(const tc_wire_frame *f, tc_wire_upload *m);
tc_status tc_wire_get_stats(const tc_wire_frame *f, tc_wire_stats *m);
tc_status tc_wire_get_nak(const tc_wire_frame *f, tc_wire_nak *m);
tc_status tc_wire_get_prediction(const tc_wire_frame *f, tc_wire_prediction *m);
tc_status tc_wire_get_event(const tc_wire_frame *f, tc_wire_event *m);

TC_END

#endif
