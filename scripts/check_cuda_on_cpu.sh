#!/usr/bin/env bash
# Runs the tests of tests/cuda on the host harness, and demands that every kernel of include/ was launched: each
# __global__ function, and each functor that device::each walks with.
#
#   scripts/check_cuda_on_cpu.sh PROGRAM     PROGRAM: build/default/tests/cuda_on_cpu, made by the target of that name
set -euo pipefail
program=$(realpath "${1:?which program, as in build/default/tests/cuda_on_cpu}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
launched=$(mktemp)
trap 'rm -f "$launched"' EXIT
ENTRAIN_LAUNCHED=$launched "$program" --no-intro 2> >(grep -v 'ASan doesn.t fully support makecontext' >&2)

# A kernel's name is the last word before the bracket that opens its parameters.
written=$(find include -name '*.cuh' | sort | xargs cat | tr '\n' ' ' | grep -oE '__global__ +void +(__launch_bounds__\([^()]*(\([^()]*\))*[^()]*\) +)?[a-z_0-9]+' | grep -oE '[a-z_0-9]+$'
  find include -name '*.cuh' | sort | xargs awk '/^(template .*)?struct [A-Za-z]+ \{/ { match($0, /struct [A-Za-z]+/); name = substr($0, RSTART + 7, RLENGTH - 7) }
    /__device__ void operator\(\)\(int/ { print name }')
missing=$(sort -u <<<"$written" | comm -23 - <(sort -u "$launched"))
[ -z "$missing" ] || { echo "cuda_on_cpu: no test launches:" $missing; exit 1; }
echo "cuda_on_cpu: $(sort -u <<<"$written" | wc -l) kernels and functors, all of them launched"
