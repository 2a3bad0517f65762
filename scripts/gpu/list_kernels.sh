#!/usr/bin/env bash
# Lists the kernels of include/, a name a line: each __global__ function, and each functor of device::each.
#
#   scripts/gpu/list_kernels.sh [ROOT]     ROOT holds include (default: this repository)
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
# A kernel's name is the last word before the bracket that opens its parameters.
{
  find include -name '*.cuh' | sort | xargs cat | sed 's,//.*,,' | tr '\n' ' ' | grep -oE '__global__ +void +(__launch_bounds__\([^()]*(\([^()]*\))*[^()]*\) +)?[a-z_0-9]+' | grep -oE '[a-z_0-9]+$'
  find include -name '*.cuh' | sort | xargs awk '/^(template .*)?struct [A-Za-z]+ \{/ { match($0, /struct [A-Za-z]+/); name = substr($0, RSTART + 7, RLENGTH - 7) }
    /__device__ void operator\(\)\(int/ { print name }'
} | sort -u
