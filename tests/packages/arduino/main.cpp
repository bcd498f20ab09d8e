// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The tinycontact authors
//
// A stand-in for Arduino: Serial on standard output, and one turn of the loop.
#include <cstdint>
#include <cstdio>

#define HEX 16
static struct {
    void begin(long) {}
    void print(const char *text) { std::fputs(text, stdout); }
    void print(long number) { std::printf("%ld", number); }
    void println(const char *text) { std::puts(text); }
    void println(int number) { std::printf("%d\n", number); }
    void println(uint32_t number, int) { std::printf("%lX\n", static_cast<unsigned long>(number)); }
} Serial;
static void delay(int) {}

#include SKETCH

int main()
{
    setup();
    loop();
}
