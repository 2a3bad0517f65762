#!/usr/bin/env bash
# scripts/gpu/gpu.sh: what it compiles, and when, and what it calls then; with a GPU and compilers that only pretend.
#
#   tests/cuda/gpu_build_test.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree failures=0
export work PATH=$work/bin:$PATH ENTRAIN_COMMIT=abc
mkdir -p "$work/bin" "$work/lib64" "$tree"/{scripts/gpu,include,src,tests/cuda,bench/peers,bench/slices}
touch "$work/lib64/libcublasLt.so" "$tree/src"/{batch,tensor,text,decompress}.cpp "$tree/tests/main.cpp" "$tree/include/entrain.hpp"
mkdir "$tree/tests/cuda/cases"
touch "$tree/tests/cuda"/{precisions,trainer,crf}.cu "$tree/tests/cuda/crf_test.cpp" "$tree/tests/cuda"/{a.cuh,a.hpp} "$tree/bench/slices/slices.hpp" "$tree/bench/peers/"{slices,gpu_bert}.py
cp "$root"/scripts/gpu/{gpu,programs,find_nvcc}.sh "$tree/scripts/gpu/"
cp -r "$root/bench/gpu" "$tree/bench/"
program() { cat >"$1"; chmod +x "$1"; }
expect() { # WHAT FOUND WANTED
  [ "$2" = "$3" ] && return
  printf 'FAIL %s\n  found  %s\n  wanted %s\n' "$1" "$2" "$3"
  failures=$((failures + 1))
}

program "$work/bin/nvidia-smi" <<'P'
#!/usr/bin/env bash
case $1 in *=name) echo "A card" ;; *=driver_version) echo 580.1 ;; *=compute_cap) echo 9.0 ;; *=memory.total) echo 81559 ;; esac
P
program "$work/bin/nvcc" <<'P'
#!/usr/bin/env bash
case " $* " in
  *" --version "*) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit ;;
  *" -E "*) exit ;;
  *-print-file-name*) echo libcublasLt.so; exit ;;
esac
while [ "$1" != -o ]; do shift; done
echo "$(basename "$2" .new)" >>"$work/compiled"
[ ! -e "$work/fails" ] || exit 1
sleep 0.3
echo made >"$2"
P
ln -s nvcc "$work/bin/g++"
program "$work/bin/python3" <<'P'
#!/usr/bin/env bash
echo "$(basename "$0") $*" >>"$work/called"
P
cp "$work/bin/python3" "$work/bin/compute-sanitizer"
cp "$work/bin/python3" "$tree/scripts/gpu/cases.sh"

# gpu OPTION ...: its exit status
gpu() {
  local rc=0
  rm -f "$work/compiled" "$work/called"
  "$tree/scripts/gpu/gpu.sh" "$@" >"$work/said" 2>&1 || rc=$?
  echo "$rc"
}
compiled() { LC_ALL=C sort "$work/compiled" 2>/dev/null | paste -sd ' '; }
all="finetune-bert-base finetune-minilm-l6 kernels ways-light ways-minilm-l6"

expect "build: status" "$(gpu bench --stage build)" 0
expect "build" "$(compiled)" "$all"
expect "build calls nothing" "$(cat "$work/called" 2>/dev/null)" ""
expect "a stage after it: status" "$(gpu bench --stage kernels --out "$work/out" --seconds 100)" 0
expect "a stage after it compiles nothing" "$(compiled)" ""
expect "a stage after it measures" "$(grep -o 'stages.py kernels .*--seconds 100' "$work/called" | wc -l)" 1

# Who measures waits for who builds; what could not be compiled is not there.
echo >>"$tree/include/entrain.hpp"
touch "$work/fails"
expect "does not compile: status" "$(gpu bench --stage kernels --out "$work/out")" 1
rm "$work/fails" "$work/compiled"
"$tree/scripts/gpu/gpu.sh" bench --stage build >/dev/null 2>&1 &
for ((i = 0; i < 50; ++i)); do [ ! -e "$work/compiled" ] || break; sleep 0.1; done
"$tree/scripts/gpu/gpu.sh" bench --stage finetune --out "$work/out" >/dev/null 2>&1
wait $!
expect "two at once" "$(compiled)" "$all"

expect "test: status" "$(gpu test --out "$work/out" --seconds 200)" 0
expect "test" "$(compiled)" "batch.cpp.o crf.cu.o crf_test.cpp.o decompress.cpp.o main.cpp.o precisions.cu.o tensor.cpp.o tests text.cpp.o trainer.cu.o"
expect "test calls" "$(sed -E 's/(sources=)[0-9a-f]{16}/\1SOURCES/; s/ (19[0-9]|200) 60 / 19x 60 /' "$work/called")" \
  "cases.sh test build/gpu/tests $work/out 19x 60 card=A card driver=580.1 toolkit=13.0 commit=abc sources=SOURCES target=sm_90"
expect "sanitize: status" "$(gpu sanitize --out "$work/out" --each 30)" 0
expect "sanitize compiles nothing" "$(compiled)" ""
expect "sanitize calls" "$(grep -cE '^cases.sh sanitize build/gpu/tests .* 4[0-9]{2} 30 card=' "$work/called")" 1
expect "no folder: status" "$(gpu test)" 1

# Compiled on a machine without a GPU, used on one without a compiler.
expect "build elsewhere: status" "$(gpu build --target 90 --out "$work/programs")" 0
expect "build elsewhere: files" "$(LC_ALL=C ls "$work/programs" | paste -sd ' ')" "finetune-bert-base finetune-minilm-l6 kernels made tests ways-light ways-minilm-l6"
expect "built elsewhere: status" "$(gpu test --out "$work/out" --programs "$work/programs" --seconds 200)" 0
expect "built elsewhere compiles nothing" "$(compiled)" ""
expect "built elsewhere calls" "$(grep -c "^cases.sh test $work/programs/tests $work/out .* toolkit=13.0 " "$work/called")" 1
expect "built elsewhere, a stage: status" "$(gpu bench --stage kernels --out "$work/out" --programs "$work/programs")" 0
expect "built elsewhere, a stage" "$(grep -c "stages.py kernels .*--programs $work/programs " "$work/called")" 1
expect "no target: status" "$(gpu build --out "$work/programs")" 1
expect "no target" "$(cat "$work/said")" "gpu: --target is missing: expected 75, 80 or 90, a compute capability without its point"
gpu build --target 80 --out "$work/programs" >/dev/null
expect "another target: status" "$(gpu test --out "$work/out" --programs "$work/programs")" 1
expect "another target" "$(cat "$work/said")" "gpu: --programs $work/programs: compiled for sm_80, and A card needs --target 90"
gpu build --target 90 --out "$work/programs" >/dev/null
echo >>"$tree/include/entrain.hpp"
expect "other sources: status" "$(gpu test --out "$work/out" --programs "$work/programs")" 1
expect "other sources" "$(cat "$work/said")" "gpu: --programs $work/programs: compiled from other sources; run scripts/gpu/gpu.sh build again"
rm "$work/programs/made"
expect "cut off: status" "$(gpu test --out "$work/out" --programs "$work/programs")" 1
expect "cut off" "$(cat "$work/said")" "gpu: --programs $work/programs: expected a folder that scripts/gpu/gpu.sh build wrote; it has no complete file 'made'"

echo "gpu_build: $failures failed"
[ $failures = 0 ]
