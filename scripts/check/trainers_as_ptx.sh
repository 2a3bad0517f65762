#!/usr/bin/env bash
# Runs whole trainers for a GPU on a machine without one: tests/ptx executes the code that nvcc compiles, from the command line to the
# folder that the trainers write. The light trainer in fp32 and a small BERT in bf16 are trained, killed after a saved state, and resumed.
# They reach the same bits, and find the tags that the program for the CPU finds with the same folder. Each compiles within its time
# limit. Without nvcc: scripts/not_checked.sh.
#
#   scripts/check/trainers_as_ptx.sh NER_LIGHT TINY_BERT      the same trainers for the CPU
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bar=90 # CPU seconds that compiling a trainer for one target may take
light=${1:?which program is the trainer of examples/01_first_tagger for the CPU} bert=${2:?which is that of tests/train/golden/bert}
[ -n "$(scripts/gpu/find_nvcc.sh)" ] || scripts/not_checked.sh trainers_as_ptx "nvcc is not there; install the CUDA toolkit, 12.4 or newer"
cmake --preset cuda_on_cpu >/dev/null
ninja -C build/cuda_on_cpu -j "${JOBS:-$(nproc)}" --quiet ner_light_as_ptx tiny_bert_as_ptx >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stop() { echo "trainers_as_ptx: $*"; exit 1; }
for name in ner_light tiny_bert; do
  file=build/cuda_on_cpu/tests/${name}_as_ptx.o.seconds
  seconds=$(cat "$file")
  awk -v took="$seconds" -v bar=$bar 'BEGIN { exit !(took > 0 && took <= bar) }' ||
    { rm "$file"; stop "$name: compiled in $seconds s of a CPU, expected $bar at most"; } # without it the next call compiles again
  echo "trainers_as_ptx: $name: compiled for sm_90 in $seconds s of a CPU (bar $bar)"
done

train() { # FOLDER PROGRAM OPTIONS...: the program replaces this process
  local folder=$1 program=$2
  shift 2
  exec "$program" train --data examples/data --output "$work/$folder" --max-steps 12 --eval-steps 12 "$@" >"$work/$folder.said" 2>&1
}
predict() { # PROGRAM FOLDER WORDS
  "$1" predict --model "$work/$2" --format conll --output "$work/$3" examples/data/test.conll 2>"$work/said" || { cat "$work/said"; stop "$2: no prediction"; }
}
check() { # NAME, PROGRAM for the CPU, differing tags at most, options
  local name=$1 processor=$2 most=$3 program=build/cuda_on_cpu/tests/$1_as_ptx killed differ
  shift 3
  local keeps=("$@" --save-steps 4 --algorithms "$work/$name.algorithms")
  (train "$name" "$program" "${keeps[@]}") || { tail -n 5 "$work/$name.said"; stop "$name: training failed"; }
  grep -q '^reloaded .* same tags on ' "$work/$name.said" || stop "$name: the reloaded model was not compared"

  train "$name.killed" "$program" "${keeps[@]}" &
  killed=$!
  until [ -e "$work/$name.killed/training_state.safetensors" ]; do
    sleep 0.1
    kill -0 $killed 2>/dev/null || stop "$name: nobody kept a state"
  done
  kill -KILL $killed
  ! wait $killed 2>/dev/null || stop "$name: it was over before it could be killed"
  ! grep -q '^step 12 ' "$work/$name.killed.said" || stop "$name: it was over before it was killed"
  (train "$name.killed" "$program" "${keeps[@]}" --resume) || { tail -n 5 "$work/$name.killed.said"; stop "$name: it did not go on"; }
  cmp "$work/$name/model.safetensors" "$work/$name.killed/model.safetensors" || stop "$name: going on gave other bits"

  (train "$name.cpu" "$processor" "$@") || { tail -n 5 "$work/$name.cpu.said"; stop "$name: training on the CPU failed"; }
  local ours=$(loss "$name") theirs=$(loss "$name.cpu")
  awk -v a="$ours" -v b="$theirs" 'BEGIN { exit !(a > 0 && a - b < 0.01 * b && b - a < 0.01 * b) }' || stop "$name: the loss is $ours, on the CPU $theirs"
  predict "$program" "$name" "$name.tags"
  predict "$processor" "$name" "$name.tags.cpu"
  differ=$(diff "$work/$name.tags" "$work/$name.tags.cpu" | grep -c '^<' || true)
  [ "$differ" -le "$most" ] || stop "$name: $differ tags are other ones on the CPU, with the same folder"
  echo "trainers_as_ptx: $name: loss $ours, on the CPU $theirs; killed and gone on with to the same bits;" \
    "$differ of $(grep -c . "$work/$name.tags") tags differ from the CPU's"
}
loss() { sed -n 's/^step 12 *loss \([^ ]*\) .*/\1/p' "$work/$1.said"; } # FOLDER
check ner_light "$light" 0
check tiny_bert "$bert" 188 --pretrained tests/train/golden/bert --learning-rate 0.005 # in bf16: one tag in twenty
