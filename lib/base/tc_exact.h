/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Each product and each sum of the library is rounded once, whatever flags its build system chose:
 * included first in every .c of lib/ and port/, and nowhere else, because it holds for the rest of
 * the file.
 *
 * Where the core has a fused multiply-add, compilers fuse unasked: gcc outside -std=c11, clang from
 * 14 on. That drops the product's rounding, and with it the bits and every proof that counts on
 * equal products being equal.
 *     gcc     takes a pragma of its own for all functions that follow. It fuses by the flags of the
 *             function that an inlined one ends in, which is why tc_mat_fixed.h, too, looks at
 *             TC_CONTRACT_OFF
 *     others  take the pragma of the C standard; clang ignores it under -ffp-contract=fast, which
 *             it never assumes
 * Where the build says TC_CONTRACT_OFF the compiler has the flag already, and gcc, whose pragma
 * costs it an instruction here and there at -Os, is left alone. tc_selfcheck() finds out at run
 * time what came of it all.
 */
#ifndef TC_EXACT_H
#define TC_EXACT_H

#ifndef TC_CONTRACT_OFF
#define TC_CONTRACT_OFF
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off")
#else
#pragma STDC FP_CONTRACT OFF
#endif
#endif

#endif
