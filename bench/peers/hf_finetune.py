#!/usr/bin/env python
"""Hugging Face as the peer of entrain in fine-tuning: the same folder, the same sentences, 32 a step.

    hf_finetune.py trainer FOLDER TRAIN [STEPS [THREADS [bf16]]]        transformers.Trainer, its default recipe; with bf16=True
    hf_finetune.py loop    FOLDER TRAIN [STEPS [THREADS [equal|bf16]]]  the plain torch loop: forward, backward, clip, AdamW

Each answers a line 'train' on stdin with one line of JSON after STEPS steps, and ends at 'quit', as bench/slices/turns.sh requires.

A batch is padded to its longest sentence, as DataCollatorForTokenClassification does; real pieces are counted, including [CLS] and
[SEP], no pads. `loop` takes batches that were made before, so that tokenizing costs it nothing, and AdamW's fused form;
`trainer` is unchanged (its data were tokenized before, as in Hugging Face's example), except for batch size, dropout 0.1 and no
saving. With `equal`, a batch is 32 sentences of the same number of pieces: nothing is padded, attention needs no mask. With `bf16`, the loop's
forward pass and loss run under torch's autocast to bf16, weights and AdamW stay fp32; the Trainer gets bf16=True, which is the same.

Faster forms of `loop`, and how they are used here:
  used           AdamW's fused step; gradients set to none, not to zero; torch.set_num_threads, and OMP_NUM_THREADS before torch is read
                 (`trainer` has the threads, too); transformers' default attention, scaled_dot_product_attention
  sorted lengths not used in `loop`, whose batches are the corpus's own, as entrain's are; `equal` is their limit, a batch of one length
  torch.compile  not measured: it compiles again for new lengths, of which a corpus has dozens, unless they are marked dynamic
  inter-op       torch.set_num_interop_threads is torch's own, not measured: the loop has one operator at a time
  allocators     tcmalloc and jemalloc by LD_PRELOAD: not measured
  channels_last  concerns images; there are none here
Needs the virtual environment of setup.sh (requirements-torch.txt).
"""

import sys

from hf_slices import with_loop, with_trainer

from transformers import AutoModelForTokenClassification, AutoTokenizer, DataCollatorForTokenClassification

import first_pieces


def main():
    how, folder, path = sys.argv[1:4]
    steps = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    more = sys.argv[6:]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    names, rows = first_pieces.rows(tokenizer, path)
    model = AutoModelForTokenClassification.from_pretrained(folder, num_labels=len(names))
    collator = DataCollatorForTokenClassification(tokenizer)
    if how == "trainer":
        with_trainer(collator, model, rows, steps, bf16=more == ["bf16"])
    else:
        with_loop(collator, model, rows, steps, more == ["equal"], more == ["bf16"])


main()
