#!/usr/bin/env bash
# The program of examples/07_word_vectors: the same bits for any number of threads and in both formats, answers that fit the text, and one line
# for each wrong use.
#
#   tests/proofs/word_vectors.sh PROGRAM
set -euo pipefail
program=$(realpath "${1:?which program, as in tests/proofs/word_vectors.sh build/default/bin/word_vectors}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "word_vectors: $1"; exit 1; }

# Two topics of six words each, and one word of both.
awk 'BEGIN {
  srand(7)
  for (s = 0; s < 6000; ++s) {
    topic = rand() < 0.5 ? "Sea" : "Land"
    for (w = 0; w < 9; ++w) printf "%s%s", rand() < 0.25 ? "the" : topic int(6 * rand()), w < 8 ? " " : "\n\n"
  }
}' >text.txt
gzip -k text.txt

for sg in 1 0; do
  options="--sg $sg --lower --min-count 1 --sample 0.05 --epochs 3 --batch-words 100"
  "$program" train text.txt $options --threads 1 --quiet -o "one_$sg.txt" 2>messages || fail "$(cat messages)"
  [ -s messages ] && fail "--quiet printed $(cat messages)"
  for threads in 2 4; do
    "$program" train text.txt.gz $options --threads "$threads" --quiet -o more.txt
    cmp "one_$sg.txt" more.txt || fail "--sg $sg: $threads threads give other bits"
  done
  for word in sea0 land3; do
    found=$("$program" nearest "one_$sg.txt" "$word" --topn 5 | cut -f 1 | tr -d '0-9\n')
    [ "$found" = "$(printf "${word%?}%.0s" 1 2 3 4 5)" ] || fail "--sg $sg: the nearest words of $word: $found"
  done
done
head -n 1 one_1.txt | grep -qx '13 100' || fail "the first line is $(head -n 1 one_1.txt)"
"$program" train text.txt --lower --min-count 1 --sample 0.05 --epochs 3 --batch-words 100 --quiet -o v.bin
[ "$("$program" nearest v.bin sea1)" = "$("$program" nearest one_1.txt sea1)" ] || fail "the binary format gives other answers"
printf ': topics\nsea0 sea1 land0 land1\nsea0 land0 sea1 unknown\n' >questions
"$program" analogy one_1.txt --questions questions | grep -q '^topics.* of 1	1 with unknown words$' || fail "analogy --questions"
"$program" analogy one_1.txt sea0 sea1 land0 --topn 2 | wc -l | grep -qx 2 || fail "analogy"

refuses() { # CODE WORDS ARGUMENT ...: the program ends with the code and one line that has the words
  local code=0
  "$program" "${@:3}" >out 2>messages || code=$?
  [ "$code" = "$1" ] || fail "${*:3}: exit code $code, expected $1"
  [ "$(wc -l <messages)" = 1 ] && grep -qF -- "$2" messages || fail "${*:3}: expected '$2', found: $(cat messages)"
}
refuses 1 "no vector for 'Sea0'" nearest one_1.txt Sea0
refuses 1 "missing.txt: no such file" nearest missing.txt sea0
refuses 1 "no such file" train missing.txt -o out.txt
refuses 1 "the output is also an input" train text.txt -o text.txt
refuses 1 "it can be read once only" train - -o out.txt
refuses 1 "no word that occurs 99999999 times" train text.txt --min-count 99999999 -o out.txt --quiet
refuses 1 "cannot create" train text.txt -o missing/out.txt
refuses 2 "this program was compiled for" train text.txt -o out.txt --vector-size 7
refuses 2 "takes three words" analogy one_1.txt sea0 sea1
refuses 2 "--window" train text.txt -o out.txt --window 0
refuses 2 "--output is required" train text.txt
[ -e out.txt ] && fail "a refused command wrote out.txt"
echo "word_vectors: 2 objectives, 3 numbers of threads, 11 refusals"
