#!/usr/bin/env bash
# The examples without commands of their own do what their pages say: the folders that they save are the models that they scored, and the
# number of workers changes no loss. And the light classifiers learn a toy corpus.
#
#   tests/proofs/examples.sh FOLDER NER_LIGHT      FOLDER: of the programs, as in build/default/bin
set -euo pipefail
bin=$(realpath "${1:?which folder}") ner_light=$(realpath "${2:?which program reads the saved folders}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "examples: $*"; exit 1; }
micro_f1() { sed -nE 's/.*"micro":\{[^}]*"f1":([0-9.]+).*/\1/p'; }
rounded() { awk '{ printf "%.2f\n", 100 * $1 }'; }

# library: the scores that it prints last are those of the saved folder; the entities are those of its page.
"$bin/library" >library.txt 2>&1 || fail "library: $(tail -n 1 library.txt)"
[ "$(tail -n 3 library.txt | tr '\n' ' ')" = "PER Marie Curie LOC Paris LOC London " ] || fail "library ends with $(tail -n 3 library.txt)"
"$ner_light" evaluate -m library-model --quiet "$root/examples/data/test.conll" >scores.txt 2>/dev/null
[ "$(grep '^  micro' scores.txt)" = "$(grep '^  micro' library.txt | tail -n 1)" ] ||
  fail "library: its folder has other scores: $(grep '^  micro' scores.txt)"

# training_loop: the same for the dev file.
"$bin/training_loop" >loop.txt 2>&1 || fail "training_loop: $(tail -n 1 loop.txt)"
said=$(sed -n 's/^epoch 3: F1 //p' loop.txt)
found=$("$ner_light" evaluate -m loop-model --quiet --json "$root/examples/data/dev.conll" 2>/dev/null | micro_f1 | rounded)
[ -n "$said" ] && [ "$said" = "$found" ] || fail "training_loop: F1 $said, its folder has $found"
awk -v f1="$said" 'BEGIN { exit !(f1 > 50) }' || fail "training_loop: F1 $said, expected more than 50"

# embedding_model: (c) with any number of workers has the losses of (b), and they fall.
losses() { sed -nE 's/^epoch [0-9]+: loss ([0-9.]+),.*/\1/p' | tr '\n' ' '; }
a=$("$bin/embedding_model" a | losses) b=$("$bin/embedding_model" b | losses)
read -r first second <<<"$a"
awk -v x="$first" -v y="$second" 'BEGIN { exit !(y > 0 && y < x) }' || fail "embedding_model a: losses $a"
for workers in 8 32; do
  c=$("$bin/embedding_model" c $workers | losses)
  [ "$c" = "$b" ] || fail "embedding_model c $workers: losses $c, b has $b"
done

# tagger_with_vectors: vectors of unlabelled text, by the commands of the page; prediction needs only the folder.
"$bin/word_vectors" train "$root"/examples/data/source/*.txt --lower --min-count 2 --epochs 2 --quiet --output vectors.txt
"$bin/tagger_with_vectors" train --vectors vectors.txt --epochs 4 --output vectors-model >vectors-scores.txt 2>vectors-said.txt ||
  fail "tagger_with_vectors: $(tail -n 1 vectors-said.txt)"
grep -Eq '^vectors +[0-9,]+ of 100 numbers from vectors.txt; [0-9,]+ of [0-9,]+ different training words have one$' vectors-said.txt ||
  fail "tagger_with_vectors: it prints no line of its vectors"
rm vectors.txt
said=$(grep -m 1 '^  micro' vectors-scores.txt)
found=$("$bin/tagger_with_vectors" evaluate -m vectors-model --quiet "$root/examples/data/test.conll" 2>/dev/null | grep -m 1 '^  micro')
[ -n "$said" ] && [ "$said" = "$found" ] || fail "tagger_with_vectors: $said, its folder has $found"

# plain_loop: any number of workers, the same losses.
"$bin/plain_loop" 128 0 1 | grep '^step' >one.txt
[ "$(wc -l <one.txt)" = 3 ] || fail "plain_loop: $(wc -l <one.txt) reports, expected one every 100 steps of 391"
for workers in 0 4; do
  "$bin/plain_loop" 128 0 $workers | grep '^step' | cmp -s - one.txt || fail "plain_loop: $workers workers give other losses"
done

# classify and multi_label: each word of a class gives it.
for i in $(seq 1 60); do
  case $((i % 3)) in
    0) echo "{\"text\":\"the card number $i\",\"labels\":[\"cards\"]}" ;;
    1) echo "{\"text\":\"a rate and the card number $i\",\"labels\":[\"cards\",\"rates\"]}" ;;
    2) echo "{\"text\":\"number $i\",\"labels\":[]}" ;;
  esac
done >many.jsonl
sed -nE 's/"labels":\["([a-z]+)".*/"label":"\1"}/p; s/"labels":\[\]/"label":"none"/p' many.jsonl >one.jsonl
sed -i -E 's/(a rate.*)"label":"cards"/\1"label":"rates"/' one.jsonl
for program in classify:one multi_label:many; do
  file=${program#*:}.jsonl program=${program%:*}
  "$bin/$program" train --train "$file" --dev "$file" --test "$file" --epochs 20 --output "$program" --json >scores.txt 2>said.txt ||
    fail "$program: $(tail -n 1 said.txt)"
  grep -q '"texts":60,"correct":60,' scores.txt || fail "$program: $(cut -c 1-80 scores.txt)"
  "$bin/$program" predict -m "$program" "$file" >predicted.txt 2>/dev/null
  [ "$(wc -l <predicted.txt)" = 60 ] || fail "$program: predict wrote $(wc -l <predicted.txt) lines for 60 texts"
done
grep -q $'^cards,rates\t' predicted.txt || fail "multi_label: no text has two classes"
echo "examples: library, training_loop, embedding_model, tagger_with_vectors, plain_loop, classify and multi_label do what their pages say"
