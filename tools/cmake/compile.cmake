# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# How a target of the library is compiled: its folders, its macros, its flags.

# tc_compile(TARGET [DOUBLE] [CONFIG header]): TARGET has sources of the library. What is chosen is read from TC_COLUMN
# (of kernels.mk), TC_PROFILE, TC_PORT, TC_TANH and TC_UNROLL. Its macros are in the property TC_DEFINES, too.
function(tc_compile target)
  cmake_parse_arguments(PARSE_ARGV 1 is "DOUBLE" "CONFIG" "")
  tc_defines(defines inline is_DOUBLE "${is_CONFIG}")
  set_target_properties(${target} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
    TC_DEFINES "${defines}" TC_INLINE "${inline}")
  file(GLOB floors LIST_DIRECTORIES TRUE CONFIGURE_DEPENDS "${TC_ROOT}/lib/*")
  list(FILTER floors EXCLUDE REGEX "\\.h$")
  target_include_directories(${target} PRIVATE "${TC_ROOT}/lib" ${floors} "${TC_ROOT}/port")
  tc_make_variable(fused kernels.mk PORT_DEFINES.${TC_PROFILE})
  list(TRANSFORM fused REPLACE "^-D" "")
  target_compile_definitions(${target} PRIVATE ${defines} ${fused}
    "TC_BUILD_PROFILE=\"${TC_PROFILE_TEXT}\"" "TC_BUILD_PORT=\"${TC_COLUMN}\"" TC_BUILD_EXACT=${TC_EXACT})
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang|ARMClang")
    target_compile_options(${target} PRIVATE -fno-math-errno -ffunction-sections -fdata-sections)
    # The costs that are stated, of time and of stack, hold for optimised objects: a project without a build type or
    # in Debug gets them all the same. The bits are those of any optimisation.
    target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:C>,$<OR:$<CONFIG:Debug>,$<STREQUAL:$<CONFIG>,>>>:${TC_OPTIMISE}>)
    # What changes the bits of inline functions in headers goes to the user's files, too.
    target_compile_options(${target} PUBLIC $<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off>)
    target_compile_definitions(${target} PUBLIC TC_CONTRACT_OFF)
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(backend cortex-m4 helium)
    if(inline STREQUAL backend OR sources MATCHES "port/${backend}/")
      target_include_directories(${target} PRIVATE "${TC_ROOT}/port/${backend}")
    endif()
  endforeach()
  if(sources MATCHES "port/cmsis-dsp/")
    target_link_libraries(${target} PUBLIC $<BUILD_INTERFACE:${TC_CMSIS_TARGET}>)
  endif()
endfunction()

# The macros that choices stand for, and the folder whose tc_port_inline.h gives TC_MLA its instruction.
macro(tc_defines defines inline is_double config)
  set(${defines})
  if(TC_TANH STREQUAL "small")
    list(APPEND ${defines} TC_TANH_TABLE=0)
  endif()
  if(NOT TC_UNROLL)
    list(APPEND ${defines} TC_MAT_UNROLL=0)
  endif()
  if(${is_double})
    list(APPEND ${defines} TC_DOUBLE)
  endif()
  if(NOT "${config}" STREQUAL "")
    list(APPEND ${defines} "TC_CONFIG=\"${config}\"")
  endif()
  set(${inline})
  if(NOT TC_PORT MATCHES "^(portable|cmsis-dsp)$")
    tc_make_variable(${inline} kernels.mk PORT_INLINE.${TC_COLUMN})
  endif()
  if(${inline})
    list(APPEND ${defines} "TC_PORT_INLINE=\"tc_port_inline.h\"")
  endif()
endmacro()

# What tc_version_text() says of TC_PROFILE and TC_PORT, and whether their bits are the reference's.
macro(tc_texts)
  set(TC_PROFILE_TEXT ${TC_PROFILE})
  if(TC_PORT AND TC_PROFILE STREQUAL "fast")
    set(TC_PROFILE_TEXT ${TC_PORT}-fast)
  elseif(TC_PORT)
    set(TC_PROFILE_TEXT ${TC_PORT})
  endif()
  set(TC_EXACT 1)
  if(TC_PROFILE STREQUAL "fast" OR TC_PORT STREQUAL "cmsis-dsp")
    set(TC_EXACT 0)
  endif()
endmacro()
