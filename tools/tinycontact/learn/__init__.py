# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Learning a contact law: what a patch is asked (query), what a net sees (features), how its answer becomes
an impulse (decode), the states it learns from (sample, logs), and the fit itself (fit, export, train).

Everything but `fit` needs NumPy alone; `fit` needs JAX and optax, `sample` also DART
(`make setup GROUPS=train`).
"""
