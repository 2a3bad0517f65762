#!/usr/bin/env python
"""A torch DataLoader with tokenizers as the peer of entrain's loader: sentences of words to padded tensors, on one core.

    torch_loader.py WORKERS VOCAB.TXT FILE ...

Answers each line on stdin with one line of JSON after an epoch, and ends at 'quit', as bench/slices/turns.sh requires. The sentences
are in memory as lists of words and tags when timing starts: nothing is parsed. A batch is 32 of them in a shuffled order, cut into
pieces by tokenizers as is_split_into_words does, padded to its longest, with a label for the first piece of each word, as
transformers' DataCollatorForTokenClassification does. Real pieces are counted, without [CLS], [SEP] and padding. The processor
time is that of this process and of its worker. Needs the virtual environment of `setup.sh torch`.
"""

import os
import sys
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"

import tokenizers
import torch
from tokenizers import normalizers, pre_tokenizers, processors

import conll
from slices import peak_rss_mib, say

BATCH = 32
IGNORED = -100

workers, vocabulary, files = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
torch.set_num_threads(1)
tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece.from_file(vocabulary, unk_token="[UNK]"))
tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
cls, sep, pad = (tokenizer.token_to_id(piece) for piece in ("[CLS]", "[SEP]", "[PAD]"))
tokenizer.post_processor = processors.BertProcessing(("[SEP]", sep), ("[CLS]", cls))
tokenizer.enable_truncation(512)

sentences = [pair for path in files for pair in conll.words_and_tags(path)]
tags = {tag: i for i, tag in enumerate(sorted({tag for _, tags in sentences for tag in tags}))}


class Sentences(torch.utils.data.Dataset):
    def __len__(self):
        return len(sentences)

    def __getitem__(self, i):
        return sentences[i]


def collate(batch):
    encoded = tokenizer.encode_batch([words for words, _ in batch], is_pretokenized=True)
    longest = max(map(len, encoded))
    ids, mask, labels = [], [], []
    for (_, tags_of_words), one in zip(batch, encoded):
        before, row = None, []
        for word in one.word_ids:
            row.append(IGNORED if word is None or word == before else tags[tags_of_words[word]])
            before = word
        room = longest - len(one)
        ids.append(one.ids + [pad] * room)
        mask.append(one.attention_mask + [0] * room)
        labels.append(row + [IGNORED] * room)
    return {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask), "labels": torch.tensor(labels)}


loader = torch.utils.data.DataLoader(Sentences(), batch_size=BATCH, shuffle=True, collate_fn=collate, num_workers=workers,
                                     persistent_workers=workers > 0)


def processor_seconds(processes):
    """Processor time of this process and of its workers, in clock ticks of Linux."""
    ticks = 0
    for process in processes:
        fields = open(f"/proc/{process}/stat").read().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def children():
    return [int(pid) for pid in open(f"/proc/self/task/{os.getpid()}/children").read().split()]


def epoch():
    pieces = batches = 0
    for batch in loader:
        pieces += int(batch["attention_mask"].sum()) - 2 * len(batch["input_ids"])
        batches += 1
    return pieces, batches


epoch()
say(what="ready", system=f"torch {torch.__version__}, tokenizers {tokenizers.__version__}", sentences=len(sentences))
for what in map(str.strip, sys.stdin):
    if what == "quit":
        break
    began, began_processor = time.perf_counter(), processor_seconds(children())
    pieces, batches = epoch()
    seconds, processor = time.perf_counter() - began, processor_seconds(children()) - began_processor
    say(system="torch", what=what, workers=workers, items=pieces, batches=batches, seconds=round(seconds, 4),
        items_per_second=pieces / seconds, items_per_cpu_second=pieces / processor, peak_rss_mib=peak_rss_mib(),
        words=sum(len(words) for words, _ in sentences))
