#!/usr/bin/env bash
# Wrong programs are refused with one sentence. Each case must compile as it is. With WRONG defined as 1 it must not
# compile, and the first error must hold the sentence of its first line; and so on for WRONG 2, 3, ... where more lines
# of the case's beginning are sentences. The rest of the output has two limits:
#
#   12   lines that name a file of include/entrain, up to and including the line of the first error
#   2    further errors that are not sentences of entrain
#
#   tests/refusals/check.sh COMPILER [CASE ...]     COMPILER: g++, clang++-19 or nvcc; CASE: a name, or a path with a /
#
# A case with the line '// host only' includes Eigen, which nvcc never sees, or what its front end cannot spell; one with '// nvcc only' needs CUDA's headers.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export measured=$work/measured most_lines=12 most_errors=2
: >"$measured"
export compiler=${1:?which compiler, as in tests/refusals/check.sh g++}
shift
if [ "$compiler" = nvcc ]; then
  compiler=$(scripts/gpu/find_nvcc.sh)
  [ -n "$compiler" ] || exec scripts/not_checked.sh refusals "nvcc is not there; install the CUDA toolkit, 12.4 or newer"
fi
command -v "$compiler" >/dev/null || { echo "refusals: $compiler is not there; install it"; exit 1; }

export flags="-std=c++20 -Iinclude -I. -isystem /usr/include/eigen3" precompiled=

compile() { # FILE [OPTION]
  case $compiler in
    *nvcc) "$compiler" -std=c++20 -x cu -Iinclude -I. -o /dev/null -c "${@:2}" "$1" ;;
    *) "$compiler" $flags $precompiled -fsyntax-only "${@:2}" "$1" ;;
  esac 2>&1
}
check() { # FILE
  local name sentence said lines errors wrong=0
  name=$(basename "$1" .cpp)
  if ! said=$(compile "$1"); then
    echo "FAIL $name: the right program does not compile"; head -n 5 <<<"$said"; return 1
  fi
  while read -r sentence; do
    wrong=$((wrong + 1))
    if said=$(compile "$1" -DWRONG=$wrong </dev/null); then
      echo "FAIL $name: the wrong program $wrong compiles"; return 1
    fi
    if ! grep -m 1 'error' <<<"$said" | grep -qF "$sentence"; then
      echo "FAIL $name: the first error of $wrong is not '$sentence'"; grep -m 1 'error' <<<"$said"; return 1
    fi
    lines=$(sed '/error/q' <<<"$said" | grep -cF include/entrain/)
    errors=$(grep -F 'error:' <<<"$said" | grep -cvF 'entrain: ')
    if [ "$lines" -gt "$most_lines" ]; then
      echo "FAIL $name: $lines lines of include/entrain up to the first error of $wrong; at most $most_lines"; return 1
    fi
    if [ "$errors" -gt "$most_errors" ]; then
      echo "FAIL $name: $errors errors of $wrong that are not sentences of entrain; at most $most_errors"; return 1
    fi
    echo "$lines $errors $name" >>"$measured"
  done < <(sed -n '/^[^/]/q; 1s,^// ,,p; 2,$s,^// \(entrain: \),\1,p' "$1")
}
export -f compile check

# clang-format joins lines of a comment that is too long
joined=$(grep -nE '(host|nvcc) only' tests/refusals/*.cpp | grep -vE ':// (host|nvcc) only$' || true)
[ -z "$joined" ] || { echo "refusals: expected the line '// host only' alone: $joined"; exit 1; }
cases=()
for name in "$@"; do
  case $name in */*) cases+=("$name") ;; *) cases+=("tests/refusals/$name.cpp") ;; esac
done
[ $# != 0 ] || cases=(tests/refusals/*.cpp)
without='^// nvcc only'
[[ $compiler != *nvcc ]] || without='^// host only'
mapfile -t cases < <(grep -L "$without" "${cases[@]}")
# Standard headers and Eigen take half of the time of a case, so they are compiled once. No header of entrain is among them: where the
# compiler reads those is part of the output that has limits.
if [ ${#cases[@]} -ge 8 ] && [[ $compiler != *nvcc ]]; then
  { grep -rhoE '^#include <[a-z_]+>' include --include='*.hpp' | sort -u && echo '#include <Eigen/Core>'; } >"$work/standard.hpp"
  precompiled="-include $work/standard.hpp" made=$work/standard.hpp.gch
  ! "$compiler" --version | grep -q clang || { precompiled="-include-pch $work/standard.pch" made=$work/standard.pch; }
  "$compiler" $flags -x c++-header "$work/standard.hpp" -o "$made" || { echo "refusals: $compiler cannot compile the standard headers"; exit 1; }
fi
printf '%s\n' "${cases[@]}" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'check "$0"' {} ||
  { echo "refusals: some failed with $compiler"; exit 1; }
most() { sort -k "$1,$1nr" "$measured" | head -n 1 | cut -d ' ' -f "$1,3"; }  # COLUMN
echo "refusals: ${#cases[@]} with $compiler; most lines before the sentence: $(most 1); most further errors: $(most 2)"
