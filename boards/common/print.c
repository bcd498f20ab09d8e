/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Printing numbers over the byte stream, in place of a printf that would bring 20 KB and a heap.
 *
 * Reals: x = m 2^e with an integer m. m is kept in [2^59, 2^60), so that it can be multiplied by
 * ten in 64 bits, and the value is moved by powers of ten until 10^8 <= m 2^e < 10^9, which is then
 * rounded to nine digits. That takes at most 53 steps (2^-149 = 1.4e-45); each truncates below
 * 2^-55 of m, so the value printed is within 0.5 + 10^9 * 53 * 2^-55 < 0.500002 units of the ninth
 * digit of x. Nine digits that close identify a float: neighbours are at least 5.9 such units
 * apart.
 */
#include "board.h"

#include <string.h>

void board_print(const char *text)
{
    board_write(text, strlen(text));
}

void board_print_char(int c)
{
    char byte = (char)c;
    board_write(&byte, 1);
}

/* The decimal digits of value, at least `width`, into the end of a field of ten. Returns the
 * first. */
static char *decimal(char field[10], uint32_t value, int width)
{
    char *first = field + 10;
    do {
        *--first = (char)('0' + value % 10u);
        value /= 10u;
    } while (value != 0u || field + 10 - first < width);
    return first;
}

void board_print_u32(uint32_t value)
{
    char field[10];
    const char *first = decimal(field, value, 1);
    board_write(first, (size_t)(field + 10 - first));
}

void board_print_i32(int32_t value)
{
    if (value < 0) {
        board_print_char('-');
    }
    board_print_u32(value < 0 ? 0u - (uint32_t)value : (uint32_t)value);
}

void board_print_hex(uint32_t value)
{
    char text[10] = {'0', 'x'};
    for (int i = 0; i < 8; ++i) {
        text[2 + i] = "0123456789abcdef"[(value >> (28 - 4 * i)) & 15u];
    }
    board_write(text, sizeof text);
}

/* Shifts m into [2^59, 2^60), adjusting the exponent; m is not 0. */
static uint64_t normalise(uint64_t m, int *e)
{
    for (; m < (uint64_t)1 << 59; --*e) {
        m <<= 1;
    }
    for (; m >= (uint64_t)1 << 60; ++*e) {
        m >>= 1;
    }
    return m;
}

/* Nine digits n and the power of ten p with x = n 10^p, from x = m 2^e. */
static uint32_t nine_digits(uint64_t m, int e, int *p)
{
    const uint64_t low = 100000000u, high = 1000000000u;
    m = normalise(m, &e);
    *p = 0;
    for (; e > -30 || (e > -60 && (m >> -e) >= high); ++*p) {
        m = normalise(m / 10u, &e);
    }
    for (; e <= -60 || (m >> -e) < low; --*p) {
        m = normalise(m * 10u, &e);
    }
    uint32_t n = (uint32_t)((m + ((uint64_t)1 << (-e - 1))) >> -e);
    if (n == high) {
        n = (uint32_t)low;
        ++*p;
    }
    return n;
}

void board_print_real(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint32_t biased = (bits >> 23) & 255u, fraction = bits & 0x7fffffu;
    if (biased == 255u && fraction != 0u) {
        board_print("nan");
        return;
    }
    if (bits >> 31) {
        board_print_char('-');
    }
    if (biased == 255u) {
        board_print("inf");
        return;
    }
    uint32_t n = 0;
    int p = -8;
    if (biased != 0u) {
        n = nine_digits(fraction | 0x800000u, (int)biased - 150, &p);
    } else if (fraction != 0u) {
        n = nine_digits(fraction, -149, &p);
    }
    int exponent = p + 8;
    char text[14], field[10];
    memcpy(text + 1, decimal(field, n, 9), 9);
    text[0] = text[1];
    text[1] = '.';
    text[10] = 'e';
    text[11] = exponent < 0 ? '-' : '+';
    memcpy(text + 12, decimal(field, (uint32_t)(exponent < 0 ? -exponent : exponent), 2), 2);
    board_write(text, sizeof text);
}
