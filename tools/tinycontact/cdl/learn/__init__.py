# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Learning a CD-Lagrange network: its potential and its contact signal, from noisy logs.

    data        systems, the study's protocol, logs as CSV
    model       nets and the steps they are trained through
    fit         multiple shooting: potential, starts and floor from the states
    contact     the contact signal, from the fitted trajectory
    touch       contact flags from velocity jumps where no touch was logged
    starts      training sets and fresh starts beyond the protocol
    baselines   residual nets and the variational integrator net
    train       all of it in the right order

`fit` and what stands on it need JAX and optax (`make setup GROUPS=train`).
"""
