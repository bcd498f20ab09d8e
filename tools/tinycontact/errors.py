# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""What can go wrong, and the statuses of lib/base/tc_status.h under their names.

Everything a user can get wrong is a TinycontactError, whose text names the file and the field.
"""

STATUS = {
    "TC_OK": (0, "ok"),
    "TC_NOTE_LIMIT": (1, "iteration limit reached: the best iterate is returned"),
    "TC_NOTE_RANK": (2, "matrix is rank-deficient: one of many solutions is returned"),
    "TC_NOTE_INCONSISTENT": (3, "right-hand side is not in the matrix's range: residual remains"),
    "TC_NOTE_RANGE": (4, "an input lies outside the range the model was trained on"),
    "TC_NOTE_CONTACT": (5, "the learned class or ratio was overruled, or stayed inconsistent"),
    "TC_NOTE_FALLBACK": (6, "no answer was certified: an inelastic stop, or no push-out, instead"),
    "TC_NOTE_OVERLAP": (7, "bodies overlap deeper than the system's bound"),
    "TC_NOTE_PRECISION": (8, "right relative to its terms, not to the input: info has the error"),
    "TC_ERR_NULL": (-1, "a required pointer is null"),
    "TC_ERR_ALIGN": (-2, "a pointer is not aligned for its type"),
    "TC_ERR_SIZE": (-3, "a dimension is 0 or beyond its limit, or two dimensions disagree"),
    "TC_ERR_WORK": (-4, "the workspace is too short"),
    "TC_ERR_NOT_FINITE": (-5, "an input is NaN or infinite"),
    "TC_ERR_RANGE": (-6, "an input or a result is finite but far too large"),
    "TC_ERR_SINGULAR": (-7, "matrix is singular to working precision"),
    "TC_ERR_INDEFINITE": (-8, "matrix is not positive (semi-)definite"),
    "TC_ERR_UNSUPPORTED": (-9, "this net, layer or layout does not support the operation"),
    "TC_ERR_NO_SOLUTION": (-10, "the problem has no solution: a certificate is returned"),
    "TC_ERR_NOT_CERTIFIED": (-11, "no answer could be certified in this precision"),
    "TC_ERR_BODY": (-12, "mass or inertia is not positive"),
    "TC_ERR_PATCH": (-13, "the patch has coincident vertices or no area where it needs one"),
    "TC_ERR_UNIT": (-14, "a normal or a quaternion is not of unit length"),
    "TC_ERR_RAY": (-15, "Lemke's path has no end: for a general matrix that proves nothing"),
    "TC_ERR_SHAPE": (-16, "a shape's size is not positive, or its rounding or data disagree"),
    "TC_ERR_TOUCHING": (-17, "bodies touch or overlap: no plane separates them"),
    "TC_ERR_MODEL_SHORT": (-20, "model file: shorter than it says, or cut off"),
    "TC_ERR_MODEL_MAGIC": (-21, "model file: does not begin with the magic bytes of a .tcm"),
    "TC_ERR_MODEL_VERSION": (-22, "model file: format version not known to this library"),
    "TC_ERR_MODEL_CRC": (-23, "model file: checksum does not match the contents"),
    "TC_ERR_MODEL_FIELD": (-24, "model file: a field has a value that is not allowed"),
    "TC_ERR_MODEL_BOUNDS": (-25, "model file: an offset or a length points outside the file"),
    "TC_ERR_MODEL_WEIGHT": (-26, "model file: a number is NaN, infinite or too large"),
    "TC_ERR_MODEL_NAME": (-27, "model file: holds no net of that name"),
    "TC_ERR_MODEL_SELFTEST": (-28, "model file: a stored sample is not reproduced"),
    "TC_ERR_MODEL_MISMATCH": (-29, "model file: made for another body, step, patch or feature map"),
}
BY_VALUE = {value: (name, text) for name, (value, text) in STATUS.items()}


class TinycontactError(Exception):
    """An expected failure. `status` is the name of a tc_status ("TC_ERR_SIZE"), or None; `exit_status` the command's."""

    status = None
    exit_status = 2


class StatusError(TinycontactError):
    """A function of the library failed: `status` its name, `text` its words, `function` who said it."""

    def __init__(self, function, value, detail=""):
        self.function = function
        self.value = int(value)
        self.status, self.text = BY_VALUE.get(self.value, (f"status {value}", "unknown status"))
        super().__init__(f"{function}: {self.text} ({self.status})" + (f"; {detail}" if detail else ""))


def expect_model(function, status, offset):
    """Raises what `function` says of a model file that it refuses, and where."""
    if status < 0:
        error = StatusError(function, status, f"at byte {offset}")
        error.offset = offset
        raise error


class FormatError(TinycontactError):
    """A model file breaks a rule of docs/reference/model-file.md: which one (`status`), where (`offset`), in
    which `field`. `offset` is where the library reports the fault, `field` may be finer."""

    def __init__(self, status, offset, field, text):
        self.status, self.offset, self.field = status, offset, field
        super().__init__(f"{field} (byte {offset}): {text} ({status})")


class TinycontactNote(UserWarning):
    """A positive status: the result is usable but worth a note."""
