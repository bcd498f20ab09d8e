# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Contact flags where no touch was logged: an impact is a jump of the velocity along the normal.

Of two readings of one step, with u = L V and noise of variance s^2 on each u,

    free     u_{n+1} =  u_n   variance 2 s^2
    impact   u_{n+1} = -e u_n  variance (1 + e^2) s^2,

a closing step (u_n < 0) is an impact when the second is more than RATIO times as likely. Slow impacts drown in the
noise: (1 + e) |u| must exceed about 5 s. Left in the log they would teach the potential to bounce, so the log is cut
after the last impact whose successor would still be found: `usable` rows.
"""
import numpy as np

RATIO = 100.0
CLEAR = 5.0      # deviations of the noise: an impact is found for sure when its jump (1 + e) |u| exceeds them


def _approach(data):
    return data.v @ np.array(data.system.normal)


def flags(data, noise):
    """contact [S, N] from velocities; noise [S, 2D] of the states."""
    system, u = data.system, _approach(data)
    variance = ((np.array(system.normal) * noise[:, system.columns:])**2).sum(axis=1)[:, None]
    first, second = u[:, :-1], u[:, 1:]
    free, impact = 2 * variance, (1 + system.e**2) * variance
    gain = ((second - first)**2 / free - (second + system.e * first)**2 / impact + np.log(free / impact)) / 2
    found = np.zeros(u.shape)
    found[:, 1:] = (gain > np.log(RATIO)) & (first < 0)
    for first_row, _ in data.runs:
        found[:, first_row] = 0
    return found


def usable(data, found, noise):
    """How many rows at the front of one run hold no impact that could have been missed, [S]: up to the detected impact
    whose successor, e times slower, would not be CLEAR of the noise; all rows when e = 1 or there is none."""
    system, u = data.system, _approach(data)
    deviation = np.sqrt(((np.array(system.normal) * noise[:, system.columns:])**2).sum(axis=1))
    ends = np.full(len(u), u.shape[1])
    for k in range(len(u)):
        for n in np.flatnonzero(found[k]):
            speed = (np.abs(u[k, n - 1]) + np.abs(u[k, n]) / max(system.e, 0.1)) / 2   # before, from both sides
            if system.e < 1 and (1 + system.e) * system.e * speed < CLEAR * deviation[k]:
                ends[k] = n + 1
                break
    return ends
