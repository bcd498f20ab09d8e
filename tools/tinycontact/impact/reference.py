# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The two-phase step in float64, written from the paper and not from lib/: what the library is compared with.

It serves particles and bodies with equal moments of inertia, planes, balls and corners: enough for BP5, BD5, billiards,
throws and boxes. It differs from the library where it can: rows are not whitened, cones are solved by accelerated
projected gradients, and times of impact of balls are roots of a quadratic.
"""
import numpy as np

from ..errors import TinycontactError


class Reference:
    """A scene.Scene. step(q, v) -> (q, v)."""

    def __init__(self, scene):
        if any(b.kind == "chain" for b in scene.bodies) or scene.joints or scene.limits or scene.springs:
            raise TinycontactError(f"{scene.name}: the reference has neither chains nor joints, limits or springs")
        self.scene, self.dim = scene, scene.dimension
        self.inverse = np.concatenate([self._inverse_masses(body) for body in scene.bodies])
        self.ambiguous = 0   # impacts so far whose restitution depends on which impulses compression took

    def _inverse_masses(self, body):
        mass = [1 / body.links[0].mass] * self.dim
        if body.kind == "particle":
            return mass
        inertia = body.links[0].inertia
        return mass + ([1 / inertia[0]] if self.dim == 2 else [1 / inertia[0]] * 3)

    # ---- Motion

    def _move(self, q, v, t):
        q, v, g = q.copy(), v.copy(), self.scene.gravity[:self.dim]
        for body, (at, rate) in zip(self.scene.bodies, self.scene.spans):
            x, u = q[at], v[rate]
            x[:self.dim] += t * u[:self.dim] + t * t / 2 * g
            u[:self.dim] += t * g
            if body.kind == "body" and self.dim == 2:
                x[2] += t * u[2]
            elif body.kind == "body":
                x[3:] = _turned(x[3:], t * u[3:])
        return q, v

    # ---- Contacts

    def _balls(self, side):
        body, link = side
        return len(self.scene.bodies[body].links[link].shape.vertices) == 1

    def _corners(self, q, body):
        """(centre, corners) in the world."""
        at = self.scene.spans[body][0]
        x, local = q[at], self.scene.bodies[body].links[0].shape.vertices
        if self.scene.bodies[body].kind == "particle":
            return x, x + local
        if self.dim == 2:
            c, s = np.cos(x[2]), np.sin(x[2])
            return x[:2], x[:2] + local @ np.array([[c, -s], [s, c]]).T
        return x[:3], x[:3] + local @ _matrix(x[3:]).T

    def _touching(self, q, margin):
        """[(gap, normal, (body, arm)..., material)] of what is nearer than margin."""
        found = []
        for a, b, material in self.scene.pairs:
            centre, corners = self._corners(q, a[0])
            radius = self.scene.bodies[a[0]].links[0].shape.radius
            if isinstance(b, str):
                found += self._on_plane(a[0], centre, corners, radius, b, material, margin)
                continue
            other, corners_b = self._corners(q, b[0])
            d = corners[0] - corners_b[0]
            length = np.linalg.norm(d)
            radius_b = self.scene.bodies[b[0]].links[0].shape.radius
            gap = length - radius - radius_b
            if gap < margin:
                point = corners[0] - d / length * (radius + gap / 2)
                found.append((gap, d / length, [(a[0], point - centre), (b[0], point - other)], material))
        return found

    def _on_plane(self, body, centre, corners, radius, plane, material, margin):
        normal, offset = self.scene.planes[plane]
        normal, found = normal[:self.dim], []
        for corner in corners:
            gap = corner @ normal - offset - radius
            if gap < margin:
                found.append((gap, normal, [(body, corner - normal * (gap + radius) - centre)], material))
        return found

    def _rows(self, contact):
        """J[dim, rates]: normal, then tangents."""
        _, n, sides, _ = contact
        J = np.zeros((self.dim, len(self.inverse)))
        for sign, (body, arm) in zip((1, -1), sides):
            rate = self.scene.spans[body][1]
            for r, axis in enumerate(_frame(n)):
                J[r, rate.start:rate.start + self.dim] += sign * axis
                if self.scene.bodies[body].kind == "body":
                    torque = np.cross(np.append(arm, [0] * (3 - self.dim)), np.append(axis, [0] * (3 - self.dim)))
                    J[r, rate.start + self.dim:rate.stop] += sign * (torque[2:] if self.dim == 2 else torque)
        return J

    def _impact(self, q, v, margin):
        contacts = self._touching(q, margin)
        if not contacts:
            return v
        J = np.vstack([self._rows(c) for c in contacts])
        A = J @ (self.inverse[:, None] * J.T)
        mu, e = (np.array([self.scene.materials[c[3]][k] for c in contacts]) for k in (1, 2))
        aim = np.zeros(len(A))
        aim[::self.dim] = [max(0.0, -c[0]) * self.scene.compensation / self.scene.h for c in contacts]
        self.ambiguous += e.any() and np.linalg.matrix_rank(A, 1e-9) < len(A)
        f_c = cone(A, J @ v, mu, np.zeros(len(mu)), self.dim)
        f = cone(A, J @ v + A @ f_c - aim, mu, e * f_c[::self.dim], self.dim)
        return v + self.inverse * (J.T @ (f_c + f))

    # ---- Times of impact, of balls

    def _gaps(self, q):
        found = []
        for a, b, _ in self.scene.pairs:
            _, corners = self._corners(q, a[0])
            radius = self.scene.bodies[a[0]].links[0].shape.radius
            if isinstance(b, str):
                normal, offset = self.scene.planes[b]
                found.append((corners @ normal[:self.dim]).min() - offset - radius)
            else:
                _, other = self._corners(q, b[0])
                found.append(np.linalg.norm(corners[0] - other[0]) - radius
                             - self.scene.bodies[b[0]].links[0].shape.radius)
        return np.array(found)

    def _time(self, pair, q, v):
        """When a ball at q, v meets what it is paired with."""
        a, b, _ = pair
        at, rate = self.scene.spans[a[0]]
        x, u, r = q[at][:self.dim], v[rate][:self.dim], self.scene.bodies[a[0]].links[0].shape.radius
        if isinstance(b, str):
            normal, offset = self.scene.planes[b]
            n = normal[:self.dim]
            return _first_root(self.scene.gravity[:self.dim] @ n / 2, u @ n, x @ n - offset - r)
        at, rate = self.scene.spans[b[0]]
        d, w = x - q[at][:self.dim], u - v[rate][:self.dim]
        r += self.scene.bodies[b[0]].links[0].shape.radius
        return _first_root(w @ w, 2 * d @ w, d @ d - r * r)

    def step(self, q, v):
        left, touch = self.scene.h, self.scene.touch
        rest = 2 * np.linalg.norm(self.scene.gravity) * left + touch / left   # [m/s]: of pairs that touch
        for k in range(self.scene.impacts):
            end, end_v = self._move(q, v, left)
            before, after = self._gaps(q), self._gaps(end)
            if k == 0 and ((before <= touch) & (before - after > rest * left)).any():
                v = self._impact(q, v, touch)
                continue
            met = (before > touch) & (after < 0)
            if not met.any():
                return end, self._impact(end, end_v, 0.0)
            t = min(self._time(pair, q, v) for pair, meets in zip(self.scene.pairs, met) if meets)
            q, v = self._move(q, v, t)
            v = self._impact(q, v, touch)
            left -= t
        q, v = self._move(q, v, left)
        return q, self._impact(q, v, 0.0)

    def roll(self, q, v, steps):
        """(q, v), a row per time, up to the first impact that is ambiguous."""
        Q, V = [np.asarray(q, np.float64)], [np.asarray(v, np.float64)]
        for _ in range(steps):
            q, v = self.step(Q[-1], V[-1])
            if self.ambiguous:
                break
            Q.append(q)
            V.append(v)
        return np.array(Q), np.array(V)


def _first_root(a, b, c):
    """The smallest t >= 0 with a t^2 + b t + c = 0, c > 0."""
    roots = np.roots([a, b, c]) if a else np.array([-c / b])
    real = roots[np.abs(roots.imag) < 1e-12 * np.abs(roots)].real if np.iscomplexobj(roots) else roots
    return real[real >= 0].min()


def _matrix(p):
    w, x, y, z = p
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * K + 2 * K @ K


def _turned(p, a):
    """exp(a) p for a rotation vector a of the world."""
    angle = np.linalg.norm(a)
    w, u = np.cos(angle / 2), np.sinc(angle / 2 / np.pi) / 2 * a
    turned = np.array([w * p[0] - u @ p[1:], *(w * p[1:] + p[0] * u + np.cross(u, p[1:]))])
    return turned / np.linalg.norm(turned)


def _frame(n):
    """The normal and any tangents."""
    if len(n) == 2:
        return np.array([n, [n[1], -n[0]]])
    t = np.cross(n, [1.0, 0, 0] if abs(n[0]) < 0.7 else [0, 1.0, 0])
    t /= np.linalg.norm(t)
    return np.array([n, t, np.cross(n, t)])


def project(f, mu, floor, dim):
    """The nearest impulses with f_n >= floor, |f_t| <= mu f_n, contact by contact."""
    f = f.reshape(-1, dim).copy()
    n, t = f[:, 0], np.linalg.norm(f[:, 1:], axis=1)
    on = np.where(t <= mu * n, n, np.maximum(0.0, (n + mu * t) / (1 + mu * mu)))
    length = np.minimum(t, mu * on)
    low = on < floor
    on, length = np.where(low, floor, on), np.where(low, np.minimum(t, mu * floor), length)
    f[:, 0] = on
    f[:, 1:] *= (length / np.where(t > 0, t, 1))[:, None]
    return f.ravel()


def cone(A, q, mu, floor, dim, most=200_000, tolerance=1e-13):
    """Minimises f^T A f / 2 + q^T f over the cones by accelerated projected gradients with restarts."""
    L = np.linalg.eigvalsh(A)[-1]
    scale = max(np.abs(q).max(), 1e-12)
    f = project(np.zeros(len(q)), mu, floor, dim)
    y, momentum = f, 1.0
    for _ in range(most):
        new = project(y - (A @ y + q) / L, mu, floor, dim)
        if (y - new) @ (new - f) > 0:
            y, momentum = f, 1.0
            new = project(y - (A @ y + q) / L, mu, floor, dim)
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        done = np.abs(new - f).max() * L <= tolerance * scale
        y, f, momentum = new + (momentum - 1) / following * (new - f), new, following
        if done and np.abs(f - project(f - (A @ f + q) / L, mu, floor, dim)).max() * L <= tolerance * scale:
            return f
    return f
