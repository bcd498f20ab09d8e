# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The truth that nets learn from and are judged by: shapes, exact Coulomb friction, closed loops in float64,
and worlds of DART and MuJoCo.

Nothing here loads the library: what `schemes` and `impulse` compute is written from the paper and is the
reference that lib/ is compared with.

Conventions: q = (x, y, theta), velocities (vx, vy, omega), counter-clockwise positive, floor y = 0, its
tangent t = +x, its normal n = +y. Contact i of a patch has its lever x_i along t from the centre of mass, and
all contacts lie `height` y below it, on the floor. Masses are divided out: impulses are per unit mass [m/s],
k^2 = inertia / mass. Classes: static 0, dynamic 1, detach 2, none 3.

  shapes         bodies from JSON, the built-in ones, where their vertices are
  query          what a contact law is asked: one patch per row, arrays over many rows
  coulomb        exact Coulomb friction by enumeration, for any coefficient
  impulse        Algorithm 1: the impulse of a given class and friction ratio
  schemes        closed loops, the three position schemes
  throws         start states, bounces, distances: what a throw comes to
  dart           worlds of planar bodies in DART: labels, throws
  sampling       in-contact states to learn from and to be judged by
  logs           CSV logs of throws, as a motion capture would see them
  mujoco         a second opinion on friction
  chain_truth    a chain of three links in DART
  spatial_truth  a box in DART
"""
