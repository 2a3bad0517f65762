#!/usr/bin/env bash
# bench/gpu/finetune.cu as nvcc compiles it for sm_90, as a program that runs where there is no GPU: tests/ptx carries out its PTX.
#
#   scripts/finetune_as_ptx.sh MiniLmL6|BertBase PROGRAM
set -euo pipefail
model=${1:?which model: MiniLmL6 or BertBase} program=$(realpath -m "${2:?where to the program goes}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
nvcc=$(scripts/find_nvcc.sh)
[ -n "$nvcc" ] || { echo "finetune_as_ptx: nvcc is not there" >&2; exit 1; }
build=build/cuda_on_cpu
cmake --preset cuda_on_cpu >/dev/null
ninja -C $build -j "${JOBS:-$(nproc)}" --quiet ptx_machine ptx_runtime entrain_parts >/dev/null
"$nvcc" $(scripts/gpu.sh --flags) -O2 -DENTRAIN_TARGET=Sm90 "-DENTRAIN_BENCH_MODEL=$model" -diag-suppress 20013,20015 \
  -Xcompiler -Wno-unknown-pragmas -no-compress -lineinfo -gencode arch=compute_90,code=compute_90 -c bench/gpu/finetune.cu -o "$program.o"
clang++-19 "$program.o" $build/tests/libptx_runtime.a $build/tests/libptx_machine.a $build/libentrain_parts.a -ldl -lpthread -o "$program"
