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
# A test run comes here thousands of times: few commands are started.
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
[ -d $store ] || mkdir -p $store
stem=${object%.o}
fresh=$stem.$$ kept=$stem.$$ # beside the object: what is whole takes its place by a change of name
clean() {
    for file in "$fresh".*; do
        if [ -f "$file" ]; then rm -f "$file"; fi
    done
}
trap clean EXIT
clean # of a run that was killed

# The sum of the text in one line, and before or behind it whatever the preprocessor says.
said=$({ {
    echo "$version$flags"
    "$@" -E $lines -MF "$fresh.d" -MT "$object" -o - 2>&3 || echo failed >&3
} | sha256sum; } 3>&1)
case $said in
    *[!0-9a-f\ -]*) ;; # words, or a second line
    *) kept=$store/${said%% *} ;;
esac

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
# Whole or not there, as the dependencies: jobs run side by side.
for kind in ci o; do
    if [ "$kept" != "$fresh" ] && [ -f "$kept.$kind" ]; then cp "$kept.$kind" "$fresh.$kind"; fi
    if [ -f "$fresh.$kind" ]; then mv "$fresh.$kind" "$stem.$kind"; fi
done
if [ -f "$fresh.d" ]; then mv "$fresh.d" "$stem.d"; fi
