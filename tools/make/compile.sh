#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Compiles one source, or copies the object that the same compiler made of the same text with the same flags:
#
#     compile.sh VERSION OBJECT COMPILER FLAGS... -c SOURCE
#
# Configurations that differ in a macro or a backend differ in few objects: the text is compared as the preprocessor
# leaves it, and the others are taken from build/objects. The line numbers in that text count only where -g is given.
# What was compiled with a warning is not kept, so that it warns again. Dependencies (OBJECT with .d) are made anew.
set -eu
store=build/objects version=$1 object=$2
shift 2
command -v sha256sum >/dev/null || exec "$@" -o "$object"

flags='' lines=-P
for word; do
    case $word in
        -D* | -I* | -M* | -Werror) ;;
        -g) flags="$flags -g" lines='' ;;
        *) flags="$flags $word" ;;
    esac
done
# A text that the preprocessor refuses gives a key that nobody has, and the compiler then says what is wrong.
key=$({ echo "$version$flags"; "$@" -E $lines -MF "${object%.o}.d" -MT "$object" -o - 2>/dev/null; } | sha256sum)
kept=$store/${key%% *} fresh=$store/$$

# Whole or not there: jobs run side by side.
deliver() {
    cp "$1" "$2.$$"
    mv "$2.$$" "$2"
}

if ! [ -f "$kept.o" ]; then
    mkdir -p $store
    trap 'rm -f "$fresh".*' EXIT
    "$@" -MF /dev/null -o "$fresh.o" 2>"$fresh.txt" || { cat "$fresh.txt" >&2; exit 1; }
    cat "$fresh.txt" >&2
    if [ -s "$fresh.txt" ]; then
        kept=$fresh
    else
        if [ -f "$fresh.ci" ]; then mv "$fresh.ci" "$kept.ci"; fi
        mv "$fresh.o" "$kept.o"
    fi
fi
deliver "$kept.o" "$object"
if [ -f "$kept.ci" ]; then deliver "$kept.ci" "${object%.o}.ci"; fi
