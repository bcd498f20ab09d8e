/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The rectangle of the paper's Fig. 5, thrown ten times on the board: a trained model, predicted
 * step by step.
 *
 * Prints, for `make demo` to draw and for anybody to read:
 *     at <throw> <t> <x> <y> <theta>        every PATH_STEPS steps
 *     rest <throw> <t> <x> <theta> <bounces>
 */
#include "apps/checked.h"
#include "board.h"
#include "tinycontact.h"

extern const uint8_t rectangle_tcm[]; /* rectangle.tcm beside this file */
extern const uint32_t rectangle_tcm_size;

#define STEP 0.002f /* [s] as the model was trained */
#define WIDTH 32u   /* of the widest net: tinycontact model inspect rectangle.tcm */
#define PATH_STEPS 4u
#define QUIET_STEPS 5u /* 10 ms without impulse make a bounce */
#define REST_STEPS 50u
#define STEPS_MOST 10000u

/* y0 [m], theta0 [deg], vx0 [m/s], omega0 [rad/s]; x0 = 0, vy0 = 0 (Jiang & Liu, Fig. 5) */
static const float throws[10][4] = {
    {0.25f, 131.8f, 3.5f, 4.0f},   {0.33f, 0.0f, 4.2f, 45.0f},    {0.7f, -114.6f, 2.0f, 0.0f},
    {0.35f, 57.3f, -1.0f, -30.0f}, {0.5f, 85.9f, -4.0f, -10.0f},  {1.0f, -40.1f, -0.5f, 0.5f},
    {0.3f, 160.4f, 3.0f, -4.0f},   {0.25f, -171.9f, -2.5f, 0.0f}, {0.4f, 115.0f, 3.0f, 0.0f},
    {0.4f, 28.6f, 3.0f, 20.0f},
};

/* [m] */
static const tc_real corners[8] = {-0.1f, -0.06f, 0.1f, -0.06f, 0.1f, 0.06f, -0.1f, 0.06f};
/* [N], [N m] */
static const tc_real force[3] = {0.0f, -9.81f, 0.0f};

static void print_row(const char *what, uint32_t throw, uint32_t step, const tc_real *numbers,
                      uint32_t count)
{
    board_print(what);
    board_print_u32(throw +1u);
    board_print(" ");
    board_print_real((float)step * STEP);
    for (uint32_t i = 0; i < count; i++) {
        board_print(" ");
        board_print_real(numbers[i]);
    }
}

static int still(const tc_body2_state *s)
{
    const tc_real *v = s->velocity;
    return v[0] * v[0] + v[1] * v[1] < 1e-6f && v[2] * v[2] < 1e-4f;
}

/* One throw until it has rested for REST_STEPS. */
static tc_status throw_it(const tc_foot2 *body, uint32_t number, tc_real *work, size_t work_len)
{
    const float *start = throws[number];
    tc_body2_state s = {{0.0f, start[0], start[1] * (3.14159265f / 180.0f)},
                        {start[2], 0.0f, start[3]}};
    tc_status status = TC_OK;
    uint32_t bounces = 0, quiet = 0, resting = 0, step = 0;
    int touched = 0;
    for (; status >= 0 && resting < REST_STEPS && step < STEPS_MOST; step++) {
        tc_foot2_info info;
        if (step % PATH_STEPS == 0u) {
            print_row("at ", number, step, s.position, 3u);
            board_print("\n");
        }
        status = tc_foot2_step(body, force, &s, &info, work, work_len); /* the 1 kHz call */
        if (info.normal[0] + info.normal[1] > 0.0f) {
            bounces += touched && quiet >= QUIET_STEPS;
            touched = 1;
            quiet = 0;
        } else {
            quiet++;
        }
        resting = still(&s) ? resting + 1u : 0u;
    }
    const tc_real end[2] = {s.position[0], s.position[2]};
    print_row("rest ", number, step, end, 2u);
    board_print(" ");
    board_print_u32(bounces);
    board_print("\n");
    return status;
}

int app_main(void)
{
    static tc_real work[TC_FOOT2_WORK(TC_LEARNED2_NETS_WORK(WIDTH))];
    static tc_model model;
    static tc_learned2_nets nets;
    static tc_foot2 body;
    const tc_body2 inertia = {1.0f, 0.00453333333f}; /* [kg], [kg m^2] */

    board_print(tc_version_text());
    board_print("\n");
    if (!app_checked()) return 1;
    tc_status status = tc_model_open(&model, rectangle_tcm, rectangle_tcm_size);
    if (status >= 0) {
        status = tc_foot2_open(&body, &nets, &model, &inertia, STEP);
    }
    if (status >= 0) {
        body.shape = (tc_shape2){corners, 4u, 0.0f};
        status = tc_foot2_check(&body);
    }
    for (uint32_t i = 0; status >= 0 && i < TC_COUNT(throws); i++) {
        status = throw_it(&body, i, work, TC_COUNT(work));
    }
    board_print(status < 0 ? "failed: " : "done: ");
    board_print(tc_status_text(status));
    board_print("\n");
    return status < 0;
}
