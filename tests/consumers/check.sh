#!/usr/bin/env bash
# The three ways into another project: add_subdirectory, find_package from an install tree, FetchContent. Each builds
# the same small program and runs it.
#
#   tests/consumers/check.sh [subdirectory|package|fetched ...]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quietly() { "$@" >"$work/said" 2>&1 || { tail -n 20 "$work/said"; echo "consumers: failed: $*"; exit 1; }; }

consume() { # WAY OPTIONS ...
  local way=$1
  quietly cmake -G Ninja -S "$root/tests/consumers/$way" -B "$work/$way" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 "${@:2}"
  quietly ninja -C "$work/$way" consumer
  echo "consumers: $way: $("$work/$way/consumer")"
}

for way in "${@:-subdirectory}" $([ $# = 0 ] && echo package fetched); do
  case $way in
    subdirectory) consume subdirectory -DENTRAIN_ROOT="$root" ;;
    package)
      quietly cmake -G Ninja -S "$root" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DENTRAIN_TESTS=OFF -DENTRAIN_EXAMPLES=OFF \
        -DENTRAIN_BENCHES=OFF -DCMAKE_CXX_FLAGS_RELEASE=-O0
      quietly ninja -C "$work/build" -j "${JOBS:-$(nproc)}"
      quietly cmake --install "$work/build" --prefix "$work/prefix"
      consume package -DCMAKE_PREFIX_PATH="$work/prefix"
      ;;
    fetched)
      # Installed headers stand in for checkouts: a folder each, with the target that its own CMake file would make.
      stand_in() { # NAME TARGET INCLUDES
        mkdir -p "$work/$1"
        printf 'add_library(%s_ INTERFACE)\nadd_library(%s ALIAS %s_)\ntarget_include_directories(%s_ SYSTEM INTERFACE %s)\ninstall(TARGETS %s_ EXPORT %s)\n' \
          "$1" "$2" "$1" "$1" "$3" "$1" "$1" >"$work/$1/CMakeLists.txt"
      }
      stand_in eigen Eigen3::Eigen /usr/include/eigen3
      stand_in cli11 CLI11::CLI11 /usr/include
      stand_in json nlohmann_json::nlohmann_json /usr/include
      consume fetched -DFETCHCONTENT_TRY_FIND_PACKAGE_MODE=NEVER -DFETCHCONTENT_FULLY_DISCONNECTED=ON \
        -DFETCHCONTENT_SOURCE_DIR_ENTRAIN="$root" -DFETCHCONTENT_SOURCE_DIR_EIGEN3="$work/eigen" \
        -DFETCHCONTENT_SOURCE_DIR_CLI11="$work/cli11" -DFETCHCONTENT_SOURCE_DIR_NLOHMANN_JSON="$work/json"
      ;;
    *) echo "consumers: there is no way called $way"; exit 1 ;;
  esac
done
