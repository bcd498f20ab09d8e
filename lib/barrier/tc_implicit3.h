/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Three-dimensional space as a scene's space (tc_implicit.h). A firmware that names this
 * one alone links no code for the plane.
 */
#ifndef TC_IMPLICIT3_H
#define TC_IMPLICIT3_H

#include "tc_implicit.h"

TC_BEGIN

/* Returns the space; never NULL. */
const tc_implicit_space *tc_implicit3_space(void);

TC_END

#endif
