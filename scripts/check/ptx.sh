#!/usr/bin/env bash
# Runs the tests of tests/cuda as nvcc compiles them, on a machine without a GPU: tests/ptx executes the PTX of the objects, and also
# detects races. Requires that every kernel of include/ was launched. Without nvcc: scripts/not_checked.sh.
#
#   scripts/check/ptx.sh [75|80|90] [--report FILE]     builds cuda_as_ptx_sm90 of the preset cuda_on_cpu, or that target's
#
# --report: counts for each kernel: instructions, sectors of memory, turns of the banks of shared memory, and the lines that request more of
# them than they need.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
number=90 report=
while [ $# != 0 ]; do
  case $1 in
    75 | 80 | 90) number=$1; shift ;;
    --report) report=${2:?ptx: --report names a file}; shift 2 ;;
    *) echo "ptx: $1: expected 75, 80, 90 or --report FILE" >&2; exit 1 ;;
  esac
done
[ -n "$(scripts/gpu/find_nvcc.sh)" ] || scripts/not_checked.sh ptx "nvcc is not there; install the CUDA toolkit, 12.4 or newer"
cmake --preset cuda_on_cpu >/dev/null
ninja -C build/cuda_on_cpu -j "${JOBS:-$(nproc)}" --quiet "cuda_as_ptx_sm$number"
program=build/cuda_on_cpu/tests/cuda_as_ptx_sm$number
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export program work
some() { # FIRST LAST: these cases
  ENTRAIN_PTX_RACES=1 ENTRAIN_PTX_REPORT=$work/report.$1 "$program" --no-intro --first="$1" --last="$2" >"$work/said.$1" 2>&1 || { cat "$work/said.$1"; return 1; }
}
export -f some
cases=$("$program" --count | sed -n 's/.*: *\([0-9]*\)$/\1/p')
seq 1 4 "$cases" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'some "$0" $(($0 + 3))' {}
grep -hE "skipped: " "$work"/said.* || true  # for .ci/run
[ -z "$report" ] || cat "$work"/report.* >"$report"

cat "$work"/report.* | grep -v '^ ' >"$work/launched"
said=$(scripts/gpu/compare_launched.sh ptx "$work/launched") || { echo "$said"; exit 1; }
echo "ptx: $cases cases for sm_$number without a race; $said"
