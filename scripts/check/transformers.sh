#!/usr/bin/env bash
# A folder saved by fine-tuning opens in transformers, and gives the same tags there as `./dev predict`. A folder whose
# tokenizer_config.json contradicts its tokenizer.json is refused.
# Also folders of RoBERTa and ModernBERT, with random weights and the byte-level BPE that scripts/fetch_gpt2_bpe.sh fetches; and with ENTRAIN_DATA one of
# XLM-RoBERTa, with random weights and the pieces that scripts/train_unigram.sh trains.
# Needs MiniLM, as scripts/fetch_minilm.sh fetches it, and transformers as bench/peers/setup.sh installs it: 6 GB.
#
#   scripts/check/transformers.sh [WORDS.conll [SENTENCES]]      more sentences to tag; as in
#   scripts/check/transformers.sh $ENTRAIN_DATA/wnut17/test.conll 300
set -euo pipefail
more=${1:+$(realpath "$1")} most=${2:-300}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
minilm=build/pretrained/all-MiniLM-L6-v2
scripts/fetch_minilm.sh "$minilm" || scripts/not_checked.sh transformers "all-MiniLM-L6-v2 cannot be fetched"
sh bench/peers/setup.sh torch || scripts/not_checked.sh transformers "transformers cannot be installed in build/venv-torch"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stop() { echo "transformers: $*"; exit 1; }
quietly() { "$@" >"$work/said" 2>&1 || { tail -n 20 "$work/said"; stop "failed: $*"; }; }

# Words that a tokenizer drops, splits, lowers or mistakes for one of its special tokens.
trouble='\xe2\x80\x8b \xef\xb8\x8f [CLS] [UNK] [MASK] \xc3\x89mile ZU\xcc\x88RICH \xe5\x8c\x97\xe4\xba\xac Paris-London ##ing'
cp examples/data/test.conll "$work/words.conll"
{
  echo
  for word in $trouble Ada $trouble; do printf "$word\tO\nParis\tO\n"; done
  echo
  [ -z "$more" ] || awk -v most="$most" '{ print } NF == 0 && ++n == most { exit }' "$more"
} >>"$work/words.conll"

fine_tune() { quietly ./dev train --pretrained "$1" --output "$work/model" --overwrite --seed 1 "${@:2}"; }
same_tags() { # WHAT
  quietly ./dev predict -m "$work/model" --format conll "$work/words.conll" -o "$work/tags.conll"
  quietly build/venv-torch/bin/python bench/peers/hf_tags.py "$work/model" "$work/tags.conll"
  echo "transformers: $1: $(tail -n 1 "$work/said")"
}

# tokenizer_config.json keeps case, tokenizer.json lowers it.
mkdir "$work/cased"
ln -s "$PWD/$minilm"/* "$work/cased"
rm "$work/cased/tokenizer_config.json"
sed 's/"do_lower_case": true/"do_lower_case": false/' "$minilm/tokenizer_config.json" >"$work/cased/tokenizer_config.json"
! ./dev train --pretrained "$work/cased" --output "$work/refused" --max-steps 1 >"$work/said" 2>&1 ||
  stop "tokenizer_config.json says do_lower_case false, tokenizer.json lowercases: not refused"
grep -qF 'tokenizer_config.json: do_lower_case false, expected true, as in normalizer.lowercase of tokenizer.json' "$work/said" ||
  { tail -n 3 "$work/said"; stop "another refusal"; }
echo "transformers: do_lower_case false: refused"

fine_tune "$minilm" --epochs 2
same_tags "minilm"

scripts/fetch_gpt2_bpe.sh build/pretrained/gpt2-bpe || scripts/not_checked.sh transformers "the byte-level BPE of GPT-2 cannot be fetched"
quietly build/venv-torch/bin/python bench/peers/seeded_bert.py build/pretrained/gpt2-bpe "$work/roberta" roberta
fine_tune "$work/roberta" --epochs 6 --learning-rate 5e-4
grep -qF 'transformers puts no space before the first word' "$work/said" || stop "no note about add_prefix_space"
same_tags "roberta"
quietly build/venv-torch/bin/python bench/peers/seeded_bert.py build/pretrained/gpt2-bpe "$work/modernbert" modernbert
fine_tune "$work/modernbert" --epochs 6 --learning-rate 5e-4
same_tags "modernbert"

if [ -n "${ENTRAIN_DATA:-}" ]; then
  scripts/train_unigram.sh build/pretrained/unigram 2>"$work/said" || { tail -n 5 "$work/said"; stop "no unigram model was trained"; }
  quietly build/venv-torch/bin/python bench/peers/seeded_bert.py build/pretrained/unigram "$work/multilingual" multilingual-bert
  fine_tune "$work/multilingual" --train "$ENTRAIN_DATA/uner-danish/train.iob2" --dev "$ENTRAIN_DATA/uner-danish/dev.iob2" --max-steps 120 --learning-rate 3e-4
  same_tags "multilingual-bert"
  quietly build/venv-torch/bin/python bench/peers/seeded_bert.py build/pretrained/unigram "$work/xlm-roberta" xlm-roberta
  fine_tune "$work/xlm-roberta" --epochs 6 --learning-rate 5e-4
  same_tags "xlm-roberta"
else
  echo "transformers: xlm-roberta: not checked, ENTRAIN_DATA is not set"
fi
