# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""How large a leg is beside those of tests/hil, by which plants and their sensors are made for it.

A controller gives a foot stiffness and damping in proportion to what it moves, so that a heavy leg swings as quickly as a
light one; dry friction and the noise of a torque sensor grow with the motor, that is, with the torque that the
leg's weight asks of it."""
from dataclasses import dataclass

import numpy as np

MASS, REACH = 0.85, 0.4   # of both legs of tests/hil [kg], [m]


@dataclass(frozen=True)
class Size:
    """Ratios: exactly 1 for the legs of tests/hil."""
    mass: float     # of all links
    length: float   # of the leg stretched out

    @property
    def torque(self):
        return self.mass * self.length


def reach(chain):
    """How far the foot gets from the hip, joints that slide at 0 [m]."""
    parts = [link.origin for link in chain.links[1:]] + [chain.foot.center]
    return sum(float(np.linalg.norm(part[[0, 2]])) for part in parts)


def size_of(chain):
    return Size(sum(link.mass for link in chain.links) / MASS, reach(chain) / REACH)
