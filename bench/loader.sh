#!/usr/bin/env bash
# The loader on one core, from text or from a cache of it to packed batches, compared with torch's DataLoader with tokenizers, in turn.
#
#   ./dev bench loader [--slices 5] [--results FILE] [--no-peer]
#
# Reads CoNLL files of ENTRAIN_DATA (the train files of wnut17, btc and ncbi-disease) and the pieces of ENTRAIN_DATA/bert-uncased. A token
# is a piece of the tokenizer, without [CLS], [SEP] and padding. cold: no word was met before; warm: all were. Prints medians of slices, by
# the CPU time of the whole process, which excludes other programs of the machine, and also by wall time. Writes
# bench/results/loader.json, or FILE. bench/slices/loader_delays.cpp measures what delays do to the workers of a loader.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
slices=5 out=bench/results/loader.json peer=yes
while [ $# != 0 ]; do
  case $1 in
    --slices) slices=$2; shift 2 ;;
    --results) out=$2; shift 2 ;;
    --no-peer) peer=no; shift ;;
    *) echo "bench loader: what is $1?" >&2; exit 2 ;;
  esac
done
data=${ENTRAIN_DATA:?bench loader: set ENTRAIN_DATA to the folder of corpora (docs/benchmarks.md)}
files=("$data"/{wnut17,btc}/train.conll "$data"/ncbi-disease/train.tsv)
[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
ninja -C build/default --quiet loader_slices jsonl_lines >&2
python=python3
if [ $peer = yes ]; then
  python=build/venv-torch/bin/python
  [ -x $python ] || sh bench/peers/setup.sh torch >&2
fi

. bench/slices/turns.sh
pin=(); command -v taskset >/dev/null && pin=(taskset -c 0)
results=$turns_dir/results
entrain() { start "$1" "${pin[@]}" build/default/bin/loader_slices "$data/bert-uncased" "${files[@]}"; }
entrain entrain
if [ $peer = yes ]; then
  for workers in 0 1; do
    start torch$workers "${pin[@]}" $python bench/peers/torch_loader.py $workers "$data/bert-uncased/vocab.txt" "${files[@]}"
  done
fi
turns "$slices" warm >"$results"
turns_names=()
entrain alone
turns "$slices" cold cache light read parse encode shuffle assembly assembly_light features >>"$results"
for _ in $(seq "$slices"); do
  "${pin[@]}" build/default/bin/jsonl_lines --seconds 0.5 "${files[2]}" | sed 's/^/jsonl lines /' >>"$results"
done

mkdir -p "$(dirname "$out")"
$python - "$results" "$slices" "$(git rev-parse --short HEAD)" "$(g++ --version | head -1)" "$out" <<'PY'
import json, statistics, sys
lines = [(name, what, json.loads(record)) for name, what, record in (l.split(" ", 2) for l in open(sys.argv[1]))]
lines = [("entrain" if name == "alone" else name, what, record) for name, what, record in lines]
slices, commit, compiler, path = int(sys.argv[2]), *sys.argv[3:]
cpu = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "unknown")
out = {"cpu": cpu, "threads": 1, "compiler": compiler, "commit": commit, "slices": slices}
of = lambda name, what: [record for n, w, record in lines if (n, w) == (name, what)]
median = lambda name, what, field: statistics.median(record[field] for record in of(name, what))
rows = []


def row(what, unit, bar, value, wall=None, more=""):
    out[what] = {"unit": unit, "bar": bar, "median": value, **({"median_of_the_wall": wall} if wall else {})}
    rows.append((what, f"{value:.3g}", f"{wall:.3g}" if wall else "", unit, bar, more))


def rate(what, unit, bar, of_words=False):
    cpu, wall = (median("entrain", what, f"items_per_{clock}second") / 1e6 for clock in ("cpu_", ""))
    words = statistics.median(r["words"] / r["items"] for r in of("entrain", what))
    row(what, unit, bar, cpu, wall, f"{cpu * words:.1f} million words/s" if of_words else "")


rate("warm", "million pieces/s", ">= 15", True)
rate("cold", "million pieces/s", ">= 5", True)
rate("cache", "million pieces/s", ">= 100", True)
for what in ("assembly", "assembly_light"):
    cpu, wall = (1e6 / median("entrain", what, f"items_per_{clock}second") for clock in ("cpu_", ""))
    row(what, "us a batch of 32 sentences", "<= 20", cpu, wall)
rate("features", "million words/s", ">= 10")
rate("light", "million words/s", "")
for what in ("read", "parse", "encode", "shuffle"):
    rate(what, "million pieces/s", "", True)
for shape in dict.fromkeys(record["shape"] for record in of("jsonl", "lines")):
    row(f"JSON Lines, {shape}", "MB/s", ">= 150", statistics.median(r["mb_per_s"] for r in of("jsonl", "lines") if r["shape"] == shape))
ours = of("entrain", "warm")
for workers in (0, 1):
    theirs = of(f"torch{workers}", "warm")
    if not theirs:
        continue
    out["peer"] = of(f"torch{workers}", "ready")[0]["system"]
    ratios = [a["items_per_cpu_second"] / b["items_per_cpu_second"] for a, b in zip(ours, theirs)]
    row(f"torch, num_workers={workers}", "million pieces/s", "", median(f"torch{workers}", "warm", "items_per_cpu_second") / 1e6,
        median(f"torch{workers}", "warm", "items_per_second") / 1e6)
    row(f"times torch, num_workers={workers}", "", ">= 10", statistics.median(ratios), None, f"{min(ratios):.0f} to {max(ratios):.0f}")
    repeats = round(ours[0]["items"] / theirs[0]["items"])
    if abs(ours[0]["items"] / repeats - theirs[0]["items"]) > 0.001 * theirs[0]["items"]:
        sys.exit(f"bench loader: {ours[0]['items'] / repeats} pieces an epoch, torch has {theirs[0]['items']}")
print("| what | by CPU time | by the wall | unit | bar | |\n|---|---|---|---|---|---|")
for one in rows:
    print("| " + " | ".join(one) + " |")
json.dump(out, open(path, "w"), indent=1)
open(path, "a").write("\n")
PY
