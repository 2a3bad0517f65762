#!/usr/bin/env bash
# The light model compared with spaCy: words a second in training and prediction, peak memory, on one core, in turn.
#
#   ./dev bench ner [--corpus wnut17] [--slices 5] [--words 60000] [--gemm wheel|numpy]
#   ./dev bench ner --train A --dev B --test C        your own files, IOB2
#   ./dev bench ner --full [--seeds 0,1,2]            F1 as well: both trained to the end; resumes an interrupted run
#
# Writes bench/results/ner-<corpus>-<gemm>.json (--full: also ner-<corpus>-f1.json) and prints medians and the ratio of each pair of slices,
# in words per second of CPU time, so that other programs of the machine count for neither.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
corpus=wnut17 slices=5 words=60000 gemm=wheel full=no seeds=0,1,2 train='' dev='' test=''
while [ $# != 0 ]; do
  case $1 in
    --corpus) corpus=$2; shift 2 ;;
    --slices) slices=$2; shift 2 ;;
    --words) words=$2; shift 2 ;;
    --gemm) gemm=$2; shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    --train) train=$2; shift 2 ;;
    --dev) dev=$2; shift 2 ;;
    --test) test=$2; shift 2 ;;
    --full) full=yes; shift ;;
    *) echo "bench ner: what is $1?" >&2; exit 2 ;;
  esac
done
if [ -n "$train" ]; then
  corpus=own peer=(--train "$train" --dev "$dev" --test "$test")
else
  . bench/slices/corpus.sh
  corpus_files ner "$corpus"
  peer=(--corpus "$corpus")
fi

[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
ninja -C build/default --quiet ner_slices ner_light >&2
[ -x build/venv-spacy/bin/python ] || sh bench/peers/setup.sh >&2
python=build/venv-spacy/bin/python

if [ $full = yes ]; then # a finished run is not repeated
  "$python" bench/peers/spacy_ner.py full "${peer[@]}" --seeds "$seeds" --gemm "$gemm"
  "$python" bench/peers/entrain_ner.py "$corpus" "$seeds" "$train" "$dev" "$test"
fi

. bench/slices/turns.sh
pin=(); command -v taskset >/dev/null && pin=(taskset -c 0)
start entrain "${pin[@]}" build/default/bin/ner_slices "$train" "$test" "$words"
start spacy "${pin[@]}" "$python" bench/peers/spacy_ner.py speed "${peer[@]}" --slices --words "$words" \
  --predict-words "$words" --gemm "$gemm"
results=$turns_dir/results
turns "$slices" train predict >"$results"

"$python" - "$results" "$corpus" "$slices" "$(git rev-parse --short HEAD)" "$(g++ --version | head -1)" "$gemm" <<'PY'
import json, statistics, sys
lines = [(name, what, json.loads(record)) for name, what, record in (l.split(" ", 2) for l in open(sys.argv[1]))]
of = lambda name, what: [record for n, w, record in lines if (n, w) == (name, what)]
corpus, slices, commit, compiler, gemm = sys.argv[2], int(sys.argv[3]), *sys.argv[4:]
cpu = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "unknown")
out = {"corpus": corpus, "cpu": cpu, "threads": 1, "compiler": compiler, "commit": commit, "slices": slices, "spacy_gemm": gemm,
       "ready": of("entrain", "ready") + of("spacy", "ready")}
for what in ("train", "predict"):
    ours, theirs = of("entrain", what), of("spacy", what)
    rate = lambda l: l["words_per_cpu_second"]
    ratios = [rate(a) / rate(b) for a, b in zip(ours, theirs)]
    out[what] = {"entrain_words_per_cpu_second": statistics.median(map(rate, ours)),
                 "spacy_words_per_cpu_second": statistics.median(map(rate, theirs)),
                 "ratio_median": statistics.median(ratios), "ratio_min": min(ratios), "ratio_max": max(ratios),
                 "wall_ratio_median": statistics.median(a["words_per_second"] / b["words_per_second"] for a, b in zip(ours, theirs)),
                 "entrain_peak_rss_mib": max(l["peak_rss_mib"] for l in ours),
                 "spacy_peak_rss_mib": max(l["peak_rss_mib"] for l in theirs)}
    print(f"{corpus} {what}: entrain {out[what]['entrain_words_per_cpu_second']:,.0f} words/s, spaCy "
          f"{out[what]['spacy_words_per_cpu_second']:,.0f}; ratio {out[what]['ratio_median']:.2f} "
          f"({out[what]['ratio_min']:.2f} to {out[what]['ratio_max']:.2f}); peak memory "
          f"{out[what]['entrain_peak_rss_mib']:.0f} and {out[what]['spacy_peak_rss_mib']:.0f} MiB")
open(f"bench/results/ner-{corpus}-{gemm}.json", "w").write(json.dumps(out, indent=1) + "\n")
PY
