#!/usr/bin/env bash
# Runs the tests of tests/cuda on the host harness, and demands that every kernel of include/ was launched: each
# __global__ function, and each functor that device::each walks with.
#
#   scripts/check_cuda_on_cpu.sh     builds build/cuda_on_cpu/tests/cuda_on_cpu, the target and the preset of that name
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake --preset cuda_on_cpu >/dev/null
ninja -C build/cuda_on_cpu -j "${JOBS:-$(nproc)}" --quiet cuda_on_cpu
program=build/cuda_on_cpu/tests/cuda_on_cpu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export program work
# A few cases at a time, in as many processes as there are cores.
some() { # FIRST LAST
  ENTRAIN_LAUNCHED=$work/launched.$1 ASAN_OPTIONS=detect_stack_use_after_return=0 \
    "$program" --no-intro --first="$1" --last="$2" >"$work/said.$1" 2>&1 && return
  grep -v 'ASan doesn.t fully support makecontext' "$work/said.$1"
  return 1
}
export -f some
cases=$("$program" --count | sed -n 's/.*: *\([0-9]*\)$/\1/p')
seq 1 4 "$cases" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'some "$0" $(($0 + 3))' {}
launched=$work/launched
cat "$work"/launched.* | sort -u >"$launched"
grep -hE "skipped: " "$work"/said.* || true  # for .ci/run

# A kernel's name is the last word before the bracket that opens its parameters.
written=$(find include -name '*.cuh' | sort | xargs cat | tr '\n' ' ' | grep -oE '__global__ +void +(__launch_bounds__\([^()]*(\([^()]*\))*[^()]*\) +)?[a-z_0-9]+' | grep -oE '[a-z_0-9]+$'
  find include -name '*.cuh' | sort | xargs awk '/^(template .*)?struct [A-Za-z]+ \{/ { match($0, /struct [A-Za-z]+/); name = substr($0, RSTART + 7, RLENGTH - 7) }
    /__device__ void operator\(\)\(int/ { print name }')
missing=$(sort -u <<<"$written" | comm -23 - <(sort -u "$launched"))
[ -z "$missing" ] || { echo "cuda_on_cpu: no test launches:" $missing; exit 1; }
echo "cuda_on_cpu: $cases cases; $(sort -u <<<"$written" | wc -l) kernels and functors, all of them launched"
