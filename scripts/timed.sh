#!/usr/bin/env bash
# Runs a compiler, and writes beside what it makes how many seconds of a processor it took, user and system: FILE.seconds of its -o FILE.
# So what is compiled anyway is timed, and nothing for the clock alone.
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
