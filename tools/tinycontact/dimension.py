# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Plane or space: which of two commands a verb stands for, found in the files that its words name.

A shape has two numbers per vertex in the plane and three in space. A contact model's record holds
its dimension. Only regular files are opened, because a pipe can be read once. A shape that cannot
be read counts as one of the plane: the plane's reader names the fault, after the options were
checked.
"""
import argparse
import os

from .errors import TinycontactError

PLANE, SPACE = 2, 3
TOSSES = "tosses"   # the form of a verb that takes an identified body
BUILTIN = {"rectangle": PLANE, "pentagon": PLANE, "capsule": PLANE, "box": SPACE}
KINDS = {"planar": PLANE, "spatial": SPACE}


class _Unclear(Exception):
    """The words are not those of any verb."""


class _Peek(argparse.ArgumentParser):
    """Finds a few options among others."""

    def error(self, message):
        raise _Unclear(message)


def _options(words):
    p = _Peek(add_help=False)
    p.add_argument("-h", "--help", action="store_true")
    p.add_argument("--dimension", type=int, choices=(PLANE, SPACE))
    p.add_argument("--shape", "--body", dest="shape")
    p.add_argument("--model", "-m", nargs="*", default=[])
    p.add_argument("--link")
    return p.parse_known_args(words)[0]


def of_shape(path):
    """The dimension of a shape's file, or of a built-in shape by its name."""
    from .jsonfile import read_json
    if path in BUILTIN or not os.path.isfile(path):
        return BUILTIN.get(path, PLANE)
    try:
        data = read_json(path, constants=True)
    except TinycontactError:
        return PLANE
    vertices = data.get("vertices") if isinstance(data, dict) else None
    vertices = vertices if isinstance(vertices, list) else []
    lengths = {len(vertex) for vertex in vertices if isinstance(vertex, list)}
    if lengths >= {PLANE, SPACE}:
        raise TinycontactError(f"{path}, vertices: some have two numbers, others three; wanted"
                               " two for all (a body in the plane) or three for all (in space)")
    return SPACE if lengths == {SPACE} else PLANE


def of_model(path):
    """The dimension that a contact model was trained for."""
    from .model import load
    contact = load(path).contact
    if getattr(contact, "kind", None) not in KINDS:
        raise TinycontactError(f"{path}: is no contact model; `tinycontact body train` makes one")
    return KINDS[contact.kind]


def _body(options):
    if options.shape is not None:
        return of_shape(options.shape)
    if options.model:
        return of_model(options.model[0])
    return PLANE   # the plane's parser names the missing option


def _swing(options):
    if options.link is not None:
        return PLANE
    found = {of_model(path) for path in options.model}
    if len(found) > 1:
        raise TinycontactError("--model: some are of bodies in the plane, others in space; give"
                               " those of one kind")
    if not found:
        raise TinycontactError("without --model nothing shows the dimension: add --dimension 2"
                               " (plane) or --dimension 3 (space)")
    return found.pop()


def _found(words, by_files):
    try:
        options = _options(words)
    except _Unclear:
        return PLANE   # whose parser refuses the same words, with its usage
    if options.dimension is not None:
        return options.dimension
    try:
        return by_files(options)
    except TinycontactError:
        if options.help:
            return PLANE
        raise


def of_body(words):
    """Of `body VERB words`: by --shape, else by --model."""
    return _found(words, _body)


def of_swing(words):
    """Of `leg swing words`: by the models."""
    return _found(words, _swing)


def _gives(words, option):
    return any(word == option or word.startswith(f"{option}=") for word in words)


def is_body_file(path):
    """Whether a file is what `tinycontact body identify` writes; one that cannot be read is none."""
    from .jsonfile import read_json
    if not os.path.isfile(path):
        return False
    try:
        data = read_json(path, constants=True)
    except TinycontactError:
        return False
    return isinstance(data, dict) and "format" in data


def is_tosses(words, own):
    """Whether a verb's words are of the form for an identified body: they give its file, or one of the options that only
    this form has. `--log --help` asks for this form's help."""
    try:
        options = _options(words)
    except _Unclear:
        return any(_gives(words, option) for option in own)
    if options.shape is not None and is_body_file(options.shape):
        return True
    asked = options.help and options.shape is None and _gives(words, "--log")
    return asked or any(_gives(words, option) for option in own)
