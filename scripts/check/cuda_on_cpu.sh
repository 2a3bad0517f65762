#!/usr/bin/env bash
# Runs the tests of tests/cuda on the host harness. Requires that every kernel of include/ was launched: each __global__ function, and each
# functor of device::each; and that scripts/gpu/list_kernels.sh knows every kernel that was launched.
#
#   scripts/check/cuda_on_cpu.sh     builds build/cuda_on_cpu/tests/cuda_on_cpu, the target and the preset of that name
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
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
cat "$work"/launched.* >"$work/launched"
grep -hE "skipped: " "$work"/said.* || true  # for .ci/run

said=$(scripts/gpu/compare_launched.sh cuda_on_cpu "$work/launched") || { echo "$said"; exit 1; }
echo "cuda_on_cpu: $cases cases; $said"
