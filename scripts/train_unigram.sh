#!/usr/bin/env bash
# Trains a unigram model of 64,000 pieces by SentencePiece on the corpora in ENTRAIN_DATA, in five languages, and writes it as XLM-RoBERTa's
# tokenizer.json. For measurements of speed and parity: XLM-RoBERTa's own pieces are in no package index. The map of characters is SentencePiece's
# nmt_nfkc, as XLM-RoBERTa's.
#
#   scripts/train_unigram.sh FOLDER
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:?train_unigram: name the folder}
[ -s "$folder/tokenizer.json" ] && exit 0
data=${ENTRAIN_DATA:?train_unigram: set ENTRAIN_DATA to the folder of corpora}
sh bench/peers/setup.sh torch >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build/venv-torch/bin/python - "$work" "$folder" "$data" <<'PY' >&2
import contextlib, os, pathlib, sys
import sentencepiece
work, folder, data = map(pathlib.Path, sys.argv[1:])
lines = []
for path in sorted(data.glob("uner-*/*.iob2")):  # their comments have the sentences
    lines += [row.split(" = ", 1)[1] for row in path.read_text(encoding="utf-8").splitlines() if row.startswith("# text = ")]
for path in sorted(data.glob("europeana/*.bio")):
    words = [row.split(" ")[0] for row in path.read_text(encoding="utf-8", errors="replace").splitlines()]
    lines += [" ".join(words[at:at + 40]) for at in range(0, len(words), 40)]
for path in sorted(data.glob("text/*.txt")):
    lines += path.read_text(encoding="utf-8").splitlines()
(work / "lines").write_text("\n".join(lines) + "\n", encoding="utf-8")
sentencepiece.SentencePieceTrainer.train(input=str(work / "lines"), model_prefix=str(work / "sentencepiece.bpe"), vocab_size=64000, model_type="unigram",
    character_coverage=0.9995, normalization_rule_name="nmt_nfkc", num_threads=2, hard_vocab_limit=False, minloglevel=1)
from transformers import XLMRobertaTokenizer
folder.mkdir(parents=True, exist_ok=True)
XLMRobertaTokenizer.from_pretrained(str(work)).save_pretrained(folder)
PY
