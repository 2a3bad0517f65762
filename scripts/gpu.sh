#!/usr/bin/env bash
# On a machine with an NVIDIA GPU: the cases of tests/cuda on the card itself, also under compute-sanitizer; and what
# training costs there. Where there is a CUDA toolkit, no network is needed, and no installed library: Eigen and doctest are
# looked for in build/third_party too.
#
#   scripts/gpu.sh test|sanitize --out DIR [--seconds 450] [--each 60|120]
#                                              writes DIR/test.json or DIR/sanitize.json: scripts/gpu_cases.sh says what
#   scripts/gpu.sh bench --out DIR [--stage kernels|finetune|ways|peers|peers-b32|peers-8k|peers-64k|loss]
#                  [--seconds 450] [--each 120] [--slices 5] [--compile MODE]
#                                              writes DIR/bench-kernels.json, and so on: bench/gpu/stages.py says what
#   scripts/gpu.sh bench --stage build         compiles all that bench wants, as many programs at once as there are cores, and measures
#                                              nothing: it can run beside `test`, and who measures waits for it
#   scripts/gpu.sh bench --out DIR --rehearse  the same on a processor with small shapes, to see that everything works
#   scripts/gpu.sh --flags                     prints what sources of bench/gpu are compiled with everywhere
#
# Figures are written as they come. test, sanitize and each stage of bench take less than 8 minutes (--seconds; in those of test and
# sanitize the tests are built, too); without --stage all of bench follow each other, and peers are its three. What ran out of time exits
# with 4; called again with the same DIR it goes on where it stopped. Peers want torch and transformers in python3. Where git does not
# know the commit, ENTRAIN_COMMIT names it. What is put into build/third_party, for a machine that installs nothing:
#
#   mkdir -p build/third_party && cp -rL /usr/include/eigen3 /usr/include/doctest build/third_party
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
stop() { echo "gpu: $*" >&2; exit 1; }
flags="-std=c++20 -Iinclude -I. -DENTRAIN_SEPARATE" # so nothing is read that a machine with a GPU need not have
[ "${1:-}" != --flags ] || { echo "$flags"; exit; }
stage=${1:?which: test, sanitize or bench} out= benches= rehearse= options=() seconds=450 each=
shift
while [ $# != 0 ]; do
  case $stage:$1 in
    *:--out) out=${2:?gpu: --out names a folder}; shift 2 ;;
    test:--seconds | sanitize:--seconds) seconds=${2:?gpu: --seconds wants a number}; shift 2 ;;
    test:--each | sanitize:--each) each=${2:?gpu: --each wants a number of seconds}; shift 2 ;;
    bench:--stage) benches=${2:?gpu: --stage names one of bench}; shift 2 ;;
    bench:--seconds | bench:--each | bench:--slices | bench:--compile) options+=("$1" "${2:?"gpu: $1 wants a value"}"); shift 2 ;;
    bench:--rehearse) rehearse=yes; shift ;;
    *) stop "$1: expected --out DIR$(case $stage in bench) echo ", --stage, --seconds, --each, --slices, --compile or --rehearse" ;; *) echo ", --seconds or --each" ;; esac)" ;;
  esac
done
case $stage in test | sanitize | bench) ;; *) stop "$stage: expected test, sanitize or bench" ;; esac
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
  [ "$benches" != build ] || exit 0
  rm -rf $build/data
  python=python3
  [ ! -x build/venv-torch/bin/python ] || python=build/venv-torch/bin/python
  bench_stages $build --about card=none commit="$commit" sources="$bench_hash" --python $python --slices 2 --each 450 --memory-gib 100 --tiny
  exit
fi

build=build/gpu
[ $stage != bench ] || build=build/gpu-bench
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
      rm -rf $build-cublas && mkdir -p $build-cublas
      ln -s "$library" $build-cublas/libcublasLt.so
      cp "$one"/include/cublas*.h $build-cublas/ # alone: what lies beside them may be of another version than nvcc
      libraries=$build-cublas found=("-I$build-cublas" -Xlinker "-rpath=$one/lib")
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
  linked=${found[*]}
  export number build flags linked
  program() { # SOURCE NAME [MODEL]
    nvcc $flags -O2 "-DENTRAIN_TARGET=Sm$number" ${3:+"-DENTRAIN_BENCH_MODEL=$3"} -diag-suppress 20013,20015 \
      -Xcompiler -Wno-unknown-pragmas -lineinfo -gencode "arch=compute_$number,code=[sm_$number,compute_$number]" "bench/gpu/$1.cu" \
      src/parts_{batch,text,unpack}.cpp -lcublasLt $linked -o "$build/$2.new" && mv "$build/$2.new" "$build/$2"
  }
  export -f program
  mkdir -p build
  exec 9>$build.lock
  ! command -v flock >/dev/null || flock 9 # another call may be building
  same "${bench_sources[@]}" || true # then the weights in $build/data stay, too
  echo "$made" >$build/made
  begin=$SECONDS
  for one in $benches; do
    case $one in
      kernels) echo "kernels kernels" ;;
      build) printf '%s\n' "kernels kernels" "ways ways-minilm-l6 MiniLmL6" "ways ways-light Light" \
        "finetune finetune-minilm-l6 MiniLmL6" "finetune finetune-bert-base BertBase" ;;
      ways) printf '%s\n' "ways ways-minilm-l6 MiniLmL6" "ways ways-light Light" ;;
      *) printf '%s\n' "finetune finetune-minilm-l6 MiniLmL6" "finetune finetune-bert-base BertBase" ;;
    esac
  done | sort -u | while read -r source name model; do
    [ -e "$build/$name" ] || echo "$source $name${model:+ $model}" # xargs goes on in the next line behind a blank
  done | xargs -r -P "$(nproc)" -L 1 bash -c 'program "$@"' - || stop "the benches do not compile"
  echo "gpu: built for sm_$number in $((SECONDS - begin)) s"
  exec 9>&-
  [ "$benches" != build ] || exit 0
  mib=$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits | head -n 1)
  bench_stages $build --about "card=$card" "driver=$driver" "toolkit=$toolkit" "commit=$commit" "sources=$bench_hash" "target=sm_$number" \
    --memory-gib $((mib / 1024))
  exit
fi

include="-Iinclude -I. -I$build-cublas -isystem build/third_party -isystem build/third_party/eigen3 -isystem /usr/include/eigen3"
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
if ! same include tests/cuda tests/main.cpp src/parts_{batch,text,unpack}.cpp scripts/gpu{,_cases}.sh; then
  begin=$SECONDS
  # Long ones first.
  printf '%s\n' tests/cuda/{precisions,trainer,crf}.cu tests/cuda/*.cu tests/cuda/*_test.cpp tests/main.cpp src/parts_{batch,text,unpack}.cpp | awk '!seen[$0]++' |
    xargs -P "$(nproc)" -I{} bash -c 'one "$0"' {} || stop "the tests do not compile"
  nvcc $build/*.o -lcublasLt "${found[@]}" -o $build/tests
  built
fi

case $stage in test) : "${each:=60}" ;; sanitize) : "${each:=120}" ;; esac
exec scripts/gpu_cases.sh $stage $build/tests "$out" $((seconds - SECONDS)) "$each" \
  "card=$card" "driver=$driver" "toolkit=$toolkit" "commit=$commit" "sources=$sources" "target=sm_$number"
