#!/usr/bin/env bash
# Text to ids and offsets of pieces, compared with Hugging Face tokenizers: pieces a second on one core, in turn.
#
#   ./dev bench wordpiece [--slices 5] [--tokenizer TOKENIZER.JSON | --byte-bpe | --modernbert | --unigram] [FILE ...]
#   ./dev bench wordpiece --parity [--byte-bpe | --modernbert | --unigram] [--lines 1000000] [--seed 1] [--only corpora|scalars|fuzz|switches ...]
#
# Without a file, reads the texts of ENTRAIN_DATA/text; without --tokenizer, fetches and uses that of all-MiniLM-L6-v2, or with --byte-bpe the
# byte-level BPE of GPT-2, which RoBERTa shares, and writes bench/results/byte_bpe.json; with --modernbert, trains byte-level BPE with ModernBERT's
# rules (scripts/train_modernbert_bpe.sh), and writes bench/results/modernbert_bpe.json; with --unigram, trains pieces as those of XLM-RoBERTa
# (scripts/train_unigram.sh), and writes bench/results/unigram.json. Counts pieces per second of CPU time. cold: no word was met before; warm: all were; cut: almost no cache, so almost every word is cut. Writes
# bench/results/wordpiece.json. --parity compares ids and offsets instead (bench/peers/piece_parity.py).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
slices=5 tokenizer='' result=wordpiece parity=no lines=1000000 seed=1 only=() files=()
while [ $# != 0 ]; do
  case $1 in
    --slices) slices=$2; shift 2 ;;
    --tokenizer) tokenizer=$2; shift 2 ;;
    --byte-bpe) result=byte_bpe; shift ;;
    --modernbert) result=modernbert_bpe; shift ;;
    --unigram) result=unigram; shift ;;
    --parity) parity=yes; shift ;;
    --lines) lines=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --only) shift; while [ $# != 0 ] && [ "${1#-}" = "$1" ]; do only+=("$1"); shift; done ;;
    -*) echo "bench wordpiece: what is $1?" >&2; exit 2 ;;
    *) files+=("$1"); shift ;;
  esac
done
if [ -z "$tokenizer" ] && [ $result = byte_bpe ]; then
  scripts/fetch_gpt2_bpe.sh build/pretrained/gpt2-bpe
  tokenizer=build/pretrained/gpt2-bpe/tokenizer.json
elif [ -z "$tokenizer" ] && [ $result = modernbert_bpe ]; then
  scripts/train_modernbert_bpe.sh build/pretrained/modernbert-bpe
  tokenizer=build/pretrained/modernbert-bpe/spaced.json  # with a space before every text, as entrain always reads
  sed 's/"add_prefix_space": false/"add_prefix_space": true/' build/pretrained/modernbert-bpe/tokenizer.json >$tokenizer
elif [ -z "$tokenizer" ] && [ $result = unigram ]; then
  scripts/train_unigram.sh build/pretrained/unigram
  tokenizer=build/pretrained/unigram/tokenizer.json
elif [ -z "$tokenizer" ]; then
  scripts/fetch_minilm.sh build/pretrained/all-MiniLM-L6-v2
  tokenizer=build/pretrained/all-MiniLM-L6-v2/tokenizer.json
fi
[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
ninja -C build/default --quiet piece_slices piece_lines >&2
python=build/venv-torch/bin/python
[ -x $python ] || sh bench/peers/setup.sh torch >&2

if [ $parity = yes ]; then
  exec $python bench/peers/piece_parity.py build/default/bin/piece_lines "$(dirname "$tokenizer")" \
    --lines "$lines" --seed "$seed" ${only[@]+--only "${only[@]}"}
fi
if [ ${#files[@]} = 0 ]; then
  files=("${ENTRAIN_DATA:?bench wordpiece: set ENTRAIN_DATA to the folder of corpora, or name files}"/text/*.txt)
fi

. bench/slices/turns.sh
pin=(); command -v taskset >/dev/null && pin=(taskset -c 0)
start entrain "${pin[@]}" build/default/bin/piece_slices "$tokenizer" "${files[@]}"
start tokenizers "${pin[@]}" $python bench/peers/hf_tokenizers.py "$tokenizer" "${files[@]}"
results=$turns_dir/results
turns "$slices" cold warm cut >"$results"

mkdir -p bench/results
$python - "$results" "$slices" "$(git rev-parse --short HEAD)" "$(g++ --version | head -1)" $result <<'PY'
import json, statistics, sys
lines = [(name, what, json.loads(record)) for name, what, record in (l.split(" ", 2) for l in open(sys.argv[1]))]
of = lambda name, what: [record for n, w, record in lines if (n, w) == (name, what)]
slices, commit, compiler, result = int(sys.argv[2]), *sys.argv[3:]
cpu = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "unknown")
out = {"cpu": cpu, "threads": 1, "compiler": compiler, "commit": commit, "slices": slices,
       "peer": of("tokenizers", "ready")[0]["system"]}
counts = {record["pieces"] for _, what, record in lines if what != "ready"}
if len(counts) != 1:
    sys.exit(f"bench wordpiece: the passes found {sorted(counts)} pieces, expected one number")
out["pieces"] = counts.pop()
for what in ("cold", "warm", "cut"):
    ours, theirs = of("entrain", what), of("tokenizers", what)
    rate = lambda l: l["pieces_per_cpu_second"]
    ratios = [rate(a) / rate(b) for a, b in zip(ours, theirs)]
    o = out[what] = {"entrain_pieces_per_cpu_second": statistics.median(map(rate, ours)),
                     "tokenizers_pieces_per_cpu_second": statistics.median(map(rate, theirs)),
                     "ratio_median": statistics.median(ratios), "ratio_min": min(ratios), "ratio_max": max(ratios),
                     "entrain_peak_rss_mib": max(l["peak_rss_mib"] for l in ours),
                     "tokenizers_peak_rss_mib": max(l["peak_rss_mib"] for l in theirs)}
    print(f"| {what} | {o['entrain_pieces_per_cpu_second'] / 1e6:.2f} | {o['tokenizers_pieces_per_cpu_second'] / 1e6:.3f} | "
          f"{o['ratio_median']:.1f} ({o['ratio_min']:.1f} to {o['ratio_max']:.1f}) |")
open(f"bench/results/{result}.json", "w").write(json.dumps(out, indent=1) + "\n")
PY
