/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * Shapes by their signed distance: value, gradient and derivatives by the shape's own parameters.
 *
 * A tc_sdf has a kind, up to four sizes, and a pointer to data where the kind has any. On a
 * microcontroller it is a constant of 24 bytes.
 * The distance is negative inside; the gradient points outwards.
 * Points and gradients are in the shape's axes. Sizes may be changed between calls, as an
 * identification does.
 *
 *     kind                size, in this order          data_ref           the value is
 *     tc_sdf_halfspace    -  (z <= 0 is solid)         -                  exact
 *     tc_sdf_sphere       r                            -                  exact
 *     tc_sdf_capsule      r, half (axis z)             -                  exact
 *     tc_sdf_box          hx, hy, hz, r                -                  exact
 *     tc_sdf_cylinder     r, half, rounding (axis z)   -                  exact
 *     tc_sdf_terrain      -                            tc_sdf_heights     approximate
 *     tc_sdf_grid         -                            tc_sdf_values      approximate
 *     tc_sdf_union        -                            tc_sdf_parts       a bound
 *     tc_sdf_net          -  (tc_sdf_net.h)            tc_sdf_net_data    approximate
 *
 * Half edges and half lengths are outer ones: rounding takes material away. The half length of a
 * capsule is that of its segment, without the caps.
 *
 * Example: a sole of 200 x 80 x 20 mm with 5 mm of rounding, in flash.
 *
 *     static const tc_sdf sole = TC_SDF_BOX(0.1f, 0.04f, 0.01f, 0.005f);
 *     tc_real distance, gradient[3];
 *     tc_status status = tc_sdf_eval(&sole, p, &distance, gradient, NULL, 0);
 */
#ifndef TC_SDF_H
#define TC_SDF_H

#include "tc_convex.h"

TC_BEGIN

#define TC_SDF_SIZES 4u      /* numbers in tc_sdf.size */
#define TC_SDF_PARAMETERS 8u /* largest number of derivatives of a shape */
#define TC_SDF_PARTS 8u      /* largest number of parts of a union */
#define TC_SDF_NODES 4096u   /* largest number of nodes along an axis of a terrain or grid */
#define TC_SDF_STEPS 6u      /* largest number of steps to the closest point of a terrain */
#define TC_SDF_POINTS 256u   /* largest number of stored points of a surface */

/* How a value relates to the true signed distance. */
typedef enum tc_sdf_contract {
    TC_SDF_CONTRACT_EXACT = 0,      /* equal to it, to rounding */
    TC_SDF_CONTRACT_BOUND = 1,      /* outside equal to it; inside of no larger magnitude. As good
                                     * as its parts where these are approximate */
    TC_SDF_CONTRACT_APPROXIMATE = 2 /* within tc_sdf_stored.error of it near the surface */
} tc_sdf_contract;

struct tc_sdf;

/* One kind of shape: a constant table, of which the library has those above. */
typedef struct tc_sdf_kind {
    const char *name;         /* as in a shape's file: "sphere" */
    tc_sdf_contract contract; /* of its values */
    uint32_t parameters;      /* derivatives of tc_sdf_grad; kinds with `count`: 0 */
    /* Number of derivatives where it depends on the data; NULL: `parameters` */
    uint32_t (*count)(const struct tc_sdf *shape);
    /* Sizes and data; see tc_sdf_check */
    tc_status (*check)(const struct tc_sdf *shape);
    /* See tc_sdf_eval; no argument is NULL, work excepted */
    tc_status (*eval)(const struct tc_sdf *shape, const tc_real p[3], tc_real *distance,
                      tc_real gradient[3], tc_real *work, size_t work_len);
    /* derivative[tc_sdf_parameters]; see tc_sdf_grad */
    tc_status (*grad)(const struct tc_sdf *shape, const tc_real p[3], tc_real *derivative,
                      tc_real *work, size_t work_len);
    /* The body of all points with a value of -inset or less, as a core with a rounding radius.
     * inset: 0 up to the shape's depth [m]; beyond it is TC_NOTE_OVERLAP, and the core that of the
     * depth. The radius of a half-space is -inset. NULL: the shape is not convex */
    tc_status (*core)(const struct tc_sdf *shape, tc_real inset, tc_convex *core);
    /* Writes point i of the surface, shape's axes, for searches near a ball [m], and returns the
     * number of points; NULL: the shape has none */
    uint32_t (*surface)(const struct tc_sdf *shape, const tc_real centre[3], tc_real reach,
                        uint32_t i, tc_real p[3]);
    uint32_t unit; /* 1: the gradient is of unit length everywhere; 0: it need not be */
} tc_sdf_kind;

extern const tc_sdf_kind tc_sdf_halfspace;
extern const tc_sdf_kind tc_sdf_sphere;
extern const tc_sdf_kind tc_sdf_capsule;
extern const tc_sdf_kind tc_sdf_box;
extern const tc_sdf_kind tc_sdf_cylinder;
extern const tc_sdf_kind tc_sdf_terrain;
extern const tc_sdf_kind tc_sdf_grid;
extern const tc_sdf_kind tc_sdf_union;

/* A shape. */
typedef struct tc_sdf {
    const tc_sdf_kind *kind;    /* one of the tables above */
    tc_real size[TC_SDF_SIZES]; /* the kind's sizes [m]; 1e-9..1e6, roundings from 0; the rest is
                                 * ignored */
    const void *data_ref;       /* the kind's data, which must outlive the shape; NULL: none */
} tc_sdf;

/* Initialisers of constants. A box or cylinder with rounding 0 has sharp edges. */
#define TC_SDF_HALFSPACE {&tc_sdf_halfspace, {0, 0, 0, 0}, NULL}
#define TC_SDF_SPHERE(r) {&tc_sdf_sphere, {(r), 0, 0, 0}, NULL}
#define TC_SDF_CAPSULE(r, half) {&tc_sdf_capsule, {(r), (half), 0, 0}, NULL}
#define TC_SDF_BOX(hx, hy, hz, r) {&tc_sdf_box, {(hx), (hy), (hz), (r)}, NULL}
#define TC_SDF_CYLINDER(r, half, rounding) {&tc_sdf_cylinder, {(r), (half), (rounding), 0}, NULL}
#define TC_SDF_DATA(kind, data) {&(kind), {0, 0, 0, 0}, (data)}

/* Mass properties per density: multiply all three by the density [kg/m3]. */
typedef struct tc_sdf_inertia {
    tc_real volume;     /* [m3] */
    tc_real centre[3];  /* centre of mass, shape's axes: volume times position [m4] */
    tc_real inertia[6]; /* about the centre of mass, shape's axes: xx, yy, zz, xy, xz, yz [m5] */
} tc_sdf_inertia;

/* Error, mass properties and points of the surface, found by the maker of an approximate shape: the
 * first member of its data. */
typedef struct tc_sdf_stored {
    tc_real error;                     /* largest |value - true distance| found near the surface
                                        * [m]; 0 or more */
    const tc_sdf_inertia *inertia_ref; /* mass properties; NULL: not known */
    const tc_real *points_ref;         /* [points x 3] points of the zero level, shape's axes [m];
                                        * NULL: none, so no search can start from this surface */
    uint32_t points;                   /* number of points; 0..TC_SDF_POINTS */
} tc_sdf_stored;

/* A terrain: solid below a surface z = s(x, y) that is a biquadratic B-spline, C1.
 * The heights are the spline's control values. At a node s is their mean with weights 1/8, 3/4, 1/8
 * along each axis. `tinycontact shape make` solves for heights whose s meets a map at the nodes.
 * Beyond the map s goes on flat. */
typedef struct tc_sdf_heights {
    tc_sdf_stored stored;
    const int16_t
        *heights;      /* [count_y x count_x] control value of node (x, y) at y * count_x + x */
    uint32_t count_x;  /* number of nodes along x; 3..TC_SDF_NODES */
    uint32_t count_y;  /* number of nodes along y; 3..TC_SDF_NODES */
    tc_real scale;     /* height per unit of `heights` [m]; 1e-9..spacing */
    tc_real spacing;   /* distance of neighbouring nodes [m]; 1e-5..1e6 */
    tc_real origin[3]; /* position of node (0, 0) and of height 0 [m] */
} tc_sdf_heights;

/* A grid of signed distances, interpolated trilinearly. Values are clipped: further from the
 * surface than 127 * scale they are +-127. Values at the border are not negative. Outside of the
 * grid the value is that of the nearest point of the grid, plus the distance to that point. */
typedef struct tc_sdf_values {
    tc_sdf_stored stored;
    const int8_t *values; /* [count_z x count_y x count_x] x runs fastest */
    uint32_t count[3];    /* number of nodes along x, y, z; 2..TC_SDF_NODES */
    tc_real scale;        /* distance per unit of `values` [m]; 1e-9..1e6 */
    tc_real spacing;      /* distance of neighbouring nodes [m]; 1e-9..1e6 */
    tc_real origin[3];    /* position of node (0, 0, 0) [m] */
} tc_sdf_values;

/* A part of a union. */
typedef struct tc_sdf_part {
    const tc_sdf *shape_ref;     /* the part; no union */
    tc_real position[3];         /* of the part's origin, union's axes [m] */
    const tc_real *rotation_ref; /* [3 x 3] part's axes to union's axes; NULL: none */
} tc_sdf_part;

/* A union: the lowest distance of its parts, of equal ones the first. Its parameters are those of
 * its parts, in their order. */
typedef struct tc_sdf_parts {
    const tc_sdf_part *parts; /* [count] */
    uint32_t count;           /* 1..TC_SDF_PARTS */
} tc_sdf_parts;

/* Checks a shape. tc_sdf_eval and tc_sdf_grad rely on it: call it once per shape.
 * Returns:
 *   TC_OK               the shape is valid.
 *   TC_ERR_NULL         `shape`, its kind, or data or an array that the kind needs is NULL.
 *   TC_ERR_SIZE         a count is outside its limits, or there are points without an array.
 *   TC_ERR_NOT_FINITE   a number is NaN or infinite.
 *   TC_ERR_RANGE        a number is beyond 1e6 m.
 *   TC_ERR_SHAPE        a size, scale or spacing is below its range, a rounding or error is
 *                       negative, a rounding exceeds the half edge, half length or radius, a
 *                       terrain's scale exceeds its spacing, a grid has negative values at its
 *                       border or none inside.
 *   TC_ERR_UNIT         the rotation of a part is none.
 *   TC_ERR_UNSUPPORTED  a union has a union as its part, or a net cannot be used as a shape.
 *   others              a net's faults, as in tc_net_check.
 * Cost: proportional to the data of the shape. */
tc_status tc_sdf_check(const tc_sdf *shape);

/* Evaluates the signed distance of the point p, and its gradient by p.
 * The gradient is of unit length, except that of a grid or net: there it is the derivative of the
 * value. Where the distance has a kink, the gradient is that of one of its sides. This is +z at the
 * centre of a sphere, +x on the axis of a cylinder or capsule, elsewhere the first of the axes.
 *
 * shape: checked. p[3]: a point, shape's axes [m]; at most 1e6 from the origin. distance: [m].
 * gradient[3]: must not overlap p. work[work_len]: nets need TC_SDF_NET_WORK. The other
 * kinds take NULL, 0.
 * Returns:
 *   TC_OK              done.
 *   TC_NOTE_LIMIT      terrain: TC_SDF_STEPS steps did not reach the closest point. The value is
 *                      the distance from the plane that touches the surface at the best point.
 *   TC_NOTE_RANGE      net: p is outside the training range.
 *   TC_ERR_NULL        a pointer is NULL.
 *   TC_ERR_NOT_FINITE  a coordinate is NaN or infinite.
 *   TC_ERR_RANGE       the point is further than 1e6 m from the origin.
 *   TC_ERR_WORK        net: work_len is too short; TC_ERR_ALIGN: work is misaligned.
 * On error: the distance and the gradient are zero.
 * Cost: constant for each kind; docs/reference/costs.md has the instructions. */
tc_status tc_sdf_eval(const tc_sdf *shape, const tc_real p[3], tc_real *distance,
                      tc_real gradient[3], tc_real *work, size_t work_len);

/* Returns the number of parameters of a checked shape: the length of a derivative. Unions with more
 * than TC_SDF_PARAMETERS have 0, and NULL has 0. */
uint32_t tc_sdf_parameters(const tc_sdf *shape);

/* Returns the bound on |value - true distance| that the shape's maker stored [m]: 0 where the kind
 * is exact or a bound, and for NULL. */
tc_real tc_sdf_error(const tc_sdf *shape);

/* Computes the derivative of the distance at a fixed point by the shape's parameters. These are
 * its sizes in their order. Net: the latent code. Union: those of its parts; derivatives by all but
 * the lowest part's are 0.
 *
 * derivative[tc_sdf_parameters(shape)]: apart from p [1, or m per unit of code]. The other
 * arguments are those of tc_sdf_eval.
 * Returns: the statuses of tc_sdf_eval, and
 *   TC_ERR_UNSUPPORTED  the shape has no parameters.
 * On error: the derivative is zero.
 * Cost: that of tc_sdf_eval and up to 20 instructions more. */
tc_status tc_sdf_grad(const tc_sdf *shape, const tc_real p[3], tc_real *derivative, tc_real *work,
                      size_t work_len);

/* Computes the mass properties of a homogeneous body of this shape, and their derivatives by the
 * shape's parameters. Primitives: closed forms. Grids and nets: what their maker stored.
 *
 * shape: checked. inertia: the properties. derivative[tc_sdf_parameters(shape)]: one struct per
 * parameter; may be NULL; grids and nets have none.
 * Returns:
 *   TC_OK               done.
 *   TC_ERR_NULL         `shape` or `inertia` is NULL.
 *   TC_ERR_UNSUPPORTED  the shape is a half-space, terrain or union, or its maker stored none; or a
 *                       derivative of what was stored is wanted.
 * On error: `inertia` is zero, `derivative` was not written.
 * Cost: constant; up to 15,000 instructions on Cortex-M4F. */
tc_status tc_sdf_mass(const tc_sdf *shape, tc_sdf_inertia *inertia, tc_sdf_inertia *derivative);

TC_END

#endif
