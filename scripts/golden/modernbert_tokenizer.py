#!/usr/bin/env python3
"""Writes tests/checkpoint/golden/modernbert: a folder's files as those of ModernBERT's tokenizer, and what AutoTokenizer makes of texts with them.

    build/venv-torch/bin/python scripts/golden/modernbert_tokenizer.py      needs: transformers, tokenizers

The byte-level BPE is trained on examples/data/train.conll; it has 360 pieces, and ModernBERT's added tokens. tokenizer_config.json and
special_tokens_map.json are as transformers 4 wrote them, and saved/tokenizer_config.json is as transformers 5 does.

expected.txt: `HEX ID ...` for a text's bytes in UTF-8 and its ids, [CLS] and [SEP] included. AutoTokenizer reads them from the folder of a trained model:
its tokenizer.json has add_prefix_space true, as TokenizerOf<text::ByteBpe>::keep writes it. A line that begins with `w ` has words with `|` between them.
"""

import json
import pathlib
import random
import tempfile
import unicodedata

import transformers
from byte_bpe_nfc import HARD, ROLES, SPACES, IN_MODEL, line
from nfc import Kinds
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers
from transformers import AutoTokenizer

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "tests/checkpoint/golden/modernbert"
FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")
ADDED = IN_MODEL + SPACES + ROLES
ROLE_OF = {"cls_token": "[CLS]", "mask_token": "[MASK]", "pad_token": "[PAD]", "sep_token": "[SEP]", "unk_token": "[UNK]"}


def description(words):
    made = Tokenizer(models.BPE())
    made.normalizer = normalizers.NFC()
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.train_from_iterator([" " + word for word in words], trainers.BpeTrainer(
        vocab_size=360, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=IN_MODEL, show_progress=False))  # fmt: skip
    said = json.loads(made.to_str())
    pieces = len(said["model"]["vocab"])
    said["added_tokens"] = [{"id": i if i < len(IN_MODEL) else pieces + i - len(IN_MODEL), "content": a.content, **{f: getattr(a, f) for f in FLAGS}}
                            for i, a in enumerate(ADDED)]  # fmt: skip
    ids = {a["content"]: a["id"] for a in said["added_tokens"]}
    special = lambda token: {"SpecialToken": {"id": token, "type_id": 0}}
    text = lambda name: {"Sequence": {"id": name, "type_id": 0}}
    single = [special("[CLS]"), text("A"), special("[SEP]")]
    said["post_processor"] = {"type": "TemplateProcessing", "single": single, "pair": single + [text("B"), special("[SEP]")],
                              "special_tokens": {t: {"id": t, "ids": [ids[t]], "tokens": [t]} for t in ("[CLS]", "[SEP]")}}  # fmt: skip
    said["decoder"] = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    assert said["pre_tokenizer"] == {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return said


def main():
    rng, kinds = random.Random(2), Kinds()
    words = [row.split()[0] for row in (ROOT / "examples/data/train.conll").read_text(encoding="utf-8").splitlines() if row.strip()]
    said = description(words)
    write = lambda name, what: (FOLDER / name).write_text(json.dumps(what, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (FOLDER / "saved").mkdir(parents=True, exist_ok=True)
    write("config.json", {"architectures": ["ModernBertForMaskedLM"], "max_position_embeddings": 8192, "model_type": "modernbert"})
    write("tokenizer.json", said)
    write("tokenizer_config.json", {
        "added_tokens_decoder": {str(a["id"]): {"content": a["content"], **{f: a[f] for f in FLAGS}} for a in said["added_tokens"]},
        "clean_up_tokenization_spaces": True, "model_input_names": ["input_ids", "attention_mask"], "model_max_length": 8192,
        "tokenizer_class": "PreTrainedTokenizerFast", **ROLE_OF})  # fmt: skip
    write("special_tokens_map.json", {role: {"content": token, "lstrip": token == "[MASK]", "normalized": False, "rstrip": False, "single_word": False}
                                      for role, token in ROLE_OF.items()})  # fmt: skip

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
            text = (FOLDER / name).read_text(encoding="utf-8")
            (folder / name).write_text(text.replace('"add_prefix_space": false', '"add_prefix_space": true'), encoding="utf-8")
        made = AutoTokenizer.from_pretrained(folder)
        assert type(made).__name__ == "TokenizersBackend"
        made.save_pretrained(folder / "saved")
        (FOLDER / "saved/tokenizer_config.json").write_text((folder / "saved/tokenizer_config.json").read_text(encoding="utf-8"), encoding="utf-8")
    out = [f"# Made by scripts/golden/modernbert_tokenizer.py with transformers {transformers.__version__}."]
    for text in HARD + [line(rng, words, kinds) for _ in range(200)]:
        out.append(" ".join([text.encode().hex(), *map(str, made(text)["input_ids"])]))
    for _ in range(60):
        some = [w for w in line(rng, words, kinds).split(" ") if w and "|" not in w][:5]
        if some:
            out.append(" ".join(["w", "|".join(w.encode().hex() for w in some), *map(str, made(some, is_split_into_words=True)["input_ids"])]))
    (FOLDER / "expected.txt").write_text("\n".join(out) + "\n", encoding="utf-8")
    print(len(out) - 1, "texts")


if __name__ == "__main__":
    assert unicodedata.unidata_version == "14.0.0"
    main()
