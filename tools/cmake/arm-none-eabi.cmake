# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Toolchain file for GNU Arm Embedded: cmake --toolchain tools/cmake/arm-none-eabi.cmake -DTC_CPU=cortex-m4-hard
# The presets of CMakePresets.json choose both. A project with a toolchain file of its own needs none of this.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # nothing links before there is start-up code
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TC_CPU TC_CROSS)

include("${CMAKE_CURRENT_LIST_DIR}/lists.cmake")
set(TC_CPU "" CACHE STRING "a part (stm32f405), or a core and its float ABI as port/cpus.mk names them (cortex-m4-hard)")
set(TC_CROSS "arm-none-eabi-" CACHE STRING "what the names of the compiler's commands begin with")
tc_core_named(core "${TC_CPU}")
if(core MATCHES "^(host|generic)-")
  message(FATAL_ERROR "tinycontact: TC_CPU=${TC_CPU} is no core of this compiler: your project's own toolchain file has its flags")
endif()
tc_make_variable(flags cpus.mk CPU_FLAGS.${core})
list(JOIN flags " " flags)

set(CMAKE_C_COMPILER ${TC_CROSS}gcc)
set(CMAKE_CXX_COMPILER ${TC_CROSS}g++)
set(CMAKE_ASM_COMPILER ${TC_CROSS}gcc)
foreach(language C CXX ASM)
  set(CMAKE_${language}_FLAGS_INIT "${flags}")
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
