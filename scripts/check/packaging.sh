#!/usr/bin/env bash
# The commands of docs/packaging.md work as printed, in an empty folder: a block with a comment before it becomes the file that the comment
# names, and each sh block is run by bash from the empty folder.
#
#   scripts/check/packaging.sh
#
# The address of the repository leads to a copy of this working tree, and `pip install` to the programs of tests/consumers/requirements.txt.
# g++ and c++ are wrappers that add -O0, so that the check takes less time. Conan has no remote (tests/consumers/conan/home.sh).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
page=docs/packaging.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stop() { echo "packaging: $*"; exit 1; }
cd "$root"
tools=$(tests/consumers/tools.sh) || scripts/not_checked.sh packaging "the programs of tests/consumers/requirements.txt could not be installed"
command -v pkg-config >/dev/null || scripts/not_checked.sh packaging "pkg-config is not installed (Debian: pkgconf)"

tests/consumers/mirror.sh "$work/mirror.git"
mkdir -p "$work/bin" "$work/home" "$work/fresh"
for name in g++ c++; do
  compiler=$(command -v "$name") || stop "$name is not installed"
  printf '#!/bin/sh\nexec %q "$@" -O0\n' "$compiler" >"$work/bin/$name"
done
printf '#!/bin/sh\n[ "$*" = "install conan" ]\n' >"$work/bin/pip"
chmod +x "$work"/bin/*
ln -s "$tools/conan" "$work/bin"
export CONAN_HOME=$work/conan-home HOME=$work/home PATH=$work/bin:$PATH CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
unset CXX CC CMAKE_PREFIX_PATH PKG_CONFIG_PATH
tests/consumers/conan/home.sh "$CONAN_HOME" >"$work/said" 2>&1 || { cat "$work/said"; stop "no CONAN_HOME was made"; }
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.file://$work/mirror.git.insteadOf" GIT_CONFIG_VALUE_0=https://example.org/entrain.git

awk -v place="$work/fresh" -f scripts/check/blocks.awk "$page"
count=0
cd "$work/fresh"
for block in .block*; do
  read -r kind name <<<"$(head -n 1 "$block")" || true
  case $kind:$name in
    sh:*)
      started=$SECONDS
      if ! bash -euo pipefail <(tail -n +2 "$block") </dev/null >"$work/said" 2>&1; then
        tail -n 25 "$work/said"
        stop "$page: failed: $(tail -n +2 "$block")"
      fi
      echo "packaging: $((SECONDS - started)) s: $(tail -n 1 "$block")"
      count=$((count + 1)) ;;
    console:*) ;; # not run, as the page says
    *:?*)
      mkdir -p "$(dirname "$name")"
      tail -n +2 "$block" >"$name" ;;
    *) stop "$page: a block that is neither run nor a file: $(sed -n 2p "$block")" ;;
  esac
done
[ $count -ge 10 ] || stop "$count blocks of commands only"
echo "packaging: $count blocks of commands work as printed"
