#!/usr/bin/env bash
# Fetches NVIDIA's CUDA toolkit 13.0 into a folder, from the Python package index: nvcc, the runtime, cuBLASLt and their headers. About 530
# MB to download, 880 MB on the disk; nothing outside the folder changes. The packages are NVIDIA's, under NVIDIA's licence, which comes
# with them (*.dist-info/licenses). There is no CUDA 12 here, because its packages contain no nvcc.
#
#   scripts/gpu/fetch_cuda_toolkit.sh [FOLDER]     without FOLDER: build/cuda
set -euo pipefail
folder=${1:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/cuda}
# One release of the toolkit; each of its parts has a version number of its own.
packages=(nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-cccl==13.0.85
  nvidia-cuda-runtime==13.0.96 nvidia-cublas==13.1.0.3)
stop() { echo "fetch_cuda_toolkit: $*; install the CUDA toolkit, 12.4 or newer, that fits the driver" >&2; exit 1; }
works() { "$1/bin/nvcc" --version >/dev/null 2>&1 && [ -e "$1/lib/libcublasLt.so" ]; }
if works "$folder"; then exit 0; fi

driver=$(nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\([0-9]*\)\..*/\1/p' | head -n 1) || true
[ -z "$driver" ] || [ "$driver" -ge 13 ] || stop "the packages are of CUDA 13.0, and this machine's driver knows CUDA $driver"
python=$(command -v python3) || stop "python3 with pip is missing"
"$python" -m pip --version >/dev/null 2>&1 || stop "pip is missing"

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX") # next to the folder: a complete toolkit is moved there in one step
trap 'rm -rf "$work"' EXIT
echo "fetch_cuda_toolkit: CUDA 13.0 from pip, about 530 MB" >&2
# Only wheels: pip would run code of a source distribution to install it.
"$python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 --no-deps --only-binary :all: \
  --no-compile --target "$work/packages" "${packages[@]}" >"$work/said" 2>&1 ||
  stop "pip cannot get ${packages[0]} and related packages ($(grep -m 1 '^ERROR' "$work/said" || tail -n 1 "$work/said"))"

# Arranged like an installed toolkit: libraries also by their plain names, and lib64, where nvcc's profile searches.
toolkit=$work/packages/nvidia/cu13
[ -d "$toolkit/lib" ] || stop "the packages from pip have an unexpected layout (no nvidia/cu13/lib)"
for library in "$toolkit"/lib/lib*.so.[0-9]*; do
  plain=${library%%.so.*}.so
  [ -e "$plain" ] || ln -s "$(basename "$library")" "$plain"
done
[ -e "$toolkit/lib64" ] || ln -s lib "$toolkit/lib64"
mv "$work"/packages/*.dist-info "$toolkit/"
works "$toolkit" || stop "nvcc from pip does not run on this machine"
! works "$folder" || exit 0 # another call was faster
rm -rf "$folder"
mv "$toolkit" "$folder"
