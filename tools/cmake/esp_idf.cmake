# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# The library as a component of ESP-IDF, which includes CMakeLists.txt of this folder's top: portable C, all headers of lib/.
# Its compilers fuse multiply-adds unasked (Xtensa, RISC-V with F): the two flags keep the reference's bits.

include("${CMAKE_CURRENT_LIST_DIR}/lists.cmake")
set(sources)
if(NOT CMAKE_BUILD_EARLY_EXPANSION) # there the build system asks for names of components alone, in script mode
  tc_sources(sources portable exact portable)
endif()
file(GLOB folders LIST_DIRECTORIES TRUE RELATIVE "${TC_ROOT}" "${TC_ROOT}/lib/*")
list(FILTER folders EXCLUDE REGEX "\\.h$")
idf_component_register(SRCS ${sources} INCLUDE_DIRS lib ${folders} PRIV_INCLUDE_DIRS port)
target_compile_options(${COMPONENT_LIB} PRIVATE -ffp-contract=off -DTC_CONTRACT_OFF -fno-math-errno)
