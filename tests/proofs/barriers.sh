#!/usr/bin/env bash
# Takes one barrier at a time out of the CUDA kernels, and demands that the host harness notices: a test fails, or the
# harness says what is wrong. Whether two threads meet in the order that shows it is chance, so there are several tries.
#
#   tests/proofs/barriers.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work
flags="-std=c++20 -O1 -w -I. -isystem /usr/include/eigen3 -DEIGEN_DONT_PARALLELIZE -DDOCTEST_CONFIG_SUPER_FAST_ASSERTS"
kernel="$flags -Itests/cuda_on_cpu/shim -x c++"
seeds="1 2 3 4"
export flags kernel seeds

object() { # SOURCE: of an oracle, or of kernels as they are
  case $1 in *.cu) g++ $kernel -Iinclude -c "$1" -o "$work/$(basename "$1").o" ;;
  *) g++ $flags -march=native -Iinclude -c "$1" -o "$work/$(basename "$1").o" ;; esac
}
removed() { # FILE:LINE
  local file=${1%:*} line=${1##*:} at seed name=${1//[\/:]/_}
  at=$work/$name
  mkdir -p "$at/$(dirname "${file#include/}")"
  awk -v line="$line" 'FNR == line { sub(/__sync(threads|warp)\([^()]*\);/, "") } { print }' "$file" >"$at/${file#include/}"
  local objects=("$work"/*.o) source
  for source in $sources; do
    g++ $kernel -Iinclude -MM "$source" | grep -qF "$file" || continue
    g++ $kernel "-I$at" -Iinclude -c "$source" -o "$at/$(basename "$source").o"
    objects=("${objects[@]/"$work/$(basename "$source").o"/"$at/$(basename "$source").o"}")
  done
  g++ -rdynamic "${objects[@]}" -o "$at/program" -ldl -lpthread
  for seed in $seeds; do
    ENTRAIN_HARNESS_SEED=$seed timeout 600 "$at/program" --abort-after=1 >/dev/null 2>&1 || return 0
  done
  echo "barriers: nobody notices that $1 is gone: $(sed -n "${line}p" "$file")"
  return 1
}
export -f object removed

# Without the trainers: they launch what the verbs' own cases launch, and cost as much as all of those.
sources=$(ls tests/cuda/*.cu | grep -vE '/(trainer|precisions|memory)\.cu$')
export sources
printf '%s\n' tests/main.cpp $(sed 's/\.cu$/_test.cpp/' <<<"$sources") $sources | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'object "$0"' {}
g++ -rdynamic "$work"/*.o -o "$work/program" -ldl -lpthread
for seed in $seeds; do
  ENTRAIN_HARNESS_SEED=$seed "$work/program" >"$work/said" 2>&1 || { cat "$work/said"; echo "barriers: a test fails with every barrier in its place, with seed $seed"; exit 1; }
done
barriers=$(grep -rnE '__sync(threads|warp)\(' include --include='*.cuh' | cut -d: -f1,2)
printf '%s\n' "$barriers" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'removed "$0"' {}
echo "barriers: $(wc -l <<<"$barriers"), and each one is missed when it is gone"
