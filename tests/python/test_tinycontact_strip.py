# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Models stripped for flash answer as before; compiled in, a contact model steps a body as its file does."""
import subprocess
import unittest
from dataclasses import replace

import numpy as np

from tinycontact_case import ROOT, Temporary, random_net, tc
from tinycontact.contact import ContactModel
from tinycontact.learn.law import NetLaw
from tinycontact.sim import shapes
from tinycontact.strip import strip
from tree import INCLUDES, lib_file

MODELS = ROOT / "tests" / "models"
SEED = 20261119
PARTS = ("body", "bytes", "cdl_record", "detect2", "shape", "foot2",
         "foot2_open", "lcp", "lcp_active", "lcp_lemke", "lcp_matrix", "lcp_proximal",
         "lcp_rows", "lcp_twofold", "friction2", "learned2", "learned2_features", "learned2_nets", "learned2_space", "learned_nets",
         "learned_record", "mat", "mat_solve", "math", "model", "model_read", "net", "net_check", "softplus_table",
         "tanh_table")   # of lib/, without the closed forms of the LCP
KERNELS = ("activation", "dense", "dense_i8", "dense_i8_act", "input", "mat_vec", "mat_vec_t", "mat_mul", "mat_factor",
           "mat_vec_fixed", "mat_mul_fixed", "mat_factor_fixed")

PROGRAM = """
#include "foot.h"
#include "tinycontact.h"
#include <stdio.h>
#include <string.h>

/* Both ways of opening one model: the steps must agree in every byte. */
static tc_foot2 a, b;
static tc_learned2_nets nets;
static tc_real work[FOOT_STEP_WORK];
_Static_assert(FOOT_DACM_WORK == FOOT_STEP_WORK, "the old name");

int main(void)
{
    static const tc_real corner[8] = {-0.1f, -0.06f, 0.1f, -0.06f, 0.1f, 0.06f, -0.1f, 0.06f};
    static const tc_real weight[3] = {0.0f, -9.81f, 0.0f};
    static _Alignas(16) unsigned char blob[16384];
    const tc_body2 body = {1.0f, 0.0045333333f}, heavy = {1.1f, 0.0045333333f};
    tc_model model;
    tc_body2_state s = {{0.0f, 0.3f, 0.4f}, {1.5f, 0.0f, 3.0f}}, t = s;
    int contacts = 0;
    FILE *file = fopen("foot.tcm", "rb");
    if (tc_model_open(&model, blob, fread(blob, 1, sizeof blob, file)) != TC_OK
        || tc_foot2_open(&a, &nets, &model, &body, 0.002f) != TC_OK
        || tc_foot2_open_const(&b, &foot_model, &body, 0.002f) != TC_OK) return 1;
    if (tc_foot2_open_const(&a, &foot_model, &heavy, 0.002f) != TC_ERR_MODEL_MISMATCH) return 2;
    if (tc_foot2_open(&a, &nets, &model, &body, 0.002f) != TC_OK) return 1;
    for (unsigned d = 0; d < 2; d++) {
        if (tc_net_check(&foot_model.nets.classifier[d]) != TC_OK
            || tc_net_check(&foot_model.nets.regressor[d]) != TC_OK) return 3;
    }
    a.shape.vertices = b.shape.vertices = corner;
    a.shape.count = b.shape.count = 4;
    for (int k = 0; k < 1000; k++) {
        tc_foot2_info i, j;
        const tc_status was = tc_foot2_step(&a, weight, &s, &i, work, TC_COUNT(work));
        if (was != tc_foot2_step(&b, weight, &t, &j, work, TC_COUNT(work)) || was < TC_OK) return 4;
        if (memcmp(&s, &t, sizeof s) != 0 || memcmp(&i, &j, sizeof i) != 0) return 5;
        contacts += i.decision.branch != TC_LEARNED_NONE;
    }
    const tc_real M[4] = {2.0f, 1.0f, 1.0f, 2.0f}, q[2] = {-1.0f, -1.0f};
    const tc_lcp problem = {.n = 2, .M = M, .q = q};
    tc_real z[2], w[2], room[TC_LCP_WORK(2)];
    if (tc_lcp_solve(&problem, z, w, NULL, room, TC_COUNT(room)) != TC_OK || z[0] < 0.333f || z[1] > 0.334f) return 6;
    b.positions = TC_SCHEME_TOC;
    if ((tc_foot2_step(&b, weight, &t, NULL, work, TC_COUNT(work)) == TC_ERR_UNSUPPORTED) == TC_SCHEME_AHEAD) return 7;
    printf("%d %s %a %a %a\\n", contacts, FOOT_HASH, s.position[0], s.position[1], s.position[2]);
    return 0;
}
"""


def states(body, count=2000):
    """States [n, 5] with the lowest vertex just in the floor, slow and broad, some beyond what was trained."""
    rng = np.random.default_rng(SEED)
    theta = rng.uniform(-np.pi, np.pi, count)
    y = -(body.vertices @ np.stack([np.sin(theta), np.cos(theta)])).min(axis=0) - 1e-4
    speed = np.exp(rng.uniform(np.log(0.01), np.log(200), count))[:, None]
    return np.column_stack([y, theta, rng.normal(size=(count, 3)) * (1, 1, 5) * speed])


class Strip(Temporary):
    def test_contact_models_answer_alike(self):
        """A range that a step asks for dropped, nets in another order, a normalisation lost: the library says the
        same of every state, whether it is outside the range of training included."""
        for name in ("rectangle", "pentagon_i8"):
            body = shapes.builtin(name.split("_")[0])
            given, bare = tc.load(MODELS / f"{name}.tcm"), strip(tc.load(MODELS / f"{name}.tcm"))
            bare.save("bare.tcm")
            rows = states(body)
            before = ContactModel(MODELS / f"{name}.tcm", body).replay(rows)
            after = ContactModel("bare.tcm", body).replay(rows)
            for field in ("branch", "flags", "probability", "friction", "velocity"):
                np.testing.assert_array_equal(before[field], after[field], field)
            self.assertTrue(np.any(after["flags"] & 8) and not np.all(after["flags"] & 8))
            self.assertNotEqual(given.hash(), bare.hash())
            self.assertEqual((bare.metadata, bare.contact), ({}, given.contact))
            self.assertLess(len(bare.to_bytes()), len(given.to_bytes()) - 1500)

    def test_folds(self):
        """A contact model with normalisation loses it, and answers nearly the same."""
        nets = []
        for d, n_in in ((0, 13), (1, 19)):
            for kind, n_out, head in (("class", 3, "softmax"), ("ratio", 1, "linear")):
                net = random_net(7 + d, [n_in, 16, n_out], ["tanh", "identity"], head, normal=True, limits=True,
                                 name=f"{kind}{d}")
                nets.append(net)
        for net, other in ((nets[1], nets[0]), (nets[3], nets[2])):
            net.input_mean, net.input_scale = other.input_mean, other.input_scale
            net.set_samples(3)
        record = tc.load(MODELS / "rectangle.tcm").contact
        model = tc.Model(nets, 0.002, {"note": "x"}, record)
        bare = strip(model)
        for net, other in zip(model.nets, bare.nets):
            self.assertIsNone(other.input_mean)
            self.assertEqual(len(other.samples), 0)
            self.assertEqual(other.input_low is None, net.name.startswith("ratio"))
            rows = net._made_inputs(100)
            np.testing.assert_allclose(other.eval(rows), net.eval(rows), rtol=0, atol=1e-5)
        NetLaw(bare)

    def build_and_run(self, *words):
        flags = ["-std=c11", "-O1", "-ffp-contract=off", "-fno-math-errno", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                 *INCLUDES, "-I."]
        subprocess.run(["gcc", *flags, "main.c", "foot.c", *words, "-lm", "-o", "foot"], check=True)
        return subprocess.run(["./foot"], check=True, capture_output=True, text=True).stdout

    def test_compiled_in(self):
        """A step with the compiled model differs from one with its file; another body is not refused; what the
        configurations of `make size` leave out is needed, or changes a bit of a throw. "falls": of a range so narrow
        that friction answers most queries."""
        for name in ("rectangle", "rectangle_i8", "falls"):
            model = tc.load(MODELS / f"{name.replace('falls', 'rectangle')}.tcm")
            if name == "falls":
                model.contact = replace(model.contact, friction=0.5)
                for net in (model["class0"], model["class1"]):
                    net.input_low, net.input_high = 0.3 * net.input_low, 0.3 * net.input_high
            model.save("given.tcm", "portable")
            self.command("model strip", "given.tcm", "-o", "foot.tcm", "--c", "foot", "--core",
                         "portable")
            (self.folder / "main.c").write_text(PROGRAM)
            library = tc.Library("portable").path
            whole = self.build_and_run(str(library), f"-Wl,-rpath,{library.parent}")
            contacts, stamp = whole.split()[:2]
            self.assertGreater(int(contacts), 100)
            self.assertEqual(stamp, tc.load("foot.tcm").hash())
            config = "contact_int8.h" if name.endswith("i8") else "contact_float.h"
            sources = [*(lib_file(f"tc_{part}.c") for part in PARTS), *(f"port/portable/{part}.c" for part in KERNELS)]
            small = self.build_and_run(f'-DTC_CONFIG="{config}"', f"-I{ROOT / 'tests/bench'}", f"-I{ROOT / 'port'}",
                                       *(str(ROOT / source) for source in sources))
            self.assertEqual(whole, small)
            subprocess.run(["g++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c++",
                            *INCLUDES, "foot.h"], check=True)

    def test_left_out_of_the_configuration(self):
        """A library without float nets would read their weights as bytes: the C pair does not compile for it."""
        self.command("model strip", str(MODELS / "rectangle.tcm"), "--c", "foot")
        for left_out in ("TC_NET_USE_FLOAT=0", "TC_NET_LAYERS_MAX=2u"):
            done = subprocess.run(["gcc", "-std=c11", f"-D{left_out}", *INCLUDES, "-c", "foot.c"],
                                  capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("tc_config.h leaves out what these nets use", done.stderr)

    def test_refused(self):
        """Nets that a target would refuse when it opens their file, compiled in all the same."""
        good = tc.load(MODELS / "rectangle_i8.tcm")
        for break_it, told in (
                (lambda n: setattr(n[1], "input_scale", n[1].input_scale * 2), "input_scale differs"),
                (lambda n: [setattr(net, "input_scale", net.input_scale * np.float32(1e6)) for net in n[:2]],
                 "could exceed"),
                (lambda n: setattr(n[0], "head", "linear"), "softmax head"),
                (lambda n: setattr(n[2], "name", "other"), "no net is named 'class1'")):
            nets = strip(good).nets
            break_it(nets)
            with self.assertRaisesRegex(tc.TinycontactError, told):
                tc.export_c(tc.Model(nets, good.step_size, None, good.contact), "pair")
            self.assertFalse((self.folder / "pair.c").exists())
        self.refused("model strip", str(MODELS / "rectangle.tcm"), told=["-o OUT.tcm"])
        self.refused("model strip", "none.tcm", "-o", "x.tcm", told=["none.tcm"])


if __name__ == "__main__":
    unittest.main()
