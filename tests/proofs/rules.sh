#!/usr/bin/env bash
# The rules of include/ and of the files of CMake hold, and each check of them finds what is planted in a copy, at its file and line.
#
#   tests/proofs/rules.sh [--tree]      --tree: only whether they hold
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failures=0

fail() { echo "FAIL $1"; sed 's/^/    /' "$copy/said" | tail -n 5; failures=$((failures + 1)); }

# planted SCRIPT FILE LINE SENTENCE: with LINE at the end of FILE (a new one, if there is none), SCRIPT names that place.
planted() {
  rm -rf "$copy/include" "$copy/docs"
  cp -R "$root/include" "$root/docs" "$root/README.md" "$copy"
  mkdir -p "$(dirname "$copy/$2")"
  [ -f "$copy/$2" ] || echo "// [$(basename "$(dirname "$2")")]" >"$copy/$2"
  printf '%s\n' "$3" >>"$copy/$2"
  local line; line=$(awk 'END { print NR }' "$copy/$2")
  if "$root/scripts/$1" "$copy" >"$copy/said" 2>&1; then fail "$1 missed '$3'"; return; fi
  grep -qF "$2:$line: $4" "$copy/said" || fail "$1 did not print '$2:$line: $4'"
}

for script in check/layers.sh check/words.sh check/language.sh check/docstrings.sh; do
  "$root/scripts/$script" >"$copy/said" 2>&1 || fail "$script: the tree breaks a rule"
done
[ "${1:-}" != --tree ] || { [ $failures = 0 ] && echo "rules: the tree keeps them"; exit $failures; }

planted check/layers.sh include/entrain/core/error.hpp '#include "entrain/device/pool.hpp"' 'includes entrain/device/pool.hpp of layer 1'
planted check/layers.sh include/entrain/text/unicode/utf8.hpp '#include "entrain/device/pool.hpp"' 'includes entrain/device/pool.hpp of layer 1'
planted check/layers.sh include/entrain/layer/linear.hpp '#  include <entrain/optim/step.hpp>' 'includes entrain/optim/step.hpp of layer 4'
planted check/layers.sh include/entrain/train/loop/trainer.hpp '#include "entrain/cpu.hpp"' 'includes entrain/cpu.hpp of layer 10'
planted check/layers.sh include/entrain/predict/tagger.hpp '#include "entrain/c/result.hpp"' 'includes entrain/c/result.hpp of layer 9'
planted check/layers.sh include/entrain/core/math.hpp '#include "entrain/attic/old.hpp"' 'includes entrain/attic/old.hpp, a module without a layer'

planted check/language.sh include/entrain/core/error.hpp '// Who stands behind it.' 'found "stands", expected: is'
planted check/language.sh docs/architecture.md 'The next block goes on.' 'found "goes on", expected: continues, resumes'
planted check/language.sh README.md 'Nobody reads it.' 'found "nobody"'
planted check/language.sh include/entrain/core/error.hpp '  say(name + " goes on (" + step); // it is read' 'found "goes on", expected: continues, resumes'
planted check/language.sh dev 'say "the state lies in $output"' 'found "lies", expected: is stored'
planted check/language.sh tests/text/own_test.cpp '/// What lies in memory.' 'found "lies", expected: is stored'
planted check/language.sh tests/text/own_test.cpp 'TEST_CASE("a cursor goes on") {' 'found "goes on", expected: continues, resumes'
planted check/language.sh scripts/check/own.sh '# Runs it anew.' 'found "anew", expected: again'
planted check/language.sh cmake/EntrainOwn.cmake '# What it hangs on.' 'found "hangs on", expected: depends on'
planted check/language.sh include/entrain/kernel/bias/contract.hpp '  return sums_on_the_way<D>;' 'found the name [a-z]+_on_the_way, expected fused_ranges'
planted check/language.sh include/entrain/layer/linear.hpp '  device::SideLane lane(at.dev);' 'found the name SideLane, expected SideStream'

planted check/docstrings.sh include/entrain/layer/linear.hpp 'template <int C> struct Twice {' 'found no shapes in the docstring of Twice'
planted check/docstrings.sh include/entrain/head/softmax.hpp 'struct Own {' 'found no shapes in the docstring of Own'
planted check/docstrings.sh include/entrain/optim/rules.hpp 'struct Lion {' 'found no formula in the docstring of Lion'

planted check/words.sh include/entrain/layer/linear.hpp '  virtual void forward();' 'found virtual'
planted check/words.sh include/entrain/train/loop/fit.hpp 'std::function<void()> f;' 'found std::function'
planted check/words.sh include/entrain/train/loop/fit.hpp 'std::any a;' 'found std::any'
planted check/words.sh include/entrain/head/label.hpp 'auto n = typeid(int).name();' 'found run-time type'
planted check/words.sh include/entrain/text/unicode/utf8.hpp '#define TWICE(x) ((x) + (x))' 'found a macro'
planted check/words.sh include/entrain/layer/linear.hpp '#include <Eigen/Core>' 'found Eigen'
planted check/words.sh include/entrain/kernel/gemm/contract.hpp 'using M = Eigen::MatrixXf;' 'found Eigen::'
planted check/words.sh include/entrain/text/files/file.hpp '#include <nlohmann/json.hpp>' 'found a library of the compiled sources'
planted check/words.sh include/entrain/device/nvml.hpp '#include "entrain/device/cuda.cuh"' 'found what only nvcc reads'
planted check/words.sh include/entrain/train/loop/trainer.hpp '#  include <cuda_runtime.h>' 'found what only nvcc reads'
planted check/words.sh include/entrain/kernel/gemm/contract.hpp '#include <cublasLt.h>' 'found what only nvcc reads'
planted check/words.sh include/entrain/app/options/parse.ipp '#include <cub/device/device_select.cuh>' 'found what only nvcc reads'
planted check/words.sh cmake/EntrainOwn.cmake 'if(arg_FREEZE STREQUAL embedding)' 'found a word without quotes after STREQUAL'
planted check/words.sh include/entrain/text/files/file.hpp '// TODO read pipes' 'found an unfinished place'

misnamed=include/entrain/text/string_utils.hpp
rm -rf "$copy/include"; cp -R "$root/include" "$copy/include"
echo '// text > [batch]' >"$copy/$misnamed"
"$root/scripts/check/words.sh" "$copy" >"$copy/said" 2>&1 && fail 'check/words.sh missed a file name'
grep -qF "$misnamed:1: found the file name" "$copy/said" || fail 'check/words.sh did not name the misnamed file'
grep -qF "$misnamed:1: found the first line" "$copy/said" || fail 'check/words.sh did not name the wrong trail'

echo "rules: $failures failed"
[ $failures = 0 ]
