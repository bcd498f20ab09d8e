# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The contact model of a spatial body: one small pair of nets for a single contact, used alone for points and
corner by corner for edges and faces.

    patches   who touches the floor where, and the contact matrices of single corners
    features  feature map 1 of a spatial contact: what the nets are asked
    decode    the impulse of one contact for a class and a ratio
    sweeps    many contacts: the law corner by corner, until they agree; then legal normals
    sample    labelled states of the box from DART's exact cone
    train     fitting the point nets
    law       the law in a model file
    throws    closed loop
    limb      the box as the last link of a limb, by the library
    toss      many roll-outs of any convex body, by the library, compliance and friction by patch included
    judge     scores of states and throws
"""
