#!/usr/bin/env bash
# Trains a byte-level BPE of 50,254 pieces on the corpora in ENTRAIN_DATA, in five languages, and writes it as ModernBERT's files: the normalizer
# NFC, runs of 24 to 2 spaces as added tokens, and its roles, 50,368 ids. For measurements of speed and parity: ModernBERT's own pieces are in no
# package index.
#
#   scripts/train_modernbert_bpe.sh FOLDER
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:?train_modernbert_bpe: name the folder}
[ -s "$folder/tokenizer.json" ] && exit 0
data=${ENTRAIN_DATA:?train_modernbert_bpe: set ENTRAIN_DATA to the folder of corpora}
sh bench/peers/setup.sh torch >&2
build/venv-torch/bin/python - "$folder" "$data" <<'PY' >&2
import json, pathlib, sys
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, trainers
folder, data = map(pathlib.Path, sys.argv[1:])
lines = []
for path in sorted(data.glob("uner-*/*.iob2")):  # their comments have the sentences
    lines += [row.split(" = ", 1)[1] for row in path.read_text(encoding="utf-8").splitlines() if row.startswith("# text = ")]
for path in sorted(data.glob("europeana/*.bio")):
    words = [row.split(" ")[0] for row in path.read_text(encoding="utf-8", errors="replace").splitlines()]
    lines += [" ".join(words[at:at + 40]) for at in range(0, len(words), 40)]
for path in sorted(data.glob("text/*.txt")):
    lines += path.read_text(encoding="utf-8").splitlines()
token = lambda text, special: AddedToken(text, special=special, normalized=not special, lstrip=text == "[MASK]")
first = [token("|||IP_ADDRESS|||", False), token("<|padding|>", True)]
later = [token(" " * n, False) for n in range(24, 1, -1)] + [token(f"|||{t}|||", False) for t in ("EMAIL_ADDRESS", "PHONE_NUMBER")]
later += [token(t, True) for t in ("<|endoftext|>", "[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]")] + [token(f"[unused{i}]", False) for i in range(83)]
made = Tokenizer(models.BPE())
made.normalizer = normalizers.NFC()
made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
made.train_from_iterator(lines, trainers.BpeTrainer(vocab_size=50254, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=first,
                                                    show_progress=False))  # fmt: skip
said = json.loads(made.to_str())
pieces = len(said["model"]["vocab"])
flags = ("single_word", "lstrip", "rstrip", "normalized", "special")
said["added_tokens"] = [{"id": i if i < 2 else pieces + i - 2, "content": a.content, **{f: getattr(a, f) for f in flags}} for i, a in enumerate(first + later)]
ids = {a["content"]: a["id"] for a in said["added_tokens"]}
special = lambda t: {"SpecialToken": {"id": t, "type_id": 0}}
text = lambda name: {"Sequence": {"id": name, "type_id": 0}}
single = [special("[CLS]"), text("A"), special("[SEP]")]
said["post_processor"] = {"type": "TemplateProcessing", "single": single, "pair": single + [text("B"), special("[SEP]")],
                          "special_tokens": {t: {"id": t, "ids": [ids[t]], "tokens": [t]} for t in ("[CLS]", "[SEP]")}}  # fmt: skip
said["decoder"] = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
config = {"added_tokens_decoder": {str(a["id"]): {key: a[key] for key in ("content", *flags)} for a in said["added_tokens"]},
          "clean_up_tokenization_spaces": True, "model_input_names": ["input_ids", "attention_mask"], "model_max_length": 8192,
          "tokenizer_class": "PreTrainedTokenizerFast", "cls_token": "[CLS]", "mask_token": "[MASK]", "pad_token": "[PAD]", "sep_token": "[SEP]",
          "unk_token": "[UNK]"}  # fmt: skip
folder.mkdir(parents=True, exist_ok=True)
(folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
(folder / "tokenizer.json").write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
print(f"{pieces} pieces, {pieces + len(later)} ids")
PY
