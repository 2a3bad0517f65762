#!/usr/bin/env bash
# Which nvcc is used here: prints its path, or nothing where there is none. In this order: on PATH, in CUDA_HOME
# (/usr/local/cuda without it), in build/cuda, where scripts/fetch_cuda_toolkit.sh puts the one of pip.
#
#   scripts/find_nvcc.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command -v nvcc && exit
for nvcc in "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" "$root/build/cuda/bin/nvcc"; do
  [ -x "$nvcc" ] && echo "$nvcc" && exit
done
exit 0
