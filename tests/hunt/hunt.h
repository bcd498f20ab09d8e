/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The hunt firmware: public functions run on inputs that the host chose, each call counted under
 * QEMU.
 *
 * tests/hunt/hunt.py looks for the input that costs most: it writes a file of inputs, which QEMU's
 * loader puts at HUNT_ADDRESS before start-up (the 16 MB of PSRAM of the boards mps2-*, which no
 * image uses); the firmware runs them one by one between the counter's markers and prints
 *     hunt <index> <status> <changes>
 * and the host reads the counts, breeds the dearest inputs, and comes again.
 *
 * A subject is one function; it is added by a file with its run function, a line in hunt.c and a
 * class in hunt.py that draws and alters its inputs.
 */
#ifndef HUNT_H
#define HUNT_H

#include "tinycontact.h"

#define HUNT_ADDRESS 0x21000000u
#define HUNT_MAGIC 0x544E5548u /* "HUNT" */

/* Start of the file; the inputs follow, `words` words of 32 bits each. */
typedef struct hunt_file {
    uint32_t magic;
    uint32_t subject; /* index in hunt.c's list */
    uint32_t count;   /* inputs */
    uint32_t words;
    uint32_t size[4]; /* what the subject makes of them */
} hunt_file;

typedef struct hunt_result {
    tc_status status;
    uint32_t changes; /* iterations that the function tells of, 0 if none */
} hunt_result;

/* The counter's markers around one call (tests/bench/bench.h has the same). */
#define HUNT_REGION(call)                                                                          \
    do {                                                                                           \
        __asm volatile(".short 0xBF60" ::: "memory");                                              \
        call;                                                                                      \
        __asm volatile(".short 0xBF70" ::: "memory");                                              \
    } while (0)

/* Subjects: run one input of file->words words. */
hunt_result hunt_lcp(const hunt_file *file, const uint32_t *input);
hunt_result hunt_math(const hunt_file *file, const uint32_t *input);
hunt_result hunt_psd_solve(const hunt_file *file, const uint32_t *input);

/* These are given numbers from 0 to 1, and make quantities within bounds of them. */
hunt_result hunt_net_eval(const hunt_file *file, const uint32_t *input);
hunt_result hunt_detect2(const hunt_file *file, const uint32_t *input);
hunt_result hunt_detect3(const hunt_file *file, const uint32_t *input);
hunt_result hunt_patch(const hunt_file *file, const uint32_t *input);
hunt_result hunt_foot2(const hunt_file *file, const uint32_t *input);
hunt_result hunt_limb2(const hunt_file *file, const uint32_t *input);
hunt_result hunt_foot3(const hunt_file *file, const uint32_t *input);
hunt_result hunt_cdl(const hunt_file *file, const uint32_t *input);
hunt_result hunt_estimator(const hunt_file *file, const uint32_t *input);
hunt_result hunt_cone(const hunt_file *file, const uint32_t *input);

/* The next number as something from low to high; or from -most to most, small ones as likely as
 * large, and 1/2 is 0. */
tc_real hunt_between(const tc_real **numbers, tc_real low, tc_real high);
tc_real hunt_signed(const tc_real **numbers, tc_real most);

/* A net of 2 + n_out numbers: up to 4 layers at most 32 wide, 3 outputs a classifier. Memory for 4,
 * by index. hunt_small_net: n_in-16-16-n_out, tanh. */
void hunt_net(uint32_t index, const uint16_t *dims, uint32_t n_layers, tc_net_activation hidden,
              const tc_real **numbers, tc_net *net);
void hunt_small_net(uint32_t index, uint16_t n_in, uint16_t n_out, const tc_real **numbers,
                    tc_net *net);

#endif
