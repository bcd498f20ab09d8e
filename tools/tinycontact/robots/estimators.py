# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Estimators of robots' feet by name, with the numbers that tuning.py's episodes gave them."""
import functools

from ..errors import TinycontactError
from ..robot.space import nearest
from . import judge
from .bank import Bank
from .firmware import Firmware
from .fused import Fused, Net
from .observer import Observer


class Oracle:
    """The truth a tick late."""

    def reset(self, robot):
        pass

    def run(self, episode):
        return judge.truth_late(episode)


MAKERS = {
    "oracle": Oracle, "momentum": Observer, "static": lambda: Observer(motion=False, on=45.0, off=13.5), "fused": Fused, "net": Net,
    "bank": Bank, "c": Firmware
}
TOLD = {
    "oracle": "the truth a tick late", "momentum": "momentum observer in the IMU's frame, threshold",
    "static": "threshold on the static force", "fused": "clock, height and force fused; it is told the gait",
    "net": "a net 32-32 on observer, kinematics and IMU",
    "bank": "hypotheses in the contact's space, one base for all feet",
    "c": "the same in the library, as firmware runs it"
}
NAMES = tuple(MAKERS)


@functools.lru_cache(len(MAKERS))
def make(name):
    if name not in MAKERS:
        raise TinycontactError(f"estimator {name!r}" + nearest(name, NAMES))
    return MAKERS[name]()


def estimates(name, episodes):
    """[estimates] of episodes that can run at once."""
    estimator = make(name)
    if hasattr(estimator, "run_many"):
        return estimator.run_many(episodes)
    return [judge.estimates_of(estimator, episode) for episode in episodes]
