#!/usr/bin/env bash
# What ./dev makes of --device, and of a test of everything, on machines with and without a GPU and with and without nvcc: each is a PATH
# of just what ./dev calls, on which cmake, ninja, ctest, a driver, an nvcc and a pip only pretend. Nothing is built. And checks that lack
# nvcc, or nvdisasm, say so: they are skipped, but in CI they fail.
#
#   tests/proofs/front_door.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree bin=$work/bin failures=0
mkdir -p "$tree"/{scripts,tests/refusals,include/entrain/family} "$bin" "$work/home/bin" "$work/model"
cp "$root/dev" "$tree"
cp -r "$root"/scripts/{check,gpu} "$root"/scripts/*.sh "$tree/scripts"
cp -r "$root/cmake" "$tree"
cp "$root"/include/entrain/family/*.hpp "$tree/include/entrain/family"
cp "$root/tests/refusals/check.sh" "$tree/tests/refusals"
echo '{"model_type": "bert", "hidden_size": 16}' >"$work/model/config.json"
for tool in bash basename cat chmod cmp cp cut dirname env grep head ln ls mkdir mktemp mv realpath rm sed sha256sum sort tail tr; do
  ln -s "$(command -v $tool)" "$bin/$tool"
done
program() { cat >"$1"; chmod +x "$1"; }
program "$bin/g++" <<<'#!/usr/bin/env bash
echo 12.2.0'
program "$bin/cmake" <<<"#!/usr/bin/env bash
[[ \$* != *' -P '* ]] || exec '$(command -v cmake)' \"\$@\"
"'case $1 in
  --version) echo cmake version 3.25.1; exit ;;
  --preset) mkdir -p build/default; : >build/default/build.ninja ;;
esac
echo "CUDAToolkit_NVCC_EXECUTABLE:FILEPATH=$(scripts/gpu/find_nvcc.sh)" >build/default/CMakeCache.txt
echo "configured$([ "$1" = --preset ] || echo " again")" >>"$WORK/did"'
program "$bin/ninja" <<<'#!/usr/bin/env bash
target=${!#}
case $target in
  build.ninja) echo "-- GLOB mismatch!"; exit ;; # what CMake says where a file came or went
  --quiet | [0-9]*) target=everything ;;
esac
echo "built $target" >>"$WORK/did"
mkdir -p build/default/bin
printf "#!/usr/bin/env bash\necho \"ran %s \$*\" >>\"$WORK/did\"\n" "$target" >"build/default/bin/$target"
chmod +x "build/default/bin/$target"'
program "$bin/ctest" <<<'#!/usr/bin/env bash
said=$*
echo "tested ${said##*--output-on-failure }" >>"$WORK/did"'
export WORK=$work CUDA_HOME=$work/home JOBS=1

# The machine: what it has, of gpu, driver (and no GPU), nvcc and pip (that brings one).
machine() {
  rm -rf "$tree/build" "$bin"/{nvidia-smi,nvcc,python3}
  local one
  for one in "$@"; do
    case $one in
      gpu) program "$bin/nvidia-smi" <<<'#!/usr/bin/env bash
[ "$*" != -L ] || echo "GPU 0: a card"' ;;
      driver) program "$bin/nvidia-smi" <<<'#!/usr/bin/env bash
echo "NVIDIA-SMI has failed"; exit 9' ;;
      nvcc) program "$bin/nvcc" <<<'#!/usr/bin/env bash' ;;
      pip) program "$bin/python3" <<<'#!/usr/bin/env bash
[ "$3" != --version ] || exit 0
while [ "$1" != --target ]; do shift; done
mkdir -p "$2"/nvidia/cu13/{bin,lib} "$2/one.dist-info"
printf "#!/bin/sh\n" >"$2/nvidia/cu13/bin/nvcc"
chmod +x "$2/nvidia/cu13/bin/nvcc"
echo >"$2/nvidia/cu13/lib/libcublasLt.so.13"' ;;
    esac
  done
}
same() { # WHAT FOUND WANTED
  [ "$2" = "$3" ] && return
  printf 'FAIL %s\n  found  %s\n  wanted %s\n' "$1" "$2" "$3"
  failures=$((failures + 1))
}
# on "MACHINE" CODE SAID DID COMMAND ...: its exit code, the last line that it said, and what was done. The machine may be the same as before.
on() {
  local code=0
  [ "$1" = same ] || machine $1
  : >"$work/did"
  PATH=$bin "$tree/dev" "${@:5}" >"$work/said" 2>&1 </dev/null || code=$?
  same "$1: ${*:5}: exit code" "$code" "$2"
  same "$1: ${*:5}: says" "$(tail -n 1 "$work/said")" "$3"
  same "$1: ${*:5}: does" "$(sed 's/_[0-9a-f]\{12\}/_KEY/g' "$work/did" | paste -sd, | sed 's/,/, /g')" "$4"
}
processor="configured, built ner_light, ran ner_light train"
card="configured, built ner_light_cuda, ran ner_light_cuda train"
none="nvidia-smi finds no NVIDIA GPU"
install="fetch_cuda_toolkit: python3 with pip is missing; install the CUDA toolkit, 12.4 or newer, that fits the driver"

on "" 0 "" "$processor" train
on "gpu nvcc" 0 "" "$processor --seed 1" train --seed 1
on "gpu nvcc" 0 "" "$processor" train --device cpu
on "" 1 "dev: --device gpu: expected cpu, cuda or auto" "" train --device=gpu

on "" 0 "dev: $none: training on the CPU" "$processor" train --device auto
on "driver" 0 "dev: $none: training on the CPU" "$processor" train --device auto
on "nvcc" 0 "dev: $none: training on the CPU" "$processor" train --device=auto
on "gpu" 0 "dev: there is a GPU, but no nvcc: training on the CPU" "$processor" train --device auto
on "gpu nvcc" 0 "" "$card --epochs 2" train --device auto --epochs 2
on "gpu pip" 0 "fetch_cuda_toolkit: CUDA 13.0 from pip, about 530 MB" "$card" train --device auto
on "same" 0 "" "built ner_light_cuda, ran ner_light_cuda train" train --device auto

on "" 1 "dev: --device cuda: $none; or train with --device cpu" "" train --device cuda
on "driver" 1 "dev: --device cuda: $none; or train with --device cpu" "" train --device cuda
on "gpu" 1 "dev: --device cuda: there is a GPU, but no nvcc; or train with --device cpu" "" train --device cuda
grep -qxF "$install" "$work/said" || same "a GPU without nvcc" "$(cat "$work/said")" "$install"
on "nvcc" 0 "dev: $none; the program is built anyway" "$card" train --device cuda
on "gpu nvcc" 0 "" "$card" train --device cuda

# The light tagger with word vectors: the program has a row for each word of the file, and one more.
printf '3 2\na 1 0\nb 0 1\nc 1 1\n' >"$work/vectors.txt"
on "" 0 "" "configured, built trainer_vectors_20000_2, ran trainer_vectors_20000_2 train --vectors $work/vectors.txt" \
  train --vectors "$work/vectors.txt"
on "same" 0 "" "built trainer_vectors_20000_2, ran trainer_vectors_20000_2 train --seed 1 --vectors $work/vectors.txt" \
  train --vectors="$work/vectors.txt" --seed 1
printf '50000 2\na 1 0\n' >"$work/vectors.txt"
on "" 0 "" "configured, built trainer_vectors_100000_2_trained, ran trainer_vectors_100000_2_trained train --vectors $work/vectors.txt" \
  train --vectors "$work/vectors.txt" --train-vectors
on "" 1 "vector_shape: $work/none.txt: no such file" "" train --vectors "$work/none.txt"
on "" 1 "dev: --train-vectors: only with --vectors FILE" "" train --train-vectors
on "" 1 "dev: --vectors: expected the light tagger on the CPU in fp32, without --pretrained, --task, --device or --precision" "" \
  train --vectors "$work/vectors.txt" --task classify

# Configured before there was a toolkit.
on "gpu" 0 "dev: there is a GPU, but no nvcc: training on the CPU" "$processor" train --device auto
program "$bin/nvcc" <<<'#!/usr/bin/env bash'
on "same" 0 "" "configured again, built ner_light_cuda, ran ner_light_cuda train" train --device auto

# A trainer made from a folder.
made() { # WHAT [ENDING]: of a folder
  echo "configured, built trainer_$1_KEY${2:-}, ran trainer_$1_KEY${2:-} train --pretrained $work/model"
}
on "gpu nvcc" 0 "" "$(made head-softmax _cuda)" train --pretrained "$work/model" --device cuda
same "its options" "$(cat "$tree"/build/default/trainers/*/*/options)" "DEVICE cuda"
on "gpu nvcc" 0 "" "$(made resident _cuda)" train --pretrained "$work/model" --device cuda --resident
on "gpu nvcc" 0 "" "$(made head-softmax)" train --pretrained "$work/model"
on "" 0 "dev: $none: training on the CPU" "$(made precision-bf16)" train --pretrained "$work/model" --precision bf16 --device auto

on "" 1 "dev: --precision fp16 on the CPU: expected fp32, bf16 or fp64; fp16 is for NVIDIA GPUs, with --device cuda" \
  "" train --pretrained "$work/model" --fp16
on "gpu nvcc" 0 "" "$(made precision-fp16 _cuda)" train --pretrained "$work/model" --fp16 --device cuda
# The order of options makes no other program.
on "" 0 "" "$(made precision-bf16-head-crf)" train --pretrained "$work/model" --head=crf --bf16
on "same" 0 "" "built trainer_precision-bf16-head-crf_KEY, ran trainer_precision-bf16-head-crf_KEY train --pretrained $work/model" \
  train --precision bf16 --pretrained "$work/model" --head crf
on "" 0 "" "$(made recompute)" train --gradient-checkpointing --pretrained "$work/model"
on "" 0 "" "$(made head-crf-optimizer-adam)" train --pretrained "$work/model" --optimizer adam --head crf
same "its options" "$(cat "$tree"/build/default/trainers/*/*/options)" "HEAD crf OPTIMIZER adam"
on "" 0 "" "$(made optimizer-sgd-schedule-usual)" train --pretrained "$work/model" --schedule=usual --optimizer=sgd
on "" 0 "" "$(made task-classify)" train --pretrained "$work/model" --task classify
on "" 0 "" "$(made task-classify-pooling-mean)" train --pretrained "$work/model" --pooling mean --task=classify
on "" 0 "" "$(made head-softmax)" train --pretrained "$work/model" --task ner
on "" 1 "dev: --task tag: expected ner, classify or multi_label" "" train --pretrained "$work/model" --task tag
on "" 0 "" "configured, built classify, ran classify train --train a.csv" train --task classify --train a.csv
on "" 1 "dev: --task tag: expected ner, classify or multi_label" "" train --task tag
on "" 1 "dev: --head bilstm: expected softmax or crf" "" train --pretrained "$work/model" --head bilstm
on "" 1 "dev: --loss hinge: expected cross_entropy, smoothed or focal" "" train --pretrained "$work/model" --loss hinge
on "" 1 "dev: --optimizer lamb: expected adamw, adam or sgd" "" train --pretrained "$work/model" --optimizer lamb
on "" 1 "dev: --schedule linear: expected usual; --lr-scheduler-type chooses constant, linear or cosine" \
  "" train --pretrained "$work/model" --schedule linear
on "" 1 "dev: --head: an empty value" "" train --pretrained "$work/model" --head=

# The light model in bf16.
bf16="configured, built ner_light_bf16, ran ner_light_bf16"
on "" 0 "" "$bf16 train" train --bf16
on "" 0 "" "$bf16 train --seed 1" train --precision bf16 --seed 1
on "" 0 "" "$processor" train --precision fp32
on "" 1 "dev: --precision fp64: expected fp32 or bf16 for the light model on the CPU" "" train --fp64
on "gpu nvcc" 1 "dev: --precision bf16: expected fp32, as a CRF on a GPU needs fp32 scores" "" train --bf16 --device cuda
on "" 1 "dev: --head: only for trainers of a Hugging Face folder; name it with --pretrained" "" train --head crf
on "" 1 "dev: --optimizer: only for trainers of a Hugging Face folder; name it with --pretrained" "" train --optimizer sgd

on "" 1 "dev: --task classify with --precision bf16: expected fp32" "" train --task classify --bf16

# A folder that was trained goes by the program that trained it.
trained() { # COMPOSITION PRECISION
  mkdir -p "$work/trained"
  printf '{"model_type": "bert", "hidden_size": 16,\n"entrain": {"composition": "%s",\n"strings": {"precision": "%s"}}}\n' "$1" "$2" >"$work/trained/config.json"
}
opened() { # PROGRAM
  local command
  for command in predict evaluate; do
    on "" 0 "" "configured, built $1, ran $1 $command -m $work/trained" $command -m "$work/trained"
  done
  on "" 0 "" "configured, built $1, ran $1 predict --model=$work/trained" predict --model="$work/trained"
}
trained "Tagger<Bert<1, 2>, Softmax<16, Bio>>" "fp32"
opened trainer_head-softmax_KEY
trained "Tagger<Bert<1, 2>, Crf<16, Bio>>" "bf16-mixed" # by a GPU
opened trainer_head-crf_KEY
trained "Tagger<Bert<1, 2>, Crf<16, Bio>>" "fp32, products in bf16 (slower than fp32: not compiled for a CPU with AVX512_BF16)"
opened trainer_precision-bf16-head-crf_KEY
trained "Tagger<Bert<1, 2>, Softmax<16, Bio>>" "fp64"
opened trainer_precision-fp64_KEY
trained "Tagger<MultiHash<96>, Crf<96, Bioes>>" "fp32, products in bf16"
opened ner_light_bf16
trained "Tagger<MultiHash<96>, Crf<96, Bioes>>" "fp32"
opened ner_light

# And by another one if its products are to round otherwise.
rounds() { # OPTION PROGRAM
  local command
  for command in predict evaluate; do
    on "" 0 "" "configured, built $2, ran $2 $command -m $work/trained a.txt" $command $1 -m "$work/trained" a.txt
    on "" 0 "" "configured, built $2, ran $2 $command -m $work/trained" $command -m "$work/trained" $1
  done
}
rounds --bf16 ner_light_bf16
rounds "--precision bf16" ner_light_bf16
rounds --precision=fp32 ner_light
on "" 1 "dev: --precision fp64: expected fp32 or bf16 for the light model on the CPU" "" predict -m "$work/trained" --precision fp64
trained "Tagger<MultiHash<96>, Crf<96, Bioes>>" "fp32, products in bf16"
rounds "--precision fp32" ner_light
trained "Tagger<Bert<1, 2>, Softmax<16, Bio>>" "fp32"
rounds --precision=bf16 trainer_precision-bf16_KEY
rounds "--precision fp32" trainer_head-softmax_KEY
trained "Tagger<Bert<1, 2>, Crf<16, Bio>>" "fp32, products in bf16"
rounds "--precision fp32" trainer_precision-fp32-head-crf_KEY
on "" 1 "dev: predict --precision fp16: expected fp32, bf16 or fp64" "" predict -m "$work/trained" --precision fp16
on "" 1 "dev: evaluate --precision bf16: expected -m and the folder of a model" "" evaluate --bf16
trained "Classifier<MultiHash<96>, Classify<96, Classification<One>>>" "fp32"
on "" 1 "dev: predict --precision bf16: expected fp32 for this model" "" predict -m "$work/trained" --bf16

trained "Classifier<Bert<1, 2>, Classify<16, Classification<One>, Mean, Dropout<16>, CrossEntropy>>" "fp32"
opened trainer_task-classify-pooling-mean_KEY
trained "Classifier<MultiHash<96>, Classify<96, Classification<One>, Mean, Dropout<96>, CrossEntropy>>" "fp32"
opened classify
trained "Classifier<Bert<1, 2>, Classify<16, Classification<ManyOf<128>>, Mean, Dropout<16>, CrossEntropy>>" "fp32"
opened trainer_task-multi_label-pooling-mean_KEY
trained "Classifier<MultiHash<96>, Classify<96, Classification<ManyOf<128>>, Mean, Dropout<96>, CrossEntropy>>" "fp32"
opened multi_label

# Tests of everything want nvcc; the short ones do not.
unset CI
on "" 0 "" "configured, built everything, tested -LE ci|long" test
on "" 0 "dev: code for nvcc is not checked; ctest lists the skipped tests at the end" \
  "configured, built everything, tested -LE long -R text" test --all -R text
program "$bin/nvcc" <<<'#!/usr/bin/env bash'
on "same" 0 "" "configured again, built everything, tested -LE long" test --all
on "pip" 0 "fetch_cuda_toolkit: CUDA 13.0 from pip, about 530 MB" "configured, built everything, tested -LE long" test --all
on "nvcc" 0 "" "configured, built everything, tested -L long" test --long
export CI=true
on "" 1 "$install" "" test --all
on "" 1 "$install" "" test --long
on "nvcc" 0 "" "configured, built everything, tested -LE long" test --all

# lacking "MACHINE" SAYS CHECK ...
lacking() {
  local code=0 wanted
  for wanted in 77 1; do
    machine $1
    code=0
    said=$(PATH=$bin CI=$([ $wanted = 77 ] || echo true) "$tree/${@:3}" 2>&1) || code=$?
    same "${*:3}: exit code" "$code" $wanted
    same "${*:3}" "$said" "$2"
  done
}
nvcc="nvcc is not there; install the CUDA toolkit, 12.4 or newer"
for check in check/nvcc.sh check/ptx.sh check/cuda_targets.sh gpu/kernel_costs.sh gpu/machine_code.sh; do
  name=${check##*/}
  lacking "" "${name%.sh}: not checked: $nvcc" "scripts/$check"
done
lacking "" "trainers_as_ptx: not checked: $nvcc" scripts/check/trainers_as_ptx.sh one other
lacking "" "refusals: not checked: $nvcc" tests/refusals/check.sh nvcc
lacking "nvcc" "machine_code: not checked: nvdisasm is not there, and pip cannot get it; install the CUDA toolkit, 12.4 or newer" \
  scripts/gpu/machine_code.sh

echo "front_door: $failures failed"
[ $failures = 0 ]
