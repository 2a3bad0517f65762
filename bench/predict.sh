#!/usr/bin/env bash
# Prediction with a fine-tuned MiniLM compared with onnxruntime: words a second in batches, latency of a sentence, load, memory.
#
#   ./dev bench predict --pretrained DIR [--corpus wnut17] [--slices 5] [--calls 300]
#
# DIR is a folder of all-MiniLM-L6-v2 (docs/benchmarks.md tells where to get it). The script first fine-tunes it for a few steps: speed does
# not depend on more. Both sides get the same words, one thread, then two; bench/slices/predict_slices.cpp and bench/peers/onnx_predict.py
# define a slice. If the CPU multiplies bf16, entrain in bf16 and onnxruntime in int8 (dynamic quantisation) take turns with
# them. It measures wall time, so it needs idle cores. Writes bench/results/predict-<corpus>.json, predict-<corpus>-amx.json on a CPU with
# AMX, or predict-<corpus>-epyc.json on an AMD EPYC.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
corpus=wnut17 slices=5 calls=300 folder=''
while [ $# != 0 ]; do
  case $1 in
    --corpus) corpus=$2; shift 2 ;;
    --slices) slices=$2; shift 2 ;;
    --calls) calls=$2; shift 2 ;;
    --pretrained) folder=$2; shift 2 ;;
    *) echo "bench predict: what is $1?" >&2; exit 2 ;;
  esac
done
[ -e "$folder/model.safetensors" ] || { echo "bench predict: --pretrained names a folder with model.safetensors" >&2; exit 2; }
. bench/slices/corpus.sh
corpus_files predict "$corpus"

[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
. bench/slices/processor.sh
ninja -C build/default --quiet finetune_ner predict_slices ${bf16:+predict_slices_bf16} >&2
[ -x build/venv-torch/bin/python ] || sh bench/peers/setup.sh torch >&2
python=build/venv-torch/bin/python ours=build/default/bin/predict_slices theirs=bench/peers/onnx_predict.py

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build/default/bin/finetune_ner train --quiet --pretrained "$folder" --corpus "$corpus" --max-steps 60 --no-calibrate \
  --output "$work/model" >"$work/scores"
"$python" "$theirs" export "$work/model" "$work/model.onnx" 2>"$work/export.log" >&2 || { cat "$work/export.log" >&2; exit 1; }
"$ours" "$work/model" "$test" 2 tags >"$work/tags"
"$python" "$theirs" check "$work/model" "$work/model.onnx" "$test" "$work/tags" >"$work/tags.json"
if [ -n "$bf16" ]; then
  "${ours}_bf16" "$work/model" "$test" 2 tags >"$work/tags-bf16"
  "$python" "$theirs" check "$work/model" "$work/model.onnx" "$test" "$work/tags-bf16" >"$work/tags-bf16.json"
  "$python" "$theirs" int8 "$work/model" "$work/model.onnx" 2>>"$work/export.log" >&2 || { cat "$work/export.log" >&2; exit 1; }
fi

for threads in 1 2; do
  ( # traps and files of turns.sh stay in this subshell
    . bench/slices/turns.sh
    start entrain "$ours" "$work/model" "$test" "$threads" "$calls"
    start onnxruntime "$python" "$theirs" serve "$work/model" "$work/model.onnx" "$test" "$threads" "$calls"
    if [ -n "$bf16" ]; then
      start entrain-bf16 "${ours}_bf16" "$work/model" "$test" "$threads" "$calls"
      start onnxruntime-int8 "$python" "$theirs" serve "$work/model" "$work/model.onnx.int8" "$test" "$threads" "$calls"
    fi
    turns "$slices" batches sentence load
  ) | sed "s/^/$threads /" >>"$work/results"
done

strip -o "$work/stripped" "$ours"
peer=$("$python" -c 'import onnxruntime.capi.onnxruntime_pybind11_state as so; print(so.__file__)')
tokenizer=$("$python" -c 'import tokenizers.tokenizers as so; print(so.__file__)')
strip -o "$work/peer" "$peer"
strip -o "$work/tokenizer" "$tokenizer"
dnnl=$(ldd "$ours" | sed -n 's/.*libdnnl[^ ]* => \([^ ]*\).*/\1/p')
bytes() { [ -z "$1" ] && echo 0 || stat -Lc %s "$1"; }

"$python" - "$work" "$corpus" "$slices" "$calls" "$(git rev-parse --short HEAD)" "$(g++ --version | head -1)" \
  "$(bytes "$work/stripped")" "$(bytes "$dnnl")" "$(bytes "$work/peer")" "$(bytes "$work/tokenizer")" "$kind" <<'PY'
import json, os, statistics, sys
from importlib.metadata import version
work, corpus, slices, calls, commit, compiler = sys.argv[1:7]
mib = lambda size: round(size / 2**20, 2)
program, dnnl, library, tokenizer = (mib(int(size)) for size in sys.argv[7:11])
kind = sys.argv[11]
lines = [(int(threads), name, what, json.loads(record)) for threads, name, what, record in
         (line.split(" ", 3) for line in open(work + "/results"))]
cpu = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "unknown")
out = {"corpus": corpus, "cpu": cpu, "compiler": compiler, "commit": commit, "slices": int(slices), "calls": int(calls),
       "peers": {name: version(name) for name in ("onnxruntime", "onnx", "tokenizers", "torch", "transformers")},
       "tags": json.load(open(work + "/tags.json")),
       "size_mib": {"entrain_program": program, "entrain_libdnnl": dnnl, "entrain_weights": mib(os.path.getsize(work + "/model/model.safetensors")),
                    "onnxruntime_library": library, "tokenizers_library": tokenizer, "onnx_file": mib(os.path.getsize(work + "/model.onnx"))}}
names = {n for _, n, _, _ in lines}
pairs = [("entrain", "onnxruntime", "")] + [("entrain-bf16", "onnxruntime", "_bf16"), ("entrain-bf16", "onnxruntime-int8", "_bf16_int8"),
                                            ("entrain-bf16", "entrain", "_bf16_fp32")] * ("entrain-bf16" in names)
if "entrain-bf16" in names:
    out["tags_bf16"] = json.load(open(work + "/tags-bf16.json"))
for threads, (our, their, suffix) in [(t, pair) for t in (1, 2) for pair in pairs]:
    of = lambda name, what: [record for t, n, w, record in lines if (t, n, w) == (threads, name, what)]
    def row(what, field, better):  # better: ours over theirs, or theirs over ours
        ours, theirs = ([record[field] for record in of(name, what)] for name in (our, their))
        ratios = [a / b if better == "more" else b / a for a, b in zip(ours, theirs)]
        return {our: statistics.median(ours), their: statistics.median(theirs),
                "ratio_median": statistics.median(ratios), "ratio_min": min(ratios), "ratio_max": max(ratios)}
    memory = {name: max(record["peak_rss_mib"] for what in ("batches", "sentence") for record in of(name, what)) for name in (our, their)}
    out[f"threads_{threads}{suffix}"] = rows = {"words_per_second": row("batches", "words_per_second", "more"),
                                                "p50_ms": row("sentence", "p50_ms", "less"), "p99_ms": row("sentence", "p99_ms", "less"),
                                                "load_seconds": row("load", "seconds", "less"), "peak_rss_mib": memory}
    for name, r in rows.items():
        line = f"{threads} thread(s), {name}: {our} {r[our]:,.3f}, {their} {r[their]:,.3f}"
        print(line + (f"; {our} is {r['ratio_median']:.2f} ({r['ratio_min']:.2f} to {r['ratio_max']:.2f}) times as good"
                      if "ratio_median" in r else ""))
print("tags", out["tags"], "sizes, MiB", out["size_mib"])
with open(f"bench/results/predict-{corpus}{kind}.json", "w") as results:
    results.write(json.dumps(out, indent=1) + "\n")
PY
