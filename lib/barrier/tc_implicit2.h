/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The plane as a scene's space (tc_implicit.h). A firmware that names this one alone links no code
 * for space.
 */
#ifndef TC_IMPLICIT2_H
#define TC_IMPLICIT2_H

#include "tc_implicit.h"

TC_BEGIN

/* Returns the plane; never NULL. */
const tc_implicit_space *tc_implicit2_space(void);

TC_END

#endif
