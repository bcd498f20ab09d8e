# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""C that `tinycontact shape` writes, compiled with the library: its values are the package's."""
import subprocess
import unittest
from pathlib import Path

import numpy as np

from shape_case import torus
from tinycontact_case import ROOT, Temporary

from tinycontact.shape import flash, judge, make, mass, mesh, primitives, shapefile, terrain
from tinycontact.shape.meshdistance import Distance

MAIN = """#include "shape.h"
#include <stdio.h>
int main(void)
{
    double x, y, z;
    if (tc_sdf_check(&shape) != TC_OK) return 1;
    if (scanf("%lf", &x) != 1) return 3;
    for (uint32_t i = 0; i < (uint32_t)x; ++i) {
        const tc_sdf_stored *const stored = shape.data_ref;
        tc_real d, g[3];
        if (stored->points != (uint32_t)x) return 4;
        if (tc_sdf_eval(&shape, stored->points_ref + 3 * i, &d, g, NULL, 0) < TC_OK) return 2;
        if (d > 1e-4f || d < -1e-4f) return 5;
    }
    while (scanf("%lf %lf %lf", &x, &y, &z) == 3) {
        const tc_real p[3] = {(tc_real)x, (tc_real)y, (tc_real)z};
        tc_real d, g[3];
        if (tc_sdf_eval(&shape, p, &d, g, NULL, 0) < TC_OK) return 2;
        printf("%.9g %.9g %.9g %.9g\\n", (double)d, (double)g[0], (double)g[1], (double)g[2]);
    }
    return 0;
}
"""


@unittest.skipUnless((ROOT / "lib/shape/tc_sdf.h").exists(), "the library has no tc_sdf")
class Flash(Temporary):
    def values(self, of_name, points, stored=0):
        """([n] values, [n, 3] gradients) by the library; so many stored points lie on its zero level."""
        flash.write("shape", of_name, "A shape.")
        Path("main.c").write_text(MAIN)
        folders = [path for path in (ROOT / "lib").iterdir() if path.is_dir()]
        seen = [f"-I{path}" for path in [*folders, ROOT / "port", ROOT / "port" / "portable"]]
        sources = [*(ROOT / "lib/shape").glob("tc_sdf*.c"), *(ROOT / "lib/math").glob("*.c"),
                   ROOT / "lib/base/tc_status.c"]
        subprocess.run(["gcc", "-std=c11", "-ffp-contract=off", "-ffunction-sections", "-Wall",
                        "-Wl,--gc-sections", *seen, "main.c", "shape.c", *sources, "-lm", "-o",
                        "main"], check=True)
        text = f"{stored}\n" + "\n".join(" ".join(map(repr, p)) for p in points.tolist())
        done = subprocess.run(["./main"], input=text, text=True, capture_output=True, check=True)
        rows = np.array([line.split() for line in done.stdout.splitlines()], float)
        return rows[:, 0], rows[:, 1:]

    POINTS = np.random.default_rng(3).uniform(-1, 1, (2000, 3)).astype(np.float32).astype(float)

    def test_grid(self):
        ring = mesh.from_arrays(*torus())
        made, _ = make.grid_of(judge.Truth(ring, Distance(ring), mass.of_mesh(ring)), cells=10)
        d, gradient = self.values(lambda name: flash.of_grid(made, name), self.POINTS, 128)
        wanted, slope = made(self.POINTS)
        np.testing.assert_allclose(d, wanted, atol=1e-6)
        self.assertLess(np.quantile(np.abs(gradient - slope), 0.99), 1e-5)

    def test_terrain(self):
        """On the surface, at its nodes, the distance is 0."""
        heights = 0.05 * np.random.default_rng(2).normal(size=(9, 12))
        made = terrain.fit("m.csv", heights, 0.1, (1.0, -0.5))
        x, y = np.meshgrid(1.0 + 0.1 * np.arange(12), -0.5 + 0.1 * np.arange(9))
        points = np.stack([x, y, heights], axis=-1).reshape(-1, 3)
        d, _ = self.values(lambda name: flash.of_terrain(made, name), points)
        np.testing.assert_allclose(d, 0, atol=5e-6)

    def test_primitives(self):
        for given in ({"kind": "sphere", "r": 0.4}, {"kind": "capsule", "r": 0.2, "half": 0.3},
                      {"kind": "cylinder", "r": 0.3, "half": 0.4, "rounding": 0.1},
                      {"kind": "box", "h": [0.5, 0.3, 0.4], "r": 0.1}):
            shape = shapefile.from_dict(given)
            d, _ = self.values(lambda name: flash.of_primitive(shape, name), self.POINTS)
            np.testing.assert_allclose(d, primitives.distance_of(shape)[0](self.POINTS),
                                       atol=1e-6)

    def test_union(self):
        shape = shapefile.from_dict({"kind": "union", "parts": [{"kind": "sphere", "r": 0.4},
                                                                {"kind": "box", "h": [0.5, 0.3, 0.4], "r": 0.1}],
                                     "offsets": [[0.2, 0, -0.1], [-0.3, 0.4, 0.1]]})
        d, _ = self.values(lambda name: flash.of_shape(shape, name), self.POINTS)
        np.testing.assert_allclose(d, primitives.distance_of(shape)[0](self.POINTS), atol=1e-6)


if __name__ == "__main__":
    unittest.main()
