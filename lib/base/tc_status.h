/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Status codes: the result of every function that may fail, except those listed here.
 *
 * - 0: done.
 * - Positive, TC_NOTE_...: the outputs hold the best answer found; the code is worth noting.
 * - Negative, TC_ERR_...: failed. States are unchanged, outputs are zero, nothing else was written.
 *   A function whose outputs differ on an error describes them in its comment.
 *
 * These functions return no status:
 * - Every input has a result: tc_math.h, `_default`, `_text`, tc_version, tc_selfcheck.
 * - They check nothing, NULL included. Another call has checked or made their inputs.
 *   Fits: tc_fit_add.
 *   Chains and legs: tc_chain2.h and tc_chain3.h after `_check` and `_move`, tc_leg_move,
 *   tc_robot.h after `_check`.
 *   Contact: tc_learned2_space_*, tc_learned2_features, tc_learned2_legal, tc_learned3_query_init
 *   and the functions of its query, tc_detect2_unchecked, tc_detect3_unchecked.
 *   Nets and models: tc_net_in_range, `_nets_model`, tc_estimator_foot_model.
 * - They return a length, 0 on failure: tc_wire_encode, tc_wire_put_*, tc_estimator_record_write.
 *   tc_wire_decode returns the bytes consumed, and reports damage in a tc_wire_result.
 *
 * One list makes both the enumeration and the texts.
 */
#ifndef TC_STATUS_H
#define TC_STATUS_H

#include "tc_config.h"

TC_BEGIN

#define TC_STATUS_LIST(X)                                                                          \
    X(TC_OK, 0, "ok")                                                                              \
    X(TC_NOTE_LIMIT, 1, "iteration limit reached: the best iterate is returned")                   \
    X(TC_NOTE_RANK, 2, "matrix is rank-deficient: one of many solutions is returned")              \
    X(TC_NOTE_INCONSISTENT, 3, "right-hand side is not in the matrix's range: residual remains")   \
    X(TC_NOTE_RANGE, 4, "an input lies outside the range the model was trained on")                \
    X(TC_NOTE_CONTACT, 5, "the learned class or ratio was overruled, or stayed inconsistent")      \
    X(TC_NOTE_FALLBACK, 6, "no answer was certified: an inelastic stop, or no push-out, instead")  \
    X(TC_NOTE_OVERLAP, 7, "bodies overlap deeper than the system's bound")                         \
    X(TC_NOTE_PRECISION, 8, "right relative to its terms, not to the input: info has the error")   \
    X(TC_ERR_NULL, -1, "a required pointer is null")                                               \
    X(TC_ERR_ALIGN, -2, "a pointer is not aligned for its type")                                   \
    X(TC_ERR_SIZE, -3, "a dimension is 0 or beyond its limit, or two dimensions disagree")         \
    X(TC_ERR_WORK, -4, "the workspace is too short")                                               \
    X(TC_ERR_NOT_FINITE, -5, "an input is NaN or infinite")                                        \
    X(TC_ERR_RANGE, -6, "an input or a result is finite but far too large")                        \
    X(TC_ERR_SINGULAR, -7, "matrix is singular to working precision")                              \
    X(TC_ERR_INDEFINITE, -8, "matrix is not positive (semi-)definite")                             \
    X(TC_ERR_UNSUPPORTED, -9, "this net, layer or layout does not support the operation")          \
    X(TC_ERR_NO_SOLUTION, -10, "the problem has no solution: a certificate is returned")           \
    X(TC_ERR_NOT_CERTIFIED, -11, "no answer could be certified in this precision")                 \
    X(TC_ERR_BODY, -12, "mass or inertia is not positive")                                         \
    X(TC_ERR_PATCH, -13, "the patch has coincident vertices or no area where it needs one")        \
    X(TC_ERR_UNIT, -14, "a normal or a quaternion is not of unit length")                          \
    X(TC_ERR_RAY, -15, "Lemke's path has no end: for a general matrix that proves nothing")        \
    X(TC_ERR_SHAPE, -16, "a shape's size is not positive, or its rounding or data disagree")       \
    X(TC_ERR_TOUCHING, -17, "bodies touch or overlap: no plane separates them")                    \
    X(TC_ERR_MODEL_SHORT, -20, "model file: shorter than it says, or cut off")                     \
    X(TC_ERR_MODEL_MAGIC, -21, "model file: does not begin with the magic bytes of a .tcm")        \
    X(TC_ERR_MODEL_VERSION, -22, "model file: format version not known to this library")           \
    X(TC_ERR_MODEL_CRC, -23, "model file: checksum does not match the contents")                   \
    X(TC_ERR_MODEL_FIELD, -24, "model file: a field has a value that is not allowed")              \
    X(TC_ERR_MODEL_BOUNDS, -25, "model file: an offset or a length points outside the file")       \
    X(TC_ERR_MODEL_WEIGHT, -26, "model file: a number is NaN, infinite or too large")              \
    X(TC_ERR_MODEL_NAME, -27, "model file: holds no net of that name")                             \
    X(TC_ERR_MODEL_SELFTEST, -28, "model file: a stored sample is not reproduced")                 \
    X(TC_ERR_MODEL_MISMATCH, -29, "model file: made for another body, step, patch or feature map")

/* Result of a call; the list above has the meaning of each value. */
typedef enum tc_status {
#define TC_STATUS_ENUM(name, value, text) name = value,
    TC_STATUS_LIST(TC_STATUS_ENUM)
#undef TC_STATUS_ENUM
} tc_status;

/* Returns the text of `status`, or "unknown status" for a value not in the list; never NULL.
 * The text is constant and stays valid. */
const char *tc_status_text(tc_status status);

/* Returns the name of `status` as in the source, such as "TC_ERR_SIZE", or "unknown status" for a
 * value not in the list; never NULL. The text is constant and stays valid. */
const char *tc_status_name(tc_status status);

TC_END

#endif
