/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Counts the instructions a guest executes between two markers: a QEMU TCG plugin.
 *
 * The guest marks a region with two reserved 16-bit hints, no-operations on every M profile core:
 *     .short 0xBF60   start: forget what was counted, count from the next instruction on
 *     .short 0xBF70   stop:  append the region to the output file
 * Neither marker is counted. Regions do not nest: a start inside a region begins it anew.
 *
 *     gcc -O2 -shared -fPIC -o qemu_count.so qemu_count.c
 *     qemu-system-arm ... -plugin file=./qemu_count.so,out=counts.txt
 *
 * Output, one block per region in the order of execution; a line per stretch of instructions, one
 * after the other in memory, that were executed equally often and left only behind the last of
 * them:
 *     region <index> <instructions>
 *     <address, hex> <instructions> <executions> <jumps>
 * `jumps` is how many of the executions were followed by another address than the next one: for a
 * branch, how often it was taken. The last line, `end <regions>`, says that the file is whole.
 *
 * Exact, because the callback runs before each instruction, whatever QEMU does with its translation
 * blocks. What it counts is what QEMU executes: an instruction skipped by an IT block counts one,
 * each LE of a low-overhead loop counts one (hardware drops it after the first pass), a Helium
 * instruction counts one whatever its beats. One guest core, no interrupts inside a region (the
 * guest's duty).
 *
 * Cost outside regions: one call and one test per instruction. Needs no QEMU header: the part of
 * the plugin interface used is declared here, as version 1 has it (QEMU 4.2 to 8.2). From version 3
 * on (QEMU 9.1) instruction bytes are copied out instead of pointed at: build with
 * -DTC_PLUGIN_API=3 there (compiles; not tried, the project pins 7.2).
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TC_PLUGIN_API
#define TC_PLUGIN_API 1
#endif

/* ---- The plugin interface, as far as it is used ---------------------------------------------- */

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef struct qemu_info_t qemu_info_t;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };

typedef void (*tb_trans_callback)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*exec_callback)(unsigned int cpu, void *data);
typedef void (*exit_callback)(qemu_plugin_id_t id, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, tb_trans_callback callback);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, exec_callback callback,
                                            enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, exit_callback callback, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
#if TC_PLUGIN_API >= 3
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *destination, size_t length);
#else
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
#endif

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

__attribute__((visibility("default"))) int qemu_plugin_version = TC_PLUGIN_API;

/* ---- Counters: one per address, found at translation, so that execution only increments ------ */

#define MARK_START 0xBF60u
#define MARK_STOP 0xBF70u
#define BUCKETS 65536u /* hash of the address; firmware has some 10^4 instructions */

typedef struct counter {
    struct counter *next;    /* in the same bucket */
    struct counter *touched; /* next one executed in this region */
    uint64_t address;
    uint64_t executions; /* in this region; 0: not in the touched list */
    uint64_t jumps;
    unsigned size; /* bytes: 2 or 4 */
} counter;

static counter *buckets[BUCKETS];
static counter *touched;  /* list of those with executions > 0 */
static counter *previous; /* executed last in this region, or null at its start */
static bool recording;
static uint64_t regions;
static FILE *out;

static counter *counter_at(uint64_t address, unsigned size)
{
    counter **bucket = &buckets[(address >> 1) % BUCKETS];
    counter *c = *bucket;

    while (c != NULL && c->address != address) {
        c = c->next;
    }
    if (c == NULL) {
        c = calloc(1, sizeof *c);
        if (c == NULL) {
            fprintf(stderr, "qemu_count: out of memory\n");
            abort();
        }
        c->address = address;
        c->next = *bucket;
        *bucket = c;
    }
    c->size = size;
    return c;
}

static void forget(void)
{
    while (touched != NULL) {
        counter *c = touched;

        touched = c->touched;
        c->executions = 0;
        c->jumps = 0;
    }
    previous = NULL;
}

static void on_execute(unsigned int cpu, void *data)
{
    counter *c = data;

    (void)cpu;
    if (!recording) {
        return;
    }
    if (previous != NULL && previous->address + previous->size != c->address) {
        previous->jumps++;
    }
    if (c->executions++ == 0) {
        c->touched = touched;
        touched = c;
    }
    previous = c;
}

static void on_start(unsigned int cpu, void *data)
{
    (void)cpu;
    (void)data;
    forget();
    recording = true;
}

static int by_address(const void *a, const void *b)
{
    uint64_t x = (*(counter *const *)a)->address;
    uint64_t y = (*(counter *const *)b)->address;

    return (x > y) - (x < y);
}

/* Sorted by address, so that two equal regions are two equal blocks of text. */
static void on_stop(unsigned int cpu, void *data)
{
    size_t n = 0;
    uint64_t total = 0;
    counter **sorted;

    (void)cpu;
    (void)data;
    if (!recording) {
        return;
    }
    recording = false;
    for (counter *c = touched; c != NULL; c = c->touched) {
        total += c->executions;
        n++;
    }
    sorted = calloc(n + 1, sizeof(counter *));
    if (sorted == NULL) {
        fprintf(stderr, "qemu_count: out of memory\n");
        abort();
    }
    n = 0;
    for (counter *c = touched; c != NULL; c = c->touched) {
        sorted[n++] = c;
    }
    qsort(sorted, n, sizeof(counter *), by_address);
    fprintf(out, "region %" PRIu64 " %" PRIu64 "\n", regions++, total);
    for (size_t first = 0, next; first < n; first = next) {
        const counter *last = sorted[first];
        for (next = first + 1;
             next < n && last->jumps == 0 && last->address + last->size == sorted[next]->address
             && last->executions == sorted[next]->executions;
             next++) {
            last = sorted[next];
        }
        fprintf(out, "%" PRIx64 " %zu %" PRIu64 " %" PRIu64 "\n", sorted[first]->address,
                next - first, last->executions, last->jumps);
    }
    free(sorted);
    forget();
}

/* ---- Translation: one callback per instruction ----------------------------------------------- */

static unsigned halfword(const struct qemu_plugin_insn *insn)
{
    unsigned char bytes[2] = {0, 0};

#if TC_PLUGIN_API >= 3
    qemu_plugin_insn_data(insn, bytes, sizeof bytes);
#else
    memcpy(bytes, qemu_plugin_insn_data(insn), sizeof bytes);
#endif
    return bytes[0] | (unsigned)bytes[1] << 8;
}

/* A Thumb instruction's length, from its first halfword. qemu_plugin_insn_size is not to be
 * trusted: QEMU 7.2 looks one halfword ahead at the end of a page and books it to the instruction
 * before, which made a marker at the end of a page look 4 bytes long, and a region was lost. */
static unsigned thumb_size(unsigned code)
{
    return code >> 11 >= 0x1Du ? 4u : 2u;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb);

    (void)id;
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        unsigned code = halfword(insn);
        exec_callback callback = code == MARK_START  ? on_start
                                 : code == MARK_STOP ? on_stop
                                                     : on_execute;
        counter *c = NULL;

        if (callback == on_execute) {
            c = counter_at(qemu_plugin_insn_vaddr(insn), thumb_size(code));
        }

        qemu_plugin_register_vcpu_insn_exec_cb(insn, callback, QEMU_PLUGIN_CB_NO_REGS, c);
    }
}

static void finish(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    fprintf(out, "end %" PRIu64 "\n", regions);
    if (fclose(out) != 0) {
        fprintf(stderr, "qemu_count: the counts could not be written\n");
    }
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    const char *path = NULL;

    (void)info;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "out=", 4) == 0) {
            path = argv[i] + 4;
        } else {
            fprintf(stderr, "qemu_count: unknown option '%s' (known: out=FILE)\n", argv[i]);
            return -1;
        }
    }
    out = path != NULL ? fopen(path, "w") : NULL;
    if (out == NULL) {
        fprintf(stderr, "qemu_count: out=%s cannot be opened for writing\n",
                path != NULL ? path : "");
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    qemu_plugin_register_atexit_cb(id, finish, NULL);
    return 0;
}
