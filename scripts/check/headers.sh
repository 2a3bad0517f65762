#!/usr/bin/env bash
# Every header compiles alone, without a warning; headers for C also as C99.
#
#   scripts/check/headers.sh COMPILER [--by-module [--alone N]]     COMPILER: g++, clang++-19, or another with their flags
#
# --by-module: the headers of each module are compiled together, which gives the compiler's warnings in a fifth of the time. --alone N: also
# every Nth header alone. The commit selects the first one, so that N commits cover most of them.
# Headers that a CUDA program may include are also compiled by nvcc: scripts/check/nvcc.sh.
set -euo pipefail
compiler=${1:?which compiler, as in scripts/check/headers.sh g++}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v "$compiler" >/dev/null || { echo "headers: $compiler is not there; install it"; exit 1; }

# clang 19 warns of its own option on CPUs with AVX10; g++ ignores any unknown -Wno- option.
compile() { # COMPILER HEADER ...
  local twice=("${@:2}" "${@:2}")
  printf '#include "%s"\n' "${twice[@]}" | "$1" -std=c++20 -march=native -Wno-invalid-feature-combination \
    -fsyntax-only -x c++ -Iinclude -isystem /usr/include/eigen3 -DEIGEN_DONT_PARALLELIZE -Wall -Wextra -Wconversion -Wshadow -Werror - ||
    { echo "headers: does not compile with $1: ${*:2}"; return 1; }
}
compile_in_c() {
  printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$2" "$2" | "$1" -std=c99 -pedantic -fsyntax-only -x c \
    -Iinclude -Wall -Wextra -Wconversion -Wstrict-prototypes -Werror - ||
    { echo "headers: $2 does not compile alone as C99 with $1"; return 1; }
}
export -f compile

headers=$(cd include && find entrain -name '*.hpp' -o -name '*.h' | sort)
for header in $(grep '\.h$' <<<"$headers"); do compile_in_c "$compiler" "$header"; done
how=alone each=$headers # each line is compiled together
if [ "${2:-}" = --by-module ]; then
  how="by module"
  each=$(awk -F/ '{ all[$2] = all[$2] " " $0 } END { for (module in all) print all[module] }' <<<"$headers")
  if [ "${3:-}" = --alone ]; then
    n=${4:?headers: --alone names a number} first=$(git rev-parse HEAD 2>/dev/null | cut -c1-6 || true)
    first=$((0x${first:-0} % n))
    each+=$'\n'$(awk -v n="$n" -v first="$first" 'NR % n == first' <<<"$headers")
    how+=", and of $n one alone,"
  fi
fi
xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'compile "$0" $1' "$compiler" {} <<<"$each" ||
  { echo "headers: some do not compile with $compiler"; exit 1; }
echo "headers: $(wc -l <<<"$headers") compile $how with $compiler"
