#!/usr/bin/env bash
# The same seed gives the same bits of the weights file on one, two and three threads; another seed, others. What was
# saved predicts as what was trained: the trainer says so of every word of the test split, and both folders agree.
#
#   tests/proofs/same_bits.sh PROGRAM [PRETRAINED]      the trainer of the quick start, or one of this folder
set -euo pipefail
program=${1:?which program, as in tests/proofs/same_bits.sh build/default/bin/ner_light}
start=(${2:+--pretrained "$2"})
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stop() { echo "same_bits: $*"; exit 1; }

train() { # FOLDER SEED THREADS
  "$program" train "${start[@]}" --data examples/data --output "$work/$1" --seed "$2" --threads "$3" --max-steps 30 \
    --eval-steps 15 >"$work/$1.said" 2>&1 || { tail -n 5 "$work/$1.said"; stop "training failed"; }
  grep -q '^reloaded .* same tags on ' "$work/$1.said" || stop "$1: the reloaded model was not compared"
}
train one 7 1
train two 7 2
train three 7 3
train other 8 2
for folder in two three; do
  cmp "$work/one/model.safetensors" "$work/$folder/model.safetensors" || stop "$folder threads changed bits"
done
cmp -s "$work/one/model.safetensors" "$work/other/model.safetensors" && stop "another seed gave the same bits"

cut -f 1 examples/data/test.conll >"$work/words"
for run in one:1 one:2 two:1; do
  "$program" predict --model "$work/${run%:*}" --threads "${run#*:}" --format conll --output "$work/$run.conll" \
    examples/data/test.conll 2>"$work/said" || { cat "$work/said"; stop "prediction failed"; }
  cmp "$work/one:1.conll" "$work/$run.conll" || stop "$run predicted otherwise"
done
[ "$(wc -l <"$work/one:1.conll")" -ge "$(grep -c . "$work/words")" ] || stop "some words got no tag"
echo "same_bits: $(wc -c <"$work/one/model.safetensors") bytes, equal on 1, 2 and 3 threads; $(grep -c . "$work/words") words predicted alike"
