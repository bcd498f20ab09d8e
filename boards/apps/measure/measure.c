/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What each public function costs on this very part, by its own cycle counter, beside the estimate.
 *
 *     make flash BOARD=netduinoplus2 APP=measure                 on a part; read its UART
 *     make run BOARD=mps2-an386 APP=measure MEASURE="mat foot2"  emulated; some files of tests/bench
 *
 * A line per case of tests/bench:
 *     <what>/<size>/<variant> <cycles> <estimate> <error> <limit>
 * cycles: the fastest of the case's two runs with equal inputs; of a case with many inputs, the
 * worst input's. estimate: cycles of docs/reference/costs.md, from instructions counted under QEMU
 * and the core's timing table; "-" where there is none for this core. error, limit: of the result,
 * as the bench compares it; limits are wide where a result jumps, as a touch does from one step to
 * the next. The last line counts errors above their limit, and the status is then 1. An emulator has
 * no cycle counter: cycles are "-" there, and the first lines say so. Interrupts stay as they were;
 * an application that has some measures them, too.
 */
#include "../../../tests/bench/bench.h"
#include "board.h"
#include "measure.h"

#include <string.h>
#include <tinycontact.h>

#if !defined(BENCH_CYCLES)
#error measure is built by `make firmware APP=measure`, with the cases of tests/bench
#endif

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define DEMCR REGISTER(0xE000EDFCu)
#define DEMCR_TRCENA (1u << 24)
#define DWT_CTRL REGISTER(0xE0001000u)
#define DWT_CYCCNTENA 1u
#define SYST_CSR REGISTER(0xE000E010u)
#define SYST_RVR REGISTER(0xE000E014u)
#define SYST_ENABLE 5u /* of the processor's clock, without interrupt */

volatile uint32_t bench_began, bench_took;

static uint32_t overhead; /* cycles that an empty region takes */
static int counts;        /* the counter moves */
static uint32_t worst;    /* of a case's inputs so far */
static float worst_error;
static uint32_t beyond; /* cases whose error is above its limit, or NaN */

static void start_counter(void)
{
#if __ARM_ARCH > 6
    DEMCR |= DEMCR_TRCENA;
    DWT_CTRL |= DWT_CYCCNTENA;
#else
    SYST_RVR = 0xFFFFFFu;
    SYST_CSR = SYST_ENABLE;
#endif
}

/* The empty region twice, for the second finds its instructions fetched. */
static void calibrate(void)
{
    for (uint32_t i = 0; i < 2u; ++i) {
        BENCH_START();
        BENCH_STOP();
        overhead = bench_took;
    }
    BENCH_START();
    for (volatile uint32_t i = 0; i < 1000u; ++i) {
    }
    BENCH_STOP();
    counts = bench_took > overhead;
}

/* The name of a case and what stands for its inputs, as in tests/measured.csv. */
static void name_case(const bench_case *c, const char *ending, char *name, size_t room)
{
    const char *const parts[] = {c->what, "/", c->size, "/", c->variant, ending};
    size_t used = 0;
    for (uint32_t i = 0; i < TC_COUNT(parts); ++i) {
        char digits[3] = {(char)('0' + bench.n / 10u), (char)('0' + bench.n % 10u), 0};
        const char *text = parts[i];
        if (text == NULL) {
            text = bench.n < 10u ? digits + 1 : digits;
        }
        while (*text != 0 && used + 1u < room) {
            name[used++] = *text++;
        }
    }
    name[used] = 0;
}

static void print_number(int known, uint32_t number)
{
    board_print(" ");
    if (known) {
        board_print_u32(number);
    } else {
        board_print("-");
    }
}

static void print_line(const bench_case *c, const char *ending, uint32_t cycles, float error)
{
    char name[96];
    name_case(c, ending, name, sizeof name);
    uint32_t estimate = 0;
    for (uint32_t i = 0; i < measure_estimates_count; ++i) {
        if (strcmp(name, measure_estimates[i].name) == 0) {
            estimate = measure_estimates[i].cycles;
        }
    }
    board_print(name);
    print_number(counts, cycles);
    print_number(estimate > 0u, estimate);
    board_print(" ");
    board_print_real(error);
    board_print(" ");
    board_print_real(c->tolerance);
    board_print("\n");
    beyond += !(error <= c->tolerance);
}

void bench_tell(const bench_case *c, int drawn, float error)
{
    const uint32_t cycles = bench_took > overhead ? bench_took - overhead : 0u;
    if (!drawn) {
        print_line(c, "", cycles, error);
        return;
    }
    worst = bench.draw == 0u || cycles > worst ? cycles : worst;
    worst_error = bench.draw == 0u || !(error <= worst_error) ? error : worst_error;
}

void bench_tell_draws(const bench_case *c)
{
    print_line(c, "-worst", worst, worst_error);
}

int app_main(void)
{
    start_counter();
    calibrate();
    board_print("measure of ");
    board_print(tc_version_text());
    board_print(" on ");
    board_print(board_name());
    board_print("\nself-check ");
    board_print_u32(tc_selfcheck());
    board_print(" (0: this build has the library's bits)\n");
    board_print(counts ? "cycles by the core's counter\n"
                       : "no cycle counter here (emulated?): estimates and errors only\n");
    board_print("case cycles estimate error limit\n");
    measure_chosen();
    board_print("end of measure, errors above their limit: ");
    board_print_u32(beyond);
    board_print("\n");
    return beyond > 0u;
}
