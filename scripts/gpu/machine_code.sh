#!/usr/bin/env bash
# Checks whether ptxas makes the intended machine code of the kernels of a step of fine-tuning. No number of 16 bits is converted alone
# where one instruction could convert two: alone is an eighth as fast. Nothing goes through local memory. A loop does not use a value that
# it loads for its next round before that round. Needs nvdisasm: from PATH, the toolkit, or NVIDIA's package of the Python index, 5 MB,
# which is stored in build/nvdisasm; if it is unavailable: scripts/not_checked.sh.
#
#   scripts/gpu/machine_code.sh [--model MiniLmL6|BertBase] [--target 90|80]
#
# Prints for each kernel: instructions, registers, resident warps of a multiprocessor at this register count (65,536 registers, 64 warps),
# bytes that a thread requests from memory before it reads the first of them, and the number of instructions between a loop's loads, 16
# bytes at a time, and the first instruction that reads the loaded value.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
model=MiniLmL6 target=90
while [ $# != 0 ]; do
  case $1 in
    --model) model=${2:?machine_code: --model names MiniLmL6 or BertBase}; shift 2 ;;
    --target) target=${2:?machine_code: --target is 90 or 80}; shift 2 ;;
    *) echo "machine_code: $1: expected --model or --target" >&2; exit 1 ;;
  esac
done
nvcc=$(scripts/gpu/find_nvcc.sh)
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

"$nvcc" $(scripts/gpu/gpu.sh --flags) -O2 "-DENTRAIN_TARGET=Sm$target" "-DENTRAIN_BENCH_MODEL=$model" -diag-suppress 20013,20015 \
  "-arch=sm_$target" -cubin -Xptxas -v -o "$work/cubin" bench/gpu/finetune.cu 2>"$work/said" || { cat "$work/said"; exit 1; }
"$nvdisasm" -c "$work/cubin" >"$work/code"
{ sed -n "s/.*entry function '\([^']*\)'.*/entry \1/p; s/.*Used \([0-9]*\) registers.*/registers \1/p" "$work/said"; cat "$work/code"; } |
  awk -f scripts/gpu/machine_code.awk | c++filt | sed 's/entrain:://g; s/kernel::detail:://g; s/device:://g; s/void //; s/([^(]*$//' | sort -rn >"$work/table"
printf '%6s %9s %5s %9s %8s %6s %6s  %s\n' code registers warps asked-for distance alone local kernel
cat "$work/table"
# A round of update_chunks has little more than a hundred instructions in all.
bad=$(awk '$6 + $7 > 0 || (/residual_norm_range<|act_back_summing</ && $5 < 100) || (/update_chunks</ && $5 < 80)' "$work/table")
[ -z "$bad" ] || { echo "machine_code: converted alone, in local memory, or used as soon as it is loaded:"; echo "$bad"; exit 1; }
