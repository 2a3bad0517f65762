#!/usr/bin/env bash
# On a machine with an NVIDIA GPU: the cases of tests/cuda on the card itself, also under compute-sanitizer; and what
# training costs there. Where there is a CUDA toolkit, no network is needed, and no installed library: Eigen and doctest are
# looked for in build/third_party too.
#
#   scripts/gpu.sh test|sanitize --out DIR     writes DIR/test.json, or DIR/sanitize.json
#   scripts/gpu.sh bench --out DIR [--stage kernels|finetune|peers|peers-b32|peers-8k|peers-64k|loss] [--compile MODE]
#                                              writes DIR/bench-kernels.json, and so on: bench/gpu/stages.py says what
#   scripts/gpu.sh bench --out DIR --rehearse  the same on a processor with small shapes, to see that everything works
#
# Each stage of bench takes less than 8 minutes; without --stage all follow each other. peers are its three. A stage that ran out
# of time exits with 4 and goes on where it stopped when it is called again. Peers want torch and transformers in python3.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
stop() { echo "gpu: $*" >&2; exit 1; }
stage=${1:?which: test, sanitize or bench} out= benches= rehearse= tuned=()
shift
while [ $# != 0 ]; do
  case $stage:$1 in
    *:--out) out=${2:?gpu: --out names a folder}; shift 2 ;;
    bench:--stage) benches=${2:?gpu: --stage names one of bench}; shift 2 ;;
    bench:--compile) tuned=(--compile "${2:?gpu: --compile is a mode of torch.compile}"); shift 2 ;;
    bench:--rehearse) rehearse=yes; shift ;;
    *) stop "$1: expected --out DIR$([ "$stage" != bench ] || echo ", --stage, --compile or --rehearse")" ;;
  esac
done
case $stage in test | sanitize | bench) ;; *) stop "$stage: expected test, sanitize or bench" ;; esac
[ -n "$out" ] || stop "expected --out DIR, the folder for the figures"
peers="peers-b32 peers-8k peers-64k"
case $benches in
  '') benches="kernels finetune $peers loss" ;;
  peers) benches=$peers ;;
  kernels | finetune | peers-b32 | peers-8k | peers-64k | loss) ;;
  *) stop "--stage $benches: expected kernels, finetune, peers, peers-b32, peers-8k, peers-64k or loss" ;;
esac
mkdir -p "$out"
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)

# bench_stages PROGRAMS OPTION ...: those that were asked for, in turn
bench_stages() {
  local programs=$1 one failed=0
  command -v python3 >/dev/null || stop "python3 is not there; the benches want it"
  for one in $benches; do
    echo "gpu: $one"
    python3 bench/gpu/stages.py "$one" --out "$out" --programs "$programs" --data "$programs/data" "${@:2}" "${tuned[@]}" || failed=$?
  done
  return $failed
}
if [ -n "$rehearse" ]; then
  build=build/gpu-rehearsal
  mkdir -p $build
  harness() { # SOURCE: a program for the host harness
    g++ -Itests/cuda_on_cpu/shim -std=c++20 -O1 -g1 -I. -Iinclude -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror \
      -DENTRAIN_BENCH_TINY -DENTRAIN_BENCH_MODEL=Small -x c++ "bench/gpu/$1.cu" -rdynamic -ldl -lpthread -o "$build/$1$2"
  }
  harness kernels '' || stop "bench/gpu/kernels.cu does not compile"
  harness finetune -small || stop "bench/gpu/finetune.cu does not compile"
  rm -rf $build/data
  python=python3
  [ ! -x build/venv-torch/bin/python ] || python=build/venv-torch/bin/python
  bench_stages $build --about card=none commit="$commit" --python $python --slices 2 --memory-gib 100 --tiny
  exit
fi

card=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1) || true
[ -n "$card" ] || stop "there is no NVIDIA GPU here that nvidia-smi knows of"
nvcc=$(scripts/find_nvcc.sh)
if [ -z "$nvcc" ]; then
  scripts/fetch_cuda_toolkit.sh || exit 1
  nvcc=$(scripts/find_nvcc.sh)
fi
PATH=$PATH:$(dirname "$nvcc")
[ $stage != sanitize ] || command -v compute-sanitizer >/dev/null ||
  stop "compute-sanitizer is not there; install the CUDA toolkit whole, 12.4 or newer (that of pip has none)"
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
toolkit=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
able=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
number=75 lacks=-DENTRAIN_TEST_WITHOUT_BF16
[ "$able" -lt 80 ] || { number=80 lacks=; }
[ "$able" -lt 90 ] || number=90

if [ $stage = bench ]; then
  [ $number != 75 ] || stop "$card has no bf16, which the benches train in; they want compute capability 8.0 or newer"
  build=build/gpu-bench
  mkdir -p $build
  export number build
  program() { # SOURCE NAME [MODEL]
    nvcc -std=c++20 -O2 -Iinclude -I. "-DENTRAIN_TARGET=Sm$number" ${3:+"-DENTRAIN_BENCH_MODEL=$3"} -diag-suppress 20013,20015 \
      -Xcompiler -Wno-unknown-pragmas -lineinfo -gencode "arch=compute_$number,code=[sm_$number,compute_$number]" "bench/gpu/$1.cu" \
      -lcublasLt -o "$build/$2"
  }
  export -f program
  # Stages are called one by one: what was built from the same sources is not built again, and its weights stay.
  sources=$(find include bench/gpu bench/slices scripts/gpu.sh -type f -print0 | sort -z | xargs -0 sha256sum; nvcc --version; echo "$number")
  if ! cmp -s <(echo "$sources") $build/sources; then
    rm -rf $build/data $build/sources
    begin=$SECONDS
    printf '%s\n' "kernels kernels" "finetune finetune-minilm-l6 MiniLmL6" "finetune finetune-bert-base BertBase" |
      xargs -P "$(nproc)" -L 1 bash -c 'program "$@"' - || stop "the benches do not compile"
    echo "gpu: built for sm_$number in $((SECONDS - begin)) s"
    echo "$sources" >$build/sources
  fi
  mib=$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits | head -n 1)
  bench_stages $build --about "card=$card" "driver=$driver" "toolkit=$toolkit" "commit=$commit" "target=sm_$number" \
    --memory-gib $((mib / 1024))
  exit
fi

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
printf '%s\n' tests/cuda/{precisions,trainer,crf}.cu tests/cuda/*.cu tests/cuda/*_test.cpp tests/main.cpp src/parts_text.cpp | awk '!seen[$0]++' |
  xargs -P "$(nproc)" -I{} bash -c 'one "$0"' {} || stop "the tests do not compile"
# A toolkit that is not the system's: the program finds its libraries there.
libraries=$(dirname "$(dirname "$nvcc")")/lib64 found=()
[ ! -e "$libraries/libcublasLt.so" ] || found=(-Xlinker "-rpath=$libraries")
nvcc $build/*.o -lcublasLt "${found[@]}" -o $build/tests
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
