#!/usr/bin/env bash
# Checks which headers bench/gpu includes when scripts/gpu/gpu.sh compiles it: only sources of this repository, headers of CUDA, of C++ and of
# the system. A machine with a GPU needs no other library. Only the preprocessor runs: g++ with the host harness in place of CUDA, and nvcc
# if it is installed. The three compiled parts that the programs link with need no other part: the script links them by themselves.
#
#   scripts/check/gpu_headers.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
read -ra flags <<<"$(scripts/gpu/gpu.sh --flags)"
nvcc=$(scripts/gpu/find_nvcc.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for source in bench/gpu/*.cu src/{batch,tensor,text,decompress}.cpp; do
  g++ -Itests/cuda_on_cpu/shim "${flags[@]}" -DENTRAIN_BENCH_MODEL=MiniLmL6 -M -x c++ "$source" >>"$work/read"
  [ -z "$nvcc" ] || "$nvcc" "${flags[@]}" -DENTRAIN_BENCH_MODEL=MiniLmL6 -M -x cu "$source" >>"$work/read"
done
# Entrain's files, by their paths relative to the repository. A header that they include in angle brackets is C++'s if it has no dot and no
# slash. zlib and zstd are included only if a macro is defined, and none is here.
tr -s ' \\' '\n' <"$work/read" | sed 's#^\./##' | grep -E '^(include|bench|src)/' | sort -u >"$work/ours"
mapfile -t ours <"$work/ours"
[ "${#ours[@]}" -gt 50 ] || { echo "gpu_headers: only ${#ours[@]} files were read"; exit 1; }
others=$(grep -nHE '^ *# *include *<' "${ours[@]}" | grep -vE '<([a-z_]+|(cublasLt|cuda_runtime)\.h|cub/[a-z_/]+\.cuh|([a-z]*intrin|dlfcn|fcntl|glob|sched|time|unistd|zlib|zstd|sys/[a-z]+)\.h)>' || true)
[ -z "$others" ] || { echo "gpu_headers: bench/gpu reads what a machine with a GPU need not have:"; echo "$others"; exit 1; }
g++ "${flags[@]}" -O1 -fPIC -shared -Wl,--no-undefined src/{batch,tensor,text,decompress}.cpp -o "$work/parts.so" ||
  { echo "gpu_headers: src/{batch,tensor,text,decompress}.cpp do not link without the other parts"; exit 1; }
echo "gpu_headers: ${#ours[@]} files of ours, and no library but CUDA${nvcc:+, by nvcc too}"
[ -n "$nvcc" ] || scripts/not_checked.sh gpu_headers "what nvcc would read, as it is not there; install the CUDA toolkit, 12.4 or newer"
