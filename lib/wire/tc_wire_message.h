/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Contents of the frames of tc_wire.h: one struct, one tc_wire_put_... and one tc_wire_get_... per
 * message.
 *
 * Messages without contents (UPLOAD_COMMIT, STATS_REQUEST, SAVE) need only
 * tc_wire_encode(e, type, 0).
 * Real numbers are float in every build, so the bytes do not depend on tc_real. Units are SI; axes
 * and signs are those of tc_estimator.h. "Answered by" names the frame that the board returns.
 */
#ifndef TC_WIRE_MESSAGE_H
#define TC_WIRE_MESSAGE_H

#include "tc_wire.h"

TC_BEGIN

/* Limits: joints of a leg; bytes of an UPLOAD_CHUNK; bytes of the text of BOOT. */
#define TC_WIRE_JOINTS 6u
#define TC_WIRE_CHUNK_MAX (TC_WIRE_PAYLOAD_MAX - 4u)
#define TC_WIRE_TEXT 96u
/* Unknowns of tc_identify.h: mu, e, up to three ratios. */
#define TC_WIRE_UNKNOWNS 5u

/* ---- To the board ---------------------------------------------------------------------------- */

/* Begins a session: the estimator starts again at the next SENSORS. Answered by BOOT. */
typedef struct tc_wire_hello {
    uint32_t session;    /* any number except 0; BOOT echoes it */
    uint32_t budget_us;  /* time limit of a tick; the board counts a longer one as an overrun
                          * [us]; 0: 1000 */
    uint32_t silence_ms; /* time without SENSORS after which the board sends EVENT [ms]; 0: 20 */
} tc_wire_hello;

/* The sensors of one tick. Answered by ESTIMATE, or by NAK. */
typedef struct tc_wire_sensors {
    uint32_t tick;                 /* number of the tick; above the last one + 1: ticks were lost;
                                    * not above the last one: the board does not process it again */
    uint32_t joints;               /* joints of the leg; 1..TC_WIRE_JOINTS */
    uint32_t given;                /* bits TC_GIVEN_... of tc_estimator.h; 0..255 */
    float gyro;                    /* turn rate of the base [rad/s] */
    float accel[2];                /* accelerometer [m/s^2] */
    float pitch;                   /* pitch of the base [rad] */
    float base_velocity;           /* velocity of the base [m/s] */
    float touch;                   /* touch sensor; 0..1 */
    float encoder[TC_WIRE_JOINTS]; /* joint coordinates [rad] or [m]; 0 beyond `joints` */
    float torque[TC_WIRE_JOINTS];  /* joint torques [N m] or forces [N]; 0 beyond `joints` */
    float place;                   /* position of the base on the ground [m]; in the frame only if
                                    * bit 6 of `given` is set, else 0 */
} tc_wire_sensors;

/* Target of an upload. */
typedef enum tc_wire_kind {
    TC_WIRE_PARAMETERS = 1, /* parameters of leg and estimator (docs/reference/wire.md) */
    TC_WIRE_MODEL = 2       /* a model file (.tcm); 0 bytes: run without a learned model */
} tc_wire_kind;

/* Begins an upload: BEGIN, then CHUNKs in order, then COMMIT. Each is answered by UPLOAD. The board
 * uses the old data until the new bytes pass checksum, reader and self-test. */
typedef struct tc_wire_upload_begin {
    tc_wire_kind kind; /* target */
    uint32_t size;     /* of the upload [bytes] */
    uint32_t crc;      /* CRC-32 of all its bytes */
} tc_wire_upload_begin;

/* One part of an upload. */
typedef struct tc_wire_upload_chunk {
    uint32_t offset;      /* position of the bytes in the upload: the number of bytes before
                           * [bytes] */
    uint32_t n;           /* length [bytes]; 1..TC_WIRE_CHUNK_MAX */
    const uint8_t *bytes; /* [n]; after tc_wire_get_upload_chunk: in the frame */
} tc_wire_upload_chunk;

/* Scope of a reset. */
typedef enum tc_wire_reset_what {
    TC_WIRE_RESET_ESTIMATOR = 0, /* the estimator starts again at the next SENSORS */
    TC_WIRE_RESET_ALL = 1        /* as after power-up: nothing loaded, counts 0 */
} tc_wire_reset_what;

/* Resets the board. Answered by BOOT. */
typedef struct tc_wire_reset {
    tc_wire_reset_what what; /* scope */
} tc_wire_reset;

/* Requests a prediction of the next contact from the current estimate. Answered by PREDICTION, or
 * by NAK. */
typedef struct tc_wire_predict {
    float horizon;   /* time to look ahead [s]; > 0, at most 1 */
    uint32_t budget; /* limit on simulated steps; 0, or beyond the steps left in this tick: the
                      * steps left */
} tc_wire_predict;

/* The body whose IMPACTs follow, and the configuration of its tc_identify, which starts again.
 * Answered by IDENTIFIED, or by NAK. */
typedef struct tc_wire_prior {
    float mass;                     /* nominal mass [kg]; > 0 */
    float inertia[3];               /* nominal principal moments of inertia [kg m^2]; > 0 */
    uint32_t ratios;                /* unknown ratios of inertia to mass: 0, 1 of all moments, 3 */
    uint32_t law;                   /* tc_impact_law; 0..1 */
    float start[TC_WIRE_UNKNOWNS];  /* this and what follows: see tc_identify_config; 0 beyond
                                     * 2 + ratios */
    float sd[TC_WIRE_UNKNOWNS];     /* standard deviations of the first values */
    float drift[TC_WIRE_UNKNOWNS];  /* process noise per impact */
    float reopen[TC_WIRE_UNKNOWNS]; /* standard deviations that a re-opening adds */
    float gate;                     /* threshold of outliers [1] */
    uint32_t patience;              /* rejections in a row that re-open the estimate */
} tc_wire_prior;

/* One impact of the body at one point, in the body's principal axes. Answered by IDENTIFIED, or by
 * NAK. */
typedef struct tc_wire_impact {
    uint32_t
        number; /* of the impact, not 0; above the last one + 1: impacts were lost; not above the
                      * last one: the board does not process it again */
    float normal[3];  /* of the floor, away from it; unit length */
    float arm[3];     /* contact point, from the centre of mass [m] */
    float before[6];  /* velocity of the centre of mass [m/s], rate of turn [rad/s] */
    float after[6];   /* the same after the impact */
    float linear_sd;  /* standard deviation of each velocity [m/s]; > 0 */
    float angular_sd; /* standard deviation of each rate of turn [rad/s]; > 0 */
} tc_wire_impact;

/* The bytes of a SAVED, after a reboot of the board. Answered by IDENTIFIED, or by NAK. */
typedef struct tc_wire_restore {
    uint32_t n;           /* length [bytes]; 1..TC_WIRE_PAYLOAD_MAX */
    const uint8_t *bytes; /* [n]; after tc_wire_get_restore: in the frame */
} tc_wire_restore;

/* How a finger feels (tc_touch.h). Answered by FELT with number 0, or by NAK. */
typedef struct tc_wire_feel {
    float reach;        /* distance that the touches span, roughly [m]; > 0 */
    float noise;        /* standard deviation of a touch [m]; 0: unknown */
    float normal_noise; /* standard deviation of a normal's tilt [rad]; > 0, at most 0.5 */
    float tip;          /* radius of the fingertip, whose centre the touches are [m]; >= 0 */
    float apart;        /* nearer touches are repetitions [m]; >= 0 */
} tc_wire_feel;

/* One touch, in any axes that stay. Answered by FELT, or by NAK. */
typedef struct tc_wire_touch {
    uint32_t number; /* of the touch, not 0; above the last one + 1: touches were lost; not above
                      * the last one: the board does not process it again */
    uint32_t given;  /* 1: the normal is given; 0: it is not */
    float point[3];  /* [m] */
    float normal[3]; /* of the surface, of either sign; unit length */
} tc_wire_touch;

/* Faults on purpose. Only test firmware knows them; other firmware answers NAK. */
typedef enum tc_wire_test_what {
    TC_WIRE_TEST_BURN = 1 /* the next tick takes `value` loops longer */
} tc_wire_test_what;

/* Requests a fault. */
typedef struct tc_wire_test {
    tc_wire_test_what what; /* fault */
    uint32_t value;         /* size of the fault; see tc_wire_test_what */
} tc_wire_test;

/* ---- From the board -------------------------------------------------------------------------- */

/* Identity of the board. The board sends it after power-up (session 0), HELLO and RESET. */
typedef struct tc_wire_boot {
    uint32_t session;        /* session of the last HELLO; 0 after power-up or a full RESET */
    uint32_t version;        /* tc_version() */
    uint32_t tick_hz;        /* rate of the clock in STATS and EVENT [Hz] */
    uint32_t parameter_room; /* largest upload of parameters [bytes] */
    uint32_t model_room;     /* largest upload of a model [bytes] */
    uint32_t parameter_crc;  /* CRC-32 of the loaded parameters */
    uint32_t parameter_size; /* loaded parameters [bytes]; 0: none */
    uint32_t model_size;     /* loaded model [bytes]; 0: none */
    uint8_t model_hash[16];  /* hash of the loaded model; 0: none */
    char text[TC_WIRE_TEXT]; /* "tc_version_text(); board name", padded with zeros */
} tc_wire_boot;

/* Estimate of one tick (tc_estimator_estimate). */
typedef struct tc_wire_estimate {
    uint32_t tick;             /* tick of the SENSORS that it answers */
    int32_t status;            /* tc_status of the update; negative: the fields below are the
                                * previous estimate, flagged stale */
    uint32_t flags;            /* bits TC_ESTIMATE_... */
    uint32_t contact;          /* 1: the foot is in contact; 0: not */
    float p[3];                /* probabilities of air, sticks, slips [1] */
    float impulse[2];          /* contact impulse of the tick, x and y [N s] */
    float impulse_variance[2]; /* its variance [N^2 s^2] */
    float slip;                /* velocity of the contact point along the floor [m/s] */
    float slip_variance;       /* its variance [m^2/s^2] */
    float since;               /* time since touch-down; in the air minus the time since lift-off
                                * [s] */
} tc_wire_estimate;

/* State of the upload. */
typedef struct tc_wire_upload {
    uint32_t kind;  /* tc_wire_kind of the current upload, 0: none; an integer, because the
                     * decoder passes kinds of newer boards */
    int32_t status; /* TC_OK, or the cause of the refusal (negative tc_status) */
    uint32_t bytes; /* bytes received: the offset of the next CHUNK */
    uint32_t fault; /* after a failed COMMIT: offset of the fault in the upload [bytes] */
} tc_wire_upload;

/* Counts since power-up or the last full RESET. Each wraps at 2^32. */
typedef struct tc_wire_stats {
    uint32_t ticks;        /* SENSORS processed */
    uint32_t refused;      /* SENSORS whose update failed */
    uint32_t missed;       /* ticks that did not arrive, by their numbers */
    uint32_t old;          /* SENSORS whose tick was not new; the board ignored them */
    uint32_t overruns;     /* ticks that took longer than budget_us */
    uint32_t silences;     /* periods of silence_ms without SENSORS */
    uint32_t worst;        /* duration of the longest tick [1/tick_hz s] */
    uint32_t last;         /* duration of the last tick [1/tick_hz s] */
    uint32_t stack;        /* maximum use of the stack [bytes]; 0: not measured */
    uint32_t naks;         /* NAKs sent */
    tc_wire_counters wire; /* counts of the board's decoder */
} tc_wire_stats;

/* Cause of a NAK. */
typedef enum tc_wire_reason {
    TC_WIRE_NAK_FRAME = 1,   /* result TC_WIRE_BAD; type and sequence are unknown and 0 */
    TC_WIRE_NAK_OLD = 2,     /* result TC_WIRE_OLD, or a tick before the last one */
    TC_WIRE_NAK_TYPE = 3,    /* not a message to a board */
    TC_WIRE_NAK_CONTENT = 4, /* the decoder refused the contents; `status` has the cause */
    TC_WIRE_NAK_STATE = 5,   /* not possible now: no parameters, no estimate, no upload begun, no
                              * PRIOR */
    TC_WIRE_NAK_FAILED = 6   /* the call failed; `status` has the cause */
} tc_wire_reason;

/* Refusal of a frame. */
typedef struct tc_wire_nak {
    uint32_t type;         /* type of the refused frame */
    uint32_t sequence;     /* number of the refused frame */
    tc_wire_reason reason; /* cause */
    int32_t status;        /* tc_status; 0: none */
} tc_wire_nak;

/* Predicted contact (tc_estimator_predict.h). */
typedef struct tc_wire_prediction {
    uint32_t tick;     /* tick at which the prediction starts: the last SENSORS not refused */
    int32_t status;    /* TC_OK, or TC_NOTE_LIMIT: `horizon` is shorter than requested */
    uint32_t kind;     /* tc_estimator_predict_event; an integer, because the decoder passes kinds
                        * of newer boards */
    uint32_t mode;     /* mode after the event: index of tc_wire_estimate.p */
    float time;        /* time of the event after `tick` [s] */
    float early, late; /* ends of the 80 % interval of `time` [s] */
    float velocity[2]; /* velocity of the contact point at the event, x and y [m/s] */
    float horizon;     /* simulated time [s] */
} tc_wire_prediction;

/* Estimates from the IMPACTs (tc_identify.h). Values, deviations and intervals are 0 beyond
 * 2 + ratios. */
typedef struct tc_wire_identified {
    uint32_t number;   /* of the last IMPACT; 0: none since PRIOR or RESTORE */
    int32_t status;    /* of its update, a tc_status; < 0: the board refused it, and the
                                   * estimates are those before */
    uint32_t outcome;  /* tc_identify_outcome of the last IMPACT; an integer, because the
                                   * decoder passes outcomes of newer boards */
    uint32_t impacts;  /* impacts with a contact that approached */
    uint32_t outliers; /* of them rejected */
    uint32_t sticks;   /* of them gave a lower bound of mu */
    uint32_t reopened; /* re-openings */
    uint32_t missed;   /* impacts that did not arrive, by their numbers */
    float bound;       /* lower bound of mu [1]; 0: none */
    float value[TC_WIRE_UNKNOWNS]; /* mu, e, ratios [1] */
    float sd[TC_WIRE_UNKNOWNS];    /* standard deviations [1] */
    float low[TC_WIRE_UNKNOWNS];   /* lower ends of the 90 % intervals [1] */
    float high[TC_WIRE_UNKNOWNS];  /* upper ends [1] */
} tc_wire_identified;

/* A saved estimate, as bytes for RESTORE. */
typedef struct tc_wire_saved {
    uint32_t n;           /* length [bytes]; 1..TC_WIRE_PAYLOAD_MAX */
    const uint8_t *bytes; /* [n]; after tc_wire_get_saved: in the frame */
} tc_wire_saved;

/* The ball that the finger has felt (tc_touch.h). */
typedef struct tc_wire_felt {
    uint32_t number;   /* of the last TOUCH; 0: none since FEEL */
    int32_t status;    /* of that touch, a tc_status; < 0: the board refused it */
    uint32_t outcome;  /* tc_touch_outcome of the last TOUCH; an integer, because the decoder passes
                        * outcomes of newer boards */
    int32_t found;     /* of the ball, a tc_status; < 0: there is none yet, and what follows the
                        * counters is 0 */
    uint32_t touches;  /* touches that count */
    uint32_t normals;  /* normals that count */
    uint32_t repeated; /* repetitions */
    uint32_t missed;   /* touches that did not arrive, by their numbers */
    float centre[3];   /* [m] */
    float radius;      /* [m] */
    float sd[4];       /* standard deviations of centre and radius [m] */
    float low, high;   /* ends of the 95 % interval of the radius [m] */
    float noise;       /* standard deviation of a touch [m] */
} tc_wire_felt;

/* Kind of an event of the board's clock. */
typedef enum tc_wire_event_kind {
    TC_WIRE_EVENT_SILENCE = 1, /* no SENSORS arrived for `value` ms: the last estimate is stale */
    TC_WIRE_EVENT_OVERRUN = 2  /* the tick took `value` / tick_hz seconds */
} tc_wire_event_kind;

/* An event of the board's clock. It is not numbered, and a replay does not compare it. */
typedef struct tc_wire_event {
    tc_wire_event_kind kind; /* of the event */
    uint32_t tick;           /* of the last processed SENSORS */
    uint32_t value;          /* see tc_wire_event_kind */
} tc_wire_event;

/* ---- Encoders and decoders ------------------------------------------------------------------- */

/* Encodes message m as the frame e->frame.
 * Returns the length of the frame [bytes]; 0 if a count or an enumeration in m is not allowed.
 * On error: no number is used up.
 * Cost: about 25 instructions per field, and tc_wire_encode. */
uint32_t tc_wire_put_hello(tc_wire_encoder *e, const tc_wire_hello *m);
uint32_t tc_wire_put_sensors(tc_wire_encoder *e, const tc_wire_sensors *m);
uint32_t tc_wire_put_upload_begin(tc_wire_encoder *e, const tc_wire_upload_begin *m);
uint32_t tc_wire_put_upload_chunk(tc_wire_encoder *e, const tc_wire_upload_chunk *m);
uint32_t tc_wire_put_reset(tc_wire_encoder *e, const tc_wire_reset *m);
uint32_t tc_wire_put_predict(tc_wire_encoder *e, const tc_wire_predict *m);
uint32_t tc_wire_put_prior(tc_wire_encoder *e, const tc_wire_prior *m);
uint32_t tc_wire_put_impact(tc_wire_encoder *e, const tc_wire_impact *m);
uint32_t tc_wire_put_restore(tc_wire_encoder *e, const tc_wire_restore *m);
uint32_t tc_wire_put_feel(tc_wire_encoder *e, const tc_wire_feel *m);
uint32_t tc_wire_put_touch(tc_wire_encoder *e, const tc_wire_touch *m);
uint32_t tc_wire_put_test(tc_wire_encoder *e, const tc_wire_test *m);
uint32_t tc_wire_put_boot(tc_wire_encoder *e, const tc_wire_boot *m);
uint32_t tc_wire_put_estimate(tc_wire_encoder *e, const tc_wire_estimate *m);
uint32_t tc_wire_put_upload(tc_wire_encoder *e, const tc_wire_upload *m);
uint32_t tc_wire_put_stats(tc_wire_encoder *e, const tc_wire_stats *m);
uint32_t tc_wire_put_nak(tc_wire_encoder *e, const tc_wire_nak *m);
uint32_t tc_wire_put_prediction(tc_wire_encoder *e, const tc_wire_prediction *m);
uint32_t tc_wire_put_identified(tc_wire_encoder *e, const tc_wire_identified *m);
uint32_t tc_wire_put_saved(tc_wire_encoder *e, const tc_wire_saved *m);
uint32_t tc_wire_put_felt(tc_wire_encoder *e, const tc_wire_felt *m);
uint32_t tc_wire_put_event(tc_wire_encoder *e, const tc_wire_event *m);

/* Decodes message m from frame f, whose type must be that of the function. NaN and infinity pass;
 * the functions that compute with them check.
 * Returns:
 *   TC_OK         done.
 *   TC_ERR_SIZE   the length of f is not that of the message.
 *   TC_ERR_RANGE  a count, an enumeration or a reserved byte has a value that is not allowed.
 * On error: m is zero.
 * Cost: about 25 instructions per field. */
tc_status tc_wire_get_hello(const tc_wire_frame *f, tc_wire_hello *m);
tc_status tc_wire_get_sensors(const tc_wire_frame *f, tc_wire_sensors *m);
tc_status tc_wire_get_upload_begin(const tc_wire_frame *f, tc_wire_upload_begin *m);
tc_status tc_wire_get_upload_chunk(const tc_wire_frame *f, tc_wire_upload_chunk *m);
tc_status tc_wire_get_reset(const tc_wire_frame *f, tc_wire_reset *m);
tc_status tc_wire_get_predict(const tc_wire_frame *f, tc_wire_predict *m);
tc_status tc_wire_get_prior(const tc_wire_frame *f, tc_wire_prior *m);
tc_status tc_wire_get_impact(const tc_wire_frame *f, tc_wire_impact *m);
tc_status tc_wire_get_restore(const tc_wire_frame *f, tc_wire_restore *m);
tc_status tc_wire_get_feel(const tc_wire_frame *f, tc_wire_feel *m);
tc_status tc_wire_get_touch(const tc_wire_frame *f, tc_wire_touch *m);
tc_status tc_wire_get_test(const tc_wire_frame *f, tc_wire_test *m);
tc_status tc_wire_get_boot(const tc_wire_frame *f, tc_wire_boot *m);
tc_status tc_wire_get_estimate(const tc_wire_frame *f, tc_wire_estimate *m);
tc_status tc_wire_get_upload(const tc_wire_frame *f, tc_wire_upload *m);
tc_status tc_wire_get_stats(const tc_wire_frame *f, tc_wire_stats *m);
tc_status tc_wire_get_nak(const tc_wire_frame *f, tc_wire_nak *m);
tc_status tc_wire_get_prediction(const tc_wire_frame *f, tc_wire_prediction *m);
tc_status tc_wire_get_identified(const tc_wire_frame *f, tc_wire_identified *m);
tc_status tc_wire_get_saved(const tc_wire_frame *f, tc_wire_saved *m);
tc_status tc_wire_get_felt(const tc_wire_frame *f, tc_wire_felt *m);
tc_status tc_wire_get_event(const tc_wire_frame *f, tc_wire_event *m);

TC_END

#endif
