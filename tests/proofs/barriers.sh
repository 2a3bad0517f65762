#!/usr/bin/env bash
# Takes one barrier, or one wait for copies, at a time out of the CUDA kernels, and demands that the host harness notices: a
# test fails, or the harness says what is wrong. Whether two threads meet in the order that shows it is chance, so there are
# several tries.
# Each test's program is compiled once: a barrier asks whether it is the one that is gone (tests/proofs/mutants.hpp).
#
#   tests/proofs/barriers.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-std=c++20 -O1 -w -I. -isystem /usr/include/eigen3 -DEIGEN_DONT_PARALLELIZE -DDOCTEST_CONFIG_SUPER_FAST_ASSERTS"
seeds="1 2 3 4"
export work flags seeds

calls='(__sync(threads|warp)|device::wait_for_copies)\('
barriers=$(grep -rnE "$calls[^()]*\);" include --include='*.cuh' | cut -d: -f1,2)
all=$(grep -rE "$calls" include --include='*.cuh' | wc -l)
[ "$all" = "$(wc -l <<<"$barriers")" ] || { echo "barriers: of $all, some are not statements of their own"; exit 1; }
cp -r include "$work"
number=0
while IFS=: read -r file line; do
  number=$((number + 1))
  sed -i -E "${line}s/$calls[^()]*\);/mutants::is($number) ? void() : &/" "$work/$file"
done <<<"$barriers"

program() { # SOURCE: of the kernels, tests/cuda/NAME.cu; runs it with every barrier in its place
  local name=$(basename "$1" .cu) seed
  clang++-19 $flags -Itests/cuda_on_cpu/shim -include tests/proofs/mutants.hpp "-I$work/include" -x c++ -c "$1" -o "$work/$name.o"
  clang++-19 $flags -march=native -Iinclude -c "${1%.cu}_test.cpp" -o "$work/$name.oracle.o"
  clang++-19 -rdynamic "$work/main.o" "$work/$name.o" "$work/$name.oracle.o" -o "$work/$name" -ldl -lpthread
  for seed in $seeds; do
    MUTANTS_SEEN=$work/$name.seen ENTRAIN_HARNESS_SEED=$seed "$work/$name" >"$work/$name.said" 2>&1 ||
      { cat "$work/$name.said"; echo "barriers: $1 fails with every barrier in its place, with seed $seed"; return 1; }
  done
}
gone() { # NUMBER FILE:LINE
  local name seed
  for name in $(grep -lx "$1" "$work"/*.seen | xargs -r -n 1 basename -s .seen); do
    for seed in $seeds; do
      MUTANT=$1 ENTRAIN_HARNESS_SEED=$seed timeout 600 "$work/$name" --abort-after=1 >/dev/null 2>&1 || return 0
    done
  done
  echo "barriers: nobody notices that $2 is gone: $(sed -n "${2##*:}p" "${2%:*}")"
  return 1
}
export -f program gone

# Without those that launch what the ops' own cases launch.
sources=$(ls tests/cuda/*.cu | grep -vE '/(trainer|precisions|memory|resident|transformer|epilogues)\.cu$')
clang++-19 $flags -c tests/main.cpp -o "$work/main.o"
printf '%s\n' $sources | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'program "$0"' {}
grep -n . <<<"$barriers" | sed 's/:/ /' | xargs -P "${JOBS:-$(nproc)}" -L 1 bash -c 'gone "$0" "$1"'
echo "barriers: $number, and each one is missed when it is gone"
