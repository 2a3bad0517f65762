#!/usr/bin/env bash
# Checks that the outputs in README.md are the real outputs of the models that the quick start trains with three seeds: the line of the
# command line, the program in C++, and the lines in Python, whose output is in the comment at their end.
#
#   scripts/check/readme_outputs.sh PROGRAM LIBRARY      the quick start's trainer, and its composition as a library, as in
#   scripts/check/readme_outputs.sh build/default/bin/ner_light build/default/bin/libspacy_ner.so
set -euo pipefail
program=$(realpath "${1:?which program}") library=$(realpath "${2:?which library}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stop() { echo "readme_outputs: $*"; exit 1; }
block() { awk -v kind="$1" '$0 == "```" kind { inside = 1; ++n; next } /^```$/ { inside = 0 } inside' README.md; } # all blocks of a kind
shown() { sed -n "s|^.*$1\\(PER [^,]*, .*\\)\$|\\1|p" | sed 's/, /\n/g'; } # `// PER A, LOC B`: one line each

# the program that prints entities, and the output that README.md shows for it
awk '/^```cpp$/ { inside = 1; file = "'"$work"'/block" ++n ".cpp"; next } /^```$/ { inside = 0 } inside { print > file }' README.md
source=$(grep -l 'predict::load' "$work"/block*.cpp) || stop "README.md has no program that predicts"
shown '// ' <"$source" >"$work/cpp"
[ "$(wc -l <"$work/cpp")" -gt 1 ] || stop "the program in C++ does not say what it prints"
g++ -std=c++20 -O1 -march=native -Iinclude -isystem /usr/include/eigen3 -DEIGEN_DONT_PARALLELIZE -o "$work/predict" "$source" -pthread

block python >"$work/caller.py"
shown '# ' <"$work/caller.py" >"$work/python"
[ "$(wc -l <"$work/python")" -gt 1 ] || stop "the lines in Python do not say what they print"
failure=$(sed -n 's/^if not tagger: .*# \(.*\) \.\.\.$/\1/p' "$work/caller.py")
[ -n "$failure" ] || stop "the lines in Python do not say what a failure is like"

# `echo ... | ./dev predict ...`, followed by a part of its output, between `# ... ` and `, ...`
command=$(block sh | grep -m 1 -A 1 '^echo .* | ./dev predict')
part=$(tail -n 1 <<<"$command" | sed -n 's/^# \.\.\. \(.*\), \.\.\.$/\1/p')
command=$(head -n 1 <<<"$command")
[ -n "$part" ] || stop "README.md does not say what ./dev predict writes"

for seed in 0 1 2; do
  mkdir "$work/$seed"
  "$program" train --seed $seed --output "$work/$seed/model" >"$work/said" 2>&1 || { tail -n 5 "$work/said"; stop "training failed"; }
  ln -s "$library" "$work/$seed/libner.so"
  (cd "$work/$seed" && bash -c "${command/.\/dev/\"$program\"}" >said 2>/dev/null) || stop "failed: $command"
  grep -qF -- "$part" "$work/$seed/said" || { cat "$work/$seed/said"; stop "seed $seed: ./dev predict does not write $part"; }
  (cd "$work/$seed" && "$work/predict" >said) || stop "the program in C++ failed"
  diff "$work/$seed/said" "$work/cpp" || stop "seed $seed: the program in C++ prints other entities"
  (cd "$work/$seed" && python3 "$work/caller.py" >said) || stop "the lines in Python failed"
  diff "$work/$seed/said" "$work/python" || stop "seed $seed: the lines in Python print other entities"
done
mv "$work/0/model" "$work/0/elsewhere"
(cd "$work/0" && python3 "$work/caller.py" >said 2>&1) && stop "the lines in Python did not fail without a model"
grep -qF "RuntimeError: $failure" "$work/0/said" || { cat "$work/0/said"; stop "the failure is not $failure ..."; }
echo "readme_outputs: as shown, for seeds 0, 1 and 2"
