#!/usr/bin/env bash
# Damages kernels, layers, encoders, embeddings, heads, rules of optimizers and scores, one place at a time, and requires that a test notices:
# swaps + and -, * and /, < and <=, drops a term, shifts an index. The seed selects and orders the mutants; the same seed gives the same mutants.
#
#   scripts/mutate/mutate.sh [--sample N] [--seed N] [--file PART] [--closest N] [--list]
#
# --sample: only this number (default: all)     --file: only files whose path has PART in it
# --closest: a quick search for gaps, with the N closest tests and no sanitizers     --list: print them, run none
# Prints each survivor as file:line: the mutated line, and killed/total. Survivors with a reason are in tests/proofs/mutants_justified.txt;
# any other makes the exit code 1. Mutants that do not compile do not count, nor do those of lines for other CPUs than this; lines
# that only prefetch memory are not mutated.
#
# Each mutant is run with the tests that include its file, one by one, the closest first, until one fails. At the end the two closest run
# once more under the address and undefined behaviour sanitizers, as the preset `sanitize` runs them all. The script copies the tree first,
# so that the tree may change in the meantime. It stores every verdict with a hash of everything that the verdict depends on. A run that was
# stopped, or that is started again after a change, tests only the mutants without a stored verdict. MUTATE_DIR: folder for all of this
# (build/mutate). JOBS: number of mutants at a time.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "${MUTATE_ROOT:-$home}"
sample=0 seed=1 part=. closest=99 list=no
while [ $# -gt 0 ]; do
  case $1 in
    --sample) sample=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --file) part=$2; shift 2 ;;
    --closest) closest=$2; shift 2 ;;
    --list) list=yes; shift ;;
    *) echo "mutate: there is no option $1"; exit 2 ;;
  esac
done
mkdir -p "${MUTATE_DIR:-build/mutate}"
work=$(cd "${MUTATE_DIR:-build/mutate}" && pwd)
exec 9>"$work/lock"
flock -n 9 || { echo "mutate: another run is using $work; wait for it, or set MUTATE_DIR"; exit 2; }
rm -rf "$work"/{source,tests,mutant.*} "$work/results" "$work/unsound"
mkdir -p "$work"/{source,tests}
cp -r include tests examples "$work/source"  # tests include parts of examples
cd "$work/source"
touch "$work/verdicts" "$work/costs"
justified=$work/source/tests/proofs/mutants_justified.txt
compiler="g++ -std=c++20 -O0 -w -pipe -march=native -isystem /usr/include/eigen3 -DEIGEN_DONT_PARALLELIZE"
version="$compiler; $(g++ --version | head -n 1); $(grep -m 1 '^model name' /proc/cpuinfo || true)"
compiler+=" -DENTRAIN_SOURCE_DIR=\"$work/source\""
if [ -e /usr/include/dnnl.h ]; then
  libraries="-Wl,--as-needed -ldnnl -lgomp"  # oneDNN needs the OpenMP whose threads our kernel sets
else
  libraries=""
  echo "mutate: libdnnl-dev is not there: kernel/gemm/onednn.hpp is left out" >&2
  rm -rf include/entrain/kernel/gemm/onednn.hpp tests/onednn
fi
export work closest compiler version libraries

# FILE <tab> LINE <tab> FROM <tab> TO <tab> the mutated line. The other files of optim/ are tested with whole trainers, not here.
mutants() { find include/entrain/{kernel,layer,encode,embed,head,score,optim/{rules,schedule,step,lazy_row_updates}.hpp} -name '*.hpp' ! -name contract.hpp | sort | xargs awk -f "$home/scripts/mutate/mutants.awk"; }
# Shuffles in the order that the seed gives, with a generator of its own, as the rand of awks differs.
shuffled() {
  awk -v seed="$seed" 'function next_one() { return x = x * 16807 % 2147483647 }
    BEGIN { x = seed % 100000 * 7919 + 1; for (i = 0; i < 9; ++i) next_one() } { printf "%010d\t%s\n", next_one(), $0 }' |
    sort | cut -f 2-
}

mutants >"$work/every"
names=$(awk -f "$home/scripts/mutate/justified.awk" "$work/every" "$justified") || { echo "mutate: $names"; exit 2; }
echo "$names" >"$work/justified"
awk -F '\t' -v part="$part" 'index($1, part)' "$work/every" | shuffled >"$work/all"
[ "$sample" = 0 ] || { head -n "$sample" "$work/all" >"$work/some"; mv "$work/some" "$work/all"; }
if [ $list = yes ]; then cut -f 1-4 "$work/all"; exit 0; fi

# The files of this tree that TEST includes, itself first.
closure() {
  awk 'function walk(file,   line, found) {
      if (seen[file]++) return
      while ((getline line < file) > 0) {
        if (++lines[file] == 1) print file
        if (line !~ /^#include "/) continue
        split(line, found, "\"")
        walk((found[2] ~ /^tests\// ? "" : "include/") found[2])
      }
      close(file)
    }
    BEGIN { walk(ARGV[1]) }' "$1"
}
for test in tests/{kernel,onednn,layer,contract,embed,head,optim,score}/*_test.cpp; do
  [ -e "$test" ] || continue
  name=${test#tests/}
  place=$work/tests/${name//\//@}
  mkdir -p "$place"
  closure "$test" >"$place/files"
  xargs cat <"$place/files" | sha1sum >"$place/hash"
done

# The headers that tests read and no mutant changes, precompiled once for each set of flags.
{
  for header in doctest/doctest.h Eigen/Core algorithm array cmath cstdint cstring fstream limits map sstream string vector; do
    echo "#include <$header>"
  done
  for header in include/entrain/{core/{math,pack,random},device/{cpu,plan,step},precision/policies,tensor/flat,text/tags/scheme}.hpp tests/gradient.hpp; do
    [ ! -e "$header" ] || echo "#include \"${header#include/}\""
  done
} >"$work/source/precompiled.hpp"
for file in $(cut -f 1 "$work/every" | sort -u); do
  ! closure precompiled.hpp | grep -qx "$file" || { echo "mutate: $file is precompiled, its mutants would not be seen"; exit 2; }
done

with() {  # the sanitizers also watch the memory after a vector's last number
  case $1 in sanitized) echo '-fsanitize=address,undefined -fno-sanitize-recover=all -D_GLIBCXX_SANITIZE_VECTOR' ;; esac
}
precompiled() { # WAY
  (
    flock 8
    local key; key=$(cat precompiled.hpp $(closure precompiled.hpp) | { cat; echo "$(with "$1")$version"; } | sha1sum)
    [ "$(cat "$work/$1/key" 2>/dev/null)" != "$key" ] || exit 0
    mkdir -p "$work/$1"
    cp precompiled.hpp "$work/$1/all.hpp"
    $compiler $(with "$1") -Iinclude -I. -x c++-header "$work/$1/all.hpp" -o "$work/$1/all.hpp.gch"
    $compiler -c tests/main.cpp -o "$work/$1/main.o"
    echo "$key" >"$work/$1/key"
  ) 8>"$work/$1.lock"
}

# outcome PLACE WAY TEST INCLUDES ...: prints passes, killed or unborn; the output is in PLACE/said. LIMIT: CPU seconds that compiling
# or the test may take, as either may loop for ever. A test that waits for ever is ended by wall time.
outcome() {
  (ulimit -t "${LIMIT:-600}"
    exec $compiler $(with "$2") -include "$work/$2/all.hpp" "${@:4}" -Iinclude -I. "tests/$3" "$work/$2/main.o" \
      -o "$1/test" -lpthread $libraries 2>"$1/said") || { echo unborn; return; }
  if (ulimit -t "${LIMIT:-600}"; exec timeout $((3 * ${LIMIT:-600})) "$1/test" --no-intro --abort-after=1) >"$1/said" 2>&1; then
    echo passes
  else
    echo killed
  fi
}
# The verdict of KEY, if it is known.
known() { sed -n "s/^$1 //p;T;q" "$work/verdicts"; }

# limit WAY TEST: the seconds that a mutant may take; also checks that the test passes without any mutant.
limit() {
  local name=${2//\//@} key place verdict
  key=$(cat "$work/tests/$name/hash" - <<<"$1$(with "$1") $version" | sha1sum | cut -d ' ' -f 1)
  (
    flock 7
    [ -z "$(known "$key")" ] || exit 0
    precompiled "$1"
    place=$(mktemp -d "$work/mutant.XXXXXX")
    exec 2>"$place/time"
    TIMEFORMAT='%U %S'
    time verdict=$(LIMIT="" outcome "$place" "$1" "$2" 2>/dev/null)  # not the limit of the previous test
    if [ "$verdict" = passes ]; then
      # Of compiling and running, with a safety margin.
      awk -v key="$key" '{ printf "%s sound %d\n", key, 3 * ($1 + $2) + 3 }' "$place/time" >>"$work/verdicts"
      [ "$1" = sanitized ] || awk -v test="$2" '{ print test, $1 + $2 }' "$place/time" >>"$work/costs"
    else
      { echo "mutate: tests/$2 fails without any mutant ($1):"; tail -n 20 "$place/said"; } >"$work/unsound"
    fi
    rm -rf "$place"
  ) 7>"$work/tests/$name/$1.lock"
  known "$key" | cut -d ' ' -f 2
}

# The tests that include FILE: first those named like it, then those named like its op, then the quickest ones.
tests_of() {
  local base verb=/
  base=$(basename "$1" .hpp)
  case $1 in include/entrain/kernel/*) verb=$(cut -d/ -f4 <<<"$1") ;; esac
  { grep -lx -- "$1" "$work"/tests/*/files || true; } | sed 's,/files$,,;s,.*/,,;s,@,/,g' |
    awk -v base="$base" -v verb="$verb" -v costs="$work/costs" '
      BEGIN { while ((getline < costs) > 0) cost[$1] = $2 }
      {
        alike = index($0, "/" base) ? 0 : index($0, "/" verb) ? 1 : 2
        print alike "\t" !/^kernel/ "\t" ($1 in cost ? cost[$1] : 2.5) "\t" $0
      }' | sort -k 1,2 -k 3n | cut -f 4
}

mutant() { # a line of `every`
  local file line rest now name place hash way test key verdict result=survived by=- start=$SECONDS
  IFS=$'\t' read -r file line rest <<<"$1"
  now=$(cut -f 5 <<<"$1")
  name=$(cut -f 7 <<<"$1")
  if [ -n "$name" ] && grep -qxF -- "$name" "$work/justified"; then
    printf 'justified\t%s:%s: %s\t-\t0\n' "$file" "$line" "$now" >>"$work/results"
    return
  fi
  place=$(mktemp -d "$work/mutant.XXXXXX")
  mkdir -p "$place/$(dirname "$file")"
  MUTATED=$now awk -v line="$line" 'FNR == line { $0 = ENVIRON["MUTATED"] } { print }' "$file" >"$place/$file"
  hash=$( (echo "$file"; cat "$place/$file") | sha1sum)
  if grep -q '^#if ENTRAIN_' "$file" && cmp -s <($compiler -Iinclude -E -P "$file") <($compiler "-I$place/include" -Iinclude -E -P "$place/$file"); then
    printf 'unborn\t%s:%s: %s\tother CPUs\t0\n' "$file" "$line" "$now" >>"$work/results"
    rm -rf "$place"
    return
  fi
  local tests ask; tests=$(tests_of "$file" | head -n "$closest" | sed 's/^/plain /')
  [ "$closest" != 99 ] || tests+=$'\n'$(tests_of "$file" | head -n 2 | sed 's/^/sanitized /')
  for ask in no yes; do  # first searches the stored verdicts for a test that kills it
    while read -r way test <&3; do
      key=$(cat "$work/tests/${test//\//@}/hash" - <<<"$hash $way$(with "$way") $version" | sha1sum | cut -d ' ' -f 1)
      verdict=$(known "$key")
      if [ -z "$verdict" ] && [ $ask = yes ]; then
        LIMIT=$(limit "$way" "$test")  # a test is run without any mutant before it is used the first time
        [ -n "$LIMIT" ] || return 255
        verdict=$(LIMIT=$LIMIT outcome "$place" "$way" "$test" "-I$place/include")
        echo "$key $verdict" >>"$work/verdicts"
      fi
      case $verdict in killed | unborn) result=$verdict by="$test($way)"; break 2 ;; esac
    done 3<<<"$tests"
  done
  printf '%s\t%s:%s: %s\t%s\t%d\n' $result "$file" "$line" "$now" "$by" $((SECONDS - start)) | tee -a "$work/results" |
    sed -n 's/\t-\t.*//; s/^survived\t/mutate: survived: /p'
  rm -rf "$place"
}
export -f mutant tests_of limit known outcome precompiled with closure

for file in $(cut -f 1 "$work/all" | sort -u); do
  [ -n "$(tests_of "$file")" ] || { echo "mutate: no test includes $file"; exit 1; }
done
touch "$work/results"
start=$SECONDS
tr '\n' '\0' <"$work/all" | xargs -0 -P "${JOBS:-$(nproc)}" -I{} bash -c 'mutant "$0"' {} 9>&- || true
if [ -e "$work/unsound" ]; then cat "$work/unsound"; exit 2; fi
times >"$work/times"
count() { grep -c "^$1" "$work/results" || true; }
[ "$(wc -l <"$work/results")" = "$(wc -l <"$work/all")" ] || { echo "mutate: stopped half way"; exit 2; }
total=$(($(wc -l <"$work/results") - $(count unborn)))
echo "mutants: $(count killed) of $total killed ($(grep -c 'sanitized)' "$work/results" || true) of them by sanitizers alone)," \
  "$(count justified) justified, $(count survived) survived, $(count unborn) did not compile; $((SECONDS - start)) s," \
  "$(awk -F '[ms ]' 'NR == 2 { print int(60 * ($1 + $4) + $2 + $5) }' "$work/times") s of CPU time"
[ "$(count survived)" = 0 ]
