#!/usr/bin/env bash
# nvcc compiles every header that a CUDA program may include as host code. tests/contract, which plans compositions of layers, passes when
# nvcc compiles it. No GPU is needed. Without nvcc: scripts/not_checked.sh.
#
#   scripts/check/nvcc.sh
#
# Headers for the CPU only are left out: those that include core/pack.hpp or a kernel's cpu.hpp, directly or indirectly.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
nvcc=$(scripts/gpu/find_nvcc.sh)
[ -n "$nvcc" ] || scripts/not_checked.sh nvcc "nvcc is not there; install the CUDA toolkit, 12.4 or newer"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Warnings on constexpr functions of the standard library that the device may call too; in host code they are allowed.
flags=(-std=c++20 -x cu -Iinclude -I. -DENTRAIN_COMPILED -diag-suppress 20013,20015)

for header in $(cd include && find entrain -name '*.hpp' | sort); do
  needs=$(g++ -std=c++20 -Iinclude -isystem /usr/include/eigen3 -DENTRAIN_COMPILED -MM "include/$header")
  grep -qE 'core/pack\.hpp|kernel/[a-z_]+/cpu' <<<"$needs" && continue
  module=$(cut -d/ -f2 <<<"$header")
  echo "#include \"$header\"" >>"$work/${module%.hpp}.cu"
done
compile_room() { "$@" || { echo "nvcc: $(basename "${*: -1}" .cu) does not compile"; return 1; }; }
export -f compile_room
printf '%s\n' "$work"/*.cu | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'compile_room "$@"' - "$nvcc" "${flags[@]}" -c -o /dev/null {}
echo "nvcc: $(cat "$work"/*.cu | wc -l) headers"

"$nvcc" "${flags[@]}" -O1 -o "$work/contract" tests/contract/contract_test.cpp tests/main.cpp src/tensor.cpp
"$work/contract" --no-intro

# The real runtime runs here; the host harness replaces it.
libraries=$(dirname "$(readlink -f "$nvcc")")/../lib64
if [ ! -e "$libraries/libcublasLt.so" ]; then
  scripts/not_checked.sh nvcc "what a program says without a driver, as libcublasLt.so is not beside nvcc; install the CUDA toolkit whole"
elif ldconfig -p | grep -q 'libcuda\.so\.1'; then
  echo "nvcc: there is a driver, so what is said without one is not looked at"
else
  "$nvcc" "${flags[@]}" -o "$work/no_driver" tests/contract/no_driver.cu -L"$libraries" -lcublasLt -Xlinker -rpath -Xlinker "$libraries"
  said=$("$work/no_driver")
  [[ $said == "entrain.device.5: the GPU: no NVIDIA driver is installed here; "* ]] ||
    { echo "nvcc: without a driver a program should say so, and says: $said"; exit 1; }
  echo "nvcc: a program says that there is no driver"
fi
