# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The part of bank.Bank's filters that all feet share: the base's velocity, bias and height, and the floor's slope.

A base whose velocity is wrong makes feet that stick seem to slip, and none is asked again. Then all loaded feet slip
with one velocity. Feet that really slide almost never do: in less than 0.1 % of ticks on slopes, springs and all gaits.
Where only one foot stands, friction decides: it opposes what really slides. At the start the base is doubted, too.
"""
import numpy as np

from .bank_settings import AIR, FINE, SLIP, STICK, Z


class Base:
    """Mixed into bank.Filters, whose arrays it uses."""

    def _predict_base(self):
        H, s = self.H, self.s
        a = self.accel - self.robots.g[:, None] * Z
        F = np.array([[1.0, H], [0.0, 1.0]])
        self.v[..., 0] += H * (a[:, :2] + self.v[..., 1])
        self.vP = F @ self.vP @ F.T + np.diag([(s.accel * H)**2, s.bias**2 * H])
        Fz = np.array([[1.0, H, 0.5 * H * H], [0.0, 1.0, H], [0.0, 0.0, 1.0]])
        self.z = self.z @ Fz.T + np.outer(a[:, 2], [0.5 * H * H, H, 0.0])
        self.zP = Fz @ self.zP @ Fz.T + np.diag([1e-12, (s.accel * H)**2, s.bias**2 * H])

        rests = self.robots.free[:, None]   # a fixed base has no velocity
        self.v, self.z = self.v * rests[..., None], self.z * rests
        self.vP, self.zP = self.vP * rests[..., None], self.zP * rests[..., None]

    def _coarse(self):
        """[E] factor on variances of the velocity of feet that stick, for encoders that are less than fine."""
        return np.maximum(self.sigma[:, 0] / FINE, 1.0)

    def _correct_base(self):
        s, relative = self.s, self._relative()
        stands = 1 - self.pi[..., AIR]
        young, coarse = 1.0 + (s.settle / (self.age + 0.5))**2, self._coarse()
        for k in range(self.robots.shape[1]):
            stick = self.pi[:, k, STICK]
            variance = np.where(stick > 0.5, young[:, k] * coarse * (s.odometry / np.maximum(stick, 0.5)**2)**2, 1e6)
            self._correct_flat(-relative[:, k, :2], variance)
            slide = np.linalg.norm((self.v[..., 0] + relative[:, k, :2]), axis=-1)
            variance = np.where(stands[:, k] > 0.9, young[:, k] * s.base_z**2 + (s.aslope * slide)**2, 1e6)
            self._correct_up(1, -relative[:, k, 2], variance)
            variance = np.where((stands[:, k] > 0.9) & self.contact[:, k],
                                np.broadcast_to(self.height_noise[:, 0]**2, slide.shape) + (s.aslope * slide * 0.05)**2,
                                1e6)
            self._correct_up(0, self.floor[:, k] - self.r[:, k, 2], variance)

    def _correct_flat(self, velocity, variance):
        K = self.vP[:, :, 0] / (self.vP[:, 0, 0] + variance)[:, None]
        self.v = self.v + (velocity - self.v[..., 0])[..., None] * K[:, None, :]
        self.vP = self.vP - K[:, :, None] * self.vP[:, None, 0, :]

    def _correct_up(self, row, value, variance):
        K = self.zP[:, :, row] / (self.zP[:, row, row] + variance)[:, None]
        self.z = self.z + (value - self.z[:, row])[:, None] * K
        self.zP = self.zP - K[:, :, None] * self.zP[:, None, row, :]

    def _doubt(self):
        """A velocity that makes all loaded feet slip alike, or the only one without friction, is uncertain. Several
        feet also correct it by their slip: variance alone would not do, for sticking to a base of unknown velocity
        explains all, and slip explains it with less."""
        s, n = self.s, np.concatenate([-self.slope, np.ones((len(self.slope), 1))], -1)
        n = n / np.linalg.norm(n, axis=-1, keepdims=True)
        press = np.sum(self.load * n[:, None], -1)
        stands = (1 - self.pi[..., AIR]) * (press > 0)
        slips = stands * (self.pi[..., SLIP] > 0.5)
        v = self.v[:, None, :, 0] + self._relative()[..., :2]
        speed = np.linalg.norm(v, axis=-1)
        along = np.sum((self.load - press[..., None] * n[:, None])[..., :2] * v, -1) / np.maximum(speed, 1e-6)
        ratio = -np.sum(slips * along, -1) / np.maximum(np.sum(slips * press, -1), 1e-6)
        every = (slips.sum(-1) > 0.95 * stands.sum(-1)) & (stands.sum(-1) > 0.9)
        mean = np.sum(slips[..., None] * v, 1) / np.maximum(slips.sum(-1), 1e-6)[:, None]
        differ = np.max(slips * np.linalg.norm(v - mean[:, None], axis=-1), -1)
        part, least, ticks, alone, fastest = s.alike
        slip = np.linalg.norm(mean, axis=-1)
        same = every & (differ < part * slip + least)
        self.alike = np.where(same, self.alike + 1, 0)
        self.opposed = np.where(every, self.opposed + 0.05 * (ratio - self.opposed), s.opposes * 2)
        several = np.sum(stands > 0.5, -1) > 1
        wrong = np.where(several, self.alike >= ticks, (self.alike >= alone) & (self.opposed < s.opposes))
        wrong = wrong & (slip < fastest) & (self.robots.free > 0) & (self.doubted <= 0)
        begins = (self.count < s.begin) & (self.count % 20 == 0) & (self.robots.free > 0)
        for variance, which in ((self.vP[:, 0, 0], wrong | begins), (self.zP[:, 1, 1], begins)):
            variance[:] = np.where(which, np.maximum(variance, s.doubt**2), variance)
        self._correct_flat(self.v[..., 0] - mean, np.where(wrong & several, s.odometry**2, 1e6))
        self.doubted = np.where(wrong, 20.0, np.maximum(self.doubted - 1, 0.0))

    def _lean(self):
        """The slope of the plane through the last footholds, if there are three."""
        self.at = self.at + self.H * self.v[..., 0]
        if self.floor.shape[1] < 3:
            return
        xy, z = self.step - self.step.mean(1, keepdims=True), self.floor - self.floor.mean(1, keepdims=True)
        C = np.swapaxes(xy, -1, -2) @ xy + (0.03 * self.robots.length[..., None])**2 * np.eye(2)
        found = np.linalg.solve(C, np.swapaxes(xy, -1, -2) @ z[..., None])[..., 0]
        self.slope = self.slope + self.s.slope * self.H * (found - self.slope)
