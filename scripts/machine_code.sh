#!/usr/bin/env bash
# What ptxas makes of the kernels of a step of fine-tuning, and whether it is what they were written for: no number of 16 bits that is
# converted alone where two could be at once, an eighth as fast; nothing that goes by way of local memory; and what a loop asks memory
# for, to use it in its next round, not used before. Needs nvdisasm: PATH's, the toolkit's, or NVIDIA's package of the Python index, 5 MB,
# which comes into build/nvdisasm; where it cannot be had: scripts/not_checked.sh.
#
#   scripts/machine_code.sh [--model MiniLmL6|BertBase] [--target 90|80]
#
# For each kernel: instructions, registers, warps that a multiprocessor has at once by them (65,536 registers, 64 warps), bytes that a
# thread asks memory for before it reads the first of them, and how many instructions lie between what a loop loads, 16 bytes at a
# time, and the first that reads it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
model=MiniLmL6 target=90
while [ $# != 0 ]; do
  case $1 in
    --model) model=${2:?machine_code: --model names MiniLmL6 or BertBase}; shift 2 ;;
    --target) target=${2:?machine_code: --target is 90 or 80}; shift 2 ;;
    *) echo "machine_code: $1: expected --model or --target" >&2; exit 1 ;;
  esac
done
nvcc=$(scripts/find_nvcc.sh)
[ -n "$nvcc" ] || scripts/not_checked.sh machine_code "nvcc is not there; install the CUDA toolkit, 12.4 or newer"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
package=build/nvdisasm/nvidia/cu13/bin/nvdisasm
found() { command -v nvdisasm || ls "$(dirname "$nvcc")/nvdisasm" "$package" 2>/dev/null | head -n 1 || true; }
if [ -z "$(found)" ]; then
  python3 -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 --no-deps --only-binary :all: \
    --target build/nvdisasm nvidia-cuda-nvdisasm==13.5.37 2>/dev/null || true
fi
nvdisasm=$(found)
[ -n "$nvdisasm" ] || scripts/not_checked.sh machine_code "nvdisasm is not there, and pip cannot get it; install the CUDA toolkit, 12.4 or newer"

"$nvcc" $(scripts/gpu.sh --flags) -O2 "-DENTRAIN_TARGET=Sm$target" "-DENTRAIN_BENCH_MODEL=$model" -diag-suppress 20013,20015 \
  "-arch=sm_$target" -cubin -Xptxas -v -o "$work/cubin" bench/gpu/finetune.cu 2>"$work/said" || { cat "$work/said"; exit 1; }
"$nvdisasm" -c "$work/cubin" >"$work/code"
{ sed -n "s/.*entry function '\([^']*\)'.*/entry \1/p; s/.*Used \([0-9]*\) registers.*/registers \1/p" "$work/said"; cat "$work/code"; } |
  awk -f scripts/machine_code.awk | c++filt | sed 's/entrain:://g; s/kernel::detail:://g; s/device:://g; s/void //; s/([^(]*$//' | sort -rn >"$work/table"
printf '%6s %9s %5s %9s %8s %6s %6s  %s\n' code registers warps asked-for distance alone local kernel
cat "$work/table"
# A round of update_chunks has little more than a hundred instructions in all.
bad=$(awk '$6 + $7 > 0 || (/residual_norm_stretch<|act_back_summing</ && $5 < 100) || (/update_chunks</ && $5 < 80)' "$work/table")
[ -z "$bad" ] || { echo "machine_code: converted alone, in local memory, or used as soon as it is loaded:"; echo "$bad"; exit 1; }
