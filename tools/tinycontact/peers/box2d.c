/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * One body over a floor in Box2D v3, stepped N times in one call: compiled with Box2D's own sources
 * by box2d.py, for the comparison of speed alone. No sleeping, because a body that sleeps costs
 * nothing; all else as Box2D has it by default.
 */
#include "box2d/box2d.h"

#include <stddef.h>
#include <stdint.h>

#define SUBSTEPS 4 /* what Box2D recommends */

typedef struct peer_body {
    double mass, inertia, step, gravity, restitution, friction, radius;
    double vertices[2 * B2_MAX_POLYGON_VERTICES];
    uint32_t count;
} peer_body;

void *peer_open(const peer_body *given, const double state[6]);
void peer_close(void *peer);
void peer_steps(void *peer, double step, uint32_t steps);
void peer_end(const void *peer, double position[3]);
uint32_t peer_version(void);

static struct {
    b2WorldId world;
    b2BodyId body;
} one; /* at a time */

static b2ShapeDef surface(const peer_body *given)
{
    b2ShapeDef def = b2DefaultShapeDef();
    def.material.friction = (float)given->friction;
    def.material.restitution = (float)given->restitution;
    return def;
}

static int add_body(const peer_body *given, const double state[6])
{
    b2Vec2 points[B2_MAX_POLYGON_VERTICES];
    for (uint32_t i = 0; i < given->count; i++) {
        points[i] = (b2Vec2){(float)given->vertices[2 * i], (float)given->vertices[2 * i + 1]};
    }
    const b2Hull hull = b2ComputeHull(points, (int)given->count);
    if (hull.count != (int)given->count) return 0;
    const b2Polygon shape = b2MakePolygon(&hull, (float)given->radius);
    const b2ShapeDef def = surface(given);
    b2BodyDef body = b2DefaultBodyDef();
    body.type = b2_dynamicBody;
    body.enableSleep = false;
    body.position = (b2Vec2){(float)state[0], (float)state[1]};
    body.rotation = b2MakeRot((float)state[2]);
    body.linearVelocity = (b2Vec2){(float)state[3], (float)state[4]};
    body.angularVelocity = (float)state[5];
    one.body = b2CreateBody(one.world, &body);
    b2CreatePolygonShape(one.body, &def, &shape);
    b2Body_SetMassData(one.body,
                       (b2MassData){(float)given->mass, b2Vec2_zero, (float)given->inertia});
    return 1;
}

/* NULL if Box2D does not take the shape. state: x, y, theta and their rates. */
void *peer_open(const peer_body *given, const double state[6])
{
    b2WorldDef world = b2DefaultWorldDef();
    world.gravity = (b2Vec2){0.0f, -(float)given->gravity};
    world.enableSleep = false;
    world.restitutionThreshold = 0.0f;
    one.world = b2CreateWorld(&world);
    b2BodyDef ground = b2DefaultBodyDef();
    ground.position = (b2Vec2){0.0f, -1.0f};
    const b2Polygon floor = b2MakeBox(100.0f, 1.0f);
    const b2ShapeDef def = surface(given);
    b2CreatePolygonShape(b2CreateBody(one.world, &ground), &def, &floor);
    if (!add_body(given, state)) {
        b2DestroyWorld(one.world);
        return NULL;
    }
    return &one;
}

void peer_close(void *peer)
{
    (void)peer;
    b2DestroyWorld(one.world);
}

void peer_steps(void *peer, double step, uint32_t steps)
{
    (void)peer;
    for (uint32_t i = 0; i < steps; i++) {
        b2World_Step(one.world, (float)step, SUBSTEPS);
    }
}

/* The angle in [-pi, pi] */
void peer_end(const void *peer, double position[3])
{
    (void)peer;
    const b2Vec2 p = b2Body_GetPosition(one.body);
    position[0] = p.x;
    position[1] = p.y;
    position[2] = b2Rot_GetAngle(b2Body_GetRotation(one.body));
}

/* 0xMMmmrr */
uint32_t peer_version(void)
{
    const b2Version v = b2GetVersion();
    return (uint32_t)(v.major << 16 | v.minor << 8 | v.revision);
}
