#!/usr/bin/env bash
# A trainer with a layer and an optimizer that are not entrain's learns, saves what the layer has learned, and loads it again.
#
#   tests/proofs/own_parts.sh PROGRAM
set -euo pipefail
program=$(realpath "${1:?which program, as in tests/proofs/own_parts.sh build/default/bin/own_parts}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "own_parts: $1"; exit 1; }
"$program" train --max-steps 300 --eval-steps 300 --learning-rate 2e-4 --output "$work/model" --json >"$work/scores" 2>"$work/said" || { tail -n 5 "$work/said"; fail "training failed"; }
f1=$(tr -d ' \n' <"$work/scores" | sed -n 's/.*"test":{[^{}]*"strict":{"micro":{[^{}]*"f1":\([0-9.]*\),"gold".*/\1/p')
awk -v f1="${f1:-0}" 'BEGIN { exit !(f1 > 0.6) }' || fail "strict F1 ${f1:-is missing}, expected above 0.6"
grep -aq '"encode[^"]*scale.gain"' "$work/model/model.safetensors" || fail "the model has no scale.gain"
grep -q 'Scale<96>' "$work/model/config.json" || fail "config.json does not name the layer"
grep -q '"lion"' "$work/model/config.json" || fail "config.json does not name the optimizer"
echo "Marie Curie flew from Paris to London." | "$program" predict -m "$work/model" >/dev/null 2>&1 || fail "the model does not load"
echo "own_parts: strict F1 $f1"
