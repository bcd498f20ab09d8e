/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The host as a board: a POSIX process.
 */
#define _POSIX_C_SOURCE 200809L

#include "board.h"

#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* 100 ns: fine enough to time a call, wraps after seven minutes. */
#define TICK_HZ 10000000u

static const char *argument;

int main(int argc, char **argv)
{
    argument = argc > 1 ? argv[1] : NULL;
    board_exit(app_main());
}

const char *board_argument(void)
{
    return argument;
}

const char *board_name(void)
{
    return "host";
}

/* A reader that went away is the end of the program, as it is for any filter. */
void board_write(const void *bytes, size_t n)
{
    const char *next = (const char *)bytes;
    while (n > 0) {
        ssize_t written = write(STDOUT_FILENO, next, n);
        if (written < 0) {
            exit(EXIT_FAILURE);
        }
        next += written;
        n -= (size_t)written;
    }
}

size_t board_read(void *bytes, size_t n)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&input, 1, 0) <= 0) {
        return 0;
    }
    ssize_t got = read(STDIN_FILENO, bytes, n);
    return got > 0 ? (size_t)got : 0;
}

void board_wait(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    (void)poll(&input, 1, 1);
}

uint32_t board_ticks(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * TICK_HZ
                      + (uint64_t)now.tv_nsec / (1000000000u / TICK_HZ));
}

uint32_t board_tick_hz(void)
{
    return TICK_HZ;
}

void board_exit(int status)
{
    exit(status & 0xff);
}

size_t board_stack_used(void)
{
    return 0;
}

size_t board_stack_size(void)
{
    return 0;
}
