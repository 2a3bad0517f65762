#!/usr/bin/env bash
# Finds nvcc: prints its path, or nothing if there is none. Searches in this order: PATH, CUDA_HOME (/usr/local/cuda if it is not set),
# build/cuda, where scripts/gpu/fetch_cuda_toolkit.sh installs pip's nvcc.
#
#   scripts/gpu/find_nvcc.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
command -v nvcc && exit
for nvcc in "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" "$root/build/cuda/bin/nvcc"; do
  [ -x "$nvcc" ] && echo "$nvcc" && exit
done
exit 0
