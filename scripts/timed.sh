#!/usr/bin/env bash
# Runs a compiler, and writes its CPU seconds, user and system, next to its output: FILE.seconds for its -o FILE. So the time is that
# of a regular compilation, and nothing is compiled only to be timed.
#
#   scripts/timed.sh COMPILER ... -o FILE ...
set -euo pipefail
file=
for ((i = 1; i < $#; ++i)); do
  [ "${!i}" != -o ] || { next=$((i + 1)) file=${!next}; }
done
[ -n "$file" ] || { echo "timed: $1: expected -o FILE among what follows" >&2; exit 2; }
rm -f "$file.seconds"
TIMEFORMAT='%U %S'
{ time "$@" 2>&3 3>&-; } 3>&2 2>"$file.took" || { rm -f "$file.took"; exit 1; }
awk '{ printf "%.1f\n", $1 + $2 }' "$file.took" >"$file.seconds"
rm -f "$file.took"
