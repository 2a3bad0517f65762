#!/usr/bin/env bash
# Measures the compile time of a translation unit: -O2, one core, from clean, and for comparison the share of Eigen and the standard
# headers. It counts CPU seconds, so that a busy machine does not matter.
#
#   scripts/check/compile_time.sh [SECONDS [SOURCE]]      more than SECONDS (default: 15, the quick start's bar) is a
#                                                         failure; SOURCE: default examples/01_first_tagger/main.cpp
#
# SECONDS are those of a CPU that needs 2.5 s for the headers, the most that was measured where the bars were set. A CPU that
# needs longer for the headers may use proportionally more for the whole.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bar=${1:-15} source=${2:-examples/01_first_tagger/main.cpp}
[ -e "$source" ] || { echo "compile time: $source: no such file, expected a source below the repository" >&2; exit 2; }
flags=(-std=c++20 -O2 -march=native -Iinclude -isystem /usr/include/eigen3 -DEIGEN_DONT_PARALLELIZE -DENTRAIN_COMPILED
  -DENTRAIN_EXAMPLE_DATA='"examples/data"') # as examples/CMakeLists.txt
# as CMake compiles a program whose products are kernel::FastGemm's
if echo '#include <dnnl.h>' | g++ -x c++ -fsyntax-only - 2>/dev/null; then flags+=(-DENTRAIN_ONEDNN); fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

seconds() { # FILE: user and system time of its compilation
  local TIMEFORMAT='%U %S'
  { time g++ "${flags[@]}" -c "$1" -o "$work/out.o" 2>"$work/said"; } 2>"$work/time" ||
    { cat "$work/said" >&2; echo "compile time: $1 does not compile" >&2; exit 1; }
  awk '{ printf "%.1f", $1 + $2 }' "$work/time"
}
# every header of Eigen or of the standard library that it includes through entrain's headers
g++ "${flags[@]}" -MM "$source" | tr ' \\' '\n\n' | grep '^include/' | xargs grep -hoE '^#include <[A-Za-z_0-9./]+>' |
  grep -v '<entrain/' | sort -u >"$work/headers.cpp" ||
  { echo "compile time: $source: found no header of Eigen or of the standard library, expected a program that includes entrain" >&2; exit 1; }
# the least of up to three: other virtual machines on the same host can only add time
whole=999 headers=999
for _ in 1 2 3; do
  one=$(seconds "$source")
  whole=$(printf '%s\n' "$whole" "$one" | sort -n | head -n 1)
  one=$(seconds "$work/headers.cpp")
  headers=$(printf '%s\n' "$headers" "$one" | sort -n | head -n 1)
  allowed=$(awk -v bar="$bar" -v headers="$headers" 'BEGIN { printf "%.1f", bar * (headers > 2.5 ? headers / 2.5 : 1) }')
  if awk -v a="$whole" -v b="$allowed" 'BEGIN { exit a > b }'; then break; fi
done
echo "compile time: $source $whole s, of which Eigen and standard headers $headers s (bar: $allowed s on this CPU, $(g++ -dumpfullversion))"
awk -v a="$whole" -v b="$allowed" 'BEGIN { exit a > b }'
