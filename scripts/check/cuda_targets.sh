#!/usr/bin/env bash
# nvcc compiles the kernels of tests/cuda for every target, and the benches of bench/gpu for sm_90, with warnings as errors, and no kernel
# spills registers. Host code is the same for every target: it is compiled only for sm_90, and without -O2; kernels are optimized without
# that option too.
#
#   scripts/check/cuda_targets.sh [sm_75 ...]     without targets: sm_75, sm_80, sm_90, and PTX of the last for newer
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
nvcc=$(scripts/gpu/find_nvcc.sh)
[ -n "$nvcc" ] || scripts/not_checked.sh cuda_targets "nvcc is not there; install the CUDA toolkit, 12.4 or newer"
[ $# != 0 ] || set -- sm_75 sm_80 sm_90
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export nvcc work

one() { # FILE TARGET
  local said=$work/$(basename "$1" .cu).$2 number=${2#sm_} lacks=() makes model=MiniLmL6
  [ "$2" != sm_75 ] || lacks=(-DENTRAIN_TEST_WITHOUT_BF16)
  [[ $1 != */ways.cu ]] || model=Light # four trainers
  makes=(-cubin -arch="$2")
  [ "$2" != sm_90 ] || makes=(-c -gencode "arch=compute_$number,code=[sm_$number,compute_$number]" -Xcompiler -Wall,-Wextra,-Wno-unknown-pragmas)
  "$nvcc" -std=c++20 -Iinclude -I. -DENTRAIN_COMPILED -DENTRAIN_TEST_TARGET="Sm$number" -DENTRAIN_TARGET="Sm$number" \
    -DENTRAIN_BENCH_MODEL="$model" "${lacks[@]}" --Werror all-warnings \
    -diag-suppress 20013,20015 "${makes[@]}" -Xptxas -v -o "$said.bin" "$1" >"$said" 2>&1 || { cat "$said"; echo "cuda_targets: $1 does not compile for $2"; return 1; }
  rm -f "$said.bin"
  # Spills in CUB's kernels do not count.
  awk -v file="$1" -v target="$2" '/Function properties for/ { of = $NF }
    / bytes spill/ && !/ 0 bytes spill stores, 0 bytes spill loads/ && of !~ /^_ZN3cub/ {
      print "cuda_targets: " file " spills registers on " target ": " of; spills = 1
    }
    END { exit spills }' "$said"
}
export -f one
work_of=$(for target in "$@"; do
  [ "$target" != sm_90 ] || printf '%s\n' bench/gpu/*.cu | sed "s/\$/ $target/"
  printf '%s\n' tests/cuda/*.cu | sed "s/\$/ $target/"
done)
xargs -P "${JOBS:-$(nproc)}" -L 1 bash -c 'one "$0" "$1"' <<<"$work_of"
echo "cuda_targets: $(wc -l <<<"$work_of") compilations for $*, with $("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/nvcc \1/p')"
