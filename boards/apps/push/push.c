/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A fingertip that finds its way round a block and pushes it to a mark, planned on the board.
 *
 * Nothing says where the finger has to touch, or that it has to touch: the plan minimises the block's
 * distance from the mark. Contact at a distance gives that number a derivative by the finger's path,
 * long before they meet. The finger begins between the block and the mark.
 *
 * Two scenes are alike but for their contact. The plan's has a strong push from afar, with a bound.
 * The one that is then lived through is thin: its push exceeds the table's friction of 1.5 N only
 * within 3 mm.
 *
 * Frames take 40 ms. In each the board does what a 1 kHz timer would have it do: 40 calls of
 * tc_plan_update, UNITS steps or pulls each. Then the first control is applied and the plan moves
 * on.
 *
 * Prints, for `make demo` to draw and for anybody to read:
 *     at <push> <frame> <block x y angle> <finger x y angle> <target x y>
 *     end <push> <frames> <distance from the mark [mm]> <nearest to the block [um]>
 */
#include "apps/checked.h"
#include "board.h"
#include "tinycontact.h"

#include <string.h>

#define FRAMES_MOST 400u
#define TICKS 40u /* of 1 ms in a frame */
#define UNITS 5u  /* steps or pulls in a tick */
#define HORIZON 20u
#define AHEAD 0.3f /* [m] the finger from the block, towards the mark */
#define MARK 0.8f  /* [m] the mark from the block */
#define NEAR 0.05f /* [m] distance that counts as there */

#define STATE 12u /* block x, y, angle, finger x, y, angle: now, and a frame before */
#define CONTROL 3u
#define RECORD 24u /* tc_implicit_check gives these two */
#define SCRATCH 420u
#define PLAN_WORK 4096u /* tc_plan_work_len is below it */

/* Directions in which the finger begins, as seen from the block; the mark lies along x. [rad] */
static const float starts[] = {0.35f, -0.2f, 0.1f};

/* [m] */
static const tc_real block_corners[8] = {-0.1f, -0.1f, 0.1f, -0.1f, 0.1f, 0.1f, -0.1f, 0.1f};
static const tc_real finger_ends[4] = {0.0f, -0.05f, 0.0f, 0.05f};
static const tc_implicit_piece pieces[2] = {{{block_corners, 4u, 0.0f}, 0u},
                                            {{finger_ends, 2u, 0.01f}, 1u}};
static const tc_implicit_pair pairs[1] = {{0u, 1u, 0.0f}};

/* A block on a rough table, seen from above, and a finger whose pose a servo holds. */
static const tc_implicit_body bodies[2] = {
    {.mass = 0.5f, .inertia = {0.0033333333f}, .drag = 1.5f, .drag_radius = 0.08f},
    {.mass = 0.2f,
     .inertia = {0.0005f},
     .drive = TC_IMPLICIT_SERVO,
     .driven = 7u,
     .stiffness = {200.0f, 1.0f},
     .damping = {10.0f, 0.05f}},
};

static tc_implicit_scene scene_of(tc_real kappa, tc_real length)
{
    tc_implicit_scene scene = tc_implicit_default(tc_implicit2_space());
    scene.body = bodies;
    scene.bodies = 2u;
    scene.piece = pieces;
    scene.pieces = 2u;
    scene.pair = pairs;
    scene.pairs = 1u;
    scene.barrier.kappa = kappa;
    scene.barrier.length = length;
    return scene;
}

static void print_frame(uint32_t push, uint32_t frame, const tc_real *state, const tc_real *target)
{
    board_print("at ");
    board_print_u32(push + 1u);
    board_print(" ");
    board_print_u32(frame);
    for (uint32_t i = 0; i < 8u; i++) {
        board_print(" ");
        board_print_real(i < 6u ? state[i] : target[i - 6u]);
    }
    board_print("\n");
}

static tc_real distance_left(const tc_real *state)
{
    const tc_real x = state[0] - MARK, y = state[1];
    return tc_sqrt(x * x + y * y);
}

/* The calls of the timer interrupt during one frame. */
static tc_status plan_frame(tc_plan *plan)
{
    tc_status status = TC_OK;
    for (uint32_t tick = 0; status >= 0 && tick < TICKS; tick++)
        status = tc_plan_update(plan, UNITS, NULL);
    return status;
}

/* One push from a start until the block is at the mark. */
static tc_status push_it(tc_plan *plan, const tc_implicit_scene *thin, uint32_t push)
{
    static tc_real controls[HORIZON * CONTROL], record[RECORD], space[SCRATCH];
    tc_real state[STATE] = {0}, sine, cosine, nearest = AHEAD;
    const tc_real *warm = NULL;
    tc_sincos(starts[push], &sine, &cosine);
    state[3] = state[9] = AHEAD * cosine;
    state[4] = state[10] = AHEAD * sine;
    for (uint32_t k = 0; k < HORIZON; k++)
        memcpy(controls + k * CONTROL, state + 3, 3u * sizeof *state);
    tc_status status = tc_plan_start(plan, state, controls);
    uint32_t frame = 0;
    for (; status >= 0 && frame < FRAMES_MOST && distance_left(state) > NEAR; frame++) {
        tc_implicit_info info;
        print_frame(push, frame, state, plan->control);
        status = plan_frame(plan);
        if (status >= 0)
            status = tc_implicit_step(thin, state, plan->control, warm, state, record, space,
                                      SCRATCH, &info);
        if (status >= 0) status = tc_plan_shift(plan, state);
        warm = record;
        if (info.gap < nearest) nearest = info.gap;
    }
    print_frame(push, frame, state, plan->control);
    board_print("end ");
    board_print_u32(push + 1u);
    board_print(" ");
    board_print_u32(frame);
    board_print(" ");
    board_print_real(1e3f * distance_left(state));
    board_print(" ");
    board_print_real(1e6f * nearest);
    board_print("\n");
    return status;
}

int app_main(void)
{
    static tc_real work[PLAN_WORK];
    tc_implicit_scene planned = scene_of(1e3f, 0.1f);
    const tc_implicit_scene thin = scene_of(1.0f, 0.0f);
    static const tc_real low[CONTROL] = {-0.5f, -1.2f, -3.0f}, high[CONTROL] = {1.0f, 1.2f, 3.0f};
    const tc_plan_goal mark = {.count = 2u, .target = {MARK, 0.0f}, .end = 1.0f, .knot = 1.0f};
    tc_plan_config config = tc_plan_default();
    tc_plan_model model;
    tc_plan plan;

    board_print(tc_version_text());
    board_print("\n");
    if (!app_checked()) return 1;
    planned.tolerance = 1e-6f; /* [m] a plan needs fewer digits than its derivatives could have */
    config.horizon = HORIZON;
    config.iterations = 5u;
    config.step = 0.03f;
    tc_status status = tc_plan_implicit(&planned, &model);
    const tc_plan_task task = {
        .model = &model, .goal = &mark, .goals = 1u, .low = low, .high = high};
    if (status >= 0) status = tc_plan_init(&plan, &task, &config, work, PLAN_WORK);
    for (uint32_t i = 0; status >= 0 && i < TC_COUNT(starts); i++)
        status = push_it(&plan, &thin, i);
    board_print(status < 0 ? "failed: " : "done: ");
    board_print(tc_status_text(status));
    board_print("\n");
    return status < 0;
}
