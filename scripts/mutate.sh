#!/usr/bin/env bash
# Damages kernels and layers, one place at a time, and demands that a test notices: swaps + and -, * and /, < and <=,
# drops a term, shifts an index. The seed chooses and orders; the same seed gives the same mutants.
#
#   scripts/mutate.sh [--sample N] [--seed N] [--file PART] [--list]
#
# --sample: only so many (default: all)   --file: only of files whose path has PART in it   --list: print them, run none
# Prints killed/total and each survivor as file:line: from -> to. Survivors with a reason stand in
# tests/proofs/mutants_justified.txt; any other makes the exit code 1. Mutants that do not compile do not count.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
sample=0 seed=1 part=. list=no
while [ $# -gt 0 ]; do
  case $1 in
    --sample) sample=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --file) part=$2; shift 2 ;;
    --list) list=yes; shift ;;
    *) echo "mutate: there is no option $1"; exit 2 ;;
  esac
done
export work=${MUTATE_DIR:-build/mutate} justified=tests/proofs/mutants_justified.txt
mkdir -p "$work"
export flags='-std=c++20 -O1 -march=native -isystem /usr/include/eigen3 -DEIGEN_DONT_PARALLELIZE'

# FILE <tab> LINE <tab> COLUMN <tab> LENGTH <tab> FROM <tab> TO, in the order that the seed gives
mutants() {
  find include/entrain/kernel include/entrain/layer -name '*.hpp' ! -name contract.hpp | grep -F -- "$part" | sort | xargs awk '
    function each(pattern, to,   rest, at, from, after) {
      rest = code; at = 0
      while (match(rest, pattern)) {
        from = substr(rest, RSTART, RLENGTH); after = to
        if (to == "shift") { after = from; sub(/\]$/, " + 1]", after) }
        if (to != "" || substr(rest, RSTART + RLENGTH, 1) !~ /[(<:>.[-]/)    # a whole term, not the name of a call
          print FILENAME "\t" FNR "\t" at + RSTART "\t" RLENGTH "\t" from "\t" after
        at += RSTART + RLENGTH - 1
        rest = substr(rest, RSTART + RLENGTH)
      }
    }
    {
      code = $0
      sub(/\/\/.*/, "", code)
    }
    code ~ /^ *(#|template|using|static_assert|namespace)/ || code ~ /operator|static_assert|"/ { next }
    {
      each(" \\+ ", " - "); each(" - ", " + "); each(" \\* ", " / "); each(" / ", " * ")
      each(" < ", " <= "); each(" <= ", " < "); each(" \\+= ", " -= ")
      each(" [+] [A-Za-z_][A-Za-z_0-9.]*(\\[[a-z_]+\\])?", "")
      each("\\[[a-z_]+\\]", "shift")
    }' | awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.9f\t%s\n", rand(), $0 }' | sort | cut -f 2-
}

# The tests that include FILE, the ones named alike first.
tests_of() {
  local file=${1#include/} word
  word=$(basename "$1" .hpp)
  case $file in entrain/kernel/*) word=$(cut -d/ -f3 <<<"$file") ;; esac
  grep -l -- "$file" "$work"/depends/* 2>/dev/null | sed 's,.*/,,;s,@,/,g' |
    awk -v word="$word" '{ print (index($0, word) ? 0 : index($0, "kernel/") ? 1 : index($0, "layer/") ? 2 : 3) "\t" $0 }' | sort | cut -f 2
}

# passes PLACE TEST INCLUDES ...: 0 the test passes, 1 it does not, 2 it does not compile
passes() {
  local program=$1/test
  g++ $flags "${@:3}" -Iinclude -I. -DENTRAIN_SOURCE_DIR="\"$PWD\"" "tests/$2" "$work/main.o" -o "$program" -lpthread 2>"$1/said" || return 2
  timeout 100 "$program" --no-intro --abort-after=1 >"$1/said" 2>&1 || return 1
}

mutant() { # one line of mutants
  local file line column length rest place test result=survived
  IFS=$'\t' read -r file line column length rest <<<"$1"
  place=$(mktemp -d "$work/mutant.XXXXXX")
  mkdir -p "$place/$(dirname "$file")"
  awk -v line="$line" -v column="$column" -v length_="$length" -v to="$(cut -f 6 <<<"$1")" '
    FNR == line { $0 = substr($0, 1, column - 1) to substr($0, column + length_) } { print }' "$file" >"$place/$file"
  local now; now=$(sed -n "${line}s/^ *//p" "$place/$file")
  for test in $(tests_of "$file"); do
    local code=0
    passes "$place" "$test" "-I$place/include" || code=$?
    [ $code = 0 ] && continue
    result=killed
    [ $code = 2 ] && result=unborn
    break
  done
  [ $result = survived ] && [ -f "$justified" ] && grep -qF -- "$file: $now:" "$justified" && result=justified
  printf '%s\t%s:%s: %s\n' "$result" "$file" "$line" "$now"
  rm -rf "$place"
}
export -f mutant passes tests_of

mutants >"$work/all"
[ "$sample" = 0 ] || { head -n "$sample" "$work/all" >"$work/some"; mv "$work/some" "$work/all"; }
if [ $list = yes ]; then cut -f 1,2,5,6 "$work/all"; exit 0; fi

# Which test includes what; and all tests in question pass as things stand.
rm -rf "$work"/depends "$work"/mutant.* && mkdir -p "$work/depends"
g++ $flags -c tests/main.cpp -o "$work/main.o"
for test in tests/{kernel,layer,contract,embed,encode,head}/*_test.cpp; do
  [ -e "$test" ] || continue
  name=${test#tests/}
  g++ $flags -Iinclude -I. -MM "$test" >"$work/depends/${name//\//@}"
done
sound() {
  local place code=0; place=$(mktemp -d "$work/mutant.XXXXXX")
  passes "$place" "$1" || code=$?
  rm -rf "$place"
  [ $code = 0 ] || { echo "mutate: tests/$1 fails without any mutant"; return 1; }
}
export -f sound
jobs=${JOBS:-$(nproc)}
for file in $(cut -f 1 "$work/all" | sort -u); do tests_of "$file"; done | sort -u >"$work/tests"
xargs -P "$jobs" -I{} bash -c 'sound "$0"' {} <"$work/tests"

tr '\n' '\0' <"$work/all" | xargs -0 -P "$jobs" -I{} bash -c 'mutant "$0"' {} >"$work/results"
count() { grep -c "^$1" "$work/results" || true; }
grep -P '^survived' "$work/results" | sort || true
total=$(($(wc -l <"$work/results") - $(count unborn)))
echo "mutants: $(count killed) of $total killed, $(count justified) justified, $(count survived) survived, $(count unborn) did not compile"
[ "$(count survived)" = 0 ]
