/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The robot's firmware on a board: bytes from its UART to robot.c and back.
 *
 *     make firmware BOARD=mps2-an386 APP=robot
 *
 * robot_tables.c is a quadruped of 12 kg. For your own robot copy this folder, and write that file
 * and its header with `tinycontact leg export robot.json --c . --name robot`.
 */
#include "robot.h"
#include "robot_tables.h"

#include "apps/checked.h"
#include "board.h"

static robot application;
static tc_feet_config config;

int app_main(void)
{
    const robot_board board = {
        .name = board_name(),
        .tick_hz = board_tick_hz(),
        .ticks = board_ticks,
        .stack_used = board_stack_used,
        .write = board_write,
    };
    if (!app_checked()) return 1;
    if (robot_configure(&config) < TC_OK) {
        board_print("the robot's tables make no configuration\n");
        return 1;
    }
    robot_init(&application, &board, &robot_tables, &config);
    for (;;) {
        uint8_t bytes[64];
        const size_t n = board_read(bytes, sizeof bytes);
        if (n > 0u) {
            robot_receive(&application, bytes, n);
        } else {
            board_wait();
        }
        robot_watch(&application);
    }
}
