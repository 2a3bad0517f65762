#!/usr/bin/env bash
# Damages the code of .cuh files, one place at a time, as scripts/mutate/mutate.sh damages the CPU's kernels. Requires that a test of
# tests/cuda or tests/cuda_on_cpu notices on the host harness, under the address and undefined behaviour sanitizers.
#
#   scripts/mutate/mutate_cuda.sh [--sample N] [--seed N] [--file PART] [--list]
#
# --sample: only this number (default: all)     --file: only files whose path has PART in it     --list: print them, run none
# A test's program is compiled once, with all mutants in it (tests/proofs/mutants.hpp). For each mutant the script runs the cases that reach
# it, the quickest first. Code that is evaluated at compile time, or where the operators do not fit, is mutated in the text: a mutant that
# does not compile does not count. Prints each survivor as file:line: the mutated line, and killed/total.
# Survivors with a reason are in tests/proofs/mutants_justified_cuda.txt; any other makes the exit code 1.
# Every verdict is stored with a hash of the files that it depends on: those of the program that noticed the mutant, or of all programs. A
# run that was stopped, or that is started again after a change, tests only the mutants without a stored verdict.
# MUTATE_DIR: folder for all of this (build/mutate_cuda). JOBS: number of mutants at a time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
home=$PWD
sample=0 seed=1 part=. list=no
while [ $# -gt 0 ]; do
  case $1 in
    --sample) sample=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --file) part=$2; shift 2 ;;
    --list) list=yes; shift ;;
    *) echo "mutate_cuda: there is no option $1"; exit 2 ;;
  esac
done
work=${MUTATE_DIR:-build/mutate_cuda}
mkdir -p "$work"
work=$(cd "$work" && pwd)
mv "$work/verdicts" "$work/.verdicts" 2>/dev/null || touch "$work/.verdicts"
rm -rf "$work"/*
mv "$work/.verdicts" "$work/verdicts"
mkdir "$work/source" "$work/inside" "$work/test"
cp -r include tests "$work/source" # so that the tree may change in the meantime
cd "$work/source"
justified=$work/source/tests/proofs/mutants_justified_cuda.txt

# Leaves out code that the shim replaces, as no test reaches it.
find include/entrain -name '*.cuh' | grep -vE '/(ptx|shared|cuda_transformer)\.cuh$|/entrain/cuda\.cuh$' | sort |
  xargs awk -f "$home/scripts/mutate/mutants.awk" >"$work/every"
names=$(awk -f "$home/scripts/mutate/justified.awk" "$work/every" "$justified") || { echo "mutate_cuda: $names"; exit 2; }
echo "$names" >"$work/justified"
# NUMBER, and the mutant's line of `every`, for those that were asked for
awk -F '\t' -v part="$part" -v seed="$seed" '
  function next_one() { return x = x * 16807 % 2147483647 }
  BEGIN { x = seed % 100000 * 7919 + 1; for (i = 0; i < 9; ++i) next_one() }
  index($1, part) { printf "%010d\t%d\t%s\n", next_one(), FNR, $0 }' "$work/every" | sort | cut -f 2- >"$work/all"
[ "$sample" = 0 ] || { head -n "$sample" "$work/all" >"$work/some"; mv "$work/some" "$work/all"; }
if [ $list = yes ]; then cut -f 2-5 "$work/all"; exit 0; fi
[ -s "$work/all" ] || { echo "mutate_cuda: no mutant of $part"; exit 2; }

flags="-std=c++20 -w -I. -isystem /usr/include/eigen3 -DEIGEN_DONT_PARALLELIZE -DDOCTEST_CONFIG_SUPER_FAST_ASSERTS"
kernels="$flags -O0 -g0 -fsanitize=address,undefined -fno-sanitize-recover=all -fstrict-flex-arrays=3 -Itests/cuda_on_cpu/shim"
export home work flags kernels
export ASAN_OPTIONS=detect_stack_use_after_return=0
jobs=${JOBS:-$(nproc)}

# A test's kernels are a SOURCE, tests/cuda/NAME.cu next to an oracle, or tests/cuda_on_cpu/NAME_test.cpp.
made() { # SOURCE FLAGS...: its program, into work/test/NAME
  local source=$1 name=$(basename "$1") objects=("$work/main.o")
  shift
  [ "${source%.cu}" = "$source" ] || {
    [ -e "$work/test/$name.oracle.o" ] || g++ $flags -O1 -march=native -Iinclude -c "${source%.cu}_test.cpp" -o "$work/test/$name.oracle.o"
    objects+=("$work/test/$name.oracle.o")
  }
  local out=${OUT:-$work/test/$name}
  clang++-19 $kernels "$@" -Iinclude -x c++ -c "$source" -o "$out.o" 2>"$out.said" || return 1
  clang++-19 -fsanitize=address,undefined -rdynamic "${objects[@]}" "$out.o" -o "$out" -ldl -lpthread
}
# Writes every file with all its mutants to $work/inside/include, except for lines that do not compile with them.
inside() {
  cut -f 1 "$work/every" | sort -u | while IFS= read -r file; do
    mkdir -p "$work/inside/$(dirname "$file")"
    awk -v file="$file" -f "$home/scripts/mutate/mutants_inside.awk" "$work/every" "$work/left_out" "$file" >"$work/inside/$file.new"
    cmp -s "$work/inside/$file.new" "$work/inside/$file" || cp "$work/inside/$file.new" "$work/inside/$file"
  done
}
with_all() { # SOURCE: compiles its program with all mutants; for each case N writes NAME.N.takes (milliseconds) and NAME.N.seen,
  # for all NAME.takes, and to NAME.wrong the lines that do not compile
  local name=$(basename "$1") way start cases i
  if ! made "$1" -include tests/proofs/mutants.hpp "-I$work/inside/include"; then
    for way in error 'note: in instantiation'; do
      [ -s "$work/test/$name.wrong" ] || grep -oE "inside/include/[^ :]*:[0-9]+:[0-9]+: $way" "$work/test/$name.said" |
        sed -E 's|inside/||; s/:[0-9]+: .*//' | sort -u >"$work/test/$name.wrong"
    done
    [ -s "$work/test/$name.wrong" ] || { cat "$work/test/$name.said"; echo "mutate_cuda: $1 does not compile with its mutants"; }
    return
  fi
  cases=$("$work/test/$name" --count | sed -n 's/.*: *\([0-9]*\)$/\1/p')
  for ((i = 1; i <= cases; ++i)); do
    start=$(date +%s%N)
    MUTANTS_SEEN=$work/test/$name.$i.seen timeout 600 "$work/test/$name" --no-intro --first=$i --last=$i >"$work/test/$name.said" 2>&1 ||
      { cat "$work/test/$name.said"; echo "mutate_cuda: $1 fails without a mutant"; rm -f "$work/test/$name".*.seen; return; }
    echo $(($(date +%s%N) / 1000000 - start / 1000000)) >"$work/test/$name.$i.takes"
  done
  cat "$work/test/$name".*.takes | awk '{ all += $1 } END { print all }' >"$work/test/$name.takes"
}
export -f made with_all
cut -f 2 "$work/all" | sort -u >"$work/files"
for source in $(ls tests/cuda/*.cu tests/cuda_on_cpu/*_test.cpp | grep -vE '/(harness|nvml|resume|lost_gpu)_test'); do
  clang++-19 $kernels -Iinclude -x c++ -MM "$source" | tr -s ' \\' '\n' >"$work/test/$(basename "$source").files"
  grep -qxFf "$work/files" "$work/test/$(basename "$source").files" || continue
  { echo "$kernels"
    clang++-19 $flags -Iinclude -Itests/cuda_on_cpu/shim -MM "${source/%.cu/_test.cpp}" | tr -s ' \\' '\n' | cat - "$work/test/$(basename "$source").files" |
      grep -E '^(tests|include)/' | sort -u | xargs cat
  } | sha1sum | cut -c 1-16 >"$work/test/$(basename "$source").hash"
  echo "$source"
done >"$work/sources"
cat $(sed "s|.*/||; s|.*|$work/test/&.hash|" "$work/sources") | sha1sum | cut -c 1-16 >"$work/test/-.hash"
g++ $flags -c tests/main.cpp -o "$work/main.o"
echo none:0 >"$work/left_out"
start=$SECONDS
cp "$work/sources" "$work/missing"
for round in 1 2 3 4 5 6 7 8; do
  inside
  rm -f "$work"/test/*.wrong
  xargs -P "$jobs" -I{} bash -c 'with_all "$0"' {} <"$work/missing"
  while IFS= read -r source; do
    [ -e "$work/test/$(basename "$source").takes" ] || echo "$source"
  done <"$work/sources" >"$work/missing"
  cat "$work"/test/*.wrong 2>/dev/null >>"$work/left_out" || break
done
[ ! -s "$work/missing" ] || { echo "mutate_cuda: not made:" $(cat "$work/missing"); exit 2; }
echo "mutate_cuda: $(wc -l <"$work/sources") programs in $((SECONDS - start)) s, $(($(sort -u "$work/left_out" | wc -l) - 1)) lines left to the text"

# Whole trainers take minutes, so they run only for mutants that no other test reaches.
export trainers='^(trainer|precisions|resident|memory|held|skipped|waits|graphs|upload|decoder|turns)[._]'
# NUMBER MILLISECONDS PROGRAM CASE, the quickest first.
for seen in "$work"/test/*.seen; do
  at=${seen%.seen} name=$(basename "${seen%.*.seen}")
  awk -v takes="$(cat "$at.takes")" -v name="$name" -v at="${at##*.}" '{ print $1, takes, name, at }' "$seen"
done | sort -k 1n,1 -k 2n,2 >"$work/reached"
awk '{ whole = $3 ~ ENVIRON["trainers"] }
  NR == FNR { if (!whole) others[$1]; next }
  !whole || !($1 in others)' "$work/reached" "$work/reached" >"$work/reach"
echo "mutate_cuda: $(cut -d ' ' -f 1 "$work/reach" | sort -u | wc -l) mutants of any file are reached"

said() { # RESULT FILE LINE NOW BY SECONDS
  printf '%s\t%s:%s: %s\t%s\t%d\n' "$@" | tee -a "$work/results" | sed -n 's/\t-\t.*//; s/^survived\t/mutate_cuda: survived: /p'
}
rests_on() { cat "$work/test/${1%%[:,]*}.hash" 2>/dev/null || true; } # BY
known() { # FILE:LINE: NOW, and the stored result if none of the files that it depends on changed
  local hash result by
  IFS=$'\x1f' read -r hash result by < <(MUTANT=$1 awk -F '\t' '$2 == ENVIRON["MUTANT"] { print $1 "\x1f" $3 "\x1f" $4 }' "$work/verdicts" | tail -n 1) &&
    [ "$hash" = "$(rests_on "$by")" ] && printf '%s\t%s\n' "$result" "$by"
}
programs_of() { # FILE: those that include it and are used, the quickest first
  local name all
  all=$(for name in $(grep -lx -- "$1" "$work"/test/*.files | xargs -r -n 1 basename -s .files); do
    [ ! -e "$work/test/$name.takes" ] || echo "$(cat "$work/test/$name.takes") $name"
  done | sort -n | cut -d ' ' -f 2)
  grep -vE "$trainers" <<<"$all" || echo "$all"
}
mutant() { # NUMBER and the mutant's line of `every`
  local number file line from to now column id place name result=survived by=- start=$SECONDS
  IFS=$'\x1f' read -r number file line from to now column id <<<"${1//$'\t'/$'\x1f'}"
  if [ -n "$id" ] && grep -qxF -- "$id" "$work/justified"; then said justified "$file" "$line" "$now" - 0; return; fi
  IFS=$'\t' read -r result by < <(known "$file:$line: $now") && { said "$result" "$file" "$line" "$now" "$by" 0; return; }
  result=survived by=-
  local reached=$(awk -v number="$number" '$1 == number { print $2, $3, $4 }' "$work/reach") takes at
  if [ -n "$reached" ]; then
    while read -r takes name at; do
      if ! MUTANT=$number timeout $((5 + 10 * takes / 1000)) "$work/test/$name" --no-intro --abort-after=1 --first="$at" --last="$at" \
        </dev/null >/dev/null 2>&1; then
        result=killed by=$name:$at
        break
      fi
    done <<<"$reached"
  else
    place=$(mktemp -d "$work/mutant.XXXXXX")
    mkdir -p "$place/$(dirname "$file")"
    MUTATED=$now awk -v line="$line" 'FNR == line { $0 = ENVIRON["MUTATED"] } { print }' "$file" >"$place/$file"
    for name in $(programs_of "$file"); do
      if ! OUT=$place/test made "$(ls "tests/cuda/$name" "tests/cuda_on_cpu/$name" 2>/dev/null)" "-I$place/include"; then
        result=unborn by=$name
        break
      fi
      if ! timeout $((20 + 5 * $(cat "$work/test/$name.takes") / 1000)) "$place/test" --no-intro --abort-after=1 >/dev/null 2>&1; then
        result=killed by=$name
        break
      fi
    done
    rm -rf "$place"
    by="$by, in the text"
    [ $result != survived ] || by=-
  fi
  printf '%s\t%s:%s: %s\t%s\t%s\n' "$(rests_on "$by")" "$file" "$line" "$now" "$result" "$by" >>"$work/verdicts"
  said $result "$file" "$line" "$now" "$by" $((SECONDS - start))
}
export -f mutant said known rests_on programs_of

touch "$work/results"
tr '\n' '\0' <"$work/all" | xargs -0 -P "$jobs" -I{} bash -c 'mutant "$0"' {}
count() { grep -c "^$1" "$work/results" || true; }
[ "$(wc -l <"$work/results")" = "$(wc -l <"$work/all")" ] || { echo "mutate_cuda: stopped half way"; exit 2; }
total=$(($(wc -l <"$work/results") - $(count unborn)))
echo "mutants of CUDA kernels: $(count killed) of $total killed, $(count justified) justified, $(count survived) survived," \
  "$(count unborn) did not compile; $((SECONDS - start)) s"
[ "$(count survived)" = 0 ]
