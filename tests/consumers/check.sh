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

# entrain_add_trainer: a folder's config.json becomes a program that trains; what it cannot become is said.
generated() {
  local bert=$root/tests/train/golden/bert configs=$work/configs
  local again=(cmake -S "$root/tests/consumers/package" -B "$work/package")
  quietly "${again[@]}" -DPRETRAINED="$bert"
  quietly ninja -C "$work/package" tagger
  quietly "$work/package/tagger" train --pretrained "$bert" --train "$bert/sentences.conll" --epochs 1 --output "$work/model"
  [ -e "$work/model/crf.safetensors" ] || { echo "consumers: the generated trainer saved no crf.safetensors"; exit 1; }
  refused() { # FROM TO SENTENCE: config.json with FROM turned into TO
    mkdir -p "$configs"
    sed "s/$1/$2/" "$bert/config.json" >"$configs/config.json"
    if "${again[@]}" -DPRETRAINED="$configs" >"$work/said" 2>&1 || ! tr -s ' \n' ' ' <"$work/said" | grep -qF -- "$3"; then
      tail -n 20 "$work/said"
      echo "consumers: not refused with: $3"
      exit 1
    fi
  }
  refused '"bert"' '"gpt2"' "model_type gpt2 with absolute positions: expected bert"
  refused '"gelu"' '"silu"' "hidden_act silu: expected gelu, gelu_new"
  refused '"hidden_size": 16' '"hidden_size": "wide"' "hidden_size wide: expected a whole number above 0"
  refused '1e-12' '"small"' "layer_norm_eps small: expected a number"
  sed 's/"hidden_size": 16/"hidden_size": 32/' "$bert/config.json" >"$configs/config.json" # the program of another folder
  cp "$bert/model.safetensors" "$bert/vocab.txt" "$configs"
  if "$work/package/tagger" train --pretrained "$configs" --train "$bert/sentences.conll" --output "$work/other" >"$work/said" 2>&1 ||
    ! grep -qF "./dev train --pretrained $configs builds the program of this folder" "$work/said"; then
    tail -n 5 "$work/said"
    echo "consumers: a folder of other extents was not refused with the command that builds its program"
    exit 1
  fi
  echo "consumers: generated: trained, and refused what it cannot be"
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
      generated
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
