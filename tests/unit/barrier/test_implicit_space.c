/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 */
#include "implicit_case.h"

void suite_implicit_space(void)
{
}
