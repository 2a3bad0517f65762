#!/usr/bin/env bash
# Checks that include/ does not contain: run-time dispatch, macros, libraries outside their places, CUDA outside .cuh files, files whose
# names give no subject, unfinished places. The first line of each file must give its place in the trail of modules. In the files of CMake
# a word that is compared with STREQUAL must be in quotes. Prints file:line of each violation.
#
#   scripts/check/words.sh [ROOT]     ROOT holds include/entrain (default: this repository)
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

places=()
for place in include/entrain cmake bench examples tests conan vcpkg CMakeLists.txt; do [ ! -e "$place" ] || places+=("$place"); done
find "${places[@]}" -type f \( -path 'include/*' -o -name '*.cmake' -o -name '*.cmake.in' -o -name CMakeLists.txt \) | sort | xargs awk '
  function bad(why) { print FILENAME ":" FNR ": " why; violations++ }
  FILENAME !~ /^include\// {
    if (FNR == 1) files++
    if ($0 ~ /STREQUAL +[^" ]/ && $0 !~ /^ *#/) bad("found a word without quotes after STREQUAL, which CMake replaces if a variable has that name")
    next
  }
  FNR == 1 {
    files++
    name = FILENAME
    sub(/.*\//, "", name)
    if (name ~ /common|misc|util|helper/) bad("found the file name " name ", expected one that names its subject")
    n = split(FILENAME, parts, "/")
    if (n > 3 && index($0, "[" parts[3] "]") == 0)
      bad("found the first line \"" $0 "\", expected a trail with [" parts[3] "] in it")
    if ($0 !~ /^\/\//) bad("found no comment on the first line, expected one that says where this file stands")
    in_cpu = FILENAME ~ /include\/entrain\/kernel\/[a-z_]+\/cpu[^\/]*\.hpp$/
    in_cuda = FILENAME ~ /\.cuh$/
    in_compiled = FILENAME ~ /\.ipp$/
    in_config = FILENAME ~ /core\/config\.hpp$/
  }
  /TODO|FIXME|XXX|not (yet )?implemented/ { bad("found an unfinished place, expected none") }
  {
    code = $0
    gsub(/"([^"\\]|\\.)*"/, "\"\"", code)    # words in strings are data
    sub(/\/\/.*/, "", code)
  }
  code ~ /(^|[^A-Za-z0-9_])virtual([^A-Za-z0-9_]|$)/ { bad("found virtual, expected a type that decides") }
  code ~ /std::(move_only_)?function([^A-Za-z0-9_]|$)/ { bad("found std::function, expected a template parameter") }
  code ~ /std::any([^A-Za-z0-9_]|$)/ { bad("found std::any, expected a type") }
  code ~ /(^|[^A-Za-z0-9_])(typeid|dynamic_cast)([^A-Za-z0-9_]|$)/ { bad("found run-time type information, expected a type") }
  code ~ /^[ \t]*#[ \t]*define/ && !in_config { bad("found a macro, expected every macro in core/config.hpp") }
  $0 ~ /^[ \t]*#[ \t]*include/ && /Eigen\// && !in_cpu { bad("found Eigen, expected it in kernel/*/cpu*.hpp only") }
  code ~ /Eigen::/ && !in_cpu { bad("found Eigen::, expected it in kernel/*/cpu*.hpp only") }
  $0 ~ /^[ \t]*#[ \t]*include/ && /\.cuh[">]|["<](cuda|cublas|cub\/|cooperative_groups|crt\/|mma\.h|nv|thrust\/)/ && !in_cuda {
    bad("found what only nvcc reads, expected it in .cuh files only, so that programs for the CPU need no CUDA")
  }
  $0 ~ /^[ \t]*#[ \t]*include/ && /<(CLI\/|nlohmann\/)/ && !in_compiled { bad("found a library of the compiled sources, expected it in .ipp files only") }
  END {
    if (!violations) print "words: " files " files, no violation"
    exit violations > 0
  }
'
