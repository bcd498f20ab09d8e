# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Chunks of trajectories as the paper chooses them (section 4.2).

From random starts without contact a trajectory of 100 steps each; from every trajectory one chunk of 5
consecutive states whose first is not the end of an impact, so that about half of the chunks have an impact.
"""
import numpy as np

STEPS, LENGTH = 100, 5     # steps of a trajectory, states of a chunk


def trajectories(roll, starts, steps=STEPS - 1):
    """(states [n, steps + 1, state], hits [n, steps + 1]) of those that did not fail; `roll(starts, steps)`."""
    rolled = roll(starts, steps)
    good = rolled.status >= 0
    states = np.concatenate([starts[:, None], rolled.states], axis=1)[good]
    hits = np.concatenate([np.zeros((len(starts), 1), bool), rolled.hits > 0], axis=1)[good]
    return states, hits


def _begins(hits, length):
    """(begins without an impact in the chunk, begins with one), none of them at the end of an impact."""
    last = len(hits) - length
    begins = np.flatnonzero(~hits[:last + 1])
    struck = np.array([hits[b:b + length].any() for b in begins], bool)
    return begins[~struck], begins[struck]


def chunks_of(states, hits, rng, length=LENGTH, share=0.5):
    """(chunks [n, length, state], struck [n]) one of each trajectory; about `share` of them with an impact."""
    seen = hits.any(axis=1)
    wanted = seen & (rng.random(len(hits)) < min(1.0, share / max(seen.mean(), 1e-9)))
    chosen, struck = [], []
    for path, hit, want in zip(states, hits, wanted):
        free, with_impact = _begins(hit, length)
        take = with_impact if (want and len(with_impact)) or not len(free) else free
        if not len(take):
            continue
        begin = int(rng.choice(take))
        chosen.append(path[begin:begin + length])
        struck.append(take is with_impact)
    return np.array(chosen), np.array(struck, bool)
