# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Checks the choices of CMakeLists.txt and says what follows from them: TC_COLUMN of kernels.mk, TC_UNROLL, TC_EXACT,
# TC_PROFILE_TEXT, TC_CMSIS_TARGET.

function(tc_one_of name)
  if(NOT "${${name}}" IN_LIST ARGN)
    list(JOIN ARGN " or " known)
    message(FATAL_ERROR "tinycontact: ${name}=${${name}}: ${known}")
  endif()
endfunction()
tc_one_of(TC_PROFILE exact fast)
tc_one_of(TC_TANH table small)
tc_one_of(TC_REAL float double)
file(GLOB ports RELATIVE "${TC_PORT_FOLDER}" "${TC_PORT_FOLDER}/*/*.c")
list(TRANSFORM ports REPLACE "/.*" "")
list(REMOVE_DUPLICATES ports)
if(NOT TC_PORT STREQUAL "")
  tc_one_of(TC_PORT ${ports})
endif()
if(TC_CONFIG)
  get_filename_component(TC_CONFIG "${TC_CONFIG}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
  if(NOT EXISTS "${TC_CONFIG}")
    message(FATAL_ERROR "tinycontact: TC_CONFIG=${TC_CONFIG}: there is no such header")
  endif()
endif()

tc_core_of_compiler(TC_COLUMN fpu)
if(TC_CPU)
  tc_core_named(core "${TC_CPU}")
  if(NOT core MATCHES "^(host|generic)-" AND NOT CMAKE_CROSSCOMPILING)
    message(FATAL_ERROR "tinycontact: TC_CPU=${TC_CPU}, but ${CMAKE_C_COMPILER} compiles for this machine: start in a fresh "
      "build folder with --toolchain ${TC_ROOT}/tools/cmake/arm-none-eabi.cmake, or with your project's toolchain file")
  endif()
  tc_make_variable(TC_COLUMN cpus.mk CPU_PORT.${core})
endif()
# Without an FPU every operation is a call: unrolling wins nothing and spills a lot.
if(TC_UNROLL STREQUAL "")
  set(TC_UNROLL ${fpu})
endif()

tc_texts()

if(TC_PORT STREQUAL "cmsis-dsp")
  if(TC_REAL STREQUAL "double")
    message(FATAL_ERROR "tinycontact: TC_PORT=cmsis-dsp computes in float only")
  endif()
  set(TC_CMSIS_TARGET CMSISDSP) # the target of CMSIS-DSP's own CMakeLists.txt, where the project has it
  if(NOT TARGET CMSISDSP)
    set(TC_CMSIS_TARGET tinycontact_cmsis_dsp)
    file(GLOB files "${TC_CMSIS_DSP}/Source/MatrixFunctions/*_f32.c" "${TC_CMSIS_DSP}/Source/BasicMathFunctions/*_f32.c")
    if(NOT files)
      message(FATAL_ERROR "tinycontact: TC_PORT=cmsis-dsp: no sources of CMSIS-DSP in TC_CMSIS_DSP=${TC_CMSIS_DSP}; "
        "`make setup` fetches them, or name your copy")
    endif()
    add_library(tinycontact_cmsis_dsp STATIC ${files})
    target_include_directories(tinycontact_cmsis_dsp SYSTEM PUBLIC "${TC_CMSIS_DSP}/Include" "${TC_CMSIS_DSP}/PrivateInclude"
      "${TC_CMSIS_CORE}/Include")
    target_compile_options(tinycontact_cmsis_dsp PRIVATE -w -ffp-contract=off -fno-math-errno -ffunction-sections -fdata-sections)
    if(NOT CMAKE_CROSSCOMPILING)
      target_compile_definitions(tinycontact_cmsis_dsp PUBLIC __GNUC_PYTHON__)
    endif()
  endif()
endif()
