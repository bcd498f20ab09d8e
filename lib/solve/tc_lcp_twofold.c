/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Where the terms of w = M z + q are thousands of times as large as q: numbers of twice the length.
 *
 * A light body between heavy ones moves by the difference of two impulses that are thousands of
 * times as large as its own momentum. tc_real rounds each of them, so neither w nor which contacts
 * carry can be told from it beside q. Here a number is an unevaluated sum hi + lo with |lo| <=
 * ulp(hi) / 2, some 2^-47 exact:
 *
 *     a + b = s + e    s = fl(a + b), e by Knuth's six operations, exact
 *     a b   = p + e    p = fl(a b), e by Dekker's products of halves (Veltkamp's split), exact: no
 *                      FMA, which not every core has, and which would not give the same bits
 *
 * With them the active set of tc_lcp_active.c, phase 2, from the contacts that tc_real's found:
 * M_AA = L L^T appended by rows, z_A = -M_AA^-1 q_A by two substitutions (the right-hand side is
 * not carried along, so that the factor and what the caller still needs fit into the same
 * workspace). M is taken as exact: a pivot that tc_real had to call rounding is one here, down to
 * ROUNDING of (sum |v_i| sqrt(M_ii))^2, as tc_lcp_matrix.c derives. From J, M_ij is formed in twice
 * the length, which squares nothing that counts.
 *
 * The impulses handed out are rounded, and what that costs is judged exactly: violation and scale
 * are those of the rounded z. w is that of the impulses before they were rounded.
 *
 * Cost: about 40 instructions for a multiply-accumulate (Cortex-M4F); from J, d of them for each
 * M_ij. Work: L in n (n + 1), x in 2 n numbers; z's lower halves lie in w.
 */
#include "tc_exact.h"
#include "tc_lcp_internal.h"
#include "tc_vec.h"

#ifdef TC_DOUBLE
#define SPLITTER 134217729.0 /* 2^27 + 1 */
#else
#define SPLITTER TC_C(4097.0) /* 2^12 + 1 */
#endif
#define ROUNDING_TWOFOLD (TC_C(16.0) * TC_EPSILON * TC_EPSILON) /* 2e-13 in float */
/* a pivot below this part of its diagonal is looked at for dependence */
#define LOOK_TWOFOLD TC_C(1e-2)
#define APPROACH (TC_C(8.0) * TC_EPSILON) /* of max |q_i|: less is no approach */
#define UNBOUNDED_TWOFOLD TC_C(3e38)

typedef struct twofold {
    tc_real hi, lo;
} twofold;

/* ---- Arithmetic ------------------------------------------------------------------------------ */

TC_MAT_INLINE twofold twofold_normal(tc_real hi, tc_real lo) /* |hi| >= |lo| */
{
    const tc_real sum = hi + lo;
    return (twofold){sum, lo - (sum - hi)};
}

TC_MAT_INLINE twofold two_product(tc_real a, tc_real b)
{
    const tc_real product = a * b, a_part = SPLITTER * a, b_part = SPLITTER * b;
    const tc_real a_hi = a_part - (a_part - a), b_hi = b_part - (b_part - b);
    const tc_real a_lo = a - a_hi, b_lo = b - b_hi;
    return (twofold){product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

TC_MAT_INLINE twofold twofold_plus(twofold a, twofold b)
{
    const tc_real sum = a.hi + b.hi, part = sum - a.hi;
    const tc_real rest = (a.hi - (sum - part)) + (b.hi - part);
    return twofold_normal(sum, rest + (a.lo + b.lo));
}

TC_MAT_INLINE twofold twofold_times(twofold a, twofold b)
{
    const twofold product = two_product(a.hi, b.hi);
    return twofold_normal(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

TC_MAT_INLINE twofold twofold_negative(twofold a)
{
    return (twofold){-a.hi, -a.lo};
}

TC_MAT_INLINE twofold twofold_from(tc_real a)
{
    return (twofold){a, TC_C(0.0)};
}

/* sum + a b, out of line: 40 instructions */
static LCP_COLD twofold twofold_accumulate(twofold sum, twofold a, twofold b)
{
    return twofold_plus(sum, twofold_times(a, b));
}

/* 1 / sqrt(a): one step of Newton's from that of tc_real */
static LCP_COLD twofold inverse_root_twofold(twofold a)
{
    const tc_real y = TC_C(1.0) / tc_sqrt(a.hi);
    const twofold error = twofold_plus(twofold_from(TC_C(1.0)),
                                       twofold_negative(twofold_times(a, two_product(y, y))));
    return twofold_normal(y, TC_C(0.5) * y * error.hi);
}

/* ---- The problem ----------------------------------------------------------------------------- */

static LCP_COLD twofold twofold_element(const tci_lcp_state *s, uint32_t i, uint32_t j)
{
    if (s->J == NULL) {
        return twofold_from(s->M[i * s->n + j]);
    }
    twofold sum = twofold_from(TC_C(0.0));
    for (uint32_t k = 0; k < s->d; ++k) {
        sum = twofold_plus(sum, two_product(s->J[i * s->d + k], s->J[j * s->d + k]));
    }
    return sum;
}

/* w_i; `lower` holds the lower halves of z, or is null */
static LCP_COLD twofold velocity_twofold(const tci_lcp_state *s, const tc_real *q,
                                         const tc_real *lower, uint32_t i)
{
    twofold w = twofold_from(q[i]);
    for (uint32_t k = 0; k < s->count; ++k) {
        const uint32_t j = s->order[k];
        w = twofold_accumulate(w, twofold_element(s, i, j),
                               (twofold){s->z[j], lower != NULL ? lower[j] : TC_C(0.0)});
    }
    return w;
}

LCP_COLD void tci_lcp_judge_exactly(tci_lcp_state *s, const tc_real *q)
{
    tci_lcp_exact_scale(s, q);
    s->violation = TC_C(0.0);
    for (uint32_t i = 0; i < s->n; ++i) {
        const tc_real w = velocity_twofold(s, q, NULL, i).hi;
        s->w[i] = w;
        s->violation = tc_vec_max(s->violation, s->z[i] > TC_C(0.0) ? tc_vec_magnitude(w) : -w);
    }
}

LCP_COLD tc_real tci_lcp_row_exactly(const tc_real *row, const tc_real *z, uint32_t n, tc_real q)
{
    twofold sum = twofold_from(q);
    for (uint32_t j = 0; j < n; ++j) {
        sum = twofold_plus(sum, two_product(row[j], z[j]));
    }
    return sum.hi;
}

/* ---- Active set ------------------------------------------------------------------------------ */

/* tc_lcp_internal.h's workspace from its start: x, over c and x there; behind `ray` the factor */
TC_MAT_INLINE twofold *target_of(const tci_lcp_state *s)
{
    return (twofold *)(void *)s->c;
}

TC_MAT_INLINE twofold *row_of(const tci_lcp_state *s, uint32_t k)
{
    return (twofold *)(void *)s->spare + k * (k + 1u) / 2u;
}

/* L^T x = x */
static LCP_COLD void substitute_back(const tci_lcp_state *s, twofold *x)
{
    for (uint32_t j = s->count; j-- > 0;) {
        twofold sum = x[j];
        for (uint32_t i = j + 1u; i < s->count; ++i) {
            sum = twofold_accumulate(sum, twofold_negative(row_of(s, i)[j]), x[i]);
        }
        x[j] = twofold_times(sum, row_of(s, j)[j]);
    }
}

/* x = the null direction over A of the row at position `count`, whose own part is 1 */
static inline void null_direction(const tci_lcp_state *s)
{
    twofold *const x = target_of(s);
    for (uint32_t j = 0; j < s->count; ++j) {
        x[j] = twofold_negative(row_of(s, s->count)[j]);
    }
    substitute_back(s, x);
}

/* Whether what is left of contact p's diagonal may be rounding; x becomes the null direction */
static LCP_COLD int dependent_twofold(const tci_lcp_state *s, uint32_t p, tc_real rest)
{
    const twofold *const x = target_of(s);
    tc_real sum = tci_lcp_root(s, p);
    null_direction(s);
    for (uint32_t j = 0; j < s->count; ++j) {
        sum = TC_MLA(sum, tc_vec_magnitude(x[j].hi), tci_lcp_root(s, s->order[j]));
    }
    return !(rest > ROUNDING_TWOFOLD * sum * sum) || (s->J != NULL && s->count == s->d);
}

/* Appends contact p. 0: it depends on the working set, and x is the null direction */
static LCP_COLD int append_twofold(tci_lcp_state *s, uint32_t p)
{
    const uint32_t count = s->count;
    twofold *const l = row_of(s, count);
    const twofold diagonal = twofold_element(s, p, p);
    twofold rest = diagonal;
    ++s->changes;
    for (uint32_t j = 0; j < count; ++j) {
        const twofold *const L = row_of(s, j);
        twofold sum = twofold_element(s, p, s->order[j]);
        for (uint32_t i = 0; i < j; ++i) {
            sum = twofold_accumulate(sum, twofold_negative(l[i]), L[i]);
        }
        l[j] = twofold_times(sum, L[j]);
        rest = twofold_accumulate(rest, twofold_negative(l[j]), l[j]);
    }
    if (!(rest.hi > LOOK_TWOFOLD * diagonal.hi) && dependent_twofold(s, p, rest.hi)) {
        return 0;
    }
    l[count] = inverse_root_twofold(rest);
    s->order[count] = (uint8_t)p;
    s->count = count + 1u;
    return 1;
}

/* x = -M_AA^-1 q_A */
static LCP_COLD void solve_twofold(const tci_lcp_state *s, const tc_real *q)
{
    twofold *const x = target_of(s);
    for (uint32_t j = 0; j < s->count; ++j) {
        const twofold *const L = row_of(s, j);
        twofold sum = twofold_from(-q[s->order[j]]);
        for (uint32_t i = 0; i < j; ++i) {
            sum = twofold_accumulate(sum, twofold_negative(L[i]), x[i]);
        }
        x[j] = twofold_times(sum, L[j]);
    }
    substitute_back(s, x);
}

static LCP_COLD void set_answer(tci_lcp_state *s, uint32_t i, twofold z)
{
    s->z[i] = z.hi;
    s->w[i] = z.lo;
}

/* Cuts position `at` out; 0 if one behind it has become dependent */
static LCP_COLD int leave_twofold(tci_lcp_state *s, uint32_t at)
{
    const uint32_t count = s->count;
    set_answer(s, s->order[at], twofold_from(TC_C(0.0)));
    s->count = at;
    for (uint32_t j = at + 1u; j < count; ++j) {
        const uint32_t p = s->order[j];
        if (!append_twofold(s, p)) {
            return 0;
        }
    }
    return 1;
}

/* The working set begins with the contacts of `mask`, without those that pull; 0: limit, or
 * dependent */
static LCP_COLD int begin_twofold(tci_lcp_state *s, const tc_real *q, tc_lcp_set mask)
{
    s->count = 0;
    for (uint32_t i = 0; i < s->n; ++i) {
        set_answer(s, i, twofold_from(TC_C(0.0)));
        if ((mask >> i & 1u) != 0) {
            (void)append_twofold(s, i);
        }
    }
    while (s->changes <= s->limit) {
        const twofold *const x = target_of(s);
        uint32_t least = 0;
        solve_twofold(s, q);
        for (uint32_t j = 1; j < s->count; ++j) {
            least = x[j].hi < x[least].hi ? j : least;
        }
        if (s->count == 0 || x[least].hi > TC_C(0.0)) {
            for (uint32_t j = 0; j < s->count; ++j) {
                set_answer(s, s->order[j], x[j]);
            }
            return 1;
        }
        if (!leave_twofold(s, least)) {
            return 0;
        }
    }
    return 0;
}

/* The contact that approaches, and does so most by w^2 / M_ii; n: none does */
static LCP_COLD uint32_t worst_twofold(const tci_lcp_state *s, const tc_real *q)
{
    uint32_t at = s->n;
    tc_lcp_set carrying = s->ignored;
    tc_real most = TC_C(-1.0);
    for (uint32_t j = 0; j < s->count; ++j) {
        carrying |= LCP_BIT(s->order[j]);
    }
    for (uint32_t i = 0; i < s->n; ++i) {
        const tc_real w =
            (carrying >> i & 1u) != 0 ? TC_C(0.0) : velocity_twofold(s, q, s->w, i).hi;
        const tc_real merit = w * (w / twofold_element(s, i, i).hi);
        if (w < -APPROACH * s->largest_q && !(merit <= most)) {
            most = merit;
            at = i;
        }
    }
    return at;
}

/* How far z may go, at most to x (`appended`) or along it, and the position that blocks, or
 * count */
static LCP_COLD uint32_t blocking_twofold(const tci_lcp_state *s, int appended, uint32_t p,
                                          tc_real *step)
{
    const twofold *const x = target_of(s);
    const tc_real least = APPROACH * tci_lcp_root(s, p);
    uint32_t at = s->count;
    *step = appended ? TC_C(1.0) : UNBOUNDED_TWOFOLD;
    for (uint32_t j = 0; j < s->count; ++j) {
        const tc_real z = s->z[s->order[j]], fall = appended ? z - x[j].hi : -x[j].hi;
        const int falls =
            appended ? !(x[j].hi > TC_C(0.0)) : fall * tci_lcp_root(s, s->order[j]) > least;
        if (falls && (at == s->count || z < *step * fall)) {
            *step = fall > TC_C(0.0) ? z / fall : TC_C(0.0);
            at = j;
        }
    }
    return at;
}

/* z by `step` towards x, or along it; the contact at the end of a null direction is p */
static LCP_COLD void go_twofold(tci_lcp_state *s, int appended, tc_real step, uint32_t p)
{
    for (uint32_t j = 0; j < s->count + (appended ? 0u : 1u); ++j) {
        const uint32_t i = j < s->count ? s->order[j] : p;
        const twofold z = {s->z[i], s->w[i]};
        twofold by = j < s->count ? target_of(s)[j] : twofold_from(TC_C(1.0));
        by = appended ? twofold_plus(by, twofold_negative(z)) : by;
        const twofold next = twofold_accumulate(z, twofold_from(step), by);
        set_answer(s, i, next.hi > TC_C(0.0) ? next : twofold_from(TC_C(0.0)));
    }
}

static LCP_COLD void write_ray_twofold(tci_lcp_state *s, uint32_t p)
{
    for (uint32_t i = 0; i < s->n; ++i) {
        s->ray[i] = i == p ? TC_C(1.0) : TC_C(0.0);
    }
    for (uint32_t j = 0; j < s->count; ++j) {
        s->ray[s->order[j]] = tc_vec_max(target_of(s)[j].hi, TC_C(0.0));
    }
}

/* Lets contact p carry, as in tc_lcp_active.c */
static LCP_COLD lcp_outcome enter_twofold(tci_lcp_state *s, const tc_real *q, uint32_t p)
{
    for (uint32_t round = 0; round <= s->n && s->changes <= s->limit; ++round) {
        tc_real step;
        const int appended = append_twofold(s, p);
        if (appended) {
            solve_twofold(s, q);
        }
        if (appended && !(target_of(s)[s->count - 1u].hi > TC_C(0.0))) {
            --s->count; /* what approached was rounding */
            s->ignored |= LCP_BIT(p);
            return s->z[p] > TC_C(0.0) ? LCP_STUCK : LCP_SOLVED;
        }
        const uint32_t at = blocking_twofold(s, appended, p, &step);
        if (!appended && at == s->count) {
            s->worst = p;
            return LCP_RAY;
        }
        go_twofold(s, appended, step, p);
        if (at == s->count) {
            s->ignored = 0;
            return LCP_SOLVED;
        }
        s->count -= (uint32_t)appended;
        if (!leave_twofold(s, at)) {
            return LCP_STUCK;
        }
    }
    return LCP_LIMIT;
}

/* w of z as it is, z rounded, and what is wrong with that */
static LCP_COLD void hand_out(tci_lcp_state *s, const tc_real *q)
{
    twofold *const kept = target_of(s);
    for (uint32_t i = 0; i < s->n; ++i) {
        kept[i] = velocity_twofold(s, q, s->w, i);
    }
    tci_lcp_judge_exactly(s, q);
    s->active = 0;
    for (uint32_t i = 0; i < s->n; ++i) {
        s->w[i] = kept[i].hi;
        s->active |= (tc_lcp_set)(s->z[i] > TC_C(0.0) ? 1u : 0u) << i;
    }
}

LCP_COLD lcp_outcome tci_lcp_twofold(tci_lcp_state *s, const tc_real *q, tc_lcp_set guess,
                                     int proof)
{
    s->limit = s->changes + LCP_LIMIT_OF(s->n);
    s->ignored = 0;
    if (!begin_twofold(s, q, guess)) {
        return LCP_STUCK;
    }
    for (;;) {
        const uint32_t p = worst_twofold(s, q);
        if (p == s->n) {
            hand_out(s, q);
            return LCP_SOLVED;
        }
        const lcp_outcome outcome = enter_twofold(s, q, p);
        if (outcome == LCP_RAY && proof) {
            /* enter_twofold left the contact itself there */
            write_ray_twofold(s, (uint32_t)s->worst);
        }
        if (outcome != LCP_SOLVED) {
            return outcome;
        }
    }
}
