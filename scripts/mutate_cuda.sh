#!/usr/bin/env bash
# Damages what stands in .cuh files, one place at a time, as scripts/mutate.sh damages the processor's kernels, and demands that a
# test of tests/cuda or tests/cuda_on_cpu notices on the host harness, under the address and undefined behaviour sanitizers.
#
#   scripts/mutate_cuda.sh [--sample N] [--seed N] [--file PART] [--list]
#
# --sample: only so many (default: all)     --file: only of files whose path has PART in it     --list: print them, run none
# Prints each survivor as file:line: the line as it was mutated, and killed/total. Survivors with a reason stand in
# tests/proofs/mutants_justified_cuda.txt; any other makes the exit code 1. Mutants that do not compile do not count.
# MUTATE_DIR: where all this lies (build/mutate_cuda). JOBS: how many mutants at a time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
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
rm -rf "$work"/*
mkdir "$work/source"
cp -r include tests "$work/source" # so that the tree may change meanwhile
cd "$work/source"
justified=$work/source/tests/proofs/mutants_justified_cuda.txt

# What the shim stands for is not reached.
find include/entrain -name '*.cuh' | grep -vE '/(ptx|shared|cuda_transformer)\.cuh$|/entrain/cuda\.cuh$' | sort |
  xargs awk -f "$home/scripts/mutants.awk" >"$work/every"
while IFS= read -r entry; do # FILE: MUTATED LINE: reason
  case $entry in '' | '#'*) continue ;; esac
  awk -F '\t' -v entry="$entry" 'index(entry, $1 ": " $5 ": ") == 1 { found = 1 } END { exit !found }' "$work/every" ||
    { echo "mutate_cuda: tests/proofs/mutants_justified_cuda.txt: no mutant is like this any more: $entry"; exit 2; }
done <"$justified"
awk -F '\t' -v part="$part" -v seed="$seed" '
  function next_one() { return x = x * 16807 % 2147483647 }
  BEGIN { x = seed % 100000 * 7919 + 1; for (i = 0; i < 9; ++i) next_one() }
  index($1, part) { printf "%010d\t%s\n", next_one(), $0 }' "$work/every" | sort | cut -f 2- >"$work/all"
[ "$sample" = 0 ] || { head -n "$sample" "$work/all" >"$work/some"; mv "$work/some" "$work/all"; }
if [ $list = yes ]; then cut -f 1-4 "$work/all"; exit 0; fi

flags="-std=c++20 -w -I. -isystem /usr/include/eigen3 -DEIGEN_DONT_PARALLELIZE -DDOCTEST_CONFIG_SUPER_FAST_ASSERTS"
kernels="$flags -O1 -g0 -fsanitize=address,undefined -fno-sanitize-recover=all -Itests/cuda_on_cpu/shim"
export work justified flags kernels

# A test's kernels are a SOURCE, tests/cuda/NAME.cu beside an oracle, or tests/cuda_on_cpu/NAME_test.cpp.
included() { # SOURCE: which files it includes
  local name=$(basename "$1")
  g++ $kernels -Iinclude -x c++ -MM "$1" | tr -s ' \\' '\n' >"$work/$name.files"
  echo "$1" >"$work/$name.source"
}
oracle() { # SOURCE: compiled once
  case $1 in *.cu) ;; *) return ;; esac
  local made=$work/$(basename "$1").oracle.o
  (
    flock 8
    [ -e "$made" ] || g++ $flags -O1 -march=native -Iinclude -c "${1%.cu}_test.cpp" -o "$made"
  ) 8>"$made.lock"
  echo "$made"
}
export -f included oracle
g++ $flags -c tests/main.cpp -o "$work/main.o"
ls tests/cuda/*.cu tests/cuda_on_cpu/*_test.cpp | grep -vE '/(harness|nvml)_test' | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'included "$0"' {}

# The tests that include FILE: that of its name or verb first, then those with few files, the trainers last.
tests_of() {
  local name verb
  for name in $(grep -lx -- "$1" "$work"/*.files | xargs -n 1 basename -s .files); do
    verb=${name%%[._]*}
    case $1 in */kernel/"$verb"/* | */device/"${verb%s}"*) echo "0 $name" ;; *) echo "$(wc -l <"$work/$name.files") $name" ;; esac
  done | sort -n | cut -d ' ' -f 2
}
mutant() { # one line of every
  local file line rest now place name source result=survived by=- start=$SECONDS
  IFS=$'\t' read -r file line rest <<<"$1"
  now=$(cut -f 5 <<<"$1")
  if grep -qF -- "$file: $now: " "$justified"; then
    printf 'justified\t%s:%s: %s\t-\t0\n' "$file" "$line" "$now" >>"$work/results"
    return
  fi
  place=$(mktemp -d "$work/mutant.XXXXXX")
  mkdir -p "$place/$(dirname "$file")"
  MUTATED=$now awk -v line="$line" 'FNR == line { $0 = ENVIRON["MUTATED"] } { print }' "$file" >"$place/$file"
  for name in $(tests_of "$file"); do
    source=$(cat "$work/$name.source")
    if ! g++ $kernels "-I$place/include" -Iinclude -x c++ -c "$source" -o "$place/kernels.o" 2>/dev/null; then
      result=unborn by=$name
      break
    fi
    g++ -fsanitize=address,undefined -rdynamic "$work/main.o" $(oracle "$source") "$place/kernels.o" -o "$place/test" -ldl -lpthread
    if ! timeout 200 "$place/test" --no-intro --abort-after=1 >/dev/null 2>&1; then
      result=killed by=$name
      break
    fi
  done
  printf '%s\t%s:%s: %s\t%s\t%d\n' $result "$file" "$line" "$now" "$by" $((SECONDS - start)) | tee -a "$work/results" |
    sed -n 's/\t-\t.*//; s/^survived\t/mutate_cuda: survived: /p'
  rm -rf "$place"
}
export -f mutant tests_of

touch "$work/results"
start=$SECONDS
tr '\n' '\0' <"$work/all" | xargs -0 -P "${JOBS:-$(nproc)}" -I{} bash -c 'mutant "$0"' {}
count() { grep -c "^$1" "$work/results" || true; }
[ "$(wc -l <"$work/results")" = "$(wc -l <"$work/all")" ] || { echo "mutate_cuda: stopped half way"; exit 2; }
total=$(($(wc -l <"$work/results") - $(count unborn)))
echo "mutants of CUDA kernels: $(count killed) of $total killed, $(count justified) justified, $(count survived) survived," \
  "$(count unborn) did not compile; $((SECONDS - start)) s"
[ "$(count survived)" = 0 ]
