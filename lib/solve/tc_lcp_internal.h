/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the methods behind tc_lcp_solve share: the working set with its triangular factor, and the
 * judge. Not for users.
 *
 * Working set A: contacts assumed to carry, z_A > 0 and w_A = 0, so M_AA z_A = -q_A. With M_AA = L
 * L^T
 *
 *     L c = -q_A,   L^T z_A = c
 *
 * so c is one more row of the factor: appending a contact appends one number to c, and cutting the
 * factor off behind its first t rows leaves c right, too. From M the row of L is Cholesky's; from J
 * it is Gram-Schmidt's, J_A = L Q with orthonormal rows of Q, and M is never formed. All else is
 * the same.
 */
#ifndef TC_LCP_INTERNAL_H
#define TC_LCP_INTERNAL_H

#include "tc_lcp.h"
#include "tc_work.h"
#include "tc_mat_fixed.h"
#include "tc_vec.h"

#include <math.h>
#include <string.h>

/* w = M z + q cannot be better than this part of the terms that cancel in it. */
#define LCP_NOISE (TC_C(4.0) * TC_EPSILON)

/* Where rounding decides about rank z, too, is off: by this part of its own terms w < 0 is no
 * approach. */
#define LCP_ROUNDING (TC_C(0.5) * TC_LCP_TOLERANCE)

/* A violation below this part of the scale is held against its own terms. */
#define LCP_DOUBTFUL TC_C(1e-4)

/* Terms of w this many times as large as q are no solution but a step along a null vector. */
#define LCP_GROWTH TC_C(1e5)

/* Terms of w up to this many times as large as q: rounding of w is nothing beside q, for
 * TC_LCP_TOLERANCE LCP_PLAIN <= TC_LCP_ERROR. What is larger is judged by sums of twice the
 * length. */
#define LCP_PLAIN TC_C(256.0)

/* Functions that only doubtful (COLD) or larger (APART) problems reach, kept out of the others'
 * registers */
#if defined(__GNUC__)
#define LCP_COLD __attribute__((noinline, cold))
#define LCP_APART __attribute__((noinline))
#else
#define LCP_COLD
#define LCP_APART
#endif

/* Numbers as integers: those with a sign, and what is not finite, are not below LCP_INFINITE;
 * without their sign they are ordered as the numbers are, NaN above all. Comparing floats takes two
 * instructions more. */
#ifdef TC_DOUBLE
typedef uint64_t lcp_bits;
#define LCP_INFINITE 0x7ff0000000000000u
#define LCP_SIGN 0x8000000000000000u
#else
typedef uint32_t lcp_bits;
#define LCP_INFINITE 0x7f800000u
#define LCP_SIGN 0x80000000u
#endif

TC_MAT_INLINE lcp_bits lcp_to_bits(tc_real x)
{
    lcp_bits bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

TC_MAT_INLINE tc_real lcp_from_bits(lcp_bits bits)
{
    tc_real x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 0 <= x < infinity */
TC_MAT_INLINE int lcp_positive(tc_real x)
{
    return lcp_to_bits(x) < LCP_INFINITE;
}

#define LCP_BIT(i) ((tc_lcp_set)1u << (i))

/* The first n contacts; a shift by all bits of the set would be undefined. */
TC_MAT_INLINE tc_lcp_set lcp_first(uint32_t n)
{
    return TC_LCP_MAX % 32u != 0u || n < TC_LCP_MAX ? LCP_BIT(n) - 1u : ~(tc_lcp_set)0u;
}

/* The lowest bit of a mask that is not 0 */
TC_MAT_INLINE uint32_t lcp_lowest(tc_lcp_set mask)
{
#if defined(__GNUC__) && TC_LCP_MAX > 32u
    return (uint32_t)__builtin_ctzll(mask);
#elif defined(__GNUC__)
    return (uint32_t)__builtin_ctz(mask);
#else
    uint32_t i = 0;
    while ((mask >> i & 1u) == 0) {
        ++i;
    }
    return i;
#endif
}

typedef enum lcp_outcome {
    LCP_SOLVED, /* no contact approaches beyond rounding; judged */
    LCP_RAY,    /* `ray` holds what may prove that there is no solution */
    LCP_STUCK,  /* rounding decides: another method has to */
    LCP_LIMIT   /* more changes than the bound */
} lcp_outcome;

typedef struct tci_lcp_state tci_lcp_state;

/* What depends on whether M or J is given. Reached through pointers, so that a program which calls
 * only tc_lcp_from_rows links nothing of the other kind, and the other way round. */
typedef struct lcp_source {
    /* Appends the contacts of `mask`, in ascending order, that are independent of the working set
     * before. first: not 0: that bit before the others, and from M only those that approach when
     * the set carries. Where one is not appended, position `count` of L holds its row without the
     * diagonal, and x, if it was the last and depends on the others, the null direction: M (x, 1) =
     * 0 over (A, p). */
    void (*append)(tci_lcp_state *s, tc_lcp_set mask, tc_lcp_set first);
    /* w = M z + q over the carrying contacts of the working set, and what is wrong with it */
    void (*judge)(tci_lcp_state *s, const tc_real *q);
    /* The first working set, from what s->violated and s->worst say */
    void (*start)(tci_lcp_state *s);
    /* For what the active set could not settle, or null. `q` is the problem's. Leaves z, w and a
     * judgement (LCP_SOLVED: to be certified), or a ray. */
    lcp_outcome (*otherwise)(tci_lcp_state *s, const tc_real *q);
} lcp_source;

extern const lcp_source tci_lcp_matrix; /* tc_lcp_matrix.c */
extern const lcp_source tci_lcp_rows;   /* tc_lcp_rows.c */

/* One problem on its way. */
struct tci_lcp_state {
    const lcp_source *from;
    const tc_real *M; /* [n x n], or null: */
    const tc_real *J; /* [n x d] */
    const tc_real *q; /* [n] the proximal method lets the active set see another q than the judge */
    tc_real *z;       /* [n] the caller's, by contact */
    tc_real *w;       /* [n] the caller's */
    tc_real *L;       /* row k at L + k (k + 1) / 2, ends with 1 / L_kk */
    tc_real *c;       /* [n] by position in the working set, as x and Q */
    tc_real *x;       /* [n] z_A of the working set, or its null direction */
    tc_real *Q;       /* [min(n, d) x d] only with J */
    tc_real *ray;     /* [n] by contact: a null vector y >= 0 with q^T y < 0, perhaps */
    tc_real *spare;   /* [2 n] with J the second n are M_ii, by contact, of what was appended */
    uint32_t n;
    uint32_t d;
    uint32_t count;      /* contacts in the working set */
    uint32_t changes;    /* rows appended, or tried */
    uint32_t limit;      /* on changes */
    tc_lcp_set ignored;  /* contacts whose w < 0 has turned out to be rounding */
    tc_lcp_set active;   /* the working set, a bit per contact; right when it is to be judged */
    tc_lcp_set violated; /* contacts that approach, found by the judge; from J the worst only */
    tc_lcp_set worst;    /* that with the largest -w, perhaps by rounding only; as a bit */
    uint32_t solvable;   /* 1: there is a solution, though perhaps beyond what tc_real can tell */
    tc_real shift;       /* factor on the diagonal: 1, proximal 1 + phi */
    tc_real largest_q;   /* max |q_i| of the problem */
    tc_real scale;       /* from below: max |q_i|; or as defined */
    tc_real carrying;    /* of the last judgement: max |w_i| over the working set */
    tc_real violation;   /* of the last judgement: residual * scale; NaN if anything read was not
                          * finite */
    uint8_t order[TC_LCP_MAX]; /* position in the working set -> contact */
};

/* Changes that the active set may take, and the proximal method once more in all its steps. A
 * contact that leaves has those behind it appended again, up to n of them: changes grow with n^2,
 * and beyond 16 contacts so does this. */
#if TC_LCP_MAX > 16u
#define LCP_LIMIT_OF(n) ((n) > 16u ? (5u * (n) + 20u) * (n) / 16u : 5u * (n) + 20u)
#else
#define LCP_LIMIT_OF(n) (5u * (n) + 20u)
#endif

/* ---- Working set and judge (tc_lcp_matrix.c) ------------------------------------------------- */

/* L^T x = c over the first `count` positions; c may be any row */
void tci_lcp_back(const tci_lcp_state *s, const tc_real *c, tc_real *x);

/* x = the null direction that belongs to the row at position `count` */
void tci_lcp_null_direction(tci_lcp_state *s);

/* product = M y */
void tci_lcp_multiply(const tci_lcp_state *s, const tc_real *y, tc_real *product);

/* values_A -= the solution of M_AA x = error_A, both by contact; none below `least`. Uses x. */
void tci_lcp_correct(tci_lcp_state *s, const tc_real *error, tc_real *values, tc_real least);

/* M_ij, by whatever is given, and sqrt(M_ii) */
tc_real tci_lcp_element(const tci_lcp_state *s, uint32_t i, uint32_t j);
tc_real tci_lcp_root(const tci_lcp_state *s, uint32_t i);

/* sum_j |M_ij| z_j + |q_i| */
tc_real tci_lcp_terms(const tci_lcp_state *s, uint32_t i, tc_real q);

/* The scale as defined, not from below */
void tci_lcp_exact_scale(tci_lcp_state *s, const tc_real *q);

/* ---- Methods --------------------------------------------------------------------------------- */

/* All take the arguments of tc_lcp_solve as they are, so that calls from one to the next are
 * jumps. */
typedef tc_status tci_lcp_method(const tc_lcp *problem, tc_real *z, tc_real *w, tc_lcp_info *info,
                                 tc_real *work, size_t work_len);

/* tc_lcp_small.c: n = 1..4 from semi-definite M, `problem` not null; what they cannot certify goes
 * to .. */
tci_lcp_method tci_lcp_one, tci_lcp_two, tci_lcp_three, tci_lcp_four;

/* .. tc_lcp.c: any n from semi-definite M but the closed forms, with all border checks */
tci_lcp_method tci_lcp_any;

/* tc_lcp_active.c: dual active set on s->q, from z = 0, starting with the contacts of `guess`, or,
 * if it is 0, with those in s->violated, the one in s->worst first */
lcp_outcome tci_lcp_active(tci_lcp_state *s, tc_lcp_set guess);

/* The working set is the contacts that carry in z as it is, without a factor */
void tci_lcp_gather(tci_lcp_state *s);

/* tc_lcp_proximal.c: as lcp_source says, from M */
lcp_outcome tci_lcp_proximal(tci_lcp_state *s, const tc_real *q);

/* tc_lcp_twofold.c: active set in numbers of twice the length, starting with the contacts of
 * `guess`; from M or J. LCP_SOLVED: z is rounded, w is that before z was; judged by sums of twice
 * the length. `ray` stays as it was, or, if `proof`, holds a null vector (LCP_RAY); all other work
 * is lost. */
lcp_outcome tci_lcp_twofold(tci_lcp_state *s, const tc_real *q, tc_lcp_set guess, int proof);

/* The judgement of z on the working set by sums of twice the length, with the scale as defined */
void tci_lcp_judge_exactly(tci_lcp_state *s, const tc_real *q);

/* q + row . z by a sum of twice the length */
tc_real tci_lcp_row_exactly(const tc_real *row, const tc_real *z, uint32_t n, tc_real q);

/* tc_lcp_lemke.c: any M */
tc_status tci_lcp_lemke(const tc_lcp *problem, tc_real *z, tc_real *w, tc_lcp_info *info,
                        tc_real *work);

/* ---- Small things ---------------------------------------------------------------------------- */

/* Whether nothing overflows or vanishes: the largest |M_ij| or |J_ij|, and |q_i|; the limit of the
 * first */
TC_MAT_INLINE int lcp_in_range(tc_real largest, tc_real largest_q, tc_real limit)
{
    return (largest == TC_C(0.0) || (largest <= limit && largest >= TC_C(1.0) / limit))
           && (largest_q == TC_C(0.0)
               || (largest_q <= TC_LCP_LARGEST && largest_q >= TC_LCP_SMALLEST));
}

/* Row k of the packed factor */
TC_MAT_INLINE tc_real *lcp_row(const tci_lcp_state *s, uint32_t k)
{
    return s->L + k * (k + 1u) / 2u;
}

/* Whether contact i, outside A, approaches by more than rounding */
TC_MAT_INLINE int lcp_approaches(const tci_lcp_state *s, uint32_t i, tc_real q)
{
    const tc_real w = s->w[i], size = tc_vec_magnitude(w - q) + tc_vec_magnitude(q);
    if (!(-w > LCP_NOISE * size)) {
        return 0;
    }
    return !(-w < LCP_DOUBTFUL * s->scale) || s->shift != TC_C(1.0)
           || -w > LCP_ROUNDING * tci_lcp_terms(s, i, q);
}

/* The judgement, when w, s->violated and s->worst are there; violation: the largest outside A */
TC_MAT_INLINE void lcp_weigh(tci_lcp_state *s, const tc_real *q, lcp_bits violation)
{
    lcp_bits carrying = 0;
    const uint8_t *const end = s->order + s->count;
    for (const uint8_t *contact = s->order; contact != end; ++contact) {
        const lcp_bits size = lcp_to_bits(s->w[*contact]) & ~LCP_SIGN;
        carrying = size > carrying ? size : carrying;
    }
    s->carrying = lcp_from_bits(carrying);
    s->violation = lcp_from_bits(violation > carrying ? violation : carrying);
    s->violated &= ~s->ignored;
    for (tc_lcp_set left = s->violated; left != 0; left &= left - 1u) {
        const uint32_t i = lcp_lowest(left);
        if (!lcp_approaches(s, i, q[i])) {
            s->violated &= ~LCP_BIT(i);
        }
    }
}

#endif
