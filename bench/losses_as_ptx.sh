#!/usr/bin/env bash
# Compares losses of a fine-tuning in bf16, as a GPU would compute them, with those of torch on this CPU.
# Both begin with the same weights and use the same sentences, without dropout: `./dev gpu bench --stage loss` on a machine without a GPU.
# tests/ptx executes nvcc's PTX instruction by instruction, and computes sums of products as cuBLASLt does, in fp32: some seconds a step.
#
#   bench/losses_as_ptx.sh [--model MiniLmL6|BertBase] [--steps 30]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
model=MiniLmL6 steps=30
while [ $# != 0 ]; do
  case $1 in
    --model) model=${2:?losses_as_ptx: --model names MiniLmL6 or BertBase}; shift 2 ;;
    --steps) steps=${2:?losses_as_ptx: --steps wants a number}; shift 2 ;;
    *) echo "losses_as_ptx: $1: expected --model or --steps" >&2; exit 1 ;;
  esac
done
[ -x build/venv-torch/bin/python ] || sh bench/peers/setup.sh torch >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "$(scripts/gpu/find_nvcc.sh)" ] || { echo "losses_as_ptx: nvcc is not there" >&2; exit 1; }
cmake --preset cuda_on_cpu >/dev/null
ninja -C build/cuda_on_cpu -j "${JOBS:-$(nproc)}" --quiet "finetune_${model}_as_ptx" >/dev/null
finetune=build/cuda_on_cpu/tests/finetune_${model}_as_ptx
mkdir "$work/data"
"$finetune" prepare "$work/data"
name=$(basename "$(dirname "$work"/data/*/config.json)")
"$finetune" losses "$steps" >"$work/ours" &
for precision in bf16 fp32; do
  PYTHONDONTWRITEBYTECODE=1 build/venv-torch/bin/python bench/peers/gpu_losses.py "$work/data" "$name" "$steps" 32 $precision --device cpu >"$work/$precision" 2>"$work/said" ||
    { cat "$work/said" >&2; exit 1; }
done
wait $!
paste "$work/ours" "$work/bf16" "$work/fp32" | awk -v model="$model" '
  function apart(a, b) { return a > b ? a - b : b - a }
  { d = apart($1, $2); if (d > worst) { worst = d; at = NR }; sum += d; e = apart($2, $3); if (e > own) own = e }
  END { printf "%s, bf16, %d steps: from torch in bf16 by %.2e at most (step %d), by %.2e on the mean; torch in bf16 from torch in fp32 by %.2e at most\n", model, NR, worst, at, sum / NR, own }'
