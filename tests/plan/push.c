/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The planar push (tests/unit/barrier/push_scene.h), planned in one model and executed in another:
 * a table of methods and models, a line each (make plan-push).
 *
 * A run begins with the rod in front of the box, at an angle within half a radian of the way to the
 * goal. It plans, applies one control, and moves the horizon on, for at most FRAMES frames. It has
 * succeeded when the box is within 5 cm of the goal. Starts come from one seed; settings were tuned
 * with others. Where a line has a floor, fewer successes than that share fail the program.
 *
 * The executed model is thin: weight 1e-6 or 1e-5 and the paper's far term (kappa 1, length 0). Lines
 * `local` plan without any force beyond 5 cm, as contact models do that act near contact only.
 *
 * On a board under emulation the program runs the line of a board, and prints no times. `hash` is of
 * all executed states: in profile exact it is the same on each machine.
 */
#include "board.h"
#include "tinycontact.h"

#include "../unit/barrier/push_scene.h"

#include <math.h>
#include <string.h>

#define FRAMES 300u
#define HORIZON_MOST 48u
#define LOCAL_REACH TC_C(0.05) /* [m] distance beyond which a local model has no force */
#define SEED 20260u

#ifdef __arm__
#define TIMES 1u
#define MEMORY 2048u
#define RUNS 20u
#else
#include <time.h>
#define TIMES (20u * FRAMES)
#define MEMORY 16384u
#define RUNS 20u
#endif

typedef struct push_line {
    const char *name;
    tc_plan_method method;
    double weight, kappa, length; /* of the planner's model */
    double thin;                  /* weight of the executed model */
    uint32_t horizon, iterations;
    double step;
    double space; /* the rod's workspace: -space..space [m], both ways */
    uint32_t local;
    uint32_t share; /* runs of this line: one in so many */
    uint32_t floor; /* least successes of 20; 0: none asked */
    uint32_t time;  /* most milliseconds of a frame, mean, asked of a whole table; 0: none */
} push_line;

/* clang-format off */
static const push_line lines[] = {
    {"knots", TC_PLAN_KNOTS, 1e-6, 1e3, 0.1, 1e-6, 30, 10, 0.01, 1.2, 0, 1, 16, 2},
    {"knots_stiff5", TC_PLAN_KNOTS, 1e-5, 1e3, 0.1, 1e-5, 30, 10, 0.01, 1.2, 0, 1, 16, 2},
    {"board", TC_PLAN_KNOTS, 1e-6, 1e3, 0.1, 1e-6, 20, 5, 0.01, 1.2, 0, 1, 13, 0},
    {"newton", TC_PLAN_NEWTON, 1e-6, 1e3, 0.1, 1e-6, 30, 5, 0.1, 1.2, 0, 1, 16, 2},
    {"newton_board", TC_PLAN_NEWTON, 1e-6, 1e3, 0.1, 1e-6, 20, 2, 0.1, 1.2, 0, 1, 16, 2},
    {"unbounded", TC_PLAN_KNOTS, 1e-6, 1e3, 0.0, 1e-6, 30, 10, 0.01, 1.2, 0, 2, 0, 0},
    {"unbounded_wide", TC_PLAN_KNOTS, 1e-6, 1e3, 0.0, 1e-6, 30, 10, 0.01, 3.0, 0, 2, 0, 0},
    {"paper_model", TC_PLAN_KNOTS, 1e-6, 1.0, 0.0, 1e-6, 48, 10, 0.01, 1.2, 0, 2, 0, 0},
    {"paper_model_wide", TC_PLAN_KNOTS, 1e-6, 1.0, 0.0, 1e-6, 48, 10, 0.01, 3.0, 0, 2, 0, 0},
    {"paper_adam", TC_PLAN_ADAM, 1e-6, 1.0, 0.0, 1e-6, 48, 50, 0.01, 1.2, 0, 4, 0, 0},
    {"paper_adam_wide", TC_PLAN_ADAM, 1e-6, 1.0, 0.0, 1e-6, 48, 50, 0.01, 3.0, 0, 4, 0, 0},
    {"local", TC_PLAN_KNOTS, 1e-6, 1e3, 0.1, 1e-6, 30, 10, 0.01, 1.2, 1, 2, 0, 0},
};
/* clang-format on */
#define BOARD_LINE 2u

static tc_real memory[MEMORY], scratch[PUSH_WORK], record[PUSH_RECORD];
static tc_real state[PUSH_STATE], controls[HORIZON_MOST * PUSH_CONTROL];
static double times[TIMES];
static uint32_t timed, frames_of[RUNS], hash;
static tc_implicit_scene planned, thin, apart;
static tc_plan_model model, near_model, far_model;
static tc_plan plan;
static tc_real least[3] = {0, 0, -3}, most[3] = {0, 0, 3};

/* ---- A local model ---------------------------------------------------------------------------- */

/* Whether the bodies are beyond the model's reach at a state */
static int is_far(const tc_real *x)
{
    tc_barrier2_plane plane = {{0, 0}, 0};
    tc_barrier2_pair pair;
    tc_barrier2_pose at[2];
    for (uint32_t b = 0; b < 2u; ++b) {
        at[b] = (tc_barrier2_pose){(tc_real)cos((double)x[3u * b + 2u]),
                                   (tc_real)sin((double)x[3u * b + 2u]),
                                   {x[3u * b], x[3u * b + 1u]}};
    }
    const tc_status status = tc_barrier2_solve(&planned.barrier, &push_piece[0].set, &at[0],
                                               &push_piece[1].set, &at[1], &plane, &pair);
    return status >= TC_OK && pair.gap > LOCAL_REACH;
}

static const tc_plan_model *choose_model(const tc_real *x)
{
    return is_far(x) ? &far_model : &near_model;
}

/* A step that would cross the bodies without the force is made with it. */
static tc_status step_local(const void *scene, const tc_real *x, const tc_real *u,
                            const tc_real *warm, tc_real *next, tc_real *kept, tc_real *space)
{
    (void)scene, (void)warm;
    const tc_plan_model *m = choose_model(x);
    tc_status status = m->step(m->scene, x, u, NULL, next, kept + 1, space);
    kept[0] = m == &far_model;
    if (m == &far_model && !is_far(next)) {
        kept[0] = 0;
        status = near_model.step(near_model.scene, x, u, NULL, next, kept + 1, space);
    }
    return status;
}

static tc_status pull_local(const void *scene, const tc_real *x, const tc_real *u,
                            const tc_real *next, const tc_real *kept, const tc_real *later,
                            tc_real *now, tc_real *control, tc_real *space)
{
    (void)scene;
    const tc_plan_model *const m = kept[0] > 0 ? &far_model : &near_model;
    return m->pull(m->scene, x, u, next, kept + 1, later, now, control, space);
}

/* ---- A run ------------------------------------------------------------------------------------ */

static uint32_t bits = 1u;

static double draw(double low, double high)
{
    bits ^= bits << 13;
    bits ^= bits >> 17;
    bits ^= bits << 5;
    return low + (high - low) * (bits >> 8) / 16777216.0;
}

static void add_hash(const tc_real *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        const float number = (float)x[i];
        uint32_t word;
        memcpy(&word, &number, sizeof word);
        hash = (hash ^ word) * 16777619u;
    }
}

static int make_models(const push_line *line)
{
    planned = push_scene((tc_real)line->weight, (tc_real)line->kappa, (tc_real)line->length);
#ifndef TC_DOUBLE
    planned.tolerance = 1e-6f; /* [m] in float a plan needs no finer derivatives */
#endif
    thin = push_scene((tc_real)line->thin, 1, 0);
    apart = planned;
    apart.pairs = 0;
    if (tc_plan_implicit(&planned, &near_model) < TC_OK
        || tc_plan_implicit(&apart, &far_model) < TC_OK) {
        return 0;
    }
    model = near_model;
    if (line->local) {
        model.record = near_model.record + 1u;
        model.step = step_local;
        model.pull = pull_local;
    }
    return 1;
}

static int make_plan(const push_line *line)
{
    static const tc_plan_goal goal = {0, 0, 2, {PUSH_GOAL, 0, 0}, TC_C(0.02), 0, 1};
    least[0] = least[1] = (tc_real)-line->space;
    most[0] = most[1] = (tc_real)line->space;
    const tc_plan_task task = {
        .model = &model, .goal = &goal, .goals = 1, .low = least, .high = most};
    tc_plan_config config = tc_plan_default();
    config.method = line->method;
    config.horizon = line->horizon;
    config.iterations = line->iterations;
    config.step = (tc_real)line->step;
    return tc_plan_init(&plan, &task, &config, memory, TC_COUNT(memory)) >= TC_OK;
}

static tc_status plan_frame(void)
{
#ifdef __arm__
    return tc_plan_update(&plan, UINT32_MAX, NULL);
#else
    const clock_t began = clock();
    const tc_status status = tc_plan_update(&plan, UINT32_MAX, NULL);
    if (timed < TIMES) times[timed++] = 1e3 * (double)(clock() - began) / CLOCKS_PER_SEC;
    return status;
#endif
}

/* Frames until the box is there; FRAMES: it did not get there */
static uint32_t run_push(double angle)
{
    tc_real next[PUSH_STATE];
    push_start((tc_real)cos(angle), (tc_real)sin(angle), state);
    for (uint32_t i = 0; i < plan.config.horizon * PUSH_CONTROL; ++i) {
        controls[i] = state[3u + i % PUSH_CONTROL];
    }
    if (tc_plan_start(&plan, state, controls) < TC_OK) return FRAMES;
    for (uint32_t f = 0; f < FRAMES; ++f) {
        if (plan_frame() < TC_OK
            || tc_implicit_step(&thin, state, plan.control, f > 0u ? record : NULL, next, record,
                                scratch, PUSH_WORK, NULL)
                   < TC_OK) {
            return FRAMES;
        }
        memcpy(state, next, sizeof state);
        add_hash(state, PUSH_STATE);
        const tc_real x = state[0] - PUSH_GOAL, y = state[1];
        if (x * x + y * y < PUSH_NEAR * PUSH_NEAR) return f;
        (void)tc_plan_shift(&plan, state);
    }
    return FRAMES;
}

/* ---- The table -------------------------------------------------------------------------------- */

static void print_digits(uint32_t number, uint32_t digits)
{
    char text[16];
    uint32_t at = sizeof text;
    text[--at] = '\0';
    do {
        text[--at] = (char)('0' + number % 10u);
        number /= 10u;
    } while (number > 0u || sizeof text - 1u - at < digits);
    board_print(text + at);
}

/* A number of milliseconds with three decimals */
static void print_time(double time)
{
    const uint32_t thousandths = (uint32_t)(1e3 * time + 0.5);
    board_print(",");
    print_digits(thousandths / 1000u, 1);
    board_print(".");
    print_digits(thousandths % 1000u, 3);
}

static void sort_numbers(double *x, uint32_t n)
{
    for (uint32_t gap = n / 2u; gap > 0u; gap /= 2u) {
        for (uint32_t i = gap; i < n; ++i) {
            const double moved = x[i];
            uint32_t j = i;
            for (; j >= gap && x[j - gap] > moved; j -= gap) x[j] = x[j - gap];
            x[j] = moved;
        }
    }
}

static uint32_t median_frames(uint32_t wins)
{
    double sorted[RUNS];
    for (uint32_t i = 0; i < wins; ++i) sorted[i] = (double)frames_of[i];
    sort_numbers(sorted, wins);
    return wins > 0u ? (uint32_t)sorted[wins / 2u] : FRAMES;
}

static double mean_time(void)
{
    double sum = 0;
    for (uint32_t i = 0; i < timed; ++i) sum += times[i];
    return timed > 0u ? sum / timed : 0;
}

static void print_line(const push_line *line, uint32_t runs, uint32_t wins)
{
    board_print(sizeof(tc_real) == sizeof(double) ? "double," : "float,");
    board_print(line->name);
    board_print(",");
    print_digits(line->horizon, 1);
    board_print(",");
    print_digits(line->iterations, 1);
    board_print(",");
    print_digits(runs, 1);
    board_print(",");
    print_digits(wins, 1);
    board_print(",");
    print_digits(median_frames(wins), 1);
    sort_numbers(times, timed);
    print_time(mean_time());
    print_time(timed > 0u ? times[timed / 2u] : 0);
    print_time(timed > 0u ? times[timed - 1u] : 0);
    board_print(",");
    print_digits(hash, 1);
    board_print("\n");
}

/* Whether the line holds its floors */
static int run_line(const push_line *line, uint32_t count)
{
    uint32_t wins = 0, runs = (count + line->share - 1u) / line->share;
    if (!make_models(line) || !make_plan(line)) return 0;
    bits = SEED;
    timed = 0;
    hash = 2166136261u;
    for (uint32_t i = 0; i < runs; ++i) {
        const uint32_t frames = run_push(draw(-0.5, 0.5));
        if (frames < FRAMES) frames_of[wins++] = frames;
    }
    const int slow = line->time > 0u && runs == RUNS && mean_time() > line->time;
    print_line(line, runs, wins);
    return 20u * wins >= line->floor * runs && !slow;
}

static uint32_t read_count(const char *text)
{
    uint32_t count = 0;
    while (text != NULL && *text >= '0' && *text <= '9')
        count = 10u * count + (uint32_t)(*text++ - '0');
    return count > 0u && count < RUNS ? count : RUNS;
}

int app_main(void)
{
    uint32_t bad = 0;
    const uint32_t count = read_count(board_argument());
    board_print(
        "precision,line,horizon,iterations,runs,successes,frames,mean_ms,median_ms,worst_ms,hash\n");
    for (uint32_t i = 0; i < TC_COUNT(lines); ++i) {
#ifdef __arm__
        if (i != BOARD_LINE) continue;
#endif
        bad += !run_line(&lines[i], count);
    }
    return bad == 0u ? 0 : 1;
}
