#!/usr/bin/env bash
# Checks that the sources use only what CUDA 12.4 offers: all of tests/cuda, bench/gpu and examples compile against its headers, and its
# ptxas accepts their kernels. pip has no nvcc of CUDA 12, so the compiler is clang 19. pip's package of CUB 12.4 lacks files, so CUB is
# that of 12.5. The script links and runs nothing. The headers and ptxas come from pip into build/cuda12 (410 MB to download, 50 MB stay);
# if they are unavailable: scripts/not_checked.sh.
#
#   scripts/check/cuda_12.sh [SOURCE ...]     without SOURCE: all of them
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
packages=(nvidia-cuda-runtime-cu12==12.4.127 nvidia-cublas-cu12==12.4.5.8 nvidia-cuda-nvcc-cu12==12.4.131 nvidia-cuda-cccl-cu12==12.5.39)
kit=build/cuda12
[ $# != 0 ] || set -- tests/cuda/*.cu bench/gpu/*.cu examples/*/main.cu
mkdir -p build
work=$(mktemp -d "$PWD/$kit.XXXXXX") # next to the kit: a complete kit is moved there in one step
trap 'rm -rf "$work"' EXIT

command -v clang++-19 >/dev/null || scripts/not_checked.sh cuda_12 "clang++-19 is not there; install clang 19"
if [ ! -e $kit/bin/ptxas ]; then
  echo "cuda_12: headers of CUDA 12.4 from pip, about 410 MB" >&2
  python3 -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 --no-deps --only-binary :all: --no-compile \
    --target "$work/packages" "${packages[@]}" >"$work/said" 2>&1 ||
    scripts/not_checked.sh cuda_12 "pip cannot get ${packages[0]} and related packages ($(grep -m 1 '^ERROR' "$work/said" || tail -n 1 "$work/said"))"
  # Arranged like an installed toolkit, as far as clang searches it.
  from=$work/packages/nvidia new=$work/new
  mkdir -p "$new"/{bin,include,lib64,nvvm}
  for part in cuda_cccl cublas cuda_nvcc cuda_runtime; do cp -r "$from/$part/include/." "$new/include"; done # the runtime's own last
  cp -r "$from/cuda_nvcc/nvvm/libdevice" "$new/nvvm"
  cp "$from/cuda_nvcc/bin/ptxas" "$new/bin"
  chmod +x "$new/bin/ptxas"
  rm -rf $kit
  mv "$new" $kit
fi
[[ $($kit/bin/ptxas --version) == *"release 12.4,"* ]] && grep -qE '^#define CUDART_VERSION +12040$' $kit/include/cuda_runtime_api.h &&
  grep -qE '^#define CUBLAS_VER_MINOR 4$' $kit/include/cublas_api.h || { echo "cuda_12: $kit is not of CUDA 12.4; remove it"; exit 1; }

export kit work
one() { # SOURCE: compiles the host code, then the kernels
  local out=$work/${1//\//-}
  # Before all other folders, as CUDA's headers of another version may be in a folder that every compiler searches.
  local clang=(clang++-19 -std=c++20 -x cuda "--cuda-path=$kit" -isystem $kit/include --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version
    -fno-crash-diagnostics -Iinclude -I. -DENTRAIN_COMPILED -DENTRAIN_TARGET=Sm90 -DENTRAIN_TEST_TARGET=Sm90 -DENTRAIN_BENCH_MODEL=MiniLmL6
    '-DENTRAIN_EXAMPLE_DATA=""')
  { "${clang[@]}" -fsyntax-only --cuda-host-only "$1" && "${clang[@]}" -O1 -c --cuda-device-only -MD -MF "$out.d" -o "$out" "$1"; } \
    >"$out.said" 2>&1 || { head -n 20 "$out.said"; echo "cuda_12: $1 does not compile with what CUDA 12.4 offers"; return 1; }
  if tr -s ' \\' '\n' <"$out.d" | grep -E '/(cuda|cublas|vector_types)[A-Za-z_0-9]*\.h$' | grep -v "^$kit/include/"; then
    echo "cuda_12: $1 reads CUDA's headers of another version"
    return 1
  fi
  rm -f "$out"
}
export -f one
# A call and an instruction that CUDA 12.4 does not have must be refused.
refused() { # NAME, and a source
  { echo '#include <cuda_runtime.h>'; cat; } >"$work/$1.cu"
  ! one "$work/$1.cu" >/dev/null || { echo "cuda_12: the planted $1 passes"; exit 1; }
}
refused call <<<'int main() { return cudaMemPrefetchAsync(nullptr, 1, cudaMemLocation{}, 0, cudaStream_t{}); }'
refused instruction <<<'__global__ void add(unsigned long long* x) { asm volatile("add.f32x2 %0, %0, %0;" : "+l"(*x)); }'
printf '%s\n' "$@" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'one "$0"' {}
echo "cuda_12: $# sources, for sm_90, with the headers and ptxas of CUDA 12.4 and CUB of 12.5, by $(clang++-19 --version | sed -n '1s/.*\(clang version [0-9.]*\).*/\1/p')"
