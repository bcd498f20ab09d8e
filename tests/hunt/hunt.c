/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The hunt firmware's main: runs the inputs of the file that the host put into memory. hunt.h says
 * more.
 */
#include "hunt.h"

#include "board.h"

static hunt_result (*const subjects[])(const hunt_file *file, const uint32_t *input) = {
    hunt_lcp,   hunt_math,  hunt_psd_solve, hunt_net_eval, hunt_detect2,   hunt_detect3, hunt_patch,
    hunt_foot2, hunt_limb2, hunt_foot3,     hunt_cdl,      hunt_estimator, hunt_cone,
};

static void print_result(uint32_t index, hunt_result result)
{
    board_print("hunt ");
    board_print_u32(index);
    board_print(" ");
    board_print(tc_status_name(result.status));
    board_print(" ");
    board_print_u32(result.changes);
    board_print("\n");
}

int app_main(void)
{
    const hunt_file *const file = (const hunt_file *)HUNT_ADDRESS;
    const uint32_t *input = (const uint32_t *)(file + 1);
    if (file->magic != HUNT_MAGIC || file->subject >= TC_COUNT(subjects)) {
        board_print("hunt: no inputs in memory; tests/hunt/hunt.py brings them\n");
        return 1;
    }
    for (uint32_t i = 0; i < file->count; i++, input += file->words) {
        print_result(i, subjects[file->subject](file, input));
    }
    return 0;
}
