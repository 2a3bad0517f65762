#!/usr/bin/env bash
# Every header compiles alone, without a warning; those for C as C99 too.
#
#   scripts/check_headers.sh COMPILER [ROOT]     COMPILER: g++, clang++-19, or another with their flags
#
# Headers that a CUDA program may include also go through nvcc: scripts/check_nvcc.sh.
set -euo pipefail
compiler=${1:?which compiler, as in scripts/check_headers.sh g++}
cd "${2:-$(dirname "${BASH_SOURCE[0]}")/..}"
command -v "$compiler" >/dev/null || { echo "check_headers: $compiler is not there; install it"; exit 1; }

# clang 19 warns of its own option on processors with AVX10; g++ takes any -Wno- silently.
compile_alone() { # COMPILER HEADER
  printf '#include "%s"\n#include "%s"\n' "$2" "$2" | "$1" -std=c++20 -march=native -Wno-invalid-feature-combination \
    -fsyntax-only -x c++ -Iinclude -isystem /usr/include/eigen3 -DEIGEN_DONT_PARALLELIZE -Wall -Wextra -Wconversion -Wshadow -Werror - ||
    { echo "check_headers: $2 does not compile alone with $1"; return 1; }
}
compile_alone_in_c() {
  printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$2" "$2" | "$1" -std=c99 -pedantic -fsyntax-only -x c \
    -Iinclude -Wall -Wextra -Wconversion -Wstrict-prototypes -Werror - ||
    { echo "check_headers: $2 does not compile alone as C99 with $1"; return 1; }
}
export -f compile_alone

headers=$(cd include && find entrain -name '*.hpp' -o -name '*.h' | sort)
for header in $(grep '\.h$' <<<"$headers"); do compile_alone_in_c "$compiler" "$header"; done
printf '%s\n' $headers | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'compile_alone "$0" "$1"' "$compiler" {} ||
  { echo "headers: some do not compile alone with $compiler"; exit 1; }
echo "headers: $(printf '%s\n' $headers | wc -l) compile alone with $compiler"
