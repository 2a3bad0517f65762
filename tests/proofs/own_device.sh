#!/usr/bin/env bash
# A trainer on a device that is not entrain's gives the quick start's model, byte for byte, and the device's own kernels ran.
#
#   tests/proofs/own_device.sh PROGRAM QUICK_START
set -euo pipefail
program=$(realpath "${1:?which program, as in tests/proofs/own_device.sh build/default/bin/own_device build/default/bin/ner_light}")
quick=$(realpath "${2:?which program of the quick start, as in build/default/bin/ner_light}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "own_device: $1"; exit 1; }
for name in program quick; do
  "${!name}" train --max-steps 40 --eval-steps 40 --output "$work/$name" >/dev/null 2>"$work/said_$name" || { tail -n 5 "$work/said_$name"; fail "training failed"; }
done
cmp "$work/program/model.safetensors" "$work/quick/model.safetensors" || fail "the model is another than the quick start's"
grep -q '^device  *timed cpu, ' "$work/said_program" || fail "the device is not named"
for op in products embedding window dropout crf; do
  calls=$(awk -v op="$op" '$1 == op { n += $2 } END { print n + 0 }' "$work/said_program")
  [ "$calls" -ge 40 ] || fail "$calls calls of $op were timed, expected one at least for each of 40 steps"
done
echo "own_device: the quick start's model"
