/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Stands in for Zephyr's header of this name.
 */
#include <stdio.h>
#define printk printf
