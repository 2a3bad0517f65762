#!/usr/bin/env bash
# The ways into another project: add_subdirectory, find_package from an installed tree that was moved, FetchContent from a git repository,
# pkg-config. Each builds the same small program and runs it. And the way out of C++: shared libraries, called from C and from Python.
#
#   tests/consumers/check.sh [subdirectory|components|package|pkgconfig|fetched|predictor ...]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quietly() { "$@" >"$work/said" 2>&1 || { tail -n 20 "$work/said"; echo "consumers: failed: $*"; exit 1; }; }

# Without CMAKE_BUILD_TYPE CMake optimises nothing: entrain warns once, compiles its own parts all the same, and a program
# says it in its first line. As the top project it is built as Release. A build type, or -O, is the project's own choice.
unoptimised() {
  local warning="CMAKE_BUILD_TYPE is empty, so this project is compiled without optimisation" way=subdirectory place=$work/unoptimised
  configured() { quietly cmake -G Ninja -S "$root/tests/consumers/$way" -B "$place" -DENTRAIN_ROOT="$root" "$@"; }
  configured
  [ "$(tr -s ' \n' ' ' <"$work/said" | grep -o "$warning" | wc -l)" = 1 ] || { cat "$work/said"; echo "consumers: not warned once of no build type"; exit 1; }
  ninja -C "$place" -t commands consumer >"$work/commands"
  grep -F text.cpp "$work/commands" | grep -q -- ' -O2 ' || { echo "consumers: the parts are compiled without optimisation"; exit 1; }
  ! grep -F main.cpp "$work/commands" | grep -q -- ' -O' || { echo "consumers: the project's own sources are compiled otherwise than it asks"; exit 1; }
  for choice in -DCMAKE_BUILD_TYPE=Debug -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS=-O1 -DCMAKE_BUILD_TYPE="; do
    rm -rf "$place"
    configured ${choice%% *} -DCMAKE_BUILD_TYPE="${choice##*=}"
    ! grep -qF "CMAKE_BUILD_TYPE is empty" "$work/said" || { echo "consumers: warned with $choice"; exit 1; }
  done
  quietly cmake -G Ninja -S "$root" -B "$place-top" -DENTRAIN_TESTS=OFF -DENTRAIN_EXAMPLES=OFF -DENTRAIN_BENCHES=OFF
  grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=Release$' "$place-top/CMakeCache.txt" || { echo "consumers: not Release by default"; exit 1; }
  echo "consumers: unoptimised: warned, and only where no build type was chosen"
}

consume() { # WAY OPTIONS ...
  local way=$1
  quietly cmake -G Ninja -S "$root/tests/consumers/$way" -B "$work/$way" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 \
    -DCMAKE_UNITY_BUILD=ON "${@:2}"  # fewer files to compile
  quietly ninja -j "${JOBS:-$(nproc)}" -C "$work/$way" consumer
  echo "consumers: $way: $("$work/$way/consumer")"
}

# entrain_add_trainer: a folder's config.json becomes a program that trains; what it cannot become is said.
generated() {
  local bert=$root/tests/train/golden/bert configs=$work/configs
  local again=(cmake -S "$root/tests/consumers/package" -B "$work/package")
  quietly "${again[@]}" -DPRETRAINED="$bert"
  quietly ninja -j "${JOBS:-$(nproc)}" -C "$work/package" tagger by_sgd knobs classes
  # This package was built with -O0, on purpose: its programs say so in their first line, but for --quiet.
  "$work/package/tagger" predict -m "$work/none" >"$work/said" 2>&1 </dev/null || true
  [[ $(head -n 1 "$work/said") == "warning: this program was compiled without optimisation and is many times slower"* ]] ||
    { cat "$work/said"; echo "consumers: a program without optimisation does not say so"; exit 1; }
  "$work/package/tagger" check "$bert/sentences.conll" >/dev/null 2>"$work/said" || true
  [[ $(head -n 1 "$work/said") == "warning: entrain::compiled was compiled without optimisation"* ]] ||
    { cat "$work/said"; echo "consumers: parts without optimisation are not told"; exit 1; }
  "$work/package/tagger" predict --quiet -m "$work/none" >"$work/said" 2>&1 </dev/null || true
  ! grep -q optimisation "$work/said" || { echo "consumers: --quiet warns of no optimisation"; exit 1; }
  quietly "$work/package/tagger" train --pretrained "$bert" --train "$bert/sentences.conll" --epochs 1 --output "$work/model"
  grep -qE 'batches of at most [0-9,]+ pieces' "$work/said" || { echo "consumers: a pretrained encoder's batch is not told in pieces"; exit 1; }
  [ -e "$work/model/crf.safetensors" ] || { echo "consumers: the generated trainer saved no crf.safetensors"; exit 1; }
  local distilbert=$root/tests/train/golden/distilbert
  quietly "$work/package/knobs" train --pretrained "$distilbert" --train "$distilbert/sentences.conll" --epochs 1 \
    --focal-gamma 1.5 --class-weights balanced --head-learning-rate 1e-3 --layerwise-lr-decay 0.9 --output "$work/knobs"
  grep -qF 'fp32, products in bf16' "$work/said" || { echo "consumers: PRECISION bf16 is not told"; exit 1; }
  grep -qF '"DistilBertForTokenClassification"' "$work/knobs/config.json" || { echo "consumers: not a DistilBERT"; exit 1; }
  for key in '"optimizer": "lion"' '"schedule": "inverse_root"'; do
    grep -qF "$key" "$work/knobs/config.json" || { echo "consumers: config.json of a project's own optimizer and schedule lacks $key"; exit 1; }
  done
  printf 'text,label\na b,x\nc d,y\n' >"$work/classes.csv"
  quietly "$work/package/classes" train --pretrained "$bert" --train "$work/classes.csv" --max-steps 2 --output "$work/classes"
  grep -qF '"Classifier<' "$work/classes/config.json" || { echo "consumers: not a classifier of texts"; exit 1; }
  ! grep -qF '"architectures"' "$work/classes/config.json" || { echo "consumers: a classifier by mean has no class in transformers"; exit 1; }
  [ "$("$work/package/classes" predict -m "$work/classes" --quiet <<<"a b" | cut -f 1 | grep -cE '^[xy]$')" = 1 ] ||
    { echo "consumers: no class is predicted"; exit 1; }
  resumed
  not_an_option() { # OPTIONS SENTENCE
    if "${again[@]}" -DPRETRAINED="$bert" -DOPTIONS="$1" >"$work/said" 2>&1 || ! tr -s ' \n' ' ' <"$work/said" | grep -qF -- "$2"; then
      tail -n 20 "$work/said"
      echo "consumers: not refused with: $2"
      exit 1
    fi
  }
  not_an_option "PRECISION;fp8" "PRECISION fp8: expected fp32, bf16 or fp64"
  not_an_option "PRECISION;fp16" "PRECISION fp16 on the CPU: expected fp32, bf16 or fp64; fp16 is for NVIDIA GPUs, with DEVICE cuda"
  not_an_option "PRECISION;tf32" "PRECISION tf32 on the CPU: expected fp32, bf16 or fp64"
  not_an_option "DEVICE;cuda;PRECISION;fp64" "PRECISION fp64: expected fp32, tf32, fp16 or bf16"
  not_an_option "DEVICE;cuda;PRECISION;fp16;HEAD;crf" "HEAD crf with PRECISION fp16: expected PRECISION fp32, or tf32 on a GPU"
  not_an_option "RESIDENT" "RESIDENT on the CPU, whose memory holds the corpus anyway: expected DEVICE cuda"
  not_an_option "HEAD;linear" "HEAD linear: expected softmax or crf"
  not_an_option "LOSS;hinge" "LOSS hinge: expected cross_entropy, smoothed or focal"
  not_an_option "OPTIMIZER;lamb" "OPTIMIZER lamb: expected adamw, adam, sgd or lion; entrain_add_optimizer adds one of your own"
  not_an_option "SCHEDULE;linear" "SCHEDULE linear: expected usual or inverse_root; --lr-scheduler-type of the program chooses constant, linear or cosine"
  not_an_option "HEAD;crf;LOSS;focal" "LOSS focal with HEAD crf: expected HEAD softmax"
  not_an_option "FREEZE;3" "FREEZE 3: expected embedding, all, or a number of blocks from 1, of 2"
  not_an_option "FREEZE;0" "FREEZE 0: expected embedding"
  not_an_option "OPTIMISER;sgd" "unknown argument OPTIMISER: expected CONFIG path/config.json [TASK ner] [POOLING pooler] [DEVICE cpu]"
  not_an_option "TASK;tag" "TASK tag: expected ner, classify or multi_label"
  not_an_option "TASK;classify;POOLING;sum" "POOLING sum: expected pooler, first, mean or max"
  not_an_option "TASK;classify;HEAD;crf" "HEAD with TASK classify: expected TASK ner; omit HEAD for classes of texts"
  not_an_option "TASK;classify;LABEL_ALL_TOKENS" "LABEL_ALL_TOKENS with TASK classify: expected TASK ner"
  not_an_option "POOLING;mean" "POOLING mean with TASK ner: expected TASK classify or multi_label; a tagger pools no rows"
  not_an_option "SCHEDULE" "SCHEDULE without a value: expected a value after it, as in SCHEDULE usual"
  not_an_option "OPTIMIZER;HEAD;crf" "OPTIMIZER without a value: expected a value after it, as in OPTIMIZER adamw"
  not_an_option "HEAD;crf;HEAD;softmax" "HEAD is given twice"
  not_an_option "RECOMPUTE;OFF" "OFF after RECOMPUTE, which has no value: expected RECOMPUTE alone, or nothing"
  quietly "${again[@]}" "-DOPTIONS=FREEZE;embedding"
  grep -qF 'model::FrozenEmbedding<' "$work/package/refused.hpp" || { echo "consumers: FREEZE embedding freezes no embedding"; exit 1; }
  again+=(-DOPTIONS=)
  not_added() { # KIND;NAME;... SENTENCE
    if "${again[@]}" -DPRETRAINED="$bert" -DADD="$1" >"$work/said" 2>&1 || ! tr -s ' \n' ' ' <"$work/said" | grep -qF -- "$2"; then
      tail -n 20 "$work/said"
      echo "consumers: not refused with: $2"
      exit 1
    fi
  }
  not_added "optimizer;sgd;TYPE;own::Sgd" "entrain_add_optimizer(sgd): expected another name; used are adamw, adam, sgd, lion"
  not_added "optimizer;other;HEADER;other.hpp" "entrain_add_optimizer(other): no TYPE: expected TYPE own::Type [HEADER its_header.hpp]"
  not_added "optimizer;other;TYPE;own::Other" "TYPE own::Other without HEADER: expected HEADER its_header.hpp"
  not_added "optimizer;other;TYPE;own::Other;HEADER" "HEADER without a value"
  not_added "optimizer;other;TYPE;entrain::optim::Averaged" "TYPE entrain::optim::Averaged is a template: expected its arguments too"
  not_added "optimizer;other;TYPE;entrain::optim::Averaged<entrain::optim::Sgd" "expected as many > as <"
  not_added "family;lion.hpp;other.hpp" "unknown argument other.hpp: expected the header of one family"
  not_added "family;nowhere.hpp" "nowhere.hpp: no such file; entrain_add_family must name the header of a family"
  not_added "schedule;Own;TYPE;own::Own" "entrain_add_schedule(Own): expected a name of small letters, digits and _"
  not_added "schedule;other;TYPE;own::Other;HEADER;other.hpp" "other.hpp: no such file; HEADER names the header with the type own::Other"
  again+=(-DADD=)
  refused() { # FROM TO SENTENCE: config.json with FROM turned into TO
    mkdir -p "$configs"
    sed "s/$1/$2/" "$bert/config.json" >"$configs/config.json"
    if "${again[@]}" -DPRETRAINED="$configs" >"$work/said" 2>&1 || ! tr -s ' \n' ' ' <"$work/said" | grep -qF -- "$3"; then
      tail -n 20 "$work/said"
      echo "consumers: not refused with: $3"
      exit 1
    fi
  }
  not_a_config() { # PATH SENTENCE
    if "${again[@]}" -DCONFIG="$1" >"$work/said" 2>&1 || ! tr -s ' \n' ' ' <"$work/said" | grep -qF -- "$2"; then
      tail -n 20 "$work/said"
      echo "consumers: not refused with: $2"
      exit 1
    fi
  }
  not_a_config "$bert" "bert: a folder, expected a file; CONFIG must name the config.json of a Hugging Face folder"
  not_a_config "$bert/vocab.txt" "vocab.txt: not a JSON object; CONFIG must name the config.json"
  mkdir -p "$configs"
  echo '{"version": "1.0"}' >"$configs/tokenizer.json"
  not_a_config "$configs/tokenizer.json" "tokenizer.json: neither model_type nor hidden_size; CONFIG must name the config.json"
  rm "$configs/tokenizer.json"  # below, the folder is one to start from
  local modern=$root/tests/train/golden/modern_bert
  composed() { # EDIT TEXT: the config.json of ModernBERT, edited by sed, becomes a composition with TEXT
    sed -z "$1" "$modern/config.json" >"$configs/modern.json"
    quietly "${again[@]}" -DCONFIG="$configs/modern.json"
    tr -s ' \n' ' ' <"$work/package/refused.hpp" | sed 's/1.0000000000000001e-05/1e-05/g' | grep -qF -- "$2" || { cat "$work/package/refused.hpp"; echo "consumers: not composed: $2"; exit 1; }
  }
  composed '' 'embed::ModernBert<embed::EmbeddingConfig{.vocabulary = 280, .positions = 40, .types = 0, .width = 16, .eps = 1e-05}, family::ModernBert>, encode::WithNorm<layer::Stack<4, encode::ModernBertBlock<encode::ModernBertConfig{.width = 16, .heads = 2, .intermediate = 24, .local_attention = 6, .global_attn_every_n_layers = 2, .global_rope_theta = 50.0, .local_rope_theta = 7.0, .eps = 1e-05}, act::Gelu>>, layer::NormWithoutBias<layer::NormConfig{.width = 16, .eps = 1e-05}>>>;'
  composed 's/layer_types/other/; s/rope_parameters/others/' '.global_attn_every_n_layers = 2, .global_rope_theta = 160000, .local_rope_theta = 10000,'
  composed 's/"sliding_attention",/"full_attention",/; s/"sliding_attention"\n/"full_attention"\n/' '.global_attn_every_n_layers = 1, '
  key_of() { cmake -DCONFIG="$1" -P "$root/cmake/folder_says.cmake" 2>&1 | sed -n 's/^key=//p'; }
  for edit in '' 's/"local_attention": 6/"local_attention": 8/' 's/50[.]0/60.0/' 's/7[.]0/8.0/' 's/"classifier_pooling": "cls"/"classifier_pooling": "mean"/' \
    's/"sliding_attention",/"full_attention",/; s/"sliding_attention"\n/"full_attention"\n/'; do
    sed -z "$edit" "$modern/config.json" >"$configs/modern.json"
    key_of "$configs/modern.json"
  done | sort | uniq -d >"$work/said"
  [ ! -s "$work/said" ] || { echo "consumers: two compositions of ModernBERT have one key"; exit 1; }
  mkdir -p "$work/multilingual"
  cp "$bert/config.json" "$work/multilingual"
  quietly "${again[@]}" -DCONFIG="$work/multilingual/config.json"
  ! grep -qF 'family::MultilingualBert>' "$work/package/refused.hpp" || { echo "consumers: pieces without a tokenizer.json"; exit 1; }
  echo '{"version": "1.0", "model": {"type": "Unigram", "vocab": []}}' >"$work/multilingual/tokenizer.json"
  quietly cmake --build "$work/package" --target consumer # configures again, as the file is new
  grep -qF 'family::MultilingualBert>' "$work/package/refused.hpp" || { cat "$work/package/refused.hpp"; echo "consumers: the pieces of a BERT are not found"; exit 1; }
  [ "$(key_of "$work/multilingual/config.json")" != "$(key_of "$bert/config.json")" ] || { echo "consumers: two tokenizers have one key"; exit 1; }
  not_modern() { # EDIT SENTENCE
    sed -z "$1" "$modern/config.json" >"$configs/modern.json"
    not_a_config "$configs/modern.json" "$2"
  }
  not_modern 's/"full_attention",/"sliding_attention",/' "global_attn_every_n_layers layer_types[0] sliding_attention: expected a whole number above 0, or layer_types with"
  not_modern 's/"full_attention",//' "global_attn_every_n_layers 3 layer_types: expected"
  not_modern 's/"local_attention": 6/"local_attention": 0/' "local_attention 0: expected a whole number above 0"
  not_modern 's/"local_attention": 6/"local_attention": 7/' "local_attention 7: expected an even number, half of it on each side"
  not_modern 's/"rope_theta": 7.0/"rope_theta": 0.0/' "local_rope_theta 0.0: expected a number above 0"
  not_modern 's/"rope_theta": 7.0/"rope_theta": null/' "local_rope_theta null: expected a number above 0"
  composed 's/"model_type"/"position_embedding_type": "sans_pos", "model_type"/' 'embed::ModernBert<'
  not_modern 's/"rope_theta": 7.0/"rope_theta": "x"/' "local_rope_theta x: expected a number above 0"
  again+=(-DCONFIG=)
  refused '"bert"' '"gpt2"' "model_type gpt2 with absolute positions: expected bert, distilbert, electra, modernbert, roberta or xlm-roberta"
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

# A generated trainer with another optimizer than the default is stopped and resumes to the same bits; a trainer with another optimizer
# refuses the state.
resumed() {
  local bert=$root/tests/train/golden/bert program state=$work/stopped/training_state.safetensors
  local options=(--pretrained "$bert" --train "$bert/sentences.conll" --max-steps 100 --save-steps 1 --quiet)
  quietly "$work/package/tagger" train "${options[@]}" --output "$work/whole"
  "$work/package/tagger" train "${options[@]}" --output "$work/stopped" >"$work/said" 2>&1 &
  program=$!
  until [ -e "$state" ]; do
    sleep 0.05
    kill -0 $program 2>/dev/null || { tail -n 5 "$work/said"; echo "consumers: no state of a training was saved"; exit 1; }
  done
  kill -TERM $program
  ! wait $program || { echo "consumers: the training was over before it could be stopped"; exit 1; }
  if "$work/package/by_sgd" train "${options[@]}" --output "$work/stopped" --resume >"$work/said" 2>&1 ||
    ! grep -qF "$state: optimizer of the stopped training: adam, expected the current sgd" "$work/said"; then
    tail -n 5 "$work/said"
    echo "consumers: a trainer with another optimizer resumed"
    exit 1
  fi
  quietly "$work/package/tagger" train "${options[@]}" --output "$work/stopped" --resume
  cmp "$work/whole/model.safetensors" "$work/stopped/model.safetensors" || { echo "consumers: a resumed training gave other bits"; exit 1; }
  grep -qF '"optimizer": "adam"' "$work/stopped/config.json" || { echo "consumers: config.json does not name the optimizer"; exit 1; }
}

# entrain_add_predictor: a composition as one shared library, called from C and from Python.
predictor() {
  local bert=$root/tests/train/golden/bert place=$work/predictor tests=$root/tests/consumers/predictor
  local build=(cmake -G Ninja -S "$tests" -B "$place" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1
    -DCMAKE_PREFIX_PATH="$work/prefix" -DPRETRAINED="$bert" "$@")
  quietly "${build[@]}"
  quietly ninja -j "${JOBS:-$(nproc)}" -C "$place" light bert bert-bf16
  quietly "$place/light" train --train "$root/examples/data/train.conll" --epochs 3 --output "$work/light"
  quietly "$place/bert" train --pretrained "$bert" --train "$bert/sentences.conll" --epochs 20 --output "$work/bert"
  quietly "$place/bert-bf16" train --pretrained "$bert" --train "$bert/sentences.conll" --epochs 40 --learning-rate 2e-2 --output "$work/bert-bf16"
  quietly "${build[@]}" -DTRAINED="$work/bert"
  quietly ninja -j "${JOBS:-$(nproc)}" -C "$place"

  not_made() { # SENTENCE OPTIONS ...: what CMake says instead of configuring
    rm -rf "$work/not-made"
    if "${build[@]}" -B "$work/not-made" "${@:2}" >"$work/said" 2>&1 || ! tr -s ' \n' ' ' <"$work/said" | grep -qF -- "$1"; then
      tail -n 20 "$work/said"
      echo "consumers: not refused with: $1"
      exit 1
    fi
  }
  not_made "a model with Tagger<MultiHash<" -DTRAINED="$work/light" # which config.json does not say whole
  not_made "expected either HEADER tagger.hpp TRAINER its::Trainer" "-DOPTIONS=TRAINER;light::Trainer"
  not_made "TRAINER without a value: expected a value after it, as in TRAINER its::Trainer" -DHEADER=tagger.hpp
  not_made "PRECISION bf16: expected fp32 or fp64; bf16 applies to training only" "-DOPTIONS=PRECISION;bf16"
  not_made "PRECISION fp16: expected fp32 or fp64; fp16 applies to training only" "-DOPTIONS=PRECISION;fp16"
  not_made "TASK: the C interface finds entities, so it takes models that learn tags; omit it" "-DOPTIONS=TASK;classify"
  local keyword
  for keyword in LOSS:focal OPTIMIZER:sgd SCHEDULE:usual FREEZE:all LABEL_ALL_TOKENS RECOMPUTE RESIDENT; do
    not_made "${keyword%:*}: it applies to training only; omit it" "-DOPTIONS=${keyword/:/;}"
  done
  not_made "unknown argument PRECISON: expected CONFIG path/config.json [DEVICE cpu] [PRECISION fp64] [HEAD crf], or HEADER" "-DOPTIONS=PRECISON;fp64"
  not_made "nowhere.hpp: no such file" -DHEADER=nowhere.hpp -DTRAINER=light::Trainer

  local library shown
  for library in light bert bert-bf16; do # what it shows: the functions of the header, nothing more, nothing less
    shown=$(nm -D --defined-only "$place/lib$library-predictor.so" | awk '{ print $NF }' | sort)
    diff <(grep -oE '\bentrain_[a-z_]+\(' "$root/include/entrain/c/predictor.h" | tr -d '(' | sort -u) \
      <(echo "$shown") >"$work/said" || { cat "$work/said"; echo "consumers: lib$library-predictor.so shows other symbols"; exit 1; }
  done

  called_from_c
  called_from_c_sanitized
  called_from_python
}

called_from_c() {
  printf 'Ada Lovelace met \303\211va in London.\n\nMr. Smith of Acme wrote to Ada.\n' >"$work/text"
  "$place/caller" "$work/light" "$work/bert" <"$work/text" >"$work/c" || { echo "consumers: the caller in C failed"; exit 1; }
  "$place/light" predict -m "$work/light" --format jsonl "$work/text" >"$work/jsonl"
  # the same entities: as many, with the same words
  [ "$(grep -c . "$work/c")" = "$(grep -o '"start"' "$work/jsonl" | wc -l)" ] && [ "$(grep -c . "$work/c")" -gt 0 ] ||
    { cat "$work/c" "$work/jsonl"; echo "consumers: C found other entities than predict"; exit 1; }
  while read -r type begin end words; do
    [ -z "$type" ] || grep -qF "{\"start\":$begin,\"end\":$end,\"label\":\"$type\",\"text\":\"$words\"}" "$work/jsonl" ||
      { cat "$work/jsonl"; echo "consumers: C found $type $begin $end $words, predict did not"; exit 1; }
  done <"$work/c"
  echo "consumers: C: $(grep -c . "$work/c") entities as predict prints them"
}

called_from_python() {
  if ! command -v python3 >/dev/null; then
    [ "${CI:-}" != true ] || { echo "consumers: python3 is not there; CI needs it"; exit 1; }
    echo "consumers: Python: skipped, python3 is not there"
    return
  fi
  local said
  for library in light bert bert-bf16; do
    local other=bert
    [ $library = light ] || other=light
    said=$(python3 "$tests/caller.py" "$place/lib$library-predictor.so" "$work/$library" "$work/$other" "$place/$library") ||
      { echo "consumers: the caller in Python failed with the library $library"; exit 1; }
    echo "consumers: Python: $library: $said"
  done

  # README.md's lines, as they are, in a folder with such a library and such a model
  mkdir -p "$work/readme"
  ln -s "$place/liblight-predictor.so" "$work/readme/libner.so"
  ln -s "$work/light" "$work/readme/model"
  awk '/^```python$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/README.md" >"$work/readme/caller.py"
  [ -s "$work/readme/caller.py" ] && (cd "$work/readme" && python3 caller.py >said) ||
    { echo "consumers: the Python of README.md failed"; exit 1; }
  echo "consumers: Python: README.md: $(wc -l <"$work/readme/said") entities"
}

# The caller in C once more under sanitizers, which also see what it did not give back.
called_from_c_sanitized() {
  local flags=-fsanitize=address,undefined
  quietly "${build[@]}" -B "$place-sanitized" -DCMAKE_C_FLAGS=$flags -DCMAKE_CXX_FLAGS="$flags -fno-sanitize-recover=all"
  quietly ninja -j "${JOBS:-$(nproc)}" -C "$place-sanitized" caller
  "$place-sanitized/caller" "$work/light" "$work/bert" <"$work/text" >"$work/c-sanitized" ||
    { echo "consumers: the caller in C failed under sanitizers"; exit 1; }
  cmp "$work/c" "$work/c-sanitized"
  echo "consumers: C: the same under sanitizers"
}

# entrain in $work/prefix, once: installed somewhere else and moved.
installed() {
  [ ! -e "$work/prefix" ] || return 0
  # by README.md's commands, in other folders and with less to build
  local commands command first=$work/installed-first
  commands=$(grep -x 'cmake -S \. -B build/install && .*' "$root/README.md") || { echo "consumers: README.md does not say how to install"; exit 1; }
  while read -r command; do
    command=${command//-S ./-G Ninja -S $root -DENTRAIN_TESTS=OFF -DENTRAIN_EXAMPLES=OFF -DENTRAIN_BENCHES=OFF -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DCMAKE_UNITY_BUILD=ON}
    command=${command//build\/install/$work/build}
    CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)} quietly ${command//\~\/.local/$first}
  done <<<"${commands// && /$'\n'}"
  uninstalled "$work/build" "$first-too"
  mv "$first" "$work/prefix"
  ! grep -rIlE -- "$first|$work/build" "$work/prefix" >"$work/said" || { cat "$work/said"; echo "consumers: installed files with the path of their first folder"; exit 1; }
  diff <(cd "$root/include" && find entrain -type f | sort) <(cd "$work/prefix/include" && find entrain -type f | sort) >"$work/said" ||
    { cat "$work/said"; echo "consumers: other headers are installed than there are"; exit 1; }
  local nvcc
  nvcc=$("$root/scripts/gpu/find_nvcc.sh")
  [ -z "$nvcc" ] || quietly "$nvcc" -std=c++20 -arch=sm_80 -E -I "$work/prefix/include" -o "$work/cuda.ii" -x cu \
    <(printf '#include <entrain/cuda.cuh>\n#include <entrain/cuda_transformer.cuh>\n')
}

# The target uninstall removes what was installed last, its folders, and nothing else.
uninstalled() { # BUILD PREFIX
  quietly cmake --install "$1" --prefix "$2"
  touch "$2/lib/cmake/of-another-package"
  quietly cmake --build "$1" --target uninstall
  [ "$(find "$2" -type f -o -name 'entrain*')" = "$2/lib/cmake/of-another-package" ] || { find "$2"; echo "consumers: uninstall left files, or removed others"; exit 1; }
}

# Components that are found have targets; of each that is missing find_package prints one sentence.
components() {
  local place=$work/components options=(-G Ninja -S "$root/tests/consumers/components" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix")
  components_are() { # LIST SENTENCE OPTIONS ...
    rm -rf "$place"
    cmake "${options[@]}" -B "$place" -DCOMPONENTS="$1" "${@:3}" >"$work/said" 2>&1 || true
    tr -s ' \n' ' ' <"$work/said" | grep -qF -- "$2" || { tail -n 20 "$work/said"; echo "consumers: components $1: not told: $2"; exit 1; }
  }
  local without=-DCMAKE_DISABLE_FIND_PACKAGE_ library libraries=''
  for library in onednn:dnnl.h zlib:zlib.h zstd:zstd.h; do # those that are installed here; CI has all
    [ ! -e "/usr/include/${library#*:}" ] && [ ! -e "/usr/local/include/${library#*:}" ] || libraries+=" ${library%:*}"
  done
  [ "${CI:-}" != true ] || [ "$libraries" = " onednn zlib zstd" ] || { echo "consumers: CI needs oneDNN, zlib and zstd, found$libraries"; exit 1; }
  components_are "" "entrain 0.2 has cpu app compiled$libraries, not cuda"
  components_are "cpu;app${libraries// /;}" "entrain 0.2 has cpu app compiled$libraries, not cuda"
  components_are "cpu;cuda;app" "entrain: component cuda: the CUDA toolkit 12.4 or newer with cuBLAS was not found; install it, or name its folder with -DCUDAToolkit_ROOT=DIR" ${without}CUDAToolkit=ON
  components_are "cpu" "entrain: component cpu: Eigen 3.4 or newer was not found; install it (Debian: libeigen3-dev)" ${without}Eigen3=ON
  components_are "zlib" "entrain: component zlib: zlib was not found; install it (Debian: zlib1g-dev)" ${without}ZLIB=ON
  components_are "zstd" "entrain: component zstd: libzstd was not found; install it (Debian: libzstd-dev)" -DENTRAIN_WITH_ZSTD=OFF
  components_are "onednn" "entrain: component onednn: oneDNN was not found; install it (Debian: libdnnl-dev)" -DENTRAIN_WITH_ONEDNN=OFF
  components_are "gpu" "entrain: component gpu: no such component; expected cpu, cuda, app, compiled, onednn, zlib or zstd"
  components_are "cpu" 'compatible with requested version "0.1"' -DVERSION=0.1
  components_are "cpu" 'compatible with requested version "0.3"' -DVERSION=0.3
  # an installation without entrain::compiled
  quietly cmake -G Ninja -S "$root" -B "$work/headers-build" -DENTRAIN_BUILD_COMPILED=OFF -DENTRAIN_TESTS=OFF -DENTRAIN_EXAMPLES=OFF -DENTRAIN_BENCHES=OFF
  quietly cmake --install "$work/headers-build" --prefix "$work/headers"
  options+=(-DCMAKE_PREFIX_PATH="$work/headers")
  components_are "" "entrain 0.2 has cpu app$libraries, not cuda compiled"
  components_are "compiled" "entrain: component compiled: this entrain was installed without its compiled code; install it with -DENTRAIN_BUILD_COMPILED=ON, or omit the component"
  components_are "app" "so CLI11 and nlohmann-json are needed, and one was not found; install them (Debian: libcli11-dev nlohmann-json3-dev)" ${without}CLI11=ON
  echo "consumers: components: found, or told in a sentence"
}

# The library by g++ alone, with the flags of pkg-config.
pkgconfig() {
  if ! command -v pkg-config >/dev/null; then
    [ "${CI:-}" != true ] || { echo "consumers: pkg-config is not there; CI needs it"; exit 1; }
    echo "consumers: pkg-config: skipped, it is not there"
    return
  fi
  local flags
  flags=$(PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig" pkg-config --cflags --libs entrain-compiled) || { echo "consumers: pkg-config finds no entrain-compiled"; exit 1; }
  quietly "${CXX:-g++}" -std=c++20 -O0 -march=native "$root/tests/consumers/main.cpp" $flags -o "$work/by-pkgconfig"
  echo "consumers: pkgconfig: $("$work/by-pkgconfig")"
}

for way in "${@:-subdirectory}" $([ $# = 0 ] && echo components package pkgconfig fetched predictor); do
  case $way in
    subdirectory)
      unoptimised # fetched and scripts/check/packaging.sh build and run a program; FetchContent calls add_subdirectory
      ;;
    package)
      installed
      consume package -DCMAKE_PREFIX_PATH="$work/prefix"
      quietly cmake -G Ninja -S "$root/tests/consumers/package" -B "$work/package-unoptimised" -DCMAKE_PREFIX_PATH="$work/prefix"
      grep -qF "CMAKE_BUILD_TYPE is empty" "$work/said" || { echo "consumers: find_package does not warn of no build type"; exit 1; }
      generated
      ;;
    components | pkgconfig)
      installed
      $way
      ;;
    fetched)
      quietly "$root/tests/consumers/mirror.sh" "$work/mirror.git"
      # Installed headers replace checkouts: a folder each, with the target that its own CMake file would make.
      stand_in() { # NAME TARGET INCLUDES
        mkdir -p "$work/$1"
        printf 'add_library(%s_ INTERFACE)\nadd_library(%s ALIAS %s_)\ntarget_include_directories(%s_ SYSTEM INTERFACE %s)\ninstall(TARGETS %s_ EXPORT %s)\n' \
          "$1" "$2" "$1" "$1" "$3" "$1" "$1" >"$work/$1/CMakeLists.txt"
      }
      stand_in eigen Eigen3::Eigen /usr/include/eigen3
      stand_in cli11 CLI11::CLI11 /usr/include
      stand_in json nlohmann_json::nlohmann_json /usr/include
      consume fetched -DFETCHCONTENT_TRY_FIND_PACKAGE_MODE=NEVER -DENTRAIN_REPOSITORY="file://$work/mirror.git" \
        -DFETCHCONTENT_SOURCE_DIR_EIGEN3="$work/eigen" \
        -DFETCHCONTENT_SOURCE_DIR_CLI11="$work/cli11" -DFETCHCONTENT_SOURCE_DIR_NLOHMANN_JSON="$work/json"
      ;;
    predictor)
      installed
      predictor
      ;;
    *) echo "consumers: there is no way called $way"; exit 1 ;;
  esac
done
