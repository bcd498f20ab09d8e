/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Nets with inputs, expected outputs and gradients (central differences), and error bounds.
 * Made by tools/ref/net_vectors.py: do not edit.
 */
#ifndef VECTORS_NET_H
#define VECTORS_NET_H

#include "net_case.h"

static const uint16_t point_dims[] = {
    1, 1,
};

static const uint8_t point_activations[] = {
    0,
};

static const float point_weights[] = {
    -0x1.7de634p+0f,
};

static const float point_biases[] = {
    0x1.63c5acp-2f,
};

static const float point_inputs[] = {
    0x1.0e1afp+0f, -0x1.2b2a88p-6f, 0x1.36766p-1f,
};

static const float point_cotangents[] = {
    -0x1.f59e5ep-2f, -0x1.9dc4eap-4f, 0x1.27a718p-1f,
};

static const tc_real point_outputs[] = {
    TC_C(-1.22655577983164221e+00), TC_C(3.74673382738643923e-01), TC_C(-5.57148107594684916e-01),
};

static const tc_real point_bounds[] = {
    TC_C(8.33371352492915350e-07), TC_C(9.58235310593210171e-08), TC_C(5.14172900384075697e-07),
};

static const tc_real point_grads[] = {
    TC_C(7.30773032795367650e-01), TC_C(1.50697839333333139e-01), TC_C(-8.61431446567117121e-01),
};

static const tc_real point_grad_bounds[] = {
    TC_C(2.92309213118195999e-06), TC_C(6.02791357333337811e-07), TC_C(3.44572578626844003e-06),
};

static const uint16_t relu_dims[] = {
    3, 7, 33, 1,
};

static const uint8_t relu_activations[] = {
    1, 1, 0,
};

static const float relu_weights[] = {
    0x1.1300b2p+0f, 0x1.0e0dc4p+0f, -0x1.0b69c6p+0f, -0x1.f4ab82p-1f, 0x1.94a1ep-1f, 0x1.1c9828p-1f,
    0x1.99692p-2f, -0x1.cecc6cp-2f, 0x1.ff19ccp-3f, 0x1.019e74p-2f, 0x1.87bf8ap-3f, -0x1.9c02e6p-1f,
    -0x1.4e777cp-3f, -0x1.00d07ap-2f, 0x1.0cf76p-1f, 0x1.2a6436p+0f, 0x1.0effd4p+0f, 0x1.aa3dfp-4f,
    -0x1.0a0978p-3f, -0x1.178416p-1f, -0x1.17da18p+0f, -0x1.a0b05ep-2f, -0x1.77f06ap-1f, -0x1.141e24p-2f,
    -0x1.1ed8b6p-1f, 0x1.024ffep-6f, 0x1.89bca8p-1f, 0x1.138596p-2f, -0x1.f66712p-2f, 0x1.36bed6p-1f,
    0x1.d49d7cp-2f, 0x1.72251cp-2f, 0x1.4106fp-1f, 0x1.9f1fb6p-2f, 0x1.c98ac4p-2f, -0x1.cdc582p-3f,
    0x1.7bc1ap-1f, 0x1.6cb1f4p-1f, -0x1.0b8338p-1f, 0x1.911964p-2f, 0x1.53bef6p-2f, -0x1.e78b0ap-5f,
    0x1.7f7a9ep-5f, -0x1.f89c38p-7f, 0x1.4f6d64p-1f, 0x1.540018p-10f, 0x1.05c18cp-1f, -0x1.cd569p-3f,
    0x1.2e47eep-1f, 0x1.3b95acp-1f, -0x1.ec86f6p-5f, 0x1.aba75cp-4f, 0x1.4bdf7ep-1f, 0x1.615c6ep-2f,
    -0x1.525812p-6f, -0x1.b74a2ap-2f, -0x1.14de7p-2f, 0x1.3b2506p-2f, -0x1.07a7d4p-1f, 0x1.42172cp-1f,
    -0x1.6e22a2p-2f, 0x1.44cdf2p-1f, -0x1.2cb84ap-2f, 0x1.691c74p-1f, 0x1.459ee6p-2f, 0x1.ad65a8p-8f,
    0x1.c068c2p-6f, 0x1.de32d6p-3f, 0x1.15bf78p-3f, -0x1.291e1ep-2f, -0x1.cd62aap-2f, 0x1.2c736ep-6f,
    0x1.56c9a8p-1f, 0x1.854c1p-3f, -0x1.4f4376p-1f, 0x1.f9f202p-2f, 0x1.64cc38p-2f, 0x1.41dd3p-1f,
    -0x1.e74ebep-2f, 0x1.8289a8p-2f, -0x1.5c6212p-1f, 0x1.e2ebf8p-3f, -0x1.664ca6p-2f, -0x1.afb388p-2f,
    0x1.287856p-1f, -0x1.36dfaep-1f, 0x1.1a8108p-5f, 0x1.1774e6p-1f, -0x1.92efecp-2f, -0x1.c92f2cp-2f,
    0x1.2c7d46p-1f, -0x1.e6e276p-4f, 0x1.569abcp-2f, -0x1.719c62p-1f, -0x1.b2b4b4p-3f, -0x1.031136p-1f,
    0x1.10d098p-2f, -0x1.4951e6p-1f, 0x1.66e698p-1f, -0x1.76c3eep-1f, 0x1.6a48acp-2f, -0x1.7a14d2p-1f,
    -0x1.81ca88p-2f, 0x1.eed1dp-2f, -0x1.0eb922p-1f, -0x1.f368e4p-2f, 0x1.2e6436p-2f, -0x1.696834p-3f,
    -0x1.68b2cep-1f, 0x1.82e1ccp-1f, -0x1.1338ep-1f, -0x1.6e23dap-1f, -0x1.ec0bcap-3f, 0x1.6bf358p-3f,
    0x1.7ede8ap-2f, -0x1.317756p-1f, -0x1.010e7ep-2f, -0x1.727314p-1f, -0x1.4453ep-4f, 0x1.a3fe9ap-2f,
    0x1.7ae6acp-2f, 0x1.3d6a84p-1f, 0x1.93b7acp-2f, 0x1.1e2b88p-1f, 0x1.4442f8p-2f, -0x1.57df44p-5f,
    -0x1.b16bbep-2f, 0x1.fbee26p-3f, -0x1.221282p-2f, -0x1.3a3404p-1f, -0x1.49944p-4f, 0x1.27e52ap-1f,
    -0x1.26146p-1f, 0x1.0c4ed8p-3f, -0x1.521412p-3f, 0x1.760012p-6f, -0x1.193724p-1f, 0x1.6afb64p-1f,
    -0x1.7c698p-2f, 0x1.4f0438p-3f, -0x1.fadb98p-4f, -0x1.7c89c4p-1f, 0x1.6e0992p-4f, -0x1.1bca16p-1f,
    -0x1.5df1dap-1f, -0x1.70482cp-1f, -0x1.0b873p-1f, -0x1.3f1494p-1f, 0x1.aa98f6p-3f, 0x1.a1591p-7f,
    0x1.7db8d2p-1f, 0x1.56c4ccp-1f, 0x1.867426p-1f, -0x1.a673b6p-2f, -0x1.5d506ep-4f, -0x1.898b1ep-2f,
    0x1.202592p-3f, 0x1.8822ep-3f, 0x1.da0f28p-2f, 0x1.4ad1e4p-2f, -0x1.8056eep-2f, -0x1.e641eep-4f,
    0x1.4ada7ap-5f, -0x1.86f788p-1f, -0x1.6ebf68p-1f, -0x1.2042dep-3f, -0x1.32ff72p-1f, 0x1.615b1cp-2f,
    -0x1.99335ep-2f, -0x1.3c000ep-1f, -0x1.f688ccp-2f, -0x1.a7f31ap-2f, -0x1.be541p-2f, 0x1.05f59p-5f,
    -0x1.c1b09ep-5f, -0x1.2c766cp-2f, 0x1.bfb43ap-3f, -0x1.c61278p-2f, 0x1.4100aep-1f, 0x1.6da7aep-1f,
    0x1.698198p-2f, -0x1.a29098p-4f, 0x1.2296dcp-6f, 0x1.000e5ap-3f, -0x1.6252e4p-1f, -0x1.02ebe8p-3f,
    0x1.3ca2e4p-5f, -0x1.f76114p-2f, -0x1.40ba0ap-1f, 0x1.ddeca8p-2f, -0x1.a69e86p-3f, 0x1.e55892p-6f,
    0x1.4cc1dap-1f, 0x1.5d03d2p-3f, -0x1.4c462ep-2f, 0x1.7dc3eep-1f, -0x1.9388f4p-3f, -0x1.7bbb38p-1f,
    0x1.24a004p-2f, -0x1.3ae75ap-1f, -0x1.327812p-2f, 0x1.0cee4ep-1f, 0x1.10824cp-2f, -0x1.7e5ce8p-1f,
    -0x1.32d474p-4f, -0x1.1a1bfp-3f, -0x1.652eb2p-6f, -0x1.ccb57ap-2f, 0x1.18468ep-3f, -0x1.50840ap-1f,
    -0x1.5484fp-2f, -0x1.9166e4p-3f, 0x1.57ab4p-1f, -0x1.4e5666p-1f, 0x1.92a592p-2f, -0x1.e5cc1ep-2f,
    0x1.c3f51p-4f, -0x1.55c74cp-3f, -0x1.d094a2p-5f, 0x1.906e2ap-2f, -0x1.4b7a4ap-3f, -0x1.2aaa1cp-1f,
    -0x1.2aa1e6p-1f, -0x1.4b357ap-1f, 0x1.14663ep-1f, 0x1.bd47fap-3f, 0x1.6aeebap-1f, 0x1.3037fap-2f,
    -0x1.774c8ep-1f, 0x1.f6a8e6p-3f, 0x1.b5bf32p-2f, 0x1.60f57ap-2f, -0x1.9e7444p-9f, -0x1.c1c71cp-3f,
    -0x1.0f616ap-4f, 0x1.d7b6bp-2f, -0x1.6cdd38p-2f, 0x1.4c4a84p-5f, -0x1.1b7c9ep-5f, 0x1.6701d2p-1f,
    0x1.e099c6p-2f, 0x1.552118p-1f, 0x1.094b4ap-1f, -0x1.40ee7cp-2f, -0x1.a7c9e6p-2f, -0x1.1b3ddcp-6f,
    -0x1.7becap-2f, -0x1.c8f808p-4f, 0x1.1ae19ap-2f, 0x1.4a7dbap-1f, 0x1.0f4ac8p-3f, 0x1.f5ec7cp-2f,
    -0x1.56360ap-5f, -0x1.564528p-2f, 0x1.14d85p-4f, 0x1.15b07p-2f, -0x1.d0d7e6p-3f, 0x1.d9719p-8f,
    -0x1.983f84p-7f, -0x1.149d96p-4f, 0x1.3220bcp-3f, 0x1.3d9518p-2f, 0x1.2ac1bep-3f, -0x1.40038cp-6f,
    0x1.4ffcf4p-2f, -0x1.ec6f8cp-4f, 0x1.65427ep-3f, 0x1.cd0db6p-4f, 0x1.7c86f2p-3f, 0x1.000e84p-2f,
    -0x1.9001ccp-3f, 0x1.60baacp-4f, -0x1.1afd26p-4f, 0x1.e5be3p-4f, 0x1.5b158p-2f, 0x1.883d9p-4f,
    -0x1.633358p-2f, -0x1.9c874ep-6f, 0x1.33c074p-3f, 0x1.16b5bcp-2f, 0x1.b49decp-4f, 0x1.cbbe86p-3f,
    -0x1.5f2d72p-2f, 0x1.425a66p-2f, 0x1.4dc51p-3f,
};

static const float relu_biases[] = {
    -0x1.e3e57ep-2f, -0x1.1f96e8p-5f, -0x1.73c88ep-3f, -0x1.eb757ap-4f, 0x1.913142p-2f, 0x1.a5eef2p-6f,
    0x1.efb36cp-5f, -0x1.9dbffcp-2f, -0x1.26cb78p-3f, 0x1.fdb1a8p-2f, -0x1.69fba2p-2f, -0x1.54eb08p-4f,
    -0x1.bb8e74p-2f, -0x1.a7c876p-2f, 0x1.94fe0cp-2f, 0x1.f45d44p-2f, 0x1.2f45a8p-3f, -0x1.7c669p-2f,
    -0x1.a10234p-3f, -0x1.12bd54p-2f, 0x1.5da8e8p-3f, 0x1.72e40ap-3f, -0x1.f4f994p-5f, 0x1.89215ap-6f,
    -0x1.8d3d74p-2f, 0x1.4eff5cp-5f, 0x1.ccbcbcp-2f, 0x1.05ea7cp-2f, -0x1.9d89bp-2f, 0x1.0e5bbap-6f,
    0x1.b9113p-3f, -0x1.f12166p-3f, 0x1.945fcap-2f, -0x1.3ff8bcp-5f, 0x1.a037bp-3f, -0x1.888bf8p-4f,
    0x1.fb0428p-2f, 0x1.219a72p-2f, 0x1.2ccfd8p-4f, -0x1.6bc2b8p-2f, 0x1.b3fe92p-4f,
};

static const float relu_inputs[] = {
    0x1.1168a4p+0f, -0x1.33ac4cp+0f, 0x1.f43716p-1f, -0x1.3be8e2p+0f, 0x1.377d6cp+0f, -0x1.72d162p+0f,
    -0x1.0cb4b4p-2f, -0x1.f870ccp-1f, 0x1.0eb93cp-2f,
};

static const float relu_cotangents[] = {
    0x1.613008p-3f, 0x1.cc13f2p-3f, -0x1.0d9fd2p-4f,
};

static const tc_real relu_outputs[] = {
    TC_C(1.28706842691215773e+00), TC_C(6.17941831775465245e-01), TC_C(7.15316372867823569e-01),
};

static const tc_real relu_bounds[] = {
    TC_C(2.89234597460758726e-05), TC_C(3.55339173906366081e-05), TC_C(1.63340413980645281e-05),
};

static const tc_real relu_grads[] = {
    TC_C(-6.74978021669344203e-02), TC_C(-1.39124065520456835e-01), TC_C(7.41601465624602829e-02),
    TC_C(-1.14274236300883816e-02), TC_C(5.05954819132713660e-02), TC_C(-5.23284409698528564e-03),
    TC_C(-1.01661400650337550e-02), TC_C(1.60740099718562762e-02), TC_C(-4.15743297138126272e-02),
};

static const tc_real relu_grad_bounds[] = {
    TC_C(5.94047773506640097e-06), TC_C(6.31020448598098043e-06), TC_C(6.80009159964354772e-06),
    TC_C(7.73833061563675519e-06), TC_C(8.21995313214471632e-06), TC_C(8.85810188363037473e-06),
    TC_C(2.26748764620007699e-06), TC_C(2.40861280103732987e-06), TC_C(2.59560331388874660e-06),
};

static const uint16_t tanh_dims[] = {
    7, 33, 3,
};

static const uint8_t tanh_activations[] = {
    2, 0,
};

static const float tanh_weights[] = {
    -0x1.9dc80ep-2f, 0x1.175ed4p-4f, -0x1.9ab58p-3f, 0x1.48338ep-3f, 0x1.8d0d1cp-3f, -0x1.5709bp-1f,
    -0x1.806128p-1f, 0x1.0a731ap-1f, -0x1.7c016p-2f, -0x1.a384f8p-2f, 0x1.875674p-1f, -0x1.77a80cp-5f,
    0x1.09a76ep-1f, -0x1.2ab9e8p-5f, 0x1.b734dcp-3f, -0x1.13db52p-1f, 0x1.a9eb1ap-3f, 0x1.229756p-1f,
    0x1.24d836p-5f, 0x1.7cf64cp-2f, 0x1.0ead42p-2f, -0x1.58385cp-1f, 0x1.97c5d4p-2f, 0x1.1fb63p-3f,
    -0x1.39d1bep-2f, -0x1.724a7ap-1f, 0x1.209a5ep-1f, -0x1.5841a8p-5f, 0x1.598bc8p-2f, 0x1.2b17b8p-1f,
    0x1.52220cp-2f, 0x1.4c7ac6p-1f, -0x1.4bba4ap-3f, 0x1.db2aaap-2f, -0x1.5dcbf8p-4f, 0x1.57eb2ep-1f,
    0x1.2b229cp-1f, -0x1.3dd4bep-1f, -0x1.1f6bf8p-1f, -0x1.bee84ep-2f, 0x1.6f8566p-1f, -0x1.933a82p-4f,
    0x1.8ffb64p-3f, -0x1.3a335ap-2f, 0x1.6dff76p-7f, -0x1.68755ap-3f, -0x1.d6db28p-3f, 0x1.0cae94p-3f,
    0x1.0a15bcp-3f, 0x1.3f237ap-1f, 0x1.1f5e74p-2f, 0x1.52acd6p-1f, 0x1.1965a2p-1f, 0x1.83a984p-1f,
    0x1.0e757ep-2f, -0x1.0a0026p-1f, 0x1.1cbe0ap-1f, 0x1.6eda28p-1f, 0x1.3f875ep-1f, 0x1.b4831ap-4f,
    0x1.51a3bcp-2f, -0x1.c82a02p-2f, 0x1.05d26ap-1f, 0x1.d07618p-4f, -0x1.539328p-2f, -0x1.58abbep-1f,
    0x1.1774ccp-1f, 0x1.82ba46p-1f, -0x1.44e2fap-1f, 0x1.daabf2p-2f, -0x1.1ac7cap-3f, -0x1.13bd38p-1f,
    -0x1.4577aap-2f, 0x1.a87362p-2f, 0x1.2651b6p-1f, -0x1.67e2cep-1f, 0x1.69b7c6p-3f, -0x1.674b2cp-1f,
    0x1.58f0c6p-2f, -0x1.0af0f4p-2f, 0x1.2cbeacp-1f, 0x1.7b7cbcp-1f, 0x1.11e61ep-7f, 0x1.89995cp-1f,
    -0x1.2c8d1p-2f, -0x1.4e01p-1f, 0x1.3b126cp-3f, -0x1.72007ep-1f, -0x1.dddc76p-2f, -0x1.22c1dp-3f,
    0x1.5ce0e2p-3f, -0x1.0f72f2p-1f, -0x1.694562p-1f, 0x1.226184p-1f, -0x1.25fb32p-2f, 0x1.6a22c2p-1f,
    0x1.392f06p-1f, -0x1.81f7a2p-3f, -0x1.f4238ep-5f, 0x1.fb286p-6f, 0x1.c66e4ep-3f, 0x1.2e1566p-3f,
    0x1.76515ep-4f, 0x1.7b6236p-3f, 0x1.5be4c8p-1f, 0x1.63131cp-7f, -0x1.b29f86p-4f, 0x1.5be50ap-2f,
    -0x1.9e4d0ep-2f, -0x1.3a1ad4p-2f, 0x1.793f04p-1f, 0x1.0ae5d4p-5f, 0x1.31e84p-4f, -0x1.81bae4p-1f,
    -0x1.0bc89ap-3f, 0x1.f9181p-4f, -0x1.7af18ap-1f, 0x1.6db6dcp-3f, 0x1.a17438p-3f, -0x1.5b56fp-1f,
    0x1.922b88p-3f, -0x1.aa5a5ep-5f, 0x1.1b1aaep-2f, -0x1.d197ccp-3f, 0x1.46cbd6p-2f, 0x1.77e198p-2f,
    -0x1.79431ap-1f, -0x1.5af2ap-1f, 0x1.15f462p-2f, 0x1.6dcddep-1f, -0x1.89011p-2f, -0x1.13f374p-4f,
    0x1.24ad64p-3f, -0x1.1c32eap-2f, -0x1.ada892p-3f, -0x1.27d01p-2f, -0x1.9d3d44p-3f, 0x1.2dfe2cp-3f,
    -0x1.3b2ee2p-2f, -0x1.83f41ap-3f, 0x1.adf2cap-2f, -0x1.758548p-1f, 0x1.b57674p-4f, 0x1.735cfcp-2f,
    -0x1.2c00fp-2f, -0x1.b62458p-2f, 0x1.dfbe8cp-2f, -0x1.9ca0bap-2f, -0x1.eda324p-2f, -0x1.99165ap-4f,
    0x1.38c48ap-2f, -0x1.3a5dfp-1f, -0x1.19226cp-2f, -0x1.06854p-2f, 0x1.0758b6p-1f, -0x1.84e5bep-4f,
    0x1.18b6b8p-1f, -0x1.051e16p-1f, -0x1.01da0cp-2f, 0x1.da772ap-3f, 0x1.2fe5cp-1f, -0x1.34dbf4p-4f,
    -0x1.b235c2p-2f, -0x1.2b4ddep-1f, 0x1.7647fap-5f, -0x1.e840dcp-2f, 0x1.e46efep-2f, 0x1.0b3eb4p-1f,
    -0x1.f3a68ap-2f, -0x1.5da058p-2f, 0x1.e52494p-2f, 0x1.c0448cp-3f, 0x1.e39d08p-2f, -0x1.e8a126p-3f,
    -0x1.246142p-1f, -0x1.488b4ap-2f, 0x1.d009f8p-2f, -0x1.6956eep-2f, -0x1.e53edcp-3f, -0x1.066de8p-3f,
    -0x1.fac24ep-4f, -0x1.1dbf8cp-3f, 0x1.4c187cp-1f, -0x1.0f9b9ap-1f, -0x1.87187ap-1f, 0x1.5dfbbap-1f,
    0x1.2c034ap-1f, 0x1.8071a8p-1f, -0x1.9ea89p-4f, 0x1.636d0ap-1f, 0x1.516fd4p-1f, -0x1.b6d916p-2f,
    0x1.83b4eap-2f, 0x1.09d762p-1f, 0x1.015fbcp-2f, 0x1.e06d2ap-6f, -0x1.4d200ap-2f, -0x1.f5f04p-3f,
    -0x1.ae5cp-2f, -0x1.55088ap-1f, 0x1.18101cp-3f, -0x1.5054fp-2f, 0x1.e9d35ep-2f, -0x1.672f92p-1f,
    0x1.3eabb8p-1f, 0x1.31e1aep-2f, 0x1.4ea7dcp-1f, 0x1.391c54p-1f, 0x1.3b9078p-1f, 0x1.e611f4p-4f,
    -0x1.8065e8p-1f, 0x1.835a1p-2f, -0x1.031d38p-1f, -0x1.3bff7p-2f, 0x1.013ae8p-2f, 0x1.3b5e34p-5f,
    -0x1.1064eep-3f, 0x1.5aa5acp-1f, 0x1.623cbcp-3f, -0x1.f50aaep-3f, -0x1.86de48p-2f, 0x1.1d8da8p-1f,
    -0x1.200f78p-5f, 0x1.bdd232p-2f, -0x1.d3ea54p-3f, -0x1.ddf128p-2f, 0x1.b59074p-5f, 0x1.f44718p-2f,
    -0x1.03863p-1f, 0x1.cc94a8p-2f, 0x1.4d01c2p-1f, -0x1.3187cep-2f, -0x1.d38f9ep-3f, -0x1.70a926p-4f,
    0x1.2fd08ap-4f, 0x1.9b1782p-3f, -0x1.5c535cp-4f, 0x1.b60ee2p-3f, 0x1.659bf6p-4f, -0x1.8e019ap-5f,
    -0x1.73257ap-4f, -0x1.664176p-9f, 0x1.271a66p-3f, -0x1.ce7888p-5f, 0x1.1a5d66p-3f, -0x1.c7afeap-6f,
    -0x1.72cafep-3f, 0x1.a105cp-6f, 0x1.1be2ep-3f, -0x1.3794e8p-2f, -0x1.b5049ap-5f, -0x1.af6502p-5f,
    0x1.142078p-2f, 0x1.3d727ep-2f, -0x1.6ddd5ep-4f, 0x1.215a38p-2f, 0x1.a72856p-3f, -0x1.59ecdp-3f,
    -0x1.a13f8cp-6f, -0x1.12144cp-2f, 0x1.c799f2p-3f, 0x1.d81f2p-4f, 0x1.19b54ap-2f, 0x1.a96a6ep-3f,
    0x1.e7755cp-4f, 0x1.53fba6p-3f, 0x1.7375f2p-5f, -0x1.20a25ep-2f, 0x1.fe9a76p-5f, -0x1.6813ap-2f,
    -0x1.03434cp-2f, 0x1.8efe38p-3f, -0x1.4b69cep-2f, -0x1.28e0a6p-2f, -0x1.236c22p-2f, 0x1.14b52ap-2f,
    -0x1.d2b124p-3f, -0x1.5a8f2ep-2f, 0x1.f0c924p-3f, -0x1.136f14p-2f, 0x1.f449bp-3f, 0x1.f8d5dp-4f,
    0x1.e8ff9ep-3f, 0x1.4907e6p-2f, 0x1.cc1652p-5f, 0x1.b28c1cp-3f, -0x1.514364p-2f, 0x1.84fa48p-3f,
    0x1.0795ap-7f, 0x1.38f612p-3f, -0x1.1e0228p-2f, 0x1.6a22bcp-3f, 0x1.3c0cb2p-2f, -0x1.3f2cf2p-2f,
    -0x1.ff49eap-4f, 0x1.743ca2p-5f, 0x1.dd2f02p-3f, -0x1.77182cp-3f, -0x1.d1cab4p-3f, -0x1.6bb0ccp-3f,
    0x1.51675cp-4f, 0x1.70cb94p-3f, -0x1.352746p-4f, -0x1.818b08p-4f, -0x1.2cb04ep-4f, -0x1.b38abap-4f,
    -0x1.dbd4bcp-5f, -0x1.2f165ep-2f, 0x1.cd283cp-13f, 0x1.580bb2p-2f, -0x1.fb2b74p-5f, 0x1.67df5cp-3f,
    -0x1.eda64ap-3f, 0x1.159622p-3f, 0x1.748994p-3f, 0x1.f9c4e8p-4f, 0x1.8dc8dcp-7f, -0x1.7add46p-7f,
    0x1.9fde7p-4f, 0x1.2105e4p-2f, -0x1.fe137cp-3f, -0x1.25ec66p-2f, 0x1.68f512p-3f, 0x1.2eff12p-2f,
    0x1.918ce2p-7f, -0x1.4b5454p-5f, 0x1.3e6b76p-3f, -0x1.c8926ap-3f, -0x1.5264d4p-3f, -0x1.b59p-3f,
};

static const float tanh_biases[] = {
    0x1.396572p-2f, 0x1.4b4342p-2f, -0x1.f850aep-2f, 0x1.076338p-3f, 0x1.734182p-2f, -0x1.ccdeaap-2f,
    -0x1.d42dcap-3f, -0x1.d9ef86p-3f, 0x1.bebaa4p-6f, -0x1.3b752p-4f, -0x1.bc0196p-6f, 0x1.1b2234p-2f,
    -0x1.fe25ep-2f, -0x1.c7d9b4p-2f, -0x1.7e178cp-2f, -0x1.8061fap-2f, -0x1.b9f0fap-2f, 0x1.e615ccp-2f,
    0x1.6af4aap-2f, -0x1.a7ce1p-2f, 0x1.15dfap-9f, -0x1.790b64p-3f, -0x1.7bbd96p-3f, -0x1.308f1ap-3f,
    0x1.2ce10cp-3f, 0x1.62c47p-4f, -0x1.1d02c2p-3f, -0x1.3c55p-2f, -0x1.5eaa88p-3f, -0x1.81465cp-2f,
    0x1.c6de58p-5f, 0x1.ba74a8p-3f, -0x1.ea8b7ep-4f, 0x1.5eb044p-4f, -0x1.7b3138p-3f, -0x1.121e98p-2f,
};

static const float tanh_input_mean[] = {
    0x1.259452p+0f, 0x1.5c3b18p+1f, -0x1.398dbp+0f, 0x1.3b6456p+0f, -0x1.0aa5c4p-1f, 0x1.0f985ap+1f,
    0x1.040a24p-1f,
};

static const float tanh_input_scale[] = {
    0x1.8225d8p-1f, 0x1.5700d8p-1f, 0x1.5b74ap-2f, 0x1.1d795p+0f, 0x1.e6bee6p-1f, 0x1.2f8642p-1f,
    0x1.d35a78p-1f,
};

static const float tanh_output_mean[] = {
    -0x1.1157ep+0f, 0x1.a52d9ep+0f, -0x1.11b51ap+1f,
};

static const float tanh_output_scale[] = {
    0x1.3d5bbep+2f, 0x1.46ebd8p+1f, 0x1.8ec24p+1f,
};

static const float tanh_inputs[] = {
    -0x1.05b5cep-3f, 0x1.56a476p+0f, 0x1.49557ap+0f, 0x1.d3effp-3f, -0x1.326458p-4f, 0x1.c40318p-1f,
    0x1.6d3562p+0f, -0x1.0b1934p-3f, -0x1.14e358p+0f, -0x1.0f962ap+0f, 0x1.bdd364p-1f, 0x1.671e54p-1f,
    0x1.d5b94ep+0f, 0x1.6a5feap+0f, -0x1.405262p+0f, 0x1.a34bbep-1f, 0x1.6f33aep+0f, 0x1.995abp+0f,
    -0x1.f5be66p-1f, 0x1.75dc8p+0f, -0x1.7e1f5ap-1f,
};

static const float tanh_cotangents[] = {
    -0x1.98868cp-3f, 0x1.de639ep-2f, 0x1.d74e1ap-1f, -0x1.081916p-1f, -0x1.3dd36cp-1f, -0x1.ee570cp-2f,
    -0x1.3a2eb8p-3f, 0x1.d4ed66p-2f, -0x1.a8032ap-1f,
};

static const tc_real tanh_outputs[] = {
    TC_C(6.35166547189531361e-01), TC_C(1.14353996503482991e+00), TC_C(-3.11901473786191152e+00),
    TC_C(-3.15457719797975544e+00), TC_C(3.79676475124070478e+00), TC_C(-4.97310307222009662e+00),
    TC_C(4.54674200246282467e-01), TC_C(3.17040725127972722e+00), TC_C(-3.31259973425879561e+00),
};

static const tc_real tanh_bounds[] = {
    TC_C(8.96201061670613881e-05), TC_C(6.63657288376521290e-05), TC_C(5.82171845388053201e-05),
    TC_C(9.73357661093773825e-05), TC_C(7.71360688301824676e-05), TC_C(6.31874299278628858e-05),
    TC_C(1.00936836489600213e-04), TC_C(7.38063738746690893e-05), TC_C(6.39900128087595214e-05),
};

static const tc_real tanh_grads[] = {
    TC_C(-4.70387657567572504e-01), TC_C(-1.34075137672902880e-02), TC_C(2.77858762413411365e-03),
    TC_C(2.79559103450603252e-01), TC_C(-1.59046686597796860e+00), TC_C(-1.41315807675845839e-01),
    TC_C(-2.75082025116502038e-01), TC_C(5.38889064174078780e-01), TC_C(-7.81134924352685084e-02),
    TC_C(-1.52993563073762967e-01), TC_C(1.46966729790013823e-01), TC_C(7.44733914926946405e-01),
    TC_C(2.67897550736491852e-01), TC_C(-1.41341373217845900e+00), TC_C(5.12276523131571793e-01),
    TC_C(-1.26707209451515368e+00), TC_C(-4.78159392705531261e-01), TC_C(7.76230795022240572e-01),
    TC_C(-1.47812393171964374e-02), TC_C(-7.09098003044417169e-02), TC_C(6.23304459807553557e-01),
};

static const tc_real tanh_grad_bounds[] = {
    TC_C(3.48436263659596471e-05), TC_C(3.04927687668208750e-05), TC_C(1.33848732133815745e-05),
    TC_C(5.25435059300941870e-05), TC_C(4.22621128365443510e-05), TC_C(2.55017416219498884e-05),
    TC_C(3.13849569086658138e-05), TC_C(4.09809435302439093e-05), TC_C(3.41749332684026171e-05),
    TC_C(1.50494154832530721e-05), TC_C(6.01706538123922079e-05), TC_C(4.81623562699429403e-05),
    TC_C(2.83970481397996410e-05), TC_C(3.62864329915727767e-05), TC_C(3.13200360051469687e-05),
    TC_C(2.75591014420456695e-05), TC_C(1.20896131380524155e-05), TC_C(4.72766871459521373e-05),
    TC_C(3.82242452020316038e-05), TC_C(2.30503677002860326e-05), TC_C(2.81969888122976999e-05),
};

static const uint16_t classifier_dims[] = {
    3, 7, 7, 3,
};

static const uint8_t classifier_activations[] = {
    3, 1, 0,
};

static const float classifier_weights[] = {
    -0x1.3e579ep-1f, -0x1.de9b3p-1f, -0x1.f570cep-3f, -0x1.a01fecp-1f, -0x1.05679ep+0f, -0x1.dabfccp-3f,
    0x1.f8145cp-1f, 0x1.6a5d32p-1f, 0x1.3fcd6cp-1f, -0x1.4f5f2cp-1f, 0x1.61e824p-4f, -0x1.0d55a2p-1f,
    -0x1.8ac968p-1f, -0x1.daf79cp-1f, -0x1.58736p-1f, 0x1.01c7eep+0f, 0x1.8cb2a6p-1f, 0x1.71d774p-1f,
    0x1.6a5bcep-1f, -0x1.71bc4cp-1f, -0x1.caaa54p-2f, 0x1.2cda3ap-7f, -0x1.fccda2p-2f, -0x1.4da8fap-5f,
    -0x1.443b98p-1f, 0x1.572162p-1f, 0x1.2091aap-1f, 0x1.2ce83cp-4f, -0x1.3b6edap-2f, 0x1.42d31ap-1f,
    0x1.c91966p-4f, 0x1.2ddc0ep-1f, 0x1.12cc94p-1f, 0x1.a7114ep-7f, -0x1.0fc6cap-3f, 0x1.3862ecp-3f,
    -0x1.b38fb6p-4f, -0x1.0b67bcp-1f, -0x1.33bfd4p-2f, 0x1.ed9dcp-2f, -0x1.68a326p-1f, -0x1.6633e2p-1f,
    0x1.8f0ad2p-3f, -0x1.5ab816p-2f, 0x1.b55f26p-5f, -0x1.6b51c8p-5f, -0x1.f05586p-3f, 0x1.88a0bcp-1f,
    -0x1.e0b8b6p-2f, -0x1.1369bp-3f, -0x1.d583bp-2f, 0x1.a2fbe4p-3f, -0x1.613cfcp-2f, -0x1.c7511cp-3f,
    0x1.85f2d2p-2f, -0x1.1b2ec4p-2f, 0x1.71b198p-4f, 0x1.3f3a62p-1f, -0x1.3b0c3ap-1f, -0x1.5a21bep-1f,
    -0x1.ac24cap-2f, 0x1.a2b818p-2f, 0x1.6c8f0ep-3f, -0x1.9ea55cp-2f, -0x1.0ac354p-2f, -0x1.fd32e4p-2f,
    -0x1.02dad6p-4f, -0x1.68f982p-1f, 0x1.378b6ep-2f, 0x1.389b18p-1f, -0x1.1ae364p-3f, 0x1.5e03eap-1f,
    0x1.7c98f2p-3f, 0x1.f60a9ep-2f, -0x1.463a1ap-2f, -0x1.e749b4p-2f, -0x1.60d236p-4f, -0x1.1f0d38p-1f,
    -0x1.75d2ap-3f, 0x1.6ca04ep-1f, -0x1.0a6238p-2f, -0x1.835b7ap-1f, -0x1.676816p-1f, -0x1.04e4ecp-1f,
    0x1.c01076p-2f, -0x1.b18bb2p-3f, -0x1.4b1596p-2f, -0x1.3e1be8p-1f, 0x1.7c5daep-1f, -0x1.e05912p-4f,
    -0x1.cd3ae6p-2f,
};

static const float classifier_biases[] = {
    0x1.040bc8p-3f, 0x1.daeb9cp-3f, 0x1.6b28fp-2f, 0x1.852c06p-2f, -0x1.a73354p-2f, 0x1.b191bep-4f,
    0x1.5fa504p-3f, 0x1.d1a6bcp-2f, 0x1.e107b2p-3f, 0x1.d6e788p-2f, -0x1.ed604p-2f, -0x1.b0229ep-3f,
    0x1.dd30ep-2f, 0x1.19d85ep-2f, -0x1.c33c8p-2f, -0x1.c76724p-2f, -0x1.53481ap-2f,
};

static const float classifier_input_mean[] = {
    0x1.0f9b4p+0f, -0x1.0d137ap+1f, -0x1.60983cp+1f,
};

static const float classifier_input_scale[] = {
    0x1.2256aap+0f, 0x1.726172p-1f, 0x1.fef8aep+0f,
};

static const float classifier_inputs[] = {
    -0x1.82caccp+0f, 0x1.df181ap-4f, 0x1.185cf6p+0f, -0x1.085548p+0f, -0x1.6e171ep-2f, -0x1.da3ef6p+0f,
    0x1.52fe04p+0f, -0x1.745168p-8f, -0x1.df970cp+0f,
};

static const float classifier_cotangents[] = {
    -0x1.736b94p-3f, 0x1.f35c76p-1f, -0x1.6c5916p-5f, -0x1.42addp-3f, -0x1.0172aep-1f, 0x1.8ea4c4p-1f,
    -0x1.f70074p-2f, -0x1.07cb26p-1f, -0x1.2af0e2p-1f,
};

static const tc_real classifier_outputs[] = {
    TC_C(4.32639293582942563e-01), TC_C(1.37498982657787344e-01), TC_C(4.29861723759270065e-01),
    TC_C(5.51000542835812013e-01), TC_C(1.90309205452337649e-01), TC_C(2.58690251711850394e-01),
    TC_C(4.40168597285456153e-01), TC_C(1.55320808961379675e-01), TC_C(4.04510593753164116e-01),
};

static const tc_real classifier_bounds[] = {
    TC_C(1.05279510725382537e-04), TC_C(1.05279510725382537e-04), TC_C(1.05279510725382537e-04),
    TC_C(6.23262820764696710e-05), TC_C(6.23262820764696710e-05), TC_C(6.23262820764696710e-05),
    TC_C(4.46400931781063638e-05), TC_C(4.46400931781063638e-05), TC_C(4.46400931781063638e-05),
};

static const tc_real classifier_grads[] = {
    TC_C(-1.59540662749696228e-02), TC_C(-6.60010009078474281e-03), TC_C(-1.64327093998319525e-02),
    TC_C(5.30167346983167129e-02), TC_C(9.43231697547499380e-03), TC_C(6.19769980871875958e-02),
    TC_C(-6.84086708654015486e-03), TC_C(-2.30792994169541160e-04), TC_C(-7.25885030546565436e-03),
};

static const tc_real classifier_grad_bounds[] = {
    TC_C(1.60377509406168329e-04), TC_C(9.30915365497487433e-05), TC_C(1.81130858971333890e-04),
    TC_C(1.28030518514986433e-04), TC_C(7.43156427478648560e-05), TC_C(1.44598066643082749e-04),
    TC_C(9.60094759593342232e-05), TC_C(5.57289464930849635e-05), TC_C(1.08433401380860837e-04),
};

static const uint16_t softplus_dims[] = {
    7, 7, 1,
};

static const uint8_t softplus_activations[] = {
    4, 4,
};

static const float softplus_weights[] = {
    0x1.842642p-3f, 0x1.7dceap-2f, 0x1.d22448p-2f, 0x1.5d567ap-1f, 0x1.7ad33ap-2f, 0x1.4d72a4p-1f,
    -0x1.73e00cp-1f, -0x1.b2489ap-5f, 0x1.5e0dbp-1f, 0x1.d67e36p-3f, 0x1.3c8834p-1f, -0x1.3164eep-1f,
    -0x1.86befp-5f, -0x1.90302ep-2f, 0x1.14697ap-4f, 0x1.d30b3p-4f, -0x1.806c08p-1f, -0x1.bf504p-2f,
    -0x1.5c3878p-2f, 0x1.48ba02p-1f, 0x1.a39bc6p-2f, -0x1.0cc2aap-1f, 0x1.d539f6p-2f, -0x1.1d365p-1f,
    0x1.72f096p-3f, -0x1.26bd9ap-1f, -0x1.896p-1f, 0x1.253e5cp-1f, -0x1.cacc8ap-2f, -0x1.c14904p-2f,
    0x1.7ce59ap-1f, 0x1.26091ap-1f, -0x1.4cb596p-2f, 0x1.6c5c76p-1f, 0x1.ef81p-5f, 0x1.18d024p-2f,
    -0x1.d22f2ap-2f, 0x1.5c2c7cp-1f, 0x1.2d0b3p-2f, 0x1.70608ap-1f, 0x1.36e13ap-1f, -0x1.3dbbc8p-2f,
    -0x1.b66434p-3f, -0x1.07beccp-1f, -0x1.17bcacp-1f, -0x1.575858p-1f, -0x1.39acc6p-2f, 0x1.45a4a2p-3f,
    -0x1.881aeep-1f, 0x1.4331b2p-2f, -0x1.5dc566p-1f, 0x1.771dbap-1f, -0x1.78b908p-1f, 0x1.8a73ep-2f,
    0x1.104d38p-1f, -0x1.7c82d4p-1f,
};

static const float softplus_biases[] = {
    0x1.6c68cap-3f, -0x1.4bfcbap-3f, -0x1.8534c6p-3f, 0x1.46299ap-2f, -0x1.3b788ap-6f, -0x1.794176p-3f,
    -0x1.33b7ccp-6f, 0x1.26a4dep-2f,
};

static const float softplus_output_mean[] = {
    -0x1.9b14dp-1f,
};

static const float softplus_output_scale[] = {
    0x1.826fdap+1f,
};

static const float softplus_inputs[] = {
    -0x1.f6b428p+0f, -0x1.d026c4p+0f, -0x1.46bd0ap+0f, 0x1.d21aaep+0f, -0x1.36c306p+0f, 0x1.05dfc4p+0f,
    0x1.b7f79p+0f, -0x1.3eb4cp-1f, -0x1.29622ep-1f, 0x1.94b6f2p-4f, 0x1.1a37aep+0f, -0x1.915a96p+0f,
    0x1.fcb81ep-1f, 0x1.305c3p+0f, -0x1.da7d4p+0f, 0x1.c87fd8p+0f, -0x1.a2a1bep+0f, -0x1.4629d4p-1f,
    0x1.c5f318p-2f, 0x1.ac1f0cp+0f, -0x1.47c34cp-1f,
};

static const float softplus_cotangents[] = {
    0x1.c4a724p-1f, 0x1.7053b6p-1f, 0x1.b260dcp-1f,
};

static const tc_real softplus_outputs[] = {
    TC_C(1.54437245716441440e+00), TC_C(1.94189636991754444e+00), TC_C(1.08705646064022710e+00),
};

static const tc_real softplus_bounds[] = {
    TC_C(7.11157962917321503e-05), TC_C(4.84604431207106030e-05), TC_C(6.01737235418083440e-05),
};

static const tc_real softplus_grads[] = {
    TC_C(5.45500287370566883e-01), TC_C(-6.18085691939237125e-01), TC_C(6.95438037300322165e-01),
    TC_C(1.47608400217399023e-02), TC_C(6.80709975728166494e-01), TC_C(1.79452157745407792e+00),
    TC_C(2.48097710696097234e-01), TC_C(4.38696442247199503e-01), TC_C(-7.37238092580102200e-01),
    TC_C(5.74246147001133966e-01), TC_C(-8.99135051405560298e-02), TC_C(7.51306784112097170e-01),
    TC_C(1.57854254418489837e+00), TC_C(1.26710604732090587e-01), TC_C(5.80494039392744576e-01),
    TC_C(-1.91636255072670986e-01), TC_C(4.02769268738778496e-01), TC_C(6.09140820440982403e-02),
    TC_C(7.48996066488603396e-01), TC_C(1.28304468483217415e+00), TC_C(4.42279705262828726e-01),
};

static const tc_real softplus_grad_bounds[] = {
    TC_C(1.07749149884360065e-05), TC_C(1.92112598204688468e-05), TC_C(2.47143677300911599e-05),
    TC_C(2.09998905821298385e-05), TC_C(2.06312054303877407e-05), TC_C(2.12360545788714157e-05),
    TC_C(2.10893954277065132e-05), TC_C(8.76762775410636300e-06), TC_C(1.56323437330190874e-05),
    TC_C(2.01102632056116287e-05), TC_C(1.70877657687954991e-05), TC_C(1.67877639430353778e-05),
    TC_C(1.72799341538430367e-05), TC_C(1.71605965214322782e-05), TC_C(1.03399093222836244e-05),
    TC_C(1.84356614157669390e-05), TC_C(2.37165974451746125e-05), TC_C(2.01520814438108183e-05),
    TC_C(1.97982808763281934e-05), TC_C(2.03787110101801895e-05), TC_C(2.02379727931310757e-05),
};

static const uint16_t deep_dims[] = {
    3, 7, 7, 5, 7, 7, 9, 7, 1,
};

static const uint8_t deep_activations[] = {
    2, 4, 3, 2, 0, 4, 2, 1,
};

static const float deep_weights[] = {
    0x1.61c946p-1f, 0x1.844be2p-1f, -0x1.20c95cp-5f, -0x1.1f7fcap-1f, -0x1.2d3e36p+0f, 0x1.88bd0ap-2f,
    -0x1.1f0068p-4f, 0x1.39404cp-1f, -0x1.31f3ecp-2f, 0x1.45ce28p-1f, -0x1.1223dep-1f, 0x1.6c20fp-1f,
    0x1.152ed4p-1f, -0x1.9edaa8p-3f, 0x1.71967p-4f, 0x1.b72198p-2f, -0x1.724776p-1f, 0x1.02a71cp-3f,
    0x1.6fff98p-1f, -0x1.1acbcap-1f, 0x1.6de094p-1f, -0x1.40bb56p-1f, -0x1.de368ap-2f, 0x1.aa1a26p-3f,
    -0x1.49be4p-2f, 0x1.6461fcp-1f, 0x1.17b8dap-3f, -0x1.d859d8p-2f, 0x1.eacc6ep-3f, -0x1.b8f364p-3f,
    0x1.55ab38p-1f, 0x1.4354a6p-1f, 0x1.722bfp-6f, 0x1.c89696p-3f, 0x1.388574p-2f, 0x1.e26ca8p-2f,
    0x1.781f88p-1f, -0x1.7455fp-1f, -0x1.b5cd6ep-3f, 0x1.4156d8p-3f, -0x1.34fe0cp-2f, 0x1.199366p-3f,
    -0x1.43f69ep-1f, 0x1.2c179ep-1f, 0x1.3f2556p-5f, -0x1.2e898ep-1f, 0x1.00fc46p-2f, -0x1.286dbap-2f,
    -0x1.dfb1bp-2f, -0x1.9ab64p-6f, -0x1.1dbc18p-1f, -0x1.ca1f28p-2f, 0x1.209ccap-1f, 0x1.390424p-2f,
    -0x1.80e396p-1f, 0x1.b71504p-2f, -0x1.7d4ebcp-1f, -0x1.07d976p-2f, 0x1.3f5332p-1f, 0x1.7bd2b2p-3f,
    -0x1.322658p-2f, -0x1.832e76p-3f, -0x1.5e09d8p-3f, -0x1.26a236p-1f, 0x1.8aae34p-1f, -0x1.6047eap-1f,
    -0x1.e71158p-4f, 0x1.84f448p-2f, -0x1.42e1c4p-3f, 0x1.7bc102p-1f, 0x1.d3923ep-2f, 0x1.a5999ep-6f,
    -0x1.6f3d3ep-5f, 0x1.44c78p-2f, -0x1.1f322p-3f, -0x1.46edecp-1f, 0x1.85464ap-2f, -0x1.71cb9ap-2f,
    -0x1.37ad74p-6f, 0x1.c0831cp-2f, -0x1.02df44p-1f, -0x1.798194p-1f, -0x1.294532p-1f, 0x1.1a64a8p-3f,
    -0x1.b6d60ep-3f, -0x1.80cf06p-2f, -0x1.3222eep-4f, 0x1.519c46p-1f, -0x1.834122p-2f, -0x1.1a6f08p-3f,
    0x1.2b78f4p-1f, 0x1.624774p-3f, -0x1.6e737ep-2f, -0x1.3f7f86p-5f, -0x1.0f1d16p-5f, -0x1.1a8386p-1f,
    -0x1.82f32ep-3f, -0x1.32dcaap-2f, 0x1.e137d6p-2f, -0x1.16e2aap-2f, 0x1.f6ec66p-3f, 0x1.73b1d2p-1f,
    0x1.4e0aecp-1f, -0x1.877ba4p-3f, 0x1.45651ap-3f, -0x1.86e4a4p-2f, -0x1.cd521cp-1f, -0x1.7a7cecp-4f,
    -0x1.9dc1eap-1f, -0x1.b6f95cp-1f, 0x1.ff2658p-2f, -0x1.6a5776p-1f, 0x1.984386p-2f, -0x1.01d238p-2f,
    0x1.999896p-1f, 0x1.4a3c62p-1f, -0x1.98ed84p-1f, -0x1.1f25a2p-1f, 0x1.a1f546p-1f, 0x1.a7e124p-3f,
    -0x1.230e9p-3f, 0x1.07b844p-1f, 0x1.24e35ep-1f, -0x1.f09c38p-7f, -0x1.d0e06ap-5f, -0x1.758a2ap-1f,
    -0x1.01e506p-2f, -0x1.4baf04p-1f, 0x1.d552dep-3f, 0x1.8e460ap-3f, -0x1.4c5234p-1f, 0x1.de5808p-3f,
    -0x1.782fa6p-1f, -0x1.709c42p-1f, 0x1.0ffc9p-2f, -0x1.16ab54p-4f, 0x1.754c16p-1f, 0x1.e2ca66p-3f,
    0x1.783ec2p-2f, -0x1.5c7464p-1f, 0x1.3207fep-2f, 0x1.cc0b7p-2f, -0x1.1e8cfep-1f, 0x1.5e16cep-1f,
    0x1.42bfb6p-1f, -0x1.756286p-4f, 0x1.b7c718p-2f, -0x1.4e4602p-4f, -0x1.6113a8p-2f, 0x1.4f86c4p-2f,
    -0x1.588162p-1f, 0x1.da0ba4p-2f, 0x1.797788p-1f, -0x1.51d124p-2f, 0x1.5b24cap-1f, -0x1.48b486p-1f,
    0x1.1ab8d8p-1f, -0x1.5bb4dcp-2f, 0x1.701b0ep-1f, -0x1.b5bfaep-4f, 0x1.4d51e6p-1f, -0x1.71944ap-1f,
    -0x1.472806p-1f, 0x1.f39588p-2f, 0x1.b5a44p-3f, 0x1.c07ae6p-5f, -0x1.70f2aap-1f, -0x1.01f3c8p-1f,
    -0x1.99062cp-3f, -0x1.61aae6p-1f, 0x1.8547fap-1f, 0x1.a2c67p-2f, 0x1.63236cp-1f, 0x1.3ce78ep-2f,
    -0x1.ee544p-3f, -0x1.4d82dap-1f, 0x1.6d9822p-2f, -0x1.30bd5cp-1f, 0x1.29aa2cp-4f, -0x1.c6233ap-5f,
    -0x1.145e7cp-7f, -0x1.4f6aa4p-1f, -0x1.505f4ep-1f, 0x1.00071p-5f, -0x1.72b6d2p-1f, 0x1.412a4ep-5f,
    -0x1.141b32p-1f, -0x1.58b58ap-2f, -0x1.138d72p-1f, -0x1.09ef1ep-1f, -0x1.21c48cp-2f, -0x1.9a0a68p-2f,
    0x1.c913aap-4f, 0x1.c448d2p-2f, 0x1.b34c68p-4f, -0x1.ec733p-2f, -0x1.13ed8cp-2f, -0x1.779236p-3f,
    -0x1.7506a6p-4f, -0x1.43ae62p-3f, 0x1.88d194p-1f, 0x1.428258p-4f, 0x1.ffde0cp-3f, 0x1.55acc2p-2f,
    0x1.ca64b8p-3f, 0x1.e208c6p-2f, -0x1.938b1ap-3f, 0x1.0703c6p-2f, 0x1.752106p-1f, -0x1.09302cp-1f,
    0x1.8c3e46p-3f, -0x1.6c2548p-3f, -0x1.5a8f8p-1f, -0x1.6b4bb4p-1f, 0x1.98ef18p-2f, -0x1.304cb8p-1f,
    0x1.4d4318p-2f, -0x1.3bb4ap-1f, -0x1.a21936p-3f, -0x1.715e2ap-1f, 0x1.0e1076p-4f, 0x1.c444ap-2f,
    -0x1.b1573ep-2f, 0x1.9c80fep-4f, 0x1.4d695p-1f, -0x1.461692p-2f, -0x1.6dbc28p-5f, 0x1.61f42ep-2f,
    0x1.1f92bep-1f, -0x1.05a5f4p-1f, 0x1.fd9aa6p-3f, -0x1.2bfbe2p-1f, -0x1.322b7cp-1f, 0x1.7d8ce2p-1f,
    -0x1.6349e2p-1f, 0x1.4b7472p-1f, 0x1.8af486p-2f, 0x1.15d2a6p-2f, 0x1.6a4f6p-2f, 0x1.dcc73cp-3f,
    -0x1.504ec2p-2f, -0x1.65afp-4f, -0x1.d65984p-2f, 0x1.1ba99ap-1f, 0x1.b8459cp-2f, 0x1.c60f98p-2f,
    -0x1.c3b0a2p-2f, 0x1.2338eap-3f, -0x1.82f86cp-2f, 0x1.cac91cp-2f, 0x1.82867ap-2f, 0x1.86eafep-1f,
    -0x1.48a75ap-1f, 0x1.255f0cp-1f, 0x1.37debcp-1f, -0x1.6696c8p-4f, 0x1.cf00fp-2f, -0x1.38200ep-1f,
    -0x1.f62fd8p-2f, -0x1.5551p-1f, -0x1.2cbfc8p-1f, -0x1.5a5cfep-1f, 0x1.c93f4cp-2f, -0x1.1f379ep-1f,
    0x1.f9718ep-4f, -0x1.3bcf5ep-2f, -0x1.fff662p-2f, -0x1.c20258p-4f, -0x1.bb141p-2f, 0x1.4c45acp-1f,
    -0x1.435bfcp-3f, 0x1.05501p-3f, 0x1.61f9a6p-4f, 0x1.615e04p-3f, -0x1.b3f19p-6f, -0x1.40185ap-2f,
    -0x1.f9d81ep-2f, 0x1.0e34aep-1f, -0x1.ac316ap-2f, -0x1.1f5494p-4f, 0x1.ad72fap-2f, 0x1.a7b07ap-4f,
    0x1.38011p-1f, 0x1.af112ap-2f, 0x1.2e54acp-6f, -0x1.08a9bcp-1f, 0x1.022f92p-3f, -0x1.250fe6p-5f,
    0x1.f7ccp-2f, 0x1.571a2cp-5f, 0x1.0e88d6p-2f, 0x1.b1f822p-2f, -0x1.4944e2p-5f, 0x1.dc230ap-2f,
    0x1.16133p-1f, -0x1.e15da8p-2f, 0x1.23dcbcp-1f, 0x1.0175cap-1f, 0x1.ee61e8p-2f, -0x1.c3df96p-3f,
    -0x1.599f2cp-2f, -0x1.ff55a4p-2f, -0x1.6755acp-3f, 0x1.ee6d58p-2f, -0x1.7de822p-3f, -0x1.586e32p-1f,
    -0x1.0fabe8p-2f, -0x1.22b14p-1f, 0x1.55337p-3f, 0x1.758e72p-2f, 0x1.2910dap-1f, -0x1.1e0906p-1f,
    -0x1.4d1c92p-3f, -0x1.048562p-1f, 0x1.1dc80ep-1f, 0x1.865d6ap-1f, 0x1.0dcaa8p-1f, 0x1.218cccp-3f,
    0x1.21f1ccp-1f, 0x1.d7f8bcp-3f, 0x1.d638eep-2f, -0x1.561844p-1f,
};

static const float deep_biases[] = {
    0x1.7c4afap-3f, 0x1.608b8cp-2f, -0x1.50ba6p-3f, -0x1.a0a154p-2f, 0x1.337d5p-2f, 0x1.3818a6p-2f,
    -0x1.c0d1e6p-5f, -0x1.04cd2ep-2f, 0x1.eac218p-2f, 0x1.91abd2p-2f, 0x1.5c9acap-3f, 0x1.8edc6p-2f,
    -0x1.b095dcp-5f, 0x1.5335b2p-2f, -0x1.706898p-3f, -0x1.a0a38p-4f, -0x1.8941d4p-7f, 0x1.2c7b46p-2f,
    0x1.bf175p-2f, 0x1.54a5b2p-2f, -0x1.aa738ep-2f, 0x1.e3d39cp-4f, 0x1.a5459cp-2f, 0x1.a183d2p-2f,
    0x1.92bbd4p-2f, -0x1.89592ap-5f, 0x1.185134p-4f, -0x1.c97c44p-4f, -0x1.1b9054p-2f, -0x1.1d15fep-2f,
    0x1.0660d2p-4f, 0x1.a46f3p-2f, -0x1.4b3d32p-4f, 0x1.aa61d6p-3f, 0x1.789a8cp-3f, 0x1.1baa18p-2f,
    -0x1.a012a4p-2f, 0x1.869ce8p-4f, -0x1.de7918p-2f, -0x1.1018a8p-3f, -0x1.8811dcp-2f, 0x1.cb3c3ep-2f,
    0x1.590d4p-2f, 0x1.447c6p-6f, 0x1.d0f03ep-2f, 0x1.4c4034p-6f, 0x1.1b0e82p-2f, -0x1.876842p-7f,
    -0x1.15fdaep-3f, -0x1.79580ap-2f,
};

static const float deep_inputs[] = {
    -0x1.8ff738p+0f, 0x1.a65ab4p-2f, 0x1.c1dc14p-1f, 0x1.50ac5p-6f, -0x1.8bad6ap+0f, 0x1.8024fcp-1f,
    -0x1.a7403p+0f, 0x1.eb87a2p+0f, 0x1.51b562p-1f,
};

static const float deep_cotangents[] = {
    -0x1.61287ap-1f, 0x1.1db97p-1f, -0x1.801fd4p-1f,
};

static const tc_real deep_outputs[] = {
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
};

static const tc_real deep_bounds[] = {
    TC_C(3.98389934986088760e-03), TC_C(4.37496738724012235e-03), TC_C(5.13113768274110586e-03),
};

static const tc_real deep_grads[] = {
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
};

static const tc_real deep_grad_bounds[] = {
    TC_C(2.40806232819422558e-03), TC_C(3.15096388139702492e-03), TC_C(1.58327191323350143e-03),
    TC_C(1.94825506656191947e-03), TC_C(2.54930334427383052e-03), TC_C(1.28095418901198765e-03),
    TC_C(2.61921019160071865e-03), TC_C(3.42725211672975606e-03), TC_C(1.72209908467198074e-03),
};

static const uint16_t int8_dims[] = {
    7, 33, 3,
};

static const uint8_t int8_activations[] = {
    2, 0,
};

static const int8_t int8_weights[] = {
    -51, -100, 43, -123, 10, -39, -127, 2, -127, -18, -118, -112, -21, 90, -100, -74, 34, 119, 21, -28,
    127, -127, 100, -59, -100, -107, -54, 89, -92, 24, 40, -37, 14, -126, -127, -127, 78, -31, -80, 37,
    -20, -86, 100, 67, -87, 25, 9, 127, 78, -56, 127, -101, -22, 68, -92, -3, -127, 46, 73, 20, 103, -51,
    54, 27, 23, -13, 97, 127, -7, 47, -113, 52, 38, 127, 83, -55, -29, 45, -127, -10, -88, -102, -117, 71,
    -112, -76, -33, 112, -127, -15, 15, 127, 106, 120, -73, -28, -47, 127, 127, -97, -90, -74, -74, -4, 25,
    -61, -127, -21, -33, 17, 116, 49, 4, 33, 50, -127, 114, 80, 107, 86, -31, -29, -115, 39, -127, -126,
    -74, -86, -41, -114, -127, -89, -101, -37, -127, 100, 31, -94, -66, -41, -35, -97, 90, 127, -9, -4,
    -107, -106, -42, -63, 88, -90, -127, 120, 7, -94, 11, -126, 7, 127, 96, 75, -91, -51, -127, 104, 12,
    106, -45, -73, 82, 127, 92, 80, 83, 65, -74, 5, -39, -127, -127, -59, -63, 50, 119, -14, 114, 127, 118,
    -43, -89, -87, -96, -94, 39, 127, 104, -6, 47, 92, -127, 49, 125, 112, 99, -9, -127, 114, -66, 119,
    127, -28, -27, 120, 61, -89, -100, -92, 107, 81, -94, 86, 127, 42, -39, 13, -96, -127, 123, 39, 7, 16,
    81, -113, 17, -72, -64, 78, 2, 18, 74, 118, -16, 32, 2, 3, 55, -14, 10, -6, 126, 57, 108, 127, -69, 17,
    127, 97, -104, -108, -17, -122, -74, -122, 44, 74, 103, -90, 56, 42, -93, 99, 121, -73, 117, -26, -3,
    127, 86, -88, -18, 4, -42, -79, -47, 58, -125, 14, -15, -125, -44, 32, 3, -113, 126, 75, 122, -109,
    -65, -127, 77, -63, -102, -21, 113, 88, -67, -97, 116, 19, 55, -113, -122, 52, -21, -118, 121, 37, 83,
    -115, 98, -120, 100, -13, -44, 15, 118, -64, -102, 7,
};

static const float int8_biases[] = {
    0x1.bc0824p-2f, -0x1.0f1dd6p-4f, 0x1.7caa2ep-2f, 0x1.4dfba4p-2f, -0x1.27e484p-2f, -0x1.fc3e08p-3f,
    -0x1.a8011ap-3f, -0x1.09b00ap-2f, 0x1.620bfp-4f, -0x1.ecd226p-3f, -0x1.4bb97ep-4f, -0x1.79c7d2p-2f,
    0x1.a3db82p-2f, -0x1.2b7348p-3f, -0x1.56bec6p-5f, 0x1.556586p-4f, 0x1.9dfffap-2f, -0x1.451b4ap-4f,
    0x1.abbf14p-2f, 0x1.b0429p-10f, 0x1.04b5c8p-5f, 0x1.8121c4p-6f, -0x1.ecd8a2p-2f, -0x1.ea7f28p-5f,
    -0x1.447f5ep-2f, -0x1.fbf92p-2f, 0x1.3259bep-2f, -0x1.4f8458p-2f, -0x1.b24ab4p-6f, 0x1.cd3222p-3f,
    0x1.cea5f8p-5f, -0x1.646378p-3f, 0x1.2ca014p-6f, -0x1.0bd764p-2f, -0x1.8febf4p-2f, -0x1.5aad16p-2f,
};

static const float int8_scales[] = {
    0x1.5fbb24p-8f, 0x1.700c02p-8f, 0x1.7afd46p-8f, 0x1.68d0d4p-8f, 0x1.5e74bcp-8f, 0x1.d3fa6ep-9f,
    0x1.2a85e4p-8f, 0x1.7e1bcap-8f, 0x1.6eaf54p-8f, 0x1.61dd1cp-8f, 0x1.88640ap-8f, 0x1.7bee0ep-8f,
    0x1.4dc2bap-8f, 0x1.31ba9ep-8f, 0x1.6c3fa4p-8f, 0x1.8aa092p-8f, 0x1.62eb3ep-8f, 0x1.5c5992p-8f,
    0x1.8db2fcp-8f, 0x1.79978cp-8f, 0x1.88656ap-8f, 0x1.7b8184p-8f, 0x1.7cc6dap-8f, 0x1.08f534p-8f,
    0x1.81e3bp-8f, 0x1.77a74p-8f, 0x1.845da8p-8f, 0x1.3e8dap-8f, 0x1.4a6bbp-8f, 0x1.ffa532p-9f,
    0x1.77549ep-8f, 0x1.7e368p-8f, 0x1.828cfcp-8f, 0x1.44eb36p-9f, 0x1.67148cp-9f, 0x1.517c7p-9f,
};

static const float int8_input_mean[] = {
    -0x1.594ef2p+1f, -0x1.ca158p+0f, -0x1.20c798p+0f, -0x1.2b83p+0f, 0x1.8e96dep+0f, -0x1.429ec2p+0f,
    0x1.16b608p-11f,
};

static const float int8_input_scale[] = {
    0x1.3471aep-1f, 0x1.c7a134p-1f, 0x1.52d17ep-2f, 0x1.739732p-1f, 0x1.4dea1ep-2f, 0x1.8bd62ap+0f,
    0x1.3c9dd8p+0f,
};

static const float int8_inputs[] = {
    -0x1.3dff1ep+0f, -0x1.9d858ep-4f, 0x1.bd1304p+0f, -0x1.932afcp+0f, 0x1.4693p+0f, -0x1.15ccf4p-2f,
    -0x1.4793aep-6f, 0x1.807ebep-1f, 0x1.ee04e4p+0f, -0x1.422414p-1f, 0x1.5442ecp+0f, 0x1.a75fa6p-1f,
    0x1.167b16p-1f, -0x1.865bb2p-2f, -0x1.b7947p+0f, 0x1.ed575p-1f, -0x1.f48b32p-1f, -0x1.58d5e8p+0f,
    -0x1.a97cccp+0f, 0x1.5d759ep+0f, 0x1.7b6e44p+0f,
};

static const float int8_cotangents[] = {
    0x1.56a508p-1f, -0x1.b5eb6p-3f, 0x1.b62baap-7f, -0x1.38369p-2f, -0x1.c84e6p-1f, -0x1.7b10d6p-1f,
    0x1.5d45cep-2f, -0x1.be99c4p-2f, -0x1.07f956p-1f,
};

static const tc_real int8_outputs[] = {
    TC_C(-8.04412438931812912e-01), TC_C(-1.28129011077041111e+00), TC_C(1.52603516158945296e-01),
    TC_C(-9.16367093231830410e-01), TC_C(-7.14773580236690353e-01), TC_C(-1.03770467815310824e-01),
    TC_C(-9.51537747445646120e-01), TC_C(-2.11899745238324400e+00), TC_C(-6.73354939692628607e-01),
};

static const tc_real int8_bounds[] = {
    TC_C(1.93501400062851055e-05), TC_C(2.36649503326228261e-05), TC_C(2.55165026926049742e-05),
    TC_C(3.22833769244840045e-05), TC_C(3.97177670609874268e-05), TC_C(4.26990976730419285e-05),
    TC_C(3.06010274066401768e-05), TC_C(3.75370414918595663e-05), TC_C(4.03280576106199531e-05),
};

static const tc_real int8_grads[] = {
    TC_C(-6.96072330828948899e-02), TC_C(-1.91374312603506680e-01), TC_C(8.13852498331389257e-02),
    TC_C(4.50421125794871688e-02), TC_C(-6.99287578882444166e-02), TC_C(4.34813858099162676e-01),
    TC_C(2.06290114692961324e-01), TC_C(1.06477806344549661e-01), TC_C(-4.65657433897176398e-01),
    TC_C(7.64736722470571451e-02), TC_C(8.07370105834019219e-02), TC_C(-4.49043173625929271e-02),
    TC_C(7.49895658857098968e-01), TC_C(1.81124606989232134e-01), TC_C(5.37535294257984742e-02),
    TC_C(-1.49819918125774582e-01), TC_C(5.50065811882975222e-02), TC_C(2.90997822858167055e-01),
    TC_C(-5.04705114521738149e-02), TC_C(2.12127904518744081e-01), TC_C(-3.37451654231028311e-02),
};

static const tc_real int8_grad_bounds[] = {
    TC_C(4.68376971308242614e-06), TC_C(6.71063133698297234e-06), TC_C(1.87314212827664079e-06),
    TC_C(6.75002556266555014e-06), TC_C(2.67022982253515821e-06), TC_C(1.21879388456948042e-05),
    TC_C(1.04512604660103615e-05), TC_C(1.20679083940425311e-05), TC_C(1.86624247883235911e-05),
    TC_C(4.61454579800009480e-06), TC_C(1.65425412002631409e-05), TC_C(6.42745153274884978e-06),
    TC_C(2.97646385523425517e-05), TC_C(2.50423059817358035e-05), TC_C(7.81890252541782140e-06),
    TC_C(1.21269822990034097e-05), TC_C(3.00298915522667875e-06), TC_C(1.09052139227395857e-05),
    TC_C(4.23873687666926626e-06), TC_C(1.95560992134624616e-05), TC_C(1.65817449421586719e-05),
};

static const uint16_t int8_classifier_dims[] = {
    5, 9, 17, 4,
};

static const uint8_t int8_classifier_activations[] = {
    1, 4, 0,
};

static const int8_t int8_classifier_weights[] = {
    -75, 127, -103, 56, -114, -64, 127, -74, 36, -10, -15, -2, -95, 102, -127, -70, -127, -62, -24, 106,
    -31, -100, -62, 127, -113, 80, -82, 107, -107, 127, -1, 47, 127, 26, -113, -124, 127, -3, -87, 127, 26,
    76, 127, -71, -48, -90, -104, 9, 3, -127, 119, 2, 60, -83, -67, -127, -41, -61, -20, -32, 87, 102, -85,
    -27, -87, 43, 124, -78, 70, -52, -127, 69, -61, -127, -25, -103, -35, -21, -32, 34, -81, -107, -110,
    -104, 6, -37, 81, 1, 55, 127, -112, -123, -92, -29, 19, 62, -38, 119, -127, 87, -75, 97, -121, 120, 67,
    127, 21, -83, 127, -16, -113, 28, -1, -7, -93, -102, 22, -16, -127, -21, 77, 73, -10, -36, -47, -93,
    -80, -14, -104, 60, 55, 30, -127, -36, -18, -110, 127, 69, 1, 56, -81, -73, 7, 66, 38, -127, 29, 105,
    63, 110, 124, -71, -52, 13, 127, -35, 118, 93, 4, 33, 122, 75, -57, 96, -84, -36, 127, 96, -52, -58,
    31, 100, 54, 127, 66, 93, 31, -40, -21, -3, 9, 100, -68, -127, 69, -67, -24, -113, 97, -62, -57, 83, 1,
    -61, 106, -24, -38, 127, 51, -114, -10, 102, 112, 117, -112, 29, 100, 42, -50, -127, 116, 99, 42, -37,
    90, 100, 71, 32, -57, -65, -45, -55, 6, -122, 70, -48, -108, -78, -35, -22, 90, -127, -71, -53, -83,
    64, -100, -115, 14, 60, 83, 15, -44, 98, 60, -5, 16, 111, 127, 113, -97, -45, -24, -87, 69, -115, 102,
    22, 30, -22, 115, 21, 104, 111, 50, 127,
};

static const float int8_classifier_biases[] = {
    0x1.83267cp-2f, -0x1.75c8ecp-2f, 0x1.0ea36ep-2f, -0x1.9c0a6cp-2f, 0x1.857dcp-3f, 0x1.9dfe6ap-3f,
    0x1.ccccbap-2f, 0x1.5fbc9ep-2f, 0x1.daaa28p-9f, 0x1.292066p-2f, 0x1.faa5ccp-3f, -0x1.001a7ap-2f,
    0x1.40caa8p-2f, 0x1.8bab66p-4f, 0x1.51a366p-2f, -0x1.0e753ep-3f, 0x1.1f8134p-2f, 0x1.2c7af6p-2f,
    -0x1.cafedcp-4f, 0x1.3ccef6p-3f, 0x1.1ef746p-2f, 0x1.f8eabcp-2f, 0x1.ae8abap-2f, 0x1.251e96p-2f,
    -0x1.73e95ap-2f, 0x1.c3bb18p-4f, -0x1.53d822p-7f, -0x1.114fd4p-3f, 0x1.60423ap-2f, 0x1.ca9562p-6f,
};

static const float int8_classifier_scales[] = {
    0x1.b3482ap-8f, 0x1.d5f68ep-8f, 0x1.82739cp-8f, 0x1.c3f5e2p-8f, 0x1.cee072p-8f, 0x1.683ea6p-9f,
    0x1.79ebeap-8f, 0x1.a3fccap-8f, 0x1.66b2fep-8f, 0x1.2cc73p-8f, 0x1.5689e2p-8f, 0x1.55a01p-8f,
    0x1.cef83p-9f, 0x1.50ea64p-8f, 0x1.5cd686p-8f, 0x1.5834c4p-8f, 0x1.49c158p-8f, 0x1.06283ap-8f,
    0x1.4f0748p-8f, 0x1.484b12p-8f, 0x1.5a35bp-8f, 0x1.4e9f3ep-8f, 0x1.41d5d2p-8f, 0x1.32053ap-8f,
    0x1.2ebd1p-8f, 0x1.46a6acp-8f, 0x1.d71a18p-9f, 0x1.98bce8p-9f, 0x1.fbefe8p-9f, 0x1.eda5dp-9f,
};

static const float int8_classifier_inputs[] = {
    -0x1.878abap-1f, 0x1.70e712p-1f, -0x1.8b4a52p-4f, -0x1.7d0a8p+0f, 0x1.59f23ap+0f, -0x1.afd75p-1f,
    -0x1.214942p+0f, 0x1.b24714p-4f, 0x1.112036p+0f, 0x1.4cab5cp+0f, -0x1.073276p-1f, 0x1.c76c46p+0f,
    -0x1.3940a4p-1f, 0x1.976ee4p-1f, 0x1.f16052p-2f,
};

static const float int8_classifier_cotangents[] = {
    -0x1.cb15d6p-14f, 0x1.e2e2a2p-1f, 0x1.13c0f4p-4f, 0x1.bf53d8p-1f, 0x1.2df38cp-2f, -0x1.80c088p-1f,
    -0x1.b1dea2p-3f, -0x1.dc35f2p-1f, -0x1.6d5608p-1f, 0x1.81d76p-2f, -0x1.ae6016p-1f, -0x1.42ea0ap-1f,
};

static const tc_real int8_classifier_outputs[] = {
    TC_C(8.44970669900271032e-01), TC_C(6.03012278598927254e-03), TC_C(2.03770529013180893e-02),
    TC_C(1.28622154412421696e-01), TC_C(3.42872170699507040e-01), TC_C(4.02399539216250542e-03),
    TC_C(1.46051859161407754e-01), TC_C(5.07051974746922651e-01), TC_C(3.10048134682554821e-01),
    TC_C(1.63906302284699476e-02), TC_C(3.70186728093753914e-01), TC_C(3.03374506995221171e-01),
};

static const tc_real int8_classifier_bounds[] = {
    TC_C(8.40575347895934264e-05), TC_C(8.40575347895934264e-05), TC_C(8.40575347895934264e-05),
    TC_C(8.40575347895934264e-05), TC_C(7.94116387636219955e-05), TC_C(7.94116387636219955e-05),
    TC_C(7.94116387636219955e-05), TC_C(7.94116387636219955e-05), TC_C(8.51587284897838099e-05),
    TC_C(8.51587284897838099e-05), TC_C(8.51587284897838099e-05), TC_C(8.51587284897838099e-05),
};

static const tc_real int8_classifier_grads[] = {
    TC_C(3.28058556127603720e-02), TC_C(-5.89230258193779582e-02), TC_C(-3.61049701118262845e-02),
    TC_C(5.06148842914361241e-02), TC_C(-3.30491385913527849e-02), TC_C(-1.12173949239106424e-01),
    TC_C(2.33528113240566437e-01), TC_C(1.43534456163533584e-02), TC_C(-9.33849719615455626e-02),
    TC_C(9.35109741455793647e-02), TC_C(7.52614508525706327e-03), TC_C(-1.49661793728735511e-02),
    TC_C(-3.12216356157524189e-04), TC_C(-8.13946937017195893e-03), TC_C(1.97896220132757587e-02),
};

static const tc_real int8_classifier_grad_bounds[] = {
    TC_C(1.34318705139852891e-04), TC_C(2.35096165787903818e-04), TC_C(1.97521769430265739e-04),
    TC_C(1.64754589042543585e-04), TC_C(2.18893231654294495e-04), TC_C(1.32462118577884077e-04),
    TC_C(2.31846608090651037e-04), TC_C(1.94791574388266780e-04), TC_C(1.62477310120589944e-04),
    TC_C(2.15867634944051043e-04), TC_C(1.19712610177045685e-04), TC_C(2.09531320449983901e-04),
    TC_C(1.76042841990366053e-04), TC_C(1.46838832852010738e-04), TC_C(1.95090327025862557e-04),
};

static const uint16_t int8_act_relu_dims[] = {
    8, 12, 7, 3,
};

static const uint8_t int8_act_relu_activations[] = {
    1, 1, 0,
};

static const int8_t int8_act_relu_weights[] = {
    -10, -33, -93, 94, -127, 1, 102, -108, 15, 32, -127, -33, 56, -13, 62, -95, -79, -117, 2, 127, 27, 82,
    -35, 74, -123, -64, 54, 70, -24, -127, -72, -89, -62, 88, -86, 110, 108, -127, -35, -2, -127, -20, 108,
    -103, 26, -101, 21, 105, -77, -127, -108, 10, -125, -107, -1, 109, -22, -28, 38, -113, 22, -91, 30,
    127, -114, 14, 27, -89, -59, 126, 127, -97, 57, 125, -73, 31, -127, -37, 48, 25, 72, -108, -40, 95, 22,
    -13, -26, 127, 20, -127, 79, -45, -18, -76, -15, -46, -72, 124, -26, -34, 96, -35, 45, -88, 92, -64,
    -120, 127, -85, 116, 126, 28, -127, -114, -76, -29, 29, 121, -38, -93, 18, -106, -121, 16, 57, -127,
    -14, 60, 77, -34, 113, -97, 61, 76, 107, -2, -113, -127, 8, -92, 36, -117, 79, -78, -125, -83, -11, 15,
    -29, -84, -5, 115, 9, 114, -121, 127, 114, 13, 7, 11, 120, -127, 42, 12, -58, 66, 65, -116, 57, -13,
    -3, 39, -127, 29, -36, 108, -76, 92, 65, 36, -91, 32, -93, -127, -42, -9, 10, -123, 71, -43, 73, -127,
    117, 23, 124, 127, 87, -103, -39, -70, 73,
};

static const float int8_act_relu_biases[] = {
    -0x1.0e821cp+4f, 0x1.7ee2dep+2f, -0x1.04dab4p+4f, 0x1.90dbfp+3f, -0x1.3977eap+4f, 0x1.8c48aap+3f,
    0x1.b0a0a4p+3f, 0x1.8c4888p-2f, 0x1.2bbb6ap+3f, -0x1.4505cep+3f, 0x1.51e43ap+3f, -0x1.565ca8p+1f,
    0x1.069348p+4f, -0x1.32488cp+4f, 0x1.26b1e2p+2f, 0x1.52e59cp+2f, 0x1.0134dcp+3f, -0x1.b9b066p+1f,
    -0x1.1bf45cp+4f, -0x1.3b39bp-2f, -0x1.1d89aep-2f, -0x1.8ebd36p-2f,
};

static const float int8_act_relu_scales[] = {
    0x1.e9dcdep-10f, 0x1.c7a918p-10f, 0x1.a4a692p-10f, 0x1.9931fp-10f, 0x1.b9df04p-10f, 0x1.d8f14ap-10f,
    0x1.e80f14p-10f, 0x1.c6e356p-10f, 0x1.ee3aa6p-10f, 0x1.c58aa4p-10f, 0x1.e26cfap-10f, 0x1.de054cp-10f,
    0x1.8122f8p-10f, 0x1.8b9028p-10f, 0x1.600736p-10f, 0x1.6dea6ep-10f, 0x1.8fa35ep-10f, 0x1.600ae4p-10f,
    0x1.6a4746p-10f, 0x1.5cfc06p-15f, 0x1.8a24d8p-15f, 0x1.860abp-15f,
};

static const float int8_act_relu_inputs[] = {
    -0x1.8506d8p+0f, 0x1.c0a56p+0f, 0x1.e79f3ap+0f, -0x1.054486p-1f, 0x1.edaeep-1f, -0x1.0a29fap-3f,
    0x1.68ab5ap-4f, -0x1.0b49bp-1f, 0x1.24145ep-4f, -0x1.35e7e4p+0f, -0x1.f19dc6p-3f, 0x1.c68e3ap+0f,
    -0x1.e93b8p+0f, -0x1.9644a4p+0f, 0x1.332b68p+0f, -0x1.c4cf38p+0f, -0x1.1e008ep+0f, -0x1.c3fbecp+0f,
    -0x1.cc6c8ap-1f, -0x1.994bap-1f, 0x1.337c68p+0f, 0x1.e6f7bp+0f, 0x1.2528dep+0f, 0x1.9b644cp+0f,
};

static const float int8_act_relu_cotangents[] = {
    0x1.13e4c6p-2f, -0x1.0e2ddep-1f, -0x1.f2f718p-2f, -0x1.fd77ep-2f, 0x1.68143ap-1f, 0x1.af1decp-3f,
    0x1.b90468p-1f, 0x1.819dp-1f, 0x1.ae0de6p-1f,
};

static const tc_real int8_act_relu_outputs[] = {
    TC_C(-3.79268208631401649e-01), TC_C(-3.97202287524123676e-01), TC_C(-3.00352669059066102e-01),
    TC_C(-4.34682326140318764e-01), TC_C(-3.32503093202831224e-01), TC_C(-3.38898350193630904e-01),
    TC_C(-4.17417417156684678e-01), TC_C(-3.61023362595005892e-01), TC_C(-3.13232227170374244e-01),
};

static const tc_real int8_act_relu_bounds[] = {
    TC_C(2.26061468500734358e-07), TC_C(2.36751012518479631e-07), TC_C(2.93816080649406119e-07),
    TC_C(2.59090856397341945e-07), TC_C(2.61199910034370930e-07), TC_C(3.31257874429391475e-07),
    TC_C(2.48800168726852344e-07), TC_C(2.39719607176766547e-07), TC_C(3.13908827126452294e-07),
};

static const tc_real int8_act_relu_grads[] = {
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
};

static const tc_real int8_act_relu_grad_bounds[] = {
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
};

static const uint16_t int8_act_mixed_dims[] = {
    3, 17, 7, 5, 2,
};

static const uint8_t int8_act_mixed_activations[] = {
    2, 3, 1, 3,
};

static const int8_t int8_act_mixed_weights[] = {
    116, -116, 127, -115, 123, 127, 57, -127, 8, -48, -70, 127, 127, -116, 92, 61, -69, -127, 120, -29,
    127, 56, -127, 93, 127, 124, 30, -117, -127, -94, 127, -57, -39, 127, -59, 16, -19, -127, 25, 127,
    -127, -102, -24, -127, -1, 127, 63, 13, 127, -125, 24, 38, 82, 71, -5, -39, -17, -127, 55, -43, -46,
    -108, -13, 21, -28, 95, 44, -66, 7, 111, 5, 28, -118, -3, -10, -27, -22, 23, 10, -3, -91, -16, 127,
    -23, -126, -127, 9, -115, -104, -100, -12, 126, -4, -11, -16, 0, -14, 58, 102, 51, -20, 38, 112, -95,
    -72, 33, 51, 39, 24, 90, -6, 84, 127, -18, 99, 60, 107, -125, 113, 68, 118, 122, -55, 43, -91, 24, 107,
    -78, -38, -107, -78, -74, -103, 127, 98, -9, 72, 58, 7, -23, 48, 16, -69, -40, 38, 38, -86, 32, 111,
    110, 45, -127, -23, -117, -127, -70, -12, 74, 37, -62, 56, 2, 2, -67, -17, -45, 65, -5, -15, -7, 127,
    57, -112, 90, 87, -125, -44, -56, 75, 35, -68, -98, -104, -127, 82, 123, -79, 69, 127, -87, 20, -16,
    125, 97, -127, -78, 91, 19, 6, 87, 74, 127, -48, -126, 54, -83, -87, 27, 93, 127, -127, 114, 3, -41,
    -28,
};

static const float int8_act_mixed_biases[] = {
    -0x1.01b0a2p-3f, 0x1.9ef184p-4f, -0x1.8c5fd4p-2f, 0x1.1a2p-2f, -0x1.9d135cp-2f, -0x1.55a4bep-2f,
    0x1.3ad41cp-2f, 0x1.ca7046p-2f, -0x1.117bd8p-4f, -0x1.5fecc8p-4f, -0x1.04a066p-2f, -0x1.cd684ep-3f,
    0x1.e04472p-4f, -0x1.4941acp-2f, -0x1.85a66p-2f, -0x1.6a9ebap-5f, -0x1.571a8cp-2f, -0x1.4921dp-6f,
    0x1.84614cp-3f, 0x1.c23f82p-3f, 0x1.3452c4p-2f, -0x1.84115cp-4f, 0x1.2c95b6p-2f, 0x1.dbe11ep-2f,
    -0x1.28b4dcp+4f, 0x1.a12f3ap+1f, 0x1.f752a6p+3f, -0x1.edf83cp+1f, 0x1.3212b2p+2f, 0x1.3f0904p-4f,
    -0x1.37eab2p-3f,
};

static const float int8_act_mixed_scales[] = {
    0x1.7eb016p-17f, 0x1.8c7032p-15f, 0x1.a04346p-15f, 0x1.156132p-14f, 0x1.302c5ep-14f, 0x1.09188p-15f,
    0x1.c768a6p-16f, 0x1.c1a638p-15f, 0x1.278264p-14f, 0x1.2fcc6p-14f, 0x1.0e2478p-14f, 0x1.e7d78ap-15f,
    0x1.0a782p-14f, 0x1.a5871ap-15f, 0x1.1ba9dcp-14f, 0x1.8591f8p-15f, 0x1.b31334p-15f, 0x1.fd807ep-16f,
    0x1.e26ad6p-16f, 0x1.ffbe72p-16f, 0x1.dbe8dep-16f, 0x1.012c5ap-15f, 0x1.ba6d76p-16f, 0x1.c9c9b4p-16f,
    0x1.0532a4p-9f, 0x1.ad3c16p-10f, 0x1.deacep-10f, 0x1.00be28p-9f, 0x1.e27f6ep-10f, 0x1.da563cp-15f,
    0x1.bcf0c8p-15f,
};

static const float int8_act_mixed_input_mean[] = {
    -0x1.103fc6p+1f, 0x1.18c0bp+1f, 0x1.3d2af4p+0f,
};

static const float int8_act_mixed_input_scale[] = {
    0x1.563578p+0f, 0x1.8741f8p+0f, 0x1.f9eb22p+0f,
};

static const float int8_act_mixed_inputs[] = {
    -0x1.4cb472p+0f, 0x1.4bf2e6p+0f, 0x1.4a0a24p+0f, -0x1.54d3cap-3f, -0x1.38ffeap+0f, -0x1.12d9fep-2f,
    -0x1.40099ap+0f, 0x1.12307p-1f, 0x1.1ec56ep-2f,
};

static const float int8_act_mixed_cotangents[] = {
    -0x1.40d2dcp-2f, 0x1.e17f72p-4f, -0x1.63c79cp-1f, 0x1.ba9374p-1f, 0x1.e60ca8p-1f, 0x1.2ca4fap-1f,
};

static const tc_real int8_act_mixed_outputs[] = {
    TC_C(5.94162197764217193e-01), TC_C(4.50878259176161145e-01), TC_C(5.97675134378745865e-01),
    TC_C(4.48922319465808906e-01), TC_C(6.03020449220740273e-01), TC_C(4.47597375156669197e-01),
};

static const tc_real int8_act_mixed_bounds[] = {
    TC_C(6.60018394856458149e-07), TC_C(5.35329019307076765e-07), TC_C(6.68028711372596416e-07),
    TC_C(5.37296723551295627e-07), TC_C(6.80255699621788563e-07), TC_C(5.39908981374609405e-07),
};

static const tc_real int8_act_mixed_grads[] = {
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
};

static const tc_real int8_act_mixed_grad_bounds[] = {
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
};

static const uint16_t int8_act_classifier_dims[] = {
    33, 4, 3,
};

static const uint8_t int8_act_classifier_activations[] = {
    2, 0,
};

static const int8_t int8_act_classifier_weights[] = {
    -12, 16, 111, -9, 2, 23, -83, 3, 34, 77, -106, -51, -107, 81, 51, -120, 126, 122, 40, 30, -90, -127, 7,
    -115, -81, -68, -123, -9, -16, 90, 5, 37, 0, 41, -11, -56, 127, 126, 87, 53, -47, -69, -54, -109, 68,
    -25, 88, -29, 116, 88, -127, -74, 104, -8, 122, -26, -109, 33, 71, -59, -105, -43, 118, 66, -97, -64,
    -104, -114, 77, -84, 15, -14, -80, 60, -96, 37, -100, -21, -75, -60, 122, 79, -51, 100, -75, -27, 92,
    37, -104, 127, -74, -63, 71, -44, -53, -111, -106, 21, -67, 28, -35, -13, 126, -4, 20, 101, -87, -95,
    112, 87, -69, -85, 66, 121, -83, 124, 105, 28, -22, -109, -127, 127, -72, 56, -67, 89, 26, -57, -89,
    60, -118, -75, 110, -78, -127, -61, -16, -127, -94, -38, 23, -120, -45, 127,
};

static const float int8_act_classifier_biases[] = {
    0x1.e6543ep-5f, 0x1.68db84p-2f, 0x1.d42f66p-4f, -0x1.c21c56p-3f, 0x1.ec0678p-2f, 0x1.416596p-3f,
    0x1.879f3p-3f,
};

static const float int8_act_classifier_scales[] = {
    0x1.664ee6p-16f, 0x1.70fce4p-16f, 0x1.697c9ap-16f, 0x1.55d1fcp-16f, 0x1.007498p-14f, 0x1.d25a8ap-15f,
    0x1.9ec8f2p-15f,
};

static const float int8_act_classifier_input_mean[] = {
    0x1.036688p-1f, -0x1.14369ep+1f, -0x1.650ee2p+1f, -0x1.7241dcp+1f, 0x1.3b0b0cp+1f, 0x1.34b0ap+0f,
    0x1.63687cp+1f, -0x1.6fac46p+1f, 0x1.a25bdep-1f, -0x1.b4932cp-4f, 0x1.620b7ep+0f, -0x1.1629a6p+0f,
    0x1.7f81b4p+1f, -0x1.4632b6p+1f, 0x1.1b35bcp-2f, 0x1.6c0a5ap+0f, 0x1.3359b6p+1f, 0x1.6c2adap+0f,
    0x1.38de6ap+0f, 0x1.c27526p+0f, 0x1.3eb8d4p+1f, -0x1.c72a68p-1f, 0x1.1c625ap+0f, 0x1.33d78ep+1f,
    0x1.1d017ap+1f, -0x1.fd02d8p-2f, 0x1.be41d4p+0f, 0x1.1725a2p+1f, 0x1.bf544cp-2f, 0x1.7fe0f8p-1f,
    -0x1.6978aep-1f, 0x1.fbfaa8p-2f, 0x1.4e706ap-1f,
};

static const float int8_act_classifier_input_scale[] = {
    0x1.bed0d2p-2f, 0x1.63119ap+0f, 0x1.fd1804p+0f, 0x1.cbaf76p+0f, 0x1.89b73ap+0f, 0x1.ebb1eap-1f,
    0x1.8cb048p+0f, 0x1.49a176p+0f, 0x1.0c83fp+0f, 0x1.b9a89cp+0f, 0x1.c50c5p-2f, 0x1.934a9ep+0f,
    0x1.670ee2p-2f, 0x1.527ab6p+0f, 0x1.1e1cc6p+0f, 0x1.61fc24p-1f, 0x1.7cb71ap+0f, 0x1.253416p+0f,
    0x1.583b58p+0f, 0x1.dd62d4p+0f, 0x1.78464ep-1f, 0x1.46e232p-2f, 0x1.9f9e6ap-1f, 0x1.73ecdap+0f,
    0x1.49ebb8p-1f, 0x1.2d39ep-1f, 0x1.d6f854p+0f, 0x1.6c0714p+0f, 0x1.0d2108p+0f, 0x1.d0e12ap+0f,
    0x1.b62fcp-1f, 0x1.6e996ap+0f, 0x1.466122p-1f,
};

static const float int8_act_classifier_inputs[] = {
    -0x1.1b0d8cp-2f, 0x1.395506p+0f, 0x1.a8299ap+0f, 0x1.856538p+0f, -0x1.d96bccp-2f, 0x1.546834p-2f,
    -0x1.77d5bep-1f, -0x1.748e32p+0f, -0x1.cf126ap-7f, 0x1.592f98p+0f, 0x1.6516fp+0f, 0x1.b092fp-1f,
    0x1.ccccd6p+0f, -0x1.c91f2ep-1f, -0x1.52cfdep+0f, -0x1.94479ap-3f, -0x1.cc777p-1f, -0x1.24c81ep+0f,
    -0x1.60517ap-2f, 0x1.018098p-1f, -0x1.91624ap-6f, -0x1.7a1e6ep-1f, 0x1.5b41dcp+0f, 0x1.ed9afap+0f,
    -0x1.854e3ep-3f, -0x1.b3874ap+0f, -0x1.dfc232p+0f, 0x1.7dc6e6p+0f, -0x1.d5841p+0f, 0x1.ab46b2p-1f,
    0x1.211a8cp-2f, -0x1.871b18p-1f, 0x1.2a8286p+0f, 0x1.19dcc2p-2f, 0x1.846caep+0f, 0x1.2fe3cp+0f,
    0x1.c6eb92p+0f, -0x1.294e66p-3f, 0x1.35e89ap-1f, -0x1.2e302cp+0f, 0x1.c68632p-1f, 0x1.45fc6p+0f,
    0x1.2207bap-1f, 0x1.bdc58ep-1f, -0x1.259594p+0f, 0x1.999556p+0f, 0x1.ec0666p+0f, 0x1.e8d0acp+0f,
    0x1.2ebf9cp-3f, 0x1.29c41ap+0f, -0x1.6fd4e4p-1f, 0x1.a3d458p+0f, 0x1.6c528p+0f, -0x1.3641fp-1f,
    -0x1.ab3daap+0f, -0x1.e4232ep-3f, 0x1.9c12cap-3f, 0x1.12abcep+0f, -0x1.9b5212p-5f, -0x1.e2e864p+0f,
    0x1.3c8f3cp+0f, -0x1.be67ep+0f, 0x1.330e78p+0f, -0x1.4ef446p+0f, -0x1.51e94p-1f, 0x1.26d0cep+0f,
    0x1.c9dd2cp-1f, 0x1.5c22c8p+0f, 0x1.83d53ap-1f, 0x1.c87202p+0f, -0x1.e6312ep-6f, 0x1.cbef2p+0f,
    -0x1.a7e974p+0f, -0x1.1d459ap+0f, 0x1.b4da6cp-4f, -0x1.adbb86p-1f, 0x1.d4abbep-1f, 0x1.1c687ap-1f,
    0x1.7545acp-4f, 0x1.5fdedp+0f, 0x1.eb487ep-3f, -0x1.81a4b6p-1f, -0x1.e68906p-2f, 0x1.618bfcp+0f,
    0x1.9a233cp+0f, -0x1.2ac33ep+0f, 0x1.673094p+0f, 0x1.dfaed4p+0f, 0x1.8ceafap-4f, 0x1.2af698p-2f,
    -0x1.3235a6p+0f, 0x1.261f78p-3f, 0x1.a0094p-7f, 0x1.af034ap-2f, -0x1.e3940ep+0f, 0x1.e0abacp+0f,
    0x1.066f68p-4f, -0x1.97354cp-2f, 0x1.344b52p+0f,
};

static const float int8_act_classifier_cotangents[] = {
    -0x1.ec6d6p-1f, -0x1.74db92p-1f, -0x1.72034cp-4f, -0x1.7020b8p-1f, -0x1.67c198p-1f, 0x1.0ebe88p-5f,
    0x1.01808p-3f, -0x1.25962ep-6f, 0x1.872412p-2f,
};

static const tc_real int8_act_classifier_outputs[] = {
    TC_C(6.94542469855786604e-01), TC_C(1.83980439234773446e-01), TC_C(1.21477090909440005e-01),
    TC_C(7.17599772844417227e-01), TC_C(1.43248195501649050e-01), TC_C(1.39152031653933833e-01),
    TC_C(7.68853812132996306e-01), TC_C(1.43499320585230544e-01), TC_C(8.76468672817732053e-02),
};

static const tc_real int8_act_classifier_bounds[] = {
    TC_C(2.65442016870562233e-06), TC_C(2.65442016870562233e-06), TC_C(2.65442016870562233e-06),
    TC_C(2.87121398448342165e-06), TC_C(2.87121398448342165e-06), TC_C(2.87121398448342165e-06),
    TC_C(3.03887331106516997e-06), TC_C(3.03887331106516997e-06), TC_C(3.03887331106516997e-06),
};

static const tc_real int8_act_classifier_grads[] = {
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
};

static const tc_real int8_act_classifier_grad_bounds[] = {
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
    TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00), TC_C(0.00000000000000000e+00),
};

static const net_case cases[] = {
    {.name = "point", .n_layers = 1, .head = 0, .weight = 0,
     .input_quant = 0x0p+0f, .n_samples = 3,
     .dims = point_dims,
     .activations = point_activations,
     .weights = point_weights,
     .biases = point_biases,
     .scales = NULL,
     .input_mean = NULL,
     .input_scale = NULL,
     .output_mean = NULL,
     .output_scale = NULL,
     .inputs = point_inputs,
     .cotangents = point_cotangents,
     .outputs = point_outputs,
     .bounds = point_bounds,
     .grads = point_grads,
     .grad_bounds = point_grad_bounds,},
    {.name = "relu", .n_layers = 3, .head = 0, .weight = 0,
     .input_quant = 0x0p+0f, .n_samples = 3,
     .dims = relu_dims,
     .activations = relu_activations,
     .weights = relu_weights,
     .biases = relu_biases,
     .scales = NULL,
     .input_mean = NULL,
     .input_scale = NULL,
     .output_mean = NULL,
     .output_scale = NULL,
     .inputs = relu_inputs,
     .cotangents = relu_cotangents,
     .outputs = relu_outputs,
     .bounds = relu_bounds,
     .grads = relu_grads,
     .grad_bounds = relu_grad_bounds,},
    {.name = "tanh", .n_layers = 2, .head = 0, .weight = 0,
     .input_quant = 0x0p+0f, .n_samples = 3,
     .dims = tanh_dims,
     .activations = tanh_activations,
     .weights = tanh_weights,
     .biases = tanh_biases,
     .scales = NULL,
     .input_mean = tanh_input_mean,
     .input_scale = tanh_input_scale,
     .output_mean = tanh_output_mean,
     .output_scale = tanh_output_scale,
     .inputs = tanh_inputs,
     .cotangents = tanh_cotangents,
     .outputs = tanh_outputs,
     .bounds = tanh_bounds,
     .grads = tanh_grads,
     .grad_bounds = tanh_grad_bounds,},
    {.name = "classifier", .n_layers = 3, .head = 1, .weight = 0,
     .input_quant = 0x0p+0f, .n_samples = 3,
     .dims = classifier_dims,
     .activations = classifier_activations,
     .weights = classifier_weights,
     .biases = classifier_biases,
     .scales = NULL,
     .input_mean = classifier_input_mean,
     .input_scale = classifier_input_scale,
     .output_mean = NULL,
     .output_scale = NULL,
     .inputs = classifier_inputs,
     .cotangents = classifier_cotangents,
     .outputs = classifier_outputs,
     .bounds = classifier_bounds,
     .grads = classifier_grads,
     .grad_bounds = classifier_grad_bounds,},
    {.name = "softplus", .n_layers = 2, .head = 0, .weight = 0,
     .input_quant = 0x0p+0f, .n_samples = 3,
     .dims = softplus_dims,
     .activations = softplus_activations,
     .weights = softplus_weights,
     .biases = softplus_biases,
     .scales = NULL,
     .input_mean = NULL,
     .input_scale = NULL,
     .output_mean = softplus_output_mean,
     .output_scale = softplus_output_scale,
     .inputs = softplus_inputs,
     .cotangents = softplus_cotangents,
     .outputs = softplus_outputs,
     .bounds = softplus_bounds,
     .grads = softplus_grads,
     .grad_bounds = softplus_grad_bounds,},
    {.name = "deep", .n_layers = 8, .head = 0, .weight = 0,
     .input_quant = 0x0p+0f, .n_samples = 3,
     .dims = deep_dims,
     .activations = deep_activations,
     .weights = deep_weights,
     .biases = deep_biases,
     .scales = NULL,
     .input_mean = NULL,
     .input_scale = NULL,
     .output_mean = NULL,
     .output_scale = NULL,
     .inputs = deep_inputs,
     .cotangents = deep_cotangents,
     .outputs = deep_outputs,
     .bounds = deep_bounds,
     .grads = deep_grads,
     .grad_bounds = deep_grad_bounds,},
    {.name = "int8", .n_layers = 2, .head = 0, .weight = 1,
     .input_quant = 0x0p+0f, .n_samples = 3,
     .dims = int8_dims,
     .activations = int8_activations,
     .weights = int8_weights,
     .biases = int8_biases,
     .scales = int8_scales,
     .input_mean = int8_input_mean,
     .input_scale = int8_input_scale,
     .output_mean = NULL,
     .output_scale = NULL,
     .inputs = int8_inputs,
     .cotangents = int8_cotangents,
     .outputs = int8_outputs,
     .bounds = int8_bounds,
     .grads = int8_grads,
     .grad_bounds = int8_grad_bounds,},
    {.name = "int8_classifier", .n_layers = 3, .head = 1, .weight = 1,
     .input_quant = 0x0p+0f, .n_samples = 3,
     .dims = int8_classifier_dims,
     .activations = int8_classifier_activations,
     .weights = int8_classifier_weights,
     .biases = int8_classifier_biases,
     .scales = int8_classifier_scales,
     .input_mean = NULL,
     .input_scale = NULL,
     .output_mean = NULL,
     .output_scale = NULL,
     .inputs = int8_classifier_inputs,
     .cotangents = int8_classifier_cotangents,
     .outputs = int8_classifier_outputs,
     .bounds = int8_classifier_bounds,
     .grads = int8_classifier_grads,
     .grad_bounds = int8_classifier_grad_bounds,},
    {.name = "int8_act_relu", .n_layers = 3, .head = 0, .weight = 2,
     .input_quant = 0x1.5p+5f, .n_samples = 3,
     .dims = int8_act_relu_dims,
     .activations = int8_act_relu_activations,
     .weights = int8_act_relu_weights,
     .biases = int8_act_relu_biases,
     .scales = int8_act_relu_scales,
     .input_mean = NULL,
     .input_scale = NULL,
     .output_mean = NULL,
     .output_scale = NULL,
     .inputs = int8_act_relu_inputs,
     .cotangents = int8_act_relu_cotangents,
     .outputs = int8_act_relu_outputs,
     .bounds = int8_act_relu_bounds,
     .grads = int8_act_relu_grads,
     .grad_bounds = int8_act_relu_grad_bounds,},
    {.name = "int8_act_mixed", .n_layers = 4, .head = 0, .weight = 2,
     .input_quant = 0x1.5p+5f, .n_samples = 3,
     .dims = int8_act_mixed_dims,
     .activations = int8_act_mixed_activations,
     .weights = int8_act_mixed_weights,
     .biases = int8_act_mixed_biases,
     .scales = int8_act_mixed_scales,
     .input_mean = int8_act_mixed_input_mean,
     .input_scale = int8_act_mixed_input_scale,
     .output_mean = NULL,
     .output_scale = NULL,
     .inputs = int8_act_mixed_inputs,
     .cotangents = int8_act_mixed_cotangents,
     .outputs = int8_act_mixed_outputs,
     .bounds = int8_act_mixed_bounds,
     .grads = int8_act_mixed_grads,
     .grad_bounds = int8_act_mixed_grad_bounds,},
    {.name = "int8_act_classifier", .n_layers = 2, .head = 1, .weight = 2,
     .input_quant = 0x1.5p+5f, .n_samples = 3,
     .dims = int8_act_classifier_dims,
     .activations = int8_act_classifier_activations,
     .weights = int8_act_classifier_weights,
     .biases = int8_act_classifier_biases,
     .scales = int8_act_classifier_scales,
     .input_mean = int8_act_classifier_input_mean,
     .input_scale = int8_act_classifier_input_scale,
     .output_mean = NULL,
     .output_scale = NULL,
     .inputs = int8_act_classifier_inputs,
     .cotangents = int8_act_classifier_cotangents,
     .outputs = int8_act_classifier_outputs,
     .bounds = int8_act_classifier_bounds,
     .grads = int8_act_classifier_grads,
     .grad_bounds = int8_act_classifier_grad_bounds,},
};

#endif
