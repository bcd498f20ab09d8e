/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * The data-augmented contact model of one planar body, all in: detect, features, classifier,
 * regressor, impulse, positions. A 0.20 m x 0.12 m rectangle strikes the floor with a corner or a
 * side and slides; nets are tanh, of random weights but for their last biases, which say "dynamic,
 * friction against the sliding": the class that asks both nets, and the dearest one. int8 nets are
 * those of the trained model, laid out for this core, which say the same of a body that slides so
 * fast.
 *
 * Compared with: the contacts that carry do not move along the normal afterwards (0), and friction
 * over normal is what the regressor says when asked alone.
 */
#include "bench_foot.h"

#include <math.h>
#include <string.h>

#define LAYERS_MOST 4u
#define WIDTH 32u
#define NETS 4u /* class0, ratio0, class1, ratio1 */
#define DRAWS 20u
#define FALL TC_C(0.01962) /* h g */

static float weights[NETS][LAYERS_MOST][WIDTH * WIDTH];
static float biases[NETS][LAYERS_MOST][WIDTH];
static float low[WIDTH], high[WIDTH];
static tc_learned2_nets nets;
static tc_foot2 foot;
static tc_body2_state start, state;
static tc_foot2_info info;
static tc_real work[TC_FOOT2_WORK(TC_LEARNED2_NETS_WORK(WIDTH))];
static tc_patch2 patch;
static tc_learned2_query query;
static tc_real features[TC_LEARNED2_FEATURES_MAX];
static tc_learned2_result solved;

extern const uint8_t rectangle_i8_tcm[]; /* tests/models, see evidence.mk */
extern const uint32_t rectangle_i8_tcm_size;

static const tc_body2 body = {TC_C(1.0), TC_C(0.0045333333)};
static const tc_real rectangle[8] = {TC_C(-0.1), TC_C(-0.06), TC_C(0.1),  TC_C(-0.06),
                                     TC_C(0.1),  TC_C(0.06),  TC_C(-0.1), TC_C(0.06)};
static const tc_real weight[3] = {TC_C(0.0), TC_C(-9.81), TC_C(0.0)};

/* What tools/tinycontact/learn exports beside the weights: the range. Normalisation is folded into
 * them. */
static void dress(tc_net *net)
{
    for (uint32_t i = 0; i < net->n_in; i++) {
        low[i] = -100.0f;
        high[i] = 100.0f;
    }
    net->input_low = low;
    net->input_high = high;
}

void bench_make_net(uint32_t index, const uint16_t *dims, uint32_t n_layers, const tc_real *last,
                    tc_net *net)
{
    memset(net, 0, sizeof *net);
    net->n_in = dims[0];
    net->n_out = dims[n_layers];
    net->n_layers = (uint8_t)n_layers;
    net->width = dims[0];
    for (uint32_t l = 0; l < n_layers; l++) {
        tc_net_dense *const layer = &net->layers[l];
        const tc_real reach =
            (tc_real)sqrt(3.0 / dims[l]) * (l + 1u == n_layers ? TC_C(0.02) : TC_C(1.0));
        layer->n_in = dims[l];
        layer->n_out = dims[l + 1u];
        layer->activation = l + 1u < n_layers ? TC_NET_TANH : TC_NET_IDENTITY;
        layer->tile_rows = 8;
        layer->tile_columns = 1;
        layer->weights = weights[index][l];
        layer->bias = biases[index][l];
        net->width = layer->n_out > net->width ? layer->n_out : net->width;
        memset(weights[index][l], 0, sizeof weights[index][l]);
        memset(biases[index][l], 0, sizeof biases[index][l]);
        for (uint32_t o = 0; o < layer->n_out; o++) {
            for (uint32_t i = 0; i < layer->n_in; i++) {
                weights[index][l][tc_net_dense_index(layer, o, i)] =
                    (float)bench_uniform(-reach, reach);
            }
        }
    }
    for (uint32_t o = 0; o < net->n_out; o++) {
        biases[index][n_layers - 1u][o] = (float)last[o];
    }
    net->head = net->n_out == 3u ? TC_NET_HEAD_SOFTMAX : TC_NET_HEAD_LINEAR;
    dress(net);
}

static void make_foot(const uint16_t *hidden, uint32_t n_hidden)
{
    static const uint16_t inputs[2] = {13, 19};
    static const tc_real dynamic[3] = {TC_C(0.0), TC_C(3.0), TC_C(0.0)}, against = TC_C(-0.4);
    uint16_t dims[LAYERS_MOST + 1u];
    bench_seed(40961u);
    memcpy(dims + 1, hidden, n_hidden * sizeof dims[0]);
    memset(&nets, 0, sizeof nets);
    for (uint32_t d = 0; d < 2u; d++) {
        dims[0] = inputs[d];
        dims[n_hidden + 1u] = 3;
        bench_make_net(2u * d, dims, n_hidden + 1u, dynamic, &nets.classifier[d]);
        dims[n_hidden + 1u] = 1;
        bench_make_net(2u * d + 1u, dims, n_hidden + 1u, &against, &nets.regressor[d]);
        nets.mask[d] = d == 0u ? 31u : 61u;
    }
    nets.width = WIDTH;
    const tc_learned2_model law = tc_learned2_nets_model(&nets);
    (void)tc_foot2_init(&foot, &body, TC_C(0.002), &law);
    foot.shape.vertices = rectangle;
    foot.shape.count = 4;
}

static void small_nets(void)
{
    static const uint16_t hidden[2] = {16, 16};
    make_foot(hidden, 2);
}

const tc_foot2 *bench_small_foot(void)
{
    small_nets();
    return &foot;
}

static void paper_nets(void)
{
    static const uint16_t hidden[3] = {32, 32, 16};
    make_foot(hidden, 3);
}

static void int8_nets(void)
{
    static tc_model model;
    (void)tc_model_open(&model, rectangle_i8_tcm, rectangle_i8_tcm_size);
    (void)tc_foot2_open(&foot, &nets, &model, &body, TC_C(0.002));
    foot.shape.vertices = rectangle;
    foot.shape.count = 4;
}

/* A corner, or a side, 1 mm in the floor or (positions toc, gap) just above it. */
static void strike(uint32_t contacts)
{
    const tc_real in = foot.positions == TC_SCHEME_DART ? TC_C(-0.001) : TC_C(0.0005);
    bench_seed(977u * (bench.draw + 1u));
    start.position[0] = TC_C(0.3);
    start.position[2] = contacts == 1u ? bench_uniform(TC_C(0.1), TC_C(0.9)) : TC_C(0.0);
    start.position[1] = TC_C(0.1) * (tc_real)sin((double)start.position[2])
                        + TC_C(0.06) * (tc_real)cos((double)start.position[2]) + in;
    start.velocity[0] = bench_uniform(TC_C(6.0), TC_C(9.0)); /* more than friction can end */
    start.velocity[1] = bench_uniform(TC_C(-2.0), TC_C(-0.5));
    start.velocity[2] = contacts == 1u ? bench_uniform(TC_C(-2.0), TC_C(2.0)) : TC_C(0.0);
    state = start;
    bench.compared = 2;
    bench.expected[0] = TC_C(0.0);
}

/* The patch and the query of `start`, for the pieces, and the ratio that the regressor gives. */
static void ask_alone(uint32_t contacts)
{
    const tc_real velocity[3] = {start.velocity[0], start.velocity[1] - FALL, start.velocity[2]};
    tc_real ratio;
    (void)tc_detect2(&foot.shape, &start, &foot.plane, TC_C(0.002), &patch);
    (void)tc_learned2_query_init(&query, &patch, velocity, foot.gyration, NULL);
    (void)tc_learned2_features(&query, nets.mask[contacts - 1u], features);
    tc_net_forward(&nets.regressor[contacts - 1u], features, &ratio, work);
    bench.expected[1] = ratio;
}

/* What the step came to: the largest normal velocity of a contact that carries, and friction over
 * normal. */
static void note_step(void)
{
    tc_real moved = TC_C(0.0);
    for (uint32_t i = 0; i < 2u; i++) {
        const tc_real u = state.velocity[1] + state.velocity[2] * patch.lever[i];
        moved = info.normal[i] > TC_C(0.0) && u * u > moved * moved ? u : moved;
    }
    bench.result[0] = moved;
    bench.result[1] = info.friction / (info.normal[0] + info.normal[1]);
}

static void run_step(void)
{
    BENCH_REGION((void)tc_foot2_step(&foot, weight, &state, &info, work, TC_COUNT(work)));
    note_step();
}

static void run_query(void)
{
    const tc_real velocity[3] = {start.velocity[0], start.velocity[1] - FALL, start.velocity[2]};
    BENCH_REGION((void)tc_learned2_query_init(&query, &patch, velocity, foot.gyration, NULL));
    bench.result[0] = TC_C(0.0);
    bench.result[1] = bench.expected[1];
}

static void run_features(void)
{
    BENCH_REGION((void)tc_learned2_features(&query, nets.mask[query.space.count - 1u], features));
    bench.result[0] = TC_C(0.0);
    bench.result[1] = bench.expected[1];
}

static void run_solve(void)
{
    BENCH_REGION((void)tc_learned2_solve(&foot.model, &query, &solved, work, TC_COUNT(work)));
    bench.result[0] = TC_C(0.0);
    bench.result[1] = solved.impulse[0] / (solved.impulse[1] + solved.impulse[2]);
}

static void run_slide(void)
{
    tc_real impulse[3];
    const tc_real ratio = bench.expected[1];
    BENCH_REGION((void)tc_learned2_space_impulse(&query.space, &query.stops, TC_LEARNED_DYNAMIC,
                                                 ratio, impulse));
    bench.result[0] = TC_C(0.0);
    bench.result[1] = impulse[0] / (impulse[1] + impulse[2]);
}

#define STRIKE(name, nets_of, scheme, contacts)                                                    \
    static void name(void)                                                                         \
    {                                                                                              \
        nets_of();                                                                                 \
        foot.positions = scheme;                                                                   \
        strike(contacts);                                                                          \
        ask_alone(contacts);                                                                       \
    }
STRIKE(point_small, small_nets, TC_SCHEME_DART, 1u)
STRIKE(edge_small, small_nets, TC_SCHEME_DART, 2u)
STRIKE(point_paper, paper_nets, TC_SCHEME_DART, 1u)
STRIKE(edge_paper, paper_nets, TC_SCHEME_DART, 2u)
STRIKE(point_int8, int8_nets, TC_SCHEME_DART, 1u)
STRIKE(edge_int8, int8_nets, TC_SCHEME_DART, 2u)
STRIKE(point_gap, small_nets, TC_SCHEME_GAP, 1u)
STRIKE(point_toc, small_nets, TC_SCHEME_TOC, 1u)

/* With the gap in the right-hand side the contact moves by it, at another pose its ratio is
 * another. */
#define LIMIT TC_C(2e-5)
#define LIMIT_AHEAD TC_C(0.3)

static const bench_case cases[] = {
    {"foot2_step_point", "16-16", "public", point_small, run_step, 12, LIMIT},
    {"foot2_step_edge", "16-16", "public", edge_small, run_step, 12, LIMIT},
    {"foot2_step_point", "16-16-int8", "public", point_int8, run_step, 12, LIMIT},
    {"foot2_step_edge", "16-16-int8", "public", edge_int8, run_step, 12, LIMIT},
    {"foot2_step_point", "32-32-16", "public", point_paper, run_step, 12, LIMIT},
    {"foot2_step_edge", "32-32-16", "public", edge_paper, run_step, 12, LIMIT},
    {"foot2_step_point_gap", "16-16", "public", point_gap, run_step, 12, LIMIT_AHEAD},
    {"foot2_step_point_toc", "16-16", "public", point_toc, run_step, 12, LIMIT_AHEAD},
    {"learned2_query", "point", "public", point_small, run_query, 0, LIMIT},
    {"learned2_query", "edge", "public", edge_small, run_query, 0, LIMIT},
    {"learned2_features", "point", "public", point_small, run_features, 0, LIMIT},
    {"learned2_features", "edge", "public", edge_small, run_features, 0, LIMIT},
    {"learned2_solve_point", "16-16", "public", point_small, run_solve, 0, LIMIT},
    {"learned2_solve_edge", "16-16", "public", edge_small, run_solve, 0, LIMIT},
    {"learned2_impulse", "point", "public", point_small, run_slide, 0, LIMIT},
    {"learned2_impulse", "edge", "public", edge_small, run_slide, 0, LIMIT},
};

void bench_foot2(void)
{
    for (uint32_t i = 0; i < TC_COUNT(cases); i++) {
        bench_run_draws(&cases[i], DRAWS);
    }
}
