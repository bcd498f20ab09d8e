/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Included first in each file of the wheel's shared objects. A newer glibc gives four functions
 * another version, which an older one lacks; they compute the same. With the first version of
 * each, the wheel loads on any glibc of the last ten years. */
#if defined(__linux__) && defined(__x86_64__)
#define FIRST_GLIBC "GLIBC_2.2.5"
#elif defined(__linux__) && defined(__aarch64__)
#define FIRST_GLIBC "GLIBC_2.17"
#endif

#ifdef FIRST_GLIBC
__asm__(".symver exp, exp@" FIRST_GLIBC);
__asm__(".symver log, log@" FIRST_GLIBC);
__asm__(".symver pow, pow@" FIRST_GLIBC);
__asm__(".symver hypot, hypot@" FIRST_GLIBC);
#endif
