#!/usr/bin/env bash
# Strict F1 of the light tagger with and without word vectors of unlabelled text, over seeds.
#
#   ./dev bench tagger_vectors [--corpus wnut17] [--seeds 5] [--trained]
#
# word_vectors learns from $ENTRAIN_DATA/text, the training files of btc (tweets) and of the corpus without their tags, and the sentences of
# sentence-polarity: 100 numbers, in lower case, no window crosses a line, 8 epochs, words that occur 3 times. Then ner_light and
# tagger_with_vectors train on the corpus with their default options, with one thread. --trained: the vectors are trained too
# (embed::TrainedVectors). Writes bench/results/tagger_vectors-<corpus>.txt, or tagger_vectors-<corpus>-trained.txt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
corpus=wnut17 seeds=5 trained=''
while [ $# != 0 ]; do
  case $1 in
    --corpus) corpus=$2; shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    --trained) trained=-trained; shift ;;
    *) echo "bench tagger_vectors: what is $1?" >&2; exit 2 ;;
  esac
done
. bench/slices/corpus.sh
corpus_files tagger_vectors "$corpus"
[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
with=tagger_with_vectors
if [ -n "$trained" ]; then # the program of ./dev train --vectors --train-vectors
  with=trainer_vectors_50000_100_trained
  mkdir -p build/default/vectors
  : >build/default/vectors/50000_100_trained
fi
ninja -C build/default --quiet build.ninja >&2
ninja -C build/default --quiet word_vectors ner_light $with >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

words_of() { awk '$0 ~ /^[ \t\r]*$/ { if (n) print ""; n = 0; next } { printf "%s%s", n++ ? " " : "", $1 } END { if (n) print "" }' "$@"; }
words_of "$ENTRAIN_DATA/btc/train.conll" >"$work/btc.txt"
words_of "$train" >"$work/train.txt"
for file in pos neg; do iconv -f latin1 -t utf-8 "$ENTRAIN_DATA/sentence-polarity/$file.txt" >"$work/$file.txt"; done
build/default/bin/word_vectors train "$work"/*.txt "$ENTRAIN_DATA"/text/*.txt --text-unit line --lower --epochs 8 --min-count 3 --threads 1 \
  --quiet --output "$work/vectors.vec"

f1() { # f1 PROGRAM OPTION ...
  "build/default/bin/$1" train --train "$train" --dev "$dev" --test "$test" --threads 1 --quiet --overwrite --output "$work/model" "${@:2}" 2>/dev/null |
    awk '/^  micro/ { print $4; exit }'
}
for seed in $(seq 0 $((seeds - 1))); do
  echo "$seed $(f1 ner_light --seed "$seed") $(f1 $with --seed "$seed" --vectors "$work/vectors.vec")" >>"$work/f1"
done
mkdir -p bench/results
{
  echo "# ./dev bench tagger_vectors --corpus $corpus --seeds $seeds${trained:+ --trained}, $(git describe --always --dirty --exclude '*'), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
  echo "# seed, strict F1 of ner_light, of the tagger with vectors ($(head -n 1 "$work/vectors.vec"))"
  cat "$work/f1"
  awk '{ a += $2; b += $3 } END { printf "mean %.2f %.2f, %+.2f points\n", a / NR, b / NR, (b - a) / NR }' "$work/f1"
} | tee "bench/results/tagger_vectors-$corpus$trained.txt"
