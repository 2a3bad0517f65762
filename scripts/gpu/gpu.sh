#!/usr/bin/env bash
# For a machine with an NVIDIA GPU: runs the cases of tests/cuda on the card itself, also under compute-sanitizer, and measures the cost of
# training there. With a CUDA toolkit it needs no network and no installed library: Eigen and doctest are also searched in
# build/third_party.
#
#   scripts/gpu/gpu.sh test|sanitize --out DIR [--seconds 450] [--each 60|120]
#                                              writes DIR/test.json or DIR/sanitize.json, described in scripts/gpu/cases.sh
#   scripts/gpu/gpu.sh bench --out DIR [--stage kernels|finetune|ways|peers|peers-b32|peers-8k|peers-64k|loss]
#                  [--seconds 450] [--each 120] [--slices 5] [--compile MODE] [--models minilm-l6,bert-base] [--turns FOLDER --parties N]
#                                              writes DIR/bench-kernels.json, and so on, described in bench/gpu/stages.py
#   scripts/gpu/gpu.sh bench --stage build         compiles all programs of bench, as many at once as there are cores, and measures nothing: it
#                                              can run at the same time as `test`, and a measurement waits for it
#   scripts/gpu/gpu.sh bench --out DIR --rehearse  the same on a CPU with small shapes, to check that everything works
#   scripts/gpu/gpu.sh build --target 90 --out PROGRAMS
#                                              on any machine with nvcc: compiles all of the above for GPUs of compute capability 9.0, so
#                                              that a GPU that is lent for minutes does not wait for a compiler. test, sanitize and bench
#                                              then take --programs PROGRAMS
#   scripts/gpu/gpu.sh --flags                     prints the compiler flags of the sources of bench/gpu, the same everywhere
#
# Figures are written as soon as they are measured. test, sanitize and each stage of bench take less than 8 minutes (--seconds; for test and
# sanitize this includes building the tests). Without --stage all stages of bench run one after the other; peers means its three stages. A
# run that exceeds its time exits with 4; called again with the same DIR it resumes where it stopped. Peers need torch and transformers in
# python3. If git does not know the commit, ENTRAIN_COMMIT names it. Contents of build/third_party for a machine that installs nothing:
#
#   mkdir -p build/third_party && cp -rL /usr/include/eigen3 /usr/include/doctest build/third_party
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
stop() { echo "gpu: $*" >&2; exit 1; }
flags="-std=c++20 -Iinclude -I. -DENTRAIN_COMPILED" # so that the sources read nothing that a machine with a GPU need not have
[ "${1:-}" != --flags ] || { echo "$flags"; exit; }
stage=${1:?which: build, test, sanitize or bench} out= benches= rehearse= options=() seconds=450 each= target= programs=
shift
while [ $# != 0 ]; do
  case $stage:$1 in
    *:--out) out=${2:?gpu: --out names a folder}; shift 2 ;;
    build:--target) target=${2:?gpu: --target wants a compute capability without its point, such as 90}; shift 2 ;;
    test:--programs | sanitize:--programs | bench:--programs) programs=${2:?gpu: --programs names a folder that build wrote}; shift 2 ;;
    test:--seconds | sanitize:--seconds) seconds=${2:?gpu: --seconds wants a number}; shift 2 ;;
    test:--each | sanitize:--each) each=${2:?gpu: --each wants a number of seconds}; shift 2 ;;
    bench:--stage) benches=${2:?gpu: --stage names one of bench}; shift 2 ;;
    bench:--seconds | bench:--each | bench:--slices | bench:--compile | bench:--models | bench:--turns | bench:--parties) options+=("$1" "${2:?"gpu: $1 wants a value"}"); shift 2 ;;
    bench:--rehearse) rehearse=yes; shift ;;
    build:*) stop "$1: expected --target and --out" ;;
    *) stop "$1: expected --out DIR, --programs$(case $stage in bench) echo ", --stage, --seconds, --each, --slices, --compile, --models, --turns, --parties or --rehearse" ;; *) echo ", --seconds or --each" ;; esac)" ;;
  esac
done
case $stage in build | test | sanitize | bench) ;; *) stop "$stage: expected build, test, sanitize or bench" ;; esac
[ -n "$out" ] || [ "$stage:$benches" = bench:build ] || stop "expected --out DIR, the folder for the figures"
peers="peers-b32 peers-8k peers-64k"
case $benches in
  '') benches="kernels finetune ways $peers loss" ;;
  peers) benches=$peers ;;
  build | kernels | finetune | ways | peers-b32 | peers-8k | peers-64k | loss) ;;
  *) stop "--stage $benches: expected build, kernels, finetune, ways, peers, peers-b32, peers-8k, peers-64k or loss" ;;
esac
[ -z "$out" ] || mkdir -p "$out"
export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
commit=${ENTRAIN_COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}
# hash_of FOLDER ...: the hash of all files there
hash_of() { find "$@" -type f -not -path '*/__pycache__/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16; }
bench_sources=(include src/{batch,tensor,text,decompress}.cpp bench/gpu/*.{cu,cuh,hpp} bench/slices/slices.hpp scripts/gpu/programs.sh)
bench_hash=$(hash_of "${bench_sources[@]}" bench/gpu/*.py bench/peers/gpu_*.py bench/peers/slices.py)

# bench_stages PROGRAMS OPTION ...: runs the stages that were asked for, one after the other
bench_stages() {
  local programs=$1 one failed=0
  command -v python3 >/dev/null || stop "python3 was not found; the benches need it"
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
      -DENTRAIN_BENCH_TINY "-DENTRAIN_BENCH_MODEL=${2:-Small}" -x c++ "bench/gpu/$1.cu" src/{batch,tensor,text,decompress}.cpp -rdynamic -ldl -lpthread \
      -o "$build/$1${2:+-${2,,}}" || stop "bench/gpu/$1.cu does not compile"
  }
  harness kernels
  harness finetune Small
  harness ways Small
  harness ways Light
  [ "$benches" != build ] || exit 0
  rm -rf $build/data
  python=python3
  [ ! -x build/venv-torch/bin/python ] || python=build/venv-torch/bin/python
  bench_stages $build --about card=none commit="$commit" sources="$bench_hash" --python $python --slices 2 --each 450 --memory-gib 100 --tiny
  exit
fi

if [ $stage = build ]; then
  case $target in 75 | 80 | 90) ;; *) stop "--target ${target:-is missing}: expected 75, 80 or 90, a compute capability without its point" ;; esac
  processor=x86-64-v3 # not this machine's, as the programs run on the GPU's machine
  [ "$(uname -m)" = x86_64 ] || processor=native
else
  card=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1) || true
  [ -n "$card" ] || stop "nvidia-smi finds no NVIDIA GPU"
  driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
  able=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
  target=75 processor=native
  [ "$able" -lt 80 ] || target=80
  [ "$able" -lt 90 ] || [ "$able" -ge 120 ] || target=90 # 12.x has the shared memory of 8.9
fi
number=$target lacks=
[ "$number" != 75 ] || lacks=-DENTRAIN_TEST_WITHOUT_BF16
test_tree=(include tests/cuda/{cases,*.cu,*.cuh,*.cpp,*.hpp} tests/main.cpp src/{batch,tensor,text,decompress}.cpp scripts/gpu/programs.sh)

nvcc=$(scripts/gpu/find_nvcc.sh)
if [ -z "$nvcc" ] && [ -z "$programs" ]; then
  scripts/gpu/fetch_cuda_toolkit.sh || exit 1
  nvcc=$(scripts/gpu/find_nvcc.sh)
fi
root= toolkit= libraries= places=() found=()
if [ -n "$nvcc" ]; then
  nvcc=$(readlink -f "$nvcc") # its parts are in the same folder
  PATH=$PATH:$(dirname "$nvcc")
  toolkit=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
  root=$(dirname "$(dirname "$nvcc")")
fi
# pip_cublas MAJOR: the folder of cuBLAS among python3's packages, which torch installs
pip_cublas() {
  local package one
  package=$(python3 -c 'import importlib.util as u; print(*(u.find_spec("nvidia") or type("", (), {"submodule_search_locations": []})).submodule_search_locations)' 2>/dev/null) || package=
  for one in $(for package in $package; do echo "$package/cu$1" "$package/cublas"; done); do
    ls "$one"/lib/libcublasLt.so.* >/dev/null 2>&1 && echo "$one" && return
  done
  return 1
}

if [ -n "$programs" ]; then # compiled elsewhere
  { read -r built_target && read -r toolkit && read -r test_made && read -r bench_made; } 2>/dev/null <"$programs/made" ||
    stop "--programs $programs: expected a folder that scripts/gpu/gpu.sh build wrote; it has no complete file 'made'"
  [ "$built_target" = "$number" ] || stop "--programs $programs: compiled for sm_$built_target, and $card needs --target $number"
  made=$test_made now=$(hash_of "${test_tree[@]}")
  [ $stage != bench ] || made=$bench_made now=$(hash_of "${bench_sources[@]}")
  [ "$made" = "$now" ] || stop "--programs $programs: compiled from other sources; run scripts/gpu/gpu.sh build again"
  for one in "$root"/lib64 "$root"/lib "$root"/targets/*-linux/lib; do
    [ ! -e "$one/libcublasLt.so.${toolkit%%.*}" ] || { libraries=$one; break; }
  done
  [ -n "$libraries" ] || ! one=$(pip_cublas "${toolkit%%.*}") || libraries=$one/lib
  export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  missing=$(ldd "$programs/tests" 2>/dev/null | grep 'not found' | tr -s '\t ' ' ') || true
  [ -z "$missing" ] || stop "--programs $programs: libraries of CUDA $toolkit are missing:$missing"
else
  for place in "$root"/lib64 "$root"/lib "$root"/targets/*-linux/lib "$(dirname "$(g++ -print-file-name=libcublasLt.so)")"; do
    [ ! -e "$place/libcublasLt.so" ] || { libraries=$place; break; }
    [ "$place" = . ] || places+=("$place")
  done
  headers() { nvcc "$@" -x cu -E - <<<'#include <cublasLt.h>' >/dev/null 2>&1; }
  if [ -z "$libraries" ] || ! headers; then # cuBLAS without the name that the linker searches
    if one=$(pip_cublas "${toolkit%%.*}") && [ -e "$one/include/cublasLt.h" ]; then
      linked_here=build/gpu-cublas
      rm -rf $linked_here && mkdir -p $linked_here
      library=$(ls "$one"/lib/libcublasLt.so.* | head -n 1)
      ln -s "$library" $linked_here/libcublasLt.so
      cp "$one"/include/cublas*.h $linked_here/ # only these: other headers there may be of another version than nvcc
      libraries=$linked_here found=("-I$linked_here" -Xlinker "-rpath=$one/lib")
    fi
  fi
  [ -n "$libraries" ] || stop "libcublasLt.so was not found: cuBLAS of CUDA $toolkit with its development files;" \
    "looked for in ${places[*]}, where g++ looks, and among python3's packages"
  headers "${found[@]}" ||
    stop "cublasLt.h was not found: cuBLAS of CUDA $toolkit with its development files; searched the folders of nvcc, $root" \
      "(include, targets/*/include), where g++ looks, and among python3's packages"
  found+=(-L"$libraries" -Xlinker "-rpath=$libraries") # a toolkit that is not the system's: programs find its libraries there
fi
[ $stage != sanitize ] || command -v compute-sanitizer >/dev/null ||
  stop "compute-sanitizer was not found; install the complete CUDA toolkit, 12.4 or newer (the one from pip lacks it)"

include="-Iinclude -I. -Ibuild/gpu-cublas -isystem build/third_party -isystem build/third_party/eigen3 -isystem /usr/include/eigen3"
linked=${found[*]}
export number lacks processor include flags linked
# shellcheck source=scripts/gpu/programs.sh
. scripts/gpu/programs.sh
# build_benches FOLDER STAGE ...
build_benches() {
  bench_programs "${@:2}" | missing_in "$1" | sed "s#^#$1 #" | # xargs joins a line that ends in a blank with the next one
    sed 's/ *$//' | xargs -r -P "$(nproc)" -L 1 bash -c 'bench_program "$@"' - || stop "the benches do not compile"
}
# build_tests FOLDER
build_tests() {
  g++ -std=c++20 $include -x c++ -E - <<<$'#include <Eigen/Core>\n#include <doctest/doctest.h>' >/dev/null 2>&1 ||
    stop "Eigen or doctest was not found: install libeigen3-dev and doctest-dev, or copy them to build/third_party" \
      "(see the first lines of scripts/gpu/gpu.sh)"
  mkdir -p "$1/objects"
  test_sources | xargs -P "$(nproc)" -I{} bash -c 'test_object "$1" "$0/objects"' "$1" {} || stop "the tests do not compile"
  nvcc "$1"/objects/*.o -lcublasLt "${found[@]}" -o "$1/tests" || stop "the tests do not link"
}

if [ $stage = build ]; then
  begin=$SECONDS
  rm -rf "${out:?}"/{made,objects,tests,kernels,ways-*,finetune-*}
  [ "$number" = 75 ] || build_benches "$out" build # as the benches train in bf16
  build_tests "$out"
  rm -r "$out/objects"
  printf '%s\n' "$number" "$toolkit" "$(hash_of "${test_tree[@]}")" "$(hash_of "${bench_sources[@]}")" >"$out/made"
  echo "gpu: built for sm_$number in $((SECONDS - begin)) s"
  exit
fi

# The stages are called one by one; programs of the same sources and tools are not built again.
build=${programs:-build/gpu}
[ $stage != bench ] || build=${programs:-build/gpu-bench}
same() { # SOURCE ...: whether $build was made from these sources, with the same tools
  sources=$(hash_of "$@")
  [ -z "$programs" ] || return 0
  made="$sources $number $(nvcc --version; g++ --version; grep -m 1 ^flags /proc/cpuinfo || true)"
  mkdir -p $build
  [ "$made" = "$(cat $build/made 2>/dev/null)" ] || { rm -rf $build; mkdir -p $build; return 1; }
}
built() {
  echo "gpu: built for sm_$number in $((SECONDS - begin)) s"
  echo "$made" >$build/made
}

if [ $stage = bench ]; then
  [ $number != 75 ] || stop "$card has no bf16, which the benches train in; they need compute capability 8.0 or newer"
  if [ -z "$programs" ]; then
    mkdir -p build
    exec 9>$build.lock
    ! command -v flock >/dev/null || flock 9 # another call may be building
    same "${bench_sources[@]}" || true # the weights in $build/data then stay, too
    echo "$made" >$build/made
    begin=$SECONDS
    build_benches $build $benches
    echo "gpu: built for sm_$number in $((SECONDS - begin)) s"
    exec 9>&-
  fi
  [ "$benches" != build ] || exit 0
  mib=$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits | head -n 1)
  bench_stages $build --about "card=$card" "driver=$driver" "toolkit=$toolkit" "commit=$commit" "sources=$bench_hash" "target=sm_$number" \
    --memory-gib $((mib / 1024))
  exit
fi

if ! same "${test_tree[@]}"; then
  begin=$SECONDS
  build_tests $build
  built
fi

case $stage in test) : "${each:=60}" ;; sanitize) : "${each:=120}" ;; esac
exec scripts/gpu/cases.sh $stage $build/tests "$out" $((seconds - SECONDS)) "$each" \
  "card=$card" "driver=$driver" "toolkit=$toolkit" "commit=$commit" "sources=$sources" "target=sm_$number"
