# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# The host's shared object for the Python package: the library and whole roll-outs (tools/native), as `make shared` does.

# tc_native(TARGET [REAL float|double] [CONFIG header]): TARGET is the shared object. Several of them may stand side by side.
function(tc_native target)
  cmake_parse_arguments(PARSE_ARGV 1 its "" "REAL;CONFIG" "")
  tc_sources(sources ${TC_COLUMN} ${TC_PROFILE} "${TC_PORT}")
  file(GLOB native CONFIGURE_DEPENDS RELATIVE "${TC_ROOT}" "${TC_ROOT}/tools/native/*.c")
  list(APPEND sources ${native})
  list(TRANSFORM sources PREPEND "${TC_ROOT}/")
  add_library(${target} SHARED ${sources})
  set(double)
  if(its_REAL STREQUAL "double")
    set(double DOUBLE)
  endif()
  tc_compile(${target} ${double} CONFIG "${its_CONFIG}")
  target_link_libraries(${target} PRIVATE m)
endfunction()
