/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * What the files of tc_implicit share: the workspace's arrays and the two spaces.
 *
 * Terms. A body's chart is (t, theta): its points move as c + t + exp([theta]x)(x - c), with c its
 * centre. A chart has 3 numbers in the plane and 6 in space. Freedom i of a joint moves the bodies
 * behind it by a column: the chart's derivative. Symmetric matrices are packed lower triangles by
 * rows: element (i, j <= i) is number i (i + 1) / 2 + j.
 *
 * Poses. Plane: cosine, sine, x, y, angle. Space: rotation[9], position[3] (tc_convex_pose).
 */
#ifndef TC_IMPLICIT_INTERNAL_H
#define TC_IMPLICIT_INTERNAL_H

#include "tc_implicit.h"

#include "tc_barrier_internal.h"
#include "tc_vec.h"

#define TCI_IMPLICIT_CHART 6u /* largest number of a chart's numbers */
#define TCI_IMPLICIT_POSE 12u /* most numbers of a pose */
#define TCI_IMPLICIT_SUMS (sizeof(tci_barrier_state) / sizeof(tc_real))
#define TCI_IMPLICIT_PACKED(n) ((n) * ((n) + 1u) / 2u)

/* The arrays of one call. */
typedef struct tci_implicit_run {
    const tc_implicit_scene *scene;
    const tc_implicit_space *space;
    const tc_real *control; /* [sizes.control] */
    const tc_real *state;   /* [sizes.state] */
    tc_implicit_sizes sizes;
    tc_real *index;         /* [bodies x 3] of a body: first coordinate, freedom, control */
    tc_real *reach;         /* [pieces] of a piece: largest |vertex| [m] */
    tc_real *at_before;     /* [bodies x pose] */
    tc_real *at_now;        /* [bodies x pose] */
    tc_real *at;            /* [bodies x pose] of the iterate */
    tc_real *at_trial;      /* [bodies x pose] */
    tc_real *axes;          /* [freedoms x 6] of the iterate's joints: direction, origin */
    tc_real *coast;         /* [bodies x target] where material points would be */
    tc_real *q;             /* [coordinates] of the iterate */
    tc_real *q_trial;       /* [coordinates] */
    tc_real *plane_now;     /* [pairs x plane] at the state */
    tc_real *plane;         /* [pairs x plane] of the iterate */
    tc_real *plane_trial;   /* [pairs x plane] */
    tc_real *sums;          /* [pairs] of tci_barrier_state, the iterate */
    tc_real *sums_trial;    /* the same of the trial */
    tc_real *spare;         /* of tci_barrier_state: of the search for a plane */
    tc_real *rate;          /* [pairs x plane x 2 charts] derivatives of the iterate's planes */
    tc_real *shift;         /* [pairs x plane] Newton steps of the iterate's planes */
    tc_real *clear;         /* [pairs x 2 + floors x pieces] smallest clearances of the iterate */
    tc_real *clear_trial;   /* the same of the trial */
    tc_real *body_gradient; /* [bodies x chart] */
    tc_real *body_hessian;  /* [bodies x packed chart] */
    tc_real *move;          /* [bodies x chart] of the direction */
    tc_real *bound;         /* [bodies x 2] of the direction: turn, acceleration of the centre */
    tc_real *gradient;      /* [freedoms] */
    tc_real *direction;     /* [freedoms] */
    tc_real *hessian;       /* [packed freedoms] */
    tc_real *factor;        /* [packed freedoms] */
    tc_real *columns;       /* [2 x freedoms x chart] scratch */
    tc_real value, value_trial; /* [J] */
    tc_real gap, gap_trial;     /* smallest [m] */
    tc_real turn;               /* largest turn of the direction [rad] */
    tc_status note, note_trial;
    int held;               /* some body is not free: columns are needed */
    int rough, rough_trial; /* some plane is near the best one only */
    int fresh;              /* rates and shifts are those of the iterate */
    int balls;              /* some piece is a ball about its body's centre */
    uint32_t culprit;       /* the pair that refused */
} tci_implicit_run;

/* A pair's derivatives, in both charts */
typedef struct tci_implicit_local {
    tc_real gradient[2u * TCI_IMPLICIT_CHART];
    tc_real hessian[TCI_IMPLICIT_PACKED(2u * TCI_IMPLICIT_CHART)];
} tci_implicit_local;

/* What a search over planes finds */
typedef struct tci_implicit_found {
    tc_real value, gap; /* of the barrier [1/m]; between the sides, along the normal [m] */
    tc_real excess;     /* share by which the plane's Q is above the best one's, nearly */
    tc_real clear[2];   /* of both sides, times |n| */
    tc_real plane[4];
} tci_implicit_found;

/* A plane or space: sizes and what depends on them. */
struct tc_implicit_space {
    uint32_t dimension;     /* 2; 3 */
    uint32_t chart;         /* 3; 6 */
    uint32_t plane;         /* 3; 4 */
    uint32_t pose;          /* 5; 12 */
    uint32_t position;      /* of the position in a pose: 2; 9 */
    uint32_t target;        /* 3; 12 */
    uint8_t coordinates[5]; /* of each joint */
    uint8_t freedoms[5];    /* of each joint */
    uint8_t scalars[5];     /* leading coordinates that just add */
    uint8_t supported[5];
    /* Poses and joint axes (NULL: none wanted) of all bodies */
    void (*place)(const tc_implicit_scene *scene, const tc_real *q, tc_real *at, tc_real *axes);
    /* The same of free bodies, as far as `carry_back` needs it */
    void (*mark)(const tc_implicit_scene *scene, const tc_real *q, tc_real *at, tc_real *axes);
    /* The column of a freedom at a body */
    void (*column)(const tc_real *axis, int turns, const tc_real *at, tc_real *column);
    /* g . second derivative of a body's chart by a freedom that turns and by another one, `behind`
     * it, which turns or not; or by two of the same joint */
    tc_real (*curve)(const tc_real *axis, const tc_real *behind, int turns, int same,
                     const tc_real *at, const tc_real *g);
    /* Where a body's points would coast */
    void (*aim)(const tc_implicit_scene *scene, const tc_real *now, const tc_real *before,
                tc_real *coast);
    /* Inertia and drag of a body: the value; with gradient[chart] != NULL, also adds derivatives */
    tc_real (*carry)(const tc_implicit_scene *scene, const tc_implicit_body *body,
                     const tc_real *coast, const tc_real *now, const tc_real *at, tc_real *gradient,
                     tc_real *hessian);
    /* Adds -C^T y to charts now and before, C the mixed derivatives of `carry` */
    void (*carry_back)(const tc_implicit_scene *scene, const tc_implicit_body *body,
                       const tc_real *before, const tc_real *now, const tc_real *at,
                       const tc_real *y, tc_real *chart_now, tc_real *chart_before);
    /* A whole pull where all bodies are free and nothing has friction; y: [freedoms] scratch; NULL in
     * space */
    void (*pull)(const tc_implicit_scene *scene, const tc_real *state, const tc_real *next,
                 const tc_real *factor, const tc_real *gradient_next, tc_real *gradient_state,
                 tc_real *gradient_control, tc_real *y);
    /* Drive and damping of a quaternion, the same way; NULL in the plane */
    tc_real (*swing)(const tc_implicit_scene *scene, const tc_implicit_body *body,
                     const tc_real *control, const tc_real *now, const tc_real *q,
                     tc_real *gradient, tc_real *hessian);
    void (*swing_back)(const tc_implicit_scene *scene, const tc_implicit_body *body,
                       const tc_real *control, const tc_real *now, const tc_real *q,
                       const tc_real *y, tc_real *pull_now, tc_real *pull_control);
    /* A plane with its sums, centred, and the smallest clearances of both sides from it: 0, or 1 if it
     * separates */
    int (*look)(const tc_implicit_scene *scene, uint32_t pair, const tc_real *at,
                const tc_real *plane, tci_barrier_state *state, tc_real clear[2]);
    /* Minimum over planes, from a state that separates, which stays if its Q is above the minimum by
     * at most that share; share < 0: from nothing. The plane and its clearances are results, too.
     * The spare state is scratch. */
    tc_status (*solve)(const tc_implicit_scene *scene, uint32_t pair, const tc_real *at,
                       tc_real share, tci_barrier_state *state, tci_barrier_state *spare,
                       tci_implicit_found *found);
    /* Derivatives at the best plane */
    void (*derive)(const tc_implicit_scene *scene, uint32_t pair, const tc_real *at,
                   tci_barrier_state *state, const tci_barrier_result *result);
    /* A piece above a floor: value, smallest height; derivatives are added if gradient is not NULL */
    tc_real (*rise)(const tc_implicit_scene *scene, uint32_t floor, uint32_t piece,
                    const tc_real *at, tc_real *height, tc_real *gradient, tc_real *hessian);
    /* A pose as position and rotation matrix in space */
    void (*expand)(const tc_real *at, tc_real c[3], tc_real R[9]);
};

static inline uint32_t tci_implicit_first(const tci_implicit_run *run, uint32_t body, uint32_t kind)
{
    return (uint32_t)run->index[3u * body + kind];
}

static inline int tci_implicit_is_free(const tc_implicit_body *body)
{
    return body->joint == TC_IMPLICIT_FREE;
}

static inline uint32_t tci_implicit_parent(const tc_implicit_body *body)
{
    return tci_implicit_is_free(body) ? TC_IMPLICIT_WORLD : body->parent;
}

/* Whether freedom i of a joint turns. */
static inline int tci_implicit_turns(const tc_implicit_space *space, tc_implicit_joint joint,
                                     uint32_t i)
{
    if (joint == TC_IMPLICIT_FREE) return i >= space->dimension;
    return joint == TC_IMPLICIT_HINGE || joint == TC_IMPLICIT_BALL;
}

/* Number of a body's controls */
static inline uint32_t tci_implicit_controls(const tc_implicit_space *space,
                                             const tc_implicit_body *body)
{
    uint32_t count = 0;
    if (body->drive == TC_IMPLICIT_NONE) return 0;
    for (uint32_t i = 0; i < space->freedoms[body->joint]; ++i) count += body->driven >> i & 1u;
    return count;
}

static inline tci_barrier_state *tci_implicit_sums(tc_real *sums, uint32_t pair)
{
    return (tci_barrier_state *)(void *)sums + pair;
}

static inline tc_real *tci_implicit_at(const tci_implicit_run *run, tc_real *at, uint32_t body)
{
    return at + body * run->space->pose;
}

/* acc + sum a x, and acc - sum a x; loops that stay loops, as n is known at run time only */
static inline tc_real tci_implicit_dot(tc_real acc, const tc_real *a, const tc_real *x, uint32_t n)
{
    for (uint32_t k = 0; k < n; ++k) acc = TC_MLA(acc, a[k], x[k]);
    return acc;
}

static inline tc_real tci_implicit_less(tc_real acc, const tc_real *a, const tc_real *x, uint32_t n)
{
    for (uint32_t k = 0; k < n; ++k) acc = TC_MLS(acc, a[k], x[k]);
    return acc;
}

/* A pair's row of packed elements */
static inline tc_real *tci_implicit_cell(tc_real *packed, uint32_t i, uint32_t j)
{
    return i >= j ? packed + TCI_IMPLICIT_PACKED(i) + j : packed + TCI_IMPLICIT_PACKED(j) + i;
}

/* tc_implicit_run.c: lays the arrays out; returns their length; work may be NULL then */
size_t tci_implicit_lay(tci_implicit_run *run, const tc_implicit_scene *scene, tc_real *work);
void tci_implicit_number(tci_implicit_run *run);
/* That length where all bodies are free */
size_t tci_implicit_length(const tc_implicit_scene *scene);
/* Number of a scene's numbers of planes */
uint32_t tci_implicit_planes(const tc_implicit_scene *scene);
/* y of locked freedoms becomes 0 */
void tci_implicit_lock(const tci_implicit_run *run, tc_real *y);
/* Whether some pair has friction: its derivatives need the planes at the state. */
int tci_implicit_rubs(const tc_implicit_scene *scene);
/* increment[freedoms] from one set of coordinates to another */
void tci_implicit_part(const tc_implicit_scene *scene, const tc_real *to, const tc_real *from,
                       tc_real *increment);
/* q = from + share * direction, all bodies */
void tci_implicit_advance(const tc_implicit_scene *scene, const tc_real *from, tc_real share,
                          const tc_real *direction, tc_real *q);

/* tc_implicit_tree.c */
/* Columns of all freedoms that move a body, from its own joint to the root: rows of chart numbers,
 * then the freedom's index, whether it turns, and its body. Returns how many. */
#define TCI_IMPLICIT_ROW(space) ((space)->chart + 3u)
uint32_t tci_implicit_columns_of(const tci_implicit_run *run, const tc_real *at,
                                 const tc_real *axes, uint32_t body, tc_real *columns);
/* chart[bodies x chart] = J y */
void tci_implicit_push(const tci_implicit_run *run, const tc_real *at, const tc_real *axes,
                       const tc_real *y, tc_real *chart);
/* y += J^T chart */
void tci_implicit_gather(const tci_implicit_run *run, const tc_real *at, const tc_real *axes,
                         const tc_real *chart, tc_real *y);
/* Inertia of each freedom, per h^2 */
void tci_implicit_weigh(const tci_implicit_run *run, tc_real *inertia);
/* Bounds of turn and acceleration of every body along `direction`; run->turn */
void tci_implicit_bound(tci_implicit_run *run);

/* tc_implicit_assemble.c */
/* Adds a pair's derivatives: to the bodies', and what mixes both to the hessian */
void tci_implicit_add_pair(tci_implicit_run *run, uint32_t a, uint32_t b,
                           const tci_implicit_local *local);
/* Adds the bodies' derivatives to gradient and hessian */
void tci_implicit_add_bodies(tci_implicit_run *run);

/* tc_implicit_energy.c */
/* Poses, planes and value at the state, where the iterate starts. warm: planes, or NULL */
tc_status tci_implicit_begin(tci_implicit_run *run, const tc_real *warm);
/* Gradient and hessian at the iterate, whose planes are the best */
void tci_implicit_derive(tci_implicit_run *run);
/* Poses and value of the trial at a share of the direction. 0: pairs may touch on the way there. */
int tci_implicit_try(tci_implicit_run *run, tc_real share);
/* The iterate's planes become the best. */
tc_status tci_implicit_refine(tci_implicit_run *run);
/* The trial becomes the iterate. */
void tci_implicit_accept(tci_implicit_run *run);

/* Whether a piece may meet floors: its body moves. */
int tci_implicit_meets_floors(const tci_implicit_run *run, uint32_t piece);

/* tc_implicit_ball.c: two balls about the centres of free bodies, without friction */
int tci_implicit_meet_as_balls(const tci_implicit_run *run, uint32_t pair);
static inline int tci_implicit_are_balls(const tci_implicit_run *run, uint32_t pair)
{
    return run->balls && tci_implicit_meet_as_balls(run, pair);
}
/* Whether they stay apart from the iterate to the trial, by a margin where they come nearer */
int tci_implicit_pass_balls(const tci_implicit_run *run, uint32_t pair, tc_real margin);
/* Value and gap at the trial's poses; a gap of 0 or less: they touch */
tc_real tci_implicit_meet_balls(const tci_implicit_run *run, uint32_t pair, tc_real *gap);
/* The plane at the iterate, which only the record wants */
void tci_implicit_part_balls(const tci_implicit_run *run, uint32_t pair, tc_real *plane);
/* Adds the derivatives at the iterate, as tci_implicit_add_pair does */
void tci_implicit_press_balls(tci_implicit_run *run, uint32_t pair);

/* tc_implicit_drive.c: drives and damping of all joints. The value at q */
tc_real tci_implicit_drive(tci_implicit_run *run, const tc_real *q);
/* Adds the derivatives at the iterate */
void tci_implicit_drive_bend(tci_implicit_run *run);
/* Adds -C^T y, C the mixed derivatives by the freedoms now and by controls */
void tci_implicit_drive_back(const tci_implicit_run *run, const tc_real *q, const tc_real *y,
                             tc_real *pull_now, tc_real *pull_control);

/* tc_implicit_factor.c: L L^T of a packed matrix; L's diagonal holds reciprocals */
/* 0: it is not positive definite. starts: [n] scratch */
int tci_implicit_factor(const tc_real *packed, uint32_t n, tc_real *L, tc_real *starts);
void tci_implicit_solve(const tc_real *L, uint32_t n, tc_real *x);

/* tc_implicit_rub.c: friction */
tc_real tci_implicit_rub(const tci_implicit_run *run, uint32_t pair, const tc_real *at,
                         tci_implicit_local *local);
tc_real tci_implicit_scrape(const tci_implicit_run *run, uint32_t floor, uint32_t piece,
                            const tc_real *at, tc_real *gradient, tc_real *hessian);
/* Adds -C^T y to charts now; y are charts at the next poses; run->rate is that at the state */
void tci_implicit_rub_back(const tci_implicit_run *run, uint32_t pair, const tc_real *at,
                           const tc_real *y_a, const tc_real *y_b, tc_real *chart_a,
                           tc_real *chart_b);
void tci_implicit_scrape_back(const tci_implicit_run *run, uint32_t floor, uint32_t piece,
                              const tc_real *at, const tc_real *y, tc_real *chart_now);

#endif
