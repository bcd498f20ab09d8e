/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "test.h"

void suite_body(void)
{
}
