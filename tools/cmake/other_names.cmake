# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# cmake -DNM= -DOBJECTS=a|b -DOUT= -P other_names.cmake: for each symbol that ends in a difference from the defaults, its
# plain name, which refers to a symbol that nobody has and that names the difference (as tools/make/library.mk does).

string(REPLACE "|" ";" OBJECTS "${OBJECTS}")
execute_process(COMMAND "${NM}" -g --defined-only ${OBJECTS} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " [A-Z] tc_[a-z0-9_]*_TC_[A-Za-z0-9_]*" symbols "${symbols}")
set(text "")
foreach(symbol IN LISTS symbols)
  string(REGEX MATCH "(tc_[a-z0-9_]*)_(TC_[A-Za-z0-9_]*)" symbol "${symbol}")
  string(APPEND text ".globl ${CMAKE_MATCH_1}\n${CMAKE_MATCH_1}: .dc.a tc_library_built_with_${CMAKE_MATCH_2}\n")
endforeach()
file(WRITE "${OUT}" "${text}.section .note.GNU-stack,\"\",%progbits\n")
