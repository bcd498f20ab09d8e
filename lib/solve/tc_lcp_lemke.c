/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Any matrix: Lemke's method with lexicographic ratios.
 *
 * w = M z + q + d z0, d > 0, z0 >= 0. With z0 large every w_i is positive; z0 is lowered along a
 * path on which one of z_i, w_i is zero for each i, until z0 = 0: solved; or the path runs to
 * infinity along a ray. The dictionary T expresses n basic variables by n + 1 others and a
 * constant,
 *
 *     x_row = sum_c T_rc x_c + T_r,n+1      initially w by z, z0, and q
 *
 * and one exchange of a basic variable for another is n (n + 2) multiply-accumulates. The variable
 * that enters is the complement of the one that left; the one that leaves is the first to reach
 * zero, ties decided as if q_k were q_k + epsilon^(k+1): the coefficients of those perturbations in
 * a row are minus the coefficients of w_k, or 1 in the row of w_k itself. So no dictionary occurs
 * twice.
 *
 * M is scaled by rows and columns to a unit diagonal, with powers of two. Errors grow with each
 * exchange; so before a ray or an answer is believed the dictionary of its basis is built again
 * from M, the exchanges in the order of the largest pivots. The answer is corrected by it, z_Z -=
 * T_ZW w_W, against w from M.
 *
 * A ray's z part y proves that there is no solution if y >= 0, M^T y <= 0, q^T y < 0, as it always
 * does for positive semi-definite M, symmetric or not; for other M it proves nothing.
 *
 * How long a path is, and whether it ends in a ray, depends on d: Murty's triangular matrix takes
 * 2^n exchanges for one q and d, and two for the same q and another d. So where d = 1 comes to the
 * bound, or to a ray that proves nothing, or to what cannot be certified, other paths are followed,
 * from d_i = 2^-i, 2^(i + 1 - n), and another order of the same powers, STARTS in all.
 *
 * Bound: STARTS times 6 n + 20 exchanges on the path and 5 (n + 1) to build again. Work n (n + 5).
 */
#include "tc_exact.h"
#include "tc_lcp_internal.h"
#include "tc_vec.h"

#define PIVOTS(n) (6u * (n) + 20u)
#define STARTS 4u
#define REBUILDS 4u
#define CORRECTIONS_LEMKE 3u
#define REBUILT_GROWTH TC_C(1e12) /* of terms over |q|, once no pivot of the basis was rounding */
/* a coefficient this small beside those of its column is zero */
#define ZERO (TC_C(8.0) * TC_EPSILON)
/* a pivot this small beside its rows is rounding */
#define SINGULAR_LEMKE (TC_C(32.0) * TC_EPSILON)
#define RAY_RISE_LEMKE TC_C(1e-5)
#define RAY_FALL_LEMKE TC_C(1e-4)

typedef struct lemke {
    const tc_lcp *problem;
    tc_real *T;            /* [n x (n + 2)] */
    tc_real *row_scale;    /* [n] w = w' / row_scale */
    tc_real *column_scale; /* [n] z = z' column_scale */
    tc_real *ray;          /* [n] */
    tc_real largest_q;
    uint32_t n;
    uint32_t pivots;
    uint32_t limit;                  /* on pivots, of this path */
    uint32_t start;                  /* number of this path */
    uint32_t entering;               /* column along which a ray was found */
    uint8_t row[TC_LCP_MAX];         /* variable of a row: z_j is j, w_j is n + j, z0 is 2 n */
    uint8_t column[TC_LCP_MAX + 1u]; /* of a column */
} lemke;

/* The power of two next to 1 / sqrt(x) */
static tc_real inverse_root_lemke(tc_real x)
{
    tc_real scale = TC_C(1.0);
    for (uint32_t i = 0; i < 70u && x * scale * scale > TC_C(2.0); ++i) {
        scale *= TC_C(0.5);
    }
    for (uint32_t i = 0; i < 70u && x * scale * scale < TC_C(0.5); ++i) {
        scale *= TC_C(2.0);
    }
    return scale;
}

static void scale_lemke(lemke *s)
{
    const uint32_t n = s->n;
    const tc_real *M = s->problem->M;
    for (uint32_t i = 0; i < n; ++i) {
        tc_real size = M[i * (n + 1u)];
        for (uint32_t j = 0; j < n && !(M[i * (n + 1u)] > TC_C(0.0)); ++j) {
            size = tc_vec_max(
                size, tc_vec_max(tc_vec_magnitude(M[i * n + j]), tc_vec_magnitude(M[j * n + i])));
        }
        s->row_scale[i] = size > TC_C(0.0) ? inverse_root_lemke(size) : TC_C(1.0);
        s->column_scale[i] = s->row_scale[i];
    }
}

/* d_i */
static tc_real covering_element(const lemke *s, uint32_t i)
{
    const uint32_t n = s->n, mixed = (7u * i + 5u) % n;
    const uint32_t halvings = s->start == 0    ? 0u
                              : s->start == 1u ? i
                              : s->start == 2u ? n - 1u - i
                                               : mixed;
    return TC_C(1.0) / (tc_real)LCP_BIT(halvings);
}

/* The dictionary in which all w are basic */
static void reset_dictionary(lemke *s)
{
    const uint32_t n = s->n, width = n + 2u;
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            s->T[i * width + j] = s->problem->M[i * n + j] * s->row_scale[i] * s->column_scale[j];
        }
        s->T[i * width + n] = covering_element(s, i);
        s->T[i * width + n + 1u] = s->problem->q[i] * s->row_scale[i];
        s->row[i] = (uint8_t)(n + i);
        s->column[i] = (uint8_t)i;
    }
    s->column[n] = (uint8_t)(2u * n);
}

static void exchange_lemke(lemke *s, uint32_t r, uint32_t c)
{
    const uint32_t width = s->n + 2u;
    tc_real *pivot_row = s->T + r * width;
    const tc_real inverse = TC_C(1.0) / pivot_row[c];
    for (uint32_t j = 0; j < width; ++j) {
        pivot_row[j] = j == c ? inverse : -pivot_row[j] * inverse;
    }
    for (uint32_t i = 0; i < s->n; ++i) {
        tc_real *T = s->T + i * width;
        const tc_real factor = T[c];
        for (uint32_t j = 0; j < width && i != r; ++j) {
            T[j] = j == c ? factor * inverse : TC_MLA(T[j], factor, pivot_row[j]);
        }
    }
    const uint8_t swap = s->row[r];
    s->row[r] = s->column[c];
    s->column[c] = swap;
}

static uint32_t column_of(const lemke *s, uint32_t variable)
{
    uint32_t c = 0;
    while (c <= s->n && s->column[c] != variable) {
        ++c;
    }
    return c;
}

/* The largest coefficient by which a variable that is to be basic can replace one that is not to
 * be; 0 if it is rounding beside the other coefficients in those rows. *r = n: nothing is left to
 * be done. */
static tc_real largest_pivot(const lemke *s, const uint8_t *basic, uint32_t *r, uint32_t *c)
{
    const uint32_t n = s->n;
    tc_real most = TC_C(0.0), size = TC_C(0.0);
    *r = n;
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j <= n && basic[s->row[i]] == 0; ++j) {
            const tc_real T = tc_vec_magnitude(s->T[i * (n + 2u) + j]);
            size = tc_vec_max(size, T);
            if (basic[s->column[j]] != 0 && (*r == n || T > most)) {
                most = T;
                *r = i;
                *c = j;
            }
        }
    }
    return most > SINGULAR_LEMKE * size ? most : TC_C(0.0);
}

/* Builds the dictionary of the present basis again from M, largest pivots first; 0: singular. */
static int rebuild_dictionary(lemke *s)
{
    const uint32_t n = s->n;
    uint8_t basic[2u * TC_LCP_MAX + 1u] = {0};
    for (uint32_t i = 0; i < n; ++i) {
        basic[s->row[i]] = 1;
    }
    reset_dictionary(s);
    for (uint32_t step = 0; step <= n; ++step) {
        uint32_t r, c = 0;
        const tc_real pivot = largest_pivot(s, basic, &r, &c);
        if (r == n) {
            return 1;
        }
        if (!(pivot > TC_C(0.0))) {
            return 0;
        }
        exchange_lemke(s, r, c);
    }
    return 1;
}

/* The coefficient of epsilon^(k+1) in row i */
static tc_real perturbation_element(const lemke *s, uint32_t i, uint32_t k)
{
    const uint32_t c = column_of(s, s->n + k);
    if (c <= s->n) {
        return -s->T[i * (s->n + 2u) + c];
    }
    return s->row[i] == s->n + k ? TC_C(1.0) : TC_C(0.0);
}

/* Whether row i reaches zero before row b does, when they fall by fall_i and fall_b */
static int reaches_before(const lemke *s, uint32_t i, tc_real fall_i, uint32_t b, tc_real fall_b)
{
    const uint32_t width = s->n + 2u;
    const tc_real mine = s->T[i * width + s->n + 1u] / fall_i,
                  other = s->T[b * width + s->n + 1u] / fall_b;
    if (mine != other) {
        return mine < other;
    }
    if (s->row[i] == 2u * s->n || s->row[b] == 2u * s->n) {
        return s->row[i] == 2u * s->n; /* z0 leaves as soon as it may */
    }
    for (uint32_t k = 0; k < s->n; ++k) {
        const tc_real p = perturbation_element(s, i, k) / fall_i,
                      o = perturbation_element(s, b, k) / fall_b;
        if (p != o) {
            return p < o;
        }
    }
    return 0;
}

/* The row that reaches zero first when column c grows; n: none does */
static uint32_t leaving_row(const lemke *s, uint32_t c)
{
    const uint32_t n = s->n, width = n + 2u;
    tc_real most = TC_C(0.0);
    uint32_t best = n;
    for (uint32_t i = 0; i < n; ++i) {
        most = tc_vec_max(most, tc_vec_magnitude(s->T[i * width + c]));
    }
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real fall = -s->T[i * width + c];
        if (fall > ZERO * most
            && (best == n || reaches_before(s, i, fall, best, -s->T[best * width + c]))) {
            best = i;
        }
    }
    return best;
}

/* The first exchange: z0 enters for the constant that is the most negative beside d_i. */
static uint32_t most_negative(const lemke *s)
{
    const uint32_t n = s->n, width = n + 2u;
    uint32_t best = n;
    tc_real least = TC_C(0.0);
    for (uint32_t i = 0; i < n; ++i) {
        const tc_real least_z0 = s->T[i * width + n + 1u] / covering_element(s, i);
        if (least_z0 < least) {
            least = least_z0;
            best = i;
        }
    }
    return best;
}

/* Whether the ray along column c proves that there is no solution; in the scaled problem, whose
 * M_ii are 1 */
static int proves_lemke(const lemke *s, uint32_t c)
{
    const uint32_t n = s->n;
    tc_real slope = TC_C(0.0), size = TC_C(0.0), weight = TC_C(0.0), rise = TC_C(0.0),
            most = TC_C(0.0);
    for (uint32_t j = 0; j < n; ++j) {
        s->ray[j] = s->column[c] == j ? s->column_scale[j] : TC_C(0.0);
    }
    for (uint32_t i = 0; i < n; ++i) {
        if (s->row[i] < n) {
            s->ray[s->row[i]] =
                tc_vec_max(s->T[i * (n + 2u) + c], TC_C(0.0)) * s->column_scale[s->row[i]];
        }
    }
    for (uint32_t j = 0; j < n; ++j) {
        most = tc_vec_max(most, s->ray[j]);
    }
    for (uint32_t j = 0; j < n; ++j) {
        s->ray[j] /= most;
    }
    for (uint32_t j = 0; j < n; ++j) {
        tc_real sum = TC_C(0.0);
        for (uint32_t i = 0; i < n; ++i) {
            sum = TC_MLA(sum, s->problem->M[i * n + j], s->ray[i]);
        }
        rise = tc_vec_max(rise, sum * s->column_scale[j]);
        slope = TC_MLA(slope, s->problem->q[j], s->ray[j]);
        weight += s->ray[j] / s->column_scale[j];
        size = tc_vec_max(size, tc_vec_magnitude(s->problem->q[j]) * s->row_scale[j]);
    }
    return rise <= RAY_RISE_LEMKE * weight && slope < -RAY_FALL_LEMKE * size * weight;
}

/* Follows the path. LCP_SOLVED: z0 has left, or was never needed. LCP_RAY: it has no end. */
static lcp_outcome follow_path(lemke *s)
{
    const uint32_t n = s->n;
    uint32_t r = most_negative(s), c = n, rebuilds = 0;
    if (r == n) {
        return LCP_SOLVED;
    }
    while (r < n) {
        const uint32_t left = s->row[r];
        exchange_lemke(s, r, c);
        if (left == 2u * n) {
            return LCP_SOLVED;
        }
        if (++s->pivots > s->limit) {
            return LCP_LIMIT;
        }
        const uint32_t next = left < n ? left + n : left - n;
        c = column_of(s, next);
        r = leaving_row(s, c);
        if (r == n && !proves_lemke(s, c) && rebuilds++ < REBUILDS) {
            if (!rebuild_dictionary(s)) {
                return LCP_STUCK;
            }
            c = column_of(s, next);
            r = leaving_row(s, c);
        }
    }
    s->entering = c;
    return LCP_RAY;
}

static void take_lemke(const lemke *s, tc_real *z)
{
    for (uint32_t j = 0; j < s->n; ++j) {
        z[j] = TC_C(0.0);
    }
    for (uint32_t i = 0; i < s->n; ++i) {
        const uint32_t j = s->row[i];
        if (j < s->n) {
            z[j] = tc_vec_max(s->T[i * (s->n + 2u) + s->n + 1u] * s->column_scale[j], TC_C(0.0));
        }
    }
}

/* z_Z -= T_ZW w_W */
static void correct_lemke(const lemke *s, tc_real *z, const tc_real *w)
{
    for (uint32_t i = 0; i < s->n; ++i) {
        const uint32_t j = s->row[i];
        tc_real change = TC_C(0.0);
        for (uint32_t c = 0; c <= s->n && j < s->n; ++c) {
            const uint32_t k = s->column[c] - s->n;
            if (k < s->n) {
                change = TC_MLA(change, s->T[i * (s->n + 2u) + c], w[k] * s->row_scale[k]);
            }
        }
        if (j < s->n) {
            z[j] = tc_vec_max(z[j] - change * s->column_scale[j], TC_C(0.0));
        }
    }
}

/* w = M z + q, by sums of twice the length if `exactly`, and all that info tells but the pivots */
static void weigh_lemke(const lemke *s, int exactly, const tc_real *z, tc_real *w,
                        tc_lcp_info *info)
{
    tc_real scale_of_all = TC_C(0.0), violation = TC_C(0.0), total = TC_C(0.0), largest = TC_C(0.0);
    *info = (tc_lcp_info){.iterations = s->pivots};
    for (uint32_t i = 0; i < s->n; ++i) {
        const tc_real *const row = s->problem->M + i * s->n;
        tc_real sum = s->problem->q[i], size = tc_vec_magnitude(sum);
        largest = tc_vec_max(largest, size);
        for (uint32_t j = 0; j < s->n; ++j) {
            const tc_real term = row[j] * z[j];
            sum += term;
            size += tc_vec_magnitude(term);
        }
        sum = exactly ? tci_lcp_row_exactly(row, z, s->n, s->problem->q[i]) : sum;
        w[i] = sum;
        total += size;
        scale_of_all = tc_vec_max(scale_of_all, size);
        info->active |= (tc_lcp_set)(z[i] > TC_C(0.0) ? 1u : 0u) << i;
        violation = tc_vec_max(violation, z[i] > TC_C(0.0) ? tc_vec_magnitude(sum) : -sum);
    }
    info->scale = total - total == TC_C(0.0) ? scale_of_all : total;
    info->residual = scale_of_all > TC_C(0.0) ? violation / scale_of_all : TC_C(0.0);
    info->error = largest > TC_C(0.0) ? violation / largest : info->residual;
}

/* Judges z. TC_OK or TC_NOTE_PRECISION: certified, terms at most `growth` times as large as q */
static tc_status judge_lemke(const lemke *s, tc_real growth, const tc_real *z, tc_real *w,
                             tc_lcp_info *info)
{
    weigh_lemke(s, 0, z, w, info);
    if (info->scale > LCP_PLAIN * s->largest_q) {
        weigh_lemke(s, 1, z, w, info);
    }
    if (!(info->scale <= growth * s->largest_q && info->residual <= TC_LCP_TOLERANCE)) {
        return TC_ERR_NOT_CERTIFIED;
    }
    return info->error <= TC_LCP_ERROR ? TC_OK : TC_NOTE_PRECISION;
}

static LCP_COLD tc_status answer_zero(const lemke *s, tc_status status, tc_real *z, tc_real *w,
                                      tc_lcp_info *info)
{
    for (uint32_t i = 0; i < s->n; ++i) {
        z[i] = TC_C(0.0);
        w[i] = TC_C(0.0);
    }
    *info = (tc_lcp_info){.iterations = s->pivots,
                          .farkas = status == TC_ERR_NO_SOLUTION ? s->ray : NULL};
    return status;
}

static tc_status settle_answer(const lemke *s, tc_real growth, tc_real *z, tc_real *w,
                               tc_lcp_info *info)
{
    take_lemke(s, z);
    tc_status status = judge_lemke(s, growth, z, w, info);
    for (uint32_t round = 0; round < CORRECTIONS_LEMKE && !(info->residual <= LCP_NOISE); ++round) {
        correct_lemke(s, z, w);
        status = judge_lemke(s, growth, z, w, info);
    }
    return status;
}

/* One path from d number s->start: TC_OK or TC_NOTE_PRECISION, solved; TC_ERR_NO_SOLUTION, proved;
 * TC_NOTE_LIMIT, TC_ERR_RAY or TC_ERR_NOT_CERTIFIED, what came in between */
static tc_status solve_path(lemke *s, tc_real *z, tc_real *w, tc_lcp_info *info)
{
    s->limit = s->pivots + PIVOTS(s->n);
    reset_dictionary(s);
    const lcp_outcome outcome = follow_path(s);
    if (outcome == LCP_SOLVED) {
        const tc_status status = settle_answer(s, LCP_GROWTH, z, w, info);
        return status >= TC_OK || !rebuild_dictionary(s)
                   ? status
                   : settle_answer(s, REBUILT_GROWTH, z, w, info);
    }
    if (outcome == LCP_RAY) {
        return proves_lemke(s, s->entering) ? TC_ERR_NO_SOLUTION : TC_ERR_RAY;
    }
    return outcome == LCP_LIMIT ? TC_NOTE_LIMIT : TC_ERR_NOT_CERTIFIED;
}

/* NOT_FINITE, or RANGE beyond the limits of tc_lcp.h; largest_q */
static tc_status in_range_lemke(lemke *s)
{
    const uint32_t n = s->n;
    tc_real largest = TC_C(0.0);
    if (!tc_all_finite(s->problem->q, n) || !tc_all_finite(s->problem->M, n * n)) {
        return TC_ERR_NOT_FINITE;
    }
    for (uint32_t i = 0; i < n * n; ++i) {
        largest = tc_vec_max(largest, tc_vec_magnitude(s->problem->M[i]));
    }
    for (uint32_t i = 0; i < n; ++i) {
        s->largest_q = tc_vec_max(s->largest_q, tc_vec_magnitude(s->problem->q[i]));
    }
    return lcp_in_range(largest, s->largest_q, TC_LCP_LARGEST) ? TC_OK : TC_ERR_RANGE;
}

/* Another start may do better. */
static int undecided_lemke(tc_status status)
{
    return status != TC_OK && status != TC_NOTE_PRECISION && status != TC_ERR_NO_SOLUTION;
}

static int told_in_range(const lemke *s, const tc_real *z, const tc_real *w,
                         const tc_lcp_info *info)
{
    return tc_all_finite(w, s->n) && tc_all_finite(z, s->n) && lcp_positive(info->scale)
           && lcp_positive(info->residual) && lcp_positive(info->error);
}

tc_status tci_lcp_lemke(const tc_lcp *problem, tc_real *z, tc_real *w, tc_lcp_info *info,
                        tc_real *work)
{
    const uint32_t n = problem->n;
    tc_lcp_info unwanted;
    info = info != NULL ? info : &unwanted;
    lemke s = {.problem = problem, .row_scale = work, .n = n};
    s.column_scale = s.row_scale + n;
    s.ray = s.column_scale + n;
    s.T = s.ray + n;
    tc_status status = in_range_lemke(&s);
    if (status < TC_OK) {
        return answer_zero(&s, status, z, w, info);
    }
    scale_lemke(&s);
    for (; s.start < STARTS; ++s.start) {
        status = solve_path(&s, z, w, info);
        if (!undecided_lemke(status)) {
            break;
        }
    }
    if (status == TC_NOTE_LIMIT) {
        take_lemke(&s, z);
        (void)judge_lemke(&s, LCP_GROWTH, z, w, info);
    }
    if (status >= TC_OK && !told_in_range(&s, z, w, info)) {
        status = TC_ERR_RANGE;
    }
    return status >= TC_OK ? status : answer_zero(&s, status, z, w, info);
}
