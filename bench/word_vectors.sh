#!/usr/bin/env bash
# Word vectors by examples/07_word_vectors compared with gensim's: words a second of one core, and analogies.
#
#   ./dev bench word_vectors [--runs 5] [--sg 1] [--alpha A]
#
# Both train on $ENTRAIN_DATA/text/*.txt with the same options (100 numbers, window 5, min_count 5, 5 negative samples, sample 1e-3, 5
# epochs), one line a sentence, split at white space, in lower case: gensim with one worker, entrain with one thread, in turn, each run with
# another seed. A: of both programs; default: 0.025 for skip-gram, 0.05 for CBOW, as word2vec has. A run of entrain is the whole program, with
# counting, five times reading and writing the file; of gensim only the call of train(), with sentences in memory. Analogies: all pairs of
# pairs of one kind in bench/word_pairs.txt. Writes bench/results/word_vectors_sgN.txt, with --alpha word_vectors_sgN_A.txt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
runs=5 sg=1 alpha=''
while [ $# != 0 ]; do
  case $1 in
    --runs) runs=$2; shift 2 ;;
    --sg) sg=$2; shift 2 ;;
    --alpha) alpha=$2; shift 2 ;;
    *) echo "bench word_vectors: what is $1?" >&2; exit 2 ;;
  esac
done
out=bench/results/word_vectors_sg$sg${alpha:+_$alpha}.txt
given="--runs $runs --sg $sg${alpha:+ --alpha $alpha}"
[ -n "$alpha" ] || if [ "$sg" = 1 ]; then alpha=0.025; else alpha=0.05; fi
files=("${ENTRAIN_DATA:?names the folder of the corpora}"/text/*.txt)
[ -e "${files[0]}" ] || { echo "bench word_vectors: no text in $ENTRAIN_DATA/text" >&2; exit 2; }
[ -f build/default/build.ninja ] || cmake --preset default >/dev/null
ninja -C build/default --quiet word_vectors >&2
commit=$(git describe --always --dirty --exclude '*')  # of the program, which is not built again
python=build/venv-gensim/bin/python
[ -x "$python" ] || { python3 -m venv build/venv-gensim && "$python" -m pip install --quiet gensim==4.4.0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Four words a line, of each two pairs of a kind.
awk '$1 == ":" { n = 0; print; next } { for (i = 1; i <= n; ++i) { print pair[i], $0; print $0, pair[i] } pair[++n] = $0 }' \
  bench/word_pairs.txt >"$work/questions"
analogies() { build/default/bin/word_vectors analogy "$1" --questions "$work/questions" --restrict-vocab 10000 | awk -F'\t' '$1 == "all" { print $2 + 0 }'; }
median() { sort -n | awk '{ x[NR] = $1 } END { printf "%.0f", (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'; }
mean() { awk '{ sum += $1 } END { printf "%.1f", sum / NR }'; }
mkdir -p bench/results
for run in $(seq "$runs"); do
  TIMEFORMAT='%R %U %S'
  { time build/default/bin/word_vectors train "${files[@]}" --sg "$sg" --words whitespace --text-unit line --lower --threads 1 --quiet \
    --alpha "$alpha" --seed "$run" --output "$work/ours.txt"; } 2>"$work/ours"
  "$python" bench/peers/gensim_vectors.py "$sg" 5 "$alpha" "$run" "$work/gensim.txt" "${files[@]}" >"$work/gensim"
  words=$(sed 's/.*"words": \([0-9]*\).*/\1/' "$work/gensim")
  awk -v n="$words" '{ print 5 * n / $1, 5 * n / ($2 + $3) }' "$work/ours" >>"$work/ours.speed"
  sed 's/.*"wall": \([0-9.]*\), "cpu": \([0-9.]*\).*/\1 \2/' "$work/gensim" | awk -v n="$words" '{ print 5 * n / $1, 5 * n / $2 }' >>"$work/gensim.speed"
  analogies "$work/ours.txt" >>"$work/ours.right"
  analogies "$work/gensim.txt" >>"$work/gensim.right"
done
{
  echo "# ./dev bench word_vectors $given, $commit, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(sed 's/.*"gensim": "\([^"]*\)".*/gensim \1/' "$work/gensim")"
  echo "# program  words/s  words/s of CPU time  analogies right, %  (medians of $runs runs; analogies: the mean)"
  for program in ours gensim; do
    echo "$program $(cut -d' ' -f1 "$work/$program.speed" | median) $(cut -d' ' -f2 "$work/$program.speed" | median) $(mean <"$work/$program.right")"
  done
} | tee "$out"
