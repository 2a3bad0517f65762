#!/usr/bin/env bash
# Every precision that ./dev can train on a CPU opens everywhere: ./dev train, then ./dev predict and ./dev evaluate of
# the folder, which build the program that trained it, and evaluate repeats the scores of the training; and, if that is
# asked for, in another precision. A tiny encoder, and the light model.
#
#   tests/proofs/precisions.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
before=$(ls -d build/default/trainers/*/* 2>/dev/null || true)
clean() { # the programs that were made for this test alone
  local place
  for place in build/default/trainers/*/*; do
    grep -qxF "$place" <<<"$before" || rm -rf "$place"
  done
  rm -rf "$work"
}
trap clean EXIT
bert=tests/train/golden/bert
stop() { echo "precisions: $*"; exit 1; }
dev() { ./dev "$@" >"$work/out" 2>"$work/err" || { tail -n 5 "$work/err"; stop "failed: ./dev $*"; }; }

opens() { # WORDS OPTIONS ...: the precision that the folder keeps
  rm -rf "$work/model"
  dev train "${@:2}" --output "$work/model" --seed 1 --json
  ! grep -qE 'GLOB mismatch|^-- |CMake' "$work/err" || stop "${*:2}: CMake's own words: $(grep -m 1 -E 'GLOB mismatch|^-- |CMake' "$work/err")"
  grep -qF "\"precision\": \"$1" "$work/model/config.json" || stop "${*:2}: config.json does not say $1"
  cp "$work/out" "$work/trained"
  dev evaluate -m "$work/model" --json

  [ "$(grep -o '"strict":{"micro":{[^}]*}' "$work/out")" = "$(grep -o '"strict":{"micro":{[^}]*}' "$work/trained" | head -n 1)" ] ||
    { cat "$work/out" "$work/trained"; stop "${*:2}: evaluate and train scored otherwise"; }
  echo 'Marie Curie flew from Paris to London.' >"$work/text"
  dev predict -m "$work/model" --format jsonl "$work/text"
  grep -qF '"text":"Marie Curie flew from Paris to London."' "$work/out" || stop "${*:2}: predict said $(cat "$work/out")"
  echo "precisions: ${*:2}: trained, evaluated, predicted"
}
otherwise() { # PRECISION: the folder also opens in that one
  dev evaluate -m "$work/model" --precision "$1" --json
  grep -qF '"strict":{"micro":{' "$work/out" || stop "evaluate --precision $1 said $(cat "$work/out")"
  dev predict --precision="$1" -m "$work/model" --format jsonl "$work/text"
  grep -qF '"text":"Marie Curie flew from Paris to London."' "$work/out" || stop "predict --precision $1 said $(cat "$work/out")"
  echo "precisions: also opened in $1"
}
opens 'fp32"' --pretrained "$bert" --epochs 1 # without files: examples/data
otherwise bf16
opens 'fp32, products in bf16' --pretrained "$bert" --epochs 1 --bf16
otherwise fp32
opens 'fp64"' --pretrained "$bert" --epochs 1 --precision fp64
opens 'fp32"' --pretrained "$bert" --epochs 1 --head crf
opens 'fp32, products in bf16' --pretrained "$bert" --epochs 1 --head crf --precision bf16
opens 'fp64"' --pretrained "$bert" --epochs 1 --head crf --precision fp64
opens 'fp32"' --max-steps 30
otherwise bf16
opens 'fp32, products in bf16' --max-steps 30 --precision bf16
otherwise fp32
