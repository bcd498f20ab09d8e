/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Serves the library over the board's byte stream, so that a script on a desktop can evaluate a net
 * or a matrix function on the board's own instructions and compare every bit. frame.h has the
 * frames.
 *
 * After reset the board sends the reply to a hello with id 0; from then on it answers each request
 * with one frame. A request's payload begins with u32 operation, a reply's with i32 tc_status:
 *
 *     0 hello                                        -> u32 tick rate [Hz], u32 bytes for a model,
 *                                                       text "build text; board name", zeros
 *     1 write   u32 offset, u32 n, u8[n]             -> nothing: bytes into the model buffer
 *     2 open    u32 size                             -> u32 fault_offset, u32 n_nets, for each net
 *                                                       char[24] name, u32 n_in, u32 n_out
 *     3 eval    u32 net, f32[n_in]                   -> f32[n_out]
 *     4 grad    u32 net, f32[n_out] cotangent, f32[n_in] -> f32[n_out], f32[n_in] gradient
 *     5 range   u32 net, f32[n_in]                   -> u32 1 or 0: tc_net_in_range
 *     6 selftest                                     -> u32 samples, u32 failed, f32 max_error
 *     7 call    u32 function, u32 dims[3], u32 given[4], u32 wanted[4], f32 numbers
 *                                                    -> u32 rank (or result), f32 residual, numbers
 *     8 exit                                         -> nothing, then the board ends with status 0
 *     9 system  a system on a line, see below        -> u32 the body or contact at fault
 *    10 learned f32 step [s], of the open model      -> u32 coordinates
 *    11 roll    u32 steps, f32 Q[n], f32 V[n]        -> u32 steps done, u32 body at fault, f32
 *                                                       energy of the start, for each step done
 *                                                       f32 Q[n], f32 V[n], f32 energy, u32
 *                                                       contacts that acted, i32 status
 *                                                       (energies of learned systems; else 0)
 *    12 body    a convex body in space, see below    -> nothing
 *    13 start   f32 state[13]                        -> nothing: the body is there, at rest from
 *                                                       impulses
 *    14 move    for each row u32 steps, f32 step [s], f32 weight -> u32 rows done, for each of them
 *                                                       f32 state[13], i32 status
 *
 * A request that is no frame gets REMOTE_BAD_FRAME, one that breaks these rules REMOTE_BAD_REQUEST.
 *
 * `call`: the numbers fill four slots, given[k] of them into slot k, and after the call wanted[k]
 * come back from slot k. The slots are the function's arrays in C's order. Each has room for the
 * largest array that any accepted dimension can ask for, TC_MAT_MAX squared, so no request can
 * reach beyond one: the library refuses larger dimensions by itself, and element-wise functions
 * take given[0] as their length.
 *
 * `system`: f32 step, restitution, rest speed, u32 bodies, contacts, whether pairs are projected,
 * contacts resolved at once, forces those of pendulums; f32 mass, damping, constant force and m g
 * l, each per body; u32 per contact: the body, and 2^16 times the other (0xFFFF: a wall at 0). The
 * system, or the learned one, stays until another request than `roll` comes; `roll` takes as many
 * steps as an answer has room for.
 *
 * `body`: u32 vertices, scheme, rounds, frozen sweeps, warm; f32 friction of points, edges and
 * faces, the residual's gains, weights of slip, weights of load and biases, two each (tc_friction3.h),
 * mass, inertia[3], longest step, force[3], restitution, normal[3] and offset of the plane, rounding,
 * stiffness, damping, slope; f32 per vertex x, y, z. Rounds 0: the default. The body stays until
 * another request than `start` and `move` comes. A state is position, quaternion, v and omega.
 * `weight` is the residual's g h; `move` ends behind the row in which a step failed.
 *
 * Memory: the model buffer (REMOTE_MODEL_BYTES), 28 KB of slots and workspace, 8.5 KB for a frame.
 */
#include "frame.h"

#include "board.h"
#include "system.h"
#include "toss.h"

#include <string.h>

/* Largest model file [bytes]; with it the application fits the 128 KB of an STM32F405. */
#ifndef REMOTE_MODEL_BYTES
#define REMOTE_MODEL_BYTES 49152u
#endif

#define REMOTE_BAD_FRAME (-100)
#define REMOTE_BAD_REQUEST (-101)

#define SLOTS 4u
#define SLOT (TC_MAT_MAX * TC_MAT_MAX)
#define VECTOR TC_NET_WIDTH_MAX

enum {
    HELLO,
    WRITE,
    OPEN,
    EVAL,
    GRAD,
    RANGE,
    SELFTEST,
    CALL,
    EXIT,
    SYSTEM,
    LEARNED,
    ROLL,
    BODY,
    START,
    MOVE
};

static frame message; /* the request; its answer is built in the same place */
static _Alignas(16) uint8_t model_bytes[REMOTE_MODEL_BYTES];
static tc_model model;

/* Matrix calls, nets, systems and bodies never run at the same time. */
static union {
    struct {
        float slot[SLOTS][SLOT];
        float work[TC_MAT_PSD_WORK(TC_MAT_MAX)];
    } matrix;
    struct {
        float input[VECTOR], output[VECTOR], cotangent[VECTOR], grad[VECTOR];
        float work[TC_NET_GRAD_WORK(TC_NET_WIDTH_MAX, TC_NET_LAYERS_MAX)];
    } net;
    system_room system;
    toss_room toss;
} room;
static int system_ready; /* room.system holds one */
static int toss_ready;   /* room.toss holds a body */

_Static_assert(sizeof(float) == sizeof(tc_real), "boards compute in float");
_Static_assert(TC_COUNT(room.matrix.work) >= TC_MAT_INVERSE_WORK(TC_MAT_MAX),
               "workspace of the inverse");
_Static_assert(TC_COUNT(room.net.work) >= TC_MODEL_SELFTEST_WORK(TC_NET_WIDTH_MAX),
               "work of the self-test");

/* ---- The answer ------------------------------------------------------------------------------ */

static void answer(int32_t status)
{
    message.payload[0] = (uint32_t)status;
    message.length = 4;
}

/* Appends n bytes, n a multiple of 4; what would not fit is a mistake in this file, and left
 * out. */
static void append(const void *bytes, size_t n)
{
    if (n <= FRAME_PAYLOAD_MAX - message.length) {
        memcpy((uint8_t *)message.payload + message.length, bytes, n);
        message.length += (uint32_t)n;
    }
}

static void append_u32(uint32_t value)
{
    append(&value, 4);
}

/* ---- Models ---------------------------------------------------------------------------------- */

static void hello(void)
{
    char text[128] = {0};
    const char *const parts[3] = {tc_version_text(), "; ", board_name()};
    size_t length = 0;
    for (size_t k = 0; k < TC_COUNT(parts); k++) {
        for (const char *c = parts[k]; *c != '\0' && length < sizeof text - 1u; c++) {
            text[length++] = *c;
        }
    }
    answer(TC_OK);
    append_u32(board_tick_hz());
    append_u32(REMOTE_MODEL_BYTES);
    append(text, (length + 4u) & ~(size_t)3u);
}

static void write_model(void)
{
    const uint32_t offset = message.payload[1], n = message.payload[2];
    if (message.length < 12u || n > message.length - 12u || offset > REMOTE_MODEL_BYTES
        || n > REMOTE_MODEL_BYTES - offset) {
        answer(REMOTE_BAD_REQUEST);
        return;
    }
    memset(&model, 0, sizeof model); /* its bytes change: nothing is open */
    memcpy(model_bytes + offset, &message.payload[3], n);
    answer(TC_OK);
}

/* The record is checked by the reader whose kind it is; one that no reader knows is refused,
 * too. */
static tc_status check_record(uint32_t *fault)
{
    tc_learned_record contact;
    tc_cdl_record system;
    const tc_status status = tc_learned_record_read(&model, &contact, fault);
    return status == TC_ERR_MODEL_MISMATCH ? tc_cdl_record_read(&model, &system, fault) : status;
}

static void open_model(void)
{
    const uint32_t size = message.payload[1];
    if (message.length != 8u || size > REMOTE_MODEL_BYTES) {
        answer(REMOTE_BAD_REQUEST);
        return;
    }
    tc_status status = tc_model_open(&model, model_bytes, size);
    uint32_t fault = model.fault_offset;
    if (status == TC_OK && model.record != NULL) {
        status = check_record(&fault);
    }
    if (status < TC_OK) {
        memset(&model, 0, sizeof model); /* nothing is open */
    }
    answer(status);
    append_u32(fault);
    append_u32(model.n_nets);
    for (uint32_t i = 0; i < model.n_nets; i++) {
        (void)tc_model_net_at(&model, i, &model.room);
        append(tc_model_net_name(&model, i), TC_MODEL_NAME_MAX + 1u);
        append_u32(model.room.n_in);
        append_u32(model.room.n_out);
    }
}

/* The net that a request names, with the request's vectors of n_out (if `cotangent`) and n_in
 * numbers. */
static const tc_net *take_net(int cotangent)
{
    static tc_net net;
    const tc_status status = tc_model_net_at(&model, message.payload[1], &net);
    const uint32_t before = cotangent ? net.n_out : 0u;
    if (message.length < 8u || status != TC_OK || message.length != 8u + 4u * (before + net.n_in)) {
        answer(status != TC_OK ? (int32_t)status : REMOTE_BAD_REQUEST);
        return NULL;
    }
    memcpy(room.net.cotangent, &message.payload[2], 4u * before);
    memcpy(room.net.input, &message.payload[2u + before], 4u * net.n_in);
    return &net;
}

static void eval(void)
{
    const tc_net *const net = take_net(0);
    if (net != NULL) {
        answer(tc_net_eval(net, room.net.input, room.net.output, room.net.work,
                           TC_COUNT(room.net.work)));
        append(room.net.output, 4u * net->n_out);
    }
}

static void grad(void)
{
    const tc_net *const net = take_net(1);
    if (net != NULL) {
        answer(tc_net_grad(net, room.net.input, room.net.cotangent, room.net.output, room.net.grad,
                           room.net.work, TC_COUNT(room.net.work)));
        append(room.net.output, 4u * net->n_out);
        append(room.net.grad, 4u * net->n_in);
    }
}

static void range(void)
{
    const tc_net *const net = take_net(0);
    if (net != NULL) {
        answer(TC_OK);
        append_u32((uint32_t)tc_net_in_range(net, room.net.input));
    }
}

static void selftest(void)
{
    tc_model_selftest_info info;
    answer(tc_model_selftest(&model, &info, room.net.work, TC_COUNT(room.net.work)));
    append_u32(info.samples);
    append_u32(info.failed);
    append(&info.max_error, 4);
}

/* ---- Functions: the order is that of tools/tinycontact/functions.py -------------------------- */

enum {
    MUL,
    VEC,
    VEC_T,
    VEC_ADD,
    VEC_T_ADD,
    CONGRUENCE_DIAG,
    CONGRUENCE,
    CHOLESKY,
    CHOLESKY_INPLACE,
    LDLT,
    SOLVE_LOWER,
    SOLVE_LOWER_T,
    CHOLESKY_SOLVE,
    LDLT_SOLVE,
    PSD_SOLVE,
    INVERSE,
    SOFTMAX,
    UNARY
};

static tc_real square_root(tc_real x)
{
    return tc_sqrt(x);
}

static tc_real (*const unary[])(tc_real) = {
    tc_exp,          tc_log, tc_tanh, tc_sigmoid,        tc_softplus,
    square_root,     tc_sin, tc_cos,  tc_normal_density, tc_normal_distribution,
    tc_normal_ratio,
};
#define ATAN2 (UNARY + TC_COUNT(unary))
#define ALL_FINITE (ATAN2 + 1u)
#define FUNCTIONS (ALL_FINITE + 1u)

/* a[k] is slot k, d[] the dimensions. */
static tc_status matrix(uint32_t function, float *const a[SLOTS], const uint32_t d[3],
                        tc_mat_psd_info *info)
{
    float *const work = room.matrix.work;
    const size_t work_len = TC_COUNT(room.matrix.work);
    switch (function) {
    case MUL: return tc_mat_mul(a[0], a[1], a[2], d[0], d[1], d[2]);
    case VEC: return tc_mat_vec(a[0], a[1], a[2], d[0], d[1]);
    case VEC_T: return tc_mat_vec_t(a[0], a[1], a[2], d[0], d[1]);
    case VEC_ADD: return tc_mat_vec_add_inplace(a[0], a[1], a[2], d[0], d[1]);
    case VEC_T_ADD: return tc_mat_vec_t_add_inplace(a[0], a[1], a[2], d[0], d[1]);
    case CONGRUENCE_DIAG: return tc_mat_congruence_diag(a[0], a[1], a[2], d[0], d[1]);
    case CONGRUENCE: return tc_mat_congruence(a[0], a[1], a[2], d[0], d[1], work, work_len);
    case CHOLESKY: return tc_mat_cholesky(a[0], a[1], d[0]);
    case CHOLESKY_INPLACE: return tc_mat_cholesky_inplace(a[0], d[0]);
    case LDLT: return tc_mat_ldlt(a[0], a[1], a[2], d[0]);
    case SOLVE_LOWER: return tc_mat_solve_lower(a[0], a[1], a[2], d[0], d[1]);
    case SOLVE_LOWER_T: return tc_mat_solve_lower_t(a[0], a[1], a[2], d[0], d[1]);
    case CHOLESKY_SOLVE: return tc_mat_cholesky_solve(a[0], a[1], a[2], d[0], d[1]);
    case LDLT_SOLVE: return tc_mat_ldlt_solve(a[0], a[1], a[2], a[3], d[0], d[1]);
    case PSD_SOLVE: return tc_mat_psd_solve(a[0], a[1], a[2], d[0], info, work, work_len);
    case INVERSE: return tc_mat_inverse_spd(a[0], a[1], d[0], work, work_len);
    default: return tc_softmax_inplace(a[0], d[0]);
    }
}

/* The functions of single numbers: slot 0 (and 1, for atan2) to slot 0. */
static void elementwise(uint32_t function, float *const a[SLOTS], uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        a[0][i] = function == ATAN2 ? tc_atan2(a[0][i], a[1][i]) : unary[function - UNARY](a[0][i]);
    }
}

/* Whether the counts fit the slots and their sum the request. */
static int counts_fit(const uint32_t given[SLOTS], const uint32_t wanted[SLOTS], uint32_t numbers)
{
    uint32_t sum = 0, back = 0;
    for (uint32_t k = 0; k < SLOTS; k++) {
        if (given[k] > SLOT || wanted[k] > SLOT) {
            return 0;
        }
        sum += given[k];
        back += wanted[k];
    }
    return sum == numbers && 12u + 4u * back <= FRAME_PAYLOAD_MAX;
}

static void call(void)
{
    enum { HEAD = 2 + 3 + 2 * SLOTS }; /* words before the numbers */
    const uint32_t *const p = message.payload;
    const uint32_t function = p[1], d[3] = {p[2], p[3], p[4]};
    uint32_t given[SLOTS], wanted[SLOTS];
    memcpy(given, p + 5, sizeof given);
    memcpy(wanted, p + 5 + SLOTS, sizeof wanted);
    if (message.length < 4u * HEAD || function >= FUNCTIONS
        || !counts_fit(given, wanted, message.length / 4u - HEAD)) {
        answer(REMOTE_BAD_REQUEST);
        return;
    }
    float *a[SLOTS];
    const uint32_t *next = p + HEAD;
    for (uint32_t k = 0; k < SLOTS; k++) {
        a[k] = room.matrix.slot[k];
        memcpy(a[k], next, 4u * given[k]);
        next += given[k];
    }
    tc_mat_psd_info info = {0, 0.0f};
    tc_status status = TC_OK;
    if (function < UNARY) {
        status = matrix(function, a, d, &info);
    } else if (function == ALL_FINITE) {
        info.rank = (uint32_t)tc_all_finite(a[0], given[0]);
    } else {
        elementwise(function, a, given[0]);
    }
    answer(status);
    append_u32(info.rank);
    append(&info.residual, 4);
    for (uint32_t k = 0; k < SLOTS; k++) {
        append(a[k], 4u * wanted[k]);
    }
}

/* ---- Systems --------------------------------------------------------------------------------- */

static void take_system(void)
{
    const tc_status status =
        system_take(&room.system, message.payload + 1, message.length / 4u - 1u);
    system_ready = status >= TC_OK;
    answer(status);
    append_u32(room.system.cdl.fault);
}

static void take_learned(void)
{
    float step;
    if (message.length != 8u) {
        answer(REMOTE_BAD_REQUEST);
        return;
    }
    memcpy(&step, &message.payload[1], 4);
    const tc_status status = system_open(&room.system, &model, step);
    system_ready = status >= TC_OK;
    answer(status);
    append_u32(room.system.cdl.coordinates);
}

/* Of a given system whoever gave it knows the energy: 0. */
static tc_status append_energy(system_room *s)
{
    float energy = 0.0f;
    tc_status status = TC_OK;
    if (s->learned) {
        status = tc_cdl_energy(&s->cdl, s->Q, s->V, &energy, s->work, TC_COUNT(s->work));
    }
    append(&energy, 4);
    return status;
}

/* The steps done and the body at fault are put in front when they are known. */
static void roll(void)
{
    system_room *const s = &room.system;
    const uint32_t n = system_ready ? s->cdl.coordinates : 0u, steps = message.payload[1];
    const uint32_t row = 4u * (2u * n + 3u);
    if (n == 0u || message.length != 8u + 8u * n || steps > (FRAME_PAYLOAD_MAX - 16u) / row) {
        answer(REMOTE_BAD_REQUEST);
        return;
    }
    memcpy(s->Q, &message.payload[2], 4u * n);
    memcpy(s->V, &message.payload[2u + n], 4u * n);
    answer(TC_OK);
    append_u32(0);
    append_u32(0);
    tc_cdl_info info = {0, NULL, 0, TC_C(0.0)};
    tc_status status = append_energy(s);
    for (uint32_t i = 0; i < steps && status >= TC_OK; i++) {
        status = tc_cdl_step(&s->cdl, NULL, s->Q, s->V, &info, s->work, TC_COUNT(s->work));
        if (status >= TC_OK) {
            append(s->Q, 4u * n);
            append(s->V, 4u * n);
            const tc_status measured = append_energy(s);
            append_u32(info.acting);
            append_u32((uint32_t)status);
            message.payload[1] = i + 1u;
            status = measured < TC_OK ? measured : status;
        }
    }
    message.payload[0] = (uint32_t)status;
    message.payload[2] = info.body;
}

/* ---- A body in space -------------------------------------------------------------------------- */

static void take_body(void)
{
    const tc_status status = toss_take(&room.toss, message.payload + 1, message.length / 4u - 1u);
    toss_ready = status >= TC_OK;
    answer(status);
}

static void start_body(void)
{
    if (!toss_ready || message.length != 4u + 4u * TOSS_STATE) {
        answer(REMOTE_BAD_REQUEST);
        return;
    }
    toss_start(&room.toss, message.payload + 1);
    answer(TC_OK);
}

static void append_state(const tc_body3_state *at, int32_t status)
{
    append(at->position, sizeof at->position);
    append(at->orientation, sizeof at->orientation);
    append(at->velocity, sizeof at->velocity);
    append_u32((uint32_t)status);
}

/* The answer is longer than the request and built in its place: the rows are copied first. */
static void move_body(void)
{
    enum { MOST = (FRAME_PAYLOAD_MAX / 4u - 2u) / (TOSS_STATE + 1u) };
    static uint32_t row[MOST * TOSS_ROW];
    const uint32_t rows = (message.length / 4u - 1u) / TOSS_ROW;
    if (!toss_ready || rows > MOST || message.length != 4u + 4u * TOSS_ROW * rows) {
        answer(REMOTE_BAD_REQUEST);
        return;
    }
    memcpy(row, message.payload + 1, 4u * TOSS_ROW * rows);
    answer(TC_OK);
    append_u32(0);
    tc_status status = TC_OK;
    for (uint32_t i = 0; i < rows && status >= TC_OK; i++) {
        status = toss_move(&room.toss, row + TOSS_ROW * i);
        append_state(&room.toss.at, status);
        message.payload[1] = i + 1u;
    }
}

/* ---- The loop -------------------------------------------------------------------------------- */

static int serve(void)
{
    system_ready = system_ready && message.payload[0] == ROLL;
    toss_ready = toss_ready && (message.payload[0] == START || message.payload[0] == MOVE);
    switch (message.payload[0]) {
    case HELLO: hello(); break;
    case WRITE: write_model(); break;
    case OPEN: open_model(); break;
    case EVAL: eval(); break;
    case GRAD: grad(); break;
    case RANGE: range(); break;
    case SELFTEST: selftest(); break;
    case CALL: call(); break;
    case EXIT: answer(TC_OK); return 0;
    case SYSTEM: take_system(); break;
    case LEARNED: take_learned(); break;
    case ROLL: roll(); break;
    case BODY: take_body(); break;
    case START: start_body(); break;
    case MOVE: move_body(); break;
    default: answer(REMOTE_BAD_REQUEST); break;
    }
    return 1;
}

int app_main(void)
{
    int more = 1;
    message.id = 0;
    hello();
    frame_send(&message);
    while (more) {
        const frame_result result = frame_receive(&message);
        if (result == FRAME_IDLE) {
            board_print("remote: idle, ending\n");
            return 0;
        }
        if (result == FRAME_GOOD) {
            more = serve();
        } else {
            answer(REMOTE_BAD_FRAME);
        }
        frame_send(&message);
    }
    return 0;
}
