#!/usr/bin/env bash
# tests/refusals/check.sh accepts a planted case, and refuses planted cases that compile, have another first error, have
# too many lines of entrain's headers before it, or too many errors after it.
#
#   tests/proofs/refusals_planted.sh COMPILER
set -u
compiler=${1:?which compiler, as in tests/proofs/refusals_planted.sh g++}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
headers=$work/include/entrain
mkdir -p "$headers"
refusal='static_assert(!WRONG, "entrain: planted.");'
# Compilers name each file that includes the file of an error: 12 files and the line of the error itself are one too many.
plant() { # NAME, HEADERS, and the lines of the last header on stdin
  local name=$1 last=$2 i
  cat >"$headers/$name.$last.hpp"
  for ((i = 1; i < last; i++)); do echo "#include \"$name.$((i + 1)).hpp\"" >"$headers/$name.$i.hpp"; done
  printf '%s\n' '// entrain: planted.' '#ifndef WRONG' '#define WRONG 0' '#endif' "#include \"include/entrain/$name.1.hpp\"" \
    >"$work/$name.cpp"
}
judge() { # NAME, and what check.sh must say
  local said
  said=$(tests/refusals/check.sh "$compiler" "$work/$1.cpp" 2>&1)
  grep -qF "$2" <<<"$said" || { echo "refusals: expected of the planted case $1: $2"; echo "$said"; exit 1; }
}
further='static_assert(!WRONG, "further");'
plant accepted 12 <<<"$refusal"$'\n'"$further"$'\n'"$further"
plant compiles 1 <<<''
plant otherwise 1 <<<'static_assert(!WRONG, "planted.");'
plant deep 13 <<<"$refusal"
plant noisy 1 <<<"$refusal"$'\n'"$further"$'\n'"$further"$'\n'"$further"

judge accepted 'refusals: 1 with'
judge compiles 'FAIL compiles: the wrong program 1 compiles'
judge otherwise "FAIL otherwise: the first error of 1 is not 'entrain: planted.'"
[[ $compiler = *nvcc ]] ||  # nvcc's front end prints the error first, and then the files and templates
  judge deep 'FAIL deep: 13 lines of include/entrain up to the first error of 1; at most 12'
judge noisy 'FAIL noisy: 3 errors of 1 that are not sentences of entrain; at most 2'
echo "refusals: planted faults found with $compiler"
