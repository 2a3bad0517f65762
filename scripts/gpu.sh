#!/usr/bin/env bash
# On a machine with an NVIDIA GPU: the cases of tests/cuda on the card itself, also under compute-sanitizer. No network is
# needed, and no installed library: Eigen and doctest are looked for in build/third_party too.
#
#   scripts/gpu.sh test|sanitize --out DIR     writes DIR/test.json, or DIR/sanitize.json
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
stop() { echo "gpu: $*" >&2; exit 1; }
stage=${1:?which: test or sanitize} out=
shift
while [ $# != 0 ]; do
  case $1 in
    --out) out=${2:?gpu: --out names a folder}; shift 2 ;;
    *) stop "$1: expected --out DIR" ;;
  esac
done
case $stage in test | sanitize) ;; *) stop "$stage: expected test or sanitize" ;; esac
[ -n "$out" ] || stop "expected --out DIR, the folder for the figures"
mkdir -p "$out"
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || stop "nvcc is not there; install the CUDA toolkit, 12.4 or newer"

card=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1) || true
[ -n "$card" ] || stop "there is no NVIDIA GPU here that nvidia-smi knows of"
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
toolkit=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
able=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
number=75 lacks=-DENTRAIN_TEST_WITHOUT_BF16
[ "$able" -lt 80 ] || { number=80 lacks=; }
[ "$able" -lt 90 ] || number=90

build=build/gpu
mkdir -p $build
export number lacks build
one() { # SOURCE
  local object=$build/$(basename "$1").o include="-Iinclude -I. -isystem build/third_party -isystem build/third_party/eigen3 -isystem /usr/include/eigen3"
  case $1 in
    *.cu) nvcc -std=c++20 -O2 $include $lacks -DENTRAIN_SEPARATE "-DENTRAIN_TEST_TARGET=Sm$number" -diag-suppress 20013,20015 \
      -Xcompiler -Wno-unknown-pragmas -lineinfo -gencode "arch=compute_$number,code=[sm_$number,compute_$number]" -c "$1" -o "$object" ;;
    src/*) g++ -std=c++20 -O2 -Iinclude -DENTRAIN_SEPARATE -c "$1" -o "$object" ;;
    *) g++ -std=c++20 -O2 -march=native $include $lacks -DEIGEN_DONT_PARALLELIZE -DDOCTEST_CONFIG_SUPER_FAST_ASSERTS -c "$1" -o "$object" ;;
  esac
}
export -f one
begin=$SECONDS
# Long ones first.
printf '%s\n' tests/cuda/{trainer,crf}.cu tests/cuda/*.cu tests/cuda/*_test.cpp tests/main.cpp src/parts_text.cpp | awk '!seen[$0]++' |
  xargs -P "$(nproc)" -I{} bash -c 'one "$0"' {} || stop "the tests do not compile"
nvcc $build/*.o -lcublasLt -o $build/tests
echo "gpu: built for sm_$number in $((SECONDS - begin)) s"

# record FILE NAME PASSED SECONDS WORDS: a line of figures
quoted() { python3 -c 'import json, sys; print(json.dumps(sys.stdin.read()))' 2>/dev/null || sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/ /g' | awk 'BEGIN { printf "\"" } { printf "%s\\n", $0 } END { print "\"" }'; }
results=()
run() { # NAME COMMAND ...
  local name=$1 begin=$SECONDS passed=true said
  said=$(mktemp)
  "${@:2}" >"$said" 2>&1 || passed=false
  tail -n 15 "$said"
  results+=("{\"name\": \"$name\", \"passed\": $passed, \"seconds\": $((SECONDS - begin)), \"said\": $(tail -n 40 "$said" | quoted)}")
  rm -f "$said"
  # Written as it goes: what runs out of time has left what it found.
  { printf '{"card": "%s", "driver": "%s", "toolkit": "%s", "commit": "%s", "target": "sm_%s", "results": [\n  ' \
      "$card" "$driver" "$toolkit" "$commit" "$number"
    local IFS=$'\x01'; printf '%s' "${results[*]}" | sed 's/\x01/,\n  /g'; printf '\n]}\n'; } >"$out/$stage.json"
  [ $passed = true ]
}
failed=0
case $stage in
  test) run tests $build/tests --no-intro || failed=1 ;;
  sanitize)
    for tool in memcheck racecheck initcheck synccheck; do
      run $tool timeout 110 compute-sanitizer --tool $tool --error-exitcode 9 --print-limit 5 $build/tests --no-intro -tce="a trainer*" || failed=1
    done ;;
esac
exit $failed
