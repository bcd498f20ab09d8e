/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Learned shapes: one gradient of a net gives the value, its gradient by the point, and its
 * derivatives by the latent code, which is an input like the point.
 *
 * Outside of the training range, with q the range's nearest point to p: d(p) = d(q) + |p - q|, as
 * outside of a grid. A code outside of its range is used as it is, and TC_NOTE_RANGE says so.
 */
#include "tc_exact.h"
#include "tc_sdf_net.h"

#include "tc_sdf_points.h"
#include "tc_vec.h"

#define INPUTS (3u + TC_SDF_NET_CODES)
#define FAR TC_C(1e6) /* [m] as in the other kinds */

static uint32_t count_sdf_net(const tc_sdf *shape)
{
    return ((const tc_sdf_net_data *)shape->data_ref)->codes;
}

static tc_status check_code(const tc_sdf_net_data *data)
{
    if (data->codes > TC_SDF_NET_CODES || data->net_ref->n_in != 3u + data->codes)
        return TC_ERR_SIZE;
    if (data->codes == 0u) return TC_OK;
    if (!data->code_ref) return TC_ERR_NULL;
    return tc_all_finite(data->code_ref, data->codes) ? TC_OK : TC_ERR_NOT_FINITE;
}

static tc_status check_sdf_net(const tc_sdf *shape)
{
    const tc_sdf_net_data *const data = shape->data_ref;
    if (!data || !data->net_ref) return TC_ERR_NULL;
    const tc_net *const net = data->net_ref;
    tc_status status = check_code(data);
    if (status >= TC_OK) status = tc_sdf_points_check(&data->stored);
    if (status < TC_OK) return status;
    if (net->n_out != 1u) return TC_ERR_SIZE;
    if (!tc_all_finite(&data->stored.error, 1)) return TC_ERR_NOT_FINITE;
    if (data->stored.error < TC_C(0.0)) return TC_ERR_SHAPE;
    if (net->head != TC_NET_HEAD_LINEAR || net->layers[0].weight == TC_NET_WEIGHT_I8_ACT)
        return TC_ERR_UNSUPPORTED;
    return tc_net_check(net);
}

/* TC_OK, TC_ERR_NOT_FINITE or TC_ERR_RANGE */
static tc_status check_point3(const tc_real p[3])
{
    if (!tc_all_finite(p, 3)) return TC_ERR_NOT_FINITE;
    return tc_vec_dot3(p, p) <= FAR * FAR ? TC_OK : TC_ERR_RANGE;
}

/* input[3] becomes the point of the training range nearest to p; beyond[3]: (p - input) / |.|.
 * Returns |p - input|. */
static tc_real clamp_input(const tc_net *net, const tc_real p[3], tc_real input[3],
                           tc_real beyond[3])
{
    tc_real square = TC_C(0.0);
    for (uint32_t i = 0; i < 3u; ++i) {
        input[i] = p[i];
        if (net->input_low) {
            const tc_real low = (tc_real)net->input_low[i], high = (tc_real)net->input_high[i];
            input[i] = p[i] < low ? low : p[i] > high ? high : p[i];
        }
        beyond[i] = p[i] - input[i];
        square = TC_MLA(square, beyond[i], beyond[i]);
    }
    if (!(square > TC_C(1e-30))) return TC_C(0.0);
    const tc_real length = tc_sqrt(square), inverse = TC_C(1.0) / length;
    for (uint32_t i = 0; i < 3u; ++i) beyond[i] *= inverse;
    return length;
}

static void copy_code(const tc_real *from, uint32_t n, tc_real *to)
{
    for (uint32_t i = 0; i < n; ++i) to[i] = from[i];
}

/* distance, gradient[3] and, unless NULL, by[codes] */
static tc_status ask_sdf_net(const tc_sdf_net_data *data, const tc_real p[3], tc_real out[4],
                             tc_real *by, tc_real *work, size_t work_len)
{
    static const tc_real one = TC_C(1.0);
    const tc_net *const net = data->net_ref;
    tc_real input[INPUTS], slope[INPUTS], beyond[3];
    if (!work) return TC_ERR_WORK;
    tc_status status = check_point3(p);
    if (status < TC_OK) return status;
    const tc_real excess = clamp_input(net, p, input, beyond);
    copy_code(data->code_ref, data->codes, input + 3);
    status = tc_net_grad(net, input, &one, out, slope, work, work_len);
    if (status < TC_OK) return status;
    out[0] += excess;
    for (uint32_t i = 0; i < 3u; ++i) out[1u + i] = input[i] == p[i] ? slope[i] : beyond[i];
    if (by) copy_code(slope + 3, data->codes, by);
    return excess > TC_C(0.0) || !tc_net_in_range(net, input) ? TC_NOTE_RANGE : status;
}

static tc_status eval_sdf_net(const tc_sdf *shape, const tc_real p[3], tc_real *distance,
                              tc_real gradient[3], tc_real *work, size_t work_len)
{
    tc_real out[4] = {TC_C(0.0), TC_C(0.0), TC_C(0.0), TC_C(0.0)};
    const tc_status status = ask_sdf_net(shape->data_ref, p, out, NULL, work, work_len);
    *distance = status < TC_OK ? TC_C(0.0) : out[0];
    for (uint32_t i = 0; i < 3u; ++i) gradient[i] = status < TC_OK ? TC_C(0.0) : out[1u + i];
    return status;
}

static tc_status grad_sdf_net(const tc_sdf *shape, const tc_real p[3], tc_real *derivative,
                              tc_real *work, size_t work_len)
{
    tc_real out[4];
    return ask_sdf_net(shape->data_ref, p, out, derivative, work, work_len);
}

const tc_sdf_kind tc_sdf_net = {"net",
                                TC_SDF_CONTRACT_APPROXIMATE,
                                0,
                                count_sdf_net,
                                check_sdf_net,
                                eval_sdf_net,
                                grad_sdf_net,
                                NULL,
                                tc_sdf_points_at,
                                0};
