#!/usr/bin/env bash
# Counts the resources that each kernel of a step of fine-tuning uses, on a machine without a GPU: tests/ptx executes the PTX of
# bench/gpu/finetune.cu as nvcc compiles it. No time is measured. Next to the counts the script prints the minimum that an H200 needs for
# each (132 multiprocessors of 4 instructions a turn, 32 banks each, 1.7 GHz; 4.0 TB/s). They show which of the three a kernel waits for,
# and where to look first.
#
#   scripts/gpu/kernel_costs.sh [--model MiniLmL6|BertBase] [--steps 2] [--report FILE]
#
# A step has 32 sentences. --report: all counts, and the lines of the sources that cause them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
model=MiniLmL6 steps=2 report=
while [ $# != 0 ]; do
  case $1 in
    --model) model=${2:?kernel_costs: --model names MiniLmL6 or BertBase}; shift 2 ;;
    --steps) steps=${2:?kernel_costs: --steps wants a number}; shift 2 ;;
    --report) report=${2:?kernel_costs: --report names a file}; shift 2 ;;
    *) echo "kernel_costs: $1: expected --model, --steps or --report" >&2; exit 1 ;;
  esac
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "$(scripts/gpu/find_nvcc.sh)" ] || scripts/not_checked.sh kernel_costs "nvcc is not there; install the CUDA toolkit, 12.4 or newer"
cmake --preset cuda_on_cpu >/dev/null
ninja -C build/cuda_on_cpu -j "${JOBS:-$(nproc)}" --quiet "finetune_${model}_as_ptx" >/dev/null
finetune=build/cuda_on_cpu/tests/finetune_${model}_as_ptx
ENTRAIN_PTX_REPORT=$work/report "$finetune" losses "$steps" >"$work/losses"
[ -z "$report" ] || cp "$work/report" "$report"
echo "$model, 32 sentences a step, $steps steps, losses $(paste -sd' ' "$work/losses"): a step's"
awk -v steps="$steps" '
  /^[^ ]/ { name = $0; gsub(/entrain::|kernel::|detail::|device::|^void |\(.*/, "", name) }
  / launches, / {
    for (i = 2; i <= NF; ++i) {
      word = $i
      gsub(/[,;]/, "", word)
      if (word == "launches") launches = $(i - 1)
      if (word == "instructions") instructions = $(i - 1)
      if (word == "sectors") { sectors = $(i - 1); least = $(i + 2) }
      if (word == "turns") turns = $(i - 1)
    }
    issue = instructions / steps / (132 * 4 * 1.7e3); memory = sectors * 32 / steps / 4.0e6; banks = turns / steps / (132 * 1.7e3)
    most = issue > memory ? issue : memory
    if (banks > most) most = banks
    printf "%10.2f %9.2f %9.2f %9.2f %8.1f %8.2f  %s\n", most, issue, memory, banks, launches / steps, (least ? sectors / least : 0), substr(name, 1, 100)
    of_issue += issue; of_memory += memory; of_most += most
  }
  END { printf "%10.2f %9.2f %9.2f %28s all\n", of_most, of_issue, of_memory, "" }' "$work/report" | sort -rn |
  { printf '%10s %9s %9s %9s %8s %8s  %s\n' "least us" issue memory banks launches sectors kernel; cat; }
