/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What applications on a wire share: no frame leaves a build whose numbers are not the library's;
 * how BOOT names firmware and board; times in the clock's ticks.
 */
#ifndef CHECKED_H
#define CHECKED_H

#include "tinycontact.h"

#include "board.h"

/* Whether the library computes as it should; if not, says why in words. */
static inline int app_checked(void)
{
    const uint32_t found = tc_selfcheck();
    if (found != 0u) {
        board_print("failed its check: ");
        board_print(tc_selfcheck_text(found));
        board_print("\n");
    }
    return found == 0u;
}

/* The text of BOOT: the library's own and the board's name, as much of them as there is room for. */
static inline void app_text(char text[TC_WIRE_TEXT], const char *board)
{
    const char *const parts[] = {tc_version_text(), "; ", board};
    uint32_t length = 0;
    for (uint32_t k = 0; k < TC_COUNT(parts); k++) {
        for (const char *c = parts[k]; *c != '\0' && length < TC_WIRE_TEXT - 1u; c++) {
            text[length++] = *c;
        }
    }
}

/* `time` in units of 1 / `per` seconds, in ticks of a clock, half of its range at most. */
static inline uint32_t app_ticks(uint32_t tick_hz, uint32_t time, uint32_t per)
{
    const uint64_t ticks = (uint64_t)time * tick_hz / per;
    return ticks < 0x7FFFFFFFu ? (uint32_t)ticks : 0x7FFFFFFFu;
}

#endif
