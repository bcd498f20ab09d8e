/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Unity's switches: output through the board's byte stream, single precision only.
 */
#ifndef UNITY_CONFIG_H
#define UNITY_CONFIG_H

void test_putc(int c);

#define UNITY_OUTPUT_CHAR(c) test_putc(c)
#define UNITY_EXCLUDE_DOUBLE
#define UNITY_SUPPORT_64

#endif
