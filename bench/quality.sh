#!/usr/bin/env bash
# Strict F1 of fine-tuned MiniLM compared with Hugging Face Trainer's, with dropout, over seeds; both by entrain's count.
#
#   ./dev bench quality --pretrained DIR [--corpus wnut17] [--seeds 5] [--epochs 3] [--precision bf16] [--device cuda] [--peer none]
#
# DIR is a folder of all-MiniLM-L6-v2 (docs/benchmarks.md tells where to get it). The same recipe for both: about 32 sentences a step, the
# same epochs, learning rate 5e-5 falling linearly, dropout 0.1, weight decay by each one's default, no dev file, no calibration.
# --precision bf16: also entrain with products in bf16. --device cuda: both on the GPU and in bf16, the Trainer with bf16=True, in python3
# if there is no build/venv-torch. --peer none: without the Trainer. The results of a seed are stored in build/quality, so that an
# interrupted run resumes. Writes bench/results/quality-<corpus>.json, quality-<corpus>-cuda.json, or, for bf16,
# quality-<corpus>-amx.json on a CPU with AMX and quality-<corpus>-epyc.json on an AMD EPYC.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
corpus=wnut17 seeds=5 epochs=3 precision=fp32 device=cpu peer=trainer folder=''
while [ $# != 0 ]; do
  case $1 in
    --corpus) corpus=$2; shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    --epochs) epochs=$2; shift 2 ;;
    --precision) precision=$2; shift 2 ;;
    --device) device=$2; shift 2 ;;
    --peer) peer=$2; shift 2 ;;
    --pretrained) folder=$2; shift 2 ;;
    *) echo "bench quality: what is $1?" >&2; exit 2 ;;
  esac
done
[ -e "$folder/model.safetensors" ] || { echo "bench quality: --pretrained names a folder with model.safetensors" >&2; exit 2; }
case $device in
  cpu) ;;
  cuda) precision=bf16 ;;
  *) echo "bench quality: --device $device: expected cpu or cuda" >&2; exit 2 ;;
esac
case $peer in
  trainer | none) ;;
  *) echo "bench quality: --peer $peer: expected trainer or none" >&2; exit 2 ;;
esac
. bench/slices/corpus.sh
. bench/slices/processor.sh
corpus_files quality "$corpus"

[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
ninja -C build/default --quiet finetune_ner >&2
python=build/venv-torch/bin/python ours=build/default/bin/finetune_ner
if [ ! -x $python ] && [ $device = cuda ] && python3 -c 'import torch, transformers' 2>/dev/null; then
  python=python3
elif [ ! -x $python ]; then
  sh bench/peers/setup.sh torch >&2
fi

kept=build/quality/$corpus-$epochs
[ $device = cpu ] || kept+=-$device
mkdir -p "$kept"
pieces=$("$python" bench/peers/hf_quality.py pieces "$folder" "$train" 2>/dev/null)
names=()
[ $device = cuda ] || names+=(entrain)
[ $peer = none ] || names+=(trainer)
[ "$precision" = fp32 ] || names+=("entrain-$precision")
made_by_dev() { ./dev "$@" --precision "$precision" --device "$device"; }
ours_gives() { # NAME PROGRAM ...
  [ ! -e "$kept/$1-$seed" ] || return 0
  "${@:2}" train --quiet --json --pretrained "$folder" --train "$train" --test "$test" --seed "$seed" --epochs "$epochs" \
    --token-budget "$pieces" --no-calibrate --overwrite --output "$kept/model" >"$kept/new"
  mv "$kept/new" "$kept/$1-$seed"
}
for ((seed = 0; seed < seeds; ++seed)); do
  [ $device = cuda ] || ours_gives entrain "$ours"
  [ "$precision" = fp32 ] || ours_gives "entrain-$precision" made_by_dev
  if [ $peer != none ] && [ ! -e "$kept/trainer-$seed" ]; then
    "$python" bench/peers/hf_quality.py "$folder" "$train" "$test" "$seed" "$epochs" "$kept/tags" $device >/dev/null 2>"$kept/trainer.log" ||
      { tail -n 5 "$kept/trainer.log" >&2; exit 1; }
    "$ours" score --quiet --json "$test" "$kept/tags" >"$kept/new"
    mv "$kept/new" "$kept/trainer-$seed"
  fi
done

mkdir -p bench/results
"$python" - "$kept" "$corpus" "$seeds" "$epochs" "${ENTRAIN_COMMIT:-$(git rev-parse --short HEAD)}" $device $precision "$kind" "${names[@]}" <<'PY'
import json, statistics, sys
kept, corpus, seeds, epochs, commit, device, precision, kind = sys.argv[1:3] + [int(n) for n in sys.argv[3:5]] + sys.argv[5:9]


def f1_of(name, seed):
    scores = json.load(open(f"{kept}/{name}-{seed}"))
    return 100 * scores.get("test", scores)["strict"]["micro"]["f1"]


f1 = {name: [f1_of(name, seed) for seed in range(seeds)] for name in sys.argv[9:]}
mean = {name: statistics.mean(values) for name, values in f1.items()}
error = {name: statistics.stdev(values) / len(values) ** 0.5 if seeds > 1 else 0 for name, values in f1.items()}
out = {"corpus": corpus, "epochs": epochs, "commit": commit, "device": device, "strict_f1": f1, "mean": mean, "standard_error": error}
suffix = "-cuda" if device == "cuda" else kind if precision == "bf16" else ""
open(f"bench/results/quality-{corpus}{suffix}.json", "w").write(json.dumps(out, indent=1) + "\n")
for name, values in f1.items():
    print(f"{corpus}, {epochs} epochs, {name}: {' '.join(f'{v:.2f}' for v in values)}; mean {mean[name]:.2f}, "
          f"standard error {error[name]:.2f}")
for other in ("entrain", "trainer"):
    for name in f1:
        if other in f1 and name not in (other, "trainer"):
            print(f"{name} - {other}: {mean[name] - mean[other]:+.2f}")
PY
