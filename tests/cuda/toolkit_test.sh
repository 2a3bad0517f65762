#!/usr/bin/env bash
# Which nvcc is found, and what is said where none can be fetched: with a pip, a driver and an nvcc that only pretend.
#
#   tests/cuda/toolkit_test.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree folder=$work/tree/build/cuda failures=0
mkdir -p "$tree/scripts/gpu" "$work/bin" "$work/home/bin"
cp "$root"/scripts/gpu/{find_nvcc,fetch_cuda_toolkit}.sh "$tree/scripts/gpu/"

# A PATH of just what the scripts call, so that nothing of this machine is found.
for tool in bash basename dirname env grep head ln ls mkdir mktemp mv rm sed tail cat chmod; do
  ln -s "$(command -v $tool)" "$work/bin/$tool"
done
export CUDA_HOME=$work/home
in_tree() { PATH=$work/bin "$tree/scripts/gpu/$1" 2>&1; }
program() { cat >"$1"; chmod +x "$1"; }
expect() { # WHAT FOUND WANTED
  [ "$2" = "$3" ] && return
  printf 'FAIL %s\n  found  %s\n  wanted %s\n' "$1" "$2" "$3"
  failures=$((failures + 1))
}
refused() { # WHAT WHY: fetching says one line, and leaves nothing
  local said
  if said=$(in_tree fetch_cuda_toolkit.sh); then expect "$1" "it worked" "a refusal"; fi
  said=$(grep -v '^fetch_cuda_toolkit: CUDA 13.0 from pip' <<<"$said")
  expect "$1" "$said" "fetch_cuda_toolkit: $2; install the CUDA toolkit, 12.4 or newer, that fits the driver"
  expect "$1: what is left" "$(ls -A "$tree/build" 2>/dev/null || true)" ""
}

expect "no nvcc" "$(in_tree find_nvcc.sh)" ""
refused "no python" "python3 with pip is missing"
program "$work/bin/python3" <<<'#!/usr/bin/env bash
exit 1'
refused "no pip" "pip is missing"
program "$work/bin/python3" <<<'#!/usr/bin/env bash
[ "$3" = --version ] || { echo "WARNING: retrying"; echo "ERROR: No matching distribution found"; exit 1; }'
refused "no network" "pip cannot get nvidia-cuda-nvcc==13.0.88 and related packages (ERROR: No matching distribution found)"
program "$work/bin/nvidia-smi" <<<'#!/usr/bin/env bash
echo "| NVIDIA-SMI 550.54   Driver Version: 550.54   CUDA Version: 12.4 |"'
refused "an old driver" "the packages are of CUDA 13.0, and this machine's driver knows CUDA 12"
rm "$work/bin/nvidia-smi"
program "$work/bin/python3" <<<'#!/usr/bin/env bash
[ "$3" = --version ] || { while [ "$1" != --target ]; do shift; done; mkdir -p "$2/nvidia/other"; }'
refused "another layout" "the packages from pip have an unexpected layout (no nvidia/cu13/lib)"

# A toolkit, as pip lays it out.
program "$work/bin/python3" <<<'#!/usr/bin/env bash
[ "$3" != --version ] || exit 0
echo asked >>"'"$work"'/asked"
while [ "$1" != --target ]; do shift; done
mkdir -p "$2"/nvidia/cu13/{bin,lib} "$2/one.dist-info"
echo "#!/bin/sh" >"$2/nvidia/cu13/bin/nvcc"
chmod +x "$2/nvidia/cu13/bin/nvcc"
echo >"$2/nvidia/cu13/lib/libcublasLt.so.13"'
in_tree fetch_cuda_toolkit.sh >/dev/null
expect "the link" "$(readlink "$folder/lib64/libcublasLt.so")" "libcublasLt.so.13"
expect "all of it" "$(ls -A "$folder" | paste -sd ' ')" "bin lib lib64 one.dist-info"
expect "nothing beside it" "$(ls -A "$tree/build")" "cuda"
in_tree fetch_cuda_toolkit.sh
expect "fetched once" "$(cat "$work/asked")" "asked"

# The order.
expect "pip's" "$(in_tree find_nvcc.sh)" "$folder/bin/nvcc"
cp "$folder/bin/nvcc" "$work/home/bin/nvcc"
expect "CUDA_HOME before pip's" "$(in_tree find_nvcc.sh)" "$work/home/bin/nvcc"
cp "$folder/bin/nvcc" "$work/bin/nvcc"
expect "PATH before CUDA_HOME" "$(in_tree find_nvcc.sh)" "$work/bin/nvcc"

echo "toolkit: $failures failed"
[ $failures = 0 ]
