/*
 * The robot go1: 4 limbs, 12 joints, estimated every 0.001 s.
 *
 * Made by tinycontact 0.9.0, numpy 2.4.6, Python 3.11.7: do not edit.
 */
#include "robot_tables.h"

/* Notes of the robot file:
 *   by hand, of published masses and lengths; stands 0.303 m high
 */
/* At joint coordinates 0 all frames are parallel to the base's: x forward, y to the left, z up. */
static const tc_robot_link robot_links_0[3] = {
    /* FL_hip: 0.59 kg; joint at 0.188, 0.047, 0 m, axis 1, 0, 0 */
    {.joint = TC_CHAIN_REVOLUTE,
     .axis = {0x1p+0f, 0x0p+0f, 0x0p+0f},
     .origin = {0x1.810624p-3f, 0x1.810624p-5f, 0x0p+0f},
     .mass = 0x1.2e147ap-1f,
     .com = {0x0p+0f, 0x1.0624dep-6f, 0x0p+0f},
     .inertia = {0x1.b637a6p-12f, 0x1.f93d26p-12f, 0x1.b637a6p-12f, 0x0p+0f, 0x0p+0f, 0x0p+0f},
     .rotor = 0x1.89374cp-8f,
     .damping = 0x0p+0f,
     .range = {-0x1p+0f, 0x1p+0f} /* -1, 1 */},
    /* FL_thigh: 0.92 kg; joint at 0, 0.08, 0 m, axis 0, 1, 0 */
    {.joint = TC_CHAIN_REVOLUTE,
     .axis = {0x0p+0f, 0x1p+0f, 0x0p+0f},
     .origin = {0x0p+0f, 0x1.47ae14p-4f, 0x0p+0f},
     .mass = 0x1.d70a3ep-1f,
     .com = {-0x1.89374cp-9f, -0x1.0624dep-6f, -0x1.05bc02p-5f},
     .inertia = {0x1.d7fc0ep-9f, 0x1.d7fc0ep-9f, 0x1.01402ap-12f, 0x0p+0f, 0x0p+0f, 0x0p+0f},
     .rotor = 0x1.89374cp-8f,
     .damping = 0x0p+0f,
     .range = {-0x1.333334p+0f, 0x1.cp+1f} /* -1.2, 3.5 */},
    /* FL_calf: 0.2 kg; joint at 0, 0, -0.213 m, axis 0, 1, 0 */
    {.joint = TC_CHAIN_REVOLUTE,
     .axis = {0x0p+0f, 0x1p+0f, 0x0p+0f},
     .origin = {0x0p+0f, 0x0p+0f, -0x1.b43958p-3f},
     .mass = 0x1.99999ap-3f,
     .com = {0x1.0624dep-8f, 0x0p+0f, -0x1.05bc02p-3f},
     .inertia = {0x1.8fef86p-11f, 0x1.8fef86p-11f, 0x1.bf6476p-17f, 0x0p+0f, 0x0p+0f, 0x0p+0f},
     .rotor = 0x1.a9fbe8p-7f,
     .damping = 0x0p+0f,
     .range = {-0x1.6p+1f, -0x1.99999ap-2f} /* -2.75, -0.4 */},
};

static const tc_robot_link robot_links_1[3] = {
    /* FR_hip: 0.59 kg; joint at 0.188, -0.047, 0 m, axis 1, -0, 0 */
    {.joint = TC_CHAIN_REVOLUTE,
     .axis = {0x1p+0f, 0x0p+0f, 0x0p+0f},
     .origin = {0x1.810624p-3f, -0x1.810624p-5f, 0x0p+0f},
     .mass = 0x1.2e147ap-1f,
     .com = {0x0p+0f, -0x1.0624dep-6f, 0x0p+0f},
     .inertia = {0x1.b637a6p-12f, 0x1.f93d26p-12f, 0x1.b637a6p-12f, 0x0p+0f, 0x0p+0f, 0x0p+0f},
     .rotor = 0x1.89374cp-8f,
     .damping = 0x0p+0f,
     .range = {-0x1p+0f, 0x1p+0f} /* -1, 1 */},
    /* FR_thigh: 0.92 kg; joint at 0, -0.08, 0 m, axis 0, 1, 0 */
    {.joint = TC_CHAIN_REVOLUTE,
     .axis = {0x0p+0f, 0x1p+0f, 0x0p+0f},
     .origin = {0x0p+0f, -0x1.47ae14p-4f, 0x0p+0f},
     .mass = 0x1.d70a3ep-1f,
     .com = {-0x1.89374cp-9f, 0x1.0624dep-6f, -0x1.05bc02p-5f},
     .inertia = {0x1.d7fc0ep-9f, 0x1.d7fc0ep-9f, 0x1.01402ap-12f, 0x0p+0f, 0x0p+0f, 0x0p+0f},
     .rotor = 0x1.89374cp-8f,
     .damping = 0x0p+0f,
     .range = {-0x1.333334p+0f, 0x1.cp+1f} /* -1.2, 3.5 */},
    /* FR_calf: 0.2 kg; joint at 0, 0, -0.213 m, axis 0, 1, 0 */
    {.joint = TC_CHAIN_REVOLUTE,
     .axis = {0x0p+0f, 0x1p+0f, 0x0p+0f},
     .origin = {0x0p+0f, 0x0p+0f, -0x1.b43958p-3f},
     .mass = 0x1.99999ap-3f,
     .com = {0x1.0624dep-8f, 0x0p+0f, -0x1.05bc02p-3f},
     .inertia = {0x1.8fef86p-11f, 0x1.8fef86p-11f, 0x1.bf6476p-17f, 0x0p+0f, 0x0p+0f, 0x0p+0f},
     .rotor = 0x1.a9fbe8p-7f,
     .damping = 0x0p+0f,
     .range = {-0x1.6p+1f, -0x1.99999ap-2f} /* -2.75, -0.4 */},
};

static const tc_robot_link robot_links_2[3] = {
    /* RL_hip: 0.59 kg; joint at -0.188, 0.047, 0 m, axis 1, -0, 0 */
    {.joint = TC_CHAIN_REVOLUTE,
     .axis = {0x1p+0f, 0x0p+0f, 0x0p+0f},
     .origin = {-0x1.810624p-3f, 0x1.810624p-5f, 0x0p+0f},
     .mass = 0x1.2e147ap-1f,
     .com = {0x0p+0f, 0x1.0624dep-6f, 0x0p+0f},
     .inertia = {0x1.b637a6p-12f, 0x1.f93d26p-12f, 0x1.b637a6p-12f, 0x0p+0f, 0x0p+0f, 0x0p+0f},
     .rotor = 0x1.89374cp-8f,
     .damping = 0x0p+0f,
     .range = {-0x1p+0f, 0x1p+0f} /* -1, 1 */},
    /* RL_thigh: 0.92 kg; joint at 0, 0.08, 0 m, axis 0, 1, 0 */
    {.joint = TC_CHAIN_REVOLUTE,
     .axis = {0x0p+0f, 0x1p+0f, 0x0p+0f},
     .origin = {0x0p+0f, 0x1.47ae14p-4f, 0x0p+0f},
     .mass = 0x1.d70a3ep-1f,
     .com = {-0x1.89374cp-9f, -0x1.0624dep-6f, -0x1.05bc02p-5f},
     .inertia = {0x1.d7fc0ep-9f, 0x1.d7fc0ep-9f, 0x1.01402ap-12f, 0x0p+0f, 0x0p+0f, 0x0p+0f},
     .rotor = 0x1.89374cp-8f,
     .damping = 0x0p+0f,
     .range = {-0x1.333334p+0f, 0x1.cp+1f} /* -1.2, 3.5 */},
    /* RL_calf: 0.2 kg; joint at 0, 0, -0.213 m, axis 0, 1, 0 */
    {.joint = TC_CHAIN_REVOLUTE,
     .axis = {0x0p+0f, 0x1p+0f, 0x0p+0f},
     .origin = {0x0p+0f, 0x0p+0f, -0x1.b43958p-3f},
     .mass = 0x1.99999ap-3f,
     .com = {0x1.0624dep-8f, 0x0p+0f, -0x1.05bc02p-3f},
     .inertia = {0x1.8fef86p-11f, 0x1.8fef86p-11f, 0x1.bf6476p-17f, 0x0p+0f, 0x0p+0f, 0x0p+0f},
     .rotor = 0x1.a9fbe8p-7f,
     .damping = 0x0p+0f,
     .range = {-0x1.6p+1f, -0x1.99999ap-2f} /* -2.75, -0.4 */},
};

static const tc_robot_link robot_links_3[3] = {
    /* RR_hip: 0.59 kg; joint at -0.188, -0.047, 0 m, axis 1, 0, 0 */
    {.joint = TC_CHAIN_REVOLUTE,
     .axis = {0x1p+0f, 0x0p+0f, 0x0p+0f},
     .origin = {-0x1.810624p-3f, -0x1.810624p-5f, 0x0p+0f},
     .mass = 0x1.2e147ap-1f,
     .com = {0x0p+0f, -0x1.0624dep-6f, 0x0p+0f},
     .inertia = {0x1.b637a6p-12f, 0x1.f93d26p-12f, 0x1.b637a6p-12f, 0x0p+0f, 0x0p+0f, 0x0p+0f},
     .rotor = 0x1.89374cp-8f,
     .damping = 0x0p+0f,
     .range = {-0x1p+0f, 0x1p+0f} /* -1, 1 */},
    /* RR_thigh: 0.92 kg; joint at 0, -0.08, 0 m, axis 0, 1, 0 */
    {.joint = TC_CHAIN_REVOLUTE,
     .axis = {0x0p+0f, 0x1p+0f, 0x0p+0f},
     .origin = {0x0p+0f, -0x1.47ae14p-4f, 0x0p+0f},
     .mass = 0x1.d70a3ep-1f,
     .com = {-0x1.89374cp-9f, 0x1.0624dep-6f, -0x1.05bc02p-5f},
     .inertia = {0x1.d7fc0ep-9f, 0x1.d7fc0ep-9f, 0x1.01402ap-12f, 0x0p+0f, 0x0p+0f, 0x0p+0f},
     .rotor = 0x1.89374cp-8f,
     .damping = 0x0p+0f,
     .range = {-0x1.333334p+0f, 0x1.cp+1f} /* -1.2, 3.5 */},
    /* RR_calf: 0.2 kg; joint at 0, 0, -0.213 m, axis 0, 1, 0 */
    {.joint = TC_CHAIN_REVOLUTE,
     .axis = {0x0p+0f, 0x1p+0f, 0x0p+0f},
     .origin = {0x0p+0f, 0x0p+0f, -0x1.b43958p-3f},
     .mass = 0x1.99999ap-3f,
     .com = {0x1.0624dep-8f, 0x0p+0f, -0x1.05bc02p-3f},
     .inertia = {0x1.8fef86p-11f, 0x1.8fef86p-11f, 0x1.bf6476p-17f, 0x0p+0f, 0x0p+0f, 0x0p+0f},
     .rotor = 0x1.a9fbe8p-7f,
     .damping = 0x0p+0f,
     .range = {-0x1.6p+1f, -0x1.99999ap-2f} /* -2.75, -0.4 */},
};

static const tc_robot_limb robot_limbs[ROBOT_LIMBS] = {
    {.joints = 3u,
     .links = robot_links_0,
     .foot = {0x0p+0f, 0x0p+0f, -0x1.b43958p-3f},
     .radius = 0x1.6872bp-6f}, /* FL: 0.022 m */
    {.joints = 3u,
     .links = robot_links_1,
     .foot = {0x0p+0f, 0x0p+0f, -0x1.b43958p-3f},
     .radius = 0x1.6872bp-6f}, /* FR: 0.022 m */
    {.joints = 3u,
     .links = robot_links_2,
     .foot = {0x0p+0f, 0x0p+0f, -0x1.b43958p-3f},
     .radius = 0x1.6872bp-6f}, /* RL: 0.022 m */
    {.joints = 3u,
     .links = robot_links_3,
     .foot = {0x0p+0f, 0x0p+0f, -0x1.b43958p-3f},
     .radius = 0x1.6872bp-6f}, /* RR: 0.022 m */
};

const tc_robot robot_tables = {
    .root = TC_ROBOT_FLOATING,
    .limbs = ROBOT_LIMBS,
    .limb = robot_limbs,
    .g = 0x1.39eb86p+3f,
    .mass = 0x1.8147aep+3f,                                  /* 12.04 kg */
    .imu = {0x1.eb851ep-6f, 0x1.47ae14p-7f, 0x1.47ae14p-6f}, /* 0.03, 0.01, 0.02 m */
    .imu_axes = {0x1p+0f, 0x0p+0f, 0x0p+0f, 0x0p+0f, 0x1p+0f, 0x0p+0f, 0x0p+0f, 0x0p+0f, 0x1p+0f},
};

tc_status robot_configure(tc_feet_config *config)
{
    tc_feet_sensing sensing = tc_feet_sensing_default();
    sensing.encoder_counts = 0x1p+16f;    /* 65536 */
    sensing.torque_noise = 0x0p+0f;       /* 0 */
    sensing.accel_noise = 0x1.eb851ep-5f; /* 0.06 */
    sensing.torque_limit = 0x1.f4p+9f;    /* 1000 */
    sensing.gyro_limit = 0x1.18p+5f;      /* 35 */
    sensing.accel_limit = 0x1.4p+7f;      /* 160 */
    const tc_status status = tc_feet_default_for(&robot_tables, ROBOT_TICK, &sensing, config);
    return status;
}
