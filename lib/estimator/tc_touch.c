/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * A ball from touches by algebraic least squares whose bias is taken out (Kukush, Markovsky and Van
 * Huffel, 2004, have it for general conics).
 *
 * Symbols: p a touch, m the mean of the touches, c the centre from m, r the radius, s the standard
 * deviation of a touch in each direction, q = |p|^2, n a normal with tilt sigma.
 *
 * With p about m, |p - c|^2 = r^2 is q = 2 p.c + k, k = r^2 - |c|^2, linear in c and k. k is the mean
 * of q, and left is
 *
 *     C c = h / 2,   C = sum p p^T,   h = sum p q.
 *
 * An error along the normal d makes a residual 2 r d of q: all rows weigh alike, so these least
 * squares are as good as the geometric ones. Noise adds (N - 1) s^2 to C's diagonal and, about m,
 * nothing to h, and 3 s^2 to the mean of q; both are subtracted. If s is not known it is taken from
 * the residuals, sum (q - 2 p.c - k)^2 = 4 r^2 s^2 times the degrees of freedom.
 *
 * A normal says that p - c is along n: (I - n n^T) c = (I - n n^T) p, two rows with noise of variance
 * r^2 sigma^2 + s^2. They join the system above with weight w = r^2 s^2 / (r^2 sigma^2 + s^2). Of n n^T
 * the mean over tilts is (1 - 3 t / 2) n n^T + t / 2 I with t = 2 sigma^2, which is taken out, too.
 *
 * r and s occur in weights and corrections only; TOUCH_PASSES rounds suffice. The covariance of c is
 * r^2 s^2 A^-1 C A^-1 for touches alone (A: C corrected), r^2 s^2 A^-1 with normals; that of r follows
 * from r^2 = mean of |p - c|^2.
 *
 * Sums are about the first touch and by the scale `reach`, so float suffices.
 */
#include "tc_exact.h"
#include "tc_touch.h"

#include "tc_math.h"
#include "tc_vec.h"

#include <math.h>
#include <string.h>

#define TOUCH_PASSES 3u
#define TOUCH_FAR TC_C(1000.0)  /* reaches from the first touch */
#define FIRST_NOISE TC_C(0.01)  /* reaches: of the first pass, if the noise is not known */
#define FLAT TC_C(1e-5)         /* a pivot below this part of its diagonal element is none */
#define PROBABLE TC_C(1.959964) /* 97.5 % of a normal distribution lie below */

/* One estimate in the making: about the mean, in reaches. Symmetric matrices: xx, xy, yy, xz, yz,
 * zz. */
typedef struct ball_touch {
    tc_real count, m[3];
    tc_real C[6], h[3], mean_q, spread; /* spread: sum of (q - mean)^2 */
    tc_real N[6], b[3];                 /* of the normals, without weight */
    tc_real A[6], inverse[6];           /* the system and its inverse */
    tc_real c[3], r2, s2;
    tc_real freedom; /* degrees of freedom that s2 has; 0: it is known */
} ball_touch;

tc_touch_config tc_touch_default(tc_real reach)
{
    const tc_touch_config config = {.reach = reach,
                                    .noise = TC_C(0.0),
                                    .normal_noise = TC_C(0.05),
                                    .tip = TC_C(0.0),
                                    .apart = TC_C(0.01) * reach};
    return config;
}

static tc_status check_touch_config(const tc_touch_config *c)
{
    const tc_real numbers[5] = {c->reach, c->noise, c->normal_noise, c->tip, c->apart};
    if (!tc_all_finite(numbers, 5)) {
        return TC_ERR_NOT_FINITE;
    }
    const int good = c->reach > TC_C(0.0) && c->noise >= TC_C(0.0) && c->tip >= TC_C(0.0)
                     && c->apart >= TC_C(0.0) && c->normal_noise > TC_C(0.0)
                     && c->normal_noise <= TC_C(0.5);
    const tc_real scale = TC_C(1.0) / c->reach;
    return good && tc_all_finite(&scale, 1) ? TC_OK : TC_ERR_RANGE;
}

tc_status tc_touch_init(tc_touch *touch, const tc_touch_config *config)
{
    if (touch == NULL) {
        return TC_ERR_NULL;
    }
    memset(touch, 0, sizeof *touch);
    const tc_status status = config == NULL ? TC_ERR_NULL : check_touch_config(config);
    if (status == TC_OK) {
        touch->config = *config;
        touch->scale = TC_C(1.0) / config->reach;
    }
    return status;
}

tc_status tc_touch_reset(tc_touch *touch)
{
    if (touch == NULL) {
        return TC_ERR_NULL;
    }
    if (!(touch->scale > TC_C(0.0))) {
        return TC_ERR_SIZE;
    }
    const tc_touch_config config = touch->config;
    return tc_touch_init(touch, &config);
}

/* ---- Sums --------------------------------------------------------------------------------------- */

/* sum += x x^T */
static void add_square(tc_real sum[6], const tc_real x[3])
{
    sum[0] = TC_MLA(sum[0], x[0], x[0]);
    sum[1] = TC_MLA(sum[1], x[1], x[0]);
    sum[2] = TC_MLA(sum[2], x[1], x[1]);
    sum[3] = TC_MLA(sum[3], x[2], x[0]);
    sum[4] = TC_MLA(sum[4], x[2], x[1]);
    sum[5] = TC_MLA(sum[5], x[2], x[2]);
}

static void add_normal(tc_touch *touch, const tc_real p[3], const tc_real n[3])
{
    const tc_real along = tc_vec_dot3(n, p);
    ++touch->normals;
    add_square(touch->nn, n);
    for (uint32_t i = 0; i < 3u; ++i) {
        touch->np[i] = TC_MLA(touch->np[i], along, n[i]);
        touch->pn[i] += p[i];
    }
}

/* Whether p lies where one of the last touches was. */
static int repeats_touch(const tc_touch *touch, const tc_real p[3])
{
    const tc_real apart = touch->config.apart * touch->scale, least = apart * apart;
    const uint32_t kept = touch->touches < TC_TOUCH_KEPT ? touch->touches : TC_TOUCH_KEPT;
    for (uint32_t k = 0; k < kept; ++k) {
        const tc_real *const old = touch->kept + 3u * k;
        const tc_real d[3] = {p[0] - old[0], p[1] - old[1], p[2] - old[2]};
        if (tc_vec_dot3(d, d) < least) {
            return 1;
        }
    }
    return 0;
}

static tc_status check_touch(const tc_touch *touch, const tc_real *point, const tc_real *normal)
{
    if (touch == NULL || point == NULL) {
        return TC_ERR_NULL;
    }
    if (!(touch->scale > TC_C(0.0))) {
        return TC_ERR_SIZE;
    }
    if (!tc_all_finite(point, 3) || (normal != NULL && !tc_all_finite(normal, 3))) {
        return TC_ERR_NOT_FINITE;
    }
    return normal != NULL && !tc_vec_is_unit(normal, 3) ? TC_ERR_UNIT : TC_OK;
}

static void add_point(tc_touch *touch, const tc_real p[3])
{
    const tc_real q = tc_vec_dot3(p, p);
    memcpy(touch->kept + 3u * (touch->touches % TC_TOUCH_KEPT), p, 3u * sizeof *p);
    touch->touches += touch->touches < UINT32_MAX ? 1u : 0u;
    add_square(touch->pp, p);
    touch->qq = TC_MLA(touch->qq, q, q);
    for (uint32_t i = 0; i < 3u; ++i) {
        touch->p[i] += p[i];
        touch->pq[i] = TC_MLA(touch->pq[i], q, p[i]);
    }
}

/* Counts the checked touch, unless it lies too far away or is a repetition. */
static tc_status count_touch(tc_touch *touch, const tc_real *point, const tc_real *normal,
                             tc_touch_outcome *became)
{
    const tc_real *const origin = touch->touches == 0u ? point : touch->origin;
    tc_real p[3];
    for (uint32_t i = 0; i < 3u; ++i) {
        p[i] = touch->scale * (point[i] - origin[i]);
    }
    if (!(tc_vec_dot3(p, p) <= TOUCH_FAR * TOUCH_FAR)) {
        return TC_ERR_RANGE;
    }
    if (repeats_touch(touch, p)) {
        ++touch->repeated;
        *became = TC_TOUCH_REPEATED;
        return TC_OK;
    }
    if (touch->touches == 0u) {
        memcpy(touch->origin, point, sizeof touch->origin);
    }
    add_point(touch, p);
    if (normal != NULL) {
        add_normal(touch, p, normal);
    }
    *became = TC_TOUCH_ACCEPTED;
    return TC_OK;
}

tc_status tc_touch_add(tc_touch *touch, const tc_real *point, const tc_real *normal,
                       tc_touch_outcome *outcome)
{
    tc_touch_outcome became = TC_TOUCH_NONE;
    tc_status status = check_touch(touch, point, normal);
    if (status == TC_OK) {
        status = count_touch(touch, point, normal, &became);
    }
    if (outcome != NULL) {
        *outcome = became;
    }
    return status;
}

/* ---- The ball ----------------------------------------------------------------------------------- */

/* y = S x */
static void apply_symmetric(const tc_real S[6], const tc_real x[3], tc_real y[3])
{
    y[0] = TC_MLA(TC_MLA(S[0] * x[0], S[1], x[1]), S[3], x[2]);
    y[1] = TC_MLA(TC_MLA(S[1] * x[0], S[2], x[1]), S[4], x[2]);
    y[2] = TC_MLA(TC_MLA(S[3] * x[0], S[4], x[1]), S[5], x[2]);
}

/* The sums about the mean */
static void centre_sums(const tc_touch *touch, ball_touch *x)
{
    tc_real minus[6] = {0}, Cm[3], Qm[3];
    x->count = (tc_real)touch->touches;
    for (uint32_t i = 0; i < 3u; ++i) {
        x->m[i] = touch->p[i] / x->count;
    }
    add_square(minus, x->m);
    for (uint32_t i = 0; i < 6u; ++i) {
        x->C[i] = TC_MLS(touch->pp[i], x->count, minus[i]);
    }
    const tc_real sum_q = touch->pp[0] + touch->pp[2] + touch->pp[5];
    const tc_real m2 = tc_vec_dot3(x->m, x->m), level = sum_q / x->count - TC_C(2.0) * m2;
    apply_symmetric(x->C, x->m, Cm);
    apply_symmetric(touch->pp, x->m, Qm);
    for (uint32_t i = 0; i < 3u; ++i) {
        x->h[i] = touch->pq[i] - x->m[i] * sum_q - TC_C(2.0) * Cm[i];
    }
    x->mean_q = level + m2;
    /* sum (q - 2 m.p)^2 - count level^2; of large terms the rounding counts as noise */
    const tc_real cross = tc_vec_dot3(x->m, Qm) - tc_vec_dot3(x->m, touch->pq);
    x->spread = TC_MLA(touch->qq, TC_C(4.0), cross) - x->count * level * level;
    x->spread += TC_C(4.0) * TC_EPSILON * touch->qq;
}

/* N c = b of the normals about the mean, their tilts' mean taken out */
static void centre_normals(const tc_touch *touch, ball_touch *x)
{
    static const uint32_t diagonal[3] = {0, 2, 5};
    const tc_real sigma = touch->config.normal_noise, t = TC_C(2.0) * sigma * sigma;
    const tc_real unbiased = TC_C(1.0) / (TC_C(1.0) - TC_C(1.5) * t);
    const tc_real many = (tc_real)touch->normals;
    tc_real Nm[3];
    for (uint32_t i = 0; i < 6u; ++i) {
        x->N[i] = -unbiased * touch->nn[i];
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        x->N[diagonal[i]] += unbiased * (TC_C(1.0) - t) * many;
    }
    apply_symmetric(x->N, x->m, Nm);
    for (uint32_t i = 0; i < 3u; ++i) {
        x->b[i] = unbiased * (touch->pn[i] - t * touch->pn[i] - touch->np[i]) - Nm[i];
    }
}

/* inverse of A by cofactors; 0 if A is singular, or not definite any more without the noise's share.
 * The tests are those of the pivots of A's Cholesky factor. */
static int invert_ball(const tc_real A[6], tc_real inverse[6])
{
    const tc_real minor = TC_MLS(A[0] * A[2], A[1], A[1]);
    inverse[0] = TC_MLS(A[2] * A[5], A[4], A[4]);
    inverse[1] = TC_MLS(A[3] * A[4], A[1], A[5]);
    inverse[2] = TC_MLS(A[0] * A[5], A[3], A[3]);
    inverse[3] = TC_MLS(A[1] * A[4], A[2], A[3]);
    inverse[4] = TC_MLS(A[1] * A[3], A[0], A[4]);
    inverse[5] = minor;
    const tc_real det = TC_MLA(TC_MLA(A[0] * inverse[0], A[1], inverse[1]), A[3], inverse[3]);
    const tc_real one = TC_C(1.0) / det;
    for (uint32_t i = 0; i < 6u; ++i) {
        inverse[i] *= one;
    }
    return A[0] > TC_C(0.0) && minor > FLAT * A[0] * A[2] && det > FLAT * A[5] * minor;
}

/* Trace of S T */
static tc_real trace_symmetric(const tc_real S[6], const tc_real T[6])
{
    const tc_real off = S[1] * T[1] + S[3] * T[3] + S[4] * T[4];
    return S[0] * T[0] + S[2] * T[2] + S[5] * T[5] + TC_C(2.0) * off;
}

/* c and r2 by the weights of the pass before; 0 if the touches do not determine them. */
static int solve_pass(ball_touch *x, tc_real weight)
{
    const tc_real noise = (x->count - TC_C(1.0)) * x->s2;
    tc_real right[3];
    for (uint32_t i = 0; i < 6u; ++i) {
        const tc_real bias = i == 0u || i == 2u || i == 5u ? noise : TC_C(0.0);
        x->A[i] = TC_MLA(x->C[i] - bias, weight, x->N[i]);
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        right[i] = TC_MLA(TC_C(0.5) * x->h[i], weight, x->b[i]);
    }
    if (!invert_ball(x->A, x->inverse)) {
        return 0;
    }
    apply_symmetric(x->inverse, right, x->c);
    x->r2 = x->mean_q + tc_vec_dot3(x->c, x->c) - TC_C(3.0) * x->s2;
    return x->r2 > TC_C(0.0);
}

/* s2 from what remains. 0: no freedom is left to know it from. */
static int weigh_noise(ball_touch *x)
{
    tc_real Cc[3];
    apply_symmetric(x->C, x->c, Cc);
    x->freedom = x->count - TC_C(1.0) - trace_symmetric(x->inverse, x->C);
    const tc_real sum = x->spread + TC_C(4.0) * (tc_vec_dot3(x->c, Cc) - tc_vec_dot3(x->c, x->h));
    x->s2 = tc_vec_not_negative(sum) / (TC_C(4.0) * x->r2 * x->freedom);
    return x->freedom > TC_C(0.5);
}

static tc_status fit_ball(const tc_touch *touch, ball_touch *x)
{
    const tc_real sigma2 = touch->config.normal_noise * touch->config.normal_noise;
    const tc_real known = touch->scale * touch->config.noise;
    const tc_real guess = known > TC_C(0.0) ? known : FIRST_NOISE;
    tc_real weight = guess * guess / (sigma2 + guess * guess);
    x->s2 = known * known;
    for (uint32_t pass = 0; pass < TOUCH_PASSES; ++pass) {
        if (!solve_pass(x, weight)) {
            return TC_ERR_SINGULAR;
        }
        if (!(known > TC_C(0.0)) && !weigh_noise(x)) {
            return TC_ERR_SINGULAR;
        }
        weight = x->r2 * x->s2 / (x->r2 * sigma2 + x->s2);
    }
    return TC_OK;
}

/* Student's 97.5 % by Cornish and Fisher's series; freedom 0: of a known noise */
static tc_real student_factor(tc_real freedom)
{
    const tc_real one = freedom > TC_C(0.0) ? TC_C(1.0) / freedom : TC_C(0.0);
    return TC_MLA(PROBABLE, one,
                  TC_MLA(TC_C(2.3722), one, TC_MLA(TC_C(2.8225), one, TC_C(2.5559))));
}

/* inner[6] = P S P, symmetric all */
static void square_form(const tc_real P[6], const tc_real S[6], tc_real inner[6])
{
    static const uint8_t row[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
    for (uint32_t k = 0, at = 0; k < 3u; ++k) {
        const tc_real column[3] = {P[row[0][k]], P[row[1][k]], P[row[2][k]]};
        tc_real y[3], z[3];
        apply_symmetric(S, column, y);
        apply_symmetric(P, y, z);
        for (uint32_t i = 0; i <= k; ++i, ++at) {
            inner[at] = z[i];
        }
    }
}

/* covariance [4 x 4] in reaches; returns the radius's variance. */
static tc_real spread_ball(const ball_touch *x, int normals, tc_real covariance[16])
{
    static const uint8_t row[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
    const tc_real r = tc_sqrt(x->r2), u = x->r2 * x->s2;
    const tc_real away[3] = {x->c[0] / r, x->c[1] / r, x->c[2] / r};
    tc_real P[6], y[3];
    if (normals) {
        memcpy(P, x->inverse, sizeof P);
    } else {
        square_form(x->inverse, x->C, P);
    }
    apply_symmetric(P, away, y);
    for (uint32_t i = 0; i < 3u; ++i) {
        for (uint32_t j = 0; j < 3u; ++j) {
            covariance[4u * i + j] = u * P[row[i][j]];
        }
        covariance[4u * i + 3u] = covariance[12u + i] = u * y[i];
    }
    covariance[15] = x->s2 / x->count + u * tc_vec_dot3(away, y);
    return covariance[15];
}

static tc_status tell_ball(const tc_touch *touch, const ball_touch *x, tc_touch_ball *ball)
{
    const tc_real reach = touch->config.reach, r = tc_sqrt(x->r2);
    const tc_real variance = spread_ball(x, touch->normals > 0u, ball->covariance);
    const tc_real part = student_factor(x->freedom) * tc_sqrt(variance) / r;
    for (uint32_t i = 0; i < 16u; ++i) {
        ball->covariance[i] *= reach * reach;
    }
    for (uint32_t i = 0; i < 3u; ++i) {
        ball->centre[i] = TC_MLA(touch->origin[i], reach, x->m[i] + x->c[i]);
    }
    ball->radius = TC_MLS(reach * r, TC_C(1.0), touch->config.tip);
    ball->low = tc_vec_not_negative(reach * r / (TC_C(1.0) + part) - touch->config.tip);
    ball->high =
        part < TC_C(1.0) ? reach * r / (TC_C(1.0) - part) - touch->config.tip : (tc_real)INFINITY;
    ball->noise = reach * tc_sqrt(x->s2);
    const int finite = tc_all_finite(ball->centre, 3) && tc_all_finite(ball->covariance, 16);
    return finite && ball->radius > TC_C(0.0) && ball->radius < (tc_real)INFINITY ? TC_OK
                                                                                  : TC_ERR_RANGE;
}

tc_status tc_touch_read(const tc_touch *touch, tc_touch_ball *ball)
{
    ball_touch x = {0};
    if (ball == NULL) {
        return TC_ERR_NULL;
    }
    memset(ball, 0, sizeof *ball);
    if (touch == NULL) {
        return TC_ERR_NULL;
    }
    if (!(touch->scale > TC_C(0.0))) {
        return TC_ERR_SIZE;
    }
    if (touch->touches < 2u || touch->touches + 2u * touch->normals < 4u) {
        return TC_ERR_SINGULAR;
    }
    centre_sums(touch, &x);
    if (touch->normals > 0u) {
        centre_normals(touch, &x);
    }
    tc_status status = fit_ball(touch, &x);
    status = status < TC_OK ? status : tell_ball(touch, &x, ball);
    if (status < TC_OK) {
        memset(ball, 0, sizeof *ball);
    }
    return status;
}
