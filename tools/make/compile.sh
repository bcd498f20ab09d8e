#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Calls build/compile, and makes it of compile.c, which says what it does, where it is missing or older. Without a compiler
# for this machine, what is asked for is compiled, and nothing is looked for or kept.
set -eu
here=${0%/*}
program=$here/../../build/compile
if ! [ "$program" -nt "$here/compile.c" ]; then
    mkdir -p "${program%/*}"
    if ! cc -O2 -o "$program.$$" "$here/compile.c" 2>/dev/null; then
        object=$2
        shift 2
        mkdir -p "$(dirname "$object")"
        exec "$@" -o "$object"
    fi
    mv "$program.$$" "$program" # whole or not there: jobs run side by side
fi
exec "$program" "$@"
