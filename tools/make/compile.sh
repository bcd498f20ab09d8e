#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Compiles one source, or copies the object that the same compiler made of the same text with the same flags:
#
#     compile.sh VERSION OBJECT COMPILER FLAGS... -c SOURCE
#
# Configurations that differ in a macro or a backend differ in few objects: the text is compared as the preprocessor
# leaves it, and the others are taken from build/objects. The line numbers in that text count only where -g or a
# sanitizer puts them into the object. What was compiled with a warning is not kept, so that it warns again; a text that
# the preprocessor complains about (#error, #warning, an undefined macro) is neither looked for nor kept, because what it
# complains about is not in the text it leaves. Dependencies (OBJECT with .d) are made anew.
set -eu
store=build/objects version=$1 object=$2
shift 2
command -v sha256sum >/dev/null || exec "$@" -o "$object"

flags='' lines=-P
for word; do
    case $word in
        -D* | -I* | -M* | -Werror) ;;
        -g | -fsanitize=*) flags="$flags $word" lines='' ;;
        *) flags="$flags $word" ;;
    esac
done
fresh=$store/$$ kept=$store/$$
mkdir -p $store
trap 'rm -f "$fresh".*' EXIT
rm -f "$fresh".* # of a run that was killed
if "$@" -E $lines -MF "$fresh.d" -MT "$object" -o "$fresh.i" 2>"$fresh.txt" && ! [ -s "$fresh.txt" ]; then
    key=$({ echo "$version$flags"; cat "$fresh.i"; } | sha256sum)
    kept=$store/${key%% *}
fi

# Whole or not there, as the dependencies: jobs run side by side.
if [ -f "$fresh.d" ]; then mv "$fresh.d" "${object%.o}.d"; fi
deliver() {
    cp "$1" "$2.$$"
    mv "$2.$$" "$2"
}

if [ -f "$kept.o" ]; then
    touch -c "$kept.o" "$kept.ci" # used: see RUN_TESTS in tests.mk
else
    "$@" -MF /dev/null -o "$fresh.o" 2>"$fresh.txt" || { cat "$fresh.txt" >&2; exit 1; }
    cat "$fresh.txt" >&2
    if [ -s "$fresh.txt" ]; then kept=$fresh; fi
    if [ "$kept" != "$fresh" ]; then
        if [ -f "$fresh.ci" ]; then mv "$fresh.ci" "$kept.ci"; fi
        mv "$fresh.o" "$kept.o"
    fi
fi
deliver "$kept.o" "$object"
if [ -f "$kept.ci" ]; then deliver "$kept.ci" "${object%.o}.ci"; fi
