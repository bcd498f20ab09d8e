# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Tosses of a body in space, as motion capture records them: read, filtered, and what they say of the body.

    poses      a log of poses: conventions, checks          rotation   quaternions [w, x, y, z] in batches
    flight     touch-down, the state before it              events     rests, clean impacts, slides
    identify   least squares over the events                bodyfile   body.json
"""
