#!/usr/bin/env bash
# Fine-tunes MiniLM, BERT-base, ModernBERT-base or XLM-RoBERTa-base, compared with Hugging Face Trainer and a plain torch loop: real pieces a second, peak
# memory, in turn.
#
#   ./dev bench finetune --pretrained DIR [--model minilm|bert-base|modernbert|xlm-roberta] [--corpus wnut17] [--slices 5] [--steps 10] [--threads 2]
#
# DIR is a folder of all-MiniLM-L6-v2 (docs/benchmarks.md tells where to get it). 32 sentences a step. Compared with the Trainer and the
# padded loop, the batches are the corpus's own; compared with the loop on equal lengths, no side pads. `alone` is entrain's program without
# oneDNN. --model bert-base: BERT-base with random weights of a seed, which the script stores in build/pretrained, and the tokenizer of
# DIR; without the loops in fp32 and without `alone`. If the CPU multiplies bf16, the script measures the same once more with bf16 on both
# sides. --model xlm-roberta: XLM-RoBERTa-base with random weights, whose table has 250,002 rows, and the pieces that
# scripts/train_unigram.sh trains; the Trainer alone, in fp32; DIR is not read. --model modernbert: ModernBERT-base with random weights and the
# pieces of GPT-2, without the loops in fp32; the Trainer's ModernBERT has no dropout, as its config.json says; DIR is not read. The script measures wall time, so it needs idle cores. It
# writes bench/results/finetune-<corpus>.json; the name has -bert-base, -modernbert or -xlm-roberta for these models, then -amx on a CPU with AMX or -epyc
# on an AMD EPYC.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
corpus=wnut17 slices=5 steps=10 threads=2 folder='' model=minilm
while [ $# != 0 ]; do
  case $1 in
    --corpus) corpus=$2; shift 2 ;;
    --model) model=$2; shift 2 ;;
    --slices) slices=$2; shift 2 ;;
    --steps) steps=$2; shift 2 ;;
    --threads) threads=$2; shift 2 ;;
    --pretrained) folder=$2; shift 2 ;;
    *) echo "bench finetune: what is $1?" >&2; exit 2 ;;
  esac
done
case $model in
  minilm) ours=finetune_slices suffix='' ;;
  bert-base) ours=finetune_slices_bert_base suffix=-bert-base ;;
  xlm-roberta) ours=finetune_slices_xlm_roberta suffix=-xlm-roberta folder=build/pretrained/xlm-roberta-seeded ;;
  modernbert) ours=finetune_slices_modernbert suffix=-modernbert folder=build/pretrained/modernbert-seeded ;;
  *) echo "bench finetune: --model $model: expected minilm, bert-base, modernbert or xlm-roberta" >&2; exit 2 ;;
esac
if [ $model = xlm-roberta ] && [ ! -e $folder/model.safetensors ]; then
  scripts/train_unigram.sh build/pretrained/unigram
  build/venv-torch/bin/python bench/peers/seeded_bert.py build/pretrained/unigram $folder xlm-roberta-base >&2
fi
if [ $model = modernbert ] && [ ! -e $folder/model.safetensors ]; then
  scripts/fetch_gpt2_bpe.sh build/pretrained/gpt2-bpe >&2
  build/venv-torch/bin/python bench/peers/seeded_bert.py build/pretrained/gpt2-bpe $folder modernbert-base >&2
fi
[ -e "$folder/model.safetensors" ] || { echo "bench finetune: --pretrained names a folder with model.safetensors" >&2; exit 2; }
. bench/slices/corpus.sh
. bench/slices/processor.sh
corpus_files finetune "$corpus"

[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
[ $model != xlm-roberta ] || bf16='' # four programs of 6 GB would not fit into 24 GB
ninja -C build/default --quiet $ours ${bf16:+${ours}_bf16} >&2
alone=''
[ $model != minilm ] || alone=$(ninja -C build/default -t targets all | grep -o '^finetune_slices_alone:' || true) # if oneDNN is installed
[ -z "$alone" ] || ninja -C build/default --quiet finetune_slices_alone >&2
[ -x build/venv-torch/bin/python ] || sh bench/peers/setup.sh torch >&2
python=build/venv-torch/bin/python
if [ $model = bert-base ]; then
  seeded=build/pretrained/bert-base-seeded
  [ -e $seeded/model.safetensors ] || "$python" bench/peers/seeded_bert.py "$folder" $seeded >&2
  folder=$seeded
fi

. bench/slices/turns.sh
peer() { start "$1" "$python" bench/peers/hf_finetune.py "$2" "$folder" "$train" "$steps" "$threads" "${@:3}"; }
start entrain build/default/bin/$ours "$folder" "$train" "$steps" "$threads" file
[ -z "$alone" ] || start alone build/default/bin/finetune_slices_alone "$folder" "$train" "$steps" "$threads" file
peer trainer trainer
if [ $model = minilm ]; then # of BERT-base eight programs exceed 24 GB
  peer loop loop
  start entrain-equal build/default/bin/$ours "$folder" "$train" "$steps" "$threads" equal
  peer loop-equal loop equal
fi
if [ -n "$bf16" ]; then
  start entrain-bf16 build/default/bin/${ours}_bf16 "$folder" "$train" "$steps" "$threads" file
  peer trainer-bf16 trainer bf16
  peer loop-bf16 loop bf16
fi
results=$turns_dir/results
turns "$slices" train >"$results"

"$python" - "$results" "$corpus" "$slices" "$steps" "$threads" "$(git rev-parse --short HEAD)" "$(g++ --version | head -1)" $model "$suffix$kind" <<'PY'
import json, statistics, sys
sys.path.insert(0, "bench/slices")
from turns import Turns, cpu, line_of
turns = Turns(sys.argv[1])
of = turns.of
corpus, slices, steps, threads, commit, compiler, model, suffix = sys.argv[2], *map(int, sys.argv[3:6]), *sys.argv[6:]
peer = of("trainer", "ready")[0]
out = {"model": model, "corpus": corpus, "cpu": cpu(), "threads": threads, "compiler": compiler, "commit": commit, "slices": slices, "steps": steps,
       "peers": {"torch": peer["system"], "transformers": peer["transformers"]}}
pairs = [("trainer", "entrain")]
if of("loop"):
    pairs += [("loop", "entrain"), ("loop-equal", "entrain-equal")]
if of("entrain-bf16"):
    pairs += [("trainer", "entrain-bf16"), ("trainer-bf16", "entrain-bf16"), ("loop-bf16", "entrain-bf16"),
              ("entrain", "entrain-bf16")]
if of("alone"):
    share = [l["encoder_gflops"] / l["peak_gflops"] for l in of("alone")]
    out["alone"] = {"entrain_pieces_per_second": statistics.median(l["pieces_per_second"] for l in of("alone")),
                    "encoder_share_of_fma_peak": statistics.median(share)}
    print(f"{corpus} without oneDNN: {out['alone']['entrain_pieces_per_second']:,.0f} pieces/s; products of the encoder "
          f"{statistics.median(share):.2f} of the FMA peak")
for theirs, ours in pairs:
    key = theirs if ours != "entrain-bf16" or "bf16" in theirs else theirs + ", entrain-bf16"
    out[key] = turns.compared(ours, theirs)
    print(corpus, line_of(ours, theirs, out[key]))
open(f"bench/results/finetune-{corpus}{suffix}.json", "w").write(json.dumps(out, indent=1) + "\n")
PY
