#!/usr/bin/env bash
# Feeds the readers with broken input, under the address and undefined behaviour sanitizers. tests/fuzz/NAME.cpp states what must hold;
# tests/fuzz/seeds/NAME are the initial inputs. A line `// flags: ...` in NAME.cpp is for the compiler.
#
#   scripts/fuzz.sh [--seconds N | --runs N] [NAME ...]      without names, all of them; 20 seconds each
#
# FUZZ_TIMEOUT: seconds of wall time for an input (10; set more if the fuzzers are suspended now and then).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
limit=-max_total_time=20
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) limit=-max_total_time=$2; shift 2 ;;
    --runs) limit=-runs=$2; shift 2 ;;
    -*) echo "fuzz: there is no option $1"; exit 2 ;;
    *) break ;;
  esac
done
[ $# != 0 ] || set -- $(cd tests/fuzz && ls -- *.cpp | sed 's/\.cpp$//')
compiler=${FUZZ_CXX:-clang++-19} work=build/fuzz
command -v "$compiler" >/dev/null || { echo "fuzz: $compiler is not there; install clang-19 and libclang-rt-19-dev"; exit 1; }
mkdir -p "$work"
export limit work compiler

one() {
  local name=$1 code=0 flags
  read -ra flags <<<"$(sed -n 's|^// flags: ||p' "tests/fuzz/$name.cpp")"
  "$compiler" -std=c++20 -O1 -g1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Iinclude \
    "tests/fuzz/$name.cpp" "${flags[@]}" -o "$work/$name" || { echo "fuzz: $name does not compile"; return 1; }
  mkdir -p "$work/corpus-$name"
  "$work/$name" "$work/corpus-$name" "tests/fuzz/seeds/$name" "$limit" -max_len=4096 -timeout="${FUZZ_TIMEOUT:-10}" -rss_limit_mb=2048 \
    -seed=1 -print_final_stats=1 -artifact_prefix="$work/$name-" >"$work/$name.log" 2>&1 || code=$?
  local runs; runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$name.log")
  [ $code = 0 ] && { echo "fuzz: $name: $runs inputs, nothing found"; return; }
  grep -m1 -E 'ERROR|runtime error|deadly' "$work/$name.log" || true
  grep -E '^ +#[0-9]+ .* in .*entrain|tests/fuzz' "$work/$name.log" | head -n 8
  local input; input=$(ls -t "$work/$name"-* | head -n 1)
  echo "fuzz: $name: a finding (the input: $input; the first 3,000 bytes in base64, $(head -c 3000 "$input" | base64 -w 0))"
  return 1
}
export -f one
printf '%s\n' "$@" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'one "$0"' {}
