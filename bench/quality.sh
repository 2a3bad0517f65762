#!/usr/bin/env bash
# Fine-tuned MiniLM's strict F1 beside Hugging Face Trainer's, dropout and all, over seeds; both by our count.
#
#   ./dev bench quality --pretrained DIR [--corpus wnut17] [--seeds 5] [--epochs 3] [--precision bf16]
#
# DIR is a folder of all-MiniLM-L6-v2 (docs/benchmarks.md says where from). The same recipe for both: about 32 sentences a step, the same
# epochs, learning rate 5e-5 falling linearly, dropout 0.1, weight decay as each has it by default, no dev file, no calibration.
# --precision bf16: also ours with products in bf16. What a seed gave is kept in build/quality, so that an interrupted run goes on. Writes
# bench/results/quality-<corpus>.json.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
corpus=wnut17 seeds=5 epochs=3 precision=fp32 folder=''
while [ $# != 0 ]; do
  case $1 in
    --corpus) corpus=$2; shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    --epochs) epochs=$2; shift 2 ;;
    --precision) precision=$2; shift 2 ;;
    --pretrained) folder=$2; shift 2 ;;
    *) echo "bench quality: what is $1?" >&2; exit 2 ;;
  esac
done
[ -e "$folder/model.safetensors" ] || { echo "bench quality: --pretrained names a folder with model.safetensors" >&2; exit 2; }
. bench/slices/corpus.sh
corpus_files quality "$corpus"

[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
ninja -C build/default --quiet finetune_ner >&2
[ -x build/venv-torch/bin/python ] || sh bench/peers/setup.sh torch >&2
python=build/venv-torch/bin/python ours=build/default/bin/finetune_ner

kept=build/quality/$corpus-$epochs
mkdir -p "$kept"
pieces=$("$python" bench/peers/hf_quality.py pieces "$folder" "$train" 2>/dev/null)
names=(entrain trainer)
[ "$precision" = fp32 ] || names+=("entrain-$precision")
made_by_dev() { ./dev "$@" --precision "$precision"; }
ours_gives() { # NAME PROGRAM ...
  [ ! -e "$kept/$1-$seed" ] || return 0
  "${@:2}" train --quiet --json --pretrained "$folder" --train "$train" --test "$test" --seed "$seed" --epochs "$epochs" \
    --token-budget "$pieces" --no-calibrate --output "$kept/model" >"$kept/new"
  mv "$kept/new" "$kept/$1-$seed"
}
for ((seed = 0; seed < seeds; ++seed)); do
  ours_gives entrain "$ours"
  [ "$precision" = fp32 ] || ours_gives "entrain-$precision" made_by_dev
  if [ ! -e "$kept/trainer-$seed" ]; then
    "$python" bench/peers/hf_quality.py "$folder" "$train" "$test" "$seed" "$epochs" "$kept/tags" >/dev/null 2>"$kept/trainer.log" ||
      { tail -n 5 "$kept/trainer.log" >&2; exit 1; }
    "$ours" score --quiet --json "$test" "$kept/tags" >"$kept/new"
    mv "$kept/new" "$kept/trainer-$seed"
  fi
done

mkdir -p bench/results
"$python" - "$kept" "$corpus" "$seeds" "$epochs" "$(git rev-parse --short HEAD)" "${names[@]}" <<'PY'
import json, statistics, sys
kept, corpus, seeds, epochs, commit = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]


def f1_of(name, seed):
    scores = json.load(open(f"{kept}/{name}-{seed}"))
    return 100 * scores.get("test", scores)["strict"]["micro"]["f1"]


f1 = {name: [f1_of(name, seed) for seed in range(seeds)] for name in sys.argv[6:]}
mean = {name: statistics.mean(values) for name, values in f1.items()}
error = {name: statistics.stdev(values) / len(values) ** 0.5 if seeds > 1 else 0 for name, values in f1.items()}
out = {"corpus": corpus, "epochs": epochs, "commit": commit, "strict_f1": f1, "mean": mean, "standard_error": error}
open(f"bench/results/quality-{corpus}.json", "w").write(json.dumps(out, indent=1) + "\n")
for name, values in f1.items():
    print(f"{corpus}, {epochs} epochs, {name}: {' '.join(f'{v:.2f}' for v in values)}; mean {mean[name]:.2f}, "
          f"standard error {error[name]:.2f}")
for name in f1:
    if name != "trainer":
        print(f"{name} - trainer: {mean[name] - mean['trainer']:+.2f}")
PY
