/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Compiles one source, or copies the object that the same compiler made of the same text with the same flags:
 *
 *     compile VERSION OBJECT COMPILER FLAGS... -c SOURCE
 *
 * Configurations that differ in a macro or a backend differ in few objects: the text is compared as the preprocessor
 * leaves it, and the others are taken from build/objects. The line numbers in that text count only where -g or a
 * sanitizer puts them into the object. What was compiled with a warning is not kept, so that it warns again; a text
 * that the preprocessor complains about (#error, #warning, an undefined macro) is neither looked for nor kept, because
 * what it complains about is not in the text it leaves. Dependencies (OBJECT with .d) are made anew. Each file is whole
 * or not there, as a change of name brings it: jobs of a test run make the same object side by side.
 *
 * A test run comes here more than ten thousand times. This was a script; its commands took as long as the preprocessor.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define STORE "build/objects"

/* ---- SHA-256 (FIPS 180-4) -------------------------------------------------------------------- */

typedef struct sum {
    uint32_t h[8];
    uint64_t bytes;
    unsigned char block[64];
} sum;

static const uint32_t ROUND[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void sum_begin(sum *s)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(s->h, start, sizeof start);
    s->bytes = 0;
}

static uint32_t turn(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void sum_block(sum *s)
{
    uint32_t w[64], v[8];
    for (unsigned i = 0; i < 16; i++) {
        const unsigned char *b = s->block + 4 * i;
        w[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (unsigned i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7]
               + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    memcpy(v, s->h, sizeof v);
    for (unsigned i = 0; i < 64; i++) {
        const uint32_t e = v[4], a = v[0];
        const uint32_t t = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25))
                           + ((e & v[5]) ^ (~e & v[6])) + ROUND[i] + w[i];
        const uint32_t u =
            (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t;
        v[0] = t + u;
    }
    for (unsigned i = 0; i < 8; i++) s->h[i] += v[i];
}

static void sum_add(sum *s, const void *data, size_t n)
{
    const unsigned char *from = data;
    while (n > 0) {
        const size_t at = s->bytes % 64, part = n < 64 - at ? n : 64 - at;
        memcpy(s->block + at, from, part);
        s->bytes += part;
        from += part;
        n -= part;
        if (s->bytes % 64 == 0) sum_block(s);
    }
}

static void sum_end(sum *s, char hex[65])
{
    const uint64_t bits = s->bytes * 8;
    unsigned char length[8];
    for (int i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
    sum_add(s, "\x80", 1);
    while (s->bytes % 64 != 56) sum_add(s, "", 1);
    sum_add(s, length, 8);
    for (int i = 0; i < 8; i++) sprintf(hex + 8 * i, "%08x", (unsigned)s->h[i]);
}

/* ---- Files and commands ---------------------------------------------------------------------- */

static char fresh[4096]; /* what the names of this run's own files begin with */

static _Noreturn void stop(const char *what)
{
    fprintf(stderr, "compile: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* FRESH with an ending, or BASE if one is given, in one of a few texts that the next calls use again. */
static char *name(const char *base, const char *ending)
{
    static char names[8][4200];
    static unsigned next;
    char *text = names[next++ % 8];
    snprintf(text, sizeof names[0], "%s%s", base ? base : fresh, ending);
    return text;
}

static void clean(void)
{
    static const char *const endings[] = {".o", ".ci", ".d", ".su", ".txt"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) unlink(name(NULL, endings[i]));
}

static int there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void rename_or_stop(const char *from, const char *to)
{
    if (rename(from, to) != 0) stop(to);
}

/* A copy that takes its place by a change of name: beside it, for the store may be another disk. */
static void copy(const char *from, const char *to)
{
    static char part[1 << 16];
    char ending[24];
    snprintf(ending, sizeof ending, ".%d", (int)getpid());
    const char *whole = name(to, ending);
    const int in = open(from, O_RDONLY), out = open(whole, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ssize_t n = 0;
    if (in < 0 || out < 0) stop(in < 0 ? from : whole);
    while ((n = read(in, part, sizeof part)) > 0)
        if (write(out, part, (size_t)n) != n) stop(whole);
    if (n < 0 || close(in) != 0 || close(out) != 0) stop(from);
    rename_or_stop(whole, to);
}

/* Makes the folders of a path. */
static void folders_of(const char *path)
{
    char text[4096];
    snprintf(text, sizeof text, "%s", path);
    for (char *at = text + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            if (mkdir(text, 0777) != 0 && errno != EEXIST) stop(text);
            *at = '/';
        }
}

/* Starts a command with its errors in fresh.txt and its output, if `out` is asked for, in a pipe. */
static pid_t start(char **words, int *out)
{
    int ends[2] = {-1, -1};
    if (out && pipe(ends) != 0) stop("pipe");
    const pid_t child = fork();
    if (child < 0) stop("fork");
    if (child == 0) {
        const int errors = open(name(NULL, ".txt"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
        if (errors >= 0) dup2(errors, 2);
        if (out) dup2(ends[1], 1);
        if (out) close(ends[0]);
        execvp(words[0], words);
        fprintf(stderr, "compile: %s: %s\n", words[0], strerror(errno));
        fflush(stderr);
        _exit(127); /* not exit: cleaning up is its parent's */
    }
    if (out) {
        close(ends[1]);
        *out = ends[0];
    }
    return child;
}

/* Whether it succeeded. */
static int ended(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) stop("wait");
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Shows what a command said on its error stream; whether it said anything. */
static int complained(int show)
{
    char part[4096];
    int said = 0;
    FILE *file = fopen(name(NULL, ".txt"), "r");
    for (size_t n; file && (n = fread(part, 1, sizeof part, file)) > 0; said = 1)
        if (show) fwrite(part, 1, n, stderr);
    if (file) fclose(file);
    return said;
}

/* ---- One object ------------------------------------------------------------------------------ */

static int begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

/* The sum of the text and of what else decides about the object, as the object's name in the store without its ending;
 * 0 if the preprocessor fails or complains. */
static int look_up(char *version, const char *object, char **command, int count, char *kept,
                   size_t size)
{
    char *words[count + 9], hex[65];
    static char part[1 << 16];
    int lines = 0, out = -1;
    ssize_t n = 0;
    sum s;
    sum_begin(&s);
    sum_add(&s, version, strlen(version));
    for (int i = 0; i < count; i++) {
        const char *word = words[i] = command[i];
        if (begins(word, "-D") || begins(word, "-I") || begins(word, "-M")
            || !strcmp(word, "-Werror"))
            continue;
        lines |= !strcmp(word, "-g") || begins(word, "-fsanitize=");
        sum_add(&s, " ", 1);
        sum_add(&s, word, strlen(word));
    }
    sum_add(&s, "\n", 1);
    char *const more[] = {"-E", "-MF", name(NULL, ".d"),    "-MT", (char *)object,
                          "-o", "-",   lines ? NULL : "-P", NULL};
    memcpy(words + count, more, sizeof more);
    const pid_t child = start(words, &out);
    while ((n = read(out, part, sizeof part)) > 0) sum_add(&s, part, (size_t)n);
    close(out);
    if (!ended(child) || n < 0 || complained(0)) return 0;
    sum_end(&s, hex);
    snprintf(kept, size, STORE "/%s", hex);
    return 1;
}

/* Compiles to fresh.o; whether the object may be kept. Ends the program if it fails. */
static int compile(char **command, int count)
{
    char *words[count + 5];
    memcpy(words, command, (size_t)count * sizeof *words);
    char *const more[] = {"-MF", "/dev/null", "-o", name(NULL, ".o"), NULL};
    memcpy(words + count, more, sizeof more);
    const int done = ended(start(words, NULL)), said = complained(1);
    if (!done) exit(1);
    return !said;
}

int main(int count, char **words)
{
    static const char *const kinds[] = {".ci", ".o"};
    char stem[4000], kept[4200];
    if (count < 4)
        return fprintf(stderr, "compile VERSION OBJECT COMPILER FLAGS... -c SOURCE\n"), 2;
    signal(SIGINT, SIG_IGN); /* the compiler ends, and what it left is cleaned up here */
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    char *version = words[1], *object = words[2], **command = words + 3;
    count -= 3;
    const size_t length = strlen(object);
    if (length < 2 || length > sizeof stem - 20 || strcmp(object + length - 2, ".o") != 0) return 2;
    snprintf(stem, sizeof stem, "%.*s", (int)length - 2, object);
    snprintf(fresh, sizeof fresh, "%s.%d", stem, (int)getpid());
    atexit(clean);
    clean(); /* of a run that was killed */
    folders_of(object);
    folders_of(STORE "/");

    const int known = look_up(version, object, command, count, kept, sizeof kept);
    const int found = known && there(name(kept, ".o"));
    const int keep = found || (compile(command, count) && known);
    for (size_t i = 0; i < 2; i++) {
        const char *own = name(NULL, kinds[i]), *stored = name(kept, kinds[i]),
                   *made = name(stem, kinds[i]);
        if (found && there(stored)) {
            utimensat(AT_FDCWD, stored, NULL, 0); /* used: see RUN_TESTS in tests.mk */
            copy(stored, made);
        } else if (there(own)) {
            if (keep) copy(own, stored);
            rename_or_stop(own, made);
        }
    }
    if (there(name(NULL, ".d"))) rename_or_stop(name(NULL, ".d"), name(stem, ".d"));
    return 0;
}
