/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Runs trajectories on several processes and prints one CSV line per kind, scheme and voice.
 *
 *     trajectories COUNT SEED [PROCESSES]     index 0 .. COUNT - 1
 *     trajectories SEED:INDEX                 one, step by step
 *
 * Index i is run by process i mod PROCESSES, so that all of them draw the same mixture. Counts lie
 * in memory that they share: what a process had found when it died is not lost, nor which
 * trajectory it was at.
 */
#define _DEFAULT_SOURCE
#include "trajectories.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROCESSES_MOST 64u

typedef struct table {
    tally cell[KINDS][SCHEMES][VOICES];
    uint64_t at; /* index that is run */
    uint64_t done;
} table;

typedef void runner(run *r);
static runner *const runners[KINDS] = {run_foot2, run_foot3, run_limb2, run_limb3, run_cdl};
static const char *const kind_name[KINDS] = {"planar", "space", "planar limb", "spatial limb",
                                             "cd-lagrange"};
static const char *const scheme_name[SCHEMES] = {"dart", "toc", "gap"};
static const char *const cdl_name[SCHEMES] = {"in sequence", "at once", ""};
static const char *const voice_name[VOICES] = {"exact", "learned", "nonsense"};

/* What Unity prints with; nothing here does. */
void test_putc(int c);
void test_putc(int c)
{
    (void)putchar(c);
}

static const char *scheme_of(uint32_t what, uint32_t scheme)
{
    return what == KIND_CDL ? cdl_name[scheme] : scheme_name[scheme];
}

/* ---- One ------------------------------------------------------------------------------------- */

static uint32_t hash_of(uint64_t seed, uint64_t index)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15u + index + 1u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(x ^ (x >> 31));
}

void run_trajectory(run *r)
{
    static const kind mixture[8] = {KIND_FOOT3, KIND_FOOT2, KIND_FOOT3, KIND_LIMB3,
                                    KIND_FOOT3, KIND_LIMB2, KIND_FOOT2, KIND_CDL};
    const uint64_t round = r->index / TC_COUNT(mixture);
    test_seed(hash_of(r->seed, r->index));
    r->what = mixture[r->index % TC_COUNT(mixture)];
    r->scheme = (uint32_t)(round % SCHEMES);
    r->says = (voice)(round / SCHEMES % (VOICES + 1u) % VOICES); /* the exact law twice as often */
    if (r->what == KIND_LIMB2 || r->what == KIND_LIMB3) {        /* each scheme with each voice */
        const uint32_t other = round % 2u == 0u ? TC_SCHEME_DART : TC_SCHEME_GAP;
        r->scheme = round % 6u / 2u == 1u ? TC_SCHEME_TOC : other;
    } else if (r->what == KIND_CDL) {
        r->scheme = (uint32_t)(round % 2u);
    }
    r->counts.trajectories = 1;
    runners[r->what](r);
}

static int show_one(uint64_t seed, uint64_t index)
{
    run r;
    memset(&r, 0, sizeof r);
    r.seed = seed;
    r.index = index;
    r.dump = 1;
    run_trajectory(&r);
    printf("%" PRIu64 ":%" PRIu64 " %s %s %s, step %u: %s %s\n", seed, index, kind_name[r.what],
           scheme_of(r.what, r.scheme), voice_name[r.says], (unsigned)r.step,
           r.failed != FAIL_NONE ? failure_name[r.failed] : "passes", r.reason);
    return r.failed != FAIL_NONE;
}

/* ---- Many ------------------------------------------------------------------------------------ */

static void add(tally *to, const tally *from)
{
    to->trajectories += from->trajectories;
    to->steps += from->steps;
    to->contacts += from->contacts;
    to->refused += from->refused;
    to->fled += from->fled;
    to->rested += from->rested;
    for (uint32_t s = 0; s < STATUSES; s++) {
        to->status[s] += from->status[s];
    }
    for (uint32_t f = 0; f < FAILURES; f++) {
        const int shorter =
            from->failed[f] > 0u
            && (to->failed[f] == 0u || from->example_steps[f] < to->example_steps[f]);
        to->example[f] = shorter ? from->example[f] : to->example[f];
        to->example_steps[f] = shorter ? from->example_steps[f] : to->example_steps[f];
        to->failed[f] += from->failed[f];
    }
    to->gain = from->gain > to->gain ? from->gain : to->gain;
    to->told = from->told > to->told ? from->told : to->told;
    to->sank = from->sank > to->sank ? from->sank : to->sank;
}

static void work_through(table *t, uint64_t seed, uint64_t first, uint64_t count, uint32_t stride)
{
    const int verbose = getenv("TRAJECTORIES_VERBOSE") != NULL; /* names every failure */
    run r;
    for (uint64_t index = first; index < count; index += stride) {
        memset(&r, 0, sizeof r);
        r.seed = seed;
        r.index = t->at = index;
        run_trajectory(&r);
        r.counts.failed[r.failed] = r.failed != FAIL_NONE;
        r.counts.example[r.failed] = index;
        r.counts.example_steps[r.failed] = r.step;
        if (verbose && r.failed != FAIL_NONE) {
            fprintf(stderr, "# %s %s %s ONE=%" PRIu64 ":%" PRIu64 " step %u %s %s\n",
                    kind_name[r.what], scheme_of(r.what, r.scheme), voice_name[r.says], seed, index,
                    (unsigned)r.step, failure_name[r.failed], r.reason);
        }
        add(&t->cell[r.what][r.scheme][r.says], &r.counts);
        t->done++;
    }
}

static uint64_t done_by(const table *tables, uint32_t processes)
{
    uint64_t done = 0;
    for (uint32_t k = 0; k < processes; k++) {
        done += tables[k].done;
    }
    return done;
}

/* Waits for all; a process that died counts as a failure, and its trajectory is named. */
static int attend(const table *tables, const pid_t *pids, uint32_t processes, uint64_t seed,
                  uint64_t count)
{
    const int shows = isatty(STDERR_FILENO);
    const struct timespec blink = {0, 200000000};
    uint32_t left = processes;
    int bad = 0;
    while (left > 0u) {
        int status;
        const pid_t ended = waitpid(-1, &status, WNOHANG);
        for (uint32_t k = 0; ended > 0 && k < processes; k++) {
            if (pids[k] == ended && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
                fprintf(stderr, "died at ONE=%" PRIu64 ":%" PRIu64 "\n", seed, tables[k].at);
                bad = 1;
            }
        }
        left -= ended > 0;
        if (ended <= 0) {
            (void)nanosleep(&blink, NULL);
        }
        if (shows) {
            fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " trajectories ",
                    done_by(tables, processes), count);
        }
    }
    if (shows) {
        fprintf(stderr, "\r%40s\r", "");
    }
    return bad;
}

static void print_heading(void)
{
    printf("kind,scheme,law,trajectories,refused,fled,steps,contacts,ok,note_limit,note_range");
    printf(",note_contact,note_fallback,other_notes,errors,rested");
    for (uint32_t f = FAIL_STATUS; f < FAILURES; f++) {
        printf(",%s", failure_name[f]);
    }
    printf(",work,told_apart,depth\n");
}

static uint64_t print_cell(const tally *t, uint32_t what, uint32_t scheme, uint32_t says)
{
    uint64_t errors = 0, notes = 0, failed = 0;
    const uint64_t *const by = t->status - STATUS_LEAST;
    for (int s = STATUS_LEAST; s < STATUS_LEAST + (int)STATUSES; s++) {
        errors += s < TC_OK ? by[s] : 0u;
        notes += s > TC_OK ? by[s] : 0u;
    }
    notes -= by[TC_NOTE_LIMIT] + by[TC_NOTE_RANGE] + by[TC_NOTE_CONTACT] + by[TC_NOTE_FALLBACK];
    printf("%s,%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, kind_name[what],
           scheme_of(what, scheme), voice_name[says], t->trajectories, t->refused, t->fled,
           t->steps, t->contacts);
    const uint64_t counts[] = {by[TC_OK],
                               by[TC_NOTE_LIMIT],
                               by[TC_NOTE_RANGE],
                               by[TC_NOTE_CONTACT],
                               by[TC_NOTE_FALLBACK],
                               notes,
                               errors,
                               t->rested};
    for (uint32_t k = 0; k < TC_COUNT(counts); k++) {
        printf(",%" PRIu64, counts[k]);
    }
    for (uint32_t f = FAIL_STATUS; f < FAILURES; f++) {
        printf(",%" PRIu64, t->failed[f]);
        failed += t->failed[f];
    }
    printf(",%.2g,%.2g,%.2g\n", t->gain, t->told, t->sank);
    return failed;
}

/* The failure of each sort after the fewest steps, to be replayed */
static void print_examples(const tally *t, uint32_t what, uint32_t scheme, uint32_t says,
                           uint64_t seed)
{
    for (uint32_t f = FAIL_STATUS; f < FAILURES; f++) {
        if (t->failed[f] > 0u) {
            fprintf(stderr, "%s %s %s: %" PRIu64 " x %s", kind_name[what], scheme_of(what, scheme),
                    voice_name[says], t->failed[f], failure_name[f]);
            fprintf(stderr, ", ONE=%" PRIu64 ":%" PRIu64 " (%" PRIu64 " steps)\n", seed,
                    t->example[f], t->example_steps[f]);
        }
    }
}

static uint64_t report(table *tables, uint32_t processes, uint64_t seed)
{
    uint64_t failed = 0;
    print_heading();
    for (uint32_t what = 0; what < KINDS; what++) {
        for (uint32_t scheme = 0; scheme < SCHEMES; scheme++) {
            for (uint32_t says = 0; says < VOICES; says++) {
                tally *const t = &tables[0].cell[what][scheme][says];
                for (uint32_t k = 1; k < processes; k++) {
                    add(t, &tables[k].cell[what][scheme][says]);
                }
                if (t->trajectories > 0u) {
                    failed += print_cell(t, what, scheme, says);
                    print_examples(t, what, scheme, says, seed);
                }
            }
        }
    }
    return failed;
}

static int run_many(uint64_t count, uint64_t seed, uint32_t processes)
{
    pid_t pids[PROCESSES_MOST];
    table *const tables = mmap(NULL, processes * sizeof *tables, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tables == MAP_FAILED) {
        perror("mmap");
        return 2;
    }
    for (uint32_t k = 0; k < processes; k++) {
        pids[k] = fork();
        if (pids[k] == 0) {
            work_through(&tables[k], seed, k, count, processes);
            _exit(0);
        }
        if (pids[k] < 0) {
            perror("fork");
            return 2;
        }
    }
    const int died = attend(tables, pids, processes, seed, count);
    const uint64_t done = done_by(tables, processes), failed = report(tables, processes, seed);
    fprintf(stderr, "%" PRIu64 " passed, %" PRIu64 " failed\n", done - failed,
            failed + (uint64_t)died);
    return died || failed > 0u;
}

int main(int argc, char **argv)
{
    char *rest = NULL;
    const uint64_t first = argc > 1 ? strtoull(argv[1], &rest, 10) : 1000u;
    if (rest != NULL && *rest == ':') {
        return show_one(first, strtoull(rest + 1, NULL, 10));
    }
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1u;
    const unsigned long processes = argc > 3 ? strtoul(argv[3], NULL, 10) : 2u;
    return run_many(first, seed,
                    processes < 1u               ? 1u
                    : processes > PROCESSES_MOST ? PROCESSES_MOST
                                                 : (uint32_t)processes);
}
