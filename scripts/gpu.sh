#!/usr/bin/env bash
# On a machine with an NVIDIA GPU: the cases of tests/cuda on the card itself, also under compute-sanitizer; and what
# training costs there. Where there is a CUDA toolkit, no network is needed, and no installed library: Eigen and doctest are
# looked for in build/third_party too.
#
#   scripts/gpu.sh test --out DIR              writes DIR/test.json and DIR/test.log
#   scripts/gpu.sh sanitize --out DIR [--seconds 100]
#                                              writes sanitize.json and sanitize.log; --seconds bounds each of the four tools
#   scripts/gpu.sh bench --out DIR [--stage kernels|finetune|ways|peers|peers-b32|peers-8k|peers-64k|loss]
#                  [--seconds 450] [--slices 5] [--compile MODE]
#                                              writes DIR/bench-kernels.json, and so on: bench/gpu/stages.py says what
#   scripts/gpu.sh bench --out DIR --rehearse  the same on a processor with small shapes, to see that everything works
#   scripts/gpu.sh --flags                     prints what sources of bench/gpu are compiled with everywhere
#
# Figures are written as they come. Each stage of bench takes less than 8 minutes (--seconds); without --stage all follow each
# other. peers are its three. A stage that ran out of time exits with 4; called again with the same DIR it goes on where it stopped.
# Each test runs in a process of its own, a minute at most. Peers want torch and transformers in python3. Where git does not know
# the commit, ENTRAIN_COMMIT names it. What is put into build/third_party, for a machine that installs nothing:
#
#   mkdir -p build/third_party && cp -rL /usr/include/eigen3 /usr/include/doctest build/third_party
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
stop() { echo "gpu: $*" >&2; exit 1; }
flags="-std=c++20 -Iinclude -I. -DENTRAIN_SEPARATE" # so nothing is read that a machine with a GPU need not have
[ "${1:-}" != --flags ] || { echo "$flags"; exit; }
stage=${1:?which: test, sanitize or bench} out= benches= rehearse= options=() seconds=100
shift
while [ $# != 0 ]; do
  case $stage:$1 in
    *:--out) out=${2:?gpu: --out names a folder}; shift 2 ;;
    sanitize:--seconds) seconds=${2:?gpu: --seconds wants a number}; shift 2 ;;
    bench:--stage) benches=${2:?gpu: --stage names one of bench}; shift 2 ;;
    bench:--seconds | bench:--slices | bench:--compile) options+=("$1" "${2:?"gpu: $1 wants a value"}"); shift 2 ;;
    bench:--rehearse) rehearse=yes; shift ;;
    *) stop "$1: expected --out DIR$(case $stage in bench) echo ", --stage, --seconds, --slices, --compile or --rehearse" ;; sanitize) echo " or --seconds" ;; esac)" ;;
  esac
done
case $stage in test | sanitize | bench) ;; *) stop "$stage: expected test, sanitize or bench" ;; esac
[ -n "$out" ] || stop "expected --out DIR, the folder for the figures"
peers="peers-b32 peers-8k peers-64k"
case $benches in
  '') benches="kernels finetune ways $peers loss" ;;
  peers) benches=$peers ;;
  kernels | finetune | ways | peers-b32 | peers-8k | peers-64k | loss) ;;
  *) stop "--stage $benches: expected kernels, finetune, ways, peers, peers-b32, peers-8k, peers-64k or loss" ;;
esac
mkdir -p "$out"
export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
commit=${ENTRAIN_COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}
# hash_of FOLDER ...: of what is written there
hash_of() { find "$@" -type f -not -path '*/__pycache__/*' -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16; }
bench_sources=(include src/parts_{batch,text,unpack}.cpp bench/gpu/*.{cu,cuh,hpp} bench/slices/slices.hpp scripts/gpu.sh)
bench_hash=$(hash_of "${bench_sources[@]}" bench/gpu/*.py bench/peers/gpu_*.py bench/peers/slices.py)

# bench_stages PROGRAMS OPTION ...: those that were asked for, in turn
bench_stages() {
  local programs=$1 one failed=0
  command -v python3 >/dev/null || stop "python3 is not there; the benches want it"
  for one in $benches; do
    echo "gpu: $one"
    python3 bench/gpu/stages.py "$one" --out "$out" --programs "$programs" --data "$programs/data" "${@:2}" "${options[@]}" || failed=$?
  done
  return $failed
}
if [ -n "$rehearse" ]; then
  build=build/gpu-rehearsal
  mkdir -p $build
  harness() { # SOURCE [MODEL]: a program for the host harness
    g++ -Itests/cuda_on_cpu/shim $flags -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror \
      -DENTRAIN_BENCH_TINY "-DENTRAIN_BENCH_MODEL=${2:-Small}" -x c++ "bench/gpu/$1.cu" src/parts_{batch,text,unpack}.cpp -rdynamic -ldl -lpthread \
      -o "$build/$1${2:+-${2,,}}" || stop "bench/gpu/$1.cu does not compile"
  }
  harness kernels
  harness finetune Small
  harness ways Small
  harness ways Light
  rm -rf $build/data
  python=python3
  [ ! -x build/venv-torch/bin/python ] || python=build/venv-torch/bin/python
  bench_stages $build --about card=none commit="$commit" sources="$bench_hash" --python $python --slices 2 --memory-gib 100 --tiny
  exit
fi

card=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1) || true
[ -n "$card" ] || stop "there is no NVIDIA GPU here that nvidia-smi knows of"
nvcc=$(scripts/find_nvcc.sh)
if [ -z "$nvcc" ]; then
  scripts/fetch_cuda_toolkit.sh || exit 1
  nvcc=$(scripts/find_nvcc.sh)
fi
nvcc=$(readlink -f "$nvcc") # what it is made of lies beside it
PATH=$PATH:$(dirname "$nvcc")
toolkit=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
root=$(dirname "$(dirname "$nvcc")") libraries= places=()
for place in "$root"/lib64 "$root"/lib "$root"/targets/*-linux/lib "$(dirname "$(g++ -print-file-name=libcublasLt.so)")"; do
  [ ! -e "$place/libcublasLt.so" ] || { libraries=$place; break; }
  [ "$place" = . ] || places+=("$place")
done
headers() { nvcc "$@" -x cu -E - <<<'#include <cublasLt.h>' >/dev/null 2>&1; }
found=()
if [ -z "$libraries" ] || ! headers; then # python3 may have the package that torch brings along: cuBLAS without the linker's name
  package=$(python3 -c 'import importlib.util as u; print(*(u.find_spec("nvidia") or type("", (), {"submodule_search_locations": []})).submodule_search_locations)' 2>/dev/null) || package=
  for place in $package; do
    for one in "$place"/cu"${toolkit%%.*}" "$place"/cublas; do
      library=$(ls "$one"/lib/libcublasLt.so.* 2>/dev/null | head -n 1)
      [ -n "$library" ] && [ -e "$one/include/cublasLt.h" ] || continue
      rm -rf build/gpu-cublas && mkdir -p build/gpu-cublas
      ln -s "$library" build/gpu-cublas/libcublasLt.so
      cp "$one"/include/cublas*.h build/gpu-cublas/ # alone: what lies beside them may be of another version than nvcc
      libraries=build/gpu-cublas found=(-Ibuild/gpu-cublas -Xlinker "-rpath=$one/lib")
      break 2
    done
  done
fi
[ -n "$libraries" ] || stop "libcublasLt.so is not there, cuBLAS of CUDA $toolkit with what is for developers;" \
  "looked for in ${places[*]}, where g++ looks, and among python3's packages"
headers "${found[@]}" ||
  stop "cublasLt.h is not there, cuBLAS of CUDA $toolkit with what is for developers; looked for where nvcc looks, in $root" \
    "(include, targets/*/include), where g++ looks, and among python3's packages"
found+=(-L"$libraries" -Xlinker "-rpath=$libraries") # a toolkit that is not the system's: programs find its libraries there
[ $stage != sanitize ] || command -v compute-sanitizer >/dev/null ||
  stop "compute-sanitizer is not there; install the CUDA toolkit whole, 12.4 or newer (that of pip has none)"
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
able=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
number=75 lacks=-DENTRAIN_TEST_WITHOUT_BF16
[ "$able" -lt 80 ] || { number=80 lacks=; }
[ "$able" -lt 90 ] || [ "$able" -ge 120 ] || number=90 # 12.x has the shared memory of 8.9

# Stages are called one by one: what was built of the same by the same is not built again.
same() { # SOURCE ...: whether $build was made so
  sources=$(hash_of "$@") made="$sources $number $(nvcc --version; g++ --version; grep -m 1 ^flags /proc/cpuinfo || true)"
  mkdir -p $build
  [ "$made" = "$(cat $build/made 2>/dev/null)" ] || { rm -rf $build; mkdir -p $build; return 1; }
}
built() {
  echo "gpu: built for sm_$number in $((SECONDS - begin)) s"
  echo "$made" >$build/made
}

if [ $stage = bench ]; then
  [ $number != 75 ] || stop "$card has no bf16, which the benches train in; they want compute capability 8.0 or newer"
  build=build/gpu-bench
  linked=${found[*]}
  export number build flags linked
  program() { # SOURCE NAME [MODEL]
    nvcc $flags -O2 "-DENTRAIN_TARGET=Sm$number" ${3:+"-DENTRAIN_BENCH_MODEL=$3"} -diag-suppress 20013,20015 \
      -Xcompiler -Wno-unknown-pragmas -lineinfo -gencode "arch=compute_$number,code=[sm_$number,compute_$number]" "bench/gpu/$1.cu" \
      src/parts_{batch,text,unpack}.cpp -lcublasLt $linked -o "$build/$2"
  }
  export -f program
  same "${bench_sources[@]}" || true # then the weights in $build/data stay, too
  echo "$made" >$build/made
  begin=$SECONDS
  for one in $benches; do
    case $one in
      kernels) echo "kernels kernels" ;;
      ways) printf '%s\n' "ways ways-minilm-l6 MiniLmL6" "ways ways-light Light" ;;
      *) printf '%s\n' "finetune finetune-minilm-l6 MiniLmL6" "finetune finetune-bert-base BertBase" ;;
    esac
  done | sort -u | while read -r source name model; do
    [ -e "$build/$name" ] || echo "$source $name $model"
  done | xargs -r -P "$(nproc)" -L 1 bash -c 'program "$@"' - || stop "the benches do not compile"
  echo "gpu: built for sm_$number in $((SECONDS - begin)) s"
  mib=$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits | head -n 1)
  bench_stages $build --about "card=$card" "driver=$driver" "toolkit=$toolkit" "commit=$commit" "sources=$bench_hash" "target=sm_$number" \
    --memory-gib $((mib / 1024))
  exit
fi

build=build/gpu
include="-Iinclude -I. -Ibuild/gpu-cublas -isystem build/third_party -isystem build/third_party/eigen3 -isystem /usr/include/eigen3"
export number lacks build include
g++ -std=c++20 $include -x c++ -E - <<<$'#include <Eigen/Core>\n#include <doctest/doctest.h>' >/dev/null 2>&1 ||
  stop "Eigen or doctest is not there: install libeigen3-dev and doctest-dev, or bring them along in build/third_party" \
    "(the first lines of scripts/gpu.sh say how)"
one() { # SOURCE
  local object=$build/$(basename "$1").o
  case $1 in
    *.cu) nvcc -std=c++20 -O2 $include $lacks -DENTRAIN_SEPARATE "-DENTRAIN_TEST_TARGET=Sm$number" -diag-suppress 20013,20015 \
      -Xcompiler -Wno-unknown-pragmas -lineinfo -gencode "arch=compute_$number,code=[sm_$number,compute_$number]" -c "$1" -o "$object" ;;
    src/*) g++ -std=c++20 -O2 -Iinclude -DENTRAIN_SEPARATE -c "$1" -o "$object" ;;
    *) g++ -std=c++20 -O2 -march=native $include $lacks -DEIGEN_DONT_PARALLELIZE -DDOCTEST_CONFIG_SUPER_FAST_ASSERTS -c "$1" -o "$object" ;;
  esac
}
export -f one
if ! same include tests/cuda tests/main.cpp src/parts_{batch,text,unpack}.cpp scripts/gpu.sh; then
  begin=$SECONDS
  # Long ones first.
  printf '%s\n' tests/cuda/{precisions,trainer,crf}.cu tests/cuda/*.cu tests/cuda/*_test.cpp tests/main.cpp src/parts_{batch,text,unpack}.cpp | awk '!seen[$0]++' |
    xargs -P "$(nproc)" -I{} bash -c 'one "$0"' {} || stop "the tests do not compile"
  nvcc $build/*.o -lcublasLt "${found[@]}" -o $build/tests
  built
fi

quoted() { python3 -c 'import json, sys; print(json.dumps(sys.stdin.read()))' 2>/dev/null || sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/ /g' | awk 'BEGIN { printf "\"" } { printf "%s\\n", $0 } END { print "\"" }'; }
log=$out/$stage.log results=() failed=0
: >"$log"
# finds: whether a sanitizer found something, by what it said. That it could not see the end of what was cut off is no finding.
finds() { grep -E '^=+ *(Invalid|Error|Race|Barrier|Uninitialized)' | grep -vE "process didn't terminate successfully|couldn't find exit code" >/dev/null; }
# run NAME SECONDS COMMAND ...: a row of figures, and all that was said in the log. Both are written as it goes: what runs out of
# time, or takes the GPU along, has left what it found.
run() {
  local name=$1 begin=$SECONDS result=passed status=0 from said=
  echo "== $name" >>"$log"
  from=$(wc -c <"$log")
  timeout -k 5 "$2" "${@:3}" >>"$log" 2>&1 || status=$?
  if [ $status = 0 ]; then
    :
  elif [ $((SECONDS - begin)) -ge "$2" ] && ! tail -c +$((from + 1)) "$log" | finds; then
    result="out of time"
    [ $failed = 1 ] || failed=4
  else
    result=failed failed=1
  fi
  echo "gpu: $name: $result, $((SECONDS - begin)) s"
  [ $status = 0 ] || { said=$(tail -c +$((from + 1)) "$log" | tail -n 40); tail -n 15 <<<"$said"; }
  results+=("{\"name\": $(printf %s "$name" | quoted), \"result\": \"$result\", \"status\": $status, \"seconds\": $((SECONDS - begin)), \"said\": $(printf %s "$said" | quoted)}")
  { printf '{"card": "%s", "driver": "%s", "toolkit": "%s", "commit": "%s", "sources": "%s", "target": "sm_%s", "results": [\n  ' \
      "$card" "$driver" "$toolkit" "$commit" "$sources" "$number"
    local IFS=$'\x01'; printf '%s' "${results[*]}" | sed 's/\x01/,\n  /g'; printf '\n]}\n'; } >"$out/$stage.json"
}
case $stage in
  test)
    # One process a case: an error that the GPU does not get over stays in it.
    mapfile -t names < <($build/tests --no-intro --list-test-cases | grep -vE '^(\[doctest\]|=+$)')
    count=$($build/tests --no-intro --count | sed -n 's/.*: *\([0-9]*\)$/\1/p')
    # Who has the card open keeps the driver from closing it behind each process, which takes seconds.
    nvidia-smi -l 30 >/dev/null 2>&1 &
    trap "kill $! 2>/dev/null || true" EXIT
    [ "${#names[@]}" = "$count" ] || stop "the tests are $count, and their names ${#names[@]}"
    for ((i = 1; i <= count; i++)); do run "${names[i - 1]}" 60 $build/tests --no-intro --first=$i --last=$i; done
    echo "gpu: $count cases, $(printf '%s\n' "${results[@]}" | grep -c '"result": "passed"' || true) passed" ;;
  sanitize)
    # Not trainers, which take too long there, nor free memory, of which a sanitizer takes some.
    without="a trainer*,a transformer learns*,a tagger of hashed words learns*,the GPU's free memory*"
    known=$(compute-sanitizer --help 2>&1 || true)
    has() { grep -q -e "$1" <<<"$known"; }
    for tool in memcheck racecheck initcheck synccheck; do
      more=()
      case $tool in
        # What a call returns is looked at where it is called; that an event is not over yet is no error.
        memcheck) has --report-api-errors && more=(--report-api-errors no) ;;
        # Kernels of cuBLASLt and CUB are their own business, and take most of the time. CUDA 13 has a new name for the option.
        racecheck | synccheck)
          if has --kernel-name; then more=(--kernel-name kns=7entrain); elif has --kernel-regex; then more=(--kernel-regex kns=7entrain); fi ;;
      esac
      run $tool "$seconds" compute-sanitizer --tool $tool "${more[@]}" --error-exitcode 9 --print-limit 5 $build/tests --no-intro --duration=true -tce="$without"
    done ;;
esac
exit $failed
