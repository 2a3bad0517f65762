#!/usr/bin/env bash
# The light model's training and prediction on one thread and on two, in turn: words a second of wall time.
#
#   ./dev bench threads [--corpus wnut17] [--slices 5] [--words 60000]
#
# Needs two idle cores, as wall time includes what other programs of the machine do. Writes bench/results/threads-<corpus>.json.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
corpus=wnut17 slices=5 words=60000
while [ $# != 0 ]; do
  case $1 in
    --corpus) corpus=$2; shift 2 ;;
    --slices) slices=$2; shift 2 ;;
    --words) words=$2; shift 2 ;;
    *) echo "bench threads: what is $1?" >&2; exit 2 ;;
  esac
done
. bench/slices/corpus.sh
corpus_files threads "$corpus"
[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
ninja -C build/default --quiet ner_slices >&2

. bench/slices/turns.sh
start 1 build/default/bin/ner_slices "$train" "$test" "$words" 1
start 2 build/default/bin/ner_slices "$train" "$test" "$words" 2
results=$turns_dir/results
turns "$slices" train predict >"$results"

mkdir -p bench/results
python3 - "$results" "$corpus" "$(git rev-parse --short HEAD)" <<'PY'
import json, statistics, sys
rates = {}
for line in open(sys.argv[1]):
    threads, what, record = line.split(" ", 2)
    if what == "ready":
        continue
    rates.setdefault(what, {}).setdefault(threads, []).append(json.loads(record)["words_per_second"])
corpus, commit = sys.argv[2:]
cpu = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "unknown")
out = {"corpus": corpus, "cpu": cpu, "commit": commit}
for what, by in rates.items():
    ratios = [b / a for a, b in zip(by["1"], by["2"])]
    out[what] = {"one": statistics.median(by["1"]), "two": statistics.median(by["2"]), "ratio_median": statistics.median(ratios),
                 "ratio_min": min(ratios), "ratio_max": max(ratios)}
    print(f"{corpus} {what}: one thread {out[what]['one']:,.0f} words/s, two {out[what]['two']:,.0f}; ratio "
          f"{out[what]['ratio_median']:.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
open(f"bench/results/threads-{corpus}.json", "w").write(json.dumps(out, indent=1) + "\n")
PY
