#!/usr/bin/env bash
# Fine-tunes MiniLM with entrain and again with transformers, with the same first weights and order, and without dropout.
# Compares losses step by step, and strict F1 of the test file, by entrain's count. A seed draws the head's first weights and the order of
# sentences.
#
#   ./dev bench parity --pretrained DIR [--corpus wnut17] [--seeds 3] [--epochs 3] [--device cpu|cuda|ptx]
#
# DIR is a folder of all-MiniLM-L6-v2 (docs/benchmarks.md tells where to get it). --device cpu: in fp32. cuda: in bf16, compared with torch
# in bf16 and in fp32. ptx: as cuda, on a machine without a GPU: tests/ptx executes nvcc's PTX on the CPU, some seconds a step; torch
# also runs on the CPU. The results of a seed are stored in build/parity, so that an interrupted run resumes. Writes
# bench/results/parity-<corpus>-<device>.json.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
corpus=wnut17 seeds=3 epochs=3 device=cpu folder=''
while [ $# != 0 ]; do
  case $1 in
    --corpus) corpus=$2; shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    --epochs) epochs=$2; shift 2 ;;
    --device) device=$2; shift 2 ;;
    --pretrained) folder=$2; shift 2 ;;
    *) echo "bench parity: what is $1?" >&2; exit 2 ;;
  esac
done
[ -e "$folder/model.safetensors" ] || { echo "bench parity: --pretrained names a folder with model.safetensors" >&2; exit 2; }
. bench/slices/corpus.sh
corpus_files parity "$corpus"

build=build/default torch_device=cpu
[ -f $build/build.ninja ] || cmake --preset default >/dev/null
ninja -C $build --quiet finetune_ner >&2
case $device in
  cpu) program=finetune_parity precisions=(fp32) made=$build/bin/$program ;;
  cuda) program=finetune_parity_cuda precisions=(bf16 fp32) torch_device=cuda made=$build/bin/$program ;;
  ptx)
    program=finetune_parity_as_ptx precisions=(bf16 fp32) build=build/cuda_on_cpu made=$build/tests/$program
    cmake --preset cuda_on_cpu >/dev/null ;;
  *) echo "bench parity: --device $device: expected cpu, cuda or ptx" >&2; exit 2 ;;
esac
ninja -C $build --quiet $program >&2 || { echo "bench parity: $program was not built; is nvcc there?" >&2; exit 1; }
python=build/venv-torch/bin/python
if [ ! -x $python ] && [ $device = cuda ] && python3 -c 'import torch, transformers' 2>/dev/null; then
  python=python3
elif [ ! -x $python ]; then
  sh bench/peers/setup.sh torch >&2
fi

f1_of() { # TAGS OUT
  build/default/bin/finetune_ner score --quiet --json "$test" "$1" >"$2.new"
  mv "$2.new" "$2"
}
steps=$((epochs * $("$python" -c 'import sys; sys.path.insert(0, "bench/peers"); import conll; print(len(conll.words_and_tags(sys.argv[1])) // 32)' "$train")))
kept=build/parity/$device
mkdir -p "$kept"
folders=()
for ((seed = 0; seed < seeds; ++seed)); do
  out=$kept/$corpus-$epochs-$seed
  folders+=("$out")
  if [ ! -e "$out/f1" ]; then
    "$made" "$folder" "$train" "$test" "$steps" "$seed" "$out"
    f1_of "$out/tags.conll" "$out/f1"
  fi
  for precision in "${precisions[@]}"; do
    if [ ! -e "$out/f1-$precision" ]; then
      "$python" bench/peers/hf_parity.py "$out" "$train" "$test" "$precision" --device $torch_device >"$out/said-$precision" 2>"$out/log" ||
        { tail -n 5 "$out/log" >&2; exit 1; }
      f1_of "$out/tags-$precision.conll" "$out/f1-$precision"
    fi
  done
done

mkdir -p bench/results
"$python" - "$corpus" "$epochs" "${ENTRAIN_COMMIT:-$(git rev-parse --short HEAD)}" "$device" "${precisions[*]}" "${folders[@]}" <<'PY'
import json, statistics, sys
corpus, epochs, commit, device, precisions, folders = *sys.argv[1:5], sys.argv[5].split(), sys.argv[6:]


def losses(name):
    return [[float(line) for line in open(f"{folder}/{name}")] for folder in folders]


def f1(name):
    return [100 * json.load(open(f"{folder}/{name}"))["strict"]["micro"]["f1"] for folder in folders]


def apart(a, b):
    return [abs(x - y) for of_a, of_b in zip(a, b) for x, y in zip(of_a, of_b)]


def tags(name):
    return [line.split("\t")[1] for folder in folders for line in open(f"{folder}/{name}") if "\t" in line]


ours = {"losses": losses("losses"), "f1": f1("f1"), "tags": tags("tags.conll")}
torch = {p: {"losses": losses(f"losses-{p}"), "f1": f1(f"f1-{p}"), "tags": tags(f"tags-{p}.conll")} for p in precisions}
out = {"corpus": corpus, "epochs": int(epochs), "steps": len(ours["losses"][0]), "commit": commit, "device": device,
       "strict_f1": {"entrain": ours["f1"]} | {f"torch {p}": t["f1"] for p, t in torch.items()}, "apart": {}}
print(f"{corpus}, {out['steps']} steps, entrain, strict F1: {' '.join(f'{x:.2f}' for x in ours['f1'])}; mean {statistics.mean(ours['f1']):.2f}")
pairs = [("entrain", f"torch {p}", ours, torch[p]) for p in precisions]
if len(precisions) == 2:
    pairs.append((f"torch {precisions[0]}", f"torch {precisions[1]}", *(torch[p] for p in precisions)))
for a, b, x, y in pairs:
    distance = apart(x["losses"], y["losses"])
    row = {"loss_most": max(distance), "loss_mean": statistics.mean(distance),
           "f1": statistics.mean(x["f1"]) - statistics.mean(y["f1"]),
           "tags_equal": sum(s == t for s, t in zip(x["tags"], y["tags"])) / len(x["tags"])}
    out["apart"][f"{a} from {b}"] = row
    print(f"{a} from {b}: losses {row['loss_most']:.2e} at most, {row['loss_mean']:.2e} on the mean; strict F1 {' '.join(f'{v:.2f}' for v in y['f1'])}, "
          f"mean {statistics.mean(y['f1']):.2f}, difference {row['f1']:+.2f}; {100 * row['tags_equal']:.2f} % of the tags equal")
open(f"bench/results/parity-{corpus}-{device}.json", "w").write(json.dumps(out, indent=1) + "\n")
PY
