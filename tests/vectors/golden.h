/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Golden hashes: what profile `exact` computes, to the bit, on every machine, with the table for
 * tanh and without it. Made by `make golden` from the host build.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stdint.h>

static const struct {
    const char *name;
    uint32_t table, small;
} golden_hashes[] = {
    {"math.exp", 0xe221b5ad, 0xe221b5ad},
    {"math.log", 0x09ae2e75, 0x09ae2e75},
    {"math.tanh", 0x4a67e2d6, 0xd379f95f},
    {"math.sigmoid", 0xb5b3fa9d, 0xd313a71c},
    {"math.softplus", 0x445fddc3, 0xfbb48f4b},
    {"math.sin", 0x4ede6f6c, 0x4ede6f6c},
    {"math.cos", 0xac35f39b, 0xac35f39b},
    {"math.normal_density", 0x69114153, 0x69114153},
    {"math.normal_distribution", 0x8096b8b0, 0x8096b8b0},
    {"math.normal_ratio", 0x8e6a806a, 0x8e6a806a},
    {"math.atan2", 0x1ad1af17, 0x1ad1af17},
    {"math.softmax", 0x6ae6d534, 0x6ae6d534},
    {"net.relu", 0x34e848d2, 0x34e848d2},
    {"net.tanh", 0x1b109bc4, 0xb61cbb0a},
    {"net.sigmoid", 0x41be0801, 0x0c94569e},
    {"net.softplus", 0x97ba8a97, 0x64f3a0b2},
    {"net.i8", 0x78015135, 0x78015135},
    {"net.i8_act_relu", 0x2037b49c, 0x2037b49c},
    {"net.i8_act_tanh", 0x06264f72, 0x06264f72},
    {"net_grad.f32", 0x5baa1c05, 0xd055dd34},
    {"net_grad.i8", 0x77c6f0b0, 0x781171c0},
    {"lcp", 0xa4f089d1, 0xa4f089d1},
    {"lcp.told", 0x5cf3be3c, 0x5cf3be3c},
    {"mat.mul", 0xf54bfa07, 0xf54bfa07},
    {"mat.vec", 0x17526483, 0x17526483},
    {"mat.congruence", 0xe51f31cf, 0xe51f31cf},
    {"mat.cholesky", 0xf7602058, 0xf7602058},
    {"mat.ldlt", 0x2062b1b4, 0x2062b1b4},
    {"mat.inverse", 0x90ccdd4f, 0x90ccdd4f},
    {"mat.psd", 0x38c3119a, 0x38c3119a},
    {"body.flight", 0x4cd57cb1, 0x4cd57cb1},
    {"detect.polygons", 0x0022aaaa, 0x0022aaaa},
    {"detect.patches", 0xef7418b0, 0xef7418b0},
    {"detect.hulls", 0x4c130eb7, 0x4c130eb7},
    {"sdf.exact", 0xe76432d9, 0xe76432d9},
    {"sdf.data", 0xda85b371, 0xda85b371},
    {"convex.distances", 0x4c8fc082, 0x4c8fc082},
    {"meet.contacts", 0x1b661832, 0x1b661832},
    {"toc.times", 0x97db2d55, 0x97db2d55},
    {"foot2.throws", 0x84869bb4, 0x84869bb4},
    {"root", 0xf1066251, 0xf1066251},
    {"momentum", 0xcd2d2d7e, 0xcd2d2d7e},
    {"chain2", 0xdee4a51b, 0xdee4a51b},
    {"learned2_chain.steps", 0x2ff945bc, 0x2ff945bc},
    {"foot3.throws", 0x11154f07, 0x11154f07},
    {"foot3.toc", 0xa21bdd17, 0xa21bdd17},
    {"limb3.steps", 0xce7aad2a, 0xce7aad2a},
    {"limb2.toc", 0xa19a3f7d, 0xa19a3f7d},
    {"limb3.toc", 0xc11ef5f4, 0xc11ef5f4},
    {"learned3.solves", 0x4cd86523, 0x4cd86523},
    {"foot3.steps", 0x238c830d, 0x238c830d},
    {"limb3.anything", 0xd6ea4278, 0xd6ea4278},
    {"foot3.soft", 0x0406de59, 0x7081edaa},
    {"cdl.ball", 0x9b2e9955, 0x9b2e9955},
    {"cdl.cradle_projected", 0x28819ef0, 0x28819ef0},
    {"cdl.cradle", 0x8529c96d, 0x8529c96d},
    {"cdl.box", 0x3a97821e, 0x3a97821e},
    {"cdl.box_matrices", 0x416ca2b6, 0x416ca2b6},
    {"cdl.nets_tanh", 0x23aa130b, 0x6e85fefd},
    {"cdl.nets_softplus", 0x280ce3dc, 0x0fd9f7cf},
    {"cdl.trained_ball", 0x2c6e4e5d, 0x7e97f0ce},
    {"cdl.trained_cradle", 0x71e7d147, 0xf6c9b465},
    {"estimator.two", 0x3f4e78cd, 0x3f4e78cd},
    {"estimator.many", 0x5900a7fd, 0x5900a7fd},
    {"estimator.spoiled", 0x567f772b, 0x567f772b},
    {"wire.frames", 0x41904c53, 0x41904c53},
    {"identify", 0xf89346a2, 0xf89346a2},
    {"cone", 0x09c93181, 0x09c93181},
    {"band.solve", 0x854aac7c, 0x854aac7c},
    {"cone.grad", 0x776c1921, 0x776c1921},
    {"impact", 0xdec45a8c, 0xdec45a8c},
    {"impact.grad", 0xcf1fdfe3, 0xcf1fdfe3},
    {"twophase", 0x21ef0e81, 0x21ef0e81},
    {"scene_step", 0x9ef254f9, 0x9ef254f9},
    {"scene_grad", 0x1aca0e58, 0x1aca0e58},
};

#endif
